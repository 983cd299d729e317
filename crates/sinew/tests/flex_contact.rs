//! Contacts of flexes do not depend on the broad-phase method.

mod common;

use common::flex::noise;
use sinew_engine::data::Contact;
use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Source, load_str};

/// A cloth, or a solid, that collides with itself, with the given self-collision mode.
fn crumpled(attributes: &str, selfcollide: &str) -> (Model, Data) {
    let xml = format!(
        r#"<mujoco><worldbody><flexcomp name="f" type="grid" spacing=".1 .1 .1" radius=".01" {attributes}>
        <contact selfcollide="{selfcollide}" internal="false"/></flexcomp></worldbody></mujoco>"#
    );
    let m = load_str(&xml, &Source::default()).expect("the model compiles");
    let mut d = Data::new(&m);
    // vertices move by about one edge length
    d.state.qpos.iter_mut().zip(noise(m.nq, 0.15)).for_each(|(q, n)| *q += n);
    step::forward(&m, &mut d);
    (m, d)
}

/// Pairs of elements in contact, in ascending order.
fn touching(contacts: &[Contact]) -> Vec<[i32; 2]> {
    let mut pairs: Vec<[i32; 2]> =
        contacts.iter().map(|c| [c.elem[0].min(c.elem[1]), c.elem[0].max(c.elem[1])]).collect();
    pairs.sort_unstable();
    pairs
}

#[test]
fn sweeps_and_trees_find_what_comparing_all_finds() {
    for attributes in [r#"dim="2" count="9 8 1""#, r#"dim="3" count="4 4 4""#] {
        let all = touching(&crumpled(attributes, "narrow").1.contact);
        assert!(all.len() > 5, "{attributes}: {} contacts", all.len());
        for mode in ["sap", "bvh", "auto"] {
            assert_eq!(touching(&crumpled(attributes, mode).1.contact), all, "{attributes} {mode}");
        }
    }
}

/// When an element starts along the sweep axis, it is tested against those that started earlier, in their order.
/// Elements that start at the same vertex are ordered by index.
#[test]
fn sweeps_meet_elements_as_they_begin() {
    let (m, d) = crumpled(r#"dim="2" count="9 8 1""#, "sap");
    let root = d.pose.bvh_aabb_dyn[m.flex_bvhadr[0] as usize - m.nbvhstatic];
    let axis = (0..3).fold(0, |best, k| if root[3 + k] > root[3 + best] { k } else { best });
    let begin = |e: i32| {
        let aabb = &d.pose.flexelem_aabb[e as usize];
        ((aabb[axis] - aabb[axis + 3]) as f32, e)
    };
    let begins: Vec<[(f32, i32); 2]> = d.contact.iter().map(|c| [begin(c.elem[1]), begin(c.elem[0])]).collect();
    assert!(begins.len() > 5 && begins.iter().all(|[later, earlier]| later >= earlier));
    assert!(begins.is_sorted(), "{begins:?}");
}
