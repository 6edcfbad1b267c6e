// The token and the block rule in JavaScript, run over small.json and large.json.   node check.mjs [folder]
// Exit status 0: every vector passes, 1: some fail. Vectors decided by less than TOLERANCE are skipped and counted.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const TOLERANCE = 1e-9;

const sum = (row) => row.reduce((a, b) => a + b, 0);
const residual = (scale, target, draft) => target.map((t, v) => Math.max(0, scale * t - draft[v]));
const number = (text) => {
  const [above, below = "1"] = text.split("/");
  return Number(above) / Number(below);
};

function draw(law, uniform) {
  let cumulative = 0;
  for (let v = 0; v < law.length; v++) if ((cumulative += law[v]) > uniform) return v;
  return law.findLastIndex((p) => p > 0);
}

function next(accepted, scale, draft, target, uniform) {
  if (accepted === draft.length) return draw(target[accepted], uniform);
  const left = residual(scale, target[accepted], draft[accepted]);
  const mass = sum(left);
  return draw(mass > 0 ? left.map((p) => p / mass) : target[accepted], uniform);
}

export function token(tokens, draft, target, uniforms) {
  let accepted = 0;
  while (accepted < tokens.length) {
    const x = tokens[accepted];
    if (!(uniforms[accepted] < Math.min(1, target[accepted][x] / draft[accepted][x]))) break;
    accepted++;
  }
  return [accepted, next(accepted, 1, draft, target, uniforms[tokens.length])];
}

export function block(tokens, draft, target, uniforms) {
  const gamma = tokens.length;
  const weight = [1];
  let accepted = 0;
  for (let i = 1; i <= gamma; i++) {
    const x = tokens[i - 1];
    weight[i] = Math.min(1, (weight[i - 1] * target[i - 1][x]) / draft[i - 1][x]);
    let coin = weight[i];
    if (i < gamma) {
      const gain = sum(residual(weight[i], target[i], draft[i]));
      const below = gain + (1 - weight[i]);
      coin = below > 0 ? gain / below : 1;
    }
    if (uniforms[i - 1] < coin) accepted = i;
  }
  return [accepted, next(accepted, weight[accepted], draft, target, uniforms[gamma])];
}

// The laws of a recipe: 32-bit integer arithmetic only.
export function recipe(seed, row, vocabSize) {
  const draft = [], target = [];
  for (let v = 0; v < vocabSize; v++) {
    let h = (seed + Math.imul(row, 0x9e3779b9) + v) | 0;
    h ^= h >>> 16;
    h = Math.imul(h, 0x85ebca6b);
    h ^= h >>> 13;
    h = Math.imul(h, 0xc2b2ae35);
    h ^= h >>> 16;
    const common = Math.min((h & -h) >>> 0, 65536);
    draft.push(common * ((h >>> 24) & 15));
    target.push(common * ((h >>> 20) & 15));
  }
  const law = (weights) => {
    const total = sum(weights);
    return weights.map((weight) => weight / total);
  };
  return [law(draft), law(target)];
}

function laws(vector) {
  if (!vector.recipe) return [vector.draft.map((row) => row.map(number)), vector.target.map((row) => row.map(number))];
  const rows = Array.from({ length: vector.gamma + 1 }, (_, i) => recipe(vector.recipe.seed, i, vector.vocab_size));
  return [rows.slice(0, vector.gamma).map((row) => row[0]), rows.map((row) => row[1])];
}

const folder = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), "..");
const rules = { token, block };
let failures = 0;
for (const file of ["small.json", "large.json"]) {
  const { schema, vectors } = JSON.parse(readFileSync(join(folder, file), "utf8"));
  if (schema !== "specdemo.vectors/1") throw new Error(`${file} is ${schema}`);
  for (const [rule, verify] of Object.entries(rules)) {
    let ran = 0, skipped = 0;
    for (const vector of vectors.filter((one) => one.rule === rule)) {
      if (vector.margin * vector.condition < TOLERANCE) {
        skipped++;
        continue;
      }
      const got = verify(vector.tokens, ...laws(vector), vector.uniforms.map(number));
      const right = [vector.expected.accepted, vector.expected.next_token];
      ran++;
      if (got[0] !== right[0] || got[1] !== right[1]) {
        failures++;
        console.log(`${vector.name}: (τ, Y) = (${got}), not (${right}) [${vector.tags}] finds ${vector.kills}`);
      }
    }
    console.log(`${file} ${rule} ran ${ran} skipped ${skipped}`);
  }
}
console.log(failures ? `failed ${failures}` : "passed");
process.exitCode = failures ? 1 : 0;
