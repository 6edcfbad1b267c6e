/**
 * Talks to the server; the only file of the viewer that knows Gradio.
 *
 * A request goes through Gradio's queue by its documented HTTP interface: POST gradio_api/call/decode answers an event's id,
 * GET gradio_api/call/decode/ID streams the messages. Each event is a session of its own, so two tabs never share one, and a
 * restarted server needs nothing renewed. What arrived is counted: a gap, or a connection lost in mid-run, is asked for again
 * from the last block that did arrive.
 */

/** Waits before the next try, in ms: together longer than the server takes to start. */
const RETRY_AFTER = [300, 700, 1500, 2500, 4000, 5000];
/** Silence after which the queue is asked how many others wait, in ms. */
const PATIENCE = 1000;

const TEXT = {
  lost: "The connection to the server was lost. Trying again …",
  gone: "The server does not answer. What was decoded so far is kept: try again in a moment.",
  busy: "The server is busy: too many requests are waiting. Try again in a moment.",
  refused: "The server did not accept the request.",
  failed: "The server could not finish this request. Try again, or change the settings.",
};

/** The connection failed, so the same request may succeed later. */
class ConnectionLost extends Error {}

/** The server answered, and the answer is no. */
class Refused extends Error {}

/**
 * @param {{config: object, root?: string, retryAfter?: number[]}} options  `config`: see docs/viewer.md; `root`: address of the
 *   app's own root; `retryAfter`: the waits before each further try, in ms
 * @returns {{config: object, decode: Function, cancel: Function}}
 */
export function createBridge({ config, root = document.baseURI, retryAfter = RETRY_AFTER }) {
  const api = new URL("gradio_api/", root).href;
  /** The page's run -> what is being asked for it. @type {Map<string, {controller: AbortController, ticket: string}>} */
  const running = new Map();

  async function decode(request, handlers) {
    cancel(request.run);
    const controller = new AbortController();
    const asked = { controller, ticket: "" };
    running.set(request.run, asked);
    const progress = newProgress(request);
    try {
      for (let attempt = 0; ; attempt++) {
        const before = progress.have;
        try {
          asked.ticket = newTicket();
          await ask(api, asked.ticket, progress, handlers, controller.signal);
          return;
        } catch (error) {
          if (controller.signal.aborted) return;
          if (error instanceof Refused) return void handlers.onError?.(error.message);
          if (!(error instanceof ConnectionLost)) throw error;
          if (progress.have > before) attempt = 0;
          if (attempt >= retryAfter.length) {
            console.warn("specdemo gave up after", attempt, "tries:", error.message);
            return void handlers.onError?.(TEXT.gone);
          }
          handlers.onProgress?.(TEXT.lost, null);
          await pause(retryAfter[attempt], controller.signal);
          if (controller.signal.aborted) return;
        }
      }
    } finally {
      if (running.get(request.run) === asked) running.delete(request.run);
    }
  }

  /** Nothing more reaches the handlers of this run; the server stops at its next block. */
  function cancel(run) {
    const asked = running.get(run);
    if (!asked) return;
    running.delete(run);
    asked.controller.abort();
    postJson(`${api}run/cancel`, { data: [asked.ticket] }).catch(() => {});
  }

  return { config, decode, cancel };
}

/** What of a run has arrived; `request()` asks for the rest. */
function newProgress(request) {
  const start = request.resume?.block ?? 0;
  let resume = request.resume ?? null;
  let ids = resume?.ids ?? null;
  let promptLength = resume?.prompt_length ?? null;
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
    request(ticket) {
      const blocks = request.blocks > 0 ? request.blocks - (this.have - start) : 0;
      return { ...request, run: ticket, blocks, resume };
    },
  };
}

