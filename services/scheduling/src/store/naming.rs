//! What records are called in the list of changes.

use database::Naming;

/// The kinds of records that this service names.
pub const NAMINGS: &[Naming] = &[
    Naming {
        kind: "service",
        sql: "SELECT id, name, NULL::timestamptz AS at FROM service
            WHERE business_id = :business_id AND id = ANY(:ids::uuid[])",
    },
    Naming {
        kind: "resource",
        sql: "SELECT id, name, NULL::timestamptz AS at FROM resource
            WHERE business_id = :business_id AND id = ANY(:ids::uuid[])",
    },
    Naming {
        kind: "appointment",
        sql: "SELECT a.id, COALESCE(c.name, '') AS name, a.starts_at AS at FROM appointment a
            LEFT JOIN customer c ON c.business_id = a.business_id AND c.id = a.customer_id
            WHERE a.business_id = :business_id AND a.id = ANY(:ids::uuid[])",
    },
    Naming {
        kind: "appointment_export",
        sql: "SELECT id, first_date || ' to ' || last_date AS name, NULL::timestamptz AS at FROM appointment_export
            WHERE business_id = :business_id AND id = ANY(:ids::uuid[])",
    },
    Naming {
        kind: "waitlist_entry",
        sql: "SELECT w.id, COALESCE(c.name, '') AS name, NULL::timestamptz AS at FROM waitlist_entry w
            LEFT JOIN customer c ON c.business_id = w.business_id AND c.id = w.customer_id
            WHERE w.business_id = :business_id AND w.id = ANY(:ids::uuid[])",
    },
    Naming {
        kind: "time_off",
        sql: "SELECT t.id, COALESCE(e.name, '') AS name, t.starts_at AS at FROM time_off t
            LEFT JOIN employee e ON e.business_id = t.business_id AND e.id = t.employee_id
            WHERE t.business_id = :business_id AND t.id = ANY(:ids::uuid[])",
    },
    Naming {
        kind: "block",
        sql: "SELECT id, title AS name, starts_at AS at FROM block
            WHERE business_id = :business_id AND id = ANY(:ids::uuid[])",
    },
];
