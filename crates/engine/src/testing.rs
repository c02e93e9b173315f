//! Helpers for tests.

use super::{
    Analysis, Comparison, Control, Engine, Evaluated, Options, Playable, RootPosition, SearchLimits,
    Tablebases, Techniques, TranspositionTable, techniques::Technique,
};
use cublino_rules::game::Game;

/// A position by its notation.
pub(crate) fn position<G: Game>(state: &str) -> G {
    G::read(state).unwrap_or_else(|error| panic!("{state}: {error}"))
}

/// Options for a search to this depth.
pub(super) fn depth(depth: u32) -> Options {
    Options::new(SearchLimits { depth: Some(depth), ..SearchLimits::default() })
}

/// Options for a search of this many nodes.
pub(super) fn nodes(nodes: u64) -> Options {
    Options::new(SearchLimits { nodes: Some(nodes), ..SearchLimits::default() })
}

/// Searches with the built-in engine and some tablebases: see [`Engine::search`].
pub(super) fn search<G: Playable>(
    root: impl Into<RootPosition<G>>,
    options: &Options,
    tablebases: &Tablebases,
    control: &Control,
    table: &mut TranspositionTable,
    on_depth: &mut dyn FnMut(&Analysis<G::Move>),
) -> Analysis<G::Move> {
    Engine::built_in::<G>(tablebases.clone()).search(root, options, control, table, on_depth)
}

/// The same for [`Engine::compare`].
pub(super) fn compare<G: Playable>(
    root: impl Into<RootPosition<G>>,
    played: G::Move,
    limits: &SearchLimits,
    tablebases: &Tablebases,
    control: &Control,
    table: &mut TranspositionTable,
) -> Comparison<G::Move> {
    Engine::built_in::<G>(tablebases.clone()).compare(root, played, limits, control, table)
}

/// The same for [`Engine::evaluate`].
pub(super) fn evaluate<G: Playable>(
    root: impl Into<RootPosition<G>>,
    limits: &SearchLimits,
    tablebases: &Tablebases,
    control: &Control,
    table: &mut TranspositionTable,
) -> Evaluated<G::Roll> {
    Engine::built_in::<G>(tablebases.clone()).evaluate(root, limits, control, table)
}

/// Searches with the built-in engine, without tablebases.
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

/// Searches without tablebases, every move exactly to the wanted depth: without pruning, reductions or deeper
/// table entries.
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
