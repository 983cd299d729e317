//! History buffers of past controls and sensor values, for actuators and sensors with a delay.
//!
//! A buffer of `n` samples of `dim` values is `[user, cursor, times (n), values (n × dim)]` within
//! `history`. Times increase around the ring; the cursor is the slot of the newest sample. `user` holds the last time
//! an interval sensor was computed.

use super::State;
use crate::model::Model;
use sinew_math::MINVAL;
use std::ops::Range;

/// Number of values before the times in a buffer.
const HEAD: usize = 2;

/// Interpolation between two samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interp {
    /// Zero-order hold: the older sample.
    Hold,
    /// Linear.
    Linear,
    /// Cubic Hermite with finite-difference slopes, zero at the ends.
    Cubic,
}

impl From<i32> for Interp {
    fn from(order: i32) -> Self {
        match order {
            0 => Interp::Hold,
            1 => Interp::Linear,
            _ => Interp::Cubic,
        }
    }
}

/// A stored sample, or the interval before one.
enum Place {
    At(usize),
    Before(usize),
}

/// Address and dimensions of a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Address within `history`.
    pub adr: usize,
    /// Number of samples.
    pub n: usize,
    /// Values per sample.
    pub dim: usize,
}

impl Layout {
    /// Buffer of an actuator's control; `None` if it has no history.
    pub fn of_actuator(m: &Model, i: usize) -> Option<Self> {
        let n = m.actuator_history[i][0];
        (n > 0).then(|| Layout { adr: m.actuator_historyadr[i] as usize, n: n as usize, dim: 1 })
    }

    /// Buffer of a sensor; `None` if it has no history.
    pub fn of_sensor(m: &Model, i: usize) -> Option<Self> {
        let n = m.sensor_history[i][0];
        let dim = m.sensor_dim[i] as usize;
        (n > 0).then(|| Layout { adr: m.sensor_historyadr[i] as usize, n: n as usize, dim })
    }

    fn times(&self) -> Range<usize> {
        let start = self.adr + HEAD;
        start..start + self.n
    }

    /// Range of the values in slot `slot`.
    fn slot(&self, slot: usize) -> Range<usize> {
        let start = self.adr + HEAD + self.n + slot * self.dim;
        start..start + self.dim
    }

    /// Slot of the `k`-th oldest sample.
    fn ring(&self, history: &[f64], k: usize) -> usize {
        (history[self.adr + 1] as usize + 1 + k) % self.n
    }

    fn time(&self, history: &[f64], k: usize) -> f64 {
        history[self.times()][self.ring(history, k)]
    }

    /// Number of samples older than `t`.
    fn older(&self, history: &[f64], t: f64) -> usize {
        if t <= self.time(history, 0) {
            return 0;
        }
        if t > self.time(history, self.n - 1) {
            return self.n;
        }
        let (mut low, mut high) = (0, self.n - 1);
        while high - low > 1 {
            let mid = (low + high) / 2;
            if self.time(history, mid) < t {
                low = mid;
            } else {
                high = mid;
            }
        }
        high
    }

    /// Last time an interval sensor was computed.
    pub fn last_tick(&self, history: &[f64]) -> f64 {
        history[self.adr]
    }

    /// Sets the last time an interval sensor was computed.
    pub fn set_last_tick(&self, history: &mut [f64], time: f64) {
        history[self.adr] = time;
    }

