//! Access control: API keys, rate limits and search time quotas. All are off by default.

use std::{
    collections::HashMap,
    fs, io,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use actix_web::{
    HttpRequest,
    dev::ServiceRequest,
    http::header::{self, HeaderMap, HeaderName, HeaderValue},
};
use ipnet::IpNet;
use sha2::{Digest, Sha256};

use super::{
    problem::{Problem, whole_seconds},
    request::RequestContext,
};
use crate::{
    api::{Code, paths},
    caller::Caller,
    config::Config,
};

/// Whether a path needs access control: everything under `/v1/`, and the MCP tools. All others are public.
pub fn is_guarded(path: &str) -> bool {
    path.starts_with("/v1/") || path == paths::MCP
}

/// API keys, rate limits and search time quotas.
#[derive(derive_more::Debug)]
pub struct Access {
    /// The accepted API keys; empty if callers need none.
    #[debug("{} of them", keys.len())]
    keys: Vec<Hash>,
    /// The networks of trusted proxies, whose `X-Forwarded-For` names the caller.
    proxies: Vec<IpNet>,
    requests: Option<Limiter>,
    thinking: Option<Limiter>,
}

impl Access {
    /// Access control according to the settings.
    ///
    /// # Errors
    /// A key is invalid, or the file with the keys cannot be used.
    pub fn new(config: &Config) -> io::Result<Self> {
        Ok(Self {
            keys: keys(&config.api_keys, config.api_keys_file.as_deref())?,
            proxies: config.trusted_proxies.clone(),
            requests: Limiter::new(config.rate_limit, config.rate_burst),
            thinking: Limiter::new(config.think_ms_per_minute, config.think_ms_per_minute),
        })
    }

    /// The caller, identified by API key, or else by address.
    pub fn caller(&self, request: &ServiceRequest) -> Caller {
        let headers = request.headers();
        if let Some(number) = number_of(&self.keys, headers) {
            return Caller::Key(number);
        }
        let peer = request.peer_addr();
        let peer = peer.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |peer| peer.ip().to_canonical());
        Caller::at(address_behind(peer, headers, &self.proxies))
    }

    /// Whether callers need a key.
    pub fn needs_key(&self) -> bool {
        !self.keys.is_empty()
    }

    /// Whether requests need a check.
    pub fn is_limited(&self) -> bool {
        self.needs_key() || self.requests.is_some()
    }

    /// Admits a request: counts it against the rate limit, and checks the key.
    ///
    /// # Errors
    /// The key is missing or unknown, or the caller has exceeded its rate limit.
    pub fn admit(&self, caller: &Caller, headers: &HeaderMap) -> Result<(), Problem> {
        // A request without a valid key counts by address: keys cannot be guessed faster than that.
        if let Some(limiter) = &self.requests {
            limiter.pay(limiter.now(), caller, 1, 1).map_err(too_many_requests)?;
        }
        if !self.needs_key() || matches!(caller, Caller::Key(_)) {
            return Ok(());
        }
        let detail = if headers.contains_key(header::AUTHORIZATION) {
            "the header Authorization has no key that this service knows"
        } else {
            "the header Authorization is missing; it must be Bearer and a key of this service"
        };
        Err(Problem::new(Code::Unauthorized, detail).with(header::WWW_AUTHENTICATE, SCHEME))
    }

    /// Charges a request's price, now that it is known; one of it has been counted already.
    ///
    /// # Errors
    /// The caller still has a debt from other requests.
    pub fn charge(&self, request: &HttpRequest, price: u32) -> Result<(), Problem> {
        let Some(limiter) = &self.requests else { return Ok(()) };
        let caller = RequestContext::of(request).caller;
        limiter.pay(limiter.now(), &caller, 0, price.saturating_sub(1)).map_err(too_many_requests)
    }

    /// The headers with the rate limit policy, and with what is left for the caller.
    pub fn rate_limit_headers(&self, caller: &Caller) -> Option<[(HeaderName, HeaderValue); 2]> {
        let limiter = self.requests.as_ref()?;
        Some([(POLICY_HEADER, limiter.policy()), (STATUS_HEADER, limiter.status(caller))])
    }

    /// Checks that the caller has search time left.
    ///
    /// # Errors
    /// The caller has used up its quota of search time.
    pub fn check_thinking(&self, caller: &Caller) -> Result<(), Problem> {
        let Some(limiter) = &self.thinking else { return Ok(()) };
        limiter.pay(limiter.now(), caller, 0, 0).map_err(|wait| {
            let detail = "your searches took more time per minute than the service allows";
            Problem::later(Code::TooManyRequests, detail, wait)
        })
    }

    /// Charges the time of a search to the caller's quota. It is known only when the search ends, so the last
    /// search may exceed the quota; the caller then waits until that debt is paid off, too.
    pub fn count_thinking(&self, caller: &Caller, thought: Duration) {
        if let Some(limiter) = &self.thinking {
            limiter.count(limiter.now(), caller, thought);
        }
    }
}

