//! A graph from its text; see the module `text`. Every node goes through [`Graph::add`], so what is read is checked as what
//! is built.

use std::collections::HashMap;
use std::str::FromStr;

use ndcast_shape::Shape;

use super::attributes::Attributes;
use super::{Arguments, Graph, Id, Kind};
use crate::dtype::DType;
use crate::error::{Error, ErrorKind};

impl FromStr for Graph {
    type Err = Error;

    /// Reads what a graph prints.
    ///
    /// ```
    /// use ndcast::graph::Graph;
    /// let text = "%0 = input \"x\" dtype=f32 shape=Nx3\n%1 = exp(%0)\noutput \"y\" = %1\n";
    /// let graph: Graph = text.parse()?;
    /// assert!(graph.to_string().contains("%1 = exp(%0) : f32 Nx3"));
    /// let wrong = "%0 = input \"x\" dtype=f32 shape=3\n%1 = exq(%0)\n".parse::<Graph>();
    /// assert!(wrong.unwrap_err().to_string().starts_with("line 2: "));
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<Graph, Error> {
        let mut reader = Reader { graph: Graph::new(), ids: HashMap::new() };
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with("//") {
                continue;
            }
            reader.graph.at_line(number + 1);
            reader
                .line(line)
                .map_err(|error| Error::new(ErrorKind::Line { line: number + 1, error: Box::new(error) }))?;
        }
        Ok(reader.graph)
    }
}

struct Reader<'t> {
    graph: Graph,
    /// The nodes by what the text calls them.
    ids: HashMap<&'t str, Id>,
}

/// What is left of a line.
struct Rest<'t>(&'t str);

impl<'t> Rest<'t> {
    /// Takes what the line goes on with, if it does.
    fn take(&mut self, start: &str) -> bool {
        self.0 = self.0.trim_start();
        let Some(rest) = self.0.strip_prefix(start) else { return false };
        self.0 = rest;
        true
    }

    fn expect(&mut self, start: &str) -> Result<(), Error> {
        if self.take(start) { Ok(()) } else { Err(self.wrong(&format!("`{start}` is expected"))) }
    }

    /// Takes letters, digits and `_`.
    fn word(&mut self) -> Result<&'t str, Error> {
        self.0 = self.0.trim_start();
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = self.0.find(|c| !word(c)).unwrap_or(self.0.len());
        if end == 0 {
            return Err(self.wrong("a name is expected"));
        }
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        Ok(word)
    }

    /// Takes a text in quotes, as Rust writes it.
    fn quoted(&mut self) -> Result<Option<String>, Error> {
        if !self.take("\"") {
            return Ok(None);
        }
        let mut text = String::new();
        let mut letters = self.0.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.0 = &self.0[at + 1..];
                    return Ok(Some(text));
                }
                '\\' => match letters.next().map(|(_, letter)| letter) {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some('0') => text.push('\0'),
                    Some('u') => {
                        let digits: String =
                            letters.by_ref().map(|(_, c)| c).take_while(|c| *c != '}').collect();
                        let code = u32::from_str_radix(digits.trim_start_matches('{'), 16).ok();
                        text.push(code.and_then(char::from_u32).ok_or_else(|| self.wrong("no such letter"))?);
                    }
                    Some(letter) => text.push(letter),
                    None => break,
                },
                letter => text.push(letter),
            }
        }
        Err(self.wrong("the quotes do not end"))
    }

    /// Takes a value: up to the next space that is in no brackets.
    fn value(&mut self) -> &'t str {
        let mut depth = 0i32;
        let ends = |(_, c): &(usize, char)| {
            depth += match c {
                '[' | '(' => 1,
                ']' | ')' => -1,
                _ => 0,
            };
            c.is_whitespace() && depth <= 0
        };
        let end = self.0.char_indices().find(ends).map_or(self.0.len(), |(at, _)| at);
        let (value, rest) = self.0.split_at(end);
        self.0 = rest;
        value
    }

    fn wrong(&self, why: &str) -> Error {
        let here: String = self.0.chars().take(40).collect();
        Error::value(if here.is_empty() {
            format!("{why}, and the line ends")
        } else {
            format!("{why} before `{here}`")
        })
    }
}

impl<'t> Reader<'t> {
    fn line(&mut self, line: &'t str) -> Result<(), Error> {
        let mut rest = Rest(line);
        if rest.take("output") {
            let name = rest.quoted()?.ok_or_else(|| rest.wrong("a name in quotes is expected"))?;
            rest.expect("=")?;
            let id = self.id(&mut rest)?;
            self.graph.output(&name, id)?;
        } else {
            rest.expect("%")?;
            let own = rest.word()?;
            rest.expect("=")?;
            let id = self.node(&mut rest)?;
            if self.ids.insert(own, id).is_some() {
                return Err(Error::value(format!("%{own} is there twice")));
            }
        }
        if rest.0.trim().is_empty() { Ok(()) } else { Err(rest.wrong("the line should end")) }
    }

    fn id(&self, rest: &mut Rest<'t>) -> Result<Id, Error> {
        rest.expect("%")?;
        let name = rest.word()?;
        self.ids
            .get(name)
            .copied()
            .ok_or_else(|| Error::value(format!("%{name} is not there before this line")))
    }

    fn node(&mut self, rest: &mut Rest<'t>) -> Result<Id, Error> {
        let name = rest.word()?;
        let mut arguments = Arguments::new();
        if rest.take("(") && !rest.take(")") {
            loop {
                arguments.push(self.id(rest)?);
                if rest.take(")") {
                    break;
                }
                rest.expect(",")?;
            }
        }
        let label = rest.quoted()?;
        let mut attributes = Attributes::default();
        rest.0 = rest.0.trim_start();
        while rest.0.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let name = rest.word()?;
            rest.expect("=")?;
            if attributes.0.insert(name, rest.value()).is_some() {
                return Err(Error::value(format!("`{name}=` is there twice")));
            }
            rest.0 = rest.0.trim_start();
        }
        let kind = Kind::read(name, &mut attributes)?;
        let kind = kind.ok_or_else(|| Error::value(format!("there is nothing called {name}")))?;
        attributes.finish().map_err(|error| error.of(kind.name()))?;
        let id = match kind {
            Kind::Input(input) => {
                let label = label.ok_or_else(|| Error::value("an input has a name in quotes".to_owned()))?;
                self.graph.input(&label, input.dtype, input.shape)?
            }
            kind => {
                let id = self.graph.add(kind, &arguments)?;
                if let Some(label) = label {
                    self.graph.name(id, &label)?;
                }
                id
            }
        };
        if rest.take(":") {
            rest.0 = rest.0.trim_start();
            let written = (self.parsed::<DType>(rest)?, self.parsed::<Shape>(rest)?);
            let node = self.graph.at(id);
            if (written.0, &written.1) != (node.dtype(), node.shape()) {
                return Err(Error::value(format!(
                    "it is {} {}, and not {} {} as is written",
                    node.dtype(),
                    node.shape(),
                    written.0,
                    written.1
                )));
            }
        }
        Ok(id)
    }

    fn parsed<T: FromStr<Err: std::fmt::Display>>(&self, rest: &mut Rest<'t>) -> Result<T, Error> {
        rest.0 = rest.0.trim_start();
        let text = rest.value();
        text.parse().map_err(|error| Error::value(format!("{text}: {error}")))
    }
}
