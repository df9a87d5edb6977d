use proptest::{collection::vec, prelude::*};

use super::*;

const DENTIST: &str = "UID:dentist\r\nDTSTART:20260601T100000Z\r\nDTEND:20260601T110000Z\r\nSUMMARY:Dentist";

fn london() -> TimeZone {
    TimeZone::get("Europe/London").unwrap()
}

fn now() -> Timestamp {
    "2026-06-01T08:00:00Z".parse().unwrap()
}

fn event(lines: &str) -> String {
    format!("BEGIN:VEVENT\r\nDTSTAMP:20260501T000000Z\r\n{lines}\r\nEND:VEVENT\r\n")
}

fn file(inside: &str) -> String {
    format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test\r\n{inside}END:VCALENDAR\r\n")
}

fn parsed(inside: &str) -> Collection {
    Collection::parse(&file(inside)).unwrap()
}

fn changes(inside: &str) -> Vec<Change> {
    parsed(inside).changes(&london(), Horizon::around(now()), now()).unwrap()
}

/// "id: title from" of each event, and "id: reason" of what can't be read.
fn said(inside: &str) -> Vec<String> {
    let of = |change: Change| match change.content {
        Content::Instances(events) => events
            .into_iter()
            .map(|event| format!("{}: {} {}", event.id, event.title, event.span.starts()))
            .collect(),
        Content::Unreadable(reason) => vec![format!("{}: {reason}", change.id)],
        Content::Event(_) => vec![],
    };
    changes(inside).into_iter().flat_map(of).collect()
}

#[test]
fn each_uid_is_an_object_with_its_exceptions() {
    let yoga = event(
        "UID:yoga\r\nDTSTART:20260601T180000\r\nDTEND:20260601T190000\r\nRRULE:FREQ=WEEKLY;COUNT=2\r\nSUMMARY:Yoga",
    );
    let moved = event(
        "UID:yoga\r\nRECURRENCE-ID:20260608T180000\r\nDTSTART:20260609T180000\r\nDTEND:20260609T190000\r\nSUMMARY:Yoga",
    );
    // An exception may come first, and far from its series.
    assert_eq!(
        said(&format!("{moved}{}{yoga}", event(DENTIST))),
        [
            "dentist: Dentist 2026-06-01T10:00:00Z",
            "yoga#20260601T170000Z: Yoga 2026-06-01T17:00:00Z",
            "yoga#20260608T170000Z: Yoga 2026-06-09T17:00:00Z",
        ]
    );
}

#[test]
fn zones_tasks_and_alarms_are_no_events_and_lines_may_be_folded() {
    let zone = "BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nX-WR-CALNAME:No\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n";
    let task =
        "BEGIN:VTODO\r\nUID:task\r\nBEGIN:VALARM\r\nEND:VALARM\r\nDUE:20260601T100000Z\r\nEND:VTODO\r\n";
    let alarmed =
        event(&format!("{DENTIST}\r\n at last\r\nBEGIN:VALARM\r\nUID:alarm\r\nSUMMARY:No\r\nEND:VALARM"));
    let inside = format!("X-WR-CALNAME:Mia\r\n{zone}{task}{alarmed}");
    assert_eq!(said(&inside), ["dentist: Dentistat last 2026-06-01T10:00:00Z"]);
    assert_eq!(parsed(&inside).name.as_deref(), Some("Mia"));
    assert_eq!(parsed("NAME;LANGUAGE=en:Mia\r\n").name.as_deref(), Some("Mia"));
}

