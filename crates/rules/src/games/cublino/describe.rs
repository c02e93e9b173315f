//! Parsed positions and moves, for callers who do not want to parse the notation.

use serde::{Deserialize, Serialize};

use super::{
    board::{Battle, Die, Faces, Orientation},
    square::{Direction, Square, Squares},
};
use crate::game::Player;

/// A parsed Cublino position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CublinoPosition))]
pub struct Description {
    /// The dice on the board, rank by rank from 1, file by file from a.
    pub dice: Vec<DieDescription>,
}

/// A die on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Die))]
pub struct DieDescription {
    /// Whose it is.
    pub player: Player,
    /// Where it lies: file and rank.
    pub square: Square,
    /// How it lies: one of the 24 orientations, in lower case.
    pub orientation: Orientation,
    /// What its faces show.
    pub faces: Faces,
    /// Whether it is on its far rank.
    pub home: bool,
}

impl Description {
    /// The board in characters, rank 7 first, two lines for each rank. The top of a die is in brackets:
    /// square ones for White, round ones for Black. Above it stands its face towards rank 7, to its left and
    /// right those towards files a and g. Opposite faces add up to seven.
    pub(crate) fn text(&self) -> String {
        let drawn = |file, rank| {
            let square = Square::new(file, rank).expect("there are seven files and ranks");
            match self.dice.iter().find(|die| die.square == square) {
                None => (" ".repeat(6), "   .  ".to_owned()),
                Some(DieDescription { player, faces: Faces { top, north, east, west, .. }, .. }) => {
                    let [left, right] = if *player == Player::One { ['[', ']'] } else { ['(', ')'] };
                    (format!("   {north}  "), format!(" {west}{left}{top}{right}{east}"))
                }
            }
        };
        let mut lines = Vec::new();
        for rank in (0..7).rev() {
            let (upper, lower): (Vec<_>, Vec<_>) = (0..7).map(|file| drawn(file, rank)).unzip();
            lines.push(format!("  {}", upper.concat()).trim_end().to_owned());
            lines.push(format!("{} {}", rank + 1, lower.concat()).trim_end().to_owned());
        }
        lines.push("     a     b     c     d     e     f     g\n".to_owned());
        lines.join("\n")
    }
}

impl DieDescription {
    pub(super) fn new(Die { player, orientation }: Die, square: Square) -> Self {
        let home = Squares::far_rank(player).contains(square);
        Self { player, square, orientation, faces: orientation.faces(), home }
    }
}

/// One of the 24 orientations: its faces, and the orientations after each tip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OrientationDescription {
    /// The letter of the orientation. States write it in upper case for player one's dice.
    pub orientation: Orientation,
    /// What its faces show.
    pub faces: Faces,
    /// The orientation after each tip.
    pub tipped: Tipped,
}

/// The orientation after a tip in each direction. Diagonal tips, which are half turns, exist only in Cublino
/// Ecke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Tipped {
    /// Towards rank 7.
    pub north: Orientation,
    /// Towards rank 1.
    pub south: Orientation,
    /// Towards file g.
    pub east: Orientation,
    /// Towards file a.
    pub west: Orientation,
    /// Towards rank 7 and file g.
    pub north_east: Orientation,
    /// Towards rank 7 and file a.
    pub north_west: Orientation,
    /// Towards rank 1 and file g.
    pub south_east: Orientation,
    /// Towards rank 1 and file a.
    pub south_west: Orientation,
}

/// All orientations of a die, with the results of its tips.
///
/// ```
/// use cublino_rules::games::cublino;
///
/// assert_eq!(cublino::orientations().len(), 24);
/// ```
pub fn orientations() -> Vec<OrientationDescription> {
    let describe = |orientation: Orientation| OrientationDescription {
        orientation,
        faces: orientation.faces(),
        tipped: Tipped {
            north: orientation.tipped(Direction::North),
            south: orientation.tipped(Direction::South),
            east: orientation.tipped(Direction::East),
            west: orientation.tipped(Direction::West),
            north_east: orientation.tipped(Direction::NorthEast),
            north_west: orientation.tipped(Direction::NorthWest),
            south_east: orientation.tipped(Direction::SouthEast),
            south_west: orientation.tipped(Direction::SouthWest),
        },
    };
    Orientation::all().map(describe).collect()
}

/// One step of a Cublino move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CublinoStep))]
pub enum StepDescription {
    /// A die turns over an edge onto a neighbouring square.
    Tip {
        /// Where it starts.
        from: Square,
        /// Where it ends.
        to: Square,
    },
    /// A die jumps over another onto the square behind it.
    Jump {
        /// Where it starts.
        from: Square,
        /// The die that is jumped over.
        over: Square,
        /// Where it ends.
        to: Square,
    },
}

impl StepDescription {
    /// The step from one square to another: over a die if there is a square between them, else a tip.
    fn between(from: Square, to: Square) -> Self {
        match from.between(to) {
            None => Self::Tip { from, to },
            Some(over) => Self::Jump { from, over, to },
        }
    }
}

/// Something that happens while a Cublino move is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CublinoEvent))]
pub enum Event {
    /// A die was turned over an edge onto a neighbouring square.
    Tip {
        /// Where it was.
        from: Square,
        /// Where it is now.
        to: Square,
        /// How it lies now.
        orientation: Orientation,
        /// What it shows on top now, 1 to 6.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 6))]
        top: u8,
    },
    /// A die jumped over another.
    Jump {
        /// Where it was.
        from: Square,
        /// The die that was jumped over.
        over: Square,
        /// Where it is now.
        to: Square,
        /// How it lies, which a jump does not change.
        orientation: Orientation,
    },
    /// The moved die fought an enemy die.
    Battle(Battle),
    /// A die left the board.
    Removed {
        /// Where it was.
        square: Square,
        /// Whose it was.
        player: Player,
    },
}

/// A die that counts in the score of Cublino Pur.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CublinoCounted))]
pub enum Counted {
    /// A die on its far rank.
    Die {
        /// Where it lies.
        square: Square,
        /// What it shows on top, 1 to 6.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 6))]
        top: u8,
    },
}

/// The steps of a legal chain. Tips and jumps differ in length, so the board is not needed.
pub(super) fn steps(chain: &[Square]) -> impl Iterator<Item = StepDescription> {
    chain.iter().zip(&chain[1..]).map(|(&from, &to)| StepDescription::between(from, to))
}
