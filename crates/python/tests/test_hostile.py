"""Nothing that a user can put into an array, an option or a pickle crashes or hangs the process."""

import multiprocessing
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import zipfile

import hostile
import numpy as np
import pytest
import samples
import sinew

HERE = pathlib.Path(__file__).parent
# for a longer run: SINEW_FUZZ_SECONDS=3600
SECONDS = float(os.environ.get("SINEW_FUZZ_SECONDS", 40))


def alone(*args, timeout=60, **kw):
    """Runs a separate Python process, whose exit status can be checked."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])}
    env.pop("RUST_BACKTRACE", None)
    return subprocess.run([sys.executable, *map(str, args)], capture_output=True, text=True, timeout=timeout, env=env, **kw)


def said(done):
    return f"status {done.returncode}\n{done.stdout[-1000:]}\n{done.stderr[-2000:]}"


@pytest.fixture
def m():
    return sinew.MjModel.from_xml_string(hostile.MODELS["shapes"])


def test_garbage_in_fields():
    done = alone(HERE / "hostile.py", 1, SECONDS, timeout=SECONDS + 120)
    assert done.returncode == 0, said(done)
    assert "panicked" not in done.stderr, said(done)


@pytest.mark.parametrize(
    "field, index, value",
    [
        ("body_parentid", 1, 99),
        ("body_parentid", 1, 2),
        ("body_bvhnum", 1, 10**6),
        ("bvh_child", 0, 0),
        ("dof_parentid", 3, 3),
        ("dof_Madr", 0, -1),
        ("M_rownnz", 0, 0),
        ("jnt_type", 0, 17),
        ("geom_dataid", 1, 5),
        ("sensor_dim", 0, 10**9),
        ("sensor_objid", 0, -7),
        ("mesh_face", 2, 10**5),
        ("mesh_graph", 0, 10**8),
        ("hfield_ncol", 0, 2**31 - 1),
        ("name_bodyadr", 0, -5),
    ],
)
def test_broken_structure_names_its_place(m, capfd, field, index, value):
    d = sinew.MjData(m)
    array = getattr(m, field).reshape(-1)
    good = array[index]
    array[index] = value
    for work in (lambda: sinew.mj_step(m, d), lambda: sinew.MjData(m), lambda: pickle.dumps(m)):
        with pytest.raises(sinew.FatalError, match=rf"MjModel\.{field}\[{index}\] is {value}"):
            work()
    array[index] = good
    sinew.mj_step(m, d)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("name", list(hostile.MODELS))
def test_what_was_compiled_and_computed_is_in_order(name):
    m = sinew.MjModel.from_xml_string(hostile.MODELS[name])
    d = sinew.MjData(m)
    for _ in range(30):
        pickle.loads(pickle.dumps((m, d)))
        sinew.mj_step(m, d)
        sinew.mj_inverse(m, d)
    for stage in (sinew.mj_fwdPosition, sinew.mj_collision, sinew.mj_makeConstraint, sinew.mj_fwdConstraint):
        stage(m, d)
        pickle.loads(pickle.dumps(d))


def test_arrays_that_nobody_holds_are_not_compared(m):
    d = sinew.MjData(m)
    m.body_parentid[1] = 77
    with pytest.raises(sinew.FatalError, match="body_parentid"):
        sinew.mj_forward(m, d)
    m.body(1).parentid = 0
    held = m.body_parentid
    sinew.mj_forward(m, d)
    held[1] = 78
    with pytest.raises(sinew.FatalError, match="body_parentid"):
        sinew.mj_forward(m, d)


def test_empty_rows_begin_somewhere():
    """Actuator moments before anything was computed."""
    m = sinew.MjModel.from_xml_string("<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator><motor joint='j'/></actuator></mujoco>")
    for start in (-(2**31), -1, 2**31 - 1):
        d = sinew.MjData(m)
        d.moment_rowadr[0] = start
        with pytest.raises(sinew.FatalError, match=rf"MjData\.moment_rowadr\[0\] is {start}"):
            sinew.mj_invVelocity(m, d)


def test_counts(m):
    d = sinew.MjData(m)
    sinew.mj_step(m, d, 100)
    assert d.ncon > 1 and d.nefc
    for name in ("ncon", "nefc", "ne", "nisland"):
        good = getattr(d, name)
        for value in (-1, 10**6, 2**31 - 1):
            setattr(d, name, value)
            with pytest.raises(sinew.FatalError, match=rf"MjData\.{name}\[0\] is {value}"):
                sinew.mj_fwdConstraint(m, d)
        setattr(d, name, good)
    sinew.mj_fwdConstraint(m, d)
    for count in (0, int(d.island_nv[0]) - 1):
        good = d.island_nv[0]
        d.island_nv[0] = count
        with pytest.raises(sinew.FatalError, match=rf"MjData\.island_nv\[0\] is {count}"):
            sinew.mj_fwdConstraint(m, d)
        d.island_nv[0] = good
    for name in ("island_ne", "island_nf"):
        good = int(getattr(d, name)[0])
        for count in (good + 1, -1):
            getattr(d, name)[0] = count
            with pytest.raises(sinew.FatalError, match=rf"MjData\.{name}\[0\] is {count}, expected {good}, the rows"):
                sinew.mj_fwdConstraint(m, d)
        getattr(d, name)[0] = good
    for name in ("iefc_type", "iefc_id"):
        good = getattr(d, name)[-1]
        getattr(d, name)[-1] = good - 1
        with pytest.raises(sinew.FatalError, match=rf"MjData\.{name}\[{d.nefc - 1}\] is {good - 1}, expected what row"):
            sinew.mj_fwdConstraint(m, d)
        getattr(d, name)[-1] = good
    for name, expected in (("iM_rowadr", r"\d+, where the row before ends"), ("iM_rownnz", r"what row \d+ has")):
        good = getattr(d, name)[1]
        getattr(d, name)[1] = good + 1
        with pytest.raises(sinew.FatalError, match=rf"MjData\.{name}\[1\] is {good + 1}, expected {expected}"):
            sinew.mj_fwdConstraint(m, d)
        getattr(d, name)[1] = good
    d.ncon = 1
    sinew.mj_makeConstraint(m, d)
    assert len(d.contact) == 1 and set(d.efc_id) == {0}
    d.nefc = 0
    sinew.mj_fwdConstraint(m, d)
    assert d.efc_type.size == 0 and not d.qfrc_constraint.any()


def test_contacts(m):
    d = sinew.MjData(m)
    sinew.mj_step(m, d, 100)
    d.contact[0].geom[0] = 1000
    with pytest.raises(sinew.FatalError, match=r"MjData\.contact\.geom\[0\] is 1000"):
        sinew.mj_makeConstraint(m, d)
    sinew.mj_resetData(m, d)
    sinew.mj_step(m, d)


def test_contacts_and_their_rows(capfd):
    """Contact dimensions and addresses that do not match their rows, and missing blocks of rows."""
    m = sinew.MjModel.from_xml_string(hostile.MODELS["newton"])
    d = sinew.MjData(m)
    sinew.mj_step(m, d, 5)
    sinew.mj_forward(m, d)
    i = next(i for i in range(d.ncon) if d.contact[i].dim == 6 and d.contact[i].efc_address > 0)
    force = np.zeros(6)
    for field, value in (("dim", 1), ("dim", 3), ("efc_address", 0), ("efc_address", d.nefc - 1)):
        good = getattr(d.contact[i], field)
        setattr(d.contact[i], field, value)
        for work in (lambda: sinew.mj_fwdConstraint(m, d), lambda: sinew.mj_contactForce(m, d, i, force)):
            with pytest.raises(sinew.FatalError, match=rf"MjData\.contact\.{field}\[{i}\] is {value}"):
                work()
        setattr(d.contact[i], field, good)
    sinew.mj_fwdConstraint(m, d)
    for field in ("ne", "nf", "nl"):
        good = getattr(d, field)
        setattr(d, field, good + 1)
        with pytest.raises(sinew.FatalError, match=rf"MjData\.{field}\[0\] is {good + 1}, expected {good}"):
            sinew.mj_step2(m, d)
        setattr(d, field, good)
    # without rows a contact may be changed
    d.nefc = 0
    d.contact[i].dim = 3
    sinew.mj_makeConstraint(m, d)
    sinew.mj_fwdConstraint(m, d)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("condim", [2, 5])
def test_contacts_of_flexes_that_were_looked_at(condim):
    """Contacts of flexes may have dimensions that contacts of geoms cannot; reading them must not crash the
    simulation."""
    m = sinew.MjModel.from_xml_string(f"""<mujoco><worldbody><geom type="plane" size="1 1 1" condim="1"/>
      <flexcomp name="s" type="grid" count="3 3 1" spacing=".1 .1 .1" pos="0 0 .005" dim="2" radius=".01">
      <contact condim="{condim}" selfcollide="none"/></flexcomp></worldbody></mujoco>""")
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    assert d.contact[0].dim == condim
    for stage in (sinew.mj_fwdConstraint, sinew.mj_step):
        stage(m, d)


def test_a_contact_that_is_none_is_not_added(m):
    d = sinew.MjData(m)
    with pytest.raises(sinew.FatalError, match=r"MjContact: contact\.dim\[0\] is 0, expected 1 to 6"):
        sinew.mj_addContact(m, d, sinew.MjContact())
    assert d.ncon == 0


def test_friction_cones_may_change_before_forces_are_read(capfd):
    """An elliptic cone has fewer rows than a pyramid; the option counts when rows are created."""
    xml = """<mujoco><option cone="elliptic" gravity="0 0 -1"/><worldbody><geom type="plane" size="1 1 1"/>
      <body name="b" pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody>
      <actuator><adhesion body="b" ctrlrange="0 1"/></actuator></mujoco>"""
    m = sinew.MjModel.from_xml_string(xml)
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    moment = d.actuator_moment.copy()
    assert d.nefc == 3
    m.opt.cone = sinew.mjtCone.mjCONE_PYRAMIDAL
    sinew.mj_transmission(m, d)
    np.testing.assert_array_equal(d.actuator_moment, moment)
    force = np.ones(6)
    sinew.mj_contactForce(m, d, 0, force)
    assert not force.any() and capfd.readouterr().err == ""


def test_a_callback_that_breaks_the_model(m):
    d = sinew.MjData(m)

    def control(m, d):
        m.dof_parentid[3] = 3

    sinew.set_mjcb_control(control)
    try:
        with pytest.raises(sinew.FatalError, match="dof_parentid"):
            sinew.mj_step(m, d)
    finally:
        sinew.set_mjcb_control(None)
    m.dof_parentid[3] = 2
    sinew.mj_step(m, d)


@pytest.mark.parametrize("when", ["mjcb_control", "mjcb_passive", "mjcb_contactfilter", "mjcb_sensor"])
def test_a_callback_that_raises_leaves_the_data_usable(m, when):
    d = sinew.MjData(m)

    def fail(*args):
        raise KeyError("mine")

    getattr(sinew, "set_" + when)(fail)
    try:
        if when != "mjcb_sensor":
            with pytest.raises(KeyError, match="mine"):
                sinew.mj_step(m, d)
    finally:
        sinew.mj_resetCallbacks()
    sinew.mj_step(m, d, 50)
    assert np.isfinite(d.qpos).all()


def test_altered_pickles(m):
    rng = np.random.default_rng(0)
    d = sinew.MjData(m)
    sinew.mj_step(m, d, 50)
    for good, load in ((m._to_bytes(), sinew.MjModel._from_bytes), (d._to_bytes(), sinew.MjData(m).__setstate__)):
        for _ in range(300):
            bad = bytearray(good)
            how = rng.integers(4)
            if how == 0:
                bad[rng.integers(len(bad))] ^= 1 << int(rng.integers(8))
            elif how == 1:
                del bad[rng.integers(len(bad)) :]
            elif how == 2:
                start = rng.integers(len(bad))
                bad[start : start + 8] = rng.bytes(8)
            else:
                bad += rng.bytes(5)
            with pytest.raises(ValueError):
                load(bytes(bad))


def test_forged_pickles():
    """Alterations with a correct checksum."""
    done = alone(HERE / "hostile_bytes.py", 2, min(SECONDS, 20), timeout=SECONDS + 120)
    assert done.returncode == 0, said(done)
    assert "panicked" not in done.stderr, said(done)


LIMITED = """
import resource, sys, sinew
m = sinew.MjModel.from_xml_string({xml!r})
now = 4096 * int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (now + (600 << 20),) * 2)
for work in {works}:
    try:
        work()
    except MemoryError as e:
        print(e)
    else:
        sys.exit("no error")
