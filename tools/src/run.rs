//! A training run: self-play and fits, generation by generation.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use super::{
    calibration::Fitted,
    fit::{Fit, Pass},
    game_file::{self, GameFileError},
    games_to_keep::{Held, play_missing},
    samples::Samples,
    self_play::SelfPlay,
    training::Training,
    weights,
};
use cublino_engine::{
    Calibration, Engine, Learned, Playable, SearchLimits, Tablebases, Techniques, network::Network,
    whole_file,
};

/// Settings of a training run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where games and networks are kept. A run with the same [settings](Self::settings) resumes what is
    /// there.
    pub directory: PathBuf,
    /// The network that plays the first generation; without one, it is untrained.
    pub start: Option<PathBuf>,
    /// Hidden units of the network, a multiple of [`Network::FEWEST_HIDDEN`] up to [`Network::MOST_HIDDEN`].
    pub hidden: usize,
    /// Views of a position: 1 for that of the side to move, 2 for both players.
    pub views: usize,
    /// Number of rounds of self-play and training.
    pub generations: u32,
    /// Moves and rolls of a generation; the first generations play fewer.
    pub positions: u64,
    /// Number of latest generations to learn from, at least one: older ones were played worse.
    pub window: u32,
    /// Nodes per move, fewer in the first generations; in games with dice, the search looks one ply ahead
    /// instead.
    pub nodes: u64,
    /// Passes (epochs) over the positions of a generation.
    pub passes: u32,
    /// Learning rate at the start of a generation; it falls to a hundredth.
    pub rate: f32,
    /// The λ of TD(λ): see [`Samples::new`].
    pub lambda: f32,
    /// Probability that one player of a game has a habit. Such games are long, so a few give enough
    /// positions.
    pub habits: f64,
    /// Calibration games at the lower number of [nodes per move](Calibration::NODES); without dice, half as
    /// many are played at the higher one.
    pub calibration_games: u64,
    /// Random seed.
    pub seed: u64,
    /// Number of threads that play and learn, which does not change the network.
    pub threads: NonZeroUsize,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// A game has been played.
    Played {
        /// The generation, from 1.
        generation: u32,
        /// Moves and rolls of the generation so far.
        positions: u64,
        /// Moves and rolls to play.
        of: u64,
    },
    /// A pass over the positions is complete.
    Fitted {
        /// The generation, from 1.
        generation: u32,
        /// Number of training positions.
        positions: usize,
        /// The losses of the pass.
        pass: Pass,
    },
    /// A calibration game has been played.
    Calibrated {
        /// Games so far.
        games: u64,
        /// Games to play.
        of: u64,
    },
}

/// Why a training run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The directory or a file in it cannot be written.
    #[error("{} cannot be written: {reason}", .path.display())]
    Unwritable {
        /// The file or directory.
        path: PathBuf,
        /// Why not.
        reason: io::Error,
    },
    /// A network, or the settings of the directory, cannot be read.
    #[error("{} cannot be read: {reason}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: io::Error,
    },
    /// Another run is going on in the directory.
    #[error("another run is in progress: {} is locked", .path.display())]
    InUse {
        /// The file that is locked.
        path: PathBuf,
    },
    /// The directory belongs to a run with other settings.
    #[error("{} belongs to the run `{begun}`; resume that, or use another directory", .path.display())]
    OtherSettings {
        /// The directory.
        path: PathBuf,
        /// The command of that run.
        begun: String,
    },
    /// The games cannot be read or written.
    #[error(transparent)]
    Games(#[from] GameFileError),
    /// A file is not a network of the game.
    #[error("{} is not a network of this game: {reason}", .path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
}

/// Moves and rolls of the first generation, doubled in each of the next, up to [`Plan::positions`].
const FIRST_POSITIONS: u64 = 200_000;
/// Nodes per move in the first generation, doubled in the same way up to [`Plan::nodes`].
const FIRST_NODES: u64 = 50;
/// Probability of a random move: with an untrained network, later, and later in games with dice, where the
/// rolls make games differ.
const RANDOM_AT_FIRST: f64 = 0.5;
const RANDOM: f64 = 0.05;
const RANDOM_WITH_DICE: f64 = 0.0;
/// Distance between the seeds of two generations. Numbers of games are far below it, so no two games share a
/// seed.
const SEEDS_OF_GENERATION: u64 = 1 << 32;

