//! One business at the database never meets another.

use testkit::{
    Ageless, Unnoted, check_keys, check_lives, check_noted,
    isolation::{App, FOREIGN_KEY_VIOLATION, Isolation},
};

use crate::{
    salon::{CALENDAR, MIA, OTHER, SALON, Salon, visit},
    shortfalls::unreadable,
};

/// Every table with a business.
const TABLES: [&str; 27] = [
    "idempotency_key",
    "ics_calendar",
    "google_calendar",
    "google_channel",
    "provider_appointment",
    "provider_calendar",
    "provider_connection",
    "provider_record",
    "provider_run",
    "consistency_check",
    "business",
    "caldav_calendar",
    "data_key",
    "sync_history",
    "unread_entry",
    "booked_part",
    "calendar",
    "calendar_cleanup",
    "calendar_feed",
    "calendar_write",
    "change_entry",
    "demo_calendar",
    "demo_event",
    "employee",
    "event_shortfall",
    "sync_state",
    "told_event",
];

/// What a calendar on a server leaves behind.
const CALDAV: &str = "
    INSERT INTO business VALUES (:salon, 'Europe/London');
    INSERT INTO data_key VALUES (:salon, :calendar, 'first', 'x', '2026-06-01');
    INSERT INTO caldav_calendar VALUES (:salon, :calendar, 'https://example.com/', 'mia', :calendar, 'x', '2026-06-01');
    INSERT INTO ics_calendar VALUES (:salon, :calendar, 'example.com', :calendar, 'x', '2026-06-01');
    INSERT INTO calendar_cleanup VALUES (:salon, :calendar, '2026-06-01', 3, NULL);
    INSERT INTO consistency_check VALUES (:salon, '2026-06-01', '2026-06-01', '2026-06-02', 0, 0, 0, 'x');
    INSERT INTO provider_connection VALUES (:salon, :calendar, 'DEMO', 'Before', :calendar, 'x', '2026-06-01', '2026-06-01');
    INSERT INTO provider_record VALUES (:salon, :calendar, 'EMPLOYEE', 'P1', 'Mia');
    INSERT INTO provider_calendar VALUES (:salon, :calendar, :calendar, 'P1');
    INSERT INTO provider_appointment VALUES (:salon, :calendar, 'e', :calendar, :calendar, 'A1');
    INSERT INTO provider_run VALUES (:salon, :calendar, :calendar, false, 'RUNNING', '2026-06-01', NULL, 0, 3);
    INSERT INTO google_calendar VALUES (:salon, :calendar, :calendar, 'mia@example.com', 'primary', '2026-06-01');
    INSERT INTO google_channel VALUES (:salon, :calendar, :calendar, 'r', 'x', '2026-06-01', '2026-06-02');
    INSERT INTO calendar_feed VALUES (:salon, :calendar, 'x', false, '2026-06-01');
    INSERT INTO idempotency_key VALUES (:salon, 'user:mia', 'Connect', 'k1', 'x', 'x', '2026-06-02');
    INSERT INTO unread_entry VALUES (:salon, :calendar, 'a.ics', 'has no start', '2026-06-01');";

/// A salon with a row in every tenant table of its own.
async fn busy_salon() -> Salon {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 9, 30)])).await;
    salon.put("dentist", 9).await.unwrap();
    salon.scheduling.fall_short("riddle", unreadable());
    salon.put("riddle", 11).await.unwrap();
    salon.until(async || salon.calendar().await.shortfall_count == 1).await;
    let quoted = |sql: &str| {
        sql.replace(":salon", &format!("'{SALON}'")).replace(":calendar", &format!("'{CALENDAR}'"))
    };
    salon.meddle(&quoted(CALDAV)).await;
    salon
}

#[tokio::test]
async fn no_business_meets_another() {
    let salon = busy_salon().await;
    let isolation = Isolation {
        database: &salon.database,
        tables: &TABLES,
        without_business: &["consent", "consent_request", "google_grant"],
        full: SALON,
        other: OTHER,
    };
    isolation.check().await;
}

