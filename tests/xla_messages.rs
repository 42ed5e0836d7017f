//! What the real XlaBuilder says when a check fails, for the tests of the results in `cases/xla_binary.jsonl`.

/// A part of the message, and the kind of error that it is here.
pub(crate) const KINDS: [(&str, &str); 8] = [
    ("Broadcast dimensions field must either", "axes-identity"),
    ("Shapes must be equal rank", "rank-mismatch"),
    ("mismatch:", "extent-mismatch"),
    ("incompatible shapes", "extent-mismatch"),
    ("Size of broadcast_dimensions", "axes-count"),
    ("order is wrong", "axes-order"),
    ("too large", "axis-out-of-range"),
    ("cannot be negative", "axis-negative"),
];
