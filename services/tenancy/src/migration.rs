//! The service's schema.

use database::{
    change_log_sql, idempotency_sql, installation_acts_end_sql, installation_audit_sql, noted_fields,
    noted_table, renewed_noting_sql, step, tenant_table, tenant_tables,
};
use sea_orm_migration::prelude::*;

use crate::NAME;

const TENANT_TABLES: [&str; 6] =
    ["business", "employee", "customer", "data_key", "voice_connection", "follow_up"];

/// A business is created across businesses, and published in the same transaction.
const OUTBOX: &str = "
    GRANT INSERT ON outbox TO tenancy_installation;
    GRANT USAGE ON SEQUENCE outbox_sequence TO tenancy_installation;
";

/// A movement is never changed or deleted.
const MOVEMENTS_STAY: &str =
    "REVOKE UPDATE, DELETE ON stock_movement FROM tenancy_app, tenancy_installation;";

/// Who took what stays as it was.
const EXPORTS_STAY: &str = "REVOKE UPDATE ON customer_export FROM tenancy_app, tenancy_installation;";

/// What holders are asked by, which is no part of an erasure's record.
const ASKED: [&str; 11] = [
    "record_ids",
    "record_versions",
    "names",
    "phones",
    "emails",
    "visit_ids",
    "visit_versions",
    "call_ids",
    "lease_id",
    "due_at",
    "cancelled_count",
];

/// Entries of changes are touched by erasures alone.
const ERASURES_ALONE: &str = "
    REVOKE EXECUTE ON FUNCTION erase_changes FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION erase_changes TO tenancy_app;
";

/// Tables of records that people change, and what of each is no part of the record.
const NOTED: [(&str, &[&str]); 14] = [
    ("business", &["version"]),
    ("employee", &["version"]),
    ("customer", &["version", "folded_name", "search_text"]),
    ("customer_note", &["version"]),
    ("customer_merge", &["before", "after"]),
    ("customer_export", &[]),
    ("patch_test", &[]),
    ("formula", &[]),
    ("consent_change", &[]),
    ("follow_up", &["version"]),
    ("voice_connection", &["data_key_id", "sealed_secret", "sealed_api_key", "sealed_old_secret"]),
    ("supplier", &["version"]),
    // Movements are noted themselves.
    ("item", &["version", "revision", "search_text", "on_hand"]),
    ("stock_movement", &["number"]),
];

/// Brings a database up to date.
#[derive(Debug)]
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            step("m0001_initial", initial()),
            step("m0002_log_identity", outbox::identity_sql(NAME)),
            adding(
                "m0003_customer_profile",
                include_str!("migration/m0003_customer_profile.sql"),
                &["customer_note", "customer_merge", "patch_test", "formula", "consent_change"],
            ),
            step("m0004_business_details", include_str!("migration/m0004_business_details.sql")),
            step("m0005_voice_platforms", include_str!("migration/m0005_voice_platforms.sql")),
            step("m0006_follow_ups_of_call", include_str!("migration/m0006_follow_ups_of_call.sql")),
            step(
                "m0007_items",
                [
                    include_str!("migration/m0007_items.sql"),
                    &tenant_tables(NAME, &["supplier", "item", "stock_movement"]),
                    MOVEMENTS_STAY,
                ]
                .concat(),
            ),
            adding(
                "m0008_imports",
                include_str!("migration/m0008_imports.sql"),
                &["import", "import_part", "import_line", "import_key"],
            ),
            step(
                "m0009_customer_exports",
                [
                    include_str!("migration/m0009_customer_exports.sql"),
                    &tenant_table(NAME, "customer_export"),
                    EXPORTS_STAY,
                ]
                .concat(),
            ),
            step("m0010_audit", audit()),
            adding(
                "m0011_agent_settings",
                include_str!("migration/m0011_agent_settings.sql"),
                &["agent_draft", "agent_version"],
            ),
            adding("m0012_agent_chats", include_str!("migration/m0012_agent_chats.sql"), &["agent_chat"]),
            step("m0013_erasure", erasure()),
            step("m0014_item_search", include_str!("migration/m0014_item_search.sql")),
            adding(
                "m0015_agent_publications",
                include_str!("migration/m0015_agent_publications.sql"),
                &["agent_publication"],
            ),
            step("m0016_noted_agents", noted_agents()),
            adding("m0017_logo", include_str!("migration/m0017_logo.sql"), &["business_logo"]),
            step("m0018_undoable_changes", undoable_changes()),
            adding("m0019_call_checks", include_str!("migration/m0019_call_checks.sql"), &["call_check"]),
            adding("m0020_unread_calls", include_str!("migration/m0020_unread_calls.sql"), &["unread_call"]),
            step("m0021_employee_last_day", include_str!("migration/m0021_employee_last_day.sql")),
            step("m0022_appointment_imports", include_str!("migration/m0022_appointment_imports.sql")),
            step("m0023_import_starter", include_str!("migration/m0023_import_starter.sql")),
            step("m0024_import_columns", include_str!("migration/m0024_import_columns.sql")),
            step("m0027_import_expiry", include_str!("migration/m0027_import_expiry.sql")),
            step("m0028_follow_ups_of_customer", include_str!("migration/m0028_follow_ups_of_customer.sql")),
            step("m0029_import_line_member", include_str!("migration/m0029_import_line_member.sql")),
            step("m0030_unlinked_accounts", unlinked_accounts()),
            step("m0031_note_editors", note_editors()),
            step("m0032_noted_imports", include_str!("migration/m0032_noted_imports.sql")),
            step("m0033_customers_of_name", include_str!("migration/m0033_customers_of_name.sql")),
            step("m0034_import_counts", include_str!("migration/m0034_import_counts.sql")),
            step("m0035_stock_takes", stock_takes()),
        ]
    }
}

