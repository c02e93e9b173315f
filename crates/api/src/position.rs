//! The positions that a question is about: a state with the moves played since, or many of them.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{
        DeserializeOwned, DeserializeSeed, Error as _, IntoDeserializer, MapAccess, Visitor,
        value::MapAccessDeserializer,
    },
    ser,
};
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;

use super::{
    Failure, Object, ProblemBody, Ranged,
    json::at_most,
    limits::{MAX_MOVES, MAX_POSITIONS},
};
use cublino_rules::game::{Notation, Ply, Record, Stage};

/// How often a position may occur before the game is drawn.
pub type RepetitionLimit = Ranged<2, 10>;

/// A position: a state, and the moves played since. Earlier positions count for repetition.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionQuestion {
    /// The state to start from.
    #[schema(example = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7")]
    pub state: String,
    /// The moves played since, in order. In games with dice, include each roll.
    #[serde(default, deserialize_with = "at_most::<MAX_MOVES, _, _>")]
    #[schema(max_items = 1000, example = json!(["e1e2"]))]
    pub moves: Vec<String>,
    /// The game is drawn when a position occurs this many times. Default: no limit. It has no effect in
    /// Mahbusa, and in Wari the rules end the game when a position is repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable)]
    pub repetition_limit: Option<RepetitionLimit>,
}

impl PositionQuestion {
    /// A record that begins with `start`, the position that the state describes.
    pub fn record<G: Notation>(&self, start: G) -> Record<G> {
        Record::new(start, self.repetition_limit.map(Ranged::to))
    }
}

/// Plays moves from the current position of a record, one each time the iterator is advanced. Its failure
/// names the first move that cannot be played.
///
/// ```
/// use cublino_api::replay;
/// use cublino_rules::{game::Record, games::Wari};
///
/// let (mut record, moves) = (Record::from(Wari::default()), ["5", "5"].map(String::from));
/// let mut plies = replay(&mut record, &moves)?;
/// assert!(plies.next().unwrap().is_ok());
/// assert_eq!(plies.next().unwrap().unwrap_err().at, Some(1));
/// # Ok::<(), cublino_api::Failure>(())
/// ```
///
/// # Errors
/// There are too many moves.
pub fn replay<'a, G: Notation>(
    record: &'a mut Record<G>,
    moves: &'a [String],
) -> Result<impl Iterator<Item = Result<Ply<G>, Failure>> + 'a, Failure> {
    check_count("moves", moves.len(), MAX_MOVES)?;
    let numbered = moves.iter().enumerate();
    Ok(numbered.map(|(i, text)| record.play(text).map_err(|refusal| Failure::from(refusal).at(i))))
}

/// Checks how many entries a list has.
///
/// # Errors
/// There are more than the service reads.
fn check_count(name: &str, count: usize, max: usize) -> Result<(), Failure> {
    if count <= max {
        return Ok(());
    }
    let detail = format!("'{name}' has {count} entries, but the limit is {max}");
    Err(Failure::invalid_parameter(name, detail))
}

/// A position in a list, or what is wrong with it. An invalid position gets a problem in its slot.
///
/// It is kept as JSON and read when its turn comes: parsed, its moves take ten times as much memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Entry(Box<RawValue>);

impl Entry {
    /// Reads the entry.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn get(&self) -> Result<PositionQuestion, Failure> {
        let json = &mut serde_json::Deserializer::from_str(self.0.get());
        let read = serde_path_to_error::deserialize(json).map(|Object(position)| position);
        read.map_err(|error| Failure::unreadable("entry", "member", &error))
    }
}

/// A question about many positions: a question about one, without its state.
///
/// In JSON it has the member `positions` instead of `state`.
///
/// ```
/// use cublino_api::{Many, PositionQuestion, suggestion::SuggestionQuestion, to_json};
///
/// let position = PositionQuestion { state: "M-o22O".to_owned(), ..PositionQuestion::default() };
/// let question = Many::new([position], SuggestionQuestion::default());
/// assert_eq!(to_json(&question), r#"{"positions":[{"moves":[],"state":"M-o22O"}]}"#);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Many<Q> {
    /// The positions.
    pub positions: Vec<Entry>,
    /// The question about each; its state is ignored.
    pub question: Q,
}

