//! Who may call, and how often: off unless it is set up.

use std::{
    array, fmt, fs,
    hash::{BuildHasher, RandomState},
    io, iter,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use actix_web::{
    HttpRequest,
    dev::ServiceRequest,
    http::header::{self, HeaderMap, HeaderName, HeaderValue},
};
use ipnet::IpNet;
use sha2::{Digest, Sha256};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::{context::RequestContext, problem::Problem};
use crate::{
    config::{ApiKey, Config, NotAnApiKey},
    queue::CallerId,
};

/// What all operations on games begin with; the rest is open to everybody.
pub const GUARDED: &str = "/v1/";

/// Who may call, and how often.
#[derive(Debug)]
pub struct Access {
    keys: Option<Keys>,
    callers: Callers,
    limiter: Option<Limiter>,
    /// How long the searches of a caller may think, if that is limited.
    pub thinking: Option<ThinkLimiter>,
    /// Makes numbers of callers that nobody outside can guess.
    hasher: RandomState,
}

impl Access {
    /// Access as it is set up.
    ///
    /// # Errors
    /// The file with the keys cannot be read.
    pub fn new(config: &Config) -> io::Result<Self> {
        Ok(Self {
            keys: Keys::new(&config.api_keys, config.api_keys_file.as_deref())?,
            callers: Callers { proxies: config.trusted_proxies.clone() },
            limiter: Limiter::new(config.rate_limit, config.rate_burst),
            thinking: ThinkLimiter::new(config.think_ms_per_minute),
            hasher: RandomState::new(),
        })
    }

    /// Who calls: whoever has the key that is shown, else whoever is at the address.
    pub fn caller(&self, request: &ServiceRequest) -> Caller {
        let key = self.keys.as_ref().and_then(|keys| keys.of(request.headers()));
        self.callers.of(request.peer_addr(), request.headers(), key)
    }

    /// A caller as the search threads know it. Two with the same number, which no one will ever see, would
    /// share a turn.
    pub fn id(&self, caller: &Caller) -> CallerId {
        CallerId(self.hasher.hash_one(caller))
    }

    /// Whether callers need a key.
    pub fn needs_key(&self) -> bool {
        self.keys.is_some()
    }

    /// Whether there is anything to check.
    pub fn is_limited(&self) -> bool {
        self.needs_key() || self.limiter.is_some()
    }

    /// Whether a caller may call now: counts the request against its limit.
    ///
    /// # Errors
    /// The caller has shown no key that opens the service, or has sent too many requests.
    pub fn admit(&self, caller: &Caller, headers: &HeaderMap) -> Result<(), Problem> {
        // Who shows no key, or a wrong one, counts by address: keys cannot be guessed faster than that.
        if let Some(limiter) = &self.limiter {
            limiter.admit(caller).map_err(Problem::too_many_requests)?;
        }
        let is_allowed = !self.needs_key() || matches!(caller, Caller::Key(_));
        if is_allowed { Ok(()) } else { Err(refusal(headers)) }
    }

    /// Counts a request for as many as it is worth, now that this is known: one has been counted already.
    ///
    /// # Errors
    /// The caller still has a debt from other requests.
    pub fn charge(&self, request: &HttpRequest, price: u32) -> Result<(), Problem> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        limiter.charge(&RequestContext::of(request).caller, price).map_err(Problem::too_many_requests)
    }

    /// The headers that tell a caller its limit and how that stands now.
    pub fn rate_limit_headers(&self, caller: &Caller) -> Option<RateLimitHeaders> {
        let limiter = self.limiter.as_ref()?;
        Some([(POLICY_HEADER, limiter.policy()), (STATUS_HEADER, limiter.status(caller))])
    }
}

/// The headers that tell a caller its limit and how that stands.
pub type RateLimitHeaders = [(HeaderName, HeaderValue); 2];

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

/// How a key is shown: `Authorization: Bearer KEY`.
const SCHEME: &str = "Bearer";

/// The longest header in which a key is looked for.
const MAX_HEADER: usize = 512;

type Hash = [u8; 32];

/// The keys that open the service, as hashes: nothing here can be shown, and all are equally long.
#[derive(Clone)]
pub struct Keys(Vec<Hash>);

/// Which of the keys a caller has shown: those of the settings come first, then those of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyNumber(u32);

/// Counted from 1.
impl fmt::Display for KeyNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", u64::from(self.0) + 1)
    }
}

