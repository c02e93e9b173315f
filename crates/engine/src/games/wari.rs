//! Wari for the search: what the network sees of a position, its value, and its bounds.

use crate::{
    FeatureLayout, Features, Files, Playable, Score, StaticEvaluation, Strength, Tablebases, Tuning,
    tablebase::Tablebase,
};
use cublino_rules::{
    game::{Game, Player},
    games::{
        Wari,
        wari::{Cup, MARBLES, Place, ROW},
    },
};

/// What a prisoner is worth when the game is decided.
const PRISONER: i32 = 100;
/// What a decided game is worth beyond that: more than all the rest together.
const DECIDED: i32 = 10_000;

impl Playable for Wari {
    // Levels at commit 3285028: 1,000 games a step, 60 of level 8; losses in 1,600 positions.
    const FILES: Files = Files {
        network: include_bytes!("../weights/wari.net"),
        puzzles: include_str!("../puzzles/wari.txt"),
        levels: include_str!("../levels/wari.json"),
    };

    const TUNING: Tuning = Tuning {
        // Two moves change most cups.
        accumulates: false,
        growth: 1.75,
        // A capture often shows only after twenty plies: with 8 times, searches take back one verdict in 17.
        // With 16 times, an analysis visits 1.8 times the nodes of one that verifies nothing.
        verifying: 12,
        // There are few moves a ply, and depth decides games, so the steps are smaller than in other games.
        levels: [
            Strength::erring(1, 0.55),
            Strength::erring(1, 0.26),
            Strength::erring(2, 0.215),
            Strength::erring(3, 0.125),
            Strength::erring(5, 0.066),
            Strength::erring(8, 0.03),
            Strength::erring(13, 0.0115),
            Strength::visiting(Strength::MOST_NODES),
        ],
        // This contempt gains more than it costs.
        contempt: 150,
        shuns_draws: true,
        ..Tuning::DEFAULT
    };

    /// A player with more than half of the marbles has won; the score adds the lead in prisoners.
    fn evaluate(&self) -> Option<StaticEvaluation> {
        let winner = self.decided_for()?;
        let prisoners = |player| i32::from(self.row(player).prisoners());
        let ahead = PRISONER * (prisoners(winner) - prisoners(!winner));
        let score = Score::new(DECIDED + ahead);
        Some(StaticEvaluation::Score(if winner == self.turn() { score } else { -score }))
    }

    /// The opponent keeps what they have captured.
    fn best_result(&self, player: Player) -> i8 {
        (MARBLES - self.row(!player).prisoners()).cmp(&(MARBLES / 2)) as i8
    }

    fn tablebase(tablebases: &Tablebases) -> Option<&dyn Tablebase<Self>> {
        tablebases.wari().map(|endgames| endgames as _)
    }

    fn ordering_score(&self, m: Cup) -> i32 {
        /// For each marble that it captures: three outweigh any history.
        const CAPTURED: i32 = 1_500;
        let (mover, other) = (self.row(self.turn()), self.row(!self.turn()));
        CAPTURED * i32::from(mover.capture(other, m.place()))
    }

    fn history_slot(m: Cup) -> usize {
        m.place().index()
    }

    /// A move that captures nothing.
    fn is_quiet(&self) -> impl Fn(Cup) -> bool {
        |m| self.ordering_score(m) == 0
    }

    /// Captured marbles never return to the cups.
    fn may_come_back_to(&self, earlier: &Self) -> bool {
        Player::ALL.into_iter().all(|player| self.row(player).prisoners() == earlier.row(player).prisoners())
    }
}

/// Counts of marbles in a cup with features of their own: 0 to 22, and more, which go all the way round
/// twice.
const COUNTS: usize = 24;
/// Counts of prisoners with features of their own: 0 to 24, and more, which decide the game.
const PRISONERS: usize = MARBLES as usize / 2 + 2;
/// Features of a side.
const FEATURES_OF_SIDE: usize = ROW * COUNTS + PRISONERS;

/// Features for each side, its cups in the direction of sowing; own ones first.
impl Features for Wari {
    const FEATURES: FeatureLayout = FeatureLayout {
        count: 2 * FEATURES_OF_SIDE,
        most_active: 2 * (ROW + 1),
        phases: 6,
        seen_by_other: &[],
    };

