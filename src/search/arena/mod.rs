//! Matches between players, to find out which is the stronger.

mod contestant;
mod played;
mod spec;
mod sprt;

use std::{
    collections::HashSet,
    fmt,
    ops::{ControlFlow, RangeInclusive},
    time::{Duration, Instant},
};

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use self::{contestant::Contestant, played::Action};
pub use self::{
    played::{Played, Written},
    spec::{Spec, SpecError},
    sprt::{NotATest, Sprt, Verdict},
};
use super::{Evaluate, Knowledge};
use crate::game::{Outcome, Player, Stage, playout};

/// Who plays a match, and how long it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// The contestant whose score is reported.
    pub one: Spec,
    /// The other contestant.
    pub two: Spec,
    /// How many games are played. Two games at a time share opening and rolls, with colours changed.
    pub games: u32,
    /// What openings, rolls and contestants draw from. Without limits on time the same seed gives the same games.
    pub seed: u64,
    /// A game that takes more plies, its opening not counted, is given up.
    pub max_plies: u32,
}

impl Match {
    /// A limit that only games without an end reach.
    pub const MAX_PLIES: u32 = 300;
}

/// How a match has gone, for its first contestant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Games that the first contestant has won.
    pub wins: u32,
    /// Games that nobody has won.
    pub draws: u32,
    /// Games that the second contestant has won.
    pub losses: u32,
    /// Games that were given up; they count as draws do.
    pub unfinished: u32,
    /// Moves of both contestants.
    pub moves: u64,
    /// Time that both contestants have taken together.
    pub time: Duration,
}

/// Random plies before the contestants take over: enough that hardly two games are alike, few enough that hardly
/// one is decided.
const OPENING_PLIES: RangeInclusive<u32> = 2..=6;

/// Plays a match between contestants with the same knowledge, game by game on the calling thread. `on_game` gets the
/// report after each game, and the game; it says whether to go on.
pub fn run<G: Evaluate>(
    config: &Match,
    knowledge: &Knowledge,
    on_game: &mut dyn FnMut(&Report, &Played<G>) -> ControlFlow<()>,
) -> Report {
    let mut report = Report::default();
    let mut contestants =
        [config.one, config.two].map(|spec| Contestant::new(spec, knowledge.clone(), config.seed));
    for number in 0..config.games {
        let (pair, changed) = (u64::from(number / 2), number % 2 == 1);
        let mut rng = Pcg64Mcg::seed_from_u64(config.seed.wrapping_add(pair));
        let start = opening::<G>(&mut rng);
        let first = if changed { Player::Two } else { Player::One };

        let started = Instant::now();
        let mut played = Played::new(start);
        let outcome = play(&mut played, config.max_plies, &mut rng, |position| {
            report.moves += 1;
            contestants[usize::from(position.turn() != first)].choose(position)
        });
        report.time += started.elapsed();

        match outcome.map(|outcome| outcome.result_for(first)) {
            Some(1) => report.wins += 1,
            Some(0) => report.draws += 1,
            Some(_) => report.losses += 1,
            None => report.unfinished += 1,
        }
        if on_game(&report, &played).is_break() {
            break;
        }
    }
    report
}

/// A position after a few random moves in which the game goes on.
fn opening<G: Evaluate>(rng: &mut impl Rng) -> G {
    loop {
        let plies = rng.random_range(OPENING_PLIES);
        let mut position = G::default();
        for _ in 0..plies {
            position = playout::step(&position, rng);
        }
        if position.stage().outcome().is_none() {
            return position;
        }
    }
}

/// Plays a game to its end; `None` if it has none within so many plies.
fn play<G: Evaluate>(
    played: &mut Played<G>,
    max_plies: u32,
    rng: &mut impl Rng,
    mut choose: impl FnMut(&G) -> G::Move,
) -> Option<Outcome> {
    let mut position = *played.start();
    let mut seen = HashSet::from([position]);
    let mut plies = 0;
    loop {
        match position.stage() {
            Stage::Over(outcome) => return Some(outcome),
            Stage::Roll => {
                let roll = playout::roll::<G>(rng).expect("a game that rolls has rolls");
                position.roll_unchecked(roll);
                played.push(Action::Roll(roll));
            }
            Stage::Move if plies == max_plies => return None,
            Stage::Move => {
                let m = choose(&position);
                position.play_unchecked(m);
                played.push(Action::Move(m));
                plies += 1;
            }
        }
        let goes_on = position.stage().outcome().is_none();
        if goes_on
            && !seen.insert(position)
            && let Some(outcome) = position.outcome_if_repeated()
        {
            return Some(outcome);
        }
    }
}

impl Report {
    /// How many games were played.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses + self.unfinished
    }

    /// The share of the points that the first contestant has got, 0 to 1: a draw is half a point.
    #[must_use]
    pub fn score(&self) -> f64 {
        let points = f64::from(self.wins) + 0.5 * f64::from(self.draws + self.unfinished);
        points / f64::from(self.games().max(1))
    }

    /// The standard error of the score, as if the games did not depend on each other.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        let (games, score) = (f64::from(self.games().max(1)), self.score());
        let squares = f64::from(self.wins) * (1.0 - score).powi(2)
            + f64::from(self.draws + self.unfinished) * (0.5 - score).powi(2)
            + f64::from(self.losses) * score.powi(2);
        (squares / games / games).sqrt()
    }

    /// Moves in a game, on average.
    #[must_use]
    pub fn moves_per_game(&self) -> f64 {
        self.moves as f64 / f64::from(self.games().max(1))
    }

    /// Moves of both contestants in a second.
    #[must_use]
    pub fn moves_per_second(&self) -> f64 {
        self.moves as f64 / self.time.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wins, draws, losses, unfinished, .. } = self;
        writeln!(
            f,
            "games {}: won {wins}, drawn {draws}, lost {losses}, unfinished {unfinished}",
            self.games()
        )?;
        writeln!(f, "score {:.1} % ± {:.1} %", 100.0 * self.score(), 100.0 * self.standard_error())?;
        write!(f, "{:.1} moves a game, {:.0} moves a second", self.moves_per_game(), self.moves_per_second())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(wins: u32, draws: u32, losses: u32) -> Report {
        Report { wins, draws, losses, moves: 120, time: Duration::from_secs(2), ..Report::default() }
    }

    #[test]
    fn a_draw_is_half_a_point() {
        assert!((report(5, 2, 1).score() - 0.75).abs() < 1e-9);
        assert!((Report { unfinished: 2, ..report(5, 0, 1) }.score() - 0.75).abs() < 1e-9);
    }

    #[test]
    fn the_standard_error_is_that_of_a_mean() {
        assert!((report(2, 0, 2).standard_error() - 0.25).abs() < 1e-9);
        assert!(report(4, 0, 0).standard_error().abs() < 1e-9);
    }

    #[test]
    fn a_report_reads_well() {
        let text = report(5, 2, 1).to_string();
        assert_eq!(
            text,
            "games 8: won 5, drawn 2, lost 1, unfinished 0\nscore 75.0 % ± 12.5 %\n\
             15.0 moves a game, 60 moves a second"
        );
    }
}
