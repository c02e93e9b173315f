//! What the trainer knows about a game besides its rules and features.

use cublino_engine::{Features, Playable};
use cublino_rules::{
    game::{Game, Notation, Player},
    games::{
        Contra, Ecke, Mahbusa, Pur, Wari,
        cublino::{Move, Squares},
        mahbusa::Point,
    },
};

/// A game whose network can be trained.
pub trait Training: Playable + Notation {
    /// Number of groups of similar features: see [`Self::groups`].
    const GROUPS: usize = 0;

    /// The groups that a feature belongs to, each below [`Self::GROUPS`].
    ///
    /// The features of a group share weights during training, so that rare features get sensible weights,
    /// too. After training, the weights of the groups are added to those of their features.
    fn groups(_feature: usize) -> Vec<usize> {
        Vec::new()
    }

    /// Whether a player with this habit, one of 256, avoids a legal move where there are others.
    ///
    /// In some games of self-play, one player has a habit. So the network also learns positions, such as
    /// fortresses, that two players who want to win never reach.
    fn is_avoided(&self, _: Self::Move, _habit: u8) -> bool {
        false
    }
}

impl Training for Contra {
    const GROUPS: usize = GROUPS_OF_DICE;

    fn groups(feature: usize) -> Vec<usize> {
        groups_of_die(feature)
    }

    fn is_avoided(&self, m: Move, habit: u8) -> bool {
        leaves_start(self.turn(), m, habit)
    }
}

impl Training for Ecke {
    const GROUPS: usize = GROUPS_OF_DICE;

    fn groups(feature: usize) -> Vec<usize> {
        groups_of_die(feature)
    }

    fn is_avoided(&self, m: Move, habit: u8) -> bool {
        leaves_start(self.turn(), m, habit)
    }
}

impl Training for Pur {
    const GROUPS: usize = GROUPS_OF_DICE + GROUPS_OF_RANKS;

    fn groups(feature: usize) -> Vec<usize> {
        feature.checked_sub(OF_DICE).map_or_else(|| groups_of_die(feature), groups_of_ranks)
    }

    fn is_avoided(&self, m: Move, habit: u8) -> bool {
        leaves_start(self.turn(), m, habit)
    }
}

const SQUARES: usize = 49;
const ORIENTATIONS: usize = 24;
const TOPS: usize = 6;
const RANKS: usize = 7;
/// Own dice, then those of the opponent.
const SIDES: usize = 2;
/// A feature for each side, orientation and square.
const OF_DICE: usize = SIDES * ORIENTATIONS * SQUARES;
const GROUPS_OF_DICE: usize = SIDES * (SQUARES + ORIENTATIONS + TOPS * RANKS);
/// None to seven dice are on a rank.
const DICE_ON_RANK: usize = RANKS + 1;
/// A feature for each side, number of dice on the first rank and number on the last.
const OF_RANKS: usize = SIDES * DICE_ON_RANK * DICE_ON_RANK;
const GROUPS_OF_RANKS: usize = SIDES * 2 * DICE_ON_RANK;

const _: () = assert!(Contra::FEATURES.count == OF_DICE && Ecke::FEATURES.count == OF_DICE);
const _: () = assert!(Pur::FEATURES.count == OF_DICE + OF_RANKS);

/// The groups of a feature of a die: by side and square, by side and orientation, and by side, top and rank.
fn groups_of_die(feature: usize) -> Vec<usize> {
    let (square, oriented) = (feature % SQUARES, feature / SQUARES);
    let (orientation, side) = (oriented % ORIENTATIONS, oriented / ORIENTATIONS);
    let top = orientation * TOPS / ORIENTATIONS;
    let first_of_orientations = SIDES * SQUARES;
    let first_of_tops = first_of_orientations + SIDES * ORIENTATIONS;
    vec![
        side * SQUARES + square,
        first_of_orientations + side * ORIENTATIONS + orientation,
        first_of_tops + (side * TOPS + top) * RANKS + square / RANKS,
    ]
}

/// The groups of a feature of ranks: by side and dice on the first rank, and by side and dice on the last.
fn groups_of_ranks(feature: usize) -> Vec<usize> {
    let (last, others) = (feature % DICE_ON_RANK, feature / DICE_ON_RANK);
    let (first, side) = (others % DICE_ON_RANK, others / DICE_ON_RANK);
    let group = |group| GROUPS_OF_DICE + side * 2 * DICE_ON_RANK + group;
    vec![group(first), group(DICE_ON_RANK + last)]
}

/// Whether a move takes a die off the player's first rank, on the file of the habit. A die that stays there
/// keeps the opponent from occupying their whole far rank.
fn leaves_start(position_of: Player, m: Move, habit: u8) -> bool {
    let first = Squares::far_rank(!position_of);
    matches!(m, Move::Go { from, .. } if first.contains(from) && from.file() == habit % 7)
}

/// Number of states of a point: empty, or one of six stacks of either player.
const ON_POINT: usize = 1 + 2 * 6;
const ON_PAIR: usize = ON_POINT * ON_POINT;
/// The features of pairs of points come first, numbered by pair and by the states of both points.
const OF_PAIRS: usize = Point::COUNT / 2 * ON_PAIR;

impl Training for Mahbusa {
    const GROUPS: usize = Point::COUNT * ON_POINT;

    /// A group for each point of the pair and its state.
    fn groups(feature: usize) -> Vec<usize> {
        if feature >= OF_PAIRS {
            return Vec::new();
        }
        let (pair, both) = (feature / ON_PAIR, feature % ON_PAIR);
        let points = [(2 * pair + 1, both / ON_POINT), (2 * pair, both % ON_POINT)];
        points.map(|(point, on_point)| point * ON_POINT + on_point).to_vec()
    }
}

