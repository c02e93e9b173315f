//! Mahbusa for the search: what the network sees of a position, its value, and its bounds.

#![expect(clippy::cast_possible_wrap, reason = "counts on a board are far below the limits of the types")]

use crate::{
    FeatureLayout, Features, Files, Playable, StaticEvaluation, Strength, Tablebases, Tuning,
    tablebase::{
        Tablebase,
        bear_off::{self, BearOff},
    },
};
use cublino_rules::{
    game::{Game, Player},
    games::{
        Mahbusa,
        mahbusa::{Board, CHECKERS, Checkers, Move, Point, PointSet, Side},
    },
};

impl Playable for Mahbusa {
    // Levels at commit c592896: 1,000 games a step, 60 of level 8; losses in 400 positions.
    const FILES: Files = Files {
        network: include_bytes!("../weights/mahbusa.net"),
        puzzles: include_str!("../puzzles/mahbusa.txt"),
        levels: include_str!("../levels/mahbusa.json"),
    };

    const TUNING: Tuning = Tuning {
        growth: 16.0,
        // A ply of dice takes a thousand times as long, and luck hides small errors.
        levels: [
            Strength::erring(1, 3.0),
            Strength::erring(1, 1.4),
            Strength::erring(1, 1.0),
            Strength::erring(1, 0.66),
            Strength::erring(1, 0.42),
            Strength::erring(1, 0.23),
            Strength::erring(1, 0.1),
            Strength::visiting(Strength::MOST_NODES),
        ],
        ..Tuning::DEFAULT
    };

    /// Once the players have passed each other only the race counts, whose result is in a table.
    fn evaluate(&self) -> Option<StaticEvaluation> {
        let (own, other) = (self.board().side(self.turn()), self.board().side(!self.turn()));
        bear_off::have_passed(own, other)
            .then(|| StaticEvaluation::Expected(bear_off::expected_result(own, other)))
    }

    fn tablebase(tablebases: &Tablebases) -> Option<&dyn Tablebase<Self>> {
        tablebases.wari().map(|_| &BearOff as _)
    }

    /// Pins first, then plays that leave few checkers alone.
    fn ordering_score(&self, m: Move) -> i32 {
        /// A quarter of what a history can reach.
        const PIN: i32 = 1000;
        /// A tenth of that.
        const SINGLE: i32 = 100;
        let Move::Play(checkers) = m else { return 0 };
        let pinned = self.board().side(!self.turn()).free.occupied() & checkers.occupied().across();
        PIN * pinned.count() as i32 - SINGLE * checkers.single().count() as i32
    }

    /// All checkers must be borne off, and between two turns of a player the opponent has one.
    fn fewest_plies(&self, player: Player) -> u32 {
        let turns = self.board().side(player).total().div_ceil(bear_off::MOST_CHECKERS);
        if self.turn() == player { 2 * turns - 1 } else { 2 * turns }
    }
}

/// Different stacks on a point: 1 to 3 free checkers or more, 1 on a pinned checker or more.
const STACKS: usize = 6;
/// What may stand on a point: nothing, or a stack of either player.
const ON_POINT: usize = 1 + 2 * STACKS;
/// Points lie in pairs, and what stands on both of them is one feature.
const PAIRS: usize = Point::COUNT / 2;
const ON_PAIR: usize = ON_POINT * ON_POINT;
/// After the pairs come the large stacks of both sides: 5, 6, 7 and more free checkers on a point, or 3, 4, 5
/// and more on a pinned one.
const LARGE: usize = PAIRS * ON_PAIR;
const SIZES: usize = 8;
/// Then come the checkers that each side has borne off, if any.
const BORNE_OFF: usize = LARGE + 2 * Point::COUNT * SIZES;
/// Then comes how the hindmost free checker of each side can move, if it is not at home: its point, and by
/// how many numbers on a die, 0 to 6.
const HINDMOST: usize = BORNE_OFF + 2 * CHECKERS as usize;
const MOVES: usize = 7;
/// Last come the numbers on a die by which each side can pin a checker, a bit for each.
const PINNING: usize = HINDMOST + 2 * Point::COUNT * MOVES;
const NUMBERS: usize = 1 << 6;

/// The stacks of a player on all points, each a number from 1 to [`STACKS`] in binary digits.
#[derive(Clone, Copy, Debug)]
struct Stacks([PointSet; 3]);

