"""Sections of a random model besides its bodies: settings, defaults, assets, contacts, tendons, actuators, sensors."""


def settings(doc):
    r, root = doc.r, doc.root
    e = doc.add(root, "compiler", angle="degree" if doc.degrees else "radian")
    rare = {
        "eulerseq": ("zyx", "XYZ", "xzX", "zxz"), "boundmass": (".3",), "boundinertia": (".01",), "settotalmass": ("7",),
        "balanceinertia": ("true",), "inertiagrouprange": ("0 2",), "fusestatic": ("true",), "alignfree": ("true",),
        "inertiafromgeom": ("true", "auto"), "discardvisual": ("true",), "autolimits": ("true",),
    }  # fmt: skip
    for name, values in rare.items():
        if r.yes(0.08):
            e.set(name, r.choice(values))
    if r.yes(0.1):
        doc.add(e, "lengthrange", inttotal="2", interval="1", tolrange="10", uselimit=r.choice(("true", "false")))
    option(doc)
    doc.add(root, "size", nuserdata=r.choice((0, 3)))


def option(doc):
    r = doc.r
    e = doc.add(doc.root, "option", timestep=r.choice((".001", ".002", ".005")))
    e.set("integrator", r.choice(("Euler", "RK4", "implicit", "implicitfast")))
    e.set("solver", r.choice(("Newton", "Newton", "CG", "PGS")))
    e.set("cone", r.choice(("pyramidal", "elliptic")))
    e.set("jacobian", r.choice(("dense", "sparse", "auto")))
    if r.yes(0.3):
        e.set("gravity", r.reals(3, -10, 10))
    if r.yes(0.3):
        e.set("density", r.choice(("1.2", "1000", "0")))
        e.set("viscosity", r.choice((".01", "0", ".5")))
        e.set("wind", r.reals(3, -3, 3))
    if r.yes(0.3):
        e.set("impratio", r.choice((".5", "3", "10")))
    if r.yes(0.15):
        e.set("noslip_iterations", str(r.randint(1, 5)))
    if r.yes(0.2):
        e.set("magnetic", r.reals(3, -1, 1))
    e.set("tolerance", r.choice(("1e-8", "1e-10", "1e-12")))
    e.set("iterations", "300")
    flag = doc.add(e, "flag")
    for name in ("constraint equality frictionloss limit spring damper gravity clampctrl warmstart filterparent "
                 "actuation refsafe midphase eulerdamp island").split():  # fmt: skip
        if r.yes(0.03):
            flag.set(name, "disable")
    if r.yes(0.35):
        flag.set("contact", "disable")
    for name in "override energy fwdinv invdiscrete multiccd".split():
        if r.yes(0.07):
            flag.set(name, "enable")
    if e.get("integrator") == "RK4":
        flag.attrib.pop("invdiscrete", None)
    if doc.sleeps:
        flag.set("sleep", "enable")
    if flag.get("override"):
        e.set("o_margin", ".02")
        e.set("o_solref", ".03 .8")
        e.set("o_friction", ".7 .7 .01 .001 .001")


def defaults(doc):
    r = doc.r
    if not r.yes(0.4):
        return
    top = doc.add(doc.root, "default")
    doc.add(top, "geom", friction=".6 .01 .002", solref=".015 1.1")
    doc.add(top, "general", ctrlrange="-2 2", biastype="affine", biasprm="0 -1 0")
    for name in ("soft", "stiff"):
        c = doc.add(top, "default", class_=name)
        doc.classes.append(name)
        doc.add(c, "geom", density=r.real(200, 2000), margin=".005", rgba="1 0 0 1")
        doc.add(c, "joint", damping=r.real(0.1, 1), armature=".03", stiffness=r.real(0, 3))
        doc.add(c, "site", size=".02", group="3")
        doc.add(c, "tendon", stiffness=r.real(0, 5), width=".01")
        doc.add(c, "equality", solref=".03 1.2")
        doc.add(c, "position", kp=r.real(1, 30), ctrlrange="-1 1")


