//! `extension`, and the `plugin` children of other elements.

use super::Reader;
use crate::error::{Error, ErrorKind, Result, gather};
use crate::schema::{Item, attr};
use crate::spec::{PluginInstance, PluginUse, Setting};

/// Plugins that MuJoCo has removed, and what to write instead.
const GONE: [(&str, &str); 4] = [
    ("mujoco.sdf.sdflib", "remove it: a geom of type \"sdf\" takes its distances from its mesh"),
    ("mujoco.elasticity.solid", "use the 'elasticity' element of a flexcomp"),
    ("mujoco.elasticity.membrane", "use the 'elasticity' element of a flexcomp"),
    ("mujoco.elasticity.shell", "use the 'elasticity' element of a flexcomp"),
];

impl Reader<'_, '_> {
    pub(super) fn extension(&mut self, section: &Item) -> Result<()> {
        self.each(section, Self::declaration)
    }

    /// Reads a plugin that the model declares, with its named instances.
    fn declaration(&mut self, item: &Item) -> Result<()> {
        let name = item.text(attr::PLUGIN);
        if self.spec.registry.find(name).is_none() {
            return Err(self.unknown_plugin(item, name));
        }
        if !self.spec.active_plugins.iter().any(|active| active == name) {
            self.spec.active_plugins.push(name.into());
        }
        for instance in &item.children {
            let config = settings(instance)?;
            let order = self.next_plugin();
            let meta = self.meta(instance);
            self.spec.plugins.push(PluginInstance { meta, plugin: name.into(), config, order });
        }
        Ok(())
    }

    fn unknown_plugin(&self, item: &Item, name: &str) -> Error {
        let error = item.error(ErrorKind::UnknownName { objtype: "plugin".into(), name: name.into() });
        let known = self.spec.registry.names().collect::<Vec<_>>().join(", ");
        let hint = match GONE.iter().find(|(gone, _)| *gone == name) {
            Some((_, instead)) => format!("MuJoCo 3.5 no longer has it; {instead}"),
            None => format!("known plugins are {known}; others are registered with the loader"),
        };
        error.attribute(attr::PLUGIN).hint(hint)
    }

    /// The first `plugin` child of an element.
    pub(super) fn plugin_of(&mut self, item: &Item) -> Result<Option<PluginUse>> {
        item.child("plugin").map(|child| self.plugin(child)).transpose()
    }

    /// Reads a `plugin` element.
    pub(super) fn plugin(&mut self, item: &Item) -> Result<PluginUse> {
        let (plugin, instance) = (item.text(attr::PLUGIN).to_string(), item.text(attr::INSTANCE).to_string());
        if plugin.is_empty() && instance.is_empty() {
            let hint = "name a plugin, or an instance declared in 'extension'";
            return Err(item.error(ErrorKind::Missing("attribute 'plugin' or 'instance'".into())).hint(hint));
        }
        let mut config = settings(item)?;
        if !instance.is_empty() && !config.is_empty() {
            let message = "settings here have no effect, since the instance has its own";
            self.warn(item.error(ErrorKind::Ignored(message.into())).hint("set them where the instance is declared"));
            config.clear();
        }
        Ok(PluginUse { plugin, instance, config, order: self.next_plugin(), loc: item.loc })
    }

    /// The plugin of all bodies of a composite: one instance, which gets a name if it has none.
    pub(super) fn shared_plugin(&mut self, item: &Item, name: String) -> Result<Option<PluginUse>> {
        let Some(mut shared) = self.plugin_of(item)? else { return Ok(None) };
        if shared.instance.is_empty() {
            let config = std::mem::take(&mut shared.config);
            let meta = crate::spec::Meta { name: name.clone(), loc: shared.loc, ..Default::default() };
            let plugin = shared.plugin.clone();
            self.spec.plugins.push(PluginInstance { meta, plugin, config, order: shared.order });
            shared.instance = name;
        }
        Ok(Some(shared))
    }

    fn next_plugin(&mut self) -> usize {
        self.plugins += 1;
        self.plugins
    }
}

/// Reads the `config` children.
fn settings(item: &Item) -> Result<Vec<Setting>> {
    let mut settings: Vec<Setting> = Vec::new();
    let all = item.children.iter().filter(|child| child.name == "config").map(|child| {
        for attribute in [attr::KEY, attr::VALUE] {
            if !child.has(attribute) {
                let kind = ErrorKind::Missing(format!("attribute '{attribute}'"));
                return Err(child.error(kind).attribute(attribute));
            }
        }
        let key = child.text(attr::KEY);
        if settings.iter().any(|setting| setting.key == key) {
            return Err(child.invalid_at(attr::KEY, format!("key '{key}' is given twice")).hint("remove one of them"));
        }
        settings.push(Setting { key: key.into(), value: child.text(attr::VALUE).into(), loc: child.loc });
        Ok(())
    });
    gather(all)?;
    Ok(settings)
}