impl Keys {
    /// The keys of the settings and of a file; nothing if there are no settings for keys.
    ///
    /// # Errors
    /// The file cannot be read, has a line that is not a key, or has none.
    pub fn new(given: &[ApiKey], file: Option<&Path>) -> io::Result<Option<Self>> {
        let mut keys: Vec<Hash> = given.iter().map(|key| hash(key.secret())).collect();
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
                let key = str::from_utf8(line).map_err(|_| NotAnApiKey).and_then(str::parse::<ApiKey>);
                let key = key.map_err(|error| wrong(&format!("line {}: {error}", i + 1)))?;
                keys.push(hash(key.secret()));
            }
            if keys.is_empty() {
                return Err(wrong("there are none"));
            }
        }
        Ok((!keys.is_empty()).then_some(Self(keys)))
    }

    /// The key that a caller has shown, if it opens the service.
    pub fn of(&self, headers: &HeaderMap) -> Option<KeyNumber> {
        self.find(bearer(headers.get(header::AUTHORIZATION)?)?)
    }

    /// Compares with every key, in a time that does not depend on which it is.
    fn find(&self, shown: &str) -> Option<KeyNumber> {
        let shown = hash(shown);
        let (mut found, mut number) = (Choice::from(0), 0);
        for (i, key) in (0_u32..).zip(&self.0) {
            let same = shown.ct_eq(key);
            number.conditional_assign(&i, same);
            found |= same;
        }
        bool::from(found).then_some(KeyNumber(number))
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keys({} of them)", self.0.len())
    }
}

/// The problem of a caller who has shown no key, or one that does not open the service.
pub fn refusal(headers: &HeaderMap) -> Problem {
    let detail = if headers.contains_key(header::AUTHORIZATION) {
        "the header Authorization has no key that this service knows"
    } else {
        "the header Authorization is missing; it must be Bearer and a key of this service"
    };
    Problem::unauthorized(detail, SCHEME)
}

/// What stands after the name of the scheme, which may be written in any case.
fn bearer(value: &HeaderValue) -> Option<&str> {
    let text = value.to_str().ok().filter(|text| text.len() <= MAX_HEADER)?;
    let (scheme, key) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case(SCHEME).then(|| key.trim())
}

fn hash(key: &str) -> Hash {
    Sha256::digest(key).into()
}

/// The header with how much a caller may send in what time.
pub const POLICY_HEADER: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The header with how much of it is left, and when all of it is there again.
pub const STATUS_HEADER: HeaderName = HeaderName::from_static("ratelimit");

/// The name of the one policy.
const POLICY: &str = "default";

/// How often each caller may call. A request that costs more than one is answered if the caller owes nothing;
/// what it costs beyond the limit is a debt, and nothing more is answered until that is paid off.
#[derive(Debug)]
pub struct Limiter {
    /// For each caller, when all its requests will be paid for: nanoseconds after the beginning.
    paid: Cells<AtomicU64>,
    beginning: Instant,
    /// How long it takes to pay for one request, in nanoseconds.
    interval: u64,
    burst: u32,
    policy: HeaderValue,
}

impl Limiter {
    /// So many requests a minute, of which `burst` may come at once; nothing if there is no limit.
    pub fn new(per_minute: u32, burst: u32) -> Option<Self> {
        const MINUTE: u64 = 60_000_000_000;
        let interval = MINUTE.checked_div(per_minute.into()).filter(|_| burst > 0)?;
        let window = seconds(Duration::from_nanos(interval.saturating_mul(burst.into())));
        let policy = HeaderValue::try_from(format!("\"{POLICY}\";q={burst};w={window}"))
            .expect("numbers are a header value");
        Some(Self { paid: Cells::default(), beginning: Instant::now(), interval, burst, policy })
    }

    /// Counts a request of a caller.
    ///
    /// # Errors
    /// The caller has sent too many, and may send one more after so much time.
    pub fn admit(&self, caller: &Caller) -> Result<(), Duration> {
        self.pay(caller, 1, 1)
    }

    /// Counts what a request costs beyond the one that has been counted when it was admitted.
    ///
    /// # Errors
    /// The caller has a debt, which is paid off after so much time.
    pub fn charge(&self, caller: &Caller, price: u32) -> Result<(), Duration> {
        self.pay(caller, 0, price.saturating_sub(1))
    }

