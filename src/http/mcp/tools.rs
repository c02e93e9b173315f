//! The tools: how they are listed, how their arguments are read, and what they say about games.

use std::{cmp::Reverse, fmt, iter, ops::Not, sync::Arc};

use actix_web::{
    HttpRequest,
    web::{self, Bytes},
};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{
        self, DeserializeOwned, SeqAccess, Visitor,
        value::{MapAccessDeserializer, MapDeserializer},
    },
};
use serde_json::{json, value::RawValue};
use tokio::sync::watch;

use super::{
    super::{
        access::Access,
        operations::{self, Search},
        permits::{Permits, Pool},
        problem::Problem,
        request::{Labels, RequestContext, part},
        write::{LatestEvent, Turn, json_event},
    },
    RpcError, Token,
};
use crate::{
    api::{
        self, Bounds, Code, Failure, Nodes, OnProgress, Operation as _, Plan, Played, Seed, StageName,
        TimeMs,
        analysis::{AnalysedPly, Analysis, AnalysisLine, AnalysisQuestion, Tally},
        limits::{LIGHT_MOVES, MAX_MOVES, PRICES},
        moves_in,
        puzzles::{Puzzle, Puzzles, PuzzlesQuestion},
        roll,
        suggestion::{LevelNumber, LineCount, Suggestion, SuggestionQuestion},
        to_json,
    },
    game::{Player, Ply, Record, Stage, Standing},
    games::{GameId, described::Position},
    queue::Class,
    with_game,
    words::{count, in_a_line, name, standing, value},
};

/// The entry in a list of moves that makes the service roll the dice.
const ROLL: &str = "roll";
/// The longest list of moves, in characters. A longer one is cut.
const LISTED: usize = 240;
/// How many of the last plies are described in words.
const RECENT: usize = 6;
/// How many mistakes of a game are listed, the worst first.
const MISTAKES: usize = 8;
/// Most replies of the service in one call: an opponent who is skipped again and again could make it reply
/// for ever.
const REPLIES: usize = 16;
/// Nodes for each move of an analysed game, unless the service allows fewer.
const NODES: u64 = 20_000;

/// The tools, as metrics and the log call them.
const TOOLS: [&str; 6] = ["mcp_rules", "mcp_look", "mcp_play", "mcp_suggest", "mcp_analyse", "mcp_puzzle"];

/// What a tool is asked, as `mcp.json` describes it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Asked {
    Rules {
        game: Option<GameId>,
    },
    Look {
        state: String,
        begin: Option<String>,
        all: Option<Clear<bool>>,
    },
    Play {
        state: String,
        moves: Option<Moves>,
        level: Option<Clear<LevelNumber>>,
        seed: Option<Clear<Seed>>,
    },
    Suggest {
        state: String,
        moves: Option<Moves>,
        level: Option<Clear<LevelNumber>>,
        lines: Option<Clear<LineCount>>,
        time_ms: Option<Clear<TimeMs>>,
        seed: Option<Clear<Seed>>,
    },
    Analyse {
        state: String,
        moves: Moves,
    },
    Puzzle {
        game: GameId,
        level: Option<Clear<LevelNumber>>,
        seed: Option<Clear<Seed>>,
    },
}

/// A value that may also be written as a text: models write `"3"` for 3.
#[derive(Clone, Copy, Debug)]
pub struct Clear<T>(pub T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Clear<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Box::<RawValue>::deserialize(deserializer)?;
        let in_text = || serde_json::from_str(&serde_json::from_str::<String>(json.get()).ok()?).ok();
        let read = serde_json::from_str(json.get()).or_else(|error| in_text().ok_or(error));
        read.map(Self).map_err(de::Error::custom)
    }
}

/// Moves and rolls: a list, or a text with several.
#[derive(Debug, Default)]
pub struct Moves(pub Vec<String>);

impl<'de> Deserialize<'de> for Moves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MovesVisitor)
    }
}

struct MovesVisitor;

