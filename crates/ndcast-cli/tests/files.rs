//! Files that the command writes, and what becomes of them when it is interrupted; pipes that nobody reads; scripts for
//! shells.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says what must hold")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ndcast::format::data;
use ndcast::{Array, DType};

fn ndcast() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ndcast"))
}

/// A folder of this test's own, which is empty.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("ndcast-cli-{name}-{}", std::process::id()));
    // It may be there from a run that failed.
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir(&path).unwrap();
    path
}

/// Folders may be called `run=1`, and so may inputs.
#[test]
fn paths_with_an_equals_sign() {
    let folder = folder("equals");
    std::fs::create_dir(folder.join("run=1")).unwrap();
    let array = Array::iota(3, DType::F32).eval().unwrap();
    data::save(folder.join("run=1/x.npy"), &[(String::new(), array)]).unwrap();
    let mut graph = ndcast::graph::Graph::new();
    let x = graph.input("a=b", DType::F32, "3".parse().unwrap()).unwrap();
    let y = graph.apply(ndcast::Op::Negative, &[x]).unwrap();
    graph.output("y=", y).unwrap();
    std::fs::write(folder.join("m.graph"), graph.to_string()).unwrap();
    for arguments in [
        &["eval", "-x", "x=run=1/x.npy", "-o", "run=1/y.npy"][..],
        &["run", "m.graph", "--input", "a=b=run=1/x.npy", "--output", "y==run=1/y.npy"],
        &["run", "m.graph", "--input", "0=run=1/x.npy", "--output", "0=run=1/y.npy"],
    ] {
        let output = ndcast().current_dir(&folder).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        let written = data::open(folder.join("run=1/y.npy")).unwrap();
        assert_eq!(written[0].1.to_vec::<f32>().unwrap(), [0.0, -1.0, -2.0], "{arguments:?}");
        std::fs::remove_file(folder.join("run=1/y.npy")).unwrap();
    }
    // What is wrong with one file is said before another is written.
    let wrong = ["run", "m.graph", "--random", "--output", "0=run=1/y.npy", "--output", "0=z.txt"];
    let output = ndcast().current_dir(&folder).args(wrong).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("z.txt: a file of tensors ends in .npy, .npz or .safetensors"), "{text}");
    assert!(!folder.join("run=1/y.npy").exists());
    let twice = ["run", "m.graph", "--random", "--output", "0=y.npy", "--output", "0=./y.npy"];
    let output = ndcast().current_dir(&folder).args(twice).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(text, "error: two outputs would be written to ./y.npy\n");
    // An array without a name, and one of another type.
    let nameless = ["run", "m.graph", "--inputs", "run=1/x.npy"];
    let output = ndcast().current_dir(&folder).args(nameless).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("one array without a name: give it with --input NAME=run=1/x.npy"), "{text}");
    let wide = Array::iota(3, DType::F64).eval().unwrap();
    data::save(folder.join("wide.npy"), &[(String::new(), wide)]).unwrap();
    let output =
        ndcast().current_dir(&folder).args(["run", "m.graph", "--input", "0=wide.npy"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let hint = "the input a=b is f32, and f64 was given; convert it first, with ndcast eval 'x.astype(f32)' x=FILE -o NEW.npy";
    assert!(text.contains(hint), "{text}");
    // What is said to be done can be.
    let converted = ["eval", "x.astype(f32)", "x=wide.npy", "-o", "short.npy"];
    assert!(ndcast().current_dir(&folder).args(converted).status().unwrap().success());
    let run = ["run", "m.graph", "--input", "0=short.npy"];
    assert!(ndcast().current_dir(&folder).args(run).status().unwrap().success());
    std::fs::remove_dir_all(folder).unwrap();
}

/// Where one of a model's two files cannot be written, the other is not.
#[test]
fn a_model_is_not_written_by_half() {
    let folder = folder("half");
    std::fs::write(folder.join("m.graph"), "%0 = input \"x\" dtype=f32 shape=3\noutput \"y\" = %0\n")
        .unwrap();
    for (name, other) in [("a.xml", "a.bin"), ("b.bin", "b.xml")] {
        std::fs::create_dir(folder.join(name)).unwrap();
        let to = Path::new(name).with_extension("xml");
        let output = ndcast().current_dir(&folder).args(["convert", "m.graph"]).arg(&to).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            (output.status.code(), text.as_str()),
            (Some(1), &*format!("error: at {name}: is a directory\n"))
        );
        assert!(!folder.join(other).exists(), "{other}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// A file that is replaced leaves its permissions; a link to it stays.
#[cfg(unix)]
#[test]
fn what_is_replaced_leaves_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("replaced");
    let (file, link) = (folder.join("own.npy"), folder.join("link.npy"));
    std::fs::write(&file, "").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink("own.npy", &link).unwrap();
    let eval = ["eval", "arange(3)", "-o", "link.npy"];
    assert!(ndcast().current_dir(&folder).args(eval).status().unwrap().success());
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(data::open(&file).unwrap()[0].1.to_vec::<i64>().unwrap(), [0, 1, 2]);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    std::fs::remove_dir_all(folder).unwrap();
}

/// A result of 16 MB under a limit of 4 MiB is, byte for byte, that of no limit.
#[test]
fn results_larger_than_memory() {
    let folder = folder("large");
    let save = |name: &str, array: Array| {
        data::save(folder.join(name), &[(String::new(), array.eval().unwrap())]).unwrap();
    };
    save("a.npy", (Array::iota(4000, DType::F64) * 0.37).sin().reshape(&[4000, 1]));
    save("b.npy", (Array::iota(500, DType::F64) * 0.73).cos());
    let expressions = [
        "a * b + exp(b)",
        "(a * b - (a * b).mean(axis=0)) / (2 + a * b).std(axis=1, keepdims=True)",
        "(a + b)[::-1].reshape(2000, 1000).astype(float64)",
        "cumulative_sum(concat([a * b, sort(a + b, axis=1)], axis=1), axis=0)[:, ::2]",
        "(a * b[:40]) @ (b[:40, None] + b)",
    ];
    for expression in expressions {
        let written = |output: &str, memory: &[&str]| {
            let ran = ndcast()
                .current_dir(&folder)
                .args(["eval", expression, "a=a.npy", "b=b.npy", "-o", output])
                .args(memory)
                .output()
                .unwrap();
            let errors = String::from_utf8_lossy(&ran.stderr).into_owned();
            (ran.status.code(), errors, std::fs::read(folder.join(output)).unwrap_or_default())
        };
        let whole = written("whole.npy", &[]);
        let limited = written("limited.npy", &["--memory", "4MiB"]);
        assert_eq!((whole.0, &whole.1[..]), (Some(0), ""), "{expression}");
        assert_eq!((limited.0, &limited.1[..]), (Some(0), ""), "{expression}");
        assert!(whole.2.len() > 15_900_000, "{expression}: {}", whole.2.len());
        assert!(whole.2 == limited.2, "{expression}: other bytes");
    }
    // What cannot be split leaves no file, and says why.
    let ran = ndcast()
        .current_dir(&folder)
        .args(["eval", "sort(a * b, axis=0)", "a=a.npy", "b=b.npy", "-o", "sorted.npy", "--memory", "4MiB"])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(1));
    assert!(errors.contains("is needed as a whole and cannot be computed in parts: memory for "), "{errors}");
    let mut left: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    left.sort();
    assert_eq!(left, ["a.npy", "b.npy", "limited.npy", "whole.npy"]);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Interrupted while it writes, the command leaves nothing behind.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_file() {
    use std::time::{Duration, Instant};

    let folder = folder("interrupt");
    // Of 400 GB some are written when the interrupt comes; the device need not have room for all.
    let mut running = ndcast()
        .current_dir(&folder)
        .args(["eval", "zeros((50000, 1000000)) + 1", "-o", "out.npy"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let files = || std::fs::read_dir(&folder).unwrap().count();
    let begun = Instant::now();
    while files() == 0 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(files(), 1, "the file that is written aside");
    let killed = Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let status = running.wait().unwrap();
    assert_eq!((status.code(), files()), (Some(130), 0));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// What goes wrong when a model runs names its file, as what goes wrong when it is read does.
#[test]
fn errors_of_a_run_name_the_model() {
    let folder = folder("named");
    let model = "%0 = input \"x\" dtype=f32 shape=Nx3\n%1 = input \"i\" dtype=i64 shape=1\n%2 = take(%0, %1) axis=0\n\
                 output \"y\" = %2\n";
    std::fs::write(folder.join("m.graph"), model).unwrap();
    let save = |name: &str, array: Array| {
        data::save(folder.join(name), &[(String::new(), array.eval().unwrap())]).unwrap();
    };
    save("x.npy", Array::zeros(&[2, 3], DType::F32));
    save("wide.npy", Array::zeros(&[2, 4], DType::F32));
    save("i.npy", Array::iota(1, DType::I64) + 7);
    let errors = |arguments: &[&str]| {
        let output = ndcast().current_dir(&folder).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for arguments in [
        &["run", "m.graph", "--input", "x=x.npy", "--input", "i=i.npy"][..],
        &["run", "m.graph", "--input", "x=wide.npy", "--input", "i=i.npy"],
        &["grad", "m.graph", "--input", "x=x.npy", "--input", "i=i.npy"],
    ] {
        let text = errors(arguments);
        assert!(text.starts_with("error: at m.graph: "), "{arguments:?}: {text}");
    }
    let text = errors(&["run", "m.graph", "--random", "--extent", "N=9223372036854775807"]);
    assert!(text.starts_with("error: random values for the input x (f32 9223372036854775807x3): "), "{text}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Random values have the extents that the given ones and `--extent` decide, and none that may not be.
#[test]
fn random_values_fit_what_is_given() {
    let folder = folder("extents");
    let model = "%0 = input \"y\" dtype=f32 shape=N\n%1 = input \"x\" dtype=f32 shape=Nx3\n\
                 %2 = input \"z\" dtype=f32 shape=2..5\n\
                 output \"a\" = %0\noutput \"b\" = %1\noutput \"c\" = %2\n";
    std::fs::write(folder.join("m.graph"), model).unwrap();
    let five = Array::zeros(&[5, 3], DType::F32).eval().unwrap();
    data::save(folder.join("x.npy"), &[(String::new(), five)]).unwrap();
    let shapes = |more: &[&str]| {
        let run = ["run", "m.graph", "--random", "--outputs", "out.npz"];
        let output = ndcast().current_dir(&folder).args(run).args(more).output().unwrap();
        if !output.status.success() {
            assert_eq!(output.status.code(), Some(2), "{more:?}");
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let made = data::open(folder.join("out.npz")).unwrap();
        Ok(made.into_iter().map(|(_, tensor)| tensor.shape().to_vec()).collect::<Vec<_>>())
    };
    let given = ["--input", "x=x.npy"];
    assert_eq!(shapes(&[]).unwrap(), [vec![2], vec![2, 3], vec![2]]);
    assert_eq!(shapes(&given).unwrap(), [vec![5], vec![5, 3], vec![2]]);
    assert_eq!(shapes(&["--extent", "N=7", "--extent", "?=5"]).unwrap(), [vec![7], vec![7, 3], vec![5]]);
    assert_eq!(shapes(&[&given[..], &["--extent", "N=5"]].concat()).unwrap()[0], [5]);
    let text = shapes(&[&given[..], &["--extent", "N=4"]].concat()).unwrap_err();
    assert_eq!(text, "error: the extent N is 5 in the value of the input x, and --extent says 4\n");
    for wrong in ["8", "1"] {
        let text = shapes(&["--extent", &format!("?={wrong}")]).unwrap_err();
        assert_eq!(text, format!("error: an extent of the input z is 2..5, and --extent says {wrong}\n"));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// That there is no room for the answer is no fault of the command line.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = ndcast().args(["list", "ops"]).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let output = output.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("No space left on device"), "{errors}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in [&["list", "ops", "--json"][..], &["--help"], &["man"], &["completions", "bash"]] {
        let mut running =
            ndcast().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(running.stdout.take());
        let output = running.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), &errors[..]), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn shells_and_manual_pages_know_every_subcommand() {
    let printed = |arguments: &[&str]| {
        let output = ndcast().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let manual = printed(&["man"]);
    let scripts = ["bash", "zsh", "fish"].map(|shell| printed(&["completions", shell]));
    for subcommand in ["explain", "run", "convert", "grad", "eval", "list", "completions", "man"] {
        assert!(manual.contains(&format!("ndcast\\-{subcommand}(1)")), "{subcommand}");
        assert!(scripts.iter().all(|script| script.contains(subcommand)), "{subcommand}");
        let page = printed(&["man", subcommand]);
        assert!(page.contains(&format!(".TH ndcast-{subcommand} 1")), "{page}");
        let help = printed(&[subcommand, "--help"]);
        assert!(help.contains("Examples:") && help.contains("Exit status:"), "{subcommand}: {help}");
    }
}
