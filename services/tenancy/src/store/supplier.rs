//! Suppliers.

use database::{Named, named};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Added, Reason, Tx, no_business, page, refused};
use crate::{
    Error,
    domain::{Email, Listing, Phone, Supplier, SupplierId},
};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, phone, email, note, version FROM supplier WHERE business_id = :business_id AND ",
            $rest
        )
    };
}

/// A page.
pub const SUPPLIERS_BY_NAME: &str =
    select!("(name, id) > (:after_name, :after_id) ORDER BY name, id LIMIT :limit");
const BY_ID: &str = select!("id = :id");
const TAKE: &str = select!("id = :id FOR UPDATE");
const NAMED: &str =
    select!("folded(name) = ANY(ARRAY(SELECT folded(n) FROM unnest(:names::text[]) AS n)) ORDER BY name, id");
const ADD: &str = "INSERT INTO supplier (business_id, id, name, phone, email, note, version, created_at)
    VALUES (:business_id, :id, :name, :phone, :email, :note, :version, :now)
    ON CONFLICT (business_id, id) DO NOTHING";
const SAVE: &str = "UPDATE supplier SET name = :name, phone = :phone, email = :email, note = :note,
        version = :version
    WHERE business_id = :business_id AND id = :id";
const DELETE: &str = "DELETE FROM supplier WHERE business_id = :business_id AND id = :id";

const NAME_TAKEN: &[Reason] = &[
    ("supplier_business", no_business),
    ("supplier_name", || Error::TakenField("name", "another supplier has this name")),
];

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    name: String,
    phone: Option<String>,
    email: Option<String>,
    note: Option<String>,
    version: i64,
}

impl TryFrom<Row> for Supplier {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let email = row.email.as_deref().map(Email::parse).transpose();
        Ok(Self {
            id: SupplierId(row.id),
            name: row.name,
            phone: row.phone.map(Phone::stored),
            email: email.map_err(|error| Error::Stored("e-mail address", Box::new(error)))?,
            note: row.note,
            version: row.version,
        })
    }
}

impl Tx {
    /// A page of suppliers by name, and one more if there are more.
    pub async fn suppliers(&self, listing: &Listing) -> Result<Vec<Supplier>, Error> {
        let values = page(listing).and(named! { business_id: self.business.0 });
        self.all::<Row, _>(SUPPLIERS_BY_NAME, values).await
    }

    /// The suppliers of these names, in whatever case and with whatever accents.
    pub async fn suppliers_named(&self, names: &[String]) -> Result<Vec<Supplier>, Error> {
        let names = names.to_vec();
        self.all::<Row, _>(NAMED, named! { business_id: self.business.0, names }).await
    }

    /// Adds a supplier, unless its id is there.
    ///
    /// # Errors
    /// [`Error::TakenField`] if another one has the name.
    pub async fn add_supplier(&self, supplier: Supplier) -> Result<Added<Supplier>, Error> {
        let values = self.described_supplier(&supplier).and(named! { now: self.at() });
        let added = self.try_execute(ADD, values).await.map_err(|error| refused(error, NAME_TAKEN))?;
        if added == 1 {
            return Ok(Added::New(supplier));
        }
        let key = named! { business_id: self.business.0, id: supplier.id.0 };
        let before = self.one::<Row, _>(BY_ID, key).await?;
        before.map(Added::Before).ok_or(Error::NotFound("supplier"))
    }

    /// One supplier, which no other transaction changes until this one ends.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn take_supplier(&self, id: SupplierId) -> Result<Supplier, Error> {
        let taken = self.one::<Row, _>(TAKE, named! { business_id: self.business.0, id: id.0 }).await?;
        taken.ok_or(Error::NotFound("supplier"))
    }

    /// Saves a supplier that is there.
    ///
    /// # Errors
    /// [`Error::TakenField`] if another one has the name.
    pub async fn save_supplier(&self, supplier: &Supplier) -> Result<(), Error> {
        let saved = self.try_execute(SAVE, self.described_supplier(supplier)).await;
        saved.map(drop).map_err(|error| refused(error, NAME_TAKEN))
    }

    /// Deletes a supplier, if it is there.
    ///
    /// # Errors
    /// [`Error::InUse`] while items name it.
    pub async fn delete_supplier(&self, id: SupplierId) -> Result<(), Error> {
        let deleted = self.try_execute(DELETE, named! { business_id: self.business.0, id: id.0 }).await;
        let in_use: Reason =
            ("item_supplier", || Error::InUse("items name this supplier: give them another one first"));
        deleted.map(drop).map_err(|error| refused(error, &[in_use]))
    }

    fn described_supplier(&self, supplier: &Supplier) -> Named {
        named! {
            business_id: self.business.0,
            id: supplier.id.0,
            name: supplier.name.as_str(),
            phone: supplier.phone.as_ref().map(Phone::as_str),
            email: supplier.email.as_ref().map(Email::as_str),
            note: supplier.note.as_deref(),
            version: supplier.version,
        }
    }
}
