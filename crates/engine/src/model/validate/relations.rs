//! Integers whose meaning depends on another field.

use super::{Check, ensure, ensure_index};
use crate::model::Model;
use crate::model::enums::{EqType, GeomType, ObjType, SensorType, TrnType, WrapType};
use crate::model::sensors::{CONTACT_FIELDS, RAY_FIELDS, selected};

pub(super) fn check(m: &Model) -> Check {
    joints(m)?;
    geoms(m)?;
    (0..m.neq).try_for_each(|i| equality(m, i))?;
    (0..m.ntendon).try_for_each(|i| tendon(m, i))?;
    (0..m.nu).try_for_each(|i| actuator(m, i))?;
    moments(m)?;
    (0..m.nsensor).try_for_each(|i| sensor(m, i))?;
    (0..m.ntupledata).try_for_each(|i| match count(m, m.tuple_objtype(i)) {
        Some(end) => ensure_index("tuple_objid", i, m.tuple_objid[i], end, false),
        None => Ok(()),
    })?;
    let end = m.names.last().copied().unwrap_or(0).into();
    ensure(end == 0, "names", m.nnames.saturating_sub(1), end, || "a terminator".into())
}

/// Number of elements of a type; `None` for types without elements.
fn count(m: &Model, obj: ObjType) -> Option<usize> {
    Some(match obj {
        ObjType::Body | ObjType::Xbody => m.nbody,
        ObjType::Joint => m.njnt,
        ObjType::Dof => m.nv,
        ObjType::Geom => m.ngeom,
        ObjType::Site => m.nsite,
        ObjType::Camera => m.ncam,
        ObjType::Light => m.nlight,
        ObjType::Flex => m.nflex,
        ObjType::Mesh => m.nmesh,
        ObjType::Skin => m.nskin,
        ObjType::Hfield => m.nhfield,
        ObjType::Texture => m.ntex,
        ObjType::Material => m.nmat,
        ObjType::Pair => m.npair,
        ObjType::Exclude => m.nexclude,
        ObjType::Equality => m.neq,
        ObjType::Tendon => m.ntendon,
        ObjType::Actuator => m.nu,
        ObjType::Sensor => m.nsensor,
        ObjType::Numeric => m.nnumeric,
        ObjType::Text => m.ntext,
        ObjType::Tuple => m.ntuple,
        ObjType::Key => m.nkey,
        ObjType::Plugin => m.nplugin,
        _ => return None,
    })
}

fn joints(m: &Model) -> Check {
    for i in 0..m.njnt {
        let kind = m.jnt_type(i);
        let fits = |start: i32, count: usize, end: usize| start as usize + count <= end;
        let (q, v) = (m.jnt_qposadr[i], m.jnt_dofadr[i]);
        ensure(fits(q, kind.coordinates(), m.nq), "jnt_qposadr", i, q, || format!("room for {kind:?} in {}", m.nq))?;
        ensure(fits(v, kind.dofs(), m.nv), "jnt_dofadr", i, v, || format!("room for {kind:?} in {}", m.nv))?;
    }
    Ok(())
}

fn geoms(m: &Model) -> Check {
    for i in 0..m.ngeom {
        let (kind, data) = (m.geom_type(i), m.geom_dataid[i]);
        ensure(kind <= GeomType::Sdf, "geom_type", i, kind as i32, || "a shape that collides".into())?;
        match kind {
            GeomType::Mesh | GeomType::Sdf => ensure_index("geom_dataid", i, data, m.nmesh, false)?,
            GeomType::Hfield => ensure_index("geom_dataid", i, data, m.nhfield, false)?,
            _ => ensure_index("geom_dataid", i, data, m.nmesh, true)?,
        }
    }
    for (field, values) in [("geom_condim", &m.geom_condim), ("pair_dim", &m.pair_dim)] {
        for (i, &v) in values.iter().enumerate() {
            ensure([1, 3, 4, 6].contains(&v), field, i, v, || "1, 3, 4 or 6".into())?;
        }
    }
    for (i, &v) in m.flex_condim.iter().enumerate() {
        ensure((1..=6).contains(&v), "flex_condim", i, v, || "1 to 6".into())?;
    }
    for (field, values) in [("hfield_nrow", &m.hfield_nrow), ("hfield_ncol", &m.hfield_ncol)] {
        for (i, &v) in values.iter().enumerate() {
            ensure(v >= 1, field, i, v, || "at least 1".into())?;
        }
    }
    for i in 0..m.nhfield {
        let cells = i64::from(m.hfield_nrow[i]) * i64::from(m.hfield_ncol[i]);
        let size = m.nhfielddata as i64;
        ensure(cells <= size, "hfield_ncol", i, m.hfield_ncol[i], || format!("a grid of at most {size} points"))?;
        let good = i64::from(m.hfield_adr[i]) + cells <= m.nhfielddata as i64;
        ensure(good, "hfield_adr", i, m.hfield_adr[i], || format!("the start of {cells} among {}", m.nhfielddata))?;
    }
    for i in 0..m.ntex {
        let bytes = [m.tex_height[i], m.tex_width[i], m.tex_nchannel[i]].into_iter().map(i128::from).product::<i128>();
        let adr = m.tex_adr[i];
        let good = adr >= 0 && i128::from(adr) + bytes <= m.ntexdata as i128;
        ensure(good, "tex_adr", i, adr as i32, || format!("the start of {bytes} among {}", m.ntexdata))?;
    }
    Ok(())
}

