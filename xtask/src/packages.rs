//! Dependencies of the project: licences, duplicates and sources are checked against `deny.toml`; and a bill of
//! materials.

use crate::{Outcome, root, sh};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use toml_edit::{Document, Item};

/// Packages whose dependencies are shipped to users.
const PRODUCTS: [&str; 3] = ["sinew", "sinew-cli", "sinew-python"];

/// Checks against `deny.toml`; also runs cargo-deny, which adds advisories, if it is installed.
pub(crate) fn check() -> Outcome {
    let (rules, metadata) = (toml("deny.toml")?, metadata()?);
    let mut faults = licence_faults(&rules, &metadata)?;
    faults.extend(source_faults(&rules, &metadata));
    faults.extend(duplicates(&rules, &metadata));
    faults.extend(bill_faults(&bill(&metadata)?));
    if !faults.is_empty() {
        return Err(format!("packages:\n  {}", faults.join("\n  ")));
    }
    if Command::new("cargo").args(["deny", "--version"]).output().is_ok_and(|o| o.status.success()) {
        sh("cargo", &["deny", "check"])?;
    }
    Ok(())
}

/// Writes the bill of materials of the products, as CycloneDX.
pub(crate) fn write_bill() -> Outcome {
    let bill = bill(&metadata()?)?;
    let faults = bill_faults(&bill);
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    let path = root().join("target").join("sinew.cdx.json");
    let text = serde_json::to_string_pretty(&bill).map_err(|e| e.to_string())?;
    fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    let count = bill["components"].as_array().map_or(0, Vec::len);
    println!("target/sinew.cdx.json: {count} components");
    Ok(())
}

fn toml(name: &str) -> Result<Document<String>, String> {
    let text = fs::read_to_string(root().join(name)).map_err(|e| format!("{name}: {e}"))?;
    Document::parse(text).map_err(|e| format!("{name}: {e}"))
}

fn metadata() -> Result<Value, String> {
    let mut command = Command::new("cargo");
    command.args(["metadata", "--format-version", "1", "--locked"]).current_dir(root());
    let output = command.output().map_err(|e| format!("cargo metadata: {e}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)));
    }
    serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata: {e}"))
}

fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata["packages"].as_array().into_iter().flatten()
}

fn text<'a>(package: &'a Value, key: &str) -> &'a str {
    package[key].as_str().unwrap_or_default()
}

/// Strings of a list in a section.
fn list(rules: &Document<String>, section: &str, key: &str) -> Vec<String> {
    let items = rules.get(section).and_then(|s| s.get(key)).and_then(Item::as_array);
    let string = |v: &toml_edit::Value| {
        let named = v.as_inline_table().and_then(|t| t.get("name")).unwrap_or(v);
        named.as_str().map(str::to_owned)
    };
    items.into_iter().flatten().filter_map(string).collect()
}

fn licence_faults(rules: &Document<String>, metadata: &Value) -> Result<Vec<String>, String> {
    let allowed: Result<Vec<spdx::Licensee>, _> =
        list(rules, "licenses", "allow").iter().map(|l| spdx::Licensee::parse(l)).collect();
    let allowed = allowed.map_err(|e| format!("deny.toml: {e}"))?;
    let fault = |p: &Value| {
        let expression = spdx::Expression::parse_mode(text(p, "license"), spdx::ParseMode::LAX);
        let fine = expression.is_ok_and(|e| e.evaluate(|needed| allowed.iter().any(|l| l.satisfies(needed))));
        (!fine).then(|| format!("licence '{}' of {} is not allowed", text(p, "license"), text(p, "name")))
    };
    Ok(packages(metadata).filter_map(fault).collect())
}

fn source_faults(rules: &Document<String>, metadata: &Value) -> Vec<String> {
    let allowed = list(rules, "sources", "allow-registry");
    let known = |source: &str| source.strip_prefix("registry+").is_some_and(|s| allowed.iter().any(|a| a == s));
    packages(metadata)
        .filter(|p| p["source"].as_str().is_some_and(|s| !known(s)))
        .map(|p| format!("{} comes from {}", text(p, "name"), p["source"]))
        .collect()
}

fn duplicates(rules: &Document<String>, metadata: &Value) -> Vec<String> {
    let skipped = list(rules, "bans", "skip");
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    packages(metadata).for_each(|p| versions.entry(text(p, "name")).or_default().push(text(p, "version")));
    let mut faults: Vec<String> = versions
        .iter()
        .filter(|(name, all)| all.len() > 1 && !skipped.iter().any(|s| s == *name))
        .map(|(name, all)| format!("{name} is there {} times: {}", all.len(), all.join(", ")))
        .collect();
    let stale = skipped.iter().filter(|s| versions.get(s.as_str()).is_none_or(|all| all.len() < 2));
    faults.extend(stale.map(|s| format!("deny.toml skips {s}, of which there are no two versions")));
    faults
}

