//! Faults of states with too many dice, or several on a square, compared with what the rules say of such a
//! list.

use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_pcg::Pcg64;

use strum::VariantNames;

use super::*;

/// A die that a text names: whose it is, file and rank.
type Named = (Player, char, char);

/// The code of a reason, and its place in the text.
type Reported = (&'static str, Option<usize>);

fn far_rank(player: Player) -> char {
    if player == Player::One { '7' } else { '1' }
}

/// How many dice are named for a player, and how many of them on the far rank.
fn count(dice: &[Named], player: Player) -> (usize, usize) {
    let own = || dice.iter().filter(|&&(owner, ..)| owner == player);
    (own().count(), own().filter(|&&(.., rank)| rank == far_rank(player)).count())
}

fn seven_each(dice: &[Named]) -> Vec<Reported> {
    let counts = Player::ALL.map(|player| count(dice, player));
    let mut faults: Vec<_> =
        counts.into_iter().filter(|&(all, _)| all != 7).map(|_| ("not-seven-dice", None)).collect();
    if counts.into_iter().all(|(_, across)| across >= 7) {
        faults.push(("both-finished", None));
    }
    faults
}

fn at_most_seven_each(dice: &[Named]) -> Vec<Reported> {
    let too_many = Player::ALL.into_iter().filter(|&player| count(dice, player).0 > 7);
    too_many.map(|_| ("too-many-dice", None)).collect()
}

fn contra(dice: &[Named]) -> Vec<Reported> {
    let mut faults = at_most_seven_each(dice);
    if Player::ALL.into_iter().all(|player| count(dice, player).1 > 0) {
        faults.push(("both-on-far-rank", None));
    }
    faults
}

fn ecke(dice: &[Named]) -> Vec<Reported> {
    let mut faults = at_most_seven_each(dice);
    let has_won = |player: Player| {
        let holds = |file| dice.contains(&(player, file, far_rank(player)));
        holds('a') && holds('g') || count(dice, !player).0 < 2
    };
    if Player::ALL.into_iter().all(has_won) {
        faults.push(("both-won", None));
    }
    faults
}

/// A list of dice that are crowded on few squares, most of them where games end.
fn named(rng: &mut Pcg64) -> Vec<Named> {
    let files = *["abcdefg", "ag", "abg"].choose(rng).unwrap();
    let mut dice = Vec::new();
    for player in Player::ALL {
        let count = *[0, 1, 2, 4, 6, 7, 7, 8].choose(rng).unwrap();
        let across = *[0.2, 0.8, 1.0].choose(rng).unwrap();
        for _ in 0..count {
            let file = char::from(*files.as_bytes().choose(rng).unwrap());
            let rank = if rng.random_bool(across) { far_rank(player) } else { rng.random_range('1'..='7') };
            dice.push((player, file, rank));
        }
    }
    // Shuffled, so that either of two dice on a square may be the first.
    for i in (1..dice.len()).rev() {
        dice.swap(i, rng.random_range(0..=i));
    }
    dice
}

fn every_fault_is_reported<R: Rules>(others: fn(&[Named]) -> Vec<Reported>) {
    let rng = &mut Pcg64::seed_from_u64(1);
    let (mut taken, mut ends, mut valid) = (0, 0, 0);
    for _ in 0..10_000 {
        let dice = named(rng);
        let mut state = String::from(R::ABOUT.letter);
        let mut expected = Vec::new();
        for (i, &(player, file, rank)) in dice.iter().enumerate() {
            state.extend([char::from(player.in_case(b'w')), file, rank]);
            if dice[..i].iter().any(|&(_, f, r)| (f, r) == (file, rank)) {
                expected.push(("square-taken", Some(1 + 3 * i + 1)));
                taken += 1;
            }
        }
        let others = others(&dice);
        ends += usize::from(!expected.is_empty() && others.iter().any(|(code, _)| code.starts_with("both")));
        expected.extend(others);
        let setup: Setup<R> = state.parse().unwrap();
        let faults = Cublino::<R>::try_from(setup).err();
        let found: Vec<_> = faults.iter().flatten().map(|fault| (fault.code, fault.at)).collect();
        assert_eq!(found, expected, "{state}");
        valid += usize::from(found.is_empty());
    }
    assert!(taken > 1_000 && ends > 100 && valid > 0, "{taken} {ends} {valid}");
}

#[test]
fn every_fault_is_reported_wherever_dice_are_said_to_lie() {
    every_fault_is_reported::<rules::Pur>(seven_each);
    every_fault_is_reported::<rules::Contra>(contra);
    every_fault_is_reported::<rules::Ecke>(ecke);
}

/// Programs rely on the codes of faults: they are never renamed.
#[test]
fn codes_are_never_renamed() {
    assert_eq!(
        [Malformed::VARIANTS, Invalid::VARIANTS, MalformedMove::VARIANTS, Illegal::VARIANTS]
            .map(|codes| codes.join(" ")),
        [
            "not-an-orientation not-a-file not-a-rank incomplete-die",
            "square-taken not-seven-dice too-many-dice both-on-far-rank both-won both-finished",
            "empty-move one-square not-a-square",
            "may-not-pass must-pass no-die not-yours backwards not-a-step no-jumps several-steps late-tip \
             tip-blocked nothing-to-jump landing-taken ends-where-it-began",
        ]
    );
}
