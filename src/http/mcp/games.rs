//! What the tools say about games and positions.

use std::{collections::BTreeMap, pin::pin};

use futures_util::{StreamExt as _, stream};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    super::{answer::Turn, context::RequestContext, searching::SearchOfMany},
    tools::{Analyse, Call, Look, Play, Refused, Suggest, Told},
};
use crate::{
    game::{Player, Ply, PlyEvent, Record, Stage, playout},
    games::{GameId, described::Position},
    service::{
        self, Failure, MAX_SAFE_INTEGER, Nodes, Played, Seed, Series, StageName, Streamed as _,
        analysis::{AnalysedMove, AnalysedPly, Analysis, AnalysisQuestion, Tally},
        limits::PRICES,
        suggestion::{self, LevelNumber, Suggestion, SuggestionQuestion},
    },
    with_game,
    words::{in_a_line, judgment, name, standing, value},
};

/// How long a list of moves may be, in characters; of a longer one only the beginnings are told.
const LISTED: usize = 240;
/// How many plies are told in words, the last ones.
const RETOLD: usize = 6;
/// How many mistakes of a game are told, the worst.
const MISTAKES: usize = 8;
/// How many moves of an expected line are told.
const LINE: usize = 5;
/// How often the service replies in one call: an opponent who cannot move could go on for ever.
const REPLIES: usize = 16;
/// How many positions are visited for each move of a game by default.
const NODES: u64 = 20_000;

/// A position, after the moves of a call.
#[derive(Serialize, ToSchema)]
pub struct View {
    /// Hand this back in the next call.
    state: String,
    board: String,
    /// Who is to move or to roll.
    turn: &'static str,
    #[schema(inline)]
    stage: StageName,
    /// The score, and at the end who has won and why.
    result: String,
    /// What was played in this call, dice and replies included.
    played: Vec<String>,
    /// How many legal moves there are.
    count: usize,
    /// The legal moves, if they are few.
    moves: Vec<String>,
    /// What the dice and replies of this call came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    seed: Option<u64>,
}

/// The best moves of a position.
#[derive(Serialize, ToSchema)]
pub struct Suggested {
    state: String,
    /// The move to play.
    #[serde(rename = "move")]
    best: String,
    #[schema(inline)]
    lines: Vec<Line>,
}

#[derive(Serialize, ToSchema)]
struct Line {
    #[serde(rename = "move")]
    first: String,
    /// 1 a win, 0 a draw, -1 a loss for the player to move.
    value: f64,
    /// How play goes on.
    line: Vec<String>,
}

/// A game that has been judged.
#[derive(Serialize, ToSchema)]
pub struct Judged {
    /// The state after the last move.
    state: String,
    result: String,
    /// How well each player played, player one first.
    players: [String; 2],
    /// The worst mistakes, in the order of the game.
    #[schema(inline)]
    mistakes: Vec<Mistake>,
}

#[derive(Serialize, ToSchema)]
struct Mistake {
    /// The place in the list of moves, counted from 1.
    ply: usize,
    player: &'static str,
    #[serde(rename = "move")]
    played: String,
    judgment: &'static str,
    best: String,
    /// How much worse it was, 0 to 2.
    loss: f64,
    why: Vec<String>,
}

/// The games, or the rules of one.
pub fn rules(game: Option<GameId>) -> String {
    let start = |game| with_game!(game, G => G::default().to_string());
    let Some(game) = game else {
        let games = GameId::ALL.iter().map(|&game| {
            let about = game.about();
            format!("{game}: {}. {} Start: {}\n", about.name, about.goal, start(game))
        });
        return games.collect::<String>() + "Call rules with a game for its rules.";
    };
    let (about, board) = (game.about(), with_game!(game, G => board(&G::default(), Player::One)));
    let legend = with_game!(game, G => legend::<G>());
    let [one, two] = about.players;
    format!(
        "{}. {one} is player one and begins, {two} is player two. Levels for reply and suggest: 1, a \
         beginner, to 8, nearly full strength.\n\nStart: {}\n{board}{legend}\n\n{}",
        about.name,
        start(game),
        about.rules
    )
}

/// A position as it is.
pub fn look<G: Played>(game: GameId, question: &Look) -> Result<Told, Refused> {
    let record = Record::from(read::<G>(&question.state)?);
    let (text, view) = view(game, &record, &question.begin);
    Ok(Told::new(text, &view))
}

