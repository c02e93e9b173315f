//! Generates the OpenAPI document from the list of operations, and compares it with the file. The schemas are
//! those of the types that serve the requests, and the operations compute the examples.

mod variants;

use std::{collections::BTreeMap, env, fs, sync::LazyLock};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use utoipa::{
    PartialSchema as _, ToSchema,
    openapi::{
        OpenApi, RefOr,
        extensions::Extensions,
        path::{Operation as Documented, PathItem},
        schema::Schema,
    },
};

use super::super::{
    access, operations,
    pages::{self, DOCUMENT, explanation},
    problem::{self, Problem},
    read::members,
    routes::{Endpoint, endpoints},
    write,
};
use crate::{
    api::{
        self, Answer, Asked, Bounds, Code, EVENTS, Entry, Failure, JSON, Many, Method, NDJSON, Operation,
        Plan, Played, PositionQuestion, ProblemBody, Results, Visitor,
        games::{self, GameDetails, Games},
        health::Health,
        limits::ServiceLimits,
        paths::of_game,
        replay, visit,
    },
    config::Config,
    engine::{Control, Tablebases, TranspositionTable, tablebase::wari::Endgames},
    games::GameId,
    with_game,
};

/// Why the document can be written and read.
const WRITABLE: &str = "a document has only texts, numbers and lists of them";

#[test]
fn the_document_in_the_repository_is_that_of_what_serves_the_requests() {
    let document = document();
    let made = document.to_pretty_json().expect(WRITABLE) + "\n";
    if made != DOCUMENT {
        let file = env::current_exe().unwrap().with_file_name("openapi.json");
        fs::write(&file, made).unwrap();
        panic!("openapi/openapi.json is old; `cp {} openapi` copies the new one", file.display());
    }
    assert_eq!(pages::document(), document.to_json().expect(WRITABLE), "the document is sent without blanks");
}

/// The document.
fn document() -> OpenApi {
    let mut document: OpenApi = read(json!({
        "openapi": "3.1.0",
        "info": info(),
        "servers": [{"url": ".", "description": "The service that this document comes from."}],
        "tags": [
            {"name": "games", "description": "The games and their rules."},
            {"name": "states", "description": "Ask about one state."},
            {"name": "many", "description": "Ask about many positions, or about a whole game."},
            {"name": "play", "description": "Play moves, roll dice, and find good moves."},
            {"name": "operation", "description": "The service itself."},
        ],
        "components": {"securitySchemes": {"key": {
            "type": "http",
            "scheme": "bearer",
            "description": "The API key, if this service requires one.",
        }}},
        "paths": {},
    }));
    let mut schemas = Vec::new();
    add_schema::<ProblemBody<'_>>(&mut schemas);
    let descriptions = descriptions();
    let described = endpoints().iter().filter(|endpoint| endpoint.is_described);
    assert_eq!(descriptions.len(), described.clone().count());
    for (endpoint, mut described) in described.zip(descriptions) {
        schemas.append(&mut described.schemas);
        let operation = operation(endpoint, described);
        let item =
            document.paths.paths.entry(endpoint.path.clone()).or_insert_with(|| PathItem::builder().build());
        let place = if endpoint.method == Method::Get { &mut item.get } else { &mut item.post };
        *place = Some(operation);
    }
    let mut schemas = by_name(schemas);
    let unions = variants::name(&mut schemas);
    schemas.values_mut().for_each(describe_nullables);
    // Unions that were replaced by their variants wherever they stood are left out.
    let text = document.to_json().expect(WRITABLE) + &json!(schemas).to_string();
    for union in unions.iter().filter(|name| !text.contains(&format!("\"{}\"", location(name)))) {
        schemas.remove(union);
    }
    document.components.get_or_insert_default().schemas = read(json!(schemas));
    document
}

