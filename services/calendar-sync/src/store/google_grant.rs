//! People's consent to use their calendars at Google: of no business.

use caller::UserId;
use database::{Rotation, from_db, named, to_db};
use jiff::{SignedDuration, Timestamp};
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use sealing::envelope::{DataKeyId, WrappedKey};
use uuid::Uuid;

use super::{Store, consent::PeopleTx};
use crate::{
    domain::{lease::Lease, provider::CallLimit},
    error::Error,
    vault::Vault,
};

const ONE: &str = "SELECT id, account, key_id, master_key, sealed_key, sealed_refresh, sealed_access,
        access_expires_at, ending_since, end_error
    FROM google_grant WHERE user_id = :user_id";
/// What is given anew replaces what was; a refresh that is under way is lost with the lease.
const SAVE: &str = "INSERT INTO google_grant AS known (user_id, id, account, key_id, master_key, sealed_key,
        sealed_refresh, sealed_access, access_expires_at, granted_at)
    VALUES (:user_id, :id, :account, :key_id, :master_key, :sealed_key, :sealed_refresh, :sealed_access,
        :access_expires_at, :now)
    ON CONFLICT (user_id) DO UPDATE SET id = excluded.id, account = excluded.account, key_id = excluded.key_id,
        master_key = excluded.master_key, sealed_key = excluded.sealed_key,
        sealed_refresh = excluded.sealed_refresh, sealed_access = excluded.sealed_access,
        access_expires_at = excluded.access_expires_at, granted_at = excluded.granted_at, refused_at = NULL,
        refresher = NULL, refreshing_until = NULL, throttled = 0, ending_since = NULL, end_due_at = NULL,
        end_error = NULL";
const DELETE: &str = "DELETE FROM google_grant WHERE user_id = :user_id";
const TAKE: &str = "UPDATE google_grant SET refresher = :lease, refreshing_until = :until
    WHERE user_id = :user_id AND refused_at IS NULL AND (refreshing_until IS NULL OR refreshing_until <= :now)";
/// In place of the token that was spent, even when the turn ran out meanwhile: the spent one may be worth nothing now.
const REFRESHED: &str =
    "UPDATE google_grant SET sealed_refresh = :sealed_refresh, sealed_access = :sealed_access,
        access_expires_at = :access_expires_at, refresher = NULL, refreshing_until = NULL
    WHERE user_id = :user_id AND sealed_refresh = :spent";
const END: &str = "UPDATE google_grant SET refresher = NULL, refreshing_until = NULL
    WHERE user_id = :user_id AND refresher = :lease";
/// Of the consent that was refused, not of one that was given since; nor when a token was refused that others replaced.
const REFUSE: &str = "UPDATE google_grant SET refused_at = :now, sealed_refresh = NULL, sealed_access = NULL,
        access_expires_at = NULL, refresher = NULL, refreshing_until = NULL
    WHERE user_id = :user_id AND id = :id AND sealed_refresh = COALESCE(:spent, sealed_refresh)";
/// Each call moves `called_up_to` on by its share of a second; it may run ahead of the clock by the burst.
const COUNT: &str = "UPDATE google_grant
    SET called_up_to = GREATEST(called_up_to, :now) + :gap_ms::bigint * interval '1 millisecond'
    WHERE user_id = :user_id
        AND called_up_to <= :now::timestamptz + :burst_ms::bigint * interval '1 millisecond'";
const CALLED: &str = "SELECT called_up_to, throttled FROM google_grant WHERE user_id = :user_id";
const REST: &str =
    "UPDATE google_grant SET called_up_to = GREATEST(called_up_to, :until), throttled = throttled + 1
    WHERE user_id = :user_id";
const CALM: &str = "UPDATE google_grant SET throttled = 0 WHERE user_id = :user_id AND throttled > 0";
const UNDER_OTHERS: &str = "SELECT user_id, key_id, master_key, sealed_key FROM google_grant
    WHERE master_key <> :current AND (:after::uuid IS NULL OR user_id > :after)
    ORDER BY user_id LIMIT 100 FOR UPDATE";
