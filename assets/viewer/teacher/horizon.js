/** How far a run may be looked at while its blocks are to be predicted one after another. No document. */

/**
 * The first block from `from` on that is still asked for: nothing behind it is shown, for its text would tell. Infinity where none is.
 * @param {any} trace @param {number} from the block that the run was opened at; what came before it was never hidden
 * @param {((block: any) => boolean)|null} ask whether a block is still asked for
 */
export function horizon(trace, from, ask) {
  if (!ask || !trace) return Infinity;
  const found = trace.blocks.findIndex((block, k) => k >= from && ask(block));
  return found < 0 ? Infinity : found;
}
