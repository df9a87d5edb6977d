//! Comparing the book with the calendars.

use caller::{BusinessId, Role};
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of, refuse},
    frontdesk::calendarsync::v1::{
        CheckConsistencyRequest, CheckConsistencyResponse, Difference, DifferenceKind, GetConsistencyRequest,
        GetConsistencyResponse, RepairDifferenceRequest,
        consistency_service_client::ConsistencyServiceClient,
    },
};
use testkit::as_user;
use tonic::{Status, transport::Channel};
use uuid::Uuid;

use crate::{
    salon::{CALENDAR, MIA, OTHER, SALON, Salon, TOM, TOMS, visit},
    scheduling::ACTOR,
};

fn client(salon: &Salon) -> ConsistencyServiceClient<Channel> {
    ConsistencyServiceClient::new(salon.channel.clone())
}

async fn check_as(
    salon: &Salon,
    role: Role,
    business: BusinessId,
) -> Result<CheckConsistencyResponse, Status> {
    let message = CheckConsistencyRequest { business_id: SALON.to_string() };
    Ok(client(salon).check_consistency(as_user(&salon.host, role, business, message)).await?.into_inner())
}

pub async fn check(salon: &Salon) -> CheckConsistencyResponse {
    check_as(salon, Role::Owner, SALON).await.unwrap()
}

async fn last(salon: &Salon) -> GetConsistencyResponse {
    let message = GetConsistencyRequest { business_id: SALON.to_string() };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    client(salon).get_consistency(request).await.unwrap().into_inner()
}

async fn repair(salon: &Salon, difference: &Difference) -> Result<(), Status> {
    let message = RepairDifferenceRequest {
        business_id: SALON.to_string(),
        calendar_id: difference.calendar_id.clone(),
        event_id: difference.event_id.clone(),
        appointment_id: difference.appointment_id.clone(),
    };
    client(salon).repair_difference(as_user(&salon.host, Role::Owner, SALON, message)).await.map(drop)
}

/// Mia's and Tom's calendars with `visits` visits of both, written.
async fn salon(visits: u128) -> Salon {
    let salon = Salon::open().await;
    salon.connect(CALENDAR, MIA).await.unwrap();
    salon.connect(TOMS, TOM).await.unwrap();
    for n in 0..visits {
        let hour = i64::try_from(24 + n).unwrap();
        salon.publish(visit(0xF00 + n, 1, &[(MIA, "Cut", hour, 30), (TOM, "Wash", hour, 20)])).await;
    }
    salon
}

#[tokio::test]
async fn a_salon_in_step_has_no_difference_and_says_since_when() {
    let salon = salon(3).await;
    assert_eq!(last(&salon).await, GetConsistencyResponse::default());
    // People's own events are none of the book's business.
    salon.put("dentist", 30).await.unwrap();
    let found = check(&salon).await;
    assert_eq!(found.differences, []);
    let summary = found.check.unwrap();
    assert_eq!((summary.appointment_count, summary.difference_count, summary.unread_side_count), (3, 0, 0));
    assert_eq!(summary.in_step_at, Some(proto::time::to_proto(salon.time.now())));
    assert_eq!(summary.in_step_digest, summary.digest);
    assert!(found.sides.iter().all(|side| side.event_count == 3 && side.digest == side.expected_digest));
    assert_eq!(last(&salon).await.check, Some(summary));
}

#[tokio::test]
async fn a_visit_under_way_is_in_step_and_its_parts_that_are_over_do_not_count() {
    let salon = Salon::open().await;
    salon.connect(CALENDAR, MIA).await.unwrap();
    salon.connect(TOMS, TOM).await.unwrap();
    salon.publish(visit(0xF00, 1, &[(TOM, "Wash", 9, 20), (MIA, "Colour", 10, 120)])).await;
    salon.time.advance(SignedDuration::from_hours(3));
    let found = check(&salon).await;
    assert_eq!(found.differences, []);
    assert_eq!(found.check.unwrap().appointment_count, 1);
    let count =
        |calendar: &str| found.sides.iter().find(|side| side.calendar_id == calendar).unwrap().event_count;
    assert_eq!((count(&CALENDAR.to_string()), count(&TOMS.to_string())), (1, 0));

    // What is deleted of it is missed.
    let event = salon.events(CALENDAR).await.remove(0);
    salon.delete(&event.id).await.unwrap();
    let kinds: Vec<_> = check(&salon).await.differences.iter().map(Difference::kind).collect();
    assert_eq!(kinds, [DifferenceKind::Missing]);
}

#[tokio::test]
async fn a_difference_says_who_last_changed_the_book_where_that_is_known() {
    let actor = async |salon: &Salon| {
        // The book of these tests tells names without knowing them, so that the other calendar differs as well.
        let differences = check(salon).await.differences;
        let mut missing = differences.into_iter().filter(|found| found.kind() == DifferenceKind::Missing);
        let (only, None) = (missing.next().unwrap(), missing.next()) else { panic!("one event was deleted") };
        only.ours.unwrap().actor
    };
    let known = salon(1).await;
    let event = known.events(CALENDAR).await.remove(0);
    known.delete(&event.id).await.unwrap();
    assert_eq!(actor(&known).await, ACTOR);
    // A replica of the release before keeps only when it was changed.
    known.meddle("UPDATE calendar_write SET wanted_at = wanted_at + interval '1 minute'").await;
    assert_eq!(actor(&known).await, "");

    // And an event of that release does not say by whom.
    let unknown = salon(1).await;
    unknown.tell_of_name("Ana Costa", 1, vec![event.appointment_id]).await;
    unknown.until_written().await;
    unknown.delete(&event.id).await.unwrap();
    assert_eq!(actor(&unknown).await, "");
}

