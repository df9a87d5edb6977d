//! Customers who come without an appointment.

use caller::BusinessScope;
use engine::{
    appointment::{Appointment, Occasion},
    walk_in::starts,
};
use jiff::SignedDuration;
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{
        BookWalkInRequest, BookWalkInResponse, WalkInServiceHandler, walk_in_service_methods::BOOK_WALK_IN,
    },
    parse::{optional_id, optional_text},
};
use tonic::{Status, async_trait};

use super::{appointment::MAX_NOTES, fields, visit::announce};
use crate::{
    people::{Named, People},
    store::Store,
};

const USUALLY_WITHIN: SignedDuration = SignedDuration::from_mins(60);

/// Serves `WalkInService`.
#[derive(Debug)]
pub(crate) struct WalkIns {
    store: Store,
    people: People,
}

impl WalkIns {
    pub(crate) fn new(store: Store, people: People) -> Self {
        Self { store, people }
    }
}

#[async_trait]
impl WalkInServiceHandler for WalkIns {
    async fn book_walk_in(
        &self,
        scope: BusinessScope,
        request: BookWalkInRequest,
    ) -> Result<BookWalkInResponse, Status> {
        let (occasion, within) = (occasion(&request)?, within(request.within_minutes)?);
        let items = fields::items(&request.items, occasion.customer)?;
        self.people.check(&scope, Named::customer("customer_id", occasion.customer).in_items(&items)).await?;
        self.store
            .idempotent(&scope, &BOOK_WALK_IN, &request, async |tx| {
                let schedule = tx.settled_schedule().await?;
                let placement = tx.place_walk_in(&schedule, &items, starts(tx.now(), within)).await?;
                let appointment = Appointment::walk_in(tx.new_id(), &placement, occasion, tx.now());
                tx.add_appointment(&appointment, &placement.occupied).await?;
                let appointment = Some(announce(tx, &BOOK_WALK_IN, appointment.id).await?);
                let response = BookWalkInResponse { appointment };
                Ok(response)
            })
            .await
    }
}

fn within(minutes: i32) -> Result<SignedDuration, Status> {
    match minutes {
        0 => Ok(USUALLY_WITHIN),
        5..=720 => Ok(SignedDuration::from_mins(minutes.into())),
        _ => Err(invalid("within_minutes", "must be 5 to 720, or 0")),
    }
}

fn occasion(request: &BookWalkInRequest) -> Result<Occasion, Status> {
    Ok(Occasion {
        customer: optional_id("customer_id", &request.customer_id)?,
        notes: optional_text("notes", &request.notes, MAX_NOTES)?.unwrap_or_default(),
        ..Occasion::default()
    })
}
