use caller::Role;
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{CreateCustomerRequest, Customer, GetCustomerRequest, ListCustomersRequest},
};
use testkit::{as_agent, as_user};
use uuid::Uuid;

use crate::stage::{
    LINDE, Spoilt, Stage, WILLOW, assert_field_refused, assert_refused, created, new_customer,
};

fn by_phone(phone: &str) -> ListCustomersRequest {
    ListCustomersRequest { business_id: WILLOW.to_string(), phone: phone.to_owned(), ..Default::default() }
}

async fn names_with(stage: &Stage, phone: &str) -> Vec<String> {
    let response = stage.customers().list_customers(stage.employee_of(WILLOW, by_phone(phone))).await;
    response.unwrap().into_inner().customers.into_iter().map(|customer| customer.name).collect()
}

#[tokio::test]
async fn a_customer_is_kept_with_the_number_in_e164() {
    let stage = Stage::open().await;
    let made = stage.try_customer(WILLOW, "Ana", "07700 900 123", "Ana@Example.COM").await.unwrap();
    let expected = Customer {
        id: made.id.clone(),
        name: "Ana".to_owned(),
        phone: "+447700900123".to_owned(),
        email: "Ana@example.com".to_owned(),
        version: 1,
        ..Customer::default()
    };
    assert_eq!(made, expected);
    let message = GetCustomerRequest { business_id: WILLOW.to_string(), customer_id: made.id };
    let got = stage.customers().get_customer(stage.employee_of(WILLOW, message)).await.unwrap();
    assert_eq!(got.into_inner().customer, Some(expected));
}

#[tokio::test]
async fn a_number_finds_its_customers_however_it_is_written_and_all_who_share_it() {
    let stage = Stage::open().await;
    stage.customer(WILLOW, "Mia", "+44 20 7946 0018").await;
    stage.customer(WILLOW, "Ana", "(020) 7946-0018").await;
    stage.customer(WILLOW, "Zoë", "+44 20 7946 0019").await;
    stage.customer(WILLOW, "Ida", "").await;
    stage.customer(LINDE, "Bertha", "+44 20 7946 0018").await;
    for phone in ["+442079460018", "020 7946 0018", "0044 20 7946 0018", "+44 (0)20 7946 0018"] {
        assert_eq!(names_with(&stage, phone).await, ["Ana", "Mia"], "{phone}");
    }
    assert!(names_with(&stage, "+44 20 7946 0020").await.is_empty());
    assert_eq!(names_with(&stage, "").await, ["Ana", "Ida", "Mia", "Zoë"]);
}

#[tokio::test]
async fn a_national_number_is_read_in_the_country_of_the_business() {
    let stage = Stage::open().await;
    assert_eq!(stage.customer(WILLOW, "Ana", "020 7946 0018").await.phone, "+442079460018");
    // By its zone: this business has no number of its own.
    assert_eq!(stage.customer(LINDE, "Bertha", "030 901820").await.phone, "+4930901820");
    let nowhere = caller::BusinessId(Uuid::from_u128(9));
    stage.business(nowhere, "Nowhere", "", "Etc/UTC").await;
    assert_field_refused(stage.try_customer(nowhere, "Ida", "020 7946 0018", "").await, "phone");
    assert_eq!(stage.customer(nowhere, "Ida", "+1 415 555 0134").await.phone, "+14155550134");
}

#[tokio::test]
async fn the_customers_of_one_number_come_in_pages_too() {
    let stage = Stage::open().await;
    for name in ["Ana", "Ben", "Cleo"] {
        stage.customer(WILLOW, name, "+442079460018").await;
    }
    let message = ListCustomersRequest { page_size: 2, ..by_phone("+442079460018") };
    let first = stage.customers().list_customers(stage.employee_of(WILLOW, message.clone())).await.unwrap();
    let first = first.into_inner();
    assert_eq!(first.customers.len(), 2);
    let message = ListCustomersRequest { page_token: first.next_page_token, ..message };
    let second = stage.customers().list_customers(stage.employee_of(WILLOW, message)).await.unwrap();
    let second = second.into_inner();
    assert_eq!((second.customers[0].name.as_str(), second.customers.len()), ("Cleo", 1));
    assert_eq!(second.next_page_token, "");
}

#[tokio::test]
async fn the_voice_agent_finds_and_adds_customers() {
    let stage = Stage::open().await;
    let agent =
        as_agent(&stage.host, Uuid::from_u128(5), WILLOW, new_customer(WILLOW, "Ana", "+442079460018", ""));
    let made = created(stage.customers().create_customer(agent).await.unwrap());
    let agent = as_agent(&stage.host, Uuid::from_u128(5), WILLOW, by_phone("+442079460018"));
    let found = stage.customers().list_customers(agent).await.unwrap().into_inner();
    assert_eq!(found.customers, core::slice::from_ref(&made));
    let get = GetCustomerRequest { business_id: WILLOW.to_string(), customer_id: made.id };
    let agent = as_agent(&stage.host, Uuid::from_u128(5), WILLOW, get);
    assert_refused(stage.customers().get_customer(agent).await, Reason::RoleTooLow);
}

