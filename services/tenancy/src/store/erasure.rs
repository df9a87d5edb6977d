//! Erasures of customers, and what tenancy itself erases.

use std::collections::HashMap;

use caller::BusinessId;
use chrono::{DateTime, Utc};
use database::{Named, from_db, named, to_db};
use jiff::Timestamp;
use prost::Message;
use proto::frontdesk::tenancy::v1 as pb;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{InstallationTx, Store, Tx};
use crate::{
    Error,
    domain::{CustomerId, ERASED, Erasure, Holder, HolderState, KnownRecord, Traces},
};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, begun_by, begun_at, finished_at, cancelled_count, record_ids, record_versions, names, phones,
                emails, visit_ids, visit_versions, call_ids
            FROM customer_erasure WHERE business_id = :business_id AND ",
            $rest
        )
    };
}

/// The one of a customer.
pub const ERASURE: &str = select!("id = :id");
/// A page of those that have not ended, the earliest first.
pub const OPEN_ERASURES: &str = select!(
    "finished_at IS NULL AND (begun_at, id) > (:after_begun, :after_id) ORDER BY begun_at, id LIMIT :limit"
);
const TAKE: &str = select!("id = :id AND lease_id = :lease FOR UPDATE");
const HOLDERS: &str =
    "SELECT erasure_id, service, confirmed_at, waiting_for, record_count FROM customer_erasure_holder
    WHERE business_id = :business_id AND erasure_id = ANY(:ids::uuid[]) ORDER BY erasure_id, position";
const COUNT_OPEN: &str =
    "SELECT count(*) FROM customer_erasure WHERE finished_at IS NULL AND begun_at < :before";
const ADD: &str = "INSERT INTO customer_erasure
        (business_id, id, begun_by, begun_at, record_ids, record_versions, names, phones, emails, due_at)
    VALUES (:business_id, :id, :by, :at, :record_ids, :record_versions, :names, :phones, :emails, :at)";
const ADD_HOLDERS: &str = "INSERT INTO customer_erasure_holder (business_id, erasure_id, service, position)
    SELECT :business_id, :id, service, position FROM unnest(:services::text[]) WITH ORDINALITY AS h (service, position)";
const SAVE: &str =
    "UPDATE customer_erasure SET finished_at = :finished_at, cancelled_count = :cancelled, names = :names,
        phones = :phones, emails = :emails, visit_ids = :visit_ids, visit_versions = :visit_versions,
        call_ids = :call_ids, due_at = :due_at
    WHERE business_id = :business_id AND id = :id";
const SAVE_HOLDER: &str = "UPDATE customer_erasure_holder
    SET confirmed_at = :confirmed_at, waiting_for = :waiting_for, record_count = :records
    WHERE business_id = :business_id AND erasure_id = :id AND service = :service";
/// The one that is due longest; others work on the others.
const CLAIM: &str = "UPDATE customer_erasure SET lease_id = :lease, due_at = :until
    WHERE (business_id, id) = (
        SELECT business_id, id FROM customer_erasure WHERE finished_at IS NULL AND due_at <= :now
        ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING business_id, id";

/// Of a number that several customers have, what is about no one of them is the person's as well.
const DELETE_FOLLOW_UPS: &str = "DELETE FROM follow_up WHERE business_id = :business_id AND (
        customer_id = ANY(:ids::uuid[]) OR call_id = ANY(:calls::uuid[])
        OR (customer_id IS NULL AND phone = ANY(:phones::text[]))) RETURNING id";
const DELETE: [&str; 4] = [
    "DELETE FROM customer_note WHERE business_id = :business_id AND customer_id = ANY(:ids::uuid[])",
    "DELETE FROM patch_test WHERE business_id = :business_id AND customer_id = ANY(:ids::uuid[])",
    "DELETE FROM formula WHERE business_id = :business_id AND customer_id = ANY(:ids::uuid[])",
    "DELETE FROM consent_change WHERE business_id = :business_id AND customer_id = ANY(:ids::uuid[])",
];
const DELETE_UNDOABLE: &str =
    "DELETE FROM undoable_change WHERE business_id = :business_id AND customer_id = ANY(:ids::uuid[])";
const MERGED_INTO: &str = "SELECT DISTINCT survivor_id FROM customer_merge WHERE business_id = :business_id
    AND (survivor_id = ANY(:ids::uuid[]) OR merged_id = ANY(:ids::uuid[]))";
const BLANK_MERGES: &str = "UPDATE customer_merge SET before = :nobody, after = :nobody
    WHERE business_id = :business_id AND survivor_id = :survivor_id
    AND (survivor_id = ANY(:ids::uuid[]) OR merged_id = ANY(:ids::uuid[]))";
