//! Brushed DC motor with back-EMF and an optional thermal limit of the winding.

use super::{ActuatorInput, ActuatorModel, Slopes};

/// DC motor driven by a voltage.
///
/// *Equation*: `F = K i` with current `i = (u − K l̇)/R`; the control `u` is the voltage, `l̇` the speed of the shaft.
/// With a thermal capacity, the activation `T` is the winding temperature above ambient, `C Ṫ = R i² − T/r`. Near the
/// limit the driver reduces the current by the factor `(limit − T)/margin`, clamped to 0 to 1, with `margin` a tenth of
/// the limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DcMotor {
    /// Torque constant (torque per ampere), equal to the back-EMF constant (volt per unit of speed).
    pub k: f64,
    /// Resistance of the winding.
    pub resistance: f64,
    /// Thermal resistance: temperature rise per watt.
    pub thermal_resistance: f64,
    /// Thermal capacity: heat per degree; 0 for a motor without thermal model.
    pub thermal_capacity: f64,
    /// Temperature at which the current reaches zero.
    pub limit: f64,
}

/// Fraction of the limit over which the current is reduced.
const MARGIN: f64 = 0.1;

impl DcMotor {
    /// A motor without thermal model.
    pub fn new(k: f64, resistance: f64) -> Self {
        DcMotor { k, resistance, thermal_resistance: 0.0, thermal_capacity: 0.0, limit: f64::INFINITY }
    }

    /// Fraction of the current that the driver allows.
    fn share(&self, x: &ActuatorInput<'_>) -> f64 {
        let warm = self.thermal_capacity > 0.0 && self.limit.is_finite();
        match x.act.last() {
            Some(temperature) if warm => ((self.limit - temperature) / (MARGIN * self.limit)).clamp(0.0, 1.0),
            _ => 1.0,
        }
    }

    fn current(&self, x: &ActuatorInput<'_>) -> f64 {
        self.share(x) * (x.ctrl - self.k * x.velocity) / self.resistance
    }
}

impl ActuatorModel for DcMotor {
    fn force(&self, x: &ActuatorInput<'_>) -> f64 {
        self.k * self.current(x)
    }

    fn slopes(&self, x: &ActuatorInput<'_>) -> Slopes {
        let by_voltage = self.share(x) * self.k / self.resistance;
        let share = self.share(x);
        // with a thermal model, the input is the temperature
        let input = match x.act.last() {
            None => by_voltage,
            Some(_) if share > 0.0 && share < 1.0 => -self.force(x) / share / (MARGIN * self.limit),
            Some(_) => 0.0,
        };
        Slopes { length: 0.0, velocity: -by_voltage * self.k, input }
    }

    fn state_size(&self) -> usize {
        usize::from(self.thermal_capacity > 0.0)
    }

    fn act_dot(&self, x: &ActuatorInput<'_>, rates: &mut [f64]) {
        rates.fill(0.0);
        if let (Some(rate), Some(temperature), true) = (rates.last_mut(), x.act.last(), self.thermal_capacity > 0.0) {
            let current = self.current(x);
            *rate =
                (self.resistance * current * current - temperature / self.thermal_resistance) / self.thermal_capacity;
        }
    }
}
