//! Static evaluation: the value of a position without search.

use std::{
    any::TypeId,
    array,
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
};

use cublino_rules::game::{Player, Stage};

use crate::{
    Features, Playable, Score,
    network::{Accumulator, Input, Network},
    value::Meaning,
};

/// The most features that a position of any game has.
const MOST_ACTIVE: usize = 32;

/// A static evaluation by a neural network, except where the game [knows better](Playable::evaluate).
/// Several for one game can exist in a process, and play each other.
///
/// ```
/// use cublino_engine::Learned;
/// use cublino_rules::games::Ecke;
///
/// let learned = Learned::built_in::<Ecke>();
/// let score = learned.evaluate(&Ecke::default());
/// assert!(score.expected().abs() < 1.0);
/// ```
#[derive(Clone, Debug)]
pub struct Learned {
    /// The network.
    pub network: Arc<Network>,
}

impl Learned {
    /// The built-in evaluation of a game. Its network is read once.
    pub fn built_in<G: Playable>() -> Self {
        static BY_GAME: RwLock<BTreeMap<TypeId, Learned>> = RwLock::new(BTreeMap::new());
        // A thread of low priority may be preempted here: a read lock does not block other readers.
        let game = TypeId::of::<G>();
        let known = BY_GAME.read().unwrap_or_else(PoisonError::into_inner).get(&game).cloned();
        known.unwrap_or_else(|| {
            let mut by_game = BY_GAME.write().unwrap_or_else(PoisonError::into_inner);
            by_game.entry(game).or_insert_with(|| G::network().into()).clone()
        })
    }

    /// The static evaluation of a position for the side to move. Only called while the game is not over:
    /// before a move or a roll.
    pub fn evaluate<G: Playable>(&self, position: &G) -> Score {
        self.known(position).unwrap_or_else(|| with_input(position, |input| self.network.score(input)))
    }

    /// The static evaluation of a position that the game knows without the network.
    fn known<G: Playable>(&self, position: &G) -> Option<Score> {
        position.evaluate().map(|known| known.score(|expected| self.meaning_of_known().score(expected)))
    }

    /// What [`evaluate`](Self::evaluate) says, in a search with contempt for draws: updates the accumulators
    /// of the position that was evaluated before.
    pub(super) fn evaluate_next<G: Playable>(
        &self,
        position: &G,
        contempt: i32,
        before: &mut Accumulators<G>,
    ) -> Score {
        self.known(position).unwrap_or_else(|| {
            let phase = position.phase();
            let turn = position.turn();
            let parts = if self.network.views == 2 && !G::FEATURES.seen_by_other.is_empty() {
                self.next_parts_of_both(position, phase, before)
            } else {
                self.next_parts(position, phase, before)
            };
            let score = self.network.score_of(phase, parts);
            if contempt == 0 {
                return score;
            }
            let sums = [turn, !turn].map(|player| &before.0[player.index()].1);
            score.with_contempt(contempt, self.network.draw_share_by(phase, sums))
        })
    }

    /// Updates the accumulators to the next position, and sums what its views contribute to the score.
    fn next_parts<G: Playable>(&self, position: &G, phase: usize, before: &mut Accumulators<G>) -> i64 {
        let turn = position.turn();
        let of_view = |(view, seen_by): (usize, Player)| {
            let (before, sums) = &mut before.0[seen_by.index()];
            let seen = position.seen_by(seen_by);
            if !G::TUNING.accumulates {
                self.network.clear(sums);
                return with_features::<G, _>(&seen, None, |active| {
                    self.network.next_part(sums, phase, view, [&[], active])
                });
            }
            let part = with_features::<G, _>(before, Some(&seen), |gone| {
                with_features::<G, _>(&seen, Some(before), |new| {
                    self.network.next_part(sums, phase, view, [gone, new])
                })
            });
            *before = seen;
            part
        };
        [turn, !turn].into_iter().enumerate().take(self.network.views).map(of_view).sum()
    }

    /// The same for both views, where a game maps each feature to the other player's view: the changed
    /// features are found once.
    fn next_parts_of_both<G: Playable>(
        &self,
        position: &G,
        phase: usize,
        before: &mut Accumulators<G>,
    ) -> i64 {
        let [(before, one), (_, two)] = &mut before.0;
        let seen = position.seen_by(Player::One);
        let [view_of_one, view_of_two] = if position.turn() == Player::One { [0, 1] } else { [1, 0] };
        let parts = with_features::<G, _>(before, Some(&seen), |gone| {
            with_features::<G, _>(&seen, Some(before), |new| {
                let of_one = self.network.next_part(one, phase, view_of_one, [gone, new]);
                let mut by_two = [[0; MOST_ACTIVE]; 2];
                for (by_two, by_one) in by_two.iter_mut().zip([gone, new]) {
                    for (by_two, &feature) in by_two.iter_mut().zip(by_one) {
                        *by_two = G::FEATURES.seen_by_other[usize::from(feature)];
                    }
                }
                let by_two = [&by_two[0][..gone.len()], &by_two[1][..new.len()]];
                of_one + self.network.next_part(two, phase, view_of_two, by_two)
            })
        });
        *before = seen;
        parts
    }

