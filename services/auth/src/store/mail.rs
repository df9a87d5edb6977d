//! Mail that waits to be sent.
//!
//! A mail is queued in the transaction of what it tells about, and gone when it is sent.
//! Subject and text are sealed meanwhile: they hold links and codes of which everything
//! else here keeps but hashes.

use database::{Named, from_db, named, statement, to_db};
use jiff::{SignedDuration, Timestamp};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::Tx;
use sealing::SealingKey;

use crate::{
    Error,
    domain::{
        email::Email,
        mail::{Mail, Refusal},
    },
};

const QUEUE: &str = "INSERT INTO outgoing_mail (id, recipient, sealed, queued_at, due_at)
    VALUES (:id, :recipient, :sealed, :now, :now)";
// Other replicas pass over the rows one is claiming, and over the claimed until their time is up.
pub(super) const CLAIM: &str = "UPDATE outgoing_mail SET attempts = attempts + 1, due_at = :until
    WHERE id IN (SELECT id FROM outgoing_mail WHERE sealed IS NOT NULL AND due_at <= :now
        ORDER BY due_at LIMIT :most FOR UPDATE SKIP LOCKED)
    RETURNING id, recipient, sealed, queued_at, attempts";
const OLDEST: &str =
    "SELECT queued_at FROM outgoing_mail WHERE sealed IS NOT NULL ORDER BY queued_at LIMIT 1";
const SENT: &str = "DELETE FROM outgoing_mail WHERE id = :id AND attempts = :attempts";
const PUT_OFF: &str = "UPDATE outgoing_mail SET due_at = :due_at, refusal = :refusal
    WHERE id = :id AND attempts = :attempts";
const GIVE_UP: &str = "UPDATE outgoing_mail SET sealed = NULL, given_up_at = :now, refusal = :refusal
    WHERE id = :id AND attempts = :attempts";
const FORGET: &str = "DELETE FROM outgoing_mail WHERE given_up_at <= :before";

/// How long a mail that was given up can be looked at.
const KEPT: SignedDuration = boot::retention::MAIL;
/// Separates a subject, which is one line, from its text.
const BREAK: char = '\n';

/// A mail claimed by a worker.
#[derive(Debug, Clone)]
pub struct ClaimedMail {
    /// Its id, the same at each attempt.
    pub id: Uuid,
    /// The mail.
    pub mail: Mail,
    /// When it was queued.
    pub queued_at: Timestamp,
    /// Attempts to send it, this one included.
    pub attempts: u32,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    recipient: String,
    sealed: Vec<u8>,
    queued_at: DateTimeUtc,
    attempts: i32,
}

impl Row {
    fn open(self, key: &SealingKey) -> Result<ClaimedMail, Error> {
        let opened = key.open(&self.sealed, name(self.id)).map_err(|_| Error::Stored("mail"))?;
        let letter = core::str::from_utf8(&opened).map_err(|_| Error::Stored("mail"))?;
        let (subject, text) = letter.split_once(BREAK).ok_or(Error::Stored("mail"))?;
        let to = Email::parse(&self.recipient).map_err(|_| Error::Stored("e-mail"))?;
        Ok(ClaimedMail {
            id: self.id,
            mail: Mail { to, subject: subject.to_owned(), text: text.to_owned() },
            queued_at: from_db(self.queued_at),
            attempts: u32::try_from(self.attempts).map_err(|_| Error::Stored("attempts"))?,
        })
    }
}

fn name(id: Uuid) -> String {
    format!("mail {id}")
}

fn queued(sealing: &SealingKey, id: Uuid, mail: &Mail, now: Timestamp) -> Named {
    let letter = format!("{}{BREAK}{}", mail.subject.replace(BREAK, " "), mail.text);
    let sealed = sealing.seal(letter.as_bytes(), name(id), boot::random::bytes());
    named! { id, recipient: mail.to.as_str(), sealed, now: to_db(now) }
}

/// Queues a mail in a follower's transaction; it is sent once that has been committed.
pub async fn queue_mail_in(
    sql: &DatabaseTransaction,
    sealing: &SealingKey,
    id: Uuid,
    mail: &Mail,
    now: Timestamp,
) -> Result<(), DbErr> {
    sql.execute_raw(statement(QUEUE, queued(sealing, id, mail, now))).await.map(drop)
}

impl Tx {
    /// Queues a mail; it is sent once this transaction has been committed.
    pub async fn queue_mail(&self, mail: &Mail, now: Timestamp) -> Result<(), Error> {
        self.execute(QUEUE, queued(&self.sealing, self.new_id(), mail, now)).await.map(drop)
    }

    /// Claims at most `most` due mails for this worker until `until`. Mails that this installation's
    /// key can't decrypt are given up.
    pub async fn claim_mails(
        &self,
        most: u32,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<ClaimedMail>, Error> {
        let values = named! { now: to_db(now), until: to_db(until), most: i64::from(most) };
        let rows = self.rows::<Row>(CLAIM, values).await?;
        let mut claimed = Vec::with_capacity(rows.len());
        for row in rows {
            let (id, attempts) = (row.id, u32::try_from(row.attempts).unwrap_or_default());
            match row.open(&self.sealing) {
                Ok(mail) => claimed.push(mail),
                Err(error) => self.give_up(id, attempts, &error.to_string(), now).await?,
            }
        }
        Ok(claimed)
    }

    /// When the mail was queued that waits longest.
    pub async fn oldest_mail(&self) -> Result<Option<Timestamp>, Error> {
        Ok(self.value(OLDEST, named! {}).await?.map(from_db))
    }

    /// Forgets a mail that is on its way.
    pub async fn mail_sent(&self, sent: &ClaimedMail) -> Result<(), Error> {
        self.execute(SENT, named! { id: sent.id, attempts: sent.attempts }).await.map(drop)
    }

    /// Puts a refused mail off for `pause`, or gives it up: then its content goes, and that it
    /// was, and why not sent, stays for thirty days.
    pub async fn mail_refused(
        &self,
        refused: &ClaimedMail,
        refusal: &Refusal,
        pause: Option<SignedDuration>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let ClaimedMail { id, attempts, .. } = *refused;
        let Some(pause) = pause else { return self.give_up(id, attempts, refusal.reason(), now).await };
        let values = named! { id, attempts, due_at: to_db(now + pause), refusal: refusal.reason() };
        self.execute(PUT_OFF, values).await.map(drop)
    }

    async fn give_up(&self, id: Uuid, attempts: u32, why: &str, now: Timestamp) -> Result<(), Error> {
        tracing::error!(mail = %id, attempts, why, "a mail was given up");
        let values = named! { id, attempts, now: to_db(now), refusal: why };
        self.execute(GIVE_UP, values).await?;
        self.execute(FORGET, named! { before: to_db(now - KEPT) }).await.map(drop)
    }
}
