//! Checks of voice platforms for calls, as the voice door takes them.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use proto::{
    error::Reason,
    frontdesk::tenancy::{
        internal::v1::{
            CallCheck, ClaimCallCheckRequest, FinishCallCheckRequest, ListPlatformCallsRequest,
            ReadPlatformCallRequest, platform_call_service_client::PlatformCallServiceClient,
        },
        v1::{
            AgentPublicationFault as Fault, CallCheckStatus, CreateVoiceConnectionRequest,
            UpdateVoiceConnectionRequest, VoicePlatform,
        },
    },
    time::to_proto,
};
use serde_json::{Value, json};
use tonic::Status;

use crate::{
    agent_publication::{connect, connection, one},
    platform_fakes::{Platforms, Trouble},
    stage::{LINDE, Stage, WILLOW, assert_field_refused, assert_refused},
};

fn calls(stage: &Stage) -> PlatformCallServiceClient<boot::peer::PeerChannel> {
    PlatformCallServiceClient::new(stage.channel.clone())
}

pub async fn claim(stage: &Stage) -> Option<CallCheck> {
    let request = stage.service("bff", ClaimCallCheckRequest {});
    calls(stage).claim_call_check(request).await.unwrap().into_inner().check
}

pub async fn page(stage: &Stage, check: &CallCheck, token: &str) -> Result<(Vec<String>, String), Status> {
    let message = ListPlatformCallsRequest { check: Some(check.clone()), page_token: token.to_owned() };
    let listed = calls(stage).list_platform_calls(stage.service("bff", message)).await?.into_inner();
    Ok((listed.platform_call_ids, listed.next_page_token))
}

/// Every call that the platform lists, over all pages.
pub async fn listed(stage: &Stage, check: &CallCheck) -> BTreeSet<String> {
    let all = pages(stage, check).await;
    let once = all.iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(once.len(), all.len(), "a call is listed once");
    once
}

pub async fn pages(stage: &Stage, check: &CallCheck) -> Vec<String> {
    let (mut all, mut token) = (vec![], String::new());
    loop {
        let (ids, next) = page(stage, check, &token).await.unwrap();
        all.extend(ids);
        if next.is_empty() {
            return all;
        }
        assert_ne!(next, token, "the list goes on");
        token = next;
    }
}

pub async fn read(stage: &Stage, check: &CallCheck, call: &str) -> Result<Value, Status> {
    let message = ReadPlatformCallRequest { check: Some(check.clone()), platform_call_id: call.to_owned() };
    let read = calls(stage).read_platform_call(stage.service("bff", message)).await?.into_inner();
    Ok(serde_json::from_slice(&read.document).unwrap())
}

pub async fn finish(stage: &Stage, check: &CallCheck, taken_count: i32, incomplete: bool) {
    let message = FinishCallCheckRequest { check: Some(check.clone()), taken_count, incomplete };
    calls(stage).finish_call_check(stage.service("bff", message)).await.unwrap();
}

pub async fn status(stage: &Stage, connection: &str) -> CallCheckStatus {
    one(stage, connection).await.call_check.unwrap()
}

/// A salon that is connected for half an hour, and a check at its platform.
pub async fn half_an_hour_later(
    platform: VoicePlatform,
    agent: &str,
) -> (Platforms, Stage, String, Timestamp) {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let connected = stage.time.clock().now();
    let id = connect(&stage, connection(WILLOW, platform, agent)).await;
    stage.time.advance(SignedDuration::from_mins(30));
    (platforms, stage, id, connected)
}

/// Saves the connection, with this agent.
pub async fn point(stage: &Stage, connection: &str, agent: &str) {
    let change = UpdateVoiceConnectionRequest {
        business_id: WILLOW.to_string(),
        voice_connection_id: connection.to_owned(),
        label: "Line".to_owned(),
        platform_agent_id: agent.to_owned(),
        voice: String::new(),
    };
    stage.voice_connections().update_voice_connection(stage.owner_of(WILLOW, change)).await.unwrap();
}

