/** A stand-in for bridge.js while developing: it asks tests/viewer/serve.py, which decodes with tiny real models. Not part of the app. */

async function* lines(address, request) {
  const response = await fetch(address, { method: "POST", body: JSON.stringify(request) });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts) yield JSON.parse(part);
  }
}

export async function createDevBridge() {
  const stopped = new Set();

  /** @param {string} address @param {any} request @param {any} handlers @param {(message: any) => void} take messages of no common kind */
  async function ask(address, request, handlers, take) {
    try {
      for await (const message of lines(address, request)) {
        if (stopped.has(request.run)) return;
        if (message.kind === "progress") handlers.onProgress(message.text, message.fraction);
        else if (message.kind === "end") handlers.onEnd({ finish: message.finish ?? null });
        else if (message.kind === "error") handlers.onError(message.text);
        else take(message);
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      handlers.onError("The server does not answer.");
    }
  }

  return {
    config: await (await fetch("/compare_config")).json(),
    decode: (request, handlers) => ask("/decode", request, handlers, (message) => {
      if (message.kind === "start") handlers.onStart(message.head);
      else handlers.onBlocks(message.first, message.blocks, message.memory ?? null);
    }),
    measure: (kind, request, handlers) => ask(`/${kind}`, request, handlers, handlers.onMessage),
    cancel: (run) => stopped.add(run),
  };
}
