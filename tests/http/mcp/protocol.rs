//! The protocol in both revisions.

use cublino::{
    config::Config,
    games::GameId,
    queue::{Class, Ended},
};
use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt as _,
    model::{CallToolRequestParams, GetPromptRequestParams, ProtocolVersion, ReadResourceRequestParams},
    transport::StreamableHttpClientTransport,
};
use serde_json::{Value, json};

use super::{LATEST, body, failure, message, result, send};
use crate::{
    service::{SHARED, Service, resolved},
    suggestions::until,
};

#[derive(Clone, Default)]
struct Handler;

impl ClientHandler for Handler {}

#[actix_web::test]
async fn a_client_of_either_era_lists_and_calls_tools() {
    let latest = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    for (lifecycle, version) in [
        (latest, ProtocolVersion::V_2026_07_28),
        (ClientLifecycleMode::Initialize, ProtocolVersion::V_2025_11_25),
    ] {
        let transport = StreamableHttpClientTransport::from_uri(format!("{}/mcp", SHARED.base));
        let client = Handler.serve_with_lifecycle(transport, lifecycle).await.unwrap();
        assert_eq!(client.peer_info().unwrap().protocol_version, version);
        let tools = client.list_all_tools().await.unwrap();
        let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
        assert_eq!(names, ["rules", "look", "play", "suggest", "analyse", "puzzle"]);
        let arguments = json!({"state": "wari", "moves": ["5"]}).as_object().cloned().unwrap();
        let question = CallToolRequestParams::new("play").with_arguments(arguments);
        let answer = client.call_tool(question).await.unwrap();
        assert_eq!(answer.structured_content.unwrap()["state"], "w-4-4-4-4-0-5-5-5-5-4-4-4-0-0");
        assert_eq!(client.list_all_prompts().await.unwrap().len(), 3);
        let arguments = json!({"game": "wari"}).as_object().cloned().unwrap();
        let question = GetPromptRequestParams::new("teach").with_arguments(arguments);
        assert_eq!(client.get_prompt(question).await.unwrap().messages.len(), 1);
        let resources = client.list_all_resources().await.unwrap();
        let question = ReadResourceRequestParams::new(resources[0].uri.clone());
        assert_eq!(client.read_resource(question).await.unwrap().contents.len(), 1);
        client.cancel().await.unwrap();
    }
}

