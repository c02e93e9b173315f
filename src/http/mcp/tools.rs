//! The tools: how they are listed, how their arguments are read, and what they say about games.

use std::{cmp::Reverse, pin::pin, sync::Arc};

use actix_web::{HttpMessage as _, HttpRequest, web::Bytes};
use futures_util::StreamExt as _;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::broadcast;

use super::{
    super::{
        answer::Turn,
        context::Labels,
        operations,
        problem::Problem,
        searching::{EVENTS_KEPT, Search, json_event},
        state::AppState,
    },
    FILE, RpcError,
};
use crate::{
    api::{
        self, Code, Failure, Nodes, Object, Played, Seed, StageName, Streamed as _, TimeMs,
        analysis::{AnalysedPly, Analysis, AnalysisQuestion, Tally},
        check_count,
        limits::{MAX_MOVES, PRICES},
        puzzles::{Puzzle, Puzzles, PuzzlesQuestion},
        suggestion::{self, LevelNumber, LineCount, OnDepth, Suggestion, SuggestionQuestion},
        to_json,
    },
    game::{Player, Ply, Record, Stage, playout},
    games::GameId,
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

/// The arguments of all tools, as `mcp.json` describes them.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Arguments {
    game: Option<GameId>,
    state: String,
    moves: Vec<String>,
    begin: String,
    all: bool,
    level: Option<LevelNumber>,
    lines: Option<LineCount>,
    time_ms: Option<TimeMs>,
    seed: Option<Seed>,
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
    /// A call of the tool with this name, and the events of its progress if the client sent a token for them.
    pub fn new(
        request: HttpRequest,
        name: &str,
        token: Option<Value>,
    ) -> Result<(Self, Option<broadcast::Receiver<Bytes>>), RpcError> {
        let unknown = || RpcError::new(RpcError::INVALID_PARAMS, "there is no such tool");
        let is_named = |tool: &&str| tool.strip_prefix("mcp_") == Some(name);
        let operation = TOOLS.into_iter().find(is_named).ok_or_else(unknown)?;
        request.extensions_mut().insert(Labels { operation, ..Labels::default() });
        // Creating the channel takes longer than most answers, so only clients with a token get one.
        let channel = token.map(|token| -> (Progress, _) {
            let (sender, progress) = broadcast::channel(EVENTS_KEPT);
            let report = move |done: usize, message: String| {
                let params = json!({"progressToken": token, "progress": done, "message": message});
                let json = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params});
                // The client may have disconnected, and then the call is about to be dropped.
                drop(sender.send(json_event("message", None, &to_json(&json))));
            };
            (Arc::new(report), progress)
        });
        let (report, progress) = channel.unzip();
        Ok((Self { request, report, tool: operation }, progress))
    }

    /// Changes what metrics and the log say about the call.
    fn note(&self, change: impl FnOnce(&mut Labels)) {
        self.request.extensions_mut().get_mut().map(change);
    }

    /// The result of the call. A mistake that the model can correct is not a failure of the protocol.
    pub async fn result(&self, arguments: &str) -> Value {
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
        } else if !text.contains("\nstate: ") {
            text += "\nA state is that of an answer, unchanged, or the id of a game for its start.";
        }
        let mut result = in_words(&text);
        result["isError"] = json!(true);
        result
    }

    /// The answer in words, and in data if it is about a position.
    async fn answer(&self, arguments: &str) -> Result<Value, Problem> {
        self.check_names(arguments)?;
        let read = serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(arguments));
        let Object(arguments): Object<Arguments> =
            read.map_err(|error| Failure::unreadable("list of arguments", "argument", &error))?;
        if self.tool == "mcp_rules" {
            return Ok(in_words(&rules(arguments.game)));
        }
        // A state begins with the letter of its game.
        let state = &arguments.state;
        let letter = state.chars().next().map(|letter| letter.to_ascii_uppercase());
        let of_letter = || GameId::ALL.iter().copied().find(|id| Some(id.about().letter) == letter);
        let unknown = || Failure::new(Code::MalformedState, "'state' does not say which game it is of");
        let game = arguments.game.or_else(|| state.parse().ok()).or_else(of_letter).ok_or_else(unknown)?;
        self.note(|asked| asked.game = Some(game));
        with_game!(game, G => answer::<G>(self, game, arguments).await)
    }

    /// Checks that the tool takes the arguments that are given, and that none is missing.
    fn check_names(&self, arguments: &str) -> Result<(), Failure> {
        // Anything but an object is refused when the arguments are read.
        let Ok(given) = serde_json::from_str::<Map<String, Value>>(arguments) else {
            return Ok(());
        };
        let name = self.tool.strip_prefix("mcp_").expect("all names of tools have the prefix");
        let tools = FILE["results"]["tools/list"]["tools"].as_array().expect("the tools are listed");
        let schema =
            &tools.iter().find(|tool| tool["name"] == name).expect("every tool is listed")["inputSchema"];
        if let Some(unknown) = given.keys().find(|&given| schema["properties"].get(given).is_none()) {
            let detail = format!("the tool '{name}' takes no argument '{unknown:.40}'");
            return Err(Failure::invalid_parameter(unknown, detail));
        }
        let required = schema["required"].as_array().expect("the schema lists the required arguments");
        let missing = required.iter().filter_map(Value::as_str).find(|&name| !given.contains_key(name));
        missing.map_or(Ok(()), |missing| {
            Err(Failure::invalid_parameter(missing, format!("the argument '{missing}' is missing")))
        })
    }
}

