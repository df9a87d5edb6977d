//! What was said to customers of stranded visits.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::id::VisitId;
use proto::frontdesk::events::v1::{ContactRecorded, event::Payload};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{
        contact::{Contact, Outcome},
        id::ContactId,
    },
};

const ADD: &str = "INSERT INTO stranded_contact
        (business_id, id, appointment_id, outcome, note, ledger_ids, recorded_at, recorded_by)
    VALUES (:business_id, :id, :appointment_id, :outcome, :note,
        ARRAY(SELECT l.id FROM ledger l WHERE l.business_id = :business_id AND l.visit_id = :appointment_id
            AND l.is_open AND l.kind = 'BOOKING'),
        :recorded_at, :recorded_by)";
/// Contacts that count for some visits, the latest first: those of a visit that takes other time since do not.
pub const CONTACTS_OF: &str = "SELECT c.appointment_id, c.outcome, c.note, c.recorded_at, c.recorded_by
    FROM unnest(:visit_ids::uuid[]) AS v (id) CROSS JOIN LATERAL (
        SELECT * FROM stranded_contact
        WHERE business_id = :business_id AND appointment_id = v.id AND ended_at IS NULL
        OFFSET 0
    ) c
    WHERE NOT EXISTS (
        SELECT FROM ledger l
        WHERE l.business_id = :business_id AND l.visit_id = c.appointment_id AND l.is_open
            AND l.kind = 'BOOKING' AND l.id <> ALL(c.ledger_ids)
    )
    ORDER BY c.recorded_at DESC, c.id DESC";
/// Visits to come with a contact that has not ended.
pub const CONTACTED_VISITS: &str = "SELECT DISTINCT c.appointment_id FROM stranded_contact c
    JOIN appointment a ON a.business_id = :business_id AND a.id = c.appointment_id AND a.ends_at > :now
    WHERE c.business_id = :business_id AND c.ended_at IS NULL";
/// The employees whose accounts acted, as the audit trail names these.
const NAMES_OF_ACTORS: &str = "SELECT 'user:' || user_id AS actor, name FROM employee
    WHERE business_id = :business_id AND 'user:' || user_id = ANY(:actors::text[]) ORDER BY id DESC";
const END: &str = "UPDATE stranded_contact SET ended_at = :now
    WHERE business_id = :business_id AND ended_at IS NULL AND appointment_id = ANY(:visit_ids::uuid[])";
const END_ONE: &str = "UPDATE stranded_contact SET ended_at = :now
    WHERE business_id = :business_id AND id = :id AND ended_at IS NULL
    RETURNING appointment_id";
/// Versions of a contact: it was recorded, and counts no longer.
const RECORDED: i64 = 1;
const ENDED: i64 = 2;

#[derive(FromQueryResult)]
struct Row {
    appointment_id: Uuid,
    outcome: String,
    note: String,
    recorded_at: DateTime<Utc>,
    recorded_by: String,
}

#[derive(FromQueryResult)]
struct NameRow {
    actor: String,
    name: String,
}

impl From<NameRow> for (String, String) {
    fn from(row: NameRow) -> Self {
        (row.actor, row.name)
    }
}

#[derive(FromQueryResult)]
struct VisitRow {
    appointment_id: Uuid,
}

impl TryFrom<Row> for (VisitId, Contact) {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let outcome =
            [Outcome::Told, Outcome::NoAnswer].into_iter().find(|one| outcome_name(*one) == row.outcome);
        let contact = Contact {
            outcome: outcome.ok_or(Error::Stored("contact"))?,
            note: row.note,
            at: from_db(row.recorded_at),
            by: row.recorded_by,
            by_name: String::new(),
        };
        Ok((VisitId(row.appointment_id), contact))
    }
}

impl From<VisitRow> for VisitId {
    fn from(row: VisitRow) -> Self {
        Self(row.appointment_id)
    }
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Told => "TOLD",
        Outcome::NoAnswer => "NO_ANSWER",
    }
}