#[tokio::test]
async fn every_key_begins_with_the_business() {
    let salon = Salon::with_calendar().await;
    check_keys(&salon.database, &[]).await;
}

const UNNOTED: [Unnoted; 4] = [
    (
        "noted with the calendar or the connection that they belong to",
        &["demo_calendar", "google_calendar", "google_channel", "provider_calendar"],
    ),
    (
        "records of other services, and entries of calendars",
        &[
            "booked_part",
            "business",
            "demo_event",
            "employee",
            "provider_appointment",
            "told_event",
            "unread_entry",
        ],
    ),
    (
        "kept by workers for themselves",
        &[
            "calendar_cleanup",
            "calendar_write",
            "consistency_check",
            "event_shortfall",
            "provider_run",
            "sync_history",
            "sync_state",
        ],
    ),
    ("no record of the business", &["data_key"]),
];

#[tokio::test]
async fn changes_of_every_record_are_noted() {
    let salon = Salon::with_calendar().await;
    check_noted(&salon.database, &UNNOTED).await;
}

/// Tables whose rows stay however old they are.
const AGELESS: [Ageless; 3] = [
    (
        "connections, and what belongs to each",
        &[
            "caldav_calendar",
            "calendar",
            "calendar_cleanup",
            "calendar_feed",
            "data_key",
            "demo_calendar",
            "google_calendar",
            "google_channel",
            "ics_calendar",
            "provider_calendar",
            "provider_connection",
        ],
    ),
    (
        "what calendars and booking systems have",
        &[
            "booked_part",
            "calendar_write",
            "consistency_check",
            "demo_event",
            "event_shortfall",
            "provider_appointment",
            "provider_record",
            "sync_state",
            "told_event",
            "unread_entry",
        ],
    ),
    ("other services' records", &["business", "employee"]),
];

#[tokio::test]
async fn how_long_rows_are_kept_is_decided_of_every_table() {
    let salon = Salon::with_calendar().await;
    check_lives(&salon.database, calendar_sync::retention::KEPT, &AGELESS).await;
}

#[tokio::test]
async fn a_row_cannot_point_at_one_of_another_business() {
    let salon = busy_salon().await;
    let mut app = App::connect(&salon.database).await;
    let references = [
        format!("INSERT INTO told_event VALUES ('{OTHER}', '{CALENDAR}', 'x')"),
        format!(
            "INSERT INTO sync_state (business_id, calendar_id, due_at) VALUES ('{OTHER}', '{CALENDAR}', '2026-06-01')"
        ),
        format!("INSERT INTO demo_calendar VALUES ('{OTHER}', '{CALENDAR}')"),
        format!(
            "INSERT INTO google_calendar VALUES ('{OTHER}', '{CALENDAR}', '{CALENDAR}', 'a', 'b', '2026-06-01')"
        ),
        format!(
            "INSERT INTO google_channel VALUES ('{OTHER}', '{CALENDAR}', '{CALENDAR}', 'r', 'x', '2026-06-01', '2026-06-02')"
        ),
        format!(
            "INSERT INTO ics_calendar VALUES ('{OTHER}', '{CALENDAR}', 'h', '{CALENDAR}', 'x', '2026-06-01')"
        ),
        format!("INSERT INTO calendar_cleanup VALUES ('{OTHER}', '{CALENDAR}', '2026-06-01', 3, NULL)"),
        format!("INSERT INTO unread_entry VALUES ('{OTHER}', '{CALENDAR}', 'a', 'b', '2026-06-01')"),
        format!(
            "INSERT INTO sync_history VALUES ('{OTHER}', '{CALENDAR}', '{CALENDAR}', '{CALENDAR}', '2026-06-01', 'WRITTEN')"
        ),
    ];
    for reference in references {
        assert_eq!(app.refused(OTHER, &reference).await, FOREIGN_KEY_VIOLATION);
    }
}
