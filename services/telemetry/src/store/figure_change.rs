//! What calls change the figures by, until it is in them.

use caller::BusinessId;
use database::named;
use jiff::Timestamp;
use sea_orm::{FromQueryResult, JsonValue};
use serde_json::json;
use uuid::Uuid;

use super::{InstallationTx, Tx};
use crate::{
    domain::counted::{Difference, Kind, Part, utc_day},
    error::Error,
};

const KEEP_CHANGES: &str = "INSERT INTO figure_change (business_id, id, parts, amounts)
    SELECT :business_id, c.id, c.parts, c.amounts
    FROM jsonb_to_recordset(:changes) AS c (id uuid, parts jsonb, amounts jsonb)";
/// Two that take at once would add what neither sees of the other.
const TAKE_TURNS: &str =
    "SELECT pg_advisory_xact_lock(hashtextextended('figures:' || :business_id::uuid, 0))";
const CHANGED: &str = "SELECT EXISTS (SELECT FROM figure_change WHERE business_id = :business_id) AS changed";
pub(super) const TAKE_CHANGES: &str = "WITH taken AS (
        DELETE FROM figure_change WHERE business_id = :business_id AND id IN (
            SELECT id FROM figure_change WHERE business_id = :business_id ORDER BY id LIMIT :most)
        RETURNING parts, amounts),
    quarters AS (
        INSERT INTO call_quarter AS known (business_id, at, calls, ended, answered, wanted, booked)
        SELECT :business_id, p.at, sum(p.calls), sum(p.ended), sum(p.answered), sum(p.wanted), sum(p.booked)
        FROM taken, jsonb_to_recordset(taken.parts) AS p
            (at timestamptz, calls bigint, ended bigint, answered bigint, wanted bigint, booked bigint)
        GROUP BY p.at
        ON CONFLICT (business_id, at) DO UPDATE SET calls = known.calls + excluded.calls,
            ended = known.ended + excluded.ended, answered = known.answered + excluded.answered,
            wanted = known.wanted + excluded.wanted, booked = known.booked + excluded.booked),
    tally AS (
        INSERT INTO call_tally AS known (business_id, grain, at, kind, key, amount)
        SELECT :business_id, t.grain, t.at, t.kind, t.key, sum(t.amount)
        FROM taken, jsonb_to_recordset(taken.amounts) AS t
            (grain text, at timestamptz, kind text, key text, amount bigint)
        GROUP BY t.grain, t.at, t.kind, t.key
        ON CONFLICT (business_id, grain, at, kind, key) DO UPDATE SET amount = known.amount + excluded.amount)
    SELECT count(*) AS taken FROM taken";
/// As many as one statement takes within some tens of milliseconds.
const MOST_TAKEN: i64 = 2_000;
const CHANGED_BUSINESSES: &str = "SELECT DISTINCT business_id FROM figure_change LIMIT 200";

impl Tx {
    /// Keeps what the figures change by. They are not changed in this transaction: all calls of a quarter of an hour
    /// change one row, and each would wait until those before it are on the disk.
    pub(super) async fn change_figures(
        &self,
        differences: impl IntoIterator<Item = Difference>,
    ) -> Result<(), Error> {
        let changes: Vec<JsonValue> = differences
            .into_iter()
            .filter(|difference| !(difference.parts.is_empty() && difference.tally.is_empty()))
            .map(|difference| {
                let parts: Vec<JsonValue> = difference.parts.iter().map(part).collect();
                let amounts: Vec<JsonValue> = difference.tally.iter().flat_map(amounts).collect();
                json!({ "id": self.new_id::<Uuid>(), "parts": parts, "amounts": amounts })
            })
            .collect();
        if changes.is_empty() {
            return Ok(());
        }
        let values = named! { business_id: self.business.0, changes: JsonValue::from(changes) };
        self.execute(KEEP_CHANGES, values).await.map(drop)
    }

    /// Brings the figures up to date; says by how many changes. To be committed.
    pub async fn update_figures(&self) -> Result<u64, Error> {
        let business_id = self.business.0;
        let changed = self.row::<ChangedRow>(CHANGED, named! { business_id }).await?;
        if !changed.is_some_and(|row| row.changed) {
            return Ok(0);
        }
        self.execute(TAKE_TURNS, named! { business_id }).await?;
        let mut all = 0;
        loop {
            let values = named! { business_id, most: MOST_TAKEN };
            let taken = self.row::<TakenRow>(TAKE_CHANGES, values).await?.map_or(0, |row| row.taken);
            all += taken.unsigned_abs();
            if taken < MOST_TAKEN {
                return Ok(all);
            }
        }
    }
}

impl InstallationTx {
    /// Up to two hundred businesses whose figures are not up to date.
    pub async fn some_with_changes(&self) -> Result<Vec<BusinessId>, Error> {
        let rows = self.rows::<BusinessRow>(CHANGED_BUSINESSES, named! {}).await?;
        Ok(rows.into_iter().map(|row| BusinessId(row.business_id)).collect())
    }
}

#[derive(Debug, FromQueryResult)]
struct ChangedRow {
    changed: bool,
}

#[derive(Debug, FromQueryResult)]
struct TakenRow {
    taken: i64,
}

#[derive(Debug, FromQueryResult)]
struct BusinessRow {
    business_id: Uuid,
}

fn part((at, part): (&Timestamp, &Part)) -> JsonValue {
    let Part { calls, ended, answered, wanted, booked } = part;
    json!({ "at": at, "calls": calls, "ended": ended, "answered": answered, "wanted": wanted, "booked": booked })
}

fn amounts(((at, kind, key), amount): (&(Timestamp, Kind, String), &i64)) -> [JsonValue; 2] {
    [("DAY", utc_day(*at)), ("QUARTER", *at)].map(
        |(grain, at)| json!({ "grain": grain, "at": at, "kind": kind.name(), "key": key, "amount": amount }),
    )
}
