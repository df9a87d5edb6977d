//! One request under way: its span and its measurement, by the stable conventions.

use std::{borrow::Cow, time::Instant};

use axum::{extract::Request, response::Response};
use http::{HeaderMap, Method, Version};
use opentelemetry::{
    KeyValue, global,
    metrics::{Histogram, UpDownCounter},
    trace::TraceContextExt,
};
use tracing::{Span, field::Empty};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use uuid::Uuid;

use super::sampling::Sampling;

/// Advised by the conventions for durations in seconds.
const BUCKETS: [f64; 14] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0];

/// The route that answered, as a response extension.
#[derive(Debug, Clone)]
pub struct Route(pub String);

/// Measures requests.
#[derive(Debug, Clone)]
pub(super) struct Meter {
    duration: Histogram<f64>,
    active: UpDownCounter<i64>,
    scheme: &'static str,
}

impl Meter {
    /// Must be made after telemetry has started, or it measures nothing.
    pub(super) fn new(scheme: &'static str) -> Self {
        let duration = global::meter("frontdesk")
            .f64_histogram("http.server.request.duration")
            .with_description("Duration of HTTP server requests.")
            .with_unit("s")
            .with_boundaries(BUCKETS.to_vec())
            .build();
        let active = global::meter("frontdesk")
            .i64_up_down_counter("http.server.active_requests")
            .with_description("HTTP requests being answered.")
            .with_unit("{request}")
            .build();
        Self { duration, active, scheme }
    }

    fn count_active(&self, change: i64, method: &'static str) {
        let attributes =
            [KeyValue::new("http.request.method", method), KeyValue::new("url.scheme", self.scheme)];
        self.active.add(change, &attributes);
    }
}

/// A request that is recorded when it is dropped.
#[derive(Debug)]
pub(super) struct Visit {
    meter: Meter,
    span: Span,
    method: &'static str,
    path: Box<str>,
    protocol: &'static str,
    started: Instant,
    answered: Option<(u16, Option<String>)>,
}

impl Visit {
    pub(super) fn begin(meter: Meter, sampling: &Sampling, request: &Request) -> Self {
        let method = known(request.method());
        let protocol = protocol(request.version());
        let span = tracing::info_span!(
            "http",
            otel.name = method,
            otel.kind = "server",
            otel.status_code = Empty,
            http.request.method = method,
            http.request.method_original = Empty,
            http.route = Empty,
            http.response.status_code = Empty,
            url.path = Empty,
            url.scheme = meter.scheme,
            network.protocol.version = protocol,
            error.type = Empty,
            session.id = Empty,
        );
        if method == OTHER {
            span.record("http.request.method_original", request.method().as_str());
        }
        if let Some(parent) = header(request.headers(), "traceparent") {
            boot::telemetry::set_outside_parent(&span, parent, |trace| sampling.keeps(trace));
        }
        if let Some(session) = session(request.headers()) {
            span.record("session.id", session);
        }
        meter.count_active(1, method);
        let path = request.uri().path().into();
        Self { meter, span, method, path, protocol, started: Instant::now(), answered: None }
    }

    pub(super) fn span(&self) -> &Span {
        &self.span
    }

    pub(super) fn end(mut self, response: &Response) {
        let route = response.extensions().get::<Route>().map(|route| route.0.clone());
        self.answered = Some((response.status().as_u16(), route));
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.meter.count_active(-1, self.method);
        let mut attributes = vec![
            KeyValue::new("http.request.method", self.method),
            KeyValue::new("url.scheme", self.meter.scheme),
            KeyValue::new("network.protocol.version", self.protocol),
        ];
        match self.answered.take() {
            Some((status, route)) => {
                self.span.record("http.response.status_code", status);
                attributes.push(KeyValue::new("http.response.status_code", i64::from(status)));
                self.span.record("url.path", shown(&self.path, route.as_deref()));
                if let Some(route) = route {
                    self.span.record("http.route", &route);
                    // `otel.name` is read at the start only.
                    let name = format!("{} {route}", self.method);
                    self.span.context().span().update_name(name);
                    attributes.push(KeyValue::new("http.route", route));
                }
                if status >= 500 {
                    self.span.record("otel.status_code", "ERROR");
                    self.span.record("error.type", status.to_string());
                    attributes.push(KeyValue::new("error.type", status.to_string()));
                }
            }
            // The client went away before there was an answer.
            None => {
                self.span.record("url.path", shown(&self.path, None));
                self.span.record("error.type", "cancelled");
                attributes.push(KeyValue::new("error.type", "cancelled"));
            }
        }
        self.meter.duration.record(self.started.elapsed().as_secs_f64(), &attributes);
    }
}

