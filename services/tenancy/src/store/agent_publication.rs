//! What voice platforms have of the published agent.

use caller::BusinessId;
use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, JsonValue};
use serde_json::json;
use uuid::Uuid;

use super::{
    InstallationTx, Tx, call_check::StatusRow as CallCheckRow, page, voice_connection::Row as ConnectionRow,
};
use crate::{
    Error,
    domain::{
        Listing, PlatformAgent, Publication, PublicationError, PublicationFault, PublishedConnection,
        VoiceConnectionId,
    },
};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT c.business_id, c.id, c.platform, c.label, c.webhook_check, c.hmac, c.account, c.platform_agent, c.voice,
                c.sealed_api_key IS NOT NULL AS has_api_key,
                p.wanted_version, p.publish_due_at, p.live_version, p.live_at, p.checked_at, p.drift, p.check_wanted,
                p.fault, p.detail, p.failed_at, k.due_at AS call_due_at, k.checked_at AS call_checked_at,
                k.taken_count AS call_taken_count, k.taken_at AS call_taken_at, k.fault AS call_fault,
                k.detail AS call_detail, k.failed_at AS call_failed_at,
                (SELECT max(u.attempted_at) FROM unread_call u WHERE u.business_id = c.business_id
                    AND u.connection_id = c.id AND u.next_at IS NULL) AS call_unread_at
            FROM voice_connection c
            LEFT JOIN agent_publication p ON p.business_id = c.business_id AND p.connection_id = c.id
            LEFT JOIN call_check k ON k.business_id = c.business_id AND k.connection_id = c.id
            WHERE ",
            $rest
        )
    };
}

/// A page.
pub const AGENT_PUBLICATIONS: &str = select!(
    "c.business_id = :business_id AND (c.label, c.id) > (:after_name, :after_id)
    ORDER BY c.label, c.id LIMIT :limit"
);
const PUBLICATION: &str = select!("c.business_id = :business_id AND c.id = :connection_id");
/// Those of some businesses.
const PUBLICATIONS_OF: &str = select!("c.business_id = ANY(:ids::uuid[])");

/// Over every connection that may take it, or one. What can't be published is sorted out by the worker.
const WISH: &str = "INSERT INTO agent_publication (business_id, connection_id, wish, wanted_version, publish_due_at)
    SELECT c.business_id, c.id, 1, v.version, :now FROM voice_connection c
    JOIN LATERAL (SELECT version FROM agent_version WHERE business_id = c.business_id ORDER BY version DESC LIMIT 1) v
        ON true
    WHERE c.business_id = :business_id AND c.platform <> 'TWILIO' AND c.platform_agent <> ''
        AND (c.sealed_api_key IS NOT NULL OR c.platform = 'RETELL') AND (:connection_id::uuid IS NULL OR c.id = :connection_id)
    ON CONFLICT (business_id, connection_id) DO UPDATE SET wish = agent_publication.wish + 1,
        wanted_version = excluded.wanted_version, publish_due_at = excluded.publish_due_at, failures = 0,
        fault = NULL, detail = '', failed_at = NULL";
const WISH_CHECK: &str = "UPDATE agent_publication SET check_due_at = :now, check_wanted = true
    WHERE business_id = :business_id AND connection_id = :connection_id AND live_version IS NOT NULL";
