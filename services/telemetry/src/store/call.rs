//! Calls.

use database::{from_db, to_db};
use jiff::Timestamp;
use proto::frontdesk::events::v1::{CallChanged, event::Payload};
use sea_orm::{ConnectionTrait, FromQueryResult, JsonValue, Value, prelude::DateTimeUtc};
use uuid::Uuid;

use super::Tx;
use crate::{
    domain::{
        AppointmentId, CallId, CustomerId,
        call::{Call, CallState, CustomerLink, Identity, Listed},
        facts::{End, Facts},
        outcome::Outcome,
        phone::Phone,
        transcript::Transcript,
    },
    error::Error,
};

#[derive(Debug, FromQueryResult)]
struct Row {
    id: Uuid,
    version: i64,
    platform: Option<String>,
    from_number: Option<String>,
    to_number: Option<String>,
    first_seen_at: DateTimeUtc,
    reported_start: Option<DateTimeUtc>,
    end_seen_at: Option<DateTimeUtc>,
    reported_end: Option<DateTimeUtc>,
    summary: Option<String>,
    agent_version: i32,
    disconnection_reason: Option<String>,
    claim: Option<String>,
    customer_id: Option<Uuid>,
    customer_name: Option<String>,
    customer_linked_at: Option<DateTimeUtc>,
    outcome: Option<String>,
}

/// Every column of [`Row`].
const COLUMNS: &str =
    "id, version, platform, from_number, to_number, first_seen_at, reported_start, end_seen_at,
    reported_end, summary, agent_version, disconnection_reason, claim, customer_id, customer_name,
    customer_linked_at, outcome";

/// The appointments of the call `c`, in the order of the runs that touched them first.
const APPOINTMENTS: &str =
    "(SELECT COALESCE(json_agg(a.appointment_id ORDER BY a.first, a.appointment_id), '[]')
    FROM (SELECT t.appointment_id, min(t.started_at) AS first FROM tool_call t
          WHERE t.business_id = c.business_id AND t.call_id = c.id AND t.appointment_id IS NOT NULL
          GROUP BY t.appointment_id) a) AS appointments";

/// Where a page of the list begins: after this call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct After {
    /// When it started.
    pub started_at: Timestamp,
    /// Which.
    pub id: CallId,
}

impl Tx {
    /// The call of an identity, locked; opened when nothing was told of it yet.
    pub async fn call(&self, identity: &Identity, seen: Timestamp) -> Result<Call, Error> {
        let sql = "INSERT INTO call (business_id, id, connection_id, platform_call_id, first_seen_at)
                   VALUES ($1, $2, $3, $4, $5) ON CONFLICT ON CONSTRAINT call_identity DO NOTHING";
        let (connection, platform_call_id) = (identity.connection.0, identity.platform_call_id.as_str());
        let values = [
            self.business.0.into(),
            self.new_id::<Uuid>().into(),
            connection.into(),
            platform_call_id.into(),
            to_db(seen).into(),
        ];
        self.execute(sql, values).await?;
        let values = [self.business.0.into(), connection.into(), platform_call_id.into()];
        self.locked(&by_identity_sql(), values).await
    }

    /// A call, locked.
    ///
    /// # Errors
    /// When there is none.
    pub async fn call_by_id(&self, id: CallId) -> Result<Call, Error> {
        self.locked(&by_id_sql(), [self.business.0.into(), id.0.into()]).await
    }

