//! `AccountService`: the signed-in person's own account.

use boot::clock::Clock;
use caller::PersonScope;
use proto::{
    frontdesk::auth::v1::{
        AcceptInvitationRequest, AcceptInvitationResponse, AccountServiceHandler, CancelEmailChangeRequest,
        CancelEmailChangeResponse, ChangeEmailRequest, ChangeEmailResponse, ChangePasswordRequest,
        ChangePasswordResponse, ConnectIdentityRequest, ConnectIdentityResponse, DisconnectIdentityRequest,
        DisconnectIdentityResponse, GetMeRequest, GetMeResponse, Identity, ListIdentitiesRequest,
        ListIdentitiesResponse, ListMyBusinessIdsRequest, ListMyBusinessIdsResponse,
        ListMyMembershipsRequest, ListMyMembershipsResponse, Membership, RenameMeRequest, RenameMeResponse,
        ResendVerificationRequest, ResendVerificationResponse, VerifyEmailRequest, VerifyEmailResponse,
    },
    page::page,
    parse,
};
use tonic::{Status, async_trait};

use super::{email, name};
use crate::{
    Error,
    app::{
        confirm_address::Addresses,
        link_identity::{Code, Identities},
        register_account::enter,
    },
    credentials::{
        hashing::Hasher,
        issue::Person,
        password_check::{Confirmed, PasswordChecks},
    },
    domain::{
        identity::IdentityId,
        letter,
        one_time_token::OneTimeTokenHash,
        password::Password,
        security_event::{NewSecurityEvent, SecurityEventKind},
    },
    store::{self, EndReason, Invitation, NamedMembership, Place, Store},
};

/// Serves people their own accounts.
#[derive(Debug)]
pub struct Accounts {
    store: Store,
    proofs: PasswordChecks,
    hasher: Hasher,
    clock: Clock,
    identities: Identities,
    addresses: Addresses,
}

impl Accounts {
    /// Accounts of a store.
    #[must_use]
    pub fn new(
        store: Store,
        proofs: PasswordChecks,
        hasher: Hasher,
        clock: Clock,
        identities: Identities,
        addresses: Addresses,
    ) -> Self {
        Self { store, proofs, hasher, clock, identities, addresses }
    }
}

#[async_trait]
impl AccountServiceHandler for Accounts {
    async fn get_me(&self, scope: PersonScope, _: GetMeRequest) -> Result<GetMeResponse, Status> {
        let tx = self.store.begin();
        let account = tx.account(scope.user()).await?;
        let memberships = tx.memberships(scope.user()).await?;
        let profile = tx.profile(scope.user(), self.clock.now()).await?;
        tx.commit().await?;
        let person = Person { account, memberships };
        Ok(GetMeResponse {
            role: person.role().to_string(),
            id: person.account.id.to_string(),
            email: person.account.email.as_str().to_owned(),
            name: person.account.name,
            email_verified: profile.email_verified,
            has_password: profile.has_password,
            new_email: profile.new_email.map(|email| email.as_str().to_owned()).unwrap_or_default(),
        })
    }

    async fn list_my_business_ids(
        &self,
        scope: PersonScope,
        _: ListMyBusinessIdsRequest,
    ) -> Result<ListMyBusinessIdsResponse, Status> {
        let tx = self.store.begin();
        let memberships = tx.memberships(scope.user()).await?;
        tx.commit().await?;
        let business_ids = memberships.iter().map(|membership| membership.business.to_string()).collect();
        Ok(ListMyBusinessIdsResponse { business_ids })
    }

    async fn list_my_memberships(
        &self,
        scope: PersonScope,
        request: ListMyMembershipsRequest,
    ) -> Result<ListMyMembershipsResponse, Status> {
        let page = page(request.page_size, &request.page_token)?;
        let after = page.after.clone().map(|(name, business)| Place { name, business });
        let tx = self.store.begin();
        let found = tx.named_memberships(scope.user(), &after.unwrap_or_default(), page.limit()).await?;
        tx.commit().await?;
        let key = |row: &NamedMembership| (row.name.clone(), row.membership.business.0);
        let (memberships, next_page_token) = page.answer(found, key, wire);
        Ok(ListMyMembershipsResponse { memberships, next_page_token })
    }

    async fn rename_me(
        &self,
        scope: PersonScope,
        request: RenameMeRequest,
    ) -> Result<RenameMeResponse, Status> {
        let name = name("name", &request.name)?;
        let tx = self.store.begin();
        tx.rename(scope.user(), &name).await?;
        tx.commit().await?;
        Ok(RenameMeResponse {})
    }

