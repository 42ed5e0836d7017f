//! The operands aligned under the result, axis by axis.

use std::ops::Range;

use super::{Paint, Role, Style};
use crate::error::{Error, Kind};
use crate::extent::{Dim, Extent};
use crate::plan::{Plan, Source};
use crate::rule::{Dialect, Request, xla};
use crate::shape::Shape;
use crate::unify::{Party, Under};

/// A picture: what is aligned, if anything is, and lines below it.
pub(super) struct Picture {
    pub(super) grid: Option<Grid>,
    pub(super) below: String,
}

impl Picture {
    pub(super) fn text(&self, style: &Style) -> String {
        self.grid.as_ref().map_or(String::new(), |grid| grid.print(style)) + &self.below
    }
}

/// Rows of cells under numbered columns. Wide ones are cut into blocks, very wide ones lose their middle.
pub(super) struct Grid {
    pub(super) corner: &'static str,
    /// The columns that are shown; `None` stands for those left out.
    pub(super) columns: Vec<Option<usize>>,
    pub(super) rows: Vec<Row>,
    /// Columns with a caret under them, in order.
    carets: Vec<usize>,
}

pub(super) struct Row {
    pub(super) label: String,
    /// A cell for each column that is shown.
    pub(super) cells: Vec<Cell>,
    /// What stands to the right of the cells, where there is room.
    pub(super) note: String,
}

type Cell = (Role, String);

const INDENT: &str = "  ";
/// More columns than this are not all shown.
const MOST_COLUMNS: usize = 40;

/// Which of `all` columns are shown: all, or those at both ends and near the first carets.
fn shown(all: usize, carets: &[usize]) -> Vec<Option<usize>> {
    if all <= MOST_COLUMNS {
        return (0..all).map(Some).collect();
    }
    let near = carets.iter().take(4).flat_map(|&caret| caret.saturating_sub(1)..=(caret + 1).min(all - 1));
    let mut columns: Vec<usize> = (0..8).chain(near).chain(all - 8..all).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut shown = vec![];
    for (position, &column) in columns.iter().enumerate() {
        if position > 0 && columns[position - 1] + 1 < column {
            shown.push(None);
        }
        shown.push(Some(column));
    }
    shown
}

impl Grid {
    fn new(corner: &'static str, all: usize, carets: Vec<usize>) -> Grid {
        Grid { corner, columns: shown(all, &carets), rows: vec![], carets }
    }

    /// Adds a row; `cell` is asked for the columns that are shown.
    fn row(&mut self, label: impl Into<String>, note: &str, cell: impl Fn(usize) -> Cell) {
        let left_out = || (Role::Quiet, "...".to_owned());
        let cells = self.columns.iter().map(|column| column.map_or_else(left_out, &cell)).collect();
        self.rows.push(Row { label: label.into(), cells, note: note.to_owned() });
    }

    /// The number of a column, or what stands for those left out.
    pub(super) fn number(column: Option<usize>) -> String {
        column.map_or_else(|| "...".to_owned(), |axis| axis.to_string())
    }

    /// Whether there is a caret under a column.
    pub(super) fn has_caret(&self, column: Option<usize>) -> bool {
        column.is_some_and(|axis| self.carets.binary_search(&axis).is_ok())
    }

