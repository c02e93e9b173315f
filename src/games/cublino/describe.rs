//! Positions and moves taken apart, for those who do not want to parse the notation.

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    board::{Board, Die},
    die::{Faces, Orientation},
    moves::Spelling,
    square::Square,
    steps::{Step, step},
};
use crate::game::Player;

/// A Cublino position taken apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename = "cublino")]
#[schema(as = CublinoPosition)]
pub struct Description {
    /// The dice on the board, rank by rank from 1, file by file from a.
    pub dice: Vec<DieDescription>,
}

/// A die on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Die)]
pub struct DieDescription {
    /// Whose it is.
    pub player: Player,
    /// Where it lies: file and rank.
    #[schema(value_type = String, pattern = "^[a-g][1-7]$", example = "e2")]
    pub square: Square,
    /// How it lies: one of the 24 orientations, in lower case.
    #[schema(value_type = String, pattern = "^[a-x]$", example = "l")]
    pub orientation: Orientation,
    /// What its faces show.
    pub faces: Faces,
    /// Whether it is on its far rank.
    pub home: bool,
}

/// One step of a Cublino move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[schema(as = CublinoStep)]
pub enum StepDescription {
    /// A turn over an edge onto a neighbouring square.
    Tip {
        /// Where it starts.
        #[schema(value_type = String, pattern = "^[a-g][1-7]$", example = "e1")]
        from: Square,
        /// Where it ends.
        #[schema(value_type = String, pattern = "^[a-g][1-7]$", example = "e2")]
        to: Square,
    },
    /// Over a die onto the square behind it.
    Jump {
        /// Where it starts.
        #[schema(value_type = String, pattern = "^[a-g][1-7]$", example = "e2")]
        from: Square,
        /// The die that is jumped over.
        #[schema(value_type = String, pattern = "^[a-g][1-7]$", example = "d2")]
        over: Square,
        /// Where it ends.
        #[schema(value_type = String, pattern = "^[a-g][1-7]$", example = "c2")]
        to: Square,
    },
}

impl StepDescription {
    /// The same JSON as `Serialize` writes, in a fraction of the time: most of a list of legal moves is steps.
    pub fn write_json(&self, bytes: &mut Vec<u8>) {
        let mut write = |name: &[u8], square: Square| {
            bytes.extend_from_slice(name);
            bytes.extend_from_slice(&square.text());
        };
        match *self {
            Self::Tip { from, to } => {
                write(br#"{"kind":"tip","from":""#, from);
                write(br#"","to":""#, to);
            }
            Self::Jump { from, over, to } => {
                write(br#"{"kind":"jump","from":""#, from);
                write(br#"","over":""#, over);
                write(br#"","to":""#, to);
            }
        }
        bytes.extend_from_slice(br#""}"#);
    }
}

/// Something that happens while a Cublino move is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[schema(as = CublinoEvent)]
pub enum Event {
    /// A die was turned over an edge onto a neighbouring square.
    Tip {
        /// Where it was.
        #[schema(value_type = String, pattern = "^[a-g][1-7]$", example = "e1")]
        from: Square,
        /// Where it is now.
        #[schema(value_type = String, pattern = "^[a-g][1-7]$", example = "e2")]
        to: Square,
        /// What it shows on top now, 1 to 6.
        #[schema(minimum = 1, maximum = 6)]
        top: u8,
    },
    /// A die jumped over another.
    Jump {
        /// Where it was.
        #[schema(value_type = String, pattern = "^[a-g][1-7]$", example = "e2")]
        from: Square,
        /// The die that was jumped over.
        #[schema(value_type = String, pattern = "^[a-g][1-7]$", example = "d2")]
        over: Square,
        /// Where it is now.
        #[schema(value_type = String, pattern = "^[a-g][1-7]$", example = "c2")]
        to: Square,
    },
}

/// A die that counts in the score of Cublino Pur.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = CountedDie)]
pub struct Counted {
    /// Where it lies.
    #[schema(value_type = String, pattern = "^[a-g][1-7]$", example = "e7")]
    pub square: Square,
    /// What it shows on top, 1 to 6.
    #[schema(minimum = 1, maximum = 6)]
    pub top: u8,
}

pub(super) fn description(board: &Board) -> Description {
    let dice = board.all_dice().map(|(square, Die { player, orientation })| DieDescription {
        player,
        square,
        orientation,
        faces: orientation.faces(),
        home: board.home(player).contains(square),
    });
    Description { dice: dice.collect() }
}

pub(super) fn counted(board: &Board, player: Player) -> Vec<Counted> {
    let home = board.home(player).into_iter();
    home.map(|square| Counted { square, top: board.orientation(square).top() }).collect()
}

pub(super) fn steps(board: &Board, mover: Player, spelling: &Spelling) -> Vec<StepDescription> {
    let Spelling::Chain(chain) = spelling else { return Vec::new() };
    walk(board, mover, chain)
        .map(|step| match step {
            Step::Tip { from, to, .. } => StepDescription::Tip { from, to },
            Step::Jump { from, over, to } => StepDescription::Jump { from, over, to },
        })
        .collect()
}

pub(super) fn events(board: &Board, mover: Player, spelling: &Spelling) -> Vec<Event> {
    let Spelling::Chain(chain) = spelling else { return Vec::new() };
    walk(board, mover, chain)
        .map(|step| match step {
            Step::Tip { from, direction, to } => {
                Event::Tip { from, to, top: board.orientation(from).tipped(direction).top() }
            }
            Step::Jump { from, over, to } => Event::Jump { from, over, to },
        })
        .collect()
}

fn walk(board: &Board, mover: Player, chain: &[Square]) -> impl Iterator<Item = Step> {
    chain.windows(2).map(move |pair| {
        step(board, mover, chain[0], pair[0], pair[1]).expect("the steps of a legal move are possible")
    })
}
