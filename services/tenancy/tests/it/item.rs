//! Items.

use caller::BusinessId;
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        tenancy::v1::{
            ArchiveItemRequest, CreateItemRequest, ExportItemsRequest, GetBusinessRequest, Item, ItemDetails,
            ListItemCategoriesRequest, ListItemsRequest, RestoreItemRequest, UpdateBusinessRequest,
            UpdateItemRequest,
        },
    },
};
use tonic::Status;
use uuid::Uuid;

use crate::{
    event::{followed, next},
    stage::{LINDE, Spoilt, Stage, WILLOW, assert_field_refused, assert_refused},
    stock::receive,
};

/// An item of the kind that needs least.
pub fn described(name: &str) -> ItemDetails {
    ItemDetails { name: name.to_owned(), ..ItemDetails::default() }
}

pub async fn create(stage: &Stage, business: BusinessId, details: ItemDetails) -> Result<Item, Status> {
    let request = CreateItemRequest {
        business_id: business.to_string(),
        details: Some(details),
        ..CreateItemRequest::default()
    };
    let response = stage.items().create_item(stage.manager_of(business, request)).await?;
    Ok(response.into_inner().item.unwrap())
}

/// An item that customers can buy.
pub async fn for_sale(stage: &Stage, name: &str) -> Item {
    choose_currency(stage, WILLOW, "GBP").await;
    create(stage, WILLOW, ItemDetails { price_minor: Some(1250), ..described(name) }).await.unwrap()
}

/// The salon chooses its currency.
pub async fn choose_currency(stage: &Stage, business: BusinessId, currency: &str) {
    let request = GetBusinessRequest { business_id: business.to_string() };
    let known = stage.businesses().get_business(stage.owner_of(business, request)).await.unwrap();
    let known = known.into_inner().business.unwrap();
    let request = UpdateBusinessRequest {
        business_id: known.id,
        name: known.name,
        address: known.address,
        phone: known.phone,
        currency: currency.to_owned(),
        ..UpdateBusinessRequest::default()
    };
    stage.businesses().update_business(stage.owner_of(business, request)).await.unwrap();
}

fn all() -> ListItemsRequest {
    ListItemsRequest { business_id: WILLOW.to_string(), page_size: 2, ..ListItemsRequest::default() }
}

async fn names(stage: &Stage, request: ListItemsRequest) -> Vec<String> {
    let (mut seen, mut token) = (vec![], String::new());
    loop {
        let request = ListItemsRequest { page_token: token, ..request.clone() };
        let page = stage.items().list_items(stage.employee_of(WILLOW, request)).await.unwrap().into_inner();
        seen.extend(page.items.into_iter().map(|item| item.details.unwrap().name));
        token = page.next_page_token;
        if token.is_empty() {
            return seen;
        }
    }
}

pub async fn update(stage: &Stage, item: &Item, details: ItemDetails, version: i64) -> Result<Item, Status> {
    let request = UpdateItemRequest {
        business_id: WILLOW.to_string(),
        item_id: item.id.clone(),
        details: Some(details),
        version,
    };
    let response = stage.items().update_item(stage.manager_of(WILLOW, request)).await?;
    Ok(response.into_inner().item.unwrap())
}

async fn archive(stage: &Stage, item: &Item, version: i64) -> Result<Item, Status> {
    let (business_id, item_id) = (WILLOW.to_string(), item.id.clone());
    let request = ArchiveItemRequest { business_id, item_id, version };
    let response = stage.items().archive_item(stage.manager_of(WILLOW, request)).await?;
    Ok(response.into_inner().item.unwrap())
}

async fn restore(stage: &Stage, item: &Item, version: i64) -> Result<Item, Status> {
    let (business_id, item_id) = (WILLOW.to_string(), item.id.clone());
    let request = RestoreItemRequest { business_id, item_id, version };
    let response = stage.items().restore_item(stage.manager_of(WILLOW, request)).await?;
    Ok(response.into_inner().item.unwrap())
}

#[tokio::test]
async fn an_item_has_what_was_said_of_it_and_is_published() {
    let stage = Stage::open().await;
    choose_currency(&stage, WILLOW, "GBP").await;
    let details = ItemDetails {
        category: "Hair care".to_owned(),
        sku: "S-1".to_owned(),
        barcode: "4006381333931".to_owned(),
        price_minor: Some(1250),
        cost_minor: Some(640),
        tax_basis_points: 2000,
        low_stock_at: Some(3),
        unit: "ml".to_owned(),
        ..described("Shampoo")
    };
    let made = create(&stage, WILLOW, details.clone()).await.unwrap();
    assert_eq!(made.details, Some(details));
    assert_eq!((made.currency.as_str(), made.on_hand, made.low, made.version), ("GBP", 0, true, 1));
    let mut log = followed(&stage).await;
    loop {
        let event = next(&mut log).await;
        if let Some(Payload::Item(of)) = event.payload {
            assert_eq!((of.item_id, event.version), (made.id, 1));
            break;
        }
    }
}

