//! The API: a bearer token, versions by If-Match, and changes by their number.

use axum::{
    Json, Router,
    extract::{Path, Query, State},
    http::{
        HeaderMap, Method, StatusCode,
        header::{AUTHORIZATION, ETAG, IF_MATCH, RETRY_AFTER},
    },
    response::{IntoResponse, Response},
    routing::{get, put},
};
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::json;

use crate::{
    DemoProvider,
    book::{Booking, Unchanged},
    fault::Fault,
};

/// Appointments on a page.
const PAGE: usize = 100;
/// Who changes what comes over the API.
const BY: &str = "API";

pub(crate) fn routes() -> Router<DemoProvider> {
    Router::new()
        .route("/api/account", get(account))
        .route("/api/employees", get(employees))
        .route("/api/services", get(services))
        .route("/api/appointments", get(appointments))
        .route("/api/appointments/{id}", put(put_appointment).delete(delete_appointment))
        .route("/api/availability", get(availability))
}

/// Why a request is not served.
enum Turned {
    /// The token is wrong.
    Away,
    /// It is to come again later.
    Later,
    /// It comes too often.
    TooOften,
    /// What it writes is refused.
    Refused,
}

impl IntoResponse for Turned {
    fn into_response(self) -> Response {
        match self {
            Self::Away => StatusCode::UNAUTHORIZED.into_response(),
            Self::Later => StatusCode::SERVICE_UNAVAILABLE.into_response(),
            Self::TooOften => (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, "1")]).into_response(),
            Self::Refused => {
                (StatusCode::UNPROCESSABLE_ENTITY, "the booking system refuses this").into_response()
            }
        }
    }
}

/// Whether a request may go on, and which fault it meets after it has done what it is asked.
fn enter(system: &DemoProvider, method: &Method, headers: &HeaderMap) -> Result<Option<Fault>, Turned> {
    let mut state = system.lock();
    let token = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    if token.and_then(|value| value.strip_prefix("Bearer ")) != Some(state.book.token.as_str()) {
        return Err(Turned::Away);
    }
    let writes = *method != Method::GET;
    let fault = state.faults.next(|fault| match fault {
        Fault::Unavailable | Fault::TooManyRequests => true,
        Fault::LostAnswer | Fault::Refused => writes,
        Fault::Forgotten => false,
    });
    match fault {
        Some(Fault::Unavailable) => Err(Turned::Later),
        Some(Fault::TooManyRequests) => Err(Turned::TooOften),
        Some(Fault::Refused) => Err(Turned::Refused),
        other => Ok(other),
    }
}

async fn account(
    State(system): State<DemoProvider>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Turned> {
    enter(&system, &method, &headers)?;
    Ok(Json(json!({ "name": system.lock().book.account })).into_response())
}

async fn employees(
    State(system): State<DemoProvider>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Turned> {
    enter(&system, &method, &headers)?;
    Ok(Json(json!({ "employees": system.lock().book.people })).into_response())
}

async fn services(
    State(system): State<DemoProvider>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Turned> {
    enter(&system, &method, &headers)?;
    Ok(Json(json!({ "services": system.lock().book.treatments })).into_response())
}

/// Those of all employees, where none is named.
#[derive(Debug, Deserialize)]
struct Changes {
    employee: Option<String>,
    after: Option<u64>,
}

async fn appointments(
    State(system): State<DemoProvider>,
    method: Method,
    headers: HeaderMap,
    Query(Changes { employee, after }): Query<Changes>,
) -> Result<Response, Turned> {
    enter(&system, &method, &headers)?;
    let mut state = system.lock();
    if after.is_some() && state.faults.next(|fault| fault == Fault::Forgotten).is_some() {
        state.book.forget();
    }
    Ok(match state.book.changes(employee.as_deref(), after, PAGE) {
        None => StatusCode::GONE.into_response(),
        Some((found, next, more)) => {
            Json(json!({ "appointments": found, "next": next, "more": more })).into_response()
        }
    })
}

#[derive(Debug, Deserialize)]
struct Day {
    employee: String,
    date: Date,
}

async fn availability(
    State(system): State<DemoProvider>,
    method: Method,
    headers: HeaderMap,
    Query(Day { employee, date }): Query<Day>,
) -> Result<Response, Turned> {
    enter(&system, &method, &headers)?;
    let free = system.lock().book.free(&employee, date);
    let spans: Vec<_> = free.into_iter().map(|(from, to)| json!({ "from": from, "to": to })).collect();
    Ok(Json(json!({ "free": spans })).into_response())
}

async fn put_appointment(
    State(system): State<DemoProvider>,
    method: Method,
    headers: HeaderMap,
    Path(id): Path<String>,
    Json(booking): Json<Booking>,
) -> Result<Response, Turned> {
    let fault = enter(&system, &method, &headers)?;
    let (now, expected) = (system.clock.now(), expected(&headers));
    let put = system.edit(|book| {
        book.put(&id, booking, expected.as_deref(), BY, now).map(|appointment| appointment.version.clone())
    });
    Ok(match put {
        Err(unchanged) => refuse(&unchanged),
        Ok(_) if fault == Some(Fault::LostAnswer) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Ok(version) => (StatusCode::OK, [(ETAG, version)]).into_response(),
    })
}

async fn delete_appointment(
    State(system): State<DemoProvider>,
    method: Method,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, Turned> {
    let fault = enter(&system, &method, &headers)?;
    let (now, expected) = (system.clock.now(), expected(&headers).unwrap_or_default());
    if system.lock().book.version(&id).is_none() {
        return Ok(StatusCode::NOT_FOUND.into_response());
    }
    Ok(match system.edit(|book| book.delete(&id, &expected, BY, now)) {
        Err(unchanged) => refuse(&unchanged),
        Ok(()) if fault == Some(Fault::LostAnswer) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
    })
}

/// The version that a write expects; `None` for "there is none".
fn expected(headers: &HeaderMap) -> Option<String> {
    headers.get(IF_MATCH).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

fn refuse(unchanged: &Unchanged) -> Response {
    match unchanged {
        Unchanged::Version(None) => StatusCode::PRECONDITION_FAILED.into_response(),
        Unchanged::Version(Some(version)) => {
            (StatusCode::PRECONDITION_FAILED, [(ETAG, version.clone())]).into_response()
        }
        Unchanged::Invalid(reason) => (StatusCode::UNPROCESSABLE_ENTITY, *reason).into_response(),
    }
}
