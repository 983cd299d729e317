//! The plugin instances of a model.

use super::{Config, Field, Instance, PluginCapabilities, PluginError, Registry};
use crate::model::Model;
use crate::model::enums::Stage;
use std::sync::Arc;

/// A plugin instance of a model.
#[derive(Debug)]
pub struct Bound {
    /// Name of the plugin.
    pub plugin: String,
    /// What the plugin computes.
    pub capabilities: PluginCapabilities,
    /// Stage whose results its sensors need.
    pub needstage: Stage,
    /// The instance itself.
    pub object: Box<dyn Instance>,
    /// Its signed distances, if it has some.
    pub field: Option<Box<dyn Field>>,
}

/// Why a model has plugin instances that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("plugin instance {instance}: {error}")]
pub struct UnboundPlugin {
    /// The instance.
    pub instance: usize,
    /// What is wrong with it.
    pub error: PluginError,
}

/// All plugin instances of a model, in the order of its arrays. Copies of a model share them.
#[derive(Clone, Debug, Default)]
pub struct Plugins(Option<Arc<[Bound]>>);

impl Plugins {
    /// The instances.
    #[inline]
    pub fn list(&self) -> &[Bound] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Instances that compute something of a kind.
    #[inline]
    pub fn that(&self, capability: PluginCapabilities) -> impl Iterator<Item = (usize, &Bound)> {
        self.list().iter().enumerate().filter(move |(_, bound)| bound.capabilities.contains(capability))
    }

    /// Signed distances of an instance.
    #[inline]
    pub fn field(&self, instance: usize) -> Option<&dyn Field> {
        self.list().get(instance)?.field.as_deref()
    }
}

impl Model {
    /// Makes the plugin instances anew, from the present values of the model. Whoever has changed what plugins look at
    /// when they are made (sizes of a cable's geoms, texts in `plugin_attr`) calls this.
    ///
    /// # Errors
    /// [`UnboundPlugin`]: one of them is not registered, or not satisfied. The former instances are then kept.
    #[doc(alias = "mj_initPlugin")]
    pub fn bind_plugins(&mut self, registry: &Registry) -> Result<(), UnboundPlugin> {
        let bound: Result<Vec<Bound>, UnboundPlugin> = (0..self.nplugin)
            .map(|instance| self.bind(registry, instance).map_err(|error| UnboundPlugin { instance, error }))
            .collect();
        let bound = bound?;
        self.plugins = Plugins((!bound.is_empty()).then(|| bound.into()));
        Ok(())
    }

    fn bind(&self, registry: &Registry, instance: usize) -> Result<Bound, PluginError> {
        let slot = self.plugin[instance];
        let plugin = usize::try_from(slot).ok().and_then(|slot| registry.get(slot)).ok_or_else(|| {
            PluginError::new(format!("no plugin is registered in slot {slot}"))
                .hint("register the same plugins, in the same order, as when the model was compiled")
        })?;
        let texts = usize::try_from(self.plugin_attradr[instance]).ok().and_then(|adr| self.plugin_attr.get(adr..));
        let config = Config::from_texts(&plugin.attributes(), texts.unwrap_or_default());
        let capabilities = plugin.capabilities();
        let field = if capabilities.contains(PluginCapabilities::SDF) { Some(plugin.field(&config)?) } else { None };
        let object = plugin.bind(self, instance, &config)?;
        Ok(Bound { plugin: plugin.name().into(), capabilities, needstage: plugin.needstage(), object, field })
    }

    /// The plugin instances.
    pub fn plugins(&self) -> &Plugins {
        &self.plugins
    }
}
