//! View of a simulation: camera, options, selection, and visible shapes.

use crate::command::{Command, index, mouse};
use sinew_engine::model::enums::{CameraType, CatBits, PertBits};
use sinew_engine::{Data, Model};
use sinew_scene::{
    Camera, Perturb, Picked, Scene, Shape, View, ViewOptions, free_camera, init_perturb, move_camera, move_perturb,
    select, update,
};

/// Capacity of the scene, in shapes.
const ROOM: usize = 10_000;

/// The state of a view.
#[derive(Clone, Debug)]
pub struct Look {
    /// The camera.
    pub cam: Camera,
    /// Visualisation options.
    pub opt: ViewOptions,
    /// The selected body and its perturbation.
    pub pert: Perturb,
    /// Visible shapes; `flags` are rendering options.
    pub scene: Scene,
    /// Shapes of the user, added to those of the model.
    pub user: Vec<Shape>,
}

impl Look {
    /// The initial view of a model.
    pub fn new(m: &Model) -> Self {
        let mut cam = free_camera(m);
        if index(m.vis.global.cameraid.into()).is_some_and(|id| id < m.ncam) {
            (cam.r#type, cam.fixedcamid) = (CameraType::Fixed as i32, m.vis.global.cameraid);
        }
        Look {
            cam,
            opt: ViewOptions::default(),
            pert: Perturb::default(),
            scene: Scene::new(Some(m), ROOM),
            user: Vec::new(),
        }
    }

    /// Updates the scene from the present state.
    ///
    /// # Errors
    /// The model does not have the selected camera.
    pub fn update(&mut self, m: &Model, d: &Data) -> sinew_scene::Result<()> {
        update(m, d, &self.opt, Some(&self.pert), &mut self.cam, CatBits::ALL, &mut self.scene)?;
        self.user.iter().for_each(|shape| self.scene.push(*shape));
        Ok(())
    }

    /// Executes a command that concerns the view; returns false for others. Commands for things that the model does not
    /// have are ignored.
    pub fn apply(&mut self, m: &Model, d: &Data, command: Command) -> bool {
        match command {
            Command::MoveCamera([action, dx, dy]) => {
                // an action without effect on this camera is not an error
                mouse(action).map(|action| move_camera(m, action, dx, dy, &self.scene, &mut self.cam));
            }
            Command::CameraKind([kind, id]) => self.set_camera(m, kind, id),
            Command::FreeCamera([]) => self.cam = free_camera(m),
            Command::Select(at) => self.pick(m, d, at, Self::select),
            Command::LookAt(at) => self.pick(m, d, at, |look, _, _, picked| look.cam.lookat = picked.point),
            Command::Track(at) => self.pick(m, d, at, |look, m, _, picked| {
                look.set_camera(m, f64::from(CameraType::Tracking as i32), picked.body as f64);
            }),
            Command::SelectBody([id]) => {
                let body = index(id).filter(|b| *b < m.nbody).unwrap_or(0);
                self.select(m, d, Picked { body, point: d.pose.xpos[body], geom: None, flex: None, skin: None });
            }
            Command::StartPush([bits]) => self.start_push(m, d, bits),
            Command::MovePush([action, dx, dy]) if self.pert.active != 0 => {
                mouse(action).map(|action| move_perturb(m, d, action, dx, dy, &self.scene, &mut self.pert));
            }
            Command::MovePush(_) => {}
            Command::EndPush([]) => self.pert.active = 0,
            _ => return self.option(command),
        }
        true
    }

    /// Executes a command that changes the options.
    fn option(&mut self, command: Command) -> bool {
        let set = |flags: &mut [u8], id: f64, on: f64| {
            if let Some(flag) = index(id).and_then(|i| flags.get_mut(i)) {
                *flag = u8::from(on != 0.0);
            }
        };
        let opt = &mut self.opt;
        match command {
            Command::Flag([id, on]) => set(&mut opt.flags, id, on),
            Command::Drawing([id, on]) => set(&mut self.scene.flags, id, on),
            Command::Group([kind, id, on]) => {
                let mut groups = [
                    &mut opt.geomgroup,
                    &mut opt.sitegroup,
                    &mut opt.jointgroup,
                    &mut opt.tendongroup,
                    &mut opt.actuatorgroup,
                    &mut opt.flexgroup,
                    &mut opt.skingroup,
                ];
                if let Some(group) = index(kind).and_then(|k| groups.get_mut(k)) {
                    set(*group, id, on);
                }
            }
            Command::Label([kind]) => opt.label = index(kind).unwrap_or(0) as i32,
            Command::Frame([kind]) => opt.frame = index(kind).unwrap_or(0) as i32,
            Command::BvhDepth([level]) => opt.bvh_depth = index(level).unwrap_or(0) as i32,
            Command::FlexLayer([layer]) => opt.flex_layer = index(layer).unwrap_or(0) as i32,
            _ => return false,
        }
        true
    }

    /// Uses the object at a point of the view; if there is none, nothing is selected.
    fn pick(
        &mut self,
        m: &Model,
        d: &Data,
        [x, y, aspect]: [f64; 3],
        then: impl FnOnce(&mut Self, &Model, &Data, Picked),
    ) {
        match select(m, d, &self.opt, View { aspect, x, y }, &self.scene) {
            Ok(Some(picked)) => then(self, m, d, picked),
            Ok(None) => (self.pert.select, self.pert.flexselect, self.pert.skinselect) = (0, -1, -1),
            Err(_) => {} // the scene is still empty
        }
    }

    fn select(&mut self, _: &Model, d: &Data, picked: Picked) {
        let id = |of: Option<usize>| of.map_or(-1, |i| i as i32);
        let (pos, mat) = (d.pose.xpos[picked.body], d.pose.xmat[picked.body]);
        let away: [f64; 3] = std::array::from_fn(|k| picked.point[k] - pos[k]);
        self.pert = Perturb {
            select: picked.body as i32,
            flexselect: id(picked.flex),
            skinselect: id(picked.skin),
            localpos: std::array::from_fn(|k| (0..3).map(|i| mat[3 * i + k] * away[i]).sum()),
            ..Perturb::default()
        };
    }

    fn start_push(&mut self, m: &Model, d: &Data, bits: f64) {
        if self.pert.select <= 0 || self.pert.select as usize >= m.nbody {
            return;
        }
        if init_perturb(m, d, &self.scene, &mut self.pert).is_ok() {
            self.pert.active = PertBits::from_bits_truncate(index(bits).unwrap_or(0) as i32).bits();
        }
    }

    fn set_camera(&mut self, m: &Model, kind: f64, id: f64) {
        let (kind, id) = (index(kind).unwrap_or(0) as i32, index(id));
        if kind == CameraType::Free as i32 {
            self.cam.r#type = kind;
        } else if let Some(body) = id.filter(|b| kind == CameraType::Tracking as i32 && *b < m.nbody) {
            (self.cam.r#type, self.cam.trackbodyid) = (kind, body as i32);
        } else if let Some(cam) = id.filter(|c| kind == CameraType::Fixed as i32 && *c < m.ncam) {
            (self.cam.r#type, self.cam.fixedcamid) = (kind, cam as i32);
        }
    }
}
