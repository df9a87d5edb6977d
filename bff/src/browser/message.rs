//! Refused fields in REST's words: the name as JSON spells it, and a whole sentence to show.
//!
//! A service names a field as the contract declares it, `page_size`; a caller of REST wrote `pageSize`.
//! A service's rule continues the sentence that the field's name begins ("must be one line").
//! Here, and only here, both become a sentence for people: "The page size must be one line."

use tonic::Status;
use tonic_types::{FieldViolation, StatusExt};

/// A service's refusal in REST's words.
#[must_use]
pub fn in_json(status: Status) -> Status {
    let mut details = status.get_error_details();
    let Some(request) = details.bad_request() else { return status };
    let mut violations = request.field_violations.clone();
    let mut message = None;
    for violation in &mut violations {
        let sentence = sentence(violation, status.message());
        violation.field = field(&violation.field);
        violation.description.clone_from(&sentence);
        message.get_or_insert(sentence);
    }
    details.set_bad_request(violations);
    Status::with_error_details(status.code(), message.unwrap_or_else(|| status.message().to_owned()), details)
}

/// What is wrong with a field. The message of the refusal tells a rule that continues the field's name
/// (`ends_at is required`) from one that stands alone (`items[0].service_id: there is no such service`).
fn sentence(FieldViolation { field, description, .. }: &FieldViolation, message: &str) -> String {
    let rule = description.split(' ').map(in_words).collect::<Vec<_>>().join(" ");
    let whole = if message.strip_prefix(field.as_str()).is_some_and(|rest| rest.starts_with(':')) {
        rule
    } else {
        let (name, many) = noun(field, rule.contains("UUID"));
        let rule = match rule.split_once(' ') {
            Some(("is", rest)) if many => format!("are {rest}"),
            Some(("was", rest)) if many => format!("were {rest}"),
            _ => rule,
        };
        format!("{name} {rule}")
    };
    let mut letters = whole.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let end = if whole.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

/// What a field is called in a sentence, and whether that is a plural: `items[1].service_id` is
/// "the service of item 2". A rule about the id itself keeps the word.
fn noun(path: &str, about_id: bool) -> (String, bool) {
    let mut parts = path.rsplit('.').map(|part| {
        let (name, index) = part.split_once('[').unwrap_or((part, ""));
        (name, index.trim_end_matches(']').parse::<usize>().ok())
    });
    let (last, index) = parts.next().unwrap_or_default();
    let name = if about_id { words(last) } else { plain(last) };
    let mut many = is_plural(&name);
    let mut said = match index {
        Some(index) => {
            many = false;
            format!("{} {}", singular(&name), index + 1)
        }
        None => format!("the {name}"),
    };
    for (outer, index) in parts {
        let name = plain(outer);
        match index {
            Some(index) => said.push_str(&format!(" of {} {}", singular(&name), index + 1)),
            None => said.push_str(&format!(" of the {name}")),
        }
    }
    (said, many)
}

/// A field's name as people say it: `starts_at` is the start, `service_id` the service.
fn plain(name: &str) -> String {
    match name {
        "starts_at" | "from" => "start".to_owned(),
        "ends_at" | "to" => "end".to_owned(),
        "email" => "e-mail address".to_owned(),
        "price_minor" => "price".to_owned(),
        _ => match (name.strip_suffix("_ids"), name.strip_suffix("_id")) {
            (Some(records), _) => format!("{}s", words(records)),
            (_, Some(record)) => words(record),
            _ => words(name),
        },
    }
}

fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// Names that end like plurals and are none.
const SINGULAR: [&str; 2] = ["alias", "series"];

fn is_plural(name: &str) -> bool {
    let ends_like_one = name.ends_with('s') && !name.ends_with("ss") && !name.ends_with("us");
    ends_like_one && !SINGULAR.contains(&name)
}

fn singular(name: &str) -> &str {
    if is_plural(name) { name.trim_end_matches('s') } else { name }
}

/// A word of a rule: another field's name becomes what it is called.
fn in_words(word: &str) -> String {
    let name = word.trim_end_matches([',', '.', ';']);
    if is_name(name) { format!("{}{}", noun(name, false).0, &word[name.len()..]) } else { word.to_owned() }
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

/// Whether a word names a field. What stands in backticks is quoted, and stays as it is.
fn is_name(word: &str) -> bool {
    word.contains('_') && word.starts_with(|first: char| first.is_ascii_lowercase()) && !word.contains('`')
}

#[cfg(test)]
mod tests {
    use proto::error::Reason;

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

    fn said(field: &str, rule: &str) -> (String, String, String) {
        let status = in_json(proto::error::invalid(field, rule));
        let violation = status.get_details_bad_request().unwrap().field_violations[0].clone();
        (violation.field, violation.description, status.message().to_owned())
    }

    #[test]
    fn a_refused_field_is_told_in_a_whole_sentence() {
        for (field, rule, sentence) in [
            (
                "new_password",
                "must have 8 to 128 characters",
                "The new password must have 8 to 128 characters.",
            ),
            ("starts_at", "is required", "The start is required."),
            (
                "ends_at",
                "must lie after starts_at, by at most 24 hours",
                "The end must lie after the start, by at most 24 hours.",
            ),
            ("email", "is too long", "The e-mail address is too long."),
            ("items[1].service_id", "is required", "The service of item 2 is required."),
            ("service.segments", "must be 1 to 20", "The segments of the service must be 1 to 20."),
            ("spans[0]", "must end after it begins", "Span 1 must end after it begins."),
            ("employee_ids", "is required", "The employees are required."),
            ("alias", "is required", "The alias is required."),
            ("series_id", "is required", "The series is required."),
            (
                "service.overrides",
                "must be one of service.employee_ids",
                "The overrides of the service must be one of the employees of the service.",
            ),
            ("business_id", "is not a UUID", "The business id is not a UUID."),
            (
                "employee_id",
                "names no employee of this business",
                "The employee names no employee of this business.",
            ),
            ("address", "is required.", "The address is required."),
            (
                "Idempotency-Key",
                "must be 1 to 255 visible ASCII characters",
                "The Idempotency-Key must be 1 to 255 visible ASCII characters.",
            ),
            (
                "body",
                "is malformed: unknown field `page_sizes`, expected `page_size`",
                "The body is malformed: unknown field `page_sizes`, expected `page_size`.",
            ),
        ] {
            let told = said(field, rule);
            assert_eq!(told, (super::field(field), sentence.to_owned(), sentence.to_owned()));
        }
    }

    #[test]
    fn a_rule_that_stands_alone_gets_no_subject() {
        let refusal = proto::error::refuse_field(Reason::NotFound, "items[0].service_id", "no such service");
        let status = in_json(refusal);
        let violation = &status.get_details_bad_request().unwrap().field_violations[0];
        assert_eq!(
            (violation.field.as_str(), violation.description.as_str()),
            ("items[0].serviceId", "No such service.")
        );
        assert_eq!(status.message(), "No such service.");
    }
}
