"""The schema has the elements and attributes of MuJoCo's own schema."""

import re
from pathlib import Path

import mujoco

SCHEMA = Path(__file__).parents[2] / "mjcf" / "src" / "mjcf.schema"


def ours():
    """Paths of elements, each with its attributes and cardinality."""
    root, groups, stack = None, {}, []
    for line in SCHEMA.read_text(encoding="utf-8").splitlines():
        if line.startswith(("element ", "struct ")):
            break  # the rest are structs composed of the groups
        body = line.strip()
        if not body or body.startswith(("#", "words")):
            continue
        del stack[(len(line) - len(line.lstrip())) // 4 :]
        if line.startswith("group "):
            stack.append(groups.setdefault(body[6:], {"names": [], "attrs": set(), "kids": [], "uses": []}))
        elif body.startswith("use "):
            stack[-1]["uses"].append(body[4:])
        elif match := re.match(r"<(.*)>\s*(\S*)", body):
            names, mark = match.groups()
            node = {"names": names.split(), "mark": mark, "attrs": set(), "kids": [], "uses": []}
            if stack:
                stack[-1]["kids"].append(node)
            root = root or (node if not stack else None)
            stack.append(node)
        else:
            stack[-1]["attrs"].update(body.split(": ")[0].split())

    def whole(node):
        attrs, kids = set(node["attrs"]), list(node["kids"])
        for name in node["uses"]:
            more, below = whole(groups[name])
            attrs |= more
            kids += below
        return attrs, kids

    out = {}

    def walk(node, path):
        attrs, kids = whole(node)
        for name in node["names"]:
            here = path + (name,)
            out[here] = (node.get("mark", ""), attrs)
            for kid in kids:
                if not set(kid["names"]) & set(here[1:]) & {"body", "frame", "replicate", "default"}:
                    walk(kid, here)

    walk(root, ())
    return out


def theirs():
    out, path = {}, []
    for line in mujoco.mj_printSchema(False, False).splitlines():
        if match := re.match(r"( *)(\S+) \((.)\)\s*(.*)", line):
            indent, name, mark, attrs = match.groups()
            path = path[: len(indent) // 3] + [name]
            out[tuple(path)] = (mark, set(attrs.split()))
        else:
            out[tuple(path)][1].update(line.split())
    return out


def test_names_and_cardinality():
    mine, want = ours(), theirs()
    # MuJoCo lists the world and all bodies once, as (world)body, and leaves out frames and replication
    tree = ("mujoco", "worldbody")
    bodies = {k: v for k, v in mine.items() if k[:2] == tree}
    mine = {k: v for k, v in mine.items() if k[:2] != tree}
    for path, (mark, attrs) in bodies.items():
        if "frame" not in path and "replicate" not in path and path != tree:
            inner = path[2:] if path[2:3] != ("body",) else path[3:]
            mine.setdefault(("mujoco", "(world)body") + inner, (mark, attrs))
    mine["mujoco", "(world)body"] = bodies[tree + ("body",)]
    assert mine.keys() == want.keys()
    for path, (mark, attrs) in want.items():
        assert mine[path][1] == attrs, path
        if mark in "*?":
            assert mine[path][0] == mark, path
