//! The installation on one machine: a private Postgres and Redis, the five
//! services, the doors, and the demo businesses.

mod all;
mod bench;
pub mod demo;
pub mod demo_call;
pub mod stack;
pub mod telephone;
pub mod visitor;

use std::{path::PathBuf, process::ExitCode};

use anyhow::Context;
use boot::{config::ServiceConfig, telemetry::ExportConfig};
use clap::{Parser, Subcommand};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub use all::AllArgs;

/// Command line of the multi-call binary.
#[derive(Debug, Parser)]
#[command(name = "local", version, about = "Frontdesk on one machine")]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Everything: Postgres, Redis, services, doors, demo data.
    All(AllArgs),
    /// Accounts, sessions and memberships.
    Auth(auth::Cli),
    /// Businesses, employees, customers.
    Tenancy(tenancy::Config),
    /// Catalogue, availability, bookings.
    Scheduling(scheduling::Config),
    /// Calendars in step.
    CalendarSync(calendar_sync::Config),
    /// Calls and insights.
    Telemetry(telemetry::Config),
    /// The browser door and the voice door.
    Bff(bff::Config),
    /// Prints a one-time link with which the first ADMIN sets a password.
    CreateAdmin(CreateAdminArgs),
    /// Loads a running installation and prints what it saw beside the targets.
    Bench(bench::BenchArgs),
    /// Plays a recorded telephone conversation through the signed webhooks.
    DemoCall(DemoCallArgs),
}

/// Flags of `local create-admin`.
#[derive(Debug, clap::Args)]
struct CreateAdminArgs {
    /// Whose account it is.
    #[arg(long)]
    email: String,
    #[command(flatten)]
    installation: AllArgs,
}

/// Flags of `local demo-call`.
#[derive(Debug, clap::Args)]
struct DemoCallArgs {
    /// Where Frontdesk runs.
    #[arg(long, env = "FRONTDESK_URL", default_value = "http://localhost:8080")]
    url: String,
    /// Folder with the installation's secrets.
    #[arg(long, default_value = ".local")]
    data: PathBuf,
    /// No pauses between the steps.
    #[arg(long)]
    fast: bool,
}

/// Runs what the command line asks for.
pub fn main(cli: Cli) -> ExitCode {
    match cli.command {
        Command::All(args) => {
            let export = args.export.clone();
            boot::run("local", &export, |shutdown| all::run(args, shutdown))
        }
        Command::Auth(cli) => auth::run(cli),
        Command::Tenancy(config) => {
            process("tenancy", config.service.clone(), |port, stop| tenancy::serve(config, port, stop))
        }
        Command::Scheduling(config) => {
            process("scheduling", config.service.clone(), |port, stop| scheduling::serve(config, port, stop))
        }
        Command::CalendarSync(config) => process("calendar-sync", config.service.clone(), |port, stop| {
            calendar_sync::serve(config, port, stop)
        }),
        Command::Telemetry(config) => {
            process("telemetry", config.service.clone(), |port, stop| telemetry::serve(config, port, stop))
        }
        Command::Bff(config) => bff::run(config),
        Command::CreateAdmin(args) => create_admin(&args),
        Command::Bench(args) => boot::run("bench", &ExportConfig::default(), |_| bench::run(args)),
        Command::DemoCall(args) => boot::run("demo-call", &ExportConfig::default(), |_| demo_call(args)),
    }
}

/// `auth create-admin` in the environment of an installation that runs.
fn create_admin(args: &CreateAdminArgs) -> ExitCode {
    let command = ["create-admin".to_owned(), format!("--email={}", args.email)];
    let flags = match args.installation.auth_flags() {
        Ok(flags) => flags,
        Err(error) => {
            eprintln!("{error:#}");
            return ExitCode::FAILURE;
        }
    };
    match stack::run::parse::<auth::Cli>(flags.into_iter().chain(command)) {
        Ok(cli) => auth::run(cli),
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one service as a process.
fn process<F, Serve>(name: &'static str, config: ServiceConfig, serve: Serve) -> ExitCode
where
    Serve: FnOnce(TcpListener, CancellationToken) -> F,
    F: Future<Output = anyhow::Result<()>>,
{
    boot::run(name, &config.export.clone(), |shutdown| async move {
        let listen = config.listen;
        let listener = TcpListener::bind(listen).await.with_context(|| format!("binding {listen}"))?;
        serve(listener, shutdown).await
    })
}

async fn demo_call(args: DemoCallArgs) -> anyhow::Result<()> {
    let secret = stack::Secrets::open(&args.data.join("secrets"))?.get("retell-demo-key")?;
    let pace = if args.fast { demo_call::Pace::Fast } else { demo_call::Pace::Watchable };
    demo_call::play(&args.url, demo::salon::CONNECTION, &secret, pace).await.map(drop)
}
