//! A node of an expression: a value, or how it is made.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use super::tape::{Mark, Marks};
use super::{Array, Expression, Extents, pending};
use crate::dtype::DType;
use crate::error::Error;
use crate::layout::saturating_count;
use crate::tensor::Tensor;

/// Deeper expressions have their arguments computed first, so that recursive walks and drops stay bounded.
const DEEPEST: u32 = 256;
/// The depth of a placeholder, and of all that is made of one: it cannot be computed yet.
const OPEN: u32 = u32::MAX;

/// A node, shared by all who have it.
#[derive(Clone)]
pub(crate) struct Node(Arc<Inner>);

struct Inner {
    value: Value,
    marks: Marks,
}

/// The value of a node. Most nodes are made with it, and are all the smaller for that.
enum Value {
    Ready(Result<Tensor, Error>),
    Later(Box<Later>),
}

/// What is computed when somebody looks.
struct Later {
    shape: Extents,
    dtype: DType,
    /// The longest chain of operations below it.
    depth: u32,
    /// Whether it was computed before, fused into something else, without being stored.
    passed: AtomicBool,
    /// Whether it is made of memory that somebody lends.
    lent: bool,
    /// The most bytes that one argument keeps alive; a sum would count shared arrays more than once.
    held: usize,
    value: OnceLock<Result<Tensor, Error>>,
    /// How it is made, as long as it has no value.
    expression: Mutex<Option<Box<Expression>>>,
}

impl Node {
    pub(crate) fn ready(tensor: Tensor) -> Node {
        Node(Arc::new(Inner { value: Value::Ready(Ok(tensor)), marks: None }))
    }

    pub(crate) fn failed(error: Error) -> Node {
        Node(Arc::new(Inner { value: Value::Ready(Err(error)), marks: None }))
    }

    fn later(shape: Extents, dtype: DType, depth: u32, expression: Option<Box<Expression>>) -> Node {
        let lent = expression.iter().any(|made| made.arguments.iter().any(Array::reads_lent));
        let held = expression.iter().flat_map(|made| &made.arguments).map(|array| array.0.held());
        let held = held.max().unwrap_or(0);
        let (passed, value, expression) = (AtomicBool::new(false), OnceLock::new(), Mutex::new(expression));
        let later = Later { shape, dtype, depth, passed, lent, held, value, expression };
        Node(Arc::new(Inner { value: Value::Later(Box::new(later)), marks: None }))
    }

    /// A placeholder: a node without a value or an expression.
    pub(crate) fn open(shape: Extents, dtype: DType) -> Node {
        Node::later(shape, dtype, OPEN, None)
    }

    /// A node that is computed by this expression on demand.
    pub(crate) fn lazy(shape: Extents, dtype: DType, expression: Expression) -> Node {
        let below = expression.arguments.iter().map(|array| array.0.depth()).max();
        let mut depth = below.unwrap_or(0).saturating_add(1);
        if depth > DEEPEST && depth < OPEN {
            let arguments: Vec<&Array> = expression.arguments.iter().collect();
            match super::evaluate::evaluate(&arguments) {
                Ok(()) => depth = 1,
                // Perhaps there is more memory for the next one. Twice as deep it is an error, which stays.
                Err(error) if error.is_lack_of_memory() && depth < 2 * DEEPEST => {}
                Err(error) => return Node::failed(error),
            }
        }
        Node::later(shape, dtype, depth, Some(Box::new(expression)))
    }

    /// How many operations lie below it that are still to be computed.
    pub(super) fn depth(&self) -> u32 {
        match &self.0.value {
            Value::Later(later) if later.value.get().is_none() => later.depth,
            _ => 0,
        }
    }

    /// Whether it is made of a value that is still to come.
    pub(crate) fn is_open(&self) -> bool {
        self.depth() == OPEN
    }

