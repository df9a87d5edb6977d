//! Recordings behind a platform's login, and those that it delivers itself, in pieces.

use axum::{
    Router,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use caller::Worker;
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::{
        internal::v1::{AddRecordingPieceRequest, AddRecordingPieceResponse, CallFacts},
        v1::RecordingState,
    },
};
use sea_orm::ConnectionTrait;
use testkit::as_agent;
use tokio::net::TcpListener;
use tonic::{Code, Status};
use uuid::Uuid;

use crate::{
    desk::{Desk, LINE, SALON, SECOND_LINE, ended, field},
    recording_files::wav,
    recordings::{files_on, recording, whole},
};

const UPLOAD: Uuid = Uuid::from_u128(0xD0);

fn piece(upload: Uuid, number: i32, content: &[u8]) -> AddRecordingPieceRequest {
    AddRecordingPieceRequest {
        business_id: SALON.to_string(),
        connection_id: LINE.to_string(),
        upload_id: upload.to_string(),
        number,
        content: content.to_vec(),
    }
}

/// Adds a piece of an upload on the salon's line.
pub async fn add(
    desk: &Desk,
    upload: Uuid,
    number: i32,
    content: &[u8],
) -> Result<AddRecordingPieceResponse, Status> {
    let request = as_agent(&desk.host, LINE, SALON, piece(upload, number, content));
    Ok(desk.intake().add_recording_piece(request).await?.into_inner())
}

/// Delivers a whole recording, and the event that names it.
async fn delivered(desk: &Desk, audio: &[u8]) -> String {
    for (number, content) in (0..).zip(audio.chunks(1 << 20)) {
        assert!(!add(desk, UPLOAD, number, content).await.unwrap().unwanted);
    }
    let facts = CallFacts { recording_upload_id: UPLOAD.to_string(), ..ended("platform-1") };
    desk.record("audio", facts).await.unwrap().call_id
}

async fn pieces(desk: &Desk) -> i64 {
    desk.count("SELECT count(*) FROM recording_piece").await
}

#[tokio::test]
async fn what_was_delivered_in_pieces_is_heard_whole_and_the_pieces_are_gone() {
    let desk = Desk::open().await;
    let call = delivered(&desk, &wav()).await;
    assert_eq!(pieces(&desk).await, 3);
    // A piece that is sent again, as its answer was lost, is the same.
    add(&desk, UPLOAD, 1, &wav()[1 << 20..2 << 20]).await.unwrap();
    assert_eq!(recording(&desk, &call).await.unwrap().state(), RecordingState::Awaited);
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 1);
    assert_eq!(recording(&desk, &call).await.unwrap().state(), RecordingState::Kept);
    assert_eq!(whole(&desk, &call).await, wav());
    assert_eq!(pieces(&desk).await, 0);
}

#[tokio::test]
async fn pieces_that_no_event_names_are_swept_and_those_that_are_awaited_stay() {
    let desk = Desk::open().await;
    add(&desk, Uuid::from_u128(0xD9), 0, b"RIFF").await.unwrap();
    desk.tenancy.leave();
    let call = delivered(&desk, &wav()).await;
    assert_eq!(telemetry::sweep_recording_pieces(&desk.app).await.unwrap(), 0, "not before an hour");
    desk.time.advance(SignedDuration::from_hours(2));
    assert_eq!(telemetry::sweep_recording_pieces(&desk.app).await.unwrap(), 1);
    assert_eq!(pieces(&desk).await, 3);
    desk.tenancy.move_to("Europe/London");
    desk.keep_recordings.turn().await.unwrap();
    assert_eq!(recording(&desk, &call).await.unwrap().state(), RecordingState::Kept);
}