impl Stacks {
    /// The stacks of free checkers, which on some points stand on pinned ones.
    fn new(free: &Checkers, below: PointSet) -> Self {
        let &[one, two, four, eight] = free.digits();
        let many = four | eight;
        Self([one.without(many | below & two), two.without(many) | below & (two | many), many | below])
    }

    /// The points on which other stacks differ.
    fn changed(&self, other: &Self) -> PointSet {
        differing(&self.0, &other.0)
    }

    /// The stacks on a pair of points: two bits for each digit.
    fn on_pair(&self, pair: usize) -> usize {
        self.0.iter().rev().fold(0, |digits, points| digits << 2 | points.bits() as usize >> (2 * pair) & 3)
    }
}

/// What the stacks on a pair of points add to the number of its feature: own stacks, and those of the
/// opponent, who sees the two points in reverse order.
static OF_STACKS: [[usize; 1 << 6]; 2] = {
    let mut numbers = [[0; 1 << 6]; 2];
    let mut digits = 1;
    while digits < numbers[0].len() {
        let lower = digits & 1 | digits >> 1 & 2 | digits >> 2 & 4;
        let upper = digits >> 1 & 1 | digits >> 2 & 2 | digits >> 3 & 4;
        numbers[0][digits] = ON_POINT * upper + lower;
        let other_lower = if upper > 0 { STACKS + upper } else { 0 };
        let other_upper = if lower > 0 { STACKS + lower } else { 0 };
        numbers[1][digits] = ON_POINT * other_upper + other_lower;
        digits += 1;
    }
    numbers
};

/// The points with a large stack; on some points it stands on a pinned checker.
fn large(free: &Checkers, below: PointSet) -> PointSet {
    let &[one, two, four, eight] = free.digits();
    eight | four & (one | two) | below & (four | one & two)
}

/// The points on which any of some sets differs from its counterpart.
fn differing(sets: &[PointSet], others: &[PointSet]) -> PointSet {
    sets.iter().zip(others).fold(PointSet::default(), |changed, (&one, &two)| changed | one ^ two)
}

/// A player's checkers, as the features are computed from them, in that player's letters.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    side: Side,
    /// The points on which the opponent's checkers are pinned.
    below: PointSet,
    stacks: Stacks,
    large: PointSet,
    /// The hindmost free checker and by how many numbers on a die it can move, as in a feature; 0 if it is at
    /// home.
    hindmost: usize,
    /// The numbers on a die that pin a checker, a bit for each.
    pinning: usize,
}

impl Seen {
    fn new(board: &Board, player: Player) -> Self {
        let (side, opposing) = (*board.side(player), board.side(!player));
        let from = side.free.occupied();
        let open = board.open(player);
        let below = opposing.pinned.across();
        let single = opposing.free.occupied().across() & open;
        let pins = |pips: u8| usize::from(!(from.below(pips) & single).is_empty()) << (pips - 1);
        let hindmost = from.without(PointSet::HOME).highest().map_or(0, |hindmost| {
            let reached = open.below(hindmost.pips() - 7) & PointSet::HOME;
            hindmost.index() * MOVES + reached.count() as usize
        });
        Self {
            side,
            below,
            stacks: Stacks::new(&side.free, below),
            large: large(&side.free, below),
            hindmost,
            pinning: (1..=6).map(pins).sum(),
        }
    }
}

/// Points are in the letters of the player who sees them; those of one side alone in that side's.
impl Features for Mahbusa {
    const FEATURES: FeatureLayout = FeatureLayout {
        count: PINNING + 2 * NUMBERS,
        // Large stacks have three checkers or more.
        most_active: PAIRS + 2 * (CHECKERS as usize / 3 + 2),
        phases: 9,
        seen_by_other: &[],
    };

    /// How many checkers of each player are pinned: none, one, or more.
    fn phase(&self) -> usize {
        let pinned = |player| self.board().side(player).pinned.count().min(2) as usize;
        3 * pinned(self.turn()) + pinned(!self.turn())
    }

    type Seen = [Seen; 2];

    fn seen_by(&self, player: Player) -> Self::Seen {
        [player, !player].map(|player| Seen::new(self.board(), player))
    }

