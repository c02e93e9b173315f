//! Pictures of the Cublino family: the board from above, each die with its top and its four sides.

use super::{
    board::Die,
    die::Faces,
    moves::Spelling,
    position::Cublino,
    rules::Rules,
    square::{Square, Squares},
};
use crate::game::{
    Player,
    drawing::{At, Canvas, Draw, face, side},
};

/// Width and height of a square.
const CELL: f32 = 80.0;
/// Squares along a side of the board.
const SIDE: u8 = 7;
const BOARD: f32 = CELL * SIDE as f32;
/// Where the board begins: room for the numbers of the ranks, and for the bars that mark the goals.
const LEFT: f32 = 36.0;
const TOP: f32 = 12.0;
/// A die, and the face on its top; around that its sides are seen in perspective.
const DIE: f32 = 74.0;
const TOP_FACE: f32 = 40.0;
/// Numbers on the sides of dice, and the names of files and ranks.
const SIDE_FONT: f32 = 18.0;
const LABEL_FONT: f32 = 22.0;

impl<R: Rules> Draw for Cublino<R> {
    const NAMES: [&'static str; 2] = ["White", "Black"];
    const SIZE: (f32, f32) = (LEFT + BOARD + 12.0, TOP + BOARD + 44.0);

    fn draw(&self, canvas: &mut Canvas, seen_by: Player) {
        let middle = At::new(LEFT + BOARD / 2.0, TOP + BOARD / 2.0);
        canvas.rect("wood", middle, (BOARD + 20.0, BOARD + 20.0), 6.0);
        let goals = Player::ALL.map(R::goal);
        for square in Square::all() {
            draw_square(canvas, square, goals, seen_by);
        }
        draw_labels(canvas, seen_by);
        for (square, die) in self.board().all_dice() {
            draw_die(canvas, centre(square, seen_by), die, seen_by);
        }
    }

    fn arrows(&self, spelling: &Spelling, seen_by: Player) -> Vec<Vec<At>> {
        let Spelling::Chain(chain) = spelling else { return Vec::new() };
        let places: Vec<At> = chain.iter().map(|&square| centre(square, seen_by)).collect();
        // The arrow leaves the top of its die to be seen, and goes round the dice that are jumped.
        let mut arrow = vec![places[0].nearer(places[1], TOP_FACE * 0.7)];
        for step in places.windows(2) {
            let (from, to) = (step[0], step[1]);
            let (x, y) = ((to.x - from.x) / CELL, (to.y - from.y) / CELL);
            if x.abs().max(y.abs()) > 1.5 {
                arrow.push(from.towards(to, 0.5).plus(y * 0.27 * CELL, -x * 0.27 * CELL));
            }
            arrow.push(to);
        }
        vec![arrow]
    }

    fn summary(&self) -> String {
        let [white, black] = Player::ALL.map(|player| {
            let dice = self.board().dice(player).into_iter();
            let named = dice.map(|square| format!("{square} ({})", self.board().orientation(square).top()));
            named.collect::<Vec<_>>().join(", ")
        });
        let in_words = |name: &str, dice: &str| match dice {
            "" => format!("{name} has no dice."),
            _ => format!("{name} has dice, with their tops, on {dice}."),
        };
        format!("{} {}", in_words("White", &white), in_words("Black", &black))
    }
}

/// Column and row in which a square is seen, from the upper left.
fn place(square: Square, seen_by: Player) -> (f32, f32) {
    let (file, rank) = (square.file(), square.rank());
    let (column, row) = match seen_by {
        Player::One => (file, SIDE - 1 - rank),
        Player::Two => (SIDE - 1 - file, rank),
    };
    (column.into(), row.into())
}

fn centre(square: Square, seen_by: Player) -> At {
    let (column, row) = place(square, seen_by);
    At::new(LEFT + (column + 0.5) * CELL, TOP + (row + 0.5) * CELL)
}

/// A square, and on the edge of the board a bar in the colour of the player who heads for it.
fn draw_square(canvas: &mut Canvas, square: Square, goals: [Squares; 2], seen_by: Player) {
    let centre = centre(square, seen_by);
    let shade = if (square.file() + square.rank()).is_multiple_of(2) { " shade" } else { "" };
    let owner = Player::ALL.into_iter().find(|player| goals[player.index()].contains(square));
    canvas.rect(format_args!("square{shade}"), centre, (CELL, CELL), 0.0);
    if let Some(player) = owner {
        let outwards = if player == seen_by { -1.0 } else { 1.0 };
        canvas.rect("goal", centre, (CELL - 4.0, CELL - 4.0), 4.0);
        let edge = centre.plus(0.0, outwards * (CELL / 2.0 + 5.0));
        canvas.rect(format_args!("bar {}", side(player)), edge, (CELL - 4.0, 7.0), 2.0);
    }
}

fn draw_labels(canvas: &mut Canvas, seen_by: Player) {
    for square in Squares::rank(0) {
        let At { x, .. } = centre(square, seen_by);
        let file = char::from(b'a' + square.file());
        canvas.text("label strong", At::new(x, TOP + BOARD + 27.0), LABEL_FONT, file);
    }
    for rank in 0..SIDE {
        let square = Square::new(0, rank).expect("a rank of the board");
        let At { y, .. } = centre(square, seen_by);
        canvas.text("label strong", At::new(13.0, y), LABEL_FONT, rank + 1);
    }
}

/// A die from above: pips on top, and the numbers of its sides where they are.
fn draw_die(canvas: &mut Canvas, centre: At, die: Die, seen_by: Player) {
    let (owner, ink) = (side(die.player), if die.player == Player::One { "on-one" } else { "on-two" });
    canvas.raw(format_args!(r#"<g class="die {owner}-die" stroke-width="1.5">"#));
    canvas.rect(format_args!("sides {owner}"), centre, (DIE, DIE), 9.0);
    let (far, near) = (DIE / 2.0 - 2.0, TOP_FACE / 2.0);
    let corner = |x: f32, y: f32| centre.plus(x, y);
    let gloom =
        [corner(far, -far), corner(far, far), corner(-far, far), corner(-near, near), corner(near, -near)];
    canvas.polygon("gloom", &gloom);
    face(canvas, die.player, centre, TOP_FACE, die.orientation.top());
    let Faces { north, south, east, west, .. } = die.orientation.faces();
    let [up, right, down, left] = match seen_by {
        Player::One => [north, east, south, west],
        Player::Two => [south, west, north, east],
    };
    let out = f32::midpoint(TOP_FACE, DIE) / 2.0;
    for (number, (x, y)) in [(up, (0.0, -out)), (right, (out, 0.0)), (down, (0.0, out)), (left, (-out, 0.0))]
    {
        canvas.text(format_args!("strong {ink}"), centre.plus(x, y), SIDE_FONT, number);
    }
    canvas.raw(format_args!("</g>"));
}
