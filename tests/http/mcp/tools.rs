//! The answers of the tools.

use cublino::games::GameId;
use serde_json::{Value, json};

use super::{call, result, send, text};
use crate::service::{SHARED, START};

#[actix_web::test]
async fn the_tools_are_few_and_their_descriptions_short() {
    let answer = send(&SHARED, "tools/list", json!({})).await;
    println!("tools/list: {} bytes", answer.bytes.len());
    assert!(answer.bytes.len() <= 10_000, "{}", answer.bytes.len());
    let tools = answer.json()["result"]["tools"].as_array().unwrap().clone();
    assert!(tools.len() <= 8);
    for tool in &tools {
        assert!(tool["inputSchema"]["additionalProperties"] == false, "{tool}");
        assert!(tool["annotations"]["readOnlyHint"] == true, "{tool}");
        for (name, argument) in tool["inputSchema"]["properties"].as_object().unwrap() {
            assert!(
                argument["type"].is_string() && argument["description"].is_string(),
                "{name}: {argument}"
            );
        }
    }
}

#[actix_web::test]
async fn tools_and_prompts_name_every_game() {
    let tools = result(&SHARED, "tools/list", json!({})).await["tools"].clone();
    for tool in [&tools[0], &tools[5]] {
        assert_eq!(tool["inputSchema"]["properties"]["game"]["enum"], json!(GameId::ALL));
    }
    for prompt in result(&SHARED, "prompts/list", json!({})).await["prompts"].as_array().unwrap() {
        let games = prompt["arguments"][0]["description"].as_str().unwrap();
        assert!(GameId::ALL.iter().all(|game| games.contains(game.about().id)), "{prompt}");
    }
}

#[actix_web::test]
async fn answers_are_short_and_follow_their_schemas() {
    let tools = result(&SHARED, "tools/list", json!({})).await["tools"].clone();
    let schema = |name: &str, member: &str| {
        let tool = tools.as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap();
        tool[member].clone()
    };
    let mut longest = 0;
    for (name, arguments) in [
        ("rules", json!({"game": "cublino-ecke"})),
        ("look", json!({"state": START})),
        ("look", json!({"state": "M66-o22O"})),
        ("look", json!({"state": "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0", "begin": "5"})),
        ("play", json!({"state": "cublino-pur", "moves": ["e1e2", "b7b6", "d1e1e3"], "level": 2, "seed": 1})),
        ("play", json!({"state": "cublino-contra", "moves": ["e1e2"], "level": 2})),
        ("play", json!({"state": "cublino-ecke", "moves": ["b1b2"], "level": 2})),
        ("play", json!({"state": "mahbusa", "level": 1, "seed": 4})),
        ("play", json!({"state": "wari", "moves": ["5", "7", "2", "12"]})),
        ("suggest", json!({"state": "wari", "lines": 3, "time_ms": 50})),
        ("suggest", json!({"state": "cublino-pur", "moves": ["e1e2"], "level": 2})),
        ("analyse", json!({"state": "wari", "moves": ["5", "7", "2", "12"]})),
        ("puzzle", json!({"game": "mahbusa", "seed": 20_261_124})),
    ] {
        let valid = |schema: &Value, value: &Value| {
            let errors: Vec<_> = jsonschema::validator_for(schema)
                .unwrap()
                .iter_errors(value)
                .map(|it| it.to_string())
                .collect();
            assert!(errors.is_empty(), "{name} {value}: {errors:?}");
        };
        valid(&schema(name, "inputSchema"), &arguments);
        let answer = call(&SHARED, name, arguments.clone()).await;
        assert!(answer["isError"].is_null(), "{name} {arguments}: {answer}");
        if name != "rules" {
            valid(&schema(name, "outputSchema"), &answer["structuredContent"]);
            let size = answer.to_string().len();
            println!("{name} {arguments}: {size} bytes");
            longest = longest.max(size);
        }
    }
    assert!(longest <= 2_400, "{longest}");
}

#[actix_web::test]
async fn dice_are_rolled_by_seed_and_replies_follow_a_move() {
    let ask = json!({"state": "mahbusa", "moves": ["roll"], "seed": 3});
    let answer = call(&SHARED, "play", ask.clone()).await;
    assert_eq!(answer["structuredContent"], call(&SHARED, "play", ask).await["structuredContent"]);
    let view = &answer["structuredContent"];
    assert_eq!((&view["stage"], &view["turn"], &view["seed"]), (&json!("move"), &json!("White"), &json!(3)));
    let first = view["moves"][0].as_str().unwrap();
    let ask = json!({"state": view["state"], "moves": [first], "level": 1, "seed": 5});
    let answer = call(&SHARED, "play", ask).await;
    let played: Vec<_> = answer["structuredContent"]["played"].as_array().unwrap().clone();
    // The move, Black's roll and reply, and the next roll.
    assert!(played.len() == 4 && played[0] == first, "{played:?}");
    assert!(text(&answer).contains("Black rolls ") && text(&answer).contains("White rolls "), "{answer}");
    assert_eq!(answer["structuredContent"]["turn"], "White");
}

