//! The tools for language models, as clients of the protocol call them.

mod board;
mod games;
mod hostile;
mod protocol;
mod tools;

use reqwest::{Client, RequestBuilder};
use serde_json::{Map, Value, json};

use crate::service::{Answer, Service};

/// The revision of the protocol with stateless requests.
const LATEST: &str = "2026-07-28";

/// A message that has not been sent yet, with the headers that its body needs.
fn message(service: &Service, body: &Value) -> RequestBuilder {
    let request = service.request(reqwest::Method::POST, "/mcp").json(body);
    headers(body).into_iter().fold(request, |request, (name, value)| request.header(name, value))
}

/// The headers that repeat what a body says.
fn headers(body: &Value) -> Vec<(&'static str, String)> {
    let named = |name, value: &Value| Some((name, value.as_str()?.to_owned()));
    let version = &body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
    [
        named("mcp-protocol-version", version),
        named("mcp-method", &body["method"]),
        named("mcp-name", &body["params"]["name"]),
        named("mcp-name", &body["params"]["uri"]),
        Some(("accept", "application/json, text/event-stream".to_owned())),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The body of a stateless request.
fn body(method: &str, mut params: Value) -> Value {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": LATEST,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let given = params["_meta"].as_object().cloned().unwrap_or_else(Map::new);
    params["_meta"] = meta;
    params["_meta"].as_object_mut().unwrap().extend(given);
    json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
}

/// The answer to a stateless request.
async fn send(service: &Service, method: &str, params: Value) -> Answer {
    service.send(message(service, &body(method, params))).await
}

/// The status and the code of an error.
fn failure(answer: &Answer) -> (u16, Value) {
    (answer.status.as_u16(), answer.json()["error"]["code"].clone())
}

/// The result of such a request.
async fn result(service: &Service, method: &str, params: Value) -> Value {
    let answer = send(service, method, params).await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("cache-control")),
        (200, "no-store"),
        "{}",
        answer.text()
    );
    let response = answer.json();
    assert_eq!((&response["jsonrpc"], &response["id"]), (&json!("2.0"), &json!(7)), "{response}");
    response["result"].clone()
}

/// What a tool answers.
async fn call(service: &Service, name: &str, arguments: Value) -> Value {
    result(service, "tools/call", json!({"name": name, "arguments": arguments})).await
}

/// The text of what a tool answers.
fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

/// A client for many calls, which keeps its connection.
struct Caller {
    client: Client,
    url: String,
}

impl Caller {
    fn new(service: &Service) -> Self {
        Self { client: Client::new(), url: format!("{}/mcp", service.base) }
    }

    /// Whether a tool refuses, and the text of its answer with its size.
    async fn call(&self, name: &str, arguments: Value) -> (bool, String, usize) {
        let body = body("tools/call", json!({"name": name, "arguments": arguments}));
        let request = self.client.post(&self.url).json(&body);
        let request =
            headers(&body).into_iter().fold(request, |request, (name, value)| request.header(name, value));
        let answer = request.send().await.unwrap().text().await.unwrap();
        let response: Value = serde_json::from_str(&answer).unwrap();
        assert!(response["error"].is_null(), "{name} {arguments}: {response}");
        let result = &response["result"];
        (result["isError"] == true, text(result).to_owned(), answer.len())
    }
}
