//! What the tools say about games and positions.

use std::{cmp::Reverse, pin::pin};

use futures_util::{StreamExt as _, stream};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    super::{
        answer::Turn,
        context::RequestContext,
        searching::{Search, SearchOfMany},
    },
    tools::{Arguments, Call, Refused},
};
use crate::{
    game::{Player, Ply, PlyEvent, Record, Stage, playout},
    games::GameId,
    service::{
        self, Failure, MAX_SAFE_INTEGER, Nodes, Played, Seed, Series, StageName, Streamed as _,
        analysis::{AnalysedPly, Analysis, AnalysisQuestion, Tally},
        limits::PRICES,
        suggestion::{self, OnDepth, Suggestion, SuggestionQuestion},
    },
    with_game,
    words::{in_a_line, judgment, name, standing, value},
};

/// What stands in a list of moves where the service is to roll the dice.
const ROLL: &str = "roll";
/// How long a list of moves may be, in characters; of a longer one some moves are told.
const LISTED: usize = 240;
/// How many plies are told in words, the last ones.
const RETOLD: usize = 6;
/// How many mistakes of a game are told, the worst.
const MISTAKES: usize = 8;
/// How many moves of an expected line are told.
const LINE: usize = 5;
/// How often the service replies in one call: an opponent who cannot move could go on for ever.
const REPLIES: usize = 16;
/// How many positions are visited for each move of a game that is analysed.
const NODES: u64 = 20_000;

/// A position, and what was found about it: the text says the same.
#[derive(Serialize, ToSchema)]
pub struct Answer {
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
    /// The legal moves, or some of them.
    moves: Vec<String>,
    /// Of suggest: the best moves. Of analyse: the players and the worst mistakes.
    notes: Vec<String>,
    /// What dice and choices of the service came from.
    seed: u64,
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
    let (about, [one, two]) = (game.about(), game.about().players);
    let players = format!("{one} is player one and begins, {two} is player two.");
    format!("{}. {players} Start: {}\n\n{}", about.name, start(game), about.rules)
}

/// What a tool answers about a position, and about moves played from there.
pub async fn answer<G: Played>(
    call: &Call,
    game: GameId,
    arguments: Arguments,
) -> Result<(String, Answer), Refused> {
    let Arguments { state, moves, begin, level, lines, time_ms, seed, .. } = arguments;
    let (is_analysed, count) = (call.tool == "analyse", moves.len().min(call.state.bounds.max_moves));
    let price = PRICES.of(if is_analysed { count } else { 1 }, count);
    call.state.access.charge(&call.request, price)?;
    let start = read::<G>(&state)?;
    let seed = seed.map_or_else(|| rand::rng().random_range(0..=MAX_SAFE_INTEGER), Seed::get);
    let dice = Pcg64::seed_from_u64(seed);
    let mut game =
        InPlay { call, game, record: Record::from(start), dice, told: Vec::new(), played: Vec::new() };
    game.play_all(&moves).await?;

    let seeded = Seed::try_from(seed).ok();
    let question =
        SuggestionQuestion { lines, level, time_ms, seed: seeded, ..SuggestionQuestion::default() };
    let mut notes = Vec::new();
    match call.tool {
        "play" if level.is_some() => {
            let side = if moves.is_empty() { start.turn() } else { !start.turn() };
            game.reply(side, &question).await?;
        }
        "suggest" => notes = game.suggest(&question).await?,
        "analyse" => notes = game.analyse(start.to_string()).await?,
        _ => {}
    }
    Ok(game.answer(&begin, notes, seed))
}

/// The position of a state, or the start of the game if its name stands there.
fn read<G: Played>(state: &str) -> Result<G, Refused> {
    if state == G::ABOUT.id {
        return Ok(G::default());
    }
    service::read(state).map_err(|failure| {
        let (id, start) = (G::ABOUT.id, G::default());
        let help =
            format!("Hand back the state of an answer, unchanged. A new game of {id} starts with {start}.");
        Refused { problem: failure.into(), help }
    })
}

/// A game that is being played in a call.
struct InPlay<'a, G: Played> {
    call: &'a Call,
    game: GameId,
    record: Record<G>,
    dice: Pcg64,
    /// What happened, in words for each ply.
    told: Vec<String>,
    played: Vec<String>,
}

