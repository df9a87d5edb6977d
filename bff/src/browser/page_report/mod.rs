//! What pages measured: web vitals become histograms, requests become spans of the page's own.
//!
//! Only a session's pages may report, and of what they send only numbers and names that the door knows are
//! exported.

mod report;
mod vitals;

use std::{sync::Arc, time::SystemTime};

use axum::{
    body::Body,
    extract::{Request, State},
};
use boot::telemetry::{MeasuredSpan, Relay};
use http::{HeaderMap, StatusCode};
use http_body_util::Limited;
use opentelemetry::KeyValue;

pub use report::PageReport;
use report::{Known, Measured};
use vitals::Vitals;

use super::{Browser, RequestRate, SignedIn};
use crate::{
    body,
    config::Config,
    edge::{Sampling, session},
    refusal::Refusal,
};

/// Far above what a page sends at once.
const BODY_BYTES: usize = 32 << 10;
/// In whose name pages' spans are exported.
const SERVICE: &str = "web";

/// Takes reports.
#[derive(Debug)]
pub struct PageReports {
    known: Known,
    rate: RequestRate,
    vitals: Vitals,
    relay: Option<Relay>,
    sampling: Sampling,
    /// What pages are told to measure.
    pub wanted: Wanted,
}

/// What is worth measuring, since it is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Wanted {
    /// Web vitals.
    pub vitals: bool,
    /// Requests, each with a trace of its own.
    pub traces: bool,
}

impl PageReports {
    /// Needs a runtime, and telemetry that has started.
    ///
    /// # Errors
    /// A malformed address.
    pub fn start(config: &Config, sampling: Sampling) -> anyhow::Result<Self> {
        Ok(Self {
            known: Known::of(config.environment),
            rate: RequestRate::of_reports(),
            vitals: Vitals::new(),
            relay: Relay::start(SERVICE, &config.export)?,
            sampling,
            wanted: Wanted {
                vitals: config.export.exports_metrics(),
                traces: config.export.exports_traces(),
            },
        })
    }

    /// Exports what is left.
    pub async fn close(&self) {
        if let Some(relay) = &self.relay {
            relay.close().await;
        }
    }

    fn take(&self, report: &PageReport, headers: &HeaderMap) -> Result<(), Refusal> {
        let (vitals, requests) = self.known.check(report)?;
        for vital in vitals {
            self.vitals.record(&vital);
        }
        let Some(relay) = &self.relay else { return Ok(()) };
        // As the other spans of the trace are timed.
        let now = opentelemetry::time::now();
        for request in requests.into_iter().filter(|it| self.sampling.keeps(it.context.trace_id())) {
            relay.export(span(request, now, session(headers)));
        }
        Ok(())
    }
}

fn span(request: Measured, now: SystemTime, session: Option<&str>) -> MeasuredSpan {
    let Measured { context, method, route, status, age, took } = request;
    let mut attributes =
        vec![KeyValue::new("http.request.method", method), KeyValue::new("url.template", route)];
    let error = match status {
        None => Some("unanswered".to_owned()),
        Some(status) => {
            attributes.push(KeyValue::new("http.response.status_code", i64::from(status)));
            (status >= 400).then(|| status.to_string())
        }
    };
    let failed = error.is_some();
    attributes.extend(error.map(|error| KeyValue::new("error.type", error)));
    attributes.extend(session.map(|session| KeyValue::new("session.id", session.to_owned())));
    let started = now.checked_sub(age).unwrap_or(now);
    MeasuredSpan { context, name: format!("{method} {route}").into(), started, took, attributes, failed }
}

/// Takes a page's report.
pub(super) async fn take(
    SignedIn(person): SignedIn,
    State(door): State<Arc<Browser>>,
    request: Request,
) -> Result<StatusCode, Refusal> {
    let reports = &door.page_reports;
    reports.rate.admit(person.user)?;
    let (parts, sent) = request.into_parts();
    let sent = body::read(Body::new(Limited::new(sent, BODY_BYTES))).await?;
    body::must_be_json(&parts.headers, &sent)?;
    reports.take(&body::parse(&sent)?, &parts.headers)?;
    Ok(StatusCode::NO_CONTENT)
}
