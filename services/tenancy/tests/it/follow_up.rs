//! Follow-ups.

use std::sync::Arc;

use caller::{BusinessId, Role};
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        tenancy::v1::{
            AssignFollowUpRequest, CompleteFollowUpRequest, CreateFollowUpRequest, FollowUp, FollowUpState,
            ListFollowUpsRequest, MergeCustomersRequest, ReopenFollowUpRequest,
        },
    },
    time::to_proto,
};
use testkit::{as_agent, as_user};
use tonic::Status;
use uuid::Uuid;

use crate::{
    event::{followed, next},
    holders::{Holders, UNKNOWN_CALL},
    stage::{LINDE, Stage, WILLOW, assert_field_refused, assert_refused},
};

fn noted(business: BusinessId, text: &str) -> CreateFollowUpRequest {
    CreateFollowUpRequest { business_id: business.to_string(), text: text.to_owned(), ..Default::default() }
}

pub async fn follow_up(stage: &Stage, business: BusinessId, text: &str) -> FollowUp {
    create(stage, noted(business, text)).await.unwrap()
}

async fn create(stage: &Stage, request: CreateFollowUpRequest) -> Result<FollowUp, Status> {
    let business = BusinessId(request.business_id.parse().unwrap());
    let response = stage.follow_ups().create_follow_up(stage.employee_of(business, request)).await?;
    Ok(response.into_inner().follow_up.unwrap())
}

fn list(state: FollowUpState, page_size: i32, page_token: &str) -> ListFollowUpsRequest {
    ListFollowUpsRequest {
        business_id: WILLOW.to_string(),
        state: state.into(),
        page_size,
        page_token: page_token.to_owned(),
        ..Default::default()
    }
}

async fn texts(stage: &Stage, state: FollowUpState) -> Vec<String> {
    let (mut seen, mut token) = (vec![], String::new());
    loop {
        let request = stage.employee_of(WILLOW, list(state, 2, &token));
        let page = stage.follow_ups().list_follow_ups(request).await.unwrap().into_inner();
        seen.extend(page.follow_ups.into_iter().map(|follow_up| follow_up.text));
        token = page.next_page_token;
        if token.is_empty() {
            return seen;
        }
    }
}

async fn assign(stage: &Stage, id: &str, employee: &str) -> Result<FollowUp, Status> {
    let request = AssignFollowUpRequest {
        business_id: WILLOW.to_string(),
        follow_up_id: id.to_owned(),
        employee_id: employee.to_owned(),
        due_at: Some(to_proto(stage.host.clock.now())),
    };
    let response = stage.follow_ups().assign_follow_up(stage.employee_of(WILLOW, request)).await?;
    Ok(response.into_inner().follow_up.unwrap())
}

async fn complete(stage: &Stage, id: &str) -> Result<FollowUp, Status> {
    let request = CompleteFollowUpRequest { business_id: WILLOW.to_string(), follow_up_id: id.to_owned() };
    let response = stage.follow_ups().complete_follow_up(stage.employee_of(WILLOW, request)).await?;
    Ok(response.into_inner().follow_up.unwrap())
}

async fn reopen(stage: &Stage, id: &str) -> FollowUp {
    let request = ReopenFollowUpRequest { business_id: WILLOW.to_string(), follow_up_id: id.to_owned() };
    let response = stage.follow_ups().reopen_follow_up(stage.employee_of(WILLOW, request)).await;
    response.unwrap().into_inner().follow_up.unwrap()
}

