//! Explains what makes a move worse than the best one, in data and in a sentence: what its line brings about,
//! and the best line does not.
//!
//! Only facts that can be checked are stated: a proven result, what the positions of a line of legal moves
//! show, and how many rolls allow something. Lines are compared up to the end of the shorter one.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use cublino_engine::{GameResult, Line};
use cublino_rules::game::{Fact, FactKind, Game, Notation, Player};

/// What makes a move worse than the best one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Explanation {
    /// The kind of reason.
    pub kind: ExplanationKind,
    /// The ply of the line at which it shows. The played move is ply 1.
    #[schema(minimum = 1, example = 2)]
    pub ply: usize,
    /// The reason, as a sentence for people.
    #[schema(example = "the reply d6d5 takes the die on d4")]
    pub message: String,
    /// The squares or points that the reason names; empty if there are none.
    #[schema(example = json!(["d4"]))]
    pub places: Vec<String>,
    /// How many dice, marbles, checkers, points or ranks there are, or how many of the 36 rolls; null if
    /// nothing is counted.
    #[schema(required, example = 1)]
    pub count: Option<u32>,
}

/// The kind of reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExplanationKind {
    /// The best move wins for certain, but this one does not.
    WinMissed,
    /// The game is lost for certain, but after the best move it is not.
    LossProven,
    /// Dice are taken.
    DiceLost,
    /// The best line takes dice.
    DiceMissed,
    /// Marbles are captured.
    MarblesCaptured,
    /// The best line captures marbles.
    MarblesMissed,
    /// More rolls pin checkers.
    CheckersPinned,
    /// Checkers are freed that were pinned.
    CheckersFreed,
    /// The best move pins checkers.
    PinMissed,
    /// The best move threatens to take something or to win, or more rolls would pin checkers in the player's
    /// next turn, if the opponent did nothing.
    ThreatMissed,
    /// The best move bears checkers off.
    BearOffMissed,
    /// The best line brings more points home.
    PointsLost,
    /// Nothing is left that could stop a die on its way to the far rank, or guard the player's own corners.
    Undefended,
    /// The player is further behind, or less far ahead, in the race, by `count` ranks.
    RaceLost,
    /// The best reply threatens to take something, or to win, if the player did nothing.
    Threatened,
    /// No other reason applies, but the best reply differs from that in the best line.
    Refuted,
}

impl Explanation {
    /// A reason without places.
    const fn new(kind: ExplanationKind, ply: usize, count: Option<u32>, message: String) -> Self {
        Self { kind, ply, message, places: Vec::new(), count }
    }

    /// The reason of a proven result, in this number of plies if it is known.
    fn of_result(kind: ExplanationKind, plies: Option<u32>, message: String) -> Self {
        Self::new(kind, plies.map_or(1, |plies| plies as usize), None, message)
    }
}

/// How many more of the 36 rolls must pin a checker for that to be a reason.
const MORE_ROLLS: u32 = 2;

/// The reasons why one line is worse for the side to move than the best one.
///
/// A proven result is the only reason. Otherwise it is what the lines take, and which rolls pin. If that is
/// nothing, it is one weaker reason: what stands at the end of the lines, what the best reply threatens, or
/// the reply alone.
pub(super) fn reasons<G: Notation>(
    position: &G,
    best: &Line<G::Move>,
    played: &Line<G::Move>,
) -> Vec<Explanation> {
    let plies = best.pv.len().min(played.pv.len());
    let [best_line, played_line] = [best, played].map(|line| Replay::of(position, &line.pv, plies));
    let mut reasons = Vec::new();
    // A proof against a heuristic value says nothing: the other move may have the same result.
    if let (Some(of_best), Some(of_played)) = (best.value.proven, played.value.proven)
        && of_best.result != of_played.result
    {
        if of_best.result == GameResult::Win {
            reasons.push(win_missed(of_best.plies, &best_line.plies[0].text));
        }
        if of_played.result == GameResult::Loss {
            let line = Replay::of(position, &played.pv, played.pv.len().min(2));
            reasons.push(loss_proven(of_played.plies, line.reply()));
        }
    }
    if !reasons.is_empty() {
        return reasons;
    }
    reasons.extend(GAINS.into_iter().filter_map(|kind| of_kind(kind, &best_line, &played_line)));
    reasons.extend(pinning_rolls(&best_line, &played_line));
    if reasons.is_empty() {
        let less = [points_lost, can_defend_no_more, race_lost, refuted];
        reasons.extend(less.into_iter().find_map(|reason| reason(&best_line, &played_line)));
    }
    reasons
}

