//! Custom texts that request physics beyond MuJoCo.

use crate::error::{Error, Result};
use crate::schema::attr;
use crate::spec::Spec;
use sinew_engine::Model;
use sinew_engine::model::enums::Integrator;
use sinew_engine::solver::ConstraintSolver;

/// Reads the `sinew:` texts of a model whose arrays are filled; elastic moduli of flexes are derived from its
/// constants.
pub(crate) fn read(spec: &Spec, m: &mut Model) -> Result<()> {
    let at = |text: usize| spec.texts.get(text).map(|text| text.meta.loc).unwrap_or_default();
    let named = |name: &str| spec.texts.iter().position(|text| text.meta.name == name);
    m.read_extension()
        .map_err(|e| Error::invalid(e.message).hint(e.advice).at(at(e.text)).element("text").attribute(attr::DATA))?;
    if named("sinew:integrator").is_some() {
        m.opt.integrator = Integrator::Implicitspringdamper;
    }
    if let (Some(text), Some(solver)) = (named("sinew:solver"), m.extension().solver) {
        solver.check(m).map_err(|e| Error::invalid(e).at(at(text)).element("text").attribute(attr::DATA))?;
    }
    Ok(())
}
