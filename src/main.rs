use cublino::{game::perft, games::Pur};
use std::time::Instant;
fn main() {
    for d in 1..=6 {
        let t = Instant::now();
        let n = perft(&Pur::default(), d);
        let s = t.elapsed().as_secs_f64();
        println!("{d} {n} {:.1} M/s", n as f64 / s / 1e6);
    }
    for _ in 0..5 {
        let t = Instant::now();
        let n = perft(&Pur::default(), 6);
        let s = t.elapsed().as_secs_f64();
        println!("{n} {:.1} M/s", n as f64 / s / 1e6);
    }
}
