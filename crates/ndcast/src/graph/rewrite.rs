//! Rewrites that leave less to do: one table of rows, each with its reason. All leave every bit of every output as it is.

use ndcast_shape::{Extent, Index};
use smallvec::SmallVec;

use super::kind::{Apply, Broadcast, Constant, Convert, Fit, Lay, Reshape, Transpose};
use super::{Arguments, Graph, Id, Kind};
use crate::array::Array;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::op::{Law, Op};

/// One rewrite.
///
/// ```
/// use ndcast::graph::Rewrite;
/// assert!(Rewrite::ALL.iter().any(|rewrite| rewrite.name == "merge-broadcasts"));
/// ```
#[derive(Debug)]
pub struct Rewrite {
    /// Its name.
    pub name: &'static str,
    /// What it does, and why that is less.
    pub why: &'static str,
    apply: Applied,
}

/// What a node of this kind with these arguments is instead, if the row applies to it.
type Applied = fn(&mut Graph, &Kind, &[Id]) -> Result<Option<Simpler>, Error>;

/// What a node is instead.
enum Simpler {
    /// This one, that is there already.
    Is(Id),
    /// A node of this kind with these arguments.
    Node(Kind, Arguments),
}

impl Simpler {
    fn node(kind: impl Into<Kind>, arguments: &[Id]) -> Option<Simpler> {
        Some(Simpler::Node(kind.into(), arguments.into()))
    }
}

impl Rewrite {
    /// Every rewrite, in the order in which they are tried.
    pub const ALL: &'static [Rewrite] = &[
        Rewrite {
            name: "drop-identities",
            why: "a node that gives its argument as it is moves and computes nothing",
            apply: drop_identities,
        },
        Rewrite {
            name: "drop-neutral-numbers",
            why: "x * 1, x / 1 and x - 0 are x, and of integers so is x + 0",
            apply: drop_neutral_numbers,
        },
        Rewrite {
            name: "undo-involutions",
            why: "what undoes itself, twice, is nothing: negatives, complements",
            apply: undo_involutions,
        },
        Rewrite {
            name: "merge-broadcasts",
            why: "a broadcast of a broadcast is one; each is read at every element",
            apply: merge_broadcasts,
        },
        Rewrite { name: "merge-transposes", why: "two orders of axes are one", apply: merge_transposes },
        Rewrite {
            name: "merge-reshapes",
            why: "of two shapes of the same elements the last one counts",
            apply: merge_reshapes,
        },
        Rewrite {
            name: "merge-conversions",
            why: "a type between that holds everything changes nothing",
            apply: merge_conversions,
        },
        Rewrite {
            name: "fold-constants",
            why: "a few elements that never change are computed once; never more than a few, and no broadcast",
            apply: fold_constants,
        },
        Rewrite {
            name: "lower-broadcasts",
            why: "an operation on what is repeated is computed once, and its result repeated",
            apply: lower_broadcasts,
        },
    ];
}

/// Results of more elements than this are not folded.
const FEW: usize = 64;

/// A node is rewritten at most so often.
const OFTEN: usize = 64;

impl Graph {
    /// The same graph after all rewrites, without what no output needs.
    ///
    /// ```
    /// use ndcast::{DType, Op, graph::{Graph, kind::Transpose}};
    /// let mut graph = Graph::new();
    /// let x = graph.input("x", DType::F32, "2x3".parse()?)?;
    /// let turned = graph.add(Transpose::new([1, 0]), &[x])?;
    /// let back = graph.add(Transpose::new([1, 0]), &[turned])?;
    /// let y = graph.apply(Op::Exp, &[back])?;
    /// graph.output("y", y)?;
    /// // The input, and the exponential of it.
    /// assert_eq!(graph.cleaned()?.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// None that the graph as it is does not have.
    pub fn cleaned(&self) -> Result<Graph, Error> {
        self.rewritten(Rewrite::ALL)
    }

    /// The same graph after some rewrites, without what no output needs.
    pub(super) fn rewritten(&self, rewrites: &[Rewrite]) -> Result<Graph, Error> {
        let copied = self.copied(
            |_, node| node.shape().clone(),
            |to, node, ids| rewritten(to, rewrites, node.kind().clone(), ids.into()),
        );
        copied?.pruned()
    }
}

/// A node, rewritten until no row applies.
fn rewritten(to: &mut Graph, rewrites: &[Rewrite], kind: Kind, arguments: Arguments) -> Result<Id, Error> {
    let (mut kind, mut arguments) = (kind, arguments);
    for _ in 0..OFTEN {
        let mut simpler = None;
        for rewrite in rewrites {
            simpler = (rewrite.apply)(to, &kind, &arguments)?;
            if simpler.is_some() {
                break;
            }
        }
        match simpler {
            None => break,
            Some(Simpler::Is(id)) => return Ok(id),
            Some(Simpler::Node(other, others)) => (kind, arguments) = (other, others),
        }
    }
    to.add(kind, &arguments)
}

