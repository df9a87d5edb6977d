use caller::{BusinessId, Role, UserId};
use database::named;
use proto::{
    error::Reason,
    frontdesk::auth::v1::{
        InviteRequest, ListInvitationsRequest, ListMembersRequest, ListMembersResponse, RemoveMemberRequest,
        SetMemberRoleRequest, WithdrawInvitationRequest,
    },
};
use testkit::{SESSION, as_person};
use tonic::{Code, Request, Status};
use tonic_types::StatusExt;

use crate::fixture::{Auth, EMAIL, business, fields, reason, user};

impl Auth {
    /// A request of the person `n` as a member of a business.
    pub fn member<T>(&self, n: u128, role: Role, business: BusinessId, message: T) -> Request<T> {
        as_person(&self.host, user(n), SESSION, Some(business), Some(role), message)
    }

    /// Two owners and a manager of the first business, an owner of the second.
    async fn salon() -> Self {
        let auth = Self::start().await;
        for (n, email) in [(1, EMAIL), (2, "other@demo.test"), (3, "manager@demo.test"), (4, "far@demo.test")]
        {
            auth.add(n, email).await;
        }
        for (n, place, role) in [(1, 1, "OWNER"), (2, 1, "OWNER"), (3, 1, "MANAGER"), (4, 2, "OWNER")] {
            auth.set_role(user(n), business(place), role).await.unwrap();
        }
        auth
    }

    async fn set(&self, by: (u128, Role), person: UserId, role: &str) -> Result<(), Status> {
        self.set_expecting(by, person, ("", role)).await
    }

    /// Sets a role where the member has the first one, or whatever role they have.
    async fn set_expecting(
        &self,
        by: (u128, Role),
        person: UserId,
        (expected, role): (&str, &str),
    ) -> Result<(), Status> {
        let message = SetMemberRoleRequest {
            business_id: business(1).to_string(),
            user_id: person.to_string(),
            role: role.to_owned(),
            expected_role: expected.to_owned(),
        };
        self.members().set_member_role(self.member(by.0, by.1, business(1), message)).await.map(drop)
    }

    pub async fn remove(&self, by: (u128, Role), person: UserId) -> Result<(), Status> {
        let message =
            RemoveMemberRequest { business_id: business(1).to_string(), user_id: person.to_string() };
        self.members().remove_member(self.member(by.0, by.1, business(1), message)).await.map(drop)
    }

    pub async fn page_of_members(&self, size: i32, token: &str) -> Result<ListMembersResponse, Status> {
        let message = ListMembersRequest {
            business_id: business(1).to_string(),
            page_size: size,
            page_token: token.to_owned(),
        };
        let request = self.member(1, Role::Owner, business(1), message);
        Ok(self.members().list_members(request).await?.into_inner())
    }

    async fn role_of(&self, n: u128) -> String {
        let sql = "SELECT COALESCE(max(role), '') FROM membership WHERE account_id = :account_id AND business_id = :business_id";
        self.peek(sql, named! { account_id: user(n).0, business_id: business(1).0 }).await.unwrap()
    }
}

#[tokio::test]
async fn members_come_by_name_in_pages_with_what_their_owner_needs_to_know() {
    let auth = Auth::salon().await;
    for (n, name) in [(1, "Zoë"), (2, "anna"), (3, "Émile")] {
        auth.peek(
            "UPDATE account SET name = :name WHERE id = :id RETURNING name",
            named! { id: user(n).0, name },
        )
        .await;
    }
    let disable = "UPDATE account SET disabled_at = now() WHERE id = :id RETURNING name";
    auth.peek(disable, named! { id: user(3).0 }).await;
    let first = auth.page_of_members(2, "").await.unwrap();
    let last = auth.page_of_members(2, &first.next_page_token).await.unwrap();
    assert_eq!(last.next_page_token, "");
    let seen: Vec<_> = first
        .members
        .iter()
        .chain(&last.members)
        .map(|m| (m.name.as_str(), m.email.as_str(), m.role.as_str(), m.disabled, m.blocked_until))
        .collect();
    let expected = [
        ("anna", "other@demo.test", "OWNER", false, None),
        ("Émile", "manager@demo.test", "MANAGER", true, None),
        ("Zoë", EMAIL, "OWNER", false, None),
    ];
    assert_eq!(seen, expected);
    auth.remove((1, Role::Owner), user(2)).await.unwrap();
    assert_eq!(auth.page_of_members(0, "").await.unwrap().members.len(), 2);
    assert_eq!(fields(&auth.page_of_members(201, "").await.unwrap_err()), ["page_size"]);
    assert_eq!(fields(&auth.page_of_members(0, "%").await.unwrap_err()), ["page_token"]);
    let far = (String::from("an\0na"), user(2).0);
    for forged in [proto::page::page_token(&7_i64), proto::page::page_token(&far)] {
        assert_eq!(fields(&auth.page_of_members(0, &forged).await.unwrap_err()), ["page_token"]);
    }
}

