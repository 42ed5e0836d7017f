"""The ways to ask ndcast: many requests in one process for its answers, one request for the text of its explanation."""

import json
import shlex
import subprocess
import sys


def ask_ndcast(command, asked):
    """ndcast's answers, in order; ends the program if they are not all there."""
    lines = "".join(json.dumps(request) + "\n" for request in asked)
    words = [*shlex.split(command), "explain", "--jsonl"]
    done = run(words, lines.encode())
    found = done.stdout.decode().splitlines()
    if done.returncode != 0 or len(found) != len(asked):
        after = asked[len(found)] if len(found) < len(asked) else None
        sys.exit(
            f"differential: {shlex.join(words)} ended with status {done.returncode} after {len(found)} answers to"
            f" {len(asked)} requests; the next was {json.dumps(after)}"
        )
    return [json.loads(answer) for answer in found]


def explained(command, request):
    """What ndcast prints about a request of known extents that it accepts; ends the program if it does not."""
    words = [*shlex.split(command), "explain", *arguments(request)]
    done = run(words, b"")
    if done.returncode != 0:
        sys.exit(f"differential: {shlex.join(words)} ended with status {done.returncode}")
    return done.stdout.decode()


def arguments(request):
    """A request of known extents as the command line says it."""
    words = [request["rule"], *(spelled(shape) for shape in request["shapes"])]
    if "target" in request:
        words.append(f"--target={spelled(request['target'])}")
    if "axes" in request:
        words.append(f"--axes={','.join(map(str, request['axes']))}")
    # One word with its value: the value may begin with a minus.
    words += [f"--{option}={request[option]}" for option in ("axis", "index") if option in request]
    return words


def spelled(shape):
    return "x".join(map(str, shape)) or "scalar"


def run(words, text):
    try:
        return subprocess.run(words, input=text, stdout=subprocess.PIPE)
    except OSError as error:
        print(f"differential: cannot run {shlex.join(words)}: {error}", file=sys.stderr)
        sys.exit(2)
