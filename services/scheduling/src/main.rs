//! The scheduling service as a process.

use std::process::ExitCode;

fn main() -> ExitCode {
    scheduling::main(std::env::args_os())
}
