//! Items.

use database::{Named, named};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Added, Reason, Tx, no_business, page, refused};
use crate::{
    Error,
    domain::{Barcode, Currency, Item, ItemDetails, ItemId, Listing, SupplierId, UnknownCurrency},
};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT i.id, i.name, i.category, i.sku, i.barcode, i.price_minor, i.cost_minor, i.currency,
                i.tax_basis_points, i.supplier_id, s.name AS supplier_name, i.low_stock_at, i.unit, i.on_hand,
                i.archived, i.version, i.revision
            FROM item i
            -- One by one, so that the page stays in the index's order.
            LEFT JOIN LATERAL (
                SELECT supplier.name FROM supplier
                WHERE supplier.business_id = i.business_id AND supplier.id = i.supplier_id LIMIT 1
            ) s ON true
            WHERE i.business_id = :business_id AND ",
            $rest
        )
    };
}

/// A page of those on the list, or of those off it.
pub const ITEMS_BY_NAME: &str = select!(
    "i.archived = :archived AND (:supplier_id::uuid IS NULL OR i.supplier_id = :supplier_id)
    AND (i.name, i.id) > (:after_name, :after_id) ORDER BY i.name, i.id LIMIT :limit"
);
/// A page of those of a category.
pub const ITEMS_OF_CATEGORY: &str = select!(
    "i.category = :category AND i.archived = :archived
    AND (:supplier_id::uuid IS NULL OR i.supplier_id = :supplier_id)
    AND (i.name, i.id) > (:after_name, :after_id) ORDER BY i.name, i.id LIMIT :limit"
);
/// A page of those whose stock is low.
pub const LOW_ITEMS: &str = select!(
    "NOT i.archived AND i.on_hand <= i.low_stock_at AND (:category::text IS NULL OR i.category = :category)
    AND (:supplier_id::uuid IS NULL OR i.supplier_id = :supplier_id)
    AND (i.name, i.id) > (:after_name, :after_id) ORDER BY i.name, i.id LIMIT :limit"
);
/// A page of those that some words mean.
pub const ITEMS_LIKE: &str = select!(
    "i.id = ANY (ARRAY(
        SELECT find_items(:words::text[], :archived, :category::text, :supplier_id::uuid, :low, :after_name, :after_id,
            :limit)
    )) ORDER BY i.name, i.id"
);
const BY_ID: &str = select!("i.id = :id");
const TAKE: &str = select!("i.id = :id FOR UPDATE OF i");
/// In one order, so that two stock-takes can't deadlock.
const TAKE_AMONG: &str = select!("i.id = ANY(:ids::uuid[]) ORDER BY i.id FOR UPDATE OF i");
/// Which of these SKUs, barcodes and names are taken, and by which items.
const CODES_AMONG: &str = "SELECT name, lower(sku) AS sku, barcode FROM item
    WHERE business_id = :business_id AND (lower(sku) = ANY(:skus::text[]) OR barcode = ANY(:barcodes::text[])
        OR (archived IN (false, true) AND name = ANY(:names::text[])))";
/// One category after another, each found in the index.
pub const ITEM_CATEGORIES: &str = "WITH RECURSIVE category AS (
        (SELECT category FROM item WHERE business_id = :business_id AND category > '' ORDER BY category LIMIT 1)
        UNION ALL
        SELECT (SELECT category FROM item WHERE business_id = :business_id AND category > before.category
            ORDER BY category LIMIT 1)
        FROM category before WHERE before.category IS NOT NULL
    )
    SELECT category FROM category WHERE category IS NOT NULL LIMIT 200";
const ADD: &str = "INSERT INTO item (business_id, id, name, category, sku, barcode, price_minor, cost_minor,
        currency, tax_basis_points, supplier_id, low_stock_at, unit, archived, version, revision, created_at)
    VALUES (:business_id, :id, :name, :category, :sku, :barcode, :price, :cost, :currency, :tax, :supplier_id,
        :low_at, :unit, :archived, :version, :revision, :now)
    ON CONFLICT (business_id, id) DO NOTHING";
const SAVE: &str = "UPDATE item SET name = :name, category = :category, sku = :sku, barcode = :barcode,
        price_minor = :price, cost_minor = :cost, currency = :currency, tax_basis_points = :tax,
        supplier_id = :supplier_id, low_stock_at = :low_at, unit = :unit, archived = :archived,
        version = :version, revision = :revision
    WHERE business_id = :business_id AND id = :id";

const REASONS: &[Reason] = &[
    ("item_business", no_business),
    ("item_sku", || Error::TakenField("details.sku", "another item has this SKU")),
    ("item_barcode", || Error::TakenField("details.barcode", "another item has this barcode")),
    ("item_supplier", || Error::Unknown("details.supplier_id", "supplier")),
];

/// Which items are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WantedItems {
    /// Words of the name, the category or the codes.
    pub words: Vec<String>,
    /// Those of this category.
    pub category: Option<String>,
    /// Those of this supplier.
    pub supplier: Option<SupplierId>,
    /// Those whose stock is low.
    pub low: bool,
    /// Those off the list.
    pub archived: bool,
}

/// An item with the name of its supplier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuppliedItem {
    /// The item.
    pub item: Item,
    /// Empty if it has none.
    pub supplier: String,
}

/// An item's numbers.
#[derive(Debug, FromQueryResult)]
pub struct ItemCodes {
    /// What it is called.
    pub name: String,
    /// In lower case.
    pub sku: Option<String>,
    /// Its digits.
    pub barcode: Option<String>,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    name: String,
    category: String,
    sku: Option<String>,
    barcode: Option<String>,
    price_minor: Option<i32>,
    cost_minor: Option<i32>,
    currency: Option<String>,
    tax_basis_points: i32,
    supplier_id: Option<Uuid>,
    supplier_name: Option<String>,
    low_stock_at: Option<i32>,
    unit: String,
    on_hand: i64,
    archived: bool,
    version: i64,
    revision: i64,
}

