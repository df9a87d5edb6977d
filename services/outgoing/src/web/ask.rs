//! Requests to a server, with the credentials they carry.

use reqwest::{
    Method, Url,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH},
};

/// Fifty entries of a calendar, with their attachments.
const MOST_BYTES: usize = 16 << 20;

/// A request.
#[derive(Clone)]
pub struct Ask {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) login: Login,
    pub(super) lane: Option<String>,
    pub(super) body: Option<String>,
    pub(super) stays: bool,
    pub(super) most: usize,
}

/// Who asks.
#[derive(Clone)]
pub enum Login {
    /// A key in a header, for this server alone: where it redirects to gets none.
    Key(HeaderName, String),
    /// A name and a password.
    Basic(String, String),
    /// A token.
    Bearer(String),
    /// What the body says.
    InBody,
}

impl core::fmt::Debug for Login {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Login(…)")
    }
}

/// Without the address, which may let those read a calendar who know it, and the body, which may have tokens in it.
impl core::fmt::Debug for Ask {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let host = self.url.host_str().unwrap_or_default();
        f.debug_struct("Ask").field("method", &self.method).field("host", &host).finish_non_exhaustive()
    }
}

impl Ask {
    /// Asks for `method` of `url`.
    #[must_use]
    pub fn new(method: &'static str, url: Url, login: Login) -> Self {
        let method = Method::from_bytes(method.as_bytes()).unwrap_or_default();
        Self {
            method,
            url,
            headers: HeaderMap::new(),
            login,
            lane: None,
            body: None,
            stays: false,
            most: MOST_BYTES,
        }
    }

    /// In a lane of its own: what fails in it holds up no other call to the same host.
    #[must_use]
    pub fn lane(mut self, lane: impl Into<String>) -> Self {
        self.lane = Some(lane.into());
        self
    }

    /// Of this server alone: a redirect is an answer, and who it leads to learns nothing.
    #[must_use]
    pub fn staying(mut self) -> Self {
        self.stays = true;
        self
    }

    /// For an answer of at most so many bytes.
    #[must_use]
    pub fn at_most(mut self, bytes: usize) -> Self {
        self.most = bytes;
        self
    }

    /// With a body.
    #[must_use]
    pub fn body(mut self, kind: &'static str, body: String) -> Self {
        self.headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        self.body = Some(body);
        self
    }

    /// With a header; one that can't be sent is left out.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = value.parse() {
            self.headers.insert(name, value);
        }
        self
    }

    /// For this version, or where there is none yet.
    #[must_use]
    pub fn expecting(self, version: Option<&str>) -> Self {
        match version {
            Some(version) => self.header(IF_MATCH, version),
            None => self.header(IF_NONE_MATCH, "*"),
        }
    }

    /// Whether the login may go to where a redirect led from the server that was asked.
    pub(super) fn may_log_in_from(&self, asked: &Url) -> bool {
        matches!(self.login, Login::InBody) || may_log_in(asked, &self.url)
    }

    /// Whether a redirect is followed: asking twice is asking once, and the next server gets no key.
    pub(super) fn may_follow(&self) -> bool {
        !self.stays
            && !matches!(self.login, Login::Key(..))
            && matches!(self.method.as_str(), "GET" | "PROPFIND" | "REPORT")
    }
}

/// Whether a login that a person gave for the server of `asked` may go to the one of `led_to`, which that server named: to
/// the same one, whatever its port, to one below it, or over TLS to any other in the domain that its owner registered.
/// No answer may give a person's password to anyone else.
#[must_use]
pub fn may_log_in(asked: &Url, led_to: &Url) -> bool {
    let (Some(before), Some(after)) = (asked.host_str(), led_to.host_str()) else { return false };
    let is_below = || {
        let below = after.strip_suffix(before).is_some_and(|rest| rest.ends_with('.'));
        below && asked.domain().is_some()
    };
    let is_beside = || {
        let of_one_owner = registered(asked).is_some_and(|domain| registered(led_to) == Some(domain));
        of_one_owner && led_to.scheme() == "https"
    };
    let is_as_private = led_to.scheme() == asked.scheme() || led_to.scheme() == "https";
    is_as_private && (before == after || is_below() || is_beside())
}

/// The domain that the owner of a host registered. `None` where that is not known: for addresses, for names below no
/// public suffix, and for names of other scripts, which the list has as they are written and URLs do not.
fn registered(url: &Url) -> Option<&str> {
    let name = url.domain()?;
    if name.split('.').any(|label| label.starts_with("xn--")) {
        return None;
    }
    psl::suffix(name.as_bytes()).filter(psl::Suffix::is_known)?;
    psl::domain_str(name)
}
