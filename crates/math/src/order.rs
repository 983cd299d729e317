//! Stable sorting by integer keys. All types share one instance of the sort; a generic sort would be compiled for each
//! type.

/// Sorts by a key. Items with equal keys keep their order.
pub fn by_key<T>(items: &mut [T], key: impl Fn(&T) -> u64) {
    let mut order: Vec<(u64, usize)> = items.iter().enumerate().map(|(i, item)| (key(item), i)).collect();
    order.sort_unstable();
    for start in 0..items.len() {
        // the item at the start of a cycle moves along it to its end
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at].1, at);
            if from == start {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests all lists of up to seven items with three keys.
    #[test]
    fn is_the_stable_sort() {
        for (n, code) in (0..8).flat_map(|n| (0..3u64.pow(n)).map(move |code| (n, code))) {
            let mut items: Vec<(u64, u32)> = (0..n).map(|i| (code / 3u64.pow(i) % 3, i)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            by_key(&mut items, |item| item.0);
            assert_eq!(items, expected);
        }
    }
}
