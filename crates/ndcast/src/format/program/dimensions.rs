//! Which axes are which, as products, gathers and scatters say it.

use super::call::Call;
use super::{Attribute, field};
use crate::dialect::hlo::{DotDimensions, GatherDimensions};
use crate::error::Error;

impl Call<'_> {
    /// `contracting_dims = [1] x [0]`, or the structure of the generic form.
    pub(super) fn dot_dimensions(&self) -> Result<DotDimensions, Error> {
        if let Some(numbers) = self.operation.attribute("dot_dimension_numbers").and_then(Attribute::fields) {
            let list = |name: &str| list_of(numbers, name);
            return Ok(DotDimensions {
                left_batch: list("lhs_batching_dimensions")?,
                right_batch: list("rhs_batching_dimensions")?,
                left_contracting: list("lhs_contracting_dimensions")?,
                right_contracting: list("rhs_contracting_dimensions")?,
            });
        }
        let pair = |name: &str| -> Result<[Vec<i64>; 2], Error> {
            match self.operation.attribute(name) {
                None => Ok([Vec::new(), Vec::new()]),
                Some(Attribute::List(pair)) => {
                    let both: Option<Vec<_>> = pair.iter().map(Attribute::integers).collect();
                    let both = both.and_then(|both| <[_; 2]>::try_from(both).ok());
                    both.ok_or_else(|| Error::value(format!("{name} is not as in `[1] x [0]`")))
                }
                Some(_) => Err(Error::value(format!("{name} is not as in `[1] x [0]`"))),
            }
        };
        let [left_batch, right_batch] = pair("batching_dims")?;
        let [left_contracting, right_contracting] = pair("contracting_dims")?;
        Ok(DotDimensions { left_batch, right_batch, left_contracting, right_contracting })
    }

    pub(super) fn gather_dimensions(&self) -> Result<GatherDimensions, Error> {
        let numbers = self.operation.attribute("dimension_numbers").and_then(Attribute::fields);
        let numbers = numbers.ok_or_else(|| Call::missing("dimension_numbers"))?;
        let list = |name: &str| list_of(numbers, name);
        Ok(GatherDimensions {
            offset: list("offset_dims")?,
            collapsed: list("collapsed_slice_dims")?,
            operand_batching: list("operand_batching_dims")?,
            starts_batching: list("start_indices_batching_dims")?,
            start_index_map: list("start_index_map")?,
            // Left out where it is 0.
            index_vector: field(numbers, "index_vector_dim").and_then(Attribute::integer).unwrap_or(0),
        })
    }

    /// The names that a scatter has for what a gather has, too.
    pub(super) fn scatter_dimensions(&self) -> Result<GatherDimensions, Error> {
        let name = "scatter_dimension_numbers";
        let numbers = self.operation.attribute(name).and_then(Attribute::fields);
        let numbers = numbers.ok_or_else(|| Call::missing(name))?;
        let list = |name: &str| list_of(numbers, name);
        Ok(GatherDimensions {
            offset: list("update_window_dims")?,
            collapsed: list("inserted_window_dims")?,
            operand_batching: list("input_batching_dims")?,
            starts_batching: list("scatter_indices_batching_dims")?,
            start_index_map: list("scatter_dims_to_operand_dims")?,
            index_vector: field(numbers, "index_vector_dim").and_then(Attribute::integer).unwrap_or(0),
        })
    }
}

/// A list of a structure, empty where it is left out.
fn list_of(fields: &[(String, Attribute)], name: &str) -> Result<Vec<i64>, Error> {
    let Some(attribute) = field(fields, name) else { return Ok(Vec::new()) };
    attribute.integers().ok_or_else(|| Error::value(format!("{name} is no list of integers")))
}
