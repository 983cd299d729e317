"""Random models compared with MuJoCo: both accept or both refuse, with equal compiled fields and stages, and ten free
steps."""

import mujoco
import random_compare
from campaign import survives
from random_flex import add as flexes
from random_models import model

# models per seed; one in three has flexes
SPAN = 10**6
STEPS = 10
# Perturbed runs before a difference counts.
TRIES = 40


def run(watch, seed):
    while watch.goes_on():
        number = SPAN * (seed - 1) + watch.inputs
        extra = flexes if number % 3 == 2 else None
        text = model(number, extra)
        watch.run(text, lambda: judge(text))
        watch.steps += 2 * STEPS


def stepped(text):
    """Runs MuJoCo alone: its compiler crashes on some models, and so do its steps when the arena is full."""
    m = mujoco.MjModel.from_xml_string(text)
    for d in (mujoco.MjData(m), random_compare.start(m)):
        for _ in range(STEPS):
            mujoco.mj_step(m, d)


def judge(text):
    if not survives(lambda: stepped(text)):
        return "MuJoCo crashes"
    outcome, details = random_compare.judge(text, STEPS)
    if outcome == "differs":
        # the scatter of MuJoCo under perturbations shows better in long and in many runs
        outcome, details = random_compare.judge(text, tries=TRIES)
    assert outcome != "differs", details
    # if MuJoCo ends the call, there is nothing to compare with
    return outcome if outcome != "fatal" else "MuJoCo stops"
