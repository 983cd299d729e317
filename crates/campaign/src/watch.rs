//! Monitors the inputs of a part: time, memory, and panics.

use crate::Arguments;
use crate::coverage::Coverage;
use crate::report::{Finding, Report};
use std::io::{Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// CPU time after which an input counts as hanging.
const PATIENCE: Duration = Duration::from_secs(20);
/// Memory above which an input is a finding. (byte)
const MEMORY: u64 = 2 << 30;
/// Exit status if something was found.
pub(crate) const FOUND: u8 = 3;
/// Interval for writing the report, in case the process dies.
const FLUSH: Duration = Duration::from_secs(1);
/// Folder of the current input, where the parent process finds it if this one dies.
const CURRENT: &str = "current";
/// Location of the last panic.
static PLACE: Mutex<String> = Mutex::new(String::new());
/// Files of an input: names and contents.
pub(crate) type Files = Vec<(String, Vec<u8>)>;

/// What was observed of an input.
pub(crate) struct Seen {
    /// Whether it reached something new, if branches are counted.
    pub new: Option<bool>,
    /// CPU time.
    pub took: Duration,
}

/// State shared with the thread that detects hangs.
struct Shared {
    report: Report,
    begun: Option<Duration>,
    input: Files,
}

/// The monitor of a part.
pub(crate) struct Watch {
    shared: Arc<Mutex<Shared>>,
    start: Instant,
    flushed: Instant,
    current: std::fs::File,
    coverage: Option<Coverage>,
    out: PathBuf,
    goal: (f64, u64, u64),
}

impl Watch {
    pub fn new(arguments: &Arguments) -> std::io::Result<Self> {
        std::fs::create_dir_all(&arguments.out)?;
        let report = Report { part: format!("{:?}", arguments.part).to_lowercase(), ..Report::default() };
        let shared = Arc::new(Mutex::new(Shared { report, begun: None, input: Files::new() }));
        let (out, start) = (arguments.out.clone(), Instant::now());
        let seen = (shared.clone(), out.clone());
        std::thread::spawn(move || look_for_hangs(&seen.0, &seen.1, start));
        // panics are reported as findings
        std::panic::set_hook(Box::new(|info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            *PLACE.lock().unwrap_or_else(PoisonError::into_inner) = place;
        }));
        let current = std::fs::File::create(out.join(CURRENT))?;
        let goal = (arguments.seconds, arguments.inputs, arguments.steps);
        Ok(Watch { shared, start, flushed: start, current, coverage: Coverage::new(), out, goal })
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there is time for another input.
    pub fn goes_on(&self) -> bool {
        let (seconds, inputs, steps) = self.goal;
        let shared = self.shared();
        self.start.elapsed().as_secs_f64() < seconds && shared.report.inputs < inputs && shared.report.steps < steps
    }

    /// Number of inputs so far.
    pub fn count(&self) -> u64 {
        self.shared().report.inputs
    }

    /// Counts steps.
    pub fn steps(&self, steps: u64) {
        self.shared().report.steps += steps;
    }

    /// Records that all seeds have been tried: coverage gained from now on is due to mutations.
    pub fn seeded(&mut self) {
        self.coverage.iter_mut().for_each(Coverage::seeded);
    }

    /// Processes an input. `work` returns its outcome as a word that is counted, or `Err` with a description of a
    /// finding.
    pub fn run(&mut self, input: &[(String, Vec<u8>)], work: impl FnOnce() -> Result<String, String>) -> Seen {
        if let Err(error) = self.remember(input) {
            eprintln!("the input at work cannot be written: {error}");
        }
        let begun = self.busy();
        {
            let mut shared = self.shared();
            shared.begun = Some(begun);
            shared.input = input.to_vec();
        }
        self.coverage.iter().for_each(Coverage::clear);
        let result = catch_unwind(AssertUnwindSafe(work));
        let new = self.coverage.as_mut().map(Coverage::look);
        let took = self.busy().saturating_sub(begun);
        let peak = peak_memory();
        let mut shared = self.shared();
        shared.begun = None;
        let report = &mut shared.report;
        report.inputs += 1;
        report.slowest = report.slowest.max(took);
        report.peak = report.peak.max(peak);
        let bad = match result {
            Ok(Ok(word)) => {
                *report.outcomes.entry(word).or_default() += 1;
                (peak > MEMORY).then(|| ("memory", format!("{} MB", peak >> 20)))
            }
            Ok(Err(what)) => Some(("wrong", what)),
            Err(panic) => Some(("panic", words(&*panic))),
        };
        drop(shared);
        if let Some((kind, what)) = bad {
            self.found(kind, what, input);
        }
        if peak > MEMORY / 2 {
            // resets the peak, so that the next one belongs to its input, if the system allows it
            let _ = std::fs::write("/proc/self/clear_refs", "5");
        }
        if self.flushed.elapsed() > FLUSH {
            self.flushed = Instant::now();
            self.flush();
        }
        Seen { new, took }
    }

    fn busy(&self) -> Duration {
        processor_time().unwrap_or_else(|| self.start.elapsed())
    }

    fn remember(&mut self, input: &[(String, Vec<u8>)]) -> std::io::Result<()> {
        self.current.set_len(0)?;
        self.current.rewind()?;
        let mut packed = Vec::new();
        for (name, content) in input {
            writeln!(packed, "=== {name} {}", content.len())?;
            packed.extend(content);
            packed.push(b'\n');
        }
        self.current.write_all(&packed)
    }

    fn found(&mut self, kind: &str, what: String, input: &[(String, Vec<u8>)]) {
        let out = self.out.clone();
        let mut shared = self.shared();
        let report = &mut shared.report;
        save(report, &out, kind, what, input);
    }

    fn flush(&self) {
        let mut shared = self.shared();
        shared.report.edges = self.coverage.as_ref().map(Coverage::edges);
        write_report(&shared.report, &self.out, self.start);
    }

    /// Writes the report; returns the number of findings.
    pub fn finish(self) -> std::io::Result<usize> {
        self.flush();
        std::fs::remove_file(self.out.join(CURRENT))?;
        Ok(self.shared().report.findings.len())
    }
}

/// Ends the process when an input hangs: its thread cannot be stopped any other way.
fn look_for_hangs(shared: &Mutex<Shared>, out: &Path, start: Instant) {
    loop {
        std::thread::sleep(Duration::from_millis(250));
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let now = processor_time().unwrap_or_else(|| start.elapsed());
        if shared.begun.is_some_and(|begun| now.saturating_sub(begun) > PATIENCE) {
            let input = std::mem::take(&mut shared.input);
            let words = format!("longer than {} s", PATIENCE.as_secs());
            save(&mut shared.report, out, "hang", words, &input);
            write_report(&shared.report, out, start);
            std::process::exit(i32::from(FOUND));
        }
    }
}

/// Saves an input in a new folder.
fn save(report: &mut Report, out: &Path, kind: &str, what: String, input: &[(String, Vec<u8>)]) {
    let place = out.join(format!("{}-{kind}-{}", report.part, report.inputs));
    let written = std::fs::create_dir_all(&place).and_then(|()| {
        input.iter().try_for_each(|(name, content)| std::fs::write(place.join(name.replace('/', "_")), content))
    });
    if let Err(error) = written {
        eprintln!("{}: {error}", place.display());
    }
    eprintln!("{}: {kind}: {what}: {}", report.part, place.display());
    report.findings.push(Finding { kind: kind.into(), what, place: place.display().to_string() });
}

fn write_report(report: &Report, out: &Path, start: Instant) {
    let text = report.json(start.elapsed().as_secs_f64()).to_string();
    if let Err(error) = std::fs::write(out.join("report.json"), text) {
        eprintln!("{}: {error}", out.display());
    }
}

/// CPU time of this process, if the system reports it; wall time depends on the load of the machine.
fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // the program's name comes first and may contain anything
    let mut numbers = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks: u64 = numbers.next()?.parse::<u64>().ok()? + numbers.next()?.parse::<u64>().ok()?;
    Some(Duration::from_millis(10 * ticks))
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_string())).unwrap_or_default();
    format!("{text} at {}", PLACE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Peak memory of this process, if the system reports it. (byte)
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) * 1024
}
