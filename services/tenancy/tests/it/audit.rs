//! Who changed what, from what to what.

use caller::{BusinessId, Role};
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{
        AuditEntry, ItemDetails, ListAuditEntriesRequest, UpdateItemRequest,
        audit_service_client::AuditServiceClient,
    },
};
use testkit::{USER, as_user};

use crate::{
    item::{create, described},
    stage::{LINDE, Stage, WILLOW, assert_refused},
    stock::receive,
    supplier::supplier,
};

fn of(business: BusinessId, record: &str, page_token: String) -> ListAuditEntriesRequest {
    ListAuditEntriesRequest {
        business_id: business.to_string(),
        record_id: record.to_owned(),
        page_size: 2,
        page_token,
    }
}

pub async fn entries(stage: &Stage, business: BusinessId, record: &str) -> Vec<AuditEntry> {
    let mut client = AuditServiceClient::new(stage.channel.clone());
    let (mut seen, mut token) = (vec![], String::new());
    loop {
        let request = stage.owner_of(business, of(business, record, token));
        let page = client.list_audit_entries(request).await.unwrap().into_inner();
        seen.extend(page.entries);
        token = page.next_page_token;
        if token.is_empty() {
            return seen;
        }
    }
}

/// An entry's action, and what it changed.
pub fn told(entry: &AuditEntry) -> (String, Vec<(String, String, String)>) {
    let changes = entry.changes.iter();
    let changes = changes.map(|one| (one.field.clone(), one.before.clone(), one.after.clone()));
    (entry.action.clone(), changes.collect())
}

#[tokio::test]
async fn each_change_of_a_record_says_who_made_it_by_what_and_from_what_to_what() {
    let stage = Stage::open().await;
    let item = create(&stage, WILLOW, described("Shampoo")).await.unwrap();
    stage.time.advance(jiff::SignedDuration::from_secs(1));
    let request = UpdateItemRequest {
        business_id: WILLOW.to_string(),
        item_id: item.id.clone(),
        details: Some(ItemDetails { category: "Care".to_owned(), ..described("Mild shampoo") }),
        version: 0,
    };
    stage.items().update_item(stage.manager_of(WILLOW, request)).await.unwrap();
    let [updated, created] = <[AuditEntry; 2]>::try_from(entries(&stage, WILLOW, &item.id).await).unwrap();
    let field =
        |name: &str, before: &str, after: &str| (name.to_owned(), before.to_owned(), after.to_owned());
    let expected =
        vec![field("category", "\"\"", "\"Care\""), field("name", "\"Shampoo\"", "\"Mild shampoo\"")];
    assert_eq!(told(&updated), ("UpdateItem".to_owned(), expected));
    assert_eq!((updated.actor.clone(), updated.record_kind.as_str()), (format!("user:{USER}"), "item"));
    assert_eq!(updated.at, Some(proto::time::to_proto(stage.host.clock.now())));
    assert_eq!(created.action, "CreateItem");
    assert!(created.changes.contains(&proto::frontdesk::tenancy::v1::FieldChange {
        field: "name".to_owned(),
        before: String::new(),
        after: "\"Shampoo\"".to_owned(),
    }));
}

#[tokio::test]
async fn a_movement_of_stock_is_one_entry() {
    let stage = Stage::open().await;
    let item = create(&stage, WILLOW, described("Shampoo")).await.unwrap();
    let movement = receive(&stage, &item.id, 5).await.unwrap();
    assert_eq!(entries(&stage, WILLOW, &item.id).await.len(), 1, "the stock is no part of the item");
    assert_eq!(entries(&stage, WILLOW, &movement.id).await[0].action, "ReceiveStock");
}