/// The one that is due longest; others work on the others.
const CLAIM: &str = "UPDATE agent_publication SET lease_id = :lease, leased_until = :until
    WHERE (business_id, connection_id) = (
        SELECT business_id, connection_id FROM agent_publication
        WHERE (publish_due_at IS NOT NULL OR check_due_at IS NOT NULL)
            AND LEAST(publish_due_at, check_due_at) <= :now AND (leased_until IS NULL OR leased_until <= :now)
        ORDER BY LEAST(publish_due_at, check_due_at) LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING business_id, connection_id, wish, wanted_version, failures, pushed,
        COALESCE(publish_due_at <= :now, false) AS publishes";
/// A wish that came meanwhile stays due.
const PUBLISHED: &str =
    "UPDATE agent_publication SET live_version = :version, live_at = :now, pushed = :pushed,
        publish_due_at = CASE WHEN wish = :wish THEN NULL ELSE publish_due_at END,
        checked_at = :now, check_due_at = :check_due_at, check_wanted = false, drift = '{}', failures = 0,
        fault = NULL, detail = '', failed_at = NULL, lease_id = NULL, leased_until = NULL
    WHERE business_id = :business_id AND connection_id = :connection_id AND lease_id = :lease";
const COMPARED: &str = "UPDATE agent_publication SET checked_at = :now, check_due_at = :check_due_at,
        check_wanted = false, drift = :drift, failures = CASE WHEN publish_due_at IS NULL THEN 0 ELSE failures END,
        fault = CASE WHEN publish_due_at IS NULL AND live_version = wanted_version THEN NULL ELSE fault END,
        detail = CASE WHEN publish_due_at IS NULL AND live_version = wanted_version THEN '' ELSE detail END,
        failed_at = CASE WHEN publish_due_at IS NULL AND live_version = wanted_version THEN NULL ELSE failed_at END,
        lease_id = NULL, leased_until = NULL
    WHERE business_id = :business_id AND connection_id = :connection_id AND lease_id = :lease";
const FAILED: &str = "UPDATE agent_publication SET
        publish_due_at = CASE WHEN :publishes AND wish = :wish THEN :again_at ELSE publish_due_at END,
        check_due_at = CASE WHEN :publishes THEN check_due_at ELSE :check_due_at END, check_wanted = false,
        failures = failures + 1, fault = :fault, detail = :detail, failed_at = :now,
        lease_id = NULL, leased_until = NULL
    WHERE business_id = :business_id AND connection_id = :connection_id AND lease_id = :lease";
const DROP: &str = "DELETE FROM agent_publication
    WHERE business_id = :business_id AND connection_id = :connection_id AND lease_id = :lease AND wish = :wish";

#[derive(FromQueryResult)]
struct Row {
    #[sea_orm(nested)]
    connection: ConnectionRow,
    wanted_version: Option<i32>,
    publish_due_at: Option<DateTime<Utc>>,
    live_version: Option<i32>,
    live_at: Option<DateTime<Utc>>,
    checked_at: Option<DateTime<Utc>>,
    drift: Option<Vec<String>>,
    check_wanted: Option<bool>,
    fault: Option<String>,
    detail: Option<String>,
    failed_at: Option<DateTime<Utc>>,
    #[sea_orm(nested)]
    calls: CallCheckRow,
}

impl TryFrom<Row> for PublishedConnection {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let publication = row.wanted_version.map(|wanted| Publication {
            wanted,
            due_at: row.publish_due_at.map(from_db),
            live: row.live_version.zip(row.live_at.map(from_db)),
            checked_at: row.checked_at.map(from_db),
            drift: row.drift.unwrap_or_default(),
            checking: row.check_wanted.unwrap_or_default(),
            error: row.fault.zip(row.failed_at).map(|(fault, at)| PublicationError {
                fault,
                detail: row.detail.unwrap_or_default(),
                at: from_db(at),
            }),
        });
        Ok(Self { connection: row.connection.try_into()?, publication, calls: row.calls.into() })
    }
}

#[derive(FromQueryResult)]
struct PlacedRow {
    business_id: Uuid,
    #[sea_orm(nested)]
    published: Row,
}

#[derive(FromQueryResult)]
struct TurnRow {
    business_id: Uuid,
    connection_id: Uuid,
    wish: i64,
    wanted_version: i32,
    failures: i32,
    pushed: Option<JsonValue>,
    publishes: bool,
}

/// Work at a platform, for as long as the lease is held.
#[derive(Debug, Clone)]
pub struct PublicationTurn {
    /// Whose.
    pub business: BusinessId,
    /// Over which connection.
    pub connection: VoiceConnectionId,
    /// The version that should be there.
    pub wanted: i32,
    /// Whether it is brought there, or only what is there is compared.
    pub publishes: bool,
    /// What was brought there last.
    pub pushed: Option<PlatformAgent>,
    /// Failures in a row.
    pub failures: i32,
    wish: i64,
    lease: Uuid,
}

/// A connection that needs its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BrokenConnection {
    /// Whose.
    pub business: BusinessId,
    /// The platform has another agent than the published one.
    pub agent: bool,
}

impl InstallationTx {
    /// The connections of some businesses that need their owner.
    pub(super) async fn broken_connections(&self, ids: Vec<Uuid>) -> Result<Vec<BrokenConnection>, Error> {
        let rows = self.rows::<PlacedRow>(PUBLICATIONS_OF, named! { ids }).await?;
        let mut broken = Vec::new();
        for PlacedRow { business_id, published } in rows {
            let published = PublishedConnection::try_from(published)?;
            if published.needs_owner(self.now()) {
                let business = BusinessId(business_id);
                broken.push(BrokenConnection { business, agent: published.agent_is_broken() });
            }
        }
        Ok(broken)
    }

