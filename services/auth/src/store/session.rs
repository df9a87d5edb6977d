//! Sessions, each of them a family of refresh tokens.

use caller::{BusinessId, SessionId, UserId};
use database::{Named, from_db, named, to_db};
use jiff::Timestamp;
use proto::frontdesk::events::v1::{SessionEnded, event::Payload};
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{
        account::MemberRole,
        client::Origin,
        device::DeviceId,
        password::PasswordHash,
        refresh::{Family, FamilyState, Generation},
    },
};

// The password is compared once more under a lock: a reset that ends all sessions
// either waits for this one and ends it, or this one finds the password changed.
const OPEN: &str = "INSERT INTO session
        (id, account_id, generation, rotated_at, created_at, expires_at, address, browser, device_id)
    SELECT :id, id, 1, :now, :now, :expires_at, :address, :browser, :device_id FROM account
    WHERE id = :account_id AND (:checked::text IS NULL OR password_hash = :checked) AND disabled_at IS NULL
    FOR SHARE";
pub(super) const FORGET_EXPIRED: &str =
    "DELETE FROM session WHERE account_id = :account_id AND expires_at <= :now";
pub(super) const BY_ID: &str =
    "SELECT account_id, generation, rotated_at, expires_at, ended_at IS NOT NULL AS ended
    FROM session WHERE id = :id";
pub(super) const ROTATE: &str = "UPDATE session SET generation = generation + 1, rotated_at = :now,
        address = COALESCE(:address, address), browser = COALESCE(NULLIF(:browser, ''), browser)
    WHERE id = :id AND generation = :generation AND ended_at IS NULL AND expires_at > :now";
const END: &str = "UPDATE session SET ended_at = :now, end_reason = :reason
    WHERE id = :id AND ended_at IS NULL RETURNING id, account_id";
const END_OWN: &str = "UPDATE session SET ended_at = :now, end_reason = :reason
    WHERE account_id = :account_id AND id = :id AND ended_at IS NULL AND expires_at > :now
    RETURNING id, account_id";
const END_OTHERS: &str = "UPDATE session SET ended_at = :now, end_reason = :reason
    WHERE account_id = :account_id AND id <> :id AND ended_at IS NULL AND expires_at > :now
    RETURNING id, account_id";
const END_ALL: &str = "UPDATE session SET ended_at = :now, end_reason = :reason
    WHERE account_id = :account_id AND ended_at IS NULL AND expires_at > :now RETURNING id, account_id";
pub(super) const STANDING: &str =
    "SELECT account.admin, session.account_id, session.generation, session.rotated_at,
        session.expires_at, session.ended_at IS NOT NULL AS ended,
        (SELECT string_agg(role, ',') FROM membership WHERE account_id = account.id) AS roles,
        (SELECT role FROM membership WHERE account_id = account.id AND business_id = :business_id) AS role,
        EXISTS (SELECT FROM business_name WHERE business_id = :business_id) AS business_known,
        EXISTS (SELECT FROM trusted_device AS device WHERE device.id = device_id AND device.expires_at > :now)
            AS trusted
    FROM session JOIN account ON account.id = session.account_id WHERE session.id = :id";

/// A session to open.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Its id.
    pub id: SessionId,
    /// Whose it is.
    pub person: UserId,
    /// When it is opened.
    pub opened_at: Timestamp,
    /// When it ends whatever happens.
    pub expires_at: Timestamp,
    /// Where it is opened.
    pub origin: Origin,
    /// The trusted device it is on.
    pub device: Option<DeviceId>,
}

/// What proved who opens a session.
#[derive(Debug, Clone, Copy)]
pub enum Proof<'a> {
    /// The password behind this hash.
    Password(&'a PasswordHash),
    /// A trusted third party vouched for them: an identity provider.
    Vouched,
}

/// A session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Session {
    /// Whose it is.
    pub person: UserId,
    /// Its refresh tokens.
    pub family: Family,
}

/// What a person may do in a session at this moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The session.
    pub session: Session,
    /// Whether the person runs the installation.
    pub admin: bool,
    /// The role in the business asked for.
    pub role: Option<MemberRole>,
    /// The roles in all businesses.
    pub roles: Vec<MemberRole>,
    /// Whether the business asked for is known here.
    pub business_known: bool,
    /// Whether the session is on a trusted device.
    pub trusted_device: bool,
}

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndReason {
    /// Its person signed out.
    SignedOut,
    /// An old refresh token was presented.
    TokenReused,
    /// Its person set a new password by a link.
    PasswordReset,
    /// Its person set a new password in another session.
    PasswordChanged,
    /// Its person ended it from another session.
    Ended,
    /// Its person ended all of them.
    SignedOutEverywhere,
    /// The account had not proved its address, and the address's owner came.
    TakenOver,
    /// The account was disabled.
    Disabled,
}

impl EndReason {
    const fn as_str(self) -> &'static str {
        match self {
            Self::SignedOut => "SIGNED_OUT",
            Self::TokenReused => "TOKEN_REUSED",
            Self::PasswordReset => "PASSWORD_RESET",
            Self::PasswordChanged => "PASSWORD_CHANGED",
            Self::Ended => "ENDED",
            Self::SignedOutEverywhere => "SIGNED_OUT_EVERYWHERE",
            Self::TakenOver => "TAKEN_OVER",
            Self::Disabled => "DISABLED",
        }
    }
}

#[derive(FromQueryResult)]
struct Row {
    account_id: Uuid,
    generation: i64,
    rotated_at: DateTimeUtc,
    expires_at: DateTimeUtc,
    ended: bool,
}

