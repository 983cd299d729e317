//! Specifications edited at random, far beyond what the tests of the loader have time for.

use crate::common::edited::Edits;
use crate::watch::Watch;

/// Numbers of edits that belong to a seed.
const SPAN: u64 = 1 << 32;

pub(crate) fn run(watch: &mut Watch, seed: u64) {
    let edits = Edits::new();
    while watch.goes_on() {
        let number = seed.wrapping_mul(SPAN).wrapping_add(watch.count());
        // the number is the input: what it does follows from it
        let input = [("number.txt".to_string(), number.to_string().into_bytes())];
        watch.run(&input, || {
            let mut log = Vec::new();
            let found = edits.one(number, &mut log);
            let found = found.map_err(|what| format!("edit {number}: saving loses {what}\n{}", log.join("\n")));
            Ok(if found? { "compiles" } else { "refused" }.into())
        });
    }
}
