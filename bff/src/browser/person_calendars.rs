//! The calendars of a person's own account.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Extension, State},
    response::{IntoResponse, Response},
};
use http::StatusCode;
use proto::{
    error::Reason,
    frontdesk::calendarsync::internal::v1::{
        ListPersonCalendarsRequest, ListPersonCalendarsResponse,
        person_calendar_service_methods::LIST_PERSON_CALENDARS,
    },
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Browser, SignedIn, message};
use crate::{edge::Deadline, refusal::Refusal};

/// Calendars that may be connected.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PersonCalendars {
    calendars: Vec<PersonCalendar>,
}

/// One of them.
#[derive(Debug, Serialize, JsonSchema)]
struct PersonCalendar {
    /// Its id in the account.
    id: String,
    /// As `CalendarKind` names it.
    kind: &'static str,
    name: String,
}

/// `GET /api/me/calendars`. Without the person's consent: 401 with a flag beside the refusal, by which a page
/// tells it from a session that ended.
pub async fn list(
    State(door): State<Arc<Browser>>,
    Extension(deadline): Extension<Deadline>,
    SignedIn(person): SignedIn,
) -> Result<Response, Refusal> {
    let asked = ListPersonCalendarsRequest { user_id: person.user.to_string() };
    let answered = door.gateway.call_as_door(&LIST_PERSON_CALENDARS, None, deadline.left(), asked).await;
    let answer: ListPersonCalendarsResponse = answered.map_err(message::in_json)?;
    if answer.authorization_required {
        let refusal = Refusal::new(Reason::Unauthenticated, "Frontdesk may not see your calendars yet");
        let mut body = refusal.body();
        body["authorizationRequired"] = true.into();
        return Ok((StatusCode::UNAUTHORIZED, Json(body)).into_response());
    }
    let calendars = answer.calendars.into_iter().map(|calendar| PersonCalendar {
        kind: calendar.kind().as_str_name(),
        id: calendar.id,
        name: calendar.name,
    });
    Ok(Json(PersonCalendars { calendars: calendars.collect() }).into_response())
}
