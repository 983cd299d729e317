# Written by tools/stubs.py from the engine's tables.
# ruff: noqa
import enum
import os
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import gl_context as gl_context
from . import minimize as minimize
from . import msh2obj as msh2obj
from . import renderer as renderer
from . import viewer as viewer
from . import rollout as rollout
from . import spec as spec

__version__: str
__sinew_version__: str

class FatalError(Exception): ...
class StepError(FatalError): ...
class UnexpectedError(Exception): ...

mjVERSION_HEADER: int
mjPI: float
mjMAXVAL: float
mjMINVAL: float
mjMINMU: float
mjMINIMP: float
mjMAXIMP: float
mjMAXCONPAIR: int
mjMAXTREEDEPTH: int
mjMAXFLEXNODES: int
mjMINAWAKE: int
mjNEQDATA: int
mjNDYN: int
mjNGAIN: int
mjNBIAS: int
mjNFLUID: int
mjNREF: int
mjNIMP: int
mjNSENS: int
mjNSOLVER: int
mjNISLAND: int
mjNGROUP: int
mjDISABLESTRING: tuple[str, ...]
mjENABLESTRING: tuple[str, ...]
mjTIMERSTRING: tuple[str, ...]
mjMAXLIGHT: int
mjMAXLINE: int
mjMAXLINEPNT: int
mjMAXOVERLAY: int
mjMAXPLANEGRID: int
mjFRAMESTRING: tuple[str, ...]
mjLABELSTRING: tuple[str, ...]
mjRNDSTRING: tuple[tuple[str, str, str], ...]
mjVISSTRING: tuple[tuple[str, str, str], ...]

class mjtDisableBit(enum.IntEnum):
    mjDSBL_CONSTRAINT = 1
    mjDSBL_EQUALITY = 2
    mjDSBL_FRICTIONLOSS = 4
    mjDSBL_LIMIT = 8
    mjDSBL_CONTACT = 16
    mjDSBL_SPRING = 32
    mjDSBL_DAMPER = 64
    mjDSBL_GRAVITY = 128
    mjDSBL_CLAMPCTRL = 256
    mjDSBL_WARMSTART = 512
    mjDSBL_FILTERPARENT = 1024
    mjDSBL_ACTUATION = 2048
    mjDSBL_REFSAFE = 4096
    mjDSBL_SENSOR = 8192
    mjDSBL_MIDPHASE = 16384
    mjDSBL_EULERDAMP = 32768
    mjDSBL_AUTORESET = 65536
    mjDSBL_NATIVECCD = 131072
    mjDSBL_ISLAND = 262144
    mjNDISABLE = 19

class mjtEnableBit(enum.IntEnum):
    mjENBL_OVERRIDE = 1
    mjENBL_ENERGY = 2
    mjENBL_FWDINV = 4
    mjENBL_INVDISCRETE = 8
    mjENBL_MULTICCD = 16
    mjENBL_SLEEP = 32
    mjNENABLE = 6

class mjtJoint(enum.IntEnum):
    mjJNT_FREE = 0
    mjJNT_BALL = 1
    mjJNT_SLIDE = 2
    mjJNT_HINGE = 3

class mjtGeom(enum.IntEnum):
    mjGEOM_PLANE = 0
    mjGEOM_HFIELD = 1
    mjGEOM_SPHERE = 2
    mjGEOM_CAPSULE = 3
    mjGEOM_ELLIPSOID = 4
    mjGEOM_CYLINDER = 5
    mjGEOM_BOX = 6
    mjGEOM_MESH = 7
    mjGEOM_SDF = 8
    mjNGEOMTYPES = 9
    mjGEOM_ARROW = 100
    mjGEOM_ARROW1 = 101
    mjGEOM_ARROW2 = 102
    mjGEOM_LINE = 103
    mjGEOM_LINEBOX = 104
    mjGEOM_FLEX = 105
    mjGEOM_SKIN = 106
    mjGEOM_LABEL = 107
    mjGEOM_TRIANGLE = 108
    mjGEOM_NONE = 1001

class mjtProjection(enum.IntEnum):
    mjPROJ_PERSPECTIVE = 0
    mjPROJ_ORTHOGRAPHIC = 1

class mjtCamLight(enum.IntEnum):
    mjCAMLIGHT_FIXED = 0
    mjCAMLIGHT_TRACK = 1
    mjCAMLIGHT_TRACKCOM = 2
    mjCAMLIGHT_TARGETBODY = 3
    mjCAMLIGHT_TARGETBODYCOM = 4

class mjtLightType(enum.IntEnum):
    mjLIGHT_SPOT = 0
    mjLIGHT_DIRECTIONAL = 1
    mjLIGHT_POINT = 2
    mjLIGHT_IMAGE = 3

class mjtTexture(enum.IntEnum):
    mjTEXTURE_2D = 0
    mjTEXTURE_CUBE = 1
    mjTEXTURE_SKYBOX = 2

class mjtTextureRole(enum.IntEnum):
    mjTEXROLE_USER = 0
    mjTEXROLE_RGB = 1
    mjTEXROLE_OCCLUSION = 2
    mjTEXROLE_ROUGHNESS = 3
    mjTEXROLE_METALLIC = 4
    mjTEXROLE_NORMAL = 5
    mjTEXROLE_OPACITY = 6
    mjTEXROLE_EMISSIVE = 7
    mjTEXROLE_RGBA = 8
    mjTEXROLE_ORM = 9
    mjNTEXROLE = 10

class mjtColorSpace(enum.IntEnum):
    mjCOLORSPACE_AUTO = 0
    mjCOLORSPACE_LINEAR = 1
    mjCOLORSPACE_SRGB = 2

class mjtIntegrator(enum.IntEnum):
    mjINT_EULER = 0
    mjINT_RK4 = 1
    mjINT_IMPLICIT = 2
    mjINT_IMPLICITFAST = 3
    mjINT_IMPLICITSPRINGDAMPER = 1000

class mjtCone(enum.IntEnum):
    mjCONE_PYRAMIDAL = 0
    mjCONE_ELLIPTIC = 1

class mjtJacobian(enum.IntEnum):
    mjJAC_DENSE = 0
    mjJAC_SPARSE = 1
    mjJAC_AUTO = 2

class mjtSolver(enum.IntEnum):
    mjSOL_PGS = 0
    mjSOL_CG = 1
    mjSOL_NEWTON = 2

class mjtEq(enum.IntEnum):
    mjEQ_CONNECT = 0
    mjEQ_WELD = 1
    mjEQ_JOINT = 2
    mjEQ_TENDON = 3
    mjEQ_FLEX = 4
    mjEQ_FLEXVERT = 5
    mjEQ_DISTANCE = 6

class mjtWrap(enum.IntEnum):
    mjWRAP_NONE = 0
    mjWRAP_JOINT = 1
    mjWRAP_PULLEY = 2
    mjWRAP_SITE = 3
    mjWRAP_SPHERE = 4
    mjWRAP_CYLINDER = 5

class mjtTrn(enum.IntEnum):
    mjTRN_JOINT = 0
    mjTRN_JOINTINPARENT = 1
    mjTRN_SLIDERCRANK = 2
    mjTRN_TENDON = 3
    mjTRN_SITE = 4
    mjTRN_BODY = 5
    mjTRN_UNDEFINED = 1000

class mjtDyn(enum.IntEnum):
    mjDYN_NONE = 0
    mjDYN_INTEGRATOR = 1
    mjDYN_FILTER = 2
    mjDYN_FILTEREXACT = 3
    mjDYN_MUSCLE = 4
    mjDYN_USER = 5

class mjtGain(enum.IntEnum):
    mjGAIN_FIXED = 0
    mjGAIN_AFFINE = 1
    mjGAIN_MUSCLE = 2
    mjGAIN_USER = 3

class mjtBias(enum.IntEnum):
    mjBIAS_NONE = 0
    mjBIAS_AFFINE = 1
    mjBIAS_MUSCLE = 2
    mjBIAS_USER = 3

class mjtObj(enum.IntEnum):
    mjOBJ_UNKNOWN = 0
    mjOBJ_BODY = 1
    mjOBJ_XBODY = 2
    mjOBJ_JOINT = 3
    mjOBJ_DOF = 4
    mjOBJ_GEOM = 5
    mjOBJ_SITE = 6
    mjOBJ_CAMERA = 7
    mjOBJ_LIGHT = 8
    mjOBJ_FLEX = 9
    mjOBJ_MESH = 10
    mjOBJ_SKIN = 11
    mjOBJ_HFIELD = 12
    mjOBJ_TEXTURE = 13
    mjOBJ_MATERIAL = 14
    mjOBJ_PAIR = 15
    mjOBJ_EXCLUDE = 16
    mjOBJ_EQUALITY = 17
    mjOBJ_TENDON = 18
    mjOBJ_ACTUATOR = 19
    mjOBJ_SENSOR = 20
    mjOBJ_NUMERIC = 21
    mjOBJ_TEXT = 22
    mjOBJ_TUPLE = 23
    mjOBJ_KEY = 24
    mjOBJ_PLUGIN = 25
    mjNOBJECT = 26
    mjOBJ_FRAME = 100
    mjOBJ_DEFAULT = 101
    mjOBJ_MODEL = 102

class mjtSensor(enum.IntEnum):
    mjSENS_TOUCH = 0
    mjSENS_ACCELEROMETER = 1
    mjSENS_VELOCIMETER = 2
    mjSENS_GYRO = 3
    mjSENS_FORCE = 4
    mjSENS_TORQUE = 5
    mjSENS_MAGNETOMETER = 6
    mjSENS_RANGEFINDER = 7
    mjSENS_CAMPROJECTION = 8
    mjSENS_JOINTPOS = 9
    mjSENS_JOINTVEL = 10
    mjSENS_TENDONPOS = 11
    mjSENS_TENDONVEL = 12
    mjSENS_ACTUATORPOS = 13
    mjSENS_ACTUATORVEL = 14
    mjSENS_ACTUATORFRC = 15
    mjSENS_JOINTACTFRC = 16
    mjSENS_TENDONACTFRC = 17
    mjSENS_BALLQUAT = 18
    mjSENS_BALLANGVEL = 19
    mjSENS_JOINTLIMITPOS = 20
    mjSENS_JOINTLIMITVEL = 21
    mjSENS_JOINTLIMITFRC = 22
    mjSENS_TENDONLIMITPOS = 23
    mjSENS_TENDONLIMITVEL = 24
    mjSENS_TENDONLIMITFRC = 25
    mjSENS_FRAMEPOS = 26
    mjSENS_FRAMEQUAT = 27
    mjSENS_FRAMEXAXIS = 28
    mjSENS_FRAMEYAXIS = 29
    mjSENS_FRAMEZAXIS = 30
    mjSENS_FRAMELINVEL = 31
    mjSENS_FRAMEANGVEL = 32
    mjSENS_FRAMELINACC = 33
    mjSENS_FRAMEANGACC = 34
    mjSENS_SUBTREECOM = 35
    mjSENS_SUBTREELINVEL = 36
    mjSENS_SUBTREEANGMOM = 37
    mjSENS_INSIDESITE = 38
    mjSENS_GEOMDIST = 39
    mjSENS_GEOMNORMAL = 40
    mjSENS_GEOMFROMTO = 41
    mjSENS_CONTACT = 42
    mjSENS_E_POTENTIAL = 43
    mjSENS_E_KINETIC = 44
    mjSENS_CLOCK = 45
    mjSENS_TACTILE = 46
    mjSENS_PLUGIN = 47
    mjSENS_USER = 48

class mjtStage(enum.IntEnum):
    mjSTAGE_NONE = 0
    mjSTAGE_POS = 1
    mjSTAGE_VEL = 2
    mjSTAGE_ACC = 3

class mjtDataType(enum.IntEnum):
    mjDATATYPE_REAL = 0
    mjDATATYPE_POSITIVE = 1
    mjDATATYPE_AXIS = 2
    mjDATATYPE_QUATERNION = 3

class mjtConDataField(enum.IntEnum):
    mjCONDATA_FOUND = 0
    mjCONDATA_FORCE = 1
    mjCONDATA_TORQUE = 2
    mjCONDATA_DIST = 3
    mjCONDATA_POS = 4
    mjCONDATA_NORMAL = 5
    mjCONDATA_TANGENT = 6
    mjNCONDATA = 7

class mjtRayDataField(enum.IntEnum):
    mjRAYDATA_DIST = 0
    mjRAYDATA_DIR = 1
    mjRAYDATA_ORIGIN = 2
    mjRAYDATA_POINT = 3
    mjRAYDATA_NORMAL = 4
    mjRAYDATA_DEPTH = 5
    mjNRAYDATA = 6

class mjtCamOutBit(enum.IntEnum):
    mjCAMOUT_RGB = 1
    mjCAMOUT_DEPTH = 2
    mjCAMOUT_DIST = 4
    mjCAMOUT_NORMAL = 8
    mjCAMOUT_SEG = 16
    mjNCAMOUT = 5

class mjtSameFrame(enum.IntEnum):
    mjSAMEFRAME_NONE = 0
    mjSAMEFRAME_BODY = 1
    mjSAMEFRAME_INERTIA = 2
    mjSAMEFRAME_BODYROT = 3
    mjSAMEFRAME_INERTIAROT = 4

class mjtSleepPolicy(enum.IntEnum):
    mjSLEEP_AUTO = 0
    mjSLEEP_AUTO_NEVER = 1
    mjSLEEP_AUTO_ALLOWED = 2
    mjSLEEP_NEVER = 3
    mjSLEEP_ALLOWED = 4
    mjSLEEP_INIT = 5

class mjtLRMode(enum.IntEnum):
    mjLRMODE_NONE = 0
    mjLRMODE_MUSCLE = 1
    mjLRMODE_MUSCLEUSER = 2
    mjLRMODE_ALL = 3

class mjtFlexSelf(enum.IntEnum):
    mjFLEXSELF_NONE = 0
    mjFLEXSELF_NARROW = 1
    mjFLEXSELF_BVH = 2
    mjFLEXSELF_SAP = 3
    mjFLEXSELF_AUTO = 4

class mjtSDFType(enum.IntEnum):
    mjSDFTYPE_SINGLE = 0
    mjSDFTYPE_INTERSECTION = 1
    mjSDFTYPE_MIDSURFACE = 2
    mjSDFTYPE_COLLISION = 3

class mjtState(enum.IntEnum):
    mjSTATE_TIME = 1
    mjSTATE_QPOS = 2
    mjSTATE_QVEL = 4
    mjSTATE_ACT = 8
    mjSTATE_HISTORY = 16
    mjSTATE_WARMSTART = 32
    mjSTATE_CTRL = 64
    mjSTATE_QFRC_APPLIED = 128
    mjSTATE_XFRC_APPLIED = 256
    mjSTATE_EQ_ACTIVE = 512
    mjSTATE_MOCAP_POS = 1024
    mjSTATE_MOCAP_QUAT = 2048
    mjSTATE_USERDATA = 4096
    mjSTATE_PLUGIN = 8192
    mjNSTATE = 14
    mjSTATE_PHYSICS = 30
    mjSTATE_FULLPHYSICS = 8223
    mjSTATE_USER = 8128
    mjSTATE_INTEGRATION = 16383

class mjtConstraint(enum.IntEnum):
    mjCNSTR_EQUALITY = 0
    mjCNSTR_FRICTION_DOF = 1
    mjCNSTR_FRICTION_TENDON = 2
    mjCNSTR_LIMIT_JOINT = 3
    mjCNSTR_LIMIT_TENDON = 4
    mjCNSTR_CONTACT_FRICTIONLESS = 5
    mjCNSTR_CONTACT_PYRAMIDAL = 6
    mjCNSTR_CONTACT_ELLIPTIC = 7

class mjtConstraintState(enum.IntEnum):
    mjCNSTRSTATE_SATISFIED = 0
    mjCNSTRSTATE_QUADRATIC = 1
    mjCNSTRSTATE_LINEARNEG = 2
    mjCNSTRSTATE_LINEARPOS = 3
    mjCNSTRSTATE_CONE = 4

class mjtWarning(enum.IntEnum):
    mjWARN_INERTIA = 0
    mjWARN_CONTACTFULL = 1
    mjWARN_CNSTRFULL = 2
    mjWARN_VGEOMFULL = 3
    mjWARN_BADQPOS = 4
    mjWARN_BADQVEL = 5
    mjWARN_BADQACC = 6
    mjWARN_BADCTRL = 7
    mjNWARNING = 8

class mjtTimer(enum.IntEnum):
    mjTIMER_STEP = 0
    mjTIMER_FORWARD = 1
    mjTIMER_INVERSE = 2
    mjTIMER_POSITION = 3
    mjTIMER_VELOCITY = 4
    mjTIMER_ACTUATION = 5
    mjTIMER_CONSTRAINT = 6
    mjTIMER_ADVANCE = 7
    mjTIMER_POS_KINEMATICS = 8
    mjTIMER_POS_INERTIA = 9
    mjTIMER_POS_COLLISION = 10
    mjTIMER_POS_MAKE = 11
    mjTIMER_POS_PROJECT = 12
    mjTIMER_COL_BROAD = 13
    mjTIMER_COL_NARROW = 14
    mjNTIMER = 15

class mjtSleepState(enum.IntEnum):
    mjS_STATIC = -1
    mjS_ASLEEP = 0
    mjS_AWAKE = 1

class mjtGeomInertia(enum.IntEnum):
    mjINERTIA_VOLUME = 0
    mjINERTIA_SHELL = 1

class mjtMeshInertia(enum.IntEnum):
    mjMESH_INERTIA_CONVEX = 0
    mjMESH_INERTIA_EXACT = 1
    mjMESH_INERTIA_LEGACY = 2
    mjMESH_INERTIA_SHELL = 3

class mjtMeshBuiltin(enum.IntEnum):
    mjMESH_BUILTIN_NONE = 0
    mjMESH_BUILTIN_SPHERE = 1
    mjMESH_BUILTIN_HEMISPHERE = 2
    mjMESH_BUILTIN_CONE = 3
    mjMESH_BUILTIN_SUPERSPHERE = 4
    mjMESH_BUILTIN_SUPERTORUS = 5
    mjMESH_BUILTIN_WEDGE = 6
    mjMESH_BUILTIN_PLATE = 7

class mjtBuiltin(enum.IntEnum):
    mjBUILTIN_NONE = 0
    mjBUILTIN_GRADIENT = 1
    mjBUILTIN_CHECKER = 2
    mjBUILTIN_FLAT = 3

class mjtMark(enum.IntEnum):
    mjMARK_NONE = 0
    mjMARK_EDGE = 1
    mjMARK_CROSS = 2
    mjMARK_RANDOM = 3

class mjtLimited(enum.IntEnum):
    mjLIMITED_FALSE = 0
    mjLIMITED_TRUE = 1
    mjLIMITED_AUTO = 2

class mjtAlignFree(enum.IntEnum):
    mjALIGNFREE_FALSE = 0
    mjALIGNFREE_TRUE = 1
    mjALIGNFREE_AUTO = 2

class mjtInertiaFromGeom(enum.IntEnum):
    mjINERTIAFROMGEOM_FALSE = 0
    mjINERTIAFROMGEOM_TRUE = 1
    mjINERTIAFROMGEOM_AUTO = 2

class mjtOrientation(enum.IntEnum):
    mjORIENTATION_QUAT = 0
    mjORIENTATION_AXISANGLE = 1
    mjORIENTATION_XYAXES = 2
    mjORIENTATION_ZAXIS = 3
    mjORIENTATION_EULER = 4

class mjtPluginCapabilityBit(enum.IntEnum):
    mjPLUGIN_ACTUATOR = 1
    mjPLUGIN_SENSOR = 2
    mjPLUGIN_PASSIVE = 4
    mjPLUGIN_SDF = 8

class mjtCatBit(enum.IntEnum):
    mjCAT_STATIC = 1
    mjCAT_DYNAMIC = 2
    mjCAT_DECOR = 4
    mjCAT_ALL = 7

class mjtMouse(enum.IntEnum):
    mjMOUSE_NONE = 0
    mjMOUSE_ROTATE_V = 1
    mjMOUSE_ROTATE_H = 2
    mjMOUSE_MOVE_V = 3
    mjMOUSE_MOVE_H = 4
    mjMOUSE_ZOOM = 5
    mjMOUSE_MOVE_V_REL = 6
    mjMOUSE_MOVE_H_REL = 7

class mjtPertBit(enum.IntEnum):
    mjPERT_TRANSLATE = 1
    mjPERT_ROTATE = 2

class mjtCamera(enum.IntEnum):
    mjCAMERA_FREE = 0
    mjCAMERA_TRACKING = 1
    mjCAMERA_FIXED = 2
    mjCAMERA_USER = 3

class mjtLabel(enum.IntEnum):
    mjLABEL_NONE = 0
    mjLABEL_BODY = 1
    mjLABEL_JOINT = 2
    mjLABEL_GEOM = 3
    mjLABEL_SITE = 4
    mjLABEL_CAMERA = 5
    mjLABEL_LIGHT = 6
    mjLABEL_TENDON = 7
    mjLABEL_ACTUATOR = 8
    mjLABEL_CONSTRAINT = 9
    mjLABEL_FLEX = 10
    mjLABEL_SKIN = 11
    mjLABEL_SELECTION = 12
    mjLABEL_SELPNT = 13
    mjLABEL_CONTACTPOINT = 14
    mjLABEL_CONTACTFORCE = 15
    mjLABEL_ISLAND = 16
    mjNLABEL = 17

class mjtFrame(enum.IntEnum):
    mjFRAME_NONE = 0
    mjFRAME_BODY = 1
    mjFRAME_GEOM = 2
    mjFRAME_SITE = 3
    mjFRAME_CAMERA = 4
    mjFRAME_LIGHT = 5
    mjFRAME_CONTACT = 6
    mjFRAME_WORLD = 7
    mjNFRAME = 8

class mjtVisFlag(enum.IntEnum):
    mjVIS_CONVEXHULL = 0
    mjVIS_TEXTURE = 1
    mjVIS_JOINT = 2
    mjVIS_CAMERA = 3
    mjVIS_ACTUATOR = 4
    mjVIS_ACTIVATION = 5
    mjVIS_LIGHT = 6
    mjVIS_TENDON = 7
    mjVIS_RANGEFINDER = 8
    mjVIS_CONSTRAINT = 9
    mjVIS_INERTIA = 10
    mjVIS_SCLINERTIA = 11
    mjVIS_PERTFORCE = 12
    mjVIS_PERTOBJ = 13
    mjVIS_CONTACTPOINT = 14
    mjVIS_ISLAND = 15
    mjVIS_CONTACTFORCE = 16
    mjVIS_CONTACTSPLIT = 17
    mjVIS_TRANSPARENT = 18
    mjVIS_AUTOCONNECT = 19
    mjVIS_COM = 20
    mjVIS_SELECT = 21
    mjVIS_STATIC = 22
    mjVIS_SKIN = 23
    mjVIS_FLEXVERT = 24
    mjVIS_FLEXEDGE = 25
    mjVIS_FLEXFACE = 26
    mjVIS_FLEXSKIN = 27
    mjVIS_BODYBVH = 28
    mjVIS_MESHBVH = 29
    mjVIS_SDFITER = 30
    mjNVISFLAG = 31

class mjtRndFlag(enum.IntEnum):
    mjRND_SHADOW = 0
    mjRND_WIREFRAME = 1
    mjRND_REFLECTION = 2
    mjRND_ADDITIVE = 3
    mjRND_SKYBOX = 4
    mjRND_FOG = 5
    mjRND_HAZE = 6
    mjRND_DEPTH = 7
    mjRND_SEGMENT = 8
    mjRND_IDCOLOR = 9
    mjRND_CULL_FACE = 10
    mjNRNDFLAG = 11

class mjtStereo(enum.IntEnum):
    mjSTEREO_NONE = 0
    mjSTEREO_QUADBUFFERED = 1
    mjSTEREO_SIDEBYSIDE = 2

class mjtButton(enum.IntEnum):
    mjBUTTON_NONE = 0
    mjBUTTON_LEFT = 1
    mjBUTTON_RIGHT = 2
    mjBUTTON_MIDDLE = 3

class mjtDepthMap(enum.IntEnum):
    mjDEPTH_ZERONEAR = 0
    mjDEPTH_ZEROFAR = 1

class mjtEvent(enum.IntEnum):
    mjEVENT_NONE = 0
    mjEVENT_MOVE = 1
    mjEVENT_PRESS = 2
    mjEVENT_RELEASE = 3
    mjEVENT_SCROLL = 4
    mjEVENT_KEY = 5
    mjEVENT_RESIZE = 6
    mjEVENT_REDRAW = 7
    mjEVENT_FILESDROP = 8

class mjtFont(enum.IntEnum):
    mjFONT_NORMAL = 0
    mjFONT_SHADOW = 1
    mjFONT_BIG = 2

class mjtFontScale(enum.IntEnum):
    mjFONTSCALE_50 = 50
    mjFONTSCALE_100 = 100
    mjFONTSCALE_150 = 150
    mjFONTSCALE_200 = 200
    mjFONTSCALE_250 = 250
    mjFONTSCALE_300 = 300

class mjtFramebuffer(enum.IntEnum):
    mjFB_WINDOW = 0
    mjFB_OFFSCREEN = 1

class mjtGridPos(enum.IntEnum):
    mjGRID_TOPLEFT = 0
    mjGRID_TOPRIGHT = 1
    mjGRID_BOTTOMLEFT = 2
    mjGRID_BOTTOMRIGHT = 3
    mjGRID_TOP = 4
    mjGRID_BOTTOM = 5
    mjGRID_LEFT = 6
    mjGRID_RIGHT = 7

class mjtItem(enum.IntEnum):
    mjITEM_END = -2
    mjITEM_SECTION = -1
    mjITEM_SEPARATOR = 0
    mjITEM_STATIC = 1
    mjITEM_BUTTON = 2
    mjITEM_CHECKINT = 3
    mjITEM_CHECKBYTE = 4
    mjITEM_RADIO = 5
    mjITEM_RADIOLINE = 6
    mjITEM_SELECT = 7
    mjITEM_SLIDERINT = 8
    mjITEM_SLIDERNUM = 9
    mjITEM_EDITINT = 10
    mjITEM_EDITNUM = 11
    mjITEM_EDITFLOAT = 12
    mjITEM_EDITTXT = 13
    mjNITEM = 14

class mjtSection(enum.IntEnum):
    mjSECT_CLOSED = 0
    mjSECT_OPEN = 1
    mjSECT_FIXED = 2

class mjtTaskStatus(enum.IntEnum):
    mjTASK_NEW = 0
    mjTASK_QUEUED = 1
    mjTASK_COMPLETED = 2

class MjOption:
    """Physics options."""
    timestep: float
    """time step"""
    impratio: float
    """ratio of frictional to normal impedance of elliptic contacts"""
    tolerance: float
    """scaled improvement below which the solver stops"""
    ls_tolerance: float
    """gradient reduction at which a line search stops"""
    noslip_tolerance: float
    """scaled improvement below which the no-slip solver stops"""
    ccd_tolerance: float
    """tolerance of convex collision detection"""
    sleep_tolerance: float
    """speed below which a tree may sleep"""
    density: float
    """density of the medium"""
    viscosity: float
    """viscosity of the medium"""
    o_margin: float
    """margin of all contacts, if overridden"""
    gravity: NDArray[np.float64]
    """gravity"""
    wind: NDArray[np.float64]
    """velocity of the medium"""
    magnetic: NDArray[np.float64]
    """global magnetic flux, for magnetometers"""
    o_solref: NDArray[np.float64]
    """solver reference of all contacts, if overridden"""
    o_solimp: NDArray[np.float64]
    """solver impedance of all contacts, if overridden"""
    o_friction: NDArray[np.float64]
    """friction of all contacts, if overridden"""
    integrator: int
    """integrator (`mjtIntegrator`)"""
    cone: int
    """friction cone (`mjtCone`)"""
    jacobian: int
    """dense or sparse constraint Jacobian (`mjtJacobian`)"""
    solver: int
    """constraint solver (`mjtSolver`)"""
    iterations: int
    """maximum solver iterations"""
    ls_iterations: int
    """maximum line-search iterations"""
    noslip_iterations: int
    """maximum no-slip iterations"""
    ccd_iterations: int
    """maximum iterations of convex collision detection"""
    disableflags: int
    """disabled features (`mjtDisableBit`)"""
    enableflags: int
    """enabled features (`mjtEnableBit`)"""
    disableactuator: int
    """disabled actuator groups, one bit each"""
    sdf_initpoints: int
    """number of starting points of the signed-distance descent"""
    sdf_iterations: int
    """iterations of the signed-distance descent"""
    def __init__(self) -> None: ...
    def __copy__(self) -> MjOption: ...
    def __deepcopy__(self, memo: object) -> MjOption: ...

class MjStatistic:
    """Model statistics."""
    meaninertia: float
    """mean diagonal of the mass matrix"""
    meanmass: float
    """mean body mass"""
    meansize: float
    """mean body size"""
    extent: float
    """half the spatial extent of the model"""
    center: NDArray[np.float64]
    """centre of the model"""
    def __init__(self) -> None: ...
    def __copy__(self) -> MjStatistic: ...
    def __deepcopy__(self, memo: object) -> MjStatistic: ...

class MjvCamera:
    """From where to look."""
    type: int
    """free, tracking, fixed or set by the user (`mjtCamera`)"""
    fixedcamid: int
    """model camera to use, if fixed"""
    trackbodyid: int
    """body to follow, if tracking"""
    lookat: NDArray[np.float64]
    """point to look at"""
    distance: float
    """distance to `lookat`"""
    azimuth: float
    """azimuth"""
    elevation: float
    """elevation"""
    orthographic: int
    """whether the projection is orthographic"""
    def __init__(self) -> None: ...
    def __copy__(self) -> MjvCamera: ...
    def __deepcopy__(self, memo: object) -> MjvCamera: ...

class MjvOption:
    """What to show."""
    label: int
    """which labels to draw (`mjtLabel`)"""
    frame: int
    """which frames to draw (`mjtFrame`)"""
    geomgroup: NDArray[np.uint8]
    """groups of geoms to show"""
    sitegroup: NDArray[np.uint8]
    """groups of sites to show"""
    jointgroup: NDArray[np.uint8]
    """groups of joints to show"""
    tendongroup: NDArray[np.uint8]
    """groups of tendons to show"""
    actuatorgroup: NDArray[np.uint8]
    """groups of actuators to show"""
    flexgroup: NDArray[np.uint8]
    """groups of flexes to show"""
    skingroup: NDArray[np.uint8]
    """groups of skins to show"""
    flags: NDArray[np.uint8]
    """what to draw (by `mjtVisFlag`)"""
    bvh_depth: int
    """depth of the bounding volumes to draw"""
    flex_layer: int
    """layer of solid flexes to draw"""
    def __init__(self) -> None: ...
    def __copy__(self) -> MjvOption: ...
    def __deepcopy__(self, memo: object) -> MjvOption: ...

class MjvPerturb:
    """What is selected, and pulled or turned by hand."""
    select: int
    """selected body; none if not positive"""
    flexselect: int
    """selected flex; none if negative"""
    skinselect: int
    """selected skin; none if negative"""
    active: int
    """current perturbation (`mjtPertBit`)"""
    active2: int
    """current perturbation by a second user"""
    refpos: NDArray[np.float64]
    """target position of the body's centre of mass"""
    refquat: NDArray[np.float64]
    """target orientation of the body's inertial frame"""
    refselpos: NDArray[np.float64]
    """target position of the selected point"""
    localpos: NDArray[np.float64]
    """selected point in the body's frame"""
    localmass: float
    """effective mass at the selected point"""
    scale: float
    """motion per fraction of the image size"""
    def __init__(self) -> None: ...
    def __copy__(self) -> MjvPerturb: ...
    def __deepcopy__(self, memo: object) -> MjvPerturb: ...

class MjLROpt:
    """How actuator length ranges are computed; all zero at first, as in MuJoCo."""
    def __init__(self) -> None: ...
    accel: float
    interval: float
    inttotal: float
    maxforce: float
    mode: int
    timeconst: float
    timestep: float
    tolrange: float
    useexisting: int
    uselimit: int
    def __copy__(self) -> MjLROpt: ...
    def __deepcopy__(self, memo: object) -> MjLROpt: ...

def as_mujoco() -> types.ModuleType: ...
def level() -> str: ...
class Limits(NamedTuple):
    """Limits on what a model may use; with `unpacked` None, the limit follows from the size of the archive."""
    memory: int
    elements: int
    numbers: int
    unpacked: int | None
    confined: bool
def get_limits() -> Limits:
    """Returns the limits for loading models."""
def set_limits(*, memory: int | None = None, elements: int | None = None, numbers: int | None = None, unpacked: int | None = None, confined: bool | None = None) -> Limits:
    """Sets limits for all models loaded from now on, on all threads; None leaves a limit unchanged.

    `memory` (bytes) is for a model and one simulation of it, `elements` is the number after replication and attachment,
    `numbers` the number of values in one array, `unpacked` (bytes) the unpacked size of an archive. With `confined`,
    models may read only files in their own directory and in `assets`; models given as text read nothing from disk.
    Returns the previous limits.
    """

class Transition(NamedTuple):
    A: NDArray[np.float64]
    B: NDArray[np.float64]
    C: NDArray[np.float64] | None
    D: NDArray[np.float64] | None
    differenced: dict[str, list[str]]

class BatchTransition(NamedTuple):
    A: NDArray[np.float64]
    B: NDArray[np.float64]
    C: NDArray[np.float64] | None
    D: NDArray[np.float64] | None
    differenced: list[dict[str, list[str]]]

