//! Pictures of Wari: two rows of cups with a store at each end.

use super::{Wari, board::Cup, letter, notation::Spelling};
use crate::{
    game::Player,
    render::{At, Canvas, Drawing, Mark, ink, side},
};

/// Cups in a row, and the room that each takes.
const ROW: u8 = 6;
const COLUMN: f32 = 108.0;
/// The stores at the ends of the board, and the border around it.
const STORE: f32 = 112.0;
const BORDER: f32 = 10.0;
const WIDTH: f32 = 2.0 * STORE + COLUMN * ROW as f32;
/// The board itself; above and below it are the numbers of the cups.
const HEIGHT: f32 = 330.0;
const NUMBERS: f32 = 44.0;
/// A cup, and how far the middles of the cups are from the middle line of the board.
const CUP: f32 = 50.0;
const ROW_OFFSET: f32 = 106.0;
/// How far the count of a cup is from the middle line.
const COUNT_OFFSET: f32 = 30.0;
/// How far the badge of a player and the count of a store are from its middle, and the size of the badge.
const LABEL_OFFSET: f32 = 134.0;
const BADGE: f32 = 20.0;
/// How far apart marbles lie; they are drawn smaller where they would not fit into a cup.
const MARBLE: f32 = 12.5;
/// How far marbles lie from the middle of a cup or store, at most.
const HEAP: f32 = 42.0;

/// Width and height of the board with its labels.
const SIZE: (f32, f32) = (WIDTH + 2.0 * BORDER, HEIGHT + 2.0 * NUMBERS);

/// How positions of Wari are drawn.
pub(super) const DRAWING: Drawing<Wari> = Drawing {
    size: SIZE,
    unit: "prisoners",
    board: draw_board,
    pieces: draw_pieces,
    arrows,
    over_arrows: draw_over_arrows,
    mark,
    summary,
};

