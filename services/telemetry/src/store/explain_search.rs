//! What `search_calls` reads for each filter. Plans of what a function runs are not shown, so its scans are counted.

use std::collections::BTreeMap;

use caller::{BusinessId, Worker};
use database::named;
use jiff::tz::TimeZone;
use sea_orm::{ConnectionTrait, FromQueryResult};
use uuid::Uuid;

use super::{
    After, Store, Tx,
    call_list::ListedRow,
    call_search::{Wanted, filtered_sql, values},
};
use crate::{
    domain::{CallId, CustomerId, ServiceId, call_filter::CallFilter, missed::Missed, outcome::Outcome},
    migration::Migrator,
};

const BUSINESS: BusinessId = BusinessId(Uuid::from_u128(7));
/// A page.
const LIMIT: u32 = 51;
/// More than a page takes of any index, and far less than there is.
const FEW: i64 = 1_500;
/// So many of the newest calls are looked at first where words are searched.
const NEWEST: i64 = 1_000;
/// Once: for the page itself, beside what finds it.
const PAGE: &str = "call_pkey";

/// Ten thousand calls in half a year, and as many of another business: of a kind that is rare, one in four hundred. A
/// call has a score of words of its own, and some that all have.
const FILL: &str = "
    INSERT INTO call (business_id, id, connection_id, platform_call_id, platform, first_seen_at, end_seen_at, outcome,
        runs, missed_reason, wanted_booking, failed_runs, asked_services, booked_by_team, customer_id, customer_name,
        customer_linked_at)
    SELECT lpad(to_hex(7 + n % 2), 32, '0')::uuid, md5('call' || n)::uuid, md5('connection')::uuid, n::text,
        CASE WHEN n % 401 = 0 THEN 'twilio' ELSE 'retell' END, at,
        CASE WHEN n % 401 > 1 THEN at + interval '3 minutes' END,
        CASE WHEN n % 401 > 1 THEN CASE WHEN n % 401 = 3 THEN 'MESSAGE' WHEN n % 4 < 2 THEN 'BOOKED' ELSE 'ANSWERED' END END,
        jsonb_build_object('latencies', jsonb_build_object((20 + n % 10)::text, 1)),
        CASE n % 401 WHEN 5 THEN 'NO_FREE_TIME' WHEN 7 THEN 'FAULT' END, n % 4 < 2,
        CASE n % 401 WHEN 9 THEN 1 ELSE 0 END,
        ARRAY[lpad(to_hex(CASE n % 401 WHEN 11 THEN 5 ELSE 100 + n % 9 END), 32, '0')::uuid], n % 401 = 13,
        md5('customer' || n % 5000)::uuid, 'Ana', at
    FROM (SELECT n, timestamptz '2025-06-01 06:00Z' + n * interval '13 minutes' AS at
        FROM generate_series(1, 20000) n) calls;
    INSERT INTO call_words (business_id, call_id, started_at, words)
    SELECT business_id, id, started_at, to_tsvector('simple', 'please thanks hello '
        || (SELECT string_agg(substr(md5((n * i)::text), 1, 6), ' ') FROM generate_series(1, 20) i)
        || CASE WHEN n % 401 = 15 THEN ' zither' ELSE '' END)
    FROM (SELECT *, platform_call_id::bigint AS n FROM call) c;
    ANALYZE;";

/// Scans of this transaction and of those right before it. Statements of a business name it.
const SCANS: &str = "SELECT relname::text AS relation, pg_stat_get_xact_numscans(oid) AS scans,
        pg_stat_get_xact_tuples_returned(oid) AS entries
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname ~ '^call' AND relkind IN ('i', 'r')
        AND :business_id::uuid IS NOT NULL";

#[derive(Debug, FromQueryResult)]
struct Scans {
    relation: String,
    scans: i64,
    entries: i64,
}

