"""The texts of `ndcast explain` for the other dialects, evaluated there: does each do what ndcast's plan says?

A request that broadcasts is explained with a section "The same broadcast elsewhere": for each other dialect what to
write there, or why that cannot be said. Here each such text is taken as it stands and given to the system that reads
it (peer_elsewhere.py), with operands whose elements are all different; what comes out is compared with the operands
as ndcast's `operands` read them. A text that says one operand after the other is compared operand by operand, one
that combines them (`a + b`) by a sum from which each operand's element can be told. A select is asked with a predicate
and with its opposite, a clamp with each operand in turn between the other two, so that each comes through as well.

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
from compare import MOST_ELEMENTS, broken_plan, combine, operand_shapes, spread
from generate import FITTING, requests

# What ndcast calls the dialects, in its order, and the families of rules that are theirs. (CHLO is told StableHLO's
# words, which are not its own.)
DIALECTS = {
    "NumPy": ("array-api",),
    "ONNX": ("onnx",),
    "OpenVINO": ("openvino",),
    "nGraph": ("ngraph",),
    "XLA": ("xla",),
    "HLO": ("hlo",),
    "StableHLO": ("stablehlo",),
}
# The dialects that have a text which combines all operands.
COMBINING = ("NumPy", "ONNX", "OpenVINO")
# The rules of one operation, which has to be written as such; nGraph, which has neither, gets the broadcasts.
OPERATIONS = ("hlo.select", "hlo.clamp")
# The rules that lay only one operand, this one, on the shape of the other; nothing is said of the other.
ONE_OPERAND = {"array-api.in-place": 1, "ngraph.broadcast-like": 0}
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
    said, written = translations(text)
    others = [dialect for dialect, families in DIALECTS.items() if request["rule"].split(".")[0] not in families]
    different = broken_plan(request, ours)
    if not different and list(written) != others:
        different = f"the dialects are not {', '.join(others)}"
    if not different and said != heading(request, ours):
        different = f"the heading is not {heading(request, ours)}"
    if different:
        tally.disagree("ndcast", request, ours, text.splitlines(), None, different)
        return
    for dialect, lines in written.items():
        tally.translations[dialect] += 1
        if lines[0].startswith("cannot: "):
            tally.cannot[dialect, " ".join(lines)] += 1
        elif dialect in child.greeting["rules"]:
            compare_translation(dialect, lines, request, ours, child, tally)


def told_operands(request, ours):
    """The numbers of the operands that the texts are about."""
    if request["rule"] in ONE_OPERAND:
        return [ONE_OPERAND[request["rule"]]]
    return list(range(len(ours["operands"])))


def heading(request, ours):
    """What the section says of its names, before the texts."""
    told = told_operands(request, ours)
    names = ", ".join(NAMES[k] for k in told)
    if len(told) == 1:
        return f" ({names} is operand {told[0]})"
    return f" ({names} are the operands{'; Add is any operation' if len(told) == 2 else ''})"


def translations(text):
    """The rest of the section's heading, and by dialect its lines, as they were before they were broken."""
    _, _, section = text.partition("\nThe same broadcast elsewhere")
    said, *lines = section.splitlines() or [""]
    found = []
    for line in lines:
        label, line = line[:LABEL].strip(), line[LABEL:]
        if label:
            found.append((label, [line]))
        elif line.startswith(DEEPER):
            found[-1][1][-1] += " " + line.removeprefix(DEEPER)
        else:
            found[-1][1].append(line)
    return said, dict(found)


def compare_translation(dialect, lines, request, ours, child, tally):
    parts = statements(dialect, lines, request, ours)
    if parts is None:
        tally.disagree(dialect, request, ours, lines, None, "another number of lines than operands that are broadcast")
        return
    by_value = True
    for said, operands in parts:
        for numbers in fills(request, ours, operands):
            (theirs,) = child.ask({"dialect": dialect, "lines": said, "operands": numbers, "shape": ours["shape"]})
            different = difference(request, ours, operands, numbers, theirs)
            if different:
                tally.disagree(dialect, request, ours, said, theirs, different)
                return
            by_value = by_value and bool(theirs["values"])
    tally.agree(dialect, by_value)


def statements(dialect, lines, request, ours):
    """(lines, the operands that they broadcast) for each part of a text that stands by itself; None if none fits."""
    everything, broadcast = told_operands(request, ours), broadcast_operands(ours)
    if dialect == "OpenVINO":
        return [(lines, everything)]  # the second line holds the attributes of the first
    if request["rule"] in OPERATIONS and dialect != "nGraph":
        return [(lines, everything)]
    if len(lines) == 1 and (dialect in COMBINING or lines[0].startswith("Add(")):
        return [(lines, everything)]
    told = everything if dialect in COMBINING else broadcast
    if len(lines) != len(told):
        return None
    return [([line], [k]) for line, k in zip(lines, told)]


def fills(request, ours, operands):
    """The ways to fill the operands of a statement, such that the results together tell the elements of each."""
    shapes = operand_shapes(request, ours)
    sizes = [prod(shapes[k]) for k in operands]
    operation = request["rule"] if is_operation(request, operands) else None
    if operation == "hlo.select":
        # Whether an index has an odd number of ones is without a period, so axes in another order read differently.
        predicate = [i.bit_count() % 2 == 1 for i in range(sizes[0])]
        branches = [counted(sizes[1], 0), counted(sizes[2], MOST_ELEMENTS)]
        ways = [[predicate, *branches], [[not element for element in predicate], *branches]]
    elif operation == "hlo.clamp":
        # Which operand has the low, the middle and the high numbers.
        places = ((0, 1, 2), (1, 0, 2), (0, 2, 1))
        ways = [[counted(size, place * MOST_ELEMENTS) for size, place in zip(sizes, way)] for way in places]
    else:
        # One digit for each operand, in a system of numbers that is large enough for the largest.
        base = max(prod(shape) for shape in shapes) + 1
        ways = [[[(i + 1) * base**place for i in range(size)] for place, size in enumerate(sizes)]]
    return [
        [
            {"name": NAMES[k], "shape": shapes[k], "fill": fill, "predicate": operation == "hlo.select" and k == 0}
            for k, fill in zip(operands, way)
        ]
        for way in ways
    ]


def counted(size, start):
    return [start + 1 + i for i in range(size)]


def is_operation(request, operands):
    """Whether a statement of these operands is the rule's own operation, and not the broadcast of one operand."""
    return request["rule"] in OPERATIONS and len(operands) == 3


def difference(request, ours, operands, numbers, theirs):
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
    combined = [combine(request["rule"], row) if is_operation(request, operands) else sum(row) for row in zip(*columns)]
    if theirs["values"] is not None and theirs["values"] != combined:
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
