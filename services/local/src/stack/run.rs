//! Runs the services and the doors: in this process, or each in its own.

use core::time::Duration;
use std::{path::PathBuf, process::Stdio};

use anyhow::{Context, anyhow};
use clap::{Args, CommandFactory};
use database::JobConfig;
use futures::{FutureExt, future::BoxFuture};
use sea_orm::DbErr;
use tokio::{net::TcpListener, process::Command, task::JoinSet};
use tokio_util::sync::CancellationToken;

use super::plan::{DOORS, Environment, MEMBERS, Member, flags};
use crate::patience::{pauses, persist};

/// How long a machine may be too busy for a service to get a connection to its database when it starts.
const START_PATIENCE: Duration = Duration::from_secs(300);
/// A dead process is started again after this long.
const RESTART_AFTER: Duration = Duration::from_millis(500);

/// Parses a configuration out of nothing but flags.
#[derive(Debug, clap::Parser)]
#[command(no_binary_name = true)]
struct Only<C: Args> {
    #[command(flatten)]
    config: C,
}

/// Parses a configuration out of `flags`.
///
/// # Errors
/// What clap says of them.
pub fn parse<C: Args>(flags: impl IntoIterator<Item = String>) -> anyhow::Result<C> {
    <Only<C> as clap::Parser>::try_parse_from(flags)
        .map(|only| only.config)
        .map_err(|error| anyhow!("{error}"))
}

/// The processes of the installation, until they are told to stop.
pub type Running = JoinSet<anyhow::Result<()>>;

/// Starts every service and the doors in this process.
///
/// # Errors
/// A configuration that isn't one, a port that is taken.
pub async fn in_process(
    services: Vec<Environment>,
    doors: Environment,
    shutdown: &CancellationToken,
) -> anyhow::Result<Running> {
    let mut running = JoinSet::new();
    for (member, environment) in MEMBERS.into_iter().zip(services) {
        let listener = listen(&environment).await?;
        running.spawn(serve(member, environment, listener, shutdown.clone()));
    }
    let listener = listen(&doors).await?;
    running.spawn(bff::serve(parse(flags(&doors))?, listener, shutdown.clone()));
    Ok(running)
}

/// Serves in this process. A service that the machine was too busy to give a connection to its database starts again:
/// beside the others it has no supervisor that would start it.
async fn serve(
    member: Member,
    environment: Environment,
    first: TcpListener,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let mut first = Some(first);
    let passes = |error: &anyhow::Error| is_busy(error) && !stop.is_cancelled();
    persist(member.name, pauses(START_PATIENCE), passes, || {
        let (bound, attempt, environment) = (first.take(), stop.child_token(), &environment);
        async move {
            let listener = match bound {
                Some(listener) => listener,
                None => listen(environment).await?,
            };
            let served = service(member, flags(environment), listener, attempt.clone())?.await;
            // Ends what the attempt began beside its port.
            attempt.cancel();
            served
        }
    })
    .await
}

/// Whether a database was too busy, or not there yet.
fn is_busy(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref::<DbErr>().is_some_and(database::transient))
}

fn service(
    member: Member,
    flags: Vec<String>,
    listener: TcpListener,
    stop: CancellationToken,
) -> anyhow::Result<BoxFuture<'static, anyhow::Result<()>>> {
    Ok(match member.name {
        "auth" => auth::serve(parse(flags)?, listener, stop).boxed(),
        "tenancy" => tenancy::serve(parse(flags)?, listener, stop).boxed(),
        "scheduling" => scheduling::serve(parse(flags)?, listener, stop).boxed(),
        "calendar-sync" => calendar_sync::serve(parse(flags)?, listener, stop).boxed(),
        _ => telemetry::serve(parse(flags)?, listener, stop).boxed(),
    })
}

/// Prepares each restored database for its service, one after another.
///
/// # Errors
/// What the service says.
pub async fn after_restore(services: &[Environment], shutdown: &CancellationToken) -> anyhow::Result<()> {
    for (member, environment) in MEMBERS.into_iter().zip(services) {
        let job = JobConfig { after_restore: true, ..job(environment)? };
        let stop = shutdown.child_token();
        let prepared = match member.name {
            "auth" => auth::prepare_database(job, stop).await,
            "tenancy" => tenancy::prepare_database(job, stop).await,
            "scheduling" => scheduling::prepare_database(job, stop).await,
            "calendar-sync" => calendar_sync::prepare_database(job, stop).await,
            _ => telemetry::prepare_database(job, stop).await,
        };
        prepared.with_context(|| format!("{} --after-restore", member.name))?;
    }
    Ok(())
}

/// What a job is told of what its service is told.
fn job(service: &Environment) -> anyhow::Result<JobConfig> {
    let command = JobConfig::command();
    let settings: Vec<_> = command.get_arguments().filter_map(clap::Arg::get_env).collect();
    let known = service.iter().filter(|(name, _)| settings.iter().any(|setting| *setting == **name));
    parse(flags(&known.map(|(name, value)| (*name, value.clone())).collect()))
}

async fn listen(environment: &Environment) -> anyhow::Result<TcpListener> {
    let address = &environment["LISTEN"];
    TcpListener::bind(address).await.with_context(|| format!("the port of {address} is taken"))
}

/// Starts each service and the doors as a process of its own, and again when it dies.
///
/// # Errors
/// When our own program can't be found, or a port is taken.
pub async fn as_processes(
    services: Vec<Environment>,
    doors: Environment,
    shutdown: &CancellationToken,
) -> anyhow::Result<Running> {
    let program = std::env::current_exe().context("finding our own program")?;
    // Processes are started again when they end, and a taken port would end them again and again.
    for environment in services.iter().chain([&doors]) {
        drop(listen(environment).await?);
    }
    let mut running = JoinSet::new();
    let names = MEMBERS.into_iter().map(|member| member.name).chain([DOORS]);
    for (name, environment) in names.zip(services.into_iter().chain([doors])) {
        running.spawn(supervise(program.clone(), name, environment, shutdown.clone()));
    }
    Ok(running)
}

async fn supervise(
    program: PathBuf,
    name: &'static str,
    environment: Environment,
    shutdown: CancellationToken,
) -> anyhow::Result<()> {
    loop {
        let mut child = Command::new(&program)
            .arg(name)
            .envs(&environment)
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("starting {name}"))?;
        tracing::info!(service = name, pid = child.id(), "started");
        tokio::select! {
            () = shutdown.cancelled() => {
                // The child hears Ctrl-C itself; a lone SIGTERM to us is passed on.
                if let Some(pid) = child.id() {
                    drop(Command::new("kill").arg(pid.to_string()).status().await);
                }
                child.wait().await?;
                return Ok(());
            }
            status = child.wait() => tracing::warn!(service = name, status = %status?, "died; starting it again"),
        }
        tokio::time::sleep(RESTART_AFTER).await;
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::ConnAcquireErr;

    use super::*;

    #[test]
    fn a_service_starts_again_when_its_database_was_too_busy_and_not_for_other_reasons() {
        let timed_out = || DbErr::ConnectionAcquire(ConnAcquireErr::Timeout);
        assert!(is_busy(&timed_out().into()));
        assert!(is_busy(
            &anyhow::Error::from(tenancy::Error::Busy(timed_out())).context("wrapping data keys")
        ));
        assert!(!is_busy(&DbErr::Custom("a migration is missing".to_owned()).into()));
        assert!(!is_busy(&anyhow!("the port is taken")));
    }
}
