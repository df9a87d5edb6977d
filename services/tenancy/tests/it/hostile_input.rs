//! What no person means to write, in every field with which a salon is set up.

use core::fmt::Debug;

use futures::future::join_all;
use image::{DynamicImage, ImageFormat, RgbImage};
use proto::{
    error::{Reason, reason_of},
    frontdesk::tenancy::v1::{
        CreateBusinessRequest, CreateEmployeeRequest, CreateImportRequest, CreateItemRequest,
        CreateSupplierRequest, ImportKind, ItemDetails, ListItemsRequest, ReceiveStockRequest,
        StockMovementKind, TakeFromStockRequest, UpdateBusinessRequest, UpdateEmployeeRequest,
        UpdateItemRequest, UpdateSupplierRequest, WasteStockRequest,
    },
};
use tonic::Status;
use tonic_types::StatusExt;

use crate::{
    item::{choose_currency, create, described},
    logo,
    stage::{Stage, WILLOW, assert_field_refused, assert_refused},
    supplier::supplier,
};

/// As many characters as a name may have, each of which is longer once it is taken apart.
fn unfolding(first: u32) -> String {
    (first..).filter_map(char::from_u32).take(200).collect()
}

fn hostile() -> Vec<String> {
    let short = [
        "\0",
        "A\0b",
        "A\u{7}b",
        "A\u{85}b",
        "A\r\nb",
        "A\tb",
        "A\u{2028}b",
        "\u{202e}oclliW",
        "A\u{2066}b",
        "A\u{200f}b",
        "A\u{fffd}",
        "\u{200b}\u{feff}",
        "A\u{10ffff}",
        "A\u{e0041}",
        "\\u0000",
        "%00%0a",
        "'; DROP TABLE item; --",
        "=HYPERLINK(\"http://evil.example\")",
        "<img src=x onerror=alert(1)>",
        "${7*7}{{7*7}}",
        "../../etc/passwd",
        "-1",
        "1e309",
        "NaN",
        "null",
    ];
    let long = [
        "x".repeat(10_000),
        "\u{1f3f4}".repeat(200),
        "e\u{301}".repeat(100),
        format!("a{}", "\u{301}".repeat(199)),
        // Hangul, and musical signs, of which three come of one.
        unfolding(0xac01),
        "\u{1d1c0}".repeat(200),
    ];
    short.map(str::to_owned).into_iter().chain(long).collect()
}

/// It is taken, or refused by its field: it is never a failure of the service.
#[track_caller]
fn assert_understood<T: Debug>(result: Result<T, Status>, field: &str, text: &str) {
    let Err(status) = result else { return };
    let shown: String = text.chars().take(24).collect();
    if reason_of(&status) == Some(Reason::AlreadyExists) {
        return;
    }
    assert_eq!(reason_of(&status), Some(Reason::InvalidField), "{field} {shown:?}: {status:?}");
    let named = status.get_details_bad_request().expect("the field is named").field_violations;
    let named: Vec<_> = named.iter().map(|violation| violation.field.as_str()).collect();
    assert_eq!(named, [field], "{shown:?}: {status:?}");
    let told = status.message();
    assert!(told.len() < 400 && !told.contains(['\0', '\u{202e}', '\u{7}']), "{field} {shown:?}: {told}");
}

