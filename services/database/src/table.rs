//! What a migration says about its tables.

use uuid::Uuid;

use crate::roles::name;

/// The business of rows that belong to the installation itself, in tables whose other rows have one: a
/// key that begins with the business can't do without. No business has this id.
pub const INSTALLATION: Uuid = Uuid::nil();

/// Puts `table` under row-level security by `business_id`, and lets the service at it.
///
/// Forced, so that the owner (and its SECURITY DEFINER functions) sees no more than
/// the app does.
#[must_use]
pub fn tenant_table(service: &str, table: &str) -> String {
    let installation = name(service, "installation");
    let business = "business_id = NULLIF(current_setting('app.business_id', true), '')::uuid";
    format!(
        "ALTER TABLE \"{table}\" ENABLE ROW LEVEL SECURITY;\n\
         ALTER TABLE \"{table}\" FORCE ROW LEVEL SECURITY;\n\
         CREATE POLICY tenant ON \"{table}\" USING ({business}) WITH CHECK ({business});\n\
         CREATE POLICY installation ON \"{table}\" TO \"{installation}\" USING (true) WITH CHECK (true);\n\
         {}",
        untenanted_table(service, table)
    )
}

/// [`tenant_table`] of each.
#[must_use]
pub fn tenant_tables(service: &str, tables: &[&str]) -> String {
    tables.iter().map(|table| tenant_table(service, table)).collect()
}

/// Lets the service at a table that has no business.
#[must_use]
pub fn untenanted_table(service: &str, table: &str) -> String {
    let [app, installation] = ["app", "installation"].map(|part| name(service, part));
    format!("GRANT SELECT, INSERT, UPDATE, DELETE ON \"{table}\" TO \"{app}\", \"{installation}\";\n")
}

/// Lets the installation role delete rows of `installation_audit`, when they are old.
#[must_use]
pub fn installation_acts_end_sql(service: &str) -> String {
    format!("GRANT DELETE ON installation_audit TO \"{}\";\n", name(service, "installation"))
}

/// Creates `installation_audit`: who acted across businesses, when, by which method.
/// Rows can be added and read, not changed.
#[must_use]
pub fn installation_audit_sql(service: &str) -> String {
    let installation = name(service, "installation");
    format!(
        "CREATE TABLE installation_audit (\n\
         \x20   id uuid PRIMARY KEY,\n\
         \x20   at timestamptz NOT NULL,\n\
         \x20   actor text NOT NULL,\n\
         \x20   purpose text NOT NULL\n\
         );\n\
         CREATE INDEX installation_audit_at ON installation_audit (at);\n\
         GRANT SELECT, INSERT ON installation_audit TO \"{installation}\";\n"
    )
}
