"""Names of MuJoCo's drawing and user interface. Nothing is drawn here, but programs that mention them run."""

from ._enums import _make

mjtButton = _make("mjtButton", {"mjBUTTON_NONE": 0, "mjBUTTON_LEFT": 1, "mjBUTTON_RIGHT": 2, "mjBUTTON_MIDDLE": 3})
mjtCamera = _make("mjtCamera", {"mjCAMERA_FREE": 0, "mjCAMERA_TRACKING": 1, "mjCAMERA_FIXED": 2, "mjCAMERA_USER": 3})
mjtCatBit = _make("mjtCatBit", {"mjCAT_STATIC": 1, "mjCAT_DYNAMIC": 2, "mjCAT_DECOR": 4, "mjCAT_ALL": 7})
mjtDepthMap = _make("mjtDepthMap", {"mjDEPTH_ZERONEAR": 0, "mjDEPTH_ZEROFAR": 1})
mjtEvent = _make("mjtEvent", {
    "mjEVENT_NONE": 0, "mjEVENT_MOVE": 1, "mjEVENT_PRESS": 2, "mjEVENT_RELEASE": 3, "mjEVENT_SCROLL": 4,
    "mjEVENT_KEY": 5, "mjEVENT_RESIZE": 6, "mjEVENT_REDRAW": 7, "mjEVENT_FILESDROP": 8,
})
mjtFont = _make("mjtFont", {"mjFONT_NORMAL": 0, "mjFONT_SHADOW": 1, "mjFONT_BIG": 2})
mjtFontScale = _make("mjtFontScale", {
    "mjFONTSCALE_50": 50, "mjFONTSCALE_100": 100, "mjFONTSCALE_150": 150, "mjFONTSCALE_200": 200,
    "mjFONTSCALE_250": 250, "mjFONTSCALE_300": 300,
})
mjtFrame = _make("mjtFrame", {
    "mjFRAME_NONE": 0, "mjFRAME_BODY": 1, "mjFRAME_GEOM": 2, "mjFRAME_SITE": 3, "mjFRAME_CAMERA": 4,
    "mjFRAME_LIGHT": 5, "mjFRAME_CONTACT": 6, "mjFRAME_WORLD": 7, "mjNFRAME": 8,
})
mjtFramebuffer = _make("mjtFramebuffer", {"mjFB_WINDOW": 0, "mjFB_OFFSCREEN": 1})
mjtGridPos = _make("mjtGridPos", {
    "mjGRID_TOPLEFT": 0, "mjGRID_TOPRIGHT": 1, "mjGRID_BOTTOMLEFT": 2, "mjGRID_BOTTOMRIGHT": 3, "mjGRID_TOP": 4,
    "mjGRID_BOTTOM": 5, "mjGRID_LEFT": 6, "mjGRID_RIGHT": 7,
})
mjtItem = _make("mjtItem", {
    "mjITEM_END": -2, "mjITEM_SECTION": -1, "mjITEM_SEPARATOR": 0, "mjITEM_STATIC": 1, "mjITEM_BUTTON": 2,
    "mjITEM_CHECKINT": 3, "mjITEM_CHECKBYTE": 4, "mjITEM_RADIO": 5, "mjITEM_RADIOLINE": 6, "mjITEM_SELECT": 7,
    "mjITEM_SLIDERINT": 8, "mjITEM_SLIDERNUM": 9, "mjITEM_EDITINT": 10, "mjITEM_EDITNUM": 11,
    "mjITEM_EDITFLOAT": 12, "mjITEM_EDITTXT": 13, "mjNITEM": 14,
})
mjtLabel = _make("mjtLabel", {
    "mjLABEL_NONE": 0, "mjLABEL_BODY": 1, "mjLABEL_JOINT": 2, "mjLABEL_GEOM": 3, "mjLABEL_SITE": 4,
    "mjLABEL_CAMERA": 5, "mjLABEL_LIGHT": 6, "mjLABEL_TENDON": 7, "mjLABEL_ACTUATOR": 8, "mjLABEL_CONSTRAINT": 9,
    "mjLABEL_FLEX": 10, "mjLABEL_SKIN": 11, "mjLABEL_SELECTION": 12, "mjLABEL_SELPNT": 13,
    "mjLABEL_CONTACTPOINT": 14, "mjLABEL_CONTACTFORCE": 15, "mjLABEL_ISLAND": 16, "mjNLABEL": 17,
})
mjtMouse = _make("mjtMouse", {
    "mjMOUSE_NONE": 0, "mjMOUSE_ROTATE_V": 1, "mjMOUSE_ROTATE_H": 2, "mjMOUSE_MOVE_V": 3, "mjMOUSE_MOVE_H": 4,
    "mjMOUSE_ZOOM": 5, "mjMOUSE_MOVE_V_REL": 6, "mjMOUSE_MOVE_H_REL": 7,
})
mjtPertBit = _make("mjtPertBit", {"mjPERT_TRANSLATE": 1, "mjPERT_ROTATE": 2})
mjtRndFlag = _make("mjtRndFlag", {
    "mjRND_SHADOW": 0, "mjRND_WIREFRAME": 1, "mjRND_REFLECTION": 2, "mjRND_ADDITIVE": 3, "mjRND_SKYBOX": 4,
    "mjRND_FOG": 5, "mjRND_HAZE": 6, "mjRND_DEPTH": 7, "mjRND_SEGMENT": 8, "mjRND_IDCOLOR": 9,
    "mjRND_CULL_FACE": 10, "mjNRNDFLAG": 11,
})
mjtSection = _make("mjtSection", {"mjSECT_CLOSED": 0, "mjSECT_OPEN": 1, "mjSECT_FIXED": 2})
mjtStereo = _make("mjtStereo", {"mjSTEREO_NONE": 0, "mjSTEREO_QUADBUFFERED": 1, "mjSTEREO_SIDEBYSIDE": 2})
mjtTaskStatus = _make("mjtTaskStatus", {"mjTASK_NEW": 0, "mjTASK_QUEUED": 1, "mjTASK_COMPLETED": 2})
mjtVisFlag = _make("mjtVisFlag", {
    "mjVIS_CONVEXHULL": 0, "mjVIS_TEXTURE": 1, "mjVIS_JOINT": 2, "mjVIS_CAMERA": 3, "mjVIS_ACTUATOR": 4,
    "mjVIS_ACTIVATION": 5, "mjVIS_LIGHT": 6, "mjVIS_TENDON": 7, "mjVIS_RANGEFINDER": 8, "mjVIS_CONSTRAINT": 9,
    "mjVIS_INERTIA": 10, "mjVIS_SCLINERTIA": 11, "mjVIS_PERTFORCE": 12, "mjVIS_PERTOBJ": 13,
    "mjVIS_CONTACTPOINT": 14, "mjVIS_ISLAND": 15, "mjVIS_CONTACTFORCE": 16, "mjVIS_CONTACTSPLIT": 17,
    "mjVIS_TRANSPARENT": 18, "mjVIS_AUTOCONNECT": 19, "mjVIS_COM": 20, "mjVIS_SELECT": 21, "mjVIS_STATIC": 22,
    "mjVIS_SKIN": 23, "mjVIS_FLEXVERT": 24, "mjVIS_FLEXEDGE": 25, "mjVIS_FLEXFACE": 26, "mjVIS_FLEXSKIN": 27,
    "mjVIS_BODYBVH": 28, "mjVIS_MESHBVH": 29, "mjVIS_SDFITER": 30, "mjNVISFLAG": 31,
})

