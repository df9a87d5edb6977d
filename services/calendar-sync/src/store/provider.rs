//! Connections to booking systems, their records, and whose time is kept in step with them.

use caller::BusinessId;
use database::{Named as Values, constraint, from_db, named, to_db};
use jiff::SignedDuration;
use sea_orm::{FromQueryResult, JsonValue, prelude::DateTimeUtc};
use sealing::envelope::{DataKeyId, WrappedKey};
use serde_json::json;
use uuid::Uuid;

use super::{Store, Tx};
use crate::{
    domain::{
        ConnectionId, EmployeeId,
        provider::{Connection, MappedEmployee, Named, ProviderKind, Record, RecordKind},
    },
    error::Error,
    vault::Sealed,
};

/// How often employees and services are read, and when again after that failed.
const RECORDS_EVERY: SignedDuration = SignedDuration::from_hours(6);
const RECORDS_AGAIN: SignedDuration = SignedDuration::from_mins(10);

/// Takes the turn at connections whose employees and services were read longest ago.
pub(super) const CLAIM_RECORDS: &str = "WITH due AS MATERIALIZED (
        SELECT business_id, id FROM provider_connection WHERE records_due_at <= :now AND ending_since IS NULL
        ORDER BY records_due_at LIMIT :limit FOR UPDATE SKIP LOCKED)
    UPDATE provider_connection c SET records_due_at = :due_again FROM due
    WHERE c.business_id = due.business_id AND c.id = due.id
    RETURNING c.business_id, c.id";
const ADD: &str = "INSERT INTO provider_connection (business_id, id, kind, profile, label, data_key_id,
        sealed_token, connected_at, token_changed_at, records_due_at)
    VALUES (:business_id, :id, :kind, :profile, :label, :data_key_id, :sealed_token, :now, :now, :due_at)";
const LIST: &str =
    "SELECT id, kind, profile, label, connected_at, token_changed_at, read_at, ending_since FROM provider_connection
    WHERE business_id = :business_id ORDER BY connected_at, id LIMIT 20";
const ONE: &str =
    "SELECT id, kind, profile, label, connected_at, token_changed_at, read_at, ending_since FROM provider_connection
    WHERE business_id = :business_id AND id = :id";
const TOKEN: &str = "SELECT c.sealed_token, k.id AS key_id, k.master_key, k.sealed AS sealed_key
    FROM provider_connection c JOIN data_key k ON k.business_id = c.business_id AND k.id = c.data_key_id
    WHERE c.business_id = :business_id AND c.id = :id";
const ROTATE: &str =
    "UPDATE provider_connection SET data_key_id = :data_key_id, sealed_token = :sealed_token,
        token_changed_at = CASE WHEN :is_new THEN :now ELSE token_changed_at END
    WHERE business_id = :business_id AND id = :id";
const READ: &str = "UPDATE provider_connection SET read_at = :now, records_due_at = :due_at WHERE business_id = :business_id AND id = :id";
const END: &str = "UPDATE provider_connection SET ending_since = COALESCE(ending_since, :now)
    WHERE business_id = :business_id AND id = :connection_id";
const KEEP: &str = "UPDATE provider_connection SET ending_since = NULL, records_due_at = :now
    WHERE business_id = :business_id AND id = :connection_id";
const HAS_ENDED: &str = "SELECT c.ending_since IS NOT NULL AND NOT EXISTS (SELECT FROM provider_calendar p
        WHERE p.business_id = c.business_id AND p.connection_id = c.id)
    FROM provider_connection c WHERE c.business_id = :business_id AND c.id = :connection_id";
const WRITTEN: &str = "SELECT count(*) FROM provider_calendar p
    JOIN calendar_write w ON w.business_id = p.business_id AND w.calendar_id = p.id
    WHERE p.business_id = :business_id AND p.connection_id = :connection_id AND w.ends_at > :now
        AND (NOT w.removed OR w.written < w.wanted)
        AND (w.written > 0 OR w.lease IS NOT NULL OR w.last_error IS NOT NULL)";
const RECORDS: &str = "SELECT kind, external_id, name, mapped_id, gone FROM provider_record
    WHERE business_id = :business_id AND connection_id = :connection_id ORDER BY kind, name, external_id LIMIT 1000";
const SAVE: &str = "
    INSERT INTO provider_record (business_id, connection_id, kind, external_id, name)
    SELECT :business_id, :connection_id, :kind, r.external_id, r.name
    FROM jsonb_to_recordset(:records) AS r(external_id text, name text)
    ON CONFLICT (business_id, connection_id, kind, external_id) DO UPDATE SET name = excluded.name, gone = false";
const GONE: &str = "UPDATE provider_record SET gone = true
    WHERE business_id = :business_id AND connection_id = :connection_id AND kind = :kind
    AND external_id NOT IN (SELECT jsonb_array_elements_text(:external_ids))";
