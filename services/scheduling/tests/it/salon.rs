//! A salon to test in: Willow, in London, open Monday to Saturday, nine to six.

mod clients;
mod peeks;

use std::sync::Arc;

use boot::{Host, clock::TestClock, peer::PeerChannel};
use caller::{BusinessId, Role};
use jiff::Timestamp;
use proto::{
    frontdesk::scheduling::{
        internal::v1::{BusyFact, ImportBusyRequest, ImportBusyResponse},
        v1::{
            Appointment, BookAppointmentRequest, CancelAppointmentRequest, Conflict, CreateHoldRequest,
            CreateServiceRequest, Hold, ListAppointmentsRequest, ListConflictsRequest,
            ReleaseCallHoldsRequest, ReleaseHoldRequest, SearchAvailabilityRequest,
            SearchAvailabilityResponse, Service, SetOpeningHoursRequest, SetWeeklyScheduleRequest, VisitItem,
            WeeklySpan,
        },
    },
    time::to_proto,
};
use scheduling::{Peers, migration::Migrator};
use testkit::{TestDatabase, TestRedis, as_agent, as_service, as_user};
use tonic::{Request, Status};
use uuid::Uuid;

pub use peeks::OVERLAPS;

pub use crate::values::*;
use crate::{telemetry::Calls, tenancy::Directory};

/// A served scheduling service, its database and its clock.
pub struct Salon {
    pub host: Host,
    pub time: TestClock,
    pub database: TestDatabase,
    pub pool: database::Database,
    pub tenancy: Arc<Directory>,
    pub calls: Arc<Calls>,
    channel: PeerChannel,
}

impl Salon {
    /// The service on an empty database.
    pub async fn empty() -> Self {
        Self::empty_with(None).await
    }

    /// The service on an empty database, with answers kept in `cache`.
    pub async fn empty_with(cache: Option<&TestRedis>) -> Self {
        Self::empty_on(testkit::database::<Migrator>("scheduling").await, cache).await
    }

    async fn empty_on(database: TestDatabase, cache: Option<&TestRedis>) -> Self {
        let (mut host, time) = testkit::host("scheduling");
        host.cache = cache.map(TestRedis::client);
        let pool = database.connect_with(&host, 16, scheduling::PLANNING).await;
        let (tenancy, calls) = (Arc::new(Directory::default()), Arc::new(Calls::default()));
        let peers = Peers { tenancy: tenancy.serve(&host).await, telemetry: calls.serve(&host).await };
        let routes = scheduling::routes(pool.clone(), peers, &host);
        let channel = testkit::peer("scheduling", testkit::serve(routes, &host).await, &host).channel();
        Self { host, time, database, pool, tenancy, calls, channel }
    }

    /// Another replica of the service, on the same database.
    pub async fn replica(&self) -> PeerChannel {
        self.replica_on(&self.host).await
    }

    /// Another replica, with a clock of its own.
    pub async fn replica_on(&self, host: &Host) -> PeerChannel {
        let pool = self.database.connect_with(host, 16, scheduling::PLANNING).await;
        let peers =
            Peers { tenancy: self.tenancy.serve(host).await, telemetry: self.calls.serve(host).await };
        let routes = scheduling::routes(pool, peers, host);
        let address = testkit::serve(routes, host).await;
        testkit::peer("scheduling", address, host).channel()
    }

    /// Willow with its hours, its people and its services.
    pub async fn open() -> Self {
        Self::open_with(None).await
    }

    /// Willow, with answers kept in `cache`.
    pub async fn open_with(cache: Option<&TestRedis>) -> Self {
        Self::empty_with(cache).await.fill().await
    }

    /// Willow, behind PgBouncer with `connections`.
    pub async fn pooled(connections: u16) -> Self {
        let database = testkit::database::<Migrator>("scheduling").await.behind_pgbouncer(connections).await;
        Self::empty_on(database, None).await.fill().await
    }

