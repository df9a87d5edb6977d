//! Sessions, each of them a family of refresh tokens.

use caller::{BusinessId, SessionId, UserId};
use database::{from_db, to_db};
use jiff::Timestamp;
use proto::frontdesk::events::v1::{SessionEnded, event::Payload};
use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult, Statement, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Tx, statement};
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
    SELECT $1, id, 1, $4, $4, $5, $6, $7, $8 FROM account
    WHERE id = $2 AND ($3::text IS NULL OR password_hash = $3) AND disabled_at IS NULL FOR SHARE";
pub(super) const FORGET_EXPIRED: &str = "DELETE FROM session WHERE account_id = $1 AND expires_at <= $2";
pub(super) const BY_ID: &str =
    "SELECT account_id, generation, rotated_at, expires_at, ended_at IS NOT NULL AS ended
    FROM session WHERE id = $1";
pub(super) const ROTATE: &str = "UPDATE session SET generation = generation + 1, rotated_at = $3,
        address = COALESCE($4, address), browser = COALESCE(NULLIF($5, ''), browser)
    WHERE id = $1 AND generation = $2 AND ended_at IS NULL AND expires_at > $3";
const END: &str = "UPDATE session SET ended_at = $2, end_reason = $3
    WHERE id = $1 AND ended_at IS NULL RETURNING id, account_id";
const END_OWN: &str = "UPDATE session SET ended_at = $2, end_reason = $3
    WHERE account_id = $1 AND id = $4 AND ended_at IS NULL AND expires_at > $2 RETURNING id, account_id";
const END_OTHERS: &str = "UPDATE session SET ended_at = $2, end_reason = $3
    WHERE account_id = $1 AND id <> $4 AND ended_at IS NULL AND expires_at > $2 RETURNING id, account_id";
const END_ALL: &str = "UPDATE session SET ended_at = $2, end_reason = $3
    WHERE account_id = $1 AND ended_at IS NULL AND expires_at > $2 RETURNING id, account_id";
pub(super) const STANDING: &str =
    "SELECT account.admin, session.account_id, session.generation, session.rotated_at,
        session.expires_at, session.ended_at IS NOT NULL AS ended,
        (SELECT string_agg(role, ',') FROM membership WHERE account_id = account.id) AS roles,
        (SELECT role FROM membership WHERE account_id = account.id AND business_id = $2) AS role,
        EXISTS (SELECT FROM business_name WHERE business_id = $2) AS business_known,
        EXISTS (SELECT FROM trusted_device AS device WHERE device.id = device_id AND device.expires_at > $3)
            AS trusted
    FROM session JOIN account ON account.id = session.account_id WHERE session.id = $1";

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

impl TryFrom<QueryResult> for Standing {
    type Error = Error;
    fn try_from(row: QueryResult) -> Result<Self, Error> {
        let role = |text: &str| MemberRole::parse(text).map_err(|_| Error::Stored("role"));
        let roles: Option<String> = row.try_get("", "roles")?;
        let roles = roles.iter().flat_map(|roles| roles.split(','));
        Ok(Self {
            session: Row::from_query_result(&row, "")?.try_into()?,
            admin: row.try_get("", "admin")?,
            role: row.try_get::<Option<String>>("", "role")?.as_deref().map(role).transpose()?,
            roles: roles.map(role).collect::<Result<_, _>>()?,
            business_known: row.try_get("", "business_known")?,
            trusted_device: row.try_get("", "trusted")?,
        })
    }
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
        let values = [
            new.id.0.into(),
            new.person.0.into(),
            checked.into(),
            opened_at.into(),
            to_db(new.expires_at).into(),
            address(&new.origin).into(),
            new.origin.browser.as_str().into(),
            new.device.map(|device| device.0).into(),
        ];
        if self.execute(OPEN, values).await? != 1 {
            return Err(Error::WrongCredentials);
        }
        self.execute(FORGET_EXPIRED, [new.person.0.into(), opened_at.into()]).await.map(drop)
    }

    /// A session.
    pub async fn session(&self, id: SessionId) -> Result<Option<Session>, Error> {
        self.one::<Row, _>(BY_ID, [id.0.into()]).await
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
        let values = [
            id.0.into(),
            i64::from(from.0).into(),
            to_db(now).into(),
            address(origin).into(),
            origin.browser.as_str().into(),
        ];
        Ok(self.execute(ROTATE, values).await? == 1)
    }

    /// Ends a session and publishes it; whose it was, unless it had ended.
    pub async fn end_session(
        &self,
        id: SessionId,
        why: EndReason,
        now: Timestamp,
    ) -> Result<Option<UserId>, Error> {
        let values = [id.0.into(), to_db(now).into(), why.as_str().into()];
        Ok(self.end(statement(END, values)).await?.first().copied())
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
        let values = [person.0.into(), to_db(now).into(), why.as_str().into(), id.0.into()];
        let ended = self.end(statement(END_OWN, values)).await?;
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
        let values = [person.0.into(), to_db(now).into(), why.as_str().into(), but.0.into()];
        self.end(statement(END_OTHERS, values)).await?;
        self.forget_handoffs_of(person).await
    }

    /// Ends every session of a person, and what would open another; publishes each.
    pub async fn end_sessions_of(&self, person: UserId, why: EndReason, now: Timestamp) -> Result<(), Error> {
        let values = [person.0.into(), to_db(now).into(), why.as_str().into()];
        self.end(statement(END_ALL, values)).await?;
        self.forget_handoffs_of(person).await
    }

    async fn end(&self, ending: Statement) -> Result<Vec<UserId>, Error> {
        let mut people = Vec::new();
        for row in self.open().await?.query_all_raw(ending).await? {
            let id: Uuid = row.try_get("", "id")?;
            people.push(UserId(row.try_get("", "account_id")?));
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
        let values = [id.0.into(), business.map(|business| business.0).into(), to_db(now).into()];
        let row = self.open().await?.query_one_raw(statement(STANDING, values)).await?;
        row.map(Standing::try_from).transpose()
    }
}
