//! The API: Basic authentication, pages of at most 100, a month of appointments at a time, versions on changes.

use std::collections::BTreeMap;

use axum::{
    Json, Router,
    extract::{Path, Query, Request, State},
    http::{Method, StatusCode, header::AUTHORIZATION},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use jiff::{Span, Timestamp, ToSpan, civil::Date, tz::TimeZone};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    BRANCH, BUSINESS, CLIENT, PASSWORD, Phorest, USERNAME,
    book::{Appointment, Entry, SERVICES, STAFF},
};
use crate::fault::Fault;

type Parameters = BTreeMap<String, String>;

const MOST_ON_A_PAGE: usize = 100;

pub(super) fn routes(phorest: Phorest) -> Router {
    let branch = Router::new()
        .route("/staff", get(staff))
        .route("/staff/worktimetable", get(rota))
        .route("/service", get(services))
        .route("/appointment", get(appointments))
        .route("/appointment/cancel", post(cancel))
        .route("/appointment/{id}", get(appointment).put(update))
        .route("/booking", post(book));
    let api = Router::new()
        .route("/{business}/branch", get(branches))
        .nest("/{business}/branch/{branch}", branch)
        .layer(from_fn_with_state(phorest.clone(), enter));
    Router::new().nest("/third-party-api-server/api/business", api).with_state(phorest)
}

/// Why a request is refused, with the code of the documents.
struct Refused(StatusCode, &'static str, String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let Self(status, code, detail) = self;
        (status, Json(json!({ "id": "fake", "errorCode": code, "detail": detail }))).into_response()
    }
}

fn bad(detail: &str) -> Refused {
    Refused(StatusCode::BAD_REQUEST, "BAD_REQUEST", detail.to_owned())
}

fn unknown(detail: &str) -> Refused {
    Refused(StatusCode::NOT_FOUND, "NOT_FOUND", detail.to_owned())
}

/// Checks who calls and for what, and meets faults.
async fn enter(State(phorest): State<Phorest>, request: Request, next: Next) -> Response {
    let login = format!("Basic {}", BASE64_STANDARD.encode(format!("{USERNAME}:{PASSWORD}")));
    let given = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    if given != Some(login.as_str()) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let mut names = request.uri().path().split('/').skip_while(|name| name.is_empty());
    let (business, branch) = (names.next(), names.nth(1));
    if business != Some(BUSINESS) || branch.is_some_and(|branch| branch != BRANCH) {
        return unknown("there is no such business or branch").into_response();
    }
    let fault = {
        let mut state = phorest.lock();
        state.calls += 1;
        state.faults.next(*request.method() != Method::GET)
    };
    match fault {
        Some(Fault::Unavailable) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Some(Fault::TooManyRequests) => StatusCode::TOO_MANY_REQUESTS.into_response(),
        Some(Fault::Refused) => {
            let detail = "the employee is not qualified for the service".to_owned();
            Refused(StatusCode::BAD_REQUEST, "STAFF_UNQUALIFIED", detail).into_response()
        }
        Some(Fault::LostAnswer) => {
            next.run(request).await;
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
        None => next.run(request).await,
    }
}

/// Refuses parameters that the documents don't name.
fn only(parameters: &Parameters, known: &[&str]) -> Result<(), Refused> {
    match parameters.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(bad(&format!("there is no parameter {name}"))),
        None => Ok(()),
    }
}

/// A page of records, as every list is cut.
fn page(parameters: &Parameters, name: &str, records: Vec<Value>) -> Result<Json<Value>, Refused> {
    let number = |name: &str, default: usize| {
        let given =
            parameters.get(name).map(|text| text.parse().map_err(|_| bad(&format!("{name} is no number"))));
        given.unwrap_or(Ok(default))
    };
    let (size, page) = (number("size", 20)?, number("page", 0)?);
    if size == 0 || size > MOST_ON_A_PAGE {
        return Err(bad("size is at most 100"));
    }
    let total = records.len();
    let shown: Vec<Value> = records.into_iter().skip(page * size).take(size).collect();
    Ok(Json(json!({
        "_embedded": { name: shown },
        "page": { "size": size, "totalElements": total, "totalPages": total.div_ceil(size), "number": page },
    })))
}

async fn branches(Query(parameters): Query<Parameters>) -> Result<Json<Value>, Refused> {
    only(&parameters, &["size", "page"])?;
    page(
        &parameters,
        "branches",
        vec![json!({ "branchId": BRANCH, "name": "Willow", "timeZone": "Europe/London" })],
    )
}

