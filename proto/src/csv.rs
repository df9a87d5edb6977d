//! Lines of CSV in answers, as RFC 4180 and spreadsheets want them.

/// The headings of exported appointments, which imports know as well.
pub const APPOINTMENT_HEADS: [&str; 13] = [
    "Appointment",
    "State",
    "Start",
    "End",
    "Start in UTC",
    "End in UTC",
    "Employee",
    "Employee id",
    "Service",
    "Service id",
    "Customer",
    "Customer id",
    "Guest",
];

/// A line of these fields, with its end.
#[must_use]
pub fn line(fields: &[&str]) -> String {
    let fields: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
    format!("{}\r\n", fields.join(","))
}

fn quoted(field: &str) -> String {
    format!("\"{}\"", marked(field).replace('"', "\"\""))
}

/// Text that people chose, as a field of any writer. What a spreadsheet would take for a formula begins with an
/// apostrophe instead. One that separates fields by `;` heeds quotes around the first field alone and cuts the others
/// inside: what follows a cut is marked, too.
#[must_use]
pub fn marked(text: &str) -> String {
    let mut marked = String::with_capacity(text.len() + 1);
    for (index, part) in text.split_inclusive([';', '\t', '\r', '\n']).enumerate() {
        let begins =
            if index == 0 { part } else { part.trim_start_matches(|c: char| c == '"' || c.is_whitespace()) };
        if is_formula(begins) {
            marked.push('\'');
        }
        marked.push_str(part);
    }
    marked
}

/// Whether a spreadsheet would take a field for a formula.
#[must_use]
pub fn is_formula(field: &str) -> bool {
    let calculates = |c: char| "=+-@＝＋－＠".contains(c);
    field.trim_start().chars().next().is_some_and(calculates) || field.starts_with(['\t', '\r', '\n'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_and_no_formula() {
        assert_eq!(line(&["a", "b \"c\", d", ""]), "\"a\",\"b \"\"c\"\", d\",\"\"\r\n");
        for (field, expected) in [
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\"\r\n"),
            (" +1", "\"' +1\"\r\n"),
            ("-2", "\"'-2\"\r\n"),
            ("@x", "\"'@x\"\r\n"),
            ("\tx", "\"'\tx\"\r\n"),
            ("＝1", "\"'＝1\"\r\n"),
            ("1 - 2", "\"1 - 2\"\r\n"),
            ("Max;=1+1;b", "\"Max;'=1+1;b\"\r\n"),
            ("a\n- b", "\"a\n'- b\"\r\n"),
            ("a; \"=1\"", "\"a;' \"\"=1\"\"\"\r\n"),
            ("a; b", "\"a; b\"\r\n"),
        ] {
            assert_eq!(line(&[field]), expected);
        }
    }
}
