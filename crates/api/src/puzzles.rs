//! Puzzles: positions in which exactly one move is right.

use rand::{
    SeedableRng,
    seq::{IteratorRandom as _, SliceRandom as _},
};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Answer, Bounds, Operation, Plan, Planned, Played, Ranged, Seed};
use cublino_rules::game::{Player, Stage};

/// Which puzzles to return.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzlesQuestion {
    /// The puzzle of this day, the same on every replica. No puzzle repeats until all have had a day.
    #[schema(value_type = Option<String>, format = Date, example = "2026-11-24")]
    pub date: Option<Date>,
    /// Selects other puzzles. Default: 0.
    #[schema(inline, nullable, example = 7)]
    pub seed: Option<Seed>,
    /// Only puzzles of this difficulty. Default: any.
    #[schema(inline, nullable, example = 3)]
    pub difficulty: Option<Ranged<1, 8>>,
    /// How many puzzles to return. Default: 1.
    #[schema(inline, nullable, example = 2)]
    pub count: Option<Ranged<1, 100>>,
}

/// A day of the calendar, as in `2026-11-24`.
///
/// ```
/// use cublino_api::puzzles::Date;
///
/// let read = |text| serde_json::from_str::<Date>(text);
/// assert!(read("\"2028-02-29\"").is_ok() && read("\"2026-02-29\"").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Date {
    text: String,
    /// The number of the day: that of the next one is higher by one.
    number: usize,
}

/// A text is not a day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a day of the calendar, such as 2026-11-24")]
pub struct NotADay;

impl TryFrom<String> for Date {
    type Error = NotADay;

    fn try_from(text: String) -> Result<Self, NotADay> {
        let numbers: Vec<usize> = text.split('-').flat_map(str::parse).collect();
        let &[year, month, day] = &*numbers else { return Err(NotADay) };
        let is_leap_year = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let february = if is_leap_year { 29 } else { 28 };
        let days = [0, 31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let is_day = year <= 9999 && (1..=days.get(month).copied().unwrap_or(0)).contains(&day);
        if !is_day || text != format!("{year:04}-{month:02}-{day:02}") {
            return Err(NotADay);
        }
        // The year 0 is a leap year.
        let leap_years = year.div_ceil(4) - year.div_ceil(100) + year.div_ceil(400);
        let number = 365 * year + leap_years + days[..month].iter().sum::<usize>() + day;
        Ok(Self { text, number })
    }
}

impl From<Date> for String {
    fn from(date: Date) -> Self {
        date.text
    }
}

/// Puzzles, in no special order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Puzzles {
    /// The puzzles, each once. There are fewer than `count` if no more have this difficulty.
    #[schema(max_items = 100)]
    pub puzzles: Vec<Puzzle>,
}

/// A position in which exactly one move is right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Puzzle {
    /// The id of the puzzle: unique in its game, and never reused.
    #[schema(example = "17")]
    pub id: String,
    /// The state, in canonical form.
    pub state: String,
    /// The player to move.
    pub turn: Player,
    /// What to do.
    pub task: Task,
    /// The first level of `suggestion` that finds the first move in three of four tries; 8 if none does.
    #[schema(minimum = 1, maximum = 8, example = 3)]
    pub difficulty: u8,
    /// The only correct first move, and then best play of both sides. Other spellings of the first move are
    /// correct if they lead to the same state.
    #[schema(max_items = 20)]
    pub solution: Vec<String>,
}

/// What to do in a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Task {
    /// What the first move must achieve.
    pub result: TaskResult,
    /// The fewest plies in which the win can be forced; null for `best`.
    #[schema(required, minimum = 1, example = 5)]
    pub plies: Option<u32>,
}

/// What the first move of a puzzle must achieve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskResult {
    /// Force a win within `plies` plies. In Wari, a win means 25 prisoners.
    Win,
    /// Be the best: in games with dice. Its expected result is higher than that of every other by 0.1 or
    /// more.
    Best,
}

impl Operation for Puzzles {
    const NAME: &'static str = "puzzles";

    type Question = PuzzlesQuestion;
    type Item = ();

