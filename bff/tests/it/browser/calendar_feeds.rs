//! What other calendars read under secret addresses.

use http::StatusCode;
use proto::{
    error::{Reason, refuse},
    frontdesk::calendarsync::internal::v1::{
        ReadCalendarFeedRequest, ReadCalendarFeedResponse,
        calendar_feed_read_service_methods::READ_CALENDAR_FEED,
    },
};

use super::stage::Stage;

const PATH: &str = "/api/calendar-feeds/c2VjcmV0.ics";

async fn stage() -> Stage {
    let stage = Stage::open().await;
    let calendar = "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".to_owned();
    stage
        .services
        .reply(&READ_CALENDAR_FEED, &ReadCalendarFeedResponse { calendar, etag: "first".to_owned() });
    stage
}

#[tokio::test]
async fn an_address_is_read_without_a_session_and_nothing_between_keeps_it() {
    let stage = stage().await;
    let answer = stage.stranger().get(PATH).await;
    assert_eq!(
        (answer.status, answer.text.as_str()),
        (StatusCode::OK, "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")
    );
    assert_eq!(answer.header("content-type"), "text/calendar; charset=utf-8");
    assert_eq!((answer.header("cache-control"), answer.header("etag")), ("private, no-cache", "\"first\""));
    let asked: ReadCalendarFeedRequest = prost::Message::decode(stage.services.last().message).unwrap();
    assert_eq!(asked.token, "c2VjcmV0");
}

#[tokio::test]
async fn what_did_not_change_is_not_sent_again() {
    let stage = stage().await;
    for known in ["\"first\"", "W/\"first\"", "\"other\", \"first\"", "*"] {
        let answer = stage.stranger().with("if-none-match", known).get(PATH).await;
        assert_eq!((answer.status, answer.text.as_str()), (StatusCode::NOT_MODIFIED, ""), "{known}");
        assert_eq!(answer.header("etag"), "\"first\"");
    }
    let answer = stage.stranger().with("if-none-match", "\"zeroth\"").get(PATH).await;
    assert_eq!(answer.status, StatusCode::OK);
}

#[tokio::test]
async fn an_address_that_is_revoked_or_none_is_not_found() {
    let stage = stage().await;
    stage.services.refuse(&READ_CALENDAR_FEED, refuse(Reason::NotFound, "calendar feed"));
    assert_eq!(stage.stranger().get(PATH).await.status, StatusCode::NOT_FOUND);
    let before = stage.services.last();
    assert_eq!(stage.stranger().get("/api/calendar-feeds/c2VjcmV0").await.status, StatusCode::NOT_FOUND);
    assert_eq!(stage.services.last().message, before.message);
}
