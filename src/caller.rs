//! Who sends a request.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
};

/// Who sent a request: the unit of round-robin scheduling, rate limits and quotas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// The owner of an API key, by its number from 1: keys of the settings first, then those of the file.
    Key(u32),
    /// The user of an address, or of a network.
    Address(IpAddr),
}

/// How many bits of an IPv6 address identify its network; the others identify a host in it.
const PREFIX_BITS: u32 = 64;

impl Caller {
    /// The user of an address. Of an IPv6 address only the network counts: it belongs to one household.
    pub fn at(address: IpAddr) -> Self {
        const NETWORK: u128 = !0 << (u128::BITS - PREFIX_BITS);
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from(u128::from(address) & NETWORK)),
            address @ IpAddr::V4(_) => address,
        })
    }
}

/// The caller as the log names it. It contains no secret.
impl fmt::Display for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(number) => write!(f, "key {number}"),
            Self::Address(IpAddr::V4(address)) => write!(f, "{address}"),
            Self::Address(IpAddr::V6(network)) => write!(f, "{network}/{PREFIX_BITS}"),
        }
    }
}
