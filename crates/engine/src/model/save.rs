//! Saving a model to bytes and loading it.

use super::{Model, Sizes, options};
use crate::bytes::{BytesError, Reader, Writer, header, layout, sealed};
use crate::fields::{FieldInfo, Fields};
use crate::plugin::{PluginError, Registry, UnboundPlugin};
use crate::support::shape::index_hulls;

const MAGIC: &str = "sinew Model";

/// Larger than any array of a model; keeps products of sizes far from overflow.
const MAX_SIZE: u64 = 1 << 31;

/// Sizes that no array depends on: byte counts, and limits whose "unset" is −1 as a signed integer.
const FREE_SIZES: [&str; 4] = ["njmax", "nconmax", "narena", "nbuffer"];

fn settings_fields() -> impl Iterator<Item = &'static FieldInfo> {
    use options::*;
    [
        Options::FIELDS,
        Statistic::FIELDS,
        VisualGlobal::FIELDS,
        VisualQuality::FIELDS,
        VisualHeadlight::FIELDS,
        VisualMap::FIELDS,
        VisualScale::FIELDS,
        VisualRgba::FIELDS,
    ]
    .into_iter()
    .flatten()
}

fn model_layout() -> u64 {
    layout(settings_fields().chain(Model::FIELDS), &Sizes::default().list().map(|(name, _)| name))
}

/// Number of bytes that follow the sizes.
fn body_len(sizes: &Sizes) -> u128 {
    let bytes = |f: &FieldInfo| f.dims.iter().map(|d| d.len(sizes) as u128).product::<u128>() * f.dtype.bytes() as u128;
    settings_fields().chain(Model::FIELDS).map(bytes).sum()
}

impl Model {
    /// Number of bytes before the sizes in a saved model.
    pub const HEADER_BYTES: usize = MAGIC.len() + 8;

