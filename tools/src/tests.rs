use std::{fs, num::NonZeroUsize, path::Path};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use tempfile::NamedTempFile;

use super::{
    calibration::Fitted,
    fit::Fit,
    game_file::{self, GameFileError, TrainingGame},
    model::{Model, Size},
    run::{Plan, Progress, RunError, learned},
    samples::{Label, Samples},
    self_play::expected_before_roll,
    weights::{self, Weights},
};
use cublino_engine::{Calibration, Curves, Features, Learned, Playable, Score, network::Network};
use cublino_rules::{
    game::{Game, Notation, Player, Stage, playout},
    games::{Contra, Mahbusa, Wari},
};

const ONE: NonZeroUsize = NonZeroUsize::MIN;
const RATE: f32 = 2e-3;
const THREE: NonZeroUsize = NonZeroUsize::new(3).unwrap();

/// The positions of a file with these lines.
fn samples_of<G: Playable + Notation>(lines: &str, lambda: f32) -> Result<Samples, game_file::GameFileError> {
    let file = NamedTempFile::new().unwrap();
    fs::write(&file, lines).unwrap();
    let mut samples = Samples::new(lambda);
    samples.add_file::<G>(file.path()).map(|()| samples)
}

/// Positions of random games in which who has more prisoners wins.
fn prisoners_win(games: u64) -> Samples {
    let mut samples = Samples::new(0.7);
    for seed in 0..games {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        for position in playout::positions(Wari::default(), 60, &mut rng) {
            let prisoners = |player| i32::from(position.row(player).prisoners());
            let ahead = prisoners(position.turn()) - prisoners(!position.turn());
            let result = [-1.0, 0.0, 1.0][usize::try_from(ahead.signum() + 1).unwrap()];
            samples.add(&position, Label { target: result, result });
        }
    }
    samples
}

