//! Withdraws people's consents. What Frontdesk wrote to calendars at Google is taken out first where they want that,
//! which needs their consent until it is done.

use core::time::Duration;
use std::sync::Arc;

use boot::clock::Clock;
use caller::{UserId, Worker};
use jiff::SignedDuration;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::disconnect_calendar::{go_on, leave};
use crate::{
    SERVICE,
    domain::{
        CalendarId,
        cleanup::{Standing, Written},
    },
    error::Error,
    outside::google::Google,
    store::{Store, StoredGrant},
};

const EVERY: Duration = Duration::from_secs(1);
/// Leaves that are looked at in one go.
const AT_ONCE: i64 = 16;
/// When a consent is looked at again whose calendars are not forgotten yet: the last of them makes it due.
const LOOK_AGAIN: SignedDuration = SignedDuration::from_secs(30);
/// When Google is told again after it did not answer.
const TELL_AGAIN: SignedDuration = SignedDuration::from_mins(1);

/// Withdraws consents.
#[derive(Debug, Clone)]
pub struct WithdrawConsent {
    /// Where they are kept.
    pub store: Store,
    /// Google, where this installation is known there.
    pub google: Option<Google>,
    /// Tells the time.
    pub clock: Clock,
    /// Notified when a calendar may be due.
    pub hint: Arc<Notify>,
}

impl WithdrawConsent {
    /// Withdraws all of a person's consents; without one nothing changes. Where appointments are to be taken out, the
    /// calendars of their account at Google are disconnected, and the consent for it ends with the last of them: what
    /// failed of that is tried again. Otherwise it ends now, with what is still to be taken out by it.
    ///
    /// # Errors
    /// [`Error::NothingToTakeOutBy`] when Google honours the consent no more.
    pub async fn run(&self, user: UserId, written: Written) -> Result<(), Error> {
        let tx = self.store.begin_for_people();
        let grant = tx.google_grant(user).await?;
        if written == Written::TakenOut && grant.as_ref().is_some_and(|grant| grant.tokens.is_none()) {
            return Err(Error::NothingToTakeOutBy);
        }
        tx.withdraw(user).await?;
        // Without Google nothing would ever end it.
        if self.google.is_some() && grant.is_some() && written == Written::TakenOut {
            tx.begin_withdrawal(user).await?;
        }
        tx.commit().await?;
        let Some((google, grant)) = self.google.as_ref().zip(grant) else { return Ok(()) };
        match written {
            Written::TakenOut => {
                self.in_each_business(user, &grant.account, Standing::CleanedUp, written).await?;
                self.go_on(google, user).await
            }
            Written::Left => {
                self.in_each_business(user, &grant.account, Standing::CleanedUp, written).await?;
                google.withdraw(user).await
            }
        }
    }

    /// Deals with the calendars of an account that stand so, business by business: connected ones are disconnected, and of
    /// those that are being disconnected what failed is tried again, or they are forgotten with what is still in them.
    async fn in_each_business(
        &self,
        user: UserId,
        account: &str,
        standing: Standing,
        written: Written,
    ) -> Result<(), Error> {
        for business in self.store.businesses_at_google(user, account).await? {
            let tx = self.store.begin(&Worker::new(SERVICE, business));
            let found = tx.google_calendars_of(user, account).await?;
            let standing_so = found.into_iter().filter(|(_, stands)| *stands == standing);
            let calendars: Vec<CalendarId> = standing_so.map(|(calendar, _)| calendar).collect();
            if calendars.is_empty() {
                continue;
            }
            match standing {
                Standing::Connected => leave(&tx, &calendars, written).await?,
                Standing::CleanedUp | Standing::Left => go_on(&tx, &calendars, written).await?,
            }
            tx.commit().await?;
        }
        self.hint.notify_one();
        Ok(())
    }

    /// What is next of a withdrawal that is under way: calendars that are still connected are disconnected, also after
    /// the process ended in between. Once all are forgotten, Google is told, and the consent is forgotten.
    async fn go_on(&self, google: &Google, user: UserId) -> Result<(), Error> {
        let tx = self.store.begin_for_people();
        let grant = tx.google_grant(user).await?;
        tx.commit().await?;
        let Some(grant) = grant.filter(|grant| grant.ending_since.is_some()) else { return Ok(()) };
        self.in_each_business(user, &grant.account, Standing::Connected, Written::TakenOut).await?;
        if self.store.has_calendars_at_google(user, &grant.account).await? {
            return Ok(());
        }
        self.end(google, user, &grant).await
    }

    async fn end(&self, google: &Google, user: UserId, grant: &StoredGrant) -> Result<(), Error> {
        let told = google.end(user, grant).await;
        let tx = self.store.begin_for_people();
        match told {
            Err(Error::Google(fault)) => {
                tracing::warn!(%fault, "Google was not told that a consent is withdrawn");
                tx.put_off_withdrawal(user, grant.id, &fault, self.clock.now() + TELL_AGAIN).await?;
            }
            other => {
                other?;
                tx.end_withdrawal(user, grant.id).await?;
            }
        }
        tx.commit().await
    }

    async fn go_on_with_due(&self, google: &Google) -> Result<(), Error> {
        let due = self.store.claim_withdrawals(AT_ONCE, self.clock.now() + LOOK_AGAIN).await?;
        for user in due {
            if let Err(error) = self.go_on(google, user).await {
                tracing::warn!(%error, "a consent that is being withdrawn was not ended");
            }
        }
        Ok(())
    }
}

/// Ends consents that are being withdrawn, until it is asked to stop.
pub async fn end_consents(withdraw: WithdrawConsent, shutdown: CancellationToken) {
    let Some(google) = withdraw.google.clone() else { return };
    while !shutdown.is_cancelled() {
        if let Err(error) = withdraw.go_on_with_due(&google).await {
            tracing::warn!(%error, "which consents are being withdrawn can't be read");
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = tokio::time::sleep(boot::random::spread(EVERY)) => {}
        }
    }
}
