//! The endgames against plain and slow solutions, and in their file.

mod splits;

use std::{
    collections::HashMap,
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

use super::{
    build::{Layer, least_memory, verify},
    file::{ALL_PAIRS, HEAD, WIDE},
    sides::{Sides, positions_with, tests::rows},
    *,
};
use crate::GameResult;
use cublino_rules::{
    game::{Game, Player, Points, Stage},
    games::{
        Wari,
        wari::{MARBLES, Row},
    },
};

impl Endgames {
    /// Builds the endgames with up to so many marbles in memory, on so many threads.
    pub(crate) fn build(marbles: u8, threads: usize, on_progress: &mut dyn FnMut(Progress)) -> Self {
        let (sides, mut bytes) = (Sides::new(marbles), Vec::new());
        for marbles in 0..=marbles {
            let layer = Layer::build(marbles, &sides, &bytes, threads, on_progress);
            let more: Vec<_> = layer.bytes(&layer.cells).collect();
            bytes.extend(more);
        }
        Self { marbles, in_memory: bytes.leak(), file: None }
    }

    /// Writes the endgames to a file.
    fn save(&self, path: &Path) -> io::Result<()> {
        file::save(path, self.marbles, [self.in_memory])
    }
}

/// The shares in a file.
fn shares_in(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap().split_off(HEAD)
}

fn endgames(marbles: u8) -> Endgames {
    Endgames::build(marbles, 1, &mut |_| {})
}

/// A position by the cups of the side to move, who is player one, and of the other. Player one has
/// `prisoners` prisoners, player two the rest.
fn position([mover, other]: [Row; 2], prisoners: u8) -> Option<Wari> {
    let cups = mover.cups().into_iter().chain(other.cups());
    let rest = MARBLES - mover.total() - other.total() - prisoners;
    let numbers = cups.chain([prisoners, rest]);
    let state = numbers.fold("W".to_owned(), |state, number| format!("{state}-{number}"));
    Wari::read(&state).ok()
}

fn moves(position: &Wari) -> Vec<Wari> {
    position.legal_moves().into_iter().map(|m| position.after(m)).collect()
}

/// All positions with up to so many marbles, and all that follow from them.
fn all_positions(marbles: u8) -> Vec<Wari> {
    let mut open: Vec<_> =
        (0..positions_up_to(marbles)).filter_map(|number| position(rows(number), 20)).collect();
    let mut found: std::collections::HashSet<_> = open.iter().copied().collect();
    while let Some(position) = open.pop() {
        if position.stage() == Stage::Move {
            open.extend(moves(&position).into_iter().filter(|&next| found.insert(next)));
        }
    }
    found.into_iter().collect()
}

/// The bounds on the marbles that a player gets in all, from the rules alone: from the widest, narrowed by
/// iteration until nothing changes any more.
fn bounds_by_iteration(positions: &[Wari]) -> HashMap<Wari, (u8, u8)> {
    let prisoners = |position: &Wari, player| position.row(player).prisoners();
    let conceivable = |position: &Wari| {
        let turn = position.turn();
        (prisoners(position, turn), MARBLES - prisoners(position, !turn))
    };
    let mut bounds: HashMap<_, _> =
        positions.iter().map(|position| (*position, conceivable(position))).collect();
    loop {
        let mut changed = false;
        for position in positions {
            let new = if let Stage::Over(outcome) = position.stage() {
                let Points { one, two } = outcome.points.unwrap();
                let total = if position.turn() == Player::One { one } else { two };
                (total, total)
            } else {
                let next: Vec<_> = moves(position).iter().map(|next| bounds[next]).collect();
                let least = next.iter().map(|&(_, most)| MARBLES - most).max().unwrap();
                (least, next.iter().map(|&(least, _)| MARBLES - least).max().unwrap())
            };
            changed |= bounds.insert(*position, new) != Some(new);
        }
        if !changed {
            return bounds;
        }
    }
}

#[test]
fn an_independent_slow_solution_agrees_up_to_five_marbles() {
    let endgames = endgames(5);
    let bounds = bounds_by_iteration(&all_positions(5));
    assert!(bounds.len() > positions_up_to(5) / 2);
    for (position, expected) in bounds {
        let (mover, other) = (position.row(position.turn()), position.row(!position.turn()));
        let Share { least, most } = endgames.share(mover, other).unwrap();
        assert_eq!((mover.prisoners() + least, mover.prisoners() + most), expected, "{position}");
    }
}

#[test]
fn several_threads_come_to_the_same() {
    assert_eq!(Endgames::build(7, 3, &mut |_| {}).in_memory, endgames(7).in_memory);
}

#[test]
fn progress_reaches_the_end() {
    let (mut last, mut before) = (None, (0, 0, 0));
    let _ = Endgames::build(5, 1, &mut |progress| {
        let now = (progress.marbles, progress.sweep, progress.passed);
        assert!(before <= now, "{before:?} {now:?}");
        (last, before) = (Some(progress), now);
    });
    let Progress { marbles, passed, of, .. } = last.unwrap();
    assert_eq!((marbles, passed, of), (5, of, positions_with(5).len() as u64));
}

#[test]
fn too_many_marbles_are_not_known() {
    let full = Row::new([1; 6], 18);
    assert_eq!(endgames(3).share(full, full), None);
    assert_eq!(endgames(3).marbles(), 3);
}

#[test]
fn the_last_marbles_go_to_who_can_take_them() {
    // One marble in the last cup of the mover, who must give it away, and cannot be fed.
    let share = endgames(4).share(Row::new([0, 0, 0, 0, 0, 1], 0), Row::new([0, 1, 1, 0, 0, 0], 0));
    assert_eq!(share, Some(Share { least: 0, most: 0 }));
}

/// Where a test may write a file, in a directory that is removed in the end with all that is in it.
struct Scratch {
    _directory: TempDir,
    path: PathBuf,
}

impl Scratch {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { path: directory.path().join("file"), _directory: directory }
    }

    fn parts(&self) -> PathBuf {
        PathBuf::from(format!("{}.parts", self.path.display()))
    }
}

