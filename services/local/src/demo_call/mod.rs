//! Plays a recorded telephone conversation through the voice door, signed as the
//! platform signs, with a new call each time.

mod platform;
mod recording;
mod relay;

use core::{fmt, time::Duration};
use std::time::Instant;

use anyhow::{Context, bail};
use boot::clock::Clock;
use jiff::Timestamp;
use reqwest::{Client, StatusCode};
use serde_json::Value;
use uuid::Uuid;

pub use self::platform::Platform;
use self::recording::{Known, Step};

const TIMEOUT: Duration = Duration::from_secs(10);

/// How fast the conversation goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// As it was spoken.
    Watchable,
    /// Without pauses.
    Fast,
}

/// What came of a played call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The platform's id of the call.
    pub platform_call_id: String,
    /// Who was recognised.
    pub customer_id: String,
    /// What was booked.
    pub appointment_id: String,
    /// Each delivery's name and how long its answer took.
    pub latencies: Vec<(String, Duration)>,
}

/// Plays the booking to the demo connection's webhook and prints a line for each delivery.
///
/// # Errors
/// When the door refuses a delivery, or the agent can't do what the caller wants.
pub async fn play(base_url: &str, platform: Platform, secret: &str, pace: Pace) -> anyhow::Result<Summary> {
    let Some(recording) = platform.recording() else { return relay::play(base_url, secret, pace).await };
    let mut call = Call::begin(base_url, platform, secret)?;
    println!("A call to {}", call.url);
    for step in recording::read(recording)? {
        if pace == Pace::Watchable {
            tokio::time::sleep(Duration::from_millis(step.at_ms).saturating_sub(call.began.elapsed())).await;
        }
        call.deliver(&step).await.with_context(|| format!("delivering {}", platform.step(&step.body)))?;
    }
    let summary = call.summary()?;
    println!("Booked appointment {} in {}.", summary.appointment_id, summary.platform_call_id);
    Ok(summary)
}

/// A call under way.
struct Call {
    client: Client,
    clock: Clock,
    platform: Platform,
    url: String,
    secret: String,
    began: Instant,
    started: Timestamp,
    known: Known,
    latencies: Vec<(String, Duration)>,
}

impl Call {
    fn begin(base_url: &str, platform: Platform, secret: &str) -> anyhow::Result<Self> {
        let clock = Clock::system();
        let uuid = Uuid::from_bytes(boot::random::bytes());
        let (hex, uuid) = (uuid.simple().to_string(), uuid.to_string());
        let started = clock.now();
        let known = Known::from([
            ("call_id".to_owned(), platform.call_id(&uuid, &hex).into()),
            ("call_uuid".to_owned(), uuid.into()),
            ("call_hex".to_owned(), hex.into()),
            ("started_ms".to_owned(), started.as_millisecond().into()),
            ("started_seconds".to_owned(), started.as_second().into()),
            ("started_rfc3339".to_owned(), started.to_string().into()),
        ]);
        let base_url = base_url.trim_end_matches('/');
        Ok(Self {
            client: Client::builder().timeout(TIMEOUT).build()?,
            clock,
            platform,
            url: format!("{base_url}{}", platform.webhook()),
            secret: secret.to_owned(),
            began: Instant::now(),
            started,
            known,
            latencies: Vec::new(),
        })
    }

    /// What a delivery of now may tell of time: the recordings use some of it.
    fn tell_time(&mut self, now: Timestamp) {
        let lasted = now.duration_since(self.started);
        for (name, value) in [
            ("now_ms", now.as_millisecond().into()),
            ("now_seconds", now.as_second().into()),
            ("ended_ms", now.as_millisecond().into()),
            ("ended_rfc3339", now.to_string().into()),
            ("duration_ms", i64::try_from(lasted.as_millis()).unwrap_or_default().into()),
            ("duration_seconds", Value::from(lasted.as_secs())),
        ] {
            self.known.insert(name.to_owned(), value);
        }
    }

    async fn deliver(&mut self, step: &Step) -> anyhow::Result<()> {
        let now = self.clock.now();
        self.tell_time(now);
        let platform = self.platform;
        let (name, tool) = (platform.step(&step.body), platform.tool(&step.body));
        let body = step.fill(&self.known)?.to_string();
        let (header, proof) = platform.proof(&self.secret, tool.is_some(), body.as_bytes(), now);
        let request = self
            .client
            .post(&self.url)
            .header("content-type", "application/json")
            .header(header, proof)
            .body(body);
        let at = self.began.elapsed();
        let sent = Instant::now();
        let answer = request.send().await?;
        let status = answer.status();
        let text = answer.text().await?;
        let line = Line { at, name, status, latency: sent.elapsed() };
        self.latencies.push((name.to_owned(), line.latency));
        if !status.is_success() {
            println!("{line}  {text}");
            bail!("the door answered {status}: {text}");
        }
        match tool {
            None => println!("{line}"),
            Some(tool) => self.keep(tool, &text, &line)?,
        }
        Ok(())
    }

    fn keep(&mut self, tool: &str, text: &str, line: &Line<'_>) -> anyhow::Result<()> {
        let answer = self.platform.answer(text).with_context(|| format!("{tool} answered {text}"))?;
        let say = answer["say"].as_str().unwrap_or_default();
        println!("{line}  \u{201c}{say}\u{201d}");
        if answer["ok"] != true {
            bail!("{tool} was refused: {say} ({})", answer["reason"]);
        }
        self.known.insert(tool.to_owned(), answer);
        Ok(())
    }

    fn summary(self) -> anyhow::Result<Summary> {
        let text = |name: &str, pointer: &str| {
            let value = self.known.get(name).and_then(|answer| answer.pointer(pointer)?.as_str());
            value.map(str::to_owned).with_context(|| format!("{name} answered nothing at {pointer}"))
        };
        Ok(Summary {
            platform_call_id: text("call_id", "")?,
            customer_id: text("find_customer", "/customer_id")?,
            appointment_id: text("book_appointment", "/appointment_id")?,
            latencies: self.latencies,
        })
    }
}

/// A delivery as it is printed.
struct Line<'a> {
    at: Duration,
    name: &'a str,
    status: StatusCode,
    latency: Duration,
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, name, status, latency } = self;
        let millis = latency.as_secs_f64() * 1000.0;
        write!(f, "{:>6.1} s  {name:<20} {:>4} {millis:>7.1} ms", at.as_secs_f64(), status.as_u16())
    }
}
