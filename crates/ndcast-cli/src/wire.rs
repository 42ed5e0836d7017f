//! Requests and answers as JSON: the contract that other tools rely on.
//!
//! A request is `{"rule":"xla.binary","shapes":[[4],[1,2]],"axes":[0]}`; its answer is
//! `{"ok":true,"shape":[4,2],"operands":[[0,null],[{"stretch":0},1]]}` or
//! `{"ok":false,"error":{"kind":"axes-order","message":"...", ...the facts}}`.
//! An extent is an integer, `null` (unknown), `"N"` (a symbol) or an interval such as `"2..5"`; a shape of
//! unknown rank is `null`.

use std::borrow::Cow;
use std::fmt;

use ndcast::shape::{
    Answer, Clash, Dim, Error, Fact, Party, Plan, Request, Shape, Source, parse_index,
    rule::{self, Need},
};
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// The answer to one line of requests, as one line without its end.
pub(crate) fn answer_line(line: &[u8]) -> String {
    let result = read(line).and_then(|request| request.answer().map_err(Refusal::Rule));
    to_json(&result)
}

/// The answer to a request, or why it is none, as one line without its end.
pub(crate) fn to_json(result: &Result<Answer, Refusal>) -> String {
    serde_json::to_string(&Line(result))
        .unwrap_or_else(|error| format!("{{\"ok\":false,\"error\":\"{error}\"}}"))
}

/// The same as a value.
pub(crate) fn to_value(result: &Result<Answer, Refusal>) -> serde_json::Value {
    serde_json::to_value(Line(result)).unwrap_or_default()
}

/// A request, as it could be asked again.
pub(crate) fn request_value(request: &Request) -> serde_json::Value {
    serde_json::to_value(Json(request)).unwrap_or_default()
}

/// Why a request has no answer.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The rule or a shape is at fault.
    Rule(Error),
    /// The line is no JSON, or a field is wrong.
    Malformed(serde_json::Error),
    /// The line is not UTF-8; the number is that of the good bytes before.
    NotUtf8(usize),
}

impl Refusal {
    fn kind(&self) -> &'static str {
        match self {
            Refusal::Rule(error) => error.kind().name(),
            Refusal::Malformed(_) => "malformed-request",
            Refusal::NotUtf8(_) => "not-utf8",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Rule(error) => error.fmt(f),
            Refusal::Malformed(error) => {
                // The reason may quote a value of any length.
                let reason = error.to_string();
                let end = reason.char_indices().nth(200).map_or(reason.len(), |(end, _)| end);
                let more = if end < reason.len() { "..." } else { "" };
                write!(f, "this is not a request: {}{more}", &reason[..end])
            }
            Refusal::NotUtf8(good) => write!(f, "this is not a request: the byte after {good} is not UTF-8"),
        }
    }
}

/// Reads one line.
fn read(line: &[u8]) -> Result<Request, Refusal> {
    let text = std::str::from_utf8(line).map_err(|error| Refusal::NotUtf8(error.valid_up_to()))?;
    if !text.trim_start().starts_with('{') {
        return Err(Refusal::Malformed(serde::de::Error::custom("a request is a JSON object on one line")));
    }
    let fields: Fields<'_> = serde_json::from_str(text).map_err(Refusal::Malformed)?;
    fields.into_request().map_err(Refusal::Rule)
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a request")]
struct Fields<'a> {
    #[serde(borrow)]
    rule: Cow<'a, str>,
    shapes: Vec<Extents>,
    #[serde(default, deserialize_with = "given")]
    target: Option<Extents>,
    axes: Option<Vec<i64>>,
    axis: Option<i64>,
    index: Option<String>,
}

/// A shape's extents as they stand in JSON; `None` is a shape of unknown rank.
type Extents = Option<Vec<Written>>;

/// A field that stands there, even if it is `null`.
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Extents>, D::Error> {
    Extents::deserialize(from).map(Some)
}

impl Fields<'_> {
    fn into_request(self) -> Result<Request, Error> {
        let rule = rule::find(&self.rule)?;
        // Where a target means nothing, null is no target; elsewhere it is one of unknown rank.
        let target = self.target.filter(|target| target.is_some() || rule.target != Need::Never);
        Ok(Request {
            rule,
            shapes: self.shapes.into_iter().map(to_shape).collect::<Result<_, _>>()?,
            target: target.map(to_shape).transpose()?,
            axes: self.axes,
            axis: self.axis,
            index: self.index.map(|index| parse_index(&index)).transpose()?,
        })
    }
}

fn to_shape(extents: Extents) -> Result<Shape, Error> {
    match extents {
        None => Ok(Shape::UNRANKED),
        Some(extents) => {
            extents.into_iter().map(Written::into_dim).collect::<Result<Vec<Dim>, _>>().map(Shape::from)
        }
    }
}

/// An extent as it stands in JSON.
enum Written {
    Null,
    Extent(usize),
    /// A name, an interval, or a number that is no extent.
    Text(String),
}

impl Written {
    fn into_dim(self) -> Result<Dim, Error> {
        match self {
            Written::Null => Ok(Dim::UNKNOWN),
            Written::Extent(extent) => Ok(Dim::Known(extent)),
            Written::Text(text) => text.parse(),
        }
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Written, D::Error> {
        struct AnyExtent;
        impl Visitor<'_> for AnyExtent {
            type Value = Written;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an extent: an integer, null, \"N\" or \"2..5\"")
            }

