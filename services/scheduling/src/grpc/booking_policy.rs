//! When a business takes bookings and cancellations.

use caller::BusinessScope;
use engine::policy::{Policy, PolicyError};
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, BookingPolicyServiceHandler, GetBookingPolicyRequest, GetBookingPolicyResponse,
        UpdateBookingPolicyRequest, UpdateBookingPolicyResponse,
        booking_policy_service_methods::UPDATE_BOOKING_POLICY,
    },
};
use tonic::{Status, async_trait};

use crate::{Error, app::SetBookingPolicy, contract::FromEngine, store::Store};

/// Serves `BookingPolicyService`.
#[derive(Debug)]
pub(crate) struct BookingPolicies {
    store: Store,
}

impl BookingPolicies {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl BookingPolicyServiceHandler for BookingPolicies {
    async fn get_booking_policy(
        &self,
        scope: BusinessScope,
        _: GetBookingPolicyRequest,
    ) -> Result<GetBookingPolicyResponse, Status> {
        let tx = self.store.begin(&scope);
        let policy = tx.policy().await?;
        tx.release();
        Ok(GetBookingPolicyResponse { policy: Some(pb::BookingPolicy::from_engine(&policy)) })
    }

    async fn update_booking_policy(
        &self,
        scope: BusinessScope,
        request: UpdateBookingPolicyRequest,
    ) -> Result<UpdateBookingPolicyResponse, Status> {
        let command = parse(&request)?;
        self.store
            .idempotent(&scope, &UPDATE_BOOKING_POLICY, &request, async |tx| {
                let policy = command.run(tx).await?;
                Ok(UpdateBookingPolicyResponse { policy: Some(pb::BookingPolicy::from_engine(&policy)) })
            })
            .await
    }
}

fn parse(request: &UpdateBookingPolicyRequest) -> Result<SetBookingPolicy, Status> {
    let Some(wire) = &request.policy else { return Err(invalid("policy", "is required")) };
    let policy = policy(wire).and_then(Policy::with_bookable_time).map_err(Error::from)?;
    let seen = request.seen.as_ref().map(policy_seen).transpose()?;
    Ok(SetBookingPolicy { policy, seen })
}

/// A policy of before may leave customers no time to book.
fn policy_seen(wire: &pb::BookingPolicy) -> Result<Policy, Status> {
    policy(wire).map_err(|error| invalid(&format!("seen.{}", error.field), error.problem))
}

fn policy(wire: &pb::BookingPolicy) -> Result<Policy, PolicyError> {
    let pb::BookingPolicy { increment_minutes, lead_minutes, horizon_days, cancellation_window_minutes } =
        *wire;
    Policy::new(increment_minutes, lead_minutes, horizon_days, cancellation_window_minutes)
}
