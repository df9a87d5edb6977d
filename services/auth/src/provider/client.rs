//! HTTP to the provider, kept on a short lead.

use core::{fmt, future::Future, pin::Pin, time::Duration};

use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};

/// A person waits meanwhile.
const PATIENCE: Duration = Duration::from_secs(10);
const CONNECT: Duration = Duration::from_secs(5);
/// Discovery documents, key sets and token answers are a few kilobytes.
const MOST: usize = 256 << 10;

/// Speaks to the provider's back door. It follows no redirect: one could lead into our own
/// network with the client's secret.
#[derive(Debug)]
pub struct HttpClient(reqwest::Client);

/// The provider did not answer, or with more than it has to say.
#[derive(Debug)]
pub enum Unreachable {
    /// It did not answer in time, or not at all.
    Failed(reqwest::Error),
    /// Its answer is too long.
    TooLong,
}

impl HttpClient {
    /// A client with the machine's trusted roots; what is on this machine is asked without a proxy.
    ///
    /// # Errors
    /// When there is no TLS.
    pub fn new(on_this_machine: bool) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(PATIENCE)
            .connect_timeout(CONNECT);
        let client = if on_this_machine { client.no_proxy() } else { client };
        Ok(Self(client.build()?))
    }

    async fn answer(&self, request: HttpRequest) -> Result<HttpResponse, Unreachable> {
        let mut response = self.0.execute(request.try_into()?).await?;
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > MOST {
                return Err(Unreachable::TooLong);
            }
            body.extend_from_slice(&chunk);
        }
        let mut answer = HttpResponse::new(body);
        *answer.status_mut() = response.status();
        *answer.headers_mut() = core::mem::take(response.headers_mut());
        Ok(answer)
    }
}

impl<'c> AsyncHttpClient<'c> for HttpClient {
    type Error = Unreachable;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Unreachable>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.answer(request))
    }
}

impl From<reqwest::Error> for Unreachable {
    fn from(error: reqwest::Error) -> Self {
        // Addresses carry no secret here, but they don't belong in the error message.
        Self::Failed(error.without_url())
    }
}

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => write!(f, "the provider did not answer: {error}"),
            Self::TooLong => f.write_str("the provider's answer is too long"),
        }
    }
}

impl core::error::Error for Unreachable {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Failed(error) => Some(error),
            Self::TooLong => None,
        }
    }
}