impl<'de> Visitor<'de> for MovesVisitor {
    type Value = Moves;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of moves")
    }

    fn visit_u64<E>(self, cup_or_roll: u64) -> Result<Moves, E> {
        Ok(Moves(vec![cup_or_roll.to_string()]))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Moves, E> {
        let moves: Vec<_> = moves_in(text).take(MAX_MOVES + 1).map(str::to_owned).collect();
        if moves.len() > MAX_MOVES { Err(too_many()) } else { Ok(Moves(moves)) }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Moves, A::Error> {
        let mut moves = Vec::new();
        while let Some(Moves(more)) = entries.next_element()? {
            moves.extend(more);
            if moves.len() > MAX_MOVES {
                return Err(too_many());
            }
        }
        Ok(Moves(moves))
    }
}

fn too_many<E: de::Error>() -> E {
    E::custom(format_args!("more than {MAX_MOVES} moves"))
}

/// Reports the progress of a call to the client, as a number that grows.
type Progress = Arc<dyn Fn(usize, String) + Send + Sync>;

/// A call of a tool.
pub struct Call {
    request: HttpRequest,
    report: Option<Progress>,
    tool: &'static str,
}

impl Call {
    /// A call of the tool with this name, and its latest progress if the client sent a token for that.
    pub fn new(
        request: HttpRequest,
        name: &str,
        token: Option<Token>,
    ) -> Result<(Self, Option<LatestEvent>), RpcError> {
        let unknown = || RpcError::new(RpcError::INVALID_PARAMS, "there is no such tool");
        let is_named = |tool: &&str| tool.strip_prefix("mcp_") == Some(name);
        let tool = TOOLS.into_iter().find(is_named).ok_or_else(unknown)?;
        RequestContext::of(&request).relabel(|labels| labels.operation = tool);
        // Creating the channel takes longer than most answers, so only clients with a token get one.
        let channel = token.map(|token| -> (Progress, _) {
            let (sender, progress) = watch::channel(None);
            let report = move |done: usize, message: String| {
                let params = json!({"progressToken": token, "progress": done, "message": message});
                let json = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
                sender.send_replace(Some(json_event("message", None, &to_json(&json))));
            };
            (Arc::new(report), progress)
        });
        let (report, progress) = channel.unzip();
        Ok((Self { request, report, tool }, progress))
    }

    /// Changes what metrics and the log say about the call.
    fn note(&self, change: impl FnOnce(&mut Labels)) {
        RequestContext::of(&self.request).relabel(change);
    }

    /// The JSON of the result. A mistake that the model can correct is not a failure of the protocol.
    pub async fn result(&self, arguments: &RawValue) -> Bytes {
        let problem = match self.answer(arguments).await {
            Ok(result) => return result,
            Err(problem) => problem,
        };
        self.note(|asked| asked.code = Some(problem.code()));
        let body = problem.body();
        let mut text = format!("Refused ({}): {}", body.code, body.detail);
        for fault in body.problems.iter().filter(|fault| !body.detail.contains(&fault.message)) {
            text.extend(["\n- ", &fault.message]);
        }
        let wait = problem.retry_after().map(|seconds| format!("\nTry again in {seconds} s."));
        if let Some(wait) = wait {
            text += &wait;
        } else if body.parameter.as_deref().is_none_or(|name| name == "state") && !text.contains("\nstate: ")
        {
            text += "\nUse the state of an answer, unchanged, or the id of a game for its start.";
        }
        refused(text)
    }

    /// The answer in words, and in data if it is about a position.
    async fn answer(&self, arguments: &RawValue) -> Result<Bytes, Problem> {
        let asked = self.read(arguments)?;
        let game = match &asked {
            Asked::Rules { game: None } => {
                return Ok(in_words(GameId::ALL.iter().copied().map(about).collect()));
            }
            Asked::Rules { game: Some(game) } | Asked::Puzzle { game, .. } => *game,
            Asked::Look { state, .. }
            | Asked::Play { state, .. }
            | Asked::Suggest { state, .. }
            | Asked::Analyse { state, .. } => game_of(state)?,
        };
        self.note(|asked| asked.game = Some(game));
        with_game!(game, G => answer::<G>(self, game, asked).await)
    }

    /// Reads the arguments of the tool.
    fn read(&self, arguments: &RawValue) -> Result<Asked, Failure> {
        let tool = self.tool.trim_start_matches("mcp_");
        let asked = MapAccessDeserializer::new(MapDeserializer::new(iter::once((tool, arguments))));
        serde_path_to_error::deserialize(asked).map_err(|error| {
            let (path, message) = (error.path().to_string(), error.inner().to_string());
            // The path begins with the tool. The place in JSON says no more than the path.
            let place = path.split_once('.').map_or("", |(_, place)| place);
            let message = message.split(" at line ").next().unwrap_or_default();
            let quoted = message.split('`').nth(1).unwrap_or_default();
            let (name, detail) = if message.starts_with("unknown field") {
                (quoted, format!("the tool '{tool}' takes no argument '{quoted:.40}'"))
            } else if message.starts_with("missing field") {
                (quoted, format!("the argument '{quoted}' is missing"))
            } else {
                (place, format!("the argument '{place:.40}' is wrong: {message:.200}"))
            };
            Failure::invalid_parameter(name.chars().take(40).collect::<String>(), detail)
        })
    }
}

impl Asked {
    /// Where a heavy call takes its permit from.
    fn pool(&self) -> Option<Pool> {
        match self {
            Self::Analyse { .. } => Some(Pool::Long),
            Self::Look { all: Some(Clear(true)), .. } => Some(Pool::Short),
            Self::Play { moves: Some(Moves(moves)), .. }
            | Self::Suggest { moves: Some(Moves(moves)), .. } => {
                (moves.len() > LIGHT_MOVES).then_some(Pool::Short)
            }
            _ => None,
        }
    }
}

/// The game of a state, which begins with the letter of its game, or is its id.
fn game_of(state: &str) -> Result<GameId, Failure> {
    let letter = state.chars().next().map(|letter| letter.to_ascii_uppercase());
    let of_letter = || GameId::ALL.iter().copied().find(|id| Some(id.about().letter) == letter);
    let unknown = || Failure::new(Code::MalformedState, "'state' does not name a game");
    state.parse().ok().or_else(of_letter).ok_or_else(unknown)
}

/// The result of a call, as the protocol writes it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolResult<T> {
    content: [Content; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<T>,
    #[serde(skip_serializing_if = "Not::not")]
    is_error: bool,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "text")]
