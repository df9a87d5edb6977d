//! From PEM to what handshakes need.

use std::sync::Arc;

use anyhow::{Context, ensure};
use tokio_rustls::rustls::{
    ClientConfig, RootCertStore, ServerConfig,
    client::Resumption,
    crypto::aws_lc_rs,
    pki_types::{CertificateDer, PrivateKeyDer, UnixTime, pem::PemObject},
    server::{NoServerSessionStorage, WebPkiClientVerifier},
    version::TLS13,
};

/// gRPC is HTTP/2.
const PROTOCOL: &[u8] = b"h2";

/// What the three files hold.
#[derive(PartialEq, Eq)]
pub(super) struct Pems {
    pub(super) cert: Vec<u8>,
    pub(super) key: Vec<u8>,
    pub(super) ca: Vec<u8>,
}

/// Both ends of a handshake.
pub(super) struct Material {
    pub(super) server: Arc<ServerConfig>,
    pub(super) client: Arc<ClientConfig>,
    /// When the certificate ends, in seconds since 1970.
    pub(super) not_after: i64,
}

impl Material {
    /// # Errors
    /// Naming the setting whose file can't be used.
    pub(super) fn of(pems: &Pems) -> anyhow::Result<Self> {
        let mut roots = RootCertStore::empty();
        for authority in certificates(&pems.ca).context("TLS_CA")? {
            roots.add(authority).context("TLS_CA")?;
        }
        let roots = Arc::new(roots);
        let chain = certificates(&pems.cert).context("TLS_CERT")?;
        let not_after = not_after(&chain[0]).context("TLS_CERT")?;
        let key = PrivateKeyDer::from_pem_slice(&pems.key).context("TLS_KEY")?;
        let provider = Arc::new(aws_lc_rs::default_provider());
        let verifier = WebPkiClientVerifier::builder_with_provider(roots.clone(), provider.clone())
            .build()
            .context("TLS_CA")?;
        // A set that is replaced file by file, or has expired, would be refused by every peer.
        verifier
            .verify_client_cert(&chain[0], &chain[1..], UnixTime::now())
            .context("TLS_CERT: the authorities of TLS_CA refuse it")?;
        let mut server = ServerConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(&[&TLS13])?
            .with_client_cert_verifier(verifier)
            .with_single_cert(chain.clone(), key.clone_key())
            .context("TLS_KEY: not the key of TLS_CERT")?;
        let mut client = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&TLS13])?
            .with_root_certificates(roots)
            .with_client_auth_cert(chain, key)
            .context("TLS_KEY: not the key of TLS_CERT")?;
        // A resumed session would show no certificate, and outlive the one that began it.
        server.send_tls13_tickets = 0;
        server.session_storage = Arc::new(NoServerSessionStorage {});
        client.resumption = Resumption::disabled();
        server.alpn_protocols = vec![PROTOCOL.to_vec()];
        client.alpn_protocols = vec![PROTOCOL.to_vec()];
        Ok(Self { server: Arc::new(server), client: Arc::new(client), not_after })
    }
}

pub(crate) fn certificates(pem: &[u8]) -> anyhow::Result<Vec<CertificateDer<'static>>> {
    let found: Vec<_> = CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>()?;
    ensure!(!found.is_empty(), "the file holds no certificate");
    Ok(found)
}

fn not_after(certificate: &[u8]) -> anyhow::Result<i64> {
    let (_, certificate) = x509_parser::parse_x509_certificate(certificate)?;
    Ok(certificate.validity().not_after.timestamp())
}
