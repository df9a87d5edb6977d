//! Visits that repeat: booked, moved and called off together.

use chrono::{DateTime, Utc};
use database::{from_db, to_db};
use engine::{
    day::Day,
    id::SeriesId,
    placement::Placer,
    policy::Booker,
    refusal::Refusal,
    schedule::Schedule,
    series::{Cadence, Planned, Recurrence, Series, Wanted},
    span::Span,
    visit::{Item, Placement, Wish},
};
use sea_orm::{FromQueryResult, Value};
use uuid::Uuid;

use super::{
    Tx, agenda::line, appointment::StoredAppointment, day::Lock, history::Histories, ledger::days_of,
    rest::Free,
};
use crate::Error;

const ADD: &str = "INSERT INTO series (business_id, id, cadence, every, count, booked_at, booked_by)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
const ONE: &str =
    "SELECT id, cadence, every, count, booked_at FROM series WHERE business_id = $1 AND id = $2";

/// A series with its appointments.
#[derive(Debug, Clone)]
pub struct StoredSeries {
    /// The series.
    pub series: Series,
    /// Its appointments, by start.
    pub appointments: Vec<StoredAppointment>,
}

/// What a visit of a series could have.
#[derive(Debug, Clone)]
pub struct Outlook {
    /// The visit.
    pub planned: Planned,
    /// Where it would be, or why not.
    pub placement: Result<Placement, Refusal>,
    /// What is free nearest to it on its date, where it can't be.
    pub nearest: Option<Placement>,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    cadence: String,
    every: i16,
    count: i16,
    booked_at: DateTime<Utc>,
}

impl TryFrom<Row> for Series {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let small = |number| u8::try_from(number).map_err(|_| Error::Stored("series"));
        let cadence = cadence_of(&row.cadence).ok_or(Error::Stored("cadence"))?;
        let recurrence = Recurrence { cadence, every: small(row.every)?, count: small(row.count)? };
        Ok(Self { id: SeriesId(row.id), recurrence, booked_at: from_db(row.booked_at) })
    }
}

fn cadence_name(cadence: Cadence) -> &'static str {
    match cadence {
        Cadence::Weekly => "WEEKLY",
        Cadence::Monthly => "MONTHLY",
        Cadence::MonthlyByWeekday => "MONTHLY_BY_WEEKDAY",
    }
}

fn cadence_of(name: &str) -> Option<Cadence> {
    match name {
        "WEEKLY" => Some(Cadence::Weekly),
        "MONTHLY" => Some(Cadence::Monthly),
        "MONTHLY_BY_WEEKDAY" => Some(Cadence::MonthlyByWeekday),
        _ => None,
    }
}

impl Tx {
    /// Looks at what each visit of a series could have, with one query for all of their days.
    ///
    /// # Errors
    /// An unknown service, or items that nobody can do.
    pub async fn series_outlook(&self, items: &[Item], planned: &[Planned]) -> Result<Vec<Outlook>, Error> {
        let schedule = self.settled_schedule().await?;
        let starts = planned.iter().filter_map(|one| one.starts_at).map(Span::at).reduce(Span::hull);
        let wish = match starts {
            Some(starts) => self.wish(&schedule, items, starts).await?,
            None => schedule.wish(items)?,
        };
        let dates: Vec<_> = planned.iter().map(|one| day_around(one, &schedule)).collect();
        let reaches: Vec<_> =
            dates.iter().flatten().map(|date| wish.reach(date.starts_at(), date.ends_at())).collect();
        let days = self.read_days(&schedule, days_of(&reaches, &schedule.zone), Lock::None).await?;
        let outlook = |(planned, date): (&Planned, Option<Span>)| {
            let (Some(start), Some(date)) = (planned.starts_at, date) else {
                return Outlook { planned: *planned, placement: Err(Refusal::NotWorking), nearest: None };
            };
            let line = line(&wish, &days.around(wish.reach(date.starts_at(), date.ends_at())));
            let placer = Placer::new(&line, &wish);
            let admitted = schedule.policy.admit(start, Booker::Desk, self.now());
            let placement = admitted.and_then(|()| placer.at(start));
            let bookable = schedule.policy.bookable(date, self.now()).filter(|_| placement.is_err());
            let offers = bookable.into_iter().flat_map(|bookable| placer.offers(bookable));
            let nearest = offers.min_by_key(|offer| offer.starts_at.duration_since(start).abs());
            Outlook { planned: *planned, placement, nearest }
        };
        Ok(planned.iter().zip(dates).map(outlook).collect())
    }