struct Content {
    text: String,
}

impl<T: Serialize> ToolResult<T> {
    fn json(text: String, structured_content: Option<T>, is_error: bool) -> Bytes {
        to_json(&Self { content: [Content { text }], structured_content, is_error }).into()
    }
}

fn in_words(text: String) -> Bytes {
    ToolResult::<()>::json(text, None, false)
}

fn refused(text: String) -> Bytes {
    ToolResult::<()>::json(text, None, true)
}

/// The result of a call that its client has cancelled. It need not read it, but HTTP has an answer to every
/// request.
pub fn cancelled() -> Bytes {
    refused("Cancelled, as you asked.".into())
}

/// A position, as `mcp.json` describes it.
#[derive(Debug, Serialize)]
#[serde(bound = "")]
struct Shown<G: Played> {
    state: String,
    board: String,
    turn: &'static str,
    stage: StageName,
    result: String,
    played: Vec<String>,
    count: usize,
    moves: Listed<G>,
    notes: Vec<String>,
    seed: u64,
    /// What is where, for boards.
    #[serde(flatten)]
    parts: Option<Parts>,
}

/// What a program needs to draw a position.
#[derive(Debug, Serialize)]
struct Parts {
    position: Position,
    outcome: Standing,
}

/// The legal moves of an answer.
#[derive(Debug)]
enum Listed<G> {
    Some(Vec<String>),
    /// All of a position, in every order of their steps.
    Every(G),
}

/// There can be tens of thousands, so they are written while they are found.
impl<G: Played> Serialize for Listed<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Some(moves) => moves.serialize(serializer),
            Self::Every(position) => {
                serializer.collect_seq(position.every_spelling().map(|(spelling, _)| spelling.to_string()))
            }
        }
    }
}

/// A game in a line.
fn about(game: GameId) -> String {
    let (about, start) = (game.about(), with_game!(game, G => G::default().to_string()));
    format!("{game}: {}. {} Start: {start}\n", about.name, about.goal)
}

