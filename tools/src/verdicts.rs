//! `tools verdicts`, which measures whether the verdicts of `analysis` hold.

use std::{fs, io, path::PathBuf};

use clap::Args;
use rand::{RngExt, SeedableRng, seq::IteratorRandom};
use rand_pcg::Pcg64Mcg;

use crate::measured_games::{OPENING, each};
use cublino_api::{
    Bounds, Nodes, Played, RepetitionLimit, Series as _,
    analysis::{
        AnalysedMove, AnalysedPly, Analysis, AnalysisLine, AnalysisQuestion, ExplanationKind, Judgment,
    },
    limits::SearchAllowance,
    to_json,
};
use cublino_engine::{
    Control, Engine, GameResult, Level, Line, Options, RootPosition, SearchLimits, Tablebases,
    TranspositionTable,
};
use cublino_rules::{
    game::{Record, playout},
    games::GameId,
    with_game,
};

use crate::arena::{REPETITION_LIMIT, play_on};

/// Measure whether the verdicts of an analysis hold
///
/// Plays games of the levels 2 to 5 after random openings, and analyses them. For each mistake and blunder,
/// it searches the best and the played move again, with many more nodes. That takes the verdict back if the
/// loss is below 0.1. The reason `win-missed` is false if the played move is proven to win as well, and
/// `loss-proven` if the best move is proven to lose as well.
#[derive(Args, Clone, Debug)]
pub struct Verdicts {
    /// The game
    game: GameId,
    /// Games to play
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Nodes of the analysis for each position
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Factor for the nodes when a verdict is searched again
    #[arg(long, default_value_t = 20)]
    times: u64,
    /// Random seed for openings, rolls and errors
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File to write the games to, for `cublino analyse`
    #[arg(long, value_name = "FILE")]
    games_to: Option<PathBuf>,
    /// Print each verdict that is taken back
    #[arg(long)]
    each: bool,
}

/// A game that takes more moves is given up.
const MAX_MOVES: u32 = 200;
/// Bytes of a transposition table: that of the service by default.
const TABLE_BYTES: usize = 16 << 20;

impl Verdicts {
    /// Plays and analyses the games, and prints the table.
    pub fn run(&self) -> io::Result<()> {
        with_game!(self.game, G => self.measure::<G>())
    }

    fn measure<G: Played>(&self) -> io::Result<()> {
        let found = each(self.games, |number| {
            let game = self.game::<G>(self.seed.wrapping_add(number));
            (self.count::<G>(&game), game)
        });
        let mut all = Count::default();
        let mut games = String::new();
        for (count, game) in found {
            all.add(count);
            games += &(to_json(&game) + "\n");
        }
        if let Some(file) = &self.games_to {
            fs::write(file, games)?;
        }
        for line in all.taken_back.iter().filter(|_| self.each) {
            println!("{line}");
        }
        let Count { plies, nodes, verdicts, explained, taken_back, proofs, false_proofs } = all;
        println!("| game | games | plies | verdicts | taken back | with a reason | proofs | false | nodes |");
        println!("|---|---|---|---|---|---|---|---|---|");
        println!(
            "| {} | {} | {plies} | {verdicts} | {} | {explained} | {proofs} | {false_proofs} | {nodes} |",
            self.game,
            self.games,
            taken_back.len(),
        );
        Ok(())
    }

    /// A game between two levels.
    fn game<G: Played>(&self, seed: u64) -> AnalysisQuestion {
        let engine = Engine::built_in::<G>(Tablebases::built_in());
        let (mut rng, mut table) = (Pcg64Mcg::seed_from_u64(seed), TranspositionTable::new(1 << 20));
        let players =
            [(); 2].map(|()| Level::all().filter(|level| (2..=5).contains(&level.get())).choose(&mut rng));
        let start =
            playout::positions(G::default(), OPENING, &mut rng).last().expect("there is a first position");
        let mut record = Record::new(start, Some(REPETITION_LIMIT));
        let moves = play_on(&mut record, MAX_MOVES, &mut rng, |record, rng| {
            let level = players[record.position().turn().index()];
            let options = Options { level, seed: rng.random(), ..Options::new(SearchLimits::default()) };
            engine.search(record, &options, &Control::new(), &mut table, &mut |_| {}).best()
        });
        AnalysisQuestion {
            state: Some(start.to_string()),
            moves,
            repetition_limit: RepetitionLimit::try_from(u64::from(REPETITION_LIMIT)).ok(),
            nodes: Nodes::try_from(self.nodes).ok(),
            ..AnalysisQuestion::default()
        }
    }