            fn visit_unit<E>(self) -> Result<Written, E> {
                Ok(Written::Null)
            }

            fn visit_u64<E>(self, extent: u64) -> Result<Written, E> {
                // Too large a number is told so by the one parser of extents.
                Ok(match usize::try_from(extent) {
                    Ok(extent) if extent <= ndcast::shape::MAX_EXTENT => Written::Extent(extent),
                    _ => Written::Text(extent.to_string()),
                })
            }

            fn visit_i64<E>(self, extent: i64) -> Result<Written, E> {
                Ok(Written::Text(extent.to_string()))
            }

            fn visit_f64<E>(self, extent: f64) -> Result<Written, E> {
                // Integers beyond 64 bits arrive here too. The one parser of extents says what is wrong.
                let integer = extent.fract() == 0.0 && extent.abs() >= 9e18;
                Ok(Written::Text(if integer { format!("{extent:.0}") } else { format!("{extent:?}") }))
            }

            fn visit_str<E>(self, text: &str) -> Result<Written, E> {
                Ok(Written::Text(text.to_owned()))
            }
        }
        from.deserialize_any(AnyExtent)
    }
}

struct Line<'a>(&'a Result<Answer, Refusal>);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("ok", &self.0.is_ok())?;
        match self.0 {
            Ok(answer) => {
                map.serialize_entry("shape", &Json(answer.shape()))?;
                map.serialize_entry("operands", &answer.plan().map(Json))?;
            }
            Err(refusal) => map.serialize_entry("error", &Json(refusal))?,
        }
        map.end()
    }
}

/// A value of the algebra as JSON.
struct Json<'a, T>(&'a T);

impl Serialize for Json<'_, Request> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let request = self.0;
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("rule", request.rule.name)?;
        map.serialize_entry("shapes", &request.shapes.iter().map(Json).collect::<Vec<_>>())?;
        if let Some(target) = &request.target {
            map.serialize_entry("target", &Json(target))?;
        }
        if let Some(axes) = &request.axes {
            map.serialize_entry("axes", axes)?;
        }
        if let Some(axis) = request.axis {
            map.serialize_entry("axis", &axis)?;
        }
        if let Some(index) = &request.index {
            let parts: Vec<String> = index.iter().map(ToString::to_string).collect();
            map.serialize_entry("index", &parts.join(", "))?;
        }
        map.end()
    }
}

impl Serialize for Json<'_, Refusal> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("kind", self.0.kind())?;
        map.serialize_entry("message", &self.0.to_string())?;
        match self.0 {
            Refusal::Rule(error) => {
                for (name, fact) in error.facts() {
                    map.serialize_entry(name, &Json(&fact))?;
                }
            }
            Refusal::Malformed(error) => map.serialize_entry("column", &error.column())?,
            Refusal::NotUtf8(good) => map.serialize_entry("column", &(good + 1))?,
        }
        map.end()
    }
}

impl Serialize for Json<'_, Fact> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Fact::Number(n) => n.serialize(to),
            Fact::Numbers(ns) => ns.serialize(to),
            Fact::Extent(dim) => Json(dim).serialize(to),
            Fact::Shape(shape) => Json(shape).serialize(to),
            Fact::Shapes(shapes) => to.collect_seq(shapes.iter().map(Json)),
            Fact::Text(text) => text.serialize(to),
            Fact::Texts(texts) => texts.serialize(to),
            Fact::Clash(clash) => Json(clash).serialize(to),
        }
    }
}

impl Serialize for Json<'_, Clash> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Found<'a> {
            operand: serde_json::Value,
            axis: usize,
            extent: Json<'a, Dim>,
        }
        let found = self.0.found.iter().map(|found| Found {
            operand: match found.party {
                Party::Operand(operand) => operand.into(),
                Party::Target => "target".into(),
                Party::Selection => "selection".into(),
            },
            axis: found.axis,
            extent: Json(&found.extent),
        });
        to.collect_seq(found)
    }
}

impl Serialize for Json<'_, Shape> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0.dims() {
            None => to.serialize_none(),
            Some(dims) => to.collect_seq(dims.iter().map(Json)),
        }
    }
}

impl Serialize for Json<'_, Dim> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Dim::Known(extent) => extent.serialize(to),
            Dim::Symbol(symbol) => symbol.name().serialize(to),
            dim if *dim == Dim::UNKNOWN => to.serialize_none(),
            interval => to.collect_str(interval),
        }
    }
}

impl Serialize for Json<'_, Plan<Dim>> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut operands = to.serialize_seq(Some(self.0.operand_count()))?;
        for sources in self.0.operands() {
            operands.serialize_element(&Sources(sources))?;
        }
        operands.end()
    }
}

struct Sources<'a>(&'a [Source]);

impl Serialize for Sources<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(Json))
    }
}

impl Serialize for Json<'_, Source> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let named = |name: &str, axis: &usize, to: S| {
            let mut map = to.serialize_map(Some(1))?;
            map.serialize_entry(name, axis)?;
            map.end()
        };
        match self.0 {
            Source::Axis(axis) => axis.serialize(to),
            Source::New => to.serialize_none(),
            Source::Stretched(axis) => named("stretch", axis, to),
            Source::Undecided(axis) => named("undecided", axis, to),
        }
    }
}
