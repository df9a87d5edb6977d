//! What is kept of a person who is erased.

use caller::{BusinessId, Method};
use database::named;
use proto::frontdesk::telemetry::v1::{
    call_service_methods::{CREATE_CALL_NOTE, RESTORE_CALL_NOTE},
    call_view_service_methods::SAVE_CALL_VIEW,
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Store, Tx};
use crate::{
    domain::{CallId, person::Person},
    error::Error,
};

/// Of a number that several customers have, the calls without a customer are the person's as well.
const CALLS: &str =
    "SELECT id FROM call WHERE business_id = :business_id AND (customer_id = ANY(:ids::uuid[])
        OR (customer_id IS NULL AND (from_number = ANY(:phones::text[]) OR to_number = ANY(:phones::text[]))))
    ORDER BY id";
/// Methods whose answers repeat what people wrote, longer than the note or the view exists.
const REPEATING: [&Method; 3] = [&CREATE_CALL_NOTE, &RESTORE_CALL_NOTE, &SAVE_CALL_VIEW];
const ERASE: [&str; 4] = [
    "UPDATE delivery SET body = '' WHERE business_id = :business_id AND call_id = :call_id",
    "UPDATE tool_call SET arguments = '{}', result = CASE WHEN result IS NOT NULL THEN '{}' END
    WHERE business_id = :business_id AND call_id = :call_id",
    "DELETE FROM call_note WHERE business_id = :business_id AND call_id = :call_id",
    "DELETE FROM deleted_call_note WHERE business_id = :business_id AND call_id = :call_id",
];
const VIEWS: &str = "SELECT id, name, query FROM call_view WHERE business_id = :business_id";
const DELETE_VIEWS: &str =
    "DELETE FROM call_view WHERE business_id = :business_id AND id = ANY(:ids::uuid[])";
/// What a parked event would have told.
const UNNAME: &str =
    "UPDATE customer SET name = '' WHERE business_id = :business_id AND id = ANY(:ids::uuid[])";

#[derive(Debug, FromQueryResult)]
struct ViewRow {
    id: Uuid,
    name: String,
    query: String,
}

impl Tx {
    /// The calls of customers, and those from their numbers that are no one else's.
    pub async fn calls_of(&self, ids: &[Uuid], phones: &[String]) -> Result<Vec<CallId>, Error> {
        let values = named! { business_id: self.business.0, ids: ids.to_vec(), phones: phones.to_vec() };
        let calls: Vec<Uuid> = self.values(CALLS, values).await?;
        Ok(calls.into_iter().map(CallId).collect())
    }

    /// Erases the deliveries, tool arguments, tool results and notes of a call.
    pub async fn erase_beside(&self, call: CallId) -> Result<(), Error> {
        let of_call = || named! { business_id: self.business.0, call_id: call.0 };
        for sql in ERASE {
            self.execute(sql, of_call()).await?;
        }
        Ok(())
    }

    /// Deletes saved filters that name a person.
    pub async fn delete_views_of(&self, person: &Person) -> Result<(), Error> {
        let mut views: Vec<ViewRow> = self.rows(VIEWS, named! { business_id: self.business.0 }).await?;
        views.retain(|view| {
            let mut values = form_urlencoded::parse(view.query.as_bytes()).map(|(_, value)| value);
            person.is_in(&view.name) || values.any(|value| person.is_in(&value))
        });
        let ids: Vec<Uuid> = views.into_iter().map(|view| view.id).collect();
        self.execute(DELETE_VIEWS, named! { business_id: self.business.0, ids }).await.map(drop)
    }

    /// Forgets the answers kept for retries of writes of notes and views.
    pub async fn forget_written_answers(&self) -> Result<(), Error> {
        self.forget_answers_of(&REPEATING).await.map(drop)
    }

    /// Forgets what customers are called.
    pub async fn unname_customers(&self, ids: &[Uuid]) -> Result<(), Error> {
        self.execute(UNNAME, named! { business_id: self.business.0, ids: ids.to_vec() }).await.map(drop)
    }
}

impl Store {
    /// Drops parked events about customers; whether there were any.
    pub async fn forget_parked(&self, business: BusinessId, ids: Vec<Uuid>) -> Result<bool, Error> {
        Ok(outbox::forget_parked(&self.database, business, ids).await? > 0)
    }
}