async fn staff(Query(parameters): Query<Parameters>) -> Result<Json<Value>, Refused> {
    only(&parameters, &["size", "page", "fetch_archived", "updatedAfter", "updatedBefore"])?;
    let record = |(id, first, last, archived): &(&str, &str, &str, bool)| json!({ "staffId": id, "firstName": first, "lastName": last, "archived": archived });
    page(&parameters, "staffs", STAFF.iter().map(record).collect())
}

async fn services(Query(parameters): Query<Parameters>) -> Result<Json<Value>, Refused> {
    only(&parameters, &["size", "page", "category_id"])?;
    let record = |(id, name): &(&str, &str)| json!({ "serviceId": id, "name": name, "archived": false });
    page(&parameters, "services", SERVICES.iter().map(record).collect())
}

/// Who works from 9 to 17 each day; it is not cut into pages.
async fn rota(Query(parameters): Query<Parameters>) -> Result<Json<Value>, Refused> {
    only(&parameters, &["from_date", "to_date"])?;
    let from: Date = required(&parameters, "from_date")?;
    let _: Date = required(&parameters, "to_date")?;
    let record = |(id, ..): &(&str, &str, &str, bool)| {
        let slot = |kind: &str, starts: &str, ends: &str| json!({ "date": from.to_string(), "startTime": starts, "endTime": ends, "type": kind });
        json!({ "staffId": id, "timeSlots": [slot("WORKING", "09:00:00", "17:00:00"), slot("NON_WORKING", "17:00:00", "21:00:00")] })
    };
    Ok(Json(json!({ "_embedded": { "workTimeTables": STAFF.iter().map(record).collect::<Vec<_>>() } })))
}

fn required<T: core::str::FromStr>(parameters: &Parameters, name: &str) -> Result<T, Refused> {
    let given = parameters.get(name).ok_or_else(|| bad(&format!("{name} is required")))?;
    given.parse().map_err(|_| bad(&format!("{name} can't be read")))
}

/// Those of at most a month, cancelled and deleted ones on request alone.
async fn appointments(
    State(phorest): State<Phorest>,
    Query(parameters): Query<Parameters>,
) -> Result<Json<Value>, Refused> {
    let known = [
        "from_date",
        "to_date",
        "staff_id",
        "room_id",
        "machine_id",
        "client_id",
        "group_booking_id",
        "fetch_canceled",
        "fetch_deleted",
        "fetch_archived",
        "fetch_notes",
        "updated_from",
        "updated_to",
        "size",
        "page",
    ];
    only(&parameters, &known)?;
    let (from, to): (Date, Date) = (required(&parameters, "from_date")?, required(&parameters, "to_date")?);
    let month: Span = 1.month();
    if to < from || from.checked_add(month).is_ok_and(|most| to > most) {
        return Err(bad("the range is at most a month"));
    }
    let is_asked = |name: &str| parameters.get(name).is_some_and(|value| value == "true");
    let since: Option<Timestamp> =
        parameters.contains_key("updated_from").then(|| required(&parameters, "updated_from")).transpose()?;
    let state = phorest.lock();
    let found = state.book.appointments.values().filter(|found| {
        let date = TimeZone::UTC.to_datetime(found.entry.starts).date();
        (from..=to).contains(&date)
            && parameters.get("staff_id").is_none_or(|staff| *staff == found.entry.staff)
            && since.is_none_or(|since| found.updated_at >= since)
            && (found.activation != "CANCELED" || is_asked("fetch_canceled"))
            && (!found.deleted || is_asked("fetch_deleted"))
    });
    let records = found.map(|found| found.json(is_asked("fetch_notes"))).collect();
    page(&parameters, "appointments", records)
}

