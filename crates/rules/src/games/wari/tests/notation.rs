//! What states and moves as text stand for, and all faults of texts that are neither.

use serde_json::{Value, json};

use super::*;
use strum::VariantNames;

/// The codes of all faults, in order, with their places.
type Reasons<'a> = &'a [(&'a str, Option<usize>)];

fn json(value: impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

#[test]
fn a_text_that_is_not_well_formed_is_refused_with_every_reason_and_its_place() {
    let cases: &[(&str, Reasons)] = &[
        ("w-0-0-0-0-0-99-0-0-0-0-0-0-10-0", &[]),
        ("", &[("empty-state", None)]),
        ("X-4", &[("wrong-letter", Some(0))]),
        ("é", &[("wrong-letter", Some(0))]),
        ("W", &[("number-count", Some(1))]),
        ("W-4-4-4-4-4-4-4-4-4-4-4-4-0", &[("number-count", Some(27))]),
        ("W-4-4-4-4-4-4-4-4-4-4-4-4-0-0-0", &[("number-count", Some(30))]),
        ("W4-4-4-4-4-4-4-4-4-4-4-4-0-0", &[("no-dash", Some(1))]),
        ("W-04-4-4-4-4-4-4-4-4-4-4-4-0-0", &[("leading-zero", Some(2))]),
        ("W-4-00-4-4-4-4-4-4-4-4-4-4-0-0", &[("leading-zero", Some(4))]),
        ("W-4-444-4-4-4-4-4-4-4-4-4-4-0-0", &[("too-many-digits", Some(4))]),
        ("W-+4-4-4-4-4-4-4-4-4-4-4-4-0-0", &[("not-a-digit", Some(2))]),
        ("W--4-4-4-4-4-4-4-4-4-4-4-0-0", &[("no-number", Some(2))]),
        ("W-4-4-4-4-4-4-4-4-4-4-4-4-0-", &[("no-number", Some(28))]),
        (
            "w4-é-x1y-007--99-1 ",
            &[
                ("no-dash", Some(1)),
                ("not-a-digit", Some(3)),
                ("not-a-digit", Some(5)),
                ("not-a-digit", Some(7)),
                ("leading-zero", Some(9)),
                ("too-many-digits", Some(9)),
                ("no-number", Some(13)),
                ("not-a-digit", Some(18)),
                ("number-count", Some(19)),
            ],
        ),
    ];
    for (text, expected) in cases {
        let faults = text.parse::<Setup>().err();
        let found: Vec<_> = faults.iter().flatten().map(|fault| (fault.code, fault.at)).collect();
        assert_eq!(found, *expected, "{text}: {faults:?}");
    }
}

#[test]
fn a_setup_that_the_rules_do_not_allow_is_refused_with_every_reason_and_its_place() {
    let cases: &[(&str, Reasons)] = &[
        ("W-4-4-4-4-4-4-4-4-4-4-4-4-0-2", &[("marble-count", None)]),
        ("W-4-4-4-4-4-4-4-4-4-4-4-3-0-0", &[("marble-count", None)]),
        ("W-4-4-4-4-4-4-4-4-4-4-4-3-0-1", &[("one-prisoner", Some(28))]),
        ("w-14-4-4-4-4-4-4-4-4-1-0-0-1-0", &[("one-prisoner", Some(27))]),
        ("W-0-0-0-0-0-0-4-4-4-4-4-4-12-12", &[("side-empty", None)]),
        ("w-0-0-0-0-0-0-4-4-4-4-4-4-12-12", &[]),
        ("w-4-4-4-4-4-4-0-0-0-0-0-0-12-12", &[("side-empty", None)]),
        ("w-0-0-0-0-0-0-0-0-0-0-0-0-24-24", &[("side-empty", None), ("cups-empty", None)]),
        (
            "W-0-0-0-0-0-0-0-0-0-0-0-0-1-1",
            &[
                ("side-empty", None),
                ("cups-empty", None),
                ("one-prisoner", Some(26)),
                ("one-prisoner", Some(28)),
                ("marble-count", None),
            ],
        ),
    ];
    for (text, expected) in cases {
        let faults = Wari::try_from(text.parse::<Setup>().unwrap()).err();
        let found: Vec<_> = faults.iter().flatten().map(|fault| (fault.code, fault.at)).collect();
        assert_eq!(found, *expected, "{text}: {faults:?}");
    }
}

#[test]
fn a_logged_move_must_name_the_player_and_the_number_of_marbles() {
    let start = "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0";
    assert_eq!(resolve(start, "A(5,4)"), Ok(cup(5)));
    assert_eq!(resolve(start, "A(5,3)"), Err(Illegal::WrongCount { cup: cup(5), count: 3, holds: 4 }.into()));
    assert_eq!(resolve(start, "B(5,4)"), Err(Illegal::WrongPlayer { player: Player::Two }.into()));
    assert_eq!(resolve(start, "B(7,4)"), Err(Illegal::WrongPlayer { player: Player::Two }.into()));
    assert_eq!(resolve(start, "A(7,4)"), Err(Illegal::NotYours { cup: cup(7), mover: Player::One }.into()));
}

#[test]
fn a_move_is_recorded_as_it_was_played() {
    for text in ["5", "12", "A(5,4)", "B(12,48)"] {
        assert_eq!(text.parse::<Spelling>().unwrap().to_string(), text);
    }
}

#[test]
fn what_is_not_a_move_is_refused_with_its_place() {
    let fault = |text: &str| text.parse::<Spelling>().map_err(|fault| (fault.code, fault.at)).unwrap_err();
    assert_eq!(fault(""), ("empty-move", None));
    for text in ["0", "13", "05", "5 ", "a(5,4)", "pass", "é"] {
        assert_eq!(fault(text), ("not-a-cup", Some(0)), "{text}");
    }
    for text in ["A", "A5", "A(5)", "A(5,4", "B5,4)"] {
        assert_eq!(fault(text), ("not-a-log-entry", Some(1)), "{text}");
    }
    assert_eq!(fault("A(13,4)"), ("not-a-cup", Some(2)));
    for text in ["B(12,0)", "B(12,49)", "B(12,04)", "B(12,)", "B(12,4,4)", "B(12, 4)"] {
        assert_eq!(fault(text), ("not-a-count", Some(5)), "{text}");
    }
}

#[test]
fn an_illegal_move_is_refused_with_a_code_and_the_reason_in_words() {
    let start = "W-0-4-5-5-5-5-4-4-4-4-4-4-0-0";
    let cases = [
        (start, "1", "empty-cup", "cup 1 is empty"),
        (start, "B(7,4)", "wrong-player", "A is to move, not B"),
        (start, "7", "not-yours", "cup 7 is B's, and A is to move and sows from cups 1 to 6"),
        (start, "A(2,5)", "wrong-count", "there are 4 in cup 2, not 5"),
        (
            "w-0-0-0-0-0-0-3-1-0-0-0-2-20-22",
            "8",
            "does-not-feed",
            "A has no marbles left, and sowing from cup 8 would give A none",
        ),
        (
            "W-3-0-0-0-0-2-1-1-0-0-0-0-21-20",
            "6",
            "captures-all",
            "sowing from cup 6 would capture all of B's marbles, and at least one must be left",
        ),
    ];
    for (state, text, code, sentence) in cases {
        let fault = resolve(state, text).unwrap_err();
        assert_eq!((fault.code, &*fault.message), (code, sentence), "{state} {text}");
    }
}

#[test]
fn a_position_is_described_cup_by_cup() {
    assert_eq!(
        json(Wari::read("w-3-0-0-0-0-0-0-0-0-0-0-1-25-19").unwrap().describe()),
        json!({
            "kind": "wari",
            "cups": [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            "prisoners": {"one": 25, "two": 19},
            "decided_for": "one",
        })
    );
}

#[test]
#[cfg(feature = "openapi")]
fn the_schema_of_a_position_tells_the_range_of_each_cup() {
    use utoipa::PartialSchema as _;

    let schema = json(Description::schema());
    let properties = &schema["properties"];
    let cups = &properties["cups"];
    assert_eq!([&cups["minItems"], &cups["maxItems"]], [12, 12]);
    assert_eq!([&cups["items"]["minimum"], &cups["items"]["maximum"]], [0, 48]);
}

#[test]
fn a_move_is_one_step() {
    let steps = Wari::default().steps(&Spelling::Cup(cup(5)));
    assert_eq!(json!(steps), json!([{"kind": "sow", "from": 5, "count": 4}]));
}

#[test]
fn events_tell_where_each_marble_went_and_what_was_captured() {
    let start = Wari::read("W-0-1-0-5-2-0-1-1-2-9-0-4-11-12").unwrap();
    assert_eq!(
        json(start.events(&Spelling::Cup(cup(4)))),
        json!([
            {"kind": "sown", "from": 4, "count": 5, "cups": [5, 6, 7, 8, 9]},
            {
                "kind": "captured",
                "player": "one",
                "cups": [{"cup": 9, "count": 3}, {"cup": 8, "count": 2}, {"cup": 7, "count": 2}],
                "total": 7,
            },
        ])
    );
    assert_eq!(
        json(start.events(&Spelling::Cup(cup(2)))),
        json!([{"kind": "sown", "from": 2, "count": 1, "cups": [3]}])
    );
}

#[test]
fn prisoners_count_and_in_the_end_the_cups_that_each_player_takes() {
    assert_eq!(json(Wari::default().counted(false)), json!([[], []]));
    assert_eq!(
        json(Wari::read("W-0-1-0-5-2-0-1-1-2-9-0-4-11-12").unwrap().counted(false)),
        json!([[{"kind": "prisoners", "count": 11}], [{"kind": "prisoners", "count": 12}]])
    );
    assert_eq!(
        json(Wari::read("W-0-0-0-0-0-1-2-0-0-0-0-0-23-22").unwrap().counted(true)),
        json!([
            [{"kind": "prisoners", "count": 23}, {"kind": "cup", "cup": 6, "count": 1}],
            [{"kind": "prisoners", "count": 22}, {"kind": "cup", "cup": 7, "count": 2}],
        ])
    );
}

/// Programs rely on the codes of faults: they are never renamed.
#[test]
fn codes_are_never_renamed() {
    assert_eq!(
        [Malformed::VARIANTS, Invalid::VARIANTS, MalformedMove::VARIANTS, Illegal::VARIANTS]
            .map(|codes| codes.join(" ")),
        [
            "no-dash no-number not-a-digit leading-zero too-many-digits number-count",
            "side-empty cups-empty one-prisoner marble-count",
            "empty-move not-a-cup not-a-log-entry not-a-count",
            "wrong-player not-yours empty-cup wrong-count does-not-feed captures-all",
        ]
    );
}
