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
const FILL: &str = include_str!("plans/fill.sql");

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

    let values = named! { business_id: BIG.0, instants: instants(&[1]) };
    let plan = Plan::generic(&tx, hot::VERSIONS_BEFORE, values).await;
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

    let phones = vec!["+447700900003".to_owned(), "+447700900004".to_owned()];
    let plan = Plan::generic(&tx, hot::CUSTOMERS_OF_PHONES, named! { business_id: BIG.0, phones }).await;
    plan.assert_uses("customer_of_phone", &["business_id", "phone"]);

    let values = named! { business_id: BIG.0, customer_id: id(7), now };
    let plan = Plan::generic(&tx, hot::VISITS_OF_CUSTOMER, values).await;
    plan.assert_uses("appointment_customer", &["business_id", "customer_id"]);

    let plan = Plan::generic(&tx, hot::VISITS_TO_RENAME, named! { business_id: BIG.0, id: id(1), now }).await;
    plan.assert_uses("appointment_customer", &["business_id", "customer_id", "starts_at"]);

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
        since: now,
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

        let values = named! {
            business_id: BIG.0,
            customer_id: id(41),
            after_joined: after,
            after_id: id(number),
            rows: 51_i64,
        };
        let plan = Plan::generic(&tx, hot::WAITLIST_OF, values).await;
        plan.assert_uses("waitlist_entry_of_customer", &["business_id", "customer_id", "ROW("]);
        plan.assert_uses("waitlist_item_pkey", &["business_id", "entry_id"]);
        plan.assert_uses("customer_parts", &["business_id", "merged_into"]);
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
    let plan = Plan::for_values(&tx, hot::LAPSED_SOURCES, named! { now }).await;
    plan.assert_uses("busy_source_lapse", &["fresh_until"]);
}