class InverseDerivatives(NamedTuple):
    """Derivatives of inverse dynamics, in the layout of `mjd_inverseFD`: row `i` holds the derivatives of all forces
(`Df…`, nv x nv), sensors (`Ds…`, nv x nsensordata) or entries of `qM` (`DmDq`, nv x nM) with respect to input `i`,
so that `df = DfDq.T @ dq`. `differenced` names the terms computed by finite differences, for positions, velocities
and accelerations, and the sensors."""
    DfDq: NDArray[np.float64]
    DfDv: NDArray[np.float64]
    DfDa: NDArray[np.float64]
    DsDq: NDArray[np.float64] | None
    DsDv: NDArray[np.float64] | None
    DsDa: NDArray[np.float64] | None
    DmDq: NDArray[np.float64] | None
    differenced: dict[str, list[str]]

class TransitionCheck(NamedTuple):
    errors: dict[str, float]
    differences: dict[str, float]

def check_transition(m: MjModel, d: MjData, method: str = ..., eps: float = ..., sensors: bool = ...) -> TransitionCheck:
    """Compares the derivatives of the step from the present state with finite differences. Where the set of active
constraints changes within `eps`, finite differences are consistent neither with each other nor with the
derivative."""
def smooth_vel(m: MjModel, d: MjData, eps: float = ...) -> NDArray[np.float64]:
    """Derivative of smooth forces, `qfrc_passive + qfrc_actuator - qfrc_bias`, with respect to velocity (nv x nv, one
row per force), at the state of `d`. It has all entries, while `qDeriv` has only those that implicit integrators
use. `eps` is for elastic flexes, which use finite differences."""
def transition(m: MjModel, d: MjData, method: str = ..., eps: float = ..., centered: bool = ..., sensors: bool = ...) -> Transition:
    """Matrices of the linear system about a step from the present state; `C` and `D` only with `sensors`.

`method` is "analytic" for closed forms, which refuses terms that have none; "hybrid" for closed forms with finite
differences of single terms that have none; "fd" for finite differences of whole steps, with perturbations of `eps`,
as `mjd_transitionFD`. Unlike that function it refuses an `eps` that gives no derivative, and has the correct sign
of `D`."""
def inverse_derivatives(m: MjModel, d: MjData, method: str = ..., eps: float = ..., centered: bool = ..., actuation: bool = ..., sensors: bool = ..., mass: bool = ...) -> InverseDerivatives:
    """Derivatives of the inverse dynamics force `qfrc_inverse` with respect to position (in tangent space), velocity
and acceleration, at the state and `qacc` of `d`, which is not changed; with `actuation`, derivatives of
`qfrc_inverse - qfrc_actuator`.

`method` is "analytic" for closed forms, "hybrid" for closed forms with finite differences of single terms that have
none, "fd" for finite differences of all of inverse dynamics, as `mjd_inverseFD`. `sensors` adds the derivatives of
sensors, `mass` those of the mass matrix."""
def jvp(m: MjModel, d: MjData, dx: ArrayLike, du: ArrayLike, method: str = ..., eps: float = ...) -> NDArray[np.float64]:
    """`A dx + B du` of a step from the present state, without building `A` and `B`."""
def vjp(m: MjModel, d: MjData, next: ArrayLike, method: str = ..., eps: float = ...) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gradients of a loss with respect to the present state and the controls, `Aᵀ next` and `Bᵀ next`; `next` is the
gradient with respect to the next state."""
def rollout_vjp(m: MjModel, d: MjData, ctrl: ArrayLike, loss: ArrayLike, checkpoint: int | None = ..., method: str = ..., eps: float = ...) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gradients of a loss over a rollout from the present state, with respect to that state and to all controls.

`ctrl` has one row per step, and so has `loss`: derivatives of the loss with respect to the state after that step (2
nv + na values, in tangent space). Every `checkpoint`-th state is kept, and the states between are recomputed; the
default is the square root of the number of steps, which needs the least memory."""

class Sim:
    """A model, its data and the solver and force laws that step them.

`solver` and the values of `actuators`, `elasticity` and `bending`, the laws by actuator and flex names, have the
format of the `sinew:` texts of a model file:
`Sim(m, solver="xpbd substeps=4", actuators={"knee": "series_elastic 1000 10 50"})`. A plain string for `elasticity`
or `bending` applies to all flexes that support it. The given model is not changed.

For experiments, laws can be Python functions: `actuators={"knee": lambda length, velocity, input: force}` and
`elasticity={"block": lambda F: P}`, from the deformation gradients of all elements, (n, 3, dim), to their stresses
(first Piola-Kirchhoff; for sheets, times the thickness). Each step then calls back into Python, which is slow."""
    model: MjModel
    data: MjData
    solver: str
    def __init__(self, m: MjModel, solver: str | None = ..., actuators: Mapping[str, str | Callable] | None = ...,
        elasticity: str | Mapping[str, str | Callable] | None = ..., bending: str | Mapping[str, str] | None = ...) -> None: ...
    def step(self, nstep: int = ..., strict: bool = ...) -> None: ...
    def forward(self) -> None: ...
    def reset(self) -> None: ...

class MjVisual:
    def __copy__(self) -> MjVisual: ...
    def __deepcopy__(self, memo: object) -> MjVisual: ...
    class Global:
        cameraid: int
        """initial camera; −1 for the free camera"""
        orthographic: int
        """whether the free camera is orthographic"""
        fovy: float
        """vertical field of view of the free camera"""
        ipd: float
        """inter-pupillary distance of the free camera"""
        azimuth: float
        """initial azimuth of the free camera"""
        elevation: float
        """initial elevation of the free camera"""
        linewidth: float
        """line width of wireframes"""
        glow: float
        """glow of the selected body"""
        realtime: float
        """playback speed relative to real time"""
        offwidth: int
        """width of the offscreen framebuffer"""
        offheight: int
        """height of the offscreen framebuffer"""
        ellipsoidinertia: int
        """whether inertia is drawn as an ellipsoid"""
        bvactive: int
        """whether active bounding volumes stand out"""
    class Quality:
        shadowsize: int
        """size of shadow maps"""
        offsamples: int
        """offscreen samples per pixel"""
        numslices: int
        """number of slices of drawn primitives"""
        numstacks: int
        """number of stacks of drawn primitives"""
        numquads: int
        """number of quads per side of drawn boxes"""
    class Headlight:
        ambient: NDArray[np.float32]
        """ambient colour"""
        diffuse: NDArray[np.float32]
        """diffuse colour"""
        specular: NDArray[np.float32]
        """specular colour"""
        active: int
        """whether the headlight is on"""
    class Map:
        stiffness: float
        """stiffness of mouse perturbations, translation"""
        stiffnessrot: float
        """stiffness of mouse perturbations, rotation"""
        force: float
        """drawn length per unit of force"""
        torque: float
        """drawn length per unit of torque"""
        alpha: float
        """opacity when transparency is on"""
        fogstart: float
        """distance at which fog starts, in extents"""
        fogend: float
        """distance at which fog is opaque, in extents"""
        znear: float
        """near clipping plane, in extents"""
        zfar: float
        """far clipping plane, in extents"""
        haze: float
        """fraction of haze at the horizon"""
        shadowclip: float
        """shadow region of directional lights, in extents"""
        shadowscale: float
        """shadow region of spots, relative to the cutoff"""
        actuatortendon: float
        """relative width of actuated tendons"""
    class Scale:
        forcewidth: float
        """width of force arrows"""
        contactwidth: float
        """width of contact discs"""
        contactheight: float
        """height of contact discs"""
        connect: float
        """width of body connectors"""
        com: float
        """radius of centres of mass"""
        camera: float
        """size of cameras"""
        light: float
        """size of lights"""
        selectpoint: float
        """size of the selected point"""
        jointlength: float
        """length of joint arrows"""
        jointwidth: float
        """width of joint arrows"""
        actuatorlength: float
        """length of actuator arrows"""
        actuatorwidth: float
        """width of actuator arrows"""
        framelength: float
        """length of frame axes"""
        framewidth: float
        """width of frame axes"""
        constraint: float
        """width of constraint lines"""
        slidercrank: float
        """width of slider-cranks"""
        frustum: float
        """depth of camera frusta"""
    class Rgba:
        fog: NDArray[np.float32]
        """colour of fog"""
        haze: NDArray[np.float32]
        """colour of haze"""
        force: NDArray[np.float32]
        """colour of external forces"""
        inertia: NDArray[np.float32]
        """colour of inertia boxes"""
        joint: NDArray[np.float32]
        """colour of joints"""
        actuator: NDArray[np.float32]
        """colour of idle actuators"""
        actuatornegative: NDArray[np.float32]
        """colour of actuators at their lower bound"""
        actuatorpositive: NDArray[np.float32]
        """colour of actuators at their upper bound"""
        com: NDArray[np.float32]
        """colour of centres of mass"""
        camera: NDArray[np.float32]
        """colour of cameras"""
        light: NDArray[np.float32]
        """colour of lights"""
        selectpoint: NDArray[np.float32]
        """colour of the selected point"""
        connect: NDArray[np.float32]
        """colour of body connectors"""
        contactpoint: NDArray[np.float32]
        """colour of contact points"""
        contactforce: NDArray[np.float32]
        """colour of contact forces"""
        contactfriction: NDArray[np.float32]
        """colour of friction forces"""
        contacttorque: NDArray[np.float32]
        """colour of contact torques"""
        contactgap: NDArray[np.float32]
        """colour of contacts in the gap"""
        rangefinder: NDArray[np.float32]
        """colour of rangefinder rays"""
        constraint: NDArray[np.float32]
        """colour of constraints"""
        slidercrank: NDArray[np.float32]
        """colour of slider-cranks"""
        crankbroken: NDArray[np.float32]
        """colour of slider-cranks that cannot reach"""
        frustum: NDArray[np.float32]
        """colour of camera frusta"""
        bv: NDArray[np.float32]
        """colour of bounding volumes"""
        bvactive: NDArray[np.float32]
        """colour of active bounding volumes"""
    @property
    def global_(self) -> MjVisual.Global: ...
    @property
    def quality(self) -> MjVisual.Quality: ...
    @property
    def headlight(self) -> MjVisual.Headlight: ...
    @property
    def map(self) -> MjVisual.Map: ...
    @property
    def scale(self) -> MjVisual.Scale: ...
    @property
    def rgba(self) -> MjVisual.Rgba: ...
MjVisualHeadlight: type[MjVisual.Headlight]
MjVisualRgba: type[MjVisual.Rgba]

class MjContact:
    def __init__(self) -> None: ...
    H: NDArray[np.float64]
    dim: int
    dist: float
    efc_address: int
    elem: NDArray[np.int32]
    exclude: int
    flex: NDArray[np.int32]
    frame: NDArray[np.float64]
    friction: NDArray[np.float64]
    geom: NDArray[np.int32]
    geom1: int
    geom2: int
    includemargin: float
    mu: float
    pos: NDArray[np.float64]
    solimp: NDArray[np.float64]
    solref: NDArray[np.float64]
    solreffriction: NDArray[np.float64]
    vert: NDArray[np.int32]
    def __copy__(self) -> MjContact: ...
    def __deepcopy__(self, memo: object) -> MjContact: ...

class _MjContactList:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjContact]: ...
    @overload
    def __getitem__(self, index: int) -> MjContact: ...
    @overload
    def __getitem__(self, index: slice) -> _MjContactList: ...
    @property
    def H(self) -> NDArray[np.float64]: ...
    @property
    def dim(self) -> NDArray[np.int32]: ...
    @property
    def dist(self) -> NDArray[np.float64]: ...
    @property
    def efc_address(self) -> NDArray[np.int32]: ...
    @property
    def elem(self) -> NDArray[np.int32]: ...
    @property
    def exclude(self) -> NDArray[np.int32]: ...
    @property
    def flex(self) -> NDArray[np.int32]: ...
    @property
    def frame(self) -> NDArray[np.float64]: ...
    @property
    def friction(self) -> NDArray[np.float64]: ...
    @property
    def geom(self) -> NDArray[np.int32]: ...
    @property
    def geom1(self) -> NDArray[np.int32]: ...
    @property
    def geom2(self) -> NDArray[np.int32]: ...
    @property
    def includemargin(self) -> NDArray[np.float64]: ...
    @property
    def mu(self) -> NDArray[np.float64]: ...
    @property
    def pos(self) -> NDArray[np.float64]: ...
    @property
    def solimp(self) -> NDArray[np.float64]: ...
    @property
    def solref(self) -> NDArray[np.float64]: ...
    @property
    def solreffriction(self) -> NDArray[np.float64]: ...
    @property
    def vert(self) -> NDArray[np.int32]: ...

class MjWarningStat:
    def __init__(self) -> None: ...
    lastinfo: int
    number: int
    def __copy__(self) -> MjWarningStat: ...
    def __deepcopy__(self, memo: object) -> MjWarningStat: ...

class _MjWarningStatList:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjWarningStat]: ...
    @overload
    def __getitem__(self, index: int) -> MjWarningStat: ...
    @overload
    def __getitem__(self, index: slice) -> _MjWarningStatList: ...
    @property
    def lastinfo(self) -> NDArray[np.int32]: ...
    @property
    def number(self) -> NDArray[np.int32]: ...

class MjTimerStat:
    def __init__(self) -> None: ...
    duration: float
    number: int
    def __copy__(self) -> MjTimerStat: ...
    def __deepcopy__(self, memo: object) -> MjTimerStat: ...

class _MjTimerStatList:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjTimerStat]: ...
    @overload
    def __getitem__(self, index: int) -> MjTimerStat: ...
    @overload
    def __getitem__(self, index: slice) -> _MjTimerStatList: ...
    @property
    def duration(self) -> NDArray[np.float64]: ...
    @property
    def number(self) -> NDArray[np.int32]: ...

class MjSolverStat:
    def __init__(self) -> None: ...
    gradient: float
    improvement: float
    lineslope: float
    nactive: int
    nchange: int
    neval: int
    nupdate: int
    def __copy__(self) -> MjSolverStat: ...
    def __deepcopy__(self, memo: object) -> MjSolverStat: ...

class _MjSolverStatList:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjSolverStat]: ...
    @overload
    def __getitem__(self, index: int) -> MjSolverStat: ...
    @overload
    def __getitem__(self, index: slice) -> _MjSolverStatList: ...
    @property
    def gradient(self) -> NDArray[np.float64]: ...
    @property
    def improvement(self) -> NDArray[np.float64]: ...
    @property
    def lineslope(self) -> NDArray[np.float64]: ...
    @property
    def nactive(self) -> NDArray[np.int32]: ...
    @property
    def nchange(self) -> NDArray[np.int32]: ...
    @property
    def neval(self) -> NDArray[np.int32]: ...
    @property
    def nupdate(self) -> NDArray[np.int32]: ...

class MjvGeom:
    def __init__(self) -> None: ...
    camdist: float
    category: int
    dataid: int
    emission: float
    label: str
    mat: NDArray[np.float32]
    matid: int
    modelrbound: float
    objid: int
    objtype: int
    pos: NDArray[np.float32]
    reflectance: float
    rgba: NDArray[np.float32]
    segid: int
    shininess: float
    size: NDArray[np.float32]
    specular: float
    texcoord: int
    transparent: int
    type: int
    def __copy__(self) -> MjvGeom: ...
    def __deepcopy__(self, memo: object) -> MjvGeom: ...

class _MjvGeomList:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjvGeom]: ...
    @overload
    def __getitem__(self, index: int) -> MjvGeom: ...
    @overload
    def __getitem__(self, index: slice) -> _MjvGeomList: ...
    @property
    def camdist(self) -> NDArray[np.float64]: ...
    @property
    def category(self) -> NDArray[np.int32]: ...
    @property
    def dataid(self) -> NDArray[np.int32]: ...
    @property
    def emission(self) -> NDArray[np.float64]: ...
    @property
    def label(self) -> NDArray[np.int8]: ...
    @property
    def mat(self) -> NDArray[np.float32]: ...
    @property
    def matid(self) -> NDArray[np.int32]: ...
    @property
    def modelrbound(self) -> NDArray[np.float64]: ...
    @property
    def objid(self) -> NDArray[np.int32]: ...
    @property
    def objtype(self) -> NDArray[np.int32]: ...
    @property
    def pos(self) -> NDArray[np.float32]: ...
    @property
    def reflectance(self) -> NDArray[np.float64]: ...
    @property
    def rgba(self) -> NDArray[np.float32]: ...
    @property
    def segid(self) -> NDArray[np.int32]: ...
    @property
    def shininess(self) -> NDArray[np.float64]: ...
    @property
    def size(self) -> NDArray[np.float32]: ...
    @property
    def specular(self) -> NDArray[np.float64]: ...
    @property
    def texcoord(self) -> NDArray[np.int32]: ...
    @property
    def transparent(self) -> NDArray[np.int32]: ...
    @property
    def type(self) -> NDArray[np.int32]: ...

class MjvLight:
    def __init__(self) -> None: ...
    ambient: NDArray[np.float32]
    attenuation: NDArray[np.float32]
    bulbradius: float
    castshadow: int
    cutoff: float
    diffuse: NDArray[np.float32]
    dir: NDArray[np.float32]
    exponent: float
    headlight: int
    id: int
    intensity: float
    pos: NDArray[np.float32]
    range: float
    specular: NDArray[np.float32]
    texid: int
    type: int
    def __copy__(self) -> MjvLight: ...
    def __deepcopy__(self, memo: object) -> MjvLight: ...

class _MjvLightList:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjvLight]: ...
    @overload
    def __getitem__(self, index: int) -> MjvLight: ...
    @overload
    def __getitem__(self, index: slice) -> _MjvLightList: ...
    @property
    def ambient(self) -> NDArray[np.float32]: ...
    @property
    def attenuation(self) -> NDArray[np.float32]: ...
    @property
    def bulbradius(self) -> NDArray[np.float64]: ...
    @property
    def castshadow(self) -> NDArray[np.int32]: ...
    @property
    def cutoff(self) -> NDArray[np.float64]: ...
    @property
    def diffuse(self) -> NDArray[np.float32]: ...
    @property
    def dir(self) -> NDArray[np.float32]: ...
    @property
    def exponent(self) -> NDArray[np.float64]: ...
    @property
    def headlight(self) -> NDArray[np.int32]: ...
    @property
    def id(self) -> NDArray[np.int32]: ...
    @property
    def intensity(self) -> NDArray[np.float64]: ...
    @property
    def pos(self) -> NDArray[np.float32]: ...
    @property
    def range(self) -> NDArray[np.float64]: ...
    @property
    def specular(self) -> NDArray[np.float32]: ...
    @property
    def texid(self) -> NDArray[np.int32]: ...
    @property
    def type(self) -> NDArray[np.int32]: ...

class MjvGLCamera:
    def __init__(self) -> None: ...
    forward: NDArray[np.float32]
    frustum_bottom: float
    frustum_center: float
    frustum_far: float
    frustum_near: float
    frustum_top: float
    frustum_width: float
    orthographic: int
    pos: NDArray[np.float32]
    up: NDArray[np.float32]
    def __copy__(self) -> MjvGLCamera: ...
    def __deepcopy__(self, memo: object) -> MjvGLCamera: ...

class _MjvGLCameraList:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjvGLCamera]: ...
    @overload
    def __getitem__(self, index: int) -> MjvGLCamera: ...
    @overload
    def __getitem__(self, index: slice) -> _MjvGLCameraList: ...
    @property
    def forward(self) -> NDArray[np.float32]: ...
    @property
    def frustum_bottom(self) -> NDArray[np.float64]: ...
    @property
    def frustum_center(self) -> NDArray[np.float64]: ...
    @property
    def frustum_far(self) -> NDArray[np.float64]: ...
    @property
    def frustum_near(self) -> NDArray[np.float64]: ...
    @property
    def frustum_top(self) -> NDArray[np.float64]: ...
    @property
    def frustum_width(self) -> NDArray[np.float64]: ...
    @property
    def orthographic(self) -> NDArray[np.int32]: ...
    @property
    def pos(self) -> NDArray[np.float32]: ...
    @property
    def up(self) -> NDArray[np.float32]: ...

class _MjModelBodyViews:
    id: int
    name: str
    bvhadr: NDArray[np.int32]
    bvhnum: NDArray[np.int32]
    conaffinity: NDArray[np.int32]
    contype: NDArray[np.int32]
    dofadr: NDArray[np.int32]
    dofnum: NDArray[np.int32]
    geomadr: NDArray[np.int32]
    geomnum: NDArray[np.int32]
    gravcomp: NDArray[np.float64]
    inertia: NDArray[np.float64]
    invweight0: NDArray[np.float64]
    ipos: NDArray[np.float64]
    iquat: NDArray[np.float64]
    jntadr: NDArray[np.int32]
    jntnum: NDArray[np.int32]
    margin: NDArray[np.float64]
    mass: NDArray[np.float64]
    mocapid: NDArray[np.int32]
    parentid: NDArray[np.int32]
    plugin: NDArray[np.int32]
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    rootid: NDArray[np.int32]
    sameframe: NDArray[np.uint8]
    simple: NDArray[np.uint8]
    subtreemass: NDArray[np.float64]
    treeid: NDArray[np.int32]
    user: NDArray[np.float64]
    weldid: NDArray[np.int32]

class _MjDataBodyViews:
    id: int
    name: str
    body_awake: NDArray[np.int32]
    body_awake_ind: NDArray[np.int32]
    cacc: NDArray[np.float64]
    cfrc_ext: NDArray[np.float64]
    cfrc_int: NDArray[np.float64]
    cinert: NDArray[np.float64]
    crb: NDArray[np.float64]
    cvel: NDArray[np.float64]
    parent_awake_ind: NDArray[np.int32]
    subtree_angmom: NDArray[np.float64]
    subtree_com: NDArray[np.float64]
    subtree_linvel: NDArray[np.float64]
    xfrc_applied: NDArray[np.float64]
    ximat: NDArray[np.float64]
    xipos: NDArray[np.float64]
    xmat: NDArray[np.float64]
    xpos: NDArray[np.float64]
    xquat: NDArray[np.float64]

class _MjModelJointViews:
    id: int
    name: str
    M0: NDArray[np.float64]
    Madr: NDArray[np.int32]
    actfrclimited: NDArray[np.uint8]
    actfrcrange: NDArray[np.float64]
    actgravcomp: NDArray[np.uint8]
    armature: NDArray[np.float64]
    axis: NDArray[np.float64]
    bodyid: NDArray[np.int32]
    damping: NDArray[np.float64]
    dofadr: NDArray[np.int32]
    frictionloss: NDArray[np.float64]
    group: NDArray[np.int32]
    invweight0: NDArray[np.float64]
    jntid: NDArray[np.int32]
    length: NDArray[np.float64]
    limited: NDArray[np.uint8]
    margin: NDArray[np.float64]
    parentid: NDArray[np.int32]
    pos: NDArray[np.float64]
    qpos0: NDArray[np.float64]
    qpos_spring: NDArray[np.float64]
    qposadr: NDArray[np.int32]
    range: NDArray[np.float64]
    simplenum: NDArray[np.int32]
    solimp: NDArray[np.float64]
    solref: NDArray[np.float64]
    stiffness: NDArray[np.float64]
    treeid: NDArray[np.int32]
    type: NDArray[np.int32]
    user: NDArray[np.float64]

class _MjDataJointViews:
    id: int
    name: str
    cdof: NDArray[np.float64]
    cdof_dot: NDArray[np.float64]
    dof_awake_ind: NDArray[np.int32]
    dof_island: NDArray[np.int32]
    jnt_limit_frc: NDArray[np.float64]
    map_dof2idof: NDArray[np.int32]
    map_idof2dof: NDArray[np.int32]
    qHDiagInv: NDArray[np.float64]
    qLDiagInv: NDArray[np.float64]
    qacc: NDArray[np.float64]
    qacc_smooth: NDArray[np.float64]
    qacc_warmstart: NDArray[np.float64]
    qfrc_actuator: NDArray[np.float64]
    qfrc_applied: NDArray[np.float64]
    qfrc_bias: NDArray[np.float64]
    qfrc_constraint: NDArray[np.float64]
    qfrc_damper: NDArray[np.float64]
    qfrc_fluid: NDArray[np.float64]
    qfrc_gravcomp: NDArray[np.float64]
    qfrc_inverse: NDArray[np.float64]
    qfrc_passive: NDArray[np.float64]
    qfrc_smooth: NDArray[np.float64]
    qfrc_spring: NDArray[np.float64]
    qpos: NDArray[np.float64]
    qvel: NDArray[np.float64]
    xanchor: NDArray[np.float64]
    xaxis: NDArray[np.float64]

class _MjModelGeomViews:
    id: int
    name: str
    aabb: NDArray[np.float64]
    bodyid: NDArray[np.int32]
    conaffinity: NDArray[np.int32]
    condim: NDArray[np.int32]
    contype: NDArray[np.int32]
    dataid: NDArray[np.int32]
    fluid: NDArray[np.float64]
    friction: NDArray[np.float64]
    gap: NDArray[np.float64]
    group: NDArray[np.int32]
    margin: NDArray[np.float64]
    matid: NDArray[np.int32]
    plugin: NDArray[np.int32]
    pos: NDArray[np.float64]
    priority: NDArray[np.int32]
    quat: NDArray[np.float64]
    rbound: NDArray[np.float64]
    rgba: NDArray[np.float32]
    sameframe: NDArray[np.uint8]
    size: NDArray[np.float64]
    solimp: NDArray[np.float64]
    solmix: NDArray[np.float64]
    solref: NDArray[np.float64]
    type: NDArray[np.int32]
    user: NDArray[np.float64]

class _MjDataGeomViews:
    id: int
    name: str
    xmat: NDArray[np.float64]
    xpos: NDArray[np.float64]

class _MjModelSiteViews:
    id: int
    name: str
    bodyid: NDArray[np.int32]
    group: NDArray[np.int32]
    matid: NDArray[np.int32]
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    rgba: NDArray[np.float32]
    sameframe: NDArray[np.uint8]
    size: NDArray[np.float64]
    type: NDArray[np.int32]
    user: NDArray[np.float64]

class _MjDataSiteViews:
    id: int
    name: str
    xmat: NDArray[np.float64]
    xpos: NDArray[np.float64]

class _MjModelCameraViews:
    id: int
    name: str
    bodyid: NDArray[np.int32]
    fovy: NDArray[np.float64]
    intrinsic: NDArray[np.float32]
    ipd: NDArray[np.float64]
    mat0: NDArray[np.float64]
    mode: NDArray[np.int32]
    output: NDArray[np.int32]
    pos: NDArray[np.float64]
    pos0: NDArray[np.float64]
    poscom0: NDArray[np.float64]
    projection: NDArray[np.int32]
    quat: NDArray[np.float64]
    resolution: NDArray[np.int32]
    sensorsize: NDArray[np.float32]
    targetbodyid: NDArray[np.int32]
    user: NDArray[np.float64]

class _MjDataCameraViews:
    id: int
    name: str
    xmat: NDArray[np.float64]
    xpos: NDArray[np.float64]

class _MjModelLightViews:
    id: int
    name: str
    active: NDArray[np.uint8]
    ambient: NDArray[np.float32]
    attenuation: NDArray[np.float32]
    bodyid: NDArray[np.int32]
    bulbradius: NDArray[np.float32]
    castshadow: NDArray[np.uint8]
    cutoff: NDArray[np.float32]
    diffuse: NDArray[np.float32]
    dir: NDArray[np.float64]
    dir0: NDArray[np.float64]
    exponent: NDArray[np.float32]
    intensity: NDArray[np.float32]
    mode: NDArray[np.int32]
    pos: NDArray[np.float64]
    pos0: NDArray[np.float64]
    poscom0: NDArray[np.float64]
    range: NDArray[np.float32]
    specular: NDArray[np.float32]
    targetbodyid: NDArray[np.int32]
    texid: NDArray[np.int32]
    type: NDArray[np.int32]

class _MjDataLightViews:
    id: int
    name: str
    xdir: NDArray[np.float64]
    xpos: NDArray[np.float64]

class _MjModelMeshViews:
    id: int
    name: str
    bvhadr: NDArray[np.int32]
    bvhnum: NDArray[np.int32]
    faceadr: NDArray[np.int32]
    facenum: NDArray[np.int32]
    graphadr: NDArray[np.int32]
    normaladr: NDArray[np.int32]
    normalnum: NDArray[np.int32]
    octadr: NDArray[np.int32]
    octnum: NDArray[np.int32]
    pathadr: NDArray[np.int32]
    polyadr: NDArray[np.int32]
    polynum: NDArray[np.int32]
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    scale: NDArray[np.float64]
    texcoordadr: NDArray[np.int32]
    texcoordnum: NDArray[np.int32]
    vertadr: NDArray[np.int32]
    vertnum: NDArray[np.int32]

class _MjModelSkinViews:
    id: int
    name: str
    boneadr: NDArray[np.int32]
    bonenum: NDArray[np.int32]
    faceadr: NDArray[np.int32]
    facenum: NDArray[np.int32]
    group: NDArray[np.int32]
    inflate: NDArray[np.float32]
    matid: NDArray[np.int32]
    pathadr: NDArray[np.int32]
    rgba: NDArray[np.float32]
    texcoordadr: NDArray[np.int32]
    vertadr: NDArray[np.int32]
    vertnum: NDArray[np.int32]

class _MjModelHfieldViews:
    id: int
    name: str
    adr: NDArray[np.int32]
    data: NDArray[np.float32]
    ncol: NDArray[np.int32]
    nrow: NDArray[np.int32]
    pathadr: NDArray[np.int32]
    size: NDArray[np.float64]

class _MjModelTextureViews:
    id: int
    name: str
    adr: NDArray[np.int64]
    colorspace: NDArray[np.int32]
    data: NDArray[np.uint8]
    height: NDArray[np.int32]
    nchannel: NDArray[np.int32]
    pathadr: NDArray[np.int32]
    type: NDArray[np.int32]
    width: NDArray[np.int32]

class _MjModelMaterialViews:
    id: int
    name: str
    emission: NDArray[np.float32]
    metallic: NDArray[np.float32]
    reflectance: NDArray[np.float32]
    rgba: NDArray[np.float32]
    roughness: NDArray[np.float32]
    shininess: NDArray[np.float32]
    specular: NDArray[np.float32]
    texid: NDArray[np.int32]
    texrepeat: NDArray[np.float32]
    texuniform: NDArray[np.uint8]

class _MjModelPairViews:
    id: int
    name: str
    dim: NDArray[np.int32]
    friction: NDArray[np.float64]
    gap: NDArray[np.float64]
    geom1: NDArray[np.int32]
    geom2: NDArray[np.int32]
    margin: NDArray[np.float64]
    signature: NDArray[np.int32]
    solimp: NDArray[np.float64]
    solref: NDArray[np.float64]
    solreffriction: NDArray[np.float64]

class _MjModelExcludeViews:
    id: int
    name: str
    signature: NDArray[np.int32]

class _MjModelEqualityViews:
    id: int
    name: str
    active0: NDArray[np.uint8]
    data: NDArray[np.float64]
    obj1id: NDArray[np.int32]
    obj2id: NDArray[np.int32]
    objtype: NDArray[np.int32]
    solimp: NDArray[np.float64]
    solref: NDArray[np.float64]
    type: NDArray[np.int32]

class _MjDataEqualityViews:
    id: int
    name: str
    active: NDArray[np.uint8]

class _MjModelTendonViews:
    id: int
    name: str
    _actfrclimited: NDArray[np.uint8]
    _actfrcrange: NDArray[np.float64]
    _adr: NDArray[np.int32]
    _armature: NDArray[np.float64]
    _damping: NDArray[np.float64]
    _frictionloss: NDArray[np.float64]
    _group: NDArray[np.int32]
    _invweight0: NDArray[np.float64]
    _length0: NDArray[np.float64]
    _lengthspring: NDArray[np.float64]
    _limited: NDArray[np.uint8]
    _margin: NDArray[np.float64]
    _matid: NDArray[np.int32]
    _num: NDArray[np.int32]
    _range: NDArray[np.float64]
    _rgba: NDArray[np.float32]
    _solimp_fri: NDArray[np.float64]
    _solimp_lim: NDArray[np.float64]
    _solref_fri: NDArray[np.float64]
    _solref_lim: NDArray[np.float64]
    _stiffness: NDArray[np.float64]
    _treeid: NDArray[np.int32]
    _treenum: NDArray[np.int32]
    _user: NDArray[np.float64]
    _width: NDArray[np.float64]
    actfrclimited: NDArray[np.uint8]
    actfrcrange: NDArray[np.float64]
    adr: NDArray[np.int32]
    armature: NDArray[np.float64]
    damping: NDArray[np.float64]
    frictionloss: NDArray[np.float64]
    group: NDArray[np.int32]
    invweight0: NDArray[np.float64]
    length0: NDArray[np.float64]
    lengthspring: NDArray[np.float64]
    limited: NDArray[np.uint8]
    margin: NDArray[np.float64]
    matid: NDArray[np.int32]
    num: NDArray[np.int32]
    range: NDArray[np.float64]
    rgba: NDArray[np.float32]
    solimp_fri: NDArray[np.float64]
    solimp_lim: NDArray[np.float64]
    solref_fri: NDArray[np.float64]
    solref_lim: NDArray[np.float64]
    stiffness: NDArray[np.float64]
    treeid: NDArray[np.int32]
    treenum: NDArray[np.int32]
    user: NDArray[np.float64]
    width: NDArray[np.float64]

