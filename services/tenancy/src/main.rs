//! The tenancy service as a process.

use std::process::ExitCode;

fn main() -> ExitCode {
    tenancy::main(std::env::args_os())
}
