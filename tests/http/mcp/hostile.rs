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

#[actix_web::test]
async fn an_argument_that_a_tool_does_not_take_or_that_it_lacks_is_named() {
    for (tool, arguments, said) in [
        ("look", json!({"state": "wari", "level": 3}), "the tool 'look' takes no argument 'level'"),
        ("rules", json!({"state": "wari"}), "the tool 'rules' takes no argument 'state'"),
        ("puzzle", json!({}), "the argument 'game' is missing"),
        ("analyse", json!({"state": "wari"}), "the argument 'moves' is missing"),
    ] {
        let result = super::call(&SHARED, tool, arguments).await;
        assert!(result["isError"] == true && super::text(&result).contains(said), "{tool}: {result}");
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
        ("play", json!({"state": "wari", "moves": "5"})),
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