#[tokio::test]
async fn an_owner_changes_a_role_and_the_member_sees_who_did_it() {
    let auth = Auth::salon().await;
    auth.set((1, Role::Owner), user(3), "EMPLOYEE").await.unwrap();
    assert_eq!(auth.role_of(3).await, "EMPLOYEE");
    let sql = "SELECT concat_ws(' ', kind, detail, actor_id = :actor, business_id = :business)
        FROM security_event WHERE account_id = :account ORDER BY at DESC, id DESC LIMIT 1";
    let values = named! { account: user(3).0, actor: user(1).0, business: business(1).0 };
    let told = auth.peek(sql, values).await.unwrap();
    assert_eq!(told, "ROLE_CHANGED EMPLOYEE t t");
    let before = auth.kinds(3).await;
    auth.set((1, Role::Owner), user(3), "EMPLOYEE").await.unwrap();
    assert_eq!(auth.kinds(3).await, before, "nothing has changed");
}

#[tokio::test]
async fn a_role_that_another_owner_changed_meanwhile_is_not_overwritten() {
    let auth = Auth::salon().await;
    auth.set_expecting((1, Role::Owner), user(3), ("MANAGER", "EMPLOYEE")).await.unwrap();
    auth.set((2, Role::Owner), user(3), "GUEST").await.unwrap();
    let refused = auth.set_expecting((1, Role::Owner), user(3), ("EMPLOYEE", "MANAGER")).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::Stale);
    assert_eq!(refused.message(), "Their role was changed since: it is guest now.");
    let about = refused.get_details_error_info().unwrap().metadata;
    assert_eq!(about.get("role").map(String::as_str), Some("GUEST"));
    assert_eq!(auth.role_of(3).await, "GUEST");
    let wrong = auth.set_expecting((1, Role::Owner), user(3), ("guest", "MANAGER")).await.unwrap_err();
    assert_eq!(fields(&wrong), ["expected_role"]);
}

#[tokio::test]
async fn an_owner_who_is_shut_out_is_none_beside_whom_the_last_may_go() {
    let auth = Auth::salon().await;
    let disable = "UPDATE account SET disabled_at = now() WHERE id = :id RETURNING name";
    auth.peek(disable, named! { id: user(2).0 }).await;
    assert_eq!(reason(&auth.set((1, Role::Owner), user(1), "MANAGER").await.unwrap_err()), Reason::LastOne);
    assert_eq!(reason(&auth.remove((1, Role::Owner), user(1)).await.unwrap_err()), Reason::LastOne);
    auth.remove((1, Role::Owner), user(2)).await.unwrap();
}

#[tokio::test]
async fn who_is_no_member_and_what_is_no_role_is_refused() {
    let auth = Auth::salon().await;
    for person in [user(4), user(9)] {
        assert_eq!(reason(&auth.set((1, Role::Owner), person, "GUEST").await.unwrap_err()), Reason::NotFound);
        assert_eq!(reason(&auth.remove((1, Role::Owner), person).await.unwrap_err()), Reason::NotFound);
    }
    for role in ["", "ADMIN", "owner"] {
        assert_eq!(fields(&auth.set((1, Role::Owner), user(3), role).await.unwrap_err()), ["role"]);
    }
    let message = RemoveMemberRequest { business_id: business(1).to_string(), user_id: "x".to_owned() };
    let request = auth.member(1, Role::Owner, business(1), message);
    assert_eq!(fields(&auth.members().remove_member(request).await.unwrap_err()), ["user_id"]);
}

