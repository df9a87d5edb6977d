//! Makes the person who was invited a member.

use boot::clock::Clock;
use caller::{BusinessId, SessionId, UserId};
use jiff::Timestamp;

use crate::{
    Error,
    domain::{client::Origin, one_time_token::OneTimeTokenHash, security_event::NewSecurityEvent},
    store::{Invitation, Store, Tx},
};

/// Accepts invitations of people who are signed in.
#[derive(Debug)]
pub(crate) struct AcceptInvitation {
    pub store: Store,
    pub clock: Clock,
}

impl AcceptInvitation {
    /// Spends an invitation to the proved address of a person; the business they join.
    ///
    /// # Errors
    /// [`Error::TokenSpent`]; [`Error::NotInvited`] and [`Error::EmailUnverified`], which leave the
    /// invitation as it is.
    pub(crate) async fn run(
        &self,
        person: UserId,
        session: SessionId,
        token: OneTimeTokenHash,
    ) -> Result<BusinessId, Error> {
        let now = self.clock.now();
        let tx = self.store.begin();
        let Invitation { business, email, .. } = tx.invitation(token, now).await?;
        let own = tx.account(person).await?.email;
        let verified = tx.profile(person, now).await?.email_verified;
        let origin = tx.origin_of(session).await?;
        tx.commit().await?;
        if own != email {
            return Err(Error::NotInvited);
        }
        if !verified {
            return Err(Error::EmailUnverified);
        }
        let tx = self.store.begin_in(business);
        let invitation = tx.take_invitation(token, now).await?;
        enter(&tx, person, &invitation, &origin, now).await?;
        tx.commit().await?;
        Ok(business)
    }
}

/// Makes a person a member as an invitation says, unless they have a higher role there.
pub(crate) async fn enter(
    tx: &Tx,
    person: UserId,
    invitation: &Invitation,
    origin: &Origin,
    now: Timestamp,
) -> Result<(), Error> {
    let current = tx.lock_role(person, invitation.business).await?;
    if current >= Some(invitation.role) {
        return Ok(());
    }
    // An earlier release let invitations of guests name an employee.
    let employee = invitation.employee.filter(|_| invitation.role.fits_an_employee());
    tx.set_role(person, invitation.business, Some(invitation.role), employee).await?;
    let event = NewSecurityEvent::of_role(person, invitation.business, current, Some(invitation.role));
    let event = event.from(origin);
    let event = match invitation.invited_by {
        Some(inviter) => event.by(inviter),
        None => event,
    };
    tx.record(&event, now).await
}
