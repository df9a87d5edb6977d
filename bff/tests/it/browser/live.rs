//! The live socket.

pub mod socket;

use core::time::Duration;
use std::sync::atomic::Ordering;

use bff::edge::Limits;
use caller::{Role, SessionId};
use futures::SinkExt;
use http::StatusCode;
use proto::frontdesk::{
    events::v1::{CallChanged, CatalogueChanged, MembershipChanged, SessionEnded, event::Payload},
    scheduling::v1::Appointment,
};
use serde_json::json;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Error, Message};

use socket::{PATIENCE, Socket};

use super::stage::{ANA, ANAS_SESSION, EMAIL, ISSUER, OTHER, PASSWORD, Stage, WILLOW};

async fn stage_with(role: Role) -> Stage {
    let stage = Stage::open().await;
    stage.auth.set_role(ANA, WILLOW, Some(role));
    stage
}

fn booked(id: &str) -> Payload {
    Payload::Appointment(Appointment { id: id.to_owned(), ..Appointment::default() })
}

fn called(id: &str) -> Payload {
    Payload::Call(CallChanged { call_id: id.to_owned() })
}

fn member(user: caller::UserId, role: &str) -> Payload {
    Payload::Membership(MembershipChanged {
        user_id: user.to_string(),
        role: role.to_owned(),
        name: "Ana".to_owned(),
        ..Default::default()
    })
}

fn refused(outcome: Result<Socket, Error>) -> StatusCode {
    match outcome {
        Err(Error::Http(response)) => StatusCode::from_u16(response.status().as_u16()).unwrap(),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("the socket was opened"),
    }
}

#[tokio::test]
async fn a_page_of_another_origin_opens_no_socket() {
    let stage = Stage::open().await;
    for origin in [None, Some("https://evil.test"), Some("null"), Some("http://localhost:8081")] {
        assert_eq!(refused(Socket::from_origin(&stage, origin).await), StatusCode::FORBIDDEN, "{origin:?}");
    }
}

#[tokio::test]
async fn who_does_not_say_who_they_are_in_time_is_closed() {
    let limits = Limits { greeting_time: Duration::from_millis(100), ..Limits::default() };
    let stage = Stage::limited(limits).await;
    assert_eq!(Socket::open(&stage).await.closed().await, 4401);
}

#[tokio::test]
async fn a_wrong_token_a_dead_session_and_a_subscription_before_either_are_closed() {
    let stage = stage_with(Role::Owner).await;
    let mut socket = Socket::open(&stage).await;
    socket.authenticate("a.b.c").await;
    assert_eq!(socket.closed().await, 4401);
    let mut socket = Socket::open(&stage).await;
    socket.ask(&[WILLOW], "").await;
    assert_eq!(socket.closed().await, 4401);
    stage.auth.end(ANAS_SESSION);
    let mut socket = Socket::open(&stage).await;
    socket.authenticate(&stage.token()).await;
    assert_eq!(socket.closed().await, 4401);
}

#[tokio::test]
async fn a_frame_that_is_none_is_closed() {
    let stage = Stage::open().await;
    for frame in [json!({}), json!({ "dance": {} }), json!([1])] {
        let mut socket = Socket::open(&stage).await;
        socket.send(frame.clone()).await;
        assert_eq!(socket.closed().await, 1008, "{frame}");
    }
}

#[tokio::test]
async fn a_business_of_others_can_not_be_followed() {
    let stage = stage_with(Role::Owner).await;
    let mut socket = Socket::open(&stage).await;
    socket.authenticate(&stage.token()).await;
    socket.ask(&[WILLOW, OTHER], "").await;
    assert_eq!(socket.closed().await, 4403);
}

#[tokio::test]
async fn every_socket_of_a_business_hears_of_its_changes_and_of_no_others() {
    let stage = stage_with(Role::Employee).await;
    stage.auth.set_role(ANA, OTHER, Some(Role::Owner));
    let (mut first, _) = Socket::subscribed(&stage, &[WILLOW]).await;
    let (mut second, _) = Socket::subscribed(&stage, &[WILLOW]).await;
    stage.log("scheduling").write(Some(OTHER), booked("theirs"));
    stage.log("scheduling").write(Some(WILLOW), booked("ours"));
    for socket in [&mut first, &mut second] {
        assert_eq!(socket.change().await, ("TOPIC_APPOINTMENTS".to_owned(), "ours".to_owned()));
    }
    stage.log("telemetry").write(Some(WILLOW), called("call"));
    assert_eq!(first.change().await, ("TOPIC_CALLS".to_owned(), "call".to_owned()));
}

