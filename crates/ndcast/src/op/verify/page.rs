//! The table of operations in the documentation is that of their records.

use crate::op::{Argument, Op};

/// The table.
fn page() -> String {
    let mut page =
        "| operation | what it computes | takes | floats are | example |\n|---|---|---|---|---|\n".to_owned();
    for op in Op::ALL {
        let record = op.record();
        let argument = |argument: &Argument| match argument.default {
            Some(default) => format!("{}={default}", argument.name),
            None => argument.name.to_owned(),
        };
        let takes: Vec<String> = record.arguments.iter().map(argument).collect();
        let [summary, accuracy] = [record.summary, record.accuracy].map(|text| text.replace('|', "\\|"));
        let example = record.examples.first().map_or(String::new(), |example| format!("`{example}`"));
        page +=
            &format!("| `{}` | {summary} | {} | {accuracy} | {example} |\n", record.name, takes.join(", "));
    }
    page
}

#[test]
fn the_page_is_as_the_records() {
    assert!(
        include_str!("../operations.md") == page(),
        "op/operations.md is another; write it with: cargo test -p ndcast --lib write_the_page -- --ignored"
    );
}

#[test]
#[ignore = "it writes the page"]
fn write_the_page() {
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/op/operations.md"), page()).unwrap();
}