    async fn fill(self) -> Self {
        let salon = self;
        salon.set_hours(WILLOW, weekdays(9, 18)).await;
        for employee in [ANA, BEN] {
            salon.set_week(employee, weekdays(9, 18)).await;
        }
        let mut colour = service(COLOUR, "Colour", &[30, 30, 15], &[ANA, BEN]);
        colour.buffer_after_minutes = 10;
        let mut massage = service(MASSAGE, "Massage", &[45], &[BEN]);
        massage.buffer_before_minutes = 5;
        for service in [service(CUT, "Cut", &[30], &[ANA, BEN]), colour, massage] {
            salon.create_service(service).await.unwrap();
        }
        salon
    }

    pub fn channel(&self) -> PeerChannel {
        self.channel.clone()
    }

    pub fn employee<T>(&self, message: T) -> Request<T> {
        as_user(&self.host, Role::Employee, WILLOW, message)
    }

    pub fn manager<T>(&self, message: T) -> Request<T> {
        as_user(&self.host, Role::Manager, WILLOW, message)
    }

    pub fn agent<T>(&self, message: T) -> Request<T> {
        as_agent(&self.host, CONNECTION, WILLOW, message)
    }

    pub fn service<T>(&self, issuer: &str, message: T) -> Request<T> {
        as_service(issuer, &self.host, Some(WILLOW), message)
    }

    pub async fn set_hours(&self, business: BusinessId, spans: Vec<WeeklySpan>) {
        self.set_hours_in(business, "Europe/London", spans).await;
    }

    pub async fn set_hours_in(&self, business: BusinessId, zone: &str, spans: Vec<WeeklySpan>) {
        let request = SetOpeningHoursRequest {
            business_id: business.to_string(),
            time_zone: zone.to_owned(),
            spans,
            ..Default::default()
        };
        let request = as_service("local", &self.host, Some(business), request);
        self.schedules().set_opening_hours(request).await.unwrap();
    }

    pub async fn set_week(&self, employee: Uuid, spans: Vec<WeeklySpan>) {
        self.set_week_from(employee, "", spans).await;
    }

    pub async fn set_week_from(&self, employee: Uuid, effective_from: &str, spans: Vec<WeeklySpan>) {
        let request = SetWeeklyScheduleRequest {
            business_id: WILLOW.to_string(),
            employee_id: employee.to_string(),
            spans,
            effective_from: effective_from.to_owned(),
            ..Default::default()
        };
        self.schedules().set_weekly_schedule(self.service("local", request)).await.unwrap();
    }

    pub async fn create_service(&self, service: Service) -> Result<Service, Status> {
        let request = CreateServiceRequest { business_id: WILLOW.to_string(), service: Some(service) };
        let response = self.catalogue().create_service(self.service("local", request)).await?;
        Ok(response.into_inner().service.unwrap())
    }

    /// Searches one day, all of it.
    pub async fn search(
        &self,
        items: Vec<VisitItem>,
        date: &str,
    ) -> Result<SearchAvailabilityResponse, Status> {
        let from = local(date, "00:00");
        let request = SearchAvailabilityRequest {
            business_id: WILLOW.to_string(),
            items,
            from: Some(to_proto(from)),
            to: Some(to_proto(from + jiff::SignedDuration::from_hours(24))),
            page_size: 200,
            page_token: String::new(),
            ..Default::default()
        };
        self.search_as(self.agent(request)).await
    }

    pub async fn search_as(
        &self,
        request: Request<SearchAvailabilityRequest>,
    ) -> Result<SearchAvailabilityResponse, Status> {
        Ok(self.availability().search_availability(request).await?.into_inner())
    }

    /// Starts offered on Tuesday, a whole day ahead of the clock.
    pub async fn offered_on_tuesday(&self, items: Vec<VisitItem>) -> Vec<String> {
        starts(&self.search(items, "2026-06-02").await.unwrap().offers)
    }

    pub async fn book(&self, items: Vec<VisitItem>, start: Timestamp) -> Result<Appointment, Status> {
        self.book_as(self.agent(booking(items, start))).await
    }

    pub async fn book_as(&self, request: Request<BookAppointmentRequest>) -> Result<Appointment, Status> {
        Ok(self.appointments().book_appointment(request).await?.into_inner().appointment.unwrap())
    }

    pub async fn book_hold(&self, hold: &str) -> Result<Appointment, Status> {
        let request = BookAppointmentRequest {
            business_id: WILLOW.to_string(),
            hold_id: hold.to_owned(),
            ..BookAppointmentRequest::default()
        };
        self.book_as(self.agent(request)).await
    }

