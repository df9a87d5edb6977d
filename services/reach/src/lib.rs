//! Which addresses this installation calls for people and platforms: theirs must not lead into its own network. An
//! address is checked before each call, with a clear reason, and again as the connection is made.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::{net::SocketAddr, sync::Arc};

use reqwest::{
    ClientBuilder,
    dns::{Addrs, Name, Resolve, Resolving},
    redirect::Policy,
};
use url::{Host, Url};

/// Where people's servers may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// On the public Internet, over https.
    Public,
    /// Anywhere: on a developer's machine and in tests.
    Anywhere,
    /// On the public Internet, which this address stands in for over http too: in tests of redirects.
    PublicWith(IpAddr),
}

impl Reach {
    /// Whether an address may be called.
    #[must_use]
    pub fn allows(self, address: IpAddr) -> bool {
        match self {
            Self::Public => is_public(address),
            Self::Anywhere => true,
            Self::PublicWith(stand_in) => address == stand_in || is_public(address),
        }
    }

    /// Whether a scheme may be used.
    #[must_use]
    pub fn speaks(self, scheme: &str) -> bool {
        scheme == "https" || (self != Self::Public && scheme == "http")
    }

    /// A client that connects only to what may be called, and leaves redirects to its caller, who checks them.
    pub fn client(self) -> ClientBuilder {
        // A proxy would resolve names elsewhere.
        reqwest::Client::builder().redirect(Policy::none()).dns_resolver(Arc::new(Guarded(self))).no_proxy()
    }

    /// Checks an address before it is called.
    ///
    /// # Errors
    /// [`Blocked`].
    pub async fn check(self, url: &Url) -> Result<(), Blocked> {
        self.check_written(url)?;
        // So that the reason is clear; the connection is made to what [`Guarded`] resolves.
        let Some(name) = url.domain() else { return Ok(()) };
        let found = lookup(name).await.map_err(|_| Blocked::Unknown(format!("{name} is not found")))?;
        if found.iter().any(|address| !self.allows(address.ip())) {
            return Err(Blocked::Forbidden(format!("{name} is inside a private network")));
        }
        Ok(())
    }

    /// Checks an address as far as its text tells.
    ///
    /// # Errors
    /// [`Blocked::Forbidden`].
    pub fn check_written(self, url: &Url) -> Result<(), Blocked> {
        let forbidden = |reason: &str| Err(Blocked::Forbidden(reason.to_owned()));
        if !self.speaks(url.scheme()) {
            return forbidden("must begin with https://");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return forbidden("must not have a name or a password in it");
        }
        let literal: Option<IpAddr> = match url.host() {
            None => return forbidden("is no web address"),
            Some(Host::Domain(_)) => None,
            Some(Host::Ipv4(address)) => Some(address.into()),
            Some(Host::Ipv6(address)) => Some(address.into()),
        };
        if literal.is_some_and(|address| !self.allows(address)) {
            return forbidden("is inside a private network");
        }
        Ok(())
    }
}

/// Why an address is not called.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Blocked {
    /// It is not one that may be called.
    #[error("{0}")]
    Forbidden(String),
    /// There is no server of this name.
    #[error("{0}")]
    Unknown(String),
}

/// Resolves names to addresses that may be called, all of them or none.
#[derive(Debug)]
struct Guarded(Reach);

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.0;
        Box::pin(async move {
            let found = lookup(name.as_str()).await?;
            if found.iter().any(|address| !reach.allows(address.ip())) {
                return Err("the name is inside a private network".into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

async fn lookup(name: &str) -> std::io::Result<Vec<SocketAddr>> {
    Ok(tokio::net::lookup_host((name, 0)).await?.collect())
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Outside the special-purpose registry of IANA.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (b == 18 || b == 19));
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(mapped) = address.to_ipv4_mapped() {
        return is_public_v4(mapped);
    }
    let [first, second, ..] = address.segments();
    // Global unicast is 2000::/3; Teredo, benchmarks, ORCHID and documentation are in it, and 6to4 embeds an address.
    let global = first & 0xe000 == 0x2000;
    let special =
        (first == 0x2001 && (second < 0x0200 || second == 0x0db8)) || first == 0x2002 || first == 0x3fff;
    global && !special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses_are_called_and_no_others() {
        for public in
            ["93.184.216.34", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:2800:220:1::1", "::ffff:8.8.8.8"]
        {
            assert!(Reach::Public.allows(public.parse().unwrap()), "{public}");
        }
        let private = [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "192.0.0.8",
            "198.18.0.1",
            "192.0.2.1",
            "203.0.113.9",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "fe80::1",
            "fc00::1",
            "fd12::1",
            "ff02::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "64:ff9b::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "2001::1",
            "::7f00:1",
        ];
        for private in private {
            assert!(!Reach::Public.allows(private.parse().unwrap()), "{private}");
            assert!(Reach::Anywhere.allows(private.parse().unwrap()), "{private}");
        }
    }

    #[test]
    fn plain_http_is_for_development() {
        assert!(Reach::Public.speaks("https") && Reach::Anywhere.speaks("http"));
        for refused in ["http", "file", "gopher", "ftp"] {
            assert!(!Reach::Public.speaks(refused), "{refused}");
        }
        assert!(!Reach::Anywhere.speaks("file"));
    }
}
