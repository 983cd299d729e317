#!/usr/bin/env python3
"""Checks that exchangeable parts cost plain steps nothing.

    parts.py bits LIST.txt|MODEL.xml ... [--steps 50]
    parts.py calls

`bits` steps every model plainly and as a `Sim` with the default parts; states and sensors must be bitwise equal.
`calls` disassembles both and counts indirect calls per function: a `Sim` may have no more than the plain step, whose
plugins and callbacks are called through vtables. Both build `crates/sinew/examples/plain_and_sim.rs` in the release
profile, which takes minutes if nothing is built yet. The last line is the verdict; the exit status is 0 only if it is
`ok`.
"""
import collections
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAMPLE = "plain_and_sim"


def build():
    """Builds the program with symbol names that include generic parameters."""
    names = ["--", "-C", "symbol-mangling-version=v0"]
    subprocess.run(["cargo", "rustc", "--release", "--quiet", "-p", "sinew", "--example", EXAMPLE, *names], cwd=ROOT, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    return os.path.join(target, "release", "examples", EXAMPLE)


def side(symbol):
    """Whether a function is instantiated for a simulation, for plain steps, or for neither."""
    return "sim" if "Assembly<" in symbol else "plain" if f"{EXAMPLE}::Plain" in symbol else None


def short(symbol):
    return re.sub(r"::<.*", "", symbol.split(" as ")[0])


def indirect(program):
    """Indirect calls of every function instantiated for the parts of a simulation, and of its counterpart for plain
    steps."""
    text = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", program], capture_output=True, text=True, check=True).stdout
    found = {"plain": collections.Counter(), "sim": collections.Counter()}
    shared = set()
    kind = name = None
    for line in text.splitlines():
        head = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        if head:
            kind = side(head.group(1))
            name = short(head.group(1))
            if kind:
                found[kind][name] += 0
        # calls through the linker's table, relative to the instruction pointer, are direct ones
        elif kind and re.search(r"\bcall\s+\*(?!.*\(%rip\))", line):
            found[kind][name] += 1
        # the linker merges functions with identical code
        elif kind == "plain" and (called := re.search(r"\b(?:call|jmp)\s+[0-9a-f]+ <(.*)>$", line)) and side(called.group(1)) == "sim":
            shared.add(short(called.group(1)))
    found["plain"].update({name: found["sim"][name] for name in shared if name not in found["plain"]})
    return found


def verdict(good, what):
    """Prints the verdict, and returns the exit status."""
    print(f"{'ok' if good else 'FAILED'}: {what}", flush=True)
    return int(not good)


def bits(arguments):
    status = subprocess.run([build(), *arguments]).returncode
    return verdict(status == 0, "a Sim with the usual parts and plain steps have the same bits")


def calls():
    found = indirect(build())
    total = {kind: sum(calls.values()) for kind, calls in found.items()}
    print(f"{len(found['plain'])} functions of plain steps: {total['plain']} indirect calls")
    print(f"{len(found['sim'])} functions of a Sim: {total['sim']} indirect calls")
    for name in sorted(set(found["plain"]) | set(found["sim"])):
        plain, sim = found["plain"][name], found["sim"][name]
        if plain or sim:
            print(f"  {name}: {plain} and {sim}")
    if not found["plain"] or not found["sim"]:
        return verdict(False, "functions of plain steps or of a Sim are not in the program")
    return verdict(total["sim"] <= total["plain"], "a Sim has no more indirect calls than plain steps")


def main():
    if sys.argv[1:2] == ["bits"] and len(sys.argv) > 2:
        return bits(sys.argv[2:])
    if sys.argv[1:] == ["calls"]:
        return calls()
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main())
