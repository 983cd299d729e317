//! Conformance over the corpus next to the project, if it is there: no recorded count may decrease.

use crate::{Outcome, python, root};
use std::fs;
use std::process::Command;

/// Recorded counts: `list stage count`, one per line.
const RATCHET: &str = "conformance/ratchet.txt";

pub(crate) fn run() -> Outcome {
    let shared = root().join("../shared");
    if !shared.join("corpus").is_dir() {
        println!("no corpus beside the project: skipped");
        return Ok(());
    }
    let ratchet = fs::read_to_string(root().join(RATCHET)).map_err(|e| format!("{RATCHET}: {e}"))?;
    let records: Vec<Vec<&str>> = ratchet
        .lines()
        .filter(|l| !l.starts_with('#') && !l.trim().is_empty())
        .map(|l| l.split_whitespace().collect())
        .collect();
    let mut lists: Vec<&str> = records.iter().map(|r| r[0]).collect();
    lists.dedup();
    let mut faults = Vec::new();
    for list in lists {
        let output = drive(list)?;
        for record in records.iter().filter(|r| r[0] == list) {
            let [_, stage, want] = record[..] else { return Err(format!("{RATCHET}: bad line {record:?}")) };
            let got = count(&output, stage).ok_or_else(|| format!("{list}: no count of '{stage}' in\n{output}"))?;
            let want: usize = want.parse().map_err(|e| format!("{RATCHET}: {e}"))?;
            println!("{list} {stage}: {got} (recorded {want})");
            if got < want {
                faults.push(format!("{list} {stage} fell from {want} to {got}"));
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("; ")) }
}

/// Runs the comparison over one list and returns what it printed.
fn drive(list: &str) -> Result<String, String> {
    // `scene:quick.txt` compares scenes instead of simulations
    let (script, list) = match list.strip_prefix("scene:") {
        Some(list) => ("scene.py", list),
        None if list.starts_with("refuse") => ("refuse.py", list),
        None => ("conform.py", list),
    };
    let mut command = Command::new(python());
    command.arg(root().join("../shared/conformance").join(script)).arg(root().join("../shared/corpus").join(list));
    if script != "refuse.py" {
        // the largest models take a minute for the comparison itself; a busy machine must not make them fail
        command.args(["--timeout", "900"]);
    }
    let output = command.output().map_err(|e| format!("{script}: {e}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The count printed for a stage, from ` model 970 / 989`, `refused 102 of 102` or `scenes equal 142 of 142`.
fn count(output: &str, stage: &str) -> Option<usize> {
    output.lines().rev().find_map(|l| l.split_whitespace().skip_while(|word| *word != stage).nth(1)?.parse().ok())
}
