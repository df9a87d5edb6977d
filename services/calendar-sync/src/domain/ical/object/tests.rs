use super::*;

fn london() -> TimeZone {
    TimeZone::get("Europe/London").unwrap()
}

fn horizon() -> Horizon {
    Horizon { from: "2026-05-01T00:00:00Z".parse().unwrap(), to: "2027-06-01T00:00:00Z".parse().unwrap() }
}

fn object(events: &[&str]) -> String {
    let events: String = events
        .iter()
        .map(|lines| format!("BEGIN:VEVENT\r\nUID:dentist\r\n{lines}\r\nEND:VEVENT\r\n"))
        .collect();
    format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test\r\n{events}END:VCALENDAR\r\n")
        .replace("\r\n\r\n", "\r\n")
}

fn read_object(text: &str) -> Result<Object, Unread> {
    read(text, &EventId("a.ics".to_owned()), &london(), horizon(), &Budget::default())
}

fn read_events(events: &[&str]) -> Result<Vec<Event>, Unread> {
    read_object(&object(events)).map(|object| object.events)
}

/// "from to" of each, in UTC.
fn spans(events: &[&str]) -> Vec<String> {
    let read = read_events(events).unwrap();
    read.iter().map(|event| format!("{} {}", event.span.starts(), event.span.ends())).collect()
}

#[test]
fn an_event_is_where_its_zone_puts_it() {
    let lines = "DTSTART;TZID=Europe/Berlin:20260601T100000\r\nDTEND;TZID=Europe/Berlin:20260601T113000\r\nSUMMARY:Dentist\\, at last";
    let read = read_events(&[lines]).unwrap();
    assert_eq!(read[0].id, EventId("a.ics".to_owned()));
    assert_eq!(read[0].title, "Dentist, at last");
    assert_eq!(spans(&[lines]), ["2026-06-01T08:00:00Z 2026-06-01T09:30:00Z"]);
}

#[test]
fn days_and_floating_times_are_the_salons() {
    assert_eq!(
        spans(&["DTSTART;VALUE=DATE:20261024\r\nDTEND;VALUE=DATE:20261026"]),
        // Two days, of which the second has 25 hours.
        ["2026-10-23T23:00:00Z 2026-10-26T00:00:00Z"]
    );
    assert_eq!(spans(&["DTSTART;VALUE=DATE:20260601"]), ["2026-05-31T23:00:00Z 2026-06-01T23:00:00Z"]);
    assert_eq!(
        spans(&["DTSTART:20260601T090000\r\nDURATION:PT45M"]),
        ["2026-06-01T08:00:00Z 2026-06-01T08:45:00Z"]
    );
}

#[test]
fn what_is_transparent_or_cancelled_or_takes_no_time_keeps_no_one_busy() {
    let at = "DTSTART:20260601T100000Z\r\nDTEND:20260601T110000Z";
    for more in ["TRANSP:TRANSPARENT", "STATUS:CANCELLED"] {
        assert_eq!(read_events(&[&format!("{at}\r\n{more}")]).unwrap(), []);
    }
    assert_eq!(read_events(&["DTSTART:20260601T100000Z"]).unwrap(), []);
    assert_eq!(read_events(&[&format!("{at}\r\nTRANSP:OPAQUE\r\nSTATUS:TENTATIVE")]).unwrap().len(), 1);
}

#[test]
fn a_series_keeps_its_time_of_day_over_a_clock_change() {
    let weekly = "DTSTART;TZID=Europe/London:20261019T090000\r\nDTEND;TZID=Europe/London:20261019T100000\r\nRRULE:FREQ=WEEKLY;COUNT=2";
    assert_eq!(
        spans(&[weekly]),
        ["2026-10-19T08:00:00Z 2026-10-19T09:00:00Z", "2026-10-26T09:00:00Z 2026-10-26T10:00:00Z"]
    );
}

#[test]
fn exceptions_move_cancel_and_leave_out_instances() {
    let series = "DTSTART:20260601T090000Z\r\nDTEND:20260601T100000Z\r\nRRULE:FREQ=DAILY;UNTIL=20260605T090000Z\r\nEXDATE:20260602T090000Z";
    let moved = "RECURRENCE-ID:20260603T090000Z\r\nDTSTART:20260603T140000Z\r\nDTEND:20260603T150000Z";
    let cancelled = "RECURRENCE-ID:20260604T090000Z\r\nDTSTART:20260604T090000Z\r\nDTEND:20260604T100000Z\r\nSTATUS:CANCELLED";
    assert_eq!(
        spans(&[series, moved, cancelled]),
        [
            "2026-06-01T09:00:00Z 2026-06-01T10:00:00Z",
            "2026-06-03T14:00:00Z 2026-06-03T15:00:00Z",
            "2026-06-05T09:00:00Z 2026-06-05T10:00:00Z"
        ]
    );
    let read = read_events(&[series, moved]).unwrap();
    let ids: Vec<&str> = read.iter().map(|event| event.id.0.as_str()).collect();
    assert_eq!(ids[1], "a.ics#20260603T090000Z", "a moved instance keeps its id");
}

