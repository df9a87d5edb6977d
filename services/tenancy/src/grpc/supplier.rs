//! Suppliers.

use caller::{BusinessScope, Tenant};
use proto::{
    frontdesk::tenancy::v1::{
        self as pb, CreateSupplierRequest, CreateSupplierResponse, DeleteSupplierRequest,
        DeleteSupplierResponse, ListSuppliersRequest, ListSuppliersResponse, SupplierServiceHandler,
        UpdateSupplierRequest, UpdateSupplierResponse,
        supplier_service_methods::{CREATE_SUPPLIER, UPDATE_SUPPLIER},
    },
    parse::{chosen_id, id, optional_text},
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    app::{SupplierDetails, create_supplier, delete_supplier, update_supplier},
    domain::Supplier,
    store::Store,
};

/// Serves `SupplierService`.
#[derive(Debug)]
pub(crate) struct Suppliers {
    store: Store,
}

impl Suppliers {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl SupplierServiceHandler for Suppliers {
    async fn list_suppliers(
        &self,
        scope: BusinessScope,
        request: ListSuppliersRequest,
    ) -> Result<ListSuppliersResponse, Status> {
        let (page, listing) = fields::listing(request.page_size, &request.page_token)?;
        let tx = self.store.begin(&scope);
        let rows = tx.suppliers(&listing).await?;
        tx.commit().await?;
        let key = |row: &&Supplier| (row.name.clone(), row.id.0);
        let (suppliers, next_page_token) = page.answer(&rows, key, pb::Supplier::from);
        Ok(ListSuppliersResponse { suppliers, next_page_token })
    }

    async fn create_supplier(
        &self,
        scope: BusinessScope,
        request: CreateSupplierRequest,
    ) -> Result<CreateSupplierResponse, Status> {
        let id = chosen_id("supplier_id", &request.supplier_id, &scope.actor())?;
        let details = details(&request.name, &request.phone, &request.email, &request.note)?;
        self.store
            .idempotent(&scope, &CREATE_SUPPLIER, &request, async |tx| {
                let supplier = create_supplier(tx, id, details).await?;
                Ok(CreateSupplierResponse { supplier: Some(pb::Supplier::from(&supplier)) })
            })
            .await
    }

    async fn update_supplier(
        &self,
        scope: BusinessScope,
        request: UpdateSupplierRequest,
    ) -> Result<UpdateSupplierResponse, Status> {
        let id = id("supplier_id", &request.supplier_id)?;
        let version = fields::seen_version(request.version)?;
        let details = details(&request.name, &request.phone, &request.email, &request.note)?;
        self.store
            .idempotent(&scope, &UPDATE_SUPPLIER, &request, async |tx| {
                let supplier = update_supplier(tx, id, version, details).await?;
                Ok(UpdateSupplierResponse { supplier: Some(pb::Supplier::from(&supplier)) })
            })
            .await
    }

    async fn delete_supplier(
        &self,
        scope: BusinessScope,
        request: DeleteSupplierRequest,
    ) -> Result<DeleteSupplierResponse, Status> {
        let id = id("supplier_id", &request.supplier_id)?;
        delete_supplier(self.store.begin(&scope), id).await?;
        Ok(DeleteSupplierResponse {})
    }
}

fn details(name: &str, phone: &str, email: &str, note: &str) -> Result<SupplierDetails, Status> {
    Ok(SupplierDetails {
        name: fields::name("name", name)?,
        dialled: fields::dialled(phone)?,
        email: fields::email(email)?,
        note: optional_text("note", note, fields::LONGEST_REMARK)?,
    })
}
