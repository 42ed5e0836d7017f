//! A line on a terminal while something takes long. It is on stderr, so that what goes to stdout stays what it is.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Nobody wonders before.
const PATIENCE: Duration = Duration::from_secs(1);
const STEP: Duration = Duration::from_millis(500);

/// Says what is being done and for how long, as long as this lives.
pub(crate) struct Progress(Option<(Sender<()>, JoinHandle<()>)>);

impl Progress {
    /// Says so on stderr if that is a terminal.
    pub(crate) fn of(doing: String) -> Progress {
        if !io::stderr().is_terminal() {
            return Progress(None);
        }
        let (done, is_done) = mpsc::channel();
        let begun = Instant::now();
        let show = move || {
            let mut wait = PATIENCE;
            let mut shown = false;
            while let Err(RecvTimeoutError::Timeout) = is_done.recv_timeout(wait) {
                wait = STEP;
                shown = true;
                line(&format!("\r{doing} ... {} s", begun.elapsed().as_secs()));
            }
            if shown {
                line("\r\x1b[K");
            }
        };
        Progress(Some((done, thread::spawn(show))))
    }
}

fn line(text: &str) {
    let mut stderr = io::stderr().lock();
    // Who cannot be told is not told.
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.0.take() {
            drop(done);
            // It ends as soon as it hears that this is gone.
            let _ = thread.join();
        }
    }
}