fn win_missed(plies: Option<u32>, best: &str) -> Explanation {
    let message = match plies {
        Some(1) => format!("{best} wins at once"),
        Some(plies) => format!("{best} wins in {plies} plies"),
        None => format!("{best} wins for certain"),
    };
    Explanation::of_result(ExplanationKind::WinMissed, plies, message)
}

fn loss_proven(plies: Option<u32>, reply: Option<&str>) -> Explanation {
    let after = reply.map(|reply| format!("after the reply {reply} ")).unwrap_or_default();
    let left = |plies: u32| counted(plies as usize - 1 - usize::from(reply.is_some()), "ply", "plies");
    let message = match (plies, reply) {
        (Some(1), _) => "it loses at once".to_owned(),
        (Some(2), Some(reply)) => format!("the reply {reply} wins at once"),
        (Some(plies), _) => format!("{after}the game is lost in {}", left(plies)),
        (None, _) => format!("{after}the game is lost for certain"),
    };
    Explanation::of_result(ExplanationKind::LossProven, plies, message)
}

/// A number of things.
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The beginning of a line, replayed.
struct Replay<G> {
    plies: Vec<ReplayedPly<G>>,
    /// Whether the line continues after these plies; if not, the game may be over, also by repetition.
    goes_on: bool,
    /// The player whose move is judged.
    mover: Player,
}

/// A ply of a line.
struct ReplayedPly<G> {
    text: String,
    player: Player,
    /// What the move gains for either player.
    gains: Vec<Fact>,
    after: G,
}

impl<G> ReplayedPly<G> {
    /// What a player gains of a kind.
    fn gain(&self, kind: FactKind, player: Player) -> Gain {
        let gains = || self.gains.iter().filter(|fact| fact.kind == kind && fact.player == player);
        let count = gains().map(|fact| fact.count).sum();
        // The places as moves name them.
        let shown: Vec<_> = gains().flat_map(|fact| &fact.shown).cloned().collect();
        let places = gains().flat_map(|fact| &fact.places).cloned().collect();
        Gain { count, what: described(kind, count, &shown), places }
    }
}

/// What a move brings a player, or would bring.
struct Gain {
    /// How many dice, marbles or checkers; a win is more than any number.
    count: u32,
    /// The gain in words.
    what: String,
    places: Vec<String>,
}

impl Gain {
    fn into_reason(self, kind: ExplanationKind, ply: usize, message: String) -> Explanation {
        let count = (self.count < u32::MAX).then_some(self.count);
        Explanation { kind, ply, message, places: self.places, count }
    }
}

impl<G: Notation> Replay<G> {
    fn of(start: &G, line: &[G::Move], plies: usize) -> Self {
        let mut position = *start;
        let replay = |&m: &G::Move| {
            let (text, player) = (position.spell(m).to_string(), position.turn());
            let gains = position.facts(Some(m));
            position = position.after(m);
            ReplayedPly { text, player, gains, after: position }
        };
        let goes_on = line.len() > plies;
        Self { plies: line[..plies].iter().map(replay).collect(), goes_on, mover: start.turn() }
    }

    /// The opponent's move after the first one; `None` if the line does not continue, or the opponent is
    /// skipped.
    fn reply(&self) -> Option<&str> {
        self.plies.get(1).filter(|ply| ply.player != self.mover).map(|ply| &*ply.text)
    }

    /// The position at the end of the line.
    fn last(&self) -> &G {
        &self.plies[self.plies.len() - 1].after
    }

