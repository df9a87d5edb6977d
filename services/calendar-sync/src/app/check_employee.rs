//! Checks the employee that a request names. Tenancy owns employees; this is the one place that asks it.

use core::time::Duration;

use boot::peer::Peer;
use caller::{BusinessScope, Tenant, UserId};
use jiff::tz::TimeZone;
use proto::{
    frontdesk::tenancy::internal::v1::{
        FindPeopleRequest, FindPeopleResponse, directory_service_client::DirectoryServiceClient,
    },
    parse,
};
use tonic::Status;

use crate::{domain::EmployeeId, error::Error, store::Store};

const PATIENCE: Duration = Duration::from_secs(2);

/// Knows employees from the projection, and asks tenancy about those that have not arrived there yet.
#[derive(Debug, Clone)]
pub struct CheckEmployee {
    store: Store,
    tenancy: Peer,
}

impl CheckEmployee {
    /// Employees of the businesses of `store`, whose owner is `tenancy`.
    #[must_use]
    pub fn new(store: Store, tenancy: Peer) -> Self {
        Self { store, tenancy }
    }

    /// Refuses an employee whom the business does not have.
    ///
    /// # Errors
    /// [`Error::UnknownEmployee`]; [`Error::Tenancy`] when only tenancy could say and does not answer.
    pub async fn check(&self, scope: &BusinessScope, employee: EmployeeId) -> Result<(), Error> {
        let tx = self.store.begin(scope);
        let known = tx.knows_employee(employee).await?;
        tx.commit().await?;
        if known {
            return Ok(());
        }
        let account = self.ask(scope, employee).await?;
        let tx = self.store.begin(scope);
        tx.add_employee(employee, account).await?;
        tx.commit().await
    }

    /// Makes sure that the business's zone is known.
    ///
    /// # Errors
    /// [`Error::Tenancy`] when only tenancy could say and does not answer, or does not know.
    pub async fn learn_zone(&self, scope: &BusinessScope) -> Result<(), Error> {
        let tx = self.store.begin(scope);
        let known = tx.zone().await?.is_some();
        tx.commit().await?;
        if known {
            return Ok(());
        }
        let zone = self.find(scope, vec![]).await?.time_zone;
        if TimeZone::get(&zone).is_err() {
            return Err(Error::Tenancy(Box::new(Status::not_found("the business's time zone"))));
        }
        let tx = self.store.begin(scope);
        tx.add_zone(&zone).await?;
        tx.commit().await
    }

    async fn ask(&self, scope: &BusinessScope, employee: EmployeeId) -> Result<Option<UserId>, Error> {
        let found = self.find(scope, vec![employee.to_string()]).await?.employees;
        let found = found.into_iter().next().ok_or(Error::UnknownEmployee)?;
        parse::optional_id("user_id", &found.user_id).map_err(|status| Error::Tenancy(Box::new(status)))
    }

    async fn find(
        &self,
        scope: &BusinessScope,
        employee_ids: Vec<String>,
    ) -> Result<FindPeopleResponse, Error> {
        let business_id = scope.business().to_string();
        let message = FindPeopleRequest { business_id, employee_ids, customer_ids: vec![] };
        let patience = scope.remaining().map_or(PATIENCE, |left| left.min(PATIENCE));
        let request = self.tenancy.as_service(Some(scope.business()), message, patience);
        let answer = DirectoryServiceClient::new(self.tenancy.channel()).find_people(request).await;
        Ok(answer.map_err(|status| Error::Tenancy(Box::new(status)))?.into_inner())
    }
}
