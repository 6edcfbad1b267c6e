"""The pages of the app; Gradio is used here and nowhere else. `shell.launch()` starts them.

A new page is one file with a `build(context)` and one line in `registry.PAGES`.
"""
