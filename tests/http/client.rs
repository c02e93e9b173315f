//! The client: it can ask every operation of the document, and reads what the service answers.

use std::{collections::BTreeSet, time::Duration};

use cublino::{
    api::{
        self, Code, JSON, Many, Operation, PositionQuestion, PositionResult, Results, StateQuestion, Visitor,
        analysis::{Analysis, AnalysisLine, AnalysisQuestion},
        apply::{Applied, Apply},
        evaluation::{Evaluation, EvaluationQuestion},
        games::{GameDetails, Games},
        health::Health,
        legal_moves::{LegalMoves, LegalMovesQuestion},
        limits::ServiceLimits,
        paths,
        picture::{PictureQuestion, Svg},
        puzzles::{Puzzles, PuzzlesQuestion},
        random_positions::{RandomPositions, RandomPositionsLine, RandomPositionsQuestion},
        roll::{Roll, Rolled},
        score::Score,
        suggestion::{Suggestion, SuggestionEvent, SuggestionQuestion},
        validation::{TextQuestion, Validation},
        visit,
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

/// Checks the examples of questions and answers in JSON, and counts them.
struct Examples(usize);

impl Examples {
    fn check<T: Serialize + DeserializeOwned>(&mut self, place: &str, content: &Value) {
        for (name, example) in content[JSON]["examples"].as_object().into_iter().flatten() {
            let (shown, mut read) = (&example["value"], again::<T>(&example["value"]));
            if place.ends_with("requestBody") {
                // The client leaves out null members.
                read.as_object_mut().unwrap().retain(|_, value| !value.is_null());
            }
            assert_eq!(&read, shown, "{place}: {name}");
            self.0 += 1;
        }
    }

    fn check_answer<A: Serialize + DeserializeOwned>(&mut self, place: &str, operation: &Value) {
        self.check::<A>(place, &operation["responses"]["200"]["content"]);
    }

    fn check_both<Q: Serialize + DeserializeOwned, A: Serialize + DeserializeOwned>(
        &mut self,
        place: &str,
        operation: &Value,
    ) {
        self.check::<Q>(&format!("{place} requestBody"), &operation["requestBody"]["content"]);
        self.check_answer::<A>(place, operation);
    }
}

impl Visitor for Examples {
    fn visit<O: Operation>(&mut self) {
        let path = &DOCUMENT.value["paths"][format!("{}/{}", paths::GAME, O::NAME)];
        if O::METHOD != api::Method::Get {
            return self.check_both::<O::Question, O>(O::NAME, &path["post"]);
        }
        // Pictures and events are texts.
        if O::MEDIA == JSON {
            self.check_answer::<O>(O::NAME, &path["get"]);
        }
        if O::HAS_MANY {
            self.check_both::<Many<O::Question>, Results<O>>(O::NAME, &path["post"]);
        }
    }
}

#[test]
fn questions_and_answers_are_read_and_written_as_the_document_shows_them() {
    let mut examples = Examples(0);
    visit(&mut examples);
    let get = |path: &str| &DOCUMENT.value["paths"][path]["get"];
    examples.check_answer::<Games>(paths::GAMES, get(paths::GAMES));
    examples.check_answer::<GameDetails>(paths::GAME, get(paths::GAME));
    examples.check_answer::<ServiceLimits>(paths::LIMITS, get(paths::LIMITS));
    examples.check_answer::<Health>(paths::HEALTHZ, get(paths::HEALTHZ));
    examples.check_answer::<Health>(paths::READYZ, get(paths::READYZ));
    let operations = DOCUMENT.value["paths"].as_object().unwrap().values().flat_map(|path| {
        path.as_object().unwrap().values().flat_map(|it| [&it["requestBody"], &it["responses"]["200"]])
    });
    let all = operations.filter_map(|part| part["content"][JSON]["examples"].as_object());
    // The client hands the document on as it is.
    assert_eq!(examples.0 + 1, all.map(serde_json::Map::len).sum::<usize>());
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
