//! The tables under `cases/` through the builders: what each rule must answer, and 3000 results of the real XlaBuilder.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use ndcast::dialect::{hlo, xla};
use ndcast::error::ErrorKind;
use ndcast::graph::{Graph, Id};
use ndcast::shape::{Dim, Extent, Shape};
use ndcast::{DType, Error, Tensor};
use serde_json::Value;

use super::{kind, made};

#[path = "../../../../tests/xla_messages.rs"]
mod xla_messages;
use xla_messages::KINDS;

pub(crate) fn rows(table: &str) -> Vec<Value> {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(table).with_extension("jsonl");
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(crate) fn integers(list: &Value) -> Vec<i64> {
    list.as_array().map_or_else(Vec::new, |list| list.iter().map(|n| n.as_i64().unwrap()).collect())
}

fn dim(value: &Value) -> Dim {
    match value {
        Value::Null => Dim::UNKNOWN,
        Value::String(text) => text.parse().unwrap(),
        number => usize::try_from(number.as_u64().unwrap()).unwrap().into(),
    }
}

fn shape(value: &Value) -> Shape {
    value.as_array().map_or(Shape::UNRANKED, |dims| dims.iter().map(dim).collect())
}

fn s32(shape: &Value, numbers: &Value) -> Tensor {
    let extents = self::shape(shape).extents().unwrap();
    let numbers: Vec<i32> = integers(numbers).iter().map(|&n| i32::try_from(n).unwrap()).collect();
    Tensor::new(&extents, &numbers).unwrap()
}

/// A row's rule through the builder that has it; `None` if no builder says it so.
fn built(graph: &mut Graph, row: &Value, ids: &[Id]) -> Option<Result<Id, Error>> {
    let axes = integers(&row["axes"]);
    let target = || shape(&row["target"]);
    let sizes = || -> Option<Vec<i64>> { row["target"].as_array()?.iter().map(Value::as_i64).collect() };
    Some(match row["rule"].as_str().unwrap() {
        "xla.binary" => {
            let opcode = match row["values"]["op"].as_str() {
                Some("sub") => "subtract",
                Some("mul") => "multiply",
                Some("max") => "maximum",
                Some("min") => "minimum",
                _ => "add",
            };
            xla::Builder::new(graph).binary(opcode, ids[0], ids[1], &axes)
        }
        "xla.broadcast" => xla::Builder::new(graph).broadcast(ids[0], &sizes()?),
        "xla.broadcast-in-dim" => xla::Builder::new(graph).broadcast_in_dim(ids[0], &sizes()?, &axes),
        "hlo.broadcast" => hlo::Builder::new(graph).broadcast(ids[0], &target(), &axes),
        "hlo.select" => hlo::Builder::new(graph).select(ids[0], ids[1], ids[2]),
        "hlo.clamp" => hlo::Builder::new(graph).clamp(ids[0], ids[1], ids[2]),
        other => panic!("a rule that is not known here: {other}"),
    })
}

/// What is wrong with a row, if something is; how many were looked at by rule.
fn fault(row: &Value, seen: &mut BTreeMap<String, usize>) -> Option<String> {
    let mut graph = Graph::new();
    let mut ids = Vec::new();
    for (number, given) in row["shapes"].as_array()?.iter().enumerate() {
        let predicate = row["rule"] == "hlo.select" && number == 0;
        let dtype = if predicate { DType::Bool } else { DType::I32 };
        ids.push(graph.input(&format!("p{number}"), dtype, shape(given)).unwrap());
    }
    let result = built(&mut graph, row, &ids)?;
    *seen.entry(row["rule"].as_str()?.to_owned()).or_default() += 1;
    match (result, row["ok"].as_bool()?) {
        (Ok(id), true) => {
            let (found, expected) = (graph.node(id).unwrap().shape().clone(), shape(&row["shape"]));
            if !within(&found, &expected) {
                return Some(format!("it is {found}, and should be {expected}"));
            }
            if found != expected {
                *seen.entry("known better".to_owned()).or_default() += 1;
            }
            let values = row["values"].as_object()?;
            let inputs: Vec<Tensor> = row["shapes"]
                .as_array()?
                .iter()
                .zip(values["inputs"].as_array()?)
                .map(|(shape, numbers)| s32(shape, numbers))
                .collect();
            graph.output("result", id).unwrap();
            let out: Vec<i64> =
                graph.run(&inputs).unwrap()[0].to_vec::<i32>().unwrap().into_iter().map(i64::from).collect();
            (out != integers(&values["out"])).then(|| format!("the values are {out:?}"))
        }
        (Err(error), false) => {
            if row["kind"] != kind(&error) {
                return Some(format!("{} is not the kind of: {error}", row["kind"]));
            }
            // The facts that are plain numbers, by their names.
            let ErrorKind::Shape(inner) = error.kind() else { return None };
            let facts = inner.facts();
            for (name, expected) in row["facts"].as_object()? {
                let Some(expected) = expected.as_i64() else { continue };
                let found = facts.iter().any(|(fact, value)| {
                    fact == name && matches!(value, ndcast::shape::Fact::Number(n) if *n == expected)
                });
                let extent = facts.iter().any(|(fact, value)| {
                    fact == name
                        && matches!(value, ndcast::shape::Fact::Extent(dim) if *dim == dim_of(expected))
                });
                if !found && !extent {
                    return Some(format!("{name} is not {expected}: {error}"));
                }
            }
            None
        }
        (Ok(_), false) => Some("it is not refused".to_owned()),
        (Err(error), true) => Some(format!("it is refused: {error}")),
    }
}

/// Whether all that a shape says is said of another as well. A graph knows more than a rule where operands that are put
/// together must have one shape: 3 and ..3 are 3.
fn within(found: &Shape, expected: &Shape) -> bool {
    let (Some(found), Some(expected)) = (found.dims(), expected.dims()) else { return found == expected };
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(a, b)| a == b || a.meet(b).as_ref() == Some(a))
}

