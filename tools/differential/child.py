"""A peer in a process of its own: the parent's handle on it, and the loop that it runs.

Why a process: the peers are native libraries, some abort or read wild memory on requests that ndcast must answer
with an error, and none may take the comparison down. One child serves all requests of its peer; if it dies or hangs,
the request it was given is answered with the way it ended, and the next request starts a new child.

Run as `python child.py NAME` it serves `peer_NAME.py`, which has `RULES`, `version()` and `answer(question)`: one
JSON question a line on stdin, one JSON list of answers a line on stdout. It does not decide what is right: see
compare.py.
"""

import importlib
import json
import os
import select
import subprocess
import sys
import traceback
from pathlib import Path

SECONDS_TO_START = 120
SECONDS_TO_ANSWER = 60


class Child:
    """The parent's side: `ask` always returns a list of answers, whatever happens to the process."""

    def __init__(self, python, peer):
        self.python = python
        self.peer = peer
        self.process = None
        self.greeting = self._start()
        if "absent" in self.greeting:
            self.close()

    def ask(self, question):
        if self.process is None and "absent" in self._start():
            self.close()
            return [crash("it could not be started again")]
        try:
            self.process.stdin.write(json.dumps(question).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it died between two questions; the read below says how
        answers, end = self._read(SECONDS_TO_ANSWER)
        if answers is None:
            return [crash(end)]
        return answers

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process = None

    def _start(self):
        """Starts the process and returns what it says of itself: {"version", "rules"} or {"absent"}."""
        self.process = subprocess.Popen(
            [self.python, "-B", str(Path(__file__).resolve()), self.peer],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # stack traces that the libraries print beside the exception they raise
        )
        greeting, end = self._read(SECONDS_TO_START)
        return greeting if greeting is not None else {"absent": end}

    def _read(self, seconds):
        """One line of the child as (value, None), or (None, how the child ended)."""
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        if ready:
            line = self.process.stdout.readline()
            if line.endswith(b"\n"):
                return json.loads(line), None
            end = "the process ended"
        else:
            end = f"no answer within {seconds} s"
            self.process.kill()
        status = self.process.wait()
        self.process = None
        return None, f"{end}, status {status}"


def crash(message):
    """The answer for a request that the peer did not survive: it agrees with nothing, not even with a failure."""
    return {"by": "process", "ok": False, "kind": None, "message": message, "crash": True}


def serve(peer):
    # Whatever the library prints to stdout must not mix with the answers.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(value):
        out.write(json.dumps(value) + "\n")
        out.flush()

    try:
        module = importlib.import_module(f"peer_{peer}")
        greeting = {"version": module.version(), "rules": list(module.RULES)}
    except Exception as error:  # an import of a native library fails in many ways; all of them mean "absent"
        say({"absent": f"{type(error).__name__}: {error}"})
        return
    say(greeting)
    for line in sys.stdin:
        try:
            answers = module.answer(json.loads(line))
        except Exception:  # not an answer of the peer: those are told apart in peer_*.py
            answers = [crash(traceback.format_exc())]
        say(answers)


if __name__ == "__main__":
    serve(sys.argv[1])