const REWRAP: &str = "UPDATE google_grant SET master_key = :master_key, sealed_key = :sealed_key
    WHERE user_id = :user_id AND key_id = :key_id";

/// A person's consent, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGrant {
    /// Its id, under which its tokens are sealed.
    pub id: Uuid,
    /// The account at Google.
    pub account: String,
    /// The key of its tokens.
    pub key: WrappedKey,
    /// What it consists of; `None` once Google honours it no more.
    pub tokens: Option<SealedTokens>,
    /// Since when it is being withdrawn.
    pub ending_since: Option<Timestamp>,
    /// Why it could not be ended the last time.
    pub end_error: Option<String>,
}

/// Its tokens, sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedTokens {
    /// Brings access tokens.
    pub refresh: Vec<u8>,
    /// The last access token, and when it expires.
    pub access: Option<(Vec<u8>, Timestamp)>,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    account: String,
    key_id: Uuid,
    master_key: String,
    sealed_key: Vec<u8>,
    sealed_refresh: Option<Vec<u8>>,
    sealed_access: Option<Vec<u8>>,
    access_expires_at: Option<DateTimeUtc>,
    ending_since: Option<DateTimeUtc>,
    end_error: Option<String>,
}

impl From<Row> for StoredGrant {
    fn from(row: Row) -> Self {
        let access = row.sealed_access.zip(row.access_expires_at.map(from_db));
        Self {
            id: row.id,
            account: row.account,
            key: WrappedKey { id: DataKeyId(row.key_id), master: row.master_key, sealed: row.sealed_key },
            tokens: row.sealed_refresh.map(|refresh| SealedTokens { refresh, access }),
            ending_since: row.ending_since.map(from_db),
            end_error: row.end_error,
        }
    }
}

#[derive(FromQueryResult)]
struct Called {
    called_up_to: DateTimeUtc,
    throttled: i32,
}

#[derive(FromQueryResult)]
struct KeyRow {
    user_id: Uuid,
    key_id: Uuid,
    master_key: String,
    sealed_key: Vec<u8>,
}

impl PeopleTx {
    /// A person's consent, if they gave it.
    pub async fn google_grant(&self, user: UserId) -> Result<Option<StoredGrant>, Error> {
        Ok(self.row::<Row>(ONE, named! { user_id: user.0 }).await?.map(Into::into))
    }

    /// Keeps a person's consent in place of an earlier one.
    pub async fn save_google_grant(&self, user: UserId, grant: &StoredGrant) -> Result<(), Error> {
        let tokens = grant.tokens.as_ref();
        let access = tokens.and_then(|tokens| tokens.access.clone());
        let values = named! {
            user_id: user.0,
            id: grant.id,
            account: grant.account.as_str(),
            key_id: grant.key.id.0,
            master_key: grant.key.master.as_str(),
            sealed_key: grant.key.sealed.clone(),
            sealed_refresh: tokens.map(|tokens| tokens.refresh.clone()),
            sealed_access: access.as_ref().map(|(sealed, _)| sealed.clone()),
            access_expires_at: access.map(|(_, expires_at)| to_db(expires_at)),
            now: self.at(),
        };
        self.execute(SAVE, values).await.map(drop)
    }

    /// Forgets a person's consent.
    pub async fn delete_google_grant(&self, user: UserId) -> Result<(), Error> {
        self.execute(DELETE, named! { user_id: user.0 }).await.map(drop)
    }

    /// Takes the turn to spend the refresh token; `false` when another worker has it.
    pub async fn take_refresh(&self, user: UserId, lease: Lease) -> Result<bool, Error> {
        let values = named! { user_id: user.0, lease: lease.id, until: to_db(lease.until), now: self.at() };
        Ok(self.execute(TAKE, values).await? == 1)
    }

