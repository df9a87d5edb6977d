//! Lists of a hundred thousand rows, read page by page from end to end.

use core::time::Duration;
use std::time::Instant;

use anyhow::Context;
use sea_orm::{ConnectOptions, ConnectionTrait, Database};

use super::{BenchArgs, load::Latencies, print};
use crate::{
    demo::id,
    stack::{Secrets, plan::postgres_url},
    visitor::{Visitor, below},
};

/// A thousand pages of a hundred thousand rows.
const PAGE: usize = 100;
/// First pages, and last ones, that are timed.
const TIMED: usize = 40;
/// The lists, and where they are read.
const LISTS: [(&str, &str); 4] = [
    ("items", "items?"),
    ("employees", "employees?"),
    ("changes", "audit-entries?"),
    ("imports", "imports?kind=IMPORT_KIND_CUSTOMERS&"),
];

/// Prints how long the first page of each list takes, and how long the last ones do.
pub async fn measure(args: &BenchArgs, secrets: &Secrets, salon: &str) -> anyhow::Result<()> {
    fill(args, secrets, salon).await.context("the salon's lists")?;
    let admin = Visitor::sign_in(&args.url, "admin").await?;
    for (name, path) in LISTS {
        let Ends { rows, first, last } =
            ends(&admin, salon, path).await.with_context(|| format!("reading the {name}"))?;
        print(&format!("page 1 of {rows} {name}, {PAGE} each, p95"), "≤ 50 ms", &ms(first));
        print("the last pages of them, p95", "as page 1", &ms(last));
    }
    Ok(())
}

/// How long the ends of a list take to read.
pub struct Ends {
    /// Rows between them.
    pub rows: usize,
    /// The first page.
    pub first: Duration,
    /// The last pages.
    pub last: Duration,
}

/// Reads a list of a salon from end to end; `path` ends where its page is asked for.
pub async fn ends(admin: &Visitor, salon: &str, path: &str) -> anyhow::Result<Ends> {
    let page = |token: &str| below(salon, &format!("{path}pageSize={PAGE}&pageToken={token}"));
    let p95 = |taken: Vec<Duration>| Latencies::from(taken).quantile(0.95);
    let mut first = vec![];
    for _ in 0..TIMED {
        let began = Instant::now();
        admin.get(&page("")).await?;
        first.push(began.elapsed());
    }
    let (mut taken, mut token) = (vec![], String::new());
    loop {
        let began = Instant::now();
        let answer = admin.get(&page(&token)).await?;
        taken.push(began.elapsed());
        token = answer["nextPageToken"].as_str().unwrap_or_default().to_owned();
        if token.is_empty() {
            let rows = taken.len() * PAGE;
            let last = taken.split_off(taken.len().saturating_sub(TIMED));
            return Ok(Ends { rows, first: p95(first), last: p95(last) });
        }
    }
}

/// A time in milliseconds.
pub fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

/// Puts the rows into the database itself: what is measured is reading them. Triggers note each as a change.
async fn fill(args: &BenchArgs, secrets: &Secrets, salon: &str) -> anyhow::Result<()> {
    let rows = args.customers;
    let number = "lpad(n::text, 6, '0')";
    let id = |kind: &str| format!("md5('{salon} {kind} ' || n)::uuid");
    let [item, employee, import] = ["item", "employee", "import"].map(id);
    let sql = format!(
        "INSERT INTO item (business_id, id, name, category, tax_basis_points, unit, version, revision, created_at)
            SELECT '{salon}', {item}, 'Item ' || {number}, 'Care', 2000, 'piece', 1, 1, '2026-01-01'
            FROM generate_series(1, {rows}) n ON CONFLICT DO NOTHING;
        INSERT INTO employee (business_id, id, name, version, created_at)
            SELECT '{salon}', {employee}, 'Employee ' || {number}, 1, '2026-01-01'
            FROM generate_series(1, {rows}) n ON CONFLICT DO NOTHING;
        INSERT INTO import (business_id, id, kind, state, line_count, checked_count, bad_count, imported_count,
                failed_count, created_by, created_at, finished_at)
            SELECT '{salon}', {import}, 'CUSTOMERS', 'DONE', 1, 1, 0, 1, 0, 'service:bench',
                now() - n * interval '1 second', now()
            FROM generate_series(1, {rows}) n ON CONFLICT DO NOTHING;
        ANALYZE item, employee, import, change_entry;"
    );
    superuser(args, secrets, "tenancy", &sql).await
}

/// Has a database do what no service does.
async fn superuser(args: &BenchArgs, secrets: &Secrets, database: &str, sql: &str) -> anyhow::Result<()> {
    let password = secrets.get("postgres-superuser")?;
    let url = postgres_url(args.base_port, "postgres", &password, database);
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    let connection = Database::connect(options).await?;
    let done = connection.execute_unprepared(sql).await;
    connection.close().await?;
    done.map(drop).map_err(Into::into)
}

/// The salon whose lists are long.
#[must_use]
pub fn salon() -> String {
    id("bench-customers", 0)
}

/// Has bookings noted as changes again, or not: what the notes cost is the difference.
pub async fn note_bookings(args: &BenchArgs, secrets: &Secrets, noted: bool) -> anyhow::Result<()> {
    let what = if noted { "ENABLE" } else { "DISABLE" };
    let sql = format!("ALTER TABLE appointment {what} TRIGGER note_change;");
    superuser(args, secrets, "scheduling", &sql).await.context("the notes of bookings")
}
