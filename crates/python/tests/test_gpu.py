"""GPU batches through Python, on emulated lanes; the kernels are compared in `crates/gpu/tests`."""

import numpy as np
import pytest

import sinew
import sinew.gpu
from tolerances import GPU

MODEL = """<mujoco><option timestep=".005"/><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="2 0 1"><joint name="h" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05" contype="0" conaffinity="0"/></body>
<body name="m" mocap="true" pos="0 3 1"/></worldbody><actuator><motor joint="h"/></actuator>
<keyframe><key time="2" qpos="0 0 .099 1 0 0 0 .5" ctrl=".3" mpos="0 4 1"/></keyframe></mujoco>"""
FLEX = """<mujoco><worldbody><body name="b"><flexcomp name="f" type="grid" count="2 2 1" spacing=".1 .1 .1" radius=".01" dim="2">
<edge equality="true"/></flexcomp></body></worldbody></mujoco>"""
needs_compiler = pytest.mark.skipif(not sinew.gpu.emulated(), reason="no C++ compiler to emulate a GPU with")


@pytest.fixture(scope="module")
def m():
    return sinew.MjModel.from_xml_string(MODEL)


def batch(m, nworld=3, **options):
    return sinew.gpu.BatchSim(m, nworld, device="emulated", **options)


@needs_compiler
def test_steps_are_those_of_the_cpu(m):
    sim = batch(m, 3, nstep=2, outputs=("xpos", "qacc"))
    d = sinew.MjData(m)
    sim.ctrl[:] = np.array([[0.1], [0.2], [0.3]])
    d.ctrl[0] = 0.2
    for _ in range(20):
        sim.step()
        sinew.mj_step(m, d, 2)
    assert sim.qpos.shape == (3, m.nq) and sim.xpos.shape == (3, m.nbody, 3) and sim.time.shape == (3,)
    np.testing.assert_allclose(sim.qpos.numpy()[1], d.qpos, atol=GPU["steps"])
    np.testing.assert_allclose(sim.xpos.numpy()[1], d.xpos, atol=GPU["steps"])
    np.testing.assert_allclose(sim.time.numpy(), d.time, atol=GPU["single"])
    assert len(set(sim.qpos.numpy()[:, 7])) == 3
    sim.check()
    assert sim.report["room"][0] >= 4 and "emulated" in repr(sim)


@needs_compiler
def test_arrays_are_shared_with_other_libraries(m):
    sim = batch(m)
    qpos = np.from_dlpack(sim.qpos)
    assert sim.qpos.__dlpack_device__() == (1, 0)
    qpos[2, 7] = 0.25
    assert sim.qpos[2, 7] == 0.25
    sim.qpos[0] = m.qpos0 + 1
    np.testing.assert_allclose(qpos[0], m.qpos0 + 1, atol=GPU["single"])
    with pytest.raises(AttributeError, match="host"):
        sim.qpos.__cuda_array_interface__
    mocap = np.from_dlpack(sim.mocap_pos)
    assert mocap.shape == (3, 1, 3) and mocap[1, 0, 1] == 3
    sim.mocap_quat[:] = [0, 1, 0, 0]
    np.testing.assert_array_equal(sim.mocap_quat.numpy(), np.full((3, 1, 4), [0, 1, 0, 0]))
    np.testing.assert_array_equal(mocap[:, 0], np.full((3, 3), [0, 3, 1]))
    with pytest.raises(AttributeError, match=r"sim.qpos\[:\]"):
        sim.qpos = 0
    with pytest.raises(AttributeError, match="outputs"):
        sim.xpos
    del sim  # memory outlives the batch
    qpos[:] = 1


@needs_compiler
def test_torch_uses_the_same_memory(m):
    torch = pytest.importorskip("torch")
    sim = batch(m)
    torch.from_dlpack(sim.ctrl)[:] = torch.full((3, 1), 0.5)
    assert (sim.ctrl.numpy() == 0.5).all()
    sim.reset(torch.tensor([True, False, False]))
    np.testing.assert_array_equal(sim.ctrl.numpy()[:, 0], [0, 0.5, 0.5])


@needs_compiler
def test_reset_and_forward(m):
    sim = batch(m, outputs=("xpos",))
    sim.step(30)
    before = sim.qpos.numpy()
    sim.reset(np.array([False, True, False]), key=0)
    after = sim.qpos.numpy()
    np.testing.assert_array_equal(after[[0, 2]], before[[0, 2]])
    np.testing.assert_allclose(after[1], m.key_qpos[0], atol=GPU["single"])
    assert sim.time[1] == 2 and sim.mocap_pos[1, 0, 1] == 4
    sim.reset(key=np.tile(np.r_[m.key_qpos[0], np.ones(m.nv)], (3, 1)))
    assert (sim.qvel.numpy() == 1).all() and (sim.time.numpy() == 0).all()
    sim.forward()
    assert (sim.qvel.numpy() == 1).all()
    np.testing.assert_allclose(sim.xpos.numpy()[:, 1, 2], 0.099, atol=GPU["single"])
    for wrong in ({"key": 1}, {"key": -1}):
        with pytest.raises(IndexError, match="keyframe"):
            sim.reset(**wrong)
    for wrong in ({"mask": [True]}, {"mask": np.ones(3)}, {"key": np.ones((3, 2))}):
        with pytest.raises(ValueError, match="must be of shape"):
            sim.reset(**wrong)


