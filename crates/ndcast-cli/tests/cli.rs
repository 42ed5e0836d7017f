//! Whole outputs of the command: the files in `tests/cli`, and the examples in the README.
//!
//! After a wanted change, `TRYCMD=overwrite cargo test -p ndcast-cli --test cli` writes them anew; read the
//! difference before you keep it.

#[test]
fn outputs() {
    trycmd::TestCases::new().case("tests/cli/*.trycmd").case("../../README.md");
}
