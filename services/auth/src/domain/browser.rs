//! What a browser calls itself, shortened to what a person recognises.

/// No honest browser says more.
const LONGEST: usize = 1024;

/// Names by what stands in the user agent. The first that fits: Edge also says Chrome, and
/// Chrome also says Safari.
const BROWSERS: [(&str, &str); 12] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("HeadlessChrome/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];

/// An iPad requests desktop pages as a Mac does, and its user agent can't be told apart.
const SYSTEMS: [(&str, &str); 8] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "macOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// "Chrome on Windows"; empty for who told nothing that is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Browser(String);

impl Browser {
    /// Reads a `User-Agent` header. None of its text is kept, so a crafted header has no effect.
    #[must_use]
    pub fn of(user_agent: &str) -> Self {
        let text: String = user_agent.chars().take(LONGEST).collect();
        let named = |names: &[(&str, &'static str)]| {
            names.iter().find(|(mark, _)| text.contains(mark)).map(|(_, name)| *name)
        };
        Self(match (named(&BROWSERS), named(&SYSTEMS)) {
            (Some(browser), Some(system)) => format!("{browser} on {system}"),
            (Some(one), None) | (None, Some(one)) => one.to_owned(),
            (None, None) => String::new(),
        })
    }

    /// As it was stored.
    #[must_use]
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    /// For people.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_agent_becomes_what_its_person_recognises() {
        let webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
        for (user_agent, told) in [
            (
                format!("Mozilla/5.0 (Windows NT 10.0; Win64; x64) {webkit} Chrome/141.0.0.0 Safari/537.36"),
                "Chrome on Windows",
            ),
            (
                format!(
                    "Mozilla/5.0 (Windows NT 10.0) {webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0"
                ),
                "Edge on Windows",
            ),
            (
                format!("Mozilla/5.0 (Linux; Android 15) {webkit} Chrome/141.0.0.0 Mobile Safari/537.36"),
                "Chrome on Android",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 \
                 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
                    .to_owned(),
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/18.0 Safari/605.1.15"
                    .to_owned(),
                "Safari on macOS",
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0".to_owned(),
                "Firefox on Linux",
            ),
            ("curl/8.5.0".to_owned(), "curl"),
            ("<script>alert(1)</script>".to_owned(), ""),
            (String::new(), ""),
        ] {
            assert_eq!(Browser::of(&user_agent).as_str(), told, "{user_agent}");
        }
    }
}
