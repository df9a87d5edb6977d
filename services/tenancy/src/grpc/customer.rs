//! Customers.

use caller::{Actor, BusinessScope, Tenant};
use contacts::Contacts;
use proto::{
    contact::ContactReach,
    error::invalid,
    frontdesk::tenancy::v1::{
        self as pb, CreateCustomerRequest, CreateCustomerResponse, CustomerServiceHandler,
        GetCustomerRequest, GetCustomerResponse, ListCustomersRequest, ListCustomersResponse,
        RecordMarketingConsentRequest, RecordMarketingConsentResponse, UpdateCustomerRequest,
        UpdateCustomerResponse,
        customer_service_methods::{CREATE_CUSTOMER, RECORD_MARKETING_CONSENT, UPDATE_CUSTOMER},
    },
    parse::{chosen_id, id, optional_text},
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    app::{CreateCustomer, CustomerSearch, FindCustomers, RecordMarketingConsent, UpdateCustomer},
    domain::{Customer, CustomerId},
    store::Store,
};

const LONGEST_QUERY: usize = 100;

/// Serves `CustomerService`.
#[derive(Debug)]
pub(crate) struct Customers {
    store: Store,
    contacts: Contacts,
}

impl Customers {
    pub(crate) fn new(store: Store, contacts: Contacts) -> Self {
        Self { store, contacts }
    }

    /// Whose numbers and addresses may find them: all that there are do not in a list of all.
    async fn reach_of_search(
        &self,
        scope: &BusinessScope,
        search: &CustomerSearch,
    ) -> Result<Option<Vec<CustomerId>>, Status> {
        match search {
            CustomerSearch::Typed(text) if text.is_empty() => Ok(None),
            _ => reached(self.contacts.reach(scope).await?),
        }
    }
}

#[async_trait]
impl CustomerServiceHandler for Customers {
    async fn contact_reach(&self, scope: &BusinessScope) -> Result<ContactReach, Status> {
        self.contacts.reach(scope).await
    }

    async fn list_customers(
        &self,
        scope: BusinessScope,
        request: ListCustomersRequest,
    ) -> Result<ListCustomersResponse, Status> {
        let (page, listing) = fields::listing(request.page_size, &request.page_token)?;
        let search = search(&request)?;
        let reach = self.reach_of_search(&scope, &search).await?;
        let rows = FindCustomers { search, listing, reach }.run(self.store.begin(&scope)).await?;
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
        let command = parse(&scope.actor(), &request)?;
        self.store
            .idempotent(&scope, &CREATE_CUSTOMER, &request, async |tx| {
                let customer = command.run(tx).await?;
                Ok(CreateCustomerResponse { customer: Some(pb::Customer::from(&customer)) })
            })
            .await
    }

    async fn update_customer(
        &self,
        scope: BusinessScope,
        request: UpdateCustomerRequest,
    ) -> Result<UpdateCustomerResponse, Status> {
        let id: CustomerId = id("customer_id", &request.customer_id)?;
        let reach = self.contacts.reach(&scope).await?;
        let command = UpdateCustomer {
            id,
            contact_hidden: !reach.includes(&id.to_string()),
            name: fields::name("name", &request.name)?,
            email: fields::email(&request.email)?,
            dialled: fields::dialled(&request.phone)?,
            tags: fields::tags(&request.tags)?,
            version: fields::seen_version(request.version)?,
        };
        self.store
            .idempotent(&scope, &UPDATE_CUSTOMER, &request, async |tx| {
                let customer = command.run(tx).await?;
                Ok(UpdateCustomerResponse { customer: Some(pb::Customer::from(&customer)) })
            })
            .await
    }

    async fn record_marketing_consent(
        &self,
        scope: BusinessScope,
        request: RecordMarketingConsentRequest,
    ) -> Result<RecordMarketingConsentResponse, Status> {
        let command =
            RecordMarketingConsent { id: id("customer_id", &request.customer_id)?, given: request.given };
        self.store
            .idempotent(&scope, &RECORD_MARKETING_CONSENT, &request, async |tx| {
                let (customer, change) = command.run(tx).await?;
                let customer = Some(pb::Customer::from(&customer));
                Ok(RecordMarketingConsentResponse { customer, change_id: fields::change_id(change) })
            })
            .await
    }
}

fn parse(actor: &Actor, request: &CreateCustomerRequest) -> Result<CreateCustomer, Status> {
    Ok(CreateCustomer {
        id: chosen_id("customer_id", &request.customer_id, actor)?,
        name: fields::name("name", &request.name)?,
        email: fields::email(&request.email)?,
        dialled: fields::dialled(&request.phone)?,
    })
}

/// `None` for all.
fn reached(reach: ContactReach) -> Result<Option<Vec<CustomerId>>, Status> {
    match reach {
        ContactReach::All => Ok(None),
        ContactReach::Customers(ids) => {
            ids.iter().map(|text| id("customer_ids", text)).collect::<Result<_, _>>().map(Some)
        }
    }
}

fn search(request: &ListCustomersRequest) -> Result<CustomerSearch, Status> {
    let dialled = fields::dialled(&request.phone)?;
    match (dialled, optional_text("query", &request.query, LONGEST_QUERY)?) {
        (Some(_), Some(_)) => Err(invalid("query", "can't be asked for together with phone")),
        (Some(dialled), None) => Ok(CustomerSearch::Phone(dialled)),
        (None, typed) => Ok(CustomerSearch::Typed(typed.unwrap_or_default())),
    }
}
