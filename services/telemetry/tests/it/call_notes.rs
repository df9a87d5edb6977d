//! What people note about calls.

use caller::Role;
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::v1::{CreateCallNoteRequest, DeleteCallNoteRequest},
};
use testkit::{SESSION, USER, as_person, as_user};
use uuid::Uuid;

use crate::desk::{Desk, OTHER, SALON, field, started};

fn delete(call: &str, note: &str) -> DeleteCallNoteRequest {
    DeleteCallNoteRequest {
        business_id: SALON.to_string(),
        call_id: call.to_owned(),
        note_id: note.to_owned(),
    }
}

#[tokio::test]
async fn a_note_is_read_with_its_call_and_says_who_wrote_it() {
    let desk = Desk::open().await;
    let call = desk.record("event", started("platform-1")).await.unwrap().call_id;
    desk.note(&call, " Call her back on Friday ").await.unwrap();
    let second = desk.note(&call, "Done").await.unwrap();
    let notes = desk.get(&call).await.unwrap().notes;
    let mut texts: Vec<_> = notes.iter().map(|note| note.text.as_str()).collect();
    texts.sort_unstable();
    assert_eq!(texts, ["Call her back on Friday", "Done"]);
    assert_eq!(notes[0].created_by, format!("user:{USER}"));
    for _ in 0..2 {
        let request = as_user(&desk.host, Role::Employee, SALON, delete(&call, &second.id));
        desk.calls().delete_call_note(request).await.unwrap();
    }
    assert_eq!(desk.get(&call).await.unwrap().notes.len(), 1);
    // The call, two notes and one deletion: browsers read the call again.
    assert_eq!(desk.count("SELECT count(*) FROM outbox").await, 4);
}

#[tokio::test]
async fn another_s_note_is_a_manager_s_to_delete() {
    let desk = Desk::open().await;
    let call = desk.record("event", started("platform-1")).await.unwrap().call_id;
    let note = desk.note(&call, "Rude").await.unwrap();
    let other = caller::UserId(Uuid::from_u128(0xE2));
    let as_other =
        |role| as_person(&desk.host, other, SESSION, Some(SALON), Some(role), delete(&call, &note.id));
    let refused = desk.calls().delete_call_note(as_other(Role::Employee)).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    desk.calls().delete_call_note(as_other(Role::Manager)).await.unwrap();
    assert!(desk.get(&call).await.unwrap().notes.is_empty());
}

#[tokio::test]
async fn notes_are_bounded_and_of_the_business_s_own_calls() {
    let desk = Desk::open().await;
    let call = desk.record("event", started("platform-1")).await.unwrap().call_id;
    for n in 0..50 {
        desk.note(&call, &format!("Note {n}")).await.unwrap();
    }
    assert_eq!(reason_of(&desk.note(&call, "More").await.unwrap_err()), Some(Reason::WrongState));
    assert_eq!(field(&desk.note(&call, " ").await.unwrap_err()), "text");
    assert_eq!(field(&desk.note(&call, &"x".repeat(2001)).await.unwrap_err()), "text");
    assert_eq!(field(&desk.note("first", "x").await.unwrap_err()), "call_id");
    let missing = desk.note(&Uuid::nil().to_string(), "x").await.unwrap_err();
    assert_eq!(reason_of(&missing), Some(Reason::NotFound));
    let create = || CreateCallNoteRequest {
        business_id: SALON.to_string(),
        call_id: call.clone(),
        text: "x".to_owned(),
    };
    for (role, business, reason) in
        [(Role::Guest, SALON, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let request = as_user(&desk.host, role, business, create());
        let refused = desk.calls().create_call_note(request).await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(reason));
    }
}
