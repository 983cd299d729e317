"""The type stubs match the tables and are valid Python."""

import ast
import importlib.util
import inspect
import pathlib

import sinew

ROOT = pathlib.Path(__file__).parent.parent


def generator():
    spec = importlib.util.spec_from_file_location("stubs", ROOT / "tools" / "stubs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_current():
    stubs = generator()
    assert stubs.TARGET.read_text(encoding="utf-8") == stubs.text(), "run crates/python/tools/stubs.py"


def test_every_public_name_is_typed():
    tree = ast.parse((ROOT / "package" / "sinew" / "__init__.pyi").read_text(encoding="utf-8"))
    typed = set()
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            typed.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            typed.add(node.target.id)
    public = {n for n in vars(sinew) if not n.startswith("_")} - {n for n, v in vars(sinew).items() if inspect.ismodule(v)}
    assert public <= typed, public - typed
    assert (ROOT / "package" / "sinew" / "py.typed").exists()


def test_every_attribute_is_typed():
    tree = ast.parse((ROOT / "package" / "sinew" / "__init__.pyi").read_text(encoding="utf-8"))
    classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
    for name in ("MjModel", "MjData", "MjOption", "MjContact"):
        members = set()
        for node in classes[name].body:
            if isinstance(node, ast.FunctionDef):
                members.add(node.name)
            elif isinstance(node, ast.AnnAssign):
                members.add(node.target.id)
        public = {n for n in dir(getattr(sinew, name)) if not n.startswith("_")}
        assert public == {m for m in members if not m.startswith("_")}, public ^ members