    /// The static score of a move for the side that plays it: the evaluation of the position after it.
    pub fn static_score<G: Playable>(&self, position: &G, m: G::Move) -> Score {
        score_after(position, m, |next| self.evaluate(next))
    }

    /// The uncalibrated draw share, 0 to 1: the fraction of the probability left open by the expected result
    /// (`1 - |expected|`) that is a draw. Only called while the game is not over.
    pub fn draw_share<G: Playable>(&self, position: &G) -> f64 {
        // A position with a known score cannot be drawn any more.
        if position.evaluate().is_some() {
            0.0
        } else {
            with_input(position, |input| self.network.draw_share(input))
        }
    }

    /// The meaning of scores in a search that has visited `nodes` nodes, and has this draw share at its root.
    pub(super) fn meaning(&self, draw_share: f64, nodes: u64) -> Meaning {
        Meaning { curves: self.network.calibration.after(nodes), draw_share }
    }

    /// The meaning of known scores, where a draw is impossible. It does not depend on the search: a position
    /// with a known score has the same score in every search.
    pub(super) fn meaning_of_known(&self) -> Meaning {
        self.meaning(0.0, 0)
    }
}

/// The score of a move for the side that plays it, by an evaluation of the position after it.
pub(super) fn score_after<G: Playable>(
    position: &G,
    m: G::Move,
    evaluate: impl FnOnce(&G) -> Score,
) -> Score {
    let next = position.after(m);
    match next.stage() {
        Stage::Over(outcome) => Score::over(outcome.result_for(position.turn()), 1),
        Stage::Move | Stage::Roll if next.turn() == position.turn() => evaluate(&next),
        Stage::Move | Stage::Roll => -evaluate(&next),
    }
}

impl From<Network> for Learned {
    fn from(network: Network) -> Self {
        Self { network: Arc::new(network) }
    }
}

/// For each player, what they see of the last evaluated position, and its accumulator. Consecutive positions
/// of a search differ in few features, so an update is cheap.
#[derive(Debug)]
pub(super) struct Accumulators<G: Features>([(G::Seen, Accumulator); 2]);

impl<G: Playable> Accumulators<G> {
    pub(super) fn new(learned: &Learned, position: &G) -> Self {
        Self(Player::ALL.map(|player| {
            let seen = position.seen_by(player);
            let sums = with_features::<G, _>(&seen, None, |active| learned.network.accumulator(active));
            (seen, sums)
        }))
    }
}

/// Calls a function with a position as input of a network.
fn with_input<G: Playable, T>(position: &G, of: impl FnOnce(Input<'_>) -> T) -> T {
    let phase = position.phase();
    let seen = [position.turn(), !position.turn()].map(|player| position.seen_by(player));
    with_features::<G, _>(&seen[0], None, |own| {
        with_features::<G, _>(&seen[1], None, |other| of(Input { phase, views: [own, other] }))
    })
}

/// Calls a function with the features of what a player sees, except some or all that another position has
/// too: see [`active_features`](Features::active_features).
fn with_features<G: Playable, T>(
    seen: &G::Seen,
    unlike: Option<&G::Seen>,
    of: impl FnOnce(&[u16]) -> T,
) -> T {
    const { assert!(G::FEATURES.most_active <= MOST_ACTIVE && G::FEATURES.count <= 1 << u16::BITS) };
    let (mut active, mut count): ([u16; MOST_ACTIVE], usize) = (array::from_fn(|_| 0), 0);
    G::active_features(seen, unlike, |feature| {
        #[expect(clippy::cast_possible_truncation, reason = "there are no more features, as is asserted")]
        let feature = feature as u16;
        active[count] = feature;
        count += 1;
    });
    of(&active[..count])
}

#[cfg(test)]
mod tests {
    use cublino_rules::{game::playout, games::GameId, with_game};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;

    /// Evaluates the positions of games, and jumps back to earlier ones, as a search does.
    fn is_the_same_from_any_position_before<G: Playable>() {
        let learned = Learned::built_in::<G>();
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        for _ in 0..20 {
            let passed = playout::positions(G::default(), 200, &mut rng);
            let mut passed: Vec<_> = passed.filter(|position| position.stage().outcome().is_none()).collect();
            for _ in 0..passed.len() {
                passed.push(passed[rng.random_range(0..passed.len())]);
            }
            let mut before = Accumulators::new(&learned, &passed[0]);
            for position in &passed {
                for contempt in [0, 100] {
                    let units = if position.evaluate().is_some() { 0 } else { contempt };
                    let score = learned.evaluate(position).with_contempt(units, learned.draw_share(position));
                    assert_eq!(learned.evaluate_next(position, contempt, &mut before), score, "{position}");
                }
            }
        }
    }

    #[test]
    fn an_evaluation_in_a_search_is_that_of_the_position_alone_in_every_game() {
        for &game in GameId::ALL {
            with_game!(game, G => is_the_same_from_any_position_before::<G>());
        }
    }
}
