mod accepting;
mod by_service;
mod inviter;

use boot::environment::Environment;
use caller::Role;
use database::named;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::auth::{
        internal::v1::{GetInvitationRequest, GetInvitationResponse, RegisterRequest, Tokens},
        v1::{
            AcceptInvitationRequest, Invitation, InviteRequest, ListInvitationsRequest,
            ListInvitationsResponse, WithdrawInvitationRequest,
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
async fn a_guest_is_not_invited_for_an_employee_and_an_earlier_invitation_links_none() {
    let auth = Auth::with_owner(Environment::Test).await;
    let employee = uuid::Uuid::from_u128(7);
    let message = |check_only| InviteRequest {
        business_id: business(1).to_string(),
        email: NEW.to_owned(),
        role: "GUEST".to_owned(),
        employee_id: employee.to_string(),
        check_only,
        ..Default::default()
    };
    for check_only in [true, false] {
        let request = auth.member(1, Role::Owner, business(1), message(check_only));
        assert_eq!(fields(&auth.members().invite(request).await.unwrap_err()), ["role"]);
    }
    let token = auth.invited(NEW, "GUEST").await;
    let named = "UPDATE invitation SET employee_id = :employee WHERE email = :email RETURNING email";
    auth.peek(named, named! { employee, email: NEW }).await;
    auth.join(NEW, &token).await.unwrap();
    let mut log = log::follow(&auth).await;
    // The owner joined before.
    log::next(&mut log).await;
    let Some(Payload::Membership(joined)) = log::next(&mut log).await.payload else { panic!("a membership") };
    assert_eq!((joined.role.as_str(), joined.employee_id.as_str()), ("GUEST", ""));
}
