"""What every peer's answers look like, and the text of a peer's error turned into ndcast's kind.

A question is {"request": the ndcast request, "fills": null or a flat list of numbers for each operand, "execute":
bool}. `fills` is null when values cannot be compared (unknown extents, nothing in the result, or too much);
`execute` marks the sample on which a peer that has to compile before it can run should do so.

An answer is {"by": what was asked, "ok": true, "shape": [[least, most or null], ...] or null, "values": flat list or
null} or {"by": ..., "ok": false, "kind": ndcast's error kind or null where the message does not identify it,
"message": text}. A peer that cannot put a request at all returns no answer for it.
"""

import re


def fits(by, shape, values=None):
    return {"by": by, "ok": True, "shape": shape, "values": values}


def fails(by, error, kinds=()):
    """The answer for an exception, with the kind of the first pattern in `kinds` that its message matches."""
    message = str(error).strip()
    kind = next((kind for pattern, kind in kinds if re.search(pattern, message)), None)
    return {"by": by, "ok": False, "kind": kind, "message": message}


def static(shape):
    """A shape of known extents in the form of an answer."""
    return [[int(extent), int(extent)] for extent in shape]


def interval(extent):
    """The (least, most) of an extent as requests and answers of ndcast write it; most is None without a bound.

    A symbol is any extent at all: only its bounds are compared.
    """
    if extent is None:
        return 0, None
    if isinstance(extent, int):
        return extent, extent
    if extent.startswith("<="):
        return 0, int(extent[2:])
    if ".." in extent:
        least, most = extent.split("..")
        return int(least or 0), int(most) if most else None
    return 0, None
