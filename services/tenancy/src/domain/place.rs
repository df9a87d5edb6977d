//! Lists ordered by name, a page at a time.

use core::fmt;

use uuid::Uuid;

/// Where a page ended: after the row with this name and, among equals, this id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The row's name.
    pub name: String,
    /// The row's id.
    pub id: Uuid,
}

impl Place {
    /// Before every row: no name is empty.
    #[must_use]
    pub fn start() -> Self {
        Self { name: String::new(), id: Uuid::nil() }
    }

    /// Reads what [`fmt::Display`] writes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (id, name) = text.split_at_checked(uuid::fmt::Hyphenated::LENGTH)?;
        let sound = !name.is_empty() && !name.contains('\0');
        let id = id.parse().ok()?;
        sound.then(|| Self { name: name.to_owned(), id })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.id.hyphenated(), self.name)
    }
}

/// The page that is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Rows wanted.
    pub size: u32,
    /// Where the page before ended.
    pub after: Place,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_comes_back_from_its_text_whatever_the_name() {
        let place = Place { name: "Zoë | 7".to_owned(), id: Uuid::from_u128(7) };
        assert_eq!(Place::parse(&place.to_string()), Some(place));
    }

    #[test]
    fn refuses_text_that_is_no_place() {
        let id = Uuid::from_u128(7).to_string();
        for text in ["", "Zoë", &id, &format!("{id}a\0"), "é0900000-0000-7000-8000-00000000000xZoë"] {
            assert_eq!(Place::parse(text), None, "{text:?}");
        }
    }
}
