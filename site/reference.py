"""Reference of the Python module, from its stubs and docstrings, and of the crates, from their manifests. Nothing is
imported."""

import ast
import html
import pathlib
import re
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "crates" / "python" / "package" / "sinew"
SUBMODULES = {  # in the order of the page: module, files
    "sinew.gym": ["gym/vector.py", "gym/tasks.py"],
    "sinew.gpu": ["gpu/batch.py", "gpu/vector.py"],
    "sinew.ray": ["ray/batch.py", "ray/rollout.py"],
    "sinew.torch": ["torch.py"],
    "sinew.jax": ["jax.py"],
    "sinew.identify": ["identify.py"],
    "sinew.rollout": ["rollout.py"],
    "sinew.minimize": ["minimize.py"],
    "sinew.viewer": ["viewer.py"],
    "sinew.msh2obj": ["msh2obj.py"],
}
INTRO = """# Python

`import sinew` has MuJoCo's names, with its shapes and semantics ([what is the same](../coming-from-mujoco.md)), and its own.
These pages are made from the package's type stubs, `sinew/__init__.pyi`, which editors read too, and from its docstrings.

| page | what is there |
|---|---|
| [Model and data](model-data.md) | `MjModel`, `MjData`, options, statistics, contacts: every field with its meaning |
| [Functions](functions.md) | `mj_step` and all other `mj_`, `mjd_`, `mju_` functions, callbacks |
| [Beyond MuJoCo](beyond.md) | `BatchSim`, `Sim`, derivatives, strict steps, plugins, films |
| [Specifications](spec.md) | `MjSpec` and its elements |
| [Drawing](drawing.md) | `Renderer`, scenes, cameras, `mjv_` and `mjr_` functions |
| [Submodules](submodules.md) | `sinew.gym`, `gpu`, `ray`, `torch`, `jax`, `identify`, `rollout`, `minimize`, `viewer` |
| [Enums and constants](enums.md) | all values |
"""
CODE = re.compile("`([^`]+)`")
BEYOND = "BatchSim Sim Transition BatchTransition InverseDerivatives TransitionCheck Plugin Video StepError".split()


def code(match):
    return f"<code>{match[1]}</code>"


def prose(text):
    """A docstring as HTML: paragraphs, and code between backquotes."""
    parts = re.split(r"\n\s*\n", html.escape(text.strip(), quote=False))
    return "".join(f"<p>{CODE.sub(code, part)}</p>" for part in parts if part)


def line(text):
    return prose(text).removeprefix("<p>").removesuffix("</p>")


def signature(node, name=None):
    arguments = ast.unparse(node.args).replace("NDArray[np.float64]", "array").replace("NDArray[np.int32]", "array[int32]")
    arguments = re.sub(r"NDArray\[np\.(\w+)\]", r"array[\1]", arguments).replace("self, ", "").replace("self", "")
    gives = f" → {kind(node.returns)}" if node.returns and ast.unparse(node.returns) != "None" else ""
    return html.escape(f"{name or node.name}({arguments}){gives}", quote=False)


def kind(node):
    text = ast.unparse(node)
    return re.sub(r"NDArray\[np\.(\w+)\]", r"array[\1]", text).replace("array[float64]", "array")


def function(node, owner=""):
    name = f"{owner}.{node.name}" if owner else node.name
    return f'<div class="api" id="{name}"><code>{signature(node, name)}</code>{prose(ast.get_docstring(node) or "")}</div>'


def fields(node):
    """Table rows of a class: annotated names and properties, each with its description."""
    body = node.body
    for i, item in enumerate(body):
        after = body[i + 1] if i + 1 < len(body) else None
        if isinstance(item, ast.AnnAssign):
            text = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            yield item.target.id, kind(item.annotation), text
        elif isinstance(item, ast.FunctionDef) and any(isinstance(d, ast.Name) and d.id == "property" for d in item.decorator_list):
            yield item.name, kind(item.returns) if item.returns else "", ast.get_docstring(item) or ""


def methods(node):
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and not item.decorator_list and not item.name.startswith("_"):
            yield item


def described(node):
    """A class: heading, text, table of fields, methods."""
    rows = "".join(f"<tr><td><code>{n}</code></td><td>{html.escape(k)}</td><td>{line(t)}</td></tr>" for n, k, t in fields(node))
    table = f"<table><thead><tr><th>field</th><th>type</th><th>meaning</th></tr></thead><tbody>{rows}</tbody></table>" if rows else ""
    calls = "".join(function(m, node.name) for m in methods(node))
    return f"\n## {node.name} {{ #{node.name} }}\n\n<div>{prose(ast.get_docstring(node) or '')}{table}{calls}</div>\n"


