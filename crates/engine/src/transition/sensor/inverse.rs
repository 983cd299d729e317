//! Sensors of inverse dynamics, where accelerations are inputs like positions and velocities.

use super::{Known, S, bodies, gradient, is_cut, is_delayed, sensor_is_closed};
use crate::model::Model;
use crate::model::enums::Stage;
use crate::step;
use crate::transition::inverse::At;
use crate::transition::report::{Term, Terms};
use crate::transition::tie::By;
use crate::transition::{InverseDerivatives, TransitionWork};
use sinew_math::factor::dot;

/// Fills the derivatives of sensors that have closed forms, and lists the others for differencing. Actuator force
/// sensors are included only with `actuation`, since inverse dynamics alone does not compute these forces. Returns the
/// differenced terms.
pub(in crate::transition) fn inverse(
    m: &Model,
    at: At,
    actuation: bool,
    work: &mut TransitionWork,
    out: &mut InverseDerivatives,
) -> Terms {
    let mut terms = Terms::default();
    let data = &mut work.inner.data;
    step::sensor_pos(m, data, &mut ());
    step::sensor_vel(m, data, &mut ());
    step::sensor_acc(m, data, &mut ());
    let tied = !at.ground.rest.has(Term::Constraint);
    // with implicit springs, sensors and constraints see different accelerations
    let constrained = (!at.springs).then_some(at.ground.constrained);
    bodies(m, work, tied && !at.springs);
    let known = Known { constrained, tied };
    for i in 0..m.nsensor {
        let of_actuators = matches!(m.sensor_type(i), S::Actuatorfrc | S::Jointactfrc | S::Tendonactfrc);
        if is_delayed(m, &work.inner.data.state, i) || of_actuators && !actuation {
            continue;
        }
        if !sensor_is_closed(m, i, known) {
            work.sensor.differenced.push(i);
            continue;
        }
        let TransitionWork { inner, sensor, .. } = work;
        sensor.gradient.clear(m, m.sensor_range(i).len());
        if gradient(m, i, inner, sensor, known) {
            terms.insert(Term::Wrapping);
        }
        work.store_given(m, i, at.shifts, out);
    }
    terms
}

impl TransitionWork {
    /// Stores the rows of sensor `i` from its gradient.
    fn store_given(&self, m: &Model, i: usize, shifts: bool, out: &mut InverseDerivatives) {
        let moves = shifts && m.sensor_needstage(i) == Stage::Acc;
        for (r, at) in m.sensor_range(i).enumerate() {
            if is_cut(m, i, self.inner.data.sensor.sensordata[at]) {
                continue;
            }
            let by_acc = self.sensor.gradient.row(By::Acceleration, r);
            for (kind, by) in [By::Position, By::Velocity, By::Acceleration].into_iter().enumerate() {
                let own = self.sensor.gradient.row(by, r);
                let column = out.sensor[kind].iter_mut().skip(at).step_by(m.nsensordata);
                for (j, to) in column.enumerate() {
                    *to = if moves && kind == 2 { 0.0 } else { own[j] };
                    if moves {
                        let (sign, accelerations) = self.caused(m, kind, j);
                        *to += sign * dot(by_acc, accelerations);
                    }
                }
            }
        }
    }
}
