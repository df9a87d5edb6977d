//! The demo with a year behind it: what each service keeps of it agrees with the others, and adds up.

use core::time::Duration;
use std::time::Instant;

use boot::clock::Clock;
use jiff::SignedDuration;
use local::{
    demo::salon::WILLOW,
    stack::plan::postgres_url,
    visitor::{Visitor, willow},
};
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};

use crate::stack::Stack;

/// Calls whose figures are not what their rows add up to.
const MISCOUNTED: &str = "WITH recounted AS (
        SELECT business_id, to_timestamp(floor(extract(epoch FROM started_at) / 900) * 900) AS at, count(*) AS calls,
            count(*) FILTER (WHERE outcome IS NOT NULL) AS ended,
            count(*) FILTER (WHERE outcome <> 'ABANDONED') AS answered,
            count(*) FILTER (WHERE wanted_booking) AS wanted,
            count(*) FILTER (WHERE outcome = 'BOOKED') AS booked
        FROM call GROUP BY 1, 2)
    SELECT count(*) FROM recounted r FULL JOIN call_quarter q USING (business_id, at)
    WHERE (r.calls, r.ended, r.answered, r.wanted, r.booked)
        IS DISTINCT FROM (q.calls, q.ended, q.answered, q.wanted, q.booked)";
/// Days on which the value of what was booked is not what the calls' visits are worth.
const MISVALUED: &str = "WITH recounted AS (
        SELECT date_trunc('day', started_at AT TIME ZONE 'UTC') AS day, sum((v.value ->> 'price')::bigint) AS amount
        FROM call, jsonb_each(visits) v WHERE NOT (v.value ->> 'cancelled')::boolean GROUP BY 1),
    kept AS (SELECT at AT TIME ZONE 'UTC' AS day, amount FROM call_tally
        WHERE grain = 'DAY' AND kind = 'VALUE' AND amount <> 0)
    SELECT count(*) FROM recounted r FULL JOIN kept k USING (day) WHERE r.amount IS DISTINCT FROM k.amount";
/// Items whose stock is not what their movements add up to.
const MISSTOCKED: &str = "SELECT count(*) FROM item i WHERE on_hand <> (
        SELECT COALESCE(sum(quantity), 0) FROM stock_movement m WHERE m.item_id = i.id)
    OR on_hand <> (SELECT m.on_hand FROM stock_movement m WHERE m.item_id = i.id ORDER BY number DESC LIMIT 1)";
/// Visits that take no time although they are booked, or take some although they were cancelled.
const MISPLACED: &str = "SELECT count(*) FROM appointment a WHERE (a.state = 'CANCELLED') = EXISTS (
        SELECT FROM ledger l WHERE l.visit_id = a.id AND l.is_open)
    OR NOT EXISTS (SELECT FROM ledger l WHERE l.visit_id = a.id)";

/// On a loaded machine, unoptimised: alone it takes a few seconds.
const YEAR_WITHIN: Duration = Duration::from_secs(120);

async fn database(stack: &Stack, name: &str) -> PgConnection {
    let password = stack.secret("postgres-superuser");
    PgConnection::connect(&postgres_url(stack.base_port(), "postgres", &password, name)).await.unwrap()
}