impl TryFrom<Row> for SuppliedItem {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let currency = row.currency.as_deref().map(str::parse::<Currency>).transpose();
        let details = ItemDetails {
            name: row.name,
            category: row.category,
            sku: row.sku,
            barcode: row.barcode.map(Barcode::stored),
            price: row.price_minor,
            cost: row.cost_minor,
            tax: row.tax_basis_points,
            supplier: row.supplier_id.map(SupplierId),
            low_at: row.low_stock_at,
            unit: row.unit,
        };
        let item = Item {
            id: ItemId(row.id),
            details,
            currency: currency
                .map_err(|error: UnknownCurrency| Error::Stored("currency", Box::new(error)))?,
            on_hand: row.on_hand,
            archived: row.archived,
            version: row.version,
            revision: row.revision,
        };
        Ok(Self { item, supplier: row.supplier_name.unwrap_or_default() })
    }
}

impl Tx {
    /// A page of the items wanted, by name, and one more if there are more.
    pub async fn items(&self, wanted: &WantedItems, listing: &Listing) -> Result<Vec<SuppliedItem>, Error> {
        let values = page(listing).and(named! { business_id: self.business.0 });
        let values = values.and(named! { supplier_id: wanted.supplier.map(|supplier| supplier.0) });
        let category = named! { category: wanted.category.clone() };
        let archived = named! { archived: wanted.archived };
        if !wanted.words.is_empty() {
            let like = named! { words: wanted.words.clone(), low: wanted.low };
            return self.all::<Row, _>(ITEMS_LIKE, values.and(category).and(archived).and(like)).await;
        }
        match wanted {
            WantedItems { low: true, .. } => self.all::<Row, _>(LOW_ITEMS, values.and(category)).await,
            WantedItems { category: Some(_), .. } => {
                self.all::<Row, _>(ITEMS_OF_CATEGORY, values.and(category).and(archived)).await
            }
            _ => self.all::<Row, _>(ITEMS_BY_NAME, values.and(archived)).await,
        }
    }

    /// The categories that items have.
    pub async fn item_categories(&self) -> Result<Vec<String>, Error> {
        Ok(self.values(ITEM_CATEGORIES, named! { business_id: self.business.0 }).await?)
    }

    /// The items that have some of these codes or names; SKUs in lower case.
    pub async fn item_codes_among(
        &self,
        skus: Vec<String>,
        barcodes: Vec<String>,
        names: Vec<String>,
    ) -> Result<Vec<ItemCodes>, Error> {
        Ok(self.rows(CODES_AMONG, named! { business_id: self.business.0, skus, barcodes, names }).await?)
    }

    /// One item.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn item(&self, id: ItemId) -> Result<SuppliedItem, Error> {
        self.find_item(id).await?.ok_or(Error::NotFound("item"))
    }

    /// One item, which no other transaction changes until this one ends.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn take_item(&self, id: ItemId) -> Result<Item, Error> {
        let taken: Option<SuppliedItem> = self.one::<Row, _>(TAKE, self.item_key(id)).await?;
        taken.map(|supplied| supplied.item).ok_or(Error::NotFound("item"))
    }

    /// Those of these items that there are, by their ids, which no other transaction changes until this one ends.
    pub async fn take_items(&self, ids: &[ItemId]) -> Result<Vec<Item>, Error> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        let taken: Vec<SuppliedItem> =
            self.all::<Row, _>(TAKE_AMONG, named! { business_id: self.business.0, ids }).await?;
        Ok(taken.into_iter().map(|supplied| supplied.item).collect())
    }

    /// Adds an item, unless its id is there.
    ///
    /// # Errors
    /// [`Error::TakenField`] if another one has its SKU or barcode; [`Error::Unknown`] for a supplier whom the
    /// business doesn't have.
    pub async fn add_item(&self, item: Item) -> Result<Added<Item>, Error> {
        let values = self.described_item(&item).and(named! { now: self.at() });
        let added = self.try_execute(ADD, values).await.map_err(|error| refused(error, REASONS))?;
        if added == 1 {
            return Ok(Added::New(item));
        }
        let before = self.find_item(item.id).await?;
        before.map(|supplied| Added::Before(supplied.item)).ok_or(Error::NotFound("item"))
    }

    /// Saves an item that is there, but for its stock.
    ///
    /// # Errors
    /// As [`Self::add_item`].
    pub async fn save_item(&self, item: &Item) -> Result<(), Error> {
        let saved = self.try_execute(SAVE, self.described_item(item)).await;
        saved.map(drop).map_err(|error| refused(error, REASONS))
    }

    async fn find_item(&self, id: ItemId) -> Result<Option<SuppliedItem>, Error> {
        self.one::<Row, _>(BY_ID, self.item_key(id)).await
    }

    fn item_key(&self, id: ItemId) -> Named {
        named! { business_id: self.business.0, id: id.0 }
    }

    fn described_item(&self, item: &Item) -> Named {
        let details = &item.details;
        self.item_key(item.id).and(named! {
            name: details.name.as_str(),
            category: details.category.as_str(),
            sku: details.sku.as_deref(),
            barcode: details.barcode.as_ref().map(Barcode::as_str),
            price: details.price,
            cost: details.cost,
            currency: item.currency.as_ref().map(Currency::as_str),
            tax: details.tax,
            supplier_id: details.supplier.map(|supplier| supplier.0),
            low_at: details.low_at,
            unit: details.unit.as_str(),
            archived: item.archived,
            version: item.version,
            revision: item.revision,
        })
    }
}
