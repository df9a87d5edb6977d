use jiff::Timestamp;
use proto::frontdesk::scheduling::v1::PlacedItem;

use super::*;

fn now() -> Zoned {
    "2026-06-01T09:00[Europe/London]".parse().unwrap()
}

fn offer(starts_at: &str, employees: &[&str]) -> Offer {
    let starts_at: Timestamp = starts_at.parse().unwrap();
    let placed = |name: &&str| PlacedItem {
        service_id: "s".into(),
        employee_name: (*name).to_owned(),
        ..PlacedItem::default()
    };
    Offer {
        starts_at: Some(time::to_proto(starts_at)),
        items: employees.iter().map(placed).collect(),
        price_minor: 6200,
        currency: "GBP".into(),
        ..Offer::default()
    }
}

fn spoken(language: Language, offers: &[Offer]) -> Value {
    let now = now();
    let answer = answer(Speech { language, now: &now }, "", "in den nächsten sieben Tagen", offers, true);
    serde_json::from_str(&answer.to_json()).unwrap()
}

fn said(offers: &[Offer]) -> String {
    spoken(Language::English, offers)["say"].as_str().unwrap().to_owned()
}

#[test]
fn a_german_caller_hears_the_salons_own_time_by_24_hours() {
    let said = |offers: &[Offer]| spoken(Language::German, offers)["say"].as_str().unwrap().to_owned();
    let offers = [
        offer("2026-06-02T09:00:00Z", &["Mia Larsen"]),
        offer("2026-06-02T13:30:00Z", &["Mia Larsen"]),
        offer("2026-06-06T09:00:00Z", &["Sofia"]),
    ];
    assert_eq!(
        said(&offers[..2]),
        "Morgen ist um 10 Uhr oder um 14 Uhr 30 bei Mia etwas frei. Was passt Ihnen am besten?"
    );
    assert_eq!(
        said(&offers[1..]),
        "Etwas frei ist morgen um 14 Uhr 30 bei Mia oder am Samstag, dem 6. Juni um 10 Uhr bei Sofia. Was passt \
         Ihnen am besten?"
    );
    assert_eq!(said(&[]), "In den nächsten sieben Tagen ist leider nichts frei. Möchten Sie später kommen?");
    let shown = spoken(Language::German, &offers[2..]);
    assert_eq!(shown["offers"][0]["when"], "am Samstag, dem 6. Juni um 10 Uhr");
    assert_eq!(shown["offers"][0]["price"], "62 Pfund");
}

#[test]
fn times_of_one_day_and_person_name_them_once() {
    let offers = [
        offer("2026-06-02T09:00:00Z", &["Mia Larsen"]),
        offer("2026-06-02T11:00:00Z", &["Mia Larsen"]),
        offer("2026-06-02T13:30:00Z", &["Mia Larsen"]),
    ];
    assert_eq!(said(&offers), "Tomorrow I have 10 am, noon or 2:30 pm with Mia. Which suits you best?");
}

#[test]
fn times_that_differ_are_told_apart() {
    let offers =
        [offer("2026-06-02T09:00:00Z", &["Mia", "Mia", "Noah"]), offer("2026-06-06T09:00:00Z", &["Sofia"])];
    assert_eq!(
        said(&offers),
        "I have tomorrow at 10 am with Mia and Noah or on Saturday the 6th of June at 10 am with Sofia. \
         Which suits you best?"
    );
    assert_eq!(
        said(&offers[1..]),
        "On Saturday the 6th of June I have 10 am with Sofia. Does that suit you?"
    );
}

#[test]
fn the_agent_gets_what_it_needs_to_hold_an_offer() {
    let body = spoken(Language::English, &[offer("2026-06-02T09:00:00Z", &["Mia Larsen"])]);
    let expected = json!({
        "starts_at": "2026-06-02T10:00:00+01:00", "when": "tomorrow at 10 am", "with": "Mia", "price": "62 pounds",
        "services": [{"service_id": "s", "service": "", "employee_id": "", "employee": "Mia", "employee_wish": null}],
    });
    assert_eq!(body["offers"][0], expected);
}