    /// How much of a kind a player gains in the line.
    fn gained(&self, kind: FactKind, player: Player) -> u32 {
        self.plies.iter().map(|ply| ply.gain(kind, player).count).sum()
    }

    /// The number, from 1, of the ply with which a player's gains of a kind exceed `above`, and what that ply
    /// gains.
    fn gain_above(&self, kind: FactKind, player: Player, above: u32) -> Option<(usize, Gain)> {
        let mut gained = 0;
        self.plies.iter().zip(1..).find_map(|(ply, number)| {
            let gain = ply.gain(kind, player);
            gained += gain.count;
            (gained > above).then_some((number, gain))
        })
    }
}

/// What the played line loses of a kind compared with the best one, or fails to gain.
fn of_kind<G: Notation>(kind: FactKind, best: &Replay<G>, played: &Replay<G>) -> Option<Explanation> {
    let mover = best.mover;
    let balance =
        |line: &Replay<G>| i64::from(line.gained(kind, mover)) - i64::from(line.gained(kind, !mover));
    if balance(played) >= balance(best) {
        return None;
    }
    let (verb, (lost, missed)) = (verb(kind), lost_and_missed(kind));
    if let Some((ply, gain)) = played.gain_above(kind, !mover, best.gained(kind, !mover)) {
        let (what, ReplayedPly { text, player, .. }) = (&gain.what, &played.plies[ply - 1]);
        // A die that loses a battle leaves by its own move.
        let message = match (ply, *player == mover) {
            (1, _) if kind == FactKind::Freedom => format!("it {verb} {what}"),
            (1, _) => format!("it loses {what} at once"),
            (2, false) => format!("the reply {text} {verb} {what}"),
            (_, false) => format!("{text} {verb} {what} in {ply} plies"),
            (_, true) => format!("{text} loses {what} in {ply} plies"),
        };
        return Some(gain.into_reason(lost?, ply, message));
    }
    let (ply, gain) = best.gain_above(kind, mover, played.gained(kind, mover))?;
    let (what, text) = (&gain.what, &best.plies[ply - 1].text);
    let message = match ply {
        1 => format!("the best move, {text}, {verb} {what}"),
        _ => format!("the best line {verb} {what} in {ply} plies, with {text}"),
    };
    Some(gain.into_reason(missed?, ply, message))
}

/// What a move can gain, in the order of the reasons.
const GAINS: [FactKind; 5] =
    [FactKind::Dice, FactKind::Marbles, FactKind::Pin, FactKind::Freedom, FactKind::BearOff];

/// The kinds of reasons for having lost something, and for having missed it, if they exist.
const fn lost_and_missed(kind: FactKind) -> (Option<ExplanationKind>, Option<ExplanationKind>) {
    match kind {
        FactKind::Dice => (Some(ExplanationKind::DiceLost), Some(ExplanationKind::DiceMissed)),
        FactKind::Marbles => (Some(ExplanationKind::MarblesCaptured), Some(ExplanationKind::MarblesMissed)),
        // Only the opponent's moves free a checker.
        FactKind::Freedom => (Some(ExplanationKind::CheckersFreed), None),
        // A line of play ends with the roll, so the opponent does neither in it.
        FactKind::Pin => (None, Some(ExplanationKind::PinMissed)),
        FactKind::BearOff => (None, Some(ExplanationKind::BearOffMissed)),
        _ => (None, None),
    }
}

/// What a move does to gain something.
const fn verb(kind: FactKind) -> &'static str {
    match kind {
        FactKind::Marbles => "captures",
        FactKind::Pin => "pins",
        FactKind::Freedom => "frees",
        FactKind::BearOff => "bears off",
        _ => "takes",
    }
}

