"""`replicate` and `composite` against MuJoCo."""

import pytest
from compiled import check_string

BODY = '<body name="b"><joint name="j"/><geom name="g" size="1"/><site name="s"/></body>'


def model(world, rest="", before=""):
    return f"<mujoco>{before}<worldbody>{world}</worldbody>{rest}</mujoco>"


def copies(content, count=3, attributes=""):
    return f'<replicate count="{count}" {attributes}>{content}</replicate>'


FRAMEPOS = '<framepos name="f" objtype="body" objname="b" reftype="body" refname="w"/>'
TENDONS = """<tendon>
  <spatial name="t"><site site="a"/><geom geom="c"/><site site="z"/></spatial>
  <spatial name="u"><site site="a"/><geom geom="c" sidesite="side"/><site site="z"/><pulley divisor="2"/>
    <site site="o"/><site site="z"/></spatial></tendon>"""
WRAPPED = """<site name="a" pos="1 0 0"/><site name="z" pos="0 0 1"/><site name="side" pos="0 0 2"/>
  <geom name="c" type="cylinder" size=".1 1"/>"""
TREE = """<frame pos="1 1 1" euler="0 0 90"><light name="l" target="b"/><camera name="v" target="b"/>%s</frame>""" % BODY
MOCAP = '<body name="%s" mocap="true" pos="1 2 3"/>'
FREE = '<body name="w" pos="3 2 1"><freejoint/><geom size="1"/></body>'
KEYS = """<actuator><motor name="a" joint="j"/><general name="d" joint="j" dyntype="filter"/></actuator><keyframe>
  <key name="k" qpos="1 2 3 1 1 0 0 9" qvel="1 2 3 4 5 6 7" act=".5" ctrl="3 4" mpos="1 1 1 2 2 2"
   mquat="1 0 0 0 0 1 0 0"/><key name="l" qpos="1 2 3 1 1 0 0 9"/><key ctrl="7 8" time="2"/></keyframe>"""
KEY = '<keyframe><key name="k" qpos="%s"/></keyframe>'
CLASS = '<default><default class="c"><geom size=".3" rgba="1 0 0 1"/></default></default>'

REPLICATE = {
    "poses": model(copies(BODY, 11, 'offset="1 .2 0" euler="10 0 30" sep="-"')),
    "sensors": model('<body name="w"/>' + copies(BODY), f'<sensor><clock name="c"/>{FRAMEPOS}<user dim="1"/></sensor>'),
    "reference read later": model(copies(BODY) + '<body name="w"/>', f"<sensor>{FRAMEPOS}</sensor>"),
    "equalities": model(
        copies(BODY + '<body name="b2"><joint name="j2"/><geom size="1"/></body>', 2),
        '<equality><joint name="e" joint1="j" joint2="j2"/><weld body1="b" body2="b2"/>'
        '<connect body1="b" anchor="0 0 1"/><connect site1="s" site2="s0"/></equality>',
    ),
    "tuple": model(
        copies(BODY), '<custom><tuple name="t"><element objtype="body" objname="b"/></tuple></custom>'
    ),
    "tendons": model('<site name="o"/>' + copies(WRAPPED), TENDONS),
    "nested": model(
        copies('<geom name="x" size=".1"/>' + copies(TREE, 3, 'offset="0 1 0" sep="_"'), 2, 'euler="0 10 0"'),
        '<sensor><jointpos name="p" joint="j"/></sensor>'
        '<contact><exclude body1="b" body2="world"/><pair geom1="x" geom2="g"/></contact>',
    ),
    "inside a body": model(
        '<body><geom size=".1"/>'
        + copies('<joint name="q" axis="1 0 0" pos="1 0 0"/><geom size=".1" pos="1 0 0"/>', 4, 'euler="0 0 90"')
        + "</body>",
        '<tendon><fixed name="f"><joint joint="q" coef="2"/></fixed></tendon><actuator><motor tendon="f"/></actuator>',
    ),
    "joints in the world": model(copies("<joint/>")),
    "inertia is dropped": model(
        "<body><joint/><geom size='.1'/>"
        + copies('<inertial pos="0 0 0" mass="9" diaginertia="1 1 1"/><geom size="1"/>')
        + "</body>"
    ),
    "class": model(copies("<geom/><body><joint/><geom/></body>", 2, 'childclass="c"'), before=CLASS),
    "no copies": model(copies(BODY, 0), '<sensor><jointpos joint="j"/></sensor>'),
    "negative count": model(copies(BODY, -2)),
    "name taken": model('<geom name="g" size="1"/>' + copies(BODY)),
    "keyframe": model('<body name="w"/>' + copies(BODY), KEY % "1"),
    "keyframe of the final size": model(copies(BODY), KEY % "1 2 3"),
    "keyframe of everything": model(
        MOCAP % "m" + FREE + copies(MOCAP % "n" + BODY, 3, 'offset="1 0 0"') + "<body><joint/><geom size='1'/></body>",
        KEYS,
    ),
    "keyframe twice": model(
        copies(BODY, 2) + copies('<body name="c"><joint ref="20"/><geom size="1"/></body>', 2), KEY % "1"
    ),
    "keyframe nested": model(copies(copies(BODY, 2, 'sep="_"'), 2), KEY % "1"),
    "empty keyframes": model(copies(BODY, 2), KEY % "1", '<size nkey="5"/>'),
}


