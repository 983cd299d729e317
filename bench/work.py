"""Minimum work of a stage, where it is simple to count: arithmetic operations, and bytes read or written.

Products, sums, quotients and roots count one each. Bytes are those of the fields that a stage must access; accesses
that hit the cache are not counted again.
"""
import numpy as np

NUMBER = 8
ROTATE = 15  # matrix times vector
TURN = 28  # quaternion times quaternion
MATRIX = 24  # quaternion to matrix


def kinematics(m, d):
    """Frames of bodies and of everything fixed to them."""
    fixed = m.ngeom + m.nsite + m.nbody
    flops = m.nbody * (TURN + ROTATE + 3 + MATRIX + 9) + m.njnt * (2 * ROTATE + TURN + 20) + fixed * (ROTATE + 3 + TURN + MATRIX)
    return flops, NUMBER * (7 * m.nbody + 16 * m.nbody + 6 * m.njnt + 7 * fixed + 12 * fixed)


def make_m(m, d):
    """Composite inertias, then a product of motion and force per entry."""
    nonzero = int(np.sum(m.M_rownnz))
    return 10 * m.nbody + 60 * m.nv + 11 * nonzero, NUMBER * (20 * m.nbody + 6 * m.nv + nonzero)


def factor_m(m, d):
    """A row with `k` ancestors updates `k` rows with 1, 2, … `k` entries."""
    k = np.asarray(m.M_rownnz, float) - 1
    return float(np.sum(k * k + 3 * k + 1)), NUMBER * (2 * float(np.sum(k + 1)) + m.nv)


def solve_m(m, d):
    """Two sweeps over the factor."""
    off = float(np.sum(np.asarray(m.M_rownnz) - 1))
    return 4 * off + m.nv, NUMBER * (off + 3 * m.nv)


def com_vel(m, d):
    """Body velocities from those of their parents, and time derivatives of motion axes."""
    return m.nv * (12 + 30), NUMBER * (12 * m.nbody + 13 * m.nv)


def rows(m, d):
    """Number of entries of each row of the constraint Jacobian."""
    if not d.nefc:
        return np.zeros(0)
    if len(np.ravel(d.efc_J_rownnz)) >= d.nefc and np.any(d.efc_J_rownnz):
        return np.asarray(d.efc_J_rownnz[: d.nefc], float)
    return np.count_nonzero(np.reshape(d.efc_J, (d.nefc, m.nv)), axis=1).astype(float)


def newton(m, d):
    """Per iteration: the Hessian `M + JᵀDJ` from rows, its dense factor by islands, products with J, and a line search
    with about four evaluations."""
    nnz, iterations = rows(m, d), max(1, int(np.sum(d.solver_niter)) if d.nisland <= 1 else int(np.max(d.solver_niter)))
    once = np.sum(nnz * (nnz + 1) + 4 * nnz) + 4 * 6 * d.nefc + 4 * float(np.sum(m.M_rownnz))
    sizes = np.asarray(d.island_nv[: d.nisland], float) if d.nisland else np.array([float(m.nv)])
    once += np.sum(sizes**3 / 3 + 2 * sizes**2)
    return iterations * once, NUMBER * (np.sum(nnz) + 8 * d.nefc + float(np.sum(m.M_rownnz)) + np.sum(sizes**2) / 2)


STAGES = {
    "kinematics": kinematics,
    "makeM": make_m,
    "factorM": factor_m,
    "comVel": com_vel,
    "fwdAcceleration": solve_m,
    "fwdConstraint": newton,
}
