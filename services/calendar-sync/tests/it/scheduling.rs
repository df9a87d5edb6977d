//! Scheduling as its contract promises it, and no more lenient: a log of appointments
//! that can be appended to, and an import of busy facts that refuses what is malformed.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use boot::Host;
use caller::{BusinessScope, Tenant};
use jiff::Timestamp;
use proto::{
    error::{invalid, refuse},
    frontdesk::{
        error::v1::Reason,
        events::v1::{Event, event::Payload},
        scheduling::{
            internal::v1::{
                BusyFact, BusyServiceAdapter, BusyServiceHandler, ImportBusyRequest, ImportBusyResponse,
                ReportSourcesRequest, ReportSourcesResponse, Shortfall, SourceReport, shortfall::Kind,
            },
            v1::{Appointment, AppointmentServiceAdapter, CatalogueServiceAdapter, DayServiceAdapter},
        },
    },
    time::{required, to_proto},
};
use testkit::event_log;
use tokio::sync::{Semaphore, watch};
use tonic::{Status, async_trait, service::Routes};
use uuid::Uuid;

use crate::{
    book::Book,
    desk::{Catalogue, Days},
};

/// How long a test waits for what must come.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Who changes appointments.
pub const ACTOR: &str = "user:01900000-0000-7000-8000-000000000a02";

/// What was imported, and how.
#[derive(Debug, Clone, Default)]
pub struct Imported {
    /// Facts that hold now, by calendar and event.
    pub busy: BTreeMap<(String, String), BusyFact>,
    /// Every request that was taken, in order.
    pub requests: Vec<ImportBusyRequest>,
    /// Requests that were refused because the test wanted it.
    pub refused: usize,
    /// What no client of the contract may do.
    pub violations: Vec<String>,
    /// Calendars with an import in progress.
    under_way: BTreeSet<String>,
    /// The employee each calendar was first told of for.
    employees: BTreeMap<String, String>,
}

impl Imported {
    /// Whose the facts of a calendar are.
    pub fn employee_of(&self, calendar: &str) -> Option<&str> {
        self.employees.get(calendar).map(String::as_str)
    }

    /// How many calendars wait for an answer.
    pub fn waiting(&self) -> usize {
        self.under_way.len()
    }
}

/// How sources are read, as it was told.
#[derive(Debug, Clone, Default)]
pub struct Reported {
    /// The last report of each, and when it was so.
    pub sources: BTreeMap<String, (Timestamp, SourceReport)>,
    /// Reports that were taken.
    pub calls: usize,
}

impl Reported {
    /// The last report of a source.
    pub fn of(&self, source: Uuid) -> Option<&SourceReport> {
        self.sources.get(&source.to_string()).map(|(_, report)| report)
    }
}

/// A fake in the place of scheduling.
pub struct Scheduling {
    events: event_log::Events,
    imported: watch::Sender<Imported>,
    refusals: Mutex<VecDeque<Status>>,
    /// Why the book is not read.
    unreadable: Mutex<Option<Status>>,
    /// Appointments that the book no longer has.
    forgotten: Mutex<BTreeSet<String>>,
    /// What it does not hold as told, by the event.
    shortfalls: Mutex<BTreeMap<String, Kind>>,
    /// How sources are read, by source, and how often it was told.
    reports: watch::Sender<Reported>,
    /// Refuses so many of the next reports.
    pub lost_reports: AtomicUsize,
    /// Appointments on a page of the book, whatever is asked for: pages are read to the end.
    page: AtomicUsize,
    /// Imports wait for a permit each; plenty unless a test closes the gate.
    pub gate: Semaphore,
}

impl Scheduling {
    pub fn new() -> Arc<Self> {
        let (events, imported) = (event_log::Events::new(vec![]), watch::Sender::new(Imported::default()));
        let (refusals, shortfalls) = (Mutex::default(), Mutex::default());
        let (unreadable, forgotten) = (Mutex::default(), Mutex::default());
        let (reports, lost_reports) = (watch::Sender::new(Reported::default()), AtomicUsize::new(0));
        Arc::new(Self {
            events,
            imported,
            refusals,
            unreadable,
            forgotten,
            shortfalls,
            reports,
            lost_reports,
            page: AtomicUsize::new(2),
            gate: Semaphore::new(1_000_000),
        })
    }

    pub fn routes(self: &Arc<Self>, host: &Host) -> Routes {
        let book = Arc::new(Book(self.clone()));
        let (catalogue, days) = (Arc::new(Catalogue), Arc::new(Days(self.clone())));
        event_log::routes(&self.events, host)
            .add_service(BusyServiceAdapter::new(self.clone(), host.gate.clone()).into_server())
            .add_service(AppointmentServiceAdapter::new(book, host.gate.clone()).into_server())
            .add_service(CatalogueServiceAdapter::new(catalogue, host.gate.clone()).into_server())
            .add_service(DayServiceAdapter::new(days, host.gate.clone()).into_server())
    }

