//! Chairs, rooms and machines.

use database::{constraint, named};
use engine::{id::ResourceId, resource::Resource};
use sea_orm::{DbErr, FromQueryResult};
use uuid::Uuid;

use super::{Tx, settings::ScheduleVersion};
use crate::Error;

/// Most a business may have.
const MOST: i64 = 200;

const ALL: &str =
    "SELECT id, name, kind FROM resource WHERE business_id = :business_id AND archived_at IS NULL
    ORDER BY kind, name, id";
const ONE: &str = "SELECT id, name, kind FROM resource
    WHERE business_id = :business_id AND id = :id AND archived_at IS NULL";
const ADD: &str = "INSERT INTO resource (business_id, id, name, kind)
    SELECT :business_id, :id, :name, :kind
    WHERE (SELECT count(*) FROM resource WHERE business_id = :business_id AND archived_at IS NULL) < :most";
const IS_THERE: &str = "SELECT id FROM resource WHERE business_id = :business_id AND id = :id";
const RENAME: &str =
    "UPDATE resource SET name = :name WHERE business_id = :business_id AND id = :id AND archived_at IS NULL";
const ARCHIVE: &str = "UPDATE resource SET archived_at = :now
    WHERE business_id = :business_id AND id = :id AND archived_at IS NULL";
const RESTORE: &str = "UPDATE resource SET archived_at = NULL
    WHERE business_id = :business_id AND id = :id AND archived_at IS NOT NULL
        AND (SELECT count(*) FROM resource WHERE business_id = :business_id AND archived_at IS NULL) < :most";
/// A service that needs the kind, when this is the last of it.
const NEEDED_BY: &str = "SELECT s.id FROM resource r
    JOIN service s ON s.business_id = :business_id AND s.archived_at IS NULL
        AND r.kind = ANY(s.resource_kinds)
    WHERE r.business_id = :business_id AND r.id = :id AND NOT EXISTS (
        SELECT FROM resource o WHERE o.business_id = :business_id AND o.kind = r.kind AND o.id <> r.id
            AND o.archived_at IS NULL)
    ORDER BY s.id LIMIT 1";
/// A visit that uses it from now on. Whatever is in the ledger lasts 25 hours at most.
const USED_BY: &str = "SELECT visit_id AS id FROM ledger
    WHERE business_id = :business_id AND is_open AND subject_id = :id
        AND starts_at >= :now::timestamptz - interval '25 hours' AND ends_at > :now
        AND (kind <> 'HOLD' OR expires_at > :now)
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
        self.all::<Row, _>(ALL, named! { business_id: self.business.0 }).await
    }

    /// One of them.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn resource(&self, id: ResourceId) -> Result<Resource, Error> {
        let found: Option<Resource> =
            self.one::<Row, _>(ONE, named! { business_id: self.business.0, id: id.0 }).await?;
        found.ok_or(Error::NotFound("resource"))
    }

    /// Adds one, unless its id is there already.
    ///
    /// # Errors
    /// [`Error::NameTaken`], or one too many.
    pub async fn add_resource(&self, _: ScheduleVersion, resource: &Resource) -> Result<bool, Error> {
        let key = named! { business_id: self.business.0, id: resource.id.0 };
        let known: Option<Uuid> = self.one::<IdRow, _>(IS_THERE, key.clone()).await?;
        if known.is_some() {
            return Ok(false);
        }
        let new = named! { name: resource.name.as_str(), kind: resource.kind.as_str(), most: MOST };
        let added = self.try_execute(ADD, key.and(new)).await.map_err(refused)?;
        if added == 0 { Err(one_too_many("resource")) } else { Ok(true) }
    }

    /// Gives one another name.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::NameTaken`].
    pub async fn rename_resource(&self, _: ScheduleVersion, id: ResourceId, name: &str) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, id: id.0, name };
        let renamed = self.try_execute(RENAME, values).await.map_err(refused)?;
        if renamed == 0 { Err(Error::NotFound("resource")) } else { Ok(()) }
    }

    /// Takes one away. The version, which this transaction holds, keeps bookings out: they settle
    /// the schedule first.
    ///
    /// # Errors
    /// [`Error::NotFound`], or [`Error::InUse`] by a service or a visit.
    pub async fn archive_resource(&self, _: ScheduleVersion, id: ResourceId) -> Result<(), Error> {
        let key = named! { business_id: self.business.0, id: id.0 };
        let service: Option<Uuid> = self.one::<IdRow, _>(NEEDED_BY, key.clone()).await?;
        if let Some(id) = service {
            return Err(Error::InUse { what: "a service", id });
        }
        let with_now = || key.clone().and(named! { now: self.at() });
        let visit: Option<Uuid> = self.one::<IdRow, _>(USED_BY, with_now()).await?;
        if let Some(id) = visit {
            return Err(Error::InUse { what: "a visit", id });
        }
        if self.execute(ARCHIVE, with_now()).await? == 0 { Err(Error::NotFound("resource")) } else { Ok(()) }
    }

    /// Brings back one that was taken away, unless a concurrent request has done so.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::NameTaken`], or one too many.
    pub async fn restore_resource(&self, _: ScheduleVersion, id: ResourceId) -> Result<(), Error> {
        let key = named! { business_id: self.business.0, id: id.0 };
        let known: Option<Uuid> = self.one::<IdRow, _>(IS_THERE, key.clone()).await?;
        if known.is_none() {
            return Err(Error::NotFound("resource"));
        }
        let restored = self.try_execute(RESTORE, key.and(named! { most: MOST })).await.map_err(refused)?;
        if restored > 0 {
            return Ok(());
        }
        match self.resource(id).await {
            Err(Error::NotFound(_)) => Err(one_too_many("resource_id")),
            known => known.map(drop),
        }
    }
}

fn one_too_many(field: &'static str) -> Error {
    Error::invalid(field, "is one too many: 200 are there")
}

fn refused(error: DbErr) -> Error {
    match constraint(&error).as_deref() {
        Some("resource_name") => Error::NameTaken("resource"),
        _ => error.into(),
    }
}
