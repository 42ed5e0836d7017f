"""Models from files: OpenVINO IR, ONNX, StableHLO, HLO and the text of graphs, as functions of arrays."""

import os
from typing import Any, NamedTuple

import numpy as np

from . import _native
from ._explain import ModelExplanation


class Port(NamedTuple):
    """An input or an output of a model.

    In the shape None is an extent that is not known, and a text is a name or an interval; it is None itself if not even the
    rank is known.
    """

    name: str
    dtype: "np.dtype[Any]"
    shape: tuple[int | str | None, ...] | None


class Model:
    """A model, called with its inputs in order or by name: arrays, or what `asarray` takes, which becomes the input's type.

    A model of one output gives an array, and one of several a tuple, in the order of `outputs`.
    """

    def __init__(self, program: Any) -> None:
        self._program = program

    @property
    def inputs(self) -> tuple[Port, ...]:
        """The inputs, in order."""
        return tuple(Port(*port) for port in self._program.inputs())

    @property
    def outputs(self) -> tuple[Port, ...]:
        """The outputs, in order."""
        return tuple(Port(*port) for port in self._program.outputs())

    def __call__(self, /, *given: Any, **named: Any) -> Any:
        """The outputs for these inputs."""
        ports = self.inputs
        values = self._bound(ports, given, named)
        for place, port in enumerate(ports):
            if values[place] is None:
                raise TypeError(f"the input {port.name} is None")
            if not isinstance(values[place], (_native.Array, np.ndarray, np.generic)):
                values[place] = _native.asarray(values[place], dtype=port.dtype)
        outputs = self._program.run(values)
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    @staticmethod
    def _bound(ports: tuple[Port, ...], given: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
        names = [port.name for port in ports]
        if len(given) > len(names):
            raise TypeError(f"the model has {len(names)} inputs ({', '.join(names)}), and {len(given)} are given")
        values = dict(zip(names, given))
        for name, value in named.items():
            if name not in names:
                raise TypeError(f"there is no input {name}; the model's inputs: {', '.join(names)}")
            if name in values:
                raise TypeError(f"the input {name} is given by its place and by its name")
            values[name] = value
        if missing := [name for name in names if name not in values]:
            raise TypeError(f"the inputs {', '.join(missing)} are missing")
        return [values[name] for name in names]

    def grad(self, of: str | None = None, wrt: "str | list[str] | tuple[str, ...] | None" = None) -> "Model":
        """The gradient of the sum of an output, as a model of the same inputs whose outputs are called as the inputs are.

        `of` is needed if there are several outputs; without `wrt` it is by every input of floats.
        """
        names = [port.name for port in self.outputs]
        if of is None:
            if len(names) != 1:
                raise TypeError(f"say of which output; the model's outputs: {', '.join(names)}")
            of = names[0]
        return Model(self._program.gradient(of, [wrt] if isinstance(wrt, str) else wrt and list(wrt)))

    def explain(self, node: str | None = None) -> "ModelExplanation":
        """Every broadcast in the model: whose it is, by which rule, its picture, and what it costs; or those of one node, in full.

        >>> import ndcast, pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "sum.graph"
        >>> _ = path.write_text('''%0 = input "x" dtype=f32 shape=4x3
        ... %1 = input "bias" dtype=f32 shape=3
        ... %2 = fit(%1, %0) rule=onnx.multidirectional operands=2 operand=0
        ... %3 = add(%0, %2)
        ... output "y" = %3
        ... ''')
        >>> answer = ndcast.load(path).explain()
        >>> answer
        %3 (add, line 3)
        onnx.multidirectional: 3 and 4x3 broadcast to 4x3
        ...
        In all 1 broadcast; materialised, they would take 48 B
        >>> answer[0].operation, answer[0].shape, answer[0].bytes["materialised"]
        ('add', (4, 3), 48)
        """
        entries, total = self._program.broadcasts(node)
        return ModelExplanation(entries, total, "brief" if node is None else "text")

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes it in the format that the path ends in: `.xml` with `.bin`, `.onnx`, `.mlir`, `.hlo` or `.graph`."""
        self._program.save(path)

    def __copy__(self) -> "Model":
        return self

    def __deepcopy__(self, memo: Any) -> "Model":
        # Nothing in a model changes.
        return self

    def __reduce__(self) -> Any:
        return _of_text, (str(self),)

    def __str__(self) -> str:
        return self._program.text()

    def __repr__(self) -> str:
        def signature(ports: tuple[Port, ...]) -> str:
            return ", ".join(f"{port.name}: {port.dtype} {port.shape}" for port in ports)

        return f"<ndcast.Model ({signature(self.inputs)}) -> ({signature(self.outputs)})>"


def _of_text(text: str) -> Model:
    """The model of a graph's text, as it was pickled."""
    return Model(_native.parsed_model(text))


def load(path: "str | os.PathLike[str]") -> Model:
    """The model of a file: OpenVINO's `.xml` with its `.bin`, `.onnx`, StableHLO's `.mlir`, HLO's `.hlo`, or `.graph`.

    >>> import ndcast, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "scaled.graph"
    >>> _ = path.write_text('''%0 = input "x" dtype=f32 shape=Nx2
    ... %1 = constant dtype=f32 shape=scalar values=[3.0]
    ... %2 = fit(%1, %0) rule=array-api operands=2 operand=0
    ... %3 = multiply(%0, %2)
    ... output "y" = %3
    ... ''')
    >>> model = ndcast.load(path)
    >>> model
    <ndcast.Model (x: float32 ('N', 2)) -> (y: float32 ('N', 2))>
    >>> model([[1, 2], [3, 4]])
    Array([[ 3.,  6.],
           [ 9., 12.]], dtype=float32)
    >>> model.grad()(x=[[1, 2]])
    Array([[3., 3.]], dtype=float32)
    """
    return Model(_native.open_model(path))
