//! What makes a move worse than the best one, in data and in a sentence: what the line after it brings about,
//! and the best line does not.
//!
//! Only what follows from the rules is said: a result that is proven, what a line of legal moves takes, and
//! how many rolls allow something. Lines are compared over their first plies only, as far as both go.

use std::fmt::Display;

use super::{
    effects::{Effect, EffectKind, count_pinning_rolls},
    explanation::{Explanation, ExplanationKind},
};
use crate::{
    game::Player,
    games::described::Described,
    search::{GameResult, Line, Proven},
};

/// How many plies of two lines are compared: each side moves twice.
const PLIES: usize = 4;

/// How many more of the 36 rolls must pin a checker for that to be a reason.
const MORE_ROLLS: u32 = 3;

/// What makes one line worse for the side to move than the best one.
pub(super) fn reasons<G: Described>(
    position: &G,
    best: &Line<G::Move>,
    played: &Line<G::Move>,
) -> Vec<Explanation> {
    let best_move = position.spell(best.pv[0]);
    let of_results = [
        best.value
            .proven
            .filter(|_| !is_proven(played, GameResult::Win))
            .and_then(|proven| win_missed(proven, &best_move)),
        played.value.proven.filter(|_| !is_proven(best, GameResult::Loss)).and_then(|proven| {
            let reply = played.pv.get(1).map(|&reply| position.after(played.pv[0]).spell(reply));
            loss_proven(proven, reply)
        }),
    ];
    let mut reasons: Vec<_> = of_results.into_iter().flatten().collect();
    if !reasons.is_empty() {
        return reasons;
    }
    let plies = PLIES.min(best.pv.len()).min(played.pv.len());
    let [best_line, played_line] = [best, played].map(|line| Replay::of(position, &line.pv[..plies]));
    reasons.extend(EffectKind::ALL.into_iter().filter_map(|kind| of_kind(kind, &best_line, &played_line)));
    reasons.extend(pinning_rolls(position.turn(), &best_line, &played_line, &best_move));
    if reasons.is_empty() {
        reasons.extend(points_lost(position.turn(), &best_line, &played_line));
    }
    reasons
}

fn is_proven<M>(line: &Line<M>, result: GameResult) -> bool {
    line.value.proven.is_some_and(|proven| proven.result == result)
}

fn win_missed(Proven { result, plies }: Proven, best: &impl Display) -> Option<Explanation> {
    if result != GameResult::Win {
        return None;
    }
    let message = match plies {
        Some(1) => format!("{best} wins at once"),
        Some(plies) => format!("{best} wins in {plies} plies"),
        None => format!("{best} wins for certain"),
    };
    Some(Explanation::of_result(ExplanationKind::WinMissed, plies, message))
}

fn loss_proven(Proven { result, plies }: Proven, reply: Option<impl Display>) -> Option<Explanation> {
    if result != GameResult::Loss {
        return None;
    }
    let message = match (reply, plies) {
        (Some(reply), Some(2)) => format!("the reply {reply} wins at once"),
        (Some(reply), Some(plies)) => {
            format!("after the reply {reply} the game is lost in {} plies", plies - 2)
        }
        (Some(reply), None) => format!("after the reply {reply} the game is lost for certain"),
        (None, Some(plies)) => format!("the game is lost in {} plies", plies - 1),
        (None, None) => "the game is lost for certain".to_owned(),
    };
    Some(Explanation::of_result(ExplanationKind::LossProven, plies, message))
}

/// A line that has been replayed.
struct Replay<G> {
    plies: Vec<ReplayedPly>,
    /// The position after its first move.
    first: G,
    /// The position after all of it.
    last: G,
}

/// A ply of a line.
struct ReplayedPly {
    text: String,
    player: Player,
    effects: Vec<Effect>,
}

impl<G: Described> Replay<G> {
    fn of(start: &G, line: &[G::Move]) -> Self {
        let (mut position, mut plies) = (*start, Vec::new());
        for &m in line {
            let spelling = position.spell(m);
            let events = position.events(&spelling).into_iter().map(Into::into);
            plies.push(ReplayedPly {
                text: spelling.to_string(),
                player: position.turn(),
                effects: events.filter_map(|event| Effect::of(&event)).collect(),
            });
            position.play_unchecked(m);
        }
        Self { plies, first: start.after(line[0]), last: position }
    }

    /// How much of a kind a player gains in the line.
    fn gained(&self, kind: EffectKind, player: Player) -> u32 {
        let effects = self.plies.iter().flat_map(|ply| &ply.effects);
        effects
            .filter(|effect| effect.kind == kind && effect.gains == player)
            .map(|effect| effect.count)
            .sum()
    }

