//! How Postgres runs the hot queries as the app role, under the policies.

use caller::{BusinessId, InstallationScope, Worker};
use chrono::{DateTime, TimeZone, Utc};
use database::{Named, named};
use tenancy::store::{
    AGENT_PUBLICATIONS, CUSTOMER_BY_ID, CUSTOMER_NOTES, CUSTOMERS_BY_NAME, CUSTOMERS_BY_PHONE,
    CUSTOMERS_LIKE, CUSTOMERS_NAMED, DONE_FOLLOW_UPS, EMPLOYEE_ANYWHERE, EMPLOYEES_BY_NAME,
    FOLLOW_UPS_OF_CALL, FOLLOW_UPS_OF_CUSTOMER, FOLLOW_UPS_OF_PHONE, IMPORT_LINES, ITEMS_BY_NAME, ITEMS_LIKE,
    ITEMS_OF_CATEGORY, LOW_ITEMS, OPEN_FOLLOW_UPS, PINNED_NOTES, SEALED_CONNECTIONS, SETUPS, STOCK_MOVEMENTS,
    SUPPLIERS_BY_NAME, VOICE_CONNECTIONS_BY_LABEL,
};
use testkit::Plan;
use uuid::Uuid;

use crate::stage::Stage;

/// The business with as many rows as all others together.
const BIG: BusinessId = BusinessId(Uuid::from_u128(1));