/// Plays moves, and perhaps answers them.
pub async fn play<G: Played>(call: &Call, game: GameId, question: &Play) -> Result<Told, Refused> {
    let count = question.moves.len().min(call.state.bounds.max_moves);
    call.state.access.charge(&call.request, PRICES.of(1, count))?;
    let start = read::<G>(&question.state)?;
    let seed = question.seed.map_or_else(|| rand::rng().random_range(0..=MAX_SAFE_INTEGER), Seed::get);
    let mut game = InPlay::new(game, start, seed);
    game.play_all(&question.moves, call.state.bounds.max_moves).await?;
    if let Some(level) = question.reply {
        let replies = if question.moves.is_empty() { start.turn() } else { !start.turn() };
        game.reply(call, replies, level, seed).await?;
    }
    let InPlay { game, record, told, played, .. } = game;
    let (text, mut view) = view(game, &record, "");
    let text = told[told.len().saturating_sub(RETOLD)..].concat() + &text;
    view.seed = (question.reply.is_some() || question.moves.iter().any(|text| text == ROLL)).then_some(seed);
    view.played = played;
    Ok(Told::new(text, &view))
}

/// What stands in a list of moves where the service is to roll the dice.
const ROLL: &str = "roll";

/// A game that is being played in a call.
struct InPlay<G: Played> {
    game: GameId,
    record: Record<G>,
    dice: Pcg64,
    /// What happened, a sentence or more for each ply.
    told: Vec<String>,
    played: Vec<String>,
}

impl<G: Played> InPlay<G> {
    fn new(game: GameId, start: G, seed: u64) -> Self {
        let (record, dice) = (Record::from(start), Pcg64::seed_from_u64(seed));
        Self { game, record, dice, told: Vec::new(), played: Vec::new() }
    }

    /// Plays all moves, or none.
    async fn play_all(&mut self, moves: &[String], limit: usize) -> Result<(), Refused> {
        if moves.len() > limit {
            let detail = format!("'moves' has {} entries, and must have no more than {limit}", moves.len());
            return Err(Failure::invalid_parameter("moves", detail).into());
        }
        let turn = Turn::begin();
        for (i, text) in moves.iter().enumerate() {
            let is_roll = text == ROLL && self.record.stage() == Stage::Roll;
            let played = if is_roll { self.roll() } else { self.play(text) };
            if let Err(failure) = played {
                let nothing = match i {
                    0 => "Nothing was played.".to_owned(),
                    i => format!("The first {i} moves are legal, but nothing was played. After them:"),
                };
                let (position, acts) =
                    (self.record.position(), acts(self.game, &self.record, &legal(&self.record), text));
                return Err(Refused::with_help(
                    failure.at(i),
                    format!("{nothing} {acts}\nstate: {position}"),
                ));
            }
            turn.pass().await;
        }
        Ok(())
    }

    /// Plays a move or a roll.
    fn play(&mut self, text: &str) -> Result<(), Failure> {
        let before = *self.record.position();
        let Ply { text, player, events, .. } = self.record.play(text)?;
        let who = name(self.game, player);
        let mut told = match events.first() {
            Some(PlyEvent::Roll(_)) => format!("{who} rolls {text}."),
            Some(PlyEvent::Pass(_)) => format!("{who} cannot move and passes."),
            _ => format!("{who} plays {text}."),
        };
        let spelling = text.parse().ok().filter(|_| before.stage() == Stage::Move);
        for words in spelling.map(|spelling| before.effects(&spelling).in_words).unwrap_or_default() {
            told += &format!(" {words}");
        }
        if let Some(PlyEvent::TurnSkipped(player)) = events.last() {
            told += &format!(" {} cannot move and is skipped.", name(self.game, *player));
        }
        self.told.push(told + "\n");
        self.played.push(text);
        Ok(())
    }

    /// Rolls the dice.
    fn roll(&mut self) -> Result<(), Failure> {
        let roll = playout::roll::<G>(&mut self.dice).expect("a game in which dice are rolled has rolls");
        self.play(&roll.to_string())
    }

