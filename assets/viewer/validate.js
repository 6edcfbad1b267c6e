/**
 * Is this a trace that the page can draw? The first thing that is wrong, in words, or the trace itself.
 * It checks shape, types, finiteness, ranges and lengths; it does not recompute the mathematics.
 */

import { MODES } from "./prompt_modes.js";
import { say } from "./words/parts/files.js";

export const SCHEMA = "specdemo.trace/1";
export const MOST_BLOCKS = 2000;

class Wrong extends Error {}
/** A file that is JSON, but of something else. */
export class NotAnExport extends Error {}
const fail = (path, words) => { throw new Wrong(`${path || say("file.whole")}: ${words}`); };

const is = {
  object: (x, path) => (x !== null && typeof x === "object" && !Array.isArray(x) ? x : fail(path, say("file.object"))),
  string: (x, path) => (typeof x === "string" ? x : fail(path, say("file.text"))),
  whole: (x, path, low = 0, high = Number.MAX_SAFE_INTEGER) => (Number.isInteger(x) && x >= low && x <= high ? x : fail(path, say("file.integer", { low, high }))),
  real: (x, path, low = -Infinity, high = Infinity) => (typeof x === "number" && Number.isFinite(x) && x >= low && x <= high ? x : fail(path, Number.isFinite(low) && Number.isFinite(high) ? say("file.range", { low, high }) : say("file.finite"))),
  list: (x, path, length) => (Array.isArray(x) && (length === undefined || x.length === length) ? x : fail(path, length === undefined ? say("file.list") : say("file.list_of", { length }))),
};
const LITTLE = 1e-6; // sums of probabilities may be off by rounding
const chance = (x, path) => is.real(x, path, -LITTLE, 1 + LITTLE);
const chances = (x, path, length) => is.list(x, path, length).forEach((entry, i) => chance(entry, `${path}/${i}`));
const ratio = (x, path) => (x === "inf" ? x : is.real(x, path, 0));
const orNull = (x, check) => (x === null ? null : check(x));

function pieces(table, path) {
  for (const [id, piece] of Object.entries(is.object(table, path))) {
    if (!/^\d{1,9}$/.test(id)) fail(`${path}/${id.slice(0, 20)}`, say("file.id"));
    const at = `${path}/${id}`;
    if (typeof piece === "string") continue;
    is.object(piece, at);
    if (typeof piece.special === "string") continue;
    if (typeof piece.bytes !== "string" || !/^([0-9a-f]{2})+$/i.test(piece.bytes)) fail(at, say("file.piece"));
  }
}

function row(data, path, last, token, vocabulary) {
  is.object(data, path);
  if (!last && data.token !== token) fail(`${path}/token`, say("file.not_drafted"));
  for (const name of ["draft", "target", "tv"]) {
    if (last) { if (data[name] !== null) fail(`${path}/${name}`, say("file.null_last")); } else chance(data[name], `${path}/${name}`);
  }
  if (!last) ratio(data.ratio, `${path}/ratio`);
  is.real(data.target_entropy, `${path}/target_entropy`, -LITTLE);
  if (!last) is.real(data.draft_entropy, `${path}/draft_entropy`, -LITTLE);
  const shown = is.object(data.shown, `${path}/shown`);
  const count = is.list(shown.ids, `${path}/shown/ids`).length;
  shown.ids.forEach((id, i) => is.whole(id, `${path}/shown/ids/${i}`, 0, vocabulary - 1));
  if (new Set(shown.ids).size !== count) fail(`${path}/shown/ids`, say("file.twice"));
  if (!last && !shown.ids.includes(token)) fail(`${path}/shown/ids`, say("file.drafted_missing"));
  chances(shown.target, `${path}/shown/target`, count);
  if (last) { if (shown.draft !== null) fail(`${path}/shown/draft`, say("file.null_last")); } else chances(shown.draft, `${path}/shown/draft`, count);
  const rest = is.object(data.rest, `${path}/rest`);
  is.whole(rest.count, `${path}/rest/count`);
  chance(rest.target, `${path}/rest/target`);
  if (!last) chance(rest.draft, `${path}/rest/draft`);
}

