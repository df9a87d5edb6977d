//! Access tokens of people's accounts at Google. One worker of all replicas spends a refresh token at a time: it may
//! be good only once.

use core::time::Duration;

use boot::clock::Clock;
use caller::UserId;
use jiff::SignedDuration;
use sealing::envelope::Part;

use super::{
    GoogleError,
    oauth::{OAuth, OAuthError, Tokens},
};
use crate::{
    domain::{caldav::Password, lease::Lease},
    error::Error,
    store::{SealedTokens, Store, StoredGrant},
    vault::Vault,
};

/// A token that expires sooner is not used any more: a call takes time.
const SPARE: SignedDuration = SignedDuration::from_secs(60);
/// How long another worker's refresh is waited for, and how often it is looked at.
const WAIT: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(20);
const SOON: SignedDuration = SignedDuration::from_secs(1);

/// Keeps access tokens.
#[derive(Debug, Clone)]
pub(super) struct Accounts {
    pub(super) store: Store,
    pub(super) vault: Vault,
    pub(super) clock: Clock,
    pub(super) oauth: OAuth,
}

/// What opens an account for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) token: Password,
    /// The account that it opens.
    pub(super) account: String,
    /// The consent that it comes from.
    pub(super) grant: uuid::Uuid,
}

impl Accounts {
    /// A good access token of a person's account, other than one that Google did not take.
    pub(super) async fn access(
        &self,
        user: UserId,
        refused: Option<Password>,
    ) -> Result<Access, GoogleError> {
        let began = tokio::time::Instant::now();
        loop {
            let tx = self.store.begin_for_people();
            let grant = tx.google_grant(user).await?.ok_or(GoogleError::ConsentMissing)?;
            tx.commit().await?;
            let tokens = grant.tokens.as_ref().ok_or(GoogleError::ConsentMissing)?;
            if let Some(token) = self.fresh(user, &grant, tokens, refused.as_ref())? {
                return Ok(Access { token, account: grant.account, grant: grant.id });
            }
            if let Some(lease) = self.take(user).await? {
                self.refresh(user, lease, refused.as_ref()).await?;
            } else if began.elapsed() < WAIT {
                tokio::time::sleep(LOOK).await;
            } else {
                return Err(GoogleError::Later(SOON));
            }
        }
    }

    /// The access token that is kept, where it is good for a while and not the one that was refused.
    fn fresh(
        &self,
        user: UserId,
        grant: &StoredGrant,
        tokens: &SealedTokens,
        refused: Option<&Password>,
    ) -> Result<Option<Password>, Error> {
        let Some((sealed, expires_at)) = &tokens.access else { return Ok(None) };
        if expires_at.duration_since(self.clock.now()) < SPARE {
            return Ok(None);
        }
        let token = self.vault.open_of_person(user, &grant.key, (Part::ApiKey, grant.id), sealed)?;
        Ok((refused != Some(&token)).then_some(token))
    }

    async fn take(&self, user: UserId) -> Result<Option<Lease>, Error> {
        let tx = self.store.begin_for_people();
        let lease = Lease::begin(tx.new_id(), tx.now());
        let taken = tx.take_refresh(user, lease).await?;
        tx.commit().await?;
        Ok(taken.then_some(lease))
    }

    /// Spends the refresh token as it is now that no other worker can, unless one did just before the turn began.
    async fn refresh(
        &self,
        user: UserId,
        lease: Lease,
        refused: Option<&Password>,
    ) -> Result<(), GoogleError> {
        let tx = self.store.begin_for_people();
        let grant = tx.google_grant(user).await?.ok_or(GoogleError::ConsentMissing)?;
        let sealed = grant.tokens.as_ref().ok_or(GoogleError::ConsentMissing)?;
        if self.fresh(user, &grant, sealed, refused)?.is_some() {
            tx.end_refresh(user, lease).await?;
            tx.commit().await?;
            return Ok(());
        }
        tx.commit().await?;
        let place = (Part::Secret, grant.id);
        let refresh = self.vault.open_of_person(user, &grant.key, place, &sealed.refresh)?;
        let brought = self.oauth.refresh(refresh.clone()).await;
        let tx = self.store.begin_for_people();
        match &brought {
            Ok(tokens) => {
                let tokens = self.seal(user, &grant, tokens, &refresh)?;
                tx.save_refreshed(user, sealed, &tokens).await?;
            }
            Err(OAuthError::Refused) => tx.refuse_google_grant(user, grant.id, Some(sealed)).await?,
            Err(_) => tx.end_refresh(user, lease).await?,
        }
        tx.commit().await?;
        brought.map(drop).map_err(|error| match error {
            OAuthError::Unreachable(reason) => GoogleError::Unreachable(reason),
            OAuthError::Refused | OAuthError::Incomplete => GoogleError::ConsentMissing,
        })
    }

    /// Tokens for storage; a refresh token that is not replaced stays.
    fn seal(
        &self,
        user: UserId,
        grant: &StoredGrant,
        tokens: &Tokens,
        before: &Password,
    ) -> Result<SealedTokens, Error> {
        let seal = |part, secret| self.vault.seal_of_person(user, &grant.key, (part, grant.id), secret);
        Ok(SealedTokens {
            refresh: seal(Part::Secret, tokens.refresh.as_ref().unwrap_or(before))?,
            access: Some((seal(Part::ApiKey, &tokens.access)?, self.clock.now() + tokens.expires_in)),
        })
    }

    /// Keeps what a person's answer brought, in place of what was.
    pub(super) async fn keep(&self, user: UserId, account: String, tokens: &Tokens) -> Result<(), Error> {
        let tx = self.store.begin_for_people();
        let key = self.vault.new_person_key(user, tx.new_id());
        let grant =
            StoredGrant { id: tx.new_id(), account, key, tokens: None, ending_since: None, end_error: None };
        let tokens = self.seal(user, &grant, tokens, &tokens.access)?;
        tx.save_google_grant(user, &StoredGrant { tokens: Some(tokens), ..grant }).await?;
        tx.commit().await
    }

    /// Forgets a person's consent; what Google is to end, where it honours it.
    pub(super) async fn forget(&self, user: UserId) -> Result<Option<Password>, Error> {
        let tx = self.store.begin_for_people();
        let grant = tx.google_grant(user).await?;
        tx.delete_google_grant(user).await?;
        tx.commit().await?;
        grant.map_or(Ok(None), |grant| self.to_end(user, &grant))
    }

    /// What Google is to end of a consent, where it honours it.
    pub(super) fn to_end(&self, user: UserId, grant: &StoredGrant) -> Result<Option<Password>, Error> {
        let Some(tokens) = &grant.tokens else { return Ok(None) };
        self.vault.open_of_person(user, &grant.key, (Part::Secret, grant.id), &tokens.refresh).map(Some)
    }

    /// Google takes the access, and refuses what the consent is needed for.
    pub(super) async fn refuse(&self, user: UserId, grant: uuid::Uuid) -> Result<(), Error> {
        let tx = self.store.begin_for_people();
        tx.refuse_google_grant(user, grant, None).await?;
        tx.commit().await
    }
}
