//! Changes of what is on record of customers, and of follow-ups, that are taken back.

use caller::{IDEMPOTENCY_HEADER, Role};
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        tenancy::v1::{
            AssignFollowUpRequest, CompleteFollowUpRequest, DeleteCustomerNoteRequest, DeleteFormulaRequest,
            DeletePatchTestRequest, FollowUp, FollowUpState, UndoRecordChangeRequest,
        },
    },
};
use testkit::as_user;
use tonic::Request;
use uuid::Uuid;

use crate::{
    erasure::erase,
    event::{followed, next},
    records_on_file::{
        answer, answering, answers, assign, by_colleague, complete, consent, delete_formula, delete_note,
        delete_test, follow_ups, formulas, mix, note_follow_up, notes, precise, record_test, reopen,
        reopening, rewrite, rewriting, send, tests, undo, undoing, without_version, write,
    },
    stage::{LINDE, Stage, WILLOW, assert_field_refused, assert_refused},
};

#[tokio::test]
async fn changes_of_a_note_are_taken_back_in_turn_as_far_as_its_writing() {
    let stage = precise().await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    let (note, written) = write(&stage, &mia.id, "Allergic to nuts").await;
    let first = without_version(notes(&stage, &mia.id).await);
    let rewritten = rewrite(&stage, stage.employee_of(WILLOW, rewriting(&note, "Likes tea", true))).await;
    let unpinned = rewrite(&stage, stage.employee_of(WILLOW, rewriting(&note, "Likes tea", false))).await;
    let last = notes(&stage, &mia.id).await;
    stage.time.advance(SignedDuration::from_mins(2));
    let deleted = delete_note(&stage, &note).await;
    assert_eq!(notes(&stage, &mia.id).await, []);

    undo(&stage, &deleted).await.unwrap();
    // With the time at which it was written, and who wrote it.
    assert_eq!(without_version(notes(&stage, &mia.id).await), without_version(last));
    undo(&stage, &unpinned).await.unwrap();
    assert!(notes(&stage, &mia.id).await[0].pinned);
    undo(&stage, &rewritten).await.unwrap();
    assert_eq!(without_version(notes(&stage, &mia.id).await), first);
    undo(&stage, &written).await.unwrap();
    assert_eq!(notes(&stage, &mia.id).await, []);
    assert_refused(undo(&stage, &written).await, Reason::NotFound);
}

#[tokio::test]
async fn patch_tests_and_formulas_are_there_again_and_gone_again() {
    let stage = precise().await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    let (test, recorded) = record_test(&stage, &mia.id).await;
    let (formula, mixed) = mix(&stage, &mia.id).await;
    let both = (tests(&stage, &mia.id).await, formulas(&stage, &mia.id).await);
    let deleted = [delete_test(&stage, &test).await, delete_formula(&stage, &formula).await];
    assert_eq!((tests(&stage, &mia.id).await, formulas(&stage, &mia.id).await), (vec![], vec![]));
    for change in &deleted {
        undo(&stage, change).await.unwrap();
    }
    assert_eq!((tests(&stage, &mia.id).await, formulas(&stage, &mia.id).await), both);
    for change in [&recorded, &mixed] {
        undo(&stage, change).await.unwrap();
    }
    assert_eq!((tests(&stage, &mia.id).await, formulas(&stage, &mia.id).await), (vec![], vec![]));
}

#[tokio::test]
async fn an_answer_about_advertising_recorded_by_mistake_is_no_answer() {
    let stage = precise().await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    let agreed = answer(&stage, stage.employee_of(WILLOW, answering(&mia.id, true))).await;
    let before = (consent(&stage, &mia.id).await, answers(&stage, &mia.id).await);
    stage.time.advance(SignedDuration::from_mins(1));
    let again = answer(&stage, stage.employee_of(WILLOW, answering(&mia.id, true))).await;
    assert_eq!(again, "", "nothing changed");
    let withdrew = answer(&stage, stage.employee_of(WILLOW, answering(&mia.id, false))).await;
    undo(&stage, &withdrew).await.unwrap();
    assert_eq!((consent(&stage, &mia.id).await, answers(&stage, &mia.id).await), before);
    undo(&stage, &agreed).await.unwrap();
    assert_eq!((consent(&stage, &mia.id).await, answers(&stage, &mia.id).await), (None, vec![]));
}

