//! Every reason that an analysis gives is true: both lines are replayed, and what a reason says is worked out
//! again from the texts of the states, without the code that made it.

use std::collections::{BTreeMap, BTreeSet};

use cublino_api::{
    Bounds, Played, Series as _,
    analysis::{
        AnalysedMove, AnalysedPly, Analysis, AnalysisLine, AnalysisQuestion, Explanation,
        ExplanationKind as Kind, Judgment,
    },
    limits::SearchAllowance,
};
use cublino_engine::{
    Control, Engine, GameResult, Level, Options, Playable, RootPosition, SearchLimits, Tablebases,
    TranspositionTable,
};
use cublino_rules::{
    game::{Game, Notation, Player, Record, Stage, playout},
    games::{Ecke, GameId},
    with_game,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// The variable that says how many judged moves of each game are checked; without it a few are.
const JUDGED: &str = "CUBLINO_JUDGED_MOVES";
/// The nodes for each move.
const NODES: u64 = 1_500;
/// The longest game.
const MOST_PLIES: usize = 120;

/// The pieces of a state, read from its text.
#[derive(Debug, Default)]
struct Pieces {
    /// Whether it is White's, the square, and the rank as the owner counts it.
    dice: Vec<(bool, String, i64)>,
    prisoners: [i64; 2],
    /// By owner, the points in White's letters on which a checker is pinned.
    pinned: [BTreeSet<String>; 2],
    checkers: [i64; 2],
    /// The tops on the far rank.
    home: [i64; 2],
}

impl Pieces {
    fn of(state: &impl std::fmt::Display) -> Self {
        let state = state.to_string();
        let mut pieces = Self::default();
        match state.as_bytes()[0].to_ascii_uppercase() {
            b'W' => {
                let fields: Vec<i64> = state.split('-').skip(1).map(|field| field.parse().unwrap()).collect();
                pieces.prisoners = [fields[12], fields[13]];
            }
            b'M' => pieces.read_points(state.split_once('-').unwrap().1),
            b'P' | b'C' | b'E' => {
                for die in state.as_bytes()[1..].chunks(3) {
                    let (is_white, rank) = (die[0].is_ascii_uppercase(), i64::from(die[2] - b'0'));
                    let square = String::from_utf8(die[1..].to_vec()).unwrap();
                    let own_rank = if is_white { rank } else { 8 - rank };
                    if own_rank == 7 {
                        let top = i64::from((die[0].to_ascii_lowercase() - b'a') / 4 + 1);
                        pieces.home[usize::from(!is_white)] += top;
                    }
                    pieces.dice.push((is_white, square, own_rank));
                }
            }
            _ => panic!("`Pieces::of` needs an arm that reads states such as {state}"),
        }
        pieces
    }

    fn read_points(&mut self, points: &str) {
        let (mut point, mut empty, mut above_is_white) = (b'A', 0, false);
        for letter in points.bytes() {
            if letter.is_ascii_digit() {
                empty = 10 * empty + letter - b'0';
                continue;
            }
            point += std::mem::take(&mut empty);
            if letter == b'p' {
                // It lies under the checkers that were read last.
                let victim = usize::from(above_is_white);
                self.pinned[victim].insert(char::from(point - 1).to_string());
                self.checkers[victim] += 1;
                continue;
            }
            let is_white = letter.is_ascii_uppercase();
            above_is_white = is_white;
            self.checkers[usize::from(!is_white)] += i64::from(letter.to_ascii_uppercase() - b'A' + 1);
            point += 1;
        }
    }

    fn dice_of(&self, player: Player) -> impl Iterator<Item = &(bool, String, i64)> {
        self.dice.iter().filter(move |die| die.0 == (player == Player::One))
    }

    /// How many ranks a player has to go in a race.
    fn to_go(&self, player: Player, is_pur: bool) -> i64 {
        let ranks = self.dice_of(player).map(|die| 7 - die.2);
        if is_pur { ranks.sum() } else { ranks.min().unwrap() }
    }

    /// Whether nothing of a player can stop an enemy die in Contra, or guard the own corners.
    fn is_undefended(&self, player: Player, is_ecke: bool) -> bool {
        let hindmost = self.dice_of(player).map(|die| die.2).min();
        if is_ecke {
            return hindmost.is_some_and(|rank| rank > 2);
        }
        // The enemy's rank 7 is the player's rank 1.
        self.dice_of(!player).any(|die| hindmost.is_none_or(|rank| rank >= 8 - die.2 + 2))
    }
}

/// The states along a line, from the one before its first move, with who moved.
fn replay<G: Notation>(start: &G, line: &[String]) -> (Vec<G>, Vec<Player>) {
    let (mut states, mut players) = (vec![*start], Vec::new());
    for text in line {
        let position = states[states.len() - 1];
        let spelling = text.parse().unwrap_or_else(|_| panic!("{position} {text}"));
        let m = position.resolve(&spelling).unwrap_or_else(|wrong| panic!("{position} {text}: {wrong}"));
        players.push(position.turn());
        states.push(position.after(m));
    }
    (states, players)
}

/// The position with the other player's turn.
fn flipped<G: Game>(position: &G) -> G {
    let mut state = position.to_string().into_bytes();
    state[0] ^= b'a' - b'A';
    G::read(std::str::from_utf8(&state).unwrap()).unwrap()
}

/// How many of the 36 rolls let the side to roll pin a checker that is free.
fn pinning_rolls<G: Notation>(position: &G) -> u32 {
    let victim = (!position.turn()).index();
    let before = &Pieces::of(position).pinned[victim];
    let mut count = 0;
    for &(roll, weight) in G::ROLLS {
        let rolled = position.rolled(roll);
        let mut pins = false;
        if rolled.stage() == Stage::Move {
            rolled.list(|_, m| {
                pins |= !Pieces::of(&rolled.after(m)).pinned[victim].is_subset(before);
            });
        }
        count += if pins { weight } else { 0 };
    }
    count
}

/// How many dice or marbles a player takes in each ply of a line.
fn taken<G: Game>(states: &[G], taker: Player) -> Vec<i64> {
    let held = |state: &G| {
        let pieces = Pieces::of(state);
        pieces.prisoners[taker.index()] - i64::try_from(pieces.dice_of(!taker).count()).unwrap()
    };
    states.windows(2).map(|pair| held(&pair[1]) - held(&pair[0])).collect()
}

/// The most that the side to move can take, net, with one move (a win is the most); and that of each move.
fn strongest<G: Notation>(position: &G) -> (i64, BTreeMap<String, i64>) {
    let (player, mut all) = (position.turn(), BTreeMap::new());
    let mut best = 0;
    position.list(|spelling, m| {
        let next = position.after(m);
        let own = taken(&[*position, next], player)[0];
        let worth = match next.stage() {
            Stage::Over(end) if end.winner == Some(player) => i64::MAX,
            _ if own > taken(&[*position, next], !player)[0] => own,
            _ => 0,
        };
        best = best.max(worth);
        all.insert(spelling.to_string(), worth);
    });
    (best, all)
}

/// Checks one reason.
#[expect(clippy::too_many_lines, reason = "one arm for each kind of reason, each by itself")]
fn check<G: Notation>(before: &G, ply: &AnalysedMove, reason: &Explanation) {
    let context = || format!("{before}: {reason:?} in {ply:?}");
    let (mover, id) = (before.turn(), G::ABOUT.id);
    let common = ply.best.pv.len().min(ply.played.pv.len());
    let (best, _) = replay(before, &ply.best.pv[..common]);
    let (played, players) = replay(before, &ply.played.pv[..common]);
    let (best_end, played_end) = (Pieces::of(&best[common]), Pieces::of(&played[common]));
    let count = || i64::from(reason.count.unwrap());
    let result = |value: cublino_engine::Value| value.proven.map(|proven| format!("{:?}", proven.result));
    let said = |text: &str| assert!(reason.message.contains(text), "{text}: {}", context());
    for nonsense in [" 0 ", " 1 plies", " 1 points", " 1 ranks", " 1 of the 36 rolls pin "] {
        assert!(
            !format!(" {}", reason.message).contains(nonsense)
                || nonsense == " 0 " && reason.message.contains("roll"),
            "{nonsense}: {}",
            context()
        );
    }
    assert!(
        reason.ply <= common
            || matches!(reason.kind, Kind::WinMissed | Kind::LossProven | Kind::CheckersPinned)
    );
    let first = &ply.best.text;
    match reason.kind {
        Kind::WinMissed => {
            assert_eq!(result(ply.best.value).as_deref(), Some("Win"), "{}", context());
            assert!(result(ply.played.value).is_some_and(|result| result != "Win"), "{}", context());
            said(first);
        }
        Kind::LossProven => {
            assert_eq!(result(ply.played.value).as_deref(), Some("Loss"), "{}", context());
            assert!(result(ply.best.value).is_some_and(|result| result != "Loss"), "{}", context());
            if let Some((_, reply)) = reason.message.split_once("the reply ") {
                let (states, players) = replay(before, &ply.played.pv[..2]);
                assert_eq!(reply.split(' ').next(), Some(&*ply.played.pv[1]), "{}", context());
                assert_eq!(players[1], !mover, "{}", context());
                let won = matches!(states[2].stage(), Stage::Over(end) if end.winner == Some(!mover));
                assert_eq!(won, reply.ends_with("wins at once"), "{}", context());
            }
            let over = replay(before, &ply.played.pv[..1]).0[1].stage().outcome();
            assert_eq!(reason.message == "it loses at once", over.is_some(), "{}", context());
        }
        Kind::DiceLost | Kind::MarblesCaptured | Kind::DiceMissed | Kind::MarblesMissed => {
            let is_loss = matches!(reason.kind, Kind::DiceLost | Kind::MarblesCaptured);
            let (winner, line, other) =
                if is_loss { (!mover, &played, &best) } else { (mover, &best, &played) };
            let (taken, of_other) = (taken(line, winner), taken(other, winner));
            assert_eq!(taken[reason.ply - 1], count(), "{}", context());
            assert!(taken[..reason.ply].iter().sum::<i64>() > of_other.iter().sum(), "{}", context());
            let pv = if is_loss { &ply.played.pv } else { &ply.best.pv };
            assert!(reason.ply == 1 || reason.message.contains(&pv[reason.ply - 1]), "{}", context());
            let after = Pieces::of(&line[reason.ply]);
            for place in &reason.places {
                said(place);
                assert!(after.dice_of(!winner).all(|die| die.1 != *place), "{}", context());
            }
        }
        Kind::CheckersPinned | Kind::ThreatMissed if !G::ROLLS.is_empty() => {
            let rolls = |states: &[G]| match reason.kind {
                Kind::CheckersPinned => pinning_rolls(&states[1]),
                _ => pinning_rolls(&flipped(&states[1])),
            };
            let (of_best, of_played) = (rolls(&best), rolls(&played));
            let (more, less) =
                if reason.kind == Kind::CheckersPinned { (of_played, of_best) } else { (of_best, of_played) };
            assert_eq!(i64::from(more), count(), "{}", context());
            assert!(more > less, "{}", context());
            said(&more.to_string());
            said(&less.to_string());
            said(first);
        }
        Kind::PinMissed | Kind::CheckersFreed => {
            let end = if reason.kind == Kind::PinMissed { &best_end } else { &played_end };
            let (pinned, was) = (&end.pinned[(!mover).index()], &Pieces::of(before).pinned[(!mover).index()]);
            for place in &reason.places {
                let now = reason.kind == Kind::PinMissed;
                assert_eq!((pinned.contains(place), was.contains(place)), (now, !now), "{}", context());
            }
            assert_eq!(i64::try_from(reason.places.len()), Ok(count()), "{}", context());
            let other = if reason.kind == Kind::PinMissed { &played_end } else { &best_end };
            let does = |pieces: &Pieces| match reason.kind {
                Kind::PinMissed => pieces.pinned[(!mover).index()].difference(was).count(),
                _ => was.difference(&pieces.pinned[(!mover).index()]).count(),
            };
            assert!(does(end) > does(other), "{}", context());
        }
        Kind::BearOffMissed => {
            let left = |pieces: &Pieces| pieces.checkers[mover.index()];
            assert_eq!(left(&Pieces::of(before)) - left(&best_end), count(), "{}", context());
            assert!(left(&best_end) < left(&played_end), "{}", context());
        }
        Kind::PointsLost => {
            let lead = |end: &Pieces, state: &G| {
                let points = match (id, state.stage()) {
                    ("cublino-pur", _) => end.home,
                    (_, Stage::Over(end)) => end.points.map(|it| [it.one, it.two].map(i64::from)).unwrap(),
                    _ => end.prisoners,
                };
                points[mover.index()] - points[(!mover).index()]
            };
            let (best_lead, lead) = (lead(&best_end, &best[common]), lead(&played_end, &played[common]));
            assert_eq!(best_lead - lead, count(), "{}", context());
            said(&count().to_string());
        }
        Kind::Undefended => {
            let is_ecke = id == "cublino-ecke";
            assert!(played_end.is_undefended(mover, is_ecke), "{}", context());
            assert!(!best_end.is_undefended(mover, is_ecke), "{}", context());
            if !is_ecke {
                let square = &reason.places[0];
                assert!(played_end.dice_of(!mover).any(|die| die.1 == *square), "{}", context());
            }
        }
        Kind::RaceLost => {
            let is_pur = id == "cublino-pur";
            let lead = |end: &Pieces| end.to_go(!mover, is_pur) - end.to_go(mover, is_pur);
            assert_eq!(lead(&best_end) - lead(&played_end), count(), "{}", context());
            said(&count().to_string());
        }
        Kind::Threatened | Kind::ThreatMissed | Kind::CheckersPinned => {
            let is_reply = reason.kind == Kind::Threatened;
            let ply_number = if is_reply { 2 } else { 1 };
            let threatener = if is_reply { !mover } else { mover };
            let of = |line: &[String]| {
                let (states, players) = replay(before, &line[..ply_number]);
                let after = states[ply_number];
                let position = if after.turn() == threatener { after } else { flipped(&after) };
                (players[ply_number - 1] == threatener).then(|| strongest(&position))
            };
            let (with, without) =
                if is_reply { (&ply.played.pv, &ply.best.pv) } else { (&ply.best.pv, &ply.played.pv) };
            said(&with[ply_number - 1]);
            assert!(with.len() > ply_number, "the game may be over: {}", context());
            let (_, all) = of(with).unwrap();
            let threat = reason.message.split_once("threatens ").unwrap().1.split(',').next().unwrap();
            let worth = reason.count.map_or(i64::MAX, i64::from);
            assert_eq!(all[threat], worth, "{}", context());
            assert!(of(without).is_none_or(|(other, _)| other < worth), "{}", context());
        }
        Kind::Refuted => {
            said(&ply.played.pv[1]);
            assert_eq!(players[1], !mover, "{}", context());
            assert_ne!(ply.best.pv.get(1), Some(&ply.played.pv[1]), "{}", context());
            assert!(common == 2 || reason.message.contains(&ply.played.pv[2]), "{}", context());
        }
    }
}

/// A game: by turns at random, and by levels that err and now and then move at random.
fn played_game<G: Playable + Notation>(seed: u64, table: &mut TranspositionTable) -> Vec<String> {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut record = Record::from(G::default());
    let mut moves = Vec::new();
    while moves.len() < MOST_PLIES && record.stage().outcome().is_none() {
        let position = *record.position();
        let text = if record.stage() == Stage::Roll {
            playout::roll::<G>(&mut rng).unwrap().to_string()
        } else if seed.is_multiple_of(4) || rng.random_range(0..4) == 0 {
            let mut texts = Vec::new();
            position.list(|spelling, _| texts.push(spelling.to_string()));
            texts.swap_remove(rng.random_range(0..texts.len()))
        } else {
            let level = Some(Level::try_from((seed % 4) as u8).unwrap());
            let limits = SearchLimits { nodes: Some(2_000), ..SearchLimits::default() };
            let options = Options { level, seed: rng.random(), ..Options::new(limits) };
            let root = RootPosition::from(&record);
            let engine = Engine::built_in::<G>(Tablebases::built_in());
            let found = engine.search(root, &options, &Control::new(), table, &mut |_| {});
            position.spell(found.best()).to_string()
        };
        record.play(&text).unwrap();
        moves.push(text);
    }
    moves
}

/// All moves of a game, judged, each with the position before it.
fn judged<G: Played>(question: &AnalysisQuestion, table: &mut TranspositionTable) -> Vec<(G, AnalysedMove)> {
    let start = question.state.as_ref().map_or_else(G::default, |state| G::read(state).unwrap());
    let search =
        SearchAllowance { time_ms: 600_000, depth: 100, nodes: 1_000_000, lines: 1, full_answer_ms: 600_000 };
    let tablebases = Tablebases::built_in();
    let bounds = Bounds { search, table_bytes: 0, tablebases };
    let limit = question.repetition_limit.map(|limit| u32::try_from(limit.get()).unwrap());
    let (mut record, mut plies) = (Record::new(start, limit), Vec::new());
    let mut series = Analysis::series::<G>(question, &bounds).unwrap();
    for text in &question.moves {
        let search = series.next().unwrap();
        let (before, is_move) = (*record.position(), record.stage() == Stage::Move);
        record.play(text).unwrap();
        if is_move {
            let ply = search.run(&Control::new(), table).answer;
            let Some(AnalysisLine::Ply(AnalysedPly::Move(ply))) = ply else { panic!("{ply:?} is no move") };
            plies.push((before, ply));
        }
    }
    plies
}

/// Checks the verdict on a move against what is proven about it and about the best one.
fn check_verdict<G: Notation>(before: &G, ply: &AnalysedMove) {
    let context = || format!("{before}: {ply:?}");
    let [best, played] = [ply.best.value, ply.played.value];
    let difference = best.more_than(&played);
    assert!((0.0..=difference).contains(&ply.loss), "{}", context());
    let [of_best, of_played] = [best, played].map(|value| value.proven.map(|proven| proven.result));
    if of_best.is_some() == of_played.is_some() {
        assert!((ply.loss - difference).abs() < 1e-9, "{}", context());
    }
    if of_played == Some(GameResult::Win) || of_best == Some(GameResult::Loss) {
        assert!(ply.loss <= 0.0 && ply.judgment.is_none(), "{}", context());
    }
}

fn all_reasons_hold<G: Played>(wanted: usize) {
    let mut table = TranspositionTable::new(1 << 20);
    let (mut checked, mut bad, mut with_reason) = (0, 0, 0);
    let mut kinds = BTreeMap::<String, usize>::new();
    for seed in 1.. {
        if checked >= wanted {
            break;
        }
        let moves = played_game::<G>(seed, &mut table);
        let question = AnalysisQuestion { moves, nodes: NODES.try_into().ok(), ..Default::default() };
        for (before, ply) in judged::<G>(&question, &mut table) {
            check_verdict(&before, &ply);
            let Some(judgment) = ply.judgment else {
                assert!(ply.why.is_empty(), "{before} {ply:?}");
                continue;
            };
            for reason in &ply.why {
                check(&before, &ply, reason);
                *kinds.entry(format!("{:?}", reason.kind)).or_default() += 1;
            }
            if judgment >= Judgment::Mistake {
                bad += 1;
                with_reason += usize::from(!ply.why.is_empty());
            }
            checked += 1;
        }
    }
    println!(
        "{}: {checked} judged, reasons for {with_reason} of {bad} mistakes and blunders; {kinds:?}",
        G::ABOUT.id
    );
    assert!(5 * with_reason >= 4 * bad, "{}: {with_reason} of {bad}", G::ABOUT.id);
}

#[test]
fn every_reason_is_true_and_four_in_five_mistakes_have_one() {
    let wanted = std::env::var(JUDGED).map_or(80, |wanted| wanted.parse().expect("a number of moves"));
    for &game in GameId::ALL {
        with_game!(game, G => all_reasons_hold::<G>(wanted));
    }
}

#[test]
fn a_move_that_ends_the_game_threatens_nothing() {
    const STATE: &str = "EWf1Wg1Ld2Of2Md3We3Aa5re5ne6af6dg6va7rb7";
    let mut table = TranspositionTable::new(1 << 20);
    let mut record = Record::from(Ecke::read(STATE).unwrap());
    // Now c7a7 draws by repetition.
    let moves = ["f2g2", "a7c7", "g2f2"].map(str::to_owned);
    for text in &moves {
        record.play(text).unwrap();
    }
    record.position().list(|last, _| {
        let question = AnalysisQuestion {
            state: Some(STATE.to_owned()),
            moves: [&moves[..], &[last.to_string()]].concat(),
            repetition_limit: 2.try_into().ok(),
            nodes: 800.try_into().ok(),
            ..Default::default()
        };
        let (before, ply) = judged::<Ecke>(&question, &mut table).pop().unwrap();
        ply.why.iter().for_each(|reason| check(&before, &ply, reason));
    });
}
