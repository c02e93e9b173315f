//! A fight between two dice.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::square::Square;
use crate::game::Player;

/// A battle between the moved die and an enemy die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Battle {
    /// Where the moved die is.
    pub attacker: Square,
    /// Where the enemy die is.
    pub defender: Square,
    /// What counts for the moved die, 1 to 24.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 24))]
    pub attacker_total: u8,
    /// What counts for the enemy die, 1 to 24.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 24))]
    pub defender_total: u8,
    /// Which of the two lost: the player whose total is lower; null if the totals are equal.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub loser: Option<Player>,
}

impl Battle {
    /// The battle between two dice, decided by the totals.
    pub(super) fn between(attacker: (Square, u32), defender: (Square, u32), mover: Player) -> Self {
        let ((attacker, attacker_total), (defender, defender_total)) = (attacker, defender);
        let loser = match attacker_total.cmp(&defender_total) {
            Ordering::Less => Some(mover),
            Ordering::Equal => None,
            Ordering::Greater => Some(!mover),
        };
        let [attacker_total, defender_total] = [attacker_total, defender_total]
            .map(|total| u8::try_from(total).expect("four dice show 24 at most"));
        Self { attacker, defender, attacker_total, defender_total, loser }
    }
}
