"""Bounds on differences from the oracle, relative to the larger of one and the field's largest value."""

FLEX = {
    "model": 1e-9,  # sums over elements in another order
    "kinematics": 1e-12,  # the same few operations per vertex
    "force": 1e-6,  # constraint solver tolerance, scaled by its own measure of progress
    "contact": 1e-9,  # both end the convex search at the same point
    "depth": 1e-5,  # in height fields, against geometry without iterations: ten times the tolerance of the iterations
    "torque": 1e-9,  # of a joint, from the forces on all nodes: a sum of about sixty terms
}

INVERSE = {
    "arena": 1e-9,  # no solver, the same sums over a hundred rows
}

# factor by which CG's final excess cost over the minimum may exceed MuJoCo's: twice as far from the solution
CG_FARTHER = 4.0

PLUGIN = {
    "exact": 0.0,  # texts, indices, and shapes computed by the same operations
    "model": 1e-9,  # inertias: sums over thousands of triangles
    "force": 1e-9,  # moments of cables, summed over joints in sinew and over bodies in MuJoCo
    "contact": 1e-7,  # descents on gradients by finite differences, which have half the digits
    "step": 1e-7,  # results that depend on such contacts
}

OPEN = {
    "rollout": 1e-9,  # two hundred steps of a box at rest and a pendulum
    "law": 1e-9,  # one law, in Rust and in Python
}

# computed in single precision, from values that agree to 1e-9
SCENE = {"rtol": 1e-5, "atol": 1e-5}

GPU = {
    "single": 1e-6,  # values of order one, only stored in single precision
    "step": 1e-5,  # a step in single precision
    "steps": 1e-4,  # forty such steps
    "acceleration": 1e-3,  # a solver that stops at 1e-6, on stiff contacts
    "task": 2e-3,  # velocities after the steps of one action, and rewards computed from them
}

# a pivot that is only rounding, relative to its diagonal: about a hundred times the machine epsilon
SINGULAR = 1e-14

# accelerations hidden by the rounding of a constant cost, relative to the largest: beyond a hundredth solvers stop
# anywhere
DROWNED = 1e-2

# an entry of a Jacobian that is only rounding of lengths around one: about ten times the machine epsilon
ROUNDED = 2e-15
