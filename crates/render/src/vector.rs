//! Single-precision vectors, one or eight at a time.

use wide::f32x8;

pub(crate) type V3 = [f32; 3];
pub(crate) type M3 = [f32; 9];

/// Eight values, one per ray.
pub(crate) type F = f32x8;
/// Eight vectors.
pub(crate) type P3 = [F; 3];

pub(crate) fn add(a: V3, b: V3) -> V3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn mul(a: V3, s: f32) -> V3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

pub(crate) fn dot(a: V3, b: V3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn unit(a: V3) -> V3 {
    mul(a, 1.0 / dot(a, a).sqrt().max(1e-20))
}

pub(crate) fn column(m: &M3, k: usize) -> V3 {
    [m[k], m[3 + k], m[6 + k]]
}

pub(crate) fn turn(m: &M3, v: V3) -> V3 {
    [0, 3, 6].map(|r| m[r] * v[0] + m[r + 1] * v[1] + m[r + 2] * v[2])
}

#[inline(always)]
pub(crate) fn all(x: f32) -> F {
    F::splat(x)
}

#[inline(always)]
pub(crate) fn all3(v: V3) -> P3 {
    v.map(F::splat)
}

#[inline(always)]
pub(crate) fn padd(a: P3, b: P3) -> P3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(crate) fn psub(a: P3, b: P3) -> P3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(crate) fn pmul(a: P3, s: F) -> P3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

#[inline(always)]
pub(crate) fn pdot(a: P3, b: P3) -> F {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(crate) fn pcross(a: P3, b: P3) -> P3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
pub(crate) fn pturn_back(m: &M3, v: P3) -> P3 {
    [0, 1, 2].map(|c| v[0] * m[c] + v[1] * m[3 + c] + v[2] * m[6 + c])
}

/// `a` where the mask is set, else `b`.
#[inline(always)]
pub(crate) fn pick(mask: F, a: F, b: F) -> F {
    mask.bitselect(a, b)
}

/// `xⁿ` for `x ≥ 0`. Integer exponents up to 128, which most models have, take a few products.
#[inline(always)]
pub(crate) fn power(x: F, n: F) -> F {
    let whole = n.to_array()[0] as u32;
    if whole <= 128 && n.simd_eq(all(whole as f32)).to_bitmask() == 255 {
        return whole_power(x, whole);
    }
    (x.fast_max(all(1e-12)).ln() * n).exp()
}

fn whole_power(x: F, mut n: u32) -> F {
    let (mut product, mut square) = (all(1.0), x);
    while n > 0 {
        if n & 1 == 1 {
            product *= square;
        }
        square *= square;
        n >>= 1;
    }
    product
}

#[inline(always)]
pub(crate) fn pturn(m: &M3, v: P3) -> P3 {
    [0, 3, 6].map(|r| v[0] * m[r] + v[1] * m[r + 1] + v[2] * m[r + 2])
}

#[inline(always)]
pub(crate) fn punit(v: P3) -> P3 {
    pmul(v, all(1.0) / pdot(v, v).sqrt().fast_max(all(1e-20)))
}

/// `a` where the mask is set, else `b`.
#[inline(always)]
pub(crate) fn pick3(mask: F, a: P3, b: P3) -> P3 {
    [0, 1, 2].map(|k| pick(mask, a[k], b[k]))
}

/// Fractional part: the distance to the next lower integer.
#[inline(always)]
pub(crate) fn fract(x: F) -> F {
    let rest = x - F::from_i32x8(x.fast_trunc_int());
    rest + (rest.simd_lt(all(0.0)) & all(1.0))
}

/// Mask of the rays whose bits are set.
#[inline(always)]
pub(crate) fn lanes(bits: u32) -> F {
    F::from(std::array::from_fn::<f32, 8, _>(|k| f32::from_bits(0u32.wrapping_sub(bits >> k & 1))))
}

/// Indices of the rays whose bits are set.
#[inline(always)]
pub(crate) fn among(bits: u32) -> impl Iterator<Item = usize> {
    (0..8).filter(move |k| bits >> k & 1 == 1)
}

/// As [`among`], faster when few bits are set.
#[inline(always)]
pub(crate) fn ones(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let k = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (k < 8).then_some(k)
    })
}