class _MjDataTendonViews:
    id: int
    name: str
    J: NDArray[np.float64]
    J_colind: NDArray[np.int32]
    J_rowadr: NDArray[np.int32]
    J_rownnz: NDArray[np.int32]
    efcadr: NDArray[np.int32]
    force: NDArray[np.float64]
    length: NDArray[np.float64]
    velocity: NDArray[np.float64]
    wrapadr: NDArray[np.int32]
    wrapnum: NDArray[np.int32]

class _MjModelActuatorViews:
    id: int
    name: str
    acc0: NDArray[np.float64]
    actadr: NDArray[np.int32]
    actearly: NDArray[np.uint8]
    actlimited: NDArray[np.uint8]
    actnum: NDArray[np.int32]
    actrange: NDArray[np.float64]
    biasprm: NDArray[np.float64]
    biastype: NDArray[np.int32]
    cranklength: NDArray[np.float64]
    ctrllimited: NDArray[np.uint8]
    ctrlrange: NDArray[np.float64]
    delay: NDArray[np.float64]
    dynprm: NDArray[np.float64]
    dyntype: NDArray[np.int32]
    forcelimited: NDArray[np.uint8]
    forcerange: NDArray[np.float64]
    gainprm: NDArray[np.float64]
    gaintype: NDArray[np.int32]
    gear: NDArray[np.float64]
    group: NDArray[np.int32]
    history: NDArray[np.int32]
    historyadr: NDArray[np.int32]
    length0: NDArray[np.float64]
    lengthrange: NDArray[np.float64]
    plugin: NDArray[np.int32]
    trnid: NDArray[np.int32]
    trntype: NDArray[np.int32]
    user: NDArray[np.float64]

class _MjDataActuatorViews:
    id: int
    name: str
    act: NDArray[np.float64]
    act_dot: NDArray[np.float64]
    ctrl: NDArray[np.float64]
    force: NDArray[np.float64]
    length: NDArray[np.float64]
    moment: NDArray[np.float64]
    velocity: NDArray[np.float64]

class _MjModelSensorViews:
    id: int
    name: str
    adr: NDArray[np.int32]
    cutoff: NDArray[np.float64]
    datatype: NDArray[np.int32]
    delay: NDArray[np.float64]
    dim: NDArray[np.int32]
    history: NDArray[np.int32]
    historyadr: NDArray[np.int32]
    interval: NDArray[np.float64]
    intprm: NDArray[np.int32]
    needstage: NDArray[np.int32]
    noise: NDArray[np.float64]
    objid: NDArray[np.int32]
    objtype: NDArray[np.int32]
    plugin: NDArray[np.int32]
    refid: NDArray[np.int32]
    reftype: NDArray[np.int32]
    type: NDArray[np.int32]
    user: NDArray[np.float64]

class _MjDataSensorViews:
    id: int
    name: str
    data: NDArray[np.float64]

class _MjModelNumericViews:
    id: int
    name: str
    adr: NDArray[np.int32]
    data: NDArray[np.float64]
    size: NDArray[np.int32]

class _MjModelTextViews:
    id: int
    name: str
    adr: NDArray[np.int32]
    data: bytes
    size: NDArray[np.int32]

class _MjModelTupleViews:
    id: int
    name: str
    adr: NDArray[np.int32]
    objid: NDArray[np.int32]
    objprm: NDArray[np.float64]
    objtype: NDArray[np.int32]
    size: NDArray[np.int32]

class _MjModelKeyframeViews:
    id: int
    name: str
    act: NDArray[np.float64]
    ctrl: NDArray[np.float64]
    mpos: NDArray[np.float64]
    mquat: NDArray[np.float64]
    qpos: NDArray[np.float64]
    qvel: NDArray[np.float64]
    time: NDArray[np.float64]

class Plugin:
    """Base class of plugins in Python: a subclass is a plugin, an object of it an instance in a model.

The class declares its name in models, its settings and its capabilities:

    class Spring(sinew.Plugin):
        name = "example.spring"
        attributes = ["stiffness"]
        capabilities = sinew.mjtPluginCapabilityBit.mjPLUGIN_PASSIVE

        def __init__(self, config, users):
            self.stiffness = float(config.get("stiffness", 1))

        def passive(self, m, d):
            d.qfrc_passive[:] -= self.stiffness * d.qpos

    m = sinew.MjModel.from_xml_string(xml, plugins=[Spring])

An instance may have these methods, called at the same points as in MuJoCo:

    passive(m, d)       adds to d.qfrc_passive                      mjPLUGIN_PASSIVE
    act_dot(m, d)       writes d.act_dot of its actuators           mjPLUGIN_ACTUATOR
    actuate(m, d)       writes d.actuator_force of its actuators    mjPLUGIN_ACTUATOR
    sense(m, d)         writes d.sensordata of its sensors          mjPLUGIN_SENSOR
    advance(m, d)       advances d.plugin_state
    reset()             returns the initial state, in place of zeros
    distance(p), aabb() and, if there is a formula, gradient(p)     mjPLUGIN_SDF

Every call costs microseconds, and `distance` is called many times. State that changes during a simulation belongs
in `d.plugin_state`, not in the object, which all simulations of a model share."""
    name: str
    attributes: list[str]
    capabilities: int
    needstage: int
    nstate: int | Callable[[dict[str, str]], int]
    nsensordata: int | Callable[[dict[str, str]], int]
    config: dict[str, str]
    users: dict[str, Any] | None
    def __init__(self, config: dict[str, str], users: dict[str, Any] | None) -> None: ...

