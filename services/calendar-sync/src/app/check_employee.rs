//! Checks the employee that a request names. Tenancy owns employees; this is the one place that asks it.

use core::time::Duration;

use boot::peer::Peer;
use caller::{BusinessScope, Tenant, UserId};
use proto::{
    frontdesk::tenancy::internal::v1::{FindPeopleRequest, directory_service_client::DirectoryServiceClient},
    parse,
};

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

    async fn ask(&self, scope: &BusinessScope, employee: EmployeeId) -> Result<Option<UserId>, Error> {
        let message = FindPeopleRequest {
            business_id: scope.business().to_string(),
            employee_ids: vec![employee.to_string()],
            customer_ids: vec![],
        };
        let patience = scope.remaining().map_or(PATIENCE, |left| left.min(PATIENCE));
        let request = self.tenancy.as_service(Some(scope.business()), message, patience);
        let answer = DirectoryServiceClient::new(self.tenancy.channel()).find_people(request).await;
        let found = answer.map_err(|status| Error::Tenancy(Box::new(status)))?.into_inner().employees;
        let found = found.into_iter().next().ok_or(Error::UnknownEmployee)?;
        parse::optional_id("user_id", &found.user_id).map_err(|status| Error::Tenancy(Box::new(status)))
    }
}
