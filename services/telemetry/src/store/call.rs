//! Calls.

use caller::BusinessId;
use database::{Named, from_db, named, to_db};
use jiff::Timestamp;
use proto::frontdesk::events::v1::{CallChanged, event::Payload};
use sea_orm::{FromQueryResult, IntoActiveModel, JsonValue, entity::prelude::*};
use serde::Serialize;
use serde_json::json;

use super::{InstallationTx, Tx};
use crate::{
    domain::{
        CallId, ConnectionId, CustomerId,
        call::{Call, CallState, CustomerLink, Identity, TakenOver},
        counted::{Counted, Difference},
        facts::{End, Facts},
        outcome::Outcome,
        phone::Phone,
        product_event::{Kind, ProductEvent},
        runs::Runs,
        transcript::Transcript,
    },
    error::Error,
};

/// What is read and saved of a call. What identifies it on its platform is written once, as it is opened.
#[derive(Debug, Clone, PartialEq, Serialize, DeriveEntityModel)]
#[sea_orm(table_name = "call")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    business_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(super) id: Uuid,
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
    transferred_to: Option<String>,
    taken_over_by: Option<String>,
    taken_over_at: Option<DateTimeUtc>,
    claim: Option<String>,
    customer_id: Option<Uuid>,
    customer_name: Option<String>,
    customer_linked_at: Option<DateTimeUtc>,
    pub(super) outcome: Option<String>,
    runs: Option<JsonValue>,
    visits: JsonValue,
    pub(super) missed_reason: Option<String>,
    wanted_booking: bool,
    failed_runs: i32,
    asked_services: Vec<Uuid>,
    booked_by_team: bool,
    erased_at: Option<DateTimeUtc>,
}

#[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Tx {
    /// The call of an identity, locked; opened when nothing was told of it yet.
    pub async fn call(&self, identity: &Identity, seen: Timestamp) -> Result<Call, Error> {
        self.begin_call(identity, self.new_id(), seen).await?;
        self.locked(BY_IDENTITY, self.identified(identity)).await
    }

    async fn begin_call(&self, identity: &Identity, id: CallId, seen: Timestamp) -> Result<(), Error> {
        let new = named! { id: id.0, first_seen_at: to_db(seen) };
        self.execute(OPEN, self.identified(identity).and(new)).await.map(drop)
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

    /// What the platform knows a call by.
    ///
    /// # Errors
    /// When there is none.
    pub async fn call_identity(&self, id: CallId) -> Result<Identity, Error> {
        let values = named! { business_id: self.business.0, id: id.0 };
        let row: IdentityRow = self.row(IDENTITY, values).await?.ok_or(Error::NotFound("call"))?;
        let connection = ConnectionId(row.connection_id);
        Ok(Identity { connection, platform_call_id: row.platform_call_id })
    }

    /// Whether the business has this call.
    pub async fn has_call(&self, id: CallId) -> Result<bool, Error> {
        match self.call_identity(id).await {
            Ok(_) => Ok(true),
            Err(Error::NotFound(_)) => Ok(false),
            Err(error) => Err(error),
        }
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
        self.publish_change(after.id.0, version, changed(after)).await
    }

    pub(super) fn call_ended(&self, at: Timestamp, outcome: Outcome) -> ProductEvent {
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
        let row = Model::of(self.business, after, version);
        Entity::update(row.into_active_model().reset_all()).exec_without_returning(&self.inner).await?;
        if !before.counted || words(before) != words(after) {
            self.write_words([after]).await?;
        }
        let difference = Difference::between(before.counted().as_ref(), Some(&Counted::of(after)));
        self.change_figures([difference]).await
    }

    /// Writes what calls are found by.
    pub(super) async fn write_words<'a>(
        &self,
        calls: impl IntoIterator<Item = &'a Call>,
    ) -> Result<(), Error> {
        let (mut ids, mut times, mut all) = (vec![], vec![], vec![]);
        for call in calls {
            let (started_at, words) = words(call);
            ids.push(call.id.0);
            times.push(to_db(started_at));
            all.push(words.concat());
        }
        let values = named! { business_id: self.business.0, ids, times, words: all };
        self.execute(WRITE_WORDS, values).await.map(drop)
    }
}

/// A change of a call as the log keeps it.
pub(super) fn changed(call: &Call) -> Payload {
    Payload::Call(CallChanged { call_id: call.id.to_string() })
}

impl Model {
    pub(super) fn of(business: BusinessId, after: &Call, version: i64) -> Self {
        let facts = &after.facts;
        let outcome = match after.state() {
            CallState::Live => None,
            CallState::Ended { outcome, .. } => Some(outcome),
        };
        let text = |outcome: Outcome| outcome.name().to_owned();
        let number = |phone: &Phone| phone.as_str().to_owned();
        let customer = after.customer.as_ref();
        Self {
            business_id: business.0,
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
            transferred_to: facts.transferred.as_ref().map(number),
            taken_over_by: after.taken_over.as_ref().map(|taken| taken.by.clone()),
            taken_over_at: after.taken_over.as_ref().map(|taken| to_db(taken.at)),
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
            booked_by_team: after.visits.has_booking_of_team(),
            erased_at: after.erased_at.map(to_db),
        }
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
struct IdentityRow {
    connection_id: Uuid,
    platform_call_id: String,
}

pub(super) const IDENTITY: &str =
    "SELECT connection_id, platform_call_id FROM call WHERE business_id = :business_id AND id = :id";

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
    SELECT :business_id, w.call_id, w.started_at, strip(to_tsvector('simple', folded_words(w.words)))
    FROM unnest(:ids::uuid[], :times::timestamptz[], :words::text[]) AS w (call_id, started_at, words)
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

impl Model {
    pub(super) fn into_call(self, transcript: Transcript) -> Result<Call, Error> {
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
            transferred: self.transferred_to.as_deref().and_then(Phone::parse),
        };
        let taken_over = self.taken_over_by.zip(self.taken_over_at);
        let taken_over = taken_over.map(|(by, at)| TakenOver { by, at: from_db(at) });
        let claim = self.claim.as_deref().and_then(Outcome::parse);
        let (id, version, erased_at) = (CallId(self.id), self.version, self.erased_at.map(from_db));
        Ok(Call { id, version, facts, claim, customer, runs, visits, counted, taken_over, erased_at })
    }
}
