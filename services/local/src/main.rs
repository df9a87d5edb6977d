//! `local all` runs the whole installation on one machine; `local auth` and so on
//! run one service as a process of its own.

use std::process::ExitCode;

use clap::Parser;
use local::Cli;

fn main() -> ExitCode {
    local::main(Cli::parse())
}
