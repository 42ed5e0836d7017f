//! The kinds of errors: their stable names and their facts.

use super::Fact;
use crate::extent::Dim;
use crate::unify::{Clash, Party, Under};

/// What is wrong, with the numbers that show it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Extents that lie on one axis of the result do not go together.
    ExtentMismatch {
        /// Two of them, on the axis that the dialect reports.
        clash: Box<Clash>,
        /// Every axis of the result that clashes, in order.
        axes: Vec<usize>,
        /// Where the target and the first operands lay.
        layout: Vec<Under>,
    },
    /// There would be too much to say: an entry for each operand and each axis of the result.
    PlanTooLarge {
        /// How many operands there are.
        operands: usize,
        /// The rank of the result.
        rank: usize,
    },
    /// The rule wants equal ranks.
    RankMismatch {
        /// The ranks found.
        ranks: Vec<usize>,
        /// What has these ranks.
        of: Ranks,
    },
    /// An operand has more axes than what it must fit into.
    RankTooHigh {
        /// Which operand.
        operand: usize,
        /// Its rank.
        rank: usize,
        /// The most it may have.
        limit: usize,
    },
    /// The list of axes has not one entry for each axis of the operand.
    AxesCount {
        /// The operand's rank.
        expected: usize,
        /// The length of the list.
        found: usize,
    },
    /// The list of axes does not increase.
    AxesOrder {
        /// Where in the list.
        position: usize,
        /// The axis there.
        axis: i64,
        /// The axis before it.
        previous: i64,
    },
    /// An axis stands twice in the list.
    AxesRepeated {
        /// The axis.
        axis: i64,
    },
    /// The ranks are equal, so the list must be empty or name every axis in order.
    AxesIdentity {
        /// The rank.
        rank: usize,
    },
    /// Only the last axes in order are allowed.
    AxesSuffix {
        /// The first of them.
        first: usize,
        /// The rank of the result.
        rank: usize,
    },
    /// An axis is negative.
    AxisNegative {
        /// The axis.
        axis: i64,
        /// Where in the list of axes, if it stands in one.
        position: Option<usize>,
    },
    /// An axis, or what is laid from it on, is beyond the result.
    AxisOutOfRange {
        /// The axis.
        axis: i64,
        /// Where in the list of axes, if it stands in one.
        position: Option<usize>,
        /// The rank of what it points into.
        rank: usize,
    },
    /// The operand's last axis does not reach the target's last.
    OperandTooShort {
        /// The first axis of the target that the operand should have reached and does not.
        axis: usize,
        /// The rank of the target.
        rank: usize,
    },
    /// A scalar is mapped to an axis that is longer than 1.
    ScalarAxes {
        /// The axis of the target.
        axis: usize,
        /// Its extent.
        extent: Dim,
    },
    /// A bounded extent is laid on a static one.
    DynamismMismatch {
        /// The axis of the result.
        axis: usize,
        /// The axis of the operand that lies there.
        own: usize,
        /// The operand's extent.
        operand: Dim,
        /// The extent it is laid on.
        target: Dim,
    },
    /// The extent must be a number here.
    ExtentUnknown {
        /// Whose extent.
        party: Party,
        /// The axis in its own shape.
        axis: usize,
        /// What stands there.
        extent: Dim,
    },
    /// This dialect has no arrays of unknown rank.
    RankUnknown {
        /// Which operand; `None` is the target.
        operand: Option<usize>,
    },
    /// An index is outside its axis.
    IndexOutOfRange {
        /// The index.
        index: i64,
        /// The axis of the left side.
        axis: usize,
        /// Its extent.
        extent: Dim,
    },
    /// There are more indices than axes.
    TooManyIndices {
        /// How many axes they take.
        found: usize,
        /// How many there are.
        rank: usize,
    },

    /// The rule takes another number of shapes.
    OperandCount {
        /// The least that it takes.
        least: usize,
        /// The most, if there is one.
        most: Option<usize>,
        /// How many were given.
        found: usize,
    },
    /// The rule needs a target shape.
    TargetMissing,
    /// The rule takes no target shape.
    TargetUnexpected,
    /// The rule needs a list of axes.
    AxesMissing,
    /// The rule takes no list of axes.
    AxesUnexpected,
    /// The rule takes no axis.
    AxisUnexpected,
    /// The rule takes no index.
    IndexUnexpected,
    /// There is no rule of this name.
    UnknownRule {
        /// The name.
        name: String,
        /// The rules whose names are nearest.
        nearest: Vec<&'static str>,
    },
    /// This is no shape.
    MalformedShape {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// An extent is negative.
    NegativeExtent {
        /// The text.
        text: String,
    },
    /// An extent is larger than [`MAX_EXTENT`](crate::MAX_EXTENT).
    ExtentTooLarge {
        /// The text.
        text: String,
    },
    /// This is no list of axes.
    MalformedAxes {
        /// The text.
        text: String,
    },
    /// This is no index.
    MalformedIndex {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: &'static str,
    },
}

