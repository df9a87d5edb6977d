//! The demo booking system of this installation.

use jiff::Timestamp;
use reqwest::{StatusCode, Url};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tonic::async_trait;
use uuid::Uuid;

use super::{
    Day, ListedRecord, MOST_BYTES, Provider, ProviderError, TakesIds, TheirAppointment, TheirPage, Writing,
    bounded,
    fault::{later, refusal_text},
};
use crate::{
    domain::{
        AppointmentId,
        event::{Etag, Event, EventId, Span},
        free_time::Minutes,
        profile::text_at,
        provider::{CallLimit, Credentials, Outgoing, ProviderKind, System, listed},
    },
    outside::{
        WriteError,
        web::{Answer, Ask, Login, Web},
    },
};

/// As people know it.
const NAME: &str = "Demo booking system";
const JSON: &str = "application/json";
/// Its own; it answers 429 beyond it.
const LIMIT: CallLimit = CallLimit { per_second: 50, burst: 1_000 };

/// Speaks to it.
#[derive(Debug, Clone)]
pub struct DemoProvider {
    /// Calls it.
    pub web: Web,
    /// Where it is.
    pub base: Url,
}

#[derive(Debug, Deserialize)]
struct Account {
    name: String,
}

#[derive(Debug, Deserialize)]
struct Employees {
    /// Read one by one, as services and appointments are: one that makes no sense does not stop the others.
    employees: Vec<Value>,
}

#[derive(Debug, Deserialize)]
struct Services {
    services: Vec<Value>,
}

#[derive(Debug, Deserialize)]
struct Appointments {
    appointments: Vec<Value>,
    next: u64,
    more: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Appointment {
    id: String,
    title: String,
    starts_at: Timestamp,
    ends_at: Timestamp,
    reference: Option<Uuid>,
    changed_at: Timestamp,
    changed_by: String,
    deleted: bool,
}

#[derive(Debug, Deserialize)]
struct Free {
    free: Vec<FreeSpan>,
}

#[derive(Debug, Deserialize)]
struct FreeSpan {
    from: i32,
    to: i32,
}

fn read_one_by_one(records: &[Value]) -> Result<Vec<ListedRecord>, ProviderError> {
    let record = |record| listed(text_at(record, "/id"), &text_at(record, "/name").unwrap_or_default());
    let found: Vec<_> = records.iter().map(record).collect();
    bounded(&found)?;
    Ok(found)
}

impl From<Appointment> for TheirAppointment {
    fn from(wire: Appointment) -> Self {
        let (id, changed_at, changed_by) = (EventId(wire.id), wire.changed_at, Some(wire.changed_by));
        if wire.deleted {
            return Self::Deleted { id, changed_at, changed_by };
        }
        match Span::new(wire.starts_at, wire.ends_at) {
            None => Self::Unreadable { id, reason: "ends before it starts".to_owned() },
            Some(span) => {
                let appointment = wire.reference.map(AppointmentId);
                Self::Standing {
                    event: Event { id, title: wire.title, span, appointment },
                    ours: None,
                    changed_at,
                    changed_by,
                }
            }
        }
    }
}

/// Without an employee, it lists those of all.
fn appointments_path(employees: &[&str], after: Option<&str>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    if let [employee] = employees {
        query.append_pair("employee", employee);
    }
    if let Some(after) = after {
        query.append_pair("after", after);
    }
    format!("api/appointments?{}", query.finish())
}

/// Whether an appointment is an employee's, or does not say whose it is.
fn may_be_of(wire: &Value, employee: &str) -> bool {
    wire.get("employeeId").and_then(Value::as_str).is_none_or(|found| found == employee)
}

/// One appointment of a page; `None` for one without an id.
fn their_appointment(wire: Value) -> Option<TheirAppointment> {
    let id = wire.get("id").and_then(Value::as_str)?.to_owned();
    Some(match serde_json::from_value::<Appointment>(wire) {
        Ok(appointment) => appointment.into(),
        Err(error) => TheirAppointment::Unreadable { id: EventId(id), reason: error.to_string() },
    })
}

impl DemoProvider {
    fn ask(&self, method: &'static str, path: &str, with: &Credentials) -> Result<Ask, ProviderError> {
        let url = self.base.join(path).map_err(|_| failed("the booking system has no such address"))?;
        let ask = Ask::new(method, url, Login::Bearer(with.token.expose().to_owned()));
        Ok(ask.lane(with.lane()).staying().at_most(MOST_BYTES))
    }

    async fn read<T: DeserializeOwned>(&self, path: &str, with: &Credentials) -> Result<T, ProviderError> {
        let answer = self.web.send(self.ask("GET", path, with)?).await.map_err(|error| error.of(NAME))?;
        match answer.status {
            StatusCode::OK => serde_json::from_str(&answer.body)
                .map_err(|_| failed("the booking system answers what can't be read")),
            _ => Err(refused(&answer)),
        }
    }

