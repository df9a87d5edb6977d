use boot::environment::Environment;
use caller::Role;
use database::named;
use futures::future::join_all;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::auth::{
        internal::v1::{GetInvitationRequest, GetInvitationResponse, RegisterRequest, Tokens},
        v1::{
            AcceptInvitationRequest, Invitation, InviteRequest, ListInvitationsRequest,
            ListInvitationsResponse, ListSecurityEventsRequest, SecurityEventKind as Kind,
            WithdrawInvitationRequest,
        },
    },
    frontdesk::events::v1::event::Payload,
};
use testkit::as_person;
use tonic::Status;

use crate::{
    fixture::{Auth, EMAIL, PASSWORD, at, business, fields, reason, user},
    log,
};

const NEW: &str = "new@demo.test";
const INVITATION: &str = "register?invitation=";

impl Auth {
    /// Olive owns the first business, which has a name.
    async fn with_owner(environment: Environment) -> Self {
        let auth = Self::start_in(environment).await;
        auth.add(1, EMAIL).await;
        auth.set_role(user(1), business(1), "OWNER").await.unwrap();
        let sql = "INSERT INTO business_name VALUES (:business_id, 'Salon Anna', 1) RETURNING name";
        auth.peek(sql, named! { business_id: business(1).0 }).await;
        auth
    }

    async fn invite(&self, email: &str, role: &str) -> Result<Invitation, Status> {
        let message = InviteRequest {
            business_id: business(1).to_string(),
            email: email.to_owned(),
            role: role.to_owned(),
            ..Default::default()
        };
        let response = self.members().invite(self.member(1, Role::Owner, business(1), message)).await?;
        Ok(response.into_inner().invitation.unwrap())
    }

    /// Invites a person under an idempotency key.
    async fn invite_under(&self, key: &str, role: &str) -> Result<Invitation, Status> {
        let message = InviteRequest {
            business_id: business(1).to_string(),
            email: NEW.to_owned(),
            role: role.to_owned(),
            ..Default::default()
        };
        let mut request = self.member(1, Role::Owner, business(1), message);
        request.metadata_mut().insert(caller::IDEMPOTENCY_HEADER, key.parse().unwrap());
        Ok(self.members().invite(request).await?.into_inner().invitation.unwrap())
    }

    /// Invites a person and returns the token in the mail.
    async fn invited(&self, email: &str, role: &str) -> String {
        self.invite(email, role).await.unwrap();
        self.token_to(&email.to_lowercase(), INVITATION).await
    }

    async fn join(&self, email: &str, invitation: &str) -> Result<(), Status> {
        let message = RegisterRequest {
            name: "Nora New".to_owned(),
            email: email.to_owned(),
            password: PASSWORD.to_owned(),
            invitation: invitation.to_owned(),
            client: Some(at("192.0.2.7")),
        };
        self.register(message).await
    }

    async fn show(&self, invitation: &str) -> Result<GetInvitationResponse, Status> {
        let message = GetInvitationRequest { invitation: invitation.to_owned() };
        Ok(self.registration().get_invitation(self.door(message)).await?.into_inner())
    }

    async fn accept(&self, n: u128, tokens: &Tokens, invitation: &str) -> Result<String, Status> {
        let message = AcceptInvitationRequest { invitation: invitation.to_owned() };
        let response = self.accounts().accept_invitation(self.person(n, tokens, message)).await?;
        Ok(response.into_inner().business_id)
    }

    async fn invite_as_service(&self, message: InviteRequest) -> Result<Option<Invitation>, Status> {
        let request = testkit::as_service("tenancy", &self.host, Some(business(1)), message);
        Ok(self.members().invite(request).await?.into_inner().invitation)
    }

    /// A request of the owner in a session of theirs.
    fn owner<T>(&self, tokens: &Tokens, message: T) -> tonic::Request<T> {
        let session = tokens.session_id.parse().unwrap();
        as_person(&self.host, user(1), session, Some(business(1)), Some(Role::Owner), message)
    }

