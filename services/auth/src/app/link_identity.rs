//! People as a provider vouches for them, and the accounts they have with us.

use std::sync::Arc;

use boot::clock::Clock;
use caller::UserId;

use crate::{
    Error,
    app::{
        check_password::Confirmed,
        open_session::{Granted, SessionOpener},
        take_over_account::take_over,
    },
    domain::{
        account::Account,
        client::{Client, Origin},
        code_flow::{CodeVerifier, RedirectUri, Taker},
        identity::{IdentityId, Meeting, Vouched, can_do_without, meet},
        letter,
        security_event::{NewSecurityEvent, SecurityEventKind},
    },
    provider::Provider,
    store::{Identity, NewAccount, Proof, Store, Tx},
};

/// Knows whose account a provider's person has.
#[derive(Debug, Clone)]
pub struct Identities {
    provider: Option<Arc<Provider>>,
    /// Where pages of ours are served from.
    origins: Vec<String>,
    store: Store,
    clock: Clock,
}

/// A code as a page brings it back.
#[derive(Debug)]
pub struct Code {
    /// The code.
    pub code: String,
    /// The secret of its flow.
    pub verifier: String,
    /// Where the provider sent it.
    pub redirect_uri: String,
}

impl Identities {
    /// Identities at a provider, where there is one.
    #[must_use]
    pub fn new(provider: Option<Provider>, origins: Vec<String>, store: Store, clock: Clock) -> Self {
        Self { provider: provider.map(Arc::new), origins, store, clock }
    }

    /// The provider.
    ///
    /// # Errors
    /// [`Error::NoProvider`].
    pub fn provider(&self) -> Result<&Provider, Error> {
        self.provider.as_deref().ok_or(Error::NoProvider)
    }

    /// An address of ours that takes the provider's answer.
    ///
    /// # Errors
    /// [`Error::Invalid`] naming `redirect_uri`.
    pub fn redirect_uri(&self, text: &str, taker: Taker) -> Result<RedirectUri, Error> {
        RedirectUri::parse(text, taker, self.origins.iter().map(String::as_str))
            .map_err(|rule| Error::invalid("redirect_uri", rule))
    }

    /// Who is behind a code that a page brings back.
    ///
    /// # Errors
    /// [`Error::Invalid`] naming the field, and what [`Provider::exchange`] says.
    pub async fn behind(&self, code: Code) -> Result<Vouched, Error> {
        let provider = self.provider()?;
        let Code { code, verifier, redirect_uri } = code;
        if code.is_empty() {
            return Err(Error::invalid("code", "is required"));
        }
        let verifier =
            CodeVerifier::parse(&verifier).map_err(|rule| Error::invalid("code_verifier", rule))?;
        let redirect_uri = self.redirect_uri(&redirect_uri, Taker::Page)?;
        provider.exchange(code, &verifier, &redirect_uri).await
    }

    /// Opens a session for a vouched-for person.
    ///
    /// # Errors
    /// [`Error::AccountExists`], [`Error::Disabled`].
    pub async fn sign_in(
        &self,
        opener: &SessionOpener,
        vouched: &Vouched,
        client: &Client,
    ) -> Result<Granted, Error> {
        let (tx, account) = self.account_of(vouched, &client.origin).await?;
        open(opener, tx, account, client).await
    }

    /// The account of a vouched-for person, made or taken over where need be, and the transaction
    /// that did it.
    ///
    /// # Errors
    /// [`Error::AccountExists`].
    pub async fn account_of(&self, vouched: &Vouched, origin: &Origin) -> Result<(Tx, Account), Error> {
        loop {
            let tx = self.store.begin();
            if let Some(account) = self.met(&tx, vouched, origin).await? {
                return Ok((tx, account));
            }
            // A concurrent request added the same account or identity: decide again on the new state.
        }
    }

    async fn met(&self, tx: &Tx, vouched: &Vouched, origin: &Origin) -> Result<Option<Account>, Error> {
        // In this order: an account and its identity are created together, so a transaction that sees
        // the account also sees its identity.
        let holder = tx.holder(&vouched.email).await?;
        let known = tx.identity_owner(vouched).await?;
        match meet(known, holder).map_err(|_| Error::AccountExists)? {
            Meeting::Known(person) => {
                tx.identity_told(vouched).await?;
                tx.account(person).await.map(Some)
            }
            Meeting::New => self.make(tx, vouched, origin).await,
            Meeting::TakesOver(person) => {
                let now = self.clock.now();
                take_over(tx, person, None, now).await?;
                tx.verify_email(person, now).await?;
                self.attach(tx, person, vouched, origin).await?;
                tx.account(person).await.map(Some)
            }
        }
    }

