//! Recordings: copied from a platform, heard piece by piece, kept for a time.

use caller::Role;
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::{
        erasure::internal::v1::{
            ErasePersonRequest, ErasePersonResponse, KnownRecord,
            person_erasure_service_client::PersonErasureServiceClient,
        },
        telemetry::{
            internal::v1::CallFacts,
            v1::{
                GetRecordingRequest, ReadRecordingRequest, Recording, RecordingState,
                recording_service_client::RecordingServiceClient,
            },
        },
    },
};
use reach::Reach;
use testkit::as_user;
use tonic::{Status, transport::Channel};
use uuid::Uuid;

use crate::{
    desk::{Desk, OTHER, SALON, answered, ended, field, started},
    following::{MIA, customer, follow},
    recording_files::{Files, long_wav, wav},
};

pub fn recorded(call: &str, url: String) -> CallFacts {
    CallFacts { recording_url: url, ..ended(call) }
}

fn recordings(desk: &Desk) -> RecordingServiceClient<Channel> {
    RecordingServiceClient::new(desk.channel.clone())
}

pub async fn recording(desk: &Desk, call: &str) -> Option<Recording> {
    let message = GetRecordingRequest { business_id: SALON.to_string(), call_id: call.to_owned() };
    let request = as_user(&desk.host, Role::Manager, SALON, message);
    recordings(desk).get_recording(request).await.unwrap().into_inner().recording
}

pub async fn piece(desk: &Desk, call: &str, offset: i64) -> Result<Vec<u8>, Status> {
    let message = ReadRecordingRequest { business_id: SALON.to_string(), call_id: call.to_owned(), offset };
    let request = as_user(&desk.host, Role::Manager, SALON, message);
    Ok(recordings(desk).read_recording(request).await?.into_inner().content)
}

pub async fn whole(desk: &Desk, call: &str) -> Vec<u8> {
    let mut heard = vec![];
    loop {
        let piece = piece(desk, call, heard.len().try_into().unwrap()).await.unwrap();
        if piece.is_empty() {
            return heard;
        }
        assert!(piece.len() <= 1 << 20);
        heard.extend(piece);
    }
}

/// A call whose recording is at `url`, after one turn of work.
async fn copied(desk: &Desk, url: String) -> String {
    let call = desk.record("end", recorded("platform-1", url)).await.unwrap().call_id;
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 1);
    call
}

pub fn files_on(desk: &Desk) -> usize {
    let salon = desk.recordings.path().join(SALON.to_string());
    std::fs::read_dir(salon).map_or(0, Iterator::count)
}

#[tokio::test]
async fn a_recording_is_copied_and_heard_piece_by_piece() {
    let (desk, files) = (Desk::open().await, Files::serve().await);
    let call = desk.record("end", recorded("platform-1", files.of("moved"))).await.unwrap().call_id;
    assert_eq!(recording(&desk, &call).await.unwrap().state(), RecordingState::Awaited);
    assert_eq!(reason_of(&piece(&desk, &call, 0).await.unwrap_err()), Some(Reason::NotFound));
    let before = desk.count("SELECT max(version) FROM call").await;
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 1);
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 0, "nothing else is due");
    assert!(desk.count("SELECT max(version) FROM call").await > before, "pages hear of it");
    let kept = recording(&desk, &call).await.unwrap();
    assert_eq!((kept.state(), kept.content_type.as_str()), (RecordingState::Kept, "audio/wav"));
    assert_eq!(kept.size_bytes, i64::try_from(wav().len()).unwrap());
    assert_eq!(whole(&desk, &call).await, wav());
    assert_eq!(field(&piece(&desk, &call, -1).await.unwrap_err()), "offset");
    assert_eq!(desk.count("SELECT count(*) FROM recording WHERE source IS NOT NULL").await, 0);
    // The same one told again by another event is not copied again.
    desk.record("analyzed", recorded("platform-1", files.of("call.wav"))).await.unwrap();
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 0);
}

