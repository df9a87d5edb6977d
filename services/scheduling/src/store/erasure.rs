//! What is kept of a person who is erased.

use caller::BusinessId;
use database::named;
use engine::id::{VisitId, WaitlistEntryId};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Store, Tx};
use crate::Error;

const AHEAD: &str =
    "SELECT id FROM appointment WHERE business_id = :business_id AND customer_id = ANY(:ids::uuid[])
    AND starts_at > :now AND state IN ('BOOKED', 'CONFIRMED') ORDER BY starts_at, id";
const WAITING: &str = "SELECT id FROM waitlist_entry WHERE business_id = :business_id
    AND customer_id = ANY(:ids::uuid[]) AND state = 'WAITING' ORDER BY joined_at, id";
/// As for one visit, in one order for everybody.
const TAKE: &str = "SELECT pg_advisory_xact_lock(hashtextextended('visit:' || :business_id::uuid || v.id, 0)) FROM (
    SELECT id FROM appointment WHERE business_id = :business_id AND customer_id = ANY(:ids::uuid[]) ORDER BY id) v";
const ERASE_VISITS: &str = "UPDATE appointment SET notes = '', version = version + 1,
        cancel_reason = CASE WHEN cancel_reason IS NOT NULL THEN '' END
    WHERE business_id = :business_id AND customer_id = ANY(:ids::uuid[]) RETURNING id";
const ERASE: [&str; 2] = [
    "UPDATE stranded_contact SET note = '' WHERE business_id = :business_id AND note <> '' AND appointment_id IN (
        SELECT id FROM appointment WHERE business_id = :business_id AND customer_id = ANY(:ids::uuid[]))",
    "UPDATE waitlist_entry SET note = '', reason = CASE WHEN reason IS NOT NULL THEN '' END
    WHERE business_id = :business_id AND customer_id = ANY(:ids::uuid[])",
];
/// Those of visits that name the person: nothing of them can be undone any more.
const ERASE_UNDOABLE: &str = "DELETE FROM undoable_change u WHERE u.business_id = :business_id AND EXISTS (
    SELECT FROM unnest(:ids::uuid[]) AS e (id) WHERE position(e.id::text IN u.content::text) > 0)";
const ERASE_PHRASES: &str =
    "DELETE FROM unmatched_phrase WHERE business_id = :business_id AND last_call_id = ANY(:calls::uuid[])";
/// What a parked event would have told.
const UNNAME: &str = "UPDATE customer SET name = '', phone = ''
    WHERE business_id = :business_id AND id = ANY(:ids::uuid[])";

#[derive(FromQueryResult)]
struct IdRow {
    id: Uuid,
}

impl From<IdRow> for VisitId {
    fn from(row: IdRow) -> Self {
        Self(row.id)
    }
}

impl From<IdRow> for WaitlistEntryId {
    fn from(row: IdRow) -> Self {
        Self(row.id)
    }
}

impl Tx {
    /// Visits of customers that have not begun.
    pub async fn visits_ahead_of(&self, customers: &[Uuid]) -> Result<Vec<VisitId>, Error> {
        let values = named! { business_id: self.business.0, ids: customers.to_vec(), now: self.at() };
        self.all::<IdRow, _>(AHEAD, values).await
    }

    /// Entries of customers that wait.
    pub async fn waiting_of(&self, customers: &[Uuid]) -> Result<Vec<WaitlistEntryId>, Error> {
        self.all::<IdRow, _>(WAITING, named! { business_id: self.business.0, ids: customers.to_vec() }).await
    }

    /// Erases what people wrote about customers and their visits; the visits, each with its next version.
    pub async fn erase_words(&self, customers: &[Uuid], calls: &[Uuid]) -> Result<Vec<VisitId>, Error> {
        let about = |ids: &[Uuid]| named! { business_id: self.business.0, ids: ids.to_vec() };
        self.execute(TAKE, about(customers)).await?;
        let visits: Vec<VisitId> = self.all::<IdRow, _>(ERASE_VISITS, about(customers)).await?;
        for sql in ERASE {
            self.execute(sql, about(customers)).await?;
        }
        let ids: Vec<Uuid> = visits.iter().map(|visit| visit.0).chain(customers.iter().copied()).collect();
        self.execute(ERASE_UNDOABLE, about(&ids)).await?;
        let values = named! { business_id: self.business.0, calls: calls.to_vec() };
        self.execute(ERASE_PHRASES, values).await?;
        self.forget_answers(ids.iter().map(Uuid::to_string).collect()).await?;
        Ok(visits)
    }

    /// Forgets what customers are called.
    pub async fn unname_customers(&self, ids: &[Uuid]) -> Result<(), Error> {
        self.execute(UNNAME, named! { business_id: self.business.0, ids: ids.to_vec() }).await.map(drop)
    }
}

impl Store {
    /// Drops from the log what newer events of visits replaced and what customers were called, of which the visits' own
    /// events tell now, and parked events about customers; whether there were any of these.
    pub async fn forget_events(
        &self,
        business: BusinessId,
        visits: Vec<Uuid>,
        customers: Vec<Uuid>,
    ) -> Result<bool, Error> {
        outbox::forget_older(&self.database, business, visits).await?;
        outbox::forget_before(&self.database, business, customers.clone(), self.now()).await?;
        Ok(outbox::forget_parked(&self.database, business, customers).await? > 0)
    }
}