pub fn names(wanted: &[&str]) -> BTreeSet<String> {
    wanted.iter().map(|name| (*name).to_owned()).collect()
}

pub fn after(start: Timestamp, minutes: i64) -> Timestamp {
    start + SignedDuration::from_mins(minutes)
}

#[tokio::test]
async fn one_door_checks_at_a_time_and_the_next_check_goes_on_where_one_ended() {
    let (_platforms, stage, id, start) = half_an_hour_later(VoicePlatform::Retell, "agent_1").await;
    assert_eq!(status(&stage, &id).await, CallCheckStatus::default());
    let claims = futures::future::join_all((0..6).map(|_| claim(&stage))).await;
    let mut claims: Vec<_> = claims.into_iter().flatten().collect();
    let check = claims.pop().unwrap();
    assert!(claims.is_empty(), "the others find nothing to do");
    finish(&stage, &check, 2, false).await;
    let known = status(&stage, &id).await;
    assert_eq!((known.checked_at, known.taken_count), (Some(to_proto(after(start, 30))), 2));
    assert_eq!((known.taken_at, known.error), (known.checked_at, None));
    assert_eq!(claim(&stage).await, None);
    stage.time.advance(SignedDuration::from_mins(5));
    let next = claim(&stage).await.unwrap();
    assert_eq!(next.since, Some(to_proto(start)), "it reaches back over the one before");
    assert_eq!(next.until, Some(to_proto(after(start, 35))));
    // A door that dies is followed by another; it can't end what it holds no more.
    stage.time.advance(SignedDuration::from_mins(4));
    let taken_over = claim(&stage).await.unwrap();
    finish(&stage, &next, 7, false).await;
    assert_eq!(status(&stage, &id).await.taken_count, 2);
    finish(&stage, &taken_over, 0, false).await;
    assert_eq!(status(&stage, &id).await.taken_at, known.taken_at);
}

#[tokio::test]
async fn a_check_that_could_not_keep_all_is_repeated_from_where_it_began() {
    let (_platforms, stage, id, start) = half_an_hour_later(VoicePlatform::Retell, "agent_1").await;
    let check = claim(&stage).await.unwrap();
    finish(&stage, &check, 1, true).await;
    let known = status(&stage, &id).await;
    assert_eq!((known.checked_at, known.taken_count), (None, 1));
    assert_eq!(claim(&stage).await, None);
    stage.time.advance(SignedDuration::from_mins(1));
    let again = claim(&stage).await.unwrap();
    assert_eq!((again.since, again.until), (Some(to_proto(start)), Some(to_proto(after(start, 31)))));
}

#[tokio::test]
async fn after_days_without_a_door_checks_follow_each_other_until_the_present() {
    let (_platforms, stage, _, start) = half_an_hour_later(VoicePlatform::Retell, "agent_1").await;
    stage.time.advance(SignedDuration::from_hours(60));
    let mut until = start;
    let mut checks = 0;
    while let Some(check) = claim(&stage).await {
        let [since, end] =
            [&check.since, &check.until].map(|at| proto::time::required("at", at.as_ref()).unwrap());
        assert!(since <= until && end > until, "nothing is left out");
        until = end;
        finish(&stage, &check, 0, false).await;
        checks += 1;
    }
    assert_eq!((until, checks), (stage.time.clock().now(), 3));
}

