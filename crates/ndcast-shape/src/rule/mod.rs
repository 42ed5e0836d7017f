//! The rules: one file a dialect, each rule a function and a record beside the clauses it implements.
//!
//! The functions take known extents (`usize`) or partial ones ([`Dim`]). The records are what
//! the command, the tests and other languages loop over; [`find`] gets one by its name.

pub mod array_api;
mod call;
pub mod hlo;
mod listed;
pub mod ngraph;
pub mod onnx;
pub mod openvino;
mod request;
mod selection;
pub mod stablehlo;
mod unranked;
pub mod xla;

use std::fmt;

use crate::error::{Error, Kind};
use crate::extent::Dim;
use crate::shape::Shape;
use call::Call;
pub use request::{Answer, Request};
pub use selection::indexed;

/// The systems whose rules these are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The Python array API standard, and NumPy.
    ArrayApi,
    /// ONNX.
    Onnx,
    /// OpenVINO's Broadcast-1, Broadcast-3 and auto_broadcast.
    OpenVino,
    /// Intel nGraph.
    NGraph,
    /// The XLA builder.
    Xla,
    /// HLO, the instructions the XLA builder makes.
    Hlo,
    /// StableHLO, and its companion CHLO.
    StableHlo,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Dialect; 7] = [
        Dialect::ArrayApi,
        Dialect::Onnx,
        Dialect::OpenVino,
        Dialect::NGraph,
        Dialect::Xla,
        Dialect::Hlo,
        Dialect::StableHlo,
    ];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::ArrayApi => "NumPy",
            Dialect::Onnx => "ONNX",
            Dialect::OpenVino => "OpenVINO",
            Dialect::NGraph => "nGraph",
            Dialect::Xla => "XLA",
            Dialect::Hlo => "HLO",
            Dialect::StableHlo => "StableHLO",
        }
    }
}

/// How many shapes a rule takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// So many.
    Exactly(usize),
    /// So many or more.
    AtLeast(usize),
}

impl Count {
    /// The least and, if there is one, the most.
    pub fn range(self) -> (usize, Option<usize>) {
        match self {
            Count::Exactly(n) => (n, Some(n)),
            Count::AtLeast(n) => (n, None),
        }
    }

    /// Whether it may be this number.
    pub fn allows(self, found: usize) -> bool {
        let (least, most) = self.range();
        found >= least && most.is_none_or(|most| found <= most)
    }
}

/// Whether a rule takes an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It must be given.
    Required,
    /// It may be given.
    Optional,
    /// It must not be given.
    Never,
}

/// One rule: its name, what it takes, and what it does.
pub struct Rule {
    /// The name, as in `openvino.broadcast.explicit`.
    pub name: &'static str,
    /// Whose rule it is.
    pub dialect: Dialect,
    /// One line on what it does.
    pub summary: &'static str,
    /// How many shapes it takes.
    pub operands: Count,
    /// Whether it takes a target shape.
    pub target: Need,
    /// Whether it takes a list of axes.
    pub axes: Need,
    /// Whether it takes a first axis (PDPD).
    pub axis: Need,
    /// Whether it takes an index into the left side.
    pub index: Need,
    /// The rule itself, for arguments that were checked against this record.
    pub(crate) answer: fn(&Call<'_, Dim>) -> Result<Answer, Error>,
    /// What is still known of the result if a rank is not.
    pub(crate) unranked: fn(&Request) -> Result<Shape, Error>,
}

/// What the records have in common. Each brings its own name and answer; a test makes sure of it.
const fn plain(dialect: Dialect) -> Rule {
    Rule {
        name: "",
        dialect,
        summary: "",
        operands: Count::Exactly(1),
        target: Need::Never,
        axes: Need::Never,
        axis: Need::Never,
        index: Need::Never,
        answer: |call| Err(call.error(Kind::TargetMissing)),
        unranked: unranked::refused,
    }
}

/// Two rules are the same if they have the same name.
impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        self.name == other.name
    }
}

impl Eq for Rule {}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rule({})", self.name)
    }
}

/// Every rule, dialect by dialect.
pub const ALL: &[&Rule] = &[
    &array_api::JOIN,
    &array_api::BROADCAST_TO,
    &array_api::IN_PLACE,
    &onnx::MULTIDIRECTIONAL,
    &onnx::UNIDIRECTIONAL,
    &onnx::EXPAND,
    &openvino::BROADCAST_NUMPY,
    &openvino::BROADCAST_EXPLICIT,
    &openvino::BROADCAST_BIDIRECTIONAL,
    &openvino::BROADCAST_PDPD,
    &openvino::ELTWISE_NONE,
    &openvino::ELTWISE_NUMPY,
    &openvino::ELTWISE_PDPD,
    &ngraph::BROADCAST,
    &ngraph::DYN_BROADCAST,
    &ngraph::BROADCAST_LIKE,
    &xla::BINARY,
    &xla::BROADCAST,
    &xla::BROADCAST_IN_DIM,
    &hlo::BROADCAST,
    &hlo::SELECT,
    &hlo::CLAMP,
    &stablehlo::BROADCAST_IN_DIM,
    &stablehlo::CHLO_BROADCAST,
];

/// The rule of this name.
///
/// ```
/// use ndcast_shape::rule;
/// assert_eq!(rule::find("xla.binary")?.operands, rule::Count::Exactly(2));
/// assert_eq!(
///     rule::find("xla.binry").unwrap_err().to_string(),
///     "there is no rule \"xla.binry\"; did you mean xla.binary?"
/// );
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// If there is none; the error holds the nearest names.
pub fn find(name: &str) -> Result<&'static Rule, Error> {
    if let Some(rule) = ALL.iter().find(|rule| rule.name == name) {
        return Ok(rule);
    }
    Err(Error::of(Kind::UnknownRule { name: name.chars().take(80).collect(), nearest: nearest(name) }))
}

/// The rules that `name` may have meant: a part of their names, or a few letters away.
fn nearest(name: &str) -> Vec<&'static str> {
    // What people call these rules who do not know the standard's name.
    if ["numpy", "np", "jax", "torch", "pytorch", "broadcast", "add"]
        .contains(&name.to_ascii_lowercase().as_str())
    {
        return vec![array_api::JOIN.name, array_api::BROADCAST_TO.name];
    }
    crate::nearest::nearest(&name.replace('_', "-"), ALL.iter().map(|rule| rule.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (position, rule) in ALL.iter().enumerate() {
            assert_eq!(find(rule.name).unwrap(), *rule);
            assert!(ALL[..position].iter().all(|other| other != rule), "{}", rule.name);
            assert!(
                !rule.summary.is_empty() && rule.answer as usize != plain(rule.dialect).answer as usize,
                "{}",
                rule.name
            );
        }
    }

    #[test]
    fn near_names() {
        for (name, first) in [
            ("numpy", "array-api"),
            ("array_api", "array-api"),
            ("XLA.Binary", "xla.binary"),
            ("openvino.eltwise.npumy", "openvino.eltwise.numpy"),
            ("expand", "onnx.expand"),
        ] {
            assert!(nearest(name).contains(&first), "{name}: {:?}", nearest(name));
        }
        assert!(nearest("frobnicate").is_empty());
    }
}
