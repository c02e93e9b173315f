//! States and moves as text, the reasons why they are refused, and positions and moves in other words.

use super::*;
use strum::VariantNames;

use crate::game::Record;

/// The codes of all faults, in order, with their places.
type Reasons<'a> = &'a [(&'a str, Option<usize>)];

#[test]
fn a_text_that_is_not_well_formed_is_refused_with_every_reason_and_its_place() {
    let long = "M".repeat(513);
    let cases: &[(&str, Reasons)] = &[
        ("", &[("empty-state", None)]),
        (&long, &[("too-long", Some(512))]),
        ("P-o22O", &[("wrong-letter", Some(0))]),
        ("é", &[("wrong-letter", Some(0))]),
        ("M", &[("no-dash", None)]),
        ("M63o22O", &[("no-dash", None)]),
        ("M6-o22O", &[("not-two-dice", Some(1))]),
        ("M631-o22O", &[("not-two-dice", Some(1))]),
        ("M07-o22O", &[("not-a-die", Some(1)), ("not-a-die", Some(2))]),
        ("Mé6-o22z", &[("not-a-die", Some(1)), ("not-a-point", Some(7))]),
        ("M-o22z", &[("not-a-point", Some(5))]),
        ("M-oP22O", &[("not-a-point", Some(3))]),
        ("M-o-22O", &[("not-a-point", Some(3))]),
        ("M-o022O", &[("leading-zero", Some(3))]),
        ("M-o0O", &[("leading-zero", Some(3))]),
        ("M-o00O", &[("leading-zero", Some(3))]),
        ("M-o913O", &[("number-too-large", Some(3))]),
        ("M-o1111O", &[("number-too-large", Some(3))]),
        ("M-o202O", &[("number-too-large", Some(3))]),
        ("M-D1211", &[("number-too-large", Some(3))]),
        ("M-25", &[("number-too-large", Some(2))]),
        ("M-o18446744073709551638O", &[("number-too-large", Some(3))]),
        ("M-o99p0O", &[("number-too-large", Some(3)), ("nobody-pins", Some(5)), ("leading-zero", Some(6))]),
        ("M-o24O", &[("too-many-points", Some(3))]),
        ("M-po22O", &[("nobody-pins", Some(2))]),
        ("M-opp22O", &[("nobody-pins", Some(4))]),
        ("M-o22pO", &[("nobody-pins", Some(5))]),
        ("M-o21O", &[("too-few-points", None)]),
        ("M-", &[("too-few-points", None)]),
        ("M-o23O", &[("too-many-points", Some(5))]),
        (
            "M7-p24O",
            &[
                ("not-a-die", Some(1)),
                ("not-two-dice", Some(1)),
                ("nobody-pins", Some(3)),
                ("too-many-points", Some(6)),
            ],
        ),
    ];
    for (text, expected) in cases {
        let faults = text.parse::<Setup>().unwrap_err();
        let found: Vec<_> = faults.iter().map(|fault| (fault.code, fault.at)).collect();
        assert_eq!(found, *expected, "{text}: {faults:?}");
    }
}

#[test]
fn a_setup_that_the_rules_do_not_allow_is_refused_with_every_reason_and_its_place() {
    let cases: &[(&str, Reasons)] = &[
        ("M-oa21O", &[("too-many-checkers", None)]),
        ("M-oA21O", &[("too-many-checkers", None)]),
        ("M-op22O", &[("too-many-checkers", None), ("pins-at-start", Some(2))]),
        ("M-o22N", &[("borne-off-too-early", Some(5))]),
        ("M-n22O", &[("borne-off-too-early", Some(2))]),
        ("M-M10ap11n", &[("borne-off-too-early", Some(5))]),
        ("M-n22Op", &[("pins-at-start", Some(5))]),
        ("M-24", &[("both-finished", None)]),
        ("M63-24", &[("both-finished", None), ("roll-after-the-end", Some(1))]),
        ("M63-D23", &[("roll-after-the-end", Some(1))]),
        ("M63-Ap9M1m10ap", &[("roll-after-the-end", Some(1))]),
    ];
    for (text, expected) in cases {
        let faults = Mahbusa::try_from(text.parse::<Setup>().unwrap()).unwrap_err();
        let found: Vec<_> = faults.iter().map(|fault| (fault.code, fault.at)).collect();
        assert_eq!(found, *expected, "{text}: {faults:?}");
    }
}

#[test]
fn accepted_variants_become_canonical() {
    let cases = [("M36-o22O", "M63-o22O"), ("m36-o22O", "m63-o22O"), ("m-o22O", "m-o22O")];
    for (text, canonical) in cases {
        assert_eq!(Mahbusa::read(text).unwrap().to_string(), canonical);
    }
}

#[test]
fn a_run_of_empty_points_cannot_be_split() {
    let faults = "M-o913O".parse::<Setup>().unwrap_err();
    assert_eq!(
        faults[0].to_string(),
        "'913' is not a number of empty points: 1 to 24, and digits that follow one another are one number"
    );
    let long = format!("M-o{}O", "9".repeat(500));
    let fault = long.parse::<Setup>().unwrap_err()[0].to_string();
    assert!(fault.starts_with("'9999999999999999' is not"), "{fault}");
}

#[test]
fn an_illegal_play_is_refused_with_the_reason_in_words() {
    let start = "M63-o22O";
    let cases = [
        (start, "pass", "may-not-pass", "White has a legal move and may not pass"),
        ("M43-EGB18dpdf", "EA", "must-pass", "White cannot play any die and can only pass"),
        (start, "XR-XU-XW", "no-die-left", "all dice are played, so there is none left for XW"),
        (start, "WT-XR", "no-checker", "there is no checker on W"),
        (start, "XR-AB", "not-yours", "on A there are only Black's checkers, and White is to move"),
        (
            "m63-iab4aa2BAp4A5K",
            "LI-XR",
            "pinned",
            "Black's checker on L is pinned until all of White's checkers upon it have left",
        ),
        (
            "M63-iab4aa2BAp4A5K",
            "RU",
            "not-forward",
            "RU does not go forward; checkers go down the letters of their player, from X to A",
        ),
        (
            start,
            "XX",
            "not-forward",
            "XX does not go forward; checkers go down the letters of their player, from X to A",
        ),
        (start, "XS", "no-such-die", "XS is a step of 5, and 3 or 6 is left to play"),
        (start, "XU-XU", "no-such-die", "XU is a step of 3, and 6 is left to play"),
        ("M11-o22O", "XU", "no-such-die", "XU is a step of 3, and 1 is left to play"),
        ("M63-m1b5B14M", "IC", "blocked", "IC is blocked: Black holds C with 2 checkers"),
        (
            "M63-n1ap5B14L",
            "IC",
            "holds-a-pin",
            "IC is blocked: Black's checker there pins one of White's and cannot be pinned itself",
        ),
        (
            start,
            "X0",
            "not-all-home",
            "no checker can be borne off while one of White's is on X, outside the home board A to F",
        ),
        ("M31-5B17o", "F0", "die-too-small", "F0 needs a 6 or more, and 1 or 3 is left to play"),
        (
            "M51-3A1A17o",
            "D0",
            "not-highest",
            "a 5 takes a checker off D only if none stands higher, and one is on F",
        ),
        (
            "M61-3Aap18n",
            "D0",
            "highest-pinned",
            "a 6 is larger than D needs, and the highest checker, on E, is pinned, so it takes none off",
        ),
        (
            start,
            "XU",
            "more-dice-playable",
            "1 of the dice is played, but you must play as many as you can: 2",
        ),
    ];
    for (state, text, code, sentence) in cases {
        let fault = refusal(state, text);
        let message = fault.to_string();
        assert_eq!((<&str>::from(fault), &*message), (code, sentence), "{state} {text}");
    }
}

#[test]
fn plays_are_listed_from_the_highest_point_down_with_the_larger_die_first() {
    assert_eq!(listed("M21-o21AN"), ["XV-XW", "XV-WV", "XV-VU", "WU-UT"]);
}

#[test]
fn the_steps_of_a_play_name_the_dice() {
    let position = Mahbusa::read("m61-DCBE15cdape1").unwrap();
    let steps = serde_json::to_value(position.steps(&play("E0-ED"))).unwrap();
    let expected = serde_json::json!([
        { "kind": "bear_off", "from": "E", "die": 6 },
        { "kind": "move", "from": "E", "to": "D", "die": 1 },
    ]);
    assert_eq!(steps, expected);
}

#[test]
fn the_events_of_a_play_tell_in_whites_letters_what_is_pinned_freed_and_borne_off() {
    let events =
        |state, text| serde_json::to_value(Mahbusa::read(state).unwrap().events(&play(text))).unwrap();
    assert_eq!(
        events("M63-iab4aa2BAp4A5K", "MG-LI"),
        serde_json::json!([
            { "kind": "move", "player": "one", "from": "M", "to": "G", "die": 6 },
            { "kind": "freed", "player": "two", "point": "M" },
            { "kind": "move", "player": "one", "from": "L", "to": "I", "die": 3 },
            { "kind": "pinned", "player": "two", "point": "I" },
        ])
    );
    assert_eq!(
        events("m41-iab3AaAp2Aa4A5K", "LK-KG"),
        serde_json::json!([
            { "kind": "move", "player": "two", "from": "M", "to": "N", "die": 1 },
            { "kind": "move", "player": "two", "from": "N", "to": "R", "die": 4 },
            { "kind": "pinned", "player": "one", "point": "R" },
        ])
    );
    assert_eq!(
        events("M65-2Ap20n", "C0"),
        serde_json::json!([
            { "kind": "borne_off", "player": "one", "from": "C", "die": 5 },
            { "kind": "freed", "player": "two", "point": "C" },
        ])
    );
    assert_eq!(events("M43-EGB18dpdf", "pass"), serde_json::json!([]));
}

#[test]
fn a_position_is_described_in_whites_letters() {
    let description = serde_json::to_value(Mahbusa::read("m61-DCBE15cdape1").unwrap().describe()).unwrap();
    assert_eq!(description["roll"], serde_json::json!([6, 1]));
    assert_eq!(description["borne_off"], serde_json::json!({ "one": 0, "two": 2 }));
    let points = description["points"].as_array().unwrap();
    assert_eq!(points.len(), 24);
    assert_eq!(points[3], serde_json::json!({ "point": "D", "owner": "one", "count": 5, "pinned": false }));
    assert_eq!(points[4], serde_json::json!({ "point": "E", "owner": null, "count": 0, "pinned": false }));
    assert_eq!(points[21], serde_json::json!({ "point": "V", "owner": "two", "count": 1, "pinned": true }));
    assert_eq!(
        serde_json::to_value(Mahbusa::read("M-o22O").unwrap().describe()).unwrap()["roll"],
        serde_json::Value::Null
    );
}

#[test]
fn the_checkers_borne_off_are_counted() {
    assert_eq!(
        Mahbusa::read("m61-DCBE15cdape1").unwrap().counted(false),
        [vec![], vec![described::Counted::Mahbusa(Counted::Checkers { borne_off: 2 })]]
    );
}

#[test]
fn the_worked_example_of_the_rules_holds() {
    let rules = Mahbusa::ABOUT.rules;
    let start = "M63-iab4aa2BAp4A5K";
    let mut record = Record::new(Mahbusa::read(start).unwrap(), None);
    assert!(rules.contains(start));
    let plies =
        [("MG-LI", "m-iab3AaAp2Aa4A5K"), ("41", "m41-iab3AaAp2Aa4A5K"), ("LK-KG", "M-iab3AaAp2A5ap5K")];
    for (text, state) in plies {
        assert_eq!(record.play(text).unwrap().position.to_string(), state);
        assert!(
            rules.contains(&format!("`{text}`:")) && rules.contains(&format!("`{state}`")),
            "{text} {state}"
        );
    }
}

/// The four rows that name points and say what stands on them, without blanks.
#[test]
fn points_run_counter_clockwise_from_the_lower_left_of_white_and_black_sees_them_turned_round() {
    let white = ["XWVUTS|RQPONM", "[14].....|..(3)...", "[1].....|.....(12)", "ABCDEF|GHIJKL"];
    let black = ["MNOPQR|STUVWX", "(12).....|.....[1]", "...(3)..|.....[14]", "LKJIHG|FEDCBA"];
    for (seen_by, expected) in [(Player::One, white), (Player::Two, black)] {
        let text = Mahbusa::read("M-A10l3c7N").unwrap().describe().text(seen_by);
        let rows = text.lines().filter(|line| line.contains('|'));
        let rows: Vec<String> = rows.map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(rows, expected);
    }
}

/// Programs rely on the codes of faults: they are never renamed.
#[test]
fn codes_are_never_renamed() {
    assert_eq!(
        [Malformed::VARIANTS, Invalid::VARIANTS, MalformedMove::VARIANTS, Illegal::VARIANTS]
            .map(|codes| codes.join(" ")),
        [
            "no-dash not-two-dice not-a-die not-a-point leading-zero number-too-large nobody-pins \
             too-few-points too-many-points",
            "too-many-checkers borne-off-too-early pins-at-start both-finished roll-after-the-end",
            "empty-move not-a-step not-a-point not-a-target not-a-roll",
            "may-not-pass must-pass no-die-left no-checker not-yours pinned not-forward no-such-die blocked \
             holds-a-pin not-all-home die-too-small not-highest highest-pinned more-dice-playable",
        ]
    );
}
