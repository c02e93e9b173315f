//! Requests that ask for as much as callers can: of every endpoint, tool, prompt, resource, page and method,
//! from the program's own lists, with values from a dictionary. Nothing here knows a weakness by name.

pub mod callers;
pub mod dictionary;
pub mod process;

use std::{cmp::Reverse, collections::BTreeSet, io::Write as _, rc::Rc, time::Duration};

use actix_web::{rt::time::timeout, web::Bytes};
use cublino::{
    api::{Method, paths},
    http::endpoints,
};
use flate2::{Compression, write::GzEncoder};
use futures_util::{StreamExt as _, stream};
use serde_json::{Map, Value, json};

use self::{
    callers::{Manner, WAVES},
    dictionary::{Filler, Members, object, scenes},
};

/// The largest body, and the longest path with a query, that the dictionary fills, in bytes.
const BODY: usize = 250_000;
const QUERY: usize = 7_500;

/// The headers that the service reads, and how long each is when all are.
const HEADERS: [&str; 11] = [
    "Authorization",
    "If-None-Match",
    "Last-Event-ID",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Protocol-Version",
    "Origin",
    "Traceparent",
    "Tracestate",
    "X-Forwarded-For",
    "X-Request-ID",
];
const HEADER: usize = 2_000;

/// How long an answer is waited for when requests are compared, and how many are asked at a time.
const LOOK: Duration = Duration::from_millis(1_500);
const AT_ONCE: usize = 16;

/// Bytes compressed with gzip.
pub fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes.as_ref()).and_then(|()| encoder.finish()).expect("bytes can be compressed")
}

/// What is asked of one endpoint, tool, prompt or method.
pub struct Target {
    pub name: String,
    /// The methods that a request may have.
    methods: &'static [&'static str],
    /// The values of `Accept` that the answers depend on.
    accepted: Vec<String>,
    /// They are many and large, and made when they are needed.
    questions: Box<dyn Fn() -> Vec<Question>>,
}

/// A path with a query, and a body if there is one.
struct Question {
    /// What is large in it, or the place that has another type.
    name: String,
    has_another_type: bool,
    path: String,
    body: Option<String>,
    /// More headers.
    headers: String,
}

/// How a question is asked.
struct Form<'a> {
    method: &'a str,
    accepted: &'a str,
    /// The value of `Accept-Encoding`.
    coding: &'a str,
    /// Whether its body is compressed.
    is_compressed: bool,
}

/// Requests that are sent at the same time.
pub struct Attack {
    pub name: String,
    pub requests: Vec<Bytes>,
    pub waves: &'static [[Manner; 2]],
}

impl Attack {
    /// The same with each half of the requests.
    pub fn halves(&self) -> [Self; 2] {
        let (one, other) = self.requests.split_at(self.requests.len() / 2);
        [("first", one), ("second", other)].map(|(half, requests)| Self {
            name: format!("{}, {half} half", self.name),
            requests: requests.to_vec(),
            waves: self.waves,
        })
    }
}

/// The settings of a model: it answers many questions at a time.
pub const OF_MODEL: [(&str, &str); 2] = [("CUBLINO_SEARCH_THREADS", "16"), ("CUBLINO_PERMITS", "64")];

/// A service like that which is attacked: its documents say what can be asked, and its answers what is worth
/// asking.
pub struct Model {
    base: String,
    client: reqwest::Client,
}

impl Model {
    pub fn new(base: String) -> Self {
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        Self { base, client: client.build().expect("a client") }
    }

    async fn text(&self, path: &str) -> String {
        let answer = self.client.get(format!("{}{path}", self.base)).send().await.expect("an answer");
        answer.text().await.expect("all of it")
    }