#[test]
fn one_that_cannot_be_read_costs_no_other() {
    let poisons = [
        ("UID:bad\r\nDTSTART:Tuesday", "bad: has an invalid time: Tuesday"),
        ("UID:bad\r\nthis is no property\r\nDTSTART:20260601T100000Z", "bad: has a line that is no property"),
        ("UID:bad\r\nDTSTART:20260601T100000Z\r\nRRULE:FREQ=SECONDLY", "bad: "),
        (
            "UID:bad\r\nDTSTART;TZID=Nowhere:20260601T100000",
            "bad: names a time zone that is not known: Nowhere",
        ),
        ("UID:bad\r\nSUMMARY:\0\0No start", "bad: has no start"),
    ];
    for (poison, expected) in poisons {
        let said = said(&format!("{}{}", event(poison), event(DENTIST)));
        assert!(said[0].starts_with(expected), "{said:?}");
        assert_eq!(said[1..], ["dentist: Dentist 2026-06-01T10:00:00Z"]);
    }
    let open = format!("BEGIN:VEVENT\r\nUID:bad\r\nDTSTART:20260601T100000Z\r\n{}", event(DENTIST));
    assert_eq!(said(&open), ["bad: has no end", "dentist: Dentist 2026-06-01T10:00:00Z"]);
    let last = format!("{}BEGIN:VEVENT\r\nUID:last\r\nDTSTART:20260601T100000Z\r\n", event(DENTIST));
    assert_eq!(said(&last), ["dentist: Dentist 2026-06-01T10:00:00Z", "last: has no end"]);
}

#[test]
fn free_and_busy_times_are_no_events() {
    let times = "BEGIN:VFREEBUSY\r\nFREEBUSY:20260601T100000Z/PT1H\r\nEND:VFREEBUSY\r\n";
    assert!(parsed(times).is_free_busy() && changes(times).is_empty());
    assert!(!parsed(&format!("{times}{}", event(DENTIST))).is_free_busy());
    assert!(!parsed("").is_free_busy());
}

#[test]
fn an_event_without_a_name_is_known_by_what_it_says() {
    let anonymous = "DTSTART:20260601T100000Z\r\nDTEND:20260601T110000Z\r\nSUMMARY:Dentist";
    let [one, again] = ["20260501T000000Z", "20260502T000000Z"]
        .map(|stamp| changes(&format!("BEGIN:VEVENT\r\nDTSTAMP:{stamp}\r\n{anonymous}\r\nEND:VEVENT\r\n")));
    assert_eq!((one.len(), &one), (1, &again));
    assert_ne!(one[0].id, changes(&event(&anonymous.replace("Dentist", "Bank")))[0].id);
}

#[test]
fn what_is_no_whole_calendar_says_nothing_of_what_it_lacks() {
    let refused = |text: &str| Collection::parse(text).unwrap_err().to_string();
    for page in ["", "<!doctype html><title>Sign in</title>", "{}", &event(DENTIST)] {
        assert_eq!(refused(page), "is no calendar", "{page}");
    }
    let whole = file(&event(DENTIST));
    for cut in [16, 40, whole.len() - 20] {
        assert_eq!(refused(&whole[..cut]), "breaks off before its end");
    }
    assert_eq!(changes(""), []);
}

#[test]
fn the_digest_tells_what_changed_from_what_was_written_anew() {
    let before = parsed(&event(DENTIST)).digest();
    let written_anew = event(DENTIST).replace("20260501T000000Z", "20260601T080000Z");
    assert_eq!(parsed(&format!("X-PUBLISHED-TTL:PT1H\r\n{written_anew}")).digest(), before);
    assert_ne!(parsed(&event(&DENTIST.replace("T10", "T09"))).digest(), before);
    assert_ne!(parsed("").digest(), before);
}

#[test]
fn what_lies_beyond_the_horizon_is_left_out_and_more_than_can_be_kept_is_refused() {
    assert_eq!(changes(&event("UID:old\r\nDTSTART:20200601T100000Z\r\nDTEND:20200601T110000Z")), []);
    let daily = |n: u32| format!("UID:{n}\r\nDTSTART:20260501T100000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY");
    let many: String = (0..130).map(|n| event(&daily(n))).collect();
    let refused = parsed(&many).changes(&london(), Horizon::around(now()), now()).unwrap_err();
    assert_eq!(refused.to_string(), "has more than 50000 events in a year");
}

