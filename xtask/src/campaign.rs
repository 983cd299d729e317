//! Campaigns: runs every part in separate processes, detects their crashes, and combines their results into one report.

use crate::{Outcome, module, python, root, sh_env, target};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Parts in Rust and in Python, with their shares of the time.
const PARTS: [(&str, f64); 9] = [
    ("files", 4.0),
    ("edits", 1.0),
    ("saved", 1.0),
    ("soak", 2.0),
    ("models", 2.0),
    ("states", 1.0),
    ("calls", 1.0),
    ("fields", 1.0),
    ("archives", 1.0),
];
const RUST: [&str; 4] = ["files", "edits", "saved", "soak"];
/// A part that dies this often is not restarted.
const MOST_DEATHS: u64 = 20;
/// Exit status of a part that has found something.
const FOUND: i32 = 3;
/// Limit on a part's address space, so that a memory-hungry input cannot stall the machine. (KiB)
const SPACE: u64 = 12 << 20;

/// Number of inputs for a run of a minute.
const MINUTE: u64 = 3000;

/// Flags that make the compiler count every edge between basic blocks; the counters are passed to an LLVM callback that
/// `sinew-campaign` defines.
const COUNTERS: &str = "-C passes=sancov-module -C llvm-args=-sanitizer-coverage-level=3 -C llvm-args=-sanitizer-coverage-inline-8bit-counters";

/// How the parts in Rust are built.
#[derive(Clone, Copy)]
enum Build {
    Release,
    /// Starts at once if tests have just been built.
    Debug,
    /// With coverage counters, which show which inputs are worth mutating further.
    Coverage,
}

/// The parsed command line.
struct Request {
    seconds: f64,
    inputs: Option<u64>,
    steps: Option<u64>,
    seed: u64,
    only: Option<String>,
    /// Number of concurrent processes per part.
    jobs: usize,
    build: Build,
    /// Writes `docs/campaign.md`, except its section on earlier findings.
    record: bool,
}

const USAGE: &str = "usage: cargo xtask campaign [--seconds N] [--inputs N] [--steps N] [--seed S] [--only PART] [--jobs N] [--coverage | --debug] [--record]";

pub(crate) fn run() -> Outcome {
    let request = request(std::env::args().skip(2))?;
    campaign(&request)
}

/// The run in CI: the same inputs on every machine, so that failures depend on the change and not on the machine's
/// speed.
pub(crate) fn minute() -> Outcome {
    campaign(&Request {
        seconds: 60.0,
        inputs: Some(MINUTE),
        steps: None,
        seed: 1,
        only: None,
        jobs: 1,
        build: Build::Debug,
        record: false,
    })
}

fn request(mut words: impl Iterator<Item = String>) -> Result<Request, String> {
    let mut out = Request {
        seconds: f64::NAN,
        inputs: None,
        steps: None,
        seed: 1,
        only: None,
        jobs: 1,
        build: Build::Release,
        record: false,
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(USAGE);
        match word.as_str() {
            "--seconds" => out.seconds = value()?.parse().map_err(|_| USAGE)?,
            "--inputs" => out.inputs = Some(value()?.parse().map_err(|_| USAGE)?),
            "--steps" => out.steps = Some(value()?.parse().map_err(|_| USAGE)?),
            "--seed" => out.seed = value()?.parse().map_err(|_| USAGE)?,
            "--only" => out.only = Some(value()?),
            "--jobs" => out.jobs = value()?.parse::<usize>().map_err(|_| USAGE)?.max(1),
            "--coverage" => out.build = Build::Coverage,
            "--debug" => out.build = Build::Debug,
            "--record" => out.record = true,
            _ => return Err(USAGE.into()),
        }
    }
    if out.seconds.is_nan() {
        // then only the counts limit the work
        out.seconds = if out.inputs.is_some() || out.steps.is_some() { 1e6 } else { 60.0 };
    }
    Ok(out)
}

