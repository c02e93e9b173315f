//! Which position a question is about: a state, with what has been played since.

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};

use super::{Code, Failure, Ranged, read};
use crate::game::{Notation, Ply, Record};

/// How often a position may occur before the game is drawn.
pub type RepetitionLimit = Ranged<2, 10>;

/// A position: a state, and what has been played since. What occurred before counts for repetition.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PositionQuestion {
    /// The state to start from.
    #[cfg_attr(feature = "openapi", schema(example = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"))]
    pub state: String,
    /// The moves since, in order; in a game with dice also the rolls, where the dice were rolled.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_items = 1000, example = json!(["e1e2"])))]
    pub moves: Vec<String>,
    /// The game is drawn when a position occurs for this time; without it, repetition means nothing. In
    /// Mahbusa it means nothing in any case; in Wari the rules themselves end the game when a position occurs
    /// again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(inline, nullable))]
    pub repetition_limit: Option<RepetitionLimit>,
}

impl PositionQuestion {
    /// The game as far as it has been played; of the moves there may be `max_moves`.
    ///
    /// # Errors
    /// The state cannot be read, or the failure names the first move that cannot be played.
    pub fn record<G: Notation>(&self, max_moves: usize) -> Result<Record<G>, Failure> {
        self.play(read(&self.state)?, max_moves)
    }

    /// The same with the position that the state describes.
    pub(super) fn play<G: Notation>(&self, start: G, max_moves: usize) -> Result<Record<G>, Failure> {
        let mut record = Record::new(start, self.repetition_limit.map(Ranged::to));
        play(&mut record, &self.moves, max_moves, |_| {})?;
        Ok(record)
    }
}

/// A question about many positions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PositionsQuestion {
    /// The positions.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<PositionQuestion>, max_items = 1000))]
    pub positions: Vec<Entry<PositionQuestion>>,
}

/// Plays moves, of which there may be `max_moves`, and tells each ply.
///
/// # Errors
/// The failure names the first move that cannot be played.
pub(super) fn play<G: Notation>(
    record: &mut Record<G>,
    moves: &[String],
    max_moves: usize,
    mut on_ply: impl FnMut(Ply<G>),
) -> Result<(), Failure> {
    let count = moves.len();
    if count > max_moves {
        let detail = format!("'moves' has {count} entries, and must have no more than {max_moves}");
        return Err(Failure::invalid_parameter("moves", detail));
    }
    for (i, text) in moves.iter().enumerate() {
        on_ply(record.play(text).map_err(|refusal| Failure::from(refusal).at(i))?);
    }
    Ok(())
}

/// An entry of a list whose faults are told in its own place, and spoil no other entry.
#[derive(Clone, Debug)]
pub struct Entry<T>(Result<T, Failure>);

impl<T> Entry<T> {
    /// What the entry says.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn get(&self) -> Result<&T, Failure> {
        self.0.as_ref().map_err(Failure::clone)
    }
}

impl<T> From<T> for Entry<T> {
    fn from(entry: T) -> Self {
        Self(Ok(entry))
    }
}

/// Fails for an entry that could not be read.
impl<T: Serialize> Serialize for Entry<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_ref().map_err(ser::Error::custom)?.serialize(serializer)
    }
}

/// Never fails. The deserializer must hold each entry as a value of its own, as that of request bodies does.
/// Its errors name the member that is wrong, if they are written with `{:#}`.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entry<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(T::deserialize(deserializer).map_err(|wrong| {
            let (detail, named) = (wrong.to_string(), format!("{wrong:#}"));
            match named.strip_suffix(&detail).and_then(|name| name.strip_suffix(": ")) {
                Some(name) => Failure::invalid_parameter(name, detail),
                None => Failure::new(Code::InvalidParameter, detail),
            }
        })))
    }
}
