//! How Postgres runs the hot queries as the app role, under the policies.

use caller::{BusinessId, InstallationScope, Worker};
use chrono::{DateTime, NaiveDate, Utc};
use database::{Named, named, statement};
use scheduling::store::hot;
use testkit::Plan;
use uuid::Uuid;

use crate::salon::Salon;

/// The business with as many rows as all others together.
const BIG: BusinessId = BusinessId(Uuid::from_u128(1));

/// Two years of ten employees at one salon, one day of as many rows at the others, and many more without any.
const FILL: &str = "
    CREATE FUNCTION pg_temp.id(n bigint) RETURNS uuid LANGUAGE sql AS
        $$ SELECT lpad(to_hex(n), 32, '0')::uuid $$;
    INSERT INTO business_settings (business_id, time_zone)
        SELECT pg_temp.id(n), 'Europe/London' FROM generate_series(1, 20000) n;
    INSERT INTO opening_hours SELECT pg_temp.id(n), day, 540, 1080
        FROM generate_series(1, 500) n, generate_series(1, 6) day;
    INSERT INTO weekly_pattern SELECT pg_temp.id(n), pg_temp.id(e), '-infinity'
        FROM generate_series(1, 500) n, generate_series(1, 4) e;
    INSERT INTO weekly_schedule SELECT business_id, employee_id, effective_from, day, 540, 1080
        FROM weekly_pattern, generate_series(1, 5) day;
    INSERT INTO service (business_id, id, name, category, buffer_before_minutes, buffer_after_minutes,
            price_minor, currency, aliases)
        SELECT pg_temp.id(CASE WHEN n <= 500 THEN 1 ELSE 1 + n % 500 END), pg_temp.id(n), 'Service ' || n,
            'Category ' || n % 7, 0, 0, 100, 'GBP', '{}' FROM generate_series(1, 3000) n;
    INSERT INTO service_segment SELECT business_id, id, 1, 'ACTIVE', 30 FROM service;
    INSERT INTO service_employee SELECT business_id, id, pg_temp.id(1) FROM service;
    INSERT INTO employee
        SELECT pg_temp.id(CASE WHEN n <= 500 THEN 1 ELSE 1 + n % 500 END), pg_temp.id(n), 'Employee ' || n
        FROM generate_series(1, 3000) n;
    INSERT INTO resource
        SELECT pg_temp.id(CASE WHEN n <= 100 THEN 1 ELSE 1 + n % 500 END), pg_temp.id(n), 'Chair ' || n, 'chair'
        FROM generate_series(1, 3000) n;
    INSERT INTO schedule_version
        SELECT pg_temp.id(1 + n % 500), n, '2025-06-01'::timestamptz + n * interval '1 minute', '{}'
        FROM generate_series(1, 10000) n;
    INSERT INTO customer
        SELECT pg_temp.id(CASE WHEN n <= 2000 THEN 1 ELSE 1 + n % 500 END), pg_temp.id(n), 'Customer ' || n, ''
        FROM generate_series(1, 6000) n;
    INSERT INTO business_day SELECT pg_temp.id(1 + n % 20), '2025-06-01'::date + n / 20, 1, '2025-06-01'
        FROM generate_series(0, 14599) n;
    CREATE TEMP TABLE visit AS
        SELECT pg_temp.id(CASE WHEN n % 2 = 0 THEN 1 ELSE 1 + n / 2 % 500 END) AS business_id, pg_temp.id(n) AS id,
            pg_temp.id(1 + n % 10) AS employee_id,
            '2025-06-01 08:00+00'::timestamptz + n / 160 * interval '1 day'
                + (n / 20) % 8 * interval '1 hour' AS starts_at
        FROM generate_series(0, 58399) n;
    INSERT INTO ledger (business_id, id, subject_id, visit_id, kind, blocking, during, service_during, expires_at,
            recorded)
        SELECT business_id, gen_random_uuid(), gen_random_uuid(), id,
            CASE WHEN n % 50 = 0 THEN 'HOLD' ELSE 'BOOKING' END, true,
            tstzrange(starts_at, starts_at + interval '45 minutes'),
            tstzrange(starts_at, starts_at + interval '45 minutes'),
            CASE WHEN n % 50 = 0 THEN starts_at END,
            CASE WHEN n % 3 = 0 THEN '[2025-01-01,2025-02-01)'::tstzrange ELSE '[2025-01-01,)'::tstzrange END
        FROM (SELECT *, row_number() OVER () AS n FROM visit WHERE id <> pg_temp.id(0)) v;
    INSERT INTO hold (business_id, id, call_id, held_by, starts_at, ends_at, price_minor, currency, ledger_rows, created_at, expires_at)
        SELECT business_id, id, CASE WHEN hashtext(id::text) % 2 = 0 THEN gen_random_uuid() END,
            'user:' || hashtext(id::text) % 50, starts_at, starts_at + interval '1 hour', 1, 'GBP', 1, starts_at,
            starts_at FROM visit WHERE id < pg_temp.id(5000);
    INSERT INTO appointment (business_id, id, state, starts_at, ends_at, price_minor, currency, notes, version,
            created_at, customer_id)
        SELECT business_id, id, 'BOOKED', starts_at, starts_at + interval '1 hour', 1, 'GBP', '', 1, starts_at,
            pg_temp.id(1 + (hashtext(id::text) & 1023)) FROM visit;
    INSERT INTO appointment_item (business_id, visit_id, position, service_id, employee_id, starts_at, ends_at)
        SELECT v.business_id, v.id, 1, (SELECT s.id FROM service s WHERE s.business_id = v.business_id LIMIT 1),
            employee_id, starts_at, starts_at + interval '1 hour' FROM visit v;
    INSERT INTO state_change (business_id, visit_id, position, state, entered_at, entered_by)
        SELECT business_id, id, 1, 'BOOKED', starts_at, '' FROM visit;
    INSERT INTO busy_fact (business_id, id, source_id, external_id, employee_id, title, starts_at, ends_at, origin)
        SELECT business_id, id, pg_temp.id(1), id::text, employee_id, '', starts_at, starts_at + interval '1 hour', 'CALENDAR'
        FROM visit WHERE id < pg_temp.id(20000);
    INSERT INTO busy_source SELECT pg_temp.id(1 + n % 2000), pg_temp.id(n), pg_temp.id(3), 'DEMO', 'Private', 2, '2026-06-01',
        NULL, NULL, false, '2026-06-01' FROM generate_series(1, 20000) n;
    INSERT INTO conflict (business_id, id, fact_id, appointment_id, employee_id, starts_at, ends_at, recorded_at)
        SELECT business_id, id, id, id, employee_id, starts_at, starts_at + interval '1 hour', starts_at
        FROM visit WHERE id < pg_temp.id(20000);
    INSERT INTO time_off (business_id, id, employee_id, kind, reason, starts_at, ends_at, state, requested_by,
            requested_at, version)
        SELECT business_id, id, employee_id, 'SICK', '', starts_at, starts_at + interval '1 day', 'REQUESTED', '',
            starts_at, 1 FROM visit WHERE id < pg_temp.id(20000);
    INSERT INTO unmatched_phrase SELECT pg_temp.id(1 + n % 40), pg_temp.id(n), 'phrase ' || n, 1 + n % 9,
        '2026-06-01', '2026-06-01', NULL, n % 7 = 0 FROM generate_series(1, 20000) n;
    INSERT INTO pairing SELECT pg_temp.id(1), pg_temp.id(n), pg_temp.id(1 + n % 500), pg_temp.id(1 + (n + 1 + n / 500) % 500), '',
        '2026-06-01' FROM generate_series(1, 5000) n;
    INSERT INTO unmet_demand SELECT pg_temp.id(1 + n % 20), '2025-06-01'::date + n / 20,
        ARRAY[pg_temp.id(n % 5)], 'ANY', 1 FROM generate_series(1, 14000) n;
    INSERT INTO waitlist_entry SELECT pg_temp.id(1 + n % 40), pg_temp.id(n), pg_temp.id(1 + n % 2000), '2026-06-02',
        '2026-06-09', 0, 1440, '', '2026-05-01'::timestamptz + n * interval '1 minute',
        CASE WHEN n % 9 = 0 THEN 'WAITING' ELSE 'LEFT' END, NULL, CASE WHEN n % 9 = 0 THEN NULL ELSE now() END,
        CASE WHEN n % 9 = 0 THEN NULL ELSE 'user:1' END, CASE WHEN n % 9 = 0 THEN NULL ELSE '' END, 1
        FROM generate_series(1, 20000) n;
    INSERT INTO waitlist_item SELECT business_id, id, 1, pg_temp.id(1), NULL, NULL, 0 FROM waitlist_entry
        WHERE business_id = pg_temp.id(1);
    INSERT INTO proposal (business_id, id, day, cause, appointment_id, minutes, state, created_by, created_at,
            closed_by, closed_at, version)
        SELECT business_id, id, starts_at::date, 'DELAY', id, 10, CASE WHEN open THEN 'OPEN' ELSE 'DISMISSED' END, '',
            starts_at, CASE WHEN NOT open THEN '' END, CASE WHEN NOT open THEN starts_at END, 1
        FROM (SELECT *, row_number() OVER () % 9 = 0 AS open FROM visit WHERE id < pg_temp.id(20000)) v;
    INSERT INTO proposal_line (business_id, id, proposal_id, position, change, appointment_id, seen_version,
            from_starts_at, from_ends_at, from_employee_ids)
        SELECT business_id, id, id, 1, 'UNPLACED', appointment_id, 1, created_at, created_at, '{}' FROM proposal;
    INSERT INTO stranded_contact
        SELECT business_id, id, id, 'TOLD', '', ARRAY[id], starts_at, '', CASE WHEN open THEN NULL ELSE starts_at END
        FROM (SELECT *, row_number() OVER () % 9 = 0 AS open FROM visit WHERE id < pg_temp.id(20000)) v;
    INSERT INTO block (business_id, id, employee_id, title, starts_at, ends_at, blocked_by, blocked_at)
        SELECT business_id, id, employee_id, 'Lunch', starts_at, starts_at + interval '1 hour', '', starts_at
        FROM visit WHERE id < pg_temp.id(20000);
    ANALYZE;";