    /// Analyses a game, and checks its verdicts.
    fn count<G: Played>(&self, game: &AnalysisQuestion) -> Count {
        let search = SearchAllowance {
            time_ms: 600_000,
            depth: 100,
            nodes: 1_000_000_000,
            lines: 1,
            full_answer_ms: 600_000,
        };
        let bounds = Bounds { search, table_bytes: TABLE_BYTES, tablebases: Tablebases::built_in() };
        let mut series = Analysis::series::<G>(game, &bounds).expect("the game has been played");
        let mut table = TranspositionTable::new(TABLE_BYTES);
        let (mut count, mut judged) = (Count::default(), Vec::new());
        series.run(&mut table, &mut |line| {
            let AnalysisLine::Ply(ply) = line else { return };
            count.plies += 1;
            match ply {
                AnalysedPly::Roll(roll) => count.nodes += roll.search.nodes,
                AnalysedPly::Move(m) => {
                    count.nodes += m.search.nodes;
                    judged.extend((m.judgment >= Some(Judgment::Mistake)).then_some(m));
                }
            }
        });
        for m in judged {
            self.check::<G>(game, &m, &mut table, &mut count);
        }
        count
    }

    /// Searches the best and the played move of a verdict again.
    fn check<G: Played>(
        &self,
        game: &AnalysisQuestion,
        m: &AnalysedMove,
        table: &mut TranspositionTable,
        count: &mut Count,
    ) {
        let start = game.state.as_deref().and_then(|state| G::read(state).ok()).expect("a state of the game");
        let mut record = Record::new(start, Some(REPETITION_LIMIT));
        for text in &game.moves[..m.index] {
            record.play(text).expect("the game has been played");
        }
        let position = *record.position();
        let after = |text: &str| record.clone().play(text).expect("the move is legal").position;
        let [best, played] = [after(&m.best.text), after(&m.text)];
        let mut moves = position.legal_moves();
        moves.retain(|&other| [best, played].contains(&position.after(other)));
        let limits = SearchLimits { nodes: Some(self.nodes * self.times), ..SearchLimits::default() };
        let options = Options { lines: 2, ..Options::new(limits) };
        let root = RootPosition::from(&record).with_moves(moves);
        let engine = Engine::built_in::<G>(Tablebases::built_in());
        let found = engine.search(root, &options, &Control::new(), table, &mut |_| {});
        let value = |next: G| {
            let is_it = |line: &&Line<G::Move>| position.after(line.pv[0]) == next;
            found.lines.iter().find(is_it).expect("it has been searched").value
        };
        let loss = value(best).more_than(&value(played));
        count.verdicts += 1;
        count.explained += usize::from(!m.why.is_empty());
        let is_proven = |next, result| value(next).proven.is_some_and(|proven| proven.result == result);
        for reason in &m.why {
            let is_false = match reason.kind {
                ExplanationKind::WinMissed => is_proven(played, GameResult::Win),
                ExplanationKind::LossProven => is_proven(best, GameResult::Loss),
                _ => continue,
            };
            count.proofs += 1;
            count.false_proofs += usize::from(is_false);
        }
        if loss < 0.1 {
            let AnalysedMove { index, text, best, loss: judged, .. } = m;
            count.taken_back.push(format!(
                "{position} ply {index}: {text} loses {judged:.2} against {}, and {loss:.2} after {} plies",
                best.text, found.depth
            ));
        }
    }
}

/// What was found.
#[derive(Default)]
struct Count {
    plies: u64,
    nodes: u64,
    /// Mistakes and blunders.
    verdicts: usize,
    /// Those with a reason.
    explained: usize,
    /// Those that are taken back, in words.
    taken_back: Vec<String>,
    /// Reasons that speak of a proof, and those of them that are false.
    proofs: usize,
    false_proofs: usize,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.plies += other.plies;
        self.nodes += other.nodes;
        self.verdicts += other.verdicts;
        self.explained += other.explained;
        self.taken_back.extend(other.taken_back);
        self.proofs += other.proofs;
        self.false_proofs += other.false_proofs;
    }
}