const FILL: &str = "
    CREATE FUNCTION pg_temp.id(n int) RETURNS uuid LANGUAGE sql AS
        $$ SELECT lpad(to_hex(n), 32, '0')::uuid $$;
    INSERT INTO business (business_id, name, time_zone, version, created_at)
        SELECT pg_temp.id(n), 'Salon ' || n, 'Europe/London', 1, '2026-06-01' FROM generate_series(1, 3000) n;
    INSERT INTO customer (id, business_id, name, phone, version, created_at)
        SELECT pg_temp.id(n), pg_temp.id(CASE WHEN n <= 3000 THEN 1 ELSE n - 2999 END), 'Customer ' || n,
               '+44' || (2079460000 + n % 2500), 1, '2026-06-01' FROM generate_series(1, 5999) n;
    INSERT INTO employee (id, business_id, name, version, created_at)
        SELECT pg_temp.id(n), pg_temp.id(CASE WHEN n <= 3000 THEN 1 ELSE n - 2999 END), 'Employee ' || n,
               1, '2026-06-01' FROM generate_series(1, 5999) n;
    INSERT INTO data_key (id, business_id, master_key, sealed, created_at)
        SELECT pg_temp.id(n), pg_temp.id(n), 'first', '', '2026-06-01' FROM generate_series(1, 3000) n;
    INSERT INTO voice_connection (id, business_id, platform, label, data_key_id, sealed_secret, created_at)
        SELECT pg_temp.id(n), pg_temp.id(n), 'RETELL', 'Line ' || n, pg_temp.id(n), '', '2026-06-01'
        FROM generate_series(1, 3000) n;
    INSERT INTO agent_publication (business_id, connection_id, wish, wanted_version)
        SELECT pg_temp.id(n), pg_temp.id(n), 1, 1 FROM generate_series(1, 3000) n;
    INSERT INTO agent_version (business_id, version, settings, published_by, published_at)
        SELECT pg_temp.id(n), 1, '{}', '', '2026-06-01' FROM generate_series(1, 3000) n;
    INSERT INTO call_check (business_id, connection_id, first_at, seen_until)
        SELECT pg_temp.id(n), pg_temp.id(n), '2026-06-01', '2026-06-01' FROM generate_series(1, 3000) n;
    INSERT INTO unread_call (business_id, connection_id, platform_call_id, attempts, reason, attempted_at)
        SELECT pg_temp.id(n), pg_temp.id(n), 'call', 9, 'not in the list', '2026-06-01'
        FROM generate_series(1, 3000) n;
    INSERT INTO follow_up (id, business_id, text, customer_id, employee_id, due_at, created_by, created_at, done_by,
            done_at, version)
        SELECT pg_temp.id(n), pg_temp.id(CASE WHEN n <= 3000 THEN 1 ELSE n - 2999 END), 'Call back', pg_temp.id(n),
            pg_temp.id(n), '2026-06-01'::timestamptz + n * interval '1 minute', '', '2026-06-01',
            CASE WHEN n % 2 = 0 THEN '' END, CASE WHEN n % 2 = 0 THEN now() END, 1 FROM generate_series(1, 5999) n;
    INSERT INTO follow_up (id, business_id, text, phone, due_at, created_by, created_at, version)
        SELECT pg_temp.id(n), pg_temp.id(1), 'Call back', '+44' || (2079460000 + n), '2026-06-01', '', '2026-06-01', 1
        FROM generate_series(6001, 6500) n;
    INSERT INTO supplier (id, business_id, name, version, created_at)
        SELECT pg_temp.id(n), pg_temp.id(CASE WHEN n <= 3000 THEN 1 ELSE n - 2999 END), 'Supplier ' || n,
               1, '2026-06-01' FROM generate_series(1, 5999) n;
    INSERT INTO item (id, business_id, name, category, tax_basis_points, low_stock_at, unit, version, revision, created_at,
            on_hand)
        SELECT pg_temp.id(n), pg_temp.id(CASE WHEN n <= 3000 THEN 1 ELSE n - 2999 END), 'Item ' || n,
               'Category ' || n % 9, 0, 5, '', 1, 1, '2026-06-01', n % 60 FROM generate_series(1, 5999) n;
    INSERT INTO stock_movement (business_id, id, item_id, number, kind, quantity, on_hand, created_by, created_at)
        SELECT pg_temp.id(1), pg_temp.id(n), pg_temp.id(1 + n % 100), n, 'RECEIVED', 1, 1, '', '2026-06-01'
        FROM generate_series(1, 6000) n;
    INSERT INTO import (business_id, id, kind, state, line_count, checked_count, bad_count, imported_count,
            failed_count, created_by, created_at)
        SELECT pg_temp.id(1), pg_temp.id(n), 'ITEMS', 'CHECKED', 0, 0, 0, 0, 0, '', '2026-06-01'
        FROM generate_series(1, 60) n;
    INSERT INTO import_line (business_id, import_id, line, state, cells)
        SELECT pg_temp.id(1), pg_temp.id(1 + n % 60), n, CASE WHEN n % 100 = 0 THEN 'BAD' ELSE 'GOOD' END, '[]'
        FROM generate_series(1, 6000) n;
    INSERT INTO customer_note (business_id, id, customer_id, text, pinned, created_by, created_at, version)
        SELECT pg_temp.id(1), pg_temp.id(n), pg_temp.id(1 + n % 100), 'Likes tea', n % 7 = 0, '',
            '2026-06-01'::timestamptz + n * interval '1 minute', 1 FROM generate_series(1, 6000) n;
    ANALYZE;";

fn page(name: &str, id: u128) -> Named {
    named! { after_name: name, after_id: Uuid::from_u128(id), limit: 51_i64, business_id: BIG.0 }
}

async fn filled() -> (Stage, database::Database) {
    let stage = Stage::empty().await;
    sqlx::raw_sql(FILL).execute(&mut stage.superuser().await).await.unwrap();
    let database = stage.database.connect(&stage.host).await;
    (stage, database)
}

