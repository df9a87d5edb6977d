//! `SecurityRecordService`: the record of what was refused.

use boot::clock::Clock;
use caller::{BusinessId, Unscoped, UserId};
use proto::{
    frontdesk::auth::internal::v1::{
        RecordRefusalRequest, RecordRefusalResponse, SecurityRecordServiceHandler,
    },
    parse,
};
use tonic::{Status, async_trait};

use super::client;
use crate::{
    app::record_refusal::record_refusal,
    domain::security_event::{NewSecurityEvent, SecurityEventKind},
    store::Store,
};

const LONGEST_METHOD: usize = 200;
const LONGEST_REASON: usize = 64;

/// Puts refusals into the records of those who were refused.
#[derive(Debug)]
pub struct SecurityRecord {
    store: Store,
    clock: Clock,
}

impl SecurityRecord {
    /// Records of a store.
    #[must_use]
    pub fn new(store: Store, clock: Clock) -> Self {
        Self { store, clock }
    }
}

#[async_trait]
impl SecurityRecordServiceHandler for SecurityRecord {
    async fn record_refusal(
        &self,
        _: Unscoped,
        request: RecordRefusalRequest,
    ) -> Result<RecordRefusalResponse, Status> {
        let person: UserId = parse::id("user_id", &request.user_id)?;
        let business: Option<BusinessId> = parse::optional_id("business_id", &request.business_id)?;
        let method = parse::text("method", &request.method, LONGEST_METHOD)?;
        let reason = parse::text("reason", &request.reason, LONGEST_REASON)?;
        let client = client(request.client)?;
        let event = NewSecurityEvent {
            business,
            ..NewSecurityEvent::of(person, SecurityEventKind::Refused)
                .from(&client.origin)
                .about(format!("{method} {reason}"))
        };
        record_refusal(&self.store, &event, self.clock.now()).await?;
        Ok(RecordRefusalResponse {})
    }
}
