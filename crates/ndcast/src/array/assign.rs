//! Arrays changed in place, as the Array API says: the left side keeps its shape and its element type, and the right
//! side is broadcast to it, one way. The right side is read first, so it may overlap the left.
//!
//! Whoever else has the array sees no change. If nobody has, the memory is written; else it is copied first. A part of
//! what is in memory is changed at once: it is the less, and who changes part after part would have a long expression.

use std::sync::Arc;

use ndcast_shape::rule::array_api;
use ndcast_shape::{Index, Plan};
use smallvec::smallvec;

use super::expression::{Axes, axes};
use super::{Array, Expression, Form, Operand};
use crate::dtype::DType;
use crate::error::Error;
use crate::layout::Layout;
use crate::op::Op;
use crate::promote::{fits, scalar_fits};

/// Which part of an array is assigned to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place<'i> {
    /// All of it.
    Whole,
    /// What an index selects.
    At(&'i [Index]),
}

impl Array {
    /// All elements replaced: `x[...] = value`.
    ///
    /// If it cannot be done, the array becomes the error, as a result would; [`try_update`](Array::try_update) leaves it as it was.
    ///
    /// ```
    /// use ndcast::Array;
    /// let mut x = Array::new(&[2, 2], &[0, 0, 0, 0]);
    /// x.assign(&Array::new(&[2], &[1, 2]));
    /// assert_eq!(x.to_vec::<i32>()?, [1, 2, 1, 2]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn assign(&mut self, value: impl Into<Operand>) {
        self.change(Place::Whole, None, value.into());
    }

    /// What an index selects replaced: `x[index] = value`.
    ///
    /// If it cannot be done, the array becomes the error, as a result would; [`try_update`](Array::try_update) leaves it as it was.
    ///
    /// Copy-on-write: the memory is written in place if nobody else holds it. While a view of the array exists, all of it is
    /// copied first: in a loop, drop the view or [detach it](Array::part_from).
    ///
    /// ```
    /// use ndcast::{Array, shape::parse_index};
    /// let mut x = Array::new(&[2, 3], &[0, 0, 0, 0, 0, 0]);
    /// x.set(&parse_index("1, ::2")?, 7);
    /// assert_eq!(x.to_vec::<i32>()?, [0, 0, 0, 7, 0, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set(&mut self, index: &[Index], value: impl Into<Operand>) {
        self.change(Place::At(index), None, value.into());
    }

    /// The result of an operation on the array and a value put in the array's place: `x += value`, or
    /// `x[index] += value`.
    ///
    /// If it cannot be done, the array becomes the error, as a result would; [`try_update`](Array::try_update) leaves it as it was.
    ///
    /// ```
    /// use ndcast::{Array, Op, Place, shape::parse_index};
    /// let mut x = Array::new(&[3], &[1, 2, 3]);
    /// x.update(Op::Add, Place::At(&parse_index("1:")?), 10);
    /// assert_eq!(x.to_vec::<i32>()?, [1, 12, 13]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update(&mut self, op: Op, place: Place<'_>, value: impl Into<Operand>) {
        self.change(place, Some(op), value.into());
    }

    /// Changes the array as [`Array::update`] does, or without an operation as [`Array::set`] and [`Array::assign`] do; if
    /// that cannot be done, it stays as it is. A value for all of it is computed when somebody looks: if that fails then, the
    /// array is that error. [`Array::eval`] of the value before finds it out.
    ///
    /// ```
    /// use ndcast::{Array, Op, Place};
    /// let mut x = Array::new(&[3], &[1, 2, 3]);
    /// assert!(x.try_update(Some(Op::Add), Place::Whole, &Array::new(&[2], &[1, 2])).is_err());
    /// x.try_update(None, Place::At(&[ndcast::shape::Index::At(0)]), 7)?;
    /// assert_eq!(x.to_vec::<i32>()?, [7, 2, 3]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// That of the array or of the value; if the value does not go to the array's shape or element type.
    pub fn try_update(
        &mut self,
        op: Option<Op>,
        place: Place<'_>,
        value: impl Into<Operand>,
    ) -> Result<(), Error> {
        let doing = match (op, place) {
            (Some(op), _) => op.record().name,
            (None, Place::Whole) => "assign",
            (None, Place::At(_)) => "set",
        };
        self.check()?;
        let value = value.into();
        if let (None, Place::At(index), &Operand::Number(number)) = (op, place, &value)
            && super::quick::put_number(self, index, number).is_some()
        {
            return Ok(());
        }
        if let Operand::Array(array) = &value {
            array.check()?;
        }
        let (form, value) = self.changed(place, op, value).map_err(|error| error.of(doing))?;
        let Form::Update(layout, op, read) = &form else { return self.put_later(form, value) };
        let known = [&*self, &value].iter().all(|array| !array.node().is_open() && !array.is_watched());
        if known
            && op.is_none()
            && self.is_ready()
            && let Some(done) = self.put_changed_part(layout, &value)
        {
            return done;
        }
        let is_part = matches!(place, Place::At(_));
        if known && is_part && (self.is_ready() || value.is_made_of(self)) {
            return self.put_now(layout, *op, read, value);
        }
        if super::quick::changed(self, layout, *op, &value, read).is_some() {
            return Ok(());
        }
        self.put_later(form, value)
    }

    /// The same of a part of an array that is still to be computed, and the value with it: as a whole, or row by row.
    pub(super) fn set_later(&mut self, index: &[Index], value: impl Into<Operand>) {
        let later = |this: &mut Array, value| {
            this.check()?;
            let (form, value) =
                this.changed(Place::At(index), None, value).map_err(|error| error.of("set"))?;
            if let Form::Update(layout, op, read) = &form
                && super::quick::changed(this, layout, *op, &value, read).is_some()
            {
                return Ok(());
            }
            this.put_later(form, value)
        };
        if let Err(error) = later(self, value.into()) {
            *self = Array::of_error(error);
        }
    }

    /// Puts the expression in the array's place.
    pub(super) fn put_later(&mut self, form: Form, value: Array) -> Result<(), Error> {
        let shape = self.node().shape().into();
        let dtype = self.node().dtype();
        // This handle goes into the expression, so that the memory may be nobody else's when that is computed.
        let changed =
            Array::lazy(shape, dtype, Expression { form, arguments: smallvec![self.clone(), value] });
        changed.check()?;
        *self = changed;
        Ok(())
    }

    /// A value put where a mask of the array's shape is true; if that cannot be done, the array stays as it is.
    ///
    /// ```
    /// use ndcast::Array;
    /// let mut x = Array::new(&[3], &[1, -2, 3]);
    /// let mask = x.less(0);
    /// x.try_set_where(&mask, 0)?;
    /// assert_eq!(x.to_vec::<i32>()?, [1, 0, 3]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// That of an array; if the mask has no truth values or another shape, or if the value does not go to the array's shape or
    /// element type.
    pub fn try_set_where(&mut self, mask: &Array, value: impl Into<Operand>) -> Result<(), Error> {
        let value = value.into();
        if mask.shape()? != self.shape()? {
            let what = "the mask has the shape of the array";
            return Err(Error::shapes(what, &[mask.shape()?, self.shape()?], None).of("set"));
        }
        if let Operand::Number(number) = value {
            return self.put_number_where(mask, number).map_err(|error| error.of("set"));
        }
        let mut filled = self.copy();
        filled.try_update(None, Place::Whole, value)?;
        let changed = mask.choose(&filled, &*self);
        changed.check()?;
        *self = changed;
        Ok(())
    }

    /// Changes the array; an error makes it that error.
    fn change(&mut self, place: Place<'_>, op: Option<Op>, value: Operand) {
        if let Err(error) = self.try_update(op, place, value) {
            *self = Array::of_error(error);
        }
    }

    fn changed(&self, place: Place<'_>, op: Option<Op>, value: Operand) -> Result<(Form, Array), Error> {
        let dtype = self.node().dtype();
        if let Some(op) = op {
            let result = op.result(dtype).ok_or_else(|| {
                Error::not_taken(dtype, DType::all().filter(|&other| op.result(other).is_some()).collect())
            })?;
            if op.arity() != 2 {
                return Err(Error::value("it is not an operation on two arrays".to_owned()));
            }
            if result != dtype {
                return Err(Error::value(format!("its result is {result}, and the array stays {dtype}")));
            }
        }
        let value = match value {
            Operand::Array(array) => fitting(&array, dtype)?,
            Operand::Number(number) => {
                scalar_fits(number.kind(), dtype)?;
                number.tensor(dtype)?.into()
            }
        };
        // The array is compact where it is changed, so the layout is that of its elements in order.
        let own = Layout::row_major(self.node().shape())?;
        let (layout, whole) = match place {
            Place::Whole => (own, true),
            Place::At(index) => (own.select(index)?, false),
        };
        let plan = array_api::in_place(layout.shape(), value.node().shape())?;
        let read = right(&plan);
        // Of a value not computed yet nothing is in place: the operation is one more in its expression.
        if let (true, Some(op), false) = (whole, op, self.is_ready()) {
            let read: Arc<[Axes]> = [(0..layout.rank()).map(Some).collect(), read].into();
            return Ok((Form::Apply(op, Some(read)), value));
        }
        Ok((Form::Update(Box::new(layout), op, read), value))
    }
}

/// How the right side of an assignment is read.
fn right(plan: &Plan) -> Axes {
    axes(plan, plan.operand_count() - 1)
}

/// An array as elements of the left side's type, if that holds them.
fn fitting(array: &Array, dtype: DType) -> Result<Array, Error> {
    fits(array.dtype()?, dtype)?;
    Ok(array.convert(dtype))
}
