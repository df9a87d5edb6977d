//! Notes about customers.

use chrono::{DateTime, Utc};
use database::{Named, from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Reason, Tx, customer::any_part, refused};
use crate::{
    Error,
    domain::{CustomerId, CustomerNote, CustomerNoteId},
};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT n.id, n.customer_id, n.text, n.pinned, n.created_by,
                (SELECT name FROM employee WHERE business_id = n.business_id
                    AND user_id = substring(n.created_by FROM '^user:(.+)$')::uuid) AS author,
                n.created_at, n.edited_by,
                (SELECT name FROM employee WHERE business_id = n.business_id
                    AND user_id = substring(n.edited_by FROM '^user:(.+)$')::uuid) AS editor,
                n.version
            FROM customer_note n
            WHERE n.business_id = :business_id AND n.customer_id = ",
            any_part!(),
            " AND ",
            $rest
        )
    };
}

/// A page of those about a customer, the pinned ones first, then the latest.
pub const CUSTOMER_NOTES: &str = select!(
    "(n.pinned, n.created_at, n.id) < (:pinned, :created_at, :id)
    ORDER BY n.pinned DESC, n.created_at DESC, n.id DESC LIMIT :limit"
);
/// The pinned ones of some customers, in the order of these.
pub const PINNED_NOTES: &str = "SELECT w.id AS customer_id, p.text
    FROM unnest(:customer_ids::uuid[]) WITH ORDINALITY AS w (id, place)
    CROSS JOIN LATERAL (
        SELECT n.id, n.text, n.created_at FROM customer_note n
        WHERE n.business_id = :business_id AND n.pinned AND n.customer_id = ANY(ARRAY(SELECT w.id UNION ALL
            SELECT c.id FROM customer c WHERE c.business_id = :business_id AND c.merged_into = w.id))
        ORDER BY n.created_at DESC, n.id DESC LIMIT 20
    ) p
    ORDER BY w.place, p.created_at DESC, p.id DESC";
const BY_ID: &str = select!("n.id = :id");
const TAKE: &str = concat!(
    "SELECT id FROM customer_note WHERE business_id = :business_id AND id = :id AND customer_id = ",
    any_part!(),
    " FOR UPDATE"
);
const ADD: &str = "INSERT INTO customer_note
        (business_id, id, customer_id, text, pinned, created_by, created_at, edited_by, version)
    VALUES (:business_id, :id, :customer_id, :text, :pinned, :created_by, :created_at, :edited_by, :version)";
const SAVE: &str = "UPDATE customer_note
    SET text = :text, pinned = :pinned, edited_by = :edited_by, version = :version
    WHERE business_id = :business_id AND id = :id";
const DELETE: &str = concat!(
    "DELETE FROM customer_note WHERE business_id = :business_id AND id = :id AND customer_id = ",
    any_part!()
);

/// After every note.
const LAST: Timestamp = Timestamp::constant(253_402_207_200, 0);

/// Which note of a customer.
pub type NoteKey = (CustomerId, CustomerNoteId);

/// A note, and who wrote and edited it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedNote {
    /// The note.
    pub note: CustomerNote,
    /// The employee whose account wrote it; empty where it is no employee's.
    pub author: String,
    /// The employee whose account edited it; empty where it is no employee's, or no one did.
    pub editor: String,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    customer_id: Uuid,
    text: String,
    pinned: bool,
    created_by: String,
    author: Option<String>,
    created_at: DateTime<Utc>,
    edited_by: Option<String>,
    editor: Option<String>,
    version: i64,
}

impl TryFrom<Row> for SignedNote {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let note = CustomerNote {
            id: CustomerNoteId(row.id),
            customer: CustomerId(row.customer_id),
            text: row.text,
            pinned: row.pinned,
            created_by: row.created_by,
            created_at: from_db(row.created_at),
            edited_by: row.edited_by,
            version: row.version,
        };
        Ok(Self { note, author: row.author.unwrap_or_default(), editor: row.editor.unwrap_or_default() })
    }
}

#[derive(FromQueryResult)]
struct PinnedRow {
    customer_id: Uuid,
    text: String,
}

impl Tx {
    /// The pinned notes about customers, in the order of these.
    pub async fn pinned_notes(&self, customers: &[CustomerId]) -> Result<Vec<(CustomerId, String)>, Error> {
        let customer_ids: Vec<_> = customers.iter().map(|customer| customer.0).collect();
        let values = named! { business_id: self.business.0, customer_ids };
        let rows: Vec<PinnedRow> = self.rows(PINNED_NOTES, values).await?;
        Ok(rows.into_iter().map(|row| (CustomerId(row.customer_id), row.text)).collect())
    }

    /// A page of the notes about a customer, and one more if there are more.
    pub async fn customer_notes(
        &self,
        customer: CustomerId,
        after: Option<(bool, Timestamp, CustomerNoteId)>,
        limit: u32,
    ) -> Result<Vec<SignedNote>, Error> {
        let (pinned, created_at, id) = after.unwrap_or((true, LAST, CustomerNoteId(Uuid::max())));
        let values = named! {
            business_id: self.business.0,
            customer_id: customer.0,
            pinned,
            created_at: to_db(created_at),
            id: id.0,
            limit: i64::from(limit),
        };
        self.all::<Row, _>(CUSTOMER_NOTES, values).await
    }

    /// One, and who wrote it.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn customer_note(&self, key: NoteKey) -> Result<SignedNote, Error> {
        self.one::<Row, _>(BY_ID, self.note_key(key)).await?.ok_or(Error::NotFound("note"))
    }

    /// One, which no other transaction changes until this one ends.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn take_customer_note(&self, key: NoteKey) -> Result<CustomerNote, Error> {
        self.execute(TAKE, self.note_key(key)).await?;
        self.customer_note(key).await.map(|signed| signed.note)
    }

    /// Adds a new one.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the business has no such customer.
    pub async fn add_customer_note(&self, note: &CustomerNote) -> Result<(), Error> {
        let values = self.note_key((note.customer, note.id)).and(named! {
            text: note.text.as_str(),
            pinned: note.pinned,
            version: note.version,
            created_by: note.created_by.as_str(),
            created_at: to_db(note.created_at),
            edited_by: note.edited_by.as_deref(),
        });
        let reasons: &[Reason] = &[("customer_note_customer", no_customer)];
        self.try_execute(ADD, values).await.map(drop).map_err(|error| refused(error, reasons))
    }

    /// Saves what one says, by whom, and whether it is pinned.
    pub async fn save_customer_note(&self, note: &CustomerNote) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            id: note.id.0,
            text: note.text.as_str(),
            pinned: note.pinned,
            edited_by: note.edited_by.as_deref(),
            version: note.version,
        };
        self.execute(SAVE, values).await.map(drop)
    }

    /// Deletes one that is there.
    pub async fn delete_customer_note(&self, key: NoteKey) -> Result<(), Error> {
        self.execute(DELETE, self.note_key(key)).await.map(drop)
    }

    fn note_key(&self, (customer, id): NoteKey) -> Named {
        named! { business_id: self.business.0, customer_id: customer.0, id: id.0 }
    }
}

fn no_customer() -> Error {
    Error::NotFound("customer")
}
