//! The codes of faults, which programs rely on: they are never renamed.

use cublino_rules::{
    game::{Game, MalformedHead, Notation, Refusal},
    games::{Mahbusa, Pur, Wari},
};
use strum::VariantNames;

/// The codes of a game: of malformed and invalid states, and of malformed and illegal moves. `head` stands
/// for those of [`MalformedHead`].
fn codes<G>() -> [String; 4]
where
    G: Game<Malformed: VariantNames, Invalid: VariantNames>
        + Notation<MalformedMove: VariantNames, Illegal: VariantNames>,
{
    [
        <G as Game>::Malformed::VARIANTS,
        G::Invalid::VARIANTS,
        <G as Notation>::MalformedMove::VARIANTS,
        G::Illegal::VARIANTS,
    ]
    .map(|codes| codes.join(" "))
}

#[test]
fn codes_are_never_renamed() {
    assert_eq!(MalformedHead::VARIANTS, ["empty-state", "too-long", "wrong-letter"]);
    assert_eq!(Refusal::<Wari>::VARIANTS, ["game-over", "roll-first", "malformed-move", "illegal-move"]);
    assert_eq!(
        codes::<Pur>(),
        [
            "head not-an-orientation not-a-file not-a-rank incomplete-die",
            "square-taken not-seven-dice too-many-dice both-on-far-rank both-won both-finished",
            "empty-move one-square not-a-square",
            "may-not-pass must-pass no-die not-yours backwards not-a-step no-jumps several-steps late-tip \
             tip-blocked nothing-to-jump landing-taken ends-where-it-began",
        ]
    );
    assert_eq!(
        codes::<Mahbusa>(),
        [
            "head no-dash not-two-dice not-a-die not-a-point leading-zero number-too-large nobody-pins \
             too-few-points too-many-points",
            "too-many-checkers borne-off-too-early pins-at-start both-finished roll-after-the-end",
            "empty-move not-a-step not-a-point not-a-target",
            "may-not-pass must-pass no-die-left no-checker not-yours pinned not-forward no-such-die blocked \
             holds-a-pin not-all-home die-too-small not-highest highest-pinned more-dice-playable",
        ]
    );
    assert_eq!(
        codes::<Wari>(),
        [
            "head no-dash no-number not-a-digit leading-zero too-many-digits number-count",
            "side-empty cups-empty one-prisoner marble-count",
            "empty-move not-a-cup not-a-log-entry not-a-count",
            "wrong-player not-yours empty-cup wrong-count does-not-feed captures-all",
        ]
    );
}
