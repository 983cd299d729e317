//! Plugins: the instances that elements share, and the plugins of elements.

use super::Writer;
use super::text::Node;
use crate::schema::attr;
use crate::spec::{PluginInstance, PluginUse, Setting};
use sinew_math::order::by_key;

impl Writer<'_> {
    /// Plugins of the model with their named instances, in the order of their ids: consecutive instances of the same
    /// plugin are grouped.
    pub(super) fn extension(&self) -> Node {
        let mut instances: Vec<&PluginInstance> = self.spec.plugins.iter().collect();
        by_key(&mut instances, |p| p.order as u64);
        let used = |name: &str| instances.iter().any(|p| p.plugin == name);
        let bare = self.spec.active_plugins.iter().filter(|name| !used(name)).map(|name| declare(name, &[]));
        let runs = instances.chunk_by(|a, b| a.plugin == b.plugin).map(|run| declare(&run[0].plugin, run));
        Node::of("extension", bare.chain(runs))
    }
}

fn declare(plugin: &str, instances: &[&PluginInstance]) -> Node {
    let instance = |p: &&PluginInstance| {
        let mut instance = Node::of("instance", settings(&p.config));
        instance.put(attr::NAME, &p.meta.name);
        instance
    };
    let mut node = Node::of("plugin", instances.iter().map(instance));
    node.put(attr::PLUGIN, plugin);
    node
}

/// Adds the plugin of an element: to a `plugin` element itself, or as a child of another element.
pub(super) fn ask(node: &mut Node, plugin: Option<&PluginUse>) {
    let Some(asked) = plugin else { return };
    let mut part = Node::of("plugin", settings(&asked.config));
    part.text(attr::PLUGIN, &asked.plugin);
    part.text(attr::INSTANCE, &asked.instance);
    if node.is("plugin") {
        node.absorb(part);
    } else {
        node.children.insert(0, part);
    }
}

fn settings(config: &[Setting]) -> impl Iterator<Item = Node> + '_ {
    config.iter().map(|setting| {
        let mut node = Node::new("config");
        node.put(attr::KEY, &setting.key);
        node.put(attr::VALUE, &setting.value);
        node
    })
}