    async fn invitations(&self, size: i32, token: &str) -> Result<ListInvitationsResponse, Status> {
        let message = ListInvitationsRequest {
            business_id: business(1).to_string(),
            page_size: size,
            page_token: token.to_owned(),
        };
        let request = self.member(1, Role::Owner, business(1), message);
        Ok(self.members().list_invitations(request).await?.into_inner())
    }
}

#[tokio::test]
async fn a_repeated_attempt_mails_once_and_leaves_the_mailed_link_as_it_is() {
    let auth = Auth::with_owner(Environment::Test).await;
    let first = auth.invite_under("k1", "EMPLOYEE").await.unwrap();
    let token = auth.token_to(NEW, INVITATION).await;
    assert_eq!(auth.invite_under("k1", "EMPLOYEE").await.unwrap(), first);
    auth.show(&token).await.expect("the link that was mailed works");
    let refused = auth.invite_under("k1", "MANAGER").await.unwrap_err();
    assert_eq!(reason(&refused), Reason::IdempotencyKeyReused);
    let again = auth.invite_under("k2", "EMPLOYEE").await.unwrap();
    assert_ne!(again.id, first.id);
    auth.show(&token).await.expect_err("a new attempt replaces the link");
}

#[tokio::test]
async fn who_registers_by_an_invitation_has_a_proved_address_and_is_a_member_at_once() {
    let auth = Auth::with_owner(Environment::Test).await;
    let token = auth.invited("New@demo.test", "EMPLOYEE").await;
    let [subject, text] = auth.mail_to(NEW).await;
    assert_eq!(subject, "Join Salon Anna on Frontdesk");
    assert!(
        text.contains("Olive Owner invites you to join Salon Anna on Frontdesk as an employee."),
        "{text}"
    );
    let shown = auth.show(&token).await.unwrap();
    assert_eq!((shown.email.as_str(), shown.business_name.as_str()), (NEW, "Salon Anna"));
    assert_eq!((shown.role.as_str(), shown.has_account), ("EMPLOYEE", false));

    auth.join(NEW, &token).await.unwrap();
    let tokens = auth.sign_in(NEW, PASSWORD).await.unwrap();
    assert_eq!((tokens.role.as_str(), tokens.business_ids), ("EMPLOYEE", vec![business(1).to_string()]));
    assert_eq!(auth.kinds_of(NEW).await, "SIGNED_IN JOINED REGISTERED");
    assert!(auth.diagnose_confirmed(NEW).await);
    assert!(auth.invitations(0, "").await.unwrap().invitations.is_empty());
    assert_eq!(reason(&auth.show(&token).await.unwrap_err()), Reason::TokenSpent);
    assert_eq!(reason(&auth.join(NEW, &token).await.unwrap_err()), Reason::TokenSpent);
}

impl Auth {
    async fn diagnose_confirmed(&self, email: &str) -> bool {
        let sql = "SELECT (email_verified_at IS NOT NULL)::text FROM account WHERE email = :email";
        self.peek(sql, named! { email }).await.unwrap() == "true"
    }
}

#[tokio::test]
async fn an_invitation_is_for_the_address_it_was_mailed_to_and_for_seven_days() {
    let auth = Auth::with_owner(Environment::Test).await;
    let token = auth.invited(NEW, "EMPLOYEE").await;
    assert_eq!(fields(&auth.join("another@demo.test", &token).await.unwrap_err()), ["email"]);
    assert_eq!(reason(&auth.join(NEW, "guessed").await.unwrap_err()), Reason::TokenSpent);
    auth.advance(SignedDuration::from_hours(7 * 24));
    assert_eq!(reason(&auth.join(NEW, &token).await.unwrap_err()), Reason::TokenSpent);
    assert_eq!(reason(&auth.show(&token).await.unwrap_err()), Reason::TokenSpent);
    auth.advance(SignedDuration::from_secs(-1));
    auth.join(NEW, &token).await.unwrap();
}

