"""Calls every function, class and method of the module with good and bad arguments: each must return or raise."""

import inspect
import os
import signal
import tempfile

import hostile
import numpy as np
import sinew

# skipped: what waits for input, listens, starts processes, needs another package or changes the process permanently
SKIPPED = {"viewer", "as_mujoco", "set_limits", "show_video", "write_video", "Video", "Renderer", "GLContext", "MjrContext", "set_mju_user_malloc", "BatchGpu"}
# these take any number of steps: if that takes too long, a signal ends them, as Ctrl-C does
STEPPERS = {"mj_step", "step_strict"}
ENOUGH = 0.5  # (s)
# large texts and numbers request large work, which does not count as hanging
NUMBERS = (None, 0, -1, 1, 2, 3, 5, 100, 2**31 - 1, -(2**31), 2**40, 2**70, 0.5, 1e-310, 1e308, float("nan"), float("inf"), True)
LARGE = 1000
TEXTS = ("", "x", "body1", "\0", "a" * 300, "é", "<mujoco/>", "<mujoco><worldbody/></mujoco>", b"", b"x")
SHAPES = ((0,), (1,), (3,), (4,), (6,), (9,), (2, 2), (3, 3), (2, 3, 4))


class Enough(Exception):
    """A call has run for long enough."""


def enough(*_):
    raise Enough


class Calls:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.models = [sinew.MjModel.from_xml_string(hostile.MODELS[k]) for k in ("rich", "shapes", "actuators")]
        self.fresh()
        self.things = self.list()

    def fresh(self):
        self.m = self.models[self.rng.integers(len(self.models))]
        self.m = sinew.MjModel._from_bytes(self.m._to_bytes())
        self.d = sinew.MjData(self.m)
        self.spec = sinew.MjSpec.from_string(hostile.MODELS["rich"])
        self.made = []

    def list(self):
        """Names of everything callable: functions, classes, and methods by class."""
        out = []
        for name, thing in vars(sinew).items():
            if name in SKIPPED or not callable(thing) or (name.startswith("_") or name.startswith("mjcb_")):
                continue
            if isinstance(thing, type) and issubclass(thing, BaseException):
                continue
            if not name.startswith("set_mjcb"):  # uncallable callbacks would end up here later
                out.append((name, None))
            if isinstance(thing, type):
                # `int` methods of enum values belong to Python
                own = (x for x in dir(thing) if not (issubclass(thing, int) and hasattr(int, x)))
                out += [(name, method) for method in own if not method.startswith("_")]
        # properties are read less often than functions are called
        called = [t for t in out if t[1] is None or callable(getattr(getattr(sinew, t[0]), t[1], None))]
        return called * 3 + out

    def some(self):
        return self.rng.random()

    def argument(self, name):
        """An argument of the type its name suggests, or anything at all."""
        m, d, rng = self.m, self.d, self.rng
        good = {
            "m": m, "model": m, "d": d, "data": d, "spec": self.spec, "nstep": int(rng.integers(0, 4)), "res": np.zeros(m.nv),
            "vec": np.zeros(m.nv), "qpos": np.array(m.qpos0), "jacp": np.zeros((3, m.nv)), "jacr": np.zeros((3, m.nv)),
            "body": int(rng.integers(0, m.nbody)), "id": int(rng.integers(0, 3)), "pnt": np.zeros(3), "xml": "<mujoco/>",
        }  # fmt: skip
        if name in good and self.some() < 0.8:
            return good[name]
        kind = rng.integers(7)
        if kind < 2:
            return NUMBERS[rng.integers(len(NUMBERS))]
        if kind == 2:
            return TEXTS[rng.integers(len(TEXTS))]
        if kind in (3, 4):
            shape = SHAPES[rng.integers(len(SHAPES))] if self.some() < 0.6 else ((m.nv,), (m.nq,), (m.nv, m.nv), (3, m.nv))[rng.integers(4)]
            values = rng.normal(size=shape)
            if self.some() < 0.2 and values.size:
                values.flat[rng.integers(values.size)] = (np.nan, np.inf, 1e308, 5e-324)[rng.integers(4)]
            return values.astype((np.float64, np.float64, np.float32, np.int32, np.uint8)[rng.integers(5)])
        if kind == 5 and self.made:
            return self.made[rng.integers(len(self.made))]
        return (m, d, self.spec, [], {}, [1, 2, 3], object(), m.opt, d.contact, sinew.mjtObj.mjOBJ_BODY)[rng.integers(10)]

    def target(self, name, method):
        """The object to call; a method of an existing object, if there is one."""
        thing = getattr(sinew, name)
        if method is None:
            return thing
        owned = [o for o in (self.m, self.d, self.spec, *self.made) if isinstance(o, thing)]
        return getattr(owned[self.rng.integers(len(owned))] if owned else thing, method)

    def one(self, watch):
        name, method = self.things[self.rng.integers(len(self.things))]
        what = f"{name}.{method}" if method else name
        watch.run(what, lambda: self.call(name, method))

    def call(self, name, method):
        try:
            f = self.target(name, method)
            if not callable(f):
                return "read"
            try:
                names = list(inspect.signature(f).parameters)
            except (TypeError, ValueError):
                names = [""] * int(self.rng.integers(0, 5))
            if self.some() < 0.05:
                names = names[: int(self.rng.integers(0, len(names) + 1))] + [""]
            given = [self.argument(n) for n in names if n not in ("args", "kwargs")]
            if name in STEPPERS:
                signal.setitimer(signal.ITIMER_REAL, ENOUGH)
            result = f(*given)
        except Enough:
            return "interrupted"
        except RecursionError:
            raise AssertionError(f"endless recursion: {[type(g).__name__ for g in given]}") from None
        except Exception as e:  # a panic is not an Exception
            assert "engine stopped" not in str(e), f"{name} {method}: {e}"
            return "refused"
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        # a large returned number, such as a version, would later request that many worlds
        large = isinstance(result, int) and abs(result) > LARGE
        if len(self.made) < 50 and result is not None and not large:
            self.made.append(result)
        return "returned"


def run(watch, seed):
    calls = Calls(seed)
    signal.signal(signal.SIGALRM, enough)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # some write files
        while watch.goes_on():
            if watch.inputs % 200 == 199:
                sinew.mj_resetCallbacks()
                calls.fresh()
            calls.one(watch)
