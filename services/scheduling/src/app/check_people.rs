//! The employees and customers that requests name: tenancy owns them, and this is the one place
//! where they are checked.

use core::time::Duration;
use std::sync::Arc;

use boot::peer::Peer;
use caller::{Actor, BusinessId, BusinessScope, Tenant};
use engine::{
    id::{CustomerId, EmployeeId},
    item::Item,
};
use moka::sync::Cache;
use proto::frontdesk::tenancy::internal::v1::{
    FindPeopleRequest, FindPeopleResponse, directory_service_client::DirectoryServiceClient,
};
use tonic::Status;

use crate::{
    Error,
    domain::person::{PersonId, may_act_for},
    store::Store,
};

/// How long tenancy may take: a caller may be waiting on the telephone.
const PATIENCE: Duration = Duration::from_secs(2);
/// About a hundred bytes each.
const MOST_REMEMBERED: u64 = 100_000;

/// The people that a request names, each with its field.
#[derive(Debug, Default)]
pub struct Named(Vec<(String, PersonId)>);

impl Named {
    /// A request that names this employee, if any.
    pub fn employee(field: &str, id: impl Into<Option<EmployeeId>>) -> Self {
        Self::default().and(field, id.into().map(PersonId::Employee))
    }

    /// A request that names this customer, if any.
    pub fn customer(field: &str, id: impl Into<Option<CustomerId>>) -> Self {
        Self::default().and(field, id.into().map(PersonId::Customer))
    }

    /// A request that names these employees, one after the other.
    pub fn employees(field: &str, ids: impl IntoIterator<Item = Option<EmployeeId>>) -> Self {
        let employee = |named: Self, (index, id): (usize, Option<EmployeeId>)| {
            named.and(&format!("{field}[{index}]"), id.map(PersonId::Employee))
        };
        ids.into_iter().enumerate().fold(Self::default(), employee)
    }

    /// As well as the employees of a visit's items.
    pub fn in_items(self, items: &[Item]) -> Self {
        items.iter().enumerate().fold(self, |named, (index, item)| {
            named
                .and(&format!("items[{index}].employee_id"), item.employee.map(PersonId::Employee))
                .and(&format!("items[{index}].preferred_employee_id"), item.preferred.map(PersonId::Employee))
        })
    }

    /// As well as whom the customer asks for in a visit's items.
    pub fn wished_in_items(self, items: &[Item]) -> Self {
        items.iter().enumerate().fold(self, |named, (index, item)| {
            let wished = item.wish.employee().map(PersonId::Employee);
            named.and(&format!("items[{index}].wished_employee_id"), wished)
        })
    }

    fn and(mut self, field: &str, id: Option<PersonId>) -> Self {
        self.0.extend(id.map(|id| (field.to_owned(), id)));
        self
    }
}

/// Knows the people of businesses: from memory, from the projection, and from tenancy about whom
/// the projection has not heard of yet.
#[derive(Debug, Clone)]
pub struct People {
    store: Store,
    tenancy: Peer,
    /// Employees and customers are never deleted, so a known id stays known.
    known: Arc<Cache<(BusinessId, PersonId), ()>>,
}

impl People {
    /// People of the businesses of `store`, whose owner is `tenancy`.
    #[must_use]
    pub fn new(store: Store, tenancy: Peer) -> Self {
        Self { store, tenancy, known: Arc::new(Cache::new(MOST_REMEMBERED)) }
    }

    /// Refuses a request that names an employee or customer whom the business does not have.
    ///
    /// # Errors
    /// [`Error::UnknownPerson`] with the field; [`Error::Tenancy`] when only tenancy could say and
    /// does not answer.
    pub async fn check(&self, scope: &BusinessScope, named: Named) -> Result<(), Error> {
        match self.unknown(scope, named).await?.into_iter().next() {
            Some((field, id)) => Err(Error::UnknownPerson { field, what: id.what() }),
            None => Ok(()),
        }
    }

    /// Those of `named` whom the business does not have, each with its field.
    ///
    /// # Errors
    /// [`Error::Tenancy`] when only tenancy could say and does not answer.
    pub async fn unknown(
        &self,
        scope: &BusinessScope,
        named: Named,
    ) -> Result<Vec<(String, PersonId)>, Error> {
        let business = scope.business();
        let mut open: Vec<_> = named.0;
        open.retain(|(_, id)| !self.known.contains_key(&(business, *id)));
        if open.is_empty() {
            return Ok(open);
        }
        let tx = self.store.begin(scope);
        let found = tx.people_among(&ids(&open)).await?;
        tx.release();
        self.remember(business, &mut open, &found);
        if open.is_empty() {
            return Ok(open);
        }
        let answer = self.ask(scope, &ids(&open)).await?;
        let found = self.store.save_people(scope, &answer).await?;
        self.remember(business, &mut open, &found);
        Ok(open)
    }

    /// Checks that the caller [may act for](may_act_for) the employee.
    ///
    /// # Errors
    /// `refusal`, for an employee who names a colleague.
    pub async fn own_or_manager(
        &self,
        scope: &BusinessScope,
        employee: EmployeeId,
        refusal: Error,
    ) -> Result<(), Error> {
        let Actor::Person { .. } = scope.actor() else { return Ok(()) };
        if may_act_for(scope.role(), false) {
            return Ok(());
        }
        let tx = self.store.begin(scope);
        let is_own = tx.is_actor(employee).await?;
        tx.release();
        if may_act_for(scope.role(), is_own) { Ok(()) } else { Err(refusal) }
    }

    fn remember(&self, business: BusinessId, open: &mut Vec<(String, PersonId)>, found: &[PersonId]) {
        for id in found {
            self.known.insert((business, *id), ());
        }
        open.retain(|(_, id)| !found.contains(id));
    }

    async fn ask(&self, scope: &BusinessScope, open: &[PersonId]) -> Result<FindPeopleResponse, Error> {
        let (employees, customers): (Vec<_>, Vec<_>) =
            open.iter().partition(|id| matches!(id, PersonId::Employee(_)));
        let texts = |ids: Vec<PersonId>| ids.into_iter().map(|id| id.uuid().to_string()).collect();
        let message = FindPeopleRequest {
            business_id: scope.business().to_string(),
            employee_ids: texts(employees),
            customer_ids: texts(customers),
        };
        let patience = scope.remaining().map_or(PATIENCE, |left| left.min(PATIENCE));
        let request = self.tenancy.as_service(Some(scope.business()), message, patience);
        let answer = DirectoryServiceClient::new(self.tenancy.channel()).find_people(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status: Status| Error::Tenancy(Box::new(status)))
    }
}

fn ids(named: &[(String, PersonId)]) -> Vec<PersonId> {
    named.iter().map(|(_, id)| *id).collect()
}