#[tokio::test]
async fn an_amount_needs_the_currency_of_the_salon() {
    let stage = Stage::open().await;
    let priced = ItemDetails { price_minor: Some(1), ..described("Shampoo") };
    assert_field_refused(create(&stage, WILLOW, priced).await, "details.price_minor");
    let costly = ItemDetails { cost_minor: Some(1), ..described("Shampoo") };
    assert_field_refused(create(&stage, WILLOW, costly).await, "details.cost_minor");
}

#[tokio::test]
async fn what_is_no_item_is_refused_by_its_field() {
    let stage = Stage::open().await;
    choose_currency(&stage, WILLOW, "GBP").await;
    let cases: [Spoilt<ItemDetails>; 13] = [
        ("details.name", |item| item.name.clear()),
        ("details.name", |item| item.name = "x".repeat(10_000)),
        ("details.name", |item| item.name = "So\u{7}ap".to_owned()),
        ("details.name", |item| item.name = "So\u{202e}ap".to_owned()),
        ("details.category", |item| item.category = "x".repeat(81)),
        ("details.sku", |item| item.sku = "a\nb".to_owned()),
        ("details.barcode", |item| item.barcode = "4006381333932".to_owned()),
        ("details.price_minor", |item| item.price_minor = Some(-1)),
        ("details.cost_minor", |item| item.cost_minor = Some(i32::MAX)),
        ("details.tax_basis_points", |item| item.tax_basis_points = 10_001),
        ("details.supplier_id", |item| item.supplier_id = Uuid::from_u128(9).to_string()),
        ("details.low_stock_at", |item| item.low_stock_at = Some(-1)),
        ("details.unit", |item| item.unit = "x".repeat(21)),
    ];
    for (field, spoil) in cases {
        let mut details = described("Soap");
        spoil(&mut details);
        assert_field_refused(create(&stage, WILLOW, details).await, field);
    }
}

#[tokio::test]
async fn no_two_items_have_the_same_codes() {
    let stage = Stage::open().await;
    let coded = |name: &str, sku: &str, barcode: &str| ItemDetails {
        sku: sku.to_owned(),
        barcode: barcode.to_owned(),
        ..described(name)
    };
    create(&stage, WILLOW, coded("Soap", "S-1", "4006381333931")).await.unwrap();
    create(&stage, LINDE, coded("Seife", "S-1", "4006381333931")).await.unwrap();
    for details in [coded("Other", "s-1", ""), coded("Other", "", "4006381333931")] {
        assert_refused(create(&stage, WILLOW, details).await, Reason::AlreadyExists);
    }
    create(&stage, WILLOW, described("Soap")).await.unwrap();
}

#[tokio::test]
async fn items_are_found_by_words_codes_category_and_low_stock_a_page_at_a_time() {
    let stage = Stage::open().await;
    for (name, category, sku) in [
        ("Shampoo mild", "Care", "SH-1"),
        ("Colour red", "Colour", "CO-1"),
        ("Shampoo dry", "Care", "SH-2"),
        ("Été", "", ""),
    ] {
        let low_stock_at = (name == "Colour red").then_some(2);
        let details = ItemDetails {
            category: category.to_owned(),
            sku: sku.to_owned(),
            low_stock_at,
            ..described(name)
        };
        create(&stage, WILLOW, details).await.unwrap();
    }
    create(&stage, LINDE, described("Shampoo")).await.unwrap();
    assert_eq!(names(&stage, all()).await, ["Colour red", "Été", "Shampoo dry", "Shampoo mild"]);
    let searched = |query: &str| ListItemsRequest { query: query.to_owned(), ..all() };
    assert_eq!(names(&stage, searched("sham")).await, ["Shampoo dry", "Shampoo mild"]);
    assert_eq!(names(&stage, searched("care DRY")).await, ["Shampoo dry"]);
    assert_eq!(names(&stage, searched("sh-1")).await, ["Shampoo mild"]);
    assert_eq!(names(&stage, searched("ete")).await, ["Été"]);
    assert_eq!(names(&stage, searched("%")).await, Vec::<String>::new());
    let care = ListItemsRequest { category: "Care".to_owned(), ..all() };
    assert_eq!(names(&stage, care).await, ["Shampoo dry", "Shampoo mild"]);
    assert_eq!(names(&stage, ListItemsRequest { low: true, ..all() }).await, ["Colour red"]);
    for wrong in ["\0", "Ca\u{7}re", &"x".repeat(81)] {
        let request = ListItemsRequest { category: wrong.to_owned(), ..all() };
        assert_field_refused(stage.items().list_items(stage.employee_of(WILLOW, request)).await, "category");
    }
    let both =
        |category: &str, low| ListItemsRequest { category: category.to_owned(), low, ..searched("sh") };
    assert_eq!(names(&stage, both("Care", false)).await, ["Shampoo dry", "Shampoo mild"]);
    assert_eq!(names(&stage, both("Colour", false)).await, Vec::<String>::new());
    assert_eq!(names(&stage, both("Care", true)).await, Vec::<String>::new());
    let red = ListItemsRequest { category: "Colour".to_owned(), low: true, ..searched("red") };
    assert_eq!(names(&stage, red).await, ["Colour red"]);
    let request = ListItemCategoriesRequest { business_id: WILLOW.to_string() };
    let categories = stage.items().list_item_categories(stage.employee_of(WILLOW, request)).await.unwrap();
    assert_eq!(categories.into_inner().categories, ["Care", "Colour"]);
}

