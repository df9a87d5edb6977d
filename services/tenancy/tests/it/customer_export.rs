//! Exports of customers.

use caller::{BusinessId, Role};
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::{CustomersExported, event::Payload},
        tenancy::v1::{
            BeginCustomerExportRequest, BeginCustomerExportResponse, ReadCustomerExportRequest,
            customer_export_service_client::CustomerExportServiceClient,
        },
    },
};
use testkit::{SESSION, USER, as_person};
use tonic::Status;
use uuid::Uuid;

use crate::{
    event::{followed, next},
    stage::{LINDE, Stage, WILLOW, assert_refused},
};

pub async fn begin(
    stage: &Stage,
    business: BusinessId,
    customer: &str,
) -> Result<BeginCustomerExportResponse, Status> {
    let message =
        BeginCustomerExportRequest { business_id: business.to_string(), customer_id: customer.to_owned() };
    let mut client = CustomerExportServiceClient::new(stage.channel.clone());
    Ok(client.begin_customer_export(stage.manager_of(business, message)).await?.into_inner())
}

fn reading(export: &str, page_token: &str) -> ReadCustomerExportRequest {
    ReadCustomerExportRequest {
        business_id: WILLOW.to_string(),
        export_id: export.to_owned(),
        page_token: page_token.to_owned(),
    }
}

async fn read(stage: &Stage, export: &str) -> Result<String, Status> {
    let mut client = CustomerExportServiceClient::new(stage.channel.clone());
    let (mut text, mut token) = (String::new(), String::new());
    loop {
        let request = stage.manager_of(WILLOW, reading(export, &token));
        let part = client.read_customer_export(request).await?.into_inner();
        text.push_str(&part.csv);
        token = part.next_page_token;
        if token.is_empty() {
            return Ok(text);
        }
    }
}

#[tokio::test]
async fn all_customers_are_exported_without_formulas_and_the_owners_hear_of_it() {
    let stage = Stage::open().await;
    stage.customer(WILLOW, "=cmd()", "020 7946 0018").await;
    for n in 0..250 {
        stage.customer(WILLOW, &format!("Customer {n:03}"), "").await;
    }
    stage.customer(LINDE, "Theirs", "").await;
    let mut log = followed(&stage).await;
    let export = begin(&stage, WILLOW, "").await.unwrap();
    let text = read(&stage, &export.export_id).await.unwrap();
    assert_eq!(text.lines().count(), 252);
    assert!(text.contains("\"'=cmd()\",\"\",\"\",\"'+442079460018\""), "{text:.200}");
    assert!(!text.contains("Theirs"));
    let told = loop {
        if let Some(Payload::CustomersExported(told)) = next(&mut log).await.payload {
            break told;
        }
    };
    let expected = CustomersExported { user_id: USER.to_string(), ..CustomersExported::default() };
    assert_eq!(told, expected);
    let kept = "SELECT count(*) FROM customer_export WHERE created_by LIKE 'user:%' AND customer_id IS NULL";
    assert_eq!(stage.count(kept).await, 1);
}

#[tokio::test]
async fn one_customer_is_exported_by_name() {
    let stage = Stage::open().await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    stage.customer(WILLOW, "Tom", "").await;
    let mut log = followed(&stage).await;
    let export = begin(&stage, WILLOW, &mia.id).await.unwrap();
    let text = read(&stage, &export.export_id).await.unwrap();
    assert!(text.contains("Mia") && !text.contains("Tom"), "{text}");
    let told = loop {
        if let Some(Payload::CustomersExported(told)) = next(&mut log).await.payload {
            break told;
        }
    };
    assert_eq!((told.customer_id, told.customer_name.as_str()), (mia.id, "Mia"));
}

#[tokio::test]
async fn an_export_is_read_by_who_began_it_for_an_hour() {
    let stage = Stage::open().await;
    let export = begin(&stage, WILLOW, "").await.unwrap().export_id;
    let mut client = CustomerExportServiceClient::new(stage.channel.clone());
    let other = caller::UserId(Uuid::from_u128(0xbeef));
    let stranger =
        as_person(&stage.host, other, SESSION, Some(WILLOW), Some(Role::Owner), reading(&export, ""));
    assert_refused(client.read_customer_export(stranger).await, Reason::NotFound);
    let employee = stage.employee_of(WILLOW, reading(&export, ""));
    assert_refused(client.read_customer_export(employee).await, Reason::RoleTooLow);
    stage.time.advance(jiff::SignedDuration::from_mins(59));
    read(&stage, &export).await.unwrap();
    stage.time.advance(jiff::SignedDuration::from_mins(1));
    assert_refused(read(&stage, &export).await, Reason::NotFound);
}

#[tokio::test]
async fn exports_are_a_managers_and_of_the_salons_own_customers() {
    let stage = Stage::open().await;
    let theirs = stage.customer(LINDE, "Theirs", "").await;
    assert_refused(begin(&stage, WILLOW, &theirs.id).await, Reason::NotFound);
    let message = BeginCustomerExportRequest { business_id: WILLOW.to_string(), ..Default::default() };
    let mut client = CustomerExportServiceClient::new(stage.channel.clone());
    let employee = stage.employee_of(WILLOW, message);
    assert_refused(client.begin_customer_export(employee).await, Reason::RoleTooLow);
}
