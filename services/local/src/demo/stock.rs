//! What the demo salon sells and uses up.

use boot::peer::Peer;
use proto::frontdesk::tenancy::v1 as tenancy;

use super::{TIMEOUT, business, id, salon::WILLOW};

/// Companies the salon buys from, and how to order.
const SUPPLIERS: [(&str, &str); 2] =
    [("Aston & Fincher", "Order by Tuesday noon for Thursday"), ("Salon Services", "")];

/// What the salon sells and uses up.
#[derive(Debug, Clone, Copy)]
pub struct Good {
    /// What it is called.
    pub name: &'static str,
    /// What it is filed under.
    pub category: &'static str,
    /// The supplier's number.
    pub sku: &'static str,
    /// In pence; `None` for what is not sold.
    pub price: Option<i32>,
    /// In pence.
    pub cost: i32,
    /// By place in [`SUPPLIERS`].
    pub supplier: usize,
    /// The stock from which down it is low.
    pub low_at: i32,
    /// How many came with the first delivery.
    pub delivered: i32,
}

#[rustfmt::skip]
pub const GOODS: [Good; 10] = [
    Good { name: "Moisture shampoo 250 ml", category: "Retail", sku: "WIL-SH-250", price: Some(1450), cost: 690, supplier: 0, low_at: 4, delivered: 18 },
    Good { name: "Moisture conditioner 250 ml", category: "Retail", sku: "WIL-CO-250", price: Some(1550), cost: 740, supplier: 0, low_at: 4, delivered: 16 },
    Good { name: "Volume mousse 200 ml", category: "Retail", sku: "WIL-MO-200", price: Some(1290), cost: 610, supplier: 1, low_at: 3, delivered: 3 },
    Good { name: "Matt clay 75 ml", category: "Retail", sku: "WIL-CL-075", price: Some(1190), cost: 520, supplier: 1, low_at: 5, delivered: 11 },
    Good { name: "Heat protection spray", category: "Retail", sku: "WIL-HP-150", price: Some(1690), cost: 800, supplier: 1, low_at: 4, delivered: 2 },
    Good { name: "Permanent colour 6.0", category: "Colour", sku: "COL-60", price: None, cost: 540, supplier: 0, low_at: 6, delivered: 24 },
    Good { name: "Permanent colour 7.43", category: "Colour", sku: "COL-743", price: None, cost: 540, supplier: 0, low_at: 6, delivered: 5 },
    Good { name: "Developer 6 % 1 l", category: "Colour", sku: "DEV-06", price: None, cost: 720, supplier: 0, low_at: 3, delivered: 9 },
    Good { name: "Bleach powder 500 g", category: "Colour", sku: "BLE-500", price: None, cost: 1180, supplier: 0, low_at: 2, delivered: 6 },
    Good { name: "Foils 500", category: "Materials", sku: "FOI-500", price: None, cost: 1450, supplier: 1, low_at: 2, delivered: 1 },
];

/// Whether the first delivery is recorded, or the year that lies behind the salon says how much there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shelves {
    /// One delivery of each.
    Delivered,
    /// Still empty.
    Empty,
}

/// Puts goods on the shelves; what is there stays.
pub async fn fill(tenancy: &Peer, shelves: Shelves) -> anyhow::Result<()> {
    let willow = Some(business(WILLOW));
    let mut client = tenancy::supplier_service_client::SupplierServiceClient::new(tenancy.channel());
    for (n, (name, note)) in SUPPLIERS.into_iter().enumerate() {
        let message = tenancy::CreateSupplierRequest {
            business_id: WILLOW.to_owned(),
            supplier_id: id("supplier", n),
            name: name.to_owned(),
            note: note.to_owned(),
            ..Default::default()
        };
        client.create_supplier(tenancy.as_service(willow, message, TIMEOUT)).await?;
    }
    let mut items = tenancy::item_service_client::ItemServiceClient::new(tenancy.channel());
    let mut stock = tenancy::stock_service_client::StockServiceClient::new(tenancy.channel());
    for (n, good) in GOODS.iter().enumerate() {
        let message = tenancy::CreateItemRequest {
            business_id: WILLOW.to_owned(),
            item_id: id("item", n),
            details: Some(details(good)),
        };
        let answer = items.create_item(tenancy.as_service(willow, message, TIMEOUT)).await?;
        let fresh = answer.into_inner().item.is_some_and(|item| item.on_hand == 0 && item.version == 1);
        if fresh && shelves == Shelves::Delivered {
            let message = tenancy::ReceiveStockRequest {
                business_id: WILLOW.to_owned(),
                item_id: id("item", n),
                quantity: good.delivered,
                unit_cost_minor: Some(good.cost),
                note: "First delivery".to_owned(),
            };
            stock.receive_stock(tenancy.as_service(willow, message, TIMEOUT)).await?;
        }
    }
    Ok(())
}

fn details(good: &Good) -> tenancy::ItemDetails {
    tenancy::ItemDetails {
        name: good.name.to_owned(),
        category: good.category.to_owned(),
        sku: good.sku.to_owned(),
        price_minor: good.price,
        cost_minor: Some(good.cost),
        tax_basis_points: 2000,
        supplier_id: id("supplier", good.supplier),
        low_stock_at: Some(good.low_at),
        ..Default::default()
    }
}
