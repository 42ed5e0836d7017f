//! Files as others write them (`cases/data_files.txt`), what we write read again, files that lie, and bytes changed at
//! random: an answer or an error, never a panic.

use ndcast_shape::Shape;

use super::{Named, Packing, fitting, open, read, save, write_npy, write_npz, write_safetensors};
use crate::array::Array;
use crate::dtype::{Class, DType};
use crate::tensor::Tensor;

const FILES: &str = include_str!("../../../../../cases/data_files.txt");

fn unhex(text: &str) -> Vec<u8> {
    let byte = |place: usize| u8::from_str_radix(&text[place..place + 2], 16).unwrap();
    (0..text.len()).step_by(2).map(byte).collect()
}

/// The elements as numbers, complex ones as two.
fn numbers(tensor: &Tensor) -> Vec<f64> {
    let array = Array::from(tensor.clone());
    if tensor.dtype().class() == Class::Complex {
        let whole = array.convert(DType::C128).to_vec::<num_complex::Complex<f64>>().unwrap();
        return whole.into_iter().flat_map(|z| [z.re, z.im]).collect();
    }
    array.convert(DType::F64).to_vec().unwrap()
}

fn files() -> Vec<(&'static str, Vec<u8>, Vec<&'static str>)> {
    let row = |line: &'static str| {
        let mut fields = line.split('\t');
        (fields.next().unwrap(), unhex(fields.next().unwrap()), fields.collect())
    };
    FILES.lines().map(row).collect()
}

fn check(what: &str, found: &[Named], expected: &[&str]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for ((name, tensor), expected) in found.iter().zip(expected) {
        let (key, rest) = expected.split_once('=').unwrap();
        let fields: Vec<&str> = rest.split(' ').collect();
        let shape = fields[1].parse::<Shape>().unwrap().extents().unwrap();
        assert_eq!((name.as_str(), tensor.dtype().to_string().as_str()), (key, fields[0]), "{what}");
        assert_eq!(tensor.shape(), shape, "{what}");
        let elements: Vec<f64> =
            fields[2].split(',').filter(|text| !text.is_empty()).map(|text| text.parse().unwrap()).collect();
        assert_eq!(numbers(tensor), elements, "{what}");
    }
}

#[test]
fn files_of_others() {
    for (what, bytes, expected) in files() {
        check(what, &read(&bytes).unwrap(), &expected);
    }
}

fn some() -> Vec<Named> {
    let table = Tensor::new(&[2, 3], &[1.0f32, -2.0, 3.5, f32::INFINITY, -0.0, 6.0]).unwrap();
    let named = |name: &str, tensor: Tensor| (name.to_owned(), tensor);
    vec![
        named("table", table.clone()),
        named("turned \"round\"", table.transpose(&[1, 0]).unwrap()),
        named("truth", Tensor::new(&[3], &[true, false, true]).unwrap()),
        named("number", Tensor::scalar(-7i64).unwrap()),
        named("nothing", Tensor::new::<u16>(&[0, 2], &[]).unwrap()),
        named("halves", Array::from(table.clone()).convert(DType::Bf16).eval().unwrap()),
        named("pairs", Array::from(table).convert(DType::C64).eval().unwrap()),
    ]
}

fn same(a: &[Named], b: &[Named]) {
    let mut names: Vec<&str> = a.iter().map(|(name, _)| name.as_str()).collect();
    let mut others: Vec<&str> = b.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    others.sort_unstable();
    assert_eq!(names, others);
    for (name, tensor) in a {
        let (_, other) = b.iter().find(|(other, _)| other == name).unwrap();
        assert_eq!((tensor.dtype(), tensor.shape()), (other.dtype(), other.shape()), "{name}");
        assert_eq!(numbers(tensor), numbers(other), "{name}");
    }
}

#[test]
fn what_is_written_is_read() {
    for named in some() {
        let mut bytes = Vec::new();
        write_npy(&mut bytes, &named.1).unwrap();
        let found = read(&bytes).unwrap();
        same(&[(String::new(), named.1)], &found);
    }
    for packing in [Packing::Stored, Packing::Deflated] {
        let mut bytes = Vec::new();
        write_npz(&mut bytes, &some(), packing).unwrap();
        same(&some(), &read(&bytes).unwrap());
    }
    let mut bytes = Vec::new();
    write_safetensors(&mut bytes, &some()).unwrap();
    same(&some(), &read(&bytes).unwrap());
    // What NumPy has no name for is bits.
    let small = Array::from(some()[0].1.clone()).convert(DType::F8E5M2).eval().unwrap();
    let mut bytes = Vec::new();
    write_npy(&mut bytes, &small).unwrap();
    let bits = read(&bytes).unwrap().remove(0).1;
    assert_eq!(bits.dtype(), DType::U8);
    assert_eq!(numbers(&fitting("x", bits, DType::F8E5M2).unwrap()), numbers(&small));
}

