//! Every kind of geom falls on a sheet, and a sheet on every kind of geom, larger and smaller than its triangles; also
//! other deformables.

mod common;

use common::deformable::{model, run};
use sinew_engine::Data;
use sinew_math::vec3;

/// Assets: a brick and a cone of size 1, and a height field with a spike in the middle, scaled.
fn assets(scale: f64) -> String {
    let cone: String = (0..8)
        .map(|k| f64::from(k) * std::f64::consts::FRAC_PI_4)
        .map(|a| format!("{} {} -1 ", a.cos(), a.sin()))
        .collect();
    let spike: String = (0..81).map(|k| if k == 40 { "1 " } else { "0 " }).collect();
    format!(
        r#"<mesh name="brick" scale="{scale} {scale} {scale}" vertex="-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1"/>
        <mesh name="cone" scale="{scale} {scale} {scale}" vertex="{cone} 0 0 1"/>
        <hfield name="spike" nrow="9" ncol="9" size=".2 .2 .3 .1" elevation="{spike}"/>"#
    )
}

/// Movable geoms of half-size `r`.
fn kinds(r: f64) -> Vec<String> {
    vec![
        format!(r#"type="sphere" size="{r}""#),
        format!(r#"type="capsule" size="{} {r}""#, 0.5 * r),
        format!(r#"type="ellipsoid" size="{r} {r} {}""#, 0.7 * r),
        format!(r#"type="cylinder" size="{r} {r}""#),
        format!(r#"type="box" size="{r} {r} {r}" euler="20 30 0""#),
        r#"type="mesh" mesh="brick""#.to_string(),
        r#"type="mesh" mesh="cone" euler="180 0 0""#.to_string(),
    ]
}

/// A sheet named `name`.
fn flex(name: &str, n: usize, spacing: f64, pos: &str, inside: &str) -> String {
    format!(
        r#"<flexcomp name="{name}" type="grid" dim="2" count="{n} {n} 1" spacing="{spacing} {spacing} {spacing}" pos="{pos}" mass=".1" radius=".005">
        <contact selfcollide="none"/>{inside}</flexcomp>"#
    )
}

const STEP: &str = "timestep='.004'";

/// Minimum and maximum height of some vertices.
fn heights(d: &Data, verts: std::ops::Range<usize>) -> [f64; 2] {
    let z = || d.pose.flexvert_xpos[verts.clone()].iter().map(|x| x[2]);
    [z().fold(f64::INFINITY, f64::min), z().fold(f64::NEG_INFINITY, f64::max)]
}

#[test]
fn a_sheet_catches_what_falls_on_it() {
    // smaller than a triangle, about as large, and larger than many
    for (r, n, spacing, mass) in [(0.02, 4, 0.1, 0.01), (0.06, 6, 0.06, 0.1), (0.1, 15, 0.03, 0.3)] {
        let corners = format!(r#"<pin id="0 {} {} {}"/>"#, n - 1, n * (n - 1), n * n - 1);
        for kind in kinds(r) {
            let body =
                format!(r#"<body pos=".01 .013 {}"><freejoint/><geom {kind} mass="{mass}"/></body>"#, 0.5 + 2.5 * r);
            let bodies = format!("{body}{}", flex("s", n, spacing, "0 0 .5", &corners));
            let m = model(STEP, &assets(r), &bodies, &[("s", "leather damping=5")]);
            // before it rolls off; if it fell through, it would be far below by now
            let d = run(&m, 0.5);
            let [lowest, _] = heights(&d, 0..n * n);
            let at = d.pose.xipos[1];
            assert!(at[2] > lowest && at[2] > 0.2, "{kind} of {r}: {at:?} {lowest}");
            let nearest = d.pose.flexvert_xpos.iter().map(|x| vec3::dist(*x, at)).fold(f64::INFINITY, f64::min);
            assert!(nearest < 3.0 * r + spacing, "{kind} of {r} lies on it: {nearest}");
        }
    }
}

#[test]
fn a_sheet_stays_on_what_it_falls_on() {
    // posts much thinner than a triangle hit the middle of one
    let mut posts = vec![
        (r#"type="plane" size="1 1 1""#.to_string(), 0.0),
        (r#"type="hfield" hfield="spike""#.to_string(), 0.3),
        (r#"type="capsule" size=".01 .3" pos="0 0 0""#.to_string(), 0.31),
        (r#"type="cylinder" size=".01 .3""#.to_string(), 0.3),
        (r#"type="box" size=".01 .01 .3""#.to_string(), 0.3),
        (r#"type="ellipsoid" size=".03 .03 .3""#.to_string(), 0.3),
    ];
    posts.extend([("sphere", 0.03), ("mesh", 0.03)].map(|(kind, top)| {
        let shape = if kind == "mesh" { r#"mesh="cone""# } else { r#"size=".03""# };
        (format!(r#"type="{kind}" {shape}"#), top)
    }));
    for (post, top) in posts {
        let at = format!("0 0 {}", top + 0.03);
        let bodies = format!("<geom {post}/>{}", flex("s", 4, 0.1, &at, ""));
        let m = model(STEP, &assets(0.03), &bodies, &[("s", "leather damping=3")]);
        // if a post had pierced it, it would be 1 m lower by now
        let [_, highest] = heights(&run(&m, 0.5), 0..16);
        assert!(highest > top - 0.03, "{post}: {highest} {top}");
    }
}

#[test]
fn deformables_of_any_fineness_hold_each_other() {
    let rope = r#"<flexcomp name="up" type="grid" dim="1" count="9 1 1" spacing=".02 .02 .02" pos="{at}" mass=".02" radius=".005"><contact selfcollide="none"/></flexcomp>"#;
    let cube = r#"<flexcomp name="up" type="grid" dim="3" count="4 4 4" spacing=".02 .02 .02" pos="{at}" mass=".05" radius=".005"><contact selfcollide="none"/></flexcomp>"#;
    let small = flex("up", 5, 0.02, "{at}", "");
    for (upper, material) in [(rope, "rope"), (cube, "foam"), (&small, "cotton")] {
        for (n, spacing) in [(4, 0.1), (15, 0.03)] {
            let corners = format!(r#"<pin id="0 {} {} {}"/>"#, n - 1, n * (n - 1), n * n - 1);
            let bodies = flex("low", n, spacing, "0 0 .5", &corners) + &upper.replace("{at}", ".02 .03 .65");
            let m = model(STEP, "", &bodies, &[("low", "leather damping=5"), ("up", &format!("{material} damping=5"))]);
            let d = run(&m, 1.0);
            let ([low, _], [up, _]) = (heights(&d, 0..n * n), heights(&d, n * n..m.nflexvert));
            assert!(up > low && up < low + 3.0 * spacing + 0.1, "{material} on {n}: {up} {low}");
        }
    }
}
