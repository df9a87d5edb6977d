//! `testkit stop`: stops the Postgres server that test binaries share.
//! `testkit troubles`: prints what that server has logged about crashes and a lack of disk or memory.

use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match std::env::args().nth(1).as_deref() {
        Some("stop") => testkit::stop(),
        Some("troubles") => testkit::troubles().map(|troubles| print!("{troubles}")),
        _ => Err(anyhow::anyhow!("usage: testkit stop | troubles")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("testkit: {error:#}");
            ExitCode::FAILURE
        }
    }
}
