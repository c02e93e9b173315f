//! How often each caller may call.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use actix_web::http::header::{HeaderName, HeaderValue};

use super::{caller::Caller, cells::Cells};

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
        assert!(Limiter::new(0, 3).is_none());
    }
}
