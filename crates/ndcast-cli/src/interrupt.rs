//! What happens when somebody interrupts the command: files that are half written go away.

use ndcast::format::data;

/// What a shell says of a command that was interrupted.
const INTERRUPTED: i32 = 130;

/// On an interrupt or a request to end, removes what is written aside, and ends.
pub(crate) fn remove_unfinished_files() {
    // Without the handler the command does all else that it does.
    let _ = ctrlc::set_handler(|| {
        data::remove_unfinished();
        std::process::exit(INTERRUPTED);
    });
}
