//! What employees see of customers whose telephone numbers and e-mail addresses they may not see.

use caller::Role;
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{
        CreateFollowUpRequest, Customer, GetCustomerRequest, ListCustomersRequest, ListFollowUpsRequest,
        RecordMarketingConsentRequest, UpdateCustomerRequest,
    },
};
use testkit::{as_agent, as_user};
use tonic::Request;
use uuid::Uuid;

use crate::stage::{Stage, WILLOW, assert_refused};

/// Willow with Ana, whom the employee may see, and Ben, whom they may not; and their ids.
async fn stage() -> (Stage, Customer, Customer) {
    let stage = Stage::open().await;
    let ana = stage.try_customer(WILLOW, "Ana Marsh", "07700 900 111", "ana@willow.example").await.unwrap();
    let ben = stage.try_customer(WILLOW, "Ben Reed", "07700 900 222", "benny@willow.example").await.unwrap();
    stage.scheduling.limit_to(&[&ana.id]);
    (stage, ana, ben)
}

fn typed(query: &str) -> ListCustomersRequest {
    ListCustomersRequest {
        business_id: WILLOW.to_string(),
        query: query.to_owned(),
        ..ListCustomersRequest::default()
    }
}

fn manager<T>(stage: &Stage, message: T) -> Request<T> {
    as_user(&stage.host, Role::Manager, WILLOW, message)
}

async fn listed(stage: &Stage, request: Request<ListCustomersRequest>) -> Vec<Customer> {
    stage.customers().list_customers(request).await.unwrap().into_inner().customers
}

async fn found(stage: &Stage, query: &str) -> Vec<String> {
    let customers = listed(stage, stage.employee_of(WILLOW, typed(query))).await;
    customers.into_iter().map(|customer| customer.name).collect()
}

async fn get(stage: &Stage, id: &str) -> Customer {
    let message = GetCustomerRequest { business_id: WILLOW.to_string(), customer_id: id.to_owned() };
    let response = stage.customers().get_customer(stage.employee_of(WILLOW, message)).await;
    response.unwrap().into_inner().customer.unwrap()
}

fn hidden(customer: &Customer) -> Customer {
    Customer { phone: String::new(), email: String::new(), contact_hidden: true, ..customer.clone() }
}

#[tokio::test]
async fn lists_and_profiles_hide_what_an_employee_may_not_see() {
    let (stage, ana, ben) = stage().await;
    assert_eq!(listed(&stage, stage.employee_of(WILLOW, typed(""))).await, [ana.clone(), hidden(&ben)]);
    assert_eq!(listed(&stage, manager(&stage, typed(""))).await, [ana.clone(), ben.clone()]);
    let line = Uuid::from_u128(7);
    let agent = as_agent(&stage.host, line, WILLOW, typed(""));
    assert_eq!(listed(&stage, agent).await, [ana.clone(), ben.clone()]);
    assert_eq!((get(&stage, &ana.id).await, get(&stage, &ben.id).await), (ana, hidden(&ben)));
}

#[tokio::test]
async fn digits_and_addresses_find_only_whom_an_employee_may_see() {
    let (stage, ana, ben) = stage().await;
    for query in ["111", "07700", "ana@willow.example", "willow", "ana willow", "marsh"] {
        assert_eq!(found(&stage, query).await, ["Ana Marsh"], "{query}");
    }
    for query in ["222", "benny", "benny@willow.example", "ben willow", "07700 900 222"] {
        assert_eq!(found(&stage, query).await, [""; 0], "{query}");
        assert_eq!(
            listed(&stage, manager(&stage, typed(query))).await,
            core::slice::from_ref(&ben),
            "{query}"
        );
    }
    assert_eq!(found(&stage, "ben re").await, ["Ben Reed"], "a name finds everyone");
    let exact = |phone: &str| ListCustomersRequest { phone: phone.to_owned(), ..typed("") };
    assert_eq!(listed(&stage, stage.employee_of(WILLOW, exact("07700 900 111"))).await, [ana]);
    assert_eq!(listed(&stage, stage.employee_of(WILLOW, exact("07700 900 222"))).await, []);
    assert_eq!(listed(&stage, manager(&stage, exact("07700 900 222"))).await, [ben]);
}

