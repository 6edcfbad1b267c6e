/** One position as a flow of mass, from what the draft offers to what comes out; pure, no document. */

/**
 * @typedef {object} Pour
 * @property {number[]} overlap min(D, T): stays
 * @property {number[]} excess (D − T)₊: flows away
 * @property {number[]} residual (T − D)₊: what the target lacks
 * @property {number} tv Σ excess: how much flows
 * @property {number[]} arriving what flows in, token by token
 * @property {number[]} out overlap + arriving
 * @property {number} wrong total variation of `out` from T
 */

/**
 * The excess flows into the residual, tv · (T − D)₊/Σ(T − D)₊, so that T comes out; corrected from the target instead it is spread
 * as tv · T, and T does not come out.
 * @param {number[]} draft D @param {number[]} target T @param {boolean} [fromTarget]
 * @returns {Pour}
 */
export function pour(draft, target, fromTarget = false) {
  const overlap = draft.map((d, v) => Math.min(d, target[v]));
  const excess = draft.map((d, v) => Math.max(d - target[v], 0)), residual = draft.map((d, v) => Math.max(target[v] - d, 0));
  const tv = excess.reduce((a, b) => a + b, 0), lacking = residual.reduce((a, b) => a + b, 0);
  const arriving = fromTarget ? target.map((t) => tv * t) : residual.map((r) => (lacking > 0 ? (tv * r) / lacking : 0));
  const out = overlap.map((mass, v) => mass + arriving[v]);
  const wrong = out.reduce((sum, mass, v) => sum + Math.abs(mass - target[v]), 0) / 2;
  return { overlap, excess, residual, tv, arriving, out, wrong };
}
