//! `local all`, from an empty folder to a ready front desk.

use std::{
    fs::{self, DirBuilder},
    os::unix::fs::DirBuilderExt,
    path::PathBuf,
    sync::Arc,
};

use anyhow::Context;
use bff::voice::model::ModelConfig;
use boot::{
    Host, clock::Clock, config::Secret, drain::DrainConfig, environment::Environment as Where, peer::Peer,
    security::SecurityProfile, telemetry::ExportConfig, transport::Transport,
};
use calendar_sync::GoogleConfig;
use caller::{Gate, Keyring, Signer, Verifier};
use database::Passwords;
use demo_provider::{Book, DemoProvider};
use jiff::tz::TimeZone;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::{
    demo::{Peers, salon},
    demo_model::{self, DemoModel},
    filling::{Filling, Past},
    readiness,
    stack::{
        Certificates, Client, Postgres, Program, Prometheus, Provider, Redis, Secrets,
        plan::{MEMBERS, Plan, flags},
        run::{self, Running},
    },
};

/// Flags of `local all`.
#[derive(Debug, Clone, clap::Args)]
pub struct AllArgs {
    /// Port of the browser door.
    #[arg(long, env = "PORT", default_value_t = 8080)]
    port: u16,
    /// Services listen on the ports above it, Postgres at +32, Redis at +79, the identity provider at +90,
    /// the demo's language model at +91, Prometheus at +95.
    #[arg(long, default_value_t = 7100)]
    base_port: u16,
    /// Processes reach each other, Postgres and Redis this far above their ports, where a proxy listens.
    #[arg(long, default_value_t = 0)]
    through: u16,
    /// Databases, secrets and logs live here.
    #[arg(long, default_value = ".local")]
    data: PathBuf,
    /// The built SPA.
    #[arg(long, default_value = "web/dist/development")]
    web: PathBuf,
    /// Each service as a process of its own.
    #[arg(long)]
    processes: bool,
    /// Services talk to each other over TLS, with certificates of an authority made at each start.
    #[arg(long)]
    tls: bool,
    /// The databases were restored: prepares each for its service, before any starts.
    #[arg(long)]
    after_restore: bool,
    /// Leaves the demo businesses out.
    #[arg(long)]
    no_demo: bool,
    /// Days from today that the demo salon has bookings for.
    #[arg(long, default_value_t = 14)]
    demo_days: u8,
    /// Gives the demo salon a year of history, when it is made.
    #[arg(long)]
    demo_year: bool,
    /// Client id at Google; without one, a page on this machine stands in for it.
    #[arg(long, env = "GOOGLE_CLIENT_ID")]
    google_client_id: Option<String>,
    /// The client's secret.
    #[arg(long, env = "GOOGLE_CLIENT_SECRET", hide_env_values = true)]
    google_client_secret: Option<Secret>,
    /// Who we are at Google Calendar; without a client id no calendar there is offered.
    #[command(flatten)]
    google_calendar: GoogleConfig,
    /// What the agent speaks with; without a model, a few rules on this machine stand in for one.
    #[command(flatten)]
    model: ModelConfig,
    /// Where telemetry goes.
    #[command(flatten)]
    pub(crate) export: ExportConfig,
    /// A Prometheus of version 3 to start beside the installation, and to send metrics to.
    #[arg(long, requires = "processes", conflicts_with = "otlp_endpoint")]
    prometheus: Option<PathBuf>,
    /// Folder with its configuration and console.
    #[arg(long, default_value = "charts/monitoring")]
    monitoring: PathBuf,
}

impl AllArgs {
    fn plan(&self, data: &std::path::Path) -> anyhow::Result<Plan> {
        let google = self.google_client_id.clone().filter(|id| !id.is_empty()).map(|id| Client {
            id,
            secret: self.google_client_secret.as_ref().map(Secret::expose).unwrap_or_default().to_owned(),
            issuer: "https://accounts.google.com".to_owned(),
        });
        Ok(Plan {
            google,
            model: self.model.clone(),
            booking_system: false,
            google_calendar: self.google_calendar.clone(),
            port: self.port,
            base_port: self.base_port,
            through: self.through,
            web: self.web.clone(),
            mail: data.join("mail"),
            recordings: data.join("recordings"),
            export: self.export.clone(),
            watched: self.prometheus.is_some(),
            secrets: Secrets::open(&data.join("secrets"))?,
            tls: self.tls.then(|| Certificates::in_folder(&data.join("tls"))),
        })
    }

    /// The flags of `auth` in this installation, for its one-off commands.
    pub(crate) fn auth_flags(&self) -> anyhow::Result<Vec<String>> {
        Ok(flags(&self.plan(&self.data)?.service(MEMBERS[0])?))
    }
}

