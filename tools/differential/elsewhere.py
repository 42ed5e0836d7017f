"""The texts of `ndcast explain` for the other dialects, evaluated there: does each do what ndcast's plan says?

A request that broadcasts is explained with a section "The same broadcast elsewhere": for each other dialect what to
write there, or why that cannot be said. Here each such text is taken as it stands and given to the system that reads
it (peer_elsewhere.py), with operands whose elements are all different; what comes out is compared with the operands
as ndcast's `operands` read them. A text that says one operand after the other is compared operand by operand, one
that combines them (`a + b`) by a sum from which each operand's element can be told.

The requests are those of generate.py with known extents that ndcast accepts and that broadcast something, of all
rules. What is not checked: texts for partial shapes, element types other than the default, and whether a text is the
shortest.
"""

import json
import sys
from collections import Counter
from itertools import islice
from math import prod

from child import Child
from command import ask_ndcast, explained
from compare import MOST_ELEMENTS, broken_plan, operand_shapes, spread
from generate import FITTING, requests

# What ndcast calls the dialects, in its order, and the families of rules that are theirs.
DIALECTS = {
    "NumPy": ("array-api",),
    "ONNX": ("onnx",),
    "OpenVINO": ("openvino",),
    "nGraph": ("ngraph",),
    "XLA": ("xla",),
    "HLO": ("hlo",),
    "StableHLO": ("stablehlo", "chlo"),
}
# The dialects that have a text which combines all operands.
COMBINING = ("NumPy", "ONNX", "OpenVINO")
# What the operands are called; there is no text for more of them.
NAMES = "abcdefgh"
# The columns before what is written, and how much deeper a line that was broken goes on.
LABEL = 13
DEEPER = "    "
# Disagreements that are printed whole; the rest are counted.
SHOWN = 20
# Requests that are put to ndcast at a time, to find those that broadcast.
BATCH = 2000
# These rules alone transpose or lay an operand amid another's axes, and few of their requests do: they get more turns.
RULES = [*FITTING, *("hlo.broadcast", "stablehlo.broadcast-in-dim", "xla.binary") * 5]


def compare_elsewhere(options, python):
    """Compares as the options say, prints everything, and returns the exit status."""
    child = Child(python, "elsewhere")
    if "absent" in child.greeting:
        print(f"absent: {child.greeting['absent']}")
        return 2
    print(child.greeting["version"])
    tally = Tally()
    asked = Counter()
    for request, ours in chosen(options):
        asked[request["rule"]] += 1
        compare_one(options.command, request, ours, child, tally)
    child.close()
    print(f"\n{asked.total()} requests that broadcast")
    left_out = [rule for rule in FITTING if not asked[rule]]
    if left_out and not options.file:
        print(f"none of them of {', '.join(left_out)}")
    tally.print()
    if tally.disagreements:
        return 1
    return 0 if tally.evaluated else 2


def chosen(options):
    """(request, answer) for each request that is to be explained."""
    if options.file:
        lines = options.file.read_text().splitlines()
        asked = iter([json.loads(line) for line in lines if line.strip()])
    else:
        asked = requests(options.seed, sys.maxsize, RULES)
    left = options.count
    while left and (batch := list(islice(asked, BATCH))):
        pairs = zip(batch, ask_ndcast(options.command, batch))
        fitting = [(request, ours) for request, ours in pairs if has_translations(request, ours)][:left]
        left -= len(fitting)
        yield from fitting


def has_translations(request, ours):
    """Whether the request broadcasts something, all of it is known, and the result is not too large to compare."""
    if not ours["ok"] or not ours["operands"]:
        return False
    shapes = [*request["shapes"], request.get("target", []), ours["shape"]]
    if not all(shape is not None and all(isinstance(extent, int) for extent in shape) for shape in shapes):
        return False
    return bool(broadcast_operands(ours)) and prod(ours["shape"]) <= MOST_ELEMENTS


def broadcast_operands(ours):
    """The numbers of the operands that are not read as they are."""
    as_it_is = list(range(len(ours["shape"])))
    return [k for k, sources in enumerate(ours["operands"]) if sources != as_it_is]


def compare_one(command, request, ours, child, tally):
    text = explained(command, request)
    written = dict(translations(text))
    others = [dialect for dialect, families in DIALECTS.items() if request["rule"].split(".")[0] not in families]
    different = broken_plan(request, ours)
    if not different and list(written) != others:
        different = f"the dialects are not {', '.join(others)}"
    if different:
        tally.disagree("ndcast", request, ours, text.splitlines(), None, different)
        return
    for dialect, lines in written.items():
        tally.translations[dialect] += 1
        if lines[0].startswith("cannot: "):
            tally.cannot[dialect, " ".join(lines)] += 1
        elif dialect in child.greeting["rules"]:
            compare_translation(dialect, lines, request, ours, child, tally)


