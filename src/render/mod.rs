//! Pictures of positions, as SVG that needs nothing else: no fonts, scripts or styles from outside.
//!
//! A picture is a pure function of the position, the move that is drawn on it and the side from which it is
//! seen. Each game draws its own board; the heading above it, which tells whose turn it is or how
//! the game ended, is the same for all.

use crate::game::{
    Outcome, Player, Points, Stage,
    drawing::{ARROW_HEAD, At, Canvas, Draw, escaped, side},
};

/// How the colours depend on what the reader prefers. Everything is scoped, so that a picture can stand in
/// the middle of a page.
const STYLE: &str = include_str!("style.css");

/// The parts of a picture's width that make a letter of the heading, and the heading's height in such
/// letters.
const LETTERS_PER_WIDTH: f32 = 23.0;
const HEADING_LETTERS: f32 = 2.2;

/// The picture of a position from the side of a player, with a legal move drawn on it.
///
/// ```
/// use cublino::{game::Player, games::Wari, render};
///
/// let picture = render::picture(&Wari::default(), None, Player::One);
/// assert!(picture.starts_with("<svg ") && picture.contains("Wari: A to move"));
/// ```
#[must_use]
pub fn picture<G: Draw>(position: &G, m: Option<&G::Spelling>, seen_by: Player) -> String {
    let (width, board_height) = G::SIZE;
    let letter = width / LETTERS_PER_WIDTH;
    let top = letter * HEADING_LETTERS;
    let height = top + board_height;
    let state = headline(position);
    let title = escaped(&format!("{}: {state}", G::ABOUT.name));
    let drawn = m.map(|m| format!(" The arrow shows the move {m}.")).unwrap_or_default();
    let desc = escaped(&format!("{state}. {}{drawn}", position.summary()));

    let mut canvas = Canvas::default();
    canvas.raw(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="picture" viewBox="0 0 {width} {height:.1}""#
    ));
    canvas.raw(format_args!(r#" role="img" aria-labelledby="picture-title picture-desc">"#));
    canvas.raw(format_args!(r#"<title id="picture-title">{title}</title>"#));
    canvas.raw(format_args!(r#"<desc id="picture-desc">{desc}</desc>"#));
    canvas.raw(format_args!("<style>{STYLE}</style><defs>{ARROW_HEAD}</defs>"));
    canvas.rect("paper", At::new(width / 2.0, height / 2.0), (width, height), letter / 2.0);
    heading(&mut canvas, position, &state, letter);
    canvas.raw(format_args!(r#"<g transform="translate(0 {top:.1})">"#));
    position.draw(&mut canvas, seen_by);
    for arrow in m.map(|m| position.arrows(m, seen_by)).unwrap_or_default() {
        canvas.arrow(&arrow);
    }
    canvas.raw(format_args!("</g></svg>\n"));
    canvas.finish()
}

/// Whose turn it is, or who has won.
fn headline<G: Draw>(position: &G) -> String {
    let turn = G::NAMES[position.turn().index()];
    match position.stage() {
        Stage::Move => format!("{turn} to move"),
        Stage::Roll => format!("{turn} to roll"),
        Stage::Over(Outcome { winner: Some(winner), .. }) => format!("{} wins", G::NAMES[winner.index()]),
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
        canvas.raw(format_args!(r#"<g stroke-width="2.5">"#));
        canvas.circle(class, At::new(letter * 1.2, middle), letter * 0.5);
        canvas.raw(format_args!("</g>"));
    }
    let left = if shown.is_some() { 2.1 } else { 0.8 };
    canvas.text("heading strong start", At::new(letter * left, middle), letter, headline);

    let [one, two] = G::NAMES;
    let points = outcome.map_or_else(|| position.points(), |outcome| outcome.points);
    let points = points.map(|points: Points| format!("{one} {} : {} {two}", points.one, points.two));
    let reason = outcome.map(|outcome| outcome.reason.in_words().to_owned());
    let standing: Vec<_> = reason.into_iter().chain(points).collect();
    let right = At::new(letter * (LETTERS_PER_WIDTH - 0.6), middle);
    canvas.text("heading end", right, letter * 0.8, standing.join(", "));
}
