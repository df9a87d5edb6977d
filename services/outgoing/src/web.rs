//! HTTP to servers that people name. Scheme and address are checked before each call and again as the
//! connection is made, redirects are followed by hand and checked the same, and answers are bounded.

mod ask;

use core::{fmt, time::Duration};

use reach::{Blocked, Reach};
use reqwest::{
    Client, StatusCode, Url,
    header::{ETAG, LAST_MODIFIED, LOCATION, RETRY_AFTER},
};

pub use ask::{Ask, Login, may_log_in};

use super::breaker::{Breakers, Closed};

const CONNECT: Duration = Duration::from_secs(5);
/// One call; a page of a calendar may take several.
const PATIENCE: Duration = Duration::from_secs(8);
const MOST_REDIRECTS: usize = 5;
/// What a server says of an error is cut here.
const MOST_ERROR_BYTES: usize = 64 << 10;
/// Longest name of a version: it is kept, and longer ones count as none.
pub const LONGEST_VERSION: usize = 1_000;

/// Calls servers that people name.
#[derive(Debug, Clone)]
pub struct Web {
    client: Client,
    reach: Reach,
    breakers: Breakers,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebError {
    /// The address is not one that may be called.
    #[error("{0}")]
    Forbidden(String),
    /// There is no server of this name.
    #[error("{0}")]
    Unknown(String),
    /// It may answer later.
    #[error("{0}")]
    Unreachable(String),
}

impl WebError {
    /// The same of a server that people know by the name of its system: "Square can't be reached".
    #[must_use]
    pub fn of(self, system: &str) -> Self {
        let named = |reason: String| match reason.strip_prefix("the server") {
            Some(rest) => format!("{system}{rest}"),
            None => reason,
        };
        match self {
            Self::Forbidden(reason) => Self::Forbidden(named(reason)),
            Self::Unknown(reason) => Self::Unknown(named(reason)),
            Self::Unreachable(reason) => Self::Unreachable(named(reason)),
        }
    }

    /// Where a server leads that is followed by people alone: they know whether that other server is theirs as well.
    #[must_use]
    pub fn leads_to(url: &Url) -> Self {
        let host = url.host_str().unwrap_or_default();
        Self::Forbidden(format!(
            "the server leads to {host}, and a login is given to no other server: enter that address if it is the right one"
        ))
    }
}

/// An answer.
#[derive(Clone)]
pub struct Answer {
    /// Its status.
    pub status: StatusCode,
    /// Where it came from, after redirects.
    pub url: Url,
    /// The version of what was read or written.
    pub etag: Option<String>,
    /// When that was last changed, as the server writes it.
    pub last_modified: Option<String>,
    /// How many seconds it asks to be left alone for.
    pub retry_after: Option<u32>,
    /// What it says.
    pub body: String,
}

/// Without where it came from and what it says, as [`Ask`].
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.url.host_str().unwrap_or_default();
        f.debug_struct("Answer").field("status", &self.status).field("host", &host).finish_non_exhaustive()
    }
}

impl Web {
    /// Calls what `reach` allows.
    ///
    /// # Errors
    /// When there is no TLS.
    pub fn new(reach: Reach, breakers: Breakers) -> anyhow::Result<Self> {
        let client = reach.client().timeout(PATIENCE).connect_timeout(CONNECT).build()?;
        Ok(Self { client, reach, breakers })
    }

    /// The address that a person wrote, if it may be called; a bare name is an https server's.
    ///
    /// # Errors
    /// [`WebError::Forbidden`].
    pub fn address(&self, text: &str) -> Result<Url, WebError> {
        let text = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
        let url = Url::parse(&text).map_err(|_| WebError::Forbidden("it is no web address".to_owned()))?;
        self.reach.check_written(&url)?;
        Ok(url)
    }

    /// Sends a request, and again where a redirect of a read leads.
    ///
    /// # Errors
    /// [`WebError`]; an answer with an error status is an answer.
    pub async fn send(&self, ask: Ask) -> Result<Answer, WebError> {
        let host = match (ask.url.host_str(), ask.url.port()) {
            (None, _) => return Err(WebError::Forbidden("it is no web address".to_owned())),
            (Some(host), None) => host.to_owned(),
            // Another port is another server.
            (Some(host), Some(port)) => format!("{host}:{port}"),
        };
        let permit =
            self.breakers.enter(&host, ask.lane.as_deref()).await.map_err(|Closed { seconds }| {
                WebError::Unreachable(format!(
                    "the server ({host}) did not answer lately; it is asked again in {seconds} s"
                ))
            })?;
        let answer = self.follow(ask).await;
        match &answer {
            Ok(answer) if !is_sick(answer.status) => permit.succeeded(),
            Err(Fault::Web(WebError::Forbidden(_))) => permit.succeeded(),
            Ok(_) | Err(Fault::Unusable(_)) => permit.failed(),
            Err(Fault::Web(WebError::Unknown(_) | WebError::Unreachable(_))) => permit.was_not_answered(),
        }
        answer.map_err(Into::into)
    }

