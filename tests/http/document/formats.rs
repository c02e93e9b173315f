//! Answers that are not one JSON value: lines and events.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{operations, schemas};
use crate::service::{DOCUMENT, closed, validator};

const NDJSON: &str = "application/x-ndjson";

#[test]
fn answers_line_by_line_are_said_to_be_that_and_how_they_are_had() {
    let mut count = 0;
    for (path, _, operation) in operations() {
        let good = &operation["responses"]["200"];
        let Some(lines) = good["content"].get(NDJSON) else { continue };
        let whole = &good["content"]["application/json"]["schema"];
        let description = good["description"].as_str().unwrap();
        assert!(
            description.contains("`Accept: application/x-ndjson`") && description.contains("one line"),
            "{path}"
        );
        // The schema is that of one line, not of the whole list.
        assert!(lines["schema"]["$ref"].is_string() && &lines["schema"] != whole, "{path}");
        count += 1;
    }
    assert!(count > 5, "only {count}");
}

#[test]
fn answers_in_more_than_one_format_say_which_is_had_how() {
    let mut count = 0;
    for (path, _, operation) in operations() {
        let good = &operation["responses"]["200"];
        let formats = good["content"].as_object().unwrap().keys();
        if formats.len() > 1 {
            let description = good["description"].as_str().unwrap();
            assert!(description.contains("`Accept"), "{path}");
            for format in formats.filter(|format| *format != "application/json") {
                assert!(description.contains(format.as_str()), "{path}: {format}");
            }
            count += 1;
        }
    }
    assert!(count > 6, "only {count}");
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
