//! TLS between services: which connections are let in, which peers are believed, and how
//! certificates are replaced while calls are under way.

use std::{
    fs, io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use boot::{Host, peer::Peer, tls::Tls, transport::Transport};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Notify,
};
use tokio_rustls::{
    TlsAcceptor, TlsConnector,
    rustls::{
        ClientConfig, RootCertStore, ServerConfig,
        crypto::aws_lc_rs,
        pki_types::{CertificateDer, PrivateKeyDer, ServerName, pem::PemObject},
        version::TLS13,
    },
};
use tonic::{Code, Status};
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

use testkit::echo::{Echo, SAY, call, send};

const PATIENCE: Duration = Duration::from_secs(20);

struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate and its key, in PEM.
#[derive(Clone)]
struct Leaf {
    cert: String,
    key: String,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    fn pem(&self) -> String {
        self.0.pem()
    }

    fn leaf(&self) -> Leaf {
        self.sign(CertificateParams::new(["127.0.0.1".to_owned()]).unwrap())
    }

    fn expired(&self) -> Leaf {
        let mut params = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
        params.not_after = date_time_ymd(2020, 1, 1);
        self.sign(params)
    }

    fn sign(&self, params: CertificateParams) -> Leaf {
        let key = KeyPair::generate().unwrap();
        Leaf { cert: params.signed_by(&key, &self.0).unwrap().pem(), key: key.serialize_pem() }
    }
}

impl Leaf {
    fn der(&self) -> CertificateDer<'static> {
        CertificateDer::from_pem_slice(self.cert.as_bytes()).unwrap()
    }

    fn private(&self) -> PrivateKeyDer<'static> {
        PrivateKeyDer::from_pem_slice(self.key.as_bytes()).unwrap()
    }
}

/// The three files of a process.
struct Files(TempDir);

impl Files {
    fn new(leaf: &Leaf, authorities: &[&Authority]) -> Self {
        let files = Self(tempfile::tempdir().unwrap());
        files.write("cert", &leaf.cert);
        files.write("key", &leaf.key);
        files.trust(authorities);
        files
    }

    fn write(&self, name: &str, pem: &str) {
        fs::write(self.0.path().join(name), pem).unwrap();
    }

    fn trust(&self, authorities: &[&Authority]) {
        self.write("ca", &authorities.iter().map(|authority| authority.pem()).collect::<String>());
    }

    fn open(&self) -> anyhow::Result<Tls> {
        let file = |name| self.0.path().join(name);
        Tls::open(&file("cert"), &file("key"), &file("ca"))
    }

    fn host(&self) -> Host {
        let (mut host, _) = testkit::host("scheduling");
        host.transport = Transport::mutual(self.open().unwrap());
        host
    }
}

fn peer(address: SocketAddr, host: &Host) -> Peer {
    Peer::lazy("scheduling", &format!("https://{address}"), host).unwrap()
}

async fn echo(host: &Host) -> SocketAddr {
    testkit::serve(Echo::routes(|request| async { Ok(request.into_inner()) }), host).await
}

fn unavailable(answer: Result<String, Status>) -> bool {
    answer.is_err_and(|status| status.code() == Code::Unavailable)
}

/// A client that speaks no TLS reads an alert where it expects HTTP/2.
fn broken(code: Code) -> bool {
    matches!(code, Code::Unavailable | Code::Internal)
}

/// A client of a test's own, which believes `authority` and shows `leaf`.
fn client(authority: &Authority, leaf: Option<&Leaf>) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(authority.pem().as_bytes()).unwrap()).unwrap();
    let builder = ClientConfig::builder_with_provider(aws_lc_rs::default_provider().into())
        .with_protocol_versions(&[&TLS13])
        .unwrap()
        .with_root_certificates(roots);
    let mut config = match leaf {
        Some(leaf) => builder.with_client_auth_cert(vec![leaf.der()], leaf.private()).unwrap(),
        None => builder.with_no_client_auth(),
    };
    config.alpn_protocols = vec![b"h2".to_vec()];
    config
}

