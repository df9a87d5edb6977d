//! The address of a person's account: proved by the link that was mailed to it, and changed by one.
//!
//! A link counts only in a session of its own account: reading the mail proves whose the address is,
//! the session proves whose the account is.

use boot::clock::Clock;
use caller::{SessionId, UserId};

use crate::{
    Error,
    app::check_password::Confirmed,
    domain::{
        email::Email,
        letter,
        link::{Link, Links},
        mail::Mail,
        mail_limit::Counted,
        one_time_token::{OneTimeToken, OneTimeTokenHash},
        security_event::{NewSecurityEvent, SecurityEventKind as Kind},
    },
    store::{EmailProof, Store, Tx},
};

/// Proves and changes addresses.
#[derive(Debug)]
pub struct Addresses {
    store: Store,
    links: Links,
    clock: Clock,
}

impl Addresses {
    /// Addresses of a store's accounts.
    #[must_use]
    pub fn new(store: Store, links: Links, clock: Clock) -> Self {
        Self { store, links, clock }
    }

    /// Takes the word of a mailed link for an address of the person who is signed in.
    ///
    /// # Errors
    /// [`Error::TokenSpent`], [`Error::EmailTaken`]; [`Error::WrongAccount`], which leaves the link
    /// as it is.
    pub async fn prove(
        &self,
        person: UserId,
        session: SessionId,
        token: OneTimeTokenHash,
    ) -> Result<(), Error> {
        let now = self.clock.now();
        let tx = self.store.begin();
        let proof = tx.take_email_proof(token, now).await?;
        if proof.person != person {
            // Nothing is committed: the link waits for its own person.
            return Err(Error::WrongAccount);
        }
        let before = tx.account(person).await?.email;
        let origin = tx.origin_of(session).await?;
        let event = |kind| NewSecurityEvent::of(person, kind).from(&origin);
        if before == proof.email {
            tx.verify_email(person, now).await?;
            tx.record(&event(Kind::EmailVerified), now).await?;
        } else {
            tx.change_email(person, &proof.email, now).await?;
            // They were mailed to the old address.
            tx.spend_tokens_of(person, now).await?;
            tx.record(&event(Kind::EmailChanged).about(proof.email.as_str()), now).await?;
            tx.queue_mail(&letter::changed(&before, &proof.email), now).await?;
        }
        tx.forget_email_proofs_of(person).await?;
        tx.commit().await
    }

    /// Mails a link that changes the address of a person who has shown their password.
    ///
    /// # Errors
    /// [`Error::Invalid`] naming `new_email` or `current_password`, [`Error::TooManyMails`].
    pub async fn change(&self, confirmed: &Confirmed, new: &Email) -> Result<(), Error> {
        let Confirmed { account, password, origin } = confirmed;
        let person = account.id;
        if account.email == *new {
            return Err(Error::invalid("new_email", "is your address already"));
        }
        let now = self.clock.now();
        let tx = self.store.begin();
        tx.keep_password(person, password.as_ref()).await?;
        let counted = [Counted::By(person), Counted::ByTo(person, new), Counted::ByPeopleTo(new)];
        tx.count_mail(&counted, now).await?;
        // Only the owner of the address learns that it has an account.
        match tx.credentials(new).await? {
            Some(_) => tx.queue_mail(&letter::change_to_taken(new), now).await?,
            None => {
                tx.forget_email_change_of(person).await?;
                self.ask_for_proof(&tx, person, new, letter::confirm_change).await?;
            }
        }
        tx.queue_mail(&letter::change_asked(&account.email, new), now).await?;
        let event = NewSecurityEvent::of(person, Kind::EmailChangeRequested).from(origin);
        tx.record(&event.about(new.as_str()), now).await?;
        tx.commit().await
    }

    /// Drops the change of address that a person asked for; there may be none.
    pub async fn keep(&self, person: UserId, session: SessionId) -> Result<(), Error> {
        let now = self.clock.now();
        let tx = self.store.begin();
        let waiting = tx.profile(person, now).await?.new_email;
        let dropped = tx.forget_email_change_of(person).await?;
        if let Some(waiting) = waiting.filter(|_| dropped) {
            let origin = tx.origin_of(session).await?;
            let event = NewSecurityEvent::of(person, Kind::EmailChangeCancelled).from(&origin);
            tx.record(&event.about(waiting.as_str()), now).await?;
        }
        tx.commit().await
    }

    /// Mails the link that proves a person's address once more, in place of those before.
    ///
    /// # Errors
    /// [`Error::EmailVerified`], [`Error::TooManyMails`].
    pub async fn ask_again(&self, person: UserId) -> Result<(), Error> {
        let now = self.clock.now();
        let tx = self.store.begin();
        let email = tx.account(person).await?.email;
        if tx.profile(person, now).await?.email_verified {
            return Err(Error::EmailVerified);
        }
        tx.count_mail(&[Counted::By(person), Counted::ByTo(person, &email)], now).await?;
        tx.forget_own_email_proofs_of(person).await?;
        self.ask_for_proof(&tx, person, &email, letter::confirm).await?;
        tx.commit().await
    }

    /// Mails a link that proves an address.
    async fn ask_for_proof(
        &self,
        tx: &Tx,
        person: UserId,
        email: &Email,
        letter: fn(&Email, &Link) -> Mail,
    ) -> Result<(), Error> {
        let (now, token) = (self.clock.now(), OneTimeToken::new(boot::random::bytes()));
        tx.add_email_proof(token.hash(), &EmailProof { person, email: email.clone() }, now).await?;
        tx.queue_mail(&letter(email, &self.links.confirm(&token)), now).await
    }
}
