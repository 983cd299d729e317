//! The kernels as one source text.

/// Every file of `kernels/`, by the name in `#include`.
const FILES: &[(&str, &str)] = &[
    ("lanes.h", include_str!("../kernels/lanes.h")),
    ("fibres.h", include_str!("../kernels/fibres.h")),
    ("team.h", include_str!("../kernels/team.h")),
    ("vector.h", include_str!("../kernels/vector.h")),
    ("world.h", include_str!("../kernels/world.h")),
    ("kinematics.h", include_str!("../kernels/kinematics.h")),
    ("inertia.h", include_str!("../kernels/inertia.h")),
    ("fluid.h", include_str!("../kernels/fluid.h")),
    ("fluid_derivative.h", include_str!("../kernels/fluid_derivative.h")),
    ("velocity.h", include_str!("../kernels/velocity.h")),
    ("bias_derivative.h", include_str!("../kernels/bias_derivative.h")),
    ("passive.h", include_str!("../kernels/passive.h")),
    ("wrap.h", include_str!("../kernels/wrap.h")),
    ("spatial_tendon.h", include_str!("../kernels/spatial_tendon.h")),
    ("transmission_moving.h", include_str!("../kernels/transmission_moving.h")),
    ("transmission.h", include_str!("../kernels/transmission.h")),
    ("tendon_armature.h", include_str!("../kernels/tendon_armature.h")),
    ("muscle.h", include_str!("../kernels/muscle.h")),
    ("actuation.h", include_str!("../kernels/actuation.h")),
    ("collide.h", include_str!("../kernels/collide.h")),
    ("collide/pair.h", include_str!("../kernels/collide/pair.h")),
    ("collide/plane.h", include_str!("../kernels/collide/plane.h")),
    ("collide/sphere_capsule.h", include_str!("../kernels/collide/sphere_capsule.h")),
    ("collide/plane_mesh.h", include_str!("../kernels/collide/plane_mesh.h")),
    ("collide/ccd.h", include_str!("../kernels/collide/ccd.h")),
    ("collide/support.h", include_str!("../kernels/collide/support.h")),
    ("collide/simplex.h", include_str!("../kernels/collide/simplex.h")),
    ("collide/gjk.h", include_str!("../kernels/collide/gjk.h")),
    ("collide/separating_plane.h", include_str!("../kernels/collide/separating_plane.h")),
    ("collide/epa.h", include_str!("../kernels/collide/epa.h")),
    ("collide/convex.h", include_str!("../kernels/collide/convex.h")),
    ("collide/box_mesh.h", include_str!("../kernels/collide/box_mesh.h")),
    ("collide/clip.h", include_str!("../kernels/collide/clip.h")),
    ("collide/faces.h", include_str!("../kernels/collide/faces.h")),
    ("collide/multicontact.h", include_str!("../kernels/collide/multicontact.h")),
    ("collide/round_normal.h", include_str!("../kernels/collide/round_normal.h")),
    ("collide/mpr.h", include_str!("../kernels/collide/mpr.h")),
    ("collide/ellipsoid.h", include_str!("../kernels/collide/ellipsoid.h")),
    ("collide/hfield.h", include_str!("../kernels/collide/hfield.h")),
    ("collide/hfield_round.h", include_str!("../kernels/collide/hfield_round.h")),
    ("collide/box_box.h", include_str!("../kernels/collide/box_box.h")),
    ("collide/capsule_box.h", include_str!("../kernels/collide/capsule_box.h")),
    ("impedance.h", include_str!("../kernels/impedance.h")),
    ("connect_weld.h", include_str!("../kernels/connect_weld.h")),
    ("scalar_row.h", include_str!("../kernels/scalar_row.h")),
    ("constraint.h", include_str!("../kernels/constraint.h")),
    ("adhesion.h", include_str!("../kernels/adhesion.h")),
    ("constraint_cost.h", include_str!("../kernels/constraint_cost.h")),
    ("linear_solve.h", include_str!("../kernels/linear_solve.h")),
    ("solver.h", include_str!("../kernels/solver.h")),
    ("batch.h", include_str!("../kernels/batch.h")),
    ("rne_post.h", include_str!("../kernels/rne_post.h")),
    ("ray_shape.h", include_str!("../kernels/ray_shape.h")),
    ("contact_sensor.h", include_str!("../kernels/contact_sensor.h")),
    ("output.h", include_str!("../kernels/output.h")),
    ("ray.h", include_str!("../kernels/ray.h")),
    ("camera.h", include_str!("../kernels/camera.h")),
    ("sensor.h", include_str!("../kernels/sensor.h")),
    ("geom_distance.h", include_str!("../kernels/geom_distance.h")),
    ("integrate.h", include_str!("../kernels/integrate.h")),
    ("runge_kutta.h", include_str!("../kernels/runge_kutta.h")),
    ("reset.h", include_str!("../kernels/reset.h")),
    ("step.cu", include_str!("../kernels/step.cu")),
    ("emulate.cpp", include_str!("../kernels/emulate.cpp")),
];

/// The file `root` with everything it includes, each file once. The model's header replaces `model.h`. `fibres` says
/// whether to include what only a CPU needs.
pub fn joined(root: &str, model: &str, fibres: bool) -> String {
    let mut text = String::new();
    append(root, model, fibres, &mut Vec::new(), &mut text);
    text
}

fn append(name: &str, model: &str, fibres: bool, seen: &mut Vec<String>, out: &mut String) {
    let name = name.trim_start_matches("../");
    if seen.iter().any(|s| s == name) || name == "fibres.h" && !fibres {
        return;
    }
    seen.push(name.to_owned());
    if name == "model.h" {
        out.push_str(model);
        return;
    }
    let Some((_, file)) = FILES.iter().find(|(n, _)| *n == name || n.strip_prefix("collide/") == Some(name)) else {
        return;
    };
    for line in file.lines() {
        match line.strip_prefix("#include \"").and_then(|rest| rest.strip_suffix('"')) {
            Some(included) => append(included, model, fibres, seen, out),
            None if line == "#pragma once" => {}
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_taken_in_once() {
        let text = joined("emulate.cpp", "// the model\n", true);
        assert_eq!(text.matches("// the model").count(), 1);
        for (name, file) in FILES {
            let first = file.lines().next().expect("a file says what it is");
            assert_eq!(text.matches(first).count(), 1, "{name}");
        }
        assert!(!text.contains("#include \""), "an include was not found");
    }

    #[test]
    fn a_device_needs_no_fibres() {
        assert!(!joined("step.cu", "", false).contains("ucontext"));
    }
}
