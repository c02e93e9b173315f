//! The events of a suggestion that is told while it is worked out.

use actix_web::web::Bytes;
use serde::Serialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Ref, RefOr, Schema, Type,
        schema::{ArrayBuilder, ObjectBuilder},
    },
};

use super::problem::ProblemBody;
use crate::service::{suggestion::Suggestion, to_json};

/// The media type of server-sent events.
pub const EVENTS: &str = "text/event-stream";

/// The id of the last event. A browser that comes back after it says so, and need not be answered again.
pub const DONE: &str = "done";

/// An event of a suggestion that is told while it is worked out, with the name that follows `event:`, and as
/// `data` the JSON that follows `data:`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum SuggestionEvent<'a> {
    /// A depth is finished.
    Progress {
        /// What is known by then.
        data: Suggestion,
    },
    /// The end of the stream, if the search could be answered.
    Done {
        /// What follows `id:`, for the header Last-Event-ID.
        #[schema(pattern = "^done$", example = "done")]
        id: &'static str,
        /// What to play.
        data: Suggestion,
    },
    /// The end of the stream, if the search has failed, or could not be answered in full.
    Problem {
        /// Why there is no answer.
        data: ProblemBody<'a>,
    },
}

impl SuggestionEvent<'_> {
    /// The end of a search that could be answered.
    pub const fn done(data: Suggestion) -> Self {
        Self::Done { id: DONE, data }
    }

    /// The event as it is sent. JSON has no line breaks.
    pub fn bytes(&self) -> Bytes {
        let (name, id, data) = match self {
            Self::Progress { data } => ("progress", None, to_json(data)),
            Self::Done { id, data } => ("done", Some(id), to_json(data)),
            Self::Problem { data } => ("problem", None, to_json(data)),
        };
        let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
        format!("event: {name}\n{id}data: {data}\n\n").into()
    }
}

/// A stream of events, which the document can only call a text, and say what is in it.
#[derive(Clone, Copy, Debug)]
pub struct SuggestionEvents;

impl PartialSchema for SuggestionEvents {
    fn schema() -> RefOr<Schema> {
        let events = ArrayBuilder::new().items(Ref::from_schema_name(SuggestionEvent::name()));
        let mut stream = ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Server-sent events; each is described with its data read as JSON."))
            .build();
        EVENTS.clone_into(&mut stream.content_media_type);
        stream.content_schema = Some(Box::new(events.into()));
        stream.into()
    }
}

impl ToSchema for SuggestionEvents {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((SuggestionEvent::name().into_owned(), SuggestionEvent::schema()));
        SuggestionEvent::schemas(schemas);
    }
}
