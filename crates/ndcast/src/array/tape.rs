//! Tapes: what is made of watched arrays is written down, step by step, so that it can be differentiated.
//!
//! A watched array, and whatever floats are made of it, bears marks: on which tape it is which step. Whoever makes an
//! array of a marked one goes through [`Array::lazy`], which writes the step down; so there is one place that does, and
//! nothing is done on the spot that would not be found on the tape. Integers and truth values do not change as floats do a
//! little, so they are on no tape: what is made of them is a constant.
//!
//! An array may be on several tapes, of which each sees the steps between its own arrays and takes the rest for constants.
//! So derivatives of derivatives need nothing else. A mark whose tape is gone counts for nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use smallvec::{SmallVec, smallvec};

use super::node::Node;
use super::{Array, Expression, Extents, Form};
use crate::dtype::{Class, DType};

/// On which tapes an array is; most are on none.
pub(crate) type Marks = Option<Box<[Mark]>>;

/// Which step of a tape an array is.
#[derive(Clone)]
pub(crate) struct Mark {
    steps: Weak<Mutex<Record>>,
    step: usize,
}

/// The steps of a tape in topological order, the watched arrays first.
pub(crate) struct Steps(Arc<Mutex<Record>>);

/// What is on a tape.
struct Record {
    steps: Vec<Step>,
    /// Constants that are lent, as they were when a step was made of them, by where they lie.
    lent: HashMap<usize, Array>,
}

impl Record {
    /// A constant as it is now: what is lent may be written before the gradient is asked for.
    fn kept(&mut self, constant: &Array) -> Array {
        if !constant.is_lent() {
            return constant.clone().computed_now();
        }
        let Some(Ok(now)) = constant.node().value() else { return constant.clone() };
        let bytes = now.as_bytes();
        let place = bytes.map(|bytes| bytes.as_ptr().addr());
        let before = place.and_then(|place| self.lent.get(&place));
        let is_same = |before: &&Array| {
            let Some(Ok(before)) = before.node().value() else { return false };
            (before.dtype(), before.shape(), before.as_bytes()) == (now.dtype(), now.shape(), bytes)
        };
        if let Some(before) = before.filter(is_same) {
            return before.clone();
        }
        let copy = constant.copy().eval().map_or_else(Array::of_error, Array::from);
        if let Some(place) = place {
            self.lent.insert(place, copy.clone());
        }
        copy
    }
}

/// An array on a tape.
pub(crate) struct Step {
    pub(crate) shape: Extents,
    pub(crate) dtype: DType,
    /// How it is made; a watched array is not.
    pub(crate) made: Option<Made>,
}

/// How a step is made.
pub(crate) struct Made {
    pub(crate) form: Form,
    pub(crate) arguments: SmallVec<[Argument; 3]>,
}

/// What a step is made of.
pub(crate) enum Argument {
    /// Another one.
    Step(usize),
    /// An array that is not on the tape.
    Constant(Array),
}

fn locked(steps: &Mutex<Record>) -> MutexGuard<'_, Record> {
    // A step is written in one go.
    steps.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Steps {
    /// A tape on which these arrays are watched: the same values, as arrays that bear its mark.
    pub(crate) fn watching(arrays: &[Array]) -> (Steps, Vec<Array>) {
        let leaf = |array: &Array| Step {
            shape: array.node().shape().into(),
            dtype: array.node().dtype(),
            made: None,
        };
        let record = Record { steps: arrays.iter().map(leaf).collect(), lent: HashMap::new() };
        let steps = Arc::new(Mutex::new(record));
        let watched = arrays.iter().enumerate().map(|(step, array)| {
            let mark = Mark { steps: Arc::downgrade(&steps), step };
            let marks = array.node().live_marks().cloned().chain([mark]).collect();
            Array(array.unmarked().0.with_marks(marks))
        });
        let watched = watched.collect();
        (Steps(steps), watched)
    }

    /// Which step an array is; `None` if it is none.
    pub(crate) fn step_of(&self, array: &Array) -> Option<usize> {
        step_on(&Arc::downgrade(&self.0), array)
    }

    /// The steps, and the end of the tape: nothing is written on it any more.
    pub(crate) fn ended(self) -> Vec<Step> {
        std::mem::take(&mut locked(&self.0).steps)
    }
}

fn step_on(steps: &Weak<Mutex<Record>>, array: &Array) -> Option<usize> {
    array.node().live_marks().find(|mark| Weak::ptr_eq(&mark.steps, steps)).map(|mark| mark.step)
}

impl Node {
    /// Its marks of tapes that are still there.
    fn live_marks(&self) -> impl Iterator<Item = &Mark> {
        self.marks().iter().filter(|mark| mark.steps.strong_count() > 0)
    }

    /// Whether what is made of it is written down somewhere.
    pub(crate) fn is_on_tape(&self) -> bool {
        self.live_marks().next().is_some()
    }
}

impl Array {
    /// Whether it is made of an array that a [`Tape`](crate::graph::Tape) watches, so that its gradient is wanted.
    pub fn is_watched(&self) -> bool {
        self.node().is_on_tape()
    }

    /// The same value as a constant: no gradient flows through it.
    ///
    /// ```
    /// use ndcast::{Array, graph::Tape};
    /// let tape = Tape::new(&[&Array::scalar(3.0)])?;
    /// let x = &tape.watched()[0];
    /// let y = x * &x.unwatched();
    /// assert_eq!(tape.gradients(&y)?[0].item::<f64>()?, 3.0);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    #[must_use]
    pub fn unwatched(&self) -> Array {
        if self.is_watched() { self.unmarked() } else { self.clone() }
    }

    /// The same value in a node of its own.
    fn unmarked(&self) -> Array {
        if let Some(value) = self.node().value() {
            return value.clone().into();
        }
        let shape: Extents = self.node().shape().into();
        let form = Form::Read((0..shape.len()).map(Some).collect());
        let expression = Expression { form, arguments: smallvec![self.clone()] };
        Array(Node::lazy(shape, self.node().dtype(), expression))
    }
}

/// Writes an expression down on the tapes of its arguments: the marks of its result.
pub(super) fn written(expression: &Expression, shape: &[usize], dtype: DType) -> Marks {
    if expression.arguments.iter().all(|argument| argument.node().marks().is_empty())
        || !matches!(dtype.class(), Class::Float | Class::Complex)
    {
        return None;
    }
    let mut tapes: SmallVec<[&Weak<Mutex<Record>>; 2]> = SmallVec::new();
    for mark in expression.arguments.iter().flat_map(|argument| argument.node().live_marks()) {
        if !tapes.iter().any(|tape| Weak::ptr_eq(tape, &mark.steps)) {
            tapes.push(&mark.steps);
        }
    }
    let marks = tapes.into_iter().filter_map(|tape| {
        let record = tape.upgrade()?;
        let mut record = locked(&record);
        let argument = |array: &Array| match step_on(tape, array) {
            Some(step) => Argument::Step(step),
            None => Argument::Constant(record.kept(array)),
        };
        let arguments = expression.arguments.iter().map(argument).collect();
        let made = Some(Made { form: expression.form.clone(), arguments });
        record.steps.push(Step { shape: shape.into(), dtype, made });
        Some(Mark { steps: tape.clone(), step: record.steps.len() - 1 })
    });
    let marks: Box<[Mark]> = marks.collect();
    (!marks.is_empty()).then_some(marks)
}
