//! `POST /mcp`: the service as tools for language models, by the Model Context Protocol (MCP) over streamable
//! HTTP.
//!
//! It supports the protocol with and without a handshake. Since revision 2026-07-28 every request is
//! self-contained: its `_meta` says all about it, and headers repeat that. Older clients begin with
//! `initialize`; they get no session, so any replica can answer any request.

mod board;
mod tools;

use std::{collections::HashMap, sync::LazyLock, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        StatusCode, Uri,
        header::{self, HeaderMap, HeaderName},
    },
    web::Data,
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::{Value, json, value::RawValue};

use self::tools::Call;
use super::{
    answer::text, extract::Question, headers::no_store, problem::Problem, searching, state::AppState,
};
use crate::{
    api::{Code, EVENTS, JSON, Object, to_json},
    config::Origin,
    version::VERSION,
};

/// The supported revisions, the latest first: the first without a handshake, the others with one.
const REVISIONS: [&str; 3] = ["2026-07-28", "2025-11-25", "2025-06-18"];

/// The headers in which a request repeats what its body says.
pub const VERSION_HEADER: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub const METHOD_HEADER: HeaderName = HeaderName::from_static("mcp-method");
pub const NAME_HEADER: HeaderName = HeaderName::from_static("mcp-name");

/// The longest id of a request, in bytes.
const MAX_ID: usize = 256;

/// The static parts: results by method, the schema of the tools' answers, and the texts of prompts.
static FILE: LazyLock<Value> = LazyLock::new(|| {
    let mut file: Value = serde_json::from_str(include_str!("mcp.json")).expect("the file is JSON");
    file["serverInfo"]["version"] = json!(VERSION);
    let (answer, results) = (file["answer"].take(), &mut file["results"]);
    for tool in results["tools/list"]["tools"].as_array_mut().into_iter().flatten().skip(1) {
        tool["outputSchema"] = answer.clone();
    }
    results["server/discover"]["supportedVersions"] = json!(REVISIONS);
    results["resources/read"]["contents"][0]["text"] = json!(board::document());
    file
});

/// A request or notification of JSON-RPC.
#[derive(Debug, Deserialize)]
pub struct Message {
    jsonrpc: String,
    /// `None` in a notification.
    id: Option<Value>,
    method: String,
    params: Option<Box<RawValue>>,
}

/// The parameters of all methods; most methods have few of them.
#[derive(Debug, Default, Deserialize)]
struct Params {
    #[serde(default, rename = "_meta")]
    meta: Meta,
    /// The name of a tool or prompt, or the URI of a resource.
    #[serde(default, alias = "uri")]
    name: String,
    arguments: Option<Box<RawValue>>,
    #[serde(rename = "protocolVersion")]
    version: Option<String>,
}

/// What a request says about itself.
#[derive(Debug, Default, Deserialize)]
struct Meta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<String>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<Object<IgnoredAny>>,
    #[serde(rename = "progressToken")]
    progress: Option<Value>,
}

/// Why a request has no result: an error of JSON-RPC.
#[derive(Debug, Serialize)]
struct RpcError {
    code: i32,
    message: String,
    #[serde(skip_serializing_if = "Value::is_null")]
    data: Value,
}

impl RpcError {
    const PARSE_ERROR: i32 = -32700;
    const INVALID_REQUEST: i32 = -32600;
    const METHOD_NOT_FOUND: i32 = -32601;
    const INVALID_PARAMS: i32 = -32602;
    const RESOURCE_NOT_FOUND: i32 = -32002;
    const HEADER_MISMATCH: i32 = -32020;
    const UNSUPPORTED_VERSION: i32 = -32022;

    fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: Value::Null }
    }

    /// The error response; without an id if the request could not be read that far.
    fn response(&self, status: StatusCode, id: Option<&Value>) -> HttpResponse {
        let mut error = json!({"jsonrpc": "2.0", "error": self});
        if let Some(id) = id {
            error["id"] = json!(id);
        }
        let mut response = no_store(text(JSON, to_json(&error).into_bytes()));
        *response.status_mut() = status;
        response
    }
}