    /// The first ply in which a player gains something of a kind, with what it is.
    fn first_gain(&self, kind: EffectKind, player: Player) -> Option<Gain<'_>> {
        self.plies.iter().zip(1..).find_map(|(ply, number)| {
            let effects = ply.effects.iter().filter(|effect| effect.kind == kind && effect.gains == player);
            let effects: Vec<_> = effects.collect();
            (!effects.is_empty()).then(|| Gain {
                number,
                text: &ply.text,
                is_own_move: ply.player == player,
                count: effects.iter().map(|effect| effect.count).sum(),
                places: effects.iter().filter_map(|effect| effect.place.clone()).collect(),
                shown: effects.iter().filter_map(|effect| effect.shown.clone()).collect(),
            })
        })
    }
}

/// What a ply brings a player.
struct Gain<'a> {
    /// The number of the ply, from 1.
    number: usize,
    text: &'a str,
    /// Whether the player who gains is the one who moves: a die that loses a battle leaves by its own move.
    is_own_move: bool,
    count: u32,
    places: Vec<String>,
    /// The same as moves name them.
    shown: Vec<String>,
}

/// What the played line loses of a kind beside the best one, or does not gain.
fn of_kind<G: Described>(kind: EffectKind, best: &Replay<G>, played: &Replay<G>) -> Option<Explanation> {
    let mover = best.plies.first()?.player;
    let balance =
        |line: &Replay<G>| i64::from(line.gained(kind, mover)) - i64::from(line.gained(kind, !mover));
    if balance(played) >= balance(best) {
        return None;
    }
    if played.gained(kind, !mover) > best.gained(kind, !mover) {
        let gain = played.first_gain(kind, !mover)?;
        let lost = kind.lost()?;
        let (what, Gain { number, text, .. }) = (kind.described(gain.count, &gain.shown), &gain);
        let message = match (*number, gain.is_own_move) {
            (1, _) => format!("it loses {what} at once"),
            (2, true) => format!("the reply {text} {} {what}", kind.verb()),
            (_, true) => format!("{text} {} {what} in {number} plies", kind.verb()),
            (_, false) => format!("{text} loses {what} in {number} plies"),
        };
        return Some(gain.into_reason(lost, message));
    }
    let gain = best.first_gain(kind, mover)?;
    let (what, Gain { number, text, .. }) = (kind.described(gain.count, &gain.shown), &gain);
    let message = match *number {
        1 => format!("the best move, {text}, {} {what}", kind.verb()),
        _ => format!("the best line {} {what} in {number} plies, with {text}", kind.verb()),
    };
    Some(gain.into_reason(kind.missed(), message))
}

impl Gain<'_> {
    fn into_reason(self, kind: ExplanationKind, message: String) -> Explanation {
        Explanation { kind, ply: self.number, message, places: self.places, count: Some(self.count) }
    }
}

/// How many rolls of the opponent pin a checker, where many more do than after the best move.
fn pinning_rolls<G: Described>(
    mover: Player,
    best: &Replay<G>,
    played: &Replay<G>,
    best_move: &impl Display,
) -> Option<Explanation> {
    let rolls = |line: &Replay<G>| count_pinning_rolls(&line.first, mover);
    let (after_best, after_played) = (rolls(best)?, rolls(played)?);
    if after_played < after_best + MORE_ROLLS {
        return None;
    }
    let message = format!(
        "{after_played} of the 36 rolls pin one of its checkers; after {best_move} {}",
        match after_best {
            0 => "none does".to_owned(),
            1 => "one does".to_owned(),
            some => format!("{some} do"),
        }
    );
    let (kind, count) = (ExplanationKind::CheckersPinned, Some(after_played));
    Some(Explanation { kind, ply: 2, message, places: Vec::new(), count })
}

/// By how many points more the best line ends, in a game that is played for points.
fn points_lost<G: Described>(mover: Player, best: &Replay<G>, played: &Replay<G>) -> Option<Explanation> {
    let lead = |line: &Replay<G>| {
        let points = line.last.points()?;
        let (one, two) = (i64::from(points.one), i64::from(points.two));
        Some(if mover == Player::One { one - two } else { two - one })
    };
    let count = u32::try_from(lead(best)? - lead(played)?).ok().filter(|&count| count > 0)?;
    let plies = best.plies.len();
    let points = if count == 1 { "1 point".to_owned() } else { format!("{count} points") };
    let message = match plies {
        1 => format!("the best move, {}, is worth {points} more at once", best.plies[0].text),
        _ => format!("{plies} plies into it the best line is {points} better"),
    };
    Some(Explanation {
        kind: ExplanationKind::PointsLost,
        ply: plies,
        message,
        places: Vec::new(),
        count: Some(count),
    })
}
