//! A process from start to exit.

use core::time::Duration;
use std::process::ExitCode;

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::telemetry::{ExportConfig, Telemetry};

/// What is left of the process when it has stopped gets this long.
const REMAINS: Duration = Duration::from_secs(2);

/// Runs `main` with telemetry until it returns; SIGTERM and SIGINT ask it to stop.
///
/// Telemetry is flushed whatever the outcome.
pub fn run<F, Main>(service: &'static str, export: &ExportConfig, main: Main) -> ExitCode
where
    Main: FnOnce(CancellationToken) -> F,
    F: Future<Output = anyhow::Result<()>>,
{
    leave_huge_pages();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("{service}: no runtime: {error}");
            return ExitCode::FAILURE;
        }
    };
    let code = runtime.block_on(async {
        let telemetry = match Telemetry::start(service, export) {
            Ok(telemetry) => telemetry,
            Err(error) => {
                eprintln!("{service}: {error:#}");
                return ExitCode::FAILURE;
            }
        };
        let code = outcome(main).await;
        telemetry.stop().await;
        code
    });
    runtime.shutdown_timeout(REMAINS);
    code
}

/// Where the machine gives every process huge pages, an idle service holds twice as much for nothing.
fn leave_huge_pages() {
    #[cfg(target_os = "linux")]
    if let Err(error) = nix::sys::prctl::set_thp_disable(true) {
        eprintln!("huge pages stay on: {error}");
    }
}

async fn outcome<F, Main>(main: Main) -> ExitCode
where
    Main: FnOnce(CancellationToken) -> F,
    F: Future<Output = anyhow::Result<()>>,
{
    let shutdown = CancellationToken::new();
    if let Err(error) = stop_on_signal(shutdown.clone()) {
        tracing::error!(%error, "signals can't be heard");
        return ExitCode::FAILURE;
    }
    match main(shutdown).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(error = format!("{error:#}"), "stopped by an error");
            ExitCode::FAILURE
        }
    }
}

fn stop_on_signal(shutdown: CancellationToken) -> std::io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => tracing::info!(signal = "SIGTERM", "stopping"),
            _ = interrupt.recv() => tracing::info!(signal = "SIGINT", "stopping"),
        }
        shutdown.cancel();
    });
    Ok(())
}
