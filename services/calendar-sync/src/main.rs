//! The calendar-sync service as a process.

use std::process::ExitCode;

use calendar_sync::{Config, SERVICE, serve};
use clap::Parser;
use tokio::net::TcpListener;

fn main() -> ExitCode {
    let config = Config::parse();
    let export = config.service.export.clone();
    boot::run(SERVICE, &export, |shutdown| async move {
        let listener = TcpListener::bind(config.service.listen).await?;
        serve(config, listener, shutdown).await
    })
}
