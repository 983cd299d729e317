//! `mujoco.sensor.touch_grid`: contact forces on a grid of directions around a site.
//!
//! Contacts of the site's body are binned by their spherical coordinates about the site: azimuth about −y and elevation
//! about x, both zero along −z. The grid covers `±fov`. Each cell sums the forces and torques of its contacts in the
//! site's frame, with the channels normal, first and second tangent (z, x, y) of the force, then of the torque;
//! `nchannel` is the number of channels used. With `gamma` the cells are smaller in the middle: an edge at the fraction
//! `x` of the field is moved to `γ x⁵ + (1 − γ) x`.

use super::{Config, Instance, Plugin, PluginCapabilities, PluginError};
use crate::data::{Contact, Data, Pose, Solution};
use crate::model::Model;
use crate::model::enums::{ObjType, SensorType, Stage};
use crate::support::contact::contact_force;
use sinew_math::{Vec3, mat3, vec3};
use std::f64::consts::PI;

/// The touch grid plugin.
#[derive(Clone, Copy, Debug)]
pub struct Kind;

/// An instance: the sensor and its grid.
#[derive(Clone, Debug)]
pub struct TouchGrid {
    sensor: Option<usize>,
    nchannel: usize,
    /// Edges between columns and between rows. (rad)
    edges: [Vec<f64>; 2],
}

impl Plugin for Kind {
    fn name(&self) -> &str {
        "mujoco.sensor.touch_grid"
    }

    fn attributes(&self) -> Vec<&str> {
        vec!["nchannel", "size", "fov", "gamma"]
    }

    fn capabilities(&self) -> PluginCapabilities {
        PluginCapabilities::SENSOR
    }

    fn needstage(&self) -> Stage {
        Stage::Acc
    }

    fn nsensordata(&self, config: &Config) -> Result<usize, PluginError> {
        let [columns, rows] = size(config)?;
        Ok(nchannel(config)?.saturating_mul(columns).saturating_mul(rows))
    }

    fn bind(&self, m: &Model, instance: usize, config: &Config) -> Result<Box<dyn Instance>, PluginError> {
        let fov = match config.numbers("fov")?[..] {
            [x, y] if 0.0 < x && x <= 180.0 && 0.0 < y && y <= 90.0 => [x, y],
            _ => return Err(PluginError::at("fov", "fov must be two angles in degrees, up to 180 and up to 90")),
        };
        let gamma = config.number("gamma")?.unwrap_or(0.0);
        if !(0.0..=1.0).contains(&gamma) {
            return Err(PluginError::at("gamma", "gamma must be between 0 and 1"));
        }
        let is_mine = |&i: &usize| m.sensor_type(i) == SensorType::Plugin && m.sensor_plugin[i] == instance as i32;
        if (0..m.nsensor).filter(is_mine).any(|i| m.sensor_objtype(i) != ObjType::Site) {
            return Err(PluginError::new("a touch grid must be attached to a site")
                .hint("give objtype=\"site\" and the name of a site as objname"));
        }
        let size = size(config)?;
        let edges = [0, 1].map(|k| edges(size[k], fov[k] * PI / 180.0, gamma));
        Ok(Box::new(TouchGrid { sensor: (0..m.nsensor).find(is_mine), nchannel: nchannel(config)?, edges }))
    }
}

/// Converts a number to a positive count, if it is in range.
fn count(number: f64) -> Option<usize> {
    (1.0..=f64::from(i32::MAX)).contains(&number).then_some(number as usize)
}

/// Columns and rows.
fn size(config: &Config) -> Result<[usize; 2], PluginError> {
    match config.numbers("size")?.iter().map(|&n| count(n)).collect::<Vec<_>>()[..] {
        [Some(columns), Some(rows)] => Ok([columns, rows]),
        _ => Err(PluginError::at("size", "size must be two positive numbers of cells, along azimuth and elevation")),
    }
}