#[test]
fn events_that_share_a_uid_each_keep_their_time() {
    let at = |hour: u8| format!("DTSTART:20260601T{hour:02}0000Z\r\nDURATION:PT1H");
    let daily = format!("{}\r\nRRULE:FREQ=DAILY;COUNT=2", at(16));
    let longer = "DTSTART:20260601T090000Z\r\nDURATION:PT3H";
    let read = read_events(&[&at(14), longer, &at(9), &daily]).unwrap();
    let read: Vec<String> = read.iter().map(|event| format!("{} {}", event.id, event.span.ends())).collect();
    assert_eq!(
        read,
        [
            "a.ics#20260601T090000Z 2026-06-01T12:00:00Z",
            "a.ics#20260601T140000Z 2026-06-01T15:00:00Z",
            "a.ics#20260601T160000Z 2026-06-01T17:00:00Z",
            "a.ics#20260602T160000Z 2026-06-02T17:00:00Z",
        ]
    );
}

#[test]
fn dates_are_added_to_a_series_and_an_invitation_may_come_without_one() {
    let series =
        "DTSTART:20260601T090000Z\r\nDTEND:20260601T100000Z\r\nRDATE:20260610T090000Z,20260611T090000Z";
    assert_eq!(read_events(&[series]).unwrap().len(), 3);
    let alone = "RECURRENCE-ID:20260603T090000Z\r\nDTSTART:20260603T140000Z\r\nDTEND:20260603T150000Z";
    assert_eq!(spans(&[alone]), ["2026-06-03T14:00:00Z 2026-06-03T15:00:00Z"]);
}

#[test]
fn a_series_without_end_is_read_up_to_the_horizon() {
    let daily = "DTSTART;VALUE=DATE:20100101\r\nRRULE:FREQ=DAILY";
    let read = read_events(&[daily]).unwrap();
    assert_eq!(read.len(), 397, "the first of May to the first of June of the year after");
    let old = "DTSTART:20200601T090000Z\r\nDTEND:20200601T100000Z";
    assert_eq!(read_events(&[old]).unwrap(), []);
}

#[test]
fn our_mark_counts_only_with_its_own_uid() {
    let at = "DTSTART:20260601T100000Z\r\nDTEND:20260601T110000Z";
    let appointment = Uuid::from_u128(7);
    let own = EventId::hashed("ours");
    let marked = |uid: &str, named: &str| {
        let event = object(&[&format!("{at}\r\n{MARK}:{named} {appointment}")]);
        read_object(&event.replace("UID:dentist", &format!("UID:{uid}"))).unwrap().events.remove(0)
    };
    let ours = marked(&own.0, &own.0);
    assert_eq!((ours.id, ours.appointment), (own.clone(), Some(AppointmentId(appointment))));
    let long = "x".repeat(100_000);
    let (own, long) = (own.0.as_str(), long.as_str());
    for (uid, named) in [("dentist", own), (own, "dentist"), ("dentist", "dentist"), (long, long)] {
        let theirs = marked(uid, named);
        assert_eq!(
            (theirs.id, theirs.appointment),
            (EventId("a.ics".to_owned()), None),
            "{uid:.40} {named:.40}"
        );
    }
}

#[test]
fn what_can_not_be_read_says_why() {
    let at = "DTSTART:20260601T100000Z\r\nDTEND:20260601T110000Z";
    let reason = |events: &[&str]| read_events(events).unwrap_err().0;
    assert!(reason(&["SUMMARY:Never"]).contains("no start"));
    assert!(reason(&["DTSTART;TZID=Atlantis:20260601T100000"]).contains("Atlantis"));
    assert!(reason(&[&format!("{at}\r\nRRULE:FREQ=HOURLY")]).contains("FREQ=HOURLY"));
    assert!(reason(&[&format!("{at}\r\nRRULE:FREQ=DAILY;BYMONTHDAY=77")]).contains("77"));
    let later = format!("RECURRENCE-ID;RANGE=THISANDFUTURE:20260601T100000Z\r\n{at}");
    assert!(reason(&[&later]).contains("later instances"));
    let garbled = read_object("hello").map(|object| object.events);
    assert_eq!(garbled.unwrap_or_default(), []);
}

