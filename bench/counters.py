"""Cost of calls in hardware terms: instructions, cache misses and branch mispredictions, by callgrind and `perf stat`.

A separate process loads the model, sets a state and calls stages on command, so that nothing else is counted.
"""
import glob
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

WORKER = """
import importlib, sys
import numpy as np
module = importlib.import_module(sys.argv[1])
m = module.MjModel.from_xml_path(sys.argv[2])
d = module.MjData(m)
module.mj_setState(m, d, np.load(sys.argv[3]), module.mjtState.mjSTATE_INTEGRATION)
module.mj_forward(m, d)
print("ready", flush=True)
for line in sys.stdin:
    stage, calls = line.split()
    if stage == "nothing":
        call = lambda m, d: module.mj_isSparse(m)
    else:
        call = getattr(module, "mj_" + stage)
    module.mj_forward(m, d)
    print("begin", flush=True)
    sys.stdin.readline()
    for _ in range(int(calls)):
        call(m, d)
    print("end", flush=True)
    sys.stdin.readline()
"""
PERF = ("cycles", "instructions", "cache-misses", "branch-misses")


def has_callgrind():
    return bool(shutil.which("valgrind") and shutil.which("callgrind_control"))


def has_perf():
    """Whether `perf stat` counts cycles here; in virtual machines it often cannot."""
    if not shutil.which("perf"):
        return False
    found = subprocess.run(["perf", "stat", "-x,", "-e", "cycles:u", "true"], capture_output=True, text=True)
    return found.returncode == 0 and "<not" not in found.stderr


class Worker:
    """A process that calls stages; `before` is the command prefix of the profiler."""

    def __init__(self, engine, path, state, before=(), **env):
        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([*before, sys.executable, "-c", WORKER, engine, path, state], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said, env=os.environ | env)
        self.hear()

    def hear(self):
        if not self.process.stdout.readline():
            self.said.seek(0)
            sys.exit("a counted process has ended: " + "".join(line for line in self.said if "==" not in line))

    def say(self, text):
        print(text, file=self.process.stdin, flush=True)

    def calls(self, stage, count, begin, end):
        """Counts between `begin()` and the result of `end()`."""
        self.say(f"{stage} {count}")
        self.hear()
        begin()
        self.say("go")
        self.hear()
        found = end()
        self.say("next")
        return found

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Callgrind:
    """Counts of one engine on one model by callgrind, which simulates caches and branch predictor."""

    def __init__(self, engine, path, state):
        self.folder = tempfile.mkdtemp()
        out = os.path.join(self.folder, "out")
        valgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--cache-sim=yes", "--branch-sim=yes",
                    f"--callgrind-out-file={out}"]
        # older versions do not know all instructions of newer processors
        plain = {"SINEW_LEVEL": "x86-64"} if platform.machine() in ("x86_64", "AMD64") else {}
        self.worker = Worker(engine, path, state, valgrind, **plain)
        self.control("--instr=on")

    def control(self, *words):
        subprocess.run(["callgrind_control", *words, str(self.worker.process.pid)], check=True, capture_output=True)

    def count(self, stage, calls):
        """Per call: instructions, first-level instruction and data cache misses, last-level misses, mispredicted
        branches."""
        self.worker.calls(stage, 1, lambda: None, lambda: None)
        return self.worker.calls(stage, calls, lambda: self.control("--zero"), self.dump) / calls

    def dump(self):
        self.control("--dump")
        [path] = glob.glob(os.path.join(self.folder, "out.*"))
        with open(path) as lines:
            found = dict(line.split(":", 1) for line in lines if line.startswith(("events:", "totals:")))
        os.remove(path)
        of = dict(zip(found["events"].split(), map(float, found["totals"].split())))
        sums = (("Ir",), ("I1mr",), ("D1mr", "D1mw"), ("ILmr", "DLmr", "DLmw"), ("Bcm", "Bim"))
        return np.array([sum(of.get(name, 0) for name in names) for names in sums])

    def close(self):
        self.worker.close()
        shutil.rmtree(self.folder)


class Perf:
    """Counts of one engine on one model by the hardware counters."""

    def __init__(self, engine, path, state):
        self.worker = Worker(engine, path, state)

    def count(self, stage, calls):
        """Per call: the events of `PERF`."""
        def begin():
            words = ["perf", "stat", "-x,", "-e", ",".join(e + ":u" for e in PERF), "-p", str(self.worker.process.pid)]
            self.perf = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
            time.sleep(0.1)  # until perf counts

        def end():
            self.perf.send_signal(signal.SIGINT)
            rows = [line.split(",") for line in self.perf.communicate()[1].splitlines()]
            return np.array([float(row[0]) for row in rows if len(row) > 2])

        return self.worker.calls(stage, calls, begin, end) / calls

    def close(self):
        self.worker.close()
