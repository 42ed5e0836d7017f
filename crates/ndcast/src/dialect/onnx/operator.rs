//! The operators: those of the records of operations by their names there, all others in one table.

use std::ops::RangeInclusive;

use super::call::{Built, Call};
use super::{
    attention, elementwise, fold, gather, loss, matrix, normalise, pad, part, quantise, scatter, select,
    shape, sort, source,
};
use crate::error::{Error, ErrorKind};
use crate::op::{Op, entries};
use crate::reduction::Reduction;

/// An operator that is more than an elementwise operation or a fold.
pub struct Operator {
    /// Its name.
    pub name: &'static str,
    /// The first opset that has it, and the first that has it no more.
    pub opsets: (i64, i64),
    /// How many inputs it takes, those included that may be left out.
    pub inputs: RangeInclusive<usize>,
    build: fn(&mut Call<'_>) -> Built,
}

/// Of which it takes any number.
const ANY: usize = usize::MAX;
/// The opset that no model has.
const NEVER: i64 = i64::MAX;

macro_rules! operators {
    ($($name:literal $since:literal $($until:literal)? , $inputs:expr, $build:path;)*) => {
        /// Every operator that is not in the records of operations.
        pub const OPERATORS: &[Operator] = &[$(Operator {
            name: $name,
            opsets: ($since, operators!(@until $($until)?)),
            inputs: $inputs,
            build: $build,
        },)*];
    };
    (@until) => { NEVER };
    (@until $until:literal) => { $until };
}

/// What takes graphs, which attributes here do not hold: readers of files write out what is in them.
fn of_graphs(_: &mut Call<'_>) -> Built {
    Err(Error::value("it holds graphs; in a file they are read".to_owned()))
}

operators! {
    "ArgMax" 1, 1..=1, fold::arg_max;
    "ArgMin" 1, 1..=1, fold::arg_min;
    "Attention" 23, 3..=7, attention::attention;
    "BatchNormalization" 1, 5..=5, normalise::batch;
    "BitCast" 26, 1..=1, elementwise::bit_cast;
    "BitShift" 11, 2..=2, elementwise::bit_shift;
    "BlackmanWindow" 17, 1..=1, source::blackman_window;
    "Cast" 1, 1..=1, elementwise::cast;
    "CastLike" 15, 2..=2, elementwise::cast_like;
    "CenterCropPad" 18, 2..=2, pad::center_crop;
    "Clip" 1, 1..=3, elementwise::clip;
    "Compress" 9, 2..=2, gather::compress;
    "Concat" 1, 1..=ANY, part::concat;
    "Constant" 1, 0..=0, source::constant;
    "ConstantOfShape" 9, 1..=1, source::constant_of_shape;
    "CumProd" 26, 2..=2, fold::cumulative_product;
    "CumSum" 11, 2..=2, fold::cumulative_sum;
    "DepthToSpace" 1, 1..=1, shape::depth_to_space;
    "DequantizeLinear" 10, 2..=3, quantise::dequantise;
    "Dropout" 1, 1..=3, normalise::dropout;
    "DynamicQuantizeLinear" 11, 1..=1, quantise::dynamic;
    "Einsum" 12, 1..=ANY, matrix::einsum;
    "Expand" 8, 2..=2, shape::expand;
    "EyeLike" 9, 1..=1, source::eye_like;
    "Flatten" 1, 1..=1, shape::flatten;
    "Gather" 1, 2..=2, gather::gather;
    "GatherElements" 11, 2..=2, gather::elements;
    "GatherND" 11, 2..=2, gather::nd;
    "Gemm" 1, 2..=3, matrix::gemm;
    "GlobalAveragePool" 1, 1..=1, fold::global_average;
    "GlobalLpPool" 1, 1..=1, fold::global_lp;
    "GlobalMaxPool" 1, 1..=1, fold::global_max;
    "GroupNormalization" 18, 3..=3, normalise::group;
    "HammingWindow" 17, 1..=1, source::hamming_window;
    "HannWindow" 17, 1..=1, source::hann_window;
    "Hardmax" 1, 1..=1, fold::hardmax;
    "Identity" 1, 1..=1, elementwise::identity;
    "If" 1, 1..=1, of_graphs;
    "InstanceNormalization" 1, 3..=3, normalise::instance;
    "IsInf" 10, 1..=1, elementwise::is_inf;
    "LRN" 1, 1..=1, normalise::local_response;
    "LayerNormalization" 17, 2..=3, normalise::layer;
    "LogSoftmax" 1, 1..=1, fold::log_softmax;
    "Loop" 1, 2..=ANY, of_graphs;
    "LpNormalization" 1, 1..=1, normalise::lp;
    "MatMul" 1, 2..=2, matrix::matmul;
    "MatMulInteger" 10, 2..=4, matrix::integers;
    "Max" 1, 1..=ANY, elementwise::max;
    "Mean" 1, 1..=ANY, elementwise::mean;
    "MeanVarianceNormalization" 9, 1..=1, normalise::mean_variance;
    "Min" 1, 1..=ANY, elementwise::min;
    "Mod" 10, 2..=2, elementwise::modulo;
    "NegativeLogLikelihoodLoss" 12, 2..=3, loss::negative_log_likelihood;
    "NonZero" 9, 1..=1, gather::nonzero;
    "OneHot" 9, 3..=3, select::one_hot;
    "PRelu" 1, 2..=2, elementwise::prelu;
    "Pad" 1, 1..=4, pad::pad;
    "Pow" 1, 2..=2, elementwise::pow;
    "QuantizeLinear" 10, 2..=3, quantise::quantise;
    "RMSNormalization" 23, 2..=2, normalise::root_mean_square;
    "Range" 11, 3..=3, source::range;
    "ReduceL1" 1, 1..=2, fold::l1;
    "ReduceL2" 1, 1..=2, fold::l2;
    "ReduceLogSum" 1, 1..=2, fold::log_sum;
    "ReduceLogSumExp" 1, 1..=2, fold::log_sum_exp;
    "ReduceMean" 1, 1..=2, fold::mean;
    "ReduceSumSquare" 1, 1..=2, fold::sum_square;
    "Reshape" 1, 1..=2, shape::reshape;
    "ReverseSequence" 10, 2..=2, part::reverse_sequence;
    "RotaryEmbedding" 23, 3..=4, attention::rotary;
    "Scan" 9, 1..=ANY, of_graphs;
    "Scatter" 9 11, 3..=3, scatter::elements;
    "ScatterElements" 11, 3..=3, scatter::elements;
    "ScatterND" 11, 3..=3, scatter::nd;
    "Shape" 1, 1..=1, shape::shape;
    "Size" 1, 1..=1, shape::size;
    "Slice" 1, 1..=5, part::slice;
    "Softmax" 1, 1..=1, fold::softmax;
    "SoftmaxCrossEntropyLoss" 12, 2..=3, loss::softmax_cross_entropy;
    "SpaceToDepth" 1, 1..=1, shape::space_to_depth;
    "Split" 1, 1..=2, part::split;
    "Squeeze" 1, 1..=2, shape::squeeze;
    "Sum" 1, 1..=ANY, elementwise::sum;
    "SwiGLU" 28, 2..=2, elementwise::swiglu;
    "Swish" 24, 1..=1, elementwise::swish;
    "TensorScatter" 24, 2..=3, scatter::into_cache;
    "Tile" 1, 2..=3, shape::tile;
    "TopK" 1, 1..=2, sort::top_k;
    "Transpose" 1, 1..=1, shape::transpose;
    "Trilu" 14, 1..=2, select::trilu;
    "Unsqueeze" 1, 1..=2, shape::unsqueeze;
}

/// The first opset of the elementwise operators that not every opset has.
const SINCE: [(&str, i64); 28] = [
    ("Acos", 7),
    ("Acosh", 9),
    ("Asin", 7),
    ("Asinh", 9),
    ("Atan", 7),
    ("Atanh", 9),
    ("BitwiseAnd", 18),
    ("BitwiseNot", 18),
    ("BitwiseOr", 18),
    ("BitwiseXor", 18),
    ("Celu", 12),
    ("Cos", 7),
    ("Cosh", 9),
    ("Erf", 9),
    ("Gelu", 20),
    ("GreaterOrEqual", 12),
    ("HardSwish", 14),
    ("IsNaN", 9),
    ("LessOrEqual", 12),
    ("Mish", 18),
    ("Round", 11),
    ("Shrink", 9),
    ("Sign", 9),
    ("Sin", 7),
    ("Sinh", 9),
    ("Tan", 7),
    ("ThresholdedRelu", 10),
    ("Where", 9),
];

/// What builds nodes of a name.
pub(super) enum Found {
    /// An operator of the table.
    Listed(&'static Operator),
    /// An elementwise operation.
    Elementwise(&'static str),
    /// A fold.
    Fold(Reduction),
}

/// What builds nodes of this name.
pub(super) fn find(op_type: &str) -> Result<Found, Error> {
    if let Some(operator) = OPERATORS.iter().find(|operator| operator.name == op_type) {
        return Ok(Found::Listed(operator));
    }
    if let Some(reduction) =
        Reduction::ALL.into_iter().find(|reduction| reduction.record().names.onnx == op_type)
        && !op_type.is_empty()
    {
        return Ok(Found::Fold(reduction));
    }
    let mut names = Op::ALL.iter().flat_map(|op| entries(op.record().names.onnx));
    let name = names.find(|(name, _)| *name == op_type).map(|(name, _)| name);
    name.map(Found::Elementwise).ok_or_else(|| Error::value(format!("there is no operator {op_type} here")))
}

/// Every operator that there is, in order of the alphabet, with the first opset that has it.
///
/// ```
/// let operators = ndcast::dialect::onnx::op_types();
/// assert!([("Add", 1), ("Einsum", 12), ("Erf", 9)].iter().all(|one| operators.contains(one)));
/// assert!(operators.iter().all(|(name, _)| *name != "Conv"));
/// ```
pub fn op_types() -> Vec<(&'static str, i64)> {
    let listed = OPERATORS.iter().map(|operator| operator.name);
    let elementwise = Op::ALL.iter().flat_map(|op| entries(op.record().names.onnx)).map(|(name, _)| name);
    let folds = Reduction::ALL.into_iter().map(|reduction| reduction.record().names.onnx);
    let mut names: Vec<&str> =
        listed.chain(elementwise).chain(folds).filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().filter_map(|name| Some((name, find(name).ok()?.opsets().0))).collect()
}

impl Found {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Found::Listed(operator) => operator.name,
            Found::Elementwise(name) => name,
            Found::Fold(reduction) => reduction.record().names.onnx,
        }
    }