/// Starts everything, says when it is ready, and stops everything.
pub async fn run(args: AllArgs, shutdown: CancellationToken) -> anyhow::Result<()> {
    // Other users may pass through it, as Postgres does where we are root, and see nothing of what is in it.
    DirBuilder::new().recursive(true).mode(0o711).create(&args.data)?;
    let data = fs::canonicalize(&args.data)?;
    let mut plan = args.plan(&data)?;
    // Held until the end, and first: it gets ready while Postgres does.
    let _provider = stand_in(&args, &mut plan, &data).await?;
    let _model = demo_model(&args, &mut plan).await;
    booking_system(&args, &mut plan, shutdown.clone()).await?;
    if let Some(tls) = &plan.tls {
        tls.make().context("making certificates")?;
    }
    let password = plan.secrets.get("postgres-superuser")?;
    let postgres = Postgres::start(&data.join("postgres"), plan.postgres_port(), &password)?;
    let mut redis = Redis::start(&data.join("redis"), plan.redis_port(), &plan.redis_password()?)?;
    let prometheus = match &args.prometheus {
        Some(program) => {
            let (folder, port) = (data.join("prometheus"), plan.prometheus_port());
            Some(Prometheus::start(program, &args.monitoring, &folder, port).await)
        }
        None => None,
    };
    let superuser = plan.postgres_url("postgres", &password, "postgres");
    let outcome = match prometheus.transpose() {
        Ok(_held) => installation(&args, &plan, &superuser, &data, &shutdown).await,
        Err(error) => Err(error),
    };
    redis.stop();
    postgres.stop()?;
    outcome
}

/// Starts the demo booking system of Willow, with its own data and a page to edit it, unless there is no demo.
async fn booking_system(args: &AllArgs, plan: &mut Plan, shutdown: CancellationToken) -> anyhow::Result<()> {
    if args.no_demo {
        return Ok(());
    }
    let listener = match TcpListener::bind(("127.0.0.1", plan.booking_system_port())).await {
        Ok(listener) => listener,
        Err(error) => {
            tracing::warn!(%error, "the demo booking system can't be started");
            return Ok(());
        }
    };
    let zone = TimeZone::get(salon::BUSINESSES[0].time_zone)?;
    let people = salon::EMPLOYEES.each_ref().map(|employee| employee.name);
    let treatments = salon::SERVICES.each_ref().map(|service| service.name);
    let book = Book::new(salon::BUSINESSES[0].name, demo_provider::TOKEN, zone, &people, &treatments);
    tokio::spawn(DemoProvider::new(book, Clock::system()).serve(listener, shutdown));
    plan.booking_system = true;
    Ok(())
}

/// Starts a provider on this machine when Google is not configured and Node.js is there.
async fn stand_in(
    args: &AllArgs,
    plan: &mut Plan,
    data: &std::path::Path,
) -> anyhow::Result<Option<Provider>> {
    let Some(program) = Program::beside(&args.web).filter(|_| plan.google.is_none()) else { return Ok(None) };
    let client = Client {
        id: "frontdesk".to_owned(),
        secret: plan.secrets.get("provider-client")?,
        issuer: format!("http://127.0.0.1:{}", plan.provider_port()),
    };
    let people = salon::ACCOUNTS.map(|(local_part, name, ..)| (format!("{local_part}@demo.test"), name));
    match program.start(plan, &client, &people, &data.join("provider.log")).await {
        Ok(provider) => {
            plan.google = Some(client);
            Ok(Some(provider))
        }
        Err(error) => {
            tracing::warn!(error = format!("{error:#}"), "there is no sign-in with Google");
            Ok(None)
        }
    }
}

/// Starts a model of rules when none is configured and there is a demo salon to call.
async fn demo_model(args: &AllArgs, plan: &mut Plan) -> Option<DemoModel> {
    if args.no_demo || plan.model.agent_model_url.as_ref().is_some_and(|url| !url.is_empty()) {
        return None;
    }
    match DemoModel::start(plan.model_port()).await {
        Ok(model) => {
            plan.model.agent_model_url = Some(format!("http://127.0.0.1:{}/v1", plan.model_port()));
            plan.model.agent_model = Some(demo_model::NAME.to_owned());
            Some(model)
        }
        Err(error) => {
            tracing::warn!(error = format!("{error:#}"), "our own agent has no model to speak with");
            None
        }
    }
}

async fn installation(
    args: &AllArgs,
    plan: &Plan,
    superuser: &str,
    data: &std::path::Path,
    shutdown: &CancellationToken,
) -> anyhow::Result<()> {
    bootstrap(plan, superuser).await?;
    let services =
        MEMBERS.into_iter().map(|member| plan.service(member)).collect::<anyhow::Result<Vec<_>>>()?;
    if args.after_restore {
        run::after_restore(&services, shutdown).await?;
    }
    let doors = plan.doors()?;
    // Whatever ends the installation ends its parts as well.
    let parts = shutdown.child_token();
    let mut running = if args.processes {
        run::as_processes(services, doors, &parts).await?
    } else {
        run::in_process(services, doors, &parts).await?
    };
    let outcome = tokio::select! {
        ended = first_end(&mut running) => ended,
        ready = ready(args, plan, data, shutdown) => match ready {
            Ok(()) => tokio::select! {
                ended = first_end(&mut running) => ended,
                () = shutdown.cancelled() => Ok(()),
            },
            Err(_) if shutdown.is_cancelled() => Ok(()),
            Err(error) => Err(error),
        },
    };
    parts.cancel();
    while running.join_next().await.is_some() {}
    outcome
}

