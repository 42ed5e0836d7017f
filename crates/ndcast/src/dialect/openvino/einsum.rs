//! Einsum, which the dialects have in common.

use super::Layer;
use crate::dialect::einsum::einsum;

pub(super) const LAYERS: &[Layer] = &[Layer {
    name: "Einsum",
    since: 7,
    build: |builder, call| {
        call.takes(1, usize::MAX)?;
        Ok(vec![einsum(builder.graph, call.attributes.needed("equation")?, call.inputs)?])
    },
}];
