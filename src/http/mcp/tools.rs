//! The tools: their descriptions, how their arguments are read, and how they answer.

use std::sync::LazyLock;

use actix_web::{HttpMessage as _, HttpRequest, web::Data};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use utoipa::PartialSchema;

use super::{
    super::{
        context::RequestContext,
        metrics::{Called, Operation as Label},
        problem::Problem,
        searching::Search,
        state::AppState,
    },
    Fault, Progress,
    games::{self, Judged, Suggested, View},
};
use crate::{
    games::GameId,
    service::{self, Code, Depth, Failure, Nodes, Object, Seed, TimeMs, suggestion::LevelNumber},
    with_game,
};

/// A tool as clients list it.
struct Tool {
    name: &'static str,
    /// What metrics and the log call it.
    label: Label,
    title: &'static str,
    about: &'static str,
    arguments: fn() -> Value,
    answer: Option<fn() -> Value>,
    /// Whether the same call has the same answer: no dice are rolled.
    is_repeatable: bool,
}

static TOOLS: [Tool; 5] = [
    Tool {
        name: "rules",
        label: Label("mcp_rules"),
        title: "Games and rules",
        about: "Lists the games, or explains one: goal, moves, notation, and how its board is drawn. Read \
            this before you play a game.",
        arguments: schema::<Rules>,
        answer: None,
        is_repeatable: true,
    },
    Tool {
        name: "look",
        label: Label("mcp_look"),
        title: "Look at a position",
        about: "Draws the board, says who is to move and how the game stands, and lists the legal moves. Of \
            many moves it tells how many begin alike; `begin` then lists those.",
        arguments: schema::<Look>,
        answer: Some(schema::<View>),
        is_repeatable: true,
    },
    Tool {
        name: "play",
        label: Label("mcp_play"),
        title: "Play moves",
        about: "Plays moves, says what happened, and shows the position after them. With `reply` the service \
            then plays the other side, and rolls the dice for both, until you have a choice again. If a move \
            is not legal, nothing is played, and the answer says why and what is legal.",
        arguments: schema::<Play>,
        answer: Some(schema::<View>),
        is_repeatable: false,
    },
    Tool {
        name: "suggest",
        label: Label("mcp_suggest"),
        title: "Suggest moves",
        about: "The best moves of a position, what they are worth to the player to move (1 a win, -1 a \
            loss), and how play goes on. It plays nothing.",
        arguments: schema::<Suggest>,
        answer: Some(schema::<Suggested>),
        is_repeatable: true,
    },
    Tool {
        name: "analyse",
        label: Label("mcp_analyse"),
        title: "Analyse a game",
        about: "Judges a whole game: how well each player played, and the worst mistakes with the best move \
            and the reason.",
        arguments: schema::<Analyse>,
        answer: Some(schema::<Judged>),
        is_repeatable: true,
    },
];

/// The tools as clients list them.
pub static LIST: LazyLock<Value> = LazyLock::new(|| {
    let tools = TOOLS.iter().map(|tool| {
        let mut listed = json!({
            "name": tool.name,
            "title": tool.title,
            "description": tool.about,
            "inputSchema": (tool.arguments)(),
            "annotations": {
                "readOnlyHint": true,
                "idempotentHint": tool.is_repeatable,
                "openWorldHint": false,
            },
        });
        if let Some(answer) = tool.answer {
            listed["outputSchema"] = answer();
        }
        listed
    });
    tools.collect()
});

