use proto::{
    error::Reason,
    frontdesk::auth::internal::v1::{EnsureUserRequest, SetMembershipRequest},
};
use testkit::{SESSION, as_person, as_service};
use tonic::{Code, Status};

use crate::fixture::{Auth, EMAIL, PASSWORD, business, fields, reason, user};

fn olive() -> EnsureUserRequest {
    EnsureUserRequest {
        user_id: user(1).to_string(),
        email: EMAIL.to_owned(),
        name: "Olive Owner".to_owned(),
        password: PASSWORD.to_owned(),
        admin: false,
    }
}

async fn ensure(auth: &Auth, message: EnsureUserRequest) -> Result<String, Status> {
    let request = as_service("local", &auth.host, None, message);
    Ok(auth.provisioning().ensure_user(request).await?.into_inner().user_id)
}

#[tokio::test]
async fn ensuring_a_person_twice_leaves_the_first_as_they_were() {
    let auth = Auth::start().await;
    let first = ensure(&auth, olive()).await.unwrap();
    assert_eq!(first, user(1).to_string());
    let message = EnsureUserRequest {
        user_id: user(2).to_string(),
        email: "OWNER@demo.test".to_owned(),
        password: "another password".to_owned(),
        admin: true,
        ..olive()
    };
    assert_eq!(ensure(&auth, message).await.unwrap(), first);
    assert_eq!(auth.sign_in(EMAIL, PASSWORD).await.unwrap().role, "GUEST");
}

#[tokio::test(flavor = "multi_thread")]
async fn ensuring_a_person_many_times_at_once_makes_one_account() {
    let auth = Auth::start().await;
    let message = || EnsureUserRequest { user_id: String::new(), ..olive() };
    let ids = futures::future::join_all((0..8).map(|_| ensure(&auth, message()))).await;
    let first = ids[0].as_ref().unwrap();
    assert!(ids.iter().all(|id| id.as_ref().unwrap() == first));
    assert_eq!(auth.peek("SELECT count(*)::text FROM account", []).await.unwrap(), "1");
}

#[tokio::test]
async fn an_id_of_another_person_is_refused() {
    let auth = Auth::start().await;
    ensure(&auth, olive()).await.unwrap();
    let message = EnsureUserRequest { email: "other@demo.test".to_owned(), ..olive() };
    assert_eq!(reason(&ensure(&auth, message).await.unwrap_err()), Reason::AlreadyExists);
}

#[tokio::test]
async fn a_field_of_a_person_that_breaks_a_rule_is_named() {
    let auth = Auth::start().await;
    for (message, field) in [
        (EnsureUserRequest { user_id: "x".to_owned(), ..olive() }, "user_id"),
        (EnsureUserRequest { email: "x".to_owned(), ..olive() }, "email"),
        (EnsureUserRequest { name: " ".to_owned(), ..olive() }, "name"),
        (EnsureUserRequest { password: "short".to_owned(), ..olive() }, "password"),
        (EnsureUserRequest { password: EMAIL.to_owned(), ..olive() }, "password"),
    ] {
        assert_eq!(fields(&ensure(&auth, message).await.unwrap_err()), [field]);
    }
}

#[tokio::test]
async fn a_role_that_no_member_can_have_is_named() {
    let auth = Auth::start().await;
    let person = auth.add(1, EMAIL).await;
    for role in ["ADMIN", "owner", "BOSS"] {
        assert_eq!(fields(&auth.set_role(person, business(1), role).await.unwrap_err()), ["role"]);
    }
}

#[tokio::test]
async fn a_person_there_is_not_joins_no_business() {
    let auth = Auth::start().await;
    let refused = auth.set_role(user(9), business(1), "OWNER").await.unwrap_err();
    assert_eq!(reason(&refused), Reason::NotFound);
    auth.set_role(user(9), business(1), "").await.unwrap();
}

#[tokio::test]
async fn only_the_named_services_provision() {
    let auth = Auth::start().await;
    let request = as_service("tenancy", &auth.host, None, olive());
    assert_eq!(auth.provisioning().ensure_user(request).await.unwrap_err().code(), Code::PermissionDenied);
    let message = || SetMembershipRequest {
        user_id: user(1).to_string(),
        business_id: business(1).to_string(),
        role: "OWNER".to_owned(),
    };
    let request = as_service("scheduling", &auth.host, None, message());
    assert_eq!(auth.provisioning().set_membership(request).await.unwrap_err().code(), Code::PermissionDenied);
    let admin = Some(caller::Role::Admin);
    let request = as_person(&auth.host, user(1), SESSION, None, admin, message());
    assert_eq!(auth.provisioning().set_membership(request).await.unwrap_err().code(), Code::PermissionDenied);
}