/// What a tool answers about a game, a position, and moves played from there.
async fn answer<G: Played>(call: &Call, game: GameId, asked: Asked) -> Result<Bytes, Problem> {
    let plain = SuggestionQuestion::default();
    if let Some(pool) = asked.pool() {
        part::<Permits>(&call.request).take(&call.request, pool).await?;
    }
    match asked {
        Asked::Rules { .. } => Ok(in_words(format!("{}\n{}", about(game), G::ABOUT.rules))),
        Asked::Look { state, begin, all } => {
            let all = all.is_some_and(|Clear(all)| all);
            let times = if all { PRICES.all_spellings } else { 1 };
            let game = InPlay::<G>::begin(call, game, &state, None, None, times).await?;
            game.answer(&begin.unwrap_or_default(), all).await
        }
        Asked::Play { state, moves, level, seed } => {
            let mut game = InPlay::<G>::begin(call, game, &state, moves, seed, 1).await?;
            if let Some(Clear(level)) = level {
                let side = if game.played.is_empty() { game.start.turn() } else { !game.start.turn() };
                game.reply(side, &SuggestionQuestion { level: Some(level), ..plain }).await?;
            }
            game.answer("", false).await
        }
        Asked::Suggest { state, moves, level, lines, time_ms, seed } => {
            let mut game = InPlay::<G>::begin(call, game, &state, moves, seed, 1).await?;
            let level = level.map(|Clear(level)| level);
            let (lines, time_ms) = (lines.map(|Clear(lines)| lines), time_ms.map(|Clear(time)| time));
            game.suggest(&SuggestionQuestion { level, lines, time_ms, ..plain }).await?;
            game.answer("", false).await
        }
        Asked::Analyse { state, moves } => {
            let mut game = InPlay::<G>::begin(call, game, &state, Some(moves), None, 1).await?;
            game.analyse().await?;
            game.answer("", false).await
        }
        Asked::Puzzle { level, seed, .. } => {
            let seed = Seed::or_drawn(seed.map(|Clear(seed)| seed));
            let (state, notes) = puzzle::<G>(seed, level.map(|Clear(level)| level))?;
            let game = InPlay::<G>::begin(call, game, &state, None, None, 1).await?;
            InPlay { seed, notes, ..game }.answer("", false).await
        }
    }
}

/// The state of a puzzle, and its task and solution in words.
fn puzzle<G: Played>(seed: u64, difficulty: Option<LevelNumber>) -> Result<(String, Vec<String>), Failure> {
    let seed = Seed::try_from(seed).ok();
    let question = PuzzlesQuestion { seed, difficulty, ..PuzzlesQuestion::default() };
    let Puzzles { puzzles } = Puzzles::draw::<G>(&question);
    let none = || Failure::invalid_parameter("level", "no puzzle of this game has this level");
    let Puzzle { id, state, task, difficulty, solution, .. } = puzzles.into_iter().next().ok_or_else(none)?;
    let task = task.plies.map_or("find the best move".into(), |plies| {
        format!("force a win in {}", count(plies, "ply", "plies"))
    });
    let task = format!("Puzzle {id}, level {difficulty}: {task}. Exactly one first move does it.");
    Ok((state, vec![task, format!("Show this only if asked: the solution is {}", solution.join(" "))]))
}

/// A game that is being played in a call.
struct InPlay<'a, G: Played> {
    call: &'a Call,
    game: GameId,
    start: G,
    record: Record<G>,
    /// Of dice and choices.
    seed: u64,
    /// What happened, in words for each ply.
    happened: Vec<String>,
    played: Vec<String>,
    /// Further sentences about the position.
    notes: Vec<String>,
}

impl<'a, G: Played> InPlay<'a, G> {
    /// A game in which the moves since a state have been played. The caller pays for them, so many times.
    async fn begin(
        call: &'a Call,
        game: GameId,
        state: &str,
        moves: Option<Moves>,
        seed: Option<Clear<Seed>>,
        times: u32,
    ) -> Result<Self, Problem> {
        let Moves(moves) = moves.unwrap_or_default();
        let price = PRICES.of(1, moves.len()).saturating_mul(times);
        part::<Access>(&call.request).charge(&call.request, price)?;
        let start: G = if state == G::ABOUT.id { G::default() } else { api::read(state)? };
        let (record, seed) = (Record::from(start), Seed::or_drawn(seed.map(|Clear(seed)| seed)));
        let (happened, played, notes) = (Vec::new(), Vec::new(), start.unreachable().into_iter().collect());
        let mut game = Self { call, game, start, record, seed, happened, played, notes };
        game.play_all(&moves).await?;
        Ok(game)
    }