def enum(node):
    rows = "".join(
        f"<tr><td><code>{i.targets[0].id}</code></td><td>{html.escape(ast.unparse(i.value))}</td></tr>"
        for i in node.body if isinstance(i, ast.Assign) and isinstance(i.targets[0], ast.Name)
    )
    return f"\n## {node.name} {{ #{node.name} }}\n\n<div>{prose(ast.get_docstring(node) or '')}<table><tbody>{rows}</tbody></table></div>\n"


def page(title, classes=(), functions=()):
    """A reference page; functions are grouped by their first letters."""
    text = f"# {title}\n" + "".join(map(described, classes))
    if functions:
        text += "\n## Functions\n\n" * bool(classes) + "\n<div>" + "".join(map(function, functions)) + "</div>\n"
    return text


def submodules():
    text = "# Submodules\n"
    for module, files in SUBMODULES.items():
        trees = [ast.parse((PACKAGE / file).read_text(encoding="utf-8")) for file in files]
        text += f"\n## {module}\n\n<div>{prose(ast.get_docstring(trees[0]) or '')}"
        for node in (node for tree in trees for node in tree.body):
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                text += function(node, module)
            elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                made = next((m for m in node.body if isinstance(m, ast.FunctionDef) and m.name == "__init__"), None)
                head = signature(made, f"{module}.{node.name}") if made else f"{module}.{node.name}"
                text += f'<div class="api" id="{module}.{node.name}"><code>{head}</code>{prose(ast.get_docstring(node) or "")}'
                text += "".join(function(m, node.name) for m in methods(node) if ast.get_docstring(m)) + "</div>"
        text += "</div>\n"
    return text


def crates():
    """Crates with their descriptions and features; links go to rustdoc's pages, which `cargo xtask site` puts next to
    these."""
    text = "# Rust\n\nPrograms depend on the crate `sinew`, which re-exports what they need; the others are its parts.\n\n"
    text += "| crate | what it is | features |\n|---|---|---|\n"
    for manifest in sorted([*ROOT.glob("crates/*/Cargo.toml"), *ROOT.glob("crates/viewer/web/Cargo.toml")]):
        crate = tomllib.loads(manifest.read_text(encoding="utf-8"))
        name, about = crate["package"]["name"], crate["package"]["description"]
        if not crate["package"].get("publish", True):
            continue
        features = ", ".join(f"`{f}`" for f in crate.get("features", {}) if f != "default") or "none"
        library = f'<a href="../rust/{name.replace("-", "_")}/index.html"><code>{name}</code></a>'
        text += f"| {f'`{name}`, the command' if 'bin' in crate else library} | {about} | {features} |\n"
    return text


def pages():
    """All pages of the reference, by address."""
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef) and not n.name.startswith("_")}
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef)]
    enums = [n for n in classes.values() if n.name.startswith("mjt")]
    drawing = [n for n in classes.values() if n.name.startswith(("Mjv", "Mjr")) or n.name in ("Renderer", "GLContext")]
    spec = [n for n in classes.values() if n.name.startswith(("MjSpec", "Mjs"))]
    beyond = [classes[name] for name in BEYOND]
    rest = [n for n in classes.values() if n not in [*enums, *drawing, *spec, *beyond]]
    rest.sort(key=lambda n: n.name not in ("MjModel", "MjData"))
    named = lambda *prefixes: [f for f in functions if f.name.startswith(prefixes)]  # noqa: E731
    own = [f for f in functions if not f.name.startswith(("mj", "get_mj", "set_mj", "to_zip", "from_zip"))]
    constants = [n for n in tree.body if isinstance(n, ast.AnnAssign)]
    table = "".join(f"| `{n.target.id}` | {kind(n.annotation)} |\n" for n in constants)
    return {
        "api/python.md": INTRO,
        "api/model-data.md": page("Model and data", rest),
        "api/functions.md": page("Functions", (), named("mj_", "mjd_", "mjc_") + named("mju_") + named("set_mj", "get_mj")),
        "api/beyond.md": page("Beyond MuJoCo", beyond, own),
        "api/spec.md": page("Specifications", spec, named("to_zip", "from_zip", "mjs_")),
        "api/drawing.md": page("Drawing", drawing, named("mjv_", "mjr_")),
        "api/submodules.md": submodules(),
        "api/enums.md": "# Enums and constants\n" + "".join(map(enum, enums)) + f"\n## Constants\n\n| name | type |\n|---|---|\n{table}",
        "api/rust.md": crates(),
    }
