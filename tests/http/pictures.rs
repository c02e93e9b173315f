//! Pictures as answers; what they show is tested without HTTP.

use crate::service::{Answer, SHARED, START};

async fn picture(query: &str) -> Answer {
    SHARED.get(&format!("/v1/games/{query}")).await
}

#[actix_web::test]
async fn a_move_is_drawn_in_every_accepted_spelling() {
    for query in [
        format!("cublino-pur/board.svg?state={START}&move=e1e2"),
        "mahbusa/board.svg?state=M63-o22O&move=XR-XU".to_owned(),
        "mahbusa/board.svg?state=M63-o22O&move=XU-XR".to_owned(),
        "wari/board.svg?state=W-4-4-4-4-4-4-4-4-4-4-4-4-0-0&move=5".to_owned(),
        "wari/board.svg?state=W-4-4-4-4-4-4-4-4-4-4-4-4-0-0&move=A(5,4)".to_owned(),
    ] {
        let answer = picture(&query).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.text());
        assert!(answer.text().contains("class=\"arrow\""), "{query}");
    }
    let plain = picture(&format!("cublino-pur/board.svg?state={START}")).await;
    assert!(!plain.text().contains("class=\"arrow\""));
}

#[actix_web::test]
async fn a_move_that_cannot_be_played_is_not_drawn() {
    let finished = "Pga1mb1vc1id1se1cf1og1Aa4Na7Rb7Fc7Ad7Fe7Mg7";
    for (query, code) in [
        (format!("cublino-pur/board.svg?state={START}&move=e1e9"), "malformed-move"),
        (format!("cublino-pur/board.svg?state={START}&move="), "malformed-move"),
        (format!("cublino-pur/board.svg?state={START}&move=e1e3"), "illegal-move"),
        (format!("cublino-pur/board.svg?state={finished}&move=a1a2"), "game-over"),
        ("mahbusa/board.svg?state=M-o22O&move=XU".to_owned(), "roll-first"),
        ("mahbusa/board.svg?state=M-o22O&move=63".to_owned(), "roll-first"),
        ("mahbusa/board.svg?state=M-o22".to_owned(), "malformed-state"),
        ("wari/board.svg?state=M-o22O".to_owned(), "wrong-game"),
        ("cublino-pur/board.svg?state=P".to_owned(), "invalid-state"),
        ("chess/board.svg?state=P".to_owned(), "unknown-game"),
        (format!("cublino-pur/board.svg?state={START}&flip=yes"), "invalid-parameter"),
        ("cublino-pur/board.svg".to_owned(), "invalid-parameter"),
    ] {
        picture(&query).await.problem(code);
    }
    let illegal =
        picture(&format!("cublino-pur/board.svg?state={START}&move=e1e3")).await.problem("illegal-move");
    assert!(
        illegal["at"].is_null() && !illegal["problems"][0]["code"].as_str().unwrap().is_empty(),
        "{illegal}"
    );
}

#[actix_web::test]
async fn a_picture_shows_what_the_last_move_did() {
    let (before, after) = ("CWa1Wd4ad6va7", "cWa1");
    let played = SHARED
        .post("/v1/games/cublino-contra/apply", &serde_json::json!({"state": before, "moves": ["d4d5"]}))
        .await
        .json();
    let state = played["state"].as_str().unwrap();
    assert!(state.starts_with(after), "{state}");
    let board = "cublino-contra/board.svg?state=";
    let plain = picture(&format!("{board}{state}")).await;
    let named = picture(&format!("{board}{state}&last=d4d5")).await;
    let told = picture(&format!("{board}{state}&last=d4d5&previous={before}")).await;
    let count = |answer: &Answer, class: &str| answer.text().matches(&format!("class=\"{class}\"")).count();
    assert_eq!([&plain, &named, &told].map(|answer| count(answer, "last")), [0, 2, 2]);
    assert_eq!([&plain, &named, &told].map(|answer| count(answer, "taken")), [0, 0, 1]);

    // Black's letters, and the dice are rolled again after the move.
    let mahbusa = "mahbusa/board.svg?state=M52-n16a5O&last=XR-XU&previous=M63-n16a5O";
    picture(mahbusa).await.problem("invalid-parameter");
    let rolled = "mahbusa/board.svg?state=m52-n16Ap2A2M&last=XR-XU&previous=M63-n16a5O";
    assert_eq!(count(&picture(rolled).await, "last"), 3, "{}", picture(rolled).await.text());
}

#[actix_web::test]
async fn a_picture_is_made_to_measure() {
    let path = format!("cublino-pur/board.svg?state={START}");
    let plain = picture(&path).await;
    for (more, shown) in [
        ("&size=300", "width=\"300\""),
        ("&theme=dark", "class=\"picture dark\""),
        ("&theme=light", "class=\"picture light\""),
        ("&highlight=e4,a1", "class=\"highlight\""),
    ] {
        let answer = picture(&format!("{path}{more}")).await;
        assert!(answer.text().contains(shown) && !plain.text().contains(shown), "{more}");
    }
    assert!(!picture(&format!("{path}&header=off")).await.text().contains("class=\"heading"));
    for (more, parameter) in [
        ("&size=49", "size"),
        ("&theme=blue", "theme"),
        ("&header=no", "header"),
        ("&highlight=e9", "highlight"),
        ("&highlight=", "highlight"),
        (&*format!("&previous={START}"), "previous"),
        ("&last=e1e2&previous=PWa9", "previous"),
    ] {
        let problem = picture(&format!("{path}{more}")).await.problem("invalid-parameter");
        assert_eq!(problem["parameter"], parameter, "{more}");
    }
}