    fn print(&self, style: &Style) -> String {
        let count = |text: &str| text.chars().count();
        let label_width =
            self.rows.iter().map(|row| count(&row.label)).max().unwrap_or(0).max(count(self.corner));
        let note_width = self.rows.iter().map(|row| count(&row.note)).max().unwrap_or(0);
        let header: Vec<Cell> =
            self.columns.iter().map(|&column| (Role::Quiet, Grid::number(column))).collect();
        let widths: Vec<usize> = (0..header.len())
            .map(|column| {
                let cells = self.rows.iter().map(|row| count(&row.cells[column].1));
                cells.max().unwrap_or(0).max(count(&header[column].1))
            })
            .collect();
        let has_caret = |column: usize| self.has_caret(self.columns[column]);
        let taken = INDENT.len() + label_width + 1;
        let blocks = blocks(&widths, style.width.saturating_sub(taken));
        let mut text = String::new();
        for (number, block) in blocks.iter().enumerate() {
            let used: usize = taken + widths[block.clone()].iter().map(|width| width + 2).sum::<usize>();
            let room_for_notes = blocks.len() == 1 && used + 3 + note_width <= style.width;
            let mut line = |label: &str, cells: &[Cell], note: &str| {
                let mut line = format!("{INDENT}{label:<label_width$} ");
                for column in block.clone() {
                    let (role, cell) = &cells[column];
                    line.push_str("  ");
                    line.push_str(&pad(cell, widths[column], style.paint, *role));
                }
                if room_for_notes && !note.is_empty() {
                    line.push_str("   ");
                    line.push_str(&style.paint.on(Role::Quiet, note));
                }
                text.push_str(line.trim_end());
                text.push('\n');
            };
            if number > 0 {
                line("", &vec![(Role::Plain, String::new()); widths.len()], "");
            }
            line(self.corner, &header, "");
            for row in &self.rows {
                line(&row.label, &row.cells, &row.note);
            }
            if block.clone().any(has_caret) {
                let caret = |column: usize| {
                    if has_caret(column) { "^".repeat(widths[column]) } else { String::new() }
                };
                line(
                    "",
                    &(0..widths.len()).map(|column| (Role::Wrong, caret(column))).collect::<Vec<_>>(),
                    "",
                );
            }
        }
        text
    }
}

/// Columns of these widths in as many blocks as a line of `width` needs.
fn blocks(widths: &[usize], width: usize) -> Vec<Range<usize>> {
    let mut blocks = vec![];
    let (mut first, mut used) = (0, 0);
    for (column, cell) in widths.iter().map(|width| width + 2).enumerate() {
        if used + cell > width && column > first {
            blocks.push(first..column);
            (first, used) = (column, 0);
        }
        used += cell;
    }
    blocks.push(first..widths.len());
    blocks
}

fn pad(text: &str, width: usize, paint: Paint, role: Role) -> String {
    let missing = width.saturating_sub(text.chars().count());
    let painted = if text.is_empty() { String::new() } else { paint.on(role, text) };
    painted + &" ".repeat(missing)
}

/// The result, and under it how each operand is read.
pub(super) fn of_plan(plan: &Plan<Dim>, request: &Request, spelled: &[String], style: &Style) -> Picture {
    if plan.rank() == 0 {
        let scalars = if plan.operand_count() == 1 { "The operand is" } else { "All operands are" };
        let below = format!("{INDENT}{scalars} one element: there is no axis to broadcast.\n");
        return Picture { grid: None, below };
    }
    let mut grid = Grid::new("axis", plan.rank(), vec![]);
    let shape = Shape::from(plan.shape()).brief().to_string();
    grid.row("result", &shape, |axis| (Role::Result, plan.shape()[axis].to_string()));
    for (operand, sources) in plan.operands().enumerate().take(MOST_OPERANDS) {
        let own = request.read(operand);
        let extent = |a: usize| own.dims().and_then(|dims| dims.get(a)).map_or(String::new(), Dim::to_string);
        let note = spelled.get(operand).map_or("", String::as_str);
        grid.row(format!("operand {operand}"), note, |axis| match sources[axis] {
            Source::Axis(a) => (Role::Plain, extent(a)),
            Source::Stretched(_) => (Role::Stretched, format!("1→{}", plan.shape()[axis])),
            Source::New => (Role::Quiet, "·".to_owned()),
            Source::Undecided(a) => (Role::Undecided, format!("{}~", extent(a))),
        });
    }
    let below = more_operands(plan.operand_count()) + &legend(plan, style);
    Picture { grid: Some(grid), below }
}

/// More operands than this are not all shown.
const MOST_OPERANDS: usize = 16;

fn more_operands(count: usize) -> String {
    match count.checked_sub(MOST_OPERANDS) {
        None | Some(0) => String::new(),
        Some(1) => format!("{INDENT}and 1 operand more\n"),
        Some(more) => format!("{INDENT}and {more} operands more\n"),
    }
}

