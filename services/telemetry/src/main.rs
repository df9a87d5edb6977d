//! The telemetry service as a process.

use std::process::ExitCode;

fn main() -> ExitCode {
    telemetry::main(std::env::args_os())
}
