//! The scheduling service as a process of its own.

use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use scheduling::Config;
use tokio::net::TcpListener;

fn main() -> ExitCode {
    let config = Config::parse();
    let export = config.service.export.clone();
    boot::run(scheduling::NAME, &export, |shutdown| async move {
        let listener = TcpListener::bind(config.service.listen).await.context("LISTEN")?;
        scheduling::serve(config, listener, shutdown).await
    })
}
