"""Runs a program with sinew as mujoco: `python -m sinew program.py …` or `python -m sinew -m module …`."""

import os
import runpy
import sys

from . import as_mujoco

_USAGE = "usage: python -m sinew program.py [argument …]\n       python -m sinew -m module [argument …]"


def main():
    arguments = sys.argv[1:]
    module = arguments[:1] == ["-m"]
    if len(arguments) < 1 + module:
        sys.exit(_USAGE)
    sys.argv = arguments[module:]
    as_mujoco()
    if module:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
        runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