#[actix_web::test]
async fn a_server_says_what_it_is_and_how_long_that_holds() {
    let about = result(&SHARED, "server/discover", json!({})).await;
    assert_eq!(about["supportedVersions"], json!([LATEST, "2025-11-25", "2025-06-18", "2025-03-26"]));
    assert_eq!(
        about["capabilities"],
        json!({
            "tools": {},
            "prompts": {},
            "resources": {},
            "extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}},
        })
    );
    assert_eq!(about["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "cublino");
    for method in
        ["server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list"]
    {
        let list = result(&SHARED, method, json!({})).await;
        assert_eq!(list["resultType"], "complete");
        assert!(list["ttlMs"].as_u64() > Some(0) && list["cacheScope"] == "public", "{list}");
    }
}

#[actix_web::test]
async fn clients_with_a_handshake_get_no_session() {
    for (asked, answered) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", "2025-11-25"),
    ] {
        let client = json!({"name": "x", "version": "1"});
        let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": client});
        let question = json!({"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": params});
        // The body decides, whatever the header says.
        for header in [None, Some(asked), Some("2030-01-01"), Some(LATEST)] {
            let mut request = SHARED.request(reqwest::Method::POST, "/mcp").json(&question);
            request =
                header.into_iter().fold(request, |request, it| request.header("mcp-protocol-version", it));
            let answer = SHARED.send(request).await;
            assert_eq!(answer.json()["result"]["protocolVersion"], answered, "{header:?}");
            assert_eq!((&answer.json()["id"], answer.header("mcp-session-id")), (&json!("a"), ""));
        }
    }
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let request = SHARED.request(reqwest::Method::POST, "/mcp").json(&ping);
    let answer = SHARED.send(request.header("mcp-protocol-version", "2030-01-01")).await;
    assert_eq!(answer.json()["error"]["code"], -32022);
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = SHARED.post("/mcp", &notification).await;
    assert_eq!((answer.status.as_u16(), &*answer.bytes), (202, &b""[..]));
    for (method, code) in [
        ("ping", Value::Null),
        ("server/discover", json!(-32601)),
        ("resources/read", json!(-32002)),
        ("x", json!(-32601)),
    ] {
        let answer = SHARED.post("/mcp", &json!({"jsonrpc": "2.0", "id": 1, "method": method})).await;
        assert_eq!(failure(&answer), (200, code), "{method}");
    }
    for method in [reqwest::Method::GET, reqwest::Method::DELETE] {
        SHARED.send(SHARED.request(method, "/mcp")).await.problem("method-not-allowed");
    }
}

#[actix_web::test]
async fn headers_must_say_what_the_body_says() {
    let list = body("tools/list", json!({}));
    let look = body("tools/call", json!({"name": "look", "arguments": {"state": "wari"}}));
    for (body, name, value, code) in [
        (&list, "mcp-method", "prompts/list", -32020),
        (&list, "mcp-method", "TOOLS/LIST", -32020),
        (&list, "mcp-protocol-version", "2025-11-25", -32020),
        (&list, "mcp-protocol-version", "", -32020),
        (&look, "mcp-name", "play", -32020),
        (&look, "mcp-name", "=?base64?cGxheQ==?=", -32020),
        (&look, "mcp-name", "=?base64?!?=", -32020),
    ] {
        let mut request = message(&SHARED, body).build().unwrap();
        request.headers_mut().insert(name, value.parse().unwrap());
        let request = reqwest::RequestBuilder::from_parts(reqwest::Client::new(), request);
        let answer = SHARED.send(request).await;
        assert_eq!(failure(&answer), (400, json!(code)), "{name}: {value}");
        assert_eq!(answer.json()["id"], 7);
    }
    let mut request = message(&SHARED, &look).build().unwrap();
    request.headers_mut().insert("mcp-name", "=?base64?bG9vaw==?=".parse().unwrap());
    let request = reqwest::RequestBuilder::from_parts(reqwest::Client::new(), request);
    assert_eq!(SHARED.send(request).await.status.as_u16(), 200);
}

#[actix_web::test]
async fn failures_have_the_codes_of_the_revision() {
    for (method, params, status, code) in [
        ("initialize", json!({}), 404, -32601),
        ("ping", json!({}), 404, -32601),
        ("subscriptions/listen", json!({}), 404, -32601),
        ("tools/call", json!({}), 400, -32602),
        ("tools/call", json!({"name": "fly"}), 400, -32602),
        ("prompts/get", json!({"name": "sing"}), 400, -32602),
        ("resources/read", json!({"uri": "ui://cublino/die"}), 400, -32602),
        ("prompts/get", json!({"name": "play", "arguments": {"game": "wari"}}), 400, -32602),
    ] {
        let answer = send(&SHARED, method, params).await;
        assert_eq!(failure(&answer), (status, json!(code)), "{method}");
    }
    for member in ["io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"] {
        let mut question = body("tools/list", json!({}));
        question["params"]["_meta"].as_object_mut().unwrap().remove(member);
        let mut request = message(&SHARED, &question);
        if member.ends_with("Version") {
            request = request.header("mcp-protocol-version", LATEST);
        }
        let answer = SHARED.send(request).await;
        assert_eq!(failure(&answer), (400, json!(-32602)), "{member}");
    }
    let mut question = body("tools/list", json!({}));
    question["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("1900-01-01");
    let answer = SHARED.send(message(&SHARED, &question)).await;
    assert_eq!(failure(&answer), (400, json!(-32022)));
    assert_eq!(answer.json()["error"]["data"]["requested"], "1900-01-01");
}

#[actix_web::test]
async fn pages_call_only_from_this_machine_or_from_allowed_origins() {
    let config = Config { cors_origins: vec!["https://example.org".parse().unwrap()], ..Config::default() };
    let service = Service::start(&config);
    for (origin, status) in [
        ("http://localhost:6274", 200),
        ("http://127.0.0.1", 200),
        ("http://[::1]:80", 200),
        ("https://example.org", 200),
        ("https://example.com", 403),
        ("http://localhost@example.com", 403),
        ("http://user:word@localhost", 403),
        ("http://@localhost", 403),
        ("ftp://localhost", 403),
        ("chrome-extension://localhost", 403),
        ("http://localhost.example.com", 403),
        ("null", 403),
        ("localhost", 403),
    ] {
        let request = message(&service, &body("tools/list", json!({}))).header("origin", origin);
        assert_eq!(request.send().await.unwrap().status().as_u16(), status, "{origin}");
    }
}

#[actix_web::test]
async fn keys_and_limits_hold_and_metrics_tell_tools_apart() {
    let api_keys = vec!["a-key-for-the-tools".parse().unwrap()];
    let service = Service::start(&Config { api_keys, rate_limit: 1, rate_burst: 4, ..Config::default() });
    send(&service, "tools/list", json!({})).await.problem("unauthorized");
    let ask = async |name: &str, arguments: Value| {
        let question = body("tools/call", json!({"name": name, "arguments": arguments}));
        let request = message(&service, &question).bearer_auth("a-key-for-the-tools");
        service.send(request).await
    };
    for (name, arguments) in [
        ("look", json!({"state": "wari"})),
        ("play", json!({"state": "wari", "moves": ["13"]})),
        ("suggest", json!({"state": "wari", "level": 1})),
    ] {
        assert_eq!(ask(name, arguments).await.status.as_u16(), 200);
    }
    // A game of many moves counts for many requests: it is answered, and paid off later.
    let moves = vec!["1"; 1_000];
    assert_eq!(ask("play", json!({"state": "wari", "moves": moves})).await.status.as_u16(), 200);
    ask("look", json!({"state": "wari"})).await.problem("too-many-requests");
    let metrics = service.get("/metrics").await;
    for line in [
        r#"code="none",game="wari",operation="mcp_look",status="200""#,
        r#"code="malformed-move",game="wari",operation="mcp_play",status="200""#,
        r#"code="none",game="wari",operation="mcp_suggest",status="200""#,
        r#"code="unauthorized",game="none",operation="mcp",status="401""#,
        r#"code="too-many-requests",game="none",operation="mcp",status="429""#,
    ] {
        assert!(metrics.text().contains(line), "{line}\n{}", metrics.text());
    }
}

#[actix_web::test]
async fn the_tools_can_be_switched_off() {
    let service = Service::start(&Config { mcp: false, ..Config::default() });
    send(&service, "tools/list", json!({})).await.problem("not-found");
    assert!(!service.get("/llms.txt").await.text().contains("/mcp"));
}

#[actix_web::test]
async fn a_long_search_tells_its_progress_to_those_who_want_to_know() {
    for (name, arguments) in [
        ("suggest", json!({"state": "wari", "time_ms": 300})),
        ("analyse", json!({"state": "wari", "moves": ["5", "7", "2", "12"]})),
    ] {
        let params = json!({"name": name, "arguments": arguments, "_meta": {"progressToken": "p"}});
        let answer = send(&SHARED, "tools/call", params).await;
        assert_eq!(answer.header("content-type"), "text/event-stream");
        let events: Vec<Value> = answer
            .text()
            .split_terminator("\n\n")
            .map(|event| serde_json::from_str(event.strip_prefix("event: message\ndata: ").unwrap()).unwrap())
            .collect();
        let (last, progress) = events.split_last().unwrap();
        assert!(last["id"] == 7 && last["result"]["isError"].is_null(), "{last}");
        let told: Vec<_> =
            progress.iter().map(|event| event["params"]["progress"].as_u64().unwrap()).collect();
        assert!(told.len() >= 2 && told.is_sorted_by(|a, b| a < b), "{told:?}");
        assert!(progress.iter().all(|event| event["params"]["progressToken"] == "p"));
    }
}

#[actix_web::test]
async fn progress_is_for_those_who_accept_events() {
    let look = json!({"name": "look", "arguments": {"state": "wari"}, "_meta": {"progressToken": 1}});
    let look = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": look});
    for (accept, media) in [
        ("application/json, text/event-stream", "text/event-stream"),
        ("Text/Event-Stream", "text/event-stream"),
        ("application/json;q=0.4, text/event-stream;q=0.5", "text/event-stream"),
        ("application/json, text/event-stream;q=0.9", "application/json"),
        ("application/json, text/event-stream;q=0", "application/json"),
        ("text/event-stream;q=0", "application/json"),
        ("application/json", "application/json"),
        ("text/event-streams", "application/json"),
        ("application/x; a=\"text/event-stream\"", "application/json"),
    ] {
        let request = SHARED.request(reqwest::Method::POST, "/mcp").json(&look).header("accept", accept);
        assert_eq!(SHARED.send(request).await.header("content-type"), media, "{accept}");
    }
}

/// Waits until so many searches run.
async fn until_running(service: &Service, count: usize) {
    until(service, |stats| stats.running + stats.waiting == count).await;
}

#[actix_web::test]
async fn a_client_that_cancels_a_call_ends_its_search() {
    let service = Service::start(&Config { search_threads: 4, ..Config::default() });
    let call = |id: &Value, token: Value| {
        let arguments = json!({"state": "cublino-pur", "time_ms": 8_000});
        let mut body = body("tools/call", json!({"name": "suggest", "arguments": arguments, "_meta": token}));
        body["id"] = id.clone();
        let request = message(&service, &body);
        tokio::spawn(async move { request.send().await.unwrap().text().await.unwrap() })
    };
    let cancel = async |id: &Value| {
        let params = json!({"requestId": id, "reason": "no longer needed"});
        let notification = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        assert_eq!(service.post("/mcp", &notification).await.status.as_u16(), 202);
    };
    let ids = [json!(1), json!("1"), json!("two")];
    let tokens = [json!({}), json!({"progressToken": 1}), json!({})];
    let calls: Vec<_> = ids.iter().zip(tokens).map(|(id, token)| call(id, token)).collect();
    until_running(&service, 3).await;
    cancel(&json!("another")).await;
    for (left, (id, answer)) in (0..3).rev().zip(ids.iter().zip(calls)) {
        cancel(id).await;
        let answer = answer.await.unwrap();
        assert!(answer.contains("Cancelled") && answer.contains("\"isError\":true"), "{answer}");
        until_running(&service, left).await;
    }
    let cancelled = service.state.queue.stats(Class::Interactive).ended[Ended::Cancelled as usize];
    assert_eq!(cancelled, 3);
    // Of two that are named alike, it is unknown which is meant.
    let alike = [call(&ids[0], json!({})), call(&ids[0], json!({}))];
    until_running(&service, 2).await;
    cancel(&ids[0]).await;
    let stats = service.state.queue.stats(Class::Interactive);
    assert_eq!(stats.running + stats.waiting, 2);
    for answer in &alike {
        answer.abort();
    }
    until_running(&service, 0).await;
    for (params, status) in
        [(json!({}), 400), (json!({"requestId": [1]}), 400), (json!({"requestId": 7}), 202)]
    {
        let wrong = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        assert_eq!(service.post("/mcp", &wrong).await.status.as_u16(), status);
    }
}

#[actix_web::test]
async fn programs_and_models_find_what_there_is() {
    let page = SHARED.get("/llms.txt").await;
    assert_eq!(page.header("content-type"), "text/markdown; charset=utf-8");
    for link in ["mcp", "openapi.json", "docs/"] {
        assert!(page.text().contains(&format!("]({link}): ")), "{link}");
    }
    for game in GameId::ALL {
        assert!(page.text().contains(&format!("](v1/games/{game}): ")), "{game}");
    }
    let catalog = SHARED.get("/.well-known/api-catalog").await;
    assert!(catalog.header("content-type").starts_with("application/linkset+json"));
    assert_eq!(catalog.header("link"), "<api-catalog>; rel=\"api-catalog\"");
    let linked = catalog.json();
    for link in linked["linkset"].as_array().unwrap() {
        for (name, targets) in link.as_object().unwrap().iter().filter(|(name, _)| *name != "anchor") {
            let target = &targets[0];
            let link = resolved("/.well-known/api-catalog", target["href"].as_str().unwrap());
            let answer = SHARED.get(&link).await;
            assert!(answer.header("content-type").starts_with(target["type"].as_str().unwrap()), "{name}");
        }
    }
}