/// What the ranks of a [`Kind::RankMismatch`] belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranks {
    /// The operands.
    Operands,
    /// The operands, of which some may be scalars.
    OperandsOrScalars,
    /// The operand, and the target without the broadcast axes.
    OperandAndRest,
}

macro_rules! names {
    ($($kind:ident $name:literal;)*) => {
        impl Kind {
            /// The name of every kind.
            pub const NAMES: [&'static str; [$($name),*].len()] = [$($name),*];

            /// The kind's stable name, in kebab case.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Kind::$kind { .. } => $name,)*
                }
            }
        }
    };
}

names! {
    ExtentMismatch "extent-mismatch";
    PlanTooLarge "plan-too-large";
    RankMismatch "rank-mismatch";
    RankTooHigh "rank-too-high";
    AxesCount "axes-count";
    AxesOrder "axes-order";
    AxesRepeated "axes-repeated";
    AxesIdentity "axes-identity";
    AxesSuffix "axes-suffix";
    AxisNegative "axis-negative";
    AxisOutOfRange "axis-out-of-range";
    OperandTooShort "operand-too-short";
    ScalarAxes "scalar-axes";
    DynamismMismatch "dynamism-mismatch";
    ExtentUnknown "extent-unknown";
    RankUnknown "rank-unknown";
    IndexOutOfRange "index-out-of-range";
    TooManyIndices "too-many-indices";
    OperandCount "operand-count";
    TargetMissing "target-missing";
    TargetUnexpected "target-unexpected";
    AxesMissing "axes-missing";
    AxesUnexpected "axes-unexpected";
    AxisUnexpected "axis-unexpected";
    IndexUnexpected "index-unexpected";
    UnknownRule "unknown-rule";
    MalformedShape "malformed-shape";
    NegativeExtent "negative-extent";
    ExtentTooLarge "extent-too-large";
    MalformedAxes "malformed-axes";
    MalformedIndex "malformed-index";
}

impl Kind {
    /// The same, told of what an index selects of operand 0 instead of operand 0.
    pub(crate) fn of_selection(mut self) -> Kind {
        if let Kind::ExtentMismatch { clash, layout, .. } = &mut self {
            let parties = clash.found.iter_mut().map(|found| &mut found.party);
            for party in parties.chain(layout.iter_mut().map(|under| &mut under.party)) {
                if *party == Party::Operand(0) {
                    *party = Party::Selection;
                }
            }
        }
        self
    }

