//! The calendar-sync service as a process.

use std::process::ExitCode;

use calendar_sync::{Config, SERVICE, serve};
use clap::Parser;
use tokio::net::TcpListener;

fn main() -> ExitCode {
    let config = Config::parse();
    let otlp = config.service.otlp_endpoint.clone();
    boot::run(SERVICE, otlp.as_deref(), |shutdown| async move {
        let listener = TcpListener::bind(config.service.listen).await?;
        serve(config, listener, shutdown).await
    })
}
