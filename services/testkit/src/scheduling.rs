//! Scheduling as its contract promises it: whose telephone numbers and e-mail addresses an employee may see, and what
//! services cost.

use std::sync::{Arc, Mutex};

use boot::{Host, peer::Peer};
use caller::BusinessScope;
use proto::{
    error::{Reason, refuse},
    frontdesk::scheduling::{
        internal::v1::{
            ContactReachServiceAdapter, ContactReachServiceHandler, FindContactReachRequest,
            FindContactReachResponse,
        },
        v1::{
            ArchiveServiceRequest, ArchiveServiceResponse, CatalogueServiceAdapter, CatalogueServiceHandler,
            CreateServiceRequest, CreateServiceResponse, ListServicesRequest, ListServicesResponse, Service,
            UpdateServiceRequest, UpdateServiceResponse,
        },
    },
};
use tonic::{Status, async_trait, service::Routes};
use uuid::Uuid;

use crate::{host_on, peer, serve};

/// Shows employees all, until a test says otherwise.
#[derive(Debug)]
pub struct Scheduling(Mutex<Option<FindContactReachResponse>>, Mutex<Vec<Service>>);

impl Default for Scheduling {
    fn default() -> Self {
        let all = FindContactReachResponse { all: true, customer_ids: vec![] };
        Self(Mutex::new(Some(all)), Mutex::default())
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
        self.0.lock().expect("no caller panicked").clone().ok_or_else(|| refuse(Reason::Unavailable, "away"))
    }
}

impl Scheduling {
    /// From now on employees may see those of these customers alone.
    ///
    /// # Panics
    /// When another caller panicked.
    pub fn limit_to<T: ToString>(&self, customers: &[T]) {
        let customer_ids = customers.iter().map(ToString::to_string).collect();
        *self.0.lock().expect("no caller panicked") =
            Some(FindContactReachResponse { all: false, customer_ids });
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
        let routes = Routes::new(reach.into_server()).add_service(catalogue.into_server());
        peer("scheduling", serve(routes, &own).await, host)
    }
}
