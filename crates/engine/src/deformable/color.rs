//! Orders constraints so that neighbours in the list share no particle.

use sinew_math::order::by_key;

/// Sorts constraints by colour. Constraints of one colour share no particle, so none has to wait for the one before it.
/// The sort is stable.
pub fn spread<T: Copy, const N: usize>(list: &mut Vec<T>, particles: usize, at: impl Fn(&T) -> &[u32; N]) {
    // bit set of colours in use at each particle; constraints that find the first 63 taken share the last
    let mut used = vec![0u64; particles];
    let colors: Vec<u64> = list
        .iter()
        .map(|item| {
            let taken = at(item).iter().fold(0, |all, &p| all | used[p as usize]);
            let color = (!taken).trailing_zeros().min(u64::BITS - 1);
            at(item).iter().for_each(|&p| used[p as usize] |= 1 << color);
            color.into()
        })
        .collect();
    let mut order: Vec<usize> = (0..list.len()).collect();
    by_key(&mut order, |&i| colors[i]);
    *list = order.iter().map(|&i| list[i]).collect();
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn links_of_a_chain_take_turns() {
        let mut links: Vec<[u32; 2]> = (0..6).map(|i| [i, i + 1]).collect();
        spread(&mut links, 7, |l| l);
        assert_eq!(links, [[0, 1], [2, 3], [4, 5], [1, 2], [3, 4], [5, 6]]);
    }
}