/// What is gained, as the object of a sentence.
fn described(kind: FactKind, count: u32, places: &[String]) -> String {
    let places = listed(places);
    match (kind, count) {
        (FactKind::Marbles, _) => format!("{count} marbles"),
        (FactKind::Pin | FactKind::Freedom, 1) => format!("the checker on {places}"),
        (FactKind::Pin | FactKind::Freedom, _) => format!("the checkers on {places}"),
        (FactKind::BearOff, 1) => "a checker".to_owned(),
        (FactKind::BearOff, _) => format!("{count} checkers"),
        (_, 1) => format!("the die on {places}"),
        _ => format!("the dice on {places}"),
    }
}

/// Some words with commas and an "and".
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// The fact of a kind about a player, if it holds in a position.
fn fact<G: Notation>(position: &G, kind: FactKind, player: Player) -> Option<Fact> {
    position.facts(None).into_iter().find(|fact| fact.kind == kind && fact.player == player)
}

/// How many rolls pin a checker, before a roll.
fn rolls_that_pin<G: Notation>(position: &G) -> Option<u32> {
    fact(position, FactKind::PinningRolls, position.turn()).map(|fact| fact.count)
}

/// How many rolls of the opponent pin a checker, if more than after the best move; else how many of the
/// player's own would after the best move if the opponent did nothing, if more than after this one.
fn pinning_rolls<G: Notation>(best: &Replay<G>, played: &Replay<G>) -> Option<Explanation> {
    let [best_first, played_first] = [best, played].map(|line| &line.plies[0]);
    let best_move = &best_first.text;
    let [of_best, of_played] = [best_first, played_first].map(|ply| rolls_that_pin(&ply.after));
    if let (Some(of_best), Some(of_played)) = (of_best, of_played)
        && of_played >= of_best + MORE_ROLLS
    {
        let (pin, do_) =
            (if of_played == 1 { "pins" } else { "pin" }, if of_best == 1 { "does" } else { "do" });
        let message = format!(
            "{of_played} of the 36 rolls {pin} one of its checkers; after {best_move} {of_best} {do_}"
        );
        return Some(Explanation::new(ExplanationKind::CheckersPinned, 2, Some(of_played), message));
    }
    let next = |ply: &ReplayedPly<G>| rolls_that_pin(&passed(&ply.after)?);
    let (of_best, of_played) = (next(best_first)?, next(played_first)?);
    if of_best < of_played + MORE_ROLLS {
        return None;
    }
    let message = format!(
        "after {best_move}, {of_best} of its next 36 rolls would pin a checker if the opponent did nothing; \
         after this move {of_played} would"
    );
    Some(Explanation::new(ExplanationKind::ThreatMissed, 1, Some(of_best), message))
}

/// The position after a null move by the side to move; `None` if there is no such position.
fn passed<G: Game>(position: &G) -> Option<G> {
    let state = position.to_string();
    let (turn, rest) = state.split_at(1);
    let turn = if position.turn() == Player::One { turn.to_lowercase() } else { turn.to_uppercase() };
    let passed = G::read(&format!("{turn}{rest}")).ok()?;
    (passed.turn() != position.turn()).then_some(passed)
}

/// By how many points more the best line ends, in a game that is played for points.
fn points_lost<G: Notation>(best: &Replay<G>, played: &Replay<G>) -> Option<Explanation> {
    let lead = |line: &Replay<G>| {
        let points = line.last().standing().points?;
        let (one, two) = (i64::from(points.one), i64::from(points.two));
        Some(if line.mover == Player::One { one - two } else { two - one })
    };
    let count = u32::try_from(lead(best)? - lead(played)?).ok().filter(|&count| count > 0)?;
    let (plies, points) = (best.plies.len(), counted(count as usize, "point", "points"));
    let message = match plies {
        1 => format!("the best move, {}, is worth {points} more at once", best.plies[0].text),
        _ => format!("the best line is {points} ahead after {plies} plies"),
    };
    Some(Explanation::new(ExplanationKind::PointsLost, plies, Some(count), message))
}