    fn state(_: &PuzzlesQuestion) -> Option<&str> {
        None
    }

    fn plan<G: Played>(_: &PuzzlesQuestion, _: &Bounds, _: Stage) -> Planned<G, Self> {
        Ok(Plan::AtOnce(|asked| Ok(Answer::Value(Self::draw::<G>(asked.question)))))
    }
}

impl Puzzles {
    /// The puzzles of a game that a question draws.
    pub fn draw<G: Played>(question: &PuzzlesQuestion) -> Self {
        let PuzzlesQuestion { date, seed, difficulty, count } = question;
        let (seed, count) = (seed.map_or(0, Ranged::get), count.map_or(1, Ranged::to));
        let wanted = difficulty.map(|difficulty| difficulty.get().to_string());
        let lines = G::FILES
            .puzzles
            .lines()
            .filter(|line| wanted.is_none() || line.split(' ').nth(3) == wanted.as_deref());
        let drawn = if let Some(Date { number, .. }) = date {
            // Each game has an order of its own, and each day the next place in it.
            let mut ordered: Vec<_> = lines.collect();
            ordered.shuffle(&mut Pcg64::seed_from_u64(seed.rotate_left(8) ^ u64::from(G::ABOUT.letter)));
            let first = (number * count).checked_rem(ordered.len()).unwrap_or(0);
            ordered.rotate_left(first);
            ordered.truncate(count);
            ordered
        } else {
            lines.sample(&mut Pcg64::seed_from_u64(seed), count)
        };
        Self { puzzles: drawn.into_iter().map(read::<G>).collect() }
    }
}

/// The puzzle in a line of [`Files::puzzles`](cublino_engine::Files::puzzles).
fn read<G: Played>(line: &str) -> Puzzle {
    let mut columns = line.split(' ');
    let mut next = || columns.next().unwrap_or_default();
    let (id, state, plies, difficulty) = (next(), next(), next(), next());
    let plies = plies.parse().ok();
    Puzzle {
        id: id.to_owned(),
        state: state.to_owned(),
        turn: if state.starts_with(G::ABOUT.letter) { Player::One } else { Player::Two },
        task: Task { result: if plies.is_some() { TaskResult::Win } else { TaskResult::Best }, plies },
        difficulty: difficulty.parse().expect("every puzzle has a difficulty"),
        solution: columns.map(str::to_owned).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use cublino_rules::{games::GameId, with_game};

    /// A day of each date from the beginning of a year on, by the calendar.
    fn days() -> impl Iterator<Item = Date> {
        (2023..)
            .flat_map(|year| (1..=12).flat_map(move |month| (1..=31).map(move |day| (year, month, day))))
            .filter_map(|(year, month, day)| Date::try_from(format!("{year:04}-{month:02}-{day:02}")).ok())
    }

    #[test]
    fn each_day_has_the_next_number() {
        for (day, next) in days().zip(days().skip(1)).take(3_000) {
            assert_eq!(day.number + 1, next.number, "{day:?}");
        }
        let number = |text: &str| Date::try_from(text.to_owned()).unwrap().number;
        for (day, next) in [
            ("0000-12-31", "0001-01-01"),
            ("1900-02-28", "1900-03-01"),
            ("2000-02-29", "2000-03-01"),
            ("2100-12-31", "2101-01-01"),
        ] {
            assert_eq!(number(day) + 1, number(next), "{day}");
        }
    }

    #[test]
    fn all_puzzles_have_their_day_before_one_returns_in_another_order_for_each_game() {
        let mut orders = HashSet::new();
        for &game in GameId::ALL {
            let of_day = |date| {
                let question = PuzzlesQuestion { date: Some(date), ..PuzzlesQuestion::default() };
                with_game!(game, G => Puzzles::draw::<G>(&question)).puzzles.remove(0).id
            };
            let all = with_game!(game, G => <G as cublino_engine::Playable>::FILES.puzzles.lines().count());
            let ids: Vec<_> = days().take(all).map(of_day).collect();
            assert_eq!(ids.iter().collect::<HashSet<_>>().len(), all, "{game}");
            assert!(all >= 1_000 && orders.insert(ids), "{game}");
        }
    }
}