#[tokio::test]
async fn hot_reads_of_a_business_use_an_index_under_row_level_security() {
    let (_stage, database) = filled().await;
    let tx = database.begin(&Worker::new("test", BIG)).await.unwrap();

    let values = page("", 0).and(named! { phone: "+442079460777", reach: Option::<Vec<Uuid>>::None });
    let plan = Plan::for_values(&tx, CUSTOMERS_BY_PHONE, values).await;
    plan.assert_uses("customer_by_phone", &["(business_id = ", "(phone = "]);

    let names: Vec<String> = (1..=200).map(|n| format!("CUSTOMER {n}")).collect();
    let plan = Plan::for_values(&tx, CUSTOMERS_NAMED, named! { business_id: BIG.0, names }).await;
    plan.assert_uses("customer_by_folded_name", &["(business_id = ", "(folded_name = ANY"]);

    for (sql, index) in [
        (CUSTOMERS_BY_NAME, "customer_by_name"),
        (VOICE_CONNECTIONS_BY_LABEL, "voice_connection_by_label"),
        (AGENT_PUBLICATIONS, "voice_connection_by_label"),
    ] {
        for after in [page("", 0), page("Customer 2", 2)] {
            let plan = Plan::for_values(&tx, sql, after).await;
            plan.assert_no_sort().assert_uses(index, &["(business_id = ", "ROW("]);
        }
    }

    for former in [None, Some(false), Some(true)] {
        for after in [page("", 0), page("Customer 2", 2)] {
            let now = "2026-06-02T00:00:00Z".parse::<DateTime<Utc>>().unwrap();
            let plan = Plan::for_values(&tx, EMPLOYEES_BY_NAME, after.and(named! { former, now })).await;
            plan.assert_no_sort().assert_uses("employee_by_name", &["(business_id = ", "ROW("]);
        }
    }

    for (sql, index) in [(OPEN_FOLLOW_UPS, "follow_up_open"), (DONE_FOLLOW_UPS, "follow_up_done")] {
        for after in ["0001-01-01T00:00:00Z", "2026-06-02T00:00:00Z"] {
            let values = named! {
                business_id: BIG.0,
                after_due: after.parse::<DateTime<Utc>>().unwrap(),
                after_id: Uuid::from_u128(2),
                limit: 51_i64,
            };
            let plan = Plan::for_values(&tx, sql, values).await;
            plan.assert_no_sort().assert_uses(index, &["(business_id = ", "ROW("]);
        }
    }

    let open = || {
        named! {
            business_id: BIG.0,
            done: false,
            after_due: "0001-01-01T00:00:00Z".parse::<DateTime<Utc>>().unwrap(),
            after_id: Uuid::nil(),
            limit: 51_i64,
        }
    };
    for (sql, of, index, condition) in [
        (FOLLOW_UPS_OF_CALL, named! { call_id: Uuid::from_u128(7) }, "follow_up_of_call", "(call_id = "),
        (
            FOLLOW_UPS_OF_CUSTOMER,
            named! { customer_id: Uuid::from_u128(7) },
            "follow_up_of_customer",
            "(customer_id = ",
        ),
        (FOLLOW_UPS_OF_PHONE, named! { phone: "+442079460777" }, "follow_up_of_phone", "(phone = "),
    ] {
        Plan::for_values(&tx, sql, open().and(of)).await.assert_uses(index, &["(business_id = ", condition]);
    }

    let values = page("", 0).and(named! {
        words: vec!["zoe".to_owned()], digits: "", dialled: "", reach: Option::<Vec<Uuid>>::None,
    });
    let plan = Plan::for_values(&tx, CUSTOMERS_LIKE, values).await;
    plan.assert_uses("customer_pkey", &["(business_id = "]);

    let last = Utc.with_ymd_and_hms(9999, 1, 1, 0, 0, 0).unwrap();
    let values = named! {
        business_id: BIG.0, customer_id: Uuid::from_u128(7), pinned: true, created_at: last,
        id: Uuid::max(), limit: 51_i64,
    };
    let plan = Plan::for_values(&tx, CUSTOMER_NOTES, values).await;
    plan.assert_uses("customer_note_of", &["(business_id = ", "(customer_id = "]);
    plan.assert_uses("customer_parts", &["(business_id = ", "(merged_into = "]);

    let values = named! { business_id: BIG.0, customer_ids: vec![Uuid::from_u128(7), Uuid::from_u128(8)] };
    let plan = Plan::for_values(&tx, PINNED_NOTES, values).await;
    plan.assert_uses("customer_note_of", &["(business_id = ", "(customer_id = "]);
    plan.assert_uses("customer_parts", &["(business_id = ", "(merged_into = "]);

    let values = named! { business_id: BIG.0, id: Uuid::from_u128(7) };
    let plan = Plan::for_values(&tx, CUSTOMER_BY_ID, values).await;
    // Either of the two indexes on the id will do.
    let index = plan.indexes().into_iter().find(|index| index.starts_with("customer_"));
    plan.assert_no_sort().assert_uses(index.unwrap(), &["(id = "]);
}