fn campaign(request: &Request) -> Outcome {
    let program = build(request.build)?;
    let out = root().join("target").join("campaign");
    let _ = fs::remove_dir_all(&out);
    let parts: Vec<(&str, f64)> =
        PARTS.into_iter().filter(|p| request.only.as_deref().is_none_or(|only| only == p.0)).collect();
    if parts.is_empty() {
        return Err(format!("no such part; there are {}", PARTS.map(|p| p.0).join(", ")));
    }
    let total: f64 = parts.iter().map(|p| p.1).sum();
    let mut reports = Vec::new();
    for (part, share) in parts {
        let report = run_part(request, &program, part, share / total, &out.join(part))?;
        println!("{}", line(&report));
        reports.push(report);
    }
    let whole = json!({"commit": commit(), "seed": request.seed, "parts": reports});
    let path = out.join("report.json");
    fs::write(&path, whole.to_string()).map_err(|e| format!("{}: {e}", path.display()))?;
    if request.record {
        let page = root().join("docs").join("campaign.md");
        let before = fs::read_to_string(&page).unwrap_or_default();
        let text = describe(&whole) + before.find(FINDINGS).map_or("", |at| &before[at..]);
        fs::write(&page, text).map_err(|e| format!("{}: {e}", page.display()))?;
    }
    let found: usize = reports_of(&whole).map(|r| list(r, "findings").len()).sum();
    if found == 0 { Ok(()) } else { Err(format!("{found} findings; see {}", path.display())) }
}

/// Builds the parts in Rust; returns the path of the program. Naming a target keeps build scripts free of counters.
fn build(build: Build) -> Result<PathBuf, String> {
    let host = module::host()?;
    let (options, flags, folder): (&[&str], &[_], _) = match build {
        Build::Release => (&["--release"], &[], "release".into()),
        Build::Debug => (&[], &[], "debug".into()),
        Build::Coverage => {
            (&["--profile", "coverage", "--target", &host], &[("RUSTFLAGS", COUNTERS)], format!("{host}/coverage"))
        }
    };
    sh_env(flags, "cargo", &[&["build", "--quiet", "-p", "sinew-campaign"], options].concat())?;
    Ok(target().join(folder).join(format!("sinew-campaign{}", std::env::consts::EXE_SUFFIX)))
}

/// Runs a part in several concurrent processes, each with different inputs.
fn run_part(request: &Request, program: &Path, part: &str, share: f64, out: &Path) -> Result<Value, String> {
    let start = Instant::now();
    let mut sum = empty(part);
    let reports: Vec<_> = std::thread::scope(|s| {
        let piece = |k| move || run_piece(request, program, part, share, k, &out.join(k.to_string()));
        let pieces: Vec<_> = (0..request.jobs as u64).map(|k| s.spawn(piece(k))).collect();
        pieces.into_iter().map(|p| p.join().unwrap_or_else(|_| Err(format!("{part}: a job panicked")))).collect()
    });
    for report in reports {
        add(&mut sum, &report?);
    }
    sum["seconds"] = json!(start.elapsed().as_secs_f64());
    Ok(sum)
}

fn empty(part: &str) -> Value {
    json!({"part": part, "inputs": 0, "steps": 0, "slowest_s": 0.0, "peak_mb": 0, "outcomes": {}, "edges": null, "findings": []})
}

/// Runs one process of a part until its time is over, restarting it when it dies.
fn run_piece(
    request: &Request,
    program: &Path,
    part: &str,
    share: f64,
    piece: u64,
    out: &Path,
) -> Result<Value, String> {
    let start = Instant::now();
    let seconds = request.seconds * share;
    let mut sum = empty(part);
    for death in 0..MOST_DEATHS {
        let left = seconds - start.elapsed().as_secs_f64();
        let goal = |n: Option<u64>| n.map(|n| ((n as f64 * share) as u64 / request.jobs as u64).max(1));
        let (inputs, steps) = (goal(request.inputs), goal(request.steps));
        let folder = out.join(death.to_string());
        fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        let seed = request.seed + piece + 1000 * death;
        let status = command(program, part, left.max(0.1), (inputs, steps), seed, &folder)
            .status()
            .map_err(|e| format!("{part}: {e}"))?;
        let report = fs::read_to_string(folder.join("report.json")).unwrap_or_default();
        let report: Value = serde_json::from_str(&report).unwrap_or(json!({}));
        add(&mut sum, &report);
        // a process that ended normally leaves no current input
        let ended = !folder.join("current").exists();
        match status.code() {
            Some(0 | FOUND) if ended => break,
            Some(FOUND) => {} // it hung, and has reported so
            _ => {
                let place = folder.join("current").display().to_string();
                let what = format!("the process ended with {status}");
                push(&mut sum, json!({"kind": "crash", "what": what, "place": place}));
            }
        }
        if start.elapsed().as_secs_f64() >= seconds {
            break;
        }
    }
    Ok(sum)
}

