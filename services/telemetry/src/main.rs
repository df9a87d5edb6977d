//! The telemetry service as a process.

use std::process::ExitCode;

use clap::Parser;
use telemetry::{Config, SERVICE, serve};
use tokio::net::TcpListener;

fn main() -> ExitCode {
    let config = Config::parse();
    let export = config.service.export.clone();
    boot::run(SERVICE, &export, |shutdown| async move {
        let listener = TcpListener::bind(config.service.listen).await?;
        serve(config, listener, shutdown).await
    })
}
