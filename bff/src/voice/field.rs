//! Fields of what platforms deliver, read once.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use jiff::Timestamp;
use proto::{error::invalid, time};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use tonic::Status;

use super::readable::readable;

/// Retell's own ids have 37 characters; event keys and idempotency keys hold twice that.
const MAX_CALL_ID: usize = 100;
const MAX_NAME: usize = 64;

/// `text`, if it is a telephone number in E.164.
#[must_use]
pub fn e164(text: &str) -> Option<String> {
    let digits = text.strip_prefix('+')?;
    let fits = (7..=15).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    (fits && !digits.starts_with('0')).then(|| text.to_owned())
}

/// The same, empty when it is none.
#[must_use]
pub fn number(text: Option<&str>) -> String {
    text.and_then(e164).unwrap_or_default()
}

/// The texts at two places of a body in JSON: what names an event, and its call, where the rest can't be read.
#[must_use]
pub fn head(body: &[u8], name: &str, call: &str) -> Option<(String, String)> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let text = |place: &str| body.pointer(place).and_then(Value::as_str).map(str::to_owned);
    Some((text(name)?, text(call)?))
}

/// The text at a place of a body in JSON that has nothing at others: what names an event, where no call is named.
#[must_use]
pub fn head_without(body: &[u8], name: &str, others: &[&str]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let has = |place: &&str| body.pointer(place).is_some_and(|there| !there.is_null());
    body.pointer(name).and_then(Value::as_str).filter(|_| !others.iter().any(has)).map(str::to_owned)
}

/// A platform's id of a call, of the field that holds it.
///
/// # Errors
/// INVALID_FIELD without one, or when it could be no key.
pub fn call_id(field: &str, id: Option<&str>) -> Result<String, Status> {
    let id = id.ok_or_else(|| invalid(field, "is required"))?;
    if !(1..=MAX_CALL_ID).contains(&id.len()) || !id.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(invalid(field, "must be 1 to 100 visible ASCII characters"));
    }
    Ok(id.to_owned())
}

/// The name of an event or a tool.
///
/// # Errors
/// INVALID_FIELD.
pub fn name(field: &str, name: String) -> Result<String, Status> {
    let fits = (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_graphic());
    if fits { Ok(name) } else { Err(invalid(field, "must be 1 to 64 visible ASCII characters")) }
}

/// The arguments of a tool; none is an empty object.
///
/// # Errors
/// INVALID_FIELD when they are no object.
pub fn arguments(field: &str, value: Option<Value>) -> Result<Map<String, Value>, Status> {
    match value {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(arguments)) => Ok(arguments),
        Some(_) => Err(invalid(field, "must be an object")),
    }
}

/// The same where a platform hands over the text that its model wrote.
///
/// # Errors
/// INVALID_FIELD when they are no object.
pub fn written_arguments(field: &str, value: Option<Value>) -> Result<Map<String, Value>, Status> {
    match value {
        Some(Value::String(text)) if text.trim().is_empty() => Ok(Map::new()),
        Some(Value::String(text)) => {
            let text = readable(text.as_bytes());
            serde_json::from_slice(&text).map_err(|_| invalid(field, "must be an object"))
        }
        other => arguments(field, other),
    }
}

/// An instant in milliseconds since 1970.
///
/// # Errors
/// INVALID_FIELD beyond the years 1 to 9999.
pub fn millis(field: &str, millis: Option<i64>) -> Result<Option<pbjson_types::Timestamp>, Status> {
    millis
        .map(|millis| {
            let at = Timestamp::from_millisecond(millis)
                .map_err(|_| invalid(field, "is not a time between years 1 and 9999"))?;
            Ok(time::to_proto(at))
        })
        .transpose()
}

/// An instant in RFC 3339.
///
/// # Errors
/// INVALID_FIELD when it is none.
pub fn rfc3339(field: &str, text: Option<&str>) -> Result<Option<pbjson_types::Timestamp>, Status> {
    text.filter(|text| !text.is_empty())
        .map(|text| {
            let at: Timestamp = text.parse().map_err(|_| invalid(field, "is not a time in RFC 3339"))?;
            Ok(time::to_proto(at))
        })
        .transpose()
}

/// Seconds as milliseconds; saturates, so that nonsense stays a number.
#[must_use]
pub fn offset_ms(seconds: Option<f64>) -> i32 {
    seconds.map_or(-1, |seconds| (seconds * 1000.0).round().max(0.0) as i32)
}

/// A key of what has no id of its own.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    B64.encode(Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_withheld_number_is_none() {
        assert_eq!(e164("+447700900123").as_deref(), Some("+447700900123"));
        for text in ["", "anonymous", "+0447700900", "447700900123", "+44 7700 900123", "+1234567890123456"] {
            assert_eq!(e164(text), None, "{text}");
        }
    }

    #[test]
    fn arguments_are_an_object_or_the_text_of_one() {
        assert_eq!(arguments("args", None).unwrap(), Map::new());
        assert!(arguments("args", Some("{}".into())).is_err());
        assert_eq!(written_arguments("args", Some("".into())).unwrap(), Map::new());
        let read = written_arguments("args", Some(r#"{"phone":"1"}"#.into())).unwrap();
        assert_eq!(read["phone"], "1");
        let cut = written_arguments("args", Some(r#"{"message":"Thanks \ud83d"}"#.into())).unwrap();
        assert_eq!(cut["message"], "Thanks \u{fffd}");
        for value in [Value::from("["), Value::from("[]"), Value::from(7), Value::Array(vec![])] {
            assert!(written_arguments("args", Some(value.clone())).is_err(), "{value}");
        }
    }

    #[test]
    fn an_offset_that_is_nonsense_stays_a_number() {
        assert_eq!(offset_ms(None), -1);
        assert_eq!(offset_ms(Some(0.6)), 600);
        assert_eq!(offset_ms(Some(-3.0)), 0);
        assert_eq!(offset_ms(Some(f64::NAN)), 0);
        assert_eq!(offset_ms(Some(1e300)), i32::MAX);
    }
}
