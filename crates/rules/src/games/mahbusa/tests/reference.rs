//! The plays of a roll once more, slowly and obviously, to compare with.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// Everything on the board in the letters of the player to move, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Slow {
    own: [u8; 24],
    own_pinned: [bool; 24],
    other: [u8; 24],
    other_pinned: [bool; 24],
}

impl Slow {
    fn of(position: &Mahbusa, mover: Player) -> Self {
        let mut slow =
            Self { own: [0; 24], own_pinned: [false; 24], other: [0; 24], other_pinned: [false; 24] };
        for (i, point) in description(position).points.iter().enumerate() {
            let i = if mover == Player::One { i } else { 23 - i };
            if point.owner == Some(mover) {
                slow.own[i] = point.count;
                slow.other_pinned[i] = point.pinned;
            } else {
                slow.other[i] = point.count;
                slow.own_pinned[i] = point.pinned;
            }
        }
        slow
    }

    fn has_own(&self, point: usize) -> bool {
        self.own[point] > 0 || self.own_pinned[point]
    }

    /// The board after a die is played from a point, if the rules allow it.
    fn step(mut self, from: usize, die: usize) -> Option<Self> {
        if self.own[from] == 0 {
            return None;
        }
        if from < die {
            let all_home = !(6..24).any(|point| self.has_own(point));
            let is_highest = !(from + 1..24).any(|point| self.has_own(point));
            if !all_home || !(from + 1 == die || is_highest) {
                return None;
            }
        } else {
            let to = from - die;
            if self.other[to] > 1 || self.other[to] == 1 && self.own_pinned[to] {
                return None;
            }
            if self.other[to] == 1 {
                self.other[to] = 0;
                self.other_pinned[to] = true;
            }
            self.own[to] += 1;
        }
        self.own[from] -= 1;
        if self.own[from] == 0 && self.other_pinned[from] {
            self.other_pinned[from] = false;
            self.other[from] = 1;
        }
        Some(self)
    }

    /// All boards after one die.
    fn steps(self, die: usize) -> BTreeSet<Self> {
        (0..24).filter_map(|from| self.step(from, die)).collect()
    }

    /// All boards after as many dice as possible, and how many these are.
    fn plays(self, roll: Roll) -> (usize, BTreeSet<Self>) {
        let [larger, smaller] = <[u8; 2]>::from(roll).map(usize::from);
        let orders: &[&[usize]] = if larger == smaller {
            &[&[larger; 4]]
        } else {
            &[&[larger, smaller], &[smaller, larger], &[smaller]]
        };
        let mut best = (0, BTreeSet::from([self]));
        for order in orders {
            let mut boards = BTreeSet::from([self]);
            for (played, &die) in order.iter().enumerate() {
                boards = boards.into_iter().flat_map(|board| board.steps(die)).collect();
                if boards.is_empty() {
                    break;
                }
                match (played + 1).cmp(&best.0) {
                    std::cmp::Ordering::Greater => best = (played + 1, boards.clone()),
                    std::cmp::Ordering::Equal => best.1.extend(&boards),
                    std::cmp::Ordering::Less => {}
                }
            }
        }
        best
    }
}

#[test]
fn the_listed_plays_are_those_that_the_rules_spell_out() {
    let (mut compared, mut bearing_off, mut doubles) = (0, 0, 0);
    for position in positions_to_move(1) {
        let (player, roll) = (position.turn(), position.dice());
        let (dice, expected) = Slow::of(&position, player).plays(roll);
        let moves = position.legal_moves();
        let found: BTreeSet<_> = moves.iter().map(|&m| Slow::of(&position.after(m), player)).collect();
        assert_eq!(found, expected, "{position}");
        assert_eq!(moves.len(), expected.len(), "{position}: a result is listed twice");
        assert_eq!(position.count_moves(), expected.len(), "{position}");
        assert_eq!(position.mover().playable(roll), dice, "{position}");
        assert_eq!(dice == 0, moves == [Move::Pass], "{position}");
        compared += 1;
        let off = |m: &Move| position.after(*m).board().borne_off() != position.board().borne_off();
        bearing_off += usize::from(moves.iter().any(off));
        doubles += usize::from(roll.double().is_some());
    }
    assert!(compared > 2_000 && bearing_off > 500 && doubles > 300, "{compared} {bearing_off} {doubles}");
}

#[test]
fn nobody_moves_on_any_roll_only_in_a_deadlock() {
    let can_move = |position: &Mahbusa, player| {
        let slow = Slow::of(position, player);
        (1..=6).any(|die| !slow.steps(die).is_empty())
    };
    let (mut stuck, mut deadlocked) = (0, 0);
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    for _ in 0..3_000 {
        let position = made_up_blockade(&mut rng);
        let nobody_moves = !Player::ALL.into_iter().any(|player| can_move(&position, player));
        assert!(!nobody_moves || position.is_deadlocked(), "{position}");
        stuck += usize::from(nobody_moves);
        deadlocked += usize::from(position.is_deadlocked());
    }
    assert!(deadlocked > stuck && stuck > 0, "{deadlocked} deadlocks, in {stuck} of which nobody moves");
}

/// A board on which each player stands on few points, mostly on the 1-point, and pins much.
fn made_up_blockade(rng: &mut Pcg64Mcg) -> Mahbusa {
    let mut stacks = [None; Point::COUNT];
    for player in Player::ALL {
        for _ in 0..CHECKERS {
            let index = if rng.random_bool(0.8) { 0 } else { rng.random_range(..Point::START.pips()) };
            let point = Point::new(index).unwrap().seen_by(player);
            drop_checker(&mut stacks[point.index()], player, rng.random());
        }
        drop_checker(&mut stacks[Point::START.seen_by(player).index()], player, false);
    }
    Mahbusa { board: board_with(&stacks), turn: Player::One, roll: None }
}

