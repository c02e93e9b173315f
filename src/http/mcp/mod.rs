//! `POST /mcp`: the service as tools for language models, by the Model Context Protocol (MCP) over streamable
//! HTTP.
//!
//! Both eras of the protocol are spoken. Since revision 2026-07-28 every request says all about itself, in
//! `_meta` and in headers that repeat it. Before, a client began with `initialize`; it gets no session, so
//! that any replica answers any request in both eras.

mod games;
mod progress;
mod prompts;
mod tools;

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        StatusCode, Uri,
        header::{self, HeaderMap, HeaderName},
    },
    web::Data,
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::{Deserialize, Deserializer, Serialize, de::IgnoredAny};
use serde_json::{Value, json, value::RawValue};

use self::{progress::Progress, tools::Call};
use super::{
    answer::text, cache::no_store, context::RequestContext, extract::Json, problem::Problem, state::AppState,
};
use crate::{
    config::Origin,
    service::{Code, EVENTS, JSON, Object, to_json},
    version::VERSION,
};

/// The revisions that are spoken, the latest first: the first without a handshake, the others with one.
const REVISIONS: [&str; 3] = ["2026-07-28", "2025-11-25", "2025-06-18"];

/// The headers in which a request repeats what its body says.
pub const VERSION_HEADER: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub const METHOD_HEADER: HeaderName = HeaderName::from_static("mcp-method");
pub const NAME_HEADER: HeaderName = HeaderName::from_static("mcp-name");

/// What a model is told about the server as a whole.
const INSTRUCTIONS: &str = "Five board games for two, with tipping dice, pinned checkers or sown marbles: \
    you have not memorised them, so ask. Call rules first, then play. Every answer has a state: hand it back \
    unchanged in the next call, and never write or change one yourself. If a call is refused, the answer \
    says why and what is legal instead.";

/// How long clients may keep lists, in milliseconds: they change with the program only.
const TTL_MS: u64 = 3_600_000;

/// A request or notification of JSON-RPC.
#[derive(Debug, Deserialize)]
pub struct Message {
    #[serde(rename = "jsonrpc")]
    _version: JsonRpc,
    /// Nothing in a notification.
    #[serde(default, deserialize_with = "present")]
    id: Option<Id>,
    method: String,
    params: Option<Box<RawValue>>,
}

#[derive(Debug, Deserialize)]
enum JsonRpc {
    #[serde(rename = "2.0")]
    V2,
}

/// The name that a client gives to a request, or to its progress.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
enum Id {
    Number(i64),
    Text(String),
}

/// The longest text that names a request, in bytes.
const MAX_ID: usize = 256;

/// An id that is there is not null.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Id>, D::Error> {
    Id::deserialize(deserializer).map(Some)
}

/// The parameters of all methods; most methods have few of them.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params {
    #[serde(default, rename = "_meta")]
    meta: Meta,
    name: Option<String>,
    arguments: Option<Box<RawValue>>,
    protocol_version: Option<String>,
}

/// What a request says about itself.
#[derive(Debug, Default, Deserialize)]
struct Meta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<String>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<Object<IgnoredAny>>,
    #[serde(rename = "progressToken")]
    progress: Option<Id>,
    traceparent: Option<String>,
}

/// Why a request has no result: an error of JSON-RPC with its HTTP status.
#[derive(Debug)]
struct Fault {
    status: StatusCode,
    code: i32,
    message: String,
    data: Option<Value>,
}

impl Fault {
    fn new(code: i32, message: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, code, message: message.into(), data: None }
    }

    fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(-32600, message)
    }

    fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(-32602, message)
    }

    fn method_not_found(method: &str) -> Self {
        Self {
            status: StatusCode::NOT_FOUND,
            ..Self::new(-32601, format!("there is no method '{}'", shown(method)))
        }
    }

    fn header_mismatch(name: &HeaderName) -> Self {
        Self::new(-32020, format!("the header {name} is missing, or is not what the body says"))
    }

    fn unsupported(version: &str) -> Self {
        let data = json!({"supported": REVISIONS, "requested": shown(version)});
        Self { data: Some(data), ..Self::new(-32022, "this server does not speak that protocol version") }
    }

    /// The answer; without an id where the request could not be read so far.
    fn response(&self, id: Option<&Id>) -> HttpResponse {
        let Self { status, code, message, data } = self;
        let mut error = json!({"jsonrpc": "2.0", "error": {"code": code, "message": message}});
        if let Some(id) = id {
            error["id"] = json!(id);
        }
        if let Some(data) = data {
            error["error"]["data"] = data.clone();
        }
        let mut response = text(JSON, to_json(&error).into_bytes());
        *response.status_mut() = *status;
        no_store(response)
    }
}

