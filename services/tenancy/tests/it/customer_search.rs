//! Customers found by what an employee types.

use core::time::Duration;
use std::time::Instant;

use caller::Worker;
use database::named;
use proto::frontdesk::tenancy::v1::ListCustomersRequest;
use sea_orm::ConnectionTrait;
use serde_json::Value as Json;
use sqlx::AssertSqlSafe;
use tenancy::store::CUSTOMERS_LIKE;
use uuid::Uuid;

use crate::stage::{LINDE, Stage, WILLOW, assert_field_refused};

fn typed(query: &str) -> ListCustomersRequest {
    ListCustomersRequest {
        business_id: WILLOW.to_string(),
        query: query.to_owned(),
        ..ListCustomersRequest::default()
    }
}

async fn found(stage: &Stage, query: &str) -> Vec<String> {
    let response = stage.customers().list_customers(stage.employee_of(WILLOW, typed(query))).await;
    response.unwrap().into_inner().customers.into_iter().map(|customer| customer.name).collect()
}

#[tokio::test]
async fn a_few_letters_find_names_whatever_their_accents_order_and_hyphens() {
    let stage = Stage::open().await;
    for (name, phone) in [
        ("Zoë Brontë-Jones", "07700 900 123"),
        ("Zoe Miller", "07700 900 456"),
        ("Anzo 100%", ""),
        ("José Ángel", ""),
    ] {
        stage.customer(WILLOW, name, phone).await;
    }
    stage.customer(LINDE, "Zoe Other", "").await;
    assert_eq!(found(&stage, "zoe").await, ["Zoë Brontë-Jones", "Zoe Miller"]);
    assert_eq!(found(&stage, "JON zoë").await, ["Zoë Brontë-Jones"]);
    assert_eq!(found(&stage, "ange jose").await, ["José Ángel"]);
    assert_eq!(found(&stage, "100%").await, ["Anzo 100%"]);
    assert_eq!(found(&stage, "%").await, [""; 0]);
    assert_eq!(found(&stage, "0123").await, ["Zoë Brontë-Jones"]);
    assert_eq!(found(&stage, "07700 900").await, ["Zoë Brontë-Jones", "Zoe Miller"]);
    assert_eq!(found(&stage, "").await.len(), 4);
}

#[tokio::test]
async fn the_last_digits_of_a_number_find_it_and_so_do_its_first_as_it_is_dialled() {
    let stage = Stage::open().await;
    stage.customer(WILLOW, "Ana", "07700 900 012").await;
    stage.customer(WILLOW, "Ben", "07700 901 212").await;
    stage.customer(WILLOW, "Cleo", "+49 30 901820").await;
    stage.customer(WILLOW, "Dina", "").await;
    stage.customer(LINDE, "Ed", "+44 7700 900 012").await;
    assert_eq!(found(&stage, "0012").await, ["Ana"], "zeros count");
    assert_eq!(found(&stage, "1212").await, ["Ben"]);
    assert_eq!(found(&stage, "0770").await, ["Ana", "Ben"]);
    assert_eq!(found(&stage, "0044 7700 9012").await, ["Ben"]);
    assert_eq!(found(&stage, "+49").await, [""; 0], "fewer digits than three are words");
    assert_eq!(found(&stage, "+49 3").await, ["Cleo"]);
    assert_eq!(found(&stage, "000").await, ["Ana"]);
}

#[tokio::test]
async fn parts_of_an_e_mail_address_find_its_customer() {
    let stage = Stage::open().await;
    stage.try_customer(WILLOW, "Ana", "", "a.o'neil_2@Willow-mail.example").await.unwrap();
    stage.try_customer(WILLOW, "Ben", "", "ben@mail.example").await.unwrap();
    stage.try_customer(LINDE, "Cleo", "", "cleo@mail.example").await.unwrap();
    for query in ["a.o'neil_2@willow-mail.example", "o'neil", "A.O", "willow", "ana willow-mail"] {
        assert_eq!(found(&stage, query).await, ["Ana"], "{query}");
    }
    assert_eq!(found(&stage, "mail").await, ["Ana", "Ben"]);
    assert_eq!(found(&stage, "neil").await, [""; 0], "words are found by their beginning");
}