class MjModel:
    """A compiled model."""
    qpos0: NDArray[np.float64]
    """positions of the initial configuration"""
    qpos_spring: NDArray[np.float64]
    """positions at which joint springs are at rest"""
    body_parentid: NDArray[np.int32]
    """parent body"""
    body_rootid: NDArray[np.int32]
    """ancestor attached to the world"""
    body_weldid: NDArray[np.int32]
    """nearest ancestor, or the body itself, that has joints; 0 if none"""
    body_mocapid: NDArray[np.int32]
    """index into the mocap arrays; −1 for ordinary bodies"""
    body_jntnum: NDArray[np.int32]
    """joint count"""
    body_jntadr: NDArray[np.int32]
    """first joint; −1 without joints"""
    body_dofnum: NDArray[np.int32]
    """dof count"""
    body_dofadr: NDArray[np.int32]
    """first dof; −1 without dofs"""
    body_treeid: NDArray[np.int32]
    """kinematic tree; −1 for static bodies"""
    body_geomnum: NDArray[np.int32]
    """geom count"""
    body_geomadr: NDArray[np.int32]
    """first geom; −1 without geoms"""
    body_simple: NDArray[np.uint8]
    """1 if its mass matrix rows are diagonal, 2 if it also has only slides, else 0"""
    body_sameframe: NDArray[np.uint8]
    """how the inertial frame coincides with the body frame (`mjtSameFrame`)"""
    body_pos: NDArray[np.float64]
    """frame position in the parent"""
    body_quat: NDArray[np.float64]
    """frame orientation in the parent"""
    body_ipos: NDArray[np.float64]
    """centre of mass in the body frame"""
    body_iquat: NDArray[np.float64]
    """principal axes of inertia in the body frame"""
    body_mass: NDArray[np.float64]
    """mass"""
    body_subtreemass: NDArray[np.float64]
    """mass of the body and all its descendants"""
    body_inertia: NDArray[np.float64]
    """principal moments of inertia"""
    body_invweight0: NDArray[np.float64]
    """mean inverse inertia at `qpos0`, translational and rotational"""
    body_gravcomp: NDArray[np.float64]
    """fraction of the weight compensated"""
    body_margin: NDArray[np.float64]
    """largest margin of the body's geoms"""
    body_user: NDArray[np.float64]
    """user data"""
    body_plugin: NDArray[np.int32]
    """plugin instance; −1 for none"""
    body_contype: NDArray[np.int32]
    """union of the geoms' contact types"""
    body_conaffinity: NDArray[np.int32]
    """union of the geoms' contact affinities"""
    body_bvhadr: NDArray[np.int32]
    """root of the bounding-volume tree"""
    body_bvhnum: NDArray[np.int32]
    """number of nodes of the bounding-volume tree"""
    bvh_depth: NDArray[np.int32]
    """depth of the node"""
    bvh_child: NDArray[np.int32]
    """the two child nodes; −1 for a leaf"""
    bvh_nodeid: NDArray[np.int32]
    """geom or element at a leaf; −1 for inner nodes"""
    bvh_aabb: NDArray[np.float64]
    """box of the node: centre and half-size"""
    oct_depth: NDArray[np.int32]
    """depth of the cell"""
    oct_child: NDArray[np.int32]
    """the eight child cells; −1 for a leaf"""
    oct_aabb: NDArray[np.float64]
    """box of the cell: centre and half-size"""
    oct_coeff: NDArray[np.float64]
    """signed distances at the eight corners"""
    jnt_type: NDArray[np.int32]
    """joint type (`mjtJoint`)"""
    jnt_qposadr: NDArray[np.int32]
    """first coordinate in `qpos`"""
    jnt_dofadr: NDArray[np.int32]
    """first dof in `qvel`"""
    jnt_bodyid: NDArray[np.int32]
    """body moved by the joint"""
    jnt_group: NDArray[np.int32]
    """visibility group"""
    jnt_limited: NDArray[np.uint8]
    """whether the range is enforced"""
    jnt_actfrclimited: NDArray[np.uint8]
    """whether the total actuator force is clamped"""
    jnt_actgravcomp: NDArray[np.uint8]
    """whether gravity compensation counts as actuator force"""
    jnt_solref: NDArray[np.float64]
    """limit solver reference"""
    jnt_solimp: NDArray[np.float64]
    """limit solver impedance"""
    jnt_pos: NDArray[np.float64]
    """anchor in the body frame"""
    jnt_axis: NDArray[np.float64]
    """axis in the body frame"""
    jnt_stiffness: NDArray[np.float64]
    """spring stiffness"""
    jnt_range: NDArray[np.float64]
    """lower and upper limits"""
    jnt_actfrcrange: NDArray[np.float64]
    """bounds of the total actuator force"""
    jnt_margin: NDArray[np.float64]
    """distance to a limit at which its constraint becomes active"""
    jnt_user: NDArray[np.float64]
    """user data"""
    dof_bodyid: NDArray[np.int32]
    """body moved by the dof"""
    dof_jntid: NDArray[np.int32]
    """joint of the dof"""
    dof_parentid: NDArray[np.int32]
    """previous dof towards the root; −1 for the first"""
    dof_treeid: NDArray[np.int32]
    """kinematic tree"""
    dof_Madr: NDArray[np.int32]
    """index of the diagonal entry in `qM`"""
    dof_simplenum: NDArray[np.int32]
    """number of consecutive simple dofs that starts here; 0 if the dof is not simple"""
    dof_solref: NDArray[np.float64]
    """friction-loss solver reference"""
    dof_solimp: NDArray[np.float64]
    """friction-loss solver impedance"""
    dof_frictionloss: NDArray[np.float64]
    """dry friction"""
    dof_armature: NDArray[np.float64]
    """inertia added to the diagonal"""
    dof_damping: NDArray[np.float64]
    """viscous damping"""
    dof_invweight0: NDArray[np.float64]
    """diagonal of the inverse mass matrix at `qpos0`"""
    dof_M0: NDArray[np.float64]
    """diagonal of the mass matrix at `qpos0`"""
    dof_length: NDArray[np.float64]
    """length scale: 1 for translations, a lever arm for rotations; scales sleep velocities"""
    tree_bodyadr: NDArray[np.int32]
    """first body"""
    tree_bodynum: NDArray[np.int32]
    """body count"""
    tree_dofadr: NDArray[np.int32]
    """first dof"""
    tree_dofnum: NDArray[np.int32]
    """dof count"""
    tree_sleep_policy: NDArray[np.int32]
    """when the tree may sleep (`mjtSleepPolicy`)"""
    geom_type: NDArray[np.int32]
    """shape (`mjtGeom`)"""
    geom_contype: NDArray[np.int32]
    """contact type bits"""
    geom_conaffinity: NDArray[np.int32]
    """contact affinity bits"""
    geom_condim: NDArray[np.int32]
    """contact dimension: 1, 3, 4 or 6"""
    geom_bodyid: NDArray[np.int32]
    """body the geom belongs to"""
    geom_dataid: NDArray[np.int32]
    """mesh or height field; −1 for primitives"""
    geom_matid: NDArray[np.int32]
    """material; −1 for none"""
    geom_group: NDArray[np.int32]
    """visibility group"""
    geom_priority: NDArray[np.int32]
    """contact priority"""
    geom_plugin: NDArray[np.int32]
    """plugin instance; −1 for none"""
    geom_sameframe: NDArray[np.uint8]
    """how the geom frame coincides with the body's frames (`mjtSameFrame`)"""
    geom_solmix: NDArray[np.float64]
    """weight for mixing contact parameters"""
    geom_solref: NDArray[np.float64]
    """contact solver reference"""
    geom_solimp: NDArray[np.float64]
    """contact solver impedance"""
    geom_size: NDArray[np.float64]
    """size parameters of the shape"""
    geom_aabb: NDArray[np.float64]
    """bounding box in the geom frame: centre and half-size"""
    geom_rbound: NDArray[np.float64]
    """bounding sphere radius about the geom centre; 0 for planes"""
    geom_pos: NDArray[np.float64]
    """position in the body frame"""
    geom_quat: NDArray[np.float64]
    """orientation in the body frame"""
    geom_friction: NDArray[np.float64]
    """sliding, spinning and rolling friction"""
    geom_margin: NDArray[np.float64]
    """distance below which a contact is reported"""
    geom_gap: NDArray[np.float64]
    """part of the margin in which a contact exerts no force"""
    geom_fluid: NDArray[np.float64]
    """ellipsoid fluid model: switch, five coefficients, virtual masses and inertias"""
    geom_user: NDArray[np.float64]
    """user data"""
    geom_rgba: NDArray[np.float32]
    """colour, used without a material"""
    site_type: NDArray[np.int32]
    """shape for drawing and for volume sensors (`mjtGeom`)"""
    site_bodyid: NDArray[np.int32]
    """body the site belongs to"""
    site_matid: NDArray[np.int32]
    """material; −1 for none"""
    site_group: NDArray[np.int32]
    """visibility group"""
    site_sameframe: NDArray[np.uint8]
    """how the site frame coincides with the body's frames (`mjtSameFrame`)"""
    site_size: NDArray[np.float64]
    """size parameters"""
    site_pos: NDArray[np.float64]
    """position in the body frame"""
    site_quat: NDArray[np.float64]
    """orientation in the body frame"""
    site_user: NDArray[np.float64]
    """user data"""
    site_rgba: NDArray[np.float32]
    """colour, used without a material"""
    cam_mode: NDArray[np.int32]
    """tracking mode (`mjtCamLight`)"""
    cam_bodyid: NDArray[np.int32]
    """body the camera belongs to"""
    cam_targetbodyid: NDArray[np.int32]
    """targeted body; −1 for none"""
    cam_pos: NDArray[np.float64]
    """position in the body frame"""
    cam_quat: NDArray[np.float64]
    """orientation in the body frame"""
    cam_poscom0: NDArray[np.float64]
    """offset from the subtree's centre of mass at `qpos0`, world axes"""
    cam_pos0: NDArray[np.float64]
    """offset from the body at `qpos0`, world axes"""
    cam_mat0: NDArray[np.float64]
    """world orientation at `qpos0`"""
    cam_projection: NDArray[np.int32]
    """projection (`mjtProjection`)"""
    cam_fovy: NDArray[np.float64]
    """vertical field of view, or height when orthographic"""
    cam_ipd: NDArray[np.float64]
    """inter-pupillary distance"""
    cam_resolution: NDArray[np.int32]
    """image width and height"""
    cam_output: NDArray[np.int32]
    """output bits (`mjtCamOutBit`)"""
    cam_sensorsize: NDArray[np.float32]
    """sensor width and height"""
    cam_intrinsic: NDArray[np.float32]
    """focal lengths and principal point"""
    cam_user: NDArray[np.float64]
    """user data"""
    light_mode: NDArray[np.int32]
    """tracking mode (`mjtCamLight`)"""
    light_bodyid: NDArray[np.int32]
    """body the light belongs to"""
    light_targetbodyid: NDArray[np.int32]
    """targeted body; −1 for none"""
    light_type: NDArray[np.int32]
    """kind of light (`mjtLightType`)"""
    light_texid: NDArray[np.int32]
    """texture of an image light; −1 for none"""
    light_castshadow: NDArray[np.uint8]
    """whether the light casts shadows"""
    light_bulbradius: NDArray[np.float32]
    """bulb radius"""
    light_intensity: NDArray[np.float32]
    """intensity"""
    light_range: NDArray[np.float32]
    """distance beyond which the light has no effect"""
    light_active: NDArray[np.uint8]
    """whether the light is on"""
    light_pos: NDArray[np.float64]
    """position in the body frame"""
    light_dir: NDArray[np.float64]
    """direction in the body frame"""
    light_poscom0: NDArray[np.float64]
    """offset from the subtree's centre of mass at `qpos0`, world axes"""
    light_pos0: NDArray[np.float64]
    """offset from the body at `qpos0`, world axes"""
    light_dir0: NDArray[np.float64]
    """world direction at `qpos0`"""
    light_attenuation: NDArray[np.float32]
    """constant, linear and quadratic attenuation"""
    light_cutoff: NDArray[np.float32]
    """half-angle of the cone of a spot light"""
    light_exponent: NDArray[np.float32]
    """fall-off inside the cone of a spot light"""
    light_ambient: NDArray[np.float32]
    """ambient colour"""
    light_diffuse: NDArray[np.float32]
    """diffuse colour"""
    light_specular: NDArray[np.float32]
    """specular colour"""
    flex_contype: NDArray[np.int32]
    """contact type bits"""
    flex_conaffinity: NDArray[np.int32]
    """contact affinity bits"""
    flex_condim: NDArray[np.int32]
    """contact dimension"""
    flex_priority: NDArray[np.int32]
    """contact priority"""
    flex_solmix: NDArray[np.float64]
    """weight for mixing contact parameters"""
    flex_solref: NDArray[np.float64]
    """contact solver reference"""
    flex_solimp: NDArray[np.float64]
    """contact solver impedance"""
    flex_friction: NDArray[np.float64]
    """sliding, spinning and rolling friction"""
    flex_margin: NDArray[np.float64]
    """distance below which a contact is reported"""
    flex_gap: NDArray[np.float64]
    """part of the margin in which a contact exerts no force"""
    flex_internal: NDArray[np.uint8]
    """whether elements collide with their own vertices"""
    flex_selfcollide: NDArray[np.int32]
    """self-collision mode (`mjtFlexSelf`)"""
    flex_activelayers: NDArray[np.int32]
    """number of element layers below the surface that collide, for solids"""
    flex_passive: NDArray[np.int32]
    """whether contacts act as passive forces"""
    flex_dim: NDArray[np.int32]
    """dimension of elements: 1 for lines, 2 for triangles, 3 for tetrahedra"""
    flex_matid: NDArray[np.int32]
    """material; −1 for none"""
    flex_group: NDArray[np.int32]
    """visibility group"""
    flex_interp: NDArray[np.int32]
    """interpolation order from control nodes; 0 for none"""
    flex_nodeadr: NDArray[np.int32]
    """first node"""
    flex_nodenum: NDArray[np.int32]
    """node count"""
    flex_vertadr: NDArray[np.int32]
    """first vertex"""
    flex_vertnum: NDArray[np.int32]
    """vertex count"""
    flex_edgeadr: NDArray[np.int32]
    """first edge"""
    flex_edgenum: NDArray[np.int32]
    """edge count"""
    flex_elemadr: NDArray[np.int32]
    """first element"""
    flex_elemnum: NDArray[np.int32]
    """element count"""
    flex_elemdataadr: NDArray[np.int32]
    """start of the element vertex indices"""
    flex_elemedgeadr: NDArray[np.int32]
    """start of the element edge indices"""
    flex_shellnum: NDArray[np.int32]
    """shell fragment count"""
    flex_shelldataadr: NDArray[np.int32]
    """start of the shell vertex indices"""
    flex_evpairadr: NDArray[np.int32]
    """first element-vertex pair"""
    flex_evpairnum: NDArray[np.int32]
    """element-vertex pair count"""
    flex_texcoordadr: NDArray[np.int32]
    """first texture coordinate; −1 for none"""
    flex_nodebodyid: NDArray[np.int32]
    """body that carries the node"""
    flex_vertbodyid: NDArray[np.int32]
    """body that carries the vertex"""
    flex_vertedgeadr: NDArray[np.int32]
    """first entry in `flex_vertedge`"""
    flex_vertedgenum: NDArray[np.int32]
    """number of edges at the vertex"""
    flex_vertedge: NDArray[np.int32]
    """edges by vertex"""
    flex_edge: NDArray[np.int32]
    """end vertices"""
    flex_edgeflap: NDArray[np.int32]
    """opposite vertices of the two adjacent triangles"""
    flex_elem: NDArray[np.int32]
    """vertices of each element"""
    flex_elemtexcoord: NDArray[np.int32]
    """texture coordinates of each element"""
    flex_elemedge: NDArray[np.int32]
    """edges of each element"""
    flex_elemlayer: NDArray[np.int32]
    """number of layers between the element and the surface"""
    flex_shell: NDArray[np.int32]
    """vertices of each shell fragment"""
    flex_evpair: NDArray[np.int32]
    """element and vertex of each pair"""
    flex_vert: NDArray[np.float64]
    """vertices in their bodies' frames"""
    flex_vert0: NDArray[np.float64]
    """vertices at `qpos0`, scaled to the unit box"""
    flex_vertmetric: NDArray[np.float64]
    """inverse of the reference shape matrix at each vertex"""
    flex_node: NDArray[np.float64]
    """nodes in their bodies' frames"""
    flex_node0: NDArray[np.float64]
    """nodes at `qpos0`, world frame"""
    flexedge_length0: NDArray[np.float64]
    """edge length at `qpos0`"""
    flexedge_invweight0: NDArray[np.float64]
    """mean inverse inertia along the edge at `qpos0`"""
    flex_radius: NDArray[np.float64]
    """radius around elements"""
    flex_size: NDArray[np.float64]
    """half-size of the vertices' bounding box at `qpos0`"""
    flex_stiffness: NDArray[np.float64]
    """element stiffness coefficients"""
    flex_bending: NDArray[np.float64]
    """bending coefficients of each edge"""
    flex_damping: NDArray[np.float64]
    """Rayleigh damping"""
    flex_edgestiffness: NDArray[np.float64]
    """edge spring stiffness"""
    flex_edgedamping: NDArray[np.float64]
    """edge damping"""
    flex_edgeequality: NDArray[np.int32]
    """0: no constraint, 1: edge lengths, 2: vertex strains"""
    flex_rigid: NDArray[np.uint8]
    """whether one body carries all vertices"""
    flexedge_rigid: NDArray[np.uint8]
    """whether one body carries both ends"""
    flex_centered: NDArray[np.uint8]
    """whether all vertices are at their bodies' origins"""
    flex_flatskin: NDArray[np.uint8]
    """whether to use flat shading"""
    flex_bvhadr: NDArray[np.int32]
    """root of the bounding-volume tree; −1 for none"""
    flex_bvhnum: NDArray[np.int32]
    """number of nodes of the bounding-volume tree"""
    flexedge_J_rownnz: NDArray[np.int32]
    """number of entries in the edge's Jacobian row"""
    flexedge_J_rowadr: NDArray[np.int32]
    """start of the edge's Jacobian row"""
    flexedge_J_colind: NDArray[np.int32]
    """columns of the edge Jacobian"""
    flexvert_J_rownnz: NDArray[np.int32]
    """number of entries in the vertex's Jacobian rows"""
    flexvert_J_rowadr: NDArray[np.int32]
    """starts of the vertex's Jacobian rows"""
    flexvert_J_colind: NDArray[np.int32]
    """columns of the vertex Jacobian"""
    flex_rgba: NDArray[np.float32]
    """colour, used without a material"""
    flex_texcoord: NDArray[np.float32]
    """texture coordinates"""
    mesh_vertadr: NDArray[np.int32]
    """first vertex"""
    mesh_vertnum: NDArray[np.int32]
    """vertex count"""
    mesh_faceadr: NDArray[np.int32]
    """first triangle"""
    mesh_facenum: NDArray[np.int32]
    """triangle count"""
    mesh_bvhadr: NDArray[np.int32]
    """root of the bounding-volume tree"""
    mesh_bvhnum: NDArray[np.int32]
    """number of nodes of the bounding-volume tree"""
    mesh_octadr: NDArray[np.int32]
    """root of the octree; −1 for none"""
    mesh_octnum: NDArray[np.int32]
    """number of octree cells"""
    mesh_normaladr: NDArray[np.int32]
    """first normal"""
    mesh_normalnum: NDArray[np.int32]
    """normal count"""
    mesh_texcoordadr: NDArray[np.int32]
    """first texture coordinate; −1 for none"""
    mesh_texcoordnum: NDArray[np.int32]
    """texture coordinate count"""
    mesh_graphadr: NDArray[np.int32]
    """start of the convex hull graph; −1 for none"""
    mesh_vert: NDArray[np.float32]
    """vertices in the mesh frame"""
    mesh_normal: NDArray[np.float32]
    """normals"""
    mesh_texcoord: NDArray[np.float32]
    """texture coordinates"""
    mesh_face: NDArray[np.int32]
    """vertices of each triangle"""
    mesh_facenormal: NDArray[np.int32]
    """normals of each triangle; −1 for none"""
    mesh_facetexcoord: NDArray[np.int32]
    """texture coordinates of each triangle; −1 for none"""
    mesh_graph: NDArray[np.int32]
    """convex hull as a vertex graph"""
    mesh_scale: NDArray[np.float64]
    """scale applied to the file's vertices"""
    mesh_pos: NDArray[np.float64]
    """centre of mass that was moved to the origin"""
    mesh_quat: NDArray[np.float64]
    """principal axes that were aligned with the frame"""
    mesh_pathadr: NDArray[np.int32]
    """file path in `paths`; −1 for none"""
    mesh_polynum: NDArray[np.int32]
    """hull polygon count"""
    mesh_polyadr: NDArray[np.int32]
    """first hull polygon"""
    mesh_polynormal: NDArray[np.float64]
    """hull polygon normals"""
    mesh_polyvertadr: NDArray[np.int32]
    """start of the polygon's vertices"""
    mesh_polyvertnum: NDArray[np.int32]
    """number of vertices of the polygon"""
    mesh_polyvert: NDArray[np.int32]
    """vertices of all hull polygons"""
    mesh_polymapadr: NDArray[np.int32]
    """start of the vertex's polygon list"""
    mesh_polymapnum: NDArray[np.int32]
    """number of polygons at the vertex"""
    mesh_polymap: NDArray[np.int32]
    """polygons by vertex"""
    skin_matid: NDArray[np.int32]
    """material; −1 for none"""
    skin_group: NDArray[np.int32]
    """visibility group"""
    skin_rgba: NDArray[np.float32]
    """colour"""
    skin_inflate: NDArray[np.float32]
    """offset along the normals"""
    skin_vertadr: NDArray[np.int32]
    """first vertex"""
    skin_vertnum: NDArray[np.int32]
    """vertex count"""
    skin_texcoordadr: NDArray[np.int32]
    """first texture coordinate; −1 for none"""
    skin_faceadr: NDArray[np.int32]
    """first triangle"""
    skin_facenum: NDArray[np.int32]
    """triangle count"""
    skin_boneadr: NDArray[np.int32]
    """first bone"""
    skin_bonenum: NDArray[np.int32]
    """bone count"""
    skin_vert: NDArray[np.float32]
    """vertices"""
    skin_texcoord: NDArray[np.float32]
    """texture coordinates"""
    skin_face: NDArray[np.int32]
    """vertices of each triangle"""
    skin_bonevertadr: NDArray[np.int32]
    """first weighted vertex of the bone"""
    skin_bonevertnum: NDArray[np.int32]
    """number of weighted vertices of the bone"""
    skin_bonebindpos: NDArray[np.float32]
    """body position when the skin was bound"""
    skin_bonebindquat: NDArray[np.float32]
    """body orientation when the skin was bound"""
    skin_bonebodyid: NDArray[np.int32]
    """body of the bone"""
    skin_bonevertid: NDArray[np.int32]
    """weighted vertices"""
    skin_bonevertweight: NDArray[np.float32]
    """weights of the vertices"""
    skin_pathadr: NDArray[np.int32]
    """file path in `paths`; −1 for none"""
    hfield_size: NDArray[np.float64]
    """half-extents in x and y, elevation scale, base thickness"""
    hfield_nrow: NDArray[np.int32]
    """number of grid rows"""
    hfield_ncol: NDArray[np.int32]
    """number of grid columns"""
    hfield_adr: NDArray[np.int32]
    """first elevation"""
    hfield_data: NDArray[np.float32]
    """elevations scaled to [0, 1]"""
    hfield_pathadr: NDArray[np.int32]
    """file path in `paths`; −1 for none"""
    tex_type: NDArray[np.int32]
    """texture type (`mjtTexture`)"""
    tex_colorspace: NDArray[np.int32]
    """colour space (`mjtColorSpace`)"""
    tex_height: NDArray[np.int32]
    """height"""
    tex_width: NDArray[np.int32]
    """width"""
    tex_nchannel: NDArray[np.int32]
    """number of channels"""
    tex_adr: NDArray[np.int64]
    """address of the first byte"""
    tex_data: NDArray[np.uint8]
    """pixels"""
    tex_pathadr: NDArray[np.int32]
    """file path in `paths`; −1 for none"""
    mat_texid: NDArray[np.int32]
    """texture by role (`mjtTextureRole`); −1 for none"""
    mat_texuniform: NDArray[np.uint8]
    """whether texture repetition is per spatial unit"""
    mat_texrepeat: NDArray[np.float32]
    """repetition of a 2-D texture"""
    mat_emission: NDArray[np.float32]
    """emission"""
    mat_specular: NDArray[np.float32]
    """specular strength"""
    mat_shininess: NDArray[np.float32]
    """shininess"""
    mat_reflectance: NDArray[np.float32]
    """mirror reflectance"""
    mat_metallic: NDArray[np.float32]
    """metallic factor; negative when unset"""
    mat_roughness: NDArray[np.float32]
    """roughness; negative when unset"""
    mat_rgba: NDArray[np.float32]
    """colour"""
    pair_dim: NDArray[np.int32]
    """contact dimension"""
    pair_geom1: NDArray[np.int32]
    """first geom"""
    pair_geom2: NDArray[np.int32]
    """second geom"""
    pair_signature: NDArray[np.int32]
    """the two body ids packed in one integer, lower id high"""
    pair_solref: NDArray[np.float64]
    """solver reference of the normal"""
    pair_solreffriction: NDArray[np.float64]
    """solver reference of friction; zeros select `pair_solref`"""
    pair_solimp: NDArray[np.float64]
    """solver impedance"""
    pair_margin: NDArray[np.float64]
    """distance below which a contact is reported"""
    pair_gap: NDArray[np.float64]
    """part of the margin in which a contact exerts no force"""
    pair_friction: NDArray[np.float64]
    """two tangential, one spinning, two rolling coefficients"""
    exclude_signature: NDArray[np.int32]
    """the two body ids packed in one integer, lower id high"""
    eq_type: NDArray[np.int32]
    """constraint type (`mjtEq`)"""
    eq_obj1id: NDArray[np.int32]
    """first object"""
    eq_obj2id: NDArray[np.int32]
    """second object; −1 for none"""
    eq_objtype: NDArray[np.int32]
    """type of both objects (`mjtObj`)"""
    eq_active0: NDArray[np.uint8]
    """whether it is active after a reset"""
    eq_solref: NDArray[np.float64]
    """solver reference"""
    eq_solimp: NDArray[np.float64]
    """solver impedance"""
    eq_data: NDArray[np.float64]
    """type-dependent parameters: anchors, relative pose, polynomial coefficients"""
    tendon_adr: NDArray[np.int32]
    """first path object"""
    tendon_num: NDArray[np.int32]
    """number of path objects"""
    tendon_matid: NDArray[np.int32]
    """material; −1 for none"""
    tendon_group: NDArray[np.int32]
    """visibility group"""
    tendon_treenum: NDArray[np.int32]
    """number of kinematic trees on the path"""
    tendon_treeid: NDArray[np.int32]
    """first two of those trees; −1 for none"""
    tendon_limited: NDArray[np.uint8]
    """whether the length range is enforced"""
    tendon_actfrclimited: NDArray[np.uint8]
    """whether the total actuator force is clamped"""
    tendon_width: NDArray[np.float64]
    """drawn width"""
    tendon_solref_lim: NDArray[np.float64]
    """limit solver reference"""
    tendon_solimp_lim: NDArray[np.float64]
    """limit solver impedance"""
    tendon_solref_fri: NDArray[np.float64]
    """friction solver reference"""
    tendon_solimp_fri: NDArray[np.float64]
    """friction solver impedance"""
    tendon_range: NDArray[np.float64]
    """lower and upper limits of the length"""
    tendon_actfrcrange: NDArray[np.float64]
    """bounds of the total actuator force"""
    tendon_margin: NDArray[np.float64]
    """distance to a limit at which its constraint becomes active"""
    tendon_stiffness: NDArray[np.float64]
    """spring stiffness"""
    tendon_damping: NDArray[np.float64]
    """viscous damping"""
    tendon_armature: NDArray[np.float64]
    """inertia associated with the tendon velocity"""
    tendon_frictionloss: NDArray[np.float64]
    """dry friction"""
    tendon_lengthspring: NDArray[np.float64]
    """dead band of the spring: lengths without spring force"""
    tendon_length0: NDArray[np.float64]
    """length at `qpos0`"""
    tendon_invweight0: NDArray[np.float64]
    """inverse inertia along the tendon at `qpos0`"""
    tendon_user: NDArray[np.float64]
    """user data"""
    tendon_rgba: NDArray[np.float32]
    """colour, used without a material"""
    actuator_trntype: NDArray[np.int32]
    """transmission (`mjtTrn`)"""
    actuator_dyntype: NDArray[np.int32]
    """activation dynamics (`mjtDyn`)"""
    actuator_gaintype: NDArray[np.int32]
    """gain (`mjtGain`)"""
    actuator_biastype: NDArray[np.int32]
    """bias (`mjtBias`)"""
    actuator_trnid: NDArray[np.int32]
    """transmission target, and reference or slider site; −1 for none"""
    actuator_actadr: NDArray[np.int32]
    """first activation; −1 without dynamics"""
    actuator_actnum: NDArray[np.int32]
    """activation count"""
    actuator_group: NDArray[np.int32]
    """group, for drawing and disabling"""
    actuator_history: NDArray[np.int32]
    """number of samples and interpolation order of a delayed control"""
    actuator_historyadr: NDArray[np.int32]
    """start in the history buffer; −1 for none"""
    actuator_delay: NDArray[np.float64]
    """control delay"""
    actuator_ctrllimited: NDArray[np.uint8]
    """whether the control is clamped"""
    actuator_forcelimited: NDArray[np.uint8]
    """whether the force is clamped"""
    actuator_actlimited: NDArray[np.uint8]
    """whether the activation is clamped"""
    actuator_dynprm: NDArray[np.float64]
    """dynamics parameters"""
    actuator_gainprm: NDArray[np.float64]
    """gain parameters"""
    actuator_biasprm: NDArray[np.float64]
    """bias parameters"""
    actuator_actearly: NDArray[np.uint8]
    """whether the force uses the activation of the next step"""
    actuator_ctrlrange: NDArray[np.float64]
    """bounds of the control"""
    actuator_forcerange: NDArray[np.float64]
    """bounds of the force"""
    actuator_actrange: NDArray[np.float64]
    """bounds of the activation"""
    actuator_gear: NDArray[np.float64]
    """gear: scale of length and force; for sites, a wrench"""
    actuator_cranklength: NDArray[np.float64]
    """rod length of a slider-crank"""
    actuator_acc0: NDArray[np.float64]
    """norm of the acceleration from a unit force at `qpos0`"""
    actuator_length0: NDArray[np.float64]
    """length at `qpos0`"""
    actuator_lengthrange: NDArray[np.float64]
    """range of feasible lengths"""
    actuator_user: NDArray[np.float64]
    """user data"""
    actuator_plugin: NDArray[np.int32]
    """plugin instance; −1 for none"""
    sensor_type: NDArray[np.int32]
    """sensor type (`mjtSensor`)"""
    sensor_datatype: NDArray[np.int32]
    """data type of the output (`mjtDataType`)"""
    sensor_needstage: NDArray[np.int32]
    """stage required before evaluation (`mjtStage`)"""
    sensor_objtype: NDArray[np.int32]
    """type of the sensed object (`mjtObj`)"""
    sensor_objid: NDArray[np.int32]
    """id of the sensed object"""
    sensor_reftype: NDArray[np.int32]
    """type of the reference object (`mjtObj`)"""
    sensor_refid: NDArray[np.int32]
    """id of the reference object; −1 for the world frame"""
    sensor_intprm: NDArray[np.int32]
    """integer parameters"""
    sensor_dim: NDArray[np.int32]
    """number of outputs"""
    sensor_adr: NDArray[np.int32]
    """first output in `sensordata`"""
    sensor_cutoff: NDArray[np.float64]
    """bound on the output; 0 for none"""
    sensor_noise: NDArray[np.float64]
    """standard deviation of noise a user may add"""
    sensor_history: NDArray[np.int32]
    """number of samples and interpolation order of a delayed output"""
    sensor_historyadr: NDArray[np.int32]
    """start in the history buffer; −1 for none"""
    sensor_delay: NDArray[np.float64]
    """output delay"""
    sensor_interval: NDArray[np.float64]
    """sampling period and phase"""
    sensor_user: NDArray[np.float64]
    """user data"""
    sensor_plugin: NDArray[np.int32]
    """plugin instance; −1 for none"""
    wrap_type: NDArray[np.int32]
    """type of path object (`mjtWrap`)"""
    wrap_objid: NDArray[np.int32]
    """joint, site or geom; −1 for a pulley"""
    wrap_prm: NDArray[np.float64]
    """joint coefficient, pulley divisor, or side site (−1 for none)"""
    plugin: NDArray[np.int32]
    """slot of the plugin in its registry"""
    plugin_stateadr: NDArray[np.int32]
    """first state variable"""
    plugin_statenum: NDArray[np.int32]
    """number of state variables"""
    plugin_attr: NDArray[np.int8]
    """configuration attributes, zero-terminated"""
    plugin_attradr: NDArray[np.int32]
    """start of the instance's attributes"""
    numeric_adr: NDArray[np.int32]
    """address of the first value"""
    numeric_size: NDArray[np.int32]
    """number of values"""
    numeric_data: NDArray[np.float64]
    """values of all fields"""
    text_adr: NDArray[np.int32]
    """address of the first byte"""
    text_size: NDArray[np.int32]
    """length including the terminator"""
    text_data: bytes
    """all texts, zero-terminated"""
    tuple_adr: NDArray[np.int32]
    """first entry"""
    tuple_size: NDArray[np.int32]
    """number of entries"""
    tuple_objtype: NDArray[np.int32]
    """type of each object (`mjtObj`)"""
    tuple_objid: NDArray[np.int32]
    """id of each object"""
    tuple_objprm: NDArray[np.float64]
    """parameter of each object"""
    key_time: NDArray[np.float64]
    """time"""
    key_qpos: NDArray[np.float64]
    """positions"""
    key_qvel: NDArray[np.float64]
    """velocities"""
    key_act: NDArray[np.float64]
    """activations"""
    key_mpos: NDArray[np.float64]
    """mocap positions"""
    key_mquat: NDArray[np.float64]
    """mocap orientations"""
    key_ctrl: NDArray[np.float64]
    """controls"""
    name_bodyadr: NDArray[np.int32]
    """body names in `names`"""
    name_jntadr: NDArray[np.int32]
    """joint names in `names`"""
    name_geomadr: NDArray[np.int32]
    """geom names in `names`"""
    name_siteadr: NDArray[np.int32]
    """site names in `names`"""
    name_camadr: NDArray[np.int32]
    """camera names in `names`"""
    name_lightadr: NDArray[np.int32]
    """light names in `names`"""
    name_flexadr: NDArray[np.int32]
    """flex names in `names`"""
    name_meshadr: NDArray[np.int32]
    """mesh names in `names`"""
    name_skinadr: NDArray[np.int32]
    """skin names in `names`"""
    name_hfieldadr: NDArray[np.int32]
    """height field names in `names`"""
    name_texadr: NDArray[np.int32]
    """texture names in `names`"""
    name_matadr: NDArray[np.int32]
    """material names in `names`"""
    name_pairadr: NDArray[np.int32]
    """pair names in `names`"""
    name_excludeadr: NDArray[np.int32]
    """exclude names in `names`"""
    name_eqadr: NDArray[np.int32]
    """equality names in `names`"""
    name_tendonadr: NDArray[np.int32]
    """tendon names in `names`"""
    name_actuatoradr: NDArray[np.int32]
    """actuator names in `names`"""
    name_sensoradr: NDArray[np.int32]
    """sensor names in `names`"""
    name_numericadr: NDArray[np.int32]
    """numeric names in `names`"""
    name_textadr: NDArray[np.int32]
    """text names in `names`"""
    name_tupleadr: NDArray[np.int32]
    """tuple names in `names`"""
    name_keyadr: NDArray[np.int32]
    """keyframe names in `names`"""
    name_pluginadr: NDArray[np.int32]
    """plugin names in `names`"""
    names: bytes
    """all names, zero-terminated, starting with the model's"""
    paths: bytes
    """asset paths, zero-terminated"""
    B_rownnz: NDArray[np.int32]
    """number of dofs in each body's list"""
    B_rowadr: NDArray[np.int32]
    """start of each body's dof list"""
    B_colind: NDArray[np.int32]
    """dofs that move each body"""
    M_rownnz: NDArray[np.int32]
    """number of entries in each row of `M`"""
    M_rowadr: NDArray[np.int32]
    """start of each row of `M`"""
    M_colind: NDArray[np.int32]
    """columns of `M`"""
    mapM2M: NDArray[np.int32]
    """index in `qM` of each entry of `M`"""
    D_rownnz: NDArray[np.int32]
    """number of entries in each row of `qDeriv`"""
    D_rowadr: NDArray[np.int32]
    """start of each row of `qDeriv`"""
    D_diag: NDArray[np.int32]
    """index of the diagonal within each row of `qDeriv`"""
    D_colind: NDArray[np.int32]
    """columns of `qDeriv`"""
    mapM2D: NDArray[np.int32]
    """index in `M` of each entry of `qDeriv`"""
    mapD2M: NDArray[np.int32]
    """index in `qDeriv` of each entry of `M`"""
    @property
    def nq(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def nu(self) -> int: ...
    @property
    def na(self) -> int: ...
    @property
    def nbody(self) -> int: ...
    @property
    def nbvh(self) -> int: ...
    @property
    def nbvhstatic(self) -> int: ...
    @property
    def nbvhdynamic(self) -> int: ...
    @property
    def noct(self) -> int: ...
    @property
    def njnt(self) -> int: ...
    @property
    def ntree(self) -> int: ...
    @property
    def nM(self) -> int: ...
    @property
    def nB(self) -> int: ...
    @property
    def nC(self) -> int: ...
    @property
    def nD(self) -> int: ...
    @property
    def ngeom(self) -> int: ...
    @property
    def nsite(self) -> int: ...
    @property
    def ncam(self) -> int: ...
    @property
    def nlight(self) -> int: ...
    @property
    def nflex(self) -> int: ...
    @property
    def nflexnode(self) -> int: ...
    @property
    def nflexvert(self) -> int: ...
    @property
    def nflexedge(self) -> int: ...
    @property
    def nflexelem(self) -> int: ...
    @property
    def nflexelemdata(self) -> int: ...
    @property
    def nflexelemedge(self) -> int: ...
    @property
    def nflexshelldata(self) -> int: ...
    @property
    def nflexevpair(self) -> int: ...
    @property
    def nflextexcoord(self) -> int: ...
    @property
    def nJfe(self) -> int: ...
    @property
    def nJfv(self) -> int: ...
    @property
    def nmesh(self) -> int: ...
    @property
    def nmeshvert(self) -> int: ...
    @property
    def nmeshnormal(self) -> int: ...
    @property
    def nmeshtexcoord(self) -> int: ...
    @property
    def nmeshface(self) -> int: ...
    @property
    def nmeshgraph(self) -> int: ...
    @property
    def nmeshpoly(self) -> int: ...
    @property
    def nmeshpolyvert(self) -> int: ...
    @property
    def nmeshpolymap(self) -> int: ...
    @property
    def nskin(self) -> int: ...
    @property
    def nskinvert(self) -> int: ...
    @property
    def nskintexvert(self) -> int: ...
    @property
    def nskinface(self) -> int: ...
    @property
    def nskinbone(self) -> int: ...
    @property
    def nskinbonevert(self) -> int: ...
    @property
    def nhfield(self) -> int: ...
    @property
    def nhfielddata(self) -> int: ...
    @property
    def ntex(self) -> int: ...
    @property
    def ntexdata(self) -> int: ...
    @property
    def nmat(self) -> int: ...
    @property
    def npair(self) -> int: ...
    @property
    def nexclude(self) -> int: ...
    @property
    def neq(self) -> int: ...
    @property
    def ntendon(self) -> int: ...
    @property
    def nwrap(self) -> int: ...
    @property
    def nsensor(self) -> int: ...
    @property
    def nnumeric(self) -> int: ...
    @property
    def nnumericdata(self) -> int: ...
    @property
    def ntext(self) -> int: ...
    @property
    def ntextdata(self) -> int: ...
    @property
    def ntuple(self) -> int: ...
    @property
    def ntupledata(self) -> int: ...
    @property
    def nkey(self) -> int: ...
    @property
    def nmocap(self) -> int: ...
    @property
    def nplugin(self) -> int: ...
    @property
    def npluginattr(self) -> int: ...
    @property
    def nuser_body(self) -> int: ...
    @property
    def nuser_jnt(self) -> int: ...
    @property
    def nuser_geom(self) -> int: ...
    @property
    def nuser_site(self) -> int: ...
    @property
    def nuser_cam(self) -> int: ...
    @property
    def nuser_tendon(self) -> int: ...
    @property
    def nuser_actuator(self) -> int: ...
    @property
    def nuser_sensor(self) -> int: ...
    @property
    def nnames(self) -> int: ...
    @property
    def npaths(self) -> int: ...
    @property
    def nnames_map(self) -> int: ...
    @property
    def nJmom(self) -> int: ...
    @property
    def ngravcomp(self) -> int: ...
    @property
    def nemax(self) -> int: ...
    @property
    def njmax(self) -> int: ...
    @property
    def nconmax(self) -> int: ...
    @property
    def nuserdata(self) -> int: ...
    @property
    def nsensordata(self) -> int: ...
    @property
    def npluginstate(self) -> int: ...
    @property
    def nhistory(self) -> int: ...
    @property
    def narena(self) -> int: ...
    @property
    def nbuffer(self) -> int: ...
    @property
    def opt(self) -> MjOption: ...
    @property
    def vis(self) -> MjVisual: ...
    @property
    def stat(self) -> MjStatistic: ...
    @property
    def names_map(self) -> NDArray[np.int32]: ...
    @staticmethod
    def from_xml_string(xml: str | bytes, assets: Mapping[str | bytes, bytes] | None = ..., *, plugins: Sequence[type[Plugin]] | None = ...) -> MjModel: ...
    @staticmethod
    def from_xml_path(filename: str | bytes | os.PathLike[str], assets: Mapping[str | bytes, bytes] | None = ..., *, plugins: Sequence[type[Plugin]] | None = ...) -> MjModel: ...
    @staticmethod
    def from_binary_path(filename: str | bytes | os.PathLike[str], assets: Mapping[str | bytes, bytes] | None = ..., *, plugins: Sequence[type[Plugin]] | None = ...) -> MjModel: ...
    def bind(self, elements: Any) -> Any: ...
    def bind_scalar(self, element: Any) -> Any: ...
    @property
    def signature(self) -> int: ...
    def body(self, name: str | int = ...) -> _MjModelBodyViews: ...
    def joint(self, name: str | int = ...) -> _MjModelJointViews: ...
    def jnt(self, name: str | int = ...) -> _MjModelJointViews: ...
    def geom(self, name: str | int = ...) -> _MjModelGeomViews: ...
    def site(self, name: str | int = ...) -> _MjModelSiteViews: ...
    def camera(self, name: str | int = ...) -> _MjModelCameraViews: ...
    def cam(self, name: str | int = ...) -> _MjModelCameraViews: ...
    def light(self, name: str | int = ...) -> _MjModelLightViews: ...
    def mesh(self, name: str | int = ...) -> _MjModelMeshViews: ...
    def skin(self, name: str | int = ...) -> _MjModelSkinViews: ...
    def hfield(self, name: str | int = ...) -> _MjModelHfieldViews: ...
    def texture(self, name: str | int = ...) -> _MjModelTextureViews: ...
    def tex(self, name: str | int = ...) -> _MjModelTextureViews: ...
    def material(self, name: str | int = ...) -> _MjModelMaterialViews: ...
    def mat(self, name: str | int = ...) -> _MjModelMaterialViews: ...
    def pair(self, name: str | int = ...) -> _MjModelPairViews: ...
    def exclude(self, name: str | int = ...) -> _MjModelExcludeViews: ...
    def equality(self, name: str | int = ...) -> _MjModelEqualityViews: ...
    def eq(self, name: str | int = ...) -> _MjModelEqualityViews: ...
    def tendon(self, name: str | int = ...) -> _MjModelTendonViews: ...
    def ten(self, name: str | int = ...) -> _MjModelTendonViews: ...
    def actuator(self, name: str | int = ...) -> _MjModelActuatorViews: ...
    def sensor(self, name: str | int = ...) -> _MjModelSensorViews: ...
    def numeric(self, name: str | int = ...) -> _MjModelNumericViews: ...
    def text(self, name: str | int = ...) -> _MjModelTextViews: ...
    def tuple(self, name: str | int = ...) -> _MjModelTupleViews: ...
    def keyframe(self, name: str | int = ...) -> _MjModelKeyframeViews: ...
    def key(self, name: str | int = ...) -> _MjModelKeyframeViews: ...
    def __copy__(self) -> MjModel: ...
    def __deepcopy__(self, memo: object) -> MjModel: ...

class MjData:
    """The state of one simulation and everything computed from it."""
    time: float
    """simulation time"""
    qpos: NDArray[np.float64]
    """positions"""
    qvel: NDArray[np.float64]
    """velocities"""
    act: NDArray[np.float64]
    """activations"""
    history: NDArray[np.float64]
    """delay buffers of controls and sensors"""
    qacc_warmstart: NDArray[np.float64]
    """acceleration the solver starts from"""
    plugin_state: NDArray[np.float64]
    """plugin states"""
    ctrl: NDArray[np.float64]
    """controls"""
    qfrc_applied: NDArray[np.float64]
    """generalised force applied by the user"""
    xfrc_applied: NDArray[np.float64]
    """force and torque applied by the user to each body, at the centre of mass"""
    eq_active: NDArray[np.uint8]
    """whether each equality constraint is active"""
    mocap_pos: NDArray[np.float64]
    """positions of mocap bodies"""
    mocap_quat: NDArray[np.float64]
    """orientations of mocap bodies"""
    userdata: NDArray[np.float64]
    """values reserved for the user"""
    tree_asleep: NDArray[np.int32]
    """negative: −1 minus the steps until the tree may sleep; otherwise the next tree in its sleeping cycle"""
    xpos: NDArray[np.float64]
    """body frame position"""
    xquat: NDArray[np.float64]
    """body frame orientation"""
    xmat: NDArray[np.float64]
    """body frame orientation as a matrix"""
    xipos: NDArray[np.float64]
    """centre of mass"""
    ximat: NDArray[np.float64]
    """orientation of the principal axes of inertia, as a matrix"""
    xanchor: NDArray[np.float64]
    """joint anchor"""
    xaxis: NDArray[np.float64]
    """joint axis"""
    geom_xpos: NDArray[np.float64]
    """geom position"""
    geom_xmat: NDArray[np.float64]
    """geom orientation, as a matrix"""
    site_xpos: NDArray[np.float64]
    """site position"""
    site_xmat: NDArray[np.float64]
    """site orientation, as a matrix"""
    cam_xpos: NDArray[np.float64]
    """camera position"""
    cam_xmat: NDArray[np.float64]
    """camera orientation, as a matrix"""
    light_xpos: NDArray[np.float64]
    """light position"""
    light_xdir: NDArray[np.float64]
    """light direction"""
    subtree_com: NDArray[np.float64]
    """centre of mass of each subtree"""
    cdof: NDArray[np.float64]
    """motion axis of each dof (rotation, translation), expressed at the tree's centre of mass"""
    cinert: NDArray[np.float64]
    """body inertia about the tree's centre of mass: six moments, first moment, mass"""
    flexvert_xpos: NDArray[np.float64]
    """flex vertex position"""
    flexelem_aabb: NDArray[np.float64]
    """flex element box: centre and half-size"""
    flexedge_J: NDArray[np.float64]
    """flex edge Jacobian"""
    flexedge_length: NDArray[np.float64]
    """flex edge length"""
    flexvert_J: NDArray[np.float64]
    """flex vertex Jacobian"""
    flexvert_length: NDArray[np.float64]
    """flex vertex strain invariants"""
    bvh_aabb_dyn: NDArray[np.float64]
    """dynamic bounding boxes: centre and half-size"""
    ten_wrapadr: NDArray[np.int32]
    """first path point of the tendon"""
    ten_wrapnum: NDArray[np.int32]
    """number of path points of the tendon"""
    ten_J_rownnz: NDArray[np.int32]
    """number of entries in the tendon's Jacobian row"""
    ten_J_rowadr: NDArray[np.int32]
    """start of the tendon's Jacobian row"""
    ten_J_colind: NDArray[np.int32]
    """columns of the tendon Jacobian"""
    ten_J: NDArray[np.float64]
    """tendon Jacobian"""
    ten_length: NDArray[np.float64]
    """tendon length"""
    wrap_obj: NDArray[np.int32]
    """geom of each path point pair; −1 site, −2 pulley"""
    wrap_xpos: NDArray[np.float64]
    """path points, two per object"""
    crb: NDArray[np.float64]
    """composite inertia of each body with all its descendants, as `cinert`"""
    qM: NDArray[np.float64]
    """mass matrix in tree order: for each dof, its entries with itself and its ancestors"""
    M: NDArray[np.float64]
    """lower triangle of the mass matrix, compressed rows"""
    qLD: NDArray[np.float64]
    """LDL factor of `M`: L below, D on the diagonal"""
    qLDiagInv: NDArray[np.float64]
    """inverse of D"""
    ntree_awake: int
    """number of awake trees"""
    nbody_awake: int
    """number of bodies that are awake or static"""
    nparent_awake: int
    """number of bodies whose parent is awake or static"""
    nv_awake: int
    """number of awake dofs"""
    tree_awake: NDArray[np.int32]
    """whether the tree is awake"""
    body_awake: NDArray[np.int32]
    """sleep state of the body (`mjtSleepState`)"""
    body_awake_ind: NDArray[np.int32]
    """bodies that are awake or static"""
    parent_awake_ind: NDArray[np.int32]
    """bodies whose parent is awake or static"""
    dof_awake_ind: NDArray[np.int32]
    """awake dofs"""
    ncon: int
    """number of contacts"""
    maxuse_con: int
    """largest number of contacts since the reset"""
    bvh_active: NDArray[np.uint8]
    """whether collision detection visited each bounding volume"""
    ne: int
    """number of equality rows"""
    nf: int
    """number of friction-loss rows"""
    nl: int
    """number of limit rows"""
    nefc: int
    """number of constraint rows"""
    maxuse_efc: int
    """largest number of constraint rows since the reset"""
    nJ: int
    """number of entries in the constraint Jacobian"""
    efc_type: NDArray[np.int32]
    """constraint type of the row (`mjtConstraint`)"""
    efc_id: NDArray[np.int32]
    """object the row comes from"""
    efc_J_rownnz: NDArray[np.int32]
    """number of entries in the row"""
    efc_J_rowadr: NDArray[np.int32]
    """start of the row"""
    efc_J_rowsuper: NDArray[np.int32]
    """number of following rows with the same columns"""
    efc_J_colind: NDArray[np.int32]
    """columns of the constraint Jacobian"""
    efc_J: NDArray[np.float64]
    """constraint Jacobian"""
    efc_pos: NDArray[np.float64]
    """constraint violation or distance"""
    efc_margin: NDArray[np.float64]
    """distance at which the row becomes active"""
    efc_frictionloss: NDArray[np.float64]
    """friction loss"""
    efc_diagApprox: NDArray[np.float64]
    """estimate of the diagonal of `J M⁻¹ Jᵀ`"""
    efc_KBIP: NDArray[np.float64]
    """stiffness, damping, impedance and impedance derivative"""
    efc_D: NDArray[np.float64]
    """inverse of `efc_R`"""
    efc_R: NDArray[np.float64]
    """regularisation"""
    tendon_efcadr: NDArray[np.int32]
    """first row that involves the tendon; −1 for none"""
    efc_vel: NDArray[np.float64]
    """constraint velocity"""
    efc_aref: NDArray[np.float64]
    """reference acceleration"""
    nA: int
    """number of entries in the dual matrix `AR`"""
    efc_AR_rownnz: NDArray[np.int32]
    """number of entries in the row of AR"""
    efc_AR_rowadr: NDArray[np.int32]
    """start of the row of AR"""
    efc_AR_colind: NDArray[np.int32]
    """columns of AR"""
    efc_AR: NDArray[np.float64]
    """`J M⁻¹ Jᵀ + R`"""
    nisland: int
    """number of islands"""
    nidof: int
    """number of dofs in islands"""
    tree_island: NDArray[np.int32]
    """island of the tree; −1 for none"""
    island_ntree: NDArray[np.int32]
    """number of trees in the island"""
    island_itreeadr: NDArray[np.int32]
    """first tree of the island"""
    map_itree2tree: NDArray[np.int32]
    """tree at each position in island order"""
    dof_island: NDArray[np.int32]
    """island of the dof; −1 for none"""
    island_nv: NDArray[np.int32]
    """number of dofs in the island"""
    island_idofadr: NDArray[np.int32]
    """first dof in island order"""
    island_dofadr: NDArray[np.int32]
    """first dof in model order"""
    map_dof2idof: NDArray[np.int32]
    """position of each dof in island order"""
    map_idof2dof: NDArray[np.int32]
    """dof at each position in island order"""
    iM_rownnz: NDArray[np.int32]
    """number of entries in the row of the island mass matrix"""
    iM_rowadr: NDArray[np.int32]
    """start of the row of the island mass matrix"""
    iM_colind: NDArray[np.int32]
    """columns of the island mass matrix"""
    iM: NDArray[np.float64]
    """mass matrix in island order"""
    iLD: NDArray[np.float64]
    """LDL factor of `iM`"""
    iLDiagInv: NDArray[np.float64]
    """inverse of the diagonal of the factor"""
    efc_island: NDArray[np.int32]
    """island of the row"""
    island_ne: NDArray[np.int32]
    """number of equality rows in the island"""
    island_nf: NDArray[np.int32]
    """number of friction-loss rows in the island"""
    island_nefc: NDArray[np.int32]
    """number of rows in the island"""
    island_iefcadr: NDArray[np.int32]
    """first row in island order"""
    map_efc2iefc: NDArray[np.int32]
    """position of each row in island order"""
    map_iefc2efc: NDArray[np.int32]
    """row at each position in island order"""
    iefc_type: NDArray[np.int32]
    """`efc_type` in island order"""
    iefc_id: NDArray[np.int32]
    """`efc_id` in island order"""
    iefc_J_rownnz: NDArray[np.int32]
    """number of entries in the row, island order"""
    iefc_J_rowadr: NDArray[np.int32]
    """start of the row, island order"""
    iefc_J_rowsuper: NDArray[np.int32]
    """number of following rows with the same columns, island order"""
    iefc_J_colind: NDArray[np.int32]
    """columns, island order"""
    iefc_J: NDArray[np.float64]
    """Jacobian in island order"""
    iefc_frictionloss: NDArray[np.float64]
    """friction loss in island order"""
    iefc_D: NDArray[np.float64]
    """`efc_D` in island order"""
    iefc_R: NDArray[np.float64]
    """`efc_R` in island order"""
    efc_b: NDArray[np.float64]
    """unconstrained acceleration minus reference"""
    efc_state: NDArray[np.int32]
    """state of the row (`mjtConstraintState`)"""
    efc_force: NDArray[np.float64]
    """constraint force"""
    ifrc_smooth: NDArray[np.float64]
    """`qfrc_smooth` in island order"""
    iacc_smooth: NDArray[np.float64]
    """`qacc_smooth` in island order"""
    iacc: NDArray[np.float64]
    """acceleration in island order"""
    iefc_aref: NDArray[np.float64]
    """`efc_aref` in island order"""
    iefc_state: NDArray[np.int32]
    """`efc_state` in island order"""
    iefc_force: NDArray[np.float64]
    """`efc_force` in island order"""
    ifrc_constraint: NDArray[np.float64]
    """constraint force in island order"""
    actuator_length: NDArray[np.float64]
    """transmission length"""
    moment_rownnz: NDArray[np.int32]
    """number of entries in the actuator's moment row"""
    moment_rowadr: NDArray[np.int32]
    """start of the actuator's moment row"""
    moment_colind: NDArray[np.int32]
    """columns of the moments"""
    actuator_moment: NDArray[np.float64]
    """derivative of the transmission length with respect to position"""
    flg_subtreevel: int
    """whether subtree velocities are current"""
    flexedge_velocity: NDArray[np.float64]
    """flex edge velocity"""
    ten_velocity: NDArray[np.float64]
    """tendon velocity"""
    actuator_velocity: NDArray[np.float64]
    """transmission velocity"""
    cvel: NDArray[np.float64]
    """body velocity, expressed at the tree's centre of mass"""
    cdof_dot: NDArray[np.float64]
    """time derivative of `cdof`"""
    subtree_linvel: NDArray[np.float64]
    """velocity of the subtree's centre of mass"""
    subtree_angmom: NDArray[np.float64]
    """angular momentum about the subtree's centre of mass"""
    qfrc_bias: NDArray[np.float64]
    """Coriolis, centrifugal and gravitational force"""
    qfrc_spring: NDArray[np.float64]
    """spring force"""
    qfrc_damper: NDArray[np.float64]
    """damper force"""
    qfrc_gravcomp: NDArray[np.float64]
    """gravity compensation"""
    qfrc_fluid: NDArray[np.float64]
    """fluid force"""
    qfrc_passive: NDArray[np.float64]
    """sum of passive forces"""
    ten_force: NDArray[np.float64]
    """force of the tendon's spring and damper along the tendon, −k δ(L) − b V; sinew only"""
    act_dot: NDArray[np.float64]
    """time derivative of the activations"""
    actuator_force: NDArray[np.float64]
    """force along the transmission"""
    qfrc_actuator: NDArray[np.float64]
    """actuator force in joint space"""
    qfrc_smooth: NDArray[np.float64]
    """sum of all forces except constraint forces"""
    flg_rnepost: int
    """whether `cacc` and the body forces are current"""
    qacc_smooth: NDArray[np.float64]
    """acceleration without constraints"""
    qacc: NDArray[np.float64]
    """acceleration"""
    qfrc_constraint: NDArray[np.float64]
    """constraint force in joint space"""
    jnt_limit_frc: NDArray[np.float64]
    """force of the joint's limit; sinew only"""
    qfrc_inverse: NDArray[np.float64]
    """result of inverse dynamics"""
    cacc: NDArray[np.float64]
    """body acceleration, expressed at the tree's centre of mass, gravity included"""
    cfrc_int: NDArray[np.float64]
    """force between a body and its parent"""
    cfrc_ext: NDArray[np.float64]
    """external force on a body"""
    solver_niter: NDArray[np.int32]
    """solver iterations by island"""
    solver_nnz: NDArray[np.int32]
    """entries of the solver's Hessian by island"""
    solver_fwdinv: NDArray[np.float64]
    """forward/inverse discrepancy of force and constraint"""
    qH: NDArray[np.float64]
    """factor of the integrator's modified mass matrix"""
    qHDiagInv: NDArray[np.float64]
    """inverse of the diagonal of that factor"""
    qDeriv: NDArray[np.float64]
    """derivative of smooth forces with respect to velocity"""
    qLU: NDArray[np.float64]
    """factor of `M − h qDeriv`"""
    flg_energypos: int
    """whether the potential energy is current"""
    flg_energyvel: int
    """whether the kinetic energy is current"""
    sensordata: NDArray[np.float64]
    """sensor outputs"""
    energy: NDArray[np.float64]
    """potential and kinetic energy"""
    def __init__(self, model: MjModel) -> None: ...
    @property
    def model(self) -> MjModel: ...
    @property
    def contact(self) -> _MjContactList: ...
    @property
    def warning(self) -> _MjWarningStatList: ...
    @property
    def timer(self) -> _MjTimerStatList: ...
    @property
    def solver(self) -> _MjSolverStatList: ...
    @property
    def plugin(self) -> NDArray[np.int32]: ...
    @property
    def plugin_data(self) -> NDArray[np.uint64]: ...
    @property
    def maxuse_threadstack(self) -> NDArray[np.uint64]: ...
    @property
    def narena(self) -> int: ...
    @property
    def nbuffer(self) -> int: ...
    @property
    def nplugin(self) -> int: ...
    @property
    def parena(self) -> int: ...
    @property
    def pbase(self) -> int: ...
    @property
    def pstack(self) -> int: ...
    @property
    def maxuse_stack(self) -> int: ...
    @property
    def maxuse_arena(self) -> int: ...
    @property
    def threadpool(self) -> int: ...
    def bind(self, elements: Any) -> Any: ...
    def bind_scalar(self, element: Any) -> Any: ...
    @property
    def signature(self) -> int: ...
    def body(self, name: str | int = ...) -> _MjDataBodyViews: ...
    def joint(self, name: str | int = ...) -> _MjDataJointViews: ...
    def jnt(self, name: str | int = ...) -> _MjDataJointViews: ...
    def geom(self, name: str | int = ...) -> _MjDataGeomViews: ...
    def site(self, name: str | int = ...) -> _MjDataSiteViews: ...
    def camera(self, name: str | int = ...) -> _MjDataCameraViews: ...
    def cam(self, name: str | int = ...) -> _MjDataCameraViews: ...
    def light(self, name: str | int = ...) -> _MjDataLightViews: ...
    def equality(self, name: str | int = ...) -> _MjDataEqualityViews: ...
    def eq(self, name: str | int = ...) -> _MjDataEqualityViews: ...
    def tendon(self, name: str | int = ...) -> _MjDataTendonViews: ...
    def ten(self, name: str | int = ...) -> _MjDataTendonViews: ...
    def actuator(self, name: str | int = ...) -> _MjDataActuatorViews: ...
    def sensor(self, name: str | int = ...) -> _MjDataSensorViews: ...
    def __copy__(self) -> MjData: ...
    def __deepcopy__(self, memo: object) -> MjData: ...

class MjvScene:
    """The contents of a scene to be drawn."""
    maxgeom: int
    """capacity for shapes"""
    ngeom: int
    """number of shapes"""
    geomorder: NDArray[np.int32]
    """indices of transparent shapes from far to near, set when drawn"""
    nflex: int
    """number of flexes"""
    flexedgeadr: NDArray[np.int32]
    """first edge of the flex"""
    flexedgenum: NDArray[np.int32]
    """number of edges of the flex"""
    flexvertadr: NDArray[np.int32]
    """first vertex of the flex"""
    flexvertnum: NDArray[np.int32]
    """number of vertices of the flex"""
    flexfaceadr: NDArray[np.int32]
    """first face of the flex"""
    flexfacenum: NDArray[np.int32]
    """capacity for faces of the flex"""
    flexfaceused: NDArray[np.int32]
    """number of faces of the flex"""
    flexedge: NDArray[np.int32]
    """vertices of each edge"""
    flexvert: NDArray[np.float32]
    """vertex positions"""
    flexface: NDArray[np.float32]
    """corner positions of the faces"""
    flexnormal: NDArray[np.float32]
    """normals at the corners"""
    flextexcoord: NDArray[np.float32]
    """texture coordinates at the corners"""
    flexvertopt: int
    """whether flex vertices are drawn"""
    flexedgeopt: int
    """whether flex edges are drawn"""
    flexfaceopt: int
    """whether flex faces are drawn"""
    flexskinopt: int
    """whether flex skins are drawn"""
    nskin: int
    """number of skins"""
    skinfacenum: NDArray[np.int32]
    """number of faces of the skin"""
    skinvertadr: NDArray[np.int32]
    """first vertex of the skin"""
    skinvertnum: NDArray[np.int32]
    """number of vertices of the skin"""
    skinvert: NDArray[np.float32]
    """vertex positions"""
    skinnormal: NDArray[np.float32]
    """vertex normals"""
    nlight: int
    """number of lights"""
    enabletransform: int
    """whether the model is transformed"""
    translate: NDArray[np.float32]
    """translation of the model"""
    rotate: NDArray[np.float32]
    """rotation of the model"""
    scale: float
    """scale of the model"""
    stereo: int
    """stereo mode (`mjtStereo`)"""
    flags: NDArray[np.uint8]
    """rendering flags (by `mjtRndFlag`)"""
    framewidth: int
    """width of a frame around the image"""
    framergb: NDArray[np.float32]
    """colour of that frame"""
    status: int
    """1 if not all shapes fitted"""
    def __init__(self, model: MjModel | None = ..., maxgeom: int | None = ...) -> None: ...
    @property
    def geoms(self) -> _MjvGeomList: ...
    @property
    def lights(self) -> _MjvLightList: ...
    @property
    def camera(self) -> _MjvGLCameraList: ...
    def __copy__(self) -> MjvScene: ...
    def __deepcopy__(self, memo: object) -> MjvScene: ...

class MjvFigure:
    """A line plot; its attributes set what is shown and in which colours."""
    def __init__(self) -> None: ...
    figurergba: NDArray[Any]
    flg_barplot: int
    flg_extend: int
    flg_legend: int
    flg_selection: int
    flg_symmetric: int
    flg_ticklabel: NDArray[Any]
    gridrgb: NDArray[Any]
    gridsize: NDArray[Any]
    gridwidth: float
    highlight: NDArray[Any]
    highlightid: int
    legendoffset: int
    legendrgba: NDArray[Any]
    linedata: NDArray[Any]
    linename: NDArray[Any]
    linepnt: NDArray[Any]
    linergb: NDArray[Any]
    linewidth: float
    minwidth: str
    panergba: NDArray[Any]
    range: NDArray[Any]
    selection: float
    subplot: int
    textrgb: NDArray[Any]
    title: str
    xaxisdata: NDArray[Any]
    xaxispixel: NDArray[Any]
    xformat: str
    xlabel: str
    yaxisdata: NDArray[Any]
    yaxispixel: NDArray[Any]
    yformat: str

class MjrRect:
    """A rectangle of an image, in pixels from its lower left."""
    def __init__(self, left: int, bottom: int, width: int, height: int) -> None: ...
    bottom: int
    height: int
    left: int
    width: int

class MjrContext:
    """Render target for a model: an offscreen buffer of the model's size. Rows are from the bottom."""
    def __init__(self, model: MjModel | None = ..., fontscale: int | None = ...) -> None: ...
    auxColor: NDArray[Any]
    auxColor_r: NDArray[Any]
    auxFBO: NDArray[Any]
    auxFBO_r: NDArray[Any]
    auxHeight: NDArray[Any]
    auxSamples: NDArray[Any]
    auxWidth: NDArray[Any]
    baseBuiltin: int
    baseFontBig: int
    baseFontNormal: int
    baseFontShadow: int
    baseHField: int
    baseMesh: int
    basePlane: int
    charHeight: int
    charHeightBig: int
    charWidth: NDArray[Any]
    charWidthBig: NDArray[Any]
    currentBuffer: int
    fogEnd: float
    fogRGBA: NDArray[Any]
    fogStart: float
    fontScale: int
    glInitialized: int
    lineWidth: float
    mat_texid: NDArray[Any]
    mat_texrepeat: NDArray[Any]
    mat_texuniform: NDArray[Any]
    nskin: int
    ntexture: int
    offColor: int
    offColor_r: int
    offDepthStencil: int
    offDepthStencil_r: int
    offFBO: int
    offFBO_r: int
    offHeight: int
    offSamples: int
    offWidth: int
    rangeBuiltin: int
    rangeFont: int
    rangeHField: int
    rangeMesh: int
    rangePlane: int
    readDepthMap: int
    readPixelFormat: int
    shadowClip: float
    shadowFBO: int
    shadowScale: float
    shadowSize: int
    shadowTex: int
    skinfaceVBO: tuple[int, ...]
    skinnormalVBO: tuple[int, ...]
    skintexcoordVBO: tuple[int, ...]
    skinvertVBO: tuple[int, ...]
    texture: NDArray[Any]
    textureType: NDArray[Any]
    windowAvailable: int
    windowDoublebuffer: int
    windowSamples: int
    windowStereo: int
    def free(self) -> None: ...

class GLContext:
    def __init__(self, max_width: int, max_height: int) -> None: ...
    def make_current(self) -> None: ...
    def free(self) -> None: ...

class Renderer:
    """Software renderer on the CPU: no display, no driver, nothing to install."""
    def __init__(self, model: MjModel, height: int = ..., width: int = ..., max_geom: int = ...,
                 font_scale: mjtFontScale = ...) -> None: ...
    @property
    def model(self) -> MjModel: ...
    @property
    def scene(self) -> MjvScene: ...
    @property
    def height(self) -> int: ...
    @property
    def width(self) -> int: ...
    def render(self, *, out: NDArray[Any] | None = ...) -> NDArray[Any]: ...
    def update_scene(self, data: MjData, camera: int | str | MjvCamera = ...,
                     scene_option: MjvOption | None = ...) -> None: ...
    def enable_depth_rendering(self) -> None: ...
    def disable_depth_rendering(self) -> None: ...
    def enable_segmentation_rendering(self) -> None: ...
    def disable_segmentation_rendering(self) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Renderer: ...
    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None: ...

class Video:
    """A video that notebooks display."""
    mp4: bytes
    def __init__(self, frames: Iterable[NDArray[Any]], fps: float = ...) -> None: ...

def show_video(frames: Iterable[NDArray[Any]], fps: float = ...) -> Video:
    """Shows images, arrays (height, width, 3) of bytes, as a video in a notebook."""
def write_video(path: str, frames: Iterable[NDArray[Any]], fps: float = ...) -> None:
    """Writes images, arrays (height, width, 3) of bytes, to a file ending in .gif or .mp4."""
def write_picture(path: str, picture: NDArray[Any]) -> None:
    """Writes an image, an array (height, width, 3) of bytes as returned by `Renderer.render`, to a file ending in
    .png."""

class BatchSim:
    """Worlds of one model that are stepped together, in parallel threads with the GIL released."""
    def __init__(
        self, model: MjModel, num_worlds: int, num_threads: int | None = ..., nstep: int = ..., task: Any = ...,
        strict: bool = ...
    ) -> None: ...
    task: Any
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    def __len__(self) -> int: ...
    @property
    def errors(self) -> list[str | None]: ...
    @property
    def failed(self) -> NDArray[np.bool_]: ...
    def forward(self, worlds: ArrayLike | slice | None = ...) -> None:
        """Computes positions, velocities, forces and accelerations at the present state, as `mj_forward`."""
    def gather(self, name: str, out: NDArray[Any] | None = ...) -> NDArray[Any]:
        """A field of MjData of all worlds, in a new array or in `out`. The worlds keep their states and the fields
requested before; a field requested for the first time is recomputed from the state at which the last call of
`step` began."""
    def jvp(self, dx: ArrayLike, du: ArrayLike, method: str = ..., eps: float = ...) -> NDArray[np.float64]:
        """`A dx + B du` of every world (num_worlds x nx), as `sinew.jvp`, from one row of `dx` and `du` per world."""
    @property
    def model(self) -> MjModel: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def nstep(self) -> int: ...
    @property
    def num_threads(self) -> int: ...
    @property
    def num_worlds(self) -> int: ...
    def render(self, camera: int | str | MjvCamera = ..., height: int = ..., width: int = ..., depth: bool = ..., scene_option: MjvOption | None = ..., max_geom: int = ...) -> NDArray[Any]:
        """Images of all worlds in their present state, one world per thread: colours, uint8 of shape (num_worlds,
height, width, 3), or depths in metres, float32 of shape (num_worlds, height, width). The camera is a name, an
id, -1 for the free camera, or an `MjvCamera`."""
    def reset(self, worlds: ArrayLike | slice | None = ...) -> None:
        """Resets worlds, selected by a mask or indices, to their initial state; all of them by default."""
    def rne_post_constraint(self, worlds: ArrayLike | slice | None = ...) -> None:
        """Computes the accelerations of bodies and the forces between them, as `mj_rnePostConstraint`; from then on, steps
compute them too."""
    def rollout_vjp(self, ctrl: ArrayLike | None, loss: ArrayLike, checkpoint: int | None = ..., method: str = ..., eps: float = ...) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Gradients of losses over rollouts from the present states, with respect to those states (num_worlds x nx) and
to the controls, as `sinew.rollout_vjp`; `ctrl` is num_worlds x steps x nu, `loss` is num_worlds x steps x
nx."""
    def scatter(self, name: str, values: ArrayLike, worlds: ArrayLike | slice | None = ...) -> None:
        """Sets a field of MjData in worlds selected by a mask or indices, or in all of them by default; `values` has one
row per selected world, or is one row for all of them."""
    def set_state(self, worlds: ArrayLike | slice | None, qpos: ArrayLike, qvel: ArrayLike) -> None:
        """Sets positions and velocities of worlds selected by a mask or indices, or of all of them if None."""
    def step(self, ctrl: ArrayLike | None = ...) -> None:
        """Steps all worlds under controls (num_worlds x nu, or nu for all); by default those set last.

A world that fails is reported in `failed` and `errors` and is reset at the next call; the others continue. The
caller resets worlds that the task has ended.

Ctrl-C ends the call between steps. Worlds may then have taken different numbers of steps, from none to all;
`time` shows how many. `rewards`, `terminated` and `truncated` are still those of the previous call. The batch
remains usable; `reset` synchronises its worlds again."""
    @property
    def strict(self) -> bool: ...
    def transition(self, method: str = ..., eps: float = ..., centered: bool = ..., sensors: bool = ...) -> BatchTransition:
        """`A` (num_worlds x nx x nx), `B` and, with `sensors`, `C` and `D` of a step of every world, and for each world
the terms computed by finite differences, as `sinew.transition`."""
    def vjp(self, next: ArrayLike, method: str = ..., eps: float = ...) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Gradients with respect to states (num_worlds x nx) and controls (num_worlds x nu), from the gradients with
respect to the next states."""
    @property
    def time(self) -> NDArray[np.float64]: ...
    @property
    def qpos(self) -> NDArray[np.float64]: ...
    @property
    def qvel(self) -> NDArray[np.float64]: ...
    @property
    def act(self) -> NDArray[np.float64]: ...
    @property
    def history(self) -> NDArray[np.float64]: ...
    @property
    def qacc_warmstart(self) -> NDArray[np.float64]: ...
    @property
    def plugin_state(self) -> NDArray[np.float64]: ...
    @property
    def ctrl(self) -> NDArray[np.float64]: ...
    @property
    def qfrc_applied(self) -> NDArray[np.float64]: ...
    @property
    def xfrc_applied(self) -> NDArray[np.float64]: ...
    @property
    def eq_active(self) -> NDArray[np.uint8]: ...
    @property
    def mocap_pos(self) -> NDArray[np.float64]: ...
    @property
    def mocap_quat(self) -> NDArray[np.float64]: ...
    @property
    def userdata(self) -> NDArray[np.float64]: ...
    @property
    def tree_asleep(self) -> NDArray[np.int32]: ...
    @property
    def xpos(self) -> NDArray[np.float64]: ...
    @property
    def xquat(self) -> NDArray[np.float64]: ...
    @property
    def xmat(self) -> NDArray[np.float64]: ...
    @property
    def xipos(self) -> NDArray[np.float64]: ...
    @property
    def ximat(self) -> NDArray[np.float64]: ...
    @property
    def xanchor(self) -> NDArray[np.float64]: ...
    @property
    def xaxis(self) -> NDArray[np.float64]: ...
    @property
    def geom_xpos(self) -> NDArray[np.float64]: ...
    @property
    def geom_xmat(self) -> NDArray[np.float64]: ...
    @property
    def site_xpos(self) -> NDArray[np.float64]: ...
    @property
    def site_xmat(self) -> NDArray[np.float64]: ...
    @property
    def cam_xpos(self) -> NDArray[np.float64]: ...
    @property
    def cam_xmat(self) -> NDArray[np.float64]: ...
    @property
    def light_xpos(self) -> NDArray[np.float64]: ...
    @property
    def light_xdir(self) -> NDArray[np.float64]: ...
    @property
    def subtree_com(self) -> NDArray[np.float64]: ...
    @property
    def cdof(self) -> NDArray[np.float64]: ...
    @property
    def cinert(self) -> NDArray[np.float64]: ...
    @property
    def flexvert_xpos(self) -> NDArray[np.float64]: ...
    @property
    def flexelem_aabb(self) -> NDArray[np.float64]: ...
    @property
    def flexedge_J(self) -> NDArray[np.float64]: ...
    @property
    def flexedge_length(self) -> NDArray[np.float64]: ...
    @property
    def flexvert_J(self) -> NDArray[np.float64]: ...
    @property
    def flexvert_length(self) -> NDArray[np.float64]: ...
    @property
    def bvh_aabb_dyn(self) -> NDArray[np.float64]: ...
    @property
    def ten_wrapadr(self) -> NDArray[np.int32]: ...
    @property
    def ten_wrapnum(self) -> NDArray[np.int32]: ...
    @property
    def ten_J_rownnz(self) -> NDArray[np.int32]: ...
    @property
    def ten_J_rowadr(self) -> NDArray[np.int32]: ...
    @property
    def ten_J_colind(self) -> NDArray[np.int32]: ...
    @property
    def ten_J(self) -> NDArray[np.float64]: ...
    @property
    def ten_length(self) -> NDArray[np.float64]: ...
    @property
    def wrap_obj(self) -> NDArray[np.int32]: ...
    @property
    def wrap_xpos(self) -> NDArray[np.float64]: ...
    @property
    def crb(self) -> NDArray[np.float64]: ...
    @property
    def qM(self) -> NDArray[np.float64]: ...
    @property
    def M(self) -> NDArray[np.float64]: ...
    @property
    def qLD(self) -> NDArray[np.float64]: ...
    @property
    def qLDiagInv(self) -> NDArray[np.float64]: ...
    @property
    def ntree_awake(self) -> NDArray[np.int32]: ...
    @property
    def nbody_awake(self) -> NDArray[np.int32]: ...
    @property
    def nparent_awake(self) -> NDArray[np.int32]: ...
    @property
    def nv_awake(self) -> NDArray[np.int32]: ...
    @property
    def tree_awake(self) -> NDArray[np.int32]: ...
    @property
    def body_awake(self) -> NDArray[np.int32]: ...
    @property
    def body_awake_ind(self) -> NDArray[np.int32]: ...
    @property
    def parent_awake_ind(self) -> NDArray[np.int32]: ...
    @property
    def dof_awake_ind(self) -> NDArray[np.int32]: ...
    @property
    def ncon(self) -> NDArray[np.int32]: ...
    @property
    def maxuse_con(self) -> NDArray[np.int32]: ...
    @property
    def bvh_active(self) -> NDArray[np.uint8]: ...
    @property
    def ne(self) -> NDArray[np.int32]: ...
    @property
    def nf(self) -> NDArray[np.int32]: ...
    @property
    def nl(self) -> NDArray[np.int32]: ...
    @property
    def nefc(self) -> NDArray[np.int32]: ...
    @property
    def maxuse_efc(self) -> NDArray[np.int32]: ...
    @property
    def nJ(self) -> NDArray[np.int32]: ...
    @property
    def tendon_efcadr(self) -> NDArray[np.int32]: ...
    @property
    def nA(self) -> NDArray[np.int32]: ...
    @property
    def nisland(self) -> NDArray[np.int32]: ...
    @property
    def nidof(self) -> NDArray[np.int32]: ...
    @property
    def tree_island(self) -> NDArray[np.int32]: ...
    @property
    def map_itree2tree(self) -> NDArray[np.int32]: ...
    @property
    def dof_island(self) -> NDArray[np.int32]: ...
    @property
    def map_dof2idof(self) -> NDArray[np.int32]: ...
    @property
    def map_idof2dof(self) -> NDArray[np.int32]: ...
    @property
    def iM_colind(self) -> NDArray[np.int32]: ...
    @property
    def iM(self) -> NDArray[np.float64]: ...
    @property
    def iLD(self) -> NDArray[np.float64]: ...
    @property
    def actuator_length(self) -> NDArray[np.float64]: ...
    @property
    def moment_rownnz(self) -> NDArray[np.int32]: ...
    @property
    def moment_rowadr(self) -> NDArray[np.int32]: ...
    @property
    def moment_colind(self) -> NDArray[np.int32]: ...
    @property
    def actuator_moment(self) -> NDArray[np.float64]: ...
    @property
    def flg_subtreevel(self) -> NDArray[np.uint8]: ...
    @property
    def flexedge_velocity(self) -> NDArray[np.float64]: ...
    @property
    def ten_velocity(self) -> NDArray[np.float64]: ...
    @property
    def actuator_velocity(self) -> NDArray[np.float64]: ...
    @property
    def cvel(self) -> NDArray[np.float64]: ...
    @property
    def cdof_dot(self) -> NDArray[np.float64]: ...
    @property
    def subtree_linvel(self) -> NDArray[np.float64]: ...
    @property
    def subtree_angmom(self) -> NDArray[np.float64]: ...
    @property
    def qfrc_bias(self) -> NDArray[np.float64]: ...
    @property
    def qfrc_spring(self) -> NDArray[np.float64]: ...
    @property
    def qfrc_damper(self) -> NDArray[np.float64]: ...
    @property
    def qfrc_gravcomp(self) -> NDArray[np.float64]: ...
    @property
    def qfrc_fluid(self) -> NDArray[np.float64]: ...
    @property
    def qfrc_passive(self) -> NDArray[np.float64]: ...
    @property
    def ten_force(self) -> NDArray[np.float64]: ...
    @property
    def act_dot(self) -> NDArray[np.float64]: ...
    @property
    def actuator_force(self) -> NDArray[np.float64]: ...
    @property
    def qfrc_actuator(self) -> NDArray[np.float64]: ...
    @property
    def qfrc_smooth(self) -> NDArray[np.float64]: ...
    @property
    def flg_rnepost(self) -> NDArray[np.uint8]: ...
    @property
    def qacc_smooth(self) -> NDArray[np.float64]: ...
    @property
    def qacc(self) -> NDArray[np.float64]: ...
    @property
    def qfrc_constraint(self) -> NDArray[np.float64]: ...
    @property
    def jnt_limit_frc(self) -> NDArray[np.float64]: ...
    @property
    def qfrc_inverse(self) -> NDArray[np.float64]: ...
    @property
    def cacc(self) -> NDArray[np.float64]: ...
    @property
    def cfrc_int(self) -> NDArray[np.float64]: ...
    @property
    def cfrc_ext(self) -> NDArray[np.float64]: ...
    @property
    def solver_niter(self) -> NDArray[np.int32]: ...
    @property
    def solver_nnz(self) -> NDArray[np.int32]: ...
    @property
    def solver_fwdinv(self) -> NDArray[np.float64]: ...
    @property
    def qH(self) -> NDArray[np.float64]: ...
    @property
    def qHDiagInv(self) -> NDArray[np.float64]: ...
    @property
    def qDeriv(self) -> NDArray[np.float64]: ...
    @property
    def qLU(self) -> NDArray[np.float64]: ...
    @property
    def flg_energypos(self) -> NDArray[np.uint8]: ...
    @property
    def flg_energyvel(self) -> NDArray[np.uint8]: ...
    @property
    def sensordata(self) -> NDArray[np.float64]: ...
    @property
    def energy(self) -> NDArray[np.float64]: ...

class MjSpec:
    """An editable model."""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    def activate_plugin(self, *args: Any, **values: Any) -> Any: ...
    def actuator(self, *args: Any, **values: Any) -> Any: ...
    @property
    def actuators(self) -> Any:
        """Every actuator."""
    def add_actuator(self, *args: Any, **values: Any) -> Any: ...
    def add_default(self, *args: Any, **values: Any) -> Any: ...
    def add_equality(self, *args: Any, **values: Any) -> Any: ...
    def add_exclude(self, *args: Any, **values: Any) -> Any: ...
    def add_flex(self, *args: Any, **values: Any) -> Any: ...
    def add_hfield(self, *args: Any, **values: Any) -> Any: ...
    def add_key(self, *args: Any, **values: Any) -> Any: ...
    def add_material(self, *args: Any, **values: Any) -> Any: ...
    def add_mesh(self, *args: Any, **values: Any) -> Any: ...
    def add_numeric(self, *args: Any, **values: Any) -> Any: ...
    def add_pair(self, *args: Any, **values: Any) -> Any: ...
    def add_plugin(self, *args: Any, **values: Any) -> Any: ...
    def add_sensor(self, *args: Any, **values: Any) -> Any: ...
    def add_skin(self, *args: Any, **values: Any) -> Any: ...
    def add_tendon(self, *args: Any, **values: Any) -> Any: ...
    def add_text(self, *args: Any, **values: Any) -> Any: ...
    def add_texture(self, *args: Any, **values: Any) -> Any: ...
    def add_tuple(self, *args: Any, **values: Any) -> Any: ...
    @property
    def assets(self) -> Any:
        """Contents of files by name."""
    @assets.setter
    def assets(self, value: Any) -> None: ...
    def attach(self, *args: Any, **values: Any) -> Any: ...
    @property
    def bodies(self) -> Any:
        """Every body."""
    def body(self, *args: Any, **values: Any) -> Any: ...
    def camera(self, *args: Any, **values: Any) -> Any: ...
    @property
    def cameras(self) -> Any:
        """Every camera."""
    comment: Any
    def compile(self, *args: Any, **values: Any) -> Any: ...
    compiler: Any
    copy_during_attach: Any
    @property
    def default(self) -> Any:
        """The root default class."""
    def delete(self, *args: Any, **values: Any) -> Any: ...
    @property
    def equalities(self) -> Any:
        """Every equality."""
    def equality(self, *args: Any, **values: Any) -> Any: ...
    def exclude(self, *args: Any, **values: Any) -> Any: ...
    @property
    def excludes(self) -> Any:
        """Every exclude."""
    def find_default(self, *args: Any, **values: Any) -> Any: ...
    def flex(self, *args: Any, **values: Any) -> Any: ...
    @property
    def flexes(self) -> Any:
        """Every flex."""
    def frame(self, *args: Any, **values: Any) -> Any: ...
    @property
    def frames(self) -> Any:
        """Every frame."""
    @staticmethod
    def from_file(*args: Any, **values: Any) -> Any: ...
    @staticmethod
    def from_string(*args: Any, **values: Any) -> Any: ...
    @staticmethod
    def from_zip(*args: Any, **values: Any) -> Any: ...
    def geom(self, *args: Any, **values: Any) -> Any: ...
    @property
    def geoms(self) -> Any:
        """Every geom."""
    hasImplicitPluginElem: Any
    def hfield(self, *args: Any, **values: Any) -> Any: ...
    @property
    def hfields(self) -> Any:
        """Every hfield."""
    def joint(self, *args: Any, **values: Any) -> Any: ...
    @property
    def joints(self) -> Any:
        """Every joint."""
    def key(self, *args: Any, **values: Any) -> Any: ...
    @property
    def keys(self) -> Any:
        """Every key."""
    def light(self, *args: Any, **values: Any) -> Any: ...
    @property
    def lights(self) -> Any:
        """Every light."""
    def material(self, *args: Any, **values: Any) -> Any: ...
    @property
    def materials(self) -> Any:
        """Every material."""
    @property
    def memory(self) -> Any:
        """Size of the arena; −1 for automatic."""
    @memory.setter
    def memory(self, value: Any) -> None: ...
    def mesh(self, *args: Any, **values: Any) -> Any: ...
    @property
    def meshdir(self) -> Any:
        """"""
    @meshdir.setter
    def meshdir(self, value: Any) -> None: ...
    @property
    def meshes(self) -> Any:
        """Every mesh."""
    @property
    def modelfiledir(self) -> Any:
        """"""
    @modelfiledir.setter
    def modelfiledir(self, value: Any) -> None: ...
    @property
    def modelname(self) -> Any:
        """Name of the model."""
    @modelname.setter
    def modelname(self, value: Any) -> None: ...
    @property
    def nconmax(self) -> Any:
        """"""
    @nconmax.setter
    def nconmax(self, value: Any) -> None: ...
    nemax: Any
    @property
    def njmax(self) -> Any:
        """"""
    @njmax.setter
    def njmax(self, value: Any) -> None: ...
    @property
    def nkey(self) -> Any:
        """"""
    @nkey.setter
    def nkey(self, value: Any) -> None: ...
    @property
    def nstack(self) -> Any:
        """"""
    @nstack.setter
    def nstack(self, value: Any) -> None: ...
    def numeric(self, *args: Any, **values: Any) -> Any: ...
    @property
    def numerics(self) -> Any:
        """Every numeric."""
    @property
    def nuser_actuator(self) -> Any:
        """"""
    @nuser_actuator.setter
    def nuser_actuator(self, value: Any) -> None: ...
    @property
    def nuser_body(self) -> Any:
        """"""
    @nuser_body.setter
    def nuser_body(self, value: Any) -> None: ...
    @property
    def nuser_cam(self) -> Any:
        """"""
    @nuser_cam.setter
    def nuser_cam(self, value: Any) -> None: ...
    @property
    def nuser_geom(self) -> Any:
        """"""
    @nuser_geom.setter
    def nuser_geom(self, value: Any) -> None: ...
    @property
    def nuser_jnt(self) -> Any:
        """"""
    @nuser_jnt.setter
    def nuser_jnt(self, value: Any) -> None: ...
    @property
    def nuser_sensor(self) -> Any:
        """"""
    @nuser_sensor.setter
    def nuser_sensor(self, value: Any) -> None: ...
    @property
    def nuser_site(self) -> Any:
        """"""
    @nuser_site.setter
    def nuser_site(self, value: Any) -> None: ...
    @property
    def nuser_tendon(self) -> Any:
        """"""
    @nuser_tendon.setter
    def nuser_tendon(self, value: Any) -> None: ...
    @property
    def nuserdata(self) -> Any:
        """"""
    @nuserdata.setter
    def nuserdata(self, value: Any) -> None: ...
    @property
    def option(self) -> Any:
        """Options of the physics."""
    override_assets: Any
    def pair(self, *args: Any, **values: Any) -> Any: ...
    @property
    def pairs(self) -> Any:
        """Every pair."""
    parent: Any
    def plugin(self, *args: Any, **values: Any) -> Any: ...
    @property
    def plugins(self) -> Any:
        """Every plugin."""
    def recompile(self, *args: Any, **values: Any) -> Any: ...
    @staticmethod
    def resolve_orientation(*args: Any, **values: Any) -> Any: ...
    def sensor(self, *args: Any, **values: Any) -> Any: ...
    @property
    def sensors(self) -> Any:
        """Every sensor."""
    def site(self, *args: Any, **values: Any) -> Any: ...
    @property
    def sites(self) -> Any:
        """Every site."""
    def skin(self, *args: Any, **values: Any) -> Any: ...
    @property
    def skins(self) -> Any:
        """Every skin."""
    @property
    def stat(self) -> Any:
        """Statistics that were given; `nan` for those to be computed."""
    @property
    def strippath(self) -> Any:
        """"""
    @strippath.setter
    def strippath(self, value: Any) -> None: ...
    def tendon(self, *args: Any, **values: Any) -> Any: ...
    @property
    def tendons(self) -> Any:
        """Every tendon."""
    def text(self, *args: Any, **values: Any) -> Any: ...
    @property
    def texts(self) -> Any:
        """Every text."""
    def texture(self, *args: Any, **values: Any) -> Any: ...
    @property
    def texturedir(self) -> Any:
        """"""
    @texturedir.setter
    def texturedir(self, value: Any) -> None: ...
    @property
    def textures(self) -> Any:
        """Every texture."""
    def to_file(self, *args: Any, **values: Any) -> Any: ...
    def to_urdf(self, *args: Any, **values: Any) -> Any: ...
    def to_xml(self, *args: Any, **values: Any) -> Any: ...
    def to_zip(self, *args: Any, **values: Any) -> Any: ...
    def tuple(self, *args: Any, **values: Any) -> Any: ...
    @property
    def tuples(self) -> Any:
        """Every tuple."""
    @property
    def visual(self) -> Any:
        """Settings of drawing."""
    @property
    def worldbody(self) -> Any:
        """The world body, root of all bodies."""

class MjsActuator:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def actdim(self) -> int:
        """Number of activations; −1 for the default of the dynamics."""
    @actdim.setter
    def actdim(self, value: int) -> None: ...
    @property
    def actearly(self) -> bool:
        """Force uses the next activation."""
    @actearly.setter
    def actearly(self, value: bool) -> None: ...
    @property
    def actlimited(self) -> mjtLimited:
        """Activation limited?"""
    @actlimited.setter
    def actlimited(self, value: Any) -> None: ...
    @property
    def actrange(self) -> NDArray[np.float64]:
        """Activation range."""
    @actrange.setter
    def actrange(self, value: ArrayLike) -> None: ...
    @property
    def biasprm(self) -> NDArray[np.float64]:
        """Bias parameters."""
    @biasprm.setter
    def biasprm(self, value: ArrayLike) -> None: ...
    @property
    def biastype(self) -> mjtBias:
        """Bias type."""
    @biastype.setter
    def biastype(self, value: Any) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def cranklength(self) -> float:
        """Crank length. (m)"""
    @cranklength.setter
    def cranklength(self, value: float) -> None: ...
    @property
    def ctrllimited(self) -> mjtLimited:
        """Control limited?"""
    @ctrllimited.setter
    def ctrllimited(self, value: Any) -> None: ...
    @property
    def ctrlrange(self) -> NDArray[np.float64]:
        """Control range."""
    @ctrlrange.setter
    def ctrlrange(self, value: ArrayLike) -> None: ...
    @property
    def delay(self) -> float:
        """Delay. (s)"""
    @delay.setter
    def delay(self, value: float) -> None: ...
    @property
    def dynprm(self) -> NDArray[np.float64]:
        """Dynamics parameters."""
    @dynprm.setter
    def dynprm(self, value: ArrayLike) -> None: ...
    @property
    def dyntype(self) -> mjtDyn:
        """Dynamics type."""
    @dyntype.setter
    def dyntype(self, value: Any) -> None: ...
    @property
    def forcelimited(self) -> mjtLimited:
        """Force limited?"""
    @forcelimited.setter
    def forcelimited(self, value: Any) -> None: ...
    @property
    def forcerange(self) -> NDArray[np.float64]:
        """Force range."""
    @forcerange.setter
    def forcerange(self, value: ArrayLike) -> None: ...
    @property
    def gainprm(self) -> NDArray[np.float64]:
        """Gain parameters."""
    @gainprm.setter
    def gainprm(self, value: ArrayLike) -> None: ...
    @property
    def gaintype(self) -> mjtGain:
        """Gain type."""
    @gaintype.setter
    def gaintype(self, value: Any) -> None: ...
    @property
    def gear(self) -> NDArray[np.float64]:
        """Gear."""
    @gear.setter
    def gear(self, value: ArrayLike) -> None: ...
    @property
    def group(self) -> int:
        """Group."""
    @group.setter
    def group(self, value: int) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def inheritrange(self) -> float:
        """If positive, the control range is the target's range scaled by this factor."""
    @inheritrange.setter
    def inheritrange(self, value: float) -> None: ...
    @property
    def interp(self) -> int:
        """Interpolation order."""
    @interp.setter
    def interp(self, value: Any) -> None: ...
    @property
    def lengthrange(self) -> NDArray[np.float64]:
        """Length range."""
    @lengthrange.setter
    def lengthrange(self, value: ArrayLike) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def nsample(self) -> int:
        """Samples in the history buffer."""
    @nsample.setter
    def nsample(self, value: int) -> None: ...
    @property
    def plugin(self) -> Any:
        """The plugin of the element."""
    @plugin.setter
    def plugin(self, value: Any) -> None: ...
    @property
    def refsite(self) -> str:
        """Reference site."""
    @refsite.setter
    def refsite(self, value: str) -> None: ...
    def set_to_adhesion(self, *args: Any, **values: Any) -> Any: ...
    def set_to_cylinder(self, *args: Any, **values: Any) -> Any: ...
    def set_to_damper(self, *args: Any, **values: Any) -> Any: ...
    def set_to_intvelocity(self, *args: Any, **values: Any) -> Any: ...
    def set_to_motor(self, *args: Any, **values: Any) -> Any: ...
    def set_to_muscle(self, *args: Any, **values: Any) -> Any: ...
    def set_to_position(self, *args: Any, **values: Any) -> Any: ...
    def set_to_velocity(self, *args: Any, **values: Any) -> Any: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def slidersite(self) -> str:
        """Slider site."""
    @slidersite.setter
    def slidersite(self, value: str) -> None: ...
    @property
    def target(self) -> str:
        """Joint, tendon, site, crank site or body."""
    @target.setter
    def target(self, value: str) -> None: ...
    @property
    def trntype(self) -> mjtTrn:
        """Transmission type."""
    @trntype.setter
    def trntype(self, value: Any) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """User data."""
    @userdata.setter
    def userdata(self, value: ArrayLike) -> None: ...

class MjsBody:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    def add_body(self, *args: Any, **values: Any) -> Any: ...
    def add_camera(self, *args: Any, **values: Any) -> Any: ...
    def add_frame(self, *args: Any, **values: Any) -> Any: ...
    def add_freejoint(self, *args: Any, **values: Any) -> Any: ...
    def add_geom(self, *args: Any, **values: Any) -> Any: ...
    def add_joint(self, *args: Any, **values: Any) -> Any: ...
    def add_light(self, *args: Any, **values: Any) -> Any: ...
    def add_site(self, *args: Any, **values: Any) -> Any: ...
    @property
    def alt(self) -> MjsOrientation:
        """Alternative orientation."""
    @alt.setter
    def alt(self, value: MjsOrientation) -> None: ...
    def attach_frame(self, *args: Any, **values: Any) -> Any: ...
    @property
    def bodies(self) -> Any:
        """"""
    @property
    def cameras(self) -> Any:
        """"""
    @property
    def childclass(self) -> str:
        """Default class for the elements inside."""
    @childclass.setter
    def childclass(self, value: str) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def explicitinertial(self) -> bool:
        """An `inertial` element was given."""
    @explicitinertial.setter
    def explicitinertial(self, value: bool) -> None: ...
    def find_all(self, *args: Any, **values: Any) -> Any: ...
    def find_child(self, *args: Any, **values: Any) -> Any: ...
    def first_body(self, *args: Any, **values: Any) -> Any: ...
    def first_camera(self, *args: Any, **values: Any) -> Any: ...
    def first_frame(self, *args: Any, **values: Any) -> Any: ...
    def first_geom(self, *args: Any, **values: Any) -> Any: ...
    def first_joint(self, *args: Any, **values: Any) -> Any: ...
    def first_light(self, *args: Any, **values: Any) -> Any: ...
    def first_site(self, *args: Any, **values: Any) -> Any: ...
    @property
    def frame(self) -> Any:
        """The frame that contains it."""
    @property
    def frames(self) -> Any:
        """"""
    @property
    def fullinertia(self) -> NDArray[np.float64]:
        """Full inertia xx yy zz xy xz yz."""
    @fullinertia.setter
    def fullinertia(self, value: ArrayLike) -> None: ...
    @property
    def geoms(self) -> Any:
        """"""
    @property
    def gravcomp(self) -> float:
        """Gravity compensation in units of body weight."""
    @gravcomp.setter
    def gravcomp(self, value: float) -> None: ...
    @property
    def ialt(self) -> MjsOrientation:
        """Alternative inertial orientation."""
    @ialt.setter
    def ialt(self, value: MjsOrientation) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def inertia(self) -> NDArray[np.float64]:
        """Diagonal inertia. (kg m²)"""
    @inertia.setter
    def inertia(self, value: ArrayLike) -> None: ...
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def ipos(self) -> NDArray[np.float64]:
        """Centre of mass. (m)"""
    @ipos.setter
    def ipos(self, value: ArrayLike) -> None: ...
    @property
    def iquat(self) -> NDArray[np.float64]:
        """Inertial orientation."""
    @iquat.setter
    def iquat(self, value: ArrayLike) -> None: ...
    @property
    def joints(self) -> Any:
        """"""
    @property
    def lights(self) -> Any:
        """"""
    @property
    def mass(self) -> float:
        """Mass. (kg)"""
    @mass.setter
    def mass(self, value: float) -> None: ...
    @property
    def mocap(self) -> bool:
        """Moved by the user through `mocap_pos`."""
    @mocap.setter
    def mocap(self, value: bool) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    def next_body(self, *args: Any, **values: Any) -> Any: ...
    def next_camera(self, *args: Any, **values: Any) -> Any: ...
    def next_frame(self, *args: Any, **values: Any) -> Any: ...
    def next_geom(self, *args: Any, **values: Any) -> Any: ...
    def next_joint(self, *args: Any, **values: Any) -> Any: ...
    def next_light(self, *args: Any, **values: Any) -> Any: ...
    def next_site(self, *args: Any, **values: Any) -> Any: ...
    @property
    def parent(self) -> Any:
        """The body it belongs to."""
    @property
    def plugin(self) -> Any:
        """The plugin of the element."""
    @plugin.setter
    def plugin(self, value: Any) -> None: ...
    @property
    def pos(self) -> NDArray[np.float64]:
        """Position. (m)"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def quat(self) -> NDArray[np.float64]:
        """Orientation."""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    def set_frame(self, *args: Any, **values: Any) -> Any: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def sites(self) -> Any:
        """"""
    @property
    def sleep(self) -> mjtSleepPolicy:
        """Sleep policy of the tree."""
    @sleep.setter
    def sleep(self, value: Any) -> None: ...
    def to_frame(self, *args: Any, **values: Any) -> Any: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """User data."""
    @userdata.setter
    def userdata(self, value: ArrayLike) -> None: ...

class MjsCamera:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def alt(self) -> MjsOrientation:
        """Alternative orientation."""
    @alt.setter
    def alt(self, value: MjsOrientation) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def focal_length(self) -> NDArray[np.float32]:
        """Focal length. (m)"""
    @focal_length.setter
    def focal_length(self, value: ArrayLike) -> None: ...
    @property
    def focal_pixel(self) -> NDArray[np.float32]:
        """Focal length. (pixel)"""
    @focal_pixel.setter
    def focal_pixel(self, value: ArrayLike) -> None: ...
    @property
    def fovy(self) -> float:
        """Vertical field of view. (degree, or m when orthographic)"""
    @fovy.setter
    def fovy(self, value: float) -> None: ...
    @property
    def frame(self) -> Any:
        """The frame that contains it."""
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def intrinsic(self) -> Any:
        """Filled in the compiled model."""
    @property
    def ipd(self) -> float:
        """Inter-pupillary distance. (m)"""
    @ipd.setter
    def ipd(self, value: float) -> None: ...
    @property
    def mode(self) -> mjtCamLight:
        """Tracking mode."""
    @mode.setter
    def mode(self, value: Any) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def output(self) -> int:
        """Output bits."""
    @output.setter
    def output(self, value: int) -> None: ...
    @property
    def parent(self) -> Any:
        """The body it belongs to."""
    @property
    def pos(self) -> NDArray[np.float64]:
        """Position. (m)"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def principal_length(self) -> NDArray[np.float32]:
        """Principal point. (m)"""
    @principal_length.setter
    def principal_length(self, value: ArrayLike) -> None: ...
    @property
    def principal_pixel(self) -> NDArray[np.float32]:
        """Principal point. (pixel)"""
    @principal_pixel.setter
    def principal_pixel(self, value: ArrayLike) -> None: ...
    @property
    def proj(self) -> mjtProjection:
        """Projection."""
    @proj.setter
    def proj(self, value: Any) -> None: ...
    @property
    def quat(self) -> NDArray[np.float64]:
        """Orientation."""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    @property
    def resolution(self) -> NDArray[np.int32]:
        """Image size. (pixel)"""
    @resolution.setter
    def resolution(self, value: ArrayLike) -> None: ...
    @property
    def sensor_size(self) -> NDArray[np.float32]:
        """Sensor size. (m)"""
    @sensor_size.setter
    def sensor_size(self, value: ArrayLike) -> None: ...
    def set_frame(self, *args: Any, **values: Any) -> Any: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def targetbody(self) -> str:
        """Body to look at."""
    @targetbody.setter
    def targetbody(self, value: str) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """User data."""
    @userdata.setter
    def userdata(self, value: ArrayLike) -> None: ...

class MjsCompiler:
    """Compiler settings."""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    LRopt: Any
    @property
    def alignfree(self) -> bool:
        """Align free bodies with their inertial frame."""
    @alignfree.setter
    def alignfree(self, value: bool) -> None: ...
    @property
    def autolimits(self) -> bool:
        """Infer `limited` from the presence of a range."""
    @autolimits.setter
    def autolimits(self, value: bool) -> None: ...
    @property
    def balanceinertia(self) -> bool:
        """Replace inertias that violate the triangle inequality by their mean."""
    @balanceinertia.setter
    def balanceinertia(self, value: bool) -> None: ...
    @property
    def boundinertia(self) -> float:
        """Lower bound on diagonal body inertia. (kg m²)"""
    @boundinertia.setter
    def boundinertia(self, value: float) -> None: ...
    @property
    def boundmass(self) -> float:
        """Lower bound on body mass. (kg)"""
    @boundmass.setter
    def boundmass(self, value: float) -> None: ...
    @property
    def degree(self) -> bool:
        """Angles in the file are degrees."""
    @degree.setter
    def degree(self, value: bool) -> None: ...
    @property
    def discardvisual(self) -> bool:
        """Drop visual geoms, materials and textures."""
    @discardvisual.setter
    def discardvisual(self, value: bool) -> None: ...
    @property
    def eulerseq(self) -> Any:
        """Axis order of Euler angles, lower case intrinsic, upper case extrinsic."""
    @eulerseq.setter
    def eulerseq(self, value: Any) -> None: ...
    @property
    def fitaabb(self) -> bool:
        """Fit primitives to the bounding box of a mesh instead of its inertia box."""
    @fitaabb.setter
    def fitaabb(self, value: bool) -> None: ...
    @property
    def fusestatic(self) -> bool:
        """Merge bodies without joints into their parents."""
    @fusestatic.setter
    def fusestatic(self, value: bool) -> None: ...
    @property
    def inertiafromgeom(self) -> mjtInertiaFromGeom:
        """When to compute body inertia from geoms."""
    @inertiafromgeom.setter
    def inertiafromgeom(self, value: Any) -> None: ...
    @property
    def inertiagrouprange(self) -> NDArray[np.int32]:
        """First and last geom group used for inertia."""
    @inertiagrouprange.setter
    def inertiagrouprange(self, value: ArrayLike) -> None: ...
    @property
    def meshdir(self) -> str:
        """Directory of meshes and height fields."""
    @meshdir.setter
    def meshdir(self, value: str) -> None: ...
    @property
    def modelfiledir(self) -> str:
        """Directory of the model file these settings came from; relative asset paths start here."""
    @modelfiledir.setter
    def modelfiledir(self, value: str) -> None: ...
    @property
    def saveinertial(self) -> bool:
        """Write the inertia of every body when the model is saved."""
    @saveinertial.setter
    def saveinertial(self, value: bool) -> None: ...
    @property
    def settotalmass(self) -> float:
        """Rescale all masses and inertias to this total when positive. (kg)"""
    @settotalmass.setter
    def settotalmass(self, value: float) -> None: ...
    @property
    def strippath(self) -> bool:
        """Strip directories from asset file names."""
    @strippath.setter
    def strippath(self, value: bool) -> None: ...
    @property
    def texturedir(self) -> str:
        """Directory of textures."""
    @texturedir.setter
    def texturedir(self, value: str) -> None: ...
    usethread: Any

class MjsDefault:
    """A default class: the initial values of new elements, for each kind."""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def actuator(self) -> Any:
        """"""
    @property
    def camera(self) -> Any:
        """"""
    @property
    def equality(self) -> Any:
        """"""
    @property
    def flex(self) -> Any:
        """Files have no default classes for flexes; these are the initial values of new ones."""
    @property
    def geom(self) -> Any:
        """"""
    @property
    def joint(self) -> Any:
        """"""
    @property
    def light(self) -> Any:
        """"""
    @property
    def material(self) -> Any:
        """"""
    @property
    def mesh(self) -> Any:
        """"""
    name: Any
    @property
    def pair(self) -> Any:
        """"""
    @property
    def site(self) -> Any:
        """"""
    @property
    def tendon(self) -> Any:
        """"""

class MjsElement:
    """MuJoCo's base class of elements, only for its name: elements here are of the classes below."""
    def __init__(self, *args: Any, **values: Any) -> None: ...

class MjsEquality:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def active(self) -> bool:
        """Active initially?"""
    @active.setter
    def active(self, value: bool) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def data(self) -> NDArray[np.float64]:
        """Type-dependent values, in the layout of `eq_data`."""
    @data.setter
    def data(self, value: ArrayLike) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def name1(self) -> str:
        """First object."""
    @name1.setter
    def name1(self, value: str) -> None: ...
    @property
    def name2(self) -> str:
        """Second object; may be empty."""
    @name2.setter
    def name2(self, value: str) -> None: ...
    @property
    def objtype(self) -> mjtObj:
        """Type of both objects."""
    @objtype.setter
    def objtype(self, value: Any) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def solimp(self) -> NDArray[np.float64]:
        """Solver impedance."""
    @solimp.setter
    def solimp(self, value: ArrayLike) -> None: ...
    @property
    def solref(self) -> NDArray[np.float64]:
        """Solver reference."""
    @solref.setter
    def solref(self, value: ArrayLike) -> None: ...
    @property
    def type(self) -> mjtEq:
        """Constraint type."""
    @type.setter
    def type(self, value: Any) -> None: ...

class MjsExclude:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def bodyname1(self) -> str:
        """First body."""
    @bodyname1.setter
    def bodyname1(self, value: str) -> None: ...
    @property
    def bodyname2(self) -> str:
        """Second body."""
    @bodyname2.setter
    def bodyname2(self, value: str) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""

class MjsFlex:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def activelayers(self) -> int:
        """Element layers below the surface that collide, for solids."""
    @activelayers.setter
    def activelayers(self, value: int) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def conaffinity(self) -> int:
        """Contact affinity bits."""
    @conaffinity.setter
    def conaffinity(self, value: int) -> None: ...
    @property
    def condim(self) -> int:
        """Contact dimension."""
    @condim.setter
    def condim(self, value: int) -> None: ...
    @property
    def contype(self) -> int:
        """Contact type bits."""
    @contype.setter
    def contype(self, value: int) -> None: ...
    @property
    def damping(self) -> float:
        """Rayleigh damping. (s)"""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def dim(self) -> int:
        """1 for lines, 2 for triangles, 3 for tetrahedra."""
    @dim.setter
    def dim(self, value: int) -> None: ...
    @property
    def edgedamping(self) -> float:
        """Damping of edges. (N s/m)"""
    @edgedamping.setter
    def edgedamping(self, value: float) -> None: ...
    @property
    def edgestiffness(self) -> float:
        """Stiffness of edge springs. (N/m)"""
    @edgestiffness.setter
    def edgestiffness(self, value: float) -> None: ...
    @property
    def elastic2d(self) -> int:
        """Elastic forces of a shell: 0 none, 1 bending, 2 stretching, 3 both."""
    @elastic2d.setter
    def elastic2d(self, value: Any) -> None: ...
    @property
    def elem(self) -> NDArray[np.int32]:
        """Vertices of the elements, `dim + 1` per element."""
    @elem.setter
    def elem(self, value: ArrayLike) -> None: ...
    @property
    def elemtexcoord(self) -> NDArray[np.int32]:
        """Texture coordinates of the elements; those of the vertices if empty."""
    @elemtexcoord.setter
    def elemtexcoord(self, value: ArrayLike) -> None: ...
    @property
    def flatskin(self) -> bool:
        """Drawn with flat shading."""
    @flatskin.setter
    def flatskin(self, value: bool) -> None: ...
    @property
    def friction(self) -> NDArray[np.float64]:
        """Sliding, spinning and rolling friction."""
    @friction.setter
    def friction(self, value: ArrayLike) -> None: ...
    @property
    def gap(self) -> float:
        """Gap inside the margin. (m)"""
    @gap.setter
    def gap(self, value: float) -> None: ...
    @property
    def group(self) -> int:
        """Visibility group."""
    @group.setter
    def group(self, value: int) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def internal(self) -> bool:
        """Elements collide with the vertices of their neighbours."""
    @internal.setter
    def internal(self, value: bool) -> None: ...
    @property
    def margin(self) -> float:
        """Detection margin. (m)"""
    @margin.setter
    def margin(self, value: float) -> None: ...
    @property
    def material(self) -> str:
        """Material; may be empty."""
    @material.setter
    def material(self, value: str) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def node(self) -> Any:
        """Nodes in the frames of their bodies."""
    @node.setter
    def node(self, value: Any) -> None: ...
    @property
    def nodebody(self) -> Any:
        """Bodies that carry the control nodes; empty unless vertices are interpolated."""
    @nodebody.setter
    def nodebody(self, value: Any) -> None: ...
    @property
    def passive(self) -> bool:
        """Contacts act as passive forces."""
    @passive.setter
    def passive(self, value: bool) -> None: ...
    @property
    def poisson(self) -> float:
        """Poisson's ratio."""
    @poisson.setter
    def poisson(self, value: float) -> None: ...
    @property
    def priority(self) -> int:
        """Contact priority."""
    @priority.setter
    def priority(self, value: int) -> None: ...
    @property
    def radius(self) -> float:
        """Thickness radius around the elements. (m)"""
    @radius.setter
    def radius(self, value: float) -> None: ...
    @property
    def rgba(self) -> NDArray[np.float32]:
        """Colour without a material."""
    @rgba.setter
    def rgba(self, value: ArrayLike) -> None: ...
    @property
    def selfcollide(self) -> mjtFlexSelf:
        """Self-collision mode."""
    @selfcollide.setter
    def selfcollide(self, value: Any) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def size(self) -> Any:
        """Filled in the compiled model."""
    @property
    def solimp(self) -> NDArray[np.float64]:
        """Solver impedance."""
    @solimp.setter
    def solimp(self, value: ArrayLike) -> None: ...
    @property
    def solmix(self) -> float:
        """Weight when solver parameters are mixed."""
    @solmix.setter
    def solmix(self, value: float) -> None: ...
    @property
    def solref(self) -> NDArray[np.float64]:
        """Solver reference."""
    @solref.setter
    def solref(self, value: ArrayLike) -> None: ...
    @property
    def texcoord(self) -> Any:
        """Texture coordinates."""
    @texcoord.setter
    def texcoord(self, value: Any) -> None: ...
    @property
    def thickness(self) -> float:
        """Shell thickness; negative when not given. (m)"""
    @thickness.setter
    def thickness(self, value: float) -> None: ...
    @property
    def vert(self) -> Any:
        """Vertices in the frames of their bodies."""
    @vert.setter
    def vert(self, value: Any) -> None: ...
    @property
    def vertbody(self) -> Any:
        """Bodies that carry the vertices, or one body for all of them."""
    @vertbody.setter
    def vertbody(self, value: Any) -> None: ...
    @property
    def vertcollide(self) -> bool:
        """A sphere at every vertex body collides."""
    @vertcollide.setter
    def vertcollide(self, value: bool) -> None: ...
    @property
    def young(self) -> float:
        """Young's modulus; 0 for no elasticity. (Pa)"""
    @young.setter
    def young(self, value: float) -> None: ...

class MjsFrame:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    def add_body(self, *args: Any, **values: Any) -> Any: ...
    def add_camera(self, *args: Any, **values: Any) -> Any: ...
    def add_frame(self, *args: Any, **values: Any) -> Any: ...
    def add_geom(self, *args: Any, **values: Any) -> Any: ...
    def add_joint(self, *args: Any, **values: Any) -> Any: ...
    def add_light(self, *args: Any, **values: Any) -> Any: ...
    def add_site(self, *args: Any, **values: Any) -> Any: ...
    @property
    def alt(self) -> MjsOrientation:
        """Alternative orientation."""
    @alt.setter
    def alt(self, value: MjsOrientation) -> None: ...
    def attach_body(self, *args: Any, **values: Any) -> Any: ...
    @property
    def childclass(self) -> str:
        """Default class for the elements inside."""
    @childclass.setter
    def childclass(self, value: str) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def frame(self) -> Any:
        """The frame that contains it."""
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def parent(self) -> Any:
        """The body it belongs to."""
    @property
    def pos(self) -> NDArray[np.float64]:
        """Position. (m)"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def quat(self) -> NDArray[np.float64]:
        """Orientation."""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    def set_frame(self, *args: Any, **values: Any) -> Any: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""

class MjsGeom:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def alt(self) -> MjsOrientation:
        """Alternative orientation."""
    @alt.setter
    def alt(self, value: MjsOrientation) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def conaffinity(self) -> int:
        """Contact affinity bits."""
    @conaffinity.setter
    def conaffinity(self, value: int) -> None: ...
    @property
    def condim(self) -> int:
        """Contact dimension."""
    @condim.setter
    def condim(self, value: int) -> None: ...
    @property
    def contype(self) -> int:
        """Contact type bits."""
    @contype.setter
    def contype(self, value: int) -> None: ...
    @property
    def density(self) -> float:
        """Density. (kg/m³)"""
    @density.setter
    def density(self, value: float) -> None: ...
    @property
    def fitscale(self) -> float:
        """Scale of the fitted primitive."""
    @fitscale.setter
    def fitscale(self, value: float) -> None: ...
    @property
    def fluid_coefs(self) -> NDArray[np.float64]:
        """Blunt drag, slender drag, angular drag, Kutta lift, Magnus lift."""
    @fluid_coefs.setter
    def fluid_coefs(self, value: ArrayLike) -> None: ...
    @property
    def fluid_ellipsoid(self) -> int:
        """Ellipsoid fluid model on (1) or off (0)."""
    @fluid_ellipsoid.setter
    def fluid_ellipsoid(self, value: Any) -> None: ...
    @property
    def frame(self) -> Any:
        """The frame that contains it."""
    @property
    def friction(self) -> NDArray[np.float64]:
        """Sliding, spinning and rolling friction."""
    @friction.setter
    def friction(self, value: ArrayLike) -> None: ...
    @property
    def fromto(self) -> NDArray[np.float64]:
        """End points instead of pose and length. (m)"""
    @fromto.setter
    def fromto(self, value: ArrayLike) -> None: ...
    @property
    def gap(self) -> float:
        """Gap inside the margin. (m)"""
    @gap.setter
    def gap(self, value: float) -> None: ...
    @property
    def group(self) -> int:
        """Group."""
    @group.setter
    def group(self, value: int) -> None: ...
    @property
    def hfieldname(self) -> str:
        """Height field name."""
    @hfieldname.setter
    def hfieldname(self, value: str) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def margin(self) -> float:
        """Detection margin. (m)"""
    @margin.setter
    def margin(self, value: float) -> None: ...
    @property
    def mass(self) -> float:
        """Mass. (kg)"""
    @mass.setter
    def mass(self, value: float) -> None: ...
    @property
    def material(self) -> str:
        """Material name."""
    @material.setter
    def material(self, value: str) -> None: ...
    @property
    def meshname(self) -> str:
        """Mesh name; with a primitive type the primitive is fitted to it."""
    @meshname.setter
    def meshname(self, value: str) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def parent(self) -> Any:
        """The body it belongs to."""
    @property
    def plugin(self) -> Any:
        """The plugin of the element."""
    @plugin.setter
    def plugin(self, value: Any) -> None: ...
    @property
    def pos(self) -> NDArray[np.float64]:
        """Position. (m)"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def priority(self) -> int:
        """Contact priority."""
    @priority.setter
    def priority(self, value: int) -> None: ...
    @property
    def quat(self) -> NDArray[np.float64]:
        """Orientation."""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    @property
    def rgba(self) -> NDArray[np.float32]:
        """Colour."""
    @rgba.setter
    def rgba(self, value: ArrayLike) -> None: ...
    def set_frame(self, *args: Any, **values: Any) -> Any: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def size(self) -> NDArray[np.float64]:
        """Size parameters. (m)"""
    @size.setter
    def size(self, value: ArrayLike) -> None: ...
    @property
    def solimp(self) -> NDArray[np.float64]:
        """Solver impedance."""
    @solimp.setter
    def solimp(self, value: ArrayLike) -> None: ...
    @property
    def solmix(self) -> float:
        """Weight when solver parameters are mixed."""
    @solmix.setter
    def solmix(self, value: float) -> None: ...
    @property
    def solref(self) -> NDArray[np.float64]:
        """Solver reference."""
    @solref.setter
    def solref(self, value: ArrayLike) -> None: ...
    @property
    def type(self) -> mjtGeom:
        """Shape."""
    @type.setter
    def type(self, value: Any) -> None: ...
    @property
    def typeinertia(self) -> mjtGeomInertia:
        """Mass on the surface or in the volume."""
    @typeinertia.setter
    def typeinertia(self, value: Any) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """User data."""
    @userdata.setter
    def userdata(self, value: ArrayLike) -> None: ...

class MjsHField:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def content_type(self) -> str:
        """Content type of the file; from its extension if empty."""
    @content_type.setter
    def content_type(self, value: str) -> None: ...
    @property
    def file(self) -> str:
        """File name: PNG or custom binary."""
    @file.setter
    def file(self, value: str) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def ncol(self) -> int:
        """Columns."""
    @ncol.setter
    def ncol(self, value: int) -> None: ...
    @property
    def nrow(self) -> int:
        """Rows."""
    @nrow.setter
    def nrow(self, value: int) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def size(self) -> NDArray[np.float64]:
        """X and Y half-size, top and base thickness. (m)"""
    @size.setter
    def size(self, value: ArrayLike) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float32]:
        """Inline elevations, row-major, in the order of the attribute."""
    @userdata.setter
    def userdata(self, value: ArrayLike) -> None: ...

