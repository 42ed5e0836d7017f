//! How things are timed that are compared: in turns, and by the median of many rounds.
//!
//! Other work on the machine comes and goes. What is compared is therefore run in turns, a little of each again and
//! again, so that a disturbance meets all of them, and a median does not see the few it meets alone.

use std::time::{Duration, Instant};

/// How long something may be measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) time: Duration,
    pub(crate) least_rounds: usize,
    pub(crate) figure: Figure,
}

/// Which of many times stands for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Figure {
    /// The middle one.
    Median,
    /// The least: where so much else goes on that most rounds are disturbed.
    Least,
}

impl Figure {
    fn of(self, mut times: Vec<f64>) -> f64 {
        times.sort_unstable_by(f64::total_cmp);
        let place = match self {
            Figure::Median => times.len() / 2,
            Figure::Least => 0,
        };
        times.get(place).copied().unwrap_or(f64::NAN)
    }
}

/// A sample of something short is of as many calls as take this long.
const SAMPLE: f64 = 300e-6;

/// What takes longer than this finds the caches as it leaves them anyway.
const COLD: f64 = 3e-3;

const MOST_ROUNDS: usize = 101;

/// The seconds a call takes, on average of so many.
pub(crate) fn time(calls: usize, mut what: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        what();
    }
    #[allow(clippy::cast_precision_loss, reason = "it is small")]
    let calls = calls as f64;
    start.elapsed().as_secs_f64() / calls
}

/// Whose turn it is in a round of so many.
///
/// What one leaves behind, lines of the cache to be written and threads that still look for work, costs whoever comes
/// next. So all but the last change places, until each has come as often after any other, and the last stands between
/// rounds: nobody comes twice in a row and finds what it left itself.
fn whose(turn: usize, round: usize, count: usize) -> usize {
    let others = count - 1;
    if turn == others {
        return turn;
    }
    let place = if round % 2 == 1 { others - 1 - turn } else { turn };
    (place + round / 2) % others
}

/// The seconds of each, run in turns.
pub(crate) fn in_turns<const N: usize>(budget: Budget, mut each: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut calls = [1usize; N];
    let mut once = [0.0; N];
    for (number, what) in each.iter_mut().enumerate() {
        what();
        once[number] = time(1, &mut *what);
        if once[number] < SAMPLE {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "at most SAMPLE / 1 ns"
            )]
            let many = (SAMPLE / once[number].max(1e-8)) as usize;
            calls[number] = many.max(1);
        }
    }
    let mut times = [const { Vec::new() }; N];
    let start = Instant::now();
    for round in 0..MOST_ROUNDS {
        if round >= budget.least_rounds && start.elapsed() > budget.time {
            break;
        }
        for turn in 0..N {
            let number = whose(turn, round, N);
            let what = &mut each[number];
            // Whoever ran before had the caches.
            if once[number] < COLD {
                what();
            }
            times[number].push(time(calls[number], &mut *what));
        }
    }
    times.map(|times| budget.figure.of(times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_comes_as_often_after_any_other() {
        let mut after = [[0; 4]; 4];
        for round in 0..6 {
            let mut before = 3;
            for turn in 0..4 {
                let number = whose(turn, round, 4);
                after[number][before] += 1;
                before = number;
            }
        }
        assert_eq!(after, [[0, 2, 2, 2], [2, 0, 2, 2], [2, 2, 0, 2], [2, 2, 2, 0]]);
        assert_eq!([0, 1].map(|turn| whose(turn, 7, 2)), [0, 1]);
        assert_eq!(whose(0, 7, 1), 0);
    }
}