#[test]
fn a_file_holds_what_was_saved() {
    let Scratch { path, .. } = &Scratch::new();
    let saved = endgames(4);
    saved.save(path).unwrap();
    let opened = Endgames::open(path).unwrap();
    assert_eq!((opened.marbles(), shares_in(path)), (4, saved.in_memory.to_vec()));
    assert_eq!(some_shares(&opened, 4), some_shares(&saved, 4));
    assert!(!Path::new(&format!("{}.partial", path.display())).exists());
}

/// Endgames with more marbles than the built-in ones, in a file.
fn in_a_file(path: &Path) -> Endgames {
    let saved = endgames(MARBLES_IN_FILE);
    saved.save(path).unwrap();
    Endgames::open(path).unwrap()
}

/// One more than [`Endgames::BUILT_IN`].
const MARBLES_IN_FILE: u8 = 13;

/// Some positions with up to so many marbles, and what is known about them.
fn some_shares(endgames: &Endgames, marbles: u8) -> Vec<Option<Share>> {
    let numbers = (0..positions_up_to(marbles)).step_by(997);
    numbers.map(rows).map(|[mover, other]| endgames.share(mover, other)).collect()
}

#[test]
fn a_file_that_changes_while_it_is_in_use_never_says_what_is_false() {
    type Change = fn(&mut Vec<u8>);
    let Scratch { path, .. } = &Scratch::new();
    let expected = some_shares(&in_a_file(path), MARBLES_IN_FILE);
    let whole = fs::read(path).unwrap();
    assert!(expected.iter().all(Option::is_some));
    let changes: [(&str, Change); 3] = [
        ("shorter", |bytes| bytes.truncate(bytes.len() / 2)),
        ("empty", Vec::clear),
        ("noise", |bytes| bytes[HEAD..].iter_mut().for_each(|byte| *byte = byte.wrapping_mul(31) ^ 0x55)),
    ];
    for (name, change) in changes {
        fs::write(path, &whole).unwrap();
        let opened = Endgames::open(path).unwrap();
        assert_eq!(opened.marbles(), MARBLES_IN_FILE);
        let mut bytes = whole.clone();
        change(&mut bytes);
        // Written in place, so that the open file changes.
        fs::write(path, &bytes).unwrap();
        let found = some_shares(&opened, MARBLES_IN_FILE);
        assert!(found.contains(&None), "{name}");
        for (found, expected) in found.iter().zip(&expected) {
            assert!(found.is_none() || found == expected, "{name}: {found:?} instead of {expected:?}");
        }
        // The built-in ones are still known.
        assert_eq!(opened.marbles(), Endgames::BUILT_IN, "{name}");
        let built_in = some_shares(&Endgames::built_in(), Endgames::BUILT_IN);
        assert_eq!(some_shares(&opened, Endgames::BUILT_IN), built_in, "{name}");
        assert!(Endgames::verify(path, 1, &mut |_| {}).is_err(), "{name}");
        // A repaired file is used again only when it is opened again.
        fs::write(path, &whole).unwrap();
        assert_eq!(opened.marbles(), Endgames::BUILT_IN, "{name}");
    }
}

