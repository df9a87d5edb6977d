//! Each program that ships, started beside the installation as one more replica: how soon it is ready, and
//! what it takes while nothing is asked of it.

use core::time::Duration;
use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::Stdio,
    time::Instant,
};

use anyhow::{Context, ensure};
use bff::voice::model::ModelConfig;
use boot::telemetry::ExportConfig;
use calendar_sync::GoogleConfig;
use tokio::{
    process::{Child, Command},
    time::{interval, sleep},
};
use tonic::transport::Endpoint;
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

use super::{BenchArgs, print, resident_mb};
use crate::stack::{
    Secrets,
    plan::{DOORS, Environment, MEMBERS, Plan},
};

const STARTS: usize = 7;
const POLL: Duration = Duration::from_millis(2);
const READY_WITHIN: Duration = Duration::from_secs(20);
/// Pools and followers have settled by then.
const IDLE_FOR: Duration = Duration::from_secs(10);

/// Prints each program's size, the median of its starts and what it takes when idle.
///
/// # Errors
/// A program that is missing or does not get ready.
pub async fn measure(args: &BenchArgs) -> anyhow::Result<()> {
    let plan = plan(args)?;
    let mut environments = vec![];
    for member in MEMBERS {
        environments.push((member.name, plan.service(member)?));
    }
    environments.push((DOORS, plan.doors()?));
    for (name, environment) in environments {
        let program = args.programs.join(name);
        let size = fs::metadata(&program).with_context(|| format!("{}", program.display()))?.len();
        print(&format!("{name}: size of the program"), "< 40 MB", &format!("{:.1} MB", size as f64 / 1e6));
        let mut times = vec![];
        for _ in 0..STARTS {
            let (mut child, time) = start(&program, name, &environment).await?;
            times.push(time);
            child.kill().await?;
        }
        times.sort_unstable();
        let (median, last) = (times[STARTS / 2], times[STARTS - 1]);
        let measured = format!("{} ms (slowest {}, n {STARTS})", median.as_millis(), last.as_millis());
        print(&format!("{name}: ready after its start"), "≤ 300 ms", &measured);
        let (mut child, _) = start(&program, name, &environment).await?;
        sleep(IDLE_FOR).await;
        let resident = resident_mb(child.id().context("it ended")?)?;
        print(&format!("{name}: resident when idle"), "≤ 25 MB", &format!("{resident} MB"));
        child.kill().await?;
    }
    Ok(())
}

/// The running installation's.
fn plan(args: &BenchArgs) -> anyhow::Result<Plan> {
    let url: reqwest::Url = args.url.parse()?;
    Ok(Plan {
        model: ModelConfig::default(),
        google_calendar: GoogleConfig::default(),
        booking_system: false,
        port: url.port_or_known_default().context("an address without a port")?,
        base_port: args.base_port,
        through: 0,
        web: PathBuf::from("web/dist/production"),
        mail: args.data.join("mail"),
        recordings: args.data.join("recordings"),
        export: ExportConfig::default(),
        watched: false,
        secrets: Secrets::open(&args.data.join("secrets"))?,
        tls: None,
        google: None,
    })
}

/// Starts a program on a free port, and waits until it serves.
async fn start(program: &Path, name: &str, environment: &Environment) -> anyhow::Result<(Child, Duration)> {
    let listen = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.to_string();
    let mut command = Command::new(program);
    command.envs(environment).env("LISTEN", &listen).env("RUST_LOG", "warn");
    command.stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
    let began = Instant::now();
    let child = command.spawn().with_context(|| format!("starting {}", program.display()))?;
    let mut polls = interval(POLL);
    loop {
        polls.tick().await;
        let serves = if name == DOORS { door_serves(&listen).await } else { serves(&listen).await };
        if serves {
            return Ok((child, began.elapsed()));
        }
        ensure!(began.elapsed() < READY_WITHIN, "{name} is not ready after {READY_WITHIN:?}");
    }
}

async fn serves(address: &str) -> bool {
    let asked = async {
        let channel = Endpoint::from_shared(format!("http://{address}"))?.connect().await?;
        let answer = HealthClient::new(channel).check(HealthCheckRequest::default()).await?;
        anyhow::Ok(answer.into_inner().status() == ServingStatus::Serving)
    };
    asked.await.unwrap_or(false)
}

async fn door_serves(address: &str) -> bool {
    let answer = reqwest::get(format!("http://{address}/readyz")).await;
    answer.is_ok_and(|answer| answer.status().is_success())
}
