//! What holds for every position and every play.

use super::*;

#[test]
fn a_play_changes_points_as_its_events_say() {
    for position in positions_to_move(7) {
        let plays = position.spellings();
        let play = &plays[plays.len() / 2];
        let pins =
            |position: &Mahbusa| description(position).points.iter().filter(|point| point.pinned).count();
        let off = |position: &Mahbusa| usize::from(position.board().side(position.turn()).borne_off());
        let count = |kind: fn(&Event) -> bool| {
            let events = position.events(play).into_iter();
            events.filter(|event| matches!(event, described::Event::Mahbusa(event) if kind(event))).count()
        };
        let pinned = count(|event| matches!(event, Event::Pinned { .. }));
        let freed = count(|event| matches!(event, Event::Freed { .. }));
        let borne_off = count(|event| matches!(event, Event::BorneOff { .. }));
        let after = position.after(position.resolve(play).unwrap());
        assert_eq!(pins(&position) + pinned, pins(&after) + freed, "{position} {play}");
        let off_after = usize::from(after.board().side(position.turn()).borne_off());
        assert_eq!(off(&position) + borne_off, off_after, "{position} {play}");
    }
}