/// A position in which the player to move has one to three checkers left, all at home, where any of them may
/// be pinned.
fn made_up_last_checkers(rng: &mut Pcg64Mcg) -> Mahbusa {
    loop {
        let mover = if rng.random() { Player::One } else { Player::Two };
        let mut stacks = [None; Point::COUNT];
        for _ in 0..rng.random_range(1..=3) {
            let point = Point::new(rng.random_range(..6)).unwrap().seen_by(mover);
            drop_checker(&mut stacks[point.index()], mover, false);
        }
        for _ in 0..CHECKERS {
            let point = Point::new(rng.random_range(..Point::START.pips())).unwrap();
            drop_checker(&mut stacks[point.index()], !mover, rng.random());
        }
        if let Some(position) = rolled(board_with(&stacks), mover, rng) {
            return position;
        }
    }
}

impl Slow {
    /// Calls a function with the steps of every order of dice and checkers, up to where none can be played,
    /// and the board after them; says how often.
    fn every_order(self, dice: &[usize], legs: &mut Vec<Leg>, found: &mut impl FnMut(&[Leg], &Self)) {
        let mut is_over = true;
        for (i, &die) in dice.iter().enumerate() {
            for from in 0..24 {
                let Some(next) = self.step(from, die) else { continue };
                is_over = false;
                let to = from.checked_sub(die).map(|to| Point::all().nth(to).unwrap());
                legs.push(Leg { from: Point::all().nth(from).unwrap(), to });
                next.every_order(&[&dice[..i], &dice[i + 1..]].concat(), legs, found);
                legs.pop();
            }
        }
        if is_over {
            found(legs, &self);
        }
    }
}

#[test]
fn every_order_in_which_a_play_can_be_written_is_listed_once_and_no_other() {
    let mut rng = Pcg64Mcg::seed_from_u64(4);
    let last_checkers: Vec<_> = (0..2_000).map(|_| made_up_last_checkers(&mut rng)).collect();
    let (mut compared, mut in_several_orders, mut with_dice_left, mut passes) = (0, 0, 0, 0);
    for position in positions_to_move(4).step_by(3).chain(last_checkers) {
        let (mover, roll) = (position.turn(), position.dice());
        let start = Slow::of(&position, mover);
        let (most, _) = start.plays(roll);
        let mut dice: Vec<usize> = <[u8; 2]>::from(roll).map(usize::from).into();
        if roll.double().is_some() {
            dice.extend_from_within(..);
            // The reference does not notice that the dice of a double are equal, and tries all their orders.
            if position.count_moves() > 60 {
                continue;
            }
        }
        let mut expected = BTreeMap::new();
        start.every_order(&dice, &mut Vec::new(), &mut |legs, board| {
            let has_won = !(0..24).any(|point| board.has_own(point));
            if legs.len() == most || has_won {
                let play = if legs.is_empty() { Spelling::Pass } else { Spelling::Legs(legs.into()) };
                let other = expected.insert(play.clone(), *board);
                assert!(other.is_none_or(|other| other == *board), "{play} in {position} has two results");
                with_dice_left += usize::from(legs.len() < most);
            }
        });
        let listed: Vec<_> = position.every_spelling().collect();
        assert_eq!(listed.len(), expected.len(), "{position}");
        for (play, m) in &listed {
            assert_eq!(
                expected.get(play),
                Some(&Slow::of(&position.after(*m), mover)),
                "{play} in {position}"
            );
            assert_eq!(position.resolve(play).as_ref(), Ok(m), "{play} in {position}");
        }
        let plays: BTreeSet<_> = listed.iter().map(|(play, _)| play).collect();
        position.list(|play, _| assert!(plays.contains(&play), "{play} in {position}"));
        compared += 1;
        in_several_orders += usize::from(listed.len() > position.count_moves());
        passes += usize::from(listed[0].0 == Spelling::Pass);
    }
    assert!(compared > 1_000 && in_several_orders > 500, "{compared} {in_several_orders}");
    assert!(with_dice_left > 20 && passes > 20, "{with_dice_left} {passes}");
}

/// All texts are tried, not only those that the rules allow: 24 points to leave and 25 places to go to.
#[test]
fn whatever_is_accepted_is_listed_among_the_orders() {
    let legs: Vec<_> = Point::all()
        .flat_map(|from| Point::all().map(Some).chain([None]).map(move |to| Leg { from, to }))
        .collect();
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let last_checkers: Vec<_> = (0..60).map(|_| made_up_last_checkers(&mut rng)).collect();
    let mut accepted_plays = 0;
    for position in positions_to_move(5).step_by(29).chain(last_checkers) {
        if position.count_moves() > 20 {
            continue;
        }
        let mut accepted = BTreeSet::new();
        let mut prefixes = vec![Vec::new()];
        if position.resolve(&Spelling::Pass).is_ok() {
            accepted.insert(Spelling::Pass);
        }
        while let Some(prefix) = prefixes.pop() {
            for &leg in &legs {
                let longer = [&prefix[..], &[leg]].concat();
                let play = Spelling::Legs(longer.as_slice().into());
                match legal_move(&position, &play) {
                    Ok(_) => {
                        accepted.insert(play);
                        prefixes.push(longer);
                    }
                    Err(Illegal::MoreDicePlayable { .. }) => prefixes.push(longer),
                    Err(_) => {}
                }
            }
        }
        let listed: BTreeSet<_> = position.every_spelling().map(|(play, _)| play).collect();
        assert_eq!(listed, accepted, "{position}");
        accepted_plays += accepted.len();
    }
    assert!(accepted_plays > 500, "{accepted_plays}");
}
