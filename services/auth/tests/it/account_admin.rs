//! Accounts that an administrator shuts out.

use caller::Role;
use database::named;
use proto::{
    error::Reason,
    frontdesk::{
        auth::v1::{
            BusinessOwners, DisableAccountRequest, EnableAccountRequest, ListAccountNamesRequest,
            ListBusinessOwnersRequest, account_admin_service_client::AccountAdminServiceClient,
        },
        events::v1::{MembershipChanged, event::Payload},
    },
};
use testkit::{SESSION, as_person};
use tonic::{Code, Status};

use crate::{
    fixture::{Auth, EMAIL, PASSWORD, business, fields, reason, told, user},
    log::{follow, next},
};

/// Who administers.
const ADMIN: u128 = 9;

impl Auth {
    async fn owners(&self, role: Role, businesses: &[String]) -> Result<Vec<BusinessOwners>, Status> {
        let message = ListBusinessOwnersRequest { business_ids: businesses.to_vec() };
        let request = as_person(&self.host, user(ADMIN), SESSION, None, Some(role), message);
        let mut client = AccountAdminServiceClient::new(self.channel.clone());
        Ok(client.list_business_owners(request).await?.into_inner().businesses)
    }

    /// Ids and names.
    async fn names(&self, role: Role, people: &[String]) -> Result<Vec<(String, String)>, Status> {
        let message = ListAccountNamesRequest { user_ids: people.to_vec() };
        let request = as_person(&self.host, user(ADMIN), SESSION, None, Some(role), message);
        let mut client = AccountAdminServiceClient::new(self.channel.clone());
        let named = client.list_account_names(request).await?.into_inner().accounts;
        Ok(named.into_iter().map(|account| (account.user_id, account.name)).collect())
    }

    async fn disable(&self, role: Role, whose: &str) -> Result<(), Status> {
        let message = DisableAccountRequest { user_id: whose.to_owned() };
        let request = as_person(&self.host, user(ADMIN), SESSION, None, Some(role), message);
        AccountAdminServiceClient::new(self.channel.clone()).disable_account(request).await.map(drop)
    }

    async fn enable(&self, role: Role, whose: &str) -> Result<(), Status> {
        let message = EnableAccountRequest { user_id: whose.to_owned() };
        let request = as_person(&self.host, user(ADMIN), SESSION, None, Some(role), message);
        AccountAdminServiceClient::new(self.channel.clone()).enable_account(request).await.map(drop)
    }
}

#[tokio::test]
async fn a_disabled_account_loses_its_sessions_at_once_and_reads_like_a_wrong_password() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.add(ADMIN, "admin@demo.test").await;
    let person = user(1).to_string();
    let wrong = auth.sign_in(EMAIL, "incorrect horse").await.unwrap_err();
    let sent =
        "INSERT INTO invitation (id, business_id, email, role, hash, invited_by, invited_at, expires_at)
        SELECT gen_random_uuid(), gen_random_uuid(), n || '@demo.test', 'OWNER', sha256(n::text::bytea), id,
            created_at, 'infinity' FROM account, generate_series(1, 2) AS n WHERE email = :email RETURNING role";
    auth.peek(sent, named! { email: EMAIL }).await;
    auth.disable(Role::Admin, &person).await.unwrap();
    assert_eq!(auth.peek("SELECT count(*)::text FROM invitation", []).await.unwrap(), "0");
    assert!(!auth.admit(&tokens, None).await.alive);
    let refused = auth.refresh(&tokens.refresh_token).await.unwrap_err();
    assert_eq!((reason(&refused), refused.message()), (Reason::Unauthenticated, "The session has ended."));
    assert_eq!(told(&auth.sign_in(EMAIL, PASSWORD).await.unwrap_err()), told(&wrong));
    auth.disable(Role::Admin, &person).await.unwrap();

    auth.enable(Role::Admin, &person).await.unwrap();
    auth.enable(Role::Admin, &person).await.unwrap();
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    assert!(!auth.admit(&tokens, None).await.alive, "an ended session stays ended");
    assert_eq!(
        auth.kinds(1).await,
        "SIGNED_IN ENABLED SIGN_IN_FAILED DISABLED SIGN_IN_FAILED SIGNED_IN",
        "each change is recorded once"
    );
}

