//! What people note about calls.

use caller::{IDEMPOTENCY_HEADER, Role, UserId};
use futures::future::join_all;
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::v1::{
        CallNote, CreateCallNoteRequest, DeleteCallNoteRequest, RestoreCallNoteRequest,
    },
};
use testkit::{SESSION, USER, as_person, as_user};
use tonic::Status;
use uuid::Uuid;

use crate::desk::{Desk, OTHER, SALON, field, started};

/// Deletes a note as the person who calls in tests.
pub async fn delete_own(desk: &Desk, call: &str, note: &str) {
    let request = as_user(&desk.host, Role::Employee, SALON, delete(call, note));
    desk.calls().delete_call_note(request).await.unwrap();
}

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
        delete_own(&desk, &call, &second.id).await;
    }
    assert_eq!(desk.get(&call).await.unwrap().notes.len(), 1);
    // The call, two notes and one deletion: browsers read the call again.
    assert_eq!(desk.count("SELECT count(*) FROM outbox").await, 4);
}

/// A note under a key.
pub async fn keyed(desk: &Desk, call: &str, key: &str, text: &str) -> Result<CallNote, Status> {
    let message = CreateCallNoteRequest {
        business_id: SALON.to_string(),
        call_id: call.to_owned(),
        text: text.to_owned(),
    };
    let mut request = as_user(&desk.host, Role::Employee, SALON, message);
    request.metadata_mut().insert(IDEMPOTENCY_HEADER, key.parse().unwrap());
    Ok(desk.calls().create_call_note(request).await?.into_inner().note.unwrap())
}

#[tokio::test]
async fn a_note_whose_answer_was_lost_is_not_written_again() {
    let desk = Desk::open().await;
    let call = desk.record("event", started("platform-1")).await.unwrap().call_id;
    let attempts = join_all((0..8).map(|_| keyed(&desk, &call, "k1", "Call her back"))).await;
    let first = attempts[0].as_ref().unwrap();
    assert!(attempts.iter().all(|attempt| attempt.as_ref().unwrap() == first));
    assert_eq!(desk.get(&call).await.unwrap().notes, core::slice::from_ref(first));
    let refused = keyed(&desk, &call, "k1", "Call him back").await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::IdempotencyKeyReused));
    // A key counts for a day; without one each attempt counts.
    desk.time.advance(SignedDuration::from_hours(25));
    let later = keyed(&desk, &call, "k1", "Call him back").await.unwrap();
    assert_ne!(later.id, first.id);
    desk.note(&call, "Call him back").await.unwrap();
    assert_eq!(desk.get(&call).await.unwrap().notes.len(), 3);
}

async fn restore_as(desk: &Desk, user: UserId, call: &str, note: &str) -> Result<CallNote, Status> {
    let message = RestoreCallNoteRequest {
        business_id: SALON.to_string(),
        call_id: call.to_owned(),
        note_id: note.to_owned(),
    };
    let request = as_person(&desk.host, user, SESSION, Some(SALON), Some(Role::Manager), message);
    Ok(desk.calls().restore_call_note(request).await?.into_inner().note.unwrap())
}

#[tokio::test]
async fn a_deleted_note_is_put_back_as_it_was_for_ten_minutes_by_the_account_that_deleted_it() {
    let desk = Desk::open().await;
    let call = desk.record("event", started("platform-1")).await.unwrap().call_id;
    let note = desk.note(&call, "Call her back").await.unwrap();
    desk.time.advance(SignedDuration::from_mins(30));
    let manager = UserId(Uuid::from_u128(0xE2));
    let delete_it = async || {
        let message = delete(&call, &note.id);
        let request = as_person(&desk.host, manager, SESSION, Some(SALON), Some(Role::Manager), message);
        desk.calls().delete_call_note(request).await.unwrap();
    };
    delete_it().await;
    assert_eq!(desk.get(&call).await.unwrap().notes, []);
    let not_theirs = restore_as(&desk, USER, &call, &note.id).await.unwrap_err();
    assert_eq!(reason_of(&not_theirs), Some(Reason::NotFound));
    desk.time.advance(SignedDuration::from_mins(9));
    // The same id, author and time, though another person puts it back.
    assert_eq!(restore_as(&desk, manager, &call, &note.id).await.unwrap(), note);
    assert_eq!(desk.get(&call).await.unwrap().notes, core::slice::from_ref(&note));
    let once = restore_as(&desk, manager, &call, &note.id).await.unwrap_err();
    assert_eq!(reason_of(&once), Some(Reason::NotFound));

    delete_it().await;
    desk.time.advance(SignedDuration::from_mins(10));
    let late = restore_as(&desk, manager, &call, &note.id).await.unwrap_err();
    assert_eq!(reason_of(&late), Some(Reason::NotFound));
    let words = "SELECT count(*) FROM deleted_call_note";
    assert_eq!(desk.count(words).await, 1);
    desk.time.advance(SignedDuration::from_mins(1));
    for kept in telemetry::retention::KEPT {
        desk.app.delete_old(kept).await.unwrap();
    }
    assert_eq!(desk.count(words).await, 0);
}

#[tokio::test]
async fn a_note_is_not_put_back_beside_as_many_as_a_call_may_have() {
    let desk = Desk::open().await;
    let call = desk.record("event", started("platform-1")).await.unwrap().call_id;
    let note = desk.note(&call, "One too many").await.unwrap();
    delete_own(&desk, &call, &note.id).await;
    for n in 0..50 {
        desk.note(&call, &format!("Note {n}")).await.unwrap();
    }
    let refused = restore_as(&desk, USER, &call, &note.id).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::WrongState));
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
