use proto::{error::Reason, frontdesk::auth::internal::v1::AdmitRequest};
use testkit::as_service;
use tonic::Code;

use crate::fixture::{Auth, EMAIL, PASSWORD, business, fields, reason, user};

#[tokio::test]
async fn a_live_session_is_admitted_with_its_persons_role_there_and_its_highest_for_display() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.set_role(user(1), business(1), "EMPLOYEE").await.unwrap();
    auth.set_role(user(1), business(2), "OWNER").await.unwrap();
    let there = auth.admit(&tokens, Some(business(1))).await;
    assert_eq!((there.alive, there.admin), (true, false));
    assert_eq!((there.role.as_str(), there.display_role.as_str()), ("EMPLOYEE", "OWNER"));
    let elsewhere = auth.admit(&tokens, Some(business(3))).await;
    assert_eq!((elsewhere.alive, elsewhere.role.as_str()), (true, ""));
    let nowhere = auth.admit(&tokens, None).await;
    assert_eq!((nowhere.role.as_str(), nowhere.display_role.as_str()), ("", "OWNER"));
}

#[tokio::test]
async fn signing_out_ends_admission_and_refreshing_at_once() {
    let (auth, tokens) = Auth::signed_in().await;
    let other = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    assert!(auth.admit(&tokens, None).await.alive);
    auth.sign_out(&tokens.refresh_token).await.unwrap();
    assert_eq!(auth.admit(&tokens, Some(business(1))).await, Default::default());
    assert_eq!(reason(&auth.refresh(&tokens.refresh_token).await.unwrap_err()), Reason::Unauthenticated);
    auth.sign_out(&tokens.refresh_token).await.unwrap();
    assert!(auth.admit(&other, None).await.alive, "other browsers stay signed in");
}

#[tokio::test]
async fn an_older_token_signs_out_as_well() {
    let (auth, first) = Auth::signed_in().await;
    let second = auth.refresh(&first.refresh_token).await.unwrap();
    auth.sign_out(&first.refresh_token).await.unwrap();
    assert!(!auth.admit(&second, None).await.alive);
}

#[tokio::test]
async fn a_removed_or_changed_membership_takes_effect_at_once() {
    let (auth, tokens) = Auth::signed_in().await;
    for (role, admitted) in [("OWNER", "OWNER"), ("GUEST", "GUEST"), ("", ""), ("MANAGER", "MANAGER")] {
        auth.set_role(user(1), business(1), role).await.unwrap();
        assert_eq!(auth.admit(&tokens, Some(business(1))).await.role, admitted);
    }
}

#[tokio::test]
async fn a_session_admits_only_its_person() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.add(2, "other@demo.test").await;
    let message = AdmitRequest {
        session_id: tokens.session_id.clone(),
        user_id: user(2).to_string(),
        business_id: String::new(),
    };
    let response = auth.sessions().admit(auth.door(message)).await.unwrap().into_inner();
    assert_eq!(response, Default::default());
}

#[tokio::test]
async fn an_unknown_session_is_not_alive_and_a_malformed_id_is_named() {
    let (auth, _) = Auth::signed_in().await;
    let request = |session: &str, person: &str, business: &str| {
        auth.door(AdmitRequest {
            session_id: session.to_owned(),
            user_id: person.to_owned(),
            business_id: business.to_owned(),
        })
    };
    let id = user(1).to_string();
    assert!(!auth.sessions().admit(request(&id, &id, "")).await.unwrap().into_inner().alive);
    for (session, person, business, field) in
        [("", id.as_str(), "", "session_id"), (&id, "x", "", "user_id"), (&id, &id, "x", "business_id")]
    {
        let refused = auth.sessions().admit(request(session, person, business)).await.unwrap_err();
        assert_eq!(fields(&refused), [field]);
    }
}

#[tokio::test]
async fn only_the_door_asks_for_admission() {
    let (auth, tokens) = Auth::signed_in().await;
    let message = AdmitRequest { session_id: tokens.session_id, ..Default::default() };
    let request = as_service("scheduling", &auth.host, None, message);
    assert_eq!(auth.sessions().admit(request).await.unwrap_err().code(), Code::PermissionDenied);
}
