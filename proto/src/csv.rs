//! Lines of CSV in answers, as RFC 4180 and spreadsheets want them.

/// A line of these fields, with its end.
#[must_use]
pub fn line(fields: &[&str]) -> String {
    let fields: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
    format!("{}\r\n", fields.join(","))
}

/// A field in quotes. What a spreadsheet would take for a formula begins with an apostrophe instead: people choose
/// what they write.
fn quoted(field: &str) -> String {
    let calculates = |c: char| "=+-@＝＋－＠".contains(c);
    let first = field.trim_start().chars().next();
    let is_formula = first.is_some_and(calculates) || field.starts_with(['\t', '\r', '\n']);
    let mark = if is_formula { "'" } else { "" };
    format!("\"{mark}{}\"", field.replace('"', "\"\""))
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
        ] {
            assert_eq!(line(&[field]), expected);
        }
    }
}