/// The client address that the outermost trusted proxy saw. Each proxy appends to the header, so it is read
/// from its end; what stands before the first untrusted address could be forged.
fn address_behind(peer: IpAddr, headers: &HeaderMap, proxies: &[IpNet]) -> IpAddr {
    let is_trusted = |address: &IpAddr| proxies.iter().any(|network| network.contains(address));
    let mut nearest = peer;
    // All usual proxies support this header; few support `Forwarded` (RFC 7239).
    let lines = headers.get_all(header::X_FORWARDED_FOR).filter_map(|value| value.to_str().ok());
    for hop in lines.collect::<Vec<_>>().iter().rev().flat_map(|line| line.rsplit(',')) {
        let Some(before) = address(hop).filter(|_| is_trusted(&nearest)) else { break };
        nearest = before.to_canonical();
    }
    nearest
}

/// An address, with a port or without.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    text.parse().ok().or_else(|| text.parse().ok().map(|socket: SocketAddr| socket.ip())).or_else(bare)
}

/// The scheme of the header with the key: `Authorization: Bearer KEY`.
const SCHEME: &str = "Bearer";

/// The longest `Authorization` header that is read, in bytes.
const MAX_HEADER: usize = 512;

/// A key as it is stored: a SHA-256 hash, which reveals nothing, and has the same length for all keys.
type Hash = [u8; 32];

/// Reads the keys of the settings and of a file, as hashes.
///
/// # Errors
/// A key is invalid, the file cannot be read, or there is a file, but no key.
fn keys(given: &[String], file: Option<&Path>) -> io::Result<Vec<Hash>> {
    let mut keys = Vec::new();
    for (number, key) in (1..).zip(given) {
        let setting = format!("key {number} of --api-keys (CUBLINO_API_KEYS)");
        let wrong = |error| io::Error::other(format!("{setting} is not valid: {error}"));
        keys.push(checked(key.as_bytes()).map_err(wrong)?);
    }
    if let Some(path) = file {
        let wrong = |what: &str| {
            let setting = "--api-keys-file, CUBLINO_API_KEYS_FILE";
            io::Error::other(format!("the keys in {} ({setting}): {what}", path.display()))
        };
        let text = fs::read(path).map_err(|error| wrong(&error.to_string()))?;
        for (i, line) in text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).enumerate() {
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            keys.push(checked(line).map_err(|error| wrong(&format!("line {}: {error}", i + 1)))?);
        }
        if keys.is_empty() {
            return Err(wrong("the file has no key"));
        }
    }
    Ok(keys)
}

/// The number of the accepted key that the headers have, if any. Hashes are compared, so the time of the
/// comparison says nothing about a key.
fn number_of(keys: &[Hash], headers: &HeaderMap) -> Option<u32> {
    let shown = headers.get(header::AUTHORIZATION)?.to_str().ok().filter(|text| text.len() <= MAX_HEADER)?;
    // The name of the scheme may be written in any case.
    let (_, key) = shown.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case(SCHEME))?;
    let shown: Hash = Sha256::digest(key.trim()).into();
    (1..).zip(keys).find(|(_, key)| **key == shown).map(|(number, _)| number)
}

/// A text is not a key.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("a key has 16 to 256 letters, digits or other visible ASCII characters, and no comma")]
struct NotAKey;

