//! Parses request fields once, at the edge; every refusal names its field.

use caller::Actor;
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

/// Between one and `most` ids.
///
/// # Errors
/// INVALID_ARGUMENT, naming `field`, or its first entry that is not an id.
pub fn some_ids<T: From<Uuid>>(field: &str, texts: &[String], most: usize) -> Result<Vec<T>, Status> {
    if !(1..=most).contains(&texts.len()) {
        return Err(invalid(field, &format!("must be 1 to {most}")));
    }
    texts.iter().enumerate().map(|(index, text)| id(&format!("{field}[{index}]"), text)).collect()
}

/// An id for a new record that a service may choose, so that what it makes twice is made once; empty
/// from anyone else. What is followed under an id must not be spoilt by a person of another
/// business who knows the id before the record exists.
///
/// # Errors
/// INVALID_ARGUMENT, naming `field`.
pub fn chosen_id<T: From<Uuid>>(field: &str, text: &str, actor: &Actor) -> Result<Option<T>, Status> {
    match (text, actor) {
        ("", _) => Ok(None),
        (text, Actor::Service { .. }) => id(field, text).map(Some),
        (_, Actor::Person { .. } | Actor::Agent { .. }) => {
            Err(invalid(field, "must be empty: new records are given their ids here"))
        }
    }
}

/// Why text is refused in which a decoder has put U+FFFD in the place of what it could not read.
const LOST: &str = "contains the mark of a lost character (U+FFFD): write what stood there";

/// Why text is refused that [`label::leaks_direction`].
const LEAKS: &str = "contains characters that change the direction of writing beyond its line (U+202A to U+202E, U+2066 to U+2069)";

/// Required text, trimmed, of at most `max` characters, without control characters and marks of lost characters, that
/// turns the direction of nothing beside it.
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
    let text = optional_raw_text(field, value, max)?;
    match text {
        Some(text) if text.contains(char::REPLACEMENT_CHARACTER) => Err(invalid(field, LOST)),
        Some(text) if label::leaks_direction(&text) => Err(invalid(field, LEAKS)),
        text => Ok(text),
    }
}

/// Text of another system, which no person can write anew: it may contain marks of lost characters and turn directions,
/// otherwise as [`text`].
///
/// # Errors
/// INVALID_ARGUMENT, naming `field`.
pub fn raw_text(field: &str, value: &str, max: usize) -> Result<String, Status> {
    optional_raw_text(field, value, max)?.ok_or_else(|| invalid(field, "is required"))
}

/// Text of another system that may be empty, otherwise as [`raw_text`].
///
/// # Errors
/// INVALID_ARGUMENT, naming `field`.
pub fn optional_raw_text(field: &str, value: &str, max: usize) -> Result<Option<String>, Status> {
    let trimmed = value.trim();
    if trimmed.chars().count() > max {
        return Err(invalid(field, &format!("is longer than {max} characters")));
    }
    if trimmed.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        return Err(invalid(field, "contains control characters"));
    }
    Ok((!trimmed.is_empty()).then(|| trimmed.to_owned()))
}

/// A name or another label: text on one line that turns no direction, without what shows nothing, otherwise as [`text`].
///
/// # Errors
/// INVALID_ARGUMENT, naming `field`.
pub fn line(field: &str, value: &str, max: usize) -> Result<String, Status> {
    optional_line(field, value, max)?.ok_or_else(|| invalid(field, "is required"))
}

/// A name that people elsewhere are shown, as in an invitation: no word of it mixes alphabets, otherwise as [`line`].
///
/// # Errors
/// INVALID_ARGUMENT, naming `field`.
pub fn public_name(field: &str, value: &str, max: usize) -> Result<String, Status> {
    let name = line(field, value, max)?;
    if label::mixes_alphabets(&name) {
        return Err(invalid(
            field,
            "has a word with letters of different alphabets, so that it looks like another",
        ));
    }
    Ok(name)
}

