//! A client, how it is set up, and how it sends requests.

use std::time::Duration;

use reqwest::{
    Method, Request, Response, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER},
    redirect::Policy,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use tokio::time::sleep;

use super::Error;
use cublino_api::{Code, JSON, to_json};

/// A client of one service. Clones share its connections.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    /// What all URLs begin with, without a slash at the end.
    base: String,
    retries: Retries,
}

impl Client {
    /// A client of the service under a URL, such as `http://127.0.0.1:8080`.
    ///
    /// ```
    /// use cublino_client::{Client, Error};
    ///
    /// assert!(Client::new("http://127.0.0.1:8080").is_ok());
    /// assert!(matches!(Client::new("nowhere"), Err(Error::Base(_))));
    /// ```
    ///
    /// # Errors
    /// The base is no URL that this client can reach.
    pub fn new(base: &str) -> Result<Self, Error> {
        Self::builder(base).build()
    }

    /// A builder of a client of the service under a URL.
    pub fn builder(base: &str) -> ClientBuilder {
        /// The timeout for connecting to the service.
        const CONNECTING: Duration = Duration::from_secs(10);
        ClientBuilder {
            base: base.trim_end_matches('/').to_owned(),
            key: None,
            timeout: None,
            retries: Retries::default(),
            http: reqwest::Client::builder().connect_timeout(CONNECTING).redirect(Policy::none()),
        }
    }

    /// A request with the question in the query: lists are separated by commas, and null members are left
    /// out.
    pub(super) fn get(&self, path: &str, question: &impl Serialize) -> Request {
        let (mut url, query) = (self.url(path), query(question));
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        Request::new(Method::GET, url)
    }

    /// A request with the question in the body.
    pub(super) fn post(&self, path: &str, question: &impl Serialize) -> Request {
        let mut request = Request::new(Method::POST, self.url(path));
        request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        *request.body_mut() = Some(to_json(&members(question)).into());
        request
    }

    fn url(&self, path: &str) -> Url {
        Url::parse(&format!("{}{path}", self.base)).expect("a base URL and a path make a URL")
    }

    /// The answer to a request in JSON.
    pub(super) async fn read<A: DeserializeOwned>(&self, request: Request) -> Result<A, Error> {
        let response = self.send(request, JSON).await?;
        let status = response.status().as_u16();
        parse(status, &response.bytes().await?)
    }

    /// The answer to a request, if it succeeds; retries refusals as [`Retries`] allows.
    pub(super) async fn send(&self, mut request: Request, accept: &'static str) -> Result<Response, Error> {
        request.headers_mut().insert(ACCEPT, HeaderValue::from_static(accept));
        let mut again = 1;
        loop {
            let copy = request.try_clone().expect("a request with a string body can be cloned");
            let response = self.http.execute(copy).await?;
            if response.status().is_success() {
                return Ok(response);
            }
            let error = refusal(response).await?;
            let Some(wait) = self.retries.wait(&error, again) else { return Err(error) };
            sleep(wait).await;
            again += 1;
        }
    }
}

/// The members of a question that are not null.
fn members(question: &impl Serialize) -> Map<String, Value> {
    let Ok(Value::Object(mut members)) = serde_json::to_value(question) else { return Map::new() };
    members.retain(|_, value| !value.is_null());
    members
}

/// The parameters of a question that is asked in the query.
fn query(question: &impl Serialize) -> Vec<(String, String)> {
    members(question).into_iter().map(|(name, value)| (name, parameter(value))).collect()
}