const ERASE_CHANGES: &str = "SELECT erase_changes(:business_id, :ids::uuid[], :gone::uuid[])";
/// Cells as they were sent: a number is compared by its last digits, however it is written. The record of an imported
/// line tells whether it is the customer's, unless it is an appointment.
const ERASE_LINES: &str = "UPDATE import_line l SET cells = '[]', fault = NULL, field = NULL, linked_to = NULL
    WHERE l.business_id = :business_id AND (l.record_id = ANY(:ids::uuid[]) OR (
        (l.state <> 'IMPORTED' OR l.import_id IN (
            SELECT i.id FROM import i WHERE i.business_id = :business_id AND i.kind = 'APPOINTMENTS'))
        AND EXISTS (
            SELECT FROM jsonb_array_elements_text(l.cells) AS c (cell) WHERE lower(trim(c.cell)) = ANY(:texts::text[])
                OR right(regexp_replace(c.cell, '[^0-9]', '', 'g'), 9) = ANY(:digits::text[]))))
    AND l.cells <> '[]'";
/// A person may stand in the first line of a table without headings that was read as headings.
const ERASE_HEADINGS: &str = "UPDATE import SET columns = NULL WHERE business_id = :business_id AND EXISTS (
    SELECT FROM jsonb_array_elements(columns) AS c (read) WHERE lower(trim(c.read ->> 'heading')) = ANY(:texts::text[])
        OR right(regexp_replace(c.read ->> 'heading', '[^0-9]', '', 'g'), 9) = ANY(:digits::text[]))";
/// A table of one person may be called by their name, which kept answers say as well.
const ERASE_FILE_NAMES: &str =
    "UPDATE import SET file_name = NULL WHERE business_id = :business_id AND EXISTS (
    SELECT FROM unnest(:texts::text[]) AS t (text) WHERE position(t.text IN lower(file_name)) > 0
        OR position(t.text IN translate(lower(file_name), '-_.', '   ')) > 0)
    RETURNING id";
/// Texts that are still being sent are of files that no one has read yet.
const ERASE_PARTS: &str = "DELETE FROM import_part p WHERE p.business_id = :business_id AND EXISTS (
    SELECT FROM unnest(:texts::text[]) AS t (text) WHERE position(t.text IN lower(p.text)) > 0)";
const EXPORTS: &str = "SELECT id FROM customer_export
    WHERE business_id = :business_id AND customer_id = ANY(:ids::uuid[])";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    begun_by: String,
    begun_at: DateTime<Utc>,
    finished_at: Option<DateTime<Utc>>,
    cancelled_count: i32,
    record_ids: Vec<Uuid>,
    record_versions: Vec<i64>,
    names: Vec<String>,
    phones: Vec<String>,
    emails: Vec<String>,
    visit_ids: Vec<Uuid>,
    visit_versions: Vec<i64>,
    call_ids: Vec<Uuid>,
}

#[derive(FromQueryResult)]
struct HolderRow {
    erasure_id: Uuid,
    service: String,
    confirmed_at: Option<DateTime<Utc>>,
    waiting_for: String,
    record_count: i32,
}

#[derive(FromQueryResult)]
struct TurnRow {
    business_id: Uuid,
    id: Uuid,
}

/// Work on an erasure, for as long as the lease is held.
#[derive(Debug, Clone, Copy)]
pub struct ErasureTurn {
    /// Whose.
    pub business: BusinessId,
    /// Of whom.
    pub customer: CustomerId,
    lease: Uuid,
}

fn records(ids: Vec<Uuid>, versions: Vec<i64>) -> Vec<KnownRecord> {
    ids.into_iter().zip(versions).map(|(id, version)| KnownRecord { id, version }).collect()
}

fn columns(records: &[KnownRecord]) -> (Vec<Uuid>, Vec<i64>) {
    records.iter().map(|record| (record.id, record.version)).unzip()
}

impl Row {
    fn with(self, holders: Vec<HolderRow>) -> Result<Erasure, Error> {
        let state = |row: HolderRow| {
            let unknown = || Error::Stored("holder", format!("{:?} is none", row.service).into());
            Ok(HolderState {
                holder: Holder::parse(&row.service).ok_or_else(unknown)?,
                confirmed_at: row.confirmed_at.map(from_db),
                waiting_for: row.waiting_for,
                records: row.record_count,
            })
        };
        Ok(Erasure {
            customer: CustomerId(self.id),
            by: self.begun_by,
            at: from_db(self.begun_at),
            finished_at: self.finished_at.map(from_db),
            cancelled: self.cancelled_count,
            holders: holders.into_iter().map(state).collect::<Result<_, Error>>()?,
            traces: Traces {
                customers: records(self.record_ids, self.record_versions),
                names: self.names,
                phones: self.phones,
                emails: self.emails,
                visits: records(self.visit_ids, self.visit_versions),
                calls: self.call_ids,
            },
        })
    }
}

