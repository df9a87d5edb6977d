//! Opening hours, and how spans are kept.

use engine::hours::{DayHours, DaySpan, WeeklyPattern, WeeklySpan};
use jiff::{civil::Weekday, tz::TimeZone};
use sea_orm::{FromQueryResult, Value};

use super::{Tx, settings::ScheduleVersion};
use crate::Error;

const OPENING: &str = "SELECT weekday, from_minute, to_minute FROM opening_hours
    WHERE business_id = $1 ORDER BY weekday, from_minute";
const CLEAR_OPENING: &str = "DELETE FROM opening_hours WHERE business_id = $1";
const ADD_OPENING: &str = "INSERT INTO opening_hours (business_id, weekday, from_minute, to_minute)
    SELECT $1, * FROM unnest($2::smallint[], $3::smallint[], $4::smallint[])";
const ZONE: &str = "SELECT time_zone FROM business_settings WHERE business_id = $1";

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
        self.one::<ZoneRow, _>(ZONE, [self.business.0.into()]).await?.ok_or(Error::BusinessUnknown)
    }

    /// When the business is open.
    pub async fn opening_pattern(&self) -> Result<WeeklyPattern, Error> {
        let spans = self.all::<SpanRow, _>(OPENING, [self.business.0.into()]).await?;
        WeeklyPattern::new(spans).map_err(|_| Error::Stored("opening hours"))
    }

    /// Replaces the opening hours.
    pub async fn replace_opening(&self, _: ScheduleVersion, pattern: &WeeklyPattern) -> Result<(), Error> {
        self.execute(CLEAR_OPENING, [self.business.0.into()]).await?;
        let values = [self.business.0.into()].into_iter().chain(columns(pattern));
        self.execute(ADD_OPENING, values).await.map(drop)
    }
}

/// Weekdays, and minutes from and to.
pub(crate) fn columns(pattern: &WeeklyPattern) -> [Value; 3] {
    let column = |of: fn(&WeeklySpan) -> i16| pattern.spans().iter().map(of).collect::<Vec<_>>().into();
    [
        column(|span| span.weekday.to_monday_one_offset().into()),
        // Minutes of a day fit.
        column(|span| span.from.cast_signed()),
        column(|span| span.to.cast_signed()),
    ]
}

/// Minutes from and to.
pub(crate) fn day_columns(hours: &DayHours) -> [Value; 2] {
    let column = |of: fn(&DaySpan) -> u16| -> Value {
        // Minutes of a day fit.
        hours.spans().iter().map(|span| of(span).cast_signed()).collect::<Vec<_>>().into()
    };
    [column(|span| span.from), column(|span| span.to)]
}

/// The hours that such columns hold.
pub(crate) fn day_hours(from_minutes: Vec<i16>, to_minutes: Vec<i16>) -> Result<DayHours, Error> {
    let span =
        |(from, to): (i16, i16)| Some(DaySpan { from: from.try_into().ok()?, to: to.try_into().ok()? });
    let spans: Option<_> = from_minutes.into_iter().zip(to_minutes).map(span).collect();
    spans.and_then(|spans| DayHours::new(spans).ok()).ok_or(Error::Stored("hours of a date"))
}
