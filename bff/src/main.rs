//! The doors as a process of their own.

use std::process::ExitCode;

use clap::Parser;

/// The browser and voice doors of Frontdesk.
#[derive(Debug, Parser)]
#[command(name = "bff", version)]
struct Main {
    #[command(flatten)]
    config: bff::Config,
}

fn main() -> ExitCode {
    bff::run(Main::parse().config)
}
