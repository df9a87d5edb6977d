//! Filters that people saved.

use caller::UserId;
use database::named;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::{domain::CallViewId, error::Error};

/// A person's views of a business.
const MOST: i64 = 50;
pub(super) const OF_PERSON: &str = "SELECT id, name, query FROM call_view
    WHERE business_id = :business_id AND user_id = :user_id ORDER BY name, id LIMIT :most";
/// A new one is refused where there are as many as a person may have.
const SAVE: &str = "INSERT INTO call_view AS known (business_id, id, user_id, name, query)
    SELECT :business_id, :id, :user_id, :name, :query
    WHERE EXISTS (SELECT FROM call_view
            WHERE business_id = :business_id AND user_id = :user_id AND name = :name)
        OR (SELECT count(*) FROM call_view WHERE business_id = :business_id AND user_id = :user_id) < :most
    ON CONFLICT ON CONSTRAINT call_view_name DO UPDATE SET query = excluded.query
    RETURNING id, name, query";
const DELETE: &str =
    "DELETE FROM call_view WHERE business_id = :business_id AND user_id = :user_id AND id = :id";

/// Filters under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallView {
    /// Its id.
    pub id: CallViewId,
    /// Its name.
    pub name: String,
    /// The filters, as the list's address has them.
    pub query: String,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    id: Uuid,
    name: String,
    query: String,
}

impl From<Row> for CallView {
    fn from(Row { id, name, query }: Row) -> Self {
        Self { id: CallViewId(id), name, query }
    }
}

impl Tx {
    /// A person's views, by name.
    pub async fn call_views(&self, person: UserId) -> Result<Vec<CallView>, Error> {
        let values = named! { business_id: self.business.0, user_id: person.0, most: MOST };
        self.all::<Row, _>(OF_PERSON, values).await
    }

    /// Saves a view under its name, which it may have been saved under before.
    ///
    /// # Errors
    /// [`Error::TooMany`] where the person has as many as one may have.
    pub async fn save_call_view(&self, person: UserId, name: &str, query: &str) -> Result<CallView, Error> {
        let values = named! {
            business_id: self.business.0,
            id: self.new_id::<Uuid>(),
            user_id: person.0,
            name,
            query,
            most: MOST,
        };
        self.one::<Row, _>(SAVE, values).await?.ok_or(Error::TooMany("views of calls"))
    }

    /// Deletes a person's view, if it is there.
    pub async fn delete_call_view(&self, person: UserId, id: CallViewId) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, user_id: person.0, id: id.0 };
        self.execute(DELETE, values).await.map(drop)
    }
}
