//! Words that stand for two things in the interface: wherever one is used, the document says which it is.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::schemas;
use crate::service::SHARED;

/// The name of the schema of a member, which may also be null.
fn type_of(member: &'static Value) -> &'static str {
    let reference = member.get("$ref").unwrap_or(&member["oneOf"][0]["$ref"]);
    reference.as_str().unwrap_or_default().rsplit('/').next().unwrap()
}

/// The schemas that have a member with a name, and its schema there.
fn uses(member: &str) -> BTreeSet<(&'static str, &'static str)> {
    let uses = schemas().iter().filter_map(|(name, schema)| {
        let described = schema["properties"].get(member)?;
        Some((name.as_str(), type_of(described)))
    });
    uses.collect()
}

#[test]
fn a_roll_is_text_where_it_is_listed_and_numbers_where_dice_are_shown() {
    let expected = [
        ("AnalysedRoll", "RollText"),
        ("MahbusaPosition", "RollNumbers"),
        ("PossibleRoll", "RollText"),
        ("RollValue", "RollText"),
        ("Rolled", "RollNumbers"),
        ("SharedEventRoll", "RollNumbers"),
    ];
    assert_eq!(uses("roll"), expected.into());
}

#[actix_web::test]
async fn a_roll_is_also_told_as_it_stands_in_a_list_of_moves() {
    let body = json!({"state": "M-o22O", "seed": 42});
    let rolled = SHARED.post("/v1/games/mahbusa/roll", &body).await.json();
    let numbers: Vec<_> = rolled["roll"].as_array().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(rolled["move"], numbers.concat());
    let body = json!({"state": "M-o22O", "moves": [rolled["move"]]});
    let applied = SHARED.post("/v1/games/mahbusa/apply", &body).await.json();
    assert_eq!(applied["state"], rolled["state"]);
}

#[test]
fn places_are_in_problems_and_in_their_reasons_only() {
    let places: Vec<_> = uses("at").into_iter().map(|(schema, _)| schema).collect();
    assert_eq!(places, ["Problem", "ProblemReason"]);
    assert_eq!(uses("at_in"), [("Problem", "AtIn")].into());
    let reason = schemas()["ProblemReason"]["properties"]["at"]["description"].as_str().unwrap();
    assert!(reason.starts_with("The index of the offending character"), "{reason}");
}
