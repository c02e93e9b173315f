//! How many positions a second the search visits.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cublino::{
    games::{Pur, cublino::Setup},
    search::{Control, Knowledge, Limits, Options, Table, search},
};

/// The start, and two positions from the middle of games.
const POSITIONS: [(&str, &str); 3] = [
    ("start", "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"),
    ("chains", "pWa1Wb1Lc2Le2Lg2Cf3He4cd5ib6ic6ie6ig6vc7vf7"),
    ("halfway", "PWb1Wc1We1Lf2ba3cb3kb4Ba5Gf5ie6Lf6vd7vf7vg7"),
];

/// Enough for the depth at which most of the time is spent.
const NODES: u64 = 200_000;

fn nodes_per_second(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    let mut table = Table::new(16 << 20);
    let knowledge = Knowledge::none();
    let options = Options::new(Limits { nodes: Some(NODES), ..Limits::default() });
    for (name, state) in POSITIONS {
        let setup: Setup<_> = state.parse().expect("a well-formed state");
        let position = Pur::try_from(setup).expect("a valid state");
        group.throughput(Throughput::Elements(NODES)).sample_size(10);
        group.bench_function(name, |bencher| {
            bencher
                .iter(|| search(&position, &options, &knowledge, &Control::new(), &mut table, &mut |_| {}));
        });
    }
}

criterion_group!(benches, nodes_per_second);
criterion_main!(benches);
