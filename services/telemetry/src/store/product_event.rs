//! What people and services do with the product.

use caller::BusinessId;
use database::{Named, from_db, named, to_db};
use jiff::{Timestamp, tz::TimeZone};
use sea_orm::{FromQueryResult, JsonValue, prelude::DateTimeUtc};
use serde_json::json;
use uuid::Uuid;

use super::{InstallationTx, Store, Tx};
use caller::InstallationScope;

use crate::{
    domain::{
        ProductEventId,
        product_event::{Kind, ProductEvent},
    },
    error::Error,
};

/// An event that is told of again is there already.
const ADD: &str = "INSERT INTO product_event (business_id, id, kind, version, actor, tab, page, detail, at)
    SELECT :business_id, e.id, e.kind, e.version, e.actor, e.tab, e.page, e.detail, e.at
    FROM jsonb_to_recordset(:events) AS e (id uuid, kind text, version smallint, actor text, tab text, page text,
        detail text, at timestamptz)
    ON CONFLICT (business_id, id) DO NOTHING";
/// So many of an actor's events are counted.
const OF_ACTOR: &str = "SELECT count(*) FROM (SELECT FROM product_event
    WHERE business_id = :business_id AND at > :since AND actor = :actor LIMIT :most) AS noted";
const SWEEP: &str =
    "DELETE FROM product_event e USING (SELECT business_id, id FROM product_event WHERE at < :before
        ORDER BY at LIMIT 10000 FOR UPDATE SKIP LOCKED) old
    WHERE e.business_id = old.business_id AND e.id = old.id";

/// A page of those of one business, newest first.
pub(super) const OF_BUSINESS: &str = "SELECT business_id, id, kind, version, actor, tab, page, detail, at
    FROM product_event
    WHERE business_id = :business_id AND at >= :from AND at < :to AND (at, id) < (:after_at, :after_id)
        AND (:kinds::text[] IS NULL OR kind = ANY (:kinds)) AND (:actor::text IS NULL OR actor = :actor)
    ORDER BY at DESC, id DESC LIMIT :limit";
/// A page of those of all businesses, newest first.
pub(super) const OF_ALL: &str = "SELECT business_id, id, kind, version, actor, tab, page, detail, at
    FROM product_event
    WHERE at >= :from AND at < :to AND (at, id) < (:after_at, :after_id)
        AND (:kinds::text[] IS NULL OR kind = ANY (:kinds)) AND (:actor::text IS NULL OR actor = :actor)
    ORDER BY at DESC, id DESC LIMIT :limit";
/// An hour that the clock shows twice may be before the first step by that clock, or behind the last one.
const COUNT: &str = "SELECT LEAST(GREATEST(width_bucket(extract(epoch FROM at AT TIME ZONE :zone::text),
        extract(epoch FROM :first::timestamptz AT TIME ZONE :zone::text),
        extract(epoch FROM :end::timestamptz AT TIME ZONE :zone::text), :steps) - 1, 0), :steps - 1) AS step,
        kind, count(*) AS events
    FROM product_event
    WHERE (:business_id::uuid IS NULL OR business_id = :business_id) AND at >= :from AND at < :to
        AND (:kinds::text[] IS NULL OR kind = ANY (:kinds)) AND (:actor::text IS NULL OR actor = :actor)
    GROUP BY step, kind ORDER BY step, kind";

/// Which events are wanted; `None` wants all.
#[derive(Debug, Clone)]
pub struct WantedEvents {
    /// Of this business.
    pub business: Option<BusinessId>,
    /// Of these kinds; none means all.
    pub kinds: Vec<Kind>,
    /// By this actor.
    pub actor: Option<String>,
    /// From then on.
    pub from: Timestamp,
    /// Before then.
    pub to: Timestamp,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    business_id: Uuid,
    id: Uuid,
    kind: String,
    version: i16,
    actor: String,
    tab: String,
    page: String,
    detail: String,
    at: DateTimeUtc,
}

impl TryFrom<Row> for (BusinessId, ProductEvent) {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let unreadable = || Error::Unreadable { table: "product_event", id: row.id.to_string() };
        let event = ProductEvent {
            id: ProductEventId(row.id),
            kind: Kind::parse(&row.kind).ok_or_else(unreadable)?,
            version: row.version.into(),
            actor: row.actor,
            tab: row.tab,
            page: row.page,
            detail: row.detail,
            at: from_db(row.at),
        };
        Ok((BusinessId(row.business_id), event))
    }
}

