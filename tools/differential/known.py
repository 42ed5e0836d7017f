"""The differences that are expected: decisions of ndcast, and faults or limits of a peer.

Only a comparison that fails is looked up here, and it is counted under the name of the first row that fits. Each row
is as narrow as its reason, so that a new fault beside a known one still shows.
"""

from typing import Callable, NamedTuple

from compare import bounds


class Known(NamedTuple):
    name: str
    peer: str
    rules: tuple[str, ...]
    # (request, ndcast's answer, the peer's answer) -> whether this is the reason
    fits: Callable[[dict, dict, dict], bool]
    reason: str


def kind(answer):
    """The kind of a failure, of either side; None for a success."""
    if answer["ok"]:
        return None
    return answer["error"]["kind"] if "error" in answer else answer["kind"]


def message(theirs):
    return "" if theirs["ok"] else theirs["message"]


def partial(request):
    """Whether an extent of the request is not a number."""
    shapes = [*request["shapes"], request.get("target", [])]
    return any(shape is not None and not all(isinstance(extent, int) for extent in shape) for shape in shapes)


def unknown(request):
    return any(shape is not None and None in shape for shape in request["shapes"])


def within(narrow, wide):
    """Whether each extent of one answer's shape is one that the other allows."""
    if narrow is None or wide is None or len(narrow) != len(wide):
        return False
    return all(
        least <= n and (most is None or (m is not None and m <= most)) for (n, m), (least, most) in zip(narrow, wide)
    )


UNRANKED_UNCHECKED = "once a rank is unknown the peer looks at nothing; ndcast still finds what no shape could mend"


def unranked_unchecked(request, ours, theirs):
    return None in request["shapes"] and kind(ours) is not None and theirs["ok"] and theirs["shape"] is None


def ndcast_knows_more(ours, theirs):
    return ours["ok"] and theirs["ok"] and within(bounds(ours["shape"]), theirs["shape"])


def peer_claims_more(ours, theirs):
    return ours["ok"] and theirs["ok"] and within(theirs["shape"], bounds(ours["shape"]))


def leaves_target(request):
    """Whether pdpd data begins or ends outside the target."""
    if None in (request["shapes"][0], request["target"]):
        return False
    data, target = len(request["shapes"][0]), len(request["target"])
    start = request.get("axis", 0)
    if start == -1:
        start = target - data
    return start < 0 or start + data > target


def rotates(axes):
    """Whether a list names every axis once, in an order that is not its own inverse."""
    return sorted(axes) == list(range(len(axes))) and any(axes[axes[i]] != i for i in range(len(axes)))


NUMPY = (
    Known(
        "surplus-axes",
        "numpy",
        ("array-api.in-place",),
        lambda request, ours, theirs: "index" in request and kind(ours) == "rank-too-high" and theirs["ok"],
        "x[index] = a with more axes on the right is an error, as the Array API page says; NumPy drops leading 1s",
    ),
)

OPENVINO = (
    Known(
        "repeated-axes",
        "openvino",
        ("openvino.broadcast.explicit",),
        lambda request, ours, theirs: kind(ours) == "axes-repeated",
        "OpenVINO accepts an axis twice in axes_mapping and then returns uninitialised memory; ndcast says no",
    ),
    Known(
        "scalar-axis-first",
        "openvino",
        ("openvino.broadcast.explicit",),
        lambda request, ours, theirs: request["shapes"] == [[]]
        and kind(ours) == "axis-negative"
        and kind(theirs) in ("scalar-axes", "axis-out-of-range"),
        "two faults: for a scalar OpenVINO reads the target at the axis before it checks the axis",
    ),
    Known(
        "data-past-target",
        "openvino",
        ("openvino.broadcast.pdpd",),
        lambda request, ours, theirs: kind(ours) in ("rank-too-high", "axis-out-of-range") and leaves_target(request),
        "OpenVINO looks at the data axes that lie on the target and at no others; data that begins or ends beyond it"
        " is an error in ndcast",
    ),
    Known(
        "data-too-short",
        "openvino",
        ("openvino.broadcast.pdpd",),
        lambda request, ours, theirs: kind(ours) == "operand-too-short" and kind(theirs) == "extent-mismatch",
        "two faults: ndcast compares the ranks before any extent, OpenVINO meets the extents first",
    ),
    Known(
        "ranges-meet",
        "openvino",
        ("openvino.broadcast.pdpd", "openvino.eltwise.pdpd"),
        lambda request, ours, theirs: partial(request)
        and ours["ok"]
        and ours["shape"] is not None
        and (not theirs["ok"] or peer_claims_more(ours, theirs)),
        "OpenVINO's pdpd takes what two ranges have in common, as if an extent of 1 within them did not stretch",
    ),
    Known(
        "chain-of-adds",
        "openvino",
        ("openvino.eltwise.pdpd",),
        lambda request, ours, theirs: ours["ok"]
        and not theirs["ok"]
        and len(request["shapes"]) > 2
        and any(shape is not None and 0 in shape for shape in request["shapes"][1:]),
        "a 0 in one operand makes the sum so far smaller, and OpenVINO lays the next on that; ndcast lays it on the"
        " first",
    ),
)

