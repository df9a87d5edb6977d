use jiff::civil::date;

use super::*;

fn times(start: &str, rule: &str, most: usize) -> Vec<String> {
    let start: DateTime = start.parse().unwrap();
    let rule = Rule::parse(rule, start).unwrap();
    let most = rule.count.map_or(most, |count| most.min(count as usize));
    rule.times(start, start.date(), &Budget::default()).take(most).map(|at| at.date().to_string()).collect()
}

#[test]
fn the_examples_of_the_standard() {
    // RFC 5545, 3.8.5.3, all from 2 September 1997 or the start it names.
    let cases: [(&str, &str, &[&str]); 13] = [
        ("1997-09-02T09:00", "FREQ=DAILY;INTERVAL=10;COUNT=3", &["1997-09-02", "1997-09-12", "1997-09-22"]),
        ("1998-01-01T09:00", "FREQ=DAILY;BYMONTH=1", &["1998-01-01", "1998-01-02", "1998-01-03"]),
        (
            "1997-09-02T09:00",
            "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,TH;COUNT=5",
            &["1997-09-02", "1997-09-04", "1997-09-16", "1997-09-18", "1997-09-30"],
        ),
        (
            "1997-08-05T09:00",
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
            &["1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24"],
        ),
        (
            "1997-08-05T09:00",
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
            &["1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31"],
        ),
        ("1997-09-05T09:00", "FREQ=MONTHLY;COUNT=3;BYDAY=1FR", &["1997-09-05", "1997-10-03", "1997-11-07"]),
        ("1997-09-22T09:00", "FREQ=MONTHLY;COUNT=3;BYDAY=-2MO", &["1997-09-22", "1997-10-20", "1997-11-17"]),
        ("1997-09-28T09:00", "FREQ=MONTHLY;BYMONTHDAY=-3", &["1997-09-28", "1997-10-29", "1997-11-28"]),
        (
            "1998-02-13T09:00",
            "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
            &["1998-02-13", "1998-03-13", "1998-11-13"],
        ),
        (
            "1997-09-04T09:00",
            "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
            &["1997-09-04", "1997-10-07", "1997-11-06"],
        ),
        (
            "1997-06-10T09:00",
            "FREQ=YEARLY;COUNT=4;BYMONTH=6,7",
            &["1997-06-10", "1997-07-10", "1998-06-10", "1998-07-10"],
        ),
        ("1997-05-19T09:00", "FREQ=YEARLY;BYDAY=20MO", &["1997-05-19", "1998-05-18", "1999-05-17"]),
        (
            "1997-03-13T09:00",
            "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
            &["1997-03-13", "1997-03-20", "1997-03-27", "1998-03-05"],
        ),
    ];
    for (start, rule, expected) in cases {
        assert_eq!(times(start, rule, expected.len()), expected, "{rule}");
    }
}

#[test]
fn a_day_that_a_month_has_not_is_left_out() {
    assert_eq!(times("2026-01-31T10:00", "FREQ=MONTHLY", 3), ["2026-01-31", "2026-03-31", "2026-05-31"]);
    assert_eq!(times("2024-02-29T10:00", "FREQ=YEARLY", 2), ["2024-02-29", "2028-02-29"]);
}

#[test]
fn what_was_skipped_is_what_is_before_the_day_of_interest() {
    let start: DateTime = "2015-03-02T09:00".parse().unwrap();
    let interest = date(2026, 6, 1);
    for text in ["FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;BYDAY=MO,FR", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=YEARLY"]
    {
        let rule = Rule::parse(text, start).unwrap();
        let after = |from: Date| -> Vec<DateTime> {
            let budget = Budget::default();
            rule.times(start, from, &budget).filter(|at| at.date() >= interest).take(20).collect()
        };
        assert_eq!(after(interest), after(start.date()), "{text}");
    }
}

#[test]
fn an_unsupported_or_malformed_rule_is_refused_with_its_text() {
    for wrong in [
        "FREQ=HOURLY",
        "FREQ=DAILY;BYHOUR=9,10",
        "FREQ=YEARLY;BYWEEKNO=20",
        "FREQ=YEARLY;BYYEARDAY=1",
        "FREQ=DAILY;BYDAY=1MO",
        "FREQ=WEEKLY;COUNT=0",
        "FREQ=WEEKLY;INTERVAL=0",
        "FREQ=DAILY;COUNT=2;UNTIL=20260101",
        "COUNT=2",
        "weekly",
    ] {
        let refused = Rule::parse(wrong, "2026-06-01T09:00".parse().unwrap()).unwrap_err();
        assert!(refused.0.contains(wrong), "{refused}");
    }
    assert!(Rule::parse("FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "2026-06-01T09:00".parse().unwrap()).is_ok());
}
