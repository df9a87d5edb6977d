//! The auth service as a process.

use std::process::ExitCode;

fn main() -> ExitCode {
    auth::main(std::env::args_os())
}
