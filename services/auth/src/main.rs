//! The auth service as a process of its own.

use std::process::ExitCode;

use clap::Parser;

/// Accounts, sessions and memberships.
#[derive(Debug, Parser)]
#[command(name = "auth", version)]
struct Main {
    #[command(flatten)]
    cli: auth::Cli,
}

fn main() -> ExitCode {
    auth::run(Main::parse().cli)
}
