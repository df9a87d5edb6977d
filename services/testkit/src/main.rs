//! `testkit stop`: stops the Postgres server that test binaries share.

use std::process::ExitCode;

fn main() -> ExitCode {
    let stopped = match std::env::args().nth(1).as_deref() {
        Some("stop") => testkit::stop(),
        _ => Err(anyhow::anyhow!("usage: testkit stop")),
    };
    match stopped {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("testkit: {error:#}");
            ExitCode::FAILURE
        }
    }
}