#[tokio::test]
async fn the_businesses_of_a_disabled_account_are_told_and_told_again_when_it_is_asked_for_again() {
    let auth = Auth::start().await;
    let person = auth.add(1, EMAIL).await;
    auth.add(ADMIN, "admin@demo.test").await;
    for (at, role) in [(1, "OWNER"), (2, "EMPLOYEE"), (3, "GUEST"), (3, "")] {
        auth.set_role(person, business(at), role).await.unwrap();
    }
    for _ in 0..2 {
        auth.disable(Role::Admin, &user(1).to_string()).await.unwrap();
    }
    auth.enable(Role::Admin, &user(1).to_string()).await.unwrap();
    auth.set_role(person, business(1), "MANAGER").await.unwrap();
    let mut log = follow(&auth).await;
    for _ in 0..4 {
        next(&mut log).await;
    }
    for (at, role, version) in [(1, "OWNER", 2), (2, "EMPLOYEE", 2), (1, "OWNER", 3), (2, "EMPLOYEE", 3)] {
        let event = next(&mut log).await;
        assert_eq!((event.business_id, event.version), (business(at).to_string(), version));
        let (user_id, role) = (user(1).to_string(), role.to_owned());
        let expected = MembershipChanged { user_id, role, disabled: true, ..Default::default() };
        assert_eq!(event.payload, Some(Payload::Membership(expected)));
    }
    let Some(Payload::Membership(after)) = next(&mut log).await.payload else { panic!("a membership") };
    assert!(!after.disabled && after.role == "MANAGER");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_that_meets_the_disabling_leaves_no_session() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    auth.add(ADMIN, "admin@demo.test").await;
    let person = user(1).to_string();
    let sign_ins = futures::future::join_all((0..8).map(|_| auth.sign_in(EMAIL, PASSWORD)));
    let (opened, disabled) = tokio::join!(sign_ins, auth.disable(Role::Admin, &person));
    disabled.unwrap();
    for tokens in opened.into_iter().flatten() {
        assert!(!auth.admit(&tokens, None).await.alive);
    }
    let alive = "SELECT count(*)::text FROM session WHERE ended_at IS NULL";
    assert_eq!(auth.peek(alive, []).await.unwrap(), "0");
}

#[tokio::test]
async fn only_an_administrator_disables_and_not_their_own_account() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    let person = user(1).to_string();
    let refused = auth.disable(Role::Owner, &person).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied);
    assert_eq!(auth.enable(Role::Owner, &person).await.unwrap_err().code(), Code::PermissionDenied);
    let own = auth.disable(Role::Admin, &user(ADMIN).to_string()).await.unwrap_err();
    assert_eq!(reason(&own), Reason::LastOne);
}

#[tokio::test]
async fn an_account_there_is_not_is_not_found_and_what_is_no_id_is_named() {
    let auth = Auth::start().await;
    let missing_id = user(7).to_string();
    assert_eq!(reason(&auth.disable(Role::Admin, &missing_id).await.unwrap_err()), Reason::NotFound);
    assert_eq!(reason(&auth.enable(Role::Admin, &missing_id).await.unwrap_err()), Reason::NotFound);
    assert_eq!(fields(&auth.disable(Role::Admin, "").await.unwrap_err()), ["user_id"]);
    assert_eq!(fields(&auth.enable(Role::Admin, "x").await.unwrap_err()), ["user_id"]);
}

#[tokio::test]
async fn accounts_are_named_to_administrators_alone() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    auth.add(2, "other@demo.test").await;
    let ids: Vec<String> = [2, 7, 1, 2].map(|n| user(n).to_string()).into();
    let named = auth.names(Role::Admin, &ids).await.unwrap();
    let name = async |n| {
        let sql = "SELECT name FROM account WHERE id = :id";
        auth.peek(sql, named! { id: user(n).0 }).await.unwrap()
    };
    assert_eq!(named, [(user(1).to_string(), name(1).await), (user(2).to_string(), name(2).await)]);
    assert_eq!(fields(&auth.names(Role::Admin, &[]).await.unwrap_err()), ["user_ids"]);
    let many = vec![user(1).to_string(); 201];
    assert_eq!(fields(&auth.names(Role::Admin, &many).await.unwrap_err()), ["user_ids"]);
    let refused = auth.names(Role::Owner, &ids).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied);
}

#[tokio::test]
async fn businesses_are_told_by_whether_they_have_owners() {
    let auth = Auth::start().await;
    auth.add(ADMIN, "admin@demo.test").await;
    for (n, role) in [(1, "OWNER"), (2, "OWNER"), (3, "EMPLOYEE"), (4, "MANAGER")] {
        auth.add(n, &format!("person-{n}@demo.test")).await;
        auth.set_role(user(n), business(1), role).await.unwrap();
    }
    auth.set_role(user(4), business(1), "").await.unwrap();
    auth.disable(Role::Admin, &user(2).to_string()).await.unwrap();
    let invited = "INSERT INTO invitation (id, business_id, email, role, hash, invited_at, expires_at)
        SELECT gen_random_uuid(), :business_id, n || '@demo.test', CASE WHEN n < 3 THEN 'OWNER' ELSE 'GUEST' END,
            sha256(n::text::bytea), '2026-06-01', CASE WHEN n = 1 THEN '2026-01-01' ELSE 'infinity' END::timestamptz
        FROM generate_series(1, 3) AS n RETURNING role";
    auth.peek(invited, named! { business_id: business(2).0 }).await;
    let ids = [business(2), business(3), business(1)].map(|business| business.to_string());
    let told = auth.owners(Role::Admin, &ids).await.unwrap();
    let counts =
        |owners: &BusinessOwners| (owners.owner_count, owners.invited_owner_count, owners.member_count);
    assert_eq!(told.iter().map(counts).collect::<Vec<_>>(), [(0, 1, 0), (0, 0, 0), (1, 0, 3)]);
    assert_eq!(told.iter().map(|owners| owners.business_id.clone()).collect::<Vec<_>>(), ids);
    assert_eq!(reason(&auth.owners(Role::Owner, &ids).await.unwrap_err()), Reason::RoleTooLow);
    assert_eq!(fields(&auth.owners(Role::Admin, &[]).await.unwrap_err()), ["business_ids"]);
}
