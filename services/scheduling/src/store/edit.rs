//! What was changed of visits besides their places.

use chrono::{DateTime, Utc};
use database::{from_db, named};
use engine::{
    appointment::Appointment,
    edit::{Difference, Part},
    id::{ServiceId, VisitId},
    item::Wish,
};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{
    Tx,
    item::{guest, wish},
};
use crate::Error;

const ADD: &str = "INSERT INTO visit_edit (business_id, visit_id, version, position, kind, service_id, guest,
        minutes, wished_id, only_wished, edited_at, edited_by)
    SELECT :business_id, :visit_id, :version, d.position, d.kind,
        NULLIF(d.service, '00000000-0000-0000-0000-000000000000'), d.guest, d.minutes,
        NULLIF(d.wished, '00000000-0000-0000-0000-000000000000'), d.only_wished, :now, :actor
    FROM unnest(:kinds::text[], :services::uuid[], :guests::smallint[], :minutes::smallint[], :wished::uuid[],
        :only_wished::boolean[]) WITH ORDINALITY AS d (kind, service, guest, minutes, wished, only_wished, position)";
const EDITS: &str = "SELECT d.version, d.kind, d.service_id, d.guest, d.minutes, d.wished_id, d.only_wished,
        d.edited_at, d.edited_by, s.name AS service_name, w.name AS wished_name
    FROM visit_edit d
    LEFT JOIN service s ON s.business_id = :business_id AND s.id = d.service_id
    LEFT JOIN employee w ON w.business_id = :business_id AND w.id = d.wished_id
    WHERE d.business_id = :business_id AND d.visit_id = :visit_id ORDER BY d.version, d.position";

/// A change of what a visit is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEdit {
    /// When.
    pub at: Timestamp,
    /// Who made it, as the audit trail names them.
    pub by: String,
    /// What became different.
    pub differences: Vec<NamedDifference>,
}

/// A difference with the names that go with it, empty while they are not known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedDifference {
    /// What.
    pub difference: Difference,
    /// The service.
    pub service: String,
    /// Whom the customer asks for since.
    pub wished: String,
}

#[derive(FromQueryResult)]
struct Row {
    version: i64,
    kind: String,
    service_id: Option<Uuid>,
    guest: i16,
    minutes: i16,
    wished_id: Option<Uuid>,
    only_wished: bool,
    edited_at: DateTime<Utc>,
    edited_by: String,
    service_name: Option<String>,
    wished_name: Option<String>,
}

impl TryFrom<Row> for (i64, StoredEdit) {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let stored = || Error::Stored("change of a visit");
        let part = || Ok::<Part, Error>((ServiceId(row.service_id.ok_or_else(stored)?), guest(row.guest)?));
        let difference = match row.kind.as_str() {
            "ADDED" => Difference::Added(part()?),
            "REMOVED" => Difference::Removed(part()?),
            "LENGTH" => Difference::Length(part()?, row.minutes.try_into().map_err(|_| stored())?),
            "WISH" => Difference::Wished(part()?, wish(row.wished_id, row.only_wished)),
            "NOTES" => Difference::Notes,
            _ => return Err(stored()),
        };
        let named = NamedDifference {
            difference,
            service: row.service_name.unwrap_or_default(),
            wished: row.wished_name.unwrap_or_default(),
        };
        let edit = StoredEdit { at: from_db(row.edited_at), by: row.edited_by, differences: vec![named] };
        Ok((row.version, edit))
    }
}

/// A difference as its row has it.
struct Columns {
    kind: &'static str,
    part: Option<Part>,
    minutes: i16,
    wish: Wish,
}

impl From<&Difference> for Columns {
    fn from(difference: &Difference) -> Self {
        let of = |kind, part: &Part| Self { kind, part: Some(*part), minutes: 0, wish: Wish::Anyone };
        match difference {
            Difference::Added(part) => of("ADDED", part),
            Difference::Removed(part) => of("REMOVED", part),
            Difference::Length(part, minutes) => {
                Self { minutes: i16::try_from(*minutes).unwrap_or(i16::MAX), ..of("LENGTH", part) }
            }
            Difference::Wished(part, wish) => Self { wish: *wish, ..of("WISH", part) },
            Difference::Notes => Self { kind: "NOTES", part: None, minutes: 0, wish: Wish::Anyone },
        }
    }
}

impl Tx {
    /// Keeps what a change of a visit made different, for its history.
    pub(crate) async fn add_differences(
        &self,
        visit: &Appointment,
        differences: &[Difference],
    ) -> Result<(), Error> {
        if differences.is_empty() {
            return Ok(());
        }
        let columns: Vec<_> = differences.iter().map(Columns::from).collect();
        let values = named! {
            business_id: self.business.0,
            visit_id: visit.id.0,
            version: visit.version,
            kinds: columns.iter().map(|column| column.kind.to_owned()).collect::<Vec<_>>(),
            services: columns
                .iter()
                .map(|column| column.part.map_or(Uuid::nil(), |(service, _)| service.0))
                .collect::<Vec<_>>(),
            guests: columns
                .iter()
                .map(|column| column.part.map_or(0, |(_, guest)| i16::from(guest)))
                .collect::<Vec<_>>(),
            minutes: columns.iter().map(|column| column.minutes).collect::<Vec<_>>(),
            wished: columns
                .iter()
                .map(|column| column.wish.employee().map_or(Uuid::nil(), |employee| employee.0))
                .collect::<Vec<_>>(),
            only_wished: columns
                .iter()
                .map(|column| matches!(column.wish, Wish::Only(_)))
                .collect::<Vec<_>>(),
            now: self.at(),
            actor: self.actor(),
        };
        self.execute(ADD, values).await.map(drop)
    }

    /// What was changed of a visit, the earliest first.
    pub async fn edits(&self, visit: VisitId) -> Result<Vec<StoredEdit>, Error> {
        let key = named! { business_id: self.business.0, visit_id: visit.0 };
        let mut edits: Vec<(i64, StoredEdit)> = vec![];
        for (version, edit) in self.all::<Row, (i64, StoredEdit)>(EDITS, key).await? {
            match edits.last_mut() {
                Some((last, known)) if *last == version => known.differences.extend(edit.differences),
                _ => edits.push((version, edit)),
            }
        }
        Ok(edits.into_iter().map(|(_, edit)| edit).collect())
    }
}
