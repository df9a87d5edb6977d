//! Services of a hold or an appointment.

use chrono::{DateTime, Utc};
use database::{Named, from_db, named, to_db};
use engine::{
    id::{EmployeeId, ResourceId, ServiceId, VisitId},
    item::Wish,
    visit::PlacedItem,
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::Error;

/// Rows of the items of `:visit_id`, in order; [`item_columns`] are the other parameters.
macro_rules! add_items {
    ($table:literal) => {
        concat!(
            "INSERT INTO ",
            $table,
            " (business_id, visit_id, position, service_id, employee_id, starts_at, ends_at, guest,
                price_minor, extra_minutes, wished_id, only_wished, resource_ids)
            SELECT :business_id, :visit_id, i.position, i.service_id, i.employee_id, i.starts_at, i.ends_at,
                i.guest, i.price, i.extra, NULLIF(i.wished, '00000000-0000-0000-0000-000000000000'), i.only_wished,
                string_to_array(i.resources, ' ')::uuid[]
            FROM unnest(:services::uuid[], :employees::uuid[], :item_starts::timestamptz[],
                    :item_ends::timestamptz[], :guests::smallint[], :item_prices::integer[],
                    :extra_minutes::smallint[], :wished::uuid[], :only_wished::boolean[], :resources::text[])
                WITH ORDINALITY AS i (service_id, employee_id, starts_at, ends_at, guest, price, extra, wished,
                    only_wished, resources, position)"
        )
    };
}
pub(crate) use add_items;

const ADD_TO_HOLD: &str = add_items!("hold_item");
const ADD_TO_APPOINTMENT: &str = add_items!("appointment_item");
const OF_HOLD: &str = "SELECT service_id, employee_id, starts_at, ends_at, guest, price_minor, extra_minutes,
        wished_id, only_wished, resource_ids
    FROM hold_item
    WHERE business_id = :business_id AND visit_id = :visit_id ORDER BY position";

#[derive(FromQueryResult)]
struct Row {
    service_id: Uuid,
    employee_id: Uuid,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    guest: i16,
    price_minor: i32,
    extra_minutes: i16,
    wished_id: Option<Uuid>,
    only_wished: bool,
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
            extra_minutes: row.extra_minutes,
            wish: wish(row.wished_id, row.only_wished),
        })
    }
}

/// Whom the customer asked for, as it is stored.
pub(crate) fn wish(employee: Option<Uuid>, only: bool) -> Wish {
    match employee.map(EmployeeId) {
        None => Wish::Anyone,
        Some(employee) if only => Wish::Only(employee),
        Some(employee) => Wish::Prefers(employee),
    }
}

/// A guest's number as it is stored.
pub(crate) fn guest(number: i16) -> Result<u8, Error> {
    u8::try_from(number).map_err(|_| Error::Stored("guest"))
}

impl Tx {
    pub(crate) async fn add_hold_items(&self, visit: VisitId, items: &[PlacedItem]) -> Result<(), Error> {
        let values = self.visit_key(visit).and(item_columns(items));
        self.execute(ADD_TO_HOLD, values).await.map(drop)
    }

    pub(crate) async fn add_appointment_items(
        &self,
        visit: VisitId,
        items: &[PlacedItem],
    ) -> Result<(), Error> {
        let values = self.visit_key(visit).and(item_columns(items));
        self.execute(ADD_TO_APPOINTMENT, values).await.map(drop)
    }

    pub(crate) async fn hold_items(&self, visit: VisitId) -> Result<Vec<PlacedItem>, Error> {
        self.all::<Row, _>(OF_HOLD, self.visit_key(visit)).await
    }

    fn visit_key(&self, visit: VisitId) -> Named {
        named! { business_id: self.business.0, visit_id: visit.0 }
    }
}

/// What [`add_items`] takes of them, beside the business and the visit.
pub(crate) fn item_columns(items: &[PlacedItem]) -> Named {
    named! {
        services: items.iter().map(|item| item.service.0).collect::<Vec<_>>(),
        employees: items.iter().map(|item| item.employee.0).collect::<Vec<_>>(),
        item_starts: items.iter().map(|item| to_db(item.starts_at)).collect::<Vec<_>>(),
        item_ends: items.iter().map(|item| to_db(item.ends_at)).collect::<Vec<_>>(),
        guests: items.iter().map(|item| i16::from(item.guest)).collect::<Vec<_>>(),
        item_prices: items.iter().map(|item| item.price_minor).collect::<Vec<_>>(),
        extra_minutes: items.iter().map(|item| item.extra_minutes).collect::<Vec<_>>(),
        wished: items
            .iter()
            .map(|item| item.wish.employee().map_or(Uuid::nil(), |employee| employee.0))
            .collect::<Vec<_>>(),
        only_wished: items.iter().map(|item| matches!(item.wish, Wish::Only(_))).collect::<Vec<_>>(),
        resources: items.iter().map(|item| joined(&item.resources)).collect::<Vec<_>>(),
    }
}

/// The ids of one item, as arrays of arrays of one length each can't have them.
fn joined(resources: &[ResourceId]) -> String {
    resources.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
