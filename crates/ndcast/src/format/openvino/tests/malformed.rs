//! Files that lie: what is said of each, with its line.

use super::*;

/// A model of one input and one layer, whose parts a row replaces.
const XML: &str = r#"<?xml version="1.0"?>
<net name="model" version="11">
<layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2,3" element_type="f32"/><output><port id="0" precision="FP32" names="x"/></output></layer>
<layer id="1" name="c" type="Const" version="opset1"><data element_type="f32" shape="3" offset="0" size="12"/><output><port id="0" precision="FP32"/></output></layer>
<layer id="2" name="add" type="Add" version="opset1"><data auto_broadcast="numpy"/><input><port id="0"/><port id="1"/></input><output><port id="2" precision="FP32" names="y"/></output></layer>
<layer id="3" name="out" type="Result" version="opset1"><input><port id="0"/></input></layer>
</layers>
<edges>
<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
</edges>
</net>
"#;

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let mut wrong = Vec::new();
    assert!(read(XML, &[0; 12]).is_ok());
    for (from, to, expected) in [
        ("<net ", "<nut ", "line 1"),
        ("</net>", "", "line 1"),
        ("version=\"11\"", "version=\"9\"", "line 2: version 9 of OpenVINO IR is not read; 10 and 11 are"),
        (" version=\"11\"", "", "line 2: <net> lacks the attribute version"),
        ("<net name=\"model\" version=\"11\">", "<model>", "line 1"),
        (
            "id=\"1\" name=\"c\"",
            "id=\"0\" name=\"c\"",
            "line 5: the id 0 is that of the layer x in line 4 already",
        ),
        ("id=\"1\" name=\"c\"", "id=\"one\" name=\"c\"", "line 5: id=\"one\" of <layer> is no number"),
        ("id=\"1\" name=\"c\"", "name=\"c\"", "line 5: <layer> lacks the attribute id"),
        (" type=\"Const\"", "", "line 5: <layer> lacks the attribute type"),
        ("version=\"opset1\"><data a", "><data a", "line 6: <layer> lacks the attribute version"),
        (
            "<edge from-layer=\"1\" from-port=\"0\" to-layer=\"2\" to-port=\"1\"/>\n",
            "",
            "line 6: no edge leads to the port 1 of the layer add",
        ),
        (
            "from-layer=\"1\" from-port=\"0\"",
            "from-layer=\"7\" from-port=\"0\"",
            "line 11: from-layer=\"7\": there is no such layer",
        ),
        (
            "from-layer=\"1\" from-port=\"0\"",
            "from-layer=\"1\" from-port=\"5\"",
            "line 11: the layer c has no output port 5",
        ),
        (
            "to-layer=\"2\" to-port=\"1\"",
            "to-layer=\"2\" to-port=\"5\"",
            "line 11: the layer add has no input port 5",
        ),
        (
            "to-layer=\"2\" to-port=\"1\"",
            "to-layer=\"2\" to-port=\"0\"",
            "line 11: two edges lead to the port 0 of the layer add",
        ),
        (
            "from-layer=\"1\" from-port=\"0\"",
            "from-layer=\"2\" from-port=\"2\"",
            "line 6: the layers add are made of each other, in a circle",
        ),
        (
            "element_type=\"f32\" shape=\"3\"",
            "element_type=\"FP32\" shape=\"3\"",
            "line 5: at c: there is no element type \"FP32\"",
        ),
        (
            "element_type=\"f32\" shape=\"3\"",
            "element_type=\"f32\"",
            "line 5: at c: the attribute shape is missing",
        ),
        (
            "element_type=\"f32\" shape=\"3\"",
            "element_type=\"f32\" shape=\"?\"",
            "line 5: at c: the shape of a constant is known, and this is ?",
        ),
        (
            "shape=\"3\" offset",
            "shape=\"4\" offset",
            "line 5: at c: 4 elements of f32 are 16 bytes, and size is 12",
        ),
        (
            "offset=\"0\" size=\"12\"",
            "offset=\"4\" size=\"12\"",
            "line 5: at c: its elements are 12 bytes from byte 4 on, and there are 12",
        ),
        ("offset=\"0\" size=\"12\"", "offset=\"-1\" size=\"12\"", "line 5: at c: offset=\"-1\" is no number"),
        (
            "shape=\"3\" offset=\"0\" size=\"12\"",
            "shape=\"1000000000,1000000000\" offset=\"0\" size=\"12\"",
            "line 5: at c: ",
        ),
        (
            "shape=\"3\" offset=\"0\" size=\"12\"",
            "shape=\"1000000000\" offset=\"0\" size=\"4000000000\"",
            "line 5: at c: its elements are 4000000000 bytes from byte 0 on, and there are 12",
        ),
        ("shape=\"2,3\"", "shape=\"2,N\"", "line 4: at x: \"N\" in shape=\"2,N\" is no extent"),
        (" element_type=\"f32\"/>", "/>", "line 4: at x: the element type must be known"),
        (
            "shape=\"2,3\"",
            "shape=\"2,4\"",
            "line 6: at add: Add: openvino.eltwise.numpy: 2x4 and 3 do not broadcast",
        ),
        (
            "auto_broadcast=\"numpy\"",
            "auto_broadcast=\"wide\"",
            "line 6: at add: Add: auto_broadcast=\"wide\" is none of numpy, none, explicit, pdpd",
        ),
        (
            "<input><port id=\"0\"/><port id=\"1\"/></input>",
            "<input><port id=\"0\"/><port id=\"0\"/></input>",
            "line 6: the layer add has two ports of the id 0",
        ),
        (
            "<input><port id=\"0\"/></input></layer>\n</layers>",
            "</layer>\n</layers>",
            "line 12: the layer out has no input port 0",
        ),
        (
            "type=\"Add\" version=\"opset1\"",
            "type=\"Add\" version=\"opset99\"",
            "there are layers that are not known: Add of opset99 (add, line 6)",
        ),
        (
            "type=\"Add\" version=\"opset1\"",
            "type=\"Adder\" version=\"opset1\"",
            "there are layers that are not known: Adder of opset1 (add, line 6)",
        ),
        (
            "type=\"Add\" version=\"opset1\"",
            "type=\"Add\" version=\"extension\"",
            "there are layers that are not known: Add of extension (add, line 6)",
        ),
        ("names=\"y\"", "names=\"y\" id=\"2\"", "line 6"),
    ] {
        assert!(XML.contains(from), "{from}");
        let found = match read(&XML.replacen(from, to, 1), &[0; 12]) {
            Ok(graph) => graph.to_string(),
            Err(error) => error.to_string(),
        };
        if !found.starts_with(expected) {
            wrong.push(format!("{to}: {found}\n    not {expected}"));
        }
    }
    none("malformed", &wrong);
}