/// What the document says about the service.
fn info() -> Value {
    let about: Vec<_> = include_str!("about.md").trim_end().split("\n\n").map(unwrapped).collect();
    json!({
        "title": "Cublino",
        "description": about.join("\n\n"),
        "contact": {"name": "The authors of Cublino"},
        "license": {"name": env!("CARGO_PKG_LICENSE"), "identifier": env!("CARGO_PKG_LICENSE")},
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// Parses a part of the document from JSON.
fn read<T: DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json).expect(WRITABLE)
}

type Schemas = Vec<(String, RefOr<Schema>)>;

/// Adds the schema of a type and all schemas that it refers to.
fn add_schema<T: ToSchema>(schemas: &mut Schemas) {
    schemas.push((T::name().into_owned(), T::schema()));
    T::schemas(schemas);
}

/// The schemas by their names. Two types with one name would get one schema, which is wrong for one of them.
fn by_name(schemas: Schemas) -> Map<String, Value> {
    let mut found = Map::new();
    for (name, schema) in schemas {
        let schema = json!(schema);
        let before = found.entry(&name).or_insert_with(|| schema.clone());
        assert_eq!(*before, schema, "two types have a schema with the name {name}");
    }
    found
}

/// The location of the schema with a name.
fn location(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

fn reference(name: &str) -> Value {
    json!({"$ref": location(name)})
}

/// What the document says about an operation beyond its path and method.
#[derive(Default)]
struct Described {
    id: &'static str,
    tag: &'static str,
    about: &'static str,
    good: &'static str,
    has_etag: bool,
    problems: Vec<Code>,
    parameters: Vec<Value>,
    /// The schema of the body.
    body: Option<Value>,
    /// The media types of the good answer with their schemas.
    content: Vec<(&'static str, Value)>,
    /// A header of the good answer, and what it says.
    header: Option<(&'static str, &'static str)>,
    /// The example in the document.
    example: Example,
    schemas: Schemas,
}

/// A question and its answer, which is that of the first media type.
#[derive(Default)]
struct Example {
    name: String,
    summary: String,
    game: Option<GameId>,
    /// The value of the variable in the path, or the query that follows the path.
    question: Value,
    answer: Value,
}

/// What the document says about the endpoints that it describes, in their order.
fn descriptions() -> Vec<Described> {
    let games = plain::<Games>("games", &[Code::InvalidParameter], &games::answer());
    let mut all = Descriptions(vec![games, game()]);
    visit(&mut all);
    all.0.extend([limits(), problem(), health("healthz"), health("readyz"), metrics(), openapi()]);
    all.0
}

struct Descriptions(Vec<Described>);

impl Visitor for Descriptions {
    fn visit<O: Operation>(&mut self) {
        self.0.push(if O::METHOD == Method::Get { in_query::<O>() } else { in_body::<O>() });
        self.0.extend(O::HAS_MANY.then(about_many::<O>));
    }
}

/// Problems that any operation can have, and those of states, of bodies, and of callers.
const COMMON: [Code; 3] = [Code::UriTooLong, Code::Busy, Code::Internal];
const STATE: [Code; 5] =
    [Code::MalformedState, Code::InvalidState, Code::WrongGame, Code::InvalidParameter, Code::UnknownGame];
const BODY: [Code; 4] =
    [Code::MalformedJson, Code::RequestTimeout, Code::PayloadTooLarge, Code::UnsupportedMediaType];
const CALLER: [Code; 2] = [Code::Unauthorized, Code::TooManyRequests];

/// Further problems of an operation.
fn problems_of(operation: &str) -> &'static [Code] {
    match operation {
        "suggestion" | "suggestion/stream" | "board.svg" | "apply" | "analysis" => {
            &[Code::MalformedMove, Code::IllegalMove, Code::GameOver, Code::RollFirst]
        }
        "roll" => &[Code::IllegalMove, Code::GameOver, Code::NoDice],
        _ => &[],
    }
}

/// Operations whose question has no state that must be valid.
const WITHOUT_STATE: [&str; 3] = ["validation", "puzzles", "random-positions"];

/// Operations about a state that search.
const SEARCHED: [&str; 3] = ["evaluation", "suggestion", "suggestion/stream"];

const TIMING: (&str, &str) = (
    "Server-Timing",
    "How long the search waited for a thread (wait) and took (search), in milliseconds; only if something \
     was searched. A stream reports the second number in its last event.",
);

/// What the document says about an operation on a game, which may have the problems of a body.
fn described<O: Operation>(operation: &str, of_body: &[Code]) -> Described {
    let mut schemas = Vec::new();
    O::Question::schemas(&mut schemas);
    let has_state = !WITHOUT_STATE.contains(&operation);
    let of_path = if has_state { &STATE[..] } else { &[Code::InvalidParameter, Code::UnknownGame] };
    let problems = [of_path, of_body, problems_of(operation)].concat();
    let Said { id, tag, about, good, .. } = Said::about(operation);
    Described { id, tag, about, good, problems, schemas, ..Described::default() }
}

/// What `operations.md` says about an operation.
struct Said {
    id: &'static str,
    tag: &'static str,
    about: String,
    good: String,
    /// The name of the schema of a question about many positions, and what it is.
    question: Option<(&'static str, String)>,
}

impl Said {
    fn about(operation: &str) -> &'static Self {
        static SECTIONS: LazyLock<BTreeMap<&str, Said>> = LazyLock::new(|| {
            let sections = include_str!("operations.md").trim_end().split("\n\n## ").skip(1);
            sections.map(|section| Said::read(section).expect("a section is complete")).collect()
        });
        &SECTIONS[operation]
    }

    /// The heading of a section, and what is under it.
    fn read(section: &'static str) -> Option<(&'static str, Self)> {
        let mut paragraphs: Vec<&str> = section.split("\n\n").collect();
        let (operation, (id, tag)) = (paragraphs.remove(0), paragraphs.remove(0).split_once(", ")?);
        let good = unwrapped(paragraphs.pop()?.strip_prefix("> ")?);
        let question = if operation.ends_with(" of many") {
            let (name, about) = paragraphs.pop()?.split_once("`: ")?;
            Some((name.trim_start_matches('`'), unwrapped(about)))
        } else {
            None
        };
        let about: Vec<_> = paragraphs.into_iter().map(unwrapped).collect();
        Some((operation, Self { id: id.trim_matches('`'), tag, about: about.join("\n\n"), good, question }))
    }
}

/// A paragraph without the breaks between its lines.
fn unwrapped(paragraph: &str) -> String {
    paragraph.replace("\n> ", " ").replace('\n', " ")
}

/// What the document says about a question in the query.
fn in_query<O: Operation>() -> Described {
    let mut described = described::<O>(O::NAME, &[]);
    described.has_etag = O::MEDIA != EVENTS;
    described.header = SEARCHED.contains(&O::NAME).then_some(TIMING);
    let schema = json!(O::Question::schema());
    described.parameters = members::<O::Question>().iter().map(|name| parameter(name, &schema)).collect();
    if O::MEDIA == EVENTS {
        described.parameters.push(json!({
            "name": operations::LAST_EVENT_ID,
            "in": "header",
            "description": "The id of the last event that you received.",
            "required": false,
            "schema": {"type": "string"},
        }));
    }
    described.content = vec![(
        O::MEDIA,
        match O::MEDIA {
            JSON => reference(&O::name()),
            EVENTS => json!({
                "type": "string",
                "description": "Server-sent events; each is described with its data read as JSON.",
                "contentMediaType": EVENTS,
                "contentSchema": {"type": "array", "items": reference(&O::name())},
            }),
            _ => json!({"type": "string"}),
        },
    )];
    if O::MEDIA != "image/svg+xml" {
        add_schema::<O>(&mut described.schemas);
    }
    described.example = example::<O>(|game, _, _, question| {
        let answer = with_game!(game, G => answer::<O, G>(&of_question::<O>(&question), &question)).ok()?;
        Some((in_words(&question), answer))
    });
    described
}

/// The position that a question is about.
fn of_question<O: Operation>(question: &O::Question) -> PositionQuestion {
    PositionQuestion {
        state: O::state(question).unwrap_or_default().to_owned(),
        ..PositionQuestion::default()
    }
}

/// The answer to a question about a position, as the document shows it; without a state, about the start.
fn answer<O: Operation, G: Played>(
    position: &PositionQuestion,
    question: &O::Question,
) -> Result<Value, Failure> {
    let text = position.state.as_str();
    let start = if text.is_empty() { G::default() } else { api::read::<G>(text)? };
    let mut record = position.record(start);
    replay(&mut record, &position.moves)?.try_for_each(|ply| ply.map(drop))?;
    let (bounds, mut table) = (standard(), TranspositionTable::new(standard().table_bytes));
    let plan = O::plan::<G>(question, bounds, record.stage())?;
    let asked = Asked { text, record, question, bounds };
    let written = match plan {
        Plan::AtOnce(answer) => match answer(asked)? {
            Answer::Value(value) => value.write(),
            Answer::List(head, entries) => with_entries(&head, entries),
        },
        Plan::Search(effort, begin) => begin(asked, effort)?.run(&Control::new(), &mut table).answer.write(),
        Plan::Series(_, begin) => {
            let (mut series, mut entries) = (begin(asked)?, Vec::new());
            series.run(&mut table, &mut |entry| entries.push(entry));
            with_entries(&series.whole(), entries)
        }
        Plan::Events(effort, begin) => {
            let (sender, depths) = std::sync::mpsc::channel();
            let on_depth = move |depth| sender.send(depth).expect("the receiver outlives the search");
            let search = begin(asked, effort, Box::new(on_depth))?;
            let last = search.run(&Control::new(), &mut table).answer;
            let events = depths.into_iter().chain([last]).map(|event| write::event(&event));
            String::from_utf8_lossy(&events.collect::<Vec<_>>().concat()).into_owned()
        }
    };
    // Every search takes another time, and an example is to stay what it is.
    Ok(if O::MEDIA == JSON {
        serde_json::from_str(&written).expect(WRITABLE)
    } else {
        json!(timeless(&written))
    })
}

/// An answer with the entries of the list that it ends with.
fn with_entries<E: Serialize>(head: &impl Serialize, entries: impl IntoIterator<Item = E>) -> String {
    let mut list = write::List::new(super::super::read::ListFormat::Json);
    entries.into_iter().for_each(|entry| list.add(&entry));
    String::from_utf8(list.within(head)).expect(WRITABLE)
}

/// A text of events in which each search took a millisecond.
fn timeless(text: &str) -> String {
    let mut parts = text.split("\"time_ms\":");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest =
        parts.map(|part| format!("\"time_ms\":1{}", part.trim_start_matches(|c: char| c.is_ascii_digit())));
    first + &rest.collect::<String>()
}

/// The query parameter for a member of a question.
fn parameter(name: &str, question: &Value) -> Value {
    let mut schema = question["properties"][name].clone();
    let members = schema.as_object_mut().expect("a member has a schema");
    let (mut description, mut example) = (members.remove("description"), members.remove("example"));
    if let Some(choice) = members.remove("oneOf") {
        members.extend(choice[0].as_object().cloned().unwrap_or_default());
    }
    if let Some(parts) = members.remove("allOf") {
        description = Some(parts[1]["description"].clone());
        members.extend(parts[0].as_object().cloned().unwrap_or_default());
    }
    // A parameter is absent instead of null, and lists are separated by commas.
    if members["type"].is_array() {
        members["type"] = members["type"][0].clone();
    }
    if members["type"] == "array" {
        members["type"] = json!("string");
        members.remove("items");
        // Without an example, forms begin with an empty list.
        example = Some(json!(""));
    }
    let is_required = question["required"].as_array().is_some_and(|names| names.contains(&json!(name)));
    let mut parameter = json!({
        "name": name, "in": "query", "description": description, "required": is_required, "schema": schema,
    });
    if let Some(example) = example {
        parameter["example"] = example;
    }
    parameter
}

/// What the document says about a question about many positions.
fn about_many<O: Operation>() -> Described {
    let operation = format!("{} of many", O::NAME);
    let mut described = described::<O>(&operation, &BODY);
    let (question_name, question_about) = Said::about(&operation).question.as_ref().expect("it has a name");
    described.problems.extend(SEARCHED.contains(&O::NAME).then_some(Code::TooMuchWork));
    let mut question = json!(O::Question::schema());
    question["description"] = json!(question_about);
    question["required"] = json!(["positions"]);
    question["properties"].as_object_mut().expect("a question has members").remove("state");
    question["properties"]["positions"] = json!({
        "type": "array",
        "items": reference(&PositionQuestion::name()),
        "description": "The positions.",
        "maxItems": 1000,
    });
    described.schemas.push(((*question_name).to_owned(), read(question)));
    described.body = Some(reference(question_name));
    add_schema::<PositionQuestion>(&mut described.schemas);
    // References to a generic type name its parameter, too; the type itself does not.
    let of_many = |name| format!("{name}_{}", O::name());
    described.schemas.push((of_many("Results"), Results::<O>::schema()));
    Results::<O>::schemas(&mut described.schemas);
    described.content =
        vec![(JSON, reference(&of_many("Results"))), (NDJSON, reference(&of_many("PositionResult")))];
    described.example = example::<O>(|game, state, moves, question| {
        let position = |moves: &[&str]| PositionQuestion {
            state: state.to_owned(),
            moves: moves.iter().map(|&text| text.to_owned()).collect(),
            repetition_limit: None,
        };
        let asked = Many::new([position(&[]), position(moves)], question);
        let answered = |entry: &Entry| {
            let answered = entry
                .get()
                .and_then(|position| with_game!(game, G => answer::<O, G>(&position, &asked.question)));
            match answered {
                Ok(answer) => json!({"answer": answer}),
                Err(failure) => json!({"problem": Problem::from(failure).body()}),
            }
        };
        let results: Vec<_> = asked.positions.iter().map(answered).collect();
        Some((json!(asked), json!({"results": results})))
    });
    described
}

/// What the document says about a question in a body that is a type of its own.
fn in_body<O: Operation>() -> Described {
    let mut described = described::<O>(O::NAME, &BODY);
    described.body = Some(reference(&O::Question::name()));
    described.schemas.push((O::Question::name().into_owned(), O::Question::schema()));
    add_schema::<O>(&mut described.schemas);
    described.content = vec![(JSON, reference(&O::name()))];
    if O::HAS_LINES {
        described.problems.push(Code::TooMuchWork);
        add_schema::<O::Item>(&mut described.schemas);
        described.content.push((NDJSON, reference(&O::Item::name())));
    }
    described.example = example::<O>(|game, _, _, question| {
        let answer = with_game!(game, G => answer::<O, G>(&of_question::<O>(&question), &question)).ok()?;
        Some((asked(&question), answer))
    });
    described
}

/// The bounds of a service with the default settings.
fn standard() -> &'static Bounds {
    static BOUNDS: LazyLock<Bounds> = LazyLock::new(|| Config::default().bounds(Tablebases::built_in()));
    &BOUNDS
}

/// The example of an operation: `ask` gets a state, moves from there and the question, and returns the
/// question as the document shows it, and its answer.
fn example<O: Operation>(
    ask: impl Fn(GameId, &str, &[&str], O::Question) -> Option<(Value, Value)>,
) -> Example {
    let (game, summary) = match O::NAME {
        "roll" => (GameId::Mahbusa, "The start: White is to roll."),
        _ => (GameId::CublinoPur, "The start: each die can only tip forwards."),
    };
    let (state, moves) = (with_game!(game, G => G::default().to_string()), ["e1e2", "b7b6", "d1e1e3"]);
    let question = match O::NAME {
        "validation" | "legal-moves" | "score" | "board.svg" => json!({"state": state}),
        "evaluation" | "suggestion" | "suggestion/stream" => json!({"state": state, "nodes": 300}),
        "apply" => json!({"state": state, "moves": moves}),
        "analysis" => json!({"state": state, "moves": moves, "nodes": 200}),
        "roll" => json!({"state": state, "seed": 42}),
        "puzzles" => json!({"seed": 7, "difficulty": 3, "count": 2}),
        "random-positions" => json!({"count": 3, "seed": 7, "plies": {"from": 2, "to": 6}, "play": "good"}),
        name => panic!("{name} has no example here"),
    };
    let (question, answer) = ask(game, &state, &moves, read(question)).expect("the question has an answer");
    let (name, summary) = (format!("01-{game}-start"), format!("{}: {summary}", game.about().name));
    Example { name, summary, game: Some(game), question, answer }
}

/// A question for a body, without null members.
fn asked(question: &impl Serialize) -> Value {
    let mut question = json!(question);
    question.as_object_mut().expect("a question has members").retain(|_, value| !value.is_null());
    question
}

/// A question as a query, with the state first.
fn in_words(question: &impl Serialize) -> Value {
    let mut question = json!(question);
    let members = question.as_object_mut().expect("a question has members");
    let state = members.remove("state");
    let defaults = [&Value::Null, &json!(false), &json!("on"), &json!("auto")].map(Clone::clone);
    let others = members.iter().filter(|(_, value)| !defaults.contains(value));
    let state = state.as_ref().and_then(Value::as_str).map(|state| format!("state={state}"));
    let parameters = others.map(|(name, value)| format!("{name}={value}"));
    json!(format!("?{}", state.into_iter().chain(parameters).collect::<Vec<_>>().join("&")))
}

/// What the document says about an operation.
fn operation(Endpoint { path, method, .. }: &Endpoint, described: Described) -> Documented {
    let Described { id, tag, about, good, has_etag, mut problems, parameters, .. } = described;
    let Example { name, summary, game, question, answer } = described.example;
    let (title, description) = about.split_once("\n\n").expect("a summary, and a description");
    let is_guarded = access::is_guarded(path);
    if is_guarded {
        problems.extend(CALLER);
    }
    let in_query = *method == Method::Get;
    let endpoint = game.map_or_else(|| path.clone(), |game| of_game(path, game));
    let endpoint = match (in_query, &question) {
        (false, _) => format!("`POST {endpoint}` with the body of the same name"),
        (true, Value::String(value)) if value.starts_with('?') => format!("`GET {endpoint}{value}`"),
        (true, value) => format!("`GET {}`", endpoint.replace("{code}", value.as_str().unwrap_or_default())),
    };
    let mut content = Map::new();
    let mut shown = Some(json!({name.clone(): {
        "summary": if summary.is_empty() { title } else { &summary },
        "description": format!("The answer to {endpoint}."),
        "value": answer,
    }}));
    let mut good = good.to_owned();
    for (media, schema) in described.content {
        content.insert(media.to_owned(), json!({"schema": schema}));
        if let Some(examples) = shown.take() {
            content[media]["examples"] = examples;
        }
        if media == NDJSON {
            good += " With `Accept: application/x-ndjson`, each value is one line, sent in order as soon as \
                     it is known.";
        }
    }
    let mut responses = problem_responses(&problems);
    let mut headers = BTreeMap::from_iter(described.header.map(|(name, text)| (name, text_header(text))));
    if has_etag {
        headers.insert("ETag", text_header("The entity tag of this answer, for If-None-Match."));
        headers.insert("Cache-Control", text_header("How long you may cache the answer."));
        let known: BTreeMap<_, _> = headers.iter().filter(|(name, _)| **name != TIMING.0).collect();
        let description = "You have this answer already: `If-None-Match` contains its tag.";
        responses.insert("304".to_owned(), json!({"description": description, "headers": known}));
    }
    responses.insert(
        "200".to_owned(),
        json!({"description": good, "headers": headers, "content": content, "links": links(id)}),
    );
    if content.contains_key(EVENTS) {
        let description = "The stream has ended: the header Last-Event-ID is `done`.";
        responses.insert("204".to_owned(), json!({"description": description}));
    }
    let mut all = Vec::from_iter(game.map(|game| {
        json!({
            "name": "game", "in": "path", "description": "The game.", "required": true,
            "schema": reference(&GameId::name()), "example": game,
        })
    }));
    all.extend(parameters);
    let mut operation = json!({
        "tags": [tag],
        "summary": title,
        "description": description,
        "operationId": id,
        "parameters": all,
        "responses": responses,
        "security": if is_guarded { json!([{}, {"key": []}]) } else { json!([]) },
    });
    if all.is_empty() {
        operation["parameters"] = Value::Null;
    }
    if let Some(schema) = described.body {
        let examples = json!({name.clone(): {"summary": summary, "value": question}});
        operation["requestBody"] = json!({
            "description": "The question, in JSON.",
            "content": {JSON: {"schema": schema, "examples": examples}},
            "required": true,
        });
    }
    let mut operation: Documented = read(operation);
    for parameter in operation.parameters.iter_mut().flatten() {
        // utoipa cannot set the examples of a parameter, but writes extensions as they are.
        if let (RefOr::T(parameter), Value::String(query)) = (parameter, &question)
            && parameter.name == "state"
        {
            let state = query.trim_start_matches("?state=").split('&').next();
            let examples = json!({name.clone(): {"summary": summary, "value": state}});
            parameter.extensions = Some(Extensions::from_iter([("examples", examples)]));
        }
    }
    operation
}

/// The description of a header of an answer, which is always a string.
fn text_header(description: &str) -> Value {
    json!({"schema": {"type": "string"}, "description": description})
}

/// One response for each status of some problems, which names their codes.
fn problem_responses(problems: &[Code]) -> Map<String, Value> {
    let mut by_status: BTreeMap<String, Vec<Code>> = BTreeMap::new();
    for &code in problems.iter().chain(&COMMON) {
        let codes = by_status.entry(problem::status(code).as_u16().to_string()).or_default();
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    let response = |(status, codes): (String, Vec<Code>)| {
        let titles: Vec<_> = codes.iter().map(|code| format!("`{code}`: {}.", code.title())).collect();
        let mut headers = Map::new();
        let mut say = |name: &str, text| headers.insert(name.to_owned(), text_header(text));
        if codes.iter().any(|code| [Code::Busy, Code::TooManyRequests].contains(code)) {
            say("Retry-After", "Seconds to wait before you retry.");
        }
        if codes.contains(&Code::TooManyRequests) {
            say("RateLimit-Policy", "Maximum requests of a caller (q) in a window of seconds (w).");
            say("RateLimit", "Requests left (r), and seconds until all are back (t).");
        }
        if codes.contains(&Code::Unauthorized) {
            say("WWW-Authenticate", "How to send a key.");
        }
        let content = json!({problem::MEDIA_TYPE: {"schema": reference("Problem")}});
        (status, json!({"description": titles.join(" "), "headers": headers, "content": content}))
    };
    by_status.into_iter().map(response).collect()
}

/// The links of an operation: what can be asked next with its answer.
fn links(id: &str) -> Value {
    let of_request = ("$request.path.game", "$response.body#/state");
    let (game, state) = match id {
        "listGames" => ("$response.body#/games/0/id", "$response.body#/games/0/start"),
        "describeGame" => ("$response.body#/id", "$response.body#/start"),
        "listLegalMoves" | "getScore" | "suggestMove" | "applyMoves" | "rollDice" => of_request,
        _ => return json!({}),
    };
    let mut links = json!({});
    for (asked, description) in [
        ("validateState", "The parsed state."),
        ("listLegalMoves", "The legal moves in the state."),
        ("getScore", "Who has won, and by how much."),
        ("drawState", "A picture of the state."),
    ] {
        let parameters = json!({"game": game, "state": state});
        links[asked] = json!({"operationId": asked, "parameters": parameters, "description": description});
    }
    links
}

/// Moves the description of each nullable member to the member itself: utoipa writes it beside the reference
/// to the schema of the value, as if it described that.
fn describe_nullables(schema: &mut Value) {
    let members = schema.get_mut("properties").and_then(Value::as_object_mut);
    for member in members.into_iter().flat_map(Map::values_mut) {
        let value = member.pointer_mut("/oneOf/0").and_then(Value::as_object_mut);
        let value = value.filter(|value| value.contains_key("$ref"));
        if let Some(description) = value.and_then(|value| value.remove("description")) {
            member["description"] = description;
        }
    }
    let parts = schema.get_mut("allOf").and_then(Value::as_array_mut);
    parts.into_iter().flatten().for_each(describe_nullables);
}

/// What the document says about an operation without a question, which is answered with a `T`.
fn plain<T: ToSchema + Serialize>(operation: &str, problems: &[Code], answer: &T) -> Described {
    let Said { id, tag, about, good, .. } = Said::about(operation);
    let mut schemas = Vec::new();
    add_schema::<T>(&mut schemas);
    let example = Example { name: "answer".to_owned(), answer: json!(answer), ..Example::default() };
    let (content, problems) = (vec![(JSON, reference(&T::name()))], problems.to_vec());
    let more = Described::default();
    Described { id, tag, about, good, has_etag: true, problems, content, example, schemas, ..more }
}

/// One game.
fn game() -> Described {
    let (first, problems) = (GameId::ALL[0], [Code::InvalidParameter, Code::UnknownGame]);
    let mut described = plain::<GameDetails>("game", &problems, &games::details(first));
    described.example.name = format!("01-{first}");
    (described.example.summary, described.example.game) = (first.about().name.to_owned(), Some(first));
    described
}

/// The limits: the same document on every machine, however many threads it has.
fn limits() -> Described {
    let limits = ServiceLimits::from(&Config { search_threads: 2, ..Config::default() });
    plain("limits", &[Code::InvalidParameter], &limits)
}

/// The pages that explain problems.
fn problem() -> Described {
    let code = Code::IllegalMove;
    let mut described = plain("problem", &[Code::NotFound], &explanation(code));
    (described.content, described.schemas) = (vec![("text/html", json!({"type": "string"}))], Vec::new());
    described.example.question = json!(code);
    described.parameters = vec![json!({
        "name": "code", "in": "path", "description": "The code of the problem.", "required": true,
        "schema": reference(&<Code as ToSchema>::name()), "example": code,
    })];
    described
}

/// Whether the process works, or wants requests.
fn health(operation: &str) -> Described {
    // Fixed values: those of this build would change with every build.
    let health = Health {
        status: "ok".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        commit: Some("1f10af4".into()),
        sources: "5f2b1c0d9e8a7463b1a2c3d4e5f60718".into(),
        wari_marbles: Endgames::BUILT_IN,
    };
    Described { has_etag: false, ..plain(operation, &[], &health) }
}

/// The metrics.
fn metrics() -> Described {
    let example = "# HELP cublino_requests Answered requests.\n\
        # TYPE cublino_requests counter\n\
        cublino_requests_total{code=\"none\",game=\"wari\",operation=\"legal_moves\",status=\"200\"} 1\n\
        # EOF\n";
    let described = plain("metrics", &[Code::NotFound], &example.to_owned());
    let content =
        ["application/openmetrics-text", "text/plain"].map(|media| (media, json!({"type": "string"}))).into();
    Described { has_etag: false, content, schemas: Vec::new(), ..described }
}

/// The document itself. Its example is only the beginning, because it would contain itself.
fn openapi() -> Described {
    let described = plain("openapi", &[], &json!({"openapi": "3.1.0", "info": info()}));
    let content = vec![(JSON, json!({"type": "object"}))];
    Described { content, schemas: Vec::new(), ..described }
}