/// A step that adds tenant tables.
fn adding(name: &'static str, sql: &str, tables: &[&str]) -> Box<dyn MigrationTrait> {
    step(name, [sql, &tenant_tables(NAME, tables)].concat())
}

fn initial() -> String {
    [
        include_str!("migration/m0001_initial.sql"),
        &tenant_tables(NAME, &TENANT_TABLES),
        &idempotency_sql(NAME),
        &installation_audit_sql(NAME),
        &outbox::migration_sql(NAME),
        OUTBOX,
    ]
    .concat()
}

fn erasure() -> String {
    [
        include_str!("migration/m0013_erasure.sql"),
        &tenant_tables(NAME, &["customer_erasure", "customer_erasure_holder"]),
        &noted_table("customer_erasure", &ASKED),
        ERASURES_ALONE,
    ]
    .concat()
}

/// Who changed how the agent speaks, field by field, and who published it.
fn noted_agents() -> String {
    [
        renewed_noting_sql(),
        &installation_acts_end_sql(NAME),
        &noted_fields("agent_draft", "settings", &["revision"]),
        &noted_table("agent_version", &["settings", "published_by", "published_at"]),
    ]
    .concat()
}

fn undoable_changes() -> String {
    [
        include_str!("migration/m0018_undoable_changes.sql"),
        &tenant_table(NAME, "undoable_change"),
        &noted_table("patch_test", &["version"]),
        &noted_table("formula", &["version"]),
    ]
    .concat()
}

/// The account that is taken is noted already, as the one that the employee had.
fn unlinked_accounts() -> String {
    [
        include_str!("migration/m0030_unlinked_accounts.sql"),
        &noted_table("employee", &["version", "unlinked_accounts"]),
    ]
    .concat()
}

/// Who edits a note is noted already, as the one who changed it.
fn note_editors() -> String {
    [
        include_str!("migration/m0031_note_editors.sql"),
        &noted_table("customer_note", &["version", "edited_by"]),
    ]
    .concat()
}

/// Which movements were counted together says nothing to people.
fn stock_takes() -> String {
    [
        include_str!("migration/m0035_stock_takes.sql"),
        &noted_table("stock_movement", &["number", "stock_take_id"]),
    ]
    .concat()
}

fn audit() -> String {
    let tables: String = NOTED.iter().map(|(table, aside)| noted_table(table, aside)).collect();
    change_log_sql(NAME) + &tables
}
