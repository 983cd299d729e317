"""Programs that import mujoco get sinew, including submodules, and nothing of the real one."""

import subprocess
import sys

import pytest
import sinew

HIDE = """
import sys
class Hide:  # the real module counts as not installed
    def find_spec(self, name, path=None, target=None):
        if name == "mujoco":
            raise ModuleNotFoundError("no mujoco")
sys.meta_path.insert(0, Hide())
"""


def run(program, *arguments):
    return subprocess.run([sys.executable, *arguments, "-c", HIDE + program] if program else
                          [sys.executable, *arguments], capture_output=True, text=True)


def test_import():
    done = run("""
import sinew
module = sinew.as_mujoco()
import mujoco
assert mujoco is module is sinew.as_mujoco() and mujoco.__version__ == sinew.__version__
assert mujoco.mj_step is sinew.mj_step and mujoco._structs.MjModel is sinew.MjModel
import mujoco.rollout, mujoco.minimize, mujoco.msh2obj, mujoco.renderer, mujoco.gl_context
from mujoco import egl, glfw, osmesa, viewer
assert viewer is sinew.viewer is mujoco.viewer
from mujoco.egl import GLContext
import sinew.rollout, sinew.minimize
assert mujoco.rollout is sinew.rollout is sys.modules["mujoco.rollout"]
assert mujoco.minimize is sinew.minimize and mujoco.renderer.Renderer is sinew.Renderer
assert GLContext is mujoco.GLContext is glfw.GLContext
context = osmesa.GLContext(8, 8)
context.make_current()
context.free()
import numpy as np, pickle
from mujoco.rollout import rollout
m = mujoco.MjModel.from_xml_string('<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>')
d = mujoco.MjData(pickle.loads(pickle.dumps(m)))
state, _ = rollout(m, d, np.zeros(3), nstep=4)
assert isinstance(d, sinew.MjData) and state.shape == (1, 4, 3)
assert sinew.rollout.__spec__.name == "sinew.rollout" and sinew.__name__ == "sinew"
assert not [name for name, module in sys.modules.items() if "/mujoco/" in (getattr(module, "__file__", "") or "")]
""")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name, says", [("usd", "does not write USD"), ("usd.exporter", "does not write USD"),
                                        ("nothing", "has no 'nothing'"), ("mjx", "no 'mjx' is installed")])
def test_absent(name, says):
    done = run(f"import sinew; sinew.as_mujoco(); sys.path = sys.path[:0]; import mujoco.{name}")
    assert "ModuleNotFoundError" in done.stderr and says in done.stderr, done.stderr


def test_too_late():
    import mujoco  # noqa: F401

    with pytest.raises(ImportError, match="at the beginning of the program"):
        sinew.as_mujoco()


def test_packages_beside(tmp_path):
    """Packages installed into mujoco's folder that work with any implementation."""
    package = tmp_path / "mujoco" / "mjx"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("import mujoco\nfrom mujoco.mjx.part import answer\n")
    (package / "part.py").write_text("import mujoco\nanswer = mujoco.MjModel\n")
    done = run(f"import sinew; sinew.as_mujoco(); sys.path.insert(0, {str(tmp_path)!r})\n"
               "from mujoco import mjx; assert mjx.answer is sinew.MjModel and mjx.mujoco.mj_step is sinew.mj_step")
    assert done.returncode == 0, done.stderr


def test_programs(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import sys, helper, mujoco\nprint(mujoco.__name__, __name__, sys.argv[1:], helper.x)\n")
    (tmp_path / "helper.py").write_text("x = 3\n")
    done = run(None, "-m", "sinew", str(script), "a", "-b")
    assert done.stdout == "mujoco __main__ ['a', '-b'] 3\n", done.stderr
    done = run(None, "-m", "sinew", "-m", "mujoco.msh2obj", "--help")
    assert ".obj file to write" in done.stdout, done.stderr
    assert "usage" in run(None, "-m", "sinew").stderr


def test_contexts_of_packages(tmp_path):
    """Packages that create OpenGL contexts get dummy ones."""
    folder = tmp_path / "robosuite" / "renderers" / "context"
    folder.mkdir(parents=True)
    for place in (folder, folder.parent, folder.parent.parent):
        (place / "__init__.py").write_text("")
    (folder / "egl_context.py").write_text("raise ImportError('no display')")
    done = run(f"import sinew; sinew.as_mujoco(); sys.path.insert(0, {str(tmp_path)!r})\n"
               "from robosuite.renderers.context.egl_context import EGLGLContext\n"
               "context = EGLGLContext(max_width=8, max_height=8, device_id=-1); context.make_current()")
    assert done.returncode == 0, done.stderr


def test_scenes_of_subclasses():
    """Constructors of subclasses have their own arguments, and call the base constructor with other ones."""

    class Scene(sinew.MjvScene):
        def __init__(self, holder=None, model=None, max_geom=None):
            super().__init__(model.ptr, max_geom or 2000) if model else super().__init__()

    class Holder:
        ptr = sinew.MjModel.from_xml_string("<mujoco/>")

    assert Scene().maxgeom == 0
    scene = Scene(model=Holder(), max_geom=None)
    assert scene.maxgeom >= 2000 and len(scene.geoms) == scene.maxgeom
    with pytest.raises(ValueError, match="room for"):
        Scene(model=Holder(), max_geom=20000)
    with pytest.raises(TypeError, match="not"):
        sinew.MjvScene(Holder.ptr, max_geom=3)
    with pytest.raises(TypeError):
        sinew.MjvScene(Holder(), 3)
