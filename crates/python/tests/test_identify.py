"""Derivatives with respect to model parameters."""

import learning
import numpy as np
import pytest
import sinew
import sinew.identify
from learning import STEPS, WORLDS


def apply(m, p):
    m.body_mass[1] = p[0]
    m.body_inertia[1] *= p[0] / 2
    m.geom_friction[:, 0] = p[1]
    m.dof_damping[-3:] = 0.1 * p[2]


def test_jacobian_equals_differences_of_rollouts():
    m = learning.model()
    m.body_mass[1] = 2
    parametric = sinew.identify.Parametric(m, apply)
    state, ctrl, p = learning.states(m), learning.controls(m, WORLDS, STEPS), np.array([1.5, 0.7, 1.1])
    state[:, m.nq] += 1.5                  # it slides: friction counts
    states, jacobian = parametric.jacobian(p, state, ctrl)
    assert np.array_equal(states, parametric.rollout(p, state, ctrl))
    assert jacobian.shape == (WORLDS, STEPS, 2 * m.nv + m.na, len(p))
    for k in range(len(p)):
        h = np.zeros(len(p))
        h[k] = 1e-6
        ends = [parametric.rollout(p + sign * h, state, ctrl) for sign in (1, -1)]
        want = parametric.difference(*ends) / 2e-6
        assert np.abs(want).max() > 1e-3, "the parameter does not matter"
        assert np.allclose(jacobian[..., k], want, rtol=1e-5, atol=1e-5 * np.abs(want).max()), k
    assert m.geom_friction[0, 0] == 1, "the model itself stays as it is"


def test_constants_follow():
    m = learning.model()
    heavy = sinew.identify.Parametric(m, apply).model([20, 1, 1])
    assert heavy.body_subtreemass[0] > m.body_subtreemass[0] + 10
    assert heavy.body_invweight0[1, 0] < m.body_invweight0[1, 0]


def test_refused():
    m = learning.model()
    with pytest.raises(ValueError, match="steps, nu"):
        sinew.identify.Parametric(m, apply).rollout([1, 1, 1], learning.states(m), learning.controls(m, WORLDS))