#[test]
fn what_is_no_file_or_may_be_written_by_everybody_is_refused_at_once() {
    let scratch = Scratch::new();
    let path = &scratch.path;
    let refused = || Endgames::open(path).unwrap_err().to_string();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    assert!(refused().contains("not a regular file"), "{}", refused());
    fs::remove_file(path).unwrap();
    fs::create_dir(path).unwrap();
    assert!(refused().contains("not a regular file"), "{}", refused());
    fs::remove_dir(path).unwrap();
    endgames(3).save(path).unwrap();
    for (mode, is_refused) in [(0o646, true), (0o666, true), (0o664, false), (0o444, false)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(Endgames::open(path).is_err(), is_refused, "{mode:o}");
    }
    fs::set_permissions(path, fs::Permissions::from_mode(0o666)).unwrap();
    assert!(refused().contains("chmod o-w"), "{}", refused());
}

#[test]
fn a_file_that_is_not_as_it_was_saved_is_refused() {
    let Scratch { path, .. } = &Scratch::new();
    let refused = |bytes: &[u8]| {
        fs::write(path, bytes).unwrap();
        Endgames::open(path).unwrap_err()
    };
    endgames(3).save(path).unwrap();
    let whole = fs::read(path).unwrap();
    for at in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        let error = refused(&bytes);
        match at {
            0..16 => assert!(matches!(error, DatabaseError::Foreign(_)), "{at}: {error}"),
            16..20 => assert!(matches!(error, DatabaseError::OtherVersion(..)), "{at}: {error}"),
            _ => assert!(matches!(error, DatabaseError::Damaged(_)), "{at}: {error}"),
        }
    }
    assert!(matches!(refused(&whole[..whole.len() - 1]), DatabaseError::Damaged(_)));
    assert!(matches!(refused(&[]), DatabaseError::Foreign(_)));
    assert!(matches!(Endgames::open(Path::new("/nowhere/at/all")), Err(DatabaseError::Unreadable(..))));
}

/// Builds endgames in a file, and returns what has happened without the progress.
fn run(marbles: u8, threads: usize, path: &Path) -> Vec<Event> {
    let mut events = Vec::new();
    let mut on_event = |event| events.extend((!matches!(event, Event::Progress(_))).then_some(event));
    Endgames::build_file(path, marbles, threads, u64::MAX, &mut on_event).unwrap();
    events
}

