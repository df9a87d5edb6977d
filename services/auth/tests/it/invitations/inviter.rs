//! Who sent an invitation: what they have a record of, and what goes with their role.

use boot::environment::Environment;
use caller::Role;
use proto::{
    error::Reason,
    frontdesk::auth::v1::{
        InviteRequest, ListSecurityEventsRequest, SecurityEventKind as Kind, WithdrawInvitationRequest,
    },
};

use super::{INVITATION, NEW};
use crate::fixture::{Auth, EMAIL, PASSWORD, at, business, reason, user};

#[tokio::test]
async fn who_invites_and_withdraws_has_the_address_and_the_business_in_their_record() {
    let auth = Auth::with_owner(Environment::Test).await;
    let tokens = auth.sign_in_as(EMAIL, PASSWORD, at("192.0.2.7")).await.unwrap();
    let invite = InviteRequest {
        business_id: business(1).to_string(),
        email: NEW.to_owned(),
        role: "GUEST".to_owned(),
        ..Default::default()
    };
    let invited = auth.members().invite(auth.owner(&tokens, invite)).await.unwrap().into_inner();
    let withdraw = WithdrawInvitationRequest {
        business_id: business(1).to_string(),
        invitation_id: invited.invitation.unwrap().id,
    };
    auth.members().withdraw_invitation(auth.owner(&tokens, withdraw)).await.unwrap();
    let request = auth.person(1, &tokens, ListSecurityEventsRequest::default());
    let events = auth.security().list_security_events(request).await.unwrap().into_inner().events;
    let place = business(1).to_string();
    for (event, kind) in events.iter().zip([Kind::InvitationWithdrawn, Kind::Invited]) {
        assert_eq!((event.kind(), event.detail.as_str()), (kind, NEW));
        assert_eq!((&event.business_id, event.address.as_str()), (&place, "192.0.2.7"));
        assert_eq!(event.actor_name, "", "they did it themselves");
    }
}

#[tokio::test]
async fn an_invitation_that_is_refused_leaves_no_entry() {
    let auth = Auth::with_owner(Environment::Test).await;
    assert_eq!(reason(&auth.invite(EMAIL, "GUEST").await.unwrap_err()), Reason::AlreadyExists);
    assert_eq!(auth.kinds(1).await.matches("INVITED").count(), 0);
}

#[tokio::test]
async fn what_an_owner_sent_goes_with_their_role_and_what_others_sent_stays() {
    let auth = Auth::with_owner(Environment::Test).await;
    auth.add(2, "other@demo.test").await;
    auth.set_role(user(2), business(1), "OWNER").await.unwrap();
    let kept = auth.invited(NEW, "EMPLOYEE").await;
    for (n, role) in [(1, "OWNER"), (2, "MANAGER"), (3, "")] {
        auth.set_role(user(2), business(1), "OWNER").await.unwrap();
        let message = InviteRequest {
            business_id: business(1).to_string(),
            email: format!("friend-{n}@demo.test"),
            role: "OWNER".to_owned(),
            ..Default::default()
        };
        auth.members().invite(auth.member(2, Role::Owner, business(1), message)).await.unwrap();
        let sent = auth.token_to(&format!("friend-{n}@demo.test"), INVITATION).await;
        auth.set_role(user(2), business(1), role).await.unwrap();
        match role {
            "OWNER" => drop(auth.show(&sent).await.unwrap()),
            _ => assert_eq!(reason(&auth.show(&sent).await.unwrap_err()), Reason::TokenSpent, "{role}"),
        }
    }
    auth.show(&kept).await.unwrap();
}

#[tokio::test]
async fn who_may_invite_no_more_does_not_with_what_let_them_in_a_moment_before() {
    let auth = Auth::with_owner(Environment::Test).await;
    auth.add(2, "other@demo.test").await;
    auth.set_role(user(2), business(1), "MANAGER").await.unwrap();
    let message = || InviteRequest {
        business_id: business(1).to_string(),
        email: NEW.to_owned(),
        role: "OWNER".to_owned(),
        ..Default::default()
    };
    let stale = auth.member(2, Role::Owner, business(1), message());
    assert_eq!(reason(&auth.members().invite(stale).await.unwrap_err()), Reason::RoleTooLow);
    let admin = auth.member(2, Role::Admin, business(1), message());
    auth.members().invite(admin).await.unwrap();
}

#[tokio::test]
async fn an_owner_who_removes_another_withdraws_what_that_one_sent_there_and_nowhere_else() {
    let auth = Auth::with_owner(Environment::Test).await;
    auth.add(2, "other@demo.test").await;
    let mut sent = Vec::new();
    for place in [1, 2] {
        auth.set_role(user(2), business(place), "OWNER").await.unwrap();
        let message = InviteRequest {
            business_id: business(place).to_string(),
            email: NEW.to_owned(),
            role: "OWNER".to_owned(),
            ..Default::default()
        };
        auth.members().invite(auth.member(2, Role::Owner, business(place), message)).await.unwrap();
        sent.push(auth.token_to(NEW, INVITATION).await);
    }
    auth.remove((1, Role::Owner), user(2)).await.unwrap();
    assert_eq!(reason(&auth.show(&sent[0]).await.unwrap_err()), Reason::TokenSpent);
    auth.show(&sent[1]).await.unwrap();
}
