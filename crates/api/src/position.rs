//! Which position a question is about: a state, with what has been played since.

use std::{iter::Enumerate, slice};

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::{Failure, Object, Ranged, read, to_json};
use cublino_rules::game::{Notation, Ply, Record};

/// What a replayed move takes until its position has been searched, in bytes: the positions that occurred,
/// for the game and for the search.
pub const REPLAYED: usize = 256;

/// How often a position may occur before the game is drawn.
pub type RepetitionLimit = Ranged<2, 10>;

/// A position: a state, and what has been played since. What occurred before counts for repetition.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionQuestion {
    /// The state to start from.
    #[schema(example = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7")]
    pub state: String,
    /// The moves since, in order; in a game with dice also the rolls, where the dice were rolled.
    #[serde(default)]
    #[schema(max_items = 1000, example = json!(["e1e2"]))]
    pub moves: Vec<String>,
    /// The game is drawn when a position occurs for this time; without it, repetition means nothing. In
    /// Mahbusa it means nothing in any case; in Wari the rules themselves end the game when a position occurs
    /// again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable)]
    pub repetition_limit: Option<RepetitionLimit>,
}

impl PositionQuestion {
    /// The game as far as it has been played; of the moves there may be `max_moves`.
    ///
    /// # Errors
    /// The state cannot be read, or the failure names the first move that cannot be played.
    pub fn record<G: Notation>(&self, max_moves: usize) -> Result<Record<G>, Failure> {
        self.replay(read(&self.state)?, max_moves)?.finish()
    }

    /// The same with the position that the state describes, move by move.
    ///
    /// # Errors
    /// There are too many moves.
    pub fn replay<G: Notation>(&self, start: G, max_moves: usize) -> Result<Replay<'_, G>, Failure> {
        Replay::new(Record::new(start, self.repetition_limit.map(Ranged::to)), &self.moves, max_moves)
    }
}

/// A game that is being replayed: the next move is played when the iterator is advanced. Its failure names
/// the first that cannot be played.
#[derive(Clone, Debug)]
pub struct Replay<'a, G> {
    /// The game as far as it has been replayed.
    pub record: Record<G>,
    moves: Enumerate<slice::Iter<'a, String>>,
}

impl<'a, G: Notation> Replay<'a, G> {
    /// Moves from the present position of a record, of which there may be `max_moves`.
    pub(super) fn new(record: Record<G>, moves: &'a [String], max_moves: usize) -> Result<Self, Failure> {
        let count = moves.len();
        if count > max_moves {
            let detail = format!("'moves' has {count} entries, and must have no more than {max_moves}");
            return Err(Failure::invalid_parameter("moves", detail));
        }
        Ok(Self { record, moves: moves.iter().enumerate() })
    }

    /// The game after all moves.
    pub(super) fn finish(mut self) -> Result<Record<G>, Failure> {
        self.by_ref().try_for_each(|ply| ply.map(drop))?;
        Ok(self.record)
    }
}

impl<G: Notation> Iterator for Replay<'_, G> {
    type Item = Result<Ply<G>, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let (i, text) = self.moves.next()?;
        Some(self.record.play(text).map_err(|refusal| Failure::from(refusal).at(i)))
    }
}

/// A position in a list, or what is wrong with it, which is told in its place and spoils no other.
///
/// It is held as JSON and read when its turn comes: taken apart, its moves take ten times as much memory.
#[derive(Clone, Debug)]
pub struct Entry {
    json: Result<Box<str>, Failure>,
    /// How many moves it has.
    pub moves: usize,
}

impl Entry {
    /// What the entry says.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn get(&self) -> Result<PositionQuestion, Failure> {
        let json = self.json.as_ref().map_err(Failure::clone)?;
        Ok(serde_json::from_str(json).expect("it has been written from a position"))
    }
}

impl From<PositionQuestion> for Entry {
    fn from(position: PositionQuestion) -> Self {
        Self { json: Ok(to_json(&position).into()), moves: position.moves.len() }
    }
}

/// Fails for an entry that could not be read.
impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.get().map_err(ser::Error::custom)?.serialize(serializer)
    }
}

/// From JSON only, where it fails for nothing that is JSON.
impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Box::<RawValue>::deserialize(deserializer)?;
        let json = &mut serde_json::Deserializer::from_str(json.get());
        Ok(match serde_path_to_error::deserialize(json) {
            Ok(Object(position)) => PositionQuestion::into(position),
            Err(error) => Self { json: Err(Failure::unreadable("entry", "member", &error)), moves: 0 },
        })
    }
}