#[tokio::test]
async fn hot_reads_of_items_and_imports_use_an_index_under_row_level_security() {
    let (_stage, database) = filled().await;
    let tx = database.begin(&Worker::new("test", BIG)).await.unwrap();
    let of = |values: Named| values.and(named! { supplier_id: Option::<Uuid>::None });
    for after in [|| page("", 0), || page("Item 2", 2)] {
        let plan = Plan::for_values(&tx, SUPPLIERS_BY_NAME, after()).await;
        plan.assert_no_sort().assert_uses("supplier_by_name", &["(business_id = ", "ROW("]);
        let plan = Plan::for_values(&tx, ITEMS_BY_NAME, of(after()).and(named! { archived: false })).await;
        plan.assert_no_sort().assert_uses("item_by_name", &["(business_id = ", "ROW("]);
        let category = of(after()).and(named! { archived: false, category: "Category 3" });
        let plan = Plan::for_values(&tx, ITEMS_OF_CATEGORY, category).await;
        plan.assert_no_sort().assert_uses("item_by_category", &["(business_id = ", "ROW("]);
        let low = of(after()).and(named! { category: Option::<String>::None });
        let plan = Plan::for_values(&tx, LOW_ITEMS, low).await;
        plan.assert_no_sort().assert_uses("item_low", &["(business_id = ", "ROW("]);
    }
    let nothing_else = named! {
        archived: false, low: false, category: Option::<String>::None, supplier_id: Option::<Uuid>::None,
    };
    let words = page("", 0).and(named! { words: vec!["item".to_owned()] }).and(nothing_else);
    Plan::for_values(&tx, ITEMS_LIKE, words).await.assert_uses("item_pkey", &["(business_id = "]);
    let values = named! { business_id: BIG.0, item_id: Uuid::from_u128(7), before: i64::MAX, limit: 51_i64 };
    let plan = Plan::for_values(&tx, STOCK_MOVEMENTS, values).await;
    plan.assert_uses("stock_movement_number", &["(business_id = ", "(item_id = ", "(number < "])
        .assert_uses("stock_movement_counts", &["(business_id = ", "(item_id = "]);
    let values = named! {
        business_id: BIG.0, id: Uuid::from_u128(7), state: "BAD", after: 0, limit: 51_i64,
    };
    let plan = Plan::for_values(&tx, IMPORT_LINES, values).await;
    plan.assert_no_sort().assert_uses("import_line_state", &["(business_id = ", "(import_id = "]);
}

#[tokio::test]
async fn opening_a_connection_uses_indexes_across_businesses() {
    let (_stage, database) = filled().await;
    let tx = database.begin_installation(&InstallationScope::worker("test")).await.unwrap();
    let plan = Plan::for_values(&tx, SEALED_CONNECTIONS, named! { id: Uuid::from_u128(7) }).await;
    plan.assert_no_sort().assert_uses("voice_connection_by_id", &["(id = "]);

    let plan = Plan::for_values(&tx, EMPLOYEE_ANYWHERE, named! { id: Uuid::from_u128(7) }).await;
    plan.assert_no_sort().assert_uses("employee_by_id", &["(id = "]);

    let ids: Vec<Uuid> = (2..=51).map(Uuid::from_u128).collect();
    Plan::for_values(&tx, SETUPS, named! { ids })
        .await
        .assert_uses("business_pkey", &[])
        .assert_no_table_scan();
}
