//! Services.

use boot::postgres::constraint;
use sea_orm::{DbErr, FromQueryResult, Value};
use uuid::Uuid;

use super::{Tx, settings::ScheduleVersion};
use crate::{
    Error,
    domain::{
        id::{EmployeeId, ServiceId},
        service::{Course, Price, Segment, SegmentKind, Service},
    },
};

/// Columns of a service with its segments and employees gathered.
macro_rules! select_services {
    ($rest:literal) => {
        concat!(
            "SELECT s.id, s.name, s.category, s.buffer_before_minutes, s.buffer_after_minutes,
                s.price_minor, s.currency, s.aliases,
                ARRAY(SELECT g.kind FROM service_segment g
                    WHERE g.business_id = s.business_id AND g.service_id = s.id ORDER BY g.position) AS kinds,
                ARRAY(SELECT g.minutes FROM service_segment g
                    WHERE g.business_id = s.business_id AND g.service_id = s.id ORDER BY g.position) AS minutes,
                ARRAY(SELECT e.employee_id FROM service_employee e
                    WHERE e.business_id = s.business_id AND e.service_id = s.id
                    ORDER BY e.employee_id) AS employees
            FROM service s WHERE s.business_id = $1 ",
            $rest
        )
    };
}

/// Parameters: business, category, name and id of the row before, rows wanted.
pub const SERVICES_BY_CATEGORY: &str = select_services!(
    "AND (s.category, s.name, s.id) > ($2, $3, $4) ORDER BY s.category, s.name, s.id LIMIT $5"
);
const ALL: &str = select_services!("");
const ONE: &str = select_services!("AND s.id = $2");
const ADD: &str = "INSERT INTO service (business_id, id, name, category, buffer_before_minutes,
        buffer_after_minutes, price_minor, currency, aliases)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (business_id, id) DO NOTHING";
const ADD_SEGMENTS: &str = "INSERT INTO service_segment (business_id, service_id, position, kind, minutes)
    SELECT $1, $2, s.position, s.kind, s.minutes
    FROM unnest($3::text[], $4::smallint[]) WITH ORDINALITY AS s (kind, minutes, position)";
const ADD_EMPLOYEES: &str = "INSERT INTO service_employee (business_id, service_id, employee_id)
    SELECT $1, $2, * FROM unnest($3::uuid[])";
const CURRENCY: &str = "SELECT currency FROM service WHERE business_id = $1 LIMIT 1";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    name: String,
    category: String,
    buffer_before_minutes: i16,
    buffer_after_minutes: i16,
    price_minor: i32,
    currency: String,
    aliases: Vec<String>,
    kinds: Vec<String>,
    minutes: Vec<i16>,
    employees: Vec<Uuid>,
}

#[derive(FromQueryResult)]
struct CurrencyRow {
    currency: String,
}

impl From<CurrencyRow> for String {
    fn from(row: CurrencyRow) -> Self {
        row.currency
    }
}

impl TryFrom<Row> for Service {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let stored = || Error::Stored("service");
        let minutes = |minutes: i16| u16::try_from(minutes).map_err(|_| stored());
        let segments = row.kinds.iter().zip(&row.minutes).map(|(kind, length)| {
            let kind = match kind.as_str() {
                "ACTIVE" => SegmentKind::Active,
                "PROCESSING" => SegmentKind::Processing,
                _ => return Err(stored()),
            };
            Ok(Segment { kind, minutes: minutes(*length)? })
        });
        let (before, after) = (minutes(row.buffer_before_minutes)?, minutes(row.buffer_after_minutes)?);
        Ok(Self {
            id: ServiceId(row.id),
            name: row.name,
            category: row.category,
            course: Course::new(segments.collect::<Result<_, _>>()?, before, after).map_err(|_| stored())?,
            price: Price::new(row.price_minor, row.currency).map_err(|_| stored())?,
            aliases: row.aliases,
            employees: row.employees.into_iter().map(EmployeeId).collect(),
        })
    }
}

/// Where a service stands in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceKey {
    /// Its category.
    pub category: String,
    /// Its name.
    pub name: String,
    /// Its id.
    pub id: ServiceId,
}

impl ServiceKey {
    /// Before every service.
    #[must_use]
    pub fn first() -> Self {
        Self { category: String::new(), name: String::new(), id: ServiceId(Uuid::nil()) }
    }
}

impl Tx {
    /// Services after `after`, by category and name.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn services(&self, after: ServiceKey, rows: u32) -> Result<Vec<Service>, Error> {
        let values: [Value; 5] = [
            self.business.0.into(),
            after.category.into(),
            after.name.into(),
            after.id.0.into(),
            i64::from(rows).into(),
        ];
        self.all::<Row, _>(SERVICES_BY_CATEGORY, values).await
    }

    pub(super) async fn all_services(&self) -> Result<Vec<Service>, Error> {
        self.all::<Row, _>(ALL, [self.business.0.into()]).await
    }

    /// One service.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn service(&self, id: ServiceId) -> Result<Option<Service>, Error> {
        self.one::<Row, _>(ONE, [self.business.0.into(), id.0.into()]).await
    }

    /// Adds a service, unless its id is there already.
    ///
    /// # Errors
    /// [`Error::NameTaken`], or a currency that is not the business's.
    pub async fn add_service(&self, _: ScheduleVersion, service: &Service) -> Result<bool, Error> {
        let currency: Option<String> = self.one::<CurrencyRow, _>(CURRENCY, [self.business.0.into()]).await?;
        if let Some(currency) = currency.filter(|currency| *currency != service.price.currency) {
            return Err(Error::invalid("service.currency", format!("must be {currency}, as of the others")));
        }
        if self.try_execute(ADD, self.service_columns(service)).await.map_err(refused)? == 0 {
            return Ok(false);
        }
        let key = [self.business.0.into(), service.id.0.into()];
        let segments = service.course.segments();
        let kinds = segments.iter().map(|segment| kind(segment.kind).to_owned()).collect::<Vec<_>>();
        let minutes = segments.iter().map(|segment| segment.minutes.cast_signed()).collect::<Vec<_>>();
        self.execute(ADD_SEGMENTS, key.clone().into_iter().chain([kinds.into(), minutes.into()])).await?;
        let employees = service.employees.iter().map(|employee| employee.0).collect::<Vec<_>>();
        self.execute(ADD_EMPLOYEES, key.into_iter().chain([employees.into()])).await?;
        Ok(true)
    }

    fn service_columns(&self, service: &Service) -> [Value; 9] {
        [
            self.business.0.into(),
            service.id.0.into(),
            service.name.as_str().into(),
            service.category.as_str().into(),
            service.course.buffer_before().cast_signed().into(),
            service.course.buffer_after().cast_signed().into(),
            service.price.minor.into(),
            service.price.currency.as_str().into(),
            service.aliases.clone().into(),
        ]
    }
}

fn kind(kind: SegmentKind) -> &'static str {
    match kind {
        SegmentKind::Active => "ACTIVE",
        SegmentKind::Processing => "PROCESSING",
    }
}

fn refused(error: DbErr) -> Error {
    match constraint(&error).as_deref() {
        Some("service_name") => Error::NameTaken("service"),
        _ => error.into(),
    }
}