/// A label that may be empty, otherwise as [`line`].
///
/// # Errors
/// INVALID_ARGUMENT, naming `field`.
pub fn optional_line(field: &str, value: &str, max: usize) -> Result<Option<String>, Status> {
    let text = optional_text(field, &label::seen(value), max)?;
    match text.as_deref().and_then(label::fault) {
        Some(fault) => Err(invalid(field, fault)),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use caller::{SessionId, UserId};
    use tonic_types::StatusExt;

    use super::*;

    #[test]
    fn a_name_for_others_looks_like_no_other() {
        assert_eq!(public_name("name", " Salon Anna ", 20).unwrap(), "Salon Anna");
        let refused = public_name("name", "S\u{430}lon Anna", 20).unwrap_err();
        assert!(refused.message().contains("alphabets"), "{refused}");
        assert!(line("name", "S\u{430}lon Anna", 20).is_ok(), "what stays in the business is taken as it is");
    }

    #[test]
    fn trims_text_and_refuses_control_characters() {
        assert_eq!(text("name", "  Ana ", 5).unwrap(), "Ana");
        assert!(text("name", "   ", 5).is_err());
        assert!(text("name", "Anabel", 5).is_err());
        assert!(text("name", "A\u{0}", 5).is_err());
    }

    #[test]
    fn notes_turn_no_direction_beyond_their_line() {
        let refused = text("notes", "Pay \u{202E}now", 20).unwrap_err();
        assert!(refused.message().contains("direction"), "{refused}");
        assert!(text("notes", "\u{202A}+44 7700 900123\u{202C}", 20).is_ok());
        assert!(raw_text("notes", "Pay \u{202E}now", 20).is_ok());
    }

    #[test]
    fn a_label_is_what_is_seen_of_it() {
        assert_eq!(line("name", "A\u{200b}na\u{feff}", 3).unwrap(), "Ana");
        assert!(line("name", "\u{200b}\u{200d}", 5).unwrap_err().message().contains("required"));
        assert_eq!(optional_line("name", "\u{2800}", 5).unwrap(), None);
        assert!(line("name", "A\u{0}", 5).is_err());
    }

    #[test]
    fn a_lost_character_is_refused_but_in_text_of_another_system() {
        for refused in
            [text("name", "Zo\u{FFFD}", 5), line("name", "Zo\u{FFFD}", 5), text("notes", "\u{FFFD}\n", 5)]
        {
            assert!(refused.unwrap_err().message().contains("U+FFFD"));
        }
        assert_eq!(raw_text("title", " Zo\u{FFFD} ", 5).unwrap(), "Zo\u{FFFD}");
        assert_eq!(optional_raw_text("title", " ", 5).unwrap(), None);
        assert!(raw_text("title", " ", 5).is_err());
        assert!(optional_raw_text("title", "A\u{0}", 5).is_err());
        assert!(optional_raw_text("title", "Anabel", 5).is_err());
    }

    #[test]
    fn ids_are_counted_and_the_wrong_one_is_named() {
        let good = Uuid::from_u128(7).to_string();
        assert_eq!(some_ids::<Uuid>("ids", core::slice::from_ref(&good), 1).unwrap(), [Uuid::from_u128(7)]);
        let field = |texts: &[String]| {
            let refused = some_ids::<Uuid>("ids", texts, 2).unwrap_err();
            refused.get_details_bad_request().unwrap().field_violations[0].field.clone()
        };
        assert_eq!(field(&[]), "ids");
        assert_eq!(field(&[good.clone(), good.clone(), good.clone()]), "ids");
        assert_eq!(field(&[good, "seven".to_owned()]), "ids[1]");
    }

    #[test]
    fn only_a_service_chooses_ids() {
        let service = Actor::Service { name: "local".to_owned() };
        let others = [
            Actor::Person { user: UserId(Uuid::nil()), session: SessionId(Uuid::nil()) },
            Actor::Agent { connection: Uuid::nil() },
        ];
        let text = Uuid::from_u128(7).to_string();
        assert_eq!(chosen_id::<Uuid>("id", &text, &service).unwrap(), Some(Uuid::from_u128(7)));
        assert!(chosen_id::<Uuid>("id", "seven", &service).is_err());
        for actor in others {
            assert_eq!(chosen_id::<Uuid>("id", "", &actor).unwrap(), None);
            for wrong in [text.as_str(), "seven"] {
                let refused = chosen_id::<Uuid>("id", wrong, &actor).unwrap_err();
                assert_eq!(refused.get_details_bad_request().unwrap().field_violations[0].field, "id");
            }
        }
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
