//! Rows that couple two points with three dofs each, such as flex edges; in models with flexes, most rows are of this
//! kind.

/// Entries of a row in two runs of three consecutive dofs.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// First dof of each run.
    first: [u32; 2],
    values: [f64; 6],
}

/// Three consecutive values.
#[inline(always)]
fn three(x: &[f64], first: u32) -> &[f64; 3] {
    x[first as usize..].first_chunk().unwrap_or(&[0.0; 3])
}

impl Link {
    /// A row with these columns, in increasing order; `None` unless they are two runs of three.
    #[inline]
    pub fn new(cols: &[i32], values: &[f64]) -> Option<Self> {
        let (&[a, _, a2, b, _, b2], Ok(values)) = (<&[i32; 6]>::try_from(cols).ok()?, values.try_into()) else {
            return None;
        };
        (a + 2 == a2 && b + 2 == b2).then_some(Link { first: [a as u32, b as u32], values })
    }

    /// Product with a vector, summed in the order of [`sinew_math::sparse::dot`].
    #[inline(always)]
    pub fn dot(&self, x: &[f64]) -> f64 {
        let ([a, b], v) = (self.first.map(|first| three(x, first)), &self.values);
        ((v[0] * a[0] + v[2] * a[2]) + (v[1] * a[1] + v[3] * b[0])) + v[4] * b[1] + v[5] * b[2]
    }

    /// Adds `s` times the row to a vector.
    #[inline(always)]
    pub fn add_to(&self, res: &mut [f64], s: f64) {
        let (to, _) = self.values.as_chunks::<3>();
        for (first, v) in self.first.into_iter().zip(to) {
            if let Some(res) = res[first as usize..].first_chunk_mut::<3>() {
                (0..3).for_each(|k| res[k] += v[k] * s);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::sparse;

    #[test]
    fn links_multiply_like_rows() {
        let (cols, values) = ([1, 2, 3, 6, 7, 8], [0.3, -1.0, 2.0, 0.7, 1e-3, -5.0]);
        let x: [f64; 9] = std::array::from_fn(|k| (k as f64).sin());
        let link = Link::new(&cols, &values).expect("two runs of three");
        assert_eq!(link.dot(&x), sparse::dot(&values, &cols, &x));
        let mut res = x;
        link.add_to(&mut res, 0.5);
        for (&c, v) in cols.iter().zip(values) {
            assert_eq!(res[c as usize], x[c as usize] + v * 0.5);
        }
        assert!(Link::new(&[1, 2, 4, 6, 7, 8], &values).is_none());
        assert!(Link::new(&cols[..3], &values[..3]).is_none());
    }
}