type Field<T> = (&'static str, fn(&mut T, String));

#[tokio::test]
async fn details_of_a_business_are_taken_or_refused_by_their_fields() {
    let stage = Stage::open().await;
    let fields: [Field<UpdateBusinessRequest>; 7] = [
        ("name", |it, text| it.name = text),
        ("address", |it, text| it.address = text),
        ("phone", |it, text| it.phone = text),
        ("email", |it, text| it.email = text),
        ("website", |it, text| it.website = text),
        ("currency", |it, text| it.currency = text),
        ("brand_color", |it, text| it.brand_color = text),
    ];
    let created: [Field<CreateBusinessRequest>; 5] = [
        ("name", |it, text| it.name = text),
        ("address", |it, text| it.address = text),
        ("phone", |it, text| it.phone = text),
        ("time_zone", |it, text| it.time_zone = text),
        ("currency", |it, text| it.currency = text),
    ];
    for text in hostile() {
        for (field, write) in fields {
            let (business_id, name) = (WILLOW.to_string(), "Willow".to_owned());
            let mut request = UpdateBusinessRequest { business_id, name, ..Default::default() };
            write(&mut request, text.clone());
            let answer = stage.businesses().update_business(stage.owner_of(WILLOW, request)).await;
            assert_understood(answer, field, &text);
        }
        for (field, write) in created {
            let (name, time_zone) = ("Oak".to_owned(), "Europe/London".to_owned());
            let mut request = CreateBusinessRequest { name, time_zone, ..Default::default() };
            write(&mut request, text.clone());
            let answer = stage.businesses().create_business(stage.service("local", request)).await;
            assert_understood(answer, field, &text);
        }
    }
}

#[tokio::test]
async fn names_of_employees_and_suppliers_are_taken_or_refused_by_their_fields() {
    let stage = Stage::open().await;
    let ana = stage.employee(WILLOW, "Ana").await;
    let wella = supplier(&stage, WILLOW, "Wella").await;
    let business_id = || WILLOW.to_string();
    let fields: [Field<CreateSupplierRequest>; 4] = [
        ("name", |it, text| it.name = text),
        ("phone", |it, text| it.phone = text),
        ("email", |it, text| it.email = text),
        ("note", |it, text| it.note = text),
    ];
    for text in hostile() {
        let request =
            CreateEmployeeRequest { business_id: business_id(), name: text.clone(), ..Default::default() };
        let answer = stage.employees().create_employee(stage.owner_of(WILLOW, request)).await;
        assert_understood(answer, "name", &text);
        let request = UpdateEmployeeRequest {
            business_id: business_id(),
            employee_id: ana.id.clone(),
            name: text.clone(),
            ..Default::default()
        };
        let answer = stage.employees().update_employee(stage.owner_of(WILLOW, request)).await;
        assert_understood(answer, "name", &text);
        for (field, write) in fields {
            let name = format!("Acme {field}");
            let mut request =
                CreateSupplierRequest { business_id: business_id(), name, ..Default::default() };
            write(&mut request, text.clone());
            let answer = stage.suppliers().create_supplier(stage.manager_of(WILLOW, request)).await;
            assert_understood(answer, field, &text);
        }
        let request = UpdateSupplierRequest {
            business_id: business_id(),
            supplier_id: wella.id.clone(),
            name: text.clone(),
            ..Default::default()
        };
        let answer = stage.suppliers().update_supplier(stage.manager_of(WILLOW, request)).await;
        assert_understood(answer, "name", &text);
    }
}

#[tokio::test]
async fn items_are_taken_or_refused_by_their_fields() {
    let stage = Stage::open().await;
    choose_currency(&stage, WILLOW, "GBP").await;
    let known = create(&stage, WILLOW, described("Soap")).await.unwrap();
    let fields: [Field<ItemDetails>; 6] = [
        ("details.name", |it, text| it.name = text),
        ("details.category", |it, text| it.category = text),
        ("details.sku", |it, text| it.sku = text),
        ("details.barcode", |it, text| it.barcode = text),
        ("details.supplier_id", |it, text| it.supplier_id = text),
        ("details.unit", |it, text| it.unit = text),
    ];
    for text in hostile() {
        for (field, write) in fields {
            let mut details = described("Wax");
            write(&mut details, text.clone());
            let request = CreateItemRequest {
                business_id: WILLOW.to_string(),
                details: Some(details.clone()),
                ..Default::default()
            };
            let answer = stage.items().create_item(stage.manager_of(WILLOW, request)).await;
            assert_understood(answer, field, &text);
            let request = UpdateItemRequest {
                business_id: WILLOW.to_string(),
                item_id: known.id.clone(),
                details: Some(details),
                ..Default::default()
            };
            let answer = stage.items().update_item(stage.manager_of(WILLOW, request)).await;
            assert_understood(answer, field, &text);
        }
        let sought: [Field<ListItemsRequest>; 4] = [
            ("query", |it, text| it.query = text),
            ("category", |it, text| it.category = text),
            ("supplier_id", |it, text| it.supplier_id = text),
            ("page_token", |it, text| it.page_token = text),
        ];
        for (field, write) in sought {
            let mut request = ListItemsRequest { business_id: WILLOW.to_string(), ..Default::default() };
            write(&mut request, text.clone());
            let answer = stage.items().list_items(stage.employee_of(WILLOW, request)).await;
            assert_understood(answer, field, &text);
        }
    }
}

#[tokio::test]
async fn notes_of_movements_and_files_are_taken_or_refused_by_their_fields() {
    let stage = Stage::open().await;
    let soap = create(&stage, WILLOW, described("Soap")).await.unwrap();
    let (business_id, item_id) = (|| WILLOW.to_string(), || soap.id.clone());
    for text in hostile() {
        let request = ReceiveStockRequest {
            business_id: business_id(),
            item_id: item_id(),
            quantity: 1,
            unit_cost_minor: None,
            note: text.clone(),
        };
        assert_understood(
            stage.stock().receive_stock(stage.manager_of(WILLOW, request)).await,
            "note",
            &text,
        );
        let request = WasteStockRequest {
            business_id: business_id(),
            item_id: item_id(),
            quantity: 1,
            note: text.clone(),
        };
        assert_understood(stage.stock().waste_stock(stage.manager_of(WILLOW, request)).await, "note", &text);
        let request = TakeFromStockRequest {
            business_id: business_id(),
            item_id: text.clone(),
            kind: StockMovementKind::Used.into(),
            quantity: 1,
            note: String::new(),
        };
        assert_understood(
            stage.stock().take_from_stock(stage.employee_of(WILLOW, request)).await,
            "item_id",
            &text,
        );
        let request = CreateImportRequest {
            business_id: business_id(),
            kind: ImportKind::Items.into(),
            file_name: text.clone(),
        };
        assert_understood(
            stage.imports().create_import(stage.manager_of(WILLOW, request)).await,
            "file_name",
            &text,
        );
    }
}

fn of_format(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
    let mut file = std::io::Cursor::new(vec![]);
    DynamicImage::ImageRgb8(RgbImage::new(width, height)).write_to(&mut file, format).unwrap();
    file.into_inner()
}

#[tokio::test]
async fn files_that_only_look_like_pictures_leave_the_logo_as_it_was() {
    let stage = Stage::open().await;
    let before = logo::set(&stage, WILLOW, logo::png(40)).await.unwrap();
    let empty_png = of_format(ImageFormat::Png, 2_048, 2_048);
    let mut cut = of_format(ImageFormat::Jpeg, 2_000, 2_000);
    cut.truncate(cut.len() / 3);
    let mut claims = logo::png(40);
    claims[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
    let mut riff = b"RIFF\xff\xff\xff\xffWEBPVP8X".to_vec();
    riff.extend([0xff; 64]);
    let files = [
        b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".to_vec(),
        b"%PDF-1.7".to_vec(),
        b"\x89PNG\r\n\x1a\n".to_vec(),
        b"\xff\xd8\xff\xe0".to_vec(),
        riff,
        claims,
        of_format(ImageFormat::Png, 1, 2_048),
        of_format(ImageFormat::Png, 60_000, 16),
        of_format(ImageFormat::WebP, 4_000, 20),
    ];
    for file in files {
        let told = format!("{:?}", &file[..file.len().min(12)]);
        let refused = logo::set(&stage, WILLOW, file).await;
        assert!(refused.is_err(), "{told}");
        assert_field_refused(refused, "content");
    }
    let after = logo::set(&stage, WILLOW, logo::png(40)).await.unwrap();
    assert_eq!(after, before, "nothing was kept of them");
    // Four million pixels in a few kilobytes are drawn as what they are.
    let drawn = logo::set(&stage, WILLOW, empty_png).await.unwrap();
    assert_ne!(drawn.logo_digest, before.logo_digest);
    // Half a picture is either refused or drawn by ourselves.
    assert_understood(logo::set(&stage, WILLOW, cut).await, "content", "half of a JPEG");
}

#[tokio::test]
async fn what_is_sent_many_times_at_once_is_there_once() {
    let stage = Stage::open().await;
    choose_currency(&stage, WILLOW, "GBP").await;
    let (stage, business_id) = (&stage, || WILLOW.to_string());
    let ana =
        || CreateEmployeeRequest { business_id: business_id(), name: "Ana".to_owned(), ..Default::default() };
    let wella = || CreateSupplierRequest {
        business_id: business_id(),
        name: "Wella".to_owned(),
        ..Default::default()
    };
    let soap = || ItemDetails { sku: "S-1".to_owned(), ..described("Soap") };
    let employees = join_all(
        (0..8)
            .map(async |_| stage.employees().create_employee(stage.owner_of(WILLOW, ana())).await.map(drop)),
    );
    let suppliers =
        join_all((0..8).map(async |_| {
            stage.suppliers().create_supplier(stage.manager_of(WILLOW, wella())).await.map(drop)
        }));
    let items = join_all((0..8).map(async |_| create(stage, WILLOW, soap()).await.map(drop)));
    for answers in [employees.await, suppliers.await, items.await] {
        let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
        assert_eq!((made.len(), refused.len()), (1, 7));
        for one in refused {
            assert_refused(one, Reason::AlreadyExists);
        }
    }
    let renamed = join_all((0..8).map(async |number| {
        let (business_id, name, version) = (business_id(), format!("Willow {number}"), 2);
        let request = UpdateBusinessRequest { business_id, name, version, ..Default::default() };
        stage.businesses().update_business(stage.owner_of(WILLOW, request)).await.map(drop)
    }));
    let (made, refused): (Vec<_>, Vec<_>) = renamed.await.into_iter().partition(Result::is_ok);
    assert_eq!((made.len(), refused.len()), (1, 7));
    for one in refused {
        assert_refused(one, Reason::Stale);
    }
}
