"""Flexes of all kinds for random models: `add(doc)` puts some into a document. `python random_flex.py SEED` prints a model."""

import sys

import random_models

SHAPES = {1: ("grid", "circle", "direct"), 2: ("grid", "square", "disc", "box", "ellipsoid", "direct"),
          3: ("grid", "box", "cylinder", "ellipsoid", "direct")}  # fmt: skip
COUNTS = {
    (1, "grid"): ("3 1 1", "5 1 1", "8 1 1"), (1, "circle"): ("4 1 1", "7 1 1"), (2, "grid"): ("3 3 1", "2 4 1", "4 3 1"),
    (2, "square"): ("3 3 1", "4 3 1"), (2, "disc"): ("3 3 1", "5 5 1", "4 4 1"), (3, "grid"): ("2 2 2", "3 2 2", "3 3 3"),
}  # fmt: skip
POINTS = {
    1: ("0 0 0 .1 0 0 .1 .1 0 .2 .1 .1", "0 1 1 2 2 3"),
    2: ("0 0 0 .1 0 .01 .1 .12 0 0 .1 .02 .2 .05 .05", "0 1 2 0 2 3 1 4 2"),
    3: ("0 0 0 .1 0 0 0 .1 0 .02 .03 .12 .1 .1 .1", "0 1 2 3 1 2 3 4"),
}


def shape(r, e, dim):
    kind = r.choice(SHAPES[dim])
    e.set("type", kind)
    if kind == "direct":
        points, elements = POINTS[dim]
        e.set("point", points)
        e.set("element", elements)
        if r.yes(0.3):
            e.set("scale", "1.3 .8 1")
    else:
        e.set("count", r.choice(COUNTS.get((dim, kind), ("3 3 3", "2 3 2"))))
        e.set("spacing", f"{r.uniform(.08, .15):.3g} {r.uniform(.08, .15):.3g} {r.uniform(.08, .15):.3g}")
    return kind


def elasticity(doc, r, e, dim, kind, pinned):
    """Edge, element or hinge springs, or constraints."""
    choice = r.choice(("springs", "held", "held", "both", "nothing"))
    if dim == 1 and choice == "springs":
        doc.add(e, "edge", stiffness=r.real(5, 50), damping=r.real(0.01, 1))
    elif choice == "held":
        flat = dim == 2 and kind in ("grid", "square", "disc")
        edge = doc.add(e, "edge", equality=r.choice(("true", "vert")) if flat else "true")
        if r.yes(0.5):
            edge.set("damping", r.real(0.01, 0.5))
        r.solver(edge, "solref", "solimp")
    elif dim > 1 and choice != "nothing":
        mode = r.choice(("stretch",) if pinned else ("stretch", "bend", "both")) if dim == 2 else None
        doc.add(e, "elasticity", young=r.choice(("100", "500", "3e3")), poisson=r.choice(("0", ".2", ".45")),
                damping=r.choice((None, ".001", ".01")), thickness=r.real(0.005, 0.02), elastic2d=mode)


def contact(doc, r, e, dim, interpolated):
    # the search order of bounding volume hierarchies differs from MuJoCo's, see docs/deviations.md
    modes = ("none",) if interpolated else ("none", "narrow", "sap") + (("auto",) if dim < 3 else ())
    c = doc.add(e, "contact", selfcollide=r.choice(modes))
    if r.yes(0.2) and not interpolated:
        c.set("internal", "true")
    if r.yes(0.3):
        c.set("condim", r.choice(("1", "3", "4", "6")))
        c.set("friction", r.real(0.1, 1.5))
    if r.yes(0.2):
        c.set("margin", ".004")
        c.set("gap", r.choice(("0", ".002")))
    if r.yes(0.15):
        c.set("passive", "true")
    if r.yes(0.2) and dim == 2:
        c.set("vertcollide", "true")
    if r.yes(0.2):
        c.set("contype", r.choice(("0", "2", "3")))
    if r.yes(0.2):
        c.set("priority", "1")
    if r.yes(0.2):
        c.set("activelayers", r.choice(("1", "2")))
    r.solver(c, "solref", "solimp", 0.2)


def flexcomp(doc, r, parent, number):
    dim = r.randint(1, 3)
    e = doc.add(parent, "flexcomp", name=f"flex{number}", dim=dim, radius=r.choice((".005", ".01", ".02")),
                mass=r.real(0.3, 2), pos=r.reals(3, -0.2, 0.2))
    random_models.orient(doc, e)
    kind = shape(r, e, dim)
    dof = r.choice(("full", "full", "full", "radial" if kind in ("box", "ellipsoid", "cylinder") else "full",
                    "trilinear" if kind == "grid" and dim == 3 else "full"))
    if dof == "trilinear":
        e.set("count", "4 4 4")
    if dof != "full":
        e.set("dof", dof)
    pinned = r.yes(0.25) and dof == "full"
    if r.yes(0.08):
        # without springs and dampers, see docs/deviations.md
        e.set("rigid", "true")
    else:
        elasticity(doc, r, e, dim, kind, pinned or parent.tag != "body")
    if pinned:
        doc.add(e, "pin", id=r.choice(("0", "0 1", "2")))
    contact(doc, r, e, dim, dof == "trilinear")


def between_bodies(doc, r):
    """A cable or a sheet whose vertices are on existing bodies."""
    names = r.sample(doc.names["body"], min(4, len(doc.names["body"])))
    dim = 1 if len(names) < 3 else r.choice((1, 2))
    if len(names) < dim + 1:
        return
    e = doc.add(doc.add(doc.root, "deformable"), "flex", name="between", dim=dim, body=" ".join(names), radius=".01",
                vertex=r.reals(3 * len(names), -0.1, 0.1))
    e.set("element", " ".join(f"{i} {i + 1}" if dim == 1 else f"{i} {i + 1} {i + 2}" for i in range(len(names) - dim)))
    doc.add(e, "edge", stiffness=r.real(1, 20) if dim == 1 else None, damping=r.real(0.05, 1))
    if r.yes(0.4):
        equality = doc.root.find("equality")
        doc.add(equality if equality is not None else doc.add(doc.root, "equality"), "flex", flex="between")


def add(doc):
    """One to three flexes, drawn independently of the rest of the document."""
    r = random_models.Draw(f"flex {doc.root.get('model')}")
    whole, doc.r = doc.r, r
    world = doc.root.find("worldbody")
    if r.yes(0.7):
        # with sparse Jacobians MuJoCo has no torsional friction for elements, see docs/deviations.md
        doc.root.find("option").set("jacobian", "dense")
    for number in range(r.randint(1, 2)):
        bodies = [b for b in world.iter("body") if b.get("name") and b.get("mocap") is None and b.get("sleep") is None]
        if bodies and r.yes(0.3):
            parent = r.choice(bodies)
        else:
            parent = doc.add(world, "body", name=f"soft{number}", pos=f"{r.reals(2, -.6, .6)} {r.real(.1, .7)}")
        flexcomp(doc, r, parent, number)
    if r.yes(0.3):
        between_bodies(doc, r)
    doc.r = whole


if __name__ == "__main__":
    print(random_models.model(int(sys.argv[1]), add))
