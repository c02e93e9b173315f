//! Pictures of Mahbusa: a backgammon board with the points A to X counter-clockwise from the bottom left, and
//! trays for what is borne off.

use super::{
    Mahbusa,
    board::{CHECKERS, Point, Stack},
    dice::Die,
    notation::{Leg, Spelling},
};
use crate::{
    game::{Game, Player},
    render::{At, Canvas, Drawing, Mark, body, face, ink, side},
};

/// Points in a row, and in half of it.
const ROW: u8 = 12;
const HALF: u8 = ROW / 2;
/// Width of a point, and the gap between the halves of the board.
const COLUMN: f32 = 56.0;
const GAP: f32 = 20.0;
/// The trays at the left of the board.
const TRAY: f32 = 84.0;
/// Where the board begins: beside it the trays, above it the letters; and the frame at the right.
const LEFT: f32 = 16.0 + TRAY + 16.0;
const RIGHT: f32 = 22.0;
const LETTERS: f32 = 40.0;
const WIDTH: f32 = COLUMN * ROW as f32 + GAP;
const HEIGHT: f32 = 600.0;
/// The middle of the board, seen by White.
const MIDDLE: At = At::new(LEFT + WIDTH / 2.0, LETTERS + HEIGHT / 2.0);
/// A checker, the room that each takes in a stack, and the height of a triangle.
const RADIUS: f32 = 25.0;
const PITCH: f32 = 49.0;
const TRIANGLE: f32 = 245.0;
/// How many checkers of a stack are drawn; a number shows if there are more.
const DRAWN: u8 = 5;
/// How far a checker that is pinned peeps out from under the others.
const PEEP: f32 = 28.0;
/// The dice in the middle of the board.
const DIE: f32 = 54.0;

/// Width and height of the board with its labels.
const SIZE: (f32, f32) = (LEFT + WIDTH + RIGHT, HEIGHT + 2.0 * LETTERS);

/// How positions of Mahbusa are drawn.
pub(super) const DRAWING: Drawing<Mahbusa> = Drawing {
    size: SIZE,
    unit: "borne off",
    board: draw_board,
    pieces: draw_pieces,
    arrows,
    over_arrows: draw_over_arrows,
    mark,
    summary,
};