    /// Plays for one side, and rolls for both, until the other side has a choice or the game is over.
    async fn reply(
        &mut self,
        call: &Call,
        side: Player,
        level: LevelNumber,
        seed: u64,
    ) -> Result<(), Refused> {
        for _ in 0..REPLIES {
            while self.record.stage() == Stage::Roll {
                self.roll()?;
            }
            if self.record.stage() != Stage::Move || self.record.position().turn() != side {
                break;
            }
            let (level, seed) = (Some(level), Seed::try_from(seed).ok());
            let question = SuggestionQuestion { level, seed, ..SuggestionQuestion::default() };
            let search = suggestion::searching(&self.record, &question, &call.state.bounds, None)?;
            let found = call.search(self.game, search).await?;
            self.play(&found.best)?;
        }
        Ok(())
    }
}

/// The best moves of a position.
pub async fn suggest<G: Played>(call: &Call, game: GameId, suggest: Suggest) -> Result<Told, Refused> {
    let Suggest { state, moves, lines, level, time_ms, depth, seed } = suggest;
    call.state.access.charge(&call.request, PRICES.of(1, moves.len().min(call.state.bounds.max_moves)))?;
    let mut game = InPlay::<G>::new(game, read(&state)?, 0);
    game.play_all(&moves, call.state.bounds.max_moves).await?;
    let lines = lines.map(|lines| lines.get().try_into()).transpose().expect("the range is narrower");
    let question = SuggestionQuestion { lines, level, time_ms, depth, seed, ..SuggestionQuestion::default() };
    let mut progress = call.progress.clone();
    let on_depth = move |found: Suggestion| {
        let depth = usize::try_from(found.search.depth).unwrap_or(usize::MAX);
        progress.tell(depth, None, || format!("depth {depth}: {}", found.best));
    };
    let search =
        suggestion::searching(&game.record, &question, &call.state.bounds, Some(Box::new(on_depth)))?;
    let found = call.search(game.game, search).await?;
    let who = name(game.game, found.turn);
    let mut text = format!("Best for {who}: {}\n", found.best);
    let lines = found.lines.into_iter().map(|mut line| {
        line.pv.truncate(LINE);
        let worth = value(who, &line.value);
        text += &format!("{}: {worth}; line {}\n", line.first, line.pv.join(" "));
        Line { first: line.first, value: line.value.expected, line: line.pv }
    });
    let lines = lines.collect();
    text += &format!("Searched {} plies deep.\nstate: {}", found.search.depth, found.state);
    Ok(Told::new(text, &Suggested { state: found.state, best: found.best, lines }))
}

/// A whole game, judged.
pub async fn analyse<G: Played>(call: &Call, game: GameId, analyse: Analyse) -> Result<Told, Refused> {
    let Analyse { state, moves, nodes } = analyse;
    let start = read::<G>(&state)?;
    let nodes = nodes.or_else(|| Nodes::try_from(NODES).ok());
    let question =
        AnalysisQuestion { state: Some(start.to_string()), moves, nodes, ..AnalysisQuestion::default() };
    let series = Analysis::series::<G>(&question, &call.state.bounds)?;
    let Series { searches, efforts, price: (positions, moves), held, .. } = series;
    call.state.access.charge(&call.request, PRICES.of(positions, moves))?;
    let context = RequestContext::of(&call.request);
    let batch = SearchOfMany::begin(context, call.state.clone(), game, &efforts)?;
    let mut share = call.state.in_flight.share();
    share.set(held(batch.window()))?;
    let found = stream::iter(searches).map(|search| batch.find(search)).buffered(batch.window());
    let (mut found, mut tally, mut mistakes) = (pin!(found), Tally::new(!G::ROLLS.is_empty()), Vec::new());
    let (mut progress, mut done) = (call.progress.clone(), 0);
    while let Some(ply) = found.next().await {
        let ply = ply?;
        tally.add(&ply);
        done += 1;
        progress.tell(done, Some(positions), || format!("{done} of {positions} plies"));
        if let AnalysedPly::Move(m) = ply
            && let Some(judged) = m.judgment
        {
            mistakes.push((judged, m));
        }
    }
    mistakes.sort_by(|(_, a), (_, b)| b.loss.total_cmp(&a.loss));
    mistakes.truncate(MISTAKES);
    mistakes.sort_by_key(|(_, m)| m.index);
    let players = tally.players();
    let players = [(Player::One, players.one), (Player::Two, players.two)]
        .map(|(player, judged)| format!("{}: {}", name(game, player), in_a_line(&judged)));
    let record =
        service::PositionQuestion { state: start.to_string(), moves: question.moves, ..Default::default() }
            .record::<G>(call.state.bounds.max_moves)?;
    let (state, result) = (record.position().to_string(), standing(game, record.standing()));
    let mut text = format!("{result}\n{}\n", players.join("\n"));
    let mistakes = mistakes.into_iter().map(|(judged, m)| {
        let AnalysedMove { index, player, text: played, best, loss, why, .. } = m;
        let (ply, player, judgment) = (index + 1, name(game, player), judgment(judged));
        let why: Vec<_> = why.into_iter().map(|reason| reason.message).collect();
        text += &format!("Ply {ply}, {player} {played}: {judgment}, loses {loss:.2}; best {}", best.text);
        text += &why.iter().map(|reason| format!("; {reason}")).collect::<String>();
        text.push('\n');
        Mistake { ply, player, played, judgment, best: best.text, loss, why }
    });
    let mistakes = mistakes.collect();
    Ok(Told::new(text, &Judged { state, result, players, mistakes }))
}