    pub async fn cancel(&self, appointment: &str) -> Result<Appointment, Status> {
        let request = CancelAppointmentRequest {
            business_id: WILLOW.to_string(),
            appointment_id: appointment.to_owned(),
            reason: "ill".to_owned(),
        };
        let response = self.appointments().cancel_appointment(self.agent(request)).await?;
        Ok(response.into_inner().appointment.unwrap())
    }

    pub async fn hold(&self, items: Vec<VisitItem>, start: Timestamp) -> Result<Hold, Status> {
        let request = CreateHoldRequest {
            business_id: WILLOW.to_string(),
            items,
            starts_at: Some(to_proto(start)),
            call_id: CALL.to_string(),
            ..Default::default()
        };
        Ok(self.availability().create_hold(self.agent(request)).await?.into_inner().hold.unwrap())
    }

    pub async fn release(&self, hold: &str) -> Result<(), Status> {
        let request = ReleaseHoldRequest { business_id: WILLOW.to_string(), hold_id: hold.to_owned() };
        self.availability().release_hold(self.agent(request)).await.map(drop)
    }

    pub async fn release_call(&self) -> i32 {
        let request = ReleaseCallHoldsRequest { business_id: WILLOW.to_string(), call_id: CALL.to_string() };
        let response = self.availability().release_call_holds(self.agent(request)).await.unwrap();
        response.into_inner().released
    }

    /// Imports facts of Ana's calendar that are all held as they are: how many lie over a booking.
    pub async fn import(&self, facts: Vec<BusyFact>) -> Result<i32, Status> {
        let answer = self.import_all(facts).await?;
        assert_eq!(answer.shortfalls, []);
        Ok(answer.conflicts)
    }

    /// Imports facts of Ana's calendar.
    pub async fn import_all(&self, facts: Vec<BusyFact>) -> Result<ImportBusyResponse, Status> {
        let request = ImportBusyRequest {
            business_id: WILLOW.to_string(),
            employee_id: ANA.to_string(),
            calendar_id: Uuid::from_u128(0xca1).to_string(),
            facts,
            ..Default::default()
        };
        let response = self.busy().import_busy(self.service("calendar-sync", request)).await?;
        Ok(response.into_inner())
    }

    /// Imports facts of the salon's booking system, each of which says whose it is.
    pub async fn import_from_provider(&self, facts: Vec<BusyFact>) -> Result<i32, Status> {
        let answer = self.import_all_from_provider(facts).await?;
        assert_eq!(answer.shortfalls, []);
        Ok(answer.conflicts)
    }

    pub async fn import_all_from_provider(&self, facts: Vec<BusyFact>) -> Result<ImportBusyResponse, Status> {
        let request = ImportBusyRequest {
            business_id: WILLOW.to_string(),
            provider_connection_id: PROVIDER.to_string(),
            facts,
            ..Default::default()
        };
        let response = self.busy().import_busy(self.service("calendar-sync", request)).await?;
        Ok(response.into_inner())
    }

    pub async fn conflicts(&self) -> Vec<Conflict> {
        self.conflicts_seen(|request| self.manager(request)).await
    }

    /// What the sender of a request sees of them.
    pub async fn conflicts_seen(
        &self,
        by: impl FnOnce(ListConflictsRequest) -> Request<ListConflictsRequest>,
    ) -> Vec<Conflict> {
        let request = ListConflictsRequest { business_id: WILLOW.to_string(), ..Default::default() };
        let response = self.appointments().list_conflicts(by(request)).await.unwrap();
        response.into_inner().conflicts
    }

    /// Appointments of the week from Monday, page by page.
    pub async fn booked(&self) -> Vec<Appointment> {
        let (mut all, mut page_token) = (vec![], String::new());
        loop {
            let request = ListAppointmentsRequest {
                business_id: WILLOW.to_string(),
                from: Some(to_proto(monday("00:00"))),
                page_size: 200,
                page_token,
                ..Default::default()
            };
            let page =
                self.appointments().list_appointments(self.employee(request)).await.unwrap().into_inner();
            all.extend(page.appointments);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                return all;
            }
        }
    }
}

impl Drop for Salon {
    fn drop(&mut self) {
        self.host.shutdown.cancel();
    }
}
