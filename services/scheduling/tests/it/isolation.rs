//! What Postgres itself refuses, whatever the service's code does. The tables are
//! enumerated, so that a new one is under test from its migration on.

use caller::BusinessId;
use sqlx::AssertSqlSafe;
use testkit::{
    Ageless, Unnoted, check_keys, check_lives, check_noted,
    isolation::{App, FOREIGN_KEY_VIOLATION, INSUFFICIENT_PRIVILEGE, Isolation},
};

use crate::{
    moving,
    salon::{ANA, COLOUR, CUT, OTHER, Salon, WILLOW, booking, by, fact, local, with_key},
};

/// Every table with a business.
const TABLES: [&str; 42] = [
    "appointment",
    "appointment_export",
    "appointment_item",
    "audit",
    "block",
    "business_day",
    "business_settings",
    "busy_fact",
    "busy_source",
    "change_entry",
    "conflict",
    "customer",
    "day_hours",
    "dependency",
    "employee",
    "hold",
    "hold_item",
    "idempotency_key",
    "ledger",
    "opening_exception",
    "opening_hours",
    "pairing",
    "place_change",
    "proposal",
    "proposal_line",
    "resource",
    "schedule_version",
    "series",
    "service",
    "service_employee",
    "service_segment",
    "state_change",
    "stranded_contact",
    "time_off",
    "undoable_change",
    "unmatched_phrase",
    "unmet_demand",
    "visit_edit",
    "waitlist_entry",
    "waitlist_item",
    "weekly_pattern",
    "weekly_schedule",
];

/// Willow with a row in every tenant table, and the same rows again in the other business.
async fn full() -> Salon {
    let salon = Salon::open().await;
    let tuesday = |time| local("2026-06-02", time);
    let request = booking(vec![by(CUT, ANA)], tuesday("09:00"));
    let booked = salon.book_as(with_key(salon.agent(request), "k1")).await.unwrap();
    moving::send(&salon, moving::request(&booked.id, tuesday("09:00"))).await.unwrap();
    salon.hold(vec![by(CUT, ANA)], tuesday("10:00")).await.unwrap();
    salon
        .import(vec![
            fact("a", tuesday("09:00"), tuesday("09:30")),
            fact("b", tuesday("12:00"), tuesday("13:00")),
        ])
        .await
        .unwrap();
    let mut superuser = salon.superuser().await;
    // Filled by followers.
    sqlx::raw_sql(AssertSqlSafe(format!(
        "INSERT INTO customer VALUES ('{WILLOW}', '{ANA}', 'Mia', '');
         INSERT INTO opening_exception VALUES ('{WILLOW}', '{ANA}', '2026-12-25', '2026-12-26', '{{}}', '{{}}', '');
         INSERT INTO appointment_export VALUES ('{WILLOW}', '{ANA}', '2026-06-01', '2026-06-02', 'user:1', '2026-06-01',
            '2026-06-02');
         INSERT INTO resource VALUES ('{WILLOW}', '{ANA}', 'Window', 'chair');
         INSERT INTO dependency VALUES ('{WILLOW}', '{ANA}', '{CUT}', '{COLOUR}', 'PARALLEL');
         INSERT INTO day_hours VALUES ('{WILLOW}', '{ANA}', '2026-06-03', '{{540}}', '{{600}}');
         INSERT INTO time_off VALUES ('{WILLOW}', '{ANA}', '{ANA}', 'HOLIDAY', '', '2026-07-01', '2026-07-02',
            NULL, NULL, 'REQUESTED', 'user:1', '2026-06-01', NULL, NULL, NULL, 1);
         INSERT INTO busy_source VALUES ('{WILLOW}', '{ANA}', '{ANA}', 'DEMO', 'Private', 2, '2026-06-01', NULL, NULL, false,
            '2026-06-01');
         INSERT INTO unmatched_phrase VALUES ('{WILLOW}', '{ANA}', 'dye', 1, '2026-06-01', '2026-06-01', NULL);
         INSERT INTO pairing VALUES ('{WILLOW}', '{ANA}', '{CUT}', '{COLOUR}', '', '2026-06-01');
         INSERT INTO unmet_demand VALUES ('{WILLOW}', '2026-06-01', '{{{CUT}}}', 'ANY', 1);
         INSERT INTO waitlist_entry VALUES ('{WILLOW}', '{ANA}', '{ANA}', '2026-06-02', '2026-06-02', 0, 1440, '',
            '2026-06-01', 'WAITING', NULL, NULL, NULL, NULL, 1);
         INSERT INTO waitlist_item VALUES ('{WILLOW}', '{ANA}', 1, '{CUT}', NULL, NULL, 0);
         INSERT INTO series VALUES ('{WILLOW}', '{ANA}', 'WEEKLY', 1, 2, '2026-06-01', 'user:1');
         INSERT INTO block VALUES ('{WILLOW}', '{ANA}', '{ANA}', 'Lunch', '2026-07-01', '2026-07-02', 'user:1',
            '2026-06-01', NULL, NULL);
         INSERT INTO proposal VALUES ('{WILLOW}', '{ANA}', '2026-06-02', 'OPTIMISATION', NULL, NULL, NULL, NULL, 1, '',
            0, 0, 0, true, 'OPEN', 'user:1', '2026-06-01', NULL, NULL, 1, NULL, 0, 0, 'GBP');
         INSERT INTO proposal_line VALUES ('{WILLOW}', '{ANA}', '{ANA}', 1, 'BOOKING', NULL, '{ANA}', 1, NULL, NULL,
            NULL, '2026-06-02', '2026-06-03', '{{{ANA}}}', NULL, NULL);
         INSERT INTO stranded_contact SELECT business_id, '{ANA}', id, 'TOLD', '', '{{}}', '2026-06-01', 'user:1', NULL
            FROM appointment;
         INSERT INTO visit_edit SELECT business_id, id, 1, 1, 'NOTES', NULL, 0, 0, NULL, false, '2026-06-01', 'user:1'
            FROM appointment;
         INSERT INTO undoable_change VALUES ('{WILLOW}', '{ANA}', '2026-06-01', 'user:1', '{{}}');
"
    )))
    .execute(&mut superuser)
    .await
    .unwrap();
    salon.set_hours(OTHER, crate::salon::weekdays(9, 18)).await;
    salon
}

