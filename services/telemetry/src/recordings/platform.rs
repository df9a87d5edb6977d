//! Fetches recordings from the platforms that made them.

use core::time::Duration;

use bytes::Bytes;
use reach::{Blocked, Reach};
use reqwest::{
    Client, Response, StatusCode,
    header::{AUTHORIZATION, LOCATION},
};
use url::Url;

use crate::domain::recording::MOST_BYTES;

/// Of one recording; its lease is longer.
const PATIENCE: Duration = Duration::from_secs(5 * 60);
const CONNECT: Duration = Duration::from_secs(5);
/// Between two pieces.
const SILENCE: Duration = Duration::from_secs(20);
const MOST_REDIRECTS: usize = 5;

/// Why a recording was not fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// It may work later.
    #[error("{0}")]
    Passing(String),
    /// It never works.
    #[error("{0}")]
    Final(String),
}

impl From<Blocked> for FetchError {
    fn from(blocked: Blocked) -> Self {
        match blocked {
            Blocked::Forbidden(reason) => Self::Final(reason),
            Blocked::Unknown(reason) => Self::Passing(reason),
        }
    }
}

/// Asks platforms.
#[derive(Debug, Clone)]
pub struct Platform {
    client: Client,
    reach: Reach,
}

impl Platform {
    /// Asks what `reach` allows.
    ///
    /// # Errors
    /// When there is no TLS.
    pub fn new(reach: Reach) -> anyhow::Result<Self> {
        let client =
            reach.client().timeout(PATIENCE).read_timeout(SILENCE).connect_timeout(CONNECT).build()?;
        Ok(Self { client, reach })
    }

    /// Opens a recording, where redirects lead; `login` is for the first server alone.
    ///
    /// # Errors
    /// [`FetchError`].
    pub async fn open(&self, source: &str, login: Option<&str>) -> Result<Incoming, FetchError> {
        let mut url =
            Url::parse(source).map_err(|_| FetchError::Final("its address is no web address".to_owned()))?;
        let first = url.origin();
        for _ in 0..=MOST_REDIRECTS {
            self.reach.check(&url).await?;
            let request = self.client.get(url.clone());
            let request = match login.filter(|_| url.origin() == first) {
                Some(login) => request.header(AUTHORIZATION, login),
                None => request,
            };
            let response = request.send().await.map_err(broken)?;
            if !response.status().is_redirection() {
                return Incoming::of(response);
            }
            let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            url = location.and_then(|location| url.join(location).ok()).ok_or_else(|| {
                FetchError::Passing("the platform redirects to what is no address".to_owned())
            })?;
        }
        Err(FetchError::Passing("the platform redirects without end".to_owned()))
    }
}

/// A recording that comes piece by piece.
#[derive(Debug)]
pub struct Incoming {
    response: Response,
    received: u64,
}

impl Incoming {
    fn of(response: Response) -> Result<Self, FetchError> {
        let status = response.status();
        if status.is_success() {
            if response.content_length().is_some_and(|length| length > MOST_BYTES) {
                return Err(too_long());
            }
            return Ok(Self { response, received: 0 });
        }
        let reason = format!("the platform answered {}", status.as_u16());
        // A recording may take a while to be there: what is not found is asked for again.
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::GONE => {
                Err(FetchError::Final(reason))
            }
            _ => Err(FetchError::Passing(reason)),
        }
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// [`FetchError`].
    pub async fn next(&mut self) -> Result<Option<Bytes>, FetchError> {
        let piece = self.response.chunk().await.map_err(broken)?;
        self.received += piece.as_ref().map_or(0, |piece| piece.len() as u64);
        if self.received > MOST_BYTES { Err(too_long()) } else { Ok(piece) }
    }
}

fn too_long() -> FetchError {
    FetchError::Final("it is larger than 160 MB".to_owned())
}

/// Without the address, which lets its reader hear the call.
fn broken(error: reqwest::Error) -> FetchError {
    let reason = if error.is_timeout() {
        "the platform did not answer in time"
    } else if error.is_connect() {
        "the platform can't be reached"
    } else {
        "the platform's answer broke off"
    };
    tracing::debug!(error = %error.without_url(), "a recording was not fetched");
    FetchError::Passing(reason.to_owned())
}
