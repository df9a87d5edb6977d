//! How the installation's services talk to each other: TLS with certificates on both sides, or
//! plain text, which production takes only where a service mesh encrypts.

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::{ArgAction, builder::BoolishValueParser};
use futures::{StreamExt, stream::BoxStream};
use http::Uri;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;

use crate::{
    environment::Environment,
    faults::Faults,
    tls::{Accepted, Connector, Tls},
};

/// What a process reads about its transport from flags and environment.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct TransportConfig {
    /// File with this process's certificate and its intermediates, in PEM; turns TLS on, together
    /// with the key and the authority. All three are read again when they change.
    #[arg(long, env = "TLS_CERT")]
    pub tls_cert: Option<PathBuf>,
    /// File with the certificate's key, in PEM.
    #[arg(long, env = "TLS_KEY")]
    pub tls_key: Option<PathBuf>,
    /// File with the authorities that sign the certificates of all services, in PEM.
    #[arg(long, env = "TLS_CA")]
    pub tls_ca: Option<PathBuf>,
    /// Says that a service mesh encrypts what services send in plain text.
    #[arg(long, env = "MESH", action = ArgAction::Set, value_parser = BoolishValueParser::new(),
        default_value = "false", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub mesh: bool,
}

impl TransportConfig {
    /// Adds what is wrong with it; what encrypts calls, if nothing is.
    pub fn check(&self, faults: &mut Faults) -> Option<Encryption> {
        let files = [("TLS_CERT", &self.tls_cert), ("TLS_KEY", &self.tls_key), ("TLS_CA", &self.tls_ca)];
        if let [(_, Some(cert)), (_, Some(key)), (_, Some(ca))] = files {
            for (setting, file) in [("TLS_CERT", cert), ("TLS_KEY", key), ("TLS_CA", ca)] {
                let read = std::fs::read(file).with_context(|| format!("reading {}", file.display()));
                drop(faults.judge(setting, read));
            }
            if files.iter().any(|(setting, _)| faults.is_faulty(setting)) {
                return None;
            }
            faults.note(Tls::check(cert, key, ca))?;
            return Some(Encryption { tls: true, mesh: self.mesh });
        }
        let tls = files.iter().any(|(_, file)| file.is_some());
        for (setting, _) in files.iter().filter(|(_, file)| file.is_none()) {
            if tls {
                faults.add(setting, "missing; TLS_CERT, TLS_KEY and TLS_CA are given together or not at all");
            } else if faults.in_production() && !self.mesh && !faults.is_faulty("MESH") {
                faults.add(
                    setting,
                    "missing; production needs it for calls between services, or MESH=1 where a service mesh \
                     encrypts these calls",
                );
            }
        }
        (!tls && (self.mesh || !faults.in_production())).then_some(Encryption { tls, mesh: self.mesh })
    }

    /// Reads the certificates, if there are any.
    ///
    /// # Errors
    /// Names what is missing of an incomplete set, the file that can't be used, and in production the
    /// settings that encrypt.
    pub fn open(&self, environment: Environment) -> anyhow::Result<Transport> {
        let given = [("TLS_CERT", &self.tls_cert), ("TLS_KEY", &self.tls_key), ("TLS_CA", &self.tls_ca)];
        let tls = match (&self.tls_cert, &self.tls_key, &self.tls_ca) {
            (Some(cert), Some(key), Some(ca)) => Some(Tls::open(cert, key, ca)?),
            (None, None, None) => None,
            _ => {
                let missing: Vec<_> =
                    given.iter().filter(|(_, file)| file.is_none()).map(|(name, _)| *name).collect();
                bail!(
                    "{}: missing; TLS_CERT, TLS_KEY and TLS_CA are given together or not at all",
                    missing.join(", ")
                );
            }
        };
        ensure!(
            environment != Environment::Production || tls.is_some() || self.mesh,
            "TLS_CERT, TLS_KEY, TLS_CA: production needs them for calls between services, or MESH=1 where a \
             service mesh encrypts these calls"
        );
        Ok(Transport { tls, mesh: self.mesh })
    }
}

/// What encrypts calls between services.
#[derive(Debug, Clone, Copy)]
pub struct Encryption {
    tls: bool,
    mesh: bool,
}

