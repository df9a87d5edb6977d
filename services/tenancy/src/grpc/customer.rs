//! Customers.

use caller::{Actor, BusinessScope, Tenant};
use proto::{
    error::invalid,
    frontdesk::tenancy::v1::{
        self as pb, CreateCustomerRequest, CreateCustomerResponse, CustomerServiceHandler,
        GetCustomerRequest, GetCustomerResponse, ListCustomersRequest, ListCustomersResponse,
        customer_service_methods::CREATE_CUSTOMER,
    },
    parse::{chosen_id, id, optional_text},
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    domain::{Customer, CustomerId, Dialled, WantedCustomers},
    store::Store,
};

const LONGEST_QUERY: usize = 100;

/// Serves `CustomerService`.
#[derive(Debug)]
pub(crate) struct Customers {
    store: Store,
}

impl Customers {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }

    /// The customer without the number: to complete that takes the business.
    fn parse(
        &self,
        actor: &Actor,
        request: &CreateCustomerRequest,
    ) -> Result<(Customer, Option<Dialled>), Status> {
        let id = chosen_id("customer_id", &request.customer_id, actor)?;
        let customer = Customer {
            id: id.unwrap_or_else(|| CustomerId(self.store.clock().new_id())),
            name: fields::name("name", &request.name)?,
            phone: None,
            email: fields::email(&request.email)?,
            version: 1,
        };
        Ok((customer, fields::dialled(&request.phone)?))
    }
}

#[async_trait]
impl CustomerServiceHandler for Customers {
    async fn list_customers(
        &self,
        scope: BusinessScope,
        request: ListCustomersRequest,
    ) -> Result<ListCustomersResponse, Status> {
        let (page, listing) = fields::listing(request.page_size, &request.page_token)?;
        let dialled = fields::dialled(&request.phone)?;
        let query = optional_text("query", &request.query, LONGEST_QUERY)?.unwrap_or_default();
        if dialled.is_some() && !query.is_empty() {
            return Err(invalid("query", "can't be asked for together with phone"));
        }
        let tx = self.store.begin(&scope);
        let phone = fields::complete(dialled, &tx).await?;
        let wanted = phone.map_or_else(|| WantedCustomers::typed(&query), WantedCustomers::WithPhone);
        let rows = tx.customers(&wanted, &listing).await?;
        tx.commit().await?;
        let key = |row: &&Customer| (row.name.clone(), row.id.0);
        let (customers, next_page_token) = page.answer(&rows, key, pb::Customer::from);
        Ok(ListCustomersResponse { customers, next_page_token })
    }

    async fn get_customer(
        &self,
        scope: BusinessScope,
        request: GetCustomerRequest,
    ) -> Result<GetCustomerResponse, Status> {
        let id = id("customer_id", &request.customer_id)?;
        let tx = self.store.begin(&scope);
        let customer = tx.customer(id).await?;
        tx.commit().await?;
        Ok(GetCustomerResponse { customer: Some(pb::Customer::from(&customer)) })
    }

    async fn create_customer(
        &self,
        scope: BusinessScope,
        request: CreateCustomerRequest,
    ) -> Result<CreateCustomerResponse, Status> {
        let (customer, dialled) = self.parse(&scope.actor(), &request)?;
        self.store
            .idempotent(&scope, &CREATE_CUSTOMER, &request, async |tx| {
                let phone = fields::complete(dialled, tx).await?;
                let customer = tx.add_customer(Customer { phone, ..customer }).await?.record();
                Ok(CreateCustomerResponse { customer: Some(pb::Customer::from(&customer)) })
            })
            .await
    }
}
