//! Why connections are cut off.

use std::net::SocketAddr;

use actix_http::{
    error::{DispatchError, ParseError},
    header::HeaderValue,
};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
    registry::Metric,
};

/// Why the service ended a connection that its caller would have kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A head did not arrive in time.
    SlowHead,
    /// What the caller announced after an answer that did not wait for it, did not arrive in time.
    SlowBody,
    /// The caller took an answer too slowly.
    SlowReader,
    /// No request came, or not before too many others connected.
    Idle,
    /// There was no memory for what the caller sent.
    Memory,
    /// What came was not HTTP; the library answers 400 without a body.
    Malformed,
    /// The head was larger than the library reads; it answers 431 without a body.
    LargeHead,
}

impl Cut {
    /// All reasons.
    pub const ALL: [Self; 7] = [
        Self::SlowHead,
        Self::SlowBody,
        Self::SlowReader,
        Self::Idle,
        Self::Memory,
        Self::Malformed,
        Self::LargeHead,
    ];

    /// The reason in the log and as a label of the metric.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SlowHead => "slow-head",
            Self::SlowBody => "slow-body",
            Self::SlowReader => "slow-reader",
            Self::Idle => "idle",
            Self::Memory => "memory",
            Self::Malformed => "malformed",
            Self::LargeHead => "large-head",
        }
    }

    /// The reason that an error of the HTTP library means, if the service is the one who gave up.
    pub fn of(error: &DispatchError) -> Option<Self> {
        match error {
            DispatchError::Parse(ParseError::TooLarge) => Some(Self::LargeHead),
            // The caller has left in the middle.
            DispatchError::Parse(ParseError::Incomplete | ParseError::Io(_)) => None,
            DispatchError::Parse(_) => Some(Self::Malformed),
            // The system has waited for somebody who confirms nothing of what was sent.
            DispatchError::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => {
                Some(Self::SlowReader)
            }
            _ => None,
        }
    }
}

/// Counts connections that were cut off, by reason.
#[derive(Clone, Debug)]
pub struct CutCounter(Family<CutLabel, Counter>);

/// The label of the metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CutLabel {
    reason: &'static str,
}

impl From<Cut> for CutLabel {
    fn from(cut: Cut) -> Self {
        Self { reason: cut.name() }
    }
}

/// Nothing has been cut off yet; the metric has every reason from the beginning.
impl Default for CutCounter {
    fn default() -> Self {
        let counts = Family::default();
        for cut in Cut::ALL {
            drop(counts.get_or_create(&cut.into()));
        }
        Self(counts)
    }
}

impl CutCounter {
    /// The metric.
    pub fn metric(&self) -> impl Metric + use<> {
        self.0.clone()
    }

    /// How often connections were cut off for a reason.
    pub fn get(&self, cut: Cut) -> u64 {
        self.0.get_or_create(&cut.into()).get()
    }

    /// Counts and logs a connection that was cut off, with the request whose answer was the last on it.
    pub fn record(&self, cut: Cut, peer: Option<SocketAddr>, request: Option<&HeaderValue>) {
        self.0.get_or_create(&cut.into()).inc();
        let peer = peer.map_or_else(|| "unknown".to_owned(), |peer| peer.to_string());
        let request = request.and_then(|id| id.to_str().ok()).unwrap_or("none");
        log::info!(
            target: "connection",
            reason = cut.name(),
            peer = peer.as_str(),
            request_id = request;
            "cut off a connection of {peer}: {}", cut.name()
        );
    }
}
