/**
 * Gradio's queue by its documented HTTP interface: POST gradio_api/call/NAME answers an event's id, GET gradio_api/call/NAME/ID
 * streams the messages. The only file that knows it. Each event is a session of its own, so two tabs never share one, and a
 * restarted server needs nothing renewed.
 */

/** Silence after which the queue is asked how many others wait, in ms. */
const PATIENCE = 1000;

const TEXT = {
  busy: "The server is busy: too many requests are waiting. Try again in a moment.",
  refused: "The server did not accept the request.",
  failed: "The server could not finish this request. Try again, or change the settings.",
};

/** The connection failed, so the same request may succeed later. */
export class ConnectionLost extends Error {}

/** The server answered, and the answer is no. */
export class Refused extends Error {}

/** A name nobody else can have or guess: the page's own run ids may repeat in another tab. */
export function newTicket() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The messages that answer one request to the function `name`; ends with the stream, throws ConnectionLost or Refused.
 * @param {string} api address of gradio_api/
 * @param {{run: string}} request its `run` is the ticket that the messages carry
 * @param {{onProgress?: Function}} handlers told how many others wait while nothing arrives
 */
export async function* messagesOf(api, name, request, handlers, signal) {
  const answer = await postJson(`${api}call/${name}`, { data: [JSON.stringify(request)] }, signal);
  const waiting = reportQueue(api, handlers, signal);
  let lastSeq = -1;
  try {
    for await (const { event, data } of serverEvents(`${api}call/${name}/${answer.event_id}`, signal)) {
      // A text is Gradio's own news (the server stops, the session is unknown); anything else is a failed run.
      if (event === "error") throw typeof data === "string" ? new ConnectionLost(data) : new Refused(TEXT.failed);
      if (event !== "generating" && event !== "complete") continue;
      const message = JSON.parse(data?.[0] ?? "null");
      // An error without a run is about a request so wrong that its run could not be read; it came on this request's own stream.
      const mine = message !== null && (message.run === request.run || (message.run === "" && message.kind === "error"));
      if (!mine || message.seq <= lastSeq) continue;
      waiting.stop();
      lastSeq = message.seq;
      yield message;
    }
  } finally {
    waiting.stop();
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

export async function postJson(url, body, signal) {
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

export function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
