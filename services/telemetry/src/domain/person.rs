//! What a person who is erased is found by in texts that others wrote.

/// What a person was called, and reached by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Person {
    /// Names and e-mail addresses.
    pub names: Vec<String>,
    /// Numbers in E.164.
    pub phones: Vec<String>,
}

/// As many digits of a number are written alike within its country and abroad.
const DIGITS: usize = 9;

impl Person {
    /// Whether a text says one of the person's names, word for word, or ends in the digits of a number.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        let said = words(text);
        let named = self.names.iter().map(|name| words(name)).filter(|name| !name.is_empty());
        let digits = last_digits(text);
        named.into_iter().any(|name| said.windows(name.len()).any(|part| part == name))
            || (digits.len() == DIGITS && self.phones.iter().any(|phone| last_digits(phone) == digits))
    }
}

fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '@' && c != '.');
    parts.filter(|part| !part.is_empty()).map(str::to_lowercase).collect()
}

fn last_digits(text: &str) -> String {
    let digits: Vec<char> = text.chars().filter(char::is_ascii_digit).collect();
    digits[digits.len().saturating_sub(DIGITS)..].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_found_by_whole_names_and_by_numbers_however_they_are_written() {
        let ana = Person {
            names: vec!["Ana Prior".to_owned(), "ana@example.com".to_owned()],
            phones: vec!["+442079460018".to_owned()],
        };
        for text in
            ["Calls of ana prior", "Ana-Prior!", "ANA@example.com", "020 7946 0018", "+44 20 7946 0018"]
        {
            assert!(ana.is_in(text), "{text}");
        }
        for text in ["", "Ana", "Banana Priority", "Anaprior", "46 0018", "020 7946 0019"] {
            assert!(!ana.is_in(text), "{text}");
        }
    }
}
