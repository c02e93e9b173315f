//! `tools rollout`: rolls out plays of Mahbusa, and measures what players lose by theirs.

#![expect(clippy::cast_precision_loss, reason = "there are fewer trials than a float counts exactly")]

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    num::NonZeroUsize,
    ops::ControlFlow,
    path::PathBuf,
    thread::available_parallelism,
    time::Instant,
};

use clap::Args;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

use crate::{
    arena::{Contestant, Spec, in_order},
    self_play::expected_before_roll,
};
use cublino_engine::{Learned, Playable, RootPosition, Tablebases};
use cublino_rules::{
    game::{Game, Notation, Player, Stage, playout},
    games::Mahbusa,
};

/// Roll out decisions of Mahbusa, and measure what players lose
///
/// Each game that the static evaluation plays against itself gives one decision: a roll whose plays differ in
/// the static evaluation. The best plays by a search of two plies are rolled out with common dice. Both sides
/// play on by the static evaluation, the luck of each roll is subtracted (variance reduction), and after some
/// plies the trial is cut off and evaluated statically. One half of the trials and the search select the best
/// play. The other half measures the loss against it, so that chance does not look like a loss.
///
/// A line of the file is a decision. If the file exists, the command resumes after its last line. If a player
/// chooses a play that is not in the file, the command rolls it out and adds it.
#[derive(Args, Clone, Debug)]
pub struct Rollout {
    /// The file
    #[arg(long)]
    file: PathBuf,
    /// Decisions in the file at the end
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// The number of the first game; the number of a game is its random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Rounds of 36 trials in each half, one for each roll; only plays that may be best get more than one
    /// round
    #[arg(long, default_value_t = 2)]
    rounds: u32,
    /// Plies after which a trial is cut off
    #[arg(long, default_value_t = 8)]
    plies: u32,
    /// Threads [default: one for each processor]
    #[arg(
        long, hide_default_value = true,
        default_value_t = available_parallelism().unwrap_or(NonZeroUsize::MIN)
    )]
    threads: NonZeroUsize,
    /// A player to measure, as in `match`: greedy, depth=2, time=100, level=3,network=FILE
    #[arg(long = "player", value_name = "SPEC")]
    players: Vec<String>,
}

/// A decision, as a line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Decision {
    /// The number of the game.
    number: u64,
    /// How many decisions the game had.
    of: u32,
    state: String,
    plays: Vec<Judged>,
}

/// What a play is worth to the player who makes it, from -1 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Judged {
    play: String,
    /// By a search of two plies.
    searched: f64,
    /// By the trials of each half.
    halves: [f64; 2],
    /// The standard error of the mean of both halves.
    error: f64,
}

/// A play of a player, and how long it took in milliseconds.
type Chosen = (String, f64);

/// The least difference in the static evaluation that makes a roll a decision.
const LEAST_DIFFERENCE: f64 = 0.002;
/// The difference is that between the best play and this one, or the last of fewer.
const COMPARED: usize = 10;
/// The most plays that are rolled out: the best by a search of two plies, if they are not worse than the best
/// one by more than the margin.
const ROLLED_OUT: usize = 5;
const MARGIN: f64 = 0.1;
/// Random plies at the beginning of a game, at most.
const MOST_RANDOM: u32 = 10;
/// A play that is more than this many standard errors behind the best gets no more trials.
const BEHIND: f64 = 2.5;
/// The luck of a roll is measured by its best play among at most this many.
const PLAYS_FOR_LUCK: usize = 24;
/// Trials of a half in a round: one for each of the 36 ordered rolls of two dice.
const ROUND: usize = 36;

