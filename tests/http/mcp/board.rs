//! The board in the conversation. What it does is tested in a browser.

use serde_json::{Value, json};

use super::{call, result};
use crate::service::SHARED;

const URI: &str = "ui://cublino/board";

#[actix_web::test]
async fn the_board_is_one_document_that_needs_nothing_else() {
    let list = result(&SHARED, "resources/list", json!({})).await["resources"].clone();
    let media = "text/html;profile=mcp-app";
    assert_eq!((&list[0]["uri"], &list[0]["mimeType"], &list[1]), (&json!(URI), &json!(media), &Value::Null));
    let read = result(&SHARED, "resources/read", json!({"uri": URI})).await;
    let document = &read["contents"][0];
    assert_eq!((&document["uri"], &document["mimeType"]), (&json!(URI), &json!(media)));
    let text = document["text"].as_str().unwrap();
    println!("{URI}: {} bytes", text.len());
    assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"));
    let rest = text.replace("http://www.w3.org/2000/svg", "");
    for reference in ["http:", "https:", "src=", "<link", "@import", "url("] {
        assert!(!rest.contains(reference), "{reference}");
    }
    // All imports have become parts of the script.
    assert!(!text.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
    for place in ["{style}", "{games}", "{modules}"] {
        assert!(!text.contains(place), "{place}");
    }
}

#[actix_web::test]
async fn the_tools_that_show_positions_name_the_board() {
    for tool in result(&SHARED, "tools/list", json!({})).await["tools"].as_array().unwrap() {
        let is_shown = ["look", "play", "puzzle"].contains(&tool["name"].as_str().unwrap());
        assert_eq!(tool["_meta"]["ui"]["resourceUri"] == URI, is_shown, "{tool}");
    }
}

#[actix_web::test]
async fn programs_can_have_all_moves_in_every_order() {
    let ask = json!({"state": "mahbusa", "moves": ["63"]});
    let state = call(&SHARED, "play", ask).await["structuredContent"]["state"].clone();
    let few = call(&SHARED, "look", json!({"state": state})).await;
    let all = call(&SHARED, "look", json!({"state": state, "all": true})).await;
    let question = json!({"positions": [{"state": state}], "spellings": "all"});
    let listed = SHARED.post("/v1/games/mahbusa/legal-moves", &question).await.json();
    let listed = listed["results"][0]["answer"]["moves"].as_array().unwrap().clone();
    let listed: Vec<_> = listed.iter().map(|it| it["move"].clone()).collect();
    assert_eq!(all["structuredContent"]["moves"], json!(listed));
    assert!(listed.len() > few["structuredContent"]["moves"].as_array().unwrap().len());
    assert_eq!(all["content"], few["content"]);
    let over = call(&SHARED, "look", json!({"state": "mahbusa", "all": true})).await;
    assert_eq!(over["structuredContent"]["moves"], json!([]));
}
