//! Hostile flexes: absurd counts, NaN and infinities, broken files. All must soon give a model or an error, and every
//! model must survive steps.

use sinew_engine::{Data, step};
use sinew_mjcf::{Source, load_str};
use std::time::{Duration, Instant};

fn flexcomp(attributes: &str, inner: &str) -> String {
    format!(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="b" pos="0 0 .1">
        <flexcomp name="f" spacing=".1 .1 .1" {attributes}>{inner}</flexcomp></body></worldbody></mujoco>"#
    )
}

/// Loads the model and, on success, steps it. Returns whether it loaded.
fn survives(xml: &str, source: &Source) -> bool {
    let start = Instant::now();
    let model = load_str(xml, source);
    if let Ok(m) = &model {
        let mut d = Data::new(m);
        (0..5).for_each(|_| step::step(m, &mut d));
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{xml}");
    model.is_ok()
}

#[test]
fn absurd_counts_are_refused() {
    for count in ["2147483647 2147483647 2147483647", "100000 100000 100000", "2147483647 1 1", "1 2147483647 1"] {
        for kind in ["grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle"] {
            for dim in 1..=3 {
                let xml = flexcomp(&format!(r#"type="{kind}" dim="{dim}" count="{count}""#), "");
                assert!(!survives(&xml, &Source::default()), "{kind} {dim} {count}");
            }
        }
    }
}

#[test]
fn small_counts_end() {
    for kind in ["grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle"] {
        for dim in 1..=3 {
            for count in ["1 1 1", "2 1 1", "1 2 1", "1 1 2", "2 2 1", "1 2 2", "2 1 2", "2 2 2", "3 2 2"] {
                survives(&flexcomp(&format!(r#"type="{kind}" dim="{dim}" count="{count}""#), ""), &Source::default());
            }
        }
    }
}

/// One number at a time is NaN, infinite, huge, tiny or negative.
#[test]
fn odd_numbers_survive() {
    let elastic = r#"<elasticity young="Y" poisson="P" damping="D" thickness="T" elastic2d="stretch"/><edge damping="B"/>
      <contact margin="M" gap="G" friction="U" solref="R 1" solimp="S" activelayers="1"/>"#;
    let usual = [
        ("Y", "1e3"),
        ("P", ".2"),
        ("D", ".01"),
        ("T", ".01"),
        ("B", ".1"),
        ("M", "0"),
        ("G", "0"),
        ("U", "1"),
        ("R", ".02"),
        ("S", ".9"),
        ("RADIUS", ".01"),
        ("MASS", "1"),
        ("SCALE", "1"),
    ];
    let mut loaded = 0;
    for (odd, _) in usual {
        for number in ["nan", "inf", "-inf", "1e300", "1e-300", "-1", "0"] {
            for shape in [r#"type="grid" count="3 3 1" dim="2""#, r#"type="grid" count="3 3 3" dim="3""#] {
                let mut xml = flexcomp(&format!(r#"{shape} radius="RADIUS" mass="MASS" scale="SCALE 1 1""#), elastic);
                for (name, value) in usual {
                    let quoted = if name == "R" { format!(r#""{name} "#) } else { format!(r#""{name}""#) };
                    let quoted = if name == "SCALE" { r#""SCALE "#.to_string() } else { quoted };
                    let value = if name == odd { number } else { value };
                    xml = xml.replace(&quoted, &quoted.replace(name, value));
                }
                loaded += usize::from(survives(&xml, &Source::default()));
            }
        }
    }
    assert!(loaded > 50, "{loaded}");
}

#[test]
fn odd_points_survive() {
    for point in ["nan 0 0 1 0 0 0 1 0", "inf 0 0 1 0 0 0 1 0", "1e300 0 0 -1e300 0 0 0 1e300 0", "0 0 0 0 0 0 0 0 0"] {
        for inner in ["", r#"<elasticity young="1e3" thickness=".01" elastic2d="both"/>"#, r#"<edge equality="vert"/>"#]
        {
            let shape = format!(r#"type="direct" dim="2" point="{point}" element="0 1 2""#);
            survives(&flexcomp(&shape, inner), &Source::default());
        }
    }
    let flat = r#"type="direct" dim="3" point="0 0 0 1 0 0 0 1 0 1 1 0" element="0 1 2 3""#;
    survives(&flexcomp(flat, r#"<elasticity young="1e3"/>"#), &Source::default());
    survives(&flexcomp(flat, r#"<contact internal="true"/>"#), &Source::default());
}

/// A tetrahedron in every format: version, and text or binary.
fn files() -> Vec<Vec<u8>> {
    let text41 = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n\
        $EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n";
    let text22 = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n\
        $Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n";
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0f64]];
    let coordinates = |p: &[f64; 3]| p.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let ints = |list: &[i32]| list.iter().flat_map(|i| i.to_le_bytes()).collect::<Vec<u8>>();
    let longs = |list: &[u64]| list.iter().flat_map(|i| i.to_le_bytes()).collect::<Vec<u8>>();
    let head = |version: &str| {
        [format!("$MeshFormat\n{version} 1 8\n").into_bytes(), ints(&[1]), b"\n$EndMeshFormat\n".to_vec()].concat()
    };

    let mut binary41 = head("4.1");
    binary41.extend(b"$Nodes\n");
    binary41.extend([longs(&[1, 4, 1, 4]), ints(&[3, 1, 0]), longs(&[4, 1, 2, 3, 4])].concat());
    points.iter().for_each(|p| binary41.extend(coordinates(p)));
    binary41.extend(b"\n$EndNodes\n$Elements\n");
    binary41.extend([longs(&[1, 1, 1, 1]), ints(&[3, 1, 4]), longs(&[1, 1, 1, 2, 3, 4])].concat());
    binary41.extend(b"\n$EndElements\n");

    let mut binary22 = head("2.2");
    binary22.extend(b"$Nodes\n4\n");
    points.iter().zip(1..).for_each(|(p, i)| binary22.extend([ints(&[i]), coordinates(p)].concat()));
    binary22.extend(b"\n$EndNodes\n$Elements\n1\n");
    binary22.extend(ints(&[4, 1, 0, 1, 1, 2, 3, 4]));
    binary22.extend(b"\n$EndElements\n");
    vec![text41.into(), text22.into(), binary41, binary22]
}

fn loads(file: &[u8]) -> bool {
    let files = Source::with_files([("a.msh".to_string(), file.to_vec())]);
    survives(&flexcomp(r#"type="gmsh" dim="3" file="a.msh""#, ""), &files)
}

#[test]
fn gmsh_files_end_anywhere() {
    for (k, file) in files().iter().enumerate() {
        assert!(loads(file), "file {k} is whole");
        let end = file.windows(12).position(|w| w == b"$EndElements").expect("it has an end");
        for length in 0..end + 12 {
            assert!(!loads(&file[..length]), "file {k} of {length} bytes");
        }
    }
}

#[test]
fn gmsh_files_with_wrong_bytes_end() {
    let mut seed = 1u64;
    let mut next = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    for file in files() {
        for _ in 0..1500 {
            let mut bad = file.clone();
            for _ in 0..=next(3) {
                let at = next(bad.len());
                bad[at] = [next(256) as u8, 0xff, b'9', b'-', 0x7f][next(5)];
            }
            loads(&bad);
        }
    }
}

#[test]
fn names_may_be_absurd() {
    let bodies = r#"<mujoco><worldbody><body name="b"><geom size=".1"/></body></worldbody><deformable><flex name="f" dim="1"
        body="BODY" element="0 1" vertex="0 0 0 1 0 0"/></deformable></mujoco>"#;
    for body in ["b", "world", "b b", "world b", "b world"] {
        assert!(survives(&bodies.replace("BODY", body), &Source::default()), "{body}");
    }
    for body in ["f", "b b b", "B", "b\u{0}", &"b ".repeat(100_000)] {
        assert!(!survives(&bodies.replace("BODY", body), &Source::default()));
    }
}
