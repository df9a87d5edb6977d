use caller::Role;
use futures::future::join_all;
use proto::{
    error::{Reason, reason_of},
    frontdesk::tenancy::v1::{
        CreateEmployeeRequest, Employee, FindEmployeeRequest, ListEmployeesRequest, UpdateEmployeeRequest,
    },
};
use testkit::{SESSION, USER, as_agent, as_person, as_user};
use tonic::Status;
use tonic_types::StatusExt;
use uuid::Uuid;

use crate::stage::{LINDE, Spoilt, Stage, WILLOW, assert_field_refused, assert_refused};

pub const ANA: Uuid = Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0101);
pub const ACCOUNT: Uuid = Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0201);

pub fn ana() -> CreateEmployeeRequest {
    CreateEmployeeRequest {
        business_id: WILLOW.to_string(),
        employee_id: ANA.to_string(),
        name: "Ana".to_owned(),
        user_id: ACCOUNT.to_string(),
    }
}

fn list() -> ListEmployeesRequest {
    ListEmployeesRequest { business_id: WILLOW.to_string(), ..Default::default() }
}

#[tokio::test]
async fn an_owner_adds_an_employee_and_does_not_choose_the_id() {
    let stage = Stage::open().await;
    let chosen = stage.employees().create_employee(stage.owner_of(WILLOW, ana())).await;
    assert_field_refused(chosen, "employee_id");
    let unnamed = CreateEmployeeRequest { employee_id: String::new(), ..ana() };
    let added = stage.employees().create_employee(stage.owner_of(WILLOW, unnamed)).await.unwrap();
    let added = added.into_inner().employee.unwrap();
    assert_eq!((added.name.as_str(), added.user_id), ("Ana", ACCOUNT.to_string()));
    assert_eq!(stage.count("SELECT count(*) FROM employee").await, 1);
}

#[tokio::test]
async fn an_employee_whose_id_a_service_chose_is_added_once() {
    let stage = Stage::open().await;
    let first = stage.employees().create_employee(stage.seeding(WILLOW, ana())).await.unwrap().into_inner();
    let expected = Employee {
        id: ANA.to_string(),
        name: "Ana".to_owned(),
        user_id: ACCOUNT.to_string(),
        version: 1,
        ..Default::default()
    };
    assert_eq!(first.employee, Some(expected.clone()));
    let again = stage.employees().create_employee(stage.seeding(WILLOW, ana())).await.unwrap().into_inner();
    assert_eq!(again.employee, Some(expected));
    assert_eq!(stage.count("SELECT count(*) FROM employee").await, 1);
    let published = format!("SELECT count(*) FROM outbox WHERE aggregate_id = '{ANA}'");
    assert_eq!(stage.count(&published).await, 1);
}

