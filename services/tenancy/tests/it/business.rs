use caller::{BusinessId, Role, UserId};
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{Business, CreateBusinessRequest, GetBusinessRequest, ListBusinessesRequest},
};
use testkit::{SESSION, USER, as_agent, as_person, as_service, as_user};
use tonic::Request;
use uuid::Uuid;

use crate::stage::{LINDE, Spoilt, Stage, WILLOW, assert_field_refused, assert_refused};

fn willow() -> CreateBusinessRequest {
    CreateBusinessRequest {
        business_id: WILLOW.to_string(),
        name: " Willow & Co ".to_owned(),
        address: "12 Willow Road, London NW3".to_owned(),
        phone: "020 7946 0018".to_owned(),
        time_zone: "europe/london".to_owned(),
        currency: "GBP".to_owned(),
    }
}

fn admin<T>(stage: &Stage, message: T) -> Request<T> {
    as_person(&stage.host, USER, SESSION, None, Some(Role::Admin), message)
}

#[tokio::test]
async fn an_admin_creates_a_business_and_its_guests_see_it() {
    let stage = Stage::empty().await;
    let chosen = stage.businesses().create_business(admin(&stage, willow())).await;
    assert_field_refused(chosen, "business_id");
    let unnamed = CreateBusinessRequest { business_id: String::new(), ..willow() };
    let response = stage.businesses().create_business(admin(&stage, unnamed)).await.unwrap().into_inner();
    let business = response.business.unwrap();
    let id = BusinessId(business.id.parse().unwrap());
    let expected = Business {
        id: id.to_string(),
        name: "Willow & Co".to_owned(),
        address: "12 Willow Road, London NW3".to_owned(),
        phone: "+442079460018".to_owned(),
        time_zone: "Europe/London".to_owned(),
        version: 1,
        currency: "GBP".to_owned(),
        ..Business::default()
    };
    assert_eq!(business, expected);
    let get = || GetBusinessRequest { business_id: id.to_string() };
    let requests =
        [as_user(&stage.host, Role::Guest, id, get()), as_agent(&stage.host, Uuid::from_u128(5), id, get())];
    for request in requests {
        let seen = stage.businesses().get_business(request).await.unwrap().into_inner();
        assert_eq!(seen.business, Some(expected.clone()));
    }
}

#[tokio::test]
async fn creating_a_business_again_returns_the_one_that_is_there_and_announces_nothing() {
    let stage = Stage::empty().await;
    let first = stage.businesses().create_business(stage.service("local", willow())).await.unwrap();
    let renamed = CreateBusinessRequest { name: "Other".to_owned(), ..willow() };
    let again = stage.businesses().create_business(stage.service("local", renamed)).await.unwrap();
    assert_eq!(first.into_inner(), again.into_inner());
    assert_eq!(stage.count("SELECT count(*) FROM business").await, 1);
    assert_eq!(stage.count("SELECT count(*) FROM outbox").await, 1);
}

#[tokio::test]
async fn a_name_that_turns_the_direction_of_writing_is_refused_with_the_reason() {
    let stage = Stage::empty().await;
    for c in ['\u{202A}', '\u{202E}', '\u{2066}', '\u{2069}'] {
        let request = CreateBusinessRequest { name: format!("Willow{c}oC &"), ..willow() };
        let refused = stage.businesses().create_business(stage.service("local", request)).await;
        assert!(refused.as_ref().unwrap_err().message().contains("direction of writing"), "{refused:?}");
        assert_field_refused(refused, "name");
    }
}

#[tokio::test]
async fn a_business_without_an_id_is_given_one() {
    let stage = Stage::empty().await;
    let anonymous = CreateBusinessRequest { business_id: String::new(), ..willow() };
    let response = stage.businesses().create_business(stage.service("local", anonymous)).await.unwrap();
    let id: Uuid = response.into_inner().business.unwrap().id.parse().unwrap();
    assert_eq!(id.get_version_num(), 7);
}

#[tokio::test]
async fn what_an_admin_does_across_businesses_is_audited() {
    let stage = Stage::empty().await;
    let unnamed = CreateBusinessRequest { business_id: String::new(), ..willow() };
    stage.businesses().create_business(admin(&stage, unnamed)).await.unwrap();
    let sql = format!(
        "SELECT count(*) FROM installation_audit WHERE actor = 'user:{USER}'
         AND purpose = '/frontdesk.tenancy.v1.BusinessService/CreateBusiness' AND at = '{}'",
        testkit::START
    );
    assert_eq!(stage.count(&sql).await, 1);
}

