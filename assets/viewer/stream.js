/**
 * One request, one answer: POST specdemo-run/NAME with a request as JSON text is answered by the stream of its messages (text/event-stream,
 * docs/server.md). Nothing else has to reach the same server, so it does not matter which one answers, and leaving is closing the connection.
 */

import { serverWords } from "./server_words.js";
import { say } from "./words/parts/viewer.js";

/** Silence after which is told how many others come first, in ms. */
const PATIENCE = 1000;

/** The connection failed, so the same request may succeed later. */
export class ConnectionLost extends Error {}

/** So many wait that nobody more is let in; the same request may succeed later. */
export class Busy extends ConnectionLost {}

/** The server answered, and the answer is no. */
export class Refused extends Error {}

/** A name nobody else can have or guess: the page's own run ids may repeat in another tab. */
export function newTicket() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The messages that answer one request of a kind; ends with the stream, throws ConnectionLost or Refused.
 * @param {string} base address of specdemo-run/
 * @param {string} name "decode", "race", "law" or "lab"
 * @param {{run: string}} request its `run` is the ticket that the messages carry
 * @param {{onProgress?: Function}} handlers told how many others come first while nothing arrives
 * @param {AbortSignal} signal
 */
export async function* messagesOf(base, name, request, handlers, signal) {
  const place = tellPlace(handlers);
  let lastSeq = -1;
  try {
    for await (const { event, data } of serverEvents(base + name, request, signal)) {
      if (event === "ahead") place.is(data);
      if (event === "failed") throw new Refused(say("viewer.server.failed"));
      // An error without a run is about a request so wrong that its run could not be read; it came on this request's own stream.
      const mine = event === "message" && data !== null && (data.run === request.run || (data.run === "" && data.kind === "error"));
      if (!mine || data.seq <= lastSeq) continue;
      place.stop();
      lastSeq = data.seq;
      yield data;
    }
  } finally {
    place.stop();
  }
}

/** Says how many requests come first, once nothing has arrived for a while, and then whenever that changes. */
function tellPlace(handlers) {
  let text = say("viewer.server.now"), patient = true, stopped = false;
  const tell = () => {
    if (!stopped) handlers.onProgress?.(text, null);
  };
  const timer = setTimeout(() => {
    patient = false;
    tell();
  }, PATIENCE);
  return {
    is(count) {
      text = count === null ? say("viewer.server.now") : count === 0 ? say("viewer.server.next") : count === 1 ? say("viewer.server.one") : say("viewer.server.ahead", { count });
      if (!patient) tell();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Asks; the answer, whose body is a stream. */
async function post(url, request, signal) {
  let response;
  try {
    // By the last one a lender of GPUs knows a person at a page, whom its refusals need not tell of tokens for programs.
    const headers = { "Content-Type": "application/json", Accept: "text/event-stream", ...(await visitorHeaders()), "x-gradio-user": "app" };
    response = await fetch(url, { method: "POST", headers, body: JSON.stringify(request), signal });
  } catch (error) {
    throw new ConnectionLost(String(error));
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({})), { detail } = answer;
  if (response.status === 429) throw new Busy(say("viewer.server.busy"));
  if (response.status >= 500) throw new ConnectionLost(String(response.status));
  throw new Refused(typeof detail === "string" ? serverWords(detail, answer) : say("viewer.server.refused"));
}

/** The events of a text/event-stream answer. */
async function* serverEvents(url, request, signal) {
  let rest = "";
  let reader = null;
  try {
    const response = await post(url, request, signal);
    reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!reader) throw new ConnectionLost("no answer");
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (rest + value).split("\n\n");
      rest = parts.pop();
      yield* parts.map(eventOf);
    }
  } catch (error) {
    throw error instanceof TypeError ? new ConnectionLost(String(error)) : error;
  } finally {
    if (reader) drain(reader);
  }
}

/**
 * One event of the stream. Its lines end with a line feed and with nothing else: a separator of lines or paragraphs (U+2028, U+2029) is a
 * character of a text, which a regular expression would take for an end. Throws Refused for what is no JSON.
 * @param {string} part
 */
export function eventOf(part) {
  const fields = new Map(part.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).replace(/^ /, "")]));
  try {
    return { event: fields.get("event") ?? "message", data: JSON.parse(fields.get("data") ?? "null") };
  } catch {
    throw new Refused(say("viewer.server.failed")); // the same again, whenever it is asked
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

/** On a shared-GPU Space the frame around the page knows who asks, and the lender needs to be told. */
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

/** Whether the browser knows that it has no network: then nothing need be tried. */
export const offline = () => typeof navigator !== "undefined" && navigator.onLine === false;

/** Waits for the network to be back, or for the signal. @param {AbortSignal} signal */
export function backOnline(signal) {
  return new Promise((resolve) => {
    if (!offline()) return resolve();
    window.addEventListener("online", resolve, { once: true, signal });
    signal.addEventListener("abort", resolve, { once: true });
  });
}

export function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
