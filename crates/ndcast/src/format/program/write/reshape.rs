//! The same elements in another shape, whose extents may be computed.

use ndcast_shape::{Extent, Shape};

use super::extents::Size;
use super::{Says, Typed, Value, Writer};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::{Entry, Kind, Node};

impl Writer<'_> {
    pub(super) fn reshape(&mut self, value: Value, typed: Typed) -> Result<Value, Error> {
        if let (Some(extents), Some(_)) = (typed.1.extents(), self.typed(value).1.extents()) {
            return self.reshaped(value, &extents);
        }
        // What is open is what the others leave.
        let known: Vec<Option<usize>> =
            typed.1.dims().unwrap_or_default().iter().map(Extent::known).collect();
        let others: Vec<Size> = known.iter().flatten().copied().map(Size::Known).collect();
        let sizes = if others.len() == known.len() {
            others
        } else {
            let product = self.product(&others)?;
            let left = self.left(value, product)?;
            known.into_iter().map(|extent| extent.map_or(left, Size::Known)).collect()
        };
        self.in_shape(value, &sizes, typed)
    }

    /// In a shape that is an array. Of that StableHLO wants all extents: -1 becomes what the others leave.
    pub(super) fn reshape_to(
        &mut self,
        node: &Node,
        operands: &[Value],
        typed: Typed,
    ) -> Result<Value, Error> {
        let (value, mut target) = (operands[0], operands[1]);
        let rank = typed.1.rank();
        let rank = rank.ok_or_else(|| {
            Error::value("the rank of the shape is known only when the graph runs".to_owned())
        })?;
        let shape = self.graph.at(node.arguments()[1]);
        if let Kind::ShapeOf(_) = shape.kind() {
            // Of what is written more extents may be numbers than the graph knows.
            let like = self.of(shape.arguments()[0])?;
            if let Some(extents) = self.typed(like).1.extents() {
                return self.reshape(value, (typed.0, Shape::from(&extents[..])));
            }
        }
        let entries = shape.entries();
        let may_be_left = |place: usize| {
            let entry = entries.and_then(|entries| entries.get(place));
            matches!(entry, None | Some(Entry::Int(-1) | Entry::Unknown))
        };
        if (0..rank).any(may_be_left) {
            let list = self.convert(target, DType::I32)?;
            let sizes = (0..rank).map(|place| self.element(list, place));
            let mut sizes = sizes.collect::<Result<Vec<_>, _>>()?;
            // With a -1 among them the product is that of the others, but for the sign.
            let product = self.product(&sizes)?;
            let minus = Size::Value(self.number(-1, DType::I32)?);
            let others = self.sizes("multiply", product, minus)?;
            let left = self.left(value, others)?;
            for place in (0..rank).filter(|&place| may_be_left(place)) {
                sizes[place] = self.unless(-1, sizes[place], left)?;
            }
            target = self.shape_of(&sizes)?;
        }
        self.operation("dynamic_reshape", &[value, target], &Says::Nothing, typed)
    }

    /// What an extent is if the others have so many elements together. Those are at least one, or nothing says it.
    fn left(&mut self, value: Value, others: Size) -> Result<Size, Error> {
        let own = (0..self.dims(value)?.len()).map(|axis| self.size_of(value, axis));
        let own = own.collect::<Result<Vec<_>, _>>()?;
        let whole = self.product(&own)?;
        match others {
            Size::Known(1) => Ok(whole),
            Size::Known(others) => self.sizes("divide", whole, Size::Known(others.max(1))),
            others => {
                // Nor is there anything to divide by if no extent is left.
                let others = self.sizes("maximum", others, Size::Known(1))?;
                self.sizes("divide", whole, others)
            }
        }
    }
}
