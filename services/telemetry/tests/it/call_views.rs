//! Filters that people save.

use caller::{IDEMPOTENCY_HEADER, Role};
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::v1::{CallView, DeleteCallViewRequest, ListCallViewsRequest, SaveCallViewRequest},
};
use testkit::{as_person, as_user};
use tonic::Status;
use uuid::Uuid;

use crate::desk::{Desk, OTHER, SALON, field};

async fn names(desk: &Desk) -> Vec<(String, String)> {
    let message = ListCallViewsRequest { business_id: SALON.to_string() };
    let listed = desk.views().list_call_views(as_user(&desk.host, Role::Employee, SALON, message)).await;
    listed.unwrap().into_inner().call_views.into_iter().map(|view| (view.name, view.query)).collect()
}

fn pair(name: &str, query: &str) -> (String, String) {
    (name.to_owned(), query.to_owned())
}

/// A view that is saved under a key.
pub async fn keyed(desk: &Desk, key: &str, name: &str, query: &str) -> Result<CallView, Status> {
    let message = SaveCallViewRequest {
        business_id: SALON.to_string(),
        name: name.to_owned(),
        query: query.to_owned(),
    };
    let mut request = as_user(&desk.host, Role::Employee, SALON, message);
    request.metadata_mut().insert(IDEMPOTENCY_HEADER, key.parse().unwrap());
    Ok(desk.views().save_call_view(request).await?.into_inner().call_view.unwrap())
}

#[tokio::test]
async fn a_view_that_was_replaced_since_is_not_saved_again_by_a_lost_answers_retry() {
    let desk = Desk::open().await;
    let save = async |key: &str, query: &str| keyed(&desk, key, "Booked", query).await;
    let first = save("k1", "outcome=BOOKED").await.unwrap();
    save("k2", "outcome=BOOKED&platform=retell").await.unwrap();
    assert_eq!(save("k1", "outcome=BOOKED").await.unwrap(), first);
    assert_eq!(names(&desk).await, [pair("Booked", "outcome=BOOKED&platform=retell")]);
    let refused = save("k1", "state=ended").await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::IdempotencyKeyReused));
}

#[tokio::test]
async fn a_view_is_saved_under_its_name_replaced_and_deleted() {
    let desk = Desk::open().await;
    desk.save_view("Missed today", "state=ended&reason=NO_FREE_TIME").await.unwrap();
    let first = desk.save_view("Booked", "outcome=BOOKED").await.unwrap();
    let again = desk.save_view("Booked", "outcome=BOOKED&platform=retell").await.unwrap();
    assert_eq!(first.id, again.id);
    let missed = pair("Missed today", "state=ended&reason=NO_FREE_TIME");
    assert_eq!(names(&desk).await, [pair("Booked", "outcome=BOOKED&platform=retell"), missed.clone()]);
    let delete = || DeleteCallViewRequest { business_id: SALON.to_string(), call_view_id: first.id.clone() };
    for _ in 0..2 {
        let request = as_user(&desk.host, Role::Employee, SALON, delete());
        desk.views().delete_call_view(request).await.unwrap();
    }
    assert_eq!(names(&desk).await, [missed]);
}

#[tokio::test]
async fn everyone_has_their_own() {
    let desk = Desk::open().await;
    let mine = desk.save_view("Mine", "words=tint").await.unwrap();
    let (stranger, role) = (caller::UserId(Uuid::from_u128(0xE2)), Some(Role::Owner));
    let list = ListCallViewsRequest { business_id: SALON.to_string() };
    let request = as_person(&desk.host, stranger, testkit::SESSION, Some(SALON), role, list);
    assert!(desk.views().list_call_views(request).await.unwrap().into_inner().call_views.is_empty());
    let delete = DeleteCallViewRequest { business_id: SALON.to_string(), call_view_id: mine.id };
    let request = as_person(&desk.host, stranger, testkit::SESSION, Some(SALON), role, delete);
    desk.views().delete_call_view(request).await.unwrap();
    assert_eq!(names(&desk).await.len(), 1, "another's stays");
}

#[tokio::test]
async fn views_are_bounded_and_for_the_business_s_employees() {
    let desk = Desk::open().await;
    for n in 0..50 {
        desk.save_view(&format!("View {n}"), "").await.unwrap();
    }
    let refused = desk.save_view("One more", "").await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::WrongState));
    desk.save_view("View 7", "state=live").await.unwrap();
    assert_eq!(field(&desk.save_view(" ", "").await.unwrap_err()), "name");
    assert_eq!(field(&desk.save_view(&"x".repeat(61), "").await.unwrap_err()), "name");
    assert_eq!(field(&desk.save_view("x", "a b").await.unwrap_err()), "query");
    assert_eq!(field(&desk.save_view("x", &"a".repeat(1001)).await.unwrap_err()), "query");
    let save =
        || SaveCallViewRequest { business_id: SALON.to_string(), name: "x".to_owned(), query: String::new() };
    for (role, business, reason) in
        [(Role::Guest, SALON, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let saved = desk.views().save_call_view(as_user(&desk.host, role, business, save())).await;
        assert_eq!(reason_of(&saved.unwrap_err()), Some(reason));
    }
}
