use caller::{BusinessId, Role};
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{
        Business, CreateBusinessRequest, GetBusinessRequest, business_service_client::BusinessServiceClient,
    },
};
use testkit::as_user;
use uuid::Uuid;

use crate::stage::{KEYS, LINDE, Stage, WILLOW, assert_refused, serve};

fn get(business: BusinessId) -> GetBusinessRequest {
    GetBusinessRequest { business_id: business.to_string() }
}

async fn read(stage: &Stage, role: Role, business: BusinessId) -> Business {
    let request = as_user(&stage.host, role, business, get(business));
    stage.businesses().get_business(request).await.unwrap().into_inner().business.unwrap()
}

async fn rename(stage: &Stage, name: &str) {
    let renamed = sqlx::query("UPDATE business SET name = $1").bind(name);
    renamed.execute(&mut stage.superuser().await).await.unwrap();
}

#[tokio::test]
async fn a_business_is_read_once_for_everybody_and_each_business_for_itself() {
    let redis = testkit::redis().await;
    let stage = Stage::open_with(Some(&redis)).await;
    assert_eq!(read(&stage, Role::Guest, WILLOW).await.name, "Willow & Co");
    assert_eq!(read(&stage, Role::Guest, LINDE).await.name, "Salon Linde");
    rename(&stage, "Behind the service's back").await;
    assert_eq!(read(&stage, Role::Owner, WILLOW).await.name, "Willow & Co");
    assert_eq!(read(&stage, Role::Employee, LINDE).await.name, "Salon Linde");
    let stranger = as_user(&stage.host, Role::Owner, LINDE, get(WILLOW));
    assert_refused(stage.businesses().get_business(stranger).await, Reason::NotFound);
}

#[tokio::test]
async fn a_creation_is_seen_by_every_replica_at_once() {
    let redis = testkit::redis().await;
    let stage = Stage::open_with(Some(&redis)).await;
    let replica = serve(&stage.host, &stage.database, KEYS).await.unwrap().channel();
    let mut replica = BusinessServiceClient::new(replica);
    let id = BusinessId(Uuid::from_u128(7));
    let ask = || as_user(&stage.host, Role::Guest, id, get(id));
    assert_refused(replica.get_business(ask()).await, Reason::NotFound);
    stage.business(id, "Arm", "", "Europe/London").await;
    let found = replica.get_business(ask()).await.unwrap().into_inner().business.unwrap();
    assert_eq!(found.name, "Arm", "that it was not there was not kept");
}

#[tokio::test]
async fn a_write_to_a_business_makes_its_kept_answer_old() {
    let redis = testkit::redis().await;
    let stage = Stage::open_with(Some(&redis)).await;
    read(&stage, Role::Guest, WILLOW).await;
    rename(&stage, "Willow").await;
    // The same id again changes nothing and publishes nothing: what is kept stays.
    stage.business(WILLOW, "Repeated", "", "Europe/London").await;
    assert_eq!(read(&stage, Role::Guest, WILLOW).await.name, "Willow & Co");
    sqlx::query("DELETE FROM business WHERE business_id = $1")
        .bind(WILLOW.0)
        .execute(&mut stage.superuser().await)
        .await
        .unwrap();
    let message = CreateBusinessRequest {
        business_id: WILLOW.to_string(),
        name: "Willow again".to_owned(),
        time_zone: "Europe/London".to_owned(),
        ..CreateBusinessRequest::default()
    };
    stage.businesses().create_business(stage.service("local", message)).await.unwrap();
    assert_eq!(read(&stage, Role::Guest, WILLOW).await.name, "Willow again");
}
