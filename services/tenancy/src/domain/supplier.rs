//! Companies that a salon buys from.

use super::{Email, Phone, Stale};

typed_id::typed_id! {
    /// A supplier of a business.
    SupplierId,
}

/// A company that a salon buys from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Supplier {
    /// Unique in the installation.
    pub id: SupplierId,
    /// What it is called; no other one of the business is called so.
    pub name: String,
    /// Where to call.
    pub phone: Option<Phone>,
    /// Where to write to.
    pub email: Option<Email>,
    /// How to order.
    pub note: Option<String>,
    /// Grows by one with each change.
    pub version: i64,
}

impl Supplier {
    /// The supplier, if no change was made since `version` was seen.
    ///
    /// # Errors
    /// [`Stale`] with the current version.
    pub fn seen_at(self, version: Option<i64>) -> Result<Self, Stale> {
        match version {
            Some(version) if version != self.version => Err(Stale(self.version)),
            _ => Ok(self),
        }
    }

    /// What is known of it, replaced.
    #[must_use]
    pub fn described(
        self,
        name: String,
        phone: Option<Phone>,
        email: Option<Email>,
        note: Option<String>,
    ) -> Self {
        let version = self.version;
        let described = Self { name, phone, email, note, ..self.clone() };
        if described == self { self } else { Self { version: version + 1, ..described } }
    }
}
