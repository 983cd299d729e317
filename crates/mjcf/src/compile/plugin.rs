//! Plugin instances: first the named ones, then those of single elements; and which element uses which.

use super::Section;
use super::flat::Flat;
use super::shared::id_or_none;
use crate::error::{Error, ErrorKind, Result, gather};
use crate::schema::attr;
use crate::spec::{Loc, PluginUse, Setting, Spec};
use sinew_engine::model::enums::{PluginCapabilities, Stage};
use sinew_engine::plugin::{Config, Field, Plugin, PluginError};
use sinew_engine::{Model, Sizes};
use sinew_math::order::by_key;

/// Instances in order, and the instance of each element.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledPlugins {
    list: Vec<Instance>,
    bodies: Vec<Option<usize>>,
    geoms: Vec<Option<usize>>,
    actuators: Vec<Option<usize>>,
    sensors: Vec<Option<usize>>,
    nstate: usize,
}

#[derive(Clone, Debug)]
struct Instance {
    name: String,
    slot: usize,
    nstate: usize,
    /// Texts of all settings, zero-terminated.
    texts: Vec<u8>,
    settings: Vec<Setting>,
    loc: Loc,
}

/// A plugin with its settings.
struct Asked<'a> {
    slot: usize,
    plugin: &'a dyn Plugin,
    config: Config,
    settings: &'a [Setting],
    loc: Loc,
}

/// Sets the source position of a plugin error: the setting that it is about, or the instance.
fn locate(error: PluginError, settings: &[Setting], loc: Loc) -> Error {
    let setting = settings.iter().find(|s| Some(&s.key) == error.key.as_ref());
    let mut out = Error::invalid(error.message).at(setting.map_or(loc, |s| s.loc));
    out = match setting {
        Some(_) => out.element("config").attribute(attr::VALUE),
        None => out.element("plugin"),
    };
    error.hint.into_iter().fold(out, Error::hint)
}

/// A plugin that the model has declared, with settings that the plugin knows.
fn ask<'a>(spec: &'a Spec, name: &str, settings: &'a [Setting], loc: Loc) -> Result<Asked<'a>> {
    let unknown = || Error::new(ErrorKind::UnknownName { objtype: "plugin".into(), name: name.into() }).at(loc);
    if !spec.active_plugins.iter().any(|active| active == name) {
        let hint =
            format!("declare it: <extension><plugin plugin=\"{name}\"/></extension>, or activate_plugin in a program");
        return Err(unknown().element("plugin").attribute(attr::PLUGIN).hint(hint));
    }
    let (slot, plugin) = spec.registry.find(name).ok_or_else(unknown)?;
    let keys = plugin.attributes();
    if let Some(wrong) = settings.iter().find(|s| !keys.contains(&s.key.as_str())) {
        let message = format!("unrecognized attribute 'plugin:{}' for plugin {name}", wrong.key);
        let error = Error::invalid(message).at(wrong.loc).at(loc);
        let hint = if keys.is_empty() { "it has none".into() } else { format!("it has {}", keys.join(", ")) };
        return Err(error.element("config").attribute(attr::KEY).hint(hint));
    }
    let value = |key: &str| settings.iter().find(|s| s.key == key).map_or(String::new(), |s| s.value.clone());
    let config = Config::new(keys.iter().map(|key| (key.to_string(), value(key))).collect());
    Ok(Asked { slot, plugin: plugin.as_ref(), config, settings, loc })
}

impl<'a> Asked<'a> {
    /// The instance used by an element.
    fn by(spec: &'a Spec, use_: &'a PluginUse, wanted: PluginCapabilities, what: &str) -> Result<Self> {
        let asked = if use_.instance.is_empty() {
            ask(spec, &use_.plugin, &use_.config, use_.loc)?
        } else {
            let named = spec.plugins.iter().find(|p| p.meta.name == use_.instance).ok_or_else(|| {
                let name = use_.instance.clone();
                let error = Error::new(ErrorKind::UnknownName { objtype: "plugin instance".into(), name });
                error.at(use_.loc).element("plugin").attribute(attr::INSTANCE)
            })?;
            if !use_.plugin.is_empty() && use_.plugin != named.plugin {
                let message =
                    format!("instance '{}' is one of {}, not of {}", use_.instance, named.plugin, use_.plugin);
                return Err(Error::invalid(message).at(use_.loc).element("plugin").attribute(attr::PLUGIN));
            }
            ask(spec, &named.plugin, &named.config, named.meta.loc)?
        };
        if !asked.plugin.capabilities().contains(wanted) {
            let message = format!("plugin {} has no {what}", asked.plugin.name());
            return Err(Error::invalid(message).at(use_.loc).element("plugin"));
        }
        Ok(asked)
    }

    fn instance(&self, name: &str) -> Result<Instance> {
        let nstate = self.plugin.nstate(&self.config).map_err(|e| self.error(e))?;
        let mut texts: Vec<u8> = self.config.iter().flat_map(|(_, value)| value.bytes().chain([0])).collect();
        if texts.is_empty() {
            texts.push(0);
        }
        Ok(Instance {
            name: name.into(),
            slot: self.slot,
            nstate,
            texts,
            settings: self.settings.to_vec(),
            loc: self.loc,
        })
    }

    fn error(&self, error: PluginError) -> Error {
        locate(error, self.settings, self.loc)
    }
}

