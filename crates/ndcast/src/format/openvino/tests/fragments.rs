//! The three examples of the page of Broadcast-1, each as it is given there, completed to a whole model.

use super::*;

/// A layer of the page between data, a target shape, axes and a result: `layer` is what the page gives, and the edges lead to
/// the ports as they are meant.
fn model(layer: &str, data: &[usize], lists: &[&[i64]]) -> (String, Vec<u8>) {
    let mut bin = Vec::new();
    let mut layers = String::new();
    let shape: Vec<String> = data.iter().map(usize::to_string).collect();
    layers += &format!(
        "<layer id=\"0\" name=\"data\" type=\"Parameter\" version=\"opset1\">
           <data shape=\"{}\" element_type=\"f32\"/><output><port id=\"0\" precision=\"FP32\"/></output></layer>",
        shape.join(",")
    );
    let mut edges = "<edge from-layer=\"0\" from-port=\"0\" to-layer=\"3\" to-port=\"0\"/>".to_owned();
    for (place, list) in lists.iter().enumerate() {
        let id = [1, 2][place];
        layers += &format!(
            "<layer id=\"{id}\" name=\"list{id}\" type=\"Const\" version=\"opset1\">
               <data element_type=\"i64\" shape=\"{}\" offset=\"{}\" size=\"{}\"/>
               <output><port id=\"0\" precision=\"I64\"/></output></layer>",
            list.len(),
            bin.len(),
            8 * list.len()
        );
        bin.extend(list.iter().flat_map(|n| n.to_le_bytes()));
        edges +=
            &format!("<edge from-layer=\"{id}\" from-port=\"0\" to-layer=\"3\" to-port=\"{}\"/>", place + 1);
    }
    let output = if lists.len() == 2 && layer.contains("<port id=\"3\"") { 3 } else { 2 };
    edges += &format!("<edge from-layer=\"3\" from-port=\"{output}\" to-layer=\"4\" to-port=\"0\"/>");
    let layer = layer
        .replacen("<layer ... ", "<layer id=\"3\" name=\"broadcast\" version=\"opset1\" ", 1)
        .replacen("...>", ">", 1)
        .replace(&format!("<port id=\"{output}\">"), &format!("<port id=\"{output}\" precision=\"FP32\">"));
    layers += &layer;
    layers += "<layer id=\"4\" name=\"result\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input></layer>";
    (format!("<net name=\"page\" version=\"11\"><layers>{layers}</layers><edges>{edges}</edges></net>"), bin)
}

const NUMPY: &str = r#"<layer ... type="Broadcast" ...>
    <data mode="numpy"/>
    <input>
        <port id="0">
            <dim>16</dim>
            <dim>1</dim>
            <dim>1</dim>
       </port>
        <port id="1">
            <dim>4</dim>   <!--The tensor contains 4 elements: [1, 16, 50, 50] -->
        </port>
        <!-- the 3rd input shouldn't be provided with mode="numpy" -->
    </input>
    <output>
        <port id="2">
            <dim>1</dim>
            <dim>16</dim>
            <dim>50</dim>
            <dim>50</dim>
        </port>
    </output>
</layer>"#;

const ONE_AXIS: &str = r#"<layer ... type="Broadcast" ...>
    <data mode="explicit"/>
    <input>
        <port id="0">
            <dim>16</dim>
       </port>
        <port id="1">
            <dim>4</dim>   <!--The tensor contains 4 elements: [1, 16, 50, 50] -->
        </port>
        <port id="1">
            <dim>1</dim>   <!--The tensor contains 1 elements: [1] -->
        </port>
    </input>
    <output>
        <port id="2">
            <dim>1</dim>
            <dim>16</dim>
            <dim>50</dim>
            <dim>50</dim>
        </port>
    </output>
</layer>"#;

const TWO_AXES: &str = r#"<layer ... type="Broadcast" ...>
    <data mode="explicit"/>
    <input>
        <port id="0">
            <dim>50</dim>
            <dim>50</dim>
       </port>
        <port id="1">
            <dim>4</dim>   <!--The tensor contains 4 elements: [1, 50, 50, 16] -->
        </port>
        <port id="1">
            <dim>2</dim>   <!--The tensor contains 2 elements: [1, 2] -->
        </port>
    </input>
    <output>
        <port id="2">
            <dim>1</dim>
            <dim>50</dim>
            <dim>50</dim>
            <dim>16</dim>
        </port>
    </output>
</layer>"#;

/// The page's third port has the number of its second one: the next is meant, and the output is the one behind.
fn with_ports_as_meant(layer: &str) -> String {
    let again = layer.rfind("<port id=\"1\">").unwrap();
    let output = layer.find("<port id=\"2\">").unwrap();
    let mut layer = layer.to_owned();
    layer.replace_range(output..output + 13, "<port id=\"3\">");
    layer.replace_range(again..again + 13, "<port id=\"2\">");
    layer
}

#[test]
fn the_examples_of_the_page_run() {
    for (layer, data, lists, map) in [
        (NUMPY.to_owned(), &[16, 1, 1][..], &[&[1i64, 16, 50, 50][..]][..], [0usize, 1, 0, 0]),
        (with_ports_as_meant(ONE_AXIS), &[16], &[&[1, 16, 50, 50], &[1]], [0, 1, 0, 0]),
        (with_ports_as_meant(TWO_AXES), &[50, 50], &[&[1, 50, 50, 16], &[1, 2]], [0, 50, 1, 0]),
    ] {
        let (xml, bin) = model(&layer, data, lists);
        let graph = read(&xml, &bin).unwrap();
        let count: usize = data.iter().product();
        let values: Vec<f32> = (0..count).map(|n| n as f32).collect();
        let made = graph.run(&[Tensor::new(data, &values).unwrap()]).unwrap();
        let target: Vec<usize> = lists[0].iter().map(|&n| usize::try_from(n).unwrap()).collect();
        assert_eq!(made[0].shape(), target);
        let made = made[0].to_vec::<f32>().unwrap();
        let mut place = 0;
        for a in 0..target[0] {
            for b in 0..target[1] {
                for c in 0..target[2] {
                    for d in 0..target[3] {
                        let from = a * map[0] + b * map[1] + c * map[2] + d * map[3];
                        assert_eq!(made[place], values[from]);
                        place += 1;
                    }
                }
            }
        }
    }
}

#[test]
fn a_port_number_that_is_there_twice_is_said() {
    for (layer, data, lists) in [
        (ONE_AXIS, &[16][..], &[&[1i64, 16, 50, 50][..], &[1]][..]),
        (TWO_AXES, &[50, 50], &[&[1, 50, 50, 16], &[1, 2]]),
    ] {
        let (xml, bin) = model(layer, data, lists);
        let error = read(&xml, &bin).unwrap_err().to_string();
        assert!(error.ends_with("the layer broadcast has two ports of the id 1"), "{error}");
        assert!(error.starts_with("line "), "{error}");
    }
}
