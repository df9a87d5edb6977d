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
            BeginConsentRequest, BeginConsentResponse, Consent, ConsentServiceHandler, ConsentState,
            FinishConsentRequest, FinishConsentResponse, ListConsentsRequest, ListConsentsResponse,
            WithdrawConsentRequest, WithdrawConsentResponse,
        },
    },
    parse,
};
use tonic::{Status, async_trait};

use super::{MAX_TEXT, calendar};
use crate::{
    app::{AskConsent, WithdrawConsent},
    domain::consent::{self, PersonCalendar, Standing},
};

/// Longest code of an authorization.
const MAX_CODE: usize = 2048;

/// Serves `ConsentService` and `PersonCalendarService`.
#[derive(Debug)]
pub struct Consents {
    /// Asks, and says how they stand.
    pub ask: AskConsent,
    /// Withdraws.
    pub withdraw: WithdrawConsent,
}

#[async_trait]
impl ConsentServiceHandler for Consents {
    async fn list_consents(
        &self,
        scope: PersonScope,
        _: ListConsentsRequest,
    ) -> Result<ListConsentsResponse, Status> {
        let standing = self.ask.standing(scope.user()).await?;
        let has_calendar = self.ask.has_calendar(scope.user()).await?;
        Ok(ListConsentsResponse { consents: standing.into_iter().map(consent).collect(), has_calendar })
    }

    async fn begin_consent(
        &self,
        scope: PersonScope,
        request: BeginConsentRequest,
    ) -> Result<BeginConsentResponse, Status> {
        let asked = self.ask.begin(scope.user(), calendar::kind(request.kind)?).await?;
        let authorization_url = asked.at.map(String::from).unwrap_or_default();
        Ok(BeginConsentResponse { state: asked.state, authorization_url })
    }

    async fn finish_consent(
        &self,
        scope: PersonScope,
        request: FinishConsentRequest,
    ) -> Result<FinishConsentResponse, Status> {
        if request.state.is_empty() || request.state.len() > MAX_TEXT {
            return Err(invalid("state", "is what beginning returned"));
        }
        if request.code.len() > MAX_CODE {
            return Err(invalid("code", "is longer than any code"));
        }
        let code = request.allowed.then_some(request.code.as_str());
        self.ask.finish(scope.user(), &request.state, code).await?;
        Ok(FinishConsentResponse {})
    }

    async fn withdraw_consent(
        &self,
        scope: PersonScope,
        request: WithdrawConsentRequest,
    ) -> Result<WithdrawConsentResponse, Status> {
        self.withdraw.run(scope.user(), calendar::written(request.take_out)).await?;
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
    WireCalendar { id: found.id, kind: calendar::wire_kind(found.kind).into(), name: found.name }
}

fn consent(consent: consent::Consent) -> Consent {
    let (state, account) = match consent.standing {
        Standing::NotGiven => (ConsentState::NotGiven, None),
        Standing::Given(account) => (ConsentState::Given, account),
        Standing::Revoked(account) => (ConsentState::Revoked, Some(account)),
        Standing::Ending(account) => (ConsentState::Ending, Some(account)),
    };
    Consent {
        written_count: consent.written,
        cleanup: consent.cleanup.map(calendar::wire_cleanup),
        kind: calendar::wire_kind(consent.kind).into(),
        state: state.into(),
        account: account.unwrap_or_default(),
    }
}
