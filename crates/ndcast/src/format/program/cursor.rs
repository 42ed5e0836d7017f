//! A place that moves along a text: words, numbers, strings, brackets. Both texts are read with it.
//!
//! It looks at characters and not at tokens, because what `4x6xf32` or `-1` is depends on where it stands.

use std::cell::Cell;

use super::Place;
use crate::error::Error;

/// How deep brackets may lie within each other where reading them recurses.
const DEEPEST: usize = 64;

pub(in crate::format) struct Cursor<'t> {
    text: &'t str,
    at: usize,
    /// Where lines begin.
    lines: Vec<usize>,
    /// The mark whose place was asked for last, and the place. The next one is mostly near it, and a line may be as long as a
    /// constant: counted from where it begins for each element, it would take the square of its length.
    last: Cell<(usize, Place)>,
    depth: usize,
}

impl<'t> Cursor<'t> {
    pub(in crate::format) fn new(text: &'t str) -> Cursor<'t> {
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        Cursor { text, at: 0, lines, last: Cell::new((0, Place { line: 1, column: 1 })), depth: 0 }
    }

    /// Where it is, to come back to.
    pub(in crate::format) fn mark(&self) -> usize {
        self.at
    }

    /// Where what comes next begins.
    pub(in crate::format) fn start(&mut self) -> usize {
        self.skip();
        self.at
    }

    /// Past one character.
    pub(in crate::format) fn step(&mut self) {
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
    }

    pub(in crate::format) fn back(&mut self, mark: usize) {
        self.at = mark.min(self.text.len());
    }

    /// The line and the column of a mark, in characters.
    pub(in crate::format) fn place_of(&self, mark: usize) -> Place {
        let line = self.lines.partition_point(|&start| start <= mark).max(1);
        let characters = |from: usize, to: usize| self.text.get(from..to).unwrap_or_default().chars().count();
        let column = match self.last.get() {
            (_, place) if place.line != line => characters(self.lines[line - 1], mark) + 1,
            (near, place) if near <= mark => place.column + characters(near, mark),
            (near, place) => place.column.saturating_sub(characters(mark, near)),
        };
        let place = Place { line, column };
        self.last.set((mark, place));
        place
    }

    /// The place of what comes next.
    pub(in crate::format) fn place(&mut self) -> Place {
        self.skip();
        self.place_of(self.at)
    }

    /// An error where it is, with what stands there.
    pub(in crate::format) fn expected(&mut self, what: &str) -> Error {
        let place = self.place();
        let rest = self.rest();
        let line = rest.lines().next().unwrap_or_default();
        if rest.is_empty() {
            return place.wrong(format!("the text ends where {what} must be"));
        }
        let few: String = line.chars().take(24).collect();
        let dots = if few.len() < line.len() { "..." } else { "" };
        place.wrong(format!("there is `{few}{dots}` where {what} must be"))
    }

    pub(in crate::format) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// What was read since a mark.
    pub(in crate::format) fn since(&self, mark: usize) -> &'t str {
        self.text.get(mark..self.at).unwrap_or_default()
    }

