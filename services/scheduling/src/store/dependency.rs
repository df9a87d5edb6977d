//! Rules between services.

use database::named;
use engine::{
    dependency::{Dependency, Rule},
    id::{DependencyId, ServiceId},
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Tx, settings::ScheduleVersion};
use crate::Error;

const ALL: &str = "SELECT id, first_id, then_id, rule, least_gap_minutes, most_gap_minutes,
        least_hours, most_days
    FROM dependency
    WHERE business_id = :business_id ORDER BY id";
const ADD: &str = "INSERT INTO dependency
        (business_id, id, first_id, then_id, rule, least_gap_minutes, most_gap_minutes, least_hours, most_days)
    VALUES (:business_id, :id, :first_id, :then_id, :rule, :least_gap_minutes, :most_gap_minutes,
        :least_hours, :most_days)";
const REMOVE: &str = "DELETE FROM dependency WHERE business_id = :business_id AND id = :id";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    first_id: Uuid,
    then_id: Uuid,
    rule: String,
    least_gap_minutes: Option<i16>,
    most_gap_minutes: Option<i16>,
    least_hours: Option<i16>,
    most_days: Option<i16>,
}

impl TryFrom<Row> for Dependency {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let stored = || Error::Stored("dependency");
        let unsigned = |number: i16| u16::try_from(number).map_err(|_| stored());
        let earlier = row.least_hours.zip(row.most_days);
        let rule = match (row.rule.as_str(), row.least_gap_minutes) {
            ("ORDER", Some(least)) => {
                Rule::Order { least: unsigned(least)?, most: row.most_gap_minutes.map(unsigned).transpose()? }
            }
            ("SAME_EMPLOYEE", None) => Rule::SameEmployee,
            ("DIFFERENT_EMPLOYEE", None) => Rule::DifferentEmployee,
            ("PARALLEL", None) => Rule::Parallel,
            ("EARLIER_VISIT", None) => {
                let (least, most) = earlier.ok_or_else(stored)?;
                Rule::EarlierVisit { least_hours: unsigned(least)?, most_days: unsigned(most)? }
            }
            _ => return Err(stored()),
        };
        let (first, then) = (ServiceId(row.first_id), ServiceId(row.then_id));
        Ok(Self { id: DependencyId(row.id), first, then, rule })
    }
}

impl Tx {
    /// All of them.
    pub async fn dependencies(&self) -> Result<Vec<Dependency>, Error> {
        self.all::<Row, _>(ALL, named! { business_id: self.business.0 }).await
    }

    /// Adds a rule, which has been checked against the others.
    pub async fn add_dependency(&self, _: ScheduleVersion, dependency: &Dependency) -> Result<(), Error> {
        let (rule, least, most) = match dependency.rule {
            Rule::Order { least, most } => ("ORDER", Some(least.cast_signed()), most.map(u16::cast_signed)),
            Rule::SameEmployee => ("SAME_EMPLOYEE", None, None),
            Rule::DifferentEmployee => ("DIFFERENT_EMPLOYEE", None, None),
            Rule::Parallel => ("PARALLEL", None, None),
            Rule::EarlierVisit { .. } => ("EARLIER_VISIT", None, None),
        };
        let earlier = match dependency.rule {
            Rule::EarlierVisit { least_hours, most_days } => Some((least_hours, most_days)),
            Rule::Order { .. } | Rule::SameEmployee | Rule::DifferentEmployee | Rule::Parallel => None,
        };
        let values = named! {
            business_id: self.business.0,
            id: dependency.id.0,
            first_id: dependency.first.0,
            then_id: dependency.then.0,
            rule,
            least_gap_minutes: least,
            most_gap_minutes: most,
            least_hours: earlier.map(|(hours, _)| hours.cast_signed()),
            most_days: earlier.map(|(_, days)| days.cast_signed()),
        };
        self.execute(ADD, values).await.map(drop)
    }

    /// Takes a rule away.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn remove_dependency(&self, _: ScheduleVersion, id: DependencyId) -> Result<(), Error> {
        let removed = self.execute(REMOVE, named! { business_id: self.business.0, id: id.0 }).await?;
        if removed == 0 { Err(Error::NotFound("dependency")) } else { Ok(()) }
    }
}
