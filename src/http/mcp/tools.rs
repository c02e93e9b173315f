//! The tools: how they are listed, how their arguments are read, and how they answer or refuse.

use std::sync::LazyLock;

use actix_web::{
    HttpMessage as _, HttpRequest,
    web::{Bytes, Data},
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::broadcast;
use utoipa::PartialSchema;

use super::{
    super::{
        events::EVENTS_KEPT,
        metrics::{Called, Operation as Label},
        problem::Problem,
        state::AppState,
    },
    Fault, Id,
    games::{self, Answer},
};
use crate::{
    games::GameId,
    service::{
        Code, Failure, Object, Seed, TimeMs,
        suggestion::{LevelNumber, LineCount},
        to_json,
    },
    with_game,
};

/// A tool as `tools.json` describes it.
#[derive(Deserialize)]
struct Tool {
    name: &'static str,
    /// What metrics and the log call it.
    label: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: Vec<&'static str>,
    required: Vec<&'static str>,
}

static TOOLS: LazyLock<Vec<Tool>> =
    LazyLock::new(|| serde_json::from_str(include_str!("tools.json")).expect("the file has tools"));

/// The arguments of all tools.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Arguments {
    /// The id of a game; without it, all games are listed.
    #[schema(value_type = String)]
    pub game: Option<GameId>,
    /// A state from an answer, unchanged, or the id of a game for its start.
    pub state: String,
    /// The moves since, of both sides. `roll` rolls the dice; 63 is a roll that somebody made.
    #[schema(max_items = 1000)]
    pub moves: Vec<String>,
    /// List the legal moves first that begin like this.
    pub begin: String,
    /// How well the service plays: 1, a beginner, to 8.
    #[schema(value_type = u8, minimum = 1, maximum = 8)]
    pub level: Option<LevelNumber>,
    /// How many moves to compare.
    #[schema(value_type = u8, minimum = 1, maximum = 8)]
    pub lines: Option<LineCount>,
    /// How long to think, 500 by default.
    #[schema(value_type = u32, minimum = 1)]
    pub time_ms: Option<TimeMs>,
    /// Repeats the dice and choices of an earlier answer.
    #[schema(value_type = u64)]
    pub seed: Option<Seed>,
}

/// The tools as clients list them.
pub static LIST: LazyLock<Value> = LazyLock::new(|| {
    let (arguments, answer) = (schema::<Arguments>(), schema::<Answer>());
    let tools = TOOLS.iter().map(|Tool { name, title, description, arguments: names, required, .. }| {
        let known = |name: &&str| (String::from(*name), arguments["properties"][name].clone());
        let properties: serde_json::Map<_, _> = names.iter().map(known).collect();
        let mut listed = json!({
            "name": name,
            "title": title,
            "description": description,
            "inputSchema": {
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            },
            "annotations": {"readOnlyHint": true, "idempotentHint": *name != "play", "openWorldHint": false},
        });
        if names.contains(&"state") {
            listed["outputSchema"] = answer.clone();
        }
        listed
    });
    tools.collect()
});

fn schema<T: PartialSchema>() -> Value {
    serde_json::to_value(T::schema()).expect("a schema is JSON")
}

/// Tells a client how far its call has come.
#[derive(Clone)]
pub struct Progress {
    token: Id,
    told: broadcast::Sender<Bytes>,
}

impl Progress {
    /// Tells how far the call has come; that must grow.
    pub fn tell(&self, progress: usize, message: String) {
        let params = json!({"progressToken": self.token, "progress": progress, "message": message});
        let notification = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
        // The client may have left, and then the call is about to be dropped.
        drop(self.told.send(event(&to_json(&notification))));
    }
}

/// A message as an event. JSON has no line breaks.
pub fn event(json: &str) -> Bytes {
    format!("event: message\ndata: {json}\n\n").into()
}

/// Why a tool has no answer, and what helps.
pub struct Refused {
    pub problem: Problem,
    pub help: String,
}

impl<P: Into<Problem>> From<P> for Refused {
    fn from(problem: P) -> Self {
        Self { problem: problem.into(), help: String::new() }
    }
}

/// A call of a tool.
pub struct Call {
    pub request: HttpRequest,
    pub state: Data<AppState>,
    pub progress: Option<Progress>,
    pub tool: &'static str,
}

impl Call {
    /// A call of the tool with a name, and what is told of its progress to a client with a token.
    pub fn new(
        request: HttpRequest,
        state: Data<AppState>,
        name: &str,
        token: Option<Id>,
    ) -> Result<(Self, Option<broadcast::Receiver<Bytes>>), Fault> {
        let unknown = || Fault::new(Fault::INVALID_PARAMS, "there is no such tool");
        let tool = TOOLS.iter().find(|tool| tool.name == name).ok_or_else(unknown)?;
        request.extensions_mut().insert(Called { operation: Label(tool.label), game: None, code: None });
        let (told, progress) = broadcast::channel(EVENTS_KEPT);
        let progress = token.is_some().then_some(progress);
        let call =
            Self { request, state, progress: token.map(|token| Progress { token, told }), tool: tool.name };
        Ok((call, progress))
    }

    /// Changes what metrics and the log say about the call.
    fn note(&self, change: impl FnOnce(&mut Called)) {
        self.request.extensions_mut().get_mut().map(change);
    }

    /// The result of the call. What a model can do better next time is no failure of the protocol.
    pub async fn result(&self, arguments: &str) -> Value {
        let content = |text| json!([{"type": "text", "text": text}]);
        let refused = match self.answer(arguments).await {
            Ok((text, None)) => return json!({"content": content(text)}),
            Ok((text, Some(answer))) => {
                return json!({"content": content(text), "structuredContent": answer});
            }
            Err(refused) => refused,
        };
        self.note(|called| called.code = Some(refused.problem.code()));
        let body = refused.problem.body();
        let mut text = format!("Refused: {} ({}).", body.detail, body.code);
        for fault in body.problems.iter().filter(|fault| !body.detail.contains(&fault.message)) {
            text += &format!("\n- {}", fault.message);
        }
        text += &format!("\n{}", refused.help);
        json!({"content": content(text), "isError": true})
    }

    /// The answer in words, and in data if it is about a position.
    async fn answer(&self, arguments: &str) -> Result<(String, Option<Answer>), Refused> {
        let read = serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(arguments));
        let Object(arguments): Object<Arguments> =
            read.map_err(|error| Failure::unreadable("list of arguments", "argument", &error))?;
        if self.tool == "rules" {
            return Ok((games::rules(arguments.game), None));
        }
        // A state begins with the letter of its game.
        let state = &arguments.state;
        let letter = state.chars().next().map(|letter| letter.to_ascii_uppercase());
        let of_letter = || GameId::ALL.iter().copied().find(|id| Some(id.about().letter) == letter);
        let game = state.parse().ok().or_else(of_letter).ok_or_else(|| {
            let games: Vec<_> = GameId::ALL.iter().map(ToString::to_string).collect();
            let detail = "'state' is neither the state of an answer nor the id of a game, which are";
            Failure::new(Code::MalformedState, format!("{detail} {}", games.join(", ")))
        })?;
        self.note(|called| called.game = Some(game));
        let (text, answer) = with_game!(game, G => games::answer::<G>(self, game, arguments).await)?;
        Ok((text, Some(answer)))
    }
}
