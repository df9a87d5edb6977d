//! What people and services do with the product.

use boot::retention::{PRODUCT_EVENTS, in_days};
use jiff::Timestamp;

use super::ProductEventId;

/// How long events are kept.
pub const KEPT_DAYS: i64 = in_days(PRODUCT_EVENTS);

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A page was opened.
    PageOpened,
    /// A list was searched or filtered.
    ListFiltered,
    /// A file was exported.
    FileExported,
    /// A call ended.
    CallEnded,
    /// A visit was booked in a call.
    CallBooked,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 5] =
        [Self::PageOpened, Self::ListFiltered, Self::FileExported, Self::CallEnded, Self::CallBooked];

    /// Its name in the database and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PageOpened => "PAGE_OPENED",
            Self::ListFiltered => "LIST_FILTERED",
            Self::FileExported => "FILE_EXPORTED",
            Self::CallEnded => "CALL_ENDED",
            Self::CallBooked => "CALL_BOOKED",
        }
    }

    /// The kind of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The latest version of what it says. Pages of the release before note earlier ones.
    #[must_use]
    pub fn latest_version(self) -> i32 {
        1
    }

    /// Whether pages note it.
    #[must_use]
    pub fn is_noted_by_pages(self) -> bool {
        matches!(self, Self::PageOpened | Self::ListFiltered | Self::FileExported)
    }

    /// Whether it says on which page it was.
    #[must_use]
    pub fn has_page(self) -> bool {
        self.is_noted_by_pages()
    }

    /// The words that it says; none where it says none.
    #[must_use]
    pub fn details(self) -> &'static [&'static str] {
        match self {
            Self::FileExported => &["calls", "events", "services", "demand"],
            Self::PageOpened | Self::ListFiltered | Self::CallEnded | Self::CallBooked => &[],
        }
    }
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductEvent {
    /// Its id.
    pub id: ProductEventId,
    /// What.
    pub kind: Kind,
    /// Of what its kind says.
    pub version: i32,
    /// Who acted, as the audit trail names them.
    pub actor: String,
    /// The tab in which it happened.
    pub tab: String,
    /// The page's address as the router writes it.
    pub page: String,
    /// A word that the kind knows.
    pub detail: String,
    /// When.
    pub at: Timestamp,
}

/// The template of a page: names alone, so that no id and no word of a person is in it.
#[must_use]
pub fn is_page_template(text: &str) -> bool {
    let name = |part: &str| {
        let name = part.strip_prefix(':').unwrap_or(part);
        let name = name.strip_suffix('?').unwrap_or(name);
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
    };
    text.len() <= 100 && (text == "/" || text.strip_prefix('/').is_some_and(|rest| rest.split('/').all(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_named_by_its_template_and_by_nothing_of_a_person() {
        for page in
            ["/", "/admin/insights", "/:businessId/calls/:callId", "/admin/salon-scheduling/:businessId?"]
        {
            assert!(is_page_template(page), "{page}");
        }
        let record = "/01900000-0000-7000-8000-00000000c001/calls";
        for other in ["", "admin", "//", "/a b", record, "/search?q=ana", "/ana@mail.example"] {
            assert!(!is_page_template(other), "{other}");
        }
        assert!(!is_page_template(&format!("/{}", "a".repeat(100))));
    }

    #[test]
    fn a_name_gives_its_kind_back() {
        for kind in Kind::ALL {
            assert_eq!(Kind::parse(kind.name()), Some(kind));
        }
        assert_eq!(Kind::parse("SEEN"), None);
    }
}
