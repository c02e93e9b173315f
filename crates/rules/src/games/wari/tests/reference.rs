//! The rules once more, marble by marble: slow and plain, to be compared with.

use std::collections::HashSet;

use super::*;

/// Cups 1 to 12 are numbers 0 to 11 here, and players are 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Reference {
    pub(super) cups: [u8; 12],
    pub(super) prisoners: [u8; 2],
    pub(super) turn: usize,
}

impl Reference {
    fn side(&self, player: usize) -> u8 {
        self.cups.iter().skip(6 * player).take(6).sum()
    }

    /// The position after emptying a cup, if that is legal.
    pub(super) fn play(&self, from: usize) -> Option<Self> {
        if from / 6 != self.turn || self.cups[from] == 0 {
            return None;
        }
        let mut next = Self { turn: 1 - self.turn, ..self.clone() };
        let mut hand = std::mem::take(&mut next.cups[from]);
        let mut last = from;
        while hand > 0 {
            last = (last + 1) % 12;
            if last != from {
                next.cups[last] += 1;
                hand -= 1;
            }
        }
        while last / 6 == next.turn && [2, 3].contains(&next.cups[last]) {
            next.prisoners[self.turn] += std::mem::take(&mut next.cups[last]);
            last = (last + 11) % 12;
        }
        (next.side(next.turn) > 0).then_some(next)
    }

    pub(super) fn legal(&self) -> Vec<usize> {
        (0..12).filter(|&cup| self.play(cup).is_some()).collect()
    }

    /// Two marbles, one on each side, and whatever is played from here, the game neither ends nor sees a
    /// capture.
    fn is_endless(&self) -> bool {
        if [self.side(0), self.side(1)] != [1, 1] {
            return false;
        }
        let mut reached = HashSet::from([self.clone()]);
        let mut open = vec![self.clone()];
        while let Some(position) = open.pop() {
            let next: Vec<_> = (0..12).filter_map(|cup| position.play(cup)).collect();
            if next.is_empty() || next.iter().any(|next| next.prisoners != self.prisoners) {
                return false;
            }
            open.extend(next.into_iter().filter(|next| reached.insert(next.clone())));
        }
        true
    }

    pub(super) fn ended(&self) -> Option<EndReason> {
        if self.is_endless() {
            Some(EndReason::EndlessPlay)
        } else if self.legal().is_empty() {
            Some(EndReason::NoLegalMove)
        } else {
            None
        }
    }

    /// Prisoners and own side of each player.
    pub(super) fn totals(&self) -> [u8; 2] {
        [0, 1].map(|player| self.prisoners[player] + self.side(player))
    }
}

impl std::fmt::Display for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(["W", "w"][self.turn])?;
        self.cups.iter().chain(&self.prisoners).try_for_each(|number| write!(f, "-{number}"))
    }
}
