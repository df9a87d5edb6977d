//! Counts of mails that were asked for.

use database::{from_db, named, to_db};
use jiff::Timestamp;
use sea_orm::prelude::DateTimeUtc;

use super::Tx;
use crate::{
    Error,
    domain::mail_limit::{Counted, WINDOW},
};

const COUNT: &str = "INSERT INTO mail_count AS counted (name, mails, ends_at) VALUES (:name, 1, :ends_at)
    ON CONFLICT (name) DO UPDATE SET
        mails = CASE WHEN counted.ends_at <= :now THEN 1 ELSE counted.mails + 1 END,
        ends_at = CASE WHEN counted.ends_at <= :now THEN :ends_at ELSE counted.ends_at END
    WHERE counted.ends_at <= :now OR counted.mails < :most";
const ENDS_AT: &str = "SELECT ends_at FROM mail_count WHERE name = :name";
const FORGET: &str = "DELETE FROM mail_count WHERE name IN
    (SELECT name FROM mail_count WHERE ends_at <= :now ORDER BY ends_at LIMIT 10 FOR UPDATE SKIP LOCKED)";

impl Tx {
    /// Counts a mail about to be queued. Where the profile limits nothing, neither does this.
    ///
    /// # Errors
    /// [`Error::TooManyMails`].
    pub async fn count_mail(&self, counted: &[Counted<'_>], now: Timestamp) -> Result<(), Error> {
        if !self.limited {
            return Ok(());
        }
        self.execute(FORGET, named! { now: to_db(now) }).await?;
        for counted in counted {
            let name = counted.name();
            let values = named! {
                name: name.as_str(),
                now: to_db(now),
                ends_at: to_db(now + WINDOW),
                most: counted.most(),
            };
            if self.execute(COUNT, values).await? == 0 {
                return Err(Error::TooManyMails {
                    wait: self.ends_at(&name, now).await?.duration_since(now),
                });
            }
        }
        Ok(())
    }

    async fn ends_at(&self, name: &str, now: Timestamp) -> Result<Timestamp, Error> {
        let ends_at: Option<DateTimeUtc> = self.value(ENDS_AT, named! { name }).await?;
        Ok(ends_at.map_or(now + WINDOW, from_db))
    }
}
