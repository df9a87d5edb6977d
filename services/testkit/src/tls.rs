//! Servers on loopback whose certificate is from a private authority.

use std::{net::SocketAddr, sync::Arc};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{ServerConfig, crypto::aws_lc_rs, pki_types::PrivateKeyDer},
};

/// A server that gives one answer to every request, until it is dropped.
#[derive(Debug)]
pub struct HttpsServer {
    address: SocketAddr,
    serving: tokio::task::JoinHandle<()>,
}

impl HttpsServer {
    /// Its URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("https://{}", self.address)
    }
}

impl Drop for HttpsServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// A server that answers every request with `status` and `body`, and the certificate (PEM) of the private authority
/// that its own is from.
///
/// # Panics
/// When no port is to be had.
pub async fn https(status: &'static str, body: &'static str) -> (HttpsServer, String) {
    let (tls, authority) = tls_under_authority();
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
    let address = listener.local_addr().expect("a bound port has an address");
    let length = body.len();
    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
    let serving = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (tls, answer) = (tls.clone(), answer.clone());
            drop(tokio::spawn(async move {
                // A client that does not trust us hangs up.
                let Ok(mut stream) = tls.accept(stream).await else { return };
                let mut request = Vec::new();
                while !request.ends_with(b"\r\n\r\n") {
                    match stream.read_u8().await {
                        Ok(byte) => request.push(byte),
                        Err(_) => return,
                    }
                }
                if stream.write_all(answer.as_bytes()).await.is_ok() {
                    drop(stream.shutdown().await);
                }
            }));
        }
    });
    (HttpsServer { address, serving }, authority)
}

/// The server's side of TLS, under a certificate authority (PEM) that no client trusts yet.
pub(crate) fn tls_under_authority() -> (TlsAcceptor, String) {
    let authority = authority();
    let key = KeyPair::generate().expect("a key is made");
    let params = CertificateParams::new(["127.0.0.1".to_owned()]).expect("an address is a name");
    let certificate = params.signed_by(&key, &authority).expect("an authority signs");
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key is one");
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider knows the protocol")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .expect("the key is the certificate's");
    (TlsAcceptor::from(Arc::new(config)), authority.pem())
}

fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().expect("a key is made");
    CertifiedIssuer::self_signed(params, key).expect("an authority signs itself")
}
