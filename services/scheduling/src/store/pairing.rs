//! Pairings made by hand, and what visits say of them.

use chrono::{DateTime, Utc};
use database::{constraint, from_db, named, to_db};
use engine::{id::ServiceId, span::Span};
use proto::frontdesk::events::v1::{PairingChanged, event::Payload};
use sea_orm::{DbErr, FromQueryResult};
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{
        id::PairingId,
        pairing::{LEAST_SUPPORT, MOST_SUGGESTIONS, Pairing, Together},
    },
};

/// Serialises transactions that count a service's suggestions, without blocking inserts that reference
/// the service.
const TAKE_SERVICE: &str =
    "SELECT id FROM service WHERE business_id = :business_id AND id = :service_id FOR NO KEY UPDATE";
const SUGGESTIONS: &str =
    "SELECT count(*) AS count FROM pairing WHERE business_id = :business_id AND service_id = :service_id";
const ADD: &str = "INSERT INTO pairing (business_id, id, service_id, suggested_id, note, created_at)
    VALUES (:business_id, :id, :service_id, :suggested_id, :note, :created_at)";
const DELETE: &str = "DELETE FROM pairing WHERE business_id = :business_id AND id = :id";
/// A page of pairings, the oldest first.
pub const PAIRINGS_BY_ID: &str = "SELECT p.id, p.service_id, p.suggested_id, p.note, p.created_at,
        s.name AS service_name, t.name AS suggested_name
    FROM pairing p
    JOIN service s ON s.business_id = :business_id AND s.id = p.service_id
    JOIN service t ON t.business_id = :business_id AND t.id = p.suggested_id
    WHERE p.business_id = :business_id AND p.id > :after
        AND (:service_id::uuid IS NULL OR p.service_id = :service_id)
    ORDER BY p.id LIMIT :rows";
/// Services that were bought together. It costs what the visits of the span do, however long the business
/// has been here: they are entered by their start, and so are their items.
pub const BOUGHT_TOGETHER: &str = "
    WITH bought AS MATERIALIZED (
        SELECT DISTINCT i.visit_id, i.service_id
        FROM appointment_item i
        JOIN appointment a ON a.business_id = :business_id AND a.id = i.visit_id
        WHERE i.business_id = :business_id AND i.starts_at >= :from AND i.starts_at < :to
            AND a.starts_at >= :from AND a.starts_at < :to AND a.ends_at <= :to
            AND a.state NOT IN ('CANCELLED', 'NO_SHOW')
    ),
    each AS (SELECT service_id, count(*) AS visits FROM bought GROUP BY service_id),
    pair AS (
        SELECT x.service_id, y.service_id AS other_id, count(*) AS visits
        FROM bought x JOIN bought y ON y.visit_id = x.visit_id AND y.service_id > x.service_id
        WHERE :service_id::uuid IS NULL OR :service_id IN (x.service_id, y.service_id)
        GROUP BY x.service_id, y.service_id HAVING count(*) >= :least
    )
    SELECT t.all_visits, p.service_id, p.other_id, p.visits, x.visits AS one_visits, y.visits AS other_visits,
        s.name AS service_name, o.name AS other_name
    FROM (SELECT count(DISTINCT visit_id) AS all_visits FROM bought) t
    LEFT JOIN pair p ON true
    LEFT JOIN each x ON x.service_id = p.service_id
    LEFT JOIN each y ON y.service_id = p.other_id
    LEFT JOIN service s ON s.business_id = :business_id AND s.id = p.service_id
    LEFT JOIN service o ON o.business_id = :business_id AND o.id = p.other_id
    ORDER BY p.service_id, p.other_id";

/// A pairing with the names that go with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPairing {
    /// The pairing.
    pub pairing: Pairing,
    /// What its service is called.
    pub service_name: String,
    /// What the suggested one is called.
    pub suggested_name: String,
}

/// Two services that were bought together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredMeasured {
    /// The one, and what it is called.
    pub service: (ServiceId, String),
    /// The other.
    pub other: (ServiceId, String),
    /// How often.
    pub together: Together,
}

#[derive(FromQueryResult)]
struct CountRow {
    count: i64,
}

impl From<CountRow> for i64 {
    fn from(row: CountRow) -> Self {
        row.count
    }
}

#[derive(FromQueryResult)]
struct IdRow {
    id: Uuid,
}

impl From<IdRow> for ServiceId {
    fn from(row: IdRow) -> Self {
        Self(row.id)
    }
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    service_id: Uuid,
    suggested_id: Uuid,
    note: String,
    created_at: DateTime<Utc>,
    service_name: String,
    suggested_name: String,
}