def assets(doc):
    r = doc.r
    e = doc.add(doc.root, "asset")
    elevation = " ".join(f"{r.random():.2g}" for _ in range(20))
    doc.add(e, "hfield", name="ground", nrow="4", ncol="5", size="2 2 .2 .1", elevation=elevation)
    for _ in range(r.choice((0, 0, 1, 2))):
        name = doc.new("mesh")
        if r.yes(0.5):
            kind, params = r.choice((("sphere", "1"), ("cone", "6 .5"), ("wedge", "4 4 60 60 .3"), ("hemisphere", "2"),
                                     ("supersphere", "6 1 1")))
            doc.add(e, "mesh", name=name, builtin=kind, params=params, scale=r.reals(3, 0.05, 0.15))
        else:
            points = " ".join(r.reals(3, -0.15, 0.15) for _ in range(r.randint(5, 12)))
            doc.add(e, "mesh", name=name, vertex=f"{points} .1 .1 .1 -.1 .1 0 0 -.1 .1 0 0 -.13")
        if r.yes(0.4):
            e[-1].set("inertia", r.choice(("convex", "shell", "legacy", "exact")))
        if r.yes(0.2):
            e[-1].set("refpos", r.reals(3, -0.1, 0.1))
            e[-1].set("refquat", "1 " + r.reals(3, -1, 1))


def contact(doc):
    r = doc.r
    e = doc.add(doc.root, "contact")
    geoms, bodies = doc.names["geom"], doc.names["body"]
    if len(geoms) > 1 and r.yes(0.3):
        a, b = r.sample(geoms, 2)
        p = doc.add(e, "pair", geom1=a, geom2=b, condim=r.choice((1, 3, 4, 6)), margin=r.choice(("0", ".05")))
        if r.yes(0.5):
            p.set("friction", r.reals(5, 0.01, 1))
        r.solver(p, "solref", "solimp")
        if r.yes(0.3):
            p.set("solreffriction", ".02 .7")
    if len(bodies) > 1 and r.yes(0.2):
        a, b = r.sample(bodies, 2)
        doc.add(e, "exclude", body1=a, body2=b)


def equality(doc):
    r = doc.r
    e = doc.add(doc.root, "equality")
    for _ in range(r.choice((0, 0, 0, 1, 2))):
        kind = r.choice(("connect", "weld", "joint"))
        bodies, sites, joints = (doc.names[k] for k in ("body", "site", "joint"))
        q = None
        if kind == "joint" and joints:
            q = doc.add(e, "joint", joint1=r.choice(joints), polycoef=r.reals(5, -0.5, 0.5))
            other = r.choice(joints)
            if other != q.get("joint1") and r.yes(0.7):
                q.set("joint2", other)
        elif kind != "joint" and len(sites) > 1 and r.yes(0.4):
            a, b = r.sample(sites, 2)
            q = doc.add(e, kind, site1=a, site2=b)
        elif kind != "joint":
            q = doc.add(e, kind, body1=r.choice(bodies), anchor=r.reals(3, -0.3, 0.3))
            other = r.choice(bodies)
            if other != q.get("body1") and r.yes(0.6):
                q.set("body2", other)
            if kind == "weld" and r.yes(0.4):
                q.set("relpose", f"{r.reals(3, -.5, .5)} 1 {r.reals(3, -1, 1)}")
        if q is not None:
            if kind == "weld" and r.yes(0.4):
                q.set("torquescale", r.real(0, 3))
            r.solver(q, "solref", "solimp")
            if r.yes(0.1):
                q.set("active", "false")
            doc.classed(q)


