//! The invariants of ARCHITECTURE.md that a test can hold: who imports whom, where unsafe code lives, how long
//! files are, what every file begins with.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says what must hold")]

use std::fs;
use std::path::{Path, PathBuf};

/// Files that may hold unsafe code, with the reason.
const UNSAFE: [(&str, &str); 23] = [
    ("crates/ndcast/src/block.rs", "memory is asked for, viewed and given back"),
    ("crates/ndcast/src/array/lent.rs", "a test lends memory"),
    ("crates/ndcast-python/src/buffer.rs", "Python's buffer protocol is one of pointers"),
    ("crates/ndcast-python/src/dlpack.rs", "DLPack is structures of C"),
    ("crates/ndcast-python/src/memory.rs", "another object's memory is looked at"),
    ("crates/ndcast/src/simd.rs", "a function for more instructions than the baseline is called"),
    (
        "crates/ndcast/src/simd/together.rs",
        "slices that were found long enough are read without asking again; a block is written before it is read",
    ),
    (
        "crates/ndcast/src/simd/stores.rs",
        "stores past the cache begin on a line of it; memory aside is written before it is read",
    ),
    ("crates/ndcast/src/simd/shuffle.rs", "stores past the cache begin on a line of it"),
    ("crates/ndcast/src/engine/target.rs", "a result is parted among threads"),
    ("crates/ndcast/src/engine/threads.rs", "workers borrow what the caller owns"),
    ("crates/ndcast/src/engine/matmul.rs", "the crate for products takes pointers; its parts do not overlap"),
    ("crates/ndcast/src/engine/map.rs", "its parts of a result do not overlap"),
    ("crates/ndcast/src/engine/reduce.rs", "its parts of a result do not overlap"),
    ("crates/ndcast/src/engine/reduce/across.rs", "its parts of a result do not overlap"),
    ("crates/ndcast/src/engine/reduce/runs.rs", "its parts of a result do not overlap"),
    ("crates/ndcast/src/engine/scan.rs", "its parts of a result do not overlap"),
    ("crates/ndcast/src/engine/vectors.rs", "its parts of a result do not overlap"),
    ("crates/ndcast/src/array/evaluate/band.rs", "its parts of a result do not overlap"),
    ("crates/ndcast/src/convert/whole_part.rs", "floats within the limits of an integer become one"),
    ("crates/ndcast/src/format/data/source.rs", "a file is mapped into memory"),
    ("bench/src/stores.rs", "stores past the cache, to measure the machine"),
    ("bench/src/peer.rs", "outputs of the peers that are not zeroed before they are filled"),
];

/// The modules of each crate in their order: one may import those before it, never those after it.
const ORDER: [(&str, &[&str]); 2] = [
    (
        "crates/ndcast-shape/src",
        &[
            "extent", "nearest", "shape", "align", "plan", "unify", "index", "error", "parse", "rule",
            "explain", "oracle",
        ],
    ),
    (
        "crates/ndcast/src",
        &[
            "dtype",
            "promote",
            "layout",
            "block",
            "buffer",
            "error",
            "simd",
            "math",
            "element",
            "kernel",
            "convert",
            "tensor",
            "engine",
            "op",
            "reduction",
            "array",
            "display",
            "exchange",
            "notation",
            "graph",
            "dialect",
            "format",
        ],
    ),
];

/// Which crates of the workspace each may depend on.
const MAY_DEPEND: [(&str, &[&str]); 4] = [
    ("ndcast-shape", &[]),
    ("ndcast", &["ndcast-shape"]),
    ("ndcast-cli", &["ndcast"]),
    ("ndcast-python", &["ndcast"]),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every file below a folder that ends so, but for build products.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(files(&path, ending));
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<(String, String)> {
    let root = root();
    let named = |path: PathBuf| {
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        (name, fs::read_to_string(&path).unwrap())
    };
    let sources: Vec<_> = files(&root, ".rs").into_iter().map(named).collect();
    assert!(sources.len() > 20, "the tree was not found");
    sources
}

fn none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}

/// The modules of the crate that a file names, but for its tests, which may look anywhere.
fn imported(text: &str) -> Vec<String> {
    let mut code = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            // Tests within the file stand last; of those in a file of their own there is a line.
            match lines.next() {
                Some(line) if line.ends_with('{') => break,
                _ => continue,
            }
        }
        if !line.trim().starts_with("//") {
            code.push_str(line);
        }
    }
    let word = |text: &str| -> String {
        text.trim().chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
    };
    let named = code.split("crate::").skip(1).flat_map(|behind| match behind.strip_prefix('{') {
        None => vec![word(behind)],
        // Of what stands in braces within braces, the names are other modules' own.
        Some(list) => list.split('}').next().unwrap_or_default().split(',').map(word).collect(),
    });
    named.collect()
}