/// The signed distance field used by an element.
pub(super) fn field(spec: &Spec, use_: &PluginUse) -> Result<Box<dyn Field>> {
    let asked = Asked::by(spec, use_, PluginCapabilities::SDF, "signed distances")?;
    asked.plugin.field(&asked.config).map_err(|e| asked.error(e))
}

/// Stage and number of outputs of a sensor.
pub(super) fn sensor_outputs(spec: &Spec, use_: &PluginUse) -> Result<(Stage, u64)> {
    let asked = Asked::by(spec, use_, PluginCapabilities::SENSOR, "sensors")?;
    let count = asked.plugin.nsensordata(&asked.config).map_err(|e| asked.error(e))?;
    Ok((asked.plugin.needstage(), count as u64))
}

/// An instance under construction, and its sort key.
struct Found {
    order: usize,
    instance: Instance,
}

/// Collects instances one after the other.
struct Collector<'a> {
    spec: &'a Spec,
    found: Vec<Found>,
}

impl Collector<'_> {
    /// Adds the separate instances of elements; returns for each element the index of its instance in the collection.
    fn list<'u>(
        &mut self,
        uses: impl Iterator<Item = Option<&'u PluginUse>>,
        wanted: PluginCapabilities,
        what: &str,
    ) -> Result<Vec<Option<usize>>> {
        gather(uses.map(|use_| use_.map(|use_| self.add(use_, wanted, what)).transpose()))
    }

    fn add(&mut self, use_: &PluginUse, wanted: PluginCapabilities, what: &str) -> Result<usize> {
        let asked = Asked::by(self.spec, use_, wanted, what)?;
        if let Some(named) = self.spec.plugins.iter().position(|p| p.meta.name == use_.instance) {
            return Ok(named);
        }
        let instance = asked.instance("")?;
        self.found.push(Found { order: use_.order, instance });
        Ok(self.found.len() - 1)
    }
}

/// Collects all instances and their users.
pub(crate) fn resolve(spec: &Spec, flat: &Flat) -> Result<CompiledPlugins> {
    let named = gather(spec.plugins.iter().map(|p| {
        let instance = ask(spec, &p.plugin, &p.config, p.meta.loc)?.instance(&p.meta.name)?;
        Ok(Found { order: p.order, instance })
    }))?;
    let mut all = Collector { spec, found: named };
    use PluginCapabilities as C;
    all.list(spec.meshes.iter().map(|e| e.plugin.as_ref()), C::SDF, "signed distances")?;
    let mut bodies = all.list(flat.bodies.iter().map(|e| e.spec.plugin.as_ref()), C::PASSIVE, "passive forces")?;
    let mut geoms = all.list(flat.geoms.iter().map(|e| e.spec.plugin.as_ref()), C::SDF, "signed distances")?;
    let mut actuators = all.list(spec.actuators.iter().map(|e| e.plugin.as_ref()), C::ACTUATOR, "actuators")?;
    let mut sensors = all.list(spec.sensors.iter().map(|e| e.plugin_used()), C::SENSOR, "sensors")?;

    let mut order: Vec<usize> = (0..all.found.len()).collect();
    by_key(&mut order, |&i| all.found[i].order as u64);
    let mut number = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, &old)| number[old] = new);
    for list in [&mut bodies, &mut geoms, &mut actuators, &mut sensors] {
        list.iter_mut().flatten().for_each(|i| *i = number[*i]);
    }
    let list: Vec<Instance> = order.iter().map(|&i| all.found[i].instance.clone()).collect();
    let nstate = spec.limits.check_len("plugin_state", list.iter().map(|p| p.nstate as u64).sum())?;
    Ok(CompiledPlugins { list, bodies, geoms, actuators, sensors, nstate })
}

impl CompiledPlugins {
    /// Names of all instances.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|instance| instance.name.as_str())
    }

    /// Creates the instances of a model that is otherwise complete.
    pub fn bind(&self, spec: &Spec, m: &mut Model) -> Result<()> {
        m.bind_plugins(&spec.registry).map_err(|e| {
            let instance = &self.list[e.instance];
            locate(e.error, &instance.settings, instance.loc)
        })
    }
}

impl Section for CompiledPlugins {
    fn count(&self, sizes: &mut Sizes) {
        sizes.nplugin = self.list.len();
        sizes.npluginattr = self.list.iter().map(|instance| instance.texts.len()).sum();
        sizes.npluginstate = self.nstate;
    }

    fn fill(&self, m: &mut Model) {
        let (mut adr, mut state) = (0, 0);
        for (i, instance) in self.list.iter().enumerate() {
            m.plugin[i] = instance.slot as i32;
            m.plugin_attradr[i] = adr as i32;
            m.plugin_attr[adr..adr + instance.texts.len()].copy_from_slice(&instance.texts);
            adr += instance.texts.len();
            m.plugin_stateadr[i] = state as i32;
            m.plugin_statenum[i] = instance.nstate as i32;
            state += instance.nstate;
        }
        let put = |array: &mut [i32], users: &[Option<usize>]| {
            array.iter_mut().zip(users).for_each(|(slot, user)| *slot = id_or_none(*user));
        };
        put(&mut m.body_plugin, &self.bodies);
        put(&mut m.geom_plugin, &self.geoms);
        put(&mut m.actuator_plugin, &self.actuators);
        put(&mut m.sensor_plugin, &self.sensors);
    }
}