    /// How many marbles have been captured.
    fn phase(&self) -> usize {
        let prisoners: u8 = Player::ALL.map(|player| self.row(player).prisoners()).iter().sum();
        (usize::from(prisoners) / 8).min(Self::FEATURES.phases - 1)
    }

    type Seen = (Self, Player);

    fn seen_by(&self, player: Player) -> Self::Seen {
        (*self, player)
    }

    fn active_features(
        &(position, seen_by): &Self::Seen,
        _: Option<&Self::Seen>,
        mut active: impl FnMut(usize),
    ) {
        for (number, player) in [seen_by, !seen_by].into_iter().enumerate() {
            let first = number * FEATURES_OF_SIDE;
            let row = position.row(player);
            for place in Place::ALL {
                let count = usize::from(row.marbles(place)).min(COUNTS - 1);
                active(first + place.index() * COUNTS + count);
            }
            active(first + ROW * COUNTS + usize::from(row.prisoners()).min(PRISONERS - 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Control, GameResult, Learned, Proven, TranspositionTable,
        testing::{depth, evaluate, nodes, position, searched, searched_with},
    };

    fn units(text: &str) -> i32 {
        Learned::built_in::<Wari>().evaluate(&position::<Wari>(text)).units()
    }

    #[test]
    fn both_players_are_evaluated_alike() {
        let one = units("W-0-1-0-5-2-0-1-1-2-9-0-4-11-12");
        assert_eq!(one, units("w-1-1-2-9-0-4-0-1-0-5-2-0-12-11"));
    }

    #[test]
    fn a_decided_game_outweighs_everything_else() {
        assert!(units("W-0-0-0-0-0-1-0-0-0-0-1-1-25-20") > 9_000);
        assert!(units("w-1-0-0-0-0-1-0-0-0-0-1-0-25-20") < -9_000);
    }

    #[test]
    fn the_larger_capture_is_tried_first() {
        let position: Wari = position("W-1-0-0-0-1-2-1-1-1-9-9-9-7-7");
        let cup = |number| Cup::new(number).unwrap();
        assert!(position.ordering_score(cup(6)) > position.ordering_score(cup(5)));
        assert_eq!(position.ordering_score(cup(1)), 0);
    }

    fn best(text: &str, plies: u32) -> (String, Option<Proven>) {
        let analysis = searched(&position::<Wari>(text), depth(plies));
        (analysis.best().to_string(), analysis.lines[0].value.proven)
    }

    #[test]
    fn the_search_takes_what_it_can() {
        assert_eq!(best("W-0-1-0-5-2-0-1-1-2-9-0-4-11-12", 6).0, "4");
    }

    #[test]
    fn the_search_sees_who_takes_the_last_marbles() {
        // A must give the last marble away, and B cannot give any back: B takes four and wins by 26 to 22.
        let (_, proven) = best("W-0-0-0-0-0-1-0-1-1-1-0-0-22-22", 8);
        assert_eq!(proven, Some(Proven { result: GameResult::Loss, plies: Some(1) }));
    }

    #[test]
    fn a_side_with_more_than_half_of_the_marbles_has_won_for_certain() {
        let tablebases = Tablebases::built_in();
        let result = |state: &str| {
            let position: Wari = position(state);
            let analysis = searched_with(&tablebases, &position, nodes(5_000));
            let limits = nodes(5_000).limits;
            let mut table = TranspositionTable::new(1 << 20);
            let value = evaluate(&position, &limits, &tablebases, &Control::new(), &mut table).value;
            assert_eq!(analysis.lines[0].value, value, "{state}");
            value.proven.map(|proven| proven.result)
        };
        assert_eq!(result("w-0-1-5-0-0-0-4-0-1-1-1-2-25-8"), Some(GameResult::Loss));
        assert_eq!(result("w-4-4-4-4-4-0-0-1-0-0-0-0-27-0"), Some(GameResult::Loss));
        // Some moves are left until the 25th.
        assert_eq!(result("w-0-0-0-2-0-0-7-7-1-1-0-1-7-22"), Some(GameResult::Win));
    }
}