#[tokio::test]
async fn the_last_owner_stays_one_except_by_an_admin() {
    let auth = Auth::salon().await;
    auth.remove((1, Role::Owner), user(2)).await.unwrap();
    for refused in [
        auth.set((1, Role::Owner), user(1), "MANAGER").await.unwrap_err(),
        auth.remove((1, Role::Owner), user(1)).await.unwrap_err(),
    ] {
        assert_eq!(reason(&refused), Reason::LastOne);
    }
    auth.set((1, Role::Owner), user(1), "OWNER").await.unwrap();
    auth.set((4, Role::Admin), user(1), "MANAGER").await.unwrap();
    assert_eq!(auth.role_of(1).await, "MANAGER");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_owners_who_remove_each_other_at_once_one_stays() {
    let auth = Auth::salon().await;
    let (one, other) =
        tokio::join!(auth.remove((1, Role::Owner), user(2)), auth.remove((2, Role::Owner), user(1)));
    let refused = [one, other].into_iter().filter_map(Result::err).collect::<Vec<_>>();
    assert_eq!(refused.iter().map(reason).collect::<Vec<_>>(), [Reason::LastOne]);
    let owners = "SELECT count(*)::text FROM membership WHERE business_id = :business AND role = 'OWNER'";
    assert_eq!(auth.peek(owners, named! { business: business(1).0 }).await.unwrap(), "1");
}

#[tokio::test]
async fn a_role_that_changes_or_ends_in_one_business_stays_in_another() {
    let auth = Auth::salon().await;
    auth.set_role(user(3), business(2), "OWNER").await.unwrap();
    let roles = "SELECT string_agg(COALESCE(role, '-') || version, ' ' ORDER BY business_id) FROM membership
        WHERE account_id = :account_id";
    let seen = async || auth.peek(roles, named! { account_id: user(3).0 }).await.unwrap();
    auth.set((1, Role::Owner), user(3), "EMPLOYEE").await.unwrap();
    assert_eq!(seen().await, "EMPLOYEE2 OWNER1");
    auth.remove((1, Role::Owner), user(3)).await.unwrap();
    assert_eq!(seen().await, "-3 OWNER1");
}

#[tokio::test]
async fn lower_roles_and_other_businesses_cannot_see_or_change_members() {
    let auth = Auth::salon().await;
    let id = business(1).to_string();
    for (n, role, place, code) in [
        (3, Role::Manager, business(1), Code::PermissionDenied),
        (4, Role::Owner, business(2), Code::NotFound),
    ] {
        let list = ListMembersRequest { business_id: id.clone(), ..Default::default() };
        let set = SetMemberRoleRequest { business_id: id.clone(), ..Default::default() };
        let remove = RemoveMemberRequest { business_id: id.clone(), ..Default::default() };
        let invitations = ListInvitationsRequest { business_id: id.clone(), ..Default::default() };
        let invite = InviteRequest { business_id: id.clone(), ..Default::default() };
        let withdraw = WithdrawInvitationRequest { business_id: id.clone(), ..Default::default() };
        let mut members = auth.members();
        let refusals = [
            members.list_members(auth.member(n, role, place, list)).await.unwrap_err(),
            members.set_member_role(auth.member(n, role, place, set)).await.unwrap_err(),
            members.remove_member(auth.member(n, role, place, remove)).await.unwrap_err(),
            members.list_invitations(auth.member(n, role, place, invitations)).await.unwrap_err(),
            members.invite(auth.member(n, role, place, invite)).await.unwrap_err(),
            members.withdraw_invitation(auth.member(n, role, place, withdraw)).await.unwrap_err(),
        ];
        assert!(refusals.iter().all(|refused| refused.code() == code), "{refusals:?}");
    }
}

#[tokio::test]
async fn a_changed_role_is_noted_with_who_changed_it_from_what_to_what() {
    let auth = Auth::salon().await;
    auth.set((1, Role::Owner), user(3), "EMPLOYEE").await.unwrap();
    assert!(auth.set((3, Role::Manager), user(2), "GUEST").await.is_err());
    let noted = "SELECT string_agg(concat_ws(' ', actor, action, before ->> 'role', after ->> 'role'), '; ')
        FROM change_entry WHERE business_id = :business_id AND record_id = :record_id AND before IS NOT NULL";
    let of = |n| named! { business_id: business(1).0, record_id: user(n).0 };
    let expected = format!("user:{} SetMemberRole MANAGER EMPLOYEE", user(1));
    assert_eq!(auth.peek(noted, of(3)).await, Some(expected));
    let refused =
        "SELECT min(refusal) FROM change_entry WHERE business_id = :business_id AND action = :action";
    loop {
        let values = named! { business_id: business(1).0, action: "SetMemberRole" };
        if let Some(refusal) = auth.peek(refused, values).await {
            assert_eq!(refusal, "ROLE_TOO_LOW");
            break;
        }
    }
}