/// Answers a message.
pub async fn post(
    request: HttpRequest,
    state: Data<AppState>,
    body: Result<Question<Message>, Problem>,
) -> Result<HttpResponse, Problem> {
    if !state.config.mcp {
        return Err(Problem::new(Code::NotFound, "the tools for language models are switched off"));
    }
    let invalid = |detail: &str| RpcError::new(RpcError::INVALID_REQUEST, detail);
    if !may_call(request.headers(), &state.config.cors_origins) {
        let error = invalid("pages of this origin may not call the service");
        return Ok(error.response(StatusCode::FORBIDDEN, None));
    }
    let unread = |error: RpcError| Ok(error.response(StatusCode::BAD_REQUEST, None));
    let Message { id, method, params, .. } = match body {
        Ok(Question(message)) if message.jsonrpc == "2.0" => message,
        Ok(_) => return unread(invalid("'jsonrpc' is not 2.0")),
        Err(problem) => match problem.code() {
            Code::MalformedJson => {
                return unread(RpcError::new(RpcError::PARSE_ERROR, problem.body().detail));
            }
            Code::InvalidParameter => return unread(invalid(&problem.body().detail)),
            _ => return Err(problem),
        },
    };
    let fits = |id: &Value| id.is_i64() || id.as_str().is_some_and(|id| id.len() <= MAX_ID);
    let id = match id {
        Some(id) if fits(&id) => id,
        Some(_) => return unread(invalid("the id is neither a whole number nor a short text")),
        // Clients cancel by closing the connection, so no notification changes anything.
        None if method.starts_with("notifications/") => return Ok(HttpResponse::Accepted().finish()),
        None => return unread(invalid("a request needs an id")),
    };
    let params = params.map_or(Ok(Params::default()), |params| {
        let read = serde_json::from_str(params.get()).map(|Object(params)| params);
        read.map_err(|error| RpcError::new(RpcError::INVALID_PARAMS, format!("'params' is wrong: {error}")))
    });
    let checked = params.and_then(|params| Ok((check(request.headers(), &method, &params)?, params)));
    let (is_modern, answered) = match checked {
        Ok((is_modern, params)) => (is_modern, answer(request, state, &id, &method, params, is_modern).await),
        Err(error) => (true, Err(error)),
    };
    Ok(answered.unwrap_or_else(|error| {
        let status = match error.code {
            // Older clients treat other statuses as failures of the connection.
            _ if !is_modern => StatusCode::OK,
            RpcError::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
            _ => StatusCode::BAD_REQUEST,
        };
        error.response(status, Some(&id))
    }))
}

/// Whether the calling page, if there is one, has an allowed origin: one of the settings, or one on this
/// machine. This prevents DNS rebinding.
fn may_call(headers: &HeaderMap, origins: &[Origin]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let uri: Option<Uri> = origin.to_str().ok().and_then(|origin| origin.parse().ok());
    let host = uri.as_ref().filter(|uri| uri.scheme().is_some()).and_then(Uri::host);
    let is_allowed =
        |it: &Origin| matches!(it, Origin::Any) || matches!(it, Origin::Exactly(it) if origin == it);
    origins.iter().any(is_allowed) || matches!(host, Some("localhost" | "127.0.0.1" | "[::1]"))
}

/// Checks that the headers match the body. Returns whether the request uses the protocol without a handshake.
fn check(headers: &HeaderMap, method: &str, params: &Params) -> Result<bool, RpcError> {
    let header = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let unsupported = |version: &str| {
        let data = json!({"supported": REVISIONS, "requested": version});
        Err(RpcError {
            data,
            ..RpcError::new(RpcError::UNSUPPORTED_VERSION, "this version is not spoken here")
        })
    };
    let incomplete = "'_meta' needs the members protocolVersion and clientCapabilities";
    let incomplete = Err(RpcError::new(RpcError::INVALID_PARAMS, incomplete));
    let Some(version) = &params.meta.version else {
        return match header(&VERSION_HEADER) {
            Some(version) if version == REVISIONS[0] => incomplete,
            Some(version) if !REVISIONS.contains(&version) => unsupported(version),
            _ => Ok(false),
        };
    };
    let is_named = ["tools/call", "prompts/get", "resources/read"].contains(&method);
    let said = [(VERSION_HEADER, version.as_str()), (METHOD_HEADER, method), (NAME_HEADER, &params.name)];
    for (name, body) in &said[..if is_named { 3 } else { 2 }] {
        let value = header(name).unwrap_or_default();
        let coded = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
        let value = coded.map_or(Ok(value.into()), |coded| BASE64_STANDARD.decode(coded));
        if value.ok().as_deref() != Some(body.as_bytes()) {
            let detail = format!("the header {name} is missing, or is not what the body says");
            return Err(RpcError::new(RpcError::HEADER_MISMATCH, detail));
        }
    }
    match params.meta.capabilities {
        _ if version != REVISIONS[0] => unsupported(version),
        None => incomplete,
        Some(_) => Ok(true),
    }
}

