//! The events of a suggestion that is told while it is worked out.

use actix_web::web::Bytes;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Ref, RefOr, Schema, Type,
        schema::{ArrayBuilder, ObjectBuilder},
    },
};

use crate::service::{suggestion::SuggestionEvent, to_json};

/// The media type of server-sent events.
pub const EVENTS: &str = "text/event-stream";

/// An event as it is sent. JSON has no line breaks.
pub fn bytes(event: &SuggestionEvent<'_>) -> Bytes {
    let (name, id, data) = match event {
        SuggestionEvent::Progress { data } => ("progress", None, to_json(data)),
        SuggestionEvent::Done { id, data } => ("done", Some(id), to_json(data)),
        SuggestionEvent::Problem { data } => ("problem", None, to_json(data)),
    };
    let id = id.as_ref().map(|id| format!("id: {id}\n")).unwrap_or_default();
    format!("event: {name}\n{id}data: {data}\n\n").into()
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