#[actix_web::test]
async fn what_is_clear_is_taken_as_models_write_it() {
    let played = async |name: &str, arguments: Value| {
        let answer = call(&SHARED, name, arguments.clone()).await;
        assert!(answer["isError"].is_null(), "{arguments}: {answer}");
        answer["structuredContent"].clone()
    };
    for moves in [
        json!("e1e2 e7e6"),
        json!("e1e2,e7e6"),
        json!("1. e1e2 e7e6"),
        json!("1.e1e2 1...e7e6"),
        json!(["1. e1e2 e7e6"]),
        json!(["1.", "e1e2", "e7e6"]),
        json!([["e1e2", "e7e6"]]),
    ] {
        let view = played("play", json!({"state": "cublino-contra", "moves": moves})).await;
        assert_eq!(view["played"], json!(["e1e2", "e7e6"]), "{moves}");
    }
    for moves in [json!("5"), json!(5), json!([5]), json!("1. 5"), json!("A(5,4)")] {
        let view = played("play", json!({"state": "wari", "moves": moves})).await;
        assert_eq!(view["state"], "w-4-4-4-4-0-5-5-5-5-4-4-4-0-0", "{moves}");
    }
    let reply = |level: Value, seed: Value| json!({"state": "wari", "level": level, "seed": seed});
    let view = played("play", reply(json!("3"), json!("7"))).await;
    assert_eq!(view, played("play", reply(json!(3), json!(7.0))).await);
    assert_eq!(view["seed"], 7);
    played("look", json!({"state": "mahbusa", "all": "true"})).await;
    played("suggest", json!({"state": "wari", "time_ms": "50", "lines": "2"})).await;
    for (arguments, said) in [
        (json!({"state": "wari", "level": "three"}), "'level' is wrong: expected a whole number from 1 to 8"),
        (json!({"state": "wari", "level": "9"}), "'level' is wrong: expected a whole number from 1 to 8"),
        (json!({"state": "wari", "moves": true}), "'moves' is wrong: invalid type: boolean `true`"),
    ] {
        let answer = call(&SHARED, "play", arguments).await;
        // What is wrong is named, and nothing is said about states, which are right.
        assert!(text(&answer).contains(said) && !text(&answer).contains("A state"), "{answer}");
    }
}

#[actix_web::test]
async fn the_tool_rolls_as_the_operation_does() {
    let state = "M-o22O";
    let rolled = SHARED.post("/v1/games/mahbusa/roll", &json!({"state": state, "seed": 7})).await.json();
    let played = call(&SHARED, "play", json!({"state": state, "moves": "roll", "seed": 7})).await;
    assert_eq!(played["structuredContent"]["state"], rolled["state"]);
}

#[actix_web::test]
async fn a_state_that_no_game_leads_to_is_played_and_noted() {
    let moved = "CWa2Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7";
    let path = |state: &str| format!("/v1/games/cublino-contra/validation?state={state}");
    let notes = SHARED.get(&path(moved)).await.json()["notes"].clone();
    assert_eq!((&notes[0]["code"], &notes[1]), (&json!("unreachable"), &Value::Null), "{notes}");
    let message = notes[0]["message"].as_str().unwrap();
    for tool in ["look", "suggest"] {
        let answer = call(&SHARED, tool, json!({"state": moved})).await;
        assert!(text(&answer).contains(message), "{answer}");
        assert_eq!(answer["structuredContent"]["notes"][0], message);
    }
    for game in GameId::ALL {
        let start = SHARED.get(&format!("/v1/games/{game}")).await.json()["start"].clone();
        let path = format!("/v1/games/{game}/validation?state=");
        for state in [start.as_str().unwrap(), "nonsense"] {
            assert_eq!(SHARED.get(&format!("{path}{state}")).await.json()["notes"], json!([]), "{state}");
        }
    }
}

#[actix_web::test]
async fn a_refusal_says_why_and_what_is_legal() {
    for (arguments, said) in [
        (
            json!({"state": "wari", "moves": ["5", "5"]}),
            &["After the moves before it: B to move", "Legal moves (6): 7 8 9"][..],
        ),
        (json!({"state": "wari", "moves": ["e1e2"]}), &["malformed-move", "Legal moves (6): 1 2 3 4 5 6"]),
        (
            json!({"state": START, "moves": ["e1e3"]}),
            &["illegal-move", "Legal moves (7): e1e2 a1a2 b1b2", "state: PWa1"],
        ),
        (json!({"state": "mahbusa", "moves": ["XU"]}), &["roll-first", "Play \"roll\""]),
        (json!({"state": "W-1-1", "moves": []}), &["malformed-state", "the id of a game for its start"]),
        (json!({"state": "chess"}), &["malformed-state", "the id of a game for its start"]),
        (json!({"state": "Rooks", "moves": []}), &["malformed-state", "does not name a game"]),
        (json!({"state": "wari", "turn": 1}), &["invalid-parameter", "'turn'"]),
        (json!({"moves": ["5"]}), &["the argument 'state' is missing", "the id of a game"]),
    ] {
        let answer = call(&SHARED, "play", arguments).await;
        assert_eq!(answer["isError"], true);
        for words in said {
            assert!(text(&answer).contains(words), "{words}: {}", text(&answer));
        }
    }
}

