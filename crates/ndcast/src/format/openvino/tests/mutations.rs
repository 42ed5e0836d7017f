//! Files with letters and bytes changed at random, always the same ones: a graph or an error, and never a panic.

use super::*;

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }
}

/// What stands in such files, to be put elsewhere.
const WORDS: [&str; 24] = [
    "0",
    "-1",
    "1",
    "2",
    "99999999999999999999",
    "9223372036854775807",
    "?",
    "...",
    "",
    "numpy",
    "explicit",
    "pdpd",
    "f32",
    "i64",
    "boolean",
    "u1",
    "Broadcast",
    "Reshape",
    "Const",
    "Result",
    "opset1",
    "opset15",
    "true",
    "\"",
];

fn mutated(xml: &str, random: &mut Random) -> String {
    let mut text = xml.to_owned();
    for _ in 0..1 + random.below(3) {
        // What is between quotes is what a reader reads.
        let quotes: Vec<usize> = text.match_indices('"').map(|(place, _)| place).collect();
        let pair = random.below(quotes.len() / 2) * 2;
        let (Some(&from), Some(&to)) = (quotes.get(pair), quotes.get(pair + 1)) else { break };
        match random.below(4) {
            0 => text.replace_range(from + 1..to, WORDS[random.below(WORDS.len())]),
            1 => {
                let other = random.below(quotes.len() / 2) * 2;
                let copied = text[quotes[other] + 1..quotes[other + 1]].to_owned();
                text.replace_range(from + 1..to, &copied);
            }
            2 => {
                let at = random.below(text.len());
                if text.is_char_boundary(at) && text.is_char_boundary(at + 1) {
                    text.replace_range(at..=at, ["", "<", "1", "&", " "][random.below(5)]);
                }
            }
            _ => {
                let lines: Vec<&str> = text.lines().collect();
                let (drop, again) = (random.below(lines.len()), random.below(lines.len()));
                let mut kept: Vec<&str> = lines.clone();
                kept[drop] = if random.below(2) == 0 { "" } else { lines[again] };
                text = kept.join("\n");
            }
        }
    }
    text
}

#[test]
fn no_file_makes_it_panic() {
    let mut random = Random(11);
    let mut read_well = 0;
    for name in names() {
        let (xml, bin) = files(&name);
        let [inputs, _] = recorded(&name);
        for _ in 0..60 {
            let text = mutated(&xml, &mut random);
            let mut bytes = bin.clone();
            if !bytes.is_empty() && random.below(3) == 0 {
                let at = random.below(bytes.len());
                bytes[at] = u8::try_from(random.below(256)).unwrap();
            }
            let Ok(graph) = read(&text, &bytes) else { continue };
            read_well += 1;
            let given: Vec<Tensor> = inputs.iter().map(|input| input.tensor.clone()).collect();
            // Whatever it has become: it runs or says why not, and can be written or says why not.
            let _ = graph.run(&given);
            let _ = write(&graph);
        }
    }
    assert!(read_well > 50, "{read_well}");
}
