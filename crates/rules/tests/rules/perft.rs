//! Leaves of the game tree against the table of an independent generator, `tests/fixtures/perft.tsv`.

use cublino_rules::{
    game::{Notation, perft, perft_by_spelling},
    games::GameId,
    with_game,
};

/// A line of the table.
struct Row {
    game: GameId,
    state: &'static str,
    depth: u32,
    by_spelling: u64,
    by_result: u64,
}

fn rows() -> impl Iterator<Item = Row> {
    let lines =
        include_str!("../../../../tests/fixtures/perft.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let fields: Vec<_> = line.split('\t').collect();
        let &[game, state, depth, by_spelling, by_result] = fields.as_slice() else {
            panic!("a row has five fields: {line}")
        };
        let number = |text: &str| text.parse().unwrap();
        Row {
            game: game.parse().unwrap(),
            state,
            depth: depth.parse().unwrap(),
            by_spelling: number(by_spelling),
            by_result: number(by_result),
        }
    })
}

fn check<G: Notation>(row: &Row) {
    let Row { game, state, depth, by_spelling, by_result } = *row;
    let position = G::read(state).unwrap();
    assert_eq!(perft(&position, depth), by_result, "{game} {state} at depth {depth}, by result");
    assert_eq!(
        perft_by_spelling(&position, depth),
        by_spelling,
        "{game} {state} at depth {depth}, by listed move"
    );
}

#[test]
fn leaf_counts_agree_with_the_table() {
    let rows: Vec<_> = rows().collect();
    for row in &rows {
        with_game!(row.game, G => check::<G>(row));
    }
    for &game in GameId::ALL {
        assert!(rows.iter().any(|row| row.game == game), "there are rows of {game}");
    }
}
