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
    app::{
        accept_invitation::AcceptInvitation,
        change_password::ChangePassword,
        check_password::PasswordChecks,
        confirm_address::Addresses,
        link_identity::{Code, Identities},
        read_profile::read_profile,
        rename_person::rename_person,
    },
    credentials::hashing::Hasher,
    domain::{identity::IdentityId, one_time_token::OneTimeTokenHash},
    store::{self, NamedMembership, Place, Store},
};

/// Serves people their own accounts.
#[derive(Debug)]
pub struct Accounts {
    store: Store,
    proofs: PasswordChecks,
    change_password: ChangePassword,
    accept_invitation: AcceptInvitation,
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
        let change_password = ChangePassword { store: store.clone(), hasher, clock: clock.clone() };
        let accept_invitation = AcceptInvitation { store: store.clone(), clock: clock.clone() };
        Self { store, proofs, change_password, accept_invitation, clock, identities, addresses }
    }
}

#[async_trait]
impl AccountServiceHandler for Accounts {
    async fn get_me(&self, scope: PersonScope, _: GetMeRequest) -> Result<GetMeResponse, Status> {
        let (person, profile) = read_profile(&self.store, scope.user(), self.clock.now()).await?;
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
        rename_person(&self.store, scope.user(), &name).await?;
        Ok(RenameMeResponse {})
    }

    async fn change_password(
        &self,
        scope: PersonScope,
        request: ChangePasswordRequest,
    ) -> Result<ChangePasswordResponse, Status> {
        let confirmed = self.proofs.confirm(scope.user(), scope.session(), request.current_password).await?;
        self.change_password.run(confirmed, scope.session(), request.new_password).await?;
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
        let token = OneTimeTokenHash::of(&request.invitation);
        let business = self.accept_invitation.run(scope.user(), scope.session(), token).await?;
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

fn wire(named: NamedMembership) -> Membership {
    let NamedMembership { membership, name, brand_color, logo_digest } = named;
    Membership {
        business_id: membership.business.to_string(),
        business_name: name,
        role: membership.role.as_str().to_owned(),
        brand_color,
        logo_digest,
    }
}
