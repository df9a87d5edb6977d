//! Services.

use std::collections::BTreeMap;

use database::{Named, constraint, named};
use engine::{
    appointment::Stale,
    id::{EmployeeId, ServiceId},
    service::{Price, Segment, SegmentKind, Segments, Service, SkillOverride},
};
use sea_orm::{DbErr, FromQueryResult};
use uuid::Uuid;

use super::{Tx, settings::ScheduleVersion};
use crate::Error;

/// Columns of a service with its segments and employees gathered.
macro_rules! select_services {
    ($rest:literal) => {
        concat!(
            "SELECT s.id, s.name, s.category, s.buffer_before_minutes, s.buffer_after_minutes,
                s.price_minor, s.currency, s.aliases, s.resource_kinds, s.version, s.patch_test,
                ARRAY(SELECT g.kind FROM service_segment g
                    WHERE g.business_id = s.business_id AND g.service_id = s.id ORDER BY g.position) AS kinds,
                ARRAY(SELECT g.minutes FROM service_segment g
                    WHERE g.business_id = s.business_id AND g.service_id = s.id ORDER BY g.position) AS minutes,
                ARRAY(SELECT e.employee_id FROM service_employee e
                    WHERE e.business_id = s.business_id AND e.service_id = s.id
                    ORDER BY e.employee_id) AS employees,
                ARRAY(SELECT COALESCE(e.price_minor, -1) FROM service_employee e
                    WHERE e.business_id = s.business_id AND e.service_id = s.id
                    ORDER BY e.employee_id) AS employee_prices,
                ARRAY(SELECT array_to_string(e.segment_minutes, ' ') FROM service_employee e
                    WHERE e.business_id = s.business_id AND e.service_id = s.id
                    ORDER BY e.employee_id) AS employee_minutes
            FROM service s WHERE s.business_id = :business_id AND s.archived_at IS NULL ",
            $rest
        )
    };
}

/// A page of services by category and name.
pub const SERVICES_BY_CATEGORY: &str = select_services!(
    "AND (s.category, s.name, s.id) > (:after_category, :after_name, :after_id)
        ORDER BY s.category, s.name, s.id LIMIT :rows"
);
const ALL: &str = select_services!("");
const ONE: &str = select_services!("AND s.id = :id");
const ADD: &str = "INSERT INTO service (business_id, id, name, category, buffer_before_minutes,
        buffer_after_minutes, price_minor, currency, aliases, resource_kinds, patch_test)
    VALUES (:business_id, :id, :name, :category, :buffer_before, :buffer_after, :price_minor, :currency,
        :aliases, :resource_kinds, :patch_test) ON CONFLICT (business_id, id) DO NOTHING";
const ADD_SEGMENTS: &str = "INSERT INTO service_segment (business_id, service_id, position, kind, minutes)
    SELECT :business_id, :id, s.position, s.kind, s.minutes
    FROM unnest(:kinds::text[], :minutes::smallint[]) WITH ORDINALITY AS s (kind, minutes, position)";
const ADD_EMPLOYEES: &str = "INSERT INTO service_employee
        (business_id, service_id, employee_id, price_minor, segment_minutes)
    SELECT :business_id, :id, e.id, NULLIF(e.price, -1), string_to_array(e.minutes, ' ')::smallint[]
    FROM unnest(:employee_ids::uuid[], :prices::integer[], :minutes::text[]) AS e (id, price, minutes)";
const CURRENCY: &str = "SELECT currency FROM service WHERE business_id = :business_id AND id <> :id LIMIT 1";
const UPDATE: &str = "UPDATE service SET name = :name, category = :category,
        buffer_before_minutes = :buffer_before, buffer_after_minutes = :buffer_after,
        price_minor = :price_minor, currency = :currency, aliases = :aliases,
        resource_kinds = :resource_kinds, patch_test = :patch_test, version = version + 1
    WHERE business_id = :business_id AND id = :id AND archived_at IS NULL AND version = :version";
