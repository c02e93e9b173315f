//! Who may call, and how often: off unless it is set up.

mod caller;
mod cells;
mod keys;
mod limit;
mod think;

use std::{
    hash::{BuildHasher, RandomState},
    io,
};

use actix_web::{
    dev::ServiceRequest,
    http::header::{HeaderMap, HeaderName, HeaderValue},
};

pub use self::{
    caller::Caller,
    limit::{POLICY_HEADER, STATUS_HEADER},
};
use self::{
    caller::{Callers, Proxies},
    keys::Keys,
    limit::Limiter,
    think::ThinkLimiter,
};
use super::problem::Problem;
use crate::{config::Config, search::pool::CallerId};

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
            callers: Callers(Proxies {
                networks: config.trusted_proxies.clone(),
                header: config.proxy_header,
            }),
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

    /// Whether a caller may call now: counts the request against its limit, and tells how that stands after
    /// it.
    pub fn admit(
        &self,
        caller: &Caller,
        headers: &HeaderMap,
    ) -> (Result<(), Problem>, Option<RateLimitHeaders>) {
        let is_allowed = !self.needs_key() || matches!(caller, Caller::Key(_));
        let allowed = || if is_allowed { Ok(()) } else { Err(keys::refusal(headers)) };
        let Some(limiter) = &self.limiter else { return (allowed(), None) };
        // Who shows no key, or a wrong one, counts by address: keys cannot be guessed faster than that.
        let (admitted, status) = match limiter.admit(caller) {
            Ok(status) => (allowed(), status),
            Err(status) => (Err(status.refusal()), status),
        };
        (admitted, Some([(POLICY_HEADER, limiter.policy()), (STATUS_HEADER, status.to_header())]))
    }
}

/// The headers that tell a caller its limit and how that stands.
pub type RateLimitHeaders = [(HeaderName, HeaderValue); 2];