impl Plan {
    /// Trains a network generation by generation, and returns the file of the last one, calibrated.
    ///
    /// # Errors
    /// Fails if another run uses the directory, if it belongs to other settings, or if a file cannot be read,
    /// written or used.
    pub fn run<G: Training>(&self, on_progress: &mut dyn FnMut(Progress)) -> Result<Vec<u8>, RunError> {
        create_dir(&self.directory)?;
        let _lock = self.lock()?;
        self.begin::<G>()?;
        let mut network = match &self.start {
            Some(path) => checked::<G>(path, fs::read(path).map_err(unreadable(path))?)?,
            None => Fit { passes: 0, ..self.fit(0) }.fit::<G>(None, &Samples::new(self.lambda), &mut |_| {}),
        };
        for generation in 1..=self.generations {
            let path = self.path(generation, "net");
            if let Some(file) = read_if_there(&path)? {
                network = checked::<G>(&path, file)?;
                continue;
            }
            self.play::<G>(generation, &network, on_progress)?;
            let mut samples = Samples::new(self.lambda);
            for played in generation.saturating_sub(self.window - 1).max(1)..=generation {
                samples.add_file::<G>(&self.path(played, "games"))?;
            }
            let positions = samples.len();
            // Each network starts from the one before: a result that is twenty turns away reaches a position
            // in as many small steps, one per generation.
            network = self.fit(generation).fit::<G>(Some(&*network), &samples, &mut |pass| {
                on_progress(Progress::Fitted { generation, positions, pass });
            });
            write(&path, &network)?;
        }
        let network = self.calibrated::<G>(&network, on_progress)?;
        write(&self.result(), &network)?;
        Ok(network)
    }

    /// The command with all settings that games and networks depend on, without the numbers of generations
    /// and of calibration games.
    #[must_use]
    pub fn settings(&self, game: &str) -> String {
        let Self {
            start, hidden, views, positions, window, nodes, passes, rate, lambda, habits, seed, ..
        } = self;
        let start = start.as_ref().map(|path| format!(" --start {}", path.display())).unwrap_or_default();
        format!(
            "tools train {game}{start} --hidden {hidden} --views {views} --positions {positions} \
             --window {window} --nodes {nodes} --passes {passes} --rate {rate} --lambda {lambda} \
             --habits {habits} --seed {seed}"
        )
    }

    /// Writes the settings to the directory, or fails if it belongs to a run with others.
    fn begin<G: Playable>(&self) -> Result<(), RunError> {
        let (path, settings) = (self.directory.join("settings.txt"), self.settings(G::ABOUT.id));
        let Some(begun) = read_if_there(&path)? else {
            return write(&path, format!("{settings}\n").as_bytes());
        };
        let begun = String::from_utf8_lossy(&begun).trim_end().to_owned();
        if begun == settings {
            Ok(())
        } else {
            Err(RunError::OtherSettings { path: self.directory.clone(), begun })
        }
    }

