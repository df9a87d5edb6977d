//! The hot queries, as the app role plans them under row-level security.

use caller::{BusinessId, InstallationScope, Worker};
use database::{Database, named};
use sea_orm::{ConnectionTrait, prelude::DateTimeUtc};
use testkit::Plan;
use uuid::Uuid;

use super::{
    call, call_health, call_list, call_note, call_search, call_view, delivery, figure_change, insight,
    notice, product_event, recording, tool_call, transcript,
};
use crate::migration::Migrator;

const BUSINESS: BusinessId = BusinessId(Uuid::from_u128(7));

/// Three thousand calls with a delivery, a turn and a tool call each, and as many customers, a third of them of the
/// business; and six thousand businesses with one call each.
const FILL: &str = "
    INSERT INTO call (business_id, id, connection_id, platform_call_id, first_seen_at, runs)
    SELECT lpad(to_hex(7 + n % 3), 32, '0')::uuid, md5('call' || n)::uuid, md5('connection')::uuid, n::text,
           timestamptz '2026-06-01 08:00Z' + n * interval '1 minute',
           jsonb_build_object('latencies', jsonb_build_object((20 + n % 10)::text, 1))
    FROM generate_series(1, 3000) n;
    INSERT INTO call (business_id, id, connection_id, platform_call_id, first_seen_at)
    SELECT lpad(to_hex(1000 + n), 32, '0')::uuid, md5('other' || n)::uuid, md5('connection')::uuid, 'other-' || n,
           timestamptz '2026-06-01 08:00Z' + n * interval '1 minute'
    FROM generate_series(1, 6000) n;
    INSERT INTO delivery (business_id, id, connection_id, event_key, call_id, body, received_at)
    SELECT business_id, md5('delivery' || id)::uuid, connection_id, platform_call_id, id, '', first_seen_at FROM call;
    INSERT INTO turn (business_id, call_id, position, speaker, text)
    SELECT business_id, id, 0, 'AGENT', 'Hello' FROM call;
    INSERT INTO tool_call (business_id, id, call_id, delivery_id, name, arguments, started_at, running_since)
    SELECT business_id, md5('tool' || id)::uuid, id, md5('delivery' || id)::uuid, 'find', '{}', first_seen_at,
           first_seen_at FROM call;
    INSERT INTO customer (business_id, id, name)
    SELECT lpad(to_hex(7 + n % 3), 32, '0')::uuid, md5('customer' || n)::uuid, 'Ana' FROM generate_series(1, 3000) n;
    INSERT INTO call_note (business_id, id, call_id, text, created_by, created_at)
    SELECT business_id, md5('note' || id)::uuid, id, 'Call back', '', first_seen_at FROM call;
    INSERT INTO recording (business_id, call_id, state, due_at)
    SELECT business_id, id, 'EXPIRED', first_seen_at + interval '30 days' FROM call;
    INSERT INTO call_view (business_id, id, user_id, name, query)
    SELECT business_id, md5('view' || id)::uuid, id, 'Mine', '' FROM call;
    INSERT INTO call_quarter
    SELECT business_id, date_bin('15 minutes', first_seen_at, 'epoch'), count(*), 0, 0, 0, 0 FROM call GROUP BY 1, 2;
    INSERT INTO call_tally
    SELECT business_id, grain, at, kind, 'x', 1 FROM call_quarter, unnest(ARRAY['QUARTER', 'DAY']) grain,
        unnest(ARRAY['OUTCOME', 'MISSED', 'VALUE']) kind;
    INSERT INTO figure_change SELECT business_id, md5('change' || id)::uuid, '[]', '[]' FROM call;
    INSERT INTO product_event (business_id, id, kind, version, actor, tab, page, detail, at)
    SELECT business_id, id, 'PAGE_OPENED', 1, '', '', '/', '', first_seen_at FROM call;
    INSERT INTO notice (business_id, id, connection_id, event_key, kind, body, received_at)
    SELECT business_id, md5('notice' || id)::uuid, connection_id, platform_call_id, 'chat.created', '', first_seen_at FROM call;
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
    let (business_id, id) = (BUSINESS.0, Uuid::from_u128(1));
    let before: DateTimeUtc = "2026-06-02T00:00:00Z".parse().unwrap();
    let of_call = || named! { business_id, call_id: id };
    let page = named! { business_id, after_start: before, after_id: id, limit: 50_i64 };
    let identity = named! { business_id, connection_id: id, platform_call_id: "17" };
    let key = named! { business_id, connection_id: id, event_key: "17" };
    let named = named! { business_id, connection_id: id, names: vec!["17".to_owned(), "18".to_owned()] };
    let from: DateTimeUtc = "2026-06-01T00:00:00Z".parse().unwrap();
    let span = named! { business_id, from, to: before };
    let slow = named! {
        business_id, slow: 25_i32, slowest: 106_i32, from, to: before, after_start: before, after_id: id, limit: 50_i64,
    };
    let of_delivery = named! { business_id, delivery_id: id };
    let hot = [
        (call_list::page_of_customer_sql(), page.clone().and(named! { customer_id: id }), "call_of_customer"),
        (call_list::page_sql(), page, "call_newest"),
        (call_search::slow_sql(), slow, "call_by_slowest"),
        (call::BY_IDENTITY.to_owned(), identity, "call_identity"),
        (call::BY_ID.to_owned(), named! { business_id, id }, "call_pkey"),
        (call::IDENTITY.to_owned(), named! { business_id, id }, "call_pkey"),
        (delivery::FIRST_OF.to_owned(), key, "delivery_once"),
        (delivery::KEPT.to_owned(), named.clone(), "delivery_once"),
        (delivery::ENDED.to_owned(), named, "call_identity"),
        (
            notice::NEWEST.to_owned(),
            named! { business_id, connection_id: id, most: 1_000_i64 },
            "notice_newest",
        ),
        (transcript::READ.to_owned(), of_call(), "turn_pkey"),
        (tool_call::of_delivery_sql(), of_delivery, "tool_call_once"),
        (tool_call::of_call_sql(), of_call(), "tool_call_of_call"),
        (tool_call::of_tool_sql(), of_call().and(named! { name: "cancel_appointment" }), "tool_call_of_call"),
        (call_note::OF_CALL.to_owned(), of_call(), "call_note_of"),
        (recording::OF_CALL.to_owned(), of_call(), "recording_pkey"),
        (
            call_view::OF_PERSON.to_owned(),
            named! { business_id, user_id: id, most: 50_i64 },
            "call_view_name",
        ),
        (figure_change::TAKE_CHANGES.to_owned(), named! { business_id, most: 20_i64 }, "figure_change_pkey"),
        (insight::QUARTERS.to_owned(), span.clone().and(named! { hours: vec![from] }), "call_quarter_pkey"),
        (
            insight::TALLY.to_owned(),
            span.and(named! { first_day: from, last_day: before }),
            "call_tally_pkey",
        ),
    ];
    for (sql, values, index) in hot {
        Plan::for_values(&tx, &sql, values).await.assert_uses(index, &["business_id"]);
    }
    tx.commit().await.unwrap();
    let tx = app.begin_installation(&InstallationScope::worker("explain")).await.unwrap();
    let of_all = named! { ids: vec![business_id, Uuid::from_u128(8)], since: before };
    let plan = Plan::for_values(&tx, call_health::HEALTH, of_all).await;
    plan.assert_uses("call_newest", &["business_id"]);
    let due = named! { now: before, leased_until: before, limit: 4_i64 };
    Plan::for_values(&tx, recording::CLAIM, due).await.assert_uses("recording_due", &[]);
    let page = named! {
        from: before,
        to: "2026-06-03T00:00:00Z".parse::<DateTimeUtc>().unwrap(),
        after_at: before,
        after_id: id,
        kinds: Option::<Vec<String>>::None,
        actor: Option::<String>::None,
        limit: 50_i64,
    };
    let of_business = page.clone().and(named! { business_id });
    let plan = Plan::for_values(&tx, product_event::OF_BUSINESS, of_business).await;
    plan.assert_uses("product_event_newest", &["business_id"]);
    Plan::for_values(&tx, product_event::OF_ALL, page).await.assert_uses("product_event_at", &[]);
}