/// Answers a request whose headers have been checked.
async fn answer(
    request: HttpRequest,
    state: Data<AppState>,
    id: &Value,
    method: &str,
    Params { meta, name, arguments, version }: Params,
    is_modern: bool,
) -> Result<HttpResponse, RpcError> {
    let unknown = || RpcError::new(RpcError::METHOD_NOT_FOUND, "there is no such method");
    let result = match method {
        "server/discover" if !is_modern => return Err(unknown()),
        "ping" if !is_modern => json!({}),
        "initialize" if !is_modern => {
            let known = REVISIONS[1..].iter().find(|&&known| version.as_deref() == Some(known));
            let mut about = FILE["results"]["server/discover"].clone();
            about["protocolVersion"] = json!(known.unwrap_or(&REVISIONS[1]));
            about["serverInfo"] = FILE["serverInfo"].clone();
            about
        }
        "prompts/get" => prompt(&name, arguments.as_deref())?,
        "resources/read" if name != board::URI => {
            let code = if is_modern { RpcError::INVALID_PARAMS } else { RpcError::RESOURCE_NOT_FOUND };
            return Err(RpcError {
                data: json!({"uri": name}),
                ..RpcError::new(code, "there is no such resource")
            });
        }
        "tools/call" => {
            let accepts = |accept: &str| accept.contains(EVENTS);
            let mut accepted = request.headers().get_all(header::ACCEPT).filter_map(|it| it.to_str().ok());
            let token = meta.progress.filter(|_| accepted.any(accepts));
            let (call, progress) = Call::new(request.clone(), &name, token)?;
            let (id, arguments) = (id.clone(), arguments.map_or("{}".into(), |it| it.get().to_owned()));
            let answer = async move { response(&id, call.result(&arguments).await, is_modern) };
            let Some(progress) = progress else { return Ok(no_store(text(JSON, answer.await.into_bytes()))) };
            let answer = async move { searching::json_event("message", None, &answer.await) };
            let events =
                searching::events(progress, answer, Duration::from_millis(state.config.heartbeat_ms));
            return Ok(searching::event_stream().streaming(Box::pin(events)));
        }
        _ => FILE["results"].get(method).cloned().ok_or_else(unknown)?,
    };
    Ok(no_store(text(JSON, response(id, result, is_modern).into_bytes())))
}

/// The JSON of a result.
fn response(id: &Value, mut result: Value, is_modern: bool) -> String {
    if is_modern {
        result["resultType"] = json!("complete");
        result["_meta"] = json!({"io.modelcontextprotocol/serverInfo": FILE["serverInfo"]});
    }
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

/// The text of the prompt with a name.
fn prompt(name: &str, arguments: Option<&RawValue>) -> Result<Value, RpcError> {
    let invalid = |detail: String| RpcError::new(RpcError::INVALID_PARAMS, detail);
    let given = serde_json::from_str(arguments.map_or("{}", RawValue::get));
    let given: HashMap<String, String> = given.map_err(|error| invalid(error.to_string()))?;
    let text = FILE["prompts"][name].as_str().map(str::to_owned);
    let mut text = text.ok_or_else(|| invalid("there is no such prompt".into()))?;
    for name in ["game", "level", "moves"] {
        let place = format!("{{{name}}}");
        if text.contains(&place) {
            let missing = || invalid(format!("the argument '{name}' is missing"));
            text = text.replace(&place, given.get(name).ok_or_else(missing)?);
        }
    }
    Ok(json!({"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}))
}
