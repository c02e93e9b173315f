//! The notation of a game: how moves are written, why they are refused, and what they do.

use std::{
    fmt::{Debug, Display},
    hash::Hash,
    str::FromStr,
};

use super::{Fault, Game, Player, Stage};
use crate::{
    games::{
        cublino::OrientationDescription,
        described::{Counted, Event, Position, Step},
    },
    render::{Effects, View},
};

/// How the moves of a game are written, why one is not legal, and what a move does, in words and data.
///
/// A [`Game::Move`] is a result, a [`Spelling`](Self::Spelling) one way to write it. Several spellings may
/// lead to the same position; some are listed, and some more may be accepted.
pub trait Notation: Game {
    /// A move as it is written: well-formed, perhaps illegal.
    type Spelling: Clone + Debug + Display + Eq + FromStr<Err = Fault> + Hash + Send + Sync;

    /// A place on the board that has a name: a square, a point in White's letters, or a cup.
    type Place: Copy + Debug + Display + Eq;

    /// Calls a function with each listed spelling and the move that it stands for, in a fixed order. Only
    /// called in [`Stage::Move`].
    fn list(&self, listed: impl FnMut(Self::Spelling, Self::Move));

    /// The legal moves as they are listed: none when the game is over or the dice are to be rolled.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let written: Vec<_> = Ecke::default().spellings().iter().map(ToString::to_string).collect();
    /// assert_eq!(written[..3], ["a1a2", "a1b2", "b1b2"]);
    /// ```
    fn spellings(&self) -> Vec<Self::Spelling> {
        let mut spellings = Vec::new();
        if self.stage() == Stage::Move {
            self.list(|spelling, _| spellings.push(spelling));
        }
        spellings
    }

    /// Every spelling of the legal moves, with each order of their steps, and the move that it stands for: in
    /// a fixed order, and lazily where there can be many. By default, the listed spellings. Only called in
    /// [`Stage::Move`].
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let rolled = Mahbusa::read("M63-o22O")?;
    /// assert_eq!(rolled.spellings().len(), 2);
    /// let all: Vec<_> = rolled.every_spelling().map(|(spelling, _)| spelling.to_string()).collect();
    /// assert_eq!(all, ["XR-XU", "XR-RO", "XU-XR", "XU-UO"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn every_spelling(self) -> impl Iterator<Item = (Self::Spelling, Self::Move)> + Send {
        let mut listed = Vec::new();
        self.list(|spelling, m| listed.push((spelling, m)));
        listed.into_iter()
    }

    /// The move that a spelling stands for.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let start = Wari::default();
    /// let m = start.resolve(&"5".parse()?)?;
    /// assert_eq!(start.play(m)?.to_string(), "w-4-4-4-4-0-5-5-5-5-4-4-4-0-0");
    /// assert_eq!(start.resolve(&"7".parse()?).unwrap_err().code, "not-yours");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Says why the spelling is not legal here. Only called in [`Stage::Move`].
    fn resolve(&self, spelling: &Self::Spelling) -> Result<Self::Move, Fault>;

    /// A shortest spelling of a legal move, the first that is listed.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let start = Contra::default();
    /// let written: Vec<_> = start.legal_moves().into_iter().map(|m| start.spell(m).to_string()).collect();
    /// assert_eq!(written[..2], ["a1a2", "b1b2"]);
    /// ```
    fn spell(&self, m: Self::Move) -> Self::Spelling {
        let mut spellings = Vec::new();
        self.list(|spelling, listed| {
            if listed == m {
                spellings.push(spelling);
            }
        });
        let length = |spelling: &Self::Spelling| spelling.to_string().len();
        spellings.into_iter().min_by_key(length).expect("every legal move is listed")
    }

    /// The spellings of a line of legal moves.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let start = Wari::default();
    /// let first = start.legal_moves()[4];
    /// let reply = start.after(first).legal_moves()[0];
    /// assert_eq!(start.spell_line(&[first, reply]), ["5", "7"]);
    /// ```
    fn spell_line(mut self, line: &[Self::Move]) -> Vec<String> {
        let spell = |&m| {
            let text = self.spell(m).to_string();
            self.play_unchecked(m);
            text
        };
        line.iter().map(spell).collect()
    }

    /// The steps of a legal spelling, in order: one at least, since a pass is a step, too.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// assert_eq!(Pur::default().steps(&"e1e2".parse()?).len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn steps(&self, spelling: &Self::Spelling) -> Vec<Step>;

    /// What happens when a legal spelling is played, in order. Passes, turns that are skipped, rolls and the
    /// end of the game are reported by [`Record`](super::Record).
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let events = Wari::default().events(&"5".parse()?);
    /// assert_eq!(
    ///     serde_json::to_string(&events)?,
    ///     r#"[{"kind":"sown","from":5,"count":4,"cups":[6,7,8,9]}]"#
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn events(&self, spelling: &Self::Spelling) -> Vec<Event>;

    /// What happens on the board after the last move, when the game is over by the rules.
    fn last_events(&self) -> Vec<Event> {
        Vec::new()
    }

    /// What a legal move gains for either player: those of its effects that still hold when it has been
    /// played.
    fn effects_of(&self, m: Self::Move) -> Vec<Effect>;

    /// With how many of the 36 rolls the side to roll can pin another checker; `None` outside [`Stage::Roll`]
    /// and in games without pins.
    fn pinning_rolls(&self) -> Option<u32> {
        None
    }

    /// Why the position provably cannot arise from the start of the game; `None` if no reason is known. The
    /// rules allow such a position, but somebody may have written it by mistake.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// // The die on a2 has gone there from a1 without being turned.
    /// let moved = Contra::read("CWa2Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7")?;
    /// assert!(moved.unreachable().is_some() && Contra::default().unreachable().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn unreachable(&self) -> Option<String> {
        None
    }

    /// How many ranks a player still has to go in a race to the far rank; `None` in other games.
    fn ranks_to_go(&self, _player: Player) -> Option<u32> {
        None
    }

    /// What a player can no longer defend, since pieces never move backwards: the end of a sentence, and the
    /// places.
    fn undefended(&self, _player: Player) -> Option<(String, Vec<String>)> {
        None
    }

    /// The place with a name.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// assert!(Pur::place("e4").is_some() && Pur::place("h4").is_none());
    /// assert!(Mahbusa::place("X").is_some() && Wari::place("13").is_none());
    /// ```
    fn place(name: &str) -> Option<Self::Place>;

    /// The places that a player's move names, whatever the position was.
    fn places_of(spelling: &Self::Spelling, mover: Player) -> Vec<Self::Place>;

    /// What a legal move does, for a picture.
    fn effects(&self, spelling: &Self::Spelling) -> Effects<Self::Place> {
        let mut effects = Effects::touching(Self::places_of(spelling, self.turn()));
        for event in self.events(spelling) {
            Self::show(event, self.turn(), &mut effects);
        }
        effects
    }

    /// Adds to the effects of a player's move what an event of it shows in a picture.
    fn show(event: Event, mover: Player, effects: &mut Effects<Self::Place>);

    /// The picture of the position, as self-contained SVG. It has no ids, so one page can contain several.
    ///
    /// ```
    /// use cublino_rules::{game::Notation, games::Wari, render::View};
    ///
    /// let picture = Wari::default().picture(&View::default());
    /// assert!(picture.starts_with("<svg ") && picture.contains("Wari: A to move"));
    /// ```
    fn picture(&self, view: &View<Self>) -> String;

    /// The orientations of a die with the results of its tips; `None` in games without dice that tip.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// assert_eq!(Pur::orientations().map(|all| all.len()), Some(24));
    /// assert!(Wari::orientations().is_none());
    /// ```
    fn orientations() -> Option<Vec<OrientationDescription>> {
        None
    }

    /// The parsed position, so that you need not parse the notation.
    fn describe(&self) -> Position;

    /// What counts in the score for player one and player two, also in a running game. `is_over` is given
    /// because repetition and resignation end a game, and the position does not show them.
    fn counted(&self, is_over: bool) -> [Vec<Counted>; 2];
}