fn dim_of(extent: i64) -> Dim {
    Dim::Known(usize::try_from(extent).unwrap_or(usize::MAX))
}

#[test]
fn every_row_of_the_rules() {
    let mut seen = BTreeMap::new();
    let rows = rows("xla");
    let faults: Vec<String> = rows
        .iter()
        .filter_map(|row| fault(row, &mut seen).map(|fault| format!("{}\n    {fault}", row["clause"])))
        .collect();
    assert!(faults.is_empty(), "{} rows fail:\n  {}", faults.len(), faults.join("\n  "));
    assert!(seen.remove("known better").is_none_or(|count| count <= 5));
    let count: usize = seen.values().sum();
    assert!(seen.len() == 6 && count > 290, "{seen:?}");
}

#[test]
fn the_real_builder_agrees() {
    let rows = rows("xla_binary");
    assert_eq!(rows.len(), 3000);
    let mut faults = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let inputs = [s32(&row["lhs"], &row["a"]), s32(&row["rhs"], &row["b"])];
        let dimensions = integers(&row["dims"]);
        let found = made(&inputs, |xla, ids| {
            let (lhs, rhs) = (ids[0], ids[1]);
            match row["op"].as_str().unwrap() {
                "Add" => xla.add(lhs, rhs, &dimensions),
                "Sub" => xla.sub(lhs, rhs, &dimensions),
                "Mul" => xla.mul(lhs, rhs, &dimensions),
                "Max" => xla.max(lhs, rhs, &dimensions),
                _ => xla.min(lhs, rhs, &dimensions),
            }
        });
        let found = match found {
            Ok((shape, numbers)) => format!("{shape:?} {numbers:?}"),
            Err(error) => kind(&error).to_owned(),
        };
        let expected = match row["error"].as_str() {
            Some(error) => KINDS.iter().find(|(words, _)| error.contains(words)).unwrap().1.to_owned(),
            None => {
                #[allow(clippy::cast_precision_loss, reason = "they are small")]
                let numbers: Vec<f64> = integers(&row["out"]).iter().map(|&n| n as f64).collect();
                format!("{:?} {numbers:?}", integers(&row["shape"]))
            }
        };
        if found != expected {
            faults.push(format!("row {number}: {found}, and should be {expected}"));
        }
    }
    assert!(faults.is_empty(), "{} rows fail:\n  {}", faults.len(), faults.join("\n  "));
}
