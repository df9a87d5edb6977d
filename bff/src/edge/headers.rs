//! Headers on every answer, refusals among them.

use axum::response::Response;
use http::{HeaderName, HeaderValue, header};

/// For what is not a page: nothing may be loaded, framed or run.
const NOTHING: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PERMISSIONS: &str = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()";

/// What every answer carries; what a handler has set stays.
#[derive(Debug, Clone)]
pub(super) struct SecurityHeaders {
    https: bool,
}

impl SecurityHeaders {
    pub(super) fn new(https: bool) -> Self {
        Self { https }
    }

    pub(super) fn add(&self, response: &mut Response) {
        let headers = response.headers_mut();
        let mut add = |name: HeaderName, value: &'static str| {
            headers.entry(name).or_insert(HeaderValue::from_static(value));
        };
        add(header::CONTENT_SECURITY_POLICY, NOTHING);
        add(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
        add(header::X_FRAME_OPTIONS, "DENY");
        // Addresses hold one-time tokens.
        add(header::REFERRER_POLICY, "no-referrer");
        add(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
        add(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
        add(HeaderName::from_static("permissions-policy"), PERMISSIONS);
        add(header::CACHE_CONTROL, "no-store");
        if self.https {
            add(header::STRICT_TRANSPORT_SECURITY, "max-age=63072000; includeSubDomains");
        }
    }
}
