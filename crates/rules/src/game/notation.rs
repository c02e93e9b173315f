//! The notation of a game: how moves are written, why they are refused, and what they do.

use std::{
    fmt::{Debug, Display},
    hash::Hash,
    str::FromStr,
};

use super::{Fact, Fault, Game, Player, Stage};
use crate::{
    games::described::{Counted, Event, Position, Step},
    render::{Effects, View},
};

/// How the moves of a game are written, why one is not legal, and what a move does, in words and data.
///
/// A [`Game::Move`] is a result, a [`Spelling`](Self::Spelling) one way to write it. Several spellings may
/// lead to the same position; not all that are accepted are listed.
pub trait Notation: Game {
    /// A move as it is written: well-formed, perhaps illegal.
    type Spelling: Clone + Debug + Display + Eq + FromStr<Err = Fault> + Hash + Send + Sync;

    /// A place on the board, read by its name: a square, a point in White's letters, or a cup.
    ///
    /// ```
    /// use cublino_rules::{game::Notation, games::*};
    ///
    /// assert!("e4".parse::<<Pur as Notation>::Place>().is_ok());
    /// assert!("13".parse::<<Wari as Notation>::Place>().is_err());
    /// ```
    type Place: Copy + Debug + Display + Eq + FromStr;

    /// Calls a function with each listed spelling and the move that it stands for, in a fixed order. Only
    /// called in [`Stage::Move`].
    fn list(&self, listed: impl FnMut(Self::Spelling, Self::Move));

    /// The legal moves as they are listed: none when the game is over or the dice must be rolled.
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
            self = self.after(m);
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

    /// The facts that an analysis may state. With a legal move: what it gains for either player, if that
    /// still holds after the move. Without a move: what can be said about the position.
    ///
    /// ```
    /// use cublino_rules::{game::*, games::*};
    ///
    /// let fact = Pur::default().facts(None).remove(0);
    /// assert_eq!((fact.kind, fact.player, fact.count), (FactKind::RanksToGo, Player::One, 42));
    /// ```
    fn facts(&self, _m: Option<Self::Move>) -> Vec<Fact> {
        Vec::new()
    }

    /// Why the position provably cannot arise from the start of the game; `None` if no reason is known. The
    /// rules allow such a position, but it may be a mistake.
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

    /// What a legal move does, for a picture.
    fn effects(&self, spelling: &Self::Spelling) -> Effects<Self::Place> {
        Self::effects_of(spelling, self.turn(), &self.events(spelling))
    }

    /// What a picture shows of a player's move: the places that its spelling names, and what some of its
    /// events do. It does not depend on the position.
    fn effects_of(spelling: &Self::Spelling, mover: Player, events: &[Event]) -> Effects<Self::Place>;

    /// The picture of the position, as self-contained SVG. It has no ids, so one page can contain several.
    ///
    /// ```
    /// use cublino_rules::{game::Notation, games::Wari, render::View};
    ///
    /// let picture = Wari::default().picture(&View::default());
    /// assert!(picture.starts_with("<svg ") && picture.contains("Wari: A to move"));
    /// ```
    fn picture(&self, view: &View<Self::Spelling, Self::Place>) -> String;

    /// The parsed position, so that you need not parse the notation.
    fn describe(&self) -> Position;

    /// What counts in the score for player one and player two, also in a running game. `is_over` is given
    /// because repetition and resignation end a game, and the position does not show them.
    fn counted(&self, is_over: bool) -> [Vec<Counted>; 2];
}