/// The certificate that the service shows to a client that it lets in.
async fn shown(address: SocketAddr, config: ClientConfig) -> io::Result<CertificateDer<'static>> {
    const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    let name = ServerName::IpAddress(address.ip().into());
    let stream = TcpStream::connect(address).await?;
    let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await?;
    stream.write_all(PREFACE).await?;
    // With TLS 1.3 a client learns only now whether it was let in.
    stream.read_exact(&mut [0; 9]).await?;
    Ok(stream.get_ref().1.peer_certificates().unwrap()[0].clone().into_owned())
}

#[tokio::test]
async fn a_service_takes_only_clients_with_a_valid_certificate_of_its_authority() {
    let (ours, foreign) = (Authority::new(), Authority::new());
    let host = Files::new(&ours.leaf(), &[&ours]).host();
    let address = echo(&host).await;

    assert_eq!(call(&peer(address, &host), SAY).await.unwrap(), "hello");
    shown(address, client(&ours, Some(&ours.leaf()))).await.unwrap();

    let (mut plain, _) = testkit::host("scheduling");
    plain.transport = Transport::mesh();
    let refused = call(&testkit::peer("scheduling", address, &plain), SAY).await.unwrap_err();
    assert!(broken(refused.code()), "plain text: {refused:?}");
    // It believes the service, but is signed by another authority.
    let stranger = Files::new(&foreign.leaf(), &[&ours, &foreign]).host();
    assert!(unavailable(call(&peer(address, &stranger), SAY).await), "a foreign authority's client");
    for (leaf, why) in
        [(None, "no certificate"), (Some(foreign.leaf()), "foreign"), (Some(ours.expired()), "expired")]
    {
        assert!(shown(address, client(&ours, leaf.as_ref())).await.is_err(), "{why}");
    }
    assert_eq!(call(&peer(address, &host), SAY).await.unwrap(), "hello", "the others are served as before");
}

#[tokio::test]
async fn a_client_believes_only_a_peer_of_its_authority_by_its_name() {
    let (ours, foreign) = (Authority::new(), Authority::new());
    let caller = Files::new(&ours.leaf(), &[&ours]).host();
    let elsewhere = ours.sign(CertificateParams::new(["tenancy".to_owned()]).unwrap());
    for (leaf, why) in [(foreign.leaf(), "a foreign authority"), (elsewhere, "another host's name")] {
        let host = Files::new(&leaf, &[&ours, &foreign]).host();
        let calls = Arc::new(AtomicU32::new(0));
        let counted = calls.clone();
        let routes = Echo::routes(move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
            async { Ok(String::new()) }
        });
        let address = testkit::serve(routes, &host).await;
        assert!(unavailable(call(&peer(address, &caller), SAY).await), "{why}");
        assert_eq!(calls.load(Ordering::Relaxed), 0, "{why}");
    }
}

#[tokio::test]
async fn a_client_refuses_a_peer_whose_certificate_has_expired() {
    let ours = Authority::new();
    let caller = Files::new(&ours.leaf(), &[&ours]).host();
    let expired = ours.expired();
    let mut config = ServerConfig::builder_with_provider(aws_lc_rs::default_provider().into())
        .with_protocol_versions(&[&TLS13])
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![expired.der()], expired.private())
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let accepted = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        TlsAcceptor::from(Arc::new(config)).accept(stream).await.map(drop)
    });
    assert!(unavailable(call(&peer(address, &caller), SAY).await));
    let alert = accepted.await.unwrap().unwrap_err();
    assert!(alert.to_string().contains("CertificateExpired"), "{alert}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_certificate_is_shown_to_new_connections_and_disturbs_no_call() {
    let ours = Authority::new();
    let (first, second) = (ours.leaf(), ours.leaf());
    let files = Files::new(&first, &[&ours]);
    let host = files.host();
    let (entered, release) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let routes = Echo::routes({
        let (entered, release) = (entered.clone(), release.clone());
        move |request| {
            let (entered, release) = (entered.clone(), release.clone());
            async move {
                if request.get_ref() == "wait" {
                    entered.notify_one();
                    release.notified().await;
                }
                Ok(request.into_inner())
            }
        }
    });
    let address = testkit::serve(routes, &host).await;
    let shown = || shown(address, client(&ours, Some(&first)));
    assert_eq!(shown().await.unwrap(), first.der());

    let old = peer(address, &host);
    let under_way = tokio::spawn({
        let old = old.clone();
        async move { send(&old, SAY, old.as_service(None, "wait".to_owned(), PATIENCE)).await }
    });
    entered.notified().await;
    let done = Arc::new(AtomicBool::new(false));
    let calls = tokio::spawn({
        let (done, host, old) = (done.clone(), host.clone(), old.clone());
        async move {
            let mut answers = Vec::new();
            while !done.load(Ordering::Relaxed) {
                answers.push(call(&old, SAY).await);
                answers.push(call(&peer(address, &host), SAY).await);
            }
            answers
        }
    });

    // A certificate whose key is still the old one, then half a key, then no key at all.
    files.write("cert", &second.cert);
    assert_eq!(shown().await.unwrap(), first.der());
    files.write("key", &second.key[..second.key.len() / 2]);
    assert_eq!(shown().await.unwrap(), first.der());
    fs::remove_file(files.0.path().join("key")).unwrap();
    assert_eq!(shown().await.unwrap(), first.der());
    files.write("key", &second.key);
    assert_eq!(shown().await.unwrap(), second.der());

    assert_eq!(call(&old, SAY).await.unwrap(), "hello");
    assert_eq!(call(&peer(address, &host), SAY).await.unwrap(), "hello");
    release.notify_one();
    assert_eq!(under_way.await.unwrap().unwrap(), "wait");
    done.store(true, Ordering::Relaxed);
    for answer in calls.await.unwrap() {
        assert_eq!(answer.unwrap(), "hello");
    }
}