    /// Plays all moves, or none.
    async fn play_all(&mut self, moves: &[String]) -> Result<(), Problem> {
        let turn = Turn::begin();
        for (i, text) in moves.iter().enumerate() {
            let is_roll = text == ROLL && self.record.stage() == Stage::Roll;
            let played = if is_roll { self.roll() } else { self.play(text) };
            if let Err(mut failure) = played {
                let before = if i > 0 { " After the moves before it:" } else { "" };
                let (count, moves) = self.legal_moves(text);
                failure.detail.extend(["\nNothing was played.", before, " ", &self.next(count, &moves)]);
                return Err(failure.into());
            }
            turn.pass().await;
        }
        Ok(())
    }

    /// Plays a move or a roll.
    fn play(&mut self, text: &str) -> Result<(), Failure> {
        let before = *self.record.position();
        let Ply { text, player, .. } = self.record.play(text)?;
        let who = name(self.game, player);
        let does = if before.stage() == Stage::Roll { "rolls" } else { "plays" };
        let mut sentence = format!("{who} {does} {text}.");
        let spelling = text.parse().ok().filter(|_| before.stage() == Stage::Move);
        for words in spelling.map(|spelling| before.effects(&spelling).in_words).unwrap_or_default() {
            sentence.extend([" ", &words]);
        }
        self.happened.push(sentence + "\n");
        self.played.push(text);
        Ok(())
    }

    /// Rolls the dice.
    fn roll(&mut self) -> Result<(), Failure> {
        self.play(&roll::drawn(self.record.position(), self.seed).to_string())
    }

    /// Plays for one side, and rolls for both, until it is the other side's turn or the game is over.
    async fn reply(&mut self, side: Player, question: &SuggestionQuestion) -> Result<(), Problem> {
        for _ in 0..REPLIES {
            while self.record.stage() == Stage::Roll {
                self.roll()?;
            }
            if self.record.stage() != Stage::Move || self.record.position().turn() != side {
                break;
            }
            let found = self.search(question, None).await?;
            self.play(&found.best)?;
        }
        Ok(())
    }

    /// Searches for the move to play.
    async fn search(
        &self,
        question: &SuggestionQuestion,
        on_depth: Option<OnProgress<Suggestion>>,
    ) -> Result<Suggestion, Problem> {
        let request = self.call.request.clone();
        let bounds = part::<Bounds>(&request);
        let question = SuggestionQuestion { seed: Seed::try_from(self.seed).ok(), ..question.clone() };
        let search = Suggestion::search(&self.record, &question, bounds, on_depth)?;
        Search::begin(request, Class::Interactive, self.game, search).await?.answer().await
    }

    /// Notes the best moves and what they are worth.
    async fn suggest(&mut self, question: &SuggestionQuestion) -> Result<(), Problem> {
        let on_depth = self.call.report.clone().map(|report| -> OnProgress<Suggestion> {
            Box::new(move |found| {
                let depth = found.search.depth;
                report(depth as usize, format!("depth {depth}: {}", found.best));
            })
        });
        let found = self.search(question, on_depth).await?;
        let who = name(self.game, found.turn);
        let lines = found
            .lines
            .iter()
            .map(|line| format!("{}: {}; line {}", line.first, value(who, &line.value), line.pv.join(" ")));
        self.notes.extend(lines);
        Ok(())
    }

