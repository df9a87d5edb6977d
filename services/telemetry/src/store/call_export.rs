//! Files of calls that people took away.

use database::{named, to_db};
use jiff::SignedDuration;
use uuid::Uuid;

use super::{Tx, Wanted};
use crate::error::Error;

const ADD: &str = "INSERT INTO call_export (business_id, id, first_date, last_date, created_by, created_at)
    VALUES (:business_id, :id, :first_date::date, :last_date::date, :by, :now)";
const LATELY: &str = "SELECT EXISTS (SELECT FROM call_export
    WHERE business_id = :business_id AND created_by = :by AND created_at > :since)";
/// How long one may take.
const LONGEST: SignedDuration = SignedDuration::from_hours(1);

impl Tx {
    /// Notes that the actor takes these calls away.
    pub async fn add_call_export(&self, wanted: &Wanted) -> Result<(), Error> {
        let date = |date: Option<jiff::civil::Date>| date.map(|date| date.to_string());
        let values = named! {
            business_id: self.business.0,
            id: self.new_id::<Uuid>(),
            first_date: date(wanted.filter.first),
            last_date: date(wanted.filter.last),
            by: self.actor(),
            now: self.at(),
        };
        self.execute(ADD, values).await.map(drop)
    }

    /// Whether the actor began an export that may still be going on.
    pub async fn exports_calls(&self) -> Result<bool, Error> {
        let since = to_db(self.now() - LONGEST);
        let values = named! { business_id: self.business.0, by: self.actor(), since };
        Ok(self.value(LATELY, values).await?.unwrap_or(false))
    }
}
