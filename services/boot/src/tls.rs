//! TLS 1.3 between services, with certificates on both sides. The files are compared before each
//! handshake, so that a new certificate needs neither a restart nor a signal.

mod accept;
mod connect;
mod material;

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Context;
use opentelemetry::{global, metrics::ObservableGauge};

pub use accept::Accepted;
pub use connect::Connector;
pub(crate) use material::certificates;
use material::{Material, Pems};

/// Certificate, key and authorities of a process, kept up to date with their files.
#[derive(Clone)]
pub struct Tls {
    files: Arc<Files>,
    _expiry: ObservableGauge<i64>,
}

struct Files {
    cert: PathBuf,
    key: PathBuf,
    ca: PathBuf,
    state: Mutex<State>,
}

struct State {
    /// What the files last held, usable or not; `None` if they could not be read.
    seen: Option<Pems>,
    material: Arc<Material>,
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("cert", &self.files.cert).finish_non_exhaustive()
    }
}

impl Tls {
    /// Reads the files.
    ///
    /// # Errors
    /// Names the setting of a file that can't be read, or of a certificate that other services would
    /// refuse: expired, of another authority, not for this key.
    pub fn open(cert: &Path, key: &Path, ca: &Path) -> anyhow::Result<Self> {
        let pems = Pems::read(cert, key, ca)?;
        let material = Arc::new(Material::of(&pems)?);
        let state = Mutex::new(State { seen: Some(pems), material });
        let files = Arc::new(Files { cert: cert.into(), key: key.into(), ca: ca.into(), state });
        Ok(Self { _expiry: expiry(files.clone()), files })
    }

    /// Judges the files without using them.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(crate) fn check(cert: &Path, key: &Path, ca: &Path) -> anyhow::Result<()> {
        Material::of(&Pems::read(cert, key, ca)?).map(drop)
    }

    /// What the next handshake uses.
    async fn current(&self) -> io::Result<Arc<Material>> {
        let files = self.files.clone();
        tokio::task::spawn_blocking(move || files.current()).await.map_err(io::Error::other)
    }
}

impl Files {
    /// The newest usable material. Files that are half written, or don't belong together, change nothing.
    fn current(&self) -> Arc<Material> {
        // Held while the files are read: an older reading must not replace a newer one.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let read = Pems::read(&self.cert, &self.key, &self.ca);
        if let Ok(pems) = &read
            && state.seen.as_ref() == Some(pems)
        {
            return state.material.clone();
        }
        let unreadable = read.is_err();
        let known = unreadable && state.seen.is_none();
        match read.and_then(|pems| {
            let material = Material::of(&pems);
            state.seen = Some(pems);
            material
        }) {
            Ok(material) => {
                tracing::info!(file = %self.cert.display(), "serving with the new certificate");
                state.material = Arc::new(material);
            }
            Err(error) if !known => {
                tracing::warn!(
                    error = format!("{error:#}"),
                    "the new certificate can't be used; keeping the old one"
                );
            }
            Err(_) => {}
        }
        if unreadable {
            state.seen = None;
        }
        state.material.clone()
    }
}

/// Tells when the certificate in use ends, without which a replacement that never came is noticed
/// when every call fails.
fn expiry(files: Arc<Files>) -> ObservableGauge<i64> {
    global::meter("frontdesk")
        .i64_observable_gauge("frontdesk.tls.certificate.not_after")
        .with_description("When the certificate in use ends, in seconds since 1970.")
        .with_unit("s")
        .with_callback(move |observer| observer.observe(files.current().not_after, &[]))
        .build()
}

impl Pems {
    fn read(cert: &Path, key: &Path, ca: &Path) -> anyhow::Result<Self> {
        let read = |setting: &'static str, path: &Path| {
            std::fs::read(path).with_context(|| format!("{setting}: reading {}", path.display()))
        };
        Ok(Self { cert: read("TLS_CERT", cert)?, key: read("TLS_KEY", key)?, ca: read("TLS_CA", ca)? })
    }
}
