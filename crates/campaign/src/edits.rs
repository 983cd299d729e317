//! Random edits of specifications, many more than the loader's tests have time for.

use crate::common::edited::Edits;
use crate::watch::Watch;

/// Number of edit sequences per seed.
const SPAN: u64 = 1 << 32;

pub(crate) fn run(watch: &mut Watch, seed: u64) {
    let edits = Edits::new();
    while watch.goes_on() {
        let number = seed.wrapping_mul(SPAN).wrapping_add(watch.count());
        // the number is the input: it determines all edits
        let input = [("number.txt".to_string(), number.to_string().into_bytes())];
        watch.run(&input, || {
            let mut log = Vec::new();
            let found = edits.one(number, &mut log);
            let found = found.map_err(|what| format!("edit {number}: saving loses {what}\n{}", log.join("\n")));
            Ok(if found? { "compiles" } else { "refused" }.into())
        });
    }
}
