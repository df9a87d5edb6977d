//! Records of a salon that worked before it came here.

use caller::BusinessScope;
use jiff::Timestamp;
use proto::{
    error::invalid,
    frontdesk::tenancy::{
        internal::v1::{
            AddPastCustomersRequest, AddPastCustomersResponse, AddPastFollowUpsRequest,
            AddPastFollowUpsResponse, AddPastMovementsRequest, AddPastMovementsResponse, PastCustomer,
            PastFollowUp, PastMovement, PastRecordServiceHandler,
        },
        v1::StockMovementKind,
    },
    parse::{id, optional_id, optional_text, text},
    time,
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    app::{Quantity, Told, add_past_customers, add_past_follow_ups, add_past_movements},
    domain::{Customer, FollowUp, FollowUpState, MovementKind, Phone, Tags},
    store::Store,
};

const MOST: usize = 1_000;
const LONGEST_TEXT: usize = 2_000;
const LONGEST_ACTOR: usize = 100;

/// Serves `PastRecordService`.
#[derive(Debug)]
pub(crate) struct PastRecords {
    store: Store,
}

impl PastRecords {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl PastRecordServiceHandler for PastRecords {
    async fn add_past_customers(
        &self,
        scope: BusinessScope,
        request: AddPastCustomersRequest,
    ) -> Result<AddPastCustomersResponse, Status> {
        let customers = all("customers", &request.customers, customer)?;
        let added = add_past_customers(self.store.begin(&scope), customers).await?;
        Ok(AddPastCustomersResponse { added: count(added) })
    }

    async fn add_past_movements(
        &self,
        scope: BusinessScope,
        request: AddPastMovementsRequest,
    ) -> Result<AddPastMovementsResponse, Status> {
        let item = id("item_id", &request.item_id)?;
        let told = all("movements", &request.movements, movement)?;
        if !told.is_sorted_by_key(|told| told.at) {
            return Err(invalid("movements", "must be by time"));
        }
        let added = add_past_movements(self.store.begin(&scope), item, told).await?;
        Ok(AddPastMovementsResponse { added: count(added) })
    }

    async fn add_past_follow_ups(
        &self,
        scope: BusinessScope,
        request: AddPastFollowUpsRequest,
    ) -> Result<AddPastFollowUpsResponse, Status> {
        let follow_ups = all("follow_ups", &request.follow_ups, follow_up)?;
        let added = add_past_follow_ups(self.store.begin(&scope), follow_ups).await?;
        Ok(AddPastFollowUpsResponse { added: count(added) })
    }
}

fn count(added: usize) -> i32 {
    i32::try_from(added).unwrap_or(i32::MAX)
}

fn all<W, T>(field: &str, wire: &[W], parse: fn(&W) -> Result<T, Status>) -> Result<Vec<T>, Status> {
    if wire.len() > MOST {
        return Err(invalid(field, "must be at most 1,000"));
    }
    wire.iter().map(parse).collect()
}

fn customer(wire: &PastCustomer) -> Result<Customer, Status> {
    Ok(Customer {
        id: id("customers.id", &wire.id)?,
        name: fields::name("customers.name", &wire.name)?,
        phone: phone("customers.phone", &wire.phone)?,
        email: fields::email(&wire.email)?,
        tags: Tags::default(),
        marketing_consent: None,
        merged_into: None,
        erased_at: None,
        version: 1,
    })
}

fn phone(field: &str, e164: &str) -> Result<Option<Phone>, Status> {
    let phone = (!e164.is_empty()).then(|| Phone::parse(e164));
    phone.transpose().map_err(|error| invalid(field, &error.to_string()))
}

fn movement(wire: &PastMovement) -> Result<Told, Status> {
    let at_least = |least| fields::quantity("movements.quantity", wire.quantity, least);
    let out = |kind| at_least(1).map(|quantity| Quantity::Out(kind, quantity));
    let cost =
        wire.unit_cost_minor.map(|cost| fields::amount("movements.unit_cost_minor", cost)).transpose()?;
    let quantity = match wire.kind() {
        StockMovementKind::Received => Quantity::In(at_least(1)?, cost),
        StockMovementKind::Sold => out(MovementKind::Sold)?,
        StockMovementKind::Used => out(MovementKind::Used)?,
        StockMovementKind::Wasted => out(MovementKind::Wasted)?,
        StockMovementKind::Counted => Quantity::Counted(at_least(0)?),
        StockMovementKind::Unspecified => return Err(invalid("movements.kind", "is required")),
    };
    Ok(Told {
        id: id("movements.id", &wire.id)?,
        quantity,
        note: optional_text("movements.note", &wire.note, fields::LONGEST_REMARK)?,
        at: time::required("movements.at", wire.at.as_ref())?,
        by: text("movements.by", &wire.by, LONGEST_ACTOR)?,
    })
}

fn follow_up(wire: &PastFollowUp) -> Result<FollowUp, Status> {
    let open = FollowUp {
        id: id("follow_ups.id", &wire.id)?,
        text: text("follow_ups.text", &wire.text, LONGEST_TEXT)?,
        customer: optional_id("follow_ups.customer_id", &wire.customer_id)?,
        phone: phone("follow_ups.phone", &wire.phone)?,
        call: optional_id("follow_ups.call_id", &wire.call_id)?,
        employee: None,
        due_at: time::parse("follow_ups.due_at", wire.due_at.as_ref())?,
        state: FollowUpState::Open,
        created_by: text("follow_ups.created_by", &wire.created_by, LONGEST_ACTOR)?,
        created_at: time::required("follow_ups.created_at", wire.created_at.as_ref())?,
        version: 1,
    };
    let done_at: Option<Timestamp> = time::parse("follow_ups.done_at", wire.done_at.as_ref())?;
    Ok(match done_at {
        None => open,
        Some(at) => open.completed(&text("follow_ups.done_by", &wire.done_by, LONGEST_ACTOR)?, at),
    })
}
