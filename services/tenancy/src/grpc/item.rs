//! Items.

use caller::{BusinessScope, Tenant};
use proto::{
    error::invalid,
    frontdesk::tenancy::v1::{
        self as pb, ArchiveItemRequest, ArchiveItemResponse, CreateItemRequest, CreateItemResponse,
        ExportItemsRequest, ExportItemsResponse, GetItemRequest, GetItemResponse, ItemServiceHandler,
        ListItemCategoriesRequest, ListItemCategoriesResponse, ListItemsRequest, ListItemsResponse,
        RestoreItemRequest, RestoreItemResponse, UpdateItemRequest, UpdateItemResponse,
        item_service_methods::{ARCHIVE_ITEM, CREATE_ITEM, RESTORE_ITEM, UPDATE_ITEM},
    },
    page::MAX_PAGE,
    parse::{chosen_id, id, optional_id, optional_text},
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    app::{ArchiveItem, CreateItem, UpdateItem},
    domain::ItemDetails,
    lines,
    store::{Store, SuppliedItem, WantedItems},
};

const LONGEST_QUERY: usize = 100;

/// Serves `ItemService`.
#[derive(Debug)]
pub(crate) struct Items {
    store: Store,
}

impl Items {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl ItemServiceHandler for Items {
    async fn list_items(
        &self,
        scope: BusinessScope,
        request: ListItemsRequest,
    ) -> Result<ListItemsResponse, Status> {
        let (page, listing) = fields::listing(request.page_size, &request.page_token)?;
        let wanted = wanted(&request)?;
        let tx = self.store.begin(&scope);
        let rows = tx.items(&wanted, &listing).await?;
        tx.commit().await?;
        let (items, next_page_token) = page.answer(&rows, place, pb::Item::from);
        Ok(ListItemsResponse { items, next_page_token })
    }

    async fn get_item(
        &self,
        scope: BusinessScope,
        request: GetItemRequest,
    ) -> Result<GetItemResponse, Status> {
        let id = id("item_id", &request.item_id)?;
        let tx = self.store.begin(&scope);
        let item = tx.item(id).await?;
        tx.commit().await?;
        Ok(GetItemResponse { item: Some(pb::Item::from(&item)) })
    }

    async fn create_item(
        &self,
        scope: BusinessScope,
        request: CreateItemRequest,
    ) -> Result<CreateItemResponse, Status> {
        let command = CreateItem {
            id: chosen_id("item_id", &request.item_id, &scope.actor())?,
            details: details(request.details.as_ref())?,
        };
        self.store
            .idempotent(&scope, &CREATE_ITEM, &request, async |tx| {
                let item = command.run(tx).await?;
                Ok(CreateItemResponse { item: Some(pb::Item::from(&item)) })
            })
            .await
    }

    async fn update_item(
        &self,
        scope: BusinessScope,
        request: UpdateItemRequest,
    ) -> Result<UpdateItemResponse, Status> {
        let command = UpdateItem {
            id: id("item_id", &request.item_id)?,
            details: details(request.details.as_ref())?,
            version: fields::seen_version(request.version)?,
        };
        self.store
            .idempotent(&scope, &UPDATE_ITEM, &request, async |tx| {
                let item = command.run(tx).await?;
                Ok(UpdateItemResponse { item: Some(pb::Item::from(&item)) })
            })
            .await
    }

    async fn archive_item(
        &self,
        scope: BusinessScope,
        request: ArchiveItemRequest,
    ) -> Result<ArchiveItemResponse, Status> {
        let command = archiving(&request.item_id, request.version, true)?;
        self.store
            .idempotent(&scope, &ARCHIVE_ITEM, &request, async |tx| {
                let item = command.run(tx).await?;
                Ok(ArchiveItemResponse { item: Some(pb::Item::from(&item)) })
            })
            .await
    }

    async fn restore_item(
        &self,
        scope: BusinessScope,
        request: RestoreItemRequest,
    ) -> Result<RestoreItemResponse, Status> {
        let command = archiving(&request.item_id, request.version, false)?;
        self.store
            .idempotent(&scope, &RESTORE_ITEM, &request, async |tx| {
                let item = command.run(tx).await?;
                Ok(RestoreItemResponse { item: Some(pb::Item::from(&item)) })
            })
            .await
    }

    async fn list_item_categories(
        &self,
        scope: BusinessScope,
        _request: ListItemCategoriesRequest,
    ) -> Result<ListItemCategoriesResponse, Status> {
        let tx = self.store.begin(&scope);
        let categories = tx.item_categories().await?;
        tx.commit().await?;
        Ok(ListItemCategoriesResponse { categories })
    }

    async fn export_items(
        &self,
        scope: BusinessScope,
        request: ExportItemsRequest,
    ) -> Result<ExportItemsResponse, Status> {
        let (page, listing) = fields::listing(MAX_PAGE.try_into().unwrap_or(0), &request.page_token)?;
        let tx = self.store.begin(&scope);
        let rows = tx.items(&WantedItems::default(), &listing).await?;
        tx.commit().await?;
        let (shown, next_page_token) = page.answer(&rows, place, pb::Item::from);
        let first = request.page_token.is_empty();
        Ok(ExportItemsResponse { csv: lines::item::csv(first, &rows[..shown.len()]), next_page_token })
    }
}

fn place(row: &&SuppliedItem) -> (String, uuid::Uuid) {
    (row.item.details.name.clone(), row.item.id.0)
}

fn archiving(item_id: &str, version: i64, archived: bool) -> Result<ArchiveItem, Status> {
    Ok(ArchiveItem { id: id("item_id", item_id)?, archived, version: fields::seen_version(version)? })
}

fn wanted(request: &ListItemsRequest) -> Result<WantedItems, Status> {
    let query = optional_text("query", &request.query, LONGEST_QUERY)?.unwrap_or_default();
    Ok(WantedItems {
        words: query.split_whitespace().map(str::to_owned).collect(),
        category: Some(fields::category("category", &request.category)?).filter(|name| !name.is_empty()),
        supplier: optional_id("supplier_id", &request.supplier_id)?,
        low: request.low,
        archived: request.archived,
    })
}

fn details(wire: Option<&pb::ItemDetails>) -> Result<ItemDetails, Status> {
    let wire = wire.ok_or_else(|| invalid("details", "is required"))?;
    let amount =
        |field: &str, minor: Option<i32>| minor.map(|minor| fields::amount(field, minor)).transpose();
    let low_at = wire.low_stock_at.map(|low| fields::quantity("details.low_stock_at", low, 0)).transpose()?;
    Ok(ItemDetails {
        name: fields::name("details.name", &wire.name)?,
        category: fields::category("details.category", &wire.category)?,
        sku: fields::sku("details.sku", &wire.sku)?,
        barcode: fields::barcode("details.barcode", &wire.barcode)?,
        price: amount("details.price_minor", wire.price_minor)?,
        cost: amount("details.cost_minor", wire.cost_minor)?,
        tax: fields::tax("details.tax_basis_points", wire.tax_basis_points)?,
        supplier: optional_id("details.supplier_id", &wire.supplier_id)?,
        low_at: low_at.map(u32::cast_signed),
        unit: fields::unit("details.unit", &wire.unit)?,
    })
}