    async fn follow(&self, mut ask: Ask) -> Result<Answer, Fault> {
        let asked = ask.url.clone();
        for _ in 0..=MOST_REDIRECTS {
            self.reach.check(&ask.url).await?;
            if !ask.may_log_in_from(&asked) {
                return Err(WebError::leads_to(&ask.url).into());
            }
            let (answer, location) = self.once(&ask).await?;
            match location {
                Some(location) if answer.status.is_redirection() && ask.may_follow() => {
                    let no_address = |_| Fault::Unusable("the server redirects to what is no address");
                    ask.url = ask.url.join(&location).map_err(no_address)?;
                }
                _ => return Ok(answer),
            }
        }
        Err(Fault::Unusable("the server redirects without end"))
    }

    async fn once(&self, ask: &Ask) -> Result<(Answer, Option<String>), Fault> {
        let request = self.client.request(ask.method.clone(), ask.url.clone()).headers(ask.headers.clone());
        let request = match &ask.login {
            Login::Key(name, key) => request.header(name, key),
            Login::Basic(name, password) => request.basic_auth(name, Some(password)),
            Login::Bearer(token) => request.bearer_auth(token),
            Login::InBody => request,
        };
        let request = match &ask.body {
            Some(body) => request.body(body.clone()),
            None => request,
        };
        let mut response = request.send().await.map_err(unreachable)?;
        let text =
            |name| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let version = |name| text(name).filter(|version| version.len() <= LONGEST_VERSION);
        let (status, location) = (response.status(), text(LOCATION));
        let (etag, last_modified) = (version(ETAG), version(LAST_MODIFIED));
        let retry_after = text(RETRY_AFTER).and_then(|seconds| seconds.parse().ok());
        let most = if status.is_success() { ask.most } else { MOST_ERROR_BYTES };
        let mut bytes = vec![];
        while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
            if bytes.len() + chunk.len() > most {
                if status.is_success() {
                    return Err(Fault::Unusable("the server's answer is too long"));
                }
                break;
            }
            bytes.extend_from_slice(&chunk);
        }
        let body = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Ok((Answer { status, url: ask.url.clone(), etag, last_modified, retry_after, body }, location))
    }
}

/// Whether a status tells of trouble at the server. Some of the 5xx speak of the request alone: a method, a version or a
/// negotiation that the server does not know, or an account that is full.
fn is_sick(status: StatusCode) -> bool {
    let of_the_request = matches!(
        status,
        StatusCode::NOT_IMPLEMENTED
            | StatusCode::HTTP_VERSION_NOT_SUPPORTED
            | StatusCode::VARIANT_ALSO_NEGOTIATES
            | StatusCode::INSUFFICIENT_STORAGE
            | StatusCode::LOOP_DETECTED
            | StatusCode::NOT_EXTENDED
    );
    status.is_server_error() && !of_the_request
}

/// Why nothing is passed on.
#[derive(Debug)]
enum Fault {
    /// The server answered, but not what can be taken.
    Unusable(&'static str),
    /// There is no answer.
    Web(WebError),
}

impl From<Fault> for WebError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Unusable(reason) => Self::Unreachable(reason.to_owned()),
            Fault::Web(error) => error,
        }
    }
}

impl From<WebError> for Fault {
    fn from(error: WebError) -> Self {
        Self::Web(error)
    }
}

impl From<Blocked> for Fault {
    fn from(blocked: Blocked) -> Self {
        Self::Web(blocked.into())
    }
}

impl From<Blocked> for WebError {
    fn from(blocked: Blocked) -> Self {
        match blocked {
            Blocked::Forbidden(reason) => Self::Forbidden(reason),
            Blocked::Unknown(reason) => Self::Unknown(reason),
        }
    }
}

/// Without the address: it may hold a name of a person.
fn unreachable(error: reqwest::Error) -> WebError {
    let reason = if error.is_timeout() {
        "the server did not answer in time"
    } else if error.is_connect() {
        "the server can't be reached"
    } else {
        "the server's answer broke off"
    };
    tracing::debug!(error = %error.without_url(), "a server did not answer");
    WebError::Unreachable(reason.to_owned())
}

#[cfg(test)]
mod tests;
