//! The rules sentence by sentence, the notation, and laws that hold for all positions.

mod laws;
mod notation;
mod reference;
mod rules;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{
    notation::{Illegal, Leg, MalformedMove},
    setup::{Invalid, Malformed},
    *,
};
use crate::game::playout;

fn play(text: &str) -> Spelling {
    text.parse().unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

/// The parsed position.
fn description(position: &Mahbusa) -> Description {
    match position.describe() {
        described::Position::Mahbusa(description) => description,
        other => panic!("{position}: {other:?}"),
    }
}

/// The listed plays.
fn listed(state: &str) -> Vec<String> {
    let plays = Mahbusa::read(state).unwrap().spellings();
    plays.iter().map(Spelling::to_string).collect()
}

/// The state after a legal play.
fn after(state: &str, text: &str) -> String {
    let before = Mahbusa::read(state).unwrap();
    let m = before.resolve(&play(text)).unwrap_or_else(|fault| panic!("{state} {text}: {fault}"));
    before.after(m).to_string()
}

/// Why a play is not legal.
fn refusal(state: &str, text: &str) -> Illegal {
    legal_move(&Mahbusa::read(state).unwrap(), &play(text)).expect_err(text)
}

/// The move that a play stands for, or why it is not legal.
fn legal_move(position: &Mahbusa, play: &Spelling) -> Result<Move, Illegal> {
    resolve(&position.board, position.turn, position.dice(), play)
}

/// Positions in which a player is to move: those of random games, and as many made up at random, many of
/// which are near the end.
fn positions_to_move(seed: u64) -> impl Iterator<Item = Mahbusa> {
    const GAMES: usize = 15;
    const MADE_UP: usize = 1_500;
    const LONGEST: usize = 2_000;
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let games: Vec<_> = (0..GAMES)
        .flat_map(|_| playout::positions(Mahbusa::default(), LONGEST, &mut rng).collect::<Vec<_>>())
        .collect();
    let made_up: Vec<_> = (0..MADE_UP).map(|_| made_up(&mut rng)).collect();
    games.into_iter().chain(made_up).filter(|position| position.stage() == Stage::Move)
}

/// A valid position with the dice rolled in which checkers stand and lie where chance has put them.
fn made_up(rng: &mut Pcg64Mcg) -> Mahbusa {
    loop {
        let mut stacks = [None; Point::COUNT];
        for player in Player::ALL {
            let (points, count) = if rng.random() {
                (6, rng.random_range(1..=CHECKERS))
            } else {
                (Point::START.pips(), CHECKERS)
            };
            for _ in 0..count {
                let point = Point::new(rng.random_range(..points)).unwrap().seen_by(player);
                drop_checker(&mut stacks[point.index()], player, rng.random());
            }
        }
        let turn = if rng.random() { Player::One } else { Player::Two };
        if let Some(position) = rolled(board_with(&stacks), turn, rng) {
            return position;
        }
    }
}

fn board_with(stacks: &[Option<Stack>; Point::COUNT]) -> Board {
    let mut board = Board::default();
    for (point, stack) in Point::all().zip(stacks) {
        if let Some(stack) = stack {
            board.put(point, *stack);
        }
    }
    board
}

/// The position with dice that chance has rolled, if it is valid.
fn rolled(board: Board, turn: Player, rng: &mut Pcg64Mcg) -> Option<Mahbusa> {
    let (roll, _) = Roll::ALL[rng.random_range(..Roll::COUNT)];
    let state = Mahbusa { board, turn, roll: Some(roll) }.to_string();
    Mahbusa::try_from(state.parse::<Setup>().unwrap()).ok()
}

/// Adds a player's checker to what is on a point, upon or under opposing ones, if that can be.
fn drop_checker(place: &mut Option<Stack>, player: Player, upon: bool) {
    match place {
        None => *place = Some(Stack { owner: player, count: 1, pinned: false }),
        Some(stack) if stack.owner == player => stack.count += 1,
        Some(stack) if stack.pinned => {}
        Some(stack) if stack.count == 1 && upon => *stack = Stack { owner: player, count: 1, pinned: true },
        Some(stack) => stack.pinned = true,
    }
}
