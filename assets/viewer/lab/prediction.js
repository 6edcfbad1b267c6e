/**
 * speed-up(γ) = E_γ / (γ c + v(γ)), the one formula of `specdemo/lab/prediction.py` once more, for costs that a slider has moved:
 * what was measured comes predicted from there. No document.
 */

import { say } from "../words/parts/lab_pictures.js";

const SHAPELESS = 0.05, LEAST = 1e-3; // in plain target steps
const NEARLY = 0.01; // how far below the best a γ may lie to be called as good
const EVEN = 0.005; // how far from 1 a speed-up is still written 1.00

/**
 * @param {number[]} gammas ascending @param {number[]} expected @param {number} c @param {number[]} verify v(γ)
 * @returns {{gammas: number[], speedup: number[], best_gamma: number, best_speedup: number, nearly_best: number[], even: boolean, loses: boolean, sentence: string}}
 */
export function predict(gammas, expected, c, verify) {
  const speedup = gammas.map((gamma, n) => expected[n] / (gamma * c + verify[n]));
  const best = Math.max(...speedup), at = speedup.indexOf(best);
  let first = at, last = at;
  while (first > 0 && speedup[first - 1] >= best * (1 - NEARLY)) first--;
  while (last + 1 < speedup.length && speedup[last + 1] >= best * (1 - NEARLY)) last++;
  const nearly = [gammas[first], gammas[last]], even = isEven(best);
  const found = { gammas, speedup, best_gamma: gammas[at], best_speedup: best, nearly_best: nearly, even, loses: best < 1 && !even };
  return { ...found, sentence: sentenceOf(found) };
}

/** Whether a speed-up is 1.00 as it is written. @param {number} speedup */
const isEven = (speedup) => Math.abs(speedup - 1) < EVEN;

/** What a prediction says, the summary's own too. @param {{gammas: number[], best_gamma: number, best_speedup: number, nearly_best: number[]}} prediction */
export function sentenceOf({ gammas, best_gamma: gamma, best_speedup: best, nearly_best: [first, last] }) {
  const said = { gamma, times: best.toFixed(2), gammas: gammas.join(", "), first, last };
  if (isEven(best)) return say("sweep.predicted.even", said);
  if (best < 1) return say("sweep.predicted.loses", said);
  if (gammas.length === 1) return say("sweep.predicted.only", said);
  if (gammas.some((one, n) => one !== gammas[0] + n)) return say("sweep.predicted.listed", said);
  const where = gamma < gammas[gammas.length - 1] ? "inside" : "longest";
  return first < last ? say(`sweep.predicted.${where}_flat`, said) : say(`sweep.predicted.${where}`, said);
}

/** The γ at which the slider says what v is: the longest block whose cost was measured. @param {any} prediction */
export const pivotOf = (prediction) => Math.max(...prediction.verify_measured.filter((gamma) => prediction.gammas.includes(gamma)), prediction.gammas[0]);

const vAt = (prediction, gamma) => prediction.verify_cost[prediction.gammas.indexOf(gamma)];

/** c and v as they were measured, v at the pivot. @param {any} prediction */
export const measuredCosts = (prediction) => ({ c: prediction.draft_cost, v: vAt(prediction, pivotOf(prediction)), pivot: pivotOf(prediction) });

/**
 * v(γ) where v(pivot) is `v`: what a call costs above a plain step is scaled, so that the curve keeps its shape. Where next to nothing was
 * measured there, its shape is noise: the difference is then added in proportion to γ. Either way the measured v changes nothing.
 * @param {any} prediction @param {number} v @returns {number[]}
 */
export function scaledVerify(prediction, v) {
  const pivot = pivotOf(prediction), measured = vAt(prediction, pivot), extra = measured - 1;
  const at = (gamma, cost) => (extra > SHAPELESS ? 1 + (v - 1) * ((cost - 1) / extra) : cost + (v - measured) * (gamma / pivot));
  return prediction.gammas.map((gamma, n) => Math.max(at(gamma, prediction.verify_cost[n]), LEAST));
}

/** A prediction of the summary under other costs; null leaves a cost as measured. @param {any} prediction @param {number|null} c @param {number|null} v */
export const movedPrediction = (prediction, c, v) => predict(prediction.gammas, prediction.expected, c ?? prediction.draft_cost, v === null ? prediction.verify_cost : scaledVerify(prediction, v));
