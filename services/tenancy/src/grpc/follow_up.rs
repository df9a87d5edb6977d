//! Follow-ups.

use caller::BusinessScope;
use contacts::Contacts;
use known_calls::KnownCalls;
use proto::{
    contact::ContactReach,
    error::invalid,
    frontdesk::tenancy::v1::{
        self as pb, AssignFollowUpRequest, AssignFollowUpResponse, CompleteFollowUpRequest,
        CompleteFollowUpResponse, CreateFollowUpRequest, CreateFollowUpResponse, FollowUpServiceHandler,
        ListFollowUpsRequest, ListFollowUpsResponse, ReopenFollowUpRequest, ReopenFollowUpResponse,
        follow_up_service_methods::{
            ASSIGN_FOLLOW_UP, COMPLETE_FOLLOW_UP, CREATE_FOLLOW_UP, REOPEN_FOLLOW_UP,
        },
    },
    page::page,
    parse::{id, optional_id, text},
    time::parse as instant,
};
use tonic::{Status, async_trait};

use super::fields;
use crate::{
    Error,
    app::{ChangeFollowUp, CreateFollowUp, FollowUpChange},
    domain::{ChangeId, FollowUpId, Phone},
    store::{FollowUpsOf, NamedFollowUp, Store, due},
};

const LONGEST_TEXT: usize = 2_000;

/// Serves `FollowUpService`.
#[derive(Debug)]
pub(crate) struct FollowUps {
    store: Store,
    contacts: Contacts,
    calls: KnownCalls,
}

impl FollowUps {
    pub(crate) fn new(store: Store, contacts: Contacts, calls: KnownCalls) -> Self {
        Self { store, contacts, calls }
    }
}

#[async_trait]
impl FollowUpServiceHandler for FollowUps {
    async fn contact_reach(&self, scope: &BusinessScope) -> Result<ContactReach, Status> {
        self.contacts.reach(scope).await
    }

    async fn list_follow_ups(
        &self,
        scope: BusinessScope,
        request: ListFollowUpsRequest,
    ) -> Result<ListFollowUpsResponse, Status> {
        let page = page(request.page_size, &request.page_token)?;
        let after = page.after.map(|(due, id)| (due, FollowUpId(id)));
        let done = is_done(request.state)?;
        let of = listed(&request)?;
        let tx = self.store.begin(&scope);
        let rows = tx.follow_ups(done, &of, after, page.limit()).await?;
        tx.commit().await?;
        let key = |row: &&NamedFollowUp| (due(&row.follow_up), row.follow_up.id.0);
        let (follow_ups, next_page_token) = page.answer(&rows, key, pb::FollowUp::from);
        Ok(ListFollowUpsResponse { follow_ups, next_page_token })
    }

    async fn create_follow_up(
        &self,
        scope: BusinessScope,
        request: CreateFollowUpRequest,
    ) -> Result<CreateFollowUpResponse, Status> {
        let command = parse(&request)?;
        if !self.calls.may_name(&scope, command.call).await {
            return Err(Error::Unknown("call_id", "call").into());
        }
        self.store
            .idempotent(&scope, &CREATE_FOLLOW_UP, &request, async |tx| {
                let (created, change) = command.run(tx).await?;
                let follow_up = Some(pb::FollowUp::from(&created));
                Ok(CreateFollowUpResponse { follow_up, change_id: change.to_string() })
            })
            .await
    }

    async fn assign_follow_up(
        &self,
        scope: BusinessScope,
        request: AssignFollowUpRequest,
    ) -> Result<AssignFollowUpResponse, Status> {
        let assign = FollowUpChange::Assign {
            employee: optional_id("employee_id", &request.employee_id)?,
            due_at: instant("due_at", request.due_at.as_ref())?,
        };
        let command = change(&request.follow_up_id, assign)?;
        self.store
            .idempotent(&scope, &ASSIGN_FOLLOW_UP, &request, async |tx| {
                let (follow_up, change_id) = changed(command.run(tx).await?);
                Ok(AssignFollowUpResponse { follow_up, change_id })
            })
            .await
    }

    async fn complete_follow_up(
        &self,
        scope: BusinessScope,
        request: CompleteFollowUpRequest,
    ) -> Result<CompleteFollowUpResponse, Status> {
        let command = change(&request.follow_up_id, FollowUpChange::Complete)?;
        self.store
            .idempotent(&scope, &COMPLETE_FOLLOW_UP, &request, async |tx| {
                let (follow_up, change_id) = changed(command.run(tx).await?);
                Ok(CompleteFollowUpResponse { follow_up, change_id })
            })
            .await
    }

    async fn reopen_follow_up(
        &self,
        scope: BusinessScope,
        request: ReopenFollowUpRequest,
    ) -> Result<ReopenFollowUpResponse, Status> {
        let command = change(&request.follow_up_id, FollowUpChange::Reopen)?;
        self.store
            .idempotent(&scope, &REOPEN_FOLLOW_UP, &request, async |tx| {
                let (follow_up, change_id) = changed(command.run(tx).await?);
                Ok(ReopenFollowUpResponse { follow_up, change_id })
            })
            .await
    }
}

fn change(follow_up_id: &str, change: FollowUpChange) -> Result<ChangeFollowUp, Status> {
    Ok(ChangeFollowUp { id: id("follow_up_id", follow_up_id)?, change })
}

fn changed((changed, change): (NamedFollowUp, Option<ChangeId>)) -> (Option<pb::FollowUp>, String) {
    (Some(pb::FollowUp::from(&changed)), fields::change_id(change))
}

fn parse(request: &CreateFollowUpRequest) -> Result<CreateFollowUp, Status> {
    Ok(CreateFollowUp {
        text: text("text", &request.text, LONGEST_TEXT)?,
        customer: optional_id("customer_id", &request.customer_id)?,
        call: optional_id("call_id", &request.call_id)?,
        employee: optional_id("employee_id", &request.employee_id)?,
        due_at: instant("due_at", request.due_at.as_ref())?,
        dialled: fields::dialled(&request.phone)?,
    })
}

fn listed(request: &ListFollowUpsRequest) -> Result<FollowUpsOf, Status> {
    let call = optional_id("call_id", &request.call_id)?;
    let customer = optional_id("customer_id", &request.customer_id)?;
    let phone = (!request.phone.is_empty()).then(|| Phone::parse(&request.phone)).transpose();
    match (call, customer, phone.map_err(fields::no_phone)?) {
        (None, None, None) => Ok(FollowUpsOf::Business),
        (Some(call), None, None) => Ok(FollowUpsOf::Call(call)),
        (None, Some(customer), None) => Ok(FollowUpsOf::Customer(customer)),
        (None, None, Some(phone)) => Ok(FollowUpsOf::Phone(phone)),
        (_, Some(_), _) => Err(invalid("customer_id", "is not given with a call or a number")),
        (Some(_), None, Some(_)) => Err(invalid("phone", "is not given with a call")),
    }
}

fn is_done(state: i32) -> Result<bool, Status> {
    match pb::FollowUpState::try_from(state) {
        Ok(pb::FollowUpState::Unspecified | pb::FollowUpState::Open) => Ok(false),
        Ok(pb::FollowUpState::Done) => Ok(true),
        Err(_) => Err(invalid("state", "is not a known state")),
    }
}
