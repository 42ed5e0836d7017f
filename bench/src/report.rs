//! The table that is printed, line by line as it is measured, and what it comes to.

#![allow(clippy::print_stdout, reason = "this is a command")]

use crate::workload::{Class, Workload};

/// Where memory is what is slow, so much of the limit's speed is reached.
const OF_LIMIT: f64 = 0.8;

/// And so much where nothing is computed.
const OF_FILL: f64 = 0.85;

/// No layout is slower than this, against the same number of dense elements.
const OF_DENSE: f64 = 0.6;

/// The smallest operation takes less than this many nanoseconds.
const LATENCY: f64 = 300.0;

/// So much of as many times the speed is reached by as many threads, where there is much to compute.
const OF_THREADS: f64 = 0.85;

/// The geometric mean of how much faster than the peer we are.
const FASTER: f64 = 3.0;

/// Two of our own ways that do the same are equal but for so much.
const NOT_WORSE: f64 = 0.95;

/// What a line compares with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A workload on all sides, and the limit.
    Workload(Class),
    /// Ours, and the limit.
    Materialise,
    /// A layout in the place of the limit's is the dense one.
    Cliff,
    /// The peer is ourselves in another way.
    Ourselves,
    /// The peer is ourselves on one thread, and we are on so many.
    Threads(usize),
}

/// One line.
pub(crate) struct Line {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) scale: String,
    /// Seconds.
    pub(crate) ours: f64,
    /// Of the peer: of `ndarray`, in a workload, to compute a new array as ours does.
    pub(crate) theirs: Option<f64>,
    /// Of `ndarray`, if the output is there.
    pub(crate) there: Option<f64>,
    /// Of loops by hand, if the output is there.
    pub(crate) by_hand: Option<f64>,
    pub(crate) limit: Option<f64>,
}

impl Line {
    fn ratio(&self) -> Option<f64> {
        self.theirs.map(|theirs| theirs / self.ours)
    }

    fn ratio_there(&self) -> Option<f64> {
        self.there.map(|there| there / self.ours)
    }

    fn ratio_by_hand(&self) -> Option<f64> {
        self.by_hand.map(|by_hand| by_hand / self.ours)
    }

    /// How many times as fast it would be at its limit; 1 if it is already.
    fn to_limit(&self) -> f64 {
        self.limit.map_or(1.0, |limit| (self.ours / limit).max(1.0))
    }

    fn of_limit(&self) -> Option<f64> {
        self.limit.map(|limit| limit / self.ours)
    }

    /// What it should have reached and did not.
    fn missed(&self) -> Option<String> {
        let bound = |least: f64| {
            let of = self.of_limit().filter(|&of| of < least)?;
            Some(format!("{:.0}% of the limit, not {:.0}%", of * 100.0, least * 100.0))
        };
        let least = match self.kind {
            Kind::Ourselves => NOT_WORSE,
            #[allow(clippy::cast_precision_loss, reason = "it is small")]
            Kind::Threads(threads) => OF_THREADS * threads as f64,
            _ => 1.0,
        };
        let slower = self.ratio().filter(|&ratio| ratio < least).map(|ratio| format!("ratio {ratio:.2}"));
        let other = match self.kind {
            Kind::Workload(Class::Latency) => {
                (self.ours > LATENCY * 1e-9).then(|| format!("more than {LATENCY} ns"))
            }
            Kind::Workload(Class::Compute) | Kind::Ourselves | Kind::Threads(_) => None,
            Kind::Workload(Class::Memory | Class::Reduce) => bound(OF_LIMIT),
            Kind::Workload(Class::Materialise) | Kind::Materialise => bound(OF_FILL),
            Kind::Cliff => bound(OF_DENSE),
        };
        let both: Vec<String> = slower.into_iter().chain(other).collect();
        (!both.is_empty()).then(|| format!("{} {}: {}", self.name, self.scale, both.join("; ")))
    }
}

/// What was measured until now.
#[derive(Default)]
pub(crate) struct Report {
    lines: Vec<Line>,
    faults: Vec<String>,
}

