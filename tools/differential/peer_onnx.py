"""ONNX: shape inference in strict mode, and the reference evaluator for values.

Multidirectional is asked of Add (two operands), Where (three) and the variadic Sum. Unidirectional has no operator
whose checker enforces it, so peer_numpy.py answers that rule. Unknown target extents of Expand reach the inference
as the Shape of another input.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, shape_inference
from onnx.reference import ReferenceEvaluator

from answers import fails, fits

RULES = ("onnx.multidirectional", "onnx.expand")

KINDS = (("Incompatible dimensions", "extent-mismatch"),)
OPSET = 21


def version():
    return f"onnx {onnx.__version__}"


def answer(question):
    request, fills = question["request"], question["fills"]
    shapes = request["shapes"]
    if request["rule"] == "onnx.expand":
        return [ask("Expand", expand(shapes[0], request["target"]), shapes, fills)]
    answers = [ask("Sum", elementwise("Sum", shapes), shapes, fills)]
    # Only Sum is evaluated: the other two share its inference.
    if len(shapes) == 2:
        answers.append(ask("Add", elementwise("Add", shapes), shapes, None))
    if len(shapes) == 3:
        answers.append(ask("Where", elementwise("Where", shapes), shapes, None))
    return answers


def ask(by, graph, shapes, fills):
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    try:
        inferred = shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
    except shape_inference.InferenceError as error:
        return fails(by, error, KINDS)
    tensor = inferred.graph.output[0].type.tensor_type
    shape = None
    if tensor.HasField("shape"):
        shape = [[d.dim_value, d.dim_value] if d.HasField("dim_value") else [0, None] for d in tensor.shape.dim]
    if fills is None:
        return fits(by, shape)
    feeds = {
        i.name: np.array(fill, dtype=helper.tensor_dtype_to_np_dtype(i.type.tensor_type.elem_type)).reshape(s)
        for i, s, fill in zip(graph.input, shapes, fills)
    }
    (result,) = ReferenceEvaluator(inferred).run(None, feeds)
    return fits(by, shape, np.asarray(result).reshape(-1).tolist())


def elementwise(op, shapes):
    types = [TensorProto.INT64] * len(shapes)
    if op == "Where":
        types[0] = TensorProto.BOOL
    inputs = [helper.make_tensor_value_info(f"x{i}", t, s) for i, (t, s) in enumerate(zip(types, shapes))]
    node = helper.make_node(op, [i.name for i in inputs], ["y"])
    return graph_of([node], inputs, [])


def expand(shape, target):
    inputs = [helper.make_tensor_value_info("x0", TensorProto.INT64, shape)]
    node = helper.make_node("Expand", ["x0", "target"], ["y"])
    if target is not None and all(isinstance(extent, int) for extent in target):
        constant = helper.make_tensor("target", TensorProto.INT64, [len(target)], target)
        return graph_of([node], inputs, [constant])
    inputs.append(helper.make_tensor_value_info("like", TensorProto.INT64, target))
    return graph_of([helper.make_node("Shape", ["like"], ["target"]), node], inputs, [])


def graph_of(nodes, inputs, constants):
    # The output has an element type but no shape: that is what is to be inferred.
    output = helper.make_tensor_value_info("y", TensorProto.INT64, None)
    return helper.make_graph(nodes, "g", inputs, [output], constants)