#[test]
fn elements_as_a_program_wants_them() {
    let wide = Tensor::new(&[2], &[1.5f32, 2.0]).unwrap();
    let bits = Tensor::new(&[2], &[0x3fc0u16, 0x4000]).unwrap();
    for (tensor, wanted) in
        [(wide.clone(), DType::Bf16), (bits.clone(), DType::Bf16), (wide.clone(), DType::F8E4M3)]
    {
        let found = fitting("x", tensor, wanted).unwrap();
        assert_eq!((found.dtype(), numbers(&found)), (wanted, vec![1.5, 2.0]));
    }
    for (tensor, wanted) in [(wide.clone(), DType::F64), (bits, DType::F16), (wide, DType::I8)] {
        let given = tensor.dtype();
        let error = fitting("x", tensor, wanted).unwrap_err();
        assert!(
            error.to_string().starts_with(&format!("the input x is {wanted}, and {given} was given")),
            "{error}"
        );
    }
}

#[test]
fn files_in_a_folder() {
    let folder = std::env::temp_dir().join(format!("ndcast-data-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // So large that it is mapped; then changed, which goes into no file.
    let large = Tensor::from_vec(&[300, 100], (0..30_000).map(f64::from).collect()).unwrap();
    for ending in ["npy", "npz", "safetensors"] {
        let path = folder.join(format!("large.{ending}"));
        save(&path, &[("x".to_owned(), large.clone())]).unwrap();
        let mut found = open(&path).unwrap().remove(0).1;
        assert_eq!(found.as_slice::<f64>(), large.as_slice::<f64>(), "{ending}");
        found.as_slice_mut::<f64>().unwrap()[0] = 77.0;
        assert_eq!(open(&path).unwrap()[0].1.as_slice::<f64>().unwrap()[0], 0.0);
    }
    assert!(std::fs::read_dir(&folder).unwrap().all(|entry| !entry.unwrap().path().ends_with(".part")));
    let two = [("a".to_owned(), large.clone()), ("b".to_owned(), large)];
    for (path, message) in [
        ("x.txt", "a file of tensors ends in .npy, .npz or .safetensors"),
        ("x.npy", "an .npy file has one tensor, and there are 2"),
        ("missing/x.npz", "missing"),
    ] {
        let error = save(folder.join(path), &two).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    // Whoever is last has the file, and it is whole.
    let path = folder.join("together.npy");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..8).for_each(|_| save(&path, &two[..1]).unwrap()));
        }
    });
    assert_eq!(open(&path).unwrap()[0].1.as_slice::<f64>(), two[0].1.as_slice::<f64>());
    assert!(
        std::fs::read_dir(&folder)
            .unwrap()
            .all(|entry| { entry.unwrap().path().extension().is_some_and(|ending| ending != "part") })
    );
    let text = open(folder.join("nothing.npy")).unwrap_err().to_string();
    assert!(text.contains("nothing.npy"), "{text}");
    assert!(open(&folder).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Two tensors of one name, and one of the name under which `.safetensors` says what the file is.
#[test]
fn names_that_cannot_be_written() {
    let one = || Tensor::scalar(1.0f32).unwrap();
    for (names, message) in [
        (&["x", "x"][..], "at x: there can be no two tensors of this name"),
        (&["x", "__metadata__"], "at __metadata__: this name is the format's own, and no tensor's"),
    ] {
        let tensors: Vec<Named> = names.iter().map(|name| ((*name).to_owned(), one())).collect();
        let error = write_safetensors(&mut Vec::new(), &tensors).unwrap_err().to_string();
        assert_eq!(error, message);
    }
}

/// A file of one array whose header is this.
fn npy(header: &str, elements: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    [&bytes[..], header.as_bytes(), elements].concat()
}

fn safetensors(header: &str, elements: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), elements].concat()
}