#[tokio::test]
async fn what_keeps_a_platform_from_telling_is_shown_and_asked_again_later() {
    let (platforms, stage, id, _) = half_an_hour_later(VoicePlatform::Retell, "agent_1").await;
    let fail = async |trouble: Trouble| {
        platforms.look(|records| records.read_troubles.push_back(trouble));
        let check = claim(&stage).await.unwrap();
        assert_refused(page(&stage, &check, "").await, Reason::WrongState);
        status(&stage, &id).await.error.unwrap()
    };
    let down = fail(Trouble::Status(503)).await;
    assert_eq!((down.fault(), down.detail.as_str()), (Fault::Unreachable, "the platform answers 503"));
    assert_eq!(claim(&stage).await, None, "it is left alone for a while");
    stage.time.advance(SignedDuration::from_secs(10));
    assert_eq!(fail(Trouble::Busy(90)).await.fault(), Fault::Busy);
    stage.time.advance(SignedDuration::from_secs(80));
    assert_eq!(claim(&stage).await, None);
    stage.time.advance(SignedDuration::from_secs(10));
    assert_eq!(fail(Trouble::Status(401)).await.fault(), Fault::ApiKey);
    // A changed connection is tried at once.
    point(&stage, &id, "agent_1").await;
    let check = claim(&stage).await.unwrap();
    page(&stage, &check, "").await.unwrap();
    finish(&stage, &check, 0, false).await;
    assert_eq!(status(&stage, &id).await.error, None);
}

#[tokio::test]
async fn a_call_that_a_platform_does_not_tell_says_nothing_of_the_connection() {
    let (platforms, stage, id, start) = half_an_hour_later(VoicePlatform::Retell, "agent_1").await;
    let long = "c".repeat(101);
    let call = |name: &str, said: &str| {
        json!({"call_id": name, "agent_id": "agent_1", "call_status": "ended", "transcript": said,
            "start_timestamp": after(start, 1).as_millisecond(), "end_timestamp": after(start, 2).as_millisecond()})
    };
    platforms.look(|records| {
        let names = ["first", &long, "", "a\u{1}b", "second", "third", "fourth", "huge"];
        records.calls.retell = names.map(|name| call(name, "Hello")).to_vec();
        records.calls.retell[7] = call("huge", &"Hello".repeat(500_000));
    });
    let check = claim(&stage).await.unwrap();
    let told = names(&["first", "second", "third", "fourth", "huge"]);
    assert_eq!(listed(&stage, &check).await, told, "other ids can't be kept");
    let troubled = async |call: &str, status: u16| {
        platforms.look(|records| records.read_troubles.push_back(Trouble::Status(status)));
        read(&stage, &check, call).await
    };
    // Each is given up, or rests: none is asked for twice.
    assert_field_refused(troubled("first", 400).await, "platform_call_id");
    assert_field_refused(troubled("second", 422).await, "platform_call_id");
    assert_refused(troubled("third", 503).await, Reason::Unavailable);
    assert_refused(read(&stage, &check, "huge").await, Reason::TooLarge);
    read(&stage, &check, "fourth").await.unwrap();
    assert_eq!(status(&stage, &id).await.error, None);
    finish(&stage, &check, 2, false).await;
    assert_eq!(status(&stage, &id).await.checked_at, Some(to_proto(after(start, 30))));
}

#[tokio::test]
async fn what_was_taken_in_before_a_platform_stops_to_tell_is_counted() {
    let (platforms, stage, id, _) = half_an_hour_later(VoicePlatform::Retell, "agent_1").await;
    let check = claim(&stage).await.unwrap();
    platforms.look(|records| records.read_troubles.push_back(Trouble::Busy(600)));
    assert_refused(read(&stage, &check, "first").await, Reason::WrongState);
    finish(&stage, &check, 2, true).await;
    let known = status(&stage, &id).await;
    assert_eq!((known.taken_count, known.error.unwrap().fault()), (2, Fault::Busy));
    stage.time.advance(SignedDuration::from_mins(9));
    assert_eq!(claim(&stage).await, None, "the platform is left alone as long as it asked");
    stage.time.advance(SignedDuration::from_mins(1));
    claim(&stage).await.unwrap();
}

