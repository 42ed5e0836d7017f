//! Python's operators: each is an operation of the list, with an array or a number on either side.

#![allow(
    unsafe_op_in_unsafe_fn,
    reason = "what PyO3 makes of methods that a macro lists; nothing here is unsafe"
)]

use ndcast::{Array, Op, Operand, Place};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyFloat, PyInt, PyList, PyTuple};

use crate::array::{PyArray, is_long, made};
use crate::elementwise::apply;
use crate::error::{self, exception};
use crate::operand::operand;
use crate::{mixed, policy, scalar};

/// Which side of the operator this array is on.
#[derive(Clone, Copy)]
enum This {
    Left,
    Right,
}

impl PyArray {
    fn with(&self, op: Op, other: &Bound<'_, PyAny>, this: This) -> PyResult<Py<PyAny>> {
        let py = other.py();
        if let (Ok(array), false) = (other.cast::<PyArray>(), policy::is_in_force(other.py()))
            && let Some(result) = self.with_at_once(op, array.get(), this)
        {
            return Ok(Py::new(py, made(py, result)?)?.into_any());
        }
        let Some(other) = operand(other)? else {
            // Python would repeat a sequence, or take it for something that no array equals.
            if other.is_instance_of::<PyList>() || other.is_instance_of::<PyTuple>() {
                let name = error::named(other)?;
                let text = format!("{} takes an array or a number, not {name}", op.record().name);
                return Err(PyTypeError::new_err(text));
            }
            return Ok(py.NotImplemented());
        };
        let own = Operand::Array(self.array());
        let mut operands = match this {
            This::Left => [own, other],
            This::Right => [other, own],
        };
        let result = made(py, apply(py, op, &mut operands)?)?;
        Ok(Py::new(py, result)?.into_any())
    }

    /// The result for few elements of one type, which is most of what is done with them: without a count of who has the
    /// arrays, which would take longer than to compute it.
    fn with_at_once(&self, op: Op, other: &PyArray, this: This) -> Option<Array> {
        let own = self.look()?;
        let theirs = if std::ptr::eq(self, other) { None } else { Some(other.look()?) };
        let other = theirs.as_deref().unwrap_or(&own);
        Array::apply_at_once(
            op,
            match this {
                This::Left => [&own, other],
                This::Right => [other, &own],
            },
        )
    }

    /// The array changed; where that fails it stays as it is.
    fn changed(&self, op: Op, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = other.py();
        let Some(other) = operand(other)? else {
            let name = error::named(other)?;
            let text = format!("{} in place takes an array or a number, not {name}", op.record().name);
            return Err(PyTypeError::new_err(text));
        };
        if let (Ok(own), Operand::Array(array)) = (self.array().dtype(), &other)
            && array
                .dtype()
                .ok()
                .and_then(|theirs| mixed::common(own, theirs))
                .is_some_and(|wide| wide != own)
            && mixed::is_earlier(array, own)
        {
            // As NumPy does it: computed in the type of both, and what comes of it is one of the left.
            let wide = apply(py, op, &mut [self.array().into(), other])?;
            return self.change(py, None, Place::Whole, wide.convert(own));
        }
        let other = self.array().dtype().map_or(other.clone(), |dtype| mixed::into(dtype, other));
        policy::check(py, op.record().name, &[self.array().into(), other.clone()])?;
        self.change(py, Some(op), Place::Whole, other)
    }

    /// The quotient rounded down and what it leaves, on either side.
    fn divided(&self, other: &Bound<'_, PyAny>, this: This) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let quotient = self.with(Op::FloorDivide, other, this)?;
        if quotient.is(py.NotImplemented()) {
            return Ok(quotient);
        }
        let rest = self.with(Op::Remainder, other, this)?;
        Ok((quotient, rest).into_pyobject(py)?.into_any().unbind())
    }

    /// The product of matrices, on either side.
    fn product(&self, other: &Bound<'_, PyAny>, this: This) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Some(Operand::Array(other)) = operand(other)? else { return Ok(py.NotImplemented()) };
        let product = match this {
            This::Left => product(py, self.array(), other)?,
            This::Right => product(py, other, self.array())?,
        };
        Ok(Py::new(py, made(py, product)?)?.into_any())
    }
}

/// The product of matrices, of mixed kinds too.
pub(crate) fn product(py: Python<'_>, left: Array, right: Array) -> PyResult<Array> {
    policy::check_but(py, "matmul", [&left, &right], 2)?;
    let mixed = match (left.dtype(), right.dtype()) {
        (Ok(left), Ok(right)) => mixed::common(left, right),
        _ => None,
    };
    Ok(py.detach(|| match mixed {
        Some(dtype) => left.matmul_as(&right, dtype),
        None => left.matmul(&right),
    }))
}

