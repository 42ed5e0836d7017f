//! The README's Python example prints what the README says, and its table has every kind of error. (Its Rust example is a doc test, those of the
//! shell are run by the command's own tests.)

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says what must hold")]

use std::path::Path;
use std::process::Command;

/// The first fenced block of a language, and what follows it.
fn block<'a>(text: &'a str, language: &str) -> (&'a str, &'a str) {
    let start = format!("```{language}\n");
    let (_, rest) = text.split_once(&start).unwrap_or_else(|| panic!("no block of {language}"));
    rest.split_once("```\n").unwrap()
}

#[test]
fn the_python_example_prints_what_is_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let (code, rest) = block(&readme, "python");
    let (shown, _) = block(rest, "text");
    let command = Path::new(env!("CARGO_BIN_EXE_ndcast")).parent().unwrap();
    let path = format!("{}:{}", command.display(), std::env::var("PATH").unwrap());
    let output = Command::new("python3").args(["-c", code]).env("PATH", path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), shown);
}

#[test]
fn the_table_has_every_kind() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    for kind in ndcast::shape::Kind::NAMES.iter().chain(&["malformed-request", "not-utf8"]) {
        assert!(readme.contains(&format!("`{kind}`")), "{kind}");
    }
}