#[tokio::test]
async fn employees_are_listed_by_name_a_page_at_a_time() {
    let stage = Stage::open().await;
    for name in ["mia", "Zoë", "Ana", "Émile"] {
        stage.employee(WILLOW, name).await;
    }
    stage.namesake_of_ana(WILLOW).await;
    stage.employee(LINDE, "Bertha").await;
    let (mut names, mut page_token) = (Vec::new(), String::new());
    loop {
        let message = ListEmployeesRequest { page_size: 2, page_token, ..list() };
        let page = stage.employees().list_employees(stage.employee_of(WILLOW, message)).await.unwrap();
        let page = page.into_inner();
        names.extend(page.employees.into_iter().map(|employee| employee.name));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    assert_eq!(names, ["Ana", "Ana", "Émile", "mia", "Zoë"]);
}

pub fn update(id: &str) -> UpdateEmployeeRequest {
    UpdateEmployeeRequest {
        business_id: WILLOW.to_string(),
        employee_id: id.to_owned(),
        name: "Ana".to_owned(),
        ..Default::default()
    }
}

pub async fn updated(stage: &Stage, message: UpdateEmployeeRequest) -> Result<Employee, Status> {
    let answer = stage.employees().update_employee(stage.owner_of(WILLOW, message)).await?;
    Ok(answer.into_inner().employee.unwrap())
}

async fn names(stage: &Stage, former: bool) -> Vec<String> {
    let message = ListEmployeesRequest { former, ..list() };
    let page = stage.employees().list_employees(stage.employee_of(WILLOW, message)).await.unwrap();
    page.into_inner().employees.into_iter().map(|employee| employee.name).collect()
}

#[tokio::test]
async fn an_owner_renames_an_employee_and_whoever_follows_is_told() {
    let stage = Stage::open().await;
    let ana = stage.employee(WILLOW, "Anna").await;
    let renamed = updated(&stage, update(&ana.id)).await.unwrap();
    assert_eq!((renamed.name.as_str(), renamed.version), ("Ana", 2));
    assert_eq!(updated(&stage, update(&ana.id)).await.unwrap(), renamed, "the same again is no change");
    let published = format!("SELECT count(*) FROM outbox WHERE aggregate_id = '{}'", ana.id);
    assert_eq!(stage.count(&published).await, 2);
    let seen_before = UpdateEmployeeRequest { version: 1, name: "Annika".to_owned(), ..update(&ana.id) };
    assert_refused(updated(&stage, seen_before).await, Reason::Stale);
    assert_eq!(names(&stage, false).await, ["Ana"]);
}

#[tokio::test]
async fn an_employee_is_listed_until_their_last_day_is_over_and_stays_on_record() {
    let stage = Stage::open().await;
    let ana = stage.employee(WILLOW, "Ana").await;
    stage.employee(WILLOW, "Mia").await;
    // It is 9 o'clock in London.
    for (last_day, here, former) in [
        ("2026-06-30", vec!["Ana", "Mia"], vec![]),
        ("2026-06-01", vec!["Ana", "Mia"], vec![]),
        ("2026-05-31", vec!["Mia"], vec!["Ana"]),
        ("", vec!["Ana", "Mia"], vec![]),
    ] {
        let message = UpdateEmployeeRequest { last_day: last_day.to_owned(), ..update(&ana.id) };
        assert_eq!(updated(&stage, message).await.unwrap().last_day, last_day);
        assert_eq!((names(&stage, false).await, names(&stage, true).await), (owned(&here), owned(&former)));
    }
}

/// Refused at its name, which another employee has.
fn assert_name_taken<T: core::fmt::Debug>(result: Result<T, Status>) {
    let refused = result.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::AlreadyExists), "{refused:?}");
    let details = refused.get_details_bad_request().expect("the field is named");
    let fields: Vec<_> = details.field_violations.iter().map(|violation| violation.field.as_str()).collect();
    assert_eq!(fields, ["name"]);
}

#[tokio::test]
async fn two_who_are_here_have_different_names_whether_added_renamed_or_come_back() {
    let stage = Stage::open().await;
    let zoe = stage.employee(WILLOW, "Zoë Ash").await;
    let add = |name: &str| CreateEmployeeRequest {
        business_id: WILLOW.to_string(),
        name: name.to_owned(),
        ..Default::default()
    };
    for name in ["Zoë Ash", " zoe  ash "] {
        assert_name_taken(stage.employees().create_employee(stage.owner_of(WILLOW, add(name))).await);
    }
    let refused =
        stage.employees().create_employee(stage.owner_of(WILLOW, add("ZOE ASH"))).await.unwrap_err();
    assert!(refused.message().contains("Zoë Ash is in the team already"), "{refused}");
    stage.employee(LINDE, "Zoë Ash").await;
    let mia = stage.employee(WILLOW, "Mia").await;
    assert_name_taken(
        updated(&stage, UpdateEmployeeRequest { name: "Zoe Ash".to_owned(), ..update(&mia.id) }).await,
    );

    // The name is free once she has left, and then it is her who does not come back with it.
    let last = |name: &str, last_day: &str| UpdateEmployeeRequest {
        name: name.to_owned(),
        last_day: last_day.to_owned(),
        ..update(&zoe.id)
    };
    updated(&stage, last("Zoë Ash", "2026-05-31")).await.unwrap();
    stage.employee(WILLOW, "zoe ash").await;
    assert_name_taken(updated(&stage, last("Zoë Ash", "")).await);
    assert_eq!(updated(&stage, last("Zoë Birch", "")).await.unwrap().name, "Zoë Birch");
}

