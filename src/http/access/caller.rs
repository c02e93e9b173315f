//! Who calls: somebody with a key, or whoever is at an address.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr, SocketAddr},
};

use actix_web::http::header::{self, HeaderMap};
use ipnet::IpNet;

use super::keys::KeyNumber;

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
pub struct Callers {
    /// The networks of the proxies whose word is taken for the address of a caller.
    pub proxies: Vec<IpNet>,
}

impl Callers {
    /// Who calls, by the key that was shown, or by where the request comes from.
    pub fn of(&self, peer: Option<SocketAddr>, headers: &HeaderMap, key: Option<KeyNumber>) -> Caller {
        let address = || {
            let peer = peer.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |peer| peer.ip().to_canonical());
            network(self.address_behind(peer, headers))
        };
        key.map_or_else(|| Caller::Address(address()), Caller::Key)
    }

    fn is_trusted(&self, address: IpAddr) -> bool {
        self.proxies.iter().any(|network| network.contains(&address))
    }

    /// The address that the last proxy we trust has seen. Each proxy appends to the header, so it is read
    /// from its end; what stands before the first address that is not a proxy's could have been made up by
    /// the caller.
    fn address_behind(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut nearest = peer;
        if !self.is_trusted(nearest) {
            return nearest;
        }
        // All usual proxies know this header; few know that of RFC 7239.
        let lines = headers.get_all(header::X_FORWARDED_FOR).filter_map(|value| value.to_str().ok());
        for hop in lines.collect::<Vec<_>>().iter().rev().flat_map(|line| line.rsplit(',')) {
            let Some(before) = address(hop) else { break };
            nearest = before.to_canonical();
            if !self.is_trusted(nearest) {
                break;
            }
        }
        nearest
    }
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

    fn caller(peer: &str, lines: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::X_FORWARDED_FOR, HeaderValue::from_str(line).unwrap());
        }
        let proxies = vec!["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()];
        let peer = SocketAddr::new(peer.parse().unwrap(), 1234);
        Callers { proxies }.of(Some(peer), &headers, None).to_string()
    }

    #[test]
    fn what_is_said_counts_only_from_trusted_proxies() {
        assert_eq!(caller("192.0.2.1", &["198.51.100.7"]), "192.0.2.1");
        assert_eq!(caller("10.1.1.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(caller("10.1.1.1", &["1.1.1.1, 198.51.100.7:443, 10.2.2.2"]), "198.51.100.7");
        assert_eq!(caller("10.1.1.1", &["1.1.1.1", "198.51.100.7"]), "198.51.100.7");
        assert_eq!(caller("10.1.1.1", &["198.51.100.7, unknown"]), "10.1.1.1");
        assert_eq!(caller("::ffff:10.1.1.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(caller("10.1.1.1", &[]), "10.1.1.1");
        assert_eq!(caller("fd00::1", &["2001:db8:1:2:3::4"]), "2001:db8:1:2::/64");
        assert_eq!(caller("fd00::1", &["[2001:db8:1:2:3::4]:99"]), "2001:db8:1:2::/64");
        assert_eq!(caller("fd00::1", &["[2001:db8:1:2:3::4]"]), "2001:db8:1:2::/64");
        assert_eq!(caller("fd00::1", &["_hidden"]), "fd00::/64");
    }

    #[test]
    fn all_addresses_of_a_household_are_one_caller() {
        let of = |peer| caller(peer, &[]);
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:ffff:ffff:ffff"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
    }
}
