"""Random models: a grammar of MJCF. `model(seed)` generates a document with a bit of every feature of the engine.

`python random_models.py SEED` prints one. The documents contain no files or plugins; flexes are in `random_flex.py`.
"""

import random
import sys
import xml.etree.ElementTree as ET
from collections import defaultdict

import random_parts


class Draw(random.Random):
    """Random numbers as text: short, often round, so that symmetric and degenerate cases occur."""

    def yes(self, p):
        return self.random() < p

    def real(self, low, high):
        x = self.uniform(low, high)
        return f"{round(x, 1) if self.yes(0.3) else x:.3g}"

    def reals(self, n, low, high):
        return " ".join(self.real(low, high) for _ in range(n))

    def span(self, low, middle, high):
        """An interval that contains `middle`."""
        return f"{self.uniform(low, middle):.3g} {self.uniform(middle, high) + 1e-3:.3g}"

    def axis(self):
        if self.yes(0.5):
            return self.choice(("1 0 0", "0 1 0", "0 0 1", "0 0 -1"))
        return self.reals(2, -1, 1) + " " + self.choice(("1", "-0.5", "0.3"))

    def solver(self, e, ref, imp, p=0.25):
        """solref and solimp parameters, in both formats."""
        if self.yes(p):
            e.set(ref, self.choice((f"{self.uniform(.005, .1):.3g} {self.uniform(.3, 2):.3g}",
                                    f"{-self.uniform(50, 2000):.3g} {-self.uniform(2, 60):.3g}", "0.02")))
        if self.yes(p):
            e.set(imp, self.choice((".8 .9 .01", ".9 .99 .003 .3 3", ".5 .5 .1", "0 .9 .002 .5 1", ".95 .95 .001 .2 4.5")))


class Document:
    """A document under construction and the names that later parts may refer to."""

    def __init__(self, seed):
        self.r = Draw(seed)
        self.root = ET.Element("mujoco", model=f"random {seed}")
        self.names = defaultdict(list)
        self.degrees = self.r.yes(0.5)
        self.sleeps = self.r.yes(0.12)
        self.classes = []
        self.budget = self.r.randint(1, 9)

    def new(self, kind):
        name = f"{kind}{len(self.names[kind])}"
        self.names[kind].append(name)
        return name

    def some(self, kind):
        return self.r.choice(self.names[kind])

    def add(self, parent, tag, **attributes):
        return ET.SubElement(parent, tag, {k.rstrip("_"): str(v) for k, v in attributes.items() if v is not None})

    def angle(self, low, high):
        factor = 57.3 if self.degrees else 1.0
        return self.r.uniform(low, high) * factor

    def classed(self, e):
        if self.classes and self.r.yes(0.25):
            e.set("class", self.r.choice(self.classes))


def orient(doc, e):
    r = doc.r
    kind = r.choice(("quat", "axisangle", "euler", "xyaxes", "zaxis", "", "", ""))
    if kind == "quat":
        e.set("quat", r.choice(("1 0 0 0", ".7071 .7071 0 0", "0 1 0 0")) if r.yes(0.2) else "1 " + r.reals(3, -1, 1))
    elif kind == "axisangle":
        e.set("axisangle", f"{r.axis()} {doc.angle(-3, 3):.3g}")
    elif kind == "euler":
        e.set("euler", " ".join(f"{doc.angle(-2, 2):.3g}" for _ in range(3)))
    elif kind == "xyaxes":
        e.set("xyaxes", f"1 {r.reals(2, -1, 1)} {r.real(-1, 1)} 1 {r.real(-1, 1)}")
    elif kind == "zaxis":
        e.set("zaxis", r.axis())


SHAPES = ("sphere", "capsule", "cylinder", "ellipsoid", "box", "mesh")


def geom(doc, parent, reach=0.2):
    r = doc.r
    e = doc.add(parent, "geom", name=doc.new("geom"))
    doc.classed(e)
    shape = r.choice(SHAPES if doc.names["mesh"] else SHAPES[:-1])
    e.set("type", shape)
    if shape == "mesh":
        e.set("mesh", doc.some("mesh"))
    elif shape in ("capsule", "cylinder") and r.yes(0.3):
        e.set("fromto", f"0 0 0 {r.reals(2, -.3, .3)} {r.real(.1, .4)}")
        e.set("size", f"{r.uniform(.02, .1):.2g}")
    else:
        e.set("size", " ".join(f"{r.uniform(.03, .15):.2g}" for _ in range(3)))
    if "fromto" not in e.attrib:
        if r.yes(0.8):
            e.set("pos", r.reals(3, -reach, reach))
        orient(doc, e)
    if shape in ("sphere", "cylinder"):
        doc.names["wrap"].append(e.get("name"))
    weight = r.choice(("density", "mass", "", "", ""))
    if weight:
        e.set(weight, f"{r.uniform(100, 3000):.3g}" if weight == "density" else f"{r.uniform(.1, 5):.3g}")
    if r.yes(0.1):
        e.set("shellinertia", "true" if shape != "mesh" else "false")
    if r.yes(0.2):
        e.set("group", str(r.randint(0, 5)))
    if r.yes(0.15):
        e.set("fluidshape", "ellipsoid")
        if r.yes(0.5):
            e.set("fluidcoef", r.reals(5, 0, 2))
    contact_parameters(doc, e)
    return e