#[tokio::test]
async fn a_thousand_sockets_would_read_each_log_once() {
    let stage = stage_with(Role::Employee).await;
    let mut sockets = Vec::new();
    for _ in 0..10 {
        sockets.push(Socket::subscribed(&stage, &[WILLOW]).await);
    }
    for service in ["auth", "tenancy", "scheduling", "telemetry"] {
        assert_eq!(stage.log(service).followed.load(Ordering::SeqCst), 1, "{service}");
    }
}

#[tokio::test]
async fn a_guest_receives_no_personal_data() {
    let stage = stage_with(Role::Guest).await;
    let (mut guest, _) = Socket::subscribed(&stage, &[WILLOW]).await;
    stage.log("scheduling").write(Some(WILLOW), booked("someone's"));
    stage.log("scheduling").write(Some(WILLOW), Payload::Catalogue(CatalogueChanged {}));
    assert_eq!(guest.change().await, ("TOPIC_SERVICES".to_owned(), String::new()));
}

#[tokio::test]
async fn the_end_of_the_session_closes_its_sockets_only() {
    let stage = stage_with(Role::Employee).await;
    let (mut socket, _) = Socket::subscribed(&stage, &[WILLOW]).await;
    let other = SessionId(uuid::Uuid::from_u128(77)).to_string();
    stage.log("auth").write(None, Payload::SessionEnded(SessionEnded { session_id: other }));
    stage.log("scheduling").write(Some(WILLOW), booked("still here"));
    assert_eq!(socket.change().await.1, "still here");
    let ended = SessionEnded { session_id: ANAS_SESSION.to_string() };
    stage.log("auth").write(None, Payload::SessionEnded(ended));
    assert_eq!(timeout(Duration::from_secs(1), socket.closed()).await.unwrap(), 4401);
}

#[tokio::test]
async fn a_lost_membership_closes_the_socket_and_a_lower_role_narrows_it() {
    let stage = stage_with(Role::Employee).await;
    let (mut socket, _) = Socket::subscribed(&stage, &[WILLOW]).await;
    stage.auth.set_role(ANA, WILLOW, Some(Role::Guest));
    stage.log("auth").write(Some(WILLOW), member(ANA, "GUEST"));
    assert_eq!(socket.change().await, ("TOPIC_MEMBERSHIPS".to_owned(), ANA.to_string()));
    stage.log("scheduling").write(Some(WILLOW), booked("someone's"));
    stage.log("scheduling").write(Some(WILLOW), Payload::Catalogue(CatalogueChanged {}));
    assert_eq!(socket.change().await.0, "TOPIC_SERVICES");
    stage.auth.set_role(ANA, WILLOW, None);
    stage.log("auth").write(Some(WILLOW), member(ANA, ""));
    assert_eq!(timeout(Duration::from_secs(1), socket.closed()).await.unwrap(), 4403);
}

#[tokio::test]
async fn who_comes_back_with_a_cursor_hears_what_was_missed() {
    let stage = stage_with(Role::Employee).await;
    let (mut left, cursor) = Socket::subscribed(&stage, &[WILLOW]).await;
    stage.log("scheduling").write(Some(WILLOW), booked("heard"));
    let heard = left.frame().await["changed"]["cursor"].as_str().unwrap().to_owned();
    let (mut witness, _) = Socket::subscribed(&stage, &[WILLOW]).await;
    drop(left);
    stage.log("scheduling").write(Some(WILLOW), booked("missed"));
    assert_eq!(witness.change().await.1, "missed");
    for (since, missed) in [(&cursor, vec!["heard", "missed"]), (&heard, vec!["missed", "next"])] {
        let mut back = Socket::open(&stage).await;
        back.authenticate(&stage.token()).await;
        back.ask(&[WILLOW], since).await;
        for id in missed {
            assert_eq!(back.change().await.1, id);
        }
        assert!(back.frame().await["ready"].is_object());
        stage.log("telemetry").write(Some(WILLOW), called("next"));
        assert_eq!(back.change().await.1, "next");
    }
}

