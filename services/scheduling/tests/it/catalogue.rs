//! Services.

use caller::Role;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        ArchiveServiceRequest, CreateDependencyRequest, CreateResourceRequest, CreateServiceRequest,
        Dependency, ListServicesRequest, Resource, Segment, SegmentKind, Service, SkillOverride,
        UpdateServiceRequest,
    },
};
use testkit::as_user;
use uuid::Uuid;

use crate::salon::{ANA, BEN, CUT, OTHER, Salon, WILLOW, by, field, reason, service, shown, weekdays};

fn create(service: Service) -> CreateServiceRequest {
    CreateServiceRequest { business_id: WILLOW.to_string(), service: Some(service) }
}

impl Salon {
    pub async fn archive_service(&self, id: Uuid) -> Result<(), tonic::Status> {
        let request = ArchiveServiceRequest { business_id: WILLOW.to_string(), service_id: id.to_string() };
        self.catalogue().archive_service(self.manager(request)).await.map(drop)
    }

    async fn update_service(&self, id: Uuid, service: Service) -> Result<Service, tonic::Status> {
        let request = UpdateServiceRequest {
            business_id: WILLOW.to_string(),
            service_id: id.to_string(),
            service: Some(Service { id: String::new(), ..service }),
        };
        let updated = self.catalogue().update_service(self.manager(request)).await?.into_inner();
        Ok(updated.service.unwrap())
    }
}

fn list(page_size: i32, page_token: &str) -> ListServicesRequest {
    ListServicesRequest { business_id: WILLOW.to_string(), page_size, page_token: page_token.to_owned() }
}

#[tokio::test]
async fn a_service_is_kept_as_it_was_given() {
    let salon = Salon::open().await;
    let given = Service {
        category: "Colour".to_owned(),
        buffer_before_minutes: 5,
        buffer_after_minutes: 15,
        aliases: vec!["dye".to_owned(), "highlights".to_owned()],
        ..service(Uuid::from_u128(7), "Balayage", &[45, 30, 20], &[BEN, ANA, BEN])
    };
    let created = salon.create_service(given.clone()).await.unwrap();
    let employees = vec![ANA.to_string(), BEN.to_string()];
    assert_eq!(created, Service { employee_ids: employees, version: 1, ..given });
    let request = as_user(&salon.host, Role::Employee, WILLOW, list(0, ""));
    let listed = salon.catalogue().list_services(request).await.unwrap().into_inner();
    assert!(listed.services.contains(&created));
}

#[tokio::test]
async fn a_repeated_creation_returns_what_is_there_and_changes_nothing() {
    let salon = Salon::open().await;
    let events = salon.count("SELECT count(*) FROM outbox").await;
    let version = salon.count("SELECT schedule_version FROM business_settings").await;
    let again = salon.create_service(service(CUT, "Renamed", &[60], &[])).await.unwrap();
    assert_eq!((again.name.as_str(), again.segments[0].minutes), ("Cut", 30));
    assert_eq!(salon.count("SELECT count(*) FROM outbox").await, events);
    assert_eq!(salon.count("SELECT schedule_version FROM business_settings").await, version);
    assert_eq!(salon.count("SELECT count(*) FROM service").await, 3);
}

#[tokio::test]
async fn a_person_does_not_choose_the_ids_of_what_a_salon_has() {
    let salon = Salon::open().await;
    let (business_id, id) = (WILLOW.to_string(), Uuid::from_u128(77).to_string());
    let service = create(service(Uuid::from_u128(77), "Shave", &[20], &[]));
    let refused = salon.catalogue().create_service(salon.manager(service)).await.unwrap_err();
    assert_eq!(field(&refused), "service.id");
    let chair = Resource { id: id.clone(), name: "Chair 9".to_owned(), kind: "chair".to_owned() };
    let chair = CreateResourceRequest { business_id: business_id.clone(), resource: Some(chair) };
    let refused = salon.resources().create_resource(salon.manager(chair)).await.unwrap_err();
    assert_eq!(field(&refused), "resource.id");
    let rule = Dependency { id, ..Dependency::default() };
    let rule = CreateDependencyRequest { business_id, dependency: Some(rule) };
    let refused = salon.dependencies().create_dependency(salon.manager(rule)).await.unwrap_err();
    assert_eq!(field(&refused), "dependency.id");
}

