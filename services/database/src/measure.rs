//! Metrics and spans of a database client, by the conventions.

use std::sync::Arc;

use opentelemetry::{
    KeyValue,
    global::{self, BoxedTracer},
    metrics::{Counter, ObservableGauge},
    time,
    trace::{Span as _, SpanKind, Status, TraceContextExt, Tracer},
};
use sea_orm::{DatabaseConnection, DbErr, metric::Info};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::error::sqlstate;

const BUCKETS: [f64; 10] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 2.5, 5.0, 10.0];

/// exclusion_violation: an overlap was refused. deadlock_detected: two transactions locked in different
/// orders, which none may.
const COLLISIONS: [&str; 2] = ["23P01", "40P01"];

/// Measures one pool for as long as it is held.
#[derive(Debug, Clone)]
pub(crate) struct Pool {
    timeouts: Counter<u64>,
    collisions: Counter<u64>,
    name: KeyValue,
    _observed: Arc<[ObservableGauge<i64>; 2]>,
}

impl Pool {
    pub(crate) fn of(service: &'static str, connection: &mut DatabaseConnection) -> Self {
        let meter = global::meter("frontdesk");
        let duration = meter
            .f64_histogram("db.client.operation.duration")
            .with_description("Duration of database statements.")
            .with_unit("s")
            .with_boundaries(BUCKETS.to_vec())
            .build();
        let tracer = global::tracer("frontdesk");
        connection.set_metric_callback(move |statement| {
            let operation = operation(&statement.statement.sql);
            let mut attributes = vec![
                KeyValue::new("db.system.name", "postgresql"),
                KeyValue::new("db.namespace", service),
                KeyValue::new("db.operation.name", operation),
            ];
            if statement.failed {
                attributes.push(KeyValue::new("error.type", "_OTHER"));
            }
            duration.record(statement.elapsed.as_secs_f64(), &attributes);
            trace(&tracer, format!("{operation} {service}"), statement, attributes);
        });
        let name = KeyValue::new("db.client.connection.pool.name", service);
        let timeouts = meter
            .u64_counter("db.client.connection.timeouts")
            .with_description("Calls that got no connection in time.")
            .with_unit("{timeout}")
            .build();
        let collisions = meter
            .u64_counter("frontdesk.database.collisions")
            .with_description("Statements Postgres refused for an overlap or a deadlock, by SQLSTATE.")
            .with_unit("{statement}")
            .build();
        timeouts.add(0, core::slice::from_ref(&name));
        for state in COLLISIONS {
            collisions.add(0, &[name.clone(), KeyValue::new("db.response.status_code", state)]);
        }
        Self { timeouts, collisions, _observed: Arc::new(gauges(&meter, connection, &name)), name }
    }

    pub(crate) fn timed_out(&self) {
        self.timeouts.add(1, core::slice::from_ref(&self.name));
    }

    /// Counts an error that is a collision, and passes the error on.
    pub(crate) fn failed(&self, error: DbErr) -> DbErr {
        if let Some(state) = sqlstate(&error).filter(|state| COLLISIONS.contains(&state.as_str())) {
            let state = KeyValue::new("db.response.status_code", state);
            self.collisions.add(1, &[self.name.clone(), state]);
        }
        error
    }
}

fn gauges(
    meter: &opentelemetry::metrics::Meter,
    connection: &DatabaseConnection,
    name: &KeyValue,
) -> [ObservableGauge<i64>; 2] {
    let pool = connection.get_postgres_connection_pool();
    let most = i64::from(pool.options().get_max_connections());
    let (counted, labelled) = (pool.clone(), name.clone());
    let count = meter
        .i64_observable_gauge("db.client.connection.count")
        .with_description("Connections of the pool, by state.")
        .with_unit("{connection}")
        .with_callback(move |observer| {
            let idle = i64::try_from(counted.num_idle()).unwrap_or(i64::MAX);
            for (state, value) in [("idle", idle), ("used", i64::from(counted.size()) - idle)] {
                observer
                    .observe(value, &[labelled.clone(), KeyValue::new("db.client.connection.state", state)]);
            }
        })
        .build();
    let labelled = name.clone();
    let max = meter
        .i64_observable_gauge("db.client.connection.max")
        .with_description("Most connections the pool may open.")
        .with_unit("{connection}")
        .with_callback(move |observer| observer.observe(most, core::slice::from_ref(&labelled)))
        .build();
    [count, max]
}

/// Adds a span of `statement`, which has just ended, to the span that is entered. Outside of one there
/// is no trace to be seen in. Neither its text nor its error is told: either may quote values.
fn trace(tracer: &BoxedTracer, name: String, statement: &Info<'_>, attributes: Vec<KeyValue>) {
    let parent = Span::current().context();
    if !parent.span().span_context().is_sampled() {
        return;
    }
    let end = time::now();
    let start = end.checked_sub(statement.elapsed).unwrap_or(end);
    let builder = tracer.span_builder(name).with_kind(SpanKind::Client).with_start_time(start);
    let mut span = builder.with_attributes(attributes).start_with_context(tracer, &parent);
    if statement.failed {
        span.set_status(Status::error(""));
    }
    span.end_with_timestamp(end);
}

/// The statement's first word, when it is one of few: a label must not grow.
fn operation(sql: &str) -> &'static str {
    const KNOWN: [&str; 7] = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "SAVEPOINT", "SET"];
    let first = sql.split_whitespace().next().unwrap_or_default();
    KNOWN.into_iter().find(|known| known.eq_ignore_ascii_case(first)).unwrap_or("OTHER")
}
