//! Who belongs to a business, for other services.

use caller::BusinessScope;
use proto::{
    error::invalid,
    frontdesk::tenancy::{
        internal::v1::{DirectoryServiceHandler, FindPeopleRequest, FindPeopleResponse},
        v1 as pb,
    },
    parse::id,
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use crate::{Error, store::Store};

const MOST: usize = 1000;

/// Serves `DirectoryService`.
#[derive(Debug)]
pub(crate) struct Directory {
    store: Store,
}

impl Directory {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl DirectoryServiceHandler for Directory {
    async fn find_people(
        &self,
        scope: BusinessScope,
        request: FindPeopleRequest,
    ) -> Result<FindPeopleResponse, Status> {
        let employees = ids("employee_ids", &request.employee_ids)?;
        let customers = ids("customer_ids", &request.customer_ids)?;
        let tx = self.store.begin(&scope);
        let employees = tx.employees_among(&employees).await?;
        let customers = tx.customers_among(&customers).await?;
        let time_zone = match tx.business().await {
            Ok(business) => business.zone.to_string(),
            Err(Error::NotFound(_)) => String::new(),
            Err(error) => return Err(error.into()),
        };
        tx.commit().await?;
        Ok(FindPeopleResponse {
            employees: employees.iter().map(pb::Employee::from).collect(),
            // Nothing new is made for a person who was erased.
            customers: customers
                .iter()
                .filter(|one| one.erased_at.is_none())
                .map(pb::Customer::from)
                .collect(),
            time_zone,
        })
    }
}

fn ids<T: From<Uuid>>(field: &str, texts: &[String]) -> Result<Vec<T>, Status> {
    if texts.len() > MOST {
        return Err(invalid(field, "must be at most 1000"));
    }
    texts.iter().enumerate().map(|(index, text)| id(&format!("{field}[{index}]"), text)).collect()
}