    /// Takes the days of all visits of a series and places each, or says which can't be.
    ///
    /// # Errors
    /// [`Error::Occurrence`].
    pub async fn place_series(
        &self,
        schedule: &Schedule,
        wanted: &[Wanted],
    ) -> Result<Vec<Placement>, Error> {
        let reaches = self.reaches(schedule, wanted.iter())?;
        self.take_days(&days_of(&reaches, &schedule.zone)).await?;
        let days = self.read_days(schedule, days_of(&reaches, &schedule.zone), Lock::Taken).await?;
        let histories = self.histories_of(schedule, wanted.iter(), &reaches).await?;
        let (free, mut taken) = (Free { days, under: vec![], histories }, vec![]);
        let place = |wanted: &Wanted| {
            let placement = free.place(schedule, wanted, &[], &taken);
            let number = wanted.number;
            let placement = placement.map_err(|refusal| Error::Occurrence { number, refusal })?;
            taken.extend(placement.occupied.iter().map(|row| (row.subject, row.during)));
            Ok(placement)
        };
        wanted.iter().map(place).collect()
    }

    /// Adds a series; its appointments say themselves that they belong to it.
    ///
    /// # Errors
    /// What the database refuses.
    pub async fn add_series(&self, series: &Series) -> Result<(), Error> {
        let Recurrence { cadence, every, count } = series.recurrence;
        let values: [Value; 7] = [
            self.business.0.into(),
            series.id.0.into(),
            cadence_name(cadence).into(),
            i16::from(every).into(),
            i16::from(count).into(),
            to_db(series.booked_at).into(),
            self.actor().into(),
        ];
        self.execute(ADD, values).await.map(drop)
    }

    /// A series with its appointments.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn series(&self, id: SeriesId) -> Result<StoredSeries, Error> {
        let series = self.one::<Row, Series>(ONE, [self.business.0.into(), id.0.into()]).await?;
        let series = series.ok_or(Error::NotFound("series"))?;
        Ok(StoredSeries { series, appointments: self.appointments_of_series(id).await? })
    }

    /// What the customer of some visits of a series has had.
    pub(super) async fn histories_of<'a>(
        &self,
        schedule: &Schedule,
        wanted: impl Iterator<Item = &'a Wanted>,
        reaches: &[Span],
    ) -> Result<Histories, Error> {
        let Some(all) = reaches.iter().copied().reduce(Span::hull) else { return Ok(Histories::default()) };
        let wishes: Vec<_> = wanted.filter_map(|wanted| schedule.wish(&wanted.items).ok()).collect();
        self.histories(wishes.iter().flat_map(Wish::needs), all, self.now()).await
    }

    /// All that visits could occupy where they are wanted.
    pub(super) fn reaches<'a>(
        &self,
        schedule: &Schedule,
        wanted: impl Iterator<Item = &'a Wanted>,
    ) -> Result<Vec<Span>, Error> {
        let reach = |wanted: &Wanted| {
            let refused = |refusal| Error::Occurrence { number: wanted.number, refusal };
            let start = wanted.starts_at.ok_or_else(|| refused(Refusal::NotWorking))?;
            schedule.policy.admit(start, Booker::Desk, self.now()).map_err(refused)?;
            Ok(schedule.wish(&wanted.items)?.reach(start, start))
        };
        wanted.map(reach).collect()
    }
}

/// The local date of a planned visit.
fn day_around(planned: &Planned, schedule: &Schedule) -> Option<Span> {
    let day = Day::of(planned.date, &schedule.zone);
    planned.starts_at.and_then(|_| Span::new(day.starts_at(), day.ends_at()))
}
