"""A run, a state of the Sandbox or a sweep of the Lab as one HTML file that opens from disk, offline, with the browser's own viewer (docs/viewer.md).

`modules.py` makes one script of the viewer's modules, `document.py` the page around it, `json_text.py` the text of the record that
the page shows, `records.py` and `sweeps.py` that record. The server hands out the page without a record, and the browser appends one: both ways
make the same bytes. Nothing here draws anything.
"""

from specdemo.standalone.document import PAGES, filled, template
from specdemo.standalone.records import check_drawable, record_of, run_record
from specdemo.standalone.sweeps import lab_record

__all__ = ["PAGES", "check_drawable", "filled", "lab_record", "record_of", "run_record", "template"]
