//! Ending a match as soon as it is clear enough who is the stronger.

use std::{fmt, str::FromStr};

use super::report::{Report, mean_and_variance};

/// A sequential probability ratio test: is the first contestant `elo1` points of Elo stronger than the
/// second, or only `elo0`?
///
/// It errs in one of twenty matches either way ([`BOUND`](Self::BOUND)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
}

/// What a sequential test has found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Rather `elo1` than `elo0`.
    Stronger,
    /// Rather `elo0` than `elo1`.
    NotStronger,
}

/// A text is not a sequential test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a test; a test is two numbers of Elo points, the lower first, such as 0,10")]
pub struct NotATest(String);

impl Sprt {
    /// The logarithm of the likelihood ratio at which the test ends: ln(0.95 / 0.05), errors of 5 % either
    /// way.
    pub const BOUND: f64 = 2.944_438_979_166_440_5;

    /// A test between two differences in Elo points, the lower first.
    #[must_use]
    pub const fn new(elo0: f64, elo1: f64) -> Self {
        Self { elo0, elo1 }
    }

    /// The logarithm of how much likelier the pairs of games so far are if the contestant is as strong as
    /// `elo1` says.
    ///
    /// Two games with the same opening and changed colours depend on each other, so it is their sum that is
    /// taken as normally distributed: the pentanomial test, by its five outcomes. Half a pair of each is
    /// added, so that a contestant who has won them all has a variance.
    #[must_use]
    pub fn log_likelihood_ratio(&self, report: &Report) -> f64 {
        const PRIOR: f64 = 0.5;
        let counts = report.pairs.map(|count| f64::from(count) + PRIOR);
        let (mean, variance) = mean_and_variance(counts);
        let pairs: f64 = counts.iter().sum();
        let (score0, score1) = (expected_score(self.elo0), expected_score(self.elo1));
        pairs * (score1 - score0) * (2.0 * mean - score0 - score1) / (2.0 * variance)
    }

    /// What is clear enough after the games so far.
    #[must_use]
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
    use super::*;

    /// A report about so many pairs, by half points.
    fn report(pairs: [u32; 5]) -> Report {
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
        assert_eq!(test.decision(&report([0; 5])), None);
        assert_eq!(test.decision(&report([3, 2, 2, 2, 4])), None);
        assert_eq!(test.decision(&report([40, 60, 80, 60, 90])), Some(Decision::Stronger));
        assert_eq!(test.decision(&report([90, 60, 80, 60, 40])), Some(Decision::NotStronger));
        assert_eq!(test.decision(&report([0, 0, 0, 0, 20])), Some(Decision::Stronger));
    }

    #[test]
    fn pairs_that_are_all_alike_decide_sooner_than_games_that_are_not() {
        // The same points: in the first every opening is won once and drawn once, in the second most are won
        // twice or lost twice.
        let test: Sprt = "0,50".parse().unwrap();
        let (steady, wild) = (report([0, 0, 40, 40, 0]), report([25, 0, 10, 0, 45]));
        assert!(test.log_likelihood_ratio(&steady) > test.log_likelihood_ratio(&wild));
    }

    #[test]
    fn between_the_two_strengths_both_are_as_likely() {
        let test: Sprt = "-20,20".parse().unwrap();
        assert!(test.log_likelihood_ratio(&report([10, 5, 7, 5, 10])).abs() < 1e-9);
    }
}
