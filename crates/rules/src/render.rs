//! Pictures of positions, as SVG that needs nothing else: no fonts, scripts or styles from outside.
//!
//! A picture is a pure function of the position and of how to show it. Each game draws its own board;
//! the heading above it, which shows whose turn it is or how the game ended, is the same for all.

mod engraving;
mod view;

use std::fmt::{Arguments, Display, Write};

use crate::game::{Notation, Outcome, Player, Points, Stage};

pub(crate) use self::view::Fight;
pub use self::view::{Effects, Theme, View};

/// How the colours depend on what the reader prefers. Everything is scoped, so that a picture can stand in
/// the middle of a page, also beside pictures in another theme.
const STYLE: &str = include_str!("style.css");

/// The width of a picture and the height of its heading, in units of the heading's font size.
const LETTERS_PER_WIDTH: f32 = 23.0;
const HEADING_LETTERS: f32 = 2.2;

/// The picture of a position.
pub(crate) fn picture<G: Notation>(
    position: &G,
    view: &View<G::Spelling, G::Place>,
    drawing: &Drawing<G>,
) -> String {
    let &Drawing { size: (width, board_height), mark, .. } = drawing;
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
    let desc = escaped(&description(&(drawing.summary)(position), view, effects.as_ref(), &state));

    let mut canvas = Canvas::default();
    canvas.raw(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="picture {}" viewBox="0 0 {width} {height:.1}""#,
        <&str>::from(view.theme),
    ));
    canvas.raw(format_args!(r#" width="{}" height="{:.1}" role="img">"#, shown.0, shown.1));
    canvas.raw(format_args!("<title>{title}</title><desc>{desc}</desc><style>{STYLE}</style>"));
    canvas.rect("paper", At::new(width / 2.0, height / 2.0), (width, height), letter / 2.0);
    if view.header {
        heading(&mut canvas, position, &state, drawing.unit, letter);
    }
    canvas.open(format_args!(r#"transform="translate(0 {top:.1})""#));
    (drawing.board)(&mut canvas, seen_by);
    for place in each_once(view.last.iter().flat_map(|last| &last.touched)) {
        mark(&mut canvas, Mark::Tint("last", place), seen_by);
    }
    for place in each_once(&view.highlighted) {
        mark(&mut canvas, Mark::Tint("highlight", place), seen_by);
    }
    (drawing.pieces)(position, &mut canvas, seen_by);
    if let Some(m) = &view.shown_move {
        for arrow in (drawing.arrows)(position, m, seen_by) {
            canvas.arrow(&arrow);
        }
        (drawing.over_arrows)(position, &mut canvas, m, seen_by);
    }
    for effects in effects.iter().chain(&view.last) {
        effects.taken.iter().for_each(|&place| mark(&mut canvas, Mark::Taken(place), seen_by));
        effects.fights.iter().for_each(|&fight| mark(&mut canvas, Mark::Fight(fight), seen_by));
    }
    canvas.close();
    canvas.raw(format_args!("</svg>\n"));
    canvas.svg
}

/// What the picture shows, in sentences, for its `<desc>`.
fn description<S: Display, P: Copy + Display + PartialEq>(
    summary: &str,
    view: &View<S, P>,
    effects: Option<&Effects<P>>,
    state: &str,
) -> String {
    let mut sentences = vec![format!("{state}."), summary.to_owned()];
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

/// The places without repetitions.
fn each_once<'a, P: Copy + PartialEq + 'a>(places: impl IntoIterator<Item = &'a P>) -> Vec<P> {
    places.into_iter().fold(Vec::new(), |mut found, place| {
        if !found.contains(place) {
            found.push(*place);
        }
        found
    })
}

/// Whose turn it is, or who has won.
fn headline<G: Notation>(position: &G) -> String {
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
fn heading<G: Notation>(canvas: &mut Canvas, position: &G, headline: &str, unit: &str, letter: f32) {
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
    let points = points.map(|points: Points| format!("{one} {} : {} {two} {}", points.one, points.two, unit));
    let reason = outcome.map(|outcome| outcome.reason.in_words().to_owned());
    let standing: Vec<_> = reason.into_iter().chain(points).collect();
    // With the reason the text is longer and must still fit beside the winner.
    let size = letter * if standing.len() > 1 { 0.66 } else { 0.8 };
    let right = At::new(letter * (LETTERS_PER_WIDTH - 0.6), middle);
    canvas.text("heading end", right, size, standing.join(", "));
}

/// How the positions of a game are drawn, from the side of a player.
///
/// A picture is drawn from the ground up: the board, what is tinted on it, the pieces, arrows, what the
/// arrows must not hide, and marks.
pub(crate) struct Drawing<G: Notation> {
    /// Width and height of the board with its labels, in units of the `viewBox`.
    pub size: (f32, f32),
    /// The unit of the points, as it stands after them. It is shown only with points.
    pub unit: &'static str,
    /// Draws the board without what stands on it.
    pub board: fn(&mut Canvas, Player),
    /// Draws what stands on the board.
    pub pieces: fn(&G, &mut Canvas, Player),
    /// The arrows that show a legal move; none for a pass.
    pub arrows: fn(&G, &G::Spelling, Player) -> Vec<Vec<At>>,
    /// Draws again the numbers that the arrows of a legal move cover.
    pub over_arrows: fn(&G, &mut Canvas, &G::Spelling, Player),
    /// Draws a mark.
    pub mark: fn(&mut Canvas, Mark<G::Place>, Player),
    /// What stands where, in sentences for those who do not see the picture.
    pub summary: fn(&G) -> String,
}

/// A mark on a place of the board.
#[derive(Clone, Copy)]
pub(crate) enum Mark<P> {
    /// The place is tinted; the CSS class says why.
    Tint(&'static str, P),
    /// A move takes what is there.
    Taken(P),
    /// Two pieces fight.
    Fight(Fight<P>),
}

/// The CSS class of what belongs to a player.
pub(crate) const fn side(player: Player) -> &'static str {
    ["one", "two"][player.index()]
}

/// The CSS class of marks on what belongs to a player.
pub(crate) const fn ink(player: Player) -> &'static str {
    ["on-one", "on-two"][player.index()]
}

/// A place in a picture: x to the right, y downwards, in units of the `viewBox`.
#[derive(Clone, Copy, Debug, derive_more::Display, PartialEq)]
#[display("{x:.1},{y:.1}")]
pub(crate) struct At {
    /// To the right.
    pub x: f32,
    /// Downwards.
    pub y: f32,
}

impl At {
    /// The place with these coordinates.
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    /// This place moved to the right and down.
    pub fn plus(self, x: f32, y: f32) -> Self {
        Self::new(self.x + x, self.y + y)
    }

    /// The place on the way to another: at 0 this one, at 1 the other.
    pub fn towards(self, other: Self, part: f32) -> Self {
        self.plus((other.x - self.x) * part, (other.y - self.y) * part)
    }

    /// The place at a distance from this one on the way to another, different place.
    pub fn nearer(self, other: Self, distance: f32) -> Self {
        self.towards(other, distance / (other.x - self.x).hypot(other.y - self.y))
    }
}

/// A picture while it is drawn. Shapes are drawn over those before them.
#[derive(Debug, Default)]
pub(crate) struct Canvas {
    svg: String,
}

/// How far the middle of a digit or capital letter is above its baseline, in parts of the size of the font.
/// True enough of every sans-serif font, and unlike `dominant-baseline` drawn alike by all that read SVG.
const HALF_CAPITAL: f32 = 0.36;

/// The width of an arrow's line, how far before its point the line ends, in the middle of its head, and how
/// long the head is.
const ARROW_WIDTH: f32 = 8.0;
const ARROW_POINT: f32 = 16.0;
const ARROW_HEAD: f32 = 27.0;

impl Canvas {
    /// Appends SVG unchanged.
    pub fn raw(&mut self, svg: Arguments<'_>) {
        self.svg.write_fmt(svg).expect("writing to a String cannot fail");
    }

    /// A rectangle with its middle, its width and height, and the radius of its corners.
    pub fn rect(&mut self, class: impl Display, middle: At, (width, height): (f32, f32), rounding: f32) {
        let At { x, y } = middle.plus(-width / 2.0, -height / 2.0);
        self.raw(format_args!(
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{rounding}"/>"#
        ));
    }

    /// A circle.
    pub fn circle(&mut self, class: impl Display, At { x, y }: At, radius: f32) {
        self.raw(format_args!(r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"/>"#));
    }

    /// A polygon with these corners.
    pub fn polygon(&mut self, class: impl Display, corners: &[At]) {
        self.raw(format_args!(r#"<polygon class="{class}" points="{}"/>"#, joined(corners)));
    }

    /// Text of a font size, vertically centred on `at`, and horizontally too unless its class says otherwise.
    pub fn text(&mut self, class: impl Display, At { x, y }: At, size: f32, text: impl Display) {
        let y = y + HALF_CAPITAL * size;
        let text = escaped(&text.to_string());
        self.raw(format_args!(
            r#"<text class="{class}" x="{x}" y="{y:.1}" font-size="{size:.1}">{text}</text>"#
        ));
    }

    /// The sign of a goal, inlaid in the wood: a diamond in the colour of the player who heads for it.
    pub fn goal(&mut self, player: Player, middle: At) {
        /// Half a diagonal.
        const HALF: f32 = 20.0;
        let corners = [(0.0, -HALF), (HALF, 0.0), (0.0, HALF), (-HALF, 0.0)];
        let corners = corners.map(|(x, y)| middle.plus(x, y));
        self.polygon(format_args!("goal {}", side(player)), &corners);
    }

    /// A label cut into the wood, centred on `middle`: capital letters and digits are `size` high.
    pub fn engraved(&mut self, middle: At, size: f32, text: impl Display) {
        let text = text.to_string();
        let glyphs: Vec<&str> = text.chars().filter_map(engraving::glyph).collect();
        let scale = size / engraving::HEIGHT;
        let width = glyphs.iter().fold(-engraving::GAP, |width, _| width + engraving::ADVANCE);
        let mut at = middle.plus(-width * scale / 2.0, -size / 2.0);
        self.open(format_args!(r#"class="label""#));
        for path in glyphs {
            let At { x, y } = at;
            self.raw(format_args!(
                r#"<path transform="translate({x:.1} {y:.1}) scale({scale:.2})" d="{path}"/>"#
            ));
            at = at.plus(engraving::ADVANCE * scale, 0.0);
        }
        self.close();
    }

    /// Wavy lines of the grain of wood, in a rectangle with its middle, its width and its height.
    pub fn grain(&mut self, middle: At, (width, height): (f32, f32), lines: u8) {
        /// About the length of half a wave. The last one ends where the wood does.
        const WAVE: f32 = 68.0;
        let wave = width / (width / WAVE).round();
        self.raw(format_args!(r#"<path class="grain" d=""#));
        for line in 0..lines {
            // Spread without a pattern that the eye finds.
            let drift = f32::from(line.wrapping_mul(83) % 16) / 16.0;
            let y = (f32::from(line) + drift) / f32::from(lines) - 0.5;
            let from = middle.plus(-width / 2.0, y * height);
            self.raw(format_args!("M{from}q{:.1},{:.1} {wave:.1},0", wave / 2.0, (drift - 0.5) * 7.0));
            let mut end = wave;
            while end < width - wave / 2.0 {
                self.raw(format_args!("t{wave:.1},0"));
                end += wave;
            }
        }
        self.raw(format_args!(r#""/>"#));
    }

    /// Opens a group with these attributes; what follows is in it until [`close`](Self::close).
    pub fn open(&mut self, attributes: Arguments<'_>) {
        self.raw(format_args!("<g {attributes}>"));
    }

    /// Closes the group that was opened last.
    pub fn close(&mut self) {
        self.raw(format_args!("</g>"));
    }

    /// An arrow along some places, at least two, with a dot where it starts. Its head is a shape, not a
    /// `<marker>`, whose id could clash with that of another picture.
    pub fn arrow(&mut self, places: &[At]) {
        let [.., before, point] = *places else { return };
        let end = point.nearer(before, ARROW_POINT);
        let line = joined(&[&places[..places.len() - 1], &[end]].concat());
        let halo = ARROW_WIDTH + 6.0;
        let base = point.nearer(before, ARROW_HEAD);
        let (x, y) = ((base.x - point.x) * 0.55, (base.y - point.y) * 0.55);
        let head = [point, base.plus(-y, x), base.plus(y, -x)];
        self.open(format_args!(r#"class="arrow""#));
        self.raw(format_args!(r#"<polyline class="halo" stroke-width="{halo}" points="{line}"/>"#));
        self.circle("head", places[0], ARROW_WIDTH);
        self.raw(format_args!(r#"<polyline class="line" stroke-width="{ARROW_WIDTH}" points="{line}"/>"#));
        self.polygon("head", &head);
        self.close();
    }

    /// A mark at a piece that is taken: a cross in a disc, with the disc's middle.
    pub fn cross(&mut self, middle: At) {
        const ARM: f32 = 4.5;
        self.circle("cross", middle, 10.0);
        let [a, b] = [(-ARM, -ARM), (ARM, -ARM)].map(|(x, y)| (middle.plus(x, y), middle.plus(-x, -y)));
        self.raw(format_args!(r#"<path class="cross-arms" d="M{}L{}M{}L{}"/>"#, a.0, a.1, b.0, b.1));
    }
}

/// Places as a list of points.
fn joined(places: &[At]) -> String {
    places.iter().map(At::to_string).collect::<Vec<_>>().join(" ")
}

/// Text escaped to stand between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Where the pips of each number from 1 are, in columns and rows from the middle.
const PIPS: [&[(f32, f32)]; 6] = [
    &[(0.0, 0.0)],
    &[(-1.0, 1.0), (1.0, -1.0)],
    &[(-1.0, 1.0), (0.0, 0.0), (1.0, -1.0)],
    &[(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)],
    &[(-1.0, -1.0), (-1.0, 1.0), (0.0, 0.0), (1.0, -1.0), (1.0, 1.0)],
    &[(-1.0, -1.0), (-1.0, 0.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 0.0), (1.0, 1.0)],
];

/// A die that lies on the board with its shadow: its side, and that of its raised top. Between them the sides
/// slope, in the order north, east, south and west; light comes from the top left.
pub(crate) fn body(canvas: &mut Canvas, player: Player, middle: At, size: f32, top: f32) {
    let shadow = middle.plus(size * 0.03, size * 0.055);
    canvas.rect("shadow", shadow, (size + 1.0, size + 1.0), size / 7.0);
    canvas.rect(format_args!("sides {}", side(player)), middle, (size, size), size / 8.0);
    // The corners of the slopes stay within the rounded ones of the die.
    let (far, near) = (size * 0.464, top / 2.0);
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    for (index, name) in ["north", "east", "south", "west"].into_iter().enumerate() {
        let [a, b] = [corners[index], corners[(index + 1) % 4]];
        let slope = [(a, far), (b, far), (b, near), (a, near)];
        let slope = slope.map(|((x, y), out)| middle.plus(x * out, y * out));
        canvas.polygon(format_args!("slope {name}"), &slope);
    }
}

/// The side of a face that shows 1 to 6, or nothing yet as the die has not been rolled.
pub(crate) fn face(canvas: &mut Canvas, player: Player, middle: At, size: f32, number: Option<u8>) {
    canvas.rect(format_args!("face {}", side(player)), middle, (size, size), size / 6.0);
    match number {
        Some(number) => pips(canvas, player, middle, size, number),
        None => canvas.text(format_args!("strong {}", ink(player)), middle, size * 0.66, "?"),
    }
}

/// The pips of such a face alone.
pub(crate) fn pips(canvas: &mut Canvas, player: Player, middle: At, side: f32, number: u8) {
    for &(column, row) in PIPS[usize::from(number) - 1] {
        let at = middle.plus(column * side * 0.26, row * side * 0.26);
        canvas.circle(format_args!("pip {}", ink(player)), at, side * 0.11);
    }
}

#[cfg(test)]
mod tests;
