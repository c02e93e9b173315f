//! Pictures of positions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Answer, Bounds, Failure, Operation, Plan, Planned, Played, Ranged,
    json::{resolve, spelling},
    read,
    suggestion::check_stage,
};
use cublino_rules::{
    game::{Notation, Player, Stage},
    render::{Effects, Theme, View},
};

/// A request for a picture.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PictureQuestion {
    /// The state, in the notation of the game.
    #[schema(max_length = 512)]
    pub state: String,
    /// A legal move to draw as an arrow, with its effects.
    #[serde(rename = "move")]
    #[schema(example = "e1e2")]
    pub text: Option<String>,
    /// The move that led to the state. Its places are tinted.
    pub last: Option<String>,
    /// The state before `last`, to also mark what `last` captured.
    #[schema(max_length = 512)]
    pub previous: Option<String>,
    /// Squares, points (White's letters) or cups to highlight, comma-separated.
    #[schema(max_length = 512)]
    pub highlight: Option<String>,
    /// Whether to draw the board from player two's side.
    #[serde(default)]
    pub flip: bool,
    /// Whether to write the turn and the score above the board.
    #[serde(default)]
    #[schema(inline)]
    pub header: Header,
    /// The width in pixels. The height follows from it.
    #[schema(inline, example = 600)]
    pub size: Option<Ranged<50, 10_000>>,
    /// The colours. `auto` (default) follows the reader's system.
    #[serde(default)]
    #[schema(inline)]
    pub theme: Theme,
}

/// Whether there is a line above the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(default = "on")]
pub enum Header {
    /// There is one.
    #[default]
    On,
    /// There is none.
    Off,
}

/// A picture as SVG.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Svg(pub String);

impl Operation for Svg {
    const NAME: &'static str = "board.svg";
    const MEDIA: &'static str = "image/svg+xml";
    const IS_COMPRESSED: bool = true;

    type Question = PictureQuestion;
    type Item = ();

    fn state(question: &PictureQuestion) -> Option<&str> {
        Some(&question.state)
    }

    fn plan<G: Played>(_: &PictureQuestion, _: &Bounds, _: Stage) -> Planned<G, Self> {
        Ok(Plan::AtOnce(|asked| Ok(Answer::Value(Self::draw(asked.record.position(), asked.question)?))))
    }

    fn write(&self) -> String {
        self.0.clone()
    }

    fn read(body: &[u8]) -> Result<Self, serde_json::Error> {
        Ok(Self(String::from_utf8_lossy(body).into_owned()))
    }
}

impl Svg {
    /// The picture of a position.
    fn draw<G: Notation>(position: &G, question: &PictureQuestion) -> Result<Self, Failure> {
        let as_written = |text| read_move(position, text).map(|(spelling, _)| spelling);
        let places = question.highlight.as_deref().map(read_places::<G>).transpose()?;
        let view = View {
            seen_by: if question.flip { Player::Two } else { Player::One },
            shown_move: question.text.as_deref().map(as_written).transpose()?,
            last: read_last(position, question)?,
            highlighted: places.unwrap_or_default(),
            header: question.header == Header::On,
            size: question.size.map(Ranged::to),
            theme: question.theme,
        };
        Ok(Self(position.picture(&view)))
    }
}

/// Reads a legal move: as it is written, and what it stands for.
fn read_move<G: Notation>(position: &G, text: &str) -> Result<(G::Spelling, G::Move), Failure> {
    check_stage(position.stage())?;
    let m = resolve(position, text)?;
    Ok((spelling::<G>(text)?, m))
}

/// Reads what the last move did: all of it with the state before it, otherwise only the places that it names.
fn read_last<G: Notation>(
    position: &G,
    question: &PictureQuestion,
) -> Result<Option<Effects<G::Place>>, Failure> {
    let (last, previous) = match (&question.last, &question.previous) {
        (None, None) => return Ok(None),
        (None, Some(_)) => {
            return Err(Failure::invalid_parameter("previous", "'previous' needs the move in 'last'"));
        }
        (Some(last), None) => {
            // Only Mahbusa has letters that depend on the mover, and there nobody is ever skipped.
            return Ok(Some(G::effects_of(&spelling::<G>(last)?, !position.turn(), &[])));
        }
        (Some(last), Some(previous)) => (last, read_previous::<G>(previous)?),
    };
    let (spelling, m) = read_move(&previous, last)?;
    let after = previous.after(m);
    // Between a move and the next state the dice may have been rolled.
    let leads_here = |&(roll, _): &(G::Roll, u32)| after.rolled(roll) == *position;
    if after != *position && !G::ROLLS.iter().any(leads_here) {
        let detail = format!("{last} leads from 'previous' to {after}, not to the state");
        return Err(Failure::invalid_parameter("previous", detail));
    }
    Ok(Some(previous.effects(&spelling)))
}

/// Reads the state before the last move.
fn read_previous<G: Notation>(state: &str) -> Result<G, Failure> {
    let position = read::<G>(state).and_then(|position| check_stage(position.stage()).map(|()| position));
    position.map_err(|failure| {
        Failure::invalid_parameter("previous", format!("'previous' is wrong: {}", failure.detail))
    })
}

/// Reads the names of places.
fn read_places<G: Notation>(names: &str) -> Result<Vec<G::Place>, Failure> {
    let no_place = |name: &str| {
        let detail = format!("'{name}' is not a place on the board of {}", G::ABOUT.name);
        Failure::invalid_parameter("highlight", detail)
    };
    names.split(',').map(|name| name.trim().parse().map_err(|_| no_place(name))).collect()
}
