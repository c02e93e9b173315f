//! Answers that come piece by piece.

use std::fmt;

use futures_util::{
    StreamExt as _,
    stream::{self, BoxStream},
};
use reqwest::Response;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::{Error, client::parse};

/// Answers that come one after the other. The service stops working on them when this is dropped.
///
/// The stream is in it for those who want more than the next one:
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
    /// The next answer; nothing if there are no more.
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
    /// The values in the body of an answer.
    pub(super) fn of(response: Response, framing: Framing) -> Self {
        let reader = Reader { status: response.status().as_u16(), response, bytes: Vec::new(), framing };
        let next = async |mut reader: Reader| Ok(reader.next().await?.map(|value| (value, reader)));
        Self(stream::try_unfold(reader, next).boxed())
    }
}

/// How the body of an answer separates its values.
#[derive(Debug)]
pub(super) enum Framing {
    /// Each line is one.
    Lines,
    /// Each server-sent event is one: an object with its name, its id and its data.
    Events(Event),
}

impl Framing {
    /// The JSON of the value that a line completes.
    fn add(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Lines => (!line.is_empty()).then(|| line.to_vec()),
            Self::Events(event) if line.is_empty() => std::mem::take(event).json(),
            Self::Events(event) => {
                event.add(&String::from_utf8_lossy(line));
                None
            }
        }
    }
}

/// The part of a server-sent event that has arrived.
#[derive(Debug, Default)]
pub(super) struct Event {
    name: String,
    id: Option<String>,
    data: String,
}

impl Event {
    /// Adds a line: a field and its value. Other fields and comments are passed over.
    fn add(&mut self, line: &str) {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "id" => self.id = Some(value.to_owned()),
            "data" => self.data += value,
            _ => {}
        }
    }

    /// The event as an object; nothing if there was none, but comments. Data that is not JSON stays what it
    /// is, and cannot be read.
    fn json(self) -> Option<Vec<u8>> {
        if self.data.is_empty() {
            return None;
        }
        let id = self.id.map(|id| format!(r#""id":{},"#, json!(id))).unwrap_or_default();
        Some(format!(r#"{{"event":{},{id}"data":{}}}"#, json!(self.name), self.data).into_bytes())
    }
}

/// Reads values from the body of an answer.
struct Reader {
    response: Response,
    status: u16,
    /// What has come and is not read, which has no end of a line in it up to its last part.
    bytes: Vec<u8>,
    framing: Framing,
}

impl Reader {
    /// The next value; nothing at the end.
    async fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Error> {
        while let Some(line) = self.line().await? {
            if let Some(json) = self.framing.add(&line) {
                return parse(self.status, &json).map(Some);
            }
        }
        Ok(None)
    }

    /// The next line, without its end; nothing at the end.
    async fn line(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let mut read = 0;
        loop {
            if let Some(length) = self.bytes[read..].iter().position(|&byte| byte == b'\n') {
                let rest = self.bytes.split_off(read + length + 1);
                let mut line = std::mem::replace(&mut self.bytes, rest);
                line.truncate(read + length);
                return Ok(Some(line));
            }
            read = self.bytes.len();
            match self.response.chunk().await? {
                Some(chunk) => self.bytes.extend_from_slice(&chunk),
                // What has no end is no line: its rest is lost, and its beginning is no value.
                None => return Ok((read > 0).then(|| std::mem::take(&mut self.bytes))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values that a text brings.
    fn values(mut framing: Framing, text: &str) -> Vec<String> {
        let found = text.lines().filter_map(|line| framing.add(line.as_bytes()));
        found.map(|json| String::from_utf8(json).unwrap()).collect()
    }

    #[test]
    fn a_line_is_a_value_and_an_empty_one_is_none() {
        assert_eq!(values(Framing::Lines, "{\"a\":1}\n\n[2]\n"), [r#"{"a":1}"#, "[2]"]);
    }

    #[test]
    fn an_event_is_an_object_with_its_name_and_comments_are_none() {
        let text = ": still searching\n\nevent: progress\ndata: {\"a\":1}\n\nretry: 5\n\n\
                    event:done\nid: done\ndata: [1,\ndata: 2]\n\nevent: lost\ndata: 1\n";
        assert_eq!(
            values(Framing::Events(Event::default()), text),
            [r#"{"event":"progress","data":{"a":1}}"#, r#"{"event":"done","id":"done","data":[1,2]}"#]
        );
    }
}
