//! What many tests need.

use super::{
    Analysis, Comparison, Control, Engine, Evaluated, Options, Playable, RootPosition, SearchLimits,
    Tablebases, Techniques, TranspositionTable, options::Technique,
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

/// What the engine of the program finds with some tablebases: see [`Engine::search`].
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