impl InstallationTx {
    /// Leases the erasure that is due longest, so that no other worker takes it until then.
    pub async fn claim_erasure(&self, lease: Uuid, until: Timestamp) -> Result<Option<ErasureTurn>, Error> {
        let values = named! { lease, until: to_db(until), now: self.at() };
        let claimed: Option<TurnRow> = self.row(CLAIM, values).await?;
        Ok(claimed.map(|row| ErasureTurn {
            business: BusinessId(row.business_id),
            customer: CustomerId(row.id),
            lease,
        }))
    }

    /// How many erasures began before then and have not ended.
    pub async fn open_erasures_from_before(&self, before: Timestamp) -> Result<i64, Error> {
        let counts: Vec<i64> = self.values(COUNT_OPEN, named! { before: to_db(before) }).await?;
        Ok(counts.into_iter().sum())
    }
}

impl Tx {
    /// The erasure of a customer, if they were erased.
    pub async fn erasure(&self, customer: CustomerId) -> Result<Option<Erasure>, Error> {
        let row = self.row::<Row>(ERASURE, self.erasure_key(customer)).await?;
        Ok(self.with_holders(row.into_iter().collect()).await?.pop())
    }

    /// A page of erasures that have not ended, the earliest first, and one more if there are more.
    pub async fn open_erasures(
        &self,
        after: Option<(Timestamp, CustomerId)>,
        limit: u32,
    ) -> Result<Vec<Erasure>, Error> {
        let (begun, id) = after.unwrap_or((Timestamp::UNIX_EPOCH, CustomerId(Uuid::nil())));
        let values = named! {
            business_id: self.business.0,
            after_begun: to_db(begun),
            after_id: id.0,
            limit: i64::from(limit),
        };
        let rows = self.rows::<Row>(OPEN_ERASURES, values).await?;
        self.with_holders(rows).await
    }

    /// The erasure of a turn, if the turn is not over; no other transaction changes it until this one ends.
    pub async fn take_leased_erasure(&self, turn: &ErasureTurn) -> Result<Option<Erasure>, Error> {
        let values = self.erasure_key(turn.customer).and(named! { lease: turn.lease });
        let row = self.row::<Row>(TAKE, values).await?;
        Ok(self.with_holders(row.into_iter().collect()).await?.pop())
    }

    /// Erasures with their holders, in the same order.
    async fn with_holders(&self, rows: Vec<Row>) -> Result<Vec<Erasure>, Error> {
        if rows.is_empty() {
            return Ok(vec![]);
        }
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        let values = named! { business_id: self.business.0, ids };
        let mut holders: HashMap<Uuid, Vec<HolderRow>> = HashMap::new();
        for holder in self.rows::<HolderRow>(HOLDERS, values).await? {
            holders.entry(holder.erasure_id).or_default().push(holder);
        }
        rows.into_iter()
            .map(|row| {
                let holders = holders.remove(&row.id).unwrap_or_default();
                row.with(holders)
            })
            .collect()
    }

    /// Adds one that begins, to be worked on at once.
    pub async fn add_erasure(&self, erasure: &Erasure) -> Result<(), Error> {
        let (record_ids, record_versions) = columns(&erasure.traces.customers);
        let values = self.erasure_key(erasure.customer).and(named! {
            by: erasure.by.as_str(),
            at: to_db(erasure.at),
            record_ids,
            record_versions,
            names: erasure.traces.names.clone(),
            phones: erasure.traces.phones.clone(),
            emails: erasure.traces.emails.clone(),
        });
        self.execute(ADD, values).await?;
        let services: Vec<String> =
            erasure.holders.iter().map(|state| state.holder.name().to_owned()).collect();
        self.execute(ADD_HOLDERS, self.erasure_key(erasure.customer).and(named! { services })).await.map(drop)
    }

    /// Saves how far one is, and when it is looked at again unless it is finished.
    pub async fn save_erasure(&self, erasure: &Erasure, due_at: Timestamp) -> Result<(), Error> {
        let (visit_ids, visit_versions) = columns(&erasure.traces.visits);
        let values = self.erasure_key(erasure.customer).and(named! {
            finished_at: erasure.finished_at.map(to_db),
            cancelled: erasure.cancelled,
            names: erasure.traces.names.clone(),
            phones: erasure.traces.phones.clone(),
            emails: erasure.traces.emails.clone(),
            visit_ids,
            visit_versions,
            call_ids: erasure.traces.calls.clone(),
            due_at: erasure.finished_at.is_none().then(|| to_db(due_at)),
        });
        self.execute(SAVE, values).await?;
        for state in &erasure.holders {
            let values = self.erasure_key(erasure.customer).and(named! {
                service: state.holder.name(),
                confirmed_at: state.confirmed_at.map(to_db),
                waiting_for: state.waiting_for.as_str(),
                records: state.records,
            });
            self.execute(SAVE_HOLDER, values).await?;
        }
        Ok(())
    }

