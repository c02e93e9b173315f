//! The rules of all variants once more, die by die and square by square: slow and plain, to compare with.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64;

use super::*;
use crate::{
    game::{Record, playout},
    games::described::SharedEvent,
};

/// What the faces show: top, bottom, north, south, east, west.
pub(super) type Cube = [u8; 6];

/// File and rank, 0 to 6 each.
type Place = (i8, i8);

/// What the variants differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    Pur,
    Contra,
    Ecke,
}

/// A position: dice by rank and file, and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Slow {
    /// By rank, then file, so that they are in the order of the notation.
    dice: BTreeMap<(i8, i8), (Player, Cube)>,
    turn: Player,
}

/// A quarter turn over the edge on the side where the die goes.
pub(super) fn tipped([top, bottom, north, south, east, west]: Cube, (right, up): (i8, i8)) -> Cube {
    match (right, up) {
        (0, 1) => [south, north, top, bottom, east, west],
        (0, -1) => [north, south, bottom, top, east, west],
        (1, 0) => [west, east, north, south, top, bottom],
        (-1, 0) => [east, west, north, south, bottom, top],
        // Top and bottom change places; the sides do so by pairs.
        (1, 1) | (-1, -1) => [bottom, top, west, east, south, north],
        (-1, 1) | (1, -1) => [bottom, top, east, west, north, south],
        _ => panic!("a tip goes to a neighbour"),
    }
}

/// All 24 orientations in the order of their letters: by the top, then by the north face.
pub(super) static CUBES: LazyLock<Vec<Cube>> = LazyLock::new(|| {
    // One up and two facing away puts three on the left.
    let mut found = BTreeSet::from([[1, 6, 2, 5, 4, 3]]);
    loop {
        let turned = found.iter().flat_map(|&cube| [(0, 1), (1, 0)].map(|to| tipped(cube, to)));
        let more: BTreeSet<_> = turned.chain(found.iter().copied()).collect();
        if more.len() == found.len() {
            break;
        }
        found = more;
    }
    let mut cubes: Vec<_> = found.into_iter().collect();
    cubes.sort_by_key(|&[top, _, north, ..]| (top, north));
    cubes
});

impl Slow {
    fn read(state: &str) -> Self {
        let chars: Vec<_> = state.chars().collect();
        let turn = Player::of_case(chars[0]);
        let dice = chars[1..].chunks(3).map(|die| {
            let cube = CUBES[usize::from(die[0].to_ascii_lowercase() as u8 - b'a')];
            let place = ((die[2] as u8 - b'1').cast_signed(), (die[1] as u8 - b'a').cast_signed());
            (place, (Player::of_case(die[0]), cube))
        });
        Self { dice: dice.collect(), turn }
    }

    fn text(&self, variant: Variant) -> String {
        let letter = match variant {
            Variant::Pur => b'P',
            Variant::Contra => b'C',
            Variant::Ecke => b'E',
        };
        let mut text = String::from(char::from(self.turn.in_case(letter)));
        for (&(rank, file), &(player, cube)) in &self.dice {
            let orientation = CUBES.iter().position(|&other| other == cube).unwrap();
            text.push(char::from(player.in_case(b"abcdefghijklmnopqrstuvwx"[orientation])));
            text.push(char::from(b'a' + file.cast_unsigned()));
            text.push(char::from(b'1' + rank.cast_unsigned()));
        }
        text
    }

    fn at(&self, (file, rank): Place) -> Option<(Player, Cube)> {
        self.dice.get(&(rank, file)).copied()
    }

    fn of(&self, player: Player) -> Vec<Place> {
        let own = self.dice.iter().filter(|(_, (owner, _))| *owner == player);
        own.map(|(&(rank, file), _)| (file, rank)).collect()
    }

    /// All results of moves of a player's dice, by the texts of the positions with the turn as it was.
    fn results(&self, variant: Variant, player: Player) -> Vec<Self> {
        let mut results = Vec::new();
        for from in self.of(player) {
            let (_, cube) = self.at(from).unwrap();
            let mut without = self.clone();
            without.dice.remove(&(from.1, from.0));
            for (cube, to) in without.ends(variant, player, cube, from) {
                let mut next = without.clone();
                next.dice.insert((to.1, to.0), (player, cube));
                for (file, rank) in next.losers(variant, player, to) {
                    next.dice.remove(&(rank, file));
                }
                results.push(next);
            }
        }
        results
    }

