//! Playing a list of moves: only part of the plies, and the legal moves of the position that is reached.

use cublino::games::GameId;
use serde_json::{Value, json};

use crate::{
    random_games,
    service::{SHARED, START, encoded},
};

async fn apply(game: GameId, body: Value) -> Value {
    let answer = SHARED.post(&format!("/v1/games/{game}/apply"), &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

async fn legal_moves(game: GameId, state: &str) -> Value {
    SHARED.get(&format!("/v1/games/{game}/legal-moves?state={}", encoded(state.as_bytes()))).await.json()
}

#[actix_web::test]
async fn the_plies_told_are_those_from_an_index_on_and_nothing_else_changes() {
    for &game in GameId::ALL {
        let (start, moves) = (random_games::start(game), random_games::moves(game, 12, 3));
        let whole = apply(game, json!({"state": start, "moves": moves})).await;
        let plies = whole["plies"].as_array().unwrap();
        assert_eq!(plies.len(), moves.len(), "{game}");
        for from in [0, 1, moves.len() - 1, moves.len(), moves.len() + 1, 1_000] {
            let part = apply(game, json!({"state": start, "moves": moves, "plies_from": from})).await;
            let mut expected = whole.clone();
            expected["plies"] = json!(plies[from.min(plies.len())..]);
            assert_eq!(part, expected, "{game} from {from}");
        }
    }
}

#[actix_web::test]
async fn plies_that_are_not_told_are_played_and_checked_all_the_same() {
    let path = "/v1/games/cublino-pur/apply";
    let body = json!({"state": START, "moves": ["e1e2", "a1a2"], "plies_from": 2});
    assert_eq!(SHARED.post(path, &body).await.problem("illegal-move")["at"], 1);
    for wrong in [json!(-1), json!(1_001), json!("1"), json!(0.5)] {
        let body = json!({"state": START, "moves": [], "plies_from": wrong});
        let problem = SHARED.post(path, &body).await.problem("invalid-parameter");
        assert_eq!(problem["parameter"], "plies_from", "{wrong}");
    }
}

#[actix_web::test]
async fn a_resignation_is_told_by_the_last_ply_if_that_is_told() {
    let asked =
        |from: u64| json!({"state": START, "moves": ["e1e2", "b7b6"], "resign": "two", "plies_from": from});
    let told = apply(GameId::CublinoPur, asked(1)).await;
    assert_eq!(told["plies"].as_array().unwrap().len(), 1);
    assert_eq!(told["plies"][0]["events"].as_array().unwrap().last().unwrap()["kind"], "ended");
    let untold = apply(GameId::CublinoPur, asked(2)).await;
    assert_eq!((&untold["plies"], &untold["outcome"]), (&json!([]), &told["outcome"]));
}

#[actix_web::test]
async fn the_legal_moves_are_those_of_the_position_that_is_reached() {
    let mut rolls = 0;
    for &game in GameId::ALL {
        for seed in 0..4 {
            let plies = 5 + 9 * usize::try_from(seed).unwrap();
            let (start, moves) = (random_games::start(game), random_games::moves(game, plies, seed));
            let asked = json!({"state": start, "moves": moves, "legal_moves": true});
            let answer = apply(game, asked).await;
            let alone = legal_moves(game, answer["state"].as_str().unwrap()).await;
            assert_eq!((answer.get("moves"), answer.get("rolls")), (alone.get("moves"), alone.get("rolls")));
            rolls += usize::from(answer.get("rolls").is_some());
        }
    }
    assert!(rolls > 0, "the dice were never to be rolled");
}

#[actix_web::test]
async fn legal_moves_that_nobody_wants_are_not_told() {
    for body in
        [json!({"state": START, "moves": []}), json!({"state": START, "moves": [], "legal_moves": false})]
    {
        let answer = apply(GameId::CublinoPur, body).await;
        assert_eq!((answer.get("moves"), answer.get("rolls")), (None, None));
    }
    let answer = apply(GameId::CublinoPur, json!({"state": START, "moves": [], "legal_moves": true})).await;
    assert_eq!(answer["moves"].as_array().unwrap().len(), 7);
}

#[actix_web::test]
async fn a_game_that_repetition_or_a_player_has_ended_has_no_legal_moves() {
    let state = "PWb1Wc1Wd1We1Wf1Wg1Wa3va5vb7vc7vd7ve7vf7vg7";
    let there_and_back = ["a3b3", "a5b5", "b3a3", "b5a5"];
    let goes_on = json!({"state": state, "moves": there_and_back, "legal_moves": true});
    assert!(!apply(GameId::CublinoPur, goes_on.clone()).await["moves"].as_array().unwrap().is_empty());
    for (name, value) in [("repetition_limit", json!(2)), ("resign", json!("one"))] {
        let mut asked = goes_on.clone();
        asked[name] = value;
        let answer = apply(GameId::CublinoPur, asked).await;
        assert_eq!((&answer["stage"], &answer["moves"]), (&json!("over"), &json!([])), "{name}");
    }
    // In Mahbusa nobody rolls after that, either.
    let asked = json!({"state": "M-o22O", "moves": [], "resign": "two", "legal_moves": true});
    let answer = apply(GameId::Mahbusa, asked).await;
    assert_eq!((answer.get("rolls"), &answer["moves"]), (None, &json!([])));
}
