//! `tools puzzles`, which makes the files in `crates/engine/src/puzzles`.

use std::{
    collections::{HashMap, HashSet},
    fs::{self, OpenOptions},
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64Mcg;

use crate::{
    arena::{REPETITION_LIMIT, play_on},
    measured_games::each,
};
use cublino_engine::{
    Control, Engine, Level, Options, Playable, SearchLimits, Tablebases, TranspositionTable,
    solver::{ForcedWin, solve},
    whole_file,
};
use cublino_rules::{
    game::{Game, Notation, Player, Record, Stage, playout},
    games::{Contra, Ecke, GameId, Mahbusa, Pur, Wari},
    with_game,
};

/// Make puzzles: positions in which exactly one move is right
///
/// Levels of different strength play games after random openings, and each game gives at most one puzzle. A
/// line is the number of the game, the state, the plies of the win (a hyphen in Mahbusa), the difficulty, and
/// the solution. The number is the seed of the game, and the id of the puzzle. If the file exists, the
/// command resumes after its last line. It continues until each difficulty has 6 % of the puzzles, even
/// beyond the number that you asked for. It stops if 100,000 games in a row give no new puzzle. With
/// `--again`, it makes no puzzles, but measures the difficulty of those in the file again.
#[derive(Args, Clone, Debug)]
pub struct Puzzles {
    /// The game
    game: GameId,
    /// The number of the first game
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Minimum number of puzzles in the file at the end
    #[arg(long, default_value_t = 1_000)]
    count: usize,
    /// The file to write or to continue
    #[arg(long)]
    out: PathBuf,
    /// Measure the difficulties in the file again, and change nothing else
    #[arg(long, conflicts_with_all = ["seed", "count"])]
    again: bool,
}

/// Of a hundred puzzles, at least this many have each difficulty.
const FEWEST_ALIKE: usize = 6;
/// At most one puzzle in this many has the same difficulty, until there are as many as were asked for.
const DIFFICULTIES: usize = 5;
/// Bytes of a transposition table: the searches are short.
const TABLE_BYTES: usize = 1 << 20;
/// The command stops after this many games in a row without a new puzzle: there may be no more.
const MOST_IN_VAIN: u64 = 100_000;
/// A game that takes more moves has no puzzle.
const MAX_MOVES: u32 = 250;
/// Random plies at the beginning of a game, at most.
const MOST_RANDOM: u32 = 12;
/// The players are of levels up to this one: higher ones take longer, and overlook less.
const HIGHEST_LEVEL: u8 = 6;

impl Puzzles {
    /// Adds puzzles to the file until there are enough, or measures their difficulties again.
    pub fn run(&self) -> io::Result<()> {
        with_game!(self.game, G => {
            if self.again { self.measure_again::<G>() } else { self.make::<G>(MOST_IN_VAIN) }
        })
    }

    /// Adds puzzles until there are enough, or until `most_in_vain` games in a row have given no new one.
    fn make<G: Puzzling>(&self, most_in_vain: u64) -> io::Result<()> {
        let text = match fs::read_to_string(&self.out) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read?,
        };
        let whole = whole_lines(&text);
        let (mut number, mut states) = (self.seed, HashSet::new());
        let mut of_difficulty: HashMap<_, _> = Level::all().map(|level| (level.to_string(), 0)).collect();
        for line in whole.lines() {
            let columns: Vec<&str> = line.split(' ').collect();
            let [game, state, _, difficulty, ..] = columns[..] else { return Err(no_puzzle(line)) };
            number = game.parse::<u64>().map_err(|_| no_puzzle(line))? + 1;
            states.insert(state.to_owned());
            *of_difficulty.entry(difficulty.to_owned()).or_insert(0) += 1;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(&self.out)?;
        file.set_len(whole.len() as u64)?;
        let (fewest, most) = (self.count * FEWEST_ALIKE / 100, self.count.div_ceil(DIFFICULTIES));
        let mut in_vain = 0;
        while states.len() < self.count || of_difficulty.values().any(|&alike| alike < fewest) {
            if in_vain == most_in_vain {
                let has = states.len();
                let ends = format!("the last {in_vain} games gave no new puzzle; the file has {has}");
                return Err(io::Error::other(ends));
            }
            in_vain += 1;
            for puzzle in of_game::<G>(number) {
                let state = puzzle.position.to_string();
                let difficulty = difficulty(&puzzle.position, puzzle.solution[0]).to_string();
                let alike = of_difficulty.entry(difficulty.clone()).or_default();
                let is_wanted = *alike < if states.len() < self.count { most } else { fewest };
                if is_wanted && states.insert(state.clone()) {
                    (*alike, in_vain) = (*alike + 1, 0);
                    writeln!(file, "{number} {state} {} {difficulty} {}", puzzle.plies(), puzzle.solution())?;
                    break;
                }
            }
            number += 1;
        }
        println!("{} puzzles from the games up to number {}", states.len(), number - 1);
        Ok(())
    }

    /// Writes the file anew: each line with the difficulty that its puzzle has now.
    fn measure_again<G: Puzzling>(&self) -> io::Result<()> {
        let text = fs::read_to_string(&self.out)?;
        let lines: Vec<&str> = whole_lines(&text).lines().collect();
        let measured = each(lines.len() as u64, |index| {
            let line = lines[usize::try_from(index).expect("lines in memory can be counted")];
            measured_again::<G>(line).ok_or_else(|| no_puzzle(line))
        });
        let measured = measured.into_iter().collect::<io::Result<Vec<_>>>()?;
        whole_file::replace(&self.out, |file| measured.iter().try_for_each(|line| writeln!(file, "{line}")))?;
        let changed = lines.iter().zip(&measured).filter(|(before, after)| before != after).count();
        println!("{changed} of {} puzzles have another difficulty now", lines.len());
        Ok(())
    }
}

fn no_puzzle(line: &str) -> io::Error {
    io::Error::other(format!("this line is not a puzzle: {line}"))
}

/// The lines of a file, without the beginning of one that an interruption may have left.
fn whole_lines(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(0, |end| end + 1)]
}