"""


def test_too_little_memory():
    works = "(lambda: sinew.BatchSim(m, 10**9), lambda: sinew.BatchSim(m, 10**18), lambda: sinew.BatchSim(m, 2 * 10**6))"
    done = alone("-c", LIMITED.format(xml=samples.RICH, works=works))
    assert done.returncode == 0, said(done)
    assert done.stdout.count("worlds need") == 3
    big = '<mujoco><size nuserdata="50000000"/></mujoco>'
    done = alone("-c", LIMITED.format(xml=big, works="(lambda: [sinew.MjData(m), sinew.MjData(m)],)"))
    assert done.returncode == 0, said(done)
    assert "bytes of memory are needed" in done.stdout


def test_too_many_threads(m):
    with pytest.raises(ValueError, match="too many"):
        sinew.BatchSim(m, 1, 10**9)


FORK = """
import os, numpy as np, sinew, sinew.rollout
m = sinew.MjModel.from_xml_string({xml!r})
sim = sinew.BatchSim(m, 16, 2)
datas = [sinew.MjData(m) for _ in range(2)]
pool = sinew.rollout.Rollout(nthread=2)
state = np.zeros((4, sinew.mj_stateSize(m, sinew.mjtState.mjSTATE_FULLPHYSICS)))
state[:, 1:1 + m.nq] = m.qpos0
def work():
    sim.step()
    pool.rollout([m] * 4, datas, state, nstep=3)
    return sim.qpos.copy()
