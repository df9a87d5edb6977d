//! `SecurityService`: sessions, devices and the record of an account.

use boot::clock::Clock;
use caller::{PersonScope, SessionId};
use proto::{
    frontdesk::auth::v1::{
        EndSessionRequest, EndSessionResponse, ListSecurityEventsRequest, ListSecurityEventsResponse,
        ListSessionsRequest, ListSessionsResponse, ListTrustedDevicesRequest, ListTrustedDevicesResponse,
        RequestDeviceCodeRequest, RequestDeviceCodeResponse, RevokeTrustedDeviceRequest,
        RevokeTrustedDeviceResponse, SecurityEvent, SecurityEventKind as WireKind, SecurityServiceHandler,
        SignOutEverywhereRequest, SignOutEverywhereResponse, SignedInSession, TrustedDevice,
    },
    page::page,
    parse,
    time::to_proto,
};
use tonic::{Status, async_trait};

use crate::{
    app::{
        end_session::{end_session, sign_out_everywhere},
        trust_device::Devices,
    },
    domain::device::DeviceId,
    store::{AliveSession, Device, SecurityEvent as Stored, Store},
};

/// Shows people where they are signed in, and lets them end it.
#[derive(Debug)]
pub struct Security {
    store: Store,
    devices: Devices,
    clock: Clock,
}

impl Security {
    /// Sessions, devices and records of a store.
    #[must_use]
    pub fn new(store: Store, devices: Devices, clock: Clock) -> Self {
        Self { store, devices, clock }
    }
}

#[async_trait]
impl SecurityServiceHandler for Security {
    async fn list_sessions(
        &self,
        scope: PersonScope,
        _: ListSessionsRequest,
    ) -> Result<ListSessionsResponse, Status> {
        let tx = self.store.begin();
        let alive = tx.alive_sessions(scope.user(), self.clock.now()).await?;
        tx.commit().await?;
        let sessions = alive.into_iter().map(|session| seen(session, scope.session())).collect();
        Ok(ListSessionsResponse { sessions })
    }

    async fn end_session(
        &self,
        scope: PersonScope,
        request: EndSessionRequest,
    ) -> Result<EndSessionResponse, Status> {
        let session: SessionId = parse::id("session_id", &request.session_id)?;
        end_session(&self.store, (scope.user(), scope.session()), session, self.clock.now()).await?;
        Ok(EndSessionResponse {})
    }

    async fn sign_out_everywhere(
        &self,
        scope: PersonScope,
        _: SignOutEverywhereRequest,
    ) -> Result<SignOutEverywhereResponse, Status> {
        sign_out_everywhere(&self.store, (scope.user(), scope.session()), self.clock.now()).await?;
        Ok(SignOutEverywhereResponse {})
    }

    async fn list_trusted_devices(
        &self,
        scope: PersonScope,
        _: ListTrustedDevicesRequest,
    ) -> Result<ListTrustedDevicesResponse, Status> {
        let tx = self.store.begin();
        let devices = tx.devices(scope.user(), scope.session(), self.clock.now()).await?;
        tx.commit().await?;
        Ok(ListTrustedDevicesResponse { devices: devices.into_iter().map(trusted).collect() })
    }

    async fn revoke_trusted_device(
        &self,
        scope: PersonScope,
        request: RevokeTrustedDeviceRequest,
    ) -> Result<RevokeTrustedDeviceResponse, Status> {
        let device: DeviceId = parse::id("device_id", &request.device_id)?;
        self.devices.revoke(scope.user(), scope.session(), device).await?;
        Ok(RevokeTrustedDeviceResponse {})
    }

    async fn request_device_code(
        &self,
        scope: PersonScope,
        _: RequestDeviceCodeRequest,
    ) -> Result<RequestDeviceCodeResponse, Status> {
        let expires_at = self.devices.ask(scope.user(), scope.session()).await?;
        Ok(RequestDeviceCodeResponse { expires_at: Some(to_proto(expires_at)) })
    }

    async fn list_security_events(
        &self,
        scope: PersonScope,
        request: ListSecurityEventsRequest,
    ) -> Result<ListSecurityEventsResponse, Status> {
        let page = page(request.page_size, &request.page_token)?;
        let before = page.after.unwrap_or(i64::MAX);
        let tx = self.store.begin();
        let found = tx.security_events(scope.user(), before, page.limit(), self.clock.now()).await?;
        tx.commit().await?;
        let (events, next_page_token) = page.answer(found, |event| event.id, event);
        Ok(ListSecurityEventsResponse { events, next_page_token })
    }
}

fn seen(session: AliveSession, asking: SessionId) -> SignedInSession {
    SignedInSession {
        current: session.id == asking,
        id: session.id.to_string(),
        browser: session.browser,
        address: session.address,
        signed_in_at: Some(to_proto(session.opened_at)),
        last_used_at: Some(to_proto(session.used_at)),
        expires_at: Some(to_proto(session.expires_at)),
        trusted: session.trusted,
    }
}

fn trusted(device: Device) -> TrustedDevice {
    TrustedDevice {
        id: device.id.to_string(),
        current: device.current,
        browser: device.browser,
        trusted_at: Some(to_proto(device.trusted_at)),
        expires_at: Some(to_proto(device.expires_at)),
    }
}

fn event(stored: Stored) -> SecurityEvent {
    // A kind that a newer version wrote is shown as none.
    let kind = WireKind::from_str_name(&format!("SECURITY_EVENT_KIND_{}", stored.kind));
    SecurityEvent {
        id: stored.id.to_string(),
        kind: kind.unwrap_or_default().into(),
        at: Some(to_proto(stored.at)),
        address: stored.address,
        browser: stored.browser,
        actor_name: stored.actor_name,
        business_id: stored.business.map(|id| id.to_string()).unwrap_or_default(),
        detail: stored.detail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::security_event::SecurityEventKind;

    #[test]
    fn every_kind_of_event_has_its_name_in_the_contract() {
        for kind in SecurityEventKind::ALL {
            let name = format!("SECURITY_EVENT_KIND_{}", kind.as_str());
            assert!(WireKind::from_str_name(&name).is_some(), "{name}");
        }
    }
}
