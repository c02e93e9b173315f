//! A running service, and a client that checks every answer against the document.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{LazyLock, mpsc},
    thread,
};

use cublino::{
    config::Config,
    http::{self, document},
};
use cublino_client::{Client, Retries};
use jsonschema::Validator;
use reqwest::{Method, RequestBuilder, StatusCode, header::HeaderMap};
use serde_json::{Map, Value, json};
use url::{Position, Url};

/// The start of Cublino Pur.
pub const START: &str = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7";

/// A service for all tests that do not change it. Its searches may wait as long as a busy machine needs.
pub static SHARED: LazyLock<Service> =
    LazyLock::new(|| Service::start(&Config { max_wait_ms: 600_000, ..Config::default() }));

/// The path of what is linked in the answer to a path.
pub fn resolved(path: &str, link: &str) -> String {
    let url = Url::parse("http://x").unwrap().join(path).unwrap().join(link).unwrap();
    url[Position::BeforePath..].to_owned()
}

/// A running service.
pub struct Service {
    pub base: String,
    /// Where it listens for probes and metrics, if it does.
    pub admin: Option<SocketAddr>,
    pub state: http::Service,
}

impl Service {
    /// Starts a service with one worker on a free port; it lives as long as the test binary.
    pub fn start(config: &Config) -> Self {
        Self::start_with_workers(1, config)
    }

    /// The same with more workers.
    pub fn start_with_workers(workers: usize, config: &Config) -> Self {
        let config = Config { listen: "127.0.0.1:0".parse().unwrap(), workers, ..config.clone() };
        let (send, receive) = mpsc::channel();
        thread::spawn(move || {
            actix_web::rt::System::new().block_on(async {
                let running = http::bind(&config).unwrap();
                send.send((running.address, running.admin_address, running.service.clone())).unwrap();
                running.serve().await.unwrap();
            });
        });
        let (address, admin, state) = receive.recv().unwrap();
        Self { base: format!("http://{address}"), admin, state }
    }

    /// Where it listens.
    pub fn address(&self) -> &str {
        self.base.strip_prefix("http://").unwrap()
    }

    /// A client that does not retry.
    ///
    /// It is for tests of the content of answers. Tests of their format, and of the document, send requests
    /// of their own.
    pub fn client(&self) -> Client {
        Client::builder(&self.base).retries(Retries::NONE).build().unwrap()
    }

    /// A request that has not been sent yet.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        client.request(method, format!("{}{path}", self.base))
    }

    /// The answer to a GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    /// The answer to a question about a state.
    pub async fn ask(&self, operation: &str, state: &str) -> Answer {
        self.get(&format!("/v1/games/cublino-pur/{operation}?state={}", encoded(state.as_bytes()))).await
    }

    /// The answer to a POST.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request(Method::POST, path).json(body)).await
    }

    /// The answer to a POST of bytes that claim to be JSON.
    pub async fn post_bytes(&self, path: &str, body: Vec<u8>) -> Answer {
        let request = self.request(Method::POST, path).header("content-type", "application/json");
        self.send(request.body(body)).await
    }

    /// Sends a request, and checks the answer against the document.
    pub async fn send(&self, request: RequestBuilder) -> Answer {
        let request = request.build().unwrap();
        let (method, path) = (request.method().clone(), request.url().path().to_owned());
        let response = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap()
            .execute(request)
            .await
            .unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let answer = Answer { status, headers, bytes: response.bytes().await.unwrap().to_vec() };
        DOCUMENT.check(&method, &path, &answer);
        answer
    }
}

/// Any bytes, percent-encoded for a query.
pub fn encoded(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |encoded, byte| encoded + &format!("%{byte:02x}"))
}

/// An answer that has been checked against the document.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap()
    }

    /// The body as text.
    pub fn text(&self) -> &str {
        str::from_utf8(&self.bytes).unwrap()
    }

    /// A header as text; empty if it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The request headers that the answer depends on, from `Vary`.
    pub fn vary(&self) -> Vec<&str> {
        self.headers.get_all("vary").iter().map(|value| value.to_str().unwrap()).collect()
    }

    /// The body of a problem, after checking that it is one with this code.
    #[track_caller]
    pub fn problem(&self, code: &str) -> Value {
        let problem = self.json();
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["type"], format!("/problems/{code}"));
        assert_eq!(problem["status"], self.status.as_u16());
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(self.header("cache-control"), "no-store");
        problem
    }
}

/// The document, as the service gives it.
pub static DOCUMENT: LazyLock<Document> = LazyLock::new(Document::new);

pub struct Document {
    pub value: Value,
    /// By path template, method, status and media type; the media type is empty where there is no body.
    responses: HashMap<(String, Method, u16, String), Option<Validator>>,
    problem: Validator,
}