#[tokio::test]
async fn marks_of_a_pattern_are_letters_like_any_other() {
    let stage = Stage::open().await;
    for name in ["A_b", "Axb", r"A\b", "O'Neil $1"] {
        stage.customer(WILLOW, name, "").await;
    }
    assert_eq!(found(&stage, "a_").await, ["A_b"]);
    assert_eq!(found(&stage, r"a\").await, [r"A\b"]);
    assert_eq!(found(&stage, "o'n $1").await, ["O'Neil $1"]);
    assert_eq!(found(&stage, "'; DROP TABLE customer --").await, [""; 0]);
    assert_eq!(found(&stage, "-").await.len(), 4);
}

#[tokio::test]
async fn what_is_found_comes_in_pages() {
    let stage = Stage::open().await;
    for name in ["Zoe Adams", "Zoe Brown", "Zoe Brown", "Zoe Clark", "Ida Smith"] {
        stage.customer(WILLOW, name, "").await;
    }
    let (mut names, mut pages, mut token) = (vec![], 0, String::new());
    loop {
        let request = ListCustomersRequest { page_size: 2, page_token: token, ..typed("zoe") };
        let page = stage.customers().list_customers(stage.employee_of(WILLOW, request)).await.unwrap();
        let page = page.into_inner();
        names.extend(page.customers.into_iter().map(|customer| customer.name));
        (pages, token) = (pages + 1, page.next_page_token);
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(
        (pages, names),
        (2, ["Zoe Adams", "Zoe Brown", "Zoe Brown", "Zoe Clark"].map(str::to_owned).to_vec())
    );
}

#[tokio::test]
async fn what_is_looked_for_is_bounded_and_either_words_or_a_whole_number() {
    let stage = Stage::open().await;
    let refused = async |request: ListCustomersRequest| {
        let response = stage.customers().list_customers(stage.employee_of(WILLOW, request)).await;
        assert_field_refused(response, "query");
    };
    refused(typed(&"a".repeat(101))).await;
    refused(ListCustomersRequest { phone: "+442079460018".to_owned(), ..typed("Ana") }).await;
}

/// So many customers of one business, with a tenth as many of another, by common and rare names.
async fn filled(stage: &Stage, customers: u32) {
    let sql = format!(
        "INSERT INTO customer (business_id, id, name, phone, email, version, created_at)
         SELECT CASE WHEN n % 11 = 0 THEN '{LINDE}'::uuid ELSE '{WILLOW}'::uuid END,
             lpad(to_hex(n), 32, '0')::uuid, first || ' ' || last, '+447' || lpad((n * 7919 % 1000000000)::text, 9, '0'),
             CASE WHEN n % 2 = 0 THEN replace(lower(first || '.' || last), ' ', '.') || n || '@mail.example' END, 1, '2026-06-01'
         FROM generate_series(1, {customers} / 10 * 11) n,
         LATERAL (SELECT (ARRAY['Ana', 'Ben', 'Chloe', 'Dina', 'Emma', 'Finn', 'Grace', 'Harry', 'Ida', 'Jack'])[1 + n % 10]
             || CASE WHEN n % 3 = 0 THEN ' ' || chr(65 + n % 26) || substr(md5(n::text), 1, 4) ELSE '' END AS first,
             initcap(translate(substr(md5((n % 5000)::text), 1, 7), '0123456789', 'ghijklmnop')) AS last) names"
    );
    let mut superuser = stage.superuser().await;
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut superuser).await.unwrap();
    sqlx::raw_sql("ANALYZE customer").execute(&mut superuser).await.unwrap();
}

/// What employees type: common and rare, a letter and a whole name, digits, an address, and what is not there.
const TYPED: [&str; 14] = [
    "a", "an", "ana", "ana b", "grace", "zo", "zoe", "jack d", "0123", "0770", "07123 4", "999", "ida.",
    "qqqq",
];

#[tokio::test]
async fn a_search_reads_a_small_part_of_the_table() {
    let stage = Stage::open().await;
    filled(&stage, 20_000).await;
    let database = stage.database.connect(&stage.host).await;
    let tx = database.begin(&Worker::new("test", WILLOW)).await.unwrap();
    for (words, digits) in
        [(vec!["qqqq"], ""), (vec!["zoe"], ""), (vec!["ana"], ""), (vec!["a"], ""), (vec![], "0123")]
    {
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let values = named! {
            business_id: WILLOW.0, words: words.clone(), digits, dialled: "", reach: Option::<Vec<Uuid>>::None, after_name: "",
            after_id: Uuid::nil(), limit: 51_i64,
        };
        let explain =
            database::statement(&format!("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {CUSTOMERS_LIKE}"), values);
        let row = tx.query_one_raw(explain).await.unwrap().unwrap();
        let plan: Json = row.try_get("", "QUERY PLAN").unwrap();
        let pages = |which: &str| plan[0]["Plan"][which].as_u64().unwrap();
        let read = pages("Shared Hit Blocks") + pages("Shared Read Blocks");
        println!("{words:?} {digits:?}: {read} pages");
        assert!(read < 2_000, "{words:?} {digits:?}: {read} pages");
    }
}

#[tokio::test]
#[ignore = "half a minute, on an idle machine: `make prove`"]
async fn a_hundred_thousand_customers_are_searched_at_the_speed_of_typing() {
    let stage = Stage::open().await;
    filled(&stage, 100_000).await;
    let mut slowest = Duration::ZERO;
    for query in TYPED {
        let mut took = vec![];
        for _ in 0..40 {
            let began = Instant::now();
            found(&stage, query).await;
            took.push(began.elapsed());
        }
        took.sort();
        println!("{query:>8}: p50 {:?}, p95 {:?}", took[20], took[38]);
        slowest = slowest.max(took[38]);
    }
    assert!(slowest <= Duration::from_millis(50), "p95 of the slowest: {slowest:?}");
}