#[tokio::test]
async fn who_has_an_account_signs_in_and_accepts() {
    let auth = Auth::with_owner(Environment::Test).await;
    auth.add(2, NEW).await;
    let token = auth.invited(NEW, "MANAGER").await;
    assert!(auth.show(&token).await.unwrap().has_account);
    assert_eq!(reason(&auth.join(NEW, &token).await.unwrap_err()), Reason::AccountExists);
    let tokens = auth.sign_in(NEW, PASSWORD).await.unwrap();
    assert_eq!(auth.accept(2, &tokens, &token).await.unwrap(), business(1).to_string());
    assert_eq!(auth.refresh(&tokens.refresh_token).await.unwrap().role, "MANAGER");
    assert_eq!(auth.kinds(2).await, "JOINED SIGNED_IN");
    let joined =
        "SELECT concat_ws(' ', detail, actor_id = :inviter, business_id = :business) FROM security_event
        WHERE kind = 'JOINED' AND account_id = :person";
    let values = named! { inviter: user(1).0, business: business(1).0, person: user(2).0 };
    assert_eq!(auth.peek(joined, values).await.unwrap(), "MANAGER t t");
    assert_eq!(reason(&auth.accept(2, &tokens, &token).await.unwrap_err()), Reason::TokenSpent);
}

#[tokio::test]
async fn an_invitation_takes_no_higher_role_away() {
    let auth = Auth::with_owner(Environment::Test).await;
    auth.add(2, NEW).await;
    let token = auth.invited(NEW, "GUEST").await;
    auth.set_role(user(2), business(1), "MANAGER").await.unwrap();
    let tokens = auth.sign_in(NEW, PASSWORD).await.unwrap();
    auth.accept(2, &tokens, &token).await.unwrap();
    assert_eq!(auth.refresh(&tokens.refresh_token).await.unwrap().role, "MANAGER");
}

#[tokio::test]
async fn an_invitation_is_accepted_only_by_its_address_and_once_that_is_proved() {
    let auth = Auth::with_owner(Environment::Test).await;
    auth.add(2, NEW).await;
    auth.add(3, "other@demo.test").await;
    let token = auth.invited(NEW, "MANAGER").await;
    let other = auth.sign_in("other@demo.test", PASSWORD).await.unwrap();
    assert_eq!(reason(&auth.accept(3, &other, &token).await.unwrap_err()), Reason::WrongState);
    assert_eq!(reason(&auth.accept(3, &other, "guessed").await.unwrap_err()), Reason::TokenSpent);
    let unproved = "UPDATE account SET email_verified_at = NULL WHERE email = :email RETURNING email";
    auth.peek(unproved, named! { email: NEW }).await;
    let tokens = auth.sign_in(NEW, PASSWORD).await.unwrap();
    assert_eq!(reason(&auth.accept(2, &tokens, &token).await.unwrap_err()), Reason::WrongState);
    assert_eq!(auth.invitations(0, "").await.unwrap().invitations.len(), 1);
}