async fn bootstrap(plan: &Plan, superuser: &str) -> anyhow::Result<()> {
    for member in MEMBERS {
        let role = member.name.replace('-', "_");
        let password = |kind: &str| plan.secrets.get(&format!("{role}_{kind}")).map(Secret::new);
        let passwords = Passwords { app: password("app")?, owner: password("owner")? };
        database::bootstrap(superuser, member.name, &passwords)
            .await
            .with_context(|| format!("preparing the database of {}", member.name))?;
    }
    Ok(())
}

/// Any part that ends before it was asked to ends the installation.
async fn first_end(running: &mut Running) -> anyhow::Result<()> {
    match running.join_next().await {
        Some(ended) => ended?.context("a service stopped"),
        None => Ok(()),
    }
}

async fn ready(
    args: &AllArgs,
    plan: &Plan,
    data: &std::path::Path,
    shutdown: &CancellationToken,
) -> anyhow::Result<()> {
    let filling = filling(plan, args, data, shutdown)?;
    readiness::wait_for_services(filling.services()).await?;
    readiness::wait_for_doors(&plan.public_url()).await?;
    if args.no_demo {
        announce(args, plan);
        return Ok(());
    }
    let unfilled = filling.open(&plan.secrets).await?;
    announce(args, plan);
    // The salon is open meanwhile, and stays so whatever becomes of its past.
    if let Err(error) = filling.finish(unfilled).await {
        eprintln!("The demo salon's past is not whole: {error:#}. It is filled up at the next start.");
    }
    Ok(())
}

/// What the demo is filled through.
fn filling(
    plan: &Plan,
    args: &AllArgs,
    data: &std::path::Path,
    shutdown: &CancellationToken,
) -> anyhow::Result<Filling> {
    let mut host = host(&plan.secrets, shutdown)?;
    if let Some(tls) = &plan.tls {
        host.transport = tls.transport("local")?;
    }
    let peer = |n: usize| Peer::lazy(MEMBERS[n].name, &plan.url_of(MEMBERS[n]), &host);
    let peers = Peers {
        auth: peer(0)?,
        tenancy: peer(1)?,
        scheduling: peer(2)?,
        calendar_sync: peer(3)?,
        telemetry: peer(4)?,
    };
    let wanted = if args.demo_year { Past::Year } else { Past::None };
    Ok(Filling::new(peers, host, data, wanted, args.demo_days.into()))
}

/// A host that calls the services in the name of `local`.
pub(crate) fn host(secrets: &Secrets, shutdown: &CancellationToken) -> anyhow::Result<Host> {
    let keyring = Arc::new(Keyring::parse(&fs::read_to_string(secrets.keyring("local"))?)?);
    let clock = Clock::system();
    Ok(Host {
        service: "local",
        gate: Gate::new(Verifier::new("local", keyring.clone()), clock.reader()),
        clock,
        signer: Signer::new(keyring),
        redis: None,
        cache: None,
        transport: Transport::default(),
        health_listen: None,
        leaving: shutdown.clone(),
        shutdown: shutdown.clone(),
        drain: DrainConfig::default().drain(),
        environment: Where::Development,
        security: SecurityProfile::of(Where::Development),
    })
}

fn announce(args: &AllArgs, plan: &Plan) {
    println!("Frontdesk is ready at {}", plan.public_url());
    if args.prometheus.is_some() {
        println!("Dashboards and alerts are at http://localhost:{}/user/console/", plan.prometheus_port());
    }
    println!("Mail is not sent but written into {}", args.data.join("mail").display());
    if !args.no_demo {
        println!("\nSign in with the password {}:", salon::PASSWORD);
        for (local_part, name, role, admin) in salon::ACCOUNTS {
            let role = if admin { "ADMIN" } else { role };
            println!("  {:<20} {role:<9} {name}", format!("{local_part}@demo.test"));
        }
        if plan.google.as_ref().is_some_and(|client| client.issuer.starts_with("http://")) {
            println!("\n\"Sign in with Google\" opens a page on this machine: sign in there under any name.");
        }
        if plan.booking_system {
            println!(
                "\nThe salon's own booking system, to connect and to edit: {}",
                plan.booking_system_url()
            );
        }
        println!(
            "\n`make demo-call` plays a telephone call (PLATFORM=retell, vapi, twilio or elevenlabs). Ctrl-C stops everything."
        );
    }
}
