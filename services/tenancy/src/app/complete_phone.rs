//! Completes a telephone number as it was dialled.

use crate::{
    Error,
    domain::{Dialled, Phone},
    store::Tx,
};

impl Tx {
    /// The number as it rings in the country of the business, which is read only if that matters.
    ///
    /// # Errors
    /// [`Error::Phone`] when it is no number there.
    pub async fn complete_phone(&self, dialled: Option<Dialled>) -> Result<Option<Phone>, Error> {
        let country = match dialled {
            None | Some(Dialled::International(_)) => None,
            Some(Dialled::National(_)) => self.business().await?.country(),
        };
        Ok(dialled.map(|dialled| dialled.from_country(country)).transpose()?)
    }
}
