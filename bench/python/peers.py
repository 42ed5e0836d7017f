"""Who computes: each peer makes a workload a function without arguments, which computes everything each time."""

import importlib

import numpy as np


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


class Numpy:
    """NumPy as it is; also what the exact results are of."""

    namespace = np

    def prepared(self, workload):
        arrays = [np.array(array) for array in workload.arrays]
        return lambda: workload.function(np, *arrays)

    def looked_at(self, result):
        return result


class Ndcast:
    """Lazy arrays, computed when the function has returned."""

    def __init__(self, namespace):
        self.namespace = namespace

    def prepared(self, workload):
        xp = self.namespace
        arrays = [xp.asarray(array, copy=True) for array in workload.arrays]

        def run():
            result = workload.function(xp, *arrays)
            if workload.written:
                # A broadcast is a view here, which is written out only for who wants memory of his own.
                return np.from_dlpack(result, copy=True)
            xp.eval(result)
            return result

        return run

    def looked_at(self, result):
        return result


class Numexpr:
    """The text of an expression, where a workload has one."""

    def __init__(self, numexpr):
        self.numexpr = numexpr

    def prepared(self, workload):
        if workload.text is None:
            return None
        named = dict(zip("abcde", [np.array(array) for array in workload.arrays]))
        return lambda: self.numexpr.evaluate(workload.text, local_dict=named)

    def looked_at(self, result):
        return result


class Torch:
    """Eager, through array-api-compat, which gives it the standard's names."""

    def __init__(self, torch):
        self.torch = torch
        self.namespace = importlib.import_module("array_api_compat.torch")

    def prepared(self, workload):
        arrays = []
        for array in workload.arrays:
            if array.dtype.name == "bfloat16":
                arrays.append(self.torch.from_numpy(np.array(array).view(np.int16)).view(self.torch.bfloat16))
            else:
                arrays.append(self.torch.from_numpy(np.array(array)))
        return lambda: workload.function(self.namespace, *arrays)

    def looked_at(self, result):
        return (result.float() if result.dtype == self.torch.bfloat16 else result).numpy()


class Jax:
    """Compiled for these shapes."""

    def __init__(self, jax):
        jax.config.update("jax_enable_x64", True)
        self.jax = jax

    def prepared(self, workload):
        numpy = self.jax.numpy
        arrays = [numpy.asarray(array) for array in workload.arrays]
        compiled = self.jax.jit(lambda *arrays: workload.function(numpy, *arrays))
        return lambda: compiled(*arrays).block_until_ready()

    def looked_at(self, result):
        return np.asarray(result)


class Nodes:
    """The names of the standard, as OpenVINO's operations on nodes."""

    def __init__(self, openvino):
        self.ops = ops = importlib.import_module("openvino.opset13")
        self.type = openvino.Type
        constant = lambda axes: ops.constant(np.atleast_1d(axes).astype(np.int64))  # noqa: E731
        fold = lambda op: lambda x, axis, keepdims=False: op(x, constant(axis), keepdims)  # noqa: E731
        self.sum, self.max, self.mean = fold(ops.reduce_sum), fold(ops.reduce_max), fold(ops.reduce_mean)
        for name in ("exp", "sqrt", "sin", "equal", "maximum", "minimum"):
            setattr(self, name, getattr(ops, name))
        self.float32, self.int8 = "f32", "i8"
        self.round = lambda x: ops.round(x, "half_to_even")
        self.where = lambda c, a, b: ops.select(c, a, ops.constant(np.float32(b)) if isinstance(b, float) else b)
        self.clip = lambda x, low, high: (
            ops.clamp(x, low, high) if isinstance(low, (int, float)) else ops.minimum(ops.maximum(x, low), high)
        )
        self.astype = ops.convert
        self.tile = lambda x, times: ops.tile(x, constant(times))
        self.add = ops.add

    def std(self, x, axis, keepdims):
        mean = self.mean(x, axis, True)
        return self.ops.sqrt(self.mean((x - mean) * (x - mean), axis, keepdims))


class OpenVino:
    """A model of the workload, compiled for these shapes in the precision that is asked for."""

    def __init__(self, openvino):
        self.openvino = openvino
        self.core = openvino.Core()

    def prepared(self, workload):
        if not workload.models:
            return None
        openvino = self.openvino
        nodes = Nodes(openvino)
        arrays = [np.array(array) for array in workload.arrays]
        inputs = [nodes.ops.parameter(array.shape, array.dtype) for array in arrays]
        model = openvino.Model([workload.function(nodes, *inputs)], inputs)
        compiled = self.core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        request = compiled.create_infer_request()
        for place, array in enumerate(arrays):
            request.set_input_tensor(place, openvino.Tensor(array, shared_memory=True))

        # The arrays are the tensors' memory, and live as long as the function does.
        def run(_memory=arrays):
            request.infer()
            return request.get_output_tensor(0).data

        return run

    def looked_at(self, result):
        return result


def present():
    """The peers that are installed, ndcast first."""
    peers = {"ndcast": Ndcast(importlib.import_module("ndcast")), "numpy": Numpy()}
    for name, make in (("numexpr", Numexpr), ("torch", Torch), ("jax", Jax), ("openvino", OpenVino)):
        found = module(name)
        if found is not None:
            peers[name] = make(found)
    return peers
