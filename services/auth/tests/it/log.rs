use boot::peer::PeerChannel;
use proto::frontdesk::events::v1::{
    Event, FollowRequest, FollowResponse, MembershipChanged, SessionEnded, event::Payload,
    event_log_service_client::EventLogServiceClient, follow_request::From as Begin,
};
use testkit::as_service;
use tonic::Streaming;

use crate::fixture::{Auth, EMAIL, PASSWORD, business, user};

pub async fn follow(auth: &Auth) -> Streaming<FollowResponse> {
    let mut client: EventLogServiceClient<PeerChannel> = EventLogServiceClient::new(auth.channel.clone());
    let message =
        FollowRequest { follower: "test".to_owned(), from: Some(Begin::After(0)), log: String::new() };
    client.follow(as_service("bff", &auth.host, None, message)).await.unwrap().into_inner()
}

pub async fn next(log: &mut Streaming<FollowResponse>) -> Event {
    loop {
        if let Some(event) = log.message().await.unwrap().unwrap().event {
            return event;
        }
    }
}

#[tokio::test]
async fn a_changed_membership_is_an_event_of_its_business_whose_versions_go_on_after_removal() {
    let auth = Auth::start().await;
    let person = auth.add(1, EMAIL).await;
    for role in ["EMPLOYEE", "EMPLOYEE", "OWNER", "", "", "GUEST"] {
        auth.set_role(person, business(1), role).await.unwrap();
    }
    let mut log = follow(&auth).await;
    let mut aggregates = std::collections::BTreeSet::new();
    for (version, role) in (1..).zip(["EMPLOYEE", "OWNER", "", "GUEST"]) {
        let event = next(&mut log).await;
        assert_eq!((event.version, event.business_id), (version, business(1).to_string()));
        let name = if role.is_empty() { "" } else { "Olive Owner" };
        let expected = MembershipChanged {
            user_id: user(1).to_string(),
            role: role.to_owned(),
            name: name.to_owned(),
            ..Default::default()
        };
        assert_eq!(event.payload, Some(Payload::Membership(expected)));
        aggregates.insert(event.aggregate_id);
    }
    assert_eq!(aggregates.len(), 1);
}

#[tokio::test]
async fn a_session_that_ends_is_an_event_once_however_it_ends() {
    let (auth, signed_out) = Auth::signed_in().await;
    let revoked = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    auth.sign_out(&signed_out.refresh_token).await.unwrap();
    auth.sign_out(&signed_out.refresh_token).await.unwrap();
    let second = auth.refresh(&revoked.refresh_token).await.unwrap();
    auth.refresh(&second.refresh_token).await.unwrap();
    assert!(auth.refresh(&revoked.refresh_token).await.is_err());
    assert!(auth.refresh(&revoked.refresh_token).await.is_err());
    auth.set_role(user(1), business(1), "OWNER").await.unwrap();

    let mut log = follow(&auth).await;
    for session in [&signed_out, &revoked] {
        let event = next(&mut log).await;
        let expected = SessionEnded { session_id: session.session_id.clone() };
        assert_eq!(event.payload, Some(Payload::SessionEnded(expected)));
        assert_eq!((event.business_id.as_str(), event.version), ("", 1));
    }
    assert!(matches!(next(&mut log).await.payload, Some(Payload::Membership(_))));
}