fn equality(m: &Model, i: usize) -> Check {
    let (end, or_none) = match (m.eq_type(i), m.eq_objtype(i)) {
        (EqType::Connect | EqType::Weld, ObjType::Body) => (m.nbody, false),
        (EqType::Connect | EqType::Weld, ObjType::Site) => (m.nsite, false),
        (EqType::Connect | EqType::Weld, other) => {
            return ensure(false, "eq_objtype", i, other as i32, || "a body or a site".into());
        }
        (EqType::Joint, _) => (m.njnt, true),
        (EqType::Tendon, _) => (m.ntendon, true),
        (EqType::Flex | EqType::Flexvert | EqType::Distance, _) => (m.nflex, true),
    };
    ensure_index("eq_obj1id", i, m.eq_obj1id[i], end, false)?;
    ensure_index("eq_obj2id", i, m.eq_obj2id[i], end, or_none)
}

fn tendon(m: &Model, i: usize) -> Check {
    let trees = m.tendon_treenum[i];
    ensure(trees as usize <= m.ntree, "tendon_treenum", i, trees, || format!("at most {}", m.ntree))?;
    // a path has a last element
    ensure(m.tendon_num[i] > 0, "tendon_num", i, m.tendon_num[i], || "at least 1".into())?;
    let start = m.tendon_adr[i].max(0) as usize;
    let path = start..start + m.tendon_num[i] as usize;
    let is_site = |w: usize| path.contains(&w) && m.wrap_type(w) == WrapType::Site;
    let first = path.clone().next().map(|w| m.wrap_type(w));
    for w in path.clone() {
        let (kind, id) = (m.wrap_type(w), m.wrap_objid[w]);
        let fixed = kind == WrapType::Joint;
        ensure(fixed == (first == Some(WrapType::Joint)), "wrap_type", w, kind as i32, || {
            "joints only, or no joints, in a tendon".into()
        })?;
        match kind {
            WrapType::Joint => ensure_index("wrap_objid", w, id, m.njnt, false)?,
            WrapType::Site => ensure_index("wrap_objid", w, id, m.nsite, false)?,
            WrapType::Sphere | WrapType::Cylinder => {
                ensure_index("wrap_objid", w, id, m.ngeom, false)?;
                let between = w > 0 && is_site(w - 1) && is_site(w + 1);
                ensure(between, "wrap_type", w, kind as i32, || "a geom between two sites".into())?;
                ensure_index("wrap_prm", w, m.wrap_prm[w] as i32, m.nsite, true)?;
            }
            WrapType::Pulley | WrapType::None => {}
        }
    }
    Ok(())
}

fn actuator(m: &Model, i: usize) -> Check {
    let [id, other] = m.actuator_trnid[i];
    let kind = m.actuator_trntype(i);
    let end = match kind {
        TrnType::Joint | TrnType::Jointinparent => m.njnt,
        TrnType::Slidercrank | TrnType::Site => m.nsite,
        TrnType::Tendon => m.ntendon,
        TrnType::Body => m.nbody,
        TrnType::Undefined => return ensure(false, "actuator_trntype", i, kind as i32, || "a transmission".into()),
    };
    ensure_index("actuator_trnid", 2 * i, id, end, false)?;
    match kind {
        TrnType::Slidercrank => ensure_index("actuator_trnid", 2 * i + 1, other, m.nsite, false)?,
        TrnType::Site => ensure_index("actuator_trnid", 2 * i + 1, other, m.nsite, true)?,
        _ => {}
    }
    history(m, "actuator_historyadr", i, m.actuator_historyadr[i], m.actuator_history[i][0], 1)
}

/// The moments of all actuators fit into `nJmom`.
fn moments(m: &Model) -> Check {
    let row = |i: usize| match (m.actuator_trntype(i), m.actuator_trnid[i][0] as usize) {
        (TrnType::Joint | TrnType::Jointinparent, joint) => m.jnt_type(joint).dofs(),
        _ => m.nv,
    };
    let mut left = m.nJmom;
    for i in 0..m.nu {
        let need = row(i);
        ensure(need <= left, "actuator_trntype", i, m.actuator_trntype[i], || {
            format!("a transmission with at most {left} moments, as nJmom allows")
        })?;
        left -= need;
    }
    Ok(())
}