/// The schema of a type, as short as it can be.
fn schema<T: PartialSchema>() -> Value {
    fn shorten(schema: &mut Value) {
        // A member with a description of its own is described by both.
        if let Some([of_type, of_member]) = schema.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
            let mut merged = of_type.clone();
            merged["description"] = of_member["description"].clone();
            *schema = merged;
        }
        if let Some(members) = schema.as_object_mut() {
            members.remove("format");
            members.values_mut().for_each(shorten);
        }
    }
    let mut schema = serde_json::to_value(T::schema()).expect("a schema is JSON");
    shorten(&mut schema);
    schema
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
struct Rules {
    /// The game; without it, all games are listed.
    #[serde(default)]
    #[schema(value_type = GameId, inline)]
    game: Option<GameId>,
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// A state from an answer, unchanged, or the id of a game for its start.
    pub state: String,
    /// List only the legal moves that begin with this.
    #[serde(default)]
    pub begin: String,
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// A state from an answer, unchanged, or the id of a game for its start.
    pub state: String,
    /// The moves in order, of both sides. `roll` rolls the dice; 63 is a roll that somebody made.
    #[serde(default)]
    #[schema(max_items = 1000)]
    pub moves: Vec<String>,
    /// The service answers at this level: 1, a beginner, to 8. Without moves it plays the side to move.
    #[serde(default)]
    #[schema(value_type = LevelNumber, inline)]
    pub reply: Option<LevelNumber>,
    /// Repeats the dice and replies of an earlier answer.
    #[serde(default)]
    #[schema(value_type = Seed, inline)]
    pub seed: Option<Seed>,
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Suggest {
    /// A state from an answer, unchanged, or the id of a game for its start.
    pub state: String,
    /// Moves played since that state, if repetition counts.
    #[serde(default)]
    #[schema(max_items = 1000)]
    pub moves: Vec<String>,
    /// How many moves to compare.
    #[serde(default)]
    #[schema(value_type = service::Ranged<1, 8>, inline)]
    pub lines: Option<service::Ranged<1, 8>>,
    /// Weaker, human-like play: 1, a beginner, to 8. Full strength without it.
    #[serde(default)]
    #[schema(value_type = LevelNumber, inline)]
    pub level: Option<LevelNumber>,
    /// How long to think, 500 by default.
    #[serde(default)]
    #[schema(value_type = TimeMs, inline)]
    pub time_ms: Option<TimeMs>,
    /// How many plies to look ahead.
    #[serde(default)]
    #[schema(value_type = Depth, inline)]
    pub depth: Option<Depth>,
    /// For another choice at the same level.
    #[serde(default)]
    #[schema(value_type = Seed, inline)]
    pub seed: Option<Seed>,
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Analyse {
    /// The state the game began with, or the id of the game for its start.
    pub state: String,
    /// All moves in order, of both sides; in Mahbusa also the rolls, such as 63.
    #[schema(max_items = 1000)]
    pub moves: Vec<String>,
    /// Positions to visit for each move, 20000 by default.
    #[serde(default)]
    #[schema(value_type = Nodes, inline)]
    pub nodes: Option<Nodes>,
}

/// What a tool answers: for models that read text, and for those that read data.
pub struct Told {
    text: String,
    data: Option<Value>,
}

impl Told {
    /// The same in text and in data.
    pub fn new(text: String, data: &impl Serialize) -> Self {
        Self { text, data: Some(json!(data)) }
    }
}

/// Why a tool has no answer, and what helps.
pub struct Refused {
    problem: Problem,
    help: String,
}

impl<P: Into<Problem>> From<P> for Refused {
    fn from(problem: P) -> Self {
        Self { problem: problem.into(), help: String::new() }
    }
}

impl Refused {
    /// A refusal with what would be right instead.
    pub fn with_help(problem: impl Into<Problem>, help: String) -> Self {
        Self { problem: problem.into(), help }
    }

    /// As a model reads it.
    fn text(&self) -> String {
        let body = self.problem.body();
        let mut text = format!("Refused: {} ({}).", body.detail, body.code);
        for fault in body.problems.iter().filter(|fault| !body.detail.contains(&fault.message)) {
            text += &format!("\n- {}", fault.message);
        }
        if !self.help.is_empty() {
            text += &format!("\n{}", self.help);
        }
        text
    }
}

/// A call of a tool.
pub struct Call {
    pub request: HttpRequest,
    pub state: Data<AppState>,
    pub progress: Progress,
    name: &'static str,
}

impl Call {
    /// A call of the tool with a name.
    pub fn new(
        request: HttpRequest,
        state: Data<AppState>,
        name: &str,
        progress: Progress,
    ) -> Result<Self, Fault> {
        let unknown = || {
            let names: Vec<_> = TOOLS.iter().map(|tool| tool.name).collect();
            Fault::invalid_params(format!(
                "there is no tool '{}'; there are {}",
                super::shown(name),
                names.join(", ")
            ))
        };
        let Tool { name, label, .. } = TOOLS.iter().find(|tool| tool.name == name).ok_or_else(unknown)?;
        request.extensions_mut().insert(Called { operation: *label, game: None, code: None });
        Ok(Self { request, state, progress, name })
    }

    /// Changes what metrics and the log say about the call.
    fn note(&self, change: impl FnOnce(&mut Called)) {
        self.request.extensions_mut().get_mut().map(change);
    }

    /// The game that a state is of. A state may also be the name of a game, for its start.
    fn game(&self, state: &str) -> Result<GameId, Failure> {
        let letter = state.chars().next().map(|letter| letter.to_ascii_uppercase());
        let of_letter = || GameId::ALL.iter().copied().find(|id| Some(id.about().letter) == letter);
        let game = state.parse().ok().or_else(of_letter).ok_or_else(|| {
            let games: Vec<_> = GameId::ALL.iter().map(ToString::to_string).collect();
            let detail = "a state begins with the letter of its game, and this text does not; the start of a \
                game is its id";
            Failure::new(Code::MalformedState, format!("{detail}: {}", games.join(", "))).at(0)
        })?;
        self.note(|called| called.game = Some(game));
        Ok(game)
    }

    /// What a search finds.
    pub async fn search<T: Send + 'static>(
        &self,
        game: GameId,
        search: service::Search<T>,
    ) -> Result<T, Problem> {
        let context = RequestContext::of(&self.request);
        let caller = self.state.access.id(&context.caller);
        Search::begin(context, self.state.clone(), caller, game, search).await?.answer().await
    }
}

/// The result of a call. What a model can do better next time is no failure of the protocol.
pub async fn call(call: &Call, arguments: &str) -> Value {
    let content = |text| json!([{"type": "text", "text": text}]);
    match told(call, arguments).await {
        Ok(Told { text, data: None }) => json!({"content": content(text)}),
        Ok(Told { text, data: Some(data) }) => json!({"content": content(text), "structuredContent": data}),
        Err(refused) => {
            call.note(|called| called.code = Some(refused.problem.code()));
            json!({"content": content(refused.text()), "isError": true})
        }
    }
}

async fn told(call: &Call, arguments: &str) -> Result<Told, Refused> {
    match call.name {
        "rules" => {
            let Rules { game } = read(arguments)?;
            Ok(Told { text: games::rules(game), data: None })
        }
        "look" => {
            let look: Look = read(arguments)?;
            let game = call.game(&look.state)?;
            with_game!(game, G => games::look::<G>(game, &look))
        }
        "play" => {
            let play: Play = read(arguments)?;
            let game = call.game(&play.state)?;
            with_game!(game, G => games::play::<G>(call, game, &play).await)
        }
        "suggest" => {
            let suggest: Suggest = read(arguments)?;
            let game = call.game(&suggest.state)?;
            with_game!(game, G => games::suggest::<G>(call, game, suggest).await)
        }
        "analyse" => {
            let analyse: Analyse = read(arguments)?;
            let game = call.game(&analyse.state)?;
            with_game!(game, G => games::analyse::<G>(call, game, analyse).await)
        }
        name => unreachable!("'{name}' is not one of the tools"),
    }
}

/// The arguments of a tool.
fn read<T: DeserializeOwned>(arguments: &str) -> Result<T, Failure> {
    let read = serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(arguments));
    read.map(|Object(arguments)| arguments)
        .map_err(|error| Failure::unreadable("list of arguments", "argument", &error))
}