    /// How and where a die that was taken from a square of this board can end its move.
    fn ends(&self, variant: Variant, player: Player, cube: Cube, from: Place) -> Vec<(Cube, Place)> {
        let forward = if player == Player::One { 1 } else { -1 };
        let mut ways = vec![(0, forward), (1, 0), (-1, 0)];
        if variant == Variant::Ecke {
            ways.extend([(1, forward), (-1, forward)]);
        }
        let mut ends = Vec::new();
        let mut jumpers = vec![(cube, from)];
        for &way in &ways {
            let to = (from.0 + way.0, from.1 + way.1);
            if is_on_board(to) && self.at(to).is_none() {
                ends.push((tipped(cube, way), to));
                jumpers.push((tipped(cube, way), to));
            }
        }
        let jumps = |from: Place| {
            ways.iter().filter_map(move |way| {
                let (over, to) = ((from.0 + way.0, from.1 + way.1), (from.0 + 2 * way.0, from.1 + 2 * way.1));
                (is_on_board(to) && self.at(over).is_some() && self.at(to).is_none()).then_some(to)
            })
        };
        match variant {
            Variant::Contra => {}
            Variant::Ecke => ends.extend(jumps(from).map(|to| (cube, to))),
            Variant::Pur => {
                for (cube, start) in jumpers {
                    let mut reached = BTreeSet::from([start]);
                    let mut open = vec![start];
                    while let Some(place) = open.pop() {
                        open.extend(jumps(place).filter(|&to| reached.insert(to)));
                    }
                    reached.remove(&start);
                    ends.extend(reached.into_iter().map(|to| (cube, to)));
                }
                ends.retain(|&(_, to)| to != from);
            }
        }
        ends
    }

    /// The dice that leave after one has arrived.
    fn losers(&self, variant: Variant, mover: Player, to: Place) -> Vec<Place> {
        let top = |place: Place| self.at(place).map_or(0, |(_, cube)| u32::from(cube[0]));
        let beside = |place: Place, owner: Player| -> Vec<Place> {
            let [file, rank] = [place.0, place.1];
            let near = [(file, rank + 1), (file, rank - 1), (file + 1, rank), (file - 1, rank)];
            let corners =
                [(file + 1, rank + 1), (file + 1, rank - 1), (file - 1, rank + 1), (file - 1, rank - 1)];
            let corners = corners.into_iter().filter(|_| variant == Variant::Ecke);
            let owned = |place: &Place| self.at(*place).is_some_and(|(player, _)| player == owner);
            near.into_iter().chain(corners).filter(owned).collect()
        };
        let enemies = beside(to, !mover);
        let mut losers = Vec::new();
        match variant {
            Variant::Pur => {}
            Variant::Contra => {
                let theirs: u32 = enemies.iter().map(|&enemy| top(enemy)).sum();
                for &enemy in &enemies {
                    let ours: u32 = beside(enemy, mover).into_iter().map(top).sum();
                    match ours.cmp(&theirs) {
                        std::cmp::Ordering::Greater => losers.push(enemy),
                        std::cmp::Ordering::Less => losers.push(to),
                        std::cmp::Ordering::Equal => {}
                    }
                }
            }
            Variant::Ecke => {
                let is_goal = to.1 == far_rank(mover) && (to.0 == 0 || to.0 == 6);
                if is_goal {
                } else if enemies.iter().any(|&enemy| top(enemy) > top(to)) {
                    losers.push(to);
                } else {
                    losers.extend(enemies.into_iter().filter(|&enemy| top(enemy) < top(to)));
                }
            }
        }
        losers
    }

    fn can_move(&self, variant: Variant, player: Player) -> bool {
        !self.results(variant, player).is_empty()
    }

