//! `ndcast explain --jsonl` with lines that are no requests, and as a partner in a conversation.

#![allow(clippy::unwrap_used, reason = "a test says what must hold")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

fn start() -> Child {
    Command::new(env!("CARGO_BIN_EXE_ndcast"))
        .args(["explain", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn answers(input: &[u8]) -> Vec<Value> {
    let mut command = start();
    let mut stdin = command.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap());
    let output = command.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(output.status.code(), Some(0));
    output
        .stdout
        .split(|&byte| byte == b'\n')
        .filter(|l| !l.is_empty())
        .map(|l| serde_json::from_slice(l).unwrap())
        .collect()
}

const GOOD: &str = r#"{"rule":"array-api","shapes":[[2,1],[3]]}"#;

/// Each of these lines gets an error of this kind, and the good lines around it get their answers.
#[test]
fn a_bad_line_spoils_no_other() {
    let deep = "[".repeat(100_000);
    let nested = format!(r#"{{"rule":"array-api","shapes":{deep}"#);
    let many =
        format!(r#"{{"rule":"array-api","shapes":[[{}]],"axes":[0]}}"#, vec!["1"; 1_000_000].join(","));
    let lines: [(&[u8], &str); 19] = [
        (b"", "malformed-request"),
        (b"   ", "malformed-request"),
        (b"{", "malformed-request"),
        (b"null", "malformed-request"),
        (b"[]", "malformed-request"),
        (b"{}", "malformed-request"),
        (br#"{"rule":"array-api"}"#, "malformed-request"),
        (br#"{"rule":3,"shapes":[]}"#, "malformed-request"),
        (br#"{"rule":"array-api","shapes":3}"#, "malformed-request"),
        (br#"{"rule":"array-api","shapes":[[1]]} trailing"#, "malformed-request"),
        (br#"{"rule":"array-api","shapes":[[1]],"axess":[0]}"#, "malformed-request"),
        (br#"{"rule":"xla.binary","shapes":[[1],[1]],"axes":[0.5]}"#, "malformed-request"),
        (br#"{"rule":"xla.binary","shapes":[[1],[1]],"axes":[99999999999999999999]}"#, "malformed-request"),
        (b"{\"rule\":\"array-api\",\"shapes\":[[\"\xff\"]]}", "not-utf8"),
        (b"\x00\x01", "malformed-request"),
        (nested.as_bytes(), "malformed-request"),
        (br#"{"rule":"array-api","shapes":[[-1]]}"#, "negative-extent"),
        (br#"{"rule":"array-api","shapes":[[1e30]]}"#, "extent-too-large"),
        (many.as_bytes(), "axes-unexpected"),
    ];
    let mut input = vec![];
    for (line, _) in lines {
        input.extend_from_slice(line);
        input.push(b'\n');
        input.extend_from_slice(GOOD.as_bytes());
        input.extend_from_slice(b"\r\n");
    }
    let answers = answers(&input);
    assert_eq!(answers.len(), 2 * lines.len());
    for (pair, (line, kind)) in answers.chunks(2).zip(lines) {
        let shown = String::from_utf8_lossy(&line[..line.len().min(80)]);
        assert_eq!(pair[0]["error"]["kind"], kind, "{shown}: {}", pair[0]);
        assert!(pair[0]["error"]["message"].as_str().unwrap().len() < 400, "{shown}");
        assert_eq!(pair[1]["shape"], serde_json::json!([2, 3]));
    }
}

#[test]
fn the_last_line_needs_no_end() {
    assert_eq!(answers(GOOD.as_bytes()).len(), 1);
    assert_eq!(answers(b"").len(), 0);
}

/// Who asks one thing at a time gets each answer before the next question.
#[test]
fn answers_do_not_wait_for_more_questions() {
    let mut command = start();
    let mut stdin = command.stdin.take().unwrap();
    let mut stdout = BufReader::new(command.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(stdin, "{GOOD}").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(line.starts_with(r#"{"ok":true,"shape":[2,3]"#), "{line}");
    }
    drop(stdin);
    assert!(command.wait().unwrap().success());
}

/// A reader that goes away is no error.
#[test]
fn a_closed_pipe_is_no_error() {
    let mut command = start();
    drop(command.stdout.take());
    let mut stdin = command.stdin.take().unwrap();
    for _ in 0..10_000 {
        if writeln!(stdin, "{GOOD}").is_err() {
            break;
        }
    }
    drop(stdin);
    assert_eq!(command.wait().unwrap().code(), Some(0));
}

/// Nor does it change what the answer is.
#[test]
fn a_closed_pipe_does_not_hide_the_answer() {
    for (shapes, status) in [(["3", "3"], 0), (["3", "4"], 1)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ndcast"))
            .args(["explain", "array-api"])
            .args(shapes)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        drop(command.stdout.take());
        assert_eq!(command.wait().unwrap().code(), Some(status));
    }
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_a_usage_error() {
    use std::os::unix::ffi::OsStrExt;
    let bad = std::ffi::OsStr::from_bytes(b"\xff");
    for arguments in [&[bad][..], &["explain".as_ref(), "array-api".as_ref(), bad]] {
        let output = Command::new(env!("CARGO_BIN_EXE_ndcast")).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Operands times axes beyond what a plan may hold: an error for that line alone.
#[test]
fn a_plan_that_is_too_large() {
    let scalars = vec!["[]"; 20_000].join(",");
    let line = format!(r#"{{"rule":"array-api","shapes":[[{}],{scalars}]}}"#, vec!["1"; 20_000].join(","));
    let answers = answers(format!("{line}\n{GOOD}\n").as_bytes());
    assert_eq!(answers[0]["error"]["kind"], "plan-too-large", "{}", answers[0]["error"]["message"]);
    assert_eq!(answers[1]["ok"], true);
}
