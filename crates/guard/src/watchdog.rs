//! What a connection is waiting for, until when, and why it is cut off.

use std::{
    cell::{Cell, RefCell},
    net::SocketAddr,
    time::Duration,
};

use actix_http::{
    error::{DispatchError, ParseError},
    header::HeaderValue,
};
use memchr::memchr_iter;
use prometheus_client::metrics::{counter::Counter, family::Family};
use tokio::time::Instant;

use super::{
    in_flight::{Exhausted, Share},
    service::ConnectionLimits,
};

/// How much later the watchdog acts than a timer of the library, if there is one: that ends a connection more
/// politely.
const GRACE: Duration = Duration::from_millis(500);

/// The bytes that every connection buffers in each direction, which are therefore not counted.
const BUFFER: usize = 4 * 1024;

/// What the library holds at most of what a caller sends: its buffer for reading, and that of a body.
const MOST_INPUT: usize = (128 + 32) * 1024;

/// Guards one connection. It lives on one thread.
#[derive(Debug)]
pub struct Watchdog {
    limits: ConnectionLimits,
    phase: Cell<Phase>,
    /// When the phase has to be over.
    deadline: Cell<Option<Instant>>,
    /// Since when the caller has not taken what was to be sent; `None` while it keeps up.
    blocked: Cell<Option<Instant>>,
    /// How much longer the caller may lag behind the rate of reading.
    patience: Cell<Duration>,
    /// How many bytes of a body the library has not got yet; `None` unless the caller owes one.
    body_left: Cell<Option<usize>>,
    /// Whether a line of the head has just ended: an empty line, which is the next one, ends the head.
    line_ended: Cell<bool>,
    /// Whether the caller has closed the connection.
    left: Cell<bool>,
    /// Bytes that were read and not yet handed on.
    input: Cell<usize>,
    /// Bytes of answers that are collected to be sent.
    output: Cell<usize>,
    /// Bytes of the body and of the coder from which these are taken.
    source: Cell<usize>,
    share: RefCell<Share>,
    /// The id of the last request whose answer had a head.
    pub request: RefCell<Option<HeaderValue>>,
    cut: Cell<Option<Cut>>,
}

/// Where in a request a connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// A head is arriving.
    Head,
    /// A request is being answered; the service itself sees to it that this ends.
    Request,
    /// The answer is complete, but not yet sent; whether the connection is kept afterwards.
    Answered { keep: bool },
    /// Nothing has come since the last answer.
    Idle,
    /// The connection ends after the last answer.
    Closing,
}

impl Watchdog {
    /// Guards a connection that has just begun.
    pub fn new(limits: ConnectionLimits, share: Share) -> Self {
        Self {
            limits,
            phase: Cell::new(Phase::Head),
            deadline: Cell::new(Some(Instant::now() + limits.head + GRACE)),
            blocked: Cell::new(None),
            patience: Cell::new(limits.read),
            body_left: Cell::new(None),
            line_ended: Cell::new(false),
            left: Cell::new(false),
            input: Cell::new(0),
            output: Cell::new(0),
            source: Cell::new(0),
            share: RefCell::new(share),
            request: RefCell::new(None),
            cut: Cell::new(None),
        }
    }

    /// When the connection will be cut off if nothing happens before.
    pub fn due(&self) -> Option<Instant> {
        let reader = self.blocked.get().map(|since| since + self.patience.get());
        self.deadline.get().into_iter().chain(reader).min()
    }

    /// Cuts the connection off, now that it is due.
    pub fn expire(&self) -> Cut {
        let reader_is_late =
            self.blocked.get().is_some_and(|since| self.due() == Some(since + self.patience.get()));
        self.cut_off(match self.phase.get() {
            _ if reader_is_late => Cut::SlowReader,
            Phase::Head => Cut::SlowHead,
            Phase::Closing | Phase::Answered { .. } | Phase::Request if self.owes_body() => Cut::SlowBody,
            _ => Cut::Idle,
        })
    }

    /// Remembers why the connection is cut off.
    pub fn cut_off(&self, cut: Cut) -> Cut {
        self.cut.set(Some(cut));
        cut
    }

