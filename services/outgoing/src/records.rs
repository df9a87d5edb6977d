//! What domains say of their services in the DNS (RFC 2782, RFC 6764): which server an account of theirs is at.

use core::{cmp::Reverse, fmt, time::Duration};

use hickory_resolver::{
    TokioResolver,
    proto::rr::{
        RData,
        rdata::{SRV, TXT},
    },
};
use reqwest::Url;

/// How long the name servers may take: without an answer, the domain itself is asked.
const PATIENCE: Duration = Duration::from_secs(2);
/// Answers remembered.
const MOST_REMEMBERED: u64 = 256;

/// Asks the name servers of this machine.
#[derive(Clone, Default)]
pub struct Records(Option<TokioResolver>);

impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Records(…)")
    }
}

impl Records {
    /// Of the name servers that this machine is configured with; where there are none, no domain says anything.
    #[must_use]
    pub fn of_this_machine() -> Self {
        let resolver = TokioResolver::builder_tokio().and_then(|mut builder| {
            let options = builder.options_mut();
            (options.timeout, options.attempts, options.cache_size) = (PATIENCE, 1, MOST_REMEMBERED);
            builder.build()
        });
        match resolver {
            Ok(resolver) => Self(Some(resolver)),
            Err(error) => {
                tracing::warn!(%error, "no name servers: the services of domains are not looked up");
                Self(None)
            }
        }
    }

    /// Where `domain` says that its service is, such as `_caldavs._tcp`, over TLS: the server, and the path there if that
    /// is said as well. `None` where it says nothing. The answer is as trustworthy as the DNS is.
    pub async fn service(&self, service: &str, domain: &str) -> Option<Url> {
        let resolver = self.0.as_ref()?;
        // With the dot at its end it is looked up as it stands, and in no domain of this machine.
        let name = format!("{service}.{domain}.");
        let asked = async {
            let servers = resolver.srv_lookup(name.as_str()).await.ok()?;
            let server = best(servers.answers().iter().filter_map(|record| match &record.data {
                RData::SRV(server) => Some(server),
                _ => None,
            }))?;
            let said = resolver.txt_lookup(name.as_str()).await.ok();
            let path = said.iter().flat_map(|said| said.answers()).find_map(|record| match &record.data {
                RData::TXT(text) => path(text),
                _ => None,
            });
            address(server, path.as_deref())
        };
        tokio::time::timeout(PATIENCE, asked).await.ok().flatten()
    }
}

/// The server that is to be asked first.
fn best<'a>(servers: impl Iterator<Item = &'a SRV>) -> Option<&'a SRV> {
    // The root stands for "there is none".
    let served = servers.filter(|server| !server.target.is_root());
    served.min_by_key(|server| (server.priority, Reverse(server.weight)))
}

/// The path in a text such as `path=/dav/`.
fn path(text: &TXT) -> Option<String> {
    let texts = text.txt_data.iter().filter_map(|text| core::str::from_utf8(text).ok());
    let mut paths = texts.filter_map(|text| text.strip_prefix("path="));
    paths.find(|path| path.starts_with('/')).map(str::to_owned)
}

fn address(server: &SRV, path: Option<&str>) -> Option<Url> {
    let host = server.target.to_ascii();
    let mut url = Url::parse(&format!("https://{}/", host.trim_end_matches('.'))).ok()?;
    url.set_port(Some(server.port)).ok()?;
    url.set_path(path.unwrap_or_default());
    Some(url)
}

#[cfg(test)]
mod tests {
    use core::net::IpAddr;

    use hickory_resolver::{
        Resolver,
        config::{ConnectionConfig, NameServerConfig, ResolverConfig},
        net::runtime::TokioRuntimeProvider,
        proto::{
            op::{Message, Query},
            rr::{Name, Record, RecordType},
        },
    };
    use tokio::net::UdpSocket;

    use super::*;

    fn answers(question: &Query) -> Vec<RData> {
        let srv = |priority, weight, port, target: &str| {
            RData::SRV(SRV::new(priority, weight, port, Name::from_ascii(target).unwrap()))
        };
        let txt = |text: &str| RData::TXT(TXT::new(vec![text.to_owned()]));
        match (question.name.to_ascii().to_lowercase().as_str(), question.query_type) {
            ("_caldavs._tcp.example.com.", RecordType::SRV) => vec![
                srv(10, 5, 443, "spare.example.com."),
                srv(1, 2, 443, "small.example.com."),
                srv(1, 5, 8443, "dav.example.com."),
            ],
            ("_caldavs._tcp.example.com.", RecordType::TXT) => vec![txt("v=1"), txt("path=/mia/dav/")],
            ("_caldavs._tcp.plain.com.", RecordType::SRV) => vec![srv(0, 1, 443, "dav.plain.com.")],
            ("_caldavs._tcp.none.com.", RecordType::SRV) => vec![srv(0, 0, 0, ".")],
            _ => vec![],
        }
    }

    /// A name server of these domains, and what asks it.
    async fn records() -> Records {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let port = socket.local_addr().unwrap().port();
        tokio::spawn(async move {
            let mut buffer = [0; 4096];
            loop {
                let (length, from) = socket.recv_from(&mut buffer).await.unwrap();
                let asked = Message::from_vec(&buffer[..length]).unwrap();
                let mut answer = Message::response(asked.metadata.id, asked.metadata.op_code);
                for question in asked.queries {
                    let found = answers(&question);
                    let record = |data| Record::from_rdata(question.name.clone(), 60, data);
                    answer.add_answers(found.into_iter().map(record));
                    answer.add_query(question);
                }
                socket.send_to(&answer.to_vec().unwrap(), from).await.unwrap();
            }
        });
        let mut connection = ConnectionConfig::udp();
        connection.port = port;
        let server = NameServerConfig::new(IpAddr::from([127, 0, 0, 1]), true, vec![connection]);
        let config = ResolverConfig::from_name_servers(vec![server]);
        let resolver = Resolver::builder_with_config(config, TokioRuntimeProvider::default());
        Records(Some(resolver.build().unwrap()))
    }

    #[tokio::test]
    async fn a_domain_names_its_server_and_the_path_there() {
        let records = records().await;
        let asked = async |domain: &str| {
            let found = records.service("_caldavs._tcp", domain).await;
            found.map(|url| url.to_string())
        };
        assert_eq!(asked("example.com").await.as_deref(), Some("https://dav.example.com:8443/mia/dav/"));
        assert_eq!(asked("plain.com").await.as_deref(), Some("https://dav.plain.com/"));
        assert_eq!(asked("none.com").await, None, "it says that it has no such service");
        assert_eq!(asked("silent.com").await, None);
        assert_eq!(asked(&"x".repeat(300)).await, None, "there is no such name");
    }

    #[tokio::test]
    async fn without_name_servers_no_domain_says_anything() {
        assert_eq!(Records::default().service("_caldavs._tcp", "example.com").await, None);
    }
}
