//! What a customer's past visits add up to.

use boot::peer::PeerChannel;
use caller::Role;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        AppointmentState, CancelAppointmentRequest, GetCustomerFiguresRequest, GetCustomerFiguresResponse,
        SetAppointmentStateRequest, customer_figures_service_client::CustomerFiguresServiceClient,
    },
};
use testkit::as_user;
use tonic::{Request, Status};
use uuid::Uuid;

use crate::salon::{
    ANA, BEN, COLOUR, CUT, OTHER, STRANGER, Salon, WILLOW, booking, by, field, local, reason,
};

const MIA: Uuid = Uuid::from_u128(0xd1);
const NOA: Uuid = Uuid::from_u128(0xd2);

fn of(customer: Uuid) -> GetCustomerFiguresRequest {
    GetCustomerFiguresRequest { business_id: WILLOW.to_string(), customer_id: customer.to_string() }
}

async fn ask(
    salon: &Salon,
    request: Request<GetCustomerFiguresRequest>,
) -> Result<GetCustomerFiguresResponse, Status> {
    let mut client: CustomerFiguresServiceClient<PeerChannel> =
        CustomerFiguresServiceClient::new(salon.channel());
    Ok(client.get_customer_figures(request).await?.into_inner())
}

async fn figures(salon: &Salon, customer: Uuid) -> GetCustomerFiguresResponse {
    ask(salon, salon.employee(of(customer))).await.unwrap()
}

/// Books for a customer; returns the visit.
async fn book(salon: &Salon, customer: Uuid, service: Uuid, time: &str, employee: Uuid) -> String {
    let mut request = booking(vec![by(service, employee)], local("2026-06-02", time));
    request.customer_id = customer.to_string();
    salon.book_as(salon.agent(request)).await.unwrap().id
}

async fn bring_to(salon: &Salon, visit: &str, state: AppointmentState) {
    let request = SetAppointmentStateRequest {
        business_id: WILLOW.to_string(),
        appointment_id: visit.to_owned(),
        state: state.into(),
        ..SetAppointmentStateRequest::default()
    };
    salon.appointments().set_appointment_state(salon.employee(request)).await.unwrap();
}

#[tokio::test]
async fn a_customer_without_a_past_visit_has_no_figures() {
    let salon = Salon::open().await;
    book(&salon, MIA, CUT, "10:00", ANA).await;
    let none = GetCustomerFiguresResponse {
        time_zone: "Europe/London".to_owned(),
        ..GetCustomerFiguresResponse::default()
    };
    assert_eq!(figures(&salon, MIA).await, none, "a visit to come is no past one");
}

#[tokio::test]
async fn visits_that_took_place_count_and_cancelled_and_missed_ones_do_not() {
    let salon = Salon::open().await;
    book(&salon, MIA, CUT, "09:00", ANA).await;
    book(&salon, MIA, CUT, "10:00", ANA).await;
    book(&salon, MIA, COLOUR, "11:00", ANA).await;
    book(&salon, NOA, CUT, "09:00", BEN).await;
    let cancelled = book(&salon, MIA, CUT, "13:00", ANA).await;
    let cancel = CancelAppointmentRequest {
        business_id: WILLOW.to_string(),
        appointment_id: cancelled,
        reason: String::new(),
    };
    salon.appointments().cancel_appointment(salon.employee(cancel)).await.unwrap();
    let missed = book(&salon, MIA, CUT, "14:00", ANA).await;
    salon.time.advance(jiff::SignedDuration::from_hours(33));
    bring_to(&salon, &missed, AppointmentState::NoShow).await;

    let hers = figures(&salon, MIA).await;
    assert_eq!(hers.visit_count, 3);
    let usual: Vec<_> =
        hers.usual_services.iter().map(|usual| (usual.service_name.as_str(), usual.visit_count)).collect();
    assert_eq!(usual, [("Cut", 2), ("Colour", 1)]);
    let [spend] = &hers.spends[..] else { panic!("{:?}", hers.spends) };
    assert_eq!((spend.currency.as_str(), spend.price_minor, spend.visit_count), ("GBP", 3 * 4500, 3));
    assert_eq!(hers.first_visit_at, Some(proto::time::to_proto(local("2026-06-02", "09:00"))));
    assert_eq!(hers.last_visit_at, Some(proto::time::to_proto(local("2026-06-02", "11:00"))));
    assert_eq!(hers.no_show_count, 1);
    assert_eq!(hers.no_shows_at, [proto::time::to_proto(local("2026-06-02", "14:00"))]);
    assert_eq!(figures(&salon, NOA).await.visit_count, 1);
}

#[tokio::test]
async fn figures_are_of_a_business_and_for_its_staff() {
    let salon = Salon::open().await;
    let unknown = ask(&salon, salon.employee(of(STRANGER))).await.unwrap_err();
    assert_eq!(field(&unknown), "customer_id");
    let guest = ask(&salon, as_user(&salon.host, Role::Guest, WILLOW, of(MIA))).await.unwrap_err();
    assert_eq!(reason(&guest), Reason::RoleTooLow);
    let foreign = ask(&salon, as_user(&salon.host, Role::Owner, OTHER, of(MIA))).await.unwrap_err();
    assert_eq!(reason(&foreign), Reason::NotFound);
}
