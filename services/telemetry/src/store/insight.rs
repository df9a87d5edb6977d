//! The figures: changed with each call, read by spans.

use core::ops::Range;
use std::collections::BTreeMap;

use database::{named, to_db};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, JsonValue};
use serde_json::json;

use super::Tx;
use crate::{
    domain::{
        counted::{Difference, Kind, Part, Tally, utc_day},
        span::{Hour, Span},
    },
    error::Error,
};

/// In the order of their keys, so that two transactions never wait for each other in a ring.
const CHANGE_QUARTERS: &str = "INSERT INTO call_quarter AS known
        (business_id, at, calls, ended, answered, wanted, booked)
    SELECT :business_id, p.at, p.calls, p.ended, p.answered, p.wanted, p.booked
    FROM jsonb_to_recordset(:parts) AS p
        (at timestamptz, calls bigint, ended bigint, answered bigint, wanted bigint, booked bigint)
    ORDER BY p.at
    ON CONFLICT (business_id, at) DO UPDATE SET calls = known.calls + excluded.calls,
        ended = known.ended + excluded.ended, answered = known.answered + excluded.answered,
        wanted = known.wanted + excluded.wanted, booked = known.booked + excluded.booked";
const CHANGE_TALLY: &str = "INSERT INTO call_tally AS known (business_id, grain, at, kind, key, amount)
    SELECT :business_id, t.grain, t.at, t.kind, t.key, sum(t.amount)
    FROM jsonb_to_recordset(:amounts) AS t (grain text, at timestamptz, kind text, key text, amount bigint)
    GROUP BY t.grain, t.at, t.kind, t.key ORDER BY t.grain, t.at, t.kind, t.key
    ON CONFLICT (business_id, grain, at, kind, key) DO UPDATE SET amount = known.amount + excluded.amount";

/// The quarters of a span by the place of their hour among its hours, from 1.
pub(super) const QUARTERS: &str = "SELECT width_bucket(q.at, :hours::timestamptz[]) AS place,
        sum(q.calls)::bigint AS calls, sum(q.ended)::bigint AS ended, sum(q.answered)::bigint AS answered,
        sum(q.wanted)::bigint AS wanted, sum(q.booked)::bigint AS booked
    FROM call_quarter q WHERE q.business_id = :business_id AND q.at >= :from AND q.at < :to GROUP BY place";
/// The whole days of UTC in a span, and the quarters before and after them.
pub(super) const TALLY: &str = "SELECT t.kind, t.key, sum(t.amount)::bigint AS amount
    FROM (SELECT kind, key, amount FROM call_tally
            WHERE business_id = :business_id AND grain = 'QUARTER' AND at >= :from AND at < :first_day
        UNION ALL SELECT kind, key, amount FROM call_tally
            WHERE business_id = :business_id AND grain = 'DAY' AND at >= :first_day AND at < :last_day
        UNION ALL SELECT kind, key, amount FROM call_tally
            WHERE business_id = :business_id AND grain = 'QUARTER' AND at >= :last_day AND at < :to) t
    GROUP BY t.kind, t.key";

#[derive(Debug, FromQueryResult)]
struct QuarterRow {
    place: i32,
    calls: i64,
    ended: i64,
    answered: i64,
    wanted: i64,
    booked: i64,
}

impl From<QuarterRow> for (usize, Part) {
    fn from(row: QuarterRow) -> Self {
        let QuarterRow { place, calls, ended, answered, wanted, booked } = row;
        let place = usize::try_from(place - 1).unwrap_or(usize::MAX);
        (place, Part { calls, ended, answered, wanted, booked })
    }
}

#[derive(Debug, FromQueryResult)]
struct TallyRow {
    kind: String,
    key: String,
    amount: i64,
}

/// The days of UTC that lie wholly in a span: from the first to the one after the last. Where there is none, both are
/// the span's end, so that its quarters are all before them.
#[must_use]
pub(super) fn whole_days(span: Span) -> Range<Timestamp> {
    let first = match utc_day(span.from) {
        day if day == span.from => day,
        day => day + jiff::SignedDuration::from_hours(24),
    };
    let last = utc_day(span.to);
    if first < last { first..last } else { span.to..span.to }
}

impl Tx {
    /// Changes the figures.
    pub(super) async fn change_figures(&self, difference: &Difference) -> Result<(), Error> {
        let business_id = self.business.0;
        if !difference.parts.is_empty() {
            let parts: Vec<JsonValue> = difference.parts.iter().map(part).collect();
            self.execute(CHANGE_QUARTERS, named! { business_id, parts: JsonValue::from(parts) }).await?;
        }
        if !difference.tally.is_empty() {
            let amounts: Vec<JsonValue> = difference.tally.iter().flat_map(amounts).collect();
            self.execute(CHANGE_TALLY, named! { business_id, amounts: JsonValue::from(amounts) }).await?;
        }
        Ok(())
    }

    /// What the hours of a span add up to, by their place.
    pub async fn quarters(&self, span: Span, hours: &[Hour]) -> Result<Vec<(usize, Part)>, Error> {
        let values = named! {
            business_id: self.business.0,
            hours: hours.iter().map(|hour| to_db(hour.from)).collect::<Vec<_>>(),
            from: to_db(span.from),
            to: to_db(span.to),
        };
        self.all::<QuarterRow, _>(QUARTERS, values).await
    }

    /// What is counted by key in a span.
    pub async fn tally(&self, span: Span) -> Result<Tally, Error> {
        let days = whole_days(span);
        let values = named! {
            business_id: self.business.0,
            from: to_db(span.from),
            first_day: to_db(days.start),
            last_day: to_db(days.end),
            to: to_db(span.to),
        };
        let rows = self.rows::<TallyRow>(TALLY, values).await?;
        let known = |row: TallyRow| Some(((Kind::parse(&row.kind)?, row.key), row.amount));
        Ok(rows.into_iter().filter_map(known).collect::<BTreeMap<_, _>>())
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_whole_days_with_quarters_around_them() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let days = |from: &str, to: &str| whole_days(Span { from: at(from), to: at(to) });
        let summer = days("2026-05-31T23:00:00Z", "2026-06-03T23:00:00Z");
        assert_eq!(summer, at("2026-06-01T00:00:00Z")..at("2026-06-03T00:00:00Z"));
        let whole = days("2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z");
        assert_eq!(whole, at("2026-06-01T00:00:00Z")..at("2026-06-02T00:00:00Z"));
        let within = days("2026-06-01T23:00:00Z", "2026-06-02T22:00:00Z");
        assert_eq!(within, at("2026-06-02T22:00:00Z")..at("2026-06-02T22:00:00Z"));
    }
}
