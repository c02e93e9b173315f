//! The few shapes that pictures are made of, written as SVG.

use std::fmt::{Arguments, Display, Write};

/// A place in a picture: x to the right, y downwards, in units of the `viewBox`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At {
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

/// The width of an arrow's line, and how far before its point the line ends, in the middle of its head.
const ARROW_WIDTH: f32 = 8.0;
const ARROW_POINT: f32 = 16.0;

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

    /// An arrow along some places, at least two.
    pub fn arrow(&mut self, places: &[At]) {
        let mut line = places.to_vec();
        if let [.., before, end] = &mut *line {
            *end = end.nearer(*before, ARROW_POINT);
        }
        let (places, halo) = (Places(&line), ARROW_WIDTH + 6.0);
        self.raw(format_args!(
            r#"<g class="arrow"><polyline class="halo" stroke-width="{halo}" points="{places}"/>"#
        ));
        self.raw(format_args!(r#"<polyline class="line" stroke-width="{ARROW_WIDTH}" points="{places}""#));
        self.raw(format_args!(r#" marker-end="url(#arrow-head)"/></g>"#));
    }
}

/// The head of every arrow; its point is where the arrow ends.
pub const ARROW_HEAD: &str = concat!(
    r#"<marker id="arrow-head" viewBox="-2 -2 34 34" refX="12" refY="15" markerWidth="34" markerHeight="34""#,
    r#" markerUnits="userSpaceOnUse" orient="auto"><path class="head" stroke-width="2.5""#,
    r#" d="M0 0L28 15L0 30Z"/></marker>"#
);

/// Places as a list of points.
struct Places<'a>(&'a [At]);

impl Display for Places<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, At { x, y }) in self.0.iter().enumerate() {
            write!(f, "{}{x:.1},{y:.1}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// Text as it stands between tags.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
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
