//! The report as it is sent, and what of it is believed.

use core::time::Duration;
use std::collections::{HashMap, HashSet};

use boot::{environment::Environment, telemetry::context_of};
use opentelemetry::trace::SpanContext;
use proto::error::invalid;
use schemars::JsonSchema;
use serde::Deserialize;
use tonic::Status;

use crate::browser::{by_hand, exists};

/// Addresses of pages, as the page's router writes them; a test of the page compares.
const PAGES: &str = include_str!("pages.txt");
const MOST_VITALS: usize = 40;
const MOST_REQUESTS: usize = 100;
/// Longer than any request, and than a page keeps what it measured.
const LONGEST: Duration = Duration::from_secs(15 * 60);
/// Beyond all that is still worth telling apart.
const MOST_SHIFT: f64 = 100.0;

/// What a page measured since its last report.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageReport {
    /// Web vitals that are final.
    #[serde(default)]
    vitals: Vec<Vital>,
    /// Requests that are over.
    #[serde(default)]
    requests: Vec<PageRequest>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Vital {
    name: VitalName,
    /// The page it is about, as its router writes it: `/:businessId/schedule`.
    page: String,
    navigation: Navigation,
    /// Milliseconds, and of CLS its score.
    value: f64,
}

/// A web vital.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum VitalName {
    Cls,
    Fcp,
    Inp,
    Lcp,
    Ttfb,
}

/// How a page was come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Navigation {
    /// The document was loaded.
    Document,
    /// Within the document.
    Soft,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PageRequest {
    /// As it was sent with the request.
    traceparent: String,
    method: String,
    /// The path's template: `/api/v1/businesses/{business_id}/services`.
    route: String,
    /// 0 without an answer.
    status: u16,
    /// Milliseconds since it was sent: of a length, the door's clock makes a time.
    age_ms: u32,
    duration_ms: u32,
}

/// A vital, checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CheckedVital {
    pub name: VitalName,
    pub page: &'static str,
    pub navigation: Navigation,
    pub value: f64,
}

/// A request, checked.
#[derive(Debug, Clone)]
pub(super) struct Measured {
    pub context: SpanContext,
    pub method: &'static str,
    pub route: &'static str,
    pub status: Option<u16>,
    pub age: Duration,
    pub took: Duration,
}

/// Names that reports may use.
#[derive(Debug)]
pub(super) struct Known {
    pages: HashSet<&'static str>,
    /// Verbs by path.
    routes: HashMap<&'static str, Vec<&'static str>>,
}

impl Known {
    pub(super) fn of(environment: Environment) -> Self {
        let contract = proto::methods::ALL.iter().filter(|method| exists(method, environment));
        let contract = contract.filter_map(|method| method.rest.split_once(' '));
        let by_hand =
            by_hand(environment).into_iter().filter_map(|route| Some((verb(&route.verb)?, route.path)));
        let mut routes: HashMap<_, Vec<_>> = HashMap::new();
        for (verb, path) in contract.chain(by_hand) {
            routes.entry(path).or_default().push(verb);
        }
        Self { pages: PAGES.lines().collect(), routes }
    }

    /// What `report` says, in words of the door.
    ///
    /// # Errors
    /// INVALID_FIELD, naming the field.
    pub(super) fn check(&self, report: &PageReport) -> Result<(Vec<CheckedVital>, Vec<Measured>), Status> {
        at_most("vitals", report.vitals.len(), MOST_VITALS)?;
        at_most("requests", report.requests.len(), MOST_REQUESTS)?;
        if report.vitals.is_empty() && report.requests.is_empty() {
            return Err(invalid("vitals", "is empty, and so is `requests`"));
        }
        let vitals = report.vitals.iter().enumerate();
        let vitals = vitals.map(|(at, vital)| self.vital(vital).map_err(|fault| fault.of("vitals", at)));
        let requests = report.requests.iter().enumerate();
        let requests =
            requests.map(|(at, request)| self.request(request).map_err(|fault| fault.of("requests", at)));
        Ok((vitals.collect::<Result<_, _>>()?, requests.collect::<Result<_, _>>()?))
    }

    fn vital(&self, vital: &Vital) -> Result<CheckedVital, Fault> {
        let most = if vital.name == VitalName::Cls { MOST_SHIFT } else { millis(LONGEST) };
        let page = self.pages.get(vital.page.as_str()).ok_or(Fault("page", "is no page"))?;
        if !(0.0..=most).contains(&vital.value) {
            return Err(Fault("value", "is out of range"));
        }
        Ok(CheckedVital { name: vital.name, page, navigation: vital.navigation, value: vital.value })
    }

    fn request(&self, request: &PageRequest) -> Result<Measured, Fault> {
        let (route, verbs) =
            self.routes.get_key_value(request.route.as_str()).ok_or(Fault("route", "is no route"))?;
        let method = verbs.iter().find(|verb| **verb == request.method);
        let method = method.ok_or(Fault("method", "is no verb of the route"))?;
        let context = context_of(&request.traceparent).ok_or(Fault("traceparent", "is malformed"))?;
        let status = match request.status {
            0 => None,
            status @ 100..=599 => Some(status),
            _ => return Err(Fault("status", "is out of range")),
        };
        let age = Duration::from_millis(request.age_ms.into());
        if age > LONGEST {
            return Err(Fault("ageMs", "is out of range"));
        }
        // It was over when it was reported.
        let took = Duration::from_millis(request.duration_ms.into()).min(age);
        Ok(Measured { context, method, route, status, age, took })
    }
}

fn at_most(field: &str, length: usize, most: usize) -> Result<(), Status> {
    if length > most { Err(invalid(field, &format!("has more than {most} entries"))) } else { Ok(()) }
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

fn verb(method: &http::Method) -> Option<&'static str> {
    ["GET", "POST", "PUT", "PATCH", "DELETE"].into_iter().find(|verb| *verb == method.as_str())
}

/// What is wrong with an entry: the field, and why.
struct Fault(&'static str, &'static str);

impl Fault {
    fn of(self, list: &str, at: usize) -> Status {
        invalid(&format!("{list}[{at}].{}", self.0), self.1)
    }
}