#[tokio::test]
async fn no_business_meets_another() {
    let salon = full().await;
    let isolation = Isolation {
        database: &salon.database,
        tables: &TABLES,
        without_business: &[],
        full: WILLOW,
        other: OTHER,
    };
    isolation.check().await;
}

#[tokio::test]
async fn a_look_by_itself_sees_one_business_and_leaves_the_connection_with_none() {
    let salon = full().await;
    let mut app = App::connect(&salon.database).await;
    let tuesday = "ARRAY['2026-06-02'::date], ARRAY['2026-06-01 23:00+00'::timestamptz],
        ARRAY['2026-06-02 23:00+00'::timestamptz], ARRAY[-1::bigint], '2026-06-01'::timestamptz";
    let look = |business: BusinessId| format!("SELECT part FROM look_at_days('{business}', {tuesday})");
    for (business, parts) in
        [(WILLOW, vec!["VERSIONS", "TAKEN", "HELD", "SCHEDULE"]), (OTHER, vec!["VERSIONS", "SCHEDULE"])]
    {
        let rows: Vec<String> =
            sqlx::query_scalar(AssertSqlSafe(look(business))).fetch_all(app.connection()).await.unwrap();
        assert_eq!(rows, parts);
        assert_eq!(app.within(None, "SELECT * FROM ledger").await, Ok(0), "after a look at {business}");
    }
}

#[tokio::test]
async fn every_key_begins_with_the_business() {
    let salon = Salon::open().await;
    check_keys(&salon.database, &[]).await;
}

const UNNOTED: [Unnoted; 6] = [
    (
        "keeps what was noted of its record, and who acted",
        &["audit", "ledger", "schedule_version", "state_change"],
    ),
    (
        "noted with the visit, the proposal or the entry that they belong to",
        &["appointment_item", "proposal_line", "waitlist_item"],
    ),
    ("other services' records", &["busy_fact", "busy_source", "customer", "employee"]),
    ("worked out from what is noted", &["business_day", "conflict"]),
    (
        "times held for a call, and requests made in one",
        &["hold", "hold_item", "unmatched_phrase", "unmet_demand"],
    ),
    ("a person's acts in the audit trail", &["stranded_contact", "undoable_change"]),
];

#[tokio::test]
async fn changes_of_every_record_are_noted() {
    let salon = Salon::open().await;
    check_noted(&salon.database, &UNNOTED).await;
}