fn drop_identities(graph: &mut Graph, kind: &Kind, arguments: &[Id]) -> Result<Option<Simpler>, Error> {
    let [id, ..] = *arguments else { return Ok(None) };
    let node = graph.at(id);
    let drops = match kind {
        Kind::Broadcast(broadcast) => broadcast.is_identity(),
        Kind::Transpose(transpose) => *transpose == Transpose::new(0..transpose.order.len()),
        Kind::Reshape(reshape) => {
            let extents = node.shape().extents();
            extents.is_some_and(|extents| reshape.to.iter().copied().eq(extents.into_iter().map(Some)))
        }
        Kind::Convert(convert) => convert.to == node.dtype(),
        Kind::Slice(slice) => {
            node.shape().rank() == Some(slice.index.len())
                && slice.index.iter().all(|part| *part == Index::WHOLE)
        }
        Kind::Concatenate(_) => arguments.len() == 1,
        Kind::Reduce(reduce) => reduce.axes.is_empty(),
        Kind::Apply(Apply(op)) => *op == Op::Positive,
        _ => false,
    };
    Ok(drops.then_some(Simpler::Is(id)))
}

/// The one number that a node is everywhere, if that can be seen.
pub(super) fn everywhere(graph: &Graph, id: Id) -> Option<f64> {
    let mut node = graph.at(id);
    while let Kind::Broadcast(_) = node.kind() {
        node = graph.at(node.arguments()[0]);
    }
    let tensor = node.constant().filter(|tensor| tensor.elements() == 1 && tensor.dtype().computes())?;
    if tensor.dtype().class() == Class::Complex {
        return None;
    }
    Array::from(tensor.clone()).convert(DType::F64).to_vec::<f64>().ok()?.first().copied()
}

fn drop_neutral_numbers(graph: &mut Graph, kind: &Kind, arguments: &[Id]) -> Result<Option<Simpler>, Error> {
    let (Kind::Apply(Apply(op)), &[a, b]) = (kind, arguments) else { return Ok(None) };
    let laws = op.record().laws;
    // -0 + 0 is 0, so of floats a sum does not stay as it is.
    let stays = match graph.at(a).dtype().class() {
        Class::Float | Class::Complex => matches!(op, Op::Multiply | Op::Divide | Op::Subtract),
        _ => true,
    };
    let neutral = |id: Id| {
        everywhere(graph, id).is_some_and(|n| {
            let zero_is_positive = n != 0.0 || n.is_sign_positive();
            zero_is_positive && laws.contains(&Law::Neutral(n))
        })
    };
    Ok(if stays && neutral(b) {
        Some(Simpler::Is(a))
    } else if stays && laws.contains(&Law::Commutative) && neutral(a) {
        Some(Simpler::Is(b))
    } else {
        None
    })
}

fn undo_involutions(graph: &mut Graph, kind: &Kind, arguments: &[Id]) -> Result<Option<Simpler>, Error> {
    let (Kind::Apply(Apply(op)), &[id]) = (kind, arguments) else { return Ok(None) };
    let node = graph.at(id);
    let record = op.record();
    let exact = record.laws.contains(&Law::Involution) && record.accuracy == "exact";
    let twice = matches!(node.kind(), Kind::Apply(Apply(inner)) if inner == op);
    Ok((exact && twice).then(|| Simpler::Is(node.arguments()[0])))
}

fn merge_broadcasts(graph: &mut Graph, kind: &Kind, arguments: &[Id]) -> Result<Option<Simpler>, Error> {
    let (Kind::Broadcast(outer), &[id]) = (kind, arguments) else { return Ok(None) };
    let node = graph.at(id);
    let Kind::Broadcast(inner) = node.kind() else { return Ok(None) };
    Ok(Simpler::node(outer.after(inner), node.arguments()))
}

fn merge_transposes(graph: &mut Graph, kind: &Kind, arguments: &[Id]) -> Result<Option<Simpler>, Error> {
    let (Kind::Transpose(outer), &[id]) = (kind, arguments) else { return Ok(None) };
    let node = graph.at(id);
    let Kind::Transpose(inner) = node.kind() else { return Ok(None) };
    Ok(Simpler::node(Transpose::new(outer.order.iter().map(|&axis| inner.order[axis])), node.arguments()))
}

