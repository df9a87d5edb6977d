//! `MemberService`: who belongs to a business, and who is asked to.

use boot::clock::Clock;
use caller::{Actor, BusinessScope, Role, Tenant, UserId};
use jiff::Timestamp;
use proto::{
    error::invalid,
    frontdesk::auth::v1::{
        Invitation as WireInvitation, InviteRequest, InviteResponse, LiftBlockRequest, LiftBlockResponse,
        ListInvitationsRequest, ListInvitationsResponse, ListMembersRequest, ListMembersResponse,
        Member as WireMember, MemberServiceHandler, RemoveMemberRequest, RemoveMemberResponse,
        SetMemberRoleRequest, SetMemberRoleResponse, WithdrawInvitationRequest, WithdrawInvitationResponse,
        member_service_methods::INVITE,
    },
    page::{Page, page},
    parse,
    time::to_proto,
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use super::email;
use crate::{
    Error,
    domain::{
        account::{MemberRole, keeps_an_owner},
        email::Email,
        letter,
        link::Links,
        mail_limit::Counted,
        one_time_token::OneTimeToken,
        security_event::{NewSecurityEvent, SecurityEventKind},
    },
    limits::Limits,
    role_change::set_role,
    store::{Invitation, InvitationPlace, Member, Store, Tx},
};

/// Members of businesses.
#[derive(Debug)]
pub struct Members {
    store: Store,
    limits: Limits,
    links: Links,
    clock: Clock,
}

impl Members {
    /// Members of a store.
    #[must_use]
    pub fn new(store: Store, limits: Limits, links: Links, clock: Clock) -> Self {
        Self { store, limits, links, clock }
    }

    /// Gives a member another role, or none.
    async fn change(
        &self,
        scope: &BusinessScope,
        person: UserId,
        role: Option<MemberRole>,
    ) -> Result<(), Error> {
        let business = scope.business();
        let tx = self.store.begin_in(business);
        let owners = tx.lock_owners(business).await?;
        tx.lock_role(person, business).await?.ok_or(Error::NotFound("member"))?;
        if scope.role() != Role::Admin && !keeps_an_owner(&owners, person, role) {
            return Err(Error::LastOwner);
        }
        if set_role(&tx, person, business, role).await? {
            let role = role.map_or("", MemberRole::as_str);
            let event = NewSecurityEvent::of(person, SecurityEventKind::RoleChanged).about(role);
            self.record(&tx, scope, event).await?;
        }
        tx.commit().await
    }

    /// Makes an entry in the caller's own record, if a person calls: who is invited may have none.
    async fn record_own(
        &self,
        tx: &Tx,
        scope: &BusinessScope,
        kind: SecurityEventKind,
        about: &Email,
    ) -> Result<(), Error> {
        match scope.actor() {
            Actor::Person { user, .. } => {
                self.record(tx, scope, NewSecurityEvent::of(user, kind).about(about.as_str())).await
            }
            Actor::Agent { .. } | Actor::Service { .. } => Ok(()),
        }
    }

    /// Makes an entry about what the caller did in their business.
    async fn record(&self, tx: &Tx, scope: &BusinessScope, event: NewSecurityEvent) -> Result<(), Error> {
        let event = event.in_business(scope.business());
        let event = match scope.actor() {
            Actor::Person { user, session } => event.by(user).from(&tx.origin_of(session).await?),
            Actor::Agent { .. } | Actor::Service { .. } => event,
        };
        tx.record(&event, self.clock.now()).await
    }
}

#[async_trait]
impl MemberServiceHandler for Members {
    async fn list_members(
        &self,
        scope: BusinessScope,
        request: ListMembersRequest,
    ) -> Result<ListMembersResponse, Status> {
        let page: Page<(String, Uuid)> = page(request.page_size, &request.page_token)?;
        let (name, id) = page.after.clone().unwrap_or_default();
        let tx = self.store.begin();
        let found = tx.members(scope.business(), (&name, id), page.limit()).await?;
        tx.commit().await?;
        let emails: Vec<_> = found.iter().map(|member| member.email.clone()).collect();
        let blocked = self.limits.blocked_until(&emails).await;
        let (members, next_page_token) = page.answer(
            found.into_iter().zip(blocked),
            |(member, _)| (member.name.clone(), member.id.0),
            |(member, until)| wire_member(member, until),
        );
        Ok(ListMembersResponse { members, next_page_token })
    }

    async fn set_member_role(
        &self,
        scope: BusinessScope,
        request: SetMemberRoleRequest,
    ) -> Result<SetMemberRoleResponse, Status> {
        let person: UserId = parse::id("user_id", &request.user_id)?;
        let role = role(&request.role)?;
        self.change(&scope, person, Some(role)).await?;
        tracing::info!(target: "audit", actor = %scope.actor(), account = %person, business = %scope.business(), role = role.as_str(), "role set");
        Ok(SetMemberRoleResponse {})
    }

    async fn remove_member(
        &self,
        scope: BusinessScope,
        request: RemoveMemberRequest,
    ) -> Result<RemoveMemberResponse, Status> {
        let person: UserId = parse::id("user_id", &request.user_id)?;
        self.change(&scope, person, None).await?;
        tracing::info!(target: "audit", actor = %scope.actor(), account = %person, business = %scope.business(), "member removed");
        Ok(RemoveMemberResponse {})
    }

    async fn lift_block(
        &self,
        scope: BusinessScope,
        request: LiftBlockRequest,
    ) -> Result<LiftBlockResponse, Status> {
        let person: UserId = parse::id("user_id", &request.user_id)?;
        let tx = self.store.begin();
        tx.lock_role(person, scope.business()).await?.ok_or(Error::NotFound("member"))?;
        let email = tx.account(person).await?.email;
        let event = NewSecurityEvent::of(person, SecurityEventKind::BlockLifted);
        self.record(&tx, &scope, event).await?;
        tx.commit().await?;
        self.limits.lift(&email).await;
        Ok(LiftBlockResponse {})
    }

    async fn list_invitations(
        &self,
        scope: BusinessScope,
        request: ListInvitationsRequest,
    ) -> Result<ListInvitationsResponse, Status> {
        let page = page(request.page_size, &request.page_token)?;
        let (at, id) = page.after.unwrap_or((Timestamp::MAX, Uuid::max()));
        let before = InvitationPlace { at, id };
        let tx = self.store.begin();
        let found = tx.invitations(scope.business(), before, page.limit()).await?;
        tx.commit().await?;
        let key = |row: &Invitation| (row.invited_at, row.id);
        let (invitations, next_page_token) = page.answer(found, key, wire_invitation);
        Ok(ListInvitationsResponse { invitations, next_page_token })
    }

    async fn invite(&self, scope: BusinessScope, request: InviteRequest) -> Result<InviteResponse, Status> {
        let (email, role) = (email("email", &request.email)?, role(&request.role)?);
        let (now, token) = (self.clock.now(), OneTimeToken::new(boot::random::bytes()));
        let tx = self.store.begin();
        let inviter = inviter(&tx, &scope).await?;
        let by_person = inviter.map(|person| [Counted::By(person), Counted::ByTo(person, &email)]);
        let counted: Vec<_> = by_person.into_iter().flatten().chain([Counted::ByPeopleTo(&email)]).collect();
        tx.count_mail(&counted, now).await?;
        if tx.is_member(&email, scope.business()).await? {
            return Err(Error::AlreadyMember.into());
        }
        let inviter_name = match inviter {
            Some(inviter) => tx.account(inviter).await?.name,
            None => String::new(),
        };
        let invitation = tx.invite(scope.business(), &email, role, inviter, token.hash(), now).await?;
        let link = self.links.invitation(&token);
        let mail = letter::invitation(&email, &inviter_name, &invitation.business_name, role, &link);
        tx.queue_mail(&mail, now).await?;
        self.record_own(&tx, &scope, SecurityEventKind::Invited, &email).await?;
        tx.commit().await?;
        tracing::info!(target: "audit", actor = %scope.actor(), invitation = %invitation.id, business = %scope.business(), role = role.as_str(), "invited");
        Ok(InviteResponse { invitation: Some(wire_invitation(invitation)) })
    }

    async fn withdraw_invitation(
        &self,
        scope: BusinessScope,
        request: WithdrawInvitationRequest,
    ) -> Result<WithdrawInvitationResponse, Status> {
        let id: Uuid = parse::id("invitation_id", &request.invitation_id)?;
        let tx = self.store.begin();
        let email = tx.withdraw_invitation(scope.business(), id).await?;
        self.record_own(&tx, &scope, SecurityEventKind::InvitationWithdrawn, &email).await?;
        tx.commit().await?;
        tracing::info!(target: "audit", actor = %scope.actor(), invitation = %id, business = %scope.business(), "invitation withdrawn");
        Ok(WithdrawInvitationResponse {})
    }
}

/// Who invites, if a person does. Their role stays what it is until this transaction ends: what
/// they send goes with it.
async fn inviter(tx: &Tx, scope: &BusinessScope) -> Result<Option<UserId>, Error> {
    let Actor::Person { user, .. } = scope.actor() else { return Ok(None) };
    if scope.role() != Role::Admin {
        let role = tx.lock_role(user, scope.business()).await?;
        role.filter(|role| role.allows(INVITE.rule.least_role)).ok_or(Error::RoleLost)?;
    }
    Ok(Some(user))
}

fn role(text: &str) -> Result<MemberRole, Status> {
    MemberRole::parse(text).map_err(|rule| invalid("role", &rule.to_string()))
}

fn wire_member(member: Member, blocked_until: Option<Timestamp>) -> WireMember {
    WireMember {
        user_id: member.id.to_string(),
        name: member.name,
        email: member.email.as_str().to_owned(),
        role: member.role.as_str().to_owned(),
        disabled: member.disabled,
        blocked_until: blocked_until.map(to_proto),
    }
}

fn wire_invitation(invitation: Invitation) -> WireInvitation {
    WireInvitation {
        id: invitation.id.to_string(),
        email: invitation.email.as_str().to_owned(),
        role: invitation.role.as_str().to_owned(),
        invited_at: Some(to_proto(invitation.invited_at)),
        expires_at: Some(to_proto(invitation.expires_at)),
    }
}