#[test]
fn what_is_imported() {
    let text = "//! crate::a\nuse crate::b::{C, D};\n#[cfg(test)]\nmod tests;\nuse crate::{e, f::G};\nlet x = crate::h();\n\
                #[cfg(test)]\nmod tests {\n    use crate::i;\n}\n";
    assert_eq!(imported(text), ["b", "e", "f", "h"]);
}

#[test]
fn imports_go_one_way() {
    let mut wrong = vec![];
    for (name, text) in sources() {
        for (folder, order) in ORDER {
            let inside = name.strip_prefix(folder).map_or("lib", |inside| inside.trim_start_matches('/'));
            let own = inside.split(['/', '.']).next().unwrap();
            if own == "lib" || own == "main" {
                continue;
            }
            let place = order.iter().position(|module| *module == own);
            let Some(place) = place else { panic!("{name}: tidy does not know where this module stands") };
            for module in imported(&text) {
                // What the oracle is for is tests alone.
                let mut later = order[place + 1..].iter().chain(["oracle"].iter());
                if module != own && later.any(|later| *later == module) {
                    wrong.push(format!("{name}: crate::{module}"));
                }
            }
        }
    }
    none("imports against the direction", &wrong);
}

#[test]
fn crates_depend_one_way() {
    let mut wrong = vec![];
    for path in files(&root().join("crates"), "Cargo.toml") {
        let text = fs::read_to_string(&path).unwrap();
        let own = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        let (_, allowed) =
            MAY_DEPEND.iter().find(|(name, _)| *name == own).expect("a crate that tidy does not know");
        for line in text.lines().filter(|line| line.starts_with("ndcast")) {
            let dependency = line.split([' ', '=', '.']).next().unwrap();
            // A crate's own tests may ask for its features.
            if dependency != own && !allowed.contains(&dependency) {
                wrong.push(format!("{own} depends on {dependency}"));
            }
        }
    }
    none("dependencies against the direction", &wrong);
}

#[test]
fn the_algebra_has_no_dependencies() {
    let text = fs::read_to_string(root().join("crates/ndcast-shape/Cargo.toml")).unwrap();
    assert!(!text.contains("\n[dependencies]"), "crates/ndcast-shape has dependencies");
    let lib = fs::read_to_string(root().join("crates/ndcast-shape/src/lib.rs")).unwrap();
    assert!(lib.contains("#![forbid(unsafe_code)]"));
}

#[test]
fn unsafe_code_is_where_it_is_listed() {
    let allowed = |name: &str| UNSAFE.iter().any(|(file, _)| *file == name);
    // Spelled in two parts, so that this line is not one of those it looks for.
    let words = [
        concat!("unsafe", " {"),
        concat!("unsafe", " fn"),
        concat!("unsafe", " impl"),
        concat!("allow(unsafe", "_code"),
    ];
    let uses = |text: &str| words.iter().any(|word| text.contains(word));
    let wrong =
        sources().into_iter().filter(|(name, text)| uses(text) && !allowed(name)).map(|(name, _)| name);
    none("unsafe code outside the listed files", &wrong.collect::<Vec<_>>());
}

#[test]
fn files_are_short_and_say_what_they_are() {
    let long = |(name, text): &(String, String)| {
        (text.lines().count() > 500).then(|| format!("{name}: {}", text.lines().count()))
    };
    none("files of more than 500 lines", &sources().iter().filter_map(long).collect::<Vec<_>>());
    let silent = |(name, text): &(String, String)| (!text.starts_with("//! ")).then(|| name.clone());
    none(
        "files that do not begin with what they are",
        &sources().iter().filter_map(silent).collect::<Vec<_>>(),
    );
}

#[test]
fn no_grab_bags() {
    let bags = ["util", "utils", "helper", "helpers", "misc", "common"];
    let stem = |name: &str| Path::new(name).file_stem().unwrap().to_string_lossy().into_owned();
    let found =
        sources().into_iter().map(|(name, _)| name).filter(|name| bags.contains(&stem(name).as_str()));
    none("files whose name says nothing", &found.collect::<Vec<_>>());
}

#[test]
fn every_page_that_architecture_names_exists() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let quoted = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| word.contains('/') && !word.contains([' ', '*', '{', '<']));
    let missing = quoted.filter(|path| !root().join(path).exists() && !path.starts_with("target/"));
    none("ARCHITECTURE.md names what is not there", &missing.map(str::to_owned).collect::<Vec<_>>());
}
