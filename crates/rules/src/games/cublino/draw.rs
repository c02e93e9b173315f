//! Pictures of the Cublino family: the board from above, each die with its top and its four sides.

use super::{
    Cublino,
    board::{Die, Faces},
    describe,
    notation::Spelling,
    rules::Rules,
    square::{Square, Squares},
};
use crate::{
    game::Player,
    render::{At, Canvas, Drawing, Fight, Mark, body, face, ink, side},
};

/// Width and height of a square.
const CELL: f32 = 80.0;
/// Squares along a side of the board.
const SIDE: u8 = 7;
const BOARD: f32 = CELL * SIDE as f32;
/// The frame around the board: narrow, and wide where the names of files and ranks are cut into it.
const TOP: f32 = 16.0;
const LEFT: f32 = 40.0;
/// The size of a die and of its top face, around which the sides are drawn in perspective.
const DIE: f32 = 74.0;
const TOP_FACE: f32 = 40.0;
/// How far from the middle of its die a straight arrow begins.
const START: f32 = DIE / 2.0 + 6.0;
/// Numbers on the sides of dice, and the names of files and ranks.
const SIDE_FONT: f32 = 17.0;
const LABEL_FONT: f32 = 15.0;
/// The mark of a fight between two dice: its length along their edge, and its width.
const FIGHT: (f32, f32) = (46.0, 7.0);

/// Width and height of the board with its labels.
const SIZE: (f32, f32) = (LEFT + BOARD + TOP, TOP + BOARD + LEFT);

/// How positions of a variant are drawn.
pub(super) const fn drawing<R: Rules>() -> Drawing<Cublino<R>> {
    Drawing {
        size: SIZE,
        unit: "pips",
        board: draw_board::<R>,
        pieces: draw_pieces,
        arrows,
        over_arrows: draw_over_arrows,
        mark,
        summary,
    }
}

