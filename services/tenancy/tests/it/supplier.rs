//! Suppliers.

use caller::BusinessId;
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{
        CreateSupplierRequest, DeleteSupplierRequest, ListSuppliersRequest, Supplier, UpdateSupplierRequest,
    },
};
use tonic::Status;

use crate::{
    item::{self, described},
    stage::{LINDE, Stage, WILLOW, assert_field_refused, assert_refused},
};

fn called(business: BusinessId, name: &str) -> CreateSupplierRequest {
    CreateSupplierRequest {
        business_id: business.to_string(),
        name: name.to_owned(),
        ..CreateSupplierRequest::default()
    }
}

async fn create(stage: &Stage, request: CreateSupplierRequest) -> Result<Supplier, Status> {
    let business = BusinessId(request.business_id.parse().unwrap());
    let response = stage.suppliers().create_supplier(stage.manager_of(business, request)).await?;
    Ok(response.into_inner().supplier.unwrap())
}

pub async fn supplier(stage: &Stage, business: BusinessId, name: &str) -> Supplier {
    create(stage, called(business, name)).await.unwrap()
}

async fn names(stage: &Stage, business: BusinessId) -> Vec<String> {
    let request = ListSuppliersRequest { business_id: business.to_string(), ..Default::default() };
    let page = stage.suppliers().list_suppliers(stage.employee_of(business, request)).await.unwrap();
    page.into_inner().suppliers.into_iter().map(|supplier| supplier.name).collect()
}

#[tokio::test]
async fn suppliers_are_listed_by_name_and_no_two_are_called_the_same() {
    let stage = Stage::open().await;
    let request = CreateSupplierRequest {
        phone: "020 7946 0018".to_owned(),
        note: "Order by Tuesday".to_owned(),
        ..called(WILLOW, "Wella")
    };
    let made = create(&stage, request).await.unwrap();
    assert_eq!((made.phone.as_str(), made.version), ("+442079460018", 1));
    supplier(&stage, WILLOW, "Acme").await;
    supplier(&stage, LINDE, "Wella").await;
    assert_eq!(names(&stage, WILLOW).await, ["Acme", "Wella"]);
    // Tables name them in whatever case and with whatever accents.
    for taken in ["Wella", "wella", "Wéllà"] {
        assert_refused(create(&stage, called(WILLOW, taken)).await, Reason::AlreadyExists);
    }
    assert_field_refused(create(&stage, called(WILLOW, "A\u{202e}b")).await, "name");
    assert_field_refused(
        create(&stage, CreateSupplierRequest { phone: "anonymous".to_owned(), ..called(WILLOW, "B") }).await,
        "phone",
    );
}

#[tokio::test]
async fn a_supplier_is_changed_as_it_was_seen() {
    let stage = Stage::open().await;
    let made = supplier(&stage, WILLOW, "Acme").await;
    let change = |name: &str, version: i64| UpdateSupplierRequest {
        business_id: WILLOW.to_string(),
        supplier_id: made.id.clone(),
        name: name.to_owned(),
        version,
        ..Default::default()
    };
    let update = async |request| stage.suppliers().update_supplier(stage.manager_of(WILLOW, request)).await;
    let renamed = update(change("Acme Ltd", 1)).await.unwrap().into_inner().supplier.unwrap();
    assert_eq!(renamed.version, 2);
    assert_refused(update(change("Acme plc", 1)).await, Reason::Stale);
    supplier(&stage, WILLOW, "Wella").await;
    assert_refused(update(change("WELLA", 2)).await, Reason::AlreadyExists);
    update(change("ACME Ltd", 2)).await.unwrap();
}

#[tokio::test]
async fn a_supplier_whom_items_name_stays() {
    let stage = Stage::open().await;
    let made = supplier(&stage, WILLOW, "Acme").await;
    let details =
        proto::frontdesk::tenancy::v1::ItemDetails { supplier_id: made.id.clone(), ..described("Shampoo") };
    let supplied = item::create(&stage, WILLOW, details).await.unwrap();
    assert_eq!(supplied.supplier_name, "Acme");
    let delete = || DeleteSupplierRequest { business_id: WILLOW.to_string(), supplier_id: made.id.clone() };
    let refused = stage.suppliers().delete_supplier(stage.manager_of(WILLOW, delete())).await;
    assert_refused(refused, Reason::InUse);
    let unused = supplier(&stage, WILLOW, "Beta").await;
    let request = DeleteSupplierRequest { supplier_id: unused.id, ..delete() };
    for _ in 0..2 {
        stage.suppliers().delete_supplier(stage.manager_of(WILLOW, request.clone())).await.unwrap();
    }
    assert_eq!(names(&stage, WILLOW).await, ["Acme"]);
}
