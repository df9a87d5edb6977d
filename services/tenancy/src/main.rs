//! The tenancy service as a process of its own.

use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use tenancy::Config;
use tokio::net::TcpListener;

/// Businesses, their people and their voice connections.
#[derive(Debug, Parser)]
struct Cli {
    #[command(flatten)]
    config: Config,
}

fn main() -> ExitCode {
    let Cli { config } = Cli::parse();
    let export = config.service.export.clone();
    boot::run(tenancy::NAME, &export, |shutdown| async move {
        let listen = config.service.listen;
        let listener = TcpListener::bind(listen).await.with_context(|| format!("binding {listen}"))?;
        tenancy::serve(config, listener, shutdown).await
    })
}
