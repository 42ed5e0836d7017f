//! What folds and scatters do with two elements: a few operations on values without axes.

use ndcast_shape::Shape;

use super::step::{Named, Says, Spelling, Step};
use crate::Direction;
use crate::array::Number;
use crate::dialect::hlo::Comparison;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::kind::Order;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

/// Operations on what was folded so far and what comes next, for each operand of a fold one.
#[derive(Debug)]
pub(in crate::format) struct Region {
    /// What it does, for those who call regions by names.
    pub(in crate::format) name: &'static str,
    /// The values: the arguments, and what the operations give.
    values: Vec<Named>,
    arguments: usize,
    operations: Vec<Operation>,
    results: Vec<usize>,
}

#[derive(Debug)]
struct Operation {
    name: &'static str,
    says: Says,
    operands: Vec<usize>,
    result: usize,
}

/// The instruction that folds.
pub(super) fn opcode(reduction: Reduction) -> &'static str {
    match reduction {
        Reduction::Sum => "add",
        Reduction::Prod => "multiply",
        Reduction::Max => "maximum",
        Reduction::Min => "minimum",
        Reduction::Any => "or",
        Reduction::All => "and",
    }
}

impl Region {
    fn new(name: &'static str, arguments: &[DType]) -> Region {
        let mut region = Region {
            name,
            values: Vec::new(),
            arguments: arguments.len(),
            operations: Vec::new(),
            results: Vec::new(),
        };
        for &dtype in arguments {
            region.value(dtype);
        }
        region
    }

    /// Values are called `a`, `b`, ... in their order.
    fn value(&mut self, dtype: DType) -> usize {
        let place = self.values.len();
        let name = (b'a'..=b'z')
            .nth(place)
            .map_or_else(|| format!("v{place}"), |letter| char::from(letter).to_string());
        self.values.push(Named { name, typed: (dtype, Shape::from([0usize; 0])) });
        place
    }

    fn does(&mut self, name: &'static str, says: Says, operands: &[usize], dtype: DType) -> usize {
        let result = self.value(dtype);
        self.operations.push(Operation { name, says, operands: operands.to_vec(), result });
        result
    }

    /// One operation of the two elements.
    pub(super) fn of_one(name: &'static str, dtype: DType) -> Region {
        let mut region = Region::new(name, &[dtype; 2]);
        let result = region.does(name, Says::Nothing, &[0, 1], dtype);
        region.results = vec![result];
        region
    }

    /// Only what comes next.
    pub(super) fn of_next(dtype: DType) -> Region {
        Region { results: vec![1], ..Region::new("next", &[dtype; 2]) }
    }

    /// As JAX writes it: the first of equal ones, or the first NaN, and its place.
    pub(super) fn of_place(which: Reduction, dtype: DType, to: DType) -> Region {
        let (name, direction) = if which == Reduction::Max { ("greatest", "GT") } else { ("least", "LT") };
        let mut region = Region::new(name, &[dtype, to, dtype, to]);
        let [best, place, next, other] = [0, 1, 2, 3];
        let as_what = Comparison::of(dtype);
        let truth = DType::Bool;
        let beyond = region.does("compare", Says::Compare(direction, as_what), &[best, next], truth);
        let nan = region.does("compare", Says::Compare("NE", as_what), &[best, best], truth);
        let stays = region.does("or", Says::Nothing, &[beyond, nan], truth);
        let equal = region.does("compare", Says::Compare("EQ", as_what), &[best, next], truth);
        let before = region.does("compare", Says::Compare("LT", Comparison::of(to)), &[place, other], truth);
        let first = region.does("and", Says::Nothing, &[equal, before], truth);
        let place_stays = region.does("or", Says::Nothing, &[stays, first], truth);
        let value = region.does("select", Says::Nothing, &[stays, best, next], dtype);
        let found = region.does("select", Says::Nothing, &[place_stays, place, other], to);
        region.results = vec![value, found];
        region
    }

    /// Whether one element is before another, each with its place beside it. As numbers floats are compared as JAX does it: with
    /// one zero and one NaN.
    pub(super) fn of_order(
        direction: Direction,
        order: Order,
        dtype: DType,
        to: DType,
    ) -> Result<Region, Error> {
        let (name, total, which) = match direction {
            Direction::Ascending => ("ascending", "ascending_total", "LT"),
            Direction::Descending => ("descending", "descending_total", "GT"),
        };
        let float = dtype.class() == Class::Float;
        let as_what = if float { Comparison::TotalOrder } else { Comparison::of(dtype) };
        let is_total = float && order == Order::Total;
        let mut region = Region::new(if is_total { total } else { name }, &[dtype, dtype, to, to]);
        let mut compared = [0, 1];
        if float && order == Order::Numbers {
            let mut number = |number: f64| {
                let tensor: Tensor = Number::Float(number).tensor(dtype)?;
                Ok::<usize, Error>(region.does("constant", Says::Constant(tensor), &[], dtype))
            };
            let (zero, nan) = (number(0.0)?, number(f64::NAN)?);
            let own = Comparison::of(dtype);
            for value in &mut compared {
                let is_zero = region.does("compare", Says::Compare("EQ", own), &[*value, zero], DType::Bool);
                let one = region.does("select", Says::Nothing, &[is_zero, zero, *value], dtype);
                let is_nan = region.does("compare", Says::Compare("NE", own), &[*value, *value], DType::Bool);
                *value = region.does("select", Says::Nothing, &[is_nan, nan, one], dtype);
            }
        }
        let before = region.does("compare", Says::Compare(which, as_what), &compared, DType::Bool);
        region.results = vec![before];
        Ok(region)
    }

    pub(in crate::format) fn arguments(&self) -> &[Named] {
        &self.values[..self.arguments]
    }

    pub(in crate::format) fn results(&self) -> Vec<&Named> {
        self.results.iter().map(|&place| &self.values[place]).collect()
    }

    /// The one operation that it is, if it is no more.
    pub(in crate::format) fn opcode(&self) -> Option<&'static str> {
        match &self.operations[..] {
            [one] if self.arguments == 2 => Some(one.name),
            _ => None,
        }
    }

    /// The lines of its operations.
    pub(in crate::format) fn lines(&self, spelling: &mut dyn Spelling) -> Result<Vec<String>, Error> {
        let line = |operation: &Operation| {
            let operands: Vec<&Named> = operation.operands.iter().map(|&place| &self.values[place]).collect();
            let result = &self.values[operation.result];
            spelling.step(&Step {
                name: operation.name,
                operands: &operands,
                says: &operation.says,
                result: &result.name,
                types: std::slice::from_ref(&result.typed),
            })
        };
        self.operations.iter().map(line).collect()
    }
}