/// What the marks in the picture mean, those that are in it.
fn legend(plan: &Plan<Dim>, style: &Style) -> String {
    let any = |test: fn(&Source) -> bool| plan.operands().flatten().any(test);
    let mut marks = vec![];
    if any(|source| matches!(source, Source::Stretched(_))) {
        marks.push(style.paint.on(Role::Stretched, "1→n") + " stretches");
    }
    if any(|source| matches!(source, Source::New)) {
        marks.push(style.paint.on(Role::Quiet, "·") + " new axis");
    }
    if any(|source| matches!(source, Source::Undecided(_))) {
        marks.push(style.paint.on(Role::Undecided, "~") + " walks, or stretches if it is 1");
    }
    if marks.is_empty() { String::new() } else { format!("{INDENT}{}\n", marks.join("   ")) }
}

/// The operands as they were laid, or the list of axes, with a caret under what is wrong.
pub(super) fn of_error(error: &Error, request: &Request, spelled: &[String], style: &Style) -> Picture {
    let operand = || request.shapes.first().and_then(Shape::dims).unwrap_or(&[]);
    let mut below = String::new();
    let grid = match error.kind() {
        Kind::ExtentMismatch { axes, layout, .. } => {
            below = more_operands(request.shapes.len());
            laid(request, layout, axes, spelled)
        }
        Kind::ExtentUnknown { .. } if request.rule == &xla::BROADCAST => {
            return plain(request, spelled, style);
        }
        Kind::RankTooHigh { .. } if request.axis.is_some_and(|axis| axis >= 0) => {
            return plain(request, spelled, style);
        }
        Kind::RankTooHigh { rank, limit, .. } => {
            let layout = right_aligned(request);
            laid(request, &layout, &(0..rank.saturating_sub(*limit)).collect::<Vec<_>>(), spelled)
        }
        Kind::OperandTooShort { axis, .. }
        | Kind::ScalarAxes { axis, .. }
        | Kind::ExtentUnknown { axis, .. } => laid(request, &left_aligned(request), &[*axis], spelled),
        Kind::AxesCount { expected, found } => {
            let (least, most) = (*expected.min(found), *expected.max(found));
            list(mapped(request), request, (least..most).collect())
        }
        // nGraph lists the axes that the operand does not have.
        Kind::AxisNegative { .. } | Kind::AxisOutOfRange { .. }
            if request.rule.dialect == Dialect::NGraph =>
        {
            return plain(request, spelled, style);
        }
        Kind::AxesOrder { position, .. }
        | Kind::AxisNegative { position: Some(position), .. }
        | Kind::AxisOutOfRange { position: Some(position), .. } => {
            list(mapped(request), request, vec![*position])
        }
        Kind::AxesRepeated { axis } => {
            let axes = request.axes.as_deref().unwrap_or(&[]);
            let carets = axes.iter().enumerate().filter(|(_, a)| *a == axis).map(|(position, _)| position);
            list(operand(), request, carets.collect())
        }
        _ => return plain(request, spelled, style),
    };
    Picture { grid: Some(grid), below }
}

/// The operand that a list of axes maps: the one of lower rank.
fn mapped(request: &Request) -> &[Dim] {
    request.shapes.iter().filter_map(Shape::dims).min_by_key(|dims| dims.len()).unwrap_or(&[])
}

/// The operand's extents over the list of axes.
fn list(operand: &[Dim], request: &Request, carets: Vec<usize>) -> Grid {
    let axes = request.axes.as_deref().unwrap_or(&[]);
    let mut grid = Grid::new("axis of the operand", operand.len().max(axes.len()), carets);
    let or_none = |text: Option<String>| (Role::Plain, text.unwrap_or_else(|| "-".to_owned()));
    grid.row("its extent", "", |i| or_none(operand.get(i).map(Dim::to_string)));
    grid.row("lies on axis", "", |i| or_none(axes.get(i).map(i64::to_string)));
    grid
}