    async fn change_password(
        &self,
        scope: PersonScope,
        request: ChangePasswordRequest,
    ) -> Result<ChangePasswordResponse, Status> {
        let (person, session) = (scope.user(), scope.session());
        let Confirmed { account, password: shown, origin } =
            self.proofs.confirm(person, session, request.current_password).await?;
        let password = Password::new(request.new_password, &account.email)
            .map_err(|rule| Error::invalid("new_password", rule))?;
        let hash = self.hasher.hash(password).await?;
        let now = self.clock.now();
        let tx = self.store.begin();
        // First, because it locks the account: what others do with the old password waits.
        if !tx.replace_password(person, shown.as_ref(), &hash).await? {
            return Err(Error::invalid("current_password", "was changed meanwhile").into());
        }
        tx.end_other_sessions_of(person, session, EndReason::PasswordChanged, now).await?;
        tx.spend_tokens_of(person, now).await?;
        tx.forget_email_change_of(person).await?;
        let event = NewSecurityEvent::of(person, SecurityEventKind::PasswordChanged).from(&origin);
        tx.record(&event, now).await?;
        tx.queue_mail(&letter::password_changed(&account.email), now).await?;
        tx.commit().await?;
        Ok(ChangePasswordResponse {})
    }

    async fn change_email(
        &self,
        scope: PersonScope,
        request: ChangeEmailRequest,
    ) -> Result<ChangeEmailResponse, Status> {
        let new = email("new_email", &request.new_email)?;
        let confirmed = self.proofs.confirm(scope.user(), scope.session(), request.current_password).await?;
        self.addresses.change(&confirmed, &new).await?;
        Ok(ChangeEmailResponse {})
    }

    async fn cancel_email_change(
        &self,
        scope: PersonScope,
        _: CancelEmailChangeRequest,
    ) -> Result<CancelEmailChangeResponse, Status> {
        self.addresses.keep(scope.user(), scope.session()).await?;
        Ok(CancelEmailChangeResponse {})
    }

    async fn verify_email(
        &self,
        scope: PersonScope,
        request: VerifyEmailRequest,
    ) -> Result<VerifyEmailResponse, Status> {
        let token = OneTimeTokenHash::of(&request.token);
        self.addresses.prove(scope.user(), scope.session(), token).await?;
        Ok(VerifyEmailResponse {})
    }

    async fn resend_verification(
        &self,
        scope: PersonScope,
        _: ResendVerificationRequest,
    ) -> Result<ResendVerificationResponse, Status> {
        self.addresses.ask_again(scope.user()).await?;
        Ok(ResendVerificationResponse {})
    }

    async fn accept_invitation(
        &self,
        scope: PersonScope,
        request: AcceptInvitationRequest,
    ) -> Result<AcceptInvitationResponse, Status> {
        let (person, now) = (scope.user(), self.clock.now());
        let token = OneTimeTokenHash::of(&request.invitation);
        let tx = self.store.begin();
        let Invitation { business, email, .. } = tx.invitation(token, now).await?;
        let own = tx.account(person).await?.email;
        let verified = tx.profile(person, now).await?.email_verified;
        let origin = tx.origin_of(scope.session()).await?;
        tx.commit().await?;
        if own != email {
            return Err(Error::NotInvited.into());
        }
        if !verified {
            return Err(Error::EmailUnverified.into());
        }
        let tx = self.store.begin_in(business);
        let invitation = tx.take_invitation(token, now).await?;
        enter(&tx, person, &invitation, &origin, now).await?;
        tx.commit().await?;
        Ok(AcceptInvitationResponse { business_id: business.to_string() })
    }

    async fn list_identities(
        &self,
        scope: PersonScope,
        _: ListIdentitiesRequest,
    ) -> Result<ListIdentitiesResponse, Status> {
        let identities = self.identities.of(scope.user()).await?;
        Ok(ListIdentitiesResponse { identities: identities.into_iter().map(connected).collect() })
    }

    async fn connect_identity(
        &self,
        scope: PersonScope,
        request: ConnectIdentityRequest,
    ) -> Result<ConnectIdentityResponse, Status> {
        let ConnectIdentityRequest { code, code_verifier: verifier, redirect_uri, current_password } =
            request;
        // First: a code is good once, and a password can be mistyped.
        let confirmed = self.proofs.confirm(scope.user(), scope.session(), current_password).await?;
        let vouched = self.identities.behind(Code { code, verifier, redirect_uri }).await?;
        let identity = self.identities.connect(&confirmed, &vouched).await?;
        Ok(ConnectIdentityResponse { identity: Some(connected(identity)) })
    }

    async fn disconnect_identity(
        &self,
        scope: PersonScope,
        request: DisconnectIdentityRequest,
    ) -> Result<DisconnectIdentityResponse, Status> {
        let id = IdentityId(parse::id("identity_id", &request.identity_id)?);
        let confirmed = self.proofs.confirm(scope.user(), scope.session(), request.current_password).await?;
        self.identities.disconnect(&confirmed, id).await?;
        Ok(DisconnectIdentityResponse {})
    }
}

fn connected(identity: store::Identity) -> Identity {
    Identity {
        id: identity.id.0.to_string(),
        provider: "google".to_owned(),
        email: identity.email.as_str().to_owned(),
        connected_at: Some(proto::time::to_proto(identity.connected_at)),
    }
}

fn wire(NamedMembership { membership, name }: NamedMembership) -> Membership {
    Membership {
        business_id: membership.business.to_string(),
        business_name: name,
        role: membership.role.as_str().to_owned(),
    }
}
