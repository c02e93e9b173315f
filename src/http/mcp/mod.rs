//! `POST /mcp`: the service as tools for language models, by the Model Context Protocol (MCP) over streamable
//! HTTP.
//!
//! It supports the protocol with and without a handshake. Since revision 2026-07-28 every request is
//! self-contained: its `_meta` says all about it, and headers repeat that. Older clients begin with
//! `initialize`; they get no session, so any replica can answer any request.

mod tools;

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use actix_web::{
    HttpRequest, HttpResponse,
    body::SizedStream,
    http::{
        StatusCode, Uri,
        header::{self, HeaderMap, HeaderName, Quality},
    },
    web::{Bytes, Data},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use futures_util::stream;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, DeserializeOwned, IgnoredAny},
};
use serde_json::{Value, json, value::RawValue};
use tokio::{select, sync::Notify};

use self::tools::{Call, Clear, Moves};
use super::{
    pages::conversation_board,
    problem::Problem,
    read::{Question, quality},
    request::RequestContext,
    write::{self, no_store, text},
};
use crate::{
    api::{Code, EVENTS, JSON, Object, suggestion::LevelNumber, to_json},
    caller::Caller,
    config::{Config, Origin},
    games::GameId,
    version::VERSION,
};

/// The supported revisions, the latest first: the first without a handshake, the others with one. Of the last
/// one, only lists of messages (batches) are not supported; hardly any client sends them.
const REVISIONS: [&str; 4] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];

/// The resource with the board for conversations.
const BOARD: &str = "ui://cublino/board";

/// The headers in which a request repeats what its body says.
pub const VERSION_HEADER: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub const METHOD_HEADER: HeaderName = HeaderName::from_static("mcp-method");
pub const NAME_HEADER: HeaderName = HeaderName::from_static("mcp-name");

/// What answers never change: the JSON of results by method (every method is there), and of the name of the
/// service.
struct Static {
    results: HashMap<String, Bytes>,
    server: String,
}

static STATIC: LazyLock<Static> = LazyLock::new(|| {
    let mut file: Value = serde_json::from_str(include_str!("mcp.json")).expect("the file is JSON");
    file["serverInfo"]["version"] = json!(VERSION);
    let (answer, results) = (file["answer"].take(), &mut file["results"]);
    for tool in results["tools/list"]["tools"].as_array_mut().into_iter().flatten().skip(1) {
        tool["outputSchema"] = answer.clone();
    }
    results["server/discover"]["supportedVersions"] = json!(REVISIONS);
    results["resources/read"]["contents"][0]["text"] = json!(conversation_board());
    let results = results.as_object().expect("the results have names").iter();
    let results = results.map(|(method, result)| (method.clone(), to_json(result).into()));
    Static { results: results.collect(), server: to_json(&file["serverInfo"]) }
});

/// What names a request, or its progress: a whole number or a short text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Token {
    Number(i64),
    Text(String),
}

impl<'de> Deserialize<'de> for Token {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const MOST: usize = 128;
        let json = Box::<RawValue>::deserialize(deserializer)?;
        if let Ok(number) = serde_json::from_str(json.get()) {
            return Ok(Self::Number(number));
        }
        let text = serde_json::from_str::<String>(json.get()).ok();
        let short = text.filter(|text| text.chars().nth(MOST).is_none()).map(Self::Text);
        let wanted = format_args!("expected a whole number, or a text of at most {MOST} characters");
        short.ok_or_else(|| de::Error::custom(wanted))
    }
}

/// A request or notification of JSON-RPC.
#[derive(Debug, Deserialize)]
pub struct Message {
    jsonrpc: String,
    /// `None` in a notification.
    id: Option<Token>,
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
    /// The request that a client cancels.
    #[serde(rename = "requestId")]
    cancelled: Option<Token>,
}

/// What a request says about itself.
#[derive(Debug, Default, Deserialize)]
struct Meta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<String>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<Object<IgnoredAny>>,
    #[serde(rename = "progressToken")]
    progress: Option<Token>,
}

/// The arguments of all prompts.
#[derive(Debug, Deserialize)]
struct PromptArguments {
    game: GameId,
    level: Option<Clear<LevelNumber>>,
    moves: Option<Moves>,
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

    /// An error; its message may quote the request, and is cut.
    fn new(code: i32, message: &str) -> Self {
        Self { code, message: short(message, 200), data: Value::Null }
    }

