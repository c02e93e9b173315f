//! The table of the 24 orientations.

use std::collections::HashSet;

use cublino::games::GameId;
use serde_json::{Value, json};

use crate::service::SHARED;

async fn orientations(game: &str) -> Value {
    SHARED.get(&format!("/v1/games/{game}")).await.json()["orientations"].clone()
}

/// The faces of an orientation: top, bottom, north, south, east, west.
fn faces(table: &Value, orientation: &Value) -> [u64; 6] {
    let row = table.as_array().unwrap().iter().find(|row| row["orientation"] == *orientation);
    let faces = &row.unwrap_or_else(|| panic!("no row for {orientation}"))["faces"];
    ["top", "bottom", "north", "south", "east", "west"].map(|side| faces[side].as_u64().unwrap())
}

#[actix_web::test]
async fn games_with_dice_that_tip_have_the_table_and_others_have_none() {
    let table = orientations("cublino-pur").await;
    for game in GameId::ALL {
        let game = game.to_string();
        let expected = if game.starts_with("cublino") { table.clone() } else { Value::Null };
        assert_eq!(orientations(&game).await, expected, "{game}");
    }
}

#[actix_web::test]
async fn the_orientations_are_in_order_by_the_top_and_then_by_the_face_towards_rank_7() {
    let table = orientations("cublino-pur").await;
    let rows = table.as_array().unwrap();
    let letters: String = rows.iter().map(|row| row["orientation"].as_str().unwrap()).collect();
    assert_eq!(letters, "abcdefghijklmnopqrstuvwx");
    let shown: Vec<_> = rows.iter().map(|row| faces(&table, &row["orientation"])).collect();
    assert!(shown.is_sorted_by_key(|[top, _, north, ..]| (*top, *north)), "{shown:?}");
    assert_eq!(shown.iter().collect::<HashSet<_>>().len(), 24);
    for [top, bottom, north, south, east, west] in shown {
        assert_eq!([top + bottom, north + south, east + west], [7; 3]);
    }
    // The dice of White at the start.
    assert_eq!(faces(&table, &json!("w")), [6, 1, 4, 3, 2, 5]);
}

#[actix_web::test]
async fn a_tip_turns_the_faces_over_the_edge_and_a_diagonal_one_half_round() {
    let table = orientations("cublino-ecke").await;
    for row in table.as_array().unwrap() {
        let [top, bottom, north, south, east, west] = faces(&table, &row["orientation"]);
        for (direction, expected) in [
            ("north", [south, north, top, bottom, east, west]),
            ("south", [north, south, bottom, top, east, west]),
            ("east", [west, east, north, south, top, bottom]),
            ("west", [east, west, north, south, bottom, top]),
            ("north_east", [bottom, top, west, east, south, north]),
            ("south_west", [bottom, top, west, east, south, north]),
            ("north_west", [bottom, top, east, west, north, south]),
            ("south_east", [bottom, top, east, west, north, south]),
        ] {
            let tipped = &row["tipped"][direction];
            assert_eq!(faces(&table, tipped), expected, "{} {direction}", row["orientation"]);
        }
    }
}

#[actix_web::test]
async fn dice_on_the_board_tip_as_the_table_says() {
    let table = orientations("cublino-ecke").await;
    for row in table.as_array().unwrap() {
        let die = row["orientation"].as_str().unwrap();
        // Nobody is near enough to fight.
        let state = format!("E{}b3Wg1aa7ag7", die.to_uppercase());
        for (to, direction) in
            [("a3", "west"), ("c3", "east"), ("b4", "north"), ("a4", "north_west"), ("c4", "north_east")]
        {
            let body = json!({"state": state, "moves": [format!("b3{to}")]});
            let applied = SHARED.post("/v1/games/cublino-ecke/apply", &body).await.json();
            let event = &applied["plies"][0]["events"][0];
            assert_eq!(
                (&event["to"], &event["orientation"]),
                (&json!(to), &row["tipped"][direction]),
                "{state}"
            );
        }
    }
}