fn parameter(value: Value) -> String {
    match value {
        Value::String(text) => text,
        Value::Array(entries) => entries.into_iter().map(parameter).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Parses a body, or a line of one.
pub(super) fn parse<A: DeserializeOwned>(status: u16, text: &[u8]) -> Result<A, Error> {
    serde_json::from_slice(text).map_err(|error| Error::Unreadable { status, reason: error.to_string() })
}

/// The error that an unsuccessful answer describes, if it can be parsed.
async fn refusal(response: Response) -> Result<Error, Error> {
    let status = response.status().as_u16();
    let header = |name: &str| response.headers().get(name)?.to_str().ok().map(str::to_owned);
    let (seconds, request_id) = (header(RETRY_AFTER.as_str()), header("x-request-id"));
    let retry_after = seconds.and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
    let problem = Box::new(parse(status, &response.bytes().await?)?);
    Ok(Error::Refused { problem, retry_after, request_id })
}

/// Sets up a client; created by [`Client::builder`].
///
/// ```
/// use std::time::Duration;
///
/// use cublino_client::{Client, Retries};
///
/// let client = Client::builder("http://127.0.0.1:8080")
///     .key("a key that the service knows")
///     .timeout(Duration::from_secs(60))
///     .retries(Retries::NONE)
///     .build()?;
/// # Ok::<(), cublino_client::Error>(())
/// ```
#[derive(Debug)]
pub struct ClientBuilder {
    base: String,
    key: Option<String>,
    timeout: Option<Duration>,
    retries: Retries,
    http: reqwest::ClientBuilder,
}

impl ClientBuilder {
    /// The API key, for a service that requires one.
    #[must_use]
    pub fn key(self, key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), ..self }
    }

    /// The read timeout: how long the service may be silent before an answer and between its parts. By
    /// default, there is none; a search is silent until it has found something.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout: Some(timeout), ..self }
    }

    /// How often to retry, and how long to wait, when the service is overloaded.
    #[must_use]
    pub fn retries(self, retries: Retries) -> Self {
        Self { retries, ..self }
    }

    /// Sends requests with another HTTP client: with a proxy, say, or with your own certificates.
    #[must_use]
    pub fn http(self, http: reqwest::ClientBuilder) -> Self {
        Self { http, ..self }
    }

    /// The client.
    ///
    /// # Errors
    /// The base is no URL that this client can reach, or a header cannot contain the key.
    pub fn build(self) -> Result<Client, Error> {
        let Self { base, key, timeout, retries, mut http } = self;
        match Url::parse(&base).as_ref().map(Url::scheme) {
            Ok("http") => {}
            Ok("https") if cfg!(feature = "tls") => {}
            Ok("https") => return Err(Error::Tls),
            _ => return Err(Error::Base(base)),
        }
        if let Some(key) = key {
            let mut value = HeaderValue::try_from(format!("Bearer {key}")).map_err(|_| Error::Key)?;
            value.set_sensitive(true);
            http = http.default_headers(HeaderMap::from_iter([(AUTHORIZATION, value)]));
        }
        if let Some(timeout) = timeout {
            http = http.read_timeout(timeout);
        }
        Ok(Client { http: http.build()?, base, retries })
    }
}

/// How a client retries when the service is overloaded (`busy`) or its caller is over the rate limit
/// (`too-many-requests`). The API is stateless, so retries do no harm.
///
/// ```
/// use std::time::Duration;
///
/// use cublino_client::Retries;
///
/// let patient = Retries { most: 10, ..Retries::default() };
/// assert_eq!(patient.longest_wait, Duration::from_secs(30));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// Maximum retries of a request.
    pub most: u32,
    /// Maximum wait before a retry. If `Retry-After` is longer than that, the client does not retry.
    pub longest_wait: Duration,
}

impl Retries {
    /// No retries.
    pub const NONE: Self = Self { most: 0, longest_wait: Duration::ZERO };

    /// How long to wait after an error before retry number `again`; `None` if there is no retry.
    pub(super) fn wait(&self, error: &Error, again: u32) -> Option<Duration> {
        let Error::Refused { problem, retry_after, .. } = error else { return None };
        let is_too_much = matches!(problem.code, Code::Busy | Code::TooManyRequests);
        retry_after.filter(|&wait| is_too_much && again <= self.most && wait <= self.longest_wait)
    }
}

impl Default for Retries {
    /// Three retries, each after half a minute at most.
    fn default() -> Self {
        Self { most: 3, longest_wait: Duration::from_secs(30) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cublino_api::{
        MoveList, ProblemBody,
        apply::Apply,
        legal_moves::{LegalMovesQuestion, Spellings},
        suggestion::SuggestionQuestion,
    };

    fn pairs(question: &impl Serialize) -> Vec<String> {
        query(question).into_iter().map(|(name, value)| format!("{name}={value}")).collect()
    }

    #[test]
    fn a_query_has_what_is_asked_and_nothing_else() {
        let moves = Some(MoveList::from("A(5,4),3"));
        let depth = Some(4.try_into().unwrap());
        let question = SuggestionQuestion { depth, moves, ..SuggestionQuestion::about("W-4") };
        assert_eq!(pairs(&question), ["depth=4", "moves=A(5,4),3", "state=W-4"]);
        let question = LegalMovesQuestion { state: "M".to_owned(), spellings: Some(Spellings::All) };
        assert_eq!(pairs(&question), ["spellings=all", "state=M"]);
        assert_eq!(pairs(&()), [""; 0]);
    }

    #[test]
    fn a_body_has_what_is_asked_and_nothing_else() {
        let apply = Apply { state: "W-4".to_owned(), moves: vec!["5".to_owned()], ..Apply::default() };
        assert_eq!(to_json(&members(&apply)), r#"{"moves":["5"],"state":"W-4"}"#);
    }

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
        Error::Refused { problem: Box::new(problem), retry_after, request_id: None }
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