    fn active_features(seen: &Self::Seen, unlike: Option<&Self::Seen>, mut active: impl FnMut(usize)) {
        let [own, other] = seen.each_ref().map(|seen| &seen.stacks);
        let changed = unlike.map_or(PointSet::ALL, |unlike| {
            own.changed(&unlike[0].stacks) | other.changed(&unlike[1].stacks).across()
        });
        let mut changed = changed.bits();
        while changed != 0 {
            let pair = changed.ilog2() as usize / 2;
            changed &= !(3 << (2 * pair));
            let [of_own, of_other] = &OF_STACKS;
            let both = of_own[own.on_pair(pair)] + of_other[other.on_pair(PAIRS - 1 - pair)];
            if both > 0 {
                active(pair * ON_PAIR + both);
            }
        }
        for (number, seen) in seen.iter().enumerate() {
            let Seen { side, below, large, hindmost, pinning, .. } = *seen;
            let unlike = unlike.map(|unlike| &unlike[number]);
            if !large.is_empty() {
                let changed = unlike.map_or(PointSet::ALL, |unlike| {
                    differing(side.free.digits(), unlike.side.free.digits()) | below ^ unlike.below
                });
                for point in large & changed {
                    let count = usize::from(side.free.on(point));
                    let size = if below.contains(point) { count.min(6) + 1 } else { count.min(8) - 5 };
                    active(LARGE + (number * Point::COUNT + point.index()) * SIZES + size);
                }
            }
            // Nobody bears off before all checkers are at home.
            if side.occupied().without(PointSet::HOME).is_empty() {
                let borne_off = side.borne_off();
                if borne_off > 0 && unlike.is_none_or(|unlike| unlike.side.borne_off() != borne_off) {
                    active(BORNE_OFF + number * CHECKERS as usize + usize::from(borne_off) - 1);
                }
            }
            if hindmost > 0 && unlike.is_none_or(|unlike| unlike.hindmost != hindmost) {
                active(HINDMOST + number * Point::COUNT * MOVES + hindmost);
            }
            if pinning > 0 && unlike.is_none_or(|unlike| unlike.pinning != pinning) {
                active(PINNING + number * NUMBERS + pinning);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::testing::{assert_is_worth_the_same_from_the_other_side, assert_won_by_next_move};

    /// A state seen from the other side of the board, with the players changed.
    fn turned_round(state: &str) -> String {
        let (turn, points) = state.split_once('-').unwrap();
        let mut groups: Vec<String> = Vec::new();
        for c in points.chars() {
            match groups.last_mut() {
                Some(last)
                    if c == 'p' || c.is_ascii_digit() && last.ends_with(|c: char| c.is_ascii_digit()) =>
                {
                    last.push(c);
                }
                _ => groups.push(c.into()),
            }
        }
        groups.reverse();
        let swap = |c: char| match c {
            'p' => c,
            _ if c.is_uppercase() => c.to_ascii_lowercase(),
            _ => c.to_ascii_uppercase(),
        };
        format!(
            "{}-{}",
            turn.chars().map(swap).collect::<String>(),
            groups.concat().chars().map(swap).collect::<String>()
        )
    }

    #[test]
    fn a_position_is_worth_the_same_from_the_other_side() {
        assert_is_worth_the_same_from_the_other_side::<Mahbusa>(5, 400, turned_round);
    }

    #[test]
    fn the_last_checkers_are_borne_off_when_they_can_be() {
        assert_won_by_next_move::<Mahbusa>("M21-AA21o");
        assert_won_by_next_move::<Mahbusa>("m66-O19aaaa");
    }

    /// How the hindmost checker of White can move and what White can pin, by the features that White sees.
    fn dice(state: &str) -> [Vec<usize>; 2] {
        let mut active = Vec::new();
        let position = Mahbusa::read(state).unwrap();
        Mahbusa::active_features(&position.seen_by(Player::One), None, |feature| active.push(feature));
        [(HINDMOST, Point::COUNT * MOVES), (PINNING, NUMBERS)].map(|(first, count)| {
            let active = active.iter().filter_map(|feature| feature.checked_sub(first));
            active.filter(|&feature| feature < count).collect()
        })
    }

    #[test]
    fn the_dice_that_move_the_hindmost_checker_and_that_pin_are_seen() {
        let x = (Point::COUNT - 1) * MOVES;
        // Nothing is in the way; a single checker is, and then two are.
        assert_eq!(dice("M-o22O"), [vec![x + 6], vec![]]);
        assert_eq!(dice("M-n19a2O"), [vec![x + 6], vec![1 << 2]]);
        assert_eq!(dice("M-m19b2O"), [vec![x + 5], vec![]]);
        // A checker that pins another cannot be pinned.
        assert_eq!(dice("M-n19ap2N"), [vec![x + 5], vec![]]);
        // At home it does not matter.
        assert!(dice("M-Oo22").iter().all(Vec::is_empty));
    }
}