def translations(text):
    """(dialect, lines) for each dialect of the section, the lines as they were before they were broken."""
    _, _, section = text.partition("\nThe same broadcast elsewhere")
    found = []
    for line in section.splitlines()[1:]:
        label, line = line[:LABEL].strip(), line[LABEL:]
        if label:
            found.append((label, [line]))
        elif line.startswith(DEEPER):
            found[-1][1][-1] += " " + line.removeprefix(DEEPER)
        else:
            found[-1][1].append(line)
    return found


def compare_translation(dialect, lines, request, ours, child, tally):
    parts = statements(dialect, lines, ours)
    if parts is None:
        tally.disagree(dialect, request, ours, lines, None, "another number of lines than operands that are broadcast")
        return
    by_value = True
    for said, operands in parts:
        numbers = fills(request, ours, operands)
        (theirs,) = child.ask({"dialect": dialect, "lines": said, "operands": numbers, "shape": ours["shape"]})
        different = difference(ours, operands, numbers, theirs)
        if different:
            tally.disagree(dialect, request, ours, said, theirs, different)
            return
        by_value = by_value and bool(theirs["values"])
    tally.agree(dialect, by_value)


def statements(dialect, lines, ours):
    """(lines, the operands that they broadcast) for each part of a text that stands by itself; None if none fits."""
    everything, broadcast = list(range(len(ours["operands"]))), broadcast_operands(ours)
    if dialect == "OpenVINO":
        return [(lines, everything)]  # the second line holds the attributes of the first
    if len(lines) == 1 and (dialect in COMBINING or lines[0].startswith("Add(")):
        return [(lines, everything)]
    told = everything if dialect in COMBINING else broadcast
    if len(lines) != len(told):
        return None
    return [([line], [k]) for line, k in zip(lines, told)]


def fills(request, ours, operands):
    """The operands of a statement by name, with elements such that a sum of them tells each."""
    shapes = operand_shapes(request, ours)
    # One digit for each operand, in a system of numbers that is large enough for the largest.
    base = max(prod(shape) for shape in shapes) + 1
    return [
        {"name": NAMES[k], "shape": shapes[k], "fill": [(i + 1) * base**place for i in range(prod(shapes[k]))]}
        for place, k in enumerate(operands)
    ]


def difference(ours, operands, numbers, theirs):
    """None if the statement does what the plan says, else what is different, in a few words."""
    if theirs.get("crash"):
        return "the system did not survive the text"
    if not theirs["ok"]:
        return "the text is refused"
    if theirs["shape"] != ours["shape"]:
        return "the shapes differ"
    columns = [
        spread(operand["shape"], ours["operands"][k], ours["shape"], operand["fill"])
        for k, operand in zip(operands, numbers)
    ]
    if theirs["values"] is not None and theirs["values"] != [sum(row) for row in zip(*columns)]:
        return "the values differ"
    return None


class Tally:
    """The counts by dialect, and the printing of both disagreements and the final table."""

    def __init__(self):
        self.translations = Counter()
        self.evaluated = Counter()
        self.by_shape = Counter()
        self.cannot = Counter()  # by (dialect, the line)
        self.disagreed = Counter()
        self.disagreements = 0

    def agree(self, dialect, by_value):
        self.evaluated[dialect] += 1
        self.by_shape[dialect] += not by_value

    def disagree(self, dialect, request, ours, lines, theirs, different):
        self.evaluated[dialect] += theirs is not None
        self.disagreed[dialect] += 1
        self.disagreements += 1
        if self.disagreements <= SHOWN:
            print(f"\n{dialect} · {request['rule']}: {different}")
            print(f"  {json.dumps(request)}")
            print(f"  ndcast  {json.dumps(ours)}")
            for line in lines:
                print(f"  text    {line}")
            if theirs is not None:
                print(f"  gives   {json.dumps(theirs)}")

    def print(self):
        names = ("dialect", "translations", "evaluated", "by shape alone", "cannot", "disagree")
        rows = [
            (
                dialect,
                self.translations[dialect],
                self.evaluated[dialect],
                self.by_shape[dialect],
                sum(count for (said, _), count in self.cannot.items() if said == dialect),
                self.disagreed[dialect],
            )
            for dialect in (*DIALECTS, "ndcast")
            if self.translations[dialect] or self.disagreed[dialect]
        ]
        print()
        for row in (names, *rows):
            numbers = [str(number).rjust(len(name)) for name, number in zip(names[1:], row[1:])]
            print("  ".join([row[0].ljust(9), *numbers]))
        print()
        for (dialect, line), count in sorted(self.cannot.items()):
            print(f"{dialect} {line}: {count}")
        print(f"{self.disagreements} disagreements" + (f", the first {SHOWN} shown" * (self.disagreements > SHOWN)))
