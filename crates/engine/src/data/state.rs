//! Saving and restoring the state as one vector, in MuJoCo's order.
