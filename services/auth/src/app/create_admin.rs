//! `auth create-admin`: the way in to a fresh installation.

use anyhow::Context;
use boot::{Host, faults::Faults};
use caller::{Role, UserId};
use database::{Database, Planning, prepare};
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use super::take_over_account::take_over;
use crate::{
    Config, Error, NAME,
    domain::{
        account::{Account, LONGEST_NAME},
        email::Email,
        identity::Holder,
        one_time_token::{self, OneTimeToken},
        security_event::{NewSecurityEvent, SecurityEventKind as Kind},
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
    /// Name of a new account, or of one that has not proved its address; without one, the link asks for it.
    #[arg(long, value_parser = name)]
    pub name: Option<String>,
}

/// A name as registration takes it.
fn name(text: &str) -> Result<String, String> {
    proto::parse::public_name("name", text, LONGEST_NAME).map_err(|status| status.message().to_owned())
}

/// Makes an account ADMIN, without a password if it is new, and returns a link that sets one.
///
/// # Errors
/// When a setting is fit for a developer's machine only, when there is no public URL, or Postgres
/// can't.
pub async fn create_admin(
    config: &Config,
    admin: CreateAdmin,
    shutdown: CancellationToken,
) -> anyhow::Result<String> {
    let mut faults = Faults::of(config.service.environment);
    config.check_shared(&mut faults);
    faults.refuse()?;
    let public_url = config.public_url.as_ref().context("PUBLIC_URL is missing: the link leads there")?;
    let host = Host::new(NAME, &config.service, shutdown)?;
    prepare::<Migrator>(&config.service).await?;
    let database = Database::connect(&host, &config.service, Planning::AsPostgresChooses).await?;
    let store = Store::new(database, &host, config.sealing_key()?);
    let (token, unnamed) = promote(&store, &host, admin).await?;
    let asks_name = if unnamed { "&name=ask" } else { "" };
    Ok(format!("{public_url}/reset-password?token={}{asks_name}", token.expose()))
}

/// The token of the link, and whether its person has no name of their own yet.
async fn promote(store: &Store, host: &Host, admin: CreateAdmin) -> Result<(OneTimeToken, bool), Error> {
    let now = host.clock.now();
    let token = OneTimeToken::new(boot::random::bytes());
    let tx = store.begin();
    let (person, unnamed) = ensure_account(&tx, admin, now).await?;
    tx.make_admin(person).await?;
    let promoted = NewSecurityEvent::of(person, Kind::RoleChanged).about(Role::Admin.as_str());
    tx.record(&promoted, now).await?;
    tx.add_one_time_token(token.hash(), person, now, now + one_time_token::LIFE).await?;
    tx.commit().await?;
    tracing::info!(target: "audit", account = %person, "made admin");
    Ok((token, unnamed))
}

/// The account of an address: a new one, or the one that proved it. An account with an unproved address
/// may have been created by a stranger, so it is taken over for the person the operator names. The answer says whether
/// that person still needs a name: until the link asks for one, the part of the address before the @ serves.
async fn ensure_account(tx: &Tx, admin: CreateAdmin, now: Timestamp) -> Result<(UserId, bool), Error> {
    let CreateAdmin { email, name } = admin;
    let unnamed = name.is_none();
    let id = UserId(tx.new_id());
    let name = name.unwrap_or_else(|| email.local_part().to_owned());
    let account = Account { id, email: email.clone(), name: name.clone(), admin: true };
    if tx.add_account(&NewAccount { account, password: None, created_at: now, email_verified: true }).await? {
        tx.record(&NewSecurityEvent::of(id, Kind::Registered), now).await?;
        return Ok((id, unnamed));
    }
    let Holder { person, verified } = tx.holder(&email).await?.ok_or(Error::NotFound("account"))?;
    if verified {
        return Ok((person, false));
    }
    take_over(tx, person, None, now).await?;
    tx.rename(person, &name).await?;
    tx.verify_email(person, now).await?;
    tx.record(&NewSecurityEvent::of(person, Kind::EmailVerified), now).await?;
    Ok((person, unnamed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line_that_turns_no_direction() {
        assert_eq!(name(" Ada "), Ok("Ada".to_owned()));
        for wrong in ["", "A\nda", "Ada\u{202E}", &"x".repeat(201)] {
            assert!(name(wrong).is_err(), "{wrong:?}");
        }
    }
}
