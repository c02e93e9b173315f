//! Who may call, and how often: off unless it is set up.

mod caller;
mod keys;
mod limit;
mod think;

use std::{
    hash::{BuildHasher, RandomState},
    io,
};

use actix_web::{
    Error, HttpMessage,
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::header,
    middleware::Next,
    web::Data,
};

pub use self::{
    caller::Caller,
    keys::SCHEME,
    limit::{POLICY_HEADER, STANDING_HEADER},
};
use self::{
    caller::{Callers, Proxies},
    keys::Keys,
    limit::Limiter,
    think::ThinkLimiter,
};
use super::{State, problem::Problem};
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

    /// A caller as the search threads know it. Two with the same number, which no one will ever see, would share a turn.
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
}

/// Answers only those who may call, and tells them how much more they may.
pub async fn guard<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let state = request.app_data::<Data<State>>().expect("the application has its state").clone();
    let access = &state.access;
    // The path as the router sees it, which has undone percent-encoding: `/%761/` leads to the same operations.
    if !request.match_info().as_str().starts_with(GUARDED) {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    let caller = *request.extensions().get::<Caller>().expect("every request has its caller");
    let opens = !access.needs_key() || matches!(caller, Caller::Key(_));
    let refused =
        |request: ServiceRequest, problem: Problem| request.error_response(problem).map_into_right_body();
    // Who shows no key, or a wrong one, counts by address: keys cannot be guessed faster than that.
    let standing = access.limiter.as_ref().map(|limiter| (limiter, limiter.admit(&caller)));
    let mut response = match &standing {
        Some((_, Err(standing))) => refused(request, standing.refusal()),
        _ if !opens => {
            let problem = keys::refusal(request.headers());
            refused(request, problem)
        }
        _ => next.call(request).await?.map_into_left_body(),
    };
    if let Some((limiter, Ok(standing) | Err(standing))) = standing {
        let headers = response.headers_mut();
        headers.insert(POLICY_HEADER, limiter.policy());
        headers.insert(STANDING_HEADER, standing.to_header());
    }
    Ok(response)
}

/// Answers for callers with a key are not for everybody: caches that several callers share must not keep them.
pub fn keep_private(headers: &mut header::HeaderMap) {
    const PUBLIC: &str = "public";
    let Some(value) = headers.get(header::CACHE_CONTROL).and_then(|value| value.to_str().ok()) else {
        return;
    };
    let Some(rest) = value.strip_prefix(PUBLIC) else { return };
    let private = header::HeaderValue::try_from(format!("private{rest}")).expect("one word for another");
    headers.insert(header::CACHE_CONTROL, private);
}