impl<G: Played> InPlay<'_, G> {
    /// Plays all moves, or none.
    async fn play_all(&mut self, moves: &[String]) -> Result<(), Refused> {
        let limit = self.call.state.bounds.max_moves;
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
                let help = format!("{nothing} {}", self.next(text));
                return Err(Refused { problem: failure.into(), help });
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
        let does = if matches!(events[..], [PlyEvent::Roll(_), ..]) { "rolls" } else { "plays" };
        let mut told = format!("{who} {does} {text}.");
        let spelling = text.parse().ok().filter(|_| before.stage() == Stage::Move);
        for words in spelling.map(|spelling| before.effects(&spelling).in_words).unwrap_or_default() {
            told += &format!(" {words}");
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
    async fn reply(&mut self, side: Player, question: &SuggestionQuestion) -> Result<(), Refused> {
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

    /// What to play.
    async fn search(
        &self,
        question: &SuggestionQuestion,
        on_depth: Option<OnDepth>,
    ) -> Result<Suggestion, Refused> {
        let (context, state) = (RequestContext::of(&self.call.request), self.call.state.clone());
        let search = suggestion::searching(&self.record, question, &state.bounds, on_depth)?;
        let caller = state.access.id(&context.caller);
        Ok(Search::begin(context, state, caller, self.game, search).await?.answer().await?)
    }

    /// The best moves and what they are worth.
    async fn suggest(&self, question: &SuggestionQuestion) -> Result<Vec<String>, Refused> {
        let on_depth = self.call.progress.clone().map(|progress| -> OnDepth {
            let mut last = 0;
            Box::new(move |found| {
                let depth = found.search.depth as usize;
                if std::mem::replace(&mut last, depth) < depth {
                    progress.tell(depth, format!("depth {depth}: {}", found.best));
                }
            })
        });
        let found = self.search(question, on_depth).await?;
        let who = name(self.game, found.turn);
        let lines = found.lines.iter().map(|line| {
            let pv = line.pv[..line.pv.len().min(LINE)].join(" ");
            format!("{}: {}; line {pv}", line.first, value(who, &line.value))
        });
        Ok(lines.collect())
    }

    /// How well the players of the game from a state on have played, and their worst mistakes.
    async fn analyse(&self, state: String) -> Result<Vec<String>, Refused> {
        let (call, moves) = (self.call, self.played.clone());
        let nodes = Nodes::try_from(NODES).ok();
        let question = AnalysisQuestion { state: Some(state), moves, nodes, ..AnalysisQuestion::default() };
        let Series { searches, efforts, held, .. } = Analysis::series::<G>(&question, &call.state.bounds)?;
        let context = RequestContext::of(&call.request);
        let batch = SearchOfMany::begin(context, call.state.clone(), self.game, &efforts)?;
        let mut share = call.state.in_flight.share();
        share.set(held(batch.window()))?;
        let found = stream::iter(searches).map(|search| batch.find(search)).buffered(batch.window());
        let (mut found, mut tally) = (pin!(found.enumerate()), Tally::new(!G::ROLLS.is_empty()));
        let mut mistakes = Vec::new();
        while let Some((i, ply)) = found.next().await {
            let ply = ply?;
            tally.add(&ply);
            if let Some(progress) = &call.progress {
                progress.tell(i + 1, format!("{} of {} plies", i + 1, self.played.len()));
            }
            if let AnalysedPly::Move(m) = ply
                && let Some(judged) = m.judgment
            {
                mistakes.push((judgment(judged), m));
            }
        }
        mistakes.sort_by(|(_, a), (_, b)| b.loss.total_cmp(&a.loss));
        mistakes.truncate(MISTAKES);
        let players = tally.players();
        let players = [(Player::One, players.one), (Player::Two, players.two)]
            .map(|(player, judged)| format!("{}: {}", name(self.game, player), in_a_line(&judged)));
        let mistakes = mistakes.iter().map(|(judgment, m)| {
            let (ply, who, best) = (m.index + 1, name(self.game, m.player), &m.best.text);
            let why = m.why.iter().map(|reason| format!("; {}", reason.message)).collect::<String>();
            format!("ply {ply}, {who} {}: {judgment}, loses {:.2}; best {best}{why}", m.text, m.loss)
        });
        Ok(players.into_iter().chain(mistakes).collect())
    }

    /// The position in words and in data.
    fn answer(self, begin: &str, notes: Vec<String>, seed: u64) -> (String, Answer) {
        let (position, (count, moves)) = (self.record.position(), self.legal_moves(begin));
        let board = position.describe().into().text(position.turn());
        let retold = self.told[self.told.len().saturating_sub(RETOLD)..].concat();
        let noted: String = notes.iter().map(|note| format!("{note}\n")).collect();
        let text = format!("{retold}{noted}{board}{}", self.next(begin));
        let answer = Answer {
            state: position.to_string(),
            board,
            turn: name(self.game, position.turn()),
            stage: self.record.stage().into(),
            result: standing(self.game, self.record.standing()),
            played: self.played,
            count,
            moves,
            notes,
            seed,
        };
        (text, answer)
    }

    /// How many legal moves there are, and those of them that begin most like a text, as many as are listed.
    fn legal_moves(&self, like: &str) -> (usize, Vec<String>) {
        let mut moves = Vec::new();
        if self.record.stage() == Stage::Move {
            self.record.position().list(|spelling, _| moves.push(spelling.to_string()));
        }
        let count = moves.len();
        moves.sort_by_cached_key(|text| {
            Reverse(text.bytes().zip(like.bytes()).take_while(|(a, b)| a == b).count())
        });
        let mut length = 0;
        moves.retain(|text| {
            length += text.len() + 1;
            length <= LISTED
        });
        (count, moves)
    }

    /// Who acts and how, with the legal moves that begin most like a text, and the state.
    fn next(&self, like: &str) -> String {
        let (position, score) = (self.record.position(), standing(self.game, self.record.standing()));
        let who = name(self.game, position.turn());
        let acts = match self.record.stage() {
            Stage::Over(_) => format!("The game is over: {score}."),
            Stage::Roll => format!("{who} to roll, {score}. Play \"{ROLL}\" or a roll such as 63."),
            Stage::Move => {
                let (count, moves) = self.legal_moves(like);
                let some = if moves.len() < count { "; look with `begin` to see others" } else { "" };
                format!("{who} to move, {score}. Legal moves ({count}{some}): {}", moves.join(" "))
            }
        };
        format!("{acts}\nstate: {position}")
    }
}