class MjsJoint:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def actfrclimited(self) -> mjtLimited:
        """Total actuator force limited?"""
    @actfrclimited.setter
    def actfrclimited(self, value: Any) -> None: ...
    @property
    def actfrcrange(self) -> NDArray[np.float64]:
        """Range of total actuator force."""
    @actfrcrange.setter
    def actfrcrange(self, value: ArrayLike) -> None: ...
    @property
    def actgravcomp(self) -> bool:
        """Gravity compensation acts through actuators."""
    @actgravcomp.setter
    def actgravcomp(self, value: bool) -> None: ...
    @property
    def align(self) -> mjtAlignFree:
        """Whether a free joint is aligned with the inertial frame."""
    @align.setter
    def align(self, value: Any) -> None: ...
    @property
    def armature(self) -> float:
        """Armature inertia."""
    @armature.setter
    def armature(self, value: float) -> None: ...
    @property
    def axis(self) -> NDArray[np.float64]:
        """Axis."""
    @axis.setter
    def axis(self, value: ArrayLike) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def damping(self) -> float:
        """Damping."""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def frame(self) -> Any:
        """The frame that contains it."""
    @property
    def frictionloss(self) -> float:
        """Dry friction."""
    @frictionloss.setter
    def frictionloss(self, value: float) -> None: ...
    @property
    def group(self) -> int:
        """Group."""
    @group.setter
    def group(self, value: int) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def limited(self) -> mjtLimited:
        """Limited?"""
    @limited.setter
    def limited(self, value: Any) -> None: ...
    @property
    def margin(self) -> float:
        """Limit margin."""
    @margin.setter
    def margin(self, value: float) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def parent(self) -> Any:
        """The body it belongs to."""
    @property
    def pos(self) -> NDArray[np.float64]:
        """Anchor. (m)"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def range(self) -> NDArray[np.float64]:
        """Limits. (m or file angle)"""
    @range.setter
    def range(self, value: ArrayLike) -> None: ...
    @property
    def ref(self) -> float:
        """Value at the initial configuration. (m or file angle)"""
    @ref.setter
    def ref(self, value: float) -> None: ...
    def set_frame(self, *args: Any, **values: Any) -> Any: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def solimp_friction(self) -> NDArray[np.float64]:
        """Solver impedance of dry friction."""
    @solimp_friction.setter
    def solimp_friction(self, value: ArrayLike) -> None: ...
    @property
    def solimp_limit(self) -> NDArray[np.float64]:
        """Solver impedance of limits."""
    @solimp_limit.setter
    def solimp_limit(self, value: ArrayLike) -> None: ...
    @property
    def solref_friction(self) -> NDArray[np.float64]:
        """Solver reference of dry friction."""
    @solref_friction.setter
    def solref_friction(self, value: ArrayLike) -> None: ...
    @property
    def solref_limit(self) -> NDArray[np.float64]:
        """Solver reference of limits."""
    @solref_limit.setter
    def solref_limit(self, value: ArrayLike) -> None: ...
    @property
    def springdamper(self) -> NDArray[np.float64]:
        """Time constant and damping ratio that set stiffness and damping when positive."""
    @springdamper.setter
    def springdamper(self, value: ArrayLike) -> None: ...
    @property
    def springref(self) -> float:
        """Spring reference. (m or file angle)"""
    @springref.setter
    def springref(self, value: float) -> None: ...
    @property
    def stiffness(self) -> float:
        """Spring stiffness."""
    @stiffness.setter
    def stiffness(self, value: float) -> None: ...
    @property
    def type(self) -> mjtJoint:
        """Joint type."""
    @type.setter
    def type(self, value: Any) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """User data."""
    @userdata.setter
    def userdata(self, value: ArrayLike) -> None: ...

class MjsKey:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def act(self) -> NDArray[np.float64]:
        """Activations."""
    @act.setter
    def act(self, value: ArrayLike) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def ctrl(self) -> NDArray[np.float64]:
        """Controls."""
    @ctrl.setter
    def ctrl(self, value: ArrayLike) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def mpos(self) -> NDArray[np.float64]:
        """Mocap positions."""
    @mpos.setter
    def mpos(self, value: ArrayLike) -> None: ...
    @property
    def mquat(self) -> NDArray[np.float64]:
        """Mocap orientations."""
    @mquat.setter
    def mquat(self, value: ArrayLike) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def qpos(self) -> NDArray[np.float64]:
        """Positions."""
    @qpos.setter
    def qpos(self, value: ArrayLike) -> None: ...
    @property
    def qvel(self) -> NDArray[np.float64]:
        """Velocities."""
    @qvel.setter
    def qvel(self, value: ArrayLike) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def time(self) -> float:
        """Time. (s)"""
    @time.setter
    def time(self, value: float) -> None: ...

class MjsLight:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def active(self) -> bool:
        """On?"""
    @active.setter
    def active(self, value: bool) -> None: ...
    @property
    def ambient(self) -> NDArray[np.float32]:
        """Ambient colour."""
    @ambient.setter
    def ambient(self, value: ArrayLike) -> None: ...
    @property
    def attenuation(self) -> NDArray[np.float32]:
        """Constant, linear and quadratic attenuation."""
    @attenuation.setter
    def attenuation(self, value: ArrayLike) -> None: ...
    @property
    def bulbradius(self) -> float:
        """Bulb radius. (m)"""
    @bulbradius.setter
    def bulbradius(self, value: float) -> None: ...
    @property
    def castshadow(self) -> bool:
        """Casts shadows?"""
    @castshadow.setter
    def castshadow(self, value: bool) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def cutoff(self) -> float:
        """Cutoff angle. (degree)"""
    @cutoff.setter
    def cutoff(self, value: float) -> None: ...
    @property
    def diffuse(self) -> NDArray[np.float32]:
        """Diffuse colour."""
    @diffuse.setter
    def diffuse(self, value: ArrayLike) -> None: ...
    @property
    def dir(self) -> NDArray[np.float64]:
        """Direction."""
    @dir.setter
    def dir(self, value: ArrayLike) -> None: ...
    @property
    def exponent(self) -> float:
        """Spot exponent."""
    @exponent.setter
    def exponent(self, value: float) -> None: ...
    @property
    def frame(self) -> Any:
        """The frame that contains it."""
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def intensity(self) -> float:
        """Intensity. (cd)"""
    @intensity.setter
    def intensity(self, value: float) -> None: ...
    @property
    def mode(self) -> mjtCamLight:
        """Tracking mode."""
    @mode.setter
    def mode(self, value: Any) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def parent(self) -> Any:
        """The body it belongs to."""
    @property
    def pos(self) -> NDArray[np.float64]:
        """Position. (m)"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def range(self) -> float:
        """Range. (m)"""
    @range.setter
    def range(self, value: float) -> None: ...
    def set_frame(self, *args: Any, **values: Any) -> Any: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def specular(self) -> NDArray[np.float32]:
        """Specular colour."""
    @specular.setter
    def specular(self, value: ArrayLike) -> None: ...
    @property
    def targetbody(self) -> str:
        """Body to look at."""
    @targetbody.setter
    def targetbody(self, value: str) -> None: ...
    @property
    def texture(self) -> str:
        """Texture of an image light."""
    @texture.setter
    def texture(self, value: str) -> None: ...
    @property
    def type(self) -> mjtLightType:
        """Kind of light."""
    @type.setter
    def type(self, value: Any) -> None: ...

