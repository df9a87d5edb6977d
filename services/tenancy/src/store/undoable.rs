//! Changes that can be taken back.

use boot::retention::UNDOABLE;
use database::{named, to_db};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{ChangeId, CustomerId, Made, Undoable},
};

macro_rules! of_actor {
    ($verb:literal, $rest:literal) => {
        concat!(
            $verb,
            " FROM undoable_change
            WHERE business_id = :business_id AND id = :id AND made_by = :actor AND made_at > :before",
            $rest
        )
    };
}

const ADD: &str = "INSERT INTO undoable_change
        (business_id, id, customer_id, record_id, found_version, left_version, made_at, made_by, content)
    VALUES (:business_id, :id, :customer_id, :record_id, :found, :left, :now, :actor, :content)";
const ABOUT: &str = of_actor!("SELECT customer_id", "");
const TAKE: &str = of_actor!("DELETE", " RETURNING found_version, left_version, content");
const FOLLOW: &str = "UPDATE undoable_change SET left_version = :to
    WHERE business_id = :business_id AND record_id = :record_id AND left_version = :from";

#[derive(FromQueryResult)]
struct AboutRow {
    customer_id: Option<Uuid>,
}

#[derive(FromQueryResult)]
struct Row {
    found_version: i64,
    left_version: i64,
    content: serde_json::Value,
}

impl TryFrom<Row> for Made {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let change: Undoable = serde_json::from_value(row.content).map_err(stored)?;
        Ok(Self { change, found: row.found_version, left: row.left_version })
    }
}

impl Tx {
    /// Keeps a change of this transaction, so that the actor can take it back for some minutes.
    pub async fn add_undoable(&self, made: &Made) -> Result<ChangeId, Error> {
        let id: ChangeId = self.new_id();
        let values = named! {
            business_id: self.business.0,
            id: id.0,
            customer_id: made.change.customer().map(|customer| customer.0),
            record_id: made.change.record(),
            found: made.found,
            left: made.left,
            now: self.at(),
            actor: self.actor(),
            content: serde_json::to_value(&made.change).map_err(stored)?,
        };
        self.execute(ADD, values).await?;
        Ok(id)
    }

    /// Takes a change of the actor to take it back: another transaction waits, and then finds none. The customer whom it
    /// is about is taken as well.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is too long ago, another actor's, or taken back already.
    pub async fn take_undoable(&self, id: ChangeId) -> Result<Made, Error> {
        let none = || Error::NotFound("change that you can undo");
        let key = || {
            let before = to_db(self.now() - UNDOABLE);
            named! { business_id: self.business.0, id: id.0, actor: self.actor(), before }
        };
        let about: AboutRow = self.row(ABOUT, key()).await?.ok_or_else(none)?;
        // Before the change: an erasure takes the customer first as well.
        if let Some(customer) = about.customer_id {
            self.take_customer(CustomerId(customer)).await?;
        }
        self.one::<Row, _>(TAKE, key()).await?.ok_or_else(none)
    }

    /// Has the change before the one that was taken back follow its record to the version at which it is again what that
    /// change left, so that it can be taken back next.
    pub async fn follow_returned(&self, taken_back: &Made, to: i64) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            record_id: taken_back.change.record(),
            from: taken_back.found,
            to,
        };
        self.execute(FOLLOW, values).await.map(drop)
    }
}

fn stored(error: serde_json::Error) -> Error {
    Error::Stored("change", Box::new(error))
}
