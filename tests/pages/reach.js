/** What tests ask of a page in the browser: where SVG texts stand and in which colour, what pictures and controls are called. Sets window.reach. */
window.reach = (() => {
  /** The part of a box that no ancestor cuts away, in the document's coordinates; null where nothing is left. */
  function visibleBox(node) {
    let { left, top, right, bottom } = node.getBoundingClientRect();
    for (let at = node.parentElement; at && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.display === "inline" || (style.overflowX === "visible" && style.overflowY === "visible")) continue;
      const box = at.getBoundingClientRect();
      if (style.overflowX !== "visible") [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      if (style.overflowY !== "visible") [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    if (right - left < 2 || bottom - top < 2) return null;
    return { x: left + scrollX, y: top + scrollY, width: right - left, height: bottom - top };
  }

  const shown = (node) => node.getClientRects().length > 0 && node.checkVisibility({ visibilityProperty: true });

  /** A word or two that lead to the node. */
  function where(node) {
    const part = node.closest("section[aria-label], [id], [data-page]");
    const name = (one) => one.tagName.toLowerCase() + (one.id ? `#${one.id}` : "") + (one.getAttribute("class") ? `.${one.getAttribute("class").trim().replace(/\s+/g, ".")}` : "");
    return part && part !== node ? `${name(part)} ${name(node)}` : name(node);
  }

  /** Red, green, blue from 0 to 255 and alpha from 0 to 1. */
  function rgba(colour) {
    const numbers = (colour.match(/[\d.]+/g) || []).map(Number);
    return colour.startsWith("color(") ? [...numbers.slice(0, 3).map((x) => 255 * x), numbers[3] ?? 1] : [...numbers.slice(0, 3), numbers[3] ?? 1];
  }

  /** Every SVG text that can be seen, with its colour as it is mixed into what lies behind. */
  function texts() {
    const found = [];
    for (const node of document.querySelectorAll("svg text, svg tspan")) {
      const own = [...node.childNodes].filter((child) => child.nodeType === 3).map((child) => child.data).join("").trim();
      if (!own || !shown(node)) continue;
      const box = visibleBox(node), style = getComputedStyle(node);
      if (!box) continue;
      let opacity = Number(style.fillOpacity);
      for (let at = node; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
      const [red, green, blue, alpha] = rgba(style.fill);
      found.push({ ...box, text: own, where: where(node), colour: [red, green, blue, alpha * opacity], pixels: parseFloat(style.fontSize), bold: Number(style.fontWeight) >= 700 });
    }
    return found;
  }

  const blank = new CSSStyleSheet();
  blank.replaceSync("svg text, svg tspan { fill: transparent !important; } *, *::before, *::after { transition: none !important; animation: none !important; }");

  /** Takes the SVG texts' colour away, so that what lies behind them can be seen, or gives it back. */
  function withoutTexts(wanted) {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter((sheet) => sheet !== blank), ...(wanted ? [blank] : [])];
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }

  /** The words that stand for a node: given by label, or its own. */
  function nameOf(node) {
    const by = (node.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean).map((id) => document.getElementById(id)?.textContent || "").join(" ");
    const labels = node.labels ? [...node.labels].map((label) => label.textContent).join(" ") : "";
    const own = node.matches("input, select, textarea") ? "" : node.textContent;
    return (by || node.getAttribute("aria-label") || labels || node.querySelector(":scope > title")?.textContent || own || node.getAttribute("title") || node.getAttribute("alt") || "").trim();
  }

  /** Pictures that can be seen and are neither decoration nor part of a control, with the words that stand for them. */
  function pictures() {
    return [...document.querySelectorAll("svg, canvas, img")]
      .filter((node) => shown(node) && !node.parentElement.closest("svg") && !node.closest("[aria-hidden=true], [role=presentation], [role=none]"))
      .filter((node) => node.getBoundingClientRect().width > 40 && !node.closest("button, a, [role=button], [role=tab]"))
      .map((node) => ({ where: where(node), role: node.getAttribute("role"), name: node.getAttribute("aria-label") || nameOf(node) }));
  }

  /** Words and controls that the window's edge cuts off, where nothing scrolls to the rest of them. */
  function cutOff() {
    const scrolls = (node) => { for (let at = node; at; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true; return false; };
    const own = (node) => node.matches("button, input, select, textarea") || [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    return [...document.querySelectorAll(".specdemo-root *, .frame-language *, [role=tab]")]
      .filter((node) => own(node) && shown(node))
      .filter((node) => { const box = node.getBoundingClientRect(); return box.width > 1 && (box.right > innerWidth + 1 || box.left < -1) && !scrolls(node); })
      .map((node) => where(node));
  }

  const STOPS = "a[href], button, input, select, textarea, summary, [tabindex]";

  /** Controls that the walk has not met; of a group of radio buttons the browser stops at one. */
  function missed() {
    return [...document.querySelectorAll(STOPS)]
      .filter((node) => node.tabIndex >= 0 && !node.disabled && shown(node) && !node.closest("[inert]") && !(node.matches("input[type=radio]") && !node.checked && document.querySelector(`input[type=radio][name="${node.name}"]:checked`)))
      .filter((node) => !seen.has(node))
      .map((node) => where(node));
  }

  const looks = (node) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor, stroke, strokeWidth, textDecorationLine } = getComputedStyle(node);
    return [outlineStyle === "none" ? "" : outlineWidth + outlineColor, boxShadow, borderColor, backgroundColor, stroke, strokeWidth, textDecorationLine].join(" ");
  };
  /** A mark of the focus may be drawn on what holds the control, or on what stands beside a hidden one. */
  const marksOf = (node) => [node, node.parentElement, node.closest("label"), node.nextElementSibling, ...node.children].filter(Boolean).map(looks).join("|");

  const seen = new Map();
  let last = null;

  /** The control that has the focus now, null for none; `unmarked`: the one before it looked the same with the focus as without. */
  function stop() {
    const node = document.activeElement, before = last;
    const unmarked = before && before.node.isConnected && before.node !== node && marksOf(before.node) === before.marks ? before.place : null;
    if (!node || node === document.body || node === document.documentElement) return (last = null), { at: null, unmarked };
    const box = node.getBoundingClientRect(), place = where(node), again = seen.has(node);
    seen.set(node, place);
    last = { node, place, marks: marksOf(node) };
    const inSight = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    return { at: { place, again, name: nameOf(node), inSight, x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height, apart: Boolean(node.closest("dialog, .learn-guide")) }, unmarked };
  }

  /** Puts the focus before everything, and forgets where it was. */
  function fromTheTop() {
    seen.clear();
    last = null;
    const start = document.createElement("span");
    start.tabIndex = -1;
    document.body.prepend(start);
    start.focus(); // the browser goes on from here when it has gone
    start.remove();
    scrollTo(0, 0);
  }

  /** Texts of tokens, of the prompt and of the Sandbox's symbols that a translator of pages would take for words; how many there are in all. */
  function translatable(prompt) {
    const found = { wrong: [], all: 0 }, walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const holder = node.parentElement, words = node.data.trim();
      if (!words || !holder.closest(".specdemo-root") || holder.closest("script, style, title, desc, noscript")) continue;
      const token = holder.closest("[data-token-id]"), isToken = token && token.dataset.tokenId !== "rest" && !holder.matches("title");
      if (!isToken && !holder.closest(".pic-token, .sd-chip, .sd-line .sd-tok") && !/^·\p{L}/u.test(words) && !words.includes(prompt)) continue;
      if (holder.closest("[data-token-id=rest]") || (holder.matches(".sd-chip") && words === "?")) continue;
      found.all += 1;
      if (!holder.closest("[translate=no]")) found.wrong.push(`${where(holder)}: ${words.slice(0, 40)}`);
    }
    for (const field of document.querySelectorAll(".specdemo-root textarea")) if (field.dir !== "auto" || field.translate) found.wrong.push(where(field));
    return found;
  }

  // What says something by how it looks beside its like: marks, swatches, states.
  const TELLING = [".sd-tok", ".sd-chip", ".sd-marks i", "[class*=swatch]:not(svg)", "[aria-pressed]", ".sd-phases button", "[role=tab]", "[aria-current]", ".sd-link", ".sd-col", ".sd-wbar, .sd-wbar i", ".cmp-table td", ".sd-notice", ".sd-button", "[data-changed]"];
  const SHOWN_BY = ["backgroundColor", "backgroundImage", "boxShadow", "borderBottom", "borderLeft", "borderTop", "outlineStyle", "textDecorationLine", "textDecorationColor", "fontWeight", "color"];

  /** Of each telling part that can be seen: its kind, where it is, how it looks, and whether its own ground can be told from the page's. */
  function telling() {
    const probe = document.createElement("i");
    probe.style.cssText = "background: var(--panel); forced-color-adjust: none";
    document.querySelector(".specdemo-root").append(probe);
    const ground = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return TELLING.flatMap((kind) => [...document.querySelectorAll(kind)].filter(shown).map((node) => {
      const own = getComputedStyle(node), after = getComputedStyle(node, "::after");
      const look = [...SHOWN_BY.map((name) => own[name]), after.content === "none" ? "" : after.backgroundColor].join("; ");
      const filled = own.backgroundImage !== "none" || ![ground, "rgba(0, 0, 0, 0)"].includes(own.backgroundColor);
      return { kind, where: `${where(node)} ${node.textContent.trim().slice(0, 20)}`, look, filled };
    }));
  }

  return { texts, withoutTexts, translatable, telling, pictures, cutOff, missed, stop, fromTheTop };
})();