#[test]
fn series_that_are_too_long_together_are_put_aside_and_cost_no_single_event() {
    // Each ends before the horizon, after a walk of 25 years.
    let long = |n: u32| {
        let rule = "FREQ=YEARLY;COUNT=9000;BYDAY=MO,TU,WE,TH,FR,SA,SU";
        event(&format!("UID:long-{n}\r\nDTSTART:20000101T100000Z\r\nDURATION:PT1H\r\nRRULE:{rule}"))
    };
    let never = |n: u32| {
        let rule = "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30";
        event(&format!("UID:never-{n}\r\nDTSTART:20000101T100000Z\r\nDURATION:PT1H\r\nRRULE:{rule}"))
    };
    let series: String = (0..5).map(long).chain((0..5).map(never)).collect();
    let file = parsed(&format!("{series}{}{}", event(DENTIST), event(&DENTIST.replace("dentist", "zoo"))));
    let read = |steps| file.within(&london(), Horizon::around(now()), now(), &Budget::new(steps)).unwrap();
    let named = |changes: &[Change], readable: bool| -> Vec<String> {
        let is_readable = |change: &&Change| matches!(change.content, Content::Instances(_)) == readable;
        changes.iter().filter(is_readable).map(|change| change.id.0.clone()).collect()
    };
    let all = read(1_000_000);
    assert_eq!((named(&all, true), named(&all, false)), (vec!["dentist".into(), "zoo".into()], vec![]));
    let some = read(20_000);
    assert_eq!(named(&some, true), ["dentist", "zoo"]);
    assert_eq!(
        named(&some, false),
        ["long-2", "long-3", "long-4", "never-0", "never-1", "never-2", "never-3", "never-4"]
    );
}

#[test]
fn an_object_that_is_too_long_is_put_aside_alone_and_a_file_that_is_is_not_read() {
    let long = event(&format!("UID:long\r\nDTSTART:20260601T100000Z\r\n{}", "a:\r\n".repeat(100_000)));
    assert_eq!(
        said(&format!("{long}{}", event(DENTIST))),
        ["dentist: Dentist 2026-06-01T10:00:00Z", "long: has more than 20,000 lines"]
    );
    let refusal = |inside: &str| Collection::parse(&file(inside)).unwrap_err().to_string();
    assert_eq!(refusal(&event(&"a:\n".repeat(500_000))), "has more than 500,000 lines");
    let many: String = (0..50_001).map(|n| format!("BEGIN:VEVENT\nUID:{n}\nEND:VEVENT\n")).collect();
    assert_eq!(refusal(&many), "has more than 50,000 events");
}

#[test]
fn what_series_say_together_has_an_end() {
    let wordy = |n: u32| {
        let (id, title) = (format!("{n}").repeat(800), "é".repeat(1_000));
        event(&format!(
            "UID:{id}\r\nDTSTART:20260501T100000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY\r\nSUMMARY:{title}"
        ))
    };
    let many: String = (1..60).map(wordy).collect();
    let refused = parsed(&many).changes(&london(), Horizon::around(now()), now()).unwrap_err();
    assert_eq!(refused.to_string(), "says more than can be read");
}

proptest! {
    /// Lines of any kind, in any order: each sound event between them is read, whatever the others are.
    #[test]
    fn sound_events_are_read_whatever_is_around_them(parts in vec(prop_oneof![
        Just(None),
        "[ -~\u{e9}\t]{0,30}".prop_map(Some),
        prop::sample::select(vec![
            "BEGIN:VALARM", "END:VALARM", "BEGIN:VEVENT", "END:VEVENT", "BEGIN:X", "END:X", "BEGIN:VCALENDAR", "END:VCALENDAR",
            "UID:odd", "DTSTART:x", "DTSTART:20260601T100000Z", "RRULE:FREQ=DAILY",
        ])
        .prop_map(|line| Some(line.to_owned())),
    ], 0..30)) {
        let line = |(n, part): (usize, &Option<String>)| match part {
            None => event(&DENTIST.replace("UID:dentist", &format!("UID:sound-{n}"))),
            // One that begins with a space goes on with the line before.
            Some(line) => format!("{}\r\n", line.trim_start()),
        };
        let read = changes(&parts.iter().enumerate().map(line).collect::<String>());
        let found = read.iter().filter(|change| {
            change.id.0.starts_with("sound-")
                && matches!(&change.content, Content::Instances(events) if events.len() == 1)
        });
        prop_assert_eq!(found.count(), parts.iter().filter(|part| part.is_none()).count());
    }
}