/// The line of a puzzle, with the difficulty that it has now.
fn measured_again<G: Puzzling>(line: &str) -> Option<String> {
    let mut columns: Vec<&str> = line.split(' ').collect();
    let [_, state, _, _, first, ..] = columns[..] else { return None };
    let position = G::read(state).ok().filter(|position| position.stage() == Stage::Move)?;
    let right = position.resolve(&first.parse().ok()?).ok()?;
    let difficulty = difficulty(&position, right).to_string();
    columns[3] = &difficulty;
    Some(columns.join(" "))
}

/// A position in which one move is right.
struct Puzzle<G: Puzzling> {
    position: G,
    /// The plies of the win; none in Mahbusa.
    plies: Option<u32>,
    /// Best play of both.
    solution: Vec<G::Move>,
}

impl<G: Puzzling> Puzzle<G> {
    /// The plies as they stand in the file.
    fn plies(&self) -> String {
        self.plies.map_or("-".to_owned(), |plies| plies.to_string())
    }

    /// The solution as it stands in the file.
    fn solution(&self) -> String {
        self.position.spell_line(&self.solution).join(" ")
    }
}

/// The first level that finds the right move in three of four tries, or the highest.
fn difficulty<G: Puzzling>(position: &G, right: G::Move) -> Level {
    let (right, engine) = (position.after(right), Engine::built_in::<G>(Tablebases::built_in()));
    let finds = |level: Level, seed| {
        let options = Options { level: Some(level), seed, ..Options::new(SearchLimits::default()) };
        let mut table = TranspositionTable::new(TABLE_BYTES);
        let found = engine.search(position, &options, &Control::new(), &mut table, &mut |_| {});
        position.after(found.best()) == right
    };
    let is_found = |&level: &Level| (1..=4).filter(|&seed| finds(level, seed)).count() >= 3;
    // A puzzle that no level solves has the highest difficulty, so the highest level need not be tried.
    let below = Level::all().filter(|&level| level < Level::HIGHEST);
    below.into_iter().find(is_found).unwrap_or(Level::HIGHEST)
}

