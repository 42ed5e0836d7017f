//! `ndcast-bench`: how fast ndcast is, against ndarray, against loops by hand and against the machine.
//!
//! Ours is to build the expression, to compute it and to drop the result; the inputs are ready and the pool is warm.
//! `ndarray` does the same: it computes a new array and drops it. It and the loops by hand are measured too with an
//! output that is there and is only filled, which ours is never given. All sides and the limit run in turns in one
//! process, each by the median, so the ratios hold on a machine with other work where the times do not. A workload whose
//! results differ is a fault and is not timed.
//!
//! The limit is the best loop of this machine that reads and writes as many bytes as the workload must once.

mod by_hand;
mod cliffs;
mod data;
mod idiom;
mod limit;
mod matrix;
mod ourselves;
mod peer;
mod report;
mod stores;
mod timing;
mod workload;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use crate::limit::{Limits, Traffic};
use crate::report::{Kind, Line, Report};
use crate::timing::{Budget, Figure, in_turns};
use crate::workload::Workload;

/// How fast ndcast is, against ndarray, against loops by hand and against the machine.
#[derive(Parser)]
#[command(max_term_width = 100)]
struct Options {
    /// Less than two minutes: without what is far larger than the caches, and fewer rounds
    #[arg(long)]
    quick: bool,
    /// Only what has this in its name
    #[arg(long, value_name = "SUBSTRING", default_value = "")]
    only: String,
    /// The least of all rounds and not their median, on a machine where most rounds are disturbed
    #[arg(long)]
    least: bool,
    /// Say what the workloads are, and measure nothing
    #[arg(long)]
    list: bool,
    /// How many threads all sides have [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// What every part of the measurement needs.
pub(crate) struct Bench {
    pub(crate) report: Report,
    pub(crate) limits: Limits,
    pub(crate) budget: Budget,
    pub(crate) only: String,
}

impl Bench {
    /// Whether this is to be measured.
    pub(crate) fn wants(&self, name: &str) -> bool {
        name.contains(&self.only)
    }

    /// Measures something that may go wrong in the library.
    pub(crate) fn guarded(
        &mut self,
        name: &str,
        scale: &str,
        what: impl FnOnce(&mut Bench) -> Result<(), String>,
    ) {
        let result = catch_unwind(AssertUnwindSafe(|| what(self)));
        if let Err(fault) = result.unwrap_or_else(|_| Err("it panicked".to_owned())) {
            self.report.fault(name, scale, &fault);
        }
    }
}

/// A size against that which is given: a numerator and a denominator.
type Scale = (usize, usize);

/// The most that a workload's arrays may take, in MiB.
const MOST_MIB: usize = 1536;

fn main() -> ExitCode {
    let options = Options::parse();
    if options.list {
        report::list();
        return ExitCode::SUCCESS;
    }
    let threads = options.threads.unwrap_or_else(ndcast::threads::threads).max(1);
    ndcast::threads::set_threads(threads);
    if let Err(error) = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global() {
        #[allow(clippy::print_stderr, reason = "this is a command")]
        {
            eprintln!("ndcast-bench: {error}");
        }
        return ExitCode::FAILURE;
    }
    let figure = if options.least { Figure::Least } else { Figure::Median };
    let budget = if options.quick {
        Budget { time: Duration::from_millis(250), least_rounds: 6, figure }
    } else {
        Budget { time: Duration::from_secs(1), least_rounds: 12, figure }
    };
    let scales: &[Scale] = if options.quick { &[(1, 16), (1, 1)] } else { &[(1, 16), (1, 1), (8, 1)] };
    let mut bench =
        Bench { report: Report::default(), limits: Limits::new(threads), budget, only: options.only };
    ourselves::memory(&mut bench);
    bandwidths(&mut bench, threads);
    Report::head();
    for workload in workload::all() {
        if !bench.wants(workload.name) {
            continue;
        }
        // What has one size only is the same at all of them.
        for &scale in if workload.leading == 0 { &[(1, 1)] } else { scales } {
            let (extent, label) = extent(workload, scale);
            bench.guarded(workload.name, &label, |bench| measure(bench, workload, extent, &label));
        }
    }
    bench.budget.time /= 2;
    ourselves::measure(&mut bench, threads);
    cliffs::measure(&mut bench);
    // There are many of these, and they are simple.
    bench.budget = Budget { time: bench.budget.time / 3, least_rounds: 5, figure };
    matrix::measure(&mut bench);
    bench.report.summary();
    ExitCode::SUCCESS
}

/// The leading extent at a scale, and how that is called.
fn extent(workload: &Workload, (times, of): Scale) -> (usize, String) {
    let times = times.min((MOST_MIB / workload.mib).max(1));
    let extent = (workload.leading * times / of).max(1);
    (extent, if of == 1 { format!("x{times}") } else { format!("x1/{}", (workload.leading / extent).max(1)) })
}

fn measure(bench: &mut Bench, workload: &Workload, extent: usize, label: &str) -> Result<(), String> {
    let mut case = (workload.make)(extent);
    case.check()?;
    let way = bench.limits.best(case.traffic);
    let limits = &mut bench.limits;
    let ndarray = RefCell::new(&mut case.ndarray);
    let new = &mut || ndarray.borrow_mut().run_new();
    let there = &mut || ndarray.borrow_mut().run();
    let ours = &mut || drop(std::hint::black_box((case.ours)().eval()));
    let limit = &mut || limits.run(way);
    let (times, by_hand) = if let Some(loops) = &mut case.by_hand {
        let [new, ours, there, by_hand, limit] =
            in_turns(bench.budget, [new, ours, there, &mut || loops.run(), limit]);
        ([new, ours, there, limit], Some(by_hand))
    } else {
        (in_turns(bench.budget, [new, ours, there, limit]), None)
    };
    let [new, ours, there, limit] = times;
    bench.report.add(Line {
        kind: Kind::Workload(workload.class),
        name: workload.name.to_owned(),
        scale: label.to_owned(),
        ours,
        theirs: Some(new),
        there: Some(there),
        by_hand,
        limit: Some(limit),
    });
    Ok(())
}

/// Says what the machine can do.
fn bandwidths(bench: &mut Bench, threads: usize) {
    if !bench.only.is_empty() {
        return;
    }
    let budget = Budget { time: bench.budget.time / 8, ..bench.budget };
    bench.report.say(&format!("limits, the best stores, GB/s by 1 thread / by {threads}:"));
    for bytes in [1usize << 20, 8 << 20, 64 << 20, 256 << 20] {
        let mut text = format!("  {:>3} MiB", bytes >> 20);
        let half = bytes / 2;
        let third = bytes / 3;
        for (name, read, written) in
            [("fill", 0, bytes), ("copy", half, half), ("triad", 2 * third, third), ("read", bytes, 0)]
        {
            #[allow(clippy::cast_precision_loss, reason = "it is small enough")]
            let speed = [1, threads].map(|threads| {
                let mut one = Limits::new(threads);
                let way = one.best(Traffic { read, written });
                let [took] = in_turns(budget, [&mut || one.run(way)]);
                bytes as f64 / took / 1e9
            });
            text += &format!("   {name} {:.1} / {:.1}", speed[0], speed[1]);
        }
        bench.report.say(&text);
    }
}
