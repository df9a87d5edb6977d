//! Chairs, rooms and machines.

use database::constraint;
use engine::{id::ResourceId, resource::Resource};
use sea_orm::{DbErr, FromQueryResult, Value};
use uuid::Uuid;

use super::{Tx, settings::ScheduleVersion};
use crate::Error;

/// Most a business may have.
const MOST: i64 = 200;

const ALL: &str = "SELECT id, name, kind FROM resource WHERE business_id = $1 AND archived_at IS NULL
    ORDER BY kind, name, id";
const ONE: &str = "SELECT id, name, kind FROM resource
    WHERE business_id = $1 AND id = $2 AND archived_at IS NULL";
const ADD: &str = "INSERT INTO resource (business_id, id, name, kind)
    SELECT $1, $2, $3, $4
    WHERE (SELECT count(*) FROM resource WHERE business_id = $1 AND archived_at IS NULL) < $5";
const IS_THERE: &str = "SELECT id FROM resource WHERE business_id = $1 AND id = $2";
const RENAME: &str =
    "UPDATE resource SET name = $3 WHERE business_id = $1 AND id = $2 AND archived_at IS NULL";
const ARCHIVE: &str = "UPDATE resource SET archived_at = $3
    WHERE business_id = $1 AND id = $2 AND archived_at IS NULL";
/// A service that needs the kind, when this is the last of it.
const NEEDED_BY: &str = "SELECT s.id FROM resource r
    JOIN service s ON s.business_id = $1 AND s.archived_at IS NULL AND r.kind = ANY(s.resource_kinds)
    WHERE r.business_id = $1 AND r.id = $2 AND NOT EXISTS (
        SELECT FROM resource o WHERE o.business_id = $1 AND o.kind = r.kind AND o.id <> r.id
            AND o.archived_at IS NULL)
    ORDER BY s.id LIMIT 1";
/// A visit that uses it from now on. Whatever is in the ledger lasts 25 hours at most.
const USED_BY: &str = "SELECT visit_id AS id FROM ledger
    WHERE business_id = $1 AND is_open AND subject_id = $2 AND starts_at >= $3::timestamptz - interval '25 hours'
        AND ends_at > $3 AND (kind <> 'HOLD' OR expires_at > $3)
    ORDER BY starts_at LIMIT 1";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    name: String,
    kind: String,
}

#[derive(FromQueryResult)]
struct IdRow {
    id: Uuid,
}

impl From<Row> for Resource {
    fn from(row: Row) -> Self {
        Self { id: ResourceId(row.id), name: row.name, kind: row.kind }
    }
}

impl From<IdRow> for Uuid {
    fn from(row: IdRow) -> Self {
        row.id
    }
}

impl Tx {
    /// All of them, by kind and name.
    pub async fn resources(&self) -> Result<Vec<Resource>, Error> {
        self.all::<Row, _>(ALL, [self.business.0.into()]).await
    }

    /// One of them.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn resource(&self, id: ResourceId) -> Result<Resource, Error> {
        let found: Option<Resource> = self.one::<Row, _>(ONE, [self.business.0.into(), id.0.into()]).await?;
        found.ok_or(Error::NotFound("resource"))
    }

    /// Adds one, unless its id is there already.
    ///
    /// # Errors
    /// [`Error::NameTaken`], or one too many.
    pub async fn add_resource(&self, _: ScheduleVersion, resource: &Resource) -> Result<bool, Error> {
        let key: [Value; 2] = [self.business.0.into(), resource.id.0.into()];
        let known: Option<Uuid> = self.one::<IdRow, _>(IS_THERE, key.clone()).await?;
        if known.is_some() {
            return Ok(false);
        }
        let values = [resource.name.as_str().into(), resource.kind.as_str().into(), MOST.into()];
        let added = self.try_execute(ADD, key.into_iter().chain(values)).await.map_err(refused)?;
        if added == 0 { Err(Error::invalid("resource", "is one too many: 200 are there")) } else { Ok(true) }
    }

    /// Gives one another name.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::NameTaken`].
    pub async fn rename_resource(&self, _: ScheduleVersion, id: ResourceId, name: &str) -> Result<(), Error> {
        let values = [self.business.0.into(), id.0.into(), name.into()];
        let renamed = self.try_execute(RENAME, values).await.map_err(refused)?;
        if renamed == 0 { Err(Error::NotFound("resource")) } else { Ok(()) }
    }

    /// Takes one away. The version, which this transaction holds, keeps bookings out: they settle
    /// the schedule first.
    ///
    /// # Errors
    /// [`Error::NotFound`], or [`Error::InUse`] by a service or a visit.
    pub async fn archive_resource(&self, _: ScheduleVersion, id: ResourceId) -> Result<(), Error> {
        let key = [self.business.0.into(), id.0.into()];
        let service: Option<Uuid> = self.one::<IdRow, _>(NEEDED_BY, key.clone()).await?;
        if let Some(id) = service {
            return Err(Error::InUse { what: "a service", id });
        }
        let with_now = || key.clone().into_iter().chain([self.at()]);
        let visit: Option<Uuid> = self.one::<IdRow, _>(USED_BY, with_now()).await?;
        if let Some(id) = visit {
            return Err(Error::InUse { what: "a visit", id });
        }
        if self.execute(ARCHIVE, with_now()).await? == 0 { Err(Error::NotFound("resource")) } else { Ok(()) }
    }
}

fn refused(error: DbErr) -> Error {
    match constraint(&error).as_deref() {
        Some("resource_name") => Error::NameTaken("resource"),
        _ => error.into(),
    }
}