#[tokio::test]
async fn an_item_is_changed_as_it_was_seen_and_keeps_its_stock() {
    let stage = Stage::open().await;
    let made = create(&stage, WILLOW, described("Shampoo")).await.unwrap();
    receive(&stage, &made.id, 5).await.unwrap();
    let renamed = update(&stage, &made, described("Mild shampoo"), 1).await.unwrap();
    assert_eq!((renamed.version, renamed.on_hand), (2, 5));
    assert_refused(update(&stage, &made, described("Dry shampoo"), 1).await, Reason::Stale);
    let same = update(&stage, &made, described("Mild shampoo"), 0).await.unwrap();
    assert_eq!(same.version, 2);
}

#[tokio::test]
async fn an_archived_item_leaves_the_list_and_comes_back() {
    let stage = Stage::open().await;
    let made =
        create(&stage, WILLOW, ItemDetails { low_stock_at: Some(0), ..described("Soap") }).await.unwrap();
    let gone = archive(&stage, &made, 0).await.unwrap();
    assert_eq!((gone.archived, gone.low), (true, false));
    assert!(names(&stage, all()).await.is_empty());
    assert_eq!(names(&stage, ListItemsRequest { archived: true, ..all() }).await, ["Soap"]);
    restore(&stage, &made, 0).await.unwrap();
    assert_eq!(names(&stage, all()).await, ["Soap"]);
}

#[tokio::test]
async fn an_item_is_archived_and_put_back_as_it_was_seen() {
    let stage = Stage::open().await;
    let made = create(&stage, WILLOW, described("Soap")).await.unwrap();
    let gone = archive(&stage, &made, made.version).await.unwrap();
    let renamed = update(&stage, &made, described("Hand soap"), 0).await.unwrap();
    assert_refused(restore(&stage, &made, gone.version).await, Reason::Stale);
    // Stock that moves is no change of what the item is.
    receive(&stage, &made.id, 5).await.unwrap();
    let back = restore(&stage, &made, renamed.version).await.unwrap();
    assert_refused(archive(&stage, &made, renamed.version).await, Reason::Stale);
    assert_eq!((back.archived, back.version), (false, renamed.version + 1));
    assert_field_refused(archive(&stage, &made, -1).await, "version");
}

#[tokio::test]
async fn an_export_has_every_item_and_no_formula() {
    let stage = Stage::open().await;
    choose_currency(&stage, WILLOW, "GBP").await;
    let priced = ItemDetails { price_minor: Some(1250), ..described("=HYPERLINK(\"x\")") };
    create(&stage, WILLOW, priced).await.unwrap();
    for n in 0..250 {
        create(&stage, WILLOW, described(&format!("Item {n:03}"))).await.unwrap();
    }
    let (mut text, mut token) = (String::new(), String::new());
    loop {
        let request = ExportItemsRequest { business_id: WILLOW.to_string(), page_token: token };
        let part = stage.items().export_items(stage.manager_of(WILLOW, request)).await.unwrap().into_inner();
        text.push_str(&part.csv);
        token = part.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 252);
    assert!(lines[0].starts_with("\"name\",\"category\",\"sku\",\"barcode\",\"price\""), "{}", lines[0]);
    assert!(text.contains("\"'=HYPERLINK(\"\"x\"\")\",\"\",\"\",\"\",\"12.50\""), "{text:.300}");
}

#[tokio::test]
async fn managers_change_items_and_employees_read_them() {
    let stage = Stage::open().await;
    let request = || CreateItemRequest {
        business_id: WILLOW.to_string(),
        details: Some(described("Soap")),
        ..CreateItemRequest::default()
    };
    assert_refused(stage.items().create_item(stage.employee_of(WILLOW, request())).await, Reason::RoleTooLow);
    let export = ExportItemsRequest { business_id: WILLOW.to_string(), ..Default::default() };
    assert_refused(stage.items().export_items(stage.employee_of(WILLOW, export)).await, Reason::RoleTooLow);
    let made = create(&stage, LINDE, described("Seife")).await.unwrap();
    assert_refused(update(&stage, &made, described("Soap"), 0).await, Reason::NotFound);
    // A repeated request has one effect.
    let keyed = || {
        let mut keyed = stage.manager_of(WILLOW, request());
        keyed.metadata_mut().insert("idempotency-key", "k1".parse().unwrap());
        keyed
    };
    let first = stage.items().create_item(keyed()).await.unwrap().into_inner();
    assert_eq!(stage.items().create_item(keyed()).await.unwrap().into_inner(), first);
    assert_eq!(names(&stage, all()).await, ["Soap"]);
}