#[tokio::test]
async fn calls_of_another_agent_from_before_are_not_the_salons() {
    let (_platforms, stage, id, start) = half_an_hour_later(VoicePlatform::Retell, "agent_1").await;
    let check = claim(&stage).await.unwrap();
    point(&stage, &id, "agent_2").await;
    assert_refused(page(&stage, &check, "").await, Reason::WrongState);
    finish(&stage, &check, 0, false).await;
    stage.time.advance(SignedDuration::from_mins(5));
    let anew = claim(&stage).await.unwrap();
    assert_eq!(
        (anew.since, anew.until),
        (Some(to_proto(after(start, 30))), Some(to_proto(after(start, 35))))
    );
}

#[tokio::test]
async fn a_connection_that_can_not_be_read_holds_up_no_other() {
    let (_platforms, stage, _, _) = half_an_hour_later(VoicePlatform::Retell, "agent_1").await;
    connect(&stage, connection(LINDE, VoicePlatform::Retell, "agent_1")).await;
    let spoil = format!(
        "WITH spoilt AS (UPDATE business SET time_zone = 'Mars/Base' WHERE business_id = '{WILLOW}' RETURNING 1)
        SELECT count(*) FROM spoilt"
    );
    assert_eq!(stage.count(&spoil).await, 1);
    assert_eq!(claim(&stage).await.unwrap().business_id, LINDE.to_string());
    assert_eq!(claim(&stage).await, None);
}

#[tokio::test]
async fn a_connection_without_an_agent_is_not_checked() {
    let (_platforms, stage, id, _) = half_an_hour_later(VoicePlatform::Retell, "").await;
    assert_eq!(claim(&stage).await, None);
    assert_eq!(one(&stage, &id).await.call_check, None);
    // Nor is one of the demo, which has an agent and no platform.
    let demo = CreateVoiceConnectionRequest {
        voice_connection_id: "01900000-0000-7000-8000-0000000000c9".to_owned(),
        ..connection(WILLOW, VoicePlatform::Retell, "agent_1")
    };
    let made = stage.voice_connections().create_voice_connection(stage.seeding(WILLOW, demo)).await.unwrap();
    let made = made.into_inner().voice_connection.unwrap().id;
    assert_eq!((claim(&stage).await, one(&stage, &made).await.call_check), (None, None));
    // Connections of the release before are taken up when the service starts.
    stage.count("WITH gone AS (DELETE FROM call_check RETURNING 1) SELECT count(*) FROM gone").await;
    let beside = Stage::beside(stage.database.clone(), stage.host.clone(), stage.time.clone()).await;
    assert_eq!(beside.count("SELECT count(*) FROM call_check WHERE due_at IS NOT NULL").await, 2);
}

#[tokio::test]
async fn the_voice_door_alone_checks_and_its_requests_are_checked() {
    let (_platforms, stage, _, _) = half_an_hour_later(VoicePlatform::Retell, "agent_1").await;
    for issuer in ["telemetry", "scheduling"] {
        let request = stage.service(issuer, ClaimCallCheckRequest {});
        assert_refused(calls(&stage).claim_call_check(request).await, Reason::RoleTooLow);
    }
    let check = claim(&stage).await.unwrap();
    assert_field_refused(page(&stage, &CallCheck { until: None, ..check.clone() }, "").await, "check.until");
    let backwards = CallCheck { since: check.until, until: check.since, ..check.clone() };
    assert_field_refused(page(&stage, &backwards, "").await, "check.until");
    let nameless = CallCheck { lease_id: String::new(), ..check.clone() };
    assert_field_refused(page(&stage, &nameless, "").await, "check.lease_id");
    assert_field_refused(read(&stage, &check, "").await, "platform_call_id");
    let message = FinishCallCheckRequest { check: Some(check), taken_count: -1, incomplete: false };
    let refused = calls(&stage).finish_call_check(stage.service("bff", message)).await;
    assert_field_refused(refused, "taken_count");
}