/// Checks and hashes a key: it must be long enough not to be guessed, and short enough for a header.
fn checked(text: &[u8]) -> Result<Hash, NotAKey> {
    let is_key = (16..=256).contains(&text.len()) && text.iter().all(|&c| c.is_ascii_graphic() && c != b',');
    if is_key { Ok(Sha256::digest(text).into()) } else { Err(NotAKey) }
}

/// The problem of a caller that has exceeded its rate limit.
fn too_many_requests(retry_after: Duration) -> Problem {
    let detail = "you have sent more requests per minute than the service allows";
    Problem::later(Code::TooManyRequests, detail, retry_after)
}

/// The header with the rate limit policy: the quota, and the window that it is for.
pub const POLICY_HEADER: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The header with the quota that is left, and the time until all of it is available again.
pub const STATUS_HEADER: HeaderName = HeaderName::from_static("ratelimit");

/// The name of the one policy.
const POLICY: &str = "default";

/// A rate limit per caller (token bucket as in GCRA) on requests, or on milliseconds of search time. A price
/// above what is left is accepted from a caller without debt. The excess is a debt, and until it is paid off
/// everything is refused.
#[derive(derive_more::Debug)]
struct Limiter {
    /// For each recent caller, when its bucket is full again (GCRA's theoretical arrival time), in
    /// nanoseconds since `beginning`. A caller whose bucket is full needs no entry.
    #[debug(skip)]
    paid: Mutex<HashMap<Caller, u64>>,
    beginning: Instant,
    /// The time to refill one unit, in nanoseconds.
    interval: u64,
    /// How many units may be used at once.
    burst: u32,
}

/// The most callers that a limiter remembers. They take 2 MiB.
const RECENT_CALLERS: usize = 1 << 15;

impl Limiter {
    /// A token bucket for `burst` units that refills `per_minute`; `None` if there is no limit.
    fn new(per_minute: u32, burst: u32) -> Option<Self> {
        const MINUTE: u64 = 60_000_000_000;
        let interval = MINUTE.checked_div(per_minute.into()).filter(|_| burst > 0)?;
        Some(Self { paid: Mutex::default(), beginning: Instant::now(), interval, burst })
    }

    /// Charges `price` units to a caller, if at least `needed` are left.
    ///
    /// # Errors
    /// Fewer are left; the error is the time until there are enough.
    fn pay(&self, now: u64, caller: &Caller, needed: u32, price: u32) -> Result<(), Duration> {
        let latest = now.saturating_add(self.cost(self.burst));
        let mut paid = self.paid();
        let before = paid_by(&paid, caller).max(now);
        let used = before.saturating_add(self.cost(needed));
        if used > latest {
            return Err(Duration::from_nanos(used - latest));
        }
        set(&mut paid, now, caller, before.saturating_add(self.cost(price)));
        Ok(())
    }

    /// Charges search time to a caller, even if it has a debt.
    fn count(&self, now: u64, caller: &Caller, thought: Duration) {
        let price = u128::from(self.interval) * thought.as_nanos() / 1_000_000;
        let price = u64::try_from(price).unwrap_or(u64::MAX);
        let mut paid = self.paid();
        let before = paid_by(&paid, caller).max(now);
        set(&mut paid, now, caller, before.saturating_add(price));
    }

    fn cost(&self, units: u32) -> u64 {
        self.interval.saturating_mul(units.into())
    }

