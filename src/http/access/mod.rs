//! Who may call, and how often: off unless it is set up.

mod caller;
mod keys;
mod limit;

use std::{
    hash::{BuildHasher, RandomState},
    io,
};

use actix_web::{
    HttpRequest,
    dev::ServiceRequest,
    http::header::{HeaderMap, HeaderName, HeaderValue},
};

pub use self::{
    caller::Caller,
    limit::{POLICY_HEADER, STATUS_HEADER},
};
use self::{
    caller::Callers,
    keys::Keys,
    limit::{Limiter, ThinkLimiter},
};
use super::{context::RequestContext, problem::Problem};
use crate::{config::Config, queue::CallerId, service::paths};

/// Whether a path is one of the operations on games, or their tools; the rest is open to everybody.
pub fn is_guarded(path: &str) -> bool {
    path.starts_with("/v1/") || path == paths::MCP
}

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
        if is_allowed { Ok(()) } else { Err(keys::refusal(headers)) }
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
