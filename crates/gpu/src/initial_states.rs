//! States of the model that worlds are reset to.

use sinew_engine::Model;
use sinew_engine::data::Data;

/// Numbers per row: positions, velocities, activations, time, controls, mocap poses.
pub fn width(m: &Model) -> usize {
    m.nq + m.nv + m.na + 1 + m.nu + 7 * m.nmocap
}

/// One row for the initial state, and one per keyframe.
pub fn initial_states(m: &Model) -> Vec<f32> {
    let mut d = Data::new(m);
    let mut rows = Vec::with_capacity(width(m) * (1 + m.nkey));
    for key in std::iter::once(None).chain((0..m.nkey).map(Some)) {
        if let Some(key) = key {
            let _ = d.reset_keyframe(m, key); // it exists
        }
        let s = &d.state;
        let lists = [&s.qpos[..], &s.qvel, &s.act, &[s.time], &s.ctrl];
        rows.extend(lists.into_iter().flatten().map(|x| *x as f32));
        rows.extend(mocap_poses(&d));
    }
    rows
}

/// Mocap poses in the kernels' layout.
pub fn mocap_poses(d: &Data) -> Vec<f32> {
    let poses = d.state.mocap_pos.iter().zip(d.state.mocap_quat.iter());
    poses.flat_map(|(p, q)| p.iter().chain(q).map(|x| *x as f32)).collect()
}