/// Plays the game with a number, and looks for puzzles in it.
fn of_game<G: Puzzling>(number: u64) -> Vec<Puzzle<G>> {
    let mut rng = Pcg64Mcg::seed_from_u64(number);
    let engine = Engine::built_in::<G>(Tablebases::built_in());
    let mut table = TranspositionTable::new(TABLE_BYTES);
    let levels = [(); 2].map(|()| Level::try_from(rng.random_range(1..=HIGHEST_LEVEL)).ok());
    let opening = rng.random_range(0..=MOST_RANDOM);
    let (mut moves, mut positions) = (0, Vec::new());
    let mut record = Record::new(G::default(), Some(REPETITION_LIMIT));
    play_on(&mut record, MAX_MOVES, &mut rng, |record, rng| {
        let position = record.position();
        positions.push(*position);
        moves += 1;
        if moves <= opening {
            return playout::choose(position, rng);
        }
        let level = levels[position.turn().index()];
        let options = Options { level, seed: rng.random(), ..Options::new(SearchLimits::default()) };
        engine.search(record, &options, &Control::new(), &mut table, &mut |_| {}).best()
    });
    if record.stage().outcome().is_none() {
        return Vec::new();
    }
    G::choose(positions, &mut rng)
}

/// A position with fewer moves is too easy.
const FEWEST_MOVES: usize = 3;
/// Positions that are looked at, from the end of the game.
const LAST: usize = 24;
/// One game in this many may give a puzzle that its first move wins.
const RARE: u32 = 10;
/// The search for puzzles in a game stops after this many positions that reach a limit of the solver.
const TOO_HARD: u32 = 3;

/// The solver reached a limit, so the answer is unknown.
struct Unknown;

/// A game with puzzles.
trait Puzzling: Playable + Notation {
    /// The most plies of a win.
    const MOST_PLIES: u32 = 7;

    /// The shortest win that `attacker` can force within `most` plies.
    fn win(&self, attacker: Player, most: u32) -> Result<Option<ForcedWin<Self::Move>>, Unknown> {
        solved(self, attacker, most)
    }

    /// The puzzles among the positions of a game, in random order.
    fn choose(positions: Vec<Self>, rng: &mut Pcg64Mcg) -> Vec<Puzzle<Self>> {
        let (mut found, mut too_hard) = (Vec::new(), 0);
        let plies_are_few = !rng.random_ratio(1, RARE);
        for position in positions.into_iter().rev().take(LAST) {
            match puzzle(position) {
                Ok(Some(puzzle)) if plies_are_few && puzzle.plies == Some(1) => {}
                Ok(Some(puzzle)) => found.push(puzzle),
                Ok(None) => {}
                Err(Unknown) => too_hard += 1,
            }
            if too_hard == TOO_HARD {
                break;
            }
        }
        found.shuffle(rng);
        if !plies_are_few {
            found.sort_by_key(|puzzle| puzzle.plies);
        }
        found
    }
}

/// The position as a puzzle, if exactly one first move forces a win within the plies of the shortest, and
/// none does so within two plies more.
fn puzzle<G: Puzzling>(position: G) -> Result<Option<Puzzle<G>>, Unknown> {
    let (attacker, moves) = (position.turn(), position.legal_moves());
    if moves.len() < FEWEST_MOVES {
        return Ok(None);
    }
    let Some(win) = position.win(attacker, G::MOST_PLIES)? else { return Ok(None) };
    let Some(&first) = win.line.first() else { return Ok(None) };
    let right = position.after(first);
    for m in moves {
        let next = position.after(m);
        if next != right && next.win(attacker, win.plies + 1)?.is_some() {
            return Ok(None);
        }
    }
    Ok(Some(Puzzle { position, plies: Some(win.plies), solution: win.line }))
}

/// The node limit for one call of the solver.
const SOLVER_NODES: u64 = 200_000;