#[tokio::test]
async fn a_change_by_an_employee_keeps_what_is_hidden_from_them_unless_they_give_another() {
    let (stage, _, ben) = stage().await;
    let update = |name: &str, phone: &str| UpdateCustomerRequest {
        business_id: WILLOW.to_string(),
        customer_id: ben.id.clone(),
        name: name.to_owned(),
        phone: phone.to_owned(),
        ..UpdateCustomerRequest::default()
    };
    let save = async |request| {
        stage.customers().update_customer(request).await.unwrap().into_inner().customer.unwrap()
    };
    let saved = save(stage.employee_of(WILLOW, update("Benjamin Reed", ""))).await;
    assert_eq!(
        (saved.name.as_str(), saved.phone.as_str(), saved.contact_hidden),
        ("Benjamin Reed", "", true)
    );
    let kept = listed(&stage, manager(&stage, typed("benjamin"))).await.remove(0);
    assert_eq!((kept.phone.as_str(), kept.email.as_str()), ("+447700900222", "benny@willow.example"));
    save(stage.employee_of(WILLOW, update("Benjamin Reed", "07700 900 333"))).await;
    let changed = listed(&stage, manager(&stage, typed("benjamin"))).await.remove(0);
    assert_eq!((changed.phone.as_str(), changed.email.as_str()), ("+447700900333", "benny@willow.example"));
    let cleared = save(manager(&stage, update("Benjamin Reed", ""))).await;
    assert_eq!((cleared.phone.as_str(), cleared.email.as_str()), ("", ""));
    let consent = RecordMarketingConsentRequest {
        business_id: WILLOW.to_string(),
        customer_id: ben.id.clone(),
        given: true,
    };
    let recorded = stage.customers().record_marketing_consent(stage.employee_of(WILLOW, consent)).await;
    assert!(recorded.unwrap().into_inner().customer.unwrap().contact_hidden);
}

#[tokio::test]
async fn follow_ups_hide_the_numbers_of_customers_and_show_those_of_unknown_callers() {
    let (stage, _, ben) = stage().await;
    for (text, customer) in [("Ben called", ben.id.as_str()), ("A stranger called", "")] {
        let message = CreateFollowUpRequest {
            business_id: WILLOW.to_string(),
            text: text.to_owned(),
            customer_id: customer.to_owned(),
            phone: "07700 900 222".to_owned(),
            ..CreateFollowUpRequest::default()
        };
        stage.follow_ups().create_follow_up(manager(&stage, message)).await.unwrap();
    }
    let list = || ListFollowUpsRequest { business_id: WILLOW.to_string(), ..ListFollowUpsRequest::default() };
    let shown = async |request| -> Vec<(String, bool)> {
        let listed = stage.follow_ups().list_follow_ups(request).await.unwrap().into_inner().follow_ups;
        let mut shown: Vec<_> = listed.into_iter().map(|one| (one.phone, one.contact_hidden)).collect();
        shown.sort();
        shown
    };
    let number = || "+447700900222".to_owned();
    assert_eq!(shown(stage.employee_of(WILLOW, list())).await, [(String::new(), true), (number(), false)]);
    assert_eq!(shown(manager(&stage, list())).await, [(number(), false), (number(), false)]);
}

#[tokio::test]
async fn employees_are_shown_nothing_while_scheduling_cannot_say_and_managers_all() {
    let (stage, ana, ben) = stage().await;
    stage.scheduling.leave();
    for query in ["", "ana", "222"] {
        let refused = stage.customers().list_customers(stage.employee_of(WILLOW, typed(query))).await;
        assert_refused(refused, Reason::Unavailable);
    }
    assert_eq!(listed(&stage, manager(&stage, typed(""))).await, [ana, ben]);
}