#[tokio::test]
async fn a_recording_of_64_mib_is_kept_whole_and_heard_from_anywhere() {
    let (desk, files) = (Desk::open().await, Files::serve().await);
    let call = copied(&desk, files.of("long")).await;
    assert_eq!(recording(&desk, &call).await.unwrap().size_bytes, 64 << 20);
    let audio = long_wav();
    // Across the parts of an upload, at the end, and past it.
    for from in [0, (5 << 20) - 1, (37 << 20) + 3, (64 << 20) - 2] {
        let heard = piece(&desk, &call, i64::try_from(from).unwrap()).await.unwrap();
        assert!(heard == audio[from..(from + (1 << 20)).min(audio.len())], "from {from}");
    }
    assert!(piece(&desk, &call, 64 << 20).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_file_that_is_gone_from_the_store_is_said_to_be_gone() {
    let (desk, files) = (Desk::open().await, Files::serve().await);
    let call = copied(&desk, files.of("call.wav")).await;
    std::fs::remove_file(desk.recordings.path().join(SALON.to_string()).join(&call)).unwrap();
    assert_eq!(reason_of(&piece(&desk, &call, 0).await.unwrap_err()), Some(Reason::NotFound));
    // What is not there needs no deletion.
    desk.time.advance(SignedDuration::from_hours(24 * 31));
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 1);
    assert_eq!(recording(&desk, &call).await.unwrap().state(), RecordingState::Expired);
}

#[tokio::test]
async fn another_business_hears_nothing() {
    let (desk, files) = (Desk::open().await, Files::serve().await);
    let call = copied(&desk, files.of("call.wav")).await;
    let message = ReadRecordingRequest { business_id: OTHER.to_string(), call_id: call, offset: 0 };
    let refused = recordings(&desk).read_recording(as_user(&desk.host, Role::Owner, OTHER, message)).await;
    assert_eq!(reason_of(&refused.unwrap_err()), Some(Reason::NotFound));
}

#[tokio::test]
async fn a_call_without_a_recording_has_none() {
    let desk = Desk::open().await;
    let call = desk.record("end", ended("platform-1")).await.unwrap().call_id;
    assert_eq!(recording(&desk, &call).await, None);
}

#[tokio::test]
async fn what_is_not_ready_is_asked_for_again_and_says_why() {
    let (desk, files) = (Desk::open().await, Files::serve().await);
    let call = copied(&desk, files.of("slow")).await;
    let awaited = recording(&desk, &call).await.unwrap();
    assert_eq!(awaited.state(), RecordingState::Awaited);
    assert_eq!(awaited.failure, "the platform answered 404");
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 0, "not at once");
    for _ in 0..2 {
        desk.time.advance(SignedDuration::from_hours(1));
        assert_eq!(desk.keep_recordings.turn().await.unwrap(), 1);
    }
    let kept = recording(&desk, &call).await.unwrap();
    assert_eq!((kept.state(), kept.failure.as_str()), (RecordingState::Kept, ""));
}

#[tokio::test]
async fn what_can_never_be_copied_is_lost_with_its_reason() {
    for (file, reason) in [
        ("page", "it is no audio that browsers play"),
        ("huge", "it is larger than 160 MB"),
        ("private", "the platform answered 403"),
    ] {
        let (desk, files) = (Desk::open().await, Files::serve().await);
        let call = desk.record("end", recorded("platform-1", files.of(file))).await.unwrap().call_id;
        let before = desk.count("SELECT max(version) FROM call").await;
        assert_eq!(desk.keep_recordings.turn().await.unwrap(), 1);
        let lost = recording(&desk, &call).await.unwrap();
        assert_eq!((lost.state(), lost.failure.as_str()), (RecordingState::Lost, reason), "{file}");
        assert!(desk.count("SELECT max(version) FROM call").await > before, "{file}: pages hear of it");
        desk.time.advance(SignedDuration::from_hours(24 * 365));
        assert_eq!(desk.keep_recordings.turn().await.unwrap(), 0);
        assert_eq!(files_on(&desk), 0, "{file}");
    }
}

#[tokio::test]
async fn redirects_without_end_are_given_up_in_time() {
    let (desk, files) = (Desk::open().await, Files::serve().await);
    let call = copied(&desk, files.of("round")).await;
    let mut attempts = 1;
    while recording(&desk, &call).await.unwrap().state() == RecordingState::Awaited {
        desk.time.advance(SignedDuration::from_hours(4));
        attempts += desk.keep_recordings.turn().await.unwrap();
    }
    assert_eq!(attempts, 12);
    assert_eq!(recording(&desk, &call).await.unwrap().state(), RecordingState::Lost);
}

#[tokio::test]
async fn an_address_inside_the_network_is_not_called() {
    let (desk, files) = (Desk::open().await, Files::serve().await);
    let keep = telemetry::KeepRecordings {
        platform: telemetry::recordings::Platform::new(Reach::Public).unwrap(),
        ..desk.keep_recordings.clone()
    };
    for (at, url) in [files.of("call.wav"), "https://127.0.0.1/a.wav".into()].into_iter().enumerate() {
        let name = format!("platform-{at}");
        let call = desk.record(&name, recorded(&name, url.clone())).await.unwrap().call_id;
        assert_eq!(keep.turn().await.unwrap(), 1);
        assert_eq!(recording(&desk, &call).await.unwrap().state(), RecordingState::Lost, "{url}");
    }
    assert_eq!(files_on(&desk), 0);
}