fn laid(request: &Request, layout: &[Under], carets: &[usize], spelled: &[String]) -> Grid {
    let columns = layout.first().map_or(0, |under| under.axes.len());
    let mut grid = Grid::new("axis", columns, carets.to_vec());
    let (targets, operands): (Vec<_>, Vec<_>) = layout.iter().partition(|under| under.party == Party::Target);
    for under in targets.into_iter().chain(operands).take(MOST_OPERANDS) {
        let (label, shape, note) = match under.party {
            Party::Target => ("target".to_owned(), request.target.clone(), ""),
            Party::Operand(_) | Party::Selection => {
                let operand = if let Party::Operand(operand) = under.party { operand } else { 0 };
                let note = spelled.get(operand).map_or("", String::as_str);
                (format!("operand {operand}"), Some(request.read(operand)), note)
            }
        };
        let dims = shape.as_ref().and_then(Shape::dims);
        grid.row(label, note, |axis| match under.axes[axis].and_then(|own| dims?.get(own)) {
            Some(dim) if carets.binary_search(&axis).is_ok() && !dim.is_one() => {
                (Role::Wrong, dim.to_string())
            }
            Some(dim) if under.party == Party::Target => (Role::Result, dim.to_string()),
            Some(dim) => (Role::Plain, dim.to_string()),
            None => (Role::Quiet, "·".to_owned()),
        });
    }
    grid
}

fn parties(request: &Request) -> Vec<(Party, usize)> {
    let rank = |operand: usize| Some((Party::Operand(operand), request.read(operand).rank()?));
    let operands = (0..request.shapes.len()).filter_map(rank);
    operands.chain(request.target.iter().filter_map(|target| Some((Party::Target, target.rank()?)))).collect()
}

fn right_aligned(request: &Request) -> Vec<Under> {
    let parties = parties(request);
    let columns = parties.iter().map(|(_, rank)| *rank).max().unwrap_or(0);
    let axes = |rank: usize| (0..columns).map(|axis| (axis + rank).checked_sub(columns)).collect();
    parties.into_iter().map(|(party, rank)| Under { party, axes: axes(rank) }).collect()
}

fn left_aligned(request: &Request) -> Vec<Under> {
    let parties = parties(request);
    let columns = parties.iter().map(|(_, rank)| *rank).max().unwrap_or(0);
    let axes = |rank: usize| (0..columns).map(|axis| (axis < rank).then_some(axis)).collect();
    parties.into_iter().map(|(party, rank)| Under { party, axes: axes(rank) }).collect()
}

/// Where nothing can be aligned, the shapes alone.
fn plain(request: &Request, spelled: &[String], style: &Style) -> Picture {
    let mut text = String::new();
    for (operand, spelled) in spelled.iter().enumerate().take(MOST_OPERANDS) {
        text.push_str(&format!("{INDENT}operand {operand:<4}{spelled}\n"));
    }
    text.push_str(&more_operands(spelled.len()));
    if let Some(target) = &request.target {
        text.push_str(&format!("{INDENT}target      {}\n", target.brief()));
    }
    if let Some(axes) = &request.axes {
        let axes = crate::shape::List(axes).to_string();
        text.push_str(&format!("{INDENT}axes        {}\n", style.paint.on(Role::Wrong, &axes)));
    }
    Picture { grid: None, below: text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::Explanation;
    use crate::rule::openvino;

    /// Of operands that are not aligned so many are shown, the others counted, and where they begin is not forgotten.
    #[test]
    fn many_operands_that_are_not_aligned() {
        for (others, counted) in
            [(15, None), (16, Some("  and 1 operand more\n")), (30, Some("  and 15 operands more\n"))]
        {
            let mut shapes: Vec<Shape> = vec!["2x3".parse().unwrap(); others];
            shapes.push("2x3x4x5".parse().unwrap());
            let request = Request { axis: Some(1), ..Request::new(&openvino::ELTWISE_PDPD, shapes) };
            let text = Explanation::new(&request).text(&Style::default());
            let shown = text.lines().filter(|line| line.starts_with("  operand ")).count();
            assert_eq!(shown, MOST_OPERANDS.min(others + 1), "{text}");
            assert_eq!(text.contains(" more\n"), counted.is_some(), "{text}");
            assert!(counted.is_none_or(|counted| text.contains(counted)), "{text}");
            let error = request.answer().unwrap_err().to_string();
            assert!(
                error.contains(&format!(" and {} more do not broadcast from axis 1 on: ", others - 7)),
                "{error}"
            );
        }
    }
}
