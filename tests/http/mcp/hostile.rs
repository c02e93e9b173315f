//! Bodies that no client should send: each gets an error, and the service goes on.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::{Value, json};

use super::{body, headers};
use crate::service::SHARED;

/// A body with its headers.
type Message = (Vec<u8>, Vec<(&'static str, String)>);

/// A hostile message of one of some kinds.
fn hostile(kind: usize, random: &mut Pcg64) -> Message {
    let mut good = body("tools/call", json!({"name": "look", "arguments": {"state": "wari"}}));
    let mut said = headers(&good);
    let number = random.random_range(0..1_000_000_u64);
    let replaced = |name: &str, value: Value| {
        let mut body = good.clone();
        body[name] = value;
        (body.to_string().into_bytes(), said.clone())
    };
    match kind {
        0 => {
            let text = good.to_string().into_bytes();
            (text[..random.random_range(0..text.len() - 1)].to_vec(), said)
        }
        1 => (json!([good, good]).to_string().into_bytes(), said),
        2 => replaced("jsonrpc", json!("1.0")),
        3 => replaced("id", Value::Null),
        4 => replaced("id", json!({"id": number})),
        5 => replaced("id", json!(f64::from(random.random_range(0..1_000_000_u32)) + 0.5)),
        6 => replaced("id", json!("7".repeat(1_000 + random.random_range(0..100_000)))),
        7 => (good.to_string().replace("\"id\":7", "\"id\":1e999").into_bytes(), said),
        8 => replaced("params", json!([number])),
        9 => replaced("params", json!(number)),
        10 => {
            let deep = 1 + random.random_range(200..50_000);
            let text = good.to_string().replace("\"wari\"", &("[".repeat(deep) + &"]".repeat(deep)));
            (text.into_bytes(), said)
        }
        11 => {
            said.push(("origin", format!("https://{number}.example.org")));
            (good.to_string().into_bytes(), said)
        }
        12 => {
            said.retain(|(name, _)| *name != "mcp-method");
            said.push(("mcp-method", format!("tools/{number}")));
            (good.to_string().into_bytes(), said)
        }
        13 => {
            said.retain(|(name, _)| *name != "mcp-name");
            (good.to_string().into_bytes(), said)
        }
        14 => {
            said.retain(|(name, _)| *name != "mcp-protocol-version");
            said.push(("mcp-protocol-version", "2025-11-25".to_owned()));
            (good.to_string().into_bytes(), said)
        }
        15 => {
            let version = format!("v{number}");
            good["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(version);
            let said = headers(&good);
            (good.to_string().into_bytes(), said)
        }
        16 => {
            good["method"] = json!(format!("tools/{number}"));
            let said = headers(&good);
            (good.to_string().into_bytes(), said)
        }
        17 => {
            good["params"]["name"] = json!("look".repeat(1 + random.random_range(1..100)));
            let said = headers(&good);
            (good.to_string().into_bytes(), said)
        }
        18 => {
            good.as_object_mut().unwrap().remove("id");
            (good.to_string().into_bytes(), said)
        }
        19 => (json!({"jsonrpc": "2.0", "id": number, "result": {}}).to_string().into_bytes(), said),
        20 => {
            good["params"]["_meta"] = json!(number);
            (good.to_string().into_bytes(), said)
        }
        21 => ((0..number % 1_000).map(|_| random.random_range(128..255)).collect(), said),
        22 => replaced("method", json!({"tools": "call"})),
        _ => (vec![b' '; 300_000], said),
    }
}

/// How many kinds there are.
const KINDS: usize = 24;

#[actix_web::test]
async fn a_thousand_hostile_bodies_get_an_error_each() {
    let mut random = Pcg64::seed_from_u64(1_000);
    let client = reqwest::Client::new();
    for i in 0..1_000 {
        let (body, headers) = hostile(i % KINDS, &mut random);
        let request = client.post(format!("{}/mcp", SHARED.base)).header("content-type", "application/json");
        let request = headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
        let answer = request.body(body).send().await.unwrap();
        let (status, text) = (answer.status().as_u16(), answer.text().await.unwrap());
        let json: Value = serde_json::from_str(&text).unwrap();
        let is_refused =
            (400..500).contains(&status) && (json["error"]["code"].is_i64() || json["status"] == status);
        assert!(is_refused || json["result"]["isError"] == true, "{}: {status} {text}", i % KINDS);
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
        let answer = SHARED.send(SHARED.request(reqwest::Method::POST, "/mcp").json(&message)).await;
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
            assert_eq!(
                (answer.status.as_u16(), &answer.json()["error"]["code"]),
                (400, &json!(code)),
                "{question}"
            );
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
        assert_eq!(
            (answer.status.as_u16(), &answer.json()["error"]["code"]),
            (400, &json!(-32602)),
            "{arguments}"
        );
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
