//! The client: every operation of the document is one of its methods, and reads what the service answers.

use std::{collections::BTreeSet, time::Duration};

use cublino::{
    config::Config,
    games::GameId,
    service::{
        Code, PositionQuestion, PositionsQuestion, StateQuestion,
        analysis::{AnalysisLine, AnalysisQuestion},
        apply::Apply,
        evaluation::{EvaluationQuestion, EvaluationsQuestion},
        legal_moves::{LegalMovesOfManyQuestion, LegalMovesQuestion},
        many::PositionResult,
        picture::PictureQuestion,
        random_positions::{RandomPositionsLine, RandomPositionsQuestion},
        roll::Roll,
        suggestion::{SuggestionEvent, SuggestionQuestion, SuggestionsQuestion},
        validation::TextQuestion,
    },
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

/// The start, and a position that there is not.
fn positions() -> [PositionQuestion; 2] {
    ["b7b6", "a1a7"].map(|text| PositionQuestion {
        state: START.to_owned(),
        moves: vec!["e1e2".to_owned(), text.to_owned()],
        repetition_limit: None,
    })
}

/// The name of an operation in the document.
fn operation(method: &str) -> String {
    let mut parts = method.split('_');
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |name, part| name + &part[..1].to_uppercase() + &part[1..])
}