fn draw_board(canvas: &mut Canvas, seen_by: Player) {
    let middle = turned(MIDDLE, seen_by);
    let (width, height) = SIZE;
    let whole = At::new(width / 2.0, height / 2.0);
    canvas.rect("wood", whole, SIZE, 18.0);
    canvas.grain(whole, (width - 10.0, height - 10.0), 44);
    canvas.rect("edge", middle, (WIDTH + 8.0, HEIGHT + 8.0), 5.0);
    canvas.rect("wood", middle, (GAP, HEIGHT), 0.0);
    for half in [-1.0, 1.0] {
        let centre = middle.plus(half * (WIDTH + GAP) / 4.0, 0.0);
        canvas.rect("field", centre, ((WIDTH - GAP) / 2.0, HEIGHT), 0.0);
    }
    for point in Point::all() {
        let (base, inwards) = base(point, seen_by);
        let letter = base.plus(0.0, inwards * LETTERS / -2.0);
        let colour = if point.index().is_multiple_of(2) { "white-triangle" } else { "black-triangle" };
        canvas.open(format_args!(r#"data-point="{point}""#));
        canvas.polygon(format_args!("point {colour}"), &triangle(point, seen_by));
        // Players count their own way: the letters are those of the player who sits below.
        canvas.engraved(letter, 18.0, point.seen_by(seen_by));
        canvas.close();
    }
}

fn draw_pieces(position: &Mahbusa, canvas: &mut Canvas, seen_by: Player) {
    for (point, stack) in position.stacks() {
        let Stack { owner, count, pinned } = stack;
        let mut piece = |player: Player, class: &str, middle: At, radius: f32| {
            let player = side(player);
            canvas.open(format_args!(r#"data-point="{point}" data-player="{player}" stroke-width="2.5""#));
            canvas.circle("shadow", middle.plus(1.5, 3.0), radius);
            canvas.circle(format_args!("checker {player}{class}"), middle, radius);
            canvas.circle("groove", middle, radius * 0.62);
            canvas.close();
        };
        if pinned {
            piece(!owner, " pinned", checker(point, seen_by, 0, false), RADIUS - 2.0);
        }
        for below in 0..count.min(DRAWN) {
            piece(owner, "", checker(point, seen_by, below, pinned), RADIUS);
        }
        if count > DRAWN {
            draw_count(canvas, point, seen_by, stack);
        }
    }
    // Before the roll they lie there, too.
    if position.stage().outcome().is_none() {
        let turn = position.turn();
        let roll = position.roll();
        let dice = [(roll.map(|roll| roll.larger), -0.65), (roll.map(|roll| roll.smaller), 0.65)];
        // Between the home boards.
        let middle = turned(MIDDLE.plus((WIDTH + GAP) / -4.0, 0.0), seen_by);
        for (die, x) in dice {
            let at = middle.plus(x * DIE, 0.0);
            canvas.open(format_args!(r#"class="die" data-player="{}" stroke-width="2.5""#, side(turn)));
            body(canvas, turn, at, DIE, DIE * 0.86);
            face(canvas, turn, at, DIE * 0.86, die.map(Die::pips));
            canvas.close();
        }
    }
    for player in Player::ALL {
        let name = side(player);
        let borne_off = position.board().side(player).borne_off();
        let middle = tray(player, seen_by);
        let height = HEIGHT / 2.0 - 22.0;
        canvas.open(format_args!(r#"data-tray="{name}" data-player="{name}""#));
        canvas.rect("tray", middle, (TRAY, height + 16.0), 8.0);
        canvas.goal(player, middle);
        // The checkers, seen from the side, and their number.
        let outwards = if player == seen_by { 1.0 } else { -1.0 };
        canvas.open(format_args!(r#"stroke-width="1.5""#));
        let pitch = (height - 50.0) / f32::from(CHECKERS);
        for i in 0..borne_off {
            let at = middle.plus(0.0, outwards * (height / 2.0 - (f32::from(i) + 0.5) * pitch));
            canvas.rect(format_args!("off {name}"), at, (TRAY - 16.0, pitch - 2.0), 3.0);
        }
        canvas.close();
        let at = middle.plus(0.0, -outwards * (height / 2.0 - 22.0));
        canvas.text("on-wood strong", at, 26.0, format_args!("{borne_off}/{CHECKERS}"));
        canvas.close();
    }
}

fn arrows(position: &Mahbusa, play: &Spelling, seen_by: Player) -> Vec<Vec<At>> {
    let Spelling::Legs(legs) = play else { return Vec::new() };
    let mover = position.turn();
    let (own, opposing) = (position.board().side(mover), position.board().side(!mover));
    // The checkers move one after another, each from the top of a stack to the top of another.
    let mut counts = Point::all().map(|point| own.free.on(point)).collect::<Vec<_>>();
    let top = |point: Point, below: u8| {
        let covers = opposing.occupied().contains(point.across());
        checker(point.seen_by(mover), seen_by, below.min(DRAWN), covers)
    };
    let arrow = |leg: &Leg| {
        counts[leg.from.index()] -= 1;
        let from = top(leg.from, counts[leg.from.index()].min(DRAWN - 1));
        let to = leg.to.map_or_else(
            || tray(mover, seen_by),
            |to| {
                counts[to.index()] += 1;
                top(to, counts[to.index()] - 1)
            },
        );
        // Round the end of the rows, so that no arrow crosses the board.
        let round = leg.to.filter(|to| (to.index() < ROW.into()) != (leg.from.index() < ROW.into()));
        let way = round.map_or_else(Vec::new, |_| {
            let end = base(Point::all().nth(usize::from(ROW)).expect("a row has a next"), seen_by).0.x;
            let outwards = if end > from.x.min(to.x) { COLUMN / 2.0 } else { COLUMN / -2.0 };
            vec![At::new(end + outwards, from.y), At::new(end + outwards, to.y)]
        });
        let next = way.first().copied().unwrap_or(to);
        [&[from.nearer(next, RADIUS * 0.7)], &way[..], &[to]].concat()
    };
    legs.iter().map(arrow).collect()
}

fn draw_over_arrows(position: &Mahbusa, canvas: &mut Canvas, spelling: &Spelling, seen_by: Player) {
    let mover = position.turn();
    for point in spelling.places(mover) {
        if let Some(stack) = position.board().stack(point).filter(|stack| stack.count > DRAWN) {
            canvas.open(format_args!(r#"class="over {}-over""#, side(stack.owner)));
            draw_count(canvas, point, seen_by, stack);
            canvas.close();
        }
    }
}

fn mark(canvas: &mut Canvas, mark: Mark<Point>, seen_by: Player) {
    match mark {
        Mark::Tint(class, point) => canvas.polygon(class, &triangle(point, seen_by)),
        Mark::Taken(point) => {
            let middle = checker(point, seen_by, 0, false);
            canvas.circle("taken", middle, RADIUS + 2.0);
            canvas.cross(middle.plus(RADIUS * 0.75, -RADIUS * 0.75));
        }
        // Checkers do not fight.
        Mark::Fight(_) => {}
    }
}

fn summary(position: &Mahbusa) -> String {
    let in_words = |player: Player| {
        let held = position.stacks().filter(|(_, stack)| stack.owner == player).map(|(point, stack)| {
            let pins = if stack.pinned { ", pinning one" } else { "" };
            format!("{point} ({}{pins})", stack.count)
        });
        let held: Vec<_> = held.collect();
        let holds = if held.is_empty() { "no point".to_owned() } else { held.join(", ") };
        let borne_off = position.board().side(player).borne_off();
        format!("{} holds {holds} and has borne off {borne_off}.", Mahbusa::ABOUT.players[player.index()])
    };
    let roll = position.roll().map(|roll| format!("The dice show {} and {}. ", roll.larger, roll.smaller));
    let [white, black] = Player::ALL.map(in_words);
    format!("{}In White's letters: {white} {black}", roll.unwrap_or_default())
}

/// Converts a place in White's view to a player's view: Black sees the board turned round.
fn turned(at: At, seen_by: Player) -> At {
    let (width, height) = SIZE;
    if seen_by == Player::One { at } else { At::new(width - at.x, height - at.y) }
}

/// The middle of the outer edge of a point, and which way its triangle points: -1 up, 1 down.
fn base(point: Point, seen_by: Player) -> (At, f32) {
    let index = point.pips() - 1;
    let (column, y, inwards) =
        if index < ROW { (index, LETTERS + HEIGHT, -1.0) } else { (2 * ROW - 1 - index, LETTERS, 1.0) };
    let gap = if column >= HALF { GAP } else { 0.0 };
    let x = LEFT + gap + (f32::from(column) + 0.5) * COLUMN;
    (turned(At::new(x, y), seen_by), if seen_by == Player::One { inwards } else { -inwards })
}

/// The middle of a checker that has `below` checkers of its colour below it.
fn checker(point: Point, seen_by: Player, below: u8, covers: bool) -> At {
    let (base, inwards) = base(point, seen_by);
    let lift = if covers { PEEP } else { 0.0 };
    base.plus(0.0, inwards * (RADIUS + 1.0 + lift + f32::from(below) * PITCH))
}

/// The corners of a point.
fn triangle(point: Point, seen_by: Player) -> [At; 3] {
    let (base, inwards) = base(point, seen_by);
    let half = COLUMN / 2.0 - 2.0;
    [base.plus(-half, 0.0), base.plus(half, 0.0), base.plus(0.0, inwards * TRIANGLE)]
}

/// Draws the number of checkers of a stack on the uppermost one that is drawn.
fn draw_count(canvas: &mut Canvas, point: Point, seen_by: Player, stack: Stack) {
    let Stack { owner, count, pinned } = stack;
    let class = format_args!("count strong {}", ink(owner));
    canvas.text(class, checker(point, seen_by, DRAWN - 1, pinned), 30.0, count);
}

/// The middle of the tray of a player, beside their home board.
fn tray(player: Player, seen_by: Player) -> At {
    let y = if player == Player::One { 0.75 } else { 0.25 };
    turned(At::new(16.0 + TRAY / 2.0, LETTERS + y * HEIGHT), seen_by)
}