    /// Why the service cut the connection off; `None` if it ended otherwise. Called after its end.
    pub fn reason(&self) -> Option<Cut> {
        // The library does not report that it has answered 408, and its clock may be half a second late.
        let timed_out = || {
            let over = self.deadline.get().is_some_and(|deadline| Instant::now() + 2 * GRACE >= deadline);
            (self.phase.get() == Phase::Head && !self.left.get() && over).then_some(Cut::SlowHead)
        };
        self.cut.get().or_else(timed_out)
    }

    /// Bytes have arrived; none if the caller has closed the connection.
    ///
    /// # Errors
    /// There is no memory for them.
    pub fn received(&self, bytes: usize) -> Result<(), Cut> {
        if bytes == 0 {
            self.left.set(true);
            return Ok(());
        }
        match self.phase.get() {
            Phase::Idle => self.enter(Phase::Head, self.limits.head),
            // The library ignores what comes now.
            Phase::Answered { keep: false } | Phase::Closing => return Ok(()),
            Phase::Head | Phase::Request | Phase::Answered { keep: true } => {}
        }
        self.input.set((self.input.get() + bytes).min(MOST_INPUT));
        match self.account() {
            // A body has its own limit, which is answered with an error; few other requests take long.
            Ok(()) => Ok(()),
            Err(Exhausted) if self.phase.get() == Phase::Request => Ok(()),
            Err(Exhausted) => Err(self.cut_off(Cut::Memory)),
        }
    }

    /// How many of the next bytes the library gets now: none of a pipelined request before the current one is
    /// answered. Otherwise it would read ahead and, if the body of the later request is not complete, put
    /// `Connection: close` into the answer.
    pub fn wanted(&self, next: &[u8]) -> usize {
        match self.phase.get() {
            Phase::Head | Phase::Idle => {
                // An empty line ends the head. It may have begun among the bytes before these.
                let is_blank = |line: &[u8]| line.iter().all(|&byte| byte == b'\r');
                let (mut begin, mut line_ended) = (0, self.line_ended.get());
                let ends_head = |&end: &usize| {
                    let is_empty = line_ended && is_blank(&next[begin..end]);
                    (begin, line_ended) = (end + 1, true);
                    is_empty
                };
                let wanted = memchr_iter(b'\n', next).find(ends_head).map_or(next.len(), |end| end + 1);
                self.line_ended.set(line_ended && is_blank(&next[begin..wanted]));
                wanted
            }
            Phase::Request | Phase::Answered { keep: true } => {
                let left = self.body_left.get();
                let wanted = left.unwrap_or(0).min(next.len());
                self.body_left.set(left.map(|left| left - wanted));
                wanted
            }
            Phase::Answered { keep: false } | Phase::Closing => next.len(),
        }
    }

    /// Bytes of a body have been handed on.
    pub fn consumed(&self, bytes: usize) {
        self.input.set(self.input.get().saturating_sub(bytes));
        // The sum may still exceed the limit; then the share keeps its size.
        let _as_before = self.account();
    }

    /// Counts bytes until all of an answer has been sent: those collected, and those in its body and coder.
    ///
    /// # Errors
    /// There is no memory for them.
    pub fn answer_holds(&self, collected: usize, source: usize) -> Result<(), Exhausted> {
        let before = (self.output.get(), self.source.get());
        self.output.set(before.0 + collected);
        self.source.set(before.1 + source);
        self.account().inspect_err(|_| {
            self.output.set(before.0);
            self.source.set(before.1);
        })
    }

    fn account(&self) -> Result<(), Exhausted> {
        // Buffers double when they grow.
        let beyond = |bytes: usize| 2 * bytes.saturating_sub(BUFFER);
        let sum = beyond(self.input.get()) + beyond(self.output.get()) + self.source.get();
        self.share.borrow_mut().set(sum)
    }

    /// A head is complete; `body` is the length of the body, if there is one.
    pub fn request_began(&self, body: Option<usize>) {
        self.phase.set(Phase::Request);
        self.deadline.set(None);
        self.body_left.set(body);
    }

    /// The body of the request has come to its end.
    pub fn body_ended(&self) {
        self.body_left.set(None);
    }

    /// Whether the caller still has to send a body, or the rest of one.
    pub fn owes_body(&self) -> bool {
        self.body_left.get().is_some()
    }