#[tokio::test]
async fn pieces_that_are_not_copied_within_two_days_are_swept_however_many() {
    let desk = Desk::open().await;
    desk.tenancy.leave();
    delivered(&desk, &wav()).await;
    insert_pieces(&desk, 1_100, 1).await;
    desk.time.advance(SignedDuration::from_hours(47));
    assert_eq!(telemetry::sweep_recording_pieces(&desk.app).await.unwrap(), 1_100, "more than at once");
    assert_eq!(pieces(&desk).await, 3, "what is awaited stays");
    desk.time.advance(SignedDuration::from_hours(2));
    assert_eq!(telemetry::sweep_recording_pieces(&desk.app).await.unwrap(), 3);
}

#[tokio::test]
async fn a_repeated_upload_leaves_no_piece() {
    const AGAIN: Uuid = Uuid::from_u128(0xD2);
    let desk = Desk::open().await;
    let call = delivered(&desk, &wav()).await;
    let facts = |upload: Uuid| CallFacts { recording_upload_id: upload.to_string(), ..ended("platform-1") };
    // The event's answer was lost: its pieces are those that are awaited.
    assert!(desk.record("audio", facts(UPLOAD)).await.unwrap().duplicate);
    assert_eq!(pieces(&desk).await, 3);
    for key in ["audio", "another"] {
        add(&desk, AGAIN, 0, &wav()[..1 << 20]).await.unwrap();
        desk.record(key, facts(AGAIN)).await.unwrap();
        assert_eq!(pieces(&desk).await, 3, "{key}");
    }
    desk.keep_recordings.turn().await.unwrap();
    assert_eq!(whole(&desk, &call).await, wav());
    add(&desk, AGAIN, 0, &wav()[..1 << 20]).await.unwrap();
    desk.record("audio", facts(AGAIN)).await.unwrap();
    assert_eq!(pieces(&desk).await, 0, "it is kept already");
}

/// Pieces of an upload that no event names, of so many bytes each.
async fn insert_pieces(desk: &Desk, count: i64, bytes: i64) {
    let tx = desk.app.begin(&Worker::new("test", SALON)).await.unwrap();
    let sql = format!(
        "INSERT INTO recording_piece (business_id, upload_id, number, content, received_at)
        SELECT '{SALON}'::uuid, '{}'::uuid, n, convert_to(repeat('a', {bytes}), 'UTF8'), '{}'::timestamptz
        FROM generate_series(1, {count}) n",
        Uuid::from_u128(0xD3),
        desk.time.now()
    );
    tx.execute_unprepared(&sql).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_salons_recordings_wait_up_to_a_gigabyte() {
    let desk = Desk::open().await;
    insert_pieces(&desk, 1_023, 1 << 20).await;
    add(&desk, UPLOAD, 0, &wav()[..1 << 20]).await.unwrap();
    let refused = add(&desk, UPLOAD, 1, b"a").await.unwrap_err();
    assert_eq!((refused.code(), reason_of(&refused)), (Code::ResourceExhausted, Some(Reason::RateLimited)));
    desk.time.advance(SignedDuration::from_hours(2));
    telemetry::sweep_recording_pieces(&desk.app).await.unwrap();
    add(&desk, UPLOAD, 1, b"a").await.unwrap();
}

#[tokio::test]
async fn what_is_no_audio_and_what_the_salon_does_not_record_leaves_no_piece() {
    let desk = Desk::open().await;
    let call = delivered(&desk, b"<!doctype html>").await;
    desk.keep_recordings.turn().await.unwrap();
    assert_eq!(recording(&desk, &call).await.unwrap().state(), RecordingState::Lost);
    assert_eq!((pieces(&desk).await, files_on(&desk)), (0, 0));

    let desk = Desk::open().await;
    desk.tenancy.keep_recordings(0);
    let call = delivered(&desk, &wav()).await;
    desk.keep_recordings.turn().await.unwrap();
    assert_eq!((recording(&desk, &call).await, pieces(&desk).await, files_on(&desk)), (None, 0, 0));
}

#[tokio::test]
async fn a_piece_is_bounded_and_of_the_doors_own_line() {
    let mut desk = Desk::open().await;
    let long = vec![0; (1 << 20) + 1];
    assert_eq!(reason_of(&add(&desk, UPLOAD, 0, &long).await.unwrap_err()), Some(Reason::TooLarge));
    for number in [-1, 64] {
        assert_eq!(field(&add(&desk, UPLOAD, number, b"a").await.unwrap_err()), "number");
    }
    assert_eq!(field(&add(&desk, UPLOAD, 0, b"").await.unwrap_err()), "content");
    let nameless = AddRecordingPieceRequest { upload_id: String::new(), ..piece(UPLOAD, 0, b"a") };
    let nameless = as_agent(&desk.host, LINE, SALON, nameless);
    assert_eq!(field(&desk.intake().add_recording_piece(nameless).await.unwrap_err()), "upload_id");
    let other = as_agent(&desk.host, SECOND_LINE, SALON, piece(UPLOAD, 0, b"a"));
    assert_eq!(field(&desk.intake().add_recording_piece(other).await.unwrap_err()), "connection_id");
    desk.lose_recordings().await;
    assert!(add(&desk, UPLOAD, 0, b"a").await.unwrap().unwanted, "no store is configured");
    assert_eq!(pieces(&desk).await, 0);
}

const LOGIN: &str = "Basic QUMxOmtleQ==";

fn has_login(headers: &HeaderMap) -> bool {
    headers.get(header::AUTHORIZATION).is_some_and(|login| login == LOGIN)
}

async fn behind_login(headers: HeaderMap) -> Response {
    if has_login(&headers) { wav().into_response() } else { StatusCode::UNAUTHORIZED.into_response() }
}

/// Files that want no login, of another server: who brings one is refused.
async fn elsewhere() -> String {
    let audio = async |headers: HeaderMap| match headers.contains_key(header::AUTHORIZATION) {
        true => StatusCode::BAD_REQUEST.into_response(),
        false => wav().into_response(),
    };
    serve(Router::new().route("/audio", get(audio))).await
}

async fn serve(files: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, files).await.unwrap() });
    format!("http://{address}")
}