impl TryFrom<Row> for Session {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let generation = u32::try_from(row.generation).map_err(|_| Error::Stored("generation"))?;
        let state = if row.ended {
            FamilyState::Ended
        } else {
            FamilyState::Alive { generation: Generation(generation), rotated_at: from_db(row.rotated_at) }
        };
        let family = Family { expires_at: from_db(row.expires_at), state };
        Ok(Self { person: UserId(row.account_id), family })
    }
}

fn address(origin: &Origin) -> Option<String> {
    origin.address.map(|address| address.to_string())
}

#[derive(FromQueryResult)]
struct StandingRow {
    #[sea_orm(nested)]
    session: Row,
    admin: bool,
    role: Option<String>,
    roles: Option<String>,
    business_known: bool,
    trusted: bool,
}

impl TryFrom<StandingRow> for Standing {
    type Error = Error;
    fn try_from(row: StandingRow) -> Result<Self, Error> {
        let role = |text: &str| MemberRole::parse(text).map_err(|_| Error::Stored("role"));
        let roles = row.roles.iter().flat_map(|roles| roles.split(','));
        Ok(Self {
            session: row.session.try_into()?,
            admin: row.admin,
            role: row.role.as_deref().map(role).transpose()?,
            roles: roles.map(role).collect::<Result<_, _>>()?,
            business_known: row.business_known,
            trusted_device: row.trusted,
        })
    }
}

#[derive(FromQueryResult)]
struct EndedRow {
    id: Uuid,
    account_id: Uuid,
}

impl Tx {
    /// Opens a session, unless the password is no longer the one that was checked or the
    /// account is disabled.
    ///
    /// # Errors
    /// [`Error::WrongCredentials`].
    pub async fn open_session(&self, new: &NewSession, proof: Proof<'_>) -> Result<(), Error> {
        let checked = match proof {
            Proof::Password(hash) => Some(hash.expose()),
            Proof::Vouched => None,
        };
        let opened_at = to_db(new.opened_at);
        let values = named! {
            id: new.id.0,
            account_id: new.person.0,
            checked,
            now: opened_at,
            expires_at: to_db(new.expires_at),
            address: address(&new.origin),
            browser: new.origin.browser.as_str(),
            device_id: new.device.map(|device| device.0),
        };
        if self.execute(OPEN, values).await? != 1 {
            return Err(Error::WrongCredentials);
        }
        self.execute(FORGET_EXPIRED, named! { account_id: new.person.0, now: opened_at }).await.map(drop)
    }

    /// A session.
    pub async fn session(&self, id: SessionId) -> Result<Option<Session>, Error> {
        self.one::<Row, _>(BY_ID, named! { id: id.0 }).await
    }

    /// Advances a session from the generation `from`, and records where its browser is; `false` if a
    /// concurrent request advanced it first.
    pub async fn rotate(
        &self,
        id: SessionId,
        from: Generation,
        origin: &Origin,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let values = named! {
            id: id.0,
            generation: i64::from(from.0),
            now: to_db(now),
            address: address(origin),
            browser: origin.browser.as_str(),
        };
        Ok(self.execute(ROTATE, values).await? == 1)
    }

    /// Ends a session and publishes it; whose it was, unless it had ended.
    pub async fn end_session(
        &self,
        id: SessionId,
        why: EndReason,
        now: Timestamp,
    ) -> Result<Option<UserId>, Error> {
        let values = named! { id: id.0, now: to_db(now), reason: why.as_str() };
        Ok(self.end(END, values).await?.first().copied())
    }

    /// Ends a session of a person and publishes it.
    ///
    /// # Errors
    /// [`Error::NotFound`] when it has ended or is another person's.
    pub async fn end_session_of(
        &self,
        person: UserId,
        id: SessionId,
        why: EndReason,
        now: Timestamp,
    ) -> Result<(), Error> {
        let values = named! { account_id: person.0, now: to_db(now), reason: why.as_str(), id: id.0 };
        let ended = self.end(END_OWN, values).await?;
        if ended.is_empty() { Err(Error::NotFound("session")) } else { Ok(()) }
    }

    /// Ends every session of a person but one, and what would open another; publishes each.
    pub async fn end_other_sessions_of(
        &self,
        person: UserId,
        but: SessionId,
        why: EndReason,
        now: Timestamp,
    ) -> Result<(), Error> {
        let values = named! { account_id: person.0, now: to_db(now), reason: why.as_str(), id: but.0 };
        self.end(END_OTHERS, values).await?;
        self.forget_handoffs_of(person).await
    }

    /// Ends every session of a person, and what would open another; publishes each.
    pub async fn end_sessions_of(&self, person: UserId, why: EndReason, now: Timestamp) -> Result<(), Error> {
        let values = named! { account_id: person.0, now: to_db(now), reason: why.as_str() };
        self.end(END_ALL, values).await?;
        self.forget_handoffs_of(person).await
    }

    async fn end(&self, sql: &str, values: Named) -> Result<Vec<UserId>, Error> {
        let mut people = Vec::new();
        for EndedRow { id, account_id } in self.rows(sql, values).await? {
            people.push(UserId(account_id));
            // A session ends once, so this is the only version of it that followers see.
            let payload = Payload::SessionEnded(SessionEnded { session_id: id.to_string() });
            self.publish_change(id, 1, payload).await?;
        }
        Ok(people)
    }

    /// What the person of a session may do, in a business if one is asked for.
    pub async fn standing(
        &self,
        id: SessionId,
        business: Option<BusinessId>,
        now: Timestamp,
    ) -> Result<Option<Standing>, Error> {
        let values = named! { id: id.0, business_id: business.map(|business| business.0), now: to_db(now) };
        self.one::<StandingRow, _>(STANDING, values).await
    }
}