def contact_parameters(doc, e):
    r = doc.r
    e.set("condim", str(r.choice((1, 3, 3, 4, 6))))
    if r.yes(0.4):
        e.set("friction", f"{r.real(.1, 1.5)} {r.real(.001, .05)} {r.real(.0001, .01)}")
    if r.yes(0.2):
        e.set("priority", str(r.randint(0, 2)))
    if r.yes(0.2):
        e.set("solmix", r.choice(("0", ".3", "2", "10")))
    if r.yes(0.2):
        margin = r.uniform(0, 0.1)
        e.set("margin", f"{margin:.3g}")
        e.set("gap", f"{margin * r.random():.3g}")
    if r.yes(0.25):
        e.set("contype", str(r.choice((0, 1, 2, 3))))
        e.set("conaffinity", str(r.choice((0, 1, 2, 3))))
    r.solver(e, "solref", "solimp")


def joint(doc, parent, kind, axis=None):
    r = doc.r
    if kind == "free" and r.yes(0.5):
        e = doc.add(parent, "freejoint", name=doc.new("free"))
        if r.yes(0.2):
            e.set("align", r.choice(("true", "false")))
        return
    e = doc.add(parent, "joint", name=doc.new({"hinge": "joint", "slide": "joint"}.get(kind, kind)), type=kind)
    if kind == "hinge":
        doc.names["hinge"].append(e.get("name"))
    if kind != "free":
        doc.classed(e)
    scalar = kind in ("hinge", "slide")
    angle = doc.angle(0.2, 1.5) if kind == "hinge" else r.uniform(0.1, 0.6)
    if kind != "free" and r.yes(0.6):
        e.set("pos", r.reals(3, -0.2, 0.2))
    if scalar:
        e.set("axis", axis or r.axis())
        if r.yes(0.3):
            e.set("ref", f"{angle * .4:.3g}")
        if r.yes(0.3):
            e.set("springref", f"{-angle * .3:.3g}")
    if scalar and r.yes(0.4):
        e.set("range", f"{-angle:.3g} {angle * r.uniform(0, 2):.3g}")
        doc.names["limited"].append(e.get("name"))
    elif kind == "ball" and r.yes(0.4):
        e.set("range", f"0 {doc.angle(.2, 2):.3g}")
        doc.names["limited"].append(e.get("name"))
    if r.yes(0.2):
        e.set("margin", f"{doc.angle(0, .2):.3g}" if kind != "slide" else ".05")
    if r.yes(0.4):
        e.set("damping", r.real(0.05, 2))
    if r.yes(0.25):
        e.set("stiffness", r.real(0.5, 20))
    if r.yes(0.1):
        e.set("springdamper", f"{r.uniform(.05, .5):.3g} {r.uniform(.3, 1.5):.3g}")
    if r.yes(0.4) and kind != "free":
        e.set("armature", r.choice((".01", ".1", "1")))
    if r.yes(0.2) and kind != "free":
        e.set("frictionloss", r.real(0.1, 2))
    if scalar and r.yes(0.15):
        e.set("actuatorfrcrange", r.span(-3, 0, 3))
    if scalar and r.yes(0.1):
        e.set("actuatorgravcomp", "true")
    r.solver(e, "solreflimit", "solimplimit", 0.15)
    r.solver(e, "solreffriction", "solimpfriction", 0.15)


def joints(doc, parent, at_root):
    r = doc.r
    if at_root and r.yes(0.45):
        return joint(doc, parent, "free")
    kinds = r.choice((["hinge"], ["hinge"], ["slide"], ["ball"], ["hinge", "hinge"], ["slide", "slide", "hinge"],
                      ["slide", "ball"], ["hinge", "slide", "hinge"], ["slide", "slide", "slide"], []))
    # the same slide twice makes the inertia singular; such models are compared elsewhere
    axes = r.sample(("1 0 0", "0 1 0", "0 0 1", "1 1 1"), 3)
    for kind, axis in zip(kinds, axes):
        joint(doc, parent, kind, axis if len(kinds) > 1 else None)


def inertial(doc, parent):
    r = doc.r
    e = doc.add(parent, "inertial", pos=r.reals(3, -0.1, 0.1), mass=r.real(0.1, 4))
    if r.yes(0.4):
        a, b, c = (r.uniform(-0.003, 0.003) for _ in range(3))
        e.set("fullinertia", f"{r.uniform(.01, .03):.3g} {r.uniform(.01, .03):.3g} .0201 {a:.3g} {b:.3g} {c:.3g}")
    else:
        e.set("diaginertia", f".02 {r.choice(('.02', '.03', '.0200000001'))} .02")
        orient(doc, e)


