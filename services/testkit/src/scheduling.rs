//! Scheduling as its contract promises it: whose telephone numbers and e-mail addresses an employee may see, what
//! services cost, and appointments from tables.

use std::sync::{Arc, Mutex};

use boot::{Host, peer::Peer};
use caller::BusinessScope;
use jiff::SignedDuration;
use proto::{
    error::{Reason, refuse},
    frontdesk::scheduling::{
        internal::v1::{
            AppointmentImportServiceAdapter, AppointmentImportServiceHandler, ContactReachServiceAdapter,
            ContactReachServiceHandler, FindContactReachRequest, FindContactReachResponse,
            ImportAppointmentsRequest, ImportAppointmentsResponse, TableVisit, TableVisitOutcome, TakenTime,
            VisitFault,
        },
        v1::{
            ArchiveServiceRequest, ArchiveServiceResponse, CatalogueServiceAdapter, CatalogueServiceHandler,
            CreateServiceRequest, CreateServiceResponse, ListServicesRequest, ListServicesResponse, Service,
            UpdateServiceRequest, UpdateServiceResponse,
        },
    },
    time::to_proto,
};
use tonic::{Status, async_trait, service::Routes};
use uuid::Uuid;

use crate::{host_on, peer, serve};

/// Shows employees all, until a test says otherwise.
#[derive(Debug)]
pub struct Scheduling(
    Mutex<Option<FindContactReachResponse>>,
    Mutex<Vec<Service>>,
    /// With the person who booked each.
    Mutex<Vec<(String, TableVisit)>>,
);

impl Default for Scheduling {
    fn default() -> Self {
        let all = FindContactReachResponse { all: true, ..FindContactReachResponse::default() };
        Self(Mutex::new(Some(all)), Mutex::default(), Mutex::default())
    }
}

#[async_trait]
impl CatalogueServiceHandler for Scheduling {
    async fn list_services(
        &self,
        _: BusinessScope,
        _: ListServicesRequest,
    ) -> Result<ListServicesResponse, Status> {
        if self.0.lock().expect("no caller panicked").is_none() {
            return Err(refuse(Reason::Unavailable, "away"));
        }
        let services = self.1.lock().expect("no caller panicked").clone();
        Ok(ListServicesResponse { services, next_page_token: String::new() })
    }

    async fn create_service(
        &self,
        _: BusinessScope,
        _: CreateServiceRequest,
    ) -> Result<CreateServiceResponse, Status> {
        Err(Status::unimplemented("no test asks for it"))
    }

    async fn update_service(
        &self,
        _: BusinessScope,
        _: UpdateServiceRequest,
    ) -> Result<UpdateServiceResponse, Status> {
        Err(Status::unimplemented("no test asks for it"))
    }

    async fn archive_service(
        &self,
        _: BusinessScope,
        _: ArchiveServiceRequest,
    ) -> Result<ArchiveServiceResponse, Status> {
        Err(Status::unimplemented("no test asks for it"))
    }
}

#[async_trait]
impl ContactReachServiceHandler for Scheduling {
    async fn find_contact_reach(
        &self,
        _: BusinessScope,
        request: FindContactReachRequest,
    ) -> Result<FindContactReachResponse, Status> {
        assert!(request.user_id.parse::<Uuid>().is_ok(), "it is asked about the person who calls");
        let known = self.0.lock().expect("no caller panicked").clone();
        let mut answer = known.ok_or_else(|| refuse(Reason::Unavailable, "away"))?;
        answer.hidden_phones.retain(|phone| request.phones.contains(phone));
        Ok(answer)
    }
}

#[async_trait]
impl AppointmentImportServiceHandler for Scheduling {
    /// Sells all services but "Shave", each for half an hour; an appointment's id is made of its reference.
    async fn import_appointments(
        &self,
        _: BusinessScope,
        request: ImportAppointmentsRequest,
    ) -> Result<ImportAppointmentsResponse, Status> {
        if self.0.lock().expect("no caller panicked").is_none() {
            return Err(refuse(Reason::Unavailable, "away"));
        }
        let mut book = self.2.lock().expect("no caller panicked");
        let outcomes = request.visits.into_iter().map(|visit| {
            let outcome = table_outcome(&visit, &book);
            if !request.check_only && outcome.fault.is_none() && !outcome.known {
                book.push((request.on_behalf_of.clone(), visit));
            }
            outcome
        });
        Ok(ImportAppointmentsResponse { outcomes: outcomes.collect() })
    }
}