    /// Serialises the whole model; [`Model::from_bytes`] of the same version reads it back.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = header(MAGIC, model_layout());
        self.sizes.list().iter().for_each(|(_, n)| w.u64(*n as u64));
        self.write_settings(&mut w);
        w.fields(self);
        for plugin in self.plugins.list() {
            w.0.extend_from_slice(plugin.plugin.as_bytes());
            w.0.push(0);
        }
        sealed(w.0)
    }

    fn write_settings(&self, w: &mut Writer) {
        let v = &self.vis;
        w.fields(&self.opt);
        w.fields(&self.stat);
        w.fields(&v.global);
        w.fields(&v.quality);
        w.fields(&v.headlight);
        w.fields(&v.map);
        w.fields(&v.scale);
        w.fields(&v.rgba);
    }

    /// Whether bytes start like the output of [`Model::to_bytes`] of any version.
    pub fn is_saved(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC.as_bytes())
    }

    /// Loads the output of [`Model::to_bytes`]. Allocates nothing until the sizes match the number of bytes.
    ///
    /// # Errors
    /// [`BytesError`]; also for a model with plugins that are not built into this crate.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, BytesError> {
        Self::from_bytes_with(bytes, &Registry::builtin())
    }

    /// [`Model::from_bytes`] of a model that may use a registry's plugins, whatever slots they had when it was saved.
    ///
    /// # Errors
    /// [`BytesError`].
    pub fn from_bytes_with(bytes: &[u8], registry: &Registry) -> Result<Model, BytesError> {
        let mut r = Reader(bytes);
        r.open(MAGIC, model_layout())?;
        let mut sizes = Sizes::default();
        for (name, _) in Sizes::default().list() {
            let value = r.u64()?;
            if value > MAX_SIZE && !FREE_SIZES.contains(&name) {
                return Err(BytesError::Size { name, value });
            }
            if let Some(size) = sizes.get_mut(name) {
                *size = value as usize;
            }
        }
        let expected = body_len(&sizes);
        // the names of plugins follow
        let found = r.0.len();
        if found as u128 != expected && (sizes.nplugin == 0 || (found as u128) < expected) {
            return Err(BytesError::Length { expected, found });
        }
        let mut m = Model::zeroed(sizes);
        r.fields(&mut m.opt)?;
        r.fields(&mut m.stat)?;
        r.fields(&mut m.vis.global)?;
        r.fields(&mut m.vis.quality)?;
        r.fields(&mut m.vis.headlight)?;
        r.fields(&mut m.vis.map)?;
        r.fields(&mut m.vis.scale)?;
        r.fields(&mut m.vis.rgba)?;
        r.fields(&mut m)?;
        m.validate()?;
        m.index_names();
        index_hulls(&mut m);
        m.find_plugins(r.0, registry)?;
        m.read_extension()?;
        Ok(m)
    }

    /// Creates the plugin instances from the saved names of their plugins, in order.
    fn find_plugins(&mut self, names: &[u8], registry: &Registry) -> Result<(), UnboundPlugin> {
        let mut names = names.split(|&b| b == 0);
        for instance in 0..self.nplugin {
            let name = String::from_utf8_lossy(names.next().unwrap_or_default());
            let Some((slot, _)) = registry.find(&name) else {
                let error = PluginError::new(format!("no plugin '{name}' is registered"));
                return Err(UnboundPlugin { instance, error: error.hint("register it, then read the model") });
            };
            self.plugin[instance] = slot as i32;
        }
        self.bind_plugins(registry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Model {
        let sizes = Sizes { nq: 7, nbody: 2, nnames: 9, njmax: usize::MAX, ..Sizes::default() };
        let mut m = Model::zeroed(sizes);
        m.qpos0.iter_mut().enumerate().for_each(|(i, q)| *q = i as f64 - 0.5);
        m.names.copy_from_slice(b"\0world\0b\0");
        m.name_bodyadr.copy_from_slice(&[1, 7]);
        for ids in [&mut m.body_mocapid, &mut m.body_treeid, &mut m.body_plugin, &mut m.body_bvhadr] {
            ids.fill(-1);
        }
        m.opt.timestep = 0.125;
        m.vis.rgba.haze = [0.5; 4];
        m.index_names();
        m
    }

    #[test]
    fn bytes_come_back() {
        let m = sample();
        let back = Model::from_bytes(&m.to_bytes()).unwrap();
        assert_eq!(back.sizes, m.sizes);
        assert_eq!(back.opt, m.opt);
        assert_eq!(back.vis, m.vis);
        assert_eq!(back.stat, m.stat);
        (0..Model::FIELDS.len()).for_each(|i| assert_eq!(back.field(i), m.field(i), "{}", Model::FIELDS[i].name));
        assert_eq!(back.name2id(crate::model::enums::ObjType::Body, "b"), Some(1));
    }

    #[test]
    fn hostile_bytes_are_refused() {
        let good = sample().to_bytes();
        for len in 0..good.len() {
            assert!(Model::from_bytes(&good[..len]).is_err(), "prefix of {len}");
        }
        assert!(Model::from_bytes(&[&good[..], b"x"].concat()).is_err());
        for i in 0..good.len() {
            let mut bad = good.clone();
            bad[i] ^= 1;
            assert!(Model::from_bytes(&bad).is_err(), "byte {i}");
        }
        let forged = |change: &dyn Fn(&mut [u8])| {
            let mut bad = good[..good.len() - 8].to_vec();
            change(&mut bad);
            Model::from_bytes(&sealed(bad))
        };
        let sizes = MAGIC.len() + 8;
        for i in (sizes..sizes + 8 * Sizes::default().list().len()).step_by(3) {
            for value in [0xff, 0x7f] {
                let _ = forged(&|bad| bad[i] = value); // no panic, no giant allocation
            }
        }
        let huge = forged(&|bad| bad[sizes..sizes + 8].copy_from_slice(&(1u64 << 31).to_le_bytes()));
        assert!(matches!(huge, Err(BytesError::Length { .. })));
    }
}