/// Packages that the products link or their build scripts use, by id, each with its dependencies.
fn shipped(metadata: &Value) -> Result<BTreeMap<&str, Vec<&str>>, String> {
    let nodes = metadata["resolve"]["nodes"].as_array().ok_or("cargo metadata has no graph")?;
    let mut edges: BTreeMap<&str, Vec<&str>> = nodes.iter().map(|n| (text(n, "id"), needs(n))).collect();
    let mut open: Vec<&str> = packages(metadata)
        .filter(|p| p["source"].is_null() && PRODUCTS.contains(&text(p, "name")))
        .map(|p| text(p, "id"))
        .collect();
    let mut reached = BTreeMap::new();
    while let Some(id) = open.pop() {
        if let Some(on) = edges.remove(id) {
            open.extend(&on);
            reached.insert(id, on);
        }
    }
    Ok(reached)
}

/// The licences of third-party packages in the products, each text once; most require redistribution of the text.
pub(crate) fn licences() -> Result<String, String> {
    let metadata = metadata()?;
    let shipped = shipped(&metadata)?;
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for p in packages(&metadata).filter(|p| p["source"].is_string() && shipped.contains_key(text(p, "id"))) {
        let who = format!("{} {} ({})", text(p, "name"), text(p, "version"), text(p, "license"));
        let folder = Path::new(text(p, "manifest_path")).parent().ok_or("a manifest has no folder")?;
        let mut found = licence_files(folder)?;
        if found.is_empty() {
            let authors: Vec<&str> = p["authors"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            found.push(format!("By {}; its package has the name of the licence only.", authors.join(", ")));
        }
        found.into_iter().for_each(|text| texts.entry(text).or_default().push(who.clone()));
    }
    let part = |(text, users): (&String, &Vec<String>)| format!("{}\n\n{text}\n", users.join("\n"));
    Ok(texts.iter().map(part).collect::<Vec<_>>().join(&format!("\n{}\n\n", "=".repeat(80))))
}

/// Texts of the licences and notices in a package's folder.
fn licence_files(folder: &Path) -> Result<Vec<String>, String> {
    let known = ["license", "licence", "copying", "notice", "unlicense"];
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(|p| p.is_file()).collect();
    paths.retain(|p| {
        let name = p.file_name().map(|n| n.to_string_lossy().to_lowercase()).unwrap_or_default();
        known.iter().any(|k| name.starts_with(k))
    });
    paths.sort();
    let read = |p: &PathBuf| fs::read(p).map_err(|e| format!("{}: {e}", p.display()));
    paths.iter().map(|p| read(p).map(|bytes| String::from_utf8_lossy(&bytes).trim().replace("\r\n", "\n"))).collect()
}

/// The bill of materials of the products: what they link, and what their build scripts use.
fn bill(metadata: &Value) -> Result<Value, String> {
    let by_id: BTreeMap<&str, &Value> = packages(metadata).map(|p| (text(p, "id"), p)).collect();
    let shipped = shipped(metadata)?;
    let sums = checksums()?;
    let purl = |id: &str| by_id.get(id).map(|p| purl(p)).unwrap_or_default();
    let components: Vec<Value> = shipped.keys().filter_map(|id| by_id.get(id)).map(|p| component(p, &sums)).collect();
    let dependency = |(id, on): (&&str, &Vec<&str>)| {
        let on: BTreeSet<String> = on.iter().map(|d| purl(d)).collect();
        json!({"ref": purl(id), "dependsOn": on})
    };
    Ok(json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "library", "name": "sinew", "version": env!("CARGO_PKG_VERSION")}},
        "components": components,
        "dependencies": shipped.iter().map(dependency).collect::<Vec<_>>(),
    }))
}

/// What a package needs to be built and run, without dev-dependencies.
fn needs(node: &Value) -> Vec<&str> {
    let used = |d: &&Value| d["dep_kinds"].as_array().into_iter().flatten().any(|k| k["kind"] != "dev");
    node["deps"].as_array().into_iter().flatten().filter(used).map(|d| text(d, "pkg")).collect()
}

fn purl(p: &Value) -> String {
    format!("pkg:cargo/{}@{}", text(p, "name"), text(p, "version"))
}

