//! The client: it can ask every operation of the document, and reads what the service answers.

use std::{collections::BTreeSet, time::Duration};

use cublino::{
    api::{
        Code, Many, PositionQuestion, PositionResult, StateQuestion,
        analysis::{Analysis, AnalysisLine, AnalysisQuestion},
        apply::{Applied, Apply},
        evaluation::{Evaluation, EvaluationQuestion},
        health::Health,
        legal_moves::{LegalMoves, LegalMovesQuestion},
        limits::ServiceLimits,
        picture::{PictureQuestion, Svg},
        puzzles::{Puzzles, PuzzlesQuestion},
        random_positions::{RandomPositions, RandomPositionsLine, RandomPositionsQuestion},
        roll::{Roll, Rolled},
        score::Score,
        suggestion::{Suggestion, SuggestionEvent, SuggestionQuestion},
        validation::{TextQuestion, Validation},
    },
    config::Config,
    games::GameId,
};
use cublino_client::{Answers, Client, Error, Retries};
use reqwest::Method;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::service::{DOCUMENT, SHARED, START, Service};

const PUR: GameId = GameId::CublinoPur;

fn client() -> Client {
    SHARED.client()
}

fn about(state: &str) -> StateQuestion {
    StateQuestion { state: state.to_owned() }
}

/// Two lists of moves from the start; the last move of the second is illegal.
fn positions() -> [PositionQuestion; 2] {
    ["b7b6", "a1a7"].map(|text| PositionQuestion {
        state: START.to_owned(),
        moves: vec!["e1e2".to_owned(), text.to_owned()],
        repetition_limit: None,
    })
}