    /// The answer is complete.
    pub fn answered(&self, keep: bool) {
        self.phase.set(Phase::Answered { keep });
    }

    /// The system has taken bytes of an answer.
    pub fn sent(&self, bytes: usize) {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let credit = Duration::from_secs(1) * bytes / self.limits.read_rate;
        let mut patience = self.patience.get();
        if let Some(since) = self.blocked.get() {
            let now = Instant::now();
            patience = patience.saturating_sub(now - since);
            self.blocked.set(Some(now));
        }
        self.patience.set((patience + credit).min(self.limits.read));
    }

    /// The system takes no more of an answer until the caller has read some.
    pub fn stalled(&self) {
        if self.blocked.get().is_none() {
            self.blocked.set(Some(Instant::now()));
        }
    }

    /// Everything that was to be sent has been taken; `early` bytes of later requests have arrived. Returns
    /// whether this completes an answer.
    pub fn flushed(&self, early: usize) -> bool {
        if let Some(since) = self.blocked.take() {
            self.patience.set(self.patience.get().saturating_sub(since.elapsed()));
        }
        let Phase::Answered { keep } = self.phase.get() else { return false };
        self.patience.set(self.limits.read);
        self.input.set(early);
        self.output.set(0);
        self.source.set(0);
        // As in `consumed`.
        let _as_before = self.account();
        match keep {
            true if early > 0 => self.enter(Phase::Head, self.limits.head),
            true => self.enter(Phase::Idle, self.limits.idle + GRACE),
            false => self.enter(Phase::Closing, self.limits.head + GRACE),
        }
        true
    }

    fn enter(&self, phase: Phase, time: Duration) {
        self.phase.set(phase);
        self.deadline.set(Some(Instant::now() + time));
    }
}

/// Why the service ended a connection that its caller would have kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Cut {
    /// A head did not arrive in time.
    SlowHead,
    /// The rest of a body, which the answer did not wait for, did not arrive in time.
    SlowBody,
    /// The caller took an answer too slowly.
    SlowReader,
    /// No request came in time, or the connection made room for new ones.
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
    pub const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The reason in the log and as a label of the metric.
    ///
    /// ```
    /// use cublino_guard::Cut;
    ///
    /// assert_eq!(Cut::SlowHead.name(), "slow-head");
    /// ```
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The reason behind an error of the HTTP library, if the service ended the connection.
    pub fn of(error: &DispatchError) -> Option<Self> {
        match error {
            DispatchError::Parse(ParseError::TooLarge) => Some(Self::LargeHead),
            // The caller has left in the middle.
            DispatchError::Parse(ParseError::Incomplete | ParseError::Io(_)) => None,
            DispatchError::Parse(_) => Some(Self::Malformed),
            // `TCP_USER_TIMEOUT`: the caller acknowledged nothing of what was sent.
            DispatchError::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => {
                Some(Self::SlowReader)
            }
            _ => None,
        }
    }
}

/// Counts connections that were cut off, by reason.
///
/// ```
/// use cublino_guard::{Cut, CutCounter};
///
/// let counter = CutCounter::default();
/// counter.record(Cut::SlowHead, None, None);
/// assert_eq!((counter.get(Cut::SlowHead), counter.get(Cut::Idle)), (1, 0));
/// ```
#[derive(Clone, Debug)]
pub struct CutCounter(pub Family<[(&'static str, &'static str); 1], Counter>);

/// All counters are zero; the metric has every reason from the beginning.
impl Default for CutCounter {
    fn default() -> Self {
        let counter = Self(Family::default());
        for &cut in Cut::ALL {
            counter.get(cut);
        }
        counter
    }
}

impl CutCounter {
    /// How often connections were cut off for a reason.
    pub fn get(&self, cut: Cut) -> u64 {
        self.0.get_or_create(&[("reason", cut.name())]).get()
    }

    /// Counts and logs a connection that was cut off, with the request whose answer was the last on it.
    pub fn record(&self, cut: Cut, peer: Option<SocketAddr>, request: Option<&HeaderValue>) {
        self.0.get_or_create(&[("reason", cut.name())]).inc();
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
