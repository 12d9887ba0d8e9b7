# Every target sets up what it needs by itself: nothing but Python 3.11 or newer has to be there.
.DEFAULT_GOAL := help
PYTHON ?= python3
WORKERS ?= 3
BIN := .venv/bin
READY := .venv/.ready
TESTED := .venv/.ready-to-test
WORKSHOP := web/node_modules/.ready
NODE := $(BIN)/python web/node.py
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable
SHELL := /bin/bash
# Everything starts sooner with its bytecode kept, and the tests start some hundred processes.
export PYTHONDONTWRITEBYTECODE :=

play: $(READY)  ## Open the library in the browser: play against bots, with friends at this screen, or by link
	@$(BIN)/dracotheque play $(ARGS)

terminal: $(READY)  ## Open a box and play in the terminal, you against bots (GAME=emerald, ARGS="--help" for more)
	@$(BIN)/dracotheque terminal $(GAME) $(ARGS)

test: $(TESTED) lint page-test  ## Run every test: lint, types, unit, property, whole games, server, browser (WORKERS=3 processes at once: some wait)
	@$(BIN)/dracotheque compile
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --durations=25

lint: $(TESTED)  ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright

page-test: $(WORKSHOP)  ## Check the types of the page's scripts and run their unit tests (a part of make test)
	$(NODE) node node_modules/typescript/bin/tsc -p .
	$(NODE) node node_modules/vitest/vitest.mjs run

bench: $(READY)  ## Measure speed beside OpenSpiel, python-chess and Pgx; writes benchmarks/results.md
	$(BIN)/python benchmarks/run.py $(ARGS)

page-bench: $(TESTED)  ## Measure how soon the page can be played and how smoothly pieces move; writes benchmarks/results-page.md
	$(BIN)/python benchmarks/page.py $(ARGS)

load: $(READY)  ## Measure the server under load beside boardgame.io; writes benchmarks/results-load.md (about ten minutes)
	PYTHONPATH=benchmarks $(BIN)/python benchmarks/load/run.py $(ARGS)

check-equal: $(READY)  ## Play 20,000 games of every option set compiled and interpreted, and compare every state (over an hour on 2 cores)
	$(BIN)/dracotheque check-equal --games 20000 $(ARGS)

mutants: $(READY)  ## Break the rules in every small way and see that a test notices (some hours on 2 cores)
	@$(BIN)/python -c "import cosmic_ray" 2>/dev/null || $(PIP) ".[mutants]"
	$(BIN)/python tests/mutants/run.py $(ARGS)

ptx: $(READY)  ## Compile the rules for NVIDIA cards, for machines without numba-cuda (see docs/cuda.md)
	@$(BIN)/python -c "import numba_cuda" 2>/dev/null || $(PIP) ".[cuda]"
	$(BIN)/dracotheque ptx $(ARGS)

study: $(READY)  ## Choose the coins of Dragon's Cave again by playing, GAME=gran for its map, GAME=save-the-dragon for the rock, GAME=solved for its perfect play, GAME=mixtures for best mixtures in small caves, GAME=mixers for the bots that mix (ARGS=--quick for a rough look)
	@test -n "$(STUDY_OF_$(or $(GAME),dragons-cave))" || { echo "There is no study of $(GAME): GAME=dragons-cave, gran, save-the-dragon, solved, mixtures or mixers."; exit 1; }
	$(BIN)/python docs/studies/$(STUDY_OF_$(or $(GAME),dragons-cave)).py $(ARGS)

STUDY_OF_dragons-cave := dragons_cave_board
STUDY_OF_gran := gran_map
STUDY_OF_save-the-dragon := rock_falls
STUDY_OF_solved := solved_stairs
STUDY_OF_mixtures := cave_certificate
STUDY_OF_mixers := cave_mixers

strength: $(READY)  ## Measure how strong the bots are, 2,000 games a step; writes docs/strength.md (about two hours on 2 cores)
	$(BIN)/python docs/studies/strength.py $(ARGS)

docs: $(READY)  ## Build the pages and the API reference into build/docs
	@$(BIN)/python -c "import pdoc" 2>/dev/null || $(PIP) ".[docs]"
	$(BIN)/python docs/make.py

clean:  ## Remove the environment and everything built
	rm -rf .venv .venv-bench web/node_modules src/dracotheque/ptx/*.ptx build dist .pytest_cache .ruff_cache .hypothesis

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Dracothèque needs Python 3.11 or newer. Name one: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || { echo "Making the environment .venv …"; $(PYTHON) -m venv .venv; } || \
	  { rm -rf .venv; echo "Python cannot make a virtual environment here. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@echo "Installing what Dracothèque needs into .venv (once, about half a minute) …"
	@$(PIP) .
	@touch $(READY)

$(TESTED): $(READY)
	@echo "Installing what the tests need: ruff, basedpyright, pytest, PostgreSQL, numba-cuda … (once, about a minute)"
	@$(PIP) ".[dev]"
	@$(BIN)/python -m tests.browser.chromium
	@touch $(TESTED)

# The page is played without a build step; TypeScript and Vitest only check it. Node may come from basedpyright's package.
$(WORKSHOP): web/package-lock.json web/package.json | $(TESTED)
	@echo "Installing what checks the page: TypeScript, Vitest … (once, a few seconds)"
	@$(NODE) npm ci --no-progress --loglevel=error
	@touch $(WORKSHOP)

.PHONY: play terminal load test page-test page-bench lint bench check-equal mutants ptx study strength docs clean help
