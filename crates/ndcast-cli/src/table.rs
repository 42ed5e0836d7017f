//! Tables as text: columns as wide as what is in them, and where that is too wide for the terminal, cells of several
//! lines.

/// A table: what stands above each column, and the rows, each with a cell a column.
pub(crate) struct Table<const N: usize> {
    pub(crate) head: [&'static str; N],
    pub(crate) rows: Vec<[String; N]>,
}

/// What stands in an empty cell.
const EMPTY: &str = "·";
/// Columns of the terminal between two of the table.
const GAP: usize = 2;

impl<const N: usize> Table<N> {
    /// The table in so many columns of the terminal, or more where its longest words need them.
    pub(crate) fn text(&self, width: usize) -> String {
        let widths = self.widths(width);
        let head = self.head.map(str::to_owned);
        let mut text = line_of(&head, &widths);
        for row in &self.rows {
            text.push_str(&line_of(row, &widths));
        }
        text
    }

    /// How wide each column is: as wide as it would be, or where that is too much, the widest of them narrower.
    fn widths(&self, width: usize) -> [usize; N] {
        let head = self.head.map(str::to_owned);
        let cells = |column: usize| self.rows.iter().chain([&head]).map(move |row| row[column].as_str());
        let most = |column, of: fn(&str) -> usize| cells(column).map(of).max().unwrap_or(0).max(1);
        let mut widths: [usize; N] = std::array::from_fn(|column| most(column, length));
        let least: [usize; N] = std::array::from_fn(|column| most(column, longest_piece));
        while widths.iter().sum::<usize>() + GAP * N.saturating_sub(1) > width {
            let shrinkable = (0..N).filter(|&column| widths[column] > least[column]);
            let Some(widest) = shrinkable.max_by_key(|&column| widths[column]) else { break };
            widths[widest] -= 1;
        }
        widths
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn longest_piece(text: &str) -> usize {
    pieces(text).map(|(_, piece)| length(piece)).max().unwrap_or(0)
}

/// What a line may be broken between: words, and parts of such as `compare[direction=LT,type=TOTALORDER]`. Each with what is
/// between it and the one before on the same line.
fn pieces(text: &str) -> impl Iterator<Item = (&'static str, &str)> {
    text.split(' ').flat_map(|word| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bracket = rest.find('[').filter(|&place| place > 0);
            let behind = rest.find([',', '=', '_']).map(|place| place + 1).filter(|_| word.contains('['));
            let end = [bracket, behind].into_iter().flatten().min().unwrap_or(rest.len());
            let (piece, left) = rest.split_at(end);
            rest = left;
            (!piece.is_empty()).then_some(piece)
        })
        .enumerate()
        .map(|(place, piece)| (if place == 0 { " " } else { "" }, piece))
    })
}

/// A row's cells side by side, each broken between words.
fn line_of(row: &[String], widths: &[usize]) -> String {
    let cells: Vec<Vec<String>> = row.iter().zip(widths).map(|(cell, &width)| broken(cell, width)).collect();
    let lines = cells.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::new();
    for line in 0..lines {
        let mut written = String::new();
        for (cell, width) in cells.iter().zip(widths) {
            let part = cell.get(line).map_or("", String::as_str);
            written.push_str(part);
            written.extend(std::iter::repeat_n(' ', width + GAP - length(part).min(*width)));
        }
        text.push_str(written.trim_end());
        text.push('\n');
    }
    text
}

fn broken(cell: &str, width: usize) -> Vec<String> {
    if cell.is_empty() {
        return vec![EMPTY.to_owned()];
    }
    let mut lines: Vec<String> = Vec::new();
    for (between, piece) in pieces(cell) {
        match lines.last_mut() {
            Some(line) if length(line) + length(between) + length(piece) <= width => {
                line.push_str(between);
                line.push_str(piece);
            }
            _ => lines.push(piece.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table<2> {
        let row = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
        Table { head: ["name", "says"], rows: vec![row("a", "one two three"), row("bb", "")] }
    }

    #[test]
    fn wide_and_narrow() {
        assert_eq!(table().text(80), "name  says\na     one two three\nbb    ·\n");
        assert_eq!(table().text(13), "name  says\na     one two\n      three\nbb    ·\n");
        assert_eq!(broken("a Mod[fmod=1,int]", 11), ["a Mod[fmod=", "1,int]"]);
        // No word is broken, however little room there is.
        assert_eq!(table().text(1), "name  says\na     one\n      two\n      three\nbb    ·\n");
    }
}
