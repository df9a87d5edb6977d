use super::*;

fn book() -> Book {
    let zone = TimeZone::get("Europe/London").unwrap();
    Book::new("Willow", "token", zone, &["Mia", "Noah"], &["Cut"])
}

fn booking(person: &str, from: &str, to: &str) -> Booking {
    Booking {
        employee_id: person.to_owned(),
        service_id: None,
        title: "Cut".to_owned(),
        starts_at: from.parse().unwrap(),
        ends_at: to.parse().unwrap(),
        reference: None,
    }
}

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

#[test]
fn a_change_wants_the_present_version() {
    let mut book = book();
    let hour = || booking("P1", "2026-06-01T09:00:00Z", "2026-06-01T10:00:00Z");
    let version = book.put("a", hour(), None, "api", NOW).unwrap().version.clone();
    assert_eq!(book.put("a", hour(), None, "api", NOW), Err(Unchanged::Version(Some(version.clone()))));
    let second = book.put("a", hour(), Some(&version), "api", NOW).unwrap().version.clone();
    assert_ne!(version, second);
    assert!(book.delete("a", &version, "api", NOW).is_err());
    book.delete("a", &second, "api", NOW).unwrap();
    assert_eq!(book.put("a", hour(), Some(&second), "api", NOW), Err(Unchanged::Version(None)));
    assert!(matches!(
        book.put("b", booking("P9", "2026-06-01T09:00:00Z", "2026-06-01T10:00:00Z"), None, "api", NOW),
        Err(Unchanged::Invalid(_))
    ));
}

#[test]
fn a_reader_gets_every_change_of_a_person_once() {
    let mut book = book();
    for (n, id) in ["a", "b", "c"].into_iter().enumerate() {
        let person = if n == 1 { "P2" } else { "P1" };
        book.put(id, booking(person, "2026-06-01T09:00:00Z", "2026-06-01T10:00:00Z"), None, "api", NOW)
            .unwrap();
    }
    let (first, next, more) = book.changes(Some("P1"), None, 1).unwrap();
    assert_eq!((first[0].id.as_str(), more), ("a", true));
    let (second, last, more) = book.changes(Some("P1"), Some(next), 5).unwrap();
    assert_eq!((second.len(), second[0].id.as_str(), more), (1, "c", false));
    let version = book.version("a").unwrap().to_owned();
    book.delete("a", &version, "Mia", NOW).unwrap();
    let (third, _, _) = book.changes(Some("P1"), Some(last), 5).unwrap();
    assert!(third.len() == 1 && third[0].deleted && third[0].changed_by == "Mia");
    book.forget();
    assert_eq!(book.changes(Some("P1"), Some(last), 5), None);
    assert_eq!(book.changes(Some("P1"), None, 5).unwrap().0.len(), 1);
}

#[test]
fn an_appointment_that_goes_to_another_person_is_gone_for_the_one_before() {
    let mut book = book();
    let hour = |person| booking(person, "2026-06-01T09:00:00Z", "2026-06-01T10:00:00Z");
    let version = book.put("a", hour("P1"), None, "api", NOW).unwrap().version.clone();
    let (_, next, _) = book.changes(Some("P1"), None, 5).unwrap();
    book.put("a", hour("P2"), Some(&version), "Mia", NOW).unwrap();
    let (gone, _, _) = book.changes(Some("P1"), Some(next), 5).unwrap();
    assert!(gone.len() == 1 && gone[0].deleted && gone[0].id == "a");
    assert_eq!(book.changes(Some("P1"), None, 5).unwrap().0.len(), 0);
    let (come, _, _) = book.changes(Some("P2"), Some(next), 5).unwrap();
    assert!(come.len() == 1 && !come[0].deleted);
}

#[test]
fn a_reader_of_all_gets_both_sides_of_an_appointment_that_goes_to_another_person_on_one_page() {
    let mut book = book();
    let hour = |person| booking(person, "2026-06-01T09:00:00Z", "2026-06-01T10:00:00Z");
    let version = book.put("a", hour("P1"), None, "api", NOW).unwrap().version.clone();
    let (_, next, _) = book.changes(None, None, 5).unwrap();
    book.put("a", hour("P2"), Some(&version), "Mia", NOW).unwrap();
    book.put("b", hour("P1"), None, "Mia", NOW).unwrap();
    let (found, next, more) = book.changes(None, Some(next), 1).unwrap();
    let sides: Vec<(&str, bool)> =
        found.iter().map(|found| (found.booking.employee_id.as_str(), found.deleted)).collect();
    assert_eq!((sides.len(), more), (2, true));
    assert!(sides.contains(&("P1", true)) && sides.contains(&("P2", false)));
    let (found, _, more) = book.changes(None, Some(next), 1).unwrap();
    assert_eq!((found.len(), found[0].id.as_str(), more), (1, "b", false));
}

#[test]
fn an_appointment_deleted_and_entered_for_another_person_is_gone_for_the_one_before() {
    let mut book = book();
    let hour = |person| booking(person, "2026-06-01T09:00:00Z", "2026-06-01T10:00:00Z");
    let version = book.put("a", hour("P1"), None, "api", NOW).unwrap().version.clone();
    let (_, next, _) = book.changes(Some("P1"), None, 5).unwrap();
    book.delete("a", &version, "Mia", NOW).unwrap();
    book.put("a", hour("P2"), None, "Mia", NOW).unwrap();
    let (gone, _, _) = book.changes(Some("P1"), Some(next), 5).unwrap();
    assert!(gone.len() == 1 && gone[0].deleted && gone[0].id == "a");
}

#[test]
fn what_is_taken_is_not_free() {
    let mut book = book();
    let monday = jiff::civil::date(2026, 6, 1);
    assert_eq!(book.free("P1", monday), [(540, 1080)]);
    // 10:00 to 11:00 in London, and until after closing.
    book.put("a", booking("P1", "2026-06-01T09:00:00Z", "2026-06-01T10:00:00Z"), None, "api", NOW).unwrap();
    book.put("b", booking("P1", "2026-06-01T16:00:00Z", "2026-06-01T20:00:00Z"), None, "api", NOW).unwrap();
    assert_eq!(book.free("P1", monday), [(540, 600), (660, 1020)]);
    assert_eq!(book.free("P2", monday), [(540, 1080)]);
    assert_eq!(book.free("P1", jiff::civil::date(2026, 6, 7)), [], "closed on Sundays");
    assert_eq!(book.free("P9", monday), []);
}
