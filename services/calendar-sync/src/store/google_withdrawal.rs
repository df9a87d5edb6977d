//! People's consent at Google while it is being withdrawn.

use caller::{BusinessId, UserId};
use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Store, Tx, consent::PeopleTx};
use crate::{
    domain::{
        CalendarId,
        cleanup::{Cleanup, Standing},
    },
    error::Error,
};

/// One that was begun before stays as it is, and is looked at now.
const BEGIN: &str = "UPDATE google_grant SET ending_since = COALESCE(ending_since, :now), end_due_at = :now,
        end_error = NULL
    WHERE user_id = :user_id";
/// Takes the leaves that are due to be looked at, which then have some time.
const CLAIM: &str = "WITH due AS MATERIALIZED (
        SELECT user_id FROM google_grant WHERE ending_since IS NOT NULL AND end_due_at <= :now
        ORDER BY end_due_at LIMIT :limit FOR UPDATE SKIP LOCKED)
    UPDATE google_grant g SET end_due_at = :due_again FROM due WHERE g.user_id = due.user_id
    RETURNING g.user_id";
const PUT_OFF: &str = "UPDATE google_grant SET end_due_at = :due_again, end_error = :error
    WHERE user_id = :user_id AND id = :id AND ending_since IS NOT NULL";
/// Not one that was given anew meanwhile.
const END: &str =
    "DELETE FROM google_grant WHERE user_id = :user_id AND id = :id AND ending_since IS NOT NULL";
const BUSINESSES: &str =
    "SELECT DISTINCT business_id FROM google_calendar WHERE user_id = :user_id AND account = :account";
/// Of the account that the consent is for: another one's calendars can't be opened by it.
const CALENDARS: &str = "SELECT g.id, s.leaving, EXISTS (SELECT FROM calendar_cleanup u
        WHERE u.business_id = g.business_id AND u.calendar_id = g.id) AS cleaned_up
    FROM google_calendar g JOIN sync_state s ON s.business_id = g.business_id AND s.calendar_id = g.id
    WHERE g.business_id = :business_id AND g.user_id = :user_id AND g.account = :account
    ORDER BY g.id FOR UPDATE OF s";
const HAS_CALENDARS: &str =
    "SELECT EXISTS (SELECT FROM google_calendar WHERE user_id = :user_id AND account = :account)";
const CLEANUPS: &str = "SELECT u.begun_at, u.event_count,
        (SELECT count(*) FROM calendar_write w WHERE w.business_id = g.business_id AND w.calendar_id = g.id
            AND w.written < w.wanted) AS left_count,
        (SELECT count(*) FROM calendar_write w WHERE w.business_id = g.business_id AND w.calendar_id = g.id
            AND w.written < w.wanted AND w.parked_at IS NOT NULL) AS refused_count,
        (SELECT w.last_error FROM calendar_write w WHERE w.business_id = g.business_id AND w.calendar_id = g.id
            AND w.written < w.wanted AND w.failures > 0 AND w.last_error IS NOT NULL
            ORDER BY w.parked_at IS NULL, w.starts_at, w.event_id LIMIT 1) AS fault
    FROM google_calendar g JOIN calendar_cleanup u ON u.business_id = g.business_id AND u.calendar_id = g.id
    WHERE g.user_id = :user_id AND g.account = :account ORDER BY u.begun_at, g.id LIMIT 200";
const WRITTEN: &str = "SELECT count(*) FROM google_calendar g
    JOIN sync_state s ON s.business_id = g.business_id AND s.calendar_id = g.id AND NOT s.leaving
    JOIN calendar_write w ON w.business_id = g.business_id AND w.calendar_id = g.id
    WHERE g.user_id = :user_id AND g.account = :account AND w.ends_at > :now
        AND (NOT w.removed OR w.written < w.wanted)
        AND (w.written > 0 OR w.lease IS NOT NULL OR w.last_error IS NOT NULL)";
const IS_WITHDRAWN: &str = "SELECT EXISTS (SELECT FROM google_calendar g
    JOIN google_grant l ON l.user_id = g.user_id AND l.account = g.account AND l.ending_since IS NOT NULL
    WHERE g.business_id = :business_id AND g.id = :calendar_id)";
const HASTEN: &str = "UPDATE google_grant l SET end_due_at = LEAST(l.end_due_at, :now) FROM google_calendar g
    WHERE g.business_id = :business_id AND g.id = :calendar_id AND l.user_id = g.user_id
        AND l.account = g.account AND l.ending_since IS NOT NULL";

#[derive(FromQueryResult)]
struct CalendarRow {
    id: Uuid,
    leaving: bool,
    cleaned_up: bool,
}

#[derive(FromQueryResult)]
struct CleanupRow {
    begun_at: DateTimeUtc,
    event_count: i32,
    left_count: i64,
    refused_count: i64,
    fault: Option<String>,
}

