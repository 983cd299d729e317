//! Copies values that a program has changed in a compiled model back to the specification.

use super::{Body, Geom, Joint, Orientation, Spec};
use crate::error::{Error, Result};
use sinew_engine::Model;
use sinew_engine::model::enums::{GeomType, JointType};

/// Copies changed values: for each field of an element, from the array of the model.
macro_rules! copy {
    ($change:expr, $e:expr, $i:expr; $($to:ident = $from:ident),* $(,)?) => {$(
        if $change.now.$from[$i] != $change.before.$from[$i] {
            $e.$to = $change.now.$from[$i].into();
        }
    )*};
}

/// Copies a changed pose. It is relative to the body, even if the element was in a frame.
macro_rules! place {
    ($change:expr, $e:expr, $i:expr; $pos:ident, $quat:ident) => {{
        let Change { before, now } = $change;
        if now.$pos[$i] != before.$pos[$i] || now.$quat[$i] != before.$quat[$i] {
            ($e.frame, $e.alt) = (None, Orientation::Quat);
            ($e.pos, $e.quat) = (now.$pos[$i], now.$quat[$i]);
        }
    }};
}

/// A model as compiled, and its current state.
#[derive(Clone, Copy)]
struct Change<'a> {
    before: &'a Model,
    now: &'a Model,
}

/// Number of elements of each kind already visited in the tree.
#[derive(Default)]
struct Count {
    body: usize,
    joint: usize,
    geom: usize,
    site: usize,
    camera: usize,
    light: usize,
}

impl Spec {
    /// Copies the values in which `now` differs from `before`, the model that this specification compiles to. Elements
    /// moved by compilation (mesh geoms, and whatever is fused or discarded) keep their poses.
    ///
    /// # Errors
    /// When the two models differ in structure from this specification.
    pub fn copy_back(&mut self, before: &Model, now: &Model) -> Result<()> {
        let sizes = |m: &Model| -> Vec<usize> { sinew_engine::Sizes::clone(m).list().iter().map(|s| s.1).collect() };
        if sizes(before) != sizes(now) || before.names != now.names {
            return Err(Error::invalid("the model is not the one that this specification compiles to"));
        }
        let change = Change { before, now };
        (self.option, self.visual) = (now.opt.clone(), now.vis.clone());
        self.statistics(change);
        let mut bodies = 0;
        self.world.each(&mut |_| bodies += 1);
        if bodies == now.nbody && !self.compilers[0].discardvisual {
            let degrees: Vec<bool> = self.compilers.iter().map(|c| c.degree).collect();
            let mut count = Count::default();
            self.world.each_mut(&mut |body| change.body(body, &mut count, &degrees));
        }
        self.lists(change);
        Ok(())
    }

    fn statistics(&mut self, change: Change<'_>) {
        let (before, now, own) = (&change.before.stat, &change.now.stat, &mut self.stat);
        for (slot, old, new) in [
            (&mut own.meaninertia, before.meaninertia, now.meaninertia),
            (&mut own.meanmass, before.meanmass, now.meanmass),
            (&mut own.meansize, before.meansize, now.meansize),
            (&mut own.extent, before.extent, now.extent),
        ] {
            if old != new {
                *slot = Some(new);
            }
        }
        if before.center != now.center {
            own.center = Some(now.center);
        }
    }