macro_rules! binary {
    ($($method:ident $reflected:ident $in_place:ident $op:ident;)*) => {
        #[pymethods]
        impl PyArray {
            $(
                fn $method(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    self.with(Op::$op, other, This::Left)
                }

                fn $reflected(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    self.with(Op::$op, other, This::Right)
                }

                fn $in_place(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
                    self.changed(Op::$op, other)
                }
            )*

            fn __pow__(&self, other: &Bound<'_, PyAny>, modulo: Option<&Bound<'_, PyInt>>) -> PyResult<Py<PyAny>> {
                if modulo.is_some() {
                    return Ok(other.py().NotImplemented());
                }
                self.with(Op::Pow, other, This::Left)
            }

            fn __rpow__(&self, other: &Bound<'_, PyAny>, modulo: Option<&Bound<'_, PyInt>>) -> PyResult<Py<PyAny>> {
                if modulo.is_some() {
                    return Ok(other.py().NotImplemented());
                }
                self.with(Op::Pow, other, This::Right)
            }

            fn __ipow__(&self, other: &Bound<'_, PyAny>, _modulo: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
                self.changed(Op::Pow, other)
            }

            fn __divmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                self.divided(other, This::Left)
            }

            fn __rdivmod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                self.divided(other, This::Right)
            }

            fn __matmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                self.product(other, This::Left)
            }

            fn __rmatmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                self.product(other, This::Right)
            }

            fn __imatmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
                let py = other.py();
                let Some(Operand::Array(other)) = operand(other)? else {
                    return Err(PyTypeError::new_err("a product of matrices takes an array"));
                };
                let own = self.array();
                let dtype = own.dtype().map_err(|error| exception(py, &error))?;
                let is_earlier = mixed::is_earlier(&other, dtype);
                let product = product(py, own, other)?;
                product.check().map_err(|error| exception(py, &error))?;
                // As NumPy does it: what comes of a mixed product is one of the left.
                let product = if is_earlier { product.convert(dtype) } else { product };
                self.change(py, None, Place::Whole, product)
            }
        }
    };
}

binary! {
    __add__ __radd__ __iadd__ Add;
    __sub__ __rsub__ __isub__ Subtract;
    __mul__ __rmul__ __imul__ Multiply;
    __truediv__ __rtruediv__ __itruediv__ Divide;
    __floordiv__ __rfloordiv__ __ifloordiv__ FloorDivide;
    __mod__ __rmod__ __imod__ Remainder;
    __and__ __rand__ __iand__ BitwiseAnd;
    __or__ __ror__ __ior__ BitwiseOr;
    __xor__ __rxor__ __ixor__ BitwiseXor;
    __lshift__ __rlshift__ __ilshift__ BitwiseLeftShift;
    __rshift__ __rrshift__ __irshift__ BitwiseRightShift;
}

#[pymethods]
impl PyArray {
    pub(crate) fn __richcmp__(&self, other: &Bound<'_, PyAny>, compare: CompareOp) -> PyResult<Py<PyAny>> {
        let op = match compare {
            CompareOp::Lt => Op::Less,
            CompareOp::Le => Op::LessEqual,
            CompareOp::Eq => Op::Equal,
            CompareOp::Ne => Op::NotEqual,
            CompareOp::Gt => Op::Greater,
            CompareOp::Ge => Op::GreaterEqual,
        };
        match self.with(op, other, This::Left) {
            // An integer that no number here can be is compared as a float.
            Err(error)
                if other.is_instance_of::<PyInt>() && error.is_instance_of::<PyOverflowError>(other.py()) =>
            {
                let sign = if other.lt(0)? { -1.0 } else { 1.0 };
                let near = other.extract::<f64>().unwrap_or(f64::INFINITY * sign);
                self.with(op, PyFloat::new(other.py(), near).as_any(), This::Left)
            }
            compared => compared,
        }
    }

    /// An array without axes is told apart by its element, as it is compared: it is found in a set of numbers. Others by which
    /// object they are: their elements may change.
    fn __hash__(slf: &Bound<'_, Self>) -> PyResult<isize> {
        let array = slf.get().array();
        if array.rank().is_ok_and(|rank| rank == 0) && !array.is_watched() {
            return scalar::item(slf.py(), &array)?.hash();
        }
        // Objects lie on multiples of 16.
        Ok(slf.as_ptr().addr().rotate_right(4).cast_signed())
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<PyArray> {
        made(py, apply(py, Op::Negative, &mut [self.array().into()])?)
    }

    fn __pos__(&self, py: Python<'_>) -> PyResult<PyArray> {
        made(py, apply(py, Op::Positive, &mut [self.array().into()])?)
    }

    fn __abs__(&self, py: Python<'_>) -> PyResult<PyArray> {
        made(py, apply(py, Op::Abs, &mut [self.array().into()])?)
    }

    fn __invert__(&self, py: Python<'_>) -> PyResult<PyArray> {
        made(py, apply(py, Op::BitwiseInvert, &mut [self.array().into()])?)
    }
}

impl PyArray {
    /// Changes the value in place; if that fails, it stays as it is.
    pub(crate) fn change(
        &self,
        py: Python<'_>,
        op: Option<Op>,
        place: Place<'_>,
        value: impl Into<Operand>,
    ) -> PyResult<()> {
        let value = value.into();
        let mut own = self.lock();
        // Nobody else may have the array when it is changed in place.
        let done = if is_long(&own) {
            drop(own);
            py.detach(|| self.lock().try_update(op, place, value))
        } else {
            own.try_update(op, place, value)
        };
        done.map_err(|error| exception(py, &error))
    }
}
