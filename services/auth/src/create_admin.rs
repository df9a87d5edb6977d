//! `auth create-admin`: the way in to a fresh installation.

use anyhow::Context;
use boot::{
    Host,
    postgres::{Database, migrate},
};
use caller::UserId;
use outbox::Wake;
use tokio_util::sync::CancellationToken;

use crate::{
    Config, Error, NAME,
    domain::{
        account::Account,
        email::Email,
        one_time_token::{self, OneTimeToken},
    },
    migration::Migrator,
    store::{NewAccount, Store, Tx},
};

/// Flags of `auth create-admin`.
#[derive(Debug, Clone, clap::Args)]
pub struct CreateAdmin {
    /// E-mail of the account, new or existing.
    #[arg(long, value_parser = Email::parse)]
    pub email: Email,
    /// Name of a new account; without one, what stands before the @.
    #[arg(long)]
    pub name: Option<String>,
}

/// Makes an account ADMIN, without a password if it is new, and returns a link that sets one.
///
/// # Errors
/// When there is no public URL, or Postgres can't.
pub async fn create_admin(
    config: &Config,
    admin: CreateAdmin,
    shutdown: CancellationToken,
) -> anyhow::Result<String> {
    let public_url = config.public_url.as_ref().context("PUBLIC_URL is missing: the link leads there")?;
    let host = Host::new(NAME, &config.service, shutdown)?;
    migrate::<Migrator>(config.service.migration_url.expose()).await?;
    let database = Database::connect(&host, &config.service).await?;
    let store = Store::new(database, &host, Wake::new(&host), config.sealing_key()?);
    let token = promote(&store, &host, admin).await?;
    Ok(format!("{public_url}/reset-password?token={}", token.expose()))
}

async fn promote(store: &Store, host: &Host, admin: CreateAdmin) -> Result<OneTimeToken, Error> {
    let now = host.clock.now();
    let token = OneTimeToken::new(boot::random::bytes());
    let tx = store.begin().await?;
    let id = ensure_account(&tx, admin, now).await?;
    tx.make_admin(id).await?;
    tx.add_one_time_token(token.hash(), id, now, now + one_time_token::LIFE).await?;
    tx.commit().await?;
    Ok(token)
}

async fn ensure_account(tx: &Tx, admin: CreateAdmin, now: jiff::Timestamp) -> Result<UserId, Error> {
    let CreateAdmin { email, name } = admin;
    let id = UserId(tx.new_id());
    let name = name.unwrap_or_else(|| email.local_part().to_owned());
    let account = Account { id, email: email.clone(), name, admin: true };
    if tx.add_account(&NewAccount { account, password: None, created_at: now, email_verified: true }).await? {
        return Ok(id);
    }
    let known = tx.credentials(&email).await?.ok_or(Error::NotFound("account"))?;
    Ok(known.account.id)
}