async fn scans(tx: &Tx) -> BTreeMap<String, (i64, i64)> {
    let rows = tx.rows::<Scans>(SCANS, named! { business_id: BUSINESS.0 }).await.unwrap();
    rows.into_iter().map(|Scans { relation, scans, entries }| (relation, (scans, entries))).collect()
}

/// What a page of the list reads: entries by index or table, without those of the page itself.
async fn read(store: &Store, wanted: &Wanted) -> (usize, BTreeMap<String, i64>) {
    let tx = store.begin(&Worker::new("explain", BUSINESS));
    let before = scans(&tx).await;
    let after = After { started_at: wanted.filter.span(&TimeZone::UTC).to, id: CallId(Uuid::nil()) };
    let page = tx.rows::<ListedRow>(&filtered_sql(), values(BUSINESS.0, wanted, after, LIMIT)).await.unwrap();
    let read = scans(&tx).await.into_iter().filter_map(|(relation, (scans, entries))| {
        let (scanned, known) = before.get(&relation).copied().unwrap_or_default();
        (scans > scanned).then_some((relation, entries - known))
    });
    (page.len(), read.collect())
}

#[tokio::test]
async fn a_page_of_filtered_calls_reads_the_index_of_its_filter_and_little_of_it() {
    let database = testkit::database::<Migrator>(crate::SERVICE).await;
    let superuser = sea_orm::Database::connect(&database.superuser_url).await.unwrap();
    superuser.execute_unprepared(FILL).await.unwrap();
    let (host, _) = testkit::host(crate::SERVICE);
    let store = Store::new(database.connect(&host).await);
    let all = CallFilter::default;
    let words = |words: &str| CallFilter { words: Some(words.to_owned()), ..all() };
    let filters = [
        ("call_by_team", CallFilter { booked_by_team: Some(true), ..all() }),
        ("call_newest", CallFilter { booked_by_team: Some(false), ..all() }),
        ("call_live", CallFilter { live: Some(true), ..all() }),
        ("call_by_outcome", CallFilter { outcomes: vec![Outcome::Message], ..all() }),
        ("call_newest", CallFilter { outcomes: vec![Outcome::Answered], ..all() }),
        ("call_by_platform", CallFilter { platform: Some("twilio".to_owned()), ..all() }),
        ("call_missed", CallFilter { missed: Some(Missed::NoFreeTime), ..all() }),
        ("call_failed", CallFilter { failed_tool: true, ..all() }),
        ("call_asked", CallFilter { service: Some(ServiceId(Uuid::from_u128(5))), ..all() }),
        ("call_words_search", words("zither")),
        ("call_words_search", words("no such word")),
        ("call_words_newest", words("please thanks")),
        ("call_words_newest", CallFilter { outcomes: vec![Outcome::Booked], ..words("hel") }),
    ];
    for (index, filter) in filters {
        let wanted = Wanted { filter, ..Wanted::default() };
        let (calls, read) = read(&store, &wanted).await;
        assert!(read.contains_key(index), "{index} is not read for {:?}: {read:?}", wanted.filter);
        let tables = ["call", "call_words"].map(|table| read.contains_key(table));
        assert_eq!(tables, [false; 2], "a whole table is read for {:?}: {read:?}", wanted.filter);
        let entries: i64 = read.values().sum();
        assert!(entries <= FEW, "much is read for {:?}, {calls} calls: {read:?}", wanted.filter);
        let of_page = read.get(PAGE).copied().unwrap_or_default();
        assert!(of_page <= 4 * i64::from(LIMIT), "many calls are read for {:?}: {read:?}", wanted.filter);
    }
    let common = read(&store, &Wanted { filter: words("please thanks"), ..Wanted::default() }).await.1;
    assert!(!common.contains_key("call_words_search"), "that gives all calls with them: {common:?}");
    let ana = Wanted {
        customer: Some(CustomerId(Uuid::from_u128(1))),
        filter: words("zither"),
        ..Wanted::default()
    };
    let of_customer = read(&store, &ana).await.1;
    assert!(of_customer.values().sum::<i64>() <= FEW, "{of_customer:?}");
    for (index, filter) in [
        ("call_missed", CallFilter { missed: Some(Missed::NoFreeTime), ..words("please") }),
        ("call_by_outcome", CallFilter { outcomes: vec![Outcome::Message], ..words("please") }),
        ("call_by_platform", CallFilter { platform: Some("twilio".to_owned()), ..words("thanks") }),
    ] {
        let (calls, read) = read(&store, &Wanted { filter, ..Wanted::default() }).await;
        // The newest calls are looked at by their words, and then those that pass the filter.
        let (newest, passed) = (2 * NEWEST, read[index] / 2);
        assert!(calls > 20 && passed < FEW / 20, "{read:?}");
        let entries: i64 = read.values().sum();
        assert!(entries <= newest + 6 * passed, "much is read for {index}, {calls} calls: {read:?}");
    }
}