mjMAXLIGHT = 100
mjMAXLINE = 100
mjMAXLINEPNT = 1001
mjMAXOVERLAY = 500
mjMAXPLANEGRID = 200

mjFRAMESTRING = (
    "None", "Body", "Geom", "Site", "Camera", "Light", "Contact", "World",
)
mjLABELSTRING = (
    "None", "Body", "Joint", "Geom", "Site", "Camera", "Light", "Tendon", "Actuator", "Constraint", "Flex",
    "Skin", "Selection", "SelPoint", "Contact", "ContactForce", "Island",
)
mjRNDSTRING = (
    ("Shadow", "1", "S"), ("Wireframe", "0", "W"), ("Reflection", "1", "R"), ("Additive", "0", "L"),
    ("Skybox", "1", "K"), ("Fog", "0", "G"), ("Haze", "1", "/"), ("Depth", "0", ""), ("Segment", "0", ","),
    ("Id Color", "0", ""), ("Cull Face", "1", ""),
)
mjVISSTRING = (
    ("Convex Hull", "0", "H"), ("Texture", "1", "X"), ("Joint", "0", "J"), ("Camera", "0", "Q"),
    ("Actuator", "0", "U"), ("Activation", "0", ","), ("Light", "0", "Z"), ("Tendon", "1", "V"),
    ("Range Finder", "1", "Y"), ("Equality", "0", "E"), ("Inertia", "0", "I"), ("Scale Inertia", "0", "'"),
    ("Perturb Force", "0", "B"), ("Perturb Object", "1", "O"), ("Contact Point", "0", "C"), ("Island", "0", "N"),
    ("Contact Force", "0", "F"), ("Contact Split", "0", "P"), ("Transparent", "0", "T"), ("Auto Connect", "0", "A"),
    ("Center of Mass", "0", "M"), ("Select Point", "0", ""), ("Static Body", "1", "D"), ("Skin", "1", ";"),
    ("Flex Vert", "0", ""), ("Flex Edge", "1", ""), ("Flex Face", "0", ""), ("Flex Skin", "1", ""),
    ("Body Tree", "0", "`"), ("Mesh Tree", "0", "\\"), ("SDF iters", "0", ""),
)


class _Undrawn:
    """A class that packages derive from when they are imported; nothing can be made of it."""

    def __init__(self, *args, **kwargs):
        raise RuntimeError(f"sinew does not render: there is no {type(self).__name__}")


MjvCamera, MjvFigure, MjvOption, MjvPerturb, MjvScene = (
    type(name, (_Undrawn,), {"__module__": "sinew", "__doc__": _Undrawn.__doc__})
    for name in ("MjvCamera", "MjvFigure", "MjvOption", "MjvPerturb", "MjvScene")
)