    /// Everything outside the tree.
    fn lists(&mut self, c: Change<'_>) {
        for (i, e) in self.materials.iter_mut().enumerate().take(c.now.nmat) {
            copy!(c, e, i; emission = mat_emission, specular = mat_specular, shininess = mat_shininess, rgba = mat_rgba,
                reflectance = mat_reflectance, metallic = mat_metallic, roughness = mat_roughness, texrepeat = mat_texrepeat);
        }
        // compilation sorts pairs, so that only a single one is known to match
        for (i, e) in self.pairs.iter_mut().enumerate().filter(|_| c.now.npair == 1) {
            copy!(c, e, i; friction = pair_friction, solref = pair_solref, solimp = pair_solimp, margin = pair_margin,
                gap = pair_gap, condim = pair_dim, solreffriction = pair_solreffriction);
        }
        for (i, e) in self.equalities.iter_mut().enumerate() {
            copy!(c, e, i; data = eq_data, solref = eq_solref, solimp = eq_solimp);
            e.active = c.now.eq_active0[i] != 0;
        }
        for (i, e) in self.tendons.iter_mut().enumerate() {
            copy!(c, e, i; range = tendon_range, margin = tendon_margin, stiffness = tendon_stiffness, rgba = tendon_rgba,
                damping = tendon_damping, frictionloss = tendon_frictionloss, armature = tendon_armature,
                width = tendon_width, springlength = tendon_lengthspring, solref_limit = tendon_solref_lim,
                solimp_limit = tendon_solimp_lim, solref_friction = tendon_solref_fri, solimp_friction = tendon_solimp_fri);
        }
        for (i, e) in self.actuators.iter_mut().enumerate() {
            copy!(c, e, i; dynprm = actuator_dynprm, gainprm = actuator_gainprm, biasprm = actuator_biasprm,
                ctrlrange = actuator_ctrlrange, forcerange = actuator_forcerange, actrange = actuator_actrange,
                lengthrange = actuator_lengthrange, gear = actuator_gear, cranklength = actuator_cranklength);
        }
        for (i, e) in self.sensors.iter_mut().enumerate() {
            copy!(c, e, i; cutoff = sensor_cutoff, noise = sensor_noise);
        }
        for (i, e) in self.numerics.iter_mut().enumerate() {
            let own = c.now.numeric_adr[i] as usize..(c.now.numeric_adr[i] + c.now.numeric_size[i]) as usize;
            if c.now.numeric_data[own.clone()] != c.before.numeric_data[own.clone()] {
                e.data = c.now.numeric_data[own].to_vec();
            }
        }
        self.key_vectors(c);
    }

    fn key_vectors(&mut self, c: Change<'_>) {
        let m = c.now;
        for (i, e) in self.keys.iter_mut().enumerate() {
            copy!(c, e, i; time = key_time);
            for (slot, before, now, n) in [
                (&mut e.qpos, &c.before.key_qpos, &m.key_qpos, m.nq),
                (&mut e.qvel, &c.before.key_qvel, &m.key_qvel, m.nv),
                (&mut e.act, &c.before.key_act, &m.key_act, m.na),
                (&mut e.ctrl, &c.before.key_ctrl, &m.key_ctrl, m.nu),
                (&mut e.mpos, &c.before.key_mpos, &m.key_mpos, 3 * m.nmocap),
                (&mut e.mquat, &c.before.key_mquat, &m.key_mquat, 4 * m.nmocap),
            ] {
                if before[i * n..][..n] != now[i * n..][..n] {
                    *slot = now[i * n..][..n].to_vec();
                }
            }
        }
    }
}