/// Tables whose rows stay however old they are.
const AGELESS: [Ageless; 5] = [
    (
        "the book, and what it is made by",
        &[
            "appointment",
            "appointment_item",
            "block",
            "business_settings",
            "day_hours",
            "dependency",
            "ledger",
            "opening_exception",
            "opening_hours",
            "pairing",
            "place_change",
            "proposal",
            "proposal_line",
            "resource",
            "series",
            "service",
            "service_employee",
            "service_segment",
            "state_change",
            "stranded_contact",
            "time_off",
            "visit_edit",
            "waitlist_entry",
            "waitlist_item",
            "weekly_pattern",
            "weekly_schedule",
        ],
    ),
    ("other services' records", &["busy_fact", "busy_source", "customer", "employee"]),
    ("worked out from the book", &["business_day", "conflict", "schedule_version"]),
    ("what callers asked for", &["hold", "hold_item", "unmatched_phrase", "unmet_demand"]),
    ("ends with the next change of the business", &["undoable_change"]),
];

#[tokio::test]
async fn how_long_rows_are_kept_is_decided_of_every_table() {
    let salon = Salon::open().await;
    check_lives(&salon.database, scheduling::retention::KEPT, &AGELESS).await;
}

#[tokio::test]
async fn a_row_cannot_point_at_one_of_another_business() {
    let salon = full().await;
    let mut app = App::connect(&salon.database).await;
    let skill = format!("INSERT INTO service_employee VALUES ('{OTHER}', '{CUT}', '{ANA}')");
    assert_eq!(app.refused(OTHER, &skill).await, FOREIGN_KEY_VIOLATION);
}

#[tokio::test]
async fn the_ledger_is_only_added_to_and_closed_and_the_audit_trail_only_added_to() {
    let salon = full().await;
    let mut app = App::connect(&salon.database).await;
    for sql in [
        "DELETE FROM ledger",
        "TRUNCATE ledger",
        "UPDATE ledger SET during = during",
        "UPDATE ledger SET blocking = false",
        "UPDATE ledger SET visit_id = visit_id",
        "UPDATE audit SET actor = 'forged'",
        "DELETE FROM audit",
        "UPDATE change_entry SET actor = 'forged'",
        "DELETE FROM change_entry",
    ] {
        assert_eq!(app.refused(WILLOW, sql).await, INSUFFICIENT_PRIVILEGE, "{sql}");
    }
    let close = "UPDATE ledger SET recorded = tstzrange(lower(recorded), '2027-01-01') WHERE is_open";
    assert!(app.within(Some(WILLOW), close).await.unwrap() > 0);
}

#[tokio::test]
async fn the_ledger_refuses_what_no_code_should_ask_of_it() {
    let salon = full().await;
    let mut app = App::connect(&salon.database).await;
    let row = |kind: &str, visit: &str, span: &str| {
        format!(
            "INSERT INTO ledger (business_id, id, subject_id, visit_id, kind, blocking, during, service_during,
                 expires_at, recorded)
             VALUES ('{WILLOW}', gen_random_uuid(), '{ANA}', '{visit}', '{kind}', true, '{span}', '{span}',
                 NULL, '[2026-06-01,)')"
        )
    };
    let visit = "00000000-0000-0000-0000-00000000000f";
    let free = "[2026-06-02 15:00+01,2026-06-02 16:00+01)";
    assert_eq!(app.within(Some(WILLOW), &row("BOOKING", visit, free)).await, Ok(1));
    let taken = "[2026-06-02 09:29+01,2026-06-02 09:31+01)";
    let check = "23514";
    for (sql, state) in [
        (row("BOOKING", visit, taken), "23P01"),
        (row("BOOKING", visit, "empty"), "23502"),
        (row("BOOKING", visit, "[2026-06-02,)"), "23502"),
        (row("BOOKING", visit, "[2026-06-02,2026-06-04)"), check),
        (row("HOLD", visit, free), check),
        (row("BUSY", visit, free), check),
        (row("BLOCK", visit, free), check),
        (row("BLOCK", "00000000-0000-0000-0000-000000000000", free), check),
        (row("BOOKING", "00000000-0000-0000-0000-000000000000", free), check),
        (row("LUNCH", visit, free), check),
    ] {
        assert_eq!(app.refused(WILLOW, &sql).await, state, "{sql}");
    }
}
