use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::*;
use crate::{Curves, Playable};
use cublino_rules::{
    game::{Features, Game, Player, playout},
    games::{GameId, Wari},
    with_game,
};

const HIDDEN: usize = 3 * Network::FEWEST_HIDDEN;

/// Weights drawn at random, up to a size.
fn weights(features: usize, size: f32) -> Weights {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut drawn = |count| (0..count).map(|_| rng.random_range(-size..=size)).collect::<Vec<_>>();
    Weights {
        hidden: HIDDEN,
        rows: drawn(features * HIDDEN),
        bias: drawn(HIDDEN),
        direct: drawn(features),
        outputs: (0..2).map(|_| [(drawn(2 * HIDDEN), 0.25), (drawn(2 * HIDDEN), -0.5)]).collect(),
    }
}

fn network(features: usize, size: f32) -> Network {
    Network::rounded(&weights(features, size), Calibration::NONE)
}

/// The features of a position as a player sees them.
fn active<G: Features>(position: &G, seen_by: Player) -> Vec<u16> {
    let mut active = Vec::new();
    let seen = position.seen_by(seen_by);
    G::active_features(&seen, None, |feature| active.push(u16::try_from(feature).unwrap()));
    active
}

/// An output in numbers that nothing is too large for, one hidden unit after the other.
fn slow_output(network: &Network, output: &Output, views: [&[u16]; 2]) -> i64 {
    let of_unit = |(view, unit): (usize, usize)| {
        let (block, unit) = (unit / BLOCK, unit % BLOCK);
        let row = |&feature: &u16| {
            i64::from(network.rows[usize::from(feature) * network.blocks + block].units()[unit])
        };
        let sum = i64::from(network.bias[block].units()[unit]) + views[view].iter().map(row).sum::<i64>();
        let cut_off = sum.clamp(0, i64::from(HIDDEN_ONE));
        cut_off * cut_off * i64::from(output.weights[view * network.blocks + block].units()[unit])
    };
    let units = (0..network.views()).flat_map(|view| (0..network.hidden()).map(move |unit| (view, unit)));
    i64::from(output.bias) + units.map(of_unit).sum::<i64>()
}

#[test]
fn a_score_is_what_the_sums_one_by_one_say() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for size in [0.1, 1.0, 1.9] {
        let network = network(Wari::FEATURES, size);
        for position in playout::positions(Wari::default(), 60, &mut rng) {
            let [own, other] = [position.turn(), !position.turn()].map(|player| active(&position, player));
            let (phase, views) = (usize::from(position.turn() == Player::Two), [&*own, &*other]);
            let direct: i64 = own.iter().map(|&i| i64::from(network.direct[usize::from(i)])).sum();
            let [expected, draw] =
                network.outputs[phase].each_ref().map(|of| slow_output(&network, of, views));
            let units = (direct + expected) * i64::from(Score::UNITS) / i64::from(ONE);
            let input = Input { phase, views };
            assert_eq!(i64::from(network.score(input).units()), units, "{position}");
            #[expect(clippy::cast_precision_loss, reason = "a share need not be exact")]
            let z: f64 = draw as f64 / f64::from(ONE);
            let share = f64::midpoint(1.0, z / (1.0 + z * z).sqrt());
            assert!((network.draw_share(input) - share).abs() < 1e-9, "{position}");
        }
    }
}

#[test]
fn what_is_too_large_is_cut_off_and_overflows_nothing() {
    let network = network(Wari::FEATURES, 1e9);
    let position = Wari::default();
    let views = [&*active(&position, Player::One), &*active(&position, Player::Two)];
    let input = Input { phase: 0, views };
    assert!(network.score(input).units().abs() <= Score::LIMIT);
    assert!((0.0..=1.0).contains(&network.draw_share(input)));
}

#[test]
fn the_sum_of_as_many_hidden_units_as_there_may_be_fits() {
    let hidden = Network::MOST_HIDDEN;
    for sign in [1.0, -1.0] {
        let largest = || vec![sign * 2.0; hidden];
        let weights = Weights {
            hidden,
            rows: vec![0.0; Wari::FEATURES * hidden],
            bias: vec![1.0; hidden],
            direct: vec![0.0; Wari::FEATURES],
            outputs: vec![[(largest(), 0.0), (largest(), 0.0)]],
        };
        let network = Network::rounded(&weights, Calibration::NONE);
        let input = Input { phase: 0, views: [&[], &[]] };
        assert_eq!(network.score(input).units(), if sign > 0.0 { Score::LIMIT } else { -Score::LIMIT });
        let draw = &network.outputs[0][1];
        assert_eq!(
            network.sums([draw], network.with_bias(input)),
            [slow_output(&network, draw, input.views)]
        );
    }
}

