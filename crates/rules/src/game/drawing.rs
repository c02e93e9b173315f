//! How the positions of a game are drawn: the shapes there are, and what a game draws with them.

use std::fmt::{self, Arguments, Debug, Display, Write};

use super::{Notation, Player};

/// A game whose positions can be drawn.
///
/// A picture is drawn from the ground up: the board, what is tinted on it, the pieces, arrows, what the
/// arrows must not hide, and marks.
pub trait Draw: Notation {
    /// A place on the board that has a name: a square, a point in White's letters, or a cup.
    type Place: Copy + Debug + Display + Eq;

    /// The unit of the points, as it stands after them; nothing in a game that is not played for points.
    const UNIT: &'static str;
    /// Width and height of the board with its labels, in units of the `viewBox`.
    const SIZE: (f32, f32);

    /// The place with a name.
    fn place(name: &str) -> Option<Self::Place>;

    /// Draws the board without what stands on it, from the side of a player.
    fn draw_board(canvas: &mut Canvas, seen_by: Player);

    /// Tints a place of the board.
    fn draw_tint(canvas: &mut Canvas, class: &str, place: Self::Place, seen_by: Player);

    /// Draws what stands on the board.
    fn draw_pieces(&self, canvas: &mut Canvas, seen_by: Player);

    /// The arrows that show a legal move; none for a pass.
    fn arrows(&self, spelling: &Self::Spelling, seen_by: Player) -> Vec<Vec<At>>;

    /// Draws the numbers once more over which the arrows of a legal move go.
    fn draw_over_arrows(&self, canvas: &mut Canvas, spelling: &Self::Spelling, seen_by: Player);

    /// Marks what a move takes at a place.
    fn draw_taken(canvas: &mut Canvas, place: Self::Place, seen_by: Player);

    /// Marks a fight between two pieces; only in games in which they fight.
    fn draw_fight(_canvas: &mut Canvas, _fight: Fight<Self::Place>, _seen_by: Player) {}

    /// What a legal move does.
    fn effects(&self, spelling: &Self::Spelling) -> Effects<Self::Place>;

    /// The places that a player's move names, whatever the position was.
    fn named(spelling: &Self::Spelling, mover: Player) -> Vec<Self::Place>;

    /// What stands where, in sentences for those who do not see the picture.
    fn summary(&self) -> String;
}

/// The class of what belongs to a player.
pub const fn side(player: Player) -> &'static str {
    match player {
        Player::One => "one",
        Player::Two => "two",
    }
}

/// A place in a picture: x to the right, y downwards, in units of the `viewBox`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At {
    /// To the right.
    pub x: f32,
    /// Downwards.
    pub y: f32,
}

/// As a path has it.
impl Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1},{:.1}", self.x, self.y)
    }
}

impl At {
    /// The place with these coordinates.
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    /// The place so far to the right and so far down from this one.
    #[must_use]
    pub fn plus(self, x: f32, y: f32) -> Self {
        Self::new(self.x + x, self.y + y)
    }

    /// The place on the way to another: at 0 this one, at 1 the other.
    #[must_use]
    pub fn towards(self, other: Self, part: f32) -> Self {
        self.plus((other.x - self.x) * part, (other.y - self.y) * part)
    }

    /// The place so far on the way to another, which is somewhere else.
    #[must_use]
    pub fn nearer(self, other: Self, distance: f32) -> Self {
        self.towards(other, distance / (other.x - self.x).hypot(other.y - self.y))
    }
}

/// A picture while it is drawn. Shapes are drawn over those before them.
#[derive(Debug, Default)]
pub struct Canvas {
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
    /// Takes over SVG as it is.
    pub fn raw(&mut self, svg: Arguments<'_>) {
        self.svg.write_fmt(svg).expect("writing to a String cannot fail");
    }

