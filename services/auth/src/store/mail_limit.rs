//! Counts of mails that were asked for.

use database::{from_db, to_db};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, prelude::DateTimeUtc};

use super::{Tx, statement};
use crate::{
    Error,
    domain::mail_limit::{Counted, WINDOW},
};

const COUNT: &str = "INSERT INTO mail_count AS counted (name, mails, ends_at) VALUES ($1, 1, $3)
    ON CONFLICT (name) DO UPDATE SET
        mails = CASE WHEN counted.ends_at <= $2 THEN 1 ELSE counted.mails + 1 END,
        ends_at = CASE WHEN counted.ends_at <= $2 THEN $3 ELSE counted.ends_at END
    WHERE counted.ends_at <= $2 OR counted.mails < $4";
const ENDS_AT: &str = "SELECT ends_at FROM mail_count WHERE name = $1";
const FORGET: &str = "DELETE FROM mail_count WHERE name IN
    (SELECT name FROM mail_count WHERE ends_at <= $1 ORDER BY ends_at LIMIT 10 FOR UPDATE SKIP LOCKED)";

impl Tx {
    /// Counts a mail about to be queued. Where the profile limits nothing, neither does this.
    ///
    /// # Errors
    /// [`Error::TooManyMails`].
    pub async fn count_mail(&self, counted: &[Counted<'_>], now: Timestamp) -> Result<(), Error> {
        if !self.limited {
            return Ok(());
        }
        self.execute(FORGET, [to_db(now).into()]).await?;
        for counted in counted {
            let name = counted.name();
            let values =
                [name.as_str().into(), to_db(now).into(), to_db(now + WINDOW).into(), counted.most().into()];
            if self.execute(COUNT, values).await? == 0 {
                return Err(Error::TooManyMails {
                    wait: self.ends_at(&name, now).await?.duration_since(now),
                });
            }
        }
        Ok(())
    }

    async fn ends_at(&self, name: &str, now: Timestamp) -> Result<Timestamp, Error> {
        let row = self.open().await?.query_one_raw(statement(ENDS_AT, [name.into()])).await?;
        let ends_at: Option<DateTimeUtc> = row.map(|row| row.try_get("", "ends_at")).transpose()?;
        Ok(ends_at.map_or(now + WINDOW, from_db))
    }
}
