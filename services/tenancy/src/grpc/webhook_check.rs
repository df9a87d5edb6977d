//! How deliveries of a connection are checked, parsed once.

use proto::{
    error::invalid,
    frontdesk::tenancy::v1::{
        HmacAlgorithm as WireAlgorithm, HmacEncoding as WireEncoding, HmacFormat as WireFormat,
        WebhookCheck as WireCheck,
    },
};
use tonic::Status;

use crate::domain::{
    HeaderName, HmacAlgorithm, HmacEncoding, HmacFormat, PayloadTemplate, VoicePlatform, WebhookCheck,
};

const LONGEST_PREFIX: usize = 64;

/// The check that an owner chose, which the platform must offer; its usual one where they chose none.
pub(super) fn webhook_check(
    platform: VoicePlatform,
    check: i32,
    hmac: Option<WireFormat>,
) -> Result<WebhookCheck, Status> {
    let check = match (WireCheck::try_from(check), hmac) {
        (Ok(WireCheck::Hmac), Some(format)) => WebhookCheck::Hmac(format_of(format)?),
        (Ok(WireCheck::Hmac), None) => return Err(invalid("hmac", "is required")),
        (Ok(_), Some(_)) => return Err(invalid("hmac", "must be unset unless deliveries are checked by it")),
        (Ok(WireCheck::Unspecified), None) => platform.usual_check(),
        (Ok(WireCheck::PlatformSignature), None) => WebhookCheck::PlatformSignature,
        (Ok(WireCheck::Bearer), None) => WebhookCheck::Bearer,
        (Err(_), _) => return Err(invalid("webhook_check", "is not a known check")),
    };
    if !platform.offers(&check) {
        return Err(invalid("webhook_check", "is not offered by this platform"));
    }
    Ok(check)
}

fn format_of(wire: WireFormat) -> Result<HmacFormat, Status> {
    let algorithm = match wire.algorithm() {
        WireAlgorithm::Sha256 => HmacAlgorithm::Sha256,
        WireAlgorithm::Sha512 => HmacAlgorithm::Sha512,
        WireAlgorithm::Sha1 => HmacAlgorithm::Sha1,
        WireAlgorithm::Unspecified => return Err(invalid("hmac.algorithm", "is required")),
    };
    let encoding = match wire.encoding() {
        WireEncoding::Hex => HmacEncoding::Hex,
        WireEncoding::Base64 => HmacEncoding::Base64,
        WireEncoding::Unspecified => return Err(invalid("hmac.encoding", "is required")),
    };
    let header = |field: &str, name: &str| {
        HeaderName::parse(name).ok_or_else(|| invalid(field, "must be the name of a header"))
    };
    let prefix = wire.signature_prefix;
    if prefix.chars().count() > LONGEST_PREFIX || prefix.chars().any(char::is_control) {
        return Err(invalid(
            "hmac.signature_prefix",
            "must be at most 64 characters, without control characters",
        ));
    }
    Ok(HmacFormat {
        algorithm,
        encoding,
        signature_header: header("hmac.signature_header", &wire.signature_header)?,
        signature_prefix: prefix,
        timestamp_header: header("hmac.timestamp_header", &wire.timestamp_header)?,
        payload: PayloadTemplate::parse(&wire.payload)
            .ok_or_else(|| invalid("hmac.payload", "must have {body} and {timestamp} once each"))?,
    })
}