#[actix_web::test]
async fn every_operation_of_the_document_is_a_method() {
    let client = client();
    let mut called = BTreeSet::new();
    macro_rules! call {
        ($($method:ident($($argument:expr),*);)+) => {
            $({
                let answer = client.$method($($argument),*).await;
                assert!(answer.is_ok(), "{}: {:?}", stringify!($method), answer.err());
                called.insert(operation(stringify!($method)));
            })+
        };
    }
    let start = about(START);
    let evaluation =
        EvaluationQuestion { depth: Some(1.try_into().unwrap()), ..EvaluationQuestion::about(START) };
    let evaluations =
        EvaluationsQuestion { depth: evaluation.depth, ..EvaluationsQuestion::about(positions()) };
    let depth = Some(1.try_into().unwrap());
    let game = AnalysisQuestion {
        nodes: Some(100.try_into().unwrap()),
        moves: vec!["e1e2".to_owned()],
        ..Default::default()
    };
    let asked = PositionsQuestion { positions: positions().map(Into::into).into() };
    let moves = LegalMovesOfManyQuestion { positions: asked.positions.clone(), ..Default::default() };
    call! {
        list_games();
        describe_game(PUR);
        validate_state(PUR, &TextQuestion { state: "?".to_owned() });
        list_legal_moves(PUR, &LegalMovesQuestion { state: START.to_owned(), ..Default::default() });
        get_score(PUR, &start);
        evaluate_position(PUR, &evaluation);
        suggest_move(PUR, &SuggestionQuestion { depth, ..SuggestionQuestion::about(START) });
        stream_suggestion(PUR, &SuggestionQuestion { depth, ..SuggestionQuestion::about(START) });
        draw_state(PUR, &PictureQuestion { state: START.to_owned(), ..Default::default() });
        apply_moves(PUR, &Apply { state: START.to_owned(), ..Apply::default() });
        roll_dice(GameId::Mahbusa, &Roll { state: "M-o22O".to_owned(), seed: None });
        validate_states(PUR, &asked);
        list_legal_moves_of_many(PUR, &moves);
        get_scores(PUR, &asked);
        evaluate_positions(PUR, &evaluations);
        suggest_moves(PUR, &SuggestionsQuestion { depth, ..SuggestionsQuestion::about(positions()) });
        analyse_game(PUR, &game);
        draw_positions(PUR, &RandomPositionsQuestion::default());
        get_limits();
        explain_problem(Code::Busy);
        healthz();
        readyz();
        get_metrics();
        get_open_api();
        get_open_api30();
    }
    let paths = DOCUMENT.value["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|path| path.as_object().unwrap().values());
    let documented = operations.map(|operation| operation["operationId"].as_str().unwrap().to_owned());
    assert_eq!(called, documented.collect());
}

/// Reads an example and writes it again.
fn again<T: Serialize + DeserializeOwned>(value: &Value) -> Value {
    let read: T = serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"));
    // As the service writes it: what is written for speed in another way is not a value first.
    serde_json::from_str(&cublino::service::to_json(&read)).unwrap()
}

#[test]
fn questions_and_answers_are_read_and_written_as_the_document_shows_them() {
    use cublino::service::{
        ProblemPage, analysis::Analysis, apply::Applied, evaluation::Evaluation, games, health::Health,
        legal_moves::LegalMoves, limits::ServiceLimits, many::Results, random_positions::RandomPositions,
        roll::Rolled, score::Score, suggestion::Suggestion, validation::Validation,
    };
    let mut count = 0;
    let mut check = |kind: &str, operation: &Value, media: &str, name: &str, shown: &Value| {
        let id = operation["operationId"].as_str().unwrap();
        let lines = media.ends_with("ndjson");
        let read = match (kind, id) {
            ("question", "analyseGame") => again::<AnalysisQuestion>(shown),
            ("question", "applyMoves") => again::<Apply>(shown),
            ("question", "rollDice") => again::<Roll>(shown),
            ("question", "drawPositions") => again::<RandomPositionsQuestion>(shown),
            ("question", "evaluatePositions") => again::<EvaluationsQuestion>(shown),
            ("question", "suggestMoves") => again::<SuggestionsQuestion>(shown),
            ("question", "validateStates" | "getScores") => again::<PositionsQuestion>(shown),
            ("question", "listLegalMovesOfMany") => again::<LegalMovesOfManyQuestion>(shown),
            ("answer", "listGames") => again::<games::Games>(shown),
            ("answer", "describeGame") => again::<games::GameDetails>(shown),
            ("answer", "validateState") => again::<Validation>(shown),
            ("answer", "listLegalMoves") => again::<LegalMoves>(shown),
            ("answer", "getScore") => again::<Score>(shown),
            ("answer", "evaluatePosition") => again::<Evaluation>(shown),
            ("answer", "suggestMove") => again::<Suggestion>(shown),
            ("answer", "applyMoves") => again::<Applied>(shown),
            ("answer", "rollDice") => again::<Rolled>(shown),
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
            ("answer", "explainProblem") => again::<ProblemPage>(shown),
            ("answer", "healthz" | "readyz") => again::<Health>(shown),
            // The client hands the document on as it is.
            ("answer", "getOpenApi" | "getOpenApi30") => shown.clone(),
            _ => panic!("nobody says what reads the {kind} of {id}"),
        };
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
    assert!(count > 100, "only {count} examples");
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
    let whole = client.suggest_move(PUR, &question).await.unwrap();
    let Some((SuggestionEvent::Done { id, data }, before)) = events.split_last() else {
        panic!("{events:?}")
    };
    assert_eq!((id.as_ref(), &data.best, &data.lines), ("done", &whole.best, &whole.lines));
    assert!(before.iter().all(|event| matches!(event, SuggestionEvent::Progress { .. })), "{before:?}");
}

#[actix_web::test]
async fn what_is_asked_about_many_comes_as_a_whole_or_one_after_the_other() {
    let client = client();
    let cheap = PositionsQuestion { positions: positions().map(Into::into).into() };
    let whole = client.get_scores(PUR, &cheap).await.unwrap().results;
    assert_eq!(all(client.stream_scores(PUR, &cheap).await).await, whole);
    let [PositionResult::Answered(answered), PositionResult::Unanswered(unanswered)] = whole.as_slice()
    else {
        panic!("{whole:?}");
    };
    assert_eq!(answered.answer, client.get_score(PUR, &about(&answered.answer.state)).await.unwrap());
    assert_eq!((unanswered.problem.code, unanswered.problem.at), (Code::IllegalMove, Some(1)));

    let whole = client.validate_states(PUR, &cheap).await.unwrap().results;
    assert_eq!(all(client.stream_validations(PUR, &cheap).await).await, whole);
    let moves = LegalMovesOfManyQuestion { positions: cheap.positions, ..Default::default() };
    let whole = client.list_legal_moves_of_many(PUR, &moves).await.unwrap().results;
    assert_eq!(all(client.stream_legal_moves(PUR, &moves).await).await, whole);
    let searched = EvaluationsQuestion {
        nodes: Some(50.try_into().unwrap()),
        ..EvaluationsQuestion::about(positions())
    };
    let whole = client.evaluate_positions(PUR, &searched).await.unwrap().results;
    assert_eq!(all(client.stream_evaluations(PUR, &searched).await).await, whole);
    let searched = SuggestionsQuestion {
        nodes: Some(50.try_into().unwrap()),
        ..SuggestionsQuestion::about(positions())
    };
    let whole = client.suggest_moves(PUR, &searched).await.unwrap().results;
    assert_eq!(all(client.stream_suggestions(PUR, &searched).await).await, whole);
}

#[actix_web::test]
async fn games_are_judged_and_positions_drawn_as_a_whole_or_one_after_the_other() {
    let client = client();
    let moves = ["e1e2", "b7b6"].map(str::to_owned).into();
    let game =
        AnalysisQuestion { moves, nodes: Some(100.try_into().unwrap()), ..AnalysisQuestion::default() };
    let whole = client.analyse_game(PUR, &game).await.unwrap();
    let lines = all(client.stream_analysis(PUR, &game).await).await;
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
    let whole = client.draw_positions(PUR, &question).await.unwrap();
    let lines = all(client.stream_positions(PUR, &question).await).await;
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
    let error = client().apply_moves(PUR, &played).await.unwrap_err();
    let answer = SHARED
        .send(SHARED.request(Method::POST, "/v1/games/cublino-pur/apply").json(&played))
        .await
        .problem("illegal-move");
    assert_eq!(serde_json::to_value(error.problem().unwrap()).unwrap(), answer);
    assert_eq!(error.code(), Some(Code::IllegalMove));
    let Error::Refused(refused) = error else { panic!("{error:?}") };
    assert!(refused.request_id.is_some() && refused.retry_after.is_none());
    assert_eq!(refused.to_string(), format!("{} (illegal-move)", answer["detail"].as_str().unwrap()));
}

#[actix_web::test]
async fn a_key_opens_a_service_that_wants_one() {
    let key = "a-key-of-thirty-two-letters-or-more";
    let service = Service::start(&Config { api_keys: vec![key.parse().unwrap()], ..Config::default() });
    let closed = service.client().get_limits().await.unwrap_err();
    assert_eq!(closed.code(), Some(Code::Unauthorized));
    Client::builder(&service.base).key(key).build().unwrap().get_limits().await.unwrap();
}

/// Answers each connection with one of some texts, in order, and tells how many there were.
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
    assert_eq!(client.healthz().await.unwrap().status, "ok");
    assert_eq!(served.await.unwrap(), 3);

    let (base, served) = scripted(&[BUSY, BUSY]).await;
    let retries = Retries { most: 1, longest_wait: Duration::from_secs(1) };
    let client = Client::builder(&base).retries(retries).build().unwrap();
    let error = client.healthz().await.unwrap_err();
    assert_eq!((error.code(), error.to_string().as_str()), (Some(Code::Busy), "later (busy)"));
    assert_eq!(served.await.unwrap(), 2);
}

#[actix_web::test]
async fn what_is_no_such_service_is_told_with_the_status() {
    let (base, served) = scripted(&[HTML]).await;
    let error = Client::new(&base).unwrap().healthz().await.unwrap_err();
    assert!(matches!(error, Error::Unreadable { status: 502, .. }), "{error:?}");
    served.await.unwrap();
    // A port of this machine that nobody listens on.
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let error = Client::new(&format!("http://{free}")).unwrap().healthz().await.unwrap_err();
    assert!(error.to_string().contains("refused"), "{error}");
}

#[actix_web::test]
async fn a_service_that_falls_silent_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let client = Client::builder(&base).timeout(Duration::from_millis(50)).build().unwrap();
    let Err(Error::Unreachable(error)) = client.healthz().await else { panic!("nobody has answered") };
    assert!(error.is_timeout(), "{error}");
}

#[test]
fn a_client_is_not_built_for_what_it_cannot_reach() {
    let error = |base: &str| Client::new(base).unwrap_err().to_string();
    assert!(error("localhost:8080").contains("'localhost:8080' is not a URL"));
    assert!(error("ftp://localhost").contains("http://"));
    assert!(error("https://localhost").contains("feature 'tls'"));
    assert!(matches!(Client::builder("http://localhost").key("\n").build(), Err(Error::Key)));
    assert_eq!(Client::new("http://localhost:1/").unwrap().base(), "http://localhost:1");
}
