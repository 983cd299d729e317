//! Texts that make a flex position-based: which are accepted, and the errors for the others.

use sinew_engine::Model;
use sinew_mjcf::{Error, Source, load_str};

/// Sheets and ropes with a text about one of them.
fn flex(dim: usize, dof: &str, data: &str) -> Result<Model, Error> {
    let count = ["3 1 1", "3 3 1", "2 2 2"][dim - 1];
    let xml = format!(
        "<mujoco><worldbody>\n<flexcomp name='f' type='grid' dim='{dim}' count='{count}' spacing='.1 .1 .1' radius='.01' mass='1' dof='{dof}'/>\n\
         </worldbody><custom>\n<text name='sinew:deformable:f' data='{data}'/></custom></mujoco>"
    );
    load_str(&xml, &Source::default())
}

#[test]
fn deformables_are_read() {
    let m = flex(2, "full", "silk substeps=4 young=1e7 damping=.5").expect("it compiles");
    let [d] = m.extension().deformables[..] else { panic!("one is asked for") };
    assert_eq!((d.flex, d.substeps, d.iterations, d.detections, d.damping), (0, 4, 1, 1, 0.5));
    assert_eq!((d.substance.young, d.substance.friction, d.substance.thickness), (1e7, 0.3, 0.15e-3));
    let back = Model::from_bytes(&m.to_bytes()).expect("it was saved");
    assert_eq!(back.extension(), m.extension());
    for (dim, names) in [(1, "rope steel_cable hair chain"), (2, "cotton silk leather rubber paper membrane")] {
        names.split(' ').for_each(|name| assert!(flex(dim, "full", name).is_ok(), "{name}"));
    }
    "rubber gelatin tissue muscle foam stiff"
        .split(' ')
        .for_each(|name| assert!(flex(3, "full", name).is_ok(), "{name}"));
}

#[test]
fn deformables_that_make_no_sense_are_refused() {
    for (dim, dof, data, words) in [
        (2, "full", " ", "known are cotton, silk"),
        (2, "full", "coton", "did you mean 'cotton'?"),
        (1, "full", "cotton", "known are rope, steel_cable, hair, chain"),
        (2, "full", "cotton substeps=0", "use a whole number from 1"),
        (2, "full", "cotton substeps=1e9", "use a whole number from 1"),
        (2, "full", "cotton detections=5", "use a whole number from 1 to 4"),
        (2, "full", "cotton young=-1", "young = -1 is not positive"),
        (2, "full", "cotton poisson=.6", "use a number from 0 to 0.5"),
        (2, "full", "cotton damping=inf", "is not finite"),
        (2, "full", "cotton density=3", "unknown setting 'density'"),
        (3, "full", "foam friction=nan", "is not a number"),
        (3, "trilinear", "foam", "interpolated flex"),
    ] {
        let error = flex(dim, dof, data).expect_err(data).to_string();
        assert!(error.contains(words) && (error.contains("<string>:4:") || dof == "trilinear"), "{data}: {error}");
    }
}

#[test]
fn positions_and_laws_of_forces_do_not_mix() {
    let text = |name: &str, data: &str| format!("<text name='sinew:{name}:f' data='{data}'/>");
    let (own, law) = (text("deformable", "foam"), text("elasticity", "neo_hookean 1e4 .3"));
    for texts in [format!("{own}{law}"), format!("{law}{own}")] {
        let xml = format!(
            "<mujoco><worldbody><flexcomp name='f' type='grid' dim='3' count='2 2 2' spacing='.1 .1 .1' radius='.01' mass='1'/>\
             </worldbody><custom>{texts}</custom></mujoco>"
        );
        let error = load_str(&xml, &Source::default()).expect_err("two ways to move").to_string();
        assert!(error.contains("leave out sinew:deformable"), "{error}");
    }
}

#[test]
fn any_words_are_read_or_refused_with_advice() {
    let names: Vec<&str> =
        "substeps iterations detections damping young poisson friction thickness bending loss distance fluff"
            .split(' ')
            .collect();
    let values =
        "0 1 2 3 -1 .5 .3 nan inf -inf 1e308 1e-308 1e300 1e-9 x = 1=2 4294967296 é".split(' ').collect::<Vec<_>>();
    let materials = "rope chain cotton paper rubber foam stiff cott0n".split(' ').collect::<Vec<_>>();
    let mut seed = 1u64;
    let mut below = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let mut read = 0;
    for round in 0..3000 {
        let mut words = vec![materials[below(materials.len())].to_string()];
        for _ in 0..below(4) {
            let value = values[below(values.len())];
            words.push(if below(5) == 0 { value.into() } else { format!("{}={value}", names[below(names.len())]) });
        }
        let (dim, data) = (1 + below(3), words.join(" "));
        match flex(dim, "full", &data) {
            Ok(m) => {
                read += 1;
                // values may be absurd; steps must survive them
                if round % 8 == 0 && m.extension().deformables[0].substeps < 10 {
                    let mut d = sinew_engine::Data::new(&m);
                    (0..3).for_each(|_| sinew_engine::step::step(&m, &mut d));
                }
            }
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("<string>:4:1") && text.contains(';'), "{data}: {text}");
            }
        }
    }
    assert!((200..2800).contains(&read), "{read} of 3000 were read");
}
