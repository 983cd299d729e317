"""The compiled body tree, field by field, against MuJoCo."""
import mujoco
import numpy as np
import pytest
import sinew
from random_compare import rename

# MuJoCo's internal data, and hull faces, whose order is free
NOT_COMPARED = ("names_map", "signature", "mesh_graph", "mesh_poly", "mesh_face")
# when MuJoCo fuses bodies it leaves unused nodes at the end
FUSED = ("nbvh", "bvh_", "nbuffer")

BOX = '<geom type="box" size=".1 .2 .3" {}/>'
MESH = ('<asset><material name="m" rgba="1 0 0 1"/><mesh name="c" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 2 0 1 0 3 0 2 3 '
        '1 2 3" face="0 2 1 1 2 4 0 1 3 1 5 3 0 3 2 2 3 6 1 4 5 4 7 5 2 6 4 4 6 7 3 5 6 5 7 6" {}/></asset>')


def world(body, head=""):
    return f"<mujoco>{head}<worldbody>{body}</worldbody></mujoco>"


def nested(inner):
    return world(f'<body name="a" pos="0 0 1"><joint/>{BOX.format("")}{inner}</body>')


MODELS = {
    "axisangle": world('<body axisangle="1 2 3 40"><joint/>' + BOX.format('axisangle="0 1 1 -70"') + "</body>"),
    "xyaxes": world('<body xyaxes="1 2 3 0 1 0"><joint/>' + BOX.format('xyaxes="0 1 0 0 0 -1"') + "</body>"),
    "zaxis": world('<body zaxis="1 2 3"><joint/>' + BOX.format('zaxis="0 0 -1"') + "</body>"),
    "euler": world('<body euler="10 20 30"><joint/>' + BOX.format('euler="-50 60 170"') + "</body>"),
    "eulerseq": world('<body euler="1 .2 .3"><joint/>' + BOX.format('euler="-.5 .6 2"') + "</body>",
                      '<compiler eulerseq="zYx" angle="radian"/>'),
    "unnormalised": world('<body quat="1 2 3 4"><joint axis="1 2 3" pos=".1 .2 .3"/>' + BOX.format('quat="2 0 0 3"') +
                          "</body>"),
    "frames": world('<frame pos="1 2 3" euler="10 0 0"><frame pos="0 0 1" zaxis="1 0 1"><body pos="1 0 0">'
                    '<frame euler="0 0 30" pos=".1 0 0"><joint axis="1 0 0" pos="0 .1 0"/><geom size=".1" pos=".2 0 0"/>'
                    '<geom type="capsule" fromto="0 0 0 1 1 1" size=".1"/><site pos="0 .1 0"/><camera pos="0 0 1"/>'
                    '<light dir="1 0 0" pos="0 1 0"/></frame><body><joint/>' + BOX.format("") + '</body></body></frame>'
                    '<light pos="1 1 1"/></frame>'),
    "fromto": world('<body><joint/><geom type="capsule" fromto="0 0 0 1 2 3" size=".1"/><geom type="cylinder" '
                    'fromto="0 0 1 0 0 -1" size=".1"/><geom type="ellipsoid" fromto="0 0 0 1 0 0" size=".1"/>'
                    '<geom type="box" fromto="0 0 -1 0 0 1" size=".1"/><site type="capsule" fromto="0 0 0 0 1 0" '
                    'size=".1"/></body>'),
    "shells": world("<body><joint/>" + "".join(
        f'<geom type="{t}" size=".1 .2 .3" pos="{i} 0 0" shellinertia="true" mass="{i + 1}"/>'
        for i, t in enumerate(["sphere", "capsule", "cylinder", "ellipsoid", "box"])) + "</body>"),
    "fluid": world("<body><joint/>" + "".join(
        f'<geom type="{t}" size=".1 .2 .3" pos="{i} 0 0" fluidshape="ellipsoid" fluidcoef=".1 .2 .3 .4 .5"/>'
        for i, t in enumerate(["sphere", "capsule", "cylinder", "ellipsoid", "box"])) + "</body>"),
    "groups": world('<body><joint/><geom size=".1" group="1"/><geom size=".2" group="3" pos="1 0 0"/></body>',
                    '<compiler inertiagrouprange="2 4"/>'),
    "fullinertia": world('<body><joint/><inertial mass="1" pos=".1 .2 .3" fullinertia="2 3 4 .1 .2 .3"/></body>'),
    "inertia from geom": world('<body><joint/><inertial mass="1" pos=".1 .2 .3" diaginertia="1 1 1"/>'
                               + BOX.format('density="0"') + BOX.format('pos="1 0 0" mass="2"') + "</body>",
                               '<compiler inertiafromgeom="true"/>'),
    "bounds": world('<body><joint/><geom size="1e-4"/></body>', '<compiler boundmass=".1" boundinertia=".01"/>'),
    "balance": world('<body><joint/><inertial mass="1" pos="0 0 0" diaginertia="1 1 3"/></body>',
                     '<compiler balanceinertia="true"/>'),
    "total mass": nested('<body><joint/>' + BOX.format('pos="1 0 0"') + "</body>").replace(
        "<mujoco>", '<mujoco><compiler settotalmass="7"/>'),
    "springdamper": nested('<body><joint type="ball" springdamper=".1 1.5"/>' + BOX.format("") + "</body>"),
    "joints": world('<body><joint type="slide" axis="1 0 0" range="-1 1" ref=".1" springref=".2" stiffness="3"/>'
                    '<joint type="slide" axis="0 1 0" damping="2" armature=".1" frictionloss=".3"/>'
                    '<joint type="hinge" range="-30 60" ref="10" springref="20" actuatorfrcrange="-1 2"/>'
                    + BOX.format("") + '<body pos="0 0 1"><joint type="ball" range="0 90"/>' + BOX.format("")
                    + "</body></body><body><freejoint/>" + BOX.format("") + "</body>"),
    "not limited": world('<body><joint limited="false" range="-30 60" user="1 2"/><joint axis="1 0 0" user="3"/>'
                         + BOX.format("") + "</body>"),
    "align": world('<body pos="1 2 3" euler="10 20 30"><freejoint align="true"/>' + BOX.format('pos=".1 0 0"')
                   + '<geom size=".2" pos="0 .3 0"/><site pos="1 0 0"/><camera pos="0 1 0"/><light dir="1 0 0"/></body>'),
    "alignfree": world('<body pos="1 2 3"><freejoint/>' + BOX.format('pos=".1 0 0" euler="10 0 0"') + "</body><body>"
                       '<freejoint align="false"/>' + BOX.format('pos=".1 0 0"') + "</body>",
                       '<compiler alignfree="true"/>'),
    "align and fuse": world('<body pos="1 2 3"><freejoint/>' + BOX.format('pos=".1 0 0" euler="10 0 0"')
                            + '<camera pos="0 1 0"/><light pos="1 0 0"/><site/></body>',
                            '<compiler alignfree="true" fusestatic="true"/>'),
    "mocap": world('<body name="m" mocap="true" pos="1 2 3"><geom size=".1"/></body><body mocap="true"/>'
                   '<body><freejoint/>' + BOX.format("") + "</body>"),
    "gravcomp": nested('<body gravcomp="1"><joint/>' + BOX.format("") + "</body>"),
    "sleep": world('<body sleep="never"><freejoint/>' + BOX.format("") + '</body><body pos="3 0 0" sleep="allowed">'
                   '<freejoint/>' + BOX.format("") + '</body><body pos="6 0 0"><freejoint/>' + BOX.format("") + "</body>"),
    "fuse": nested('<body name="b" pos="1 0 0" euler="30 0 0"><geom size=".2" pos="0 .1 0"/><site pos="0 0 .1"/>'
                   '<body pos="0 0 1" euler="0 20 0">' + BOX.format('euler="0 0 10" contype="2"') + "</body>"
                   '<body name="d" pos="0 1 0"><joint/><geom size=".1"/></body></body><geom size=".05" pos="0 0 .3"/>'
                   ).replace("<mujoco>", '<mujoco><compiler fusestatic="true"/>'),
    "fuse referenced": world('<body name="a"><joint/>' + BOX.format("") + '<body name="b"><site name="s"/>'
                             + BOX.format("") + '</body><body name="c">' + BOX.format("") + '</body><body name="d"/>'
                             '</body><body name="e" pos="0 0 3"><geom size=".1"/></body>',
                             '<compiler fusestatic="true"/><sensor><force site="s"/><framepos objtype="body" '
                             'objname="c"/></sensor>'),
    "fuse free": world('<body name="a" pos="1 0 0"><body name="b"><freejoint/>' + BOX.format("") + "</body></body>",
                       '<compiler fusestatic="true"/>'),
    "discard": world('<body><joint/><geom name="v" type="mesh" mesh="c" contype="0" conaffinity="0" material="m"/>'
                     '<geom name="w" size=".3" contype="0" conaffinity="0"/><geom name="k" size=".1" pos="1 0 0"/>'
                     '<site/></body>',
                     '<compiler discardvisual="true"/>' + MESH.format("") +
                     '<sensor><framepos objtype="geom" objname="w"/></sensor>'),
    "mesh": world('<body><joint/><geom type="mesh" mesh="c" euler="10 20 30" pos="1 2 3"/></body>',
                  MESH.format('material="m" scale=".1 .2 .3"')),
    "mesh shell": world('<body><joint/><geom type="mesh" mesh="c"/></body>', MESH.format('inertia="shell"')),
    "fit": world("<body><joint/>" + "".join(
        f'<geom type="{t}" mesh="c" pos="{i} 0 0" fitscale="1.5"/>'
        for i, t in enumerate(["sphere", "capsule", "cylinder", "ellipsoid", "box"])) + "</body>", MESH.format("")),
    "fitaabb": world("<body><joint/>" + "".join(
        f'<geom type="{t}" mesh="c" pos="{i} 0 0" size=".1 .2 .3"/>'
        for i, t in enumerate(["sphere", "cylinder", "ellipsoid", "box"])) + "</body>",
        '<compiler fitaabb="true"/>' + MESH.format("")),
    "hfield": world('<geom type="hfield" hfield="h" pos="1 0 0"/>',
                    '<asset><hfield name="h" nrow="2" ncol="3" size="1 2 .3 .4" elevation="0 1 2 3 4 5"/></asset>'),
    "camera": world('<body name="b"><camera mode="targetbody" target="b" sensorsize="1 2" resolution="100 200" '
                    'focal="2 3"/><camera sensorsize="1 2" resolution="100 200" focalpixel="20 30" '
                    'principalpixel="1 2"/><camera fovy="30" projection="orthographic" user="1 2 3"/></body>'),
    "light": world('<light directional="true" dir="1 2 3"/><light mode="targetbody" target="b" pos="1 2 3"/>'
                   '<body name="b"/>'),
    "simple": world('<body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><geom size=".1"/></body>'
                    '<body pos="1 0 0"><joint type="slide"/><joint/><geom size=".1"/></body><body pos="2 0 0"><body>'
                    '<freejoint/></body></body>'.replace("<body><freejoint/></body>", '<body><joint/><geom size=".1"/>'
                                                         "</body>")),
    "tendon armature": world('<body><joint/><geom size=".1"/><site name="s"/></body><body pos="1 0 0"><freejoint/>'
                             '<geom size=".1"/><site name="t"/></body>',
                             '<tendon><spatial armature="1"><site site="s"/><site site="t"/></spatial></tendon>'),
    "many geoms": world("<body><joint/>" + "".join(
        f'<geom type="box" size=".1 .2 .3" pos="{i * 7 % 11} {i * 5 % 13} {i % 3}" euler="{10 * i} 0 0"/>'
        for i in range(40)) + "</body>"),
    "deep": world("".join(f'<body pos="0 0 1"><joint axis="{i % 2} 1 0"/>' + BOX.format("") for i in range(30))
                  + "</body>" * 30),
    "sizes": world('<body user="1 2"><joint user="3"/><geom size=".1" user="4 5 6"/><site user="7"/></body>',
                   '<size njmax="10" nconmax="20" nuser_geom="5" nuserdata="3"/>'),
    "memory": world("<geom size='1'/>", '<size memory="3M"/>'),
    "stack": world("<geom size='1'/>", '<size nstack="100000"/>'),
    "statistic": world('<body><joint/>' + BOX.format("") + "</body>",
                       '<statistic extent="3" center="1 2 3" meanmass="4" meaninertia="5" meansize="6"/>'),
    "nothing": "<mujoco/>",
}


