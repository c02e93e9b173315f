use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::*;
use crate::{Features, Playable};
use cublino_rules::{
    game::{Game, Player, playout},
    games::{GameId, Wari},
    with_game,
};

/// Blocks of hidden units of random networks.
const BLOCKS: usize = 3;

impl Network {
    /// A network that adds a number for each feature, as a fraction (1 / `parts`) of an output of 1.
    pub(crate) fn adding(numbers: impl Iterator<Item = i32>, parts: i32) -> Self {
        let direct: Vec<_> = numbers.map(|number| number * ONE / parts).collect();
        Self { rows: vec![vec![Block::default(); direct.len()]], direct, ..Self::untrained(0) }
    }

    /// A network with random weights up to a size, within their limits.
    fn drawn(features: usize, size: f64) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let mut drawn = |one: i32, limit: i32| {
            let weight = rng.random_range(-size..=size) * f64::from(one);
            #[expect(clippy::cast_possible_truncation, reason = "the limit fits")]
            let weight = weight.clamp(f64::from(-limit), f64::from(limit)) as i32;
            weight
        };
        let mut blocks = |count, one, limit| -> Vec<Block> {
            let mut block = || {
                let mut block = Block::default();
                block.units_mut().fill_with(|| drawn(one, limit).try_into().unwrap());
                block
            };
            (0..count).map(|_| block()).collect()
        };
        let most = i16::MAX.into();
        let rows = (0..BLOCKS).map(|_| blocks(features, HIDDEN_ONE, most)).collect();
        let bias = blocks(BLOCKS, HIDDEN_ONE, most);
        let mut output = |bias| Output { weights: blocks(2 * BLOCKS, OUTPUT_ONE, OUTPUT_LIMIT), bias };
        let outputs = (0..2).map(|_| [output(ONE / 4), output(-ONE / 2)]).collect();
        let direct = (0..features).map(|_| drawn(ONE, 5 * ONE)).collect();
        Self { blocks: BLOCKS, views: 2, rows, bias, direct, outputs, calibration: Calibration::NONE }
    }
}

/// The file of the network for Wari.
const FILE: &[u8] = include_bytes!("../weights/wari.net");

/// The features of a position as a player sees them.
fn active<G: Features>(position: &G, seen_by: Player) -> Vec<u16> {
    let mut active = Vec::new();
    let seen = position.seen_by(seen_by);
    G::active_features(&seen, None, |feature| active.push(u16::try_from(feature).unwrap()));
    active
}

/// An output in 64-bit numbers, which cannot overflow, one hidden unit after the other.
fn slow_output(network: &Network, output: &Output, views: [&[u16]; 2]) -> i64 {
    let of_unit = |(view, unit): (usize, usize)| {
        let (block, unit) = (unit / BLOCK, unit % BLOCK);
        let row = |&feature: &u16| i64::from(network.rows[block][usize::from(feature)].units()[unit]);
        let sum = i64::from(network.bias[block].units()[unit]) + views[view].iter().map(row).sum::<i64>();
        let cut_off = sum.clamp(0, i64::from(HIDDEN_ONE));
        cut_off * cut_off * i64::from(output.weights[view * network.blocks + block].units()[unit])
    };
    let units = (0..network.views).flat_map(|view| (0..network.blocks * BLOCK).map(move |unit| (view, unit)));
    i64::from(output.bias) + units.map(of_unit).sum::<i64>()
}

