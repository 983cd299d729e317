//! A step allocates nothing once the simulation exists.

use sinew_engine::model::enums::{ConeType, Integrator, SolverType};
use sinew_engine::{Data, step};
use sinew_mjcf::{Source, load_str};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

#[allow(unsafe_code)] // an allocator cannot be written without
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MODEL: &str = r#"<mujoco>
  <option density="10" viscosity=".1"><flag energy="enable" contact="disable"/></option>
  <worldbody>
    <body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/><site name="s"/>
      <body pos=".3 0 0" gravcomp="1"><joint name="b" type="ball" stiffness="2" damping=".1"/>
        <geom type="ellipsoid" size=".05 .1 .2" pos=".1 0 0" fluidshape="ellipsoid"/><site name="t" pos=".2 0 0"/>
        <body pos=".3 0 0"><joint name="j" axis="0 1 0" range="-60 60"/><geom size=".1" pos=".2 0 0"/></body>
      </body>
    </body>
  </worldbody>
  <tendon><spatial name="ten" stiffness="3" damping="1" armature=".1"><site site="s"/><site site="t"/></spatial></tendon>
  <actuator><muscle tendon="ten" lengthrange=".1 1"/><position joint="j" kp="5" nsample="4" delay=".004"/></actuator>
  <sensor><accelerometer site="t"/><subtreeangmom body="world"/><jointpos joint="j" nsample="5" delay=".006"/>
    <framelinvel objtype="site" objname="t" reftype="site" refname="s"/></sensor>
</mujoco>"#;

#[test]
fn a_step_allocates_nothing() {
    let mut m = load_str(MODEL, &Source::default()).expect("the model compiles");
    use Integrator as I;
    for integrator in [I::Euler, I::Rk4, I::Implicit, I::Implicitfast, I::Implicitspringdamper] {
        m.opt.integrator = integrator as i32;
        let mut d = Data::new(&m);
        d.state.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = (i as f64).sin());
        let before = COUNT.with(Cell::get);
        assert!(before > 0, "the counter counts");
        for _ in 0..20 {
            step::step(&m, &mut d);
        }
        assert_eq!(COUNT.with(Cell::get) - before, 0, "{integrator:?}");
        assert!(d.state.time > 0.0);
    }
}

/// What contacts need grows only while there are more of them than ever before.
#[test]
fn resting_contacts_allocate_nothing() {
    let xml = r#"<mujoco><worldbody><geom type="plane" size="3 3 1"/>
      <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body pos="1 0 .1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#;
    let mut m = load_str(xml, &Source::default()).expect("the model compiles");
    for cone in [ConeType::Pyramidal, ConeType::Elliptic] {
        for solver in [SolverType::Newton, SolverType::Cg, SolverType::Pgs] {
            m.opt.cone = cone as i32;
            m.opt.solver = solver as i32;
            let mut d = Data::new(&m);
            (0..100).for_each(|_| step::step(&m, &mut d));
            let before = COUNT.with(Cell::get);
            (0..50).for_each(|_| step::step(&m, &mut d));
            assert_eq!(COUNT.with(Cell::get) - before, 0, "{cone:?} {solver:?}");
            assert!(d.efc.nefc > 20);
        }
    }
}
