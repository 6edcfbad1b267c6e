/** Play: steps by itself, at an even beat, until the run ends, something fails or the learner has to predict. */

const BEAT = 900; // ms

/** @param {any} store @param {any} runner @param {() => void} step */
export function createPlayer(store, runner, step) {
  let timer = 0;

  function stop() {
    clearTimeout(timer);
    if (store.state.playing) store.set({ playing: false });
  }

  function beat() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!store.state.playing) return;
      const view = store.view, last = view.trace ? view.trace.blocks.length - 1 : 0;
      const atEnd = view.block && view.blockIndex === last && view.phase === "commit";
      if ((atEnd && (view.trace.finish || view.saved)) || store.state.status === "error" || (view.predicting && view.phase === "score")) return stop();
      if (!(runner.busy && (atEnd || !view.block))) step();
      beat();
    }, BEAT);
  }

  return {
    stop,
    toggle() {
      if (store.state.playing) return stop();
      store.set({ playing: true });
      beat();
    },
  };
}
