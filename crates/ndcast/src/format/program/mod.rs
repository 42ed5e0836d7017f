//! Programs of operations on named values: what the texts of StableHLO and HLO have in common, between a text and a graph.
//!
//! A text becomes a [`Program`] as it is written, nothing checked but its form; [`build`] makes a graph of that by calls
//! of the dialect's door, and [`write`] the text of a graph. An operation is called as its text calls it, with the
//! dialect before the name (`stablehlo.add`, `chlo.erf`, `hlo.reduce-window`); its attributes have StableHLO's names.

pub(super) mod build;
mod call;
mod control;
pub(super) mod cursor;
mod dimensions;
pub(super) mod elements;
mod fold;
mod map;
mod operations;
#[cfg(test)]
pub(super) mod recorded;
mod region;
mod sort;
pub(super) mod write;

use std::collections::HashMap;

use ndcast_shape::Shape;

use crate::dtype::DType;
use crate::error::{Error, ErrorKind};
use crate::tensor::Tensor;

pub(super) use cursor::Cursor;
pub(super) use operations::{knows, names};

/// Where something stands in a text, both from 1 on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Place {
    /// An error there.
    pub(super) fn of(self, error: Error) -> Error {
        let Place { line, column } = self;
        Error::new(ErrorKind::Place { line, column, error: Box::new(error) })
    }

    pub(super) fn wrong(self, text: impl Into<String>) -> Error {
        self.of(Error::value(text.into()))
    }
}

/// The functions of a text.
#[derive(Debug)]
pub(super) struct Program {
    functions: Vec<Function>,
    /// Their places by their names.
    names: HashMap<String, usize>,
    /// The one that is the program.
    main: usize,
}

impl Program {
    /// Functions, of which one is the program.
    pub(super) fn new(functions: Vec<Function>, main: usize) -> Result<Program, Error> {
        let mut names = HashMap::new();
        for (at, function) in functions.iter().enumerate() {
            if names.insert(function.name.clone(), at).is_some() {
                return Err(function
                    .place
                    .wrong(format!("there are two functions called {}", function.name)));
            }
        }
        Ok(Program { functions, names, main })
    }

    pub(super) fn function(&self, name: &str) -> Option<&Function> {
        self.names.get(name).map(|&at| &self.functions[at])
    }

    /// What an operation does with elements: a region of its own, or the function that it names.
    fn region_of<'c>(&'c self, operation: &'c Operation) -> Option<&'c Region> {
        let named = || {
            let name = match operation.attribute("called_computations") {
                Some(Attribute::List(all)) => all.first(),
                _ => operation.attribute("to_apply"),
            };
            self.function(name?.text()?).map(|function| &function.body)
        };
        operation.regions.first().or_else(named)
    }
}

/// A function: StableHLO's, or a computation of HLO.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) place: Place,
    /// What the text calls inputs and outputs for people, as far as it does.
    pub(super) inputs: Vec<Option<String>>,
    pub(super) outputs: Vec<Option<String>>,
    /// What it returns, as far as the text says it.
    pub(super) results: Vec<Type>,
    pub(super) body: Region,
}

/// Operations in order, the last of which says what is returned.
#[derive(Debug, Default)]
pub(super) struct Region {
    pub(super) arguments: Vec<(String, Type)>,
    pub(super) operations: Vec<Operation>,
}

/// One operation.
#[derive(Debug, Default)]
pub(super) struct Operation {
    pub(super) name: String,
    pub(super) place: Place,
    /// The names of its results, and how many each stands for.
    pub(super) results: Vec<(String, usize)>,
    pub(super) operands: Vec<Use>,
    pub(super) attributes: Vec<(String, Attribute)>,
    pub(super) regions: Vec<Region>,
    /// As far as the text says them: all, or none.
    pub(super) operand_types: Vec<Type>,
    pub(super) result_types: Vec<Type>,
}

/// A value that is used: the name, and which of those that it stands for.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) name: String,
    pub(super) part: Option<usize>,
    pub(super) place: Place,
}

/// A type, as far as there are values of it here.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    Tensor(TensorType),
    Tuple(Vec<Type>),
    Function(Vec<Type>, Vec<Type>),
    /// Of which there is nothing here: as it is written.
    Other(String),
}

impl Type {
    /// The types of the values that one of this type is: a tuple's, or itself.
    pub(super) fn parts(&self) -> &[Type] {
        if let Type::Tuple(parts) = self { parts } else { std::slice::from_ref(self) }
    }
}

/// An element type and a shape.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TensorType {
    pub(super) dtype: DType,
    pub(super) shape: Shape,
}

/// What an attribute is.
#[derive(Clone, Debug)]
pub(super) enum Attribute {
    Unit,
    Bool(bool),
    Int(i64),
    Text(String),
    /// A word that is one of a few: `LT`.
    Word(String),
    /// The name of a function.
    Symbol(String),
    Integers(Vec<i64>),
    List(Vec<Attribute>),
    /// A structure: `#stablehlo.gather<..>`, `{..}`.
    Fields(Vec<(String, Attribute)>),
    Literal(Literal),
    /// What nothing here looks at.
    Opaque,
}

/// A constant: its elements, or the one that all are, and its shape.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub(super) elements: Tensor,
    pub(super) shape: Vec<usize>,
}

impl Literal {
    /// Whether there is one element for all of the shape.
    pub(super) fn is_splat(&self) -> bool {
        self.elements.rank() == 0 && !self.shape.is_empty()
    }
}

/// The attribute of a name.
pub(super) fn field<'a>(fields: &'a [(String, Attribute)], name: &str) -> Option<&'a Attribute> {
    fields.iter().find(|(other, _)| other == name).map(|(_, attribute)| attribute)
}

impl Attribute {
    /// Integers, however they are spelled: an array, a list, or a constant, as old texts have it.
    pub(super) fn integers(&self) -> Option<Vec<i64>> {
        match self {
            Attribute::Integers(all) => Some(all.clone()),
            Attribute::List(all) => all.iter().map(Attribute::integer).collect(),
            Attribute::Literal(literal) => {
                let count = elements::count(&literal.shape)?;
                let elements = crate::array::Array::from(literal.elements.clone());
                let all = elements.convert(DType::I64).to_vec::<i64>().ok()?;
                // As many as axes are, and not as many as a header claims.
                if literal.is_splat() { (count <= 4096).then(|| vec![all[0]; count]) } else { Some(all) }
            }
            _ => None,
        }
    }

    pub(super) fn integer(&self) -> Option<i64> {
        match self {
            Attribute::Int(n) => Some(*n),
            Attribute::Bool(truth) => Some(i64::from(*truth)),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Attribute::Text(text) | Attribute::Word(text) | Attribute::Symbol(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn fields(&self) -> Option<&[(String, Attribute)]> {
        if let Attribute::Fields(fields) = self { Some(fields) } else { None }
    }
}

impl Operation {
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        field(&self.attributes, name)
    }

    /// The name without `stablehlo.`, and HLO's in StableHLO's spelling where both have the operation.
    pub(super) fn short_name(&self) -> &str {
        self.name.strip_prefix("stablehlo.").unwrap_or(&self.name)
    }
}
