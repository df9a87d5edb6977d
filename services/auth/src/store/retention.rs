//! Deletes expired rows, in batches.

use database::{named, to_db};
use jiff::Timestamp;

use super::Tx;
use crate::Error;

const PROOFS: &str = "DELETE FROM email_proof WHERE hash IN
    (SELECT hash FROM email_proof WHERE expires_at <= :before ORDER BY expires_at LIMIT :most)";
const TOKENS: &str = "DELETE FROM one_time_token WHERE hash IN
    (SELECT hash FROM one_time_token WHERE expires_at <= :before ORDER BY expires_at LIMIT :most)";
const INVITATIONS: &str = "DELETE FROM invitation WHERE id IN
    (SELECT id FROM invitation WHERE expires_at <= :before ORDER BY expires_at LIMIT :most)";
const ACCOUNTS: &str = "SELECT forget_unproved_accounts(:before, :most::integer)";

/// Something that is of no use after a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stale {
    /// Links that prove an address and have expired.
    PasswordChecks,
    /// Links that set a password and have expired; those that were used expire as well.
    Tokens,
    /// Invitations that have expired.
    Invitations,
    /// Accounts without a membership and with an unproved address. The database function itself keeps
    /// them for thirty days.
    Accounts,
}

impl Stale {
    /// Everything.
    pub const ALL: [Self; 4] = [Self::PasswordChecks, Self::Tokens, Self::Invitations, Self::Accounts];
}

impl Tx {
    /// Forgets at most `most` rows that are older than `before`; how many it were.
    pub async fn forget(&self, stale: Stale, before: Timestamp, most: i64) -> Result<u64, Error> {
        let values = named! { before: to_db(before), most };
        match stale {
            Stale::PasswordChecks => self.execute(PROOFS, values).await,
            Stale::Tokens => self.execute(TOKENS, values).await,
            Stale::Invitations => self.execute(INVITATIONS, values).await,
            Stale::Accounts => {
                let forgotten: Option<i64> = self.value(ACCOUNTS, values).await?;
                Ok(forgotten.unwrap_or_default().unsigned_abs())
            }
        }
    }
}
