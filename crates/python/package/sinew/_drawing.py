"""Constants and classes of MuJoCo's rendering and user interface."""

from ._enums import _make

mjtButton = _make("mjtButton", {"mjBUTTON_NONE": 0, "mjBUTTON_LEFT": 1, "mjBUTTON_RIGHT": 2, "mjBUTTON_MIDDLE": 3})
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
mjtSection = _make("mjtSection", {"mjSECT_CLOSED": 0, "mjSECT_OPEN": 1, "mjSECT_FIXED": 2})
mjtTaskStatus = _make("mjtTaskStatus", {"mjTASK_NEW": 0, "mjTASK_QUEUED": 1, "mjTASK_COMPLETED": 2})

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

