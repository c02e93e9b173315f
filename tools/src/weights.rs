//! Networks as files that the engine reads, and their weights as floats. `crates/engine/src/network/file.rs`
//! reads the format.

use sha2::{Digest, Sha256};

use cublino_engine::{
    Calibration, Curves,
    network::{HIDDEN_ONE, Network, OUTPUT_LIMIT, OUTPUT_ONE},
};

/// The last byte is the version.
const MAGIC: [u8; 8] = *b"CUBNET\0\x04";
const DIGEST: usize = 32;
/// The integer that stands for 1 in an output.
const ONE: i32 = HIDDEN_ONE * HIDDEN_ONE * OUTPUT_ONE;
/// The largest direct weight of a feature: 5 in an output.
const MOST_DIRECT: i32 = ONE * 5;
/// Numbers of the calibration are whole ten-thousandths.
const CALIBRATION_ONE: f64 = 10_000.0;
/// Bytes of a calibration.
const CALIBRATION: usize = 2 * 3 * Curves::POINTS * 2;

/// The weights of a network as floats, before they are scaled, rounded and clamped.
#[derive(Clone, Debug)]
pub struct Weights {
    /// Hidden units of a view, a multiple of [`Network::FEWEST_HIDDEN`] up to [`Network::MOST_HIDDEN`].
    pub hidden: usize,
    /// The rows of the features, one after the other.
    pub rows: Vec<f32>,
    /// The bias of the hidden units.
    pub bias: Vec<f32>,
    /// The direct weight of each feature for the first output: its integers in files are too large for an
    /// `f32`.
    pub direct: Vec<f64>,
    /// For each phase and output the weights of the hidden units, view by view, and the constant.
    pub outputs: Vec<[(Vec<f32>, f64); 2]>,
}

impl Weights {
    /// The file of an uncalibrated network with these weights, rounded and clamped.
    ///
    /// # Panics
    /// Panics if the numbers of weights do not fit together, or a network cannot have so many hidden units.
    pub fn to_file(&self) -> Vec<u8> {
        let Self { hidden, rows, bias, direct, outputs } = self;
        let (features, views) = (direct.len(), outputs[0][0].0.len() / hidden);
        assert!(
            Network::may_have(*hidden, views) && rows.len() == features * hidden && bias.len() == *hidden
        );
        let mut file = MAGIC.to_vec();
        for size in [features, *hidden, views, outputs.len()] {
            file.extend(u32::try_from(size).expect("networks are far smaller").to_le_bytes());
        }
        extend_16(&mut file, rows, HIDDEN_ONE, i16::MAX.into());
        extend_16(&mut file, bias, HIDDEN_ONE, i16::MAX.into());
        for &weight in direct {
            file.extend(rounded(weight, ONE, MOST_DIRECT).to_le_bytes());
        }
        for (weights, constant) in outputs.as_flattened() {
            assert_eq!(weights.len(), views * hidden);
            extend_16(&mut file, weights, OUTPUT_ONE, OUTPUT_LIMIT);
            file.extend(rounded(*constant, ONE, i32::MAX / 4).to_le_bytes());
        }
        with_end(file, &Calibration::NONE)
    }

    /// The weights in a file, which the engine has read.
    pub fn of_file(file: &[u8]) -> Self {
        let mut reader = Reader(&file[MAGIC.len()..]);
        let [features, hidden, views, phases] = [(); 4].map(|()| reader.size());
        let rows = reader.floats_16(features * hidden, HIDDEN_ONE);
        let bias = reader.floats_16(hidden, HIDDEN_ONE);
        let direct = (0..features).map(|_| reader.float_32()).collect();
        let mut output = || (reader.floats_16(views * hidden, OUTPUT_ONE), reader.float_32());
        let outputs = (0..phases).map(|_| [output(), output()]).collect();
        Self { hidden, rows, bias, direct, outputs }
    }
}

/// The file of the same network with another calibration.
pub fn calibrated(file: &[u8], calibration: &Calibration) -> Vec<u8> {
    with_end(file[..file.len() - CALIBRATION - DIGEST].to_vec(), calibration)
}