#[test]
fn files_that_lie() {
    let shape = |text: &str| format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {text}, }}");
    let entry = |text: &str| format!("{{\"x\":{{{text}}}}}");
    for (bytes, message) in [
        (Vec::new(), "it does not begin as"),
        (b"hello".to_vec(), "it does not begin as"),
        (b"\x93NUMPY".to_vec(), "the file ends within it"),
        (b"\x93NUMPY\x09\x00\x00\x00".to_vec(), "its version 9 is not 1, 2 or 3"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff".to_vec(), "it says it has 4294967295 bytes"),
        (npy(&shape("(2,)"), &[0; 4]), "2 of f32 have 8 bytes, and 4 follow"),
        (npy(&shape("(2,)"), &[0; 12]), "2 of f32 have 8 bytes, and 12 follow"),
        (npy(&shape("(1000000000000,)"), &[0; 4]), "and 4 follow"),
        (npy(&shape("(4294967296, 4294967296, 4294967296)"), &[]), ""),
        (npy(&shape("(0, 99999999999, 99999999999)"), &[]), ""),
        (npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", &[0; 8]), "pickled objects"),
        (npy("{'descr': '<U3', 'fortran_order': False, 'shape': (1,)}", &[0; 12]), "are text"),
        (npy("{'descr': '<f3', 'fortran_order': False, 'shape': (1,)}", &[0; 3]), "no element type \"<f3\""),
        (npy("{'descr': '|b1', 'fortran_order': False, 'shape': (1,)}", &[7]), "a truth value is 0 or 1"),
        (b"PK\x03\x04".to_vec(), "it has no end of its directory"),
        (safetensors("{}", &[1]), "the tensors have 0 bytes together, and 1 follow"),
        (
            safetensors(&entry("\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,8]"), &[0; 8]),
            "1 of f32 have 4 bytes",
        ),
        (
            safetensors(&entry("\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]"), &[0; 8]),
            "it begins at 4",
        ),
        (
            safetensors(&entry("\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]"), &[0; 3]),
            "and 3 follow",
        ),
        (safetensors(&entry("\"dtype\":\"F31\",\"shape\":[1],\"data_offsets\":[0,4]"), &[0; 4]), "\"F31\""),
        (safetensors(&entry("\"shape\":[1],\"data_offsets\":[0,4]"), &[0; 4]), "it lacks dtype"),
        (safetensors(&entry("\"shape\":[-1]"), &[0; 4]), "a number without a sign"),
        (safetensors("{\"x\":{},\"x\":{}}", &[]), ""),
        (safetensors("{\"x\":", &[]), "is expected"),
        (safetensors("{\"\\ud800\":{}}", &[]), "half of a character"),
        (safetensors("{\"\\ud83d \\ude00\":{}}", &[]), "half of a character"),
        (safetensors("{\"\\ud83d\\ ude00\":{}}", &[]), "half of a character"),
        (safetensors(&"{".repeat(60_000), &[]), "is expected"),
        ([&u64::MAX.to_le_bytes()[..], b"{}"].concat(), "the header is said to have"),
    ] {
        let text = read(&bytes).unwrap_err().to_string();
        assert!(text.contains(message), "{text}\n  not {message}");
    }
}

/// Every file cut off anywhere, and with bytes changed: the generator is written out, so that a failure is the same
/// everywhere.
#[test]
fn changed_bytes_do_not_panic() {
    let mut seeds: Vec<Vec<u8>> = files().into_iter().map(|(_, bytes, _)| bytes).collect();
    let mut bytes = Vec::new();
    write_safetensors(&mut bytes, &some()).unwrap();
    seeds.push(bytes);
    let mut state = 1u64;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below.max(1)
    };
    for seed in &seeds {
        for cut in (0..seed.len()).step_by(1 + seed.len() / 200) {
            let _ = read(&seed[..cut]);
        }
        for _ in 0..1500 {
            let mut bytes = seed.clone();
            for _ in 0..=next(4) {
                let place = next(bytes.len());
                let values = [0, 1, 0x7f, 0xff, u8::try_from(next(256)).unwrap()];
                bytes[place] = values[next(values.len())];
            }
            if next(4) == 0 {
                bytes.truncate(next(bytes.len()));
            }
            if let Ok(tensors) = read(&bytes) {
                tensors.iter().for_each(|(_, tensor)| assert!(tensor.elements() <= bytes.len() * 1100));
            }
        }
    }
}

/// An archive of nothing is one, as NumPy writes and reads it.
#[test]
fn an_archive_of_nothing() {
    let mut written = Vec::new();
    write_npz(&mut written, &[], Packing::Stored).unwrap();
    assert_eq!(written, [&b"PK\x05\x06"[..], &[0; 18]].concat());
    assert!(read(&written).unwrap().is_empty());
}
