//! Calls interrupted between steps by the thread that made them.

use sinew_batch::{BatchError, Outputs, Pool, Values, Worlds};
use sinew_engine::fields::{Fields, Slice};
use sinew_engine::{Data, Model, step};
use sinew_mjcf::{Source, load_str};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ThreadId;

const MODEL: &str = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 .3"><freejoint/><geom type="box" size=".05 .05 .05"/></body>
  <body pos="0 0 .5"><joint name="j" axis="0 1 0"/><geom type="capsule" size=".05 .2" pos="0 0 -.24"/></body>
</worldbody><actuator><motor joint="j"/></actuator></mujoco>"#;

/// More steps than can be completed.
const ENDLESS: usize = 1 << 40;

const CTRL: f64 = 0.1;

thread_local! {
    /// Number of looks until the call is to end, and the thread on which they are made.
    static LOOKS: Cell<usize> = const { Cell::new(0) };
    static CALLER: Cell<Option<ThreadId>> = const { Cell::new(None) };
}

fn look() -> bool {
    assert_eq!(CALLER.get(), Some(std::thread::current().id()), "only the caller looks");
    LOOKS.set(LOOKS.get() - 1);
    LOOKS.get() == 0
}

fn worlds(m: &Model, n: usize, threads: usize) -> Worlds {
    CALLER.set(Some(std::thread::current().id()));
    LOOKS.set(1);
    Worlds::new(m, n, Pool::new(threads).expect("threads start").looking(look)).expect("there is memory")
}

/// Number of steps a world has taken.
fn steps(m: &Model, worlds: &Worlds, i: usize) -> usize {
    (worlds.state(i).expect("a world").time / m.opt.timestep).round() as usize
}

/// Expected simulation after a number of steps.
fn alone(m: &Model, taken: usize) -> Data {
    let mut d = Data::new(m);
    if taken > 0 {
        d.state.ctrl.fill(CTRL);
        (0..taken).for_each(|_| step::step(m, &mut d));
    }
    step::rne_post_constraint(m, &mut d);
    d
}

/// Interrupted worlds equal simulations of the steps they have taken, with all results of the last step, and can
/// continue.
fn interrupted(n: usize, threads: usize, whole: bool, count: usize) {
    let m = load_str(MODEL, &Source::default()).expect("the model compiles");
    let mut all = worlds(&m, n, threads);
    all.set_whole(whole);
    let mut out = Outputs::new(&m, n).expect("there is memory");
    let row = Data::index_of("cfrc_int").expect("a field");
    if !whole {
        all.rne_post_constraint(&m, |_| true).expect("it is a short call");
        all.watch(&m, row).expect("it is a short call");
    }
    let ctrl = vec![CTRL; n * m.nu];
    let done = all.step(&m, &(), count, &ctrl, &mut out);
    assert!(matches!(done, Err(BatchError::Interrupted)) || count < ENDLESS, "{done:?}");
    let taken: Vec<_> = (0..n).map(|i| steps(&m, &all, i)).collect();
    assert!(taken.iter().any(|&t| t > 0) && taken.iter().all(|&t| t <= count), "{taken:?}");
    for (i, &taken) in taken.iter().enumerate() {
        let own = alone(&m, taken);
        assert_eq!(all.state(i).map(|s| &s.qpos), Some(&own.state.qpos), "world {i} of {taken} steps");
        if taken > 0 {
            assert_eq!(out.states[i * (m.nq + m.nv)..][..m.nq], *own.state.qpos, "world {i} of {taken} steps");
        }
        if !whole && taken > 0 {
            let Slice::F64(want) = own.field(row) else { unreachable!("numbers") };
            assert_eq!(all.values(i, row), Some(Values::Kept(want)), "world {i} of {taken} steps");
        }
        let seen = all.get(&m, i).expect("a world");
        assert_eq!((&seen.pose.xpos, &seen.contact), (&own.pose.xpos, &own.contact), "world {i} of {taken} steps");
    }
    LOOKS.set(1);
    all.step(&m, &(), 3, &ctrl, &mut out).expect("it is a short call");
    assert!((0..n).all(|i| steps(&m, &all, i) == taken[i] + 3), "{taken:?}");
}

#[test]
fn on_one_thread() {
    interrupted(3, 1, false, ENDLESS);
    interrupted(3, 1, true, ENDLESS);
}

#[test]
fn on_several_threads() {
    interrupted(5, 3, false, ENDLESS);
    interrupted(5, 3, true, ENDLESS);
    // some worlds still have steps left when the call ends
    (8..16).for_each(|k| interrupted(5, 3, false, 1 << k));
}

#[test]
fn with_several_threads_for_each_world() {
    interrupted(1, 3, false, ENDLESS);
}

#[test]
fn between_worlds_where_a_field_is_read_for_the_first_time() {
    let m = load_str(MODEL, &Source::default()).expect("the model compiles");
    let (n, count) = (400, 200);
    for threads in [1, 2] {
        let mut all = worlds(&m, n, threads);
        let mut out = Outputs::new(&m, n).expect("there is memory");
        let row = Data::index_of("xpos").expect("a field");
        LOOKS.set(usize::MAX);
        all.step(&m, &(), count, &vec![CTRL; n * m.nu], &mut out).expect("nobody ends it");
        LOOKS.set(1);
        // recomputing these steps takes longer than the time between looks
        assert!(matches!(all.watch(&m, row), Err(BatchError::Interrupted)));
        assert_eq!(all.values(0, row), None);
        LOOKS.set(usize::MAX);
        all.watch(&m, row).expect("nobody ends it");
        let own = alone(&m, count);
        let Slice::F64(want) = own.field(row) else { unreachable!("numbers") };
        assert!((0..n).all(|i| all.values(i, row) == Some(Values::Kept(want))));
    }
}

#[test]
fn all_threads_of_a_call_end_and_the_next_goes_on() {
    CALLER.set(Some(std::thread::current().id()));
    LOOKS.set(1);
    let pool = Pool::new(2).expect("threads start").looking(look);
    let (done, begun) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let ended = pool.together(2, |call| {
        begun.fetch_add(1, Ordering::Relaxed);
        while !call.over() {
            std::thread::yield_now();
        }
        done.fetch_add(1, Ordering::Relaxed);
    });
    assert!(matches!(ended, Err(BatchError::Interrupted)));
    assert_eq!(done.into_inner(), begun.into_inner());
    LOOKS.set(1);
    // the next call is not interrupted
    pool.each(vec![1, 2, 3], |_, call| assert!(!call.over())).expect("it is a short call");
}