work()
child = os.fork()
if child == 0:
    work()
    sinew.BatchSim(m, 4, 2).step()
    del sim, pool
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
work()
"""


def test_threads_after_fork():
    done = alone("-c", FORK.format(xml=samples.RICH), timeout=60)
    assert done.returncode == 0, said(done)


@pytest.mark.parametrize("kilobytes", [64, 256])
def test_small_stacks(kilobytes):
    """Deep trees do not need a deep stack."""
    chain = '<body pos="0 0 -.1"><joint axis="0 1 0"/><geom size=".02" mass="1"/>' * 60 + "</body>" * 60
    m = sinew.MjModel.from_xml_string(f"<mujoco><worldbody>{chain}</worldbody></mujoco>")
    failed = []

    def work():
        try:
            d = sinew.MjData(m)
            sinew.mj_step(m, d, 10)
            sinew.mj_inverse(m, d)
        except BaseException as e:
            failed.append(e)

    before = threading.stack_size(kilobytes * 1024)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert not failed


def test_one_data_in_many_threads(m):
    """While a call has released the GIL, another on the same data is an error."""
    d = sinew.MjData(m)
    errors = []

    def work():
        for _ in range(50):
            try:
                sinew.mj_step(m, d, 5)
            except RuntimeError as e:
                errors.append(str(e))

    threads = [threading.Thread(target=work) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert all("in use by another thread" in e for e in errors)
    sinew.mj_step(m, d)


def test_recompiling_with_another_models_data(m):
    """A simulation of another specification is refused, and the specification is unchanged."""
    spec = sinew.MjSpec.from_string(samples.RICH)
    own = spec.compile()
    d = sinew.MjData(own)
    sinew.mj_step(own, d, 3)
    for _ in range(2):
        with pytest.raises(ValueError, match="not of the model that the specification was last compiled to: nq is"):
            spec.recompile(m, sinew.MjData(m))
    spec.worldbody.add_body(name="one more")
    assert spec.recompile(own, d)[1].time == d.time


def test_archives(tmp_path, monkeypatch):
    """Damaged archives, archives that unpack to far more than their size, and numbers that would be file
    descriptors."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as files:
        files.writestr("a.xml", "<mujoco/>" + " " * (1 << 22))
    assert sinew.MjSpec.from_zip(str(path)).compile().nbody == 1
    monkeypatch.setenv("SINEW_MAX_UNPACKED", "1000000")
    with pytest.raises(ValueError, match="SINEW_MAX_UNPACKED"):
        sinew.MjSpec.from_zip(str(path))
    monkeypatch.delenv("SINEW_MAX_UNPACKED")
    good = path.read_bytes()
    for at in range(40, 400, 20):
        path.write_bytes(good[:at] + b"\xff\xff\xff" + good[at + 3 :])
        with pytest.raises(ValueError):
            sinew.MjSpec.from_zip(str(path))
    with open(tmp_path / "kept", "w") as kept:
        for work in (sinew.MjSpec.from_zip, sinew.MjSpec().to_zip, sinew.MjSpec().to_file):
            with pytest.raises(TypeError):
                work(kept.fileno())
        kept.write("still open")