class MjsMaterial:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def emission(self) -> float:
        """Emission."""
    @emission.setter
    def emission(self, value: float) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def metallic(self) -> float:
        """Metallic."""
    @metallic.setter
    def metallic(self, value: float) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def reflectance(self) -> float:
        """Reflectance."""
    @reflectance.setter
    def reflectance(self, value: float) -> None: ...
    @property
    def rgba(self) -> NDArray[np.float32]:
        """Colour."""
    @rgba.setter
    def rgba(self, value: ArrayLike) -> None: ...
    @property
    def roughness(self) -> float:
        """Roughness."""
    @roughness.setter
    def roughness(self, value: float) -> None: ...
    @property
    def shininess(self) -> float:
        """Shininess."""
    @shininess.setter
    def shininess(self, value: float) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def specular(self) -> float:
        """Specular."""
    @specular.setter
    def specular(self, value: float) -> None: ...
    @property
    def texrepeat(self) -> NDArray[np.float32]:
        """Repetition of a 2-D texture."""
    @texrepeat.setter
    def texrepeat(self, value: ArrayLike) -> None: ...
    @property
    def textures(self) -> Any:
        """Texture name per role, indexed by `TextureRole`; empty for none."""
    @textures.setter
    def textures(self, value: Any) -> None: ...
    @property
    def texuniform(self) -> bool:
        """Texture coordinates in spatial units."""
    @texuniform.setter
    def texuniform(self, value: bool) -> None: ...

