//! Calls.

use caller::BusinessId;
use database::{Named, from_db, named, to_db};
use jiff::Timestamp;
use proto::frontdesk::events::v1::{CallChanged, event::Payload};
use sea_orm::{FromQueryResult, IntoActiveModel, JsonValue, entity::prelude::*};
use serde_json::json;

use super::{InstallationTx, Tx};
use crate::{
    domain::{
        AppointmentId, CallId, CustomerId,
        call::{Call, CallState, CustomerLink, Identity, Listed},
        counted::{Counted, Difference},
        facts::{End, Facts},
        missed::Missed,
        outcome::Outcome,
        phone::Phone,
        product_event::{Kind, ProductEvent},
        runs::Runs,
        transcript::Transcript,
    },
    error::Error,
};

/// What is read and saved of a call. What identifies it on its platform is written once, as it is opened.
#[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "call")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    business_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
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
    runs: Option<JsonValue>,
    visits: JsonValue,
    missed_reason: Option<String>,
    wanted_booking: bool,
    failed_runs: i32,
    asked_services: Vec<Uuid>,
    erased_at: Option<DateTimeUtc>,
}

#[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// The appointments of the call `c`, in the order of the runs that touched them first.
pub(super) const APPOINTMENTS: &str =
    "(SELECT COALESCE(json_agg(a.appointment_id ORDER BY a.first, a.appointment_id), '[]')
    FROM (SELECT t.appointment_id, min(t.started_at) AS first FROM tool_call t
          WHERE t.business_id = c.business_id AND t.call_id = c.id AND t.appointment_id IS NOT NULL
          GROUP BY t.appointment_id) a) AS appointments";

/// Whose the call `c` is: the customer whom its own one is part of, or that one, by the names of today.
pub(super) const CUSTOMER: &str = "LEFT JOIN LATERAL (
        SELECT COALESCE(part.merged_into, part.id) AS id FROM customer part
        WHERE part.business_id = c.business_id AND part.id = c.customer_id
        -- By its key for each call, instead of all customers at once.
        OFFSET 0
    ) p ON true
    LEFT JOIN LATERAL (
        SELECT whole.id, whole.name FROM customer whole
        WHERE whole.business_id = c.business_id AND whole.id = p.id
        OFFSET 0
    ) w ON true";
