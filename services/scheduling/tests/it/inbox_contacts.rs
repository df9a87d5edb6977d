//! Calls to customers about the open lines of the inbox.

use caller::Role;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        scheduling::v1::{
            AppointmentState as State, ContactOutcome, GetAppointmentRequest, GetDayRequest,
            RecordContactRequest, StrandedReason,
        },
    },
    time::to_proto,
};
use testkit::as_user;

use crate::{
    events::events,
    inbox::{TUESDAY, contact, open_ids, open_lines, record, remove_day, set_day, stranded, waiting},
    moving,
    progress::{restore, set},
    salon::{ANA, BEN, CUT, OTHER, WILLOW, by, field, local, reason, with_key},
    time_off::{approve, ask, days, withdrawal},
};

#[tokio::test]
async fn a_call_without_an_answer_is_kept_and_leaves_the_line_open_until_the_customer_was_told() {
    let (salon, visit) = stranded().await;
    let booked = salon.booked().await;
    record(&salon, &visit, ContactOutcome::NoAnswer).await.unwrap();
    let line = open_lines(&salon).await.remove(0);
    let [called] = &line.contacts[..] else { panic!("{line:?}") };
    assert_eq!((called.outcome(), called.note.as_str()), (ContactOutcome::NoAnswer, "the sister answered"));
    assert!(called.recorded_by.starts_with("user:"), "{called:?}");
    assert_eq!(called.recorded_at, Some(to_proto(salon.time.now())));

    record(&salon, &visit, ContactOutcome::Told).await.unwrap();
    assert!(open_lines(&salon).await.is_empty());
    assert_eq!(salon.booked().await, booked, "the visit itself stays");
    let again = record(&salon, &visit, ContactOutcome::Told).await.unwrap_err();
    assert_eq!(reason(&again), Reason::WrongState);
    let noted = "SELECT count(*) FROM audit WHERE action = 'RecordContact'";
    assert_eq!(salon.count(noted).await, 2);
    let announced = events(&salon).await.into_iter().filter_map(|event| match event.payload {
        Some(Payload::Contact(contact)) => Some(contact.appointment_id),
        _ => None,
    });
    assert_eq!(announced.collect::<Vec<_>>(), [visit.clone(), visit]);
}

#[tokio::test]
async fn a_visit_whose_customer_was_told_is_not_stranded_and_says_who_called() {
    let (salon, visit) = stranded().await;
    let seen = async || {
        let day = GetDayRequest {
            business_id: WILLOW.to_string(),
            first_date: TUESDAY.to_owned(),
            ..GetDayRequest::default()
        };
        let day = salon.days().get_day(salon.employee(day)).await.unwrap().into_inner();
        let on_day = day.visits.into_iter().next().unwrap();
        let whole = GetAppointmentRequest { business_id: WILLOW.to_string(), appointment_id: visit.clone() };
        let whole = salon.appointments().get_appointment(salon.employee(whole)).await.unwrap().into_inner();
        assert_eq!(on_day.contacts, whole.contacts);
        let calls = whole.contacts.iter().map(|call| (call.outcome(), call.recorded_by_name.clone()));
        (on_day.items[0].is_stranded, calls.collect::<Vec<_>>())
    };
    // Ana signs in as the tests' person; tenancy has told no names.
    sqlx::query("UPDATE employee SET name = 'Ana' WHERE id = $1")
        .bind(ANA)
        .execute(&mut salon.superuser().await)
        .await
        .unwrap();
    let by_ana = |outcome| (outcome, "Ana".to_owned());
    assert_eq!(seen().await, (true, vec![]));
    record(&salon, &visit, ContactOutcome::NoAnswer).await.unwrap();
    assert_eq!(seen().await, (true, vec![by_ana(ContactOutcome::NoAnswer)]));
    salon.time.advance(SignedDuration::from_mins(5));
    record(&salon, &visit, ContactOutcome::Told).await.unwrap();
    let both = vec![by_ana(ContactOutcome::Told), by_ana(ContactOutcome::NoAnswer)];
    assert_eq!(seen().await, (false, both));
    moving::send(&salon, moving::request(&visit, local(TUESDAY, "14:00"))).await.unwrap();
    set_day(&salon, ANA, TUESDAY, 12, 13).await;
    assert_eq!(seen().await, (true, vec![]), "the customer knows nothing of the new time");
}

