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
    /// Capabilities of the plugin.
    pub capabilities: PluginCapabilities,
    /// Stage whose results its sensors need.
    pub needstage: Stage,
    /// The instance itself.
    pub object: Box<dyn Instance>,
    /// Its signed distance field, if it has one.
    pub field: Option<Box<dyn Field>>,
}

/// A plugin instance of a model that cannot be created.
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

    /// Instances with a capability.
    #[inline]
    pub fn that(&self, capability: PluginCapabilities) -> impl Iterator<Item = (usize, &Bound)> {
        self.list().iter().enumerate().filter(move |(_, bound)| bound.capabilities.contains(capability))
    }

    /// Signed distance field of an instance.
    #[inline]
    pub fn field(&self, instance: usize) -> Option<&dyn Field> {
        self.list().get(instance)?.field.as_deref()
    }
}

impl Model {
    /// Recreates the plugin instances from the current values of the model. Call this after changing values that
    /// plugins read on creation (sizes of a cable's geoms, texts in `plugin_attr`).
    ///
    /// # Errors
    /// [`UnboundPlugin`]: a plugin is not registered, or rejects the instance. The previous instances are then kept.
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