/// The command of a part, with a memory limit if the shell can set one.
fn command(
    program: &Path,
    part: &str,
    seconds: f64,
    goal: (Option<u64>, Option<u64>),
    seed: u64,
    out: &Path,
) -> Command {
    let mut words: Vec<String> = if RUST.contains(&part) {
        vec![shown(program), part.into()]
    } else {
        vec![shown(&python()), shown(&root().join("crates/python/tests/campaign.py")), part.into()]
    };
    words.extend(["--seconds".into(), seconds.to_string(), "--seed".into(), seed.to_string()]);
    words.extend(["--out".into(), shown(out)]);
    for (name, value) in [("--inputs", goal.0), ("--steps", goal.1)] {
        words.extend(value.into_iter().flat_map(|n| [name.to_string(), n.to_string()]));
    }
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {SPACE}; exec \"$@\""), "sh"]);
        shell.args(&words);
        shell
    } else {
        let mut plain = Command::new(&words[0]);
        plain.args(&words[1..]);
        plain
    };
    command.current_dir(root());
    command
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn list<'a>(report: &'a Value, key: &str) -> &'a [Value] {
    report[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn push(sum: &mut Value, finding: Value) {
    if let Some(all) = sum["findings"].as_array_mut() {
        all.push(finding);
    }
}

/// Adds the report of a process to the report of its part.
fn add(sum: &mut Value, report: &Value) {
    for key in ["inputs", "steps"] {
        sum[key] = json!(sum[key].as_u64().unwrap_or(0) + report[key].as_u64().unwrap_or(0));
    }
    for key in ["slowest_s", "peak_mb"] {
        sum[key] = json!(sum[key].as_f64().unwrap_or(0.0).max(report[key].as_f64().unwrap_or(0.0)));
    }
    for (word, n) in report["edges"].as_object().into_iter().flatten() {
        // processes mostly reach the same edges, so the maximum says more than the sum
        sum["edges"][word] = json!(sum["edges"][word].as_u64().max(n.as_u64()));
    }
    for (word, n) in report["outcomes"].as_object().into_iter().flatten() {
        sum["outcomes"][word] = json!(sum["outcomes"][word].as_u64().unwrap_or(0) + n.as_u64().unwrap_or(0));
    }
    list(report, "findings").iter().for_each(|f| push(sum, f.clone()));
}

fn line(report: &Value) -> String {
    let number = |key: &str| report[key].as_f64().unwrap_or(0.0);
    let found = list(report, "findings").len();
    let part = report["part"].as_str().unwrap_or_default();
    format!(
        "{part}: {} inputs, {} steps in {:.0} s, slowest {:.2} s, at most {} MB, {found} findings, {}, edges {}",
        number("inputs"),
        number("steps"),
        number("seconds"),
        number("slowest_s"),
        number("peak_mb"),
        report["outcomes"],
        edges(report),
    )
}

/// Number of edges reached by the seeds, reached at the end, and in total, if they are counted.
fn edges(report: &Value) -> String {
    let edges = &report["edges"];
    if edges.is_null() { String::new() } else { format!("{} to {} of {}", edges["seeds"], edges["end"], edges["all"]) }
}

fn reports_of(whole: &Value) -> impl Iterator<Item = &Value> {
    list(whole, "parts").iter()
}

fn commit() -> String {
    let output = Command::new("git").args(["rev-parse", "--short", "HEAD"]).current_dir(root()).output();
    output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_string()).unwrap_or_default()
}

