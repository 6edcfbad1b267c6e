/**
 * Talks to the server (stream.js): blocks, and the measurements of the Compare and the Lab page.
 *
 * What arrived of a run of blocks is counted: a gap, or a connection lost in mid-run, is asked for again from the last block
 * that did arrive. A measurement is not asked for again: what arrived stays with whoever shows it.
 */

import { serverWords } from "./server_words.js";
import { backOnline, Busy, ConnectionLost, messagesOf, newTicket, offline, pause, Refused } from "./stream.js";
import { say } from "./words/parts/viewer.js";

/** Waits before the next try, in ms: together longer than the server takes to start. */
const RETRY_AFTER = [300, 700, 1500, 2500, 4000, 5000];

/**
 * @param {{config: object, root?: string, retryAfter?: number[]}} options  `config`: see docs/viewer.md; `root`: address of the
 *   app's own root; `retryAfter`: the waits before each further try, in ms
 * @returns {{config: object, decode: Function, measure: Function, cancel: Function}}
 */
export function createBridge({ config, root = document.baseURI, retryAfter = RETRY_AFTER }) {
  const base = new URL("specdemo-run/", root).href;
  const takeAhead = createAhead(config);
  /** The page's run -> what ends its asking. @type {Map<string, AbortController>} */
  const running = new Map();

  async function decode(wanted, given) {
    cancel(wanted.run);
    const { request, handlers } = takeAhead(wanted, given);
    if (!request) return;
    const controller = new AbortController();
    running.set(request.run, controller);
    const progress = newProgress(request);
    try {
      for (let attempt = 0; ; attempt++) {
        const before = progress.have;
        try {
          await ask(base, newTicket(), progress, handlers, controller.signal);
          return;
        } catch (error) {
          if (controller.signal.aborted) return;
          if (error instanceof Refused) return void handlers.onError?.(error.message);
          if (!(error instanceof ConnectionLost)) throw error;
          const end = progress.end();
          if (end) return void handlers.onEnd?.(end);
          if (progress.have > before) attempt = 0;
          if (offline()) {
            handlers.onProgress?.(say("viewer.server.offline"), null);
            await backOnline(controller.signal);
            if (controller.signal.aborted) return;
            attempt = 0;
          }
          const busy = error instanceof Busy;
          if (attempt >= retryAfter.length) {
            console.warn("specdemo gave up after", attempt, "tries:", error.message);
            return void handlers.onError?.(busy ? error.message : say("viewer.server.gone"));
          }
          handlers.onProgress?.(say(busy ? "viewer.server.crowded" : "viewer.server.lost"), null);
          // Those who were turned away together do not come back together.
          await pause(retryAfter[attempt] * (busy ? 1 + Math.random() : 1), controller.signal);
          if (controller.signal.aborted) return;
        }
      }
    } finally {
      if (running.get(request.run) === controller) running.delete(request.run);
    }
  }

  /**
   * Asks for a measurement, "race", "law" or "lab"; its messages (docs/compare.md, docs/lab.md) go to `onMessage` as they come.
   * `onError(text, lost, busy)`: `lost` where the connection broke or the server is busy, so that the same question may be answered later.
   * @param {string} kind @param {{run: string}} request @param {{onMessage?: Function, onProgress?: Function, onEnd?: Function, onError?: Function}} handlers
   */
  async function measure(kind, request, handlers) {
    cancel(request.run);
    const controller = new AbortController();
    running.set(request.run, controller);
    try {
      for await (const message of messagesOf(base, kind, { ...request, run: newTicket() }, handlers, controller.signal)) {
        if (message.kind === "end") return void handlers.onEnd?.();
        if (message.kind === "error") return void handlers.onError?.(wordsOf(message, "viewer.server.measurement_over"));
        if (message.kind === "progress") handlers.onProgress?.(serverWords(message.text, message), message.fraction ?? null);
        else handlers.onMessage?.(message);
      }
      throw new ConnectionLost("the stream ended early");
    } catch (error) {
      if (controller.signal.aborted) return;
      if (error instanceof Refused) return void handlers.onError?.(error.message);
      if (!(error instanceof ConnectionLost)) throw error;
      const busy = error instanceof Busy;
      handlers.onError?.(busy ? error.message : say("viewer.server.broken"), true, busy);
    } finally {
      if (running.get(request.run) === controller) running.delete(request.run);
    }
  }

  /** Nothing more reaches the handlers of this run; the server, whose connection is closed, stops at its next block. */
  function cancel(run) {
    running.get(run)?.abort();
    running.delete(run);
  }

  return { config, decode, measure, cancel };
}

/**
 * Blocks that were decoded beyond the one that was asked for: on a lent GPU a call costs its start, whether it gives one block or some (a pair's
 * `blocks_ahead`). Only the request that goes on exactly where they begin gets them, so none is in a trace before somebody has asked for it, and
 * another rule, or another setting, drops them.
 * @returns {(request: any, handlers: any) => {request: any, handlers: any}} what to ask in a request's place; nothing (null) where it is answered
 */