    /// Leases the publication that is due longest, so that no other worker takes it until then.
    pub async fn claim_publication(
        &self,
        lease: Uuid,
        until: Timestamp,
    ) -> Result<Option<PublicationTurn>, Error> {
        let values = named! { lease, until: to_db(until), now: self.at() };
        let claimed: Option<TurnRow> = self.row(CLAIM, values).await?;
        claimed.map(|row| turn(row, lease)).transpose()
    }
}

fn turn(row: TurnRow, lease: Uuid) -> Result<PublicationTurn, Error> {
    let unreadable = |error: serde_json::Error| Error::Stored("published agent", Box::new(error));
    Ok(PublicationTurn {
        business: BusinessId(row.business_id),
        connection: VoiceConnectionId(row.connection_id),
        wanted: row.wanted_version,
        publishes: row.publishes,
        pushed: row.pushed.map(serde_json::from_value).transpose().map_err(unreadable)?,
        failures: row.failures,
        wish: row.wish,
        lease,
    })
}

impl Tx {
    /// A page of connections with what their platforms have, and one more if there are more.
    pub async fn agent_publications(&self, listing: &Listing) -> Result<Vec<PublishedConnection>, Error> {
        let values = page(listing).and(named! { business_id: self.business.0 });
        let mut found = self.all::<Row, PublishedConnection>(AGENT_PUBLICATIONS, values).await?;
        self.add_unread_calls(&mut found).await?;
        Ok(found)
    }

    /// One of them.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn agent_publication(&self, id: VoiceConnectionId) -> Result<PublishedConnection, Error> {
        let values = named! { business_id: self.business.0, connection_id: id.0 };
        let found = self.one::<Row, PublishedConnection>(PUBLICATION, values).await?;
        let mut found = [found.ok_or(Error::NotFound("voice connection"))?];
        self.add_unread_calls(&mut found).await?;
        let [found] = found;
        Ok(found)
    }

    /// Has the published version brought to every platform that takes it, or over one connection; how many that are.
    pub async fn wish_publication(&self, connection: Option<VoiceConnectionId>) -> Result<u64, Error> {
        let connection_id = connection.map(|connection| connection.0);
        let values = named! { business_id: self.business.0, connection_id, now: self.at() };
        self.execute(WISH, values).await
    }

    /// Has what a platform has compared; `false` where nothing was brought there yet.
    pub async fn wish_check(&self, connection: VoiceConnectionId) -> Result<bool, Error> {
        let values = named! { business_id: self.business.0, connection_id: connection.0, now: self.at() };
        Ok(self.execute(WISH_CHECK, values).await? == 1)
    }

    /// The version of a turn was brought there.
    pub async fn save_published(
        &self,
        turn: &PublicationTurn,
        pushed: &PlatformAgent,
        version: i32,
        check_at: Timestamp,
    ) -> Result<(), Error> {
        let values = self.turn_key(turn).and(named! {
            version,
            pushed: json!(pushed),
            wish: turn.wish,
            check_due_at: to_db(check_at),
        });
        self.execute(PUBLISHED, values).await.map(drop)
    }

    /// What is there was compared.
    pub async fn save_compared(
        &self,
        turn: &PublicationTurn,
        drift: Vec<String>,
        check_at: Timestamp,
    ) -> Result<(), Error> {
        let values = self.turn_key(turn).and(named! { drift, check_due_at: to_db(check_at) });
        self.execute(COMPARED, values).await.map(drop)
    }

    /// A turn failed; `again_at` is when it is tried again by itself.
    pub async fn save_failed(
        &self,
        turn: &PublicationTurn,
        fault: &PublicationFault,
        again_at: Option<Timestamp>,
        check_at: Timestamp,
    ) -> Result<(), Error> {
        let values = self.turn_key(turn).and(named! {
            publishes: turn.publishes,
            wish: turn.wish,
            again_at: again_at.map(to_db),
            check_due_at: to_db(check_at),
            fault: fault.name(),
            detail: fault.detail(),
        });
        self.execute(FAILED, values).await.map(drop)
    }

    /// Nothing is published over the connection any more.
    pub async fn drop_publication(&self, turn: &PublicationTurn) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            connection_id: turn.connection.0,
            lease: turn.lease,
            wish: turn.wish,
        };
        self.execute(DROP, values).await.map(drop)
    }

    fn turn_key(&self, turn: &PublicationTurn) -> database::Named {
        named! {
            business_id: self.business.0,
            connection_id: turn.connection.0,
            lease: turn.lease,
            now: self.at(),
        }
    }
}
