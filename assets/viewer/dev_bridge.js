/**
 * A stand-in for bridge.js while developing: it reads blocks from a trace file (`?trace=address`), one by one with a delay,
 * or asks tests/viewer/serve.py, which decodes made-up runs. Not part of the app.
 */

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A pair of the list. Whatever is asked for, the first one answers. */
const made = (name, prompt_modes, prompt_mode) => ({ name, title: name === "made-up" ? "Made-up pair" : name, available: true, note: "", drafts: [{ name: "near", title: "near" }], context_limit: 1024, prompt_modes, prompt_mode });

/** @param {{trace?: string|null, delay?: number, examples?: string|null}} options */
export async function createDevBridge({ trace: address = null, delay = 40, examples = null }) {
  const stopped = new Set();
  const trace = address ? await (await fetch(address)).json() : null;

  async function* fromFile(request) {
    const { blocks, ...head } = trace;
    const first = request.resume ? request.resume.block : 0;
    if (!request.resume) yield { kind: "start", head: { ...head, blocks: [], finish: null } };
    const wanted = blocks.slice(first, request.blocks ? first + request.blocks : undefined);
    for (const block of wanted) {
      await pause(delay);
      yield { kind: "blocks", first: block.index, blocks: [block] };
    }
    yield { kind: "end", finish: wanted.length ? wanted[wanted.length - 1].finish : trace.finish };
  }

  async function* fromServer(request) {
    const response = await fetch("/decode", { method: "POST", body: JSON.stringify(request) });
    let rest = "";
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) yield JSON.parse(line);
    }
  }

  return {
    config: {
      pairs: [made("made-up", ["text", "chat"], "text"), made("plain", ["text"], "text"), made("talking", ["text", "chat"], "chat")],
      verifiers: [{ name: "token", title: "token", source: "", lossless: "always" }, { name: "block", title: "block", source: "", lossless: "always" }],
      limits: {}, base: "../", examples,
    },
    async decode(request, handlers) {
      try {
        for await (const message of trace ? fromFile(request) : fromServer(request)) {
          if (stopped.has(request.run)) return;
          if (message.kind === "start") handlers.onStart(message.head);
          else if (message.kind === "blocks") handlers.onBlocks(message.first, message.blocks, message.memory ?? null);
          else if (message.kind === "progress") handlers.onProgress(message.text, message.fraction);
          else if (message.kind === "end") handlers.onEnd({ finish: message.finish });
          else handlers.onError(message.text);
        }
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        handlers.onError("The server does not answer.");
      }
    },
    cancel: (run) => stopped.add(run),
  };
}