#[actix_web::test]
async fn of_many_moves_those_are_told_that_begin_as_is_asked() {
    let wanted = json!({"count": 100, "seed": 1, "plies": {"from": 10, "to": 30}, "play": "random"});
    let positions = SHARED.post("/v1/games/cublino-pur/random-positions", &wanted).await.json();
    let mut many = 0;
    for position in positions["positions"].as_array().unwrap() {
        let state = &position["state"];
        let all = SHARED.ask("legal-moves", state.as_str().unwrap()).await.json()["moves"].clone();
        let last = all.as_array().unwrap().last().unwrap()["move"].as_str().unwrap().to_owned();
        let answer = call(&SHARED, "look", json!({"state": state, "begin": last})).await;
        let (count, moves) = (&answer["structuredContent"]["count"], &answer["structuredContent"]["moves"]);
        let moves: Vec<_> = moves.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
        assert!(moves[0] == last && moves.join(" ").len() <= 240, "{answer}");
        assert!(text(&answer).contains(&moves.join(" ")), "{answer}");
        let is_short = count.as_u64() != Some(moves.len() as u64);
        assert_eq!(text(&answer).contains("look with `begin` to see others"), is_short, "{answer}");
        many += usize::from(is_short);
    }
    assert!(many > 0);
}

#[actix_web::test]
async fn an_analysis_names_the_mistakes_and_their_reasons() {
    // Each could have won at once, and lets the other do so.
    let moves = json!(["a6b6", "g2f2"]);
    let answer = call(&SHARED, "analyse", json!({"state": "CWa6vg2", "moves": moves})).await;
    let notes = answer["structuredContent"]["notes"].as_array().unwrap();
    let begins = |i: usize, with: &str| notes[i].as_str().unwrap().starts_with(with);
    assert!(begins(0, "White: 1 move, accuracy ") && begins(1, "Black: 1 move, accuracy "), "{answer}");
    let first =
        "ply 1, White a6b6: blunder, loses 2.00; best a6a7; a6a7 wins at once; the reply g2g1 wins at once";
    assert!(notes[2..].contains(&json!(first)), "{answer}");
    assert!(notes.iter().all(|note| text(&answer).contains(note.as_str().unwrap())), "{answer}");
}

#[actix_web::test]
async fn a_puzzle_is_that_of_its_seed_and_comes_with_its_solution() {
    for game in GameId::ALL {
        let answer = call(&SHARED, "puzzle", json!({"game": game, "seed": 20_261_124})).await;
        let path = format!("/v1/games/{game}/puzzles?seed=20261124");
        let listed = SHARED.get(&path).await.json()["puzzles"][0].clone();
        let (view, solution) = (&answer["structuredContent"], listed["solution"].as_array().unwrap());
        assert_eq!(view["state"], listed["state"]);
        let notes: Vec<_> = view["notes"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
        assert!(notes[0].starts_with(&format!("Puzzle {}, level ", listed["id"].as_str().unwrap())));
        assert!(notes[1].contains(solution[0].as_str().unwrap()), "{notes:?}");
        let played = call(&SHARED, "play", json!({"state": view["state"], "moves": solution})).await;
        assert!(played["isError"].is_null(), "{played}");
    }
    let answer = call(&SHARED, "puzzle", json!({"game": "wari", "level": 2, "seed": 1})).await;
    assert!(text(&answer).contains(", level 2: "), "{answer}");
    assert!(text(&call(&SHARED, "puzzle", json!({})).await).contains("the argument 'game' is missing"));
}

#[actix_web::test]
async fn prompts_name_the_game_and_what_they_are_given() {
    let prompts = result(&SHARED, "prompts/list", json!({})).await["prompts"].clone();
    let names: Vec<_> = prompts.as_array().unwrap().iter().map(|prompt| prompt["name"].clone()).collect();
    assert_eq!(names, ["teach", "review", "play"]);
    let arguments = json!({"game": "mahbusa", "level": "3"});
    let got = result(&SHARED, "prompts/get", json!({"name": "play", "arguments": arguments})).await;
    let text = got["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("Play mahbusa against me at level 3") && !text.contains('{'), "{text}");
}
