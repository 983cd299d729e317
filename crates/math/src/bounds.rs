//! Bounding boxes of spheres.

use crate::{Mat3, Vec3};
use wide::f64x4;

/// Bounding box of spheres along the rows of a frame, all three axes at once.
#[derive(Clone, Copy, Debug)]
pub struct SphereBox {
    /// Columns of the frame.
    columns: [f64x4; 3],
    low: f64x4,
    high: f64x4,
}

impl SphereBox {
    /// An empty box.
    #[inline]
    pub fn new(frame: &Mat3) -> Self {
        let columns = std::array::from_fn(|k| f64x4::from([frame[k], frame[3 + k], frame[6 + k], 0.0]));
        SphereBox { columns, low: f64x4::splat(f64::INFINITY), high: f64x4::splat(f64::NEG_INFINITY) }
    }

    /// Includes a sphere with a margin.
    #[inline(always)]
    pub fn add(&mut self, center: Vec3, radius: f64, margin: f64) {
        let [x, y, z] = center.map(f64x4::splat);
        let at = self.columns[0] * x + self.columns[1] * y + self.columns[2] * z;
        let (radius, margin) = (f64x4::splat(radius), f64x4::splat(margin));
        self.low = (at - radius - margin).fast_min(self.low);
        self.high = (at + radius + margin).fast_max(self.high);
    }

    /// Lower and upper corner.
    #[inline]
    pub fn ends(&self) -> [Vec3; 2] {
        [self.low, self.high].map(|end| {
            let [x, y, z, _] = end.to_array();
            [x, y, z]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{mat3, quat};

    #[test]
    fn ends_are_those_of_the_outermost_spheres() {
        let frame = quat::to_mat(quat::normalize([0.9, 0.2, -0.3, 0.1]).0);
        let spheres = [([0.1, 2.0, -0.5], 0.3), ([1.5, -0.4, 0.2], 0.1), ([0.0, 0.0, 0.0], 0.7)];
        let mut around = SphereBox::new(&frame);
        spheres.iter().for_each(|&(center, radius)| around.add(center, radius, 0.05));
        for (side, end) in [-1.0, 1.0].into_iter().zip(around.ends()) {
            for k in 0..3 {
                let reach = spheres.map(|(c, r)| side * mat3::mul_vec(&frame, c)[k] + r + 0.05);
                assert_eq!(side * end[k], reach.into_iter().fold(f64::NEG_INFINITY, f64::max));
            }
        }
    }
}
