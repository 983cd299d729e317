//! Registry of the plugins that a model may use.

use super::{Plugin, cable, pid, sdf, touch_grid};
use std::sync::Arc;

/// A plugin that cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is a plugin '{0}' already")]
pub struct RegisterError(pub String);

/// Plugins by name. The slot of a plugin is its index in order of registration.
#[derive(Clone, Debug)]
pub struct Registry {
    list: Vec<Arc<dyn Plugin>>,
}

impl Default for Registry {
    fn default() -> Self {
        Self::builtin()
    }
}

impl Registry {
    /// A registry without plugins.
    pub fn empty() -> Self {
        Registry { list: Vec::new() }
    }

    /// The plugins that come with MuJoCo.
    pub fn builtin() -> Self {
        Registry {
            list: vec![
                Arc::new(pid::Kind),
                Arc::new(cable::Kind),
                Arc::new(touch_grid::Kind),
                Arc::new(sdf::bolt::KIND),
                Arc::new(sdf::bowl::KIND),
                Arc::new(sdf::gear::KIND),
                Arc::new(sdf::nut::KIND),
                Arc::new(sdf::torus::KIND),
            ],
        }
    }

    /// Adds a plugin.
    ///
    /// # Errors
    /// [`RegisterError`] if there is already one with its name.
    #[doc(alias = "mjp_registerPlugin")]
    pub fn register(&mut self, plugin: Arc<dyn Plugin>) -> Result<(), RegisterError> {
        match self.find(plugin.name()) {
            Some(_) => Err(RegisterError(plugin.name().into())),
            None => {
                self.list.push(plugin);
                Ok(())
            }
        }
    }

    /// Slot of a plugin, and the plugin.
    #[doc(alias = "mjp_getPlugin")]
    pub fn find(&self, name: &str) -> Option<(usize, &Arc<dyn Plugin>)> {
        self.list.iter().enumerate().find(|(_, plugin)| plugin.name() == name)
    }

    /// The plugin in a slot.
    #[doc(alias = "mjp_getPluginAtSlot")]
    pub fn get(&self, slot: usize) -> Option<&Arc<dyn Plugin>> {
        self.list.get(slot)
    }

    /// Names of all plugins, by slot.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|plugin| plugin.name())
    }

    /// Number of plugins.
    #[doc(alias = "mjp_pluginCount")]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are no plugins.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
