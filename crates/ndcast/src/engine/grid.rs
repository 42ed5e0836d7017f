//! How the line of a result's elements is cut into rows, which are the longest pieces along which every operand that is
//! broadcast goes straight on or stays where it is.

use super::pattern::{PATTERN, is_in_blocks, pattern};
use super::walk::Walk;
use crate::kernel::BLOCK;

/// From this length on, rows are read as such.
const ROW: usize = BLOCK;

/// The rows of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    /// The elements of a row; all there are, or more, if it is not cut.
    pub(crate) row: usize,
    /// A multiple of `row`: the step from row to row changes only at multiples of this.
    pub(crate) cut: usize,
}

/// Some elements of a result that are computed together: a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) len: usize,
    /// Those of a row, if they are whole rows; else all of them.
    pub(crate) columns: usize,
}

/// Rows a constant step apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Apart {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// The elements from the first of one row to the first of the next.
    pub(crate) step: usize,
    /// Whether each is read as one element or as all of them, never as a block that is repeated.
    pub(crate) whole: bool,
}

impl Grid {
    /// One row.
    pub(crate) const NONE: Grid = Grid { row: usize::MAX, cut: usize::MAX };

    /// The rows of so many elements, by the walks of the operands and whether those who read them take row after row. All are
    /// cut where some axis of the result ends, so each length is a multiple of the shorter ones.
    pub(crate) fn of<'w>(walks: impl Iterator<Item = (&'w Walk, bool)>, elements: usize) -> Grid {
        walks.filter_map(|(walk, by_rows)| Grid::of_one(walk, by_rows, elements)).fold(Grid::NONE, |a, b| {
            let (short, long) = if a.row <= b.row { (a, b) } else { (b, a) };
            let cut = if long.row == short.row { long.cut } else { long.row };
            Grid { row: short.row, cut: short.cut.min(cut) }
        })
    }

    /// Cuts rows further, to at most `most` elements, so that each begins with a whole block of every walk that repeats one; if
    /// such rows end where the grid's do, else nothing is cut. They may have `longest` elements if that makes them whole
    /// blocks of the kernels.
    pub(super) fn repeating<'w>(
        self,
        walks: impl Iterator<Item = &'w Walk>,
        elements: usize,
        [most, longest]: [usize; 2],
    ) -> Grid {
        let blocks = walks.filter_map(pattern).map(|(block, _)| block).filter(|&block| !is_in_blocks(block));
        let block = blocks.fold(1, common);
        let whole = Some(common(block, BLOCK)).filter(|&whole| whole <= longest).unwrap_or(block);
        let row = whole * (most / whole).max(1);
        let end = self.row.min(elements);
        let fits = row <= end / 2 && (end == elements || end.is_multiple_of(row));
        if block > 1 && row <= PATTERN && fits { Grid { row, cut: end } } else { self }
    }

    /// Those of one operand, if it has long ones.
    fn of_one(walk: &Walk, by_rows: bool, elements: usize) -> Option<Grid> {
        if walk.is_dense() || walk.is_constant() {
            return None;
        }
        let (row, goes_on) = match pattern(walk) {
            // Of each row a block of the kernels is made; of a longer block there is only one at a time.
            Some((block, times)) => (block * times, by_rows && is_in_blocks(block)),
            None if is_long(walk) => (walk.inner().extent, true),
            None => return None,
        };
        let cut = if goes_on { row * around(walk, row) } else { row };
        (row < elements).then_some(Grid { row, cut })
    }

    /// A tile.
    #[inline]
    pub(crate) fn span(self, from: usize, len: usize) -> Span {
        let Grid { row, cut } = self;
        if len <= row || !len.is_multiple_of(row) || !from.is_multiple_of(row) {
            return Span { len, columns: len };
        }
        Span { len, columns: if from % cut + len <= cut { row } else { len } }
    }
}

/// How many of a walk's rows of so many elements follow one another with a constant step.
fn around(walk: &Walk, row: usize) -> usize {
    let mut inside = 1;
    for axis in walk.axes.iter().rev() {
        if inside == row {
            return axis.extent;
        }
        inside *= axis.extent;
    }
    1
}

/// The least common multiple.
fn common(a: usize, b: usize) -> usize {
    let (mut divisor, mut rest) = (a, b);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    a / divisor * b
}

