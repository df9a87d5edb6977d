//! Channels that Google pushes hints through.

use caller::BusinessId;
use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Store, Tx};
use crate::{
    domain::{
        CalendarId,
        calendar::Place,
        google_channel::{Channel, LOOK_AGAIN},
    },
    error::Error,
};

/// Takes the calendars whose channel is to be looked after, which then have some time to do it.
const CLAIM: &str = "WITH due AS MATERIALIZED (
        SELECT g.business_id, g.id FROM google_calendar g JOIN sync_state s
            ON s.business_id = g.business_id AND s.calendar_id = g.id AND NOT s.leaving
        WHERE g.watch_due_at <= :now ORDER BY g.watch_due_at LIMIT :limit FOR UPDATE OF g SKIP LOCKED)
    UPDATE google_calendar g SET watch_due_at = :due_again FROM due
    WHERE g.business_id = due.business_id AND g.id = due.id
    RETURNING g.business_id, g.id";
const OF_CALENDAR: &str = "SELECT id, resource_id, expires_at FROM google_channel
    WHERE business_id = :business_id AND calendar_id = :calendar_id ORDER BY expires_at DESC, id";
const ADD: &str = "INSERT INTO google_channel (business_id, calendar_id, id, resource_id, token_hash, opened_at, expires_at)
    VALUES (:business_id, :calendar_id, :id, :resource_id, sha256(convert_to(:token, 'UTF8')), :now, :expires_at)";
const DELETE: &str = "DELETE FROM google_channel
    WHERE business_id = :business_id AND calendar_id = :calendar_id AND id = :id";
const LATER: &str = "UPDATE google_calendar SET watch_due_at = :due_again
    WHERE business_id = :business_id AND id = :calendar_id";
/// Hashes are compared: how long that takes tells nothing of the token.
const PUSHED: &str = "UPDATE sync_state s SET due_at = LEAST(s.due_at, :now) FROM google_channel g
    WHERE g.calendar_id = :calendar_id AND g.id = :channel_id
        AND g.token_hash = sha256(convert_to(:token, 'UTF8'))
        AND s.business_id = g.business_id AND s.calendar_id = g.calendar_id";

#[derive(FromQueryResult)]
struct PlaceRow {
    business_id: Uuid,
    id: Uuid,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    resource_id: String,
    expires_at: DateTimeUtc,
}

impl From<Row> for Channel {
    fn from(row: Row) -> Self {
        Self { id: row.id, resource_id: row.resource_id, expires_at: from_db(row.expires_at) }
    }
}

impl Store {
    /// Takes at most `limit` calendars whose channel is due to be looked after, in every business.
    pub async fn claim_channels(&self, limit: usize) -> Result<Vec<Place>, Error> {
        let tx = self.begin_for_all();
        let values = named! {
            now: tx.at(),
            limit: i64::try_from(limit).unwrap_or(i64::MAX),
            due_again: to_db(tx.now() + LOOK_AGAIN),
        };
        let rows = tx.rows::<PlaceRow>(CLAIM, values).await?;
        tx.commit().await?;
        let place =
            |row: PlaceRow| Place { business: BusinessId(row.business_id), calendar: CalendarId(row.id) };
        Ok(rows.into_iter().map(place).collect())
    }

    /// Makes the calendar of a channel due; `false` unless the channel is the calendar's and has this token.
    pub async fn take_push(&self, calendar: CalendarId, channel: Uuid, token: &str) -> Result<bool, Error> {
        let tx = self.begin_for_all();
        let values = named! { calendar_id: calendar.0, channel_id: channel, token, now: tx.at() };
        let taken = tx.execute(PUSHED, values).await? == 1;
        tx.commit().await?;
        Ok(taken)
    }
}

impl Tx {
    /// A calendar's channels, the one that lasts longest first.
    pub async fn google_channels(&self, calendar: CalendarId) -> Result<Vec<Channel>, Error> {
        let rows = self.rows::<Row>(OF_CALENDAR, self.calendar_key(calendar)).await?;
        Ok(rows.into_iter().map(Into::into).collect())
    }

    /// Keeps a channel and the token it was opened with.
    pub async fn add_google_channel(
        &self,
        calendar: CalendarId,
        channel: &Channel,
        token: &str,
    ) -> Result<(), Error> {
        let values = self.calendar_key(calendar).and(named! {
            id: channel.id,
            resource_id: channel.resource_id.as_str(),
            token,
            now: self.at(),
            expires_at: to_db(channel.expires_at),
        });
        self.execute(ADD, values).await.map(drop)
    }

    /// Forgets a channel.
    pub async fn delete_google_channel(&self, calendar: CalendarId, channel: Uuid) -> Result<(), Error> {
        self.execute(DELETE, self.calendar_key(calendar).and(named! { id: channel })).await.map(drop)
    }

    /// When a calendar's channel is looked after next.
    pub async fn look_after_channel(&self, calendar: CalendarId, at: Timestamp) -> Result<(), Error> {
        let values = self.calendar_key(calendar).and(named! { due_again: to_db(at) });
        self.execute(LATER, values).await.map(drop)
    }
}
