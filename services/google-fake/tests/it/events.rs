use google_fake::Fault;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{Google, MIA, event, reason};

const LIST: &str = "calendars/primary/events";

fn ids(body: &Value) -> Vec<&str> {
    body["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect()
}

fn text<'a>(body: &'a Value, name: &str) -> &'a str {
    body[name].as_str().unwrap_or_default()
}

#[tokio::test]
async fn a_sync_token_comes_on_the_last_page_and_brings_what_changed_since() {
    let google = Google::open().await;
    let access = google.access().await;
    for (n, id) in ["aaaaa", "bbbbb", "ccccc"].into_iter().enumerate() {
        google.fake.put(MIA, MIA, id, event(8 + i64::try_from(n).unwrap()));
    }
    let (_, first) = google.get(&access, &format!("{LIST}?maxResults=2")).await;
    assert_eq!((ids(&first).len(), text(&first, "nextSyncToken")), (2, ""));
    let next = format!("{LIST}?maxResults=2&pageToken={}", text(&first, "nextPageToken"));
    let (_, last) = google.get(&access, &next).await;
    assert_eq!(ids(&last), ["ccccc"]);
    let token = text(&last, "nextSyncToken");
    google.fake.delete(MIA, MIA, "bbbbb");
    google.fake.put(MIA, MIA, "ddddd", event(12));
    let (_, changed) = google.get(&access, &format!("{LIST}?maxResults=2&syncToken={token}")).await;
    assert_eq!(ids(&changed), ["bbbbb", "ddddd"]);
    assert_eq!(changed["items"][0]["status"], "cancelled");
    assert!(changed["items"][0]["summary"].is_null(), "of what is deleted only the id is sure");
    let (_, whole) = google.get(&access, LIST).await;
    assert!(!ids(&whole).contains(&"bbbbb"), "a whole listing has no tombstones");
}

#[tokio::test]
async fn a_sync_token_goes_with_no_filter_and_with_no_other_parameters_than_before() {
    let google = Google::open().await;
    let access = google.access().await;
    let (_, whole) = google.get(&access, &format!("{LIST}?maxResults=10&timeMin=2026-05-01T00:00:00Z")).await;
    let token = text(&whole, "nextSyncToken").to_owned();
    let with = |more: &str| format!("{LIST}?maxResults=10&syncToken={token}{more}");
    assert_eq!(google.get(&access, &with("")).await.0, StatusCode::OK);
    for forbidden in [
        "&timeMin=2026-05-01T00:00:00Z",
        "&timeMax=2026-05-01T00:00:00Z",
        "&updatedMin=2026-05-01T00:00:00Z",
        "&orderBy=updated",
        "&q=x",
        "&iCalUID=x",
        "&privateExtendedProperty=a%3Db",
        "&sharedExtendedProperty=a%3Db",
        "&showDeleted=false",
        "&fields=items",
    ] {
        assert_eq!(google.get(&access, &with(forbidden)).await.0, StatusCode::BAD_REQUEST, "{forbidden}");
    }
}

#[tokio::test]
async fn a_sync_token_that_is_forgotten_or_made_up_is_gone() {
    let google = Google::open().await;
    let access = google.access().await;
    let token = text(&google.get(&access, LIST).await.1, "nextSyncToken").to_owned();
    google.fake.forget(MIA, MIA);
    for token in [token.as_str(), "made-up"] {
        let (status, body) = google.get(&access, &format!("{LIST}?syncToken={token}")).await;
        assert_eq!((status, reason(&body)), (StatusCode::GONE, "fullSyncRequired"));
    }
}

#[tokio::test]
async fn an_id_is_used_once_and_a_version_is_what_was_read() {
    let google = Google::open().await;
    let access = google.access().await;
    let with_id = |id: &str| json!({ "id": id, "start": event(9)["start"], "end": event(9)["end"] });
    let insert = async |id: &str| google.call(&access, (Method::POST, LIST), None, Some(with_id(id))).await;
    for invalid in ["abcd", "with-hyphen", "ABCDE", "wxyzw"] {
        assert_eq!(insert(invalid).await.0, StatusCode::BAD_REQUEST, "{invalid}");
    }
    let (status, created) = insert("abcde").await;
    let etag = text(&created, "etag").to_owned();
    assert_eq!(status, StatusCode::OK);
    assert_eq!(insert("abcde").await.0, StatusCode::CONFLICT);
    let path = format!("{LIST}/abcde");
    let put =
        async |etag: &str| google.call(&access, (Method::PUT, &path), Some(etag), Some(event(10))).await;
    let (_, updated) = put(&etag).await;
    let (status, body) = put(&etag).await;
    assert_eq!((status, reason(&body)), (StatusCode::PRECONDITION_FAILED, "conditionNotMet"));
    let delete = async |etag: &str| google.call(&access, (Method::DELETE, &path), Some(etag), None).await.0;
    assert_eq!(delete(&etag).await, StatusCode::PRECONDITION_FAILED);
    assert_eq!(delete(text(&updated, "etag")).await, StatusCode::NO_CONTENT);
    assert_eq!(delete(text(&updated, "etag")).await, StatusCode::GONE);
    assert_eq!(insert("abcde").await.0, StatusCode::CONFLICT, "also after it was deleted");
    let (status, gone) = google.get(&access, &path).await;
    assert_eq!((status, text(&gone, "status")), (StatusCode::OK, "cancelled"));
    assert_eq!(put(text(&gone, "etag")).await.0, StatusCode::OK, "an update brings it back");
}