#[tokio::test]
async fn a_follow_up_stands_as_before_in_turn_as_far_as_its_creation() {
    let stage = precise().await;
    let [mia, ana] = [stage.customer(WILLOW, "Mia", "").await, stage.customer(WILLOW, "Ana", "").await];
    let employee = stage.employee(WILLOW, "Noah").await;
    let (follow_up, created) = note_follow_up(&stage, &mia).await;
    note_follow_up(&stage, &ana).await;
    let [noted, other] = <[FollowUp; 2]>::try_from(follow_ups(&stage, FollowUpState::Open).await).unwrap();
    let (noted, other) = if noted.id == follow_up.id { (noted, other) } else { (other, noted) };
    let assigned = assign(&stage, &follow_up, &employee.id).await;
    assert_eq!(assign(&stage, &follow_up, &employee.id).await, "", "nothing changed");
    let given = follow_ups(&stage, FollowUpState::Open).await;
    stage.time.advance(SignedDuration::from_mins(1));
    let done = complete(&stage, &follow_up).await;
    let completed = follow_ups(&stage, FollowUpState::Done).await;
    let reopened = reopen(&stage, stage.employee_of(WILLOW, reopening(&follow_up))).await;

    undo(&stage, &reopened).await.unwrap();
    assert_eq!(follow_ups(&stage, FollowUpState::Done).await, completed);
    undo(&stage, &done).await.unwrap();
    assert_eq!(follow_ups(&stage, FollowUpState::Open).await, given);
    undo(&stage, &assigned).await.unwrap();
    assert!(follow_ups(&stage, FollowUpState::Open).await.contains(&noted));
    undo(&stage, &created).await.unwrap();
    assert_eq!(follow_ups(&stage, FollowUpState::Open).await, [other]);
}

#[tokio::test]
async fn no_later_change_of_a_colleague_is_undone() {
    let stage = precise().await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    let (note, written) = write(&stage, &mia.id, "Allergic to nuts").await;
    let rewritten = rewrite(&stage, stage.employee_of(WILLOW, rewriting(&note, "Likes tea", true))).await;
    rewrite(&stage, by_colleague(&stage, rewriting(&note, "Likes coffee", true))).await;
    let agreed = answer(&stage, stage.employee_of(WILLOW, answering(&mia.id, true))).await;
    answer(&stage, by_colleague(&stage, answering(&mia.id, false))).await;
    let (follow_up, created) = note_follow_up(&stage, &mia).await;
    let done = complete(&stage, &follow_up).await;
    reopen(&stage, by_colleague(&stage, reopening(&follow_up))).await;
    let (test, recorded) = record_test(&stage, &mia.id).await;
    let deletion = DeletePatchTestRequest {
        business_id: WILLOW.to_string(),
        customer_id: mia.id.clone(),
        patch_test_id: test.id,
    };
    stage.customer_records().delete_patch_test(by_colleague(&stage, deletion)).await.unwrap();

    for change in [&rewritten, &written, &agreed, &done, &created, &recorded] {
        assert_refused(undo(&stage, change).await, Reason::Stale);
    }
    assert_eq!(notes(&stage, &mia.id).await[0].text, "Likes coffee");
    assert!(!consent(&stage, &mia.id).await.unwrap().given);
    assert_eq!(follow_ups(&stage, FollowUpState::Open).await.len(), 1, "as the colleague left it");
}

#[tokio::test]
async fn a_change_is_undone_once_within_ten_minutes_by_the_account_that_made_it() {
    let stage = Stage::open().await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    let (_, change) = write(&stage, &mia.id, "Allergic to nuts").await;
    let guest = as_user(&stage.host, Role::Guest, WILLOW, undoing(&change));
    assert_refused(send(&stage, guest).await, Reason::RoleTooLow);
    assert_refused(send(&stage, by_colleague(&stage, undoing(&change))).await, Reason::NotFound);
    let elsewhere = UndoRecordChangeRequest { business_id: LINDE.to_string(), ..undoing(&change) };
    assert_refused(send(&stage, stage.employee_of(LINDE, elsewhere)).await, Reason::NotFound);
    assert_refused(undo(&stage, &Uuid::from_u128(9).to_string()).await, Reason::NotFound);

    let with_key = || {
        let mut request = stage.employee_of(WILLOW, undoing(&change));
        request.metadata_mut().insert(IDEMPOTENCY_HEADER, "k1".parse().unwrap());
        request
    };
    send(&stage, with_key()).await.unwrap();
    send(&stage, with_key()).await.unwrap();
    assert_refused(undo(&stage, &change).await, Reason::NotFound);

    let (_, change) = write(&stage, &mia.id, "Likes tea").await;
    stage.time.advance(SignedDuration::from_mins(10));
    assert_refused(undo(&stage, &change).await, Reason::NotFound);
    assert_eq!(notes(&stage, &mia.id).await.len(), 1);
}

/// The same request again, as a browser sends it that has lost the answer.
fn repeated<T>(mut request: Request<T>) -> Request<T> {
    request.metadata_mut().insert(IDEMPOTENCY_HEADER, "lost".parse().unwrap());
    request
}

