//! Controls → forces, and the lengths and moments through which they act.

pub mod bias;
pub mod dynamics;
pub mod force;
pub mod gain;
pub mod law;
pub mod transmission;
pub mod work;

pub use dynamics::{act_dot, controls};
pub use force::{actuator_force, clamp_force, joint_force};
pub use law::{Actuators, PerActuator, laws, remember};
pub use transmission::transmission;
pub use work::ActuatorWork;