def fields(model):
    for name in dir(model):
        if name.startswith("_") or name.startswith(NOT_COMPARED):
            continue
        value = getattr(model, name)
        if isinstance(value, (int, float, np.ndarray, np.number)) and not isinstance(value, bool):
            yield name, np.asarray(value)


@pytest.mark.parametrize("name", MODELS)
def test_every_field(name):
    want = mujoco.MjModel.from_xml_string(MODELS[name])
    got = sinew.MjModel.from_xml_string(MODELS[name])
    for field, value in fields(want):
        if "fuse" in name and field.startswith(FUSED):
            continue
        mine = np.asarray(getattr(got, field))
        assert mine.size == value.size, f"{field}: {mine.shape} != {value.shape}"
        if value.dtype.kind in "fiub":
            np.testing.assert_allclose(mine.ravel(), value.ravel(), rtol=1e-9, atol=1e-12, err_msg=field)
        else:
            assert np.array_equal(mine, value), field
    assert got.names == want.names
    assert got.paths == want.paths


REFUSED = {
    "joint in world": world("<joint/>"),
    "short axis": world('<body><joint axis="0 0 0"/>' + BOX.format("") + "</body>"),
    "short zaxis": world(BOX.format('zaxis="0 0 0"')),
    "parallel xyaxes": world(BOX.format('xyaxes="1 0 0 2 0 0"')),
    "reversed range": world('<body><joint limited="true" range="1 -1"/>' + BOX.format("") + "</body>"),
    "ball range": world('<body><joint type="ball" range="1 2"/>' + BOX.format("") + "</body>"),
    "range without limited": world('<body><joint range="1 2"/>' + BOX.format("") + "</body>",
                                   '<compiler autolimits="false"/>'),
    "springdamper": world('<body><joint springdamper="1 0"/>' + BOX.format("") + "</body>"),
    "two free joints": world("<body><freejoint/><joint/>" + BOX.format("") + "</body>"),
    "free joint below": nested("<body><freejoint/>" + BOX.format("") + "</body>"),
    "seven dofs": world("<body>" + '<joint type="slide"/>' * 7 + BOX.format("") + "</body>"),
    "hinge after ball": world('<body><joint type="ball"/><joint/>' + BOX.format("") + "</body>"),
    "moving mocap": world('<body mocap="true"><joint/>' + BOX.format("") + "</body>"),
    "mocap below": nested('<body mocap="true"/>'),
    "massless": world("<body><joint/></body>"),
    "moving plane": world('<body><joint/><geom type="plane" size="1 1 1"/></body>'),
    "negative mass": world("<body><joint/>" + BOX.format('mass="-1"') + "</body>"),
    "unphysical inertia": world('<body><joint/><inertial mass="1" pos="0 0 0" diaginertia="1 1 3"/></body>'),
    "indefinite inertia": world('<body><joint/><inertial mass="1" pos="0 0 0" fullinertia="1 1 1 2 0 0"/></body>'),
    "size": world('<geom size="0"/>'),
    "condim": world(BOX.format('condim="2"')),
    "fromto of a sphere": world('<geom size="1" fromto="0 0 0 1 1 1"/>'),
    "fromto of no length": world('<geom type="capsule" size="1" fromto="1 0 0 1 0 0"/>'),
    "no mesh": world('<geom type="mesh" mesh="x"/>'),
    "no hfield": world('<geom type="hfield"/>'),
    "no material": world(BOX.format('material="x"')),
    "mesh site": world('<site type="mesh"/>'),
    "camera target": world('<camera target="x" mode="targetbody"/>'),
    "camera fovy": world('<camera fovy="180"/>'),
    "light direction": world('<light dir="0 0 0"/>'),
    "repeated body": world('<body name="a"/><body name="a"/>'),
    "repeated geom": world('<geom name="a" size="1"/><body><geom name="a" size="1"/></body>'),
    "repeated frame": world('<frame name="a"/><frame name="a"/>'),
    "user values": world('<geom size="1" user="1 2 3"/>', '<size nuser_geom="2"/>'),
    "sleep below": nested('<body sleep="never"><joint/>' + BOX.format("") + "</body>"),
    "static sleep": world('<body sleep="never">' + BOX.format("") + "</body>"),
    "shell mesh geom": world('<geom type="mesh" mesh="c" shellinertia="true"/>', MESH.format("")),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(REFUSED[name])
    with pytest.raises(ValueError, match=r"\d+:\d+: ."):
        sinew.MjModel.from_xml_string(REFUSED[name])


RENUMBERED = """<mujoco><compiler fusestatic="true"/><worldbody>
<body><freejoint/><geom name="a" size=".1"/><site name="here"/></body>
<body pos="1 0 0"><geom size=".1"/><geom name="still" size=".1"/><site name="there"/></body>
<body pos="0 1 0"><freejoint/><geom name="b" size=".1"/></body></worldbody>
<contact><pair geom1="a" geom2="b" condim="6"/></contact>
<sensor><framepos objtype="geom" objname="still"/><distance geom1="a" geom2="b"/>
<framepos objtype="site" objname="here" reftype="site" refname="there"/></sensor></mujoco>"""


def test_geoms_that_fusing_renumbers():
    """Pairs and sensors refer to the geoms they name; MuJoCo's refer to whatever now has the former id."""
    om, cm = mujoco.MjModel.from_xml_string(RENUMBERED), sinew.MjModel.from_xml_string(RENUMBERED)
    a, b, still = (cm.geom(name).id for name in ("a", "b", "still"))
    numbers = lambda m: (m.pair_geom1[0], m.pair_geom2[0], *m.sensor_objid, *m.sensor_refid[1:])
    assert numbers(cm) == (a, b, still, a, cm.site("here").id, b, cm.site("there").id)
    assert numbers(om) == (0, 3, 2, 0, 0, 3, 1) != numbers(cm)
    rename(RENUMBERED, cm, om)
    for name in ("pair_geom1", "pair_geom2", "pair_signature", "sensor_objid", "sensor_refid"):
        assert np.array_equal(getattr(cm, name), getattr(om, name)), name
    # a model with a wrong id is not excused
    om, cm = mujoco.MjModel.from_xml_string(RENUMBERED), sinew.MjModel.from_xml_string(RENUMBERED)
    cm.pair_geom1[0] = still
    rename(RENUMBERED, cm, om)
    assert om.pair_geom1[0] == 0


@pytest.mark.parametrize("part", [
    '<tendon><spatial><site site="here"/><site site="there"/></spatial></tendon>',
    '<actuator><general site="here" refsite="there"/></actuator>',
    '<equality><weld site1="here" site2="there"/></equality>',
])
def test_sites_that_fusing_renumbers(part):
    text = RENUMBERED.replace("</mujoco>", f"{part}</mujoco>")
    om, cm = mujoco.MjModel.from_xml_string(text), sinew.MjModel.from_xml_string(text)
    assert rename(text, cm, om)
    assert not rename(RENUMBERED, *(module.MjModel.from_xml_string(RENUMBERED) for module in (sinew, mujoco)))
    # a wrong id is not excused
    for name in ("wrap_objid", "eq_obj1id", "actuator_trnid"):
        if getattr(cm, name).size:
            getattr(cm, name)[0] = 0
    assert not rename(text, cm, mujoco.MjModel.from_xml_string(text))
