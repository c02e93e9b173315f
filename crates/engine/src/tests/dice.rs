//! The search with dice, in a small game made for it.

use std::{fmt, str::FromStr};

use super::{
    GameResult, Playable, Proven, ROUNDED, StoppedBy, Value, depth, nodes, said, searched, searched_in_full,
    yardstick::{result_of, root_scores, values_of},
};
use crate::{FeatureLayout, Features, network::Network};
use cublino_rules::game::{About, EndReason, Fault, Game, Outcome, Player, Points, Stage, StateError};

/// Two climbers: the first at the top wins. A roll takes one's own climber up or the other's down, who is
/// safe on the last step. When both stand there it is a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Climb {
    steps: [u8; 2],
    turn: Player,
    rolled: Option<Steps>,
}

/// What the die shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Steps(u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Climbing {
    Up,
    Down,
}

const TOP: u8 = 9;

/// The game has no notation.
fn not_written() -> Fault {
    Fault { code: "no-notation", message: "this game is not written down".to_owned(), at: None }
}

impl FromStr for Steps {
    type Err = Fault;

    fn from_str(_: &str) -> Result<Self, Fault> {
        Err(not_written())
    }
}

impl From<Steps> for [u8; 2] {
    fn from(steps: Steps) -> Self {
        [steps.0, 0]
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Climb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl Game for Climb {
    type Move = Climbing;
    type Roll = Steps;

    const ABOUT: About = About {
        id: "climb",
        name: "Climb",
        players: ["One", "Two"],
        points: None,
        letter: 'C',
        goal: "",
        notation: "",
        rules: "",
    };
    const ROLLS: &'static [(Steps, u32)] = &[(Steps(1), 1), (Steps(2), 3), (Steps(3), 2)];
    const DISTINCT_MOVES: bool = false;

    fn read(_: &str) -> Result<Self, StateError> {
        Err(StateError::Malformed(vec![not_written()]))
    }

    fn turn(&self) -> Player {
        self.turn
    }

    fn stage(&self) -> Stage {
        if self.steps == [TOP - 1; 2] {
            return Stage::Over(Outcome { winner: None, reason: EndReason::Deadlock, points: None });
        }
        let winner = Player::ALL.into_iter().find(|player| self.steps[player.index()] == TOP);
        match (winner, self.rolled) {
            (Some(_), _) => Stage::Over(Outcome { winner, reason: EndReason::BorneOff, points: None }),
            (None, None) => Stage::Roll,
            (None, Some(_)) => Stage::Move,
        }
    }

    fn points(&self) -> Option<Points> {
        None
    }

    fn generate(&self, moves: &mut Vec<Climbing>) {
        moves.extend([Climbing::Up, Climbing::Down]);
    }

    fn is_pass(_: Climbing) -> bool {
        false
    }

    fn after(&self, m: Climbing) -> Self {
        let Steps(rolled) = self.rolled.unwrap();
        let [own, other] = [self.turn, !self.turn].map(Player::index);
        let mut steps = self.steps;
        match m {
            Climbing::Up => steps[own] = TOP.min(steps[own] + rolled),
            Climbing::Down if steps[other] == TOP - 1 => {}
            Climbing::Down => steps[other] = steps[other].saturating_sub(rolled),
        }
        Self { steps, turn: !self.turn, rolled: None }
    }

    fn rolled(&self, roll: Steps) -> Self {
        Self { rolled: Some(roll), ..*self }
    }
}

/// The heights of both climbers, the own one first.
impl Features for Climb {
    const FEATURES: FeatureLayout =
        FeatureLayout { count: 2 * HEIGHTS, most_active: 2, phases: 1, seen_by_other: &[] };

    type Seen = [usize; 2];

    fn seen_by(&self, player: Player) -> Self::Seen {
        [player, !player].map(|player| usize::from(self.steps[player.index()]))
    }

    fn active_features(&[own, other]: &Self::Seen, _: Option<&Self::Seen>, mut active: impl FnMut(usize)) {
        active(own);
        active(HEIGHTS + other);
    }
}

const HEIGHTS: usize = TOP as usize + 1;

/// A network that knows nothing but the difference in height: five steps are worth 1.
impl Playable for Climb {
    fn network() -> Network {
        let heights = || (0..=TOP).map(i32::from);
        Network::adding(heights().chain(heights().map(|height| -height)), 5)
    }
}

fn climb(one: u8, two: u8, rolled: u8) -> Climb {
    Climb { steps: [one, two], turn: Player::One, rolled: Some(Steps(rolled)) }
}

#[test]
fn rolls_are_weighed_as_often_as_they_come() {
    for (one, two) in [(0, 0), (5, 7), (7, 5), (8, 4), (3, 8)] {
        for rolled in 1..=3 {
            let position = climb(one, two, rolled);
            for plies in 1..=4 {
                let best = root_scores(&position, plies, 1);
                let analysis = searched_in_full(&position, depth(plies));
                assert_eq!(
                    result_of(analysis.lines[0].value),
                    result_of(values_of(&position, &best, analysis.nodes)[0]),
                    "{position} depth {plies}"
                );
            }
        }
    }
}

#[test]
fn the_expected_result_is_the_mean_over_the_rolls() {
    // One ply ahead the better move makes three steps of the two between the climbers.
    let position = climb(7, 5, 1);
    let value = |steps: f64| steps / (steps * steps + 25.0).sqrt();
    let found = searched(&position, depth(1)).lines[0].value.expected;
    assert!((found - value(3.0)).abs() < ROUNDED, "{found}");

    // Two plies ahead it is the mean of what player two then makes of a one, two or three, by weight.
    let best_reply = |steps: f64| value(3.0 - steps);
    let mean = (best_reply(1.0) + 3.0 * best_reply(2.0) + 2.0 * best_reply(3.0)) / 6.0;
    let found = searched(&position, depth(2)).lines[0].value.expected;
    assert!((found - mean).abs() < 1e-3, "{found} {mean}");
}

#[test]
fn a_result_is_proven_only_if_every_roll_leads_to_it() {
    // Player two stands on the last step and wins with any roll.
    let lost = searched(&climb(2, TOP - 1, 1), depth(6)).lines[0].value;
    assert_eq!(lost.proven, Some(Proven { result: GameResult::Loss, plies: Some(2) }));
    // Two steps below the top a one is not enough.
    let open = searched(&climb(2, TOP - 2, 1), depth(2)).lines[0].value;
    assert_eq!(open.proven, None);
    let won = searched(&climb(TOP - 2, 2, 3), depth(6)).lines[0].value;
    assert_eq!(won.proven, Some(Proven { result: GameResult::Win, plies: Some(1) }));
}

#[test]
fn a_draw_is_proven_when_nothing_else_is_left() {
    // One step up is a draw; after anything else player two wins with any roll.
    let analysis = searched(&climb(TOP - 2, TOP - 1, 1), depth(6));
    assert_eq!(analysis.lines[0].value, Value::exact(GameResult::Draw, None));
    assert_eq!(analysis.stopped_by, StoppedBy::Proven);
}

#[test]
fn a_line_ends_where_the_dice_are_rolled() {
    assert_eq!(searched(&climb(0, 0, 2), depth(4)).lines[0].pv.len(), 1);
}

#[test]
fn a_game_with_dice_is_searched_alike_on_every_machine() {
    let position = climb(2, 3, 2);
    assert_eq!(said(&searched(&position, nodes(5_000))), said(&searched(&position, nodes(5_000))));
}