    /// The map is whole after every statement, so a panic elsewhere does not matter.
    fn paid(&self) -> MutexGuard<'_, HashMap<Caller, u64>> {
        self.paid.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nanoseconds since the beginning. 64 bits last for five centuries.
    fn now(&self) -> u64 {
        u64::try_from(self.beginning.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// The value of [`POLICY_HEADER`].
    fn policy(&self) -> HeaderValue {
        let window = whole_seconds(Duration::from_nanos(self.cost(self.burst)));
        header_value(format!("\"{POLICY}\";q={};w={window}", self.burst))
    }

    /// The value of [`STATUS_HEADER`]: how many requests the caller may send at once, and the time until the
    /// full limit is available again.
    fn status(&self, caller: &Caller) -> HeaderValue {
        let owed = paid_by(&self.paid(), caller).saturating_sub(self.now());
        let remaining = u64::from(self.burst).saturating_sub(owed.div_ceil(self.interval));
        header_value(format!("\"{POLICY}\";r={remaining};t={}", whole_seconds(Duration::from_nanos(owed))))
    }
}

fn paid_by(paid: &HashMap<Caller, u64>, caller: &Caller) -> u64 {
    paid.get(caller).copied().unwrap_or(0)
}

/// Remembers when the bucket of a caller is full. If there is no room, those that are full by now go, and if
/// too few are, the quarter that is full the soonest: so the largest debts stay, and most calls take no time.
fn set(paid: &mut HashMap<Caller, u64>, now: u64, caller: &Caller, until: u64) {
    if until <= now {
        return;
    }
    if paid.len() >= RECENT_CALLERS && !paid.contains_key(caller) {
        let mut all: Vec<u64> = paid.values().copied().collect();
        let (_, &mut soonest, _) = all.select_nth_unstable(RECENT_CALLERS / 4);
        let last = soonest.max(now);
        paid.retain(|_, until| *until > last);
    }
    paid.insert(*caller, until);
}

fn header_value(text: String) -> HeaderValue {
    HeaderValue::try_from(text).expect("words and numbers are a header value")
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
        Caller::at(address_behind(peer.ip().to_canonical(), &headers, &proxies)).to_string()
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

    const ONE: &str = "one-key-of-several";
    const TWO: &str = "two-key-of-several";

    fn two_keys() -> Vec<String> {
        vec![ONE.parse().unwrap(), TWO.parse().unwrap()]
    }

    #[test]
    fn each_of_several_keys_opens_and_nothing_else_does() {
        let of = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, HeaderValue::try_from(text).unwrap());
            number_of(&keys(&two_keys(), None).unwrap(), &headers)
        };
        assert_eq!(of(&format!("Bearer {ONE}")), Some(1));
        assert_eq!(of(&format!("bearer  {TWO}")), Some(2));
        for wrong in [
            ONE,
            "Bearer",
            "Bearer ",
            &format!("Basic {ONE}"),
            &format!("Bearer {ONE}{TWO}"),
            &format!("Bearer {}", &ONE[1..]),
        ] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        assert_eq!(number_of(&keys(&two_keys(), None).unwrap(), &HeaderMap::new()), None);
    }

    #[test]
    fn no_settings_mean_no_keys_and_keys_are_not_shown() {
        assert!(keys(&[], None).unwrap().is_empty());
        let config = Config { api_keys: two_keys(), ..Config::default() };
        let shown = format!("{:?}", Access::new(&config).unwrap());
        assert!(shown.starts_with("Access { keys: 2 of them, proxies: "), "{shown}");
    }

    const ONE_CALLER: &Caller = &Caller::Key(1);
    const ANOTHER: &Caller = &Caller::Key(2);

    fn pay(limiter: &Limiter, caller: &Caller, needed: u32, price: u32) -> Result<(), u64> {
        let paid = limiter.pay(limiter.now(), caller, needed, price);
        paid.map_err(whole_seconds)
    }

    #[test]
    fn a_burst_is_let_through_and_then_the_limit_holds_for_this_caller_alone() {
        // One request a minute, so that the run time of this test refills nothing.
        let limiter = Limiter::new(1, 3).unwrap();
        assert_eq!(limiter.policy(), "\"default\";q=3;w=180");
        for status in ["r=2;t=60", "r=1;t=120", "r=0;t=180"] {
            pay(&limiter, ONE_CALLER, 1, 1).unwrap();
            assert_eq!(limiter.status(ONE_CALLER), format!("\"default\";{status}"));
        }
        assert_eq!(pay(&limiter, ONE_CALLER, 1, 1), Err(60));
        pay(&limiter, ANOTHER, 1, 1).unwrap();
    }

