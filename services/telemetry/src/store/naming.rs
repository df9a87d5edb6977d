//! What records are called in the list of changes.

use database::Naming;

/// The kinds of records that this service names.
pub const NAMINGS: &[Naming] = &[Naming {
    kind: "call",
    sql: "SELECT id, COALESCE(customer_name, '') AS name, started_at AS at FROM call
        WHERE business_id = :business_id AND id = ANY(:ids::uuid[])",
}];