/// The answer of the solver.
fn solved<G: Playable>(
    position: &G,
    attacker: Player,
    most: u32,
) -> Result<Option<ForcedWin<G::Move>>, Unknown> {
    if let Stage::Over(outcome) = position.stage() {
        let won = ForcedWin { winner: attacker, plies: 0, line: Vec::new() };
        return Ok((outcome.winner == Some(attacker)).then_some(won));
    }
    let limits = SearchLimits { depth: Some(most), nodes: Some(SOLVER_NODES), time: None };
    let solution = solve(position, &limits, &Control::new(), TABLE_BYTES);
    match solution.win {
        Some(win) if win.winner != attacker => Ok(None),
        Some(win) if win.line.len() == win.plies as usize => Ok(Some(win)),
        None if solution.not_within[attacker.index()].is_none_or(|plies| plies >= most) => Ok(None),
        _ => Err(Unknown),
    }
}

impl Puzzling for Pur {}
impl Puzzling for Contra {}
impl Puzzling for Ecke {}

/// A win is a decided game: 25 prisoners, or the end. The solver would play on to the end.
impl Puzzling for Wari {
    const MOST_PLIES: u32 = 11;

    fn win(&self, attacker: Player, most: u32) -> Result<Option<ForcedWin<Self::Move>>, Unknown> {
        let mut known = HashMap::new();
        let mut forces = |position: &Self, plies| forces(position, attacker, plies, &mut known);
        let Some(plies) = (0..=most).find(|&plies| forces(self, plies)) else { return Ok(None) };
        let (mut position, mut line) = (*self, Vec::new());
        for left in (0..plies).rev() {
            let keeps = |&m: &Self::Move| {
                let next = position.after(m);
                if position.turn() == attacker {
                    forces(&next, left)
                } else {
                    left == 0 || !forces(&next, left - 1)
                }
            };
            let best = position.legal_moves().into_iter().find(keeps).expect("a win has a move");
            line.push(best);
            position = position.after(best);
        }
        Ok(Some(ForcedWin { winner: attacker, plies, line }))
    }
}

/// Whether `attacker` can force a decision in their favour within so many plies.
fn forces(position: &Wari, attacker: Player, plies: u32, known: &mut HashMap<(Wari, u32), bool>) -> bool {
    let outcome = position.stage().outcome();
    let winner = outcome.map_or(position.decided_for(), |outcome| outcome.winner);
    if winner.is_some() || outcome.is_some() || plies == 0 {
        return winner == Some(attacker);
    }
    if let Some(&known) = known.get(&(*position, plies)) {
        return known;
    }
    let mut moves = position.legal_moves().into_iter();
    let mut wins = |m| forces(&position.after(m), attacker, plies - 1, known);
    let forced = if position.turn() == attacker { moves.any(&mut wins) } else { moves.all(&mut wins) };
    known.insert((*position, plies), forced);
    forced
}

/// The least margin, in the expected result, of the best play over any other.
const MARGIN: f64 = 0.1;
/// Depth and nodes of the searches that must agree about the best play, the largest last.
const CHECKS: [(u32, u64); 3] = [(1, u64::MAX), (2, 300_000), (3, 3_000_000)];

impl Puzzling for Mahbusa {
    fn win(&self, _: Player, _: u32) -> Result<Option<ForcedWin<Self::Move>>, Unknown> {
        Ok(None)
    }

    /// A position in which several searches agree about the best play. More would take long.
    fn choose(mut positions: Vec<Self>, rng: &mut Pcg64Mcg) -> Vec<Puzzle<Self>> {
        positions.retain(|position| position.count_moves() >= FEWEST_MOVES);
        positions.shuffle(rng);
        let found = positions.into_iter().find_map(|position| {
            let mut best = CHECKS.iter().map(|&(depth, nodes)| clearly_best(&position, depth, nodes));
            let first = best.next()??;
            best.all(|m| m == Some(first)).then(|| Puzzle { position, plies: None, solution: vec![first] })
        });
        Vec::from_iter(found)
    }
}

/// The best play, if it is better than the second line by [`MARGIN`] or more.
fn clearly_best(position: &Mahbusa, depth: u32, nodes: u64) -> Option<<Mahbusa as Game>::Move> {
    let limits = SearchLimits { depth: Some(depth), nodes: Some(nodes), time: None };
    let options = Options { lines: 2, ..Options::new(limits) };
    let mut table = TranspositionTable::new(TABLE_BYTES);
    let engine = Engine::built_in::<Mahbusa>(Tablebases::built_in());
    let found = engine.search(position, &options, &Control::new(), &mut table, &mut |_| {});
    let [best, second] = &found.lines[..] else { return None };
    (best.value.more_than(&second.value) >= MARGIN).then(|| best.pv[0])
}

