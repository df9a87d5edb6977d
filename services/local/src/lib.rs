//! The installation on one machine: a private Postgres and Redis, the five
//! services, the doors, and the demo businesses.

mod all;
mod bench;
pub mod demo;
pub mod demo_call;
mod demo_model;
mod filling;
mod patience;
mod readiness;
pub mod stack;
pub mod telephone;
pub mod visitor;

use std::{ffi::OsString, path::PathBuf, process::ExitCode};

use boot::telemetry::ExportConfig;
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
    #[command(disable_help_flag = true)]
    Auth(Own),
    /// Businesses, employees, customers.
    #[command(disable_help_flag = true)]
    Tenancy(Own),
    /// Catalogue, availability, bookings.
    #[command(disable_help_flag = true)]
    Scheduling(Own),
    /// Calendars in step.
    #[command(disable_help_flag = true)]
    CalendarSync(Own),
    /// Calls and insights.
    #[command(disable_help_flag = true)]
    Telemetry(Own),
    /// The browser door and the voice door.
    #[command(disable_help_flag = true)]
    Bff(Own),
    /// Prints a one-time link with which the first ADMIN sets a password.
    CreateAdmin(CreateAdminArgs),
    /// Loads a running installation and prints what it saw beside the targets.
    Bench(bench::BenchArgs),
    /// Plays a recorded telephone conversation through the signed webhooks.
    DemoCall(DemoCallArgs),
}

/// What a program of its own reads itself.
#[derive(Debug, clap::Args)]
struct Own {
    /// As the program has them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

impl Own {
    /// The program's command line.
    fn line(self, program: &str) -> impl Iterator<Item = OsString> + use<> {
        core::iter::once(OsString::from(program)).chain(self.arguments)
    }
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
    /// Whose call it is.
    #[arg(long, env = "PLATFORM", value_enum, default_value = "retell")]
    platform: demo_call::Platform,
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
        Command::Auth(own) => auth::main(own.line("auth")),
        Command::Tenancy(own) => tenancy::main(own.line("tenancy")),
        Command::Scheduling(own) => scheduling::main(own.line("scheduling")),
        Command::CalendarSync(own) => calendar_sync::main(own.line("calendar-sync")),
        Command::Telemetry(own) => telemetry::main(own.line("telemetry")),
        Command::Bff(own) => bff::main(own.line("bff")),
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

async fn demo_call(args: DemoCallArgs) -> anyhow::Result<()> {
    let secret = stack::Secrets::open(&args.data.join("secrets"))?.get(&args.platform.secret_name())?;
    let pace = if args.fast { demo_call::Pace::Fast } else { demo_call::Pace::Watchable };
    demo_call::play(&args.url, args.platform, &secret, pace).await.map(drop)
}
