//! What holds for every position and every play.

use std::collections::HashSet;

use super::*;

#[test]
fn every_position_is_read_as_it_is_written() {
    for before in positions_to_move(4) {
        assert_eq!(Mahbusa::read(&before.to_string()).unwrap(), before);
    }
}

#[test]
fn every_listed_play_is_legal_and_stands_for_the_listed_move() {
    for position in positions_to_move(5) {
        let (mut moves, mut plays) = (Vec::new(), Vec::new());
        position.generate(&mut moves);
        position.spellings(&mut plays);
        assert_eq!(moves.len(), plays.len(), "{position}");
        assert_eq!(moves.iter().collect::<HashSet<_>>().len(), moves.len(), "{position}");
        for (&m, play) in moves.iter().zip(&plays) {
            assert_eq!(position.resolve(play), Ok(m), "{position} {play}");
            assert_eq!(play.to_string().parse().as_ref(), Ok(play), "{position}");
        }
        let m = moves[moves.len() / 2];
        assert_eq!(position.spell(m), plays[moves.len() / 2], "{position}");
    }
}

#[test]
fn the_position_after_every_play_is_valid_and_canonical() {
    for before in positions_to_move(6) {
        let mut moves = Vec::new();
        before.generate(&mut moves);
        for after in moves.into_iter().map(|m| before.after(m)) {
            assert_eq!(Mahbusa::read(&after.to_string()).unwrap(), after, "{before}");
            assert_eq!((after.turn(), after.roll()), (!before.turn(), None), "{before}");
        }
    }
}

#[test]
fn a_play_changes_points_as_its_events_tell() {
    for position in positions_to_move(7) {
        let mut plays = Vec::new();
        position.spellings(&mut plays);
        let play = &plays[plays.len() / 2];
        let pins =
            |position: &Mahbusa| position.describe().points.iter().filter(|point| point.pinned).count();
        let off = |position: &Mahbusa| usize::from(position.board().side(position.turn()).borne_off());
        let count =
            |kind: fn(&Event) -> bool| position.events(play).iter().filter(|event| kind(event)).count();
        let pinned = count(|event| matches!(event, Event::Pinned { .. }));
        let freed = count(|event| matches!(event, Event::Freed { .. }));
        let borne_off = count(|event| matches!(event, Event::BorneOff { .. }));
        let after = position.after(position.resolve(play).unwrap());
        assert_eq!(pins(&position) + pinned, pins(&after) + freed, "{position} {play}");
        let off_after = usize::from(after.board().side(position.turn()).borne_off());
        assert_eq!(off(&position) + borne_off, off_after, "{position} {play}");
    }
}
