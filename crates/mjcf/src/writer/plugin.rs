//! Plugins: the instances that elements share, and what elements ask for.

use super::Writer;
use super::text::Node;
use crate::spec::{PluginUse, Setting};

impl Writer<'_> {
    /// Plugins of the model with their named instances.
    pub(super) fn extension(&self) -> Node {
        let declared = self.spec.active_plugins.iter().map(|name| {
            let own = self.spec.plugins.iter().filter(|p| p.plugin == *name);
            let mut node = Node::of(
                "plugin",
                own.map(|p| {
                    let mut instance = Node::of("instance", settings(&p.config));
                    instance.put("name", &p.meta.name);
                    instance
                }),
            );
            node.put("plugin", name);
            node
        });
        Node::of("extension", declared)
    }
}

/// Adds what an element asks of a plugin: to a `plugin` element itself, or as a child of another.
pub(super) fn ask(node: &mut Node, plugin: Option<&PluginUse>) {
    let Some(asked) = plugin else { return };
    let mut part = Node::of("plugin", settings(&asked.config));
    part.text("plugin", &asked.plugin);
    part.text("instance", &asked.instance);
    if node.is("plugin") {
        node.absorb(part);
    } else {
        node.children.insert(0, part);
    }
}

fn settings(config: &[Setting]) -> impl Iterator<Item = Node> + '_ {
    config.iter().map(|setting| {
        let mut node = Node::new("config");
        node.put("key", &setting.key);
        node.put("value", &setting.value);
        node
    })
}
