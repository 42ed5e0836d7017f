//! What OpenVINO gave for its models, and that files say the same as memory.

use super::*;

#[test]
fn models_give_what_openvino_gives() {
    let mut wrong = Vec::new();
    assert!(names().len() >= 19);
    for name in names() {
        let (xml, bin) = files(&name);
        match read(&xml, &bin) {
            Ok(graph) => wrong.extend(differences(&graph, &name)),
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    none("models", &wrong);
}

#[test]
fn a_model_is_loaded_from_its_files() {
    for name in ["minimal", "element_types", "half_constants"] {
        let graph = open(folder().join(format!("{name}.xml"))).unwrap();
        let (xml, bin) = files(name);
        assert_eq!(graph.to_string(), read(&xml, &bin).unwrap().to_string());
    }
    let missing = open(folder().join("none.xml")).unwrap_err().to_string();
    assert!(missing.contains("none.xml: "), "{missing}");
}

/// Constants that OpenVINO made smaller are there as they are, and converted.
#[test]
fn compressed_constants_are_converted() {
    let (xml, bin) = files("half_constants");
    let graph = read(&xml, &bin).unwrap();
    let halves =
        graph.nodes().filter(|(_, node)| node.constant().is_some_and(|tensor| tensor.dtype() == DType::F16));
    assert_eq!(halves.count(), 2);
    assert!(graph.to_string().contains("to=f32"));
}

#[test]
fn inputs_and_outputs_are_called_as_their_tensors() {
    let (xml, bin) = files("minimal");
    let graph = read(&xml, &bin).unwrap();
    assert!(graph.input_named("x").is_ok() && graph.output_named("y").is_ok());
    // Without names of tensors: as the layers. In version 10 that of what makes an output.
    let plain = xml.replace(" names=\"x\"", "").replace(" names=\"y\"", "");
    let graph = read(&plain, &bin).unwrap();
    assert!(graph.input_named("x").is_ok() && graph.output_named("y/sink").is_ok());
    let graph = read(&plain.replace("version=\"11\"", "version=\"10\""), &bin).unwrap();
    assert!(graph.output_named("bc").is_ok());
    assert_eq!(graph.inputs().len(), 1);
    let node = graph.nodes().find(|(_, node)| node.name() == Some("add"));
    assert_eq!(node.unwrap().1.shape().to_string(), "?x3");
}

/// A model that OpenVINO made has a gradient: that of differences, for a transformer's layer with unknown extents.
#[test]
fn a_model_has_a_gradient() {
    let (xml, bin) = files("attention");
    let graph = read(&xml, &bin).unwrap();
    let back = crate::graph::gradient(&graph, "y", Some(&["x"])).unwrap();
    let [inputs, _] = recorded("attention");
    let x = inputs[0].tensor.to_vec::<f32>().unwrap();
    let shape = inputs[0].tensor.shape().to_vec();
    let found = back.run(&[inputs[0].tensor.clone()]).unwrap()[0].to_vec::<f32>().unwrap();
    let sum = |x: &[f32]| -> f64 {
        let y = graph.run(&[Tensor::new(&shape, x).unwrap()]).unwrap();
        numbers(&y[0]).iter().sum()
    };
    for place in (0..x.len()).step_by(5) {
        let (mut more, mut less) = (x.clone(), x.clone());
        more[place] += 1e-2;
        less[place] -= 1e-2;
        let step = f64::from(more[place]) - f64::from(less[place]);
        let difference = (sum(&more) - sum(&less)) / step;
        let found = f64::from(found[place]);
        assert!(
            (found - difference).abs() < 2e-2 * difference.abs().max(1.0),
            "{place}: {found}, {difference}"
        );
    }
}
