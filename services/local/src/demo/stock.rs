//! What the demo salon sells and uses up.

use boot::peer::Peer;
use proto::frontdesk::tenancy::v1 as tenancy;

use super::{TIMEOUT, business, id, salon::WILLOW};

/// Companies the salon buys from, and how to order.
const SUPPLIERS: [(&str, &str); 2] =
    [("Aston & Fincher", "Order by Tuesday noon for Thursday"), ("Salon Services", "")];

/// Name, category, SKU, price and cost in pence, supplier, low at, delivered.
type Good = (&'static str, &'static str, &'static str, Option<i32>, i32, usize, i32, i32);

const GOODS: [Good; 10] = [
    ("Moisture shampoo 250 ml", "Retail", "WIL-SH-250", Some(1450), 690, 0, 4, 18),
    ("Moisture conditioner 250 ml", "Retail", "WIL-CO-250", Some(1550), 740, 0, 4, 16),
    ("Volume mousse 200 ml", "Retail", "WIL-MO-200", Some(1290), 610, 1, 3, 3),
    ("Matt clay 75 ml", "Retail", "WIL-CL-075", Some(1190), 520, 1, 5, 11),
    ("Heat protection spray", "Retail", "WIL-HP-150", Some(1690), 800, 1, 4, 2),
    ("Permanent colour 6.0", "Colour", "COL-60", None, 540, 0, 6, 24),
    ("Permanent colour 7.43", "Colour", "COL-743", None, 540, 0, 6, 5),
    ("Developer 6 % 1 l", "Colour", "DEV-06", None, 720, 0, 3, 9),
    ("Bleach powder 500 g", "Colour", "BLE-500", None, 1180, 0, 2, 6),
    ("Foils 500", "Materials", "FOI-500", None, 1450, 1, 2, 1),
];

/// Puts goods on the shelves; what is there stays.
pub async fn fill(tenancy: &Peer) -> anyhow::Result<()> {
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
        let (_, _, _, _, cost, _, _, delivered) = good;
        if fresh {
            let message = tenancy::ReceiveStockRequest {
                business_id: WILLOW.to_owned(),
                item_id: id("item", n),
                quantity: *delivered,
                unit_cost_minor: Some(*cost),
                note: "First delivery".to_owned(),
            };
            stock.receive_stock(tenancy.as_service(willow, message, TIMEOUT)).await?;
        }
    }
    Ok(())
}

fn details((name, category, sku, price, cost, supplier, low, _): &Good) -> tenancy::ItemDetails {
    tenancy::ItemDetails {
        name: (*name).to_owned(),
        category: (*category).to_owned(),
        sku: (*sku).to_owned(),
        price_minor: *price,
        cost_minor: Some(*cost),
        tax_basis_points: 2000,
        supplier_id: id("supplier", *supplier),
        low_stock_at: Some(*low),
        ..Default::default()
    }
}
