//! Answers that are not one JSON value: lines and events.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{operations, schemas};
use crate::service::{DOCUMENT, closed, validator};

#[test]
fn answers_in_more_than_one_format_say_which_is_had_how() {
    let (mut several, mut by_line) = (0, 0);
    for (path, _, operation) in operations() {
        let good = &operation["responses"]["200"];
        let formats = good["content"].as_object().unwrap();
        let description = good["description"].as_str().unwrap();
        if formats.len() > 1 {
            assert!(description.contains("`Accept"), "{path}");
            for format in formats.keys().filter(|format| *format != "application/json") {
                assert!(description.contains(format.as_str()), "{path}: {format}");
            }
            several += 1;
        }
        if let Some(lines) = formats.get("application/x-ndjson") {
            assert!(description.contains("one line"), "{path}");
            // The schema is that of one line, not of the whole list.
            let whole = &formats["application/json"]["schema"];
            assert!(lines["schema"]["$ref"].is_string() && &lines["schema"] != whole, "{path}");
            by_line += 1;
        }
    }
    assert!(several > 6 && by_line > 5, "only {several}, {by_line}");
}

/// The events of a stream, each with its fields and its data read as JSON.
fn events(stream: &str) -> Vec<Value> {
    let event = |text: &str| {
        let fields: HashMap<_, _> = text.lines().map(|line| line.split_once(": ").unwrap()).collect();
        let mut event = json!(fields);
        event["data"] = serde_json::from_str(fields["data"]).unwrap();
        event
    };
    stream.split_terminator("\n\n").map(event).collect()
}

#[test]
fn the_events_of_the_stream_are_described_with_their_names_and_their_data() {
    let components = closed(&DOCUMENT.value["components"]);
    let mut streams = 0;
    for (path, _, operation) in operations() {
        let Some(stream) = operation["responses"]["200"]["content"].get("text/event-stream") else {
            continue;
        };
        let schema = &stream["schema"];
        assert_eq!(
            (&schema["type"], &schema["contentMediaType"]),
            (&json!("string"), &json!("text/event-stream"))
        );
        let described = validator(&schema["contentSchema"], &components);
        for (name, example) in stream["examples"].as_object().unwrap() {
            let events = events(example["value"].as_str().unwrap());
            let last = &events.last().unwrap()["event"];
            assert!(events.len() > 1 && last == "done", "{path}: {name}");
            assert!(described.is_valid(&json!(events)), "{path}: {name}");
        }
        streams += 1;
    }
    assert_eq!(streams, 1);
    let names: Vec<_> =
        schemas()["SuggestionEvent"]["discriminator"]["mapping"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["done", "problem", "progress"]);
}

#[test]
fn the_document_says_once_which_operations_also_work_with_query() {
    let about = DOCUMENT.value["info"]["description"].as_str().unwrap();
    let sentence = about.split("\n\n").find(|text| text.contains("`QUERY`")).unwrap();
    for (path, method, _) in operations() {
        let draws = path.ends_with("/roll") || path.ends_with("/random-positions");
        let name = format!("`{}`", path.rsplit('/').next().unwrap());
        assert!(method != "POST" || sentence.contains(&name) == draws, "{path}");
    }
}
