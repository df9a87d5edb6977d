//! Accounts of people who are not signed in.
//!
//! What an answer says is the same whether an address has an account or not: what differs goes
//! into the mail, which the address's owner alone reads. So is the work that takes time, one hash
//! where a password is chosen and one mail; a forgotten password is the same statements as well.
//! A registration is not: a new address has its account written, a proved one a token in another
//! table.

use boot::clock::Clock;
use caller::UserId;

use super::{accept_invitation::enter, take_over_account::take_over};
use crate::{
    Error,
    credentials::hashing::Hasher,
    domain::{
        account::{Account, Claim},
        client::Origin,
        decoy_account::DecoyKey,
        email::Email,
        identity::Holder,
        letter,
        link::Links,
        mail_limit::Counted,
        one_time_token::{OneTimeToken, OneTimeTokenHash, RESET_LIFE},
        password::Password,
        security_event::{NewSecurityEvent, SecurityEventKind as Kind},
    },
    store::{EmailProof, Invitation, NewAccount, Store, Tx},
};

/// A person who registers.
#[derive(Debug)]
pub struct Applicant {
    /// What they are called.
    pub name: String,
    /// Their address, as they say.
    pub email: Email,
    /// Their password.
    pub password: Password,
    /// Where they ask from.
    pub origin: Origin,
}

/// Makes accounts.
#[derive(Debug)]
pub struct Registrar {
    store: Store,
    hasher: Hasher,
    links: Links,
    decoys: DecoyKey,
    clock: Clock,
}

impl Registrar {
    /// A registrar of a store's accounts.
    #[must_use]
    pub fn new(store: Store, hasher: Hasher, links: Links, decoys: DecoyKey, clock: Clock) -> Self {
        Self { store, hasher, links, decoys, clock }
    }

    /// Creates an account without a membership and mails a link that proves its address to who is
    /// signed in to it. Who registered the address before keeps the account as it is, until a
    /// reset of the password hands it to who reads the mail. Who has a proved account is mailed
    /// that instead.
    ///
    /// # Errors
    /// [`Error::TooManyMails`], [`Error::TooManyHashes`].
    pub async fn register(&self, applicant: Applicant) -> Result<(), Error> {
        let Applicant { name, email, password, origin } = applicant;
        self.count_mail(&email, &origin).await?;
        let claim = Claim { name, password: self.hasher.hash(password).await? };
        let (now, token) = (self.clock.now(), OneTimeToken::new(boot::random::bytes()));
        let tx = self.store.begin();
        let added = self.add(&tx, &email, &claim, false).await?;
        let Holder { person, verified } = tx.holder(&email).await?.ok_or(Error::NotFound("account"))?;
        let (kind, mail) = if verified {
            tx.add_one_time_token(token.hash(), person, now, now + RESET_LIFE).await?;
            let link = self.links.reset(&token);
            (Kind::PasswordResetRequested, letter::registered_already(&email, &self.links.sign_in(), &link))
        } else {
            tx.add_email_proof(token.hash(), &EmailProof { person, email: email.clone() }, now).await?;
            (Kind::Registered, letter::confirm(&email, &self.links.confirm(&token)))
        };
        let again = if added { "" } else { "again" };
        tx.record(&NewSecurityEvent::of(person, kind).from(&origin).about(again), now).await?;
        tx.queue_mail(&mail, now).await?;
        tx.commit().await
    }

    /// Creates an account that joins the business of an invitation. It replaces an account of the same
    /// address whose address is unproved.
    ///
    /// # Errors
    /// [`Error::TokenSpent`], [`Error::HasAccount`], [`Error::Invalid`] naming `email`.
    pub async fn join(&self, applicant: Applicant, token: OneTimeTokenHash) -> Result<(), Error> {
        let Applicant { name, email, password, origin } = applicant;
        let invitation = self.invitation(token).await?;
        if invitation.email != email {
            return Err(Error::invalid("email", "is not the address the invitation was sent to"));
        }
        let claim = Claim { name, password: self.hasher.hash(password).await? };
        let now = self.clock.now();
        let tx = self.store.begin_in(invitation.business);
        let invitation = tx.take_invitation(token, now).await?;
        let added = self.add(&tx, &email, &claim, true).await?;
        let Holder { person, verified } = tx.holder(&email).await?.ok_or(Error::NotFound("account"))?;
        if !added && verified {
            return Err(Error::HasAccount);
        }
        if !added {
            take_over(&tx, person, Some(&claim), now).await?;
            tx.verify_email(person, now).await?;
        }
        tx.record(&NewSecurityEvent::of(person, Kind::Registered).from(&origin), now).await?;
        enter(&tx, person, &invitation, &origin, now).await?;
        tx.commit().await
    }

    /// The invitation of a token, and whether its address has an account that is proved.
    ///
    /// # Errors
    /// [`Error::TokenSpent`].
    pub async fn show(&self, token: OneTimeTokenHash) -> Result<(Invitation, bool), Error> {
        let tx = self.store.begin();
        let invitation = tx.invitation(token, self.clock.now()).await?;
        let holder = tx.holder(&invitation.email).await?;
        tx.commit().await?;
        Ok((invitation, holder.is_some_and(|holder| holder.verified)))
    }

    /// Mails a link that sets a password; who has no account is mailed that.
    ///
    /// # Errors
    /// [`Error::TooManyMails`].
    pub async fn forgot(&self, email: &Email, origin: &Origin) -> Result<(), Error> {
        self.count_mail(email, origin).await?;
        let (now, token) = (self.clock.now(), OneTimeToken::new(boot::random::bytes()));
        let tx = self.store.begin();
        let known = tx.credentials(email).await?.map(|known| known.account.id);
        let person = known.unwrap_or_else(|| self.decoys.of(email));
        tx.add_one_time_token(token.hash(), person, now, now + RESET_LIFE).await?;
        tx.record(&NewSecurityEvent::of(person, Kind::PasswordResetRequested).from(origin), now).await?;
        let mail = match known {
            Some(_) => letter::forgotten(email, &self.links.reset(&token)),
            None => letter::forgotten_without_account(email),
        };
        tx.queue_mail(&mail, now).await?;
        tx.commit().await
    }

    async fn count_mail(&self, email: &Email, origin: &Origin) -> Result<(), Error> {
        let tx = self.store.begin();
        let network = origin.network();
        let counted = network.map(Counted::From).into_iter();
        let counted: Vec<_> =
            counted.chain([Counted::FromTo(network, email), Counted::ByStrangersTo(email)]).collect();
        tx.count_mail(&counted, self.clock.now()).await?;
        tx.commit().await
    }

    async fn invitation(&self, token: OneTimeTokenHash) -> Result<Invitation, Error> {
        let tx = self.store.begin();
        let invitation = tx.invitation(token, self.clock.now()).await?;
        // No connection is held while the password is hashed.
        tx.commit().await?;
        Ok(invitation)
    }

    /// Adds an account; `false` when the address has one.
    async fn add(&self, tx: &Tx, email: &Email, claim: &Claim, proved: bool) -> Result<bool, Error> {
        let id = UserId(tx.new_id());
        let account = Account { id, email: email.clone(), name: claim.name.clone(), admin: false };
        let password = Some(claim.password.clone());
        let created_at = self.clock.now();
        tx.add_account(&NewAccount { account, password, created_at, email_verified: proved }).await
    }
}

#[cfg(test)]
mod tests;