#[tokio::test]
async fn an_address_that_is_not_on_the_web_is_no_recording() {
    let desk = Desk::open().await;
    for url in ["file:///etc/passwd", "platform:RE1", "upload:00000000-0000-0000-0000-0000000000d0"] {
        let call = desk.record(url, recorded(url, url.to_owned())).await.unwrap().call_id;
        assert_eq!(recording(&desk, &call).await, None, "{url}");
    }
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 0);
}

#[tokio::test]
async fn a_business_that_records_no_calls_keeps_none() {
    let (desk, files) = (Desk::open().await, Files::serve().await);
    desk.tenancy.keep_recordings(0);
    let call = copied(&desk, files.of("call.wav")).await;
    assert_eq!(recording(&desk, &call).await, None);
    assert_eq!(files_on(&desk), 0);
}

#[tokio::test]
async fn while_tenancy_is_away_a_copy_waits() {
    let (desk, files) = (Desk::open().await, Files::serve().await);
    desk.tenancy.leave();
    let call = copied(&desk, files.of("call.wav")).await;
    assert_eq!(recording(&desk, &call).await.unwrap().state(), RecordingState::Awaited);
    desk.tenancy.move_to("Europe/London");
    desk.time.advance(SignedDuration::from_hours(1));
    desk.keep_recordings.turn().await.unwrap();
    assert_eq!(recording(&desk, &call).await.unwrap().state(), RecordingState::Kept);
}

#[tokio::test]
async fn a_recording_is_deleted_when_it_was_kept_long_enough() {
    let (desk, files) = (Desk::open().await, Files::serve().await);
    let call = copied(&desk, files.of("call.wav")).await;
    assert_eq!(files_on(&desk), 1);
    desk.time.advance(SignedDuration::from_hours(24 * 30 - 1));
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 0);
    desk.time.advance(SignedDuration::from_hours(2));
    let before = desk.count("SELECT max(version) FROM call").await;
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 1);
    assert!(desk.count("SELECT max(version) FROM call").await > before, "pages hear of it");
    let expired = recording(&desk, &call).await.unwrap();
    assert_eq!((expired.state(), expired.size_bytes), (RecordingState::Expired, 0));
    assert_eq!(files_on(&desk), 0);
    assert_eq!(reason_of(&piece(&desk, &call, 0).await.unwrap_err()), Some(Reason::NotFound));
}

#[tokio::test]
async fn a_task_that_was_begun_by_a_replica_that_died_is_taken_again() {
    let (desk, files) = (Desk::open().await, Files::serve().await);
    let call = desk.record("end", recorded("platform-1", files.of("stuck"))).await.unwrap().call_id;
    let dying = desk.keep_recordings.clone();
    let dying = tokio::spawn(async move { dying.turn().await });
    files.asked.first.notified().await;
    dying.abort();
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 0);
    desk.time.advance(SignedDuration::from_mins(11));
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 1);
    assert_eq!(recording(&desk, &call).await.unwrap().state(), RecordingState::Kept);
}

#[tokio::test]
async fn a_copy_that_ends_after_another_replica_kept_its_own_leaves_that_there() {
    let (desk, files) = (Desk::open().await, Files::serve().await);
    let call = desk.record("end", recorded("platform-1", files.of("stuck"))).await.unwrap().call_id;
    let slow = desk.keep_recordings.clone();
    let slow = tokio::spawn(async move { slow.turn().await });
    files.asked.first.notified().await;
    desk.time.advance(SignedDuration::from_mins(11));
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 1);
    files.asked.let_go.notify_one();
    slow.await.unwrap().unwrap();
    assert_eq!(recording(&desk, &call).await.unwrap().state(), RecordingState::Kept);
    assert_eq!(whole(&desk, &call).await, wav());
}

/// A file as an attempt leaves it whose answer was lost.
fn left_of(desk: &Desk, call: &str) {
    let salon = desk.recordings.path().join(SALON.to_string());
    std::fs::create_dir_all(&salon).unwrap();
    std::fs::write(salon.join(call), "RIFF").unwrap();
}

#[tokio::test]
async fn what_an_attempt_left_is_deleted_when_no_other_follows() {
    for (file, days) in [("page", 30), ("call.wav", 0)] {
        let (desk, files) = (Desk::open().await, Files::serve().await);
        desk.tenancy.keep_recordings(days);
        let call = desk.record("end", recorded("platform-1", files.of(file))).await.unwrap().call_id;
        left_of(&desk, &call);
        assert_eq!(desk.keep_recordings.turn().await.unwrap(), 1);
        assert_eq!(files_on(&desk), 0, "{file}");
    }
}

