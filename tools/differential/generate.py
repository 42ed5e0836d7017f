"""Random requests: about half fit their rule by construction, the others are such requests with something changed.

Request n of a seed depends on the seed, n and the list of rules alone. Extents are small so that whole results can
be compared. Where a rule's peers know partial shapes, some requests have extents made unknown or bounded afterwards.

What is not generated: requests that are wrong in themselves (usage errors: there is no peer for those) and negative
target extents. The ngraph family has no living peer: its rules are there for elsewhere.py.
"""

import random

MAX_RANK = 6
EXTENTS = (0, 1, 2, 3, 4, 7)
EXTENT_WEIGHTS = (2, 6, 6, 5, 4, 3)
RANK_WEIGHTS = (2, 4, 5, 5, 4, 2, 1)

# How extents of a rule's shapes can be made partial: only in ways that its peers can be told of.
PARTIAL = {
    "onnx.multidirectional": ("unknown", "symbol", "unranked"),
    "onnx.expand": ("unknown", "symbol", "unranked"),
    "openvino.broadcast.numpy": ("unknown", "interval", "unranked"),
    "openvino.broadcast.explicit": ("unknown", "interval", "unranked"),
    "openvino.broadcast.bidirectional": ("unknown", "interval", "unranked"),
    "openvino.broadcast.pdpd": ("unknown", "interval", "unranked"),
    "openvino.eltwise.none": ("unknown", "interval", "unranked"),
    "openvino.eltwise.numpy": ("unknown", "interval", "unranked"),
    "openvino.eltwise.pdpd": ("unknown", "interval", "unranked"),
    "xla.binary": ("unknown", "bounded"),
    "xla.broadcast": ("unknown", "bounded"),
    "xla.broadcast-in-dim": ("unknown", "bounded"),
    "stablehlo.broadcast-in-dim": ("unknown", "bounded"),
    "hlo.select": ("unknown",),
    "hlo.clamp": ("unknown",),
    "chlo.broadcast": ("unknown",),
}


def requests(seed, count, rules):
    """`count` requests, the rules in turn."""
    for number in range(count):
        rng = random.Random(f"{seed}/{number}")
        rule = rules[number % len(rules)]
        yield one(rng, rule)


def one(rng, rule):
    request = {"rule": rule} | FITTING[rule](rng)
    if rng.random() < 0.5:
        for _ in range(rng.choice((1, 1, 2))):
            perturb(rng, request)
    if rule in PARTIAL and rng.random() < 0.35:
        soften(rng, request)
    return request


# Requests that fit, by rule.


def shape(rng, least=0):
    rank = rng.choices(range(MAX_RANK + 1), RANK_WEIGHTS)[0]
    return rng.choices(EXTENTS, EXTENT_WEIGHTS, k=max(rank, least))


def thinned(rng, extents):
    """The extents with some of them replaced by 1."""
    chance = rng.choice((0, 0.3, 0.6))
    return [1 if rng.random() < chance else extent for extent in extents]


def suffix(rng, result):
    return thinned(rng, result[rng.randint(0, len(result)) if rng.random() < 0.6 else 0 :])


def some_axes(rng, rank):
    return sorted(rng.sample(range(rank), rng.randint(0, rank)))


def several(rng, least, most=4):
    result = shape(rng)
    return {"shapes": [suffix(rng, result) for _ in range(rng.randint(least, most))]}


def onto_target(rng):
    target = shape(rng)
    return {"shapes": [suffix(rng, target)], "target": target}


def both_ways(rng):
    result = shape(rng)
    return {"shapes": [suffix(rng, result)], "target": suffix(rng, result)}


def unidirectional(rng):
    a = shape(rng)
    return {"shapes": [a, suffix(rng, a)]}


def in_place(rng):
    left = shape(rng)
    if rng.random() < 0.5:
        return {"shapes": [left, suffix(rng, left)]}
    # The extents must let each integer point somewhere.
    left = [max(extent, 1) for extent in left] or [2]
    taken = rng.randint(1, len(left))
    index = [rng.choice((str(rng.randrange(e)), str(-rng.randint(1, e)))) for e in left[:taken]]
    rest = left[taken:]
    if rng.random() < 0.5:
        # The integers before the "..." take leading axes, those after it the last ones.
        split = rng.randint(0, taken)
        kept = len(left) - taken
        left = left[:split] + rest + left[split:taken]
        index = index[:split] + ["..."] + index[split:]
        rest = left[split : split + kept]
    return {"shapes": [left, suffix(rng, rest)], "index": ", ".join(index)}


def openvino_explicit(rng):
    target = shape(rng)
    axes = some_axes(rng, len(target))
    return {"shapes": [thinned(rng, [target[a] for a in axes])], "target": target, "axes": axes}


def openvino_pdpd(rng):
    result = shape(rng)
    start = rng.randint(0, len(result))
    data, target = thinned(rng, result[start:]), result[:start] + thinned(rng, result[start:])
    request = {"shapes": [data], "target": target, "axis": start}
    if rng.random() < 0.3:
        request["axis"] = -1
    if start == 0 and rng.random() < 0.3:
        del request["axis"]
    return request


