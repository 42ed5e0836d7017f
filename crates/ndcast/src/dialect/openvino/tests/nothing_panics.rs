//! Every layer with inputs and attributes that mean nothing, always the same ones: outputs or an error, and never a panic.

use super::*;

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

const INPUTS: [&str; 30] = [
    "scalar",
    "1",
    "0",
    "2",
    "?",
    "...",
    "2x3",
    "2x?",
    "1x3",
    "2x3x4",
    "?x3x?",
    "2..3x4",
    "i64:scalar",
    "i64:?",
    "i64:2",
    "i32:2x3",
    "boolean:2x3",
    "u8:3",
    "f16:2x3",
    "i4:2",
    "[0]",
    "[-1]",
    "[1,0]",
    "[]",
    "[2,-1]",
    "[0,0,2]",
    "[9223372036854775807]",
    "[-9223372036854775808,1]",
    "i32[1]",
    "boolean[1,0]",
];

const VALUES: [&str; 28] = [
    "0",
    "1",
    "-1",
    "2",
    "-9223372036854775808",
    "9223372036854775807",
    "1e400",
    "nan",
    "-inf",
    "0.5",
    "",
    "1,0",
    "0,1,1",
    "1,2,x",
    "true",
    "false",
    "numpy",
    "none",
    "pdpd",
    "explicit",
    "f32",
    "i32",
    "boolean",
    "reflect",
    "ab,bc->ac",
    "...a,b->a",
    "blocks_first",
    "sum",
];

const NAMES: [&str; 51] = [
    "mode",
    "axis",
    "mode.mode.axis",
    "mode.auto_broadcast_axis",
    "auto_broadcast",
    "auto_broadcast.auto_broadcast_axis",
    "keep_dims",
    "special_zero",
    "transpose_a",
    "transpose_b",
    "num_splits",
    "begin_mask",
    "end_mask",
    "new_axis_mask",
    "shrink_axis_mask",
    "ellipsis_mask",
    "batch_dims",
    "pad_mode",
    "levels",
    "equation",
    "eps",
    "eps_mode",
    "normalize_variance",
    "across_channels",
    "reduction_axes",
    "reduction",
    "use_init_val",
    "exclusive",
    "reverse",
    "destination_type",
    "output_type",
    "alpha",
    "min",
    "max",
    "approximation_mode",
    "m_pythondiv",
    "detect_negative",
    "detect_positive",
    "unknown",
    "beta",
    "epsilon",
    "bias",
    "size",
    "group",
    "num_groups",
    "block_size",
    "batch_axis",
    "seq_axis",
    "causal",
    "with_right_bound",
    "right_mode",
];

#[test]
fn no_layer_panics() {
    let mut random = Random(5);
    let (mut built, mut ran) = (0, 0);
    for name in layer_types() {
        for _ in 0..300 {
            let mut graph = Graph::new();
            let count = 1 + random.below(5);
            let inputs: Vec<Id> = (0..count).map(|_| input(&mut graph, random.of(&INPUTS))).collect();
            let attributes: Attributes =
                (0..random.below(8)).map(|_| (random.of(&NAMES), random.of(&VALUES))).collect();
            let opset = random.of(&[1, 2, 3, 8, 13, 17]);
            let Ok(made) = Builder::new(&mut graph).layer(name, opset, &inputs, &attributes) else {
                continue;
            };
            built += 1;
            for (place, id) in made.into_iter().enumerate().take(3) {
                graph.output(&place.to_string(), id).unwrap();
            }
            let mut given = Vec::new();
            for &id in graph.inputs() {
                let node = graph.node(id).unwrap();
                let extents: Vec<usize> = match node.dims() {
                    Some(dims) => {
                        dims.iter().map(|dim| (0..5).find(|&n| dim.contains(n)).unwrap_or(0)).collect()
                    }
                    None => vec![2, 3],
                };
                given.push(Tensor::zeros(&extents, node.dtype()).unwrap());
            }
            ran += usize::from(graph.run(&given).is_ok());
        }
    }
    assert!(built > 1000 && ran > 500, "{built} {ran}");
}
