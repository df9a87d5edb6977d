//! Where a visitor comes from, behind proxies that may say so.

use core::str::FromStr;
use std::net::{IpAddr, SocketAddr};

use http::{HeaderMap, HeaderValue};
use ipnet::IpNet;

/// The one header that is read; `Forwarded`, `X-Real-IP` and spellings with underscores are not.
const HEADER: &str = "x-forwarded-for";

/// The visitor's address, as a request extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address(pub IpAddr);

/// How an installation says that no proxy stands before it.
const NONE: &str = "none";

/// Networks of our own proxies: what they say of a visitor's address is believed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedProxies {
    networks: Vec<IpNet>,
    /// Whether the setting was given, if only as `none`.
    named: bool,
}

/// Not a list of networks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotProxies {
    /// Neither an address nor a network.
    #[error("{0:?} is no network such as 10.0.0.0/8")]
    Malformed(String),
    /// If every address were trusted, a client could choose its own.
    #[error("{0:?} would trust everybody")]
    Everybody(String),
}

impl TrustedProxies {
    /// The address behind a connection from `peer`: each trusted hop names the one before it.
    #[must_use]
    pub fn address(&self, peer: IpAddr, headers: &HeaderMap) -> Address {
        let mut nearest = peer.to_canonical();
        let mut hops = hops(headers);
        while self.trusts(nearest) {
            match hops.next() {
                Some(Some(hop)) => nearest = hop,
                // A hop that can't be read was not written by a proxy of ours.
                Some(None) | None => break,
            }
        }
        Address(nearest)
    }

    /// Whether the setting was given, if only as `none`: an empty one is probably an oversight.
    #[must_use]
    pub fn are_named(&self) -> bool {
        self.named
    }

    /// Whether `address` is a proxy of ours.
    #[must_use]
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.networks.iter().any(|network| network.contains(&address))
    }
}

impl FromStr for TrustedProxies {
    type Err = NotProxies;
    fn from_str(text: &str) -> Result<Self, NotProxies> {
        let text = text.trim();
        let listed = text.split(',').map(str::trim).filter(|network| !network.is_empty() && text != NONE);
        let networks = listed.map(network).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { named: text == NONE || !networks.is_empty(), networks })
    }
}

fn network(text: &str) -> Result<IpNet, NotProxies> {
    let network = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
    match network {
        Ok(network) if network.prefix_len() == 0 => Err(NotProxies::Everybody(text.to_owned())),
        Ok(network) => Ok(network),
        Err(_) => Err(NotProxies::Malformed(text.to_owned())),
    }
}

/// What was forwarded, the nearest hop first; `None` for what is no address.
fn hops(headers: &HeaderMap) -> impl Iterator<Item = Option<IpAddr>> {
    let lines: Vec<&HeaderValue> = headers.get_all(HEADER).iter().collect();
    lines.into_iter().rev().flat_map(|line| line.to_str().unwrap_or("unreadable").rsplit(',')).map(hop)
}

/// An address, which some proxies write with a port.
fn hop(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let address = text.parse().or_else(|_| text.parse::<SocketAddr>().map(|address| address.ip()));
    address.ok().map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The address of a visitor of a door behind 10.0.0.0/8 and fd00::/8.
    fn seen(peer: &str, forwarded: &[&'static str]) -> String {
        let proxies: TrustedProxies = "10.0.0.0/8, fd00::/8".parse().unwrap();
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append("X-Forwarded-For", HeaderValue::from_static(line));
        }
        proxies.address(peer.parse().unwrap(), &headers).0.to_string()
    }

    #[test]
    fn who_is_no_proxy_of_ours_is_not_believed() {
        assert_eq!(seen("203.0.113.9", &["198.51.100.7"]), "203.0.113.9");
        assert_eq!(seen("203.0.113.9", &[]), "203.0.113.9");
        let no_proxies = TrustedProxies::default();
        let headers = HeaderMap::from_iter([(
            http::HeaderName::from_static(HEADER),
            HeaderValue::from_static("198.51.100.7"),
        )]);
        assert_eq!(no_proxies.address([10, 0, 0, 1].into(), &headers).0.to_string(), "10.0.0.1");
    }

    #[test]
    fn the_nearest_hop_that_is_no_proxy_counts_whatever_stands_before_it() {
        assert_eq!(seen("10.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(seen("10.0.0.1", &["127.0.0.1, 198.51.100.7"]), "198.51.100.7");
        assert_eq!(seen("10.0.0.1", &["1.1.1.1, 198.51.100.7, 10.9.9.9"]), "198.51.100.7");
        assert_eq!(seen("10.0.0.1", &["1.1.1.1", "198.51.100.7,10.9.9.9"]), "198.51.100.7");
        assert_eq!(seen("fd00::1", &["2001:db8::7"]), "2001:db8::7");
    }

    #[test]
    fn an_address_is_read_with_a_port_and_in_either_family() {
        assert_eq!(seen("10.0.0.1", &["198.51.100.7:4711"]), "198.51.100.7");
        assert_eq!(seen("10.0.0.1", &["[2001:db8::7]:4711"]), "2001:db8::7");
        assert_eq!(seen("::ffff:10.0.0.1", &["::ffff:198.51.100.7"]), "198.51.100.7");
    }

    #[test]
    fn what_is_no_address_leaves_the_last_proxy_that_is_known() {
        for forwarded in ["unknown", "", "198.51.100.7, _hidden", "evil.test"] {
            assert_eq!(seen("10.0.0.1", &[forwarded]), "10.0.0.1", "{forwarded}");
        }
        assert_eq!(seen("10.0.0.1", &["junk, 10.3.3.3"]), "10.3.3.3");
    }

    #[test]
    fn proxies_are_networks_and_never_everybody() {
        assert_eq!("".parse(), Ok(TrustedProxies::default()));
        assert_eq!("10.0.0.7".parse::<TrustedProxies>(), "10.0.0.7/32".parse());
        for (text, named) in [("", false), (" ", false), (",", false), ("none", true), ("10.0.0.7", true)] {
            assert_eq!(text.parse::<TrustedProxies>().unwrap().are_named(), named, "{text:?}");
        }
        for text in ["proxy.test", "none,10.0.0.7", "10.0.0.0/33", "10.0.0.0/8;fd00::/8"] {
            assert!(matches!(text.parse::<TrustedProxies>(), Err(NotProxies::Malformed(_))), "{text}");
        }
        for text in ["0.0.0.0/0", "::/0"] {
            assert_eq!(text.parse::<TrustedProxies>(), Err(NotProxies::Everybody(text.to_owned())));
        }
    }
}
