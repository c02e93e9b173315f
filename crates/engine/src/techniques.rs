//! The techniques of the search, which can be switched off, and their parameters, which can be tuned.

use std::array;

use strum::{EnumCount as _, VariantArray as _};

/// A technique of the search that can be switched off; its name for programs is in kebab-case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum Technique {
    /// Late moves are first searched less deep (late move reductions).
    Reductions,
    /// Noisy moves are tried at the horizon (quiescence search).
    Quiescence,
    /// All moves but the first are first searched with a null window (principal variation search).
    NullWindows,
    /// At a chance node, one move for each roll is probed first (Star2).
    Star2,
    /// Among root moves of nearly equal value one that makes progress is preferred, and a repetition scores a
    /// little below a draw (contempt).
    Progress,
    /// The solver looks for a forced win before the search.
    Solver,
    /// The tablebase is probed.
    Tablebase,
    /// Entries of the transposition table from a deeper search than needed are used.
    DeeperEntries,
    /// Near the horizon a position that is far above beta is not searched.
    ReverseFutility,
    /// Near the horizon quiet moves of a position that is far below alpha are not searched.
    Futility,
    /// Near the horizon late quiet moves of a position that is no better than alpha are not searched.
    LateMovePruning,
    /// A position without an entry in the transposition table is searched a ply less deep.
    InternalReductions,
    /// If the move of the transposition table is far better than all others, it is searched a ply deeper; if
    /// another one fails high too, the position is not searched (multi-cut).
    Singular,
}

/// The techniques that a search uses, and their parameters.
///
/// ```
/// use cublino_engine::Techniques;
///
/// assert!(Techniques::names().any(|name| name == "null-windows"));
/// assert!(Techniques::default().without_named("null-windows").is_some());
/// assert!(Techniques::default().without_named("magic").is_none());
///
/// let (name, [least, used, most]) = Techniques::parameters().next().unwrap();
/// assert_eq!(Techniques::default().with_parameter(name, used), Some(Techniques::default()));
/// assert!(Techniques::default().with_parameter(name, most + 1).is_none() && least < most);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Techniques {
    /// A bit for each technique that is switched off.
    off: u16,
    parameters: [i16; Parameter::COUNT],
}

impl Default for Techniques {
    fn default() -> Self {
        Self { off: 0, parameters: array::from_fn(|i| Parameter::VARIANTS[i].values()[1]) }
    }
}

impl Techniques {
    /// The names of all techniques.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Technique::VARIANTS.iter().map(<&str>::from)
    }

    /// The same without the technique of this name, if there is one.
    pub fn without_named(self, name: &str) -> Option<Self> {
        name.parse().ok().map(|technique| self.without(technique))
    }

    /// The names of the parameters, each with its minimum, its value and its maximum.
    pub fn parameters() -> impl Iterator<Item = (&'static str, [i16; 3])> {
        Parameter::VARIANTS.iter().map(|parameter| (parameter.into(), parameter.values()))
    }

    /// The same with another value of the parameter of this name, if it exists and allows the value.
    pub fn with_parameter(mut self, name: &str, value: i16) -> Option<Self> {
        let parameter: Parameter = name.parse().ok()?;
        let [least, _, most] = parameter.values();
        self.parameters[parameter as usize] = value;
        (least..=most).contains(&value).then_some(self)
    }

    /// The same without a technique.
    pub(super) const fn without(self, technique: Technique) -> Self {
        Self { off: self.off | 1 << technique as u8, ..self }
    }

    /// The value of a parameter, which is never negative.
    pub(super) const fn parameter(self, parameter: Parameter) -> u32 {
        self.parameters[parameter as usize].unsigned_abs() as u32
    }

    /// Whether a technique is used.
    pub(super) const fn has(self, technique: Technique) -> bool {
        self.off & 1 << technique as u8 == 0
    }
}

/// A parameter of the search in games without dice. Its value was tuned by games (`tune` of the tools); its
/// name for programs is in kebab-case.
#[derive(
    Clone, Copy, Debug, strum::EnumCount, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum Parameter {
    /// The least reduction of a late move, in hundredths of a ply.
    Reduction,
    /// What is added for the product of the logarithms of depth and place, in hundredths of a ply.
    ReductionGrowth,
    /// From this depth on nothing is pruned.
    FullDepth,
    /// The margin above beta for reverse futility pruning, in units of the score for each ply left.
    ReverseFutility,
    /// The most that a quiet move is expected to gain (futility margin), in units of the score, without the
    /// part for each ply.
    Futility,
    /// The part of the futility margin for each ply that is left, in units of the score.
    FutilityAPly,
    /// The number of moves that are tried where the position is no better than alpha (late move pruning).
    Tried,
    /// This times the square of the depth left is added to [`Tried`](Self::Tried); of the other moves only
    /// noisy ones are tried.
    TriedByDepth,
    /// From this depth on, a position without a table entry is searched a ply less deep: the move that this
    /// finds makes the next search of it cheap (internal iterative reduction).
    UnknownDepth,
    /// From this depth on, the moves other than the transposition table's are searched about half as deep, to
    /// find out whether that one is singular.
    SingularDepth,
    /// The table move can be singular only if the depth of its entry is at most this many plies less.
    SingularLessDeep,
    /// The table move is singular if the others are worse by this many units for each ply.
    SingularAPly,
}

impl Parameter {
    /// The minimum, the value that is used, and the maximum.
    pub(super) const fn values(self) -> [i16; 3] {
        match self {
            Self::Reduction => [0, 55, 200],
            Self::ReductionGrowth => [0, 61, 150],
            Self::FullDepth => [0, 4, 12],
            Self::ReverseFutility => [20, 250, 1_000],
            Self::Futility => [0, 65, 500],
            Self::FutilityAPly => [0, 75, 500],
            Self::Tried => [1, 2, 20],
            Self::TriedByDepth => [0, 2, 10],
            Self::UnknownDepth => [2, 3, 20],
            Self::SingularDepth => [3, 6, 20],
            Self::SingularLessDeep => [0, 2, 8],
            Self::SingularAPly => [0, 5, 50],
        }
    }
}
