"""What a peer is asked besides the request, and whether its answer and ndcast's say the same.

Success must meet success with the same shape, failure must meet failure with the same kind (where the peer's message
identifies one). Plans are compared by what they do: every operand is filled with numbers that are all different, the
peer computes, and the same result is gathered here, in plain Python, by walking ndcast's `operands`.
"""

from math import prod

from answers import interval

# Larger results are compared by shape alone. Below the prime, so that the fill has no number twice.
MOST_ELEMENTS = 900
PRIME = 997

# Kinds that say that the request itself is wrong; none of the generated ones is.
USAGE = {
    "unknown-rule",
    "operand-count",
    "target-missing",
    "target-unexpected",
    "axes-missing",
    "axes-unexpected",
    "axis-unexpected",
    "index-unexpected",
    "malformed-shape",
    "negative-extent",
    "extent-too-large",
    "malformed-request",
    "not-utf8",
    "malformed-index",
}


def fills(request, ours):
    """A flat list of numbers for each operand, or None where values cannot be compared.

    They cannot where an extent is not known, or where there is nothing in the result, or too much.
    """
    if not ours["ok"] or not request["shapes"] or ours["operands"] is None:
        return None
    shapes = [*request["shapes"], ours["shape"], request.get("target", [])]
    if any(shape is None or not all(isinstance(extent, int) for extent in shape) for shape in shapes):
        return None
    if not 0 < prod(ours["shape"]) <= MOST_ELEMENTS:
        return None
    # Where numbers are added up, each operand has its own three digits; select and clamp hand one of them on as it is.
    digits = 1 if request["rule"] in ("hlo.select", "hlo.clamp") else 1000
    numbers = [
        [((i * (31 + 10 * k) + 7 * k) % PRIME + 1) * digits**k for i in range(prod(shape))]
        for k, shape in enumerate(request["shapes"])
    ]
    if request["rule"] == "array-api.in-place":
        numbers[0] = None  # the left side is written to, so it starts as zeros
    return numbers


def difference(request, numbers, ours, theirs):
    """None if the answers agree, else what is different, in a few words."""
    if theirs.get("crash"):
        return "the peer did not survive the request"
    if ours["ok"] != theirs["ok"]:
        return "one broadcasts, the other does not"
    if not ours["ok"]:
        kind = ours["error"]["kind"]
        if kind in USAGE or (theirs["kind"] is not None and theirs["kind"] != kind):
            return "the kinds of error differ"
        return None
    if bounds(ours["shape"]) != theirs["shape"]:
        return "the shapes differ"
    if theirs["values"] is not None and gathered(request, numbers, ours) != theirs["values"]:
        return "the values differ"
    return None


def bounds(shape):
    return None if shape is None else [list(interval(extent)) for extent in shape]


def broken_plan(request, ours):
    """What is wrong with ndcast's `operands` for known extents by themselves, or None."""
    if not ours["ok"] or ours["operands"] is None:
        return None
    result, shapes = ours["shape"], operand_shapes(request, ours)
    if len(ours["operands"]) != len(shapes):
        return "another number of operands than the request has"
    for shape, sources in zip(shapes, ours["operands"]):
        if len(sources) != len(result):
            return "another number of sources than the result has axes"
        axes = sorted(axis_of(source) for source in sources if source is not None)
        if shape is not None and axes != list(range(len(shape))):
            return "an operand axis is used twice or not at all"
        if not all(isinstance(extent, int) for extent in [*(shape or [None]), *result]):
            continue
        for source, extent in zip(sources, result):
            walks = isinstance(source, int) and shape[source] == extent
            stays = isinstance(source, dict) and shape[source.get("stretch", -1)] == 1 != extent
            if source is not None and not walks and not stays:
                return "a source that does not go with the extents"
    if request["rule"] == "array-api.in-place" and ours["operands"][0] != list(range(len(result))):
        return "the left side does not walk"
    return None


def axis_of(source):
    return source if isinstance(source, int) else next(iter(source.values()))


def operand_shapes(request, ours):
    if "index" in request:
        # The plan is that of the indexed left side, which has the shape of the result.
        return [ours["shape"], *request["shapes"][1:]]
    return request["shapes"]


def gathered(request, numbers, ours):
    """The flat result of the rule's operation, read through ndcast's plan."""
    columns = []
    for shape, sources, fill in zip(operand_shapes(request, ours), ours["operands"], numbers):
        if fill is None:
            columns.append([0] * prod(ours["shape"]))
        else:
            columns.append(spread(shape, sources, ours["shape"], fill))
    return [combine(request["rule"], row) for row in zip(*columns)]


def spread(shape, sources, result, fill):
    """One operand's numbers as the result reads them, flat."""
    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    offsets = [0]
    for source, extent in zip(sources, result):
        stride = strides[source] if isinstance(source, int) else 0
        offsets = [offset + i * stride for offset in offsets for i in range(extent)]
    return [fill[offset] for offset in offsets]


def combine(rule, row):
    if rule == "hlo.select":
        pred, on_true, on_false = row
        return on_true if pred % 2 == 1 else on_false
    if rule == "hlo.clamp":
        least, value, most = row
        return min(max(value, least), most)
    return sum(row)