    /// Who has won and why; nobody in a draw.
    fn outcome(&self, variant: Variant) -> Option<(Option<Player>, EndReason)> {
        let across = |player| {
            self.of(player).into_iter().filter(|place| place.1 == far_rank(player)).collect::<Vec<_>>()
        };
        match variant {
            Variant::Pur => {
                if Player::ALL.into_iter().any(|player| across(player).len() == 7) {
                    let sum = |player| -> u32 {
                        let tops = across(player).into_iter().map(|place| self.at(place).unwrap().1[0]);
                        tops.map(u32::from).sum()
                    };
                    let winner = match sum(Player::One).cmp(&sum(Player::Two)) {
                        std::cmp::Ordering::Greater => Some(Player::One),
                        std::cmp::Ordering::Less => Some(Player::Two),
                        std::cmp::Ordering::Equal => None,
                    };
                    return Some((winner, EndReason::AllDiceHome));
                }
            }
            Variant::Contra => {
                if let Some(winner) = Player::ALL.into_iter().find(|&player| !across(player).is_empty()) {
                    return Some((Some(winner), EndReason::FarRankReached));
                }
            }
            Variant::Ecke => {
                for player in Player::ALL {
                    let corners = across(player).into_iter().filter(|place| place.0 == 0 || place.0 == 6);
                    if corners.count() == 2 {
                        return Some((Some(player), EndReason::CornersHeld));
                    }
                    if self.of(!player).len() < 2 {
                        return Some((Some(player), EndReason::TooFewDice));
                    }
                }
            }
        }
        let stuck = !Player::ALL.into_iter().any(|player| self.can_move(variant, player));
        stuck.then_some((None, EndReason::NobodyCanMove))
    }

    /// The positions after each legal move of the player to move.
    fn after_moves(&self, variant: Variant) -> Vec<Self> {
        if self.outcome(variant).is_some() {
            return Vec::new();
        }
        let mut next = self.results(variant, self.turn);
        if next.is_empty() {
            next.push(self.clone());
        }
        next.into_iter().map(|next| next.with_next_turn(variant, self.turn)).collect()
    }

    /// The mover's opponent is next, or the mover again if only the mover can move; also when the game is
    /// over.
    fn with_next_turn(mut self, variant: Variant, mover: Player) -> Self {
        let comes_back = !self.can_move(variant, !mover) && self.can_move(variant, mover);
        self.turn = if comes_back { mover } else { !mover };
        self
    }
}

fn is_on_board((file, rank): Place) -> bool {
    (0..7).contains(&file) && (0..7).contains(&rank)
}

fn far_rank(player: Player) -> i8 {
    if player == Player::One { 6 } else { 0 }
}

/// What has been compared.
#[derive(Debug, Default)]
struct Compared {
    positions: usize,
    passes: usize,
    /// Games that a move has ended, and in how many of these the mover is still the side to move.
    ended: usize,
    kept: usize,
    /// Turns that were skipped while the game went on.
    skipped: usize,
}

/// Compares everything about a position and the positions after it.
fn compare<R: Rules>(variant: Variant, state: &str, compared: &mut Compared) {
    let slow = Slow::read(state);
    assert_eq!(slow.text(variant), state);
    let setup: Setup<R> = state.parse().unwrap();
    let position = Cublino::<R>::try_from(setup).unwrap();
    let outcome =
        |position: &Cublino<R>| position.stage().outcome().map(|outcome| (outcome.winner, outcome.reason));
    assert_eq!(outcome(&position), slow.outcome(variant), "{state}");
    compared.positions += 1;
    if position.stage() != Stage::Move {
        return;
    }
    let (moves, spellings) = (position.legal_moves(), position.spellings());
    let found: BTreeSet<_> = moves.iter().map(|&m| position.after(m).to_string()).collect();
    let expected: BTreeSet<_> =
        slow.after_moves(variant).into_iter().map(|next| next.text(variant)).collect();
    assert_eq!(found, expected, "{state}");
    compared.passes += usize::from(moves == [Move::Pass]);
    for spelling in spellings {
        let mut record = Record::new(position, None);
        let ply = record.play(&spelling.to_string()).unwrap();
        let next = Slow::read(&ply.position.to_string());
        let is_over = next.outcome(variant);
        assert_eq!(outcome(&ply.position), is_over, "{spelling} in {state}");
        // A finished position can be read with either player to move.
        for letter in Player::ALL {
            let text = Slow { turn: letter, ..next.clone() }.text(variant);
            let read = Cublino::<R>::try_from(text.parse::<Setup<R>>().unwrap()).unwrap();
            assert_eq!((read.turn(), read.to_string()), (letter, text));
        }
        let keeps = ply.position.turn() == position.turn();
        let skipped = ply
            .events
            .iter()
            .any(|event| matches!(event, described::Event::Shared(SharedEvent::TurnSkipped { .. })));
        let ended = ply
            .events
            .iter()
            .any(|event| matches!(event, described::Event::Shared(SharedEvent::Ended { .. })));
        assert_eq!(
            (skipped, ended),
            (keeps && is_over.is_none(), is_over.is_some()),
            "{spelling} in {state}"
        );
        compared.ended += usize::from(ended);
        compared.kept += usize::from(ended && keeps);
        compared.skipped += usize::from(skipped);
    }
}

