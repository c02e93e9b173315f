//! Answers that come piece by piece.

use std::{fmt, future::ready, io};

use futures_util::{AsyncBufReadExt as _, StreamExt as _, TryStreamExt as _, stream::BoxStream};
use reqwest::Response;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::{Error, client::parse};

/// Answers that come one after the other. Drop it, and the service stops working on them.
///
/// The field is the stream itself, with all that streams can do:
///
/// ```no_run
/// use cublino_api::suggestion::{SuggestionEvent, SuggestionQuestion};
/// use cublino_client::Client;
/// use cublino_rules::games::GameId;
///
/// # async fn think(client: Client, state: &str) -> Result<(), cublino_client::Error> {
/// let mut events = client.stream_suggestion(GameId::CublinoPur, &SuggestionQuestion::about(state)).await?;
/// while let Some(event) = events.next().await {
///     if let SuggestionEvent::Progress { data } | SuggestionEvent::Done { data, .. } = event? {
///         println!("{} plies: {}", data.search.depth, data.best);
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub struct Answers<T>(pub BoxStream<'static, Result<T, Error>>);

impl<T> Answers<T> {
    /// The next answer; `None` if there are no more.
    pub async fn next(&mut self) -> Option<Result<T, Error>> {
        self.0.next().await
    }
}

impl<T> fmt::Debug for Answers<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers").finish_non_exhaustive()
    }
}

impl<T: DeserializeOwned + Send + 'static> Answers<T> {
    /// The values in the body of an answer; `json` returns the JSON of the value that a line completes.
    pub(super) fn of(
        response: Response,
        mut json: impl FnMut(&str) -> Option<String> + Send + 'static,
    ) -> Self {
        let status = response.status().as_u16();
        let lines = response.bytes_stream().map_err(io::Error::other).into_async_read().lines();
        let values = lines.map_err(move |error| match error.downcast() {
            Ok(error) => Error::Unreachable(error),
            Err(error) => Error::Unreadable { status, reason: error.to_string() },
        });
        let values = values.try_filter_map(move |line| {
            ready(json(&line).map(|json| parse(status, json.as_bytes())).transpose())
        });
        Self(values.boxed())
    }
}

/// The JSON of a line that is a value; `None` for an empty line.
pub(super) fn in_line(line: &str) -> Option<String> {
    (!line.is_empty()).then(|| line.to_owned())
}

/// The part of a server-sent event that has arrived.
#[derive(Debug, Default)]
pub(super) struct Event {
    name: String,
    id: Option<String>,
    data: String,
}

impl Event {
    /// Adds a line: a field and its value. Other fields and comments are ignored. An empty line ends the
    /// event and returns its JSON.
    pub(super) fn add(&mut self, line: &str) -> Option<String> {
        if line.is_empty() {
            return std::mem::take(self).json();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "id" => self.id = Some(value.to_owned()),
            "data" => self.data += value,
            _ => {}
        }
        None
    }

    /// The event as a JSON object; `None` if it has no data. Data that is not JSON stays as it is, and fails
    /// to parse later.
    fn json(self) -> Option<String> {
        if self.data.is_empty() {
            return None;
        }
        let id = self.id.map(|id| format!(r#""id":{},"#, json!(id))).unwrap_or_default();
        Some(format!(r#"{{"event":{},{id}"data":{}}}"#, json!(self.name), self.data))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The JSON of the values in the lines of a text.
    fn values(json: impl FnMut(&str) -> Option<String>, text: &str) -> Vec<String> {
        text.lines().filter_map(json).collect()
    }

    #[test]
    fn a_line_is_a_value_and_an_empty_one_is_none() {
        assert_eq!(values(in_line, "{\"a\":1}\n\n[2]\n"), [r#"{"a":1}"#, "[2]"]);
    }

    #[test]
    fn an_event_is_an_object_with_its_name_and_comments_are_none() {
        let text = ": still searching\n\nevent: progress\ndata: {\"a\":1}\n\nretry: 5\n\n\
                    event:done\nid: done\ndata: [1,\ndata: 2]\n\nevent: lost\ndata: 1\n";
        let mut event = Event::default();
        assert_eq!(
            values(|line| event.add(line), text),
            [r#"{"event":"progress","data":{"a":1}}"#, r#"{"event":"done","id":"done","data":[1,2]}"#]
        );
    }
}