fn component(p: &Value, sums: &BTreeMap<(String, String), String>) -> Value {
    let mut out = json!({
        "type": "library",
        "bom-ref": purl(p),
        "purl": purl(p),
        "name": text(p, "name"),
        "version": text(p, "version"),
        "licenses": [{"expression": text(p, "license").replace(" / ", " OR ").replace('/', " OR ")}],
    });
    if let Some(sum) = sums.get(&(text(p, "name").into(), text(p, "version").into())) {
        out["hashes"] = json!([{"alg": "SHA-256", "content": sum}]);
    }
    out
}

/// Checksums of third-party packages, by name and version.
fn checksums() -> Result<BTreeMap<(String, String), String>, String> {
    let lock = toml("Cargo.lock")?;
    let all = lock.get("package").and_then(Item::as_array_of_tables);
    let one = |p: &toml_edit::Table| {
        let get = |key: &str| p.get(key).and_then(Item::as_str).map(str::to_owned);
        Some(((get("name")?, get("version")?), get("checksum")?))
    };
    Ok(all.into_iter().flatten().filter_map(one).collect())
}

/// Errors that a CycloneDX validator would report: references that are ambiguous or dangling, invalid licences,
/// third-party packages without a checksum.
fn bill_faults(bill: &Value) -> Vec<String> {
    let components = bill["components"].as_array().map(Vec::as_slice).unwrap_or_default();
    let refs: BTreeSet<&str> = components.iter().map(|c| text(c, "bom-ref")).collect();
    let mut faults = Vec::new();
    if refs.len() != components.len() || refs.is_empty() {
        faults.push("references of the bill of materials are not unique".to_string());
    }
    for c in components {
        let licence = c["licenses"][0]["expression"].as_str().unwrap_or_default();
        if spdx::Expression::parse(licence).is_err() {
            faults.push(format!("{}: '{licence}' is no licence", text(c, "name")));
        }
        let sum = c["hashes"][0]["content"].as_str();
        if sum.map_or(!text(c, "name").starts_with("sinew"), |s| s.len() != 64) {
            faults.push(format!("{} has no checksum", text(c, "name")));
        }
    }
    for d in bill["dependencies"].as_array().into_iter().flatten() {
        let on = d["dependsOn"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let lost = on.chain([text(d, "ref")]).filter(|r| !refs.contains(r));
        faults.extend(lost.map(|r| format!("{r} is referred to and not there")));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, licence: &str, source: Value) -> Value {
        json!({"packages": [{"name": name, "version": "1.0.0", "license": licence, "source": source}]})
    }

    #[test]
    fn rules_are_kept() {
        let rules = toml("deny.toml").expect("it is there");
        let licences = |l| licence_faults(&rules, &package("a", l, Value::Null)).expect("rules are right").len();
        assert_eq!(
            [licences("MIT/Apache-2.0"), licences("GPL-3.0-only"), licences(""), licences("MIT AND GPL-3.0-only")],
            [0, 1, 1, 1]
        );
        let from = |s: &str| source_faults(&rules, &package("a", "MIT", json!(s))).len();
        assert_eq!(from("registry+https://github.com/rust-lang/crates.io-index"), 0);
        assert_eq!(from("git+https://github.com/a/a"), 1);
        let twice = json!({"packages": [{"name": "a", "version": "1.0.0"}, {"name": "a", "version": "2.0.0"}]});
        let empty = Document::parse(String::new()).expect("no rules");
        assert_eq!(duplicates(&empty, &twice).len(), 1);
    }

    #[test]
    fn licences_of_others_are_there() {
        let all = licences().expect("packages have folders");
        for part in ["rayon 1", "clap 4", "rusty_h264-encoder", "Permission is hereby granted", "Apache License"] {
            assert!(all.contains(part), "{part}");
        }
        assert!(!all.contains("sinew-math"));
    }

    #[test]
    fn broken_bills_are_seen() {
        let good = bill(&metadata().expect("cargo tells")).expect("a graph");
        assert_eq!(bill_faults(&good), Vec::<String>::new());
        for (pointer, value) in [
            ("/components/3/bom-ref", json!("pkg:cargo/other@1.0.0")),
            ("/components/3/licenses/0/expression", json!("free as in beer")),
            ("/dependencies/3/ref", json!("pkg:cargo/other@1.0.0")),
        ] {
            let mut bad = good.clone();
            *bad.pointer_mut(pointer).expect(pointer) = value;
            assert!(!bill_faults(&bad).is_empty(), "{pointer}");
        }
    }
}