    /// The result of a method of `/mcp`.
    async fn result(&self, method: &str) -> Value {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method}).to_string();
        let request = self.client.post(format!("{}{}", self.base, paths::MCP)).body(body);
        let request = request.header("content-type", "application/json");
        let answer = request.send().await.expect("an answer").json::<Value>().await;
        answer.expect("an answer is JSON")["result"].take()
    }

    /// Everything that can be asked.
    pub async fn targets(&self) -> Vec<Target> {
        let document: Value = serde_json::from_str(&self.text(paths::OPENAPI).await).expect("JSON");
        let (document, files) = (Rc::new(document), Rc::new(self.files().await));
        let mut targets = Vec::new();
        for endpoint in endpoints() {
            let methods: &[&str] = match endpoint.method {
                Method::Get => &["GET"],
                Method::Post => &["POST"],
                Method::PostOrQuery => &["POST", "QUERY"],
            };
            let described = &document["paths"][&endpoint.path][methods[0].to_lowercase()];
            let media_types = described["responses"]["200"]["content"].as_object();
            let mut accepted: Vec<_> = media_types.into_iter().flat_map(Map::keys).cloned().collect();
            if accepted.is_empty() {
                accepted.push("*/*".to_owned());
            }
            let (document, files) = (document.clone(), files.clone());
            targets.push(Target {
                name: format!("{} {}", methods[0], endpoint.path),
                methods,
                accepted,
                questions: Box::new(move || {
                    endpoint_questions(&document, &endpoint.path, methods[0], &files)
                }),
            });
        }
        targets.extend(self.of_mcp().await);
        targets
    }

    /// The files of the pages, which the pages name.
    async fn files(&self) -> BTreeSet<String> {
        let mut files = BTreeSet::new();
        for folder in ["/docs/", "/play/"] {
            let text = self.text(folder).await + &self.text(&format!("{folder}worker.js")).await;
            let is_part = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
            let words = text.split(|c| !is_part(c)).map(|word| word.trim_start_matches(['.', '/']));
            let named = words.filter(|word| word.contains('.') && word.len() < 100);
            files.extend(named.map(|word| format!("{folder}{word}")));
            files.insert(folder.to_owned());
        }
        files
    }

    /// What can be asked of `/mcp`: each method, tool, prompt and resource.
    async fn of_mcp(&self) -> Vec<Target> {
        let file: Value = serde_json::from_str(include_str!("../../src/http/mcp/mcp.json")).expect("JSON");
        let methods = file["results"].as_object().expect("results by method").keys().map(String::as_str);
        let methods = methods.chain(["notifications/cancelled"]);
        let mut targets: Vec<_> = methods.map(|method| mcp_target(method, method, &json!({}))).collect();
        for tool in listed(&self.result("tools/list").await["tools"]) {
            let call = json!({"name": {"enum": [tool["name"]]}, "arguments": tool["inputSchema"]});
            targets.push(mcp_target(&format!("tool {}", tool["name"]), "tools/call", &call));
        }
        for prompt in listed(&self.result("prompts/list").await["prompts"]) {
            let names = listed(&prompt["arguments"]).filter_map(|argument| argument["name"].as_str());
            // A game is a text like any other here.
            let texts: Value = names.map(|name| (name.to_owned(), json!({"type": "text"}))).collect();
            let get = json!({"name": {"enum": [prompt["name"]]}, "arguments": required(&texts)});
            targets.push(mcp_target(&format!("prompt {}", prompt["name"]), "prompts/get", &get));
        }
        for resource in listed(&self.result("resources/list").await["resources"]) {
            let read = json!({"uri": {"enum": [resource["uri"]]}});
            targets.push(mcp_target(&format!("resource {}", resource["uri"]), "resources/read", &read));
        }
        targets
    }

    /// The attacks on a target: its worst requests, each alone, and the others together; and for each place
    /// all types.
    pub async fn attacks(&self, target: &Target, worst: usize) -> Vec<Attack> {
        let questions = (target.questions)();
        let (types, sizes): (Vec<_>, Vec<_>) = questions.iter().partition(|it| it.has_another_type);
        let mut known = BTreeSet::new();
        let sizes = sizes.into_iter().filter(|it| known.insert((&it.path, &it.body, &it.headers)));
        let weighed = stream::iter(sizes)
            .map(|question| async move { (self.weight(target, question).await, question) });
        let mut weighed: Vec<_> = weighed.buffered(AT_ONCE).collect().await;
        // The worst first; among equals, the order of the dictionary holds.
        weighed.sort_by_key(|(weight, _)| Reverse(*weight));
        // The worst game stands for all.
        let mut names = BTreeSet::new();
        weighed.retain(|(_, question)| names.insert(&question.name));

        let alone = weighed.iter().take(worst).take_while(|(weight, _)| weight.is_some()).count();
        let others = weighed.split_off(alone).into_iter().map(|(_, question)| question);
        let mut groups: Vec<(&str, Vec<&Question>)> =
            weighed.into_iter().map(|(_, question)| (&*question.name, vec![question])).collect();
        groups.push(("others", others.collect()));
        groups.retain(|(_, questions)| !questions.is_empty());
        let of_sizes = groups.len();
        for question in types {
            match groups[of_sizes..].last_mut().filter(|(name, _)| *name == question.name) {
                Some((_, same)) => same.push(question),
                None => groups.push((&question.name, vec![question])),
            }
        }
        let forms = target.forms();
        let mut attacks = Vec::new();
        for (i, (name, questions)) in groups.into_iter().enumerate() {
            let mut requests = Vec::new();
            // One is asked in all forms; of many, each in one.
            for (question, form) in
                questions.iter().cycle().zip(forms.iter().cycle()).take(questions.len().max(forms.len()))
            {
                requests.push(question.request(form));
            }
            let waves = if i < of_sizes { &WAVES[..] } else { &WAVES[..1] };
            attacks.push(Attack { name: format!("{}: {name}", target.name), requests, waves });
        }
        attacks
    }

    /// How much a request and its answer are, in bytes; `None` if it is refused. Long answers are cut.
    async fn weight(&self, target: &Target, question: &Question) -> Option<usize> {
        let sent = question.path.len() + question.body.as_ref().map_or(0, String::len);
        let method = target.methods[0].parse().expect("a method");
        let mut request = self.client.request(method, format!("{}{}", self.base, question.path));
        for header in question.headers.lines() {
            let (name, value) = header.split_once(": ").expect("a header");
            request = request.header(name, value);
        }
        request = request.header("accept", &target.accepted[0]);
        if let Some(body) = &question.body {
            request = request.header("content-type", "application/json").body(body.clone());
        }
        let mut read = 0;
        let asked = async {
            let mut answer = request.send().await.ok()?;
            match answer.status().as_u16() {
                429 | 503 => {}
                200 => {
                    while let Ok(Some(bytes)) = answer.chunk().await {
                        // A call of a tool that is refused.
                        if String::from_utf8_lossy(&bytes).contains("\"isError\":true") {
                            return None;
                        }
                        read += bytes.len();
                    }
                }
                _ => return None,
            }
            Some(())
        };
        let is_refused = matches!(timeout(LOOK, asked).await, Ok(None));
        (!is_refused).then_some(read + sent)
    }
}