class MjsMesh:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def content_type(self) -> str:
        """Content type of the file; from its extension if empty."""
    @content_type.setter
    def content_type(self, value: str) -> None: ...
    @property
    def file(self) -> str:
        """File name."""
    @file.setter
    def file(self, value: str) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def inertia(self) -> mjtMeshInertia:
        """How mass is distributed."""
    @inertia.setter
    def inertia(self, value: Any) -> None: ...
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    def make_cone(self, *args: Any, **values: Any) -> Any: ...
    def make_hemisphere(self, *args: Any, **values: Any) -> Any: ...
    def make_plate(self, *args: Any, **values: Any) -> Any: ...
    def make_sphere(self, *args: Any, **values: Any) -> Any: ...
    def make_supersphere(self, *args: Any, **values: Any) -> Any: ...
    def make_supertorus(self, *args: Any, **values: Any) -> Any: ...
    def make_wedge(self, *args: Any, **values: Any) -> Any: ...
    @property
    def material(self) -> str:
        """Material of geoms without one."""
    @material.setter
    def material(self, value: str) -> None: ...
    @property
    def maxhullvert(self) -> int:
        """Upper bound on hull vertices; −1 for none."""
    @maxhullvert.setter
    def maxhullvert(self, value: int) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def needsdf(self) -> bool:
        """A signed distance field is needed."""
    @needsdf.setter
    def needsdf(self, value: bool) -> None: ...
    @property
    def plugin(self) -> Any:
        """The plugin of the element."""
    @plugin.setter
    def plugin(self, value: Any) -> None: ...
    @property
    def refpos(self) -> NDArray[np.float64]:
        """Reference position subtracted from the vertices. (m)"""
    @refpos.setter
    def refpos(self, value: ArrayLike) -> None: ...
    @property
    def refquat(self) -> NDArray[np.float64]:
        """Reference orientation, removed from the vertices."""
    @refquat.setter
    def refquat(self, value: ArrayLike) -> None: ...
    @property
    def scale(self) -> NDArray[np.float64]:
        """Scale per axis."""
    @scale.setter
    def scale(self, value: ArrayLike) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def smoothnormal(self) -> bool:
        """Smooth normals across sharp edges."""
    @smoothnormal.setter
    def smoothnormal(self, value: bool) -> None: ...
    @property
    def userface(self) -> NDArray[np.int32]:
        """Inline faces."""
    @userface.setter
    def userface(self, value: ArrayLike) -> None: ...
    @property
    def userfacenormal(self) -> NDArray[np.int32]:
        """Inline face normal indices."""
    @userfacenormal.setter
    def userfacenormal(self, value: ArrayLike) -> None: ...
    @property
    def userfacetexcoord(self) -> NDArray[np.int32]:
        """Inline face texture coordinate indices."""
    @userfacetexcoord.setter
    def userfacetexcoord(self, value: ArrayLike) -> None: ...
    @property
    def usernormal(self) -> NDArray[np.float32]:
        """Inline normals."""
    @usernormal.setter
    def usernormal(self, value: ArrayLike) -> None: ...
    @property
    def usertexcoord(self) -> NDArray[np.float32]:
        """Inline texture coordinates."""
    @usertexcoord.setter
    def usertexcoord(self, value: ArrayLike) -> None: ...
    @property
    def uservert(self) -> NDArray[np.float32]:
        """Inline vertices. (m)"""
    @uservert.setter
    def uservert(self, value: ArrayLike) -> None: ...

class MjsNumeric:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def data(self) -> NDArray[np.float64]:
        """Initial values."""
    @data.setter
    def data(self, value: ArrayLike) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def size(self) -> int:
        """Length; at least that of `data`."""
    @size.setter
    def size(self, value: int) -> None: ...

class MjsOrientation:
    """An alternative to a quaternion: the type and its values."""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def axisangle(self) -> Any:
        """"""
    @axisangle.setter
    def axisangle(self, value: Any) -> None: ...
    @property
    def euler(self) -> Any:
        """"""
    @euler.setter
    def euler(self, value: Any) -> None: ...
    @property
    def type(self) -> Any:
        """"""
    @type.setter
    def type(self, value: Any) -> None: ...
    @property
    def xyaxes(self) -> Any:
        """"""
    @xyaxes.setter
    def xyaxes(self, value: Any) -> None: ...
    @property
    def zaxis(self) -> Any:
        """"""
    @zaxis.setter
    def zaxis(self, value: Any) -> None: ...

class MjsPair:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def condim(self) -> int:
        """Contact dimension."""
    @condim.setter
    def condim(self, value: int) -> None: ...
    @property
    def friction(self) -> NDArray[np.float64]:
        """Two tangential, one spinning, two rolling coefficients."""
    @friction.setter
    def friction(self, value: ArrayLike) -> None: ...
    @property
    def gap(self) -> float:
        """Gap. (m)"""
    @gap.setter
    def gap(self, value: float) -> None: ...
    @property
    def geomname1(self) -> str:
        """First geom."""
    @geomname1.setter
    def geomname1(self, value: str) -> None: ...
    @property
    def geomname2(self) -> str:
        """Second geom."""
    @geomname2.setter
    def geomname2(self, value: str) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def margin(self) -> float:
        """Margin. (m)"""
    @margin.setter
    def margin(self, value: float) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def solimp(self) -> NDArray[np.float64]:
        """Solver impedance."""
    @solimp.setter
    def solimp(self, value: ArrayLike) -> None: ...
    @property
    def solref(self) -> NDArray[np.float64]:
        """Solver reference of the normal."""
    @solref.setter
    def solref(self, value: ArrayLike) -> None: ...
    @property
    def solreffriction(self) -> NDArray[np.float64]:
        """Solver reference of friction; zeros mean `solref`."""
    @solreffriction.setter
    def solreffriction(self, value: ArrayLike) -> None: ...

class MjsPlugin:
    """A plugin instance, or the reference of an element to one."""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def active(self) -> Any:
        """Whether an element with this reference uses the plugin."""
    @active.setter
    def active(self, value: Any) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def config(self) -> Any:
        """Settings."""
    @config.setter
    def config(self, value: Any) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def plugin_name(self) -> Any:
        """The plugin."""
    @plugin_name.setter
    def plugin_name(self, value: Any) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""

class MjsSensor:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def cutoff(self) -> float:
        """Cutoff."""
    @cutoff.setter
    def cutoff(self, value: float) -> None: ...
    @property
    def datatype(self) -> mjtDataType:
        """Data type; for user sensors only."""
    @datatype.setter
    def datatype(self, value: Any) -> None: ...
    @property
    def delay(self) -> float:
        """Delay. (s)"""
    @delay.setter
    def delay(self, value: float) -> None: ...
    @property
    def dim(self) -> int:
        """Number of outputs; for user sensors only."""
    @dim.setter
    def dim(self, value: int) -> None: ...
    def get_data_size(self, *args: Any, **values: Any) -> Any: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def interp(self) -> int:
        """Interpolation order."""
    @interp.setter
    def interp(self, value: Any) -> None: ...
    @property
    def interval(self) -> NDArray[np.float64]:
        """Period and phase. (s)"""
    @interval.setter
    def interval(self, value: ArrayLike) -> None: ...
    @property
    def intprm(self) -> NDArray[np.int32]:
        """Integer parameters."""
    @intprm.setter
    def intprm(self, value: ArrayLike) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def needstage(self) -> mjtStage:
        """Stage; for user sensors only."""
    @needstage.setter
    def needstage(self, value: Any) -> None: ...
    @property
    def noise(self) -> float:
        """Noise standard deviation."""
    @noise.setter
    def noise(self, value: float) -> None: ...
    @property
    def nsample(self) -> int:
        """Samples in the history buffer."""
    @nsample.setter
    def nsample(self, value: int) -> None: ...
    @property
    def objname(self) -> str:
        """The sensed object."""
    @objname.setter
    def objname(self, value: str) -> None: ...
    @property
    def objtype(self) -> mjtObj:
        """Type of the sensed object."""
    @objtype.setter
    def objtype(self, value: Any) -> None: ...
    @property
    def plugin(self) -> Any:
        """The plugin of the element."""
    @plugin.setter
    def plugin(self, value: Any) -> None: ...
    @property
    def refname(self) -> str:
        """The reference object; may be empty."""
    @refname.setter
    def refname(self, value: str) -> None: ...
    @property
    def reftype(self) -> mjtObj:
        """Type of the reference object."""
    @reftype.setter
    def reftype(self, value: Any) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def type(self) -> mjtSensor:
        """Sensor type."""
    @type.setter
    def type(self, value: Any) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """User data."""
    @userdata.setter
    def userdata(self, value: ArrayLike) -> None: ...

class MjsSite:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def alt(self) -> MjsOrientation:
        """Alternative orientation."""
    @alt.setter
    def alt(self, value: MjsOrientation) -> None: ...
    def attach_body(self, *args: Any, **values: Any) -> Any: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def frame(self) -> Any:
        """The frame that contains it."""
    @property
    def fromto(self) -> NDArray[np.float64]:
        """End points instead of pose and length. (m)"""
    @fromto.setter
    def fromto(self, value: ArrayLike) -> None: ...
    @property
    def group(self) -> int:
        """Group."""
    @group.setter
    def group(self, value: int) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def material(self) -> str:
        """Material name."""
    @material.setter
    def material(self, value: str) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def parent(self) -> Any:
        """The body it belongs to."""
    @property
    def pos(self) -> NDArray[np.float64]:
        """Position. (m)"""
    @pos.setter
    def pos(self, value: ArrayLike) -> None: ...
    @property
    def quat(self) -> NDArray[np.float64]:
        """Orientation."""
    @quat.setter
    def quat(self, value: ArrayLike) -> None: ...
    @property
    def rgba(self) -> NDArray[np.float32]:
        """Colour."""
    @rgba.setter
    def rgba(self, value: ArrayLike) -> None: ...
    def set_frame(self, *args: Any, **values: Any) -> Any: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def size(self) -> NDArray[np.float64]:
        """Size. (m)"""
    @size.setter
    def size(self, value: ArrayLike) -> None: ...
    @property
    def type(self) -> mjtGeom:
        """Shape for drawing and for touch zones."""
    @type.setter
    def type(self, value: Any) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """User data."""
    @userdata.setter
    def userdata(self, value: ArrayLike) -> None: ...

class MjsSkin:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def bindpos(self) -> Any:
        """"""
    @bindpos.setter
    def bindpos(self, value: Any) -> None: ...
    @property
    def bindquat(self) -> Any:
        """"""
    @bindquat.setter
    def bindquat(self, value: Any) -> None: ...
    @property
    def bodyname(self) -> Any:
        """"""
    @bodyname.setter
    def bodyname(self, value: Any) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def face(self) -> NDArray[np.int32]:
        """Faces."""
    @face.setter
    def face(self, value: ArrayLike) -> None: ...
    @property
    def file(self) -> str:
        """File name."""
    @file.setter
    def file(self, value: str) -> None: ...
    @property
    def group(self) -> int:
        """Group."""
    @group.setter
    def group(self, value: int) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def inflate(self) -> float:
        """Inflation along normals. (m)"""
    @inflate.setter
    def inflate(self, value: float) -> None: ...
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def material(self) -> str:
        """Material name."""
    @material.setter
    def material(self, value: str) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def rgba(self) -> NDArray[np.float32]:
        """Colour."""
    @rgba.setter
    def rgba(self, value: ArrayLike) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def texcoord(self) -> NDArray[np.float32]:
        """Texture coordinates."""
    @texcoord.setter
    def texcoord(self, value: ArrayLike) -> None: ...
    @property
    def vert(self) -> NDArray[np.float32]:
        """Vertices. (m)"""
    @vert.setter
    def vert(self, value: ArrayLike) -> None: ...
    @property
    def vertid(self) -> Any:
        """"""
    @vertid.setter
    def vertid(self, value: Any) -> None: ...
    @property
    def vertweight(self) -> Any:
        """"""
    @vertweight.setter
    def vertweight(self, value: Any) -> None: ...

class MjsTendon:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def actfrclimited(self) -> mjtLimited:
        """Total actuator force limited? As in MuJoCo a range alone does not limit."""
    @actfrclimited.setter
    def actfrclimited(self, value: Any) -> None: ...
    @property
    def actfrcrange(self) -> NDArray[np.float64]:
        """Range of total actuator force."""
    @actfrcrange.setter
    def actfrcrange(self, value: ArrayLike) -> None: ...
    @property
    def armature(self) -> float:
        """Inertia along the tendon. (kg)"""
    @armature.setter
    def armature(self, value: float) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def damping(self) -> float:
        """Damping."""
    @damping.setter
    def damping(self, value: float) -> None: ...
    @property
    def default(self) -> Any:
        """The default class."""
    @default.setter
    def default(self, value: Any) -> None: ...
    @property
    def frictionloss(self) -> float:
        """Dry friction."""
    @frictionloss.setter
    def frictionloss(self, value: float) -> None: ...
    @property
    def group(self) -> int:
        """Group."""
    @group.setter
    def group(self, value: int) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def limited(self) -> mjtLimited:
        """Length limited?"""
    @limited.setter
    def limited(self, value: Any) -> None: ...
    @property
    def margin(self) -> float:
        """Limit margin."""
    @margin.setter
    def margin(self, value: float) -> None: ...
    @property
    def material(self) -> str:
        """Material name."""
    @material.setter
    def material(self, value: str) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def path(self) -> Any:
        """What the tendon passes."""
    @property
    def range(self) -> NDArray[np.float64]:
        """Length limits. (m)"""
    @range.setter
    def range(self, value: ArrayLike) -> None: ...
    @property
    def rgba(self) -> NDArray[np.float32]:
        """Colour."""
    @rgba.setter
    def rgba(self, value: ArrayLike) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def solimp_friction(self) -> NDArray[np.float64]:
        """Solver impedance of dry friction."""
    @solimp_friction.setter
    def solimp_friction(self, value: ArrayLike) -> None: ...
    @property
    def solimp_limit(self) -> NDArray[np.float64]:
        """Solver impedance of limits."""
    @solimp_limit.setter
    def solimp_limit(self, value: ArrayLike) -> None: ...
    @property
    def solref_friction(self) -> NDArray[np.float64]:
        """Solver reference of dry friction."""
    @solref_friction.setter
    def solref_friction(self, value: ArrayLike) -> None: ...
    @property
    def solref_limit(self) -> NDArray[np.float64]:
        """Solver reference of limits."""
    @solref_limit.setter
    def solref_limit(self, value: ArrayLike) -> None: ...
    @property
    def springlength(self) -> NDArray[np.float64]:
        """Resting length range; negative means from `qpos_spring`. (m)"""
    @springlength.setter
    def springlength(self, value: ArrayLike) -> None: ...
    @property
    def stiffness(self) -> float:
        """Spring stiffness."""
    @stiffness.setter
    def stiffness(self, value: float) -> None: ...
    @property
    def userdata(self) -> NDArray[np.float64]:
        """User data."""
    @userdata.setter
    def userdata(self, value: ArrayLike) -> None: ...
    @property
    def width(self) -> float:
        """Drawn width. (m)"""
    @width.setter
    def width(self, value: float) -> None: ...
    def wrap_geom(self, *args: Any, **values: Any) -> Any: ...
    def wrap_joint(self, *args: Any, **values: Any) -> Any: ...
    def wrap_pulley(self, *args: Any, **values: Any) -> Any: ...
    def wrap_site(self, *args: Any, **values: Any) -> Any: ...

class MjsTendonPath:
    """The path of a tendon."""
    def __init__(self, *args: Any, **values: Any) -> None: ...

class MjsText:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def data(self) -> str:
        """The text."""
    @data.setter
    def data(self, value: str) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""

class MjsTexture:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def builtin(self) -> mjtBuiltin:
        """Procedural pattern."""
    @builtin.setter
    def builtin(self, value: Any) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def colorspace(self) -> mjtColorSpace:
        """Colour space."""
    @colorspace.setter
    def colorspace(self, value: Any) -> None: ...
    @property
    def content_type(self) -> str:
        """Content type of the file; from its extension if empty."""
    @content_type.setter
    def content_type(self, value: str) -> None: ...
    @property
    def cubefiles(self) -> Any:
        """Six files: right, left, up, down, front, back."""
    @cubefiles.setter
    def cubefiles(self, value: Any) -> None: ...
    @property
    def data(self) -> Any:
        """Pixels, row by row."""
    @data.setter
    def data(self, value: Any) -> None: ...
    @property
    def file(self) -> str:
        """File name."""
    @file.setter
    def file(self, value: str) -> None: ...
    @property
    def gridlayout(self) -> Any:
        """Layout of a composite file."""
    @gridlayout.setter
    def gridlayout(self, value: Any) -> None: ...
    @property
    def gridsize(self) -> NDArray[np.int32]:
        """Grid of a composite file."""
    @gridsize.setter
    def gridsize(self, value: ArrayLike) -> None: ...
    @property
    def height(self) -> int:
        """Height. (pixel)"""
    @height.setter
    def height(self, value: int) -> None: ...
    @property
    def hflip(self) -> bool:
        """Flip horizontally."""
    @hflip.setter
    def hflip(self, value: bool) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def mark(self) -> mjtMark:
        """Procedural marks."""
    @mark.setter
    def mark(self, value: Any) -> None: ...
    @property
    def markrgb(self) -> NDArray[np.float64]:
        """Mark colour."""
    @markrgb.setter
    def markrgb(self, value: ArrayLike) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def nchannel(self) -> int:
        """Channels."""
    @nchannel.setter
    def nchannel(self, value: int) -> None: ...
    @property
    def random(self) -> float:
        """Probability of random dots."""
    @random.setter
    def random(self, value: float) -> None: ...
    @property
    def rgb1(self) -> NDArray[np.float64]:
        """First colour."""
    @rgb1.setter
    def rgb1(self, value: ArrayLike) -> None: ...
    @property
    def rgb2(self) -> NDArray[np.float64]:
        """Second colour."""
    @rgb2.setter
    def rgb2(self, value: ArrayLike) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""
    @property
    def type(self) -> mjtTexture:
        """2-D, cube or sky box."""
    @type.setter
    def type(self, value: Any) -> None: ...
    @property
    def vflip(self) -> bool:
        """Flip vertically."""
    @vflip.setter
    def vflip(self, value: bool) -> None: ...
    @property
    def width(self) -> int:
        """Width. (pixel)"""
    @width.setter
    def width(self, value: int) -> None: ...

class MjsTuple:
    """"""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def classname(self) -> Any:
        """The default class."""
    @classname.setter
    def classname(self, value: Any) -> None: ...
    @property
    def id(self) -> Any:
        """Index among the elements of its kind, as in the compiled model."""
    @property
    def info(self) -> Any:
        """A note that is appended to error messages."""
    @info.setter
    def info(self, value: Any) -> None: ...
    @property
    def name(self) -> Any:
        """Name; empty if there is none."""
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def objname(self) -> Any:
        """Their names."""
    @objname.setter
    def objname(self, value: Any) -> None: ...
    @property
    def objprm(self) -> NDArray[np.float64]:
        """One value per object."""
    @objprm.setter
    def objprm(self, value: ArrayLike) -> None: ...
    @property
    def objtype(self) -> NDArray[np.int32]:
        """Types of the objects, as codes of `ObjType`."""
    @objtype.setter
    def objtype(self, value: ArrayLike) -> None: ...
    @property
    def signature(self) -> Any:
        """Signature of the model the specification was last compiled to."""

class MjsWrap:
    """A part of the path of a tendon."""
    def __init__(self, *args: Any, **values: Any) -> None: ...
    @property
    def coef(self) -> Any:
        """The coefficient of a joint."""
    @property
    def divisor(self) -> Any:
        """The divisor of a pulley."""
    info: Any
    @property
    def sidesite(self) -> Any:
        """The side site of a geom."""
    @property
    def target(self) -> Any:
        """The joint, site or geom."""
    @property
    def type(self) -> Any:
        """Type of the object; whether a wrapping geom is a sphere or a cylinder depends on the geom."""

MjStruct = Any
MjStruct: Any
def to_zip(spec: MjSpec, file: Any) -> None: ...
def from_zip(file: Any) -> MjSpec: ...

def get_mjcb_act_bias() -> Callable[[MjModel, MjData, int], float] | None:
    """The callback `f(m, d, actuator)` that returns the bias of a user actuator."""

def get_mjcb_act_dyn() -> Callable[[MjModel, MjData, int], float] | None:
    """The callback `f(m, d, actuator)` that returns the rate of a user activation."""

def get_mjcb_act_gain() -> Callable[[MjModel, MjData, int], float] | None:
    """The callback `f(m, d, actuator)` that returns the gain of a user actuator."""

def get_mjcb_contactfilter() -> Callable[[MjModel, MjData, int, int], int] | None:
    """The callback `f(m, d, geom1, geom2)` that returns 1 for geoms that do not collide, in place of their contact types."""

def get_mjcb_control() -> Callable[[MjModel, MjData], object] | None:
    """The callback `f(m, d)` that sets controls and applied forces."""

def get_mjcb_passive() -> Callable[[MjModel, MjData], object] | None:
    """The callback `f(m, d)` that adds to `qfrc_passive`."""

def get_mjcb_sensor() -> Callable[[MjModel, MjData, int], object] | None:
    """The callback `f(m, d, stage)` that writes the `sensordata` of user sensors."""

def get_mjcb_time() -> Callable[[], float] | None:
    """The callback `f()` that returns the time that stages are timed with."""

def get_mju_user_warning() -> Callable[[str], object] | None:
    """The function that receives warnings."""

def mj_Euler(m: MjModel, d: MjData) -> None:
    """Advances the state with semi-implicit Euler."""

def mj_RungeKutta(m: MjModel, d: MjData, N: int) -> None:
    """Advances the state with the Runge–Kutta method of order `N`, which must be 4."""

def mj_addContact(m: MjModel, d: MjData, con: MjContact) -> int:
    """Adds a contact; returns 1 if there is no capacity left."""

def mj_addM(m: MjModel, d: MjData, dst: NDArray[np.float64], rownnz: ArrayLike, rowadr: ArrayLike, colind: ArrayLike) -> None:
    """Adds the lower triangle of M to a matrix in compressed rows whose sparsity pattern contains it."""

def mj_angmomMat(m: MjModel, d: MjData, mat: NDArray[np.float64], body: int) -> None:
    """The 3 × nv matrix from joint velocities to a subtree's angular momentum."""

def mj_applyFT(m: MjModel, d: MjData, force: ArrayLike, torque: ArrayLike, point: ArrayLike, body: int, qfrc_target: NDArray[np.float64]) -> None:
    """Adds the joint forces of a force and torque applied at a world point of a body."""

def mj_camlight(m: MjModel, d: MjData) -> None:
    """Frames of cameras and lights."""

def mj_checkAcc(m: MjModel, d: MjData) -> None:
    """Checks accelerations; bad ones reset the state, with a warning."""

def mj_checkPos(m: MjModel, d: MjData) -> None:
    """Checks positions; bad ones reset the state, with a warning."""

def mj_checkVel(m: MjModel, d: MjData) -> None:
    """Checks velocities; bad ones reset the state, with a warning."""

def mj_clearCache(cache: ArrayLike) -> None:
    """Empties the cache."""

def mj_collision(m: MjModel, d: MjData) -> None:
    """Contacts of the present positions."""

def mj_comPos(m: MjModel, d: MjData) -> None:
    """Frames, inertias and motion axes about centres of mass."""

def mj_comVel(m: MjModel, d: MjData) -> None:
    """Velocities of bodies and rates of motion axes."""

def mj_compareFwdInv(m: MjModel, d: MjData) -> None:
    """Compares forward with inverse dynamics, into `solver_fwdinv`."""

def mj_constraintUpdate(m: MjModel, d: MjData, jar: ArrayLike, cost: ArrayLike, flg_coneHessian: ArrayLike) -> None:
    """Forces, states and cost of constraints where `J qacc - aref` is `jar`."""

def mj_contactForce(m: MjModel, d: MjData, id: int, result: NDArray[np.float64]) -> None:
    """Force and torque of a contact, in the contact frame."""

def mj_copyData(dest: MjData, m: MjModel, src: MjData) -> None:
    """Copies everything from one simulation to another of the same model."""

def mj_copyState(m: MjModel, src: MjData, dst: MjData, sig: int) -> None:
    """Copies the state components of a signature from one simulation to another."""

def mj_crb(m: MjModel, d: MjData) -> None:
    """Composite inertias and the mass matrix."""

def mj_defaultLROpt(opt: MjLROpt) -> None:
    """Sets the options of length ranges to their defaults."""

def mj_defaultOption(opt: MjOption) -> None:
    """Sets physics options to their defaults."""

def mj_defaultSolRefImp(solref: NDArray[np.float64], solimp: NDArray[np.float64]) -> None:
    """Sets constraint parameters to their defaults."""

def mj_defaultVisual(vis: MjVisual) -> None:
    """Sets drawing settings to their defaults."""

def mj_differentiatePos(m: MjModel, qvel: NDArray[np.float64], dt: float, qpos1: ArrayLike, qpos2: ArrayLike) -> None:
    """The velocity that takes `qpos1` to `qpos2` in `dt`."""

def mj_energyPos(m: MjModel, d: MjData) -> None:
    """Potential energy."""

def mj_energyVel(m: MjModel, d: MjData) -> None:
    """Kinetic energy."""

def mj_extractState(m: MjModel, src: ArrayLike, srcsig: int, dst: NDArray[np.float64], dstsig: int) -> None:
    """Extracts the components of `dstsig` from a state vector of `srcsig`."""

def mj_factorM(m: MjModel, d: MjData) -> None:
    """Factor of the mass matrix."""

def mj_flex(m: MjModel, d: MjData) -> None:
    """Vertices, boxes and edges of flexes."""

def mj_forward(m: MjModel, d: MjData) -> None:
    """Positions, velocities, forces and accelerations of the present state."""

def mj_forwardSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """`mj_forward` without the stages up to `skipstage`, and without sensors if `skipsensor`."""

def mj_fullM(m: MjModel, dst: NDArray[np.float64], M: ArrayLike) -> None:
    """Dense matrix of a matrix stored like `d.qM`."""

def mj_fwdAcceleration(m: MjModel, d: MjData) -> None:
    """Sum of all forces but those of constraints, and the acceleration they cause."""

def mj_fwdActuation(m: MjModel, d: MjData) -> None:
    """Activation rates and actuator forces."""

def mj_fwdConstraint(m: MjModel, d: MjData) -> None:
    """Constraint forces and the final acceleration."""

def mj_fwdKinematics(m: MjModel, d: MjData) -> None:
    """Poses and everything attached to them."""

def mj_fwdPosition(m: MjModel, d: MjData) -> None:
    """Everything that depends on positions only."""

def mj_fwdVelocity(m: MjModel, d: MjData) -> None:
    """Everything that depends on velocities, besides positions."""

def mj_geomDistance(m: MjModel, d: MjData, geom1: ArrayLike, geom2: ArrayLike, distmax: float, fromto: NDArray[np.float64] | None = ...) -> float:
    """Smallest signed distance between two geoms, at most distmax; writes the segment between their nearest points, or
zeros if they are farther apart."""

def mj_getCache() -> None:
    """The cache of compiled meshes."""

def mj_getCacheCapacity(cache: ArrayLike) -> None:
    """Capacity of the cache. (byte)"""

def mj_getCacheSize(cache: ArrayLike) -> None:
    """Memory that the cache uses. (byte)"""

def mj_getState(m: MjModel, d: MjData, state: NDArray[np.float64], sig: int) -> None:
    """Writes the state components of a signature into `state`."""

def mj_getTotalmass(m: MjModel) -> float:
    """Sum of the masses of all bodies."""

def mj_id2name(m: MjModel, type: int, id: int) -> str | None:
    """Name of an object; `None` if it has none."""

def mj_implicit(m: MjModel, d: MjData) -> None:
    """Advances the state with an integrator that is implicit in velocity."""

def mj_initCtrlHistory(m: MjModel, d: MjData, id: int, times: ArrayLike | None, values: ArrayLike) -> None:
    """Fills the delay buffer of an actuator; without times, the buffer keeps its times."""

def mj_initSensorHistory(m: MjModel, d: MjData, id: int, times: ArrayLike | None, values: ArrayLike, phase: float) -> None:
    """Fills the delay buffer of a sensor; without times, the buffer keeps its times."""

def mj_integratePos(m: MjModel, qpos: NDArray[np.float64], qvel: ArrayLike, dt: float) -> None:
    """Advances `qpos` by `qvel` times `dt`."""

def mj_invConstraint(m: MjModel, d: MjData) -> None:
    """Constraint forces at the acceleration `qacc`."""

def mj_invPosition(m: MjModel, d: MjData) -> None:
    """Everything that inverse dynamics needs of positions."""

def mj_invVelocity(m: MjModel, d: MjData) -> None:
    """Everything that inverse dynamics needs of velocities."""

def mj_inverse(m: MjModel, d: MjData) -> None:
    """Forces that must be applied to get the acceleration `qacc`."""

def mj_inverseSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """`mj_inverse` without the stages up to `skipstage`, and without sensors if `skipsensor`."""

def mj_isDual(m: MjModel) -> int:
    """Whether the solver solves the dual problem, with the constraint forces as unknowns."""

def mj_isPyramidal(m: MjModel) -> int:
    """Whether friction cones are pyramidal."""

def mj_isSparse(m: MjModel) -> int:
    """Whether Jacobians are sparse."""

def mj_island(m: MjModel, d: MjData) -> None:
    """Groups of trees that constraints tie together."""

def mj_jac(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, point: ArrayLike, body: int) -> None:
    """Jacobian of a world point attached to a body."""

def mj_jacBody(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, body: int) -> None:
    """Jacobian of a body frame."""

def mj_jacBodyCom(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, body: int) -> None:
    """Jacobian of a body's centre of mass."""

def mj_jacDot(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, point: ArrayLike, body: int) -> None:
    """Time derivative of the Jacobian of a world point attached to a body."""

def mj_jacGeom(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, geom: int) -> None:
    """Jacobian of a geom's centre."""

def mj_jacPointAxis(m: MjModel, d: MjData, jacPoint: NDArray[np.float64] | None, jacAxis: NDArray[np.float64] | None, point: ArrayLike, axis: ArrayLike, body: int) -> None:
    """Jacobians of a world point and of an axis attached to a body."""

def mj_jacSite(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, site: int) -> None:
    """Jacobian of a site."""

def mj_jacSubtreeCom(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, body: int) -> None:
    """Jacobian of the centre of mass of a subtree."""

def mj_kinematics(m: MjModel, d: MjData) -> None:
    """Frames of bodies, then of what is attached to them."""

def mj_local2Global(d: MjData, xpos: NDArray[np.float64], xmat: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike, body: int, sameframe: int) -> None:
    """World position and orientation of a frame on a body; `sameframe` says which frame of the body it coincides with."""

def mj_makeConstraint(m: MjModel, d: MjData) -> None:
    """Constraint rows of the present positions."""

def mj_makeM(m: MjModel, d: MjData) -> None:
    """Mass matrix, in both storage orders."""

