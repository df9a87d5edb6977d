//! Whether a customer was tested for what is done to them.

use jiff::civil::Date;

/// A test of a customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchTest {
    /// What for, as it was recorded.
    pub subject: String,
    /// When.
    pub tested_on: Date,
    /// Whether the customer reacted.
    pub reacted: bool,
    /// The last date on which it counts, if it ends.
    pub valid_until: Option<Date>,
}

/// Why a customer's tests do not suffice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lack {
    /// None is on record.
    Missing,
    /// The last one counts no longer.
    Expired {
        /// When it was done.
        tested_on: Date,
        /// The last date on which it counted.
        valid_until: Date,
    },
    /// The customer reacted to the last one.
    Reaction {
        /// When it was done.
        tested_on: Date,
    },
}

/// What a customer with these `tests` lacks for a visit `on` a date that needs a test for `subject`.
#[must_use]
pub fn lack(subject: &str, tests: &[PatchTest], on: Date) -> Option<Lack> {
    let is_subject = |test: &&PatchTest| spelling(&test.subject) == spelling(subject);
    let last = tests.iter().filter(is_subject).filter(|test| test.tested_on <= on);
    let Some(last) = last.max_by_key(|test| test.tested_on) else { return Some(Lack::Missing) };
    let tested_on = last.tested_on;
    if last.reacted {
        return Some(Lack::Reaction { tested_on });
    }
    let valid_until = last.valid_until.filter(|until| *until < on)?;
    Some(Lack::Expired { tested_on, valid_until })
}

/// In one sentence, which names no customer.
#[must_use]
pub fn sentence(subject: &str, lack: Lack) -> String {
    let day = |date: Date| date.strftime("%-d %B %Y").to_string();
    match lack {
        Lack::Missing => format!("No patch test for {subject} is on record."),
        Lack::Expired { valid_until, .. } => {
            format!("The patch test for {subject} was good until {}.", day(valid_until))
        }
        Lack::Reaction { tested_on } => {
            format!("The patch test for {subject} on {} showed a reaction.", day(tested_on))
        }
    }
}

/// Subjects are written by hand.
fn spelling(subject: &str) -> String {
    subject.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn test(subject: &str, month: i8, reacted: bool, valid_until: Option<Date>) -> PatchTest {
        PatchTest { subject: subject.to_owned(), tested_on: date(2026, month, 2), reacted, valid_until }
    }

    const VISIT: Date = date(2026, 6, 2);

    #[test]
    fn a_test_counts_through_its_last_date_however_it_is_spelt() {
        let until = |valid_until| [test(" lash TINT ", 1, false, valid_until)];
        assert_eq!(lack("Lash tint", &until(None), VISIT), None);
        assert_eq!(lack("Lash tint", &until(Some(VISIT)), VISIT), None);
        let expired = Lack::Expired { tested_on: date(2026, 1, 2), valid_until: date(2026, 6, 1) };
        assert_eq!(lack("Lash tint", &until(Some(date(2026, 6, 1))), VISIT), Some(expired));
        assert_eq!(lack("Colour", &until(None), VISIT), Some(Lack::Missing));
    }

    #[test]
    fn the_last_test_before_the_visit_decides() {
        let reaction = Some(Lack::Reaction { tested_on: date(2026, 5, 2) });
        let tests = [test("Tint", 5, true, None), test("Tint", 1, false, None)];
        assert_eq!(lack("Tint", &tests, VISIT), reaction);
        assert_eq!(lack("Tint", &tests, date(2026, 3, 1)), None);
        let cured = [test("Tint", 6, false, None), test("Tint", 5, true, None)];
        assert_eq!(lack("Tint", &cured, VISIT), None);
        assert_eq!(lack("Tint", &[test("Tint", 7, false, None)], VISIT), Some(Lack::Missing));
    }

    #[test]
    fn what_is_lacking_is_said_in_one_sentence() {
        let said = [
            Lack::Missing,
            Lack::Expired { tested_on: date(2026, 1, 2), valid_until: date(2026, 5, 1) },
            Lack::Reaction { tested_on: date(2026, 1, 2) },
        ]
        .map(|lack| sentence("Lash tint", lack));
        assert_eq!(
            said,
            [
                "No patch test for Lash tint is on record.",
                "The patch test for Lash tint was good until 1 May 2026.",
                "The patch test for Lash tint on 2 January 2026 showed a reaction.",
            ]
        );
    }
}
