//! The doors as a process of their own.

use std::process::ExitCode;

fn main() -> ExitCode {
    bff::main(std::env::args_os())
}