/// Values per cell.
fn nchannel(config: &Config) -> Result<usize, PluginError> {
    match config.number("nchannel")? {
        None | Some(0.0) => Ok(1),
        Some(n) => {
            count(n).filter(|n| *n <= 6).ok_or_else(|| PluginError::at("nchannel", "nchannel must be between 1 and 6"))
        }
    }
}

/// Edges of `n` cells over `±fov`.
fn edges(n: usize, fov: f64, gamma: f64) -> Vec<f64> {
    let step = 2.0 / n as f64;
    let mut x: f64 = -1.0;
    (0..=n)
        .map(|_| {
            let edge = if gamma == 0.0 { x } else { gamma * x.powf(5.0) + (1.0 - gamma) * x };
            x += step;
            edge * fov
        })
        .collect()
}

/// Cell of a value; cells are half-open, with their upper edge included.
fn cell(edges: &[f64], x: f64) -> Option<usize> {
    let above = edges.partition_point(|&edge| edge < x);
    (above < edges.len()).then(|| above.checked_sub(1)).flatten()
}

/// Inputs of a grid.
struct Seen<'a> {
    m: &'a Model,
    pose: &'a Pose,
    solution: &'a Solution,
    site: usize,
}

impl TouchGrid {
    /// Azimuth and elevation of a point in the frame of the site.
    fn direction([x, y, z]: Vec3) -> [f64; 2] {
        [x.atan2(-z), y.atan2((x * x + z * z).sqrt())]
    }

    /// Adds the force and torque of a contact between two bodies to its cell.
    fn add(&self, seen: Seen, contact: &Contact, bodies: [usize; 2], out: &mut [f64]) {
        let Seen { m, pose, solution, site } = seen;
        let mat = &pose.site_xmat[site];
        let seen = mat3::mul_vec_t(mat, vec3::sub(contact.pos, pose.site_xpos[site]));
        let [azimuth, elevation] = Self::direction(seen);
        let (Some(column), Some(row)) = (cell(&self.edges[0], azimuth), cell(&self.edges[1], elevation)) else {
            return;
        };
        // contact forces act from the first body on the second
        let own = m.body_weldid[m.site_bodyid[site] as usize] as usize;
        let sign = if own < bodies[0].max(bodies[1]) { -1.0 } else { 1.0 };
        let [nx, ny, nz, tx, ty, tz] = contact_force(m, contact, solution);
        let local = |v: Vec3| vec3::scale(mat3::mul_vec_t(mat, mat3::mul_vec_t(&contact.frame, v)), sign);
        let (force, torque) = (local([nx, ny, nz]), local([tx, ty, tz]));
        let channels = [force[2], force[0], force[1], torque[2], torque[0], torque[1]];
        let width = self.edges[0].len() - 1;
        let cells = width * (self.edges[1].len() - 1);
        for (k, value) in channels[..self.nchannel].iter().enumerate() {
            out[k * cells + row * width + column] += value;
        }
    }
}

impl Instance for TouchGrid {
    fn sense(&self, m: &Model, d: &mut Data) {
        let Some(sensor) = self.sensor else { return };
        let site = m.sensor_objid[sensor] as usize;
        let weld = |body: i32| m.body_weldid[body as usize];
        let own = weld(weld(m.site_bodyid[site]));
        let Data { pose, solution, contact, sensor: outputs, .. } = d;
        let out = &mut outputs.sensordata[m.sensor_range(sensor)];
        out.fill(0.0);
        for contact in contact.iter() {
            let [Ok(a), Ok(b)] = contact.geom.map(usize::try_from) else { continue };
            let bodies = [m.geom_bodyid[a], m.geom_bodyid[b]];
            if bodies.iter().any(|&body| weld(body) == own) {
                self.add(Seen { m, pose, solution, site }, contact, bodies.map(|b| b as usize), out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_their_upper_edge() {
        let edges = edges(4, 2.0, 0.0);
        assert_eq!(edges, [-2.0, -1.0, 0.0, 1.0, 2.0]);
        assert_eq!(
            [-2.0, -1.5, -1.0, 0.0, 2.0, 2.1].map(|x| cell(&edges, x)),
            [None, Some(0), Some(0), Some(1), Some(3), None]
        );
    }
}