#[tokio::test]
async fn a_refused_change_says_who_wanted_it_and_why_it_was_not_made() {
    let stage = Stage::open().await;
    let item = create(&stage, WILLOW, described("Shampoo")).await.unwrap();
    let update = |name: &str| UpdateItemRequest {
        business_id: WILLOW.to_string(),
        item_id: item.id.clone(),
        details: Some(described(name)),
        version: 7,
    };
    assert_refused(
        stage.items().update_item(stage.employee_of(WILLOW, update("a"))).await,
        Reason::RoleTooLow,
    );
    assert_refused(stage.items().update_item(stage.manager_of(WILLOW, update("b"))).await, Reason::Stale);
    assert_refused(
        stage.items().update_item(stage.manager_of(WILLOW, update(""))).await,
        Reason::InvalidField,
    );
    // Reading is no change.
    let read = ListAuditEntriesRequest { business_id: WILLOW.to_string(), ..Default::default() };
    let mut client = AuditServiceClient::new(stage.channel.clone());
    assert_refused(client.list_audit_entries(stage.manager_of(WILLOW, read)).await, Reason::RoleTooLow);
    let refused = loop {
        let seen = entries(&stage, WILLOW, "").await;
        let refused: Vec<_> = seen.into_iter().filter(|entry| !entry.refusal.is_empty()).collect();
        if refused.len() >= 3 {
            break refused;
        }
    };
    let mut told: Vec<_> = refused.iter().map(|one| (one.action.as_str(), one.refusal.as_str())).collect();
    told.sort_unstable();
    let expected = ["INVALID_FIELD", "ROLE_TOO_LOW", "STALE"].map(|reason| ("UpdateItem", reason));
    assert_eq!(told, expected);
    assert!(refused.iter().all(|entry| entry.actor == format!("user:{USER}") && entry.changes.is_empty()));
}

#[tokio::test]
async fn entries_are_of_one_business_for_its_owners_and_administrators() {
    let stage = Stage::open().await;
    stage.customer(LINDE, "Theirs", "").await;
    let mine = entries(&stage, WILLOW, "").await;
    assert!(mine.iter().all(|entry| entry.record_kind == "business"), "{mine:?}");
    let mut client = AuditServiceClient::new(stage.channel.clone());
    let manager = stage.manager_of(WILLOW, of(WILLOW, "", String::new()));
    assert_refused(client.list_audit_entries(manager).await, Reason::RoleTooLow);
    let admin = as_user(&stage.host, Role::Admin, WILLOW, of(WILLOW, "", String::new()));
    client.list_audit_entries(admin).await.unwrap();
}

#[tokio::test]
async fn what_is_rolled_back_is_not_noted_and_secrets_never_are() {
    let stage = Stage::open().await;
    stage.try_customer(WILLOW, "Ana", "anonymous", "").await.unwrap_err();
    stage.voice_connection(WILLOW, "Main line", "hunter2hunter2").await;
    assert_eq!(stage.count("SELECT count(*) FROM change_entry WHERE record_kind = 'customer'").await, 0);
    let noted = "SELECT count(*) FROM change_entry WHERE record_kind = 'voice_connection'";
    assert_eq!(stage.count(noted).await, 1);
    let sealed =
        "SELECT count(*) FROM change_entry WHERE after::text LIKE '%sealed%' OR record_kind = 'data_key'";
    assert_eq!(stage.count(sealed).await, 0);
}

#[tokio::test]
async fn what_entries_name_is_told_by_name_and_what_is_gone_is_said_to_be() {
    let stage = Stage::open().await;
    let supplier = supplier(&stage, WILLOW, "Acme").await;
    let details = ItemDetails { supplier_id: supplier.id.clone(), ..described("Shampoo") };
    let item = create(&stage, WILLOW, details).await.unwrap();
    let mut client = AuditServiceClient::new(stage.channel.clone());
    let of_item = ListAuditEntriesRequest { page_size: 0, ..of(WILLOW, &item.id, String::new()) };
    let page = client.list_audit_entries(stage.owner_of(WILLOW, of_item.clone())).await.unwrap().into_inner();
    let mut told: Vec<_> =
        page.names.iter().map(|one| (one.kind.as_str(), one.name.as_str(), one.gone)).collect();
    told.sort_unstable();
    // The account is auth's to name, which is away.
    assert_eq!(told, [("item", "Shampoo", false), ("supplier", "Acme", false)]);
    assert!(page.missing_services.contains(&"auth".to_owned()));

    let remove = "DELETE FROM supplier";
    sqlx::query("UPDATE item SET supplier_id = NULL").execute(&mut stage.superuser().await).await.unwrap();
    sqlx::query(remove).execute(&mut stage.superuser().await).await.unwrap();
    let page = client.list_audit_entries(stage.owner_of(WILLOW, of_item)).await.unwrap().into_inner();
    let gone = page.names.iter().find(|one| one.kind == "supplier").unwrap();
    assert_eq!((gone.id.as_str(), gone.name.as_str(), gone.gone), (supplier.id.as_str(), "", true));
}