fn merge_reshapes(graph: &mut Graph, kind: &Kind, arguments: &[Id]) -> Result<Option<Simpler>, Error> {
    let (Kind::Reshape(outer), &[id]) = (kind, arguments) else { return Ok(None) };
    let node = graph.at(id);
    let Kind::Reshape(inner) = node.kind() else { return Ok(None) };
    // An extent that is left to be found is another one if there is nothing.
    let known = |reshape: &Reshape| reshape.to.iter().all(Option::is_some);
    Ok(if known(outer) && known(inner) { Simpler::node(outer.clone(), node.arguments()) } else { None })
}

/// Whether every value of a type is one of another.
fn holds(wide: DType, narrow: DType) -> bool {
    let integers = |dtype: DType| dtype.is_integer();
    let wider = wide.bits() > narrow.bits();
    match (narrow, wide) {
        (DType::F16 | DType::Bf16, DType::F32) | (DType::F16 | DType::Bf16 | DType::F32, DType::F64) => true,
        _ if integers(narrow) && integers(wide) && narrow.computes() && wide.computes() => {
            wider && (wide.class() == Class::Signed || narrow.class() == Class::Unsigned)
        }
        _ => false,
    }
}

fn merge_conversions(graph: &mut Graph, kind: &Kind, arguments: &[Id]) -> Result<Option<Simpler>, Error> {
    let (Kind::Convert(outer), &[id]) = (kind, arguments) else { return Ok(None) };
    let node = graph.at(id);
    let Kind::Convert(_) = node.kind() else { return Ok(None) };
    let from = graph.at(node.arguments()[0]).dtype();
    let merged = Convert { to: outer.to, overflow: outer.overflow };
    Ok(if holds(node.dtype(), from) { Simpler::node(merged, node.arguments()) } else { None })
}

fn fold_constants(graph: &mut Graph, kind: &Kind, arguments: &[Id]) -> Result<Option<Simpler>, Error> {
    if arguments.is_empty() || matches!(kind, Kind::Broadcast(_) | Kind::Fit(_)) {
        return Ok(None);
    }
    let values: Option<Vec<Array>> =
        arguments.iter().map(|&id| graph.at(id).constant().cloned().map(Array::from)).collect();
    let Some(values) = values else { return Ok(None) };
    let nodes: SmallVec<[_; 4]> = arguments.iter().map(|&id| graph.at(id)).collect();
    let shape = kind.operation().infer(&nodes)?.shape;
    let few = shape
        .extents()
        .is_some_and(|extents| crate::layout::checked_count(&extents).is_ok_and(|count| count <= FEW));
    // What cannot be computed is an error when the graph runs.
    let Some(tensor) = few.then(|| kind.operation().run(&values).copy().eval().ok()).flatten() else {
        return Ok(None);
    };
    Ok(Simpler::node(Constant(tensor), &[]))
}

fn lower_broadcasts(graph: &mut Graph, kind: &Kind, arguments: &[Id]) -> Result<Option<Simpler>, Error> {
    let Kind::Apply(Apply(op)) = kind else { return Ok(None) };
    // The one way in which all arguments lie that are more than a number, and one that lies so.
    let mut common: Option<(Broadcast, Id)> = None;
    for &id in arguments {
        let node = graph.at(id);
        let Kind::Broadcast(broadcast) = node.kind() else { return Ok(None) };
        let from = node.arguments()[0];
        if broadcast.operand_rank() == 0 {
            continue;
        }
        match &common {
            None => common = Some((broadcast.clone(), from)),
            Some((other, like)) => {
                let alike = graph.at(from).dims().zip(graph.at(*like).dims());
                let equal = alike.is_some_and(|(a, b)| a.iter().zip(b).all(|(a, b)| a.same(b)));
                if other != broadcast || !equal {
                    return Ok(None);
                }
            }
        }
    }
    let froms: Arguments = arguments.iter().map(|&id| graph.at(id).arguments()[0]).collect();
    let Some((common, like)) = common else {
        // Numbers alone.
        let Kind::Broadcast(broadcast) = graph.at(arguments[0]).kind().clone() else { return Ok(None) };
        let inner = rewritten(graph, Rewrite::ALL, kind.clone(), froms)?;
        return Ok(Simpler::node(broadcast, &[inner]));
    };
    if !common.axes.iter().any(|lay| !matches!(lay, Lay::Axis(_) | Lay::New(1))) {
        return Ok(None);
    }
    let mut inner = Arguments::new();
    for from in froms {
        let scalar = graph.at(from).shape().rank() == Some(0) && graph.at(like).shape().rank() != Some(0);
        inner.push(if scalar { graph.add(Fit::join(2, 0), &[from, like])? } else { from });
    }
    let inner = rewritten(graph, Rewrite::ALL, Apply(*op).into(), inner)?;
    Ok(Simpler::node(common, &[inner]))
}
