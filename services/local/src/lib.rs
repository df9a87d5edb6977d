//! The installation on one machine: a private Postgres and Redis, the five
//! services, the doors, and the demo businesses.

mod all;
mod bench;
pub mod demo;
pub mod demo_call;
pub mod stack;
pub mod visitor;

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};

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
    /// Loads a running installation and prints what it saw beside the targets.
    Bench(bench::BenchArgs),
    /// Plays a recorded telephone conversation through the signed webhooks.
    DemoCall(DemoCallArgs),
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
            let endpoint = args.otlp_endpoint.clone();
            boot::run("local", endpoint.as_deref(), |shutdown| all::run(args, shutdown))
        }
        Command::Auth(cli) => auth::run(cli),
        Command::Tenancy(config) => tenancy::run(config),
        Command::Scheduling(config) => scheduling::run(config),
        Command::CalendarSync(config) => calendar_sync::run(config),
        Command::Telemetry(config) => telemetry::run(config),
        Command::Bff(config) => bff::run(config),
        Command::Bench(args) => boot::run("bench", None, |_| bench::run(args)),
        Command::DemoCall(args) => boot::run("demo-call", None, |_| demo_call(args)),
    }
}

async fn demo_call(args: DemoCallArgs) -> anyhow::Result<()> {
    let secret = stack::Secrets::open(&args.data.join("secrets"))?.get("retell-demo-key")?;
    let pace = if args.fast { demo_call::Pace::Fast } else { demo_call::Pace::Watchable };
    demo_call::play(&args.url, demo::salon::CONNECTION, &secret, pace).await.map(drop)
}