#[tokio::test]
async fn a_message_says_who_called_whose_it_is_and_until_when() {
    let stage = Stage::open().await;
    let customer = stage.customer(WILLOW, "Mia", "").await;
    let employee = stage.employee(WILLOW, "Ana").await;
    let due_at = Some(to_proto(stage.host.clock.now() + SignedDuration::from_hours(2)));
    let call = Uuid::from_u128(7).to_string();
    let request = CreateFollowUpRequest {
        customer_id: customer.id.clone(),
        phone: "020 7946 0018".to_owned(),
        call_id: call.clone(),
        employee_id: employee.id.clone(),
        due_at,
        ..noted(WILLOW, "Asks for a patch test")
    };
    let made = create(&stage, request).await.unwrap();
    assert_eq!((made.customer_name.as_str(), made.employee_name.as_str()), ("Mia", "Ana"));
    assert_eq!((made.phone.as_str(), made.call_id.clone()), ("+442079460018", call));
    assert_eq!((made.due_at, made.state()), (due_at, FollowUpState::Open));
    assert!(made.created_by.starts_with("user:"), "{}", made.created_by);
}

#[tokio::test]
async fn the_soonest_due_come_first_and_those_without_hurry_last_a_page_at_a_time() {
    let stage = Stage::open().await;
    let now = stage.host.clock.now();
    for (text, hours) in [("later", Some(9)), ("whenever", None), ("soon", Some(1)), ("one day", None)] {
        let due_at = hours.map(|hours| to_proto(now + SignedDuration::from_hours(hours)));
        create(&stage, CreateFollowUpRequest { due_at, ..noted(WILLOW, text) }).await.unwrap();
    }
    follow_up(&stage, LINDE, "another salon's").await;
    let mut open = texts(&stage, FollowUpState::Unspecified).await;
    // Those without hurry are equals.
    open[2..].sort_unstable();
    assert_eq!(open, ["soon", "later", "one day", "whenever"]);
    assert!(texts(&stage, FollowUpState::Done).await.is_empty());
}

#[tokio::test]
async fn it_is_assigned_done_once_and_reopened() {
    let stage = Stage::open().await;
    let made = follow_up(&stage, WILLOW, "Call back").await;
    let employee = stage.employee(WILLOW, "Ana").await;
    let given = assign(&stage, &made.id, &employee.id).await.unwrap();
    assert_eq!((given.employee_name.as_str(), given.version), ("Ana", 2));
    assert!(given.due_at.is_some());
    let done = complete(&stage, &made.id).await.unwrap();
    assert_eq!((done.state(), done.version, done.done_by.is_empty()), (FollowUpState::Done, 3, false));
    assert_eq!(complete(&stage, &made.id).await.unwrap(), done);
    assert_eq!(texts(&stage, FollowUpState::Done).await, ["Call back"]);
    let open = reopen(&stage, &made.id).await;
    assert_eq!((open.state(), open.version, open.done_at), (FollowUpState::Open, 4, None));
    assert_eq!(texts(&stage, FollowUpState::Open).await, ["Call back"]);
}

#[tokio::test]
async fn every_change_is_announced_once() {
    let stage = Stage::open().await;
    let made = follow_up(&stage, WILLOW, "Call back").await;
    complete(&stage, &made.id).await.unwrap();
    complete(&stage, &made.id).await.unwrap();
    let other = follow_up(&stage, WILLOW, "Another").await;
    let (mut stream, mut told) = (followed(&stage).await, vec![]);
    while told.last() != Some(&(other.id.clone(), 1)) {
        let event = next(&mut stream).await;
        if let Some(Payload::FollowUp(of)) = event.payload {
            told.push((of.follow_up_id, event.version));
        }
    }
    assert_eq!(told, [(made.id.clone(), 1), (made.id, 2), (other.id, 1)]);
}

#[tokio::test]
async fn the_phone_agent_takes_a_message_once_however_often_it_tries() {
    let stage = Stage::open().await;
    let take = async || {
        let mut request = as_agent(&stage.host, Uuid::from_u128(3), WILLOW, noted(WILLOW, "Call back"));
        request.metadata_mut().insert("idempotency-key", "k1".parse().unwrap());
        stage.follow_ups().create_follow_up(request).await.unwrap().into_inner().follow_up.unwrap()
    };
    assert_eq!(take().await, take().await);
    assert_eq!(texts(&stage, FollowUpState::Open).await.len(), 1);
}