fn in_words(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

/// The games, or the rules of one.
fn rules(game: Option<GameId>) -> String {
    let about = |game: GameId| {
        let (about, start) = (game.about(), with_game!(game, G => G::default().to_string()));
        format!("{game}: {}. {} Start: {start}\n", about.name, about.goal)
    };
    match game {
        None => GameId::ALL.iter().map(|&game| about(game)).collect(),
        Some(game) => format!("{}\n{}", about(game), game.about().rules),
    }
}

/// What a tool answers about a position, and about moves played from there.
async fn answer<G: Played>(call: &Call, game: GameId, arguments: Arguments) -> Result<Value, Problem> {
    let Arguments { state, moves, begin, all, level, lines, time_ms, seed, .. } = arguments;
    let count = moves.len().min(MAX_MOVES);
    // An analysis is charged when it is searched.
    let price = match call.tool {
        "mcp_analyse" => 1,
        _ if all => PRICES.of(1, count).saturating_mul(PRICES.all_spellings),
        _ => PRICES.of(1, count),
    };
    AppState::of(&call.request).access.charge(&call.request, price)?;
    let seed = Seed::or_drawn(seed);
    let (state, mut notes) = match call.tool {
        "mcp_puzzle" => puzzle::<G>(seed, level)?,
        _ => (state, Vec::new()),
    };
    let start = if state == G::ABOUT.id { G::default() } else { api::read(&state)? };
    let dice = Pcg64::seed_from_u64(seed);
    let mut game =
        InPlay { call, game, record: Record::from(start), dice, happened: Vec::new(), played: Vec::new() };
    game.play_all(&moves).await?;

    let seeded = Seed::try_from(seed).ok();
    let question =
        SuggestionQuestion { lines, level, time_ms, seed: seeded, ..SuggestionQuestion::default() };
    match call.tool {
        "mcp_play" if level.is_some() => {
            let side = if moves.is_empty() { start.turn() } else { !start.turn() };
            game.reply(side, &question).await?;
        }
        "mcp_suggest" => notes = game.suggest(&question).await?,
        "mcp_analyse" => notes = game.analyse(start.to_string()).await?,
        _ => {}
    }
    Ok(game.answer(&begin, all, &notes, seed))
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
    Ok((state, vec![task, format!("Do not show before you are asked: solution {}", solution.join(" "))]))
}

/// A game that is being played in a call.
struct InPlay<'a, G: Played> {
    call: &'a Call,
    game: GameId,
    record: Record<G>,
    dice: Pcg64,
    /// What happened, in words for each ply.
    happened: Vec<String>,
    played: Vec<String>,
}

impl<G: Played> InPlay<'_, G> {
    /// Plays all moves, or none.
    async fn play_all(&mut self, moves: &[String]) -> Result<(), Problem> {
        check_count("moves", moves.len(), MAX_MOVES)?;
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
        let roll = playout::roll::<G>(&mut self.dice).expect("a game in which dice are rolled has rolls");
        self.play(&roll.to_string())
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
        on_depth: Option<OnDepth>,
    ) -> Result<Suggestion, Problem> {
        let request = self.call.request.clone();
        let bounds = &AppState::of(&request).bounds;
        let search = suggestion::searching(&self.record, question, bounds, on_depth)?;
        Search::begin(request, None, self.game, search).await?.answer().await
    }

    /// The best moves and what they are worth.
    async fn suggest(&self, question: &SuggestionQuestion) -> Result<Vec<String>, Problem> {
        let on_depth = self.call.report.clone().map(|report| -> OnDepth {
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
        Ok(lines.collect())
    }

    /// How well the players of the game from a state on have played, and their worst mistakes.
    async fn analyse(&self, state: String) -> Result<Vec<String>, Problem> {
        let (call, moves) = (self.call, self.played.clone());
        let bounds = &AppState::of(&call.request).bounds;
        let nodes = Nodes::try_from(NODES.min(bounds.search.nodes)).ok();
        let question = AnalysisQuestion { state: Some(state), moves, nodes, ..AnalysisQuestion::default() };
        let series = Analysis::series::<G>(&question, bounds)?;
        let (found, _) = operations::found(&call.request, self.game, series)?;
        let (mut found, mut tally) = (pin!(found.enumerate()), Tally::new(!G::ROLLS.is_empty()));
        let mut mistakes = Vec::new();
        while let Some((i, ply)) = found.next().await {
            let ply = ply?;
            tally.add(&ply);
            if let Some(report) = &call.report {
                report(i + 1, format!("{} of {} plies", i + 1, self.played.len()));
            }
            if let AnalysedPly::Move(m) = ply
                && let Some(judgment) = m.judgment
            {
                mistakes.push((judgment, m));
            }
        }
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
        Ok(players.into_iter().chain(mistakes).collect())
    }

    /// The position and what was found about it, in words and in data as `mcp.json` describes it.
    fn answer(self, begin: &str, all: bool, notes: &[String], seed: u64) -> Value {
        let (position, (count, mut moves)) = (self.record.position(), self.legal_moves(begin));
        let board = position.describe().text(position.turn());
        let recent = self.happened[self.happened.len().saturating_sub(RECENT)..].concat();
        let remarks: String = notes.iter().flat_map(|note| [note, "\n"]).collect();
        let text = format!("{recent}{remarks}{board}{}", self.next(count, &moves));
        if all && self.record.stage() == Stage::Move {
            moves = position.every_spelling().map(|(spelling, _)| spelling.to_string()).collect();
        }
        let mut result = in_words(&text);
        result["structuredContent"] = json!({
            "state": position.to_string(),
            "board": board,
            "turn": name(self.game, position.turn()),
            "stage": StageName::from(self.record.stage()),
            "result": standing(self.game, self.record.standing()),
            "played": self.played,
            "count": count,
            "moves": moves,
            "notes": notes,
            "seed": seed,
        });
        result
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