async fn appointment(
    State(phorest): State<Phorest>,
    Path((_, _, id)): Path<(String, String, String)>,
) -> Result<Json<Value>, Refused> {
    let state = phorest.lock();
    let found = state.book.appointments.get(&id).ok_or_else(|| unknown("there is no such appointment"))?;
    Ok(Json(found.json(true)))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct BookingRequest {
    #[serde(default)]
    booking_status: Option<String>,
    client_id: String,
    #[serde(default)]
    note: String,
    client_appointment_schedules: Vec<ClientSchedule>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ClientSchedule {
    client_id: String,
    service_schedules: Vec<ServiceSchedule>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ServiceSchedule {
    service_id: String,
    staff_id: String,
    start_time: String,
    end_time: String,
}

/// Times are of UTC.
fn utc(text: &str) -> Result<Timestamp, Refused> {
    let at = text.ends_with('Z').then(|| text.parse().ok()).flatten();
    at.ok_or_else(|| bad("times are in UTC"))
}

fn check(staff: &str, service: &str) -> Result<(), Refused> {
    if !STAFF.iter().any(|(id, _, _, archived)| *id == staff && !archived) {
        return Err(bad("there is no such employee"));
    }
    if !SERVICES.iter().any(|(id, _)| *id == service) {
        return Err(bad("there is no such service"));
    }
    Ok(())
}

async fn book(
    State(phorest): State<Phorest>,
    Json(request): Json<BookingRequest>,
) -> Result<(StatusCode, Json<Value>), Refused> {
    let [schedule] = request.client_appointment_schedules.as_slice() else {
        return Err(bad("this fake takes one client"));
    };
    let [service] = schedule.service_schedules.as_slice() else {
        return Err(bad("this fake takes one service"));
    };
    if [&request.client_id, &schedule.client_id].iter().any(|client| client.as_str() != CLIENT) {
        return Err(bad("there is no such client"));
    }
    if request.booking_status.as_deref().is_some_and(|status| status != "ACTIVE" && status != "RESERVED") {
        return Err(bad("bookingStatus is unknown"));
    }
    check(&service.staff_id, &service.service_id)?;
    let entry = Entry {
        staff: service.staff_id.clone(),
        service: service.service_id.clone(),
        starts: utc(&service.start_time)?,
        ends: utc(&service.end_time)?,
        note: request.note,
    };
    if entry.ends <= entry.starts {
        return Err(bad("endTime is not after startTime"));
    }
    let id = phorest.edit(|book, now| book.enter(entry, now));
    let booked = json!({ "serviceId": service.service_id, "staffId": service.staff_id, "appointmentId": id });
    let answer = json!({
        "bookingStatus": "ACTIVE",
        "clientId": CLIENT,
        "bookingId": format!("booking-{id}"),
        "clientAppointmentSchedules": [{ "clientId": CLIENT, "serviceSchedules": [booked] }],
    });
    Ok((StatusCode::CREATED, Json(answer)))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UpdateRequest {
    appointment_id: String,
    version: i64,
    staff_id: String,
    service_id: String,
    appointment_date: Date,
    start_time: jiff::civil::Time,
    end_time: jiff::civil::Time,
}

async fn update(
    State(phorest): State<Phorest>,
    Path((_, _, id)): Path<(String, String, String)>,
    Json(request): Json<UpdateRequest>,
) -> Result<Json<Value>, Refused> {
    if request.appointment_id != id {
        return Err(bad("appointmentId is another one"));
    }
    check(&request.staff_id, &request.service_id)?;
    let at = |time| {
        TimeZone::UTC
            .to_timestamp(request.appointment_date.to_datetime(time))
            .map_err(|_| bad("out of range"))
    };
    let (starts, mut ends) = (at(request.start_time)?, at(request.end_time)?);
    if ends <= starts {
        ends += jiff::SignedDuration::from_hours(24);
    }
    phorest.edit(|book, now| {
        let found = book.appointments.get(&id).ok_or_else(|| unknown("there is no such appointment"))?;
        if !found.stands() {
            return Err(bad("the appointment is cancelled"));
        }
        if found.version != request.version {
            let detail = "the appointment has another version".to_owned();
            return Err(Refused(StatusCode::CONFLICT, "OPTIMISTIC_LOCK", detail));
        }
        book.change(&id, now, |appointment: &mut Appointment| {
            appointment.entry.staff = request.staff_id;
            appointment.entry.service = request.service_id;
            (appointment.entry.starts, appointment.entry.ends) = (starts, ends);
        });
        Ok(Json(book.appointments.get(&id).map(|found| found.json(false)).unwrap_or_default()))
    })
}

async fn cancel(
    State(phorest): State<Phorest>,
    Query(parameters): Query<Parameters>,
) -> Result<StatusCode, Refused> {
    only(&parameters, &["appointment_id"])?;
    let id: String = required(&parameters, "appointment_id")?;
    let is_there =
        phorest.edit(|book, now| book.change(&id, now, |appointment| appointment.activation = "CANCELED"));
    if is_there { Ok(StatusCode::OK) } else { Err(unknown("there is no such appointment")) }
}
