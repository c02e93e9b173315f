//! Playing a game of a match to its end.

use std::{collections::HashMap, ops::RangeInclusive, time::Duration};

use rand::{Rng, RngExt};

use super::played::{Action, Played};
use crate::{game_history::GameHistory, playable::Playable, root_position::RootPosition};
use cublino_rules::game::{Game, Outcome, Player, Stage, playout};

/// Random plies before the contestants take over: enough that hardly two games are alike, few enough that
/// hardly one is decided.
const OPENING_PLIES: RangeInclusive<u32> = 2..=6;

/// So often a position may occur before a game is drawn.
const REPETITION_LIMIT: u32 = 3;

/// How a game of a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// By the rules.
    Over(Outcome),
    /// A position occurred for the third time.
    Repeated,
    /// It had so many plies that it was given up.
    GivenUp,
}

/// A game of a match.
pub(super) struct Finished<G: Game> {
    pub(super) played: Played<G>,
    pub(super) end: End,
    /// The contestant whose score is reported.
    pub(super) first: Player,
    /// Moves of both contestants, and the time that they have taken together.
    pub(super) moves: u64,
    pub(super) time: Duration,
}

/// A position after a few random moves in which the game goes on.
pub(super) fn opening<G: Game>(rng: &mut impl Rng) -> G {
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

/// Plays a game to its end.
///
/// Without dice it also ends when a position occurs again for the rules' own reason, or for the third time:
/// then it is drawn, as for callers who ask `apply` for that limit. Who chooses is told what has occurred
/// before.
pub(super) fn play<G: Playable>(
    played: &mut Played<G>,
    max_plies: u32,
    rng: &mut impl Rng,
    mut choose: impl FnMut(RootPosition<G>) -> G::Move,
) -> End {
    let mut position = *played.start();
    let mut occurred = HashMap::from([(position, 1)]);
    let mut plies = 0;
    loop {
        match position.stage() {
            Stage::Over(outcome) => return End::Over(outcome),
            Stage::Roll => {
                let roll = playout::roll::<G>(rng).expect("a game that rolls has rolls");
                position.roll_unchecked(roll);
                played.push(Action::Roll(roll));
                continue;
            }
            Stage::Move if plies == max_plies => return End::GivenUp,
            Stage::Move => {
                let occurrences = occurred.iter().map(|(position, &count)| (position, count));
                let history = GameHistory::new(&position, occurrences, Some(REPETITION_LIMIT));
                let m = choose(RootPosition::new(position, history));
                position.play_unchecked(m);
                played.push(Action::Move(m));
                plies += 1;
            }
        }
        if G::ROLLS.is_empty() && position.stage().outcome().is_none() {
            let times = occurred.entry(position).or_insert(0);
            *times += 1;
            if let (2.., Some(outcome)) = (*times, position.outcome_if_repeated()) {
                return End::Over(outcome);
            }
            if *times == REPETITION_LIMIT {
                return End::Repeated;
            }
        }
    }
}
