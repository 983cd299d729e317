//! Images are byte-identical for any number of threads.

mod common;

use sinew_render::{Assets, Frame, Quality, render, render_ids};

const XML: &str = "<mujoco>
  <asset>
    <texture name='sky' type='skybox' builtin='gradient' rgb1='.3 .5 .7' rgb2='0 0 .1' width='32' height='192'/>
    <texture name='grid' type='2d' builtin='checker' rgb1='.1 .2 .3' rgb2='.2 .3 .4' width='64' height='64'/>
    <material name='floor' texture='grid' texrepeat='3 3' reflectance='.3'/>
  </asset>
  <worldbody>
    <camera pos='0 -4 2' xyaxes='1 0 0 0 .45 .9'/>
    <light pos='1 -1 4' dir='-.2 .2 -1'/>
    <geom type='plane' size='0 0 .1' material='floor'/>
    <geom size='.4' pos='-.6 0 .5' rgba='.8 .2 .2 1'/>
    <geom type='box' size='.3 .3 .3' pos='.5 .2 .4' euler='20 30 0' rgba='.2 .8 .2 .6'/>
    <geom type='capsule' size='.15 .4' pos='0 -.6 .6' euler='0 70 0'/>
    <site type='cylinder' size='.2 .1' pos='.2 -.9 .2' rgba='.2 .2 .9 .4'/>
  </worldbody>
</mujoco>";

#[test]
fn bytes_do_not_depend_on_threads() {
    let (m, scene) = common::scene(XML);
    let draw = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let (assets, mut colours, mut ids) = (Assets::new(&m), Frame::new(203, 149), Frame::new(203, 149));
            render(&assets, &scene, Quality::Normal, &mut colours).expect("a picture");
            render_ids(&assets, &scene, &mut ids).expect("a picture");
            (colours, ids)
        })
    };
    let one = draw(1);
    assert!(one.0.rgb.iter().any(|b| *b != one.0.rgb[0]), "a picture of something");
    assert!(one == draw(2), "two threads");
    assert!(one == draw(8), "eight threads");
}
