"""A system in a process of its own: it runs files of models for the parent, which outlives it.

Why a process: these are native libraries, some read wild memory on models that they do not know how to compile, and none may
take the comparison down. One process serves all models of a system; if it dies or hangs, that is the answer for the model it
was given, and the next model starts another.
"""

import multiprocessing
import signal
import sys
from pathlib import Path

SECONDS_TO_ANSWER = 120


def onnxruntime_gives(path, inputs):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return session.run(None, dict(zip([one.name for one in session.get_inputs()], inputs)))


def openvino_gives(path, inputs):
    import openvino

    core = openvino.Core()
    # As precise as the model says, and not as a machine prefers.
    compiled = core.compile_model(core.read_model(path), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    found = compiled(list(inputs))
    return [found[output] for output in compiled.outputs]


def jaxlib_gives(path, inputs):
    sys.path.insert(0, str(Path(__file__).parents[1] / "xla"))
    import jax
    import run

    # Or integers of 64 bits are made smaller.
    jax.config.update("jax_enable_x64", True)
    return run.run(run.module_of(path), inputs)


SYSTEMS = {"onnx": onnxruntime_gives, "xml": openvino_gives, "mlir": jaxlib_gives, "hlo": jaxlib_gives}


class Failed(Exception):
    """What a system says instead of results, or how it ended."""


class System:
    """The parent's side of a process; the ending of its files tells which system it is."""

    def __init__(self, ending):
        self.ending = ending
        self.process = None

    def gives(self, path, inputs):
        """What it computes with a file. It may raise `Failed`, and no other exception."""
        if self.process is None:
            self._start()
        self.pipe.send((str(path), inputs))
        try:
            if not self.pipe.poll(SECONDS_TO_ANSWER):
                self.process.kill()
                raise Failed(f"no answer within {SECONDS_TO_ANSWER} s{self._end()}")
            outputs, error = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            raise Failed(f"the process ended{self._end()}") from None
        if error is not None:
            raise Failed(error)
        return outputs

    def close(self):
        if self.process is not None:
            self.pipe.close()
            self.process.join()
            self.process = None

    def _start(self):
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(self.ending, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def _end(self):
        """In words, how the process ended that is there no more."""
        self.process.join()
        code, self.process = self.process.exitcode, None
        return f" by {signal.Signals(-code).name}" if code < 0 else f" with {code}"


def serve(ending, pipe):
    while True:
        try:
            path, inputs = pipe.recv()
        except EOFError:
            return
        try:
            answer = [*SYSTEMS[ending](path, inputs)], None
        except Exception as error:  # noqa: BLE001 — whatever the library raises is its answer
            answer = None, f"{type(error).__name__}: {error}"
        pipe.send(answer)
