//! Merges of customers.

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use prost::Message;
use proto::{
    frontdesk::tenancy::v1 as pb,
    parse::{id, optional_id},
    time::required,
};
use sea_orm::FromQueryResult;
use tonic::Status;
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{Customer, CustomerId, CustomerMerge, CustomerMergeId, Email, MarketingConsent, Phone, Tags},
};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT m.id, m.merged_id, m.moved_ids, m.before, m.after, m.merged_at, m.merged_by, m.undone_at,
                m.undone_by, c.name AS merged_name
            FROM customer_merge m
            JOIN customer c ON c.business_id = :business_id AND c.id = m.merged_id
            WHERE m.business_id = :business_id AND m.survivor_id = :survivor_id AND ",
            $rest
        )
    };
}

const ONE: &str = select!("m.id = :id");
const STANDING: &str =
    select!("m.merged_id = :merged_id AND m.undone_at IS NULL ORDER BY m.merged_at DESC LIMIT 1");
const LATEST: &str = select!("true ORDER BY m.merged_at DESC, m.id DESC LIMIT 20");
const TAKE: &str = "SELECT id FROM customer_merge WHERE business_id = :business_id AND id = :id FOR UPDATE";
const ADD: &str = "INSERT INTO customer_merge
        (business_id, id, survivor_id, merged_id, moved_ids, before, after, merged_at, merged_by)
    VALUES (:business_id, :id, :survivor_id, :merged_id, :moved_ids, :before, :after, :merged_at, :merged_by)";
const UNDO: &str = "UPDATE customer_merge SET undone_at = :undone_at, undone_by = :undone_by
    WHERE business_id = :business_id AND id = :id";

/// A merge with the name of who became part of the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedMerge {
    /// The merge.
    pub merge: CustomerMerge,
    /// The name.
    pub merged_name: String,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    merged_id: Uuid,
    moved_ids: Vec<Uuid>,
    before: Vec<u8>,
    after: Vec<u8>,
    merged_at: DateTime<Utc>,
    merged_by: String,
    undone_at: Option<DateTime<Utc>>,
    undone_by: Option<String>,
    merged_name: String,
}

impl TryFrom<Row> for NamedMerge {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let merge = CustomerMerge {
            id: CustomerMergeId(row.id),
            before: recorded(&row.before)?,
            after: recorded(&row.after)?,
            merged: CustomerId(row.merged_id),
            moved: row.moved_ids.into_iter().map(CustomerId).collect(),
            at: from_db(row.merged_at),
            by: row.merged_by,
            undone: row.undone_at.map(from_db).zip(row.undone_by),
        };
        Ok(Self { merge, merged_name: row.merged_name })
    }
}

impl Tx {
    /// The merges into a customer, the latest first, at most 20.
    pub async fn customer_merges(&self, survivor: CustomerId) -> Result<Vec<NamedMerge>, Error> {
        self.all::<Row, _>(LATEST, named! { business_id: self.business.0, survivor_id: survivor.0 }).await
    }

    /// The merge of one customer into the other that was not undone.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn standing_merge(
        &self,
        survivor: CustomerId,
        merged: CustomerId,
    ) -> Result<NamedMerge, Error> {
        let values = named! { business_id: self.business.0, survivor_id: survivor.0, merged_id: merged.0 };
        self.one::<Row, _>(STANDING, values).await?.ok_or(Error::NotFound("merge"))
    }

    /// A merge into a customer, which no other transaction undoes until this one ends.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn take_customer_merge(
        &self,
        survivor: CustomerId,
        id: CustomerMergeId,
    ) -> Result<NamedMerge, Error> {
        self.execute(TAKE, named! { business_id: self.business.0, id: id.0 }).await?;
        let values = named! { business_id: self.business.0, survivor_id: survivor.0, id: id.0 };
        self.one::<Row, _>(ONE, values).await?.ok_or(Error::NotFound("merge"))
    }

    /// Keeps a merge.
    pub async fn add_customer_merge(&self, merge: &CustomerMerge) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            id: merge.id.0,
            survivor_id: merge.after.id.0,
            merged_id: merge.merged.0,
            moved_ids: merge.moved.iter().map(|id| id.0).collect::<Vec<Uuid>>(),
            before: pb::Customer::from(&merge.before).encode_to_vec(),
            after: pb::Customer::from(&merge.after).encode_to_vec(),
            merged_at: to_db(merge.at),
            merged_by: merge.by.as_str(),
        };
        self.execute(ADD, values).await.map(drop)
    }

    /// Notes that a merge was undone now.
    pub async fn mark_merge_undone(&self, id: CustomerMergeId) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            id: id.0,
            undone_at: to_db(self.now()),
            undone_by: self.actor(),
        };
        self.execute(UNDO, values).await.map(drop)
    }
}

/// A customer as a merge keeps one.
fn recorded(bytes: &[u8]) -> Result<Customer, Error> {
    let message =
        pb::Customer::decode(bytes).map_err(|error| Error::Stored("customer of a merge", Box::new(error)))?;
    let unreadable = |status: Status| Error::Stored("customer of a merge", Box::new(status));
    let email = (!message.email.is_empty()).then(|| Email::parse(&message.email)).transpose();
    let consent = message.marketing_consent.map(|consent| {
        let at = required("recorded_at", consent.recorded_at.as_ref()).map_err(unreadable)?;
        Ok::<_, Error>(MarketingConsent { given: consent.given, at, by: consent.recorded_by })
    });
    Ok(Customer {
        id: id("id", &message.id).map_err(unreadable)?,
        name: message.name,
        phone: (!message.phone.is_empty()).then(|| Phone::stored(message.phone)),
        email: email.map_err(|error| Error::Stored("e-mail address", Box::new(error)))?,
        tags: Tags::new(message.tags),
        marketing_consent: consent.transpose()?,
        merged_into: optional_id("merged_into", &message.merged_into).map_err(unreadable)?,
        erased_at: None,
        version: message.version,
    })
}
