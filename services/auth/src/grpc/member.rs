//! `MemberService`: who belongs to a business, and who is asked to.

use core::time::Duration;

use boot::clock::Clock;
use caller::{Actor, BusinessScope, Tenant, UserId};
use jiff::Timestamp;
use proto::{
    error::{Reason, invalid, retry_later},
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
    app::manage_members::ManageMembers,
    credentials::limits::Limits,
    domain::{account::MemberRole, link::Links},
    store::{Invitation, InvitationPlace, Member, Store},
};

/// Members of businesses.
#[derive(Debug)]
pub struct Members {
    store: Store,
    manage: ManageMembers,
}

impl Members {
    /// Members of a store.
    #[must_use]
    pub fn new(store: Store, limits: Limits, links: Links, clock: Clock) -> Self {
        let manage = ManageMembers { store: store.clone(), limits, links, clock };
        Self { store, manage }
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
        let found = self.manage.list(scope.business(), (&name, id), page.limit()).await?;
        let key = |(member, _): &(Member, _)| (member.name.clone(), member.id.0);
        let (members, next_page_token) = page.answer(found, key, wire_member);
        Ok(ListMembersResponse { members, next_page_token })
    }

    async fn set_member_role(
        &self,
        scope: BusinessScope,
        request: SetMemberRoleRequest,
    ) -> Result<SetMemberRoleResponse, Status> {
        let person: UserId = parse::id("user_id", &request.user_id)?;
        let expected = optional_role("expected_role", &request.expected_role)?;
        let role = role(&request.role)?;
        self.manage.change(&scope, person, expected, Some(role)).await?;
        tracing::info!(target: "audit", actor = %scope.actor(), account = %person, business = %scope.business(), role = role.as_str(), "role set");
        Ok(SetMemberRoleResponse {})
    }

    async fn remove_member(
        &self,
        scope: BusinessScope,
        request: RemoveMemberRequest,
    ) -> Result<RemoveMemberResponse, Status> {
        let person: UserId = parse::id("user_id", &request.user_id)?;
        self.manage.change(&scope, person, None, None).await?;
        tracing::info!(target: "audit", actor = %scope.actor(), account = %person, business = %scope.business(), "member removed");
        Ok(RemoveMemberResponse {})
    }

    async fn lift_block(
        &self,
        scope: BusinessScope,
        request: LiftBlockRequest,
    ) -> Result<LiftBlockResponse, Status> {
        let person: UserId = parse::id("user_id", &request.user_id)?;
        self.manage.lift_block(&scope, person).await?;
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
        let employee = employee(role, &request.employee_id)?;
        let inviter = inviter(&scope, &request.on_behalf_of)?;
        if request.check_only {
            self.manage.check_invitation(&scope, &email).await?;
            return Ok(InviteResponse { invitation: None });
        }
        self.store
            .idempotent_for(inviter, &scope, &INVITE, &request, async |tx| {
                let invitation = self.manage.invite(tx, &scope, inviter, email, role, employee).await?;
                tracing::info!(target: "audit", actor = %scope.actor(), %inviter, invitation = %invitation.id, business = %scope.business(), role = role.as_str(), "invited");
                Ok(InviteResponse { invitation: Some(wire_invitation(invitation)) })
            })
            .await
    }

    async fn withdraw_invitation(
        &self,
        scope: BusinessScope,
        request: WithdrawInvitationRequest,
    ) -> Result<WithdrawInvitationResponse, Status> {
        let id: Uuid = parse::id("invitation_id", &request.invitation_id)?;
        self.manage.withdraw_invitation(&scope, id).await?;
        tracing::info!(target: "audit", actor = %scope.actor(), invitation = %id, business = %scope.business(), "invitation withdrawn");
        Ok(WithdrawInvitationResponse {})
    }
}

/// Who invites: the person who asks, or the one for whom a service does.
fn inviter(scope: &BusinessScope, on_behalf_of: &str) -> Result<UserId, Status> {
    match scope.actor() {
        Actor::Person { user, .. } if on_behalf_of.is_empty() => Ok(user),
        Actor::Person { .. } => Err(invalid("on_behalf_of", "is for services: you invite in your own name")),
        // The release before names no person, and takes another refusal for final.
        Actor::Service { .. } if on_behalf_of.is_empty() => {
            let message = "a service invites in the name of a person: try again once it names one";
            Err(retry_later(Reason::Unavailable, message, Duration::from_secs(1)))
        }
        Actor::Agent { .. } | Actor::Service { .. } => parse::id("on_behalf_of", on_behalf_of),
    }
}

/// The employee whom the invitation is for, if it is for one.
fn employee(role: MemberRole, id: &str) -> Result<Option<Uuid>, Status> {
    let employee = parse::optional_id("employee_id", id)?;
    if employee.is_some() && !role.fits_an_employee() {
        let refusal =
            "must not be GUEST in an invitation for an employee: a guest sees no customers and no calls";
        return Err(invalid("role", refusal));
    }
    Ok(employee)
}

fn role(text: &str) -> Result<MemberRole, Status> {
    MemberRole::parse(text).map_err(|rule| invalid("role", &rule.to_string()))
}

fn optional_role(field: &str, text: &str) -> Result<Option<MemberRole>, Status> {
    let role = (!text.is_empty()).then(|| MemberRole::parse(text)).transpose();
    role.map_err(|rule| invalid(field, &rule.to_string()))
}

fn wire_member((member, blocked_until): (Member, Option<Timestamp>)) -> WireMember {
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
        employee_id: invitation.employee.map_or_else(String::new, |id| id.to_string()),
    }
}