    #[test]
    fn a_request_that_costs_more_than_the_limit_is_answered_once_and_then_paid_off() {
        let limiter = Limiter::new(1, 3).unwrap();
        for _ in 0..2 {
            pay(&limiter, ONE_CALLER, 1, 1).unwrap();
        }
        pay(&limiter, ONE_CALLER, 0, 9).unwrap();
        assert_eq!(limiter.status(ONE_CALLER), "\"default\";r=0;t=660");
        // Until the debt is paid off, admitted requests cannot add to it, and new ones are not admitted.
        assert_eq!(pay(&limiter, ONE_CALLER, 0, 1), Err(480));
        assert_eq!(pay(&limiter, ONE_CALLER, 1, 1), Err(540));
        pay(&limiter, ANOTHER, 0, 9).unwrap();
    }

    fn caller_of(network: u32) -> Caller {
        Caller::Address(Ipv6Addr::from(0x2001_0db8 << 96 | u128::from(network) << 64).into())
    }

    #[test]
    fn nobody_pays_for_others_and_a_debt_stays_with_its_caller() {
        let limiter = Limiter::new(1, 60).unwrap();
        // Far more networks than a /48 is usually abused with, each with more than its share.
        for network in 0..12_000 {
            for _ in 0..60 {
                pay(&limiter, &caller_of(network), 1, 1).unwrap();
            }
        }
        for stranger in 100_000..101_000 {
            pay(&limiter, &caller_of(stranger), 1, 1).unwrap();
        }
        for debtor in 0..12_000 {
            assert!(pay(&limiter, &caller_of(debtor), 1, 1).is_err(), "{debtor}");
        }
    }

    #[test]
    fn callers_are_remembered_up_to_a_bound_and_the_largest_debts_the_longest() {
        let limiter = Limiter::new(1, 60).unwrap();
        let (debtors, crowd) = (1_000, 1_000_000_u32..1_100_000);
        for debtor in 0..debtors {
            pay(&limiter, &caller_of(debtor), 0, 1_000).unwrap();
        }
        for stranger in crowd {
            pay(&limiter, &caller_of(stranger), 1, 1).unwrap();
            assert!(limiter.paid().len() <= RECENT_CALLERS);
        }
        for debtor in 0..debtors {
            assert!(pay(&limiter, &caller_of(debtor), 1, 1).is_err(), "{debtor}");
        }
        // When all debts are paid off, a newcomer needs no other to go.
        let later = u64::MAX / 2;
        limiter.pay(later, ONE_CALLER, 1, 1).unwrap();
        for stranger in 0..u32::try_from(RECENT_CALLERS).unwrap() {
            limiter.pay(later, &caller_of(stranger), 1, 1).unwrap();
        }
        assert!(limiter.paid().len() <= RECENT_CALLERS);
    }

    #[test]
    fn no_limit_is_no_limiter() {
        assert!(Limiter::new(0, 3).is_none() && Limiter::new(0, 0).is_none());
    }

    #[test]
    fn who_has_thought_a_minutes_share_waits_until_some_of_it_is_there_again() {
        let limiter = Limiter::new(2_000, 2_000).unwrap();
        let check = |caller, at: u64| limiter.pay(at * 1_000_000_000, caller, 0, 0);
        let think = |ms, at: u64| limiter.count(at * 1_000_000_000, ONE_CALLER, Duration::from_millis(ms));
        think(1_999, 100);
        assert_eq!(check(ONE_CALLER, 100), Ok(()));
        // The last search goes two seconds beyond, which is a minute's share.
        think(2_001, 100);
        for (at, seconds) in [(100, 60), (130, 30)] {
            assert_eq!(check(ONE_CALLER, at), Err(Duration::from_secs(seconds)));
        }
        assert_eq!(check(ONE_CALLER, 161), Ok(()));
        // Others have a share of their own.
        assert_eq!(check(ANOTHER, 100), Ok(()));
    }

    #[test]
    fn what_is_not_used_is_not_kept() {
        let limiter = Limiter::new(2_000, 2_000).unwrap();
        let now = 10_000_000_000_000;
        limiter.count(now, ONE_CALLER, Duration::from_secs(4));
        assert_eq!(limiter.pay(now, ONE_CALLER, 0, 0), Err(Duration::from_secs(60)));
    }
}