#[test]
fn a_score_is_what_the_sums_one_by_one_say() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for size in [0.1, 1.0, 1.9] {
        let network = Network::drawn(Wari::FEATURES.count, size);
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
fn the_largest_weights_overflow_nothing() {
    let network = Network::drawn(Wari::FEATURES.count, 1e9);
    let position = Wari::default();
    let views = [&*active(&position, Player::One), &*active(&position, Player::Two)];
    let input = Input { phase: 0, views };
    assert!(network.score(input).units().abs() <= Score::LIMIT);
    assert!((0.0..=1.0).contains(&network.draw_share(input)));
}

#[test]
fn the_sum_of_as_many_hidden_units_as_there_may_be_fits() {
    for sign in [1, -1] {
        let blocks = |unit: i32| {
            let mut block = Block::default();
            block.units_mut().fill(unit.try_into().unwrap());
            vec![block; Network::MOST_HIDDEN / BLOCK]
        };
        let largest = || Output { weights: blocks(sign * OUTPUT_LIMIT), bias: 0 };
        let network = Network {
            blocks: Network::MOST_HIDDEN / BLOCK,
            views: 1,
            rows: vec![Vec::new(); Network::MOST_HIDDEN / BLOCK],
            bias: blocks(HIDDEN_ONE),
            outputs: vec![[largest(), largest()]],
            ..Network::untrained(0)
        };
        let input = Input { phase: 0, views: [&[], &[]] };
        assert_eq!(network.score(input).units(), if sign > 0 { Score::LIMIT } else { -Score::LIMIT });
        let draw = &network.outputs[0][1];
        let sum = i64::from(weighed(&network.bias, &draw.weights));
        assert_eq!(sum, slow_output(&network, draw, input.views));
    }
}

#[test]
fn other_bytes_are_refused() {
    let read = |bytes: &[u8]| Network::read(bytes, Wari::FEATURES.count).unwrap_err();
    assert_eq!(read(b""), MalformedNetwork::NotANetwork);
    assert_eq!(read(&[7; 1000]), MalformedNetwork::NotANetwork);
    for place in [8, 12, 100, FILE.len() - 40, FILE.len() - 1] {
        let mut changed = FILE.to_vec();
        changed[place] ^= 1;
        assert_eq!(read(&changed), MalformedNetwork::Damaged, "{place}");
    }
    for length in [40, 41, 1000, FILE.len() - 1] {
        assert_eq!(read(&FILE[..length]), MalformedNetwork::Damaged, "{length}");
    }
    assert_eq!(Network::read(FILE, 7).unwrap_err(), MalformedNetwork::OtherGame(Wari::FEATURES.count, 7));
}

#[test]
fn numbers_that_fit_nothing_are_refused_though_the_digest_is_right() {
    use sha2::{Digest, Sha256};
    let with_digest = |content: &[u8]| [content, &*Sha256::digest(content)].concat();
    let content = &FILE[..FILE.len() - 32];
    for (hidden, views) in
        [(0_u32, 2_u32), (31, 1), (48, 1), (288, 1), (160, 2), (u32::MAX, 1), (32, 0), (32, 3)]
    {
        let mut changed = content.to_vec();
        changed[12..16].copy_from_slice(&hidden.to_le_bytes());
        changed[16..20].copy_from_slice(&views.to_le_bytes());
        let read = Network::read(&with_digest(&changed), Wari::FEATURES.count);
        assert_eq!(read, Err(MalformedNetwork::Hidden(hidden as usize, views as usize)));
    }
    let mut heavy = content.to_vec();
    let hidden = Wari::network().blocks * BLOCK;
    let weight = 24 + (Wari::FEATURES.count + 1) * hidden * 2 + Wari::FEATURES.count * 4;
    heavy[weight..weight + 2].copy_from_slice(&128_i16.to_le_bytes());
    let mut without_phases = content.to_vec();
    without_phases[20..24].fill(0);
    for other in [&content[..content.len() - 1], &[content, &[0]].concat(), &heavy, &without_phases] {
        let read = Network::read(&with_digest(other), Wari::FEATURES.count);
        assert_eq!(read, Err(MalformedNetwork::Damaged));
    }
}

fn its_features_are_what_it_says<G: Playable>() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for _ in 0..30 {
        for position in playout::positions(G::default(), 200, &mut rng) {
            assert!(position.phase() < G::FEATURES.phases, "{position}");
            let mut active = active(&position, position.turn());
            assert!((1..=G::FEATURES.most_active).contains(&active.len()), "{position}");
            assert!(active.iter().all(|&feature| usize::from(feature) < G::FEATURES.count), "{position}");
            active.sort_unstable();
            assert!(active.is_sorted_by(|a, b| a < b), "{position} has a feature twice");
        }
    }
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
        let (network, features, phases) =
            with_game!(game, G => (G::network(), G::FEATURES.count, G::FEATURES.phases));
        assert_eq!(network.direct.len(), features, "{game}");
        assert!([1, phases].contains(&network.outputs.len()), "{game}");
    }
}