#[test]
fn all_layers_that_are_not_known_are_said_at_once() {
    let xml = XML.replace("type=\"Add\"", "type=\"Bogus\"").replace("type=\"Const\"", "type=\"Convolution\"");
    let error = read(&xml, &[0; 12]).unwrap_err().to_string();
    assert_eq!(
        error,
        "there are layers that are not known: Convolution of opset1 (c, line 5); Bogus of opset1 (add, line 6)"
    );
}

/// Every shorter file of constants and every shorter text is refused.
#[test]
fn truncated_files() {
    let (xml, bin) = files("minimal");
    for length in 0..bin.len() {
        assert!(read(&xml, &bin[..length]).is_err(), "{length}");
    }
    for length in (0..xml.trim_end().len()).step_by(7) {
        let Some(part) = xml.get(..length) else { continue };
        assert!(read(part, &bin).is_err(), "{length}");
    }
}

#[test]
fn entities_of_a_document_are_refused() {
    let mut bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE net [\n<!ENTITY a \"aaaaaaaaaa\">\n".to_owned();
    for (letter, before) in ('b'..'k').zip('a'..'j') {
        bomb += &format!("<!ENTITY {letter} \"{}\">\n", format!("&{before};").repeat(10));
    }
    bomb += "]>\n<net name=\"&j;\" version=\"11\"><layers/><edges/></net>";
    let error = read(&bomb, &[]).unwrap_err().to_string();
    assert!(error.starts_with("line 1: ") && error.contains("DTD"), "{error}");
}

/// Neither a deep text nor a long chain of layers uses up the stack.
#[test]
fn depth_is_no_matter() {
    let deep = format!("<net version=\"11\">{}{}</net>", "<a>".repeat(200_000), "</a>".repeat(200_000));
    let _ = read(&deep, &[]);
    let count = 20_000;
    let mut layers = "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"2\" element_type=\"f32\"/><output><port id=\"0\" precision=\"FP32\"/></output></layer>".to_owned();
    let mut edges = String::new();
    for id in 1..=count {
        layers += &format!(
            "<layer id=\"{id}\" name=\"l{id}\" type=\"Negative\" version=\"opset1\"><input><port id=\"0\"/></input><output><port id=\"1\" precision=\"FP32\"/></output></layer>"
        );
        edges += &format!(
            "<edge from-layer=\"{}\" from-port=\"{}\" to-layer=\"{id}\" to-port=\"0\"/>",
            id - 1,
            usize::from(id > 1)
        );
    }
    layers += &format!(
        "<layer id=\"{}\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input></layer>",
        count + 1
    );
    edges +=
        &format!("<edge from-layer=\"{count}\" from-port=\"1\" to-layer=\"{}\" to-port=\"0\"/>", count + 1);
    // The last layers first, so that the order must be found.
    let xml =
        format!("<net name=\"chain\" version=\"11\"><layers>{layers}</layers><edges>{edges}</edges></net>");
    let graph = read(&xml, &[]).unwrap();
    assert_eq!(graph.len(), count + 1);
    // A circle of as many.
    let edge = "<edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\"";
    let circle =
        xml.replacen(edge, &format!("<edge from-layer=\"{count}\" from-port=\"1\" to-layer=\"1\""), 1);
    let error = read(&circle, &[]).unwrap_err().to_string();
    assert!(error.contains("are made of each other, in a circle") && error.len() < 1000, "{error}");
}

/// A layer is several nodes, of which each can be what goes wrong when the model runs.
#[test]
fn what_goes_wrong_when_it_runs_is_said_with_its_layer() {
    let graph = read(&XML.replace("shape=\"2,3\"", "shape=\"?,?\""), &[0; 12]).unwrap();
    let wide = Tensor::zeros(&[2, 4], DType::F32).unwrap();
    let error = graph.run(&[wide]).unwrap_err().to_string();
    assert!(
        error.starts_with("line 6: at add: fit: openvino.eltwise.numpy: 2x4 and 3 do not broadcast"),
        "{error}"
    );
}
