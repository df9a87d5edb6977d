//! Parses request fields once, at the edge; every refusal names its field.

use tonic::Status;
use uuid::Uuid;

use crate::{error::invalid, label};

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

/// A name or another label: text on one line that turns no direction, otherwise as [`text`].
///
/// # Errors
/// INVALID_ARGUMENT, naming `field`.
pub fn line(field: &str, value: &str, max: usize) -> Result<String, Status> {
    optional_line(field, value, max)?.ok_or_else(|| invalid(field, "is required"))
}

/// A label that may be empty, otherwise as [`line`].
///
/// # Errors
/// INVALID_ARGUMENT, naming `field`.
pub fn optional_line(field: &str, value: &str, max: usize) -> Result<Option<String>, Status> {
    let text = optional_text(field, value, max)?;
    match text.as_deref().and_then(label::fault) {
        Some(fault) => Err(invalid(field, fault)),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use tonic_types::StatusExt;

    use super::*;

    #[test]
    fn trims_text_and_refuses_control_characters() {
        assert_eq!(text("name", "  Ana ", 5).unwrap(), "Ana");
        assert!(text("name", "   ", 5).is_err());
        assert!(text("name", "Anabel", 5).is_err());
        assert!(text("name", "A\u{0}", 5).is_err());
    }

    #[test]
    fn a_label_is_refused_by_its_field_for_what_it_contains() {
        assert_eq!(line("name", " Ana ", 5).unwrap(), "Ana");
        assert_eq!(optional_line("name", " ", 5).unwrap(), None);
        for wrong in ["A\nb", "A\u{202E}b", "A\u{2066}b"] {
            let refused = line("name", wrong, 5).unwrap_err();
            assert_eq!(refused.get_details_bad_request().unwrap().field_violations[0].field, "name");
        }
        assert!(line("name", "A\u{202E}b", 5).unwrap_err().message().contains("direction"));
    }
}