def mj_mulJacTVec(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None:
    """`res = Jᵀ vec`; left unchanged if there are no constraints."""

def mj_mulJacVec(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None:
    """`res = J vec`."""

def mj_mulM(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None:
    """`res = M vec`."""

def mj_mulM2(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None:
    """`res = √D L vec`, half of a product with M."""

def mj_multiRay(m: MjModel, d: MjData, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, flg_static: int, bodyexclude: int, geomid: NDArray[np.int32], dist: NDArray[np.float64], normal: NDArray[np.float64] | None, nray: int, cutoff: float) -> None:
    """Distances along many rays from one point to the nearest visible geoms within a cutoff, or -1; writes the geoms
and the normals of their surfaces."""

def mj_name2id(m: MjModel, type: int, name: str) -> int:
    """Id of the named object; −1 if there is none."""

def mj_normalizeQuat(m: MjModel, qpos: NDArray[np.float64]) -> None:
    """Normalises the quaternions in `qpos`."""

def mj_objectAcceleration(m: MjModel, d: MjData, objtype: int, objid: int, res: NDArray[np.float64], flg_local: int) -> None:
    """Acceleration (rotation, translation) of an object, in world axes or its local axes."""

def mj_objectVelocity(m: MjModel, d: MjData, objtype: int, objid: int, res: NDArray[np.float64], flg_local: int) -> None:
    """Velocity (rotation, translation) of an object, in world axes or its local axes."""

def mj_passive(m: MjModel, d: MjData) -> None:
    """Springs, dampers, gravity compensation and fluid forces."""

def mj_printData(m: MjModel, d: MjData, filename: str | bytes | os.PathLike[str]) -> None:
    """Writes a simulation to a text file."""

def mj_printFormattedData(m: MjModel, d: MjData, filename: str | bytes | os.PathLike[str], float_format: str) -> None:
    """Writes a simulation to a text file; `float_format` is a `%` format for numbers."""

def mj_printFormattedModel(m: MjModel, filename: str | bytes | os.PathLike[str], float_format: str) -> None:
    """Writes a model to a text file; `float_format` is a `%` format for numbers."""

def mj_printFormattedScene(s: ArrayLike, filename: str | bytes | os.PathLike[str], float_format: str) -> None:
    """Writes a scene to a text file; `float_format` is a `%` format for numbers."""

def mj_printModel(m: MjModel, filename: str | bytes | os.PathLike[str]) -> None:
    """Writes a model to a text file."""

def mj_printScene(s: ArrayLike, filename: str | bytes | os.PathLike[str]) -> None:
    """Writes a scene to a text file."""

def mj_printSchema(flg_html: ArrayLike, flg_pad: ArrayLike) -> None:
    """The elements of MJCF with their multiplicity and attributes: as text, or as an HTML table, whose rows are indented
if `flg_pad`."""

def mj_projectConstraint(m: MjModel, d: MjData) -> None:
    """Matrix of the dual solvers."""

def mj_ray(m: MjModel, d: MjData, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, flg_static: int, bodyexclude: int, geomid: NDArray[np.int32] | None, normal: NDArray[np.float64] | None = ...) -> float:
    """Distance along a ray to the nearest visible geom, or -1; writes the geom and the normal of its surface."""

def mj_rayFlex(m: MjModel, d: MjData, flex_layer: int, flg_vert: int, flg_edge: int, flg_face: int, flg_skin: int, flexid: int, pnt: ArrayLike, vec: ArrayLike, vertid: NDArray[np.int32] | None = ..., normal: NDArray[np.float64] | None = ...) -> float:
    """Distance along a ray to the vertices, edges, faces of a layer or skin of a flex, or -1; writes the nearest vertex,
counted from the flex's first, and the normal of the surface. Without a hit the vertex is left unchanged."""

def mj_rayHfield(m: MjModel, d: MjData, geomid: int, pnt: ArrayLike, vec: ArrayLike, normal: NDArray[np.float64] | None = ...) -> float:
    """Distance along a ray to a height field, or -1; writes the normal of its surface."""

def mj_rayMesh(m: MjModel, d: MjData, geomid: int, pnt: ArrayLike, vec: ArrayLike, normal: NDArray[np.float64] | None = ...) -> float:
    """Distance along a ray to a mesh, or -1; writes the normal of its surface."""

def mj_readCtrl(m: MjModel, d: MjData, id: int, time: float, interp: int) -> float:
    """A delayed control, as its actuator saw it at a given time; `interp` -1 for the model's interpolation."""

def mj_readSensor(m: MjModel, d: MjData, id: int, time: float, result: NDArray[np.float64], interp: int) -> NDArray[np.float64]:
    """Values of a sensor at a given time, or the present ones without history; `interp` -1 for the model's interpolation."""

def mj_referenceConstraint(m: MjModel, d: MjData) -> None:
    """Velocities of constraint rows and the accelerations they ask for."""

def mj_resetCallbacks() -> None:
    """Removes all callbacks."""

def mj_resetData(m: MjModel, d: MjData) -> None:
    """Sets everything to zero, then the state to the model's initial state."""

def mj_resetDataDebug(m: MjModel, d: MjData, debug_value: int) -> None:
    """Same as `mj_resetData`: a reset leaves no memory unset that could be filled with `debug_value`."""

def mj_resetDataKeyframe(m: MjModel, d: MjData, key: int) -> None:
    """Resets, then sets the state from a keyframe if it exists."""

def mj_rne(m: MjModel, d: MjData, flg_acc: int, result: NDArray[np.float64]) -> None:
    """Joint forces of the tree without constraints: Coriolis, centrifugal and gravity, with inertial ones if `flg_acc`."""

def mj_rnePostConstraint(m: MjModel, d: MjData) -> None:
    """Accelerations of bodies and the forces between them."""

def mj_saveLastXML(filename: str | bytes | os.PathLike[str], m: MjModel) -> None:
    """Writes the model last loaded from XML as MJCF, including values changed in the model since."""

def mj_saveModel(m: MjModel, filename: str | bytes | os.PathLike[str] | None = ..., buffer: NDArray[np.uint8] | None = ...) -> None:
    """Writes a model to a file, or into a buffer of at least `mj_sizeModel` bytes, which takes precedence."""

def mj_sensorAcc(m: MjModel, d: MjData) -> None:
    """Sensors of the acceleration stage."""

def mj_sensorPos(m: MjModel, d: MjData) -> None:
    """Sensors of the position stage."""

def mj_sensorVel(m: MjModel, d: MjData) -> None:
    """Sensors of the velocity stage."""

def mj_setCacheCapacity(cache: ArrayLike, size: ArrayLike) -> None:
    """Sets the capacity of the cache; returns it. (byte)"""

def mj_setConst(m: MjModel, d: MjData) -> None:
    """Recomputes all derived constants of a model."""

def mj_setKeyframe(m: MjModel, d: MjData, k: int) -> None:
    """Stores the present state as keyframe `k`."""

def mj_setLengthRange(m: MjModel, d: MjData, index: int, opt: MjLROpt) -> None:
    """Sets the length range of an actuator by simulation, or from limits."""

def mj_setState(m: MjModel, d: MjData, state: ArrayLike, sig: int) -> None:
    """Reads the state components of a signature from `state`."""

def mj_setTotalmass(m: MjModel, newmass: float) -> None:
    """Scales masses and inertias to a given total mass."""

def mj_sizeModel(m: MjModel) -> int:
    """Size of the output of `mj_saveModel`. (byte)"""

def mj_solveM(m: MjModel, d: MjData, x: NDArray[np.float64], y: ArrayLike) -> None:
    """Solves `M x = y` for each row of `y`."""

def mj_solveM2(m: MjModel, d: MjData, x: NDArray[np.float64], y: ArrayLike, sqrtInvD: ArrayLike) -> None:
    """Half of a solve, `x = √D⁻¹ L⁻ᵀ y`, for each row of `y`."""

def mj_stateSize(m: MjModel, sig: int) -> int:
    """Length of the state vector of a signature."""

def mj_step(m: MjModel, d: MjData, nstep: int = ...) -> None:
    """Advances the simulation by a time step. Optionally, repeat nstep times."""

def mj_step1(m: MjModel, d: MjData) -> None:
    """The part of a step before controls are needed."""

def mj_step2(m: MjModel, d: MjData) -> None:
    """The part of a step that follows mj_step1."""

def mj_subtreeVel(m: MjModel, d: MjData) -> None:
    """Linear velocity and angular momentum of subtrees."""

def mj_tendon(m: MjModel, d: MjData) -> None:
    """Tendon paths, lengths and their Jacobians."""

def mj_transmission(m: MjModel, d: MjData) -> None:
    """Actuator lengths and moments."""

def mj_version() -> int:
    """The version of MuJoCo that this module reproduces, as a number."""

def mj_versionString() -> str:
    """The version of MuJoCo that this module reproduces."""

def mjd_inverseFD(m: MjModel, d: MjData, eps: float, flg_actuation: int, DfDq: NDArray[np.float64] | None, DfDv: NDArray[np.float64] | None, DfDa: NDArray[np.float64] | None, DsDq: NDArray[np.float64] | None, DsDv: NDArray[np.float64] | None, DsDa: NDArray[np.float64] | None, DmDq: NDArray[np.float64] | None) -> None:
    """Derivatives of inverse dynamics, by finite differences; row i holds the derivatives with respect to input i."""

def mjd_quatIntegrate(vel: ArrayLike, scale: float, Dquat: NDArray[np.float64], Dvel: NDArray[np.float64], Dscale: NDArray[np.float64]) -> None:
    """Derivatives of mju_quatIntegrate with respect to quaternion, velocity and scale."""

def mjd_subQuat(qa: ArrayLike, qb: ArrayLike, Da: NDArray[np.float64] | None, Db: NDArray[np.float64] | None) -> None:
    """Derivatives of mju_subQuat with respect to its two arguments, in their tangent spaces."""

def mjd_transitionFD(m: MjModel, d: MjData, eps: float, flg_centered: int, A: NDArray[np.float64] | None, B: NDArray[np.float64] | None, C: NDArray[np.float64] | None, D: NDArray[np.float64] | None) -> None:
    """Matrices of the linear system about a step, by finite differences: dx' = A dx + B du, ds = C dx + D du."""

def mjr_addAux(index: int, width: int, height: int, samples: int, con: MjrContext) -> None:
    """Add Aux buffer with given index to context; free previous Aux buffer."""

def mjr_blitAux(index: int, src: MjrRect, left: int, bottom: int, con: MjrContext) -> None:
    """Copy colours from a part of an Aux buffer to the context's image."""

def mjr_blitBuffer(src: MjrRect, dst: MjrRect, flg_color: int, flg_depth: int, con: MjrContext) -> None:
    """Copy between window and offscreen buffer: does nothing here, as there is only one buffer."""

def mjr_changeFont(fontscale: int, con: MjrContext) -> None:
    """Change font of existing context."""

def mjr_drawPixels(rgb: NDArray[Any] | None, depth: NDArray[Any] | None, viewport: MjrRect, con: MjrContext) -> None:
    """Draw pixels from client buffer to current OpenGL framebuffer. Rows are from the bottom."""

def mjr_figure(viewport: MjrRect, fig: MjvFigure, con: MjrContext) -> None:
    """Draw 2D figure."""

def mjr_findRect(x: int, y: int, nrect: int, rect: MjrRect) -> int:
    """Find first rectangle containing mouse, -1: not found."""

def mjr_finish() -> None:
    """Wait until drawing is complete: returns at once, as drawing is synchronous."""

def mjr_getError() -> int:
    """The OpenGL error code: always 0."""

def mjr_label(viewport: MjrRect, font: int, txt: str, r: float, g: float, b: float, a: float, rt: float, gt: float, bt: float, con: MjrContext) -> None:
    """Draw rectangle with centered text."""

def mjr_maxViewport(con: MjrContext) -> MjrRect:
    """Get maximum viewport for active buffer."""

def mjr_overlay(font: int, gridpos: int, viewport: MjrRect, overlay: str, overlay2: str | None, con: MjrContext) -> None:
    """Draw text overlay; font is mjtFont; gridpos is mjtGridPos."""

def mjr_readPixels(rgb: NDArray[Any] | None, depth: NDArray[Any] | None, viewport: MjrRect, con: MjrContext) -> None:
    """Read pixels from current OpenGL framebuffer to client buffer. Rows are from the bottom."""

def mjr_rectangle(viewport: MjrRect, r: float, g: float, b: float, a: float) -> None:
    """Draw rectangle in the context that this thread created or made current last."""

def mjr_render(viewport: MjrRect, scn: MjvScene, con: MjrContext) -> None:
    """Render 3D scene."""

def mjr_resizeOffscreen(width: int, height: int, con: MjrContext) -> None:
    """Resize offscreen buffers."""

def mjr_restoreBuffer(con: MjrContext) -> None:
    """Make con->currentBuffer current again."""

def mjr_setAux(index: int, con: MjrContext) -> None:
    """Draw into an Aux buffer, until mjr_restoreBuffer."""

def mjr_setBuffer(framebuffer: int, con: MjrContext) -> None:
    """Set the buffer for rendering. There is only one, unless a page replaces a glfw window."""

def mjr_text(font: int, txt: str, con: MjrContext, x: float, y: float, r: float, g: float, b: float) -> None:
    """Draw text at (x,y) in relative coordinates of the part that was drawn last; font is mjtFont."""

def mjr_uploadHField(m: MjModel, con: MjrContext, hfieldid: int) -> None:
    """Upload a height field that has changed in the model."""

def mjr_uploadMesh(m: MjModel, con: MjrContext, meshid: int) -> None:
    """Upload a mesh that has changed in the model."""

def mjr_uploadTexture(m: MjModel, con: MjrContext, texid: int) -> None:
    """Upload a texture that has changed in the model."""

def mju_Halton(index: int, base: int) -> float:
    """An element of the Halton sequence."""

def mju_L1(vec: ArrayLike) -> float:
    """Sum of the absolute values."""

def mju_add(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None:
    """Sum of two vectors."""

def mju_add3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None:
    """Sum of two vectors."""

def mju_addScl(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike, scl: float) -> None:
    """Sum of a vector and a scaled vector."""

def mju_addScl3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike, scl: float) -> None:
    """Sum of a vector and another times a number."""

def mju_addTo(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Adds a vector."""

def mju_addTo3(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Adds a vector."""

def mju_addToScl(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None:
    """Adds a scaled vector."""

def mju_addToScl3(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None:
    """Adds a vector times a number."""

def mju_axisAngle2Quat(res: NDArray[np.float64], axis: ArrayLike, angle: float) -> None:
    """Quaternion of a turn about an axis."""

def mju_band2Dense(res: NDArray[np.float64], mat: ArrayLike, ntotal: int, nband: int, ndense: int, flg_sym: int) -> None:
    """Converts a band matrix to a dense matrix."""

def mju_bandDiag(i: int, ntotal: int, nband: int, ndense: int) -> int:
    """Index of the diagonal entry of row i of a band matrix."""

def mju_bandMulMatVec(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike, ntotal: int, nband: int, ndense: int, nvec: int, flg_sym: int) -> None:
    """Band matrix times nvec vectors, one per row."""

def mju_boxQP(res: NDArray[np.float64], R: NDArray[np.float64], index: NDArray[np.int32] | None, H: ArrayLike, g: ArrayLike, lower: ArrayLike | None, upper: ArrayLike | None) -> int:
    """Minimises a quadratic function within bounds; returns the number of free dimensions, −1 on failure."""

def mju_cholFactor(mat: NDArray[np.float64], mindiag: float) -> int:
    """Cholesky factor in place; returns the rank."""

def mju_cholFactorBand(mat: NDArray[np.float64], ntotal: int, nband: int, ndense: int, diagadd: float, diagmul: float) -> float:
    """Cholesky factor of a band matrix in place; returns the smallest diagonal entry before its square root, 0 on failure."""

def mju_cholSolve(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None:
    """Solves with a Cholesky factor."""

def mju_cholSolveBand(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike, ntotal: int, nband: int, ndense: int) -> None:
    """Solves with a band Cholesky factor."""

def mju_cholUpdate(mat: NDArray[np.float64], x: NDArray[np.float64], flg_plus: int) -> int:
    """Rank-one update of a Cholesky factor: `L Lᵀ ± x xᵀ`; returns the rank."""

def mju_clip(x: float, min: float, max: float) -> float:
    """A number kept within limits."""

def mju_copy(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Copies a vector."""

def mju_copy3(res: NDArray[np.float64], data: ArrayLike) -> None:
    """Copies a vector."""

def mju_copy4(res: NDArray[np.float64], data: ArrayLike) -> None:
    """Copies a quaternion."""

def mju_cross(res: NDArray[np.float64], a: ArrayLike, b: ArrayLike) -> None:
    """Cross product."""

def mju_d2n(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Copies values."""

def mju_decodePyramid(force: NDArray[np.float64], pyramid: ArrayLike, mu: ArrayLike) -> None:
    """Contact force from forces along the edges of a friction pyramid."""

def mju_dense2Band(res: NDArray[np.float64], mat: ArrayLike, ntotal: int, nband: int, ndense: int) -> None:
    """Converts a dense matrix to a band matrix."""

def mju_dense2sparse(res: NDArray[np.float64], mat: ArrayLike, rownnz: NDArray[np.int32], rowadr: NDArray[np.int32], colind: NDArray[np.int32]) -> int:
    """Converts a dense matrix to compressed rows; returns 1 if there is not enough capacity."""

def mju_derivQuat(res: NDArray[np.float64], quat: ArrayLike, vel: ArrayLike) -> None:
    """Time derivative of a quaternion."""

def mju_dist3(pos1: ArrayLike, pos2: ArrayLike) -> float:
    """Distance of two points."""

def mju_dot(vec1: ArrayLike, vec2: ArrayLike) -> float:
    """Dot product."""

def mju_dot3(vec1: ArrayLike, vec2: ArrayLike) -> float:
    """Dot product."""

def mju_eig3(eigval: NDArray[np.float64], eigvec: NDArray[np.float64], quat: NDArray[np.float64], mat: ArrayLike) -> int:
    """Eigenvalues and eigenvectors of a symmetric 3×3 matrix; returns the number of iterations."""

def mju_encodePyramid(pyramid: NDArray[np.float64], force: ArrayLike, mu: ArrayLike) -> None:
    """Forces along the edges of a friction pyramid that add up to a contact force."""

def mju_euler2Quat(quat: NDArray[np.float64], euler: ArrayLike, seq: str) -> None:
    """Quaternion of Euler angles about axes such as `xyz`."""

def mju_eye(mat: NDArray[np.float64]) -> None:
    """Sets a square matrix to the identity."""

def mju_f2n(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Copies single-precision values."""

def mju_fill(res: NDArray[np.float64], val: float) -> None:
    """Sets all elements to one value."""

def mju_getXMLDependencies(filename: ArrayLike) -> None:
    """The model file and all files that it refers to, including those of included and attached models."""

def mju_insertionSort(list: NDArray[np.float64]) -> None:
    """Sorts values in increasing order."""

def mju_insertionSortInt(list: NDArray[np.int32]) -> None:
    """Sorts integers in increasing order."""

def mju_isBad(x: float) -> int:
    """Whether a number is not one, or beyond ±mjMAXVAL."""

def mju_isZero(vec: ArrayLike) -> int:
    """Whether all elements are zero."""

def mju_mat2Quat(quat: NDArray[np.float64], mat: ArrayLike) -> None:
    """Quaternion of a rotation matrix."""

def mju_mat2Rot(quat: NDArray[np.float64], mat: ArrayLike) -> int:
    """Refines a quaternion to the rotation nearest to a matrix; returns the number of iterations."""

def mju_max(a: float, b: float) -> float:
    """The larger number."""

def mju_min(a: float, b: float) -> float:
    """The smaller number."""

def mju_mulMatMat(res: NDArray[np.float64], mat1: ArrayLike, mat2: ArrayLike) -> None:
    """Product of two matrices."""

def mju_mulMatMatT(res: NDArray[np.float64], mat1: ArrayLike, mat2: ArrayLike) -> None:
    """Product of a matrix and a transposed one."""

def mju_mulMatTMat(res: NDArray[np.float64], mat1: ArrayLike, mat2: ArrayLike) -> None:
    """Product of a transposed matrix and another."""

def mju_mulMatTVec(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None:
    """A transposed matrix times a vector."""

def mju_mulMatTVec3(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None:
    """A transposed 3×3 matrix times a vector."""

def mju_mulMatVec(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None:
    """A matrix times a vector."""

def mju_mulMatVec3(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None:
    """A 3×3 matrix times a vector."""

def mju_mulPose(posres: NDArray[np.float64], quatres: NDArray[np.float64], pos1: ArrayLike, quat1: ArrayLike, pos2: ArrayLike, quat2: ArrayLike) -> None:
    """Product of two poses."""

def mju_mulQuat(res: NDArray[np.float64], quat1: ArrayLike, quat2: ArrayLike) -> None:
    """Product of two quaternions."""

def mju_mulQuatAxis(res: NDArray[np.float64], quat: ArrayLike, axis: ArrayLike) -> None:
    """Product of a quaternion and an axis."""

def mju_mulVecMatVec(vec1: ArrayLike, mat: ArrayLike, vec2: ArrayLike) -> float:
    """`vec1` times a matrix times `vec2`."""

def mju_muscleBias(len: float, lengthrange: ArrayLike, acc0: float, prm: ArrayLike) -> float:
    """Passive force of a muscle."""

def mju_muscleDynamics(ctrl: float, act: float, prm: ArrayLike) -> float:
    """Rate of activation of a muscle."""

def mju_muscleGain(len: float, vel: float, lengthrange: ArrayLike, acc0: float, prm: ArrayLike) -> float:
    """Active force of a muscle."""

def mju_n2d(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Copies values."""

def mju_n2f(res: NDArray[np.float32], vec: ArrayLike) -> None:
    """Converts values to single precision."""

def mju_negPose(posres: NDArray[np.float64], quatres: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike) -> None:
    """The inverse of a pose."""

def mju_negQuat(res: NDArray[np.float64], quat: ArrayLike) -> None:
    """The opposite rotation."""

def mju_norm(res: ArrayLike) -> float:
    """Length of a vector."""

def mju_norm3(vec: ArrayLike) -> float:
    """Length of a vector."""

def mju_normalize(res: NDArray[np.float64]) -> float:
    """Normalises a vector; returns its previous length."""

def mju_normalize3(vec: NDArray[np.float64]) -> float:
    """Makes a vector unit length; returns what its length was."""

def mju_normalize4(vec: NDArray[np.float64]) -> float:
    """Makes a quaternion unit length; returns what its length was."""

def mju_printMat(mat: ArrayLike) -> None:
    """Prints a matrix."""

def mju_printMatSparse(mat: ArrayLike, rownnz: ArrayLike, rowadr: ArrayLike, colind: ArrayLike) -> None:
    """Prints the entries of a matrix in compressed rows."""

def mju_quat2Mat(res: NDArray[np.float64], quat: ArrayLike) -> None:
    """Rotation matrix of a quaternion."""

def mju_quat2Vel(res: NDArray[np.float64], quat: ArrayLike, dt: float) -> None:
    """Angular velocity that turns by a quaternion in `dt`."""

def mju_quatIntegrate(quat: NDArray[np.float64], vel: ArrayLike, scale: float) -> None:
    """Turns a quaternion by an angular velocity times a time."""

def mju_quatZ2Vec(quat: NDArray[np.float64], vec: ArrayLike) -> None:
    """Quaternion that turns the z axis to a vector."""

def mju_rayGeom(pos: ArrayLike, mat: ArrayLike, size: ArrayLike, pnt: ArrayLike, vec: ArrayLike, geomtype: int, normal: NDArray[np.float64] | None = ...) -> float:
    """Distance along a ray to a primitive shape, or -1; writes the normal of its surface."""

def mju_raySkin(nface: int, nvert: int, face: ArrayLike, vert: ArrayLike, pnt: ArrayLike, vec: ArrayLike, vertid: NDArray[np.int32] | None) -> float:
    """Distance along a ray to the triangles of a skin, or -1; writes the nearest vertex of the triangle hit, which is left
unchanged without a hit."""

def mju_rotVecQuat(res: NDArray[np.float64], vec: ArrayLike, quat: ArrayLike) -> None:
    """A vector turned by a quaternion."""

def mju_round(x: float) -> int:
    """The nearest integer; halves go up."""

def mju_scl(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None:
    """Scales a vector."""

def mju_scl3(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None:
    """A vector times a number."""

def mju_sigmoid(x: float) -> float:
    """A smooth step from 0 to 1."""

def mju_sign(x: float) -> float:
    """−1, 0 or 1."""

def mju_sparse2dense(res: NDArray[np.float64], mat: ArrayLike, rownnz: ArrayLike, rowadr: ArrayLike, colind: ArrayLike) -> None:
    """Converts a sparse matrix in compressed rows to a dense one."""

def mju_springDamper(pos0: float, vel0: float, Kp: float, Kv: float, dt: float) -> float:
    """Position of a damped spring of unit mass after a time."""

def mju_sqrMatTD(res: NDArray[np.float64], mat: ArrayLike, diag: ArrayLike | None) -> None:
    """`res = matᵀ diag(diag) mat`, or without `diag`."""

def mju_standardNormal(num2: float | None = ...) -> float:
    """A standard normal random number, from Python's generator."""

def mju_str2Type(str: str) -> int:
    """Object type with a given name; 0 for none."""

def mju_sub(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None:
    """Difference of two vectors."""

def mju_sub3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None:
    """Difference of two vectors."""

def mju_subFrom(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Subtracts a vector."""

def mju_subFrom3(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Subtracts a vector."""

def mju_subQuat(res: NDArray[np.float64], qa: ArrayLike, qb: ArrayLike) -> None:
    """Rotation vector from `qb` to `qa`."""

def mju_sum(vec: ArrayLike) -> float:
    """Sum of the elements."""

def mju_symmetrize(res: NDArray[np.float64], mat: ArrayLike) -> None:
    """Mean of a square matrix and its transpose."""

def mju_transformSpatial(res: NDArray[np.float64], vec: ArrayLike, flg_force: int, newpos: ArrayLike, oldpos: ArrayLike, rotnew2old: ArrayLike) -> None:
    """Transforms a motion (or force, if `flg_force`) vector to another point and other axes."""

def mju_transpose(res: NDArray[np.float64], mat: ArrayLike) -> None:
    """Transpose of a matrix."""

def mju_trnVecPose(res: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike, vec: ArrayLike) -> None:
    """A vector moved by a pose."""

def mju_type2Str(type: int) -> str | None:
    """Name of an object type."""

def mju_unit4(res: NDArray[np.float64]) -> None:
    """Sets a quaternion to no rotation."""

def mju_warningText(warning: int, info: int) -> str:
    """The message of a warning type for an index or amount."""

def mju_writeLog(type: str, msg: str) -> None:
    """Appends a message with a timestamp to MUJOCO_LOG.TXT; does nothing if the file cannot be written."""

def mju_writeNumBytes(nbytes: int) -> str:
    """Formats an amount of memory in the largest unit that divides it."""

def mju_zero(res: NDArray[np.float64]) -> None:
    """Sets a vector to zero."""

def mju_zero3(res: NDArray[np.float64]) -> None:
    """Sets a vector to zero."""

def mju_zero4(res: NDArray[np.float64]) -> None:
    """Sets a quaternion to zero."""

def mjv_addGeoms(m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, catmask: int, scn: MjvScene) -> None:
    """Adds the shapes of some categories to a scene."""

def mjv_alignToCamera(res: NDArray[np.float64], vec: ArrayLike, forward: ArrayLike) -> None:
    """Rotates a vector about the vertical, from y to a horizontal direction."""

def mjv_applyPerturbForce(m: MjModel, d: MjData, pert: MjvPerturb) -> None:
    """Applies a force and torque that pull the selected body towards the reference pose."""

def mjv_applyPerturbPose(m: MjModel, d: MjData, pert: MjvPerturb, flg_paused: int) -> None:
    """Moves the selected body to the reference pose."""

def mjv_averageCamera(cam1: MjvGLCamera, cam2: MjvGLCamera) -> MjvGLCamera:
    """Average of two cameras."""

def mjv_cameraFrame(headpos: NDArray[np.float64] | None, forward: NDArray[np.float64] | None, up: NDArray[np.float64] | None, right: NDArray[np.float64] | None, d: MjData, cam: MjvCamera) -> None:
    """Position and directions of a camera."""

def mjv_cameraFrustum(zver: NDArray[np.float32] | None, zhor: NDArray[np.float32] | None, zclip: NDArray[np.float32] | None, m: MjModel, cam: MjvCamera) -> None:
    """Centre and extents of a camera's view at its near plane."""

def mjv_cameraInModel(headpos: NDArray[np.float64] | None, forward: NDArray[np.float64] | None, up: NDArray[np.float64] | None, scn: MjvScene) -> None:
    """Position and directions of a scene's camera in model coordinates."""

def mjv_cameraInRoom(headpos: NDArray[np.float64] | None, forward: NDArray[np.float64] | None, up: NDArray[np.float64] | None, scn: MjvScene) -> None:
    """Position and directions of a scene's camera in room coordinates."""

def mjv_connector(geom: MjvGeom, type: int, width: float, from_: ArrayLike, to: ArrayLike) -> None:
    """Sets type, size and pose of a shape so that it connects two points."""

def mjv_defaultCamera(cam: MjvCamera) -> None:
    """Sets a camera to its defaults."""

def mjv_defaultFigure(fig: MjvFigure) -> None:
    """Set default figure."""

def mjv_defaultFreeCamera(m: MjModel, cam: MjvCamera) -> None:
    """Sets a camera to the default view of a model."""

def mjv_defaultOption(opt: MjvOption) -> None:
    """Sets options to their defaults."""

def mjv_defaultPerturb(pert: MjvPerturb) -> None:
    """Sets a perturbation to its defaults."""

def mjv_frustumHeight(scn: MjvScene) -> float:
    """Height of the view of a scene's camera at unit distance."""

def mjv_initGeom(geom: MjvGeom, type: int, size: ArrayLike | None, pos: ArrayLike | None, mat: ArrayLike | None, rgba: ArrayLike | None) -> None:
    """Sets type, size, pose and colour of a shape, with defaults for `None`."""

def mjv_initPerturb(m: MjModel, d: MjData, scn: MjvScene, pert: MjvPerturb) -> None:
    """Begins a perturbation of the selected body."""

def mjv_makeLights(m: MjModel, d: MjData, scn: MjvScene) -> None:
    """Fills in the lights of a scene."""

def mjv_model2room(roompos: NDArray[np.float64], roomquat: NDArray[np.float64], modelpos: ArrayLike, modelquat: ArrayLike, scn: MjvScene) -> None:
    """A pose in the room from one in the model."""

def mjv_moveCamera(m: MjModel, action: int, reldx: float, reldy: float, scn: MjvScene, cam: MjvCamera) -> None:
    """Moves a camera with the mouse."""

def mjv_moveModel(m: MjModel, action: int, reldx: float, reldy: float, roomup: ArrayLike, scn: MjvScene) -> None:
    """Moves the model in the room."""

def mjv_movePerturb(m: MjModel, d: MjData, action: int, reldx: float, reldy: float, scn: MjvScene, pert: MjvPerturb) -> None:
    """Moves the reference of a perturbation."""

def mjv_room2model(modelpos: NDArray[np.float64], modelquat: NDArray[np.float64], roompos: ArrayLike, roomquat: ArrayLike, scn: MjvScene) -> None:
    """A pose in the model from one in the room."""

def mjv_select(m: MjModel, d: MjData, vopt: MjvOption, aspectratio: float, relx: float, rely: float, scn: MjvScene, selpnt: NDArray[np.float64], geomid: NDArray[np.int32], flexid: NDArray[np.int32], skinid: NDArray[np.int32]) -> int:
    """The body at a point of the image, or -1; writes the point and the ids found there."""

def mjv_updateCamera(m: MjModel, d: MjData, cam: MjvCamera, scn: MjvScene) -> None:
    """Updates the cameras of a scene."""

def mjv_updateScene(m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, cam: MjvCamera, catmask: int, scn: MjvScene) -> None:
    """Fills a scene with everything that is visible."""

def mjv_updateSkin(m: MjModel, d: MjData, scn: MjvScene) -> None:
    """Updates all skins of the groups that are shown by default."""

def set_mjcb_act_bias(callback: Callable[[MjModel, MjData, int], float] | None) -> None:
    """Sets the callback `f(m, d, actuator)` that returns the bias of a user actuator; None for no callback."""

def set_mjcb_act_dyn(callback: Callable[[MjModel, MjData, int], float] | None) -> None:
    """Sets the callback `f(m, d, actuator)` that returns the rate of a user activation; None for no callback."""

def set_mjcb_act_gain(callback: Callable[[MjModel, MjData, int], float] | None) -> None:
    """Sets the callback `f(m, d, actuator)` that returns the gain of a user actuator; None for no callback."""

def set_mjcb_contactfilter(callback: Callable[[MjModel, MjData, int, int], int] | None) -> None:
    """Sets the callback `f(m, d, geom1, geom2)` that returns 1 for geoms that do not collide, in place of their contact types; None for no callback."""

def set_mjcb_control(callback: Callable[[MjModel, MjData], object] | None) -> None:
    """Sets the callback `f(m, d)` that sets controls and applied forces; None for no callback."""

def set_mjcb_passive(callback: Callable[[MjModel, MjData], object] | None) -> None:
    """Sets the callback `f(m, d)` that adds to `qfrc_passive`; None for no callback."""

def set_mjcb_sensor(callback: Callable[[MjModel, MjData, int], object] | None) -> None:
    """Sets the callback `f(m, d, stage)` that writes the `sensordata` of user sensors; None for no callback."""

def set_mjcb_time(callback: Callable[[], float] | None) -> None:
    """Sets the callback `f()` that returns the time that stages are timed with; None for no callback."""

def set_mju_user_warning(callback: Callable[[str], object] | None) -> None:
    """Sets the function `f(message)` that receives warnings; None for Python's `warnings`."""

def step_strict(m: MjModel, d: MjData, nstep: int = ...) -> None:
    """Advances the simulation by a time step. Optionally, repeat nstep times. Raises `StepError` and leaves the state
unchanged where `mj_step` would warn and reset, and where constraint forces are not within the solver's tolerance."""
