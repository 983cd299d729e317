//! The kernels as one text.

/// Every file of `kernels/`, by the name with which others include it.
const FILES: &[(&str, &str)] = &[
    ("lanes.h", include_str!("../kernels/lanes.h")),
    ("fibres.h", include_str!("../kernels/fibres.h")),
    ("team.h", include_str!("../kernels/team.h")),
    ("vector.h", include_str!("../kernels/vector.h")),
    ("world.h", include_str!("../kernels/world.h")),
    ("kinematics.h", include_str!("../kernels/kinematics.h")),
    ("inertia.h", include_str!("../kernels/inertia.h")),
    ("fluid.h", include_str!("../kernels/fluid.h")),
    ("drag.h", include_str!("../kernels/drag.h")),
    ("velocity.h", include_str!("../kernels/velocity.h")),
    ("coriolis.h", include_str!("../kernels/coriolis.h")),
    ("passive.h", include_str!("../kernels/passive.h")),
    ("wrap.h", include_str!("../kernels/wrap.h")),
    ("cable.h", include_str!("../kernels/cable.h")),
    ("path.h", include_str!("../kernels/path.h")),
    ("strand.h", include_str!("../kernels/strand.h")),
    ("rotor.h", include_str!("../kernels/rotor.h")),
    ("muscle.h", include_str!("../kernels/muscle.h")),
    ("actuation.h", include_str!("../kernels/actuation.h")),
    ("collide.h", include_str!("../kernels/collide.h")),
    ("collide/touch.h", include_str!("../kernels/collide/touch.h")),
    ("collide/plane.h", include_str!("../kernels/collide/plane.h")),
    ("collide/round.h", include_str!("../kernels/collide/round.h")),
    ("collide/mesh.h", include_str!("../kernels/collide/mesh.h")),
    ("collide/dig.h", include_str!("../kernels/collide/dig.h")),
    ("collide/solid.h", include_str!("../kernels/collide/solid.h")),
    ("collide/simplex.h", include_str!("../kernels/collide/simplex.h")),
    ("collide/gjk.h", include_str!("../kernels/collide/gjk.h")),
    ("collide/part.h", include_str!("../kernels/collide/part.h")),
    ("collide/epa.h", include_str!("../kernels/collide/epa.h")),
    ("collide/convex.h", include_str!("../kernels/collide/convex.h")),
    ("collide/box_mesh.h", include_str!("../kernels/collide/box_mesh.h")),
    ("collide/clip.h", include_str!("../kernels/collide/clip.h")),
    ("collide/faces.h", include_str!("../kernels/collide/faces.h")),
    ("collide/several.h", include_str!("../kernels/collide/several.h")),
    ("collide/outward.h", include_str!("../kernels/collide/outward.h")),
    ("collide/portal.h", include_str!("../kernels/collide/portal.h")),
    ("collide/oval.h", include_str!("../kernels/collide/oval.h")),
    ("collide/field.h", include_str!("../kernels/collide/field.h")),
    ("collide/field_round.h", include_str!("../kernels/collide/field_round.h")),
    ("collide/boxes.h", include_str!("../kernels/collide/boxes.h")),
    ("collide/capsule_box.h", include_str!("../kernels/collide/capsule_box.h")),
    ("hold.h", include_str!("../kernels/hold.h")),
    ("tie.h", include_str!("../kernels/tie.h")),
    ("line.h", include_str!("../kernels/line.h")),
    ("constraint.h", include_str!("../kernels/constraint.h")),
    ("adhere.h", include_str!("../kernels/adhere.h")),
    ("cone.h", include_str!("../kernels/cone.h")),
    ("eliminate.h", include_str!("../kernels/eliminate.h")),
    ("solver.h", include_str!("../kernels/solver.h")),
    ("batch.h", include_str!("../kernels/batch.h")),
    ("after.h", include_str!("../kernels/after.h")),
    ("probe.h", include_str!("../kernels/probe.h")),
    ("felt.h", include_str!("../kernels/felt.h")),
    ("output.h", include_str!("../kernels/output.h")),
    ("ray.h", include_str!("../kernels/ray.h")),
    ("camera.h", include_str!("../kernels/camera.h")),
    ("sensor.h", include_str!("../kernels/sensor.h")),
    ("gap.h", include_str!("../kernels/gap.h")),
    ("integrate.h", include_str!("../kernels/integrate.h")),
    ("runge.h", include_str!("../kernels/runge.h")),
    ("start.h", include_str!("../kernels/start.h")),
    ("step.cu", include_str!("../kernels/step.cu")),
    ("emulate.cpp", include_str!("../kernels/emulate.cpp")),
];

/// The file `root` with everything it includes, each file once, and the model's header where `model.h` is asked for.
/// `fibres` says whether to take in what only a CPU needs.
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