    async fn write(&self, ask: Result<Ask, ProviderError>) -> Result<Answer, WriteError> {
        let ask = ask.map_err(|error| WriteError::Failed(error.to_string()))?;
        Ok(self.web.send(ask).await.map_err(|error| error.of(NAME))?)
    }
}

#[async_trait]
impl Provider for DemoProvider {
    fn system(&self) -> System {
        System {
            kind: ProviderKind::Demo,
            name: NAME.to_owned(),
            token: "Token".to_owned(),
            settings: vec![],
            pushes: false,
            books_services: false,
        }
    }

    fn limit(&self) -> CallLimit {
        LIMIT
    }

    async fn account(&self, with: &Credentials) -> Result<String, ProviderError> {
        Ok(self.read::<Account>("api/account", with).await?.name)
    }

    async fn employees(&self, with: &Credentials) -> Result<Vec<ListedRecord>, ProviderError> {
        let read: Employees = self.read("api/employees", with).await?;
        read_one_by_one(&read.employees)
    }

    async fn services(&self, with: &Credentials) -> Result<Vec<ListedRecord>, ProviderError> {
        let read: Services = self.read("api/services", with).await?;
        read_one_by_one(&read.services)
    }

    async fn appointments(
        &self,
        with: &Credentials,
        employees: &[&str],
        after: Option<&str>,
    ) -> Result<TheirPage, ProviderError> {
        let read: Appointments = self.read(&appointments_path(employees, after), with).await?;
        let of = |employee: &&str| {
            let own =
                read.appointments.iter().filter(|wire| employees.len() == 1 || may_be_of(wire, employee));
            own.cloned().filter_map(their_appointment).collect()
        };
        let of_each = employees.iter().map(of).collect();
        Ok(TheirPage { of_each, next: read.next.to_string(), more: read.more })
    }

    /// Changes have one row of numbers for all employees.
    fn earliest(&self, read_up_to: &[&str]) -> Option<String> {
        let numbers: Option<Vec<u64>> = read_up_to.iter().map(|number| number.parse().ok()).collect();
        Some(numbers?.into_iter().min()?.to_string())
    }

    async fn free(
        &self,
        with: &Credentials,
        employee: &str,
        day: &Day,
    ) -> Result<Vec<Minutes>, ProviderError> {
        let path = format!("api/availability?employee={employee}&date={}", day.date);
        let read: Free = self.read(&path, with).await?;
        Ok(read.free.into_iter().map(|span| (span.from, span.to)).collect())
    }

    fn writing(&self) -> Writing<'_> {
        Writing::OurIds(self)
    }
}

#[async_trait]
impl TakesIds for DemoProvider {
    async fn put(
        &self,
        with: &Credentials,
        outgoing: &Outgoing,
        expected: Option<&Etag>,
    ) -> Result<Etag, WriteError> {
        let body = json!({
            "employeeId": outgoing.employee,
            "serviceId": outgoing.service,
            "title": outgoing.title,
            "startsAt": outgoing.span.starts(),
            "endsAt": outgoing.span.ends(),
            "reference": outgoing.appointment.0,
        });
        let ask = self.ask("PUT", &format!("api/appointments/{}", outgoing.id), with);
        let ask =
            ask.map(|ask| ask.expecting(expected.map(|etag| etag.0.as_str())).body(JSON, body.to_string()));
        let answer = self.write(ask).await?;
        match answer.status {
            StatusCode::OK => Ok(Etag(answer.etag.unwrap_or_default())),
            StatusCode::PRECONDITION_FAILED => {
                Err(WriteError::Changed(Etag(answer.etag.unwrap_or_default())))
            }
            _ => Err(refusal(&answer)),
        }
    }

    async fn delete(&self, with: &Credentials, id: &str, expected: Option<&Etag>) -> Result<(), WriteError> {
        // Without a version it says which one it has.
        let expected = expected.map_or("0", |etag| etag.0.as_str());
        let ask = self.ask("DELETE", &format!("api/appointments/{id}"), with);
        let answer = self.write(ask.map(|ask| ask.expecting(Some(expected)))).await?;
        match answer.status {
            StatusCode::NO_CONTENT | StatusCode::NOT_FOUND => Ok(()),
            StatusCode::PRECONDITION_FAILED => {
                Err(WriteError::Changed(Etag(answer.etag.unwrap_or_default())))
            }
            _ => Err(refusal(&answer)),
        }
    }
}

fn refused(answer: &Answer) -> ProviderError {
    match answer.status {
        StatusCode::UNAUTHORIZED => ProviderError::Token,
        StatusCode::GONE => ProviderError::Forgotten,
        StatusCode::TOO_MANY_REQUESTS => later(answer.retry_after),
        status => failed(&format!("{NAME} answers {}", status.as_u16())),
    }
}

fn refusal(answer: &Answer) -> WriteError {
    match answer.status {
        StatusCode::UNAUTHORIZED | StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            refused(answer).into()
        }
        StatusCode::BAD_REQUEST | StatusCode::FORBIDDEN | StatusCode::UNPROCESSABLE_ENTITY => {
            let said = refusal_text(&answer.body);
            WriteError::Refused(if said.is_empty() { refused(answer).to_string() } else { said })
        }
        _ => WriteError::Failed(refused(answer).to_string()),
    }
}

fn failed(reason: &str) -> ProviderError {
    ProviderError::Failed(reason.to_owned())
}
