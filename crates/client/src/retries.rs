//! When a client asks again.

use std::time::Duration;

use super::Error;
use cublino_api::Code;

/// How often a client asks again where the service has too much to do (`busy`) or has answered its caller too
/// often (`too-many-requests`). Everything that is asked is a pure function, so that asking again does no
/// harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// How often a request is sent again at most.
    pub most: u32,
    /// How long the client waits for each at most. Where the service says to come back later than that, the
    /// client does not wait at all.
    pub longest_wait: Duration,
}

impl Retries {
    /// Never.
    pub const NONE: Self = Self { most: 0, longest_wait: Duration::ZERO };

    /// How long to wait after an error before the request is sent again for the time that is told; nothing if
    /// it is not sent again.
    pub(super) fn wait(&self, error: &Error, again: u32) -> Option<Duration> {
        let Error::Refused(refused) = error else { return None };
        if again > self.most || !matches!(refused.problem.code, Code::Busy | Code::TooManyRequests) {
            return None;
        }
        refused.retry_after.filter(|&wait| wait <= self.longest_wait)
    }
}

impl Default for Retries {
    /// Three times, waiting for half a minute each at most.
    fn default() -> Self {
        Self { most: 3, longest_wait: Duration::from_secs(30) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Refused;
    use cublino_api::ProblemBody;

    fn refused(code: Code, retry_after: Option<u64>) -> Error {
        let problem = ProblemBody {
            kind: format!("/problems/{code}"),
            title: code.title().into(),
            status: 503,
            detail: "no".into(),
            code,
            at: None,
            at_in: None,
            parameter: None,
            problems: [].as_slice().into(),
        };
        let retry_after = retry_after.map(Duration::from_secs);
        Box::new(Refused { problem, retry_after, request_id: None }).into()
    }

    #[test]
    fn only_who_comes_too_often_or_too_early_comes_again_and_not_too_often_or_too_late() {
        let retries = Retries { most: 2, longest_wait: Duration::from_secs(5) };
        for (code, after, again, wait) in [
            (Code::Busy, Some(1), 1, Some(1)),
            (Code::TooManyRequests, Some(5), 2, Some(5)),
            (Code::Busy, Some(1), 3, None),
            (Code::Busy, Some(6), 1, None),
            (Code::Busy, None, 1, None),
            (Code::IllegalMove, Some(1), 1, None),
        ] {
            let found = retries.wait(&refused(code, after), again);
            assert_eq!(found, wait.map(Duration::from_secs), "{code} {after:?} {again}");
        }
        assert_eq!(Retries::NONE.wait(&refused(Code::Busy, Some(0)), 1), None);
        assert_eq!(retries.wait(&Error::Key, 1), None);
    }
}