pub(super) const CUSTOMER_COLUMNS: &str =
    "COALESCE(w.id, c.customer_id) AS whole_id, COALESCE(w.name, c.customer_name) AS whole_name";

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
        self.begin_call(identity, self.new_id(), seen).await?;
        self.locked(BY_IDENTITY, self.identified(identity)).await
    }

    /// A call that is opened under an id of its own, locked; `None` when something was told of it before.
    pub async fn open_call(
        &self,
        identity: &Identity,
        id: CallId,
        seen: Timestamp,
    ) -> Result<Option<Call>, Error> {
        if !self.begin_call(identity, id, seen).await? {
            return Ok(None);
        }
        self.locked(BY_IDENTITY, self.identified(identity)).await.map(Some)
    }

    /// Says whether the call is new.
    async fn begin_call(&self, identity: &Identity, id: CallId, seen: Timestamp) -> Result<bool, Error> {
        let new = named! { id: id.0, first_seen_at: to_db(seen) };
        Ok(self.execute(OPEN, self.identified(identity).and(new)).await? == 1)
    }

    fn identified(&self, identity: &Identity) -> Named {
        named! {
            business_id: self.business.0,
            connection_id: identity.connection.0,
            platform_call_id: identity.platform_call_id.as_str(),
        }
    }

    /// A call, locked.
    ///
    /// # Errors
    /// When there is none.
    pub async fn call_by_id(&self, id: CallId) -> Result<Call, Error> {
        self.locked(BY_ID, named! { business_id: self.business.0, id: id.0 }).await
    }

    async fn locked(&self, sql: &str, values: Named) -> Result<Call, Error> {
        let row = self.row::<Model>(sql, values).await?.ok_or(Error::NotFound("call"))?;
        let transcript = self.transcript(CallId(row.id)).await?;
        let call = row.into_call(transcript)?;
        if call.counted || call.version == 0 {
            return Ok(call);
        }
        let runs = Runs::of(&self.tool_calls(call.id).await?);
        Ok(Call { runs, ..call })
    }

    /// Keeps a changed call, counts it and says so in the log.
    pub async fn save_call(&self, before: &Call, after: &Call) -> Result<(), Error> {
        self.rewrite_transcript(after.id, &before.facts.transcript, &after.facts.transcript).await?;
        let version = before.version + 1;
        self.write_call(before, after, version).await?;
        if let (CallState::Live, CallState::Ended { at, outcome }) = (before.state(), after.state()) {
            self.add_product_events(&[self.call_ended(at, outcome)]).await?;
        }
        let payload = Payload::Call(CallChanged { call_id: after.id.to_string() });
        self.publish_change(after.id.0, version, payload).await
    }

    fn call_ended(&self, at: Timestamp, outcome: Outcome) -> ProductEvent {
        ProductEvent {
            id: self.new_id(),
            kind: Kind::CallEnded,
            version: Kind::CallEnded.latest_version(),
            actor: self.actor().to_owned(),
            tab: String::new(),
            page: String::new(),
            detail: outcome.name().to_owned(),
            at,
        }
    }

    /// Counts a call that is in no figures yet.
    pub async fn count_call(&self, call: &Call) -> Result<(), Error> {
        self.write_call(call, call, call.version).await
    }

    async fn write_call(&self, before: &Call, after: &Call, version: i64) -> Result<(), Error> {
        let facts = &after.facts;
        let outcome = match after.state() {
            CallState::Live => None,
            CallState::Ended { outcome, .. } => Some(outcome),
        };
        let text = |outcome: Outcome| outcome.name().to_owned();
        let number = |phone: &Phone| phone.as_str().to_owned();
        let customer = after.customer.as_ref();
        let row = Model {
            business_id: self.business.0,
            id: after.id.0,
            version,
            platform: facts.platform.clone(),
            from_number: facts.from.as_ref().map(number),
            to_number: facts.to.as_ref().map(number),
            first_seen_at: to_db(facts.first_seen),
            reported_start: facts.started.map(to_db),
            end_seen_at: facts.ended.map(|end| to_db(end.seen)),
            reported_end: facts.ended.and_then(|end| end.reported).map(to_db),
            summary: facts.summary.clone(),
            agent_version: facts.agent_version,
            disconnection_reason: facts.disconnection.clone(),
            claim: after.claim.map(text),
            customer_id: customer.map(|link| link.customer.0),
            customer_name: customer.map(|link| link.name.clone()),
            customer_linked_at: customer.map(|link| to_db(link.at)),
            outcome: outcome.map(text),
            runs: Some(json!(after.runs)),
            visits: json!(after.visits),
            missed_reason: after.missed().map(|missed| missed.name().to_owned()),
            wanted_booking: after.wanted_booking(),
            failed_runs: after.runs.failed,
            asked_services: after.services().iter().map(|service| service.0).collect(),
            erased_at: after.erased_at.map(to_db),
        };
        Entity::update(row.into_active_model().reset_all()).exec_without_returning(&self.inner).await?;
        if !before.counted || words(before) != words(after) {
            self.write_words(after).await?;
        }
        self.change_figures(&Difference::between(before.counted().as_ref(), Some(&Counted::of(after)))).await
    }

    async fn write_words(&self, call: &Call) -> Result<(), Error> {
        let (started_at, words) = words(call);
        let values = named! {
            business_id: self.business.0,
            call_id: call.id.0,
            started_at: to_db(started_at),
            words: words.concat(),
        };
        self.execute(WRITE_WORDS, values).await.map(drop)
    }

    /// Calls from the newest on, at most `limit`: all, or those of a customer and of those who are part of them.
    pub async fn calls(
        &self,
        customer: Option<CustomerId>,
        after: Option<After>,
        limit: u32,
    ) -> Result<Vec<Listed>, Error> {
        let after = after.unwrap_or(After { started_at: Timestamp::MAX, id: CallId(Uuid::max()) });
        let values = named! {
            business_id: self.business.0,
            after_start: to_db(after.started_at),
            after_id: after.id.0,
            limit: i64::from(limit),
        };
        match customer {
            None => self.all::<ListedRow, _>(&page_sql(), values).await,
            Some(customer) => {
                let values = values.and(named! { customer_id: customer.0 });
                self.all::<ListedRow, _>(&page_of_customer_sql(), values).await
            }
        }
    }

    /// One call as lists show it.
    ///
    /// # Errors
    /// When there is none.
    pub async fn listed(&self, id: CallId) -> Result<Listed, Error> {
        let sql = format!(
            "SELECT c.*, {CUSTOMER_COLUMNS}, {APPOINTMENTS} FROM call c {CUSTOMER}
             WHERE c.business_id = :business_id AND c.id = :id"
        );
        let found = self.one::<ListedRow, _>(&sql, named! { business_id: self.business.0, id: id.0 }).await?;
        found.ok_or(Error::NotFound("call"))
    }
}

impl InstallationTx {
    /// Up to two hundred calls that are in no figures.
    pub async fn some_uncounted(&self) -> Result<Vec<(BusinessId, CallId)>, Error> {
        let rows = self.rows::<UncountedRow>(UNCOUNTED, named! {}).await?;
        Ok(rows.into_iter().map(|row| (BusinessId(row.business_id), CallId(row.id))).collect())
    }
}

#[derive(Debug, FromQueryResult)]
struct UncountedRow {
    business_id: Uuid,
    id: Uuid,
}