#[tokio::test]
async fn a_told_customer_is_to_be_told_again_once_the_visit_takes_other_time() {
    let (salon, visit) = stranded().await;
    record(&salon, &visit, ContactOutcome::Told).await.unwrap();
    set(&salon, &visit, State::Confirmed).await.unwrap();
    assert!(open_ids(&salon).await.is_empty(), "a confirmation is nothing new");
    moving::send(&salon, moving::request(&visit, local(TUESDAY, "14:00"))).await.unwrap();
    assert!(open_ids(&salon).await.is_empty(), "Ana is there at two");
    set_day(&salon, ANA, TUESDAY, 12, 13).await;
    assert_eq!(open_ids(&salon).await, core::slice::from_ref(&visit));
    record(&salon, &visit, ContactOutcome::Told).await.unwrap();
    salon.cancel(&visit).await.unwrap();
    restore(&salon, &visit).await.unwrap();
    assert_eq!(open_ids(&salon).await, [visit]);
}

#[tokio::test]
async fn a_told_customer_is_to_be_told_again_once_the_visit_is_stranded_anew() {
    let (salon, visit) = stranded().await;
    record(&salon, &visit, ContactOutcome::Told).await.unwrap();
    set_day(&salon, ANA, TUESDAY, 13, 18).await;
    assert!(open_ids(&salon).await.is_empty(), "still not there");
    remove_day(&salon, ANA, TUESDAY).await.unwrap();
    assert!(open_ids(&salon).await.is_empty(), "there after all");
    let off = ask(&salon, days(TUESDAY, TUESDAY)).await.unwrap();
    approve(&salon, &off.id).await.unwrap();
    let lines = open_lines(&salon).await;
    assert_eq!(
        (lines[0].appointment_id.as_str(), lines[0].reason()),
        (visit.as_str(), StrandedReason::TimeOff)
    );
    assert!(lines[0].contacts.is_empty());
    salon.time_off().withdraw_time_off(salon.manager(withdrawal(&off.id))).await.unwrap();
    assert!(open_ids(&salon).await.is_empty());
}

#[tokio::test]
async fn calls_are_recorded_once_by_employees_about_stranded_visits_alone() {
    let (salon, visit) = stranded().await;
    let send = async |key: &str| {
        let request = with_key(salon.employee(contact(&visit, ContactOutcome::NoAnswer)), key);
        salon.days().record_contact(request).await.unwrap().into_inner()
    };
    assert_eq!(send("k1").await, send("k1").await);
    assert_eq!(salon.count("SELECT count(*) FROM stranded_contact").await, 1);
    for (role, business, expected) in
        [(Role::Guest, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let request = as_user(&salon.host, role, business, contact(&visit, ContactOutcome::Told));
        assert_eq!(reason(&salon.days().record_contact(request).await.unwrap_err()), expected);
        let request = as_user(&salon.host, role, business, waiting(&visit));
        assert_eq!(reason(&salon.waitlist().move_to_waitlist(request).await.unwrap_err()), expected);
    }
    let refused = async |request| salon.days().record_contact(salon.employee(request)).await.unwrap_err();
    assert_eq!(field(&refused(contact(&visit, ContactOutcome::Unspecified)).await), "outcome");
    let long = RecordContactRequest { note: "x".repeat(201), ..contact(&visit, ContactOutcome::Told) };
    assert_eq!(field(&refused(long).await), "note");
    let unknown = contact(&ANA.to_string(), ContactOutcome::Told);
    assert_eq!(reason(&refused(unknown).await), Reason::NotFound);
    let fine = salon.book(vec![by(CUT, BEN)], local(TUESDAY, "10:00")).await.unwrap().id;
    assert_eq!(reason(&refused(contact(&fine, ContactOutcome::Told)).await), Reason::WrongState);
}