#[actix_web::test]
async fn every_operation_of_the_document_can_be_asked() {
    let client = client();
    let mut called = BTreeSet::new();
    macro_rules! call {
        ($($id:literal: $method:ident$(::<$type:ty>)?($($argument:expr),*);)+) => {
            $({
                let answer = client.$method$(::<$type>)?($($argument),*).await;
                assert!(answer.is_ok(), "{}: {:?}", $id, answer.err());
                called.insert($id.to_owned());
            })+
        };
    }
    let depth = Some(1.try_into().unwrap());
    let evaluation = EvaluationQuestion {
        state: START.to_owned(),
        depth: Some(1.try_into().unwrap()),
        ..Default::default()
    };
    let suggestion = SuggestionQuestion { depth, ..SuggestionQuestion::about(START) };
    let game = AnalysisQuestion {
        nodes: Some(100.try_into().unwrap()),
        moves: vec!["e1e2".to_owned()],
        ..Default::default()
    };
    let text = TextQuestion { state: "?".to_owned() };
    let moves = LegalMovesQuestion { state: START.to_owned(), ..Default::default() };
    call! {
        "listGames": list_games();
        "describeGame": describe_game(PUR);
        "validateState": ask::<Validation>(PUR, &text);
        "listLegalMoves": ask::<LegalMoves>(PUR, &moves);
        "getScore": ask::<Score>(PUR, &about(START));
        "evaluatePosition": ask::<Evaluation>(PUR, &evaluation);
        "suggestMove": ask::<Suggestion>(PUR, &suggestion);
        "streamSuggestion": stream_suggestion(PUR, &suggestion);
        "drawState": ask::<Svg>(PUR, &PictureQuestion { state: START.to_owned(), ..Default::default() });
        "applyMoves": ask::<Applied>(PUR, &Apply { state: START.to_owned(), ..Apply::default() });
        "rollDice": ask::<Rolled>(GameId::Mahbusa, &Roll { state: "M-o22O".to_owned(), seed: None });
        "getPuzzles": ask::<Puzzles>(PUR, &PuzzlesQuestion::default());
        "validateStates": ask_many::<Validation>(PUR, &Many::new(positions(), text.clone()));
        "listLegalMovesOfMany": ask_many::<LegalMoves>(PUR, &Many::new(positions(), moves.clone()));
        "getScores": ask_many::<Score>(PUR, &Many::new(positions(), about("")));
        "evaluatePositions": ask_many::<Evaluation>(PUR, &Many::new(positions(), evaluation.clone()));
        "suggestMoves": ask_many::<Suggestion>(PUR, &Many::new(positions(), suggestion.clone()));
        "analyseGame": ask::<Analysis>(PUR, &game);
        "drawPositions": ask::<RandomPositions>(PUR, &RandomPositionsQuestion::default());
        "getLimits": read_page::<ServiceLimits>("/v1/limits");
        "healthz": read_page::<Health>("/healthz");
        "readyz": readyz();
        "getMetrics": get_metrics();
        "getOpenApi": read_page::<Value>("/openapi.json");
    }
    let paths = DOCUMENT.value["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|path| path.as_object().unwrap().values());
    // The pages about problems are for people.
    let documented = operations
        .map(|operation| operation["operationId"].as_str().unwrap().to_owned())
        .filter(|id| id != "explainProblem");
    assert_eq!(called, documented.collect());
}

/// Reads an example and writes it again.
fn again<T: Serialize + DeserializeOwned>(value: &Value) -> Value {
    let read: T = serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"));
    // By the service's writer: a `Value` in between would skip what is written by hand for speed.
    serde_json::from_str(&cublino::api::to_json(&read)).unwrap()
}

#[test]
fn questions_and_answers_are_read_and_written_as_the_document_shows_them() {
    use cublino::api::{Results, games};
    let mut count = 0;
    let mut check = |kind: &str, operation: &Value, media: &str, name: &str, shown: &Value| {
        let id = operation["operationId"].as_str().unwrap();
        let lines = media.ends_with("ndjson");
        let mut read = match (kind, id) {
            ("question", "analyseGame") => again::<AnalysisQuestion>(shown),
            ("question", "applyMoves") => again::<Apply>(shown),
            ("question", "rollDice") => again::<Roll>(shown),
            ("question", "drawPositions") => again::<RandomPositionsQuestion>(shown),
            ("question", "evaluatePositions") => again::<Many<EvaluationQuestion>>(shown),
            ("question", "suggestMoves") => again::<Many<SuggestionQuestion>>(shown),
            ("question", "validateStates" | "getScores") => again::<Many<StateQuestion>>(shown),
            ("question", "listLegalMovesOfMany") => again::<Many<LegalMovesQuestion>>(shown),
            ("answer", "listGames") => again::<games::Games>(shown),
            ("answer", "describeGame") => again::<games::GameDetails>(shown),
            ("answer", "validateState") => again::<Validation>(shown),
            ("answer", "listLegalMoves") => again::<LegalMoves>(shown),
            ("answer", "getScore") => again::<Score>(shown),
            ("answer", "evaluatePosition") => again::<Evaluation>(shown),
            ("answer", "suggestMove") => again::<Suggestion>(shown),
            ("answer", "applyMoves") => again::<Applied>(shown),
            ("answer", "rollDice") => again::<Rolled>(shown),
            ("answer", "getPuzzles") => again::<Puzzles>(shown),
            ("answer", "validateStates") if lines => again::<PositionResult<Validation>>(shown),
            ("answer", "validateStates") => again::<Results<Validation>>(shown),
            ("answer", "listLegalMovesOfMany") if lines => again::<PositionResult<LegalMoves>>(shown),
            ("answer", "listLegalMovesOfMany") => again::<Results<LegalMoves>>(shown),
            ("answer", "getScores") if lines => again::<PositionResult<Score>>(shown),
            ("answer", "getScores") => again::<Results<Score>>(shown),
            ("answer", "evaluatePositions") if lines => again::<PositionResult<Evaluation>>(shown),
            ("answer", "evaluatePositions") => again::<Results<Evaluation>>(shown),
            ("answer", "suggestMoves") if lines => again::<PositionResult<Suggestion>>(shown),
            ("answer", "suggestMoves") => again::<Results<Suggestion>>(shown),
            ("answer", "analyseGame") if lines => again::<AnalysisLine>(shown),
            ("answer", "analyseGame") => again::<Analysis>(shown),
            ("answer", "drawPositions") if lines => again::<RandomPositionsLine>(shown),
            ("answer", "drawPositions") => again::<RandomPositions>(shown),
            ("answer", "getLimits") => again::<ServiceLimits>(shown),
            ("answer", "healthz" | "readyz") => again::<Health>(shown),
            // The client hands the document on as it is.
            ("answer", "getOpenApi") => shown.clone(),
            _ => panic!("nobody says what reads the {kind} of {id}"),
        };
        if kind == "question" {
            // The client leaves out null members.
            read.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        }
        assert_eq!(&read, shown, "{id}: {kind} {name}");
        count += 1;
    };
    for operation in DOCUMENT.value["paths"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|path| path.as_object().unwrap().values())
    {
        for (kind, content) in [
            ("question", &operation["requestBody"]["content"]),
            ("answer", &operation["responses"]["200"]["content"]),
        ] {
            for (media, described) in content.as_object().into_iter().flatten() {
                // Pictures, pages, metrics and events are texts.
                if !media.ends_with("json") {
                    continue;
                }
                for (name, example) in described["examples"].as_object().into_iter().flatten() {
                    check(kind, operation, media, name, &example["value"]);
                }
            }
        }
    }
    assert!(count > 25, "only {count} examples");
}

/// All answers of a stream.
async fn all<T>(answers: Result<Answers<T>, Error>) -> Vec<T> {
    let (mut answers, mut all) = (answers.unwrap(), Vec::new());
    while let Some(answer) = answers.next().await {
        all.push(answer.unwrap());
    }
    all
}

#[actix_web::test]
async fn a_suggestion_comes_depth_by_depth_and_its_end_is_the_same_as_without() {
    let client = client();
    let question =
        SuggestionQuestion { depth: Some(4.try_into().unwrap()), ..SuggestionQuestion::about(START) };
    let events = all(client.stream_suggestion(PUR, &question).await).await;
    let whole = client.ask::<Suggestion>(PUR, &question).await.unwrap();
    let Some((SuggestionEvent::Done { id, data }, before)) = events.split_last() else {
        panic!("{events:?}")
    };
    assert_eq!((id.as_ref(), &data.best, &data.lines), ("done", &whole.best, &whole.lines));
    assert!(before.iter().all(|event| matches!(event, SuggestionEvent::Progress { .. })), "{before:?}");
}

#[actix_web::test]
async fn what_is_asked_about_many_comes_as_a_whole_or_one_after_the_other() {
    let client = client();
    let cheap = Many::new(positions(), about(""));
    let whole = client.ask_many::<Score>(PUR, &cheap).await.unwrap().results;
    assert_eq!(all(client.stream_many::<Score>(PUR, &cheap).await).await, whole);
    let [PositionResult::Answered(answered), PositionResult::Unanswered(unanswered)] = whole.as_slice()
    else {
        panic!("{whole:?}");
    };
    assert_eq!(answered.answer, client.ask::<Score>(PUR, &about(&answered.answer.state)).await.unwrap());
    assert_eq!((unanswered.problem.code, unanswered.problem.at), (Code::IllegalMove, Some(1)));

    let nodes = Some(50.try_into().unwrap());
    let searched = Many::new(positions(), SuggestionQuestion { nodes, ..Default::default() });
    let whole = client.ask_many::<Suggestion>(PUR, &searched).await.unwrap().results;
    assert_eq!(all(client.stream_many::<Suggestion>(PUR, &searched).await).await, whole);
}

#[actix_web::test]
async fn games_are_judged_and_positions_drawn_as_a_whole_or_one_after_the_other() {
    let client = client();
    let moves = ["e1e2", "b7b6"].map(str::to_owned).into();
    let game =
        AnalysisQuestion { moves, nodes: Some(100.try_into().unwrap()), ..AnalysisQuestion::default() };
    let whole = client.ask::<Analysis>(PUR, &game).await.unwrap();
    let lines = all(client.stream::<Analysis>(PUR, &game).await).await;
    let [AnalysisLine::Ply(first), AnalysisLine::Ply(second), AnalysisLine::End(end)] = lines.as_slice()
    else {
        panic!("{lines:?}");
    };
    assert_eq!((&[first.clone(), second.clone()][..], end.players), (&whole.plies[..], whole.players));

    let question = RandomPositionsQuestion {
        count: Some(3.try_into().unwrap()),
        seed: Some(7.try_into().unwrap()),
        ..RandomPositionsQuestion::default()
    };
    let whole = client.ask::<RandomPositions>(PUR, &question).await.unwrap();
    let lines = all(client.stream::<RandomPositions>(PUR, &question).await).await;
    let Some((RandomPositionsLine::DrawnBy(by), positions)) = lines.split_first() else {
        panic!("{lines:?}")
    };
    let positions = positions.iter().map(|line| match line {
        RandomPositionsLine::Position(position) => position.clone(),
        other => panic!("{other:?}"),
    });
    assert_eq!((by.seed, positions.collect::<Vec<_>>()), (7, whole.positions));
}

#[actix_web::test]
async fn a_refusal_is_an_error_with_the_whole_problem() {
    let played = Apply { state: START.to_owned(), moves: vec!["a1a7".to_owned()], ..Apply::default() };
    let error = client().ask::<Applied>(PUR, &played).await.unwrap_err();
    let answer = SHARED
        .send(SHARED.request(Method::POST, "/v1/games/cublino-pur/apply").json(&played))
        .await
        .problem("illegal-move");
    assert_eq!(serde_json::to_value(error.problem().unwrap()).unwrap(), answer);
    assert_eq!(error.code(), Some(Code::IllegalMove));
    assert_eq!(error.to_string(), format!("{} (illegal-move)", answer["detail"].as_str().unwrap()));
    let Error::Refused { request_id, retry_after, .. } = error else { panic!("{error:?}") };
    assert!(request_id.is_some() && retry_after.is_none());
}

#[actix_web::test]
async fn a_key_opens_a_service_that_wants_one() {
    let key = "a-key-of-thirty-two-letters-or-more";
    let service = Service::start(&Config { api_keys: vec![key.parse().unwrap()], ..Config::default() });
    let closed = service.client().read_page::<ServiceLimits>("/v1/limits").await.unwrap_err();
    assert_eq!(closed.code(), Some(Code::Unauthorized));
    Client::builder(&service.base)
        .key(key)
        .build()
        .unwrap()
        .read_page::<ServiceLimits>("/v1/limits")
        .await
        .unwrap();
}

/// Answers each connection with the next of some texts, and returns how many connections there were.
async fn scripted(answers: &'static [&'static str]) -> (String, tokio::task::JoinHandle<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let served = tokio::task::spawn_local(async move {
        for (i, answer) in answers.iter().enumerate() {
            let Ok((mut stream, _)) = listener.accept().await else { return i };
            let mut head = [0; 4096];
            assert!(stream.read(&mut head).await.unwrap() > 0);
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
        answers.len()
    });
    (base, served)
}

const BUSY: &str = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 0\r\nConnection: close\r\n\r\n\
    {\"type\":\"/problems/busy\",\"title\":\"The service is busy\",\"status\":503,\"detail\":\"later\",\
    \"code\":\"busy\",\"at\":null}";
const OK: &str = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\
    {\"status\":\"ok\",\"version\":\"1\",\"commit\":null,\"sources\":\"\",\"wari_marbles\":12,\
    \"a member of another version\":1}";
const HTML: &str = "HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n<html>";

#[actix_web::test]
async fn a_busy_service_is_asked_again_but_not_for_ever() {
    let (base, served) = scripted(&[BUSY, BUSY, OK]).await;
    let client = Client::new(&base).unwrap();
    assert_eq!(client.readyz().await.unwrap().status, "ok");
    assert_eq!(served.await.unwrap(), 3);

    let (base, served) = scripted(&[BUSY, BUSY]).await;
    let retries = Retries { most: 1, longest_wait: Duration::from_secs(1) };
    let client = Client::builder(&base).retries(retries).build().unwrap();
    let error = client.readyz().await.unwrap_err();
    assert_eq!((error.code(), error.to_string().as_str()), (Some(Code::Busy), "later (busy)"));
    assert_eq!(served.await.unwrap(), 2);
}

#[actix_web::test]
async fn what_is_no_such_service_is_told_with_the_status() {
    let (base, served) = scripted(&[HTML]).await;
    let error = Client::new(&base).unwrap().readyz().await.unwrap_err();
    assert!(matches!(error, Error::Unreadable { status: 502, .. }), "{error:?}");
    served.await.unwrap();
    // A port of this machine that nobody listens on.
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let error = Client::new(&format!("http://{free}")).unwrap().readyz().await.unwrap_err();
    assert!(error.to_string().contains("refused"), "{error}");
}

#[actix_web::test]
async fn a_service_that_falls_silent_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let client = Client::builder(&base).timeout(Duration::from_millis(50)).build().unwrap();
    let Err(Error::Unreachable(error)) = client.readyz().await else { panic!("nobody has answered") };
    assert!(error.is_timeout(), "{error}");
}

#[test]
fn a_client_is_not_built_for_what_it_cannot_reach() {
    let error = |base: &str| Client::new(base).unwrap_err().to_string();
    assert!(error("localhost:8080").contains("'localhost:8080' is not a URL"));
    assert!(error("ftp://localhost").contains("http://"));
    assert!(error("https://localhost").contains("feature 'tls'"));
    assert!(matches!(Client::builder("http://localhost").key("\n").build(), Err(Error::Key)));
}