fn draw_board(canvas: &mut Canvas, seen_by: Player) {
    let size = (WIDTH + BORDER, HEIGHT + 2.0 * NUMBERS - BORDER);
    canvas.rect("wood", middle(), size, 124.0);
    canvas.grain(middle(), (WIDTH - 150.0, size.1 - 20.0), 34);
    for cup in Cup::all() {
        let (at, outwards) = place(cup, seen_by);
        canvas.open(format_args!(r#"data-cup="{cup}" data-player="{}""#, side(cup.owner())));
        canvas.circle("cup hollow", at, CUP);
        canvas.circle("deep", at.plus(-3.0, -4.0), CUP * 0.72);
        let number = middle().plus(at.x - middle().x, outwards * (HEIGHT / 2.0 + NUMBERS / 4.0));
        canvas.engraved(number, 17.0, cup);
        canvas.close();
    }
    for player in Player::ALL {
        let at = store(player, seen_by);
        canvas.open(format_args!(r#"data-store="{0}" data-player="{0}""#, side(player)));
        canvas.rect("store hollow", at, (STORE - 26.0, HEIGHT - 110.0), 40.0);
        let badge = at.plus(0.0, -LABEL_OFFSET);
        canvas.circle(format_args!("badge {}", side(player)), badge, BADGE);
        canvas.text(format_args!("strong {}", ink(player)), badge, 28.0, letter(player));
        canvas.close();
    }
}

fn draw_pieces(position: &Wari, canvas: &mut Canvas, seen_by: Player) {
    for cup in Cup::all() {
        let marbles = position.marbles(cup);
        let owner = side(cup.owner());
        let (at, outwards) = place(cup, seen_by);
        canvas.open(format_args!(r#"class="marbles" data-cup="{cup}" data-player="{owner}""#));
        draw_marbles(canvas, at, marbles);
        // Between the rows.
        let count = middle().plus(at.x - middle().x, outwards * COUNT_OFFSET);
        canvas.text("count on-wood strong", count, 36.0, marbles);
        canvas.close();
    }
    for player in Player::ALL {
        let at = store(player, seen_by);
        let owner = side(player);
        let prisoners = position.row(player).prisoners();
        canvas.open(format_args!(r#"class="marbles" data-store="{owner}" data-player="{owner}""#));
        draw_marbles(canvas, at, prisoners);
        canvas.text("count on-wood strong", at.plus(0.0, LABEL_OFFSET), 36.0, prisoners);
        canvas.close();
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "spellings of other games are larger")]
fn arrows(position: &Wari, spelling: &Spelling, seen_by: Player) -> Vec<Vec<At>> {
    let from = spelling.cup();
    // Beside a cup at the end of a row, before the store.
    let end_of_row = |cup| {
        let (at, _) = place(cup, seen_by);
        at.plus((at.x - middle().x).signum() * COLUMN / 2.0, 0.0)
    };
    let mut arrow = vec![place(from, seen_by).0];
    let mut before = from;
    for cup in from.sown_from().take(position.marbles(from).into()) {
        if cup.owner() != before.owner() {
            // Round the end of the rows, so that the counts between them stay in sight.
            arrow.extend([before, cup].map(end_of_row));
        }
        arrow.push(place(cup, seen_by).0);
        before = cup;
    }
    arrow[0] = arrow[0].nearer(arrow[1], CUP / 2.0);
    vec![arrow]
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "spellings of other games are larger")]
fn draw_over_arrows(_: &Wari, canvas: &mut Canvas, spelling: &Spelling, seen_by: Player) {
    canvas.circle("origin", place(spelling.cup(), seen_by).0, CUP);
}

fn mark(canvas: &mut Canvas, mark: Mark<Cup>, seen_by: Player) {
    match mark {
        Mark::Tint(class, cup) => {
            canvas.circle(format_args!("{class} rim"), place(cup, seen_by).0, CUP - 2.0);
        }
        Mark::Taken(cup) => {
            let (at, _) = place(cup, seen_by);
            canvas.circle("taken", at, CUP - 4.0);
            canvas.cross(at.plus(CUP * 0.68, -CUP * 0.68));
        }
        // Marbles do not fight.
        Mark::Fight(_) => {}
    }
}

fn summary(position: &Wari) -> String {
    let [a, b] = Player::ALL.map(|player| {
        let row = position.row(player);
        let cups: Vec<_> = row.cups().iter().map(u8::to_string).collect();
        (cups.join(", "), row.prisoners())
    });
    format!(
        "Marbles in A's cups 1 to 6: {}. In B's cups 7 to 12: {}. Prisoners of A: {}, of B: {}.",
        a.0, b.0, a.1, b.1
    )
}

const fn middle() -> At {
    At::new(BORDER + WIDTH / 2.0, NUMBERS + HEIGHT / 2.0)
}

/// The middle of a cup, and where its row is: 1 below the middle line, -1 above. The player who looks sows to
/// the right.
fn place(cup: Cup, seen_by: Player) -> (At, f32) {
    let side = if cup.owner() == seen_by { 1.0 } else { -1.0 };
    let column = f32::from((cup.number() - 1) % ROW) - f32::from(ROW - 1) / 2.0;
    (middle().plus(side * column * COLUMN, side * ROW_OFFSET), side)
}

/// The middle of a store: at the end of the row of its player.
fn store(player: Player, seen_by: Player) -> At {
    let side = if player == seen_by { 1.0 } else { -1.0 };
    middle().plus(side * (WIDTH - STORE) / 2.0, 0.0)
}

/// Marbles in a heap, each as far from the others as the seeds of a sunflower, and too small to hide one
/// another.
fn draw_marbles(canvas: &mut Canvas, middle: At, count: u8) {
    /// The angle that divides the circle in the golden ratio, in radians.
    const GOLDEN_ANGLE: f32 = 2.399_963;
    let spread = MARBLE.min(HEAP / (f32::from(count).sqrt() + 1.0));
    for i in 0..count {
        let (sin, cos) = (f32::from(i) * GOLDEN_ANGLE).sin_cos();
        let distance = spread * (f32::from(i) + 0.5).sqrt();
        let at = middle.plus(distance * cos, distance * sin);
        let radius = spread * 0.77;
        // Glass in two colours, with the light on it.
        let colour = if i % 3 == 1 { "marble warm" } else { "marble" };
        canvas.circle(colour, at, radius);
        canvas.circle("shine", at.plus(radius * -0.3, radius * -0.35), radius * 0.32);
    }
}