/// The beginning of a text that a caller has sent.
fn shown(text: &str) -> String {
    text.chars().take(100).collect()
}

/// Answers a message.
pub async fn post(
    request: HttpRequest,
    state: Data<AppState>,
    body: Result<Json<Message>, Problem>,
) -> Result<HttpResponse, Problem> {
    if !state.has_mcp {
        return Err(Problem::new(Code::NotFound, "the tools for language models are switched off"));
    }
    if !may_call(request.headers(), &state.origins) {
        let fault = Fault::invalid_request("pages of this origin may not call the service");
        return Ok(Fault { status: StatusCode::FORBIDDEN, ..fault }.response(None));
    }
    let Message { id, method, params, .. } = match body {
        Ok(Json(message)) => message,
        Err(problem) => {
            let code = match problem.code() {
                Code::MalformedJson => -32700,
                Code::InvalidParameter => -32600,
                _ => return Err(problem),
            };
            return Ok(Fault::new(code, problem.body().detail).response(None));
        }
    };
    if matches!(&id, Some(Id::Text(id)) if id.len() > MAX_ID) {
        let detail = format!("an id has no more than {MAX_ID} bytes");
        return Ok(Fault::invalid_request(detail).response(None));
    }
    let Some(id) = id else {
        // Clients cancel by closing the connection, so no notification changes anything.
        return Ok(if method.starts_with("notifications/") {
            HttpResponse::Accepted().finish()
        } else {
            Fault::invalid_request("a request needs an id").response(None)
        });
    };
    let params = match params {
        None => Ok(Params::default()),
        Some(params) => serde_json::from_str(params.get()).map(|Object(params)| params),
    };
    let params = params.map_err(|error| Fault::invalid_params(format!("'params' is wrong: {error}")));
    let answered = async {
        let params = params?;
        let is_modern = check(request.headers(), &method, &params)?;
        if let Some(trace) = &params.meta.traceparent {
            RequestContext::join(&request, trace);
        }
        answer(&request, state, &id, &method, params, is_modern).await.map_err(|mut fault| {
            // Older clients take other statuses for failures of the connection.
            if !is_modern {
                fault.status = StatusCode::OK;
            }
            fault
        })
    };
    Ok(answered.await.unwrap_or_else(|fault| fault.response(Some(&id))))
}

/// Whether the page that calls, if it is one, may do so: one of an origin that the settings allow, or of this
/// machine. Any other could have been lent the name of a machine inside (DNS rebinding).
fn may_call(headers: &HeaderMap, origins: &[Origin]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let is_here = || {
        let uri: Uri = origin.to_str().ok()?.parse().ok()?;
        uri.scheme()?;
        Some(["localhost", "127.0.0.1", "[::1]"].contains(&uri.host()?))
    };
    let is_allowed = |allowed: &Origin| match allowed {
        Origin::Any => true,
        Origin::Exactly(allowed) => origin == allowed,
    };
    origins.iter().any(is_allowed) || is_here() == Some(true)
}