/// The position of a state, or the start of the game if its name stands there.
fn read<G: Played>(state: &str) -> Result<G, Refused> {
    if state == G::ABOUT.id {
        return Ok(G::default());
    }
    service::read(state).map_err(|failure| {
        let help = format!(
            "Hand back the state of an answer, unchanged. A new game of {} starts with {}.",
            G::ABOUT.id,
            G::default()
        );
        Refused::with_help(failure, help)
    })
}

fn legend<G: Played>() -> &'static str {
    let position: Position = G::default().describe().into();
    position.legend()
}

fn board<G: Played>(position: &G, seen_by: Player) -> String {
    position.describe().into().text(seen_by)
}

/// A position in text and data, with the legal moves that begin with a text.
fn view<G: Played>(game: GameId, record: &Record<G>, begin: &str) -> (String, View) {
    let (position, stage) = (record.position(), record.stage());
    let (board, mut moves) = (board(position, position.turn()), legal(record));
    let text = format!("{board}{}\nstate: {position}", acts(game, record, &moves, begin));
    let count = moves.len();
    moves.retain(|text| text.starts_with(begin));
    if length(&moves) > LISTED {
        moves.clear();
    }
    let view = View {
        state: position.to_string(),
        board,
        turn: name(game, position.turn()),
        stage: stage.into(),
        result: standing(game, record.standing()),
        played: Vec::new(),
        count,
        moves,
        seed: None,
    };
    (text, view)
}

/// The legal moves of a game as far as it has been played.
fn legal<G: Played>(record: &Record<G>) -> Vec<String> {
    let mut moves = Vec::new();
    if record.stage() == Stage::Move {
        record.position().list(|spelling, _| moves.push(spelling.to_string()));
    }
    moves
}

fn length(moves: &[String]) -> usize {
    moves.iter().map(|text| text.len() + 1).sum()
}

/// Who acts and how: the legal moves that begin like a text, as many letters as any do.
fn acts<G: Played>(game: GameId, record: &Record<G>, all: &[String], like: &str) -> String {
    let who = name(game, record.position().turn());
    let score = standing(game, record.standing());
    match record.stage() {
        Stage::Over(_) => return format!("The game is over: {score}."),
        Stage::Roll => return format!("{who} to roll, {score}. Play \"{ROLL}\" or a roll such as 63."),
        Stage::Move => {}
    }
    let alike = |text: &&String| text.bytes().zip(like.bytes()).take_while(|(a, b)| a == b).count();
    let most = if length(all) <= LISTED { 0 } else { all.iter().map(|text| alike(&text)).max().unwrap_or(0) };
    let moves: Vec<_> = all.iter().filter(|text| alike(text) >= most).cloned().collect();
    let mut heading = format!("{who} to move, {score}. Legal moves ({}", all.len());
    if most > 0 {
        heading += &format!(", of which {} begin with {}", moves.len(), &like[..most]);
    }
    if length(&moves) <= LISTED {
        return format!("{heading}): {}", moves.join(" "));
    }
    let mut beginnings = BTreeMap::<_, usize>::new();
    for text in &moves {
        *beginnings.entry(text.chars().take(most + 2).collect::<String>()).or_default() += 1;
    }
    let beginnings: Vec<_> = beginnings.iter().map(|(begin, count)| format!("{begin}… {count}")).collect();
    format!("{heading}) begin so: {}. Look with `begin` to list some.", beginnings.join(", "))
}
