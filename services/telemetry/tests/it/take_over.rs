//! Callers who are put through: by the agent, as platforms tell it, and by a person from the page of the call.

use caller::{BusinessId, Role};
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::{
        telemetry::{
            internal::v1::CallFacts,
            v1::{
                CallOutcome, GetTakeOverRequest, GetTakeOverResponse, TakeOverCallRequest,
                TakeOverCallResponse, TakeOverHindrance as Hindrance,
            },
        },
        tenancy::internal::v1::TransferHindrance,
    },
};
use testkit::{USER, as_user};
use tonic::Status;

use crate::desk::{Desk, LINE, OTHER, SALON, ended, started};

const NUMBER: &str = "+442079460018";

async fn found(desk: &Desk, call: &str) -> GetTakeOverResponse {
    let message = GetTakeOverRequest { business_id: SALON.to_string(), call_id: call.to_owned() };
    let request = as_user(&desk.host, Role::Employee, SALON, message);
    desk.calls().get_take_over(request).await.unwrap().into_inner()
}

async fn take_over_as(
    desk: &Desk,
    role: Role,
    business: BusinessId,
    call: &str,
) -> Result<TakeOverCallResponse, Status> {
    let message = TakeOverCallRequest { business_id: business.to_string(), call_id: call.to_owned() };
    let request = as_user(&desk.host, role, business, message);
    Ok(desk.calls().take_over_call(request).await?.into_inner())
}

async fn take_over(desk: &Desk, call: &str) -> Result<TakeOverCallResponse, Status> {
    take_over_as(desk, Role::Employee, SALON, call).await
}

async fn live(desk: &Desk) -> String {
    desk.record("start", started("platform-1")).await.unwrap().call_id
}

#[tokio::test]
async fn a_person_takes_a_live_call_over_and_the_call_says_who() {
    let desk = Desk::open().await;
    let call = live(&desk).await;
    assert_eq!(found(&desk, &call).await.hindrance(), Hindrance::NoNumber);
    assert_eq!(reason_of(&take_over(&desk, &call).await.unwrap_err()), Some(Reason::WrongState));
    desk.tenancy.put_through(Ok(NUMBER));
    let ready = found(&desk, &call).await;
    assert_eq!((ready.hindrance(), ready.phone.as_str()), (Hindrance::Unspecified, NUMBER));
    let taken = take_over(&desk, &call).await.unwrap();
    assert_eq!(taken.phone, NUMBER);
    let shown = taken.call.unwrap();
    assert_eq!(shown.taken_over_by, format!("user:{USER}"));
    assert!(shown.taken_over_at.is_some() && shown.transferred_to.is_empty(), "it rings, and no more");
    assert_eq!(*desk.tenancy.transferred.lock().unwrap(), [(LINE.to_string(), "platform-1".to_owned())]);
    // Another who clicks at the same time changes nothing.
    assert_eq!(found(&desk, &call).await.hindrance(), Hindrance::UnderWay);
    assert_eq!(reason_of(&take_over(&desk, &call).await.unwrap_err()), Some(Reason::WrongState));
    desk.time.advance(SignedDuration::from_mins(1));
    assert_eq!(found(&desk, &call).await.hindrance(), Hindrance::Unspecified, "no one answered");
    let spoken = CallFacts { transferred_to: NUMBER.to_owned(), ..ended("platform-1") };
    desk.record("end", spoken).await.unwrap();
    assert_eq!(found(&desk, &call).await.hindrance(), Hindrance::Ended);
    let over = desk.get(&call).await.unwrap().call.unwrap();
    assert_eq!((over.outcome(), over.transferred_to.as_str()), (CallOutcome::Transferred, NUMBER));
    assert_eq!(reason_of(&take_over(&desk, &call).await.unwrap_err()), Some(Reason::WrongState));
    assert_eq!(desk.tenancy.transferred.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn what_the_platform_refuses_leaves_the_call_with_the_agent() {
    let desk = Desk::open().await;
    let call = live(&desk).await;
    // The database keeps microseconds.
    desk.time.advance(SignedDuration::from_nanos(1_123_456_789));
    desk.tenancy.put_through(Ok(NUMBER));
    for reason in [Reason::WrongState, Reason::Unavailable] {
        desk.tenancy.refuse_transfers(Some(reason));
        assert_eq!(reason_of(&take_over(&desk, &call).await.unwrap_err()), Some(reason));
        let still = desk.get(&call).await.unwrap().call.unwrap();
        assert_eq!((still.taken_over_by.as_str(), still.taken_over_at), ("", None));
    }
    desk.tenancy.refuse_transfers(None);
    take_over(&desk, &call).await.unwrap();
}

#[tokio::test]
async fn what_hinders_a_platform_is_said() {
    let desk = Desk::open().await;
    let call = live(&desk).await;
    for (there, here) in [
        (TransferHindrance::Platform, Hindrance::Platform),
        (TransferHindrance::NoApiKey, Hindrance::NoApiKey),
        (TransferHindrance::NoNumber, Hindrance::NoNumber),
    ] {
        desk.tenancy.put_through(Err(there));
        assert_eq!(found(&desk, &call).await.hindrance(), here);
    }
}

#[tokio::test]
async fn of_two_people_one_has_it_ring() {
    let desk = Desk::open().await;
    let call = live(&desk).await;
    desk.tenancy.put_through(Ok(NUMBER));
    let both = futures::future::join_all((0..6).map(|_| take_over(&desk, &call))).await;
    assert_eq!(both.iter().filter(|taken| taken.is_ok()).count(), 1);
    assert_eq!(desk.tenancy.transferred.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn guests_and_other_businesses_take_nothing_over() {
    let desk = Desk::open().await;
    let call = live(&desk).await;
    desk.tenancy.put_through(Ok(NUMBER));
    let guest = take_over_as(&desk, Role::Guest, SALON, &call).await.unwrap_err();
    assert_eq!(reason_of(&guest), Some(Reason::RoleTooLow));
    let other = take_over_as(&desk, Role::Owner, OTHER, &call).await.unwrap_err();
    assert_eq!(reason_of(&other), Some(Reason::NotFound));
    assert!(desk.tenancy.transferred.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_number_that_was_put_through_to_counts_whenever_it_is_told() {
    let desk = Desk::open().await;
    let transferred = CallFacts { transferred_to: NUMBER.to_owned(), ..started("platform-1") };
    let call = desk.record("dialled", transferred).await.unwrap().call_id;
    desk.record("end", ended("platform-1")).await.unwrap();
    let over = desk.get(&call).await.unwrap().call.unwrap();
    assert_eq!((over.outcome(), over.transferred_to.as_str()), (CallOutcome::Transferred, NUMBER));
    let wrong = CallFacts { transferred_to: "the desk".to_owned(), ..started("platform-2") };
    let refused = desk.record("wrong", wrong).await.unwrap_err();
    assert_eq!(crate::desk::field(&refused), "facts.transferred_to");
}