    /// Deletes what is kept beside records of customers who are erased in this transaction, and takes them out of merges;
    /// how many rows that were.
    pub async fn delete_beside(&self, ids: &[CustomerId]) -> Result<u64, Error> {
        let ids = uuids(ids);
        let about = || named! { business_id: self.business.0, ids: ids.clone() };
        let mut deleted = 0;
        for sql in DELETE {
            deleted += self.execute(sql, about()).await?;
        }
        // Behind the records: a change and its undo lock the record first.
        self.execute(DELETE_UNDOABLE, about()).await?;
        let survivors: Vec<Uuid> = self.values(MERGED_INTO, about()).await?;
        for survivor in survivors {
            let nobody =
                pb::Customer { id: survivor.to_string(), name: ERASED.to_owned(), ..pb::Customer::default() };
            let values = about().and(named! { survivor_id: survivor, nobody: nobody.encode_to_vec() });
            deleted += self.execute(BLANK_MERGES, values).await?;
        }
        Ok(deleted)
    }

    /// Deletes follow-ups about customers, about what was said in calls, and about numbers; which.
    pub async fn delete_follow_ups_of(
        &self,
        ids: &[CustomerId],
        calls: &[Uuid],
        phones: &[String],
    ) -> Result<Vec<Uuid>, Error> {
        let values = named! {
            business_id: self.business.0, ids: uuids(ids), calls: calls.to_vec(), phones: phones.to_vec(),
        };
        Ok(self.values(DELETE_FOLLOW_UPS, values).await?)
    }

    /// Has entries of changes say nothing of customers who were erased, and of follow-ups that are gone.
    pub async fn erase_changes(&self, ids: &[CustomerId], gone: Vec<Uuid>) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, ids: uuids(ids), gone };
        self.execute(ERASE_CHANGES, values).await.map(drop)
    }

    /// Empties lines of imports that a person stands in; how many.
    pub async fn erase_import_lines(&self, traces: &Traces) -> Result<u64, Error> {
        let lower = |texts: &[String]| texts.iter().map(|text| text.to_lowercase()).collect::<Vec<_>>();
        let texts = [lower(&traces.names), lower(&traces.emails)].concat();
        let digits: Vec<String> = traces.phones.iter().map(|phone| last_digits(phone)).collect();
        // A name of one word stands in many texts.
        let telling = texts.iter().filter(|text| text.contains([' ', '@'])).cloned();
        let telling: Vec<String> = telling.chain(digits.iter().cloned()).collect();
        let parts = named! { business_id: self.business.0, texts: telling };
        let ids: Vec<Uuid> = traces.customers.iter().map(|record| record.id).collect();
        let headings = named! { business_id: self.business.0, texts: texts.clone(), digits: digits.clone() };
        let lines = named! { business_id: self.business.0, ids, texts, digits };
        let renamed: Vec<Uuid> = self.values(ERASE_FILE_NAMES, parts.clone()).await?;
        self.forget_answers(renamed.iter().map(Uuid::to_string).collect()).await?;
        let emptied = self.execute(ERASE_LINES, lines).await? + self.execute(ERASE_PARTS, parts).await?;
        Ok(emptied + self.execute(ERASE_HEADINGS, headings).await?)
    }

    /// The exports of customers' data.
    pub async fn exports_of(&self, ids: &[CustomerId]) -> Result<Vec<Uuid>, Error> {
        Ok(self.values(EXPORTS, named! { business_id: self.business.0, ids: uuids(ids) }).await?)
    }

    fn erasure_key(&self, customer: CustomerId) -> Named {
        named! { business_id: self.business.0, id: customer.0 }
    }
}

impl Store {
    /// Drops from the log what newer events replaced, and events about exports that are no news any more; whether none of
    /// these is left.
    pub async fn forget_events(
        &self,
        business: BusinessId,
        customers: Vec<Uuid>,
        exports: Vec<Uuid>,
        news_until: Timestamp,
    ) -> Result<bool, Error> {
        outbox::forget_older(&self.database, business, customers).await?;
        Ok(outbox::forget_before(&self.database, business, exports, news_until).await? == 0)
    }
}

/// As much of a number as is written alike within its country and abroad.
fn last_digits(phone: &str) -> String {
    let digits: Vec<char> = phone.chars().filter(char::is_ascii_digit).collect();
    digits[digits.len().saturating_sub(9)..].iter().collect()
}

fn uuids(ids: &[CustomerId]) -> Vec<Uuid> {
    ids.iter().map(|id| id.0).collect()
}
