// Builds a move from places that are picked one after another. Only places that lead to a legal move can be picked.

/**
 * A node is what has been picked so far: `next` maps each place that may follow to its node, `move` is the legal move that
 * is complete here, if any, and `any` is a move that begins this way.
 */
const node = () => ({ next: new Map(), move: null, any: null });

/** The tree of all moves; `route` returns the places of a move. */
function treeOf(moves, route) {
  const root = node();
  for (const move of moves) {
    let at = root;
    for (const place of route(move)) {
      if (!at.next.has(place)) at.next.set(place, node());
      at = at.next.get(place);
      at.any ??= move;
    }
    at.move = move;
  }
  return root;
}

/** What the person at the board has picked. */
export class Picker {
  constructor(moves, route) {
    this.root = treeOf(moves, route);
    this.clear();
  }

  /** Clears the picked path. */
  clear() {
    this.path = [];
    this.at = this.root;
  }

  /** The places that can be picked next. */
  get open() {
    return [...this.at.next.keys()];
  }

  /** The legal move that is complete, although it may continue. */
  get complete() {
    return this.at.move;
  }

  /** The place of the piece that is being moved. */
  get last() {
    return this.path.at(-1) ?? null;
  }

  /**
   * Picks a place. Returns the move if it is now complete and cannot continue, or if the last place is picked again where
   * a move is complete; true if something was picked; false if the place cannot be picked.
   */
  pick(place) {
    const next = this.at.next.get(place);
    if (next) {
      this.path.push(place);
      this.at = next;
      return next.move && next.next.size === 0 ? next.move : true;
    }
    return this.at.move && place === this.last ? this.at.move : false;
  }
}
