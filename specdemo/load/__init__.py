"""Many visitors at once, against a server of one's own on this machine: `specdemo bench server` (docs/server.md).

A visitor asks as the page does: a new block now and then, the text so far in its request, tried again where the server is busy or the
connection breaks (`visitors.py`). The server is a process that is started for the purpose (`process.py`); nothing outside of this
machine is reached. `crowd.py` lets them come and go, `report.py` says what came of it.
"""