impl Change<'_> {
    fn body(self, body: &mut Body, count: &mut Count, degrees: &[bool]) {
        let i = count.body;
        count.body += 1;
        place!(self, body, i; body_pos, body_quat);
        copy!(self, body, i; gravcomp = body_gravcomp);
        let Change { before: b, now: n } = self;
        let moved = n.body_ipos[i] != b.body_ipos[i] || n.body_iquat[i] != b.body_iquat[i];
        if moved || n.body_mass[i] != b.body_mass[i] || n.body_inertia[i] != b.body_inertia[i] {
            (body.explicitinertial, body.fullinertia, body.ialt) = (true, None, Orientation::Quat);
            (body.ipos, body.iquat) = (Some(n.body_ipos[i]), n.body_iquat[i]);
            (body.mass, body.inertia) = (n.body_mass[i], n.body_inertia[i]);
        }
        for joint in &mut body.joints {
            let degree = degrees.get(joint.meta.compiler).copied().unwrap_or(true);
            self.joint(joint, count.joint, degree);
            count.joint += 1;
        }
        for geom in &mut body.geoms {
            self.geom(geom, count.geom);
            count.geom += 1;
        }
        for site in &mut body.sites {
            place!(self, site, count.site; site_pos, site_quat);
            copy!(self, site, count.site; size = site_size, rgba = site_rgba, group = site_group);
            count.site += 1;
        }
        for camera in &mut body.cameras {
            place!(self, camera, count.camera; cam_pos, cam_quat);
            copy!(self, camera, count.camera; fovy = cam_fovy, ipd = cam_ipd, resolution = cam_resolution);
            count.camera += 1;
        }
        for light in &mut body.lights {
            let i = count.light;
            if n.light_pos[i] != b.light_pos[i] || n.light_dir[i] != b.light_dir[i] {
                (light.frame, light.pos, light.dir) = (None, n.light_pos[i], n.light_dir[i]);
            }
            copy!(self, light, i; attenuation = light_attenuation, cutoff = light_cutoff, exponent = light_exponent,
                ambient = light_ambient, diffuse = light_diffuse, specular = light_specular);
            count.light += 1;
        }
    }

    fn joint(self, joint: &mut Joint, i: usize, degree: bool) {
        let Change { before: b, now: n } = self;
        let turns = matches!(joint.kind, JointType::Hinge | JointType::Ball) && degree;
        let shown = |x: f64| if turns { x.to_degrees() } else { x };
        copy!(self, joint, i; stiffness = jnt_stiffness, margin = jnt_margin, solref_limit = jnt_solref,
            solimp_limit = jnt_solimp, actfrcrange = jnt_actfrcrange, group = jnt_group);
        if n.jnt_range[i] != b.jnt_range[i] {
            joint.range = n.jnt_range[i].map(shown);
        }
        if n.jnt_pos[i] != b.jnt_pos[i] || n.jnt_axis[i] != b.jnt_axis[i] {
            (joint.frame, joint.pos, joint.axis) = (None, n.jnt_pos[i], n.jnt_axis[i]);
        }
        let dof = n.jnt_dofadr[i] as usize;
        copy!(self, joint, dof; armature = dof_armature, damping = dof_damping, frictionloss = dof_frictionloss,
            solref_friction = dof_solref, solimp_friction = dof_solimp);
        if matches!(joint.kind, JointType::Hinge | JointType::Slide) {
            let q = n.jnt_qposadr[i] as usize;
            if n.qpos0[q] != b.qpos0[q] {
                joint.ref_ = shown(n.qpos0[q]);
            }
            if n.qpos_spring[q] != b.qpos_spring[q] {
                joint.springref = shown(n.qpos_spring[q]);
            }
        }
    }

    fn geom(self, geom: &mut Geom, i: usize) {
        let Change { before: b, now: n } = self;
        copy!(self, geom, i; friction = geom_friction, solmix = geom_solmix, solref = geom_solref, solimp = geom_solimp,
            margin = geom_margin, gap = geom_gap, rgba = geom_rgba, contype = geom_contype, condim = geom_condim,
            conaffinity = geom_conaffinity, priority = geom_priority, group = geom_group);
        let moved = n.geom_pos[i] != b.geom_pos[i] || n.geom_quat[i] != b.geom_quat[i];
        let plain = geom.meshname.is_empty() && !matches!(geom.kind, GeomType::Mesh | GeomType::Sdf | GeomType::Hfield);
        if plain && (moved || n.geom_size[i] != b.geom_size[i]) {
            // the end points no longer apply
            (geom.fromto, geom.frame, geom.alt) = (None, None, Orientation::Quat);
            (geom.pos, geom.quat, geom.size) = (n.geom_pos[i], n.geom_quat[i], n.geom_size[i]);
        }
    }
}
