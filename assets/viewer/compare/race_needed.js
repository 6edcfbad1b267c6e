/**
 * How many groups would tell a difference from 0, if it stays what it is. No document.
 *
 *     studentReach(5)  →  2.7756        scipy.stats.t.ppf(0.975, 4) = 2.7764
 */

const NORMAL = 1.959963984540054; // 97.5 % quantile of the normal law
const FEWEST = 5; // below that a standard error is itself a guess
const MOST = 1e6;

/** How many standard errors a 95 % Student interval of `groups` groups reaches to each side (Abramowitz and Stegun, 26.7.5; from 5 groups on within 0.04 %). */
export function studentReach(groups) {
  const n = groups - 1, x = NORMAL, q = x * x;
  const g1 = ((q + 1) * x) / 4, g2 = (((5 * q + 16) * q + 3) * x) / 96, g3 = ((((3 * q + 19) * q + 17) * q - 15) * x) / 384;
  const g4 = (((((79 * q + 776) * q + 1482) * q - 1920) * q - 945) * x) / 92160;
  return x + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n;
}

/**
 * The fewest groups whose 95 % interval would not reach from the estimate to 0: `t(n − 1)·sd/√n ≤ |mean|`, sd the spread between groups.
 * @param {{mean: number, standard_error: number|null}} estimate @param {number} groups that it comes from
 * @returns {number|null|undefined} undefined with too few groups to say, null beyond a million
 */
export function groupsNeeded(estimate, groups) {
  if (groups < FEWEST || !(estimate.standard_error > 0)) return undefined;
  const ratio = (estimate.standard_error * Math.sqrt(groups)) / Math.abs(estimate.mean);
  const enough = (n) => studentReach(n) * ratio <= Math.sqrt(n);
  if (!enough(MOST)) return null;
  let low = FEWEST - 1, high = MOST; // high is enough, low is not (or not asked)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