    /// The SVG drawn so far.
    pub fn finish(self) -> String {
        self.svg
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
        self.raw(format_args!(r#"<polygon class="{class}" points="{}"/>"#, Places(corners)));
    }

    /// Text, as high as its font is large around the height of `at`; its middle is there unless its class
    /// says otherwise.
    pub fn text(&mut self, class: impl Display, At { x, y }: At, size: f32, text: impl Display) {
        let (y, text) = (y + HALF_CAPITAL * size, escaped(&text.to_string()));
        self.raw(format_args!(
            r#"<text class="{class}" x="{x}" y="{y:.1}" font-size="{size:.1}">{text}</text>"#
        ));
    }

    /// Opens a group with these attributes; what follows is in it until [`close`](Self::close).
    pub fn open(&mut self, attributes: Arguments<'_>) {
        self.raw(format_args!("<g {attributes}>"));
    }

    /// Closes the group that was opened last.
    pub fn close(&mut self) {
        self.raw(format_args!("</g>"));
    }

    /// An arrow along some places, at least two, with a dot where it starts. Its head is drawn and not
    /// referred to, so that the picture needs no names that could clash with those of another.
    pub fn arrow(&mut self, places: &[At]) {
        let [.., before, point] = *places else { return };
        let mut line = places.to_vec();
        if let Some(end) = line.last_mut() {
            *end = point.nearer(before, ARROW_POINT);
        }
        let (line, halo) = (Places(&line), ARROW_WIDTH + 6.0);
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
struct Places<'a>(&'a [At]);

impl Display for Places<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, at) in self.0.iter().enumerate() {
            write!(f, "{}{at}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// Text as it stands between tags.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Where the pips of a number are, in columns and rows from the middle.
const fn places(number: u8) -> &'static [(f32, f32)] {
    const FACES: [&[(f32, f32)]; 6] = [
        &[(0.0, 0.0)],
        &[(-1.0, 1.0), (1.0, -1.0)],
        &[(-1.0, 1.0), (0.0, 0.0), (1.0, -1.0)],
        &[(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)],
        &[(-1.0, -1.0), (-1.0, 1.0), (0.0, 0.0), (1.0, -1.0), (1.0, 1.0)],
        &[(-1.0, -1.0), (-1.0, 0.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 0.0), (1.0, 1.0)],
    ];
    FACES[number as usize - 1]
}

/// The side of a face that shows 1 to 6.
pub fn face(canvas: &mut Canvas, player: Player, middle: At, side: f32, number: u8) {
    let owner = ["one", "two"][player.index()];
    canvas.rect(format_args!("face {owner}"), middle, (side, side), side / 8.0);
    pips(canvas, player, middle, side, number);
}

/// The pips of such a face alone.
pub fn pips(canvas: &mut Canvas, player: Player, middle: At, side: f32, number: u8) {
    let ink = ["on-one", "on-two"][player.index()];
    for &(column, row) in places(number) {
        let at = middle.plus(column * side * 0.27, row * side * 0.27);
        canvas.circle(format_args!("pip {ink}"), at, side * 0.105);
    }
}

/// The places that a move touches, and what it does there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects<P> {
    /// Where pieces leave, pass and arrive, in order.
    pub touched: Vec<P>,
    /// Where something is taken: dice lost by either player, marbles captured, checkers pinned.
    pub taken: Vec<P>,
    /// The fights.
    pub fights: Vec<Fight<P>>,
    /// The same in sentences.
    pub in_words: Vec<String>,
}

/// A move that does nothing.
impl<P> Default for Effects<P> {
    fn default() -> Self {
        Self { touched: Vec::new(), taken: Vec::new(), fights: Vec::new(), in_words: Vec::new() }
    }
}

/// A fight between the piece that has moved and another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fight<P> {
    /// Where the moved piece is.
    pub attacker: P,
    /// Where the other is.
    pub defender: P,
    /// Whether the moved piece has won; nothing if the two are equal.
    pub won: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_be_taken_for_a_tag() {
        let mut canvas = Canvas::default();
        canvas.text("label", At::new(0.0, 0.0), 10.0, "<b> & </b>");
        assert!(canvas.finish().contains(">&lt;b&gt; &amp; &lt;/b&gt;</text>"));
    }
}
