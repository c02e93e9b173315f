//! No false claims: every result that the search calls proven is checked by exhaustive search, however soon
//! the search was interrupted.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::{exhaustive::Exhaustive, *};
use cublino_rules::{
    game::Stage,
    games::{Contra, Ecke, GameId, Mahbusa},
    with_game,
};

/// Plies to which claims are checked.
const MOST_PLIES: u32 = 7;

/// The environment variable with the number of self-play games of each kind; without it a few are played.
const GAMES: &str = "CUBLINO_CLAIM_GAMES";

/// Positions in which a player is to move, shortly before the end of games: half of them played at random,
/// half by players who look a ply ahead and sometimes err.
pub(crate) fn positions<G: Playable>(count: usize) -> impl Iterator<Item = G> {
    (0..).flat_map(late::<G>).take(count)
}

fn late<G: Playable>(seed: u64) -> Vec<G> {
    /// How many of the last positions of each game are used.
    const LAST: usize = 8;
    /// Plies of a game.
    const LONGEST: usize = 400;
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let passed: Vec<G> = if seed.is_multiple_of(2) {
        playout::positions(G::default(), LONGEST, &mut rng).collect()
    } else {
        let level = Level::try_from(2).unwrap();
        let mut position = G::default();
        let mut passed = vec![position];
        while passed.len() < LONGEST && position.stage().outcome().is_none() {
            position = if position.stage() == Stage::Move {
                let options = Options { level: Some(level), seed: passed.len() as u64 + seed, ..depth(1) };
                position.after(searched(&position, options).best())
            } else {
                playout::step(&position, &mut rng)
            };
            passed.push(position);
        }
        passed
    };
    let to_move = passed.into_iter().filter(|position| position.stage() == Stage::Move);
    let mut last: Vec<_> = to_move.rev().take(LAST).collect();
    last.reverse();
    last
}

fn answered<G: Playable>(position: &G, options: Options) -> Analysis<G::Move> {
    let (mut table, control) = (TranspositionTable::new(1 << 18), Control::new());
    search(position, &options, &Tablebases::built_in(), &control, &mut table, &mut |_| {})
}

/// Checks the claim of every line, and counts the proven ones.
fn true_claims<G: Playable>(
    exhaustive: &mut Exhaustive<G>,
    position: &G,
    analysis: &Analysis<G::Move>,
    context: &str,
) -> usize {
    for (i, line) in analysis.lines.iter().enumerate() {
        exhaustive.assert_true(position, line, i == 0, MOST_PLIES, context);
    }
    analysis.lines.iter().filter(|line| line.value.proven.is_some()).count()
}

fn any_number_of_nodes_is_answered_truly<G: Playable>() {
    let mut exhaustive = Exhaustive::new();
    let mut claimed = 0;
    for position in positions::<G>(60) {
        let few = (1..40).chain((40..300).step_by(13));
        let many = [400, 512, 777, 1_000, 1_500, 2_000, 3_333, 5_000, 8_000];
        for limit in few.chain(many) {
            for lines in [1, 3] {
                let analysis = answered(&position, Options { lines, ..nodes(limit) });
                assert!(analysis.nodes <= limit, "{position}: {} of {limit}", analysis.nodes);
                let context = format!("nodes={limit} lines={lines}");
                claimed += true_claims(&mut exhaustive, &position, &analysis, &context);
            }
        }
    }
    assert!(claimed > 100, "{}: {claimed}", G::ABOUT.id);
}

for_all_games!(
    an_interruption_after_any_number_of_nodes_is_answered_truly: any_number_of_nodes_is_answered_truly
);