    /// The first opset that has it, and the first that has it no more.
    fn opsets(&self) -> (i64, i64) {
        match self {
            Found::Listed(operator) => operator.opsets,
            Found::Elementwise(name) => {
                (SINCE.iter().find(|(other, _)| other == name).map_or(1, |(_, since)| *since), NEVER)
            }
            Found::Fold(_) => (1, NEVER),
        }
    }

    /// In which opsets it is there instead, if it is not in this one.
    pub(super) fn elsewhere(&self, opset: i64) -> Option<String> {
        let (since, until) = self.opsets();
        let name = self.name();
        if opset < since {
            return Some(format!("{name} is there since opset {since}, and this is {opset}"));
        }
        (opset >= until).then(|| format!("{name} is there before opset {until}, and this is {opset}"))
    }

    pub(super) fn build(&self, call: &mut Call<'_>) -> Built {
        if let Some(elsewhere) = self.elsewhere(call.opset) {
            return Err(Error::value(elsewhere));
        }
        let (least, most) = match self {
            Found::Listed(operator) => (*operator.inputs.start(), *operator.inputs.end()),
            Found::Elementwise(name) => elementwise::arity(name),
            Found::Fold(_) => (1, 2),
        };
        if call.count() < least || call.count() > most {
            let most = (most < ANY).then_some(most);
            return Err(Error::new(ErrorKind::ArgumentCount { least, most, found: call.count() }));
        }
        let built = match self {
            Found::Listed(operator) => (operator.build)(call),
            Found::Elementwise(name) => elementwise::of_record(call, name).map(|id| vec![id]),
            Found::Fold(reduction) => fold::plain(call, *reduction),
        }?;
        call.finish()?;
        if call.outputs > built.len() {
            let (wanted, found) = (call.outputs, built.len());
            return Err(Error::value(format!("it has {found} outputs here, and {wanted} are wanted")));
        }
        Ok(built)
    }
}
