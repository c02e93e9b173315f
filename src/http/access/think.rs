//! How long the searches of each caller may think.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use super::{caller::Caller, cells::Cells};

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

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn caller(number: u8) -> Caller {
        Caller::Address(IpAddr::from([192, 0, 2, number]))
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

    #[test]
    fn no_limit_is_no_limiter() {
        assert!(ThinkLimiter::new(0).is_none());
    }
}
