//! Fields as JSON spells them. A service names a field as the contract declares it, `page_size`;
//! who calls by REST wrote `pageSize`.

use tonic::Status;
use tonic_types::StatusExt;

/// A service's refusal in REST's words.
#[must_use]
pub fn in_json(status: Status) -> Status {
    let mut details = status.get_error_details();
    let Some(request) = details.bad_request() else { return status };
    let mut violations = request.field_violations.clone();
    for violation in &mut violations {
        violation.field = field(&violation.field);
        violation.description = sentence(&violation.description);
    }
    details.set_bad_request(violations);
    Status::with_error_details(status.code(), sentence(status.message()), details)
}

/// A field's path, such as `items[1].serviceId`.
fn field(path: &str) -> String {
    let mut spelled = String::with_capacity(path.len());
    let mut letters = path.chars().peekable();
    while let Some(letter) = letters.next() {
        match letters.peek() {
            Some(next) if letter == '_' && next.is_ascii_alphanumeric() && !spelled.is_empty() => {
                spelled.push(next.to_ascii_uppercase());
                letters.next();
            }
            _ => spelled.push(letter),
        }
    }
    spelled
}

/// A sentence about fields. What stands in backticks is quoted, and stays as it is.
fn sentence(text: &str) -> String {
    text.split(' ')
        .map(|word| if is_name(word) { field(word) } else { word.to_owned() })
        .collect::<Vec<_>>()
        .join(" ")
}

fn is_name(word: &str) -> bool {
    word.contains('_') && word.starts_with(|first: char| first.is_ascii_lowercase()) && !word.contains('`')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_spelled_as_json_spells_it_at_any_depth() {
        assert_eq!(field("page_size"), "pageSize");
        assert_eq!(field("items[1].service_id"), "items[1].serviceId");
        assert_eq!(field("line_1.ends_at"), "line1.endsAt");
        for same in ["email", "pageSize", "client.address", "Content-Type", "_", ""] {
            assert_eq!(field(same), same);
        }
    }

    #[test]
    fn a_sentence_names_fields_the_same_way_and_quotes_what_was_sent() {
        assert_eq!(sentence("ends_at is not after starts_at"), "endsAt is not after startsAt");
        let quoted = "body is malformed: unknown field `page_sizes`, expected `page_size`";
        assert_eq!(sentence(quoted), quoted);
    }
}
