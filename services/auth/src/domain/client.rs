//! The browser behind a call.

use core::net::{IpAddr, Ipv6Addr};

use super::{browser::Browser, device::DeviceToken};

/// A browser as the door saw it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Client {
    /// Where it is and what it is.
    pub origin: Origin,
    /// The trusted device it says it is.
    pub device: Option<DeviceToken>,
}

/// Where a call came from, as the record of an account tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// None when it was not a browser.
    pub address: Option<IpAddr>,
    /// Empty when the browser told nothing.
    pub browser: Browser,
}

/// Not an IP address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("is not an IP address")]
pub struct NotAnAddress;

impl Client {
    /// Parses what the door sends. A malformed device cookie counts as no device: browsers send what
    /// they like.
    ///
    /// # Errors
    /// [`NotAnAddress`] if the address is malformed; an empty one counts as unknown.
    pub fn parse(address: &str, user_agent: &str, device: &str) -> Result<Self, NotAnAddress> {
        let address = match address {
            "" => None,
            text => Some(text.parse::<IpAddr>().map_err(|_| NotAnAddress)?.to_canonical()),
        };
        let origin = Origin { address, browser: Browser::of(user_agent) };
        Ok(Self { origin, device: DeviceToken::read(device) })
    }
}

impl Origin {
    /// Whom a limit by address counts: a subscriber of IPv6 has 2^64 addresses, so those count as one.
    #[must_use]
    pub fn network(&self) -> Option<IpAddr> {
        self.address.map(|address| match address {
            IpAddr::V4(_) => address,
            IpAddr::V6(v6) => Ipv6Addr::from(u128::from(v6) & !u128::from(u64::MAX)).into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: &str) -> Origin {
        Client::parse(address, "", "").unwrap().origin
    }

    #[test]
    fn an_address_is_the_same_however_it_is_written() {
        assert_eq!(at("::ffff:192.0.2.7"), at("192.0.2.7"));
        assert_eq!(at("2001:DB8:0::1"), at("2001:db8::1"));
        assert_eq!(at("").address, None);
        for text in ["localhost", "192.0.2.7:80", "192.0.2.7, 10.0.0.1", "192.0.2"] {
            assert_eq!(Client::parse(text, "", ""), Err(NotAnAddress), "{text}");
        }
    }

    #[test]
    fn the_addresses_of_one_subscriber_are_one_network() {
        assert_eq!(at("2001:db8:1:2:3:4:5:6").network(), at("2001:db8:1:2::9").network());
        assert_ne!(at("2001:db8:1:3::9").network(), at("2001:db8:1:2::9").network());
        assert_ne!(at("192.0.2.7").network(), at("192.0.2.8").network());
    }

    #[test]
    fn a_cookie_that_is_none_is_no_device() {
        assert_eq!(Client::parse("", "", "nonsense").unwrap().device, None);
    }
}