/// The positions in a body.
#[derive(Deserialize)]
struct Positions(#[serde(deserialize_with = "at_most::<MAX_POSITIONS, _, _>")] Vec<Entry>);

impl<Q> Many<Q> {
    /// A question about some positions.
    pub fn new(positions: impl IntoIterator<Item = PositionQuestion>, question: Q) -> Self {
        let entry = |position| Entry(to_raw_value(&position).expect("a position is written as JSON"));
        Self { positions: positions.into_iter().map(entry).collect(), question }
    }
}

impl<Q: Serialize> Serialize for Many<Q> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut question = serde_json::to_value(&self.question).map_err(ser::Error::custom)?;
        question["positions"] = serde_json::to_value(&self.positions).map_err(ser::Error::custom)?;
        if let Some(members) = question.as_object_mut() {
            members.retain(|name, member| name != "state" && !member.is_null());
        }
        question.serialize(serializer)
    }
}

impl<'de, Q: DeserializeOwned> Deserialize<'de> for Many<Q> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ManyVisitor(PhantomData))
    }
}

struct ManyVisitor<Q>(PhantomData<Q>);

impl<'de, Q: DeserializeOwned> Visitor<'de> for ManyVisitor<Q> {
    type Value = Many<Q>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with positions")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Many<Q>, A::Error> {
        let mut positions = Vec::new();
        let members = Members { rest: members, positions: &mut positions, is_positions: false };
        let question = Q::deserialize(MapAccessDeserializer::new(members));
        // The error may name the member `state`, which the question reads in place of `positions`.
        let of_many = |error: A::Error| match error.to_string().rsplit_once("`state`") {
            Some((before, after)) => A::Error::custom(format_args!("{before}`positions`{after}")),
            None => error,
        };
        Ok(Many { question: question.map_err(of_many)?, positions })
    }
}

/// The members of a question about many positions, for reading the question about one: that gets an empty
/// `state` in place of `positions`.
struct Members<'a, A> {
    rest: A,
    positions: &'a mut Vec<Entry>,
    /// Whether the value of `positions` comes next.
    is_positions: bool,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let Some(name) = self.rest.next_key::<String>()? else { return Ok(None) };
        if name == "state" {
            return Err(A::Error::unknown_field("state", &["state"]));
        }
        self.is_positions = name == "positions";
        let name = if self.is_positions { "state" } else { &*name };
        seed.deserialize(name.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        if !self.is_positions {
            return self.rest.next_value_seed(seed);
        }
        *self.positions = self.rest.next_value::<Positions>()?.0;
        seed.deserialize("".into_deserializer())
    }
}

/// The answers about many positions, as one JSON value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Results<A> {
    /// One result for each position, in the same order.
    #[schema(max_items = 1000)]
    pub results: Vec<PositionResult<A>>,
}

/// The result for one position: either the member `answer`, or the member `problem`. The other positions are
/// still answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum PositionResult<A> {
    /// There is an answer.
    Answered(Answered<A>),
    /// There is none.
    Unanswered(Unanswered<'static>),
}

/// The answer about a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Answered<A> {
    /// The answer to the same question about this position alone.
    pub answer: A,
}

/// A problem in the slot of one position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Unanswered<'a> {
    /// The problem. `at` is an index into the state or the moves of this position.
    pub problem: ProblemBody<'a>,
}

/// What happens next: a move, a roll, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Stage)]
pub enum StageName {
    /// The player to move picks one of the legal moves.
    Move,
    /// The dice must be rolled for the player to move.
    Roll,
    /// The game has ended.
    Over,
}

impl From<Stage> for StageName {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::Move => Self::Move,
            Stage::Roll => Self::Roll,
            Stage::Over(_) => Self::Over,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StateQuestion, evaluation::EvaluationQuestion};

    fn refusal<Q: DeserializeOwned + fmt::Debug>(json: &str) -> String {
        serde_json::from_str::<Many<Q>>(json).unwrap_err().to_string()
    }

    #[test]
    fn a_question_about_many_positions_says_which_members_there_are() {
        for (json, said) in [
            (
                r#"{"positions":[],"depht":1}"#,
                "unknown field `depht`, expected one of `positions`, `time_ms`, ",
            ),
            (r#"{"positions":[],"state":"P"}"#, "unknown field `state`, expected `positions`"),
            (r#"{"positions":[],"positions":[]}"#, "duplicate field `positions`"),
            (r#"{"depth":1}"#, "missing field `positions`"),
        ] {
            let refusal = refusal::<EvaluationQuestion>(json);
            assert!(refusal.starts_with(said), "{refusal}");
        }
        let refusal = refusal::<StateQuestion>(r#"{"positions":[],"depth":1}"#);
        assert!(refusal.starts_with("unknown field `depth`, expected `positions`"), "{refusal}");
    }
}
