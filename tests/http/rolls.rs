//! Dice over HTTP.

use serde_json::{Value, json};

use crate::service::{Answer, SHARED};

const ROLL: &str = "/v1/games/mahbusa/roll";
const START: &str = "M-o22O";

async fn roll(state: &str, seed: Option<u64>) -> Answer {
    let body = seed.map_or_else(|| json!({"state": state}), |seed| json!({"state": state, "seed": seed}));
    SHARED.post(ROLL, &body).await
}

/// Checks a roll against the dice in the state after it.
fn dice(rolled: &Value) -> (u64, u64) {
    let [high, low] = [0, 1].map(|i| rolled["roll"][i].as_u64().unwrap());
    assert!((1..=6).contains(&low) && low <= high && high <= 6, "{rolled}");
    assert_eq!(rolled["state"], START.replacen("M-", &format!("M{high}{low}-"), 1));
    (high, low)
}

#[actix_web::test]
async fn without_a_seed_chance_decides_and_the_seed_in_the_answer_gives_the_same_roll_again() {
    for _ in 0..5 {
        let answer = roll(START, None).await;
        assert_eq!(answer.header("cache-control"), "no-store");
        let rolled = answer.json();
        dice(&rolled);
        let again = roll(START, rolled["seed"].as_u64()).await.json();
        assert_eq!(again, rolled);
    }
}

#[actix_web::test]
async fn a_seed_is_kept_and_different_seeds_give_different_rolls_doubles_among_them() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..60 {
        let rolled = roll(START, Some(seed)).await.json();
        assert_eq!(rolled["seed"], seed);
        seen.insert(dice(&rolled));
    }
    assert!(seen.len() > 12, "{seen:?}");
    assert!(seen.iter().any(|(high, low)| high == low), "no doubles");
}

/// The rolls of a game that is played on with the first legal move each time.
async fn rolls_of_a_game(seed: u64) -> Vec<String> {
    let (mut state, mut rolls) = (START.to_owned(), Vec::new());
    for _ in 0..30 {
        let rolled = roll(&state, Some(seed)).await.json();
        rolls.push(rolled["move"].as_str().unwrap().to_owned());
        let path = format!("/v1/games/mahbusa/legal-moves?state={}", rolled["state"].as_str().unwrap());
        let moves = SHARED.get(&path).await.json();
        moves["moves"][0]["state"].as_str().unwrap().clone_into(&mut state);
    }
    rolls
}

#[actix_web::test]
async fn a_seed_that_is_always_the_same_does_not_freeze_the_dice() {
    let rolls = rolls_of_a_game(7).await;
    assert_eq!(rolls, rolls_of_a_game(7).await);
    let different: std::collections::BTreeSet<_> = rolls.iter().collect();
    assert!(different.len() > 10, "{rolls:?}");
}
