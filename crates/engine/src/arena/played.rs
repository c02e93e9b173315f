//! Games as they were played, to be written down.

use serde::Serialize;

use cublino_rules::game::{Game, Notation};

/// A game that was played: where it began, and every move and roll from there.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    start: G,
    actions: Vec<Action<G>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Action<G: Game> {
    Move(G::Move),
    Roll(G::Roll),
}

/// A game as `POST /v1/games/{game}/apply` takes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Written {
    /// The state in which the game began.
    pub state: String,
    /// The moves, and the rolls where the dice were rolled.
    pub moves: Vec<String>,
}

impl<G: Game> Played<G> {
    pub(super) const fn new(start: G) -> Self {
        Self { start, actions: Vec::new() }
    }

    pub(super) const fn start(&self) -> &G {
        &self.start
    }

    pub(super) fn push(&mut self, action: Action<G>) {
        self.actions.push(action);
    }
}

impl<G: Notation> Played<G> {
    /// The game in notation.
    #[must_use]
    pub fn written(&self) -> Written {
        let mut position = self.start;
        let write = |action: &Action<G>| match *action {
            Action::Move(m) => {
                let spelling = position.spell(m).to_string();
                position.play_unchecked(m);
                spelling
            }
            Action::Roll(roll) => {
                position.roll_unchecked(roll);
                roll.to_string()
            }
        };
        Written { moves: self.actions.iter().map(write).collect(), state: self.start.to_string() }
    }
}
