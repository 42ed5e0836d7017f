//! Why a command ended without its result: the data or the model is at fault, or the command line.

use std::fmt;
use std::path::Path;

use crate::Outcome;

#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) outcome: Outcome,
    text: String,
}

impl Fault {
    /// The data or the model is at fault.
    pub(crate) fn data(text: String) -> Fault {
        Fault { outcome: Outcome::Fault, text }
    }

    /// A model is at fault that was read: its file is named as in errors of reading it.
    pub(crate) fn of_model(path: &Path) -> impl Fn(ndcast::Error) -> Fault {
        move |error| Fault::data(format!("at {}: {error}", path.display()))
    }

    /// The command line is at fault.
    pub(crate) fn usage(what: impl fmt::Display) -> Fault {
        Fault { outcome: Outcome::Usage, text: what.to_string() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<ndcast::Error> for Fault {
    fn from(error: ndcast::Error) -> Fault {
        Fault::data(error.to_string())
    }
}