impl Rollout {
    /// Adds decisions to the file until there are enough, and prints what each player loses.
    pub fn run(&self) -> io::Result<()> {
        let mut text = match fs::read_to_string(&self.file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read?,
        };
        // An interruption may have left the beginning of a line.
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        let lines = text.lines().map(serde_json::from_str).collect::<Result<Vec<Decision>, _>>()?;
        let mut file = OpenOptions::new().create(true).append(true).open(&self.file)?;
        file.set_len(text.len() as u64)?;
        let (learned, mut decisions) = (Learned::built_in::<Mahbusa>(), BTreeMap::new());
        let mut next = self.seed;
        for line in lines {
            Mahbusa::read(&line.state).map_err(io::Error::other)?;
            next = next.max(line.number + 1);
            add(&mut decisions, line);
        }
        let mut written = Ok(());
        if (decisions.len() as u64) < self.count {
            let workers = vec![(); self.threads.get()];
            in_order(
                workers,
                next..u64::MAX,
                |(), number, _| self.decision(&learned, number),
                |found| {
                    let Some(found) = found else { return ControlFlow::Continue(()) };
                    written = write(&mut file, &found);
                    add(&mut decisions, found);
                    let count = decisions.len() as u64;
                    if count.is_multiple_of(50) {
                        eprintln!("{count} decisions of {}", self.count);
                    }
                    let is_enough = count >= self.count || written.is_err();
                    if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
        }
        written?;
        let mut chosen = Vec::new();
        for player in &self.players {
            let spec = player.parse::<Spec>().map_err(io::Error::other)?;
            let contestant = Contestant::new::<Mahbusa>(&spec, &Tablebases::built_in());
            let mut contestant = contestant.map_err(io::Error::other)?;
            let plays = decisions.values_mut().map(|decision| {
                contestant.begin_pair(decision.number);
                self.chosen(&mut contestant, &learned, decision, &mut file)
            });
            chosen.push(plays.collect::<Result<Vec<_>, _>>()?);
        }
        println!("| player | {} | more than the first | a game | median ms | 95 % |", KINDS.join(" | "));
        println!("|---{}|", "|---".repeat(KINDS.len() + 4));
        for (player, plays) in self.players.iter().zip(&chosen) {
            println!("| {player} | {} |", row(&decisions, plays, &chosen[0]));
        }
        Ok(())
    }

    /// The decision of a game, rolled out, if the game has one.
    fn decision(&self, learned: &Learned, number: u64) -> Option<Decision> {
        let mut rng = Pcg64Mcg::seed_from_u64(number);
        let (mut position, random) = (Mahbusa::default(), rng.random_range(0..=MOST_RANDOM));
        let mut decisions = Vec::new();
        for ply in 0.. {
            if position.stage().outcome().is_some() {
                break;
            }
            position = position.rolled(playout::roll::<Mahbusa>(&mut rng)?);
            let plays = plays(learned, &position);
            let differ = plays[0].1 - plays[plays.len().min(COMPARED) - 1].1 >= LEAST_DIFFERENCE;
            if ply < random {
                position = position.after(playout::choose(&position, &mut rng));
                continue;
            }
            if differ {
                decisions.push(position);
            }
            position = plays[0].0;
        }
        let position = *decisions.choose(&mut rng)?;
        let mut plays = plays(learned, &position);
        for (next, worth) in &mut plays {
            *worth = searched(learned, next);
        }
        plays.sort_by(|one, other| other.1.total_cmp(&one.1));
        let least = plays[0].1 - MARGIN;
        plays.truncate(ROLLED_OUT);
        plays.retain(|play| play.1 >= least);
        let of = u32::try_from(decisions.len()).ok()?;
        let mut decision = Decision { number, of, state: position.to_string(), plays: Vec::new() };
        self.roll_out(learned, &mut decision, &plays);
        Some(decision)
    }

    /// Rolls plays out with common dice, and adds them to a decision.
    fn roll_out(&self, learned: &Learned, decision: &mut Decision, plays: &[(Mahbusa, f64)]) {
        let position = read(&decision.state);
        let mut trials = vec![Vec::new(); plays.len()];
        for round in 0..self.rounds {
            let before = trials.clone();
            let most = before.iter().max_by(|one, other| mean(one).total_cmp(&mean(other)));
            for ((next, _), trials) in plays.iter().zip(&mut trials) {
                let is_behind = |most: &Vec<f64>| {
                    let behind: Vec<_> =
                        most.iter().zip(&*trials).map(|(most, other)| most - other).collect();
                    mean(&behind) > BEHIND * error(&behind)
                };
                if round > 0 && most.is_some_and(is_behind) {
                    continue;
                }
                for i in trials.len()..trials.len() + 2 * ROUND {
                    let mut rng = Pcg64Mcg::seed_from_u64(decision.number << 20 | i as u64);
                    trials.push(-trial(learned, *next, i / 2 % ROUND, self.plies, &mut rng));
                }
            }
        }
        for ((next, searched), trials) in plays.iter().zip(&trials) {
            let half = |half| mean(&trials.iter().skip(half).step_by(2).copied().collect::<Vec<_>>());
            let m = position.legal_moves().into_iter().find(|&m| position.after(m) == *next);
            let play = position.spell(m.expect("it is the position after a play")).to_string();
            let (searched, halves) = (*searched, [half(0), half(1)]);
            decision.plays.push(Judged { play, searched, halves, error: error(trials) });
        }
    }

    /// The play of a player. One without trials is rolled out and added to the file.
    fn chosen(
        &self,
        contestant: &mut Contestant,
        learned: &Learned,
        decision: &mut Decision,
        file: &mut File,
    ) -> io::Result<Chosen> {
        let position = read(&decision.state);
        let began = Instant::now();
        let m = contestant.choose(RootPosition::from(&position));
        let time = began.elapsed().as_secs_f64() * 1e3;
        let (played, next) = (position.spell(m).to_string(), position.after(m));
        if decision.plays.iter().all(|judged| judged.play != played) {
            let mut more = Decision { plays: Vec::new(), ..decision.clone() };
            self.roll_out(learned, &mut more, &[(next, searched(learned, &next))]);
            write(file, &more)?;
            decision.plays.extend(more.plays);
        }
        Ok((played, time))
    }
}

/// A row of the table: the losses of a player's plays, their difference to those of another player, and the
/// times.
fn row(decisions: &BTreeMap<u64, Decision>, plays: &[Chosen], others: &[Chosen]) -> String {
    let weighed = |loss: &dyn Fn(&Decision, usize) -> f64, wanted: usize| -> Vec<_> {
        let decisions = decisions.values().enumerate();
        let wanted = decisions.filter(|(_, decision)| wanted == 0 || kind(&decision.state) == wanted);
        wanted.map(|(i, decision)| (f64::from(decision.of), loss(decision, i))).collect()
    };
    let loss = |decision: &Decision, i: usize| decision.loss(&plays[i].0);
    let more = |decision: &Decision, i: usize| loss(decision, i) - decision.loss(&others[i].0);
    let mut row: Vec<_> = (0..KINDS.len()).map(|kind| a_decision(&weighed(&loss, kind))).collect();
    row.push(a_decision(&weighed(&more, 0)));
    // Both players decide.
    let a_game: Vec<_> = weighed(&loss, 0).iter().map(|&(of, loss)| of * loss / 2.0).collect();
    row.push(format!("{:.3} ± {:.3}", mean(&a_game), error(&a_game)));
    let mut times: Vec<_> = plays.iter().map(|&(_, time)| time).collect();
    times.sort_by(f64::total_cmp);
    row.extend([50, 95].map(|percent| format!("{:.1}", times[(times.len() - 1) * percent / 100])));
    row.join(" | ")
}

/// The mean loss per decision, with its standard error. Each is weighted by the number of decisions of its
/// game.
fn a_decision(losses: &[(f64, f64)]) -> String {
    let all: f64 = losses.iter().map(|&(of, _)| of).sum();
    let mean = losses.iter().map(|&(of, loss)| of * loss).sum::<f64>() / all;
    let error = losses.iter().map(|&(of, loss)| (of * (loss - mean)).powi(2)).sum::<f64>().sqrt() / all;
    format!("{mean:.5} ± {error:.5} ({})", losses.len())
}

impl Decision {
    /// The loss of a play: each half of the trials measures it against the play that is best by the other
    /// half and the search.
    fn loss(&self, played: &str) -> f64 {
        let of = |half: usize| {
            let by_other = |judged: &&Judged| judged.searched + judged.halves[1 - half];
            let best = self.plays.iter().max_by(|one, other| by_other(one).total_cmp(&by_other(other)));
            let played = self.plays.iter().find(|judged| judged.play == played);
            best.map_or(0.0, |best| best.halves[half]) - played.map_or(0.0, |played| played.halves[half])
        };
        f64::midpoint(of(0), of(1))
    }
}

/// Kinds of decisions: all, nobody is pinned, a checker is pinned, or the players have passed each other.
const KINDS: [&str; 4] = ["all", "contact", "pins", "race"];

/// The kind of a decision: its place in [`KINDS`].
fn kind(state: &str) -> usize {
    let position = read(state);
    let is_pinned = |player| !position.board().side(player).pinned.is_empty();
    if position.evaluate().is_some() { 3 } else { 1 + usize::from(Player::ALL.into_iter().any(is_pinned)) }
}

/// The positions after the plays of a roll, with their values by the static evaluation, the best first.
fn plays(learned: &Learned, rolled: &Mahbusa) -> Vec<(Mahbusa, f64)> {
    let after = rolled.legal_moves().into_iter().map(|m| rolled.after(m));
    let mut plays: Vec<_> = after.map(|next| (next, -value(learned, &next))).collect();
    plays.sort_by(|one, other| other.1.total_cmp(&one.1));
    plays
}

/// What a position before a roll is worth to the player to roll, by the static evaluation.
fn value(learned: &Learned, position: &Mahbusa) -> f64 {
    match position.stage() {
        Stage::Over(outcome) => outcome.result_for(position.turn()).into(),
        _ => learned.evaluate(position).expected(),
    }
}

/// The value of a play by a search of two plies; `next` is the position after it.
fn searched(learned: &Learned, next: &Mahbusa) -> f64 {
    match next.stage() {
        Stage::Over(outcome) => -f64::from(outcome.result_for(next.turn())),
        _ => -expected_before_roll(learned, next),
    }
}

/// The position after the best of at most `most` plays of a roll, by the static evaluation, with its value.
fn best_of(learned: &Learned, rolled: &Mahbusa, most: usize) -> (Mahbusa, f64) {
    let moves = rolled.legal_moves();
    let after = moves.iter().step_by(moves.len().div_ceil(most)).map(|&m| rolled.after(m));
    let plays = after.map(|next| (next, -value(learned, &next)));
    plays.reduce(|best, other| if other.1 > best.1 { other } else { best }).expect("a roll has a play")
}

/// One trial: the value for the player to roll, less the luck of all rolls. `first` is the first roll.
fn trial(learned: &Learned, start: Mahbusa, first: usize, plies: u32, rng: &mut Pcg64Mcg) -> f64 {
    let ways = |roll: usize| Mahbusa::ROLLS[roll].1 as usize;
    let rolls: Vec<_> = (0..Mahbusa::ROLLS.len()).flat_map(|roll| vec![roll; ways(roll)]).collect();
    let (mut position, mut sign, mut luck) = (start, 1.0, 0.0);
    for ply in 0..plies {
        if position.stage().outcome().is_some() {
            break;
        }
        let rolled = |roll: usize| position.rolled(Mahbusa::ROLLS[roll].0);
        let worth: Vec<_> =
            (0..Mahbusa::ROLLS.len()).map(|roll| best_of(learned, &rolled(roll), PLAYS_FOR_LUCK).1).collect();
        let drawn = rng.random_range(0..ROUND);
        let roll = rolls[if ply == 0 { first } else { drawn }];
        luck += sign * (worth[roll] - mean(&rolls.iter().map(|&roll| worth[roll]).collect::<Vec<_>>()));
        position = best_of(learned, &rolled(roll), usize::MAX).0;
        sign = -sign;
    }
    sign * value(learned, &position) - luck
}

fn read(state: &str) -> Mahbusa {
    Mahbusa::read(state).expect("states are read when the file is")
}

fn add(decisions: &mut BTreeMap<u64, Decision>, line: Decision) {
    match decisions.get_mut(&line.number) {
        Some(decision) => decision.plays.extend(line.plays),
        None => drop(decisions.insert(line.number, line)),
    }
}

fn write(file: &mut File, line: &Decision) -> io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    file.write_all(&text)
}

pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

/// The standard error of the mean.
pub fn error(numbers: &[f64]) -> f64 {
    let (mean, count) = (mean(numbers), numbers.len() as f64);
    (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count * (count - 1.0))).sqrt()
}