@needs_compiler
def test_nothing_is_lost_in_silence(m):
    sim = batch(m, nconmax=0, njmax=0)
    sim.reset(np.array([False, True, False]), key=0)
    sim.step()
    found = sim.counts()
    np.testing.assert_array_equal(found["no_room"], [False, True, False])
    np.testing.assert_array_equal(found["most_contacts"], [0, 4, 0])
    assert found["left"][1] == 1 and sim.time[1] == 2
    with pytest.raises(sinew.FatalError, match="world 1 has 4 contacts"):
        sim.check()


@needs_compiler
def test_fields_of_each_world(m):
    names = ("body_mass", "geom_friction", "dof_damping", "body_pos")
    sim = batch(m, fields=names, outputs=("qacc",))
    plain = batch(m, outputs=("qacc",))
    other = sinew.MjModel.from_xml_string(MODEL)
    other.body_mass[:] *= 2
    other.geom_friction[:] *= 0.5
    other.dof_damping[:] += 0.3
    other.body_pos[2, 2] += 0.1
    sinew.mj_setConst(other, sinew.MjData(other))
    assert sim.fields["geom_friction"].shape == (3, m.ngeom, 3)
    for name in names:
        sim.fields[name][1] = getattr(other, name)
    sim.set_const(np.array([False, True, False]))
    qpos, qvel = np.tile(m.key_qpos[0], (3, 1)), np.tile(np.linspace(0, 1, m.nv), (3, 1))
    for each in (sim, plain):
        each.reset(key=np.hstack((qpos, qvel)))
        each.step()
    np.testing.assert_array_equal(sim.qacc.numpy()[[0, 2]], plain.qacc.numpy()[[0, 2]])
    for model, world in ((m, 0), (other, 1)):
        d = sinew.MjData(model)
        d.qpos[:], d.qvel[:] = qpos[0], qvel[0]
        sinew.mj_step(model, d)
        np.testing.assert_allclose(sim.qacc.numpy()[world], d.qacc, rtol=0, atol=GPU["acceleration"] * np.abs(d.qacc).max())
        np.testing.assert_allclose(sim.qpos.numpy()[world], d.qpos, atol=GPU["step"])
    assert abs(sim.qacc.numpy()[1] - sim.qacc.numpy()[0]).max() > 1
    with pytest.raises(sinew.gpu.Refusal, match="the field geom_rgba"):
        batch(m, fields=("geom_rgba",))


def test_refusals():
    flex = sinew.MjModel.from_xml_string(FLEX)
    with pytest.raises(sinew.gpu.Refusal, match="flexes"):
        sinew.gpu.BatchSim(flex, 2, device="emulated")
    ball = sinew.MjModel.from_xml_string(MODEL)
    with pytest.raises(sinew.gpu.Refusal, match="the output nothing"):
        batch(ball, outputs=("nothing",))
    for options, word in (({"device": "gpu"}, "emulated"), ({"fallback": "tpu"}, "cpu")):
        with pytest.raises(ValueError, match=word):
            sinew.gpu.BatchSim(ball, 2, **options)


def test_refusals_say_where_the_element_stands(tmp_path):
    path = tmp_path / "user.xml"
    path.write_text("""<mujoco><worldbody><body><joint name="a"/><geom size=".1"/></body></worldbody>
<actuator>
  <general joint="a" dyntype="user"/>
</actuator></mujoco>""")
    for model in (sinew.MjModel.from_xml_path(str(path)), sinew.MjSpec.from_file(str(path)).compile()):
        with pytest.raises(sinew.gpu.Refusal, match=r"User \(actuator number 0, .*user\.xml:3:\d+\)"):
            sinew.gpu.BatchSim(model, 2, device="emulated")


@pytest.mark.skipif(sinew.gpu.available(), reason="there is a GPU")
def test_without_a_gpu(m, capsys):
    with pytest.raises(sinew.gpu.Unavailable):
        sinew.gpu.BatchSim(m, 2)
    sim = sinew.gpu.BatchSim(m, 2, nstep=2, outputs=("xpos",), fallback="cpu")
    assert capsys.readouterr().err.count("on the CPU") == 1
    d = sinew.MjData(m)
    sim.reset(np.array([False, True]), key=0)
    sinew.mj_resetDataKeyframe(m, d, 0)
    sim.step()
    sinew.mj_step(m, d, 2)
    np.testing.assert_array_equal(sim.qpos[1], d.qpos)
    np.testing.assert_array_equal(sim.xpos[1], d.xpos)
    assert sim.time[1] == d.time
    sim.check()


@needs_compiler
def test_what_is_too_much_is_an_error(m):
    for nworld, error in ((2**31 - 1, MemoryError), (2**31, ValueError), (10**18, ValueError), (-1, OverflowError)):
        with pytest.raises(error):
            batch(m, nworld)
    sim = batch(m, nconmax=10**12, njmax=10**12)
    assert sim.report["room"] < (100, 400)  # at most the contacts of all pairs
    before = sim.qpos.numpy()
    for nstep, error in ((2**31, ValueError), (2**40, ValueError), (-1, OverflowError)):
        with pytest.raises(error):
            sim.step(nstep)
    np.testing.assert_array_equal(sim.qpos.numpy(), before)