fn instants(days: &[i64]) -> Vec<DateTime<Utc>> {
    let first: DateTime<Utc> = "2026-06-01T00:00:00Z".parse().unwrap();
    days.iter().map(|day| first + chrono::Duration::days(*day)).collect()
}

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// A week's days, in the order in which `look_at_days` takes them.
fn a_week() -> Named {
    let days: Vec<i64> = (0..7).collect();
    let next: Vec<i64> = (1..8).collect();
    named! {
        business_id: BIG.0,
        days: instants(&days).iter().map(DateTime::date_naive).collect::<Vec<NaiveDate>>(),
        starts: instants(&days),
        ends: instants(&next),
        known: vec![0_i64; 7],
        now: instants(&[0])[0],
    }
}

/// What is planned here is what runs: the function's text was laid down by a migration.
#[tokio::test]
async fn the_function_that_looks_at_days_runs_the_statement_whose_plan_is_tested() {
    let salon = Salon::empty().await;
    let source: String = sqlx::query_scalar("SELECT prosrc FROM pg_proc WHERE proname = 'look_at_days'")
        .fetch_one(&mut salon.superuser().await)
        .await
        .unwrap();
    let numbered = statement(hot::DAYS, a_week()).sql;
    assert!(source.contains(&numbered), "{source}");
}