function createAhead({ pairs = [] }) {
  /** @type {{key: string, digest: string, blocks: any[], memories: any[]}|null} */
  let kept = null;
  const keyOf = ({ run: _run, blocks: _blocks, resume: _resume, ...rest }) => JSON.stringify(rest);
  const endOf = (block) => ({ finish: block.finish ?? null });
  return (request, handlers) => {
    const ahead = pairs.find(({ name }) => name === request.pair)?.blocks_ahead ?? 1, key = keyOf(request);
    if (request.blocks !== 1 || ahead < 2) {
      kept = null;
      return { request, handlers };
    }
    if (kept && kept.blocks.length && kept.key === key && kept.digest === request.resume?.digest) {
      const [block] = kept.blocks.splice(0, 1), [memory] = kept.memories.splice(0, 1);
      kept.digest = block.digest;
      queueMicrotask(() => {
        handlers.onBlocks?.(request.resume.block, [block], memory);
        handlers.onEnd?.(endOf(block));
      });
      return { request: null, handlers };
    }
    kept = null;
    /** @type {any} */
    let shown = null;
    const mine = { key, digest: "", blocks: /** @type {any[]} */ ([]), memories: /** @type {any[]} */ ([]) };
    return {
      request: { ...request, blocks: ahead },
      handlers: {
        ...handlers,
        onProgress: (text, fraction) => { if (!shown) handlers.onProgress?.(text, fraction); },
        onBlocks(first, blocks, memory) {
          // A block begins with the memory that the one before has left.
          const memories = blocks.map((_, i) => (i + 1 < blocks.length ? blocks[i + 1].memory ?? null : memory));
          mine.blocks.push(...blocks);
          mine.memories.push(...memories);
          if (shown) return;
          [shown] = mine.blocks.splice(0, 1);
          const [left] = mine.memories.splice(0, 1);
          mine.digest = shown.digest;
          kept = mine;
          handlers.onBlocks?.(first, [shown], left);
        },
        onEnd: (end) => handlers.onEnd?.(shown ? endOf(shown) : end),
        // What was asked for has come: what else could not be had is asked for when somebody wants it.
        onError: (text) => (shown ? handlers.onEnd?.(endOf(shown)) : handlers.onError?.(text)),
      },
    };
  };
}

/** What of a run has arrived; `request()` asks for the rest. */
function newProgress(request) {
  const start = request.resume?.block ?? 0;
  let resume = request.resume ?? null;
  let ids = resume?.ids ?? null;
  let promptLength = resume?.prompt_length ?? null;
  let finish = null;
  return {
    have: start,
    headSeen: false,
    head(head) {
      if (ids === null) {
        ids = head.prompt.ids;
        promptLength = head.prompt.ids.length;
      }
      this.headSeen = true;
    },
    /** Takes the blocks that are new; throws ConnectionLost at a gap. */
    take(first, blocks, memory) {
      if (first > this.have) throw new ConnectionLost("gap");
      const fresh = blocks.slice(this.have - first);
      if (fresh.length === 0) return fresh;
      const last = fresh[fresh.length - 1];
      this.have += fresh.length;
      finish = last.finish ?? null;
      ids = [...ids, ...fresh.flatMap((block) => block.committed)];
      resume = {
        ids,
        prompt_length: promptLength,
        block: this.have,
        memory: memory ?? null,
        digest: last.digest,
      };
      return fresh;
    },
    /** The end of a stream that broke after its last block, else null: asked for once more, no blocks would be all the rest. */
    end() {
      return finish !== null || (request.blocks > 0 && this.have - start >= request.blocks) ? { finish } : null;
    },
    request(ticket) {
      const blocks = request.blocks > 0 ? request.blocks - (this.have - start) : 0;
      return { ...request, run: ticket, blocks, resume };
    },
  };
}

/** One try: asks, and hands on what arrives until the end of the run. */
async function ask(base, ticket, progress, handlers, signal) {
  for await (const message of messagesOf(base, "decode", progress.request(ticket), handlers, signal)) {
    if (handle(message, progress, handlers)) return;
  }
  throw new ConnectionLost("the stream ended early");
}

/** The words of an error; `overtime` where the request has computed for as long as it may. @param {any} message @param {"viewer.server.time_over" | "viewer.server.measurement_over"} overtime */
const wordsOf = (message, overtime) => (message.reason === "time" ? say(overtime, { seconds: message.seconds }) : serverWords(message.text, message));

/** Hands one message on; true at the end of the run. */
function handle(message, progress, handlers) {
  switch (message.kind) {
    case "start":
      if (!progress.headSeen) {
        progress.head(message.head);
        handlers.onStart?.(message.head);
      }
      return false;
    case "blocks": {
      const first = progress.have;
      const fresh = progress.take(message.first, message.blocks, message.memory);
      if (fresh.length > 0) handlers.onBlocks?.(first, fresh, message.memory ?? null);
      return false;
    }
    case "progress":
      handlers.onProgress?.(serverWords(message.text, message), message.fraction ?? null);
      return false;
    case "end":
      if (message.block > progress.have) throw new ConnectionLost("gap");
      handlers.onEnd?.({ finish: message.finish ?? null });
      return true;
    case "error":
      handlers.onError?.(wordsOf(message, "viewer.server.time_over"));
      return true;
    default:
      return false;
  }
}