/// Fifty thousand calls in a year. One in twenty was missed, most by a fault of ours; six in ten have a common word.
const FILL_COMMON: &str = "
    INSERT INTO call (business_id, id, connection_id, platform_call_id, platform, first_seen_at, end_seen_at, outcome,
        runs, missed_reason)
    SELECT lpad(to_hex(7), 32, '0')::uuid, md5('call' || n)::uuid, md5('connection')::uuid, n::text, 'retell', at,
        at + interval '3 minutes', 'ANSWERED', jsonb_build_object('services', '[]'::jsonb, 'latest', NULL, 'failed', 0,
            'latencies', '{}'::jsonb), CASE WHEN n % 20 = 0 THEN 'FAULT' END
    FROM (SELECT n, timestamptz '2025-06-01 06:00Z' + n * interval '10 minutes' AS at
        FROM generate_series(1, 50000) n) calls;
    INSERT INTO call_words (business_id, call_id, started_at, words)
    SELECT business_id, id, started_at,
        CASE WHEN (hashtext(platform_call_id) & 1023) < 614 THEN 'please' ELSE 'thanks' END::tsvector
    FROM call;
    ANALYZE;";
const MISSED_WITH_PLEASE: &str = "SELECT c.id FROM call c
    JOIN call_words w ON w.business_id = c.business_id AND w.call_id = c.id
    WHERE c.business_id = :business_id AND c.missed_reason = 'FAULT' AND w.words @@ 'please'
    ORDER BY c.started_at DESC, c.id DESC";

#[derive(Debug, FromQueryResult)]
struct Found {
    id: Uuid,
}

#[tokio::test]
async fn calls_with_a_common_word_that_pass_a_rare_filter_are_found_page_by_page() {
    let database = testkit::database::<Migrator>(crate::SERVICE).await;
    let superuser = sea_orm::Database::connect(&database.superuser_url).await.unwrap();
    superuser.execute_unprepared(FILL_COMMON).await.unwrap();
    let (host, _) = testkit::host(crate::SERVICE);
    let store = Store::new(database.connect(&host).await);
    let tx = store.begin(&Worker::new("explain", BUSINESS));
    let all = tx.rows::<Found>(MISSED_WITH_PLEASE, named! { business_id: BUSINESS.0 }).await.unwrap();
    assert!(all.len() > 1_000, "{}", all.len());
    let filter =
        CallFilter { missed: Some(Missed::Fault), words: Some("please".to_owned()), ..CallFilter::default() };
    let wanted = Wanted { filter, ..Wanted::default() };
    let (mut found, mut after) = (vec![], None);
    while let page = tx.filtered_calls(&wanted, after, 200).await.unwrap()
        && let Some(last) = page.last()
    {
        after = Some(After { started_at: last.started_at, id: last.id });
        found.extend(page.iter().map(|call| call.id.0));
    }
    assert_eq!(found, all.into_iter().map(|row| row.id).collect::<Vec<_>>());
}
