//! Lists of integers stored in one array.

/// Lists of integers stored in one array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lists {
    /// All items.
    pub items: Vec<i32>,
    /// End of each list in `items`.
    pub ends: Vec<usize>,
}

impl Lists {
    /// Number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The lists.
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        let start = |i: usize| if i == 0 { 0 } else { self.ends[i - 1] };
        (0..self.len()).map(move |i| &self.items[start(i)..self.ends[i]])
    }

    pub(super) fn push(&mut self, list: &[i32]) {
        self.items.extend(list);
        self.ends.push(self.items.len());
    }

    /// Inverse map: for each of `n` items, the lists that contain it.
    pub(super) fn transposed(&self, n: usize) -> Lists {
        let mut ends = vec![0; n];
        for &item in &self.items {
            ends[item as usize] += 1;
        }
        let mut next: Vec<usize> = Vec::with_capacity(n);
        let mut sum = 0;
        for end in &mut ends {
            next.push(sum);
            sum += *end;
            *end = sum;
        }
        let mut items = vec![0; self.items.len()];
        for (i, list) in self.iter().enumerate() {
            for &item in list {
                items[next[item as usize]] = i as i32;
                next[item as usize] += 1;
            }
        }
        Lists { items, ends }
    }
}