const CUPS_OF_SIDE: usize = 6;
/// Counts of marbles in a cup with features of their own.
const MARBLES: usize = 24;
/// The features of a side are numbered by cup and marbles; those of prisoners come last.
const OF_SIDE: usize = Wari::FEATURES.count / 2;

impl Training for Wari {
    const GROUPS: usize = 2 * MARBLES;

    /// A group for each side and number of marbles in a cup, whichever cup it is.
    fn groups(feature: usize) -> Vec<usize> {
        let (side, feature) = (feature / OF_SIDE, feature % OF_SIDE);
        let is_of_cup = feature < CUPS_OF_SIDE * MARBLES;
        if is_of_cup { vec![side * MARBLES + feature % MARBLES] } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use cublino_rules::{games::GameId, with_game};

    use super::*;

    fn its_groups_are_what_it_says<G: Training>() {
        let mut used = vec![false; G::GROUPS];
        for group in (0..G::FEATURES.count).flat_map(G::groups) {
            used[group] = true;
        }
        assert!(used.into_iter().all(|used| used), "a group has no features");
    }

    #[test]
    fn the_groups_of_every_game_are_what_it_says() {
        for &game in GameId::ALL {
            with_game!(game, G => its_groups_are_what_it_says::<G>());
        }
    }

    /// The groups of the features that the side to move sees.
    fn groups<G: Training>(state: &str) -> Vec<Vec<usize>> {
        let (position, mut groups) = (G::read(state).unwrap(), Vec::new());
        G::active_features(&position.seen_by(position.turn()), None, |feature| {
            groups.push(G::groups(feature));
        });
        groups.sort();
        groups
    }

    #[test]
    fn dice_of_one_side_on_one_square_with_one_orientation_or_on_one_rank_with_one_top_are_a_group() {
        // The first of the groups by side and square, by side and orientation, and by side, top and rank.
        let first = [0, SIDES * SQUARES, SIDES * (SQUARES + ORIENTATIONS)];
        let start = groups::<Contra>(&Contra::default().to_string());
        for (file, own) in start[..RANKS].iter().enumerate() {
            assert_eq!(own[0], first[0] + file, "own dice are on the first rank");
        }
        for (file, other) in start[RANKS..].iter().enumerate() {
            assert_eq!(other[0], SQUARES + SQUARES - RANKS + file, "the others are on the last");
        }
        for (dice, side) in [(&start[..RANKS], 0), (&start[RANKS..], 1)] {
            assert!(dice.iter().all(|of_die| of_die[1..] == dice[0][1..]), "all lie alike: {dice:?}");
            assert_eq!((dice[0][1] - first[1]) / ORIENTATIONS, side);
            let rank = if side == 0 { 0 } else { RANKS - 1 };
            assert_eq!((dice[0][2] - first[2]) % (TOPS * RANKS) % RANKS, rank);
        }
    }

    #[test]
    fn in_pur_sides_with_as_many_dice_on_a_rank_are_a_group() {
        // All seven dice of either side are on its first rank, and none on its last.
        let start = groups::<Pur>(&Pur::default().to_string());
        let of_side =
            |side: usize| [7, DICE_ON_RANK].map(|group| GROUPS_OF_DICE + side * 2 * DICE_ON_RANK + group);
        assert_eq!(start[2 * RANKS..], [of_side(0), of_side(1)]);
    }

    #[test]
    fn in_mahbusa_what_stands_on_a_point_is_a_group() {
        // Nothing stands beside the checkers on the first point of either side.
        let own = groups::<Mahbusa>("M-o22O");
        let points = |of_pair: &Vec<usize>| of_pair.iter().map(|group| group / ON_POINT).collect::<Vec<_>>();
        let of_pairs: Vec<_> = own.iter().filter(|groups| !groups.is_empty()).collect();
        assert_eq!(of_pairs.iter().map(|groups| points(groups)).collect::<Vec<_>>(), [[1, 0], [23, 22]]);
        let is_empty = |group: usize| group.is_multiple_of(ON_POINT);
        let empty: Vec<_> =
            of_pairs.iter().flat_map(|groups| groups.iter().map(|&group| is_empty(group))).collect();
        assert_eq!(empty, [true, false, false, true]);
    }

    #[test]
    fn in_wari_cups_of_one_side_with_as_many_marbles_are_a_group() {
        let of_cups = |counts: [usize; 12]| {
            let sides = counts.iter().enumerate().map(|(cup, count)| vec![cup / 6 * MARBLES + count]);
            let mut groups: Vec<_> = sides.chain([vec![], vec![]]).collect();
            groups.sort();
            groups
        };
        assert_eq!(groups::<Wari>("W-4-4-4-4-4-4-4-4-4-4-4-4-0-0"), of_cups([4; 12]));
        let counts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 1];
        assert_eq!(groups::<Wari>("W-0-1-2-3-4-5-6-7-8-9-2-1-0-0"), of_cups(counts));
    }

    #[test]
    fn a_habit_keeps_the_die_of_a_file_on_the_first_rank() {
        let start = Contra::default();
        for habit in [0, 6, 7, 255] {
            for m in start.legal_moves() {
                let Move::Go { from, .. } = m else { unreachable!("nobody passes at the start") };
                assert_eq!(start.is_avoided(m, habit), from.file() == habit % 7, "{habit} {m:?}");
            }
        }
        assert!(!Wari::default().is_avoided(Wari::default().legal_moves()[0], 0));
    }
}