async fn count(database: &mut PgConnection, sql: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(database).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_year_of_the_demo_agrees_with_itself() {
    let began = Instant::now();
    let mut stack = Stack::start(&["--demo-year"]).await;
    println!("the first start with a year took {:.1} s", began.elapsed().as_secs_f64());
    // The desk is open, with the days to come in the book, while the year is filled in behind it.
    let mut scheduling = database(&stack, "scheduling").await;
    let to_come = "SELECT count(*) FROM appointment WHERE starts_at > now()";
    let booked = count(&mut scheduling, to_come).await;
    assert!(booked > 50, "{booked} visits to come");
    assert!(!stack.data().join("demo-booked-on").exists(), "the year is there before the desk is open");
    drop(scheduling);
    // What interrupts it is gone on with at the next start, and nothing is there twice.
    stack.kill();
    stack.restart();
    let waiting = Instant::now();
    while !stack.data().join("demo-booked-on").exists() {
        assert!(waiting.elapsed() < YEAR_WITHIN, "the year is not there after {YEAR_WITHIN:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    println!("the year was there {:.1} s after the first start", began.elapsed().as_secs_f64());
    let mut telemetry = database(&stack, "telemetry").await;
    let mut scheduling = database(&stack, "scheduling").await;
    let mut tenancy = database(&stack, "tenancy").await;

    assert!(count(&mut scheduling, "SELECT count(*) FROM appointment").await > 4_000);
    // What the last calls changed is taken into the figures within seconds.
    while count(&mut telemetry, "SELECT count(*) FROM figure_change").await > 0 {
        assert!(waiting.elapsed() < YEAR_WITHIN, "the figures are not up to date after {YEAR_WITHIN:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(count(&mut telemetry, MISCOUNTED).await, 0);
    assert_eq!(count(&mut telemetry, MISVALUED).await, 0);
    assert_eq!(count(&mut tenancy, MISSTOCKED).await, 0);
    assert_eq!(count(&mut scheduling, MISPLACED).await, 0);

    // What calls say of visits is what the visits are.
    let linked = "SELECT t.appointment_id::text, c.id::text AS call_id, c.outcome,
            (c.visits -> t.appointment_id::text ->> 'price')::bigint AS price,
            (c.visits -> t.appointment_id::text ->> 'version')::bigint AS version
        FROM tool_call t JOIN call c ON c.id = t.call_id WHERE t.appointment_id IS NOT NULL";
    let linked = sqlx::query(linked).fetch_all(&mut telemetry).await.unwrap();
    assert!(linked.len() > 150, "{} calls changed a visit", linked.len());
    for row in linked {
        let outcome: String = row.get("outcome");
        let visit: String = row.get("appointment_id");
        let booked = sqlx::query(
            "SELECT state, call_id::text, price_minor::bigint AS price, version,
                EXISTS (SELECT FROM place_change p WHERE p.visit_id = a.id) AS moved
            FROM appointment a WHERE id = $1::uuid",
        );
        let kept = booked.bind(&visit).fetch_one(&mut scheduling).await.unwrap();
        match outcome.as_str() {
            "BOOKED" => {
                let call: String = row.get("call_id");
                assert_eq!(kept.get::<Option<String>, _>("call_id"), Some(call));
                for field in ["price", "version"] {
                    assert_eq!(row.get::<i64, _>(field), kept.get::<i64, _>(field), "{field} of {visit}");
                }
            }
            "CANCELLED" => assert_eq!(kept.get::<String, _>("state"), "CANCELLED"),
            "MOVED" => assert!(kept.get::<bool, _>("moved"), "{visit} was not moved"),
            other => panic!("{visit} was changed in a call that came to {other}"),
        }
    }

    // The screens have something to show.
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let now = Clock::system().now();
    let [first, last] =
        [now - SignedDuration::from_hours(24 * 200), now].map(|at| at.strftime("%F").to_string());
    let insights = format!("insights?firstDate={first}&lastDate={last}");
    let insights = owner.get(&willow(&insights)).await.unwrap();
    let booked = insights["figures"]["booked"].as_str().unwrap_or("0");
    assert_ne!(booked, "0", "{insights}");
    let regular = sqlx::query(
        "SELECT customer_id::text AS customer, sum(price_minor)::bigint AS spent FROM appointment a
        WHERE state NOT IN ('CANCELLED', 'NO_SHOW') AND ends_at <= now() AND NOT EXISTS (
            SELECT FROM appointment t WHERE t.customer_id = a.customer_id AND t.starts_at::date = current_date)
        GROUP BY customer_id ORDER BY count(*) DESC, customer_id LIMIT 1",
    );
    let regular = regular.fetch_one(&mut scheduling).await.unwrap();
    let customer: String = regular.get("customer");
    let figures = owner.get(&willow(&format!("customers/{customer}/figures"))).await.unwrap();
    assert_eq!(figures["spends"][0]["priceMinor"], regular.get::<i64, _>("spent").to_string(), "{figures}");
    let low = owner.list(&willow("items?low=true"), "items").await.unwrap();
    assert!(low.len() >= 2, "{low:?}");
    for (state, least) in [("OPEN", 1), ("DONE", 20)] {
        let path = willow(&format!("follow-ups?state=FOLLOW_UP_STATE_{state}"));
        let found = owner.list(&path, "followUps").await.unwrap();
        assert!(found.len() >= least, "{} are {state}", found.len());
    }

    // Started again, it is as it was.
    let visits = count(&mut scheduling, "SELECT count(*) FROM appointment").await;
    drop((telemetry, scheduling, tenancy));
    stack.kill();
    stack.restart();
    let mut scheduling = database(&stack, "scheduling").await;
    assert_eq!(count(&mut scheduling, "SELECT count(*) FROM appointment").await, visits);
    let shown = format!("/api/v1/businesses/{WILLOW}/calls");
    assert!(!owner.list(&shown, "calls").await.unwrap().is_empty());
}
