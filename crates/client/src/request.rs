//! Requests, and the answers to them.

use reqwest::{
    Method, Response,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, RETRY_AFTER},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use tokio::time::sleep;

use super::{Error, Refused, Retries};
use cublino_api::{JSON, to_json};

/// A client of one service. Clones share its connections.
#[derive(Clone, Debug)]
pub struct Client {
    pub(super) http: reqwest::Client,
    /// What all URLs begin with, without a slash at the end.
    pub(super) base: String,
    pub(super) retries: Retries,
}

impl Client {
    /// The URL of the service, without a slash at the end.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The answer to a question without parameters.
    pub(super) async fn get<A: DeserializeOwned>(&self, path: &str) -> Result<A, Error> {
        self.read(&Request::get(path, &(), JSON)).await
    }

    /// The answer to a request in JSON.
    pub(super) async fn read<A: DeserializeOwned>(&self, request: &Request) -> Result<A, Error> {
        let response = self.send(request).await?;
        let status = response.status().as_u16();
        parse(status, &response.bytes().await?)
    }

    /// The answer to a request, if it is a good one. Where the service has too much to do the request is sent
    /// again.
    pub(super) async fn send(&self, request: &Request) -> Result<Response, Error> {
        let mut again = 1;
        loop {
            let error = match self.send_once(request).await {
                Ok(response) => return Ok(response),
                Err(error) => error,
            };
            let Some(wait) = self.retries.wait(&error, again) else { return Err(error) };
            sleep(wait).await;
            again += 1;
        }
    }

    async fn send_once(&self, request: &Request) -> Result<Response, Error> {
        let Request { method, path, query, accept, body } = request;
        let mut url = reqwest::Url::parse(&format!("{}{path}", self.base))
            .map_err(|_| Error::Base(self.base.clone()))?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let mut builder = self.http.request(method.clone(), url).header(ACCEPT, *accept);
        if let Some(body) = body {
            builder = builder.header(CONTENT_TYPE, JSON).body(body.clone());
        }
        let response = builder.send().await?;
        if response.status().is_success() { Ok(response) } else { Err(refusal(response).await) }
    }
}

/// A request that can be sent more than once.
#[derive(Clone, Debug)]
pub(super) struct Request {
    method: Method,
    path: String,
    query: Vec<(String, String)>,
    accept: &'static str,
    body: Option<String>,
}

impl Request {
    /// One with the question in the query.
    pub(super) fn get(path: &str, question: &impl Serialize, accept: &'static str) -> Self {
        let query = query(question);
        Self { method: Method::GET, path: path.to_owned(), query, accept, body: None }
    }

    /// One with the question in the body.
    pub(super) fn post(path: &str, question: &impl Serialize, accept: &'static str) -> Self {
        let body = Some(to_json(question));
        Self { method: Method::POST, path: path.to_owned(), query: Vec::new(), accept, body }
    }
}

/// The parameters of a question that is asked in the query: lists are separated by commas, and what is not
/// asked is left out.
fn query(question: &impl Serialize) -> Vec<(String, String)> {
    let Ok(Value::Object(members)) = serde_json::to_value(question) else { return Vec::new() };
    members.into_iter().filter_map(|(name, value)| Some((name, parameter(value)?))).collect()
}

fn parameter(value: Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        Value::Array(entries) => {
            Some(entries.into_iter().filter_map(parameter).collect::<Vec<_>>().join(","))
        }
        other => Some(other.to_string()),
    }
}

/// What a body or a line of one says.
pub(super) fn parse<A: DeserializeOwned>(status: u16, text: &[u8]) -> Result<A, Error> {
    serde_json::from_slice(text).map_err(|error| Error::Unreadable { status, reason: error.to_string() })
}

/// Why an answer is not a good one.
async fn refusal(response: Response) -> Error {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let text = match response.bytes().await {
        Ok(text) => text,
        Err(error) => return error.into(),
    };
    match parse(status, &text) {
        Ok(problem) => {
            let retry_after = header(&headers, RETRY_AFTER.as_str()).and_then(|seconds| seconds.parse().ok());
            Box::new(Refused {
                problem,
                retry_after: retry_after.map(std::time::Duration::from_secs),
                request_id: header(&headers, "x-request-id").map(str::to_owned),
            })
            .into()
        }
        Err(error) => error,
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cublino_api::{
        MoveList,
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
}