#[tokio::test]
async fn a_service_without_an_id_is_given_one() {
    let salon = Salon::open().await;
    let given = Service { id: String::new(), ..service(CUT, "Shave", &[20], &[BEN]) };
    let created = salon.catalogue().create_service(salon.manager(create(given))).await.unwrap();
    let id: Uuid = created.into_inner().service.unwrap().id.parse().unwrap();
    assert_eq!(id.get_version_num(), 7);
}

#[tokio::test]
async fn a_name_is_given_once() {
    let salon = Salon::open().await;
    let second = service(Uuid::from_u128(8), "CUT", &[30], &[]);
    assert_eq!(reason(&salon.create_service(second).await.unwrap_err()), Reason::AlreadyExists);
}

#[tokio::test]
async fn a_business_has_one_currency() {
    let salon = Salon::open().await;
    let dollars = Service { currency: "USD".to_owned(), ..service(Uuid::from_u128(8), "Wash", &[10], &[]) };
    assert_eq!(field(&salon.create_service(dollars).await.unwrap_err()), "service.currency");
}

#[tokio::test]
async fn services_are_listed_by_category_and_name_a_page_at_a_time() {
    let salon = Salon::open().await;
    for (number, category, name) in [(1, "Äther", "b"), (2, "Beard", "a"), (3, "", "z"), (4, "Beard", "A b")]
    {
        let service =
            Service { category: category.to_owned(), ..service(Uuid::from_u128(number), name, &[30], &[]) };
        salon.create_service(service).await.unwrap();
    }
    let (mut names, mut token) = (vec![], String::new());
    loop {
        let page = salon.catalogue().list_services(salon.agent(list(2, &token))).await.unwrap().into_inner();
        assert!(page.services.len() <= 2);
        names.extend(
            page.services.into_iter().map(|service| format!("{}/{}", service.category, service.name)),
        );
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(names, ["/z", "Äther/b", "Beard/a", "Beard/A b", "Hair/Colour", "Hair/Cut", "Hair/Massage"]);
}

#[tokio::test]
async fn a_malformed_service_names_its_field() {
    let salon = Salon::open().await;
    let refused = async |change: &dyn Fn(&mut Service)| {
        let mut service = service(Uuid::from_u128(9), "Wash", &[30, 10, 5], &[ANA]);
        change(&mut service);
        field(&salon.create_service(service).await.unwrap_err())
    };
    assert_eq!(refused(&|service| service.id = "7".into()).await, "service.id");
    assert_eq!(refused(&|service| service.name = " ".into()).await, "service.name");
    assert_eq!(refused(&|service| service.name = "a\nb".into()).await, "service.name");
    assert_eq!(refused(&|service| service.category = "x".repeat(101)).await, "service.category");
    assert_eq!(refused(&|service| service.segments.clear()).await, "service.segments");
    let unspecified = Segment { kind: SegmentKind::Unspecified.into(), minutes: 5 };
    assert_eq!(refused(&|service| service.segments[1] = unspecified).await, "service.segments[1].kind");
    assert_eq!(refused(&|service| service.segments[2].minutes = 7).await, "service.segments[2].minutes");
    assert_eq!(refused(&|service| service.segments[0].minutes = -5).await, "service.segments[0].minutes");
    assert_eq!(refused(&|service| service.buffer_before_minutes = 3).await, "service.buffer_before_minutes");
    assert_eq!(refused(&|service| service.buffer_after_minutes = 200).await, "service.buffer_after_minutes");
    assert_eq!(refused(&|service| service.price_minor = -1).await, "service.price_minor");
    assert_eq!(refused(&|service| service.currency = "pounds".into()).await, "service.currency");
    assert_eq!(
        refused(&|service| service.aliases = vec!["x".into(), " ".into()]).await,
        "service.aliases[1]"
    );
    assert_eq!(refused(&|service| service.aliases = vec!["x".into(); 21]).await, "service.aliases");
    assert_eq!(refused(&|service| service.employee_ids[0] = "Ana".into()).await, "service.employee_ids[0]");
    let nothing = CreateServiceRequest { business_id: WILLOW.to_string(), service: None };
    let nothing = salon.catalogue().create_service(salon.manager(nothing)).await.unwrap_err();
    assert_eq!(field(&nothing), "service");
    for token in ["%%", "bm9wZQ"] {
        let refused = salon.catalogue().list_services(salon.agent(list(0, token))).await.unwrap_err();
        assert_eq!(field(&refused), "page_token");
    }
    assert_eq!(salon.count("SELECT count(*) FROM service").await, 3);
}

#[tokio::test]
async fn services_are_added_by_managers_of_the_business_alone() {
    let salon = Salon::open().await;
    salon.set_hours(OTHER, weekdays(9, 18)).await;
    let wash = || create(service(Uuid::from_u128(9), "Wash", &[30], &[]));
    for (role, business, expected) in
        [(Role::Employee, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let request = as_user(&salon.host, role, business, wash());
        assert_eq!(reason(&salon.catalogue().create_service(request).await.unwrap_err()), expected);
    }
    let theirs = ListServicesRequest { business_id: OTHER.to_string(), ..Default::default() };
    let theirs = as_user(&salon.host, Role::Guest, OTHER, theirs);
    assert_eq!(salon.catalogue().list_services(theirs).await.unwrap().into_inner().services, []);
}

#[tokio::test]
async fn an_updated_service_counts_from_then_on_and_booked_visits_stay_as_they_were() {
    let salon = Salon::open().await;
    let start = |time| crate::salon::local("2026-06-02", time);
    let before = salon.book(vec![by(CUT, ANA)], start("10:00")).await.unwrap();
    let longer = Service { price_minor: 5500, version: 1, ..service(CUT, "Cut and care", &[45], &[ANA]) };
    let updated = salon.update_service(CUT, longer.clone()).await.unwrap();
    assert_eq!(updated, Service { version: 2, ..longer.clone() });
    let after = salon.book(vec![by(CUT, ANA)], start("11:00")).await.unwrap();
    assert_eq!((shown(after.ends_at.as_ref()).as_str(), after.price_minor), ("11:45", 5500));
    let kept = salon.booked().await.into_iter().find(|kept| kept.id == before.id).unwrap();
    assert_eq!((kept.ends_at, kept.price_minor), (before.ends_at, before.price_minor));
    assert_eq!(
        reason(&salon.book(vec![by(CUT, BEN)], start("14:00")).await.unwrap_err()),
        Reason::NotSkilled
    );
    // The version was read before the last update.
    assert_eq!(reason(&salon.update_service(CUT, longer.clone()).await.unwrap_err()), Reason::Stale);
    let unknown = salon.update_service(Uuid::from_u128(0xdead), longer).await.unwrap_err();
    assert_eq!(reason(&unknown), Reason::NotFound);
}

#[tokio::test]
async fn an_archived_service_is_off_the_list_and_its_name_is_free_again() {
    let salon = Salon::open().await;
    let start = crate::salon::local("2026-06-02", "10:00");
    let booked = salon.book(vec![by(CUT, ANA)], start).await.unwrap();
    salon.archive_service(CUT).await.unwrap();
    let listed = salon.catalogue().list_services(salon.agent(list(0, ""))).await.unwrap().into_inner();
    assert!(listed.services.iter().all(|service| service.id != CUT.to_string()));
    assert_eq!(reason(&salon.archive_service(CUT).await.unwrap_err()), Reason::NotFound);
    salon.create_service(service(Uuid::from_u128(9), "Cut", &[30], &[ANA])).await.unwrap();
    let kept = salon.booked().await.into_iter().find(|kept| kept.id == booked.id).unwrap();
    assert_eq!(kept.items[0].service_name, "Cut");
}

#[tokio::test]
async fn a_malformed_override_names_its_field() {
    let salon = Salon::open().await;
    let refused = async |skill: SkillOverride| {
        let service =
            Service { overrides: vec![skill], ..service(Uuid::from_u128(9), "Wash", &[30], &[ANA]) };
        field(&salon.create_service(service).await.unwrap_err())
    };
    let of_ana = || SkillOverride { employee_id: ANA.to_string(), ..SkillOverride::default() };
    let other = SkillOverride { employee_id: BEN.to_string(), ..of_ana() };
    assert_eq!(refused(other).await, "service.overrides[0].employee_id");
    let count = SkillOverride { segment_minutes: vec![30, 5], ..of_ana() };
    assert_eq!(refused(count).await, "service.overrides[0].segment_minutes");
    let odd = SkillOverride { segment_minutes: vec![7], ..of_ana() };
    assert_eq!(refused(odd).await, "service.overrides[0].segment_minutes");
    let negative = SkillOverride { price_minor: Some(-1), ..of_ana() };
    assert_eq!(refused(negative).await, "service.overrides[0].price_minor");
    let twice =
        Service { overrides: vec![of_ana(); 2], ..service(Uuid::from_u128(9), "Wash", &[30], &[ANA]) };
    assert_eq!(field(&salon.create_service(twice).await.unwrap_err()), "service.overrides");
}
