//! What other services are told of who is a member.

use proto::frontdesk::auth::internal::v1::{
    FindMemberRequest, FoundMember, membership_service_client::MembershipServiceClient,
};
use testkit::as_service;
use tonic::Status;

use crate::fixture::{Auth, EMAIL, business, fields, user};

async fn found(auth: &Auth, place: u128, user_id: &str, email: &str) -> Result<Option<FoundMember>, Status> {
    let message = FindMemberRequest {
        business_id: business(place).to_string(),
        user_id: user_id.to_owned(),
        email: email.to_owned(),
    };
    let request = as_service("tenancy", &auth.host, Some(business(place)), message);
    let answer = MembershipServiceClient::new(auth.channel.clone()).find_member(request).await?;
    Ok(answer.into_inner().member)
}

#[tokio::test]
async fn a_member_is_found_by_account_and_by_address_in_their_business_alone() {
    let auth = Auth::start().await;
    let owner = auth.add(1, EMAIL).await;
    auth.set_role(owner, business(1), "OWNER").await.unwrap();
    let id = owner.to_string();
    let expected = FoundMember {
        user_id: id.clone(),
        name: "Olive Owner".to_owned(),
        role: "OWNER".to_owned(),
        disabled: false,
    };
    assert_eq!(found(&auth, 1, &id, "").await.unwrap(), Some(expected.clone()));
    assert_eq!(found(&auth, 1, "", &EMAIL.to_uppercase()).await.unwrap(), Some(expected));
    for (user_id, email) in [(id.as_str(), ""), ("", EMAIL)] {
        assert_eq!(found(&auth, 2, user_id, email).await.unwrap(), None);
    }
    assert_eq!(found(&auth, 1, &user(9).to_string(), "").await.unwrap(), None);
    auth.set_role(owner, business(1), "").await.unwrap();
    assert_eq!(found(&auth, 1, &id, "").await.unwrap(), None, "who was removed is no member");
}

#[tokio::test]
async fn a_malformed_account_or_address_is_named() {
    let auth = Auth::start().await;
    for (user_id, email, field) in [("ana", "", "user_id"), ("", "ana", "email"), ("", "", "email")] {
        assert_eq!(fields(&found(&auth, 1, user_id, email).await.unwrap_err()), [field]);
    }
}
