//! Which services of a visit need a patch test that their customer lacks.

use core::time::Duration;

use boot::peer::Peer;
use caller::{BusinessScope, Tenant};
use engine::{
    id::{CustomerId, ServiceId},
    service::Service,
};
use jiff::Timestamp;
use proto::frontdesk::tenancy::{
    internal::v1::{FindPatchTestsRequest, patch_test_record_service_client::PatchTestRecordServiceClient},
    v1 as tenancy,
};
use tonic::Status;

use crate::{
    Error,
    domain::patch_test::{Lack, PatchTest, lack},
    store::Store,
};

/// How long tenancy may take: a caller may be waiting on the telephone.
const PATIENCE: Duration = Duration::from_secs(2);

/// Knows customers' patch tests: tenancy keeps them.
#[derive(Debug, Clone)]
pub struct PatchTests {
    store: Store,
    tenancy: Peer,
}

/// A visit to look at.
#[derive(Debug)]
pub struct Treatment {
    /// Who comes, if they are known.
    pub customer: Option<CustomerId>,
    /// What is done.
    pub services: Vec<ServiceId>,
    /// When; `None` for now.
    pub start: Option<Timestamp>,
}

/// A test that is lacking, and the first service that needs it.
#[derive(Debug)]
pub struct Lacking {
    /// The service.
    pub service: Service,
    /// Why.
    pub lack: Lack,
}

impl PatchTests {
    /// Patch tests of the customers of `store`, which `tenancy` keeps.
    #[must_use]
    pub fn new(store: Store, tenancy: Peer) -> Self {
        Self { store, tenancy }
    }

    /// The tests that a visit lacks, each once, in the order of its services.
    ///
    /// # Errors
    /// An unknown service; [`Error::Tenancy`] when tenancy does not answer.
    pub async fn lacking(&self, scope: &BusinessScope, visit: &Treatment) -> Result<Vec<Lacking>, Error> {
        let tx = self.store.begin(scope);
        let schedule = tx.known_schedule().await?;
        let start = visit.start.unwrap_or_else(|| tx.now());
        tx.release();
        let day = schedule.zone.to_datetime(start).date();
        let mut needing: Vec<&Service> = vec![];
        for (index, id) in visit.services.iter().enumerate() {
            let service = schedule.services.get(id);
            let service =
                service.ok_or_else(|| Error::invalid(format!("service_ids[{index}]"), "names no service"))?;
            let is_new = needing.iter().all(|known| known.patch_test != service.patch_test);
            if !service.patch_test.is_empty() && is_new {
                needing.push(service);
            }
        }
        if needing.is_empty() {
            return Ok(vec![]);
        }
        let tests = match visit.customer {
            Some(customer) => self.of(scope, customer).await?,
            None => vec![],
        };
        let lacking = |service: &Service| {
            let lack = lack(&service.patch_test, &tests, day)?;
            Some(Lacking { service: service.clone(), lack })
        };
        Ok(needing.into_iter().filter_map(lacking).collect())
    }

    async fn of(&self, scope: &BusinessScope, customer: CustomerId) -> Result<Vec<PatchTest>, Error> {
        let message = FindPatchTestsRequest {
            business_id: scope.business().to_string(),
            customer_id: customer.to_string(),
        };
        let patience = scope.remaining().map_or(PATIENCE, |left| left.min(PATIENCE));
        let request = self.tenancy.as_service(Some(scope.business()), message, patience);
        let answer =
            PatchTestRecordServiceClient::new(self.tenancy.channel()).find_patch_tests(request).await;
        let answer = answer.map_err(|status: Status| Error::Tenancy(Box::new(status)))?.into_inner();
        answer.patch_tests.iter().map(read).collect()
    }
}

fn read(test: &tenancy::PatchTest) -> Result<PatchTest, Error> {
    let date = |text: &str| text.parse().map_err(|_| Error::Stored("patch test"));
    let valid_until = (!test.valid_until.is_empty()).then(|| date(&test.valid_until)).transpose()?;
    Ok(PatchTest {
        subject: test.subject.clone(),
        tested_on: date(&test.tested_on)?,
        reacted: test.result() == tenancy::PatchTestResult::Reaction,
        valid_until,
    })
}
