//! Every row of `cases/` through the command: the answer, the plan's values, the error's kind and facts.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says what must hold")]

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use ndcast::shape::{Dim, Kind, oracle};
use serde_json::{Value, json};

#[path = "xla_messages.rs"]
mod xla_messages;
use xla_messages::KINDS;

const TABLES: [&str; 7] = ["array_api", "onnx", "openvino", "ngraph", "xla", "stablehlo", "request"];

fn rows(table: &str) -> Vec<Value> {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(table).with_extension("jsonl");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

/// The answers of `ndcast explain --jsonl`.
fn ask(requests: &[Value]) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ndcast"))
        .args(["explain", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = command.stdin.take().unwrap();
    let text: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let output = command.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), requests.len());
    answers
}

/// The fields of a row that are the request.
fn request(row: &Value) -> Value {
    const FIELDS: [&str; 6] = ["rule", "shapes", "target", "axes", "axis", "index"];
    let fields = row.as_object().unwrap().iter().filter(|(name, _)| FIELDS.contains(&name.as_str()));
    Value::Object(fields.map(|(name, value)| (name.clone(), value.clone())).collect())
}

/// Extents in their one spelling.
fn spelled(shape: &Value) -> Value {
    let dim = |dim: &Value| {
        dim.as_str().map_or_else(|| dim.clone(), |text| text.parse::<Dim>().unwrap().to_string().into())
    };
    shape.as_array().map_or(Value::Null, |dims| dims.iter().map(dim).collect())
}

fn numbers(list: &Value) -> Vec<usize> {
    list.as_array().unwrap().iter().map(|n| usize::try_from(n.as_u64().unwrap()).unwrap()).collect()
}

fn integers(list: &Value) -> Vec<i64> {
    list.as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect()
}

/// What an answer's plan makes of the operands' numbers, by the definition.
fn compute(op: Option<&str>, shapes: &Value, inputs: &[Vec<i64>], answer: &Value) -> Vec<i64> {
    let result = numbers(&answer["shape"]);
    let read = |(operand, input): (usize, &Vec<i64>)| -> Vec<i64> {
        let shape = numbers(&shapes[operand]);
        let mut map = vec![usize::MAX; shape.len()];
        for (axis, source) in answer["operands"][operand].as_array().unwrap().iter().enumerate() {
            let own = source.as_u64().or(source["stretch"].as_u64());
            if let Some(own) = own {
                map[usize::try_from(own).unwrap()] = axis;
            }
        }
        oracle::gather(&shape, &result, &map).unwrap().into_iter().map(|position| input[position]).collect()
    };
    let operands: Vec<Vec<i64>> = inputs.iter().enumerate().map(read).collect();
    let join = |a: i64, b: i64| match op.unwrap() {
        "add" | "Add" => a + b,
        "sub" | "Sub" => a - b,
        "mul" | "Mul" => a * b,
        "min" | "Min" => a.min(b),
        "max" | "Max" => a.max(b),
        other => panic!("no op {other}"),
    };
    let elementwise = |a: Vec<i64>, b: &Vec<i64>| a.iter().zip(b).map(|(&a, &b)| join(a, b)).collect();
    operands[1..].iter().fold(operands[0].clone(), elementwise)
}

/// What is wrong with an answer to a row, if something is.
fn check(row: &Value, answer: &Value) -> Result<(), String> {
    let expect = |name: &str, found: &Value, expected: &Value| {
        if found == expected { Ok(()) } else { Err(format!("{name}: found {found}, expected {expected}")) }
    };
    expect("ok", &answer["ok"], &row["ok"])?;
    if row["ok"] == json!(false) {
        expect("kind", &answer["error"]["kind"], &row["kind"])?;
        for (name, fact) in row["facts"].as_object().into_iter().flatten() {
            expect(name, &answer["error"][name], fact)?;
        }
        return Ok(());
    }
    expect("shape", &spelled(&answer["shape"]), &spelled(&row["shape"]))?;
    if let Some(operands) = row.get("operands") {
        expect("operands", &answer["operands"], operands)?;
    }
    if let Some(values) = row.get("values") {
        let inputs: Vec<Vec<i64>> = values["inputs"].as_array().unwrap().iter().map(integers).collect();
        let out = compute(values["op"].as_str(), &row["shapes"], &inputs, answer);
        expect("values", &json!(out), &values["out"])?;
    }
    Ok(())
}

#[test]
fn every_row_holds() {
    let mut failures = vec![];
    for table in TABLES {
        let rows = rows(table);
        let answers = ask(&rows.iter().map(request).collect::<Vec<_>>());
        for (line, (row, answer)) in rows.iter().zip(&answers).enumerate() {
            if let Err(what) = check(row, answer) {
                failures.push(format!(
                    "{table}.jsonl:{} {}\n    {}\n    {what}",
                    line + 1,
                    row["clause"],
                    request(row)
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{} rows fail:\n{}", failures.len(), failures.join("\n"));
}

/// 3000 results of the real XlaBuilder: success, shape, values, and which check failed.
#[test]
fn xla_builder_agrees() {
    let rows = rows("xla_binary");
    assert_eq!(rows.len(), 3000);
    let to_request =
        |row: &Value| json!({"rule": "xla.binary", "shapes": [row["lhs"], row["rhs"]], "axes": row["dims"]});
    let requests: Vec<Value> = rows.iter().map(to_request).collect();
    for ((row, request), answer) in rows.iter().zip(&requests).zip(ask(&requests)) {
        assert_eq!(answer["ok"], row["ok"], "{request}");
        if let Some(error) = row["error"].as_str() {
            let kind = KINDS.iter().find(|(words, _)| error.contains(words)).unwrap().1;
            assert_eq!(answer["error"]["kind"], kind, "{request}: {error}");
            continue;
        }
        assert_eq!(answer["shape"], row["shape"], "{request}");
        let inputs = [integers(&row["a"]), integers(&row["b"])];
        let out = compute(row["op"].as_str(), &request["shapes"], &inputs, &answer);
        assert_eq!(out, integers(&row["out"]), "{request}");
    }
}

#[test]
fn every_rule_and_every_kind_has_rows() {
    // These cannot be written as a row: a list of axes is not text in JSON; and a row would have to be huge.
    const ELSEWHERE: [&str; 2] = ["malformed-axes", "plan-too-large"];
    let all: Vec<Value> = TABLES.iter().flat_map(|table| rows(table)).collect();
    for rule in ndcast::shape::rule::ALL {
        for ok in [true, false] {
            let found = all.iter().any(|row| row["rule"] == rule.name && row["ok"] == ok);
            assert!(found, "no row where {} is {ok}", rule.name);
        }
    }
    for kind in Kind::NAMES.iter().filter(|kind| !ELSEWHERE.contains(kind)) {
        assert!(all.iter().any(|row| row["kind"] == **kind), "no row of kind {kind}");
    }
}