/// Runs until so many events have happened. Returns whether it ended before.
fn run_until(marbles: u8, path: &Path, events: usize) -> bool {
    let mut left = events;
    let mut on_event = |_| {
        if left == 0 {
            // Simulates the sudden end of the process.
            std::panic::resume_unwind(Box::new(()));
        }
        left -= 1;
    };
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        Endgames::build_file(path, marbles, 1, u64::MAX, &mut on_event).unwrap();
    }))
    .is_ok()
}

#[test]
fn files_and_memory_come_to_the_same() {
    let expected = endgames(7);
    for threads in [1, 3] {
        let scratch = Scratch::new();
        assert_eq!(run(7, threads, &scratch.path), (0..=7).map(Event::Done).collect::<Vec<_>>());
        assert!(shares_in(&scratch.path) == expected.in_memory);
        assert!(!scratch.parts().exists());
    }
}

#[test]
fn broken_off_anywhere_it_comes_to_the_same() {
    let expected = endgames(6);
    let mut found = 0;
    for events in (0..).step_by(67) {
        let scratch = Scratch::new();
        let ended = run_until(6, &scratch.path, events);
        assert_eq!(scratch.path.exists(), ended, "after {events} events");
        found += usize::from(matches!(run(6, 1, &scratch.path)[0], Event::Found(_)));
        assert!(Endgames::open(&scratch.path).is_ok(), "after {events} events");
        assert!(shares_in(&scratch.path) == expected.in_memory, "after {events} events");
        if ended {
            assert!(found > 5, "only {found} runs found earlier work, within {events} events");
            return;
        }
    }
}

#[test]
fn what_an_earlier_run_has_left_is_used_if_it_is_whole_and_not_too_much() {
    for (damage, events) in [
        (None, [Event::Found(3), Event::Done(4)].to_vec()),
        (Some(4), [Event::Damaged].into_iter().chain((0..=4).map(Event::Done)).collect()),
    ] {
        let scratch = Scratch::new();
        fs::create_dir(scratch.parts()).unwrap();
        let done = scratch.parts().join("done");
        endgames(3).save(&done).unwrap();
        let mut bytes = fs::read(&done).unwrap();
        if damage.is_some() {
            *bytes.last_mut().unwrap() ^= 1;
        }
        fs::write(&done, &bytes).unwrap();
        assert_eq!(run(4, 1, &scratch.path), events);
        assert!(shares_in(&scratch.path) == endgames(4).in_memory);
    }
    let scratch = Scratch::new();
    fs::create_dir(scratch.parts()).unwrap();
    endgames(5).save(&scratch.parts().join("done")).unwrap();
    assert_eq!(run(4, 1, &scratch.path)[0], Event::Damaged);
    assert_eq!(Endgames::open(&scratch.path).unwrap().marbles(), 4);
}

#[test]
fn what_is_whole_is_left_and_what_is_not_is_replaced() {
    let scratch = Scratch::new();
    endgames(3).save(&scratch.path).unwrap();
    assert_eq!(run(3, 1, &scratch.path), [Event::Whole]);
    assert!(run(4, 1, &scratch.path).contains(&Event::Done(4)));
    assert_eq!(Endgames::open(&scratch.path).unwrap().marbles(), 4);
}

#[test]
fn what_cannot_be_done_is_said_before_anything_is() {
    let refused = |path: &Path, memory| {
        Endgames::build_file(path, 3, 1, memory, &mut |event| panic!("{event:?}")).unwrap_err()
    };
    let nowhere = refused(Path::new("/nowhere/at/all"), u64::MAX);
    assert!(matches!(nowhere, BuildError::Unwritable(..)), "{nowhere}");
    let folder = refused(&std::env::temp_dir(), u64::MAX);
    assert!(matches!(folder, BuildError::Unwritable(..)), "{folder}");
    let little = refused(Path::new("/nowhere/at/all"), least_memory(3) - 1);
    assert!(matches!(little, BuildError::TooLittleMemory { .. }), "{little}");

    let scratch = Scratch::new();
    fs::create_dir(scratch.parts()).unwrap();
    let lock = fs::File::create(scratch.parts().join("lock")).unwrap();
    lock.try_lock().unwrap();
    let in_use = refused(&scratch.path, u64::MAX);
    assert!(matches!(in_use, BuildError::InUse(_)), "{in_use}");
}

