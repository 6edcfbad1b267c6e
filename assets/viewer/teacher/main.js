/**
 * Teacher mode of a page (docs/learn.md): what its link fixes, hides and has predicted, the list that makes such links, the large mode and the
 * handout. A page asks for it before its parts are built, and attaches it when they are.
 */

import { ALONE } from "../pages.js";
import { set } from "../svg.js";
import { createBar, predictionsOf } from "./bar.js";
import { createBetPanel } from "./bet_panel.js";
import { meant, withCarried } from "./controls.js";
import { createDialog } from "./dialog.js";
import { enforce } from "./enforce.js";
import { guarded } from "./guard.js";
import { createHandout } from "./handout.js";
import { createLarge } from "./large.js";
import { createLedger, tabStorage } from "./ledger.js";
import { createTeacherMenu } from "./menu.js";
import { blockAsks, blockBets, stateAsks, stateBets } from "./page_bets.js";
import { isRestricted, read } from "./query.js";
import { say } from "../words/parts/teacher.js";

/**
 * @param {"step"|"compare"|"sandbox"} page
 * @param {import("../pages.js").Frame} frame
 */
export function createTeacher(page, frame = ALONE) {
  const settings = read(location.search), hidden = meant(page, "hide", settings.hide), fixed = withCarried(page, meant(page, "fix", settings.fix));
  const kinds = predictionsOf(page, settings.predict), ledger = kinds.length ? createLedger(tabStorage()) : null;
  const away = ledger ? [...hidden, ...meant(page, "hide", ["examples"])] : hidden; // their names tell what comes
  const sentence = `${page}-teacher-sentence`, state = page === "sandbox";

  return {
    /** Whether something is still to be predicted before it may be shown: a block, or a state of the Sandbox; null where nothing is asked. */
    asks: ledger && (state ? stateAsks(ledger) : blockAsks(page, ledger, kinds)),
    /** The page's actions as far as the link leaves them. @template {object} Actions @param {Actions} actions @param {any} store @returns {Actions} */
    guard(actions, store) {
      const tell = (text) => store.set({ message: { kind: "note", text, retry: false } });
      return guarded(actions, page, [...fixed, ...away], () => (store.view.predicting ? say("bet.sealed") : null), tell);
    },
    /**
     * @param {{root: HTMLElement, store: any, actions: any, encode: (view: any) => string, unlinked?: (view: any) => string, saved?: boolean}} context `actions`: not guarded;
     *   `encode`: the hash of a view; `unlinked`: why it has none, "" where it has; `saved`: of a page without a server
     */
    attach({ root, store, actions, encode, unlinked = () => "", saved = false }) {
      const tools = root.querySelector(".sd-tools"), menu = tools && !saved ? createTeacherMenu(tools, `${page}-teacher`) : null, stage = root.querySelector(".sd-stage") || root;
      /** @type {{update: () => void}|null} */
      let handout = null;
      createBar(root, page, settings, sentence);
      const redraw = () => store.set({});
      if (menu) {
        /** @type {any} */
        let dialog = null;
        menu.add("link", say("teacher.link_button"), say("teacher.link_title"), () => (dialog = dialog || createDialog(root, page, (predicts) => opening(page, store.view, encode, predicts), () => unlinked(store.view))).open());
        handout = createHandout(root, page, { menu, view: () => store.view, encode, unlinked, isVisible: frame.isVisible, hidden, kinds, score: () => scoreFor(page, store) });
      }
      createLarge(root, menu, { isVisible: frame.isVisible, redraw });
      const onDone = () => {
        const { message } = store.state;
        if (message && message.text === say("bet.sealed")) store.set({ message: null });
        return page === "step" ? goOn(store, actions, [...fixed, ...away]) : redraw();
      };
      const panel = ledger && createBetPanel(stage, { ledger, onChange: redraw, onDone });
      const now = ledger && (state ? stateBets(ledger) : blockBets(page, ledger, kinds));
      const update = (view) => {
        if (panel && now) panel.update(now(view));
        set(root, { "data-predicting": Boolean(view.predicting) });
        if (isRestricted(settings)) enforce(root, page, { fixed, hidden: away, sentence });
        if (handout) handout.update();
      };
      store.subscribe(update);
      update(store.view);
    },
  };
}

/** The hash that a class is to open: where something is to be predicted, from the beginning of what is shown. */
function opening(page, view, encode, predicts) {
  if (!predicts || page === "sandbox" || !view.block) return encode(view);
  return encode({ ...view, phase: "draft", tried: 0, position: 0, token: null, race: page === "compare" ? { ...view.race, record: null } : undefined });
}

/** A prediction on paper has the target's numbers, so its picture has them, too. @param {string} page @param {any} store @returns {(() => void)|null} the way back */
function scoreFor(page, store) {
  const { predicting, phase } = store.view;
  if (page !== "step" || !predicting || phase !== "draft") return null;
  store.set({ phase: "score" });
  return () => store.view.predicting && store.set({ phase: "draft" });
}

/** The bets are made: the coins are tossed, or, where the walk is closed, what came of them is shown. */
function goOn(store, actions, closed) {
  store.set({ phase: "score", tried: 0, urged: false });
  if (closed.includes("step")) actions.toPhase("commit");
  else actions.step();
}