#[tokio::test]
async fn a_change_whose_answer_was_lost_is_answered_again_with_its_undo() {
    let stage = Stage::open().await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    let (note, _) = write(&stage, &mia.id, "Allergic to nuts").await;
    let (test, _) = record_test(&stage, &mia.id).await;
    let (formula, _) = mix(&stage, &mia.id).await;
    let (follow_up, _) = note_follow_up(&stage, &mia).await;
    let ana = stage.employee(WILLOW, "Ana").await;
    let of = |customer_id: &str| (WILLOW.to_string(), customer_id.to_owned());
    let (business_id, customer_id) = of(&mia.id);
    let note = DeleteCustomerNoteRequest { business_id, customer_id, note_id: note.id };
    let (business_id, customer_id) = of(&mia.id);
    let test = DeletePatchTestRequest { business_id, customer_id, patch_test_id: test.id };
    let (business_id, customer_id) = of(&mia.id);
    let formula = DeleteFormulaRequest { business_id, customer_id, formula_id: formula.id };
    let assigning = AssignFollowUpRequest {
        business_id: WILLOW.to_string(),
        follow_up_id: follow_up.id.clone(),
        employee_id: ana.id,
        due_at: None,
    };
    let completion =
        CompleteFollowUpRequest { business_id: WILLOW.to_string(), follow_up_id: follow_up.id.clone() };
    let mut answered = vec![];
    for _ in 0..2 {
        let mut changes = vec![];
        let request = repeated(stage.employee_of(WILLOW, note.clone()));
        let answer = stage.customer_notes().delete_customer_note(request).await.unwrap();
        changes.push(answer.into_inner().change_id);
        let request = repeated(stage.employee_of(WILLOW, test.clone()));
        let answer = stage.customer_records().delete_patch_test(request).await.unwrap();
        changes.push(answer.into_inner().change_id);
        let request = repeated(stage.employee_of(WILLOW, formula.clone()));
        let answer = stage.customer_records().delete_formula(request).await.unwrap();
        changes.push(answer.into_inner().change_id);
        let request = repeated(stage.employee_of(WILLOW, assigning.clone()));
        let answer = stage.follow_ups().assign_follow_up(request).await.unwrap();
        changes.push(answer.into_inner().change_id);
        let request = repeated(stage.employee_of(WILLOW, completion.clone()));
        let answer = stage.follow_ups().complete_follow_up(request).await.unwrap();
        changes.push(answer.into_inner().change_id);
        answered.push(changes);
    }
    assert_eq!(answered[0], answered[1]);
    for change in answered[1].iter().rev() {
        undo(&stage, change).await.unwrap();
    }
    assert_eq!(notes(&stage, &mia.id).await.len(), 1);
    assert_eq!((tests(&stage, &mia.id).await.len(), formulas(&stage, &mia.id).await.len()), (1, 1));
    let open = follow_ups(&stage, FollowUpState::Open).await;
    assert_eq!((open.len(), open[0].employee_id.as_str()), (1, ""));

    let reopened = async || {
        let request = repeated(stage.employee_of(WILLOW, reopening(&follow_up)));
        reopen(&stage, request).await
    };
    complete(&stage, &follow_up).await;
    let first = reopened().await;
    assert_eq!(reopened().await, first);
    undo(&stage, &first).await.unwrap();
    assert!(follow_ups(&stage, FollowUpState::Open).await.is_empty());
}

#[tokio::test]
async fn what_an_undo_changes_is_told_to_followers_as_the_newest_version() {
    let stage = Stage::open().await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    let mut stream = followed(&stage).await;
    let (note, _) = write(&stage, &mia.id, "Allergic to nuts").await;
    let deleted = delete_note(&stage, &note).await;
    undo(&stage, &deleted).await.unwrap();
    let (test, _) = record_test(&stage, &mia.id).await;
    for _ in 0..2 {
        let deleted = delete_test(&stage, &test).await;
        undo(&stage, &deleted).await.unwrap();
    }
    let mut told = vec![];
    while told.len() < 8 {
        let event = next(&mut stream).await;
        match event.payload {
            Some(Payload::CustomerNote(_)) => told.push(("note", event.version)),
            Some(Payload::CustomerRecord(_)) => told.push(("test", event.version)),
            _ => {}
        }
    }
    let expected = [
        ("note", 1),
        ("note", 2),
        ("note", 3),
        ("test", 1),
        ("test", 2),
        ("test", 3),
        ("test", 4),
        ("test", 5),
    ];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn nothing_about_a_person_who_was_erased_is_put_back() {
    let stage = Stage::open().await;
    let [mia, tom] = [stage.customer(WILLOW, "Mia", "").await, stage.customer(WILLOW, "Tom", "").await];
    let (note, _) = write(&stage, &mia.id, "Allergic to nuts").await;
    let (test, _) = record_test(&stage, &mia.id).await;
    let (formula, _) = mix(&stage, &mia.id).await;
    let deleted = [
        delete_note(&stage, &note).await,
        delete_test(&stage, &test).await,
        delete_formula(&stage, &formula).await,
    ];
    write(&stage, &tom.id, "Likes tea").await;
    erase(&stage, WILLOW, &mia.id).await.unwrap();
    for change in &deleted {
        assert_refused(undo(&stage, change).await, Reason::NotFound);
    }
    assert_eq!(stage.count("SELECT count(*) FROM undoable_change").await, 1, "the other customer's");
}

#[tokio::test]
async fn an_unreadable_id_names_its_field() {
    let stage = Stage::open().await;
    assert_field_refused(undo(&stage, "none").await, "change_id");
}
