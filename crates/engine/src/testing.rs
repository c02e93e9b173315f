//! What many tests need.

use super::{
    Analysis, Control, Engine, Options, Playable, RootPosition, SearchLimits, Tablebases, Techniques,
    TranspositionTable, options::Technique, search,
};
use cublino_rules::game::Game;

/// A position by its notation.
pub(crate) fn position<G: Game>(state: &str) -> G {
    G::read(state).unwrap_or_else(|error| panic!("{state}: {error}"))
}

/// To look so many plies ahead.
pub(super) fn depth(depth: u32) -> Options {
    Options::new(SearchLimits { depth: Some(depth), ..SearchLimits::default() })
}

/// To visit so many positions.
pub(super) fn nodes(nodes: u64) -> Options {
    Options::new(SearchLimits { nodes: Some(nodes), ..SearchLimits::default() })
}

/// What a search finds that knows nothing but the rules.
pub(super) fn searched<G: Playable>(position: &G, options: Options) -> Analysis<G::Move> {
    searched_with(&Tablebases::none(), position, options)
}

/// The same with tablebases.
pub(super) fn searched_with<G: Playable>(
    tablebases: &Tablebases,
    position: &G,
    options: Options,
) -> Analysis<G::Move> {
    let mut table = TranspositionTable::new(1 << 20);
    search(position, &options, tablebases, &Control::new(), &mut table, &mut |_| {})
}

/// What a search finds that knows nothing but the rules, and looks at every move as deep as it is asked to
/// and no deeper.
pub(super) fn searched_in_full<G: Playable>(
    root: impl Into<RootPosition<G>>,
    options: Options,
) -> Analysis<G::Move> {
    in_full::<G>().search(root, &options, &Control::new(), &mut TranspositionTable::new(1 << 20), &mut |_| {})
}

/// The engine of such a search.
pub(super) fn in_full<G: Playable>() -> Engine {
    let techniques = Techniques::default()
        .without_pruning()
        .without(Technique::Reductions)
        .without(Technique::DeeperEntries);
    Engine { techniques, ..Engine::built_in::<G>(Tablebases::none()) }
}