impl From<CleanupRow> for Cleanup {
    fn from(row: CleanupRow) -> Self {
        let count = |count: i64| i32::try_from(count).unwrap_or(i32::MAX);
        Self {
            begun_at: from_db(row.begun_at),
            events: row.event_count,
            left: count(row.left_count),
            refused: count(row.refused_count),
            fault: row.fault,
        }
    }
}

impl PeopleTx {
    /// Has a person's consent end once nothing is to be taken out of its calendars any more.
    pub async fn begin_withdrawal(&self, user: UserId) -> Result<(), Error> {
        self.execute(BEGIN, named! { user_id: user.0, now: self.at() }).await.map(drop)
    }

    /// Keeps why a consent could not be ended, and when to try again.
    pub async fn put_off_withdrawal(
        &self,
        user: UserId,
        grant: Uuid,
        error: &str,
        due_again: Timestamp,
    ) -> Result<(), Error> {
        let values = named! { user_id: user.0, id: grant, error, due_again: to_db(due_again) };
        self.execute(PUT_OFF, values).await.map(drop)
    }

    /// Forgets a consent that was withdrawn.
    pub async fn end_withdrawal(&self, user: UserId, grant: Uuid) -> Result<(), Error> {
        self.execute(END, named! { user_id: user.0, id: grant }).await.map(drop)
    }
}

impl Store {
    /// Takes the turn at no more than `limit` leaves that are being withdrawn.
    pub async fn claim_withdrawals(&self, limit: i64, due_again: Timestamp) -> Result<Vec<UserId>, Error> {
        let tx = self.begin_for_people();
        let values = named! { now: tx.at(), limit, due_again: to_db(due_again) };
        let users = tx.values::<Uuid>(CLAIM, values).await?;
        tx.commit().await?;
        Ok(users.into_iter().map(UserId).collect())
    }

    /// The businesses with calendars of a person's account at Google.
    pub async fn businesses_at_google(&self, user: UserId, account: &str) -> Result<Vec<BusinessId>, Error> {
        let tx = self.begin_for_all();
        let businesses = tx.values::<Uuid>(BUSINESSES, named! { user_id: user.0, account }).await?;
        tx.commit().await?;
        Ok(businesses.into_iter().map(Into::into).collect())
    }

    /// Whether any business has a calendar of a person's account at Google, also one that is being disconnected.
    pub async fn has_calendars_at_google(&self, user: UserId, account: &str) -> Result<bool, Error> {
        let tx = self.begin_for_all();
        let has = tx.value::<bool>(HAS_CALENDARS, named! { user_id: user.0, account }).await?;
        tx.commit().await?;
        Ok(has.unwrap_or_default())
    }

    /// How many appointments to come are in the calendars of a person's account at Google, and how far taking others out
    /// is.
    pub async fn written_at_google(
        &self,
        user: UserId,
        account: &str,
    ) -> Result<(i64, Option<Cleanup>), Error> {
        let tx = self.begin_for_all();
        let of_account = named! { user_id: user.0, account };
        let written = tx.value::<i64>(WRITTEN, of_account.clone().and(named! { now: tx.at() })).await?;
        let cleanups = tx.rows::<CleanupRow>(CLEANUPS, of_account).await?;
        tx.commit().await?;
        let cleanup = cleanups.into_iter().map(Cleanup::from).reduce(Cleanup::with);
        Ok((written.unwrap_or_default(), cleanup))
    }
}

impl Tx {
    /// The business's calendars of a person's account at Google, with how they stand: so until the transaction ends.
    pub async fn google_calendars_of(
        &self,
        user: UserId,
        account: &str,
    ) -> Result<Vec<(CalendarId, Standing)>, Error> {
        let values = named! { business_id: self.business.0, user_id: user.0, account };
        let rows = self.rows::<CalendarRow>(CALENDARS, values).await?;
        let standing = |row: CalendarRow| (CalendarId(row.id), Standing::of(row.leaving, row.cleaned_up));
        Ok(rows.into_iter().map(standing).collect())
    }

    /// Whether the consent that a calendar is used by is being withdrawn.
    pub async fn is_withdrawn(&self, calendar: CalendarId) -> Result<bool, Error> {
        Ok(self.value::<bool>(IS_WITHDRAWN, self.calendar_key(calendar)).await?.unwrap_or_default())
    }

    /// A calendar is forgotten, which may be the last one that the end of its person's consent waits for.
    pub(super) async fn hasten_withdrawal(&self, calendar: CalendarId) -> Result<(), Error> {
        let values = self.calendar_key(calendar).and(named! { now: self.at() });
        self.execute(HASTEN, values).await.map(drop)
    }
}
