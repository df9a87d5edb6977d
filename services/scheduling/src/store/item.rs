//! Services of a hold or an appointment.

use boot::postgres::{from_db, to_db};
use chrono::{DateTime, Utc};
use sea_orm::{FromQueryResult, Value};
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{
        id::{EmployeeId, ResourceId, ServiceId, VisitId},
        visit::PlacedItem,
    },
};

const ADD_TO_HOLD: &str = "INSERT INTO hold_item
        (business_id, visit_id, position, service_id, employee_id, starts_at, ends_at, guest, price_minor,
            resource_ids)
    SELECT $1, $2, i.position, i.service_id, i.employee_id, i.starts_at, i.ends_at, i.guest, i.price,
        string_to_array(i.resources, ' ')::uuid[]
    FROM unnest($3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[], $7::smallint[], $8::integer[],
            $9::text[]) WITH ORDINALITY
        AS i (service_id, employee_id, starts_at, ends_at, guest, price, resources, position)";
const ADD_TO_APPOINTMENT: &str = "INSERT INTO appointment_item
        (business_id, visit_id, position, service_id, employee_id, starts_at, ends_at, guest, price_minor,
            resource_ids)
    SELECT $1, $2, i.position, i.service_id, i.employee_id, i.starts_at, i.ends_at, i.guest, i.price,
        string_to_array(i.resources, ' ')::uuid[]
    FROM unnest($3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[], $7::smallint[], $8::integer[],
            $9::text[]) WITH ORDINALITY
        AS i (service_id, employee_id, starts_at, ends_at, guest, price, resources, position)";
const OF_HOLD: &str = "SELECT service_id, employee_id, starts_at, ends_at, guest, price_minor, resource_ids
    FROM hold_item
    WHERE business_id = $1 AND visit_id = $2 ORDER BY position";

#[derive(FromQueryResult)]
struct Row {
    service_id: Uuid,
    employee_id: Uuid,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    guest: i16,
    price_minor: i32,
    resource_ids: Vec<Uuid>,
}

impl TryFrom<Row> for PlacedItem {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            guest: guest(row.guest)?,
            service: ServiceId(row.service_id),
            employee: EmployeeId(row.employee_id),
            starts_at: from_db(row.starts_at),
            ends_at: from_db(row.ends_at),
            resources: row.resource_ids.into_iter().map(ResourceId).collect(),
            price_minor: row.price_minor,
        })
    }
}

/// A guest's number as it is stored.
pub(super) fn guest(number: i16) -> Result<u8, Error> {
    u8::try_from(number).map_err(|_| Error::Stored("guest"))
}

impl Tx {
    pub(super) async fn add_hold_items(&self, visit: VisitId, items: &[PlacedItem]) -> Result<(), Error> {
        self.execute(ADD_TO_HOLD, self.item_columns(visit, items)).await.map(drop)
    }

    pub(super) async fn add_appointment_items(
        &self,
        visit: VisitId,
        items: &[PlacedItem],
    ) -> Result<(), Error> {
        self.execute(ADD_TO_APPOINTMENT, self.item_columns(visit, items)).await.map(drop)
    }

    pub(super) async fn hold_items(&self, visit: VisitId) -> Result<Vec<PlacedItem>, Error> {
        self.all::<Row, _>(OF_HOLD, [self.business.0.into(), visit.0.into()]).await
    }

    fn item_columns(&self, visit: VisitId, items: &[PlacedItem]) -> [Value; 9] {
        [
            self.business.0.into(),
            visit.0.into(),
            items.iter().map(|item| item.service.0).collect::<Vec<_>>().into(),
            items.iter().map(|item| item.employee.0).collect::<Vec<_>>().into(),
            items.iter().map(|item| to_db(item.starts_at)).collect::<Vec<_>>().into(),
            items.iter().map(|item| to_db(item.ends_at)).collect::<Vec<_>>().into(),
            items.iter().map(|item| i16::from(item.guest)).collect::<Vec<_>>().into(),
            items.iter().map(|item| item.price_minor).collect::<Vec<_>>().into(),
            items.iter().map(|item| joined(&item.resources)).collect::<Vec<_>>().into(),
        ]
    }
}

/// The ids of one item, as arrays of arrays of one length each can't have them.
fn joined(resources: &[ResourceId]) -> String {
    resources.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
