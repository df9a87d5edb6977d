//! The kinds of outside calendars: calendar-sync reads and writes them, and scheduling knows whose time they take.

/// The kind of outside system a calendar lives in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The demo calendar of this installation.
    Demo,
    /// A CalDAV server.
    Caldav,
    /// An employee's appointments in the salon's own booking system.
    Provider,
    /// An account at Google.
    Google,
    /// An address under which it is published as one .ics file.
    Ics,
}

impl Kind {
    const ALL: [Self; 5] = [Self::Demo, Self::Caldav, Self::Provider, Self::Google, Self::Ics];

    /// Whether it only tells when its employee is busy: appointments are not written to it.
    #[must_use]
    pub fn is_read_only(self) -> bool {
        self == Self::Ics
    }

    /// Its name in the databases.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Demo => "DEMO",
            Self::Caldav => "CALDAV",
            Self::Provider => "PROVIDER",
            Self::Google => "GOOGLE",
            Self::Ics => "ICS",
        }
    }

    /// The kind of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_known_by_its_name_and_a_published_calendar_alone_is_only_read() {
        for kind in Kind::ALL {
            assert_eq!(Kind::parse(kind.name()), Some(kind));
            assert_eq!(kind.is_read_only(), kind == Kind::Ics);
        }
        assert_eq!(Kind::parse("OUTLOOK"), None);
    }
}
