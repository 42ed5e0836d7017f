//! The README's Python example and the commands before a block of text print what the README says, and the table of the
//! JSON has every kind of error. (Its Rust examples are doc tests, its `console` blocks are run by the command's own tests.)

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
    assert_eq!(output("python3", code), shown);
}

/// A command of the shell, where `ndcast` is the one that was built.
fn output(program: &str, code: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let command = Path::new(env!("CARGO_BIN_EXE_ndcast")).parent().unwrap();
    let path = format!("{}:{}", command.display(), std::env::var("PATH").unwrap());
    let output =
        Command::new(program).args(["-c", code]).env("PATH", path).current_dir(root).output().unwrap();
    assert!(output.status.success(), "{code}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_commands_print_what_is_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let mut count = 0;
    for part in readme.split("```sh\n").skip(1) {
        let (code, rest) = part.split_once("```\n").unwrap();
        if let Some(shown) = rest.strip_prefix("\n```text\n") {
            let (shown, _) = shown.split_once("```\n").unwrap();
            assert_eq!(output("sh", code), shown, "{code}");
            count += 1;
        }
    }
    assert!(count >= 3, "{count} commands are shown with what they print");
}

#[test]
fn the_table_has_every_kind() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/json.md")).unwrap();
    for kind in ndcast::shape::Kind::NAMES.iter().chain(&["malformed-request", "not-utf8"]) {
        assert!(page.contains(&format!("`{kind}`")), "{kind}");
    }
}
