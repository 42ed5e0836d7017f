//! What an ONNX node says besides its inputs.

use std::collections::BTreeMap;

use crate::tensor::Tensor;

/// The value of an attribute.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Attribute {
    /// An integer; truth values are 0 and 1.
    Int(i64),
    /// A number.
    Float(f32),
    /// Text.
    Text(String),
    /// A tensor.
    Tensor(Tensor),
    /// Integers.
    Ints(Vec<i64>),
    /// Numbers.
    Floats(Vec<f32>),
    /// Texts.
    Texts(Vec<String>),
}

impl Attribute {
    /// What kind of value it is, for people.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Attribute::Int(_) => "an integer",
            Attribute::Float(_) => "a number",
            Attribute::Text(_) => "a text",
            Attribute::Tensor(_) => "a tensor",
            Attribute::Ints(_) => "a list of integers",
            Attribute::Floats(_) => "a list of numbers",
            Attribute::Texts(_) => "a list of texts",
        }
    }
}

/// The attributes of a node by their names.
///
/// ```
/// use ndcast::dialect::onnx::Attributes;
/// let attributes = Attributes::new().with("axis", -1).with("keepdims", 0);
/// assert_eq!(attributes.names().collect::<Vec<_>>(), ["axis", "keepdims"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Attributes(BTreeMap<String, Attribute>);

impl Attributes {
    /// None.
    pub fn new() -> Attributes {
        Attributes::default()
    }

    /// The same with one more, in place of another of the name.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Attribute>) -> Attributes {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Puts one; whether there was none of the name.
    pub fn put(&mut self, name: &str, value: impl Into<Attribute>) -> bool {
        self.0.insert(name.to_owned(), value.into()).is_none()
    }

    /// The one of this name.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        self.0.get(name)
    }

    /// The names, in the order of the alphabet.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Attribute)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

macro_rules! attributes {
    ($($type:ty: $kind:ident;)*) => {
        $(impl From<$type> for Attribute {
            fn from(value: $type) -> Attribute {
                Attribute::$kind(value)
            }
        })*
    };
}

attributes! {
    i64: Int;
    f32: Float;
    String: Text;
    Tensor: Tensor;
    Vec<i64>: Ints;
    Vec<f32>: Floats;
    Vec<String>: Texts;
}

impl From<&str> for Attribute {
    fn from(value: &str) -> Attribute {
        Attribute::Text(value.to_owned())
    }
}

impl From<&[i64]> for Attribute {
    fn from(value: &[i64]) -> Attribute {
        Attribute::Ints(value.to_vec())
    }
}

impl<const N: usize> From<[i64; N]> for Attribute {
    fn from(value: [i64; N]) -> Attribute {
        Attribute::Ints(value.to_vec())
    }
}

impl<const N: usize> From<[f32; N]> for Attribute {
    fn from(value: [f32; N]) -> Attribute {
        Attribute::Floats(value.to_vec())
    }
}
