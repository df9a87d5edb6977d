//! What records are called in the list of changes.

use database::Naming;

/// The kinds of records that this service names.
pub const NAMINGS: &[Naming] = &[
    Naming {
        kind: "calendar",
        sql: "SELECT id, name, NULL::timestamptz AS at FROM calendar
            WHERE business_id = :business_id AND id = ANY(:ids::uuid[])",
    },
    Naming {
        kind: "provider_connection",
        sql: "SELECT id, label AS name, NULL::timestamptz AS at FROM provider_connection
            WHERE business_id = :business_id AND id = ANY(:ids::uuid[])",
    },
];
