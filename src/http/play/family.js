// The families of games. A module for each is loaded when one of its games is played; nothing else names a family.
//
// It exports `View`, which draws the board; `setup`, with which positions are set up; `lessons`, by game; `legend`, how the
// board is read; and, where dice are rolled, `dice`.

/** The module of a game's family: it is named as the game is, up to the first hyphen. */
export const familyOf = (id) => import(`./${id.replace(/-.*/, "")}.js`);
