//! How a match has gone.

#![expect(clippy::cast_precision_loss, reason = "counts are turned into rates for people to read")]

use std::{fmt, time::Duration};

use super::finished::{End, Finished};
use cublino_rules::game::Game;

/// How a match has gone, for its first contestant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Games that the first contestant has won.
    pub wins: u32,
    /// Games that nobody has won.
    pub draws: u32,
    /// Games that the second contestant has won.
    pub losses: u32,
    /// Games in which a position occurred for the third time; they count as draws do.
    pub repeated: u32,
    /// Games that were given up; they count as draws do.
    pub unfinished: u32,
    /// Pairs of games with the same opening and changed colours, by the half points that the first contestant
    /// has got from both: 0 to 4.
    pub pairs: [u32; 5],
    /// The half points from the first game of a pair whose second is still to be played.
    pub first_of_pair: Option<usize>,
    /// Moves of both contestants.
    pub moves: u64,
    /// Time that both contestants have taken together.
    pub time: Duration,
}

impl Report {
    /// Counts a game. Games come in the order of their numbers, two by two.
    pub(super) fn add<G: Game>(&mut self, game: &Finished<G>) {
        let (count, half_points) = match game.end {
            End::Over(outcome) => match outcome.result_for(game.first) {
                1 => (&mut self.wins, 2),
                0 => (&mut self.draws, 1),
                _ => (&mut self.losses, 0),
            },
            End::Repeated => (&mut self.repeated, 1),
            End::GivenUp => (&mut self.unfinished, 1),
        };
        *count += 1;
        match self.first_of_pair.take() {
            Some(first) => self.pairs[first + half_points] += 1,
            None => self.first_of_pair = Some(half_points),
        }
        self.moves += game.moves;
        self.time += game.time;
    }

    /// How many games were played.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses + self.repeated + self.unfinished
    }

    /// The share of the points that the first contestant has got, 0 to 1: a draw is half a point.
    #[must_use]
    pub fn score(&self) -> f64 {
        let points = f64::from(self.wins) + 0.5 * f64::from(self.draws + self.repeated + self.unfinished);
        points / f64::from(self.games().max(1))
    }

    /// The standard error of the score. Two games with the same opening are no two tries, so it is that of
    /// the mean of the pairs.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        let pairs = self.pairs.map(f64::from);
        let (_, variance) = mean_and_variance(pairs);
        (variance / pairs.iter().sum::<f64>().max(1.0)).sqrt()
    }

    /// The difference in strength in Elo points that the score stands for, and the bounds of its 95 %
    /// interval; infinite where one contestant may get all points.
    #[must_use]
    pub fn elo(&self) -> [f64; 3] {
        let (score, error) = (self.score(), 1.96 * self.standard_error());
        [score, score - error, score + error]
            .map(|score| -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10())
    }

    /// Moves in a game, on average.
    #[must_use]
    pub fn moves_per_game(&self) -> f64 {
        self.moves as f64 / f64::from(self.games().max(1))
    }

    /// Moves of both contestants in a second of a thread.
    #[must_use]
    pub fn moves_per_second(&self) -> f64 {
        self.moves as f64 / self.time.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

/// Mean and variance of the share of the points in a pair, from how many pairs there were by half points; the
/// variance is 0 without any.
pub(super) fn mean_and_variance(pairs: [f64; 5]) -> (f64, f64) {
    /// Half points in a pair at most.
    const MOST: f64 = 4.0;
    let counted = || (0_u8..).map(|half_points| f64::from(half_points) / MOST).zip(pairs);
    let sum = pairs.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let mean = counted().map(|(share, count)| share * count).sum::<f64>() / sum;
    let squares = counted().map(|(share, count)| (share - mean) * (share - mean) * count);
    (mean, squares.sum::<f64>() / sum)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wins, draws, losses, repeated, unfinished, pairs, .. } = self;
        writeln!(
            f,
            "games {}: won {wins}, drawn {draws}, lost {losses}, repeated {repeated}, \
             unfinished {unfinished}",
            self.games()
        )?;
        writeln!(f, "pairs by half points, 0 to 4: {}", pairs.map(|count| count.to_string()).join(", "))?;
        writeln!(f, "score {:.1} % ± {:.1} %", 100.0 * self.score(), 100.0 * self.standard_error())?;
        let [elo, low, high] = self.elo();
        writeln!(f, "Elo {elo:+.0} ({low:+.0} to {high:+.0} with 95 % confidence)")?;
        write!(f, "{:.1} moves a game, {:.0} moves a second", self.moves_per_game(), self.moves_per_second())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::played::Played;
    use cublino_rules::{
        game::{EndReason, Outcome, Player},
        games::Pur,
    };

    /// A report about games with these results, two by two.
    fn report(results: &[i8]) -> Report {
        let mut report = Report::default();
        for &result in results {
            let (played, first) = (Played::new(Pur::default()), Player::Two);
            let winner = match result {
                1 => Some(first),
                0 => None,
                _ => Some(!first),
            };
            let end = End::Over(Outcome { winner, reason: EndReason::AllDiceHome, points: None });
            report.add(&Finished { played, end, first, moves: 15, time: Duration::from_millis(250) });
        }
        report
    }

    #[test]
    fn a_draw_is_half_a_point() {
        assert!((report(&[1, 1, 1, 1, 1, 0, 0, -1]).score() - 0.75).abs() < 1e-9);
    }

    #[test]
    fn games_are_counted_in_pairs() {
        let report = report(&[1, 1, 1, 0, 1, -1, 0, -1, -1, -1, 1]);
        assert_eq!((report.pairs, report.games()), ([1; 5], 11));
    }

    #[test]
    fn the_standard_error_is_that_of_the_mean_of_the_pairs() {
        assert!((report(&[1, 1, 1, 1, -1, -1, -1, -1]).standard_error() - 0.25).abs() < 1e-9);
        // Whoever begins wins: nothing is left to chance.
        assert!(report(&[1, -1, 1, -1]).standard_error().abs() < 1e-9);
    }

    #[test]
    fn a_report_reads_well() {
        let text = report(&[1, 1, 1, 1, 1, 0, 0, -1]).to_string();
        assert_eq!(
            text,
            "games 8: won 5, drawn 2, lost 1, repeated 0, unfinished 0\n\
             pairs by half points, 0 to 4: 0, 1, 0, 1, 2\n\
             score 75.0 % ± 15.3 %\n\
             Elo +191 (-35 to +inf with 95 % confidence)\n15.0 moves a game, 60 moves a second"
        );
    }
}
