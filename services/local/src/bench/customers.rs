//! A salon of many customers, searched as people type.

use core::time::Duration;
use std::time::Instant;

use anyhow::Context;
use boot::peer::Peer;
use caller::BusinessId;
use futures::{StreamExt, TryStreamExt, stream};
use proto::frontdesk::tenancy::v1 as tenancy;
use tonic::{Code, Status};

use super::{
    BenchArgs,
    lists::{self, Ends, ends, ms},
    load::Latencies,
    print,
};
use crate::{
    all::host,
    demo::id,
    stack::{
        Secrets,
        plan::{MEMBERS, url},
    },
    visitor::{Visitor, below},
};

/// Customers created at once while the salon is filled.
const AT_ONCE: usize = 32;
const TIMEOUT: Duration = Duration::from_secs(20);
/// How often a customer is sent to a busy database, and how long apart.
const MOST_TRIES: u32 = 50;
const BUSY: Duration = Duration::from_millis(200);
const FIRST_NAMES: [&str; 10] =
    ["Ana", "Ben", "Chloe", "Dina", "Emma", "Finn", "Grace", "Harry", "Ida", "Jack"];
const SYLLABLES: [&str; 16] = [
    "ba", "dor", "fel", "gan", "hol", "jen", "kam", "lin", "mor", "nas", "per", "ros", "sten", "tor", "vel",
    "win",
];
/// Common and rare names, a letter and a whole name, digits, an address, and what is not there.
const TYPED: [&str; 14] = [
    "a",
    "an",
    "ana",
    "ana%20b",
    "grace",
    "do",
    "dor",
    "jack%20d",
    "0123",
    "0770",
    "07123%204",
    "999",
    "ida.",
    "qqqq",
];
const SEARCHES_EACH: usize = 40;

/// Fills the salon and prints how quickly its customers are found.
pub async fn measure(args: &BenchArgs, secrets: &Secrets) -> anyhow::Result<()> {
    let salon = lists::salon();
    fill(args, secrets, &salon).await.context("the salon's customers")?;
    let admin = Visitor::sign_in(&args.url, "admin").await?;
    let (mut all, mut slowest) = (vec![], (Duration::ZERO, ""));
    for query in TYPED {
        let path = below(&salon, &format!("customers?pageSize=20&query={query}"));
        let mut taken = vec![];
        for _ in 0..SEARCHES_EACH {
            let began = Instant::now();
            admin.get(&path).await?;
            taken.push(began.elapsed());
        }
        all.extend(&taken);
        let p95 = Latencies::from(taken).quantile(0.95);
        slowest = slowest.max((p95, query));
    }
    print(
        &format!("customers found among {}, through the door, p95", args.customers),
        "≤ 50 ms",
        &ms(Latencies::from(all).quantile(0.95)),
    );
    let Ends { rows, first, last } = ends(&admin, &salon, "customers?").await?;
    print(&format!("page 1 of {rows} customers, 100 each, p95"), "≤ 50 ms", &ms(first));
    print("the last pages of them, p95", "as page 1", &ms(last));
    print(&format!("the slowest of what is typed (“{}”), p95", slowest.1), "≤ 100 ms", &ms(slowest.0));
    lists::measure(args, secrets, &salon).await
}

/// Creates the salon and its customers; those that an earlier run created are found again.
async fn fill(args: &BenchArgs, secrets: &Secrets, salon: &str) -> anyhow::Result<()> {
    let host = host(secrets, &tokio_util::sync::CancellationToken::new())?;
    let peer = Peer::lazy(MEMBERS[1].name, &url(args.base_port, MEMBERS[1]), &host)?;
    let message = tenancy::CreateBusinessRequest {
        business_id: salon.to_owned(),
        name: "A Hundred Thousand".to_owned(),
        time_zone: "Europe/London".to_owned(),
        ..Default::default()
    };
    let mut client = tenancy::business_service_client::BusinessServiceClient::new(peer.channel());
    client.create_business(peer.as_service(None, message, TIMEOUT)).await?;
    let business: BusinessId = salon.parse()?;
    stream::iter(0..args.customers)
        .map(|n| create(&peer, business, customer(salon, n)))
        .buffer_unordered(AT_ONCE)
        .try_for_each(async |()| Ok(()))
        .await?;
    Ok(())
}

/// Creates a customer; a database that is busy is asked again.
async fn create(
    peer: &Peer,
    business: BusinessId,
    customer: tenancy::CreateCustomerRequest,
) -> Result<(), Status> {
    let mut client = tenancy::customer_service_client::CustomerServiceClient::new(peer.channel());
    for _ in 0..MOST_TRIES {
        match client.create_customer(peer.as_service(Some(business), customer.clone(), TIMEOUT)).await {
            Err(status) if status.code() == Code::Unavailable => tokio::time::sleep(BUSY).await,
            answer => return answer.map(drop),
        }
    }
    Err(Status::unavailable("the database stays busy"))
}

/// The `n`th customer: ten first names, four thousand last ones, every second with an address.
fn customer(salon: &str, n: usize) -> tenancy::CreateCustomerRequest {
    let first = FIRST_NAMES[n % FIRST_NAMES.len()];
    let m = n * 7919;
    let last: String = [m, m / 16, m / 256].map(|part| SYLLABLES[part % SYLLABLES.len()]).concat();
    let email = if n.is_multiple_of(2) {
        format!("{}.{last}{n}@mail.example", first.to_lowercase())
    } else {
        String::new()
    };
    tenancy::CreateCustomerRequest {
        business_id: salon.to_owned(),
        customer_id: id("bench-customer", n),
        name: format!("{first} {}{}", last[..1].to_uppercase(), &last[1..]),
        phone: format!("+447{:09}", m % 1_000_000_000),
        email,
    }
}