@pytest.mark.parametrize("xml", REPLICATE.values(), ids=REPLICATE.keys())
def test_replicate(xml):
    check_string(xml)


def cable(attributes, children):
    return model(f'<composite prefix="c" type="cable" {attributes}>{children}</composite>')


CAPSULE = '<geom type="capsule" size=".01"/>'
BOX = '<geom type="box" size=".01 .02 .003" rgba="1 0 0 1" density="10" group="2"/>'
POINTS = 'vertex="0 0 0 .1 0 0 .2 .1 0 .25 .1 .3 .25 .1 .4 .25 .1 .5"'

COMPOSITE = {
    "everything": cable(
        'curve="s 0 cos(s)" count="5 1 1" size="1 .3 2" initial="free" offset="1 2 3" quat="1 1 0 0"',
        '<joint kind="main" damping=".1" stiffness="2" armature=".1"/><site size=".1" group="1"/>'
        + '<skin subgrid="2" texcoord="true" group="1" inflate="3"/>'
        + BOX,
    ),
    "points": model(f'<frame pos="1 2 3" euler="9 8 7"><composite type="cable" {POINTS}>{CAPSULE}</composite></frame>'),
    "two points": cable('curve="s" count="2 1 1" initial="none"', CAPSULE),
    "three points": cable('curve="s" count="3 1 1"', CAPSULE),
    "blank after the curve": cable('curve="0 s " count="4 1 1"', CAPSULE),
    "two joints": cable('curve="s" count="4 1 1"', CAPSULE + '<joint kind="main"/>' * 2),
    "no geom": cable('curve="s" count="4 1 1"', ""),
    "not one-dimensional": cable('curve="s" count="4 4 1"', CAPSULE),
    "classes do not matter": model(
        f'<composite type="cable" curve="s" count="4 1 1">{CAPSULE}</composite>',
        before='<default><geom rgba="1 0 0 1" group="4"/><joint damping="3"/></default>',
    ),
    "replicated": model(copies(f'<composite type="cable" curve="s" count="4 1 1">{CAPSULE}</composite>', 2)),
    "long prefix": model(f'<composite prefix="{"p" * 95}" type="cable" curve="s" count="2 1 1">{CAPSULE}</composite>'),
}
COMPOSITE |= {
    f"skin {n}": cable('curve="s sin(s) cos(s)" count="7 1 1" size="1 .3 1.3"', f'{BOX}<skin subgrid="{n}"/>')
    for n in range(6)
}
COMPOSITE |= {
    kind: model(f'<composite type="{kind}" curve="s" count="4 1 1">{CAPSULE}</composite>')
    for kind in ("particle", "grid", "rope", "loop", "cloth", "snake")
}


@pytest.mark.parametrize("xml", COMPOSITE.values(), ids=COMPOSITE.keys())
def test_composite(xml):
    check_string(xml)
