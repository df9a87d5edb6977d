//! Businesses.

use cache::LIFE;
use caller::{Actor, BusinessScope, InstallationScope};
use proto::{
    frontdesk::tenancy::v1::{
        self as pb, BusinessServiceHandler, CreateBusinessRequest, CreateBusinessResponse,
        GetBusinessRequest, GetBusinessResponse, ListBusinessSetupsRequest, ListBusinessSetupsResponse,
        ListBusinessesRequest, ListBusinessesResponse, UpdateBusinessRequest, UpdateBusinessResponse,
        business_service_methods::{CREATE_BUSINESS, UPDATE_BUSINESS},
    },
    parse::chosen_id,
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    app::{CreateBusiness, UpdateBusiness},
    domain::{Business, Country},
    store::{BUSINESS, Store},
};

/// Serves `BusinessService`.
#[derive(Debug)]
pub(crate) struct Businesses {
    store: Store,
}

impl Businesses {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }

    /// The same for every caller that may read the business.
    async fn business(&self, scope: &BusinessScope) -> Result<GetBusinessResponse, Status> {
        let tx = self.store.begin(scope);
        let business = tx.business().await?;
        tx.commit().await?;
        Ok(GetBusinessResponse { business: Some(pb::Business::from(&business)) })
    }
}

#[async_trait]
impl BusinessServiceHandler for Businesses {
    async fn get_business(
        &self,
        scope: BusinessScope,
        _request: GetBusinessRequest,
    ) -> Result<GetBusinessResponse, Status> {
        self.store.answers().read(BUSINESS, &scope, "", LIFE, || self.business(&scope)).await
    }

    async fn list_businesses(
        &self,
        scope: InstallationScope,
        request: ListBusinessesRequest,
    ) -> Result<ListBusinessesResponse, Status> {
        let (page, listing) = fields::listing(request.page_size, &request.page_token)?;
        let tx = self.store.begin_installation(&scope);
        let rows = tx.businesses(&listing).await?;
        tx.commit().await?;
        let key = |row: &&Business| (row.name.clone(), row.id.0);
        let (businesses, next_page_token) = page.answer(&rows, key, pb::Business::from);
        Ok(ListBusinessesResponse { businesses, next_page_token })
    }

    async fn create_business(
        &self,
        scope: InstallationScope,
        request: CreateBusinessRequest,
    ) -> Result<CreateBusinessResponse, Status> {
        let command = parse(scope.actor(), &request)?;
        self.store
            .idempotent_across(&scope, &CREATE_BUSINESS, &request, async |tx| {
                let business = command.run(tx).await?;
                Ok(CreateBusinessResponse { business: Some(pb::Business::from(&business)) })
            })
            .await
    }

    async fn update_business(
        &self,
        scope: BusinessScope,
        request: UpdateBusinessRequest,
    ) -> Result<UpdateBusinessResponse, Status> {
        let command = UpdateBusiness {
            name: fields::business_name(&request.name)?,
            address: fields::address(&request.address)?,
            dialled: fields::dialled(&request.phone)?,
            email: fields::email(&request.email)?,
            website: fields::website(&request.website)?,
            currency: fields::currency(&request.currency)?,
            brand_color: fields::brand_color(&request.brand_color)?,
            version: fields::seen_version(request.version)?,
        };
        self.store
            .idempotent(&scope, &UPDATE_BUSINESS, &request, async |tx| {
                let business = command.run(tx).await?;
                Ok(UpdateBusinessResponse { business: Some(pb::Business::from(&business)) })
            })
            .await
    }

    async fn list_business_setups(
        &self,
        scope: InstallationScope,
        request: ListBusinessSetupsRequest,
    ) -> Result<ListBusinessSetupsResponse, Status> {
        let ids = fields::businesses(&request.business_ids)?;
        let tx = self.store.begin_installation(&scope);
        let setups = tx.business_setups(&ids).await?;
        tx.commit().await?;
        Ok(ListBusinessSetupsResponse { setups: setups.iter().map(pb::BusinessSetup::from).collect() })
    }
}

fn parse(actor: &Actor, request: &CreateBusinessRequest) -> Result<CreateBusiness, Status> {
    let id = chosen_id("business_id", &request.business_id, actor)?;
    let zone = fields::zone(&request.time_zone)?;
    let phone = fields::dialled(&request.phone)?
        .map(|dialled| dialled.from_country(Country::of_zone(&zone)))
        .transpose()
        .map_err(fields::no_phone)?;
    let name = fields::business_name(&request.name)?;
    let currency = fields::currency(&request.currency)?;
    Ok(CreateBusiness { id, name, address: fields::address(&request.address)?, phone, zone, currency })
}
