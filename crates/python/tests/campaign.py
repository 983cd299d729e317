"""A part of a campaign (`cargo xtask campaign`): random inputs until the given time or count is reached.

    python campaign.py models|states|calls|fields|archives --seconds 60 --seed 1 --out FOLDER

The report is `FOLDER/report.json`; the current input is in `FOLDER/current`, so that it is known if this process dies.
"""

import argparse
import faulthandler
import importlib
import json
import os
import pathlib
import resource
import signal
import sys
import time
from collections import Counter

PATIENCE = 20  # CPU time after which an input counts as hanging (s)
LONGER = {"models": 180}  # a model is stepped a hundred times, by MuJoCo too, and each step may take a second
MEMORY = 2048  # memory above which an input fails (MB)
FOUND = 3  # exit status if something was found


class Watch:
    """Counts inputs, their times, and findings."""

    def __init__(self, args):
        self.args, self.out = args, pathlib.Path(args.out).resolve()
        self.out.mkdir(parents=True, exist_ok=True)
        self.current = open(self.out / "current", "w")
        self.start = self.flushed = time.time()
        self.inputs = self.steps = 0
        self.slowest = 0.0
        self.outcomes, self.findings = Counter(), []
        self.before = peak()

    def goes_on(self):
        a = self.args
        return time.time() - self.start < a.seconds and self.inputs < a.inputs and self.steps < a.steps

    def run(self, what, work):
        """Processes an input; `work` returns the outcome, or raises AssertionError."""
        self.current.seek(0)
        self.current.truncate()
        self.current.write(what)
        self.current.flush()
        # CPU time, because other processes may load the machine; the signal ends the process
        signal.setitimer(signal.ITIMER_PROF, LONGER.get(self.args.part, PATIENCE))
        begun = time.process_time()
        try:
            self.outcomes[work()] += 1
        except AssertionError as e:
            self.found("wrong", str(e), what)
        except BaseException as e:
            if isinstance(e, KeyboardInterrupt):
                raise
            self.found("panic" if type(e).__name__ == "PanicException" else "error", f"{type(e).__name__}: {e}", what)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        self.inputs += 1
        self.slowest = max(self.slowest, time.process_time() - begun)
        if peak() > MEMORY > self.before:
            self.found("memory", f"{peak()} MB", what)
            self.before = peak()
        if time.time() - self.flushed > 1:
            self.flush()

    def found(self, kind, words, what):
        place = self.out / f"{self.args.part}-{kind}-{self.inputs}.txt"
        place.write_text(what)
        print(f"{self.args.part}: {kind}: {words[:300]}: {place}", file=sys.stderr)
        self.findings.append({"kind": kind, "what": words[:1000], "place": str(place)})

    def flush(self):
        self.flushed = time.time()
        report = {
            "part": self.args.part, "seconds": time.time() - self.start, "inputs": self.inputs, "steps": self.steps,
            "slowest_s": self.slowest, "peak_mb": peak(), "outcomes": dict(self.outcomes), "findings": self.findings,
        }  # fmt: skip
        (self.out / "report.json").write_text(json.dumps(report))

    def finish(self):
        self.flush()
        (self.out / "current").unlink()
        return FOUND if self.findings else 0


def peak():
    """Peak memory of this process. (MB)"""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def survives(work):
    """Whether a child process survives the work: MuJoCo's compiler crashes on some models."""
    child = os.fork()
    if child == 0:
        faulthandler.disable()
        try:
            work()
        except BaseException:
            pass
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["models", "states", "calls", "fields", "archives"])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--inputs", type=float, default=float("inf"))
    parser.add_argument("--steps", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    faulthandler.register(signal.SIGPROF, chain=True)
    watch = Watch(args)
    importlib.import_module(f"campaign_{args.part}").run(watch, args.seed)
    return watch.finish()


if __name__ == "__main__":
    sys.exit(main())