    async fn make(&self, tx: &Tx, vouched: &Vouched, origin: &Origin) -> Result<Option<Account>, Error> {
        let name = vouched.name.clone().unwrap_or_else(|| vouched.email.local_part().to_owned());
        let account = Account { id: UserId(tx.new_id()), email: vouched.email.clone(), name, admin: false };
        let now = self.clock.now();
        let new =
            NewAccount { account: account.clone(), password: None, created_at: now, email_verified: true };
        if !tx.add_account(&new).await? {
            return Ok(None);
        }
        let event = NewSecurityEvent::of(account.id, SecurityEventKind::Registered).from(origin);
        tx.record(&event, now).await?;
        Ok(self.attach(tx, account.id, vouched, origin).await?.then_some(account))
    }

    /// Connects an identity; `false` if a concurrent request was faster.
    async fn attach(
        &self,
        tx: &Tx,
        person: UserId,
        vouched: &Vouched,
        origin: &Origin,
    ) -> Result<bool, Error> {
        let now = self.clock.now();
        let added = tx.add_identity(person, vouched, now).await?;
        if added {
            let event = NewSecurityEvent::of(person, SecurityEventKind::IdentityConnected).from(origin);
            tx.record(&event.about(vouched.email.as_str()), now).await?;
        }
        Ok(added)
    }

    /// A person's identities.
    pub async fn of(&self, person: UserId) -> Result<Vec<Identity>, Error> {
        let tx = self.store.begin();
        let identities = tx.identities(person).await?;
        tx.commit().await?;
        Ok(identities)
    }

    /// Connects an identity to a person who has shown their password, and tells them by mail;
    /// connected to them already, it stays.
    ///
    /// # Errors
    /// [`Error::IdentityTaken`], [`Error::Invalid`] naming `current_password`.
    pub async fn connect(&self, confirmed: &Confirmed, vouched: &Vouched) -> Result<Identity, Error> {
        let Confirmed { account, password, origin } = confirmed;
        let person = account.id;
        let tx = self.store.begin();
        tx.keep_password(person, password.as_ref()).await?;
        if self.attach(&tx, person, vouched, origin).await? {
            let letter = letter::identity_connected(&account.email, &vouched.email);
            tx.queue_mail(&letter, self.clock.now()).await?;
        } else if tx.identity_owner(vouched).await? != Some(person) {
            return Err(Error::IdentityTaken);
        }
        let id = tx.identity_id(vouched).await?;
        let identities = tx.identities(person).await?;
        tx.commit().await?;
        identities.into_iter().find(|identity| Some(identity.id) == id).ok_or(Error::IdentityTaken)
    }

    /// Disconnects an identity of a person who has shown their password, and tells them by mail.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::LastWayIn`], [`Error::Invalid`] naming `current_password`.
    pub async fn disconnect(&self, confirmed: &Confirmed, id: IdentityId) -> Result<(), Error> {
        let Confirmed { account, password, origin } = confirmed;
        let (person, now) = (account.id, self.clock.now());
        let tx = self.store.begin();
        // Of two at once the second waits here, and sees that one is left.
        tx.keep_password(person, password.as_ref()).await?;
        let identities = tx.identities(person).await?;
        let identity =
            identities.iter().find(|identity| identity.id == id).ok_or(Error::NotFound("identity"))?;
        if !can_do_without(password.is_some(), identities.len()) {
            return Err(Error::LastWayIn);
        }
        tx.remove_identity(id, person).await?;
        tx.forget_handoffs_of(person).await?;
        let event = NewSecurityEvent::of(person, SecurityEventKind::IdentityDisconnected).from(origin);
        tx.record(&event.about(identity.email.as_str()), now).await?;
        tx.queue_mail(&letter::identity_disconnected(&account.email, &identity.email), now).await?;
        tx.commit().await
    }
}

/// Opens a session for who needs no password.
pub(crate) async fn open(
    opener: &SessionOpener,
    tx: Tx,
    account: Account,
    client: &Client,
) -> Result<Granted, Error> {
    opener.open(tx, account, client, Proof::Vouched).await.map_err(|error| match error {
        // Nothing else stands between a vouched-for person and their account.
        Error::WrongCredentials => Error::Disabled,
        other => other,
    })
}
