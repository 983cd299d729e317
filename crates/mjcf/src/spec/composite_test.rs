use super::*;
use crate::tolerance::{DIFFERENCED, SETTLED};

fn cable(count: i32) -> Composite {
    Composite {
        kind: "cable".into(),
        prefix: "c".into(),
        count: [count, 1, 1],
        curve: [Curve::Line, Curve::Zero, Curve::Cos],
        size: [1.0, 0.3, 2.0],
        initial: "free".into(),
        geom: Geom { kind: GeomType::Box, size: [0.01, 0.02, 0.003], ..Geom::default() },
        ..Composite::default()
    }
}

fn made(cable: Composite) -> Result<Spec> {
    let mut spec = Spec::default();
    cable.make(&mut spec, &[], None)?;
    Ok(spec)
}

fn refused(change: impl FnOnce(&mut Composite)) -> ErrorKind {
    let mut cable = cable(5);
    change(&mut cable);
    made(cable).unwrap_err().kind.clone()
}

#[test]
fn bodies_follow_the_curve() {
    let spec = made(cable(5)).unwrap();
    let mut pose = ([0.0; 3], quat::IDENTITY);
    let mut names = Vec::new();
    let mut body = &spec.world;
    let mut i = 0;
    while let Some(child) = body.bodies.first() {
        body = child;
        pose = (vec3::add(pose.0, quat::rotate(pose.1, body.pos)), mul(pose.1, body.quat));
        let s = f64::from(i) / 4.0;
        assert!(vec3::dist(pose.0, [s, 0.0, 0.3 * (2.0 * PI * s).cos()]) < DIFFERENCED);
        names.push(body.meta.name.as_str());
        i += 1;
    }
    assert_eq!(names, ["cB_first", "cB_1", "cB_2", "cB_last"]);
    assert_eq!(body.sites[0].meta.name, "cS_last");
    let pairs: Vec<_> = spec.excludes.iter().map(|e| [e.bodyname1.as_str(), &e.bodyname2]).collect();
    assert_eq!(pairs, [["cB_first", "cB_1"], ["cB_1", "cB_2"], ["cB_2", "cB_last"]]);
    assert_eq!(spec.world.bodies[0].joints[0].kind, JointType::Free);
    assert_eq!((spec.texts[0].meta.name.as_str(), spec.texts[0].data.as_str()), ("composite_c", "rope_c"));
}

/// Weights at every vertex sum to one at any refinement.
#[test]
fn skin_weights_are_a_partition_of_unity() {
    for subgrid in 0..4 {
        let mut cable = cable(6);
        cable.skin.subgrid = subgrid;
        let spec = made(cable).unwrap();
        let skin = &spec.skins[0];
        let mut sums = vec![0.0f32; skin.vert.len() / 3];
        for bone in &skin.bones {
            bone.vertid.iter().zip(&bone.vertweight).for_each(|(&v, w)| sums[v as usize] += w);
        }
        assert!(sums.iter().all(|s| f64::from(s - 1.0).abs() < SETTLED), "subgrid {subgrid}");
        // a closed surface has 2 V − 4 triangles
        assert_eq!(skin.face.len() / 3, 2 * sums.len() - 4);
    }
}

#[test]
fn what_is_wrong_is_refused() {
    assert!(matches!(refused(|c| c.kind = "grid".into()), ErrorKind::Invalid(m) if m.contains("no longer exists")));
    assert!(matches!(refused(|c| c.kind = "snake".into()), ErrorKind::BadKeyword { .. }));
    assert!(matches!(refused(|c| c.count = [0, 1, 1]), ErrorKind::Invalid(_)));
    assert!(matches!(refused(|c| c.count = [1, 5, 1]), ErrorKind::Invalid(_)));
    assert!(matches!(refused(|c| c.count = [5, 5, 1]), ErrorKind::Invalid(_)));
    assert!(matches!(refused(|c| c.count = [3, 1, 1]), ErrorKind::Invalid(_)));
    assert!(matches!(refused(|c| c.vertex = vec![0.0; 9]), ErrorKind::Invalid(_)));
    assert!(matches!(refused(|c| c.size = [0.0; 3]), ErrorKind::Invalid(_)));
    assert!(matches!(refused(|c| c.geom.kind = GeomType::Sphere), ErrorKind::Invalid(_)));
    assert!(matches!(refused(|c| c.count = [i32::MAX, 1, 1]), ErrorKind::Limit(_)));
    assert!(matches!(refused(|c| c.skin.subgrid = i32::MAX), ErrorKind::Limit(_)));
}