#[tokio::test]
async fn a_chosen_id_makes_adding_a_customer_repeatable() {
    let stage = Stage::open().await;
    let chosen = CreateCustomerRequest {
        customer_id: Uuid::from_u128(0x77).to_string(),
        ..new_customer(WILLOW, "Ana", "", "")
    };
    let seed = || stage.seeding(WILLOW, chosen.clone());
    let first = created(stage.customers().create_customer(seed()).await.unwrap());
    let again = created(stage.customers().create_customer(seed()).await.unwrap());
    assert_eq!(first, again);
    assert_eq!(stage.count("SELECT count(*) FROM customer").await, 1);
    let foreign =
        CreateCustomerRequest { business_id: LINDE.to_string(), name: "Mia".to_owned(), ..chosen.clone() };
    let theirs = created(stage.customers().create_customer(stage.seeding(LINDE, foreign)).await.unwrap());
    assert_eq!(
        (theirs.name.as_str(), created(stage.customers().create_customer(seed()).await.unwrap())),
        ("Mia", first)
    );
}

#[tokio::test]
async fn neither_a_person_nor_the_voice_agent_chooses_the_id_of_a_customer() {
    let stage = Stage::open().await;
    let chosen =
        || CreateCustomerRequest { customer_id: LINDE.to_string(), ..new_customer(WILLOW, "Ana", "", "") };
    let agent = as_agent(&stage.host, Uuid::from_u128(5), WILLOW, chosen());
    for request in [agent, stage.employee_of(WILLOW, chosen()), stage.owner_of(WILLOW, chosen())] {
        assert_field_refused(stage.customers().create_customer(request).await, "customer_id");
    }
    assert_eq!(stage.count("SELECT count(*) FROM customer").await, 0);
}

#[tokio::test]
async fn a_customer_of_another_business_is_not_found() {
    let stage = Stage::open().await;
    let ana = stage.customer(WILLOW, "Ana", "").await;
    let get = |business: caller::BusinessId| GetCustomerRequest {
        business_id: business.to_string(),
        customer_id: ana.id.clone(),
    };
    // As a member of one business asking in its own name, and in the other's.
    let own = stage.customers().get_customer(stage.owner_of(LINDE, get(LINDE))).await;
    assert_refused(own, Reason::NotFound);
    let other = stage.customers().get_customer(stage.owner_of(LINDE, get(WILLOW))).await;
    assert_refused(other, Reason::NotFound);
    let list = stage.customers().list_customers(stage.owner_of(LINDE, by_phone(""))).await;
    assert_refused(list, Reason::NotFound);
    let add = stage.owner_of(LINDE, new_customer(WILLOW, "Ida", "", ""));
    assert_refused(stage.customers().create_customer(add).await, Reason::NotFound);
}

#[tokio::test]
async fn a_guest_sees_no_customer() {
    let stage = Stage::open().await;
    let ana = stage.customer(WILLOW, "Ana", "").await;
    let list = as_user(&stage.host, Role::Guest, WILLOW, by_phone(""));
    assert_refused(stage.customers().list_customers(list).await, Reason::RoleTooLow);
    let get = GetCustomerRequest { business_id: WILLOW.to_string(), customer_id: ana.id };
    let get = as_user(&stage.host, Role::Guest, WILLOW, get);
    assert_refused(stage.customers().get_customer(get).await, Reason::RoleTooLow);
    let add = as_user(&stage.host, Role::Guest, WILLOW, new_customer(WILLOW, "Ida", "", ""));
    assert_refused(stage.customers().create_customer(add).await, Reason::RoleTooLow);
}

#[tokio::test]
async fn a_customer_of_a_business_that_is_not_there_is_not_found() {
    let stage = Stage::empty().await;
    for phone in ["", "020 7946 0018"] {
        assert_refused(stage.try_customer(WILLOW, "Ana", phone, "").await, Reason::NotFound);
    }
}

#[tokio::test]
async fn a_malformed_field_of_a_customer_is_named() {
    let stage = Stage::open().await;
    let wrong: [Spoilt<CreateCustomerRequest>; 7] = [
        ("business_id", |r| r.business_id = "willow".to_owned()),
        ("customer_id", |r| r.customer_id = "ana".to_owned()),
        ("name", |r| r.name = " \u{a0} ".to_owned()),
        ("name", |r| r.name = "x".repeat(201)),
        ("name", |r| r.name = "A\u{0}".to_owned()),
        ("phone", |r| r.phone = "anonymous".to_owned()),
        ("email", |r| r.email = "ana at example.com".to_owned()),
    ];
    for (field, spoil) in wrong {
        let mut request = new_customer(WILLOW, "Ana", "", "");
        spoil(&mut request);
        let result = stage.customers().create_customer(stage.employee_of(WILLOW, request)).await;
        assert_field_refused(result, field);
    }
    let list = stage.customers().list_customers(stage.employee_of(WILLOW, by_phone("12"))).await;
    assert_field_refused(list, "phone");
    let get = GetCustomerRequest { business_id: WILLOW.to_string(), customer_id: String::new() };
    assert_field_refused(stage.customers().get_customer(stage.employee_of(WILLOW, get)).await, "customer_id");
}
