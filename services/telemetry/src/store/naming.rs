//! What records are called in the list of changes.

use database::Naming;

/// The kinds of records that this service names.
pub const NAMINGS: &[Naming] = &[
    Naming {
        kind: "call",
        sql: "SELECT id, COALESCE(customer_name, '') AS name, started_at AS at FROM call
            WHERE business_id = :business_id AND id = ANY(:ids::uuid[])",
    },
    Naming {
        kind: "call_export",
        sql: "SELECT id, concat_ws(' ', 'from ' || first_date, 'to ' || last_date) AS name, NULL::timestamptz AS at
            FROM call_export WHERE business_id = :business_id AND id = ANY(:ids::uuid[])",
    },
];
