//! Shapes given by signed distance functions: `mujoco.sdf.bolt`, `bowl`, `gear`, `nut` and `torus`.

pub mod bolt;
pub mod bowl;
pub mod gear;
pub mod nut;
pub mod screw;
pub mod torus;

use super::{Config, Field, Plugin, PluginCapabilities, PluginError};

/// A plugin that provides a shape with a few numeric parameters.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    name: &'static str,
    /// Keys and default values of the parameters.
    numbers: &'static [(&'static str, f64)],
    /// Creates the shape from its parameters, in the order of their keys.
    shape: fn(&[f64]) -> Box<dyn Field>,
}

impl Plugin for Kind {
    fn name(&self) -> &str {
        self.name
    }

    fn attributes(&self) -> Vec<&str> {
        self.numbers.iter().map(|(key, _)| *key).collect()
    }

    fn capabilities(&self) -> PluginCapabilities {
        PluginCapabilities::SDF
    }

    fn field(&self, config: &Config) -> Result<Box<dyn Field>, PluginError> {
        let value = |(key, default): &(&str, f64)| match config.number(key)?.unwrap_or(*default) {
            value if value.is_finite() => Ok(value),
            value => Err(PluginError::at(key, format!("'{key}' is {value}"))),
        };
        let values: Result<Vec<f64>, PluginError> = self.numbers.iter().map(value).collect();
        values.map(|values| (self.shape)(&values))
    }
}

/// Signed distance of the difference `a \ b`.
fn without(a: f64, b: f64) -> f64 {
    a.max(-b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::{Vec3, vec3};

    /// A shape with its default parameters.
    fn usual(kind: Kind) -> Box<dyn Field> {
        kind.field(&Config::default()).unwrap()
    }

    #[test]
    fn distances_have_the_right_sign() {
        let cases: [(Kind, Vec3, Vec3); 5] = [
            (torus::KIND, [0.35, 0.0, 0.0], [0.0, 0.0, 0.0]),
            (bowl::KIND, [0.0, 0.0, -1.0], [0.0, 0.0, 0.0]),
            (bolt::KIND, [0.0, 0.0, -0.8], [0.4, 0.0, -0.8]),
            (nut::KIND, [0.45, 0.0, -0.25], [0.0, 0.0, -0.25]),
            (gear::KIND, [0.0, 1.2, 0.0], [0.0, 0.0, 0.0]),
        ];
        for (kind, inside, outside) in cases {
            let shape = usual(kind);
            assert!(shape.distance(inside) < 0.0, "{}", kind.name);
            assert!(shape.distance(outside) > 0.0, "{}", kind.name);
        }
    }

    #[test]
    fn the_gradient_of_a_torus_is_that_of_its_distance() {
        let torus = usual(torus::KIND);
        let p = [0.31, -0.22, 0.07];
        let exact = torus.gradient(p, torus.distance(p));
        assert!((vec3::norm(exact) - 1.0).abs() < 1e-12);
        for k in 0..3 {
            let h = 1e-6;
            let (mut low, mut high) = (p, p);
            low[k] -= h;
            high[k] += h;
            let slope = (torus.distance(high) - torus.distance(low)) / (2.0 * h);
            assert!((slope - exact[k]).abs() < 1e-8);
        }
    }

    #[test]
    fn infinite_sizes_are_refused() {
        let config = Config::new(vec![("radius1".into(), "inf".into())]);
        assert_eq!(torus::KIND.field(&config).unwrap_err().key.as_deref(), Some("radius1"));
    }
}