impl From<Row> for StoredPairing {
    fn from(row: Row) -> Self {
        Self {
            pairing: Pairing {
                id: PairingId(row.id),
                service: ServiceId(row.service_id),
                suggested: ServiceId(row.suggested_id),
                note: row.note,
                created_at: from_db(row.created_at),
            },
            service_name: row.service_name,
            suggested_name: row.suggested_name,
        }
    }
}

#[derive(FromQueryResult)]
struct TogetherRow {
    all_visits: i64,
    service_id: Option<Uuid>,
    other_id: Option<Uuid>,
    visits: Option<i64>,
    one_visits: Option<i64>,
    other_visits: Option<i64>,
    service_name: Option<String>,
    other_name: Option<String>,
}

/// All visits, and a pair of services if there is one.
struct Measured(i64, Option<StoredMeasured>);

impl From<TogetherRow> for Measured {
    fn from(row: TogetherRow) -> Self {
        let all = row.all_visits;
        let pair = || {
            let together =
                Together { both: row.visits?, one: row.one_visits?, other: row.other_visits?, all };
            Some(StoredMeasured {
                service: (ServiceId(row.service_id?), row.service_name?),
                other: (ServiceId(row.other_id?), row.other_name?),
                together,
            })
        };
        Self(all, pair())
    }
}

impl Tx {
    /// Adds a pairing.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a service, [`Error::Exists`], too many suggestions of one service.
    pub async fn add_pairing(&self, pairing: &Pairing) -> Result<(), Error> {
        let service = named! { business_id: self.business.0, service_id: pairing.service.0 };
        let taken: Option<ServiceId> = self.one::<IdRow, _>(TAKE_SERVICE, service.clone()).await?;
        taken.ok_or(Error::NotFound("service"))?;
        let suggestions: Option<i64> = self.one::<CountRow, _>(SUGGESTIONS, service).await?;
        if suggestions.unwrap_or_default() >= MOST_SUGGESTIONS as i64 {
            return Err(Error::invalid("service_id", "has 20 suggestions already"));
        }
        let values = named! {
            business_id: self.business.0,
            id: pairing.id.0,
            service_id: pairing.service.0,
            suggested_id: pairing.suggested.0,
            note: pairing.note.as_str(),
            created_at: to_db(pairing.created_at),
        };
        self.try_execute(ADD, values).await.map(drop).map_err(refused)
    }

    /// Deletes a pairing.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn delete_pairing(&self, id: PairingId) -> Result<(), Error> {
        match self.execute(DELETE, named! { business_id: self.business.0, id: id.0 }).await? {
            0 => Err(Error::NotFound("pairing")),
            _ => Ok(()),
        }
    }

    /// Pairings after `after`, of one service or all, the oldest first.
    pub async fn pairings(
        &self,
        service: Option<ServiceId>,
        after: PairingId,
        rows: u32,
    ) -> Result<Vec<StoredPairing>, Error> {
        let values = named! {
            business_id: self.business.0,
            after: after.0,
            service_id: service.map(|service| service.0),
            rows: i64::from(rows),
        };
        self.all::<Row, _>(PAIRINGS_BY_ID, values).await
    }

    /// How many visits took place within `span`, and the services that were bought together in
    /// them often enough, with one query.
    pub async fn bought_together(
        &self,
        span: Span,
        service: Option<ServiceId>,
    ) -> Result<(i64, Vec<StoredMeasured>), Error> {
        let values = named! {
            business_id: self.business.0,
            from: to_db(span.starts_at()),
            to: to_db(span.ends_at()),
            least: LEAST_SUPPORT,
            service_id: service.map(|service| service.0),
        };
        let rows: Vec<Measured> = self.all::<TogetherRow, _>(BOUGHT_TOGETHER, values).await?;
        let all = rows.first().map_or(0, |row| row.0);
        Ok((all, rows.into_iter().filter_map(|row| row.1).collect()))
    }

    /// Publishes that a pairing was added or removed. Pairings never change.
    pub async fn publish_pairing(&self, id: PairingId, version: i64) -> Result<(), Error> {
        let payload = Payload::Pairing(PairingChanged { pairing_id: id.to_string() });
        self.publish_change(id, version, payload).await
    }
}

fn refused(error: DbErr) -> Error {
    match constraint(&error).as_deref() {
        Some("pairing_once") => Error::Exists("pairing"),
        Some("pairing_service" | "pairing_suggested") => Error::NotFound("service"),
        _ => error.into(),
    }
}