    /// Counts so many requests of a caller, if at least `needed` are left.
    fn pay(&self, caller: &Caller, needed: u32, price: u32) -> Result<(), Duration> {
        let cost = |requests: u32| self.interval.saturating_mul(requests.into());
        let (needed, price, now) = (cost(needed), cost(price), self.now());
        let latest = now.saturating_add(cost(self.burst));
        let pay = |paid: u64| {
            let paid = paid.max(now);
            (paid.saturating_add(needed) <= latest).then(|| paid.saturating_add(price))
        };
        // The number tells nothing about other memory, so it needs no order.
        let counted = self.paid.of(caller).fetch_update(Ordering::Relaxed, Ordering::Relaxed, pay);
        counted.map(drop).map_err(|paid| Duration::from_nanos(paid.saturating_add(needed) - latest))
    }

    /// Nanoseconds since the beginning, of which there are enough for five centuries.
    fn now(&self) -> u64 {
        u64::try_from(self.beginning.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// The value of the header that tells the policy.
    pub fn policy(&self) -> HeaderValue {
        self.policy.clone()
    }

    /// The value of the header that tells how many requests a caller may send at once, and when all of the
    /// limit is there again.
    pub fn status(&self, caller: &Caller) -> HeaderValue {
        let owed = self.paid.of(caller).load(Ordering::Relaxed).saturating_sub(self.now());
        let remaining = u64::from(self.burst).saturating_sub(owed.div_ceil(self.interval));
        let reset = seconds(Duration::from_nanos(owed));
        HeaderValue::try_from(format!("\"{POLICY}\";r={remaining};t={reset}"))
            .expect("numbers are a header value")
    }
}

/// Whole seconds, not fewer than it takes.
fn seconds(time: Duration) -> u128 {
    time.as_millis().div_ceil(1000)
}

/// The time for which a caller has a share.
const WINDOW: Duration = Duration::from_secs(60);

/// How long the searches of each caller may think. What they have thought is counted when they end, so that
/// the last of them may go beyond the share; the caller then waits for that time as well.
#[derive(Debug)]
pub struct ThinkLimiter {
    /// For each caller, when all that its searches have thought will be paid for: nanoseconds after the
    /// beginning.
    paid: Cells<AtomicU64>,
    beginning: Instant,
    /// How long it takes to pay for a moment of thinking.
    price: f64,
}

impl ThinkLimiter {
    /// So much thinking a minute; nothing if there is no limit.
    pub fn new(ms_per_minute: u32) -> Option<Self> {
        (ms_per_minute > 0).then(|| Self {
            paid: Cells::default(),
            beginning: Instant::now(),
            price: WINDOW.as_secs_f64() * 1_000.0 / f64::from(ms_per_minute),
        })
    }

    /// Whether a caller has some of its share left.
    ///
    /// # Errors
    /// It has not, and will have after so much time.
    pub fn check(&self, caller: &Caller) -> Result<(), Duration> {
        self.check_at(caller, self.beginning.elapsed())
    }

    fn check_at(&self, caller: &Caller, now: Duration) -> Result<(), Duration> {
        // The number tells nothing about other memory, so it needs no order.
        let paid = Duration::from_nanos(self.paid.of(caller).load(Ordering::Relaxed));
        let debt = paid.saturating_sub(now);
        debt.checked_sub(WINDOW).map_or(Ok(()), Err)
    }

    /// Counts what a search of a caller has thought.
    pub fn charge(&self, caller: &Caller, thought: Duration) {
        self.charge_at(caller, thought, self.beginning.elapsed());
    }

    fn charge_at(&self, caller: &Caller, thought: Duration, now: Duration) {
        let (now, price) = (nanos(now), nanos(thought.mul_f64(self.price)));
        let pay = |paid: u64| Some(paid.max(now).saturating_add(price));
        // The function never declines.
        let _before = self.paid.of(caller).fetch_update(Ordering::Relaxed, Ordering::Relaxed, pay);
    }
}

/// Nanoseconds, of which there are enough for five centuries.
fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// How many cells there are: half a mebibyte of limits.
const CELLS: usize = 1 << u16::BITS;

/// Something for each caller, in the cell that a secret hash picks. Two callers in one cell share it: among a
/// thousand at a time that happens to one in 65.
pub struct Cells<T> {
    cells: Box<[T]>,
    hasher: RandomState,
}

impl<T: Default> Default for Cells<T> {
    fn default() -> Self {
        Self { cells: iter::repeat_with(T::default).take(CELLS).collect(), hasher: RandomState::new() }
    }
}

impl<T> fmt::Debug for Cells<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cells").finish_non_exhaustive()
    }
}