/// A random state text: often with few dice, often with dice near the far rank or in each other's way.
fn made_up(variant: Variant, rng: &mut Pcg64) -> String {
    let mut slow = Slow { dice: BTreeMap::new(), turn: *Player::ALL.choose(rng).unwrap() };
    // Dice on few ranks or on all, and few or many on the nearest rank, from which one move may end the game.
    let ranks = if rng.random_bool(0.4) { 6 } else { rng.random_range(2..=4) };
    let nearest = i8::from(variant != Variant::Pur && rng.random_bool(0.9));
    let share = *[0.1, 0.5, 0.95].choose(rng).unwrap();
    // All dice at the same end, where they block each other, or each player's at the end that they head for.
    let same_end = rng.random_bool(0.3);
    for player in Player::ALL {
        let count = if variant == Variant::Pur { 7 } else { rng.random_range(0..=7) };
        while slow.of(player).len() < count {
            let far = nearest + if rng.random_bool(share) { 0 } else { rng.random_range(0..ranks) };
            let rank = if same_end || player == Player::One { 6 - far } else { far };
            let place = (rank, rng.random_range(0..7));
            // In Pur seven dice on that rank end the game, and with six one move may do it.
            let row = slow.of(player).into_iter().filter(|&(_, other)| other == rank).count();
            if far == 0 && row == 6 && rng.random_bool(0.9) {
                continue;
            }
            slow.dice.entry(place).or_insert((player, *CUBES.choose(rng).unwrap()));
        }
    }
    slow.text(variant)
}

fn agree_with_the_reference<R: Rules>(variant: Variant) -> Compared {
    const GAMES: u64 = 15;
    const LONGEST: usize = 120;
    const MADE_UP: usize = 3_000;
    let mut compared = Compared::default();
    for seed in 0..GAMES {
        let rng = &mut Pcg64::seed_from_u64(seed);
        for position in playout::positions(Cublino::<R>::default(), LONGEST, rng) {
            compare::<R>(variant, &position.to_string(), &mut compared);
        }
    }
    let rng = &mut Pcg64::seed_from_u64(GAMES);
    for _ in 0..MADE_UP {
        let state = made_up(variant, rng);
        if Cublino::<R>::try_from(state.parse::<Setup<R>>().unwrap()).is_ok() {
            compare::<R>(variant, &state, &mut compared);
        }
    }
    compared
}

#[test]
fn positions_of_pur_agree_with_the_reference() {
    let compared = agree_with_the_reference::<rules::Pur>(Variant::Pur);
    assert!(compared.positions > 3_000, "{compared:?}");
    assert!(compared.passes > 10 && compared.skipped > 10 && compared.ended > 20, "{compared:?}");
    // All seven on the far rank leave no room for another move.
    assert_eq!(compared.kept, 0, "{compared:?}");
}

#[test]
fn positions_of_contra_agree_with_the_reference() {
    let compared = agree_with_the_reference::<rules::Contra>(Variant::Contra);
    assert!(compared.positions > 1_000 && compared.passes > 10 && compared.skipped > 100, "{compared:?}");
    assert!(compared.ended > 100 && compared.kept > 30, "{compared:?}");
}

#[test]
fn positions_of_ecke_agree_with_the_reference() {
    let compared = agree_with_the_reference::<rules::Ecke>(Variant::Ecke);
    assert!(compared.positions > 1_000 && compared.passes > 0 && compared.skipped > 5, "{compared:?}");
    assert!(compared.ended > 100 && compared.kept > 10, "{compared:?}");
}
