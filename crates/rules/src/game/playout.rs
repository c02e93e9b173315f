//! Playing at random.

use std::collections::HashSet;

use rand::{Rng, RngExt, seq::IndexedRandom};

use super::{Game, Stage};

/// Draws one of the rolls of a game with dice, each as often as its weight says; nothing without dice.
///
/// ```
/// use cublino_rules::{game::*, games::*};
/// use rand::SeedableRng;
///
/// let mut rng = rand_pcg::Pcg64::seed_from_u64(1);
/// assert!(playout::roll::<Mahbusa>(&mut rng).is_some());
/// assert!(playout::roll::<Wari>(&mut rng).is_none());
/// ```
pub fn roll<G: Game>(rng: &mut impl Rng) -> Option<G::Roll> {
    G::ROLLS.choose_weighted(rng, |&(_, weight)| weight).ok().map(|&(roll, _)| roll)
}

/// Draws a legal move so that all positions that can result are equally likely. Only called in
/// [`Stage::Move`].
///
/// ```
/// use cublino_rules::{game::*, games::*};
/// use rand::SeedableRng;
///
/// let mut rng = rand_pcg::Pcg64::seed_from_u64(1);
/// let start = Ecke::default();
/// assert!(start.legal_moves().contains(&playout::choose(&start, &mut rng)));
/// ```
pub fn choose<G: Game>(position: &G, rng: &mut impl Rng) -> G::Move {
    let mut moves = position.legal_moves();
    if !G::DISTINCT_MOVES {
        let mut results = HashSet::new();
        moves.retain(|&m| results.insert(position.after(m)));
    }
    moves[rng.random_range(..moves.len())]
}

/// The position after one random action: a move, each legal one as likely as another, or a roll.
///
/// A finished game stays as it is.
pub fn step<G: Game>(position: &G, rng: &mut impl Rng) -> G {
    match position.stage() {
        Stage::Over(_) => *position,
        Stage::Roll => position.rolled(roll::<G>(rng).expect("a game that rolls has rolls")),
        Stage::Move => {
            let moves = position.legal_moves();
            position.after(moves[rng.random_range(..moves.len())])
        }
    }
}

/// The positions of a random game, the first one included, until the game is over or `max_len` positions
/// have been passed through.
///
/// ```
/// use cublino_rules::{game::*, games::*};
/// use rand::SeedableRng;
///
/// let mut rng = rand_pcg::Pcg64::seed_from_u64(1);
/// let game: Vec<_> = playout::positions(Wari::default(), 5, &mut rng).collect();
/// assert_eq!((game.len(), game[0]), (5, Wari::default()));
/// ```
pub fn positions<G: Game>(start: G, max_len: usize, rng: &mut impl Rng) -> impl Iterator<Item = G> {
    let next = move |position: &G| position.stage().outcome().is_none().then(|| step(position, rng));
    std::iter::successors(Some(start), next).take(max_len)
}
