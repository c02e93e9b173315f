//! How often each caller may call.

use std::{num::NonZeroU32, time::Duration};

use actix_web::http::header::{HeaderName, HeaderValue};
use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::StateInformationMiddleware,
    nanos::Nanos,
    state::{InMemoryState, NotKeyed, StateStore},
};

use super::{caller::Caller, cells::Cells};
use crate::http::problem::Problem;

/// The header with how much a caller may send in what time.
pub const POLICY_HEADER: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The header with how much of it is left, and when all of it is there again.
pub const STATUS_HEADER: HeaderName = HeaderName::from_static("ratelimit");

/// The name of the one policy.
const POLICY: &str = "default";

/// The store in which the library keeps the limits, one for each cell.
impl StateStore for Cells<InMemoryState> {
    type Key = Caller;

    fn measure_and_replace<T, F, E>(&self, caller: &Caller, decide: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        self.of(caller).measure_and_replace(&NotKeyed::NonKey, decide)
    }
}

/// How often each caller may call.
pub struct Limiter {
    by_caller: RateLimiter<Caller, Cells<InMemoryState>, DefaultClock, StateInformationMiddleware>,
    quota: Quota,
    policy: HeaderValue,
}

/// How the limit of a caller stands after a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimitStatus {
    /// Requests that may follow at once.
    remaining: u32,
    /// When there is more: after how long all of it is there again, or at least one request.
    reset: Duration,
}

impl Limiter {
    /// So many requests a minute, of which `burst` may come at once; nothing if there is no limit.
    pub fn new(per_minute: u32, burst: u32) -> Option<Self> {
        let (per_minute, burst) = (NonZeroU32::new(per_minute)?, NonZeroU32::new(burst)?);
        let quota = Quota::per_minute(per_minute).allow_burst(burst);
        let window = seconds(quota.burst_size_replenished_in());
        let policy = HeaderValue::try_from(format!("\"{POLICY}\";q={burst};w={window}"))
            .expect("numbers are a header value");
        Some(Self {
            by_caller: RateLimiter::new(quota, Cells::default(), DefaultClock::default()),
            quota,
            policy,
        })
    }

    /// Counts a request of a caller.
    ///
    /// # Errors
    /// The caller has sent too many.
    pub fn admit(&self, caller: &Caller) -> Result<RateLimitStatus, RateLimitStatus> {
        match self.by_caller.check_key(caller) {
            Ok(snapshot) => {
                let remaining = snapshot.remaining_burst_capacity();
                let used = self.quota.burst_size().get().saturating_sub(remaining);
                Ok(RateLimitStatus { remaining, reset: self.quota.replenish_interval() * used })
            }
            Err(refused) => {
                let wait = refused.wait_time_from(self.by_caller.clock().now());
                Err(RateLimitStatus { remaining: 0, reset: wait })
            }
        }
    }

    /// The value of the header that tells the policy.
    pub fn policy(&self) -> HeaderValue {
        self.policy.clone()
    }
}

impl RateLimitStatus {
    /// The problem of a caller who has sent too many.
    pub fn refusal(self) -> Problem {
        Problem::too_many_requests(self.reset)
    }

    /// The value of the header that tells it.
    pub fn to_header(self) -> HeaderValue {
        let Self { remaining, reset } = self;
        HeaderValue::try_from(format!("\"{POLICY}\";r={remaining};t={}", seconds(reset)))
            .expect("numbers are a header value")
    }
}

/// Whole seconds, not fewer than it takes.
fn seconds(time: Duration) -> u128 {
    time.as_millis().div_ceil(1000)
}

impl std::fmt::Debug for Limiter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limiter").field("quota", &self.quota).finish_non_exhaustive()
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
        for remaining in [2, 1, 0] {
            assert_eq!(limiter.admit(&caller(1)).unwrap().remaining, remaining);
        }
        let status = limiter.admit(&caller(1)).unwrap_err();
        assert_eq!(status.to_header(), "\"default\";r=0;t=60");
        assert_eq!(limiter.admit(&caller(2)).unwrap().to_header(), "\"default\";r=2;t=60");
    }

    #[test]
    fn no_limit_is_no_limiter() {
        assert!(Limiter::new(0, 3).is_none());
    }
}
