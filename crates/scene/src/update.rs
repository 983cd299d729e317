//! The complete scene update, kind by kind in MuJoCo's order.

use crate::camera::update_camera;
use crate::draw::Draw;
use crate::flex::update_flexes;
use crate::lights::make_lights;
use crate::scene::Scene;
use crate::skin::update_skins;
use crate::{Result, kind};
use sinew_engine::model::enums::{CatBits, VisFlag};
use sinew_engine::view::{Camera, Perturb, ViewOptions};
use sinew_engine::{Data, Model};

/// Fills a scene with everything to be shown. Moves a tracking camera. Sets the scene's `status` to 1 if there is no
/// capacity for all shapes.
///
/// # Errors
/// A camera that the model does not have.
#[doc(alias = "mjv_updateScene")]
pub fn update(
    m: &Model,
    d: &Data,
    opt: &ViewOptions,
    pert: Option<&Perturb>,
    cam: &mut Camera,
    cats: CatBits,
    scene: &mut Scene,
) -> Result<()> {
    scene.ngeom = 0;
    scene.status = 0;
    add_geoms(m, d, opt, pert, cats, scene);
    update_camera(m, d, cam, scene)?;
    make_lights(m, d, scene)?;
    let flexes = [VisFlag::Flexvert, VisFlag::Flexedge, VisFlag::Flexface, VisFlag::Flexskin];
    if flexes.iter().any(|f| opt.shows(*f)) {
        update_flexes(m, d, opt, scene);
    }
    if opt.shows(VisFlag::Skin) {
        update_skins(m, d, opt, scene);
    }
    Ok(())
}

/// Adds the shapes of some categories to a scene.
#[doc(alias = "mjv_addGeoms")]
pub fn add_geoms(m: &Model, d: &Data, opt: &ViewOptions, pert: Option<&Perturb>, cats: CatBits, scene: &mut Scene) {
    let nothing = Perturb::default();
    let draw = &mut Draw::new(m, d, opt, pert.unwrap_or(&nothing), cats, scene);
    kind::flexes(draw);
    kind::skins(draw);
    kind::geoms(draw);
    kind::sites(draw);
    kind::tendons(draw);
    kind::slider_cranks(draw);
    if !draw.cats.contains(CatBits::DECOR) {
        return;
    }
    kind::geom_frames(draw);
    kind::site_frames(draw);
    kind::body_volumes(draw);
    kind::flex_volumes(draw);
    kind::mesh_volumes(draw);
    kind::mesh_cells(draw);
    kind::tactile(draw);
    kind::inertia(draw);
    kind::perturbation(draw);
    kind::body_frames(draw);
    kind::selected_point(draw);
    kind::body_labels(draw);
    kind::joints(draw);
    kind::actuators(draw);
    kind::island_labels(draw);
    kind::cameras(draw);
    kind::lights(draw);
    kind::mass_centres(draw);
    kind::connections(draw);
    kind::rays(draw);
    kind::applied_forces(draw);
    kind::equalities(draw);
    kind::contacts(draw);
}
