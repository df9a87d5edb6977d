//! Changes what a business says of itself.

use crate::{
    Error,
    domain::{BrandColor, Business, Currency, Details, Dialled, Email, Website},
    store::Tx,
};

/// What a business says of itself from now on.
#[derive(Debug)]
pub struct UpdateBusiness {
    /// What it is called.
    pub name: String,
    /// Where it is.
    pub address: Option<String>,
    /// Where to reach it.
    pub dialled: Option<Dialled>,
    /// Where to write to.
    pub email: Option<Email>,
    /// Where it is on the web.
    pub website: Option<Website>,
    /// What new prices are in.
    pub currency: Option<Currency>,
    /// The colour it is recognised by.
    pub brand_color: Option<BrandColor>,
    /// The version that was seen.
    pub version: Option<i64>,
}

impl UpdateBusiness {
    /// Replaces it and publishes the business, if anything is different.
    ///
    /// # Errors
    /// [`Error::Stale`], [`Error::Phone`].
    pub async fn run(self, tx: &Tx) -> Result<Business, Error> {
        let Self { name, address, dialled, email, website, currency, brand_color, version } = self;
        let before = tx.take_business().await?.seen_at(version)?;
        let phone = dialled.map(|dialled| dialled.from_country(before.country())).transpose()?;
        let details = Details { name, address, phone, email, website, currency, brand_color };
        let after = before.clone().described(details);
        if after != before {
            tx.save_business(&after).await?;
            tx.publish_business(&after).await?;
            // What platforms say of the salon has its name, address and number in it.
            tx.wish_publication(None).await?;
        }
        Ok(after)
    }
}