#[cfg(test)]
mod tests {
    use tempfile::NamedTempFile;

    use super::*;

    fn asked(file: &NamedTempFile, count: u64) -> Rollout {
        let players = vec!["level=1".to_owned()];
        let file = file.path().to_owned();
        Rollout { file, count, seed: 5, rounds: 1, plies: 1, threads: NonZeroUsize::MIN, players }
    }

    #[test]
    fn an_interrupted_run_is_gone_on_with_and_finds_the_same_decisions() {
        let file = NamedTempFile::new().unwrap();
        let decided = |count| {
            asked(&file, count).run().unwrap();
            let text = fs::read_to_string(file.path()).unwrap();
            // The lines that players add come last.
            text.split_inclusive('\n').take(2).collect::<String>()
        };
        let whole = decided(2);
        assert_eq!(whole.lines().count(), 2);
        for kept in [7, whole.len() - 1, whole.len()] {
            fs::write(file.path(), &whole[..kept]).unwrap();
            assert_eq!(decided(2), whole, "{kept}");
        }
    }

    #[test]
    fn the_luck_of_all_rolls_together_is_none() {
        let learned = Learned::built_in::<Mahbusa>();
        for state in ["M-o22O", "M-iab4aa2BAp4A5K", "m-DCBE15cdape1"] {
            let position = Mahbusa::read(state).unwrap();
            let trial = |first| trial(&learned, position, first, 1, &mut Pcg64Mcg::seed_from_u64(1));
            let found = mean(&(0..ROUND).map(trial).collect::<Vec<_>>());
            let expected = expected_before_roll(&learned, &position);
            assert!((found - expected).abs() < 1e-9, "{state}: {found} {expected}");
        }
    }

    #[test]
    fn each_half_of_the_trials_tells_the_loss_against_what_the_other_likes_best() {
        let judged =
            |play: &str, searched, halves| Judged { play: play.to_owned(), searched, halves, error: 0.0 };
        let plays =
            vec![judged("XR", 0.5, [0.5, 0.4]), judged("XS", 0.4, [0.3, 0.6]), judged("XT", 0.1, [0.1, 0.1])];
        let decision = Decision { number: 1, of: 1, state: String::new(), plays };
        // The first half is measured against XS, the second against XR.
        for (play, loss) in [("XR", -0.1), ("XS", -0.1), ("XT", 0.25)] {
            assert!((decision.loss(play) - loss).abs() < 1e-9, "{play}");
        }
    }
}
