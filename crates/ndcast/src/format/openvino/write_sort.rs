//! Sorting, and the place of the greatest or the least: TopK, whose second output is the places.
//!
//! DIFFERENCE: of both zeros OpenVINO does not say an order, and among NaN it has none.

use ndcast_shape::{Dim, Extent, Shape};

use super::write::{OPSET, Writer, Written};
use super::write_movement::{plain, with};
use super::xml::{Output, Port};
use crate::Direction;
use crate::array::Keep;
use crate::dialect::openvino::element_type_name;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Argsort, Find};
use crate::graph::{Id, Node};
use crate::layout::as_i64;
use crate::reduction::Reduction;

/// The layer, of which equal ones stay in their order.
fn top_k(axis: usize, direction: Direction, to: DType) -> Result<Written<'static>, Error> {
    let mode = if direction == Direction::Descending { "max" } else { "min" };
    let attributes = vec![
        ("axis", axis.to_string()),
        ("mode", mode.to_owned()),
        ("sort", "value".to_owned()),
        ("index_element_type", element_type_name(to)?),
        ("stable", "true".to_owned()),
    ];
    Ok(("TopK", OPSET, attributes))
}

/// The type of a TopK's places: it has two.
fn places_type(to: DType) -> DType {
    if to == DType::I32 { to } else { DType::I64 }
}

fn scalar() -> Shape {
    Shape::from(Vec::<Dim>::new())
}

impl Writer<'_> {
    /// The places, in whichever type; the elements are remembered for those who take them.
    pub(super) fn argsort(&mut self, id: Id, sort: &Argsort, inputs: &[Port]) -> Result<Port, Error> {
        let shape = self.graph.node(id)?.shape().clone();
        let (x, count) = (inputs[0].clone(), inputs.get(1).cloned());
        let k = self.k(sort.axis, &x, count)?;
        let to = places_type(sort.to);
        let names = if to == sort.to { self.names(id) } else { Vec::new() };
        let elements = self.sorted.remove(&id).unwrap_or_default().names;
        let outputs = [
            Output { dtype: x.dtype, shape: shape.clone(), names: &elements },
            Output { dtype: to, shape, names: &names },
        ];
        let made = self.last_of(id, top_k(sort.axis, sort.direction, to)?, &[x, k], &outputs)?;
        let [elements, places] = <[Port; 2]>::try_from(made)
            .map_err(|_| Error::value("TopK gives elements and places".to_owned()))?;
        self.sorted.entry(id).or_default().port = Some(elements);
        self.as_node(id, places, sort.to)
    }

    /// What a TopK gives beside these places, if the elements of a node are that.
    pub(super) fn elements_in_order(&self, node: &Node) -> Option<Port> {
        self.graph.sort_of(node).and_then(|sort| self.sorted.get(&sort)?.port.clone())
    }

    /// The place of the one that is first in order.
    pub(super) fn find(&mut self, id: Id, find: &Find, x: &Port) -> Result<Port, Error> {
        let direction =
            if find.which == Reduction::Max { Direction::Descending } else { Direction::Ascending };
        let (to, k) = (places_type(find.to), self.integer(1)?);
        let mut dims = x.shape.dims().map(<[Dim]>::to_vec);
        if let Some(dim) = dims.as_mut().and_then(|dims| dims.get_mut(find.axis)) {
            *dim = Dim::Known(1);
        }
        let kept: Shape = dims.map_or(Shape::UNRANKED, Shape::from);
        let last = find.keep == Keep::Axes && to == find.to;
        let names = if last { self.names(id) } else { Vec::new() };
        let outputs = [
            Output { dtype: x.dtype, shape: kept.clone(), names: &[] },
            Output { dtype: to, shape: kept, names: &names },
        ];
        let made = self.last_of(id, top_k(find.axis, direction, to)?, &[x.clone(), k], &outputs)?;
        let found = made.into_iter().nth(1);
        let found = found.ok_or_else(|| Error::value("TopK gives no places".to_owned()))?;
        if find.keep == Keep::Axes {
            return self.as_node(id, found, find.to);
        }
        let axes = self.integers(&[as_i64(find.axis)])?;
        if to == find.to {
            return self.last(id, plain("Squeeze"), &[found, axes]);
        }
        let shape = self.graph.node(id)?.shape().clone();
        let found = self.step(plain("Squeeze"), &[found, axes], to, shape)?;
        self.as_node(id, found, find.to)
    }

    /// Numbers as a node has them.
    fn as_node(&mut self, id: Id, numbers: Port, to: DType) -> Result<Port, Error> {
        if numbers.dtype == to {
            return Ok(numbers);
        }
        self.last(id, with("Convert", &[("destination_type", element_type_name(to)?)]), &[numbers])
    }

    /// How many are wanted, without axes: all of them if nobody says it.
    fn k(&mut self, axis: usize, x: &Port, count: Option<Port>) -> Result<Port, Error> {
        if let Some(count) = count {
            let rank = count.shape.rank();
            if rank == Some(0) {
                return Ok(count);
            }
            let (dtype, first) = (count.dtype, self.integers(&[0])?);
            return self.step(plain("Squeeze"), &[count, first], dtype, scalar());
        }
        let extent = x.shape.dims().and_then(|dims| i64::try_from(dims.get(axis)?.known()?).ok());
        if let Some(extent) = extent {
            return self.integer(extent);
        }
        let shape = self.extents(std::slice::from_ref(x))?;
        let (place, first) = (self.integer(as_i64(axis))?, self.integer(0)?);
        let gather = with("Gather", &[("batch_dims", "0".to_owned())]);
        self.step(gather, &[shape, place, first], DType::I64, scalar())
    }
}