const REMOVE_SEGMENTS: &str =
    "DELETE FROM service_segment WHERE business_id = :business_id AND service_id = :id";
const REMOVE_EMPLOYEES: &str =
    "DELETE FROM service_employee WHERE business_id = :business_id AND service_id = :id";
const ARCHIVE: &str = "UPDATE service SET archived_at = :now, version = version + 1
    WHERE business_id = :business_id AND id = :id AND archived_at IS NULL";
const REMOVE_DEPENDENCIES: &str =
    "DELETE FROM dependency WHERE business_id = :business_id AND (first_id = :id OR then_id = :id)";
/// No price is negative: stands for none among the columns.
const NO_PRICE: i32 = -1;

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
    employee_prices: Vec<i32>,
    employee_minutes: Vec<String>,
    resource_kinds: Vec<String>,
    version: i64,
    patch_test: String,
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
        let course =
            Segments::new(segments.collect::<Result<_, _>>()?, before, after).map_err(|_| stored())?;
        let others = row.employees.iter().zip(&row.employee_prices).zip(&row.employee_minutes);
        let others = others.filter(|((_, price), minutes)| **price != NO_PRICE || !minutes.is_empty());
        let skill = |((employee, price), minutes): ((&Uuid, &i32), &String)| {
            let minutes: Result<Vec<u16>, _> = minutes.split_whitespace().map(str::parse).collect();
            let minutes = minutes.map_err(|_| stored())?;
            let other = (!minutes.is_empty()).then(|| course.with_minutes(&minutes)).transpose();
            Ok::<_, Error>(SkillOverride {
                employee: EmployeeId(*employee),
                course: other.map_err(|_| stored())?,
                price_minor: Some(*price).filter(|price| *price != NO_PRICE),
            })
        };
        let overrides = others.map(skill).collect::<Result<_, _>>()?;
        Ok(Self {
            id: ServiceId(row.id),
            name: row.name,
            category: row.category,
            course,
            price: Price { minor: row.price_minor, currency: row.currency },
            aliases: row.aliases,
            employees: row.employees.into_iter().map(EmployeeId).collect(),
            overrides,
            resource_kinds: row.resource_kinds,
            version: row.version,
            patch_test: row.patch_test,
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
    pub async fn services(&self, after: ServiceKey, rows: u32) -> Result<Vec<Service>, Error> {
        let values = named! {
            business_id: self.business.0,
            after_category: after.category,
            after_name: after.name,
            after_id: after.id.0,
            rows: i64::from(rows),
        };
        self.all::<Row, _>(SERVICES_BY_CATEGORY, values).await
    }

    pub(crate) async fn all_services(&self) -> Result<Vec<Service>, Error> {
        self.all::<Row, _>(ALL, named! { business_id: self.business.0 }).await
    }

    /// Everything on the list, by id.
    pub async fn services_by_id(&self) -> Result<BTreeMap<ServiceId, Service>, Error> {
        Ok(self.all_services().await?.into_iter().map(|service| (service.id, service)).collect())
    }

    /// One service.
    pub async fn service(&self, id: ServiceId) -> Result<Option<Service>, Error> {
        self.one::<Row, _>(ONE, named! { business_id: self.business.0, id: id.0 }).await
    }

    /// Adds a service, unless its id is there already.
    ///
    /// # Errors
    /// [`Error::NameTaken`], or a currency that is not the business's.
    pub async fn add_service(&self, _: ScheduleVersion, service: &Service) -> Result<bool, Error> {
        self.check_references(service).await?;
        if self.try_execute(ADD, self.service_columns(service)).await.map_err(refused)? == 0 {
            return Ok(false);
        }
        self.add_parts(service).await?;
        Ok(true)
    }

    /// Replaces what a service is.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Stale`], [`Error::NameTaken`], or a field that does not fit the
    /// rest of the business.
    pub async fn update_service(&self, _: ScheduleVersion, service: &Service) -> Result<(), Error> {
        self.check_references(service).await?;
        let values = self.service_columns(service).and(named! { version: service.version });
        if self.try_execute(UPDATE, values).await.map_err(refused)? == 0 {
            let known = self.service(service.id).await?;
            let known = known.ok_or(Error::NotFound("service"))?;
            return Err(Stale(known.version).into());
        }
        let key = named! { business_id: self.business.0, id: service.id.0 };
        self.execute(REMOVE_SEGMENTS, key.clone()).await?;
        self.execute(REMOVE_EMPLOYEES, key).await?;
        self.add_parts(service).await
    }

    /// Takes a service off the list, and the rules it is part of.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn archive_service(&self, _: ScheduleVersion, id: ServiceId) -> Result<(), Error> {
        let key = named! { business_id: self.business.0, id: id.0 };
        if self.execute(ARCHIVE, key.clone().and(named! { now: self.at() })).await? == 0 {
            return Err(Error::NotFound("service"));
        }
        self.execute(REMOVE_DEPENDENCIES, key).await.map(drop)
    }

    /// What it names beside itself is there, and fits.
    async fn check_references(&self, service: &Service) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, id: service.id.0 };
        let currency: Option<String> = self.one::<CurrencyRow, _>(CURRENCY, values).await?;
        if let Some(currency) = currency.filter(|currency| *currency != service.price.currency) {
            return Err(Error::invalid("service.currency", format!("must be {currency}, as of the others")));
        }
        if service.resource_kinds.is_empty() {
            return Ok(());
        }
        let resources = self.resources().await?;
        let unknown = |kind: &String| resources.iter().all(|resource| resource.kind != *kind);
        match service.resource_kinds.iter().position(unknown) {
            Some(index) => Err(Error::invalid(
                format!("service.resource_kinds[{index}]"),
                "is a kind the business has nothing of",
            )),
            None => Ok(()),
        }
    }

    async fn add_parts(&self, service: &Service) -> Result<(), Error> {
        let key = named! { business_id: self.business.0, id: service.id.0 };
        let segments = service.course.segments();
        let kinds = segments.iter().map(|segment| kind(segment.kind).to_owned()).collect::<Vec<_>>();
        let minutes = segments.iter().map(|segment| segment.minutes.cast_signed()).collect::<Vec<_>>();
        self.execute(ADD_SEGMENTS, key.clone().and(named! { kinds, minutes })).await?;
        let of = |employee: &EmployeeId| service.overrides.iter().find(|skill| skill.employee == *employee);
        let price =
            |employee: &EmployeeId| of(employee).and_then(|skill| skill.price_minor).unwrap_or(NO_PRICE);
        let minutes = |employee: &EmployeeId| {
            let course = of(employee).and_then(|skill| skill.course.as_ref());
            let segments = course.map(Segments::segments).unwrap_or_default();
            segments.iter().map(|segment| segment.minutes.to_string()).collect::<Vec<_>>().join(" ")
        };
        let employees = service.employees.iter();
        let skills = named! {
            employee_ids: employees.clone().map(|employee| employee.0).collect::<Vec<_>>(),
            prices: employees.clone().map(price).collect::<Vec<_>>(),
            minutes: employees.map(minutes).collect::<Vec<_>>(),
        };
        self.execute(ADD_EMPLOYEES, key.and(skills)).await.map(drop)
    }

    fn service_columns(&self, service: &Service) -> Named {
        named! {
            business_id: self.business.0,
            id: service.id.0,
            name: service.name.as_str(),
            category: service.category.as_str(),
            buffer_before: service.course.buffer_before().cast_signed(),
            buffer_after: service.course.buffer_after().cast_signed(),
            price_minor: service.price.minor,
            currency: service.price.currency.as_str(),
            aliases: service.aliases.clone(),
            resource_kinds: service.resource_kinds.clone(),
            patch_test: service.patch_test.as_str(),
        }
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
