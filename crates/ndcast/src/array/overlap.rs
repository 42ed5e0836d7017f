//! Values that lie in the memory of the array that they are put into, or are made of what lies there.
//!
//! Memory that somebody else has is copied before it is changed. Of a value that is read from the array itself that would
//! be a copy of all of it, for each change of a part. So the value gets memory of its own before, or is not made at all:
//! `part = x[1:]; part += y; x[1:] = part` is the operation on the part of `x` where it lies, in Python `x[1:] += y`.

use smallvec::{SmallVec, smallvec};

use super::evaluate::fresh;
use super::expression::Axes;
use super::{Array, Expression, Form, Node};
use crate::error::Error;
use crate::layout::Layout;
use crate::op::Op;
use crate::tensor::Tensor;

/// So many arrays are looked at before a value is taken to be made of the memory.
const MOST: usize = 64;

impl Array {
    /// Whether both are computed and lie in one memory.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 2], &[1, 2, 3, 4]);
    /// assert!(x.transpose(&[1, 0]).shares_memory(&x) && !x.copy().shares_memory(&x));
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn shares_memory(&self, other: &Array) -> bool {
        let values = (self.node().value(), other.node().value());
        matches!(values, (Some(Ok(own)), Some(Ok(theirs))) if own.shares_memory(theirs))
    }

    /// Its memory, if others share it, so that a change in place would copy it first (see [`Array::part_from`]). `None` if it is
    /// not computed, or [lent](Array::is_lent).
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 2], &[1, 2, 3, 4]);
    /// assert!(x.shared_memory().is_none());
    /// let turned = x.transpose(&[1, 0]);
    /// assert_eq!(x.shared_memory(), turned.shared_memory());
    /// assert_eq!(x.shared_memory().map(<[u8]>::len), Some(16));
    /// ```
    pub fn shared_memory(&self) -> Option<&[u8]> {
        self.node().shared_memory()
    }

    /// Stops sharing memory with another array, by copying the elements if it does.
    ///
    /// ```
    /// use ndcast::{Array, shape::parse_index};
    /// let x = Array::new(&[2, 2], &[1, 2, 3, 4]);
    /// let mut column = x.select(&parse_index(":, 0")?);
    /// column.part_from(&x);
    /// assert!(!column.shares_memory(&x));
    /// assert_eq!(column.to_vec::<i32>()?, [1, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn part_from(&mut self, other: &Array) {
        if let (Some(Ok(own)), Some(Ok(theirs))) = (self.node().at_hand(), other.node().at_hand())
            && own.shares_memory(theirs)
            && let Ok(copy) = fresh(own)
        {
            *self = copy.into();
        }
    }

    /// Whether it is made of another array, or of what lies in the memory of that; yes too if that is not soon known.
    pub(super) fn is_made_of(&self, other: &Array) -> bool {
        let memory = other.node().value().and_then(|value| value.as_ref().ok());
        let mut open: SmallVec<[Array; 4]> = smallvec::smallvec![self.clone()];
        let mut left = MOST;
        while let Some(array) = open.pop() {
            if left == 0 || array.node().address() == other.node().address() {
                return true;
            }
            left -= 1;
            match array.node().value() {
                Some(Ok(tensor)) if memory.is_some_and(|memory| memory.shares_memory(tensor)) => return true,
                Some(_) => {}
                None => {
                    if let Some(Some(made)) = array.node().expression().as_deref() {
                        open.extend(made.arguments.iter().cloned());
                    }
                }
            }
        }
        false
    }

    /// Puts a value that is not computed yet, an operation on just the part that it is put into, there: by that operation
    /// on the part where it lies. `None` if it is another value; then nothing is done.
    pub(super) fn put_changed_part(&mut self, layout: &Layout, value: &Array) -> Option<Result<(), Error>> {
        // The place is counted from the array's first element, and that is where the memory begins.
        let is_part = |tensor: &Tensor, of: &Tensor| {
            of.layout().is_compact() && tensor.layout() == layout && tensor.shares_memory(of)
        };
        // Whoever looks at the value waits until it is there.
        let node = value.node().clone();
        let mut made = node.expression()?;
        let Expression { form: Form::Update(whole, Some(_), _), arguments } = &**made.as_ref()? else {
            return None;
        };
        let (part, own) = (arguments[0].node().at_hand()?, self.node().at_hand()?);
        let is_whole = whole.is_row_major() && whole.shape() == layout.shape();
        if !is_whole || !is_part(part.as_ref().ok()?, own.as_ref().ok()?) {
            return None;
        }
        let Expression { form, mut arguments } = *made.take()?;
        let Form::Update(whole, op, read) = form else { return None };
        let operand = arguments.pop()?;
        drop(arguments);
        let done = self.put_now(layout, op, &read, operand.clone());
        let part = || Ok(self.eval()?.with_layout(layout.clone()));
        match &done {
            // The value is what it was, as the array is.
            Err(error) if error.is_lack_of_memory() => {
                let arguments = smallvec::smallvec![Array::from(part()), operand];
                *made = Some(Box::new(Expression { form: Form::Update(whole, op, read), arguments }));
            }
            Err(error) => node.fill_taken(Err(error.clone())),
            Ok(()) => node.fill_taken(part()),
        }
        Some(done)
    }

    /// Puts a value into a part of the array, or what an operation makes of both, in the array's own memory.
    pub(super) fn put_now(
        &mut self,
        layout: &Layout,
        op: Option<Op>,
        read: &Axes,
        mut value: Array,
    ) -> Result<(), Error> {
        self.eval()?;
        if !value.is_ready() && value.is_made_of(self) {
            value.eval()?;
        }
        value.part_from(self);
        if super::quick::changed(self, layout, op, &value, read).is_some() {
            return Ok(());
        }
        if self.own_memory().is_none() {
            *self = fresh(&self.eval()?)?.into();
        }
        // What is lent is not copied first, because nothing is put off.
        let form = Form::Update(Box::new(layout.clone()), op, read.clone());
        let expression = Expression { form, arguments: smallvec![self.clone(), value] };
        *self = Array(Node::lazy(self.node().shape().into(), self.node().dtype(), expression));
        let done = self.eval().map(drop);
        if done.is_err() {
            // The value could not be computed, and nothing is written yet.
            let before = self.node().expression().and_then(|made| Some(made.as_ref()?.arguments[0].clone()));
            *self = before.unwrap_or_else(|| self.clone());
        }
        done
    }
}
