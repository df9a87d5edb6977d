//! Sessions, each of them a family of refresh tokens.

use boot::postgres::{from_db, to_db};
use caller::{BusinessId, SessionId, UserId};
use jiff::Timestamp;
use proto::frontdesk::events::v1::{SessionEnded, event::Payload};
use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Tx, statement};
use crate::{
    Error,
    domain::{
        account::MemberRole,
        password::PasswordHash,
        refresh::{Family, FamilyState, Generation},
    },
};

// The password is compared once more under a lock: a reset that ends all sessions
// either waits for this one and ends it, or this one finds the password changed.
const OPEN: &str = "INSERT INTO session (id, account_id, generation, rotated_at, created_at, expires_at)
    SELECT $1, id, 1, $4, $4, $5 FROM account WHERE id = $2 AND password_hash = $3 FOR SHARE";
pub(super) const FORGET_EXPIRED: &str = "DELETE FROM session WHERE account_id = $1 AND expires_at <= $2";
pub(super) const BY_ID: &str =
    "SELECT account_id, generation, rotated_at, expires_at, ended_at IS NOT NULL AS ended
    FROM session WHERE id = $1";
pub(super) const ROTATE: &str = "UPDATE session SET generation = generation + 1, rotated_at = $3
    WHERE id = $1 AND generation = $2 AND ended_at IS NULL AND expires_at > $3";
const END: &str = "UPDATE session SET ended_at = $2, end_reason = $3
    WHERE id = $1 AND ended_at IS NULL RETURNING id";
const END_ALL: &str = "UPDATE session SET ended_at = $2, end_reason = $3
    WHERE account_id = $1 AND ended_at IS NULL AND expires_at > $2 RETURNING id";
pub(super) const STANDING: &str =
    "SELECT account.admin, session.account_id, session.generation, session.rotated_at,
        session.expires_at, session.ended_at IS NOT NULL AS ended,
        (SELECT string_agg(role, ',') FROM membership WHERE account_id = account.id) AS roles,
        (SELECT role FROM membership WHERE account_id = account.id AND business_id = $2) AS role
    FROM session JOIN account ON account.id = session.account_id WHERE session.id = $1";

/// A session to open.
#[derive(Debug, Clone, Copy)]
pub struct NewSession {
    /// Its id.
    pub id: SessionId,
    /// Whose it is.
    pub person: UserId,
    /// When it is opened.
    pub opened_at: Timestamp,
    /// When it ends whatever happens.
    pub expires_at: Timestamp,
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
}

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndReason {
    /// Its person signed out.
    SignedOut,
    /// An old refresh token was presented.
    TokenReused,
    /// Its person set a new password.
    PasswordReset,
}

impl EndReason {
    const fn as_str(self) -> &'static str {
        match self {
            Self::SignedOut => "SIGNED_OUT",
            Self::TokenReused => "TOKEN_REUSED",
            Self::PasswordReset => "PASSWORD_RESET",
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
        })
    }
}

impl Tx {
    /// Opens a session, unless the password is no longer the one that was checked.
    ///
    /// # Errors
    /// [`Error::WrongCredentials`].
    pub async fn open_session(&self, new: &NewSession, checked: &PasswordHash) -> Result<(), Error> {
        let opened_at = to_db(new.opened_at);
        let values = [
            new.id.0.into(),
            new.person.0.into(),
            checked.expose().into(),
            opened_at.into(),
            to_db(new.expires_at).into(),
        ];
        if self.execute(OPEN, values).await? != 1 {
            return Err(Error::WrongCredentials);
        }
        self.execute(FORGET_EXPIRED, [new.person.0.into(), opened_at.into()]).await.map(drop)
    }

    /// A session.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn session(&self, id: SessionId) -> Result<Option<Session>, Error> {
        self.one::<Row, _>(BY_ID, [id.0.into()]).await
    }

    /// Counts a session on from the generation `from`; `false` when somebody else has.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn rotate(&self, id: SessionId, from: Generation, now: Timestamp) -> Result<bool, Error> {
        let values = [id.0.into(), i64::from(from.0).into(), to_db(now).into()];
        Ok(self.execute(ROTATE, values).await? == 1)
    }

    /// Ends a session and announces it, unless it has ended.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn end_session(&self, id: SessionId, why: EndReason, now: Timestamp) -> Result<(), Error> {
        self.end(END, id.0, why, now).await
    }

    /// Ends every session of a person and announces each.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn end_sessions_of(&self, person: UserId, why: EndReason, now: Timestamp) -> Result<(), Error> {
        self.end(END_ALL, person.0, why, now).await
    }

    async fn end(&self, sql: &str, whose: Uuid, why: EndReason, now: Timestamp) -> Result<(), Error> {
        let values = [whose.into(), to_db(now).into(), why.as_str().into()];
        for row in self.sql.query_all_raw(statement(sql, values)).await? {
            let id: Uuid = row.try_get("", "id")?;
            // A session ends once, so this is the only version of it that followers see.
            let payload = Payload::SessionEnded(SessionEnded { session_id: id.to_string() });
            self.announce(id, 1, payload).await?;
        }
        Ok(())
    }

    /// What the person of a session may do, in a business if one is asked for.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn standing(
        &self,
        id: SessionId,
        business: Option<BusinessId>,
    ) -> Result<Option<Standing>, Error> {
        let business = business.map(|business| business.0);
        let row = self.sql.query_one_raw(statement(STANDING, [id.0.into(), business.into()])).await?;
        row.map(Standing::try_from).transpose()
    }
}