impl Encryption {
    /// Refuses the address of a peer that would be called in plain text, or can't be.
    pub(crate) fn require_for(
        self,
        setting: &str,
        uri: &Uri,
        environment: Environment,
    ) -> anyhow::Result<()> {
        match (uri.scheme_str(), self.tls) {
            (Some("https"), true) => Ok(()),
            (Some("https"), false) => bail!("{setting}: https needs TLS_CERT, TLS_KEY and TLS_CA"),
            (Some("http"), _) if self.mesh => Ok(()),
            (Some("http"), true) => {
                bail!("{setting}: with TLS_CERT it needs https, or MESH=1 where a service mesh encrypts")
            }
            (Some("http"), false) if environment == Environment::Production => {
                bail!("{setting}: production needs https, or MESH=1 where a service mesh encrypts")
            }
            (Some("http"), false) => Ok(()),
            _ => bail!("{setting}: is neither https nor http"),
        }
    }
}

/// How a process calls other services and is called by them.
#[derive(Debug, Clone, Default)]
pub struct Transport {
    tls: Option<Tls>,
    mesh: bool,
}

impl Transport {
    /// Plain text that a service mesh encrypts.
    #[must_use]
    pub fn mesh() -> Self {
        Self { tls: None, mesh: true }
    }

    /// TLS with certificates on both sides.
    #[must_use]
    pub fn mutual(tls: Tls) -> Self {
        Self { tls: Some(tls), mesh: false }
    }

    /// What connects to a peer at `uri` over TLS, or `None` for plain text.
    pub(crate) fn connector(
        &self,
        setting: &str,
        uri: &Uri,
        environment: Environment,
    ) -> anyhow::Result<Option<Connector>> {
        let encryption = Encryption { tls: self.tls.is_some(), mesh: self.mesh };
        encryption.require_for(setting, uri, environment)?;
        Ok(self.tls.clone().filter(|_| uri.scheme_str() == Some("https")).map(Connector::new))
    }

    /// The connections that come in at `listener`, past their handshakes.
    pub(crate) fn incoming(&self, listener: TcpListener) -> BoxStream<'static, std::io::Result<Accepted>> {
        let accepted = TcpListenerStream::new(listener).inspect(|accepted| {
            if let Ok(stream) = accepted
                && let Err(error) = stream.set_nodelay(true)
            {
                tracing::debug!(%error, "TCP_NODELAY refused");
            }
        });
        match &self.tls {
            Some(tls) => Accepted::handshakes(accepted, tls.clone()),
            None => accepted.map(|stream| stream.map(Accepted::plain)).boxed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Environment; 3] = [Environment::Production, Environment::Development, Environment::Test];

    fn refused<T>(judged: anyhow::Result<T>) -> Option<String> {
        judged.err().map(|error| error.to_string())
    }

    #[test]
    fn an_incomplete_set_of_files_is_refused_by_the_names_of_what_is_missing() {
        let file = || Some(PathBuf::from("/tls/file.pem"));
        for given in 1..7_u8 {
            let pick = |bit: u8| (given & bit != 0).then(file).flatten();
            let config = TransportConfig { tls_cert: pick(1), tls_key: pick(2), tls_ca: pick(4), mesh: true };
            for environment in ALL {
                let said = refused(config.open(environment)).unwrap();
                let (missing, _) = said.split_once(": missing").unwrap();
                let expected: Vec<_> = [(1, "TLS_CERT"), (2, "TLS_KEY"), (4, "TLS_CA")]
                    .into_iter()
                    .filter(|(bit, _)| given & bit == 0)
                    .map(|(_, name)| name)
                    .collect();
                assert_eq!(missing, expected.join(", "));
            }
        }
    }

    #[test]
    fn production_calls_in_plain_text_only_where_a_mesh_encrypts() {
        for environment in ALL {
            let production = environment == Environment::Production;
            let said = refused(TransportConfig::default().open(environment));
            assert_eq!(said.as_ref().is_some_and(|said| said.contains("MESH=1")), production, "{said:?}");
            let uri = Uri::from_static("http://tenancy:7102");
            let said = refused(Transport::default().connector("TENANCY_URL", &uri, environment));
            assert_eq!(said.is_some(), production);
            assert!(said.is_none_or(|said| said.starts_with("TENANCY_URL") && said.contains("MESH=1")));
            let mesh =
                TransportConfig { mesh: true, ..TransportConfig::default() }.open(environment).unwrap();
            assert!(mesh.connector("TENANCY_URL", &uri, environment).unwrap().is_none());
        }
    }

    #[test]
    fn https_without_certificates_and_other_schemes_are_refused() {
        for uri in ["https://tenancy:7102", "ftp://tenancy", "tenancy:7102"] {
            let uri = Uri::from_static(uri);
            let said = refused(Transport::default().connector("TENANCY_URL", &uri, Environment::Test));
            assert!(said.unwrap().starts_with("TENANCY_URL"));
        }
    }
}