/// Plays games of the search against itself at 5,000 nodes a move, and checks every claim on the way. They
/// begin after 6 to 48 random plies: from the start position, equal players may wait for ever.
fn games_against_itself_have_no_false_claim<G: Playable>(games: u64) {
    let mut exhaustive = Exhaustive::new();
    let (mut claimed, mut counted, mut unfinished) = (0, 0, 0);
    for seed in 0..games {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let opening = 6 * (1 + usize::try_from(seed % 8).unwrap());
        let mut position = playout::positions(G::default(), opening, &mut rng).last().unwrap();
        let mut plies = 0;
        while position.stage().outcome().is_none() && plies < 200 {
            if position.stage() == Stage::Roll {
                position = playout::step(&position, &mut rng);
                continue;
            }
            let analysis = answered(&position, nodes(5_000));
            let line = &analysis.lines[0];
            exhaustive.assert_true(&position, line, true, MOST_PLIES, "nodes=5000");
            if let Some(Proven { plies, .. }) = line.value.proven {
                claimed += 1;
                counted += usize::from(plies.is_some());
            }
            position = position.after(analysis.best());
            plies += 1;
        }
        unfinished += u32::from(position.stage().outcome().is_none());
    }
    let Exhaustive { answered, given_up, .. } = exhaustive;
    println!(
        "{}: {games} games, {unfinished} unfinished, {claimed} claims, {counted} with plies; \
         {answered} questions answered, {given_up} given up",
        G::ABOUT.id
    );
    assert!(claimed > 0 || games < 10);
}

#[test]
fn games_of_the_search_against_itself_have_no_false_claim() {
    let games = std::env::var(GAMES).map_or(1, |games| games.parse().expect("a number of games"));
    for &game in GameId::ALL {
        with_game!(game, G => games_against_itself_have_no_false_claim::<G>(games));
    }
}

#[test]
fn what_was_once_called_lost_is_not() {
    fn claim<G: Playable>(state: &str, limit: u64) -> Option<GameResult> {
        answered(&position::<G>(state), nodes(limit)).lines[0].value.proven.map(|proven| proven.result)
    }
    let won = "ebb1vd1Wd3ve3Wf3Uf4vc5vd5vf5Ub6Ud6af6Sd7";
    assert_ne!(claim::<Ecke>(won, 5_000), Some(GameResult::Loss));
    assert_eq!(claim::<Ecke>(won, 1_000_000), Some(GameResult::Win));
    for limit in [5_000, 200_000] {
        let claimed = claim::<Ecke>("evc1Wd1Wf1xd2Wb3vg3wa5vf5Uf6vb7Ve7Wg7", limit);
        assert_ne!(claimed, Some(GameResult::Loss), "nodes={limit}");
    }
    assert_ne!(claim::<Contra>("CWf1Pb2Jd2va3ve3vf3Ob4Wg5ic6rf7", 5_000), Some(GameResult::Loss));
}

#[test]
fn a_checker_that_can_be_borne_off_to_win_is() {
    let mahbusa = |state| answered(&position::<Mahbusa>(state), Options { lines: 3, ..nodes(1_000) });
    let analysis = mahbusa("m62-1DC2H13a3a");
    assert_eq!(analysis.lines[0].value.proven, Some(Proven { result: GameResult::Win, plies: Some(1) }));
    let values: Vec<_> = analysis.lines.iter().map(|line| line.value).collect();
    assert!(values.is_sorted_by(|a, b| a.total_cmp(b).is_ge()), "{values:?}");
}

fn an_immediate_win_is_played<G: Playable>(wanted: usize) {
    let mut found = 0;
    for position in (0..).flat_map(late::<G>) {
        let wins =
            |m| position.after(m).stage().outcome().is_some_and(|end| end.winner == Some(position.turn()));
        if !position.legal_moves().into_iter().any(wins) {
            continue;
        }
        let win = Some(Proven { result: GameResult::Win, plies: Some(1) });
        for options in [nodes(1), nodes(300), Options { lines: 3, ..nodes(300) }, depth(2)] {
            let analysis = answered(&position, options);
            assert!(wins(analysis.best()), "{position} {options:?}: {analysis:?}");
            assert_eq!(analysis.lines[0].value.proven, win, "{position} {options:?}");
        }
        found += 1;
        if found == wanted {
            return;
        }
    }
}

#[test]
fn an_immediate_win_is_played_in_every_game() {
    let wanted =
        std::env::var("CUBLINO_CLAIM_WINS").map_or(40, |wins| wins.parse().expect("a number of wins"));
    for &game in GameId::ALL {
        with_game!(game, G => an_immediate_win_is_played::<G>(wanted));
    }
}
