//! Exports of customers.

use caller::{Actor, BusinessScope, Tenant};
use proto::{
    frontdesk::tenancy::v1::{
        self as pb, BeginCustomerExportRequest, BeginCustomerExportResponse, CustomerExportServiceHandler,
        ReadCustomerExportRequest, ReadCustomerExportResponse,
        customer_export_service_methods::BEGIN_CUSTOMER_EXPORT,
    },
    page::MAX_PAGE,
    parse::{id, optional_id},
    time::to_proto,
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    app::{begin_customer_export, read_customer_export},
    domain::Customer,
    lines,
    store::Store,
};

/// Serves `CustomerExportService`.
#[derive(Debug)]
pub(crate) struct CustomerExports {
    store: Store,
}

impl CustomerExports {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl CustomerExportServiceHandler for CustomerExports {
    async fn begin_customer_export(
        &self,
        scope: BusinessScope,
        request: BeginCustomerExportRequest,
    ) -> Result<BeginCustomerExportResponse, Status> {
        let customer = optional_id("customer_id", &request.customer_id)?;
        let by = match scope.actor() {
            Actor::Person { user, .. } => Some(user),
            Actor::Agent { .. } | Actor::Service { .. } => None,
        };
        self.store
            .idempotent(&scope, &BEGIN_CUSTOMER_EXPORT, &request, async |tx| {
                let export = begin_customer_export(tx, customer, by).await?;
                let expires_at = Some(to_proto(export.expires_at));
                Ok(BeginCustomerExportResponse { export_id: export.id.to_string(), expires_at })
            })
            .await
    }

    async fn read_customer_export(
        &self,
        scope: BusinessScope,
        request: ReadCustomerExportRequest,
    ) -> Result<ReadCustomerExportResponse, Status> {
        let id = id("export_id", &request.export_id)?;
        let (page, listing) = fields::listing(MAX_PAGE.try_into().unwrap_or(0), &request.page_token)?;
        let rows = read_customer_export(self.store.begin(&scope), id, &listing).await?;
        let key = |row: &&Customer| (row.name.clone(), row.id.0);
        let (shown, next_page_token) = page.answer(&rows, key, pb::Customer::from);
        let first = request.page_token.is_empty();
        let csv = lines::customer::csv(first, &rows[..shown.len()]);
        Ok(ReadCustomerExportResponse { csv, next_page_token })
    }
}