    /// Keeps other runs away from the directory for as long as the file is open.
    fn lock(&self) -> Result<File, RunError> {
        let path = self.directory.join("lock");
        let unwritable = |reason| RunError::Unwritable { path: path.clone(), reason };
        let file = File::create(&path).map_err(unwritable)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(RunError::InUse { path }),
            Err(TryLockError::Error(reason)) => Err(unwritable(reason)),
        }
    }

    /// The network, calibrated by games that it plays.
    fn calibrated<G: Training>(
        &self,
        network: &[u8],
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<Vec<u8>, RunError> {
        // One that was put into the directory may have been calibrated before.
        let network = weights::calibrated(network, &Calibration::NONE);
        if self.calibration_games == 0 {
            return Ok(network);
        }
        let engine = engine::<G>(&network);
        let seed = self.seed.wrapping_add(u64::from(u32::MAX) * SEEDS_OF_GENERATION);
        let few = self.calibration_games;
        // Four times as many nodes take four times as long.
        let many = few.div_ceil(2);
        // With dice, they are not enough to look further ahead, and play is much the same.
        let has_both = G::ROLLS.is_empty();
        let of = if has_both { few + many } else { few };
        let mut curves = |count, nodes, before| {
            let path = self.calibration_games_path(nodes);
            let settings = SelfPlay::to_calibrate(nodes);
            let on_game = &mut |held: Held| {
                on_progress(Progress::Calibrated { games: before + held.games, of });
            };
            let is_enough = |held: Held| held.games >= count;
            play_missing::<G>(&path, (&engine, &settings, seed), self.threads, is_enough, on_game)?;
            let (mut fitted, mut taken) = (Fitted::default(), 0);
            game_file::read(&path, |game| {
                taken += 1;
                if taken <= count { fitted.add_game::<G>(&engine.evaluator, &game) } else { Ok(()) }
            })?;
            Ok::<_, RunError>(fitted.curves())
        };
        let [few_nodes, many_nodes] = Calibration::NODES;
        let of_few = curves(few, few_nodes, 0)?;
        let of_many = if has_both { curves(many, many_nodes, few)? } else { of_few };
        Ok(weights::calibrated(&network, &Calibration([of_few, of_many])))
    }

    /// The file with the calibration games of the last network at `nodes` nodes per move.
    #[must_use]
    pub fn calibration_games_path(&self, nodes: u64) -> PathBuf {
        self.path(self.generations, &format!("{nodes}.games"))
    }

    /// The file with the result.
    #[must_use]
    pub fn result(&self) -> PathBuf {
        self.directory.join("network.net")
    }

    /// The file with the games of a generation, or with its network.
    #[must_use]
    pub fn path(&self, generation: u32, extension: &str) -> PathBuf {
        self.directory.join(format!("{generation:02}.{extension}"))
    }

    const fn fit(&self, generation: u32) -> Fit {
        let Self { hidden, views, passes, rate, seed, threads, .. } = *self;
        Fit { hidden, views, passes, rate, seed: seed.wrapping_add(generation as u64), threads }
    }

    /// A number that doubles with each generation; without limit if there is a network to start from.
    fn grown(&self, first: u64, generation: u32) -> u64 {
        if self.start.is_some() { u64::MAX } else { first << (generation - 1).min(20) }
    }

    /// The settings of self-play in a generation.
    fn self_play<G: Playable>(&self, generation: u32) -> SelfPlay {
        let is_first = generation == 1 && self.start.is_none();
        let nodes = self.grown(FIRST_NODES, generation).min(self.nodes);
        let limits = if G::ROLLS.is_empty() {
            SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
        } else {
            SearchLimits { depth: Some(1), ..SearchLimits::default() }
        };
        SelfPlay {
            limits,
            opening: 0..=10,
            random: match (is_first, G::ROLLS.is_empty()) {
                (true, _) => RANDOM_AT_FIRST,
                (false, true) => RANDOM,
                (false, false) => RANDOM_WITH_DICE,
            },
            habits: self.habits,
            max_plies: 200,
            repetition_limit: 3,
            values: !is_first,
            values_before_rolls: !is_first,
        }
    }

    /// Plays the games of a generation that are missing.
    fn play<G: Training>(
        &self,
        generation: u32,
        network: &[u8],
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<(), GameFileError> {
        let path = self.path(generation, "games");
        let of = self.grown(FIRST_POSITIONS, generation).min(self.positions);
        let engine = if G::ROLLS.is_empty() {
            engine::<G>(network)
        } else {
            // Values before rolls are on the scale of the network. Values after rolls must be, too: their
            // difference counts as luck.
            engine::<G>(&weights::calibrated(network, &Calibration::NONE))
        };
        let seed = self.seed.wrapping_add(u64::from(generation) * SEEDS_OF_GENERATION);
        let settings = self.self_play::<G>(generation);
        let on_game = &mut |Held { positions, .. }| {
            on_progress(Progress::Played { generation, positions, of });
        };
        let is_enough = |held: Held| held.positions >= of;
        play_missing::<G>(&path, (&engine, &settings, seed), self.threads, is_enough, on_game)
    }
}

fn engine<G: Playable>(network: &[u8]) -> Engine {
    let (tablebases, techniques) = (Tablebases::built_in(), Techniques::default());
    Engine { evaluator: learned::<G>(network), tablebases, techniques }
}

/// The evaluation by a network, which is a file that was checked or written here.
pub(super) fn learned<G: Playable>(network: &[u8]) -> Learned {
    Learned::from(Network::read(network, G::FEATURES.count).expect("it is a network of the game"))
}

fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, RunError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(reason) => Err(unreadable(path)(reason)),
    }
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> RunError {
    |reason| RunError::Unreadable { path: path.to_owned(), reason }
}

/// The file that was read from a path, if it is a network of the game.
fn checked<G: Playable>(path: &Path, file: Vec<u8>) -> Result<Vec<u8>, RunError> {
    match Network::read(&file, G::FEATURES.count) {
        Ok(_) => Ok(file),
        Err(reason) => Err(RunError::Network { path: path.to_owned(), reason: reason.to_string() }),
    }
}

/// Writes a file atomically.
fn write(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let written = whole_file::replace(path, |file| file.write_all(bytes));
    written.map_err(|reason| RunError::Unwritable { path: path.to_owned(), reason })
}

fn create_dir(path: &Path) -> Result<(), RunError> {
    fs::create_dir_all(path).map_err(|reason| RunError::Unwritable { path: path.to_owned(), reason })
}