const MAP: &str = "UPDATE provider_record SET mapped_id = :mapped_id
    WHERE business_id = :business_id AND connection_id = :connection_id AND kind = :kind
    AND external_id = :external_id";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    kind: String,
    profile: String,
    label: String,
    connected_at: DateTimeUtc,
    token_changed_at: DateTimeUtc,
    read_at: Option<DateTimeUtc>,
    ending_since: Option<DateTimeUtc>,
}

impl TryFrom<Row> for Connection {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let unreadable = || Error::Unreadable { table: "provider_connection", id: row.id.to_string() };
        Ok(Self {
            id: ConnectionId(row.id),
            kind: ProviderKind::parse(&row.kind, &row.profile).ok_or_else(unreadable)?,
            label: row.label,
            connected_at: from_db(row.connected_at),
            token_changed_at: from_db(row.token_changed_at),
            read_at: row.read_at.map(from_db),
            ending_since: row.ending_since.map(from_db),
        })
    }
}

#[derive(FromQueryResult)]
struct TokenRow {
    sealed_token: Vec<u8>,
    key_id: Uuid,
    master_key: String,
    sealed_key: Vec<u8>,
}

impl From<TokenRow> for Sealed {
    fn from(row: TokenRow) -> Self {
        let key = WrappedKey { id: DataKeyId(row.key_id), master: row.master_key, sealed: row.sealed_key };
        Self { key, secret: row.sealed_token }
    }
}

#[derive(FromQueryResult)]
struct RecordRow {
    kind: String,
    external_id: String,
    name: String,
    mapped_id: Option<Uuid>,
    gone: bool,
}

impl TryFrom<RecordRow> for Record {
    type Error = Error;

    fn try_from(row: RecordRow) -> Result<Self, Error> {
        let kind = RecordKind::parse(&row.kind)
            .ok_or_else(|| Error::Unreadable { table: "provider_record", id: row.external_id.clone() })?;
        Ok(Self { kind, external: row.external_id, name: row.name, mapped: row.mapped_id, gone: row.gone })
    }
}

#[derive(FromQueryResult)]
struct DueRow {
    business_id: Uuid,
    id: Uuid,
}

impl Store {
    /// Takes the turn to read the employees and services of at most `limit` connections, in every business.
    pub async fn claim_records(&self, limit: usize) -> Result<Vec<(BusinessId, ConnectionId)>, Error> {
        let tx = self.begin_for_all();
        let values = named! {
            now: tx.at(),
            limit: i64::try_from(limit).unwrap_or(i64::MAX),
            due_again: to_db(tx.now() + RECORDS_AGAIN),
        };
        let rows = tx.rows::<DueRow>(CLAIM_RECORDS, values).await?;
        tx.commit().await?;
        Ok(rows.into_iter().map(|row| (row.business_id.into(), ConnectionId(row.id))).collect())
    }

    /// Whose a connection is.
    pub async fn business_of_connection(&self, id: ConnectionId) -> Result<Option<BusinessId>, Error> {
        let sql = "SELECT business_id FROM provider_connection WHERE id = :id LIMIT 1";
        let tx = self.begin_for_all();
        let business = tx.value::<Uuid>(sql, named! { id: id.0 }).await?;
        tx.commit().await?;
        Ok(business.map(Into::into))
    }
}

impl Tx {
    pub(super) fn connection_key(&self, connection: ConnectionId) -> Values {
        named! { business_id: self.business.0, connection_id: connection.0 }
    }

    /// Keeps a new connection.
    ///
    /// # Errors
    /// [`Error::Connected`] when the business has one of the kind.
    pub async fn add_connection(&self, connection: &Connection, token: &Sealed) -> Result<(), Error> {
        let values = sealed(token).and(named! {
            business_id: self.business.0,
            id: connection.id.0,
            kind: connection.kind.name(),
            profile: connection.kind.profile(),
            label: connection.label.as_str(),
            due_at: to_db(self.now() + RECORDS_EVERY),
            now: self.at(),
        });
        self.try_execute(ADD, values).await.map(drop).map_err(|error| match constraint(&error).as_deref() {
            Some("provider_connection_once") => Error::Connected,
            _ => error.into(),
        })
    }

    /// The business's connections.
    pub async fn connections(&self) -> Result<Vec<Connection>, Error> {
        self.all::<Row, _>(LIST, named! { business_id: self.business.0 }).await
    }

