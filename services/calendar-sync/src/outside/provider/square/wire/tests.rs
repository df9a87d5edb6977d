use serde_json::json;

use super::*;
use crate::domain::provider::LeftOut;

/// A booking as an employee's for whom alone it is listed.
fn alone(booking: Value, employee: &str, now: Timestamp) -> TheirAppointment {
    of_each(vec![booking], &[employee], now).remove(0).remove(0)
}

#[test]
fn a_booking_that_is_listed_under_an_employee_and_went_to_another_takes_none_of_their_time() {
    let now: Timestamp = "2026-06-01T08:00:00Z".parse().unwrap();
    let booking = |members: &[&str]| {
        let segment = |member| json!({ "team_member_id": member, "duration_minutes": 30 });
        let segments: Vec<Value> = members.iter().map(segment).collect();
        json!({ "id": "B", "version": 0, "start_at": now, "appointment_segments": segments })
    };
    let read = |members: &[&str]| alone(booking(members), "M", now);
    assert!(matches!(read(&["T"]), TheirAppointment::Deleted { .. }));
    assert!(matches!(read(&["T", "M"]), TheirAppointment::Standing { .. }));
    assert!(matches!(read(&[]), TheirAppointment::Unreadable { .. }));
}

#[test]
fn of_all_bookings_each_employee_has_their_own_and_what_may_be_anyones() {
    let now: Timestamp = "2026-06-01T08:00:00Z".parse().unwrap();
    let segment = |member: &str| json!({ "team_member_id": member, "duration_minutes": 30 });
    let booking = |id: &str, segments: Value| json!({ "id": id, "version": 0, "start_at": now, "appointment_segments": segments });
    let garbled =
        |id: &str, segments: Value| json!({ "id": id, "start_at": "soon", "appointment_segments": segments });
    let listed = vec![
        booking("mias", json!([segment("M")])),
        booking("toms", json!([segment("T")])),
        booking("both", json!([segment("M"), segment("T")])),
        garbled("toms-garbled", json!([segment("T")])),
        garbled("garbled", json!([{ "duration_minutes": 30 }])),
        booking("no-segments", json!([])),
    ];
    let found = of_each(listed, &["M", "T", "A"], now);
    let ids = |n: usize| found[n].iter().map(|their| their.id().0.as_str()).collect::<Vec<_>>();
    assert_eq!(ids(0), ["mias", "both", "garbled", "no-segments"]);
    assert_eq!(ids(1), ["toms", "both", "toms-garbled", "garbled", "no-segments"]);
    assert_eq!(ids(2), ["garbled", "no-segments"]);
    let is_unreadable = |their: &TheirAppointment| matches!(their, TheirAppointment::Unreadable { .. });
    assert!(found[2].iter().all(is_unreadable));
}

#[test]
fn a_team_member_or_service_that_makes_no_sense_stops_no_other() {
    let members = json!([
        { "id": "M", "given_name": "Mia", "family_name": null },
        { "id": "T", "given_name": 7 },
        { "given_name": "Noah" },
        "Tom",
    ]);
    let read = members.as_array().unwrap().iter().map(team_member);
    let names: Vec<_> = read.map(|member| member.map(|named| named.name)).collect();
    let without_id = || Err(LeftOut::WithoutId);
    assert_eq!(names, [Ok("Mia".to_owned()), Ok("7".to_owned()), without_id(), without_id()]);

    let items = json!([
        { "item_data": { "name": "Cut", "variations": [{ "id": "C" }] } },
        { "item_data": { "name": "Colour", "variations": [
            { "id": "R", "item_variation_data": { "name": "Roots" } },
            { "item_variation_data": { "name": "Full" } },
        ] } },
        { "is_deleted": true, "item_data": { "name": "Perm", "variations": [{ "id": "P" }] } },
        { "item_data": null },
        7,
    ]);
    let read = items.as_array().unwrap().iter().flat_map(variations);
    let names: Vec<_> = read.map(|service| service.map(|named| named.name)).collect();
    assert_eq!(names, [Ok("Cut".to_owned()), Ok("Colour – Roots".to_owned()), without_id()]);
}

#[test]
fn minutes_beyond_all_measure_make_one_booking_unreadable_and_a_free_start_a_day_at_most() {
    let now: Timestamp = "2026-06-01T08:00:00Z".parse().unwrap();
    for minutes in [i64::MAX, i64::MAX / 60, i64::MIN, -1] {
        for name in ["duration_minutes", "intermission_minutes"] {
            let lasting = json!({ "team_member_id": "M", (name): minutes });
            let booking = json!({
                "id": "B",
                "version": 0,
                "start_at": now,
                "appointment_segments": [lasting.clone(), lasting],
            });
            let read = alone(booking.clone(), "M", now);
            let is_unreadable = matches!(read, TheirAppointment::Unreadable { .. });
            assert!(is_unreadable, "{name} {minutes}: {read:?}");
            let free: Availability = serde_json::from_value(booking).unwrap();
            let most = if minutes > 0 { DAY } else { 0 };
            assert_eq!(free.lasts(), SignedDuration::from_mins(most), "{name} {minutes}");
        }
    }
}