function verdict(data, path, gamma, vocabulary, shown) {
  is.object(data, path);
  orNull(data.accept_prob ?? null, (x) => chances(x, `${path}/accept_prob`, gamma));
  orNull(data.prefix_weight ?? null, (x) => chances(x, `${path}/prefix_weight`, gamma + 1));
  orNull(data.residual_scale ?? null, (x) => is.list(x, `${path}/residual_scale`, gamma + 1).forEach((s, i) => s === null || ratio(s, `${path}/residual_scale/${i}`)));
  orNull(data.compared ?? null, (x) => chances(x, `${path}/compared`, gamma));
  chances(data.length_law, `${path}/length_law`, gamma + 1);
  is.real(data.expected_accepted, `${path}/expected_accepted`, -LITTLE, gamma + LITTLE);
  is.whole(data.accepted, `${path}/accepted`, 0, gamma);
  is.whole(data.next_token, `${path}/next_token`, 0, vocabulary - 1);
  chance(data.next_prob, `${path}/next_prob`);
  chance(data.next_target, `${path}/next_target`);
  if (data.accepted < gamma) chance(data.next_draft, `${path}/next_draft`);
  if (data.next_kind !== (data.accepted === gamma ? "bonus" : "correction")) fail(`${path}/next_kind`, say("file.next_kind"));
  if (data.order !== "left_to_right" && data.order !== "right_to_left") fail(`${path}/order`, say("file.order"));
  orNull(data.effective_target ?? null, (laws) => is.list(laws, `${path}/effective_target`, gamma + 1).forEach((law, i) => orNull(law, () => {
    const place = `${path}/effective_target/${i}`, own = is.object(law, place);
    chances(own.shown, `${place}/shown`, shown[i].shown.ids.length);
    chance(own.rest, `${place}/rest`);
    if (i < gamma) chance(own.drafted, `${place}/drafted`);
  })));
  orNull(data.rows ?? null, (rows) => is.list(rows, `${path}/rows`, gamma + 1).forEach((cells, i) => orNull(cells, () => {
    is.object(cells, `${path}/rows/${i}`);
    for (const name of ["overlap", "residual", "excess", "rest_overlap", "rest_residual", "rest_excess"]) if (cells[name] !== null) ratio(Math.max(0, cells[name] === "inf" ? 0 : is.real(cells[name], `${path}/rows/${i}/${name}`, -LITTLE)), `${path}/rows/${i}/${name}`);
  })));
}

function block(data, k, trace, length) {
  const path = `/blocks/${k}`, vocabulary = trace.pair.vocab_size;
  is.object(data, path);
  if (data.index !== k) fail(`${path}/index`, say("file.index", { index: k }));
  if (data.start !== length) fail(`${path}/start`, say("file.start", { start: length }));
  const gamma = is.whole(data.gamma, `${path}/gamma`, 0, 16);
  const uniforms = is.object(data.uniforms, `${path}/uniforms`);
  chances(uniforms.draft, `${path}/uniforms/draft`, gamma);
  chances(uniforms.verify, `${path}/uniforms/verify`, gamma + 1);
  const tree = is.object(is.list(data.paths, `${path}/paths`, 1)[0], `${path}/paths/0`);
  is.list(tree.tokens, `${path}/paths/0/tokens`, gamma).forEach((id, i) => is.whole(id, `${path}/paths/0/tokens/${i}`, 0, vocabulary - 1));
  is.list(tree.rows, `${path}/paths/0/rows`, gamma + 1).forEach((entry, i) => row(entry, `${path}/paths/0/rows/${i}`, i === gamma, tree.tokens[i], vocabulary));
  is.object(data.verdicts, `${path}/verdicts`);
  for (const rule of trace.verifiers) {
    if (!Object.hasOwn(data.verdicts, rule)) fail(`${path}/verdicts`, say("file.no_verdict", { rule: rule.slice(0, 40) }));
    verdict(data.verdicts[rule], `${path}/verdicts/${rule}`, gamma, vocabulary, data.paths[0].rows);
  }
  if (!Object.hasOwn(data.verdicts, is.string(data.verifier, `${path}/verifier`))) fail(`${path}/verifier`, say("file.own_verdict"));
  verdict(data.verdicts[data.verifier], `${path}/verdicts/${data.verifier}`, gamma, vocabulary, data.paths[0].rows);
  if (is.whole(data.kept, `${path}/kept`, 0, gamma) !== data.verdicts[data.verifier].accepted) fail(`${path}/kept`, say("file.kept"));
  if (data.gained !== data.kept + 1) fail(`${path}/gained`, say("file.gained"));
  const whole = [...tree.tokens.slice(0, data.kept), data.verdicts[data.verifier].next_token];
  is.list(data.committed, `${path}/committed`);
  if (data.committed.length > whole.length || data.committed.some((id, i) => id !== whole[i])) fail(`${path}/committed`, say("file.committed"));
  if (data.shown_tokens !== data.committed.length) fail(`${path}/shown_tokens`, say("file.shown_tokens"));
  is.real(data.margin, `${path}/margin`, 0);
  is.string(data.digest, `${path}/digest`);
  pieces(data.pieces, `${path}/pieces`);
  const timings = is.object(data.timings, `${path}/timings`);
  for (const name of ["draft", "target", "verify", "rest", "record"]) orNull(timings[name] ?? null, (x) => is.real(x, `${path}/timings/${name}`, 0));
  is.list(timings.draft_steps ?? [], `${path}/timings/draft_steps`).forEach((x, i) => is.real(x, `${path}/timings/draft_steps/${i}`, 0));
  return length + data.committed.length;
}