#[tokio::test]
async fn who_signs_in_hears_what_changed_since() {
    let stage = stage_with(Role::Employee).await;
    let (mut witness, _) = Socket::subscribed(&stage, &[WILLOW]).await;
    stage.log("scheduling").write(Some(WILLOW), booked("before"));
    assert_eq!(witness.change().await.1, "before");
    let mut browser = stage.stranger();
    browser.get("/").await;
    let granted = browser.post("/api/auth/login", &json!({ "email": EMAIL, "password": PASSWORD })).await;
    let cursor = granted.json()["liveCursor"].as_str().unwrap().to_owned();
    stage.log("scheduling").write(Some(WILLOW), booked("since"));
    assert_eq!(witness.change().await.1, "since");
    let mut socket = Socket::open(&stage).await;
    socket.authenticate(&stage.token()).await;
    socket.ask(&[WILLOW], &cursor).await;
    assert_eq!(socket.change().await.1, "since");
    assert!(socket.frame().await["ready"].is_object());
}

#[tokio::test]
async fn a_cursor_that_says_nothing_any_more_is_reset() {
    let stage = stage_with(Role::Employee).await;
    let (mut socket, now) = Socket::subscribed(&stage, &[WILLOW]).await;
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    for cursor in [URL_SAFE_NO_PAD.encode("1.1.1.1"), "nonsense".to_owned()] {
        socket.ask(&[WILLOW], &cursor).await;
        assert_eq!(socket.frame().await, json!({ "reset": {} }));
        assert_ne!(socket.frame().await["ready"]["cursor"], now, "each is sealed anew");
    }
}

#[tokio::test]
async fn a_socket_that_lags_too_far_behind_reads_everything_again() {
    let stage = Stage::limited(Limits { socket_lag: 4, ..Limits::default() }).await;
    stage.auth.set_role(ANA, WILLOW, Some(Role::Employee));
    let (mut slow, _) = Socket::subscribed(&stage, &[WILLOW]).await;
    let (mut quick, _) = Socket::subscribed(&stage, &[WILLOW]).await;
    let mut asked = stage.auth.dawdle();
    // What auth said before is too old by now.
    stage.time.advance(jiff::SignedDuration::from_secs(1));
    slow.ask(&[WILLOW], "").await;
    timeout(PATIENCE, asked.changed()).await.unwrap().unwrap();
    for n in 0..20 {
        // One at a time: the other one keeps up.
        stage.log("scheduling").write(Some(WILLOW), booked(&n.to_string()));
        assert_eq!(quick.change().await.1, n.to_string());
    }
    stage.auth.hurry();
    assert!(slow.frame().await["ready"].is_object());
    assert_eq!(slow.frame().await, json!({ "reset": {} }));
    assert!(slow.frame().await["ready"].is_object());
    stage.log("telemetry").write(Some(WILLOW), called("next"));
    assert_eq!(slow.change().await.1, "next");
}

#[tokio::test]
async fn a_socket_ends_with_its_token_unless_there_is_a_new_one() {
    let stage = stage_with(Role::Employee).await;
    let brief = |seconds: i64| {
        let mut claims = stage.claims();
        claims["exp"] = json!(stage.time.now().as_second() + seconds);
        stage.auth.key().sign(&claims)
    };
    let mut socket = Socket::open(&stage).await;
    socket.authenticate(&brief(1)).await;
    assert_eq!(socket.closed().await, 4401);
    let mut socket = Socket::open(&stage).await;
    socket.authenticate(&brief(1)).await;
    socket.authenticate(&brief(3600)).await;
    socket.subscribe(&[WILLOW], "").await;
    // Another person can't take the socket over.
    let mut claims = stage.claims();
    claims["sid"] = json!(uuid::Uuid::from_u128(78));
    socket.authenticate(&stage.auth.key().sign(&claims)).await;
    assert_eq!(socket.closed().await, 4401);
}

#[tokio::test]
async fn sockets_are_told_that_the_door_restarts() {
    let mut stage = stage_with(Role::Employee).await;
    let (mut socket, _) = Socket::subscribed(&stage, &[WILLOW]).await;
    stage.door.shutdown.cancel();
    assert_eq!(socket.closed().await, 1012);
    stage.stop().await;
}

