//! The result of a match: score with its error, and a sequential test (SPRT) that says when it is decided.

#![expect(clippy::cast_precision_loss, reason = "counts are turned into rates for people to read")]

use std::{fmt, str::FromStr, time::Duration};

use super::Finished;
use cublino_rules::game::EndReason;

/// The result of a match, for its first contestant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Games that the first contestant has won.
    pub wins: u32,
    /// Games that nobody has won.
    pub draws: u32,
    /// Games that the second contestant has won.
    pub losses: u32,
    /// Games in which a position occurred for the third time; they count as draws.
    pub repeated: u32,
    /// Games that were given up without a certain winner; they count as draws.
    pub unfinished: u32,
    /// Pairs of games with the same opening and changed colours, by the half points that the first contestant
    /// has got from both: 0 to 4.
    pairs: [u32; 5],
    /// The half points from the first game of a pair whose second is still to be played.
    first_of_pair: Option<usize>,
    /// Moves of both contestants.
    moves: u64,
    /// Time that both contestants have taken together.
    pub time: Duration,
}

impl Report {
    /// Counts a game. Games come in the order of their numbers, two by two.
    pub(super) fn add(&mut self, game: &Finished) {
        let (count, half_points) = match (game.result, game.reason) {
            (1, _) => (&mut self.wins, 2),
            (-1, _) => (&mut self.losses, 0),
            (_, None) => (&mut self.unfinished, 1),
            (_, Some(EndReason::Repetition)) => (&mut self.repeated, 1),
            (_, Some(_)) => (&mut self.draws, 1),
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
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses + self.repeated + self.unfinished
    }

    /// The share of the points that the first contestant has got, 0 to 1: a draw is half a point.
    pub fn score(&self) -> f64 {
        let points = f64::from(self.wins) + 0.5 * f64::from(self.draws + self.repeated + self.unfinished);
        points / f64::from(self.games().max(1))
    }

    /// The standard error of the score. Two games with the same opening are not independent, so it is that of
    /// the mean of the pairs.
    pub fn standard_error(&self) -> f64 {
        let pairs = self.pairs.map(f64::from);
        let (_, variance) = mean_and_variance(pairs);
        (variance / pairs.iter().sum::<f64>().max(1.0)).sqrt()
    }

    /// The difference in strength in Elo points that the score stands for, and the bounds of its 95 %
    /// interval; infinite where one contestant may get all points.
    fn elo(&self) -> [f64; 3] {
        let (score, error) = (self.score(), 1.96 * self.standard_error());
        [score, score - error, score + error]
            .map(|score| -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10())
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
        if self.games() == 0 {
            return write!(f, "games 0");
        }
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
        let (moves, games) = (self.moves as f64, f64::from(self.games().max(1)));
        // Per second of one thread.
        let per_second = moves / self.time.as_secs_f64().max(f64::MIN_POSITIVE);
        write!(f, "{:.1} moves a game, {per_second:.0} moves a second", moves / games)
    }
}

/// A sequential probability ratio test: is the first contestant `elo1` points of Elo stronger than the
/// second, or only `elo0`?
///
/// It errs in one of twenty matches either way ([`BOUND`](Self::BOUND)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The lower difference in Elo points.
    pub elo0: f64,
    /// The higher one.
    pub elo1: f64,
}

/// The result of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// `elo1` is more likely than `elo0`.
    Stronger,
    /// `elo0` is more likely than `elo1`.
    NotStronger,
}

/// The error for a text that is not a sequential test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a test; a test is two numbers of Elo points, the lower first, such as 0,10")]
pub struct NotATest(String);

impl Sprt {
    /// The logarithm of the likelihood ratio at which the test ends: ln(0.95 / 0.05), errors of 5 % either
    /// way.
    pub const BOUND: f64 = 2.944_438_979_166_440_5;