#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    let samples = prisoners_win(3);
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let mut model =
        Model::new::<Wari>(Size { hidden: 16, views: 2, phases: Wari::FEATURES.phases }, &mut rng);
    // Without drawn games: the second output, for draws, has its own loss.
    let picked: Vec<u32> = (0..u32::try_from(samples.len()).unwrap())
        .filter(|&i| samples.get(i as usize).1.result != 0.0)
        .collect();
    let loss = |model: &Model| model.loss(&samples, picked.iter().copied());
    let mut gradient = model.gradient();
    model.learn(&samples, &picked, &mut gradient);
    let mut of_parameters = vec![0.0; model.parameters.len()];
    model.spread(&gradient, 1.0, &mut of_parameters);
    let mut checked = 0;
    // The constants and the outputs, which everything goes through, and some rows.
    let last = model.parameters.len() - 700..model.parameters.len();
    for i in (0..400).map(|_| rng.random_range(..last.end)).chain(last.clone().step_by(3)).collect::<Vec<_>>()
    {
        let (before, step) = (model.parameters[i], 0.01);
        let mut at = |value| {
            model.parameters[i] = value;
            model.combine();
            loss(&model)
        };
        let slope = (at(before + step) - at(before - step)) / (2.0 * f64::from(step));
        at(before);
        let found = f64::from(of_parameters[i]);
        // The second output changes the hidden layer a little, and the loss has corners.
        if slope.abs() > 1.0 {
            assert!((slope - found).abs() < 0.3 * slope.abs() + 0.5, "{i}: {slope} {found}");
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn what_decides_the_game_is_learned() {
    let samples = prisoners_win(400);
    let fit = Fit { hidden: 32, views: 2, passes: 12, rate: RATE, seed: 1, threads: THREE };
    let mut losses = Vec::new();
    let network = fit.fit::<Wari>(None, &samples, &mut |pass| losses.push(pass.loss_of_unseen));
    assert!(losses[11] < losses[0], "{losses:?}");
    let learned = learned::<Wari>(&network);
    let units = |state: &str| learned.evaluate(&Wari::read(state).unwrap()).units();
    assert!(units("W-4-4-4-4-4-4-4-4-4-0-0-0-12-0") > 0);
    assert!(units("W-4-4-4-4-4-4-4-4-4-0-0-0-0-12") < 0);
}

#[test]
fn a_network_that_is_learned_on_from_keeps_what_it_knows() {
    let samples = prisoners_win(100);
    let fit = |passes, start: Option<&[u8]>| {
        let mut losses = Vec::new();
        let fit = Fit { hidden: 32, views: 2, passes, rate: RATE, seed: 1, threads: THREE };
        (fit.fit::<Wari>(start, &samples, &mut |pass| losses.push(pass.loss)), losses)
    };
    let (network, first) = fit(4, None);
    assert_eq!(fit(0, Some(&network)).0, network);
    let (_, then) = fit(1, Some(&network));
    assert!(then[0] < first[1], "{first:?} {then:?}");
    // A network with one view takes over the first one.
    let one_view = Fit { hidden: 32, views: 1, passes: 0, rate: RATE, seed: 1, threads: THREE };
    let smaller = one_view.fit::<Wari>(Some(&network), &samples, &mut |_| {});
    let outputs = |network: &[u8]| Weights::of_file(network).outputs[0][0].0.clone();
    assert_eq!(outputs(&smaller), outputs(&network)[..32]);
}

fn plan(directory: &Path, threads: NonZeroUsize) -> Plan {
    Plan {
        directory: directory.to_owned(),
        start: None,
        hidden: 32,
        views: 2,
        generations: 2,
        positions: 1_500,
        window: 4,
        nodes: 30,
        passes: 1,
        rate: RATE,
        lambda: 0.9,
        habits: 0.02,
        calibration_games: 4,
        seed: 7,
        threads,
    }
}

#[test]
fn a_run_gives_the_same_network_again_also_if_it_was_interrupted() {
    let directories = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (whole, interrupted) = (plan(directories[0].path(), THREE), plan(directories[1].path(), ONE));
    let network = whole.run::<Contra>(&mut |_| {
        let second = whole.clone().run::<Contra>(&mut |_| {}).unwrap_err();
        assert!(matches!(second, RunError::InUse { .. }), "two runs write to one directory: {second}");
    });
    let network = network.unwrap();
    assert_eq!(fs::read(whole.result()).unwrap(), network);

    // As if the second generation had been interrupted while it wrote a game.
    for (generation, extension) in [(1, "games"), (1, "net")] {
        fs::copy(whole.path(generation, extension), interrupted.path(generation, extension)).unwrap();
    }
    let games = fs::read(whole.path(2, "games")).unwrap();
    fs::write(interrupted.path(2, "games"), &games[..games.len() / 2]).unwrap();
    assert_eq!(interrupted.run::<Contra>(&mut |_| {}).unwrap(), network);
    assert_eq!(fs::read(interrupted.path(2, "games")).unwrap(), games);

    // The same with the calibration games.
    for nodes in Calibration::NODES {
        let games = fs::read(whole.calibration_games_path(nodes)).unwrap();
        let path = interrupted.calibration_games_path(nodes);
        fs::write(&path, &games[..games.len() / 2]).unwrap();
        let mut progress = Vec::new();
        let calibrated = interrupted.run::<Contra>(&mut |step| progress.push(step)).unwrap();
        assert_eq!((calibrated, fs::read(path).unwrap()), (network.clone(), games));
        assert!(!progress.is_empty() && progress.len() < 4, "{progress:?}");
    }

    // An existing file is not made again, but it must be a network.
    fs::write(interrupted.path(2, "net"), b"nothing").unwrap();
    let error = interrupted.run::<Contra>(&mut |_| {}).unwrap_err();
    assert!(
        matches!(&error, RunError::Network { path, .. } if *path == interrupted.path(2, "net")),
        "{error}"
    );
}

#[test]
fn a_directory_is_gone_on_with_by_the_settings_it_was_begun_with() {
    let directory = tempfile::tempdir().unwrap();
    let begun = Plan { generations: 1, positions: 300, ..plan(directory.path(), THREE) };
    let network = begun.run::<Wari>(&mut |_| {}).unwrap();
    let error = Plan { seed: 8, ..begun.clone() }.run::<Wari>(&mut |_| {}).unwrap_err();
    assert!(
        matches!(&error, RunError::OtherSettings { begun: old, .. } if *old == begun.settings("wari")),
        "{error}"
    );
    let error = begun.run::<Contra>(&mut |_| {}).unwrap_err();
    assert!(matches!(error, RunError::OtherSettings { .. }), "games of Wari are none of Contra: {error}");

    let mut generations = Vec::new();
    let on_progress = &mut |step| {
        if let Progress::Fitted { generation, .. } = step {
            generations.push(generation);
        }
    };
    let longer = Plan { generations: 2, calibration_games: 5, threads: ONE, ..begun };
    assert_ne!(longer.run::<Wari>(on_progress).unwrap(), network);
    assert_eq!(generations, [2], "what was learned before is kept");
}

#[test]
fn values_before_and_after_rolls_are_on_one_scale_however_the_first_network_was_calibrated() {
    let uncalibrated = weights::calibrated(Mahbusa::FILES.network, &Calibration::NONE);
    assert_ne!(uncalibrated, Mahbusa::FILES.network);
    let games = [Mahbusa::FILES.network, &uncalibrated].map(|start| {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("start.net");
        fs::write(&path, start).unwrap();
        let plan = Plan { hidden: 128, views: 1, generations: 1, ..plan(directory.path(), ONE) };
        let plan = Plan { start: Some(path), calibration_games: 0, ..plan };
        plan.run::<Mahbusa>(&mut |_| {}).unwrap();
        fs::read(plan.path(1, "games")).unwrap()
    });
    assert!(games[0] == games[1], "values depend on the calibration");
}

#[test]
fn a_whole_line_that_is_no_game_stays_and_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let plan = Plan { generations: 1, positions: 300, ..plan(directory.path(), THREE) };
    let path = plan.path(1, "games");
    let lines = "nothing\nmore of it\nand half a li";
    fs::write(&path, lines).unwrap();
    let error = plan.run::<Wari>(&mut |_| {}).unwrap_err();
    assert!(matches!(error, RunError::Games(GameFileError::Malformed { line: 1, .. })), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), lines);
}

