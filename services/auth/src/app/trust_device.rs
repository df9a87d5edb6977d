//! How a browser becomes a trusted device: a mailed code, shown in the session that asked.

use boot::clock::Clock;
use caller::{SessionId, UserId};
use jiff::Timestamp;

use crate::{
    Error,
    domain::{
        client::Client,
        device::{DeviceId, DeviceToken},
        device_code::{self, CodeKey, DeviceCode},
        email::Email,
        mail::Mail,
        security_event::{NewSecurityEvent, SecurityEventKind},
    },
    store::{Store, Tx},
};

/// Mails codes and trusts the devices that show them.
#[derive(Debug, Clone)]
pub struct Devices {
    store: Store,
    key: CodeKey,
    clock: Clock,
}

impl Devices {
    /// Devices of a store.
    #[must_use]
    pub fn new(store: Store, key: CodeKey, clock: Clock) -> Self {
        Self { store, key, clock }
    }

    /// Mails a code for a session; when it stops working.
    ///
    /// # Errors
    /// [`Error::TooManyCodes`].
    pub async fn ask(&self, person: UserId, session: SessionId) -> Result<Timestamp, Error> {
        let now = self.clock.now();
        let code = DeviceCode::new(boot::random::bytes());
        let tx = self.store.begin();
        let id = tx.new_id();
        tx.add_device_code(id, person, session, self.key.mac(id, &code), now).await?;
        let account = tx.account(person).await?;
        tx.queue_mail(&mail(account.email, &code), now).await?;
        tx.commit().await?;
        Ok(now + device_code::LIFE)
    }

    /// Trusts the device of a session that shows its code.
    ///
    /// # Errors
    /// [`Error::WrongCode`], [`Error::SessionOver`].
    pub async fn confirm(
        &self,
        person: UserId,
        session: SessionId,
        code: &DeviceCode,
        client: &Client,
    ) -> Result<DeviceToken, Error> {
        let now = self.clock.now();
        let tx = self.store.begin();
        let standing = tx.session(session).await?;
        if !standing.is_some_and(|standing| standing.person == person && standing.family.is_alive(now)) {
            return Err(Error::SessionOver);
        }
        let open = tx.open_device_code(person, session, now).await?;
        if !self.key.is_behind(open.id, code, &open.mac) {
            tx.wrong_device_code(open.id, now).await?;
            self.finish(tx, person, SecurityEventKind::DeviceCodeFailed, client, now).await?;
            return Err(Error::WrongCode);
        }
        tx.spend_device_code(open.id, now).await?;
        let device = DeviceToken::new(DeviceId(tx.new_id()), boot::random::bytes());
        tx.add_device(person, &device, &client.origin.browser, now).await?;
        tx.set_device(session, device.id).await?;
        self.finish(tx, person, SecurityEventKind::DeviceTrusted, client, now).await?;
        Ok(device)
    }

    /// Trusts a device of a person no more, as they ask in a session.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such device of this person.
    pub async fn revoke(&self, person: UserId, session: SessionId, device: DeviceId) -> Result<(), Error> {
        let tx = self.store.begin();
        let origin = tx.origin_of(session).await?;
        tx.revoke_device(person, device).await?;
        let event = NewSecurityEvent::of(person, SecurityEventKind::DeviceRevoked).from(&origin);
        tx.record(&event, self.clock.now()).await?;
        tx.commit().await
    }

    async fn finish(
        &self,
        tx: Tx,
        person: UserId,
        kind: SecurityEventKind,
        client: &Client,
        now: Timestamp,
    ) -> Result<(), Error> {
        tx.record(&NewSecurityEvent::of(person, kind).from(&client.origin), now).await?;
        tx.commit().await
    }
}

fn mail(to: Email, code: &DeviceCode) -> Mail {
    let code = code.expose();
    let text = format!(
        "Your code is {code}.\n\n\
         Type it where you were asked for it, within ten minutes. From then on Frontdesk trusts that browser \
         for 90 days.\n\n\
         If you did not ask for a code, someone else is signed in to your account: change your password and \
         end the sessions you don't know.\n"
    );
    // Not in the subject: that shows on locked screens.
    Mail { to, subject: "Your Frontdesk code".to_owned(), text }
}
