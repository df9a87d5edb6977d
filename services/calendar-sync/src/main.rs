//! The calendar-sync service as a process.

use std::process::ExitCode;

fn main() -> ExitCode {
    calendar_sync::main(std::env::args_os())
}
