"""Compares ndcast with the systems whose rules it speaks: the same random requests to both, every answer side by side.

    python3 tools/differential                              20000 requests to target/release/ndcast
    python3 tools/differential --count 500 --peer numpy     fewer, to one peer
    python3 tools/differential --from requests.jsonl        these requests (as a disagreement is printed), no others
    python3 tools/differential --elsewhere --count 2000     instead what ndcast writes for the other dialects

Why: the cases in `cases/` hold what the specifications say and what their authors thought of. The real systems decide
the rest, and random requests find the corners that nobody thought of.

The peers are NumPy, ONNX, OpenVINO, XLA (its builder, and HLO text) and StableHLO with CHLO (jaxlib's verifier,
interpreter and compiler), each in a child process (child.py, peer_*.py). They run in a virtual environment of pinned
packages, made on first use (environment.py); this program itself needs the standard library alone. A peer that cannot
be imported is reported as absent and its rules are left out.

What is compared is said in compare.py, what is asked in generate.py. Differences that are expected are rows of
known.py, each with its reason; they are counted and shown by name. Any other difference is printed and makes the exit
status 1; it is 0 when all answers agree or differ as known, and 2 when nothing could be compared. What `--elsewhere`
compares is said in elsewhere.py; it has no known differences.

What it does not do: time anything, check the texts of errors, or compare the answers of a rule that no living system
has (the ngraph family).
"""

import argparse
import json
import shlex
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.dont_write_bytecode = True

from child import Child
from command import ask_ndcast
from compare import broken_plan, difference, fills
from elsewhere import compare_elsewhere
from environment import peers_python
from generate import FITTING, requests
from known import known_difference

REPOSITORY = Path(__file__).resolve().parents[2]
PEERS = ("numpy", "onnx", "openvino", "xla", "stablehlo")
# Disagreements that are printed whole; the rest are counted.
SHOWN = 20
# A peer that has to compile before it can run does so for every so many requests of a rule.
EXECUTE_EVERY = 5


def main():
    options = parse_options()
    python = options.python or peers_python(options.environment)
    if options.elsewhere:
        return compare_elsewhere(options, python)
    children = {peer: Child(python, peer) for peer in options.peer or PEERS}
    for peer, child in children.items():
        print(f"{peer}: {child.greeting.get('version') or 'absent: ' + child.greeting['absent']}")
    children = {peer: child for peer, child in children.items() if "rules" in child.greeting}
    spoken = {rule for child in children.values() for rule in child.greeting["rules"]}
    asked = chosen_requests(options, [rule for rule in FITTING if rule in spoken])
    tally = Tally()
    seen = Counter()
    for request, ours in zip(asked, ask_ndcast(options.command, asked)):
        compare_one(request, ours, seen[request["rule"]] % EXECUTE_EVERY == 0, children, tally)
        seen[request["rule"]] += 1
    for child in children.values():
        child.close()
    tally.print()
    if tally.disagreements:
        return 1
    return 0 if tally.agreed or tally.known else 2


def parse_options():
    parser = argparse.ArgumentParser(prog="differential", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--command",
        default=shlex.quote(str(REPOSITORY / "target/release/ndcast")),
        help="ndcast, as a shell would be given it (default: target/release/ndcast)",
    )
    parser.add_argument("--python", help="an interpreter that has the peers already")
    parser.add_argument(
        "--environment",
        default=REPOSITORY / "target/differential-venv",
        help="the virtual environment to make and use without --python (default: target/differential-venv)",
    )
    parser.add_argument("--count", type=int, default=20000, help="how many requests (default: 20000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same requests (default: 1)")
    parser.add_argument("--peer", action="append", choices=PEERS, help="only this peer; may be repeated")
    parser.add_argument(
        "--elsewhere",
        action="store_true",
        help="instead evaluate what ndcast writes for the other dialects, for so many requests that broadcast",
    )
    parser.add_argument("--from", dest="file", type=Path, help="compare the requests of this file, one a line")
    options = parser.parse_args()
    if options.elsewhere and options.peer:
        parser.error("--elsewhere asks all peers: it does not go with --peer")
    return options


def chosen_requests(options, rules):
    if options.file:
        lines = options.file.read_text().splitlines()
        return [json.loads(line) for line in lines if line.strip()]
    return list(requests(options.seed, options.count if rules else 0, rules))


def compare_one(request, ours, execute, children, tally):
    broken = broken_plan(request, ours)
    if broken:
        # Its values cannot be gathered, so this stands in for every comparison of the request.
        tally.disagree(("ndcast", request["rule"], "its own plan"), request, ours, None, broken)
        return
    asked = {"request": request, "fills": fills(request, ours), "execute": execute}
    speakers = {peer: child for peer, child in children.items() if request["rule"] in child.greeting["rules"]}
    if not speakers:
        tally.unasked[("no peer", request["rule"])] += 1
    for peer, child in speakers.items():
        answers = child.ask(asked)
        if not answers:
            tally.unasked[(peer, request["rule"])] += 1
        for theirs in answers:
            row = (peer, request["rule"], theirs["by"])
            different = difference(request, asked["fills"], ours, theirs)
            if different is None:
                tally.agree(row, theirs)
            elif known := known_difference(peer, request, ours, theirs):
                tally.differ_as_known(row, known)
            else:
                tally.disagree(row, request, ours, theirs, different)


class Tally:
    """The counts, by (peer, rule, what was asked), and the printing of both disagreements and the final table."""

    def __init__(self):
        self.agreed = Counter()
        self.values = Counter()
        self.known = defaultdict(Counter)
        self.reasons = {}
        self.disagreed = Counter()
        self.disagreements = 0
        self.unasked = Counter()  # by (peer, rule): requests that it has no way to be asked

    def agree(self, row, theirs):
        self.agreed[row] += 1
        self.values[row] += theirs.get("values") is not None

    def differ_as_known(self, row, known):
        self.known[row][known.name] += 1
        self.reasons[known.name] = known.reason

    def disagree(self, row, request, ours, theirs, different):
        self.disagreed[row] += 1
        self.disagreements += 1
        if self.disagreements <= SHOWN:
            print(f"\n{' · '.join(row)}: {different}")
            print(f"  {json.dumps(request)}")
            print(f"  ndcast  {json.dumps(ours)}")
            if theirs is not None:
                print(f"  peer    {json.dumps(theirs)}")

    def print(self):
        rows = sorted(set(self.agreed) | set(self.known) | set(self.disagreed))
        lines = [("peer", "rule", "asked", "requests", "agree", "by value", "disagree", "known differences")]
        for row in rows:
            known = self.known[row]
            total = self.agreed[row] + known.total() + self.disagreed[row]
            names = ", ".join(f"{name} {count}" for name, count in sorted(known.items()))
            lines.append((*row, total, self.agreed[row], self.values[row], self.disagreed[row], names))
        widths = [max(len(str(line[i])) for line in lines) for i in range(len(lines[0]))]
        print()
        for line in lines:
            words = [str(word).ljust(width) for word, width in zip(line[:3], widths[:3])]
            numbers = [str(number).rjust(width) for number, width in zip(line[3:-1], widths[3:-1])]
            print("  ".join([*words, *numbers, line[-1]]).rstrip())
        print()
        for name, reason in sorted(self.reasons.items()):
            print(f"known: {name}: {reason}")
        for (peer, rule), count in sorted(self.unasked.items()):
            print(f"not asked: {peer} {rule}: {count}")
        print(f"{self.disagreements} disagreements" + (f", the first {SHOWN} shown" * (self.disagreements > SHOWN)))


if __name__ == "__main__":
    sys.exit(main())
