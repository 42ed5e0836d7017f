//! Arguments that are left out where others follow.

use super::Array;
use crate::dtype::DType;
use crate::error::Error;
use crate::op::Op;

impl Array {
    /// The default of an operation's argument, as a scalar of an element type.
    ///
    /// ```
    /// use ndcast::{Array, DType, Op};
    /// let least = Array::default_argument(Op::Clip, 1, DType::I8);
    /// assert_eq!(least.item::<i8>()?, -128);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn default_argument(op: Op, argument: usize, dtype: DType) -> Array {
        let default = op.record().arguments.get(argument).and_then(|argument| argument.default);
        match default {
            Some(number) => {
                super::apply::default(number, dtype).map_err(|error| error.of(op.record().name)).into()
            }
            None => {
                let error = Error::value(format!("argument {argument} has no default"));
                Array::of_error(error.of(op.record().name))
            }
        }
    }
}