async fn copied(desk: &Desk, id: &str) -> String {
    let facts = CallFacts { recording_id: id.to_owned(), ..ended("platform-1") };
    let call = desk.record("recording", facts).await.unwrap().call_id;
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 1);
    call
}

#[tokio::test]
async fn a_recording_is_copied_with_the_connections_login_which_no_other_server_gets() {
    let other = elsewhere().await;
    let moved = async move |headers: HeaderMap| match has_login(&headers) {
        true => Redirect::temporary(&format!("{other}/audio")).into_response(),
        false => StatusCode::UNAUTHORIZED.into_response(),
    };
    let api = serve(Router::new().route("/RE1", get(behind_login)).route("/RE2", get(moved))).await;
    for id in ["RE1", "RE2"] {
        let desk = Desk::open().await;
        desk.tenancy.open_recordings(&api, LOGIN);
        let call = copied(&desk, id).await;
        assert_eq!(recording(&desk, &call).await.unwrap().state(), RecordingState::Kept, "{id}");
        assert_eq!(whole(&desk, &call).await, wav());
    }
}

#[tokio::test]
async fn a_login_that_is_wrong_or_gone_loses_the_recording_with_its_reason() {
    let api = serve(Router::new().route("/RE1", get(behind_login))).await;
    let desk = Desk::open().await;
    desk.tenancy.open_recordings(&api, "Basic d3Jvbmc=");
    let call = copied(&desk, "RE1").await;
    assert_eq!(recording(&desk, &call).await.unwrap().failure, "the platform answered 401");
    let desk = Desk::open().await;
    let call = copied(&desk, "RE1").await;
    let lost = recording(&desk, &call).await.unwrap();
    assert_eq!(lost.failure, "the connection can't open it any more");
    assert_eq!(lost.state(), RecordingState::Lost);
}
