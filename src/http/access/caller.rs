//! Who calls: somebody with a key, or whoever is at an address.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr, SocketAddr},
};

use actix_web::http::header::{self, HeaderMap, HeaderName};
use ipnet::IpNet;

use super::keys::KeyNumber;
use crate::config::ProxyHeader;

const X_FORWARDED_FOR: HeaderName = header::X_FORWARDED_FOR;

/// Somebody who shares a limit with nobody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// Whoever has this key.
    Key(KeyNumber),
    /// Whoever has this address; of IPv6 only the network counts, because a household has all addresses of
    /// one.
    Address(IpAddr),
}

/// The caller as the log names it: an address or network, or which of the keys, counted from 1. It contains
/// no secret.
impl fmt::Display for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(number) => write!(f, "key {number}"),
            Self::Address(IpAddr::V4(address)) => write!(f, "{address}"),
            Self::Address(IpAddr::V6(network)) => write!(f, "{network}/{PREFIX_BITS}"),
        }
    }
}

/// Tells callers apart.
#[derive(Clone, Debug)]
pub struct Callers(pub Proxies);

/// Whose word is taken for the address of a caller.
#[derive(Clone, Debug)]
pub struct Proxies {
    /// Where the proxies are.
    pub networks: Vec<IpNet>,
    /// In which header they say who calls.
    pub header: ProxyHeader,
}

impl Callers {
    /// Who calls, by the key that was shown, or by where the request comes from.
    pub fn of(&self, peer: Option<SocketAddr>, headers: &HeaderMap, key: Option<KeyNumber>) -> Caller {
        let address = || {
            let peer = peer.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |peer| peer.ip().to_canonical());
            network(self.0.address_behind(peer, headers))
        };
        key.map_or_else(|| Caller::Address(address()), Caller::Key)
    }
}

impl Proxies {
    fn is_trusted(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(&address))
    }

    /// The address that the last proxy we trust has seen. Each proxy appends to the header, so it is read
    /// from its end; what stands before the first address that is not a proxy's could have been made up by
    /// the caller.
    fn address_behind(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut nearest = peer;
        if !self.is_trusted(nearest) {
            return nearest;
        }
        let name = match self.header {
            ProxyHeader::XForwardedFor => X_FORWARDED_FOR,
            ProxyHeader::Forwarded => header::FORWARDED,
        };
        let lines: Vec<&str> = headers.get_all(name).filter_map(|value| value.to_str().ok()).collect();
        for hop in lines.iter().rev().flat_map(|line| line.rsplit(',')) {
            let said = match self.header {
                ProxyHeader::XForwardedFor => address(hop),
                ProxyHeader::Forwarded => forwarded_for(hop),
            };
            let Some(before) = said else { break };
            nearest = before.to_canonical();
            if !self.is_trusted(nearest) {
                break;
            }
        }
        nearest
    }
}

/// The address in one entry of the header `Forwarded`.
fn forwarded_for(entry: &str) -> Option<IpAddr> {
    let is_for = |pair: &&str| pair.trim().get(..4).is_some_and(|name| name.eq_ignore_ascii_case("for="));
    let pair = entry.split(';').find(is_for)?;
    address(pair.trim()[4..].trim_matches('"'))
}

/// An address, with a port or without.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    text.parse().ok().or_else(|| text.parse().ok().map(|socket: SocketAddr| socket.ip())).or_else(bare)
}

/// How many bits of an IPv6 address name a network; the others name what is in it.
const PREFIX_BITS: u32 = 64;

fn network(address: IpAddr) -> IpAddr {
    const NETWORK: u128 = !0 << (u128::BITS - PREFIX_BITS);
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) & NETWORK).into()),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    fn caller(peer: &str, header: ProxyHeader, lines: &[&str]) -> String {
        let proxies =
            Proxies { networks: vec!["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()], header };
        let mut headers = HeaderMap::new();
        for line in lines {
            let name = if header == ProxyHeader::Forwarded { header::FORWARDED } else { X_FORWARDED_FOR };
            headers.append(name, HeaderValue::from_str(line).unwrap());
        }
        let peer = SocketAddr::new(peer.parse().unwrap(), 1234);
        Callers(proxies).of(Some(peer), &headers, None).to_string()
    }

    #[test]
    fn what_is_said_counts_only_from_trusted_proxies() {
        let of = |peer, lines: &[&str]| caller(peer, ProxyHeader::XForwardedFor, lines);
        assert_eq!(of("192.0.2.1", &["198.51.100.7"]), "192.0.2.1");
        assert_eq!(of("10.1.1.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(of("10.1.1.1", &["1.1.1.1, 198.51.100.7:443, 10.2.2.2"]), "198.51.100.7");
        assert_eq!(of("10.1.1.1", &["1.1.1.1", "198.51.100.7"]), "198.51.100.7");
        assert_eq!(of("10.1.1.1", &["198.51.100.7, unknown"]), "10.1.1.1");
        assert_eq!(of("::ffff:10.1.1.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(of("10.1.1.1", &[]), "10.1.1.1");
    }

    #[test]
    fn the_header_of_the_standard_is_read_too() {
        let of = |lines: &[&str]| caller("fd00::1", ProxyHeader::Forwarded, lines);
        assert_eq!(of(&["for=1.1.1.1, For=\"198.51.100.7:4711\";proto=https;by=10.0.0.1"]), "198.51.100.7");
        assert_eq!(of(&["for=\"[2001:db8:1:2:3::4]:99\""]), "2001:db8:1:2::/64");
        assert_eq!(of(&["for=\"[2001:db8:1:2:3::4]\""]), "2001:db8:1:2::/64");
        assert_eq!(of(&["for=_hidden"]), "fd00::/64");
    }

    #[test]
    fn all_addresses_of_a_household_are_one_caller() {
        let of = |peer| caller(peer, ProxyHeader::XForwardedFor, &[]);
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:ffff:ffff:ffff"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
    }
}
