//! What a part has done and found, as JSON.

use crate::coverage::Edges;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Something that must not happen.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// "panic", "hang", "memory", or what a part says.
    pub kind: String,
    /// In words.
    pub what: String,
    /// Folder of the input.
    pub place: String,
}

/// Counts of a part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    pub part: String,
    pub inputs: u64,
    pub steps: u64,
    pub slowest: Duration,
    /// Most memory of the process at any time. (byte)
    pub peak: u64,
    pub outcomes: BTreeMap<String, u64>,
    pub edges: Option<Edges>,
    pub findings: Vec<Finding>,
}

impl Report {
    /// As the other parts of a campaign write it.
    pub fn json(&self, seconds: f64) -> Value {
        let finding = |f: &Finding| json!({"kind": f.kind, "what": f.what, "place": f.place});
        json!({
            "part": self.part,
            "seconds": seconds,
            "inputs": self.inputs,
            "steps": self.steps,
            "slowest_s": self.slowest.as_secs_f64(),
            "peak_mb": self.peak >> 20,
            "outcomes": self.outcomes,
            "edges": self.edges.map(|e| json!({"all": e.all, "seeds": e.seeds, "end": e.end})),
            "findings": self.findings.iter().map(finding).collect::<Vec<_>>(),
        })
    }
}
