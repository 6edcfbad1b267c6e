"""How a page's viewer gets into the document: one plain HTML component that its modules fill.

The template is constant: Gradio evaluates what a template interpolates as JavaScript, so nothing is ever interpolated.
"""

from __future__ import annotations

import json

import gradio as gr

from specdemo.pages.context import Context

TEMPLATE = '<div class="specdemo-root" data-state="empty"></div>'

# `props.config` is JSON text, never part of a template. The modules are the ones the document has loaded early.
ON_LOAD = """
const root = element.querySelector('.specdemo-root');
const config = JSON.parse(props.config);
config.base = new URL(config.base, document.baseURI).href;
const stand = import(config.base + 'viewer/frame/frame.js');
stand.then((words) => words.entitle(root, config.page)).catch(console.warn);
const modules = [config.module, 'viewer/bridge.js', 'viewer/pages.js', 'viewer/words/load.js', 'viewer/words/words.js'];
const bring = () => {
  stand.then((words) => words.waiting(root)).catch(() => {});
  Promise.all(modules.map((name) => import(config.base + name)))
    .then(async ([main, bridge, pages, loading, words]) => {
      await loading.load();
      root.lang = words.languageOfPart(config.page);
      return main.mount(root, bridge.createBridge({ config }), pages.frameOf(root, config.page));
    })
    .then(() => import(config.base + 'viewer/learn/companion.js').then((learn) => learn.attach(root, config)).catch(console.warn))
    .catch(async (error) => {
      console.error(error);
      root.dataset.state = 'error';
      const words = await stand.catch(() => null);
      if (words) return words.failed(root, config.page, bring);
      root.lang = 'en';
      root.textContent = 'The page could not be loaded completely. Reload it; if that does not help, the server may have been updated.';
    });
};
bring();
"""


def viewer(context: Context, page: str, module: str) -> None:
    """Adds the component of a page; `module` is its script, with a function mount(root, bridge, frame) (docs/viewer.md)."""
    config = {**context.service.config(), "base": context.files.base, "page": page, "module": module}
    gr.HTML(
        html_template=TEMPLATE,
        js_on_load=ON_LOAD,
        apply_default_css=False,
        config=json.dumps(config, ensure_ascii=False, allow_nan=False),
    )