def same_shapes(rng):
    return {"shapes": [shape(rng)] * rng.randint(2, 3)}


def eltwise_pdpd(rng):
    a = shape(rng)
    if rng.random() < 0.2:
        return {"shapes": [a, suffix(rng, a)], "axis": -1}
    axis = rng.randint(0, len(a)) if rng.random() < 0.8 else 0
    others = [thinned(rng, a[axis : rng.randint(axis, len(a))]) for _ in range(rng.choice((1, 1, 2)))]
    if axis == 0 and rng.random() < 0.5:
        return {"shapes": [a, *others]}
    return {"shapes": [a, *others], "axis": axis}


def ngraph_broadcast(rng):
    target = shape(rng)
    axes = some_axes(rng, len(target))
    return {"shapes": [[e for axis, e in enumerate(target) if axis not in axes]], "target": target, "axes": axes}


def ngraph_broadcast_like(rng):
    if rng.random() < 0.3:
        # Without axes the operand begins on the first axis.
        like = shape(rng)
        return {"shapes": [like[: rng.randint(0, len(like))], like]}
    request = ngraph_broadcast(rng)
    return {"shapes": [*request["shapes"], request["target"]], "axes": request["axes"]}


def xla_binary(rng):
    result = shape(rng)
    larger = thinned(rng, result)
    if rng.random() < 0.25:
        shapes = [larger, thinned(rng, result)]
        return {"shapes": shapes} | ({"axes": list(range(len(result)))} if rng.random() < 0.5 else {})
    axes = some_axes(rng, len(result))
    smaller = thinned(rng, [result[a] for a in axes])
    shapes = [larger, smaller]
    rng.shuffle(shapes)
    return {"shapes": shapes} | ({"axes": axes} if axes or rng.random() < 0.5 else {})


def xla_broadcast(rng):
    whole = shape(rng)
    split = rng.randint(0, len(whole))
    return {"shapes": [whole[split:]], "target": whole[:split]}


def xla_broadcast_in_dim(rng):
    request = openvino_explicit(rng)
    if not request["axes"] and rng.random() < 0.5:
        del request["axes"]
    return request


def stablehlo_broadcast_in_dim(rng):
    target = shape(rng)
    axes = some_axes(rng, len(target))
    rng.shuffle(axes)
    return {"shapes": [thinned(rng, [target[a] for a in axes])], "target": target, "axes": axes}


def hlo_broadcast(rng):
    target = shape(rng)
    axes = some_axes(rng, len(target))
    if rng.random() < 0.5:
        rng.shuffle(axes)
    return {"shapes": [[target[a] for a in axes]], "target": target, "axes": axes}


def select(rng):
    whole = shape(rng)
    return {"shapes": [rng.choice((whole, [])), whole, whole]}


def clamp(rng):
    whole = shape(rng)
    return {"shapes": [rng.choice((whole, [])), whole, rng.choice((whole, []))]}


def chlo_broadcast(rng):
    result = shape(rng)
    larger, smaller = thinned(rng, result), suffix(rng, result)
    shapes = [larger, smaller]
    rng.shuffle(shapes)
    if rng.random() < 0.5:
        return {"shapes": shapes}
    return {"shapes": shapes, "axes": list(range(len(larger) - len(smaller), len(larger)))}


FITTING = {
    "array-api": lambda rng: several(rng, 0),
    "array-api.broadcast-to": onto_target,
    "array-api.in-place": in_place,
    "onnx.multidirectional": lambda rng: several(rng, 1),
    "onnx.unidirectional": unidirectional,
    "onnx.expand": both_ways,
    "openvino.broadcast.numpy": onto_target,
    "openvino.broadcast.explicit": openvino_explicit,
    "openvino.broadcast.bidirectional": both_ways,
    "openvino.broadcast.pdpd": openvino_pdpd,
    "openvino.eltwise.none": same_shapes,
    "openvino.eltwise.numpy": lambda rng: several(rng, 2, 3),
    "openvino.eltwise.pdpd": eltwise_pdpd,
    "ngraph.broadcast": ngraph_broadcast,
    "ngraph.dyn-broadcast": ngraph_broadcast,
    "ngraph.broadcast-like": ngraph_broadcast_like,
    "xla.binary": xla_binary,
    "xla.broadcast": xla_broadcast,
    "xla.broadcast-in-dim": xla_broadcast_in_dim,
    "hlo.broadcast": hlo_broadcast,
    "hlo.select": select,
    "hlo.clamp": clamp,
    "stablehlo.broadcast-in-dim": stablehlo_broadcast_in_dim,
    "chlo.broadcast": chlo_broadcast,
}


# Requests that may not fit: one thing changed, so that they stay near the border of the rule.