XLA = (
    Known(
        "unknown-with-axes",
        "xla",
        ("xla.binary",),
        lambda request, ours, theirs: ours["ok"]
        and bool(request.get("axes"))
        and unknown(request)
        and len(request["shapes"][0]) != len(request["shapes"][1]),
        "with an unknown extent the XlaBuilder drops broadcast_dimensions and aligns to the right; ndcast honours"
        " them",
    ),
    Known(
        "bounded-one",
        "xla",
        ("xla.binary", "xla.broadcast-in-dim"),
        lambda request, ours, theirs: ours["ok"]
        and any("<=1" in shape for shape in request["shapes"])
        and (peer_claims_more(ours, theirs) or "An explicit broadcast sequence requires" in message(theirs)),
        "XLA's inference takes an extent of at most 1 for 1: it loses the bound, or lowering fails an internal check",
    ),
    Known(
        "builder-axis-bound",
        "xla",
        ("xla.broadcast-in-dim",),
        lambda request, ours, theirs: kind(ours) == "axis-out-of-range"
        and ours["error"]["axis"] == len(request["target"])
        and kind(theirs) in ("rank-too-high", "extent-mismatch", "axes-order", "axis-negative"),
        "two faults: the builder's first check lets the axis just past the target through, so the other is met first",
    ),
    Known(
        "hlo-stretch",
        "xla",
        ("hlo.broadcast",),
        lambda request, ours, theirs: kind(ours) == "extent-mismatch" and theirs["ok"] and 1 in request["shapes"][0],
        "HLO wants equal extents, but jaxlib can only verify HLO as StableHLO, where 1 stretches",
    ),
    Known(
        "hlo-same-shape",
        "xla",
        ("hlo.broadcast",),
        lambda request, ours, theirs: kind(ours) == "axes-count"
        and theirs["ok"]
        and request["shapes"][0] == request["target"],
        "jaxlib drops some broadcasts to the operand's own shape before it has verified their dimensions",
    ),
    Known(
        "unranked-unchecked",
        "onnx",
        ("onnx.multidirectional", "onnx.expand"),
        unranked_unchecked,
        UNRANKED_UNCHECKED,
    ),
    Known(
        "unranked-unchecked",
        "openvino",
        ("openvino.eltwise.numpy", "openvino.eltwise.pdpd"),
        unranked_unchecked,
        UNRANKED_UNCHECKED,
    ),
    Known(
        "hlo-order",
        "xla",
        ("hlo.broadcast",),
        lambda request, ours, theirs: kind(ours) == "extent-mismatch"
        and kind(theirs) in ("axes-repeated", "axis-negative", "axis-out-of-range")
        or kind(ours) in ("axis-negative", "axis-out-of-range")
        and kind(theirs) in ("axes-repeated", "extent-mismatch"),
        "two faults: they are met in the order of StableHLO's verifier, which is not HLO's",
    ),
    Known(
        "hlo-transpose",
        "xla",
        ("hlo.broadcast",),
        lambda request, ours, theirs: ours["ok"]
        and rotates(request["axes"])
        and (theirs["ok"] and theirs["shape"] == bounds(ours["shape"]) or "mhlo.transpose" in message(theirs)),
        "XLA's compiler turns a broadcast of equal ranks into the inverse transpose: an error or wrong values",
    ),
)

STABLEHLO = (
    Known(
        "pairwise",
        "stablehlo",
        ("hlo.select", "hlo.clamp"),
        lambda request, ours, theirs: unknown(request)
        and (kind(ours) == "extent-mismatch" and theirs["ok"] or ndcast_knows_more(ours, theirs)),
        "StableHLO compares two operands at a time and infers from one; ndcast lets all three tell the extents",
    ),
    Known(
        "zero-with-unknown",
        "stablehlo",
        ("chlo.broadcast",),
        lambda request, ours, theirs: any(0 in shape for shape in request["shapes"])
        and unknown(request)
        and ndcast_knows_more(ours, theirs),
        "an unknown extent that goes with 0 is 0 or 1, so the result is 0; CHLO infers an unknown one",
    ),
    Known(
        "negative-axis-crash",
        "stablehlo",
        ("chlo.broadcast",),
        lambda request, ours, theirs: theirs.get("crash", False)
        and not ours["ok"]
        and any(axis < 0 for axis in request.get("axes", [])),
        "CHLO's verifier reads out of bounds for a negative axis and the process may end",
    ),
)

KNOWN = NUMPY + OPENVINO + XLA + STABLEHLO


def known_difference(peer, request, ours, theirs):
    """The first row that explains a difference, or None."""
    for row in KNOWN:
        if row.peer == peer and request["rule"] in row.rules and row.fits(request, ours, theirs):
            return row
    return None
