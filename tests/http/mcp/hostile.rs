//! Bodies that no client should send: each gets an error, and the service goes on.

use reqwest::Method;
use serde_json::{Value, json};

use super::{body, failure, headers};
use crate::service::SHARED;

#[actix_web::test]
async fn hostile_bodies_get_an_error_each() {
    let good = body("tools/call", json!({"name": "look", "arguments": {"state": "wari"}}));
    let said = headers(&good);
    let text = good.to_string();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut changed = good.clone();
        change(&mut changed);
        (changed.to_string().into_bytes(), headers(&changed))
    };
    let same = |body: String| (body.into_bytes(), said.clone());
    let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let mut hostile = vec![
        same(json!([good, good]).to_string()),
        same(text.replace("\"id\":7", "\"id\":1e999")),
        same(text.replace("\"wari\"", &deep)),
        same(json!({"jsonrpc": "2.0", "id": 1, "result": {}}).to_string()),
        same(" ".repeat(300_000)),
        (vec![200; 1_000], said.clone()),
        with(&|it| drop(it.as_object_mut().unwrap().remove("id"))),
        with(&|it| it["params"]["_meta"] = json!(1)),
    ];
    hostile.extend((0..text.len()).map(|length| same(text[..length].to_owned())));
    let long = json!("7".repeat(100_000));
    for (member, values) in [
        ("jsonrpc", vec![json!("1.0")]),
        ("id", vec![Value::Null, json!({"id": 1}), json!(0.5), long]),
        ("params", vec![json!([1]), json!(1)]),
        ("method", vec![json!({"tools": "call"})]),
    ] {
        hostile.extend(values.iter().map(|value| with(&|it| it[member] = value.clone())));
    }
    for (body, headers) in hostile {
        let said = String::from_utf8_lossy(&body[..body.len().min(300)]).into_owned();
        let request = SHARED.request(Method::POST, "/mcp").header("content-type", "application/json");
        let request = headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
        let answer = request.body(body).send().await.unwrap();
        let (status, json) = (answer.status().as_u16(), answer.json::<Value>().await.unwrap());
        let is_refused =
            (400..500).contains(&status) && (json["error"]["code"].is_i64() || json["status"] == status);
        assert!(is_refused || json["result"]["isError"] == true, "{said}: {status} {json}");
    }
    assert!(SHARED.get("/readyz").await.status.is_success());
}

