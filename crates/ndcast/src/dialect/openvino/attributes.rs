//! A layer's attributes, as text by their names: what stands in `<data .../>` of a model file.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::element_type;
use crate::dtype::DType;
use crate::error::Error;

/// Attributes by their names.
///
/// ```
/// use ndcast::dialect::openvino::Attributes;
/// let attributes = Attributes::from([("axis", "1"), ("mode", "numpy")]);
/// assert_eq!(attributes.get("axis"), Some("1"));
/// assert_eq!(attributes.get("keep_dims"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes(BTreeMap<String, String>);

impl<const N: usize> From<[(&str, &str); N]> for Attributes {
    fn from(pairs: [(&str, &str); N]) -> Attributes {
        pairs.into_iter().collect()
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Attributes {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Attributes {
        Attributes(pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

impl Attributes {
    /// The value of this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    fn wrong(name: &str, text: &str, what: &str) -> Error {
        Error::value(format!("{name}=\"{text}\" is no {what}"))
    }

    fn parsed<T: FromStr>(&self, name: &str, what: &str) -> Result<Option<T>, Error> {
        let Some(text) = self.get(name) else { return Ok(None) };
        text.trim().parse().map(Some).map_err(|_| Attributes::wrong(name, text, what))
    }

    pub(super) fn integer(&self, name: &str) -> Result<Option<i64>, Error> {
        self.parsed(name, "integer")
    }

    /// An integer that must be there.
    pub(super) fn needed_integer(&self, name: &str) -> Result<i64, Error> {
        self.integer(name)?.ok_or_else(|| Attributes::missing(name))
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, Error> {
        self.parsed(name, "number")
    }

    /// A text that must be there.
    pub(super) fn needed(&self, name: &str) -> Result<&str, Error> {
        self.get(name).ok_or_else(|| Attributes::missing(name))
    }

    fn missing(name: &str) -> Error {
        Error::value(format!("the attribute {name} is missing"))
    }

    /// A truth value: `true`, `false`, `1`, `0`.
    pub(super) fn is_set(&self, name: &str) -> Result<Option<bool>, Error> {
        let Some(text) = self.get(name) else { return Ok(None) };
        match text.trim() {
            "1" => Ok(Some(true)),
            "0" => Ok(Some(false)),
            other if other.eq_ignore_ascii_case("true") => Ok(Some(true)),
            other if other.eq_ignore_ascii_case("false") => Ok(Some(false)),
            _ => Err(Attributes::wrong(name, text, "truth value")),
        }
    }

    /// Integers with commas between them; none if it is empty or left out.
    pub(super) fn integers(&self, name: &str) -> Result<Option<Vec<i64>>, Error> {
        let Some(text) = self.get(name) else { return Ok(None) };
        if text.trim().is_empty() {
            return Ok(Some(Vec::new()));
        }
        let parsed = text.split(',').map(|item| item.trim().parse()).collect::<Result<_, _>>();
        parsed.map(Some).map_err(|_| Attributes::wrong(name, text, "list of integers"))
    }

    /// One of several words, whatever its case.
    pub(super) fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<Option<T>, Error> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let found = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(text.trim()));
        found.map(|(_, value)| Some(*value)).ok_or_else(|| {
            let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            Error::value(format!("{name}=\"{text}\" is none of {}", words.join(", ")))
        })
    }

    /// An element type.
    pub(super) fn dtype(&self, name: &str) -> Result<Option<DType>, Error> {
        self.get(name).map(element_type).transpose()
    }
}