impl Document {
    fn new() -> Self {
        let value: Value = serde_json::from_slice(&document()).unwrap();
        let components = closed(&value["components"]);
        let mut responses = HashMap::new();
        for (path, item) in value["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                for (status, response) in operation["responses"].as_object().unwrap() {
                    let key = |media: &str| {
                        let method = method.to_uppercase().parse().unwrap();
                        (path.clone(), method, status.parse().unwrap(), media.to_owned())
                    };
                    let Some(content) = response["content"].as_object() else {
                        responses.insert(key(""), None);
                        continue;
                    };
                    for (media, described) in content {
                        let schema = validator(&described["schema"], &components);
                        responses.insert(key(media), Some(schema));
                    }
                }
            }
        }
        let problem = validator(&json!({"$ref": "#/components/schemas/Problem"}), &components);
        Self { value, responses, problem }
    }

    /// The path in the document that stands for a real one.
    fn template(&self, path: &str) -> Option<&String> {
        let segments: Vec<_> = path.split('/').collect();
        let fits = |template: &&String| {
            let parts: Vec<_> = template.split('/').collect();
            parts.len() == segments.len()
                && parts
                    .iter()
                    .zip(&segments)
                    .all(|(part, segment)| part == segment || part.starts_with('{') && !segment.is_empty())
        };
        self.value["paths"].as_object().unwrap().keys().find(fits)
    }

    /// Whether the document describes this answer.
    #[track_caller]
    fn check(&self, method: &Method, path: &str, answer: &Answer) {
        assert!(!answer.header("x-request-id").is_empty(), "an answer without a name: {method} {path}");
        let status = answer.status.as_u16();
        let media = answer.header("content-type").split(';').next().unwrap();
        let expected = match method.as_str() {
            "HEAD" => &Method::GET,
            // OpenAPI has no such method; the document describes it in words.
            "QUERY" => &Method::POST,
            _ => method,
        };
        if media == "application/problem+json" && method != Method::HEAD {
            valid(&self.problem, &answer.json());
        }
        if status == 405 || method == Method::OPTIONS {
            assert!(!answer.header("allow").is_empty());
            return;
        }
        let Some(template) = self.template(path) else { return };
        let key = (template.clone(), expected.clone(), status, media.to_owned());
        let Some(schema) = self.responses.get(&key) else {
            panic!("the document does not describe {key:?}: {}", String::from_utf8_lossy(&answer.bytes));
        };
        if method == Method::HEAD
            || [
                "text/html",
                "text/event-stream",
                "image/svg+xml",
                "application/openmetrics-text",
                "text/plain",
            ]
            .contains(&media)
        {
            return;
        }
        match schema {
            Some(schema) if media == "application/x-ndjson" => {
                for line in answer.text().lines() {
                    valid(schema, &serde_json::from_str(line).unwrap());
                }
            }
            Some(schema) => valid(schema, &answer.json()),
            None => assert!(answer.bytes.is_empty(), "{key:?} has a body"),
        }
        if media == "application/problem+json" {
            self.check_code(&key, &answer.json()["code"]);
        }
    }

    /// Whether the document names the code of a problem where it describes the status.
    #[track_caller]
    fn check_code(&self, (path, method, status, _): &(String, Method, u16, String), code: &Value) {
        let operation = &self.value["paths"][path][method.as_str().to_lowercase()];
        let described = operation["responses"][status.to_string()]["description"].as_str().unwrap();
        let code = code.as_str().unwrap();
        let names = described.contains(&format!("`{code}`: "));
        assert!(names, "{method} {path} is not said to have the problem {code}");
    }
}

#[track_caller]
fn valid(schema: &Validator, body: &Value) {
    let errors: Vec<_> =
        schema.iter_errors(body).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{body:#}\nis not what the document says: {errors:#?}");
}

/// A validator for a schema that may refer to components.
pub fn validator(schema: &Value, components: &Value) -> Validator {
    let Value::Object(mut root) = schema.clone() else { panic!("not a schema: {schema}") };
    root.insert("components".to_owned(), components.clone());
    jsonschema::validator_for(&Value::Object(root)).unwrap()
}

/// The components with every object closed against members that it does not describe.
pub fn closed(components: &Value) -> Value {
    let mut components = components.clone();
    let open = parts(&components);
    for (name, schema) in components["schemas"].as_object_mut().unwrap() {
        if !open.contains(&format!("#/components/schemas/{name}")) {
            close(schema);
        }
    }
    components
}

/// The components that are parts of others: they cannot be closed for themselves.
fn parts(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(all) = value.get("allOf").and_then(Value::as_array) {
        found.extend(all.iter().filter_map(|part| part["$ref"].as_str()).map(str::to_owned));
    }
    let inner: Vec<&Value> = match value {
        Value::Object(members) => members.values().collect(),
        Value::Array(items) => items.iter().collect(),
        _ => Vec::new(),
    };
    found.extend(inner.into_iter().flat_map(parts));
    found
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) if members.contains_key("allOf") => {
            members.insert("unevaluatedProperties".to_owned(), json!(false));
        }
        Value::Object(members) => {
            if members.get("properties").is_some_and(Value::is_object) {
                members.insert("additionalProperties".to_owned(), json!(false));
            }
            let members: &mut Map<String, Value> = members;
            members.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}