/// A buffer with two leading values, then `n` samples of `dim` values, each with its time.
fn history(m: &Model, field: &'static str, i: usize, adr: i32, n: i32, dim: usize) -> Check {
    let len = if n > 0 { 2 + n as u64 * (1 + dim as u64) } else { 0 };
    let good = len == 0 || u64::try_from(adr).is_ok_and(|adr| adr + len <= m.nhistory as u64);
    ensure(good, field, i, adr, || format!("the start of {len} among {}", m.nhistory))
}

fn sensor(m: &Model, i: usize) -> Check {
    let (kind, obj, id) = (m.sensor_type(i), m.sensor_objtype(i), m.sensor_objid[i]);
    let (reftype, refid) = (m.sensor_reftype(i), m.sensor_refid[i]);
    let (objects, references) = sensed(kind);
    ensure(objects.is_empty() || objects.contains(&obj), "sensor_objtype", i, obj as i32, || {
        format!("for {kind:?} one of {objects:?}")
    })?;
    ensure(references.is_empty() || references.contains(&reftype), "sensor_reftype", i, reftype as i32, || {
        format!("for {kind:?} one of {references:?}")
    })?;
    if let Some(end) = count(m, obj) {
        ensure_index("sensor_objid", i, id, end, kind == SensorType::User)?;
    }
    if let Some(end) = count(m, reftype) {
        ensure_index("sensor_refid", i, refid, end, references.is_empty())?;
    }
    let dim = outputs(m, i);
    let found = m.sensor_dim[i];
    ensure(dim.is_none_or(|dim| dim as i64 == i64::from(found)), "sensor_dim", i, found, || {
        format!("{} outputs of {kind:?}", dim.unwrap_or(0))
    })?;
    history(m, "sensor_historyadr", i, m.sensor_historyadr[i], m.sensor_history[i][0], found as usize)
}

/// Types of the objects that a sensor may sense and refer to; empty for any type.
fn sensed(kind: SensorType) -> (&'static [ObjType], &'static [ObjType]) {
    use ObjType as O;
    use SensorType::*;
    const FRAMES: &[O] = &[O::Body, O::Xbody, O::Geom, O::Site, O::Camera];
    match kind {
        Touch | Accelerometer | Velocimeter | Gyro | Force | Torque | Magnetometer => (&[O::Site], &[]),
        Rangefinder => (&[O::Site, O::Camera], &[]),
        Camprojection => (&[O::Site], &[O::Camera]),
        Jointpos | Jointvel | Jointactfrc | Ballquat | Ballangvel | Jointlimitpos | Jointlimitvel | Jointlimitfrc => {
            (&[O::Joint], &[])
        }
        Tendonpos | Tendonvel | Tendonactfrc | Tendonlimitpos | Tendonlimitvel | Tendonlimitfrc => (&[O::Tendon], &[]),
        Actuatorpos | Actuatorvel | Actuatorfrc => (&[O::Actuator], &[]),
        Framepos | Framequat | Framexaxis | Frameyaxis | Framezaxis | Framelinvel | Frameangvel | Framelinacc
        | Frameangacc => (FRAMES, &[]),
        Subtreecom | Subtreelinvel | Subtreeangmom => (&[O::Body], &[]),
        Insidesite => (FRAMES, &[O::Site]),
        Geomdist | Geomnormal | Geomfromto => (&[O::Body, O::Geom], &[O::Body, O::Geom]),
        Tactile => (&[O::Mesh], &[O::Geom]),
        Contact | EPotential | EKinetic | Clock | Plugin | User => (&[], &[]),
    }
}

/// Number of outputs of a sensor; `None` if any number is valid.
fn outputs(m: &Model, i: usize) -> Option<usize> {
    let [fields, _, num] = m.sensor_intprm[i];
    let id = m.sensor_objid[i].max(0) as usize;
    match m.sensor_type(i) {
        SensorType::Contact => Some(num.max(0) as usize * selected(&CONTACT_FIELDS, fields)),
        SensorType::Tactile => Some(3 * m.mesh_vertnum[id] as usize),
        SensorType::Rangefinder if m.sensor_objtype(i) == ObjType::Camera => {
            let [width, height] = m.cam_resolution[id].map(|n| n.max(0) as usize);
            Some(width * height * selected(&RAY_FIELDS, fields))
        }
        SensorType::Rangefinder => Some(selected(&RAY_FIELDS, fields)),
        kind => kind.outputs(),
    }
}
