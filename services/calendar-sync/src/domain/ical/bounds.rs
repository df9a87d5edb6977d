//! How much of an object is read. A server decides what it sends, and reading a property takes hundreds of times the
//! bytes of a short one.

use super::Unread;

/// Bytes of an object, its attachments aside.
const MOST_BYTES: usize = 2 << 20;
/// Lines of an object: a series with a thousand exceptions.
const MOST_LINES: usize = 20_000;
/// Parameters of all its properties, counted by what separates them.
const MOST_PARAMETERS: usize = 100_000;
/// Components within each other; an alarm is the third. The parser calls itself for each.
const MOST_DEPTH: usize = 8;

/// The unfolded text of an object, without attachments where it is long.
///
/// # Errors
/// When it is more than can be read.
pub(super) fn bounded(text: String) -> Result<String, Unread> {
    let text = if text.len() > MOST_BYTES { without_attachments(&text) } else { text };
    if text.len() > MOST_BYTES {
        return Err(Unread::new("is longer than 2 MB, attachments aside"));
    }
    if lines(&text).nth(MOST_LINES).is_some() {
        return Err(Unread::new("has more than 20,000 lines"));
    }
    if text.bytes().filter(|byte| *byte == b';').nth(MOST_PARAMETERS).is_some() {
        return Err(Unread::new("has more than 100,000 parameters"));
    }
    if depth(&text) > MOST_DEPTH {
        return Err(Unread::new("is nested too deeply"));
    }
    Ok(text)
}

fn without_attachments(text: &str) -> String {
    let kept = lines(text).filter(|line| !begins(line, "ATTACH"));
    kept.flat_map(|line| [line, "\r\n"]).collect()
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\r', '\n']).filter(|line| !line.is_empty())
}

fn begins(line: &str, word: &str) -> bool {
    line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// How many components are open at once, at most. The parser takes one that begins in the line in which another ends.
fn depth(text: &str) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    for line in lines(text) {
        let (begins, ends) = (begins(line, "BEGIN:"), begins(line, "END:"));
        if begins || ends {
            open = open.saturating_sub(usize::from(ends));
            open += line.to_ascii_uppercase().matches("BEGIN:").count();
            deepest = deepest.max(open);
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: String) -> String {
        bounded(text).unwrap_err().to_string()
    }

    #[test]
    fn what_takes_more_memory_than_it_is_worth_is_not_read() {
        assert_eq!(refusal("a:\n".repeat(MOST_LINES + 1)), "has more than 20,000 lines");
        assert_eq!(refusal("a:\r".repeat(MOST_LINES + 1)), "has more than 20,000 lines");
        assert_eq!(
            refusal(format!("a{}:", ";b".repeat(MOST_PARAMETERS + 1))),
            "has more than 100,000 parameters"
        );
        assert_eq!(
            refusal(format!("a:{}", "b".repeat(MOST_BYTES))),
            "is longer than 2 MB, attachments aside"
        );
        let most = "a:\r\n".repeat(MOST_LINES);
        assert_eq!(bounded(most.clone()), Ok(most));
    }

    #[test]
    fn components_within_components_end_somewhere() {
        let nested = |depth: usize| "BEGIN:A\r\n".repeat(depth) + &"END:A\r\n".repeat(depth);
        assert!(bounded(nested(MOST_DEPTH)).is_ok());
        assert_eq!(refusal(nested(MOST_DEPTH + 1)), "is nested too deeply");
        let in_one_line = "BEGIN:A\nBEGIN:B\nEND:Bbegin:C\n".repeat(MOST_DEPTH);
        assert_eq!(refusal(in_one_line), "is nested too deeply");
        let one_after_the_other = "BEGIN:A\r\nEND:A\r\n".repeat(1_000);
        assert!(bounded(one_after_the_other).is_ok());
    }

    #[test]
    fn a_long_attachment_costs_no_event() {
        let attached =
            format!("SUMMARY:Dentist\r\nattach;ENCODING=BASE64:{}\r\nUID:1", "A".repeat(MOST_BYTES));
        assert_eq!(bounded(attached).unwrap(), "SUMMARY:Dentist\r\nUID:1\r\n");
    }
}