/// The path as telemetry may have it: words of the route and ids. Anything else may be what a visitor
/// typed, or a link with a secret in it.
fn shown(path: &str, route: Option<&str>) -> String {
    let Some(route) = route else { return "/*".to_owned() };
    let mut segments = path.split('/');
    let shown = route.split('/').map(|word| {
        let segment = segments.next().unwrap_or_default();
        let Some((before, rest)) = word.split_once('{') else { return Cow::Borrowed(word) };
        let after = rest.split_once('}').map_or("", |(_, after)| after);
        let id = segment.strip_prefix(before).and_then(|segment| segment.strip_suffix(after));
        let id = id.filter(|id| Uuid::try_parse(id).is_ok()).unwrap_or("*");
        Cow::Owned(format!("{before}{id}{after}"))
    });
    shown.collect::<Vec<_>>().join("/")
}

/// What the conventions call a verb they don't know.
const OTHER: &str = "_OTHER";

fn known(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        "TRACE" => "TRACE",
        "CONNECT" => "CONNECT",
        _ => OTHER,
    }
}

fn protocol(version: Version) -> &'static str {
    match version {
        Version::HTTP_2 => "2",
        Version::HTTP_10 => "1.0",
        _ => "1.1",
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// The browser tab's id, if it looks like one: it goes into telemetry as it came.
pub fn session(headers: &HeaderMap) -> Option<&str> {
    let id = header(headers, "x-session-id")?;
    let fits = (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    fits.then_some(id)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use boot::config::Secret;
    use opentelemetry::trace::TracerProvider;
    use opentelemetry_sdk::{propagation::TraceContextPropagator, trace::SdkTracerProvider};
    use tracing_subscriber::{Registry, layer::SubscriberExt};

    use super::*;

    /// Whether the door's part of a trace is sampled that came with this flag.
    fn is_sampled(flag: &str, share: f64) -> bool {
        global::set_text_map_propagator(TraceContextPropagator::new());
        let parent = format!("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-{flag}");
        let request = Request::builder().header("traceparent", parent).body(Body::empty()).unwrap();
        let sampling = Sampling::new(&Secret::new("a key"), share);
        let tracer = SdkTracerProvider::builder().build().tracer("test");
        let subscriber = Registry::default().with(tracing_opentelemetry::layer().with_tracer(tracer));
        tracing::subscriber::with_default(subscriber, || {
            let visit = Visit::begin(Meter::new("http"), &sampling, &request);
            let context = visit.span().context().span().span_context().clone();
            assert_eq!(context.trace_id().to_string(), "4bf92f3577b34da6a3ce929d0e0e4736");
            context.is_sampled()
        })
    }

    #[test]
    fn the_door_decides_which_traces_are_sampled_whatever_the_caller_says() {
        for flag in ["00", "01"] {
            assert!(is_sampled(flag, 1.0), "{flag}");
            assert!(!is_sampled(flag, 0.0), "{flag}");
        }
    }

    #[test]
    fn a_path_shows_words_of_its_route_and_ids_alone() {
        const ID: &str = "01900000-0000-7000-8000-000000000001";
        let cancel = "/api/v1/businesses/{business_id}/appointments/{appointment_id}:cancel";
        let path = format!("/api/v1/businesses/{ID}/appointments/{ID}:cancel");
        assert_eq!(shown(&path, Some(cancel)), path);
        let path = format!("/api/v1/businesses/{ID}/appointments/ana@demo.test:cancel");
        let expected = format!("/api/v1/businesses/{ID}/appointments/*:cancel");
        assert_eq!(shown(&path, Some(cancel)), expected);
        assert_eq!(
            shown("/api/webhooks/voice/retell/x", Some("/api/webhooks/voice/{a}/{b}")),
            "/api/webhooks/voice/*/*"
        );
        assert_eq!(shown("/assets/ana/0", Some("/assets/{*file}")), "/assets/*");
        assert_eq!(shown("/login", Some("/login")), "/login");
        assert_eq!(shown("/ana@demo.test", None), "/*");
    }
}