    /// Past spaces and comments.
    pub(in crate::format) fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let spaces = rest.len() - rest.trim_start().len();
            self.at += spaces;
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            } else if spaces == 0 {
                return;
            }
        }
    }

    /// The next character, past spaces.
    pub(in crate::format) fn peek(&mut self) -> Option<char> {
        self.skip();
        self.rest().chars().next()
    }

    pub(in crate::format) fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Whether this comes next, past spaces. A word must end where it ends.
    pub(in crate::format) fn sees(&mut self, what: &str) -> bool {
        self.skip();
        let rest = self.rest();
        rest.starts_with(what) && !(what.ends_with(in_word) && rest[what.len()..].starts_with(in_word))
    }

    /// Past this, if it comes next.
    pub(in crate::format) fn eat(&mut self, what: &str) -> bool {
        let seen = self.sees(what);
        self.at += if seen { what.len() } else { 0 };
        seen
    }

    pub(in crate::format) fn expect(&mut self, what: &str) -> Result<(), Error> {
        if self.eat(what) { Ok(()) } else { Err(self.expected(&format!("`{what}`"))) }
    }

    /// All characters that are so, none skipped before.
    pub(in crate::format) fn run(&mut self, is: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !is(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// A word: letters, digits, `_`, `$` and dots; it does not begin with a digit.
    pub(in crate::format) fn word(&mut self) -> Option<&'t str> {
        let start = self.peek()?;
        (start.is_ascii_alphabetic() || start == '_').then(|| self.run(in_name))
    }

    /// The name behind a sigil such as `%`, which is passed already.
    pub(in crate::format) fn name(&mut self) -> Result<&'t str, Error> {
        let name = self.run(|c| in_name(c) || c == '-');
        if name.is_empty() { Err(self.expected("a name")) } else { Ok(name) }
    }

    /// A whole number in decimals.
    pub(in crate::format) fn integer(&mut self) -> Result<i64, Error> {
        self.skip();
        let mark = self.at;
        self.at += usize::from(self.rest().starts_with('-'));
        self.run(|c| c.is_ascii_digit());
        let found = self.since(mark).parse();
        found.map_err(|_| {
            self.at = mark;
            self.expected("a whole number")
        })
    }

    /// A string in quotes, with what is written for other characters.
    pub(in crate::format) fn string(&mut self) -> Result<String, Error> {
        self.skip();
        let inside = self.raw_string()?;
        let mut bytes = Vec::with_capacity(inside.len());
        let mut rest = inside.bytes();
        while let Some(byte) = rest.next() {
            if byte != b'\\' {
                bytes.push(byte);
                continue;
            }
            let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            match rest.next() {
                Some(b'n') => bytes.push(b'\n'),
                Some(b't') => bytes.push(b'\t'),
                Some(high) if digit(high).is_some() => {
                    let low = rest.next().and_then(digit).unwrap_or(0);
                    bytes.push(digit(high).unwrap_or(0) << 4 | low);
                }
                Some(other) => bytes.push(other),
                None => {}
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What stands between quotes, as it is written.
    pub(in crate::format) fn raw_string(&mut self) -> Result<&'t str, Error> {
        self.skip();
        if !self.rest().starts_with('"') {
            return Err(self.expected("a string in quotes"));
        }
        let bytes = self.rest().as_bytes();
        let mut end = 1;
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        if end >= bytes.len() {
            return Err(self.place_of(self.at).wrong("the string does not end"));
        }
        let inside = &self.rest()[1..end];
        self.at += end + 1;
        Ok(inside)
    }

    /// Past a bracket and all up to the one that closes it.
    pub(in crate::format) fn balanced(&mut self) -> Result<(), Error> {
        self.skip();
        let start = self.at;
        let mut open: Vec<char> = Vec::new();
        while let Some(c) = self.peek() {
            match c {
                '"' => {
                    self.raw_string()?;
                    continue;
                }
                // An arrow closes nothing, and what compares is no bracket: `f32[<=5]`, `affine_set<(d0) : (d0 >= 0)>`.
                '-' if self.rest().starts_with("->") => self.at += 1,
                '<' if self.rest().starts_with("<=") => {}
                '>' if self.rest().starts_with(">=") && open.last() != Some(&'>') => {}
                '(' => open.push(')'),
                '[' => open.push(']'),
                '{' => open.push('}'),
                '<' => open.push('>'),
                c if open.last() == Some(&c) => {
                    open.pop();
                }
                ')' | ']' | '}' | '>' => {
                    return Err(self.expected(&format!("`{}`", open.last().copied().unwrap_or('('))));
                }
                _ => {}
            }
            self.at += c.len_utf8();
            if open.is_empty() {
                return Ok(());
            }
        }
        Err(self.place_of(start).wrong("the bracket is not closed"))
    }

    /// Reads something that may lie within its like, but not as deep as one likes.
    pub(in crate::format) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.depth >= DEEPEST {
            let place = self.place();
            return Err(place.wrong(format!("more than {DEEPEST} brackets lie within each other")));
        }
        self.depth += 1;
        let made = read(self);
        self.depth -= 1;
        made
    }

    /// Things between brackets, with commas between them.
    pub(in crate::format) fn listed<T>(
        &mut self,
        [open, close]: [&str; 2],
        mut read: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        self.expect(open)?;
        let mut all = Vec::new();
        if self.eat(close) {
            return Ok(all);
        }
        loop {
            all.push(read(self)?);
            if self.eat(close) {
                return Ok(all);
            }
            if !self.eat(",") {
                return Err(self.expected(&format!("`,` or `{close}`")));
            }
        }
    }
}

fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn in_name(c: char) -> bool {
    in_word(c) || c == '$' || c == '.'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_characters() {
        let mut cursor = Cursor::new("\u{e4}\u{f6} x\n  // nothing\n  y");
        assert_eq!(cursor.place_of(5), Place { line: 1, column: 4 });
        assert!(cursor.eat("\u{e4}\u{f6}") && cursor.eat("x"));
        assert_eq!(cursor.place(), Place { line: 3, column: 3 });
        // Whichever was asked for before.
        for (mark, line, column) in
            [(5, 1, 4), (2, 1, 2), (0, 1, 1), (21, 3, 2), (4, 1, 3), (20, 3, 1), (22, 3, 3), (19, 2, 13)]
        {
            assert_eq!(cursor.place_of(mark), Place { line, column }, "{mark}");
        }
    }

    #[test]
    fn strings_and_brackets() {
        let mut cursor = Cursor::new(r#"("a)\"" -> [{<1>}]) "\41\0Ab\\""#);
        cursor.balanced().unwrap();
        assert_eq!(cursor.string().unwrap(), "A\nb\\");
        assert!(cursor.at_end());
        for whole in ["(x: f32[<=5], y: s32[2,<=3])", "<(d0) : (d0 >= 0, d0 <= 5)>", "<a->b>", "{a = <b>}"] {
            let mut cursor = Cursor::new(whole);
            cursor.balanced().unwrap();
            assert!(cursor.at_end(), "{whole}");
        }
        for wrong in ["(]", "(", "\"", "\"\\"] {
            assert!(Cursor::new(wrong).balanced().is_err(), "{wrong}");
        }
    }

    #[test]
    fn words_end_where_they_end() {
        let mut cursor = Cursor::new("location loc(1)");
        assert!(!cursor.eat("loc"));
        assert_eq!(cursor.word(), Some("location"));
        assert!(cursor.eat("loc") && cursor.eat("("));
    }
}
