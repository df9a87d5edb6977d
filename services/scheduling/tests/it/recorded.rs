//! The schedule as its last change recorded it, which stands in for the tables.

use std::collections::BTreeSet;

use proto::frontdesk::scheduling::v1::availability_service_client::AvailabilityServiceClient;
use scheduling::store::hot;
use serde_json::Value as Json;
use sqlx::AssertSqlSafe;

use crate::{
    availability::{between, request},
    salon::{COLOUR, CUT, Salon, WILLOW, anyone, local, starts, weekdays},
};

/// What a replica answers that knows nothing yet.
async fn asked_anew(salon: &Salon) -> Vec<String> {
    let mut replica = AvailabilityServiceClient::new(salon.replica().await);
    let mut found = vec![];
    for items in [vec![anyone(CUT)], vec![anyone(CUT), anyone(COLOUR)]] {
        let answer = replica.search_availability(salon.agent(request(items))).await.unwrap().into_inner();
        found.extend(starts(&answer.offers));
    }
    let morning = between(local("2026-06-02", "09:00"), local("2026-06-02", "12:00"));
    let answer = replica.search_availability(salon.agent(morning)).await.unwrap().into_inner();
    found.extend(starts(&answer.offers));
    found
}

async fn run(salon: &Salon, sql: &str) -> u64 {
    let done = sqlx::query(AssertSqlSafe(sql)).execute(&mut salon.superuser().await).await;
    done.unwrap().rows_affected()
}

#[tokio::test]
async fn a_recorded_schedule_is_believed_in_todays_format_alone() {
    let salon = Salon::open().await;
    let by_record = asked_anew(&salon).await;
    assert!(!by_record.is_empty());
    // The salon as it was recorded when it was open for an hour a day: a wrong record shows who read it.
    salon.set_hours(WILLOW, weekdays(9, 10)).await;
    let shorter = asked_anew(&salon).await;
    assert_ne!(shorter, by_record);
    salon.set_hours(WILLOW, weekdays(9, 18)).await;
    let wrong = "UPDATE schedule_version v SET schedule = jsonb_set(v.schedule, '{opening}', (
            SELECT o.schedule -> 'opening' FROM schedule_version o
            WHERE o.business_id = v.business_id AND o.version = v.version - 1))
        WHERE (v.business_id, v.version) IN (SELECT business_id, schedule_version FROM business_settings
            WHERE business_id = '{WILLOW}')";
    assert_eq!(run(&salon, &wrong.replace("{WILLOW}", &WILLOW.to_string())).await, 1);
    assert_eq!(asked_anew(&salon).await, shorter, "the record stands in for the tables");
    for format in ["NULL", "0"] {
        run(&salon, &format!("UPDATE schedule_version SET format = {format}")).await;
        assert_eq!(asked_anew(&salon).await, by_record, "format {format}: the tables count");
    }
}

#[tokio::test]
async fn an_unreadable_recorded_schedule_does_not_block_bookings() {
    let salon = Salon::open().await;
    let by_record = asked_anew(&salon).await;
    run(&salon, "UPDATE schedule_version SET schedule = '{}'").await;
    assert_eq!(asked_anew(&salon).await, by_record);
}

/// Every path there is in a value: `[]` for any element of an array, `{}` for any key that is an id.
fn paths(value: &Json, at: &str, into: &mut BTreeSet<String>) {
    match value {
        Json::Object(entries) => {
            for (key, value) in entries {
                let key = if key.parse::<uuid::Uuid>().is_ok() { "{}" } else { key };
                paths(value, &format!("{at}.{key}"), into);
            }
        }
        Json::Array(elements) => {
            elements.iter().for_each(|element| paths(element, &format!("{at}[]"), into));
        }
        _ => drop(into.insert(at.to_owned())),
    }
}

const SHAPE: [&str; 24] = [
    ".opening.week[].from",
    ".opening.week[].to",
    ".opening.week[].weekday",
    ".policy.cancellation",
    ".policy.horizon",
    ".policy.increment_minutes",
    ".policy.lead",
    ".rotas.{}.weeks[][]",
    ".rotas.{}.weeks[][][].from",
    ".rotas.{}.weeks[][][].to",
    ".rotas.{}.weeks[][][].weekday",
    ".services.{}.category",
    ".services.{}.course.buffer_after",
    ".services.{}.course.buffer_before",
    ".services.{}.course.segments[].kind",
    ".services.{}.course.segments[].minutes",
    ".services.{}.employees[]",
    ".services.{}.id",
    ".services.{}.name",
    ".services.{}.price.currency",
    ".services.{}.price.minor",
    ".services.{}.version",
    ".version",
    ".zone",
];

/// A change of the shape is written down here, with a new format.
#[tokio::test]
async fn a_schedule_is_recorded_in_the_shape_of_its_format() {
    let salon = Salon::open().await;
    let newest = format!(
        "SELECT format, schedule::text FROM schedule_version WHERE business_id = '{WILLOW}'
        ORDER BY version DESC LIMIT 1"
    );
    let newest = sqlx::query_as(AssertSqlSafe(newest)).fetch_one(&mut salon.superuser().await).await;
    let (format, schedule): (i16, String) = newest.unwrap();
    let mut shape = BTreeSet::new();
    paths(&schedule.parse().unwrap(), "", &mut shape);
    let shape: Vec<_> = shape.iter().map(String::as_str).collect();
    assert_eq!((format, shape), (hot::SCHEDULE_FORMAT, SHAPE.to_vec()));
}