/// Texts that are too long, or of another type, for everything that an answer could repeat.
fn oversized() -> Vec<Value> {
    let long = "x".repeat(150_000);
    let params = |value: &Value| {
        [
            ("tools/call", json!({"name": "look", "arguments": {"state": value}})),
            ("tools/call", json!({"name": "look", "arguments": {"state": "wari", "begin": value}})),
            ("tools/call", json!({"name": value})),
            ("tools/call", json!({"name": "look", "_meta": {"progressToken": value}})),
            ("tools/call", json!({"name": "look", "_meta": value})),
            ("prompts/get", json!({"name": value})),
            ("prompts/get", json!({"name": "teach", "arguments": {"game": value}})),
            ("prompts/get", json!({"name": "play", "arguments": {"game": "wari", "level": value}})),
            ("prompts/get", json!({"name": "review", "arguments": {"game": "wari", "moves": value}})),
            ("resources/read", json!({"uri": value})),
            ("initialize", json!({"protocolVersion": value})),
            ("x", json!({"name": value})),
        ]
    };
    let mut all = Vec::new();
    for value in [json!(long), json!(vec![json!({}); 10_000]), json!({long.as_str(): 1}), json!(1e300)] {
        all.extend(params(&value).map(|(method, params)| json!({"method": method, "params": params})));
        let mut unknown = body("tools/list", json!({}));
        unknown["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = value.clone();
        all.push(unknown);
        all.push(json!({"method": value}));
        all.push(json!({"method": "ping", "id": value}));
    }
    all
}

#[actix_web::test]
async fn no_answer_repeats_more_than_a_little_of_what_was_sent() {
    for mut message in oversized() {
        for (name, value) in [("jsonrpc", json!("2.0")), ("id", json!(1))] {
            message.as_object_mut().unwrap().entry(name).or_insert(value);
        }
        let answer = SHARED.send(SHARED.request(Method::POST, "/mcp").json(&message)).await;
        let size = answer.bytes.len();
        assert!(size < 2_500, "{size} bytes: {:.300} {:.300}", message.to_string(), answer.text());
    }
}

#[actix_web::test]
async fn ids_and_tokens_are_whole_numbers_or_short_texts() {
    let look = |id: &Value, token: &Value| {
        let meta = json!({"progressToken": token});
        let params = json!({"name": "look", "arguments": {"state": "wari"}, "_meta": meta});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    let good = [json!(0), json!(-1), json!(i64::MAX), json!(""), json!("\u{e4}".repeat(128))];
    let bad = [json!("x".repeat(129)), json!(0.5), json!(true), json!([]), json!({"a": 1}), json!(u64::MAX)];
    for good in &good {
        let answer = SHARED.post("/mcp", &look(good, good)).await.json();
        assert!(answer["id"] == *good && answer["result"]["isError"].is_null(), "{answer}");
    }
    for bad in &bad {
        for (question, code) in [(look(bad, &json!(1)), -32600), (look(&json!(1), bad), -32602)] {
            let answer = SHARED.post("/mcp", &question).await;
            assert_eq!(failure(&answer), (400, json!(code)), "{question}");
        }
    }
}

#[actix_web::test]
async fn a_text_of_the_caller_is_never_a_template() {
    let get = async |name: &str, arguments: Value| {
        super::send(&SHARED, "prompts/get", json!({"name": name, "arguments": arguments})).await
    };
    let text =
        |answer: &Value| answer["result"]["messages"][0]["content"]["text"].as_str().unwrap().to_owned();
    let moves = "1. e1e2 {game} 2. {moves} e7e6";
    let filled = get("review", json!({"game": "cublino-pur", "moves": moves})).await;
    assert!(text(&filled.json()).starts_with("Review my game of cublino-pur: e1e2 {game} {moves} e7e6. "));
    for (name, arguments) in [
        ("play", json!({"game": "{level}".repeat(9), "level": "3"})),
        ("play", json!({"game": "wari", "level": "{game}"})),
        ("play", json!({"game": "wari", "level": 9})),
        ("play", json!({"game": "wari"})),
        ("teach", json!({"game": "chess"})),
        ("teach", json!({})),
        ("review", json!({"game": "wari"})),
        ("review", json!({"game": "wari", "moves": "5 ".repeat(1_001)})),
        ("review", json!({"game": "wari", "moves": "5".repeat(10_001)})),
    ] {
        let answer = get(name, arguments.clone()).await;
        assert_eq!(failure(&answer), (400, json!(-32602)), "{arguments}");
    }
}

#[actix_web::test]
async fn hostile_arguments_are_refused_in_words() {
    for (tool, arguments) in [
        ("look", json!({})),
        ("look", json!([])),
        ("look", json!({"state": 5})),
        ("look", json!({"state": ""})),
        ("look", json!({"state": "\u{1F600}"})),
        ("look", json!({"state": "W".repeat(100_000)})),
        ("play", json!({"state": "wari", "moves": {"5": 5}})),
        ("play", json!({"state": "wari", "moves": "5,".repeat(1_001)})),
        ("play", json!({"state": "wari", "moves": [vec!["5"; 600], vec!["5"; 600]]})),
        ("play", json!({"state": "wari", "level": "three"})),
        ("look", json!({"state": "wari", "x".repeat(100_000): 1})),
        ("play", json!({"state": "wari", "moves": vec!["1"; 1_001]})),
        ("play", json!({"state": "wari", "moves": ["5".repeat(100_000)]})),
        ("play", json!({"state": "wari", "moves": ["5"], "level": 9})),
        ("play", json!({"state": "mahbusa", "seed": -1})),
        ("suggest", json!({"state": "mahbusa"})),
        ("suggest", json!({"state": "wari", "time_ms": 600_000})),
        ("analyse", json!({"state": "wari", "moves": ["5", "5"]})),
        ("rules", json!({"game": "chess"})),
    ] {
        let result = super::call(&SHARED, tool, arguments.clone()).await;
        let text = super::text(&result);
        assert!(result["isError"] == true && text.starts_with("Refused ("), "{tool}: {result}");
        assert!(text.len() < 1_500, "{tool}: {} bytes", text.len());
    }
}