#[tokio::test]
async fn employees_of_one_name_who_are_there_can_be_changed_but_for_their_name() {
    let stage = Stage::open().await;
    let ana = stage.employee(WILLOW, "Ana").await;
    stage.namesake_of_ana(WILLOW).await;
    let leaving = UpdateEmployeeRequest { last_day: "2026-06-30".to_owned(), ..update(&ana.id) };
    assert_eq!(updated(&stage, leaving).await.unwrap().last_day, "2026-06-30");
    let renamed = UpdateEmployeeRequest { name: "Ana Birch".to_owned(), ..update(&ana.id) };
    updated(&stage, renamed).await.unwrap();
    assert_name_taken(updated(&stage, update(&ana.id)).await);
}

#[tokio::test]
async fn of_many_who_add_one_name_at_the_same_time_one_does() {
    let stage = Stage::open().await;
    let add = |name: &str| {
        let message = CreateEmployeeRequest {
            business_id: WILLOW.to_string(),
            name: name.to_owned(),
            ..Default::default()
        };
        let (request, mut client) = (stage.owner_of(WILLOW, message), stage.employees());
        async move { client.create_employee(request).await }
    };
    let added = join_all(["Ana", "ANA"].repeat(4).into_iter().map(add)).await;
    assert_eq!(added.iter().filter(|one| one.is_ok()).count(), 1);
    for refused in added.into_iter().filter(Result::is_err) {
        assert_name_taken(refused);
    }
    assert_eq!(stage.count("SELECT count(*) FROM employee").await, 1);
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[tokio::test]
async fn what_is_said_of_an_employee_is_checked_and_said_by_owners_of_their_business() {
    let stage = Stage::open().await;
    let ana = stage.employee(WILLOW, "Ana").await;
    for (field, message) in [
        ("name", UpdateEmployeeRequest { name: " ".to_owned(), ..update(&ana.id) }),
        ("last_day", UpdateEmployeeRequest { last_day: "30.6.2026".to_owned(), ..update(&ana.id) }),
        ("last_day", UpdateEmployeeRequest { last_day: "2026-02-30".to_owned(), ..update(&ana.id) }),
        ("version", UpdateEmployeeRequest { version: -1, ..update(&ana.id) }),
        ("employee_id", UpdateEmployeeRequest { employee_id: "ana".to_owned(), ..update(&ana.id) }),
    ] {
        assert_field_refused(updated(&stage, message).await, field);
    }
    assert_refused(updated(&stage, update(&ACCOUNT.to_string())).await, Reason::NotFound);
    let manager = as_user(&stage.host, Role::Manager, WILLOW, update(&ana.id));
    assert_refused(stage.employees().update_employee(manager).await, Reason::RoleTooLow);
    let theirs = UpdateEmployeeRequest { business_id: LINDE.to_string(), ..update(&ana.id) };
    let theirs = stage.employees().update_employee(stage.owner_of(LINDE, theirs)).await;
    assert_refused(theirs, Reason::NotFound);
}

#[tokio::test]
async fn a_page_that_just_fits_is_the_last() {
    let stage = Stage::open().await;
    stage.employee(WILLOW, "Ana").await;
    stage.employee(WILLOW, "Mia").await;
    let message = ListEmployeesRequest { page_size: 2, ..list() };
    let page =
        stage.employees().list_employees(stage.employee_of(WILLOW, message)).await.unwrap().into_inner();
    assert_eq!((page.employees.len(), page.next_page_token.as_str()), (2, ""));
}

#[tokio::test]
async fn the_voice_agent_may_list_employees_but_not_add_one() {
    let stage = Stage::open().await;
    stage.employee(WILLOW, "Ana").await;
    let agent = as_agent(&stage.host, Uuid::from_u128(5), WILLOW, list());
    let page = stage.employees().list_employees(agent).await.unwrap().into_inner();
    assert_eq!(page.employees.len(), 1);
    let agent = as_agent(&stage.host, Uuid::from_u128(5), WILLOW, ana());
    assert_refused(stage.employees().create_employee(agent).await, Reason::RoleTooLow);
}

#[tokio::test]
async fn a_role_that_is_too_low_or_of_another_business_is_refused() {
    let stage = Stage::open().await;
    let manager = as_user(&stage.host, Role::Manager, WILLOW, ana());
    assert_refused(stage.employees().create_employee(manager).await, Reason::RoleTooLow);
    let guest = as_user(&stage.host, Role::Guest, WILLOW, list());
    assert_refused(stage.employees().list_employees(guest).await, Reason::RoleTooLow);
    assert_refused(stage.employees().create_employee(stage.owner_of(LINDE, ana())).await, Reason::NotFound);
    assert_refused(stage.employees().list_employees(stage.owner_of(LINDE, list())).await, Reason::NotFound);
}

#[tokio::test]
async fn an_account_belongs_to_one_employee_of_a_business() {
    let stage = Stage::open().await;
    stage.employees().create_employee(stage.seeding(WILLOW, ana())).await.unwrap();
    let second = CreateEmployeeRequest { employee_id: String::new(), ..ana() };
    let result = stage.employees().create_employee(stage.owner_of(WILLOW, second)).await;
    assert_refused(result, Reason::AlreadyExists);
    let elsewhere =
        CreateEmployeeRequest { business_id: LINDE.to_string(), employee_id: String::new(), ..ana() };
    stage.employees().create_employee(stage.owner_of(LINDE, elsewhere)).await.unwrap();
}

#[tokio::test]
async fn an_id_of_another_business_is_free_and_shows_nothing() {
    let stage = Stage::open().await;
    stage.employees().create_employee(stage.seeding(WILLOW, ana())).await.unwrap();
    let bertha = CreateEmployeeRequest {
        business_id: LINDE.to_string(),
        name: "Bertha".to_owned(),
        user_id: String::new(),
        ..ana()
    };
    let response = stage.employees().create_employee(stage.seeding(LINDE, bertha)).await.unwrap();
    assert_eq!(response.into_inner().employee.unwrap().name, "Bertha");
    let listed = stage.employees().list_employees(stage.owner_of(WILLOW, list())).await.unwrap().into_inner();
    assert_eq!(listed.employees.iter().map(|employee| &employee.name).collect::<Vec<_>>(), ["Ana"]);
}

#[tokio::test]
async fn an_employee_of_a_business_that_is_not_there_is_not_found() {
    let stage = Stage::empty().await;
    let result = stage.employees().create_employee(stage.seeding(WILLOW, ana())).await;
    assert_refused(result, Reason::NotFound);
}

#[tokio::test]
async fn a_malformed_field_of_an_employee_is_named() {
    let stage = Stage::open().await;
    let wrong: [Spoilt<CreateEmployeeRequest>; 4] = [
        ("employee_id", |r| r.employee_id = "ana".to_owned()),
        ("name", |r| r.name = String::new()),
        ("name", |r| r.name = "x".repeat(201)),
        ("user_id", |r| r.user_id = "ana@demo.test".to_owned()),
    ];
    for (field, spoil) in wrong {
        let mut request = ana();
        spoil(&mut request);
        let result = stage.employees().create_employee(stage.seeding(WILLOW, request)).await;
        assert_field_refused(result, field);
    }
}

#[tokio::test]
async fn an_administrator_finds_an_employees_business() {
    let stage = Stage::open().await;
    let ana = stage.employee(WILLOW, "Ana").await;
    let bertha = stage.employee(LINDE, "Bertha").await;
    let find = |id: &str| FindEmployeeRequest { employee_id: id.to_owned() };
    let admin = |message| as_person(&stage.host, USER, SESSION, None, Some(Role::Admin), message);
    for (business, employee) in [(WILLOW, ana.clone()), (LINDE, bertha)] {
        let found = stage.employees().find_employee(admin(find(&employee.id))).await.unwrap().into_inner();
        assert_eq!((found.business_id, found.employee), (business.to_string(), Some(employee)));
    }
    let missing = stage.employees().find_employee(admin(find(&ANA.to_string()))).await;
    assert_refused(missing, Reason::NotFound);
    assert_field_refused(stage.employees().find_employee(admin(find("seven"))).await, "employee_id");
    let owner = as_user(&stage.host, Role::Owner, WILLOW, find(&ana.id));
    assert_refused(stage.employees().find_employee(owner).await, Reason::RoleTooLow);
}
