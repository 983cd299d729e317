"""Random models beside MuJoCo: accepted or refused by both, the same compiled fields and stages, ten free steps."""

import mujoco
import random_compare
from campaign import survives
from random_flex import add as flexes
from random_models import model

# models of a seed; one in three has flexes
SPAN = 10**6
STEPS = 10
# Nudges before a difference counts.
TRIES = 40


def run(watch, seed):
    while watch.goes_on():
        number = SPAN * (seed - 1) + watch.inputs
        extra = flexes if number % 3 == 2 else None
        text = model(number, extra)
        watch.run(text, lambda: judge(text))
        watch.steps += 2 * STEPS


def stepped(text):
    """MuJoCo alone: its compiler does not survive every model, nor its steps where the arena is full."""
    m = mujoco.MjModel.from_xml_string(text)
    for d in (mujoco.MjData(m), random_compare.start(m)):
        for _ in range(STEPS):
            mujoco.mj_step(m, d)


def judge(text):
    if not survives(lambda: stepped(text)):
        return "MuJoCo crashes"
    outcome, details = random_compare.judge(text, STEPS)
    if outcome == "differs":
        # how far MuJoCo is from itself shows better in a long run, and in many
        outcome, details = random_compare.judge(text, tries=TRIES)
    assert outcome != "differs", details
    # where MuJoCo ends the call there is nothing to compare with
    return outcome if outcome != "fatal" else "MuJoCo stops"
