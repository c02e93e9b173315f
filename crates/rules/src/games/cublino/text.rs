//! Text that is written often: dice and squares are put where they belong in it, without a formatter.

use std::fmt;

use super::{
    Cublino,
    board::{Board, Die},
    rules::Rules,
    square::Square,
};
use crate::game::{AppendText, Padded};

/// Characters of a die: orientation, file and rank.
pub(super) const DIE_CHARS: usize = 3;

/// Characters of the longest text of a position: the letter, and seven dice each.
const STATE_CHARS: usize = 1 + 14 * DIE_CHARS;

/// How the dice of a board are written, each at the [index](Square::index) of its square, with a byte more:
/// four are copied in one instruction, three are not.
pub(super) struct DiceText([[u8; DIE_CHARS + 1]; Square::INDICES]);

impl DiceText {
    pub(super) fn of(board: &Board) -> Self {
        let mut text = Self([[0; DIE_CHARS + 1]; Square::INDICES]);
        board.all_dice().for_each(|(square, die)| text.put(square, die));
        text
    }

    pub(super) fn put(&mut self, square: Square, Die { player, orientation }: Die) {
        let [file, rank] = square.text();
        self.0[square.index()] = [player.in_case(orientation.letter()), file, rank, 0];
    }

    /// The text of a position, all of whose dice have been put, with room for what is copied beyond the last.
    #[inline]
    pub(super) fn state<R: Rules>(&self, position: &Cublino<R>) -> Padded<{ STATE_CHARS + 1 }> {
        let mut bytes = [0; STATE_CHARS + 1];
        bytes[0] = position.turn.in_case(R::ABOUT.letter as u8);
        let mut end = 1;
        for square in position.board.occupied() {
            bytes[end..][..=DIE_CHARS].copy_from_slice(&self.0[square.index()]);
            end += DIE_CHARS;
        }
        Padded::of_first(end, bytes)
    }
}

/// The canonical form: the letter, then the dice rank by rank from 1, file by file from a.
impl<R: Rules> fmt::Display for Cublino<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = DiceText::of(&self.board).state(self);
        f.write_str(str::from_utf8(text.bytes()).expect("letters and digits are ASCII"))
    }
}

impl<R: Rules> AppendText for Cublino<R> {
    fn append_text(&self, text: &mut Vec<u8>) {
        DiceText::of(&self.board).state(self).append_to(text);
    }
}
