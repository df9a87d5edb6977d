//! `X-Twilio-Signature: base64(HMAC-SHA1(auth token, address + parameters))`, the parameters of a form sorted by
//! name, each name and value written one after the other. A JSON body is named by its hash in the address.

use base64::{Engine, engine::general_purpose::STANDARD as B64};
use hmac::{Hmac, Mac};
use http::header;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::voice::adapter::Received;
use crate::voice::proof::{Fault, hex, only};

/// The header's name.
pub const HEADER: &str = "x-twilio-signature";
const BODY_HASH: &str = "bodySHA256";

/// The header's value for a form that is posted to `url`, signed with `token`.
#[must_use]
pub fn sign(token: &str, url: &str, form: &[u8]) -> String {
    B64.encode(digest(token, url, form).finalize().into_bytes())
}

/// Checks that the request was signed with `token` for its public address.
///
/// # Errors
/// The first check that failed.
pub fn verify(received: Received<'_>, token: &str) -> Result<(), Fault> {
    let given = only(received.headers, HEADER)?;
    let signed = B64.decode(given).map_err(|_| Fault::Malformed)?;
    // With an empty token any caller could sign.
    if token.is_empty() {
        return Err(Fault::Wrong);
    }
    let form = if is_form(received) { received.body } else { checked_by_hash(received)? };
    // Compares in constant time.
    digest(token, received.url, form).verify_slice(&signed).map_err(|_| Fault::Wrong)
}

fn is_form(received: Received<'_>) -> bool {
    let named = received.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = named.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// No parameters: the body is what the address says it is.
fn checked_by_hash<'a>(received: Received<'_>) -> Result<&'a [u8], Fault> {
    // A handshake has no body to name.
    if received.body.is_empty() {
        return Ok(&[]);
    }
    let query = received.url.split_once('?').map_or("", |(_, query)| query);
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let (_, named) = pairs.find(|(name, _)| name == BODY_HASH).ok_or(Fault::Malformed)?;
    let named: [u8; 32] = hex(&named).ok_or(Fault::Malformed)?;
    if named == *Sha256::digest(received.body) { Ok(&[]) } else { Err(Fault::Wrong) }
}

fn digest(token: &str, url: &str, form: &[u8]) -> Hmac<Sha1> {
    let mut pairs: Vec<(String, String)> = form_urlencoded::parse(form).into_owned().collect();
    pairs.sort();
    pairs.dedup();
    let mac = Hmac::<Sha1>::new_from_slice(token.as_bytes()).expect("HMAC takes keys of any length");
    let signed = mac.chain_update(url);
    pairs.iter().fold(signed, |mac, (name, value)| mac.chain_update(name).chain_update(value))
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::*;

    /// From Twilio's documentation of webhook security.
    const TOKEN: &str = "12345";
    const URL: &str = "https://mycompany.com/myapp.php?foo=1&bar=2";
    const FORM: &[u8] =
        b"Digits=1234&To=%2B18005551212&From=%2B14158675309&Caller=%2B14158675309&CallSid=CA1234567890ABCDE";
    const VECTOR: &str = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";

    fn check(url: &str, kind: &str, body: &[u8], signature: &str, token: &str) -> Result<(), Fault> {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, kind.parse().unwrap());
        headers.insert(HEADER, signature.parse().unwrap());
        verify(Received { url, headers: &headers, body }, token)
    }

    const KIND: &str = "application/x-www-form-urlencoded; charset=UTF-8";

    #[test]
    fn believes_the_documented_signature_and_makes_the_same() {
        assert_eq!(check(URL, KIND, FORM, VECTOR, TOKEN), Ok(()));
        assert_eq!(sign(TOKEN, URL, FORM), VECTOR);
    }

    #[test]
    fn refuses_another_address_form_or_token() {
        assert_eq!(
            check("https://mycompany.com/myapp.php?foo=1", KIND, FORM, VECTOR, TOKEN),
            Err(Fault::Wrong)
        );
        assert_eq!(check(&URL.replace("https", "http"), KIND, FORM, VECTOR, TOKEN), Err(Fault::Wrong));
        assert_eq!(check(URL, KIND, b"Digits=1235", VECTOR, TOKEN), Err(Fault::Wrong));
        assert_eq!(check(URL, KIND, FORM, VECTOR, "12346"), Err(Fault::Wrong));
        assert_eq!(check(URL, KIND, FORM, &sign("", URL, FORM), ""), Err(Fault::Wrong));
        assert_eq!(check(URL, KIND, FORM, "not base64!", TOKEN), Err(Fault::Malformed));
        let none = HeaderMap::new();
        assert_eq!(verify(Received { url: URL, headers: &none, body: FORM }, TOKEN), Err(Fault::Missing));
    }

    #[test]
    fn a_json_body_is_the_one_its_address_names() {
        let body = br#"{"CallSid":"CA1"}"#;
        let named: String = Sha256::digest(body).iter().map(|byte| format!("{byte:02x}")).collect();
        let url = format!("{URL}&bodySHA256={named}");
        let signature = sign(TOKEN, &url, b"");
        assert_eq!(check(&url, "application/json", body, &signature, TOKEN), Ok(()));
        assert_eq!(check(&url, "application/json", b"{}", &signature, TOKEN), Err(Fault::Wrong));
        // A form's signature does not pass for another kind of body.
        assert_eq!(
            check(URL, "application/json", FORM, &sign(TOKEN, URL, b""), TOKEN),
            Err(Fault::Malformed)
        );
    }
}
