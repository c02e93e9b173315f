//! A game that is being played.

use crate::{
    cli::{
        game_file::GameFile,
        source::{Refusal, Source},
    },
    game::Player,
    games::{
        GameId,
        described::{Event, SharedEvent},
    },
    service::{
        PositionQuestion,
        apply::{Applied, Apply, Ply},
        roll::Roll,
        suggestion::{Suggestion, SuggestionsQuestion},
    },
};

/// A game that is being played.
pub struct Session {
    source: Source,
    pub game: GameId,
    /// The state that it starts from.
    start: String,
    /// What has been played.
    pub kept: GameFile,
    /// What has become of that.
    pub now: Applied,
    /// What dice and levels draw from; chance if there is none.
    seed: Option<u64>,
}

impl Session {
    /// Begins a game, or goes on with one.
    pub fn begin(source: Source, game: GameId, kept: GameFile, seed: Option<u64>) -> Result<Self, Refusal> {
        let start = kept.state.clone().unwrap_or_else(|| Source::start(game));
        let now = source.apply(game, &question(&start, &kept))?;
        Ok(Self { source, game, start, kept, now, seed })
    }

    /// Plays a move, or says what was rolled; nothing has been played if that is refused.
    pub fn play(&mut self, text: &str) -> Result<Ply, Refusal> {
        let mut kept = self.kept.clone();
        kept.moves.push(text.to_owned());
        let mut now = self.source.apply(self.game, &question(&self.start, &kept))?;
        let ply = now.plies.pop().expect("what was played is told");
        // As it is recorded, whichever way it was spelt.
        if let Some(last) = kept.moves.last_mut() {
            last.clone_from(&ply.text);
        }
        (self.kept, self.now) = (kept, now);
        Ok(ply)
    }

    /// Rolls the dice.
    pub fn roll(&mut self) -> Result<Ply, Refusal> {
        let seed = self.drawn().map(TryInto::try_into).transpose();
        let question = Roll { state: self.now.state.clone(), seed: seed.unwrap_or_default() };
        let rolled = self.source.roll(self.game, &question)?;
        self.play(&rolled.text)
    }

    /// What a level would play, or the best move if there is none.
    pub fn suggest(&mut self, level: Option<u8>) -> Result<Suggestion, Refusal> {
        /// Enough to see a few plies in any game, and little enough not to be waited for.
        const NODES: u64 = 500_000;
        let seed = self.drawn().unwrap_or_else(|| rand::random_range(0..=u64::from(u32::MAX)));
        let (limit, level) = match level {
            None => (NODES.try_into().ok(), None),
            Some(level) => (None, u64::from(level).try_into().ok()),
        };
        let position = PositionQuestion {
            state: self.start.clone(),
            moves: self.kept.moves.clone(),
            repetition_limit: self.kept.repetition_limit,
        };
        let question = SuggestionsQuestion {
            nodes: limit,
            level,
            seed: seed.try_into().ok().filter(|_| level.is_some()),
            ..SuggestionsQuestion::about([position])
        };
        self.source.suggest(self.game, question)
    }

    /// The player whose turn it is gives up.
    pub fn resign(&mut self) -> Result<(), Refusal> {
        let kept = GameFile { resign: Some(self.now.turn), ..self.kept.clone() };
        self.now = self.source.apply(self.game, &question(&self.start, &kept))?;
        self.kept = kept;
        Ok(())
    }

    /// Takes back the last move of one of some players, and what followed; not a roll, which would be another
    /// the next time. Whether there was one.
    pub fn undo(&mut self, players: &[Player]) -> Result<bool, Refusal> {
        let whole = Apply { plies_from: None, ..question(&self.start, &self.kept) };
        let plies = self.source.apply(self.game, &whole)?.plies;
        let is_own = |ply: &Ply| players.contains(&ply.player) && !is_roll(ply);
        let Some(last) = plies.iter().rposition(is_own) else { return Ok(false) };
        let mut kept = GameFile { resign: None, ..self.kept.clone() };
        kept.moves.truncate(last);
        self.now = self.source.apply(self.game, &question(&self.start, &kept))?;
        self.kept = kept;
        Ok(true)
    }

    /// The legal moves.
    pub fn legal_moves(&self) -> Vec<String> {
        self.now.moves.iter().flatten().map(|legal| legal.text.clone()).collect()
    }

    /// What the next draw draws from, if it is not chance.
    fn drawn(&self) -> Option<u64> {
        Some(self.seed?.wrapping_add(self.kept.moves.len() as u64) % (1 << 53))
    }
}

/// What has become of a game, with its last ply and the legal moves.
fn question(start: &str, kept: &GameFile) -> Apply {
    Apply {
        state: start.to_owned(),
        moves: kept.moves.clone(),
        repetition_limit: kept.repetition_limit,
        resign: kept.resign,
        plies_from: (kept.moves.len().saturating_sub(1) as u64).try_into().ok(),
        legal_moves: true,
    }
}

/// Whether the dice were rolled.
pub fn is_roll(ply: &Ply) -> bool {
    matches!(ply.events[..], [Event::Shared(SharedEvent::Roll { .. }), ..])
}