/// Whether a request is one without a handshake. Its headers must say what its body says.
fn check(headers: &HeaderMap, method: &str, params: &Params) -> Result<bool, Fault> {
    let header = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let [latest, handshakes @ ..] = &REVISIONS;
    let Meta { version, capabilities, .. } = &params.meta;
    match (header(&VERSION_HEADER), version.as_deref()) {
        (None, None) => return Ok(false),
        (Some(header), None) if handshakes.contains(&header) => return Ok(false),
        (Some(header), None) if header == *latest => {
            return Err(Fault::invalid_params("'_meta' has no io.modelcontextprotocol/protocolVersion"));
        }
        (Some(header), None) => return Err(Fault::unsupported(header)),
        (header, version) if header != version => return Err(Fault::header_mismatch(&VERSION_HEADER)),
        (_, Some(version)) if version != *latest => return Err(Fault::unsupported(version)),
        (_, Some(_)) => {}
    }
    if capabilities.is_none() {
        return Err(Fault::invalid_params("'_meta' has no io.modelcontextprotocol/clientCapabilities"));
    }
    if header(&METHOD_HEADER) != Some(method) {
        return Err(Fault::header_mismatch(&METHOD_HEADER));
    }
    let is_named = ["tools/call", "prompts/get"].contains(&method);
    let name = header(&NAME_HEADER).and_then(decoded);
    if is_named && name.as_deref() != params.name.as_deref().map(str::as_bytes) {
        return Err(Fault::header_mismatch(&NAME_HEADER));
    }
    Ok(true)
}

/// What a header says: its text, or what that is the Base64 of.
fn decoded(value: &str) -> Option<Vec<u8>> {
    match value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(coded) => BASE64_STANDARD.decode(coded).ok(),
        None => Some(value.as_bytes().to_vec()),
    }
}

/// Answers a request whose head is right.
async fn answer(
    request: &HttpRequest,
    state: Data<AppState>,
    id: &Id,
    method: &str,
    Params { meta, name, arguments, protocol_version }: Params,
    is_modern: bool,
) -> Result<HttpResponse, Fault> {
    let list = |name: &str, list: Value| json!({name: list, "ttlMs": TTL_MS, "cacheScope": "public"});
    let result = match method {
        "server/discover" if is_modern => {
            let mut about = list("supportedVersions", json!(REVISIONS));
            about["capabilities"] = capabilities();
            about["instructions"] = json!(INSTRUCTIONS);
            about
        }
        "initialize" if !is_modern => {
            let known = REVISIONS[1..].iter().find(|&&known| protocol_version.as_deref() == Some(known));
            json!({
                "protocolVersion": known.unwrap_or(&REVISIONS[1]),
                "capabilities": capabilities(),
                "serverInfo": server_info(),
                "instructions": INSTRUCTIONS,
            })
        }
        "ping" if !is_modern => json!({}),
        "tools/list" => list("tools", tools::LIST.clone()),
        "prompts/list" => list("prompts", prompts::list()),
        "prompts/get" => {
            let name = name.ok_or_else(|| Fault::invalid_params("'name' is missing"))?;
            prompts::get(&name, arguments.as_deref())?
        }
        "tools/call" => {
            let name = name.ok_or_else(|| Fault::invalid_params("'name' is missing"))?;
            let arguments = arguments.map_or_else(|| "{}".to_owned(), |arguments| arguments.get().to_owned());
            let (progress, told) = Progress::new(meta.progress.filter(|_| accepts_events(request.headers())));
            let call = Call::new(request.clone(), state, &name, progress)?;
            let (id, heartbeat) = (id.clone(), call.state.limits.heartbeat);
            let answer = async move { response(&id, tools::call(&call, &arguments).await, is_modern) };
            return Ok(match told {
                None => no_store(text(JSON, answer.await.into_bytes())),
                Some(told) => progress::stream(answer, told, heartbeat),
            });
        }
        _ => return Err(Fault::method_not_found(method)),
    };
    Ok(no_store(text(JSON, response(id, result, is_modern).into_bytes())))
}

fn capabilities() -> Value {
    json!({"tools": {}, "prompts": {}})
}

fn server_info() -> Value {
    json!({"name": "cublino", "title": "Cublino, Mahbusa and Wari", "version": VERSION})
}

/// The JSON of a result.
fn response(id: &Id, mut result: Value, is_modern: bool) -> String {
    if is_modern {
        result["resultType"] = json!("complete");
        result["_meta"] = json!({"io.modelcontextprotocol/serverInfo": server_info()});
    }
    to_json(&json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

/// Whether a client reads server-sent events.
fn accepts_events(headers: &HeaderMap) -> bool {
    headers.get_all(header::ACCEPT).any(|accept| accept.to_str().is_ok_and(|accept| accept.contains(EVENTS)))
}
