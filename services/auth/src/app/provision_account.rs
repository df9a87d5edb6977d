//! Accounts and memberships that other services provide people with.

use boot::clock::Clock;
use caller::{BusinessId, UserId};

use super::change_role::set_role;
use crate::{
    Error,
    credentials::hashing::Hasher,
    domain::{
        account::{Account, MemberRole},
        email::Email,
        password::Password,
        security_event::{NewSecurityEvent, SecurityEventKind},
    },
    store::{NewAccount, Store},
};

/// Provisions accounts and memberships.
#[derive(Debug)]
pub(crate) struct ProvisionAccount {
    pub store: Store,
    pub hasher: Hasher,
    pub clock: Clock,
}

/// A person who is to have an account.
#[derive(Debug)]
pub(crate) struct Provisioned {
    /// The account's id, if the service has chosen one.
    pub id: Option<UserId>,
    /// How they sign in.
    pub email: Email,
    /// What they are called.
    pub name: String,
    /// Whether they run the installation.
    pub admin: bool,
    /// Their password.
    pub password: Password,
}

impl ProvisionAccount {
    /// The account of an e-mail, which is added if there is none.
    ///
    /// # Errors
    /// [`Error::IdTaken`], [`Error::TooManyHashes`].
    pub(crate) async fn ensure(&self, person: Provisioned) -> Result<UserId, Error> {
        let tx = self.store.begin();
        let known = tx.credentials(&person.email).await?;
        // No connection is held while the password is hashed.
        tx.commit().await?;
        match known {
            Some(known) => Ok(known.account.id),
            None => self.add(person).await,
        }
    }

    /// Adds an account, or finds the one that was added with its e-mail meanwhile.
    async fn add(&self, person: Provisioned) -> Result<UserId, Error> {
        let Provisioned { id, email, name, admin, password } = person;
        let password = Some(self.hasher.hash(password).await?);
        let (id, now) = (id.unwrap_or_else(|| UserId(self.clock.new_id())), self.clock.now());
        let account = Account { id, email: email.clone(), name, admin };
        let tx = self.store.begin();
        let new = NewAccount { account, password, created_at: now, email_verified: true };
        let id = if tx.add_account(&new).await? {
            tx.record(&NewSecurityEvent::of(id, SecurityEventKind::Registered), now).await?;
            id
        } else {
            tx.credentials(&email).await?.ok_or(Error::NotFound("account"))?.account.id
        };
        tx.commit().await?;
        Ok(id)
    }

    /// Gives a person a role in a business, or none.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a person there is not.
    pub(crate) async fn set_membership(
        &self,
        person: UserId,
        business: BusinessId,
        role: Option<MemberRole>,
    ) -> Result<(), Error> {
        let tx = self.store.begin_in(business);
        let before = tx.lock_role(person, business).await?;
        if set_role(&tx, person, business, role).await? {
            let event = NewSecurityEvent::of_role(person, business, before, role);
            tx.record(&event, self.clock.now()).await?;
        }
        tx.commit().await
    }
}
