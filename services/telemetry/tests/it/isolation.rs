//! One business at the database never meets another.

use testkit::{
    Ageless, Unnoted, check_keys, check_lives, check_noted,
    isolation::{App, FOREIGN_KEY_VIOLATION, Isolation},
};

use crate::{
    call_filters, call_notes, delivered_recordings,
    desk::{Desk, LINE, OTHER, SALON, answered, said, started},
    following, notices,
};

/// Every table with a business.
const TABLES: [&str; 19] = [
    "call",
    "call_export",
    "call_note",
    "call_quarter",
    "call_tally",
    "call_view",
    "call_words",
    "change_entry",
    "customer",
    "deleted_call_note",
    "delivery",
    "figure_change",
    "idempotency_key",
    "notice",
    "product_event",
    "recording",
    "recording_piece",
    "tool_call",
    "turn",
];

/// A desk with a row of the salon in every tenant table.
async fn busy_desk() -> (Desk, String) {
    let desk = Desk::open().await;
    let mut facts = started("platform-1");
    facts.turns = vec![said(proto::frontdesk::telemetry::v1::Speaker::Agent, "Hello")];
    facts.recording_url = "https://files.example/call.wav".to_owned();
    let call = desk.record("event", facts).await.unwrap().call_id;
    delivered_recordings::add(&desk, uuid::Uuid::from_u128(0xD1), 0, b"RIFF").await.unwrap();
    let run = desk.begin("tool").await.unwrap().tool_call_id;
    desk.finish(answered(&run)).await.unwrap();
    call_filters::export_all(&desk, "").await;
    desk.save_view("Missed", "state=ended").await.unwrap();
    notices::told(&desk, "chat", "chat.created").await.unwrap();
    telemetry::update_figures(&desk.app).await.unwrap();
    desk.record("ended", crate::desk::ended("platform-2")).await.unwrap();
    call_notes::keyed(&desk, &call, "k1", "Call her back").await.unwrap();
    let gone = desk.note(&call, "Wrong number").await.unwrap();
    call_notes::delete_own(&desk, &call, &gone.id).await;
    following::follow(&desk, vec![following::customer(1, 1, following::MIA, "Mia", None)]).await;
    (desk, call)
}

#[tokio::test]
async fn no_business_meets_another() {
    let (desk, _) = busy_desk().await;
    let isolation = Isolation {
        database: &desk.database,
        tables: &TABLES,
        without_business: &[],
        full: SALON,
        other: OTHER,
    };
    isolation.check().await;
}

#[tokio::test]
async fn every_key_begins_with_the_business() {
    let desk = Desk::open().await;
    check_keys(&desk.database, &[]).await;
}

const UNNOTED: [Unnoted; 4] = [
    (
        "told by platforms, and not changed by people",
        &["call", "call_words", "delivery", "notice", "recording", "recording_piece", "tool_call", "turn"],
    ),
    ("counted from calls", &["call_quarter", "call_tally", "figure_change"]),
    ("other services' records", &["customer"]),
    ("no record of the business", &["deleted_call_note", "product_event"]),
];

#[tokio::test]
async fn changes_of_every_record_are_noted() {
    let desk = Desk::open().await;
    check_noted(&desk.database, &UNNOTED).await;
}

/// Tables whose rows stay however old they are.
const AGELESS: [Ageless; 3] = [
    (
        "calls, and what is said and counted of them",
        &["call", "call_note", "call_quarter", "call_tally", "call_view", "call_words", "tool_call", "turn"],
    ),
    ("another service's record", &["customer"]),
    ("end by a job of their own", &["figure_change", "product_event", "recording", "recording_piece"]),
];

#[tokio::test]
async fn how_long_rows_are_kept_is_decided_of_every_table() {
    let desk = Desk::open().await;
    check_lives(&desk.database, telemetry::retention::KEPT, &AGELESS).await;
}

#[tokio::test]
async fn a_row_cannot_point_at_one_of_another_business() {
    let (desk, call) = busy_desk().await;
    let mut app = App::connect(&desk.database).await;
    let references = [
        format!("INSERT INTO turn VALUES ('{OTHER}', '{call}', 7, 'AGENT', 'x', NULL)"),
        format!(
            "INSERT INTO recording (business_id, call_id, state) VALUES ('{OTHER}', '{call}', 'EXPIRED')"
        ),
        format!(
            "INSERT INTO deleted_call_note VALUES ('{OTHER}', '{OTHER}', '{call}', 'x', '', '2026-06-01', '', '2026-06-01')"
        ),
        format!("INSERT INTO call_words VALUES ('{OTHER}', '{call}', '2026-06-01', '')"),
        format!(
            "INSERT INTO delivery VALUES ('{OTHER}', '{LINE}', '{LINE}', 'k', '{call}', '', '2026-06-01')"
        ),
    ];
    for reference in references {
        assert_eq!(app.refused(OTHER, &reference).await, FOREIGN_KEY_VIOLATION);
    }
    let unchanged = desk.get(&call).await.unwrap();
    assert_eq!((unchanged.turns.len(), unchanged.call.unwrap().summary.as_str()), (1, ""));
}
