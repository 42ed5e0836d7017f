//! Parameters, constants and numbers in order.

use ndcast_shape::Shape;

use super::Builder;
use crate::dtype::DType;
use crate::element::Element;
use crate::error::Error;
use crate::graph::Id;
use crate::tensor::Tensor;

impl Builder<'_> {
    /// `Parameter(number, shape, name)`: an input of the graph.
    ///
    /// DIFFERENCE: the builder takes them in any order of their numbers; here each follows the one before it.
    ///
    /// # Errors
    /// If the number is not the next one, or there is a parameter of the name.
    pub fn parameter(&mut self, number: usize, dtype: DType, shape: Shape, name: &str) -> Result<Id, Error> {
        let next = self.graph.inputs().len();
        if number != next {
            let text = format!("the next parameter is {next}, and this is {number}");
            return Err(Error::value(text).of("parameter"));
        }
        self.graph.input(name, dtype, shape).map_err(|error| error.called("parameter"))
    }

    /// `ConstantLiteral`: a tensor.
    ///
    /// # Errors
    /// If the graph is full.
    pub fn constant_literal(&mut self, literal: Tensor) -> Result<Id, Error> {
        self.graph.constant(literal)
    }

    /// `ConstantR0`: a number.
    ///
    /// # Errors
    /// If memory for it would pass the limit.
    pub fn constant_r0<T: Element>(&mut self, value: T) -> Result<Id, Error> {
        self.graph.constant(Tensor::scalar(value)?)
    }

    /// `ConstantR1`: numbers along one axis.
    ///
    /// # Errors
    /// If memory for them would pass the limit.
    pub fn constant_r1<T: Element>(&mut self, values: &[T]) -> Result<Id, Error> {
        self.graph.constant(Tensor::new(&[values.len()], values)?)
    }

    /// `ConstantR2`: a matrix by its rows.
    ///
    /// # Errors
    /// If the rows differ in length, or memory for them would pass the limit.
    pub fn constant_r2<T: Element>(&mut self, rows: &[&[T]]) -> Result<Id, Error> {
        let columns = rows.first().map_or(0, |row| row.len());
        if let Some(other) = rows.iter().find(|row| row.len() != columns) {
            let text = format!("the first row has {columns} numbers, and another has {}", other.len());
            return Err(Error::value(text).of("constant"));
        }
        self.graph.constant(Tensor::new(&[rows.len(), columns], &rows.concat())?)
    }

    /// `Iota(shape, dimension)`: 0, 1, 2, ... along an axis.
    ///
    /// # Errors
    /// As [`hlo::Builder::iota`](super::hlo::Builder::iota).
    pub fn iota(&mut self, dtype: DType, sizes: &[i64], dimension: i64) -> Result<Id, Error> {
        self.hlo().iota(dtype, sizes, dimension)
    }
}