/// Whether a walk goes straight on or stays where it is for a long way at a time.
pub(super) fn is_long(walk: &Walk) -> bool {
    let inner = walk.inner();
    inner.stride.unsigned_abs() <= 1 && inner.extent >= ROW
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(elements: usize, walks: &[&[(usize, isize)]]) -> Grid {
        let walk = |axes: &&[(usize, isize)]| {
            Walk::new(axes.iter().map(|axis| axis.0), axes.iter().map(|axis| axis.1), 0)
        };
        let walks: Vec<Walk> = walks.iter().map(walk).collect();
        Grid::of(walks.iter().map(|walk| (walk, true)), elements)
    }

    #[test]
    fn rows_end_where_an_operand_ends() {
        let all = 32 * 64 * 3136;
        assert_eq!(grid(all, &[&[(all, 1)], &[(1, 0)]]), Grid::NONE);
        let channels: &[(usize, isize)] = &[(32, 0), (64, 1), (3136, 0)];
        assert_eq!(grid(all, &[channels]), Grid { row: 3136, cut: 64 * 3136 });
        let column: &[(usize, isize)] = &[(32 * 64, 1), (3136, 0)];
        assert_eq!(grid(all, &[column, &[(all, 1)]]), Grid { row: 3136, cut: all });
        let images: &[(usize, isize)] = &[(32, 1), (64 * 3136, 0)];
        assert_eq!(grid(all, &[images, column]), Grid { row: 3136, cut: 64 * 3136 });
        assert_eq!(grid(6000, &[&[(2000, 1), (3, 0)]]), Grid::NONE);
        // The rows of blocks that kernels repeat go on as long as the step from each to the next is one; others do not.
        let blocks: &[(usize, isize)] = &[(4, 0), (16, 32), (32, 0), (32, 1)];
        assert_eq!(grid(65536, &[blocks]), Grid { row: 1024, cut: 16384 });
        assert_eq!(grid(98304, &[&[(4, 0), (16, 48), (32, 0), (48, 1)]]), Grid { row: 1536, cut: 1536 });
        assert_eq!(grid(65536, &[blocks, &[(64, 1), (1024, 0)]]), Grid { row: 1024, cut: 16384 });
        assert_eq!(grid(65536, &[blocks, &[(128, 1), (512, 0)]]), Grid { row: 512, cut: 1024 });
    }

    #[test]
    fn rows_begin_with_a_block() {
        let repeating = |elements: usize, walks: &[&[(usize, isize)]]| {
            let all = walks
                .iter()
                .map(|axes| Walk::new(axes.iter().map(|axis| axis.0), axes.iter().map(|axis| axis.1), 0));
            let all: Vec<Walk> = all.collect();
            let grid = Grid::of(all.iter().map(|walk| (walk, false)), elements);
            grid.repeating(all.iter(), elements, [1024, 1024])
        };
        let of = |row, cut| Grid { row, cut };
        let rows = |n, k| vec![(n, 0), (k, 1)];
        // Whole blocks of the kernels; the rest at the end has to be no whole row.
        assert_eq!(repeating(300_000, &[&rows(100_000, 3)]), of(960, 300_000));
        assert_eq!(repeating(300_000, &[&rows(100_000, 3), &[(300_000, 1)]]), of(960, 300_000));
        assert_eq!(repeating(3 << 20, &[&rows(1 << 20, 3), &rows(1 << 19, 6)]), of(960, 3 << 20));
        assert_eq!(repeating(1 << 20, &[&rows(1024, 1024)]), of(1024, 1 << 20));
        assert_eq!(repeating(300 << 10, &[&rows(1024, 300)]), of(900, 300 << 10));
        // Beside a column, they have to end where its rows do.
        let column: &[(usize, isize)] = &[(100, 1), (3000, 0)];
        assert_eq!(repeating(300_000, &[&rows(100_000, 3), column]), of(3000, 300_000));
        let column: &[(usize, isize)] = &[(100, 1), (2880, 0)];
        assert_eq!(repeating(288_000, &[&rows(96_000, 3), column]), of(960, 2880));
        // What is repeated in every block needs no rows, and of what is too long together there are none.
        assert_eq!(repeating(1 << 20, &[&rows(1 << 16, 16)]), Grid::NONE);
        let (one, two) = (rows(1001 * 1000, 1003), rows(1003 * 1000, 1001));
        assert_eq!(repeating(1001 * 1003 * 1000, &[&one, &two]), Grid::NONE);
    }

    #[test]
    fn tiles_are_whole_rows_or_one() {
        let grid = Grid { row: 100, cut: 400 };
        let one = |len| Span { len, columns: len };
        assert_eq!(grid.span(100, 300), Span { len: 300, columns: 100 });
        assert_eq!(grid.span(400, 400), Span { len: 400, columns: 100 });
        assert_eq!(grid.span(200, 300), one(300));
        assert_eq!(grid.span(110, 90), one(90));
        assert_eq!(grid.span(110, 200), one(200));
        assert_eq!(grid.span(100, 250), one(250));
        assert_eq!(Grid::NONE.span(5, 700), one(700));
    }
}
