//! The service's schema.

use database::{
    change_log_sql, idempotency_sql, installation_acts_end_sql, installation_audit_sql, noted_table, step,
    tenant_table, tenant_tables,
};
use sea_orm_migration::prelude::*;

use crate::SERVICE;

const TENANT_TABLES: [&str; 5] = ["call", "delivery", "turn", "tool_call", "customer"];
const FIGURES: [&str; 5] = ["call_quarter", "call_tally", "call_words", "call_view", "call_note"];

/// Brings a database up to date.
#[derive(Debug)]
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            step("m0001_initial", initial()),
            step("m0002_log_identity", outbox::identity_sql(SERVICE)),
            step(
                "m0003_insights",
                [include_str!("migration/m0003_insights.sql"), &tenant_tables(SERVICE, &FIGURES)].concat(),
            ),
            step(
                "m0004_product_events",
                [include_str!("migration/m0004_product_events.sql"), &tenant_table(SERVICE, "product_event")]
                    .concat(),
            ),
            step("m0005_erasure", include_str!("migration/m0005_erasure.sql")),
            step("m0006_change_log", change_log()),
            step(
                "m0007_recordings",
                [include_str!("migration/m0007_recordings.sql"), &tenant_table(SERVICE, "recording")]
                    .concat(),
            ),
            step("m0008_turns", include_str!("migration/m0008_turns.sql")),
            step("m0009_transfers", include_str!("migration/m0009_transfers.sql")),
            step(
                "m0010_recording_pieces",
                [
                    include_str!("migration/m0010_recording_pieces.sql"),
                    &tenant_table(SERVICE, "recording_piece"),
                ]
                .concat(),
            ),
            step("m0011_idempotency_keys", idempotency_sql(SERVICE)),
            step(
                "m0012_deleted_notes",
                [
                    include_str!("migration/m0012_deleted_notes.sql"),
                    &tenant_table(SERVICE, "deleted_call_note"),
                ]
                .concat(),
            ),
            step("m0013_call_exports", call_exports()),
            step("m0014_call_filters", include_str!("migration/m0014_call_filters.sql")),
            step("m0015_slow_calls", include_str!("migration/m0015_slow_calls.sql")),
            step(
                "m0016_figure_changes",
                [include_str!("migration/m0016_figure_changes.sql"), &tenant_table(SERVICE, "figure_change")]
                    .concat(),
            ),
            step("m0017_team_bookings", include_str!("migration/m0017_team_bookings.sql")),
            step("m0018_common_words", include_str!("migration/m0018_common_words.sql")),
            step("m0019_longer_deliveries", include_str!("migration/m0019_longer_deliveries.sql")),
            step(
                "m0020_notices",
                [include_str!("migration/m0020_notices.sql"), &tenant_table(SERVICE, "notice")].concat(),
            ),
            step("m0021_common_words_of_few", include_str!("migration/m0021_common_words_of_few.sql")),
        ]
    }
}

/// Words about customers stand in one place, where they can be erased.
fn change_log() -> String {
    let notes = noted_table("call_note", &["text", "created_by", "created_at"]);
    let views = noted_table("call_view", &["name", "query", "user_id"]);
    let emptied = "CREATE INDEX delivery_body_age ON delivery (received_at) WHERE body <> '';".to_owned();
    [change_log_sql(SERVICE), installation_acts_end_sql(SERVICE), notes, views, emptied].concat()
}

fn call_exports() -> String {
    [
        include_str!("migration/m0013_call_exports.sql"),
        &tenant_table(SERVICE, "call_export"),
        "REVOKE UPDATE ON call_export FROM telemetry_app, telemetry_installation;",
        &noted_table("call_export", &[]),
    ]
    .concat()
}

fn initial() -> String {
    [
        include_str!("migration/m0001_initial.sql"),
        &tenant_tables(SERVICE, &TENANT_TABLES),
        &installation_audit_sql(SERVICE),
        &outbox::migration_sql(SERVICE),
    ]
    .concat()
}
