//! Pool of inputs that reached something new and are mutated further.

use crate::common::Random;
use std::time::Duration;

/// Inputs to mutate, and the time each has taken.
pub(crate) struct Pool<T> {
    seeds: Vec<(T, Duration)>,
    kept: Vec<(T, Duration)>,
    /// Capacity.
    most: usize,
}

impl<T> Pool<T> {
    pub fn new(most: usize) -> Self {
        Pool { seeds: Vec::new(), kept: Vec::new(), most }
    }

    /// Adds an input that is never replaced.
    pub fn seed(&mut self, input: T, took: Duration) {
        self.seeds.push((input, took));
    }

    /// Keeps an input, replacing another one if the pool is full.
    pub fn keep(&mut self, input: T, took: Duration, random: &mut Random) {
        if self.kept.len() < self.most {
            self.kept.push((input, took));
        } else {
            self.kept[random.below(self.most)] = (input, took);
        }
    }

    /// Picks an input to mutate. One in three is a seed. Of two candidates the faster one is taken, since a slow one
    /// costs many tries.
    pub fn pick(&self, random: &mut Random) -> &T {
        let list = if self.kept.is_empty() || random.below(3) == 0 { &self.seeds } else { &self.kept };
        let (a, b) = (random.pick(list), random.pick(list));
        if a.1 <= b.1 { &a.0 } else { &b.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_bounded_and_prefers_what_is_quick() {
        let (mut pool, mut random) = (Pool::new(10), Random(1));
        pool.seed(0, Duration::ZERO);
        (1..=10).for_each(|i| pool.keep(i, Duration::from_millis(i % 2), &mut random));
        let picked: Vec<u64> = (0..1000).map(|_| *pool.pick(&mut random)).collect();
        let count = |of: fn(u64) -> bool| picked.iter().filter(|i| of(**i)).count();
        assert!(count(|i| i == 0) > 250);
        assert!(count(|i| i > 0 && i % 2 == 0) > 2 * count(|i| i % 2 == 1));
        (0..100).for_each(|i| pool.keep(i, Duration::ZERO, &mut random));
        assert_eq!((pool.kept.len(), pool.seeds.len()), (10, 1));
    }
}