#[test]
fn endgames_agree_with_themselves_until_a_byte_is_another() {
    let bytes = endgames(6).in_memory;
    let mut agreed = Vec::new();
    let compared = verify(bytes, 6, 1, &mut |marbles| agreed.push(marbles));
    assert_eq!((compared, agreed), (Ok(positions_up_to(6) as u64), (0..=6).collect()));
    assert!(verify(bytes, 6, 64, &mut |_| {}).unwrap() >= positions_up_to(6) as u64 / 64);

    // Lower the bound of a position with six marbles by one.
    let first = positions_up_to(5);
    let known = |number: &usize| Share::of_byte(bytes[*number], 6);
    let number = (first..positions_up_to(6)).find(|number| known(number).least > 0).unwrap();
    let mut changed = bytes.to_vec();
    changed[number] -= 1;
    let disagreement = verify(&changed, 6, 1, &mut |_| {}).unwrap_err();
    assert_ne!(disagreement.found, disagreement.expected);
}

#[test]
fn every_share_fits_into_a_byte_or_is_told_less_exactly() {
    for marbles in 0..=MOST {
        for most in 0..=marbles {
            for least in 0..=most {
                let share = Share { least, most };
                let byte = share.to_byte(marbles);
                if marbles > ALL_PAIRS && byte == WIDE {
                    assert!(marbles > 21 && most - least > 12, "{share:?} of {marbles}");
                    assert_eq!(Share::of_byte(byte, marbles), Share { least: 0, most: marbles });
                } else {
                    assert_eq!(Share::of_byte(byte, marbles), share, "of {marbles}");
                }
            }
        }
    }
}

#[test]
fn a_result_is_certain_whatever_endless_play_gives() {
    let result = |least, most, prisoners| Share { least, most }.result(prisoners);
    assert_eq!(result(4, 6, 21), Some(GameResult::Win));
    assert_eq!(result(4, 6, 20), None);
    assert_eq!(result(4, 4, 20), Some(GameResult::Draw));
    assert_eq!(result(4, 6, 18), None);
    assert_eq!(result(4, 6, 17), Some(GameResult::Loss));
    assert_eq!(result(0, 6, 25), Some(GameResult::Win));
}

#[test]
fn an_estimate_is_by_how_many_marbles_the_side_to_move_is_ahead_of_half_of_them() {
    let (endgames, mut open) = (Endgames::built_in(), 0);
    for number in (0..positions_up_to(Endgames::BUILT_IN)).step_by(9_973) {
        let [mover, other] = rows(number);
        let split = f64::from(split(mover, other).unwrap()) / f64::from(PARTS);
        for prisoners in 14..=24 {
            let Some(position) = position([mover, other], prisoners) else { continue };
            if position.stage() != Stage::Move || endgames.probe(&position).is_some() {
                continue;
            }
            let ahead = f64::from(prisoners) + split - f64::from(MARBLES / 2);
            let score = endgames.estimate(&position).unwrap().units();
            assert!((f64::from(score) / f64::from(MARBLE) - ahead).abs() < 0.001, "{position}");
            open += 1;
        }
    }
    assert!(open > 100, "only {open}");
    let estimate = |state: &str| endgames.estimate(&Wari::read(state).unwrap());
    assert_eq!(estimate("W-4-4-4-4-4-4-4-4-4-4-4-4-0-0"), None);
    assert_eq!(estimate("w-0-1-5-0-0-0-4-0-1-1-1-2-25-8"), None);
}
