//! And, or, not of truth values.

use super::{Body, Define, Law, Names, Record, ResultType, X, X1_X2};
use crate::kernel::{BLOCK, Map1, Map2, Truths, fold_until, truths1, truths2};
use crate::simd::Isa;

/// Both.
pub(crate) struct LogicalAnd;

impl Map2<Truths, u8> for LogicalAnd {
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(a: u8, b: u8) -> u8 {
        a & b
    }

    #[inline(always)]
    fn fold<'c, I: Isa>(
        lanes: [u8; BLOCK],
        chunks: impl Iterator<Item = &'c [u8; BLOCK]> + Clone,
    ) -> [u8; BLOCK] {
        fold_until::<I, LogicalAnd, Truths, u8>(lanes, chunks, |lanes| lanes.contains(&0))
    }
}

impl Define for LogicalAnd {
    const RECORD: Record = Record {
        name: "logical_and",
        summary: "Whether both are true.",
        // XLA's product of truth values is this.
        names: Names {
            array_api: "logical_and",
            onnx: "And",
            openvino: "LogicalAnd",
            stablehlo: "multiply[bool]",
            hlo: "multiply[bool]",
        },
        arguments: X1_X2,
        result: ResultType::Truth,
        body: Body::Kernel(truths2::<LogicalAnd>),
        laws: &[Law::Commutative, Law::Associative, Law::Idempotent, Law::Neutral(1.0)],
        accuracy: "exact",
        gradient: None,
        examples: &["bool: true, true -> true", "bool: true, false -> false"],
    };
}

/// At least one.
pub(crate) struct LogicalOr;

impl Map2<Truths, u8> for LogicalOr {
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(a: u8, b: u8) -> u8 {
        a | b
    }

    #[inline(always)]
    fn fold<'c, I: Isa>(
        lanes: [u8; BLOCK],
        chunks: impl Iterator<Item = &'c [u8; BLOCK]> + Clone,
    ) -> [u8; BLOCK] {
        fold_until::<I, LogicalOr, Truths, u8>(lanes, chunks, |lanes| lanes.contains(&1))
    }
}

impl Define for LogicalOr {
    const RECORD: Record = Record {
        name: "logical_or",
        summary: "Whether at least one is true.",
        // XLA's sum of truth values is this.
        names: Names {
            array_api: "logical_or",
            onnx: "Or",
            openvino: "LogicalOr",
            stablehlo: "add[bool]",
            hlo: "add[bool]",
        },
        arguments: X1_X2,
        result: ResultType::Truth,
        body: Body::Kernel(truths2::<LogicalOr>),
        laws: &[Law::Commutative, Law::Associative, Law::Idempotent, Law::Neutral(0.0)],
        accuracy: "exact",
        gradient: None,
        examples: &["bool: true, false -> true", "bool: false, false -> false"],
    };
}

/// Just one.
pub(super) struct LogicalXor;

impl Map2<Truths, u8> for LogicalXor {
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(a: u8, b: u8) -> u8 {
        a ^ b
    }
}

impl Define for LogicalXor {
    const RECORD: Record = Record {
        name: "logical_xor",
        summary: "Whether exactly one is true.",
        names: Names { array_api: "logical_xor", onnx: "Xor", openvino: "LogicalXor", ..Names::NONE },
        arguments: X1_X2,
        result: ResultType::Truth,
        body: Body::Kernel(truths2::<LogicalXor>),
        laws: &[Law::Commutative, Law::Associative, Law::Neutral(0.0)],
        accuracy: "exact",
        gradient: None,
        examples: &["bool: true, false -> true", "bool: true, true -> false"],
    };
}

/// The other one.
pub(super) struct LogicalNot;

impl Map1<Truths, u8> for LogicalNot {
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(x: u8) -> u8 {
        x ^ 1
    }
}

impl Define for LogicalNot {
    const RECORD: Record = Record {
        name: "logical_not",
        summary: "Whether it is false.",
        names: Names { array_api: "logical_not", onnx: "Not", openvino: "LogicalNot", ..Names::NONE },
        arguments: X,
        result: ResultType::Truth,
        body: Body::Kernel(truths1::<LogicalNot>),
        laws: &[Law::Involution],
        accuracy: "exact",
        gradient: None,
        examples: &["bool: true -> false", "bool: false -> true"],
    };
}