#[tokio::test]
async fn there_is_room_for_so_many_sockets_and_no_more() {
    let stage = Stage::limited(Limits { sockets: 1, ..Limits::default() }).await;
    let first = Socket::open(&stage).await;
    let second = Socket::from_origin(&stage, Some(ISSUER)).await;
    assert_eq!(refused(second), StatusCode::SERVICE_UNAVAILABLE);
    drop(first);
}

#[tokio::test]
async fn a_list_that_names_a_business_often_asks_once_about_each() {
    let stage = stage_with(Role::Employee).await;
    stage.auth.set_role(ANA, OTHER, Some(Role::Owner));
    let (mut socket, _) = Socket::subscribed(&stage, &[]).await;
    let asked = || *stage.auth.admit_asked.borrow();
    let before = asked();
    socket.subscribe(&[WILLOW, OTHER, WILLOW, OTHER, WILLOW], "").await;
    assert_eq!(asked(), before + 2);
    // A page that subscribes again at once is told from memory.
    socket.subscribe(&[WILLOW, OTHER], "").await;
    assert_eq!(asked(), before + 2);
}

#[tokio::test]
async fn a_membership_that_was_lost_between_two_subscriptions_is_not_told_from_memory() {
    let stage = stage_with(Role::Employee).await;
    stage.auth.set_role(ANA, OTHER, Some(Role::Owner));
    let (mut socket, _) = Socket::subscribed(&stage, &[WILLOW, OTHER]).await;
    socket.subscribe(&[WILLOW], "").await;
    stage.time.advance(jiff::SignedDuration::from_millis(100));
    stage.auth.set_role(ANA, OTHER, None);
    stage.log("auth").write(Some(OTHER), member(ANA, ""));
    stage.log("auth").write(Some(WILLOW), member(ANA, "EMPLOYEE"));
    assert_eq!(socket.change().await.0, "TOPIC_MEMBERSHIPS");
    socket.ask(&[WILLOW, OTHER], "").await;
    assert_eq!(socket.closed().await, 4403);
}

#[tokio::test]
async fn a_socket_that_talks_without_end_is_closed() {
    let stage = stage_with(Role::Employee).await;
    let (mut socket, _) = Socket::subscribed(&stage, &[WILLOW]).await;
    for _ in 0..30 {
        let again = json!({ "subscribe": { "businessIds": [WILLOW.to_string()] } });
        // The door may have closed it by now.
        drop(socket.0.send(Message::text(again.to_string())).await);
    }
    assert_eq!(socket.closed().await, 1008);
}

#[tokio::test]
async fn a_network_gets_its_share_of_the_sockets() {
    let limits = Limits { sockets: 8, parts: 4, ..Limits::default() };
    let stage = Stage::limited(limits).await;
    let held = [Socket::open(&stage).await, Socket::open(&stage).await];
    let third = Socket::from_origin(&stage, Some(ISSUER)).await;
    assert_eq!(refused(third), StatusCode::TOO_MANY_REQUESTS);
    drop(held);
}

#[tokio::test]
async fn who_listens_in_on_a_foreign_business_is_noted() {
    let stage = stage_with(Role::Owner).await;
    let mut socket = Socket::open(&stage).await;
    socket.authenticate(&stage.token()).await;
    socket.ask(&[OTHER], "").await;
    assert_eq!(socket.closed().await, 4403);
    let note = &stage.services.noted(1).await[0];
    assert_eq!((note.user_id.as_str(), note.method.as_str()), (ANA.to_string().as_str(), "/ws"));
    assert_eq!((note.business_id.as_str(), note.reason.as_str()), (OTHER.to_string().as_str(), "NOT_FOUND"));
    assert_eq!(note.client.as_ref().unwrap().address, "127.0.0.1");
}

#[tokio::test]
async fn a_log_that_was_quiet_is_followed_again_at_once_however_often() {
    let stage = Stage::open().await;
    let log = stage.log("auth");
    let mut readers = log.readers.subscribe();
    let again = async {
        for reader in 1..=12 {
            readers.wait_for(|readers| *readers >= reader).await.unwrap();
            log.hang_up();
        }
    };
    // Pauses that double would be half a minute by now.
    timeout(PATIENCE, again).await.expect("the log is not followed");
}
