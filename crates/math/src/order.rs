//! Stable sorting by whole numbers. All types share one sort, that of the keys; a sort of each type's own is a copy of its code.

/// Sorts by a key. Items with the same key keep their order.
pub fn by_key<T>(items: &mut [T], key: impl Fn(&T) -> u64) {
    let mut order: Vec<(u64, usize)> = items.iter().enumerate().map(|(i, item)| (key(item), i)).collect();
    order.sort_unstable();
    for start in 0..items.len() {
        // the item that stood at the start of a cycle travels along it to its end
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

    /// All lists of up to seven items with three keys.
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
