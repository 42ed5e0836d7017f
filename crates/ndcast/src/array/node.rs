//! A node of an expression: a value, or how it is made.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::tape::{Mark, Marks};
use super::{Array, Expression, Extents};
use crate::dtype::DType;
use crate::error::Error;
use crate::tensor::Tensor;

/// From this depth on an expression is computed as it grows, so that none is too deep to be walked through or dropped.
const DEEPEST: u32 = 256;
/// The depth of what lies above a value that is still to come: nothing of it can be computed yet.
const OPEN: u32 = u32::MAX;

/// A node, shared by all who have it.
#[derive(Clone)]
pub(crate) struct Node(Arc<Inner>);

struct Inner {
    shape: Extents,
    dtype: DType,
    /// How many operations lie below it, one above the other.
    depth: u32,
    value: Value,
    /// How it is made, as long as it has no value. Elsewhere, because most nodes have a value from the start.
    expression: Mutex<Option<Box<Expression>>>,
    marks: Marks,
}

/// The value of a node. Most nodes are made with it; to set it later costs more.
enum Value {
    Ready(Result<Tensor, Error>),
    Later(OnceLock<Result<Tensor, Error>>),
}

impl Value {
    fn later() -> Value {
        Value::Later(OnceLock::new())
    }

    /// Sets it, unless it is there: then it is the same.
    fn set(&self, value: Result<Tensor, Error>) {
        if let Value::Later(later) = self {
            let _ = later.set(value);
        }
    }
}

impl Node {
    pub(crate) fn ready(tensor: Tensor) -> Node {
        Node(Arc::new(Inner {
            shape: Extents::from_slice(tensor.shape()),
            dtype: tensor.dtype(),
            depth: 0,
            value: Value::Ready(Ok(tensor)),
            expression: Mutex::new(None),
            marks: None,
        }))
    }

    pub(crate) fn failed(error: Error) -> Node {
        Node(Arc::new(Inner {
            shape: Extents::new(),
            dtype: DType::Bool,
            depth: 0,
            value: Value::Ready(Err(error)),
            expression: Mutex::new(None),
            marks: None,
        }))
    }

    /// A node whose value is still to come.
    pub(crate) fn open(shape: Extents, dtype: DType) -> Node {
        let (value, expression) = (Value::later(), Mutex::new(None));
        Node(Arc::new(Inner { shape, dtype, depth: OPEN, value, expression, marks: None }))
    }

    /// A node that is made so when somebody looks.
    pub(crate) fn lazy(shape: Extents, dtype: DType, expression: Expression) -> Node {
        let below = |array: &Array| if array.0.value().is_some() { 0 } else { array.0.0.depth };
        let mut depth = expression.arguments.iter().map(below).max().unwrap_or(0).saturating_add(1);
        if depth > DEEPEST && depth < OPEN {
            let arguments: Vec<&Array> = expression.arguments.iter().collect();
            if let Err(error) = super::evaluate::evaluate(&arguments) {
                return Node::failed(error);
            }
            depth = 1;
        }
        let expression = Mutex::new(Some(Box::new(expression)));
        Node(Arc::new(Inner { shape, dtype, depth, value: Value::later(), expression, marks: None }))
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
        &self.0.shape
    }

    pub(crate) fn dtype(&self) -> DType {
        self.0.dtype
    }

    pub(crate) fn value(&self) -> Option<&Result<Tensor, Error>> {
        match &self.0.value {
            Value::Ready(value) => Some(value),
            Value::Later(later) => later.get(),
        }
    }

    /// Its value, if something may be made of it on the spot: it is there, and what is made of it is not written down.
    pub(crate) fn at_hand(&self) -> Option<&Result<Tensor, Error>> {
        self.value().filter(|value| value.is_err() || !self.is_on_tape())
    }

    /// How it is made; locked as long as the guard lives, so that nobody else computes it or takes it.
    pub(crate) fn expression(&self) -> MutexGuard<'_, Option<Box<Expression>>> {
        // Whoever holds it changes it in one step.
        self.0.expression.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives it its value, unless somebody else did meanwhile.
    pub(crate) fn fill(&self, value: Result<Tensor, Error>) {
        self.0.value.set(value);
        let expression = self.expression().take();
        drop(expression);
    }

    /// Gives it its value, while its expression is locked and taken.
    pub(crate) fn fill_taken(&self, value: Result<Tensor, Error>) {
        self.0.value.set(value);
    }

    /// Its tensor to be written, if nobody else has this node or the tensor's memory.
    pub(crate) fn alone_mut(&mut self) -> Option<&mut Tensor> {
        let tensor = match &mut Arc::get_mut(&mut self.0)?.value {
            Value::Ready(value) => value.as_mut().ok()?,
            Value::Later(later) => later.get_mut()?.as_mut().ok()?,
        };
        if tensor.is_alone() { Some(tensor) } else { None }
    }

    /// Its tensor, if nobody else has this node or the tensor's memory.
    pub(crate) fn take_alone(&mut self) -> Option<Tensor> {
        let inner = Arc::get_mut(&mut self.0)?;
        let mut value = match std::mem::replace(&mut inner.value, Value::later()) {
            Value::Ready(value) => value,
            Value::Later(later) => later.into_inner()?,
        };
        if let Ok(tensor) = &mut value
            && tensor.is_alone()
        {
            return value.ok();
        }
        inner.value = Value::Ready(value);
        None
    }

    /// Which node it is, to tell one from another.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}
