//! Gives a business its logo, or takes it away.

use crate::{
    Error,
    domain::{Business, Logo},
    store::Tx,
};

/// Keeps a logo, or none, and publishes the business if anything is different.
///
/// # Errors
/// [`Error::NotFound`] without the business.
pub async fn set_logo(tx: Tx, logo: Option<Logo>) -> Result<Business, Error> {
    let before = tx.take_business().await?;
    let after = before.clone().recognised_by(logo.as_ref().map(|logo| logo.digest.clone()));
    if after != before {
        tx.keep_logo(logo.as_ref()).await?;
        tx.save_business(&after).await?;
        tx.publish_business(&after).await?;
    }
    tx.commit().await?;
    Ok(after)
}
