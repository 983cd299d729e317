"""Bounds on differences from the oracle, relative to the larger of one and the largest number of the field."""

FLEX = {
    "model": 1e-9,  # sums over elements in another order
    "kinematics": 1e-12,  # the same few operations per vertex
    "force": 1e-6,  # constraint solver tolerance, scaled by its own measure of progress
    "contact": 1e-9,  # both end the convex search at the same point
    "depth": 1e-5,  # in height fields, beside geometry without a search: ten times the tolerance of the search
    "torque": 1e-9,  # of a joint, from the forces on all nodes: a sum of some sixty terms
}

INVERSE = {
    "arena": 1e-9,  # no solver, the same sums over a hundred rows
}

# how much more than MuJoCo's the cost that CG ends with may be above the least: twice as far from the solution
CG_FARTHER = 4.0

PLUGIN = {
    "exact": 0.0,  # texts, indices, and shapes computed by the same operations
    "model": 1e-9,  # inertias: sums over thousands of triangles
    "force": 1e-9,  # moments of cables, summed over joints here and over bodies there
    "contact": 1e-7,  # descents on gradients by differences, which carry half the digits
    "step": 1e-7,  # what follows from such contacts
}

OPEN = {
    "rollout": 1e-9,  # two hundred steps of a box at rest and a pendulum
    "law": 1e-9,  # one law, in Rust and in Python
}

# drawn in single precision, from numbers that agree to 1e-9
SCENE = {"rtol": 1e-5, "atol": 1e-5}

GPU = {
    "single": 1e-6,  # numbers of the order of one that were only stored in single precision
    "step": 1e-5,  # a step in single precision
    "steps": 1e-4,  # forty of them
    "acceleration": 1e-3,  # a solver that stops at 1e-6, on stiff contacts
    "task": 2e-3,  # velocities after the steps of one action, and rewards made of them
}

# a pivot beside its diagonal that is what rounding left: a hundred times the last digit
SINGULAR = 1e-14

# accelerations that the last digit of a constant cost hides, beside the largest: beyond a hundredth solvers stop anywhere
DROWNED = 1e-2

# an entry of a Jacobian that is what rounding left of lengths around one: ten times the last digit
ROUNDED = 2e-15
