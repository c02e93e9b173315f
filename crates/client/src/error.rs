//! Why a client has no answer.

use std::{iter, time::Duration};

use cublino_api::{Code, ProblemBody};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The service refuses the request, and says why.
    #[error("{} ({})", .problem.detail, .problem.code)]
    Refused {
        /// The problem.
        problem: Box<ProblemBody<'static>>,
        /// How long to wait before a retry, from `Retry-After`.
        retry_after: Option<Duration>,
        /// The id of the request in the log of the service.
        request_id: Option<String>,
    },
    /// The service cannot be reached, or falls silent.
    #[error("the service cannot be reached: {}", causes(.0))]
    Unreachable(#[from] reqwest::Error),
    /// The answer is not from this service, or from a version that this client does not know.
    #[error("an answer with status {status} cannot be read: {reason}")]
    Unreadable {
        /// The status of the answer.
        status: u16,
        /// Why it cannot be read.
        reason: String,
    },
    /// The base of a client is not a URL with http or https.
    #[error("'{0}' is not a URL that begins with http:// or https://")]
    Base(String),
    /// The base of a client has https, and this client is built without TLS.
    #[error("this client has no TLS: enable the feature 'tls' of cublino-client")]
    Tls,
    /// The key has characters that a header cannot contain.
    #[error("the key has characters that cannot be sent")]
    Key,
}

impl Error {
    /// The code of the problem, if the service has refused the request.
    ///
    /// ```no_run
    /// use cublino_api::{Code, roll::{Roll, Rolled}};
    /// use cublino_client::Client;
    /// use cublino_rules::games::GameId;
    ///
    /// # async fn roll(client: Client, state: String) -> Result<(), cublino_client::Error> {
    /// match client.ask::<Rolled>(GameId::Mahbusa, &Roll { state, seed: None }).await {
    ///     Ok(rolled) => println!("{}", rolled.text),
    ///     Err(error) if error.code() == Some(Code::GameOver) => println!("the game is over"),
    ///     Err(error) => return Err(error),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn code(&self) -> Option<Code> {
        self.problem().map(|problem| problem.code)
    }

    /// The whole problem, if the service has refused the request.
    pub fn problem(&self) -> Option<&ProblemBody<'static>> {
        if let Self::Refused { problem, .. } = self { Some(problem) } else { None }
    }
}

/// An error with its chain of causes. The last cause says the most.
fn causes(error: &reqwest::Error) -> String {
    let causes = iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
