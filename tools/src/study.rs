//! `tools study`, which prints the tables of docs/games.md.

#![expect(clippy::cast_precision_loss, reason = "there are fewer games than a float counts exactly")]

use std::{
    collections::BTreeMap,
    fmt::{self, Display},
    fs, io,
    path::PathBuf,
};

use clap::Args;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::{
    arena::{REPETITION_LIMIT, play_on, result_for},
    dice_worth::DiceWorth,
    measured_games::each,
};
use cublino_engine::{Control, Engine, Options, Playable, SearchLimits, Tablebases, TranspositionTable};
use cublino_rules::{
    game::{EndReason, Notation, Player, Record},
    games::GameId,
    with_game,
};

/// Study a game by strong play
///
/// Plays games of the search against itself, and prints who wins, how long games take and what ends them.
/// With --each, it also prints the results after each first move, or after each first roll in a game with
/// dice.
///
/// The search is deterministic. So that games differ, it picks at random among moves that are nearly as good
/// as the best, for a few moves at the beginning of each game.
#[derive(Args, Clone, Debug)]
pub struct Study {
    /// The game
    game: GameId,
    /// Games from the start
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Games after each first move, or after each first roll
    #[arg(long, default_value_t = 0)]
    each: u64,
    /// Nodes per move; 0 looks one ply ahead, for games with dice
    #[arg(long, default_value_t = 5_000)]
    nodes: u64,
    /// Moves at the beginning of a game that need not be the best
    #[arg(long, default_value_t = 10)]
    varied: u32,
    /// By how much such a move may be worse, in the expected result
    #[arg(long, default_value_t = 0.05)]
    margin: f64,
    /// Random seed for moves and rolls
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// SVG file to write: what a die is worth, in Cublino
    #[arg(long, value_name = "FILE")]
    dice: Option<PathBuf>,
}

/// A game that takes more moves is given up.
const MAX_MOVES: u32 = 400;
/// Bytes of a transposition table: the searches are short.
const TABLE_BYTES: usize = 1 << 20;
/// Moves that are compared where one is picked at random.
const VARIED_LINES: usize = 8;

impl Study {
    /// Plays the games and prints the tables.
    pub fn run(&self) -> io::Result<()> {
        with_game!(self.game, G => study::<G>(self))
    }
}

fn study<G: Playable + Notation>(asked: &Study) -> io::Result<()> {
    let study = SelfPlayer { asked, engine: Engine::built_in::<G>(Tablebases::built_in()) };
    println!("| | games | first wins | draws | second wins | mean result of the first player |");
    println!("|---|---|---|---|---|---|");
    let mut dice = DiceWorth::default();
    let mut games = study.play::<G>(None, asked.games, &mut dice);
    println!("| from the start | {games} |");

    let start = Record::new(G::default(), None);
    let first: Vec<String> = if G::ROLLS.is_empty() {
        let mut moves = Vec::new();
        start.position().generate(&mut moves);
        moves.iter().map(|&m| start.position().spell(m).to_string()).collect()
    } else {
        G::ROLLS.iter().map(|(roll, _)| roll.to_string()).collect()
    };
    for text in first.iter().filter(|_| asked.each > 0) {
        let games = study.play::<G>(Some(text), asked.each, &mut DiceWorth::default());
        println!("| {text} | {games} |");
    }

    println!("\n{}", games.lengths());
    for (end, &count) in &games.ends {
        println!("- {end}: {:.1} % ({count})", games.percent(count));
    }
    if let Some(file) = &asked.dice {
        fs::write(file, dice.picture())?;
    }
    Ok(())
}

/// The command, and the engine that plays.
struct SelfPlayer<'a> {
    asked: &'a Study,
    engine: Engine,
}

impl SelfPlayer<'_> {
    /// Plays games that begin with a move or a roll, or from the start.
    fn play<G: Playable + Notation>(&self, first: Option<&str>, games: u64, dice: &mut DiceWorth) -> Games {
        let mut start = Record::new(G::default(), Some(REPETITION_LIMIT));
        if let Some(text) = first {
            start.play(text).expect("what is legal can be played");
        }
        let played = each(games, |number| {
            let mut rng = Pcg64Mcg::seed_from_u64(self.asked.seed.wrapping_add(number));
            let mut table = TranspositionTable::new(TABLE_BYTES);
            let (mut moves, mut worth) = (0, DiceWorth::default());
            let mut game = start.clone();
            play_on(&mut game, MAX_MOVES, &mut rng, |record, rng| {
                moves += 1;
                let is_varied = moves <= self.asked.varied;
                if !is_varied {
                    worth.count(record.position(), &self.engine.evaluator.network);
                }
                self.choose(record, is_varied, &mut table, rng)
            });
            let end = game.stage().outcome().map(|outcome| outcome.reason);
            (result_for(&game, Player::One), end, moves, worth)
        });
        let mut all = Games::default();
        for (result, end, moves, worth) in played {
            all.add(result, end, moves);
            dice.add(&worth);
        }
        all
    }

    /// The best move, or one of those that are nearly as good.
    fn choose<G: Playable + Notation>(
        &self,
        record: &Record<G>,
        is_varied: bool,
        table: &mut TranspositionTable,
        rng: &mut Pcg64Mcg,
    ) -> G::Move {
        let limits = match self.asked.nodes {
            0 => SearchLimits { depth: Some(1), ..SearchLimits::default() },
            nodes => SearchLimits { nodes: Some(nodes), ..SearchLimits::default() },
        };
        let mut options = Options::new(limits);
        if is_varied {
            options.lines = VARIED_LINES;
        }
        let found = self.engine.search(record, &options, &Control::new(), table, &mut |_| {});
        let best = found.lines[0].value.expected;
        let good =
            found.lines.iter().take_while(|line| best - line.value.expected <= self.asked.margin).count();
        found.lines[if is_varied { rng.random_range(..good) } else { 0 }].pv[0]
    }
}

/// Results, lengths and ends of games.
#[derive(Default)]
struct Games {
    wins: u32,
    draws: u32,
    losses: u32,
    /// How many moves each took.
    moves: Vec<u32>,
    /// How often each rule ended one.
    ends: BTreeMap<&'static str, u32>,
}

impl Games {
    fn add(&mut self, result: i8, end: Option<EndReason>, moves: u32) {
        match result {
            1 => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
        self.moves.push(moves);
        let end = end.map_or("given up as endless", EndReason::in_words);
        *self.ends.entry(end).or_default() += 1;
    }

    fn percent(&self, count: u32) -> f64 {
        100.0 * f64::from(count) / self.moves.len() as f64
    }

    /// The lengths of games: the median, and the range of the middle 80 %.
    fn lengths(&mut self) -> String {
        self.moves.sort_unstable();
        let at = |tenths: usize| self.moves[(self.moves.len() - 1) * tenths / 10];
        format!("Length: median {} moves; 80 % of the games take {} to {} moves", at(5), at(1), at(9))
    }
}

impl Display for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.moves.len() as f64;
        let mean = (f64::from(self.wins) - f64::from(self.losses)) / count;
        let square = f64::from(self.wins + self.losses) / count;
        let error = ((square - mean * mean) / count).sqrt();
        let [wins, draws, losses] = [self.wins, self.draws, self.losses].map(|part| self.percent(part));
        write!(f, "{count} | {wins:.1} % | {draws:.1} % | {losses:.1} % | {mean:+.3} ± {error:.3}")
    }
}