#[tokio::test]
async fn malformed_fields_and_people_of_another_business_are_named() {
    let stage = Stage::open().await;
    assert_field_refused(create(&stage, noted(WILLOW, " ")).await, "text");
    assert_field_refused(create(&stage, noted(WILLOW, &"a".repeat(2_001))).await, "text");
    let phone = CreateFollowUpRequest { phone: "12".to_owned(), ..noted(WILLOW, "a") };
    assert_field_refused(create(&stage, phone).await, "phone");
    let call = CreateFollowUpRequest { call_id: "x".to_owned(), ..noted(WILLOW, "a") };
    assert_field_refused(create(&stage, call).await, "call_id");
    let page = stage.employee_of(WILLOW, list(FollowUpState::Open, 0, "bm9wZQ"));
    assert_field_refused(stage.follow_ups().list_follow_ups(page).await, "page_token");

    let others = stage.employee(LINDE, "Bertha").await;
    let given = CreateFollowUpRequest { employee_id: others.id.clone(), ..noted(WILLOW, "a") };
    assert_field_refused(create(&stage, given).await, "employee_id");
    let about = stage.customer(LINDE, "Ida", "").await;
    let about = CreateFollowUpRequest { customer_id: about.id, ..noted(WILLOW, "a") };
    assert_field_refused(create(&stage, about).await, "customer_id");
    let mine = follow_up(&stage, WILLOW, "Call back").await;
    assert_field_refused(assign(&stage, &mine.id, &others.id).await, "employee_id");
    let theirs = follow_up(&stage, LINDE, "Call back").await;
    assert_refused(complete(&stage, &theirs.id).await, Reason::NotFound);
    let guest = as_user(&stage.host, Role::Guest, WILLOW, list(FollowUpState::Open, 0, ""));
    assert_refused(stage.follow_ups().list_follow_ups(guest).await, Reason::RoleTooLow);
}

#[tokio::test]
async fn a_call_that_the_business_does_not_have_is_refused_and_named() {
    let stage = Stage::open().await;
    let of_call = |business, call: Uuid| CreateFollowUpRequest {
        call_id: call.to_string(),
        ..noted(business, "Call back")
    };
    assert_field_refused(create(&stage, of_call(WILLOW, UNKNOWN_CALL)).await, "call_id");
    let willows = Uuid::from_u128(7);
    assert_field_refused(create(&stage, of_call(LINDE, willows)).await, "call_id");
    assert!(texts(&stage, FollowUpState::Open).await.is_empty(), "nothing was noted");
    create(&stage, of_call(WILLOW, willows)).await.unwrap();
}

#[tokio::test]
async fn no_follow_up_waits_for_calls_that_can_not_be_looked_up_and_none_asks_about_a_call_of_the_agent() {
    let holders = Arc::<Holders>::default();
    let stage = Stage::holding(&holders).await;
    let of_call = CreateFollowUpRequest { call_id: UNKNOWN_CALL.to_string(), ..noted(WILLOW, "Call back") };
    holders.answer("telemetry", None);
    assert_eq!(create(&stage, of_call.clone()).await.unwrap().call_id, UNKNOWN_CALL.to_string());
    assert_eq!(holders.calls_looked_up(), 1);
    follow_up(&stage, WILLOW, "Order foils").await;
    let taken = as_agent(&stage.host, Uuid::from_u128(3), WILLOW, of_call);
    stage.follow_ups().create_follow_up(taken).await.unwrap();
    assert_eq!(holders.calls_looked_up(), 1, "a follow-up without a call, and a message that the door takes");
}