    /// Whether the question itself is at fault, not the shapes under the rule.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Kind::OperandCount { .. }
                | Kind::TargetMissing
                | Kind::TargetUnexpected
                | Kind::AxesMissing
                | Kind::AxesUnexpected
                | Kind::AxisUnexpected
                | Kind::IndexUnexpected
                | Kind::UnknownRule { .. }
                | Kind::MalformedShape { .. }
                | Kind::NegativeExtent { .. }
                | Kind::ExtentTooLarge { .. }
                | Kind::MalformedAxes { .. }
                | Kind::MalformedIndex { .. }
        )
    }

    pub(super) fn facts(&self) -> Vec<(&'static str, Fact)> {
        use Fact::{Clash, Extent, Number, Numbers, Text, Texts};
        let position = |p: &Option<usize>| p.map(|p| ("position", Number(int(p))));
        match self {
            Kind::ExtentMismatch { clash, axes, .. } => vec![
                ("axis", Number(int(clash.axis))),
                ("clash", Clash((**clash).clone())),
                ("axes_clashing", Numbers(axes.iter().map(|&axis| int(axis)).collect())),
            ],
            Kind::PlanTooLarge { operands, rank } => {
                vec![("operands", Number(int(*operands))), ("rank", Number(int(*rank)))]
            }
            Kind::RankMismatch { ranks, .. } => {
                vec![("ranks", Numbers(ranks.iter().map(|&r| int(r)).collect()))]
            }
            Kind::RankTooHigh { operand, rank, limit } => vec![
                ("operand", Number(int(*operand))),
                ("rank", Number(int(*rank))),
                ("limit", Number(int(*limit))),
            ],
            Kind::AxesCount { expected, found } => {
                vec![("expected", Number(int(*expected))), ("found", Number(int(*found)))]
            }
            Kind::AxesOrder { position, axis, previous } => vec![
                ("position", Number(int(*position))),
                ("axis", Number(*axis)),
                ("previous", Number(*previous)),
            ],
            Kind::AxesRepeated { axis } => vec![("axis", Number(*axis))],
            Kind::AxesIdentity { rank } => vec![("rank", Number(int(*rank)))],
            Kind::AxesSuffix { first, rank } => {
                vec![("expected", Numbers((*first..*rank).map(int).collect()))]
            }
            Kind::AxisNegative { axis, position: p } => {
                [("axis", Number(*axis))].into_iter().chain(position(p)).collect()
            }
            Kind::AxisOutOfRange { axis, position: p, rank } => {
                [("axis", Number(*axis)), ("rank", Number(int(*rank)))]
                    .into_iter()
                    .chain(position(p))
                    .collect()
            }
            Kind::OperandTooShort { axis, rank } => {
                vec![("axis", Number(int(*axis))), ("rank", Number(int(*rank)))]
            }
            Kind::ExtentUnknown { party, axis, extent } => {
                let operand = match party {
                    Party::Operand(operand) => Number(int(*operand)),
                    party => Text(party.to_string().trim_start_matches("the ").to_owned()),
                };
                vec![("operand", operand), ("axis", Number(int(*axis))), ("extent", Extent(extent.clone()))]
            }
            Kind::ScalarAxes { axis, extent } => {
                vec![("axis", Number(int(*axis))), ("extent", Extent(extent.clone()))]
            }
            Kind::DynamismMismatch { axis, own, operand, target } => vec![
                ("axis", Number(int(*axis))),
                ("operand_axis", Number(int(*own))),
                ("extent", Extent(operand.clone())),
                ("expected", Extent(target.clone())),
            ],
            Kind::RankUnknown { operand } => {
                operand.map(|o| ("operand", Number(int(o)))).into_iter().collect()
            }
            Kind::IndexOutOfRange { index, axis, extent } => vec![
                ("number", Number(*index)),
                ("axis", Number(int(*axis))),
                ("extent", Extent(extent.clone())),
            ],
            Kind::TooManyIndices { found, rank } => {
                vec![("found", Number(int(*found))), ("rank", Number(int(*rank)))]
            }
            Kind::OperandCount { least, most, found } => {
                let most = most.map(|most| ("most", Number(int(most))));
                [("least", Number(int(*least)))]
                    .into_iter()
                    .chain(most)
                    .chain([("found", Number(int(*found)))])
                    .collect()
            }
            Kind::UnknownRule { name, nearest } => vec![
                ("name", Text(name.clone())),
                ("nearest", Texts(nearest.iter().map(|&n| n.to_owned()).collect())),
            ],
            Kind::MalformedShape { text, reason } | Kind::MalformedIndex { text, reason } => {
                vec![("text", Text(text.clone())), ("reason", Text((*reason).to_owned()))]
            }
            Kind::NegativeExtent { text } | Kind::ExtentTooLarge { text } | Kind::MalformedAxes { text } => {
                vec![("text", Text(text.clone()))]
            }
            Kind::TargetMissing
            | Kind::TargetUnexpected
            | Kind::AxesMissing
            | Kind::AxesUnexpected
            | Kind::AxisUnexpected
            | Kind::IndexUnexpected => vec![],
        }
    }
}

/// Extents and ranks fit in 63 bits.
fn int(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