def decorate(doc, body):
    """Sites, cameras and lights."""
    r = doc.r
    for _ in range(r.randint(0, 2)):
        e = doc.add(body, "site", name=doc.new("site"), pos=r.reals(3, -0.3, 0.3), size=r.reals(3, 0.05, 0.3))
        e.set("type", r.choice(("sphere", "capsule", "box", "ellipsoid", "cylinder")))
        doc.classed(e)
        orient(doc, e)
    modes = ["fixed", "track", "trackcom"] + (["targetbody", "targetbodycom"] if doc.names["body"] else [])
    if r.yes(0.2):
        mode = r.choice(modes)
        e = doc.add(body, "camera", name=doc.new("camera"), pos=r.reals(3, -1, 1), mode=mode, resolution="8 6")
        orient(doc, e)
        if mode.startswith("target"):
            e.set("target", doc.some("body"))
        if r.yes(0.3):
            e.set("focal", ".02 .03")
            e.set("sensorsize", ".03 .02")
    if r.yes(0.15):
        mode = r.choice(modes)
        e = doc.add(body, "light", name=doc.new("light"), pos=r.reals(3, -1, 1), mode=mode, dir=r.axis())
        if mode.startswith("target"):
            e.set("target", doc.some("body"))


def container(doc, parent):
    """Sometimes wraps the content of a body in a frame or a replicate."""
    r = doc.r
    if r.yes(0.12):
        e = doc.add(parent, "frame", pos=r.reals(3, -0.2, 0.2))
        orient(doc, e)
        return e
    return parent


def body(doc, parent, depth, place):
    r = doc.r
    doc.budget -= 1
    e = doc.add(container(doc, parent), "body", name=f"body{len(doc.names['body'])}", pos=place)
    orient(doc, e)
    if depth == 0 and r.yes(0.08):
        e.set("mocap", "true")
        doc.names["mocap"].append(e.get("name"))
    else:
        joints(doc, e, depth == 0)
    if r.yes(0.15):
        e.set("gravcomp", r.choice(("1", ".5", "-1", "2")))
    if doc.classes and r.yes(0.2):
        e.set("childclass", r.choice(doc.classes))
    if doc.sleeps and depth == 0 and r.yes(0.5):
        e.set("sleep", r.choice(("auto", "never", "allowed", "init")) if "mocap" not in e.attrib else "auto")
    if r.yes(0.15):
        inertial(doc, e)
    for _ in range(r.choice((1, 1, 1, 2, 3))):
        geom(doc, container(doc, e))
    doc.names["body"].append(e.get("name"))
    decorate(doc, e)
    while doc.budget > 0 and r.yes(0.6) and depth < 5:
        body(doc, e, depth + 1, r.reals(3, -0.4, 0.4))


def replicas(doc, world):
    """Balls in a replicate; nothing refers to them."""
    r = doc.r
    e = doc.add(world, "replicate", count=r.randint(2, 3), offset=r.reals(3, -0.4, 0.4), sep="-")
    e.set("euler", " ".join(f"{doc.angle(-1, 1):.3g}" for _ in range(3)))
    b = doc.add(e, "body", pos=r.reals(3, -2, 2))
    doc.add(b, r.choice(("freejoint", "joint")))
    doc.add(b, "geom", type=r.choice(("box", "capsule")), size=".1 .05 .07", pos=".1 0 0")


def worldbody(doc):
    r = doc.r
    world = doc.add(doc.root, "worldbody")
    if r.yes(0.6):
        e = doc.add(world, "geom", name=doc.new("geom"), type="plane", size="5 5 .1", pos=f"0 0 {r.uniform(-.5, .2):.2g}")
        contact_parameters(doc, e)
        if r.yes(0.3):
            e.set("zaxis", ".1 .05 1")
    elif r.yes(0.2):
        doc.add(world, "geom", name=doc.new("geom"), type="hfield", hfield="ground", pos="0 0 -.3")
    if r.yes(0.3):
        geom(doc, world, 0.6)
    decorate(doc, world)
    while doc.budget > 0:
        body(doc, world, 0, f"{r.reals(2, -.7, .7)} {r.real(0, .8)}")
    if r.yes(0.08):
        replicas(doc, world)
    if not doc.names["site"]:
        doc.add(world, "site", name=doc.new("site"), pos=".3 .2 .1")


def model(seed, extra=None):
    """The text of a random model; `extra` adds to the finished document."""
    doc = Document(seed)
    random_parts.settings(doc)
    random_parts.defaults(doc)
    random_parts.assets(doc)
    worldbody(doc)
    for part in (random_parts.contact, random_parts.equality, random_parts.tendon, random_parts.actuator,
                 random_parts.sensor, random_parts.keyframe):
        part(doc)
    if extra:
        extra(doc)
    # MuJoCo's compiler crashes if bodies with cameras or lights are fused; it also loses geoms that tendons wrap around
    # and bodies to which flexes are pinned
    lost = [doc.root.find(path) for path in ("tendon/spatial/geom", "worldbody//flexcomp/pin", "deformable/flex")]
    if doc.names["camera"] or doc.names["light"] or any(e is not None for e in lost):
        doc.root.find("compiler").attrib.pop("fusestatic", None)
    ET.indent(doc.root)
    return ET.tostring(doc.root, encoding="unicode")


if __name__ == "__main__":
    print(model(int(sys.argv[1])))