#[tokio::test]
async fn each_of_twenty_planted_differences_is_found_and_repaired() {
    let salon = salon(20).await;
    // Seven events are moved, seven are deleted and six are written that belong to no appointment.
    let events = salon.events(CALENDAR).await;
    for event in &events[..7] {
        salon.put(&event.id, 100).await.unwrap();
    }
    for event in &events[7..14] {
        salon.delete(&event.id).await.unwrap();
    }
    for event in &events[14..20] {
        salon
            .meddle(&format!(
                "UPDATE calendar_write SET removed = true, written = wanted WHERE event_id = '{}';
                 DELETE FROM booked_part WHERE appointment_id = '{}'",
                event.id, event.appointment_id
            ))
            .await;
        salon.scheduling.forget(&event.appointment_id);
    }
    let found = check(&salon).await;
    // The six visits that the book has no more are Tom's as well.
    let of_mia: Vec<&Difference> =
        found.differences.iter().filter(|found| found.calendar_id == CALENDAR.to_string()).collect();
    assert_eq!(of_mia.len(), 20, "{:#?}", of_mia);
    let count = |kind| of_mia.iter().filter(|found| found.kind() == kind).count();
    assert_eq!(
        (count(DifferenceKind::Changed), count(DifferenceKind::Missing), count(DifferenceKind::Extra)),
        (7, 7, 6)
    );
    let changed = of_mia.iter().find(|found| found.kind() == DifferenceKind::Changed).unwrap();
    assert!(
        changed.fields.contains(&"starts_at".to_owned())
            && changed.theirs.as_ref().unwrap().changed_at.is_some()
    );
    let summary = found.check.unwrap();
    assert_eq!((summary.difference_count, summary.in_step_at), (26, None));

    // After a reload, and for others, they are still there; what is repaired is not.
    assert_eq!(last(&salon).await.differences, found.differences);
    assert_eq!(last(&salon).await.sides, found.sides);
    let (first, others) = found.differences.split_first().unwrap();
    repair(&salon, first).await.unwrap();
    let after = last(&salon).await;
    assert_eq!(after.differences, others);
    let kept = after.check.unwrap();
    assert_eq!((kept.difference_count, kept.in_step_at), (25, None));
    for difference in others {
        repair(&salon, difference).await.unwrap();
    }
    let after = last(&salon).await;
    assert_eq!(after.differences, []);
    let kept = after.check.unwrap();
    assert_eq!((kept.difference_count, &kept.in_step_digest), (0, &kept.digest));
    assert!(kept.in_step_at.is_some());
    salon.until_written().await;
    let again = check(&salon).await;
    assert_eq!(again.differences, []);
    assert_eq!(salon.events(CALENDAR).await.len(), 14);
}

#[tokio::test]
async fn a_persons_own_event_is_never_repaired_away() {
    let salon = salon(1).await;
    salon.put("dentist", 30).await.unwrap();
    let found = check(&salon).await;
    assert_eq!(found.differences, []);
    let forged = Difference {
        calendar_id: CALENDAR.to_string(),
        event_id: "dentist".to_owned(),
        appointment_id: Uuid::from_u128(0xF00).to_string(),
        ..Difference::default()
    };
    assert_eq!(reason_of(&repair(&salon, &forged).await.unwrap_err()), Some(Reason::NotFound));
    salon.until_written().await;
    assert!(salon.events(CALENDAR).await.iter().any(|event| event.id == "dentist"));
}

#[tokio::test]
async fn a_side_that_can_not_be_read_is_named_and_hides_no_other() {
    let salon = salon(2).await;
    salon
        .meddle(&format!(
            "INSERT INTO calendar VALUES ('{SALON}', '{0}', 'CALDAV', '{MIA}', 'Away', '2026-06-01');
             INSERT INTO sync_state (business_id, calendar_id, due_at) VALUES ('{SALON}', '{0}', '2027-06-01')",
            Uuid::from_u128(0xCAF)
        ))
        .await;
    salon.delete(&salon.events(CALENDAR).await[0].id).await.unwrap();
    let found = check(&salon).await;
    assert_eq!(found.differences.len(), 1);
    let summary = found.check.unwrap();
    assert_eq!((summary.difference_count, summary.unread_side_count), (1, 1));
    let unread: Vec<_> = found.sides.iter().filter(|side| !side.fault.is_empty()).collect();
    assert_eq!(unread.len(), 1);
    assert_eq!(unread[0].calendar_name, "Away");
    // A second repair of the same event finds nothing to subtract.
    for _ in 0..2 {
        repair(&salon, &found.differences[0]).await.unwrap();
        let kept = last(&salon).await.check.unwrap();
        assert_eq!((kept.difference_count, kept.unread_side_count, kept.in_step_at), (0, 1, None));
    }
}

#[tokio::test]
async fn without_the_book_there_is_no_check() {
    let salon = salon(1).await;
    salon.scheduling.refuse_reading(refuse(Reason::Unavailable, "away"));
    assert_eq!(
        reason_of(&check_as(&salon, Role::Owner, SALON).await.unwrap_err()),
        Some(Reason::Unavailable)
    );
    assert_eq!(salon.count("SELECT count(*) FROM consistency_check").await, 0);
}

#[tokio::test]
async fn checks_are_for_owners_of_the_business() {
    let salon = salon(0).await;
    for role in [Role::Guest, Role::Employee, Role::Manager] {
        let refused = check_as(&salon, role, SALON).await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    }
    let refused = check_as(&salon, Role::Owner, OTHER).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::NotFound));
}