/// What the player can no longer defend at the end of the line.
fn can_defend_no_more<G: Notation>(best: &Replay<G>, played: &Replay<G>) -> Option<Explanation> {
    let undefended = |line: &Replay<G>| {
        let unstoppable = fact(line.last(), FactKind::Unstoppable, line.mover);
        unstoppable.or_else(|| fact(line.last(), FactKind::Unguarded, line.mover))
    };
    let Fact { kind, places, .. } = undefended(played).filter(|_| undefended(best).is_none())?;
    let what = match kind {
        FactKind::Unguarded => format!("guard {}", places.join(" or ")),
        _ => format!("stop the die on {}", places.join(" or ")),
    };
    let when = counted(played.plies.len(), "ply", "plies");
    let message = format!("after {when} no die is left that could {what}");
    let reason = Explanation::new(ExplanationKind::Undefended, played.plies.len(), None, message);
    Some(Explanation { places, ..reason })
}

/// By how many ranks the race stands worse at the end of the line.
fn race_lost<G: Notation>(best: &Replay<G>, played: &Replay<G>) -> Option<Explanation> {
    let lead = |line: &Replay<G>| {
        let to_go = |player| Some(i64::from(fact(line.last(), FactKind::RanksToGo, player)?.count));
        Some(to_go(!line.mover)? - to_go(line.mover)?)
    };
    let count = u32::try_from(lead(best)? - lead(played)?).ok().filter(|&count| count > 0)?;
    let (when, ranks) =
        (counted(played.plies.len(), "ply", "plies"), counted(count as usize, "rank", "ranks"));
    let message = format!("after {when} the race stands {ranks} worse than in the best line");
    Some(Explanation::new(ExplanationKind::RaceLost, played.plies.len(), Some(count), message))
}

/// What the best reply threatens or what the best move would have threatened, if that is more than in the
/// other line; else the reply alone, if the best line has another.
fn refuted<G: Notation>(best: &Replay<G>, played: &Replay<G>) -> Option<Explanation> {
    let more = |one: Option<Gain>, other: Option<Gain>| {
        one.filter(|one| one.count > other.map_or(0, |other| other.count))
    };
    // Where a line ends the game may be over, and then nothing is threatened any more.
    let made =
        |line: &Replay<G>, ply| threat(line, ply).filter(|_| line.goes_on || ply + 1 < line.plies.len());
    if let Some(reply) = played.reply()
        && let Some(threat) = more(made(played, 1), best.reply().and_then(|_| threat(best, 1)))
    {
        let message = format!("the reply {reply} threatens {}", threat.what);
        return Some(threat.into_reason(ExplanationKind::Threatened, 2, message));
    }
    if let Some(threat) = more(made(best, 0), threat(played, 0)) {
        let message = format!("the best move, {}, threatens {}", best.plies[0].text, threat.what);
        return Some(threat.into_reason(ExplanationKind::ThreatMissed, 1, message));
    }
    let reply = played.reply().filter(|&reply| best.reply() != Some(reply))?;
    let message = match &played.plies[2..] {
        [] => format!("the best reply is {reply}"),
        [next, ..] => format!("the best reply is {reply}, and {} is expected then", next.text),
    };
    Some(Explanation::new(ExplanationKind::Refuted, 2, None, message))
}

/// The strongest threat of the player who made a ply of a line, after it: the best move of this player if the
/// opponent did nothing.
fn threat<G: Notation>(line: &Replay<G>, ply: usize) -> Option<Gain> {
    let &ReplayedPly { player, after, .. } = &line.plies[ply];
    let position = if after.turn() == player { after } else { passed(&after)? };
    let threats = position.legal_moves().into_iter().filter_map(|m| {
        let only = Replay::of(&position, &[m], 1);
        let text = &only.plies[0].text;
        if only.last().stage().outcome().is_some_and(|outcome| outcome.winner == Some(player)) {
            return Some(Gain { count: u32::MAX, what: format!("{text}, which wins"), places: Vec::new() });
        }
        [FactKind::Dice, FactKind::Marbles].into_iter().find_map(|kind| {
            let (_, gain) = only.gain_above(kind, player, only.gained(kind, !player))?;
            Some(Gain { what: format!("{text}, which {} {}", verb(kind), gain.what), ..gain })
        })
    });
    threats.max_by_key(|threat| threat.count)
}
