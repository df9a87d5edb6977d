//! People's consent, and what it shows.

use caller::{PersonScope, Unscoped};
use proto::{
    error::invalid,
    frontdesk::calendarsync::{
        internal::v1::{
            ListPersonCalendarsRequest, ListPersonCalendarsResponse, PersonCalendar as WireCalendar,
            PersonCalendarServiceHandler,
        },
        v1::{
            BeginConsentRequest, BeginConsentResponse, ConsentServiceHandler, FinishConsentRequest,
            FinishConsentResponse, WithdrawConsentRequest, WithdrawConsentResponse,
        },
    },
    parse,
};
use tonic::{Status, async_trait};

use super::{MAX_TEXT, calendar};
use crate::{app::AskConsent, domain::consent::PersonCalendar};

/// Serves `ConsentService` and `PersonCalendarService`.
#[derive(Debug)]
pub struct Consents {
    ask: AskConsent,
}

impl Consents {
    /// What `ask` keeps.
    #[must_use]
    pub fn new(ask: AskConsent) -> Self {
        Self { ask }
    }
}

#[async_trait]
impl ConsentServiceHandler for Consents {
    async fn begin_consent(
        &self,
        scope: PersonScope,
        request: BeginConsentRequest,
    ) -> Result<BeginConsentResponse, Status> {
        let state = self.ask.begin(scope.user(), calendar::kind(request.kind)?).await?;
        Ok(BeginConsentResponse { state })
    }

    async fn finish_consent(
        &self,
        scope: PersonScope,
        request: FinishConsentRequest,
    ) -> Result<FinishConsentResponse, Status> {
        if request.state.is_empty() || request.state.len() > MAX_TEXT {
            return Err(invalid("state", "is what beginning returned"));
        }
        self.ask.finish(scope.user(), &request.state, request.allowed).await?;
        Ok(FinishConsentResponse {})
    }

    async fn withdraw_consent(
        &self,
        scope: PersonScope,
        _: WithdrawConsentRequest,
    ) -> Result<WithdrawConsentResponse, Status> {
        self.ask.withdraw(scope.user()).await?;
        Ok(WithdrawConsentResponse {})
    }
}

#[async_trait]
impl PersonCalendarServiceHandler for Consents {
    async fn list_person_calendars(
        &self,
        _: Unscoped,
        request: ListPersonCalendarsRequest,
    ) -> Result<ListPersonCalendarsResponse, Status> {
        let calendars = self.ask.calendars(parse::id("user_id", &request.user_id)?).await?;
        Ok(ListPersonCalendarsResponse {
            authorization_required: calendars.is_none(),
            calendars: calendars.unwrap_or_default().into_iter().map(wire).collect(),
        })
    }
}

fn wire(found: PersonCalendar) -> WireCalendar {
    WireCalendar {
        id: found.id.to_owned(),
        kind: calendar::wire_kind(found.kind).into(),
        name: found.name.to_owned(),
    }
}
