//! Who belongs to a business, as other services ask.

use caller::{BusinessId, Role};
use proto::{
    error::Reason,
    frontdesk::tenancy::internal::v1::{
        FindPatchTestsRequest, FindPeopleRequest, FindPeopleResponse,
        directory_service_client::DirectoryServiceClient,
        patch_test_record_service_client::PatchTestRecordServiceClient,
    },
};
use testkit::{as_service, as_user};
use tonic::{Request, Status};

use crate::{
    customer_record::{record_test, test_of},
    stage::{LINDE, Stage, WILLOW, assert_field_refused, assert_refused},
};

fn people(business: BusinessId, employees: &[String], customers: &[String]) -> FindPeopleRequest {
    FindPeopleRequest {
        business_id: business.to_string(),
        employee_ids: employees.to_vec(),
        customer_ids: customers.to_vec(),
    }
}

async fn find(stage: &Stage, request: Request<FindPeopleRequest>) -> Result<FindPeopleResponse, Status> {
    DirectoryServiceClient::new(stage.channel.clone())
        .find_people(request)
        .await
        .map(tonic::Response::into_inner)
}

#[tokio::test]
async fn people_of_the_business_are_found_and_others_left_out() {
    let stage = Stage::open().await;
    let (ana, bertha) = (stage.employee(WILLOW, "Ana").await, stage.employee(LINDE, "Bertha").await);
    let mia = stage.customer(WILLOW, "Mia", "+442079460018").await;
    let ida = stage.customer(LINDE, "Ida", "").await;
    let request =
        people(WILLOW, &[ana.id.clone(), bertha.id.clone(), mia.id.clone()], &[ida.id, mia.id.clone()]);
    let found = find(&stage, as_service("scheduling", &stage.host, Some(WILLOW), request)).await.unwrap();
    assert_eq!((found.employees, found.customers), (vec![ana.clone()], vec![mia]));
    let request = people(LINDE, &[ana.id, bertha.id.clone()], &[]);
    let found = find(&stage, as_service("calendar-sync", &stage.host, Some(LINDE), request)).await.unwrap();
    assert_eq!((found.employees, found.customers), (vec![bertha], vec![]));
}

#[tokio::test]
async fn only_services_with_a_projection_ask() {
    let stage = Stage::open().await;
    let ask = || people(WILLOW, &[], &[]);
    for request in [
        as_user(&stage.host, Role::Owner, WILLOW, ask()),
        as_service("bff", &stage.host, Some(WILLOW), ask()),
    ] {
        let refused = find(&stage, request).await.unwrap_err();
        assert_eq!(refused.code(), tonic::Code::PermissionDenied);
    }
    let elsewhere = as_service("scheduling", &stage.host, Some(LINDE), ask());
    assert_refused(find(&stage, elsewhere).await, Reason::NotFound);
}

#[tokio::test]
async fn malformed_or_too_many_ids_are_refused() {
    let stage = Stage::open().await;
    let service = |request| as_service("scheduling", &stage.host, Some(WILLOW), request);
    let malformed = people(WILLOW, &["x".to_owned()], &[]);
    assert_field_refused(find(&stage, service(malformed)).await, "employee_ids[0]");
    let many = people(WILLOW, &[], &vec![uuid::Uuid::nil().to_string(); 1001]);
    assert_field_refused(find(&stage, service(many)).await, "customer_ids");
}

#[tokio::test]
async fn patch_tests_of_a_customer_are_found_for_scheduling_alone() {
    let stage = Stage::open().await;
    let mia = stage.customer(WILLOW, "Mia", "").await;
    let recorded = record_test(&stage, test_of(WILLOW, &mia.id)).await.unwrap();
    let ask = |business: BusinessId| FindPatchTestsRequest {
        business_id: business.to_string(),
        customer_id: mia.id.clone(),
    };
    let find = async |request| {
        let answer =
            PatchTestRecordServiceClient::new(stage.channel.clone()).find_patch_tests(request).await?;
        Ok::<_, Status>(answer.into_inner().patch_tests)
    };
    let own = as_service("scheduling", &stage.host, Some(WILLOW), ask(WILLOW));
    assert_eq!(find(own).await.unwrap(), [recorded]);
    assert_refused(
        find(as_service("scheduling", &stage.host, Some(LINDE), ask(LINDE))).await,
        Reason::NotFound,
    );
    let other = as_service("calendar-sync", &stage.host, Some(WILLOW), ask(WILLOW));
    assert_eq!(find(other).await.unwrap_err().code(), tonic::Code::PermissionDenied);
}
