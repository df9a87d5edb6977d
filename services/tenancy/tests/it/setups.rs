//! How far businesses are set up, for administrators.

use caller::{BusinessId, Role};
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{
        AgentPublicationState, BusinessSetup, ListBusinessSetupsRequest, VoicePlatform,
    },
};
use testkit::{SESSION, USER, as_person, as_user};
use tonic::{Request, Status};
use uuid::Uuid;

use crate::{
    agent_publication::{connect, connection, greet, is_live, one, until},
    call_check::half_an_hour_later,
    follow_up::follow_up,
    platform_fakes::{Platforms, Trouble},
    stage::{LINDE, Stage, WILLOW, assert_field_refused, assert_refused},
    unread_calls::given_up,
};

fn of(businesses: &[BusinessId]) -> ListBusinessSetupsRequest {
    ListBusinessSetupsRequest { business_ids: businesses.iter().map(ToString::to_string).collect() }
}

fn admin<T>(stage: &Stage, message: T) -> Request<T> {
    as_person(&stage.host, USER, SESSION, None, Some(Role::Admin), message)
}

async fn setups(stage: &Stage, businesses: &[BusinessId]) -> Result<Vec<BusinessSetup>, Status> {
    let response = stage.businesses().list_business_setups(admin(stage, of(businesses))).await?;
    Ok(response.into_inner().setups)
}

#[tokio::test]
async fn each_business_is_counted_for_itself_in_the_order_asked_for() {
    let stage = Stage::open().await;
    stage.employee(WILLOW, "Ana").await;
    stage.employee(WILLOW, "Ben").await;
    stage.voice_connection(WILLOW, "Main line", "secret").await;
    follow_up(&stage, LINDE, "Call back").await;
    let missing = BusinessId(Uuid::from_u128(9));
    let expected = [
        BusinessSetup { business_id: LINDE.to_string(), open_follow_up_count: 1, ..Default::default() },
        BusinessSetup {
            business_id: WILLOW.to_string(),
            employee_count: 2,
            voice_connection_count: 1,
            ..Default::default()
        },
    ];
    assert_eq!(setups(&stage, &[LINDE, missing, WILLOW]).await.unwrap(), expected);
}

#[tokio::test]
async fn a_connection_that_needs_its_owner_is_counted_until_that_is_no_news() {
    let (_platforms, stage, id, _) = half_an_hour_later(VoicePlatform::Retell, "agent_1").await;
    let broken = async || {
        let setups = setups(&stage, &[WILLOW, LINDE]).await.unwrap();
        let counts: Vec<_> = setups.iter().map(|setup| setup.broken_voice_connection_count).collect();
        (counts, one(&stage, &id).await.needs_owner)
    };
    assert_eq!(broken().await, (vec![0, 0], false));
    given_up(&stage, WILLOW).await;
    assert_eq!(broken().await, (vec![1, 0], true));
    stage.time.advance(SignedDuration::from_hours(8 * 24));
    assert_eq!(broken().await, (vec![0, 0], false));
}

#[tokio::test]
async fn an_agent_is_counted_from_its_first_version_and_a_refused_publication_until_it_is_put_right() {
    let platforms = Platforms::start().await;
    let stage = Stage::reaching(platforms.addresses.clone()).await;
    let id = connect(&stage, connection(WILLOW, VoicePlatform::Vapi, "assistant_1")).await;
    let agents = async || {
        let setups = setups(&stage, &[WILLOW, LINDE]).await.unwrap();
        let of = |setup: &BusinessSetup| {
            let BusinessSetup { agent_version, failed_publication_count: failed, .. } = *setup;
            assert_eq!(setup.broken_voice_connection_count, failed);
            (agent_version, failed)
        };
        setups.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(agents().await, [(0, 0), (0, 0)]);
    greet(&stage, "Hello!").await;
    until(&stage, &id, is_live(1)).await;
    assert_eq!(agents().await, [(1, 0), (0, 0)]);
    platforms.trouble([Trouble::Status(400)]);
    greet(&stage, "Good day!").await;
    until(&stage, &id, |publication| publication.state() == AgentPublicationState::Failed).await;
    assert_eq!(agents().await, [(2, 1), (0, 0)]);
    greet(&stage, "Hello again!").await;
    until(&stage, &id, is_live(3)).await;
    assert_eq!(agents().await, [(3, 0), (0, 0)]);
}

#[tokio::test]
async fn they_are_for_administrators_who_name_one_to_fifty() {
    let stage = Stage::open().await;
    let owner = as_user(&stage.host, Role::Owner, WILLOW, of(&[WILLOW]));
    assert_refused(stage.businesses().list_business_setups(owner).await, Reason::RoleTooLow);
    assert_field_refused(setups(&stage, &[]).await, "business_ids");
    assert_field_refused(setups(&stage, &[WILLOW; 51]).await, "business_ids");
}
