//! The doors: what the outside reaches of the installation.
//!
//! The browser door serves the page, REST and the live socket to people; the
//! voice door takes what voice platforms deliver. Both are one process or two,
//! hold no data and decide nothing but who may come in.

pub mod body;
pub mod browser;
pub mod calendar_feeds;
pub mod calendars;
mod closing;
pub mod config;
pub mod contract;
pub mod edge;
pub mod gateway;
pub mod provider_pushes;
pub mod refusal;
pub mod voice;

use core::time::Duration;
use std::{ffi::OsString, process::ExitCode, sync::Arc};

use anyhow::Context;
use axum::{Router, extract::State, routing::get};
use boot::{Host, config::Secret, settings};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

pub use config::{Config, Door};
pub use gateway::Gateway;

use browser::{
    Admissions, Browser, CursorKey, KeySet, Live, Page, PageReports, Record, RequestRate, Told, Xsrf,
};
use closing::Open;
use edge::{Edge, Limits, Rate, Sampling};
use refusal::Refusal;
use voice::{Conversations, Line, LostCalls, chat::Chats};

/// The doors' name, in passports and telemetry.
pub const NAME: &str = "bff";

/// Runs the doors' command line, the program's name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let config = match settings::read::<Config>(NAME, arguments) {
        Ok(config) => config,
        Err(code) => return code,
    };
    let export = config.export.clone();
    boot::run(NAME, &export, |leaving| async move {
        let listen = config.listen;
        let listener = TcpListener::bind(listen).await.with_context(|| format!("binding LISTEN {listen}"))?;
        serve(config, listener, leaving).await
    })
}

/// Opens the doors; when they are `leaving`, they are no longer ready, and close a while later.
///
/// # Errors
/// A configuration that must not be served.
pub async fn serve(config: Config, listener: TcpListener, leaving: CancellationToken) -> anyhow::Result<()> {
    settings::check(&config)?;
    let host = config.host(leaving)?;
    let limits = Limits { drain: host.drain, ..Limits::default() };
    serve_within(config, listener, host, limits).await
}

/// [`serve`] in a host and with limits of one's own.
///
/// # Errors
/// A configuration that must not be served.
pub async fn serve_within(
    config: Config,
    listener: TcpListener,
    host: Host,
    limits: Limits,
) -> anyhow::Result<()> {
    let public_url = config.browser.public_url()?;
    let gateway = Gateway::new(&config.services, &config.doors, &host)?;
    let address = listener.local_addr().context("the port")?;
    let mut router = Router::new();
    let model = config.model.model()?;
    let conversations = Conversations::new(model.clone(), limits.calls, host.leaving.clone());
    if config.doors.contains(&Door::Voice) {
        let line = Line { public_url: public_url.clone(), conversations: conversations.clone() };
        let meter = opentelemetry::global::meter("frontdesk");
        let lost = LostCalls::new(gateway.clone(), line.clone(), &limits, &meter);
        tokio::spawn(lost.run(host.leaving.clone()));
        router = router.merge(voice::routes(gateway.clone(), line, &limits));
    }
    let sampling = sampling(&config)?;
    if config.doors.contains(&Door::Browser) {
        router = router.merge(calendars::routes(gateway.clone()));
        router = router.merge(calendar_feeds::routes(gateway.clone()));
        router = router.merge(provider_pushes::routes(gateway.clone(), public_url.clone(), &limits));
    }
    let browser = if config.doors.contains(&Door::Browser) {
        Some(Arc::new(browser(&config, gateway, &limits, sampling.clone(), Chats::new(model))?))
    } else {
        None
    };
    if let Some(browser) = &browser {
        router = router.merge(browser::routes(browser.clone()));
    }
    let router = router.merge(probes(browser.clone(), host.clone()));
    let edge = Arc::new(Edge::new(router, limits, config.trusted_proxies, public_url.is_https(), sampling));
    tracing::info!(%address, doors = ?config.doors, "serving");
    let open = Open {
        requests: edge::listen(listener, edge, host.leaving.clone(), host.shutdown.clone()),
        sockets: async {
            if let Some(browser) = &browser {
                browser.live.closed().await;
            }
        },
        left_behind: |within: Duration| conversations.closed(within),
        give_up: conversations.give_up(),
        records: async {
            if let Some(browser) = &browser {
                browser.record.close().await;
                browser.page_reports.close().await;
            }
        },
    };
    open.until_closed(limits.drain, &host.shutdown).await;
    Ok(())
}

/// Replicas of the browser door share its key, and so decide alike. No page reports to a voice door.
fn sampling(config: &Config) -> anyhow::Result<Sampling> {
    let key = match config.doors.contains(&Door::Browser) {
        true => config.browser.xsrf_key()?,
        false => Secret::new(Uuid::from_bytes(boot::random::bytes()).to_string()),
    };
    Ok(Sampling::new(&key, boot::telemetry::kept_share()))
}

fn browser(
    config: &Config,
    gateway: Gateway,
    limits: &Limits,
    sampling: Sampling,
    chats: Chats,
) -> anyhow::Result<Browser> {
    let browser = &config.browser;
    let page_reports = PageReports::start(config, sampling)?;
    let renewal = gateway.host().security.renewal;
    Ok(Browser {
        keys: KeySet::new(gateway.clone()),
        admissions: Admissions::new(gateway.clone()),
        record: Record::start(gateway.clone()),
        tokens: browser::Tokens::new(browser.issuer().to_owned()),
        xsrf: Xsrf::new(browser.xsrf_key()?, browser.origins()?),
        page: Page::open(
            &browser.web_root,
            config.environment,
            renewal,
            Told { reports: page_reports.wanted, agent_model: chats.have_model() },
        )?,
        live: Live::start(&gateway, limits, CursorKey::derive(&browser.xsrf_key()?))?,
        flows: Rate::new(limits.flows, limits.flow_window),
        request_rate: RequestRate::new(config.requests_per_second()),
        page_reports,
        chats,
        chat_rate: RequestRate::of_chats(),
        limited: edge::LimitCounter::new(),
        gateway,
    })
}

#[derive(Clone)]
struct Probed {
    browser: Option<Arc<Browser>>,
    host: Host,
}

/// The process is alive when it answers, and ready when it can check who comes.
fn probes(browser: Option<Arc<Browser>>, host: Host) -> Router {
    Router::new()
        .route(edge::LIVENESS, get(async || "alive\n"))
        .route(edge::READINESS, get(ready))
        .with_state(Probed { browser, host })
}

async fn ready(State(probed): State<Probed>) -> Result<&'static str, Refusal> {
    if probed.host.is_leaving() {
        return Err(Refusal::new(proto::error::Reason::Unavailable, "the door is closing"));
    }
    if let Some(browser) = &probed.browser {
        browser.keys.ready().await?;
    }
    Ok("ready\n")
}
