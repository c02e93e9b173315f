//! Playing a list of moves: what is legal, what happens, and when it ends.

use std::collections::HashMap;

use super::{EndReason, Fault, Notation, Outcome, Player, Stage, Standing};
use crate::games::described::{Event, SharedEvent};

/// A game that is being played: the position and the positions before it.
///
/// It knows what a single position cannot: whether a position has occurred before, and whether a player has
/// resigned.
///
/// ```
/// use cublino_rules::{game::Record, games::Pur};
///
/// let mut record = Record::new(Pur::default(), None);
/// let ply = record.play("e1e2").expect("a legal move");
/// assert_eq!(ply.position.to_string(), "pWa1Wb1Wc1Wd1Wf1Wg1Le2va7vb7vc7vd7ve7vf7vg7");
/// assert!(record.play("e2e3").is_err(), "it is player two's turn");
/// ```
#[derive(Clone, Debug)]
pub struct Record<G> {
    position: G,
    /// How often each position has occurred, the present one included.
    occurrences: HashMap<G, u32>,
    /// The game is drawn when a position has occurred this often.
    repetition_limit: Option<u32>,
    /// The outcome, if it follows from the history of the game and not from the present position.
    ended: Option<Outcome>,
}

/// One entry of a list of moves after it has been played.
#[derive(Clone, Debug)]
pub struct Ply<G> {
    /// The move or roll as it is recorded.
    pub text: String,
    /// Who played or rolled.
    pub player: Player,
    /// The position after it.
    pub position: G,
    /// What happened, in order.
    pub events: Vec<Event>,
}

/// Why an entry of a list of moves cannot be played.
///
/// ```
/// use cublino_rules::{game::*, games::*};
///
/// let mut record = Record::from(Mahbusa::default());
/// assert!(matches!(record.play("XU-UT"), Err(Refusal::RollFirst(_))));
/// record.play("63").expect("a roll");
/// assert!(matches!(record.play("AB"), Err(Refusal::Illegal(_))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game is over.
    #[error("the game is over, so nothing can be played")]
    GameOver(Outcome),
    /// The dice must be rolled, and this is not a roll.
    #[error("the dice must be rolled first: {0}")]
    RollFirst(Fault),
    /// This is not a move of this game.
    #[error(transparent)]
    Malformed(Fault),
    /// The move is not legal.
    #[error(transparent)]
    Illegal(Fault),
}

/// A player cannot resign a game that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game is over, so nobody can resign")]
pub struct ResignedTooLate(pub Outcome);

/// A game that starts from a position, with no limit on repetition.
impl<G: Notation> From<G> for Record<G> {
    fn from(position: G) -> Self {
        Self::new(position, None)
    }
}

impl<G: Notation> Record<G> {
    /// Starts from a position.
    ///
    /// With a `repetition_limit` the game is drawn as soon as a position has occurred that many times, the
    /// starting position included. It has no effect in games with dice.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// // The third occurrence of a position draws the game.
    /// let mut record = Record::new(Wari::default(), Some(3));
    /// record.play("5").expect("a legal move");
    /// assert_eq!((record.stage(), record.repetition_limit()), (Stage::Move, Some(3)));
    /// ```
    pub fn new(position: G, repetition_limit: Option<u32>) -> Self {
        let repetition_limit = repetition_limit.filter(|_| G::ROLLS.is_empty());
        Self { position, occurrences: HashMap::from([(position, 1)]), repetition_limit, ended: None }
    }

    /// The present position.
    pub const fn position(&self) -> &G {
        &self.position
    }

    /// The positions that occurred so far, the present one included, each with how often, in no order.
    pub fn occurrences(&self) -> impl Iterator<Item = (&G, u32)> {
        self.occurrences.iter().map(|(position, &count)| (position, count))
    }

    /// The game is drawn when a position has occurred this often.
    pub const fn repetition_limit(&self) -> Option<u32> {
        self.repetition_limit
    }

    /// Who acts next, with the moves so far taken into account.
    pub fn stage(&self) -> Stage {
        self.ended.map_or_else(|| self.position.stage(), Stage::Over)
    }

    /// Whether the game is over and how it stands, with the moves so far taken into account.
    pub fn standing(&self) -> Standing {
        self.ended.map_or_else(|| self.position.standing(), Standing::from)
    }

    /// Plays one entry of a list of moves: a move, or a roll where the dice must be rolled.
    ///
    /// # Errors
    /// Says why the entry cannot be played; nothing has changed then.
    pub fn play(&mut self, text: &str) -> Result<Ply<G>, Refusal> {
        match self.stage() {
            Stage::Over(outcome) => Err(Refusal::GameOver(outcome)),
            Stage::Roll => {
                let roll: G::Roll = text.parse().map_err(Refusal::RollFirst)?;
                let player = self.position.turn();
                self.position = self.position.rolled(roll);
                let events = vec![Event::Shared(SharedEvent::Roll { roll: roll.into() })];
                Ok(self.finish(roll.to_string(), player, events))
            }
            Stage::Move => {
                let spelling: G::Spelling = text.parse().map_err(Refusal::Malformed)?;
                let m = self.position.resolve(&spelling).map_err(Refusal::Illegal)?;
                let player = self.position.turn();
                let mut events = self.position.events(&spelling);
                if G::is_pass(m) {
                    events.push(Event::Shared(SharedEvent::Pass { player }));
                }
                self.position = self.position.after(m);
                Ok(self.finish(spelling.to_string(), player, events))
            }
        }
    }

    /// A player resigns, even out of turn, and the opponent wins.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let mut record = Record::from(Contra::default());
    /// record.resign(Player::One)?;
    /// assert_eq!(record.standing().winner, Some(Player::Two));
    /// assert!(record.play("e1e2").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The game is over.
    pub fn resign(&mut self, player: Player) -> Result<Event, ResignedTooLate> {
        if let Some(outcome) = self.stage().outcome() {
            return Err(ResignedTooLate(outcome));
        }
        let outcome =
            Outcome { winner: Some(!player), reason: EndReason::Resigned, points: self.position.points() };
        self.ended = Some(outcome);
        Ok(Event::Shared(SharedEvent::Ended { outcome: outcome.into() }))
    }

    fn finish(&mut self, text: String, player: Player, mut events: Vec<Event>) -> Ply<G> {
        self.ended = self.outcome_of_repetition();
        match self.stage() {
            Stage::Over(outcome) => {
                events.extend(self.position.last_events());
                events.push(Event::Shared(SharedEvent::Ended { outcome: outcome.into() }));
            }
            // After a roll the same player is to move, and nobody was skipped.
            Stage::Move if self.position.turn() == player && G::ROLLS.is_empty() => {
                events.push(Event::Shared(SharedEvent::TurnSkipped { player: !player }));
            }
            Stage::Move | Stage::Roll => {}
        }
        Ply { text, player, position: self.position, events }
    }

    /// Counts the present position, and says whether the game ends because it has occurred before.
    fn outcome_of_repetition(&mut self) -> Option<Outcome> {
        let count = self.occurrences.entry(self.position).or_default();
        *count += 1;
        if self.position.stage().outcome().is_some() {
            return None;
        }
        if *count > 1
            && let Some(outcome) = self.position.outcome_if_repeated()
        {
            return Some(outcome);
        }
        (*count >= self.repetition_limit?).then(|| Outcome {
            winner: None,
            reason: EndReason::Repetition,
            points: self.position.points(),
        })
    }
}
