//! What holds in every position.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{reference::Reference, *};
use crate::game::playout;

/// The seed of random positions and games. Messages name the position instead, which says more.
const SEED: u64 = 20_260_101;

/// Positions after which a random game is cut off, as it may go round in circles.
const LONGEST: usize = 500;

/// A random position: marbles thrown into a random number of cups, crowded or sparse, the rest captured.
fn random_position(rng: &mut Pcg64) -> Reference {
    loop {
        let in_cups = rng.random_range(1..=48);
        let spread = rng.random_range(1..=12);
        let first = rng.random_range(0..12);
        let mut cups = [0; 12];
        for _ in 0..in_cups {
            cups[(first + rng.random_range(0..spread)) % 12] += 1;
        }
        let one = rng.random_range(0..=48 - in_cups);
        let position = Reference { cups, prisoners: [one, 48 - in_cups - one], turn: rng.random_range(0..2) };
        let setup = position.to_string().parse::<Setup>().unwrap();
        if Wari::try_from(setup).is_ok() {
            return position;
        }
    }
}

/// Everything that can be compared about a position.
fn agrees_with_the_reference(slow: &Reference) {
    let text = slow.to_string();
    let fast = Wari::read(&text).unwrap();
    let reason = fast.stage().outcome().map(|outcome| outcome.reason);
    assert_eq!(reason, slow.ended(), "{text}");
    if let Some(outcome) = fast.stage().outcome() {
        let [one, two] = slow.totals();
        assert_eq!(outcome.points, Some(Points { one, two }), "{text}");
    }
    let mut legal = Vec::new();
    fast.generate(&mut legal);
    let expected: Vec<_> = slow.legal().into_iter().map(|cup| Cup::all().nth(cup).unwrap()).collect();
    assert_eq!(legal, expected, "{text}");
    assert_eq!(fast.count_moves(), legal.len(), "{text}");
    for cup in Cup::all() {
        let resolved = fast.resolve(&Spelling::Cup(cup));
        match slow.play(usize::from(cup.number() - 1)) {
            None => assert!(resolved.is_err(), "{cup} in {text}"),
            Some(next) => {
                assert_eq!(resolved, Ok(cup), "{text}");
                assert_eq!(fast.after(cup).to_string(), next.to_string(), "{cup} in {text}");
            }
        }
    }
}

#[test]
fn random_positions_agree_with_the_reference() {
    let mut rng = Pcg64::seed_from_u64(SEED);
    for _ in 0..20_000 {
        agrees_with_the_reference(&random_position(&mut rng));
    }
}

#[test]
fn all_positions_of_two_marbles_agree_with_the_reference() {
    for (a, b, turn) in (0..12).flat_map(|a| (0..12).flat_map(move |b| [(a, b, 0), (a, b, 1)])) {
        let mut cups = [0; 12];
        cups[a] += 1;
        cups[b] += 1;
        if cups[6 * turn..6 * turn + 6].iter().any(|&marbles| marbles > 0) {
            agrees_with_the_reference(&Reference { cups, prisoners: [23, 23], turn });
        }
    }
}

#[test]
fn along_random_games_the_laws_hold() {
    let mut rng = Pcg64::seed_from_u64(SEED);
    for _ in 0..200 {
        for position in playout::positions(Wari::default(), LONGEST, &mut rng) {
            if position.stage() == Stage::Move {
                listed_moves_keep_the_laws(&position);
            }
        }
    }
}

fn listed_moves_keep_the_laws(position: &Wari) {
    for spelling in position.spellings() {
        let m = position.resolve(&spelling).unwrap_or_else(|why| panic!("{spelling} in {position}: {why}"));
        let logged = Spelling::Logged { player: position.turn(), cup: m, count: position.marbles(m) };
        assert_eq!(position.resolve(&logged), Ok(m), "{position}");
        let after = position.after(m);
        let taken = match position.events(&spelling).as_slice() {
            [described::Event::Wari(Event::Sown { .. })] => 0,
            [
                described::Event::Wari(Event::Sown { .. }),
                described::Event::Wari(Event::Captured { total, .. }),
            ] => *total,
            events => panic!("{spelling} in {position}: {events:?}"),
        };
        let prisoners = |after: &Wari| after.row(position.turn()).prisoners();
        assert_eq!(prisoners(&after), prisoners(position) + taken, "{spelling} in {position}");
    }
}

#[test]
fn what_counts_adds_up_to_the_points() {
    let mut rng = Pcg64::seed_from_u64(SEED);
    for _ in 0..2_000 {
        let position = Wari::read(&random_position(&mut rng).to_string()).unwrap();
        let points = position.standing().points.unwrap();
        let sums = position.counted(position.stage().outcome().is_some()).map(|counted| {
            let counts = counted.into_iter().map(|counted| match counted {
                described::Counted::Wari(Counted::Prisoners { count } | Counted::Cup { count, .. }) => count,
                _ => panic!("{counted:?}"),
            });
            counts.sum::<u8>()
        });
        assert_eq!(sums, [points.one, points.two], "{position}");
    }
}

proptest! {
    #[test]
    fn a_well_formed_text_is_valid_if_it_has_no_faults(
        numbers in prop::collection::vec(0_u8..=8, 14), turn in prop::sample::select(vec!["W", "w"]),
    ) {
        let text = numbers.iter().fold(turn.to_owned(), |text, number| format!("{text}-{number}"));
        let total: u8 = numbers.iter().sum();
        let own = if turn == "W" { &numbers[..6] } else { &numbers[6..12] };
        let valid = total == 48 && own.iter().any(|&marbles| marbles > 0) && !numbers[12..].contains(&1);
        prop_assert_eq!(Wari::try_from(text.parse::<Setup>().unwrap()).is_ok(), valid, "{}", text);
    }
}
