"""Runs packages that import mujoco with sinew instead, and compares them with MuJoCo: writes docs/ecosystem.md.

`python conformance/ecosystem.py [PACKAGE …] [--dir DIR] [--quick] [--only PATTERN OF TASKS]`

Every package has a separate virtual environment without mujoco; the oracle is a second process that finds the real
mujoco in a separate folder. Environments are created once and kept in `--dir`."""

import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile
import venv

import sinew

HERE = pathlib.Path(__file__).parent
PAGE = HERE.parent / "docs" / "ecosystem.md"
ORACLE = "mujoco==3.5.0"
# difference of the first steps, relative to one plus the largest value of the step
TOLERANCE = 1e-6
# number of runs with perturbed masses, each in different directions
NUDGES = 4


@dataclasses.dataclass
class Package:
    title: str
    tasks: str  # module in conformance/packages
    requirements: list
    recipe: str
    variants: str = "$^"  # tasks that `--quick` skips: variants of the same models
    alone: list = dataclasses.field(default_factory=list)  # without dependencies: they pin another mujoco


PACKAGES = {
    "dm_control": Package("dm_control's suite", "suite", ["dm_control==1.0.37"],
                          'suite.load("humanoid", "run")'),
    "gymnasium-robotics": Package("Gymnasium and gymnasium-robotics", "robotics", ["gymnasium-robotics==1.4.2"],
                                  'gymnasium.make("FetchPickAndPlace-v4")'),
    "robosuite": Package("robosuite", "arms", ["robosuite==1.5.2"],
                         'robosuite.make("Lift", robots="Panda", has_renderer=False, use_camera_obs=False, …)',
                         "PickPlace.|NutAssembly.|TwoArm[HPT]|Wipe|ToolHang|Lift, [^SJ]|Spot"),
    "myosuite": Package("MyoSuite", "muscles", ["myosuite==2.12.2", "scipy", "numpy<2.3"], 'gym.make("myoHandReorient100-v0")',
                        "^[mM]yo(Sarc|Fati|Reaf)|^MyoHand|Pose[0-9]|Random|P2|motor|eval|ID|OOD|Reorient8|P0|Rough|Stair"),
    "metaworld": Package("Meta-World", "sawyer", ["metaworld==3.0.0"], 'metaworld.MT1("reach-v3")'),
    "mink": Package("mink", "kinematics", ["mink==1.0.0"], "mink.solve_ik(configuration, tasks, dt, \"daqp\")"),
    "loco-mujoco": Package("loco-mujoco", "walkers", "dm_control==1.0.37 numpy<2 scipy gymnasium pyyaml wget gitpython torch<2 "
                           "matplotlib tqdm opencv-python-headless pygame joblib".split(), 'LocoEnv.make("UnitreeH1.walk")',
                           alone=["loco-mujoco==0.4.1", "mushroom-rl==1.10.1"]),
    "mjx": Package("MuJoCo's own MJX, on JAX", "mjx_models", ["mujoco-mjx==3.5.0"],
                   "mjx.put_model(sinew_model)"),
}
# distributions that contain MuJoCo itself
MUJOCO = ["mujoco", "mujoco-core", "mujoco-studio"]


def environment(root, name, package):
    """The interpreter of the package's environment, which is created if needed."""
    place = root / name
    python = place / "bin" / "python"
    done = place / "done"
    if not done.exists():
        print(f"installing {name}", file=sys.stderr, flush=True)
        venv.create(place, with_pip=True, clear=True)
        pip = [python, "-m", "pip", "--disable-pip-version-check"]
        # dependencies of the oracle
        if package.alone:
            subprocess.run([*pip, "install", "-q", "--no-deps", *package.alone], check=True)
        subprocess.run([*pip, "install", "-q", *package.requirements, "absl-py", "etils[epath]", "typing_extensions",
                        "packaging", "glfw", "pyopengl"], check=True)
        subprocess.run([*pip, "uninstall", "-q", "-y", *MUJOCO], check=True, stderr=subprocess.DEVNULL)
        done.touch()
    library = sysconfig.get_path("purelib", vars={"base": str(place), "platbase": str(place)})
    # makes this sinew available, wherever it is installed
    pathlib.Path(library, "sinew.pth").write_text(str(pathlib.Path(sinew.__file__).parents[1]))
    return python