    /// Keeps new tokens in place of the ones that were `spent`, and ends the turn; `false` when others replaced them.
    pub async fn save_refreshed(
        &self,
        user: UserId,
        spent: &SealedTokens,
        tokens: &SealedTokens,
    ) -> Result<bool, Error> {
        let access = tokens.access.clone();
        let values = named! {
            user_id: user.0,
            spent: spent.refresh.clone(),
            sealed_refresh: tokens.refresh.clone(),
            sealed_access: access.as_ref().map(|(sealed, _)| sealed.clone()),
            access_expires_at: access.map(|(_, expires_at)| to_db(expires_at)),
        };
        Ok(self.execute(REFRESHED, values).await? == 1)
    }

    /// Ends a turn that brought nothing.
    pub async fn end_refresh(&self, user: UserId, lease: Lease) -> Result<(), Error> {
        self.execute(END, named! { user_id: user.0, lease: lease.id }).await.map(drop)
    }

    /// Forgets the tokens of a consent that Google honours no more; of `spent` ones, unless others replaced them.
    pub async fn refuse_google_grant(
        &self,
        user: UserId,
        id: Uuid,
        spent: Option<&SealedTokens>,
    ) -> Result<(), Error> {
        let spent = spent.map(|tokens| tokens.refresh.clone());
        self.execute(REFUSE, named! { user_id: user.0, id, spent, now: self.at() }).await.map(drop)
    }

    /// Counts a call; how long to wait instead, where the account has used up its calls.
    pub async fn count_google_call(
        &self,
        user: UserId,
        limit: CallLimit,
    ) -> Result<Option<SignedDuration>, Error> {
        let key = named! { user_id: user.0 };
        let values = named! { now: self.at(), gap_ms: limit.gap_ms(), burst_ms: limit.burst_ms() };
        if self.execute(COUNT, key.clone().and(values)).await? == 1 {
            return Ok(None);
        }
        // Without a consent there is nothing to wait for: the call itself says so.
        let Some(called) = self.row::<Called>(CALLED, key).await? else { return Ok(None) };
        let free = from_db(called.called_up_to) - SignedDuration::from_millis(limit.burst_ms());
        Ok(Some(free.duration_since(self.now()).max(SignedDuration::from_millis(limit.gap_ms()))))
    }

    /// How often in a row Google asked to slow down.
    pub async fn throttled(&self, user: UserId) -> Result<i32, Error> {
        let called = self.row::<Called>(CALLED, named! { user_id: user.0 }).await?;
        Ok(called.map_or(0, |called| called.throttled))
    }

    /// Leaves an account alone for some time.
    pub async fn rest_google_account(
        &self,
        user: UserId,
        limit: CallLimit,
        wait: SignedDuration,
    ) -> Result<(), Error> {
        let until = to_db(self.now() + wait + SignedDuration::from_millis(limit.burst_ms()));
        self.execute(REST, named! { user_id: user.0, until }).await.map(drop)
    }

    /// Google answers an account as it should again.
    pub async fn calm_google_account(&self, user: UserId) -> Result<(), Error> {
        self.execute(CALM, named! { user_id: user.0 }).await.map(drop)
    }
}

impl Store {
    /// Wraps the keys of all people with the current master key, a hundred at a time.
    ///
    /// # Errors
    /// [`Error::Seal`] when the master key of one is not configured.
    pub async fn rewrap_google_grants(&self, vault: &Vault) -> Result<Rotation, Error> {
        let mut rotation = Rotation::default();
        let mut after = None;
        loop {
            let tx = self.begin_for_people();
            let stale =
                tx.rows::<KeyRow>(UNDER_OTHERS, named! { current: vault.keys().current(), after }).await?;
            let Some(last) = stale.last() else { return Ok(rotation) };
            after = Some(last.user_id);
            for row in stale {
                let user = UserId(row.user_id);
                let key =
                    WrappedKey { id: DataKeyId(row.key_id), master: row.master_key, sealed: row.sealed_key };
                let Some(key) = rotation.count(&user, vault.rewrap_of_person(user, &key))? else { continue };
                let values = named! {
                    user_id: user.0,
                    key_id: key.id.0,
                    master_key: key.master.as_str(),
                    sealed_key: key.sealed.clone(),
                };
                tx.execute(REWRAP, values).await?;
            }
            tx.commit().await?;
        }
    }
}
