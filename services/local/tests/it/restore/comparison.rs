//! Whether what services know of each other agrees.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use sqlx::AssertSqlSafe;

use crate::{restore::backup::Server, stack::Stack};

const WITHIN: Duration = Duration::from_secs(60);

/// Two sets of rows that have to be the same.
struct Comparison {
    what: &'static str,
    source: (&'static str, &'static str),
    other: (&'static str, &'static str),
    /// Whether the other may have more.
    contained: bool,
}

const fn same(
    what: &'static str,
    source: (&'static str, &'static str),
    other: (&'static str, &'static str),
) -> Comparison {
    Comparison { what, source, other, contained: false }
}

const fn contained(
    what: &'static str,
    source: (&'static str, &'static str),
    other: (&'static str, &'static str),
) -> Comparison {
    Comparison { what, source, other, contained: true }
}

const NOTHING: &str = "SELECT NULL::text WHERE false";
const BOOKED: &str =
    "SELECT concat_ws('|', i.business_id, i.visit_id, i.employee_id, min(i.starts_at), max(i.ends_at))
    FROM appointment_item i JOIN appointment a ON a.business_id = i.business_id AND a.id = i.visit_id
    WHERE a.state <> 'CANCELLED' GROUP BY i.business_id, i.visit_id, i.employee_id";
const COMPARISONS: [Comparison; 15] = [
    same(
        "employees in scheduling",
        ("tenancy", "SELECT concat_ws('|', business_id, id, name, user_id) FROM employee"),
        ("scheduling", "SELECT concat_ws('|', business_id, id, name, user_id) FROM employee"),
    ),
    same(
        "employees in calendar-sync",
        ("tenancy", "SELECT concat_ws('|', business_id, id, user_id) FROM employee"),
        ("calendar_sync", "SELECT concat_ws('|', business_id, id, user_id) FROM employee"),
    ),
    same(
        "customers in scheduling",
        ("tenancy", "SELECT concat_ws('|', business_id, id, name, COALESCE(phone, '')) FROM customer"),
        ("scheduling", "SELECT concat_ws('|', business_id, id, name, COALESCE(phone, '')) FROM customer"),
    ),
    same(
        "businesses in auth",
        ("tenancy", "SELECT concat_ws('|', business_id, name) FROM business"),
        ("auth", "SELECT concat_ws('|', business_id, name) FROM business_name"),
    ),
    same(
        "businesses in scheduling",
        ("tenancy", "SELECT business_id::text FROM business"),
        ("scheduling", "SELECT business_id::text FROM business_settings"),
    ),
    contained(
        "accounts of employees",
        ("tenancy", "SELECT concat_ws('|', business_id, user_id) FROM employee WHERE user_id IS NOT NULL"),
        ("auth", "SELECT concat_ws('|', business_id, account_id) FROM membership WHERE role IS NOT NULL"),
    ),
    contained(
        "businesses of memberships",
        ("auth", "SELECT DISTINCT business_id::text FROM membership"),
        ("tenancy", "SELECT business_id::text FROM business"),
    ),
    same(
        "appointments in calendar-sync",
        ("scheduling", BOOKED),
        (
            "calendar_sync",
            "SELECT concat_ws('|', business_id, appointment_id, employee_id, min(starts_at), max(ends_at))
                FROM booked_part GROUP BY business_id, appointment_id, employee_id",
        ),
    ),
    same(
        "events in calendars",
        (
            "calendar_sync",
            "SELECT concat_ws('|', calendar_id, event_id, starts_at, ends_at) FROM calendar_write WHERE NOT removed",
        ),
        (
            "calendar_sync",
            "SELECT concat_ws('|', calendar_id, id, starts_at, ends_at) FROM demo_event
                WHERE NOT deleted AND appointment_id IS NOT NULL",
        ),
    ),
    contained(
        "appointments of calendar events",
        ("calendar_sync", "SELECT DISTINCT appointment_id::text FROM calendar_write WHERE NOT removed"),
        ("scheduling", "SELECT id::text FROM appointment WHERE state <> 'CANCELLED'"),
    ),
    contained(
        "appointments in the ledger",
        (
            "scheduling",
            "SELECT concat_ws('|', a.business_id, a.id, i.employee_id) FROM appointment a
                JOIN appointment_item i ON i.business_id = a.business_id AND i.visit_id = a.id
                WHERE a.state <> 'CANCELLED'",
        ),
        (
            "scheduling",
            "SELECT concat_ws('|', business_id, visit_id, subject_id) FROM ledger WHERE kind = 'BOOKING' AND is_open",
        ),
    ),
    contained(
        "bookings of the ledger",
        ("scheduling", "SELECT DISTINCT visit_id::text FROM ledger WHERE kind = 'BOOKING' AND is_open"),
        ("scheduling", "SELECT id::text FROM appointment WHERE state <> 'CANCELLED'"),
    ),
    same(
        "times taken twice",
        (
            "scheduling",
            "SELECT concat_ws('|', a.id, b.id) FROM ledger a JOIN ledger b ON b.business_id = a.business_id
                AND b.subject_id = a.subject_id AND b.during && a.during AND b.visit_id <> a.visit_id
                WHERE a.blocking AND b.blocking AND a.is_open AND b.is_open",
        ),
        ("scheduling", NOTHING),
    ),
    contained(
        "customers of calls",
        ("telemetry", "SELECT DISTINCT customer_id::text FROM call WHERE customer_id IS NOT NULL"),
        ("tenancy", "SELECT id::text FROM customer"),
    ),
    contained(
        "customers of appointments",
        ("scheduling", "SELECT DISTINCT customer_id::text FROM appointment WHERE customer_id IS NOT NULL"),
        ("tenancy", "SELECT id::text FROM customer"),
    ),
];

/// Waits until everything agrees, and prints what was compared.
///
/// # Panics
/// When something does not agree in time.
pub async fn agree(stack: &Stack, when: &str) {
    let server = Server::of(stack);
    let began = Instant::now();
    println!("{when}");
    for comparison in &COMPARISONS {
        loop {
            let source = rows(&server, comparison.source).await;
            let other = rows(&server, comparison.other).await;
            let missing: Vec<_> = source.difference(&other).collect();
            let extra: Vec<_> =
                if comparison.contained { vec![] } else { other.difference(&source).collect() };
            if missing.is_empty() && extra.is_empty() {
                let seconds = began.elapsed().as_secs_f64();
                println!(
                    "  {:<32} {:>6} rows, 0 differences, {seconds:>5.1} s",
                    comparison.what,
                    source.len()
                );
                break;
            }
            assert!(
                began.elapsed() < WITHIN,
                "{when}: {}: {} missing, such as {:?}; {} too many, such as {:?}",
                comparison.what,
                missing.len(),
                missing.first(),
                extra.len(),
                extra.first(),
            );
        }
    }
    for database in super::backup::DATABASES {
        let parked = rows(&server, (database, "SELECT aggregate_id::text FROM outbox_parked")).await;
        assert_eq!(parked, BTreeSet::new(), "{when}: events are parked in {database}");
    }
}

async fn rows(server: &Server, (database, sql): (&str, &'static str)) -> BTreeSet<String> {
    let mut connection = server.connect(database).await;
    let rows: Vec<String> = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut connection).await.unwrap();
    rows.into_iter().collect()
}
