//! What a kind of node is besides its name, as text: `axes=[0, 2] keep=true`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// What is written of a node.
#[derive(Default)]
pub(crate) struct Writer(pub(super) Vec<(&'static str, String)>);

impl Writer {
    pub(super) fn put(&mut self, name: &'static str, value: impl fmt::Display) {
        self.0.push((name, value.to_string()));
    }

    /// A list, in brackets.
    pub(super) fn list<T: fmt::Display>(&mut self, name: &'static str, items: impl IntoIterator<Item = T>) {
        let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
        self.put(name, format_args!("[{}]", items.join(", ")));
    }

    /// One of several words: that of the value.
    pub(super) fn word<T: PartialEq>(&mut self, name: &'static str, words: &[(&'static str, T)], value: &T) {
        let found = words.iter().find(|(_, other)| other == value);
        self.put(name, found.map_or("", |(word, _)| word));
    }
}

/// What was read of a node; each is taken once, and what nobody takes is an error.
#[derive(Default)]
pub(crate) struct Attributes<'t>(pub(super) BTreeMap<&'t str, &'t str>);

impl Attributes<'_> {
    pub(super) fn text(&mut self, name: &'static str) -> Option<&str> {
        self.0.remove(name)
    }

    /// A value that must be there.
    pub(super) fn get<T: FromStr<Err: fmt::Display>>(&mut self, name: &'static str) -> Result<T, Error> {
        self.optional(name)?.ok_or_else(|| Error::value(format!("`{name}=` is missing")))
    }

    /// A value that may be left out.
    pub(super) fn optional<T: FromStr<Err: fmt::Display>>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<T>, Error> {
        let Some(text) = self.0.remove(name) else { return Ok(None) };
        text.parse().map(Some).map_err(|error| Error::value(format!("`{name}={text}`: {error}")))
    }

    /// A list that must be there.
    pub(super) fn list<T: FromStr<Err: fmt::Display>>(
        &mut self,
        name: &'static str,
    ) -> Result<Vec<T>, Error> {
        self.optional_list(name)?.ok_or_else(|| Error::value(format!("`{name}=` is missing")))
    }

    /// A list that may be left out.
    pub(super) fn optional_list<T: FromStr<Err: fmt::Display>>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<Vec<T>>, Error> {
        let Some(text) = self.0.remove(name) else { return Ok(None) };
        let wrong = |error: &dyn fmt::Display| Error::value(format!("`{name}={text}`: {error}"));
        let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let inside = inside.ok_or_else(|| wrong(&"a list stands in brackets"))?.trim();
        if inside.is_empty() {
            return Ok(Some(Vec::new()));
        }
        inside
            .split(',')
            .map(|item| item.trim().parse().map_err(|error| wrong(&error)))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// One of several words.
    pub(super) fn word<T: Copy>(
        &mut self,
        name: &'static str,
        words: &[(&'static str, T)],
    ) -> Result<T, Error> {
        let text = self.0.remove(name).ok_or_else(|| Error::value(format!("`{name}=` is missing")))?;
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            Error::value(format!("`{name}={text}`: it is one of {}", words.join(", ")))
        })
    }

    /// An error if something is left that nobody took.
    pub(super) fn finish(&self) -> Result<(), Error> {
        match self.0.keys().next() {
            Some(name) => Err(Error::value(format!("there is no `{name}=` here"))),
            None => Ok(()),
        }
    }
}
