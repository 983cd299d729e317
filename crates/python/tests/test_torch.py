"""Differentiable steps in PyTorch."""

import numpy as np
import pytest
import sinew

torch = pytest.importorskip("torch", reason="torch is not installed: sinew.torch is not tested")

import learning  # noqa: E402
import sinew.torch  # noqa: E402
from learning import STEPS, WORLDS  # noqa: E402


def inputs(m, *shape):
    state = torch.tensor(learning.states(m), requires_grad=True)
    return state, torch.tensor(learning.controls(m, WORLDS, *shape), requires_grad=True)


def test_values():
    m = learning.model()
    dynamics = sinew.torch.Dynamics(m, nstep=2)
    state, ctrl = inputs(m, STEPS)
    found = dynamics.rollout(state, ctrl).detach().numpy()
    for i in range(WORLDS):
        assert np.array_equal(found[i], learning.stepped(m, state[i].detach().numpy(), ctrl[i].detach().numpy(), 2))
    assert torch.equal(dynamics(state, ctrl[:, 0])[1], dynamics.step(state[1], ctrl[1, 0]))
    assert dynamics.initial(2, 3).shape == (2, 3, dynamics.nx)


# contact rows are nonlinear: smaller steps of finite differences than usual, which leave about six digits
CHECK = {"eps": 1e-7, "atol": 1e-5, "rtol": 1e-5}


@pytest.mark.parametrize("nstep", [1, 3])
def test_gradient_of_a_step(nstep):
    m = learning.model()
    state, ctrl = inputs(m)
    assert torch.autograd.gradcheck(sinew.torch.Dynamics(m, nstep), (state, ctrl), **CHECK)


def test_gradient_of_a_rollout():
    m = learning.model()
    dynamics = sinew.torch.Dynamics(m)
    state, ctrl = inputs(m, STEPS)
    assert torch.autograd.gradcheck(dynamics.rollout, (state, ctrl), **CHECK)


def test_chained_steps_are_a_rollout():
    """Within the solver's tolerance, since a rollout uses warmstarts."""
    m = learning.model()
    dynamics = sinew.torch.Dynamics(m)
    state, ctrl = inputs(m, STEPS)
    x = state
    for t in range(STEPS):
        x = dynamics(x, ctrl[:, t])
    weight = torch.linspace(-1, 1, dynamics.nx, dtype=torch.float64)
    one = torch.autograd.grad((x @ weight).sum(), (state, ctrl))
    other = torch.autograd.grad((dynamics.rollout(state, ctrl)[:, -1] @ weight).sum(), (state, ctrl))
    for a, b in zip(one, other):
        assert torch.allclose(a, b, rtol=1e-6, atol=1e-6)


def test_broadcast_and_types():
    m = learning.model()
    dynamics = sinew.torch.Dynamics(m)
    state = dynamics.initial(dtype=torch.float32)
    ctrl = torch.zeros(5, 2, m.nu, requires_grad=True)
    out = dynamics(state, ctrl)
    assert out.shape == (5, 2, dynamics.nx) and out.dtype == torch.float32
    out.sum().backward()
    assert ctrl.grad.shape == ctrl.shape and ctrl.grad.abs().sum() > 0


def test_refused():
    m = learning.model()
    dynamics = sinew.torch.Dynamics(m)
    with pytest.raises(ValueError, match="last dimension should be nq"):
        dynamics(torch.zeros(3), torch.zeros(m.nu))
    with pytest.raises(ValueError, match="steps, nu"):
        dynamics.rollout(dynamics.initial(), torch.zeros(m.nu))
    with pytest.raises(ValueError, match="nstep"):
        sinew.torch.Dynamics(m, nstep=0)
    delayed = sinew.MjModel.from_xml_string("""<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
      <actuator><motor joint="j" delay=".01" nsample="4"/></actuator></mujoco>""")
    with pytest.raises(ValueError, match="delays"):
        sinew.torch.Dynamics(delayed)


def test_a_world_that_fails_is_nan():
    m = learning.model()
    dynamics = sinew.torch.Dynamics(m)
    state, ctrl = inputs(m, STEPS)
    bad = state.detach().clone()
    bad[1, m.nq] = 1e13
    bad.requires_grad_()
    found = dynamics.rollout(bad, ctrl)
    good = dynamics.rollout(state, ctrl)
    assert found[1].isnan().all() and torch.equal(found[[0, 2]], good[[0, 2]])
    found[:, -1].sum().backward()
    assert ctrl.grad[1].isnan().all() and not ctrl.grad[[0, 2]].isnan().any()
