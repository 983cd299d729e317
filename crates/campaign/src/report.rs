//! Work done and findings of a part, as JSON.

use crate::coverage::Edges;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// A finding: something that must not happen.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// "panic", "hang", "memory", or another kind defined by a part.
    pub kind: String,
    /// Description.
    pub what: String,
    /// Folder with the input.
    pub place: String,
}

/// Counts of a part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    pub part: String,
    pub inputs: u64,
    pub steps: u64,
    pub slowest: Duration,
    /// Peak memory of the process. (byte)
    pub peak: u64,
    pub outcomes: BTreeMap<String, u64>,
    pub edges: Option<Edges>,
    pub findings: Vec<Finding>,
}

impl Report {
    /// The JSON format shared by all parts of a campaign.
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