const UNCOUNTED: &str =
    "SELECT business_id, id FROM call WHERE runs IS NULL ORDER BY business_id, id LIMIT 200";

const OPEN: &str = "INSERT INTO call (business_id, id, connection_id, platform_call_id, first_seen_at)
    VALUES (:business_id, :id, :connection_id, :platform_call_id, :first_seen_at)
    ON CONFLICT ON CONSTRAINT call_identity DO NOTHING";
pub(super) const BY_IDENTITY: &str = "SELECT * FROM call WHERE business_id = :business_id
    AND connection_id = :connection_id AND platform_call_id = :platform_call_id FOR UPDATE";
pub(super) const BY_ID: &str = "SELECT * FROM call WHERE business_id = :business_id AND id = :id FOR UPDATE";

/// As much of a call's words as Postgres takes, and more than is said in an hour.
const MOST_WORDS: usize = 200_000;
const WRITE_WORDS: &str = "INSERT INTO call_words AS known (business_id, call_id, started_at, words)
    VALUES (:business_id, :call_id, :started_at, strip(to_tsvector('simple', folded_words(:words))))
    ON CONFLICT (business_id, call_id) DO UPDATE SET started_at = excluded.started_at, words = excluded.words";

/// What a call is found by, in pieces, and where it stands among the others.
fn words(call: &Call) -> (Timestamp, Vec<&str>) {
    let said = call.facts.transcript.turns().iter().map(|turn| turn.text.as_str());
    let about = call.customer.iter().map(|link| link.name.as_str()).chain(call.facts.summary.as_deref());
    let mut left = MOST_WORDS;
    let pieces = about.chain(said).flat_map(|text| [text, " "]).map_while(|text| {
        let piece = &text[..text.floor_char_boundary(left)];
        left -= piece.len();
        (!piece.is_empty()).then_some(piece)
    });
    (call.facts.started_at(), pieces.collect())
}

/// One page of the list.
pub(super) fn page_sql() -> String {
    page_where("")
}

/// One page of a customer's calls.
pub(super) fn page_of_customer_sql() -> String {
    page_where(
        "AND c.customer_id = ANY(ARRAY(SELECT :customer_id::uuid UNION ALL
            SELECT id FROM customer WHERE business_id = :business_id AND merged_into = :customer_id))",
    )
}

fn page_where(more: &str) -> String {
    format!(
        "SELECT c.*, {CUSTOMER_COLUMNS}, {APPOINTMENTS} FROM call c {CUSTOMER}
         WHERE c.business_id = :business_id AND (c.started_at, c.id) < (:after_start, :after_id) {more}
         ORDER BY c.started_at DESC, c.id DESC LIMIT :limit"
    )
}

#[derive(Debug, FromQueryResult)]
pub(super) struct ListedRow {
    #[sea_orm(nested)]
    call: Model,
    whole_id: Option<Uuid>,
    whole_name: Option<String>,
    appointments: JsonValue,
}

impl TryFrom<ListedRow> for Listed {
    type Error = Error;

    fn try_from(
        ListedRow { call: row, whole_id, whole_name, appointments }: ListedRow,
    ) -> Result<Self, Error> {
        let id = row.id;
        let unreadable = || Error::Unreadable { table: "call", id: id.to_string() };
        let appointments: Vec<Uuid> = serde_json::from_value(appointments).map_err(|_| unreadable())?;
        let decided =
            row.outcome.as_deref().map(|name| Outcome::parse(name).ok_or_else(unreadable)).transpose()?;
        let missed = row.missed_reason.as_deref().and_then(Missed::parse);
        let call = row.into_call(Transcript::default())?;
        let state = match (call.facts.ended_at(), decided) {
            (Some(at), Some(outcome)) => CallState::Ended { at, outcome },
            _ => CallState::Live,
        };
        Ok(Self {
            id: call.id,
            state,
            started_at: call.facts.started_at(),
            from: call.facts.from,
            to: call.facts.to,
            customer: whole_id.map(CustomerId).zip(whole_name),
            appointments: appointments.into_iter().map(AppointmentId).collect(),
            summary: call.facts.summary,
            agent_version: call.facts.agent_version,
            platform: call.facts.platform,
            missed,
            failed_runs: call.runs.failed,
        })
    }
}

impl Model {
    fn into_call(self, transcript: Transcript) -> Result<Call, Error> {
        let unreadable = || Error::Unreadable { table: "call", id: self.id.to_string() };
        let counted = self.runs.is_some();
        let runs = self.runs.map_or(Ok(Runs::default()), serde_json::from_value).map_err(|_| unreadable())?;
        let visits = serde_json::from_value(self.visits).map_err(|_| unreadable())?;
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
        let (id, version, erased_at) = (CallId(self.id), self.version, self.erased_at.map(from_db));
        Ok(Call { id, version, facts, claim, customer, runs, visits, counted, erased_at })
    }
}