#[tokio::test]
async fn an_earlier_account_of_the_address_is_taken_over_by_its_owner() {
    let auth = Auth::with_owner(Environment::Test).await;
    let squatter = RegisterRequest {
        name: "Stranger".to_owned(),
        email: NEW.to_owned(),
        password: "the first one's password".to_owned(),
        invitation: String::new(),
        client: None,
    };
    auth.register(squatter).await.unwrap();
    let session = auth.sign_in(NEW, "the first one's password").await.unwrap();
    let identity = "INSERT INTO identity (id, account_id, issuer, subject, email, connected_at)
        SELECT gen_random_uuid(), id, 'https://issuer.test', 'squatter', email, created_at FROM account
        WHERE email = :email RETURNING email";
    auth.peek(identity, named! { email: NEW }).await;
    auth.advance(SignedDuration::from_secs(1));
    let token = auth.invited(NEW, "EMPLOYEE").await;
    assert!(!auth.show(&token).await.unwrap().has_account);
    auth.join(NEW, &token).await.unwrap();
    assert_eq!(auth.sign_in(NEW, PASSWORD).await.unwrap().role, "EMPLOYEE");
    assert!(auth.sign_in(NEW, "the first one's password").await.is_err());
    assert!(auth.refresh(&session.refresh_token).await.is_err());
    assert_eq!(auth.proofs().await, "0");
    assert_eq!(auth.peek("SELECT count(*)::text FROM identity", []).await.unwrap(), "0");
    let ended = "SELECT end_reason FROM session WHERE ended_at IS NOT NULL";
    assert_eq!(auth.peek(ended, []).await.unwrap(), "TAKEN_OVER");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_acceptances_at_once_one_joins() {
    let auth = Auth::with_owner(Environment::Test).await;
    auth.add(2, NEW).await;
    let token = auth.invited(NEW, "MANAGER").await;
    let tokens = auth.sign_in(NEW, PASSWORD).await.unwrap();
    let outcomes = join_all((0..4).map(|_| auth.accept(2, &tokens, &token))).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    let lost = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    assert!(lost.map(reason).all(|reason| reason == Reason::TokenSpent));
    assert_eq!(auth.kinds(2).await.matches("JOINED").count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_registrations_by_one_invitation_at_once_one_makes_the_account() {
    let auth = Auth::with_owner(Environment::Test).await;
    let token = auth.invited(NEW, "EMPLOYEE").await;
    let outcomes = join_all((0..4).map(|_| auth.join(NEW, &token))).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    let lost = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    assert!(lost.map(reason).all(|reason| reason == Reason::TokenSpent));
}

#[tokio::test]
async fn another_invitation_of_the_same_address_replaces_the_one_before() {
    let auth = Auth::with_owner(Environment::Test).await;
    let first = auth.invited(NEW, "EMPLOYEE").await;
    auth.advance(SignedDuration::from_secs(1));
    let second = auth.invited(NEW, "MANAGER").await;
    assert_eq!(reason(&auth.show(&first).await.unwrap_err()), Reason::TokenSpent);
    assert_eq!(auth.show(&second).await.unwrap().role, "MANAGER");
    assert_eq!(auth.invitations(0, "").await.unwrap().invitations.len(), 1);
}

#[tokio::test]
async fn a_withdrawn_invitation_is_spent_and_other_businesses_cannot_withdraw() {
    let auth = Auth::with_owner(Environment::Test).await;
    let token = auth.invited(NEW, "EMPLOYEE").await;
    let id = auth.invitations(0, "").await.unwrap().invitations.remove(0).id;
    let withdraw = async |place, id: &str| {
        let message = WithdrawInvitationRequest {
            business_id: business(place).to_string(),
            invitation_id: id.to_owned(),
        };
        let request = auth.member(1, Role::Owner, business(place), message);
        auth.members().withdraw_invitation(request).await.map(drop)
    };
    assert_eq!(reason(&withdraw(2, &id).await.unwrap_err()), Reason::NotFound);
    assert_eq!(fields(&withdraw(1, "x").await.unwrap_err()), ["invitation_id"]);
    auth.show(&token).await.unwrap();
    withdraw(1, &id).await.unwrap();
    assert_eq!(reason(&auth.show(&token).await.unwrap_err()), Reason::TokenSpent);
    assert_eq!(reason(&withdraw(1, &id).await.unwrap_err()), Reason::NotFound);
}

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

#[tokio::test]
async fn invitations_come_the_latest_first_in_pages_and_each_business_sees_its_own() {
    let auth = Auth::with_owner(Environment::Test).await;
    for n in 1..=3 {
        auth.invite(&format!("new-{n}@demo.test"), "GUEST").await.unwrap();
        auth.advance(SignedDuration::from_secs(1));
    }
    let sql = "INSERT INTO invitation SELECT :business_id, gen_random_uuid(), email, role, sha256(hash), invited_by,
        invited_at, expires_at FROM invitation LIMIT 1 RETURNING email";
    auth.peek(sql, named! { business_id: business(2).0 }).await;
    let first = auth.invitations(2, "").await.unwrap();
    let last = auth.invitations(2, &first.next_page_token).await.unwrap();
    assert_eq!(last.next_page_token, "");
    let seen: Vec<_> = first.invitations.iter().chain(&last.invitations).map(|i| i.email.as_str()).collect();
    assert_eq!(seen, ["new-3@demo.test", "new-2@demo.test", "new-1@demo.test"]);
    let one = &first.invitations[0];
    let life = one.expires_at.unwrap().seconds - one.invited_at.unwrap().seconds;
    assert_eq!((one.role.as_str(), life), ("GUEST", 7 * 24 * 3600));
    assert_eq!(fields(&auth.invitations(201, "").await.unwrap_err()), ["page_size"]);
    let id: uuid::Uuid = one.id.parse().unwrap();
    for micros in [i64::MIN, -377_705_116_800_000_000, i64::MAX] {
        let forged = proto::page::page_token(&(micros, id));
        assert_eq!(fields(&auth.invitations(0, &forged).await.unwrap_err()), ["page_token"]);
    }
}

#[tokio::test]
async fn a_member_is_not_invited_again_and_a_field_that_breaks_a_rule_is_named() {
    let auth = Auth::with_owner(Environment::Test).await;
    assert_eq!(reason(&auth.invite(EMAIL, "GUEST").await.unwrap_err()), Reason::AlreadyExists);
    assert_eq!(fields(&auth.invite("new", "GUEST").await.unwrap_err()), ["email"]);
    for role in ["", "ADMIN", "owner"] {
        assert_eq!(fields(&auth.invite(NEW, role).await.unwrap_err()), ["role"]);
    }
    assert!(auth.mails().await.is_empty());
}

#[tokio::test]
async fn a_letter_box_is_not_filled_with_invitations() {
    let auth = Auth::with_owner(Environment::Development).await;
    for _ in 0..5 {
        auth.invite(NEW, "GUEST").await.unwrap();
    }
    assert_eq!(reason(&auth.invite(NEW, "GUEST").await.unwrap_err()), Reason::RateLimited);
    auth.invite("another@demo.test", "GUEST").await.unwrap();
}

#[tokio::test]
async fn an_invitation_says_which_employee_the_account_is_for() {
    let auth = Auth::with_owner(Environment::Test).await;
    let message = |employee_id: &str| InviteRequest {
        business_id: business(1).to_string(),
        email: NEW.to_owned(),
        role: "EMPLOYEE".to_owned(),
        employee_id: employee_id.to_owned(),
        ..Default::default()
    };
    let invite = |employee: &str| auth.member(1, Role::Owner, business(1), message(employee));
    let wrong = auth.members().invite(invite("seven")).await.unwrap_err();
    assert_eq!(fields(&wrong), ["employee_id"]);
    let employee = uuid::Uuid::from_u128(7).to_string();
    let invited = auth.members().invite(invite(&employee)).await.unwrap().into_inner();
    assert_eq!(invited.invitation.unwrap().employee_id, employee);
    let token = auth.token_to(NEW, INVITATION).await;
    auth.join(NEW, &token).await.unwrap();
    let mut log = log::follow(&auth).await;
    // The owner joined before.
    log::next(&mut log).await;
    let Some(Payload::Membership(joined)) = log::next(&mut log).await.payload else { panic!("a membership") };
    assert_eq!((joined.name.as_str(), joined.employee_id), ("Nora New", employee));
}

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