def tendon(doc):
    r = doc.r
    e = doc.add(doc.root, "tendon")
    for _ in range(r.choice((0, 0, 1, 1, 2, 3))):
        if doc.names["joint"] and r.yes(0.4):
            t = doc.add(e, "fixed", name=doc.new("tendon"))
            for name in r.sample(doc.names["joint"], min(len(doc.names["joint"]), r.randint(1, 3))):
                doc.add(t, "joint", joint=name, coef=r.real(-2, 2))
        elif len(doc.names["site"]) > 1:
            t = doc.add(e, "spatial", name=doc.new("tendon"))
            heavy = r.yes(0.2)
            if heavy:
                t.set("armature", r.real(0.02, 0.5))
            path(doc, t, not heavy)
        else:
            continue
        doc.classed(t)
        if r.yes(0.3):
            t.set("range", r.span(0, 0.4, 1.2))
            doc.names["limited tendon"].append(t.get("name"))
        for name, low, high in (("stiffness", 1, 50), ("damping", 0.1, 2), ("frictionloss", 0.1, 1)):
            if r.yes(0.25):
                t.set(name, r.real(low, high))
        if t.tag == "fixed" and r.yes(0.25):
            t.set("armature", r.real(0.02, 0.5))
        if r.yes(0.2):
            t.set("springlength", r.choice((r.span(0, 0.3, 1), ".4", "0")))
        if r.yes(0.15):
            t.set("margin", ".05")
        if r.yes(0.15):
            t.set("actuatorfrcrange", r.span(-2, 0, 2))
        r.solver(t, "solreflimit", "solimplimit", 0.15)
    ties = doc.names["tendon"]
    if ties and r.yes(0.12) and not doc.sleeps:
        q = doc.add(doc.root.find("equality"), "tendon", tendon1=ties[0], polycoef=r.reals(3, -0.3, 0.3))
        if len(ties) > 1 and r.yes(0.6):
            q.set("tendon2", ties[1])


def path(doc, t, wraps):
    r = doc.r
    here = None

    def site():
        nonlocal here
        here = r.choice([name for name in doc.names["site"] if name != here])
        doc.add(t, "site", site=here)

    site()
    for _ in range(r.choice((1, 1, 2, 3))):
        if doc.names["wrap"] and wraps and r.yes(0.6):
            g = doc.add(t, "geom", geom=r.choice(doc.names["wrap"]))
            if r.yes(0.6):
                g.set("sidesite", doc.some("site"))
        elif r.yes(0.15):
            site()
            doc.add(t, "pulley", divisor=r.choice(("2", ".5", "3")))
            site()
        site()


def transmission(doc, a, muscle=False):
    """Picks a transmission target; returns whether there is one."""
    r = doc.r
    kinds = ["joint", "joint", "tendon", "tendon", "jointinparent", "slidercrank"] + ([] if muscle else ["site", "ball", "free"])
    kind = r.choice(kinds)
    sites = doc.names["site"]
    if kind in ("site", "slidercrank") and len(sites) > 1:
        first, second = r.sample(sites, 2)
        if kind == "site":
            a.set("site", first)
            if r.yes(0.6):
                a.set("refsite", second)
        else:
            a.set("slidersite", first)
            a.set("cranksite", second)
            a.set("cranklength", r.real(0.2, 1.5))
        return True
    source = {"jointinparent": "joint"}.get(kind, kind)
    if source not in ("joint", "tendon", "ball", "free") or not doc.names[source]:
        return False
    attribute = {"ball": r.choice(("joint", "jointinparent")), "free": r.choice(("joint", "jointinparent"))}.get(kind, kind)
    a.set(attribute, doc.some(source))
    return True


