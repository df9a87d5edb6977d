//! Which addresses this installation calls for people: theirs must not lead into its own network.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where people's servers may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// On the public Internet, over https.
    Public,
    /// Anywhere: on a developer's machine and in tests.
    Anywhere,
}

impl Reach {
    /// Whether an address may be called.
    #[must_use]
    pub fn allows(self, address: IpAddr) -> bool {
        self == Self::Anywhere || is_public(address)
    }

    /// Whether a scheme may be used.
    #[must_use]
    pub fn speaks(self, scheme: &str) -> bool {
        scheme == "https" || (self == Self::Anywhere && scheme == "http")
    }
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