fn table_outcome(visit: &TableVisit, book: &[(String, TableVisit)]) -> TableVisitOutcome {
    if let Some(item) = visit.items.iter().position(|item| item.service_name == "Shave") {
        let item = i32::try_from(item).unwrap_or_default();
        let fault = VisitFault { item, field: "service".to_owned(), fault: "is no service".to_owned() };
        return TableVisitOutcome { fault: Some(fault), ..TableVisitOutcome::default() };
    }
    let taken = visit.items.iter().map(|item| {
        let local = item.starts_at.as_ref().map(|at| at.local.as_str()).unwrap_or_default();
        let starts_at: jiff::Timestamp = format!("{local}Z").parse().unwrap_or_default();
        TakenTime {
            employee_id: item.employee_name.clone(),
            starts_at: Some(to_proto(starts_at)),
            ends_at: Some(to_proto(starts_at + SignedDuration::from_mins(30))),
        }
    });
    let of = |visit: &TableVisit| match visit.reference.as_str() {
        "" => format!("{:?}", visit.items),
        reference => reference.to_owned(),
    };
    TableVisitOutcome {
        appointment_id: Uuid::new_v5(&Uuid::NAMESPACE_OID, of(visit).as_bytes()).to_string(),
        known: book.iter().any(|(_, booked)| of(booked) == of(visit)),
        fault: None,
        taken: taken.collect(),
    }
}

impl Scheduling {
    /// The appointments that were imported.
    ///
    /// # Panics
    /// When another caller panicked.
    pub fn imported(&self) -> Vec<TableVisit> {
        self.2.lock().expect("no caller panicked").iter().map(|(_, visit)| visit.clone()).collect()
    }

    /// The people who booked them.
    ///
    /// # Panics
    /// When another caller panicked.
    pub fn importers(&self) -> Vec<String> {
        self.2.lock().expect("no caller panicked").iter().map(|(person, _)| person.clone()).collect()
    }

    /// From now on it answers, and shows employees all.
    ///
    /// # Panics
    /// When another caller panicked.
    pub fn come_back(&self) {
        *self.0.lock().expect("no caller panicked") =
            Some(FindContactReachResponse { all: true, ..FindContactReachResponse::default() });
    }

    /// From now on employees may see those of these customers alone.
    ///
    /// # Panics
    /// When another caller panicked.
    pub fn limit_to<T: ToString>(&self, customers: &[T]) {
        let customer_ids = customers.iter().map(ToString::to_string).collect();
        *self.0.lock().expect("no caller panicked") =
            Some(FindContactReachResponse { customer_ids, ..FindContactReachResponse::default() });
    }

    /// From now on employees may see no customer's, and these are numbers of customers.
    ///
    /// # Panics
    /// When another caller panicked.
    pub fn hide_phones(&self, phones: &[&str]) {
        let hidden_phones = phones.iter().map(ToString::to_string).collect();
        *self.0.lock().expect("no caller panicked") =
            Some(FindContactReachResponse { hidden_phones, ..FindContactReachResponse::default() });
    }

    /// A service of the catalogue.
    ///
    /// # Panics
    /// When another caller panicked.
    pub fn offer(&self, id: Uuid, name: &str, price_minor: i32, currency: &str) {
        let (id, name, currency) = (id.to_string(), name.to_owned(), currency.to_owned());
        self.1.lock().expect("no caller panicked").push(Service {
            id,
            name,
            price_minor,
            currency,
            ..Service::default()
        });
    }

    /// From now on it does not answer.
    ///
    /// # Panics
    /// When another caller panicked.
    pub fn leave(&self) {
        *self.0.lock().expect("no caller panicked") = None;
    }

    /// Serves it, for a service on `host`, until that shuts down, by the same clock.
    pub async fn serve(self: &Arc<Self>, host: &Host) -> Peer {
        let own = Host { shutdown: host.shutdown.clone(), ..host_on("scheduling", host.clock.clone()) };
        let catalogue = CatalogueServiceAdapter::new(self.clone(), own.gate.clone());
        let reach = ContactReachServiceAdapter::new(self.clone(), own.gate.clone());
        let imports = AppointmentImportServiceAdapter::new(self.clone(), own.gate.clone());
        let routes = Routes::new(reach.into_server())
            .add_service(catalogue.into_server())
            .add_service(imports.into_server());
        peer("scheduling", serve(routes, &own).await, host)
    }
}
