"""Characterisation data: what the library did when it was written, so that a change shows all that it changes.

`records.py` writes each pin as lines of text, `data/` keeps them, `test_pins.py` compares. Only `subject.py` imports
the library: a renamed class or a new message changes that file and no data, which hold phrases, rule ids, pieces,
numbers and stored bytes, never a name of Python. A pin changes only in a commit whose message says why:

    python -m tests.pins.make                 # write all of them
    python -m tests.pins.make board-gran      # write one of them
    python -m tests.pins.show board-gran      # print what is kept of it

`data/stored.*` were written once by tables of the server, and nothing writes them again: such tables exist somewhere.
"""