/// The steps in which events are counted: equally long by a clock.
#[derive(Debug, Clone)]
pub struct Steps {
    /// When the first begins.
    pub from: Timestamp,
    /// When the last ends.
    pub to: Timestamp,
    /// How many.
    pub count: i32,
    /// By whose clock.
    pub zone: TimeZone,
}

/// How many events of a kind there were in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventCount {
    /// From 0.
    pub step: i32,
    /// What.
    pub kind: Kind,
    /// How many.
    pub events: i64,
}

#[derive(Debug, FromQueryResult)]
struct CountRow {
    step: i32,
    kind: String,
    events: i64,
}

impl Tx {
    /// How many events of an actor in this business happened since then, `most` at most.
    pub async fn product_events_of(
        &self,
        actor: &str,
        since: Timestamp,
        most: usize,
    ) -> Result<usize, Error> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let values = named! { business_id: self.business.0, actor, since: to_db(since), most };
        let noted: Option<i64> = self.value(OF_ACTOR, values).await?;
        Ok(noted.and_then(|noted| usize::try_from(noted).ok()).unwrap_or_default())
    }

    /// Adds events.
    pub async fn add_product_events(&self, events: &[ProductEvent]) -> Result<(), Error> {
        let rows: Vec<JsonValue> = events.iter().map(row).collect();
        let values = named! { business_id: self.business.0, events: JsonValue::from(rows) };
        self.execute(ADD, values).await.map(drop)
    }
}

impl InstallationTx {
    /// Events that pass a filter, from the newest on, at most `limit`.
    pub async fn product_events(
        &self,
        wanted: &WantedEvents,
        after: Option<(Timestamp, Uuid)>,
        limit: u32,
    ) -> Result<Vec<(BusinessId, ProductEvent)>, Error> {
        let (after_at, after_id) = after.unwrap_or((Timestamp::MAX, Uuid::max()));
        let values = filter(wanted).and(named! {
            after_at: to_db(after_at),
            after_id,
            limit: i64::from(limit),
        });
        match wanted.business {
            Some(business) => {
                self.all::<Row, _>(OF_BUSINESS, values.and(named! { business_id: business.0 })).await
            }
            None => self.all::<Row, _>(OF_ALL, values).await,
        }
    }

    /// How many there were in each step.
    pub async fn count_product_events(
        &self,
        wanted: &WantedEvents,
        steps: &Steps,
    ) -> Result<Vec<EventCount>, Error> {
        let values = filter(wanted).and(named! {
            business_id: wanted.business.map(|business| business.0),
            first: to_db(steps.from),
            end: to_db(steps.to),
            steps: steps.count,
            zone: steps.zone.iana_name().unwrap_or("UTC").to_owned(),
        });
        let rows = self.rows::<CountRow>(COUNT, values).await?;
        let known = |row: CountRow| {
            Some(EventCount { step: row.step, kind: Kind::parse(&row.kind)?, events: row.events })
        };
        Ok(rows.into_iter().filter_map(known).collect())
    }
}

impl Store {
    /// Deletes up to 10,000 events from before then; says how many. Several replicas may do so at once.
    pub async fn sweep_product_events(&self, before: Timestamp) -> Result<u64, Error> {
        let tx = self.begin_installation(&InstallationScope::worker("sweep"));
        let swept = tx.execute(SWEEP, named! { before: to_db(before) }).await?;
        tx.commit().await?;
        Ok(swept)
    }
}

fn filter(wanted: &WantedEvents) -> Named {
    let kinds: Vec<String> = wanted.kinds.iter().map(|kind| kind.name().to_owned()).collect();
    named! {
        kinds: (!kinds.is_empty()).then_some(kinds),
        actor: wanted.actor.clone(),
        from: to_db(wanted.from),
        to: to_db(wanted.to),
    }
}

fn row(event: &ProductEvent) -> JsonValue {
    json!({
        "id": event.id,
        "kind": event.kind.name(),
        "version": event.version,
        "actor": event.actor,
        "tab": event.tab,
        "page": event.page,
        "detail": event.detail,
        "at": event.at,
    })
}
