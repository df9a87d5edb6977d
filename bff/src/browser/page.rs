//! The page: one document for every address, rendered with a nonce per answer,
//! and the files it loads.

use std::path::Path;

use anyhow::{Context, ensure};
use axum::{
    Extension,
    body::Body,
    extract::Request,
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use boot::{
    environment::Environment,
    retention::{self, in_days},
    security::SecurityProfile,
};
use http::{HeaderValue, Method, StatusCode, header};
use jiff::SignedDuration;
use proto::error::Reason;
use tower::ServiceExt;
use tower_http::services::ServeDir;

use super::{page_report::Wanted, xsrf::KeepPair};
use crate::{edge::no_such_verb, refusal::Refusal};

const NONCE: &str = "__CSP_NONCE__";
const RUNTIME: &str = "__RUNTIME_CONFIG__";
/// Nothing on our pages writes HTML or scripts from strings: browsers stop what does, and no script may allow itself to.
const TRUSTED_TYPES: &str = "; require-trusted-types-for 'script'; trusted-types 'none'";
/// Files whose names carry a hash of their content.
const HASHED: &str = "/assets/";

/// What the page is told of what is configured.
#[derive(Debug, Clone, Copy)]
pub struct Told {
    /// What is worth measuring.
    pub reports: Wanted,
    /// Our own agent can speak.
    pub agent_model: bool,
}

/// The built page.
#[derive(Debug, Clone)]
pub struct Page {
    document: String,
    files: ServeDir,
    /// The query devtools write HTML from strings; production has none.
    trusted_types: bool,
}

impl Page {
    /// Reads the built page in `root`.
    ///
    /// # Errors
    /// When there is none, or it has no place for nonce or configuration.
    pub fn open(
        root: &Path,
        environment: Environment,
        renewal: SignedDuration,
        told: Told,
    ) -> anyhow::Result<Self> {
        let html = Self::read(root).context("WEB_ROOT")?;
        let files = ServeDir::new(root)
            .append_index_html_on_directories(false)
            .precompressed_br()
            .precompressed_gzip();
        let document = html.replace(RUNTIME, &runtime(environment, renewal, told));
        Ok(Self { document, files, trusted_types: environment == Environment::Production })
    }

    /// The document that pages are made of.
    ///
    /// # Errors
    /// A missing page, or another's.
    pub fn read(root: &Path) -> anyhow::Result<String> {
        let path = root.join("index.html");
        let html = std::fs::read_to_string(&path)
            .with_context(|| format!("reading the built page at {}", path.display()))?;
        ensure!(html.contains(NONCE) && html.contains(RUNTIME), "{} is not our page", path.display());
        Ok(html)
    }

    /// Answers any path that is not the API's.
    pub async fn answer(&self, request: Request) -> Response {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return no_such_verb(&["GET", "HEAD"]).into_response();
        }
        let path = request.uri().path();
        let hashed = path.starts_with(HASHED);
        let hidden = path.split('/').any(|segment| segment.starts_with('.'));
        // Files are found by the decoded path, and no file of ours has a name that needs encoding.
        let encoded = path.contains('%');
        if path == "/" || path.ends_with("/index.html") || hidden || encoded {
            return self.render();
        }
        let file = self.files.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
        match file.status() {
            StatusCode::NOT_FOUND if hashed => {
                Refusal::new(Reason::NotFound, "there is no such file").into_response()
            }
            StatusCode::NOT_FOUND | StatusCode::TEMPORARY_REDIRECT => self.render(),
            _ => keep(file.map(Body::new), hashed),
        }
    }

    fn render(&self) -> Response {
        let nonce = STANDARD.encode(boot::random::bytes::<16>());
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
            (header::CONTENT_SECURITY_POLICY, policy(&nonce, self.trusted_types)),
        ];
        (headers, self.document.replace(NONCE, &nonce)).into_response()
    }
}

/// How long browsers and caches keep a file; what they share must not set cookies.
fn keep(mut file: Response, hashed: bool) -> Response {
    let time = if hashed { "public, max-age=31536000, immutable" } else { "public, max-age=3600" };
    file.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(time));
    file.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    (Extension(KeepPair), file).into_response()
}

fn policy(nonce: &str, trusted_types: bool) -> HeaderValue {
    let trusted_types = if trusted_types { TRUSTED_TYPES } else { "" };
    let policy = format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self' data: blob:; font-src 'self'; media-src 'self' blob:; connect-src 'self'; \
         worker-src 'self'; manifest-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'{trusted_types}"
    );
    HeaderValue::try_from(policy).expect("a nonce is visible ASCII")
}

/// For how many days what is kept for a time is kept, as the privacy page tells it.
fn kept_days(environment: Environment) -> serde_json::Value {
    serde_json::json!({
        "answers": in_days(retention::ANSWERS),
        "changes": in_days(retention::CHANGES),
        "deliveries": in_days(retention::DELIVERIES),
        "events": in_days(retention::EVENTS),
        "exports": in_days(retention::EXPORTS),
        "imports": in_days(retention::IMPORTS),
        "mail": in_days(retention::MAIL),
        "productEvents": in_days(retention::PRODUCT_EVENTS),
        "providerRuns": in_days(retention::PROVIDER_RUNS),
        "securityEvents": in_days(SecurityProfile::of(environment).events.age),
        "syncHistory": in_days(retention::SYNC_HISTORY),
    })
}

/// What the page is told of the installation, safe inside a script element.
fn runtime(environment: Environment, renewal: SignedDuration, told: Told) -> String {
    let kept = kept_days(environment);
    let environment = match environment {
        Environment::Production => "production",
        Environment::Development => "development",
        Environment::Test => "test",
    };
    let runtime = serde_json::json!({
        "apiBaseUrl": "/api",
        "webSocketUrl": "/ws",
        "environment": environment,
        "renewalThresholdMs": renewal.as_millis(),
        "reports": told.reports,
        "agentModel": told.agent_model,
        "keptDays": kept,
        "version": env!("CARGO_PKG_VERSION"),
    });
    runtime.to_string().replace('<', "\\u003c")
}
