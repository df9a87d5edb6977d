//! The hot queries, as they are planned under row-level security.

use caller::{BusinessId, InstallationScope, Worker};
use database::{Database, named};
use sea_orm::{ConnectionTrait, prelude::DateTimeUtc};
use testkit::Plan;
use uuid::Uuid;

use super::{
    calendar, calendar_feed, calendar_health, demo_event, due_work, employee, plan, provider, read_turn,
    shortfall, source_report, sync_history, write_turn,
};
use crate::migration::Migrator;

const BUSINESS: BusinessId = BusinessId(Uuid::from_u128(7));

/// Three businesses with twenty thousand calendars, some of them full, three thousand with one each, and writes of
/// which few are due.
const FILL: &str = "
    INSERT INTO calendar (business_id, id, kind, employee_id, name, connected_at)
    SELECT lpad(to_hex(7 + n % 3), 32, '0')::uuid, md5('calendar' || n)::uuid, 'DEMO', md5('employee' || n)::uuid,
           'Private', timestamptz '2026-06-01 08:00Z' FROM generate_series(1, 20000) n;
    INSERT INTO calendar (business_id, id, kind, employee_id, name, connected_at)
    SELECT lpad(to_hex(1000 + n), 32, '0')::uuid, md5('small' || n)::uuid, 'DEMO', md5('employee' || n)::uuid,
           'Private', timestamptz '2026-06-01 08:00Z' FROM generate_series(1, 3000) n;
    INSERT INTO sync_state (business_id, calendar_id, due_at, report_due_at)
    SELECT business_id, id, due_at, due_at FROM (
        SELECT business_id, id, connected_at + (row_number() OVER ()) * interval '1 second' AS due_at FROM calendar) c;
    INSERT INTO google_grant (user_id, id, account, key_id, master_key, sealed_key, sealed_refresh, granted_at)
    SELECT id, id, id::text, id, 'first', 'x', 'x', connected_at FROM calendar;
    INSERT INTO google_calendar (business_id, id, user_id, account, external_id, watch_due_at)
    SELECT business_id, id, id, id::text, id::text, connected_at FROM calendar;
    INSERT INTO google_channel (business_id, calendar_id, id, resource_id, token_hash, opened_at, expires_at)
    SELECT business_id, id, md5('channel' || id)::uuid, 'r', 'x', connected_at, connected_at + interval '7 days' FROM calendar;
    INSERT INTO employee (business_id, id, user_id)
    SELECT DISTINCT business_id, employee_id, md5('user' || employee_id)::uuid FROM calendar;
    INSERT INTO demo_calendar (business_id, id) SELECT business_id, id FROM calendar;
    INSERT INTO demo_event (business_id, calendar_id, id, title, starts_at, ends_at, change, changed_at)
    SELECT business_id, id, 'event-' || n, 'School', connected_at + n * interval '1 hour',
           connected_at + n * interval '1 hour' + interval '30 minutes', n, connected_at
    FROM calendar, generate_series(1, 400) n WHERE md5(id::text) < '006';
    INSERT INTO event_shortfall (business_id, calendar_id, event_id, title, starts_at, ends_at, reason)
    SELECT business_id, calendar_id, id, title, starts_at, ends_at, 'OUT_OF_RANGE' FROM demo_event;
    INSERT INTO unread_entry (business_id, calendar_id, object_id, reason, since)
    SELECT business_id, calendar_id, id, 'has no start', starts_at FROM demo_event;
    INSERT INTO sync_history (business_id, appointment_id, calendar_id, id, at, step)
    SELECT business_id, md5(id)::uuid, calendar_id, gen_random_uuid(), starts_at, 'WRITTEN' FROM demo_event;
    INSERT INTO calendar_write (business_id, calendar_id, event_id, appointment_id, title, starts_at, ends_at,
        wanted, written, wanted_at, due_at)
    SELECT business_id, calendar_id, id, md5(id)::uuid, title, starts_at, ends_at, 1,
           CASE WHEN change % 50 = 0 THEN 0 ELSE 1 END, changed_at, changed_at + change * interval '1 second' FROM demo_event;
    INSERT INTO data_key SELECT business_id, id, 'first', 'x', connected_at FROM calendar
    WHERE business_id >= lpad(to_hex(1000), 32, '0')::uuid;
    INSERT INTO ics_calendar SELECT business_id, id, 'example.com', id, 'x', connected_at FROM calendar
    WHERE business_id >= lpad(to_hex(1000), 32, '0')::uuid;
    INSERT INTO provider_connection (business_id, id, kind, label, data_key_id, sealed_token, connected_at,
        token_changed_at, records_due_at)
    SELECT business_id, id, 'DEMO', 'Before', id, 'x', connected_at, connected_at,
           connected_at + (row_number() OVER ()) * interval '1 second' FROM calendar WHERE name = 'Private'
        AND business_id >= lpad(to_hex(1000), 32, '0')::uuid;
    INSERT INTO provider_calendar (business_id, id, connection_id, external_employee_id)
    SELECT business_id, id, id, 'P1' FROM provider_connection;
    INSERT INTO calendar_cleanup SELECT business_id, id, connected_at, 3, NULL FROM calendar
    WHERE business_id >= lpad(to_hex(1000), 32, '0')::uuid;
    INSERT INTO calendar_feed SELECT business_id, employee_id, sha256(convert_to(id::text, 'UTF8')), false, connected_at
    FROM calendar;
    INSERT INTO booked_part (business_id, appointment_id, employee_id, part, title, starts_at, ends_at)
    SELECT business_id, md5(id)::uuid, md5(calendar_id::text)::uuid, 0, title, starts_at, ends_at FROM demo_event;
    ANALYZE;";

