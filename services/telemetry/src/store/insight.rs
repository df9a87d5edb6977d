//! The figures, read by spans.

use core::ops::Range;
use std::collections::BTreeMap;

use database::{named, to_db};
use jiff::Timestamp;
use sea_orm::FromQueryResult;

use super::Tx;
use crate::{
    domain::{
        counted::{Kind, Part, Tally, utc_day},
        span::{Hour, Span},
    },
    error::Error,
};

/// The quarters of a span by the place of their hour among its hours, from 1. They are one row: thousands, each with
/// fields of its own, take longer to read than to add up.
pub(super) const QUARTERS: &str = "SELECT COALESCE(array_agg(h.place), '{}') AS places,
        COALESCE(array_agg(h.calls), '{}') AS calls, COALESCE(array_agg(h.ended), '{}') AS ended,
        COALESCE(array_agg(h.answered), '{}') AS answered, COALESCE(array_agg(h.wanted), '{}') AS wanted,
        COALESCE(array_agg(h.booked), '{}') AS booked
    FROM (SELECT width_bucket(q.at, :hours::timestamptz[]) AS place,
            sum(q.calls)::bigint AS calls, sum(q.ended)::bigint AS ended, sum(q.answered)::bigint AS answered,
            sum(q.wanted)::bigint AS wanted, sum(q.booked)::bigint AS booked
        FROM call_quarter q WHERE q.business_id = :business_id AND q.at >= :from AND q.at < :to
        GROUP BY place) AS h";
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
struct QuartersRow {
    places: Vec<i32>,
    calls: Vec<i64>,
    ended: Vec<i64>,
    answered: Vec<i64>,
    wanted: Vec<i64>,
    booked: Vec<i64>,
}

impl QuartersRow {
    fn into_parts(self) -> Vec<(usize, Part)> {
        let Self { places, calls, ended, answered, wanted, booked } = self;
        let counts = calls.into_iter().zip(ended).zip(answered).zip(wanted).zip(booked);
        let parts = counts.map(|((((calls, ended), answered), wanted), booked)| Part {
            calls,
            ended,
            answered,
            wanted,
            booked,
        });
        let places = places.into_iter().map(|place| usize::try_from(place - 1).unwrap_or(usize::MAX));
        places.zip(parts).collect()
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
    /// What the hours of a span add up to, by their place.
    pub async fn quarters(&self, span: Span, hours: &[Hour]) -> Result<Vec<(usize, Part)>, Error> {
        let values = named! {
            business_id: self.business.0,
            hours: hours.iter().map(|hour| to_db(hour.from)).collect::<Vec<_>>(),
            from: to_db(span.from),
            to: to_db(span.to),
        };
        let row = self.row::<QuartersRow>(QUARTERS, values).await?;
        Ok(row.map(QuartersRow::into_parts).unwrap_or_default())
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