def oracle(root):
    place = root / "oracle"
    if not place.exists():
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", place, ORACLE], check=True)
    return place


def record(python, package, only, path=None, seed=""):
    """Observations of the tasks, by name; from the oracle if its path is given."""
    out = pathlib.Path(tempfile.mkstemp(suffix=".jsonl")[1])
    run = [] if path else ["-m", "sinew"]
    env = {**os.environ, "PYTHONPATH": str(path or ""), "MUJOCO_GL": "osmesa", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([python, *run, HERE / "packages" / "record.py", package.tasks, out, only, str(seed)], env=env,
                          capture_output=True, text=True)
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    out.unlink()
    if done.returncode:
        print(done.stderr[-3000:], file=sys.stderr)
    return {row["task"]: row for row in rows}


def difference(mine, theirs):
    """Largest difference over the recorded steps, relative to one plus the largest value of the step; infinite if
    shapes differ."""
    worst = 0.0
    for a, b in zip(mine, theirs):
        if len(a) != len(b):
            return float("inf")
        scale = 1 + max(map(abs, b), default=0.0)
        worst = max([worst, *(abs(x - y) / scale for x, y in zip(a, b))])
    return worst


def told(record):
    """The line of a traceback with the error; later lines may be values."""
    lines = record["error"].strip().splitlines()
    return next((line for line in reversed(lines) if re.match(r"[\w.]+(Error|Exception)\b", line)), lines[-1])


def judge(mine, theirs, nudged=()):
    """Outcome of a task and a note; if it differs and perturbed oracles are given, whether rounding explains the
    difference."""
    if "error" in mine:
        same = "error" in theirs and told(theirs) == told(mine)
        return ("same error" if same else "error"), told(mine)
    if "error" in theirs:
        return "only sinew", told(theirs)
    if theirs["finite"] and not mine["finite"]:
        return "NaN or infinity", ""
    worst = difference(mine["shown"], theirs["shown"])
    scatter = max((difference(n["shown"], theirs["shown"]) for n in nudged if "error" not in n), default=None)
    if scatter is not None and worst > TOLERANCE:
        return ("rounding" if scatter > worst / 10 else "differs"), f"{worst:.1e}, perturbed MuJoCo {scatter:.1e}"
    return ("equal" if worst <= TOLERANCE else "differs"), f"{worst:.1e}"


def versions(python, package):
    names = [re.split("[=<>]", r)[0] for r in (package.alone or package.requirements)[:1]]
    code = "import sys, importlib.metadata as m; print(' '.join(n + ' ' + m.version(n) for n in sys.argv[1:]))"
    return subprocess.run([python, "-c", code, *names], capture_output=True, text=True, check=True).stdout.strip()


# explanations for tasks that differ
FLAT = "stands flat on a plane: the triangulation of the flat face determines which of its corners become contacts"
REASONS = {
    "^Fetch": f"the robot's base, a mesh, {FLAT}; see [deviations](deviations.md)",
    "UnitreeH1": f"a foot, a mesh, {FLAT}; see [deviations](deviations.md)",
    "^PickPlace": "a mesh rests flat on a box, and the single contact of the coplanar faces depends on which vertices of the hull "
                  "are neighbours: given sinew's `mesh_graph`, MuJoCo computes the same contact to the last digit",
    "UnitreeA1": "an error in the package, with either engine",
    "ChaseTag": "not reproducible, cause not investigated: two identical MuJoCo runs diverge by as much (seen on the variant Sarc)",
}
ROUNDING = "chaos: MuJoCo with masses perturbed by 1e-14 (relative) diverges from itself by a similar amount"

PERTURBED = """A task that differs is run again in MuJoCo with all masses perturbed by about 1e-14 (relative), for four random seeds. The outcome is "rounding" if the
largest deviation of perturbed MuJoCo from MuJoCo exceeds a tenth of sinew's.
"""

HEAD = """# Packages that run on sinew

Packages that import `mujoco` run on sinew unchanged, without MuJoCo being installed:

```python
import sinew
sinew.as_mujoco()          # call first; from here on `import mujoco` gives sinew
import gymnasium           # … or anything else that imports mujoco
```

or, without touching the program, `python -m sinew program.py`. Images (`env.render()`, `physics.render()`) come from sinew's
renderer: OpenGL contexts that packages create themselves do nothing, and no display or driver is needed. Processes that a
program spawns must call `sinew.as_mujoco()` too. `mujoco.usd` is not supported; `mujoco.mjx` and `mujoco.sysid` are found where they are
installed, and run on sinew.

Every task is constructed, reset and stepped 200 times under random actions, in a separate virtual environment for each package in which
`mujoco` is not installed; a second process does the same with MuJoCo 3.5.0. "Equal" means that the observations, rewards and states of the reset and of
the first five steps differ by at most 1e-6 × (1 + the largest number in the step), and that no NaN or infinity occurs in all 200 steps.

| package | version | date | tasks | equal | other outcomes | after `sinew.as_mujoco()` |
|---|---|---|---|---|---|---|
"""

TAIL = """
In robosuite and MyoSuite, task variants that share a model were left out (`--quick`). A package that pins another version of `mujoco` is installed with `pip install --no-deps`, and its other requirements by hand.

This page is written by `python conformance/ecosystem.py`, which creates the environments (outside the project) and runs the comparison.
"""


def page(found):
    """The page, from all recorded results."""
    text = HEAD + "".join(row(PACKAGES[name], f"{f['version']} | {f['date']}", f["outcomes"]) + "\n" for name, f in found.items())
    rest = [(name, task, kind, note) for name, f in found.items() for task, (kind, note) in f["outcomes"].items()
            if kind != "equal"]
    if rest:
        text += f"\n## Tasks that differ\n\n{PERTURBED}\n| package | task | outcome | why |\n|---|---|---|---|\n"
    for name, task, kind, note in rest:
        other = ROUNDING if kind == "rounding" else "not known"
        why = next((why for pattern, why in REASONS.items() if re.search(pattern, task)), other)
        text += f"| {name} | {task} | {kind}: {note[:120]} | {why} |\n"
    PAGE.write_text(text + TAIL, encoding="utf-8")


def row(package, version, outcomes):
    counts = {kind: sum(o[0] == kind for o in outcomes.values()) for kind in dict.fromkeys(o[0] for o in outcomes.values())}
    equal = counts.pop("equal", 0)
    rest = ", ".join(f"{n} {kind}" for kind, n in counts.items()) or "none"
    return f"| {package.title} | {version} | {len(outcomes)} | {equal} | {rest} | `{package.recipe}` |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", choices=[*PACKAGES, []], default=[])
    parser.add_argument("--dir", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "sinew-ecosystem")
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true", help="leave out tasks that differ little from others")
    arguments = parser.parse_args()
    arguments.dir.mkdir(parents=True, exist_ok=True)
    real = oracle(arguments.dir)
    results = arguments.dir / "results.json"
    found = json.loads(results.read_text()) if results.exists() else {}
    for name in arguments.packages or PACKAGES:
        package = PACKAGES[name]
        python = environment(arguments.dir, name, package)
        # a pattern that excludes the variants, wherever they match in a name
        only = f"^(?!.*({package.variants}))" if arguments.quick else arguments.only
        theirs, mine = record(python, package, only, real), record(python, package, only)
        gone = {"error": "the process has ended"}
        outcomes = {task: judge(mine.get(task, gone), theirs.get(task, gone)) for task in {**theirs, **mine}}
        differ = [task for task, (kind, _) in outcomes.items() if kind == "differs"]
        if differ:
            names = f"^({'|'.join(map(re.escape, differ))})$"
            # several perturbations, because a single one may not trigger the effect of rounding
            nudged = [record(python, package, names, real, seed) for seed in range(NUDGES)]
            outcomes.update((task, judge(mine[task], theirs[task], [n.get(task, gone) for n in nudged])) for task in differ)
        for task, (kind, note) in outcomes.items():
            if kind != "equal":
                print(f"{name}: {task}: {kind}: {note}", flush=True)
        print(row(package, versions(python, package), outcomes), flush=True)
        if not arguments.only:
            found[name] = {"version": versions(python, package), "outcomes": outcomes,
                           "date": datetime.date.today().isoformat()}
            results.write_text(json.dumps(found))
    page({name: found[name] for name in PACKAGES if name in found})


if __name__ == "__main__":
    main()
