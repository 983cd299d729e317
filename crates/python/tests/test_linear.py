"""The linear system about a step."""

import mujoco
import numpy as np
import pytest
import sinew

XML = """<mujoco><worldbody>
  <body><joint name="a" axis="0 1 0" damping=".1"/><geom size=".05" pos="0 0 -.3"/>
    <body pos="0 0 -.3"><joint name="b" axis="1 0 0"/><geom size=".04" pos=".1 0 -.2"/></body></body>
</worldbody>
<actuator><motor joint="a"/><motor name="limited" joint="b" ctrlrange="-1 1"/><general joint="b" dyntype="filter" dynprm=".1"/></actuator>
<sensor><jointactuatorfrc joint="a"/><jointactuatorfrc joint="b"/><jointvel joint="b"/><actuatorfrc actuator="limited"/></sensor>
</mujoco>"""


def pair():
    found = []
    for engine in (sinew, mujoco):
        m = engine.MjModel.from_xml_string(XML)
        d = engine.MjData(m)
        d.qpos[:], d.qvel[:], d.ctrl[:] = [0.3, -0.2], [0.5, 1], [0.2, 1, 0.4]
        found.append((m, d))
    return found


@pytest.mark.parametrize("method", ["fd", "hybrid", "analytic"])
@pytest.mark.parametrize("centered", [False, True])
def test_matrices(centered, method):
    (m, d), (om, od) = pair()
    found = sinew.transition(m, d, method, centered=centered, sensors=True)
    nx = 2 * m.nv + m.na
    want = [np.zeros(s) for s in ((nx, nx), (nx, m.nu), (m.nsensordata, nx), (m.nsensordata, m.nu))]
    mujoco.mjd_transitionFD(om, od, 1e-6, centered, *want)
    for name, theirs in zip("ABC", want):
        assert np.allclose(getattr(found, name), theirs, atol=1e-6), name
    assert found.D.shape == want[3].shape and found.differenced["positions"] == (["step", "sensors"] if method == "fd" else ["sensors"])
    # sensors follow controls directly: the true sign, whatever the kind of difference; MuJoCo's centred one has another
    assert np.allclose(found.D[0, 0], 1) and np.allclose(found.D[1, 1], 1) and np.allclose(found.D[3, 1], 1)


def test_sizes_that_give_no_derivative():
    (m, d), _ = pair()
    for eps in (0, -1e-6, float("nan"), 0.011, float("inf")):
        with pytest.raises(ValueError, match="eps"):
            sinew.transition(m, d, eps=eps)
    sinew.transition(m, d, eps=1e-2)


def test_methods():
    (m, d), _ = pair()
    with pytest.raises(ValueError, match="none of 'fd'"):
        sinew.transition(m, d, "magic")
    assert sinew.transition(m, d).C is None
    m.opt.integrator = int(sinew.mjtIntegrator.mjINT_RK4)
    assert sinew.transition(m, d).differenced["controls"] == ["step"]
    with pytest.raises(ValueError, match="no closed derivative"):
        sinew.transition(m, d, "analytic")


def test_callbacks_are_differenced():
    (m, d), _ = pair()
    plain = sinew.transition(m, d)

    def drag(m, d):
        d.qfrc_passive[:] -= d.qvel

    sinew.set_mjcb_passive(drag)
    try:
        found = sinew.transition(m, d)
    finally:
        sinew.set_mjcb_passive(None)
    assert found.differenced["velocities"] == ["step"]
    assert np.abs(found.A - plain.A).max() > 1e-3