/**
 * @param {any} trace parsed JSON
 * @returns {any} the trace
 * @throws {Error} with the first mistake in words
 */
export function validTrace(trace) {
  if (trace === null || typeof trace !== "object" || !("schema" in trace)) throw new NotAnExport(say("file.no_schema"));
  if (trace.schema !== SCHEMA) fail("/schema", trace.schema === undefined ? say("file.schema_nothing", { schema: SCHEMA }) : say("file.schema", { schema: SCHEMA, said: JSON.stringify(trace.schema).slice(0, 60) }));
  const pair = is.object(trace.pair, "/pair");
  for (const name of ["name", "title", "draft"]) is.string(pair[name], `/pair/${name}`);
  is.whole(pair.vocab_size, "/pair/vocab_size", 1, 1e7);
  const settings = is.object(trace.settings, "/settings");
  is.string(settings.verifier, "/settings/verifier");
  is.whole(settings.gamma, "/settings/gamma", 0, 16);
  is.real(settings.temperature, "/settings/temperature", 0, 100);
  is.whole(settings.top_k, "/settings/top_k");
  is.real(settings.top_p, "/settings/top_p", 0, 1);
  is.whole(settings.seed, "/settings/seed");
  is.whole(settings.max_new_tokens, "/settings/max_new_tokens");
  if (!Object.hasOwn(MODES, settings.prompt_mode)) fail("/settings/prompt_mode", say("file.mode"));
  is.object(trace.prompt, "/prompt");
  is.string(trace.prompt.text, "/prompt/text");
  orNull(trace.prompt.notice ?? null, (x) => is.string(x, "/prompt/notice"));
  is.list(trace.prompt.ids, "/prompt/ids").forEach((id, i) => is.whole(id, `/prompt/ids/${i}`, 0, pair.vocab_size - 1));
  orNull(trace.prompt.message ?? null, (range) => {
    const [first, end] = is.list(range, "/prompt/message", 2);
    is.whole(first, "/prompt/message/0", 0, is.whole(end, "/prompt/message/1", 0, trace.prompt.ids.length));
  });
  pieces(trace.pieces, "/pieces");
  is.list(trace.verifiers, "/verifiers").forEach((name, i) => is.string(name, `/verifiers/${i}`));
  if (!trace.verifiers.length) fail("/verifiers", say("file.rules"));
  if (is.list(trace.blocks, "/blocks").length > MOST_BLOCKS) fail("/blocks", say("file.blocks", { most: MOST_BLOCKS }));
  if (![null, "eos", "length", "context"].includes(trace.finish)) fail("/finish", say("file.finish"));
  is.string(trace.digest, "/digest");
  trace.blocks.reduce((length, data, k) => block(data, k, trace, length), trace.prompt.ids.length);
  return trace;
}