    /// Notes how well the players have played, and their worst mistakes.
    async fn analyse(&mut self) -> Result<(), Problem> {
        let (call, moves) = (self.call, self.played.clone());
        let bounds = part::<Bounds>(&call.request);
        let nodes = Nodes::try_from(NODES.min(bounds.search.nodes)).ok();
        let question = AnalysisQuestion { moves, nodes, ..AnalysisQuestion::default() };
        part::<Access>(&call.request).charge(&call.request, Analysis::price(&question))?;
        let Plan::Series(efforts, begin) = Analysis::plan::<G>(&question, bounds, Stage::Move)? else {
            return Err(Problem::internal());
        };
        operations::check_work(&call.request, self.game, &efforts)?;
        let asked = api::Asked { text: "", record: self.start.into(), question: &question, bounds };
        let mut series = begin(asked)?;
        let (mut done, mut tally, mut mistakes) = (0, Tally::new(!G::ROLLS.is_empty()), Vec::new());
        operations::run(&mut *series, &call.request, self.game, async |line| {
            let AnalysisLine::Ply(ply) = line else { return };
            tally.add(&ply);
            done += 1;
            if let Some(report) = &call.report {
                report(done, format!("{done} of {} plies", self.played.len()));
            }
            if let AnalysedPly::Move(m) = ply
                && let Some(judgment) = m.judgment
            {
                mistakes.push((judgment, m));
            }
        })
        .await?;
        mistakes.sort_by(|(_, a), (_, b)| b.loss.total_cmp(&a.loss));
        mistakes.truncate(MISTAKES);
        let players = tally.players();
        let players = [(Player::One, players.one), (Player::Two, players.two)]
            .map(|(player, judged)| format!("{}: {}", name(self.game, player), in_a_line(&judged)));
        let mistakes = mistakes.iter().map(|(judgment, m)| {
            let (ply, who, best) = (m.index + 1, name(self.game, m.player), &m.best.text);
            let why: String = m.why.iter().flat_map(|reason| ["; ", &reason.message]).collect();
            format!("ply {ply}, {who} {}: {judgment}, loses {:.2}; best {best}{why}", m.text, m.loss)
        });
        self.notes.extend(players.into_iter().chain(mistakes));
        Ok(())
    }

    /// The JSON of the position and what was found about it, as `mcp.json` describes it.
    async fn answer(self, begin: &str, all: bool) -> Result<Bytes, Problem> {
        let (position, (count, moves)) = (*self.record.position(), self.legal_moves(begin));
        let described = position.describe();
        let board = described.text(position.turn());
        let recent = self.happened[self.happened.len().saturating_sub(RECENT)..].concat();
        let remarks: String = self.notes.iter().flat_map(|note| [note, "\n"]).collect();
        let text = format!("{recent}{remarks}{board}{}", self.next(count, &moves));
        let is_long = all && self.record.stage() == Stage::Move;
        let shown = Shown {
            state: position.to_string(),
            board,
            turn: name(self.game, position.turn()),
            stage: self.record.stage().into(),
            result: standing(self.game, self.record.standing()),
            played: self.played,
            count,
            moves: if is_long { Listed::Every(position) } else { Listed::Some(moves) },
            notes: self.notes,
            seed: self.seed,
            parts: all.then(|| Parts { position: described, outcome: self.record.standing() }),
        };
        let json = move || ToolResult::json(text, Some(shown), false);
        // That takes some tens of milliseconds.
        if is_long { web::block(json).await.map_err(|_| Problem::internal()) } else { Ok(json()) }
    }

    /// The number of legal moves, and those to list: the longest common prefixes with `like` come first.
    fn legal_moves(&self, like: &str) -> (usize, Vec<String>) {
        let mut moves = Vec::new();
        if self.record.stage() == Stage::Move {
            self.record.position().list(|spelling, _| moves.push(spelling.to_string()));
        }
        let count = moves.len();
        // Without a text, the order stays as it is.
        if !like.is_empty() {
            moves.sort_by_cached_key(|text| {
                Reverse(text.bytes().zip(like.bytes()).take_while(|(a, b)| a == b).count())
            });
        }
        let mut length = 0;
        moves.retain(|text| {
            length += text.len() + 1;
            length <= LISTED
        });
        (count, moves)
    }

    /// Whose turn it is and what they may do, with some of the `count` legal moves, and the state.
    fn next(&self, count: usize, moves: &[String]) -> String {
        let (position, score) = (self.record.position(), standing(self.game, self.record.standing()));
        let who = name(self.game, position.turn());
        let acts = match self.record.stage() {
            Stage::Over(_) => format!("The game is over: {score}."),
            Stage::Roll => format!("{who} to roll, {score}. Play \"{ROLL}\" or a roll such as 63."),
            Stage::Move => {
                let some = if moves.len() < count { "; look with `begin` to see others" } else { "" };
                format!("{who} to move, {score}. Legal moves ({count}{some}): {}", moves.join(" "))
            }
        };
        format!("{acts}\nstate: {position}")
    }
}