#[tokio::test]
async fn those_of_a_call_are_listed_by_themselves() {
    let stage = Stage::open().await;
    let call = Uuid::from_u128(0xca11);
    follow_up(&stage, WILLOW, "Order foils").await;
    let of_call = |text| CreateFollowUpRequest { call_id: call.to_string(), ..noted(WILLOW, text) };
    create(&stage, of_call("Call Ana back")).await.unwrap();
    let done = create(&stage, of_call("Send the price list")).await.unwrap();
    complete(&stage, &done.id).await.unwrap();
    let texts = async |state: FollowUpState| {
        let request = ListFollowUpsRequest { call_id: call.to_string(), ..list(state, 50, "") };
        let page = stage.follow_ups().list_follow_ups(stage.employee_of(WILLOW, request)).await.unwrap();
        page.into_inner().follow_ups.into_iter().map(|one| one.text).collect::<Vec<_>>()
    };
    assert_eq!(texts(FollowUpState::Open).await, ["Call Ana back"]);
    assert_eq!(texts(FollowUpState::Done).await, ["Send the price list"]);
    let wrong = ListFollowUpsRequest { call_id: "first".to_owned(), ..list(FollowUpState::Open, 50, "") };
    let refused = stage.follow_ups().list_follow_ups(stage.employee_of(WILLOW, wrong)).await;
    assert_field_refused(refused, "call_id");
}

#[tokio::test]
async fn those_about_a_customer_are_listed_with_those_of_whom_was_merged_into_them() {
    const PHONE: &str = "+442079460018";
    let stage = Stage::open().await;
    let ana = stage.customer(WILLOW, "Ana", PHONE).await;
    let twin = stage.customer(WILLOW, "A. Prior", "").await;
    let tom = stage.customer(WILLOW, "Tom", PHONE).await;
    let about = |customer: &str, text| CreateFollowUpRequest {
        customer_id: customer.to_owned(),
        phone: PHONE.to_owned(),
        ..noted(WILLOW, text)
    };
    create(&stage, about(&ana.id, "Call Ana back")).await.unwrap();
    let done = create(&stage, about(&twin.id, "Send the price list")).await.unwrap();
    complete(&stage, &done.id).await.unwrap();
    create(&stage, about(&tom.id, "Call Tom back")).await.unwrap();
    create(&stage, about("", "Call this number back")).await.unwrap();
    let merge = MergeCustomersRequest {
        business_id: WILLOW.to_string(),
        customer_id: ana.id.clone(),
        merged_customer_id: twin.id,
        ..Default::default()
    };
    stage.customer_merges().merge_customers(stage.manager_of(WILLOW, merge)).await.unwrap();

    let listed = async |request: ListFollowUpsRequest| {
        let page = stage.follow_ups().list_follow_ups(stage.employee_of(WILLOW, request)).await?;
        Ok::<_, Status>(page.into_inner().follow_ups.into_iter().map(|one| one.text).collect::<Vec<_>>())
    };
    let of_ana = |state| ListFollowUpsRequest { customer_id: ana.id.clone(), ..list(state, 50, "") };
    assert_eq!(listed(of_ana(FollowUpState::Open)).await.unwrap(), ["Call Ana back"]);
    assert_eq!(listed(of_ana(FollowUpState::Done)).await.unwrap(), ["Send the price list"]);
    // Tom has the number too: what is about him is his.
    let open = || list(FollowUpState::Open, 50, "");
    let of_phone = ListFollowUpsRequest { phone: PHONE.to_owned(), ..open() };
    assert_eq!(listed(of_phone.clone()).await.unwrap(), ["Call this number back"]);

    let both = ListFollowUpsRequest { customer_id: ana.id.clone(), ..of_phone };
    assert_field_refused(listed(both).await, "customer_id");
    for (field, wrong) in [
        ("customer_id", ListFollowUpsRequest { customer_id: "ana".to_owned(), ..open() }),
        ("phone", ListFollowUpsRequest { phone: "020".to_owned(), ..open() }),
    ] {
        assert_field_refused(listed(wrong).await, field);
    }
}