def actuator(doc):
    r = doc.r
    e = doc.add(doc.root, "actuator")
    for _ in range(r.choice((0, 1, 2, 3, 5))):
        kind = r.choice("motor position velocity intvelocity damper cylinder muscle adhesion general general".split())
        a = doc.add(e, kind)
        if kind == "adhesion":
            a.set("body", doc.some("body"))
            a.set("gain", r.real(1, 30))
            a.set("ctrlrange", "0 1")
        elif not transmission(doc, a, kind == "muscle"):
            e.remove(a)
            continue
        a.set("name", doc.new("actuator"))
        gains(doc, a, kind)
        if kind != "adhesion" and r.yes(0.4):
            a.set("gear", r.reals(6, -2, 2) if r.yes(0.5) else r.real(0.5, 4))
        if r.yes(0.25):
            a.set("forcerange", r.span(-5, 0, 5))
        if r.yes(0.12):
            a.set("group", "1")
        if r.yes(0.12):
            a.set("nsample", "6")
            a.set("delay", r.choice((".002", ".0035", ".01")))
            a.set("interp", r.choice(("zoh", "linear", "cubic")))
    if r.yes(0.08):
        doc.root.find("option").set("actuatorgroupdisable", "1")


def gains(doc, a, kind):
    r = doc.r
    if kind == "position":
        a.set("kp", r.real(1, 40))
        if r.yes(0.5):
            a.set(r.choice(("kv", "dampratio")), r.real(0.2, 1.5))
        if r.yes(0.2):
            a.set("timeconst", r.choice(("0", ".05")))
        if r.yes(0.2) and a.get("joint") in doc.names["limited"]:
            a.set("inheritrange", r.choice(("1", ".8")))
            return
    elif kind == "velocity":
        a.set("kv", r.real(0.1, 3))
    elif kind == "intvelocity":
        a.set("kp", r.real(1, 20))
        a.set("actrange", "-.5 .7")
    elif kind == "damper":
        a.set("kv", r.real(0.1, 3))
        a.set("ctrlrange", "0 2")
    elif kind == "cylinder":
        a.set("timeconst", r.real(0.05, 0.5))
        a.set("area", r.real(0.5, 2))
        a.set("bias", r.reals(3, -0.5, 0.5))
    elif kind == "muscle":
        a.set("lengthrange", f"{r.uniform(-1, .2):.3g} {r.uniform(.5, 2):.3g}")
        for name, low, high in (("force", 10, 100), ("tausmooth", 0.05, 0.5), ("lmin", 0.3, 0.6), ("lmax", 1.4, 1.8),
                                ("vmax", 1, 3), ("fpmax", 1, 2), ("fvmax", 1.1, 1.5), ("scale", 50, 300)):  # fmt: skip
            if r.yes(0.3):
                a.set(name, f"{r.uniform(low, high):.3g}")
        if r.yes(0.3):
            a.set("timeconst", ".02 .07")
    elif kind == "general":
        a.set("dyntype", r.choice(("none", "integrator", "filter", "filterexact", "muscle")))
        a.set("dynprm", r.choice((".05", ".02 .06 .1", "0")) if a.get("dyntype") != "muscle" else ".02 .06 .1")
        a.set("gaintype", r.choice(("fixed", "affine")))
        a.set("gainprm", r.reals(3, -3, 3))
        a.set("biastype", r.choice(("none", "affine")))
        a.set("biasprm", r.reals(3, -2, 2))
        if a.get("dyntype") != "none":
            a.set("actearly", r.choice(("true", "false")))
            if r.yes(0.3):
                a.set("actlimited", "true")
                a.set("actrange", "-.4 .6")
    if kind in ("motor", "position", "velocity", "general") and r.yes(0.4):
        a.set("ctrlrange", "-1 1")


PLAIN = {
    "site": "touch accelerometer velocimeter gyro force torque magnetometer",
    "joint": "jointpos jointvel jointactuatorfrc",
    "limited": "jointlimitpos jointlimitvel jointlimitfrc",
    "ball": "ballquat ballangvel",
    "tendon": "tendonpos tendonvel tendonactuatorfrc",
    "limited tendon": "tendonlimitpos tendonlimitvel tendonlimitfrc",
    "actuator": "actuatorpos actuatorvel actuatorfrc",
    "body": "subtreecom subtreelinvel subtreeangmom",
}
FRAME = "framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel framelinacc frameangacc".split()
UNCUT = "framequat framexaxis frameyaxis framezaxis ballquat distance normal fromto contact".split()
OBJECTS = {"body": "body", "xbody": "body", "geom": "geom", "site": "site", "camera": "camera"}