#[tokio::test]
async fn nothing_is_heard_of_a_person_who_is_erased() {
    let (desk, files) = (Desk::open().await, Files::serve().await);
    follow(&desk, vec![customer(1, 1, MIA, "Mia Wong", None)]).await;
    let call = call_of_mia(&desk, &files).await;
    assert_eq!(files_on(&desk), 1);
    assert_eq!(erase_mia(&desk).await.unwrap().record_count, 1);
    assert_eq!((files_on(&desk), recording(&desk, &call).await), (0, None));
    // What a copy that was under way may have left is looked after.
    left_of(&desk, &call);
    desk.time.advance(SignedDuration::from_mins(11));
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 1);
    assert_eq!(files_on(&desk), 0);
    assert_eq!(desk.count("SELECT count(*) FROM recording").await, 0);
    // What the platform still tells of the call brings nothing back.
    desk.record("late", recorded("platform-1", files.of("call.wav"))).await.unwrap();
    assert_eq!(desk.keep_recordings.turn().await.unwrap(), 0);
}

/// Tenancy's order to erase Mia.
pub async fn erase_mia(desk: &Desk) -> Result<ErasePersonResponse, Status> {
    let message = ErasePersonRequest {
        business_id: SALON.to_string(),
        customers: vec![KnownRecord { id: MIA.to_string(), version: 1 }],
        ..Default::default()
    };
    let request = testkit::as_service("tenancy", &desk.host, Some(SALON), message);
    let mut erasures = PersonErasureServiceClient::new(desk.channel.clone());
    Ok(erasures.erase_person(request).await?.into_inner())
}

/// A call in which the agent recognised Mia, and which is recorded.
pub async fn call_of_mia(desk: &Desk, files: &Files) -> String {
    desk.record("start", started("platform-1")).await.unwrap();
    let run = desk.begin("run").await.unwrap();
    let mut answer = answered(&run.tool_call_id);
    answer.customer_id = MIA.to_string();
    answer.customer_name = "Mia Wong".to_owned();
    desk.finish(answer).await.unwrap();
    copied(desk, files.of("call.wav")).await
}

#[tokio::test]
async fn an_employee_hears_whom_they_may_call_back() {
    let (desk, files) = (Desk::open().await, Files::serve().await);
    let call = call_of_mia(&desk, &files).await;
    let wanted = GetRecordingRequest { business_id: SALON.to_string(), call_id: call.clone() };
    let read = ReadRecordingRequest { business_id: SALON.to_string(), call_id: call, offset: 0 };
    let as_employee = |message| as_user(&desk.host, Role::Employee, SALON, message);
    recordings(&desk).read_recording(as_employee(read.clone())).await.unwrap();
    desk.scheduling.limit_to::<Uuid>(&[]);
    let refused = recordings(&desk).read_recording(as_employee(read)).await;
    assert_eq!(reason_of(&refused.unwrap_err()), Some(Reason::RoleTooLow));
    let shown = recordings(&desk).get_recording(as_user(&desk.host, Role::Employee, SALON, wanted)).await;
    assert!(shown.unwrap().into_inner().recording.unwrap().hidden);
}

#[tokio::test]
async fn an_employee_does_not_hear_a_customer_of_others_whom_the_agent_never_recognised() {
    let (desk, files) = (Desk::open().await, Files::serve().await);
    let call = copied(&desk, files.of("call.wav")).await;
    let read = ReadRecordingRequest { business_id: SALON.to_string(), call_id: call, offset: 0 };
    let as_employee = |message| as_user(&desk.host, Role::Employee, SALON, message);
    desk.scheduling.hide_phones(&["+447700900001"]);
    let refused = recordings(&desk).read_recording(as_employee(read.clone())).await;
    assert_eq!(reason_of(&refused.unwrap_err()), Some(Reason::RoleTooLow));
    desk.scheduling.limit_to::<Uuid>(&[]);
    recordings(&desk).read_recording(as_employee(read)).await.unwrap();
}

#[tokio::test]
async fn a_person_is_not_erased_while_their_recording_is_out_of_reach() {
    let (mut desk, files) = (Desk::open().await, Files::serve().await);
    follow(&desk, vec![customer(1, 1, MIA, "Mia Wong", None)]).await;
    let call = call_of_mia(&desk, &files).await;
    desk.lose_recordings().await;
    assert_eq!(recording(&desk, &call).await, None, "none is offered that can't be heard");
    assert_eq!(reason_of(&erase_mia(&desk).await.unwrap_err()), Some(Reason::Unavailable));
    assert_eq!(files_on(&desk), 1);
}
