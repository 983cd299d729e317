"""Differentiable steps in JAX."""

import numpy as np
import pytest
import sinew

jax = pytest.importorskip("jax", reason="jax is not installed: sinew.jax is not tested")

import jax.numpy as jnp  # noqa: E402
import learning  # noqa: E402
import sinew.jax  # noqa: E402
from jax.test_util import check_grads  # noqa: E402
from learning import STEPS, WORLDS  # noqa: E402


@pytest.fixture(autouse=True)
def double():
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def inputs(m, *shape):
    return jnp.asarray(learning.states(m)), jnp.asarray(learning.controls(m, WORLDS, *shape))


def test_values_under_jit():
    m = learning.model()
    dynamics = sinew.jax.Dynamics(m, nstep=2)
    state, ctrl = inputs(m, STEPS)
    found = jax.jit(dynamics.rollout)(state, ctrl)
    for i in range(WORLDS):
        assert np.array_equal(found[i], learning.stepped(m, np.asarray(state[i]), np.asarray(ctrl[i]), 2))
    assert dynamics.initial(2, 3).shape == (2, 3, dynamics.nx)


def test_gradients():
    m = learning.model()
    dynamics = sinew.jax.Dynamics(m)
    state, ctrl = inputs(m, STEPS)
    check = {"order": 1, "modes": ["rev"], "eps": 1e-7, "atol": 1e-5, "rtol": 1e-5}
    check_grads(dynamics.rollout, (state, ctrl), **check)
    check_grads(jax.jit(dynamics.step), (state, ctrl[:, 0]), **check)


def test_vmap_is_a_batch():
    m = learning.model()
    dynamics = sinew.jax.Dynamics(m)
    state, ctrl = inputs(m, STEPS)
    assert np.array_equal(jax.vmap(dynamics.rollout)(state, ctrl), dynamics.rollout(state, ctrl))
    same = jax.vmap(dynamics.step, in_axes=(None, 0))(state[0], ctrl[:, 0])
    assert np.array_equal(same[2], dynamics.step(state[0], ctrl[2, 0]))

    def loss(x, u):
        return (dynamics.rollout(x, u)[-1] ** 2).sum()

    one = jax.jit(jax.vmap(jax.grad(loss, argnums=(0, 1))))(state, ctrl)
    other = jax.grad(lambda x, u: (dynamics.rollout(x, u)[:, -1] ** 2).sum(), argnums=(0, 1))(state, ctrl)
    for a, b in zip(one, other):
        assert np.array_equal(a, b)


def test_scan_is_a_rollout():
    """Within the solver's tolerance, since a rollout uses warmstarts."""
    m = learning.model()
    dynamics = sinew.jax.Dynamics(m)
    state, ctrl = inputs(m, STEPS)

    def end(x, u):
        return jax.lax.scan(lambda x, u: (dynamics.step(x, u), None), x, jnp.swapaxes(u, 0, 1))[0].sum()

    one = jax.jit(jax.grad(end, argnums=(0, 1)))(state, ctrl)
    other = jax.grad(lambda x, u: dynamics.rollout(x, u)[:, -1].sum(), argnums=(0, 1))(state, ctrl)
    for a, b in zip(one, other):
        assert np.allclose(a, b, rtol=1e-6, atol=1e-6)


def test_single_precision_and_refusals():
    m = learning.model()
    dynamics = sinew.jax.Dynamics(m)
    state, ctrl = inputs(m)
    found = dynamics.step(state.astype(jnp.float32), ctrl)
    assert found.dtype == jnp.float32 and np.allclose(found, dynamics.step(state, ctrl), rtol=1e-3, atol=1e-3)
    with pytest.raises(ValueError, match="last dimension should be nq"):
        dynamics.step(state[:, 1:], ctrl)