/** A name nobody else can have or guess: the page's own run ids may repeat in another tab. */
function newTicket() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** One try: asks, and hands on what arrives until the end of the run. */
async function ask(api, ticket, progress, handlers, signal) {
  const answer = await postJson(`${api}call/decode`, { data: [JSON.stringify(progress.request(ticket))] }, signal);
  const waiting = reportQueue(api, handlers, signal);
  let lastSeq = -1;
  try {
    for await (const { event, data } of serverEvents(`${api}call/decode/${answer.event_id}`, signal)) {
      // A text is Gradio's own news (the server stops, the session is unknown); anything else is a failed run.
      if (event === "error") throw typeof data === "string" ? new ConnectionLost(data) : new Refused(TEXT.failed);
      if (event !== "generating" && event !== "complete") continue;
      const message = JSON.parse(data?.[0] ?? "null");
      if (message === null || message.run !== ticket || message.seq <= lastSeq) continue;
      waiting.stop();
      lastSeq = message.seq;
      if (handle(message, progress, handlers)) return;
    }
  } finally {
    waiting.stop();
  }
  throw new ConnectionLost("the stream ended early");
}

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
      handlers.onProgress?.(message.text, message.fraction ?? null);
      return false;
    case "end":
      if (message.block > progress.have) throw new ConnectionLost("gap");
      handlers.onEnd?.({ finish: message.finish ?? null });
      return true;
    case "error":
      handlers.onError?.(message.text);
      return true;
    default:
      return false;
  }
}

/** While nothing arrives, says how many requests wait for the model. */
function reportQueue(api, handlers, signal) {
  let timer = setTimeout(report, PATIENCE);
  let stopped = false;
  async function report() {
    try {
      const { queue_size: waiting } = await (await fetch(`${api}queue/status`, { signal })).json();
      if (stopped) return;
      const line = waiting > 1 ? `, ${waiting} requests are waiting` : "";
      const text = waiting > 0 ? `The model is at work on another run${line} …` : "Waiting for the server …";
      handlers.onProgress?.(text, null);
      timer = setTimeout(report, 2 * PATIENCE);
    } catch {
      // The stream itself tells when the connection is gone.
    }
  }
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

async function postJson(url, body, signal) {
  let response;
  try {
    const headers = { "Content-Type": "application/json", ...(await visitorHeaders()) };
    response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal });
  } catch (error) {
    throw new ConnectionLost(String(error));
  }
  if (response.ok) return response.json();
  const { detail } = await response.json().catch(() => ({}));
  if (response.status === 503 && /full/i.test(detail ?? "")) throw new Refused(TEXT.busy);
  if (response.status >= 500) throw new ConnectionLost(String(response.status));
  throw new Refused(typeof detail === "string" ? detail : TEXT.refused);
}

/** The events of a text/event-stream answer. */
async function* serverEvents(url, signal) {
  let rest = "";
  let reader = null;
  try {
    const response = await fetch(url, { signal, headers: { Accept: "text/event-stream" } });
    reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!response.ok || !reader) throw new ConnectionLost(String(response.status));
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (rest + value).split("\n\n");
      rest = parts.pop();
      for (const part of parts) {
        const event = /^event: (.*)$/m.exec(part)?.[1] ?? "message";
        yield { event, data: JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? "null") };
      }
    }
  } catch (error) {
    throw error instanceof TypeError ? new ConnectionLost(String(error)) : error;
  } finally {
    if (reader) drain(reader);
  }
}

/** Reads what is left, which is little: an answer that is not read to its end holds one of the browser's few connections. */
async function drain(reader) {
  const timer = setTimeout(() => reader.cancel().catch(() => {}), 5000);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The connection is gone, so it is free as well.
  }
  clearTimeout(timer);
}

/** On a shared-GPU Space the frame around the page knows who asks, and the queue needs to be told. */
async function visitorHeaders() {
  if (!window.supports_zerogpu_headers || window.parent === window) return {};
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    const timer = setTimeout(() => resolve({}), 500);
    channel.port1.onmessage = ({ data }) => {
      clearTimeout(timer);
      channel.port1.close();
      resolve(data ?? {});
    };
    window.parent.postMessage("zerogpu-headers", "https://huggingface.co", [channel.port2]);
  });
}

function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