def perturb(rng, request):
    # Copies first: the fitting request may hold one list twice.
    request["shapes"] = [list(extents) for extents in request["shapes"]]
    places = [(request["shapes"], i) for i in range(len(request["shapes"]))]
    if "target" in request:
        request["target"] = list(request["target"])
        places += [(request, "target")] * 2
    changes = [lambda: change_shape(rng, *rng.choice(places))] * 2 if places else []
    if "axes" in request:
        changes += [lambda: request.update(axes=changed_axes(rng, request))] * 2
    elif request["rule"] in ("xla.binary", "xla.broadcast-in-dim", "chlo.broadcast"):
        changes += [lambda: request.update(axes=changed_axes(rng, request))]
    if request["rule"].endswith("pdpd"):
        changes += [lambda: request.update(axis=rng.randint(-3, len(request["shapes"][0]) + 1))] * 2
    if "index" in request:
        changes += [lambda: request.update(index=changed_index(rng, request["index"]))]
    if changes:
        rng.choice(changes)()


def change_shape(rng, holder, key):
    extents = holder[key]
    change = rng.choice(("extent", "extent", "drop", "insert", "swap"))
    if change == "insert" or not extents:
        if len(extents) < MAX_RANK:
            extents.insert(rng.randint(0, len(extents)), rng.choice((1, 1, rng.choice(EXTENTS))))
    elif change == "extent":
        extents[rng.randrange(len(extents))] = rng.choice(EXTENTS)
    elif change == "drop":
        extents.pop(rng.randrange(len(extents)))
    else:
        i, j = rng.randrange(len(extents)), rng.randrange(len(extents))
        extents[i], extents[j] = extents[j], extents[i]


def changed_axes(rng, request):
    axes = list(request.get("axes", []))
    rank = max(len(s) for s in [*request["shapes"], request.get("target", [])])
    change = rng.choice(("move", "move", "swap", "repeat", "drop", "append", "negative", "any"))
    if change == "append" or not axes:
        axes.insert(rng.randint(0, len(axes)), rng.randint(0, rank))
    elif change == "move":
        axes[rng.randrange(len(axes))] += rng.choice((-1, 1))
    elif change == "swap":
        rng.shuffle(axes)
    elif change == "repeat":
        axes[rng.randrange(len(axes))] = rng.choice(axes)
    elif change == "drop":
        axes.pop(rng.randrange(len(axes)))
    elif change == "negative":
        axes[rng.randrange(len(axes))] -= rank
    else:
        axes = [rng.randint(-1, rank) for _ in axes]
    return axes


def changed_index(rng, index):
    parts = index.split(", ")
    change = rng.choice(("number", "slice", "more", "fewer"))
    numbers = [i for i, part in enumerate(parts) if part != "..."]
    if change == "more" or not numbers:
        parts.append("0")
    elif change == "number":
        parts[rng.choice(numbers)] = str(rng.randint(-5, 5))
    elif change == "slice":
        parts[rng.choice(numbers)] = rng.choice((":", "0:1", "1:", ":-1", "::2", "::-1"))
    elif len(parts) > 1:
        parts.pop(rng.choice(numbers))
    return ", ".join(parts)


# Partial shapes.


def soften(rng, request):
    """Makes some extents partial; mostly such that the extent that was there stays possible."""
    ways = PARTIAL[request["rule"]]
    if "unranked" in ways and rng.random() < 0.1:
        request["shapes"] = list(request["shapes"])
        if "target" in request and rng.random() < 0.4:
            request["target"] = None
        else:
            request["shapes"][rng.randrange(len(request["shapes"]))] = None
    ways = [way for way in ways if way != "unranked"]
    soft = lambda extents: extents and [softened(rng, e, ways) for e in extents]
    request["shapes"] = [soft(extents) for extents in request["shapes"]]
    if request["rule"] == "xla.broadcast-in-dim":
        soften_as_builder(rng, request)
    elif "target" in request and rng.random() < 0.5:
        if request["rule"] == "xla.broadcast":
            ways = ("unknown",)  # the builder takes the sizes as plain numbers
        request["target"] = soft(request["target"])


def soften_as_builder(rng, request):
    """Gives the target the bounds of the operand axes laid on it: no other form can be put to the XlaBuilder."""
    numbers = request["target"]
    request["target"] = list(numbers)
    for axis, extent in zip(request.get("axes", []), request["shapes"][0]):
        if isinstance(extent, str) and 0 <= axis < len(numbers):
            request["target"][axis] = rng.choice((extent, extent, extent, f"<={max(1, numbers[axis])}"))


def softened(rng, extent, ways):
    if rng.random() < 0.6:
        return extent
    way = rng.choice(ways)
    if way == "unknown":
        return None
    if way == "symbol":
        return rng.choice("NM")
    if way == "bounded":
        return f"<={max(1, extent + rng.choice((0, 0, 0, 1)))}"  # at most 0 would be 0
    if rng.random() < 0.1:
        extent = rng.choice(EXTENTS)
    least, most = max(0, extent - rng.randint(0, 2)), extent + rng.randint(0, 3)
    return rng.choice((f"{least}..{most}", f"{least}..{most}", f"{least}..", f"..{most}"))