fn assert_label(label: Label, target: f32, result: f32) {
    assert!((label.target - target).abs() < 1e-6 && (label.result - result).abs() < 1e-6, "{label:?}");
}

#[test]
fn lines_that_are_no_games_are_refused_with_their_number() {
    let good = r#"{"state":"W-4-4-4-4-4-4-4-4-4-4-4-4-0-0","moves":["1"],"values":[120],"result":1}"#;
    for (bad, reason) in [
        ("nothing", "expected"),
        (r#"{"state":"W","moves":[],"values":[],"result":1}"#, ""),
        (
            r#"{"state":"W-4-4-4-4-4-4-4-4-4-4-4-4-0-0","moves":["1"],"values":[],"result":1}"#,
            "the number of moves is 1, and that of values 0",
        ),
        (
            r#"{"state":"W-4-4-4-4-4-4-4-4-4-4-4-4-0-0","moves":["9"],"values":[1],"result":1}"#,
            "'9' cannot be played",
        ),
    ] {
        let error = samples_of::<Wari>(&format!("{good}\n{bad}\n"), 0.7).unwrap_err().to_string();
        assert!(error.starts_with("line 2 of ") && error.contains(reason), "{error}");
    }
    let samples = samples_of::<Wari>(&format!("{good}\n{good}\n"), 0.7).unwrap();
    assert_eq!(samples.len(), 1, "a position is taken once");
    assert_label(samples.get(0).1, 0.3 * 0.012 + 0.7, 1.0);
    assert!(game_file::read(Path::new("/nowhere/at/all"), |_| Ok(())).is_err());
}

#[test]
fn targets_go_by_what_was_found_later_and_at_last_by_the_result() {
    let game = concat!(
        r#"{"state":"W-4-4-4-4-4-4-4-4-4-4-4-4-0-0","moves":["1","7","2"],"#,
        r#""values":[1000,2000,-5000],"result":-1}"#
    );
    let samples = samples_of::<Wari>(game, 0.7).unwrap();
    let last = 0.3 * -0.5 - 0.7;
    let second = 0.3 * 0.2 + 0.7 * -last;
    assert_label(samples.get(0).1, 0.3 * 0.1 + 0.7 * -second, -1.0);
    assert_label(samples.get(1).1, second, 1.0);
    assert_label(samples.get(2).1, last, -1.0);
}

#[test]
fn a_move_drawn_at_random_says_nothing_about_the_positions_before_it() {
    let game = |values: &str| {
        let moves = r#"{"state":"W-4-4-4-4-4-4-4-4-4-4-4-4-0-0","moves":["1","7","2"],"values":"#;
        samples_of::<Wari>(&format!("{moves}{values},\"result\":-1}}"), 0.7).unwrap()
    };
    let samples = game("[1000,null,-5000]");
    assert_eq!(samples.len(), 2, "where the random move was played nothing is known");
    assert_label(samples.get(0).1, 0.1, -1.0);
    assert_label(samples.get(1).1, 0.3 * -0.5 - 0.7, -1.0);
    // The games of an untrained network have no values, so the result is the target.
    let samples = game("[null,null,null]");
    assert_eq!(samples.len(), 3);
    assert_label(samples.get(0).1, -1.0, -1.0);
}

#[test]
fn what_a_roll_is_worth_is_no_part_of_a_target() {
    // 0.1 is expected before the roll, and 0.4 after it, so it was worth 0.3; the second move is drawn at
    // random.
    let game = concat!(
        r#"{"state":"M-o22O","moves":["21","XW-XV","21","XW-XV"],"#,
        r#""values":[1000,4000,-3000,null],"result":1}"#
    );
    let samples = samples_of::<Mahbusa>(game, 0.7).unwrap();
    assert_eq!(samples.len(), 2);
    assert_label(samples.get(0).1, 0.1 + 0.7 * (0.3 - 0.4), 1.0);
    assert_label(samples.get(1).1, -0.3, -1.0);
}

#[test]
fn before_a_roll_the_mean_over_all_rolls_is_expected() {
    // With one checker each, bearing off wins: all rolls but 21 take the checker from the 4-point.
    let position = Mahbusa::read("M-3A19a").unwrap();
    let evaluator = Learned::built_in::<Mahbusa>();
    let rolls: Vec<_> = Mahbusa::ROLLS
        .iter()
        .map(|&(roll, weight)| {
            let rolled = position.rolled(roll);
            let wins = rolled.legal_moves().into_iter().any(|m| rolled.after(m).stage().outcome().is_some());
            (wins, weight)
        })
        .collect();
    let all: u32 = rolls.iter().map(|&(_, weight)| weight).sum();
    let won: u32 = rolls.iter().filter(|(wins, _)| *wins).map(|&(_, weight)| weight).sum();
    let [all, won] = [all, won].map(f64::from);
    assert!(0.0 < won && won < all);
    let expected = expected_before_roll(&evaluator, &position);
    // A player who does not win at once loses: any roll bears off the opponent's checker on the 1-point.
    assert!((expected - (2.0 * won / all - 1.0)).abs() < 0.02, "{expected}");
}

/// The end of a game of random moves, its entries, and the positions before each roll.
fn random_game(seed: u64) -> (Mahbusa, Vec<String>, Vec<Mahbusa>) {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut position = Mahbusa::default();
    let (mut moves, mut before_rolls) = (Vec::new(), Vec::new());
    while position.stage().outcome().is_none() {
        if position.stage() == Stage::Roll {
            before_rolls.push(position);
            let roll = playout::roll::<Mahbusa>(&mut rng).unwrap();
            position = position.rolled(roll);
            moves.push(roll.to_string());
        } else {
            let m = playout::choose(&position, &mut rng);
            moves.push(position.spell(m).to_string());
            position = position.after(m);
        }
    }
    (position, moves, before_rolls)
}

#[test]
fn what_is_known_without_a_network_is_the_target_before_it_and_not_learned() {
    let (position, moves, before_rolls) = (0..100)
        .map(random_game)
        .find(|(_, _, before_rolls)| {
            before_rolls.last().is_some_and(|position| position.evaluate().is_some())
        })
        .unwrap();
    let game = TrainingGame {
        state: Mahbusa::default().to_string(),
        values: vec![None; moves.len()],
        moves,
        result: position.stage().outcome().unwrap().result_for(Player::One),
    };
    let samples = samples_of::<Mahbusa>(&serde_json::to_string(&game).unwrap(), 1.0).unwrap();

    let learned = before_rolls.partition_point(|position| position.evaluate().is_none());
    assert_eq!(samples.len(), learned);
    let (last, race) = (before_rolls[learned - 1], before_rolls[learned]);
    let expected = race.evaluate().unwrap().score(Score::expecting).expected();
    let for_last = if race.turn() == last.turn() { expected } else { -expected };
    assert!((f64::from(samples.get(learned - 1).1.target) - for_last).abs() < 1e-6);
}

#[test]
fn curves_tell_what_became_of_games() {
    // Of 100 positions with an expected result of 0.5, 70 are won and 20 drawn. The network expects a share
    // of draws of a half, so the games fix only the mean of the two curves of results.
    let evaluator = Learned::from(Network::untrained(Wari::FEATURES.count));
    let game = |value, result| TrainingGame {
        state: Wari::default().to_string(),
        moves: vec!["1".to_owned()],
        values: vec![Some(value)],
        result,
    };
    let mut fitted = Fitted::default();
    for number in 0..100_000 {
        let result = match number % 10 {
            ..7 => 1,
            7 | 8 => 0,
            _ => -1,
        };
        let (value, result) = if number % 2 == 0 { (5_000, result) } else { (-5_000, -result) };
        fitted.add_game::<Wari>(&evaluator, &game(value, result)).unwrap();
    }
    let curves = fitted.curves();
    assert!((curves.expected(0.5, 0.5) - 0.6).abs() < 0.02, "{curves:?}");
    assert!((curves.draw_share(0.5) - 0.5).abs() < 0.02, "{curves:?}");
    assert!(curves.0.iter().all(|curve| curve.is_sorted()), "{curves:?}");
    let drawn = {
        let mut fitted = Fitted::default();
        for value in [-1_000, 1_000].into_iter().cycle().take(100_000) {
            fitted.add_game::<Wari>(&evaluator, &game(value, 0)).unwrap();
        }
        fitted.curves()
    };
    assert!(drawn.draw_share(0.5) > 0.98, "{drawn:?}");

    // Without games, the curves are the straight lines of a perfect evaluator.
    for curve in Fitted::default().curves().0 {
        for (found, wanted) in curve.iter().zip(Curves::LINE) {
            assert!((found - wanted.min(0.995)).abs() < 0.01, "{curve:?}");
        }
    }
}

/// An evaluator whose share of draws is nearly 1 in positions with a feature, and nearly 0 in others.
fn drawn_with(feature: usize) -> Learned {
    let hidden = Network::FEWEST_HIDDEN;
    let zero = Weights::zero(Wari::FEATURES.count, hidden);
    let draws = Weights {
        rows: (0..Wari::FEATURES.count * hidden)
            .map(|i| f32::from(u8::from(i / hidden == feature)))
            .collect(),
        outputs: vec![[zero.outputs[0][0].clone(), (vec![1.9; hidden], -15.0)]],
        ..zero
    };
    learned::<Wari>(&draws.to_file())
}

#[test]
fn a_score_means_less_where_a_draw_is_expected() {
    let first_move = |position: &Wari| position.legal_moves()[0];
    let start = Wari::default();
    let other = start.after(first_move(&start));
    let features = |position: &Wari| {
        let mut active = Vec::new();
        Wari::active_features(&position.seen_by(position.turn()), None, |feature| active.push(feature));
        active
    };
    let of_start = *features(&start).iter().find(|feature| !features(&other).contains(feature)).unwrap();
    let evaluator = drawn_with(of_start);
    assert!(evaluator.draw_share(&start) > 0.99 && evaluator.draw_share(&other) < 0.01);

    // With an expected result of 0.5, 1 or 0 of 10 games from the start are won, and 6 of 10 from the other.
    for of_start in [1, 0] {
        let mut fitted = Fitted::default();
        for number in 0..100_000 {
            for (position, won) in [(&start, of_start), (&other, 6)] {
                let wins = i8::from(number % 10 < won);
                let game = TrainingGame {
                    state: position.to_string(),
                    moves: vec![position.spell(first_move(position)).to_string()],
                    values: vec![Some(5_000)],
                    result: if position.turn() == Player::One { wins } else { -wins },
                };
                fitted.add_game::<Wari>(&evaluator, &game).unwrap();
            }
        }
        let (curves, of_start) = (fitted.curves(), f64::from(of_start) / 10.0);
        for (draw_share, expected) in [(0.0, 0.6), (0.5, f64::midpoint(0.6, of_start)), (1.0, of_start)] {
            let found = curves.expected(0.5, draw_share);
            assert!((found - expected).abs() < 0.02, "{draw_share}: {found}");
        }
    }
}

#[test]
fn an_untrained_network_expects_little() {
    let fit = Fit { hidden: 32, views: 2, passes: 0, rate: RATE, seed: 1, threads: ONE };
    let network = fit.fit::<Contra>(None, &Samples::new(0.7), &mut |_| {});
    let score = learned::<Contra>(&network).evaluate(&Contra::default());
    assert!(score.units().abs() < Score::LIMIT / 10, "{score:?}");
}