/// Appends the calibration and the digest.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "they are between 0 and 1")]
fn with_end(mut file: Vec<u8>, calibration: &Calibration) -> Vec<u8> {
    for point in calibration.0.iter().flat_map(|curves| curves.0).flatten() {
        file.extend(((point * CALIBRATION_ONE).round() as u16).to_le_bytes());
    }
    let digest = Sha256::digest(&file);
    file.extend(digest);
    file
}

fn extend_16(file: &mut Vec<u8>, weights: &[f32], one: i32, limit: i32) {
    for &weight in weights {
        let weight = i16::try_from(rounded(weight.into(), one, limit)).expect("the limit fits");
        file.extend(weight.to_le_bytes());
    }
}

#[expect(clippy::cast_possible_truncation, reason = "what is cut off fits")]
fn rounded(weight: f64, one: i32, limit: i32) -> i32 {
    (weight * f64::from(one)).round().clamp(f64::from(-limit), f64::from(limit)) as i32
}

/// Takes numbers from the front of bytes.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_first_chunk().expect("the engine has read the file");
        self.0 = rest;
        *taken
    }

    fn size(&mut self) -> usize {
        u32::from_le_bytes(self.take()).try_into().expect("it fits into memory")
    }

    fn floats_16(&mut self, count: usize, one: i32) -> Vec<f32> {
        #[expect(clippy::cast_precision_loss, reason = "it is small")]
        let one = one as f32;
        (0..count).map(|_| f32::from(i16::from_le_bytes(self.take())) / one).collect()
    }

    fn float_32(&mut self) -> f64 {
        f64::from(i32::from_le_bytes(self.take())) / f64::from(ONE)
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write, num::NonZeroUsize, ops::ControlFlow, path::Path};

    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;
    use tempfile::NamedTempFile;

    use crate::arena::{self, Match, Report};
    use cublino_engine::{Features, Learned, Playable, Score, Tablebases, network::Input};
    use cublino_rules::{
        game::{Game, Notation, playout},
        games::{GameId, Pur, Wari},
        with_game,
    };

    use super::*;

    impl Weights {
        /// With nothing but zeros.
        pub(crate) fn zero(features: usize, hidden: usize) -> Self {
            Self {
                hidden,
                rows: vec![0.0; features * hidden],
                bias: vec![0.0; hidden],
                direct: vec![0.0; features],
                outputs: vec![[(vec![0.0; hidden], 0.0), (vec![0.0; hidden], 0.0)]],
            }
        }

        /// Both outputs, one hidden unit after the other.
        fn of_position(&self, Input { phase, views }: Input<'_>) -> [f64; 2] {
            let mut units = Vec::new();
            for active in views {
                for unit in 0..self.hidden {
                    let row = |&feature: &u16| self.rows[usize::from(feature) * self.hidden + unit];
                    let sum = self.bias[unit] + active.iter().map(row).sum::<f32>();
                    units.push(sum.clamp(0.0, 1.0).powi(2));
                }
            }
            let direct: f64 = views[0].iter().map(|&feature| self.direct[usize::from(feature)]).sum();
            let [expected, draw] = self.outputs[phase].each_ref().map(|(weights, constant)| {
                constant
                    + weights.iter().zip(&units).map(|(weight, unit)| f64::from(weight * unit)).sum::<f64>()
            });
            [direct + expected, draw]
        }
    }

    /// With weights drawn up to a size.
    fn drawn(size: f32) -> Weights {
        let (features, hidden) = (Wari::FEATURES.count, 3 * Network::FEWEST_HIDDEN);
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let mut drawn = |count| (0..count).map(|_| rng.random_range(-size..=size)).collect::<Vec<_>>();
        Weights {
            hidden,
            rows: drawn(features * hidden),
            bias: drawn(hidden),
            direct: drawn(features).into_iter().map(f64::from).collect(),
            outputs: (0..Wari::FEATURES.phases)
                .map(|_| [(drawn(2 * hidden), 0.25), (drawn(2 * hidden), -0.5)])
                .collect(),
        }
    }

    #[test]
    fn the_networks_of_the_program_are_written_as_they_were_read() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/engine/src/weights");
        for &game in GameId::ALL {
            let (name, learned) = with_game!(game, G => (G::ABOUT.id, Learned::built_in::<G>()));
            let file = fs::read(directory.join(format!("{name}.net"))).unwrap();
            let again = calibrated(&Weights::of_file(&file).to_file(), &learned.network.calibration);
            assert!(again == file, "{game} is written otherwise");
        }
    }

    #[test]
    fn the_engine_reads_the_weights_that_were_written() {
        let weights = drawn(0.4);
        let network = Network::read(&weights.to_file(), Wari::FEATURES.count).unwrap();
        assert_eq!(network.calibration, Calibration::NONE);
        let learned = Learned::from(network);
        let mut rng = Pcg64Mcg::seed_from_u64(2);
        for position in playout::positions(Wari::default(), 60, &mut rng) {
            if position.evaluate().is_some() || position.stage().outcome().is_some() {
                continue;
            }
            let views = [position.turn(), !position.turn()].map(|player| {
                let mut active = Vec::new();
                Wari::active_features(&position.seen_by(player), None, |feature| {
                    active.push(u16::try_from(feature).unwrap());
                });
                active
            });
            let views = views.each_ref().map(|active| &**active);
            let [wanted, draw] = weights.of_position(Input { phase: position.phase(), views });
            let found = f64::from(learned.evaluate(&position).units()) / f64::from(Score::UNITS);
            assert!((found - wanted).abs() < 0.1 * wanted.abs() + 0.1, "{position}: {found} {wanted}");
            let share = f64::midpoint(1.0, draw / (1.0 + draw * draw).sqrt());
            assert!((learned.draw_share(&position) - share).abs() < 0.05, "{position}");
        }
    }

    #[test]
    fn what_is_too_large_is_cut_off() {
        let learned = Learned::from(Network::read(&drawn(1e9).to_file(), Wari::FEATURES.count).unwrap());
        assert!(learned.evaluate(&Wari::default()).units().abs() <= Score::LIMIT);
    }

    #[test]
    fn the_engine_reads_the_calibration_that_was_written() {
        let decisive = [0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.995];
        let drawish = [0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.1, 0.3, 0.5, 0.6, 0.7];
        let draw_share = [0.3, 0.31, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 0.91];
        let curves = Curves([decisive, drawish, draw_share]);
        let calibration = Calibration([curves, Calibration::NONE.0[0]]);
        let file = drawn(1.0).to_file();
        let network = Network::read(&calibrated(&file, &calibration), Wari::FEATURES.count).unwrap();
        assert_eq!(network.calibration, calibration);
        assert!(calibrated(&calibrated(&file, &calibration), &Calibration::NONE) == file);
    }

    /// A match of a player against the same one with a network for Wari that expects the same everywhere.
    fn against_blind<G: Playable + Notation>(player: &str) -> Result<Report, arena::NetworkFileError> {
        let mut file = NamedTempFile::new().unwrap();
        file.write_all(&Weights::zero(Wari::FEATURES.count, Network::FEWEST_HIDDEN).to_file()).unwrap();
        let blind = format!("{player},network={}", file.path().display());
        let [one, two] = [player, &blind].map(|spec| spec.parse().unwrap());
        let config = Match { one, two, games: 20, seed: 1, threads: NonZeroUsize::MIN };
        arena::run::<G>(&config, &Tablebases::none(), &mut |_, _| ControlFlow::Continue(()))
    }

    #[test]
    fn two_evaluations_of_one_game_play_each_other() {
        let report = against_blind::<Wari>("depth=2").unwrap();
        assert!(report.score() > 0.7, "{report}");
    }

    #[test]
    fn a_network_of_another_game_is_refused() {
        let refused = against_blind::<Pur>("greedy").unwrap_err();
        assert!(refused.to_string().contains("does not hold a network of this game"), "{refused}");
    }
}