    async fn locked(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<Call, Error> {
        let row = self.row::<Row>(sql, values).await?.ok_or(Error::NotFound("call"))?;
        let transcript = self.transcript(CallId(row.id)).await?;
        Ok(row.into_call(transcript))
    }

    /// Keeps a changed call and says so in the log.
    pub async fn save(&self, before: &Call, after: &Call) -> Result<(), Error> {
        let facts = &after.facts;
        self.rewrite_transcript(after.id, &before.facts.transcript, &facts.transcript).await?;
        let outcome = match after.state() {
            CallState::Live => None,
            CallState::Ended { outcome, .. } => Some(outcome.name()),
        };
        let sql = "UPDATE call SET version = $3, platform = $4, from_number = $5, to_number = $6,
                   first_seen_at = $7, reported_start = $8, end_seen_at = $9, reported_end = $10, summary = $11,
                   agent_version = $12, disconnection_reason = $13, claim = $14, customer_id = $15,
                   customer_name = $16, customer_linked_at = $17, outcome = $18
                   WHERE business_id = $1 AND id = $2";
        let customer = after.customer.as_ref();
        let values = [
            self.business.0.into(),
            after.id.0.into(),
            (before.version + 1).into(),
            facts.platform.clone().into(),
            facts.from.as_ref().map(Phone::as_str).into(),
            facts.to.as_ref().map(Phone::as_str).into(),
            to_db(facts.first_seen).into(),
            facts.started.map(to_db).into(),
            facts.ended.map(|end| to_db(end.seen)).into(),
            facts.ended.and_then(|end| end.reported).map(to_db).into(),
            facts.summary.clone().into(),
            facts.agent_version.into(),
            facts.disconnection.clone().into(),
            after.claim.map(Outcome::name).into(),
            customer.map(|link| link.customer.0).into(),
            customer.map(|link| link.name.clone()).into(),
            customer.map(|link| to_db(link.at)).into(),
            outcome.into(),
        ];
        self.execute(sql, values).await?;
        self.announce_call(after.id, before.version + 1).await
    }

    async fn announce_call(&self, call: CallId, version: i64) -> Result<(), Error> {
        let payload = Payload::Call(CallChanged { call_id: call.to_string() });
        self.publish_change(call.0, version, payload).await
    }

    /// Calls from the newest on, at most `limit`.
    pub async fn calls(&self, after: Option<After>, limit: u32) -> Result<Vec<Listed>, Error> {
        let after = after.unwrap_or(After { started_at: Timestamp::MAX, id: CallId(Uuid::max()) });
        let sql = page_sql();
        let values = [
            self.business.0.into(),
            to_db(after.started_at).into(),
            after.id.0.into(),
            i64::from(limit).into(),
        ];
        let rows = self.open().await?.query_all_raw(database::statement(&sql, values)).await?;
        rows.iter().map(listed).collect()
    }

    /// One call as lists show it.
    ///
    /// # Errors
    /// When there is none.
    pub async fn listed(&self, id: CallId) -> Result<Listed, Error> {
        let sql = format!("SELECT {COLUMNS}, {APPOINTMENTS} FROM call c WHERE business_id = $1 AND id = $2");
        let row = self
            .open()
            .await?
            .query_one_raw(database::statement(&sql, [self.business.0.into(), id.0.into()]))
            .await?;
        listed(&row.ok_or(Error::NotFound("call"))?)
    }
}

pub(super) fn by_identity_sql() -> String {
    format!(
        "SELECT {COLUMNS} FROM call
         WHERE business_id = $1 AND connection_id = $2 AND platform_call_id = $3 FOR UPDATE"
    )
}

pub(super) fn by_id_sql() -> String {
    format!("SELECT {COLUMNS} FROM call WHERE business_id = $1 AND id = $2 FOR UPDATE")
}

/// One page of the list.
pub(super) fn page_sql() -> String {
    format!(
        "SELECT {COLUMNS}, {APPOINTMENTS} FROM call c
         WHERE business_id = $1 AND (started_at, id) < ($2, $3)
         ORDER BY started_at DESC, id DESC LIMIT $4"
    )
}

fn listed(row: &sea_orm::QueryResult) -> Result<Listed, Error> {
    let appointments: JsonValue = row.try_get("", "appointments")?;
    let row = Row::from_query_result(row, "")?;
    let id = row.id;
    let unreadable = || Error::Unreadable { table: "call", id: id.to_string() };
    let appointments: Vec<Uuid> = serde_json::from_value(appointments).map_err(|_| unreadable())?;
    let decided =
        row.outcome.as_deref().map(|name| Outcome::parse(name).ok_or_else(unreadable)).transpose()?;
    let call = row.into_call(Transcript::default());
    let state = match (call.facts.ended_at(), decided) {
        (Some(at), Some(outcome)) => CallState::Ended { at, outcome },
        _ => CallState::Live,
    };
    Ok(Listed {
        id: call.id,
        state,
        started_at: call.facts.started_at(),
        from: call.facts.from,
        to: call.facts.to,
        customer: call.customer.map(|link| (link.customer, link.name)),
        appointments: appointments.into_iter().map(AppointmentId).collect(),
        summary: call.facts.summary,
        agent_version: call.facts.agent_version,
        platform: call.facts.platform,
    })
}

impl Row {
    fn into_call(self, transcript: Transcript) -> Call {
        let customer = match (self.customer_id, self.customer_name, self.customer_linked_at) {
            (Some(id), Some(name), Some(at)) => {
                Some(CustomerLink { at: from_db(at), customer: CustomerId(id), name })
            }
            _ => None,
        };
        let end = |seen| End { seen: from_db(seen), reported: self.reported_end.map(from_db) };
        let facts = Facts {
            first_seen: from_db(self.first_seen_at),
            platform: self.platform,
            from: self.from_number.as_deref().and_then(Phone::parse),
            to: self.to_number.as_deref().and_then(Phone::parse),
            started: self.reported_start.map(from_db),
            ended: self.end_seen_at.map(end),
            summary: self.summary,
            agent_version: self.agent_version,
            transcript,
            disconnection: self.disconnection_reason,
        };
        let claim = self.claim.as_deref().and_then(Outcome::parse);
        Call { id: CallId(self.id), version: self.version, facts, claim, customer }
    }
}