    /// Inserts a sample at time `t`, dropping the oldest, and returns its values to be written; a sample with the same
    /// time is overwritten.
    #[doc(alias = "mju_historyInsert")]
    pub fn insert<'a>(&self, history: &'a mut [f64], t: f64) -> &'a mut [f64] {
        let i = self.older(history, t);
        let slot = if i < self.n && (t - self.time(history, i)).abs() < MINVAL {
            let same = self.slot(self.ring(history, i));
            return &mut history[same];
        } else if i == 0 {
            self.ring(history, 0)
        } else if i == self.n {
            let newest = self.ring(history, 0);
            history[self.adr + 1] = newest as f64;
            newest
        } else {
            for k in 0..i - 1 {
                let (to, from) = (self.ring(history, k), self.ring(history, k + 1));
                history[self.times()].copy_within(from..from + 1, to);
                history.copy_within(self.slot(from), self.slot(to).start);
            }
            self.ring(history, i - 1)
        };
        history[self.times()][slot] = t;
        &mut history[self.slot(slot)]
    }

    /// Value at time `t`; the oldest sample before the buffer's times, the newest after them.
    #[doc(alias = "mju_historyRead")]
    pub fn read(&self, history: &[f64], t: f64, interp: Interp, out: &mut [f64]) {
        let value = |k: usize| &history[self.slot(self.ring(history, k))];
        match self.place(history, t, interp) {
            Place::At(k) => out.copy_from_slice(value(k)),
            Place::Before(k) => {
                let [t0, t1] = [k - 1, k].map(|k| self.time(history, k));
                let dt = t1 - t0;
                let a = (t - t0) / dt;
                let (v0, v1) = (value(k - 1), value(k));
                if interp == Interp::Linear {
                    (0..self.dim).for_each(|j| out[j] = v0[j] + a * (v1[j] - v0[j]));
                    return;
                }
                let (a2, a3) = (a * a, a * a * a);
                let basis = [2.0 * a3 - 3.0 * a2 + 1.0, a3 - 2.0 * a2 + a, -2.0 * a3 + 3.0 * a2, a3 - a2];
                for j in 0..self.dim {
                    let slope0 = if k > 1 { (v1[j] - value(k - 2)[j]) / (t1 - self.time(history, k - 2)) } else { 0.0 };
                    let next = (k < self.n - 1).then(|| (value(k + 1)[j], self.time(history, k + 1)));
                    let slope1 = next.map_or(0.0, |(v, t)| (v - v0[j]) / (t - t0));
                    out[j] = basis[0] * v0[j] + basis[1] * dt * slope0 + basis[2] * v1[j] + basis[3] * dt * slope1;
                }
            }
        }
    }

    /// Visits the times and weights of the samples that [`read`](Self::read) combines. Overwrites the buffer's values.
    pub fn weights(&self, history: &mut [f64], t: f64, interp: Interp, mut visit: impl FnMut(f64, f64)) {
        let values = self.times().end..self.times().end + self.n;
        for k in 0..self.n {
            history[values.clone()].fill(0.0);
            history[values.start + self.ring(history, k)] = 1.0;
            let mut weight = [0.0];
            self.read(history, t, interp, &mut weight);
            if weight[0] != 0.0 {
                visit(self.time(history, k), weight[0]);
            }
        }
    }

    /// Sample to copy for time `t`, or the newer of the two to interpolate.
    fn place(&self, history: &[f64], t: f64, interp: Interp) -> Place {
        let newest = self.n - 1;
        if t <= self.time(history, 0) + MINVAL {
            return Place::At(0);
        }
        if t >= self.time(history, newest) - MINVAL {
            return Place::At(newest);
        }
        let k = self.older(history, t);
        if (t - self.time(history, k)).abs() < MINVAL {
            Place::At(k)
        } else if interp == Interp::Hold {
            // `k` is 0 only if times are NaN
            Place::At(k.saturating_sub(1))
        } else {
            Place::Before(k.max(1))
        }
    }

    /// Fills a buffer; `times` must increase and `values` hold one sample per time. `None` keeps the current contents.
    #[doc(alias = "mju_historyInit")]
    pub fn init(&self, history: &mut [f64], times: Option<&[f64]>, values: Option<&[f64]>, user: f64) {
        history[self.adr] = user;
        history[self.adr + 1] = (self.n - 1) as f64;
        if let Some(times) = times {
            history[self.times()].copy_from_slice(times);
        }
        if let Some(values) = values {
            let start = self.times().end;
            history[start..start + self.n * self.dim].copy_from_slice(values);
        }
    }
}

/// Whether times in history buffers increase. Options may change at any time, so this is checked at each step.
pub(crate) fn has_times(m: &Model) -> bool {
    m.nhistory == 0 || m.opt.timestep > 0.0
}

