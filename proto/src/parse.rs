//! Parses request fields once, at the edge; every refusal names its field.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use tonic::Status;
use uuid::Uuid;

use crate::error::invalid;

const DEFAULT_PAGE: u32 = 50;
const MAX_PAGE: u32 = 200;

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Rows wanted, 1 to 200.
    pub size: u32,
    /// Key of the last row of the page before.
    pub after: Option<String>,
}

/// A required id.
///
/// # Errors
/// INVALID_ARGUMENT, naming `field`.
pub fn id<T: From<Uuid>>(field: &str, text: &str) -> Result<T, Status> {
    if text.is_empty() {
        return Err(invalid(field, "is required"));
    }
    text.parse::<Uuid>().map(T::from).map_err(|_| invalid(field, "is not a UUID"))
}

/// An id that may be empty.
///
/// # Errors
/// INVALID_ARGUMENT, naming `field`.
pub fn optional_id<T: From<Uuid>>(field: &str, text: &str) -> Result<Option<T>, Status> {
    if text.is_empty() { Ok(None) } else { id(field, text).map(Some) }
}

/// Required text, trimmed, of at most `max` characters, without control characters.
///
/// # Errors
/// INVALID_ARGUMENT, naming `field`.
pub fn text(field: &str, value: &str, max: usize) -> Result<String, Status> {
    optional_text(field, value, max)?.ok_or_else(|| invalid(field, "is required"))
}

/// Text that may be empty, otherwise as [`text`].
///
/// # Errors
/// INVALID_ARGUMENT, naming `field`.
pub fn optional_text(field: &str, value: &str, max: usize) -> Result<Option<String>, Status> {
    let trimmed = value.trim();
    if trimmed.chars().count() > max {
        return Err(invalid(field, &format!("is longer than {max} characters")));
    }
    if trimmed.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        return Err(invalid(field, "contains control characters"));
    }
    Ok((!trimmed.is_empty()).then(|| trimmed.to_owned()))
}

/// A list's page: 50 rows unless told, 200 at most.
///
/// # Errors
/// INVALID_ARGUMENT, naming `page_size` or `page_token`.
pub fn page(size: i32, token: &str) -> Result<Page, Status> {
    page_of(size, token, DEFAULT_PAGE)
}

/// As [`page`], with another size when the client names none.
///
/// # Errors
/// INVALID_ARGUMENT, naming `page_size` or `page_token`.
pub fn page_of(size: i32, token: &str, default: u32) -> Result<Page, Status> {
    let size = match u32::try_from(size) {
        Ok(0) => default,
        Ok(size) if size <= MAX_PAGE => size,
        _ => return Err(invalid("page_size", "must lie between 0 and 200")),
    };
    let after = (!token.is_empty())
        .then(|| B64.decode(token).ok().and_then(|bytes| String::from_utf8(bytes).ok()))
        .map(|key| key.ok_or_else(|| invalid("page_token", "is not one this list gave out")))
        .transpose()?;
    Ok(Page { size, after })
}

/// The token that continues a list after `key`.
#[must_use]
pub fn page_token(key: &str) -> String {
    B64.encode(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_token_gives_its_key_back() {
        let page = page(0, &page_token("Ünal|7")).unwrap();
        assert_eq!(page, Page { size: 50, after: Some("Ünal|7".to_owned()) });
    }

    #[test]
    fn refuses_what_no_list_gave_out() {
        assert!(page(201, "").is_err());
        assert!(page(-1, "").is_err());
        assert!(page(0, "%%").is_err());
    }

    #[test]
    fn trims_text_and_refuses_control_characters() {
        assert_eq!(text("name", "  Ana ", 5).unwrap(), "Ana");
        assert!(text("name", "   ", 5).is_err());
        assert!(text("name", "Anabel", 5).is_err());
        assert!(text("name", "A\u{0}", 5).is_err());
    }
}