#[test]
fn what_was_written_reads_as_it_was() {
    let event = Event {
        id: EventId("0123456789abcdef0123456789abcdef".to_owned()),
        title:
            "Cut; colour, wash – Zoë Ångström, who always comes a little late and brings her dog\nwith her"
                .to_owned(),
        span: Span::new("2026-06-01T10:00:00Z".parse().unwrap(), "2026-06-01T11:00:00Z".parse().unwrap())
            .unwrap(),
        appointment: Some(AppointmentId(Uuid::from_u128(9))),
    };
    let text = super::super::write(&event, "2026-05-01T08:00:00Z".parse().unwrap());
    assert!(text.lines().all(|line| line.len() <= 75), "{text}");
    let back = read_object(&text).unwrap();
    assert_eq!(back.events, [event]);
    assert_eq!(back.changed_at, Some("2026-05-01T08:00:00Z".parse().unwrap()));
}

#[test]
fn what_would_take_more_memory_than_there_is_is_not_read() {
    let at = "DTSTART:20260601T100000Z\r\nDTEND:20260601T110000Z";
    let long = format!("{at}\r\n{}", "a:\r\n".repeat(100_000));
    assert_eq!(read_events(&[&long]).unwrap_err().to_string(), "has more than 20,000 lines");
    let deep = "BEGIN:VALARM\r\n".repeat(9_000) + &"END:VALARM\r\n".repeat(9_000);
    let deep = read_events(&[&format!("{at}\r\n{deep}")]).unwrap_err();
    assert_eq!(deep.to_string(), "is nested too deeply");
    let attached = format!("{at}\r\nATTACH;ENCODING=BASE64;VALUE=BINARY:{}", "A".repeat(3 << 20));
    assert_eq!(read_events(&[&attached]).unwrap().len(), 1);
}

#[test]
fn a_series_repeats_no_more_of_its_title_than_is_shown() {
    let long = format!(
        "DTSTART:20260601T100000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY\r\nSUMMARY:{}",
        "é".repeat(500_000)
    );
    let read = read_events(&[&long]).unwrap();
    assert!(read.len() > 300);
    assert!(read.iter().all(|event| event.title.chars().count() == 1_000));
}

/// How many starts of a series are held at once.
fn held(lines: &str) -> Result<usize, Unread> {
    let text = object(&[lines]);
    let calendar = read_calendar(&text).unwrap();
    let event = &calendar.components[0];
    let (own, budget) = (london(), Budget::default());
    let reader = Reader { id: &EventId("a.ics".to_owned()), own: &own, horizon: horizon(), budget: &budget };
    let start = reader.start(event)?;
    let length = reader.length(event, &start)?;
    reader.starts(event, &all(event, "RRULE"), &start, length).map(|starts| starts.len())
}

#[test]
fn of_a_counted_series_from_the_year_1_only_what_is_near_is_held() {
    let ancient = "DTSTART:00010101T100000Z\r\nDURATION:PT1H\r\n";
    let daily = format!("{ancient}RRULE:FREQ=YEARLY;COUNT=4000000;BYDAY=MO,TU,WE,TH,FR,SA,SU");
    assert_eq!(read_events(&[&daily]).unwrap().len(), 396);
    let near = held(&daily).unwrap();
    assert!((396..=430).contains(&near), "{near}");
    let dates: String =
        (0..20_001).map(|n| format!("{:04}0601T{:02}{:02}00Z,", 1 + n % 2_000, n % 24, n % 60)).collect();
    let dated = format!("{ancient}RDATE:{dates}20260601T100000Z");
    assert_eq!((held(&dated).unwrap(), read_events(&[&dated]).unwrap().len()), (1, 1));
}

#[test]
fn a_counted_series_begins_before_the_horizon_and_counts_from_its_start() {
    let weekly = "DTSTART:20260101T100000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;COUNT=19";
    assert_eq!(spans(&[weekly]), ["2026-05-07T10:00:00Z 2026-05-07T11:00:00Z"]);
    let moved = "RECURRENCE-ID:20260101T100000Z\r\nDTSTART:20260602T100000Z\r\nDURATION:PT1H";
    assert_eq!(spans(&[weekly, moved]).len(), 2, "an instance long before that was moved");
    let long = "DTSTART:20250601T100000Z\r\nDURATION:P340D\r\nRRULE:FREQ=YEARLY;COUNT=2";
    assert_eq!(spans(&[long])[0], "2025-06-01T10:00:00Z 2026-05-07T10:00:00Z");
}

#[test]
fn more_long_instances_than_anyone_has_are_put_aside() {
    let long =
        |count: u32| format!("DTSTART:19700101T100000Z\r\nDURATION:P60D\r\nRRULE:FREQ=DAILY;COUNT={count}");
    assert_eq!(held(&long(20_000)), Ok(20_000));
    assert_eq!(held(&long(20_001)).unwrap_err().to_string(), "has more than 20,000 dates");
}