    /// The logarithm of the likelihood ratio of the pairs of games so far: of `elo1` to `elo0`.
    ///
    /// Two games with the same opening and changed colours depend on each other, so it is their sum that is
    /// taken as normally distributed: the pentanomial test, by its five outcomes. Half a pair of each is
    /// added, so that the variance is not 0 even if one contestant wins all games.
    pub fn log_likelihood_ratio(&self, report: &Report) -> f64 {
        const PRIOR: f64 = 0.5;
        let counts = report.pairs.map(|count| f64::from(count) + PRIOR);
        let (mean, variance) = mean_and_variance(counts);
        let pairs: f64 = counts.iter().sum();
        let (score0, score1) = (expected_score(self.elo0), expected_score(self.elo1));
        pairs * (score1 - score0) * (2.0 * mean - score0 - score1) / (2.0 * variance)
    }

    /// The decision after the games so far, if one is clear enough.
    pub fn decision(&self, report: &Report) -> Option<Decision> {
        match self.log_likelihood_ratio(report) {
            ratio if ratio >= Self::BOUND => Some(Decision::Stronger),
            ratio if ratio <= -Self::BOUND => Some(Decision::NotStronger),
            _ => None,
        }
    }
}

/// The share of the points that a difference in Elo points stands for.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

impl FromStr for Sprt {
    type Err = NotATest;

    fn from_str(text: &str) -> Result<Self, NotATest> {
        let number = |text: &str| text.parse().ok().filter(|elo: &f64| elo.is_finite());
        let numbers = text.split_once(',').and_then(|(low, high)| Some((number(low)?, number(high)?)));
        match numbers {
            Some((elo0, elo1)) if elo0 < elo1 => Ok(Self { elo0, elo1 }),
            _ => Err(NotATest(text.to_owned())),
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.elo0, self.elo1)
    }
}

#[cfg(test)]
mod tests {
    use crate::arena::Played;

    use super::*;

    /// A report about games with these results, two by two.
    fn report(results: &[i8]) -> Report {
        let mut report = Report::default();
        for &result in results {
            let played = Played { state: String::new(), moves: Vec::new() };
            let (reason, time) = (Some(EndReason::AllDiceHome), Duration::from_millis(250));
            report.add(&Finished { played, reason, result, moves: 15, time });
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
        // The player who begins always wins, so the pairs have no variance.
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

    /// A report about so many pairs, by half points.
    fn of_pairs(pairs: [u32; 5]) -> Report {
        Report { pairs, ..Report::default() }
    }

    #[test]
    fn a_test_round_trips_through_text() {
        for text in ["0,10", "-5,0", "0.5,2.5"] {
            assert_eq!(text.parse::<Sprt>().unwrap().to_string(), text);
        }
        for text in ["", "0", "10,0", "5,5", "a,b", "0,inf", "0,1,2"] {
            assert_eq!(text.parse::<Sprt>(), Err(NotATest(text.to_owned())));
        }
    }

    #[test]
    fn a_match_ends_when_it_is_clear() {
        let test: Sprt = "0,50".parse().unwrap();
        assert_eq!(test.decision(&of_pairs([0; 5])), None);
        assert_eq!(test.decision(&of_pairs([3, 2, 2, 2, 4])), None);
        assert_eq!(test.decision(&of_pairs([40, 60, 80, 60, 90])), Some(Decision::Stronger));
        assert_eq!(test.decision(&of_pairs([90, 60, 80, 60, 40])), Some(Decision::NotStronger));
        assert_eq!(test.decision(&of_pairs([0, 0, 0, 0, 20])), Some(Decision::Stronger));
    }

    #[test]
    fn pairs_that_are_all_alike_decide_sooner_than_games_that_are_not() {
        // The same points: in the first every opening is won once and drawn once, in the second most are won
        // twice or lost twice.
        let test: Sprt = "0,50".parse().unwrap();
        let (steady, wild) = (of_pairs([0, 0, 40, 40, 0]), of_pairs([25, 0, 10, 0, 45]));
        assert!(test.log_likelihood_ratio(&steady) > test.log_likelihood_ratio(&wild));
    }

    #[test]
    fn between_the_two_strengths_both_are_as_likely() {
        let test: Sprt = "-20,20".parse().unwrap();
        assert!(test.log_likelihood_ratio(&of_pairs([10, 5, 7, 5, 10])).abs() < 1e-9);
    }
}