#[cfg(test)]
mod tests {
    use tempfile::NamedTempFile;

    use super::*;

    /// The command for a file of Contra.
    fn asked(file: &NamedTempFile, count: usize, again: bool) -> Puzzles {
        let (game, out) = (GameId::CublinoContra, file.path().to_owned());
        Puzzles { game, seed: 5, count, out, again }
    }

    #[test]
    fn an_interrupted_run_is_gone_on_with_and_makes_the_same_puzzles() {
        let file = NamedTempFile::new().unwrap();
        let run = || {
            asked(&file, 6, false).run().unwrap();
            fs::read_to_string(file.path()).unwrap()
        };
        let whole = run();
        assert_eq!(whole.lines().count(), 6);
        for kept in [0, 7, whole.len() / 2, whole.len() - 1, whole.len()] {
            fs::write(file.path(), &whole[..kept]).unwrap();
            assert_eq!(run(), whole, "{kept}");
        }
    }

    #[test]
    fn a_file_has_puzzles_of_each_difficulty() {
        let file = NamedTempFile::new().unwrap();
        asked(&file, 17, false).run().unwrap();
        let text = fs::read_to_string(file.path()).unwrap();
        let difficulties: HashSet<_> = text.lines().map(|line| line.split(' ').nth(3).unwrap()).collect();
        assert!(difficulties.len() == 8 && text.lines().count() >= 17, "{text}");
    }

    #[test]
    fn where_there_are_too_few_puzzles_the_command_ends_and_says_so() {
        let file = NamedTempFile::new().unwrap();
        let error = asked(&file, 1_000, false).make::<Contra>(1).unwrap_err().to_string();
        let count = fs::read_to_string(file.path()).unwrap().lines().count();
        assert_eq!(error, format!("the last 1 games gave no new puzzle; the file has {count}"));
    }

    #[test]
    fn a_difficulty_that_is_wrong_is_put_right_and_nothing_else_changes() {
        let file = NamedTempFile::new().unwrap();
        // Wins in one.
        let right = "153 CWa1Ge1Lb2Ld2Sd5Td6Lg6rb7vf7 1 1 d6d7\n179 cga2ub3Ce3xc5Wf5Pg6 1 1 a2a1\n";
        let interrupted = format!("{right}250 cS");
        for before in [right, &right.replace(" 1 1 ", " 1 8 "), &interrupted] {
            fs::write(file.path(), before).unwrap();
            asked(&file, 0, true).run().unwrap();
            assert_eq!(fs::read_to_string(file.path()).unwrap(), right, "{before}");
        }
    }

    #[test]
    fn a_file_with_a_line_that_is_no_puzzle_stays_as_it_is() {
        let file = NamedTempFile::new().unwrap();
        let puzzle = "153 CWa1Ge1Lb2Ld2Sd5Td6Lg6rb7vf7 1 8 d6d7";
        // Making more puzzles only reads the columns.
        let (both, measuring) = (&[true, false][..], &[true][..]);
        for (line, commands) in [
            ("", both),
            ("153", both),
            (&*puzzle.replace("vf7", "vf9"), measuring),
            (&*puzzle.replace("d6d7", "d6d8"), measuring),
        ] {
            let text = format!("{puzzle}\n{line}\n");
            fs::write(file.path(), &text).unwrap();
            for &again in commands {
                let error = asked(&file, 2, again).run().unwrap_err().to_string();
                assert_eq!(error, format!("this line is not a puzzle: {line}"));
                assert_eq!(fs::read_to_string(file.path()).unwrap(), text);
            }
        }
    }
    #[test]
    fn puzzles_are_as_difficult_as_their_files_say() {
        fn check<G: Puzzling>() {
            for line in G::FILES.puzzles.lines().step_by(50) {
                let id = G::ABOUT.id;
                assert_eq!(measured_again::<G>(line).unwrap(), line, "run `tools puzzles {id} --again`");
            }
        }
        for &game in GameId::ALL {
            with_game!(game, G => check::<G>());
        }
    }
}