#[tokio::test]
async fn an_event_without_a_time_or_with_an_empty_one_is_refused() {
    let google = Google::open().await;
    let access = google.access().await;
    let insert = async |event: Value| google.call(&access, (Method::POST, LIST), None, Some(event)).await;
    let (status, body) = insert(json!({ "summary": "x" })).await;
    assert_eq!((status, reason(&body)), (StatusCode::BAD_REQUEST, "required"));
    let backwards = json!({ "start": event(10)["start"], "end": event(9)["start"] });
    assert_eq!(reason(&insert(backwards).await.1), "timeRangeEmpty");
    let holidays = "calendars/holidays/events";
    let (status, body) = google.call(&access, (Method::POST, holidays), None, Some(event(9))).await;
    assert_eq!((status, reason(&body)), (StatusCode::FORBIDDEN, "requiredAccessLevel"));
}

#[tokio::test]
async fn a_series_has_instances_with_what_differs_from_it() {
    let google = Google::open().await;
    let access = google.access().await;
    let mut series = event(9);
    series["recurrence"] = json!(["RRULE:FREQ=DAILY;COUNT=4"]);
    google.fake.put(MIA, MIA, "series", series);
    let exception = |day: u8, status: &str| {
        let mut event = event(15);
        event["recurringEventId"] = json!("series");
        event["originalStartTime"] = json!({ "dateTime": format!("2026-06-0{day}T09:00:00Z") });
        event["status"] = json!(status);
        event
    };
    google.fake.put(MIA, MIA, "series_20260602T090000Z", exception(2, "cancelled"));
    google.fake.put(MIA, MIA, "series_20260603T090000Z", exception(3, "confirmed"));
    let (_, listed) = google.get(&access, LIST).await;
    assert_eq!(ids(&listed), ["series", "series_20260602T090000Z", "series_20260603T090000Z"]);
    let path = format!("{LIST}/series/instances?timeMin=2026-06-01T12:00:00Z&timeMax=2026-07-01T00:00:00Z");
    let (_, found) = google.get(&access, &path).await;
    assert_eq!(ids(&found), ["series_20260603T090000Z", "series_20260604T090000Z"]);
    assert_eq!(found["items"][0]["start"]["dateTime"], "2026-06-01T15:00:00Z");
}

#[tokio::test]
async fn what_is_to_go_wrong_does_and_then_no_more() {
    let google = Google::open().await;
    let access = google.access().await;
    let insert = async |id: &str| {
        let mut event = event(9);
        event["id"] = json!(id);
        google.call(&access, (Method::POST, LIST), None, Some(event)).await
    };
    google.fake.fail(Fault::Unavailable, 1);
    assert_eq!(insert("aaaaa").await.0, StatusCode::SERVICE_UNAVAILABLE);
    assert!(google.fake.events(MIA, MIA).is_empty());
    google.fake.fail(Fault::LostAnswer, 1);
    assert_eq!(insert("aaaaa").await.0, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(google.fake.events(MIA, MIA).len(), 1);
    google.fake.fail(Fault::RateLimited, 1);
    let (status, body) = insert("bbbbb").await;
    assert_eq!((status, reason(&body)), (StatusCode::FORBIDDEN, "rateLimitExceeded"));
    assert_eq!(body["error"]["errors"][0]["domain"], "usageLimits");
    google.fake.fail(Fault::TooManyRequests, 1);
    assert_eq!(insert("bbbbb").await.0, StatusCode::TOO_MANY_REQUESTS);
    google.fake.fail(Fault::Forgotten, 1);
    assert_eq!(insert("bbbbb").await.0, StatusCode::OK, "only a sync token is forgotten");
}
