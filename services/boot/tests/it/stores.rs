//! Redis over TLS: which servers are believed.

use std::{fs, net::SocketAddr, sync::Arc};

use boot::{config::Secret, stores::StoresConfig};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use testkit::TestRedis;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, UnixStream},
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority() -> Authority {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// Encrypts the connections to `redis`, as a server named `name` by `authority`.
async fn encrypted(redis: &TestRedis, authority: &Authority, name: &str) -> SocketAddr {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new([name.to_owned()]).unwrap();
    let certificate = params.signed_by(&key, authority).unwrap().pem();
    let chain = vec![CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()];
    let key = PrivateKeyDer::from_pem_slice(key.serialize_pem().as_bytes()).unwrap();
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let socket = redis.url().strip_prefix("unix://").unwrap().to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (plain, _) = listener.accept().await.unwrap();
            let (acceptor, socket) = (acceptor.clone(), socket.clone());
            tokio::spawn(async move {
                // A client that does not believe us leaves in the middle of the handshake.
                let Ok(mut client) = acceptor.accept(plain).await else { return };
                let mut server = UnixStream::connect(socket).await.unwrap();
                let _ = copy_bidirectional(&mut client, &mut server).await;
            });
        }
    });
    address
}

async fn ping(config: &StoresConfig, address: SocketAddr) -> anyhow::Result<String> {
    let client = config.open_redis(&Secret::new(format!("rediss://{address}")))?;
    let mut connection = client.get_multiplexed_async_connection().await?;
    Ok(redis::cmd("PING").query_async(&mut connection).await?)
}

#[tokio::test]
async fn redis_is_believed_by_its_authority_and_its_name() {
    let (redis, folder) = (testkit::redis().await, tempfile::tempdir().unwrap());
    let (ours, foreign) = (authority(), authority());
    let file = folder.path().join("ca.pem");
    fs::write(&file, ours.pem()).unwrap();
    let config = StoresConfig { redis_ca_file: Some(file), ..StoresConfig::default() };

    let genuine = encrypted(&redis, &ours, "127.0.0.1").await;
    assert_eq!(ping(&config, genuine).await.unwrap(), "PONG");
    assert!(ping(&StoresConfig::default(), genuine).await.is_err(), "a private authority was not named");
    for (authority, name) in [(&foreign, "127.0.0.1"), (&ours, "redis.example.com")] {
        let other = encrypted(&redis, authority, name).await;
        assert!(ping(&config, other).await.is_err(), "{name}");
    }
}

#[test]
fn a_file_without_certificates_is_no_authority() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem");
    fs::write(&file, "no certificate").unwrap();
    let config = StoresConfig { redis_ca_file: Some(file), ..StoresConfig::default() };
    let refused = config.open_redis(&Secret::new("rediss://127.0.0.1")).unwrap_err();
    assert!(format!("{refused:#}").contains("holds no certificate"), "{refused:#}");
}
