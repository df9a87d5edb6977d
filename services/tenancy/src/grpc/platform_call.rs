//! Calls as the platforms know them, for the voice door.

use caller::InstallationScope;
use proto::{
    error::invalid,
    frontdesk::tenancy::internal::v1::{
        self as pb, ClaimCallCheckRequest, ClaimCallCheckResponse, FinishCallCheckRequest,
        FinishCallCheckResponse, ListPlatformCallsRequest, ListPlatformCallsResponse,
        PlatformCallServiceHandler, ReadPlatformCallRequest, ReadPlatformCallResponse,
    },
    parse,
    time::{required, to_proto},
};
use tonic::{Status, async_trait};

use crate::{
    app::{CallCheck, CallChecks},
    domain::Span,
    store::CallCheckTurn,
};

const LONGEST_ID: usize = 255;
const LONGEST_PAGE: usize = 2048;

/// Serves `PlatformCallService`.
#[derive(Debug)]
pub(crate) struct PlatformCalls(pub(crate) CallChecks);

#[async_trait]
impl PlatformCallServiceHandler for PlatformCalls {
    async fn claim_call_check(
        &self,
        scope: InstallationScope,
        _: ClaimCallCheckRequest,
    ) -> Result<ClaimCallCheckResponse, Status> {
        let claimed = self.0.claim(&scope).await?;
        Ok(ClaimCallCheckResponse { check: claimed.map(wire) })
    }

    async fn list_platform_calls(
        &self,
        _: InstallationScope,
        request: ListPlatformCallsRequest,
    ) -> Result<ListPlatformCallsResponse, Status> {
        let (turn, span) = check(request.check)?;
        let page =
            parse::optional_raw_text("page_token", &request.page_token, LONGEST_PAGE)?.unwrap_or_default();
        let listed = self.0.list(&turn, span, &page).await?;
        Ok(ListPlatformCallsResponse {
            platform_call_ids: listed.calls,
            next_page_token: listed.next.unwrap_or_default(),
        })
    }

    async fn read_platform_call(
        &self,
        _: InstallationScope,
        request: ReadPlatformCallRequest,
    ) -> Result<ReadPlatformCallResponse, Status> {
        let (turn, _) = check(request.check)?;
        let call = parse::raw_text("platform_call_id", &request.platform_call_id, LONGEST_ID)?;
        let document = self.0.read(&turn, &call).await?;
        Ok(ReadPlatformCallResponse { document: document.into_bytes() })
    }

    async fn finish_call_check(
        &self,
        _: InstallationScope,
        request: FinishCallCheckRequest,
    ) -> Result<FinishCallCheckResponse, Status> {
        let (turn, span) = check(request.check)?;
        let taken = request.taken_count;
        if taken < 0 {
            return Err(invalid("taken_count", "is negative"));
        }
        self.0.finish(&turn, span, taken, request.incomplete).await?;
        Ok(FinishCallCheckResponse {})
    }
}

fn check(check: Option<pb::CallCheck>) -> Result<(CallCheckTurn, Span), Status> {
    let check = check.ok_or_else(|| invalid("check", "is required"))?;
    let turn = CallCheckTurn {
        business: parse::id("check.business_id", &check.business_id)?,
        connection: parse::id("check.voice_connection_id", &check.voice_connection_id)?,
        lease: parse::id("check.lease_id", &check.lease_id)?,
    };
    let since = required("check.since", check.since.as_ref())?;
    let until = required("check.until", check.until.as_ref())?;
    if until < since {
        return Err(invalid("check.until", "is before check.since"));
    }
    Ok((turn, Span { since, until }))
}

fn wire(check: CallCheck) -> pb::CallCheck {
    let (live_version, live_at) = check.live.unzip();
    pb::CallCheck {
        business_id: check.turn.business.to_string(),
        voice_connection_id: check.turn.connection.to_string(),
        lease_id: check.turn.lease.to_string(),
        since: Some(to_proto(check.span.since)),
        until: Some(to_proto(check.span.until)),
        live_version: live_version.unwrap_or_default(),
        live_at: live_at.map(to_proto),
    }
}
