//! What the salon sells.

use cache::LIFE;
use caller::{BusinessScope, Role, Tenant};
use engine::{
    id::{EmployeeId, ServiceId},
    service::{Price, Segment, SegmentKind, Segments, Service, SkillOverride},
};
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, ArchiveServiceRequest, ArchiveServiceResponse, CatalogueServiceHandler,
        CreateServiceRequest, CreateServiceResponse, ListServicesRequest, ListServicesResponse,
        UpdateServiceRequest, UpdateServiceResponse,
    },
    page::{Page, page},
    parse::{chosen_id, id},
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use super::fields;
use crate::{
    Error,
    app::{ArchiveService, CreateService, Named, People, UpdateService},
    contract::FromEngine,
    domain::phrase::{MAX_ALIAS, MAX_ALIASES},
    store::{CATALOGUE, ServiceKey, Store},
};

const MAX_NAME: usize = 200;
const MAX_CATEGORY: usize = 100;
const MAX_PATCH_TEST: usize = 100;
const MAX_EMPLOYEES: usize = 500;
const MAX_KINDS: usize = 5;

/// Serves `CatalogueService`.
#[derive(Debug)]
pub(crate) struct Catalogue {
    store: Store,
    people: People,
}

impl Catalogue {
    pub(crate) fn new(store: Store, people: People) -> Self {
        Self { store, people }
    }

    /// The whole of it, as employees see it.
    async fn page(&self, scope: &BusinessScope, page: &Page<Place>) -> Result<ListServicesResponse, Status> {
        let after = after(page);
        let tx = self.store.begin(scope);
        let rows = tx.services(after, page.limit()).await?;
        tx.release();
        let (services, next_page_token) = page.answer(&rows, |row| place(row), pb::Service::from_engine);
        Ok(ListServicesResponse { services, next_page_token })
    }
}

#[async_trait]
impl CatalogueServiceHandler for Catalogue {
    async fn list_services(
        &self,
        scope: BusinessScope,
        request: ListServicesRequest,
    ) -> Result<ListServicesResponse, Status> {
        let page = page(request.page_size, &request.page_token)?;
        let load = || self.page(&scope, &page);
        let answer = if page.after.is_some() {
            load().await?
        } else {
            let key = page.size().to_string();
            self.store.answers().read(CATALOGUE, &scope, &key, LIFE, load).await?
        };
        Ok(if scope.role() < Role::Employee { without_employees(answer) } else { answer })
    }

    async fn create_service(
        &self,
        scope: BusinessScope,
        request: CreateServiceRequest,
    ) -> Result<CreateServiceResponse, Status> {
        let service = request.service.ok_or_else(|| invalid("service", "is required"))?;
        let id: Option<ServiceId> = chosen_id("service.id", &service.id, &scope.actor())?;
        let named = named(&service)?;
        let service = parse(id.unwrap_or_else(|| self.store.new_id()), service)?;
        self.people.check(&scope, named).await?;
        let service = CreateService(service).run(self.store.begin(&scope)).await?;
        Ok(CreateServiceResponse { service: Some(pb::Service::from_engine(&service)) })
    }

    async fn update_service(
        &self,
        scope: BusinessScope,
        request: UpdateServiceRequest,
    ) -> Result<UpdateServiceResponse, Status> {
        let service = request.service.ok_or_else(|| invalid("service", "is required"))?;
        if !service.id.is_empty() {
            return Err(invalid("service.id", "must be empty"));
        }
        let read = service.version;
        let named = named(&service)?;
        let service = parse(id("service_id", &request.service_id)?, service)?;
        self.people.check(&scope, named).await?;
        let update = UpdateService(Service { version: read, ..service });
        let service = update.run(self.store.begin(&scope)).await?;
        Ok(UpdateServiceResponse { service: Some(pb::Service::from_engine(&service)) })
    }

    async fn archive_service(
        &self,
        scope: BusinessScope,
        request: ArchiveServiceRequest,
    ) -> Result<ArchiveServiceResponse, Status> {
        let id: ServiceId = id("service_id", &request.service_id)?;
        ArchiveService(id).run(self.store.begin(&scope)).await?;
        Ok(ArchiveServiceResponse {})
    }
}

/// As guests see it: what is sold, without who works there.
fn without_employees(mut answer: ListServicesResponse) -> ListServicesResponse {
    for service in &mut answer.services {
        service.employee_ids.clear();
        service.overrides.clear();
    }
    answer
}

fn parse(id: ServiceId, service: pb::Service) -> Result<Service, Status> {
    let (course, employees) = (course(&service)?, employees(&service.employee_ids)?);
    Ok(Service {
        id,
        version: 1,
        overrides: overrides(&service.overrides, &course, &employees, &service.currency)?,
        resource_kinds: resource_kinds(&service.resource_kinds)?,
        name: fields::line("service.name", &service.name, MAX_NAME)?,
        category: fields::optional_line("service.category", &service.category, MAX_CATEGORY)?
            .unwrap_or_default(),
        course,
        aliases: aliases(&service.aliases)?,
        employees,
        patch_test: fields::optional_line("service.patch_test", &service.patch_test, MAX_PATCH_TEST)?
            .unwrap_or_default(),
        price: Price::new(service.price_minor, service.currency).map_err(Error::from)?,
    })
}