def sensor(doc):
    e = doc.add(doc.root, "sensor")
    for _ in range(doc.r.choice((0, 2, 5, 12))):
        s = one_sensor(doc, e)
        if s is not None:
            sampled(doc, s)


def one_sensor(doc, e):
    r = doc.r
    kind = r.choice([k for k in PLAIN if doc.names[k]] + ["frame"] * 4 + ["pair", "contact", "ray", "other", "inside", "camera"])
    if kind in PLAIN:
        target = kind.split()[-1] if kind != "limited" else "joint"
        tag = r.choice(PLAIN[kind].split())
        name = doc.some(kind)
        if kind == "limited" and name not in doc.names["joint"] and tag == "jointlimitfrc" and r.yes(0.5):
            tag = "jointlimitpos"
        return doc.add(e, tag, **{"joint" if kind == "ball" else target: name})
    objects = [k for k, v in OBJECTS.items() if doc.names[v]]
    if kind == "frame":
        of = r.choice(objects)
        s = doc.add(e, r.choice(FRAME), objtype=of, objname=doc.some(OBJECTS[of]))
        if not s.tag.endswith("acc") and r.yes(0.5):
            ref = r.choice(objects)
            s.set("reftype", ref)
            s.set("refname", doc.some(OBJECTS[ref]))
        return s
    if kind == "pair" and len(doc.names["body"]) > 1:
        a, b = r.sample(doc.names["body"], 2)
        return doc.add(e, r.choice(("distance", "normal", "fromto")), body1=a, body2=b, cutoff="1.5")
    if kind == "contact":
        s = doc.add(e, "contact", num=r.randint(1, 3), data=r.choice(("found", "found force", "force torque dist pos normal tangent")))
        s.set("reduce", r.choice(("none", "mindist", "maxforce", "netforce")))
        if r.yes(0.5):
            s.set(r.choice(("body1", "subtree1")), doc.some("body"))
        elif r.yes(0.4):
            s.set("site", doc.some("site"))
        return s
    if kind == "ray":
        s = doc.add(e, "rangefinder", data=r.choice(("dist", "dist dir origin", "dist point normal depth")))
        if doc.names["camera"] and r.yes(0.3):
            s.set("camera", doc.some("camera"))
        else:
            s.set("site", doc.some("site"))
        return s
    if kind == "inside":
        of = r.choice(objects)
        return doc.add(e, "insidesite", site=doc.some("site"), objtype=of, objname=doc.some(OBJECTS[of]))
    if kind == "camera" and doc.names["camera"]:
        return doc.add(e, "camprojection", site=doc.some("site"), camera=doc.some("camera"))
    return doc.add(e, r.choice(("e_potential", "e_kinetic", "clock")))


def sampled(doc, s):
    r = doc.r
    s.set("name", doc.new("sensor"))
    if r.yes(0.15) and s.tag not in UNCUT:
        s.set("cutoff", r.choice((".5", "2", ".01")))
    if r.yes(0.1):
        s.set("noise", ".1")
    if r.yes(0.12):
        s.set("nsample", "5")
        s.set("interp", r.choice(("zoh", "linear", "cubic")))
        if r.yes(0.7):
            s.set("delay", r.choice((".002", ".0035", ".004")))
        if r.yes(0.4):
            s.set("interval", r.choice((".003", ".004 -.001")))


def keyframe(doc):
    """Keyframes, except fields whose size only the compiler knows."""
    r = doc.r
    if r.yes(0.2):
        e = doc.add(doc.root, "keyframe")
        doc.add(e, "key", name="later", time=r.real(0, 2))
