//! Pictures of positions, as SVG that needs nothing else: no fonts, scripts or styles from outside.
//!
//! A picture is a pure function of the position and of how it is to be seen. Each game draws its own board;
//! the heading above it, which tells whose turn it is or how the game ended, is the same for all.

use crate::game::{
    Outcome, Player, Points, Stage,
    drawing::{At, Canvas, Draw, Effects, escaped, side},
};

/// How the colours depend on what the reader prefers. Everything is scoped, so that a picture can stand in
/// the middle of a page, also beside pictures in another theme.
const STYLE: &str = include_str!("style.css");

/// The parts of a picture's width that make a letter of the heading, and the heading's height in such
/// letters.
const LETTERS_PER_WIDTH: f32 = 23.0;
const HEADING_LETTERS: f32 = 2.2;

/// The picture of a position.
///
/// It has no ids: several can stand in one page.
///
/// ```
/// use cublino_rules::{games::Wari, render::{self, View}};
///
/// let picture = render::picture(&Wari::default(), &View::default());
/// assert!(picture.starts_with("<svg ") && picture.contains("Wari: A to move"));
/// ```
#[must_use]
pub fn picture<G: Draw>(position: &G, view: &View<G>) -> String {
    let (width, board_height) = G::SIZE;
    let seen_by = view.seen_by;
    let letter = width / LETTERS_PER_WIDTH;
    let top = if view.header { letter * HEADING_LETTERS } else { 0.0 };
    let height = top + board_height;
    let shown = view.size.map_or((width, height), |size| {
        let size = f32::from(size);
        (size, size * height / width)
    });
    let state = headline(position);
    let title = escaped(&format!("{}: {state}", G::ABOUT.name));
    let effects = view.shown_move.as_ref().map(|m| position.effects(m));
    let desc = escaped(&description(position, view, effects.as_ref(), &state));

    let mut canvas = Canvas::default();
    canvas.raw(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="picture {}" viewBox="0 0 {width} {height:.1}""#,
        view.theme.class(),
    ));
    canvas.raw(format_args!(r#" width="{}" height="{:.1}" role="img">"#, shown.0, shown.1));
    canvas.raw(format_args!("<title>{title}</title><desc>{desc}</desc><style>{STYLE}</style>"));
    canvas.rect("paper", At::new(width / 2.0, height / 2.0), (width, height), letter / 2.0);
    if view.header {
        heading(&mut canvas, position, &state, letter);
    }
    canvas.open(format_args!(r#"transform="translate(0 {top:.1})""#));
    G::draw_board(&mut canvas, seen_by);
    for place in each_once(view.last.iter().flat_map(|last| &last.touched)) {
        G::draw_tint(&mut canvas, "last", place, seen_by);
    }
    for place in each_once(&view.highlighted) {
        G::draw_tint(&mut canvas, "highlight", place, seen_by);
    }
    position.draw_pieces(&mut canvas, seen_by);
    if let Some(m) = &view.shown_move {
        for arrow in position.arrows(m, seen_by) {
            canvas.arrow(&arrow);
        }
        position.draw_over_arrows(&mut canvas, m, seen_by);
    }
    for effects in effects.iter().chain(&view.last) {
        draw_marks::<G>(&mut canvas, effects, seen_by);
    }
    canvas.close();
    canvas.raw(format_args!("</svg>\n"));
    canvas.finish()
}

/// Marks of fights, and of what is taken.
fn draw_marks<G: Draw>(canvas: &mut Canvas, effects: &Effects<G::Place>, seen_by: Player) {
    for &place in &effects.taken {
        G::draw_taken(canvas, place, seen_by);
    }
    for &fight in &effects.fights {
        G::draw_fight(canvas, fight, seen_by);
    }
}

/// What is to be seen, in sentences.
fn description<G: Draw>(
    position: &G,
    view: &View<G>,
    effects: Option<&Effects<G::Place>>,
    state: &str,
) -> String {
    let mut sentences = vec![format!("{state}."), position.summary()];
    if let (Some(m), Some(effects)) = (&view.shown_move, effects) {
        sentences.push(format!("The arrow shows the move {m}."));
        sentences.extend(effects.in_words.iter().cloned());
    }
    if let Some(last) = &view.last {
        sentences.push(format!("The last move touched {}.", listed(&last.touched)));
        sentences.extend(last.in_words.iter().cloned());
    }
    if !view.highlighted.is_empty() {
        sentences.push(format!("Highlighted: {}.", listed(&view.highlighted)));
    }
    sentences.join(" ")
}

fn listed<P: Copy + PartialEq + ToString>(places: &[P]) -> String {
    match places {
        [] => "nothing".to_owned(),
        _ => each_once(places).iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// Places without those that have been there before.
fn each_once<'a, P: Copy + PartialEq + 'a>(places: impl IntoIterator<Item = &'a P>) -> Vec<P> {
    places.into_iter().fold(Vec::new(), |mut found, place| {
        if !found.contains(place) {
            found.push(*place);
        }
        found
    })
}

/// Whose turn it is, or who has won.
fn headline<G: Draw>(position: &G) -> String {
    let turn = G::ABOUT.players[position.turn().index()];
    match position.stage() {
        Stage::Move => format!("{turn} to move"),
        Stage::Roll => format!("{turn} to roll"),
        Stage::Over(Outcome { winner: Some(winner), .. }) => {
            format!("{} wins", G::ABOUT.players[winner.index()])
        }
        Stage::Over(Outcome { winner: None, .. }) => "Draw".to_owned(),
    }
}

/// The line above the board: whose turn it is, with a sign of their colour, and how the game stands.
fn heading<G: Draw>(canvas: &mut Canvas, position: &G, headline: &str, letter: f32) {
    let outcome = position.stage().outcome();
    let shown = outcome.map_or(Some(position.turn()), |outcome| outcome.winner);
    let middle = letter * HEADING_LETTERS / 2.0;
    if let Some(player) = shown {
        let class = format!("turn {}", side(player));
        canvas.open(format_args!(r#"stroke-width="2.5""#));
        canvas.circle(class, At::new(letter * 1.2, middle), letter * 0.5);
        canvas.close();
    }
    let left = if shown.is_some() { 2.1 } else { 0.8 };
    canvas.text("heading strong start", At::new(letter * left, middle), letter, headline);

    let [one, two] = G::ABOUT.players;
    let points = outcome.map_or_else(|| position.points(), |outcome| outcome.points);
    let points =
        points.map(|points: Points| format!("{one} {} : {} {two} {}", points.one, points.two, G::UNIT));
    let reason = outcome.map(|outcome| outcome.reason.in_words().to_owned());
    let standing: Vec<_> = reason.into_iter().chain(points).collect();
    // With the reason it is longer, and still has to fit beside the winner.
    let size = letter * if standing.len() > 1 { 0.66 } else { 0.8 };
    let right = At::new(letter * (LETTERS_PER_WIDTH - 0.6), middle);
    canvas.text("heading end", right, size, standing.join(", "));
}

/// How a position is to be seen, and what is to be shown on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View<G: Draw> {
    /// The player from whose side the board is seen.
    pub seen_by: Player,
    /// A legal move, drawn as an arrow with what it does.
    pub shown_move: Option<G::Spelling>,
    /// What the move did that led to the position.
    pub last: Option<Effects<G::Place>>,
    /// Places to be highlighted.
    pub highlighted: Vec<G::Place>,
    /// Whether there is a heading.
    pub header: bool,
    /// The width in pixels; as wide as it is drawn if nothing is said.
    pub size: Option<u16>,
    /// The colours.
    pub theme: Theme,
}

/// From the side of player one, with a heading.
impl<G: Draw> Default for View<G> {
    fn default() -> Self {
        Self {
            seen_by: Player::One,
            shown_move: None,
            last: None,
            highlighted: Vec::new(),
            header: true,
            size: None,
            theme: Theme::default(),
        }
    }
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the reader prefers.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// The class of the picture, and the name of the theme.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}