/// The values of a list.
fn listed(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The schema of an object that needs all its members.
fn required(members: &Value) -> Value {
    let names: Vec<_> = members.as_object().into_iter().flat_map(|members| members.keys()).collect();
    json!({"type": "object", "required": names, "properties": members})
}

/// What can be asked of an endpoint.
fn endpoint_questions(document: &Value, path: &str, method: &str, files: &BTreeSet<String>) -> Vec<Question> {
    let described = &document["paths"][path][method.to_lowercase()];
    let question = |name: &str, path: &str| Question {
        name: name.to_owned(),
        has_another_type: false,
        path: path.to_owned(),
        body: None,
        headers: String::new(),
    };
    if let Some((folder, _)) = path.split_once("{file") {
        let files = files.iter().filter(|file| file.starts_with(folder));
        return files.map(|file| question(file, file)).collect();
    }
    let parameters = || listed(&described["parameters"]).filter(|parameter| parameter["in"] == "query");
    let name = |parameter: &Value| parameter["name"].as_str().expect("a name").to_owned();
    let query = json!({
        "type": "object",
        "properties": parameters().map(|it| (name(it), it["schema"].clone())).collect::<Value>(),
        "required": parameters().filter(|it| it["required"] == true).map(name).collect::<Value>(),
    });
    let body = &described["requestBody"]["content"]["application/json"]["schema"];
    let mut questions = Vec::new();
    for (i, scene) in scenes().iter().enumerate() {
        let filler = Filler { document, scene, is_worst: i == 0 };
        let path = path.replace("{game}", scene.game).replace("{code}", "busy");
        let (schema, room) = if body.is_object() { (body, BODY) } else { (&query, QUERY) };
        let types = filler.types(schema, room).into_iter().map(|filled| (true, filled));
        let sizes = filler.sizes(schema, room).into_iter().map(|filled| (false, filled));
        for (has_another_type, (name, members)) in sizes.chain(types) {
            let mut question = question(&name, &path);
            question.has_another_type = has_another_type;
            if body.is_object() {
                question.body = Some(object(&members));
            } else {
                question.path += "?";
                question.path += &encoded(&members);
            }
            questions.push(question);
        }
    }
    let (folder, _) = path.rsplit_once('{').unwrap_or((path, ""));
    questions.push(question("a long path", &format!("{folder}{}", "a".repeat(QUERY))));
    let headers = HEADERS.map(|name| format!("{name}: {}\r\n", "a".repeat(HEADER))).concat();
    questions.push(Question { headers, ..question("long headers", &path.replace("{game}", "wari")) });
    questions
}

/// An object as a query.
fn encoded(members: &Members<'_>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(members.iter().map(|(name, value)| (name, value.trim_matches('"'))));
    query.finish()
}

/// What can be asked of a method of `/mcp` with parameters that it needs.
fn mcp_target(name: &str, method: &str, params: &Value) -> Target {
    /// A revision without a handshake: a request says all about itself, and headers repeat it.
    const REVISION: &str = "2026-07-28";
    /// Stands for the arguments.
    const ARGUMENTS: &str = "ARGUMENTS";
    let message = |arguments: &Value| {
        let mut members = params.clone();
        if params["arguments"].is_object() {
            members["arguments"] = arguments.clone();
        }
        let mut meta = json!({
            "io.modelcontextprotocol/protocolVersion": {"enum": [REVISION]},
            "io.modelcontextprotocol/clientCapabilities": {"properties": {}},
        });
        if ["initialize", "ping"].contains(&method) {
            meta = json!({});
        }
        let mut meta = required(&meta);
        meta["properties"]["progressToken"] = json!({"type": "integer"});
        members["_meta"] = meta;
        let mut members = required(&members);
        for more in ["cursor", "reason", "requestId", "uri"] {
            members["properties"][more] =
                params.get(more).cloned().unwrap_or_else(|| json!({"type": "string"}));
        }
        let method = json!({"enum": [method]});
        required(&json!({"jsonrpc": {"enum": ["2.0"]}, "id": {"type": "integer"}, "method": method,
                    "params": members}))
    };
    let (schema, frame) = (message(&params["arguments"]), message(&json!({"enum": [ARGUMENTS]})));
    let subject = params.get("name").or(params.get("uri")).map(|schema| &schema["enum"][0]);
    let headers = format!(
        "Mcp-Protocol-Version: {REVISION}\r\nMcp-Method: {method}\r\nMcp-Name: {}\r\n",
        subject.and_then(Value::as_str).unwrap_or_default()
    );
    let params = params.clone();
    let questions = move || {
        let mut questions = Vec::new();
        let question = |name: String, has_another_type, body| {
            let (path, headers) = (paths::MCP.to_owned(), headers.clone());
            Question { name, has_another_type, path, body: Some(body), headers }
        };
        for (i, scene) in scenes().iter().enumerate() {
            let filler = Filler { document: &Value::Null, scene, is_worst: i == 0 };
            let frame = object(&filler.least(&frame));
            for (name, members) in filler.sizes(&params["arguments"], BODY) {
                let body = frame.replace(&format!("\"{ARGUMENTS}\""), &object(&members));
                questions.push(question(name, false, body));
            }
            for (name, members) in filler.types(&schema, BODY) {
                // What all methods have in common is asked of them at once.
                let name = if params["name"].is_null() { "all places".into() } else { name };
                questions.push(question(name, true, object(&members)));
            }
        }
        questions
    };
    Target {
        name: format!("{} {name}", paths::MCP),
        methods: &["POST"],
        accepted: vec!["application/json, text/event-stream".to_owned()],
        questions: Box::new(questions),
    }
}

impl Target {
    /// Some of its questions, each in one of its forms.
    pub fn sample(&self, count: usize) -> Attack {
        let (questions, forms) = ((self.questions)(), self.forms());
        let some = questions.iter().step_by(questions.len().div_ceil(count).max(1));
        let requests =
            some.zip(forms.iter().cycle()).map(|(question, form)| question.request(form)).collect();
        Attack { name: self.name.clone(), requests, waves: &WAVES[..1] }
    }

    /// All forms of its questions.
    fn forms(&self) -> Vec<Form<'_>> {
        let has_body = self.methods[0] != "GET";
        let mut forms = Vec::new();
        let mut codings = ["identity", "gzip"].into_iter().cycle();
        for is_compressed in [false, has_body] {
            for &method in self.methods {
                for accepted in &self.accepted {
                    let coding = codings.next().expect("they go on and on");
                    forms.push(Form { method, accepted, coding, is_compressed });
                }
            }
        }
        forms
    }
}

impl Question {
    /// The bytes of a request.
    fn request(&self, form: &Form<'_>) -> Bytes {
        let Form { method, accepted, coding, is_compressed } = form;
        let mut head = format!(
            "{method} {} HTTP/1.1\r\nHost: x\r\nAccept: {accepted}\r\nAccept-Encoding: {coding}\r\n",
            self.path
        ) + &self.headers;
        let mut body = Bytes::new();
        if let Some(text) = &self.body {
            body = text.clone().into();
            if *is_compressed {
                body = gzip(body).into();
                head += "Content-Encoding: gzip\r\n";
            }
            let length = body.len().to_string();
            head.extend(["Content-Type: application/json\r\nContent-Length: ", &length, "\r\n"]);
        }
        [head.as_bytes(), b"\r\n", &body].concat().into()
    }
}