/// A gain of one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What is gained.
    pub kind: EffectKind,
    /// Who gains by it.
    pub gains: Player,
    /// How many dice, marbles or checkers it is about.
    pub count: u32,
    /// The square or point, if it is at one, as positions name it.
    pub place: Option<String>,
    /// The same as moves name it: points in the letters of the player who moves.
    pub shown: Option<String>,
}

/// What is gained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray)]
pub enum EffectKind {
    /// An opponent's die leaves the board.
    Dice,
    /// Marbles are captured.
    Marbles,
    /// An opponent's checker is pinned.
    Pin,
    /// An own checker that was pinned is free.
    Freedom,
    /// A checker is borne off.
    BearOff,
}

impl EffectKind {
    /// All kinds.
    pub const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;

    /// What a move does to gain it.
    ///
    /// ```
    /// use cublino_rules::game::EffectKind;
    ///
    /// assert_eq!(EffectKind::Marbles.verb(), "captures");
    /// ```
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Dice => "takes",
            Self::Marbles => "captures",
            Self::Pin => "pins",
            Self::Freedom => "frees",
            Self::BearOff => "bears off",
        }
    }

    /// What is gained, as the object of a sentence.
    ///
    /// ```
    /// use cublino_rules::game::EffectKind;
    ///
    /// let places = ["d4".to_owned(), "e4".to_owned()];
    /// assert_eq!(EffectKind::Dice.described(2, &places), "the dice on d4 and e4");
    /// assert_eq!(EffectKind::Marbles.described(5, &[]), "5 marbles");
    /// ```
    pub fn described(self, count: u32, places: &[String]) -> String {
        let one = count == 1;
        match self {
            Self::Dice if one => format!("the die on {}", listed(places)),
            Self::Dice => format!("the dice on {}", listed(places)),
            Self::Marbles => format!("{count} marbles"),
            Self::Pin | Self::Freedom if one => format!("the checker on {}", listed(places)),
            Self::Pin | Self::Freedom => format!("the checkers on {}", listed(places)),
            Self::BearOff if one => "a checker".to_owned(),
            Self::BearOff => format!("{count} checkers"),
        }
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
