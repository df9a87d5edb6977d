//! Logos.

use database::named;

use super::Tx;
use crate::{
    Error,
    domain::{Logo, LogoDigest},
};

const BY_DIGEST: &str = "SELECT l.content FROM business_logo l JOIN business b USING (business_id)
    WHERE l.business_id = :business_id AND b.logo_digest = :digest";
const SAVE: &str = "INSERT INTO business_logo (business_id, content) VALUES (:business_id, :content)
    ON CONFLICT (business_id) DO UPDATE SET content = EXCLUDED.content";
const DROP: &str = "DELETE FROM business_logo WHERE business_id = :business_id";

impl Tx {
    /// The PNG that a digest names.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the business has another logo, or none.
    pub async fn logo(&self, digest: &LogoDigest) -> Result<Vec<u8>, Error> {
        let found =
            self.value(BY_DIGEST, named! { business_id: self.business.0, digest: digest.as_str() }).await?;
        found.ok_or(Error::NotFound("logo"))
    }

    /// Keeps a logo instead of the one before, or none.
    pub async fn keep_logo(&self, logo: Option<&Logo>) -> Result<(), Error> {
        let business_id = self.business.0;
        match logo {
            Some(logo) => self.execute(SAVE, named! { business_id, content: logo.content.clone() }).await?,
            None => self.execute(DROP, named! { business_id }).await?,
        };
        Ok(())
    }
}