    /// The node with these marks, if nobody else has it yet.
    pub(crate) fn with_marks(mut self, marks: Box<[Mark]>) -> Node {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.marks = Some(marks);
        }
        self
    }

    /// Which steps of tapes it is.
    pub(crate) fn marks(&self) -> &[Mark] {
        self.0.marks.as_deref().unwrap_or_default()
    }

    pub(crate) fn shape(&self) -> &[usize] {
        match &self.0.value {
            Value::Ready(Ok(tensor)) => tensor.shape(),
            Value::Ready(Err(_)) => &[],
            Value::Later(later) => &later.shape,
        }
    }

    pub(crate) fn dtype(&self) -> DType {
        match &self.0.value {
            Value::Ready(Ok(tensor)) => tensor.dtype(),
            Value::Ready(Err(_)) => DType::Bool,
            Value::Later(later) => later.dtype,
        }
    }

    pub(crate) fn value(&self) -> Option<&Result<Tensor, Error>> {
        match &self.0.value {
            Value::Ready(value) => Some(value),
            Value::Later(later) => later.value.get(),
        }
    }

    /// Its value, if operations on it may be eager: it is computed and on no tape, or an error.
    pub(crate) fn at_hand(&self) -> Option<&Result<Tensor, Error>> {
        self.value().filter(|value| value.is_err() || !self.is_on_tape())
    }

    /// How it is made, unless it had a value from the start; locked as long as the guard lives, so that nobody else
    /// computes it or takes it.
    pub(crate) fn expression(&self) -> Option<MutexGuard<'_, Option<Box<Expression>>>> {
        match &self.0.value {
            Value::Ready(_) => None,
            // Whoever holds it changes it in one step.
            Value::Later(later) => Some(later.expression.lock().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// Whether it is still to be computed, of memory that somebody lends.
    pub(super) fn reads_lent(&self) -> bool {
        matches!(&self.0.value, Value::Later(later) if later.lent && later.value.get().is_none())
    }

    /// Whether it was computed before, fused into something else, without being stored.
    pub(crate) fn was_fused(&self) -> bool {
        matches!(&self.0.value, Value::Later(later) if later.passed.load(Ordering::Relaxed))
    }

    /// Marks it as computed, fused into something else, without being stored.
    pub(crate) fn pass(&self) {
        if let Value::Later(later) = &self.0.value {
            later.passed.store(true, Ordering::Relaxed);
        }
    }

    /// Forgets how it is made.
    pub(crate) fn forget(&self) {
        let expression = self.expression().and_then(|mut own| own.take());
        drop(expression);
    }

    /// Sets its value, unless another thread did. A lack of memory is not stored, so that it may be tried again.
    pub(crate) fn fill(&self, value: Result<Tensor, Error>) {
        if !value.as_ref().is_err_and(Error::is_lack_of_memory) {
            self.fill_taken(value);
            self.forget();
        }
    }

    /// Sets its value while the caller holds the expression's lock; one that is set already is the same.
    pub(crate) fn fill_taken(&self, value: Result<Tensor, Error>) {
        if let Value::Later(later) = &self.0.value {
            let _ = later.value.set(value);
        }
    }

    /// Its tensor to be written, if nobody else has this node or the tensor's memory.
    pub(crate) fn alone_mut(&mut self) -> Option<&mut Tensor> {
        self.leave_waiting();
        let tensor = match &mut Arc::get_mut(&mut self.0)?.value {
            Value::Ready(value) => value.as_mut().ok()?,
            Value::Later(later) => later.value.get_mut()?.as_mut().ok()?,
        };
        if tensor.is_alone() { Some(tensor) } else { None }
    }

    /// Drops weak references (see [`Waiting`]) to a computed node with one owner: they would prevent writing in place.
    fn leave_waiting(&mut self) {
        if Arc::weak_count(&self.0) > 0 && Arc::strong_count(&self.0) == 1 && self.value().is_some() {
            let Node(own) =
                std::mem::replace(self, Node::failed(Error::value("its value was taken".to_owned())));
            self.0 = Arc::try_unwrap(own).map_or_else(|own| own, Arc::new);
        }
    }

    /// Its tensor, if nobody else has this node or the tensor's memory.
    pub(crate) fn take_alone(&mut self) -> Option<Tensor> {
        self.alone_mut()?;
        match &mut Arc::get_mut(&mut self.0)?.value {
            Value::Ready(value) => {
                std::mem::replace(value, Err(Error::value("its memory was taken".to_owned()))).ok()
            }
            Value::Later(later) => later.value.take()?.ok(),
        }
    }

    /// The memory of its tensor, if it is computed and others have it too.
    pub(super) fn shared_memory(&self) -> Option<&[u8]> {
        let tensor = self.value()?.as_ref().ok()?;
        let is_shared = Arc::strong_count(&self.0) > 1 || tensor.is_shared();
        (is_shared && !tensor.is_lent()).then(|| tensor.memory())
    }

    /// The bytes that it keeps alive; if [`pending`] would compute it early for these, those of its result.
    fn held(&self) -> usize {
        match self.value() {
            Some(value) => value.as_ref().map_or(0, |tensor| tensor.memory().len()),
            None => {
                let (held, bytes) = (self.held_below(), self.bytes());
                if pending::is_much(held, bytes) { bytes } else { held }
            }
        }
    }

    /// The most bytes that one argument keeps alive, as long as it is not computed.
    pub(super) fn held_below(&self) -> usize {
        match &self.0.value {
            Value::Later(later) if later.value.get().is_none() => later.held,
            _ => 0,
        }
    }

    /// The bytes of its elements.
    pub(super) fn bytes(&self) -> usize {
        saturating_count(self.shape()).saturating_mul(self.dtype().size().unwrap_or(0))
    }

    /// A weak reference to the node.
    pub(super) fn waiting(&self) -> Waiting {
        Waiting(Arc::downgrade(&self.0))
    }

    /// Which node it is, to tell one from another.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}

/// A weak reference to a node.
pub(super) struct Waiting(Weak<Inner>);

impl Waiting {
    /// The node, if it is there and still to be computed.
    pub(super) fn node(&self) -> Option<Node> {
        self.0.upgrade().map(Node).filter(|node| node.value().is_none())
    }
}
