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

impl Page {
    /// Rows to ask for: one more than the page shows tells whether there is another page.
    #[must_use]
    pub fn wanted(&self) -> u32 {
        self.size.saturating_add(1)
    }

    /// Cuts the rows that were found to the page, and makes the token of the next one from the last
    /// row's `key`; it is empty when there is none.
    pub fn cut<T>(&self, mut rows: Vec<T>, key: impl FnOnce(&T) -> String) -> (Vec<T>, String) {
        let size = usize::try_from(self.size).unwrap_or(usize::MAX);
        let more = rows.len() > size;
        rows.truncate(size);
        let token = rows.last().filter(|_| more).map(|last| page_token(&key(last))).unwrap_or_default();
        (rows, token)
    }
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
        // No text a database holds has a NUL.
        .map(|key| key.filter(|key| !key.contains('\0')).ok_or_else(foreign_page_token))
        .transpose()?;
    Ok(Page { size, after })
}

/// For a page token whose key is none of the list's.
#[must_use]
pub fn foreign_page_token() -> Status {
    invalid("page_token", "is not one this list gave out")
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
    fn a_page_shows_what_was_asked_for_and_names_the_next_only_if_there_is_one() {
        let page = page(2, "").unwrap();
        assert_eq!(page.wanted(), 3);
        assert_eq!(page.cut(vec![7, 8, 9], i32::to_string), (vec![7, 8], page_token("8")));
        for rows in [vec![], vec![7], vec![7, 8]] {
            assert_eq!(page.cut(rows.clone(), i32::to_string), (rows, String::new()));
        }
    }

    #[test]
    fn refuses_what_no_list_gave_out() {
        assert!(page(201, "").is_err());
        assert!(page(-1, "").is_err());
        assert!(page(0, "%%").is_err());
        assert!(page(0, &page_token("Anna\0")).is_err());
    }

    #[test]
    fn trims_text_and_refuses_control_characters() {
        assert_eq!(text("name", "  Ana ", 5).unwrap(), "Ana");
        assert!(text("name", "   ", 5).is_err());
        assert!(text("name", "Anabel", 5).is_err());
        assert!(text("name", "A\u{0}", 5).is_err());
    }
}
