//! Invitations that a service sends in the name of a person.

use boot::environment::Environment;
use caller::Role;
use database::named;
use jiff::SignedDuration;
use proto::{error::Reason, frontdesk::auth::v1::InviteRequest};

use super::{INVITATION, NEW};
use crate::fixture::{Auth, EMAIL, business, fields, reason, user};

#[tokio::test]
async fn a_service_that_invites_again_finds_the_open_invitation_and_sends_no_mail() {
    let auth = Auth::with_owner(Environment::Development).await;
    let employee = uuid::Uuid::from_u128(7).to_string();
    let message = InviteRequest {
        business_id: business(1).to_string(),
        email: NEW.to_owned(),
        role: "EMPLOYEE".to_owned(),
        employee_id: employee.clone(),
        check_only: false,
        on_behalf_of: user(1).to_string(),
    };
    let invite = async |message: InviteRequest| auth.invite_as_service(message).await;
    let first = invite(message.clone()).await.unwrap().unwrap();
    // More often than an address may be written to.
    for _ in 0..9 {
        assert_eq!(invite(message.clone()).await.unwrap().unwrap().id, first.id);
    }
    let other = InviteRequest { role: "MANAGER".to_owned(), ..message.clone() };
    assert_ne!(invite(other).await.unwrap().unwrap().id, first.id);

    let checked = InviteRequest { check_only: true, ..message.clone() };
    assert_eq!(invite(checked).await.unwrap(), None);
    let member = InviteRequest { email: EMAIL.to_owned(), check_only: true, ..message.clone() };
    assert_eq!(reason(&invite(member).await.unwrap_err()), Reason::AlreadyExists);
    let local = testkit::as_service("local", &auth.host, Some(business(1)), message);
    assert_eq!(reason(&auth.members().invite(local).await.unwrap_err()), Reason::RoleTooLow);
}

#[tokio::test]
async fn what_a_service_sends_for_an_owner_is_theirs_and_goes_with_their_role() {
    let auth = Auth::with_owner(Environment::Test).await;
    auth.add(2, "other@demo.test").await;
    let message = |email: &str, on_behalf_of: &str| InviteRequest {
        business_id: business(1).to_string(),
        email: email.to_owned(),
        role: "OWNER".to_owned(),
        on_behalf_of: on_behalf_of.to_owned(),
        ..Default::default()
    };
    let other = user(2).to_string();
    for role in ["MANAGER", ""] {
        auth.set_role(user(2), business(1), "OWNER").await.unwrap();
        auth.invite_as_service(message(NEW, &other)).await.unwrap().unwrap();
        let token = auth.token_to(NEW, INVITATION).await;
        let [_, text] = auth.mail_to(NEW).await;
        assert!(text.contains(" invites you to join Salon Anna"), "{text}");
        assert!(auth.kinds(2).await.starts_with("INVITED"), "the owner's record has it");
        let sql = "SELECT string_agg(DISTINCT actor, ' ') FROM change_entry WHERE record_kind = 'invitation' AND before IS NULL";
        assert_eq!(auth.peek(sql, named! {}).await.unwrap(), format!("user:{other}"));

        auth.set_role(user(2), business(1), role).await.unwrap();
        assert!(auth.invitations(0, "").await.unwrap().invitations.is_empty(), "{role}");
        assert_eq!(reason(&auth.join(NEW, &token).await.unwrap_err()), Reason::TokenSpent, "{role}");
        let refused = auth.invite_as_service(message(NEW, &other)).await.unwrap_err();
        assert_eq!(reason(&refused), Reason::RoleTooLow, "{role}");
    }
    // As the release before does, whose workers try again.
    let nameless = auth.invite_as_service(message(NEW, "")).await.unwrap_err();
    assert_eq!(reason(&nameless), Reason::Unavailable);
    let named = auth.member(1, Role::Owner, business(1), message(NEW, &other));
    assert_eq!(fields(&auth.members().invite(named).await.unwrap_err()), ["on_behalf_of"]);
    auth.set_role(user(2), business(1), "OWNER").await.unwrap();
    auth.peek(
        "UPDATE account SET disabled_at = now() WHERE id = :id RETURNING email",
        named! { id: user(2).0 },
    )
    .await;
    let refused = auth.invite_as_service(message(NEW, &other)).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow, "a disabled account invites no one");
}

#[tokio::test]
async fn a_list_of_people_is_invited_at_once_and_no_second_one_within_the_hour() {
    let auth = Auth::with_owner(Environment::Development).await;
    let sql = "INSERT INTO mail_count (name, mails, ends_at)
        VALUES (:name, 499, :ends_at) RETURNING name";
    let ends_at = auth.host.clock.now() + SignedDuration::from_mins(30);
    let name = format!("in bulk by {}", user(1));
    auth.peek(sql, named! { name: name.as_str(), ends_at: database::to_db(ends_at) }).await;
    let message = |n: u32| InviteRequest {
        business_id: business(1).to_string(),
        email: format!("new-{n}@demo.test"),
        role: "EMPLOYEE".to_owned(),
        on_behalf_of: user(1).to_string(),
        ..Default::default()
    };
    auth.invite_as_service(message(1)).await.unwrap();
    assert_eq!(reason(&auth.invite_as_service(message(2)).await.unwrap_err()), Reason::RateLimited);
    auth.invite("new-3@demo.test", "EMPLOYEE").await.unwrap();
}