#[test]
fn a_network_is_read_as_it_was_written() {
    let decisive = [0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.995];
    let drawish = [0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.1, 0.3, 0.5, 0.6, 0.7];
    let draw_share = [0.3, 0.31, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 0.91];
    let curves = Curves::new([decisive, drawish], draw_share);
    let calibration = Calibration::new([curves, Curves::LINES]);
    let network = network(Wari::FEATURES, 1.0).calibrated(calibration);
    assert_eq!(Network::read(&network.to_bytes(), Wari::FEATURES), Ok(network));
}

#[test]
fn other_bytes_are_refused() {
    let network = network(Wari::FEATURES, 1.0);
    let bytes = network.to_bytes();
    let read = |bytes: &[u8]| Network::read(bytes, Wari::FEATURES).unwrap_err();
    assert_eq!(read(b""), MalformedNetwork::NotANetwork);
    assert_eq!(read(&[7; 1000]), MalformedNetwork::NotANetwork);
    for place in [8, 12, 100, bytes.len() - 40, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        assert_eq!(read(&changed), MalformedNetwork::Damaged, "{place}");
    }
    for length in [40, 41, 1000, bytes.len() - 1] {
        assert_eq!(read(&bytes[..length]), MalformedNetwork::Damaged, "{length}");
    }
    assert_eq!(Network::read(&bytes, 7).unwrap_err(), MalformedNetwork::OtherGame(Wari::FEATURES, 7));
}

#[test]
fn numbers_that_fit_nothing_are_refused_though_the_digest_is_right() {
    use sha2::{Digest, Sha256};
    let with_digest = |content: &[u8]| [content, &*Sha256::digest(content)].concat();
    let bytes = network(Wari::FEATURES, 1.0).to_bytes();
    let content = &bytes[..bytes.len() - 32];
    for (hidden, views) in
        [(0_u32, 2_u32), (31, 1), (48, 1), (288, 1), (160, 2), (u32::MAX, 1), (32, 0), (32, 3)]
    {
        let mut changed = content.to_vec();
        changed[12..16].copy_from_slice(&hidden.to_le_bytes());
        changed[16..20].copy_from_slice(&views.to_le_bytes());
        let read = Network::read(&with_digest(&changed), Wari::FEATURES);
        assert_eq!(read, Err(MalformedNetwork::Hidden(hidden as usize, views as usize)));
    }
    let mut heavy = content.to_vec();
    let weight = 24 + (Wari::FEATURES + 1) * HIDDEN * 2 + Wari::FEATURES * 4;
    heavy[weight..weight + 2].copy_from_slice(&128_i16.to_le_bytes());
    let mut without_phases = content.to_vec();
    without_phases[20..24].fill(0);
    for other in [&content[..content.len() - 1], &[content, &[0]].concat(), &heavy, &without_phases] {
        let read = Network::read(&with_digest(other), Wari::FEATURES);
        assert_eq!(read, Err(MalformedNetwork::Damaged));
    }
}

fn its_features_are_what_it_says<G: Playable>() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for _ in 0..30 {
        for position in playout::positions(G::default(), 200, &mut rng) {
            assert!(position.phase() < G::PHASES, "{position}");
            let mut active = active(&position, position.turn());
            assert!((1..=G::MOST_ACTIVE).contains(&active.len()), "{position}");
            assert!(active.iter().all(|&feature| usize::from(feature) < G::FEATURES), "{position}");
            active.sort_unstable();
            assert!(active.is_sorted_by(|a, b| a < b), "{position} has a feature twice");
        }
    }
    let mut used = vec![false; G::GROUPS];
    for group in (0..G::FEATURES).flat_map(G::groups) {
        used[group] = true;
    }
    assert!(used.into_iter().all(|used| used), "a group has no features");
}

#[test]
fn the_features_of_every_game_are_what_it_says() {
    for &game in GameId::ALL {
        with_game!(game, G => its_features_are_what_it_says::<G>());
    }
}

#[test]
fn the_network_of_every_game_is_whole() {
    for &game in GameId::ALL {
        let (network, features, phases) = with_game!(game, G => (G::network(), G::FEATURES, G::PHASES));
        assert_eq!(network.features(), features, "{game}");
        assert!([1, phases].contains(&network.phases()), "{game}");
    }
}
