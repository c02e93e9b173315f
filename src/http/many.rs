//! One answer for each of many positions, or the problem in its place.

use std::rc::Rc;

use actix_web::{HttpRequest, HttpResponse, web::Data};
use futures_util::{Stream, StreamExt as _, stream};

use super::{
    context::RequestContext,
    extract::ListFormat,
    in_flight::Share,
    list_body::{self, Frame, Item},
    problem::Problem,
    state::AppState,
};
use crate::{
    game::{Notation, Record, Stage},
    search::pool::{Batch, Demand},
    service::{Entry, Failure, PositionQuestion, append_json, many::Unanswered},
};

/// The JSON of a [`Results`].
const FRAME: Frame = Frame { opening: r#"{"results":["#, closing: "]}" };

/// Appends the JSON of a [`PositionResult`]: of the answer that `append` appends, or of the problem if there
/// is none.
fn append_result(text: &mut Vec<u8>, append: impl FnOnce(&mut Vec<u8>) -> Result<(), Problem>) {
    let before = text.len();
    text.extend_from_slice(br#"{"answer":"#);
    match append(text) {
        Ok(()) => text.push(b'}'),
        Err(problem) => {
            text.truncate(before);
            append_json(&Unanswered { problem: problem.body() }, text);
        }
    }
}

/// The JSON of the result for which there is no answer.
fn no_answer(problem: Problem) -> Vec<u8> {
    let mut text = Vec::new();
    append_result(&mut text, |_| Err(problem));
    text
}

/// Checks how many positions there are.
///
/// # Errors
/// There are more than the service answers in one request.
fn check_count(
    state: &AppState,
    positions: Vec<Entry<PositionQuestion>>,
) -> Result<Vec<Entry<PositionQuestion>>, Problem> {
    let (count, limit) = (positions.len(), state.limits.max_positions);
    if count > limit {
        let detail = format!("'positions' has {count} entries, and must have no more than {limit}");
        return Err(Problem::invalid_parameter("positions", detail));
    }
    Ok(positions)
}

/// Answers a cheap question about each of some positions, while the answers are sent. `append` appends the
/// JSON of an answer.
///
/// # Errors
/// There are too many positions.
pub fn answer_each(
    state: &Data<AppState>,
    format: ListFormat,
    positions: Vec<Entry<PositionQuestion>>,
    append: impl Fn(&PositionQuestion, &mut Vec<u8>) -> Result<(), Failure> + 'static,
) -> Result<HttpResponse, Problem> {
    let positions = check_count(state, positions)?;
    let append = Rc::new(append);
    let results = positions.into_iter().map(move |position| {
        let append = append.clone();
        move |text: &mut Vec<u8>| {
            append_result(text, |text| Ok(position.get().and_then(|position| append(position, text))?));
        }
    });
    Ok(respond(state, format, stream::iter(results)))
}

/// An answer that lists some results as soon as they are known.
fn respond(state: &AppState, format: ListFormat, results: impl Stream<Item: Item> + 'static) -> HttpResponse {
    list_body::respond(format, FRAME, &state.in_flight, results, |exhausted| no_answer(exhausted.into()))
}

/// What one of many searches of a request needs.
#[derive(Clone, Debug)]
pub struct SearchOfMany {
    /// What names the request in the log.
    pub context: RequestContext,
    /// The application.
    pub state: Data<AppState>,
    /// The searches of the request.
    pub batch: Batch,
    /// What may be found and not be read yet: the reader may be slow.
    _found: Rc<Share>,
}

impl SearchOfMany {
    /// Leave to make so many searches of each kind, each of which finds so many lines.
    ///
    /// # Errors
    /// They count for too much together, too many requests have many searches, or there is no memory for what
    /// they find.
    pub fn begin(
        context: RequestContext,
        state: Data<AppState>,
        searches: &[(Demand, usize)],
        lines: usize,
    ) -> Result<Self, Problem> {
        /// Bytes of a line with its value, as a search finds it.
        const LINE: usize = 128;
        let begun = state.pool.begin_batch(state.access.id(&context.caller), searches);
        let batch = begun.map_err(|not_begun| state.not_begun(not_begun))?;
        let mut found = state.in_flight.share();
        found.set(batch.window().saturating_mul(lines).saturating_mul(LINE))?;
        Ok(Self { context, state, batch, _found: Rc::new(found) })
    }
}

/// Searches each of some positions, as many at a time as there are threads for, and answers in their order.
/// `demand` is what a search takes, before a roll or else, and `lines` how many lines it finds.
///
/// # Errors
/// There are too many positions, or the searches are not begun.
pub fn search_each<G: Notation, S>(
    request: &HttpRequest,
    state: &Data<AppState>,
    format: ListFormat,
    positions: Vec<Entry<PositionQuestion>>,
    demand: impl Fn(bool) -> Demand,
    lines: usize,
    search: impl Fn(SearchOfMany, Record<G>) -> S + 'static,
) -> Result<HttpResponse, Problem>
where
    S: Future<Output = Result<String, Problem>> + 'static,
{
    let positions = check_count(state, positions)?;
    let rolls = positions
        .iter()
        .filter_map(|position| position.get().ok())
        .filter(|&position| is_before_roll::<G>(position))
        .count();
    let searches = [(demand(false), positions.len() - rolls), (demand(true), rolls)];
    let many = SearchOfMany::begin(RequestContext::of(request), state.clone(), &searches, lines)?;
    let (window, max_moves) = (many.batch.window(), state.limits.max_moves);
    let results = stream::iter(positions).map(move |position| {
        let record = position.get().and_then(|position| position.record::<G>(max_moves));
        let found = record.map(|record| search(many.clone(), record));
        async {
            let answer = match found {
                Ok(found) => found.await,
                Err(failure) => Err(failure.into()),
            };
            move |text: &mut Vec<u8>| {
                append_result(text, |text| {
                    text.extend_from_slice(answer?.as_bytes());
                    Ok(())
                });
            }
        }
    });
    Ok(respond(state, format, results.buffered(window)))
}

/// Whether the dice are to be rolled in a position, if it is one.
fn is_before_roll<G: Notation>(position: &PositionQuestion) -> bool {
    if G::ROLLS.is_empty() {
        return false;
    }
    match position.moves.last() {
        Some(text) => text.parse::<G::Roll>().is_err(),
        None => G::read(&position.state).is_ok_and(|position| position.stage() == Stage::Roll),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::service::{
        Code,
        many::{Answered, PositionResult},
    };

    #[test]
    fn a_result_is_written_as_it_is_documented() {
        let parse = |text: Vec<u8>| serde_json::from_slice::<Value>(&text).unwrap();
        let documented = json!(PositionResult::Answered(Answered { answer: json!({"count": 7}) }));
        let mut text = Vec::new();
        append_result(&mut text, |text| {
            text.extend_from_slice(br#"{"count":7}"#);
            Ok(())
        });
        assert_eq!(parse(text), documented);

        let problem = || Problem::new(Code::IllegalMove, "no");
        let body = Box::leak(Box::new(problem())).body();
        let documented = json!(PositionResult::<()>::Unanswered(Unanswered { problem: body }));
        assert_eq!(parse(no_answer(problem())), documented);
    }
}