/// The report as a Markdown page.
fn describe(whole: &Value) -> String {
    let mut out = format!(
        "{INTRODUCTION}\n## Commit {}, seed {}\n\n",
        whole["commit"].as_str().unwrap_or_default(),
        whole["seed"]
    );
    out.push_str("| part | inputs | steps | time, s | slowest input, s | peak memory, MB | edges | findings |\n|---|---|---|---|---|---|---|---|\n");
    let mut sums = [0u64; 3];
    for r in reports_of(whole) {
        let number = |key: &str| r[key].as_f64().unwrap_or(0.0);
        let found = list(r, "findings").len();
        let (inputs, steps) = (r["inputs"].as_u64().unwrap_or(0), r["steps"].as_u64().unwrap_or(0));
        sums = [sums[0] + inputs, sums[1] + steps, sums[2] + found as u64];
        out.push_str(&format!(
            "| {} | {} | {} | {:.0} | {:.2} | {:.0} | {} | {found} |\n",
            r["part"].as_str().unwrap_or_default(),
            grouped(inputs),
            grouped(steps),
            number("seconds"),
            number("slowest_s"),
            number("peak_mb"),
            edges(r),
        ));
    }
    out.push_str(&format!("| all | {} | {} | | | | | {} |\n\n", grouped(sums[0]), grouped(sums[1]), sums[2]));
    out.push_str("How inputs ended:\n\n");
    for r in reports_of(whole) {
        let words = r["outcomes"].as_object().into_iter().flatten().map(|(w, n)| format!("{w} {n}"));
        out.push_str(&format!(
            "- {}: {}\n",
            r["part"].as_str().unwrap_or_default(),
            words.collect::<Vec<_>>().join(", ")
        ));
    }
    out
}

/// A number with digits in groups of three.
fn grouped(n: u64) -> String {
    if n < 1000 { n.to_string() } else { format!("{},{:03}", grouped(n / 1000), n % 1000) }
}

/// Heading from which on the page is written by hand.
const FINDINGS: &str = "\n## What campaigns have found";
/// First part of the page.
const INTRODUCTION: &str = include_str!("campaign.md");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_add_up() {
        let mut sum =
            json!({"inputs": 1, "steps": 2, "slowest_s": 0.5, "peak_mb": 7, "outcomes": {"a": 1}, "findings": []});
        add(
            &mut sum,
            &json!({"inputs": 2, "slowest_s": 0.25, "outcomes": {"a": 1, "b": 3}, "findings": [{"kind": "hang"}]}),
        );
        assert_eq!((&sum["inputs"], &sum["steps"], &sum["slowest_s"]), (&json!(3), &json!(2), &json!(0.5)));
        assert_eq!(sum["outcomes"], json!({"a": 2, "b": 3}));
        add(&mut sum, &json!({"edges": {"all": 9, "seeds": 2, "end": 5}}));
        add(&mut sum, &json!({"edges": {"all": 9, "seeds": 2, "end": 4}}));
        assert_eq!(edges(&sum), "2 to 5 of 9");
        assert_eq!([7, 1000, 1_020_304].map(grouped), ["7", "1,000", "1,020,304"]);
        assert_eq!(list(&sum, "findings").len(), 1);
    }

    #[test]
    fn words_are_understood() {
        let words = |text: &str| request(text.split_whitespace().map(str::to_owned));
        assert!(words("--seconds 5 --seed 7 --only files").is_ok_and(|r| r.seconds == 5.0 && r.seed == 7));
        assert!(words("--inputs 10").is_ok_and(|r| r.inputs == Some(10) && r.seconds > 1e5));
        assert!(words("--inputs many").is_err() && words("--fast").is_err());
        assert!(words("--coverage").is_ok_and(|r| matches!(r.build, Build::Coverage)));
    }
}
