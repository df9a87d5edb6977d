//! HTTP to servers that people name. Scheme and address are checked before each call and again as the
//! connection is made, redirects are followed by hand and checked the same, and answers are bounded.

use core::time::Duration;

use reach::{Blocked, Reach};
use reqwest::{
    Client, Method, StatusCode, Url,
    header::{
        CONTENT_TYPE, ETAG, HeaderMap, HeaderName, IF_MATCH, IF_NONE_MATCH, LAST_MODIFIED, LOCATION,
        RETRY_AFTER,
    },
};

use super::breaker::{Breakers, Closed};

const CONNECT: Duration = Duration::from_secs(5);
/// One call; a page of a calendar may take several.
const PATIENCE: Duration = Duration::from_secs(8);
const MOST_REDIRECTS: usize = 5;
/// Fifty entries of a calendar, with their attachments.
const MOST_BYTES: usize = 16 << 20;
/// What a server says of an error is cut here.
const MOST_ERROR_BYTES: usize = 64 << 10;

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

/// A request.
#[derive(Debug, Clone)]
pub struct Ask {
    method: Method,
    url: Url,
    headers: HeaderMap,
    login: Login,
    lane: Option<String>,
    body: Option<String>,
    stays: bool,
    most: usize,
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

/// An answer.
#[derive(Debug, Clone)]
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
        self.headers.insert(CONTENT_TYPE, reqwest::header::HeaderValue::from_static(kind));
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

    /// Whether a redirect is followed: asking twice is asking once, and the next server gets no key.
    fn may_follow(&self) -> bool {
        !self.stays
            && !matches!(self.login, Login::Key(..))
            && matches!(self.method.as_str(), "GET" | "PROPFIND" | "REPORT")
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
                    "{host} did not answer lately; it is asked again in {seconds} s"
                ))
            })?;
        let answer = self.follow(ask).await;
        match &answer {
            Ok(answer) if !answer.status.is_server_error() => permit.succeeded(),
            Err(Fault::Web(WebError::Forbidden(_))) => permit.succeeded(),
            Ok(_) | Err(Fault::Unusable(_)) => permit.failed(),
            Err(Fault::Web(WebError::Unknown(_) | WebError::Unreachable(_))) => permit.was_not_answered(),
        }
        answer.map_err(Into::into)
    }

    async fn follow(&self, mut ask: Ask) -> Result<Answer, Fault> {
        for _ in 0..=MOST_REDIRECTS {
            self.reach.check(&ask.url).await?;
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
        let (status, etag, location) = (response.status(), text(ETAG), text(LOCATION));
        let last_modified = text(LAST_MODIFIED);
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
        let body = String::from_utf8_lossy(&bytes).into_owned();
        Ok((Answer { status, url: ask.url.clone(), etag, last_modified, retry_after, body }, location))
    }
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
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use boot::clock::Clock;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    fn web() -> Web {
        let (clock, _) = Clock::test("2026-06-01T08:00:00Z".parse().unwrap());
        Web::new(Reach::Anywhere, Breakers::new(clock)).unwrap()
    }

    /// A server that gives every caller the same answer; where it is, and how often it was asked.
    async fn server(says: String) -> (Url, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
        let asked = Arc::new(AtomicUsize::new(0));
        let count = asked.clone();
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut request = vec![0; 4096];
                let _ = stream.read(&mut request).await.unwrap();
                count.fetch_add(1, Ordering::Relaxed);
                stream.write_all(says.as_bytes()).await.unwrap();
            }
        });
        (url, asked)
    }

    fn ok(length: usize) -> String {
        let body = "x".repeat(length);
        format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
    }

    fn found(url: &Url) -> String {
        format!("HTTP/1.1 302 Found\r\nlocation: {url}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
    }

    fn ask(url: &Url) -> Ask {
        Ask::new("GET", url.clone(), Login::Bearer("secret".to_owned()))
    }

    #[tokio::test]
    async fn one_that_stays_follows_nowhere() {
        let (other, asked) = server(ok(1)).await;
        let (url, _) = server(found(&other)).await;
        let web = web();
        let answer = web.send(ask(&url).staying()).await.unwrap();
        assert_eq!((answer.status, asked.load(Ordering::Relaxed)), (StatusCode::FOUND, 0));
        assert_eq!(web.send(ask(&url)).await.unwrap().body, "x");
        assert_eq!(asked.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn an_answer_is_at_most_as_long_as_asked_for_and_a_longer_one_rests_its_lane_alone() {
        let (url, _) = server(ok(101)).await;
        let web = web();
        assert!(web.send(ask(&url).at_most(101)).await.is_ok());
        for _ in 0..4 {
            let error = web.send(ask(&url).lane("mia").at_most(100)).await.unwrap_err();
            assert_eq!(error.to_string(), "the server's answer is too long");
        }
        let rests = web.send(ask(&url).lane("mia")).await.unwrap_err();
        assert!(rests.to_string().contains("did not answer lately"), "{rests}");
        assert!(web.send(ask(&url).lane("tom")).await.is_ok());
    }

    #[tokio::test]
    async fn a_port_that_does_not_answer_rests_no_other_of_its_host() {
        let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let closed: Url = format!("http://{}/", gone.local_addr().unwrap()).parse().unwrap();
        drop(gone);
        let (url, _) = server(ok(1)).await;
        let web = web();
        for _ in 0..4 {
            web.send(ask(&closed)).await.unwrap_err();
        }
        let rests = web.send(ask(&closed)).await.unwrap_err();
        assert!(rests.to_string().contains("did not answer lately"), "{rests}");
        assert!(web.send(ask(&url)).await.is_ok());
    }
}