/// Says what the workloads are.
pub(crate) fn list() {
    for Workload { name, class, what, .. } in crate::workload::all() {
        println!("{name:<24} {:<12} {what}", format!("{class:?}").to_lowercase());
    }
}

impl Report {
    pub(crate) fn head() {
        println!(
            "{:<44} {:>9} {:>10} {:>10} {:>6} {:>10} {:>6} {:>10} {:>6} {:>10} {:>6}",
            "workload",
            "scale",
            "ours us",
            "ndarray us",
            "ratio",
            "filled us",
            "ratio",
            "by hand us",
            "ratio",
            "limit us",
            "limit"
        );
    }

    pub(crate) fn add(&mut self, line: Line) {
        let number = |seconds: Option<f64>| match seconds.map(|seconds| seconds * 1e6) {
            None => "-".to_owned(),
            Some(us) if us < 10.0 => format!("{us:.3}"),
            Some(us) => format!("{us:.1}"),
        };
        let ratio = |ratio: Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
        let of_limit = line.of_limit().map_or("-".to_owned(), |of| format!("{:.0}%", of * 100.0));
        println!(
            "{:<44} {:>9} {:>10} {:>10} {:>6} {:>10} {:>6} {:>10} {:>6} {:>10} {of_limit:>6}",
            line.name,
            line.scale,
            number(Some(line.ours)),
            number(line.theirs),
            ratio(line.ratio()),
            number(line.there),
            ratio(line.ratio_there()),
            number(line.by_hand),
            ratio(line.ratio_by_hand()),
            number(line.limit),
        );
        self.lines.push(line);
    }

    /// Something that could not be measured.
    pub(crate) fn fault(&mut self, name: &str, scale: &str, fault: &str) {
        println!("{name:<44} {scale:>9} FAULT: {fault}");
        self.faults.push(format!("{name} {scale}: {fault}"));
    }

    /// A remark between the lines.
    pub(crate) fn say(&mut self, text: &str) {
        println!("{text}");
    }

    /// The last lines.
    pub(crate) fn summary(&self) {
        let workloads = || self.lines.iter().filter(|line| matches!(line.kind, Kind::Workload(_)));
        let beside = |ratio: fn(&Line) -> Option<f64>| -> Vec<_> {
            workloads().filter_map(|line| Some((ratio(line)?, line))).collect()
        };
        println!();
        compared("ndarray, which computes a new array as ours does", &beside(Line::ratio), Some(FASTER));
        compared("ndarray that fills an array which is there", &beside(Line::ratio_there), None);
        compared("loops by hand that fill an array which is there", &beside(Line::ratio_by_hand), None);
        let missed: Vec<String> = self.lines.iter().filter_map(Line::missed).collect();
        println!("goals missed: {} of {} lines", missed.len(), self.lines.len());
        missed.iter().for_each(|line| println!("  {line}"));
        println!("faults: {}", self.faults.len());
        self.faults.iter().for_each(|fault| println!("  {fault}"));
    }
}

fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = ratios.fold((0.0, 0.0), |(count, sum), ratio| (count + 1.0, sum + ratio.ln()));
    (sum / count).exp()
}

/// What the ratios beside a peer come to.
fn compared(peer: &str, ratios: &[(f64, &Line)], goal: Option<f64>) {
    if ratios.is_empty() {
        return;
    }
    let goal = goal.map_or(String::new(), |goal| format!("; the goal is {goal}"));
    let mean = geometric_mean(ratios.iter().map(|(ratio, _)| *ratio));
    println!("geometric mean of {} ratios beside {peer}: {mean:.2}{goal}", ratios.len());
    let bound = geometric_mean(ratios.iter().map(|(ratio, line)| ratio * line.to_limit()));
    println!("  were every line at its limit, the mean would be {bound:.2}");
    let mut slower: Vec<_> = ratios.iter().filter(|(ratio, _)| *ratio < 1.0).collect();
    slower.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!("  slower on {} lines", slower.len());
    for (ratio, line) in slower {
        println!("    {ratio:.2} {} {}", line.name, line.scale);
    }
}
