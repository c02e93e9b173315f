//! The calls of tools that run, so that their clients can cancel them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::Token;
use crate::queue::Caller;

/// The calls that run on this replica.
#[derive(Clone, Debug, Default)]
pub struct Calls(Arc<Mutex<Vec<Arc<Entry>>>>);

#[derive(Debug)]
struct Entry {
    caller: Caller,
    id: Token,
    cancelled: Notify,
}

/// A call that runs. Dropping it takes it from the list.
#[derive(Debug)]
pub struct RunningCall {
    calls: Calls,
    entry: Arc<Entry>,
}

impl Calls {
    /// Adds a call, which its caller knows by an id.
    pub fn begin(&self, caller: Caller, id: Token) -> RunningCall {
        let entry = Arc::new(Entry { caller, id, cancelled: Notify::new() });
        self.list().push(entry.clone());
        RunningCall { calls: self.clone(), entry }
    }

    /// Ends the call of a caller with an id. If there are several, it is unknown which is meant, and none
    /// ends.
    pub fn cancel(&self, caller: Caller, id: &Token) {
        let list = self.list();
        let mut named = list.iter().filter(|entry| entry.caller == caller && entry.id == *id);
        if let (Some(entry), None) = (named.next(), named.next()) {
            entry.cancelled.notify_one();
        }
    }

    /// The list is whole after every statement, so a panic elsewhere does not matter.
    fn list(&self) -> MutexGuard<'_, Vec<Arc<Entry>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunningCall {
    /// Resolves when the caller cancels the call.
    pub async fn cancelled(&self) {
        self.entry.cancelled.notified().await;
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        let mut list = self.calls.list();
        // Most calls are short, and stand at the end.
        if let Some(i) = list.iter().rposition(|entry| Arc::ptr_eq(entry, &self.entry)) {
            list.swap_remove(i);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn only_the_one_call_that_is_named_ends_and_a_call_that_has_ended_is_forgotten() {
        let (calls, [one, two]) = (Calls::default(), [1, 2].map(Caller::Key));
        let begin = |caller, id| calls.begin(caller, Token::Number(id));
        let ended = |call: &RunningCall| call.cancelled().now_or_never().is_some();
        let (meant, others) = (begin(one, 7), [begin(two, 7), begin(one, 8)]);
        calls.cancel(one, &Token::Text("7".into()));
        assert!(!ended(&meant));
        calls.cancel(one, &Token::Number(7));
        assert!(ended(&meant) && !others.iter().any(ended));
        let alike = [begin(one, 9), begin(one, 9)];
        calls.cancel(one, &Token::Number(9));
        assert!(!alike.iter().any(ended));
        drop((meant, others, alike));
        assert!(calls.list().is_empty());
    }
}