#[tokio::test]
async fn no_hot_query_scans_a_whole_table() {
    let database = testkit::database::<Migrator>(crate::SERVICE).await;
    sea_orm::Database::connect(&database.superuser_url)
        .await
        .unwrap()
        .execute_unprepared(FILL)
        .await
        .unwrap();
    let (host, _) = testkit::host(crate::SERVICE);
    let app: Database = database.connect(&host).await;
    let tx = app.begin(&Worker::new("explain", BUSINESS)).await.unwrap();
    let full = tx
        .query_one_raw(database::statement("SELECT calendar_id FROM demo_event LIMIT 1", []))
        .await
        .unwrap()
        .unwrap();
    let full: Uuid = full.try_get_by_index(0).unwrap();
    let of_full = || named! { business_id: BUSINESS.0, calendar_id: full };
    let id = Uuid::from_u128(1);
    let at = |instant: &str| instant.parse::<DateTimeUtc>().unwrap();
    let first = at("2026-06-01T00:00:00Z");
    let calendars =
        named! { business_id: BUSINESS.0, after_employee: id, after_id: id, limit: 50_i64, now: first };
    let changes = of_full().and(named! { after: 3_i64, whole: false, limit: 250_i64 });
    let history = named! { business_id: BUSINESS.0, appointment_id: id, limit: 100_i64 };
    let due = of_full().and(named! { now: first });
    let events = of_full().and(named! { after_start: first, after_id: "", limit: 50_i64 });
    let parts = named! { business_id: BUSINESS.0, employee_id: id, from: first, to: at("2026-12-01T00:00:00Z"), limit: 50_i64 };
    let hot = [
        (calendar::page_sql(), calendars, "calendar_of_employee"),
        (demo_event::changes_sql(), changes, "demo_event_change"),
        (shortfall::DUE.to_owned(), due, "event_shortfall_pkey"),
        (sync_history::OF_APPOINTMENT.to_owned(), history, "sync_history_of_appointment"),
        (demo_event::page_sql(), events, "demo_event_by_start"),
        (calendar_feed::PARTS.to_owned(), parts, "booked_part_of_employee"),
    ];
    for (sql, values, index) in hot {
        Plan::for_values(&tx, &sql, values).await.assert_uses(index, &["business_id"]);
    }
    let renamed = named! {
        business_id: BUSINESS.0,
        appointment_ids: vec![Uuid::from_u128(70), Uuid::from_u128(71)],
        between: " – ",
        for_whom: " – Ana",
        now: first,
    };
    let renaming = Plan::for_values(&tx, plan::RENAME, renamed).await;
    renaming.assert_uses("booked_part_pkey", &["business_id", "appointment_id"]);
    renaming.assert_uses("calendar_of_employee", &["business_id", "employee_id"]);
    tx.commit().await.unwrap();
    let later = at("2026-06-01T08:00:40Z");
    let claim = || {
        named! {
            now: at("2026-06-01T08:00:10Z"),
            limit: 8_i64,
            lease: id,
            leased_until: later,
            full_servers: vec!["google".to_owned()],
            full_businesses: vec![id],
        }
    };
    let claims = [
        (
            read_turn::CLAIM,
            claim().and(named! {
                due_again: later,
                polled_again: later,
                watched_again: later,
            }),
            "sync_state_due",
        ),
        (write_turn::CLAIM, claim(), "calendar_write_due"),
        (due_work::READS, named! { now: at("2026-06-01T08:00:10Z") }, "sync_state_due"),
        (due_work::WRITES, named! { now: at("2026-06-01T08:00:10Z") }, "calendar_write_due"),
        (
            source_report::CLAIM,
            named! { now: at("2026-06-01T08:00:10Z"), limit: 200_i64, again: later },
            "sync_state_report_due",
        ),
        (
            provider::CLAIM_RECORDS,
            named! { now: at("2026-06-01T08:00:10Z"), limit: 4_i64, due_again: later },
            "provider_connection_records_due",
        ),
    ];
    let tx = app.begin_installation(&InstallationScope::worker("explain")).await.unwrap();
    for (sql, values, index) in claims {
        Plan::for_values(&tx, sql, values).await.assert_uses(index, &[]);
    }
    Plan::for_values(&tx, calendar_feed::OF_TOKEN, named! { token: "x" })
        .await
        .assert_uses("calendar_feed_token", &["token_hash"]);
    Plan::for_values(&tx, employee::HAS_CALENDAR, named! { user_id: id })
        .await
        .assert_uses("employee_account", &["user_id"]);
    let of_all = named! { ids: vec![Uuid::from_u128(70), Uuid::from_u128(71)] };
    Plan::for_values(&tx, calendar_health::HEALTH, of_all)
        .await
        .assert_uses("calendar_pkey", &["business_id"]);
}
