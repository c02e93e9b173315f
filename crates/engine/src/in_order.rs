//! Work on several threads, with results in order.

use std::{
    collections::BTreeMap,
    ops::{ControlFlow, Range},
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

/// Works on numbers, on a thread for each worker, and hands the results on in the order of the numbers,
/// whichever was ready first. `on_result` says whether to go on; work that is still done then is told by the
/// flag, and its result is lost.
pub fn in_order<W: Send, T: Send>(
    workers: impl IntoIterator<Item = W>,
    numbers: Range<u64>,
    work: impl Fn(&mut W, u64, &AtomicBool) -> T + Sync,
    mut on_result: impl FnMut(T) -> ControlFlow<()>,
) {
    let (next, is_over) = (AtomicU64::new(numbers.start), AtomicBool::new(false));
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for mut worker in workers {
            let (sender, next, is_over, work) = (sender.clone(), &next, &is_over, &work);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end || is_over.load(Ordering::Relaxed) {
                        break;
                    }
                    // Nobody receives any more once it is over.
                    if sender.send((number, work(&mut worker, number, is_over))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut waiting, mut due) = (BTreeMap::new(), numbers.start);
        for (number, result) in results {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&due) {
                due += 1;
                if on_result(result).is_break() {
                    is_over.store(true, Ordering::Relaxed);
                    return;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::{Condvar, Mutex};

    use super::*;

    #[test]
    fn results_come_in_order_whichever_is_ready_first() {
        // The first result is ready only after the others.
        let (done, changed) = (Mutex::new(0), Condvar::new());
        let mut results = Vec::new();
        in_order(
            [(), ()],
            10..15,
            |(), number, _| {
                let mut done = done.lock().unwrap();
                while number == 10 && *done < 4 {
                    done = changed.wait(done).unwrap();
                }
                *done += 1;
                changed.notify_all();
                number
            },
            |number| {
                results.push(number);
                ControlFlow::Continue(())
            },
        );
        assert_eq!(results, [10, 11, 12, 13, 14]);
    }

    #[test]
    fn nothing_comes_after_it_is_over() {
        let mut results = Vec::new();
        in_order(
            [(); 3],
            0..u64::MAX,
            |(), number, _| number,
            |number| {
                results.push(number);
                if number == 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert!(results.iter().copied().eq(0..=20));
    }
}