/// Resets all buffers: zero values at times that lead up to the start of the simulation.
pub(super) fn reset(m: &Model, state: &mut State) {
    let dt = m.opt.timestep;
    let history = &mut state.history;
    history.fill(0.0);
    for buffer in (0..m.nu).filter_map(|i| Layout::of_actuator(m, i)) {
        history[buffer.adr + 1] = (buffer.n - 1) as f64;
        fill_times(&mut history[buffer.times()], |left| -(left as f64) * dt);
    }
    for i in 0..m.nsensor {
        let Some(buffer) = Layout::of_sensor(m, i) else { continue };
        let [period, phase] = m.sensor_interval[i];
        let first = if phase == 0.0 { -period } else { phase };
        history[buffer.adr] = if period > 0.0 { first } else { -dt };
        history[buffer.adr + 1] = (buffer.n - 1) as f64;
        let times = &mut history[buffer.times()];
        if period > 0.0 {
            // sampling times of the sensor, rounded up to time steps
            fill_times(times, |left| ((first - (left - 1) as f64 * period) / dt).ceil() * dt);
        } else {
            fill_times(times, |left| -(left as f64) * dt);
        }
    }
}

/// Sets each time from the number of samples from it to the end, itself included.
fn fill_times(times: &mut [f64], time: impl Fn(usize) -> f64) {
    let n = times.len();
    times.iter_mut().enumerate().for_each(|(k, t)| *t = time(n - k));
}

/// The control of an actuator after its delay.
#[doc(alias = "mj_readCtrl")]
pub fn read_ctrl(m: &Model, state: &State, i: usize, time: f64, interp: Interp) -> f64 {
    let Some(buffer) = Layout::of_actuator(m, i) else { return state.ctrl[i] };
    let mut out = [0.0];
    buffer.read(&state.history, time - m.actuator_delay[i], interp, &mut out);
    out[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    const B: Layout = Layout { adr: 1, n: 4, dim: 1 };

    fn filled() -> Vec<f64> {
        let mut h = vec![9.0; 1 + HEAD + 4 + 4];
        B.init(&mut h, Some(&[0.0, 1.0, 2.0, 3.0]), Some(&[0.0, 1.0, 8.0, 27.0]), 0.0);
        h
    }

    fn read(h: &[f64], t: f64, interp: Interp) -> f64 {
        let mut out = [f64::NAN];
        B.read(h, t, interp, &mut out);
        out[0]
    }

    #[test]
    fn reads_between_samples() {
        let h = filled();
        assert_eq!(read(&h, -1.0, Interp::Linear), 0.0);
        assert_eq!(read(&h, 9.0, Interp::Linear), 27.0);
        assert_eq!(read(&h, 2.0, Interp::Cubic), 8.0);
        assert_eq!(read(&h, 1.5, Interp::Hold), 1.0);
        assert_eq!(read(&h, 1.5, Interp::Linear), 4.5);
        // slopes 4 at t = 1 and 13 at t = 2: (1 + 8)/2 + (4 − 13)/8
        assert_eq!(read(&h, 1.5, Interp::Cubic), 3.375);
    }

    #[test]
    fn inserts_at_the_end_in_the_middle_and_in_place() {
        let mut h = filled();
        B.insert(&mut h, 4.0)[0] = 64.0;
        assert_eq!(read(&h, 0.0, Interp::Hold), 1.0, "the oldest is gone");
        assert_eq!(read(&h, 4.0, Interp::Hold), 64.0);
        B.insert(&mut h, 2.5)[0] = 15.0;
        assert_eq!([1.5, 2.0, 2.6, 3.5, 5.0].map(|t| read(&h, t, Interp::Hold)), [8.0, 8.0, 15.0, 27.0, 64.0]);
        B.insert(&mut h, 2.5)[0] = 16.0;
        assert_eq!(read(&h, 2.5, Interp::Hold), 16.0);
        assert_eq!(h[0], 9.0, "nothing outside the buffer is touched");
    }
}
