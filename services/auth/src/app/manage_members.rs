//! Changes who belongs to a business: roles, invitations, blocks of the sign-in.

use boot::clock::Clock;
use caller::{Actor, BusinessId, BusinessScope, Role, Tenant, UserId};
use jiff::Timestamp;
use proto::frontdesk::auth::v1::member_service_methods::INVITE;
use uuid::Uuid;

use super::change_role::set_role;
use crate::{
    Error,
    credentials::limits::Limits,
    domain::{
        account::{MemberRole, keeps_an_owner},
        email::Email,
        letter,
        link::Links,
        mail_limit::Counted,
        one_time_token::OneTimeToken,
        security_event::{NewSecurityEvent, SecurityEventKind},
    },
    store::{Invitation, Member, Store, Tx},
};

/// Manages members, in the name of one.
#[derive(Debug)]
pub(crate) struct ManageMembers {
    pub store: Store,
    pub limits: Limits,
    pub links: Links,
    pub clock: Clock,
}

impl ManageMembers {
    /// Members of a business by name, `limit` of them after the one of this name and id, and until when
    /// their sign-in is blocked, if it is.
    pub(crate) async fn list(
        &self,
        business: BusinessId,
        after: (&str, Uuid),
        limit: u32,
    ) -> Result<Vec<(Member, Option<Timestamp>)>, Error> {
        let tx = self.store.begin();
        let members = tx.members(business, after, limit).await?;
        tx.commit().await?;
        let emails: Vec<_> = members.iter().map(|member| member.email.clone()).collect();
        let blocked = self.limits.blocked_until(&emails).await;
        Ok(members.into_iter().zip(blocked).collect())
    }

    /// Gives a member another role, or none.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::LastOwner`]; [`Error::RoleStale`] where the member has another role than the
    /// expected one.
    pub(crate) async fn change(
        &self,
        scope: &BusinessScope,
        person: UserId,
        expected: Option<MemberRole>,
        role: Option<MemberRole>,
    ) -> Result<(), Error> {
        let business = scope.business();
        let tx = self.store.begin_as(scope);
        let owners = tx.lock_owners(business).await?;
        let before = tx.lock_role(person, business).await?.ok_or(Error::NotFound("member"))?;
        if expected.is_some_and(|expected| expected != before) {
            return Err(Error::RoleStale(before));
        }
        if scope.role() != Role::Admin && !keeps_an_owner(&owners, person, role) {
            return Err(Error::LastOwner);
        }
        if set_role(&tx, person, business, role).await? {
            let event = NewSecurityEvent::of_role(person, business, Some(before), role);
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

    /// Lets a member whose sign-in is blocked try again.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub(crate) async fn lift_block(&self, scope: &BusinessScope, person: UserId) -> Result<(), Error> {
        let tx = self.store.begin();
        tx.lock_role(person, scope.business()).await?.ok_or(Error::NotFound("member"))?;
        let email = tx.account(person).await?.email;
        let event = NewSecurityEvent::of(person, SecurityEventKind::BlockLifted);
        self.record(&tx, scope, event).await?;
        tx.commit().await?;
        self.limits.lift(&email).await;
        Ok(())
    }

    /// Whether an invitation to `email` would be refused.
    ///
    /// # Errors
    /// [`Error::AlreadyMember`].
    pub(crate) async fn check_invitation(&self, scope: &BusinessScope, email: &Email) -> Result<(), Error> {
        let tx = self.store.begin();
        let is_member = tx.is_member(email, scope.business()).await?;
        tx.commit().await?;
        if is_member { Err(Error::AlreadyMember) } else { Ok(()) }
    }

    /// Mails an invitation in the name of `inviter`, once the caller commits. A service may ask for one again and again:
    /// the one that is open stays.
    ///
    /// # Errors
    /// [`Error::AlreadyMember`], [`Error::RoleLost`], more mail than may be sent.
    pub(crate) async fn invite(
        &self,
        tx: &Tx,
        scope: &BusinessScope,
        inviter: UserId,
        email: Email,
        role: MemberRole,
        employee: Option<Uuid>,
    ) -> Result<Invitation, Error> {
        let (now, token) = (self.clock.now(), OneTimeToken::new(boot::random::bytes()));
        let is_person = matches!(scope.actor(), Actor::Person { .. });
        let name = lock_inviter(tx, scope, inviter).await?;
        if !is_person
            && let Some(open) = tx.open_invitation(scope.business(), &email, now).await?
            && (open.role, open.employee, open.invited_by) == (role, employee, Some(inviter))
        {
            return Ok(open);
        }
        let by = if is_person { Counted::By(inviter) } else { Counted::InBulkBy(inviter) };
        tx.count_mail(&[by, Counted::ByTo(inviter, &email), Counted::ByPeopleTo(&email)], now).await?;
        if tx.is_member(&email, scope.business()).await? {
            return Err(Error::AlreadyMember);
        }
        let invitation =
            tx.invite(scope.business(), &email, (role, employee), inviter, token.hash(), now).await?;
        let link = self.links.invitation(&token);
        let mail = letter::invitation(&email, &name, &invitation.business_name, role, &link);
        tx.queue_mail(&mail, now).await?;
        let event = NewSecurityEvent::of(inviter, SecurityEventKind::Invited).about(email.as_str());
        self.record(tx, scope, event).await?;
        Ok(invitation)
    }

    /// Withdraws an invitation.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub(crate) async fn withdraw_invitation(&self, scope: &BusinessScope, id: Uuid) -> Result<(), Error> {
        let tx = self.store.begin_as(scope);
        let email = tx.withdraw_invitation(scope.business(), id).await?;
        self.record_own(&tx, scope, SecurityEventKind::InvitationWithdrawn, &email).await?;
        tx.commit().await
    }
}

/// The name of who invites. They may until this transaction ends: what they send goes with their role, and with
/// their account.
async fn lock_inviter(tx: &Tx, scope: &BusinessScope, inviter: UserId) -> Result<String, Error> {
    if !tx.lock_enabled(inviter).await? {
        return Err(Error::RoleLost);
    }
    let account = tx.account(inviter).await?;
    if scope.role() != Role::Admin && !account.admin {
        let role = tx.lock_role(inviter, scope.business()).await?;
        role.filter(|role| role.allows(INVITE.rule.least_role)).ok_or(Error::RoleLost)?;
    }
    Ok(account.name)
}
