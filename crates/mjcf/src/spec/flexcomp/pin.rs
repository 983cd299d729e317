//! Which points stay with the parent body.

use super::{Dof, Flexcomp, Kind};
use crate::error::{Error, Result};
use crate::spec::Pins;

impl Pins {
    /// Adds the pins of another element.
    pub(crate) fn join(&mut self, other: Pins) {
        let Pins { id, range, grid, gridrange } = other;
        self.id.extend(id);
        self.range.extend(range);
        self.grid.extend(grid);
        self.gridrange.extend(gridrange);
    }
}

fn invalid<T>(message: impl Into<String>, attribute: &str) -> Result<T> {
    Err(Error::invalid(message).element("pin").attribute(attribute))
}

impl Flexcomp {
    /// One flag per point, or per control node where there are more of them.
    pub(super) fn pinned(&self, points: usize) -> Result<Vec<bool>> {
        let mut pinned = vec![self.rigid; points.max(self.nodes())];
        if self.rigid {
            return Ok(pinned);
        }
        let below = |limit: usize, i: i32, attribute: &str| match usize::try_from(i) {
            Ok(i) if i < limit => Ok(i),
            _ => invalid(format!("there is no point {i}; the largest is {}", limit - 1), attribute),
        };
        for &i in &self.pins.id {
            pinned[below(points, i, "id")?] = true;
        }
        for ends in self.pins.range.chunks_exact(2) {
            let (first, last) = (below(points, ends[0], "range")?, below(points, ends[1], "range")?);
            (first..=last).for_each(|i| pinned[i] = true);
        }
        self.pin_blocks(&self.pins.grid, 1, "grid", &mut pinned)?;
        self.pin_blocks(&self.pins.gridrange, 2, "gridrange", &mut pinned)?;
        // with radial motion the first point is the centre, which stays
        if self.dof == Dof::Radial {
            pinned[0] = true;
        }
        Ok(pinned)
    }

    /// Pins blocks of grid points, each given by `corners` corner points.
    fn pin_blocks(&self, list: &[i32], corners: usize, attribute: &str, pinned: &mut [bool]) -> Result<()> {
        let dim = self.flex.dim as usize;
        let counts = self.counts();
        let mut limit = counts;
        // control nodes of other shapes are addressed on their own grid
        if corners == 1
            && self.kind != Kind::Grid
            && let Some(order) = self.dof.order()
        {
            limit = [order + 1; 3];
        }
        for block in list.chunks_exact(corners * dim) {
            let (mut low, mut high) = ([0; 3], [0; 3]);
            for k in 0..dim {
                for (end, value) in [(&mut low, block[k]), (&mut high, block[(corners - 1) * dim + k])] {
                    match usize::try_from(value) {
                        Ok(i) if i < limit[k] => end[k] = i,
                        _ => return invalid(format!("coordinate {value} lies outside the grid"), attribute),
                    }
                }
            }
            let depth = if dim == 2 { 1 } else { counts[2] };
            for x in low[0]..=high[0] {
                for y in low[1]..=high[1] {
                    for z in low[2]..=high[2] {
                        match pinned.get_mut((x * counts[1] + y) * depth + z) {
                            Some(mark) => *mark = true,
                            None => return invalid("the grid of the counts is larger than the flex", attribute),
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks the lengths of the lists; the dimension is known by now.
    pub(super) fn check_pins(&self) -> Result<()> {
        let dim = self.flex.dim as usize;
        for (list, attribute, multiple) in [
            (&self.pins.range, "range", 2),
            (&self.pins.grid, "grid", dim),
            (&self.pins.gridrange, "gridrange", 2 * dim),
        ] {
            if !list.len().is_multiple_of(multiple) {
                return invalid(format!("the number of values must be a multiple of {multiple}"), attribute);
            }
        }
        if self.pins.grid.is_empty() && self.pins.gridrange.is_empty() {
            return Ok(());
        }
        if self.kind != Kind::Grid && self.dof.order().is_none() {
            return invalid("only grids and interpolated flexes have grid coordinates", "grid");
        }
        if dim == 1 {
            return invalid("a flex of one dimension has no grid coordinates; use id or range", "grid");
        }
        Ok(())
    }
}
