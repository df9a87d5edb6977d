use database::named;
use proto::frontdesk::auth::v1::{
    GetMeRequest, ListMyBusinessIdsRequest, ListMyMembershipsRequest, ListMyMembershipsResponse,
};
use testkit::{SESSION, as_person, as_service};
use tonic::{Code, Request, Response, Status};

use crate::fixture::{Auth, EMAIL, business, fields, user};

impl Auth {
    /// A request of the one person of most tests.
    fn me<T>(&self, message: T) -> Request<T> {
        as_person(&self.host, user(1), SESSION, None, None, message)
    }

    async fn memberships(&self, size: i32, token: &str) -> Result<ListMyMembershipsResponse, Status> {
        let message = ListMyMembershipsRequest { page_size: size, page_token: token.to_owned() };
        self.accounts().list_my_memberships(self.me(message)).await.map(Response::into_inner)
    }

    async fn name(&self, n: u128, name: &str) {
        let sql = "INSERT INTO business_name VALUES (:business_id, :name, 1) RETURNING name";
        self.peek(sql, named! { business_id: business(n).0, name }).await;
    }
}

#[tokio::test]
async fn a_person_sees_their_own_account() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    auth.set_role(user(1), business(1), "MANAGER").await.unwrap();
    let me = auth.accounts().get_me(auth.me(GetMeRequest {})).await.unwrap().into_inner();
    assert_eq!((me.id, me.email.as_str()), (user(1).to_string(), EMAIL));
    assert_eq!((me.name.as_str(), me.role.as_str()), ("Olive Owner", "MANAGER"));
}

#[tokio::test]
async fn a_person_without_memberships_shows_as_guest_of_nowhere() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    assert_eq!(auth.accounts().get_me(auth.me(GetMeRequest {})).await.unwrap().into_inner().role, "GUEST");
    let ids = auth.accounts().list_my_business_ids(auth.me(ListMyBusinessIdsRequest {})).await.unwrap();
    assert!(ids.into_inner().business_ids.is_empty());
    assert!(auth.memberships(0, "").await.unwrap().memberships.is_empty());
}

#[tokio::test]
async fn a_person_sees_their_own_businesses_and_no_removed_ones() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    auth.add(2, "other@demo.test").await;
    for (person, place, role) in [(1, 1, "OWNER"), (1, 2, "GUEST"), (1, 3, "OWNER"), (2, 4, "OWNER")] {
        auth.set_role(user(person), business(place), role).await.unwrap();
    }
    auth.set_role(user(1), business(3), "").await.unwrap();
    let ids = auth.accounts().list_my_business_ids(auth.me(ListMyBusinessIdsRequest {})).await.unwrap();
    assert_eq!(ids.into_inner().business_ids, [business(1).to_string(), business(2).to_string()]);
}

#[tokio::test]
async fn memberships_come_by_name_in_pages_and_are_complete() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    // The fifth has no name yet; two have the same.
    let names = ["Zoë's", "anna & Co", "Émile", "Émile"];
    for (n, name) in (1..).zip(names) {
        auth.name(n, name).await;
    }
    for n in 1..=5 {
        auth.set_role(user(1), business(n), "EMPLOYEE").await.unwrap();
    }
    let mut seen = vec![];
    let mut token = String::new();
    for expected in [2, 2, 1] {
        let page = auth.memberships(2, &token).await.unwrap();
        assert_eq!(page.memberships.len(), expected);
        seen.extend(page.memberships.into_iter().map(|m| (m.business_id, m.business_name)));
        token = page.next_page_token;
    }
    assert_eq!(token, "");
    let expected = [(5, ""), (2, "anna & Co"), (3, "Émile"), (4, "Émile"), (1, "Zoë's")];
    let expected = expected.map(|(n, name)| (business(n).to_string(), name.to_owned()));
    assert_eq!(seen, expected);
    assert_eq!(auth.memberships(5, "").await.unwrap().next_page_token, "");
}

#[tokio::test]
async fn a_page_that_no_list_gave_out_is_named() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    assert_eq!(fields(&auth.memberships(201, "").await.unwrap_err()), ["page_size"]);
    for token in ["%", &proto::page::page_token(&7_i64), &proto::page::page_token(&"é".repeat(40))] {
        assert_eq!(fields(&auth.memberships(0, token).await.unwrap_err()), ["page_token"]);
    }
}

#[tokio::test]
async fn only_a_person_has_an_account() {
    let auth = Auth::start().await;
    let service = as_service("bff", &auth.host, None, GetMeRequest {});
    assert_eq!(auth.accounts().get_me(service).await.unwrap_err().code(), Code::PermissionDenied);
    let stranger = auth.accounts().get_me(auth.me(GetMeRequest {})).await.unwrap_err();
    assert_eq!(stranger.code(), Code::NotFound);
}
