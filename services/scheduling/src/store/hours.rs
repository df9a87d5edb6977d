//! Opening hours, and how spans are kept.

use database::{Named, named};
use engine::hours::{DayHours, DaySpan, WeeklyPattern, WeeklySpan};
use jiff::{civil::Weekday, tz::TimeZone};
use sea_orm::FromQueryResult;

use super::{Tx, settings::ScheduleVersion};
use crate::Error;

const OPENING: &str = "SELECT weekday, from_minute, to_minute FROM opening_hours
    WHERE business_id = :business_id ORDER BY weekday, from_minute";
const CLEAR_OPENING: &str = "DELETE FROM opening_hours WHERE business_id = :business_id";
const ADD_OPENING: &str = "INSERT INTO opening_hours (business_id, weekday, from_minute, to_minute)
    SELECT :business_id, * FROM unnest(:weekdays::smallint[], :from_minutes::smallint[],
        :to_minutes::smallint[])";
const ZONE: &str = "SELECT time_zone FROM business_settings WHERE business_id = :business_id";

#[derive(FromQueryResult)]
pub(crate) struct SpanRow {
    pub weekday: i16,
    pub from_minute: i16,
    pub to_minute: i16,
}

impl TryFrom<SpanRow> for WeeklySpan {
    type Error = Error;
    fn try_from(row: SpanRow) -> Result<Self, Error> {
        let stored = || Error::Stored("weekly span");
        let day = i8::try_from(row.weekday).ok().and_then(|day| Weekday::from_monday_one_offset(day).ok());
        Ok(Self {
            weekday: day.ok_or_else(stored)?,
            from: row.from_minute.try_into().map_err(|_| stored())?,
            to: row.to_minute.try_into().map_err(|_| stored())?,
        })
    }
}

#[derive(FromQueryResult)]
struct ZoneRow {
    time_zone: String,
}

impl TryFrom<ZoneRow> for TimeZone {
    type Error = Error;
    fn try_from(row: ZoneRow) -> Result<Self, Error> {
        Self::get(&row.time_zone).map_err(|_| Error::Stored("time zone"))
    }
}

impl Tx {
    /// The business's zone.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn zone(&self) -> Result<TimeZone, Error> {
        self.one::<ZoneRow, _>(ZONE, named! { business_id: self.business.0 })
            .await?
            .ok_or(Error::BusinessUnknown)
    }

    /// When the business is open.
    pub async fn opening_pattern(&self) -> Result<WeeklyPattern, Error> {
        let spans = self.all::<SpanRow, _>(OPENING, named! { business_id: self.business.0 }).await?;
        WeeklyPattern::new(spans).map_err(|_| Error::Stored("opening hours"))
    }

    /// Replaces the opening hours.
    pub async fn replace_opening(&self, _: ScheduleVersion, pattern: &WeeklyPattern) -> Result<(), Error> {
        self.execute(CLEAR_OPENING, named! { business_id: self.business.0 }).await?;
        let values = named! { business_id: self.business.0 }.and(columns(pattern));
        self.execute(ADD_OPENING, values).await.map(drop)
    }
}

/// Weekdays, and minutes from and to.
pub(crate) fn columns(pattern: &WeeklyPattern) -> Named {
    let column = |of: fn(&WeeklySpan) -> i16| pattern.spans().iter().map(of).collect::<Vec<_>>();
    named! {
        weekdays: column(|span| span.weekday.to_monday_one_offset().into()),
        // Minutes of a day fit.
        from_minutes: column(|span| span.from.cast_signed()),
        to_minutes: column(|span| span.to.cast_signed()),
    }
}

/// Minutes from and to.
pub(crate) fn day_columns(hours: &DayHours) -> Named {
    let column = |of: fn(&DaySpan) -> u16| {
        // Minutes of a day fit.
        hours.spans().iter().map(|span| of(span).cast_signed()).collect::<Vec<_>>()
    };
    named! { from_minutes: column(|span| span.from), to_minutes: column(|span| span.to) }
}

/// The hours that such columns hold.
pub(crate) fn day_hours(from_minutes: Vec<i16>, to_minutes: Vec<i16>) -> Result<DayHours, Error> {
    let span =
        |(from, to): (i16, i16)| Some(DaySpan { from: from.try_into().ok()?, to: to.try_into().ok()? });
    let spans: Option<_> = from_minutes.into_iter().zip(to_minutes).map(span).collect();
    spans.and_then(|spans| DayHours::new(spans).ok()).ok_or(Error::Stored("hours of a date"))
}