    /// One connection.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn connection(&self, id: ConnectionId) -> Result<Connection, Error> {
        let found = self.one::<Row, _>(ONE, named! { business_id: self.business.0, id: id.0 }).await?;
        found.ok_or(Error::NotFound("provider connection"))
    }

    /// What opens a connection.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn connection_token(&self, id: ConnectionId) -> Result<Sealed, Error> {
        let found = self.row::<TokenRow>(TOKEN, named! { business_id: self.business.0, id: id.0 }).await?;
        found.map(Into::into).ok_or(Error::NotFound("provider connection"))
    }

    /// Replaces what opens a connection; the token in it may be the one that there was.
    pub async fn rotate_token(&self, id: ConnectionId, token: &Sealed, is_new: bool) -> Result<(), Error> {
        let key = named! { business_id: self.business.0, id: id.0 };
        let values = sealed(token).and(key).and(named! { is_new, now: self.at() });
        self.execute(ROTATE, values).await.map(drop)
    }

    /// Forgets a connection, its token, and what was read by it.
    pub async fn delete_connection(&self, id: ConnectionId) -> Result<(), Error> {
        for table in ["provider_calendar", "provider_record", "provider_run"] {
            let sql = format!(
                "DELETE FROM {table} WHERE business_id = :business_id AND connection_id = :connection_id"
            );
            self.execute(&sql, self.connection_key(id)).await?;
        }
        let sql = "DELETE FROM provider_connection WHERE business_id = :business_id AND id = :connection_id";
        self.execute(sql, self.connection_key(id)).await.map(drop)
    }

    /// Has a connection end with the last of its calendars.
    pub async fn end_connection(&self, id: ConnectionId) -> Result<(), Error> {
        self.execute(END, self.connection_key(id).and(named! { now: self.at() })).await.map(drop)
    }

    /// Keeps a connection that was to end; its records are read soon.
    pub async fn keep_connection(&self, id: ConnectionId) -> Result<(), Error> {
        self.execute(KEEP, self.connection_key(id).and(named! { now: self.at() })).await.map(drop)
    }

    /// Forgets a connection that is to end, once it has no calendar.
    pub(super) async fn delete_ended_connection(&self, id: ConnectionId) -> Result<(), Error> {
        if self.value::<bool>(HAS_ENDED, self.connection_key(id)).await? == Some(true) {
            self.delete_connection(id).await?;
        }
        Ok(())
    }

    /// How many appointments to come are written to a connection's system, or may be.
    pub async fn written_to(&self, id: ConnectionId) -> Result<i64, Error> {
        let values = self.connection_key(id).and(named! { now: self.at() });
        Ok(self.value(WRITTEN, values).await?.unwrap_or_default())
    }

    /// The records of a connection.
    pub async fn records(&self, connection: ConnectionId) -> Result<Vec<Record>, Error> {
        self.all::<RecordRow, _>(RECORDS, self.connection_key(connection)).await
    }

    /// Keeps the records of a kind as they were read; what is missing is gone.
    pub async fn save_records(
        &self,
        connection: ConnectionId,
        kind: RecordKind,
        read: &[Named<String>],
    ) -> Result<(), Error> {
        let records: JsonValue =
            read.iter().map(|named| json!({ "external_id": named.id, "name": named.name })).collect();
        let external_ids: JsonValue = read.iter().map(|named| named.id.as_str()).collect();
        let key = self.connection_key(connection).and(named! { kind: kind.name() });
        self.execute(SAVE, key.clone().and(named! { records })).await?;
        self.execute(GONE, key.and(named! { external_ids })).await?;
        let due_at = to_db(self.now() + RECORDS_EVERY);
        let values = named! { business_id: self.business.0, id: connection.0, now: self.at(), due_at };
        self.execute(READ, values).await.map(drop)
    }

    /// Maps a record.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Mapped`] when another record is mapped to it.
    pub async fn map_record(
        &self,
        connection: ConnectionId,
        kind: RecordKind,
        external: &str,
        mapped: Option<Uuid>,
    ) -> Result<(), Error> {
        let values = self.connection_key(connection).and(named! {
            kind: kind.name(),
            external_id: external,
            mapped_id: mapped,
        });
        match self.try_execute(MAP, values).await {
            Ok(0) => Err(Error::NotFound("record of the booking system")),
            Ok(_) => Ok(()),
            Err(error) if constraint(&error).as_deref() == Some("provider_record_mapped") => {
                Err(Error::Mapped)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The employees of a connection that are mapped.
    pub async fn mapped_employees(&self, connection: ConnectionId) -> Result<Vec<MappedEmployee>, Error> {
        let records = self.records(connection).await?;
        let mapped = |record: Record| {
            let id = record.mapped.filter(|_| record.kind == RecordKind::Employee && !record.gone)?;
            Some(MappedEmployee { id: EmployeeId(id), external: record.external })
        };
        Ok(records.into_iter().filter_map(mapped).collect())
    }
}

fn sealed(token: &Sealed) -> Values {
    named! { data_key_id: token.key.id.0, sealed_token: token.secret.clone() }
}
