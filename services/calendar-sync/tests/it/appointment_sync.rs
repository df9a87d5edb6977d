//! How appointments are on each side.

use caller::{BusinessId, Role};
use proto::{
    error::{Reason, reason_of},
    frontdesk::calendarsync::v1::{
        ListAppointmentSyncRequest, ListAppointmentSyncResponse, ListSyncHistoryRequest,
        RetryAppointmentSyncRequest, SyncState, SyncStep,
        appointment_sync_service_client::AppointmentSyncServiceClient,
    },
};
use testkit::as_user;
use tonic::{Status, transport::Channel};
use uuid::Uuid;

use crate::salon::{CALENDAR, MIA, OTHER, SALON, Salon, TOM, TOMS, visit};

fn client(salon: &Salon) -> AppointmentSyncServiceClient<Channel> {
    AppointmentSyncServiceClient::new(salon.channel.clone())
}

async fn list_as(
    salon: &Salon,
    role: Role,
    business: BusinessId,
    needs_look: bool,
    page_token: &str,
) -> Result<ListAppointmentSyncResponse, Status> {
    let message = ListAppointmentSyncRequest {
        business_id: SALON.to_string(),
        needs_look,
        page_size: 2,
        page_token: page_token.to_owned(),
    };
    Ok(client(salon).list_appointment_sync(as_user(&salon.host, role, business, message)).await?.into_inner())
}

async fn list(salon: &Salon, needs_look: bool) -> ListAppointmentSyncResponse {
    list_as(salon, Role::Owner, SALON, needs_look, "").await.unwrap()
}

async fn steps(salon: &Salon, appointment: u128) -> Vec<SyncStep> {
    let message = ListSyncHistoryRequest {
        business_id: SALON.to_string(),
        appointment_id: Uuid::from_u128(appointment).to_string(),
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    let lines = client(salon).list_sync_history(request).await.unwrap().into_inner().lines;
    let mut steps: Vec<SyncStep> = lines.iter().map(|line| line.step()).collect();
    steps.sort_unstable();
    steps
}

#[tokio::test]
async fn appointments_are_listed_with_their_state_in_each_calendar_page_by_page() {
    let salon = Salon::open().await;
    salon.connect(CALENDAR, MIA).await.unwrap();
    salon.connect(TOMS, TOM).await.unwrap();
    for (n, hour) in [(1, 12), (2, 10), (3, 11)] {
        salon.publish(visit(n, 1, &[(MIA, "Cut", hour, 30), (TOM, "Wash", hour, 20)])).await;
    }
    let first = list(&salon, false).await;
    let ids = |page: &ListAppointmentSyncResponse| -> Vec<u128> {
        page.appointments
            .iter()
            .map(|listed| listed.appointment_id.parse::<Uuid>().unwrap().as_u128())
            .collect()
    };
    assert_eq!(ids(&first), [2, 3]);
    let second = list_as(&salon, Role::Owner, SALON, false, &first.next_page_token).await.unwrap();
    assert_eq!((ids(&second), second.next_page_token.as_str()), (vec![1], ""));
    let events = &first.appointments[0].events;
    assert_eq!(events.len(), 2);
    assert!(events.iter().all(|event| event.state() == SyncState::Written && event.written_at.is_some()));
    assert_eq!(list(&salon, true).await.appointments, []);
    // Once for each of the two calendars.
    assert_eq!(
        steps(&salon, 2).await,
        [SyncStep::Planned, SyncStep::Planned, SyncStep::Written, SyncStep::Written]
    );
}

#[tokio::test]
async fn what_was_refused_comes_first_with_its_reason_and_is_tried_again_on_request() {
    let salon = Salon::open().await;
    salon.connect(CALENDAR, MIA).await.unwrap();
    salon.publish(visit(1, 1, &[(MIA, "Cut", 10, 30)])).await;
    salon.publish(visit(2, 1, &[(MIA, "Cut", 12, 30)])).await;
    salon
        .meddle(&format!(
            "UPDATE calendar_write SET wanted = wanted + 1, failures = 1, last_error = 'it is too long',
                parked_at = '2026-06-01' WHERE appointment_id = '{}'",
            Uuid::from_u128(2)
        ))
        .await;
    let listed = list(&salon, false).await;
    assert_eq!(listed.appointments[0].appointment_id, Uuid::from_u128(2).to_string());
    let event = &listed.appointments[0].events[0];
    assert_eq!((event.state(), event.fault.as_str()), (SyncState::Parked, "it is too long"));
    assert_eq!(list(&salon, true).await.appointments.len(), 1);
    let message = RetryAppointmentSyncRequest {
        business_id: SALON.to_string(),
        appointment_id: Uuid::from_u128(2).to_string(),
    };
    // Employees see it in the inbox, and may have it tried again.
    client(&salon)
        .retry_appointment_sync(as_user(&salon.host, Role::Employee, SALON, message))
        .await
        .unwrap();
    salon.until_written().await;
    assert_eq!(list(&salon, true).await.appointments, []);
    assert!(steps(&salon, 2).await.contains(&SyncStep::Retried));
}

#[tokio::test]
async fn what_is_no_appointment_of_the_business_can_not_be_tried_again() {
    let salon = Salon::open().await;
    salon.connect(CALENDAR, MIA).await.unwrap();
    salon.publish(visit(1, 1, &[(MIA, "Cut", 10, 30)])).await;
    salon.publish(visit(2, 1, &[(TOM, "Cut", 10, 30)])).await;
    let retry = async |business: BusinessId, appointment: u128| {
        let message = RetryAppointmentSyncRequest {
            business_id: business.to_string(),
            appointment_id: Uuid::from_u128(appointment).to_string(),
        };
        client(&salon).retry_appointment_sync(as_user(&salon.host, Role::Employee, business, message)).await
    };
    retry(SALON, 1).await.unwrap();
    retry(SALON, 2).await.expect("it is one, though it belongs in no calendar");
    for (business, appointment) in [(SALON, 3), (OTHER, 1)] {
        let refused = retry(business, appointment).await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(Reason::NotFound), "{appointment}");
    }
}

#[tokio::test]
async fn the_states_are_for_owners_of_the_business() {
    let salon = Salon::open().await;
    for role in [Role::Guest, Role::Employee, Role::Manager] {
        let refused = list_as(&salon, role, SALON, false, "").await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    }
    let refused = list_as(&salon, Role::Owner, OTHER, false, "").await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::NotFound));
}
