//! What is known exactly, without looking ahead.
//!
//! [`wari`] knows what each player gets of the last marbles, [`bear_off`] how long a player takes to bear off in Mahbusa.

mod answer;
pub mod bear_off;
mod numbering;
mod prove;
pub mod wari;

use std::{
    fmt, io,
    path::Path,
    sync::{Arc, Condvar, Mutex, OnceLock, PoisonError},
    thread,
    time::{Duration, Instant},
};

pub(super) use self::answer::{Answer, answer};
use self::wari::{DatabaseError, Endgames, Pace};
use super::{Control, Evaluate, GameResult, Score, pool::lower_priority};

/// What is known exactly about positions of the games; clones share it.
///
/// Searches without a level ask it about every position they come to (see
/// [`Evaluate::known`]).
#[derive(Clone, Debug, Default)]
pub struct Knowledge(Source);

/// Where the endgames of Wari come from.
#[derive(Clone, Debug, Default)]
enum Source {
    /// There are none.
    #[default]
    None,
    /// They are being worked out in the background.
    Building(Arc<Building>),
    /// These.
    Endgames(Arc<Endgames>),
}

/// What is known about a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known {
    /// The result if both play their best, whatever was played before.
    Certain(GameResult),
    /// The expected result, -1 to 1, so nearly that looking ahead would not improve it. It proves nothing.
    Expected(f64),
}

/// Endgames that are there once they have been worked out.
#[derive(Debug, Default)]
struct Building {
    marbles: u8,
    endgames: OnceLock<Endgames>,
    /// Held by those who wait, and shortly when there is nothing to wait for any more.
    waiting: Mutex<()>,
    finished: Condvar,
}

/// How often somebody who waits looks whether they still want to.
const PATIENCE: Duration = Duration::from_millis(10);

impl Knowledge {
    /// So many marbles are a good number for [`build`](Self::build): the endgames take about a second of one processor, and
    /// 2.7 MB.
    pub const MARBLES: u8 = 12;

    /// Nothing but the rules.
    #[must_use]
    pub const fn none() -> Self {
        Self(Source::None)
    }

    /// What can be worked out quickly: how long it takes to bear off in Mahbusa, and the endgames of Wari with up to so many
    /// marbles. It is worked out in the background, by a thread with the lowest priority that makes way often.
    ///
    /// # Errors
    /// The system refuses to start a thread.
    pub fn build(marbles: u8) -> io::Result<Self> {
        let building = Arc::new(Building { marbles, ..Building::default() });
        let worker = Arc::clone(&building);
        thread::Builder::new().name("knowledge".to_owned()).spawn(move || worker.build())?;
        Ok(Self(Source::Building(building)))
    }

    /// With the endgames of Wari from a file, which must not be changed from then on.
    ///
    /// # Errors
    /// The file is not what it should be.
    pub fn with_wari_database(path: &Path) -> Result<Self, DatabaseError> {
        Ok(Endgames::open(path)?.into())
    }

    /// Whether there is nothing but the rules.
    #[inline]
    pub(super) const fn is_none(&self) -> bool {
        matches!(self.0, Source::None)
    }

    /// Whether something is still being worked out.
    #[inline]
    pub(super) fn is_pending(&self) -> bool {
        matches!(&self.0, Source::Building(building) if building.endgames.get().is_none())
    }

    /// What is never worked out.
    #[cfg(test)]
    pub(super) fn pending(marbles: u8) -> Self {
        Self(Source::Building(Arc::new(Building { marbles, ..Building::default() })))
    }

    /// The endgames of Wari, if they are known by now.
    #[inline]
    pub fn wari(&self) -> Option<&Endgames> {
        match &self.0 {
            Source::None => None,
            Source::Building(building) => building.endgames.get(),
            Source::Endgames(endgames) => Some(endgames),
        }
    }

    /// Waits until all is known that will be, a search is stopped, or its time is up.
    pub(super) fn wait(&self, control: &Control, deadline: Option<Instant>) {
        let Source::Building(building) = &self.0 else { return };
        let is_wanted = || !control.is_stopped() && deadline.is_none_or(|deadline| Instant::now() < deadline);
        let mut waiting = building.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        while building.endgames.get().is_none() && is_wanted() {
            let woken = building.finished.wait_timeout(waiting, PATIENCE);
            (waiting, _) = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until all is known that will be.
    pub fn finish(&self) {
        self.wait(&Control::new(), None);
    }

    /// The most marbles of the endgames of Wari that are known or will be; 0 without any.
    #[must_use]
    pub fn marbles(&self) -> u8 {
        match &self.0 {
            Source::None => 0,
            Source::Building(building) => building.marbles,
            Source::Endgames(endgames) => endgames.marbles(),
        }
    }
}

/// With endgames of Wari that have been worked out.
impl From<Endgames> for Knowledge {
    fn from(endgames: Endgames) -> Self {
        Self(Source::Endgames(Arc::new(endgames)))
    }
}

impl Building {
    fn build(&self) {
        lower_priority();
        bear_off::prepare();
        let began = Instant::now();
        let endgames = Endgames::build(self.marbles, Pace::InBackground, &mut |_| {});
        self.endgames.set(endgames).expect("they are worked out once");
        drop(self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        self.finished.notify_all();
        log::debug!("worked out the endgames of Wari in {:?}", began.elapsed());
    }
}

/// What tells one knowledge from another: with the same, the same search gives the same answer.
impl fmt::Display for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.marbles().fmt(f)
    }
}

impl Known {
    /// The score as seen from so many plies before.
    pub(super) fn score<G: Evaluate>(self, plies: u32) -> Score {
        match self {
            Self::Certain(GameResult::Win) => Score::known_win(plies),
            Self::Certain(GameResult::Draw) => Score::DRAW,
            Self::Certain(GameResult::Loss) => -Score::known_win(plies),
            Self::Expected(expected) => Score::of_expected::<G>(expected),
        }
    }

    /// The same, for the other player.
    fn for_opponent(self) -> Self {
        match self {
            Self::Certain(result) => Self::Certain(!result),
            Self::Expected(expected) => Self::Expected(-expected),
        }
    }

    /// Whether it follows from the rules.
    pub(super) const fn is_certain(self) -> bool {
        matches!(self, Self::Certain(_))
    }
}
