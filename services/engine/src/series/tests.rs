use jiff::civil::date;

use super::*;

fn dates(cadence: Cadence, every: u8, count: u8, first: Date) -> Vec<String> {
    Recurrence { cadence, every, count }.dates(first).map(|date| date.to_string()).collect()
}

fn london() -> TimeZone {
    jiff::tz::db().get("Europe/London").unwrap()
}

fn planned(first: &str, count: u8) -> Vec<Planned> {
    Recurrence { cadence: Cadence::Weekly, every: 1, count }.planned(first.parse().unwrap(), &london())
}

#[test]
fn weeks_follow_on_each_other() {
    let four = dates(Cadence::Weekly, 4, 3, date(2026, 6, 2));
    assert_eq!(four, ["2026-06-02", "2026-06-30", "2026-07-28"]);
}

#[test]
fn a_short_month_has_its_last_day_and_moves_none_after_it() {
    let monthly = dates(Cadence::Monthly, 1, 4, date(2026, 1, 31));
    assert_eq!(monthly, ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]);
}

#[test]
fn the_second_tuesday_stays_it_and_a_fifth_is_the_last() {
    let second = dates(Cadence::MonthlyByWeekday, 1, 3, date(2026, 6, 9));
    assert_eq!(second, ["2026-06-09", "2026-07-14", "2026-08-11"]);
    let fifth = dates(Cadence::MonthlyByWeekday, 2, 3, date(2026, 6, 30));
    assert_eq!(fifth, ["2026-06-30", "2026-08-25", "2026-10-27"]);
}

#[test]
fn the_wall_clock_shows_the_same_time_whatever_the_season() {
    let starts: Vec<_> = planned("2026-10-19T09:00:00Z", 2)
        .iter()
        .map(|planned| planned.starts_at.unwrap().to_string())
        .collect();
    assert_eq!(starts, ["2026-10-19T09:00:00Z", "2026-10-26T10:00:00Z"]);
}

#[test]
fn a_time_that_the_clocks_skip_is_none_and_one_shown_twice_is_the_first() {
    // 01:30 on the Sundays when the clocks go forward, and back.
    assert_eq!(planned("2027-03-21T01:30:00Z", 2)[1].starts_at, None);
    let twice = planned("2026-10-18T00:30:00Z", 2)[1].starts_at.unwrap();
    assert_eq!(twice.to_string(), "2026-10-25T00:30:00Z");
}

#[test]
fn changes_leave_visits_out_or_bring_them_elsewhere() {
    let all = planned("2026-06-02T09:00:00Z", 4);
    let elsewhere = "2026-06-10T09:00:00Z".parse().unwrap();
    let changes = [Change { number: 3, starts_at: None }, Change { number: 2, starts_at: Some(elsewhere) }];
    let kept = changed(&all, &changes).unwrap();
    assert_eq!(kept.iter().map(|one| one.number).collect::<Vec<_>>(), [1, 2, 4]);
    assert_eq!(kept[1].starts_at, Some(elsewhere));
}

#[test]
fn a_wrong_change_is_named() {
    let all = planned("2026-06-02T09:00:00Z", 3);
    let out = |number| Change { number, starts_at: None };
    let to = |number, at: &str| Change { number, starts_at: Some(at.parse().unwrap()) };
    assert_eq!(changed(&all, &[out(4)]), Err(ChangeError::Number(0)));
    assert_eq!(changed(&all, &[out(0)]), Err(ChangeError::Number(0)));
    assert_eq!(changed(&all, &[out(2), out(2)]), Err(ChangeError::Number(1)));
    let behind = [out(3), to(1, "2026-06-09T09:00:00Z")];
    assert_eq!(changed(&all, &behind), Err(ChangeError::Order(1)));
    assert_eq!(changed(&all, &[out(1), out(2), out(3)]), Err(ChangeError::Nothing));
}

#[test]
fn the_rest_is_shifted_by_days_to_another_time_of_day() {
    let at = |text: &str| text.parse::<Timestamp>().unwrap();
    let zone = london();
    let shift = Shift::new(at("2026-10-13T09:00:00Z"), at("2026-10-14T13:30:00Z"), &zone);
    assert_eq!(shift.apply(at("2026-10-13T09:00:00Z")), Some(at("2026-10-14T13:30:00Z")));
    assert_eq!(shift.apply(at("2026-10-20T09:00:00Z")), Some(at("2026-10-21T13:30:00Z")));
    assert_eq!(shift.apply(at("2026-10-27T10:00:00Z")), Some(at("2026-10-28T14:30:00Z")));
    let night = Shift::new(at("2027-03-20T09:00:00Z"), at("2027-03-20T01:30:00Z"), &zone);
    assert_eq!(night.apply(at("2027-03-27T09:00:00Z")), Some(at("2027-03-27T01:30:00Z")));
    assert_eq!(night.apply(at("2027-03-28T08:00:00Z")), None);
}