#[tokio::test]
async fn hot_reads_of_a_business_use_an_index_under_row_level_security() {
    let salon = Salon::empty().await;
    sqlx::raw_sql(FILL).execute(&mut salon.superuser().await).await.unwrap();
    let tx = salon.pool.begin(&Worker::new("test", BIG)).await.unwrap();
    let now = instants(&[0])[0];
    let later = instants(&[7])[0];

    let plan = Plan::generic(&tx, hot::DAYS, a_week()).await;
    plan.assert_uses("ledger_open", &["business_id", "starts_at", "ends_at"]);
    plan.assert_uses("ledger_open_hold", &["business_id", "starts_at", "ends_at"]);
    plan.assert_uses("business_settings_pkey", &["business_id"]);

    let values = named! { business_id: BIG.0, from: now, to: instants(&[1])[0], at: now };
    let plan = Plan::generic(&tx, hot::TAKEN, values).await;
    plan.assert_uses("ledger_open", &["business_id", "starts_at", "ends_at"]);

    let values = named! { business_id: BIG.0, from: now, to: instants(&[1])[0], at: now };
    let plan = Plan::generic(&tx, hot::TAKEN_AS_OF, values).await;
    plan.assert_uses("ledger_open", &["business_id", "starts_at", "ends_at"]);
    plan.assert_uses("ledger_closed", &["business_id", "starts_at", "ends_at"]);

    let plan = Plan::generic(&tx, hot::SCHEDULE_AS_OF, named! { business_id: BIG.0, at: now }).await;
    plan.assert_uses("schedule_version_recorded", &["business_id", "recorded_at"]);

    let plan = Plan::generic(
        &tx,
        hot::SCHEDULE_AS_RECORDED,
        named! { business_id: BIG.0, format: hot::SCHEDULE_FORMAT },
    )
    .await;
    plan.assert_uses("schedule_version_pkey", &["business_id", "version"]);
    plan.assert_uses("business_settings_pkey", &["business_id"]);

    let (starts, ends) = (instants(&[0, 1]), instants(&[1, 2]));
    let values = named! { business_id: BIG.0, closed_at: now, starts, ends, now };
    let plan = Plan::generic(&tx, hot::CLOSE_EXPIRED, values).await;
    plan.assert_uses("ledger_open_hold", &["business_id", "starts_at"]);

    let plan =
        Plan::generic(&tx, hot::VISIT_SPANS, named! { business_id: BIG.0, visit_ids: vec![id(7), id(9)] })
            .await;
    plan.assert_uses("ledger_open_visit", &["business_id", "visit_id"]);

    let plan =
        Plan::generic(&tx, hot::BOOKED_ROWS_BEFORE, named! { business_id: BIG.0, visit_id: id(7), at: now })
            .await;
    plan.assert_uses("ledger_booking", &["business_id", "visit_id"]);

    let plan = Plan::generic(
        &tx,
        hot::COLLIDING,
        named! { business_id: BIG.0, subject_id: id(3), from: now, to: later },
    )
    .await;
    plan.assert_uses("ledger_open", &["business_id", "starts_at", "ends_at"]);

    let plan =
        Plan::generic(&tx, hot::HOLDS_OF_CALL, named! { business_id: BIG.0, call_id: id(3), now }).await;
    plan.assert_uses("hold_open_call", &["business_id", "call_id", "expires_at"]);

    let plan =
        Plan::generic(&tx, hot::HOLDS_OF_PERSON, named! { business_id: BIG.0, person: "user:7", now }).await;
    plan.assert_uses("hold_open_person", &["business_id", "held_by", "expires_at"]);

    let values = named! { business_id: BIG.0, user_id: id(7), from: now, to: later };
    let plan = Plan::generic(&tx, hot::CUSTOMERS_OF_PERSON, values).await;
    plan.assert_uses("appointment_item_employee", &["business_id", "employee_id", "starts_at"]);
    plan.assert_uses("appointment_pkey", &["business_id", "id"]);

    let values = named! { business_id: BIG.0, customer_id: id(7), now };
    let plan = Plan::generic(&tx, hot::VISITS_OF_CUSTOMER, values).await;
    plan.assert_uses("appointment_customer", &["business_id", "customer_id"]);

    let people = || vec![id(3), id(4)];
    let plan = Plan::generic(
        &tx,
        hot::PEOPLE_AMONG,
        named! { business_id: BIG.0, employee_ids: people(), customer_ids: people() },
    )
    .await;
    plan.assert_uses("employee_pkey", &["business_id", "id"]);
    plan.assert_uses("customer_pkey", &["business_id", "id"]);

    let plan = Plan::generic(&tx, hot::APPOINTMENT, named! { business_id: BIG.0, id: id(8) }).await;
    plan.assert_uses("appointment_pkey", &["business_id", "id"]);
    plan.assert_uses("appointment_item_pkey", &["business_id", "visit_id"]);

    let (half_a_year_ago, customers) = (instants(&[-183])[0], vec![id(3), id(4)]);
    let values = named! {
        business_id: BIG.0,
        customer_ids: customers,
        service_ids: vec![id(1)],
        from: half_a_year_ago,
        to: later,
        at: now,
    };
    let plan = Plan::generic(&tx, hot::HAD, values).await;
    plan.assert_uses("appointment_customer", &["business_id", "customer_id", "starts_at"]);

    let plan =
        Plan::generic(&tx, hot::APPOINTMENTS_OF_SERIES, named! { business_id: BIG.0, series_id: id(8) })
            .await;
    plan.assert_uses("appointment_series", &["business_id", "series_id"]);

    let plan =
        Plan::generic(&tx, hot::BOOKED_ROWS_OF, named! { business_id: BIG.0, visit_ids: vec![id(7), id(9)] })
            .await;
    plan.assert_uses("ledger_booking", &["business_id", "visit_id"]);

    for (sql, from) in [(hot::UPCOMING_OF_CUSTOMER, now), (hot::PAST_OF_CUSTOMER, later)] {
        let values = named! {
            business_id: BIG.0,
            customer_id: id(1),
            after_start: from,
            after_id: id(42),
            now,
            with_cancelled: false,
            rows: 51_i64,
        };
        Plan::generic(&tx, sql, values)
            .await
            .assert_uses("appointment_customer", &["business_id", "customer_id"]);
    }

    for (after, number) in [(DateTime::UNIX_EPOCH, 0), (now, 42)] {
        let values = named! {
            business_id: BIG.0,
            from: now,
            to: later,
            after_start: after,
            after_id: id(number),
            rows: 51_i64,
        };
        let plan = Plan::generic(&tx, hot::APPOINTMENTS_BY_START, values).await;
        plan.assert_uses("appointment_start", &["business_id", "starts_at", "ROW("]);

        let values = named! {
            business_id: BIG.0,
            after_start: after,
            after_id: id(number),
            rows: 51_i64,
        };
        let plan = Plan::generic(&tx, hot::CONFLICTS_BY_START, values).await;
        plan.assert_uses("conflict_open_start", &["business_id", "ROW("]);
    }

    let within = || named! { business_id: BIG.0, from: now, to: later };
    let plan = Plan::generic(&tx, hot::VISITS_BY_START, within()).await;
    plan.assert_uses("appointment_start", &["business_id", "starts_at"]);
    let plan = Plan::generic(&tx, hot::APPROVED_WITHIN, within()).await;
    plan.assert_uses("time_off_approved", &["business_id", "ends_at"]);
    let plan = Plan::generic(&tx, hot::BUSY_WITHIN, within()).await;
    plan.assert_uses("ledger_open", &["business_id", "starts_at", "ends_at"]);
    let plan = Plan::generic(&tx, hot::BUSY_SOURCES, named! { business_id: BIG.0 }).await;
    plan.assert_uses("busy_source_pkey", &["business_id"]);

    let values = named! {
        business_id: BIG.0,
        from: now,
        to: later,
        after_start: now,
        after_id: id(42),
        employee_id: None::<Uuid>,
        rows: 51_i64,
    };
    let plan = Plan::generic(&tx, hot::BLOCKS_BY_START, values).await;
    plan.assert_uses("block_start", &["business_id", "starts_at", "ROW("]);

    let facts = vec!["a".to_owned(), "b".to_owned()];
    let plan = Plan::generic(
        &tx,
        hot::KNOWN_FACTS,
        named! { business_id: BIG.0, source_id: id(1), external_ids: facts },
    )
    .await;
    plan.assert_uses("busy_fact_business_id_source_id_external_id_key", &["business_id", "source_id"]);

    for (category, name, number) in [("", "", 0), ("Category 3", "Service 31", 31)] {
        let values = named! {
            business_id: BIG.0,
            after_category: category,
            after_name: name,
            after_id: id(number),
            rows: 51_i64,
        };
        let plan = Plan::generic(&tx, hot::SERVICES_BY_CATEGORY, values).await;
        plan.assert_uses("service_listed", &["business_id", "ROW("]);
    }

    let whose = vec![id(3), id(4)];
    let values = named! {
        business_id: BIG.0,
        ids: vec![id(1), id(2)],
        employee_ids: whose,
        starts: instants(&[0, 1]),
        ends: instants(&[1, 2]),
    };
    let plan = Plan::generic(&tx, hot::VISITS_IN_TIME_OFF, values).await;
    plan.assert_uses("ledger_open", &["business_id", "starts_at", "ends_at"]);
    plan.assert_uses("appointment_pkey", &["business_id", "id"]);
    plan.assert_uses("appointment_item_pkey", &["business_id", "visit_id"]);
    plan.assert_uses("customer_pkey", &["business_id", "id"]);

    let visits = named! { business_id: BIG.0, visit_ids: vec![id(8), id(10)] };
    let plan = Plan::generic(&tx, hot::CONTACTS_OF, visits).await;
    plan.assert_uses("stranded_contact_counting", &["business_id", "appointment_id"]);
    plan.assert_uses("ledger_booking", &["business_id", "visit_id"]);
    let plan = Plan::generic(&tx, hot::CONTACTED_VISITS, named! { business_id: BIG.0, now }).await;
    plan.assert_uses("stranded_contact_counting", &["business_id"]);

    let values = named! {
        business_id: BIG.0,
        employee_ids: vec![id(3), id(4)],
        now,
        after_at: now,
        after_id: id(0),
        batch: 20_000_i64,
    };
    let plan = Plan::generic(&tx, hot::STAYS, values).await;
    plan.assert_uses("ledger_open", &["business_id", "starts_at", "ends_at"]);
    plan.assert_uses("appointment_pkey", &["business_id", "id"]);

    let values = named! {
        business_id: BIG.0,
        after_start: now,
        after_id: id(42),
        ends_after: now,
        employee_id: None::<Uuid>,
        state: None::<String>,
        rows: 51_i64,
        asker: "user:1",
    };
    let plan = Plan::generic(&tx, hot::TIME_OFF_BY_START, values).await;
    plan.assert_uses("time_off_start", &["business_id", "ROW("]);

    for (after, number) in [(i64::MAX, u128::MAX), (4, 42)] {
        let values = named! {
            business_id: BIG.0,
            is_dismissed: false,
            after_count: after,
            after_id: id(number),
            rows: 51_i64,
        };
        let plan = Plan::generic(&tx, hot::PHRASES_BY_COUNT, values).await;
        plan.assert_uses("unmatched_phrase_count", &["business_id", "is_dismissed", "ROW("]);
    }

    let values = named! { business_id: BIG.0, after: id(42), service_id: None::<Uuid>, rows: 51_i64 };
    let plan = Plan::generic(&tx, hot::PAIRINGS_BY_ID, values).await;
    plan.assert_uses("pairing_pkey", &["business_id", "id"]);

    for (after, number) in [(DateTime::UNIX_EPOCH, 0), (now, 42)] {
        let values = named! {
            business_id: BIG.0,
            after_joined: after,
            after_id: id(number),
            today: now.date_naive(),
            rows: 21_i64,
        };
        let plan = Plan::generic(&tx, hot::WAITING_BY_AGE, values).await;
        plan.assert_uses("waitlist_entry_waiting", &["business_id", "ROW("]);
        plan.assert_uses("waitlist_item_pkey", &["business_id", "entry_id"]);
    }
    let values = named! {
        business_id: BIG.0,
        first_date: now.date_naive(),
        last_date: now.date_naive(),
        rows: 100_i64,
    };
    let plan = Plan::generic(&tx, hot::WAITING_FOR, values).await;
    plan.assert_uses("waitlist_entry_waiting", &["business_id"]);

    let values = named! { business_id: BIG.0, ids: vec![id(8), id(10)] };
    let plan = Plan::generic(&tx, hot::APPOINTMENTS_BY_ID, values).await;
    plan.assert_uses("appointment_pkey", &["business_id", "id"]);
    let visits = || named! { business_id: BIG.0, visit_ids: vec![id(8), id(10)] };
    let plan = Plan::generic(&tx, hot::BOOKED_ROWS_OF, visits()).await;
    plan.assert_uses("ledger_booking", &["business_id", "visit_id"]);
    let plan = Plan::generic(&tx, hot::FACTS_OVER, visits()).await;
    plan.assert_uses("conflict_open_appointment", &["business_id", "appointment_id"]);
    for (after, number) in [(now.date_naive(), 0), (instants(&[3])[0].date_naive(), 42)] {
        let values = named! {
            business_id: BIG.0,
            after_day: after,
            after_id: id(number),
            rows: 51_i64,
        };
        let plan = Plan::generic(&tx, hot::OPEN_PROPOSALS, values).await;
        plan.assert_uses("proposal_open", &["business_id", "ROW("]);
        plan.assert_uses("proposal_line_position", &["business_id", "proposal_id"]);
    }
    let plan = Plan::generic(&tx, hot::PROPOSAL_LINES, named! { business_id: BIG.0, id: id(8) }).await;
    plan.assert_uses("proposal_line_position", &["business_id", "proposal_id"]);

    // What is counted over a span costs what the span does, not all that ever was.
    let from = instants(&[-14])[0];
    let values = named! {
        business_id: BIG.0,
        from,
        to: now,
        least: 5_i64,
        service_id: None::<Uuid>,
    };
    let plan = Plan::generic(&tx, hot::BOUGHT_TOGETHER, values).await;
    plan.assert_uses("appointment_item_start", &["business_id", "starts_at"]);
    let values = named! { business_id: BIG.0, from, to: now, service_ids: vec![id(1), id(2)] };
    let plan = Plan::generic(&tx, hot::TALLIES, values.clone()).await;
    plan.assert_uses("appointment_start", &["business_id", "starts_at"]);
    let plan = Plan::generic(&tx, hot::MEASURED, values).await;
    plan.assert_uses("appointment_start", &["business_id", "starts_at"]);
    plan.assert_uses("state_change_pkey", &["business_id", "visit_id"]);
    let values = named! {
        business_id: BIG.0,
        first: instants(&[-30])[0].date_naive(),
        last: now.date_naive(),
        rows: 50_i64,
    };
    let plan = Plan::generic(&tx, hot::UNMET_DEMAND, values).await;
    plan.assert_uses("unmet_demand_pkey", &["business_id", "day"]);

    tx.commit().await.unwrap();
    let tx = salon.pool.begin_installation(&InstallationScope::worker("test")).await.unwrap();
    let values = named! { ids: vec![id(1), id(2)], since: from, until: instants(&[14])[0], now };
    let plan = Plan::for_values(&tx, hot::BOOKING_HEALTH, values).await;
    plan.assert_uses("appointment_start", &["business_id", "starts_at"]);
}