#[tokio::test]
async fn only_an_admin_or_the_seeding_service_acts_across_businesses() {
    let stage = Stage::open().await;
    let owner = as_person(&stage.host, USER, SESSION, None, Some(Role::Owner), willow());
    assert_refused(stage.businesses().create_business(owner).await, Reason::RoleTooLow);
    let scheduling = stage.service("scheduling", willow());
    assert_refused(stage.businesses().create_business(scheduling).await, Reason::RoleTooLow);
    let agent = as_agent(&stage.host, Uuid::from_u128(5), WILLOW, willow());
    assert_refused(stage.businesses().create_business(agent).await, Reason::RoleTooLow);
    assert_refused(stage.businesses().create_business(Request::new(willow())).await, Reason::PassportRefused);
    let list = || ListBusinessesRequest::default();
    let owner = as_user(&stage.host, Role::Owner, WILLOW, list());
    assert_refused(stage.businesses().list_businesses(owner).await, Reason::RoleTooLow);
    assert_refused(
        stage.businesses().list_businesses(stage.service("local", list())).await,
        Reason::RoleTooLow,
    );
}

#[tokio::test]
async fn a_malformed_field_of_a_business_is_named() {
    let stage = Stage::empty().await;
    let wrong: [Spoilt<CreateBusinessRequest>; 11] = [
        ("business_id", |r| r.business_id = "7".to_owned()),
        ("name", |r| r.name = "  ".to_owned()),
        ("name", |r| r.name = "x".repeat(201)),
        ("name", |r| r.name = "Willow\n& Co".to_owned()),
        ("address", |r| r.address = "12 Willow Road\nLondon".to_owned()),
        ("phone", |r| r.phone = "call us".to_owned()),
        ("phone", |r| {
            r.phone = "020 7946 0018".to_owned();
            r.time_zone = "Etc/UTC".to_owned();
        }),
        ("time_zone", |r| r.time_zone = String::new()),
        ("time_zone", |r| r.time_zone = "Europe/Londn".to_owned()),
        ("time_zone", |r| r.time_zone = "+01:00".to_owned()),
        ("currency", |r| r.currency = "pounds".to_owned()),
    ];
    for (field, spoil) in wrong {
        let mut request = willow();
        spoil(&mut request);
        let result = stage.businesses().create_business(stage.service("local", request)).await;
        assert_field_refused(result, field);
    }
    assert_eq!(stage.count("SELECT count(*) FROM business").await, 0);
    let longest = CreateBusinessRequest { name: "é".repeat(200), ..willow() };
    stage.businesses().create_business(stage.service("local", longest)).await.unwrap();
}

#[tokio::test]
async fn a_foreign_or_missing_business_is_not_found() {
    let stage = Stage::open().await;
    let linde = GetBusinessRequest { business_id: LINDE.to_string() };
    let foreign = as_user(&stage.host, Role::Owner, WILLOW, linde);
    assert_refused(stage.businesses().get_business(foreign).await, Reason::NotFound);
    let missing = caller::BusinessId(Uuid::from_u128(9));
    let message = GetBusinessRequest { business_id: missing.to_string() };
    let request = as_user(&stage.host, Role::Owner, missing, message);
    assert_refused(stage.businesses().get_business(request).await, Reason::NotFound);
}

#[tokio::test]
async fn a_passport_for_another_business_or_service_opens_nothing() {
    let stage = Stage::open().await;
    let get = || GetBusinessRequest { business_id: WILLOW.to_string() };
    let service = as_service("local", &stage.host, Some(WILLOW), get());
    assert_refused(stage.businesses().get_business(service).await, Reason::RoleTooLow);
    let (scheduling, _) = testkit::host("scheduling");
    let astray = as_user(&scheduling, Role::Owner, WILLOW, get());
    assert_refused(stage.businesses().get_business(astray).await, Reason::PassportRefused);
    let stranger = as_person(&stage.host, UserId(Uuid::from_u128(3)), SESSION, None, None, get());
    assert_refused(stage.businesses().get_business(stranger).await, Reason::NotFound);
}

#[tokio::test]
async fn businesses_are_listed_by_name_a_page_at_a_time() {
    let stage = Stage::open().await;
    for (n, name) in [(3, "ärmel"), (4, "Zebra"), (5, "Arm"), (6, "Zebra")] {
        stage.business(caller::BusinessId(Uuid::from_u128(n)), name, "", "Europe/Berlin").await;
    }
    let (mut names, mut page_token) = (Vec::new(), String::new());
    loop {
        let message = ListBusinessesRequest { page_size: 2, page_token };
        let page = stage.businesses().list_businesses(admin(&stage, message)).await.unwrap().into_inner();
        assert!(page.businesses.len() <= 2);
        names.extend(page.businesses.into_iter().map(|business| business.name));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    assert_eq!(names, ["Arm", "ärmel", "Salon Linde", "Willow & Co", "Zebra", "Zebra"]);
}

#[tokio::test]
async fn a_page_that_no_list_gave_out_is_refused() {
    let stage = Stage::open().await;
    let list = |page_size, page_token: &str| {
        admin(&stage, ListBusinessesRequest { page_size, page_token: page_token.to_owned() })
    };
    assert_field_refused(stage.businesses().list_businesses(list(201, "")).await, "page_size");
    assert_field_refused(stage.businesses().list_businesses(list(-1, "")).await, "page_size");
    assert_field_refused(stage.businesses().list_businesses(list(0, "%%")).await, "page_token");
    let forged = proto::page::page_token(&"Willow".to_owned());
    assert_field_refused(stage.businesses().list_businesses(list(0, &forged)).await, "page_token");
}