fn course(service: &pb::Service) -> Result<Segments, Status> {
    let segment = |(index, segment): (usize, &pb::Segment)| {
        let kind = match segment.kind() {
            pb::SegmentKind::Active => SegmentKind::Active,
            pb::SegmentKind::Processing => SegmentKind::Processing,
            pb::SegmentKind::Unspecified => {
                return Err(invalid(&format!("service.segments[{index}].kind"), "is required"));
            }
        };
        Ok(Segment { kind, minutes: minutes(segment.minutes) })
    };
    let segments = service.segments.iter().enumerate().map(segment).collect::<Result<_, _>>()?;
    let (before, after) = (minutes(service.buffer_before_minutes), minutes(service.buffer_after_minutes));
    Ok(Segments::new(segments, before, after).map_err(Error::from)?)
}

/// What does not fit is out of bounds as well.
fn minutes(minutes: i32) -> u16 {
    u16::try_from(minutes).unwrap_or(u16::MAX)
}

fn aliases(aliases: &[String]) -> Result<Vec<String>, Status> {
    if aliases.len() > MAX_ALIASES {
        return Err(invalid("service.aliases", "must be at most 20"));
    }
    let alias = |(index, alias): (usize, &String)| {
        fields::line(&format!("service.aliases[{index}]"), alias, MAX_ALIAS)
    };
    aliases.iter().enumerate().map(alias).collect()
}

/// Who can do it, as they were sent: overrides name the same ones.
fn named(service: &pb::Service) -> Result<Named, Status> {
    let employees = sent_employees(&service.employee_ids)?;
    Ok(Named::employees("service.employee_ids", employees.into_iter().map(Some)))
}

fn sent_employees(ids: &[String]) -> Result<Vec<EmployeeId>, Status> {
    if ids.len() > MAX_EMPLOYEES {
        return Err(invalid("service.employee_ids", "must be at most 500"));
    }
    let employee = |(index, text): (usize, &String)| id(&format!("service.employee_ids[{index}]"), text);
    ids.iter().enumerate().map(employee).collect()
}

fn employees(ids: &[String]) -> Result<Vec<EmployeeId>, Status> {
    let mut employees = sent_employees(ids)?;
    employees.sort_unstable();
    employees.dedup();
    Ok(employees)
}

fn overrides(
    wanted: &[pb::SkillOverride],
    course: &Segments,
    employees: &[EmployeeId],
    currency: &str,
) -> Result<Vec<SkillOverride>, Status> {
    let skill = |(index, skill): (usize, &pb::SkillOverride)| {
        let field = |name: &str| format!("service.overrides[{index}].{name}");
        let employee: EmployeeId = id(&field("employee_id"), &skill.employee_id)?;
        if !employees.contains(&employee) {
            return Err(invalid(&field("employee_id"), "must be one of service.employee_ids"));
        }
        let lengths: Vec<_> = skill.segment_minutes.iter().map(|length| minutes(*length)).collect();
        let other = (!lengths.is_empty()).then(|| course.with_minutes(&lengths)).transpose();
        let other = other.map_err(|error| invalid(&field("segment_minutes"), error.problem))?;
        if let Some(price) = skill.price_minor {
            Price::new(price, currency.to_owned())
                .map_err(|error| invalid(&field("price_minor"), error.problem))?;
        }
        Ok(SkillOverride { employee, course: other, price_minor: skill.price_minor })
    };
    let mut skills = wanted.iter().enumerate().map(skill).collect::<Result<Vec<_>, Status>>()?;
    skills.sort_unstable_by_key(|skill| skill.employee);
    if skills.windows(2).any(|pair| pair[0].employee == pair[1].employee) {
        return Err(invalid("service.overrides", "must have each employee once"));
    }
    Ok(skills)
}

fn resource_kinds(kinds: &[String]) -> Result<Vec<String>, Status> {
    if kinds.len() > MAX_KINDS {
        return Err(invalid("service.resource_kinds", "must be at most 5"));
    }
    let kind = |(index, kind): (usize, &String)| {
        let field = format!("service.resource_kinds[{index}]");
        if kinds[..index].contains(kind) {
            return Err(invalid(&field, "is there before"));
        }
        fields::resource_kind(&field, kind)
    };
    kinds.iter().enumerate().map(kind).collect()
}

/// Category, name and id.
type Place = (String, String, Uuid);

fn place(service: &Service) -> Place {
    (service.category.clone(), service.name.clone(), service.id.0)
}

fn after(page: &Page<Place>) -> ServiceKey {
    let key = |(category, name, id)| ServiceKey { category, name, id: ServiceId(id) };
    page.after.clone().map_or_else(ServiceKey::first, key)
}
