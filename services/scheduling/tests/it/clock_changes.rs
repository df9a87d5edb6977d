//! Days on which the clocks change.

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use proto::{
    frontdesk::scheduling::v1::SearchAvailabilityRequest,
    time::{required, to_proto},
};

use crate::salon::{ANA, CUT, Salon, WILLOW, booking, by, weekdays};

/// What is offered of Ana on a date, by the clock of `zone`.
async fn offered(salon: &Salon, zone: &str, date: &str) -> Vec<String> {
    let zone = TimeZone::get(zone).unwrap();
    let date: jiff::civil::Date = date.parse().unwrap();
    let midnight = |date: jiff::civil::Date| date.to_zoned(zone.clone()).unwrap().timestamp();
    let request = SearchAvailabilityRequest {
        business_id: WILLOW.to_string(),
        items: vec![by(CUT, ANA)],
        from: Some(to_proto(midnight(date))),
        to: Some(to_proto(midnight(date.tomorrow().unwrap()))),
        page_size: 200,
        page_token: String::new(),
        ..Default::default()
    };
    let found = salon.search_as(salon.agent(request)).await.unwrap();
    let shown = |at: Timestamp| at.to_zoned(zone.clone()).strftime("%H:%M %Z").to_string();
    found.offers.iter().map(|offer| shown(required("starts_at", offer.starts_at.as_ref()).unwrap())).collect()
}

/// Willow in `zone`, at work on Sundays too, a month before `date`.
pub async fn salon_in(zone: &str, date: &str, from: i32, to: i32) -> Salon {
    let salon = Salon::open().await;
    let day: Timestamp = format!("{date}T00:00:00Z").parse().unwrap();
    salon.time.set(day - SignedDuration::from_hours(30 * 24));
    let mut hours = weekdays(from, to);
    hours.extend(
        weekdays(from, to)
            .first()
            .map(|span| proto::frontdesk::scheduling::v1::WeeklySpan { weekday: 7, ..*span }),
    );
    salon.set_hours_in(WILLOW, zone, hours.clone()).await;
    salon.set_week(ANA, hours).await;
    salon
}

#[tokio::test]
async fn the_working_day_keeps_its_hours_when_the_clocks_change() {
    for (zone, date, abbreviation) in [
        ("Europe/London", "2026-03-29", "BST"),
        ("Europe/London", "2026-10-25", "GMT"),
        ("America/New_York", "2026-03-08", "EDT"),
        ("America/New_York", "2026-11-01", "EST"),
    ] {
        let salon = salon_in(zone, date, 9, 18).await;
        let offered = offered(&salon, zone, date).await;
        assert_eq!(offered.len(), 35, "{zone} {date}");
        assert_eq!(offered[0], format!("09:00 {abbreviation}"));
        assert_eq!(offered[34], format!("17:30 {abbreviation}"));
    }
}

#[tokio::test]
async fn an_hour_that_does_not_exist_is_not_offered() {
    let salon = salon_in("Europe/London", "2026-03-29", 0, 4).await;
    let offered = offered(&salon, "Europe/London", "2026-03-29").await;
    let around: Vec<_> = offered.iter().map(String::as_str).take(7).collect();
    // A visit from 00:45 ends at what the clock calls 02:15.
    let expected =
        ["00:00 GMT", "00:15 GMT", "00:30 GMT", "00:45 GMT", "02:00 BST", "02:15 BST", "02:30 BST"];
    assert_eq!(around, expected);
    assert_eq!(offered.len(), 11);
}

#[tokio::test]
async fn an_hour_that_comes_twice_is_offered_twice() {
    let salon = salon_in("America/New_York", "2026-11-01", 0, 4).await;
    let offered = offered(&salon, "America/New_York", "2026-11-01").await;
    assert_eq!(offered.iter().filter(|start| start.starts_with("01:30")).count(), 2);
    assert_eq!(offered.len(), 19);
}

#[tokio::test]
async fn both_of_two_hours_with_the_same_name_are_booked_once_each() {
    let salon = salon_in("Europe/London", "2026-10-25", 0, 4).await;
    let first: Timestamp = "2026-10-25T00:30:00Z".parse().unwrap();
    let second = first + SignedDuration::from_hours(1);
    for start in [first, second] {
        salon.book(vec![by(CUT, ANA)], start).await.unwrap();
        salon.book_as(salon.agent(booking(vec![by(CUT, ANA)], start))).await.unwrap_err();
    }
    let offered = offered(&salon, "Europe/London", "2026-10-25").await;
    assert_eq!(offered[4..8], ["01:00 BST", "01:00 GMT", "02:00 GMT", "02:15 GMT"]);
    assert_eq!(salon.overlaps().await, 0);
}