#[tokio::test]
async fn authorities_and_the_certificates_of_clients_are_replaced_without_a_restart() {
    let (old, new) = (Authority::new(), Authority::new());
    let service = Files::new(&old.leaf(), &[&old]);
    let address = echo(&service.host()).await;
    let caller = Files::new(&new.leaf(), &[&old, &new]);
    let caller_host = caller.host();
    let moved = peer(address, &caller_host);
    assert!(unavailable(call(&moved, SAY).await), "the service does not know the new authority");
    service.trust(&[&old, &new]);
    assert_eq!(call(&moved, SAY).await.unwrap(), "hello");

    service.trust(&[&old]);
    assert!(unavailable(call(&peer(address, &caller_host), SAY).await));
    let leaf = old.leaf();
    caller.write("key", &leaf.key);
    caller.write("cert", &leaf.cert);
    assert_eq!(call(&peer(address, &caller_host), SAY).await.unwrap(), "hello");
}

#[test]
fn files_that_no_peer_would_believe_are_refused_at_start_by_their_setting() {
    let (ours, foreign) = (Authority::new(), Authority::new());
    let refused = |files: &Files| format!("{:#}", files.open().unwrap_err());
    let leaf = ours.leaf();
    for (name, setting) in [("cert", "TLS_CERT"), ("key", "TLS_KEY"), ("ca", "TLS_CA")] {
        let files = Files::new(&leaf, &[&ours]);
        files.write(name, "no PEM");
        assert!(refused(&files).contains(setting), "{}", refused(&files));
        fs::remove_file(files.0.path().join(name)).unwrap();
        assert!(refused(&files).contains(setting), "{}", refused(&files));
    }
    for leaf in [ours.expired(), foreign.leaf(), Leaf { key: foreign.leaf().key, ..leaf.clone() }] {
        let said = refused(&Files::new(&leaf, &[&ours]));
        assert!(said.contains("TLS_"), "{said}");
        assert!(!said.contains(&leaf.key), "{said}");
    }
}

#[tokio::test]
async fn health_is_told_in_plain_text_at_an_address_of_its_own_and_nothing_else_is() {
    let ours = Authority::new();
    let reserved = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let probes = reserved.local_addr().unwrap();
    drop(reserved);
    let mut host = Files::new(&ours.leaf(), &[&ours]).host();
    host.health_listen = Some(probes);
    let address = echo(&host).await;
    assert_eq!(call(&peer(address, &host), SAY).await.unwrap(), "hello");

    let (plain, _) = testkit::host("scheduling");
    let prober = testkit::peer("scheduling", probes, &plain);
    let answer = HealthClient::new(prober.channel()).check(HealthCheckRequest::default()).await.unwrap();
    assert_eq!(answer.into_inner().status(), ServingStatus::Serving);
    assert_eq!(call(&prober, SAY).await.unwrap_err().code(), Code::Unimplemented);
}