    /// Appends an appointment's new state to the log; says at which position.
    pub fn publish(&self, host: &Host, business: &str, appointment: Appointment) -> i64 {
        self.publish_traced(host, business, appointment, "")
    }

    pub fn publish_traced(
        &self,
        host: &Host,
        business: &str,
        appointment: Appointment,
        traceparent: &str,
    ) -> i64 {
        self.append(|position| event(host, business, position, appointment, traceparent))
    }

    /// Appends the event that `event` makes for its position; returns that.
    pub fn append(&self, event: impl FnOnce(i64) -> Event) -> i64 {
        let mut position = 0;
        self.events.send_modify(|events| {
            position = i64::try_from(events.len()).unwrap() + 1;
            events.push(event(position));
        });
        position
    }

    /// Appends many appointments at once; says at which position the last one stands.
    pub fn publish_all(&self, host: &Host, business: &str, appointments: Vec<Appointment>) -> i64 {
        self.events.send_modify(|events| {
            for appointment in appointments {
                let position = i64::try_from(events.len()).unwrap() + 1;
                events.push(event(host, business, position, appointment, ""));
            }
        });
        i64::try_from(self.events.borrow().len()).unwrap()
    }

    /// Pages of the book have so many appointments.
    pub fn pages_of(&self, appointments: usize) {
        self.page.store(appointments, Ordering::SeqCst);
    }

    /// A page of the appointments that the book has, from the `begin`-th on, and where the next one begins.
    pub fn page_of_book(
        &self,
        within: impl Fn(&Appointment) -> bool,
        begin: usize,
    ) -> (Vec<Appointment>, Option<usize>) {
        let (forgotten, events) = (self.forgotten.lock().unwrap(), self.events.borrow());
        let mut latest: BTreeMap<&str, &Appointment> = BTreeMap::new();
        for event in events.iter().filter(|event| !forgotten.contains(&event.aggregate_id)) {
            if let Some(Payload::Appointment(appointment)) = &event.payload {
                latest.insert(&appointment.id, appointment);
            }
        }
        let all: Vec<&Appointment> = latest.into_values().filter(|found| within(found)).collect();
        let end = (begin + self.page.load(Ordering::SeqCst)).min(all.len());
        let page = all[begin..end].iter().map(|found| (*found).clone()).collect();
        (page, (end < all.len()).then_some(end))
    }

    /// What was published of appointments that the book still has.
    pub fn published(&self) -> Vec<Event> {
        let forgotten = self.forgotten.lock().unwrap();
        let events = self.events.borrow().clone();
        events.into_iter().filter(|event| !forgotten.contains(&event.aggregate_id)).collect()
    }

    /// Takes an appointment out of the book without a word.
    pub fn forget(&self, appointment: &str) {
        self.forgotten.lock().unwrap().insert(appointment.to_owned());
    }

    /// From now on, the book can't be read.
    pub fn refuse_reading(&self, status: Status) {
        *self.unreadable.lock().unwrap() = Some(status);
    }

    /// Why the book can't be read, if it can't.
    pub fn refused_reading(&self) -> Option<Status> {
        self.unreadable.lock().unwrap().clone()
    }

    /// Refuses the next import.
    pub fn refuse_next(&self, status: Status) {
        self.refusals.lock().unwrap().push_back(status);
    }

    /// From now on, holds of an event only what `kind` says; all of it again without one.
    pub fn fall_short(&self, event: &str, kind: impl Into<Option<Kind>>) {
        let mut shortfalls = self.shortfalls.lock().unwrap();
        match kind.into() {
            Some(kind) => drop(shortfalls.insert(event.to_owned(), kind)),
            None => drop(shortfalls.remove(event)),
        }
    }

    /// What was imported, as soon as it is as wanted.
    pub async fn until(&self, wanted: impl FnMut(&Imported) -> bool) -> Imported {
        let mut watching = self.imported.subscribe();
        let waited = tokio::time::timeout(PATIENCE, watching.wait_for(wanted)).await;
        let Ok(arrived) = waited else { panic!("it never came: {:?}", *self.imported.borrow()) };
        let imported = arrived.unwrap().clone();
        assert!(imported.violations.is_empty(), "{:?}", imported.violations);
        imported
    }

    /// How sources are read, as soon as it is as wanted.
    pub async fn until_reported(&self, wanted: impl FnMut(&Reported) -> bool) -> Reported {
        let mut watching = self.reports.subscribe();
        let waited = tokio::time::timeout(PATIENCE, watching.wait_for(wanted)).await;
        let Ok(arrived) = waited else { panic!("it never came: {:?}", *self.reports.borrow()) };
        arrived.unwrap().clone()
    }

    pub fn imported(&self) -> Imported {
        self.imported.borrow().clone()
    }
}

fn event(host: &Host, business: &str, position: i64, appointment: Appointment, traceparent: &str) -> Event {
    Event {
        event_id: host.clock.new_id().to_string(),
        position,
        business_id: business.to_owned(),
        aggregate_id: appointment.id.clone(),
        version: appointment.version,
        occurred_at: Some(to_proto(host.clock.now())),
        traceparent: traceparent.to_owned(),
        actor: ACTOR.to_owned(),
        payload: Some(Payload::Appointment(appointment)),
    }
}