fn draw_board<R: Rules>(canvas: &mut Canvas, seen_by: Player) {
    let middle = At::new(LEFT + BOARD / 2.0, TOP + BOARD / 2.0);
    let (width, height) = SIZE;
    let whole = At::new(width / 2.0, height / 2.0);
    canvas.rect("wood", whole, SIZE, 14.0);
    canvas.grain(whole, (width - 8.0, height - 8.0), 40);
    canvas.rect("edge", middle, (BOARD + 8.0, BOARD + 8.0), 4.0);
    for square in Square::all() {
        let centre = centre(square, seen_by);
        let shade = if (square.file() + square.rank()).is_multiple_of(2) { " shade" } else { "" };
        canvas.open(format_args!(r#"data-square="{square}""#));
        canvas.rect(format_args!("square{shade}"), centre, (CELL, CELL), 0.0);
        // A diamond of the wood of the player who heads for the square.
        if let Some(player) = Player::ALL.into_iter().find(|&player| R::goal(player).contains(square)) {
            canvas.goal(player, centre);
        }
        canvas.close();
    }
    canvas.grain(middle, (BOARD, BOARD), 27);
    for square in Squares::rank(0) {
        let below = At { y: TOP + BOARD + LEFT * 0.53, ..centre(square, seen_by) };
        canvas.engraved(below, LABEL_FONT, char::from(b'a' + square.file()));
    }
    for square in Square::all().filter(|square| square.file() == 0) {
        let beside = At { x: LEFT * 0.46, ..centre(square, seen_by) };
        canvas.engraved(beside, LABEL_FONT, square.rank() + 1);
    }
}

fn draw_pieces<R: Rules>(position: &Cublino<R>, canvas: &mut Canvas, seen_by: Player) {
    for (square, die) in position.board().all_dice() {
        let owner = side(die.player);
        let orientation = char::from(die.orientation.letter());
        canvas.open(format_args!(
            "class=\"die {owner}-die\" data-square=\"{square}\" data-player=\"{owner}\" \
             data-orientation=\"{orientation}\" stroke-width=\"1.5\""
        ));
        draw_die(canvas, square, die, seen_by);
        canvas.close();
    }
}

fn arrows<R: Rules>(_: &Cublino<R>, spelling: &Spelling, seen_by: Player) -> Vec<Vec<At>> {
    let Spelling::Chain(chain) = spelling else { return Vec::new() };
    // A chain may visit a square twice; its arrow then overlaps itself.
    let mut arrow: Vec<At> = chain.iter().map(|&square| centre(square, seen_by)).collect();
    // It begins where its die ends, so that the die's numbers are seen.
    let (x, y) = (arrow[1].x - arrow[0].x, arrow[1].y - arrow[0].y);
    let is_diagonal = x.abs().min(y.abs()) > CELL / 2.0;
    arrow[0] = arrow[0].nearer(arrow[1], if is_diagonal { TOP_FACE } else { START });
    vec![arrow]
}

fn draw_over_arrows<R: Rules>(
    position: &Cublino<R>,
    canvas: &mut Canvas,
    spelling: &Spelling,
    seen_by: Player,
) {
    let Spelling::Chain(chain) = spelling else { return };
    let mut jumped: Vec<Square> = describe::steps(chain)
        .filter_map(|step| match step {
            describe::StepDescription::Jump { over, .. } => Some(over),
            describe::StepDescription::Tip { .. } => None,
        })
        .collect();
    jumped.sort_unstable();
    jumped.dedup();
    for square in jumped {
        if let Some(die) = position.board().die(square) {
            canvas.open(format_args!(r#"class="over {}-over""#, side(die.player)));
            draw_die(canvas, square, die, seen_by);
            canvas.close();
        }
    }
}

fn mark(canvas: &mut Canvas, mark: Mark<Square>, seen_by: Player) {
    match mark {
        Mark::Tint(class, square) => canvas.rect(class, centre(square, seen_by), (CELL, CELL), 0.0),
        Mark::Taken(square) => {
            let centre = centre(square, seen_by);
            canvas.rect("taken", centre, (DIE + 2.0, DIE + 2.0), 10.0);
            canvas.cross(centre.plus(DIE / 2.0 - 6.0, 6.0 - DIE / 2.0));
        }
        Mark::Fight(fight) => draw_fight(canvas, fight, seen_by),
    }
}

fn draw_fight(canvas: &mut Canvas, Fight { attacker, defender, won }: Fight<Square>, seen_by: Player) {
    let [attacker, defender] = [attacker, defender].map(|square| centre(square, seen_by));
    let (x, y) = (defender.x - attacker.x, defender.y - attacker.y);
    // On the edge between the two, or on the corner, where there are no numbers.
    let size = match (x.abs() < CELL / 2.0, y.abs() < CELL / 2.0) {
        (true, _) => (FIGHT.0, FIGHT.1),
        (_, true) => (FIGHT.1, FIGHT.0),
        _ => (2.0 * FIGHT.1, 2.0 * FIGHT.1),
    };
    let class = match won {
        Some(true) => "fight-won",
        Some(false) => "fight-lost",
        None => "fight-even",
    };
    canvas.rect(format_args!("fight {class}"), attacker.towards(defender, 0.5), size, FIGHT.1);
}

fn summary<R: Rules>(position: &Cublino<R>) -> String {
    let [white, black] = Player::ALL.map(|player| {
        let dice = position.board().dice(player);
        let named = dice.map(|square| format!("{square} ({})", position.board().orientation(square).top()));
        named.collect::<Vec<_>>().join(", ")
    });
    let in_words = |name: &str, dice: &str| match dice {
        "" => format!("{name} has no dice."),
        _ => format!("{name} has dice, with their tops, on {dice}."),
    };
    format!("{} {}", in_words("White", &white), in_words("Black", &black))
}

/// The middle of a square.
fn centre(square: Square, seen_by: Player) -> At {
    let (file, rank) = (square.file(), square.rank());
    let (column, row) = match seen_by {
        Player::One => (file, SIDE - 1 - rank),
        Player::Two => (SIDE - 1 - file, rank),
    };
    At::new(LEFT + (f32::from(column) + 0.5) * CELL, TOP + (f32::from(row) + 0.5) * CELL)
}

/// A die with its top and the numbers of its sides.
fn draw_die(canvas: &mut Canvas, square: Square, die: Die, seen_by: Player) {
    let centre = centre(square, seen_by);
    body(canvas, die.player, centre, DIE, TOP_FACE);
    face(canvas, die.player, centre, TOP_FACE, Some(die.orientation.top()));
    let Faces { north, south, east, west, .. } = die.orientation.faces();
    let [up, right, down, left] = match seen_by {
        Player::One => [north, east, south, west],
        Player::Two => [south, west, north, east],
    };
    let out = f32::midpoint(TOP_FACE, DIE) / 2.0;
    for (number, (x, y)) in [(up, (0.0, -out)), (right, (out, 0.0)), (down, (0.0, out)), (left, (-out, 0.0))]
    {
        canvas.text(format_args!("strong {}", ink(die.player)), centre.plus(x, y), SIDE_FONT, number);
    }
}