    /// The error response; without an id if the request could not be read that far.
    fn response(&self, status: StatusCode, id: Option<&Token>) -> HttpResponse {
        let mut error = json!({"jsonrpc": "2.0", "error": self});
        if let Some(id) = id {
            error["id"] = json!(id);
        }
        let mut response = no_store(text(JSON, to_json(&error).into_bytes()));
        *response.status_mut() = status;
        response
    }
}

/// The beginning of a text, of at most so many characters.
fn short(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// Reads a part of a request.
fn read<T: DeserializeOwned>(part: Option<Box<RawValue>>) -> Result<T, RpcError> {
    let read = serde_json::from_str(part.unwrap_or_else(empty).get()).map(|Object(part)| part);
    read.map_err(|error| RpcError::new(RpcError::INVALID_PARAMS, &format!("'params' is wrong: {error}")))
}

/// Answers a message.
pub async fn post(
    request: HttpRequest,
    config: Data<Config>,
    calls: Data<Calls>,
    body: Result<Question<Message>, Problem>,
) -> Result<HttpResponse, Problem> {
    if !config.mcp {
        return Err(Problem::new(Code::NotFound, "the tools for language models are switched off"));
    }
    let invalid = |detail: &str| RpcError::new(RpcError::INVALID_REQUEST, detail);
    if !may_call(request.headers(), &config.cors_origins) {
        let error = invalid("pages of this origin may not call the service");
        return Ok(error.response(StatusCode::FORBIDDEN, None));
    }
    let unread = |error: RpcError| Ok(error.response(StatusCode::BAD_REQUEST, None));
    let Message { id, method, params, .. } = match body {
        Ok(Question(message)) if message.jsonrpc == "2.0" => message,
        Ok(_) => return unread(invalid("'jsonrpc' is not 2.0")),
        Err(problem) => match problem.code() {
            Code::MalformedJson => {
                return unread(RpcError::new(RpcError::PARSE_ERROR, &problem.body().detail));
            }
            Code::InvalidParameter => return unread(invalid(&problem.body().detail)),
            _ => return Err(problem),
        },
    };
    let params = read::<Params>(params);
    let Some(id) = id else {
        return match (&*method, params) {
            ("notifications/cancelled", Ok(Params { cancelled: Some(call), .. })) => {
                calls.cancel(RequestContext::of(&request).caller, &call);
                Ok(HttpResponse::Accepted().finish())
            }
            ("notifications/cancelled", Ok(_)) => unread(invalid("'requestId' is missing")),
            ("notifications/cancelled", Err(error)) => unread(error),
            // No other notification changes anything.
            _ if method.starts_with("notifications/") => Ok(HttpResponse::Accepted().finish()),
            _ => unread(invalid("a request needs an id")),
        };
    };
    let checked = params.and_then(|params| Ok((check(request.headers(), &method, &params)?, params)));
    let (is_modern, answered) = match checked {
        Ok((is_modern, params)) => {
            (is_modern, answer(request, (&config, &calls), &id, &method, params, is_modern).await)
        }
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
    let is_allowed =
        |it: &Origin| matches!(it, Origin::Any) || matches!(it, Origin::Exactly(it) if origin == it);
    let uri: Option<Uri> = origin.to_str().ok().and_then(|origin| origin.parse().ok());
    let is_here = uri.is_some_and(|uri| {
        // User information would stand before the host.
        let is_page = matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
        is_page && matches!(uri.host(), Some("localhost" | "127.0.0.1" | "[::1]"))
    });
    is_here || origins.iter().any(is_allowed)
}

/// Checks that the headers match the body. Returns whether the request uses the protocol without a handshake.
fn check(headers: &HeaderMap, method: &str, params: &Params) -> Result<bool, RpcError> {
    let header = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let unsupported = |version: &str| {
        let data = json!({"supported": REVISIONS, "requested": short(version, 40)});
        Err(RpcError { data, ..RpcError::new(RpcError::UNSUPPORTED_VERSION, "unsupported protocol version") })
    };
    let incomplete = "'_meta' needs the members protocolVersion and clientCapabilities";
    let incomplete = Err(RpcError::new(RpcError::INVALID_PARAMS, incomplete));
    let Some(version) = &params.meta.version else {
        return match header(&VERSION_HEADER) {
            // A handshake agrees on the version by its body; the header is for what follows.
            _ if method == "initialize" => Ok(false),
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
            let detail = format!("the header {name} is missing, or contradicts the body");
            return Err(RpcError::new(RpcError::HEADER_MISMATCH, &detail));
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
    (config, calls): (&Config, &Calls),
    id: &Token,
    method: &str,
    Params { meta, name, arguments, version, .. }: Params,
    is_modern: bool,
) -> Result<HttpResponse, RpcError> {
    let unknown = || RpcError::new(RpcError::METHOD_NOT_FOUND, "there is no such method");
    let result = match method {
        "server/discover" if !is_modern => return Err(unknown()),
        "initialize" | "ping" if is_modern => return Err(unknown()),
        "initialize" => {
            let known = REVISIONS[1..].iter().find(|&&known| version.as_deref() == Some(known));
            let version = known.unwrap_or(&REVISIONS[1]);
            let more = format!(r#","protocolVersion":"{version}","serverInfo":{}}}"#, STATIC.server);
            [open(&STATIC.results["server/discover"]), more.into()].concat().into()
        }
        "prompts/get" => prompt(&name, read(arguments)?)?,
        "resources/read" if name != BOARD => {
            let code = if is_modern { RpcError::INVALID_PARAMS } else { RpcError::RESOURCE_NOT_FOUND };
            return Err(RpcError {
                data: json!({"uri": short(&name, 100)}),
                ..RpcError::new(code, "there is no such resource")
            });
        }
        "tools/call" => {
            let (events, json) = (quality(&request, EVENTS), quality(&request, JSON));
            let token = meta.progress.filter(|_| events >= json && events > Some(Quality::ZERO));
            let (call, progress) = Call::new(request.clone(), &name, token)?;
            let running = calls.begin(RequestContext::of(&request).caller, id.clone());
            let (id, arguments) = (id.clone(), arguments.unwrap_or_else(empty));
            let answer = async move {
                let result = select! {
                    biased;
                    () = running.cancelled() => tools::cancelled(),
                    result = call.result(&arguments) => result,
                };
                response(&id, &result, is_modern)
            };
            let Some(progress) = progress else { return Ok(whole(answer.await)) };
            let answer = async move {
                let json = answer.await.concat();
                write::json_event("message", None, str::from_utf8(&json).expect("JSON is UTF-8"))
            };
            let events = write::events(progress, answer, Duration::from_millis(config.heartbeat_ms));
            return Ok(write::event_stream().streaming(Box::pin(events)));
        }
        _ => STATIC.results.get(method).cloned().ok_or_else(unknown)?,
    };
    Ok(whole(response(id, &result, is_modern)))
}

/// The arguments of a request without any.
fn empty() -> Box<RawValue> {
    RawValue::from_string("{}".into()).expect("this is JSON")
}

/// The JSON of an object, open for more members.
fn open(object: &Bytes) -> Bytes {
    object.slice(..object.len() - 1)
}

/// The JSON of a result in three parts, of which the second may be shared by many answers.
fn response(id: &Token, result: &Bytes, is_modern: bool) -> [Bytes; 3] {
    static MODERN: LazyLock<Bytes> = LazyLock::new(|| {
        let meta = format!(r#"{{"io.modelcontextprotocol/serverInfo":{}}}"#, STATIC.server);
        format!(r#","resultType":"complete","_meta":{meta}}}}}"#).into()
    });
    let head = format!(r#"{{"jsonrpc":"2.0","id":{},"result":"#, to_json(id));
    let tail = if is_modern { MODERN.clone() } else { Bytes::from_static(b"}}") };
    [head.into(), open(result), tail]
}

/// The answer with a response.
fn whole(parts: [Bytes; 3]) -> HttpResponse {
    /// The library copies what it sends: no more than this at a time, in bytes.
    const PIECE: usize = 16 * 1024;
    let size = parts.iter().map(|part| part.len() as u64).sum();
    let pieces = parts.into_iter().flat_map(|part| {
        let starts = (0..part.len()).step_by(PIECE);
        starts.map(move |start| Ok::<_, Infallible>(part.slice(start..part.len().min(start + PIECE))))
    });
    no_store(HttpResponse::Ok().content_type(JSON).body(SizedStream::new(size, stream::iter(pieces))))
}

/// The prompt with a name. No argument is ever a template: each text is filled once.
fn prompt(name: &str, given: PromptArguments) -> Result<Bytes, RpcError> {
    /// The longest list of moves, in characters: longer than that of any game.
    const MOST: usize = 10_000;
    let invalid = |detail| Err(RpcError::new(RpcError::INVALID_PARAMS, detail));
    let PromptArguments { game, level, moves } = given;
    let moves = moves.map(|Moves(moves)| moves.join(" ")).filter(|moves| moves.len() <= MOST);
    let text = match (name, level, moves) {
        ("teach", ..) => format!(
            "Teach me {game}. Call `rules` for it and explain the goal and the moves in your own words, step \
             by step, with boards from `look` and `play`. Then let me try moves and say what each one did. \
             Show me every board as the tool draws it."
        ),
        ("review", _, Some(moves)) => format!(
            "Review my game of {game}: {moves}. Call `analyse` with these moves and `state` \"{game}\". Then \
             explain the two or three mistakes that mattered: show the board before each, what was better, \
             and why. End with one thing to practise."
        ),
        ("play", Some(Clear(level)), _) => format!(
            "Play {game} against me at level {level}. Call `rules` if I ask. I begin: show me the start with \
             `look`. For each of my moves call `play` with the last state, my move, and `level` {level}, \
             which plays your answer. Show me the board and what happened, and ask for my move. If my move \
             is refused, tell me why and what I may play. Never change a state yourself.",
            level = level.get()
        ),
        ("review", ..) => return invalid("the argument 'moves' is missing, or is too long"),
        ("play", ..) => return invalid("the argument 'level' is missing"),
        _ => return invalid("there is no such prompt"),
    };
    let content = json!({"type": "text", "text": text});
    Ok(to_json(&json!({"messages": [{"role": "user", "content": content}]})).into())
}

/// The calls that run on this replica.
#[derive(Clone, Debug, Default)]
pub struct Calls(Arc<Mutex<Vec<Arc<Entry>>>>);

#[derive(Debug)]
struct Entry {
    caller: Caller,
    id: Token,
    cancelled: Notify,
}

/// A call that runs. Dropping it takes it from the list.
#[derive(Debug)]
pub struct RunningCall {
    calls: Calls,
    entry: Arc<Entry>,
}

impl Calls {
    /// Adds a call, which its caller knows by an id.
    pub fn begin(&self, caller: Caller, id: Token) -> RunningCall {
        let entry = Arc::new(Entry { caller, id, cancelled: Notify::new() });
        self.list().push(entry.clone());
        RunningCall { calls: self.clone(), entry }
    }

    /// Ends the call of a caller with an id. If there are several, it is unknown which is meant, and none
    /// ends.
    pub fn cancel(&self, caller: Caller, id: &Token) {
        let list = self.list();
        let mut named = list.iter().filter(|entry| entry.caller == caller && entry.id == *id);
        if let (Some(entry), None) = (named.next(), named.next()) {
            entry.cancelled.notify_one();
        }
    }

    /// The list is whole after every statement, so a panic elsewhere does not matter.
    fn list(&self) -> MutexGuard<'_, Vec<Arc<Entry>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunningCall {
    /// Resolves when the caller cancels the call.
    pub async fn cancelled(&self) {
        self.entry.cancelled.notified().await;
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        let mut list = self.calls.list();
        // Most calls are short, and stand at the end.
        if let Some(i) = list.iter().rposition(|entry| Arc::ptr_eq(entry, &self.entry)) {
            list.swap_remove(i);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn only_the_one_call_that_is_named_ends_and_a_call_that_has_ended_is_forgotten() {
        let (calls, [one, two]) = (Calls::default(), [1, 2].map(Caller::Key));
        let begin = |caller, id| calls.begin(caller, Token::Number(id));
        let ended = |call: &RunningCall| call.cancelled().now_or_never().is_some();
        let (meant, others) = (begin(one, 7), [begin(two, 7), begin(one, 8)]);
        calls.cancel(one, &Token::Text("7".into()));
        assert!(!ended(&meant));
        calls.cancel(one, &Token::Number(7));
        assert!(ended(&meant) && !others.iter().any(ended));
        let alike = [begin(one, 9), begin(one, 9)];
        calls.cancel(one, &Token::Number(9));
        assert!(!alike.iter().any(ended));
        drop((meant, others, alike));
        assert!(calls.list().is_empty());
    }
}