def test_a_text_is_no_list_of_elements(m):
    for text in ("body", b"body"):
        with pytest.raises(TypeError):
            m.bind(text)


CONFINED = """
import sinew
for work in (sinew.MjModel.from_xml_string, sinew.MjSpec.from_string):
    try:
        work('<mujoco><include file="{path}"/></mujoco>')
    except ValueError as e:
        print(e)
print(sinew.MjModel.from_xml_path("{path}").nbody)
"""


def test_confined(tmp_path, monkeypatch):
    path = tmp_path / "a.xml"
    path.write_text("<mujoco><worldbody><body/></worldbody></mujoco>")
    done = alone("-c", CONFINED.format(path=path))
    assert done.stdout.split() == ["2"], said(done)
    monkeypatch.setenv("SINEW_CONFINED", "1")
    done = alone("-c", CONFINED.format(path=path))
    assert done.stdout.count("directory of the model") == 2 and done.stdout.split()[-1] == "2", said(done)


LIMITS = """
import sinew
greedy = '<mujoco><size nuserdata="1000000"/></mujoco>'
outside = '<mujoco><include file="{path}"/></mujoco>'
load = sinew.MjModel.from_xml_string
load(greedy), load(outside)
before = sinew.set_limits(memory=1 << 20, confined=True, unpacked=10)
assert sinew.get_limits() == before._replace(memory=1 << 20, confined=True, unpacked=10)
for xml in (greedy, outside):
    try:
        load(xml)
    except ValueError as e:
        print(e)
try:
    sinew.set_limits(elements=-1)
except ValueError as e:
    print(e)
sinew.set_limits(**{{k: v for k, v in before._asdict().items() if v is not None}})
load(greedy), load(outside)
"""


def test_limits_of_a_process(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text("<mujoco><option/></mujoco>")
    done = alone("-c", LIMITS.format(path=path))
    assert done.returncode == 0, said(done)
    for words in ("bytes of memory", "not read", "expected at least 0"):
        assert words in done.stdout, said(done)


def test_simulations_without_memory():
    """As many values as the limits allow, in a process without enough memory for them."""
    done = alone("-c", LIMITED.format(xml='<mujoco><size nuserdata="90000000"/></mujoco>', works="(lambda: sinew.MjData(m),)"))
    assert done.returncode == 0, said(done)
    assert "bytes of memory are needed" in done.stdout
