//! Rate limits: how often each caller may call, and how long its searches may think.

use std::{
    array, fmt,
    hash::{BuildHasher, RandomState},
    iter,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use actix_web::http::header::{HeaderName, HeaderValue};

use super::caller::Caller;

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

    use super::*;

    fn caller(number: u8) -> Caller {
        Caller::Address(IpAddr::from([192, 0, 2, number]))
    }

    #[test]
    fn a_burst_is_let_through_and_then_the_limit_holds_for_this_caller_alone() {
        // One request a minute, so that no time of this test makes up for one.
        let limiter = Limiter::new(1, 3).unwrap();
        assert_eq!(limiter.policy(), "\"default\";q=3;w=180");
        for status in ["r=2;t=60", "r=1;t=120", "r=0;t=180"] {
            limiter.admit(&caller(1)).unwrap();
            assert_eq!(limiter.status(&caller(1)), format!("\"default\";{status}"));
        }
        assert_eq!(seconds(limiter.admit(&caller(1)).unwrap_err()), 60);
        limiter.admit(&caller(2)).unwrap();
    }

    #[test]
    fn a_request_that_costs_more_than_the_limit_is_answered_once_and_then_paid_off() {
        let limiter = Limiter::new(1, 3).unwrap();
        for _ in 0..2 {
            limiter.admit(&caller(1)).unwrap();
        }
        limiter.charge(&caller(1), 10).unwrap();
        assert_eq!(limiter.status(&caller(1)), "\"default\";r=0;t=660");
        // One that was admitted before gets no second debt, and none is admitted until this one is paid off.
        assert_eq!(seconds(limiter.charge(&caller(1), 2).unwrap_err()), 480);
        assert_eq!(seconds(limiter.admit(&caller(1)).unwrap_err()), 540);
        limiter.charge(&caller(2), 10).unwrap();
    }

    #[test]
    fn no_limit_is_no_limiter() {
        assert!(Limiter::new(0, 3).is_none() && ThinkLimiter::new(0).is_none());
    }

    #[test]
    fn who_has_thought_a_minutes_share_waits_until_some_of_it_is_there_again() {
        let limiter = ThinkLimiter::new(2_000).unwrap();
        let at = Duration::from_secs;
        limiter.charge_at(&caller(1), Duration::from_millis(1_999), at(100));
        assert_eq!(limiter.check_at(&caller(1), at(100)), Ok(()));
        // The last search goes two seconds beyond, which is a minute's share.
        limiter.charge_at(&caller(1), Duration::from_millis(2_001), at(100));
        assert_eq!(limiter.check_at(&caller(1), at(100)), Err(at(60)));
        assert_eq!(limiter.check_at(&caller(1), at(130)), Err(at(30)));
        assert_eq!(limiter.check_at(&caller(1), at(161)), Ok(()));
        // Others have a share of their own.
        assert_eq!(limiter.check_at(&caller(2), at(100)), Ok(()));
    }

    #[test]
    fn what_is_not_used_is_not_kept() {
        let limiter = ThinkLimiter::new(2_000).unwrap();
        limiter.charge_at(&caller(1), Duration::from_secs(4), Duration::from_secs(10_000));
        assert_eq!(limiter.check_at(&caller(1), Duration::from_secs(10_000)), Err(WINDOW));
    }
}