/// The calendar, or what it is in a booking system: one of both.
fn source(request: &ImportBusyRequest) -> &String {
    if request.calendar_id.is_empty() { &request.provider_connection_id } else { &request.calendar_id }
}

fn check(request: &ImportBusyRequest, before: &Imported) -> Result<(), Status> {
    for (field, id) in [("employee_id", &request.employee_id), ("calendar_id", source(request))] {
        id.parse::<Uuid>().map_err(|_| invalid(field, "is not a UUID"))?;
    }
    if !request.calendar_id.is_empty() && !request.provider_connection_id.is_empty() {
        return Err(invalid("provider_connection_id", "must not be set beside a calendar"));
    }
    if before.employees.get(source(request)).is_some_and(|known| *known != request.employee_id) {
        return Err(invalid("employee_id", "is not the calendar's"));
    }
    if before.under_way.contains(source(request)) {
        return Err(invalid("calendar_id", "is being imported already"));
    }
    if !(1..=500).contains(&request.facts.len()) {
        return Err(invalid("facts", "are none or more than 500"));
    }
    let ids: BTreeSet<_> = request.facts.iter().map(|fact| &fact.external_id).collect();
    if ids.len() != request.facts.len() || ids.iter().any(|id| id.is_empty()) {
        return Err(invalid("facts.external_id", "is missing or there twice"));
    }
    for fact in request.facts.iter().filter(|fact| !fact.removed) {
        let starts = required("facts.starts_at", fact.starts_at.as_ref())?;
        if required("facts.ends_at", fact.ends_at.as_ref())? <= starts || fact.title.trim() != fact.title {
            return Err(invalid("facts", "have no length or a title with odd ends"));
        }
    }
    Ok(())
}

#[async_trait]
impl BusyServiceHandler for Scheduling {
    async fn import_busy(
        &self,
        scope: BusinessScope,
        request: ImportBusyRequest,
    ) -> Result<ImportBusyResponse, Status> {
        assert_eq!(scope.business().to_string(), request.business_id);
        assert!(scope.remaining().is_some(), "a call carries its deadline");
        let mut verdict = Ok(());
        self.imported.send_modify(|imported| {
            verdict = check(&request, imported);
            imported.violations.extend(verdict.as_ref().err().map(|status| status.message().to_owned()));
            imported.under_way.insert(source(&request).clone());
        });
        verdict?;
        self.gate.acquire().await.unwrap().forget();
        let refusal = self.refusals.lock().unwrap().pop_front();
        let shortfalls = self.shortfalls_of(&request.facts);
        self.imported.send_modify(|imported| {
            imported.under_way.remove(source(&request));
            if refusal.is_some() {
                imported.refused += 1;
                return;
            }
            imported.employees.insert(source(&request).clone(), request.employee_id.clone());
            for (index, fact) in request.facts.iter().enumerate() {
                let kind = shortfalls.iter().find(|shortfall| shortfall.index as usize == index);
                if matches!(
                    kind.and_then(|shortfall| shortfall.kind.as_ref()),
                    Some(Kind::Refused(_) | Kind::OutOfRange(_))
                ) {
                    continue;
                }
                let key = (source(&request).clone(), fact.external_id.clone());
                if fact.removed {
                    imported.busy.remove(&key);
                } else {
                    imported.busy.insert(key, fact.clone());
                }
            }
            imported.requests.push(request.clone());
        });
        refusal.map_or(Ok(ImportBusyResponse { conflicts: 0, shortfalls }), Err)
    }

    async fn report_sources(
        &self,
        scope: BusinessScope,
        request: ReportSourcesRequest,
    ) -> Result<ReportSourcesResponse, Status> {
        assert_eq!(scope.business().to_string(), request.business_id);
        let at = required("reported_at", request.reported_at.as_ref())?;
        let lost =
            self.lost_reports.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if lost.is_ok() {
            return Err(refuse(Reason::Unavailable, "down for a moment"));
        }
        self.reports.send_modify(|reported| {
            reported.calls += 1;
            for source in &request.sources {
                let known = reported.sources.get(&source.source_id);
                if known.is_none_or(|(before, _)| *before <= at) {
                    reported.sources.insert(source.source_id.clone(), (at, source.clone()));
                }
            }
        });
        Ok(ReportSourcesResponse {})
    }
}

impl Scheduling {
    fn shortfalls_of(&self, facts: &[BusyFact]) -> Vec<Shortfall> {
        let known = self.shortfalls.lock().unwrap();
        let shortfall = |(index, fact): (usize, &BusyFact)| {
            let kind = known.get(&fact.external_id).filter(|_| !fact.removed).cloned();
            kind.map(|kind| Shortfall { index: i32::try_from(index).unwrap(), kind: Some(kind) })
        };
        facts.iter().enumerate().filter_map(shortfall).collect()
    }
}