impl Tx {
    /// Keeps a contact with the customer of a visit, which is locked, and tells others.
    pub async fn add_contact(&self, visit: VisitId, contact: &Contact) -> Result<ContactId, Error> {
        let id: ContactId = self.new_id();
        let values = named! {
            business_id: self.business.0,
            id: id.0,
            appointment_id: visit.0,
            outcome: outcome_name(contact.outcome),
            note: contact.note.as_str(),
            recorded_at: to_db(contact.at),
            recorded_by: contact.by.as_str(),
        };
        self.execute(ADD, values).await?;
        self.publish_contact(id, RECORDED, visit).await?;
        Ok(id)
    }

    /// Has a contact count no longer, and tells others; the visit that it was about.
    ///
    /// # Errors
    /// [`Error::ChangedSince`] if it counts no longer already.
    pub async fn end_contact(&self, id: ContactId) -> Result<VisitId, Error> {
        let values = named! { business_id: self.business.0, id: id.0, now: self.at() };
        let ended: Option<VisitId> = self.one::<VisitRow, _>(END_ONE, values).await?;
        let visit = ended.ok_or(Error::ChangedSince("call to the customer"))?;
        self.publish_contact(id, ENDED, visit).await?;
        Ok(visit)
    }

    async fn publish_contact(&self, id: ContactId, version: i64, visit: VisitId) -> Result<(), Error> {
        let payload = Payload::Contact(ContactRecorded { appointment_id: visit.to_string() });
        self.publish_change(id, version, payload).await
    }

    /// The employee whose account acts; empty if the account has none.
    pub async fn name_of_actor(&self) -> Result<String, Error> {
        let actor = self.actor().to_owned();
        Ok(self.names_of(vec![actor.clone()]).await?.remove(&actor).unwrap_or_default())
    }

    /// The employees whose accounts these are, as the audit trail names them.
    async fn names_of(&self, actors: Vec<String>) -> Result<HashMap<String, String>, Error> {
        let values = named! { business_id: self.business.0, actors };
        let names: Vec<(String, String)> = self.all::<NameRow, _>(NAMES_OF_ACTORS, values).await?;
        Ok(names.into_iter().collect())
    }

    /// Contacts with the customers of visits that count, the latest first.
    pub async fn contacts_of(&self, visits: &[VisitId]) -> Result<HashMap<VisitId, Vec<Contact>>, Error> {
        let mut contacts: HashMap<_, Vec<_>> = HashMap::new();
        if visits.is_empty() {
            return Ok(contacts);
        }
        let visit_ids: Vec<_> = visits.iter().map(|visit| visit.0).collect();
        let values = named! { business_id: self.business.0, visit_ids };
        let found = self.all::<Row, (VisitId, Contact)>(CONTACTS_OF, values).await?;
        if found.is_empty() {
            return Ok(contacts);
        }
        let actors: BTreeSet<_> = found.iter().map(|(_, contact)| contact.by.clone()).collect();
        let names = self.names_of(actors.into_iter().collect()).await?;
        for (visit, contact) in found {
            let by_name = names.get(&contact.by).cloned().unwrap_or_default();
            contacts.entry(visit).or_default().push(Contact { by_name, ..contact });
        }
        Ok(contacts)
    }

    /// Visits to come with a contact that has not ended.
    pub(crate) async fn contacted_visits(&self) -> Result<Vec<VisitId>, Error> {
        let values = named! { business_id: self.business.0, now: to_db(self.now()) };
        self.all::<VisitRow, _>(CONTACTED_VISITS, values).await
    }

    /// Ends the contacts of some visits.
    pub(crate) async fn end_contacts_of(&self, visits: &[VisitId]) -> Result<(), Error> {
        let visit_ids: Vec<_> = visits.iter().map(|visit| visit.0).collect();
        let values = named! { business_id: self.business.0, now: to_db(self.now()), visit_ids };
        self.execute(END, values).await.map(drop)
    }
}