impl<T> Cells<T> {
    /// The cell of a caller.
    pub fn of(&self, caller: &Caller) -> &T {
        let hash = self.hasher.hash_one(caller).to_ne_bytes();
        &self.cells[usize::from(u16::from_ne_bytes(array::from_fn(|i| hash[i])))]
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

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

    const ONE: &str = "one-key-of-several";
    const TWO: &str = "two-key-of-several";

    fn keys() -> Keys {
        Keys::new(&[ONE.parse().unwrap(), TWO.parse().unwrap()], None).unwrap().unwrap()
    }

    #[test]
    fn each_of_several_keys_opens_and_nothing_else_does() {
        let of = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, HeaderValue::try_from(text).unwrap());
            keys().of(&headers)
        };
        assert_eq!(of(&format!("Bearer {ONE}")), Some(KeyNumber(0)));
        assert_eq!(of(&format!("bearer  {TWO}")), Some(KeyNumber(1)));
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
        assert_eq!(keys().of(&HeaderMap::new()), None);
    }

    #[test]
    fn a_key_is_named_by_its_place_counted_from_one() {
        assert_eq!(KeyNumber(0).to_string(), "1");
    }

    #[test]
    fn no_settings_mean_no_keys_and_keys_are_not_shown() {
        assert!(Keys::new(&[], None).unwrap().is_none());
        assert_eq!(format!("{:?}", keys()), "Keys(2 of them)");
    }

    fn numbered(number: u8) -> Caller {
        Caller::Address(IpAddr::from([192, 0, 2, number]))
    }

    #[test]
    fn a_burst_is_let_through_and_then_the_limit_holds_for_this_caller_alone() {
        // One request a minute, so that no time of this test makes up for one.
        let limiter = Limiter::new(1, 3).unwrap();
        assert_eq!(limiter.policy(), "\"default\";q=3;w=180");
        for status in ["r=2;t=60", "r=1;t=120", "r=0;t=180"] {
            limiter.admit(&numbered(1)).unwrap();
            assert_eq!(limiter.status(&numbered(1)), format!("\"default\";{status}"));
        }
        assert_eq!(seconds(limiter.admit(&numbered(1)).unwrap_err()), 60);
        limiter.admit(&numbered(2)).unwrap();
    }

    #[test]
    fn a_request_that_costs_more_than_the_limit_is_answered_once_and_then_paid_off() {
        let limiter = Limiter::new(1, 3).unwrap();
        for _ in 0..2 {
            limiter.admit(&numbered(1)).unwrap();
        }
        limiter.charge(&numbered(1), 10).unwrap();
        assert_eq!(limiter.status(&numbered(1)), "\"default\";r=0;t=660");
        // One that was admitted before gets no second debt, and none is admitted until this one is paid off.
        assert_eq!(seconds(limiter.charge(&numbered(1), 2).unwrap_err()), 480);
        assert_eq!(seconds(limiter.admit(&numbered(1)).unwrap_err()), 540);
        limiter.charge(&numbered(2), 10).unwrap();
    }

    #[test]
    fn no_limit_is_no_limiter() {
        assert!(Limiter::new(0, 3).is_none() && ThinkLimiter::new(0).is_none());
    }

    #[test]
    fn who_has_thought_a_minutes_share_waits_until_some_of_it_is_there_again() {
        let limiter = ThinkLimiter::new(2_000).unwrap();
        let at = Duration::from_secs;
        limiter.charge_at(&numbered(1), Duration::from_millis(1_999), at(100));
        assert_eq!(limiter.check_at(&numbered(1), at(100)), Ok(()));
        // The last search goes two seconds beyond, which is a minute's share.
        limiter.charge_at(&numbered(1), Duration::from_millis(2_001), at(100));
        assert_eq!(limiter.check_at(&numbered(1), at(100)), Err(at(60)));
        assert_eq!(limiter.check_at(&numbered(1), at(130)), Err(at(30)));
        assert_eq!(limiter.check_at(&numbered(1), at(161)), Ok(()));
        // Others have a share of their own.
        assert_eq!(limiter.check_at(&numbered(2), at(100)), Ok(()));
    }

    #[test]
    fn what_is_not_used_is_not_kept() {
        let limiter = ThinkLimiter::new(2_000).unwrap();
        limiter.charge_at(&numbered(1), Duration::from_secs(4), Duration::from_secs(10_000));
        assert_eq!(limiter.check_at(&numbered(1), Duration::from_secs(10_000)), Err(WINDOW));
    }
}
